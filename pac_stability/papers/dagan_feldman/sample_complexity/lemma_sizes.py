"""Sizes of the lemmas: nets, convergence, the exponential mechanism, votes, lower bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, floor
from typing import NamedTuple, TypeAlias, Unpack

from pac_stability import arguments
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Epsilon,
    EpsilonLike,
    Interval,
    as_constants,
    certified_ceiling as least_above,
    decide_less,
    floor_log2,
    least_integer,
)
from pac_stability.arithmetic.epsilon import as_epsilon, as_positive_epsilon
from pac_stability.classes import Family, FiniteClass
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman import baselines, nets
from pac_stability.papers.dagan_feldman.sample_complexity import asking
from pac_stability.papers.dagan_feldman.sample_complexity.asking import Ceiling

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
    """The size of a net.

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


@asking.size_of
def net_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    vc_dimension: int,
    *,
    population: int | None = None,
    **known: Unpack[asking.OfClass],
) -> NetSize:
    """Return the number of points that are an alpha-net with probability 1 - beta (Lemma 4).

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
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, **known)
    a, b, tau = ask.alpha, ask.beta, ask.patterns
    n = None if population is None else arguments.as_size(population, "population", least=1)
    if ask.printed:
        size = paper_net_size(tau.vc_dimension, a, b, asking.certified_ceiling)
        binding = "double sample"
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
    D, failure = asking.difference_dimension(d), min(beta, _LARGEST_FAILURE)

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        inner = 2 * D * (1 + real.log(16 / alpha)) + real.log(2 / failure)
        return 8 * inner / real.exactly(alpha)

    return ceiling(needed)


def drawn_net_size(
    tau: asking.Growth,
    alpha: Fraction,
    beta: Fraction,
    *,
    ceiling: Ceiling = asking.certified_ceiling,
    one_target: bool = False,
) -> tuple[int, str]:
    """Return the number of independent draws for a net, and the bound that gives it.

    With ``one_target`` only the differences from one fixed hypothesis count: what is needed of
    samples that are labelled by it.
    """

    def double_sample(ghost: int, m: int, ceiling: Ceiling) -> asking.Sizes:
        def hits(real: asking.Reals[asking.R]) -> asking.R:
            count = _differences(tau((ghost + 1) * m), one_target)
            return real.log(2 * count / beta) / real.log(Fraction(ghost + 1, ghost))

        yield "double sample", math.ceil(ceiling(hits) / (ghost * alpha))

    def size_with(ghost: int, ceiling: Ceiling) -> int:
        return asking.fixed_point(double_sample, ghost, start, ceiling)

    start = least_drawn_net_size(tau, alpha, beta, one_target=one_target)
    guesses = {ghost: size_with(ghost, asking.float_ceiling) for ghost in _GHOSTS}
    best = asking.nearly_least(guesses)
    sizes = [(size_with(ghost, ceiling), "double sample") for ghost in best]
    if tau.class_size is not None:
        hypotheses = tau.class_size

        def finite(real: asking.Reals[asking.R]) -> asking.R:
            return real.log(_differences(hypotheses, one_target) / beta) / real.log(1 / (1 - alpha))

        sizes.append((ceiling(finite), "finite class"))
    return min(sizes)


def least_drawn_net_size(
    tau: asking.Growth, alpha: Fraction, beta: Fraction, *, one_target: bool = False
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
    """Return exactly the number of indices for a net for thresholds.

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
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    n = arguments.as_size(population, "population", least=1)
    if n > _LARGEST_EXACT:
        raise InvalidInput("population", arguments.in_words(n), f"at most {_LARGEST_EXACT}")
    size = least_integer(lambda size: nets.threshold_net_failure(n, size, a) <= b, 0, n)
    return NetSize(size, "exact", Constants.SHARP)


def _index_net_size(tau: asking.Growth, n: int, alpha: Fraction, beta: Fraction) -> int:
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

    return least_integer(enough, 0, n)


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


# From the sample to the distribution: Lemma 6, and what agnostic learners need of it

_Bound: TypeAlias = Callable[[int, Fraction, Fraction, Ceiling], int]


