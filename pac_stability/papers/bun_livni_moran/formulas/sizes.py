"""Lemma 16, Theorems 17 and 1: the numbers of runs and examples of a private learner.

First the choice from a list, then the runs until a stable output is released, then M over G, and
last M with runs by level: more short runs, fewer long ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability import arguments, arithmetic
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Constants, Interval
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram, decay_for
from pac_stability.mechanisms.draws import as_decay
from pac_stability.papers.bun_livni_moran.formulas import parameters


def generic_size(hypotheses: int, alpha: AnyNumber, beta: AnyNumber, decay: Fraction) -> int:
    """Return a sample size at which the generic private learner is accurate.

    Parameters
    ----------
    hypotheses
        How many there are, at least 1.
    alpha, beta
        If some hypothesis has loss at most alpha, the output has loss at most 2 alpha with
        probability at least 1 - beta; both above 0 and below 1.
    decay
        r, the factor of the weight for each further error; ``e**(-epsilon/2)`` in the paper.

    Returns
    -------
    int
        The least n with ``n >= (36/alpha) ln(4 |H|/beta)``, ``n >= (27/alpha) ln(4/beta)`` and
        ``n >= 3 ln(2 |H|/beta) / (alpha ln(1/r))``, decided by certified enclosures.

    Notes
    -----
    Proof. Let h* have loss at most alpha, and call h bad if its loss is above 2 alpha.

    1. A bad h has an empirical loss of at most 5 alpha/3, which is at most 5/6 of its mean, with
       probability at most ``exp(-(1/6)**2 2 alpha n / 2) = exp(-alpha n / 36)``: for all bad h
       together at most beta/4.
    2. h* has an empirical loss above 4 alpha/3 with probability at most ``exp(-(1/3)**2 alpha n /
       3) = exp(-alpha n / 27)``, at most beta/4. A smaller mean makes this less likely.
    3. Otherwise the weight of h* is at least ``r**(4 alpha n / 3)`` and that of a bad h below
       ``r**(5 alpha n / 3)``, so that a bad one is drawn with probability at most
       ``|H| r**(alpha n / 3)``, at most beta/2.

    For epsilon above 1/6 the first condition decides, so that n is of order ``1/(alpha epsilon)``,
    as stated in the paper, for bounded epsilon only. Source: BLM20 Lemma 16.

    Examples
    --------
    >>> generic_size(32, "1/8", "1/20", decay_for(1.0))
    2261
    """
    count = arguments.as_size(hypotheses, "hypotheses", least=1)
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    r = as_decay(decay, below_one=True)
    # The second condition asks for less than the first, whatever |H|.
    return max(
        arithmetic.certified_ceiling(lambda bits: Interval.log(4 * count / b, bits) * (36 / a)),
        arithmetic.certified_ceiling(
            lambda bits: Interval.log(2 * count / b, bits) / Interval.log(1 / r, bits) * (3 / a)
        ),
    )


def selection_size(
    others: int, alpha: AnyNumber, loss: AnyNumber, beta: AnyNumber, decay: Fraction
) -> int:
    """Return the sample size at which a good hypothesis of a list wins against all bad ones.

    Parameters
    ----------
    others
        The number of hypotheses besides the good one.
    alpha
        A hypothesis is bad if its loss is above alpha; above 0 and below 1.
    loss
        The loss of the good one, at most; from 0 on and below alpha.
    beta
        The allowed probability of choosing a bad one; above 0 and below 1.
    decay
        r, the factor of the weight for each further error.

    Returns
    -------
    int
        The least n with ``others * mu**n <= beta``, decided by certified enclosures; 0 for none.
        Here ``mu = 1 - (sqrt(alpha) - sqrt(loss))**2`` if r is at most ``sqrt(loss/alpha)``, and
        otherwise ``mu = 1 - (1 - r) (alpha - loss/r)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Proof. Let g be the good hypothesis and h a bad one, and let X be 1 on an example where h alone
    errs, -1 where g alone errs, and else 0. Given the sample, h is chosen with probability at most
    ``min(1, r**sum(X)) <= z**sum(X)`` for every z from r to 1, whatever else is in the list. Let g
    and h both err with probability b. Then ``E[z**X] = 1 - (1 - z) (L(h) - b - (L(g) - b)/z)``,
    which is at most ``1 - (1 - z) (alpha - loss/z)``, and the power of n of that after n examples.
    It is least at ``z = sqrt(loss/alpha)``, or at the least z allowed, which is r. The sum over
    the bad hypotheses is at most beta.

    It estimates no loss, so neither 1/alpha**2 nor a logarithm for estimates appears;
    :func:`generic_size` follows the paper. Source: this library, for BLM20 Lemma 16.

    Examples
    --------
    >>> [selection_size(31, "1/4", loss, "1/20", decay_for(1.0)) for loss in (0, "1/8", "6/25")]
    [63, 297, 63002]
    """
    count, r = arguments.as_size(others, "others"), as_decay(decay, below_one=True)
    a = arguments.as_open_unit(alpha, "alpha")
    b = arguments.as_open_unit(beta, "beta")
    least = arguments.as_number(loss, "loss")
    if not 0 <= least < a:
        raise InvalidInput(
            "loss", arguments.in_words(least), f"from 0 on, and below {arguments.in_words(a)}"
        )
    if not count or count <= b:
        return 0

    return arithmetic.certified_ceiling(
        lambda bits: Interval.log(count / b, bits) / _rate(a, least, r, bits)
    )


@lru_cache(maxsize=1024)
def _rate(alpha: Fraction, loss: Fraction, r: Fraction, bits: int) -> Interval:
    """Enclose ``-ln mu``."""
    if r * r * alpha > loss:
        mean = Interval.exactly(1 - (1 - r) * (alpha - loss / r))
    else:
        mean = 1 - (alpha + loss - 2 * Interval.sqrt(alpha * loss, bits))
    return -Interval.log(mean, bits)


@lru_cache(maxsize=256)
def private_decay(epsilon: arithmetic.EpsilonLike) -> Fraction:
    """Return the decay of an exponential mechanism that spends at most epsilon, below 1."""
    return decay_for(epsilon, below_one=True)


# Theorem 17 with an exact tail: how many runs until a stable output is released

_BITS = 192
_GUARD = 64
"""Bits of logarithms beyond those of what is made of them."""

_MOST_COUNTS = 4096
"""Up to so many counts that can be missed each is gone through."""

_LEAST_FAILURE = Fraction(1, 1 << 144)
"""What is asked to be less likely than this is not compared in fixed point."""

_RARE = Fraction(1, 1 << 10)
_MOST_BITS = 4096


def missed_output(runs: int, eta: AnyNumber, histogram: StableHistogram) -> Fraction:
    """Bound the probability that a stable output is not released: tight, and rounded up.

    Parameters
    ----------
    runs
        k, the number of runs of the stable learner, on independent samples.
    eta
        A lower bound on the frequency of the output; above 0 and at most 1.
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

    Where the noise is small, the terms of the binomial are summed from the largest one on, in fixed
    point, each rounded up, as far as they are more than a unit; else it is
    :func:`~pac_stability.arithmetic.interval.noisy_binomial`, whose time does not grow.

    Examples
    --------
    >>> histogram = StableHistogram(Fraction(1, 2), truncation=1, threshold=3)
    >>> float(missed_output(1, 1, histogram)), float(missed_output(3, 1, histogram))
    (1.0, 0.25)
    """
    k, p = arguments.as_size(runs, "runs"), arguments.as_open_unit(eta, "eta", most=True)
    arguments.require_instance(histogram, StableHistogram, "histogram")
    if histogram.certain_count <= _MOST_COUNTS:
        return _missed(k, p, histogram)
    log = _log_missed(p, histogram)(k, histogram.threshold, _BITS)
    if log is None or log.upper < -_BITS:
        return Fraction(1, 1 << _BITS)
    return min(Fraction(1), Interval.exp(log, _BITS).upper)


def least_runs(eta: AnyNumber, histogram: StableHistogram, failure: AnyNumber) -> int:
    """Return the least number of runs with which a stable output is rarely missed.

    Parameters
    ----------
    eta, histogram
        As for :func:`missed_output`.
    failure
        The allowed probability of missing it; above 0 and below 1.

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
    A guess in floating point, and some five evaluations of :func:`missed_output`, which decide.

    Examples
    --------
    >>> histogram = StableHistogram.from_privacy(1.0, Fraction(1, 10**6))
    >>> histogram.truncation, least_runs("1/8", histogram, "1/20")
    (27, 312)
    """
    p = arguments.as_open_unit(eta, "eta", most=True)
    arguments.require_instance(histogram, StableHistogram, "histogram")
    return _least(p, histogram, arguments.as_open_unit(failure, "failure"))


@lru_cache(maxsize=1024)
def _least(p: Fraction, histogram: StableHistogram, failure: Fraction) -> int:
    about, goal = _about(p, histogram), arithmetic.logarithm(failure)
    low = high = steps = 0  # low is not enough; high is, if it is not 0
    probe = max(1, math.ceil(_runs_about(p, histogram, failure)))
    last: tuple[int, float] | None = None
    while high - low != 1:
        excess, steps = _excess(probe, p, histogram, failure), steps + 1
        low, high = (probe, high) if excess > 0 else (low, probe)
        # In the roots the curve is nearly a line.
        root = math.sqrt(max(0.0, -goal - excess))
        if last is None:
            # By as much as it is off here it is off beside.
            guess = math.ceil(about.runs(min(about.log_missed(probe) - excess, -1e-9)))
        elif root != last[1] and steps < 8:
            slope = (root - last[1]) / (probe - last[0])
            guess = probe + math.ceil((math.sqrt(-goal) - root) / slope)
        else:
            guess = (low + high) // 2 if high else 2 * low
        last = probe, root
        probe = max(guess, low + 1)
        probe = min(probe, high - 1) if high else min(probe, 4 * low + 4)
    return high


def _more_than(eta: Fraction, histogram: StableHistogram, failure: Fraction) -> int:
    """Return a number of runs that is surely not enough, if only just: less work than the least."""
    about, off = _about(eta, histogram), 1 - 0.13 / histogram.threshold - 0.0005
    few = math.floor(_runs_about(eta, histogram, failure) * off)
    for _ in range(3):
        excess = _excess(few, eta, histogram, failure) if few > 0 else 1.0
        if excess > 0:
            return few
        few = math.floor(about.runs(min(about.log_missed(few) - excess, -1e-9)) * off) - 1
    return 0


def _excess(k: int, p: Fraction, histogram: StableHistogram, failure: Fraction) -> float:
    """Return about ``ln(missed/failure)``: above 0 exactly where so many runs are too few."""
    if histogram.certain_count <= _MOST_COUNTS and failure >= _LEAST_FAILURE:
        missed = _missed(k, p, histogram)
        if missed <= failure:
            return math.log(missed / failure) if missed else -1e3
        return max(math.log(missed / failure), 5e-324)
    threshold, log_missed = histogram.threshold, _log_missed(p, histogram)
    if p == 1 and k >= histogram.certain_count:
        return -1e3
    bits = 64 + math.ceil(-arithmetic.logarithm(failure) / math.log(2))
    while bits <= _MOST_BITS + 64:
        log = log_missed(k, threshold, bits)
        if log is not None:
            ratio = log - Interval.log(failure, bits)
            if ratio.lower > 0:
                return max(float(ratio.lower), 5e-324)
            if ratio.upper <= 0:
                return float(ratio.upper)
        bits *= 2
    return 5e-324  # as good as equal: one run more does no harm


class _NormalMiss:
    """About how likely an output is missed, as if count and noise were normal and Laplace."""

    def __init__(self, p: Fraction, histogram: StableHistogram) -> None:
        self._p, self._rate = float(p), -math.log(histogram.decay)
        self._cut = math.exp(-self._rate * (histogram.truncation + 1)) / (1 + histogram.decay)
        self._threshold, self._most = histogram.threshold - 0.5, histogram.truncation

    def log_missed(self, runs: float) -> float:
        """Return about the logarithm of the probability, in floating point."""
        mean = runs * self._p
        sigma = math.sqrt(max(mean * (1 - self._p), 1e-6))
        s, cut, threshold = sigma * self._rate, self._cut, self._threshold
        low, z, high = ((threshold + off - mean) / sigma for off in (-self._most, 0, self._most))
        up = _normal(z - s, s * s / 2 - s * z) - _normal(low - s, s * s / 2 - s * z)
        down = _normal(-z - s, s * s / 2 + s * z) - _normal(-high - s, s * s / 2 + s * z)
        beyond = _normal(low, 0.0) + _normal(high, 0.0)
        missed = (_normal(z, 0.0) + (down - up) / 2 - cut * beyond) / (1 - 2 * cut)
        return math.log(missed) if missed > 1e-250 else -576.0 - mean / self._threshold

    def runs(self, goal: float) -> float:
        """Return about how many runs have such a logarithm, or a smaller one."""
        if goal >= 0:  # a guess about a guess can be above what any number of runs has
            return 0.0

        def left(runs: float) -> float:
            # In the roots the curve is nearly a line.
            return math.sqrt(-goal) - math.sqrt(max(0.0, -self.log_missed(runs)))

        low, high = 0.0, self._threshold / self._p
        at_low, at_high = math.sqrt(-goal), left(high)
        while at_high > 0:
            low, high, at_low = high, 2 * high, at_high
            at_high = left(high)
        found = 0.0
        while high - low > 1e-6 * high:
            middle = low + (high - low) * at_low / (at_low - at_high)
            last, found = found, left(middle)
            if abs(found) < 1e-6:
                return middle
            # An end that stays twice counts half, lest the other one creeps.
            if found > 0:
                low, at_low, at_high = middle, found, at_high / (2 if last > 0 else 1)
            else:
                high, at_high, at_low = middle, found, at_low / (2 if last < 0 else 1)
        return high


@lru_cache(maxsize=64)
def _about(p: Fraction, histogram: StableHistogram) -> _NormalMiss:
    return _NormalMiss(p, histogram)


def _normal(z: float, log_factor: float) -> float:
    """Return ``exp(log_factor)`` times the probability that a normal variable is below z."""
    if z > -25:
        return math.exp(min(log_factor, 700.0)) * math.erfc(-z / math.sqrt(2)) / 2
    return math.exp(min(log_factor - z * z / 2, 700.0)) / (-z * math.sqrt(2 * math.pi))


@lru_cache(maxsize=64)
def _log_missed(
    p: Fraction, histogram: StableHistogram
) -> Callable[[int, int, int], Interval | None]:
    return arithmetic.noisy_binomial(p, histogram.decay, histogram.truncation)


def _missed(k: int, p: Fraction, histogram: StableHistogram) -> Fraction:
    missed, sums = _missed_by_count(histogram)
    last = min(len(missed) - 1, k)
    if p == 1:
        return Fraction(missed[k], 1 << _BITS) if k < len(missed) else Fraction(0)
    hit, not_hit = p.numerator, p.denominator - p.numerator
    mode = min(last, math.floor((k + 1) * p))
    start = term = _binomial_term(k, p, mode)
    # A term of one unit stays one, as it is rounded up: the rest is a sum of `missed` alone.
    total, i = term * missed[mode], mode
    while term > 1 and i < last:
        term = -(-term * (k - i) * hit // ((i + 1) * not_hit))
        i += 1
        total += term * missed[i]
    total += sums[last + 1] - sums[i + 1]
    term, i = start, mode
    while term > 1 and i > 0:
        term = -(-term * i * not_hit // ((k - i + 1) * hit))
        i -= 1
        total += term * missed[i]
    total += sums[i]
    return min(Fraction(1), Fraction(total, 1 << 2 * _BITS))


def _binomial_term(k: int, p: Fraction, i: int) -> int:
    """Return ``Pr[Bin(k, p) = i]`` in fixed point, rounded up."""
    # The logarithms have up to k.bit_length() digits before the point, which cancel.
    bits = _BITS + _GUARD + 2 * k.bit_length()
    hit, not_hit = _logs(p, bits)
    log = arithmetic.log_choose(k, i, bits) + hit * i + not_hit * (k - i)
    return math.ceil(Interval.exp(log, bits).upper * (1 << _BITS))


@lru_cache(maxsize=64)
def _logs(p: Fraction, bits: int) -> tuple[Interval, Interval]:
    return Interval.log(p, bits), Interval.log(1 - p, bits)


@lru_cache(maxsize=64)
def _missed_by_count(histogram: StableHistogram) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return ``Pr[Z < threshold - c]`` for c = 0, 1, ..., in fixed point, rounded up; and its sums.

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
    missed = tuple(at_most(histogram.threshold - 1 - c) for c in counts)
    return missed, (0, *accumulate(missed))


# Theorems 17 and 1: what a private learner needs, made from a globally stable one


@dataclass(frozen=True, slots=True, repr=False)
class PrivateFromStable(Tabled):
    """The sizes of algorithm M over any globally stable learner G, with explicit constants.

    Parameters
    ----------
    run_size
        m, the sample size of G, at least 1.
    eta
        The frequency of its stable output; above 0, at most 1.
    alpha, beta
        M has loss at most alpha with probability at least 1 - beta; above 0 and below 1.
    epsilon, delta
        The privacy of M, for one example replaced; epsilon is above 0, delta above 0 and below 1.
    constants
        Printed and proved are the same: the steps of the theorem, with the constants of the notes.
        Sharp: exact tails in place of Chernoff's bounds, see there.
    loss
        The loss of the stable output, at most, if it is not alpha/2: above 0 and below alpha where
        the constants are sharp, and otherwise up to alpha/2.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Fewer than eta k / 2 of the runs have the stable output with probability at most ``exp(-eta k /
    8) <= beta/2`` (Chernoff). Otherwise its noisy count is at least ``eta k / 2 - A >= 3 eta k /
    8``, and it is released. What is released occurs at least ``3 eta k / 8 - A >= eta k / 4``
    times, so at most 4/eta outputs are. From these the generic learner chooses one of loss alpha,
    but for a probability of beta/2. An example belongs to one run of G or to the choice, so M
    spends the larger of the costs of its two stages.

    Where this differs from the printed proof: a histogram with bounded noise never fails, and needs
    no logarithm of 1/epsilon; both stages spend all of epsilon, as they see disjoint data; of the
    frequencies of outputs only that of the stable one is estimated, since for *all* outputs k would
    have to be of order 1/eta^2; and the list is cut at 3 eta / 8.

    *Sharp.* The count of the stable output is binomial, and it is released when its noisy count is
    at least A + 2, the least that privacy asks for. So k is the least number of runs with which
    that fails with probability at most ``beta (1 - 2**-j)``
    (:func:`~pac_stability.papers.bun_livni_moran.formulas.least_runs`). What is released occurs
    twice at least, so at most k/2 outputs are, and the choice is left ``beta 2**-j``
    (:func:`~pac_stability.papers.bun_livni_moran.formulas.sizes.selection_size`). The best j from
    1 to 8 is taken; or the sizes above, where the loss is at most alpha/2 and they are fewer. So
    the sharp size is never above the proved one.

    Source: BLM20 Theorem 17 and Lemmas 15 and 16.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> asked = 520, Fraction(1, 8), Fraction(1, 4), tenth, arithmetic.Epsilon(1.0), millionth
    >>> for constants in ("proved", "sharp"):
    ...     M = PrivateFromStable(*asked, constants)
    ...     print(M.noise, M.runs, M.cutoff, M.list_size, M.choice_size, M.sample_size)
    27 1728 81 32 2261 900821
    27 292 29 146 560 152400
    """

    _kind: ClassVar[str] = "a private learner"

    run_size: int
    eta: Fraction
    alpha: Fraction
    beta: Fraction
    epsilon: arithmetic.Epsilon
    delta: Fraction
    constants: arithmetic.ConstantsLike = Constants.SHARP
    loss: Fraction | None = None

    def __post_init__(self) -> None:
        sharp = arithmetic.as_constants(self.constants) is Constants.SHARP
        object.__setattr__(self, "constants", Constants.SHARP if sharp else Constants.PROVED)
        object.__setattr__(self, "run_size", arguments.as_size(self.run_size, "run_size", least=1))
        object.__setattr__(self, "eta", arguments.as_open_unit(self.eta, "eta", most=True))
        object.__setattr__(self, "alpha", arguments.as_open_unit(self.alpha, "alpha"))
        object.__setattr__(self, "beta", arguments.as_open_unit(self.beta, "beta"))
        object.__setattr__(self, "delta", arguments.as_open_unit(self.delta, "delta"))
        require_epsilon(self.epsilon)
        private_decay(self.epsilon)
        if self.loss is not None:
            loss = arguments.as_open_unit(self.loss, "loss")
            if not (loss < self.alpha if sharp else 2 * loss <= self.alpha):
                wanted = "below alpha" if sharp else "at most alpha/2"
                raise InvalidInput("loss", arguments.in_words(loss), wanted)
            object.__setattr__(self, "loss", loss)

    @property
    def noise(self) -> int:
        """A, the largest noise of the histogram: of order log(1/delta) / epsilon."""
        return _bounded_noise(self.epsilon, self.delta).truncation

    @property
    def runs(self) -> int:
        """k, how often G is run: sharp, the least; else Chernoff's, and ``8 A / eta``."""
        if self.constants == Constants.SHARP:
            return _stages(self).runs
        factor = 8 / self.eta
        chernoff = arithmetic.certified_ceiling(
            lambda bits: Interval.log(2 / self.beta, bits) * factor
        )
        return max(chernoff, math.ceil(factor * self.noise))

    @property
    def cutoff(self) -> int:
        """The least noisy count that is released, ``ceil(3 eta k / 8)``; sharp, A + 2.

        As A is at least 1 and ``eta k`` at least 8 A, it is at least ``A + 2``, as privacy asks.
        """
        if self.constants == Constants.SHARP:
            return _stages(self).cutoff
        return math.ceil(3 * self.eta * self.runs / 8)

    @property
    def histogram(self) -> StableHistogram:
        """The stable histogram of the outputs, which releases from :attr:`cutoff` on."""
        private = _bounded_noise(self.epsilon, self.delta)
        return StableHistogram(private.decay, private.truncation, self.cutoff)

    @property
    def decay(self) -> Fraction:
        """The factor of the weight for each error in the choice; at least e^(-epsilon/2)."""
        return private_decay(self.epsilon)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of M, at most the (epsilon, delta) asked for.

        The choice has the decay of the histogram, and spends the same epsilon on other examples.
        """
        return self.histogram.guarantee

    @property
    def list_size(self) -> int:
        """The most outputs that can be released: those of frequency eta/4; sharp, k/2."""
        if self.constants == Constants.SHARP:
            return _stages(self).list_size
        return math.floor(4 / self.eta)

    @property
    def choice_size(self) -> int:
        """n', the examples for the choice from the list: Lemma 16 with alpha/2 and beta/2."""
        if self.constants == Constants.SHARP:
            return _stages(self).choice_size
        return generic_size(self.list_size, self.alpha / 2, self.beta / 2, self.decay)

    @property
    def sample_size(self) -> int:
        """The sample size, ``k m + n'``."""
        return self.runs * self.run_size + self.choice_size


