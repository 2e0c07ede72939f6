"""What resampling makes of learners: Theorems 33 to 35 (Section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, Finding, Trials, all_of, at_most, fails, trial
from pac_stability.classes import FiniteClass
from pac_stability.data import (
    FiniteDistribution,
    all_examples,
    multiset_distribution,
)
from pac_stability.papers.cummings_et_al import (
    ResamplingAccuracy,
    ThresholdSideCondition,
    UniformConvergence,
)

# Theorems 33 and 34.


@dataclass(frozen=True, slots=True)
class Vote:
    """The majority of n labels as a learner for the two constants, and gamma."""

    n: int
    gamma: Fraction

    def wrong(self, ones: Fraction) -> Fraction:
        """Return how often it errs for labels that are 1 with such a probability above 1/2."""
        n = self.n
        rest = (comb(n, k) * ones**k * (1 - ones) ** (n - k) for k in range(n // 2 + 1))
        return sum(rest, Fraction(0))

    @property
    def alpha(self) -> Fraction:
        """The least excess that it keeps to, with probability 1 - gamma, on samples."""
        n = self.n
        far = [Fraction(k, n) for k in range(n // 2 + 1, n + 1)]
        far += [Fraction(k, n) for k in range((n + 1) // 2)]
        missed = [
            abs(2 * q - 1)
            for q in far
            if (self.wrong(q) if 2 * q > 1 else 1 - self.wrong(q)) > self.gamma
        ]
        return max(missed, default=Fraction(1, 1000))

    def resampled(self, p: Fraction) -> Fraction:
        """Return how often Algorithm 2 over it errs, for p > 1/2."""
        n = self.n
        return sum(
            (
                comb(n, k) * p**k * (1 - p) ** (n - k) * self.wrong(Fraction(k, n))
                for k in range(n + 1)
            ),
            Fraction(0),
        )


def _votes(budget: Budget) -> Iterator[Vote]:
    for n in budget.pick((15, 31), (15, 31, 51), (15, 31, 51, 101)):
        for gamma in ("1/20", "1/10", "1/5"):
            yield Vote(n, Fraction(gamma))


Accuracy: TypeAlias = Callable[[Vote], tuple[Interval, Fraction]]


def _stays_accurate(stated: Accuracy, vote: Vote) -> Finding:
    excess, allowed = stated(vote)

    def toss(p: Fraction) -> Finding:
        found = vote.resampled(p)
        return at_most(
            found,
            allowed,
            f"majority of {vote.n} labels, gamma = {vote.gamma}, alpha = {vote.alpha}, Pr[1] = "
            f"{p}: worse by {2 * p - 1} > {float(excess):.4f} with probability {float(found):.4f} "
            f"> {allowed}",
            ceiling=1,
        )

    chances = (Fraction(i, 100) for i in range(51, 100, 2))
    return all_of(toss(p) for p in chances if excess < 2 * p - 1)


def _finite_accuracy(vote: Vote) -> tuple[Interval, Fraction]:
    found = ResamplingAccuracy(vote.n, 2, vote.alpha, vote.gamma)
    return found.excess(), found.failure


def _same_accuracy(vote: Vote) -> tuple[Interval, Fraction]:
    return Interval.exactly(vote.alpha), vote.gamma


Sampled: TypeAlias = tuple[FiniteClass, int, Fraction]


def _sampled(budget: Budget) -> Iterator[Sampled]:
    kinds = [H for m in (1, 2) for H in all_classes(m)]
    for H, n in product(kinds, budget.pick((2, 5), (2, 5, 8), (2, 5, 8, 12))):
        for gamma in ("1/10", "1/2"):
            yield H, n, Fraction(gamma)


Deviation: TypeAlias = Callable[[int, int, Fraction], Interval]


def _uniform(deviation: Deviation, sampled: Sampled) -> Finding:
    H, n, gamma = sampled
    examples = all_examples(H.domain)
    allowed = deviation(len(H), n, gamma).lower
    source = FiniteDistribution.uniform(examples)
    errors = [[int(h(z.point) != z.label) for z in examples] for h in H]
    means = [Fraction(sum(row), len(examples)) for row in errors]
    missed = Fraction(0)
    for kind, weight in multiset_distribution(source, n).items():
        counts = [kind.count(z) for z in examples]
        gaps = (
            abs(Fraction(sum(e * c for e, c in zip(row, counts, strict=True)), n) - mean)
            for row, mean in zip(errors, means, strict=True)
        )
        if max(gaps) > allowed:
            missed += weight
    return at_most(
        missed,
        gamma,
        f"{H.table.tolist()}, n = {n}, uniform examples: some error is off by more than "
        f"{float(allowed):.4f} with probability {float(missed):.4f} > {gamma}",
    )


def _for_all(size: int, n: int, gamma: Fraction) -> Interval:
    return UniformConvergence(size, gamma).deviation(n)


def _without_class(size: int, n: int, gamma: Fraction) -> Interval:
    return Interval.sqrt(Interval.log(1 / gamma) / (4 * n))


# Theorem 35.


def _up_to(budget: Budget) -> Iterator[int]:
    yield from range(2, budget.pick(50, 500, 5000))


Condition: TypeAlias = Callable[[int], ThresholdSideCondition]


def _affordable(condition: Condition, n: int) -> Finding:
    found, needed = condition(n), Fraction(1, 1500 * n * n)
    reached = found.reached()
    text = (
        f"n = {n}, delta = beta = {found.allowed}: privacy with delta up to {float(reached):.3e}, "
        f"and Theorem 22 is for at most {float(needed):.3e}"
    )
    same = found.allowed == Fraction(1, 10_000 * n * n)
    return at_most(reached, needed, text) if same else fails(text)


def _as_stated(n: int) -> ThresholdSideCondition:
    return ThresholdSideCondition(n, "paper")


def _as_proved(n: int) -> ThresholdSideCondition:
    return ThresholdSideCondition(n, "sharp")


TRIALS: Trials = {
    "CLNRW16:theorem-33.finite": (
        trial(
            "majority of labels",
            _stays_accurate,
            _votes,
            subject=_finite_accuracy,
            mutant=_same_accuracy,
            universe="15 and 31 labels, three gammas, Pr[label 1] in hundredths",
        ),
        _written.THEOREM_33,
    ),
    "CLNRW16:theorem-34.finite": (
        trial(
            "uniform examples",
            _uniform,
            _sampled,
            subject=_for_all,
            mutant=_without_class,
            universe="every class on one or two points, n = 2 and 5, uniform examples",
        ),
        _written.THEOREM_34,
    ),
    "CLNRW16:theorem-35.budget": (
        trial(
            "as stated",
            _affordable,
            _up_to,
            subject=_as_stated,
            universe="sample sizes from 2 on, the largest delta and beta",
        ),
    ),
    "CLNRW16:theorem-35.budget.repaired": (
        trial(
            "four links",
            _affordable,
            _up_to,
            subject=_as_proved,
            mutant=_as_stated,
            universe="sample sizes from 2 on, the largest delta and beta",
        ),
        _written.THEOREM_35,
    ),
}
