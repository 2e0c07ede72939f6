"""What the paper defines: learning, closeness, three notions of generalization (Section 2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import NamedTuple, TypeAlias

from pac_stability.arguments import as_number
from pac_stability.arithmetic import Epsilon, floor_log2
from pac_stability.books.cummings_et_al.settings import (
    DELTAS,
    FACTORS,
    Law,
    MechanismSetting,
    events,
    probability,
    settings,
)
from pac_stability.claims import instances, kit
from pac_stability.claims.kit import Comparison
from pac_stability.classes import FiniteClass, Row, cube
from pac_stability.data import Example, FiniteDistribution, Multiset, Sample, all_examples
from pac_stability.dimensions import vc_dimension
from pac_stability.notions import (
    accuracy,
    closeness,
    differential_privacy,
    generalization,
    perfect_generalization,
    robust_generalization,
)
from pac_stability.notions.by_type import LawsByType, learner_laws_by_type
from pac_stability.notions.group_privacy import group_pairs
from pac_stability.notions.split_reading import split_bounds, split_failure
from pac_stability.papers import cummings_et_al as clnrw

TRIALS = kit.Table("CLNRW16")

Labelled: TypeAlias = Example[Hashable]
Target: TypeAlias = FiniteDistribution[Labelled]
Judge: TypeAlias = Callable[[LawsByType[Labelled, Row], Target, Fraction], Fraction]
AgnosticJudge: TypeAlias = Callable[
    [LawsByType[Labelled, Row], Target, Fraction, FiniteClass], Fraction
]


@dataclass(frozen=True, slots=True)
class DefinedLearner:
    """A learner with random answers to each ordered sample, on one distribution.

    Attributes
    ----------
    index
        Which answers.
    H
        The class, whose hypotheses it answers with.
    n
        The size of the samples.
    target
        D, the law of an example.
    alpha
        What is tolerated.
    """

    index: int
    H: FiniteClass
    n: int
    target: Target
    alpha: Fraction

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Row]:
        """Return the law of the hypothesis."""
        coins = Random(f"{self.index}/{sample}")
        first, second = coins.choice(self.H), coins.choice(self.H)
        return FiniteDistribution.mixture(
            (Fraction(w, 4), FiniteDistribution.point_mass(h)) for w, h in ((1, first), (3, second))
        )

    def outcomes(self) -> Iterator[tuple[Fraction, Sample[Hashable], Row]]:
        """Go through samples and hypotheses, with the probabilities of both together."""
        for drawn in product(self.target.items(), repeat=self.n):
            sample = Sample.from_examples(z for z, _ in drawn)
            weight = Fraction(1)
            for _, chance in drawn:
                weight *= chance
            for h, answered in self.law(sample).items():
                yield weight * answered, sample, h

    def error(self, h: Row) -> Fraction:
        """Return err(h)."""
        return sum((p for z, p in self.target.items() if h(z.point) != z.label), Fraction(0))

    def tables(self) -> LawsByType[Labelled, Row]:
        """Return the learner as the library's notions take it."""
        return learner_laws_by_type(self.law, all_examples(self.H.domain), self.n)

    def __str__(self) -> str:
        rows = [list(map(int, row)) for row in self.H.table]
        return f"learner {self.index} for {rows}, n = {self.n}, D = {self.target}, {self.alpha}"


@kit.universe("random learners on one or two points, n = 1 and 2, alpha in twelfths")
def _on_anything(budget: kit.Budget) -> Iterator[DefinedLearner]:
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"anything/{index}")
        points = coins.choice((1, 2))
        yield _made(index, coins, cube(points), all_examples(range(points)))


def _made(
    index: int, coins: Random, H: FiniteClass, examples: tuple[Labelled, ...]
) -> DefinedLearner:
    weights = [coins.randint(0, 3) for _ in examples]
    weights[coins.randrange(len(weights))] += 1
    target = FiniteDistribution(
        {z: Fraction(w, sum(weights)) for z, w in zip(examples, weights, strict=True) if w}
    )
    return DefinedLearner(index, H, coins.choice((1, 2)), target, Fraction(coins.randint(0, 6), 12))


def _generalizes(judge: Judge, learner: DefinedLearner) -> Comparison:
    found = judge(learner.tables(), learner.target, learner.alpha)
    written = sum(
        (
            weight
            for weight, sample, h in learner.outcomes()
            if abs(learner.error(h) - sample.loss(h)) > learner.alpha
        ),
        Fraction(0),
    )
    return kit.same(found, written)