HALVINGS = 8
"""The choice is left ``beta 2**-j``, for some j from 1 to this."""


class _Stages(NamedTuple):
    """What the two stages of M take, and how many outputs are between them."""

    runs: int
    cutoff: int
    list_size: int
    choice_size: int


@lru_cache(maxsize=1024)
def _stages(M: PrivateFromStable) -> _Stages:
    """The sharp stages: the best of a fixed list of divisions of beta, so that less never grows."""
    histogram = _bounded_noise(M.epsilon, M.delta)
    loss = M.alpha / 2 if M.loss is None else M.loss
    found = []
    for j in range(1, HALVINGS + 1):
        rest = M.beta / 2**j
        runs = least_runs(M.eta, histogram, M.beta - rest)
        listed = runs // (histogram.threshold - histogram.truncation)
        chosen = selection_size(listed - 1, M.alpha, loss, rest, M.decay)
        found.append(_Stages(runs, histogram.threshold, listed, chosen))
    if 2 * loss <= M.alpha:
        own = replace(M, constants=Constants.PROVED, loss=None)
        found.append(_Stages(own.runs, own.cutoff, own.list_size, own.choice_size))
    return min(found, key=lambda stages: stages.runs * M.run_size + stages.choice_size)


@lru_cache(maxsize=64)
def _bounded_noise(epsilon: arithmetic.Epsilon, delta: Fraction) -> StableHistogram:
    # Nearly all sizes ask for it.
    return StableHistogram.from_privacy(epsilon, delta)


