"""Uniform stability: no label of any point depends much on one example.

A learner A is gamma-stable when for all points x, all labels y and all neighbouring samples S, S'

    Pr[A^S(x) = y] <= Pr[A^S'(x) = y] + gamma          (DF20, Section 2).

This is the definition, word for word: each pair computes its two laws again, and nothing is
remembered. Each pair is taken in both orders. Laws that are known up to intervals give intervals,
and may leave it open whether the definition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import AnyNumber, as_number, in_words
from pac_stability.arithmetic import Interval
from pac_stability.data import Law
from pac_stability.errors import InvalidInput
from pac_stability.notions.closeness import largest, largest_change, predicted

S = TypeVar("S")
P = TypeVar("P")
Label = TypeVar("Label")
N = TypeVar("N", bound=Fraction | Interval)


def minimal_gamma(
    law: Callable[[S, P], Law[Label, N]], pairs: Iterable[tuple[S, S]], points: Iterable[P]
) -> N:
    """Return the smallest gamma with which a learner is gamma-stable.

    Parameters
    ----------
    law
        The law of the predicted label, given a sample and a point.
    pairs
        Neighbouring samples, at least one pair.
    points
        The points x, at least one.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        There is no pair, or there is no point.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def average(sample: tuple[int, int], x: str) -> FiniteDistribution[int]:
    ...     return FiniteDistribution.uniform([0, 1]).map(lambda i: sample[i])
    >>> minimal_gamma(average, [((0, 0), (0, 1))], ["x"])
    Fraction(1, 2)
    """
    return largest(largest_change(p, q) for p, q in predicted(law, pairs, points))


def holds(
    law: Callable[[S, P], Law[Label, N]],
    pairs: Iterable[tuple[S, S]],
    points: Iterable[P],
    gamma: AnyNumber,
) -> bool:
    """Return whether a learner is gamma-stable; stop at the first prediction that is not.

    Parameters
    ----------
    law
        The law of the predicted label, given a sample and a point.
    pairs
        Neighbouring samples, at least one pair.
    points
        The points x, at least one.
    gamma
        A non-negative exact number.

    Raises
    ------
    InvalidInput
        There is no pair, there is no point, or gamma is negative or not exact.
    Undecided
        For enclosed laws: the intervals do not settle the question.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def average(sample: tuple[int, int], x: str) -> FiniteDistribution[int]:
    ...     return FiniteDistribution.uniform([0, 1]).map(lambda i: sample[i])
    >>> holds(average, [((0, 0), (0, 1))], ["x"], Fraction(1, 3))
    False
    """
    allowed = as_number(gamma, "gamma")
    if allowed < 0:
        raise InvalidInput("gamma", in_words(allowed), "a non-negative number")
    return all(largest_change(p, q) <= allowed for p, q in predicted(law, pairs, points))
