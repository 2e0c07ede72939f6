"""h_{S,T} and h_S of Appendix C by their definitions, on small instances."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from random import Random

from pac_stability.arithmetic import Epsilon
from pac_stability.books.dagan_feldman._questions import (
    AnySample,
    exponential_law,
    random_sample,
    with_chosen,
)
from pac_stability.claims.trials import Budget
from pac_stability.classes import Family, FiniteClass, Hypothesis, cube, intervals, thresholds
from pac_stability.papers.dagan_feldman import (
    RealizablePrivateLearner,
    RelabellingLearner,
    StableLearner,
)


@dataclass(frozen=True)
class Relabelling:
    """A small instance of the algorithm of Appendix C.

    Attributes
    ----------
    H, seed
        The class, and the seed of its representatives.
    size, blocks
        n' and r.
    rho, sigma
        The decays of the exponential mechanism and of the vote, both e^(-1/(eta n)) in the paper,
        up to a root for the second.
    sample
        S.
    """

    H: FiniteClass
    seed: int
    size: int
    blocks: int
    rho: Fraction
    sigma: Fraction
    sample: AnySample

    @property
    def family(self) -> Family:
        """The class with its representatives."""
        return with_chosen(self.H, self.seed)

    @property
    def learner(self) -> RelabellingLearner:
        """The library's learner."""
        return RelabellingLearner(
            StableLearner(self.family, self.size, Epsilon.exactly(self.rho**-2)),
            RealizablePrivateLearner(self.family, self.blocks, Epsilon.exactly(self.sigma**-2)),
        )

    @property
    def step(self) -> Fraction:
        """rho^-2 times the factor of one vote more or less: e^(3/(eta n)) or less."""
        s = 1 / self.sigma
        return self.rho**-2 * (1 + s**self.blocks) / (1 + s ** (self.blocks - 2))

    def phi(self, sample: AnySample, h: Hypothesis) -> tuple[Fraction, ...]:
        """Return phi_S(h): the blocks of S_h vote, softly, by a consistent representative each."""
        n, r, s = len(sample), self.blocks, self.sigma
        votes = [0] * len(self.H.domain)
        for j in range(r):
            block = sample.points[j * (n // r) : (j + 1) * (n // r)]
            (voter,) = (
                g for g in self.family.representatives_on(block) if all(g(x) == h(x) for x in block)
            )
            votes = [v + voter(x) for v, x in zip(votes, self.H.domain, strict=True)]
        return tuple(s ** (r - v) / (s ** (r - v) + s**v) for v in votes)

    def given(self, sample: AnySample, chosen: Iterable[Hashable]) -> tuple[Fraction, ...]:
        """Return h_{S,T}: Equation (8), with Z over H_T."""
        return _given(self, sample, frozenset(chosen))

    def mean(self, sample: AnySample, points_from: AnySample) -> tuple[Fraction, ...]:
        """Return the average of h_{S,S'_J}; h_S, Equation (9), if both samples are the same."""
        subsets = list(combinations(points_from.points, self.size))
        share = Fraction(1, len(subsets))
        return _mixed([(share, self.given(sample, subset)) for subset in subsets])

    def matched(
        self, kept: Sequence[Hashable], removed: Hashable, added: Hashable
    ) -> list[tuple[Hypothesis, Hypothesis]]:
        """Return the matched pairs: candidates that agree on the points that stay."""
        before = self.family.representatives_on((*kept, removed))
        after = self.family.representatives_on((*kept, added))
        return [(h, g) for h in before for g in after if all(h(x) == g(x) for x in kept)]

    def disagreements(self, kept: Sequence[Hashable]) -> int:
        """Return on how many examples two hypotheses differ that agree on the points that stay."""
        return max(
            sum(h(x) != g(x) for x in self.sample.points)
            for h in self.H
            for g in self.H
            if all(h(x) == g(x) for x in kept)
        )

    def __str__(self) -> str:
        return (
            f"{self.H.table.tolist()}, representatives {self.seed}, S = {self.sample}, n' = "
            f"{self.size}, r = {self.blocks}, rho = {self.rho}, sigma = {self.sigma}"
        )


@lru_cache(maxsize=4096)
def _given(
    instance: Relabelling, sample: AnySample, points: frozenset[Hashable]
) -> tuple[Fraction, ...]:
    candidates = instance.family.representatives_on(points)
    law = exponential_law(candidates, sample, instance.rho)
    return _mixed([(p, instance.phi(sample, h)) for h, p in law.items()])


def _mixed(parts: Sequence[tuple[Fraction, tuple[Fraction, ...]]]) -> tuple[Fraction, ...]:
    width = len(parts[0][1])
    return tuple(sum((p * q[x] for p, q in parts), Fraction(0)) for x in range(width))


def largest_factor(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """Return the least factor with which one predictor is at most the other (both positive)."""
    ratios = [max(a / b, (1 - a) / (1 - b)) for a, b in zip(p, q, strict=True)]
    return max(ratios)


def needed_slack(p: Sequence[Fraction], q: Sequence[Fraction], factor: Fraction) -> Fraction:
    """Return the least slack with which one predictor is at most a factor times the other."""
    rests = [max(a - factor * b, (1 - a) - factor * (1 - b)) for a, b in zip(p, q, strict=True)]
    return max(Fraction(0), *rests)


def relabellings(budget: Budget, *, quick: int) -> Iterator[Relabelling]:
    """Give small instances, from a seed."""
    for index in range(budget.pick(quick, 12 * quick, 200 * quick)):
        coins = Random(f"relabelling/{index}")
        H = coins.choice((thresholds(2), thresholds(3), cube(2), intervals(3)))
        n = coins.randint(2, budget.pick(4, 5, 6))
        decays = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
        yield Relabelling(
            H,
            coins.randrange(3),
            coins.randint(1, n),
            coins.randint(1, n),
            coins.choice(decays),
            coins.choice(decays),
            random_sample(coins, len(H.domain), n),
        )
    yield from _larger(budget, quick // 7)


def _larger(budget: Budget, quick: int) -> Iterator[Relabelling]:
    """Give instances with proper subsets of two and more, on classes of dimension two and three."""
    for index in range(budget.pick(quick, 8 * quick, 60 * quick)):
        coins = Random(f"larger relabelling/{index}")
        H = (cube(3), intervals(4))[index % 2]
        n = coins.randint(5, budget.pick(6, 7, 8))
        decays = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
        yield Relabelling(
            H,
            coins.randrange(3),
            coins.randint(2, n - 2),
            coins.randint(2, 3),
            coins.choice(decays),
            coins.choice(decays),
            random_sample(coins, len(H.domain), n),
        )
