"""How many examples stable (alpha, beta)-learning takes: the tightness of Theorem 1."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

from pac_stability.books.dagan_feldman._questions import AnySample
from pac_stability.books.dagan_feldman.lower_bound import (
    LEARNERS,
    JudgedLearner,
    Setting,
    Target,
    losses_of,
    shattered,
    stability,
    theorem_11,
)
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    idle,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, cube
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import VotingLearner, least_sample_size


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


def _in_whole(m: int, gamma: Fraction, alpha: Fraction, beta: Fraction) -> Fraction:
    return Fraction(least_sample_size(m, gamma, alpha, beta, constants="printed"))


Numbers = tuple[int, Fraction, Fraction, Fraction]


def _numbers(budget: Budget) -> Iterator[Numbers]:
    betas = (Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(7, 16))
    gammas = (Fraction(1), Fraction(1, 7), Fraction(1, 500))
    for m, gamma, beta in product((1, 2, 9)[: budget.pick(3, 3, 3)], gammas, betas):
        most = (1 - 2 * beta) / (4 * (1 - beta))
        yield from ((m, gamma, most / k, beta) for k in (1, 2, 10))


def _least(bound: WithBeta, numbers: Numbers) -> Finding:
    """The least integer that the statement leaves; and with more than its proof there is more."""
    found, stated = bound(*numbers), _with_beta(*numbers)
    sharp = least_sample_size(*numbers)
    return settle(
        found - 1 < stated <= found <= sharp,
        f"m, gamma, alpha, beta = {numbers}: {found}, not the least from {stated} on, or more than "
        f"{sharp}",
    )


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
        for target, chance, loss in losses_of(*setting):
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


TRIALS: Trials = {
    "DF20:theorem-1.tightness": (
        trial(
            "voting",
            _tight,
            _voters,
            subject=lambda m, gamma, alpha, _: theorem_11(m, gamma, alpha),
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
            universe=LEARNERS,
        ),
        trial(
            "voting",
            _tight,
            _low_beta,
            subject=_in_whole,
            mutant=lambda *given: 100 * _with_beta(*given),
            universe="the voting learner on two hypotheses, beta up to 7/16",
        ),
        trial(
            "in whole numbers",
            _least,
            _numbers,
            subject=_in_whole,
            mutant=lambda *given: _in_whole(*given) + 1,
            universe="up to nine light points, a grid of gamma, alpha and beta",
        ),
    ),
}
