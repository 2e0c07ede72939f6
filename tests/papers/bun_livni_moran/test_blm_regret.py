"""Exact minimax regret against all trees and all plays."""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, FiniteClass, InvalidInput, classes, littlestone_dimension
from pac_stability.online import AgnosticPredictor
from pac_stability.papers.bun_livni_moran.theorems import (
    RegretGame,
    experts_regret,
    random_label_regret,
)
from pac_stability.testing import strategies
from shared_refusals import refuses


def plays(rows: list[list[int]], strategy: tuple[int, ...], T: int) -> Fraction:
    """E[T/2 - min loss] for fair labels, the points being read off a tree: one in each place."""
    total = 0
    for labels in itertools.product((0, 1), repeat=T):
        place, losses = 0, [0] * len(rows)
        for y in labels:
            x = strategy[place]
            losses = [loss + (row[x] != y) for loss, row in zip(losses, rows, strict=True)]
            place = 2 * place + 1 + y
        total += min(losses)
    return Fraction(T, 2) - Fraction(total, 2**T)


@given(strategies.finite_classes(min_points=2, max_points=2), st.integers(0, 3))
@settings(max_examples=25)
def test_the_value_is_that_of_the_best_tree_with_fair_labels(H: FiniteClass, T: int) -> None:
    rows = H.table.tolist()
    # A learner cannot beat fair labels, so this is a lower bound on every learner's regret.
    best = max(plays(rows, tree, T) for tree in itertools.product(range(2), repeat=2**T - 1))
    assert RegretGame(H, T).value == best


def sequences(m: int, T: int) -> Iterator[tuple[tuple[int, int], ...]]:
    return itertools.product(itertools.product(range(m), (0, 1)), repeat=T)


@given(strategies.finite_classes(min_points=3, max_points=3, max_hypotheses=6), st.integers(1, 3))
@settings(max_examples=15)
def test_the_optimal_learner_keeps_the_value_on_every_sequence(H: FiniteClass, T: int) -> None:
    rows = H.table.tolist()
    game = RegretGame(H, T)
    regrets = []
    for sequence in sequences(3, T):
        learner = game.predictor()
        expected = Fraction(0)
        for x, y in sequence:
            p = learner.probability(x)
            assert 0 <= p <= 1
            expected += p if y == 0 else 1 - p
            learner.update(x, y)
        best = min(sum(row[x] != y for x, y in sequence) for row in rows)
        assert learner.expected_mistakes == expected
        assert learner.regret == expected - best
        regrets.append(expected - best)
    assert max(regrets) == game.value


@pytest.mark.parametrize(("H", "values"), [
    # Labels by fair coins on the best tree, at T = 2, 4, 6, 8.
    (classes.thresholds(3), ["1", "5/4", "3/2", "111/64"]),
    (classes.cube(2), ["1", "5/4", "3/2", "111/64"]),
    (FiniteClass(classes.singletons(4).table), ["3/4", "9/8", "45/32", "105/64"]),
])  # fmt: skip
def test_values_between_the_two_halves_of_the_regret_line(
    H: FiniteClass, values: list[str]
) -> None:
    d = littlestone_dimension(H)
    for T, value in zip((2, 4, 6, 8), values, strict=True):
        exact = RegretGame(H, T).value
        assert exact == Fraction(value)
        assert random_label_regret(d, T) <= exact <= experts_regret(d, T).lower
        if T % d == 0:
            assert 8 * random_label_regret(d, T) ** 2 >= d * T


def test_blocks_are_best_at_one_point_and_an_adaptive_order_beats_them_at_two() -> None:
    # With one point the order is no choice: the value is E|S_T|/2.
    for T in range(7):
        assert RegretGame(classes.cube(1), T).value == random_label_regret(1, T)
    # With two, another label at a point pays only while its labels are balanced.
    assert RegretGame(classes.cube(2), 4).value == Fraction(5, 4)
    assert random_label_regret(2, 4) == 1


def test_merged_experts_pay_no_less_than_the_optimum() -> None:
    H, T = classes.thresholds(3), 3
    worst = Fraction(-T)
    for sequence in sequences(3, T):
        predictor = AgnosticPredictor(H, T)
        for x, y in sequence:
            predictor.update(x, y)
        best = min(sum(H(i, x) != y for x, y in sequence) for i in range(len(H)))
        worst = max(worst, predictor.expected_mistakes - best)
    assert RegretGame(H, T).value <= worst <= predictor.regret_bound.interval().upper
    assert experts_regret(2, T).upper >= worst


def test_upper_bound_by_hand() -> None:
    # N = 1 + 4 + 6 = 11 experts for T = 4, d = 2.
    assert float(experts_regret(2, 4)) == pytest.approx(math.sqrt(2 * math.log(11)))
    assert experts_regret(0, 9).upper == 0
    # |S_1| = 1 and E|S_2| = 1, E|S_3| = 3/2: five rounds in blocks of 3 and 2.
    assert random_label_regret(2, 5) == Fraction(5, 4)


def test_the_game_refuses() -> None:
    refuses("the empty class", RegretGame, classes.thresholds(2).select_rows([]), 1)
    with pytest.raises(InvalidInput, match="without points"):
        _ = RegretGame(classes.thresholds(0), 1).value
    refuses("rounds: got 201, want at most 200", RegretGame, classes.thresholds(2), 201)
    assert RegretGame(classes.thresholds(2).select_rows([0]), 200).value == 0
    with pytest.raises(BudgetExhausted, match="more than 3 positions"):
        _ = RegretGame(classes.thresholds(3), 6, max_positions=3).value
    game = RegretGame(classes.cube(1), 1)
    learner = game.predictor()
    learner.update(0, 1)
    refuses("want 1 rounds", learner.probability, 0)
    refuses("losses: got 1 numbers", game.probability, (0,), 1, 0)
