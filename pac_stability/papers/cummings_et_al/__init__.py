"""Cummings, Ligett, Nissim, Roth and Wu, *Adaptive Learning with Robust Generalization Guarantees*.

COLT 2016 (CLNRW16).
"""

from __future__ import annotations