@dataclass(frozen=True, slots=True, repr=False)
class PrivateLearnerSizes(Tabled):
    """Theorem 1 with explicit constants: algorithm M over algorithm G.

    Parameters
    ----------
    dimension
        d, at least 1.
    alpha, beta, epsilon, delta
        As for :class:`PrivateFromStable`.
    constants
        Printed: 2^-d for the frequency of Lemma 12, which is proved for d = 1 only. Proved: the
        frequency that is proved. Sharp: with runs by level, the law of the number of draws and
        exact tails, :class:`ByLevelSizes`. Privacy holds with any.

    Notes
    -----
    For alpha = 1/4, beta = 1/10, epsilon = 1 and delta = 10^-6:

    ==  ==============  =======================  =============
    d   printed         proved                   sharp
    ==  ==============  =======================  =============
    1   900,821         900,821                  1,130
    2   42,552,849      448,250,361              43,611
    3   1,359,289,132   1,005,781,919,844        1,778,714
    4   36,239,895,603  580,081,123,543,368,521  1,075,866,564
    ==  ==============  =======================  =============

    Source: BLM20 Theorem 1 and Section VI.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> asked = 2, Fraction(1, 4), tenth, arithmetic.Epsilon(1.0), millionth
    >>> n = PrivateLearnerSizes(*asked, "proved")
    >>> n.stable.sample_size, n.private.runs, n.private.choice_size, n.sample_size
    (34587, 12960, 2841, 448250361)
    >>> PrivateLearnerSizes(*asked, "sharp").sample_size
    43611
    """

    dimension: int
    alpha: Fraction
    beta: Fraction
    epsilon: arithmetic.Epsilon
    delta: Fraction
    constants: arithmetic.ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        G = parameters.GlobalStabilityParameters(self.dimension, Fraction(1), self.constants)
        checked = PrivateFromStable(1, G.eta, self.alpha, self.beta, self.epsilon, self.delta)
        arguments.fix(self, dimension=G.dimension, constants=G.constants)
        for name in ("alpha", "beta", "delta"):
            object.__setattr__(self, name, getattr(checked, name))

    @property
    def by_level(self) -> ByLevelSizes:
        """The sizes with runs by level, which are the sharp ones."""
        return ByLevelSizes(self.dimension, self.alpha, self.beta, self.epsilon, self.delta)

    @property
    def stable(self) -> parameters.GlobalStabilityParameters:
        """Algorithm G, for alpha/2: printed or proved, as sharp sizes have one for each level."""
        if self.constants == Constants.SHARP:
            raise InvalidInput("constants", "sharp", "printed or proved: see by_level")
        return parameters.GlobalStabilityParameters(self.dimension, self.alpha / 2, self.constants)

    @property
    def private(self) -> PrivateFromStable:
        """Algorithm M over it."""
        G, asked = self.stable, (self.alpha, self.beta, self.epsilon, self.delta)
        return PrivateFromStable(G.sample_size, G.eta, *asked, self.constants)

    @property
    def sample_size(self) -> int:
        """The sample size."""
        sharp = self.constants == Constants.SHARP
        return (self.by_level if sharp else self.private).sample_size


