"""How many points make a net: Lemma 4."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Unpack

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_open_unit, as_size, in_words
from pac_stability.arithmetic import Constants, Interval
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.nets import threshold_net_failure
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    Ceiling,
    R,
    Reals,
    certified_ceiling,
    fixed_point,
    float_ceiling,
    nearly_least,
)
from pac_stability.papers.dagan_feldman.sample_complexity._growth import (
    Growth,
    difference_dimension,
)
from pac_stability.papers.dagan_feldman.sample_complexity.asking import (
    Ask,
    Known,
    size_of,
)

# How many times larger the second sample is, which is only thought of.
_GHOSTS = (1, 2, 3, 4, 6, 8, 12, 16)

# Theorem 28.3 of Shalev-Shwartz and Ben-David is for failures below 1/4.
_LARGEST_FAILURE = Fraction(249, 1000)

# From here on Stirling's series is accurate to 26 digits.
_EXACT_FACTORIALS = 512

# Binomial coefficients of n are exact.
_LARGEST_EXACT = 10**7


@dataclass(frozen=True, slots=True, repr=False)
class NetSize(Tabled):
    """How many points make a net.

    Attributes
    ----------
    subset_size : int
        n', the number of draws, or of indices.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    """

    subset_size: int
    binding: str
    constants: Constants


@size_of
def net_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    vc_dimension: int,
    *,
    population: int | None = None,
    **known: Unpack[Known],
) -> NetSize:
    """Return how many points are an alpha-net with probability 1 - beta (Lemma 4).

    Parameters
    ----------
    alpha
        Hypotheses that agree on the net differ with probability at most alpha: above 0, below 1.
    beta
        The probability of failure, above 0 and below 1.
    vc_dimension
        d, at least 1.
    population
        n, to draw indices of a sample of n examples without replacement, and for a net with
        respect to that sample; by default, points are drawn from any distribution, independently.
    constants
        Printed: Theorem 28.3 of Shalev-Shwartz and Ben-David, which the lemma cites, for the class
        of differences. Proved and sharp: the best of the bounds below.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    NetSize
        With a population, at most n: all indices are a net.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    With ``C(tau, 2)`` differences of two hypotheses, the failure is at most

    - *indices*: ``C(tau_n, 2) C(n - k, n') / C(n, n')``, where ``k = floor(alpha n) + 1``; the
      least n' is found by bisection;
    - *double sample*: ``2 C(tau, 2) (j/(j+1))**k`` with tau at ``(j+1) n'`` and ``k = floor(j alpha
      n')``, for a second sample j times as large, which hits k times or more with probability at
      least 1/2 (the median of a binomial is at least its mean rounded down);
    - *finite class*: ``C(|H|, 2) (1 - alpha)**n'``.

    The last two hold for indices too: independent draws of indices are fewer distinct ones. All are
    right for every alpha, whereas ``(d ln(1/alpha) + ln(1/beta)) / alpha`` tends to ``ln(1/beta)``
    as alpha tends to 1, where a net may need ever more points as d grows; read ``log(e/alpha)``.

    Examples
    --------
    >>> net_size("1/10", "1/10", 1).subset_size
    180
    >>> net_size("1/10", "1/10", 1, population=2000)
    <NetSize: subset size 153, binding indices, constants sharp>
    >>> net_size("1/10", "1/10", 1, constants="printed").subset_size
    2184
    """
    ask = Ask(alpha, beta, vc_dimension=vc_dimension, **known)
    a, b, tau = ask.alpha, ask.beta, ask.patterns
    n = None if population is None else as_size(population, "population", least=1)
    if ask.printed:
        size, binding = paper_net_size(tau.vc_dimension, a, b, certified_ceiling), "double sample"
    else:
        size, binding = drawn_net_size(tau, a, b)
        if n is not None:
            indices = _index_net_size(tau, n, a, b)
            if indices < size:
                size, binding = indices, "indices"
    if n is not None and size >= n:
        size, binding = n, "all indices"
    return NetSize(size, binding, ask.constants)


