"""The main results with explicit constants: Theorems 1, 3, 10 and 12, Corollary 2 (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil
from typing import NamedTuple, TypeVar

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import learning_tasks, size_accounts
from pac_stability.books.dagan_feldman.learning_tasks import AnySample, LearningTask
from pac_stability.claims import kit
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.papers import dagan_feldman as df
from pac_stability.papers.dagan_feldman.sample_complexity.asking import OfClass

F = Fraction
TRIALS = kit.Table("DF20")


class Goal(NamedTuple):
    """The excess alpha, how often it may be exceeded, and gamma or epsilon."""

    alpha: F
    beta: F
    level: F


class Setting(NamedTuple):
    """What is to be learned and how well, and whether the number of hypotheses is known."""

    task: LearningTask
    goal: Goal
    known: bool

    @property
    def class_size(self) -> OfClass:
        """What is told of the class."""
        return {"class_size": len(self.task.H)} if self.known else {}


_EASY = Goal(F(2, 5), F(1, 2), F(4, 5))
_FAIR = Goal(F(1, 4), F(1, 4), F(1, 2))
_HARD = Goal(F(1, 6), F(1, 10), F(1, 3))


def _all(tasks: tuple[LearningTask, ...], *goals: Goal, known: bool = True) -> Iterator[Setting]:
    yield from (Setting(task, goal, known) for task, goal in product(tasks, goals))


def _settings(budget: kit.Budget) -> Iterator[Setting]:
    """Give what Theorem 1 and Corollary 2 are asked about."""
    yield from _all(
        (
            learning_tasks.cube_2(),
            learning_tasks.cube_3(),
            learning_tasks.skewed(),
            learning_tasks.coins(),
        ),
        _EASY,
    )
    if budget is not kit.Budget.QUICK:
        yield from _all((learning_tasks.cube_2(),), _FAIR, _HARD)
        yield from _all((learning_tasks.skewed(),), _FAIR)
        yield from _all((learning_tasks.cube_2(),), _EASY, known=False)
    if budget is kit.Budget.DEEP:
        yield from _all((learning_tasks.cube_3(), learning_tasks.coins()), _FAIR)
        yield from _all((learning_tasks.skewed(), learning_tasks.coins()), _EASY, known=False)
        yield from _all((learning_tasks.interval(), learning_tasks.line()), _EASY)


def _stable_settings(budget: kit.Budget) -> Iterator[Setting]:
    """Give what Theorem 1 is asked about, whose samples are small."""
    yield from _settings(budget)
    yield from _all(
        (learning_tasks.cube_2(), learning_tasks.cube_3()),
        _FAIR,
        _HARD,
        known=budget is kit.Budget.QUICK,
    )
    yield from _all((learning_tasks.interval(), learning_tasks.line()), _EASY)


def larger_settings(budget: kit.Budget) -> Iterator[Setting]:
    """Give what Theorem 3 is asked about, whose sizes are in the thousands."""
    yield from _all((learning_tasks.cube_2(), learning_tasks.coins()), _EASY)
    if budget is not kit.Budget.QUICK:
        yield from _all((learning_tasks.cube_3(), learning_tasks.skewed()), _EASY)
    if budget is kit.Budget.DEEP:
        yield from _all(
            (learning_tasks.cube_2(), learning_tasks.skewed(), learning_tasks.coins()),
            _EASY,
            known=False,
        )
        yield from _all((learning_tasks.interval(), learning_tasks.line()), _EASY)


_delicate = kit.universe(
    "the same classes, samples with ties and with points that occur once, their neighbours"
)

L = TypeVar("L")
Sized = Callable[[Setting], tuple[int, L]]
"""A sample size, and the learner."""


def _remembered(sized: Sized[L]) -> Sized[L]:
    return lru_cache(sized)


def _replaced(task: LearningTask, sample: AnySample) -> Iterator[AnySample]:
    """Replace the first, the middle and the last example."""
    for index in (0, len(sample) // 2, len(sample) - 1):
        for z in learning_tasks.examples_on(task.H.domain):
            if z != sample[index]:
                yield sample.replace(index, z)


# Theorem 1


@_remembered
def _theorem_1(it: Setting) -> tuple[int, df.StableLearner]:
    size = df.sample_complexity.theorem_1(*it.goal, it.task.d, **it.class_size)
    return size.sample_size, size.learner(it.task.H)


def _one_index(it: Setting) -> tuple[int, df.StableLearner]:
    """Take random subsets of one index: a wrong learner."""
    n, learner = _theorem_1(it)
    return n, df.StableLearner(it.task.H, 1, learner.epsilon)


def _impatient(it: Setting) -> tuple[int, df.StableLearner]:
    """Take a mechanism that spends more: a wrong learner."""
    n, learner = _theorem_1(it)
    return n, df.StableLearner(it.task.H, n, 6 * learner.epsilon)


def _stable_learns(sized: Sized[df.StableLearner], it: Setting) -> kit.Finding:
    n, learner = sized(it)

    def loss(sample: AnySample) -> Interval:
        return learner.enclosed(sample).loss(it.task.D)

    return learning_tasks.learns(loss, it.task, n, it.goal.alpha, it.goal.beta)


TRIALS.add(
    "theorem-1.explicit", "accuracy", _stable_learns,
    kit.universe(
        "all labellings of two and three points, intervals and thresholds on four, realizable and "
        "not: by exact types, the likeliest first"
    )(_stable_settings),
    _theorem_1, _one_index,
)  # fmt: skip


def _stable_moves(sized: Sized[df.StableLearner], it: Setting) -> Iterator[kit.Comparison]:
    """One example moves predictions by at most gamma."""
    n, learner = sized(it)
    points = it.task.H.domain
    for sample in learning_tasks.delicate(it.task.H, n):
        here = learner.probabilities(sample, points)
        others = (learner.probabilities(other, points) for other in _replaced(it.task, sample))
        yield kit.within(
            max(learning_tasks.move(here, there) for there in others), it.goal.level, ceiling=1
        )


TRIALS.add(
    "theorem-1.explicit", "stability", _stable_moves, _delicate(_stable_settings),
    _theorem_1, _impatient,
)  # fmt: skip


# Corollary 2

Flipped = df.FlippedLearner[df.StableLearner]


@_remembered
def _corollary_2(it: Setting) -> tuple[int, Flipped]:
    size = df.sample_complexity.corollary_2(*it.goal, it.task.d, **it.class_size)
    return size.sample_size, size.learner(it.task.H)


def _flips_of_one_index(it: Setting) -> tuple[int, Flipped]:
    """Take random subsets of one index: a wrong learner."""
    n, learner = _corollary_2(it)
    base = df.StableLearner(it.task.H, 1, learner.base.epsilon)
    return n, df.FlippedLearner(base, learner.flip_probability)


def _hardly_flipped(it: Setting) -> tuple[int, Flipped]:
    """Take an eighth of the flips: a wrong learner."""
    n, learner = _corollary_2(it)
    return n, df.FlippedLearner(learner.base, learner.flip_probability / 8)


def _flipped_learns(sized: Sized[Flipped], it: Setting) -> kit.Finding:
    n, learner = sized(it)

    def loss(sample: AnySample) -> Interval:
        predicted = learner.probabilities(sample, it.task.H.domain)
        return it.task.loss(dict(zip(it.task.H.domain, predicted, strict=True)))

    return learning_tasks.learns(loss, it.task, n, it.goal.alpha, it.goal.beta)


TRIALS.add(
    "corollary-2.explicit", "accuracy", _flipped_learns,
    kit.universe(
        "all labellings of two and three points, realizable and not (intervals, thresholds: "
        "deep): by exact types, the likeliest first"
    )(_settings),
    _corollary_2, _flips_of_one_index,
)  # fmt: skip


def _flipped_is_private(sized: Sized[Flipped], it: Setting) -> Iterator[kit.Comparison]:
    n, learner = sized(it)
    points, allowed = it.task.H.domain, Epsilon(it.goal.level).ratio
    for sample in learning_tasks.delicate(it.task.H, n):
        here = learner.probabilities(sample, points)
        others = (learner.probabilities(other, points) for other in _replaced(it.task, sample))
        yield kit.factor_within(
            max(learning_tasks.largest_factor(here, there) for there in others), allowed
        )


TRIALS.add(
    "corollary-2.explicit", "privacy", _flipped_is_private, _delicate(_settings),
    _corollary_2, _hardly_flipped,
)  # fmt: skip

TRIALS.add(
    "corollary-2.explicit", "the steps at its size",
    size_accounts.balanced, size_accounts.questions,
    size_accounts.corollary_2, size_accounts.unflipped,
)  # fmt: skip


# Theorem 3


@_remembered
def _theorem_3(it: Setting) -> tuple[int, df.PrivatePredictionLearner]:
    size = df.sample_complexity.theorem_3(*it.goal, it.task.d, **it.class_size)
    return size.sample_size, size.learner(it.task.H)


def _relabelled_from_one_index(it: Setting) -> tuple[int, df.PrivatePredictionLearner]:
    """Take random subsets of one index: a wrong learner."""
    n, full = _theorem_3(it)
    return n, df.PrivatePredictionLearner(
        it.task.H, 1, full.eta, blocks=full.blocks, vote_epsilon=full.vote_epsilon
    )


def _sharp_selection(it: Setting) -> tuple[int, df.PrivatePredictionLearner]:
    """Take a mechanism that spends far too much, on few examples: a wrong learner."""
    return 40, df.PrivatePredictionLearner(it.task.H, 1, F(1, 40), blocks=5)


def _private_learns(sized: Sized[df.PrivatePredictionLearner], it: Setting) -> kit.Finding:
    """From samples that are drawn."""
    n, learner = sized(it)

    def loss(sample: AnySample) -> Interval:
        predicted = learner.enclosed(sample, it.task.H.domain)
        return it.task.loss(dict(zip(it.task.H.domain, predicted, strict=True)))

    return learning_tasks.learns_as_drawn(
        loss, it.task, n, it.goal.alpha, it.goal.beta, draws=18, error=F(1, 10**5)
    )


TRIALS.add(
    "theorem-3.explicit", "accuracy", _private_learns,
    kit.universe(
        "all labellings of two points, realizable and not (three points: standard; intervals and "
        "thresholds: deep): exact losses on seeded samples, Clopper-Pearson bounds on these"
    )(larger_settings),
    _theorem_3, _relabelled_from_one_index,
)  # fmt: skip


def is_private(sized: Sized[df.PrivatePredictionLearner], it: Setting) -> Iterator[kit.Comparison]:
    """Settle that one example, replaced, changes both labels' chances by the factor at most."""
    n, learner = sized(it)
    points, allowed = it.task.H.domain, Epsilon(it.goal.level).ratio
    for sample in learning_tasks.delicate(it.task.H, n):
        here = learner.enclosed(sample, points)
        there = learner.enclosed(sample.replace(0, learning_tasks.examples_on(points)[0]), points)
        for p, q in zip(here, there, strict=True):
            yield from learning_tasks.certified_factors(p, q, allowed)


