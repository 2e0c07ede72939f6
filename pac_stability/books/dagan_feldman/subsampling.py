"""Amplification of privacy by subsampling (Section 2.1, Lemma 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial
from random import Random

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._questions import factor_between
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    factor_at_most,
    kept_counterexample,
    settle,
    trial,
)
from pac_stability.data import FiniteDistribution, FromLaw
from pac_stability.mechanisms import PrivacyGuarantee, Subsampled, subsampling_amplification

Amplified = Callable[[Fraction, int, int], Fraction]
"""From the factor e^epsilon, n' and n to the factor after subsampling."""


def _by_the_library(t: Fraction, size: int, n: int) -> Fraction:
    return subsampling_amplification(PrivacyGuarantee(Epsilon.exactly(t)), size, n).factor


# In the order of the indices

_EARLY = ({0}, {1, 2}, {1, 2, 3, 4, 5, 6})
"""For which points each place of a subsample of three holds."""


def _held(part: tuple[int, ...]) -> int:
    return sum(point in points for point, points in zip(part, _EARLY, strict=True))


def _by_place(n: int, first: int) -> Counter[int]:
    """Count the index sets of three by how many places hold, on the sample first, 1, 2, ..."""
    sample = (first, *range(1, n))
    return Counter(_held(part) for part in combinations(sample, 3))


def _in_index_order(t: Fraction, n: int) -> Finding:
    def yes(first: int) -> Fraction:
        counts = _by_place(n, first)
        return sum((k * t ** (m - 3) / 2 for m, k in counts.items()), Fraction(0)) / comb(n, 3)

    p, q = yes(0), yes(-1)
    factor = factor_between(p, q)
    if not isinstance(factor, Fraction):
        raise AssertionError
    eta = Fraction(3, n)
    allowed = Interval.exp(2 * eta * Interval.log(t))
    return factor_at_most(
        factor,
        allowed,
        f"n = {n}, n' = 3, e^epsilon = {t}, yes with probability e^(epsilon (m - 3))/2 for m "
        f"places that hold: {p} on z_1, ..., z_{n} and {q} with another first example, factor "
        f"{factor}, which exceeds e^(2 epsilon eta) = {float(allowed):.5f}",
    )


# Symmetric algorithms

Symmetric = tuple[dict[tuple[int, ...], Fraction], int, int]
"""Probabilities of label 1 on multisets of n' examples, n', and n."""


def _symmetric(budget: Budget) -> Iterator[Symmetric]:
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"subsampling/{index}")
        n = coins.choice((2, 3, 4))
        size, universe = coins.randint(1, n), coins.choice((2, 3))
        values = [Fraction(k, 24) for k in range(4, 21)]
        table = {
            kind: coins.choice(values)
            for kind in combinations_with_replacement(range(universe), size)
        }
        yield table, size, n
        marked = {kind: Fraction(3 if 0 in kind else 1, 8) for kind in table}
        yield marked, size, n


def _factor_of(table: dict[tuple[int, ...], Fraction], universe: set[int]) -> Fraction:
    worst = Fraction(1)
    for kind, p in table.items():
        for place, z in product(range(len(kind)), universe):
            other = tuple(sorted((*kind[:place], z, *kind[place + 1 :])))
            factor = factor_between(p, table[other])
            worst = max(worst, Fraction(factor))
    return worst


def _subsampled(
    table: dict[tuple[int, ...], Fraction], size: int, sample: tuple[int, ...]
) -> Fraction:
    parts = [tuple(sorted(part)) for part in combinations(sample, size)]
    return sum((table[part] for part in parts), Fraction(0)) / len(parts)


def _amplification(amplified: Amplified, instance: Symmetric) -> Finding:
    table, size, n = instance
    universe = {z for kind in table for z in kind}
    t = _factor_of(table, universe)
    allowed = amplified(t, size, n)

    def between(sample: tuple[int, ...], z: int) -> Fraction | float:
        # The rest of the sample runs through everything, so one place is enough.
        p = _subsampled(table, size, sample)
        return factor_between(p, _subsampled(table, size, (z, *sample[1:])))

    factor, sample, z = max(
        (between(sample, z), sample, z)
        for sample in product(sorted(universe), repeat=n)
        for z in sorted(universe)
    )
    return factor_at_most(
        factor,
        allowed,
        f"n = {n}, n' = {size}, table {table} with factor {t}: {sample} and {z} in the first place "
        f"have the factor {factor} > {allowed}",
    )


def _attained(amplified: Amplified, instance: tuple[Fraction, int, int]) -> Finding:
    t, size, n = instance
    # Yes with probability c if the marked example was drawn, c/t otherwise.
    with_mark = comb(n - 1, size - 1)
    p = Fraction(with_mark, comb(n, size)) + Fraction(comb(n - 1, size), comb(n, size)) / t
    factor = p * t
    return settle(
        factor == amplified(t, size, n),
        f"e^epsilon = {t}, n' = {size}, n = {n}, one example marked: factor {factor}",
    )


WithDelta = Callable[[PrivacyGuarantee, int, int], PrivacyGuarantee]


def _attained_with_delta(
    amplified: WithDelta, instance: tuple[Fraction, int, int, Fraction]
) -> Finding:
    """If the marked example was drawn, yes with the largest probability, else with the least."""
    t, size, n, delta = instance
    with_mark, without = (t + delta) / (1 + t), (1 - delta) / (1 + t)
    rate = Fraction(comb(n - 1, size - 1), comb(n, size))
    found = amplified(PrivacyGuarantee(Epsilon.exactly(t), delta), size, n)
    needed = rate * (with_mark - without) + without - found.factor * without
    return settle(
        needed == found.delta,
        f"e^epsilon = {t}, delta = {delta}, n' = {size}, n = {n}, one example marked: with the "
        f"factor {found.factor} delta {needed} is needed, not {found.delta}",
    )


