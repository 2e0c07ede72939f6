"""Composition: of perfect generalization (Section 2.3), and not of robust (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al._settings import MechanismSetting, settings
from pac_stability.claims.instances import TabledMechanism, random_mechanisms
from pac_stability.claims.trials import Budget, Finding, Trials, at_least, at_most, fails, trial
from pac_stability.data import FiniteDistribution, multisets
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.notions.simulators import coverage
from pac_stability.notions.two_point_generalization import failure_over_two_points
from pac_stability.papers.cummings_et_al import OrderAsKey
from pac_stability.papers.cummings_et_al.implications import (
    PerfectGuarantee,
    compose_perfect,
    product_simulator,
)

# Theorem 12.

Two: TypeAlias = tuple[MechanismSetting, TabledMechanism, Fraction]
"""A setting, another mechanism on the same samples, and the factor for it."""


def _two_mechanisms(budget: Budget) -> Iterator[Two]:
    count = budget.pick(60, 400, 4000)
    firsts = random_mechanisms(count, weights=(1, 5), seed="first")
    seconds = random_mechanisms(count, weights=(1, 5), seed="second")
    factors = (Fraction(5, 4), Fraction(3, 2), Fraction(2))
    yield from _marked()
    for index, setting in enumerate(settings(firsts, factors, (Fraction(0), Fraction(1, 10)))):
        yield setting, next(seconds), factors[index % 3]


def _marked() -> Iterator[Two]:
    """A bit is marked with some probability; of that a simulator needs half as its delta."""
    kinds = list(multisets((0, 1), 1))
    for share in (Fraction(1, 2), Fraction(1, 5)):
        laws = {kind: FiniteDistribution({2: 1 - share, x: share}) for x, kind in enumerate(kinds)}
        marked = TabledMechanism(2, 1, laws)
        bit = FiniteDistribution.uniform((0, 1))
        yield MechanismSetting(marked, bit, Fraction(1), share / 2), marked, Fraction(1)


Sum: TypeAlias = Callable[[PerfectGuarantee, PerfectGuarantee], PerfectGuarantee]


def _composed(delta: Fraction | None) -> Callable[[Sum, Two], Finding]:
    def ask(together: Sum, two: Two) -> Finding:
        setting, other, u = two
        d = setting.second if delta is None else delta
        types, law = setting.types, setting.mechanism.law
        first, second = Epsilon.exactly(setting.first), Epsilon.exactly(u)
        of_one = minimal_beta(law, types, first, d)
        of_other = minimal_beta(other.law, types, second, d)
        stated = together(
            PerfectGuarantee(Fraction(of_one.upper), first, d),
            PerfectGuarantee(Fraction(of_other.upper), second, d),
        )
        covered = coverage(
            product_simulator([of_one.simulator, of_other.simulator]),
            lambda kind: law(kind).product(other.law(kind)).map(lambda pair: (*pair,)),
            types,
            stated.epsilon,
            stated.delta,
        )
        return at_most(
            1 - covered,
            stated.beta,
            f"{setting} and {other}, {u}: betas {of_one.upper} and {of_other.upper}, but the "
            f"product simulator misses {1 - covered} at the factor {stated.epsilon.ratio}",
            ceiling=1,
        )

    return ask


def _sum(one: PerfectGuarantee, other: PerfectGuarantee) -> PerfectGuarantee:
    return compose_perfect([one, other])


def _larger(one: PerfectGuarantee, other: PerfectGuarantee) -> PerfectGuarantee:
    both = compose_perfect([one, other])
    return PerfectGuarantee(both.beta, max(one.epsilon, other.epsilon), both.delta)


# Robust generalization alone need not compose.


def _pads(_: Budget) -> Iterator[OrderAsKey[int]]:
    for n, m in ((5, 14),):
        coins = Random(f"tests/{m}")
        sets = {tuple(sorted(coins.sample(range(m), m // 2))) for _ in range(40 * factorial(n))}
        tests = coins.sample(sorted(sets), min(factorial(n), len(sets)))
        yield OrderAsKey(tuple(range(m)), n, tuple(map(frozenset, tests)))


def _not_robust_together(times: int, pair: OrderAsKey[int]) -> Finding:
    """Let the adversary name the test whose number both outputs give together."""
    n, m, limit = pair.n, len(pair.elements), Fraction(49, 100)
    keys = factorial(n)
    named = Fraction(0)
    uniform = FiniteDistribution.uniform(range(keys))
    for place, sample in enumerate(combinations(pair.elements, n)):
        if place % 500 == 0:
            # Over the orders of a set each output is uniform, so it says nothing of the set; nor
            # does it on a sample with a repetition.
            orders = FiniteDistribution.uniform(permutations(sample))
            repeated = (*sample[:-1], sample[0])
            for mechanism in (pair.key, pair.encrypted):
                if orders.bind(mechanism.law) != uniform or mechanism.law(repeated) != uniform:
                    return fails(f"on {sample} an output tells something")
        (key,), (encrypted,) = pair.key.law(sample).support, pair.encrypted.law(sample).support
        test = pair.tests[(encrypted - key) % keys]
        share = Fraction(sum(x in test for x in sample), n)
        if abs(share - Fraction(len(test), m)) > limit:
            named += Fraction(keys, m**n)
    # So nothing better than a fixed test can be named from one of them.
    alone = failure_over_two_points(n, limit).value
    most = alone.upper if isinstance(alone, Interval) else alone
    return at_least(
        named,
        times * most,
        f"{len(pair.tests)} tests on {m} points, n = {n}: each mechanism lets a test deviate by "
        f"more than {limit} with probability at most {float(most):.4f}, on every distribution; "
        f"both together with {float(named):.4f} on the uniform one, which is not above {times} "
        "times that",
        strictly=True,
    )


TRIALS: Trials = {
    "CLNRW16:theorem-12": (
        trial(
            "two mechanisms",
            _composed(Fraction(0)),
            _two_mechanisms,
            subject=_sum,
            mutant=_larger,
            universe="two that mark one bit with a small probability, then pairs of random "
            "mechanisms on up to three bits, with their best simulators",
        ),
    ),
    "CLNRW16:theorem-12.with-deltas": (
        trial(
            "two mechanisms",
            _composed(None),
            _two_mechanisms,
            subject=_sum,
            mutant=_larger,
            universe="two that mark one bit with a small probability, then pairs of random "
            "mechanisms on up to three bits, with their best simulators",
        ),
    ),
    "CLNRW16:composition-robust": (
        trial(
            "the order as a key",
            _not_robust_together,
            _pads,
            subject=5,
            mutant=6,
            universe="one of 120 tests on 14 points, encrypted with the order of five draws, "
            "and that order",
        ),
    ),
}
