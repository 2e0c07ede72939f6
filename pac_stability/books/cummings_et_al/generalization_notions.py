"""Closeness, and the three notions of generalization (Section 2.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arguments import as_number
from pac_stability.arithmetic import Epsilon
from pac_stability.books.cummings_et_al import _mixed_tests
from pac_stability.books.cummings_et_al._settings import (
    DELTAS,
    FACTORS,
    Law,
    MechanismSetting,
    events,
    probability,
    settings,
)
from pac_stability.claims.instances import random_laws, random_mechanisms
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, fails, settle, trial
from pac_stability.data import Multiset
from pac_stability.notions import closeness, differential_privacy, perfect_generalization
from pac_stability.notions.group_privacy import group_pairs
from pac_stability.notions.robust_generalization import (
    conditional_failures,
    optimal_adversary,
    universal_bound,
)
from pac_stability.notions.split_reading import split_bounds, split_failure
from pac_stability.papers.cummings_et_al import (
    ArithmeticMeanSimulator,
    CoordinateAdversary,
    Experiment,
    OptimalSimulator,
    advantage,
)

# Definition 5.


def _robust_settings(budget: Budget) -> Iterator[MechanismSetting]:
    deviations = tuple(Fraction(e) for e in ("0", "1/6", "1/4", "1/3", "1/2"))
    count = budget.pick(30, 300, 3000)
    yield from settings(random_mechanisms(count), deviations)
    yield from settings(random_mechanisms(count // 3, elements=3, most=2), deviations)


def _failure(setting: MechanismSetting) -> Fraction:
    return optimal_adversary(setting.mechanism.law, setting.types, setting.first).failure


def _failure_if_revealed(setting: MechanismSetting) -> Fraction:
    return universal_bound(setting.types, setting.first)


def _robust(failure: Callable[[MechanismSetting], Fraction], setting: MechanismSetting) -> Finding:
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
    found = failure(setting)
    return settle(found == written, f"{setting}: {found}, over all adversaries {written}")


def _silent(budget: Budget) -> Iterator[CoordinateAdversary]:
    for k in range(1, budget.pick(3, 4, 5) + 1):
        for n in range(1, budget.pick(3, 4, 6) + 1):
            for epsilon in ("1/4", "2/5"):
                yield CoordinateAdversary(k, n, Fraction(epsilon))


def _conditional(pair: CoordinateAdversary) -> list[tuple[Fraction, Fraction]]:
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


def _same_in_both(bound: Callable[[Fraction], Fraction], pair: CoordinateAdversary) -> Finding:
    failures = _conditional(pair)
    joint = sum((weight * value for weight, value in failures), Fraction(0))
    split = min(
        gamma + sum((w for w, value in failures if value > gamma), Fraction(0))
        for gamma in {Fraction(0), *(value for _, value in failures)}
    )
    return at_most(
        split**2,
        bound(joint),
        f"no output, {pair.k} fair bits, n = {pair.n}, epsilon = {pair.epsilon}, one bit tested at "
        f"random: {joint} in the joint reading, {split} in the split one",
    )


Readings: TypeAlias = tuple[CoordinateAdversary, Fraction, Fraction]
"""A test of one bit at random, the joint probability that it is off, and the split delta."""


def _two_readings(_: Budget) -> Iterator[Readings]:
    for k, split in ((2, Fraction(3, 4)), (3, Fraction(19, 24))):
        yield CoordinateAdversary(k, 2, Fraction(1, 4)), Fraction(1, 2), split


Failures: TypeAlias = list[tuple[Fraction, Fraction]]
"""Probabilities and values of p_S."""


def _joint(failures: Failures) -> Fraction:
    return sum((weight * value for weight, value in failures), Fraction(0))


def _apart(delta: Callable[[Failures], Fraction], readings: Readings) -> Finding:
    pair, joint, split = readings
    failures = _conditional(pair)
    found = _joint(failures), delta(failures)
    return settle(
        found == (joint, split) and joint < split,
        f"{pair.k} fair bits: joint {found[0]}, split {found[1]}, not {joint} and {split}",
    )


def _squared(joint: Fraction) -> Fraction:
    return joint**2


def _twice(joint: Fraction) -> Fraction:
    return 2 * joint


def _once(joint: Fraction) -> Fraction:
    return joint


def _mixed_adversaries(budget: Budget) -> Iterator[MechanismSetting]:
    deviations = tuple(Fraction(e) for e in ("0", "1/6", "1/4", "1/3"))
    count = budget.pick(20, 300, 3000)
    return settings(random_mechanisms(count, elements=3, most=2), deviations)


def _between(bound: Callable[[Fraction], Fraction], setting: MechanismSetting) -> Finding:
    laws, types, limit = setting.mechanism.law, setting.types, setting.first
    found = split_bounds(laws, types, limit)
    named = dict(found.adversary)
    failures = conditional_failures(laws, types, named, limit)
    own = sum((weight * value for weight, value in failures), Fraction(0))
    split = split_failure(failures)
    text = f"{setting}: joint {own}, split {split}, bounds {found}"
    same = own <= split and found.lower == max(split, found.joint)
    return at_most(split**2, bound(own), text, ceiling=1) if same else fails(text)


# Definition 6.

Pair: TypeAlias = tuple[tuple[Law, ...], Fraction, Fraction]


def _pairs(budget: Budget) -> Iterator[Pair]:
    for laws in random_laws(budget.pick(60, 600, 6000), outcomes=4):
        for t, delta in product(FACTORS, DELTAS):
            yield laws, t, delta


def _close(decide: Callable[[Law, Law, Epsilon, Fraction], bool], pair: Pair) -> Finding:
    (p, q), t, delta = pair
    written = all(
        probability(p, event) <= t * probability(q, event) + delta
        and probability(q, event) <= t * probability(p, event) + delta
        for event in events((*p.support, *q.support))
    )
    found = decide(p, q, Epsilon.exactly(t), delta)
    return settle(found == written, f"{p}, {q}, t = {t}, {delta}: {found}, by all events {written}")


def _close_one_way(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> bool:
    return closeness.hockey_stick(p, q, epsilon) <= delta


Factor: TypeAlias = Callable[[Law, Law, Fraction], Fraction | float]


def _least_factor(least: Factor, pair: Pair) -> Finding:
    """Compare with what each event asks for: the largest (P(E) - delta)/Q(E), both ways."""
    (p, q), _, delta = pair
    written: Fraction | float = Fraction(1)
    for event in events((*p.support, *q.support)):
        for one, other in ((p, q), (q, p)):
            more, less = probability(one, event) - delta, probability(other, event)
            if more > 0:
                written = max(written, more / less if less else math.inf)
    found = least(p, q, delta)
    return settle(found == written, f"{p}, {q}, {delta}: {found}, by all events {written}")


def _one_way(p: Law, q: Law, delta: Fraction) -> Fraction | float:
    return closeness.one_sided_epsilon(p, q, delta)


# Definition 7.


def _private_settings(budget: Budget) -> Iterator[MechanismSetting]:
    yield from settings(random_mechanisms(budget.pick(40, 400, 4000), outcomes=3), FACTORS)


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


def _private(delta: Callable[[MechanismSetting], Fraction], setting: MechanismSetting) -> Finding:
    mechanism, t = setting.mechanism, setting.first
    written = Fraction(0)
    for sample in product(range(mechanism.elements), repeat=mechanism.n):
        p = mechanism.law_of(sample)
        for place, element in product(range(mechanism.n), range(mechanism.elements)):
            q = mechanism.law_of((*sample[:place], element, *sample[place + 1 :]))
            for event in events((*p.support, *q.support)):
                written = max(written, probability(p, event) - t * probability(q, event))
    found = delta(setting)
    return settle(found == written, f"{setting}: delta {found}, by the definition {written}")


# Definition 8.


def _perfect_settings(budget: Budget) -> Iterator[MechanismSetting]:
    count = budget.pick(40, 400, 4000)
    mechanisms = random_mechanisms(count, most=4, weights=(0, 6))
    return settings(mechanisms, FACTORS, DELTAS)


def _perfect_beta(setting: MechanismSetting) -> Fraction:
    found = perfect_generalization.minimal_beta(
        setting.mechanism.law, setting.types, Epsilon.exactly(setting.first), setting.second
    )
    return Fraction(found.upper) if found.exact else Fraction(-1)


def _simulated_beta(setting: MechanismSetting) -> Fraction:
    epsilon, delta = Epsilon.exactly(setting.first), setting.second
    experiment = Experiment.on_types(setting.mechanism.law, setting.mechanism.n)
    best = OptimalSimulator(experiment, epsilon=epsilon, delta=delta)
    return advantage(experiment, best, setting.source).beta(epsilon, delta)


def _mean_beta(setting: MechanismSetting) -> Fraction:
    epsilon, delta = Epsilon.exactly(setting.first), setting.second
    experiment = Experiment.on_types(setting.mechanism.law, setting.mechanism.n)
    mean = ArithmeticMeanSimulator(experiment)
    return advantage(experiment, mean, setting.source).beta(epsilon, delta)


def _perfect(beta: Callable[[MechanismSetting], Fraction], setting: MechanismSetting) -> Finding:
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
    found = beta(setting)
    return settle(found == written, f"{setting}: beta {found}, over all simulators {written}")


TRIALS: Trials = {
    "CLNRW16:definition-5": (
        trial(
            "against all adversaries",
            _robust,
            _robust_settings,
            subject=_failure,
            mutant=_failure_if_revealed,
            universe="random mechanisms with two outputs on two or three elements, n <= 3",
        ),
    ),
    "CLNRW16:definition-5.split": (
        trial(
            "one of several fair bits",
            _apart,
            _two_readings,
            subject=split_failure,
            mutant=_joint,
            universe="two and three fair bits, no output, and a test of one bit at random",
        ),
    ),
    "CLNRW16:definition-5.split.repaired": (
        trial(
            "one of several fair bits",
            _same_in_both,
            _silent,
            subject=_twice,
            mutant=_once,
            universe="k fair bits, no output, and a test of one bit at random",
        ),
        trial(
            "adversaries that toss coins",
            _between,
            _mixed_adversaries,
            subject=_twice,
            mutant=_squared,
            universe="random mechanisms on three elements, the worst mixture of tests found",
        ),
        _mixed_tests.MIXED,
    ),
    "CLNRW16:definition-6": (
        trial(
            "against all events",
            _close,
            _pairs,
            subject=closeness.are_close,
            mutant=_close_one_way,
            universe="random pairs of laws on up to four outcomes, four factors, three deltas",
        ),
        trial(
            "the least factor",
            _least_factor,
            _pairs,
            subject=closeness.minimal_epsilon,
            mutant=_one_way,
            universe="random pairs of laws on up to four outcomes, three deltas, all events",
        ),
    ),
    "CLNRW16:definition-7": (
        trial(
            "against all neighbours and events",
            _private,
            _private_settings,
            subject=_private_delta,
            mutant=_private_delta_of_constants,
            universe="random mechanisms with three outputs on up to three bits, four factors",
        ),
    ),
    "CLNRW16:definition-8": (
        trial(
            "against all simulators of a bit",
            _perfect,
            _perfect_settings,
            subject=_perfect_beta,
            mutant=_mean_beta,
            universe="random mechanisms with two outputs on up to four bits, four factors, "
            "three deltas",
        ),
        trial(
            "the best simulator as a mechanism",
            _perfect,
            _perfect_settings,
            subject=_simulated_beta,
            mutant=_mean_beta,
            universe="the same",
        ),
    ),
}
