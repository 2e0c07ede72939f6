"""Corollary 2: how many examples the agnostic learner takes, and what it promises then.

Three parts: the sizes and the privacy of the source; the probabilities of failure of the two steps
around the base learner, as logarithms, so that none underflows; and the sizes at which the excess
is small with high probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability import arguments
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval, certified_ceiling, logarithm
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import FiniteClass
from pac_stability.classes.family import require_inhabited
from pac_stability.dimensions import littlestone_dimension, sauer_shelah_bound, vc_dimension
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram, subsampling_amplification
from pac_stability.mechanisms.draws import as_decay
from pac_stability.papers.bun_livni_moran.formulas import ByLevelSizes, PrivateLearnerSizes
from pac_stability.papers.bun_livni_moran.formulas.sizes import float_sample_size, private_decay

_EXACT = 64
_LARGEST = 1 << 20


def _power(base: Fraction, m: int) -> Fraction:
    return base**m if m <= _EXACT else Interval.exp(Interval.log(base) * m).upper


def _amplified(t: Fraction, m: int, N: int) -> Fraction | None:
    """Return the factor of resampling, unless it is larger than that of one draw."""
    base = 1 + (t - 1) / N
    if m > _EXACT and m * Interval.log(base).lower > Interval.log(t).upper:
        return None
    factor = _power(base, m)
    return factor if factor <= t else None


def resampling_guarantee(
    guarantee: PrivacyGuarantee, size: int, population: int
) -> PrivacyGuarantee:
    """Return the guarantee of a mechanism that sees examples drawn with replacement.

    Parameters
    ----------
    guarantee
        (t, delta) with t = e^epsilon: that of the mechanism on ``size`` examples, one replaced.
    size
        m, the number of draws, at least 1.
    population
        N, the size of the sample, at least 1.

    Returns
    -------
    PrivacyGuarantee
        With ``g = (1 + (t - 1)/N)**m``: the factor g if g <= t, and t^m otherwise; and delta times
        ``(factor - 1)/(t - 1)``, which is m/N for t = 1. For m > 64 the factor is rounded up to
        about 64 bits.

    Notes
    -----
    Let K be the number of times that the replaced example is drawn, and P_k, Q_k the probabilities
    of an event given K = k, before and after; P_0 = Q_0. By group privacy P_k is at most t^k Q_k +
    delta_k and at most t^k P_0 + delta_k, with ``delta_k = delta (t^k - 1)/(t - 1)``: redraw the
    examples in its places from the others. For ``g <= t`` and k >= 1 a convex combination is ``P_k
    <= g Q_k + (t^k - g) P_0 + delta_k``. The mean over K, where E[t^K] = g, is ``P <= g Q +
    E[delta_K]``. Otherwise K <= m, and group privacy applies.

    Compare Balle, Barthe and Gaboardi, *Privacy amplification by subsampling*, 2018, Theorem 10.

    Examples
    --------
    >>> once = PrivacyGuarantee(Epsilon.exactly(3), Fraction(1, 100))
    >>> resampled = resampling_guarantee(once, 2, 4)
    >>> resampled.factor, resampled.delta
    (Fraction(9, 4), Fraction(1, 160))
    """
    arguments.require_instance(guarantee, PrivacyGuarantee, "guarantee")
    m = arguments.as_size(size, "size", least=1)
    N = arguments.as_size(population, "population", least=1)
    t, delta = guarantee.factor, guarantee.delta

    factor = _amplified(t, m, N)
    if factor is None:
        if m * Interval.log(t).upper > _LARGEST:
            wanted = f"more, for {m:,} draws: the factor would be beyond e**{_LARGEST:,}"
            raise InvalidInput("population", arguments.in_words(N), wanted)
        factor = _power(t, m)
    share = Fraction(m, N) if t == 1 else (factor - 1) / (t - 1)
    if t == 1:
        factor = Fraction(1)
    return PrivacyGuarantee(Epsilon.exactly(factor), min(Fraction(1), delta * share))


def relabelling_guarantee(
    guarantee: PrivacyGuarantee, size: int, population: int, decay: Fraction
) -> PrivacyGuarantee:
    """Return the guarantee of a learner that sees resamples of a sample relabelled privately.

    Parameters
    ----------
    guarantee, size, population
        As for :func:`resampling_guarantee`.
    decay
        r, the factor of a pattern's weight for each error; above 0 and at most 1.

    Returns
    -------
    PrivacyGuarantee
        That of resampling, with ``(1 + 1/r)**2`` times its factor: see
        :class:`AgnosticPrivateLearner`.

    Examples
    --------
    >>> once = PrivacyGuarantee(Epsilon.exactly(3), Fraction(1, 100))
    >>> relabelling_guarantee(once, 2, 4, Fraction(1, 2)).factor
    Fraction(81, 4)
    """
    resampled = resampling_guarantee(guarantee, size, population)
    factor = resampled.factor * (1 + 1 / as_decay(decay)) ** 2
    return PrivacyGuarantee(Epsilon.exactly(factor), resampled.delta)


def least_population(size: int, guarantee: PrivacyGuarantee, epsilon: EpsilonLike) -> int:
    """Return the least sample size at which a random part makes a mechanism epsilon-private.

    Parameters
    ----------
    size
        n', the examples that the mechanism takes.
    guarantee
        Its privacy.
    epsilon
        A privacy parameter above 0.

    Returns
    -------
    int
        The least n, not below n', with ``1 + (n'/n) (t - 1) <= e**epsilon``, where t is the factor
        of the guarantee. Its delta shrinks by n'/n.

    Raises
    ------
    InvalidInput
        Epsilon is 0, or no privacy parameter.

    Examples
    --------
    >>> least_population(10, PrivacyGuarantee(Epsilon.exactly(9)), Epsilon.exactly(3))
    40
    """
    asked = epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)
    if asked.ratio == 1:
        raise InvalidInput("epsilon", "0", "a privacy parameter above 0")
    needed = size * (guarantee.factor - 1) / (asked.ratio - 1)
    return max(size, math.ceil(needed))


@dataclass(frozen=True, slots=True, repr=False)
class AgnosticSizes(Tabled):
    """The conditions on the size of each half of the sample, and their purposes.

    Attributes
    ----------
    base_size
        m, the sample size of the base learner.
    for_base
        9 m, for the resample.
    for_relabelling
        ``(4/alpha) ln(1/beta) + (10 VC/alpha) ln(20 e/alpha)``, for D.
    for_release
        ``(80/alpha) (VC ln(16/alpha) + ln(2/beta))``, for T: hypotheses that agree on it are close.
    for_uniform
        ``gamma (VC + ln(1/beta)) / alpha**2``, for uniform convergence on D.
    beta
        The confidence parameter.
    """

    base_size: int
    for_base: int
    for_relabelling: int
    for_release: int
    for_uniform: int
    beta: Fraction

    @property
    def half(self) -> int:
        """The size of each half: all four conditions."""
        return max(self.for_base, self.for_relabelling, self.for_release, self.for_uniform)

    @property
    def sample_size(self) -> int:
        """n, both halves."""
        return 2 * self.half

    @property
    def ratio(self) -> int:
        """The size of each half in multiples of m, rounded up."""
        return -(-self.half // self.base_size)

    @property
    def largest_delta(self) -> Fraction:
        """beta/n: the transformation fails with probability of order beta + n delta."""
        return self.beta / self.sample_size


def agnostic_sizes(
    base_size: int, vc_dimension: int, alpha: AnyNumber, beta: AnyNumber, *, gamma: AnyNumber = 1
) -> AgnosticSizes:
    """Return the sizes with which the agnostic learner is accurate with high probability.

    Parameters
    ----------
    base_size
        m, the sample size of the base learner for this alpha and beta.
    vc_dimension
        The VC dimension of the class.
    alpha, beta
        The excess loss is of order alpha, with probability 1 - O(beta + n delta).
    gamma
        The constant of uniform convergence, whose value the source leaves open.

    Returns
    -------
    AgnosticSizes
        The sizes, each rounded up.

    Notes
    -----
    The constants of the four conditions are those of the source, which does not work out those of
    the conclusion. For explicit ones, in expectation, see
    :meth:`AgnosticPrivateLearner.expected_excess`. In BLM20 Corollary 2 delta is arbitrary; here it
    has to be at most beta/n, so that the base learner's ``log(1/(beta delta))`` is ``log(n/(beta
    delta))``.

    Source: Alon, Beimel, Moran and Stemmer 2020, Claim 26 and Theorem 28.

    Examples
    --------
    >>> sizes = agnostic_sizes(520, 1, "1/4", "1/10")
    >>> sizes.for_base, sizes.for_relabelling, sizes.for_release, sizes.for_uniform
    (4680, 253, 2290, 53)
    >>> sizes.sample_size, sizes.largest_delta
    (9360, Fraction(1, 93600))
    """
    m = arguments.as_size(base_size, "base_size", least=1)
    vc = arguments.as_size(vc_dimension, "vc_dimension")
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    constant = arguments.as_positive(gamma, "gamma")

    def relabelling(bits: int) -> Interval:
        tail = Interval.log(20 / a, bits) + 1
        return Interval.log(1 / b, bits) * (4 / a) + tail * (10 * vc / a)

    def release(bits: int) -> Interval:
        return (Interval.log(16 / a, bits) * vc + Interval.log(2 / b, bits)) * (80 / a)

    def uniform(bits: int) -> Interval:
        return (Interval.log(1 / b, bits) + vc) * (constant / a**2)

    return AgnosticSizes(
        base_size=m,
        for_base=9 * m,
        for_relabelling=certified_ceiling(relabelling),
        for_release=certified_ceiling(release),
        for_uniform=certified_ceiling(uniform),
        beta=b,
    )


def agnostic_sizes_over(
    M: PrivateLearnerSizes, vc_dimension: int
) -> tuple[AgnosticSizes, PrivateLearnerSizes]:
    """Return the sizes of the agnostic learner over M, and those of the M that it runs.

    Parameters
    ----------
    M
        The sizes of M, whose delta is at most what may be spent.
    vc_dimension
        The VC dimension of the class.

    Returns
    -------
    tuple of AgnosticSizes and PrivateLearnerSizes
        The M that it runs spends beta/n of delta at most, as the transformation needs.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> for constants in ("proved", "sharp"):
    ...     M = PrivateLearnerSizes(1, Fraction(1, 4), tenth, Epsilon(1.0), millionth, constants)
    ...     sizes, run = agnostic_sizes_over(M, 1)
    ...     print(M.sample_size, run.sample_size, sizes.ratio, sizes.sample_size)
    ...     print(run.delta <= sizes.largest_delta, sizes.largest_delta < M.delta)
    900821 1266901 9 22804218
    True True
    1130 1130 9 20340
    True False
    """
    arguments.require_instance(M, PrivateLearnerSizes, "M")
    while True:  # n grows with log(1/delta) only
        sizes = agnostic_sizes(M.sample_size, vc_dimension, M.alpha, M.beta)
        if M.delta <= sizes.largest_delta:
            return sizes, M
        M = replace(M, delta=sizes.largest_delta)


# With which probability the agnostic learner is accurate: its two steps besides the base learner

GHOSTS = (1, 3, 7, 15, 31, 63)
"""How many times as large as D the samples are that exist in the proof only."""


@dataclass(frozen=True, slots=True, repr=False)
class Richness(Tabled):
    """The richness of a class for the proof of accuracy: a bound on its number of patterns.

    Parameters
    ----------
    vc_dimension
        The VC dimension, at least 0.
    hypotheses
        The number of hypotheses, if it is known; at least 1.

    Raises
    ------
    InvalidInput
        A number is no size, or too small.

    Examples
    --------
    >>> Richness(1).patterns(100), Richness(1, 17).patterns(100)
    (101, 17)
    """

    vc_dimension: int
    hypotheses: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "vc_dimension", arguments.as_size(self.vc_dimension, "vc_dimension")
        )
        if self.hypotheses is not None:
            object.__setattr__(
                self, "hypotheses", arguments.as_size(self.hypotheses, "hypotheses", least=1)
            )

    def patterns(self, points: int) -> int:
        """Return an upper bound on the patterns of the class on a number of points.

        Parameters
        ----------
        points
            How many points there are.
        """
        most = sauer_shelah_bound(arguments.as_size(points, "points"), self.vc_dimension)
        return most if self.hypotheses is None else min(most, self.hypotheses)


def choice_failure(
    size: int,
    richness: Richness,
    decay: Fraction,
    excess: AnyNumber,
    *,
    spare: int = 0,
    bits: int = 64,
) -> Interval:
    """Enclose the logarithm of a bound on the probability of drawing a bad pattern.

    Parameters
    ----------
    size
        N, the examples of D, at least 1.
    richness
        Of the class.
    decay
        r, the factor of a pattern's weight for each error on D.
    excess
        a, above 0 and below 1: a pattern is bad if some hypothesis with it has a loss more than a
        above the least in the class.
    spare
        |T|, the further points that refine the patterns.
    bits
        Working precision.

    Returns
    -------
    Interval
        The smallest of the bounds in the notes; at most 0, which is the vacuous bound.

    Notes
    -----
    Let g be a best hypothesis, and for h let X(h) be the sum over D of its errors less those of g,
    each term from {-1, 0, 1}. A pattern on D and T is drawn with probability at most ``min(1,
    r**X) <= z**X`` for every z from r to 1, as that of g is among them.

    *Few hypotheses.* A bad h has terms with mean above a, so that ``E[z**X] <= mu**N`` with ``mu =
    z (1 + a)/2 + (1 - a)/(2 z)``, as ``z**x`` is convex. The best z is ``sqrt((1 - a)/(1 + a))``,
    or r if that is larger. A union bound over ``|H| - 1`` hypotheses is the first bound.

    *Few patterns.* Let D' be M more examples, which exist only in this proof. If a bad h has the
    pattern that is drawn, then ``X'(h) >= a' M`` on D' with probability at least 1/2, where ``a' =
    a - sqrt(2 ln 2 / M)`` (Hoeffding). So the failure is at most twice the mean of the sum, over
    the patterns q on D, T and D', of ``min(1, r**X(q))`` where ``X'(q) >= a' M``. Given these
    points, D is a random part of D and D'. For w <= 1 and z as above the summand is at most ``z**X
    w**(a' M - X') = (z w)**X w**(a' M - V)``, V the sum of all terms; and ``E[(z w)**X] <=
    exp(-lambda V N/(N + M) + lambda**2 N/2)`` for ``z w = e**-lambda``, as draws without
    replacement are at least as concentrated (Hoeffding 1963, Theorem 4). With ``ln(1/w) = lambda
    N/(N + M)`` V cancels and leaves ``exp(N (lambda**2/2 - lambda a' s))``, ``s = M/(N + M)``. The
    best lambda is ``a' s``; z is at least r if ``lambda s <= ln(1/r)``. M is the best of N times
    each of :data:`GHOSTS`.

    Source: this library, with the second sample of Vapnik and Chervonenkis (1971).

    Examples
    --------
    >>> failure = choice_failure(10_000, Richness(1), Fraction(9, 10), "1/16")
    >>> round(float(failure), 2)
    -3.98
    """
    N, T = arguments.as_size(size, "size", least=1), arguments.as_size(spare, "spare")
    r, a = as_decay(decay, below_one=True), arguments.as_open_unit(excess, "excess")
    found = [Interval.exactly(0)]
    if richness.hypotheses is not None:
        found.append(_few_hypotheses(N, richness.hypotheses, r, a, bits))
    for times in GHOSTS:
        ghost = times * N
        above = a - Interval.sqrt(2 * Interval.log(2, bits) / ghost, bits)
        if above.lower <= 0:
            continue
        patterns = richness.patterns(N + T + ghost)
        share = Fraction(times, times + 1)
        # Any lambda proves something, so its ends may be rounded.
        best = min(above.lower * share, Interval.log(1 / r, bits).lower / share)
        shift = _short(best)
        found.append(
            Interval.log(2 * patterns, bits) + (shift * shift / 2 - above * (shift * share)) * N
        )
    return min(found, key=lambda bound: bound.upper)


def transfer_failure(
    size: int,
    resample: int,
    richness: Richness,
    apart_on_D: AnyNumber,
    apart: AnyNumber,
    *,
    bits: int = 64,
) -> Interval:
    """Enclose the logarithm of a bound on the probability that f and h agree on D only.

    Parameters
    ----------
    size
        N, the examples of D, more than m.
    resample
        m, the number that the base learner draws, at least 1.
    richness
        Of the class.
    apart_on_D
        alpha_0, the part of D on which f and h differ at most; from 0 on and below 1.
    apart
        alpha_1, above which the probability is that they differ at a fresh point; above 0 and
        below 1.
    bits
        Working precision.

    Returns
    -------
    Interval
        The smallest of the bounds in the notes; at most 0, which is the vacuous bound.

    Notes
    -----
    The base learner's output f is a function of the at most m examples that it drew, of the labels
    that h gives them, and of its coins. Fix which places are drawn (and some more, so that they are
    m), the points there, and the coins. Each h in H then has an f_h, and the set A_h of the points
    where they differ. The other ``N' = N - m`` points of D are fresh. So the failure is at most the
    probability that *some* h in H has at most ``s = floor(alpha_0 N)`` of them in A_h, although A_h
    has a probability above alpha_1. This needs neither privacy nor T.

    *Few hypotheses.* ``|H| exp(-N' kl(s/N', alpha_1))`` (Chernoff), where kl is the relative
    entropy of two coins.

    *Few patterns.* Let there be M more points, which exist only in this proof. At least ``k =
    floor(alpha_1 M)`` of them are in A_h with probability at least 1/2, as the median of a binomial
    law is not below the integer part of its mean. Which of the N' + M points are in A_h depends on
    the pattern of h on these and on the m that were drawn: N + M points. The N' are a random part.
    If t of all are in A_h, then at most s of the part and at least k of the rest are with a
    probability that is largest for ``t = k + s``: below that it grows, as the rest gets more, and
    above it falls, as the part does. There it is the lower tail of a hypergeometric law, at most
    ``exp(-N' kl(s/N', (k + s)/(N' + M)))`` (Hoeffding 1963, Theorem 4). So the bound is twice the
    number of patterns times that. M is the best of N times each of :data:`GHOSTS`.

    Source: this library; the argument is that of sample compression (Littlestone and Warmuth 1986).

    Examples
    --------
    >>> failure = transfer_failure(30_000, 10_000, Richness(1), "1/8", "1/4")
    >>> round(float(failure), 1)
    -202.4
    """
    N = arguments.as_size(size, "size", least=1)
    m = arguments.as_size(resample, "resample", least=1)
    if m >= N:
        raise InvalidInput("resample", arguments.in_words(m), f"below the size, {N}")
    few, a = arguments.as_number(apart_on_D, "apart_on_D"), arguments.as_open_unit(apart, "apart")
    if not 0 <= few < 1:
        raise InvalidInput("apart_on_D", arguments.in_words(few), "from 0 on, and below 1")
    most, fresh = math.floor(few * N), N - m
    part = Fraction(most, fresh)
    found = [Interval.exactly(0)]
    if richness.hypotheses is not None and part < a:
        count = Interval.log(richness.hypotheses, bits)
        found.append(count - _relative_entropy(part, a, bits) * fresh)
    for times in GHOSTS:
        ghost = times * N
        hits = math.floor(a * ghost) + most
        mean = Fraction(hits, fresh + ghost)
        if part < mean < 1:
            patterns = Interval.log(2 * richness.patterns(N + ghost), bits)
            found.append(patterns - _relative_entropy(part, mean, bits) * fresh)
    return min(found, key=lambda bound: bound.upper)


def _relative_entropy(q: Fraction, p: Fraction, bits: int) -> Interval:
    """Enclose ``q ln(q/p) + (1 - q) ln((1 - q)/(1 - p))``, for p neither 0 nor 1."""
    total = Interval.exactly(0)
    for seen, meant in ((q, p), (1 - q, 1 - p)):
        if seen:
            total += Interval.log(seen / meant, bits) * seen
    return total


def _few_hypotheses(N: int, count: int, r: Fraction, a: Fraction, bits: int) -> Interval:
    if count == 1:
        return Interval.exactly(-N)  # no other hypothesis: cannot fail, and -N is as good a bound
    if r * r * (1 + a) >= 1 - a:
        mean = Interval.exactly(r * (1 + a) / 2 + (1 - a) / (2 * r))
        rate = Interval.log(mean, bits)
    else:
        rate = Interval.log(1 - a * a, bits) / 2
    return Interval.log(count - 1, bits) + rate * N


def _short(value: Fraction) -> Fraction:
    """Round a positive number down to some 32 significant bits."""
    scale = value.denominator.bit_length() - value.numerator.bit_length() + 32
    if scale <= 0:
        return value
    return Fraction(math.floor(value * (1 << scale)), 1 << scale)


# Corollary 2 with a promise: how many examples until the excess is small, surely enough


@dataclass(frozen=True, slots=True, repr=False)
class AgnosticPromise(Tabled):
    """The sizes with which the agnostic learner over M by level keeps a promise, on every target.

    With probability at least 1 - beta over the sample and all coins, the loss of the output is at
    most alpha above the least in the class. The learner is (epsilon, delta)-private for one example
    replaced.

    Parameters
    ----------
    dimension
        d, at least 1.
    vc_dimension
        The VC dimension, from 1 to d.
    alpha, beta
        The excess, and the probability of a larger one; from 10**-30 and 10**-40 on, and below 1.
    epsilon, delta
        The privacy of the *whole* learner; above 0, delta below 1.
    hypotheses
        The number of hypotheses, if it is known, which bounds the number of patterns in large
        samples.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    A random part of the n examples, in random order, is D; it has N = ``ratio`` m examples. A
    pattern of H on D is drawn, with weight r to the power of its errors; D is relabelled by it, and
    M, with a number of runs for each level (:class:`ByLevelSizes`), runs on m draws from D with
    replacement. There is no second half: only the proof of the source needs it, which uses privacy
    and has n delta in its confidence. Let h have the pattern that is drawn, and let f be the
    output.

    1. h has an excess of at most a, but for a probability of beta/32
       (:func:`~pac_stability.papers.bun_livni_moran.agnostic_accuracy.choice_failure`).
    2. f and h differ on at most a part alpha_0 of D, but for 15 beta/16: that is M's promise, on
       draws from a distribution that h fits.
    3. Then they differ at a fresh point with probability at most alpha_1, but for beta/32, as f is
       made from m of the N examples
       (:func:`~pac_stability.papers.bun_livni_moran.agnostic_accuracy.transfer_failure`).

    The excess of f is at most that of h and how often they differ, ``a + alpha_1 = alpha``. So
    delta is arbitrary, as in BLM20 Corollary 2.

    Privacy: see :class:`AgnosticPrivateLearner`, and
    :func:`~pac_stability.mechanisms.subsampling_amplification` for the part.

    M's epsilon, alpha_0, noise and r are the best of fixed lists, and N is the least that suffices,
    so sizes are monotone in the requirements. Floats find the candidates; certified arithmetic
    decides. d is at most 8, as for :class:`ByLevelSizes`.

    *A large delta.* If ``n delta`` is not small, privacy with this delta promises little:
    publishing each example with probability 10**-6 is (0, 10**-6)-private, and publishes some ten
    of n = 10**7 examples. :attr:`exposed` is n delta, and :meth:`with_small_delta` asks for delta
    at most 1/n**2.

    Source: BLM20 Corollary 2; the proof is that of this library.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> asked = AgnosticPromise(1, 1, Fraction(1, 4), tenth, Epsilon(1), millionth)
    >>> asked.base.sample_size, asked.part_size, asked.sample_size
    (2636, 9258, 26241)
    >>> spent = asked.guarantee
    >>> spent.epsilon <= asked.epsilon, spent.delta <= asked.delta
    (True, True)
    >>> print(asked, end="")
    an agnostic private learner with a promise
    Littlestone dimension d               1
    VC dimension                          1
    hypotheses                            any number
    excess alpha                          1/4 (0.25)
    failure beta                          1/10 (0.1)
    epsilon                               1
    delta                                 1/1000000 (0.000001)
    examples n                            26,241
      of these a random part, relabelled  9,258
      of which M draws                    2,636
    n delta                               0.0262
    """

    _kind: ClassVar[str] = "an agnostic private learner with a promise"

    dimension: int
    vc_dimension: int
    alpha: Fraction
    beta: Fraction
    epsilon: Epsilon
    delta: Fraction
    hypotheses: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "dimension", arguments.as_size(self.dimension, "dimension", least=1)
        )
        rich = self.richness
        if not 1 <= rich.vc_dimension <= self.dimension:
            wanted = f"from 1 to the dimension, {self.dimension}"
            raise InvalidInput("vc_dimension", arguments.in_words(rich.vc_dimension), wanted)
        object.__setattr__(self, "vc_dimension", rich.vc_dimension)
        least = 1 << self.dimension
        if rich.hypotheses is not None and rich.hypotheses < least:
            given = arguments.in_words(rich.hypotheses)
            raise InvalidInput("hypotheses", given, f"at least {least}, for this dimension")
        object.__setattr__(self, "hypotheses", rich.hypotheses)
        for name in ("alpha", "beta", "delta"):
            object.__setattr__(self, name, arguments.as_open_unit(getattr(self, name), name))
        for name, digits in (("alpha", 30), ("beta", 40)):
            if (given := getattr(self, name)) * 10**digits < 1:
                raise InvalidInput(name, arguments.in_words(given), f"at least 10**-{digits}")
        object.__setattr__(self, "epsilon", as_positive_epsilon(self.epsilon))

    @property
    def richness(self) -> Richness:
        """How many patterns the class can have."""
        return Richness(self.vc_dimension, self.hypotheses)

    @property
    def base(self) -> ByLevelSizes:
        """M, with its promise on the relabelled D: its alpha is alpha_0."""
        return _tuned(self).base

    @property
    def ratio(self) -> Fraction:
        """The size of D in multiples of M's sample."""
        return Fraction(self.part_size, self.base.sample_size)

    @property
    def decay(self) -> Fraction:
        """r, the factor of a pattern's weight for each error on D."""
        return _tuned(self).decay

    @property
    def excess(self) -> Fraction:
        """a, the excess of the hypothesis that relabels D."""
        return _tuned(self).excess

    @property
    def apart(self) -> Fraction:
        """alpha_1, the probability that the output differs at a fresh point: ``alpha - a``."""
        return self.alpha - self.excess

    @property
    def part_size(self) -> int:
        """N, the examples of D: a random part of the sample."""
        return _tuned(self).part_size

    @property
    def sample_size(self) -> int:
        """The size n of the sample."""
        return _population(self, _tuned(self))

    @property
    def exposed(self) -> Fraction:
        """``n delta``: the mean number of examples that this delta allows to publish."""
        return self.delta * self.sample_size

    def with_small_delta(self) -> AgnosticPromise:
        """Return the promise with a delta of at most ``1/n**2`` for its own n, and of this at most.

        Examples
        --------
        >>> asked = AgnosticPromise(
        ...     3, 1, Fraction(1, 4), Fraction(1, 10), Epsilon(1), Fraction(1, 10**6)
        ... )
        >>> small = asked.with_small_delta()
        >>> round(float(asked.exposed), 1), asked.sample_size, small.sample_size
        (25.6, 25555048, 63389256)
        >>> small.delta <= Fraction(1, small.sample_size**2)
        True
        """
        small = self
        while small.delta * small.sample_size**2 > 1:
            # More examples take a smaller delta again, which takes few more.
            n = small.sample_size + small.sample_size // 1000
            small = replace(self, delta=Fraction(1, n**2))
        return small

    def _rows(self) -> Mapping[str, object]:
        exposed = f"{float(self.exposed):.3g}"
        if 10 * self.exposed >= 1:
            exposed += ": delta is large, see with_small_delta()"
        return {
            "Littlestone dimension d": self.dimension,
            "VC dimension": self.vc_dimension,
            "hypotheses": "any number" if self.hypotheses is None else f"{self.hypotheses:,}",
            "excess alpha": self.alpha,
            "failure beta": self.beta,
            "epsilon": f"{float(self.epsilon):.6g}",
            "delta": self.delta,
            "examples n": f"{self.sample_size:,}",
            "  of these a random part, relabelled": f"{self.part_size:,}",
            "  of which M draws": f"{self.base.sample_size:,}",
            "n delta": exposed,
        }

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of all, at most the (epsilon, delta) asked for."""
        return _spent(self, _tuned(self))


def agnostic_promise(
    H: FiniteClass, alpha: AnyNumber, beta: AnyNumber, epsilon: EpsilonLike, delta: AnyNumber
) -> AgnosticPromise:
    """Return the sample size of the agnostic learner: see :class:`AgnosticPromise`.

    Parameters
    ----------
    H
        The class, of Littlestone dimension at least 1.
    alpha, beta, epsilon, delta
        As for :class:`AgnosticPromise`.

    Raises
    ------
    InvalidInput
        The class has dimension 0: its one hypothesis needs no learner; or a parameter is out of
        range.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> agnostic_promise(singletons(8), "1/4", "1/10", 1, "1/1000000").sample_size
    21256
    """
    require_inhabited(H)
    dimension = littlestone_dimension(H)
    if dimension < 1:
        given = f"a class of Littlestone dimension {dimension}"
        raise InvalidInput("H", given, "one of dimension at least 1")
    return AgnosticPromise(
        dimension,
        vc_dimension(H),
        arguments.as_open_unit(alpha, "alpha"),
        arguments.as_open_unit(beta, "beta"),
        as_positive_epsilon(epsilon),
        arguments.as_open_unit(delta, "delta"),
        len(H),
    )


class _Sizes(NamedTuple):
    """What is tuned."""

    base: ByLevelSizes
    part_size: int
    decay: Fraction
    excess: Fraction


_BUDGETS = tuple(Fraction(i, 8) for i in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32))
"""The epsilons that M may have."""

_ACCURACIES = tuple(Fraction(i, 32) for i in range(4, 31, 2))
"""The parts of alpha that M's alpha may be."""

_DECAYS = tuple(1 - Fraction(1, 2**j) for j in range(1, 11))
_GRID = 1 << 20
"""The excess is a number of so many parts of alpha."""

_DIGITS = 44
"""How many binary digits of the least part are found."""

_LEFT = 32
"""Steps 1 and 3 may each fail with one part in so many of beta."""

_FAR_OFF, _OFF = 0.1, 0.02
"""By how much what is guessed may be off: all examples, with a guessed noise; and those of M."""

Floats: TypeAlias = npt.NDArray[np.float64]

_WITH_GHOSTS = np.array(GHOSTS)[:, None] + 1
"""How many times the part there are examples, with the ghosts: a row each."""


@lru_cache(maxsize=256)
def _tuned(asked: AgnosticPromise) -> _Sizes:
    """Return the sizes with the fewest examples, over all lists.

    All epsilons and alphas of M are gone through in floating point, and those that may be best
    exactly.
    """
    tried, least = [], math.inf
    for at_least, budget, accuracy, noise in sorted(_bounded(asked)):
        if at_least > least:
            break
        for population, better in _about(asked, budget, accuracy, noise, rough=True):
            tried.append((population, budget, accuracy, better))
            least = min(least, population * (1 + _FAR_OFF))
    about = [
        (population, budget, accuracy, noise)
        for first, budget, accuracy, likely in tried
        if first <= least
        for population, noise in _about(asked, budget, accuracy, likely)
    ]
    best, least = None, math.inf
    for population, budget, accuracy, noise in sorted(about):
        if population > least:
            break
        for sizes in _certified(asked, budget, accuracy, noise):
            if _population(asked, sizes) < least:
                best, least = sizes, _population(asked, sizes)
    if best is None:
        raise InvalidInput("alpha", arguments.in_words(asked.alpha), "a number that is reached")
    return best


def _bounded(asked: AgnosticPromise) -> Iterator[tuple[float, Fraction, Fraction, int]]:
    """Give all epsilons and alphas of M, with a guessed noise, by how many examples it takes.

    At least, as a part of N > m takes N and ``N (4 e**((t - 1) m/N) - 1) / (e**epsilon - 1)``
    examples, which is least where the exponent is about .9.
    """
    goal = float(min(asked.epsilon.ratio - 1, Fraction(10) ** 300))
    for budget in _BUDGETS:
        noise, t = _likely_noise(asked, budget), float(Epsilon(budget).ratio)
        for accuracy in _ACCURACIES:
            m = float_sample_size(_base(asked, budget, accuracy, noise))
            yield max(m, 9.8 * (t - 1) * m / goal), budget, accuracy, noise


def _likely_noise(asked: AgnosticPromise, budget: Fraction) -> int:
    """Guess with how much noise M spends as much of delta as it may."""
    t = float(Epsilon(budget).ratio)
    ratio = max(3.3, (t - 1) / float(budget))
    less = Fraction(ratio * (4.3 * math.exp((t - 1) / ratio) - 1)) / (asked.epsilon.ratio - 1)
    return _noise(budget, asked.delta * max(Fraction(1), less))


def _about(
    asked: AgnosticPromise, budget: Fraction, accuracy: Fraction, noise: int, *, rough: bool = False
) -> list[tuple[float, int]]:
    """Return how many examples that takes, if it is enough, and a better noise; rough, or less."""
    M = _base(asked, budget, accuracy, noise)
    m = float_sample_size(M)
    fit = _fitted(asked, M, m if rough else m * (1 - _OFF), rough=rough)
    if fit is None:
        return []
    # M's delta shrinks by the resampling and in the part, so that it may be larger.
    return [(fit.population, _noise(budget, asked.delta * Fraction(fit.delta_is_less)))]


@lru_cache(maxsize=1024)
def _noise(budget: Fraction, delta: Fraction) -> int:
    """Return the least A with which M's histogram spends at most delta, and 1/2."""
    histogram = StableHistogram.from_privacy(Epsilon(budget), min(delta, Fraction(1, 2)))
    return histogram.truncation


@lru_cache(maxsize=1024)
def _delta(budget: Fraction, noise: int) -> Fraction:
    """Return about the delta that M's histogram spends with so much noise, and not less."""
    decay = private_decay(Epsilon(budget))
    exact = StableHistogram(decay, noise, noise + 2).guarantee.delta
    scale = 1 << (exact.denominator.bit_length() - exact.numerator.bit_length() + 32)
    return Fraction(math.ceil(exact * scale), scale)


def _base(asked: AgnosticPromise, budget: Fraction, accuracy: Fraction, noise: int) -> ByLevelSizes:
    """Return M with an epsilon, a part of alpha, and so much noise."""
    beta = asked.beta * (1 - Fraction(2, _LEFT))
    alpha, delta = asked.alpha * accuracy, _delta(budget, noise)
    return ByLevelSizes(asked.dimension, alpha, beta, Epsilon(budget), delta)


class _Fit(NamedTuple):
    """The part and the decay with which M takes fewest examples, about, and how many."""

    population: float
    part_size: float
    decay: Fraction
    delta_is_less: float


def _fitted(
    asked: AgnosticPromise, M: ByLevelSizes, m: float, *, rough: bool = False
) -> _Fit | None:
    """Return the best part and decay for M on m examples, if any is enough; rough, to 2 percent."""
    # The choice of a pattern alone takes so many.
    left, square = _log_left(asked), float(asked.alpha) ** 2
    needed = 2 * (left + float(_log_patterns(asked, np.array(2 * left / square)))) / square
    scale, found = max(m, needed / 8), None
    around = scale * np.geomspace(1.02, 64, 192)
    for width in (0.03, 0.0006, 0.00001):
        fit = _best_of(asked, M, m, around[around > m])
        if fit is None or rough:
            return fit or found
        found = fit
        around = fit.part_size * np.linspace(1 - width, 1 + width, 129)
    return found


def _best_of(asked: AgnosticPromise, M: ByLevelSizes, m: float, N: Floats) -> _Fit | None:
    """Return the best fit among some sizes of the part."""
    alpha, t = float(asked.alpha), float(M.epsilon.ratio)
    patterns = _log_patterns(asked, _WITH_GHOSTS * N)
    # With the decays that cost nothing for a bound, or only just something.
    free = _excesses(asked, N, patterns)[1]
    free = np.floor(-np.log2(np.maximum(free, 1 / 2 ** len(_DECAYS))))
    rounds = np.clip([free, free + 1, free + 2], 1, len(_DECAYS)).astype(int)
    excess = np.concatenate([_excesses(asked, N, patterns, each)[0] for each in rounds])
    rounds = np.concatenate(rounds)
    on_D, apart, fresh = float(M.alpha), alpha - excess, N - m
    enough = np.zeros(excess.shape, dtype=bool)
    seen = on_D * N / fresh

    def carries(mean: Floats, log_count: Floats | float) -> Floats:
        fits = (seen < mean) & (mean < 1)
        mean, q = np.where(fits, mean, 0.5), np.where(seen < 1, seen, 0.25)
        entropy = q * np.log(q / mean) + (1 - q) * np.log1p((mean - q) / (1 - mean))
        found: Floats = fits & (entropy * fresh > log_count + _log_left(asked))
        return found

    if asked.hypotheses is not None:
        enough |= carries(apart, math.log(asked.hypotheses))
    for times, log_count in zip(GHOSTS, patterns, strict=True):
        mean = (apart * times * N + on_D * N) / (fresh + times * N)
        enough |= carries(mean, math.log(2) + log_count)
    # Resampling would not be better than group privacy beyond ln t.
    enough &= (excess < alpha) & ((t - 1) * m / N <= math.log(t))
    factor = (2 + 1 / (2.0**rounds - 1)) ** 2 * np.exp((t - 1) * m / N)
    goal = min(asked.epsilon.ratio - 1, Fraction(10) ** 300)
    n = np.where(enough, np.maximum(N, N * (factor - 1) / float(goal)), math.inf)
    place = np.unravel_index(int(n.argmin()), n.shape)
    if not math.isfinite(n[place]):
        return None
    part, best = float(N[place[1]]), float(n[place])
    less = best / part * (t - 1) / math.expm1((t - 1) * m / part)
    return _Fit(best, part, _DECAYS[rounds[place] - 1], less)


def _excesses(
    asked: AgnosticPromise,
    N: Floats,
    patterns: Floats,
    rounds: npt.NDArray[np.int64] | int | None = None,
) -> tuple[Floats, Floats]:
    """Return the excess of the choice by each bound, shape (K, |N|), where ``r = 1 - 2**-rounds``.

    And ``1 - r`` for the largest r that costs nothing, as if there were no other.
    """
    left = _log_left(asked)
    excesses, free = [], []
    log_r = np.full(1, math.inf) if rounds is None else -np.log1p(-(2.0 ** -np.asarray(rounds)))
    bounds = len(GHOSTS) + (asked.hypotheses is not None)
    logs = np.broadcast_to(log_r, (bounds, N.size))
    if asked.hypotheses is not None:
        rate, log = (math.log(asked.hypotheses - 1) + left) / N, logs[0]
        a = np.sqrt(-np.expm1(-2 * rate))
        free.append(1 - np.sqrt((1 - a) / (1 + a)))
        with np.errstate(invalid="ignore", over="ignore"):
            steep = (np.cosh(log) - np.exp(-rate)) / np.sinh(log)
        excesses.append(np.where(np.arctanh(a) <= log, a, steep))
    times = _WITH_GHOSTS - 1
    share = times / _WITH_GHOSTS
    shift = np.sqrt(2 * (math.log(2) + patterns + left) / N)
    most = logs[-len(GHOSTS) :] / share
    above = np.where(shift <= most, shift, most / 2 + shift * shift / (2 * most)) / share
    excesses.extend(above + np.sqrt(2 * math.log(2) / (times * N)))
    free.extend(-np.expm1(-shift * share))
    return np.array(excesses), np.array(free)


def _log_left(asked: AgnosticPromise) -> float:
    return math.log(_LEFT) - logarithm(asked.beta)


def _log_patterns(asked: AgnosticPromise, points: Floats) -> Floats:
    term = most = np.zeros(points.shape)
    for i in range(asked.vc_dimension):
        with np.errstate(divide="ignore"):
            term = term + np.log(np.maximum(points - i, 0)) - math.log(i + 1)
        most = np.logaddexp(most, term)
    return most if asked.hypotheses is None else np.minimum(most, math.log(asked.hypotheses))


def _certified(
    asked: AgnosticPromise, budget: Fraction, accuracy: Fraction, noise: int
) -> Iterator[_Sizes]:
    """Give the sizes with an epsilon and a part of alpha for M, with the best noise and beside."""
    up = False
    while True:
        M = _base(asked, budget, accuracy, noise)
        fit = _fitted(asked, M, M.sample_size)
        if fit is None:
            return
        sizes = _least_part(asked, M, fit)
        yield sizes
        n, for_delta = _examples(asked, sizes), _for_delta(asked, sizes)
        # With less noise M takes less, and spends more of delta; this decides from some noise on.
        if for_delta == n:
            up = True
            noise += 1
        elif up or noise == _noise(budget, Fraction(1, 2)):
            return
        else:
            noise -= 1
            shrinks = 1 - Fraction(2, noise + 3)
            if for_delta * _delta(budget, noise) / M.delta * shrinks >= n:
                return


def _least_part(asked: AgnosticPromise, M: ByLevelSizes, fit: _Fit) -> _Sizes:
    """Return the sizes with the smallest part that is certainly enough, with this decay."""

    def at(N: int) -> _Sizes | None:
        if M.sample_size >= N:
            return None
        rounds = _DECAYS.index(fit.decay) + 1
        part = np.array([float(N)])
        patterns = _log_patterns(asked, _WITH_GHOSTS * part)
        about = float(_excesses(asked, part, patterns, rounds)[0].min())

        def with_excess(parts: int) -> _Sizes:
            return _Sizes(M, N, fit.decay, asked.alpha * parts / _GRID)

        parts = int(about / float(asked.alpha) * _GRID)
        while parts < _GRID and not _chooses(asked, with_excess(parts)):
            parts += 1
        enough = parts < _GRID and _carries_over(asked, with_excess(parts))
        return with_excess(parts) if enough else None

    enough = round(fit.part_size)
    unit = max(1, enough >> _DIGITS)
    short, step, found = M.sample_size, unit, at(enough)
    while found is None:
        short, step = enough, 4 * step
        enough += step
        found = at(enough)
    step = unit
    while enough - short > unit:
        middle = max(enough - step, (enough + short) // 2)
        fewer = at(middle)
        if fewer is None:
            short = middle
        else:
            found, enough, step = fewer, middle, 4 * step
    return _best_above(asked, found)


def _best_above(asked: AgnosticPromise, sizes: _Sizes) -> _Sizes:
    """Return the best part from the least one on: where M is costly to resample it is larger."""

    def of(N: int) -> _Sizes:
        return sizes._replace(part_size=N)

    low = max(sizes.part_size, _resampled_from(sizes.base))
    if _examples(asked, of(low + 1)) < _examples(asked, of(low)):
        high = 2 * low
        while _examples(asked, of(high)) < _examples(asked, of(high - 1)):
            low, high = high, 2 * high
        while high - low > 1:  # falling at low, and not at high
            middle = (low + high) // 2
            falls = _examples(asked, of(middle)) < _examples(asked, of(middle - 1))
            low, high = (middle, high) if falls else (low, middle)
    return of(low) if _is_enough(asked, of(low)) else sizes


def _resampled_from(M: ByLevelSizes) -> int:
    """Return from which part on resampling is better than group privacy, which is none at all."""
    t, m = M.guarantee.factor, M.sample_size
    N = math.floor((t - 1) / (Interval.exp(Interval.log(t) / m, 256).upper - 1))
    while _amplified(t, m, N) is None:
        N += max(1, N >> _DIGITS)
    return N


def _is_enough(asked: AgnosticPromise, sizes: _Sizes) -> bool:
    """Whether steps 1 and 3 are likely enough, certainly."""
    return _chooses(asked, sizes) and _carries_over(asked, sizes)


def _chooses(asked: AgnosticPromise, sizes: _Sizes) -> bool:
    """Whether step 1 is likely enough, certainly."""
    failure = choice_failure(sizes.part_size, asked.richness, sizes.decay, sizes.excess)
    return failure.upper <= Interval.log(asked.beta / _LEFT).lower


def _carries_over(asked: AgnosticPromise, sizes: _Sizes) -> bool:
    """Whether step 3 is likely enough, certainly."""
    M, apart = sizes.base, asked.alpha - sizes.excess
    N, m = sizes.part_size, M.sample_size
    failure = transfer_failure(N, m, asked.richness, M.alpha, apart)
    return failure.upper <= Interval.log(asked.beta / _LEFT).lower


def _of_part(sizes: _Sizes) -> PrivacyGuarantee:
    M = sizes.base
    return relabelling_guarantee(M.guarantee, M.sample_size, sizes.part_size, sizes.decay)


def _for_delta(asked: AgnosticPromise, sizes: _Sizes) -> Fraction:
    """Return in how many examples the part is small enough for delta."""
    return sizes.part_size * _of_part(sizes).delta / asked.delta


def _examples(asked: AgnosticPromise, sizes: _Sizes) -> Fraction:
    """Return in how many examples the part is small enough, before they are rounded up."""
    part = _of_part(sizes)
    for_epsilon = sizes.part_size * (part.factor - 1) / (asked.epsilon.ratio - 1)
    return max(Fraction(sizes.part_size), for_epsilon, _for_delta(asked, sizes))


def _population(asked: AgnosticPromise, sizes: _Sizes) -> int:
    return math.ceil(_examples(asked, sizes))


def _spent(asked: AgnosticPromise, sizes: _Sizes) -> PrivacyGuarantee:
    return subsampling_amplification(_of_part(sizes), sizes.part_size, _population(asked, sizes))
