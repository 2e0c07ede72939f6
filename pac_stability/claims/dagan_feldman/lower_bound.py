"""How many examples stable learning takes: Theorem 11 (Section 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, comb, prod
from typing import Protocol

from pac_stability.arithmetic import Epsilon
from pac_stability.claims.budget import Budget
from pac_stability.claims.comparing import at_least
from pac_stability.claims.dagan_feldman._questions import AnySample, examples_on
from pac_stability.claims.finding import Finding, all_of, idle
from pac_stability.claims.trials import Trials, trial
from pac_stability.classes import FiniteClass, cube
from pac_stability.data import Sample, neighbouring_pairs
from pac_stability.learning import Predictor
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    ExponentialLearner,
    HardDistribution,
    StableLearner,
    SubsetAverage,
    VotingLearner,
    least_sample_size,
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
def _losses(
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
    return sum((chance * loss for _, chance, loss in _losses(*setting)), Fraction(0))


Bound = Callable[[int, Fraction, Fraction], Fraction]
"""From the number of light points, gamma and alpha to a number of examples."""


def _theorem(m: int, gamma: Fraction, alpha: Fraction) -> Fraction:
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


# (alpha, beta)-learners


@dataclass(frozen=True)
class TwoExamples:
    """On points 0 and 1, the label of 0 known: two examples at 1 that are trusted differently.

    The first moves the prediction by 9/50 towards label 1 or by 4/50 towards label 0, the second by
    4/50 or by 9/50; so it is 13/50-stable.
    """

    def probabilities(self, sample: AnySample, points: Sequence[Hashable], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        p = Fraction(1, 2)
        for z, up in zip(sample, (9, 4), strict=True):
            if z.point == 1:
                p += Fraction(up if z.label else up - 13, 50)
        return [p if x == 1 else Fraction(0) for x in points]


Voter = tuple[JudgedLearner, FiniteClass, int, Fraction, Fraction, Fraction]
"""A learner, a class on the points 0 and 1, n, and a stability gamma; alpha and beta."""


def _worst_failure(voter: Voter) -> Fraction:
    """Bound how often the error exceeds alpha, over all realizable distributions.

    Errors are linear in the mass of point 1, and between two masses where one of them reaches alpha
    the probability to fail is largest at an end (it falls, or is convex). There an error of alpha
    counts as too large, unless no further mass lies beyond it.
    """
    learner, H, n, _, alpha, _ = voter
    ordered = isinstance(learner, TwoExamples)
    places = (
        product((0, 1), repeat=n) if ordered else ((0,) * (n - k) + (1,) * k for k in range(n + 1))
    )
    drawn = list(places)
    worst = Fraction(0)
    for target in H:
        errors = []
        for chosen in drawn:
            points: list[Hashable] = [*chosen]
            sample: AnySample = Sample(points, [target(x) for x in chosen])
            p, q = learner.probabilities(sample, [0, 1])
            errors.append((abs(p - target(0)), abs(q - target(1))))
        ends = {
            m
            for at_0, at_1 in set(errors)
            if at_0 != at_1 and 0 <= (m := (alpha - at_0) / (at_1 - at_0)) <= 1
        }
        for m in {Fraction(0), Fraction(1), *ends}:
            failure = Fraction(0)
            for chosen, (at_0, at_1) in zip(drawn, errors, strict=True):
                loss = (1 - m) * at_0 + m * at_1
                if loss > alpha or (loss == alpha and 0 < m < 1):
                    k = sum(chosen)
                    ways = 1 if ordered else comb(n, k)
                    failure += ways * m**k * (1 - m) ** (n - k)
            worst = max(worst, failure)
    return worst


WithBeta = Callable[[int, Fraction, Fraction, Fraction], Fraction]


def _tight(bound: WithBeta, voter: Voter) -> Finding:
    learner, H, n, gamma, alpha, beta = voter
    asked = bound(1, gamma, alpha, beta)
    if n >= asked:
        return idle()
    failure = _worst_failure(voter)
    return at_least(
        failure,
        beta,
        f"{len(H)} hypotheses on two points, {type(learner).__name__}, {gamma}-stable, n = {n}: on "
        f"every realizable distribution the error is above {alpha} with probability at most "
        f"{failure} <= beta = {beta}; the bound asks for {float(asked):.4f} examples",
        strictly=True,
    )


_PAIR = FiniteClass([[0, 0], [0, 1]])


def _voters(_: Budget) -> Iterator[Voter]:
    yield TwoExamples(), _PAIR, 2, Fraction(13, 50), Fraction(6, 25), Fraction(7, 16)
    yield VotingLearner(Fraction(1)), cube(2), 12, Fraction(1), Fraction(1, 100), Fraction(4, 5)


def _low_beta(budget: Budget) -> Iterator[Voter]:
    for beta in (Fraction(1, 10), Fraction(1, 4), Fraction(7, 16)):
        most = (1 - 2 * beta) / (4 * (1 - beta))
        for alpha in (most, most / 2):
            for gamma in (Fraction(1, 4), Fraction(1)):
                learner = VotingLearner(gamma, Sample([0], [0]))
                for n in range(1, budget.pick(5, 9, 30)):
                    yield learner, _PAIR, n, gamma, alpha, beta


def _with_beta(m: int, gamma: Fraction, alpha: Fraction, beta: Fraction) -> Fraction:
    return (1 - 2 * beta) ** 2 * m / (8 * (1 - beta) * gamma * alpha)


def _learned_at_most(scale: int, setting: Setting) -> Finding:
    """For the best alpha of each beta, on the mass that belongs to it."""
    learner, hard, n = setting
    gamma = stability(learner, hard.points, n)

    def at(beta: Fraction) -> Finding:
        alpha = hard.mass * (1 - 2 * beta) / (4 * (1 - beta))
        asked = _with_beta(len(hard.light), gamma, alpha, beta) if gamma else n + 1
        if n >= asked * scale:
            return idle()
        by_target: dict[Target, Fraction] = {}
        for target, chance, loss in _losses(*setting):
            by_target[target] = by_target.get(target, Fraction(0)) + chance * (loss > alpha)
        failure = max(by_target.values()) * len(by_target)
        return at_least(
            failure,
            beta,
            f"{type(learner).__name__}, gamma = {gamma}, n = {n} < {asked}: every target is "
            f"learned up to {alpha} except with probability {failure} <= {beta}",
            strictly=True,
        )

    return all_of(map(at, (Fraction(1, 10), Fraction(1, 4))))


# Appendix D, line by line

Line = Callable[[Setting, Fraction], Fraction]


_LEARNERS = "nine learners on two or three shattered points, with few examples"

TRIALS: Trials = {
    "DF20:theorem-11": (
        trial(
            "learners",
            _needs,
            shattered,
            subject=_theorem,
            mutant=lambda m, gamma, alpha: 8 * _theorem(m, gamma, alpha),
            universe=_LEARNERS,
        ),
        trial(
            "one example less",
            _needs_one_more,
            votes,
            subject=_theorem,
            mutant=lambda m, gamma, alpha: 2 * _theorem(m, gamma, alpha),
            universe="voting learners on two and three light points, gamma = 1/4 and 1/6",
        ),
    ),
    "DF20:theorem-11.one-dimension": (
        trial(
            "learners",
            _needs,
            one_dimension,
            subject=_theorem,
            mutant=lambda m, gamma, alpha: 8 * _theorem(m, gamma, alpha),
            universe="nine learners on a light and a heavy point, with few examples",
        ),
    ),
    "DF20:theorem-1.tightness": (
        trial(
            "voting",
            _tight,
            _voters,
            subject=lambda m, gamma, alpha, _: _theorem(m, gamma, alpha),
            universe="two hypotheses with beta = 7/16, all subsets of two points with 4/5",
        ),
    ),
    "DF20:theorem-1.tightness.repaired": (
        trial(
            "learners",
            _learned_at_most,
            shattered,
            subject=1,
            mutant=8,
            universe=_LEARNERS,
        ),
        trial(
            "voting",
            _tight,
            _low_beta,
            subject=lambda *given: Fraction(least_sample_size(*given, constants="printed")),
            mutant=lambda *given: 100 * _with_beta(*given),
            universe="the voting learner on two hypotheses, beta up to 7/16",
        ),
    ),
}
