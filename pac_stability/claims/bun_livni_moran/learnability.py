"""Section I-A: Theorem 1 and Corollary 2."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.bun_livni_moran.generic_learner import share_of_bad
from pac_stability.claims.bun_livni_moran.literal import class_string
from pac_stability.claims.comparing import at_most, factor_at_most
from pac_stability.claims.finding import Finding, all_of, fails, settle
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import Trials, trial
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.mechanisms import PrivacyGuarantee, exponential_learner
from pac_stability.notions import closeness
from pac_stability.papers.bun_livni_moran import (
    AgnosticPrivateLearner,
    agnostic_sizes,
)

Halves: TypeAlias = tuple[FiniteClass, int, Sample[Hashable]]
"""A class, the ratio of a half of the sample to the base learner's, and the sample."""

_BASE = Fraction(1, 2)


def _halves(budget: Budget) -> Iterator[Halves]:
    for ratio in (1, 2):
        for m in budget.pick((1,), (1, 2), (1, 2)):
            for H in all_classes(m):
                if m * ratio <= 2:
                    for S in all_labelled_samples(H, 2 * ratio):
                        yield H, ratio, S


def _agnostic(H: FiniteClass, ratio: int, decay: Fraction = _BASE) -> AgnosticPrivateLearner[Row]:
    base = exponential_learner(H, decay)
    return AgnosticPrivateLearner(H, base, 1, base.guarantee, ratio=ratio, decay=_BASE)


def _private(
    guarantee: Callable[[AgnosticPrivateLearner[Row]], PrivacyGuarantee], it: Halves
) -> Finding:
    H, ratio, S = it
    learner = _agnostic(H, ratio)
    allowed, law = guarantee(learner), learner.law(S)

    def beside(i: int, x: Hashable, y: int) -> Finding:
        other = S.replace(i, Example(x, y))
        needed = closeness.minimal_epsilon(law, learner.law(other), allowed.delta)
        return factor_at_most(
            needed,
            allowed.factor,
            f"class {class_string(H)}, {S} and {other}: e^epsilon = {needed}, {allowed.factor} "
            "allowed",
        )

    return all_of(beside(*place) for place in product(range(len(S)), H.domain, (0, 1)))


LongHalves: TypeAlias = tuple[int, int, Fraction]
"""The size of a half, how many labels in it are 1, and the decay of the base learner."""


def _long_halves(budget: Budget) -> Iterator[LongHalves]:
    for half in budget.pick((4, 12), (4, 12, 24), (4, 12, 24, 48)):
        for decay in (Fraction(1, 2), Fraction(1, 8), Fraction(1, 50)):
            for ones in range(half):
                yield half, ones, decay


def _private_on_one_point(
    guarantee: Callable[[AgnosticPrivateLearner[Row]], PrivacyGuarantee], it: LongHalves
) -> Finding:
    """Labels of the second half are never read, and the order of the first plays no part."""
    half, ones, decay = it
    learner = _agnostic(_CONSTANTS, half, decay)
    allowed = guarantee(learner)

    def law(k: int) -> FiniteDistribution[Row]:
        return learner.law(Sample([0] * 2 * half, [1] * k + [0] * (2 * half - k)))

    # A pattern by its errors on the half, then the base learner on one example of it.
    weight, right = _BASE ** (half - 2 * ones), 1 / (1 + decay)
    one = weight / (1 + weight) * right + (1 - right) / (1 + weight)
    if {h(0): p for h, p in law(ones).items()} != {0: 1 - one, 1: one}:
        return fails(f"halves of {half}, {ones} labels 1: law {law(ones)}, not {one} for label 1")
    needed = closeness.minimal_epsilon(law(ones), law(ones + 1), allowed.delta)
    return factor_at_most(
        needed,
        allowed.factor,
        f"one point, halves of {half}, {ones} or {ones + 1} labels 1, decay {decay} of the base "
        f"learner: e^epsilon = {needed}, {allowed.factor} allowed",
    )


_CONSTANTS = FiniteClass([[0], [1]])

Excess: TypeAlias = tuple[int, int, Fraction, Fraction]
"""The size of a half, m, the decay of the base learner, and how likely the label 1 is."""


_NO_LOSS = Fraction(1, 10**9)
"""alpha; on one point a base learner that is right has no loss."""


