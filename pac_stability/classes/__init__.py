"""Hypothesis classes: finite tables, and families that enumerate their restrictions."""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