TRIALS.add(
    "theorem-3.explicit", "privacy", is_private, _delicate(larger_settings),
    _theorem_3, _sharp_selection,
)  # fmt: skip

TRIALS.add(
    "theorem-3.explicit", "the steps at its size", size_accounts.balanced, size_accounts.questions,
    size_accounts.theorem_3, size_accounts.matched_more_often,
)  # fmt: skip


# The order of the sizes of Theorem 1, and those of the paper


@kit.universe("d = 1 and 8 (60: standard), alpha up to 1/4, two betas, three gammas")
def _orders(budget: kit.Budget) -> Iterator[tuple[int, F, F, F]]:
    alphas, betas = (F(1, 4), F(1, 10), F(1, 100)), (F(1, 4), F(1, 100))
    d = (1, 8, 60)[: budget.pick(2, 3, 3)]
    yield from product(d, alphas, betas, (F(1, 2), F(1, 10), F(1, 100)))


def _of_this_order(
    size: Callable[[F, F, F, int], df.sample_complexity.StableSize], it: tuple[int, F, F, F]
) -> kit.Comparison:
    d, alpha, beta, gamma = it
    log = d * Interval.log(1 / alpha)
    order = log / (gamma * alpha) + (log + Interval.log(1 / beta)) / alpha**2
    return kit.within(size(alpha, beta, gamma, d).sample_size, 32 * order)


