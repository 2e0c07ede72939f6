"""Definitions for learners: losses, learning, stability, privacy (Sections 1, 2, Appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon
from pac_stability.books.dagan_feldman import learning_tasks
from pac_stability.books.dagan_feldman.learning_tasks import AnySample
from pac_stability.claims import kit
from pac_stability.claims.instances import all_labelled_samples, random_distributions
from pac_stability.claims.kit import Comparison, kept_counterexample
from pac_stability.classes import FiniteClass, Hypothesis, cube
from pac_stability.data import FiniteDistribution, Sample, neighbouring_pairs
from pac_stability.mechanisms import SoftMajorityVote
from pac_stability.notions import private_prediction, uniform_stability
from pac_stability.notions.accuracy import minimal_beta
from pac_stability.notions.by_type import learner_laws_by_type
from pac_stability.notions.domination import Domination, minimal_slack
from pac_stability.notions.losses import error
from pac_stability.papers.dagan_feldman import stable as of_stable
from pac_stability.papers.guarantees import PredictionGuarantee, StabilityGuarantee

F = Fraction
TRIALS = kit.Table("DF20")
Data = FiniteDistribution[learning_tasks.AnyExample]

# Losses


@kit.universe("all samples on two points, all four labellings", extent="samples on 2 points")
def _samples(budget: kit.Budget) -> Iterator[AnySample]:
    for n in range(1, budget.pick(4, 6, 7)):
        yield from all_labelled_samples(cube(2), n)


def _empirical_loss(loss: Callable[[AnySample, Hypothesis], F], sample: AnySample) -> Comparison:
    wrong = [F(sum(h(z.point) != z.label for z in sample), len(sample)) for h in cube(2)]
    return kit.same([loss(sample, h) for h in cube(2)], wrong)


TRIALS.add(
    "definition-losses", "on samples", _empirical_loss, _samples,
    lambda sample, h: sample.loss(h),
    lambda sample, h: Sample.from_examples(sorted(set(sample), key=str)).loss(h),
)  # fmt: skip


@kit.universe("seeded distributions on the examples at two points, all labellings")
def _laws(budget: kit.Budget) -> Iterator[Data]:
    examples = learning_tasks.examples_on((0, 1))
    for law in random_distributions(budget.pick(30, 300, 3000), 4, seed="losses"):
        yield law.map(lambda index: examples[index])


def _risk(h: Hypothesis, D: Data) -> F:
    return sum((p for z, p in D.items() if h(z.point) != z.label), F(0))


def _true_loss(risk: Callable[[Hypothesis, Data], F], D: Data) -> Comparison:
    return kit.same([risk(h, D) for h in cube(2)], [_risk(h, D) for h in cube(2)])


TRIALS.add(
    "definition-losses", "on distributions", _true_loss, _laws,
    error,
    lambda h, D: F(sum(h(z.point) != z.label for z in D.support), len(D.support)),
)  # fmt: skip


# Learning


class Learning(NamedTuple):
    """A distribution, a number of examples, and alpha."""

    D: Data
    n: int
    alpha: F


_THREE = FiniteClass([[0, 0], [1, 1], [0, 1]])


@kit.universe("seeded distributions on two points, 1 to 3 examples, a class of three")
def _learning(budget: kit.Budget) -> Iterator[Learning]:
    for index, D in enumerate(_laws.instances(budget)):
        yield Learning(D, 1 + index % 3, F(index % 4, 12))


def _minimiser(sample: AnySample) -> Hypothesis:
    return min(_THREE, key=sample.count_errors)


def _by_the_library(it: Learning) -> F:
    def learn(sample: AnySample) -> FiniteDistribution[Hypothesis]:
        return FiniteDistribution.point_mass(_minimiser(sample))

    laws = learner_laws_by_type(learn, learning_tasks.examples_on((0, 1)), it.n)
    return minimal_beta(laws, it.D, it.alpha, hypotheses=list[Hypothesis](_THREE))


def _fails(it: Learning, best: F) -> F:
    failure = F(0)
    for drawn in product(it.D.items(), repeat=it.n):
        chance = F(1)
        for _, p in drawn:
            chance *= p
        h = _minimiser(Sample.from_examples([z for z, _ in drawn]))
        failure += chance * (_risk(h, it.D) > best + it.alpha)
    return failure


def _pac(failure: Callable[[Learning], F], it: Learning) -> Comparison:
    """Pr[L_D(A^S) > min L_D + alpha] for the empirical risk minimiser."""
    return kit.same(failure(it), _fails(it, min(error(h, it.D) for h in _THREE)))


TRIALS.add(
    "definition-pac", "empirical risk minimiser", _pac, _learning,
    _by_the_library, lambda it: _fails(it, F(0)),
)  # fmt: skip


# Stability and privacy of predictions: learners as tables

Predictions = tuple[F, ...]
"""Probabilities of label 1 at a point, given each sample of two examples there."""


@cache
def _places() -> list[AnySample]:
    return list(all_labelled_samples(FiniteClass([[0]]), 2))


_PAIRS = list(neighbouring_pairs(learning_tasks.examples_on((0,)), 2))
_AT_ONE_PLACE = [pair for pair in _PAIRS if pair[0][1] == pair[1][1]]


@kit.universe("all learners on one point and two examples with predictions in a grid")
def _tables(budget: kit.Budget) -> Iterator[Predictions]:
    q = budget.pick(3, 5, 9)
    yield from product([F(k, q) for k in range(q + 1)], repeat=len(_places()))


def _law(p: F) -> FiniteDistribution[int]:
    return FiniteDistribution({1: p, 0: 1 - p})


def _law_of(table: Predictions) -> Callable[[AnySample, Hashable], FiniteDistribution[int]]:
    return lambda sample, _: _law(table[_places().index(sample)])


def _neighbouring(table: Predictions) -> Iterator[tuple[F, F]]:
    for index, sample in enumerate(_places()):
        for other in learning_tasks.neighbours_of(sample, (0,)):
            yield table[index], table[_places().index(other)]


def _stable(pairs: Iterable[tuple[AnySample, AnySample]], table: Predictions) -> Comparison:
    found = uniform_stability.minimal_gamma(_law_of(table), list(pairs), (0,))
    return kit.same(found, max(abs(p - q) for p, q in _neighbouring(table)))


TRIALS.add("definition-uniform-stability", "tables", _stable, _tables, _PAIRS, _AT_ONE_PLACE)


def _factor(table: Predictions) -> F | float:
    return max(learning_tasks.factor_between(p, q) for p, q in _neighbouring(table))


def _private(pairs: Iterable[tuple[AnySample, AnySample]], table: Predictions) -> Comparison:
    found = private_prediction.minimal_epsilon(_law_of(table), list(pairs), (0,))
    return kit.same(found, _factor(table))


TRIALS.add(
    "definition-private-prediction.repaired", "tables", _private, _tables, _PAIRS, _AT_ONE_PLACE
)


@kit.universe("numbers of voters, from one on, with e^epsilon = 4")
def _votes(budget: kit.Budget) -> Iterable[int]:
    return range(1, budget.pick(4, 8, 12))


def _private_between_all(decay: F, voters: int) -> kit.Finding:
    vote = SoftMajorityVote(decay)
    t = vote.guarantee.factor
    votes = [(0,) * (voters - ones) + (1,) * ones for ones in range(voters + 1)]
    chances = [vote.law(labels).probability(1) for labels in votes]
    worst = max(learning_tasks.factor_between(p, q) for p, q in product(chances, repeat=2))
    return kit.factor_within(worst, t).settle(
        f"{voters} examples, soft majority of labels with e^epsilon = {t}: some two samples that "
        f"differ everywhere have the factor {worst}"
    )


TRIALS.add(
    "definition-private-prediction", "soft majorities", _private_between_all, _votes, F(1, 2)
)
TRIALS.keeps(
    "definition-private-prediction", kept_counterexample("DF20:definition-private-prediction")
)


def _same_sample_twice(table: Predictions) -> bool:
    return all(p <= 2 * p and 1 - p <= 2 * (1 - p) for p in table)


def _display(private: Callable[[Predictions], bool], table: Predictions) -> kit.Finding:
    defined = _factor(table) <= 2
    return kit.settle(
        private(table) == defined,
        f"predictions {', '.join(map(str, table))} on samples 00, 01, 10, 11: the display says "
        f"{private(table)}, the notion {defined}",
    )


TRIALS.add("definition-private-prediction.arxiv", "tables", _display, _tables, _same_sample_twice)


# Between the two

Pair = tuple[F, F]


@kit.universe("two predictions in a grid")
def _pairs(budget: kit.Budget) -> Iterator[Pair]:
    q = budget.pick(12, 40, 200)
    yield from product([F(k, q) for k in range(q + 1)], repeat=2)


def _implied(stability: Callable[[F], F], pair: Pair) -> Comparison | kit.Finding:
    p, q = pair
    factor = learning_tasks.factor_between(p, q)
    return kit.within(abs(p - q), stability(factor)) if isinstance(factor, F) else kit.idle()


def _as_printed(t: F) -> F:
    if t > 2:
        return t - 1  # nothing is said
    return of_stable.private_to_stable_as_printed(PredictionGuarantee(Epsilon.exactly(t))).gamma


TRIALS.add(
    "fact-private-is-stable", "two predictions", _implied, _pairs,
    _as_printed, lambda t: (t - 1) / 4,
)  # fmt: skip


def _with_delta(t: F, delta: F) -> F:
    return of_stable.private_to_stable(PredictionGuarantee(Epsilon.exactly(t), delta)).gamma


TRIALS.add(
    "fact-private-is-stable.sharp", "two predictions", _implied, _pairs,
    lambda t: _with_delta(t, F(0)), lambda t: (t - 1) / (t + 2),
)  # fmt: skip


@kit.universe("two predictions in a grid, three factors, the least delta")
def _pairs_and_factors(budget: kit.Budget) -> Iterator[tuple[Pair, F]]:
    yield from product(_pairs.instances(budget), (F(1), F(3, 2), F(3)))


def _implied_with_delta(stability: Callable[[F, F], F], asked: tuple[Pair, F]) -> Comparison:
    (p, q), t = asked
    delta = max(F(0), *(a - t * b for a, b in learning_tasks.sides(p, q)))
    return kit.within(abs(p - q), stability(t, delta), ceiling=1)


TRIALS.add(
    "fact-private-is-stable.sharp", "two predictions, with a delta",
    _implied_with_delta, _pairs_and_factors,
    _with_delta, lambda t, delta: _with_delta(t, delta / 2),
)  # fmt: skip


@kit.universe("factors e^epsilon from 1 on, in steps of 1/8")
def _factors(budget: kit.Budget) -> Iterator[F]:
    yield from (1 + F(k, 8) for k in range(budget.pick(10, 40, 200)))


def _attained(stability: Callable[[F], F], t: F) -> Comparison:
    p, q = t / (t + 1), 1 / (t + 1)
    return kit.same((learning_tasks.factor_between(p, q), stability(t)), (t, p - q))


TRIALS.add(
    "fact-private-is-stable.sharp", "attained", _attained, _factors,
    lambda t: private_prediction.implied_stability(Epsilon.exactly(t)), lambda t: t - 1,
)  # fmt: skip


def _delta_at(factor: F) -> Callable[[Pair], F]:
    def delta(pair: Pair) -> F:
        epsilon = Epsilon.exactly(factor)
        return private_prediction.minimal_delta(lambda p, _: _law(p), [pair], (0,), epsilon)

    return delta


def _zero_epsilon(delta_of: Callable[[Pair], F], pair: Pair) -> Comparison:
    return kit.same(delta_of(pair), abs(pair[0] - pair[1]))


TRIALS.add(
    "fact-stability-is-privacy", "two predictions", _zero_epsilon, _pairs,
    _delta_at(F(1)), _delta_at(F(11, 10)),
)  # fmt: skip


@kit.universe("two predictions in a grid, that are as stable as they are")
def _as_stable(budget: kit.Budget) -> Iterable[Pair]:
    return _pairs.instances(budget)


def _follows(
    rule: Callable[[StabilityGuarantee], PredictionGuarantee], pair: Pair
) -> Comparison | kit.Finding:
    private = rule(StabilityGuarantee(abs(pair[0] - pair[1])))
    if private.epsilon != Epsilon.exactly(1):
        return kit.fails(f"{pair}: {private} is said to follow")
    return kit.within(_delta_at(F(1))(pair), private.delta)


TRIALS.add(
    "fact-stability-is-privacy", "what follows", _follows, _as_stable,
    of_stable.stable_to_private,
    lambda stable: of_stable.stable_to_private(StabilityGuarantee(stable.gamma / 2)),
)  # fmt: skip


class Kernel(NamedTuple):
    """Two laws on two hypotheses (the chance of the first), and the labels' chances under them."""

    laws: Pair
    labels: Pair


