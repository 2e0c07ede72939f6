"""Combinatorial dimensions of a finite class, with certificates."""

from __future__ import annotations

from pac_stability.dimensions.bounds import Bounds as Bounds
from pac_stability.dimensions.bounds import Progress as Progress
