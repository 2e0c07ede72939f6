"""Section I-A: Theorem 6, and boosting by subsampling."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_most,
    factor_at_most,
    idle,
    settle,
    trial,
)
from pac_stability.data import FiniteDistribution, FromLaw, Sample
from pac_stability.mechanisms import PrivacyGuarantee, Subsampled
from pac_stability.notions import closeness
from pac_stability.papers.bun_livni_moran import StrongSizeBound, is_weak_learner
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes

Point: TypeAlias = tuple[int, Fraction, Fraction, Fraction, Fraction]
"""d, alpha, beta, epsilon and delta."""


def _points(budget: Budget) -> Iterator[Point]:
    powers = budget.pick((1, 8), (1, 4, 12), (1, 2, 4, 8, 16))
    epsilons = (Fraction(1), Fraction(1, 4))[: budget.pick(1, 2, 2)]
    for d, i, j, k, e in product((1, 2, 3), powers, powers, powers, epsilons):
        yield d, Fraction(1, 2**i), Fraction(1, 2**j), e, Fraction(1, 2**k)


class Bounded(NamedTuple):
    """Bounds on what algorithm M takes: for its runs of G, for its choice, and in all."""

    runs: Interval
    choice: Interval
    whole: int


def _enough(bound: Callable[[Point], Bounded], point: Point) -> Finding:
    """Each part by itself: that for the runs is so much larger that it would do for the choice."""
    d, alpha, beta, epsilon, delta = point
    needed = PrivateLearnerSizes(d, alpha, beta, Epsilon(epsilon), delta, "proved")
    M, found = needed.private, bound(point)
    text = f"d = {d}, alpha = {alpha}, beta = {beta}, epsilon = {epsilon}, delta = {delta}: M takes"
    return all_of(
        at_most(size, allowed, f"{text} {size:,} examples {what}, the bound is {float(allowed):,}")
        for what, size, allowed in (
            ("for its runs", M.runs * M.run_size, found.runs),
            ("for its choice", M.choice_size, found.choice),
            ("in all", needed.sample_size, found.whole),
        )
    )


def _bound(point: Point) -> Bounded:
    d, alpha, beta, epsilon, delta = point
    C = StrongSizeBound(d)
    unit = Interval.log(1 / (beta * delta)) / (alpha * epsilon)
    whole = C.sample_size(alpha, beta, epsilon, delta)
    return Bounded(C.for_runs * unit, C.for_choice * unit, whole)


def _half_the_choice(point: Point) -> Bounded:
    found = _bound(point)
    return found._replace(choice=found.choice / 2)


# What a weak learner is


Weak: TypeAlias = tuple[Fraction, int, Fraction, Fraction, Fraction]
"""epsilon, n_0, delta, alpha and beta."""
Decision: TypeAlias = Callable[[PrivacyGuarantee, int, Fraction, Fraction], bool]


def _weak(_: Budget) -> Iterator[Weak]:
    # n_0 is a power of two, so that its logarithm is an integer.
    for k, e in product((1, 4, 10), (Fraction(9, 100), Fraction(1, 10), Fraction(11, 100))):
        exact = Fraction(1, 4**k * k)
        for delta in (exact / 2, exact * Fraction(999, 1000), exact * 2):
            for a, b in product((Fraction(1, 20), Fraction(1, 16), Fraction(1, 15)), repeat=2):
                yield e, 2**k, delta, a, b


def _printed_weak(decision: Decision, it: Weak) -> Finding:
    epsilon, n0, delta, alpha, beta = it
    # With c = 1: delta <= 1/(n0^2 log2 n0).
    sixteenth = Fraction(1, 16)
    small = delta * n0**2 * (n0.bit_length() - 1) <= 1
    meant = epsilon <= Fraction(1, 10) and small and alpha <= sixteenth and beta <= sixteenth
    found = decision(PrivacyGuarantee(Epsilon(epsilon), delta), n0, alpha, beta)
    return settle(
        meant == found,
        f"epsilon = {epsilon}, delta = {delta}, n_0 = {n0}, alpha = {alpha}, beta = {beta}: said "
        f"{found}",
    )


def _read_from_left(guarantee: PrivacyGuarantee, n0: int, alpha: Fraction, beta: Fraction) -> bool:
    """The bound on delta read as (c/n_0^2) log n_0."""
    spared = guarantee.delta / (n0.bit_length() - 1) ** 2
    return is_weak_learner(PrivacyGuarantee(guarantee.epsilon, spared), n0, alpha, beta, 1)


# Random sampling

Sampled: TypeAlias = tuple[Fraction, Fraction, int, int]
"""Pr[output 1] on the labels 0 and 1, and how many of how many examples are drawn."""


def _sampled(budget: Budget) -> Iterator[Sampled]:
    grid = [Fraction(i, 6) for i in range(7)]
    for a, b in product(grid, repeat=2):
        for size in range(1, budget.pick(3, 4, 5)):
            yield a, b, 1, size


def _amplified(factor: Callable[[Fraction, Fraction], Fraction], it: Sampled) -> Finding:
    a, b, m, n = it

    def law(S: Sample[Hashable]) -> FiniteDistribution[int]:
        p = b if S.labels[0] else a
        return FiniteDistribution({f: q for f, q in ((1, p), (0, 1 - p)) if q})

    alone = closeness.minimal_epsilon(law(Sample("x", [0])), law(Sample("x", [1])))
    if not isinstance(alone, Fraction):
        return idle()  # not private at all
    thinned = Subsampled(FromLaw(law), m)

    def at(ones: int) -> Finding:
        S = Sample("x" * n, [1] * ones + [0] * (n - ones))
        T = Sample("x" * n, [1] * (ones + 1) + [0] * (n - ones - 1))
        found, allowed = (
            closeness.minimal_epsilon(thinned.law(S), thinned.law(T)),
            factor(alone, Fraction(m, n)),
        )
        return factor_at_most(
            found,
            allowed,
            f"Pr[1] = {a}, {b} on the labels 0, 1, {m} of {n} examples: e^epsilon = {found}, "
            f"{allowed} allowed",
        )

    return all_of(map(at, range(n)))


TRIALS: Trials = {
    "BLM20:theorem-6.explicit": (
        trial(
            "the constant",
            _enough,
            _points,
            subject=_bound,
            mutant=_half_the_choice,
            universe="d up to 3, powers of two for the other parameters; the runs of G, the "
            "choice, and both",
        ),
        trial(
            "weak learners",
            _printed_weak,
            _weak,
            subject=lambda g, n0, a, b: is_weak_learner(g, n0, a, b, 1),
            mutant=_read_from_left,
            universe="a grid around the printed parameters, c = 1",
        ),
    ),
    "BLM20:remark-sampling": (
        trial(
            "algorithms on one example",
            _amplified,
            _sampled,
            subject=lambda t, p: 1 + p * (t - 1),
            mutant=lambda t, p: 1 + p * (t - 1) / 2,
            universe="all output probabilities in sixths, one of up to 2 examples (more with "
            "the budget), all neighbouring samples",
            exhaustive=True,
        ),
    ),
}
