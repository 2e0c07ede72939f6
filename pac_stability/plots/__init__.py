"""Figures, drawn by matplotlib: ``pip install 'pac_stability[plots]'``.

A figure is a ``matplotlib.figure.Figure`` and touches no global state: there is nothing to close.
Nothing is computed here but where curves cross.
"""

from __future__ import annotations

from pac_stability.plots.bound_curves import private_bounds as private_bounds
from pac_stability.plots.files import save_svg as save_svg
from pac_stability.plots.losses import excess_error as excess_error
from pac_stability.plots.private_learners import private_learners as private_learners
from pac_stability.plots.rooms import rooms as rooms
from pac_stability.plots.sizes import crossings as crossings, sample_sizes as sample_sizes
