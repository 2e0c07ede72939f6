"""Combinatorial dimensions of a finite class, with certificates."""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
