"""Intervals, and stumps in the plane: enclosures of A^sta beside its definition."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._questions import AnySample, label_one, naive_selection
from pac_stability.claims.budget import Budget
from pac_stability.claims.finding import Finding, settle
from pac_stability.claims.trials import trial
from pac_stability.classes import Family, Intervals, Stumps
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import StableLearner

Task: TypeAlias = tuple[Family, AnySample, int, Fraction]
"""A family, a sample, n' and the decay."""

Predicted: TypeAlias = Callable[[Family, AnySample, int, Fraction], list[Interval]]


def _tasks(budget: Budget) -> Iterator[Task]:
    # An interval that stands out, most of whose points are hit, and one where nothing does.
    clear = Sample([x for x in range(4) for _ in range(3)], [0] * 3 + [1] * 6 + [0] * 3)
    yield from ((Intervals(), clear, size, Fraction(1, 9)) for size in (10, 9, 2))
    # All labels are 1, so the empty set is hardly ever chosen.
    yield Intervals(), Sample([0, 0, 0, 1, 1, 1], [1] * 6), 4, Fraction(1, 9)
    # Two points that one cut tells apart, and labels of which a fifth is wrong.
    apart = Sample([(x, 0) for x in range(2) for _ in range(5)], [0, 0, 0, 0, 1, 1, 1, 1, 1, 0])
    yield from ((Stumps(2), apart, size, Fraction(1, 2)) for size in (8, 6))
    for index in range(budget.pick(4, 60, 600)):
        coins = Random(f"nearly additive/{index}")
        n = coins.randint(2, budget.pick(6, 8, 9))
        side = coins.choice((2, 9))
        points = [(coins.randrange(side), coins.randrange(side)) for _ in range(n)]
        labels = [int(2 * x >= side) for x, _ in points]
        rho = coins.choice((Fraction(1, 2), Fraction(3, 4)))
        yield Stumps(2), Sample(points, labels), coins.randint(1, n), rho


def _predicts(predicted: Predicted, task: Task) -> Finding:
    H, sample, size, rho = task
    law = naive_selection(H, sample, size, rho)
    at = list(dict.fromkeys(sample.points))
    for x, interval in zip(at, predicted(H, sample, size, rho), strict=True):
        if label_one(law, x) not in interval:
            return settle(False, f"{task}: at {x}, {label_one(law, x)} is not in [{interval}]")
    return settle(True, "")


def _by_the_learner(H: Family, sample: AnySample, size: int, rho: Fraction) -> list[Interval]:
    learner = StableLearner(H, size, Epsilon.exactly(rho**-2))
    at: list[Hashable] = list(dict.fromkeys(sample.points))
    return list(learner.enclosed_predictions(sample).probabilities(at))


def _with_another_decay(H: Family, sample: AnySample, size: int, rho: Fraction) -> list[Interval]:
    return _by_the_learner(H, sample, size, rho * rho)


NEARLY_ADDITIVE = trial(
    "on intervals and in the plane",
    _predicts,
    _tasks,
    subject=_by_the_learner,
    mutant=_with_another_decay,
    universe="samples of up to twelve examples, of a line and of a plane, some of them seeded",
)
