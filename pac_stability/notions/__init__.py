"""The definitions of stability, privacy, generalization and learning, one module each."""

from __future__ import annotations

from pac_stability.notions import accuracy as accuracy
from pac_stability.notions import by_type as by_type
from pac_stability.notions import closeness as closeness
from pac_stability.notions import covering as covering
from pac_stability.notions import frontier as frontier
from pac_stability.notions import generalization as generalization
from pac_stability.notions import global_stability as global_stability
from pac_stability.notions import losses as losses
from pac_stability.notions import two_point as two_point
