"""The learners of Theorems 1 and 3 and Corollary 2 at their sizes, on classes of several points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TypeVar

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._questions import (
    AnySample,
    examples_on,
    factor_between,
)
from pac_stability.books.dagan_feldman.learning_tasks import (
    LearningTask,
    coins,
    cube_2,
    cube_3,
    delicate,
    interval,
    learns,
    learns_as_drawn,
    line,
    skewed,
)
from pac_stability.claims.trials import Budget, Finding, all_of, at_most, factor_at_most
from pac_stability.papers.dagan_feldman import (
    FlippedLearner,
    PrivatePredictionLearner,
    StableLearner,
    sample_complexity,
)
from pac_stability.papers.dagan_feldman.sample_complexity.asking import Known

Goal = tuple[Fraction, Fraction, Fraction]
"""alpha, beta, and gamma or epsilon."""

Setting = tuple[LearningTask, Goal, bool]
"""What is to be learned and how well, and whether the number of hypotheses is known."""

L = TypeVar("L")
Sized = Callable[[LearningTask, Goal, bool], tuple[int, L]]
"""A sample size, and the learner."""

Flipped = FlippedLearner[StableLearner]

_EASY: Goal = (Fraction(2, 5), Fraction(1, 2), Fraction(4, 5))
_FAIR: Goal = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
_HARD: Goal = (Fraction(1, 6), Fraction(1, 10), Fraction(1, 3))


def settings(budget: Budget) -> Iterator[Setting]:
    """Give what Theorem 1 and Corollary 2 are asked about."""
    yield from product((cube_2(), cube_3(), skewed(), coins()), (_EASY,), (True,))
    if budget is not Budget.QUICK:
        yield from product((cube_2(),), (_FAIR, _HARD), (True,))
        yield from product((skewed(),), (_FAIR,), (True,))
        yield cube_2(), _EASY, False
    if budget is Budget.DEEP:
        yield from product((cube_3(), coins()), (_FAIR,), (True,))
        yield from product((skewed(), coins()), (_EASY,), (False,))
        yield from product((interval(), line()), (_EASY,), (True,))


def stable_settings(budget: Budget) -> Iterator[Setting]:
    """Give what Theorem 1 is asked about, whose samples are small."""
    yield from settings(budget)
    yield from product((cube_2(), cube_3()), (_FAIR, _HARD), (budget is Budget.QUICK,))
    yield from product((interval(), line()), (_EASY,), (True,))


SETTINGS = (
    "all labellings of two and three points, realizable and not (intervals, thresholds: "
    "deep): by exact types, the likeliest first"
)
STABLE_SETTINGS = (
    "all labellings of two and three points, intervals and thresholds on four, realizable and not: "
    "by exact types, the likeliest first"
)
DELICATE = "the same classes, samples with ties and with points that occur once, their neighbours"


def _known(task: LearningTask, known: bool) -> Known:
    return {"class_size": len(task.H)} if known else {}


# Theorem 1


@lru_cache
def theorem_1(task: LearningTask, goal: Goal, known: bool) -> tuple[int, StableLearner]:
    """Return the size of Theorem 1 and its learner."""
    size = sample_complexity.theorem_1(*goal, task.d, **_known(task, known))
    return size.sample_size, size.learner(task.H)


@lru_cache
def one_index(task: LearningTask, goal: Goal, known: bool) -> tuple[int, StableLearner]:
    """Return the same with random subsets of one index: a wrong learner."""
    n, learner = theorem_1(task, goal, known)
    return n, StableLearner(task.H, 1, learner.epsilon)


@lru_cache
def impatient(task: LearningTask, goal: Goal, known: bool) -> tuple[int, StableLearner]:
    """Return the same with a mechanism that spends more: a wrong learner."""
    n, learner = theorem_1(task, goal, known)
    return n, StableLearner(task.H, n, 6 * learner.epsilon)


def stable_learns(sized: Sized[StableLearner], setting: Setting) -> Finding:
    """Settle that a stable learner is accurate."""
    task, goal, _ = setting
    n, learner = sized(*setting)

    def loss(sample: AnySample) -> Interval:
        return learner.enclosed(sample).loss(task.D)

    return learns(loss, task, n, goal[0], goal[1])


def _replaced(task: LearningTask, sample: AnySample) -> Iterator[AnySample]:
    """Replace the first, the middle and the last example."""
    for index in (0, len(sample) // 2, len(sample) - 1):
        for z in examples_on(task.H.domain):
            if z != sample[index]:
                yield sample.replace(index, z)


def stable_moves(sized: Sized[StableLearner], setting: Setting) -> Finding:
    """Settle that one example moves predictions by at most gamma."""
    task, goal, _ = setting
    n, learner = sized(*setting)

    def at(sample: AnySample) -> Finding:
        here = learner.probabilities(sample, task.H.domain)
        moved = max(
            abs(p - q)
            for other in _replaced(task, sample)
            for p, q in zip(here, learner.probabilities(other, task.H.domain), strict=True)
        )
        text = f"{task}, n = {n}, {sample}: a prediction moves by {float(moved):.4g} > {goal[2]}"
        return at_most(moved, goal[2], text, ceiling=1)

    return all_of(map(at, delicate(task.H, n)))


# Corollary 2


@lru_cache
def corollary_2(task: LearningTask, goal: Goal, known: bool) -> tuple[int, Flipped]:
    """Return the size of Corollary 2 and its learner."""
    size = sample_complexity.corollary_2(*goal, task.d, **_known(task, known))
    return size.sample_size, size.learner(task.H)


@lru_cache
def flips_of_one_index(task: LearningTask, goal: Goal, known: bool) -> tuple[int, Flipped]:
    """Return the same with random subsets of one index: a wrong learner."""
    n, learner = corollary_2(task, goal, known)
    return n, FlippedLearner(
        StableLearner(task.H, 1, learner.base.epsilon), learner.flip_probability
    )


@lru_cache
def hardly_flipped(task: LearningTask, goal: Goal, known: bool) -> tuple[int, Flipped]:
    """Return the same with an eighth of the flips: a wrong learner."""
    n, learner = corollary_2(task, goal, known)
    return n, FlippedLearner(learner.base, learner.flip_probability / 8)


def flipped_learns(sized: Sized[Flipped], setting: Setting) -> Finding:
    """Settle that a flipped learner is accurate."""
    task, goal, _ = setting
    n, learner = sized(*setting)

    def loss(sample: AnySample) -> Interval:
        predicted = learner.probabilities(sample, task.H.domain)
        return task.loss(dict(zip(task.H.domain, predicted, strict=True)))

    return learns(loss, task, n, goal[0], goal[1])


def flipped_is_private(sized: Sized[Flipped], setting: Setting) -> Finding:
    """Settle that predictions of a flipped learner are epsilon-private."""
    task, goal, _ = setting
    n, learner = sized(*setting)
    allowed = Epsilon(goal[2]).ratio

    def at(sample: AnySample) -> Finding:
        here = learner.probabilities(sample, task.H.domain)
        factor = max(
            factor_between(p, q)
            for other in _replaced(task, sample)
            for p, q in zip(here, learner.probabilities(other, task.H.domain), strict=True)
        )
        return factor_at_most(
            factor, allowed, f"{task}, n = {n}, {sample}: factor {float(factor):.5g}"
        )

    return all_of(map(at, delicate(task.H, n)))


# Theorem 3


def larger_settings(budget: Budget) -> Iterator[Setting]:
    """Give what Theorem 3 is asked about, whose sizes are in the thousands."""
    yield from product((cube_2(), coins()), (_EASY,), (True,))
    if budget is not Budget.QUICK:
        yield from product((cube_3(), skewed()), (_EASY,), (True,))
    if budget is Budget.DEEP:
        yield from product((cube_2(), skewed(), coins()), (_EASY,), (False,))
        yield from product((interval(), line()), (_EASY,), (True,))


LARGER = (
    "all labellings of two points, realizable and not (three points: standard; intervals and "
    "thresholds: deep): exact losses on seeded samples, Clopper-Pearson bounds on these"
)


@lru_cache
def theorem_3(task: LearningTask, goal: Goal, known: bool) -> tuple[int, PrivatePredictionLearner]:
    """Return the size of Theorem 3 and its learner."""
    size = sample_complexity.theorem_3(*goal, task.d, **_known(task, known))
    return size.sample_size, size.learner(task.H)


@lru_cache
def relabelled_from_one_index(
    task: LearningTask, goal: Goal, known: bool
) -> tuple[int, PrivatePredictionLearner]:
    """Return the same with random subsets of one index: a wrong learner."""
    n, full = theorem_3(task, goal, known)
    return n, PrivatePredictionLearner(
        task.H, 1, full.eta, blocks=full.blocks, vote_epsilon=full.vote_epsilon
    )


@lru_cache
def sharp_selection(
    task: LearningTask, goal: Goal, known: bool
) -> tuple[int, PrivatePredictionLearner]:
    """Return a learner whose mechanism spends far too much, on few examples: a wrong one."""
    return 40, PrivatePredictionLearner(task.H, 1, Fraction(1, 40), blocks=5)


def private_learns(sized: Sized[PrivatePredictionLearner], setting: Setting) -> Finding:
    """Settle that the learner of Theorem 3 is accurate, from samples that are drawn."""
    task, goal, _ = setting
    n, learner = sized(*setting)

    def loss(sample: AnySample) -> Interval:
        predicted = learner.enclosed(sample, task.H.domain)
        return task.loss(dict(zip(task.H.domain, predicted, strict=True)))

    return learns_as_drawn(loss, task, n, goal[0], goal[1], draws=18, error=Fraction(1, 10**5))


def is_private(sized: Sized[PrivatePredictionLearner], setting: Setting) -> Finding:
    """Settle that predictions of the learner of Theorem 3 are epsilon-private."""
    task, goal, _ = setting
    n, learner = sized(*setting)
    allowed = Epsilon(goal[2]).ratio

    def at(sample: AnySample, other: AnySample) -> Finding:
        text = f"{task}, n = {n}: the first example replaced"
        pairs = zip(
            learner.enclosed(sample, task.H.domain),
            learner.enclosed(other, task.H.domain),
            strict=True,
        )
        return all_of(
            factor_at_most(a / b, allowed, text)
            for p, q in pairs
            for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
        )

    def neighbours() -> Iterator[Finding]:
        for sample in delicate(task.H, n):
            yield at(sample, sample.replace(0, examples_on(task.H.domain)[0]))

    return all_of(neighbours())
