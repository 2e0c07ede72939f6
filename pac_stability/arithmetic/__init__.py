"""Exact rationals, a privacy parameter as a rational number, and certified intervals.

:class:`Constants` says which constants a size or a bound uses.
"""

from __future__ import annotations

from pac_stability.arguments import (
    AnyNumber as AnyNumber,
    ExactNumber as ExactNumber,
    as_fraction as as_fraction,
    as_open_unit as as_open_unit,
    as_probability as as_probability,
    as_size as as_size,
)
from pac_stability.arithmetic.epsilon import (
    Constants as Constants,
    ConstantsLike as ConstantsLike,
    Epsilon as Epsilon,
    EpsilonLike as EpsilonLike,
    as_constants as as_constants,
    as_epsilon as as_epsilon,
    as_positive_epsilon as as_positive_epsilon,
    floor_log2 as floor_log2,
    multinomial as multinomial,
    require_epsilon as require_epsilon,
)
from pac_stability.arithmetic.interval import (
    Interval as Interval,
    certified_ceiling as certified_ceiling,
    decide_less as decide_less,
    fair_binomial as fair_binomial,
    least_integer as least_integer,
    log_choose as log_choose,
    log_power_mean as log_power_mean,
    logarithm as logarithm,
    noisy_binomial as noisy_binomial,
)