def paper_net_size(d: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    """Return ``(8/alpha) (2D ln(16e/alpha) + ln(2/beta))``, D the dimension of the differences."""
    D, failure = difference_dimension(d), min(beta, _LARGEST_FAILURE)

    def needed(real: Reals[R]) -> R:
        inner = 2 * D * (1 + real.log(16 / alpha)) + real.log(2 / failure)
        return 8 * inner / real.exactly(alpha)

    return ceiling(needed)


def drawn_net_size(
    tau: Growth,
    alpha: Fraction,
    beta: Fraction,
    *,
    ceiling: Ceiling = certified_ceiling,
    one_target: bool = False,
) -> tuple[int, str]:
    """Return how many independent draws are a net, and by which bound.

    With ``one_target`` only the differences from one fixed hypothesis count: what is needed of
    samples that are labelled by it.
    """

    def double_sample(ghost: int, m: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        def hits(real: Reals[R]) -> R:
            count = _differences(tau((ghost + 1) * m), one_target)
            return real.log(2 * count / beta) / real.log(Fraction(ghost + 1, ghost))

        yield "double sample", math.ceil(ceiling(hits) / (ghost * alpha))

    def size_with(ghost: int, ceiling: Ceiling) -> int:
        return fixed_point(double_sample, ghost, start, ceiling)

    start = least_drawn_net_size(tau, alpha, beta, one_target=one_target)
    guesses = {ghost: size_with(ghost, float_ceiling) for ghost in _GHOSTS}
    best = nearly_least(guesses)
    sizes = [(size_with(ghost, ceiling), "double sample") for ghost in best]
    if tau.class_size is not None:
        hypotheses = tau.class_size

        def finite(real: Reals[R]) -> R:
            return real.log(_differences(hypotheses, one_target) / beta) / real.log(1 / (1 - alpha))

        sizes.append((ceiling(finite), "finite class"))
    return min(sizes)


def least_drawn_net_size(
    tau: Growth, alpha: Fraction, beta: Fraction, *, one_target: bool = False
) -> int:
    """Return less than :func:`drawn_net_size`, by a few logarithms in floats.

    All its bounds ask for ``ln(2 (differences on 2m points) / beta) / alpha`` at least, a finite
    class for ``ln((differences) / beta) / -ln(1 - alpha)``.
    """
    m = 1
    for _ in range(3):
        count = _differences(tau(2 * m), one_target)
        m = max(m, int((math.log(2 * count) - math.log(beta)) / float(alpha) * (1 - 1e-9)))
    if tau.class_size is None:
        return m
    count = _differences(tau.class_size, one_target)
    exponent = -math.log1p(-float(alpha)) * (1 + 1e-9) if float(alpha) < 1 else math.inf
    return max(1, min(m, int((math.log(count) - math.log(beta)) / exponent)))


def _differences(patterns: int, one_target: bool) -> int:
    return patterns - 1 if one_target else math.comb(patterns, 2)


def threshold_net_size(alpha: AnyNumber, beta: AnyNumber, population: int) -> NetSize:
    """Return exactly how many indices are a net for thresholds.

    Parameters
    ----------
    alpha, beta
        As for :func:`net_size`.
    population
        n, the number of examples, at most 10**7. The answer is the least one when their points are
        distinct, and is enough when they are not.

    Returns
    -------
    NetSize
        By bisection over :func:`~pac_stability.papers.dagan_feldman.nets.threshold_net_failure`,
        which does not increase with n'.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    O(log n) sums of O(1/alpha) binomial coefficients of n.

    Examples
    --------
    >>> threshold_net_size("1/10", "1/10", 1000).subset_size
    58
    """
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    n = as_size(population, "population", least=1)
    if n > _LARGEST_EXACT:
        raise InvalidInput("population", in_words(n), f"at most {_LARGEST_EXACT}")
    size = _least(n, lambda size: threshold_net_failure(n, size, a) <= b)
    return NetSize(size, "exact", Constants.SHARP)


def _least(high: int, enough: Callable[[int], bool]) -> int:
    """Return the least size from 0 that is enough; ``high`` is, and so are all beyond it."""
    low = 0
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _index_net_size(tau: Growth, n: int, alpha: Fraction, beta: Fraction) -> int:
    heavy, pairs = math.floor(alpha * n) + 1, math.comb(tau(n), 2)
    bits = 128 + 2 * n.bit_length()
    allowed = Interval.log(beta / pairs, bits).lower

    def enough(size: int) -> bool:
        if size > n - heavy:
            return True
        # C(n - heavy, size) / C(n, size)
        missed = (
            _log_factorial(n - heavy, bits)
            + _log_factorial(n - size, bits)
            - _log_factorial(n - heavy - size, bits)
            - _log_factorial(n, bits)
        )
        return missed.upper <= allowed

    return _least(n, enough)


def _log_factorial(m: int, bits: int) -> Interval:
    if m < _EXACT_FACTORIALS:
        return Interval.log(math.factorial(m), bits)
    return _stirling(m, bits) + _stirling_constant(bits)


def _stirling(m: int, bits: int) -> Interval:
    """Enclose ``ln m! - ln(2 pi)/2`` by partial sums of Stirling's series, which alternate."""
    low = Fraction(1, 12 * m) - Fraction(1, 360 * m**3)
    low += Fraction(1, 1260 * m**5) - Fraction(1, 1680 * m**7)
    rest = Interval(low, low + Fraction(1, 1188 * m**9))
    return (m + Fraction(1, 2)) * Interval.log(m, bits) - m + rest


@lru_cache(maxsize=64)
def _stirling_constant(bits: int) -> Interval:
    """Enclose ``ln(2 pi)/2``, as what is missing for one factorial."""
    m = _EXACT_FACTORIALS
    return Interval.log(math.factorial(m), bits) - _stirling(m, bits)
