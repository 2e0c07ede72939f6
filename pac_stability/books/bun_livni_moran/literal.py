"""The definitions of the paper written out literally, as a reference for the trials.

Hypotheses and predictors are integers whose bit ``x`` is the label of point ``x``; a class is a
frozenset of them. Nothing here calls the searches, machines or laws of the library.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution

Hypotheses: TypeAlias = frozenset[int]
Sequence: TypeAlias = tuple[tuple[int, int], ...]
"""Examples as pairs (point, label)."""


@cache
def hypotheses_of(H: FiniteClass) -> Hypotheses:
    """Return the rows of a table as integers."""
    return frozenset(sum(int(y) << x for x, y in enumerate(row)) for row in H.table)


def side(rows: Hypotheses, x: int, y: int) -> Hypotheses:
    """Return the hypotheses with label y at x."""
    return frozenset(h for h in rows if h >> x & 1 == y)


@cache
def dimension(rows: Hypotheses, empty: int = -1) -> int:
    """Return the Littlestone dimension by its recursion, with a choice for the empty class."""
    if len(rows) < 2:
        return 0 if rows else empty
    best, most = 0, len(rows).bit_length() - 1  # a tree of depth d has 2^d leaves
    for x in range(max(rows).bit_length()):
        if best == most:
            break
        ones = side(rows, x, 1)
        if ones and ones != rows:
            best = max(best, 1 + min(dimension(ones, empty), dimension(rows - ones, empty)))
    return best


@cache
def optimal_predictor(rows: Hypotheses, points: int, tie: int, empty: int = -1) -> int:
    """Return argmax_b Ldim(V_x^b) at all points."""
    labels = 0
    for x in range(points):
        ones = side(rows, x, 1)
        one, zero = dimension(ones, empty), dimension(rows - ones, empty)
        if one > zero or (one == zero and tie):
            labels |= 1 << x
    return labels


@dataclass(frozen=True)
class Soa:
    """The SOA with Definition 8; each call runs it again from the first example.

    Attributes
    ----------
    rows, points, tie
        The class, the number of its points, and the label at a tie.
    patches
        Whether to follow Definition 8. Otherwise the SOA skips examples that no hypothesis fits.
    """

    rows: Hypotheses
    points: int
    tie: int
    patches: bool = True

    def __call__(self, sequence: Sequence) -> int:
        """Return the predictor after a sequence."""
        space, patched = self.rows, None
        for x, y in sequence:
            if patched is None:
                left = side(space, x, y)
                if left:
                    space = left
                elif self.patches:
                    patched = with_label(self._predictor(space), x, y)
            else:
                patched = with_label(patched, x, y)
        return self._predictor(space) if patched is None else patched

    def mistakes(self, sequence: Sequence) -> int:
        """Return the number of examples on which the predictor just before them was wrong."""
        return sum(self(sequence[:t]) >> x & 1 != y for t, (x, y) in enumerate(sequence))

    def _predictor(self, space: Hypotheses) -> int:
        return optimal_predictor(space, self.points, self.tie)


def with_label(f: int, x: int, y: int) -> int:
    """Return a predictor with the label at one point replaced."""
    return f | 1 << x if y else f & ~(1 << x)


@dataclass(frozen=True)
class TournamentSetting:
    """A class, a realizable target, and the choices that the paper leaves open.

    Attributes
    ----------
    H
        The class, on the points 0, ..., m - 1.
    concept
        A hypothesis of the class.
    weights
        A weight for each point, not all zero. The target draws a point by weight, and the concept
        labels it.
    n
        The auxiliary sample size.
    tie
        The label of the SOA at a tie.
    highest
        Whether to pick the last point where two predictors differ, instead of the first.
    """

    H: FiniteClass
    concept: int
    weights: tuple[int, ...]
    n: int
    tie: int = 1
    highest: bool = False

    @property
    def target(self) -> FiniteDistribution[Example[Hashable]]:
        """The target distribution."""
        total = sum(self.weights)
        return FiniteDistribution(
            {
                Example(x, self.concept >> x & 1): Fraction(w, total)
                for x, w in enumerate(self.weights)
                if w
            }
        )

    @property
    def points(self) -> int:
        """The number of points."""
        return len(self.weights)

    @property
    def dimension(self) -> int:
        """The Littlestone dimension d, by its recursion."""
        return dimension(hypotheses_of(self.H))

    @property
    def soa(self) -> Soa:
        """The SOA written out."""
        return Soa(hypotheses_of(self.H), self.points, self.tie)

    def loss(self, f: int) -> Fraction:
        """Return the loss of a predictor on the target."""
        wrong = sum(w for x, w in enumerate(self.weights) if (f ^ self.concept) >> x & 1)
        return Fraction(wrong, sum(self.weights))

    def blocks(self) -> Iterator[tuple[Sequence, Fraction]]:
        """Yield T ~ D^n: every sequence of n examples with its probability."""
        whole = sum(self.weights) ** self.n
        support = [((x, self.concept >> x & 1), w) for x, w in enumerate(self.weights) if w]
        for chosen in product(support, repeat=self.n):
            p = Fraction(math.prod(w for _, w in chosen), whole)
            yield tuple(example for example, _ in chosen), p

    @property
    def order(self) -> str:
        """The library's name for the way of picking."""
        return "highest" if self.highest else "lowest"

    def pick(self, f: int, g: int) -> int:
        """Return the point that distinguishes two predictors."""
        differ = f ^ g
        return (differ if self.highest else differ & -differ).bit_length() - 1

    def mistake(self, f: int, g: int) -> tuple[int, int]:
        """Return the example of a match that keeps f: f is wrong about it, and g is right."""
        x = self.pick(f, g)
        return x, 1 - (f >> x & 1)

    def __str__(self) -> str:
        width = self.points
        return (
            f"class {class_string(self.H)}, target {label_string(self.concept, width)} with "
            f"weights {list(self.weights)}, n = {self.n}, tie {self.tie}, "
            f"{'last' if self.highest else 'first'} point picked"
        )


