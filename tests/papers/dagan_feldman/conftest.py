"""Choices of representatives, and oracles straight from the definitions of the paper."""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import TypeAlias

import pytest

from pac_stability.classes import Family, FiniteClass, Hypothesis, KnownValue, Restriction, Row
from pac_stability.data import Sample

SampleOf: TypeAlias = Sample[Hashable]
Selection: TypeAlias = dict[Hypothesis, Fraction]


@dataclass(frozen=True)
class Chosen:
    """A finite class whose representatives are some members with their patterns.

    Which ones is a function of the set of points and of the seed, as the theorems allow.
    """

    H: FiniteClass
    seed: int

    @property
    def known(self) -> Mapping[str, KnownValue]:
        return self.H.known

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        kept = tuple(dict.fromkeys(points))
        chosen = self.representatives_on(kept)
        return Restriction([[h(x) for x in kept] for h in chosen], kept, chosen)

    def representatives_on(self, points: Iterable[Hashable]) -> tuple[Row, ...]:
        members: dict[tuple[int, ...], list[Row]] = {}
        ordered = sorted(set(points), key=repr)
        for h in self.H:
            members.setdefault(tuple(h(x) for x in ordered), []).append(h)
        choice = random.Random(f"{self.seed} {ordered}")  # any fixed function will do
        return tuple(choice.choice(rows) for rows in members.values())


@pytest.fixture(scope="session")
def chosen() -> Callable[[FiniteClass, int], Family]:
    """The class with representatives that a seed chooses for each set of points."""
    return Chosen


_LABELLINGS = FiniteClass(
    [[u, 0, a, b, x] for u, a, b, x in product((0, 1), repeat=4)], domain="uvabx"
)


class _Attaining(Chosen):
    """Two opposite hypotheses, and representatives that follow two of the points.

    On points u, v, a, b, x the class has all labellings with h(v) = 0. A set with a and without b
    is represented by hypotheses with h(x) = 1; one with b, by hypotheses with h(x) = 0; the
    patterns on {u} and {u, v}, by the hypothesis that is constant but for v.
    """

    def representatives_on(self, points: Iterable[Hashable]) -> tuple[Row, ...]:
        asked = frozenset(points)
        patterns: dict[tuple[int, ...], Row] = {}
        for h in sorted(self.H, key=lambda h: self._rank(h, asked)):
            patterns.setdefault(tuple(h(x) for x in sorted(asked, key=str)), h)
        return tuple(patterns.values())

    @staticmethod
    def _rank(h: Row, points: frozenset[Hashable]) -> int:
        if "b" in points:
            return h("x")
        if "a" in points:
            return 1 - h("x")
        return int(len({h(x) for x in "uabx"}) > 1)


@pytest.fixture(scope="session")
def attaining() -> Family:
    """A class on u, v, a, b, x, with representatives that make the stability bound an equality."""
    return _Attaining(_LABELLINGS, 0)


def subsamples(sample: SampleOf, size: int) -> Iterator[tuple[Hashable, ...]]:
    """Yield the points of S_I for each set I of ``size`` indices."""
    for indices in combinations(range(len(sample)), size):
        yield tuple(sample.points[index] for index in indices)


def errors_on(sample: SampleOf, h: Hypothesis) -> int:
    return sum(h(x) != y for x, y in zip(sample.points, sample.labels, strict=True))


def exponential(candidates: Iterable[Hypothesis], sample: SampleOf, decay: Fraction) -> Selection:
    """The exponential mechanism by its definition: weights ``decay**errors``, normalised."""
    weights = {h: decay ** errors_on(sample, h) for h in candidates}
    total = sum(weights.values())
    return {h: weight / total for h, weight in weights.items()}


@pytest.fixture(scope="session")
def naive_selection() -> Callable[[Family, SampleOf, int, Fraction], Selection]:
    """P_S by its definition: the average over all index sets I of the mechanism on H_{S_I}."""

    def of(H: Family, sample: SampleOf, size: int, decay: Fraction) -> Selection:
        # Equal point tuples give equal laws; each index set counts.
        times = Counter(subsamples(sample, size))
        law: Selection = {}
        for points, count in times.items():
            for h, p in exponential(H.representatives_on(points), sample, decay).items():
                law[h] = law.get(h, Fraction(0)) + count * p
        number = sum(times.values())
        return {h: p / number for h, p in law.items()}

    return of
