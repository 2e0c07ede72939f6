"""Probabilities and finite distributions, exactly rational."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability.arguments import as_size
from pac_stability.data import FiniteDistribution
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
