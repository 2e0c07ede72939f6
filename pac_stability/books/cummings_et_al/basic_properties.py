"""Chains of close laws, and post-processing (Section 2.3, Appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon
from pac_stability.books.cummings_et_al._settings import FACTORS, MechanismSetting, settings
from pac_stability.claims.instances import random_laws, random_mechanisms
from pac_stability.claims.trials import Budget, Finding, Trials, at_least, at_most, fails, trial
from pac_stability.data import FiniteDistribution, Multiset
from pac_stability.notions.chain_rule import chain, least_chained_delta
from pac_stability.notions.closeness import are_close, minimal_delta
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.simulators import coverage
from pac_stability.papers.cummings_et_al.implications import (
    ClosePair,
    PerfectGuarantee,
    close_ends,
    close_pair,
    processed_simulator,
)

Law: TypeAlias = FiniteDistribution[int]
Chain: TypeAlias = tuple[tuple[Law, ...], Fraction, Fraction]
"""Three laws, and the factors of the two links."""

Link: TypeAlias = tuple[Epsilon, Fraction]
Rule: TypeAlias = Callable[[Link, Link], Fraction]
"""From two links to the delta of the chain."""

SHORT = (Fraction(1), Fraction(3, 2), Fraction(15, 8))
"""Factors below 2."""

# Lemma 9.


def _bernoulli(p: Fraction) -> Law:
    return FiniteDistribution({1: p, 0: 1 - p})


def _chains(factors: tuple[Fraction, ...]) -> Callable[[Budget], Iterator[Chain]]:
    def instances(budget: Budget) -> Iterator[Chain]:
        q = budget.pick(4, 8, 16)
        bits = [_bernoulli(Fraction(i, q)) for i in range(q + 1)]
        for laws in product(bits, repeat=3):
            for t, u in product(factors, repeat=2):
                yield laws, t, u
        for laws in random_laws(budget.pick(40, 1000, 10_000), outcomes=4, laws=3, seed="chain"):
            for t, u in product(factors, repeat=2):
                yield laws, t, u

    return instances


def _chained(rule: Rule, given: Chain) -> Finding:
    (j1, j2, j3), t, u = given
    first, second, both = Epsilon.exactly(t), Epsilon.exactly(u), Epsilon.exactly(t * u)
    d, e = minimal_delta(j1, j2, first), minimal_delta(j2, j3, second)
    needed, allowed = minimal_delta(j1, j3, both), rule((first, d), (second, e))
    return at_most(
        needed,
        allowed,
        f"J1 = {j1}, J2 = {j2}, J3 = {j3}: links with factors {t}, {u} and deltas {d}, {e}; the "
        f"ends need {needed}, and {allowed} is stated",
    )


def _printed_ends(first: Link, second: Link) -> Fraction:
    return close_ends(first, second, constants="paper")[1]


def _printed_equal_ends(first: Link, second: Link) -> Fraction:
    """Use the larger delta for both links."""
    delta = max(first[1], second[1])
    return _printed_ends((first[0], delta), (second[0], delta))


Chained: TypeAlias = Callable[[Sequence[Link]], tuple[Epsilon, Fraction]]
"""From the links to what the two ends are."""


_FACTORS = (Fraction(9, 8), Fraction(5, 4), Fraction(11, 8))


def _longer_chains(budget: Budget) -> Iterator[tuple[Law, ...]]:
    for links in (2, 3, 4):
        yield from random_laws(budget.pick(20, 300, 3000), outcomes=3, laws=links + 1, seed="links")
        # A delta in the last link, or in the first, that all factors before it enlarge.
        for first in (Fraction(1, 8), Fraction(1, 20)):
            up = [Fraction(0), first]
            for i in range(1, links):
                up.append(up[-1] * _FACTORS[i % 3])
            down = [Fraction(0), first]
            for i in reversed(range(links - 1)):
                down.append(down[-1] * _FACTORS[i % 3])
            yield tuple(map(_bernoulli, up))
            yield tuple(map(_bernoulli, reversed(down)))


def _all_links(rule: Chained, laws: tuple[Law, ...]) -> Finding:
    factors = [_FACTORS[i % 3] for i in range(len(laws) - 1)]
    links = [
        (Epsilon.exactly(t), minimal_delta(p, q, Epsilon.exactly(t)))
        for t, p, q in zip(factors, laws, laws[1:], strict=False)
    ]
    epsilon, delta = rule(links)
    text = f"{len(laws)} laws, factors {factors}: {epsilon.ratio} and {delta} for {laws}"
    if epsilon.ratio != prod(factors):
        return fails(f"{text}: another factor")
    return at_most(minimal_delta(laws[0], laws[-1], epsilon), delta, text)


def _added_up(links: Sequence[Link]) -> tuple[Epsilon, Fraction]:
    """Forget that a delta grows with the factors before it."""
    return chain(links)[0], sum((Fraction(delta) for _, delta in links), Fraction(0))


def _double_sum(first: Link, second: Link) -> Fraction:
    return 2 * (first[1] + second[1])


def _plain_sum(first: Link, second: Link) -> Fraction:
    return first[1] + second[1]


# Corollary 10.


def _mild(budget: Budget) -> Iterator[MechanismSetting]:
    mechanisms = random_mechanisms(budget.pick(60, 400, 4000), most=4, weights=(2, 6), seed="mild")
    return settings(mechanisms, (Fraction(9, 8), Fraction(5, 4), Fraction(3, 2)), _DELTAS)


_DELTAS = (Fraction(0), Fraction(1, 30), Fraction(1, 8))

Pairing: TypeAlias = Callable[[PerfectGuarantee], ClosePair]
"""From what holds of a mechanism to what holds for two samples."""


def _two_samples(stated: Pairing, setting: MechanismSetting) -> Finding:
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
    return at_least(
        found,
        pair.probability,
        f"{setting}: beta = {beta}, but two samples are close with probability {found} < "
        f"{pair.probability}",
    )


def _printed_pair(guarantee: PerfectGuarantee) -> ClosePair:
    return close_pair(guarantee, constants="paper")


def _single_pair(guarantee: PerfectGuarantee) -> ClosePair:
    probability = close_pair(guarantee, constants="paper").probability
    return ClosePair(probability, guarantee.epsilon, guarantee.delta)


# Lemma 11.

Processing: TypeAlias = Callable[[int, Multiset[int], Law], Law]
"""From coins, the sample and the law of the output to the law of the processed output."""


def _processed_settings(budget: Budget) -> Iterator[tuple[int, MechanismSetting]]:
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


def _robust_after(processing: Processing, numbered: tuple[int, MechanismSetting]) -> Finding:
    seed, setting = numbered
    law, limit = setting.mechanism.law, setting.second
    before = optimal_adversary(law, setting.types, limit).failure
    after = optimal_adversary(
        lambda kind: processing(seed, kind, law(kind)), setting.types, limit
    ).failure
    return at_most(after, before, f"{setting}: {before} before, {after} after processing {seed}")


def _perfect_after(processing: Processing, numbered: tuple[int, MechanismSetting]) -> Finding:
    seed, setting = numbered
    law, epsilon, delta = setting.mechanism.law, Epsilon.exactly(setting.first), setting.second
    best = minimal_beta(law, setting.types, epsilon, delta)
    covered = coverage(
        processed_simulator(best.simulator, lambda output: _kernel(seed, output)),
        lambda kind: processing(seed, kind, law(kind)),
        setting.types,
        epsilon,
        delta,
    )
    return at_most(
        1 - covered,
        Fraction(best.upper),
        f"{setting}: beta = {best.upper} before, and {1 - covered} after processing {seed}",
    )


TRIALS: Trials = {
    "CLNRW16:lemma-9": (
        trial(
            "two deltas",
            _chained,
            _chains(SHORT),
            subject=_printed_ends,
            mutant=_plain_sum,
            universe="all triples of coins on a grid, random triples of laws, factors below 2",
        ),
        trial(
            "one delta",
            _chained,
            _chains(SHORT),
            subject=_printed_equal_ends,
            mutant=_plain_sum,
            universe="all triples of coins on a grid, random triples of laws, factors below 2",
        ),
    ),
    "CLNRW16:lemma-9.sharp": (
        trial(
            "any factors",
            _chained,
            _chains((Fraction(1), Fraction(3, 2), Fraction(4))),
            subject=least_chained_delta,
            mutant=_double_sum,
            universe="all triples of coins on a grid, random triples of laws, factors up to 4",
        ),
        trial(
            "longer chains",
            _all_links,
            _longer_chains,
            subject=chain,
            mutant=_added_up,
            universe="random chains of two to four links, and chains in which one link has all of "
            "the delta, factors from 9/8 to 11/8",
        ),
    ),
    "CLNRW16:corollary-10": (
        trial(
            "all pairs of samples",
            _two_samples,
            _mild,
            subject=_printed_pair,
            mutant=_single_pair,
            universe="random mechanisms with two outputs on up to four bits, each with its "
            "least beta",
        ),
        trial(
            "all pairs of samples, with what is proved",
            _two_samples,
            _mild,
            subject=close_pair,
            mutant=_single_pair,
            universe="the same",
        ),
    ),
    "CLNRW16:lemma-11": (
        trial(
            "robustly",
            _robust_after,
            _processed_settings,
            subject=_processing,
            mutant=_peeking,
            universe="random mechanisms with three outputs on three elements, random kernels",
        ),
        trial(
            "perfectly",
            _perfect_after,
            _processed_settings,
            subject=_processing,
            mutant=_peeking,
            universe="random mechanisms with three outputs on three elements, random kernels",
        ),
    ),
}