TRIALS.add(
    "definition-1", "against all ordered samples", _generalizes, _on_anything,
    generalization.minimal_beta, generalization.overfitting_probability
)  # fmt: skip


@kit.universe(
    "random learners for every class on one or two points, on distributions "
    "in quarters that it realizes"
)
def _realizable(budget: kit.Budget) -> Iterator[DefinedLearner]:
    classes = [H for m in (1, 2) for H in instances.all_classes(m)]
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"realizable/{index}")
        H = classes[index % len(classes)]
        targets = list(instances.realizable_distributions(H, 4))
        alpha = Fraction(coins.randint(0, 4), 8)
        yield DefinedLearner(index, H, coins.choice((1, 2)), coins.choice(targets), alpha)


def _learns(judge: Judge, learner: DefinedLearner) -> Comparison:
    found = judge(learner.tables(), learner.target, learner.alpha)
    written = sum(
        (weight for weight, _, h in learner.outcomes() if learner.error(h) > learner.alpha),
        Fraction(0),
    )
    return kit.same(found, written)


def _worse(laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction) -> Fraction:
    return accuracy.minimal_beta(laws, target, alpha)


def _no_better(laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction) -> Fraction:
    return accuracy.excess_law(laws, target).expectation(lambda excess: int(excess >= alpha))


TRIALS.add("definition-2", "against all ordered samples", _learns, _realizable, _worse, _no_better)


@kit.universe("random learners for every class on one or two points, on random distributions")
def _agnostic(budget: kit.Budget) -> Iterator[DefinedLearner]:
    classes = [H for m in (1, 2) for H in instances.all_classes(m)]
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"agnostic/{index}")
        H = classes[index % len(classes)]
        yield _made(index, coins, H, all_examples(H.domain))


def _learns_agnostically(judge: AgnosticJudge, learner: DefinedLearner) -> Comparison:
    found = judge(learner.tables(), learner.target, learner.alpha, learner.H)
    least = min(learner.error(h) for h in learner.H)
    written = sum(
        (weight for weight, _, h in learner.outcomes() if learner.error(h) > least + learner.alpha),
        Fraction(0),
    )
    return kit.same(found, written)


def _beside_the_best(
    laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction, H: FiniteClass
) -> Fraction:
    return accuracy.minimal_beta(laws, target, alpha, hypotheses=H)


def _beside_none(
    laws: LawsByType[Labelled, Row],
    target: Target,
    alpha: Fraction,
    H: FiniteClass,  # what is wrong with it
) -> Fraction:
    return accuracy.minimal_beta(laws, target, alpha)


TRIALS.add(
    "definition-3", "against all ordered samples", _learns_agnostically, _agnostic,
    _beside_the_best, _beside_none
)  # fmt: skip


@kit.universe(
    "every class on up to three points, up to isomorphism", extent="classes on up to 3 points"
)
def _small_classes(budget: kit.Budget) -> Iterator[FiniteClass]:
    for m in range(1, budget.pick(3, 4, 4) + 1):
        yield from instances.all_classes(m)


_THE_CLASS: kit.OnClass[FiniteClass] = kit.OnClass(
    lambda H: [H], "the class itself", points=14, hypotheses=256
)


def _shatters(dimension: Callable[[FiniteClass], int], H: FiniteClass) -> Comparison:
    rows = [tuple(row) for row in H.table.tolist()]
    m = len(H.domain)
    written = max(
        size
        for size in range(m + 1)
        for S in combinations(range(m), size)
        if len({tuple(row[x] for x in S) for row in rows}) == 2**size
    )
    return kit.same(dimension(H), written)


def _counting_dimension(H: FiniteClass) -> int:
    return floor_log2(len(H))


TRIALS.add(
    "definition-4", "against all sets of points", _shatters, _small_classes.and_on(_THE_CLASS),
    vc_dimension, _counting_dimension
)  # fmt: skip


# Definition 5.


