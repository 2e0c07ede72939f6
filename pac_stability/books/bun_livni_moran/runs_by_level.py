"""Algorithm M with a number of runs for each level: its law, by hand, on one point."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.algorithm_m import listed_law
from pac_stability.claims.trials import Budget, Finding, settle, trial
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.mechanisms import StableHistogram
from pac_stability.papers.bun_livni_moran import (
    ByLevelPrivateLearner,
    GloballyStableLearner,
    PrivateLearner,
)

Labels: TypeAlias = tuple[int, ...]
Law: TypeAlias = Callable[[Labels], dict[int, Fraction]]

_ONE_POINT = FiniteClass([[0], [1]])
_RUNS = (3, 2)
"""Of level 0 and of level 1."""


def _learner() -> ByLevelPrivateLearner[Hashable]:
    levels = [
        GloballyStableLearner(_ONE_POINT, 1, n=1, blocks=k + 1, level=k) for k in range(len(_RUNS))
    ]
    histogram = StableHistogram(Fraction(1, 2), 1, 3)
    default, size = levels[0].default, levels[0].sample_size
    conclusion: PrivateLearner[Hashable] = PrivateLearner(
        _ONE_POINT.domain, levels[0], size, sum(_RUNS), histogram, Fraction(1, 3), 1, default
    )
    return ByLevelPrivateLearner(tuple(zip(levels, _RUNS, strict=True)), conclusion)


def _samples(budget: Budget) -> Iterator[Labels]:
    # Two examples for each run of level 0, three for each of level 1, one for the choice.
    size = 2 * _RUNS[0] + 3 * _RUNS[1] + 1
    for index in range(budget.pick(24, 200, 2000)):
        coins = Random(f"by level/{index}")  # instances, not secrets
        yield tuple(coins.getrandbits(1) for _ in range(size))


def _of_the_library(labels: Labels) -> dict[int, Fraction]:
    law = _learner().law(Sample([0] * len(labels), labels))
    return {int(f): p for f, p in law.items()}


def _with_less_noise(labels: Labels) -> dict[int, Fraction]:
    """Count with hardly any noise: a wrong law."""
    M = _learner()
    quiet = replace(M.conclusion, histogram=StableHistogram(Fraction(1, 99), 1, 3))
    law = replace(M, conclusion=quiet).law(Sample([0] * len(labels), labels))
    return {int(f): p for f, p in law.items()}


def _as_listed(law: Law, labels: Labels) -> Finding:
    """Cut the sample by hand: on one point G outputs a label, by the tournaments of its level."""
    M, left, chances = _learner(), labels, []
    for k, runs in enumerate(_RUNS):
        for _ in range(runs):
            part, left = left[: k + 2], left[k + 2 :]
            chances.append(_one(part, k))
    (kept,) = left
    found, meant = law(labels), listed_law(M.conclusion, chances, kept)
    return settle(found == meant, f"labels {labels}: law {found}, by listing {meant}")


def _one(part: Labels, level: int) -> Fraction:
    """How likely a run outputs 1, which is its default as well.

    On one point a player says what it saw last. Two who agree play no tournament, and there are no
    more than two: the run fails. Otherwise the winner goes on, and sees the last example.
    """
    if level and part[0] == part[1]:
        return Fraction(1)
    return Fraction(part[-1] if level else part[0])


BY_LEVEL = trial(
    "the law of the output",
    _as_listed,
    _samples,
    subject=_of_the_library,
    mutant=_with_less_noise,
    universe="both constants on one point, three runs of level 0 and two of level 1: seeded "
    "labels, votes, noises and choices listed",
)
"""The runs of each level take the examples in turn, and are counted together."""
