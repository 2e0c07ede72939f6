"""Questions that several modules ask, and the definitions of the paper written out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from operator import itemgetter
from random import Random

from pac_stability.classes import Family, FiniteClass, Hypothesis
from pac_stability.data import Example, Sample
from pac_stability.papers.dagan_feldman import ChosenRepresentatives

AnyExample = Example[Hashable]
AnySample = Sample[Hashable]


def factor_between(p: Fraction, q: Fraction) -> Fraction | float:
    """Return the least t with which both labels are at most t times as likely, either way."""
    pairs = ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
    if any(b == 0 < a for a, b in pairs):
        return float("inf")
    return max((a / b for a, b in pairs if b), default=Fraction(1))


def with_chosen(H: FiniteClass, seed: int) -> Family:
    """Return the class with representatives that a seed chooses for each set of points."""
    if seed == 0:
        return H

    def choice(points: frozenset[Hashable], rows: tuple[int, ...]) -> int:
        coins = Random(f"{seed} {sorted(map(str, points))}")  # any function will do
        return coins.choice(rows)

    return ChosenRepresentatives(H, choice)


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


def furthest_move(
    predictions: Callable[[AnySample], Sequence[Fraction]],
    sample: AnySample,
    points: Iterable[Hashable],
) -> tuple[Fraction, AnySample]:
    """Find the neighbour on which some prediction is furthest from that on a sample."""
    here = predictions(sample)
    worst = Fraction(0), sample
    for other in neighbours_of(sample, points):
        moved = max(abs(p - q) for p, q in zip(here, predictions(other), strict=True))
        worst = max(worst, (moved, other), key=itemgetter(0))
    return worst


def errors_of(h: Hypothesis, sample: AnySample) -> int:
    """Count the examples that a hypothesis labels wrongly."""
    return sum(h(x) != y for x, y in zip(sample.points, sample.labels, strict=True))


def exponential_law(
    candidates: Iterable[Hypothesis], sample: AnySample, decay: Fraction
) -> dict[Hypothesis, Fraction]:
    """Return the law of the exponential mechanism: weights ``decay**errors``, normalised."""
    weights = {h: decay ** errors_of(h, sample) for h in candidates}
    total = sum(weights.values(), Fraction(0))
    return {h: weight / total for h, weight in weights.items()}


def mean_over_subsets(
    sample: AnySample,
    size: int,
    law_given: Callable[[frozenset[Hashable]], Mapping[Hypothesis, Fraction]],
) -> dict[Hypothesis, Fraction]:
    """Average laws over all sets of indices, each law belonging to the points of S_I."""
    subsets = list(combinations(sample.points, size))
    law: dict[Hypothesis, Fraction] = {}
    for subset in subsets:
        for h, p in law_given(frozenset(subset)).items():
            law[h] = law.get(h, Fraction(0)) + p / len(subsets)
    return law


def naive_selection(
    H: Family, sample: AnySample, size: int, decay: Fraction
) -> dict[Hypothesis, Fraction]:
    """Return the law of the hypothesis of A^sta by its definition."""

    @lru_cache
    def given(points: frozenset[Hashable]) -> dict[Hypothesis, Fraction]:
        return exponential_law(H.representatives_on(points), sample, decay)

    return mean_over_subsets(sample, size, given)


def label_one(law: Mapping[Hypothesis, Fraction], x: Hashable) -> Fraction:
    """Return the probability of label 1 at a point under a law of hypotheses."""
    return sum((p for h, p in law.items() if h(x) == 1), Fraction(0))


def random_sample(coins: Random, points: int, n: int) -> AnySample:
    """Draw points and labels."""
    xs: list[Hashable] = [coins.randrange(points) for _ in range(n)]
    return Sample(xs, [coins.randrange(2) for _ in range(n)])
