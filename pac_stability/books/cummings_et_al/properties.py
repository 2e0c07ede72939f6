"""Chains of close laws, post-processing, composition (Sections 1.1 and 2.3, Appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import factorial, prod
from random import Random
from typing import NamedTuple, TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al.settings import FACTORS, MechanismSetting, settings
from pac_stability.claims import kit
from pac_stability.claims.instances import TabledMechanism, random_laws, random_mechanisms
from pac_stability.claims.kit import Comparison, at_least
from pac_stability.data import FiniteDistribution, Multiset, multisets
from pac_stability.notions.chain_rule import chain, least_chained_delta
from pac_stability.notions.closeness import are_close, minimal_delta
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.simulators import coverage
from pac_stability.notions.two_point_generalization import failure_over_two_points
from pac_stability.papers.cummings_et_al import OrderAsKey, implications
from pac_stability.papers.cummings_et_al.implications import PerfectGuarantee

TRIALS = kit.Table("CLNRW16")

Law: TypeAlias = FiniteDistribution[int]
Link: TypeAlias = tuple[Epsilon, Fraction]
Rule: TypeAlias = Callable[[Link, Link], Fraction]
"""From two links to the delta of the chain."""

SHORT = (Fraction(1), Fraction(3, 2), Fraction(15, 8))
"""Factors below 2."""

# Lemma 9.


class Chain(NamedTuple):
    """Three laws, and the factors of the two links."""

    laws: tuple[Law, ...]
    t: Fraction
    u: Fraction


def _bernoulli(p: Fraction) -> Law:
    return FiniteDistribution({1: p, 0: 1 - p})


def _chains(factors: tuple[Fraction, ...]) -> Callable[[kit.Budget], Iterator[Chain]]:
    def instances(budget: kit.Budget) -> Iterator[Chain]:
        q = budget.pick(4, 8, 16)
        bits = [_bernoulli(Fraction(i, q)) for i in range(q + 1)]
        drawn = random_laws(budget.pick(40, 1000, 10_000), outcomes=4, laws=3, seed="chain")
        for laws in (*product(bits, repeat=3), *drawn):
            yield from (Chain(laws, t, u) for t, u in product(factors, repeat=2))

    return instances


_SHORT_CHAINS = kit.Universe(
    "all triples of coins on a grid, random triples of laws, factors below 2", _chains(SHORT)
)


_ANY_CHAINS = kit.Universe(
    "all triples of coins on a grid, random triples of laws, factors up to 4",
    _chains((Fraction(1), Fraction(3, 2), Fraction(4))),
)


def _chained(rule: Rule, given: Chain) -> Comparison:
    (j1, j2, j3), t, u = given
    first, second, both = Epsilon.exactly(t), Epsilon.exactly(u), Epsilon.exactly(t * u)
    d, e = minimal_delta(j1, j2, first), minimal_delta(j2, j3, second)
    needed, allowed = minimal_delta(j1, j3, both), rule((first, d), (second, e))
    return kit.within(needed, allowed)


def _printed_ends(first: Link, second: Link) -> Fraction:
    return implications.close_ends(first, second, constants="paper")[1]


def _printed_equal_ends(first: Link, second: Link) -> Fraction:
    """Use the larger delta for both links."""
    delta = max(first[1], second[1])
    return _printed_ends((first[0], delta), (second[0], delta))


def _double_sum(first: Link, second: Link) -> Fraction:
    return 2 * (first[1] + second[1])


TRIALS.add("lemma-9.sharp", "any factors", _chained, _ANY_CHAINS, least_chained_delta, _double_sum)


Chained: TypeAlias = Callable[[Sequence[Link]], tuple[Epsilon, Fraction]]
"""From the links to what the two ends are."""


_FACTORS = (Fraction(9, 8), Fraction(5, 4), Fraction(11, 8))


@kit.universe(
    "random chains of two to four links, and chains in which one link has all of "
    "the delta, factors from 9/8 to 11/8"
)
def _longer_chains(budget: kit.Budget) -> Iterator[tuple[Law, ...]]:
    for links in (2, 3, 4):
        yield from random_laws(budget.pick(20, 300, 3000), outcomes=3, laws=links + 1, seed="links")
        # A delta in the last link, or in the first, that all factors before it enlarge.
        for first in (Fraction(1, 8), Fraction(1, 20)):
            up, down = [Fraction(0), first], [Fraction(0), first]
            for i in range(1, links):
                up.append(up[-1] * _FACTORS[i % 3])
                down.append(down[-1] * _FACTORS[(links - 1 - i) % 3])
            yield tuple(map(_bernoulli, up))
            yield tuple(map(_bernoulli, reversed(down)))


def _all_links(rule: Chained, laws: tuple[Law, ...]) -> Comparison | kit.Finding:
    factors = [_FACTORS[i % 3] for i in range(len(laws) - 1)]
    links = [
        (Epsilon.exactly(t), minimal_delta(p, q, Epsilon.exactly(t)))
        for t, p, q in zip(factors, laws, laws[1:], strict=False)
    ]
    epsilon, delta = rule(links)
    if epsilon.ratio != prod(factors):
        return kit.fails(f"{laws}: another factor than {factors}")
    return kit.within(minimal_delta(laws[0], laws[-1], epsilon), delta)


def _added_up(links: Sequence[Link]) -> tuple[Epsilon, Fraction]:
    """Forget that a delta grows with the factors before it."""
    return chain(links)[0], sum((Fraction(delta) for _, delta in links), Fraction(0))


TRIALS.add("lemma-9.sharp", "longer chains", _all_links, _longer_chains, chain, _added_up)


def _plain_sum(first: Link, second: Link) -> Fraction:
    return first[1] + second[1]


TRIALS.states(
    "lemma-9", lambda d, e: _printed_ends((Epsilon("1/2"), d), (Epsilon("1/3"), e)),
    lambda d, e: 3 * d if d == e else 2 * (d + e),
    (Fraction(1, 8), Fraction(1, 30)), (Fraction(1, 8), Fraction(1, 8)),
)  # fmt: skip
TRIALS.add("lemma-9", "two deltas", _chained, _SHORT_CHAINS, _printed_ends, _plain_sum)
TRIALS.add("lemma-9", "one delta", _chained, _SHORT_CHAINS, _printed_equal_ends, _plain_sum)


# Corollary 10.


@kit.universe("random mechanisms with two outputs on up to four bits, each with its least beta")
def _mild(budget: kit.Budget) -> Iterator[MechanismSetting]:
    mechanisms = random_mechanisms(budget.pick(60, 400, 4000), most=4, weights=(2, 6), seed="mild")
    return settings(mechanisms, (Fraction(9, 8), Fraction(5, 4), Fraction(3, 2)), _DELTAS)


_DELTAS = (Fraction(0), Fraction(1, 30), Fraction(1, 8))

Pairing: TypeAlias = Callable[[PerfectGuarantee], implications.ClosePair]
"""From what holds of a mechanism to what holds for two samples."""


def _two_samples(stated: Pairing, setting: MechanismSetting) -> Comparison:
    epsilon, delta, law = Epsilon.exactly(setting.first), setting.second, setting.mechanism.law
    beta = Fraction(minimal_beta(law, setting.types, epsilon, delta).upper)
    pair = stated(PerfectGuarantee(beta, epsilon, delta))
    found = sum(
        (
            v * w
            for (one, v), (other, w) in product(setting.types.items(), repeat=2)
            if are_close(law(one), law(other), pair.epsilon, pair.delta)
        ),
        Fraction(0),
    )
    return kit.reaches(found, pair.probability)


def _printed_pair(guarantee: PerfectGuarantee) -> implications.ClosePair:
    return implications.close_pair(guarantee, constants="paper")


def _single_pair(guarantee: PerfectGuarantee) -> implications.ClosePair:
    probability = implications.close_pair(guarantee, constants="paper").probability
    return implications.ClosePair(probability, guarantee.epsilon, guarantee.delta)


TRIALS.add("corollary-10", "all pairs of samples", _two_samples, _mild, _printed_pair, _single_pair)
TRIALS.add(
    "corollary-10", "all pairs of samples, with what is proved", _two_samples, _mild,
    implications.close_pair, _single_pair,
)  # fmt: skip


# Lemma 11.

Processing: TypeAlias = Callable[[int, Multiset[int], Law], Law]
"""From coins, the sample and the law of the output to the law of the processed output."""


@kit.universe("random mechanisms with three outputs on three elements, random kernels")
def _processed_settings(budget: kit.Budget) -> Iterator[tuple[int, MechanismSetting]]:
    count = budget.pick(40, 400, 4000)
    # With two elements all mechanisms are equally robust: there is one test, up to complement.
    mechanisms = random_mechanisms(count, elements=3, most=2, outcomes=3, seed="processed")
    return enumerate(settings(mechanisms, FACTORS, (Fraction(0), Fraction(1, 6), Fraction(1, 3))))


def _kernel(seed: int, output: int) -> Law:
    coins = Random(f"kernel/{seed}/{output}")
    weights = [coins.randint(0, 3) for _ in range(2)] + [1]
    return FiniteDistribution({y: Fraction(w, sum(weights)) for y, w in enumerate(weights) if w})


def _processing(seed: int, _: Multiset[int], law: Law) -> Law:
    return law.bind(lambda output: _kernel(seed, output))


def _peeking(seed: int, kind: Multiset[int], law: Law) -> Law:
    """See the sample besides the output."""
    return _processing(seed, kind, law).map(lambda y: 3 * kind.count(1) + y)


def _robust_after(processing: Processing, numbered: tuple[int, MechanismSetting]) -> Comparison:
    seed, setting = numbered
    law, limit = setting.mechanism.law, setting.second
    processed = lambda kind: processing(seed, kind, law(kind))  # noqa: E731
    before, after = (optimal_adversary(f, setting.types, limit).failure for f in (law, processed))
    return kit.within(after, before)


TRIALS.add("lemma-11", "robustly", _robust_after, _processed_settings, _processing, _peeking)


def _perfect_after(processing: Processing, numbered: tuple[int, MechanismSetting]) -> Comparison:
    seed, setting = numbered
    law, epsilon, delta = setting.mechanism.law, Epsilon.exactly(setting.first), setting.second
    best = minimal_beta(law, setting.types, epsilon, delta)
    covered = coverage(
        implications.processed_simulator(best.simulator, lambda output: _kernel(seed, output)),
        lambda kind: processing(seed, kind, law(kind)),
        setting.types,
        epsilon,
        delta,
    )
    return kit.within(1 - covered, Fraction(best.upper))


TRIALS.add("lemma-11", "perfectly", _perfect_after, _processed_settings, _processing, _peeking)


# Theorem 12.


class Two(NamedTuple):
    """A setting, another mechanism on the same samples, and the factor for it."""

    setting: MechanismSetting
    other: TabledMechanism
    factor: Fraction


@kit.universe(
    "two that mark one bit with a small probability, then pairs of random "
    "mechanisms on up to three bits, with their best simulators"
)
def _two_mechanisms(budget: kit.Budget) -> Iterator[Two]:
    count = budget.pick(60, 400, 4000)
    firsts = random_mechanisms(count, weights=(1, 5), seed="first")
    seconds = random_mechanisms(count, weights=(1, 5), seed="second")
    factors = (Fraction(5, 4), Fraction(3, 2), Fraction(2))
    yield from _marked()
    for index, setting in enumerate(settings(firsts, factors, (Fraction(0), Fraction(1, 10)))):
        yield Two(setting, next(seconds), factors[index % 3])


def _marked() -> Iterator[Two]:
    """A bit is marked with some probability; of that a simulator needs half as its delta."""
    kinds = list(multisets((0, 1), 1))
    for share in (Fraction(1, 2), Fraction(1, 5)):
        laws = {kind: FiniteDistribution({2: 1 - share, x: share}) for x, kind in enumerate(kinds)}
        marked = TabledMechanism(2, 1, laws)
        bit = FiniteDistribution.uniform((0, 1))
        setting = MechanismSetting(marked, bit, Fraction(1), share / 2)
        yield Two(setting, marked, Fraction(1))


Sum: TypeAlias = Callable[[PerfectGuarantee, PerfectGuarantee], PerfectGuarantee]


def _composed(delta: Fraction | None) -> Callable[[Sum, Two], Comparison]:
    def ask(together: Sum, two: Two) -> Comparison:
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
            implications.product_simulator([of_one.simulator, of_other.simulator]),
            lambda kind: law(kind).product(other.law(kind)).map(lambda pair: (*pair,)),
            types,
            stated.epsilon,
            stated.delta,
        )
        return kit.within(1 - covered, stated.beta, ceiling=1)

    return ask


def _sum(one: PerfectGuarantee, other: PerfectGuarantee) -> PerfectGuarantee:
    return implications.compose_perfect([one, other])


def _larger(one: PerfectGuarantee, other: PerfectGuarantee) -> PerfectGuarantee:
    both = implications.compose_perfect([one, other])
    return PerfectGuarantee(both.beta, max(one.epsilon, other.epsilon), both.delta)


TRIALS.add("theorem-12", "two mechanisms", _composed(Fraction(0)), _two_mechanisms, _sum, _larger)
TRIALS.add(
    "theorem-12.with-deltas", "two mechanisms", _composed(None), _two_mechanisms, _sum, _larger
)


# Robust generalization alone need not compose.


@kit.universe(
    "one of 120 tests on 14 points, encrypted with the order of five draws, and that order"
)
def _pads(_: kit.Budget) -> Iterator[OrderAsKey[int]]:
    for n, m in ((5, 14),):
        coins = Random(f"tests/{m}")
        sets = {tuple(sorted(coins.sample(range(m), m // 2))) for _ in range(40 * factorial(n))}
        tests = coins.sample(sorted(sets), min(factorial(n), len(sets)))
        yield OrderAsKey(tuple(range(m)), n, tuple(map(frozenset, tests)))


def _not_robust_together(times: int, pair: OrderAsKey[int]) -> kit.Finding:
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
                    return kit.fails(f"on {sample} an output tells something")
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
        f"{len(pair.tests)} tests on {m} points, n = {n}: each output alone lets a test deviate by "
        f"more than {limit} with probability at most {float(most):.4f}, both together with "
        f"{float(named):.4f}, which is not above {times} times that",
        strictly=True,
    )


TRIALS.add("composition-robust", "the order as a key", _not_robust_together, _pads, 5, 6)
