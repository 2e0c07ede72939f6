"""Search all small instances for those on which Lemma 12 of BLM20 fails as printed.

``python docs/examples/lemma_12_search.py POINTS`` goes through every class of Littlestone dimension
2 on that many points, with

- the empty set as target, which is no restriction, because labels may be exchanged at any set of
  points, and with them the label predicted at a tie there;
- every tie rule, constant or not: a set of points where 1 is predicted at a tie;
- every law of the points with integer weights up to a total, every n up to a limit;
- every order in which the point of a tournament may be picked.

Classes that a permutation of the points makes equal are looked at once. Frequencies are computed in
floating point, with sums of positive terms only, whose relative error is below 10^-12; whatever
comes within 10^-9 of 1/4 or below is decided exactly by ``TournamentDistribution``.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution
from pac_stability.papers.bun_livni_moran.lemma_12 import reached_frequencies

Array: TypeAlias = npt.NDArray[np.float64]
DIMENSION = 2
NEAR = 0.25 + 1e-9


def classes_up_to_permutation(points: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of ``size`` hypotheses, as masks, that contain the empty set."""
    others = np.array(list(combinations(range(1, 1 << points), size - 1)), dtype=np.int64)
    least = mine = np.bitwise_or.reduce(1 << others, axis=1)
    for order in permutations(range(points)):
        moved = sum((((others >> x) & 1) << order[x] for x in range(points)), np.int64(0))
        least = np.minimum(least, np.bitwise_or.reduce(1 << moved, axis=1))
    for row in others[mine == least]:
        yield (0, *row.tolist())


@dataclass
class Machine:
    """The SOA on one class with one tie rule: its states, and where examples lead."""

    points: int
    hypotheses: tuple[int, ...]
    ties: int

    def __post_init__(self) -> None:
        self.dimensions: dict[frozenset[int], int] = {}
        self.index: dict[frozenset[int] | int, int] = {}
        self.states: list[frozenset[int] | int] = []
        self.predictors: list[int] = []
        self.start = self.add(frozenset(self.hypotheses))

    def dimension(self, space: frozenset[int]) -> int:
        """Littlestone dimension, by its recursion."""
        if len(space) < 2:
            return len(space) - 1
        if space not in self.dimensions:
            sides = ((self.side(space, x, 0), self.side(space, x, 1)) for x in range(self.points))
            self.dimensions[space] = max(
                1 + min(self.dimension(zero), self.dimension(one))
                for zero, one in sides
                if zero and one
            )
        return self.dimensions[space]

    @staticmethod
    def side(space: frozenset[int], x: int, label: int) -> frozenset[int]:
        """The hypotheses with this label at x."""
        return frozenset(h for h in space if h >> x & 1 == label)

    def add(self, state: frozenset[int] | int) -> int:
        """The number of a state: a version space, or a patched predictor."""
        if state not in self.index:
            self.index[state] = len(self.states)
            self.states.append(state)
            self.predictors.append(state if isinstance(state, int) else self.optimal(state))
        return self.index[state]

    def optimal(self, space: frozenset[int]) -> int:
        """The predictor of a version space."""
        labels = 0
        for x in range(self.points):
            zero, one = (self.dimension(self.side(space, x, label)) for label in (0, 1))
            labels |= (one > zero or (one == zero and self.ties >> x & 1 == 1)) << x
        return labels

    def step(self, index: int, x: int, label: int) -> int:
        """The state after one more example."""
        state = self.states[index]
        if isinstance(state, frozenset) and (left := self.side(state, x, label)):
            return self.add(left)
        patched = self.predictors[index] & ~(1 << x) | label << x
        return self.add(patched)

    def closure(self, tournaments: bool) -> tuple[list[list[int]], list[list[int]]]:
        """Where each state goes with examples of the target, and with tournament examples."""
        given, played = [], []
        i = 0
        while i < len(self.states):
            given.append([self.step(i, x, 0) for x in range(self.points)])
            if tournaments:
                f = self.predictors[i]
                played.append([self.step(i, x, 1 - (f >> x & 1)) for x in range(self.points)])
            i += 1
        return given, played


def one_hot(targets: list[list[int]], states: int) -> Array:
    """As a matrix from (state, point) to state."""
    flat = np.array(targets).reshape(-1)
    matrix = np.zeros((len(flat), states))
    matrix[np.arange(len(flat)), flat] = 1
    return matrix


def by_predictor(machine: Machine, states: int) -> Array:
    """As a matrix from states to their predictors."""
    matrix = np.zeros((states, 1 << machine.points))
    matrix[np.arange(states), machine.predictors[:states]] = 1
    return matrix


def push(law: Array, weights: Array, moves: Array) -> Array:
    """One more example of the target, for every vector of weights."""
    spread = law[:, :, None] * weights[:, None, :]
    return np.asarray(spread.reshape(len(law), -1) @ moves)


