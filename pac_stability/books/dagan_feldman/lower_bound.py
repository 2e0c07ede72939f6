"""How many examples stable learning takes: Theorem 11 (Section 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, prod
from typing import Protocol

from pac_stability.arithmetic import Epsilon
from pac_stability.books.dagan_feldman._questions import AnySample, examples_on
from pac_stability.claims.trials import Budget, Finding, Trials, at_least, idle, trial
from pac_stability.classes import cube
from pac_stability.data import Sample, neighbouring_pairs
from pac_stability.learning import Predictor
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    ExponentialLearner,
    HardDistribution,
    StableLearner,
    SubsetAverage,
    VotingLearner,
)

Target = tuple[int, ...]


class JudgedLearner(Predictor[Hashable, Fraction], Hashable, Protocol):
    """A learner with exact predictions, which can be remembered."""


@dataclass(frozen=True)
class Constant:
    """Learner label 1 with one probability everywhere."""

    p: Fraction

    def probabilities(self, _: AnySample, points: Sequence[Hashable], /) -> list[Fraction]:
        """Return that probability for each point."""
        return [self.p] * len(points)


@dataclass(frozen=True)
class Memory:
    """Learner labels that were seen, and 0 elsewhere."""

    def probabilities(self, sample: AnySample, points: Sequence[Hashable], /) -> list[Fraction]:
        """Return the last label seen at each point."""
        seen = {z.point: Fraction(z.label) for z in sample}
        return [seen.get(x, Fraction(0)) for x in points]


@dataclass(frozen=True)
class Contrary:
    """Predicts the opposite of the last label seen at a point, and 1/2 elsewhere."""

    def probabilities(self, sample: AnySample, points: Sequence[Hashable], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        seen = {z.point: Fraction(1 - z.label) for z in sample}
        return [seen.get(x, Fraction(1, 2)) for x in points]


Setting = tuple[JudgedLearner, HardDistribution, int]


def _settings(budget: Budget, hard: Sequence[HardDistribution]) -> Iterator[Setting]:
    for h in hard:
        m = len(h.points)
        learners: list[JudgedLearner] = [
            Constant(Fraction(1, 3)),
            Memory(),
            Contrary(),
            VotingLearner(Fraction(2, 5)),
            VotingLearner(Fraction(1)),
            DisjointAverage(cube(m), 2),
            SubsetAverage(cube(m), 1),
            ExponentialLearner(cube(m), Epsilon.exactly(4)),
            StableLearner(cube(m), 1, Epsilon.exactly(9)),
        ]
        for n in range(2, budget.pick(4, 5, 6) - (m > 2)):
            yield from ((learner, h, n) for learner in learners)


def shattered(budget: Budget) -> Iterator[Setting]:
    """Give learners on shattered points, as in the paper."""
    hard = [
        HardDistribution.shattered((0, 1), Fraction(1, 8)),
        HardDistribution.shattered((0, 1), Fraction(1, 4)),
        HardDistribution.shattered((0, 1, 2), Fraction(1, 6)),
    ]
    return _settings(budget, hard)


def votes(budget: Budget) -> Iterator[tuple[VotingLearner, HardDistribution]]:
    """Give voting learners on light points that have all the mass."""
    for light, inverse in ((2, 4), (2, 6), (3, 4), (3, 5), (2, 8))[: budget.pick(3, 4, 5)]:
        hard = HardDistribution.shattered(range(light + 1), Fraction(1, 4))
        yield VotingLearner(Fraction(1, inverse)), hard


def _needs_one_more(bound: Bound, voter: tuple[VotingLearner, HardDistribution]) -> Finding:
    """Ask the same for one example less than the bound, of a learner whose gamma is known."""
    learner, hard = voter
    n = ceil(bound(len(hard.light), learner.gamma, hard.mass / 4)) - 1
    return _errs(bound, (learner, hard, n), learner.gamma)


def one_dimension(budget: Budget) -> Iterator[Setting]:
    """Give learners on a light point, and a heavy one with a common label."""
    hard = [
        HardDistribution.with_common_label((1,), 0, 0, Fraction(1, 8)),
        HardDistribution.with_common_label((1,), 0, 1, Fraction(1, 5)),
    ]
    return _settings(budget, hard)


@cache
def stability(learner: JudgedLearner, points: tuple[Hashable, ...], n: int) -> Fraction:
    """The least gamma, over all neighbouring samples."""
    answers: dict[AnySample, Sequence[Fraction]] = {}

    def asked(sample: AnySample) -> Sequence[Fraction]:
        if sample not in answers:
            answers[sample] = learner.probabilities(sample, points)
        return answers[sample]

    return max(
        abs(p - q)
        for sample, other in neighbouring_pairs(examples_on(points), n)
        for p, q in zip(asked(sample), asked(other), strict=True)
    )


def drawn(hard: HardDistribution, n: int) -> Iterator[tuple[Target, AnySample, Fraction]]:
    """Every target, and every sample that it labels, with the probability of both."""
    points, masses = hard.points, hard.masses
    heavy = (0, 1) if hard.heavy_label is None else (hard.heavy_label,)
    targets = list(product(*[(0, 1)] * len(hard.light), heavy))
    for target in targets:
        for places in product(range(len(points)), repeat=n):
            chance = prod((masses[k] for k in places), start=Fraction(1, len(targets)))
            if chance:
                sample: AnySample = Sample([points[k] for k in places], [target[k] for k in places])
                yield target, sample, chance


@cache
def losses_of(
    learner: JudgedLearner, hard: HardDistribution, n: int
) -> tuple[tuple[Target, Fraction, Fraction], ...]:
    """Target, chance and loss of every sample."""
    found = []
    for target, sample, chance in drawn(hard, n):
        predicted = learner.probabilities(sample, hard.points)
        loss = sum(
            (w * abs(h - p) for w, h, p in zip(hard.masses, target, predicted, strict=True)),
            Fraction(0),
        )
        found.append((target, chance, loss))
    return tuple(found)


def _mean(setting: Setting) -> Fraction:
    return sum((chance * loss for _, chance, loss in losses_of(*setting)), Fraction(0))


Bound = Callable[[int, Fraction, Fraction], Fraction]
"""From the number of light points, gamma and alpha to a number of examples."""


def theorem_11(m: int, gamma: Fraction, alpha: Fraction) -> Fraction:
    """Return what the theorem asks for, with m = d - 1 light points."""
    return Fraction(m) / (8 * gamma * alpha)


def _needs(bound: Bound, setting: Setting) -> Finding:
    """With fewer examples, some target is learned with an expected error above alpha."""
    learner, hard, n = setting
    return _errs(bound, setting, stability(learner, hard.points, n))


def _errs(bound: Bound, setting: Setting, gamma: Fraction) -> Finding:
    learner, hard, n = setting
    alpha = hard.mass / 4
    if gamma and n >= bound(len(hard.light), gamma, alpha):
        return idle()
    mean = _mean(setting)
    return at_least(
        mean,
        alpha,
        f"{type(learner).__name__}, {len(hard.light)} light points of mass {hard.mass}, n = {n}, "
        f"gamma = {gamma}: the average error is {mean} <= alpha = {alpha}, though n < "
        f"{bound(len(hard.light), gamma or Fraction(1), alpha)}",
        strictly=True,
    )


LEARNERS = "nine learners on two or three shattered points, with few examples"

TRIALS: Trials = {
    "DF20:theorem-11": (
        trial(
            "learners",
            _needs,
            shattered,
            subject=theorem_11,
            mutant=lambda m, gamma, alpha: 8 * theorem_11(m, gamma, alpha),
            universe=LEARNERS,
        ),
        trial(
            "one example less",
            _needs_one_more,
            votes,
            subject=theorem_11,
            mutant=lambda m, gamma, alpha: 2 * theorem_11(m, gamma, alpha),
            universe="voting learners on two and three light points, gamma = 1/4 and 1/6",
        ),
    ),
    "DF20:theorem-11.one-dimension": (
        trial(
            "learners",
            _needs,
            one_dimension,
            subject=theorem_11,
            mutant=lambda m, gamma, alpha: 8 * theorem_11(m, gamma, alpha),
            universe="nine learners on a light and a heavy point, with few examples",
        ),
    ),
}
