"""Differential privacy gives perfect generalization: Theorem 39, and group privacy."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import Constants, ConstantsLike, Interval, as_constants
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import group_privacy
from pac_stability.papers.cummings_et_al.implications.guarantees import (
    PerfectGuarantee,
    factor_above,
    require_guarantee,
)
from pac_stability.papers.guarantees import Implication


def private_to_perfect_epsilon(
    guarantee: PrivacyGuarantee,
    n: int,
    beta: AnyNumber,
    outputs: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> Interval:
    """Enclose the epsilon of perfect generalization of a purely private mechanism.

    Parameters
    ----------
    guarantee
        The privacy of the mechanism; its delta must be 0.
    n
        The size of the samples, at least 1.
    beta
        The share of samples that the simulator may miss, above 0 and below 1.
    outputs
        How many outputs are possible, at least 1.
    constants
        With ``tau = epsilon sqrt((n/2) ln(2 R / beta))`` for R outputs. Printed: 2 tau.
        Proved and sharp: ``min(tau + min(tau, n epsilon**2 / 8), n epsilon)``.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the delta of the guarantee is not 0.

    Notes
    -----
    *Proof.* Outputs of probability 0 on one sample have it on all and are left out. Let ``q(S, r) =
    ln Pr[M(S) = r]``: one example changes it by at most epsilon. By McDiarmid's inequality and a
    union bound, ``|q(S, r) - E q(S, r)| <= tau`` for all r with probability 1 - beta. The simulator
    has weights ``w(r) = exp(E q(S, r))``, divided by their sum Z. Then Pr[M(S) = r] over the
    simulator's probability of r is ``Z exp(q - E q)``, and Z lies

    - below 1, as ``exp(E q) <= E exp(q)`` and the right side sums to 1;
    - above ``exp(-tau)``, as the left side of ``w(r) >= exp(-tau) Pr[M(S) = r]`` sums to Z;
    - above ``exp(-n epsilon**2 / 8)``, as ``E exp(q) <= exp(E q + n epsilon**2 / 8)`` (the step
      before McDiarmid's inequality) sums to ``1 <= Z exp(n epsilon**2 / 8)``.

    So the ratio is at most ``exp(tau)`` on one side and has no more than the second or third bound
    to add on the other; the paper takes ``exp(tau)`` for Z on both. No epsilon above n epsilon is
    needed, by group privacy.

    The introduction of the paper has no |R| under the root. :func:`any_range_epsilon` is a form of
    that kind, with a positive delta.

    Source: CLNRW16 Theorem 39.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> private = PrivacyGuarantee(Epsilon("1/50"))
    >>> for constants in ("printed", "sharp"):
    ...     found = private_to_perfect_epsilon(private, 1000, "1/20", 2, constants=constants)
    ...     print(f"{float(found):.3f}")
    1.872
    0.986
    """
    size, share = _pure(guarantee, n), as_open_unit(beta, "beta")
    whose = as_constants(constants)
    count = as_size(outputs, "outputs", least=1)
    epsilon = guarantee.epsilon.interval()
    tau = epsilon * Interval.sqrt(Interval.log(2 * count / share) * Fraction(size, 2))
    if whose is Constants.PRINTED:
        return 2 * tau
    return _least(tau + _least(tau, epsilon * epsilon * Fraction(size, 8)), epsilon * size)


def any_range_epsilon(
    guarantee: PrivacyGuarantee, n: int, beta: AnyNumber, delta: AnyNumber
) -> Interval:
    """Enclose the epsilon of perfect generalization of a purely private mechanism, for any range.

    Parameters
    ----------
    guarantee, n, beta
        As for :func:`private_to_perfect_epsilon`.
    delta
        The delta of perfect generalization, above 0 and below 1.

    Returns
    -------
    Interval
        ``min(a + epsilon sqrt((n/2) ln(2 / (beta delta))), n epsilon)``, ``a = n epsilon**2 / 8``.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the delta of the guarantee is not 0.

    Notes
    -----
    *Proof*, for countably many outputs. The simulator is the mean law: ``p(r) = E m(S, r)`` for
    ``m(S, r) = Pr[M(S) = r]``. For every exponent ``k >= 1`` (:mod:`robust_from_privacy` has the
    proof) ``(E m**k)**(1/k) <= exp((k - 1) a) p``. Let T = e**x with x > a.

    - ``E (m - T p)^+ <= E m (m / (T p))**(k - 1) <= p exp((k - 1) (k a - x))``, which for
      ``k - 1 = (x - a) / (2 a)`` is ``p eta`` with ``eta = exp(-2 (x - a)**2 / (n epsilon**2))``.
    - ``(p - T m)^+`` is at most p, and 0 unless ``ln m < ln p - x <= E ln m + a - x``, which has
      probability at most eta by McDiarmid's inequality. So ``E (p - T m)^+ <= p eta``.

    Summed over r, both excesses have mean at most eta. By Markov's inequality each exceeds delta
    with probability at most eta / delta, which is beta / 2 for the x above.

    Unlike Theorem 39 there is no number of outputs. It is a statement of this library.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> private = PrivacyGuarantee(Epsilon("1/50"))
    >>> print(f"{float(any_range_epsilon(private, 1000, '1/20', '1/1000')):.3f}")
    1.506
    """
    size = _pure(guarantee, n)
    eta = as_open_unit(beta, "beta") * as_open_unit(delta, "delta") / 2
    epsilon = guarantee.epsilon.interval()
    tail = epsilon * Interval.sqrt(Interval.log(1 / eta) * Fraction(size, 2))
    return _least(epsilon * epsilon * Fraction(size, 8) + tail, epsilon * size)


def group_to_perfect(
    guarantee: PrivacyGuarantee,
    n: int,
    *,
    elements: int | None = None,
    constants: ConstantsLike = Constants.SHARP,
) -> PerfectGuarantee:
    """Return the perfect generalization, with beta = 0, that group privacy gives.

    Parameters
    ----------
    guarantee
        The privacy of the mechanism; its delta may be positive.
    n
        The size of the samples, at least 1.
    elements
        m, when there are only m elements *and* the mechanism ignores the order of its sample.
    constants
        For samples that differ in k places. Printed: ``k e**((k-1) epsilon) delta`` (what is
        meant; delta is printed in the exponent). Proved and sharp: ``delta (t**k - 1) / (t - 1)``
        for t = e**epsilon.

    Returns
    -------
    PerfectGuarantee
        For all distributions, even with one simulator for all; vacuous when delta reaches 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The simulator is M(S*) for a fixed sample S*. Other samples differ from it in at most n places.
    When only the multiset matters, let every element occur ``n // m`` times in S*, or once more:
    what another multiset has in common with it is at least ``n // m``, so k = n - n // m.

    Source: CLNRW16, after Theorem 40; :func:`~pac_stability.notions.group_privacy.bound`.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> private = PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 100))
    >>> group_to_perfect(private, 3).delta, group_to_perfect(private, 3, constants="printed").delta
    (Fraction(7, 100), Fraction(3, 25))
    >>> group_to_perfect(private, 4, elements=2).epsilon.ratio
    Fraction(4, 1)
    """
    require_guarantee(guarantee, PrivacyGuarantee)
    whose = as_constants(constants)
    distance = as_size(n, "n", least=1)
    if elements is not None:
        distance -= distance // as_size(elements, "elements", least=1)
    if distance == 0:
        return PerfectGuarantee(Fraction(0), guarantee.epsilon * 0)
    epsilon, delta = group_privacy.bound(guarantee.epsilon, guarantee.delta, distance)
    if whose is Constants.PRINTED:
        delta = group_privacy.simpler_delta(guarantee.epsilon, guarantee.delta, distance)
    return PerfectGuarantee(Fraction(0), epsilon, min(delta, Fraction(1)))


def _pure(guarantee: PrivacyGuarantee, n: int) -> int:
    """Return n, refusing what is no guarantee with delta = 0."""
    require_guarantee(guarantee, PrivacyGuarantee)
    if guarantee.delta:
        raise InvalidInput("guarantee", f"delta = {guarantee.delta}", "delta = 0")
    return as_size(n, "n", least=1)


def _least(one: Interval, other: Interval) -> Interval:
    """Enclose the smaller of two numbers."""
    return Interval(min(one.lower, other.lower), min(one.upper, other.upper))


def _perfect(
    epsilon: Interval,
    guarantee: PrivacyGuarantee,
    n: int,
    beta: AnyNumber,
    outputs: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> PerfectGuarantee:
    return PerfectGuarantee(as_open_unit(beta, "beta"), factor_above(epsilon))


def _perfect_any_range(
    epsilon: Interval, guarantee: PrivacyGuarantee, n: int, beta: AnyNumber, delta: AnyNumber
) -> PerfectGuarantee:
    share, lost = as_open_unit(beta, "beta"), as_open_unit(delta, "delta")
    return PerfectGuarantee(share, factor_above(epsilon), lost)


private_to_perfect = Implication(
    claim="CLNRW16:theorem-39",
    premise=PrivacyGuarantee,
    conclusion=PerfectGuarantee,
    bound=private_to_perfect_epsilon,
    into=_perfect,
    given=lambda rule, private, n, wanted: (
        None if wanted.outputs is None else rule(private, n, wanted.share, wanted.outputs)
    ),
)
"""The perfect generalization of a purely private mechanism with finitely many outputs, on all
distributions; the simulator is :func:`~pac_stability.notions.simulators.geometric_mean`."""

private_to_perfect_any_range = Implication(
    claim="CLNRW16:theorem-39.any-range.repaired",
    premise=PrivacyGuarantee,
    conclusion=PerfectGuarantee,
    bound=any_range_epsilon,
    into=_perfect_any_range,
    given=lambda rule, private, n, wanted: rule(private, n, wanted.share, wanted.slack),
)
"""The same whatever its range, with a positive delta; the simulator is
:func:`~pac_stability.notions.simulators.arithmetic_mean`."""
