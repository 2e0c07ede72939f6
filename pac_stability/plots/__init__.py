"""Figures, drawn by matplotlib: ``pip install 'pac_stability[plots]'``.

A figure is a ``matplotlib.figure.Figure`` without global state, so there is no need to close it.
The functions draw given numbers; they compute only where curves cross.
"""

from __future__ import annotations

from pac_stability.plots.drawing import (
    crossings as crossings,
    mistake_tree as mistake_tree,
    needed_sizes as needed_sizes,
    sample_sizes as sample_sizes,
    save_picture as save_picture,
    save_svg as save_svg,
)
