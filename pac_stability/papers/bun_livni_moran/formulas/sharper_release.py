"""Theorem 17 with an exact tail: how many runs until a stable output is released."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from pac_stability.arguments import AnyNumber, as_open_unit, as_size, require_instance
from pac_stability.arithmetic import Interval
from pac_stability.mechanisms import StableHistogram

_BITS = 192
_GUARD = 64
"""Bits of logarithms beyond those of what is made of them."""


def missed_output(runs: int, eta: AnyNumber, histogram: StableHistogram) -> Fraction:
    """Bound how likely a stable output is not released: tight, and rounded up.

    Parameters
    ----------
    runs
        k, how often the stable learner runs, on samples that are independent.
    eta
        How frequent the output is, at least; above 0 and at most 1.
    histogram
        Which counts the outputs.

    Returns
    -------
    Fraction
        ``Pr[C + Z < threshold]`` for C binomial with k and eta, and Z the noise; not smaller, and
        larger by less than ``2**-128``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The count of an output of frequency p >= eta is binomial with k and p. Given a count c, the
    output is missed with probability ``Pr[Z < threshold - c]``, which falls when c grows, and
    counts are stochastically larger for larger p; so eta is the worst p, and more runs miss less.

    The terms of the binomial are summed from the largest one on, in fixed point, each rounded up;
    ``O(threshold + truncation)`` steps.

    Examples
    --------
    >>> histogram = StableHistogram(Fraction(1, 2), truncation=1, threshold=3)
    >>> float(missed_output(1, 1, histogram)), float(missed_output(3, 1, histogram))
    (1.0, 0.25)
    """
    k, p = as_size(runs, "runs"), as_open_unit(eta, "eta", most=True)
    require_instance(histogram, StableHistogram, "histogram")
    return _missed(k, p, histogram)


def least_runs(eta: AnyNumber, histogram: StableHistogram, failure: AnyNumber) -> int:
    """Return the least number of runs with which a stable output is missed rarely.

    Parameters
    ----------
    eta, histogram
        As for :func:`missed_output`.
    failure
        How likely it may be missed; above 0 and below 1.

    Returns
    -------
    int
        The least k with ``missed_output(k, eta, histogram) <= failure``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    ``O(log k)`` evaluations of :func:`missed_output`, and some ten where k is large.

    Examples
    --------
    >>> histogram = StableHistogram.from_privacy(1.0, Fraction(1, 10**6))
    >>> histogram.truncation, least_runs("1/8", histogram, "1/20")
    (27, 312)
    """
    p = as_open_unit(eta, "eta", most=True)
    require_instance(histogram, StableHistogram, "histogram")
    return _least(p, histogram, as_open_unit(failure, "failure"))


@lru_cache(maxsize=1024)
def _least(p: Fraction, histogram: StableHistogram, failure: Fraction) -> int:
    low, high = 0, math.ceil(histogram.threshold / p)
    above = 1 - failure
    step = 1 + high // 4
    while (missed := _missed(high, p, histogram)) > failure:
        low, above = high, missed - failure
        high, step = high + step, 2 * step
    below = failure - missed
    # False position, where an end that stays twice counts half (Illinois); and now and then a half.
    stayed, steps = 0, 0
    while high - low > 1:
        steps += 1
        share = above / (above + below) if steps % 3 else Fraction(1, 2)
        middle = min(max(low + math.ceil((high - low) * share), low + 1), high - 1)
        missed = _missed(middle, p, histogram)
        if missed <= failure:
            high, below = middle, failure - missed
            above, stayed = (above / 2 if stayed < 0 else above), -1
        else:
            low, above = middle, missed - failure
            below, stayed = (below / 2 if stayed > 0 else below), 1
    return high


def _missed(k: int, p: Fraction, histogram: StableHistogram) -> Fraction:
    missed = _missed_by_count(histogram)
    last = min(len(missed) - 1, k)
    if p == 1:
        return Fraction(missed[k], 1 << _BITS) if k < len(missed) else Fraction(0)
    hit, not_hit = p.numerator, p.denominator - p.numerator
    mode = min(last, math.floor((k + 1) * p))
    start = _binomial_term(k, p, mode)

    def larger(term: int, i: int) -> int:
        return -(-term * (k - i) * hit // ((i + 1) * not_hit))

    def smaller(term: int, i: int) -> int:
        return -(-term * i * not_hit // ((k - i + 1) * hit))

    rising = accumulate(range(mode, last), larger, initial=start)
    falling = accumulate(range(mode, 0, -1), smaller, initial=start)
    total = sum(term * missed[mode + j] for j, term in enumerate(rising))
    total += sum(term * missed[mode - j] for j, term in enumerate(falling) if j)
    return min(Fraction(1), Fraction(total, 1 << 2 * _BITS))


def _binomial_term(k: int, p: Fraction, i: int) -> int:
    """Return ``Pr[Bin(k, p) = i]`` in fixed point, rounded up."""
    # The logarithms have up to k.bit_length() digits before the point, which cancel.
    bits = _BITS + _GUARD + 2 * k.bit_length()
    hit, not_hit = _logs(p, bits)
    log = Interval.log(math.comb(k, i), bits) + hit * i + not_hit * (k - i)
    return math.ceil(Interval.exp(log, bits).upper * (1 << _BITS))


@lru_cache(maxsize=64)
def _logs(p: Fraction, bits: int) -> tuple[Interval, Interval]:
    return Interval.log(p, bits), Interval.log(1 - p, bits)


@lru_cache(maxsize=64)
def _missed_by_count(histogram: StableHistogram) -> tuple[int, ...]:
    """Return ``Pr[Z < threshold - c]`` for c = 0, 1, ..., in fixed point, rounded up.

    From ``c = threshold + A`` on it is 0.
    """
    r, most = histogram.decay, histogram.truncation
    one = 1 << _BITS
    # Powers of r from below, and from above.
    below = list(
        accumulate(range(most + 1), lambda t, _: t * r.numerator // r.denominator, initial=one)
    )
    above = list(
        accumulate(range(most + 1), lambda t, _: -(-t * r.numerator // r.denominator), initial=one)
    )
    whole = one + one * r
    bottom = whole - 2 * above[most + 1], whole - 2 * below[most + 1]

    def tail(z: int) -> tuple[int, int]:
        """Pr[Z <= -z] for z from 1 to A + 1, in fixed point, from below and from above."""
        least = max(0, below[z] - above[most + 1]) * one / bottom[1]
        largest = (above[z] - below[most + 1]) * one / bottom[0]
        return math.floor(least), math.ceil(largest)

    def at_most(j: int) -> int:
        if j >= most:
            return one
        return tail(-j)[1] if j < 0 else one - tail(j + 1)[0]

    counts = range(histogram.threshold + most)
    return tuple(at_most(histogram.threshold - 1 - c) for c in counts)
