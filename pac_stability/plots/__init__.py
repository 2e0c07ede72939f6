"""Figures, drawn by matplotlib: ``pip install 'pac_stability[plots]'``.

A figure is a ``matplotlib.figure.Figure`` without global state, so there is no need to close it.
The functions draw given numbers; they compute only where curves cross.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
