"""Theorems 26 and 34.2 with constants (Sections 3.4 and 4.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from random import Random
from typing import ClassVar, TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    fails,
    idle,
    trial,
)
from pac_stability.classes import FiniteClass, cube, intervals, singletons, thresholds
from pac_stability.compression import BoostingScheme, agnostic
from pac_stability.data import Example, Sample
from pac_stability.dimensions import vc_dimension
from pac_stability.mechanisms import exponential_learner
from pac_stability.papers.cummings_et_al import GenericAgnosticLearner, Theorem26

# Theorem 26.

Promise: TypeAlias = Callable[[int, int, Fraction], Theorem26]
"""From n, d and delta."""
Given: TypeAlias = tuple[FiniteClass, int, int]
"""A class, the size of a sample, and a seed for it."""


def _samples(budget: Budget) -> Iterator[Given]:
    for H in (thresholds(6), singletons(5), intervals(5), cube(2)):
        for n in (1, 2, 7, 20, 60)[: budget.pick(4, 5, 5)]:
            yield from ((H, n, seed) for seed in range(budget.pick(2, 10, 40)))
    # All hypotheses agree on a point, so that all of them may err on the whole sample.
    for n in (1, 2, 3):
        yield from ((FiniteClass([[0, 0], [0, 1]]), n, seed) for seed in range(6))


def _keeps(promise: Promise, given: Given) -> Finding:
    """What is kept is no more than stated, and the vote errs as little as the best hypothesis."""
    H, n, seed = given
    coins = Random(f"boosted/{seed}")
    points: list[Hashable] = [coins.choice(H.domain) for _ in range(n)]
    sample = Sample(points, [coins.randrange(2) for _ in range(n)])
    scheme, stated = agnostic(BoostingScheme(H)), promise(n, vc_dimension(H), Fraction(1, 20))
    kept = scheme.compress(sample)
    errors = max(map(sample.count_errors, (scheme.run(sample), *scheme.law(sample).support)))
    least = min(sample.count_errors(h) for h in H)
    text = (
        f"{H.table.tolist()}, {sample}: {len(kept)} examples are kept, {stated.kept} stated; "
        f"{errors} errors, the least is {least}"
    )
    return at_most(len(kept), stated.kept, text) if errors <= least else fails(text)


def _rounds_only(n: int, _: int, delta: Fraction) -> Theorem26:
    return _OneEach(n, 1, delta)


class _OneEach(Theorem26):
    """Boosting with a single example a round."""

    @property
    def group(self) -> int:
        """One."""
        return 1


Drawn: TypeAlias = tuple[int, int, Fraction]
"""A number of points, a seed, and how often labels are wrong."""

_SIZE = 1 << 17
_NEVER = Fraction(1, 10**9)
"""What the draws below may mislead with, each."""


def _draws(budget: Budget) -> Iterator[Drawn]:
    for seed in range(budget.pick(1, 2, 4)):
        for points in (2, 3)[: budget.pick(1, 2, 2)]:
            yield points, seed, Fraction(1, 5)


@cache
def _measured(drawn: Drawn) -> tuple[Fraction, Fraction, int]:
    """Return the largest deviation of all tests, the excess of the vote, and the dimension."""
    points, seed, noise = drawn
    H, coins = thresholds(points), Random(f"drawn/{seed}")
    labels = [int(x >= 1) for x in range(points)]
    wrong = [coins.random() < noise for _ in range(_SIZE)]
    places = [coins.randrange(points) for _ in range(_SIZE)]
    shown = [labels[x] ^ w for x, w in zip(places, wrong, strict=True)]
    sample: Sample[Hashable] = Sample(places, shown)
    h, counts = agnostic(BoostingScheme(H)).run(sample), Counter(sample)
    deviation = excess = Fraction(0)
    for x in range(points):
        for y in (0, 1):
            mass = (noise if y != labels[x] else 1 - noise) / points
            deviation += max(Fraction(counts[Example(x, y)], _SIZE) - mass, Fraction(0))
        excess += (1 - 2 * noise) / points * (h(x) != labels[x])
    return deviation, excess, vc_dimension(H)


def _stays(promise: Promise, drawn: Drawn) -> Finding:
    """No test whatever deviates by more than epsilon, nor is the excess larger."""
    deviation, excess, dimension = _measured(drawn)
    learner = promise(_SIZE, dimension, _NEVER).learner
    allowed, robust = learner.value(), learner.robust.value()
    text = (
        f"thresholds on {drawn[0]} points, n = {_SIZE}, seed {drawn[1]}: excess "
        f"{float(excess):.4g} against {float(allowed):.4g}, deviation {float(deviation):.4g} "
        f"against {float(robust):.4g}"
    )
    pairs = ((excess, allowed), (deviation, robust))
    return all_of(at_most(found, bound.upper, text, ceiling=1) for found, bound in pairs)


def _for_many_more(n: int, d: int, delta: Fraction) -> Theorem26:
    return Theorem26(n**3, d, delta)


# Theorem 34.2.


@dataclass(frozen=True, slots=True)
class RateCoin:
    """A learner for both constants on one point, the size of the samples, alpha and gamma."""

    name: str
    n: int
    alpha: Fraction
    gamma: Fraction
    dimension: ClassVar[int] = 1

    def one(self, ones: int) -> Fraction:
        """Return how likely it outputs the constant 1, given a number of ones."""
        if self.name == "majority":
            return Fraction((2 * ones > self.n) + (2 * ones >= self.n), 2)
        if self.name == "constant":
            return Fraction(1)
        H = FiniteClass([[0], [1]])
        sample: Sample[Hashable] = Sample([0] * self.n, [1] * ones + [0] * (self.n - ones))
        if self.name == "exponential":
            law = exponential_learner(H, Fraction(1, 2)).law(sample)
        else:
            law = GenericAgnosticLearner(H, Fraction(1, 10), Epsilon(1)).law(sample)
        return sum((p for h, p in law.items() if h(0)), Fraction(0))

    def failure(self) -> Fraction:
        """Return how often its error exceeds the least one by more than alpha, for a worst side."""
        n, bias, found = self.n, self.alpha * Fraction(1001, 1000), [Fraction(0), Fraction(0)]
        for ones in range(n + 1):
            p = self.one(ones)
            for side in (0, 1):
                up = (1 + bias if side else 1 - bias) / 2
                chance = comb(n, ones) * up**ones * (1 - up) ** (n - ones)
                found[side] += chance * abs(side - p)
        return max(found)


@dataclass(frozen=True, slots=True)
class RateCoins:
    """The majority on each of d points as a learner for all sets of them."""

    dimension: int
    n: int
    alpha: Fraction
    gamma: Fraction
    name: ClassVar[str] = "a majority on each point"

    def failure(self) -> Fraction:
        """Return how often it is wrong on some point, which is more than alpha too much."""
        d, n = self.dimension, self.n
        up = (1 + d * self.alpha * Fraction(1001, 1000)) / 2

        def right(m: int) -> Fraction:
            """Return how often a majority of m labels is right; ties are broken by a fair coin."""
            chances = (comb(m, k) * up**k * (1 - up) ** (m - k) for k in range(m + 1))
            decided = zip(chances, range(m + 1), strict=True)
            return sum(
                (p * Fraction((2 * k > m) + (2 * k >= m), 2) for p, k in decided), Fraction(0)
            )

        shares = [right(m) for m in range(n + 1)]
        # all[m]: how often the points so far are all right, with m examples among them
        all_right = shares
        for points in range(2, d + 1):
            all_right = [
                sum(
                    (
                        comb(m, i)
                        * Fraction((points - 1) ** (m - i), points**m)
                        * shares[i]
                        * all_right[m - i]
                        for i in range(m + 1)
                    ),
                    Fraction(0),
                )
                for m in range(n + 1)
            ]
        return 1 - all_right[n]


def _coins(budget: Budget) -> Iterator[RateCoin | RateCoins]:
    for name in ("majority", "constant", "exponential", "generic"):
        for alpha, gamma in (("1/50", "1/8"), ("1/40", "1/8"), ("1/10", "1/10")):
            for n in (1, 5, 10, 18, 300)[: 5 if name == "majority" else budget.pick(2, 3, 4)]:
                yield RateCoin(name, n, Fraction(alpha), Fraction(gamma))
    for d, n in product((2, 3), (5, 25, 60)[: budget.pick(2, 3, 3)]):
        yield RateCoins(d, n, Fraction(1, 50), Fraction(1, 8))
        yield RateCoins(d, n, Fraction(1, 100), Fraction(1, 8))


def _needs(constant: Fraction, coin: RateCoin | RateCoins) -> Finding:
    bound = (coin.dimension + Interval.log(1 / coin.gamma)) * (constant / coin.alpha**2)
    if coin.n >= bound.lower:
        return idle()
    found = coin.failure()
    return at_least(
        found,
        coin.gamma,
        f"{coin.name}, n = {coin.n} < {float(bound):.2f}, alpha = {coin.alpha}: it fails with "
        f"probability {float(found):.4f} <= gamma = {coin.gamma}",
        strictly=True,
    )


TRIALS: Trials = {
    "CLNRW16:theorem-26.explicit": (
        trial(
            "what is kept",
            _keeps,
            _samples,
            subject=Theorem26,
            mutant=_rounds_only,
            universe="thresholds, singletons, intervals and a cube, seeded samples of up to 20 "
            "examples with any labels; a class whose hypotheses may all err on every example",
        ),
        trial(
            "2^17 examples",
            _stays,
            _draws,
            subject=Theorem26,
            mutant=_for_many_more,
            universe="thresholds with label noise 1/5, seeded draws; all tests, delta = 10^-9",
        ),
        _written.THEOREM_26,
    ),
    "CLNRW16:theorem-34.lower": (
        trial(
            "coins",
            _needs,
            _coins,
            subject=Fraction(1, 400),
            mutant=Fraction(1),
            universe="four learners of one coin, up to 300 examples, and the majority on each of "
            "two and three points, up to 25",
        ),
    ),
}