@kit.universe("two laws on two randomized hypotheses, all probabilities in a grid")
def _kernels(budget: kit.Budget) -> Iterator[Kernel]:
    q = budget.pick(5, 8, 16)
    pairs = list(product([F(k, q) for k in range(q + 1)], repeat=2))
    yield from map(Kernel._make, product(pairs, pairs))


def _mixed(p: F, labels: Pair) -> F:
    return p * labels[0] + (1 - p) * labels[1]


def _postprocessed(prediction: Callable[[F, Pair], F], it: Kernel) -> Comparison:
    p, q = it.laws
    after = learning_tasks.factor_between(prediction(p, it.labels), prediction(q, it.labels))
    return kit.factor_within(after, learning_tasks.factor_between(p, q))


TRIALS.add(
    "fact-postprocessing", "two hypotheses", _postprocessed, _kernels,
    _mixed, lambda p, labels: _mixed(p * p, labels),
)  # fmt: skip


# Predictors as functions to [0, 1], and privacy as the relation h <= lambda g + kappa


class Mixture(NamedTuple):
    """Two pairs at one point, a factor, and the weight of the first pair."""

    first: Pair
    second: Pair
    factor: F
    weight: F


@kit.universe("predictions and labels at two points, probabilities in a grid")
def _losses(budget: kit.Budget) -> Iterator[Mixture]:
    """Two pairs (prediction, probability of label 1 at a point), and the mass of the first."""
    q = budget.pick(4, 6, 10)
    grid = [F(i, q) for i in range(q + 1)]
    for one, other in product(product(grid, grid), repeat=2):
        yield Mixture(one, other, F(1), F(1, 3))


