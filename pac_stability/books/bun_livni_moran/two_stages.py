"""Algorithm M at its stated numbers, measured: what both stages spend, and how many runs it needs.

The laws are written out from the definitions: of the noise, of the noisy counts of the two items
that an example can move, of a choice between hypotheses by their errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon
from pac_stability.books.bun_livni_moran.numbers_of_m import Numbers
from pac_stability.claims.trials import Budget, Finding, all_of, at_most, factor_at_most, fails
from pac_stability.papers.bun_livni_moran.formulas import PrivateFromStable

# Privacy


def sizes_to_measure(budget: Budget) -> Iterator[PrivateFromStable]:
    """Give algorithms M for different epsilon, delta and frequencies of the stable output."""
    quarter, tenth = Fraction(1, 4), Fraction(1, 10)
    privacies = (
        (Epsilon.exactly(4), Fraction(1, 10)),
        (Epsilon(1.0), Fraction(1, 10**6)),
        (Epsilon.exactly(9), Fraction(1, 1000)),
        (Epsilon(0.5), Fraction(1, 100)),
        (Epsilon(0.1), Fraction(1, 10**4)),
    )
    for epsilon, delta in privacies[: budget.pick(4, 5, 5)]:
        for eta in (Fraction(1), Fraction(1, 60)):
            yield PrivateFromStable(1, eta, quarter, tenth, epsilon, delta, "proved")


def spends(numbers: Callable[[PrivateFromStable], Numbers], sizes: PrivateFromStable) -> Finding:
    """Whether both stages, as they are run, spend no more than was asked for."""
    return measured(numbers(sizes), sizes.epsilon, sizes.delta)


def measured(M: Numbers, epsilon: Epsilon, delta: Fraction) -> Finding:
    """Compare what the two stages of M need with what may be spent."""
    text = f"{M}, epsilon = {epsilon}, delta = {delta}"
    # An example of a run moves one run from one output to another. Counts at which neither, one or
    # both may be kept back: the least, one that the largest noise releases, one that surely is.
    counts = sorted({1, max(1, M.cutoff - M.noise), M.cutoff + M.noise + 1})

    def released(a: int, b: int) -> Finding:
        needed = _delta_of_counts(M, (a, b), (a - 1, b + 1), epsilon.ratio)
        shown = f"{text}: delta = {float(needed):.3g} is needed for outputs seen {a}, {b} times"
        return at_most(needed, delta, shown, ceiling=1)

    def chosen(errors: int) -> Finding:
        # Of two hypotheses, one without errors and one with many, or what is beside it.
        r = M.decay
        apart, beside = r**errors / (r**errors + 1), r ** (errors - 2) / (r ** (errors - 2) + 1)
        shown = f"{text}: a choice between 0 and {errors} errors, or 1 and {errors - 1}"
        return factor_at_most(beside / apart, epsilon.ratio, shown)

    both = [released(a, b) for a, b in product(counts, [0, *counts])]
    return all_of([*both, *(chosen(errors) for errors in (2, 10, 100))])


def _delta_of_counts(
    M: Numbers, counts: tuple[int, int], others: tuple[int, int], factor: Fraction
) -> Fraction:
    """The least delta for two items that occur so often, both ways, by listing what is released."""
    first, second = ([_noisy(M, c) for c in pair] for pair in (counts, others))
    up, down = factor.numerator, factor.denominator
    needed = [0, 0]
    for x, y in product(*({**a, **b} for a, b in zip(first, second, strict=True))):
        p, q = (law[0].get(x, 0) * law[1].get(y, 0) for law in (first, second))
        needed[0] += max(0, down * p - up * q)
        needed[1] += max(0, down * q - up * p)
    total = sum(first[0].values()) * sum(first[1].values())
    return Fraction(max(needed), down * total)


def _noisy(M: Numbers, count: int) -> dict[int | None, int]:
    """The law of the noisy count of an item, in integers; ``None`` if it is not released."""
    law: dict[int | None, int] = {}
    p, q, A = M.decay.numerator, M.decay.denominator, M.noise
    for z in range(-A, A + 1):
        shown = count + z if count > 0 and count + z >= M.cutoff else None
        law[shown] = law.get(shown, 0) + p ** abs(z) * q ** (A - abs(z))
    return law


# How many runs are needed

Asked: TypeAlias = tuple[Fraction, Fraction, Epsilon, Fraction]
"""eta, beta, epsilon and delta."""


def stable_outputs(budget: Budget) -> Iterator[Asked]:
    """Give frequencies of the stable output; all other outputs are seen once each, and are bad."""
    betas = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6))
    etas = (Fraction(1, 8), Fraction(1, 24), Fraction(1, 60))
    privacies = ((Epsilon.exactly(100), Fraction(1, 2)), (Epsilon(1.0), Fraction(1, 10**6)))
    yield from (
        (eta, beta, *privacy)
        for beta, eta, privacy in product(betas, etas[: budget.pick(2, 3, 3)], privacies)
    )


def needs_runs(numbers: Callable[[PrivateFromStable], Numbers], it: Asked) -> Finding:
    """Whether the stated runs release the stable output, and how many fewer do not.

    With k runs it is released from the least count on that privacy and the proof allow.
    """
    eta, beta, epsilon, delta = it
    M = numbers(PrivateFromStable(1, eta, Fraction(1, 4), beta, epsilon, delta, "proved"))

    noise = {z: M.decay ** abs(z) for z in range(-M.noise, M.noise + 1)}
    total = sum(noise.values(), Fraction(0))

    def missed(k: int, cutoff: int) -> Fraction:
        tails = list(accumulate(_binomial(k, eta, cutoff + M.noise), initial=0))
        seen = [p * tails[min(len(tails) - 1, max(0, cutoff - z))] for z, p in noise.items()]
        return sum(seen, Fraction(0)) / total / Fraction(eta.denominator**k)

    low, high = 0, M.runs
    while high - low > 1:
        middle = (low + high) // 2
        cutoff = max(M.noise + 2, -(-3 * eta * middle // 8))
        low, high = (middle, high) if missed(middle, cutoff) > beta else (low, middle)
    text = f"eta = {eta}, beta = {beta}, {M}: more than {low} runs are needed"
    if missed(M.runs, M.cutoff) > beta / 2:
        return fails(f"{text}; the stable output is missed too often")
    return at_most(low + 1, M.runs, text)


def _binomial(k: int, p: Fraction, most: int) -> list[int]:
    """The binomial probabilities of 0, ..., most - 1, times a power of the denominator."""
    a, b = p.numerator, p.denominator
    return [comb(k, i) * a**i * (b - a) ** (k - i) for i in range(min(most, k + 1))]
