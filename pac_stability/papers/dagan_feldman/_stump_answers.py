"""The stable learner on stumps, ready for many answers: the kernel and what it is given."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability._core.stump_answers import StumpAnswers
from pac_stability.arguments import described
from pac_stability.classes import ErrorCounter, Hypothesis, Stump
from pac_stability.classes.counting.points import Exact, WeightedPoints
from pac_stability.classes.counting.ranks import numbers_up_to
from pac_stability.classes.exact import exact_number
from pac_stability.data import ArraySample
from pac_stability.errors import InvalidInput
from pac_stability.learning.learner import ManyPoints
from pac_stability.mechanisms import PreparedChoice
from pac_stability.mechanisms.draws import LazyCoin, words
from pac_stability.papers.dagan_feldman._answering import DrawingAnswers, Labels, Promising
from pac_stability.papers.dagan_feldman.draws import random_indices
from pac_stability.randomness import SYSTEM_COINS, Coins

_MOST_RANKS = 1 << 28
_MOST_MEMORY = 1 << 28
_WORK = 1 << 20
"""Ranks that are looked at between two looks at signals: some 10 ms."""

_FEW_PATHS = 1 << 12
_SHORT = 1 << 11
"""So few ordered subsets, and weights of so few bits, are asked for one by one: by a tape, say."""

_GUARD = 40
_DOUBT = 2

Places = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class StumpDraws(DrawingAnswers):
    """Answers of A^sta on stumps.

    Of a sample, a subset needs no more than the ranks of its points along each coordinate; a cut at
    a rank has a number of errors that was counted once, and a weight that was rounded once. So an
    answer is: draw the subset, list its patterns, add up the weights of the stumps of each label.

    Parameters
    ----------
    learner, n
        As for :class:`Answering`.
    subset_size
        n'.
    decay
        rho.
    axes
        The distinct values along each coordinate, increasing.
    begins, errors
        Along coordinate j, from place ``begins[j]`` on, the errors of the upward stumps at these.
    kernel
        What lists patterns and labels points.
    """

    subset_size: int
    decay: Fraction
    axes: Sequence[Exact] = field(repr=False)
    begins: npt.NDArray[np.int64] = field(repr=False)
    errors: npt.NDArray[np.int64] = field(repr=False)
    kernel: StumpAnswers = field(repr=False)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> Hypothesis:
        """Return one hypothesis."""
        coordinates, ranks, errors = self._candidates(random_indices(self.n, self.subset_size, rng))
        chosen = PreparedChoice(errors, self.decay).draw(rng)
        place = chosen % len(ranks)
        coordinate = int(coordinates[place])
        cut = exact_number(self.axes[coordinate][ranks[place]])
        return Stump(len(self.axes), coordinate, cut, upward=chosen == place)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        places = self._places([point])
        if self._asked_one_by_one:
            return self._coin(random_indices(self.n, self.subset_size, rng), places[0]).toss(rng)
        return int(self._labels(places, rng)[0])

    def answers(self, points: ManyPoints[Hashable], /, rng: Coins = SYSTEM_COINS) -> Labels:
        """Return one label for each point, all independent."""
        places = self._places(points if isinstance(points, np.ndarray) else list(points))
        if self._asked_one_by_one:
            subsets = (random_indices(self.n, self.subset_size, rng) for _ in places)
            pairs = zip(subsets, places, strict=True)
            labels = [self._coin(subset, row).toss(rng) for subset, row in pairs]
            return np.array(labels, dtype=np.uint8)
        step = max(1, _WORK // (len(self.axes) * self.subset_size))
        parts = [
            self._labels(places[start : start + step], rng) for start in range(0, len(places), step)
        ]
        return np.concatenate([np.zeros(0, dtype=np.uint8), *parts])

    @property
    def _asked_one_by_one(self) -> bool:
        bits = self.n * self.decay.denominator.bit_length()
        return bits <= _SHORT and math.perm(self.n, self.subset_size) <= _FEW_PATHS

    def _labels(self, places: Places, rng: Coins) -> Labels:
        """Label points by words of bits, in the compiled core."""
        labels = np.zeros(len(places), dtype=np.uint8)
        stream, done = np.zeros(0, dtype=np.uint64), 0
        while done < len(places):
            # 32 bits an index, and seldom more; 64 for the choice.
            wanted = (len(places) - done) * ((self.subset_size + 1) // 2 + 1) + 2
            stream = np.concatenate([stream, words(max(wanted - len(stream), 16), rng)])
            why = self.kernel.answers(stream, places[done:], labels[done:])
            done += self.kernel.answered
            stream = stream[self.kernel.used :]
            if why == _DOUBT:
                coin = self._coin(self.kernel.chosen, places[done])
                labels[done] = coin.settled(self.kernel.digits, rng)
                done += 1
        return labels

    def _coin(self, subset: Sequence[int] | npt.NDArray[np.int64], places: Places) -> LazyCoin:
        """Return the coin for a point once a subset is drawn."""
        coordinates, ranks, errors = self._candidates(subset)
        above = ranks < places[coordinates]
        return PreparedChoice(errors, self.decay).coin(np.concatenate([above, ~above]))

    def _candidates(
        self, subset: Sequence[int] | npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the cuts of a subset, and the errors of the upward stumps, then the others'."""
        coordinates, ranks = self.kernel.candidates(np.asarray(subset, dtype=np.int64))
        upward = self.errors[self.begins[coordinates] + ranks]
        return coordinates, ranks, np.concatenate([upward, self.n - upward])

    def _places(self, points: Sequence[Hashable] | npt.NDArray[Any]) -> Places:
        """Return how many of the values along each coordinate are at most each point's."""
        columns = _columns(points, len(self.axes))
        places = np.empty((len(points), len(self.axes)), dtype=np.uint32)
        for axis, (values, entries) in enumerate(zip(self.axes, columns, strict=True)):
            if values.dtype == entries.dtype:
                places[:, axis] = values.searchsorted(entries, side="right")
            else:
                places[:, axis] = numbers_up_to(values, [exact_number(x) for x in entries.tolist()])
        return places