def _expected_loss(loss: Callable[[F, int], F], it: Mixture) -> Comparison:
    """Pr[A(x) != y] over D and the coins of A, as E |h(x) - y|."""
    points = (*it.first, it.weight), (*it.second, 1 - it.weight)
    wrong = sum(mass * (p * (1 - a) + (1 - p) * a) for p, a, mass in points)
    return kit.same(
        sum(mass * (a * loss(p, 1) + (1 - a) * loss(p, 0)) for p, a, mass in points), wrong
    )


TRIALS.add(
    "definition-randomized-classifier", "two points", _expected_loss, _losses,
    lambda p, y: abs(p - y), lambda p, y: (p - y) ** 2,
)  # fmt: skip


def _slack(p: F, q: F, factor: F) -> F:
    return minimal_slack({0: p}, {0: q}, factor)


@kit.universe("two predictions in a grid, three factors")
def _related(budget: kit.Budget) -> Iterator[tuple[F, F, F]]:
    q = budget.pick(8, 20, 80)
    grid = [F(i, q) for i in range(q + 1)]
    yield from product(grid, grid, (F(1), F(3, 2), F(3)))


def _same_notion(slack: Callable[[F, F, F], F], it: tuple[F, F, F]) -> Comparison:
    p, q, t = it
    return kit.same(slack(p, q, t), max(F(0), p - t * q, (1 - p) - t * (1 - q)))


