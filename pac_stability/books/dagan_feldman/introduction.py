"""Section 1: what DF20 compares with, and explicit forms of the lower bounds that it cites.

Averages, aggregation and private models come first, then what private and agnostic learning need.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod
from random import Random
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import learning_tasks, size_accounts, stability_lower_bound
from pac_stability.books.dagan_feldman.learning_tasks import ExactLearner
from pac_stability.claims import kit
from pac_stability.claims.instances import all_labelled_samples
from pac_stability.claims.kit import Comparison
from pac_stability.classes import FiniteClass, cube, thresholds
from pac_stability.data import Sample, neighbouring_pairs
from pac_stability.learning import Predictor
from pac_stability.notions.simulator_covers import LinearProgram
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


def _mean(average: Average, it: Case, parts: list[learning_tasks.AnySample]) -> Comparison:
    chosen = [df.empirical_risk_minimiser(it.H, part) for part in parts]
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
        if df.empirical_risk_minimiser(learning_tasks.CONSTANTS, learning_tasks.counted(m, c))(0):
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
    Interval.exp, lambda epsilon: Interval.exp(epsilon / 3),
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


class Privacy(NamedTuple):
    """The factor e**epsilon, and delta."""

    factor: F
    delta: F

    @property
    def epsilon(self) -> Epsilon:
        """The exponent."""
        return Epsilon.exactly(self.factor)


def _privacies(budget: kit.Budget) -> Iterator[Privacy]:
    found = [("2", "0"), ("4", "1/10"), ("1", "1/5"), ("11/10", "0"), ("3/2", "1/50"), ("9", "0")]
    for factor, delta in found[: budget.pick(4, 6, 6)]:
        yield Privacy(F(factor), F(delta))


# The best private prediction at a point, by linear programmes


def _least_error(n: int, privacy: Privacy) -> F:
    """Return the least mean error, at a point, of all private predictions from n examples there.

    For the samples on which all labels are the one asked for. The variables are the probabilities
    of label 1 and of label 0, for every number of labels 1.
    """
    size = 2 * (n + 1)
    costs = [F(0)] * size
    costs[0] = costs[2 * n + 1] = F(1, 2)  # label 1 where no example has it, and the reverse
    program = LinearProgram(costs)
    for ones in range(n + 1):
        both = [F(index // 2 == ones) for index in range(size)]
        program.require(both, 1)
        program.require([-entry for entry in both], -1)
    for i, j in product(range(n + 1), repeat=2):
        if abs(i - j) == 1:
            for side in (0, 1):
                row = [F(0)] * size
                row[2 * i + side], row[2 * j + side] = F(-1), privacy.factor
                program.require(row, -privacy.delta)
    if not program.solve():
        raise AssertionError
    return program.value


@kit.universe(
    "N up to 4, four pairs of epsilon and delta: exact linear programmes over all private "
    "predictions"
)
def _seen(budget: kit.Budget) -> Iterator[tuple[int, Privacy]]:
    for seen in range(1, budget.pick(5, 8, 12)):
        yield from ((seen, privacy) for privacy in _privacies(budget))


LeastError = Callable[[int, Epsilon, F], F]
_by_recursion: LeastError = df.private_least_error


def _by_groups(seen: int, epsilon: Epsilon, _: F) -> F:
    """Group privacy alone, which both labels cannot attain."""
    return 1 / (1 + epsilon.ratio**seen)


def _one_point(error: LeastError, it: tuple[int, Privacy]) -> kit.Comparison:
    seen, privacy = it
    return kit.same(error(seen, privacy.epsilon, privacy.delta), _least_error(seen, privacy))


_PRIVATE = "section-1.1.private-lower-bound.explicit"
TRIALS.add(_PRIVATE, "one point", _one_point, _seen, _by_recursion, _by_groups)


# Private learners on several points


class Run(NamedTuple):
    """A learner on hard points, the size of its samples, and a delta."""

    learner: ExactLearner
    hard: df.HardDistribution
    n: int
    delta: F

    @property
    def factor(self) -> F | None:
        """The least e**epsilon for delta, over all neighbouring samples; ``None`` if infinite."""
        return _factor(self.learner, self.hard.points, self.n, self.delta)

    def errors(self) -> list[F]:
        """Return the expected error for each target."""
        of: dict[stability_lower_bound.Target, F] = {}
        for target, chance, loss in stability_lower_bound.losses_of(
            self.learner, self.hard, self.n
        ):
            of[target] = of.get(target, F(0)) + chance * loss
        return [error * len(of) for error in of.values()]


@cache
def _factor(learner: ExactLearner, points: tuple[Hashable, ...], n: int, delta: F) -> F | None:
    met: dict[tuple[F, ...], int] = {}  # what is predicted, and the number that it has here

    @cache
    def asked(sample: learning_tasks.AnySample) -> int:
        return met.setdefault(tuple(learner.probabilities(sample, points)), len(met))

    pairs = neighbouring_pairs(learning_tasks.examples_on(points), n)
    answers = {(asked(one), asked(other)) for one, other in pairs}
    least, predicted = F(1), list(met)
    for one, other in answers:
        for p, q in zip(predicted[one], predicted[other], strict=True):
            for a, b in learning_tasks.sides(p, q):
                if a - delta > least * b:
                    if not b:
                        return None
                    least = (a - delta) / b
    return least


def _private_learners(points: int) -> list[ExactLearner]:
    H = cube(points)
    return [
        df.PrivateVotingLearner(Epsilon.exactly(F(11, 10))),
        df.PrivateVotingLearner(Epsilon.exactly(F(2))),
        df.PrivateVotingLearner(Epsilon.exactly(9)),
        df.PrivateVotingLearner(Epsilon.exactly(2), F(1, 20)),
        df.VotingLearner(F(1, 5)),
        df.ExponentialLearner(H, Epsilon.exactly(4)),
        df.ExponentialLearner(H, Epsilon.exactly(F(5, 4))),
        df.FlippedLearner(df.StableLearner(H, 1, Epsilon.exactly(9)), F(1, 10)),
        df.RealizablePrivateLearner(H, 2, F(1, 3)),
        df.DworkFeldmanAggregation(H, 2, 1),
    ]


@kit.universe("learners on two points, with few examples, their exact epsilon by enumeration")
def _runs(budget: kit.Budget) -> Iterator[Run]:
    """Give learners with a finite epsilon on one and two light points."""
    hard = [df.HardDistribution.shattered((0, 1), mass / 4) for mass in (F(1, 2), F(1))]
    hard.append(df.HardDistribution.with_common_label((1,), 0, 0, F(1, 6)))
    if budget is not kit.Budget.QUICK:
        hard.append(df.HardDistribution.shattered((0, 1, 2), F(1, 6)))
    for h in hard:
        for n in range(2, budget.pick(4, 5, 6) - (len(h.points) > 2)):
            for learner, delta in product(_private_learners(len(h.points)), (F(0), F(1, 20))):
                run = Run(learner, h, n, delta)
                if run.factor is not None:
                    yield run


AverageError = Callable[[Sequence[F], int, Epsilon, F], F]
_least_average: AverageError = df.private_average_error


def _no_better(average: AverageError, it: Run) -> kit.Comparison:
    """No learner's mean error is below what its exact epsilon permits."""
    if it.factor is None:
        raise AssertionError
    # A heavy point whose label is known adds nothing.
    masses = it.hard.masses[: -1 if it.hard.heavy_label is not None else None]
    errors = it.errors()
    stated = average(masses, it.n, Epsilon.exactly(it.factor), it.delta)
    return kit.reaches(sum(errors, F(0)) / len(errors), stated)