def _columns(points: Sequence[Hashable] | npt.NDArray[Any], dimension: int) -> Sequence[Exact]:
    """Return the coordinates of points, as exact numbers of one type where there is one."""
    if isinstance(points, np.ndarray):
        array = points
    elif all(type(point) is tuple and {*map(type, point)} == {float} for point in points):
        if any(len(point) != dimension for point in points):  # type: ignore[arg-type]  # tuples
            raise InvalidInput("points", described(points), f"tuples of {dimension} numbers")
        array = np.array(points, dtype=np.float64).reshape(len(points), dimension)
    else:
        return WeightedPoints(points, np.zeros((0, 0), dtype=np.int64)).in_space(dimension)
    checked = ArraySample(array, np.zeros(len(array), dtype=np.uint8))
    return WeightedPoints(checked.points, np.zeros((0, 0), dtype=np.int64)).in_space(dimension)


def stump_draws(
    learner: Promising, counter: ErrorCounter, dimension: int, subset_size: int, decay: Fraction
) -> StumpDraws | None:
    """Prepare A^sta on stumps for a sample; nothing where that takes too much memory.

    Parameters
    ----------
    learner
        Whose promises are said.
    counter
        Of the sample.
    dimension
        p, the number of coordinates.
    subset_size
        n', from 1 to n.
    decay
        rho.

    Notes
    -----
    O(p n log n), once: no error is counted again. An answer takes O(p n' log n').
    """
    sample, n = counter.sample, len(counter.sample)
    if (
        n * dimension > _MOST_RANKS
        or (subset_size * dimension) ** 2 // dimension > 8 * _MOST_MEMORY
    ):
        return None
    points = counter.sums.points
    columns, surplus = points.in_space(dimension), points.weights[:, 0]
    of_example = (
        slice(None)
        if isinstance(sample, ArraySample)
        else np.array([points.positions[x] for x in sample.points], dtype=np.intp)
    )
    ranks = np.empty((dimension, n), dtype=np.uint32)
    axes: list[Exact] = []
    errors: list[npt.NDArray[np.int64]] = []
    for axis, entries in enumerate(columns):
        values, place = np.unique(entries, return_inverse=True)
        sums = np.zeros(len(values), dtype=np.int64)
        np.add.at(sums, place, surplus)
        axes.append(values)
        errors.append(counter.ones + np.cumsum(sums[::-1])[::-1])
        ranks[axis] = place[of_example]
    begins = np.cumsum([0, *map(len, errors)])
    powers, spread = _rounded_powers(decay, n, dimension * (subset_size - 1) + 1)
    counted = np.concatenate(errors)
    try:
        kernel = StumpAnswers(ranks, begins, counted, subset_size, powers, spread, _MOST_MEMORY)
    except MemoryError:
        return None
    return StumpDraws(learner, n, subset_size, decay, axes, begins, counted, kernel)


def _rounded_powers(
    decay: Fraction, largest: int, candidates: int
) -> tuple[npt.NDArray[np.uint64], int]:
    """Return ``decay**k`` for k = 0, 1, ... in one unit, rounded down, and by how much at most.

    The last is 0, and stands for all that follow, or is that of the largest k. All weights of twice
    as many candidates add up to less than ``2**62``.
    """
    bits = 61 - (2 * candidates).bit_length()
    low = high = 1 << bits + _GUARD
    floors: list[int] = []
    spread = 0
    for _ in range(largest + 1):
        floors.append(low >> _GUARD)
        spread = max(spread, -(-high >> _GUARD) - floors[-1])
        if not floors[-1]:
            break
        low = low * decay.numerator // decay.denominator
        high = -(-high * decay.numerator // decay.denominator)
    return np.array(floors, dtype=np.uint64), spread
