"""The mistake-bound game: learners, adversaries, transcripts; agnostic prediction by experts."""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
