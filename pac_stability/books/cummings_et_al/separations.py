"""Mechanisms with one guarantee and not another: the majority, a strange sequence (Section 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al.settings import (
    MechanismSetting,
    coins,
    deviates_seldom,
    settings,
    telling_mechanisms,
)
from pac_stability.claims import kit
from pac_stability.claims.instances import random_mechanisms, telling
from pac_stability.claims.kit import at_most
from pac_stability.data import FiniteDistribution, multiset_distribution
from pac_stability.notions import closeness
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.split_reading import split_bounds
from pac_stability.papers.cummings_et_al import implications, separations
from pac_stability.papers.cummings_et_al.separations import Majority

TRIALS = kit.Table("CLNRW16")

Pair: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def _sizes(first: int, quick: int) -> Callable[[kit.Budget], Iterator[int]]:
    def instances(budget: kit.Budget) -> Iterator[int]:
        yield from range(first, budget.pick(quick, quick + 4, quick + 10) + 1)

    return instances


_SIZES = kit.Universe("sizes from 1 on", _sizes(1, 20))


_FAIR_COINS = kit.Universe("sizes from 1 on, a fair coin", _sizes(1, 14))


_SIZES_FROM_2 = kit.Universe("sizes from 2 on", _sizes(2, 20))


_UNEVEN_COINS = kit.Universe("sizes from 1 on, coins with Pr[1] a multiple of 1/(2n)", _sizes(1, 6))


# Lemma 36.


def _perfect_settings(budget: kit.Budget) -> Iterator[MechanismSetting]:
    """Give samples so large that a test can be off by the printed deviation."""
    factors = tuple(Fraction(t) for t in ("21/20", "3/2", "5/2"))
    deltas = tuple(Fraction(d) for d in ("1/10", "1/4", "2/5"))
    count = budget.pick(16, 130, 1300)
    three = random_mechanisms(count, elements=3, most=10, least=8, weights=(8, 10), seed="mild")
    yield from settings(three, factors, deltas)
    for outcomes, most in ((2, 40), (3, 24)):
        coins = random_mechanisms(
            count, most=most, least=16, outcomes=outcomes, weights=(8, 10), seed="coins"
        )
        yield from settings(coins, factors, deltas)
    # All that is allowed to differ tells the sample.
    for (elements, n), delta in product(
        budget.pick(
            ((3, 8), (4, 8)), ((3, 8), (4, 8), (3, 12)), ((3, 8), (4, 8), (3, 12), (4, 10))
        ),
        (Fraction(1, 5), Fraction(2, 5)),
    ):
        yield MechanismSetting(
            telling(elements, n, delta),
            FiniteDistribution.uniform(range(elements)),
            factors[0],
            delta,
        )


_PERFECT = kit.Universe(
    "random mechanisms on two elements, with two outputs and n from 16 to 40 "
    "and with three and n <= 24, and on three with n <= 10, each with its least beta; "
    "mechanisms that tell eight draws from four elements with probability delta",
    _perfect_settings,
)


_PERFECT_SPLIT = kit.Universe("the same, the worst mixture of tests found", _perfect_settings)


Deviation: TypeAlias = Callable[[implications.PerfectGuarantee, int], Interval]


_BETAS: dict[str, Fraction] = {}


def _least_beta(setting: MechanismSetting) -> Fraction:
    """Return the least beta with the two parameters; both readings ask for the same."""
    if (known := _BETAS.get(str(setting))) is None:
        epsilon, law = Epsilon.exactly(setting.first), setting.mechanism.law
        found = minimal_beta(law, setting.types, epsilon, setting.second)
        known = _BETAS[str(setting)] = Fraction(found.upper)
    return known


def _perfect_is_robust(
    failure: Callable[[MechanismSetting, Fraction], Fraction],
) -> Callable[[Deviation, MechanismSetting], kit.Finding]:
    def ask(deviation: Deviation, setting: MechanismSetting) -> kit.Finding:
        epsilon, delta = Epsilon.exactly(setting.first), setting.second
        beta = _least_beta(setting)
        return deviates_seldom(
            lambda allowed: failure(setting, allowed),
            deviation(implications.PerfectGuarantee(beta, epsilon, delta), setting.mechanism.n),
            2 * (beta + delta),
            f"{setting}, perfect with beta = {beta}",
        )

    return ask


def _joint_failure(setting: MechanismSetting, epsilon: Fraction) -> Fraction:
    return optimal_adversary(setting.mechanism.law, setting.types, epsilon).failure


def _split_failure(setting: MechanismSetting, epsilon: Fraction) -> Fraction:
    return split_bounds(setting.mechanism.law, setting.types, epsilon, mixed=2).lower


def _printed_alpha(guarantee: implications.PerfectGuarantee, n: int) -> Interval:
    return implications.perfect_deviation(guarantee, n, constants="paper")


def _half_alpha(guarantee: implications.PerfectGuarantee, n: int) -> Interval:
    return _printed_alpha(guarantee, n) / 2


def _tenth_alpha(guarantee: implications.PerfectGuarantee, n: int) -> Interval:
    return _printed_alpha(guarantee, n) / 10


TRIALS.add(
    "lemma-36", "joint, half of the deviation", _perfect_is_robust(_joint_failure), _PERFECT,
    _half_alpha, _tenth_alpha, telling_mechanisms("clnrw16-lemma-36")
)  # fmt: skip
TRIALS.add(
    "lemma-36", "split", _perfect_is_robust(_split_failure), _PERFECT_SPLIT, _printed_alpha,
    _tenth_alpha
)  # fmt: skip


# Lemma 37.

Coin: TypeAlias = tuple[int, int, Fraction]
"""The size of samples, the number p of tenths, gamma."""


@kit.universe("up to six bits with p in tenths, six gammas")
def _coins(budget: kit.Budget) -> Iterator[Coin]:
    gammas = [Fraction(g) for g in ("1/100", "1/10", "1/3", "1/2", "9/10", "3/2")]
    yield from product(range(1, budget.pick(6, 12, 20) + 1), range(1, 10), gammas)


def _robust_majority(deviation: Callable[[int, Fraction], Interval], coin: Coin) -> kit.Finding:
    n, tenths, gamma = coin
    p = Fraction(tenths, 10)
    types = multiset_distribution(FiniteDistribution({1: p, 0: 1 - p}), n)
    return deviates_seldom(
        lambda epsilon: optimal_adversary(Majority(n).law, types, epsilon).failure,
        deviation(n, gamma),
        gamma,
        f"n = {n}, p = {p}",
    )


def _stated_deviation(n: int, gamma: Fraction) -> Interval:
    return Majority(n).stated_deviation(gamma)


def _one_sided_deviation(n: int, gamma: Fraction) -> Interval:
    return Interval.sqrt(Interval.log(max(1 / gamma, Fraction(1))) / (2 * n))


TRIALS.add(
    "lemma-37", "robust", _robust_majority, _coins, _stated_deviation, _one_sided_deviation,
    coins("clnrw16-lemma-37")
)  # fmt: skip


def _neighbours_differ(neighbours: Callable[[int], Pair], n: int) -> kit.Finding:
    one, other = neighbours(n)
    apart = sum(a != b for a, b in zip(one, other, strict=True))
    laws = [FiniteDistribution.point_mass(int(2 * sum(x) > n)) for x in (one, other)]
    distance = closeness.total_variation(*laws)
    return kit.settle(
        apart == 1 and distance == 1 and laws == [Majority(n).law(x) for x in (one, other)],
        f"{one}, {other}: {apart} places differ, total variation {distance}",
    )


def _majority_neighbours(n: int) -> Pair:
    return Majority(n).neighbours


def _constant_neighbours(n: int) -> Pair:
    return (0,) * n, (1,) + (0,) * (n - 1) if n > 1 else (0,)


TRIALS.add(
    "lemma-37", "not private", _neighbours_differ, _SIZES, _majority_neighbours,
    _constant_neighbours
)  # fmt: skip


Share: TypeAlias = Callable[[int], Fraction]


def _imperfect(least: Share, n: int) -> kit.Finding:
    """Compare with the best simulator for a fair coin, and delta just below 1/2."""
    half = FiniteDistribution.uniform([0, 1])
    types = multiset_distribution(half, n)
    best = minimal_beta(Majority(n).law, types, Epsilon.exactly(1024), Fraction(499, 1000))
    stated = least(n)
    enclosed = Fraction(1, 2) - 1 / Interval.sqrt(n)
    return kit.settle(
        best.lower == best.upper == stated and enclosed.upper < stated,
        f"n = {n}: the best simulator misses {best.lower}, {stated} is stated",
    )


def _least_mass(n: int) -> Fraction:
    return Majority(n).least_mass


def _half(n: int) -> Fraction:
    return Fraction(1, 2)


TRIALS.add("lemma-37", "not perfect", _imperfect, _FAIR_COINS, _least_mass, _half)


# Theorem 38.


def _likeliest_strange(n: int) -> tuple[Fraction, Fraction]:
    """Return the largest least beta over a grid of coins that has the worst one, and the coin."""
    law = separations.StrangeNormal(n).mechanism.law
    found = []
    for i in range(1, 2 * n):
        p = Fraction(i, 2 * n)
        samples = FiniteDistribution({1: p, 0: 1 - p}).power(n)
        found.append((Fraction(minimal_beta(law, samples, Epsilon.exactly(1)).lower), p))
    return max(found)


def _strange_enough(beta: Callable[[int], Fraction], n: int) -> kit.Finding:
    missed, p = _likeliest_strange(n)
    return at_most(
        missed,
        beta(n),
        f"n = {n}, Pr[1] = {p}: every simulator misses samples of probability {missed} > "
        f"{beta(n)}, for every epsilon, as the outputs are certain",
    )


def _strange_exactly(beta: Callable[[int], Fraction], n: int) -> kit.Comparison:
    return kit.same(_likeliest_strange(n)[0], beta(n))


def _printed_beta(n: int) -> Fraction:
    return Fraction(1, 2**n)


TRIALS.add(
    "theorem-38.proof", "against the best simulator", _strange_enough, _UNEVEN_COINS, _printed_beta
)


def _exact_beta(n: int) -> Fraction:
    return separations.StrangeNormal(n).beta


TRIALS.add(
    "theorem-38.repaired", "against the best simulator", _strange_exactly, _UNEVEN_COINS,
    _exact_beta, _printed_beta
)  # fmt: skip


@kit.universe("distributions on n elements with small weights")
def _orders(budget: kit.Budget) -> Iterator[tuple[int, tuple[int, ...]]]:
    for n in range(2, budget.pick(3, 4, 5) + 1):
        for weights in product(range(budget.pick(4, 5, 6)), repeat=n):
            if any(weights):
                yield n, weights


def _strange_order(
    made: Callable[[int], separations.StrangeSequence], order: tuple[int, tuple[int, ...]]
) -> kit.Comparison | kit.Finding:
    n, weights = order
    source = FiniteDistribution(
        {x: Fraction(w, sum(weights)) for x, w in enumerate(weights, 1) if w}
    )
    mechanism = made(n)
    mass = sum(
        (
            chance
            for sample, chance in source.power(n).items()
            if mechanism.law(sample).probability("Strange")
        ),
        Fraction(0),
    )
    distance = closeness.total_variation(*map(mechanism.law, mechanism.neighbours))
    if distance != 1 or n**n < 2**n:
        return kit.fails(f"D = {source}, n = {n}: neighbours at distance {distance}")
    return kit.within(mass, Fraction(1, n**n))


def _distinct_order(n: int) -> separations.StrangeSequence:
    return separations.StrangeOrder(n).mechanism


def _constant_order(n: int) -> separations.StrangeSequence:
    return separations.StrangeSequence((1,) * n, 2)


TRIALS.add("theorem-38", "perfect", _strange_order, _orders, _distinct_order, _constant_order)
TRIALS.states(
    "theorem-38",
    lambda n: separations.StrangeOrder(n).beta,
    lambda n: Fraction(1, n**n),
    *((n,) for n in (2, 3, 5)),
)


def _separates(made: Callable[[int], separations.StrangeSequence], n: int) -> kit.Finding:
    one, other = made(n).neighbours
    apart = sum(a != b for a, b in zip(one, other, strict=True))
    distance = closeness.total_variation(made(n).law(one), made(n).law(other))
    return kit.settle(
        apart == 1 and distance == 1, f"n = {n}: {one} and {other}, total variation {distance}"
    )


def _strange_sequence(n: int) -> separations.StrangeSequence:
    return separations.StrangeNormal(n).mechanism


def _same_neighbour(n: int) -> separations.StrangeSequence:
    return separations.StrangeSequence((1,) * (n // 2) + (0,) * (n - n // 2), 0)


TRIALS.add("theorem-38", "not private", _separates, _SIZES_FROM_2, _distinct_order, _same_neighbour)
TRIALS.add(
    "theorem-38.repaired", "not private", _separates, _SIZES, _strange_sequence, _same_neighbour
)