@asking.size_of
def uniform_convergence_size(
    alpha: AnyNumber, beta: AnyNumber, vc_dimension: int, **known: Unpack[asking.OfClass]
) -> asking.LeastSize:
    """Return the sample size at which all empirical losses are accurate at once (Lemma 6).

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta, ``|L_D(h) - L_S(h)| <= alpha`` for every h: exact
        numbers above 0 and below 1.
    vc_dimension
        d, at least 1.
    constants
        Printed: those of Shalev-Shwartz and Ben-David, Section 28.1. Proved and sharp: those of
        this library, because there is nothing to divide.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    LeastSize
        The least n that the bound allows.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Printed is the least n with ``sqrt(8 ln tau_n / n) + sqrt(2 ln(4/beta) / n) <= alpha``, and ours
    the least with ``sqrt(2 ln tau_n / n) + sqrt(ln(2/beta) / (2n)) <= alpha`` (symmetrisation,
    Massart and McDiarmid, for each side), or with ``sqrt(2 ln(2 tau_n) / n) + sqrt(ln(1/beta) /
    (2n)) <= alpha`` (the same, for both sides at once), or for a finite class ``n >= ln(2|H|/beta)
    / (2 alpha**2)``.

    Examples
    --------
    >>> uniform_convergence_size("1/10", "1/20", 1).sample_size
    2860
    >>> uniform_convergence_size("1/10", "1/20", 1, class_size=2).sample_size
    220
    >>> uniform_convergence_size("1/10", "1/20", 1, constants="printed").sample_size
    13663
    """
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, **known)
    a, b, tau = ask.alpha, ask.beta, ask.patterns
    bounds = (two_sided_size,) if ask.printed else (_union_of_sides, _both_sides)

    def conditions(bound: _Bound, n: int, ceiling: Ceiling) -> asking.Sizes:
        yield "uniform convergence", bound(tau(n), a, b, ceiling)

    n = min(asking.fixed_point(conditions, bound) for bound in bounds)
    binding = "uniform convergence"
    if tau.class_size is not None and not ask.printed:
        finite = _finite_two_sided(tau.class_size, a, b)
        if finite < n:
            n, binding = finite, "finite class"
    return asking.LeastSize(n, binding, ask.constants)


