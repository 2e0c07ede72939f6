"""Learning tasks, and exact checks of learners by the likeliest types of samples.

Learners, neighbours and laws as the paper defines them, as a reference for the trials. At the end
stand the implications of this paper, and the wording of the guarantees that it defines.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import combinations, permutations, product
from operator import itemgetter
from random import Random
from typing import Protocol, TypeVar

from pac_stability.arithmetic import Interval
from pac_stability.audit.statistics import lower_bound, upper_bound
from pac_stability.claims.consequences import Reading, closeness, reading
from pac_stability.claims.kit import (
    Comparison,
    Finding,
    at_most,
    factor_within,
    fails,
    supported,
    undecided,
)
from pac_stability.classes import Family, FiniteClass, Hypothesis, cube, intervals, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.learning import Predictor
from pac_stability.papers.dagan_feldman import ChosenRepresentatives, stable
from pac_stability.papers.dagan_feldman.stable import FlippedGuarantee

F = Fraction
AnyExample = Example[Hashable]
AnySample = Sample[Hashable]
Law = Mapping[Hypothesis, F]


class ExactLearner(Predictor[Hashable, F], Hashable, Protocol):
    """A learner with exact predictions, which a cache can store."""


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
    """Give, by the definition, the samples that differ from this one in exactly one example."""
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
    low, high = min(p, q), max(p, q)
    if low == high:
        return F(1)
    return float("inf") if low == 0 or high == 1 else max(high / low, (1 - low) / (1 - high))


def largest_factor(here: Iterable[F], there: Iterable[F]) -> F | float:
    """Return the largest factor between two lists of predictions."""
    return max(factor_between(p, q) for p, q in zip(here, there, strict=True))


def certified_factors(p: Interval, q: Interval, allowed: F | Interval) -> Iterator[Comparison]:
    """Check that enclosed predictions are private with a factor."""
    return (factor_within(a / b, allowed) for a, b in sides(p, q))


def move(here: Iterable[F], there: Iterable[F]) -> F:
    """Return how far apart two lists of predictions are."""
    return max(abs(p - q) for p, q in zip(here, there, strict=True))


def furthest_move(
    predictions: Callable[[AnySample], Sequence[F]], sample: AnySample, points: Iterable[Hashable]
) -> F:
    """Return the largest distance by which a neighbour moves predictions."""
    here = predictions(sample)
    return max(move(here, predictions(other)) for other in neighbours_of(sample, points))


# Hypotheses and their laws


def errors_of(h: Hypothesis, sample: AnySample) -> int:
    """Count the examples that a hypothesis labels wrongly."""
    return sum(h(x) != y for x, y in zip(sample.points, sample.labels, strict=True))


def mean_excess(law: Law, sample: AnySample, candidates: Iterable[Hypothesis]) -> F:
    """Return the mean number of errors of a law, minus that of the best candidate."""
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


# What is to be learned, and whether it is: exactly, by the likeliest types of samples


@dataclass(frozen=True)
class LearningTask:
    """A class and a distribution to learn.

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
    The logarithm of a multinomial probability is a sum of concave functions of the counts. So from
    every type, exchanges of one example lead to the likeliest type, and no step lowers it.
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
    """Check that the excess is at most alpha with probability 1 - beta over the sample.

    Parameters
    ----------
    loss
        The expected loss of what is learned from a sample, whatever its order.
    task, n, alpha, beta
        What is to be learned, from how many examples, and how well.

    Returns
    -------
    Finding
        The function visits types until the learner does well on enough of them. The tension is the
        excess exceeded with probability beta (or a lower bound on it), divided by alpha.
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
    """Check the same for a learner that depends on the order, from samples drawn at random.

    The loss on each sample is exact or enclosed. A Clopper-Pearson bound limits how often it is too
    large; the bound is wrong with probability at most ``error``.
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


# What follows

RULES = stable.RULES


@reading.register
def _(g: FlippedGuarantee) -> Reading:
    kind = f"private prediction after a flip with probability {g.probability}"
    words = closeness(g.privacy.epsilon, g.privacy.delta)
    return Reading(kind, words, (g.privacy.epsilon.ratio,))
