"""Sizes and privacy of the agnostic learner: resampling, and the conditions of the source."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    as_size,
    in_words,
    require_instance,
)
from pac_stability.arithmetic import Epsilon, Interval, certified_ceiling
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.mechanisms.weights import as_decay
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes

_EXACT = 64


def resampling_guarantee(
    guarantee: PrivacyGuarantee, size: int, population: int
) -> PrivacyGuarantee:
    """Return the guarantee of a mechanism that sees examples drawn with replacement.

    Parameters
    ----------
    guarantee
        (t, delta) with t = e^epsilon: that of the mechanism on ``size`` examples, one replaced.
    size
        m, how many are drawn, at least 1.
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
    Let K be how often the example that is replaced has been drawn, and P_k, Q_k the probabilities
    of an event given K = k, before and after; P_0 = Q_0. By group privacy P_k is at most t^k Q_k +
    delta_k and at most t^k P_0 + delta_k, with ``delta_k = delta (t^k - 1)/(t - 1)``: draw the
    examples in its places anew from the others. For ``g <= t`` and k >= 1 a convex combination is
    ``P_k <= g Q_k + (t^k - g) P_0 + delta_k``. The mean over K, where E[t^K] = g, is ``P <= g Q +
    E[delta_K]``. Otherwise K <= m and group privacy is what is left.

    Compare Balle, Barthe and Gaboardi, *Privacy amplification by subsampling*, 2018, Theorem 10.

    Examples
    --------
    >>> once = PrivacyGuarantee(Epsilon.exactly(3), Fraction(1, 100))
    >>> resampled = resampling_guarantee(once, 2, 4)
    >>> resampled.factor, resampled.delta
    (Fraction(9, 4), Fraction(1, 160))
    """
    require_instance(guarantee, PrivacyGuarantee, "guarantee")
    m, N = as_size(size, "size", least=1), as_size(population, "population", least=1)
    t, delta = guarantee.factor, guarantee.delta
    mean = 1 + (t - 1) / N
    amplified = mean**m if m <= _EXACT else Interval.exp(Interval.log(mean) * m).upper
    factor = amplified if amplified <= t or t == 1 else t**m
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
        r, what an error of a pattern multiplies its weight by; above 0 and at most 1.

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


def least_population(size: int, guarantee: PrivacyGuarantee, epsilon: Epsilon | AnyNumber) -> int:
    """Return from which size on a random part of the sample makes a mechanism epsilon-private.

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
    """How large each half of the sample has to be, and for what.

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
        """How many times m is in each half, rounded up."""
        return -(-self.half // self.base_size)

    @property
    def largest_delta(self) -> Fraction:
        """beta/n: the transformation fails with probability of order beta + n delta."""
        return self.beta / self.sample_size


def agnostic_sizes(
    base_size: int,
    vc_dimension: int,
    alpha: AnyNumber,
    beta: AnyNumber,
    *,
    gamma: AnyNumber = 1,
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
    The constants of the four conditions are those of the source; those of the conclusion are not
    worked out there. For explicit ones, in expectation, see
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
    m, vc = as_size(base_size, "base_size", least=1), as_size(vc_dimension, "vc_dimension")
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    constant = as_number(gamma, "gamma")
    if constant <= 0:
        raise InvalidInput("gamma", in_words(constant), "a number above 0")

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
    4458 4458 9 80244
    True False
    """
    require_instance(M, PrivateLearnerSizes, "M")
    while True:  # n grows with log(1/delta) only
        sizes = agnostic_sizes(M.sample_size, vc_dimension, M.alpha, M.beta)
        if M.delta <= sizes.largest_delta:
            return sizes, M
        M = replace(M, delta=sizes.largest_delta)
