"""Section III-C: indistinguishable distributions, and private algorithms."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import TypeAlias

from pac_stability import audit
from pac_stability.arithmetic import Epsilon
from pac_stability.claims.instances import random_laws
from pac_stability.claims.trials import Budget, Finding, Trials, settle, trial
from pac_stability.data import FiniteDistribution, FromLaw, Sample
from pac_stability.notions import closeness

Law: TypeAlias = FiniteDistribution[int]

Close: TypeAlias = Callable[[Law, Law, Epsilon, Fraction], bool]


def _pairs_of_laws(budget: Budget) -> Iterator[tuple[Law, Law, Fraction, Fraction]]:
    factors = (Fraction(1), Fraction(3, 2), Fraction(3))
    deltas = (Fraction(0), Fraction(1, 10), Fraction(1, 3))
    for p, q in random_laws(budget.pick(40, 200, 2000), outcomes=budget.pick(4, 5, 8)):
        for t, delta in product(factors, deltas):
            yield p, q, t, delta


def _one_direction(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> bool:
    return closeness.hockey_stick(p, q, epsilon) <= delta


def _every_event(close: Close, instance: tuple[Law, Law, Fraction, Fraction]) -> Finding:
    p, q, t, delta = instance
    outcomes = sorted({*p.support, *q.support})
    truth = True
    for chosen in product((0, 1), repeat=len(outcomes)):
        event = [o for o, c in zip(outcomes, chosen, strict=True) if c]
        a = sum((p.probability(o) for o in event), Fraction(0))
        b = sum((q.probability(o) for o in event), Fraction(0))
        truth = truth and a <= t * b + delta and b <= t * a + delta
    found = close(p, q, Epsilon.exactly(t), delta)
    return settle(
        found == truth,
        f"{p} and {q}, e^epsilon = {t}, delta = {delta}: said {found}, by all events {truth}",
    )


Table: TypeAlias = tuple[Law, ...]
"""An algorithm on samples of two examples at one point: a law for each of the four samples."""
Factor: TypeAlias = Callable[[Table, Fraction], Fraction | float]

_SAMPLES = tuple(product((0, 1), repeat=2))


def _tables(budget: Budget) -> Iterator[tuple[Table, Fraction]]:
    for table in random_laws(budget.pick(25, 200, 2000), outcomes=3, laws=4, seed="tables"):
        for delta in (Fraction(0), Fraction(1, 5)):
            yield table, delta


def _mechanism(table: Table) -> FromLaw[Sample[Hashable], int]:
    return FromLaw(lambda S: table[_SAMPLES.index(S.labels)])


def _audited(table: Table, delta: Fraction) -> Fraction | float:
    return _exact(audit.differential_privacy(_mechanism(table), 1, 2, delta).value)


def _audited_for_groups(table: Table, delta: Fraction) -> Fraction | float:
    return _exact(audit.group_privacy(_mechanism(table), 1, 2, 2, delta).value)


def _exact(value: object) -> Fraction | float:
    return value if isinstance(value, Fraction | float) else math.nan


def _least_factor(p: Law, q: Law, delta: Fraction) -> Fraction | float:
    """The least t >= 1 with p(E) <= t q(E) + delta for every event E."""
    least: Fraction | float = Fraction(1)
    for size in range(1, 4):
        for event in combinations(range(3), size):
            a = sum((p.probability(o) for o in event), Fraction(0)) - delta
            b = sum((q.probability(o) for o in event), Fraction(0))
            if a > 0:
                least = max(least, a / b if b else math.inf)
    return least


def _private(factor: Factor, instance: tuple[Table, Fraction]) -> Finding:
    table, delta = instance
    meant = max(
        _least_factor(table[i], table[j], delta)
        for (i, S), (j, T) in product(enumerate(_SAMPLES), repeat=2)
        if sum(a != b for a, b in zip(S, T, strict=True)) == 1
    )
    found = factor(table, delta)
    return settle(
        found == meant,
        f"laws {table} for the labels 00, 01, 10, 11, delta = {delta}: e^epsilon {found}, by the "
        f"definition {meant}",
    )


TRIALS: Trials = {
    "BLM20:definition-indistinguishability": (
        trial(
            "all events",
            _every_event,
            _pairs_of_laws,
            subject=closeness.are_close,
            mutant=_one_direction,
            universe="seeded pairs of laws, three factors, three deltas",
        ),
    ),
    "BLM20:definition-9": (
        trial(
            "the least factor",
            _private,
            _tables,
            subject=_audited,
            mutant=_audited_for_groups,
            universe="seeded algorithms on samples of two examples, two deltas",
        ),
    ),
}
