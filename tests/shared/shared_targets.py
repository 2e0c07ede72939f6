"""Targets of classes: laws of examples that one of their hypotheses labels."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution


def labelled(H: FiniteClass, row: int, weights: Sequence[int]) -> FiniteDistribution[Example[int]]:
    """The points 0, 1, ... with these weights, labelled by a row."""
    total = sum(weights)
    return FiniteDistribution(
        {Example(x, H(row, x)): Fraction(w, total) for x, w in enumerate(weights) if w}
    )
