"""Probabilities and finite distributions, exactly rational."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability.arguments import as_size
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.errors import InvalidInput

T = TypeVar("T", bound=Hashable)

Values: TypeAlias = SearchStrategy[T] | Iterable[T]
"""What values are drawn from: a strategy, or the values themselves, the simplest first."""


def drawn_from(values: Values[T], argument: str) -> SearchStrategy[T]:
    """Return the strategy that draws one of the values.

    Raises
    ------
    InvalidInput
        There are no values.
    """
    if isinstance(values, SearchStrategy):
        # No sample, law or class holds what differs from itself, such as NaN.
        return values.filter(lambda value: value == value)  # noqa: PLR0124  # a NaN is not
    kept = tuple(values)
    if not kept:
        raise InvalidInput(argument, "no values", "at least one, or a strategy")
    return st.sampled_from(kept)


def probabilities(max_denominator: int = 12) -> SearchStrategy[Fraction]:
    """Return the strategy of the fractions from 0 to 1; shrinks towards 0.

    Parameters
    ----------
    max_denominator
        The largest denominator, at least 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(probabilities(), lambda p: p > Fraction(1, 2))
    Fraction(1, 1)
    """
    largest = as_size(max_denominator, "max_denominator", least=1)
    return st.fractions(0, 1, max_denominator=largest)


def epsilons(max_factor: int = 8, max_denominator: int = 8) -> SearchStrategy[Epsilon]:
    """Return the strategy of the epsilons with a rational factor e^epsilon; shrinks towards 0.

    Parameters
    ----------
    max_factor
        The largest factor, at least 1.
    max_denominator
        The largest denominator of the factor, at least 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(epsilons(), lambda epsilon: epsilon.ratio > 1).ratio
    Fraction(2, 1)
    """
    most = as_size(max_factor, "max_factor", least=1)
    largest = as_size(max_denominator, "max_denominator", least=1)
    return st.fractions(1, most, max_denominator=largest).map(Epsilon.exactly)


def distributions(
    outcomes: Values[T], *, max_size: int = 4, max_denominator: int = 12
) -> SearchStrategy[FiniteDistribution[T]]:
    """Return the strategy of the laws on a few outcomes; shrinks towards a point mass.

    Parameters
    ----------
    outcomes
        The outcomes, or a strategy for one.
    max_size
        The largest size of the support, at least 1.
    max_denominator
        The largest common denominator of the probabilities, at least 1.

    Returns
    -------
    SearchStrategy of FiniteDistribution
        Every law on at most so many of the outcomes with at most that denominator can be drawn.

    Raises
    ------
    InvalidInput
        There are no outcomes, or a number is below 1.

    Examples
    --------
    The simplest law that is not a point mass:

    >>> from hypothesis import find
    >>> find(distributions("abc"), lambda law: len(law) > 1)
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    """
    largest = as_size(max_denominator, "max_denominator", least=1)
    size = min(as_size(max_size, "max_size", least=1), largest)
    return _distributions(drawn_from(outcomes, "outcomes"), size, largest)


@st.composite
def _distributions(
    draw: DrawFn, outcome: SearchStrategy[T], max_size: int, max_denominator: int
) -> FiniteDistribution[T]:
    support = draw(st.lists(outcome, unique=True, min_size=1, max_size=max_size))
    # Integer weights whose sum is the denominator: at least 1 each, and the rest as it comes.
    spare = max_denominator - len(support)
    weights = []
    for _ in support:
        more = draw(st.integers(0, spare))
        spare -= more
        weights.append(1 + more)
    total = sum(weights)
    return FiniteDistribution(
        {x: Fraction(weight, total) for x, weight in zip(support, weights, strict=True)}
    )


def weighted(
    outcomes: Iterable[T], max_weight: int = 5, *, min_weight: int = 0
) -> SearchStrategy[FiniteDistribution[T]]:
    """Return the strategy of the laws that give listed outcomes small integer weights.

    Equal ratios are common, which general laws seldom have. Shrinks towards small weights.

    Parameters
    ----------
    outcomes
        The outcomes, distinct, at least one.
    max_weight, min_weight
        Bounds on the weight of each, before they are divided by their sum, which is never 0.

    Raises
    ------
    InvalidInput
        There are no outcomes, or a number is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(weighted("abc"), lambda law: law.probability("c") > law.probability("b") > 0)
    FiniteDistribution({'b': 1/3, 'c': 2/3})
    """
    listed = tuple(outcomes)
    if not listed:
        raise InvalidInput("outcomes", "none", "at least one")
    least = as_size(min_weight, "min_weight")
    most = as_size(max_weight, "max_weight", least=max(1, least))

    def law(weights: list[int]) -> FiniteDistribution[T]:
        total = sum(weights)
        shares = zip(listed, weights, strict=True)
        return FiniteDistribution({outcome: Fraction(w, total) for outcome, w in shares})

    size = len(listed)
    return st.lists(st.integers(least, most), min_size=size, max_size=size).filter(any).map(law)


def enclosures(
    outcomes: Iterable[T], max_weight: int = 5, *, width: Fraction = Fraction(1, 20)
) -> SearchStrategy[tuple[FiniteDistribution[T], EnclosedDistribution[T]]]:
    """Return the strategy of laws with intervals around them: wide, narrow, or of no width.

    Parameters
    ----------
    outcomes, max_weight
        As for :func:`weighted`.
    width
        The unit of wide intervals, which reach up to three of them to either side.

    Examples
    --------
    >>> from hypothesis import find
    >>> law, around = find(enclosures("ab"), lambda pair: len(pair[0]) == 2)
    >>> all(law.probability(o) in around.probability(o) for o in law.support)
    True
    """
    listed = tuple(outcomes)
    unit = st.sampled_from([Fraction(0), Fraction(1, 10**6), width])
    ends = st.lists(st.integers(0, 3), min_size=2 * len(listed), max_size=2 * len(listed))

    def around(
        law: FiniteDistribution[T], unit: Fraction, ends: list[int]
    ) -> tuple[FiniteDistribution[T], EnclosedDistribution[T]]:
        intervals = {}
        for k, outcome in enumerate(listed):
            p = law.probability(outcome)
            intervals[outcome] = Interval(p - ends[k] * unit, p + ends[len(listed) + k] * unit)
        return law, EnclosedDistribution(intervals)

    return st.builds(around, weighted(listed, max_weight), unit, ends)
