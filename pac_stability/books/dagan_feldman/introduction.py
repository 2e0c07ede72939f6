"""What the introduction compares with: averages, aggregation, private models (Section 1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb
from random import Random
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import learning_tasks, size_accounts
from pac_stability.claims import kit
from pac_stability.claims.instances import all_labelled_samples
from pac_stability.claims.kit import Comparison
from pac_stability.classes import FiniteClass, Hypothesis, cube, thresholds
from pac_stability.data import Sample
from pac_stability.learning import Predictor
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")
Predicts = Predictor[Hashable, F]

# Averages of empirical risk minimisers


class Case(NamedTuple):
    """A class, a sample, and a number of blocks or the size of a subset."""

    H: FiniteClass
    sample: learning_tasks.AnySample
    k: int


@kit.universe("all samples of two or three examples of small classes, and seeded ones of five")
def _cases(budget: kit.Budget) -> Iterator[Case]:
    for n in (2, 3):
        for H in (learning_tasks.CONSTANTS, thresholds(2), cube(2))[: budget.pick(4 - n, 3, 3)]:
            for sample in all_labelled_samples(H, n):
                yield from (Case(H, sample, k) for k in range(1, n + 1))
    for index in range(budget.pick(8, 200, 2000)):
        coins = Random(f"averages/{index}")
        H = coins.choice((thresholds(3), cube(2), cube(3)))
        yield Case(H, learning_tasks.random_sample(coins, len(H.domain), 5), coins.randint(1, 4))


Average = Callable[[Case], Predicts]


def _disjoint(it: Case) -> Predicts:
    return df.DisjointAverage(it.H, it.k)


def _subsets(it: Case) -> Predicts:
    return df.SubsetAverage(it.H, it.k)


def _minimiser(H: FiniteClass, part: learning_tasks.AnySample) -> Hypothesis:
    return df.empirical_risk_minimiser(H, part)


def _mean(average: Average, it: Case, parts: list[learning_tasks.AnySample]) -> Comparison:
    chosen = [_minimiser(it.H, part) for part in parts]
    wanted = [F(sum(h(x) for h in chosen), len(parts)) for x in it.H.domain]
    return kit.same(list(average(it).probabilities(it.sample, it.H.domain)), wanted)


def _mean_of_blocks(average: Average, it: Case) -> Comparison:
    m, examples = len(it.sample) // it.k, list(it.sample)
    blocks = [Sample.from_examples(examples[i * m : (i + 1) * m]) for i in range(it.k)]
    return _mean(average, it, blocks)


def _mean_of_subsets(average: Average, it: Case) -> Comparison:
    return _mean(average, it, list(map(Sample.from_examples, combinations(it.sample, it.k))))


def _moves(make: Average) -> Callable[[Callable[[int, int], F], Case], Comparison]:
    """From n and k (or m) to a stability."""

    def stable(stability: Callable[[int, int], F], it: Case) -> Comparison:
        learner, points = make(it), it.H.domain
        moved = learning_tasks.furthest_move(
            lambda S: learner.probabilities(S, points), it.sample, points
        )
        return kit.within(moved, stability(len(it.sample), it.k), ceiling=1)

    return stable


TRIALS.add("section-1.averaging", "predictions", _mean_of_blocks, _cases, _disjoint, _subsets)
TRIALS.add(
    "section-1.averaging", "stability", _moves(_disjoint), _cases,
    lambda _, k: F(1, k), lambda n, k: F(1, n + k),
)  # fmt: skip
TRIALS.add("section-1.random-subset", "predictions", _mean_of_subsets, _cases, _subsets, _disjoint)
TRIALS.add(
    "section-1.random-subset", "stability", _moves(_subsets), _cases,
    lambda n, m: F(m, n), lambda n, m: F(m, 2 * n),
)  # fmt: skip


# How many examples they need, on the smallest class


class Promise(NamedTuple):
    """The goals alpha, beta, and gamma or epsilon; and the bias of the labels."""

    alpha: F
    beta: F
    level: F
    bias: F


def _goals(budget: kit.Budget) -> Iterator[Promise]:
    # The excess of the wrong constant is just above alpha = 1/4 for 37/100, above 1/5 for 39/100.
    biases = (F(1, 10), F(1, 3), F(37, 100), F(39, 100))
    goals = [(F(1, 4), F(1, 4), F(1, 2))]
    if budget is not kit.Budget.QUICK:
        goals.append((F(1, 5), F(1, 10), F(1, 3)))
    if budget is kit.Budget.DEEP:
        goals.append((F(1, 10), F(1, 20), F(1, 5)))
    yield from (Promise(*goal, bias) for goal, bias in product(goals, biases))


_promises = kit.universe("both constants on one point, four biases")(_goals)
Sized = Callable[[F, F, F], tuple[int, Predicts]]
"""From alpha, beta and gamma or epsilon to a sample size and a learner."""


def _learns(sized: Sized, it: Promise) -> kit.Finding:
    """The promise of a sized learner that does not depend on the order."""
    n, learner = sized(*it[:3])
    task = learning_tasks.coin(it.bias)

    def loss(sample: learning_tasks.AnySample) -> Interval:
        (one,) = learner.probabilities(sample, [0])
        predicted: dict[Hashable, F] = {0: one}
        return task.loss(predicted)

    return learning_tasks.learns(loss, task, n, it.alpha, it.beta)


def _subset_size(alpha: F, beta: F, gamma: F) -> tuple[int, Predicts]:
    size = df.sample_complexity.subset_average_size(alpha, beta, gamma, 1, class_size=2)
    return size.sample_size, size.learner(learning_tasks.CONSTANTS)


TRIALS.add(
    "section-1.random-subset", "sizes", _learns, _promises,
    _subset_size, lambda *_: (1, df.SubsetAverage(learning_tasks.CONSTANTS, 1)),
)  # fmt: skip


def _disjoint_learns(
    sized: Callable[[F, F, F], tuple[int, df.DisjointAverage]], it: Promise
) -> Comparison:
    """Exactly, though blocks depend on the order: by how many ones each of the blocks has."""
    n, learner = sized(*it[:3])
    k, bias = learner.blocks, it.bias
    m = n // k
    one = F(0)
    for c in range(m + 1):
        if _minimiser(learning_tasks.CONSTANTS, learning_tasks.counted(m, c))(0):
            one += comb(m, c) * bias**c * (1 - bias) ** (m - c)
    bad = F(0)
    for v in range(k + 1):
        p = F(v, k)
        if bias * (1 - p) + (1 - bias) * p > min(bias, 1 - bias) + it.alpha:
            bad += comb(k, v) * one**v * (1 - one) ** (k - v)
    return kit.within(bad, it.beta)


def _disjoint_size(alpha: F, beta: F, gamma: F) -> tuple[int, df.DisjointAverage]:
    size = df.sample_complexity.disjoint_average_size(alpha, beta, gamma, 1, class_size=2)
    return size.sample_size, size.learner(learning_tasks.CONSTANTS)


TRIALS.add(
    "section-1.averaging", "sizes", _disjoint_learns, _promises,
    _disjoint_size, lambda *_: (1, df.DisjointAverage(learning_tasks.CONSTANTS, 1)),
)  # fmt: skip


# Private learners


@kit.universe("samples of one to three examples, all neighbours")
def _on_thresholds(budget: kit.Budget) -> Iterator[Case]:
    for n in range(1, budget.pick(4, 5, 6)):
        for sample in list(all_labelled_samples(thresholds(2), n))[:: budget.pick(3, 1, 1)]:
            yield Case(thresholds(2), sample, max(1, n - 1))


Guaranteed = Callable[[F, int], tuple[Predicts, F]]
"""From e^epsilon and a size to a learner and the factor of its guarantee."""


def _neighbouring_factor(make: Guaranteed, it: Case) -> Iterator[Comparison]:
    H, sample, size = it
    for t in (F(9, 4), F(4)):
        learner, allowed = make(t, min(size, len(sample)))
        here = learner.probabilities(sample, H.domain)
        others = (
            learner.probabilities(S, H.domain)
            for S in learning_tasks.neighbours_of(sample, H.domain)
        )
        yield kit.factor_within(
            max(learning_tasks.largest_factor(here, there) for there in others), allowed
        )


def _aggregation(t: F, blocks: int) -> tuple[Predicts, F]:
    learner = df.DworkFeldmanAggregation(thresholds(2), blocks, Epsilon.exactly(t))
    return learner, learner.guarantee.factor


def _model(t: F, _: int) -> tuple[Predicts, F]:
    learner = df.ExponentialLearner(thresholds(2), Epsilon.exactly(t))
    return learner, learner.guarantee.factor


def _walk(t: F, limit: int) -> tuple[Predicts, F]:
    learner = df.ThresholdWalk(Epsilon.exactly(t), limit + 1)
    return learner, learner.guarantee.factor


TRIALS.add(
    "section-1.aggregation", "discrete noise", _neighbouring_factor, _on_thresholds,
    _aggregation, lambda t, blocks: (df.DisjointAverage(thresholds(2), blocks), t),
)  # fmt: skip
TRIALS.add(
    "section-1.private-model", "privacy", _neighbouring_factor, _on_thresholds,
    _model, lambda t, _: (df.ExponentialLearner(thresholds(2), Epsilon.exactly(t**3)), t),
)  # fmt: skip
TRIALS.add(
    "section-1.1.thresholds", "privacy", _neighbouring_factor, _on_thresholds,
    _walk, lambda t, limit: (df.ThresholdWalk(Epsilon.exactly(t**2), limit + 1), t),
)  # fmt: skip


@kit.universe("all votes of few voters, two epsilons")
def _laplace_votes(budget: kit.Budget) -> Iterator[tuple[int, int, F]]:
    """Votes for 1, voters, and epsilon."""
    for r in range(1, budget.pick(4, 8, 20)):
        yield from product(range(r), [r], [F(1, 2), F(2)])


def _e_to(epsilon: F) -> Interval:
    return Interval.exp(epsilon)


def _laplace(guarantee: Callable[[F], Interval], it: tuple[int, int, F]) -> Iterator[Comparison]:
    """One example for each block."""
    votes, r, epsilon = it
    learner = df.LaplaceAggregation(learning_tasks.CONSTANTS, r, epsilon)
    p, q = (
        learner.probabilities(learning_tasks.counted(r, ones), [0])[0]
        for ones in (votes, votes + 1)
    )
    return learning_tasks.certified_factors(p, q, guarantee(epsilon))


TRIALS.add(
    "section-1.aggregation", "Laplace noise", _laplace, _laplace_votes,
    _e_to, lambda epsilon: Interval.exp(epsilon / 3),
)  # fmt: skip


Blocks = df.DworkFeldmanAggregation | df.DisjointAverage


def _aggregation_is_private(
    sized: Callable[[F, F, F], tuple[int, Blocks]], it: Promise
) -> Iterator[Comparison]:
    n, learner = sized(*it[:3])
    # The vote of the first block turns at half of its size.
    turn = n // learner.blocks // 2
    for k in (0, turn - 1, turn, turn + 1):
        here, there = (
            learner.probabilities(learning_tasks.counted(n, ones), [0]) for ones in (k, k + 1)
        )
        yield kit.factor_within(learning_tasks.largest_factor(here, there), Epsilon(it.level).ratio)


def _aggregation_size(alpha: F, beta: F, epsilon: F) -> tuple[int, Blocks]:
    size = df.sample_complexity.aggregation_size(alpha, beta, epsilon, 1, class_size=2)
    return size.sample_size, size.learner(learning_tasks.CONSTANTS)


def _without_noise(alpha: F, beta: F, epsilon: F) -> tuple[int, Blocks]:
    return _aggregation_size(alpha, beta, epsilon)[0], df.DisjointAverage(
        learning_tasks.CONSTANTS, 5
    )


TRIALS.add(
    "section-1.aggregation", "sizes", _aggregation_is_private,
    kit.universe("both constants on one point")(_goals), _aggregation_size, _without_noise,
)  # fmt: skip


def _model_size(alpha: F, beta: F, epsilon: F) -> tuple[int, Predicts]:
    size = df.sample_complexity.exponential_learner_size(alpha, beta, epsilon, 1, 2)
    return size.sample_size, size.learner(learning_tasks.CONSTANTS)


TRIALS.add(
    "section-1.private-model", "sizes", _learns, _promises,
    _model_size, lambda *_: (1, df.ExponentialLearner(learning_tasks.CONSTANTS, F(1, 100))),
)  # fmt: skip
TRIALS.add(
    "section-1.private-model", "the steps at its size",
    size_accounts.balanced, size_accounts.questions,
    size_accounts.exponential_learner,
    size_accounts.at_two_thirds(size_accounts.exponential_learner),
)  # fmt: skip