PARTS = tuple(Fraction(i, 128) for i in (*range(16, 128, 4), 126, 127))
"""The parts of alpha that the loss of the stable output may have: a fixed list."""

_GRID = 1 << 64


def least_loss(tau: Fraction, n: int) -> Fraction:
    """Return the loss of an output of frequency tau that fits n fresh examples, on a grid.

    Parameters
    ----------
    tau
        The frequency, at least.
    n
        The number of examples that each output fits.

    Examples
    --------
    >>> round(float(least_loss(Fraction(1, 2), 4)), 6)
    0.159104
    """
    least = parameters.FrequentOutputLoss(tau, n).sharp().upper
    return Fraction(math.ceil(least * _GRID), _GRID)


# Theorem 1 with its runs given to levels: more runs where they are short, fewer where long


@dataclass(frozen=True, slots=True, repr=False)
class LevelRuns(Tabled):
    """The runs of one level.

    Attributes
    ----------
    level
        k, the number of tournaments that S has won.
    frequency
        tau_k: the frequency of an output that is first frequent at this level.
    blocks
        B_k: the budget of a run for S, in players' samples.
    fresh
        1 if T is a further block, 0 if there is no T.
    eta
        The probability that a run outputs an output that is first frequent at this level.
    runs
        K_k, the number of runs.
    """

    level: int
    frequency: Fraction
    blocks: int
    fresh: int
    eta: Fraction
    runs: int

    @property
    def units(self) -> int:
        """The blocks of n examples that all runs of the level take."""
        return self.runs * (self.blocks + self.fresh)