TRIALS.add(
    _PRIVATE, "learners", _no_better, _runs, _least_average,
    lambda masses, n, epsilon, delta: df.private_average_error(masses, n - 1, epsilon, delta),
)  # fmt: skip


@kit.universe("two points, up to three examples, four pairs of epsilon and delta")
def _voted(budget: kit.Budget) -> Iterator[tuple[df.HardDistribution, int, Privacy]]:
    hard = df.HardDistribution.shattered((0, 1), F(1, 6))
    for n in range(1, budget.pick(4, 5, 6)):
        yield from ((hard, n, privacy) for privacy in _privacies(budget))


Made = Callable[[Epsilon, F], ExactLearner]


def _attains(made: Made, it: tuple[df.HardDistribution, int, Privacy]) -> kit.Finding:
    """The learner keeps its promise, and errs equally, as little as possible, for all targets."""
    hard, n, (factor, delta) = it
    epsilon = Epsilon.exactly(factor)
    run = Run(made(epsilon, delta), hard, n, delta)
    least, errors = df.private_average_error(hard.masses, n, epsilon, delta), set(run.errors())
    return kit.settle(
        run.factor is not None and run.factor <= factor and errors == {least},
        f"{run}: factor {run.factor}, errors {sorted(errors)}, the least is {least}",
    )


def _by_stability(epsilon: Epsilon, delta: F) -> ExactLearner:
    """Vote with the stability that (epsilon, delta) gives, which is not private for delta 0."""
    return df.VotingLearner(delta + (epsilon.ratio - 1) / (epsilon.ratio + 1))


TRIALS.add(_PRIVATE, "equality", _attains, _voted, df.PrivateVotingLearner, _by_stability)


# Agnostic learners: d coins, at points, of unknown sides


class Coins(NamedTuple):
    """The masses of points with a coin each, the size of the samples, and the bias."""

    masses: tuple[F, ...]
    n: int
    bias: F