def _excesses(budget: Budget) -> Iterator[Excess]:
    for half in budget.pick((1000,), (1000, 4000), (1000, 4000, 16000)):
        for m, decay in product((4, 30), (Fraction(1, 2), Fraction(9, 10))):
            for p in (Fraction(1, 2), Fraction(51, 100), Fraction(3, 5), Fraction(99, 100)):
                yield half, m, decay, p


def _excess_on_one_point(
    bound: Callable[[AgnosticPrivateLearner[Row], int, Fraction], Interval], it: Excess
) -> Finding:
    """The loss above the least is |2p - 1| where the wrong constant is output."""
    half, m, r, p = it
    base = exponential_learner(_CONSTANTS, r)
    learner = AgnosticPrivateLearner(_CONSTANTS, base, m, base.guarantee, half // m, _BASE)
    # On m examples with the same label the base learner errs so often, and then about all.
    beta = r**m / (1 + r**m)
    # Label 0 is the rarer; it is chosen over 1 if the labels of D and the coins have it so.
    worse = 1 - share_of_bad(1, p, _BASE, half)
    right = (1 - worse) * (1 - beta) + worse * beta
    text = f"one point, halves of {half}, m = {m}, decay {r}, label 1 with probability {p}"
    return at_most((1 - right) * (2 * p - 1), bound(learner, 2 * half, beta), text, ceiling=1)


def _too_little(_: AgnosticPrivateLearner[Row]) -> PrivacyGuarantee:
    """Less than is spent on one point, where a label survives with probability 5/9."""
    return PrivacyGuarantee(Epsilon.exactly(Fraction(6, 5)))


Sizes: TypeAlias = tuple[int, int, Fraction, Fraction]
"""The base learner's sample size, the VC dimension, alpha and beta."""


def _sizes(budget: Budget) -> Iterator[Sizes]:
    grid = product(range(1, budget.pick(5, 9, 14)), repeat=2)
    for i, j in (*grid, *product([16], (1, 2, 3, 5))):
        for m, vc in product((1, 520, 10**6), (1, 2, 7)):
            yield m, vc, Fraction(1, 2**i), Fraction(1, 3**j)


def _source_conditions(share: Fraction, it: Sizes) -> Finding:
    """Claim 26, the bound for hypotheses that agree on T, and uniform convergence."""
    m, vc, alpha, beta = it
    n = int(agnostic_sizes(m, vc, alpha, beta).sample_size * share)
    half, delta = n // 2, beta / n
    log = Interval.log
    conditions = (
        half >= 9 * m,
        log(1 / beta) * 4 / alpha + (log(20 / alpha) + 1) * 10 * vc / alpha <= half,
        (log(16 / alpha) * vc + log(2 / beta)) * 80 / alpha <= half,
        (log(1 / beta) + vc) / alpha**2 <= half,
        n * delta <= beta,
    )
    return settle(
        all(conditions),
        f"m = {m}, VC = {vc}, alpha = {alpha}, beta = {beta}: n = {n} meets {conditions}",
    )


TRIALS: Trials = {
    "BLM20:corollary-2.explicit": (
        trial(
            "privacy",
            _private,
            _halves,
            subject=lambda learner: learner.guarantee,
            mutant=_too_little,
            universe="every class on one point (two, with halves of one example, from the "
            "standard budget on), halves of 1 and 2 examples, all neighbouring samples; r = "
            "1/2 and the exponential mechanism as the base learner",
            exhaustive=True,
        ),
        trial(
            "privacy on one point",
            _private_on_one_point,
            _long_halves,
            subject=lambda learner: learner.guarantee,
            mutant=_too_little,
            universe="two constants, halves of 4 and 12 examples (more with the budget), three "
            "base learners, all neighbouring samples up to what is never read",
        ),
        trial(
            "expected excess on one point",
            _excess_on_one_point,
            _excesses,
            subject=lambda learner, n, beta: learner.expected_excess(n, _NO_LOSS, beta),
            mutant=lambda learner, n, beta: learner.expected_excess(n, _NO_LOSS, beta) / 50,
            universe="two constants, halves of 1000 examples (more with the budget), base learners "
            "on 4 and 30 examples, four laws of the label; exact sums",
        ),
        trial(
            "the conditions",
            _source_conditions,
            _sizes,
            subject=Fraction(1),
            mutant=Fraction(3, 4),
            universe="a grid of base sizes, VC dimensions, alpha and beta",
        ),
    ),
}
