"""What processing, repetition and comparison make of perfect generalization (Section 2.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import ClassVar, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import described
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, as_constants
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, basic_composition
from pac_stability.notions.chain_rule import Link, chain, chain_of_equal_links
from pac_stability.notions.frontier import factor_of, probability_of
from pac_stability.papers.cummings_et_al.implications.guarantees import (
    PerfectGuarantee,
    RobustGuarantee,
    require_guarantee,
)

G = TypeVar("G", PrivacyGuarantee, PerfectGuarantee, RobustGuarantee)
O = TypeVar("O")  # noqa: E741  # an outcome
P = TypeVar("P")


def post_process(guarantee: G) -> G:
    """Return the guarantee of a mechanism whose output is processed: the same.

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
        It is none of the three.

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
        The law of what A makes of an output, such as ``mechanism.law``.

    Raises
    ------
    InvalidInput
        The simulator is no ``FiniteDistribution``.

    Notes
    -----
    CLNRW16 Lemma 11.

    Examples
    --------
    >>> halves = FiniteDistribution.uniform([0, 1])
    >>> processed_simulator(halves, lambda bit: halves.map(lambda other: bit * other))
    FiniteDistribution({0: 3/4, 1: 1/4})
    """
    if not isinstance(simulator, FiniteDistribution):
        raise InvalidInput("simulator", described(simulator), "a FiniteDistribution")
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
        Something else is among the guarantees.

    Notes
    -----
    *Proof.* Except with probability ``beta_1 + ... + beta_k`` all laws are close to their
    simulators. Laws that are (epsilon_i, delta_i)-close differ as a randomized response does that
    tells all with probability delta_i (Kairouz, Oh and Viswanath 2015), so the product of the
    simulators has the parameters of :func:`~pac_stability.mechanisms.basic_composition`. The delta
    is below the sum of the delta_i. CLNRW16 Theorem 12 has all deltas 0.

    The mechanisms may not depend on one another's outputs. For adaptive choices see Bassily and
    Freund, *Typicality-based stability and privacy*, 2016. Robust generalization does not compose,
    not even so.

    Examples
    --------
    >>> one = PerfectGuarantee(Fraction(1, 20), Epsilon.exactly(2), Fraction(1, 10))
    >>> both = compose_perfect([one, one])
    >>> both.beta, both.epsilon.ratio, both.delta
    (Fraction(1, 10), Fraction(4, 1), Fraction(19, 100))
    """
    kept = tuple(guarantees)
    for guarantee in kept:
        require_guarantee(guarantee, PerfectGuarantee)
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
    """How close the laws on two independent samples are, and how likely.

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
    require_guarantee(guarantee, PerfectGuarantee)
    whose = as_constants(constants)
    if whose is Constants.PRINTED:
        link = (guarantee.epsilon, guarantee.delta)
        epsilon, delta = close_ends(link, link, constants="printed")
        return ClosePair(max(1 - 2 * guarantee.beta, Fraction()), epsilon, delta)
    epsilon, delta = chain_of_equal_links(guarantee.epsilon, guarantee.delta, 2)
    return ClosePair((1 - guarantee.beta) ** 2, epsilon, delta)


def close_ends(
    first: Link, second: Link, *, constants: ConstantsLike = Constants.SHARP
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
        A delta of 1 or more says nothing.

    Raises
    ------
    InvalidInput
        A parameter is not one or, with the printed constants, an epsilon is ln 2 or more.

    Notes
    -----
    CLNRW16 Lemma 9. The sharp form is :func:`~pac_stability.notions.chain_rule.chain`, proved and
    attained there; the condition is needed for the paper's deltas alone.

    Examples
    --------
    >>> link = (Epsilon.exactly(Fraction(3, 2)), Fraction(1, 100))
    >>> close_ends(link, link)[1], close_ends(link, link, constants="printed")[1]
    (Fraction(1, 40), Fraction(3, 100))
    """
    whose = as_constants(constants)
    if whose is not Constants.PRINTED:
        return chain([first, second])
    factors = [factor_of(epsilon) for epsilon, _ in (first, second)]
    if max(factors) >= 2:
        raise InvalidInput("epsilon", f"e**epsilon = {max(factors)}", "epsilons below ln 2")
    one, other = (probability_of(delta) for _, delta in (first, second))
    return Epsilon.exactly(math.prod(factors)), 3 * one if one == other else 2 * (one + other)
