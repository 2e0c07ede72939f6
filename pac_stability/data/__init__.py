"""Examples, samples, neighbours, multisets, finite distributions, mechanisms and the tape."""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
