"""Every parameter of BLM20 as a formula, as printed and as repaired."""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
