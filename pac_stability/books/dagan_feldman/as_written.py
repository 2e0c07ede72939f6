"""Learners, neighbours and laws as the paper defines them: what trials compare with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Protocol, TypeVar

from pac_stability.arithmetic import Interval
from pac_stability.claims.kit import Comparison, factor_within
from pac_stability.classes import Family, FiniteClass, Hypothesis
from pac_stability.data import Example, Sample
from pac_stability.learning import Predictor
from pac_stability.papers.dagan_feldman import ChosenRepresentatives

F = Fraction
AnyExample = Example[Hashable]
AnySample = Sample[Hashable]
Law = Mapping[Hypothesis, F]


class ExactLearner(Predictor[Hashable, F], Hashable, Protocol):
    """A learner with exact predictions, which can be remembered."""


# Samples, and their neighbours

CONSTANTS = FiniteClass([[0], [1]])
"""Both constants on one point: the smallest class."""


def counted(n: int, ones: int) -> AnySample:
    """Return the sample of n examples at one point with some labels 1."""
    return Sample([0] * n, [1] * ones + [0] * (n - ones))


def random_sample(coins: Random, points: int, n: int) -> AnySample:
    """Draw points and labels."""
    xs: list[Hashable] = [coins.randrange(points) for _ in range(n)]
    return Sample(xs, [coins.randrange(2) for _ in range(n)])


def examples_on(points: Iterable[Hashable]) -> tuple[AnyExample, ...]:
    """Return both labelled examples at each point."""
    return tuple(Example(x, y) for x in points for y in (0, 1))


def neighbours_of(sample: AnySample, points: Iterable[Hashable]) -> Iterator[AnySample]:
    """Give the samples that differ from this one in exactly one example, by the definition."""
    for place, other in product(range(len(sample)), examples_on(points)):
        if other != sample[place]:
            kept = list(sample)
            kept[place] = other
            yield Sample.from_examples(kept)


# How far predictions move

R = TypeVar("R", F, Interval)


def sides(p: R, q: R) -> tuple[tuple[R, R], ...]:
    """Return the pairs of chances that privacy compares: of either label, either way."""
    return (p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)


def factor_between(p: F, q: F) -> F | float:
    """Return the least t with which both labels are at most t times as likely, either way."""
    pairs = sides(p, q)
    if any(b == 0 < a for a, b in pairs):
        return float("inf")
    return max((a / b for a, b in pairs if b), default=F(1))


def largest_factor(here: Iterable[F], there: Iterable[F]) -> F | float:
    """Return the largest factor between two lists of predictions."""
    return max(factor_between(p, q) for p, q in zip(here, there, strict=True))


def certified_factors(p: Interval, q: Interval, allowed: F | Interval) -> Iterator[Comparison]:
    """Settle that enclosed predictions are private with a factor."""
    return (factor_within(a / b, allowed) for a, b in sides(p, q))


def move(here: Iterable[F], there: Iterable[F]) -> F:
    """Return how far apart two lists of predictions are."""
    return max(abs(p - q) for p, q in zip(here, there, strict=True))


def furthest_move(
    predictions: Callable[[AnySample], Sequence[F]], sample: AnySample, points: Iterable[Hashable]
) -> F:
    """Return how far a neighbour moves predictions at most."""
    here = predictions(sample)
    return max(move(here, predictions(other)) for other in neighbours_of(sample, points))


# Hypotheses and their laws


def errors_of(h: Hypothesis, sample: AnySample) -> int:
    """Count the examples that a hypothesis labels wrongly."""
    return sum(h(x) != y for x, y in zip(sample.points, sample.labels, strict=True))


def mean_excess(law: Law, sample: AnySample, candidates: Iterable[Hypothesis]) -> F:
    """Return by how many errors a law is worse than the best candidate."""
    mean = sum((p * errors_of(h, sample) for h, p in law.items()), F(0))
    return mean - min(errors_of(h, sample) for h in candidates)


def with_chosen(H: FiniteClass, seed: int) -> Family:
    """Return the class with representatives that a seed chooses for each set of points."""
    if seed == 0:
        return H

    def choice(points: frozenset[Hashable], rows: tuple[int, ...]) -> int:
        coins = Random(f"{seed} {sorted(map(str, points))}")  # any function will do
        return coins.choice(rows)

    return ChosenRepresentatives(H, choice)


def exponential_law(
    candidates: Iterable[Hypothesis], sample: AnySample, decay: F
) -> dict[Hypothesis, F]:
    """Return the law of the exponential mechanism: weights ``decay**errors``, normalised."""
    weights = {h: decay ** errors_of(h, sample) for h in candidates}
    total = sum(weights.values(), F(0))
    return {h: weight / total for h, weight in weights.items()}


def mean_over_subsets(
    sample: AnySample, size: int, law_given: Callable[[frozenset[Hashable]], Law]
) -> dict[Hypothesis, F]:
    """Average laws over all sets of indices, each law belonging to the points of S_I."""
    subsets = list(combinations(sample.points, size))
    law: dict[Hypothesis, F] = {}
    for subset in subsets:
        for h, p in law_given(frozenset(subset)).items():
            law[h] = law.get(h, F(0)) + p / len(subsets)
    return law


def naive_selection(H: Family, sample: AnySample, size: int, decay: F) -> dict[Hypothesis, F]:
    """Return the law of the hypothesis of A^sta by its definition."""

    @lru_cache
    def given(points: frozenset[Hashable]) -> dict[Hypothesis, F]:
        return exponential_law(H.representatives_on(points), sample, decay)

    return mean_over_subsets(sample, size, given)


def label_one(law: Law, x: Hashable) -> F:
    """Return the probability of label 1 at a point under a law of hypotheses."""
    return sum((p for h, p in law.items() if h(x) == 1), F(0))


def weighted(law: Mapping[Hypothesis, F], wanted: Mapping[Hypothesis, F]) -> bool:
    """Return whether a law has the wanted probabilities; hypotheses beyond these may be missing."""
    return all(law.get(h, F(0)) == p for h, p in wanted.items())
