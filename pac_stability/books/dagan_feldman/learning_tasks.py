"""What is to be learned, and whether it is: exactly, by the likeliest types of samples."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import permutations
from operator import itemgetter
from random import Random

from pac_stability.arithmetic import Interval
from pac_stability.audit.statistics import lower_bound, upper_bound
from pac_stability.books.dagan_feldman.as_written import AnyExample, AnySample
from pac_stability.claims.trials import Finding, at_most, fails, supported, undecided
from pac_stability.classes import FiniteClass, cube, intervals, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample


@dataclass(frozen=True)
class LearningTask:
    """What is to be learned.

    Attributes
    ----------
    H, d
        A class, and its VC dimension.
    D
        The distribution of examples, on the points of the class.
    """

    H: FiniteClass
    d: int
    D: FiniteDistribution[AnyExample]

    @property
    def least(self) -> Fraction:
        """The least loss of a hypothesis."""
        return min(
            sum((p for z, p in self.D.items() if h(z.point) != z.label), Fraction(0))
            for h in self.H
        )

    def loss(
        self, predicted: Mapping[Hashable, Fraction] | Mapping[Hashable, Interval]
    ) -> Interval:
        """Return the expected loss of predictions, which are probabilities of label 1."""
        total = Interval.exactly(0)
        for z, p in self.D.items():
            one = predicted[z.point]
            total += p * (1 - one if z.label else one) + Interval.exactly(0)
        return total

    def __str__(self) -> str:
        drawn = ", ".join(f"({z.point}, {z.label}) with {p}" for z, p in self.D.items())
        return f"{len(self.H)} hypotheses of VC dimension {self.d}, {drawn}"


def _realizable(H: FiniteClass, d: int, target: str, *masses: str) -> LearningTask:
    law = {
        Example(x, int(label)): Fraction(mass)
        for x, label, mass in zip(H.domain, target, masses, strict=True)
    }
    return LearningTask(H, d, FiniteDistribution(law))


# Representatives are first rows, which label the points outside of T with 0 where they may: targets
# that label much with 1 are the hard ones.
@cache
def cube_2() -> LearningTask:
    """Return the labelling 11, among all of two points."""
    return _realizable(cube(2), 2, "11", "1/2", "1/2")


@cache
def cube_3() -> LearningTask:
    """Return the labelling 111, among all of three points."""
    return _realizable(cube(3), 3, "111", "1/3", "1/3", "1/3")


@cache
def skewed() -> LearningTask:
    """Return the same with a point that has more than half of the mass."""
    return _realizable(cube(3), 3, "111", "3/5", "1/5", "1/5")


@cache
def interval() -> LearningTask:
    """Return an interval of three of four points."""
    return _realizable(intervals(4), 2, "0111", "1/4", "1/4", "1/4", "1/4")


@cache
def line() -> LearningTask:
    """Return a threshold in the middle of four points."""
    return _realizable(thresholds(4), 1, "0011", "1/4", "1/4", "1/4", "1/4")


@cache
def coins() -> LearningTask:
    """Return two points with labels that are 1 with probability 3/5."""
    law: dict[AnyExample, Fraction] = {
        Example(x, y): Fraction(2 + y, 10) for x in (0, 1) for y in (0, 1)
    }
    return LearningTask(cube(2), 2, FiniteDistribution(law))


def coin(bias: Fraction) -> LearningTask:
    """Return the task of one point, whose label is 1 with a probability, for both constants."""
    law: dict[AnyExample, Fraction] = {Example(0, 1): bias, Example(0, 0): 1 - bias}
    return LearningTask(cube(1), 1, FiniteDistribution(law))


def likely_types(D: FiniteDistribution[AnyExample], n: int) -> Iterator[tuple[list[int], int]]:
    """Give the types of samples of n examples, the likeliest first.

    Yields
    ------
    list of int, int
        How often each example occurs, in the order of the support, and the probability of the type
        times the n-th power of the denominator.

    Notes
    -----
    The logarithm of a multinomial probability is a sum of concave functions of the counts, so that
    from every type exchanges of one example for another lead to the likeliest without a fall.
    """
    weights = [D.numerators[z] for z in D.support]
    start = [n * w // D.denominator for w in weights]
    start[0] += n - sum(start)
    chance, left = 1, n
    for count, w in zip(start, weights, strict=True):
        for k in range(count):
            chance = chance * (left - k) // (k + 1)
        left -= count
        chance *= w**count
    start, chance = _climbed(start, chance, weights)
    heap = [(-chance, tuple(start))]
    seen = {tuple(start)}
    while heap:
        negative, counts = heappop(heap)
        yield list(counts), -negative
        for found, other in _exchanged(counts, -negative, weights):
            if found not in seen:
                seen.add(found)
                heappush(heap, (-other, found))


def _exchanged(
    counts: tuple[int, ...], chance: int, weights: list[int]
) -> Iterator[tuple[tuple[int, ...], int]]:
    for i, j in permutations(range(len(counts)), 2):
        if counts[i]:
            changed = list(counts)
            changed[i] -= 1
            changed[j] += 1
            yield tuple(changed), chance * counts[i] * weights[j] // (changed[j] * weights[i])


def _climbed(counts: list[int], chance: int, weights: list[int]) -> tuple[list[int], int]:
    while True:
        others = _exchanged(tuple(counts), chance, weights)
        near, likelier = max(others, key=itemgetter(1), default=(tuple(counts), 0))
        if likelier <= chance:
            return counts, chance
        counts, chance = list(near), likelier


def sample_of(D: FiniteDistribution[AnyExample], counts: list[int]) -> AnySample:
    """Return a sample of a type."""
    examples = [z for z, count in zip(D.support, counts, strict=True) for _ in range(count)]
    return Sample.from_examples(examples)


def delicate(H: FiniteClass, n: int) -> Iterator[AnySample]:
    """Give samples of which one example matters: ties, and points that occur once."""
    first, *others = H.domain
    for ones in (n // 2, n - 1):
        labels = [1] * ones + [0] * (n - 1 - ones)
        for x in others:
            for y in (0, 1):
                yield Sample([first] * (n - 1) + [x], [*labels, y])
                yield Sample([x] * (n - 1) + [first], [*labels, y])


Loss = Callable[[AnySample], Interval]


def learns(loss: Loss, task: LearningTask, n: int, alpha: Fraction, beta: Fraction) -> Finding:
    """Settle that the excess is at most alpha with probability 1 - beta over the sample.

    Parameters
    ----------
    loss
        The expected loss of what is learned from a sample, whatever its order.
    task, n, alpha, beta
        What is to be learned, from how many examples, and how well.

    Returns
    -------
    Finding
        Types are gone through until enough of them are learned well; the tension is the excess that
        is exceeded with probability beta, or something below it, over alpha.
    """
    least, whole = task.least, task.D.denominator**n
    found: list[tuple[Fraction, int]] = []
    good = bad = 0
    for counts, weight in likely_types(task.D, n):
        if good >= (1 - beta) * whole or bad > beta * whole:
            break
        excess = loss(sample_of(task.D, counts)) - least
        found.append((max(excess.lower, Fraction(0)), weight))
        if excess.upper <= alpha:
            good += weight
        elif excess.lower > alpha:
            bad += weight
        else:
            return undecided(f"{task}, n = {n}, {counts}: excess in [{excess}], alpha = {alpha}")
    if bad > beta * whole:
        return fails(
            f"{task}, n = {n}: the excess is above {alpha} with probability "
            f"{float(Fraction(bad, whole)):.4g} or more, beta = {beta}"
        )
    return at_most(reached(found, beta * whole), alpha, f"{task}, n = {n}")


def reached(found: Sequence[tuple[Fraction, int | Fraction]], weight: Fraction) -> Fraction:
    """Return the largest excess that is reached with more than a weight; 0 if there is none."""
    total = Fraction(0)
    for excess, share in sorted(found, reverse=True):
        total += share
        if total > weight:
            return excess
    return Fraction(0)


def learns_as_drawn(
    loss: Loss,
    task: LearningTask,
    n: int,
    alpha: Fraction,
    beta: Fraction,
    *,
    draws: int,
    error: Fraction,
) -> Finding:
    """Settle the same for a learner that depends on the order, from samples that are drawn.

    The loss on each of them is exact or enclosed; how often it is too large is bounded by Clopper
    and Pearson, with a probability of at most ``error`` to be misled.
    """
    coins = Random(f"{task} {n}")  # instances, not secrets
    support = list(task.D.support)
    chances = [task.D.numerators[z] for z in support]
    least, bad = task.least, 0
    for _ in range(draws):
        excess = loss(Sample.from_examples(coins.choices(support, chances, k=n))) - least
        bad += excess.upper > alpha
    text = f"{task}, n = {n}: the excess is above {alpha} on {bad} of {draws} samples drawn"
    if lower_bound(bad, draws, error) > beta:
        return fails(f"{text}, beta = {beta}")
    if upper_bound(bad, draws, error) > beta:
        return undecided(f"{text}, beta = {beta}")
    return supported(error, text)
