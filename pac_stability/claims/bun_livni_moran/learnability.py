"""Section I-A: Theorem 1 and Corollary 2."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.bun_livni_moran.literal import class_string
from pac_stability.claims.comparing import factor_at_most
from pac_stability.claims.finding import Finding, all_of, settle
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import Trials, trial
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import Example, Sample
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


def _agnostic(H: FiniteClass, ratio: int) -> AgnosticPrivateLearner[Row]:
    base = exponential_learner(H, _BASE)
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


def _too_little(_: AgnosticPrivateLearner[Row]) -> PrivacyGuarantee:
    """Less than is spent on one point, where a label survives with probability 5/9."""
    return PrivacyGuarantee(Epsilon.exactly(Fraction(6, 5)))


Sizes: TypeAlias = tuple[int, int, Fraction, Fraction]
"""The base learner's sample size, the VC dimension, alpha and beta."""


def _sizes(budget: Budget) -> Iterator[Sizes]:
    for i, j in product(range(1, budget.pick(5, 9, 14)), repeat=2):
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
            "the conditions",
            _source_conditions,
            _sizes,
            subject=Fraction(1),
            mutant=Fraction(3, 4),
            universe="a grid of base sizes, VC dimensions, alpha and beta",
        ),
    ),
}