@dataclass(frozen=True, slots=True, repr=False)
class ByLevelSizes(Tabled):
    """Theorem 1 with runs by level: algorithm M with a fixed number of runs at each level.

    Parameters
    ----------
    dimension
        d, at least 1.
    alpha, beta, epsilon, delta
        As for :class:`PrivateFromStable`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Algorithm G draws its level from 0, ..., d, so that of k runs only k/(d + 1) are of the level at
    which some output is frequent, and all are as long as the longest. Here K_k runs are of level k,
    with at most B_k blocks of n examples.

    *The last level needs no T.* Let tau be a frequency, and tau_d = r_d what
    :func:`~sharper_frequency.agreement_of_levels` gives for it. If no output of D_0, ..., D_{d-1}
    has the frequency tau, then with probability at least r_d all d tournament labels of S ~ D_d are
    those of the target c (Lemma 12, as repaired). The SOA has erred d times on such an S, which c
    fits, so that no other hypothesis does, and SOA(S) = c. Its loss is 0, with or without T. So
    runs of level d output SOA(S), and take ``B_d n`` examples; those below output SOA(S o T), and
    take ``(B_k + 1) n``. And tau_d, by far the smallest frequency, does not affect n: an output
    that has the frequency tau at a level below d has loss a if ``(1 - a)**n <= tau``.

    So some output of some D_k has frequency tau_k, tau below d, without T for k = d. Let k be the
    least such level, and f the output. Below it two players agree with probability ``sum p(f)**2``
    at most :func:`~sharper_frequency.largest_squares` of 1 and tau. A run of level k outputs f with
    probability at least ``eta_k = tau_k Pr[M_k <= B_k]``, by steps 1 to 3 of
    :class:`GlobalStabilityParameters`, on k levels, not d. All runs are counted by *one* histogram,
    so that f is counted at least as often as at level k, where the count is binomial with K_k and
    eta_k or more. The learner need not know k: it is enough that K_k runs of level k release f
    except with probability beta_1
    (:func:`~pac_stability.papers.bun_livni_moran.formulas.least_runs`), for each k alone. At most
    half of all runs are outputs that are released, and the choice is as in
    :class:`PrivateFromStable`. An example belongs to one run or to the choice, so privacy is
    unchanged.

    B_k is where the examples per appearance are fewest; beta and alpha are divided as for
    :class:`PrivateLearnerSizes`, and tau is the best of a fixed list (:func:`frequency_lists`), so
    sizes are monotone.

    Source: this library, for BLM20 Theorem 1.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> for d in (1, 2, 3, 4):
    ...     M = ByLevelSizes(d, Fraction(1, 4), tenth, arithmetic.Epsilon(1), millionth)
    ...     print(d, M.n, M.choice_size, M.sample_size, [level.runs for level in M.levels])
    1 1 290 1130 [38, 401]
    2 7 3998 43611 [173, 218, 604]
    3 14 104944 1778714 [1673, 1711, 1789, 7159]
    4 25 3102839 1075866564 [44981, 45018, 45092, 45240, 1391209]
    """

    dimension: int
    alpha: Fraction
    beta: Fraction
    epsilon: arithmetic.Epsilon
    delta: Fraction

    def __post_init__(self) -> None:
        d = arguments.as_size(self.dimension, "dimension", least=1)
        if d > parameters.LARGEST_DIMENSION:
            raise InvalidInput(
                "dimension", arguments.in_words(d), f"at most {parameters.LARGEST_DIMENSION}"
            )
        object.__setattr__(self, "dimension", d)
        for name in ("alpha", "beta", "delta"):
            object.__setattr__(self, name, arguments.as_open_unit(getattr(self, name), name))
        require_epsilon(self.epsilon)
        private_decay(self.epsilon)

    @property
    def frequencies(self) -> tuple[Fraction, ...]:
        """The frequencies tau_0, ..., tau_d, one of which is reached."""
        return tuple(level.frequency for level in self.levels)

    @property
    def loss(self) -> Fraction:
        """An upper bound on the loss of a frequent output."""
        return _divided(self).loss

    @property
    def n(self) -> int:
        """The examples that each player draws, and T has below level d."""
        return _divided(self).n

    @property
    def levels(self) -> tuple[LevelRuns, ...]:
        """The runs of level 0, ..., d."""
        return _divided(self).levels

    @property
    def runs(self) -> int:
        """How many runs there are on all levels."""
        return sum(level.runs for level in self.levels)

    @property
    def histogram(self) -> StableHistogram:
        """The stable histogram of all outputs, which releases from A + 2 on."""
        return _bounded_noise(self.epsilon, self.delta)

    @property
    def decay(self) -> Fraction:
        """The factor of the weight for each error in the choice; at least e^(-epsilon/2)."""
        return private_decay(self.epsilon)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy, at most the (epsilon, delta) asked for."""
        return self.histogram.guarantee

    @property
    def choice_size(self) -> int:
        """n', the examples for the choice from the list."""
        return _divided(self).choice_size

    @property
    def sample_size(self) -> int:
        """The sample size: all runs, and the choice."""
        return _divided(self).sample_size


