"""What is asked of learners: losses, learning, stability and privacy (Sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from pac_stability.books.dagan_feldman._questions import (
    AnyExample,
    AnySample,
    examples_on,
)
from pac_stability.claims.instances import all_labelled_samples, random_distributions
from pac_stability.claims.trials import Budget, Finding, Trials, settle, trial
from pac_stability.classes import FiniteClass, Hypothesis, cube
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.notions.accuracy import minimal_beta
from pac_stability.notions.by_type import learner_laws_by_type
from pac_stability.notions.losses import error

# Losses

Loss = Callable[[AnySample, Hypothesis], Fraction]


def _samples(budget: Budget) -> Iterator[AnySample]:
    for n in range(1, budget.pick(4, 6, 7)):
        yield from all_labelled_samples(cube(2), n)


def _empirical_loss(loss: Loss, sample: AnySample) -> Finding:
    n = len(sample)
    for h in cube(2):
        wrong = sum(Fraction(h(z.point) != z.label, n) for z in sample)
        answer = loss(sample, h)
        if answer != wrong:
            return settle(False, f"{sample}, row {h.index}: {answer}, by definition {wrong}")
    return settle(True, "")


def _loss_of_the_set(sample: AnySample, h: Hypothesis) -> Fraction:
    return Sample.from_examples(sorted(set(sample), key=str)).loss(h)


Risk = Callable[[FiniteDistribution[AnyExample], Hypothesis], Fraction]


def _laws(budget: Budget) -> Iterator[FiniteDistribution[AnyExample]]:
    universe = examples_on((0, 1))
    for law in random_distributions(budget.pick(30, 300, 3000), 4, seed="losses"):
        yield law.map(lambda index: universe[index])


def _true_loss(risk: Risk, law: FiniteDistribution[AnyExample]) -> Finding:
    for h in cube(2):
        wrong = sum((p for z, p in law.items() if h(z.point) != z.label), Fraction(0))
        if risk(law, h) != wrong:
            return settle(False, f"{law}: {risk(law, h)}, by definition {wrong}")
    return settle(True, "")


# Learning

Learning = Callable[[FiniteDistribution[AnyExample], int, Fraction], Fraction]
"""Pr[L_D(A^S) > min L_D + alpha] for the empirical risk minimiser."""

_CONSTANTS_AND_ONE = FiniteClass([[0, 0], [1, 1], [0, 1]])


def _minimiser(sample: AnySample) -> Hypothesis:
    return min(_CONSTANTS_AND_ONE, key=sample.count_errors)


def _by_the_library(law: FiniteDistribution[AnyExample], n: int, alpha: Fraction) -> Fraction:
    def learn(sample: AnySample) -> FiniteDistribution[Hypothesis]:
        return FiniteDistribution.point_mass(_minimiser(sample))

    laws = learner_laws_by_type(learn, examples_on((0, 1)), n)
    hypotheses: list[Hypothesis] = list(_CONSTANTS_AND_ONE)
    return minimal_beta(laws, law, alpha, hypotheses=hypotheses)


def _without_the_optimum(law: FiniteDistribution[AnyExample], n: int, alpha: Fraction) -> Fraction:
    return _pac_failure(law, n, alpha, Fraction(0))


def _pac_failure(
    law: FiniteDistribution[AnyExample], n: int, alpha: Fraction, best: Fraction
) -> Fraction:
    failure = Fraction(0)
    for drawn in product(law.items(), repeat=n):
        chance = Fraction(1)
        for _, p in drawn:
            chance *= p
        h = _minimiser(Sample.from_examples([z for z, _ in drawn]))
        risk = sum((p for z, p in law.items() if h(z.point) != z.label), Fraction(0))
        failure += chance * (risk > best + alpha)
    return failure


LearningInstance = tuple[FiniteDistribution[AnyExample], int, Fraction]


def _learning_instances(budget: Budget) -> Iterator[LearningInstance]:
    for index, law in enumerate(_laws(budget)):
        yield law, 1 + index % 3, Fraction(index % 4, 12)


def _pac(failure: Learning, instance: LearningInstance) -> Finding:
    law, n, alpha = instance
    best = min(error(h, law) for h in _CONSTANTS_AND_ONE)
    answer, defined = failure(law, n, alpha), _pac_failure(law, n, alpha, best)
    return settle(
        answer == defined, f"{law}, n = {n}, alpha = {alpha}: {answer}, by definition {defined}"
    )


# Stability and privacy of predictions: learners as tables


# Between the two


TRIALS: Trials = {
    "DF20:definition-losses": (
        trial(
            "on samples",
            _empirical_loss,
            _samples,
            subject=lambda sample, h: sample.loss(h),
            mutant=_loss_of_the_set,
            universe="all samples on two points, all four labellings",
            exhaustive=True,
        ),
        trial(
            "on distributions",
            _true_loss,
            _laws,
            subject=lambda law, h: error(h, law),
            mutant=lambda law, h: Fraction(
                sum(h(z.point) != z.label for z in law.support), len(law.support)
            ),
            universe="seeded distributions on the examples at two points, all labellings",
        ),
    ),
    "DF20:definition-pac": (
        trial(
            "empirical risk minimiser",
            _pac,
            _learning_instances,
            subject=_by_the_library,
            mutant=_without_the_optimum,
            universe="seeded distributions on two points, 1 to 3 examples, a class of three",
        ),
    ),
}
