"""Which sweep fits the answers of an algorithm."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol, cast

import numpy as np

from pac_stability.audit.search.asking import Answers
from pac_stability.audit.search.best_pair import BestPair
from pac_stability.audit.search.enclosed_sweep import EnclosedSweep
from pac_stability.audit.search.law_sweep import LawSweep
from pac_stability.audit.search.measures import EnclosedLaw, Law, Measure
from pac_stability.audit.search.neighbour_ranks import Ranks
from pac_stability.audit.search.number_sweep import NumberSweep, NumberTable, in_order
from pac_stability.data import EnclosedDistribution, FiniteDistribution


class Sweep(Protocol):
    """Looks for the best pair among cliques of neighbours."""

    @property
    def columns(self) -> int:
        """How many numbers are looked at for each member of a clique."""
        ...

    @property
    def divisible(self) -> bool:
        """Whether pieces of the work can be done by copies of the sweep."""
        ...

    def sweep(self, cliques: Ranks, best: BestPair) -> BestPair:
        """Return the best pair in the cliques, or the one given if it is as good."""
        ...


def sweep_of(answers: Answers, measure: Measure, max_memory: int) -> Sweep:
    """Return the sweep for some answers.

    Parameters
    ----------
    answers
        Probabilities of label 1, or laws, exact or enclosed.
    measure
        What is measured.
    max_memory
        Bytes that a table of all outcomes under all laws may take.
    """
    values = answers.values
    if not measure.exactly:
        return EnclosedSweep(answers.cells, tuple(cast("list[EnclosedLaw]", values)), measure)
    if all(isinstance(value, Fraction) for value in values):
        ordered, places = in_order(cast("list[Fraction]", values))
        rows = np.arange(answers.count, dtype=np.int32)
        table = NumberTable(rows, places[answers.cells], ordered)
        return NumberSweep(table, measure.of_labels)
    if not all(isinstance(value, FiniteDistribution) for value in values):
        return EnclosedSweep(answers.cells, tuple(map(_enclosed, values)), measure)
    laws = tuple(cast("list[Law]", values))
    rows = answers.cells[:, 0]
    outcomes = {outcome: None for law in laws for outcome in law.support}
    number = measure.of_outcomes
    if number is not None and 4 * len(laws) * len(outcomes) <= max_memory:
        return NumberSweep(_outcome_table(rows, laws, tuple(outcomes)), number)
    return LawSweep(rows, laws, measure, max_memory)


def _outcome_table(
    rows: np.ndarray[tuple[int], np.dtype[np.int32]],
    laws: tuple[Law, ...],
    outcomes: tuple[object, ...],
) -> NumberTable:
    """Return the probability of each outcome under each law."""
    columns = {outcome: column for column, outcome in enumerate(outcomes)}
    values = {Fraction(0): 0}
    cells = np.zeros((len(laws), len(outcomes)), dtype=np.int32)
    for row, law in enumerate(laws):
        for outcome, weight in law.items():
            cells[row, columns[outcome]] = values.setdefault(weight, len(values))
    ordered, places = in_order(list(values))
    return NumberTable(rows, places[cells], ordered)


def _enclosed(value: object) -> EnclosedLaw:
    if isinstance(value, EnclosedDistribution):
        return value
    if isinstance(value, FiniteDistribution):
        return EnclosedDistribution.exactly(value)
    probability = cast("Fraction", value)  # or an interval: the arithmetic is the same
    return EnclosedDistribution({1: probability, 0: 1 - probability})
