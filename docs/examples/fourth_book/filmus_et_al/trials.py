"""The trials: each question stands above those that ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from filmus_et_al.recursion import (
    Budgeted,
    budgeted,
    dimension,
    dimension_within,
    optimal_prediction,
    randomized_dimension,
)
from pac_stability.claims.instances import all_classes, catalogue
from pac_stability.claims.kit import (
    Budget,
    Comparison,
    Finding,
    Table,
    idle,
    reaches,
    same,
    universe,
    within,
)
from pac_stability.classes import FiniteClass, cube, singletons
from pac_stability.dimensions import littlestone_dimension

TRIALS = Table("FHMM23")
Value = Callable[[Budgeted], Fraction]
RL: Value = randomized_dimension


def _by_dimension(V: Budgeted) -> Fraction:
    return Fraction(dimension(V))


def _half_of_dimension(V: Budgeted) -> Fraction:
    return Fraction(dimension(V), 2)


# The randomized Littlestone dimension


@universe(
    "every class on up to 2 points (3 with the budget), one of each kind",
    extent="classes on up to {2, 3, 3} points",
)
def _tiny(budget: Budget) -> Iterator[FiniteClass]:
    for m in range(1, budget.pick(2, 3, 3) + 1):
        yield from all_classes(m)


@universe("every class on up to 3 points, one of each kind, and those of the literature")
def _small(budget: Budget) -> Iterator[FiniteClass]:
    for m in (1, 2, 3):
        yield from all_classes(m)
    yield from (H for _, H in catalogue() if len(H) <= budget.pick(8, 16, 32))


@cache
def _expected_depths(V: Budgeted) -> frozenset[Fraction]:
    """Return the expected depth of every shattered tree."""
    found = {Fraction(0)}
    for zero, one in V.splits():
        pairs = product(_expected_depths(zero), _expected_depths(one))
        found |= {1 + (a + b) / 2 for a, b in pairs}
    return frozenset(found)


def _all_trees(value: Value, H: FiniteClass) -> Comparison:
    V = budgeted(H)
    return same(value(V), max(_expected_depths(V)) / 2)


TRIALS.add("definition-dimension", "all trees", _all_trees, _tiny, RL, _half_of_dimension)


@cache
def _game(V: Budgeted) -> Fraction:
    """Return what the adversary forces in expectation: the learner names p, then sees the label."""
    best = Fraction(0)
    for zero, one in V.splits():
        a, b = _game(zero), _game(one)
        # A maximum of two lines is least at an end or where they meet.
        choices = {Fraction(0), Fraction(1), min(max((1 + b - a) / 2, Fraction(0)), Fraction(1))}
        best = max(best, min(max(p + a, 1 - p + b) for p in choices))
    return best


def _as_game(value: Value, H: FiniteClass) -> Comparison:
    return same(value(budgeted(H)), _game(budgeted(H)))


TRIALS.add("theorem-2", "the game", _as_game, _small, RL, _by_dimension)


def _singletons(value: Callable[[int], Fraction], n: int) -> Comparison:
    return same(value(n), randomized_dimension(budgeted(singletons(n))))


@universe("1 to 10 points (14 and 18 with the budget)")
def _sizes(budget: Budget) -> range:
    return range(1, budget.pick(10, 14, 18) + 1)


TRIALS.add(
    "fact-singletons",
    "by the recursion",
    _singletons,
    _sizes,
    lambda n: 1 - Fraction(1, 2 ** (n - 1)),
    lambda n: 1 - Fraction(1, 2**n),
)


# Learners


class Learned(NamedTuple):
    """A class of which the best hypothesis makes at most k errors, and examples to learn from."""

    H: FiniteClass
    k: int
    examples: tuple[tuple[int, int], ...]


def _sequences(k: int, budget: Budget) -> Iterator[Learned]:
    length = budget.pick(3, 4, 5)
    for m in (1, 2):
        for H in all_classes(m):
            for examples in product(tuple(product(range(m), (0, 1))), repeat=length):
                yield Learned(H, k, examples)


@universe("every class on up to 2 points, one of each kind, all sequences of 3 examples or more")
def _realizable(budget: Budget) -> Iterator[Learned]:
    return _sequences(0, budget)


@universe("the same, where one hypothesis or two may err once")
def _one_error(budget: Budget) -> Iterator[Learned]:
    return _sequences(1, budget)


Prediction = Callable[[Budgeted, int], Fraction]


def _coin(V: Budgeted, x: int) -> Fraction:
    return Fraction(1, 2)


def _likelier(V: Budgeted, x: int) -> Fraction:
    """Predict the label after which more mistakes can be forced, without coins."""
    zero, one = V.after(x, 0), V.after(x, 1)
    if not (zero.is_realizable and one.is_realizable):
        return Fraction(one.is_realizable)
    return Fraction(dimension(one) > dimension(zero) if zero != V else 0)


def _other(V: Budgeted, x: int) -> Fraction:
    return 1 - _likelier(V, x)


def _mistakes(predict: Prediction, it: Learned) -> Fraction | None:
    """Return the expected mistakes, or ``None`` where every hypothesis errs too often."""
    V, missed = budgeted(it.H, it.k), Fraction(0)
    for x, y in it.examples:
        p = predict(V, x)
        V = V.after(x, y)
        missed += 1 - p if y else p
    return missed if V.is_realizable else None


def _learns(predict: Prediction, it: Learned) -> Comparison | Finding:
    missed = _mistakes(predict, it)
    return idle() if missed is None else within(missed, randomized_dimension(budgeted(it.H, it.k)))


def _learns_without_coins(predict: Prediction, it: Learned) -> Comparison | Finding:
    missed = _mistakes(predict, it)
    return idle() if missed is None else within(missed, dimension(budgeted(it.H, it.k)))


TRIALS.add("theorem-2.learner", "mistakes", _learns, _realizable, optimal_prediction, _coin)
TRIALS.add("theorem-3", "with coins", _learns, _one_error, optimal_prediction, _coin)
TRIALS.add("theorem-3", "without coins", _learns_without_coins, _one_error, _likelier, _other)


# Beside the Littlestone dimension


def _above_half(value: Value, H: FiniteClass) -> Comparison:
    return reaches(value(budgeted(H)), Fraction(littlestone_dimension(H), 2))


def _below(value: Value, H: FiniteClass) -> Comparison:
    return within(value(budgeted(H)), littlestone_dimension(H))


def _one_more(V: Budgeted) -> Fraction:
    return randomized_dimension(V) + 1


def _third(V: Budgeted) -> Fraction:
    return Fraction(dimension(V), 3)


TRIALS.add("fact-sandwich", "above", _above_half, _small, RL, _third)
TRIALS.add("fact-sandwich", "below", _below, _small, RL, _one_more)


@universe("every class on up to 3 points, one of each kind, k up to 2")
def _with_errors(budget: Budget) -> Iterator[Budgeted]:
    for m in range(1, budget.pick(2, 3, 3) + 1):
        yield from (budgeted(H, k) for H in all_classes(m) for k in range(3))


def _twice(factor: int, V: Budgeted) -> Comparison:
    return within(dimension(V), factor * randomized_dimension(V))


TRIALS.add("theorem-4", "twice", _twice, _with_errors, 2, 1)


def _within_horizon(short: Callable[[int, int], int], V: Budgeted) -> Iterator[Comparison]:
    for horizon in range(5):
        yield same(dimension_within(V, horizon), short(horizon, dimension(V)))


TRIALS.add("theorem-7", "horizons up to 4", _within_horizon, _with_errors, min, max)


# Experts


@cache
def _advised(budgets: tuple[int, ...]) -> Fraction:
    """Return the randomized dimension of experts that may still err so often, in any order."""
    best = Fraction(0)
    counts = [(b, budgets.count(b)) for b in sorted(set(budgets))]
    for votes in product(*(range(count + 1) for _, count in counts)):
        sides = [
            tuple(
                sorted(
                    left
                    for (b, count), ones in zip(counts, votes, strict=True)
                    for left in [b - (1 - y)] * ones + [b - y] * (count - ones)
                    if left >= 0
                )
            )
            for y in (0, 1)
        ]
        if not all(sides):
            continue
        if budgets in sides:
            best = max(best, 1 + _advised(min(sides)))
        else:
            zero, one = map(_advised, sides)
            best = max(best, (1 + zero + one) / 2)
    return best


def _experts(value: Value, it: tuple[int, int]) -> Comparison:
    n, k = it
    patterns = FiniteClass(cube(n).table.T)  # an expert a row, a vote of them all a column
    return same(value(budgeted(patterns, k)), _advised((k,) * n))


@universe("up to 4 experts, the best of which errs up to 2 times")
def _few_experts(budget: Budget) -> Iterator[tuple[int, int]]:
    return product(range(1, 5), range(budget.pick(2, 3, 3)))


TRIALS.add("fact-experts", "by counts", _experts, _few_experts, RL, _by_dimension)