def first_points(points: int, order: tuple[int, ...]) -> Array:
    """For predictors f and g, the point in ``order`` that tells them apart, one-hot."""
    table = np.zeros((1 << points, 1 << points, points))
    for f, g in product(range(1 << points), repeat=2):
        if f != g:
            table[f, g, next(x for x in order if (f ^ g) >> x & 1)] = 1
    return table


def suspects(
    machine: Machine, weights: Array, most: int, orders: dict[tuple[int, ...], Array]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield (index of the weights, n, order) where no frequency is clearly above 1/4."""
    given, _ = machine.closure(tournaments=False)
    states = len(given)
    if len(set(machine.predictors)) <= 1 << DIMENSION:
        return
    moves, read = one_hot(given, states), by_predictor(machine, states)
    law = np.zeros((len(weights), states))
    law[:, machine.start] = 1
    passing: list[tuple[int, npt.NDArray[np.intp], Array]] = []
    for n in range(1, most + 1):
        law = push(law, weights, moves)
        rows = np.flatnonzero((law @ read).max(axis=1) < NEAR)
        if len(rows):
            passing.append((n, rows, law[rows]))
    if not passing:
        return
    given, played = machine.closure(tournaments=True)
    states = len(given)
    moves, read = one_hot(given, states), by_predictor(machine, states)
    matches = one_hot(played, states)
    for (n, rows, reached), (order, first) in product(passing, orders.items()):
        players = np.zeros((len(rows), states))
        players[:, : reached.shape[1]] = reached
        alive = np.arange(len(rows))
        for _ in range(DIMENSION):
            outputs = players @ read
            theta = 1 - (outputs**2).sum(axis=1)
            faced = np.einsum("wg,fgx->wfx", outputs, first)[:, machine.predictors]
            kept = (players[:, :, None] * faced).reshape(len(players), -1) @ matches
            players = kept / theta[:, None]
            for _ in range(n):
                players = push(players, weights[rows[alive]], moves)
            near = (players @ read).max(axis=1) < NEAR
            players, alive = players[near], alive[near]
            if not len(alive):
                break
        for i in alive.tolist():
            yield int(rows[i]), n, order


def is_counterexample(
    machine: Machine, weights: tuple[int, ...], n: int, order: tuple[int, ...]
) -> bool:
    """Decide exactly, with labels exchanged where the tie rule says 0, so that it says 1."""
    points = machine.points
    exchanged = ~machine.ties & (1 << points) - 1
    rows = [[(h ^ exchanged) >> x & 1 for x in range(points)] for h in machine.hypotheses]
    target = FiniteDistribution(
        {
            Example(x, exchanged >> x & 1): Fraction(w, sum(weights))
            for x, w in enumerate(weights)
            if w
        }
    )
    return (
        reached_frequencies(
            FiniteClass(rows), target, n, pick=order, tie=1, constants="printed"
        ).level
        is None
    )


def all_weights(points: int, total: int) -> list[tuple[int, ...]]:
    """Vectors of non-negative integers up to a total, without a common factor."""
    return [
        w
        for w in product(range(total + 1), repeat=points)
        if 0 < sum(w) <= total and math.gcd(*w) == 1
    ]


def main() -> None:
    """Search, and print what is found, size by size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("points", type=int)
    parser.add_argument(
        "--sizes", type=int, nargs=2, default=(4, 11), help="hypotheses, from and to"
    )
    parser.add_argument("--examples", type=int, default=10, help="largest n")
    parser.add_argument("--total", type=int, default=10, help="largest total of the weights")
    parser.add_argument("--uniform", action="store_true", help="equal weights only")
    chosen = parser.parse_args()
    points = chosen.points
    integers = [(1,) * points] if chosen.uniform else all_weights(points, chosen.total)
    weights = np.array(integers, dtype=np.float64)
    weights /= weights.sum(axis=1, keepdims=True)
    orders = {order: first_points(points, order) for order in permutations(range(points))}
    print(f"{points} points, {len(integers)} weights, n up to {chosen.examples}", flush=True)
    for size in range(chosen.sizes[0], min(chosen.sizes[1], 1 << points) + 1):
        classes = found = 0
        for hypotheses in classes_up_to_permutation(points, size):
            if Machine(points, hypotheses, 0).dimension(frozenset(hypotheses)) != DIMENSION:
                continue
            classes += 1
            for ties in range(1 << points):
                machine = Machine(points, hypotheses, ties)
                failing = [
                    (integers[w], n, order)
                    for w, n, order in suspects(machine, weights, chosen.examples, orders)
                    if is_counterexample(machine, integers[w], n, order)
                ]
                found += len(failing)
                for w, n in sorted({(w, n) for w, n, _ in failing}):
                    count = sum((v, k) == (w, n) for v, k, _ in failing)
                    print(
                        f"  H = {hypotheses}, ties {ties:0{points}b}, weights {w}, n = {n}: "
                        f"{count} of {len(orders)} orders",
                        flush=True,
                    )
        print(f"{size} hypotheses: {classes} classes, {found} counterexamples", flush=True)


if __name__ == "__main__":
    main()
