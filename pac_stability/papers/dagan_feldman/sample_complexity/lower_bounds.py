"""How many examples every learner needs that is stable, or private, or only accurate."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from pac_stability.arguments import (
    AnyNumber,
    as_open_unit,
    as_probability,
    as_size,
    in_words,
)
from pac_stability.arithmetic import Epsilon, Interval, certified_ceiling, decide_less
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.errors import InvalidInput


def stable_lower_bound(
    alpha: AnyNumber,
    gamma: AnyNumber,
    vc_dimension: int,
    *,
    beta: AnyNumber = 0,
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
    d, g = as_size(vc_dimension, "vc_dimension", least=1), as_open_unit(gamma, "gamma")
    _, b, mass = _goal(alpha, beta)
    return ceil((1 - 2 * b) * max(d - 1, 1) / (2 * g * mass))


def private_lower_bound(
    alpha: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    vc_dimension: int,
    *,
    beta: AnyNumber = 0,
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
    d, spent = as_size(vc_dimension, "vc_dimension", least=1), as_epsilon(epsilon)
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
        by_tanh,
        certified_ceiling(lambda bits: m / (a * spent.interval(bits) * _e_cosh(spent, bits))),
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
    docs/explanation/private-lower-bound.md; the exact numbers are those of
    :func:`~pac_stability.papers.dagan_feldman.agnostic_least_sample_size`. For beta up to 1/8 and
    alpha up to 1/10 the larger one is at least ``(d + ln(1/beta)) / (400 alpha**2)``.

    Examples
    --------
    >>> agnostic_lower_bound("1/100", 0, 10), agnostic_lower_bound("1/100", "1/20", 10)
    (1797, 4023)
    """
    d = as_size(vc_dimension, "vc_dimension", least=1)
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
    return certified_ceiling(lambda bits: scale * (Interval.log(x, bits) / Interval.log(y, bits)))


def _bits(x: Fraction) -> int:
    return x.numerator.bit_length()


def _goal(alpha: AnyNumber, beta: AnyNumber) -> tuple[Fraction, Fraction, Fraction]:
    """Return alpha, beta, and the mass or the bias ``4 (1 - beta) alpha / (1 - 2 beta)``."""
    a, b = as_open_unit(alpha, "alpha"), as_probability(beta, "beta")
    if 2 * b >= 1:
        raise InvalidInput("beta", in_words(b), "an exact number from 0 on and below 1/2")
    largest = (1 - 2 * b) / (4 * (1 - b))
    if a > largest:
        raise InvalidInput("alpha", in_words(a), f"at most {largest}")
    return a, b, a / largest


def _e_cosh(epsilon: Epsilon, bits: int) -> Interval:
    """Enclose e cosh(epsilon/2)."""
    t = epsilon.ratio
    return Interval.exp(1, bits) * (t + 1) / (2 * Interval.sqrt(t, bits))
