"""Figures, drawn by matplotlib: ``pip install 'pac_stability[plots]'``.

A figure is a ``matplotlib.figure.Figure`` and touches no global state: there is nothing to close.
Nothing is computed here but where curves cross.
"""

from __future__ import annotations

from pac_stability.plots.figures import save_picture as save_picture, save_svg as save_svg
from pac_stability.plots.private_learners import (
    excess_error as excess_error,
    private_learners as private_learners,
)
from pac_stability.plots.sizes import (
    crossings as crossings,
    private_bounds as private_bounds,
    rooms as rooms,
    sample_sizes as sample_sizes,
)
from pac_stability.plots.trees import mistake_tree as mistake_tree