def two_sided_size(tau: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    """Return the n that Section 28.1 of Shalev-Shwartz and Ben-David requires, given tau_n."""

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        root = real.sqrt(8 * real.log(tau)) + real.sqrt(2 * real.log(4 / beta))
        return root * root / real.exactly(alpha**2)

    return ceiling(needed)


def _union_of_sides(tau: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    def needed(real: asking.Reals[asking.R]) -> asking.R:
        root = real.sqrt(2 * real.log(tau)) + real.sqrt(real.log(2 / beta) / 2)
        return root * root / real.exactly(alpha**2)

    return ceiling(needed)


def _both_sides(tau: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    def needed(real: asking.Reals[asking.R]) -> asking.R:
        root = real.sqrt(2 * real.log(2 * tau)) + real.sqrt(real.log(1 / beta) / 2)
        return root * root / real.exactly(alpha**2)

    return ceiling(needed)


def _finite_two_sided(size: int, alpha: Fraction, beta: Fraction) -> int:
    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return real.log(2 * size / beta) / real.exactly(2 * alpha**2)

    return asking.certified_ceiling(needed)


def excess_deviation_size(
    tau: asking.Growth, n: int, alpha: Fraction, beta: Fraction, ceiling: Ceiling
) -> int:
    """Return the n at which excess losses on a sample carry over to the distribution.

    With probability at least 1 - beta, ``L_D(h) - L_D(g) <= L_S(h) - L_S(g) + alpha`` for every h
    in the class at once, where g is the best hypothesis: as needed by a learner that chooses h, or
    a mixture of such h, after seeing S. The bound is

        (sqrt(2 ln tau_n) + sqrt(2 ln(1/beta)))**2 / alpha**2,

    as the largest deviation has expectation at most ``sqrt(2 ln tau_n / n)`` (g is fixed, so its
    own deviation has expectation 0), and changes by at most 2/n with one example. For a finite
    class of N hypotheses there are also a union bound over the N - 1 differences, which lie in
    [-1, 1], and one over h and g apart.
    """

    def by_growth(real: asking.Reals[asking.R]) -> asking.R:
        root = real.sqrt(2 * real.log(tau(n))) + real.sqrt(2 * real.log(1 / beta))
        return root * root / real.exactly(alpha**2)

    size = ceiling(by_growth)
    if tau.class_size is None:
        return size
    hypotheses = tau.class_size

    def by_differences(real: asking.Reals[asking.R]) -> asking.R:
        return 2 * real.log((hypotheses - 1) / beta) / real.exactly(alpha**2)

    def by_hypotheses(real: asking.Reals[asking.R]) -> asking.R:
        root = real.sqrt(real.log(2 * hypotheses / beta)) + real.sqrt(real.log(2 / beta))
        return root * root / real.exactly(2 * alpha**2)

    return min(size, ceiling(by_differences), ceiling(by_hypotheses))


# The exponential mechanism over a finite class: Lemma 7, and the learner that is just that


def exponential_mechanism_size(
    alpha: AnyNumber,
    epsilon: EpsilonLike,
    class_size: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> asking.LeastSize:
    """Return the sample size at which the exponential mechanism is near the best loss (Lemma 7).

    Parameters
    ----------
    alpha
        The expected loss on the sample is at most the least one plus alpha: above 0, below 1.
    epsilon
        The privacy parameter, above 0.
    class_size
        |H|, at least 1.
    constants
        Printed: ``n >= 2 ln|H| / (epsilon alpha)``. Proved and sharp: ``n >= 2 W((|H| - 1)/e) /
        (epsilon alpha)``, with Lambert's W, the least value that is valid for all losses.

    Returns
    -------
    LeastSize
        At least 1. Both hold for the rational decay that
        :func:`~pac_stability.mechanisms.decay_for` makes of epsilon, which is why the sharp size
        can be larger by one in 2**16 than the formula says.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> exponential_mechanism_size("1/10", 1.0, 1000).sample_size
    89
    >>> exponential_mechanism_size("1/10", 1.0, 1000, constants="printed").sample_size
    139
    """
    whose = as_constants(constants)
    a, eps = arguments.as_open_unit(alpha, "alpha"), as_positive_epsilon(epsilon)
    size = arguments.as_size(class_size, "class_size", least=1)
    needed = (
        paper_selection_size(size, eps.ratio, a, asking.certified_ceiling)
        if whose is Constants.PRINTED
        else selection_size(size, decay_spent(eps), a, asking.certified_ceiling)
    )
    return asking.LeastSize(max(1, needed), "selection", whose)


def decay_spent(epsilon: Epsilon) -> Fraction:
    """Return a decay that is at least the one by which a mechanism spends epsilon."""
    return asking.rounded_up_decay(1 / (epsilon / 2).ratio)


def selection_size(candidates: int, decay: Fraction, alpha: Fraction, ceiling: Ceiling) -> int:
    """Return the least n for an excess loss of alpha when one more error multiplies by decay."""

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return real.lambert(candidates) / (real.log(1 / decay) * real.exactly(alpha))

    return ceiling(needed)


def paper_selection_size(
    candidates: int, ratio: Fraction, alpha: Fraction, ceiling: Ceiling
) -> int:
    """Return ``2 ln N / (epsilon alpha)`` for the epsilon with ``e**epsilon = ratio``."""

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return 2 * real.log(candidates) / (real.log(ratio) * real.exactly(alpha))

    return ceiling(needed)


@cache
def _row() -> tuple[asking.Split, ...]:
    return tuple(
        asking.Split(selection=1 - part, generalisation=part)
        for part in asking.shares(finest=10, parts=32)
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExponentialLearnerSize(asking.Size[baselines.ExponentialLearner]):
    """The sample size of the exponential mechanism over a whole finite class.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple[Share, ...]
        The division of alpha, beta and gamma.
    epsilon : Epsilon
        The privacy parameter, of the hypothesis itself.
    """

    epsilon: Epsilon

    def _made(self, H: Family) -> baselines.ExponentialLearner:
        if not isinstance(H, FiniteClass):
            raise InvalidInput("H", arguments.described(H), "a FiniteClass")
        return baselines.ExponentialLearner(H, self.epsilon, self.sample_size)


def exponential_learner_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: EpsilonLike,
    vc_dimension: int,
    class_size: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> ExponentialLearnerSize:
    """Return the sample size at which a finite class is privately and agnostically learnable.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    epsilon
        The privacy of the hypothesis that is output, above 0.
    vc_dimension, class_size
        d, at least 1, and |H|, at least 2**d.
    constants
        Printed: alpha in three equal parts, and the constants of Lemmas 6 and 7. Proved: these
        parts, with the sharp lemmas. Sharp: the best of a fixed list of divisions.

    Returns
    -------
    ExponentialLearnerSize
        The learner of Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith, *What can we learn
        privately?*, 2011. The order is ``ln|H| / (alpha epsilon) + (d + ln(1/beta)) / alpha**2``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> exponential_learner_size("1/10", "1/20", 1, 1, 2**64).sample_size
    5504
    """
    if class_size is None:
        raise InvalidInput("class_size", "None", "the number of hypotheses")
    ask = asking.Ask(
        alpha,
        beta,
        vc_dimension=vc_dimension,
        epsilon=epsilon,
        class_size=class_size,
        constants=constants,
    )
    a, b, eps, tau = ask.alpha, ask.beta, ask.privacy, ask.patterns
    decay = decay_spent(eps)

    def paper_conditions(split: asking.Split, n: int, ceiling: Ceiling) -> asking.Sizes:
        third = split.selection * a
        yield "selection", paper_selection_size(class_size, eps.ratio, third, ceiling)
        yield "generalisation", two_sided_size(tau(n), third, b, ceiling)

    def conditions(split: asking.Split, n: int, ceiling: Ceiling) -> asking.Sizes:
        yield (
            "generalisation",
            excess_deviation_size(tau, n, split.generalisation * a, b, ceiling),
        )
        yield "selection", selection_size(class_size, decay, split.selection * a, ceiling)

    rows: list[asking.SplitRow] = [
        (asking.Split(selection=Fraction(1, 3), generalisation=Fraction(2, 3)),)
    ]
    if ask.constants is Constants.SHARP:
        rows.append(_row())
    n, split, binding = asking.solved(paper_conditions if ask.printed else conditions, rows)
    step = "generalisation, to and fro" if ask.printed else "generalisation"
    budget = (
        asking.Share("alpha", "selection", split.selection * a),
        asking.Share("alpha", step, split.generalisation * a),
    )
    return ExponentialLearnerSize(n, binding, ask.constants, budget, epsilon=eps)


# What a soft majority adds to the errors of its voters

SHARPNESS = (6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128)
"""Values of ``A = epsilon r`` that the sizes choose from."""

ROUNDING = 1 + Fraction(1, 1 << 14)
"""More than what a decay that is rounded up takes from an epsilon, as a factor."""

SPENT = 1 - Fraction(1, 1 << 40)
"""The part of an epsilon that votes spend: an ``Epsilon(1)`` is a little less than 1."""

_ABOVE = 1 + Fraction(1, 64)
_STEP = Fraction(1, 1024)
_BITS = 256


class VoteLoss(NamedTuple):
    """The loss of a soft majority is at most ``unanimous + slope a``.

    That is when each voter differs from the target on a mass of at most a.
    """

    unanimous: Fraction
    slope: Fraction


@lru_cache(maxsize=64)
def vote_loss(sharpness: int) -> VoteLoss:
    """Return a bound that holds when epsilon times r is the sharpness A, or up to A/64 more.

    When a fraction u of the votes is wrong, so is the outcome with probability ``f(u) = 1 / (1 +
    exp(-A (u - 1/2)))``. A line that is above f on [0, 1] bounds the expectation by that of u,
    which is at most a. Let it begin in ``l >= f(0)``, with a slope of c. On [0, 1/2] f is convex,
    so both ends decide. On [1/2, 1] it is concave and rises with A: where its slope is c, at ``f =
    (1 + sqrt(1 - 4 c / A)) / 2``, decides; if there is no such place, 1/2 does.
    """
    lowest = sharpness / ROUNDING
    exact = 1 / (1 + Interval.exp(lowest / 2, _BITS))
    # Rounded up to 16 bits.
    fine = 16 - floor_log2(exact.upper)
    unanimous = Fraction(ceil(exact.upper * (1 << fine)), 1 << fine)

    def above(steps: int) -> bool:
        return _is_above(unanimous, steps * _STEP, sharpness * _ABOVE)

    return VoteLoss(unanimous, least_integer(above, 512, 2048) * _STEP)  # no slope is above 2


def _is_above(start: Fraction, slope: Fraction, sharpness: Fraction) -> bool:
    if start + slope / 2 < Fraction(1, 2):
        return False
    if 4 * slope >= sharpness:
        return True
    value = (1 + Interval.sqrt(1 - 4 * slope / sharpness, _BITS)) / 2
    place = Fraction(1, 2) + Interval.log(value / (1 - value), _BITS) / sharpness
    return value.upper <= (start + slope * place).lower


# How many examples every learner needs that is stable, or private, or only accurate


def stable_lower_bound(
    alpha: AnyNumber, gamma: AnyNumber, vc_dimension: int, *, beta: AnyNumber = 0
) -> int:
    """Return a number of examples below which no stable learner is accurate (Theorem 11).

    Parameters
    ----------
    alpha
        The loss, above 0 and at most ``(1 - 2 beta) / (4 (1 - beta))``, which is 1/4 for beta = 0.
    gamma
        The uniform stability, above 0 and below 1.
    vc_dimension
        d, at least 1. For d = 1 the bound is that of classes with two hypotheses that agree at one
        point and differ at another.
    beta
        0 for learners whose *expected* loss is at most alpha for every realizable distribution; or
        else, below 1/2, for those whose loss is at most alpha with probability at least 1 - beta.

    Returns
    -------
    int
        The least n with ``n >= (1 - 2 beta)**2 max(d - 1, 1) / (8 (1 - beta) gamma alpha)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Theorem 11 is the case of beta = 0 and ``d >= 2``; it speaks of expectations. A learner that is
    only accurate with probability 1 - beta has an expected loss up to alpha + beta, so for it the
    mass on the d - 1 points is taken to be ``c alpha`` with ``c = 4 (1 - beta) / (1 - 2 beta)``
    in place of 4. Exact: no real number is rounded.

    Examples
    --------
    >>> stable_lower_bound("1/10", "1/100", 5), stable_lower_bound("1/10", "1/100", 1)
    (500, 125)
    >>> stable_lower_bound("1/10", "1/100", 5, beta="1/4")
    167
    """
    d = arguments.as_size(vc_dimension, "vc_dimension", least=1)
    g = arguments.as_open_unit(gamma, "gamma")
    _, b, mass = _goal(alpha, beta)
    return ceil((1 - 2 * b) * max(d - 1, 1) / (2 * g * mass))


def private_lower_bound(
    alpha: AnyNumber, epsilon: EpsilonLike, vc_dimension: int, *, beta: AnyNumber = 0
) -> int:
    """Return a number of examples below which no private predictions are accurate, in closed form.

    Parameters
    ----------
    alpha
        The loss on realizable distributions, as for :func:`stable_lower_bound`.
    epsilon
        The privacy of the predictions, above 0; delta is 0. A number stands for the factor that
        :class:`~pac_stability.arithmetic.Epsilon` keeps.
    vc_dimension
        d, as for :func:`stable_lower_bound`.
    beta
        As for :func:`stable_lower_bound`.

    Returns
    -------
    int
        The larger of two. The least n with ``n >= (1 - 2 beta) artanh(1/2 - beta) m / (2 (1 - beta)
        epsilon alpha)``, where ``m = max(d - 1, 1)``: for beta = 0 that is ``(ln 3 / 4) m /
        (epsilon alpha)``. And, for beta = 0 and ``alpha <= 1 / (2 e cosh(epsilon/2))``, the least n
        with ``n >= m / (e cosh(epsilon/2) epsilon alpha)``, the larger one for epsilon below 1.6.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    DF20 Section 1.1 has this bound without constants. The derivation is on the page
    docs/explanation/private-lower-bound.md; the exact number, of which these are bounds, is
    :func:`~pac_stability.papers.dagan_feldman.private_least_sample_size`. Decided by certified
    intervals.

    Examples
    --------
    >>> private_lower_bound("1/100", 1, 11), private_lower_bound("1/100", 2, 11)
    (327, 138)
    >>> private_lower_bound("1/100", 1, 11, beta="1/20")
    230
    """
    d, spent = arguments.as_size(vc_dimension, "vc_dimension", least=1), as_epsilon(epsilon)
    if spent.ratio == 1:
        raise InvalidInput("epsilon", "0", "a positive one")
    a, b, mass = _goal(alpha, beta)
    m, odds = max(d - 1, 1), (3 - 2 * b) / (1 + 2 * b)  # artanh(t) = ln((1+t)/(1-t))/2
    by_tanh = _ceiling_of_logs(m / mass, odds, spent.ratio)
    if b or not decide_less(
        lambda bits: 2 * a * _e_cosh(spent, bits), lambda _: Interval.exactly(1)
    ):
        return by_tanh
    return max(
        by_tanh, least_above(lambda bits: m / (a * spent.interval(bits) * _e_cosh(spent, bits)))
    )


def agnostic_lower_bound(alpha: AnyNumber, beta: AnyNumber, vc_dimension: int) -> int:
    """Return a number of examples below which no agnostic learner is accurate, in closed form.

    Parameters
    ----------
    alpha
        The excess, above 0 and as for :func:`stable_lower_bound`.
    beta
        As for :func:`stable_lower_bound`.
    vc_dimension
        d, at least 1.

    Returns
    -------
    int
        The larger of two. With ``rho = 4 (1 - beta) alpha / (1 - 2 beta)``, the least n with ``n >=
        d ln(4 / (4 - (1 - 2 beta)**2)) / ln(1 / (1 - rho**2))``, which is 0 for rho = 1. And, for
        beta above 0 and below 1/4, the least n with ``n >= ln(1/(4 beta)) / ln(1/(1 - 4
        alpha**2))``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The first is about d coins of bias rho, the second about one of bias 2 alpha. Two samples of N
    tosses, of coins that prefer different sides, have an affinity of ``(1 - rho**2)**(N/2)``, so
    their sides are told apart wrongly with a probability of at least ``(1 - sqrt(1 - (1 -
    rho**2)**N))/2``, which is convex in N. The derivation is on the page
    docs/explanation/private-lower-bound.md; docs/examples/private_bounds.py computes the
    exact numbers. For beta up to 1/8 and
    alpha up to 1/10 the larger one is at least ``(d + ln(1/beta)) / (400 alpha**2)``.

    Examples
    --------
    >>> agnostic_lower_bound("1/100", 0, 10), agnostic_lower_bound("1/100", "1/20", 10)
    (1797, 4023)
    """
    d = arguments.as_size(vc_dimension, "vc_dimension", least=1)
    a, b, rho = _goal(alpha, beta)
    gap = (1 - 2 * b) ** 2
    coins = 0
    if rho < 1:
        coins = _ceiling_of_logs(Fraction(d), 4 / (4 - gap), 1 / (1 - rho**2))
    if not 0 < 4 * b < 1:
        return coins
    return max(coins, _ceiling_of_logs(Fraction(1), 1 / (4 * b), 1 / (1 - 4 * a * a)))


def _ceiling_of_logs(scale: Fraction, x: Fraction, y: Fraction) -> int:
    """Return the least integer that is at least ``scale ln x / ln y``, for x and y above 1.

    That number may be an integer n itself: then ``y**a == x**b`` for n/scale = a/b in lowest terms,
    so x is an a-th power and y a b-th, and a and b are no larger than their numbers of bits.
    """
    fine = 256 + scale.numerator.bit_length() + 2 * _bits(y)  # so that few integers are near
    near = Interval.log(x, fine) / Interval.log(y, fine)
    for n in range(ceil((scale * near).lower), floor((scale * near).upper) + 1):
        a, b = (n / scale).as_integer_ratio()
        if a <= _bits(x) and b <= _bits(y) and y**a == x**b:
            return n
    return least_above(lambda bits: scale * (Interval.log(x, bits) / Interval.log(y, bits)))


def _bits(x: Fraction) -> int:
    return x.numerator.bit_length()


def _goal(alpha: AnyNumber, beta: AnyNumber) -> tuple[Fraction, Fraction, Fraction]:
    """Return alpha, beta, and the mass or the bias ``4 (1 - beta) alpha / (1 - 2 beta)``."""
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_probability(beta, "beta")
    if 2 * b >= 1:
        raise InvalidInput("beta", arguments.in_words(b), "an exact number from 0 on and below 1/2")
    largest = (1 - 2 * b) / (4 * (1 - b))
    if a > largest:
        raise InvalidInput("alpha", arguments.in_words(a), f"at most {largest}")
    return a, b, a / largest


def _e_cosh(epsilon: Epsilon, bits: int) -> Interval:
    """Enclose e cosh(epsilon/2)."""
    t = epsilon.ratio
    return Interval.exp(1, bits) * (t + 1) / (2 * Interval.sqrt(t, bits))