@cache
def _excesses(learner: ExactLearner, it: Coins) -> list[F]:
    """Return the expected excess of a learner, for all sides that the coins may prefer."""
    points = range(len(it.masses))
    found = dict.fromkeys(product((0, 1), repeat=len(it.masses)), F(0))
    for tossed in product(product(points, (0, 1)), repeat=it.n):
        sample = Sample([x for x, _ in tossed], [y for _, y in tossed])
        predicted = learner.probabilities(sample, points)
        for preferred in found:
            chance = prod(
                (it.masses[x] * (1 + (it.bias if y == preferred[x] else -it.bias)) / 2)
                for x, y in tossed
            )
            wrong = zip(it.masses, preferred, predicted, strict=True)
            loss = sum((mass * abs(side - p) for mass, side, p in wrong), F(0))
            found[preferred] += chance * it.bias * loss
    return list(found.values())


@kit.universe("one and two coins, up to three examples")
def _coins(budget: kit.Budget) -> Iterator[Coins]:
    masses = [(F(1),), (F(1, 2), F(1, 2)), (F(1, 5), F(4, 5))]
    sizes = range(1, budget.pick(4, 5, 5))
    for n, of, bias in product(sizes, masses, [F(1, 4), F(2, 3), F(1)]):
        yield Coins(of, n, bias)


@kit.universe("eight learners on one and two coins, up to three examples")
def _on_coins(budget: kit.Budget) -> Iterator[tuple[ExactLearner, Coins]]:
    for coins in _coins.instances(budget):
        H = cube(len(coins.masses))
        learners: list[ExactLearner] = [
            df.VotingLearner(F(1)),
            df.VotingLearner(F(1, 3)),
            stability_lower_bound.Constant(F(1, 3)),
            stability_lower_bound.Memory(),
            df.DisjointAverage(H, 1),
            df.ExponentialLearner(H, Epsilon.exactly(9)),
            df.StableLearner(H, 1, Epsilon.exactly(9)),
            df.PrivateVotingLearner(Epsilon.exactly(4)),
        ]
        yield from ((learner, coins) for learner in learners)


def _excess_reaches(
    average: Callable[[Sequence[F], int, F], F], it: tuple[ExactLearner, Coins]
) -> kit.Comparison:
    found = _excesses(*it)
    return kit.reaches(sum(found, F(0)) / len(found), average(*it[1]))


_AGNOSTIC = "section-1.1.agnostic-lower-bound.explicit"
TRIALS.add(
    _AGNOSTIC, "d coins", _excess_reaches, _on_coins, df.agnostic_average_excess,
    lambda masses, n, bias: df.agnostic_average_excess(masses, n - 1, bias),
)  # fmt: skip


def _excess_is(learner: ExactLearner, it: Coins) -> kit.Comparison:
    return kit.same(set(_excesses(learner, it)), {df.agnostic_average_excess(*it)})


TRIALS.add(
    _AGNOSTIC, "equality", _excess_is, _coins, df.VotingLearner(F(1)), df.VotingLearner(F(1, 2))
)


# One coin


class TossedCoin(NamedTuple):
    """A learner of the constants on one point, the size of the samples, and alpha."""

    learner: ExactLearner
    n: int
    alpha: F

    def failures(self, bias: F) -> list[F]:
        """Return how often the excess is above alpha, for either side of the coin."""
        n, found = self.n, [F(0), F(0)]
        for ones in range(n + 1):
            (p,) = self.learner.probabilities(learning_tasks.counted(n, ones), [0])
            for side in (0, 1):
                if bias * abs(side - p) > self.alpha:
                    one = (1 + bias if side else 1 - bias) / 2
                    found[side] += comb(n, ones) * one**ones * (1 - one) ** (n - ones)
        return found


@kit.universe("six learners of one coin, up to ten examples, a bias just above 2 alpha")
def _tosses(budget: kit.Budget) -> Iterator[TossedCoin]:
    learners: list[ExactLearner] = [
        df.VotingLearner(F(1)),
        df.VotingLearner(F(1, 5)),
        stability_lower_bound.Constant(F(1, 3)),
        df.ExponentialLearner(learning_tasks.CONSTANTS, Epsilon.exactly(4)),
        df.StableLearner(learning_tasks.CONSTANTS, 1, Epsilon.exactly(9)),
        df.PrivateVotingLearner(Epsilon.exactly(4)),
    ]
    sizes = (1, 2, 5, 10, 30)[: budget.pick(4, 5, 5)]
    for alpha, n, learner in product((F(1, 10), F(1, 5)), sizes, learners):
        yield TossedCoin(learner, n, alpha)


def _two_sides(told: Callable[[int, F], F], it: TossedCoin) -> kit.Comparison:
    """The larger of two failures is at least the error of the best guess of the side."""
    bias = 2 * it.alpha * F(1001, 1000)
    return kit.reaches(max(it.failures(bias)), told(it.n, bias))


TRIALS.add(
    _AGNOSTIC, "one coin", _two_sides, _tosses,
    df.coin_error, lambda n, bias: df.coin_error(n - 1 if n % 2 else n - 2, bias),
)  # fmt: skip
