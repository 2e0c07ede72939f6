"""The definitions of stability, privacy, generalization and learning, one module each."""

from __future__ import annotations

from pac_stability.notions import by_type as by_type
from pac_stability.notions import closeness as closeness
from pac_stability.notions import covering as covering
from pac_stability.notions import exact_lp as exact_lp
from pac_stability.notions import frontier as frontier
from pac_stability.notions import robust_generalization as robust_generalization
from pac_stability.notions import sample_laws as sample_laws
from pac_stability.notions import split_reading as split_reading
