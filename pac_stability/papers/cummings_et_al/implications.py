"""One guarantee turned into another, for every mechanism that has it.

=======================================  ==========================================================
from                                     to
=======================================  ==========================================================
few outputs (Theorem 21)                 robust generalization: ``finite_range_to_robust``
differential privacy (Theorem 20)        robust generalization: ``private_to_robust``
perfect generalization (Lemma 36)        robust generalization: ``perfect_to_robust``
pure differential privacy (Theorem 39)   perfect generalization: ``private_to_perfect``, and
                                         ``private_to_perfect_any_range``
differential privacy, group privacy      perfect generalization: ``group_to_perfect``
several perfect guarantees (Theorem 12)  one for all: ``compose_perfect``
perfect generalization (Corollary 10)    laws on two samples: ``close_pair``
any, post-processed (Lemma 11)           the same: ``post_process``
=======================================  ==========================================================

Each takes ``constants`` if the paper's differ from the proved ones, and its notes say when it holds
and why. ``..._deviation`` and ``..._epsilon`` are the formulas, as intervals. All parameters are
rational; irrational ones are rounded up, so every value is proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import ClassVar, TypeVar

from pac_stability import arguments
from pac_stability._report import Tabled
from pac_stability.arguments import as_probability
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, Interval, as_constants
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.compression.bounds import Reading, require_reading
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, basic_composition
from pac_stability.notions import chain_rule, group_privacy, two_point_generalization
from pac_stability.notions.robust_generalization import tolerated_deviation
from pac_stability.papers.cummings_et_al.simulators import ResamplingPrivacy
from pac_stability.papers.guarantees import Implication, OutputCount, Rule, at_once, itself

_GRID = 1 << 64  # rounded parameters are multiples of one over this
_LARGEST = 1 << 20  # an epsilon whose factor has a million digits is no guarantee


@dataclass(frozen=True, slots=True, repr=False)
class PerfectGuarantee(Tabled):
    """(beta, epsilon, delta)-perfect generalization, on every distribution (Definition 8).

    For every distribution C there is a simulator, a law that does not depend on the sample, to
    which the law of the output on T ~ C^n is (epsilon, delta)-close with probability 1 - beta.

    Parameters
    ----------
    beta
        The share of samples that the simulator may miss, an exact number from 0 to 1.
    epsilon
        An :class:`~pac_stability.arithmetic.Epsilon`.
    delta
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        A parameter is out of its range or not exact.

    Examples
    --------
    >>> PerfectGuarantee(Fraction(1, 10), Epsilon.exactly(2)).delta
    Fraction(0, 1)
    """

    _kind: ClassVar[str] = "perfect generalization"

    beta: Fraction
    epsilon: Epsilon
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "beta", arguments.as_probability(self.beta, "beta"))
        arguments.require_instance(self.epsilon, Epsilon, "epsilon")
        object.__setattr__(self, "delta", arguments.as_probability(self.delta, "delta"))

    @property
    def is_vacuous(self) -> bool:
        """Whether every mechanism has it: beta or delta is 1."""
        return 1 in (self.beta, self.delta)


@dataclass(frozen=True, slots=True, repr=False)
class RobustGuarantee(Tabled):
    """(epsilon, delta)-robust generalization, on every distribution (Definition 5).

    For every distribution D and every adversary that sees the output alone and names a test h,
    |h(S) - h(D)| > epsilon has probability at most delta in the sense of the reading.

    Parameters
    ----------
    epsilon
        The deviation, an exact number of at least 0.
    delta
        The probability of failure, an exact number from 0 to 1.
    reading
        ``"joint"`` or ``"split"``, see :data:`Reading`.

    Raises
    ------
    InvalidInput
        A parameter is out of its range or not exact.

    Examples
    --------
    >>> float(RobustGuarantee(Fraction(1, 4), Fraction(1, 50)).as_split().delta)
    0.2
    """

    _kind: ClassVar[str] = "robust generalization"

    epsilon: Fraction
    delta: Fraction
    reading: Reading = "joint"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", tolerated_deviation(self.epsilon))
        object.__setattr__(self, "delta", arguments.as_probability(self.delta, "delta"))
        require_reading(self.reading)

    @property
    def is_vacuous(self) -> bool:
        """Whether every mechanism has it: epsilon is at least 1, or delta is 1."""
        return self.epsilon >= 1 or self.delta == 1

    def as_joint(self) -> RobustGuarantee:
        """Return the guarantee in the joint reading: the same numbers.

        Notes
        -----
        With p_S for the probability of failure given the sample, ``E[p_S] <= gamma + zeta``.
        """
        return RobustGuarantee(self.epsilon, self.delta, "joint")

    def as_split(self) -> RobustGuarantee:
        """Return the guarantee in the split reading: sqrt(2 delta) for a joint delta, rounded up.

        Notes
        -----
        Let d be the smallest ``gamma + Pr[p_S > gamma]``. Then ``Pr[p_S > gamma] >= d - gamma`` for
        every gamma, and ``E[p_S]``, the integral of the left side over [0, 1], is at least the
        integral of the right side over [0, d]: ``d**2 / 2``.
        """
        if self.reading == "split":
            return self
        delta = min(Fraction(1), rounded_up(Interval.sqrt(2 * self.delta)))
        return RobustGuarantee(self.epsilon, delta, "split")


def rounded_up(value: Interval) -> Fraction:
    """Return a short fraction that is at least the number meant, by less than 2**-64 more."""
    return Fraction(math.ceil(value.upper * _GRID), _GRID)


def factor_above(epsilon: Interval) -> Epsilon:
    """Return a rational factor of at least e**epsilon, for an epsilon known up to an interval."""
    if epsilon.upper > _LARGEST:
        raise InvalidInput("n", "an epsilon for so many examples beyond 2**20", "a smaller epsilon")
    return Epsilon.exactly(max(Fraction(1), rounded_up(Interval.exp(epsilon.upper))))


def joint_failure(delta: arguments.AnyNumber, reading: Reading) -> Fraction:
    """Return the joint probability of failure that gives delta in the reading.

    It is delta itself, or ``delta**2 / 2`` for the split reading: :meth:`RobustGuarantee.as_split`.
    """
    require_reading(reading)
    failure = arguments.as_open_unit(delta, "delta")
    return failure if reading == "joint" else failure**2 / 2


# Processing, repetition and comparison (Section 2.3)

G = TypeVar("G", PrivacyGuarantee, PerfectGuarantee, RobustGuarantee)
O = TypeVar("O")  # noqa: E741  # an outcome
P = TypeVar("P")


def post_process(guarantee: G) -> G:
    """Return the guarantee of a post-processed mechanism: the same.

    Parameters
    ----------
    guarantee
        Any of the three, of a mechanism M.

    Returns
    -------
    PrivacyGuarantee, PerfectGuarantee or RobustGuarantee
        That of A after M, for every randomised A that does not see the sample.

    Raises
    ------
    InvalidInput
        It is not one of the three.

    Notes
    -----
    An adversary against A after M is one against M that runs A first, in both readings. When a
    simulator is close to M(S), the processed simulator (:func:`processed_simulator`) is as close to
    A(M(S)): an event of A's output has, given the output of M, a probability, which is a mixture
    of events. CLNRW16 Lemma 11.

    Examples
    --------
    >>> post_process(RobustGuarantee(Fraction(1, 10), Fraction(1, 20))).epsilon
    Fraction(1, 10)
    """
    if not isinstance(guarantee, PrivacyGuarantee | PerfectGuarantee | RobustGuarantee):
        raise InvalidInput("guarantee", type(guarantee).__name__, "one of the three guarantees")
    return guarantee


def processed_simulator(
    simulator: FiniteDistribution[O], processing: Callable[[O], FiniteDistribution[P]]
) -> FiniteDistribution[P]:
    """Return the simulator for a processed mechanism: the law of the processed simulator.

    Parameters
    ----------
    simulator
        A law on the outputs of M.
    processing
        A function from an output to the law of A on it, such as ``mechanism.law``.

    Raises
    ------
    InvalidInput
        The simulator is not a ``FiniteDistribution``.

    Notes
    -----
    CLNRW16 Lemma 11.

    Examples
    --------
    >>> halves = FiniteDistribution.uniform([0, 1])
    >>> processed_simulator(halves, lambda bit: halves.map(lambda other: bit * other))
    FiniteDistribution({0: 3/4, 1: 1/4})
    """
    arguments.require_instance(simulator, FiniteDistribution, "simulator")
    return FiniteDistribution.mixture((weight, processing(o)) for o, weight in simulator.items())


def compose_perfect(guarantees: Iterable[PerfectGuarantee]) -> PerfectGuarantee:
    """Return the guarantee of mechanisms that are run on one sample, with coins of their own.

    Parameters
    ----------
    guarantees
        One for each mechanism.

    Returns
    -------
    PerfectGuarantee
        That of the tuple of outputs: the betas and the epsilons add up, and 1 - delta is the
        product of the 1 - delta_i. Vacuous when the betas reach 1.

    Raises
    ------
    InvalidInput
        One of the arguments is not such a guarantee.

    Notes
    -----
    *Proof.* Except with probability ``beta_1 + ... + beta_k`` all laws are close to their
    simulators. Laws that are (epsilon_i, delta_i)-close differ as a randomized response that
    reveals everything with probability delta_i (Kairouz, Oh and Viswanath 2015), so the product of
    the simulators has the parameters of :func:`~pac_stability.mechanisms.basic_composition`. The
    delta is below the sum of the delta_i. CLNRW16 Theorem 12 has all deltas 0.

    The mechanisms may not depend on one another's outputs. For adaptive choices see Bassily and
    Freund, *Typicality-based stability and privacy*, 2016. Robust generalization does not compose,
    not even non-adaptively.

    Examples
    --------
    >>> one = PerfectGuarantee(Fraction(1, 20), Epsilon.exactly(2), Fraction(1, 10))
    >>> both = compose_perfect([one, one])
    >>> both.beta, both.epsilon.ratio, both.delta
    (Fraction(1, 10), Fraction(4, 1), Fraction(19, 100))
    """
    kept = tuple(guarantees)
    for guarantee in kept:
        arguments.require_instance(guarantee, PerfectGuarantee, "guarantee")
    total = basic_composition(PrivacyGuarantee(g.epsilon, g.delta) for g in kept)
    missed = sum((g.beta for g in kept), Fraction())
    return PerfectGuarantee(min(missed, Fraction(1)), total.epsilon, total.delta)


def product_simulator(
    simulators: Iterable[FiniteDistribution[O]],
) -> FiniteDistribution[tuple[O, ...]]:
    """Return the simulator for several mechanisms: independent draws, as a tuple.

    Parameters
    ----------
    simulators
        One for each mechanism.

    Notes
    -----
    CLNRW16 Theorem 12.

    Examples
    --------
    >>> product_simulator([FiniteDistribution.uniform("ab")] * 2).probability(("a", "b"))
    Fraction(1, 4)
    """
    empty: FiniteDistribution[tuple[O, ...]] = FiniteDistribution.point_mass(())
    return reduce(
        lambda done, law: done.product(law).map(lambda pair: (*pair[0], pair[1])), simulators, empty
    )


@dataclass(frozen=True, slots=True, repr=False)
class ClosePair(Tabled):
    """The closeness of the laws on two independent samples, and its probability.

    Attributes
    ----------
    probability
        A lower bound on the probability, over both samples, that the two laws are close.
    epsilon, delta
        The parameters of closeness; a delta of 1 or more says nothing.
    """

    _kind: ClassVar[str] = "close laws on two samples"

    probability: Fraction
    epsilon: Epsilon
    delta: Fraction


def close_pair(
    guarantee: PerfectGuarantee, *, constants: ConstantsLike = Constants.SHARP
) -> ClosePair:
    """Return how close the laws of a perfectly generalizing mechanism on two samples are.

    Parameters
    ----------
    guarantee
        That of the mechanism.
    constants
        Printed: with probability 1 - 2 beta, (2 epsilon, 3 delta), for epsilon < ln 2. Proved and
        sharp: with probability (1 - beta)**2, (2 epsilon, (1 + e**epsilon) delta), always.

    Returns
    -------
    ClosePair
        For two independent samples from any one distribution.

    Raises
    ------
    InvalidInput
        With the printed constants, epsilon is ln 2 or more.

    Notes
    -----
    Each sample is close to the simulator with probability 1 - beta, independently of the other;
    then :func:`~pac_stability.notions.chain_rule.chain`. CLNRW16 Corollary 10.

    Examples
    --------
    >>> close_pair(PerfectGuarantee(Fraction(1, 10), Epsilon.exactly(3), Fraction(1, 100)))
    <ClosePair: probability 81/100 (0.81), epsilon 2.19722 (a factor of 9), delta 1/25 (0.04)>
    """
    arguments.require_instance(guarantee, PerfectGuarantee, "guarantee")
    whose = as_constants(constants)
    if whose is Constants.PRINTED:
        link = (guarantee.epsilon, guarantee.delta)
        epsilon, delta = close_ends(link, link, constants="printed")
        return ClosePair(max(1 - 2 * guarantee.beta, Fraction()), epsilon, delta)
    epsilon, delta = chain_rule.chain_of_equal_links(guarantee.epsilon, guarantee.delta, 2)
    return ClosePair((1 - guarantee.beta) ** 2, epsilon, delta)


def close_ends(
    first: chain_rule.Link, second: chain_rule.Link, *, constants: ConstantsLike = Constants.SHARP
) -> tuple[Epsilon, Fraction]:
    """Return how close J1 and J3 are when both are close to J2.

    Parameters
    ----------
    first, second
        The (epsilon, delta) of J1 and J2, and that of J2 and J3.
    constants
        Printed: the sum of the epsilons with 2 (delta + delta'), or 3 delta when the deltas are
        equal, for epsilons below ln 2. Proved and sharp: the sum of the epsilons with
        ``max(delta + t delta', delta' + t' delta)``, always.

    Returns
    -------
    (Epsilon, Fraction)
        A delta of 1 or more is vacuous.

    Raises
    ------
    InvalidInput
        A parameter is not one or, with the printed constants, an epsilon is ln 2 or more.

    Notes
    -----
    CLNRW16 Lemma 9. The sharp form is :func:`~pac_stability.notions.chain_rule.chain`, proved and
    attained there; only the paper's deltas need the condition.

    Examples
    --------
    >>> link = (Epsilon.exactly(Fraction(3, 2)), Fraction(1, 100))
    >>> close_ends(link, link)[1], close_ends(link, link, constants="printed")[1]
    (Fraction(1, 40), Fraction(3, 100))
    """
    whose = as_constants(constants)
    if whose is not Constants.PRINTED:
        return chain_rule.chain([first, second])
    factors = [factor_of(epsilon) for epsilon, _ in (first, second)]
    if max(factors) >= 2:
        raise InvalidInput("epsilon", f"e**epsilon = {max(factors)}", "epsilons below ln 2")
    one, other = (as_probability(delta, "delta") for _, delta in (first, second))
    return Epsilon.exactly(math.prod(factors)), 3 * one if one == other else 2 * (one + other)


# From privacy to perfect generalization: Theorem 39, and group privacy


def private_to_perfect_epsilon(
    guarantee: PrivacyGuarantee,
    n: int,
    beta: arguments.AnyNumber,
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
        The number of possible outputs, at least 1.
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
    *Proof.* Outputs of probability 0 on one sample have probability 0 on all, and are omitted. Let
    ``q(S, r) = ln Pr[M(S) = r]``: one example changes it by at most epsilon. By McDiarmid's
    inequality and a union bound, ``|q(S, r) - E q(S, r)| <= tau`` for all r with probability 1 -
    beta. The simulator has weights ``w(r) = exp(E q(S, r))``, divided by their sum Z. Then Pr[M(S)
    = r] over the simulator's probability of r is ``Z exp(q - E q)``, and Z lies

    - below 1, as ``exp(E q) <= E exp(q)`` and the right side sums to 1;
    - above ``exp(-tau)``, as the left side of ``w(r) >= exp(-tau) Pr[M(S) = r]`` sums to Z;
    - above ``exp(-n epsilon**2 / 8)``, as ``E exp(q) <= exp(E q + n epsilon**2 / 8)`` (the step
      before McDiarmid's inequality) sums to ``1 <= Z exp(n epsilon**2 / 8)``.

    So the ratio is at most ``exp(tau)`` on one side, times the second or third bound on the other;
    the paper uses ``exp(tau)`` for Z on both sides. No epsilon above n epsilon is needed, by group
    privacy.

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
    size, share = _pure(guarantee, n), arguments.as_open_unit(beta, "beta")
    whose = as_constants(constants)
    count = arguments.as_size(outputs, "outputs", least=1)
    epsilon = guarantee.epsilon.interval()
    tau = epsilon * Interval.sqrt(Interval.log(2 * count / share) * Fraction(size, 2))
    if whose is Constants.PRINTED:
        return 2 * tau
    return _least(tau + _least(tau, epsilon * epsilon * Fraction(size, 8)), epsilon * size)


def any_range_epsilon(
    guarantee: PrivacyGuarantee, n: int, beta: arguments.AnyNumber, delta: arguments.AnyNumber
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

    Unlike Theorem 39 there is no number of outputs. The statement is new in this library.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> private = PrivacyGuarantee(Epsilon("1/50"))
    >>> print(f"{float(any_range_epsilon(private, 1000, '1/20', '1/1000')):.3f}")
    1.506
    """
    size = _pure(guarantee, n)
    eta = arguments.as_open_unit(beta, "beta") * arguments.as_open_unit(delta, "delta") / 2
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
    arguments.require_instance(guarantee, PrivacyGuarantee, "guarantee")
    whose = as_constants(constants)
    distance = arguments.as_size(n, "n", least=1)
    if elements is not None:
        distance -= distance // arguments.as_size(elements, "elements", least=1)
    if distance == 0:
        return PerfectGuarantee(Fraction(0), guarantee.epsilon * 0)
    epsilon, delta = group_privacy.bound(guarantee.epsilon, guarantee.delta, distance)
    if whose is Constants.PRINTED:
        delta = group_privacy.simpler_delta(guarantee.epsilon, guarantee.delta, distance)
    return PerfectGuarantee(Fraction(0), epsilon, min(delta, Fraction(1)))


def _pure(guarantee: PrivacyGuarantee, n: int) -> int:
    """Return n, refusing what is not a guarantee with delta = 0."""
    arguments.require_instance(guarantee, PrivacyGuarantee, "guarantee")
    if guarantee.delta:
        raise InvalidInput("guarantee", f"delta = {guarantee.delta}", "delta = 0")
    return arguments.as_size(n, "n", least=1)


def _least(one: Interval, other: Interval) -> Interval:
    """Enclose the smaller of two numbers."""
    return Interval(min(one.lower, other.lower), min(one.upper, other.upper))


def _perfect(
    epsilon: Interval,
    guarantee: PrivacyGuarantee,
    n: int,
    beta: arguments.AnyNumber,
    outputs: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> PerfectGuarantee:
    return PerfectGuarantee(arguments.as_open_unit(beta, "beta"), factor_above(epsilon))


def _perfect_any_range(
    epsilon: Interval,
    guarantee: PrivacyGuarantee,
    n: int,
    beta: arguments.AnyNumber,
    delta: arguments.AnyNumber,
) -> PerfectGuarantee:
    share, lost = arguments.as_open_unit(beta, "beta"), arguments.as_open_unit(delta, "delta")
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


# From privacy to robust generalization: Theorem 20, with constants that are proved

# *Pure privacy.* Let m(S) be the probability of an output on S, epsilon the privacy parameter and
# ``a = n epsilon**2 / 8``. For S of n independent examples and every exponent k >= 1,
#
#     (E m**k)**(1/k) <= exp((k - 1) a) E m.                                            (*)
#
# For n = 1 put ``L(u) = ln E m**u``. The values of ln m are within epsilon of one another, so that
# ``L'' <= epsilon**2 / 4`` (the variance of a variable in an interval, under a tilted law). Then
# ``k L'(k) - L(k)``, the integral of ``u L''(u)`` up to k, is at most ``k**2 epsilon**2 / 8``, so
# the derivative of L(k)/k is at most ``epsilon**2 / 8``. For larger n, average one example after
# the other: given the first examples, the mean of m over the others again changes by a factor of at
# most e**epsilon with each of them, and the inequality for n = 1 applies n times.
#
# Now let the adversary's test for an output be off by more than alpha on a set of samples, which
# has probability at most ``2 exp(-2 n alpha**2) = exp(-l)``. By Hoelder's inequality with exponent
# k, the output occurs together with that set with probability at most ``exp((k - 1) a - l (1 -
# 1/k)) E m``. For ``k = sqrt(l / a)``, and summed over the outputs:
#
#     J <= exp(-(sqrt(l) - sqrt(a))**2)    when l >= a.
#
# The deviation for a given J is thus at most ``epsilon / 4 + sqrt(ln(2 / J) / (2 n))``.
#
# *Approximate privacy.* Two steps: the mean of h(S) given the output is near h(D)
# (:func:`posterior_failure`), and h(S) is near that mean when a noisy value of h(S) is released
# with the output (:class:`Release`).


def pure_privacy_deviation(
    guarantee: PrivacyGuarantee, n: int, delta: arguments.AnyNumber, *, reading: Reading = "joint"
) -> Interval:
    """Enclose the deviation that a purely private mechanism exceeds with probability <= delta.

    Parameters
    ----------
    guarantee
        The privacy of the mechanism; its delta must be 0.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure of robust generalization, above 0 and below 1.
    reading
        Of Definition 5.

    Returns
    -------
    Interval
        ``sqrt((l + ln 2) / (2 n))`` with ``sqrt(l) = sqrt(ln(1/J)) + epsilon sqrt(n/8)``, for
        J = delta, or ``delta**2 / 2`` in the split reading.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the delta of the guarantee is not 0.

    Notes
    -----
    Proved at the head of this module. A statement of this library; compare CLNRW16 Theorem 20.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/10"))
    >>> found = pure_privacy_deviation(private, 10_000, "1/1000")
    >>> simpler = Fraction(1, 40) + Interval.sqrt(Interval.log(2000) / 20_000)
    >>> found < simpler, f"{float(found):.4f}", f"{float(simpler):.4f}"
    (True, '0.0440', '0.0445')
    """
    size = _pure(guarantee, n)
    tail = Interval.sqrt(Interval.log(1 / joint_failure(delta, reading)))
    root = tail + guarantee.epsilon.interval() * Interval.sqrt(Fraction(size, 8))
    return Interval.sqrt((root * root + Interval.log(2)) / (2 * size))


def posterior_failure(guarantee: PrivacyGuarantee, deviation: arguments.AnyNumber) -> Fraction:
    """Bound the probability that the sample's mean given the output is far from the truth.

    Parameters
    ----------
    guarantee
        The (epsilon, delta)-privacy of the mechanism.
    deviation
        g, above 0 and at most 1.

    Returns
    -------
    Fraction
        A bound, at most 1, on ``Pr[|E[h_Y(S) | Y] - h_Y(D)| >= g]`` for the output Y and the test
        h_Y that an adversary names: ``delta / (g - (t - 1) (1 - g)**2 / 4)`` for t = e**epsilon, as
        long as that is positive, which is for ``g > tanh(epsilon / 4)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Proof.* Let B be the set of outputs where that happens; replacing some tests by their
    complements, let the mean be too large for all of them. For an index j and a fresh z ~ D, which
    takes the place of S_j in a neighbouring sample, privacy compares the events "Y is in B, h_Y
    contains S_j and not z". Exchanging the names of S_j and z on the right,

        E 1_B h_Y(S_j) (1 - h_Y(D)) <= t E 1_B h_Y(D) (1 - h_Y(S_j)) + delta.

    Average over j: for p = h_Y(D) and q = E[h_Y(S) | Y], ``E 1_B (q (1 - p) - t p (1 - q)) <=
    delta``. On B, q is at least p + g, and the bracket is least for q = p + g and p = (1 - g)/2,
    where it is the denominator above.

    With delta = 0 and n = 1, ``tanh(epsilon / 4)`` is attained by randomized response on a biased
    bit. The idea, that conditioning on the output suffices, is from Jung, Ligett, Neel, Roth,
    Sharifi-Malvajerdi and Shenfeld, *A new analysis of differential privacy's generalization
    guarantees*, 2020; they have ``delta / (g - (t - 1))``.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon.exactly(Fraction(5, 4)), Fraction(1, 1000))
    >>> posterior_failure(private, "1/10")
    Fraction(8, 395)
    """
    arguments.require_instance(guarantee, PrivacyGuarantee, "guarantee")
    g = arguments.as_number(deviation, "deviation")
    if not 0 < g <= 1:
        raise InvalidInput("deviation", arguments.in_words(g), "above 0 and at most 1")
    gap = g - (guarantee.factor - 1) * (1 - g) ** 2 / 4
    return Fraction(1) if gap <= guarantee.delta else guarantee.delta / gap


@dataclass(frozen=True, slots=True)
class Release:
    """A number with bounded noise: z from -width to width with weight ``decay**|z|``.

    Parameters
    ----------
    width
        w, at least 1.
    decay
        Above 0 and below 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> round(float(Release(2, Fraction(1, 2)).guarantee.delta), 12)
    0.1
    """

    width: int
    decay: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", arguments.as_size(self.width, "width", least=1))
        object.__setattr__(self, "decay", arguments.as_open_unit(self.decay, "decay"))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy for a number that one example changes by at most 1.

        Between z and z + 1 the weights differ by the factor 1/decay, except that one end is
        possible on one side only: its probability, rounded up, is the delta.
        """
        # The exact power may have millions of digits.
        end = Interval.exp(Interval.log(self.decay) * self.width).upper
        delta = end * (1 - self.decay) / (1 + self.decay - 2 * self.decay * end)
        return PrivacyGuarantee(Epsilon.exactly(1 / self.decay), delta)


def released_deviation(
    guarantee: PrivacyGuarantee,
    n: int,
    delta: arguments.AnyNumber,
    release: Release,
    *,
    reading: Reading = "joint",
) -> Interval:
    """Enclose the deviation that a private mechanism exceeds with probability <= delta.

    Parameters
    ----------
    guarantee
        The (epsilon, delta')-privacy of the mechanism.
    n, delta, reading
        As for :func:`pure_privacy_deviation`.
    release
        The noise in the proof; every choice gives a valid bound.

    Returns
    -------
    Interval
        ``2 w / n + g`` for the g at which :func:`posterior_failure`, for the mechanism that also
        releases n h(S) with noise, is delta; 1 if there is none.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Proof.* Let the mechanism also output ``a = n h(S) + z``, for the test h that the adversary
    names. By composition it is private with the factors multiplied and, at most, the deltas added.
    Given (h, a), all samples that are possible have ``n h(S)`` between a - w and a + w, and so has
    their mean; they are at most 2 w / n apart. With probability 1 - delta the mean is within g of
    h(D).

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/10"), Fraction(1, 10**9))
    >>> found = released_deviation(private, 10_000, "1/1000", Release(200, Fraction(9, 10)))
    >>> print(f"{float(found):.4f}")
    0.0913
    """
    arguments.require_instance(guarantee, PrivacyGuarantee, "guarantee")
    size = arguments.as_size(n, "n", least=1)
    failure = joint_failure(delta, reading)
    arguments.require_instance(release, Release, "release")
    total = basic_composition([guarantee, release.guarantee])
    share = total.delta / failure
    if share >= 1:
        return Interval.exactly(1)
    # The root of g - (t - 1) (1 - g)**2 / 4 = share.
    root = Interval.sqrt(1 + (total.factor - 1) * (1 - share))
    return Fraction(2 * release.width, size) + (1 - 2 * (1 - share) / (1 + root))


def private_deviation(
    guarantee: PrivacyGuarantee, n: int, delta: arguments.AnyNumber, *, reading: Reading = "joint"
) -> Interval:
    """Enclose the deviation that a private mechanism exceeds with probability <= delta.

    Parameters
    ----------
    guarantee
        The (epsilon, delta')-privacy of the mechanism.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure, above 0 and below 1; the bound is vacuous unless it exceeds
        delta'.
    reading
        Of Definition 5.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    For delta' = 0 it is :func:`pure_privacy_deviation`; otherwise :func:`released_deviation` for a
    release that suits n and delta. Roughly, with J for the joint failure,

        epsilon / 4 + sqrt(ln(2 / J) / (2 n))                       for delta' = 0,
        epsilon / 4 + delta' / J + sqrt(2 ln(n / J) / n)            otherwise,

    so that (epsilon, delta')-privacy gives a deviation of the order of epsilon with probability
    delta'/epsilon, as Theorem 20 says. :func:`theorem_20` has the constants of the cited source.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/10"), Fraction(1, 10**9))
    >>> print(f"{float(private_deviation(private, 10_000, '1/1000')):.4f}")
    0.0715
    """
    arguments.require_instance(guarantee, PrivacyGuarantee, "guarantee")
    size = arguments.as_size(n, "n", least=1)
    if not guarantee.delta:
        return pure_privacy_deviation(guarantee, size, delta, reading=reading)
    release = _release(size, joint_failure(delta, reading))
    return released_deviation(guarantee, size, delta, release, reading=reading)


def _robust(
    deviation: Interval,
    guarantee: PrivacyGuarantee,
    n: int,
    delta: arguments.AnyNumber,
    *,
    reading: Reading = "joint",
) -> RobustGuarantee:
    return RobustGuarantee(rounded_up(deviation), arguments.as_open_unit(delta, "delta"), reading)


private_to_robust = Implication(
    claim="CLNRW16:theorem-20.explicit",
    premise=PrivacyGuarantee,
    conclusion=RobustGuarantee,
    bound=private_deviation,
    into=_robust,
    given=lambda rule, private, n, wanted: rule(private, n, wanted.failure, reading=wanted.reading),
)
"""The robust generalization of a differentially private mechanism, on all distributions and against
all adversaries."""


def theorem_20(guarantee: PrivacyGuarantee, n: int) -> RobustGuarantee:
    """Return Theorem 20 with the constants of its source: (18 epsilon, delta / epsilon).

    Parameters
    ----------
    guarantee
        The (epsilon, delta)-privacy of the mechanism, with epsilon below 1/3 and delta above 0 and
        below epsilon/4.
    n
        The size of the samples, at least ``ln(4 epsilon / delta) / epsilon**2``.

    Returns
    -------
    RobustGuarantee
        In the joint reading; the parameters are rounded up.

    Raises
    ------
    InvalidInput
        The conditions do not hold, or are too close to decide.

    Notes
    -----
    Theorem 20 hides its constants; these are from the transfer theorem of Bassily, Nissim, Smith,
    Steinke, Stemmer and Ullman, *Algorithmic stability for adaptive data analysis*, 2016, quoted
    and not proved here. :func:`private_to_robust` is proved here, and smaller on every compared
    instance. The theorem needs delta > 0: a purely private mechanism is fed with any.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/20"), Fraction(1, 10**6))
    >>> quoted = theorem_20(private, 10_000)
    >>> proved = private_to_robust(private, 10_000, quoted.delta)
    >>> print(f"{float(quoted.epsilon):.3f} {float(proved.epsilon):.3f}")
    0.900 0.114
    """
    arguments.require_instance(guarantee, PrivacyGuarantee, "guarantee")
    size = arguments.as_size(n, "n", least=1)
    epsilon, delta = guarantee.epsilon.interval(), guarantee.delta
    if not (epsilon.upper < Fraction(1, 3) and 0 < 4 * delta < epsilon.lower):
        raise InvalidInput("guarantee", repr(guarantee), "epsilon < 1/3 and 0 < delta < epsilon/4")
    needed = Interval.log(4 * epsilon / delta) / (epsilon * epsilon)
    if size < needed.upper:
        raise InvalidInput("n", str(size), f"at least {math.ceil(needed.upper)}")
    failure = min(Fraction(1), rounded_up(delta / epsilon))
    return RobustGuarantee(rounded_up(18 * epsilon), failure)


def _release(n: int, failure: Fraction) -> Release:
    """Return a release for which the deviation is small.

    The floats choose among proofs, each of which is valid.
    """
    lost = float(Interval.log(failure))
    found = [(2.0, 1, Fraction(1, 2))]
    for quarter in range(-8, 4 * n.bit_length()):
        rate = 2.0 ** (-quarter / 4)
        # Beyond epsilon/4 the deviation is about 2 w / n + rate / 4 + delta of the noise / failure.
        width = round((math.log(n * rate * rate / 4) - lost) / rate)
        decay = Fraction(math.exp(-rate)).limit_denominator(1 << 32)
        if 1 <= width < n and 0 < decay < 1:
            ends = rate / 2 / -math.expm1(-rate * width)
            excess = ends * math.exp(-rate * width - lost)
            found.append((2 * width / n + rate / 4 + excess, width, decay))
    return Release(*min(found)[1:])


# From few outputs to robust generalization: Theorem 21


def finite_range_deviation(
    outputs: int,
    n: int,
    delta: arguments.AnyNumber,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> Interval:
    """Enclose the deviation that a mechanism with few outputs exceeds with probability <= delta.

    Parameters
    ----------
    outputs
        The number of outputs, at least 1.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure, above 0 and below 1.
    reading
        Of Definition 5.
    constants
        Printed: ``sqrt(ln(R / delta) / (2 n))`` for R outputs, which is valid, for n up to 20 and
        in the joint reading, as long as ``delta / R`` is at most 0.2231. Proved and sharp:
        ``sqrt(ln(2 R / delta) / (2 n))``, and ``sqrt(ln(4 R / delta**2) / (2 n))`` for the split
        reading.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Where the printed one holds.* Definition 5 counts deviations of both signs, so Hoeffding's
    inequality gives a factor of 2 in the logarithm. The failure of one test is less than that, and
    the printed deviation is valid for every delta of practical use: ``CLNRW16:theorem-21.range``
    has the exact range. Outside, let D be uniform on pairs of bits, n = 2, and M say which of the
    two bits is constant on the sample (the second when the first is not). That bit is off by 1/2
    with probability 3/4, while the printed deviation is below 1/2 from delta = 2/e = 0.7358 on.

    *Proof of the repaired one.* The adversary names one test h for each output. ``|h(S) - h(D)| >
    alpha`` for one of R fixed tests has probability at most ``2 R exp(-2 n alpha**2)``. An
    adversary that tosses coins is a mixture of such. The split reading follows from
    :meth:`RobustGuarantee.as_split`.

    Source: CLNRW16 Theorem 21, which cites Dwork et al. 2015.

    Examples
    --------
    >>> printed = finite_range_deviation(2, 2, "37/50", constants="printed")
    >>> repaired = finite_range_deviation(2, 2, "37/50")
    >>> printed < Fraction(1, 2) < repaired
    True
    """
    size = arguments.as_size(n, "n", least=1)
    count = arguments.as_size(outputs, "outputs", least=1)
    whose = as_constants(constants)
    ratio = 2 * count / joint_failure(delta, reading)
    if whose is Constants.PRINTED:
        ratio = count / arguments.as_open_unit(delta, "delta")
    return Interval.sqrt(Interval.log(ratio) / (2 * size))


def _few_robust(
    deviation: Interval,
    outputs: int,
    n: int,
    delta: arguments.AnyNumber,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> RobustGuarantee:
    return RobustGuarantee(rounded_up(deviation), arguments.as_open_unit(delta, "delta"), reading)


finite_range_to_robust = Implication(
    claim="CLNRW16:theorem-21.repaired",
    premise=OutputCount,
    conclusion=RobustGuarantee,
    bound=finite_range_deviation,
    into=_few_robust,
    given=lambda rule, few, n, wanted: rule(few.outputs, n, wanted.failure, reading=wanted.reading),
)
"""The robust generalization of every mechanism with few outputs, on all distributions and against
all adversaries (with the printed constants, where ``CLNRW16:theorem-21.range`` says)."""


def finite_range_failure(outputs: int, n: int, epsilon: arguments.AnyNumber) -> Fraction:
    """Bound the probability that a mechanism with few outputs fails by more than epsilon.

    Parameters
    ----------
    outputs, n
        As for :func:`finite_range_deviation`.
    epsilon
        The deviation that is tolerated, an exact number of at least 0.

    Returns
    -------
    Fraction
        At most 1, in the joint reading. For one output it is the supremum, over distributions, of
        the best adversary's success, up to the rounding of an irrational number.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The union bound of Theorem 21 with the exact worst case of one test in place of Hoeffding's
    inequality: R times the supremum over p of ``Pr[|K/n - p| > epsilon]`` for K binomial
    (:func:`~pac_stability.notions.two_point_generalization.failure_over_two_points`).

    Examples
    --------
    >>> finite_range_failure(1, 2, "1/4"), finite_range_failure(3, 20, "2/5") < Fraction(1, 400)
    (Fraction(5, 8), True)
    """
    count = arguments.as_size(outputs, "outputs", least=1)
    worst = two_point_generalization.failure_over_two_points(n, epsilon).value
    return min(Fraction(1), count * (worst.upper if isinstance(worst, Interval) else worst))


# From perfect to robust generalization: Lemma 36


def perfect_deviation(
    guarantee: PerfectGuarantee,
    n: int,
    delta: arguments.AnyNumber | None = None,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> Interval:
    """Enclose a deviation that a mechanism exceeds with probability at most delta.

    Parameters
    ----------
    guarantee
        The (beta, epsilon, delta')-perfect generalization of the mechanism.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure of robust generalization, below 1; ``2 (beta + delta')`` when it
        is left out. It must exceed what perfect generalization leaves open: ``beta + (1 - beta)
        delta'``, or ``beta + delta'`` in the split reading.
    reading
        Of Definition 5.
    constants
        Printed: ``sqrt((2/n) ln(2 (2 epsilon + 1) / (beta + delta')))``, as printed, which
        needs epsilon <= 1, ``beta + delta' > 0`` and no other delta; it serves both readings.
        Proved and sharp: with s for the excess of delta over what is left open, and t = e**epsilon,
        ``sqrt(ln(2 t / s) / (2 n))``, and ``sqrt(ln(4 t / s**2) / (2 n))`` for the split reading.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidInput
        A parameter is out of range, or there is no deviation for this delta.

    Notes
    -----
    *Proof.* Let q_S be the probability that a test named by the adversary from the *simulator's*
    output is off on S by alpha or more. The simulator does not see S, so Hoeffding's inequality
    gives ``E[q_S] <= 2 exp(-2 n alpha**2)``. When the law on S is close to the simulator's, the
    probability of failure on S is ``p_S <= t q_S + delta'``; other samples have probability at most
    beta. So ``E[p_S] <= beta + (1 - beta) delta' + 2 t exp(-2 n alpha**2)``.

    In the split reading, for every g take ``gamma = delta' + t g`` and for zeta the probability
    that the law is not close or ``q_S > g``: their sum is ``beta + delta' + (t g + Pr[q_S > g])``.
    Let d be the smallest value of the bracket. As ``Pr[q_S > g] >= d - t g``, the mean of q_S is at
    least the integral of that over ``[0, d/t]``, which is ``d**2 / (2 t)``. So
    ``d <= sqrt(2 t E[q_S]) <= 2 sqrt(t) exp(-n alpha**2)``.

    *The printed alpha* is twice as large as its proof needs, since ``exp(-2 n alpha**2)`` is the
    fourth power of what is written there. That makes the split reading true as well: with
    ``b = beta + delta'``, ``2 sqrt(t) (b / (2 (1 + 2 epsilon)))**2 <= b`` because ``b < 2`` and
    ``sqrt(t) <= 1 + 2 epsilon``.

    The deviation hardly depends on epsilon: it is the sampling error of a fixed test, and closeness
    only multiplies the probability of failure.

    Source: CLNRW16 Lemma 36.

    Examples
    --------
    >>> perfect = PerfectGuarantee(Fraction(1, 100), Epsilon(1))
    >>> for constants in ("printed", "sharp"):
    ...     print(f"{float(perfect_deviation(perfect, 1000, constants=constants)):.4f}")
    0.1131
    0.0561
    """
    arguments.require_instance(guarantee, PerfectGuarantee, "guarantee")
    require_reading(reading)
    whose = as_constants(constants)
    size = arguments.as_size(n, "n", least=1)
    beta, lost = guarantee.beta, guarantee.delta
    if whose is Constants.PRINTED:
        if guarantee.epsilon > Epsilon(1) or beta + lost == 0:
            raise InvalidInput(
                "guarantee", repr(guarantee), "epsilon at most 1 and a positive beta + delta"
            )
        if delta is not None:
            raise InvalidInput("delta", str(delta), "None with the printed constants")
        ratio = 2 * (2 * guarantee.epsilon.interval() + 1) / (beta + lost)
        return Interval.sqrt(Interval.log(ratio) * 2 / size)
    open_share = beta + lost - (beta * lost if reading == "joint" else 0)
    slack = _target(guarantee, delta) - open_share
    if slack <= 0:
        raise InvalidInput(
            "delta", arguments.in_words(slack + open_share), f"more than {open_share}"
        )
    t = guarantee.epsilon.ratio
    needed = 2 * t / slack if reading == "joint" else 4 * t / slack**2
    return Interval.sqrt(Interval.log(needed) / (2 * size))


def _target(guarantee: PerfectGuarantee, delta: arguments.AnyNumber | None) -> Fraction:
    return arguments.as_open_unit(
        2 * (guarantee.beta + guarantee.delta) if delta is None else delta, "delta"
    )


def _perfect_robust(
    deviation: Interval,
    guarantee: PerfectGuarantee,
    n: int,
    delta: arguments.AnyNumber | None = None,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> RobustGuarantee:
    return RobustGuarantee(rounded_up(deviation), _target(guarantee, delta), reading)


perfect_to_robust = Implication(
    claim="CLNRW16:lemma-36",
    premise=PerfectGuarantee,
    conclusion=RobustGuarantee,
    bound=perfect_deviation,
    into=_perfect_robust,
    given=lambda rule, perfect, n, wanted: rule(perfect, n, wanted.failure, reading=wanted.reading),
)
"""The robust generalization of a mechanism that generalizes perfectly, against all adversaries; on
the distributions on which it does."""


# All of them, for ``claims.what_follows``

_EXACT = 64  # powers of more examples have too many digits


@dataclass(frozen=True, slots=True, repr=False)
class GroupGuarantee(Tabled):
    """Laws on samples that differ in up to ``size`` examples are (epsilon, delta)-close."""

    _kind: ClassVar[str] = "privacy of groups"

    size: int
    epsilon: Epsilon
    delta: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class ResampledGuarantee(Tabled):
    """The mechanism is private if it runs on a resample, drawn with replacement."""

    _kind: ClassVar[str] = "differential privacy on a resample"

    privacy: PrivacyGuarantee


def group_guarantee(guarantee: PrivacyGuarantee, size: int) -> GroupGuarantee:
    """Return the privacy of groups: :func:`pac_stability.notions.group_privacy.bound`.

    Parameters
    ----------
    guarantee
        That for one example.
    size
        The most examples that differ, at least 1.

    Raises
    ------
    InvalidInput
        The size is not a positive integer.

    Examples
    --------
    >>> group_guarantee(PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 100)), 3).delta
    Fraction(7, 100)
    """
    epsilon, delta = group_privacy.bound(guarantee.epsilon, guarantee.delta, size)
    return GroupGuarantee(size, epsilon, min(delta, Fraction(1)))


def resampled(guarantee: PerfectGuarantee, n: int) -> ResampledGuarantee:
    """Return the privacy of Algorithm 2 over a perfectly generalizing mechanism.

    Parameters
    ----------
    guarantee
        Perfect generalization on samples of size n, on all distributions.
    n
        At least 1.

    Raises
    ------
    InvalidInput
        beta is 1, or n is not a positive integer.

    Notes
    -----
    :class:`~pac_stability.papers.cummings_et_al.ResamplingPrivacy`, repaired: CLNRW16 Theorem 32.

    Examples
    --------
    >>> perfect = PerfectGuarantee(Fraction(1, 100), Epsilon.exactly(2), Fraction(1, 1000))
    >>> float(resampled(perfect, 10).privacy.delta)
    0.02485
    """
    # Its conditions on beta grow weaker with n, and powers of n have n times as many digits.
    size = min(n, _EXACT)
    found = ResamplingPrivacy(size, guarantee.beta, guarantee.epsilon, guarantee.delta)
    return ResampledGuarantee(found.guarantee)


def _quoted(guarantee: PrivacyGuarantee, n: int, reading: Reading) -> RobustGuarantee:
    found = theorem_20(guarantee, n)
    return found.as_split() if reading == "split" else found


def _group_to_perfect(
    guarantee: PrivacyGuarantee, n: int, elements: int | None
) -> PerfectGuarantee:
    """Return :func:`group_to_perfect`, from 64 examples on with numbers that are rounded up."""
    if n <= _EXACT:
        return group_to_perfect(guarantee, n, elements=elements)
    distance = n if elements is None else n - n // elements
    epsilon, t = guarantee.epsilon.interval() * distance, guarantee.factor
    if epsilon.upper > _EXACT:
        raise InvalidInput("n", str(n), f"at most {_EXACT} for n epsilon")
    factor = factor_above(epsilon)
    lost = guarantee.delta * (distance if t == 1 else (factor.ratio - 1) / (t - 1))
    return PerfectGuarantee(Fraction(0), factor, min(lost, Fraction(1)))


RULES: tuple[Rule, ...] = (
    finite_range_to_robust,
    private_to_robust,
    Implication(
        claim="CLNRW16:theorem-20",
        premise=PrivacyGuarantee,
        conclusion=RobustGuarantee,
        bound=_quoted,
        into=itself,
        given=lambda rule, private, n, wanted: rule(private, n, wanted.reading),
    ),
    perfect_to_robust,
    private_to_perfect,
    private_to_perfect_any_range,
    Implication(
        claim="CLNRW16:group-privacy",
        premise=PrivacyGuarantee,
        conclusion=PerfectGuarantee,
        bound=_group_to_perfect,
        into=itself,
        given=lambda rule, private, n, wanted: rule(private, n, wanted.elements),
    ),
    Implication(
        claim="CLNRW16:group-privacy",
        premise=PrivacyGuarantee,
        conclusion=GroupGuarantee,
        bound=group_guarantee,
        into=itself,
        given=lambda rule, private, n, wanted: (
            None if wanted.group is None else rule(private, min(wanted.group, n))
        ),
    ),
    at_once("CLNRW16:corollary-10", PerfectGuarantee, ClosePair, close_pair),
    Implication(
        claim="CLNRW16:theorem-32.repaired",
        premise=PerfectGuarantee,
        conclusion=ResampledGuarantee,
        bound=resampled,
        into=itself,
        given=lambda rule, perfect, n, wanted: rule(perfect, n),
    ),
)
"""In the order in which they are tried. Post-processing (Lemma 11) and composition (Theorem 12) are
of other mechanisms than the one that the guarantee is of."""
