"""How much perfect generalization costs a private mechanism, and group privacy (Section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.books.cummings_et_al._settings import MechanismSetting, settings
from pac_stability.claims.instances import counting, random_mechanisms
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    fails,
    idle,
    settle,
    trial,
    undecided,
)
from pac_stability.data import (
    FiniteDistribution,
    multiset_distribution,
)
from pac_stability.notions import closeness
from pac_stability.notions.group_privacy import hamming_distance, simpler_delta
from pac_stability.notions.perfect_generalization import minimal_epsilon
from pac_stability.papers.cummings_et_al.noisy_majority import NoisyMajority, tail_inequality

# Theorem 40.


@dataclass(frozen=True, slots=True)
class Noise:
    """The noisy majority of n fair bits with e**(epsilon/2) = root, and beta."""

    n: int
    root: Fraction
    beta: Fraction

    @property
    def mechanism(self) -> NoisyMajority:
        """The mechanism."""
        return NoisyMajority(self.n, Epsilon.exactly(self.root))

    @property
    def needed(self) -> Fraction:
        """The least factor on a fair coin, by the search for the best simulator."""
        types = multiset_distribution(FiniteDistribution.uniform([0, 1]), self.n)
        return Fraction(minimal_epsilon(self.mechanism.law, types, self.beta).lower)


Bound: TypeAlias = Callable[[Noise], Interval | None]


def _small_samples(budget: Budget) -> Iterator[Noise]:
    for n in range(1, budget.pick(8, 12, 20) + 1):
        for zeros, root in product((4, 10, 30, 100), ("9/8", "2")):
            yield Noise(n, Fraction(root), Fraction(1, 10**zeros))


def _large_samples(budget: Budget) -> Iterator[Noise]:
    for n in budget.pick((6, 12, 25, 40), (6, 12, 25, 40, 80), (6, 12, 25, 40, 80, 160, 320)):
        for beta, root in product(("1/20", "1/1000", "1/100000"), ("9/8", "2")):
            yield Noise(n, Fraction(root), Fraction(beta))


def _not_below(bound: Bound, noise: Noise) -> Finding:
    stated = bound(noise)
    if stated is None:
        return idle()
    needed = Interval.log(noise.needed)
    text = (
        f"n = {noise.n}, e**epsilon = {noise.root**2}, beta = {float(noise.beta):.3g}: at least "
        f"{float(stated):.4f} is stated, {float(needed):.4f} serves for a fair coin"
    )
    if stated.upper <= needed.upper:
        return at_least(needed.upper, stated.upper, text)
    # With a central sample as the simulator this serves for every coin, by group privacy.
    central = -(-noise.n // 2) * Interval.log(noise.root**2)
    if stated.lower > central.upper:
        return fails(f"{text}, and {float(central):.4f} for every coin, even with beta = 0")
    return undecided(text)


def _for_all_sizes(noise: Noise) -> Interval | None:
    """Return (K n epsilon - 1)/2 wherever K is defined."""
    inside = Interval.log(1 / noise.beta) / 2 - Interval.log(30)
    if inside.lower <= 0:
        return None
    k = Interval.sqrt(inside / noise.n) / 4
    return (k * noise.n * Interval.log(noise.root**2) - 1) / 2


def _repaired(noise: Noise) -> Interval | None:
    return noise.mechanism.tightness(noise.beta).repaired


def _direct(noise: Noise) -> Interval | None:
    return noise.mechanism.tightness(noise.beta).direct


def _upper_bound(noise: Noise) -> Interval | None:
    return noise.mechanism.tightness(noise.beta).theorem_39


def _optimum(squared: Callable[[Noise], Fraction], noise: Noise) -> Finding:
    found = squared(noise)
    return settle(
        found == noise.needed**2,
        f"{noise}: squared factor {found}, by the search for a simulator {noise.needed**2}",
    )


def _closed_form(noise: Noise) -> Fraction:
    return noise.mechanism.optimum(noise.beta).squared_factor


def _whole(noise: Noise) -> Fraction:
    return noise.root ** (2 * noise.n)


def _tails(budget: Budget) -> Iterator[int]:
    yield from range(1, budget.pick(60, 300, 1000) + 1)


def _tail(constant: int, n: int) -> Finding:
    """Compare each constant piece of the left side with the right side where it is largest."""

    def pieces() -> Iterator[Finding]:
        yield settle(tail_inequality(n), f"n = {n}: the library denies the inequality")
        heads = 0
        for k in range(n, (n - 1) // 2, -1):
            heads += comb(n, k)
            left = Fraction(heads, 2**n)  # Pr[B >= n/2 + s] for k - 1 < n/2 + s <= k
            s = max(Fraction(2 * (k - 1) - n, 2), Fraction(0))
            if 8 * s < n:
                right = Interval.exp(-16 * s * s / n) / constant
                text = f"n = {n}, s just above {s}: {float(left):.5f} < {float(right):.5f}"
                yield at_least(left, right, text)

    return all_of(pieces())


# Group privacy.


def _group_settings(budget: Budget) -> Iterator[MechanismSetting]:
    factors = tuple(Fraction(t) for t in ("1", "5/4", "2"))
    mechanisms = random_mechanisms(budget.pick(40, 400, 4000), outcomes=3, seed="group")
    yield from settings(mechanisms, factors)
    # Nothing is lost from one to n places that differ, but for what the simpler delta rounds up.
    fair = FiniteDistribution.uniform([0, 1])
    for n, factor in product(range(2, budget.pick(5, 6, 7) + 1), factors):
        delta = Fraction(1, 2) / sum(factor**i for i in range(n))
        yield MechanismSetting(counting(n, factor, delta), fair, factor, Fraction(0))


Groups: TypeAlias = Callable[[Epsilon, Fraction, int], Fraction]


def _group(stated: Groups, setting: MechanismSetting) -> Finding:
    mechanism, t = setting.mechanism, setting.first
    samples = list(product(range(mechanism.elements), repeat=mechanism.n))
    distances = {(x, y): hamming_distance(x, y) for x in samples for y in samples}

    def needed(k: int) -> Fraction:
        return max(
            closeness.hockey_stick_at(mechanism.law_of(x), mechanism.law_of(y), t**k)
            for (x, y), distance in distances.items()
            if distance == k
        )

    delta = max(needed(1), Fraction(0))

    def among(k: int) -> Finding:
        found, allowed = needed(k), stated(Epsilon.exactly(t), delta, k)
        text = f"{setting}: {found} for {k} places, {allowed} is stated"
        return at_most(found, allowed, text, ceiling=1)

    # For one place it is the definition of delta.
    return all_of(map(among, range(2, mechanism.n + 1)))


def _plain_multiple(epsilon: Epsilon, delta: Fraction, k: int) -> Fraction:
    return delta


TRIALS: Trials = {
    "CLNRW16:theorem-40.proof": (
        trial(
            "small samples",
            _not_below,
            _small_samples,
            subject=_for_all_sizes,
            universe="up to eight bits, beta down to 10^-100, two epsilons",
        ),
    ),
    "CLNRW16:theorem-40.repaired": (
        trial(
            "by the proof",
            _not_below,
            _large_samples,
            subject=_repaired,
            mutant=_upper_bound,
            universe="6 to 40 fair bits, three betas, two epsilons",
        ),
        trial(
            "directly",
            _not_below,
            _large_samples,
            subject=_direct,
            mutant=_upper_bound,
            universe="6 to 40 fair bits, three betas, two epsilons",
        ),
        trial(
            "the exact optimum",
            _optimum,
            _large_samples,
            subject=_closed_form,
            mutant=_whole,
            universe="6 to 40 fair bits, three betas, two epsilons",
        ),
        trial(
            "the binomial tail",
            _tail,
            _tails,
            subject=15,
            mutant=2,
            universe="every s, and every n up to 60",
        ),
        _written.THEOREM_40,
    ),
    "CLNRW16:group-privacy": (
        trial(
            "all pairs of samples",
            _group,
            _group_settings,
            subject=simpler_delta,
            mutant=_plain_multiple,
            universe="random mechanisms with three outputs on up to three bits, each with its "
            "least delta for three epsilons, and a count of up to five bits",
        ),
        _written.GROUPS,
    ),
}
