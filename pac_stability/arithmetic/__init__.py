"""Exact rationals, a privacy parameter as a rational number, and certified intervals."""

from __future__ import annotations

from pac_stability.arithmetic.epsilon import Epsilon as Epsilon
from pac_stability.arithmetic.exact import ExactNumber as ExactNumber
from pac_stability.arithmetic.exact import as_fraction as as_fraction
from pac_stability.arithmetic.exact import as_open_unit as as_open_unit
from pac_stability.arithmetic.exact import as_probability as as_probability
from pac_stability.arithmetic.exact import as_size as as_size
from pac_stability.arithmetic.exact import floor_log2 as floor_log2
from pac_stability.arithmetic.exact import multinomial as multinomial
from pac_stability.arithmetic.interval import Interval as Interval
from pac_stability.arithmetic.interval import certified_ceiling as certified_ceiling
from pac_stability.arithmetic.interval import decide_less as decide_less