@kit.universe("random mechanisms with two outputs on two or three elements, n <= 3")
def _robust_settings(budget: kit.Budget) -> Iterator[MechanismSetting]:
    deviations = tuple(Fraction(e) for e in ("0", "1/6", "1/4", "1/3", "1/2"))
    count = budget.pick(30, 300, 3000)
    yield from settings(instances.random_mechanisms(count), deviations)
    yield from settings(instances.random_mechanisms(count // 3, elements=3, most=2), deviations)


def _failure(setting: MechanismSetting) -> Fraction:
    return robust_generalization.optimal_adversary(
        setting.mechanism.law, setting.types, setting.first
    ).failure


def _failure_if_revealed(setting: MechanismSetting) -> Fraction:
    return robust_generalization.universal_bound(setting.types, setting.first)


def _robust(
    failure: Callable[[MechanismSetting], Fraction], setting: MechanismSetting
) -> Comparison:
    """Let every adversary name a set of elements for each output."""
    n, limit = setting.mechanism.n, setting.first
    outputs = sorted({y for law in setting.mechanism.laws.values() for y in law.support})
    tests = list(events(range(setting.mechanism.elements)))
    deviates = {
        (sample, test): abs(
            Fraction(sum(x in test for x in sample), n) - probability(setting.source, test)
        )
        > limit
        for _, sample in setting.sequences()
        for test in tests
    }
    written = max(
        sum(
            (
                weight * chance
                for weight, sample in setting.sequences()
                for y, chance in setting.mechanism.law_of(sample).items()
                if deviates[sample, named[outputs.index(y)]]
            ),
            Fraction(0),
        )
        for named in product(tests, repeat=len(outputs))
    )
    return kit.same(failure(setting), written)


TRIALS.add(
    "definition-5", "against all adversaries", _robust, _robust_settings, _failure,
    _failure_if_revealed
)  # fmt: skip


@kit.universe("k fair bits, no output, and a test of one bit at random")
def _silent(budget: kit.Budget) -> Iterator[clnrw.CoordinateAdversary]:
    for k in range(1, budget.pick(3, 4, 5) + 1):
        for n in range(1, budget.pick(3, 4, 6) + 1):
            for epsilon in ("1/4", "2/5"):
                yield clnrw.CoordinateAdversary(k, n, Fraction(epsilon))


def _conditional(pair: clnrw.CoordinateAdversary) -> list[tuple[Fraction, Fraction]]:
    """Return probabilities and values of p_S, from all samples of the k coordinates."""
    points = list(product((0, 1), repeat=pair.k))
    limit = as_number(pair.epsilon, "epsilon")
    found = []
    for sample in product(points, repeat=pair.n) if pair.k * pair.n <= 9 else ():
        off = sum(
            abs(Fraction(sum(point[i] for point in sample), pair.n) - Fraction(1, 2)) > limit
            for i in range(pair.k)
        )
        found.append((Fraction(1, len(points) ** pair.n), Fraction(off, pair.k)))
    return found or list(pair.failures)


def _same_in_both(
    bound: Callable[[Fraction], Fraction], pair: clnrw.CoordinateAdversary
) -> Comparison:
    failures = _conditional(pair)
    joint = sum((weight * value for weight, value in failures), Fraction(0))
    split = min(
        gamma + sum((w for w, value in failures if value > gamma), Fraction(0))
        for gamma in {Fraction(0), *(value for _, value in failures)}
    )
    return kit.within(split**2, bound(joint))


class Readings(NamedTuple):
    """A test of one bit at random, the joint probability that it is off, and the split delta."""

    pair: clnrw.CoordinateAdversary
    joint: Fraction
    split: Fraction


@kit.universe("two and three fair bits, no output, and a test of one bit at random")
def _two_readings(_: kit.Budget) -> Iterator[Readings]:
    for k, split in ((2, Fraction(3, 4)), (3, Fraction(19, 24))):
        yield Readings(clnrw.CoordinateAdversary(k, 2, Fraction(1, 4)), Fraction(1, 2), split)


Failures: TypeAlias = list[tuple[Fraction, Fraction]]
"""Probabilities and values of p_S."""


def _joint(failures: Failures) -> Fraction:
    return sum((weight * value for weight, value in failures), Fraction(0))


def _apart(delta: Callable[[Failures], Fraction], readings: Readings) -> kit.Finding:
    pair, joint, split = readings
    failures = _conditional(pair)
    found = _joint(failures), delta(failures)
    return kit.settle(
        found == (joint, split) and joint < split,
        f"{pair.k} fair bits: joint {found[0]}, split {found[1]}, not {joint} and {split}",
    )


TRIALS.add(
    "definition-5.split", "one of several fair bits", _apart, _two_readings, split_failure, _joint
)


def _squared(joint: Fraction) -> Fraction:
    return joint**2


def _twice(joint: Fraction) -> Fraction:
    return 2 * joint


def _once(joint: Fraction) -> Fraction:
    return joint


TRIALS.add(
    "definition-5.split.repaired", "one of several fair bits", _same_in_both, _silent, _twice, _once
)


@kit.universe("random mechanisms on three elements, the worst mixture of tests found")
def _mixed_adversaries(budget: kit.Budget) -> Iterator[MechanismSetting]:
    deviations = tuple(Fraction(e) for e in ("0", "1/6", "1/4", "1/3"))
    count = budget.pick(20, 300, 3000)
    return settings(instances.random_mechanisms(count, elements=3, most=2), deviations)


def _between(
    bound: Callable[[Fraction], Fraction], setting: MechanismSetting
) -> Comparison | kit.Finding:
    laws, types, limit = setting.mechanism.law, setting.types, setting.first
    found = split_bounds(laws, types, limit)
    named = dict(found.adversary)
    failures = robust_generalization.conditional_failures(laws, types, named, limit)
    own = sum((weight * value for weight, value in failures), Fraction(0))
    split = split_failure(failures)
    if own > split or found.lower != max(split, found.joint):
        return kit.fails(f"{setting}: joint {own}, split {split}, bounds {found}")
    return kit.within(split**2, bound(own), ceiling=1)


TRIALS.add(
    "definition-5.split.repaired", "adversaries that toss coins", _between, _mixed_adversaries,
    _twice, _squared
)  # fmt: skip


# Definition 6.


class Pair(NamedTuple):
    """Two laws, a factor and a delta."""

    laws: tuple[Law, ...]
    t: Fraction
    delta: Fraction


def _pairs(budget: kit.Budget) -> Iterator[Pair]:
    for laws in instances.random_laws(budget.pick(60, 600, 6000), outcomes=4):
        for t, delta in product(FACTORS, DELTAS):
            yield Pair(laws, t, delta)


_EVERY_FACTOR = kit.Universe(
    "random pairs of laws on up to four outcomes, four factors, three deltas", _pairs
)


_EVERY_DELTA = kit.Universe(
    "random pairs of laws on up to four outcomes, three deltas, all events", _pairs
)


def _close(decide: Callable[[Law, Law, Epsilon, Fraction], bool], pair: Pair) -> Comparison:
    (p, q), t, delta = pair
    written = all(
        probability(p, event) <= t * probability(q, event) + delta
        and probability(q, event) <= t * probability(p, event) + delta
        for event in events((*p.support, *q.support))
    )
    return kit.same(decide(p, q, Epsilon.exactly(t), delta), written)


def _close_one_way(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> bool:
    return closeness.hockey_stick(p, q, epsilon) <= delta


TRIALS.add(
    "definition-6", "against all events", _close, _EVERY_FACTOR, closeness.are_close, _close_one_way
)


Factor: TypeAlias = Callable[[Law, Law, Fraction], Fraction | float]


def _least_factor(least: Factor, pair: Pair) -> Comparison:
    """Compare with what each event asks for: the largest (P(E) - delta)/Q(E), both ways."""
    (p, q), _, delta = pair
    written: Fraction | float = Fraction(1)
    for event in events((*p.support, *q.support)):
        for one, other in ((p, q), (q, p)):
            more, less = probability(one, event) - delta, probability(other, event)
            if more > 0:
                written = max(written, more / less if less else math.inf)
    return kit.same(least(p, q, delta), written)


TRIALS.add(
    "definition-6", "the least factor", _least_factor, _EVERY_DELTA, closeness.minimal_epsilon,
    closeness.one_sided_epsilon
)  # fmt: skip


# Definition 7.


@kit.universe("random mechanisms with three outputs on up to three bits, four factors")
def _private_settings(budget: kit.Budget) -> Iterator[MechanismSetting]:
    yield from settings(
        instances.random_mechanisms(budget.pick(40, 400, 4000), outcomes=3), FACTORS
    )


def _private_delta(setting: MechanismSetting) -> Fraction:
    samples = product(range(setting.mechanism.elements), repeat=setting.mechanism.n)
    return differential_privacy.minimal_delta(
        setting.mechanism.law_of, group_pairs(samples, 1), Epsilon.exactly(setting.first)
    )


def _private_delta_of_constants(setting: MechanismSetting) -> Fraction:
    """Look at the samples that change all their elements instead of one."""
    n = setting.mechanism.n
    return differential_privacy.minimal_delta(
        setting.mechanism.law_of, [((0,) * n, (1,) * n)], Epsilon.exactly(setting.first)
    )


def _private(
    delta: Callable[[MechanismSetting], Fraction], setting: MechanismSetting
) -> Comparison:
    mechanism, t = setting.mechanism, setting.first
    written = Fraction(0)
    for sample in product(range(mechanism.elements), repeat=mechanism.n):
        p = mechanism.law_of(sample)
        for place, element in product(range(mechanism.n), range(mechanism.elements)):
            q = mechanism.law_of((*sample[:place], element, *sample[place + 1 :]))
            for event in events((*p.support, *q.support)):
                written = max(written, probability(p, event) - t * probability(q, event))
    return kit.same(delta(setting), written)


TRIALS.add(
    "definition-7", "against all neighbours and events", _private, _private_settings,
    _private_delta, _private_delta_of_constants
)  # fmt: skip


# Definition 8.


@kit.universe("random mechanisms with two outputs on up to four bits, four factors, three deltas")
def _perfect_settings(budget: kit.Budget) -> Iterator[MechanismSetting]:
    count = budget.pick(40, 400, 4000)
    mechanisms = instances.random_mechanisms(count, most=4, weights=(0, 6))
    return settings(mechanisms, FACTORS, DELTAS)


def _perfect_beta(setting: MechanismSetting) -> Fraction:
    found = perfect_generalization.minimal_beta(
        setting.mechanism.law, setting.types, Epsilon.exactly(setting.first), setting.second
    )
    return Fraction(found.upper) if found.exact else Fraction(-1)


def _simulated_beta(setting: MechanismSetting) -> Fraction:
    epsilon, delta = Epsilon.exactly(setting.first), setting.second
    experiment = clnrw.Experiment.on_types(setting.mechanism.law, setting.mechanism.n)
    best = clnrw.OptimalSimulator(experiment, epsilon=epsilon, delta=delta)
    return clnrw.advantage(experiment, best, setting.source).beta(epsilon, delta)


def _mean_beta(setting: MechanismSetting) -> Fraction:
    epsilon, delta = Epsilon.exactly(setting.first), setting.second
    experiment = clnrw.Experiment.on_types(setting.mechanism.law, setting.mechanism.n)
    mean = clnrw.ArithmeticMeanSimulator(experiment)
    return clnrw.advantage(experiment, mean, setting.source).beta(epsilon, delta)


def _perfect(beta: Callable[[MechanismSetting], Fraction], setting: MechanismSetting) -> Comparison:
    """Try every simulator at which one of the inequalities is an equality; one of them is best."""
    t, delta = setting.first, setting.second
    chances = {kind: law.probability(1) for kind, law in setting.mechanism.laws.items()}
    candidates = {Fraction(0), Fraction(1)}
    for p in set(chances.values()):
        ends = ((p - delta) / t, t * p + delta)
        others = ((1 - p - delta) / t, t * (1 - p) + delta)
        candidates.update(q for q in (*ends, *(1 - e for e in others)) if 0 <= q <= 1)

    def covers(q: Fraction, p: Fraction) -> bool:
        return all(a <= t * b + delta and b <= t * a + delta for a, b in ((p, q), (1 - p, 1 - q)))

    written = 1 - max(
        sum((w for w, s in setting.sequences() if covers(q, chances[Multiset.of(s)])), Fraction(0))
        for q in candidates
    )
    return kit.same(beta(setting), written)


TRIALS.add(
    "definition-8", "against all simulators of a bit", _perfect, _perfect_settings, _perfect_beta,
    _mean_beta
)  # fmt: skip


@kit.universe("random mechanisms with three outputs on two elements, n <= 3, delta = 0")
def _three_outputs(budget: kit.Budget) -> Iterator[MechanismSetting]:
    count = budget.pick(20, 200, 2000)
    mechanisms = instances.random_mechanisms(count, outcomes=3, most=3, weights=(1, 6), seed="3")
    return settings(mechanisms, FACTORS, (Fraction(0),))


def _every_subset(
    beta: Callable[[MechanismSetting], Fraction], setting: MechanismSetting
) -> Comparison:
    """Some law is within a factor t of all laws of a set if that leaves room for a sum of 1."""
    t, weights = setting.first, dict[Multiset[int], Fraction]()
    for w, sample in setting.sequences():
        kind = Multiset.of(sample)
        weights[kind] = weights.get(kind, Fraction(0)) + w

    def covered(kinds: tuple[Multiset[int], ...]) -> bool:
        laws = [setting.mechanism.laws[kind] for kind in kinds]
        rows = [[law.probability(y) for law in laws] for y in range(3)]
        if any(max(row) > t * t * min(row) for row in rows):
            return False
        return sum(max(row) for row in rows) <= t and t * sum(min(row) for row in rows) >= 1

    kept = (
        sum((weights[kind] for kind in kinds), Fraction(0))
        for size in range(1, len(weights) + 1)
        for kinds in combinations(weights, size)
        if covered(kinds)
    )
    return kit.same(beta(setting), 1 - max(kept))


TRIALS.add(
    "definition-8", "against all simulators of three outputs", _every_subset, _three_outputs,
    _perfect_beta, _mean_beta
)  # fmt: skip
TRIALS.add(
    "definition-8", "the best simulator as a mechanism", _perfect, _perfect_settings,
    _simulated_beta, _mean_beta
)  # fmt: skip


# Definition 5 in the split reading: adversaries that mix two tests.


class Told(NamedTuple):
    """How many examples there are, of two fair bits each, and epsilon; no output tells of them."""

    n: int
    epsilon: Fraction


Bounds: TypeAlias = Callable[[Told], tuple[Fraction, Fraction]]
"""The lower and the upper one."""
Test: TypeAlias = tuple[tuple[int, int], ...]

_POINTS: tuple[tuple[int, int], ...] = tuple((a, b) for a in (0, 1) for b in (0, 1))


@kit.universe(
    "two fair bits and no output, two and three examples: one of the bits at random, and all pairs "
    "of tests"
)
def _two_bits(_: kit.Budget) -> Iterator[Told]:
    yield from (Told(n, Fraction(e)) for n, e in product((2, 3), ("1/5", "1/4")))


def _says_nothing(_: object) -> FiniteDistribution[int]:
    return FiniteDistribution.point_mass(0)


def _with_coins(told: Told) -> tuple[Fraction, Fraction]:
    n, epsilon = told
    found = split_bounds(_says_nothing, FiniteDistribution.uniform(_POINTS).power(n), epsilon)
    return found.lower, found.upper


def _without_coins(told: Told) -> tuple[Fraction, Fraction]:
    n, epsilon = told
    samples = FiniteDistribution.uniform(_POINTS).power(n)
    found = split_bounds(_says_nothing, samples, epsilon, randomised=False)
    return found.lower, found.upper


def _enclosed(bounds: Bounds, told: Told) -> tuple[Comparison, Comparison]:
    """One bit at random is below the lower bound, any two tests at random below the upper one."""
    n, epsilon = told
    lower, upper = bounds(told)
    samples = list(product(_POINTS, repeat=n))

    def off(test: Test) -> list[bool]:
        mass = Fraction(len(test), 4)
        return [abs(Fraction(sum(z in test for z in S), n) - mass) > epsilon for S in samples]

    def split(one: Test, other: Test) -> Fraction:
        values = [Fraction(a + b, 2) for a, b in zip(off(one), off(other), strict=True)]
        return min(
            gamma + Fraction(sum(value > gamma for value in values), len(values))
            for gamma in {Fraction(0), *values}
        )

    first, second = (tuple(z for z in _POINTS if z[i]) for i in (0, 1))
    tests = [test for size in range(5) for test in combinations(_POINTS, size)]
    bit, worst = split(first, second), max(split(*pair) for pair in combinations(tests, 2))
    return kit.within(bit, lower), kit.within(worst, upper)


# Where an adversary that tosses a coin does more harm than each that does not.
TRIALS.add(
    "definition-5.split.repaired", "bounds on the worst adversary", _enclosed, _two_bits,
    _with_coins, _without_coins
)  # fmt: skip
