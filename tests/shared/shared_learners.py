"""Learners that answer with a row of labels: as tables of laws, and their laws by type."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from hypothesis.strategies import SearchStrategy

from pac_stability.data import Example, FiniteDistribution, FromLaw, all_examples
from pac_stability.notions.by_type import LawsByType, learner_laws_by_type
from pac_stability.testing import strategies

Row: TypeAlias = tuple[int, ...]  # the labels of the points 0, 1, ...
Learner: TypeAlias = tuple[int, FromLaw[tuple[Example[int], ...], Row]]
Source: TypeAlias = FiniteDistribution[Example[int]]
UNIVERSE = all_examples(range(2))


def differs(row: Row, z: Example[int]) -> bool:
    return row[z.point] != z.label


def risk(row: Row, source: Source) -> Fraction:
    return sum((p for z, p in source.items() if row[z.point] != z.label), Fraction(0))


def learners(
    universe: Sequence[Example[int]], rows: Sequence[Row], most: int = 2
) -> SearchStrategy[Learner]:
    """A size of samples, and the law on each sequence of that size."""
    return strategies.mechanisms_on_datasets(universe, strategies.weighted(rows, 2), max_size=most)


def laws_of(learner: Learner, universe: Sequence[Example[int]]) -> LawsByType[Example[int], Row]:
    n, mechanism = learner
    return learner_laws_by_type(lambda sample: mechanism.law(tuple(sample)), universe, n)