def class_string(H: FiniteClass) -> str:
    """Return the hypotheses of a class, each as its labels."""
    width = len(H.domain)
    return "{" + " ".join(label_string(h, width) for h in sorted(hypotheses_of(H))) + "}"


def label_string(f: int, points: int) -> str:
    """Return the labels of a predictor, point by point."""
    return "".join(str(f >> x & 1) for x in range(points))


class Tournaments:
    """The distributions D_k by listing sequences of examples: steps (i) to (v).

    Parameters
    ----------
    setting
        The class, the target and n.
    soa
        An algorithm to use instead of the SOA of the setting.
    loser
        Whether to keep the player whose predictor is *right* about the coin. The paper keeps the
        other one.
    """

    def __init__(
        self,
        setting: TournamentSetting,
        soa: Callable[[Sequence], int] | None = None,
        *,
        loser: bool = False,
    ) -> None:
        self._setting = setting
        self._soa = setting.soa if soa is None else soa
        self._loser = loser
        self._levels: list[dict[Sequence, Fraction]] = [{(): Fraction(1)}]

    def players(self, k: int) -> Iterator[tuple[Sequence, Fraction, int]]:
        """Yield S o T with its probability and predictor, for S ~ D_k and T ~ D^n."""
        blocks = list(self._setting.blocks())
        for (S, p), (T, q) in product(self.level(k).items(), blocks):
            yield S + T, p * q, self._soa(S + T)

    def level(self, k: int) -> dict[Sequence, Fraction]:
        """Return the law of S ~ D_k; empty if the rounds never end."""
        while len(self._levels) <= k:
            self._levels.append(self._won(list(self.players(len(self._levels) - 1))))
        return self._levels[k]

    def _won(self, players: list[tuple[Sequence, Fraction, int]]) -> dict[Sequence, Fraction]:
        frequencies: dict[int, Fraction] = defaultdict(Fraction)
        for _, p, f in players:
            frequencies[f] += p
        law: dict[Sequence, Fraction] = defaultdict(Fraction)
        # Either side may be kept first or second, so each player meets all others as the winner,
        # with the coin that makes it one: probability 1/2, for two orders of the pair.
        for ST, p, f in players:
            for g, q in frequencies.items():
                if f != g:
                    x, y = self._setting.mistake(f, g)
                    law[(*ST, (x, 1 - y if self._loser else y))] += p * q
        decided = sum(law.values())
        return {S: p / decided for S, p in law.items()} if decided else {}

    def mean_draws(self, k: int) -> Fraction | None:
        """Return E[M_k], the mean number of draws for S; ``None`` if the rounds never end.

        The computation does not assume that draws and samples are independent. It tracks, for each
        sample, the mean of its draws on the event that the tournaments make this sample.
        """
        setting, zero = self._setting, Fraction(0)
        draws: dict[Sequence, Fraction] = {(): zero}
        for below in map(self.level, range(k)):
            players = [
                (S + T, p * q, (draws[S] + setting.n * p) * q, self._soa(S + T))
                for (S, p), (T, q) in product(below.items(), setting.blocks())
            ]
            outputs: dict[int, tuple[Fraction, Fraction]] = {}
            for _, p, drawn, f in players:
                before = outputs.get(f, (zero, zero))
                outputs[f] = before[0] + p, before[1] + drawn
            tie = sum((p * p for p, _ in outputs.values()), zero)
            if tie == 1:
                return None
            # Of the rounds before, j with probability tie^j, each wastes the same.
            wasted = sum((2 * p * drawn for p, drawn in outputs.values()), zero) / (1 - tie)
            draws = defaultdict(Fraction)
            for ST, p, drawn, f in players:
                for g, (q, others) in outputs.items():
                    if f != g:
                        spent = drawn * q + p * others + p * q * wasted
                        draws[*ST, setting.mistake(f, g)] += spent / (1 - tie)
        return sum(draws.values(), zero)

    def outputs(self, k: int) -> dict[int, Fraction]:
        """Return Pr[SOA(S o T) = f] for every f."""
        law: dict[int, Fraction] = defaultdict(Fraction)
        for _, p, f in self.players(k):
            law[f] += p
        return dict(law)

    def agreement(self, k: int) -> Fraction:
        """Return the probability that all k tournament labels are those of the concept."""
        n, c = self._setting.n, self._setting.concept
        good = (
            p for S, p in self.level(k).items() if all(c >> x & 1 == y for x, y in S[n :: n + 1])
        )
        return sum(good, Fraction(0))


