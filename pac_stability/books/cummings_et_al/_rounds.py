"""Compression learners that are asked one after another, on few elements, with their exact laws."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.books.cummings_et_al._deviations import deviates_seldom
from pac_stability.claims.trials import Budget, Finding
from pac_stability.classes import FiniteClass, Row, subsets, thresholds
from pac_stability.compression import AdaptiveSession, CompressionScheme, ProperScheme, agnostic
from pac_stability.compression.chains import ChainScheme
from pac_stability.compression.maximum_classes import MaximumClassScheme
from pac_stability.data import Example, FiniteDistribution, Sample, multiset_distribution
from pac_stability.notions.robust_generalization import optimal_adversary

Analyst: TypeAlias = Callable[[tuple[Row, ...]], CompressionScheme[Row]]
"""From the hypotheses so far to the next scheme."""


class Telling(ProperScheme[Row]):
    """A learner to which its hypotheses are alike, and that tells a point by which one it outputs.

    The domain has points 0 to m - 1, and a mark for each of them, m to 2m - 1. The hypotheses are
    the sets of one mark, and the empty one. On a sample without marks all of them make as many
    errors. Then it outputs that of a point of the sample with which, and with those that were told
    and will be, a test deviates most.

    Parameters
    ----------
    masses
        The probabilities of the m points.
    told
        The points that are known.
    left
        How many points will be told, with this one.
    """

    def __init__(self, masses: tuple[Fraction, ...], told: tuple[int, ...], left: int) -> None:
        self.masses, self.told, self.left = masses, told, left
        m = len(masses)
        marks = [[int(x == m + t) for x in range(2 * m)] for t in range(m)]
        self._class = FiniteClass([*marks, [0] * (2 * m)])

    @property
    def family(self) -> FiniteClass:
        """The class."""
        return self._class

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 1."""
        return 1

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        columns = [self._class.column(x) for x in sample.points]
        gains: dict[int, int] = {}
        for column, label in zip(columns, sample.labels, strict=True):
            if column >= len(self.masses):
                gains[column] = gains.get(column, 0) + 2 * label - 1
        if not gains:
            return (columns.index(self._best(columns)),)
        mark = max(gains, key=lambda column: gains[column])
        wanted = (mark, int(gains[mark] > 0))
        return (list(zip(columns, sample.labels, strict=True)).index(wanted),)

    def _best(self, columns: list[int]) -> int:
        def deviation(chosen: tuple[int, ...]) -> Fraction:
            test = {*self.told, *chosen}
            share = Fraction(sum(x in test for x in columns), len(columns))
            return abs(share - sum(self.masses[x] for x in test))

        present = sorted(set(columns))
        return max(combinations_with_replacement(present, self.left), key=deviation)[0]

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        """Return the set of the mark that is kept with a 1, or of that of the point kept."""
        column, m = self._class.column(kept.points[0]), len(self.masses)
        if column < m:
            return self._class[column]
        return self._class[column - m if kept.labels[0] else m]


@dataclass(frozen=True, slots=True)
class Rounds:
    """An analyst who asks one scheme after another.

    Attributes
    ----------
    name
        What is asked.
    target
        D, the law of an example.
    n
        The size of samples.
    sizes
        What the rounds keep.
    analyst
        Who asks.
    delta
        The probability of failure that is allowed.
    """

    name: str
    target: FiniteDistribution[Example[Hashable]]
    n: int
    sizes: tuple[int, ...]
    analyst: Analyst
    delta: Fraction

    def play(self, sample: Sample[Hashable]) -> tuple[tuple[int, ...], ...]:
        """Return the labels that the hypotheses give."""
        session = AdaptiveSession(sample, self.delta, sum(self.sizes))
        seen: tuple[Row, ...] = ()
        for _ in self.sizes:
            seen = (*seen, session.ask(self.analyst(seen)).output)
        return tuple(tuple(map(h, h.hypotheses.domain)) for h in seen)

    def __str__(self) -> str:
        return f"{self.name}, D = {self.target}, n = {self.n}, delta = {self.delta}"


def rounds(budget: Budget) -> Iterator[Rounds]:
    """Give analysts and samples so large that some test deviates by more than the bound."""
    third, often = Fraction(1, 3), Fraction(9, 10)
    noisy = _on({(x, y): Fraction(1 + 2 * (x == y), 8) for x in (0, 1) for y in (0, 1)})
    uneven = _on({(0, 0): third, (0, 1): third / 6, (1, 0): third / 3, (1, 1): third * 3 / 2})
    corners = _on({(0, 1): third, (1, 0): third, (2, 1): third * 3 / 4, (2, 0): third / 4})
    for n in (8, 12, 16)[: budget.pick(2, 3, 3)]:
        for weights in ((1, 1, 1, 1), (4, 2, 1, 1), (7, 1, 1, 1)):
            masses = tuple(Fraction(w, sum(weights)) for w in weights)
            target = _on({(x, 0): mass for x, mass in enumerate(masses)})
            for told in (2,) if n == 8 else (2, 3):
                name = f"{told} points are told"
                yield Rounds(name, target, n, (1,) * told, _tells(masses, told), often)
        for target in (noisy, uneven):
            yield Rounds("two thresholds", target, n, (1, 1), _nested, third)
        if n > 8:
            yield Rounds("three thresholds", uneven, n, (1, 1, 1), _nested, third)
            yield Rounds("at most two points, then a threshold", corners, n, (2, 1), _mixed, third)


def _on(masses: dict[tuple[int, int], Fraction]) -> FiniteDistribution[Example[Hashable]]:
    return FiniteDistribution({Example(x, y): mass for (x, y), mass in masses.items()})


def _tells(masses: tuple[Fraction, ...], rounds: int) -> Analyst:
    def ask(seen: tuple[Row, ...]) -> CompressionScheme[Row]:
        return Telling(masses, tuple(h.index for h in seen), rounds - len(seen))

    return ask


def _nested(seen: tuple[Row, ...]) -> CompressionScheme[Row]:
    """Ask for a threshold, in an order that depends on what the last one says at 0."""
    if seen and not seen[-1](0):
        return ChainScheme(FiniteClass([[0, 0], [1, 0], [1, 1]]))
    return ChainScheme(FiniteClass([[0, 0], [0, 1], [1, 1]]))


def _mixed(seen: tuple[Row, ...]) -> CompressionScheme[Row]:
    """Ask for a set of at most two of three points, then for a threshold, by whether 0 is in it."""
    if not seen:
        return agnostic(MaximumClassScheme(subsets(3, 2)))
    chain = thresholds(3)
    return ChainScheme(chain if seen[0](0) else FiniteClass(chain.table[:, ::-1].tolist()))


Formula: TypeAlias = Callable[[int, tuple[int, ...], Fraction], Interval]
"""From n, what the rounds keep, and delta to epsilon."""


def stays_together(formula: Formula, asked: Rounds) -> Finding:
    """Find the best adversary who sees all hypotheses of a session."""
    types = multiset_distribution(asked.target, asked.n)
    laws = {
        kind: FiniteDistribution.point_mass(asked.play(Sample.from_examples(kind.elements())))
        for kind in types.support
    }
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, types, epsilon).failure,
        formula(asked.n, asked.sizes, asked.delta),
        asked.delta,
        asked,
    )
