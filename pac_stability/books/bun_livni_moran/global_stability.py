"""Section I-A: global stability."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.claims.instances import random_distributions, random_laws
from pac_stability.claims.trials import Budget, Finding, Trials, at_least, settle, trial
from pac_stability.data import FiniteDistribution
from pac_stability.notions.by_type import laws_by_type
from pac_stability.notions.global_stability import most_frequent_output
from pac_stability.papers.bun_livni_moran.implications import few_outputs_to_frequent
from pac_stability.papers.guarantees import OutputCount

Table: TypeAlias = tuple[FiniteDistribution[int], ...]
"""An algorithm on samples of two elements of {0, 1}: a law for each of the four samples."""

_PAIRS = tuple(product((0, 1), repeat=2))


def _algorithms(budget: Budget) -> Iterator[tuple[Table, FiniteDistribution[int]]]:
    even = FiniteDistribution.uniform(range(3))
    yield (even,) * 4, FiniteDistribution.uniform((0, 1))
    count = budget.pick(60, 500, 5000)
    targets = random_distributions(count, 2)
    yield from zip(random_laws(count, outcomes=4, laws=4, seed="stable"), targets, strict=True)


def _frequencies(table: Table, target: FiniteDistribution[int]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for pair, law in zip(_PAIRS, table, strict=True):
        p = target.probability(pair[0]) * target.probability(pair[1])
        for h, q in law.items():
            found[h] = found.get(h, Fraction(0)) + p * q
    return found


def _eta(table: Table, target: FiniteDistribution[int]) -> Fraction:
    laws = laws_by_type(lambda S: table[_PAIRS.index((S[0], S[1]))], (0, 1), 2)
    return most_frequent_output(laws, target).probability


def _eta_of_one_order(table: Table, target: FiniteDistribution[int]) -> Fraction:
    laws = laws_by_type(lambda S: table[_PAIRS.index((S[0], S[1]))], (0, 1), 2, symmetric=True)
    return most_frequent_output(laws, target).probability


def _stable(
    eta: Callable[[Table, FiniteDistribution[int]], Fraction],
    instance: tuple[Table, FiniteDistribution[int]],
) -> Finding:
    meant, found = max(_frequencies(*instance).values()), eta(*instance)
    return settle(
        meant == found,
        f"laws {instance[0]} for the samples 00, 01, 10, 11, target {instance[1]}: an output of "
        f"frequency {meant}, not {found}",
    )


def _averaging(
    least: Callable[[int], Fraction], instance: tuple[Table, FiniteDistribution[int]]
) -> Finding:
    outputs = len({h for law in instance[0] for h in law.support})
    found = max(_frequencies(*instance).values())
    return at_least(
        found,
        least(outputs),
        f"laws {instance[0]} for the samples 00, 01, 10, 11, target {instance[1]}: {outputs} "
        f"outputs, the most frequent has {found} < {least(outputs)}",
    )


TRIALS: Trials = {
    "BLM20:definition-4": (
        trial(
            "all ordered samples",
            _stable,
            _algorithms,
            subject=_eta,
            mutant=_eta_of_one_order,
            universe="seeded algorithms on samples of two elements, seeded targets",
        ),
    ),
    "BLM20:remark-averaging": (
        trial(
            "the most frequent output",
            _averaging,
            _algorithms,
            subject=lambda outputs: few_outputs_to_frequent(OutputCount(outputs)).eta,
            mutant=lambda outputs: Fraction(1, max(1, outputs - 1)),
            universe="seeded algorithms on samples of two elements, seeded targets; the first "
            "attains 1/N",
        ),
    ),
}
