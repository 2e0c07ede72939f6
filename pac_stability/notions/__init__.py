"""The definitions of stability, privacy, generalization and learning, one module each."""

from __future__ import annotations

from pac_stability.notions import closeness as closeness
from pac_stability.notions import frontier as frontier