def _sharp_size(alpha: F, beta: F, gamma: F, d: int) -> df.sample_complexity.StableSize:
    return df.sample_complexity.theorem_1(alpha, beta, gamma, d)


def _tenfold(alpha: F, beta: F, gamma: F, d: int) -> df.sample_complexity.StableSize:
    return df.sample_complexity.theorem_1(alpha / 10, beta, gamma, d)


TRIALS.add(
    "theorem-1.explicit", "the order", _of_this_order, _orders, _sharp_size, _tenfold,
)  # fmt: skip


# Theorem 10


@kit.universe("dimensions from 1 on, alpha = 1/3, 1/10, 1/100")
def _dimensions(budget: kit.Budget) -> Iterator[tuple[int, F]]:
    yield from product(range(1, budget.pick(12, 41, 120)), (F(1, 3), F(1, 10), F(1, 100)))


def _cardinality(patterns: Callable[[int, int], int], it: tuple[int, F]) -> kit.Comparison:
    d, alpha = it
    size = ceil((8 * (d + 1) * Interval.log(1 / alpha) / alpha).upper)
    rate = d * Interval.log(2 * Interval.exp(1) * 8 * Interval.log(1 / alpha) / alpha)
    return kit.within(Interval.log(patterns(size, d)), rate)


TRIALS.add(
    "theorem-10.explicit", "logarithm of the growth function", _cardinality, _dimensions,
    sauer_shelah_bound, lambda size, d: sauer_shelah_bound(size, d + 1),
)  # fmt: skip


