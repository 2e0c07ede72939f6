"""Section V-A: stable histograms (Lemma 15)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    at_least,
    at_most,
    fails,
    holds,
    settle,
    trial,
    undecided,
)
from pac_stability.errors import Undecided
from pac_stability.mechanisms import StableHistogram
from pac_stability.papers.bun_livni_moran import (
    SizedHistogram,
    stable_histogram,
)
from pac_stability.papers.bun_livni_moran.formulas import lemma_15_order

Counts: TypeAlias = tuple[int, int]
"""How often each of two items occurs."""
Outcome: TypeAlias = frozenset[tuple[int, int]]

# Lemma 15


def _released(histogram: StableHistogram, counts: Counts) -> dict[Outcome, Fraction]:
    """The law of what is released, by trying all noises of both items."""
    r, A = histogram.decay, histogram.truncation
    total = sum(r ** abs(z) for z in range(-A, A + 1))
    noises = range(-A, A + 1)
    law: dict[Outcome, Fraction] = {}
    for z in product(noises, repeat=2):
        seen = frozenset(
            (item, c + z[item])
            for item, c in enumerate(counts)
            if c > 0 and c + z[item] >= histogram.threshold
        )
        p = r ** abs(z[0]) * r ** abs(z[1]) / total**2
        law[seen] = law.get(seen, Fraction(0)) + p
    return law


Neighbours: TypeAlias = tuple[StableHistogram, Counts]
"""A histogram, and counts of which one item of the first kind is replaced by the second."""


def _histograms(budget: Budget) -> Iterator[Neighbours]:
    for A in range(budget.pick(2, 3, 5)):
        for r in (Fraction(1, 2), Fraction(2, 3)):
            histogram = StableHistogram(r, A, A + 2)
            most = 2 * A + 4
            for a, b in product(range(1, most), range(most)):
                yield histogram, (a, b)


def _private(delta: Callable[[StableHistogram], Fraction], it: Neighbours) -> Finding:
    histogram, (a, b) = it
    p, q = _released(histogram, (a, b)), _released(histogram, (a - 1, b + 1))
    items = [0] * a + [1] * b
    t, allowed = histogram.decay**-2, delta(histogram)
    needed = max(_excess(p, q, t), _excess(q, p, t))
    text = (
        f"decay {histogram.decay}, noise up to {histogram.truncation}, counts {(a, b)} and "
        f"{(a - 1, b + 1)}: delta {needed} is needed, {allowed} allowed"
    )
    same = dict(histogram.law(items).items()) == p
    return at_most(needed, allowed, text, ceiling=1) if same else fails(text)


def _excess(p: dict[Outcome, Fraction], q: dict[Outcome, Fraction], t: Fraction) -> Fraction:
    return sum((max(Fraction(0), a - t * q.get(o, Fraction(0))) for o, a in p.items()), Fraction(0))


def _one_sided(histogram: StableHistogram) -> Fraction:
    """The probability of the largest noise: what one of the two items lays open."""
    r, A = histogram.decay, histogram.truncation
    return r**A / sum(r ** abs(z) for z in range(-A, A + 1))


Heavy: TypeAlias = tuple[SizedHistogram, int]
"""A histogram with its size, and how often one item occurs."""


def _heavy(budget: Budget) -> Iterator[Heavy]:
    deltas = [Fraction(1, q) for q in budget.pick((2, 20), (2, 10, 100), (2, 10, 100, 10**4))]
    for eta, ratio, delta in product((Fraction(1, 2), Fraction(1, 5)), (4, 9), deltas):
        sized = stable_histogram(eta, Epsilon.exactly(ratio), delta)
        for count in range(1, sized.size + 1):
            yield sized, count


def _accurate(size: Callable[[SizedHistogram], int], it: Heavy) -> Finding:
    sized, wanted = it
    n = size(sized)
    count = min(wanted, n)
    histogram = sized.histogram
    if not isinstance(histogram, StableHistogram):
        raise TypeError("bounded noise is what is examined")
    heavy = Fraction(count, n) >= sized.eta
    if n == sized.size and count % 7 == 0:
        # What the library says of such items, estimates and all.
        law = sized.law([0] * count + [1] * (n - count))
        meant: dict[frozenset[tuple[int, Fraction]], Fraction] = {}
        for outcome, p in _released(histogram, (count, n - count)).items():
            shown = frozenset((item, Fraction(min(noisy, n), n)) for item, noisy in outcome)
            meant[shown] = meant.get(shown, Fraction(0)) + p
        if dict(law.items()) != meant:
            return fails(f"n = {n}, an item that occurs {count} times: law {law}, not {meant}")
    for released in _released(histogram, (count, n - count)):
        estimates = [min(noisy, n) for item, noisy in released if item == 0]
        wrong = any(abs(Fraction(a - count, n)) > sized.eta for a in estimates)
        if wrong or (heavy and not estimates):
            return settle(
                False,
                f"eta = {sized.eta}, noise up to {histogram.truncation}, n = {n}: an item that "
                f"occurs {count} times has the estimate {estimates}",
            )
    return holds()


Parameters: TypeAlias = tuple[Fraction, Fraction, Fraction, Fraction]
"""eta, epsilon, delta and beta."""


def _parameters(budget: Budget) -> Iterator[Parameters]:
    powers = budget.pick((1, 6), (1, 3, 6, 10), (1, 2, 3, 6, 10, 20))
    for i, j, k in product(powers, repeat=3):
        for beta in (Fraction(1, 2), Fraction(1, 100)):
            yield Fraction(1, 2**i), Fraction(1, 2**j), Fraction(1, 2**k), beta


def _size_of_histogram(constant: int, it: Parameters) -> Finding:
    eta, epsilon, delta, beta = it
    n, order = stable_histogram(eta, epsilon, delta).size, lemma_15_order(eta, beta, epsilon, delta)
    text = f"eta = {eta}, epsilon = {epsilon}, delta = {delta}: n = {n}, above {constant} * {order}"
    try:
        return at_least(order * constant, n, text)
    except Undecided:
        return undecided(text)


def _light_items(budget: Budget) -> Iterator[Fraction]:
    yield from (Fraction(1, 2), Fraction(1, 10))[: budget.pick(1, 2, 2)]


def _no_constant(constants: tuple[int, ...], common: Fraction) -> Finding:
    """Whether no constant C serves all epsilon = 2^-j, for eta = beta = delta."""
    for C in constants:
        chances = (_some_light_item(common, Fraction(1, 2**j), C).lower for j in range(0, 400, 4))
        if all(chance <= common for chance in chances):
            return fails(f"eta = beta = delta = {common}: C = {C} serves epsilon = 2^-j, j < 400")
    return holds()


def _some_light_item(common: Fraction, epsilon: Fraction, C: int) -> Interval:
    """How likely some of n items that occur once each has an estimate off by more than eta."""
    n = math.ceil((Interval.log2(1 / common**3) * C / (common * epsilon)).upper)
    g = math.floor(common * n)
    r = Interval.exp(-epsilon / 2)
    # t: what is released is at least this; an item with noise above g is released then.
    t = 2 + Interval.log(1 / common) * 2 / epsilon
    if t.upper > g + 2:
        return Interval.exactly(0)
    stray = Interval.exp(-epsilon / 2 * (g + 1)) / (1 + r)
    return 1 - Interval.exp(Interval.log(1 - stray, 256) * n)


TRIALS: Trials = {
    "BLM20:lemma-15.laplace": (
        trial(
            "n distinct items",
            _no_constant,
            _light_items,
            subject=(1, 2, 4, 8, 16, 32),
            mutant=(1, 1000),
            universe="eta = beta = delta = 1/2 or 1/10, epsilon = 2^-j",
        ),
    ),
    "BLM20:lemma-15.explicit": (
        trial(
            "privacy",
            _private,
            _histograms,
            subject=lambda histogram: histogram.guarantee.delta,
            mutant=_one_sided,
            universe="two decays, noise up to 1 (more with the budget), all pairs of counts of "
            "two items up to those where delta is attained",
            exhaustive=True,
        ),
        trial(
            "accuracy",
            _accurate,
            _heavy,
            subject=lambda sized: sized.size,
            mutant=lambda sized: sized.size // 2,
            universe="eta = 1/2 and 1/5, e^epsilon = 4 and 9, two deltas (more with the "
            "budget), every count of an item",
            exhaustive=True,
        ),
        trial(
            "size",
            _size_of_histogram,
            _parameters,
            subject=4,
            mutant=1,
            universe="powers of two for eta, epsilon and delta, beta = 1/2 and 1/100",
        ),
    ),
}