class Budgeted:
    """The tournaments with a budget of N draws, by listing samples together with their draws."""

    def __init__(self, setting: TournamentSetting, budget: int) -> None:
        self._setting, self._budget = setting, budget
        self._levels: list[dict[tuple[Sequence, int], Fraction]] = [{((), 0): Fraction(1)}]

    def _players(self, k: int) -> list[tuple[Sequence, int, Fraction, int]]:
        """Yield S o T, the number of draws for it, its probability and its predictor."""
        soa, n, blocks = self._setting.soa, self._setting.n, list(self._setting.blocks())
        return [
            (S + T, drawn + n, p * q, soa(S + T))
            for (S, drawn), p in self._level(k).items()
            for T, q in blocks
        ]

    def _level(self, k: int) -> dict[tuple[Sequence, int], Fraction]:
        while len(self._levels) <= k:
            self._levels.append(self._won(self._players(len(self._levels) - 1)))
        return self._levels[k]

    def _won(
        self, players: list[tuple[Sequence, int, Fraction, int]]
    ) -> dict[tuple[Sequence, int], Fraction]:
        costs: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for _, drawn, p, f in players:
            costs[f, drawn] += p
        tie: dict[int, Fraction] = defaultdict(Fraction)
        for ((f, a), p), ((g, b), q) in product(costs.items(), repeat=2):
            if f == g:
                tie[a + b] += p * q
        # How much has been drawn in rounds that were ties, as long as the budget lasts.
        before: dict[int, Fraction] = {0: Fraction(1)}
        for spent in range(self._budget + 1):
            for cost, p in tie.items():
                if spent in before and spent + cost <= self._budget:
                    later = spent + cost
                    before[later] = before.get(later, Fraction(0)) + before[spent] * p
        law: dict[tuple[Sequence, int], Fraction] = defaultdict(Fraction)
        for ST, a, p, f in players:
            for (g, b), q in costs.items():
                if f != g:
                    S = (*ST, self._setting.mistake(f, g))
                    for spent, r in before.items():
                        if spent + a + b <= self._budget:
                            law[S, spent + a + b] += p * q * r
        return dict(law)

    def outputs(self, k: int) -> dict[int | None, Fraction]:
        """Return the law of SOA(S o T), with ``None`` for "Fail"."""
        law: dict[int | None, Fraction] = defaultdict(Fraction)
        for _, _, p, f in self._players(k):
            law[f] += p
        if (fail := 1 - sum(law.values(), Fraction(0))) > 0:
            law[None] = fail
        return dict(law)
