"""Roundings of one side, with so few bits, or so close to a border, that the side shows."""

import itertools
import math
from fractions import Fraction
from math import comb
from types import SimpleNamespace
from typing import Any

import pytest

from pac_stability import FiniteDistribution, arithmetic, notions
from pac_stability.audit import statistics
from pac_stability.audit.notions import draws as learning, notion
from pac_stability.audit.search import checkpoint, engine


@pytest.mark.parametrize("bits", [3, 5, 8])
def test_a_bound_by_few_bits_is_one_from_below(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "_BITS_OF_BALLS", bits)
    decided = 0
    for n, error in itertools.product(
        range(1, 9), (Fraction(1, 3), Fraction(2, 7), Fraction(1, 9))
    ):
        for k in range(1, n + 1):
            p = statistics.lower_bound(k, n, error)
            exact = sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))
            assert exact <= error, (k, n, p)
            decided += p > 0
    assert decided > 50


def test_a_float_below_is_below() -> None:
    for number in (Fraction(1, 10), Fraction(1, 3), Fraction(2, 3), Fraction(7), Fraction(10**400)):
        assert Fraction(notion.Factor().least(number, 1)) < number
    assert notion.Factor().least(Fraction(10**400), 1) > 10.0**300
    assert notion.Factor().least(math.inf, 1) == math.inf


def test_a_value_between_two_bounds_is_reported_as_both(monkeypatch: pytest.MonkeyPatch) -> None:
    fair = FiniteDistribution.uniform([0, 1])
    best = SimpleNamespace(lower=Fraction(2), upper=Fraction(3), simulator=fair)
    monkeypatch.setattr(notions.perfect_generalization, "minimal_epsilon", lambda *_: best)
    mechanism: Any = lambda sample, rng: sample[0]  # noqa: ARG005, E731  # it draws nothing
    result = learning.perfect_generalization(mechanism, fair, 1, 0)
    assert result.value == arithmetic.Interval(Fraction(2), Fraction(3))
    # The simulator is close at the larger one, and the smaller one is not claimed to be enough.
    assert result.witness is not None
    assert result.witness.value == Fraction(3)
    assert result.epsilon == math.log(3)


def test_enclosures_of_a_checkpoint_keep_both_ends() -> None:
    ends = arithmetic.Interval(Fraction(1, 3), Fraction(1, 2))
    assert checkpoint._encoded(ends) == {"lower": "1/3", "upper": "1/2"}


def test_the_number_of_neighbours_is_bounded_from_below() -> None:
    assert engine._bits_of_choices(3, 2) == math.log2(3)
    for n, most in itertools.product(range(12), range(12)):
        sets = sum(comb(n, size) for size in range(min(n, most) + 1))
        assert 2 ** engine._bits_of_choices(n, most) <= sets * (1 + 1e-12)