TRIALS.add(
    "definition-relation", "two predictions", _same_notion, _related,
    _slack, lambda p, q, factor: _slack(q, p, factor),
)  # fmt: skip


class Chain(NamedTuple):
    """Probabilities of label 1 under h, g and f at one point, and the two factors."""

    h: F
    g: F
    f: F
    first: F
    second: F


@kit.universe("three predictions in a grid, four factors twice, the smallest slacks")
def _chains(budget: kit.Budget) -> Iterator[Chain]:
    q = budget.pick(5, 9, 20)
    grid = [F(i, q) for i in range(q + 1)]
    factors = [F(1, 2), F(1), F(3, 2), F(3)]
    yield from map(Chain._make, product(grid, grid, grid, factors, factors))


def _transitive(
    rule: Callable[[Domination, Domination], Domination], it: Chain
) -> Comparison | kit.Finding:
    h, g, f, first, second = it
    one = Domination(first, _slack(h, g, first))
    both = rule(one, Domination(second, _slack(g, f, second)))
    back = g <= first * h + one.slack and 1 - g <= first * (1 - h) + one.slack
    if not one.holds({0: h}, {0: g}) or one.holds({0: g}, {0: h}) != back:
        return kit.fails(f"h = {h}, g = {g}, {one}: whether it holds is not as it is defined")
    return kit.within(_slack(h, f, both.factor), both.slack)


TRIALS.add(
    "appendix-a.transitivity", "chains of three", _transitive, _chains,
    Domination.then,
    lambda one, two: Domination(one.factor * two.factor, one.slack + two.slack),
)  # fmt: skip


@kit.universe("two pairs of predictions in a grid, two factors, two weights")
def _mixtures(budget: kit.Budget) -> Iterator[Mixture]:
    q = budget.pick(3, 6, 10)
    pairs = list(product([F(i, q) for i in range(q + 1)], repeat=2))
    for one, other in combinations_with_replacement(pairs, 2):
        yield from map(Mixture._make, product([one], [other], [F(1), F(2)], [F(1, 4), F(1, 2)]))


def _closed(slack_of_both: Callable[[F, F], F], it: Mixture) -> Comparison:
    (h, g), (k, f), t, w = it
    left, right = w * h + (1 - w) * k, w * g + (1 - w) * f
    needed = max(left - t * right, 1 - left - t * (1 - right), F(0))
    return kit.within(needed, slack_of_both(_slack(h, g, t), _slack(k, f, t)))


TRIALS.add("appendix-a.mixtures", "two components", _closed, _mixtures, max, min)
