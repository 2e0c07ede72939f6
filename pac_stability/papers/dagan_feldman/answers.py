"""Draws of the stable learner, minimisers, and learners prepared for many answers.

One draw works on samples and classes of any size. Learners that draw a hypothesis share how they
take samples in all forms; prepared for one sample they answer quickly, on stumps by a compiled
kernel.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability import learning
from pac_stability._core.stump_answers import StumpAnswers
from pac_stability.arguments import as_points, as_size, described
from pac_stability.classes import ErrorCounter, Family, Hypothesis, Labeller, Stump, least_errors
from pac_stability.classes.family import require_patterns
from pac_stability.classes.points import Exact, WeightedPoints, numbers_up_to
from pac_stability.classes.validation import exact_number
from pac_stability.data import AnySample, ArraySample, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import (
    AnyData,
    ManyPoints,
    is_family,
    learned,
    listed_points,
    require_base,
)
from pac_stability.mechanisms import PreparedChoice, exponential_choice
from pac_stability.mechanisms.draws import LazyCoin, toss_all, words
from pac_stability.randomness import SYSTEM_COINS, Coins


def stable_draw(
    H: Family, sample: AnyData, subset_size: int, decay: Fraction, rng: Coins = SYSTEM_COINS
) -> Hypothesis:
    """Draw one hypothesis of A^sta: the algorithm itself.

    A uniformly random set I of indices; the representatives H_T of the class on the points of the
    examples with these indices; and one of them, with probability in proportion to ``decay`` to the
    power of its errors on the whole sample.

    Parameters
    ----------
    H
        The class, not empty; it may be infinite.
    sample
        S, of n examples. For several draws from the same large sample, make an
        :class:`~pac_stability.classes.ErrorCounter` of it first.
    subset_size
        n' = |I|, at least 1 and at most n.
    decay
        rho, an exact number above 0 and at most 1: ``e**(-epsilon/2)`` for the exponential
        mechanism of epsilon.
    rng
        The source of coins; by default the operating system's entropy.

    Returns
    -------
    Hypothesis
        Its law is exactly the selection distribution P_S, for all sizes.

    Raises
    ------
    InvalidInput
        A parameter is out of range, the sample is too small, a point is not in the domain, or the
        class is empty.

    Notes
    -----
    The subset takes O(n') draws, whatever n. The cost of the errors is that of
    :meth:`~pac_stability.classes.ErrorCounter.count`. Source: DF20 Appendix B.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> sample = Sample(range(100), [int(x >= 50) for x in range(100)])
    >>> 30 <= stable_draw(Thresholds(), sample, 60, Fraction(1, 2)).cut <= 70
    True
    """
    require_patterns(H)
    counter = learning.as_counter(sample)
    subset = random_subset(counter.sample, subset_size, rng)
    hypotheses = H.representatives_on(subset.points)
    if not hypotheses:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
    return hypotheses[exponential_choice(counter.count(hypotheses), decay, rng)]


def random_subset(sample: AnyData, size: int, rng: Coins = SYSTEM_COINS) -> Sample[Hashable]:
    """Return the examples at a uniformly random set of indices, in the order of the sample.

    Parameters
    ----------
    sample
        S, of n examples.
    size
        n', the number of draws without replacement; at least 1 and at most n.
    rng
        The source of coins; by default the operating system's entropy.

    Raises
    ------
    InvalidInput
        The size is out of range.

    Notes
    -----
    O(n') draws, whatever n is: Floyd's algorithm (Bentley, *A sample of brilliance*, 1987).
    """
    given = learning.as_sample(sample)
    n, size = len(given), as_size(size, "subset_size", least=1)
    if n < size:
        raise InvalidInput("sample", f"{n} examples", f"at least {size}, the size of a subset")
    indices = random_indices(n, size, rng)
    if isinstance(given, ArraySample):
        return given.subset(indices)
    return Sample([given.points[i] for i in indices], [given.labels[i] for i in indices])


def random_indices(n: int, size: int, rng: Coins = SYSTEM_COINS) -> list[int]:
    """Return a uniformly random set of indices, in order.

    Parameters
    ----------
    n
        They are from 0 to n - 1.
    size
        How many, from 0 to n.
    rng
        The source of coins; by default the operating system's entropy.

    Examples
    --------
    >>> random_indices(3, 3)
    [0, 1, 2]
    """
    chosen: set[int] = set()
    for last in range(n - size, n):
        index = rng.below(last + 1)
        chosen.add(last if index in chosen else index)
    return sorted(chosen)


# Empirical risk minimisation over any class, with fixed ties; and parts of a sample by index


def empirical_risk_minimiser(H: Family, sample: AnyData) -> Hypothesis:
    """Return a hypothesis of the class with the fewest errors on a sample.

    Among the representatives of the patterns on the points of the sample, the first that errs
    least: a function of the examples, whatever their order. It is consistent with the sample
    whenever a hypothesis of the class is.

    Parameters
    ----------
    H
        The class, not empty.
    sample
        S, on points of the domain of the class; may be empty.

    Returns
    -------
    Hypothesis

    Raises
    ------
    InvalidInput
        The class is empty, or a point is not in its domain.

    Notes
    -----
    :func:`~pac_stability.classes.least_errors`: sorting for thresholds and stumps, and the patterns
    on all points of the sample for other classes.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> from pac_stability.data import Sample
    >>> empirical_risk_minimiser(Thresholds(), Sample([1, 2, 3, 4], [0, 0, 1, 1])).cut
    3
    """
    require_patterns(H)
    return least_errors(H, sample)[0]


def index_blocks(sample: AnyData, blocks: int) -> tuple[AnySample, ...]:
    """Return disjoint consecutive parts of a sample, of equal sizes.

    Parameters
    ----------
    sample
        S, of n examples.
    blocks
        k, the number of parts.

    Returns
    -------
    tuple of Sample, or of ArraySample
        k parts of floor(n/k) examples; the last n mod k examples are in none. The part of an
        example depends on its position only, so replacing an example changes at most one part.

    Raises
    ------
    InvalidInput
        The sample has fewer than k examples.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> [part.points for part in index_blocks(Sample("abcde", [0] * 5), 2)]
    [('a', 'b'), ('c', 'd')]
    """
    given = learning.as_sample(sample)
    k = as_size(blocks, "blocks", least=1)
    size = len(given) // k
    if not size:
        raise InvalidInput("sample", f"{len(given)} examples", f"at least {k}, one for each block")
    return tuple(given[start : start + size] for start in range(0, k * size, size))


def base_hypothesis(H: learning.BaseLearner, sample: AnyData) -> Hypothesis:
    """Return a base learner's hypothesis on a sample; of a class, its empirical risk minimiser.

    Parameters
    ----------
    H
        The class, a function from samples to hypotheses, or a classifier with ``fit`` and
        ``predict``.
    sample
        S.

    Raises
    ------
    InvalidInput
        H is not a base learner, or the empty class.
    """
    require_base(H)
    if is_family(H):
        return empirical_risk_minimiser(H, sample)
    return learned(H, learning.as_sample(sample))


def block_minimisers(
    H: learning.BaseLearner, sample: AnyData, blocks: int
) -> tuple[Hypothesis, ...]:
    """Return the hypotheses of a base learner on each of the parts of a sample.

    Parameters
    ----------
    H
        The class, not empty: its empirical risk minimisers. Or another base learner, as in
        :func:`base_hypothesis`.
    sample
        S, of at least k examples.
    blocks
        k, the number of parts, those of :func:`index_blocks`.

    Returns
    -------
    tuple of Hypothesis
        Replacing an example changes at most one of them.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> from pac_stability.data import Sample
    >>> [h.cut for h in block_minimisers(Thresholds(), Sample([1, 2, 3, 4], [0, 1, 0, 1]), 2)]
    [2, 4]
    """
    return tuple(base_hypothesis(H, part) for part in index_blocks(sample, blocks))


# What learners make of a sample once, so that answers are quick

_BLOCK = 1024  # points that are labelled at once

K = TypeVar("K", bound=Hashable)
Labels = npt.NDArray[np.uint8]


class Promising(Protocol):
    """The part of a learner that its prepared form uses."""

    def promises(self, n: int, /) -> learning.Promises:
        """Return the proved promises of the learner on samples of n examples, by notion."""
        ...


@dataclass(frozen=True, eq=False)
class Answering(learning.PreparedPredictor[Hashable]):
    """A learner, and the size of the sample that it was prepared for."""

    learner: Promising = field(repr=False)
    n: int

    @property
    def promises(self) -> learning.Promises:
        return self.learner.promises(self.n)


@dataclass(frozen=True, eq=False)
class TossedAnswers(Answering, Generic[K]):
    """Answers by a coin for each point, whose bias is a function of a value with few values.

    Parameters
    ----------
    learner, n
        As for :class:`Answering`.
    keys
        The value at each of some points: a number of votes, for example.
    coin
        The coin for a value; called once for each.
    """

    keys: Callable[[Sequence[Hashable]], Sequence[K]] = field(repr=False)
    coin: Callable[[K], LazyCoin] = field(repr=False)
    _coins: dict[K, LazyCoin] = field(default_factory=dict, repr=False)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        (key,) = self.keys([point])
        return self._coin(key).toss(rng)

    def answers(self, points: ManyPoints[Hashable], /, rng: Coins = SYSTEM_COINS) -> Labels:
        """Return one label for each point, all independent."""
        keys = self.keys(listed_points(points))
        kinds = {key: index for index, key in enumerate(dict.fromkeys(keys))}
        which = np.fromiter((kinds[key] for key in keys), dtype=np.int64, count=len(keys))
        return toss_all([self._coin(key) for key in kinds], which, rng)

    def _coin(self, key: K) -> LazyCoin:
        coin = self._coins.get(key)
        return self._coins.setdefault(key, self.coin(key)) if coin is None else coin


@dataclass(frozen=True, eq=False)
class DrawingAnswers(Answering):
    """Answers by a fresh hypothesis for each point."""

    @abstractmethod
    def draw(self, rng: Coins = SYSTEM_COINS, /) -> Hypothesis:
        """Return one hypothesis."""

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        return self.draw(rng)(point)


@dataclass(frozen=True, eq=False)
class DrawnAnswers(DrawingAnswers):
    """The same where a function draws."""

    drawing: Callable[[Coins], Hypothesis] = field(repr=False)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> Hypothesis:
        return self.drawing(rng)


@dataclass(frozen=True, eq=False)
class FlippedAnswers(Answering):
    """Answers of another prepared learner, each flipped by a coin."""

    base: learning.PreparedPredictor[Hashable]
    flip: LazyCoin = field(repr=False)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        return self.base.answer(point, rng) ^ self.flip.toss(rng)

    def answers(self, points: ManyPoints[Hashable], /, rng: Coins = SYSTEM_COINS) -> Labels:
        """Return one label for each point, all independent."""
        before = self.base.answers(points, rng)
        return before ^ toss_all([self.flip], np.zeros(len(before), dtype=np.int64), rng)


def votes_at(voters: Sequence[Hypothesis], points: Sequence[Hashable]) -> list[int]:
    """Return how many of the voters label each point 1."""
    if len(points) == 1:
        return [sum(h(points[0]) for h in voters)]
    fitted = [h for h in voters if isinstance(h, learning.FittedClassifier)]
    others = [h for h in voters if not isinstance(h, learning.FittedClassifier)]
    votes = np.zeros(len(points), dtype=np.int64)
    for h in fitted:
        votes += h.labels(points)
    for start in range(0, len(points) if others else 0, _BLOCK):
        labels = Labeller(points[start : start + _BLOCK]).labels(others)
        votes[start : start + _BLOCK] += labels.sum(axis=0, dtype=np.int64)
    found: list[int] = votes.tolist()
    return found


# What learners of this package share that draw a hypothesis: samples in all forms


class DrawingLearner(learning.LawfulLearner[Hashable]):
    """A learner with a law and a run, both on samples of any form."""

    __slots__ = ()

    @abstractmethod
    def law(self, sample: AnyData, /) -> FiniteDistribution[Hypothesis]: ...

    @abstractmethod
    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis: ...

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        at, law = as_points(points), self.law(sample)
        weights = law.numerators.items()
        return tuple(
            Fraction(sum(weight for h, weight in weights if h(point)), law.denominator)
            for point in at
        )

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        return self.run(sample, rng)(point)

    def prepare(self, sample: AnyData, /) -> learning.PreparedPredictor[Hashable]:
        given = learning.as_sample(sample, self.least_examples)
        return DrawnAnswers(self, len(given), lambda rng: self.run(given, rng))


class SubsetLearner(DrawingLearner):
    """A learner that uses the points of a random subset of n' examples."""

    __slots__ = ()

    subset_size: int
    least_sample_size: int

    @property
    def least_examples(self) -> int:
        return max(self.subset_size, self.least_sample_size)

    def _part(self, n: int) -> Fraction:
        """Return q = n'/n.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return Fraction(self.subset_size, as_size(n, "n", least=self.least_examples))


# The stable learner on stumps, ready for many answers: the kernel and what it is given

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
        The compiled kernel, which lists patterns and labels points.
    """

    subset_size: int
    decay: Fraction
    axes: Sequence[Exact] = field(repr=False)
    begins: npt.NDArray[np.int64] = field(repr=False)
    errors: npt.NDArray[np.int64] = field(repr=False)
    kernel: StumpAnswers = field(repr=False)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> Hypothesis:
        coordinates, ranks, errors = self._candidates(random_indices(self.n, self.subset_size, rng))
        chosen = PreparedChoice(errors, self.decay).draw(rng)
        place = chosen % len(ranks)
        coordinate = int(coordinates[place])
        cut = exact_number(self.axes[coordinate][ranks[place]])
        return Stump(len(self.axes), coordinate, cut, upward=chosen == place)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
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