# The rate of Theorem 3, restated as Theorem 12 (Section 4)


@kit.universe("d = 1 and 8, alpha from 1/10 down by two decades or more")
def _decades(budget: kit.Budget) -> Iterator[tuple[int, int]]:
    yield from product((1, 8), range(2, budget.pick(4, 6, 8)))


def _rate(size: Callable[[F, F, int], int], it: tuple[int, int]) -> kit.Comparison:
    """Where epsilon is small, dividing alpha by k multiplies the size by k, up to logarithms."""
    d, decades = it
    epsilon, alpha = F(1, 10**9), F(1, 10)
    before, after = size(alpha, epsilon, d), size(alpha / 10**decades, epsilon, d)
    return kit.within(after, 2 * 10**decades * F(decades + 1) ** 2 * before)


def _with_the_paper_division(
    result: Callable[
        ..., df.sample_complexity.PrivatePredictionSize | df.sample_complexity.FlippedSize
    ],
) -> Callable[[F, F, int], int]:
    return lambda alpha, epsilon, d: (
        result(alpha, F(1, 20), epsilon, d, constants="paper").sample_size
    )


TRIALS.add(
    "theorem-12.explicit", "growth in 1/alpha", _rate, _decades,
    _with_the_paper_division(df.sample_complexity.theorem_3),
    _with_the_paper_division(df.sample_complexity.corollary_2),
)  # fmt: skip