def _half_the_delta(guarantee: PrivacyGuarantee, size: int, n: int) -> PrivacyGuarantee:
    found = subsampling_amplification(guarantee, size, n)
    return PrivacyGuarantee(found.epsilon, found.delta / 2)


def _with_deltas(budget: Budget) -> Iterator[tuple[Fraction, int, int, Fraction]]:
    for numbers in _numbers(budget):
        yield from ((*numbers, delta) for delta in (Fraction(1, 10), Fraction(1, 2)))


def _numbers(budget: Budget) -> Iterator[tuple[Fraction, int, int]]:
    for n in range(1, budget.pick(6, 12, 30)):
        yield from product([Fraction(5, 4), Fraction(2), Fraction(9)], range(1, n + 1), [n])


def _in_random_order(amplified: Amplified, instance: tuple[Fraction, int]) -> Finding:
    t, n = instance
    yes: dict[int, Fraction] = {}
    for first in (0, -1):
        sample = (first, *range(1, n))
        counts = Counter(_held(part) for part in permutations(sample, 3))
        total = comb(n, 3) * factorial(3)
        yes[first] = sum((k * t ** (m - 3) / 2 for m, k in counts.items()), Fraction(0)) / total
    factor = factor_between(yes[0], yes[-1])
    return factor_at_most(factor, amplified(t, 3, n), f"n = {n}, e^epsilon = {t}: {factor}")


def _places(budget: Budget) -> Iterator[tuple[Fraction, int]]:
    for n in range(3, budget.pick(10, 13, 16)):
        yield from ((t, n) for t in (Fraction(3, 2), Fraction(27, 10), Fraction(8)))


Drawn = Callable[[tuple[int, ...]], Fraction]


def _law_of_subsampled(yes: Drawn, sample: tuple[int, ...]) -> Finding:
    parts = list(permutations(sample, 3))
    defined = sum((_early_probability(part) for part in parts), Fraction(0)) / len(parts)
    return settle(yes(sample) == defined, f"{sample}: {yes(sample)}, by definition {defined}")


def _early_probability(part: tuple[int, ...]) -> Fraction:
    return Fraction(2) ** (_held(part) - 3) / 2


def _early(part: tuple[int, ...]) -> FiniteDistribution[int]:
    p = _early_probability(part)
    return FiniteDistribution({1: p, 0: 1 - p})


def _random_order(sample: tuple[int, ...]) -> Fraction:
    return Subsampled(FromLaw(_early), 3).law(sample).probability(1)


def _index_order(sample: tuple[int, ...]) -> Fraction:
    return Subsampled(FromLaw(_early), 3, order="index").law(sample).probability(1)


def _tuples(budget: Budget) -> Iterator[tuple[int, ...]]:
    for index in range(budget.pick(15, 60, 300)):
        coins = Random(f"order/{index}")
        yield tuple(coins.randrange(7) for _ in range(3 + index % 3))


# The exponent

Exponent = Callable[[Fraction, Fraction], Fraction]


def _exponents(budget: Budget) -> Iterator[tuple[Fraction, Fraction]]:
    q = budget.pick(12, 40, 200)
    yield from product([Fraction(k, q) for k in range(1, q)], repeat=2)


def _within(exponent: Exponent, pair: tuple[Fraction, Fraction]) -> Finding:
    epsilon, eta = pair
    exact = 1 + eta * (Interval.exp(epsilon) - 1)
    return factor_at_most(
        exact,
        Interval.exp(exponent(epsilon, eta)),
        f"epsilon = {epsilon}, eta = {eta}: 1 + eta (e^epsilon - 1) = {float(exact):.5f}",
    )


TRIALS: Trials = {
    "DF20:lemma-8": (
        trial(
            "early places",
            _in_index_order,
            lambda _: range(3, 13),
            subject=Fraction(27, 10),
            universe="samples of 3 to 12 different examples, subsamples of three",
        ),
        kept_counterexample("DF20:lemma-8"),
    ),
    "DF20:lemma-8.repaired": (
        trial(
            "symmetric algorithms",
            _amplification,
            _symmetric,
            subject=_by_the_library,
            mutant=lambda t, size, n: 1 + Fraction(size, 2 * n) * (t - 1),
            universe="seeded tables on multisets, all neighbouring samples of up to 4 examples",
        ),
        trial(
            "attained",
            _attained,
            _numbers,
            subject=_by_the_library,
            mutant=lambda t, *_: t,
            universe="three factors, all n' <= n, one example marked",
        ),
        trial(
            "attained, with a delta",
            _attained_with_delta,
            _with_deltas,
            subject=subsampling_amplification,
            mutant=_half_the_delta,
            universe="three factors, two deltas, all n' <= n, one example marked",
        ),
        trial(
            "random order",
            _in_random_order,
            _places,
            subject=_by_the_library,
            mutant=lambda t, size, n: 1 + Fraction(size, 4 * n) * (t - 1),
            universe="the algorithm of early places on 3 to 9 examples",
        ),
        trial(
            "law in random order",
            _law_of_subsampled,
            _tuples,
            subject=_random_order,
            mutant=_index_order,
            universe="seeded samples of three to five examples, subsamples of three",
        ),
        trial(
            "two epsilon eta",
            _within,
            _exponents,
            subject=lambda epsilon, eta: 2 * epsilon * eta,
            mutant=lambda epsilon, eta: epsilon * eta,
            universe="epsilon and eta in a grid of (0, 1)",
        ),
    ),
}
