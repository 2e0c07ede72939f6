"""Private learners that the paper compares with (Section 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from operator import itemgetter

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import lemma_accounts, size_accounts
from pac_stability.books.dagan_feldman._learning import (
    CONSTANTS,
    Predicts,
    private_up_to,
)
from pac_stability.books.dagan_feldman._questions import AnySample, factor_between, neighbours_of
from pac_stability.books.dagan_feldman.introduction import Case, Promise, Sized, learns, promises
from pac_stability.claims.instances import all_labelled_samples
from pac_stability.claims.trials import Budget, Finding, Trials, all_of, factor_at_most, trial
from pac_stability.classes import thresholds
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    DworkFeldmanAggregation,
    ExponentialLearner,
    LaplaceAggregation,
    ThresholdWalk,
    sample_complexity,
)


@cache
def _model_size(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    size = sample_complexity.exponential_learner_size(alpha, beta, epsilon, 1, 2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _hardly_any_privacy_budget(_: Fraction, __: Fraction, ___: Fraction) -> tuple[int, Predicts]:
    return 1, ExponentialLearner(CONSTANTS, Fraction(1, 100))


Guaranteed = Callable[[Fraction, int], tuple[Predicts, Fraction]]
"""From e^epsilon and a size to a learner and the factor of its guarantee."""


def _neighbouring_factor(make: Guaranteed, case: Case) -> Finding:
    H, sample, size = case

    def at(t: Fraction) -> Finding:
        learner, allowed = make(t, min(size, len(sample)))
        here = learner.probabilities(sample, H.domain)
        worst: tuple[Fraction | float, AnySample] = (Fraction(1), sample)
        for other in neighbours_of(sample, H.domain):
            there = learner.probabilities(other, H.domain)
            factors = (factor_between(p, q) for p, q in zip(here, there, strict=True))
            worst = max(worst, (max(factors), other), key=itemgetter(0))
        factor, other = worst
        return factor_at_most(
            factor, allowed, f"{sample} and {other}, e^epsilon = {t}: {factor} > {allowed}"
        )

    return all_of(map(at, (Fraction(9, 4), Fraction(4))))


def _on_thresholds(budget: Budget) -> Iterator[Case]:
    for n in range(1, budget.pick(4, 5, 6)):
        for sample in list(all_labelled_samples(thresholds(2), n))[:: budget.pick(3, 1, 1)]:
            yield thresholds(2), sample, max(1, n - 1)


def _aggregation(t: Fraction, blocks: int) -> tuple[Predicts, Fraction]:
    learner = DworkFeldmanAggregation(thresholds(2), blocks, Epsilon.exactly(t))
    return learner, learner.guarantee.factor


def _naive_mean(t: Fraction, blocks: int) -> tuple[Predicts, Fraction]:
    return DisjointAverage(thresholds(2), blocks), t


def _model(t: Fraction, _: int) -> tuple[Predicts, Fraction]:
    learner = ExponentialLearner(thresholds(2), Epsilon.exactly(t))
    return learner, learner.guarantee.factor


def _model_with_less(t: Fraction, _: int) -> tuple[Predicts, Fraction]:
    return ExponentialLearner(thresholds(2), Epsilon.exactly(t**3)), t


def _walk(t: Fraction, limit: int) -> tuple[Predicts, Fraction]:
    learner = ThresholdWalk(Epsilon.exactly(t), limit + 1)
    return learner, learner.guarantee.factor


def _wider_walk(t: Fraction, limit: int) -> tuple[Predicts, Fraction]:
    return ThresholdWalk(Epsilon.exactly(t**2), limit + 1), t


def _exp(epsilon: Fraction) -> Interval:
    return Interval.exp(epsilon)


Laplace = tuple[int, int, Fraction]
"""Votes for 1, voters, and epsilon."""


def _laplace_votes(budget: Budget) -> Iterator[Laplace]:
    for r in range(1, budget.pick(4, 8, 20)):
        yield from product(range(r), [r], [Fraction(1, 2), Fraction(2)])


def _laplace(guarantee: Callable[[Fraction], Interval], instance: Laplace) -> Finding:
    votes, r, epsilon = instance
    learner = LaplaceAggregation(CONSTANTS, r, epsilon)
    p, q = (learner.probabilities(counted_votes(v, r), [0])[0] for v in (votes, votes + 1))
    allowed = guarantee(epsilon)
    return all_of(
        factor_at_most(a / b, allowed, f"{votes} of {r} votes, epsilon = {epsilon}: {a / b}")
        for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
    )


def counted_votes(ones: int, r: int) -> AnySample:
    """Return a sample with one example for each block."""
    return Sample([0] * r, [1] * ones + [0] * (r - ones))


def _aggregation_is_private(sized: Sized, promise: Promise) -> Finding:
    alpha, beta, epsilon, _ = promise
    n, learner = sized(alpha, beta, epsilon)
    if not isinstance(learner, DworkFeldmanAggregation | DisjointAverage):
        raise AssertionError
    # The vote of the first block turns at half of its size.
    turn = n // learner.blocks // 2
    return private_up_to(learner, n, Epsilon(epsilon).ratio, (0, turn - 1, turn, turn + 1))


@cache
def _aggregation_size(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    size = sample_complexity.aggregation_size(alpha, beta, epsilon, 1, class_size=2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _without_noise(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    n, _ = _aggregation_size(alpha, beta, epsilon)
    return n, DisjointAverage(CONSTANTS, 5)


TRIALS: Trials = {
    "DF20:section-1.aggregation": (
        trial(
            "discrete noise",
            _neighbouring_factor,
            _on_thresholds,
            subject=_aggregation,
            mutant=_naive_mean,
            universe="samples of one to three examples, all neighbours",
        ),
        trial(
            "Laplace noise",
            _laplace,
            _laplace_votes,
            subject=_exp,
            mutant=lambda epsilon: Interval.exp(epsilon / 3),
            universe="all votes of few voters, two epsilons",
        ),
        trial(
            "sizes",
            _aggregation_is_private,
            promises,
            subject=_aggregation_size,
            mutant=_without_noise,
            universe="both constants on one point",
        ),
    ),
    "DF20:section-1.private-model": (
        trial(
            "privacy",
            _neighbouring_factor,
            _on_thresholds,
            subject=_model,
            mutant=_model_with_less,
            universe="samples of one to three examples, all neighbours",
        ),
        trial(
            "sizes",
            learns,
            promises,
            subject=_model_size,
            mutant=_hardly_any_privacy_budget,
            universe="both constants on one point, four biases",
        ),
        size_accounts.steps(
            lemma_accounts.exponential_learner,
            lemma_accounts.at_two_thirds(lemma_accounts.exponential_learner),
        ),
    ),
    "DF20:section-1.1.thresholds": (
        trial(
            "privacy",
            _neighbouring_factor,
            _on_thresholds,
            subject=_walk,
            mutant=_wider_walk,
            universe="samples of one to three examples, all neighbours",
        ),
    ),
}