@dataclass(frozen=True, slots=True)
class _Divided:
    """A division of alpha and beta, and what it takes."""

    loss: Fraction
    n: int
    levels: tuple[LevelRuns, ...]
    choice_size: int

    @property
    def sample_size(self) -> int:
        return sum(level.units for level in self.levels) * self.n + self.choice_size


@lru_cache(maxsize=256)
def _divided(asked: ByLevelSizes) -> _Divided:
    """Return the best of a fixed list of divisions, so that less never takes more."""
    lists, about = stable_levels(asked.dimension), _about_sizes(asked)
    order = np.argsort(about.min(axis=1), kind="stable").tolist()
    # The division that seems best is gone through first, so that most others are discarded.
    likely = 1 + int(about[order[0]].argmin())
    best = min(_divisions(asked, lists, order[0], (likely,), None), key=itemgetter(0))
    for i in order:
        for found in _divisions(asked, lists, i, range(HALVINGS, 0, -1), best[0][0]):
            best = min(best, found, key=itemgetter(0))
    return best[1]


def _divisions(
    asked: ByLevelSizes,
    lists: Sequence[tuple[StableLevel, ...]],
    place: int,
    halvings: Sequence[int],
    most: int | None,
) -> Iterator[tuple[tuple[int, ...], _Divided]]:
    """Give divisions of alpha and beta with some frequencies that take as few examples, or fewer.

    The choice is left ``beta 2**-j``, for each j of ``halvings``. With each division is what it is
    ranked by: of equal ones the first of the lists, with most runs, is the best.
    """
    stable, histogram = lists[place], asked.histogram
    tau = stable[0].frequency
    for j in (0, *halvings):
        # Nothing for the choice is no division, but no division has fewer runs: it may discard.
        rest = asked.beta / 2**j if j else Fraction(0)
        if most is not None:
            few = [_more_than(each.eta, histogram, asked.beta - rest) + 1 for each in stable]
            units = sum((each.blocks + each.fresh) * k for each, k in zip(stable, few, strict=True))
            same = np.ones((1, max(j, 1)))
            least = _at_least(
                asked, np.array([math.log(tau)]), units * same, (sum(few) // 2 - 1) * same
            )
            if least[0, -1] > most:
                if not j:
                    return
                continue
        if not j:
            continue
        levels = _levels(stable, histogram, asked.beta - rest)
        units = sum(level.units for level in levels)
        others = sum(level.runs for level in levels) // 2 - 1
        last = 0
        for part in reversed(PARTS):  # as the loss falls n grows
            n, loss = _fresh(tau, part * asked.alpha)
            if most is not None and units * n > most:
                break
            if n == last:  # several parts of alpha may come to the same
                continue
            last = n
            chosen = selection_size(others, asked.alpha, loss, rest, asked.decay)
            found = _Divided(loss, n, levels, chosen)
            if most is None or found.sample_size <= most:
                most = found.sample_size
                yield (most, place, -j, n), found


@lru_cache(maxsize=1024)
def _fresh(tau: Fraction, alpha: Fraction) -> tuple[int, Fraction]:
    """Return the n that a loss of alpha takes, and the loss that it is enough for."""
    n = parameters.fewest_fresh_examples(tau, alpha)
    return n, min(alpha, least_loss(tau, n))


def _levels(
    stable: tuple[StableLevel, ...], histogram: StableHistogram, failure: Fraction
) -> tuple[LevelRuns, ...]:
    return tuple(
        LevelRuns(k, *each, runs=least_runs(each.eta, histogram, failure))
        for k, each in enumerate(stable)
    )


# About how many examples M takes, in floating point

Floats: TypeAlias = npt.NDArray[np.float64]

_BELOW = 1 - 1e-9
"""What floats round off is less."""

_SMALLEST = Fraction(1, 10**300)


def _at_least(asked: ByLevelSizes, log_tau: Floats, units: Floats, others: Floats) -> Floats:
    """Return about how many examples the best part of alpha takes, and not more: shape (L, J).

    The logarithms of the frequencies, shape (L,); the blocks that the runs take, and what is chosen
    from, which are as likely to fail as the choice, with ``beta 2**-j`` for j from 1 to J.
    """
    alpha, r = float(max(asked.alpha, _SMALLEST)), float(asked.decay)
    log_rest = arithmetic.logarithm(asked.beta) - math.log(2) * np.arange(1, units.shape[1] + 1)
    losses = alpha * np.array([float(part) for part in reversed(PARTS)])
    n = np.maximum(1, np.ceil(log_tau[:, None] / np.log1p(-losses) * _BELOW))
    loss = np.minimum(losses[0], -np.expm1(log_tau[:, None] / n))
    steep = float(1 - asked.decay) * (alpha - loss / r)
    rate = np.where(r * r * alpha > loss, steep, (math.sqrt(alpha) - np.sqrt(loss)) ** 2)
    left = np.maximum(0, np.log(np.maximum(others, 1)) - log_rest)
    chosen = left[:, :, None] / -np.log1p(-rate)[:, None, :]
    least: Floats = (units[:, :, None] * n[:, None, :] + chosen).min(axis=2) * _BELOW
    return least


def _about_sizes(asked: ByLevelSizes) -> Floats:
    """Return about how many examples M takes with each list of frequencies, for each j."""
    blocks, log_tau = _of_lists(asked.dimension)
    many, few = (
        _runs_of_lists(asked.dimension, asked.histogram, failure)
        for failure in (asked.beta * (1 - Fraction(1, 2**j)) for j in (1, HALVINGS))
    )
    # The runs are nearly a line in the logarithm of the failure.
    shares = np.log(2 - 2.0 ** -np.arange(HALVINGS)) / math.log(2 - 2.0 ** (1 - HALVINGS))
    runs = many[:, :, None] + (few - many)[:, :, None] * shares
    units = (blocks[:, :, None] * runs).sum(axis=1)
    return _at_least(asked, log_tau, units, runs.sum(axis=1) / 2 - 1)


@lru_cache
def _of_lists(dimension: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the blocks that each level of each list takes, and the logarithm of each tau."""
    lists = stable_levels(dimension)
    blocks = [[each.blocks + each.fresh for each in stable] for stable in lists]
    return np.array(blocks), np.array([math.log(stable[0].frequency) for stable in lists])


@lru_cache(maxsize=512)
def _runs_of_lists(dimension: int, histogram: StableHistogram, failure: Fraction) -> Floats:
    lists = stable_levels(dimension)
    return np.array([[_runs_about(each.eta, histogram, failure) for each in s] for s in lists])


@lru_cache(maxsize=4096)
def _runs_about(eta: Fraction, histogram: StableHistogram, failure: Fraction) -> float:
    about = _about(eta, histogram)
    runs = about.runs(arithmetic.logarithm(failure))
    if not _LEAST_FAILURE <= failure < _RARE:
        return runs
    # Far out the count is not normal: by as much as it is off here it is off beside.
    excess = _excess(math.ceil(runs), eta, histogram, failure)
    return about.runs(about.log_missed(math.ceil(runs)) - excess)


@lru_cache(maxsize=256)
def float_sample_size(asked: ByLevelSizes) -> float:
    """Return approximately the sample size of M, in floating point: for a search among many sizes.

    Parameters
    ----------
    asked
        The sizes.

    Notes
    -----
    As if the counts were normal, and the noise Laplace's: within some percent.
    """
    return float(_about_sizes(asked).min())


class StableLevel(NamedTuple):
    """The output that is first frequent at a level, and the probability that a run outputs it."""

    frequency: Fraction
    blocks: int
    fresh: int
    eta: Fraction


@lru_cache
def stable_levels(dimension: int) -> tuple[tuple[StableLevel, ...], ...]:
    """Return the levels 0, ..., d for each list of :func:`frequency_lists`.

    Parameters
    ----------
    dimension
        d, from 1 to 8.

    Examples
    --------
    >>> lowest, highest = stable_levels(1)[0]
    >>> lowest.frequency, lowest.blocks, highest.frequency, highest.blocks, highest.fresh
    (Fraction(1, 2), 0, Fraction(1, 2), 2, 0)
    """
    found = []
    for taus in frequency_lists(dimension):
        collisions = tuple(parameters.largest_squares(Fraction(1), tau) for tau in taus)
        levels = []
        for k, tau in enumerate(taus):
            fresh = int(k < dimension)
            blocks, within = parameters.best_blocks(collisions[:k], fresh)
            levels.append(StableLevel(tau, blocks, fresh, parameters.rounded_down(tau * within)))
        found.append(tuple(levels))
    return tuple(found)


_STEPS = 4
"""Frequencies of the lists are a factor of ``2**(1/4)`` apart."""


@lru_cache
def frequency_lists(dimension: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return lists of frequencies tau_0, ..., tau_d, one of which is always reached at its level.

    Parameters
    ----------
    dimension
        d, from 1 to 8.

    Returns
    -------
    tuple of tuple of Fraction
        In each list tau on the levels below d, and r_d on the last.

    Notes
    -----
    A smaller tau makes r_d larger, which is ``2**-(2**d - 1)`` at most, and ties rarer; and the
    runs of the lower levels more, and their n. For d = 1, r_d is 1/2 for every tau, and tau is best
    where one fresh example is enough, at ``1 - a``. For larger d the best tau is some
    ``2**-(2**(d-1) + d/2)``. The lists go on either side of that.

    Examples
    --------
    >>> [[round(1 / tau, 1) for tau in map(float, taus)] for taus in frequency_lists(2)[::5]]
    [[4.0, 4.0, 14.0], [9.5, 9.5, 9.5]]
    """
    d = dimension
    if d == 1:
        taus = [1 - _power(-i) for i in range(_STEPS, 6 * _STEPS + 1)]
    else:
        most = 2 ** (d - 1)
        taus = [_power(-i) for i in range(_STEPS * most, _STEPS * (most + d) + 1)]
    reached = ((tau, parameters.agreement_of_levels((tau,) * d)[-1]) for tau in taus)
    return tuple((*(tau,) * d, parameters.rounded_down(r)) for tau, r in reached if r > 0)


def _power(i: int) -> Fraction:
    """Return about ``2**(i/4)``, with some 10 significant digits."""
    whole, part = divmod(i, _STEPS)
    return Fraction(2) ** whole * Fraction(round(2 ** (part / _STEPS) * 1024), 1024)
