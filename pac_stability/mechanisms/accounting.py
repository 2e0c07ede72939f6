"""What composition and subsampling make of (epsilon, delta), in exact rationals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_probability, as_size, described
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon, require_epsilon
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True, repr=False)
class PrivacyGuarantee(Tabled):
    """The pair (epsilon, delta): for neighbours, ``P(E) <= e**epsilon Q(E) + delta`` for all E.

    Post-processing keeps a guarantee as it is.

    Parameters
    ----------
    epsilon
        An :class:`~pac_stability.arithmetic.Epsilon`.
    delta
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        A parameter is out of its range or, for delta, not exact.

    Examples
    --------
    >>> PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 100)).factor
    Fraction(2, 1)
    """

    _kind: ClassVar[str] = "differential privacy"

    epsilon: Epsilon
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        object.__setattr__(self, "delta", as_probability(self.delta, "delta"))

    @property
    def factor(self) -> Fraction:
        """The factor ``e**epsilon``."""
        return self.epsilon.ratio


def basic_composition(guarantees: Iterable[PrivacyGuarantee]) -> PrivacyGuarantee:
    """Return the guarantee of mechanisms used one after the other, adaptively or not.

    Parameters
    ----------
    guarantees
        One for each use; ``[g] * k`` for k uses of the same mechanism.

    Returns
    -------
    PrivacyGuarantee
        The epsilons add up, and 1 - delta is the product of the 1 - delta_i. At that epsilon the
        delta is exact: there are mechanisms with these guarantees for which it cannot be smaller.

    Notes
    -----
    The delta is below the sum of the delta_i that is often quoted. Source: Kairouz, Oh and
    Viswanath, *The composition theorem for differential privacy*, 2015.

    Examples
    --------
    >>> half = PrivacyGuarantee(Epsilon.exactly(Fraction(3, 2)), Fraction(1, 10))
    >>> total = basic_composition([half, half])
    >>> total.factor, total.delta
    (Fraction(9, 4), Fraction(19, 100))
    """
    kept = _guarantees(guarantees)
    factor = math.prod((g.factor for g in kept), start=Fraction(1))
    spared = math.prod((1 - g.delta for g in kept), start=Fraction(1))
    return PrivacyGuarantee(Epsilon.exactly(factor), 1 - spared)


def optimal_delta(guarantees: Iterable[PrivacyGuarantee], epsilon: Epsilon | AnyNumber) -> Fraction:
    """Return the least delta, at a given epsilon, that holds for every composition.

    Parameters
    ----------
    guarantees
        One for each use, as for :func:`basic_composition`.
    epsilon
        The epsilon wanted for the composition as a whole.

    Returns
    -------
    Fraction
        The smallest delta such that mechanisms with these guarantees, adaptively chosen, compose to
        an (epsilon, delta)-private one.

    Notes
    -----
    The worst mechanisms are known: with probability delta_i they tell all, otherwise they answer
    a bit truthfully with odds ``e**epsilon_i`` to 1. The sum runs over how many of them answer
    truthfully, for each distinct epsilon_i: the product of the (multiplicity + 1) terms. Sources:
    Kairouz, Oh and Viswanath 2015; Murtagh and Vadhan, *The complexity of computing the optimal
    composition of differential privacy*, 2016.

    Examples
    --------
    >>> once = PrivacyGuarantee(Epsilon.exactly(2))
    >>> optimal_delta([once] * 3, Epsilon.exactly(8)), optimal_delta([once] * 3, Epsilon.exactly(4))
    (Fraction(0, 1), Fraction(4, 27))
    """
    kept = _guarantees(guarantees)
    target = as_epsilon(epsilon).ratio
    spared = math.prod((1 - g.delta for g in kept), start=Fraction(1))
    groups = tuple(Counter(g.factor for g in kept).items())
    excess = Fraction(0)
    for truths in product(*(range(times + 1) for _, times in groups)):
        ways, for_p, for_q = 1, Fraction(1), Fraction(1)
        for (factor, times), true in zip(groups, truths, strict=True):
            ways *= math.comb(times, true)
            for_p *= factor**true
            for_q *= factor ** (times - true)
        excess += ways * max(for_p - target * for_q, Fraction(0))
    total = math.prod((1 + g.factor for g in kept), start=Fraction(1))
    return 1 - spared * (1 - excess / total)


def subsampling_amplification(
    guarantee: PrivacyGuarantee, size: int, population: int
) -> PrivacyGuarantee:
    """Return the guarantee of a mechanism that sees a random subsample only.

    Parameters
    ----------
    guarantee
        That of the mechanism, on samples of ``size`` examples, for one example replaced. The order
        of the subsample must carry nothing: the mechanism is symmetric, or the order random.
    size
        n', how many of the examples are drawn, without replacement.
    population
        n, the size of the sample.

    Returns
    -------
    PrivacyGuarantee
        With q = n'/n, the factor ``1 + q (e**epsilon - 1)`` and ``q delta``, for one example of the
        n replaced. Both are attained: by the mechanism that tells, with odds e**epsilon to 1,
        whether a certain example is in what it sees.

    Raises
    ------
    InvalidInput
        ``size`` exceeds ``population``, or is no integer.

    Notes
    -----
    DF20 Lemma 8 states the bound ``2 q epsilon``, which follows for epsilon <= 1.25, but without
    the condition on the order it is false: an order-sensitive mechanism can lose more (see
    :class:`~pac_stability.mechanisms.Subsampled`). Source of the exact value: Balle, Barthe and
    Gaboardi, *Privacy amplification by subsampling*, 2018.

    Examples
    --------
    >>> subsampling_amplification(PrivacyGuarantee(Epsilon.exactly(3)), 1, 4).factor
    Fraction(3, 2)
    """
    population = as_size(population, "population", least=1)
    size = as_size(size, "size")
    if size > population:
        raise InvalidInput("size", str(size), f"at most the population, {population}")
    (kept,) = _guarantees([guarantee])
    rate = Fraction(size, population)
    return PrivacyGuarantee(Epsilon.exactly(1 + rate * (kept.factor - 1)), rate * kept.delta)


def _guarantees(guarantees: Iterable[PrivacyGuarantee]) -> tuple[PrivacyGuarantee, ...]:
    kept = tuple(guarantees)
    for guarantee in kept:
        if not isinstance(guarantee, PrivacyGuarantee):
            raise InvalidInput("guarantees", described(guarantee), "PrivacyGuarantee objects")
    return kept
