"""Statements of BLM20 that need a condition or a constant: each at its word, and as repaired."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from pac_stability import classes
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution
from pac_stability.online.machine import SoaStates
from pac_stability.papers.bun_livni_moran.formulas import (
    ExpectedDraws,
    FrequentOutputLoss,
    expected_draws,
)
from pac_stability.papers.bun_livni_moran.lemma_12 import COUNTEREXAMPLES, reached_frequencies
from pac_stability.papers.bun_livni_moran.tournaments import TournamentDistribution


@cache
def dimension_of(rows: frozenset[tuple[int, ...]], empty: int = -1) -> int:
    """Littlestone dimension by its recursion, with a free choice for the empty class."""
    if len(rows) < 2:
        return 0 if rows else empty
    best = 0
    for x in range(len(next(iter(rows)))):
        ones = frozenset(h for h in rows if h[x])
        if ones and ones != rows:
            best = max(best, 1 + min(dimension_of(ones, empty), dimension_of(rows - ones, empty)))
    return best


class TestTheEmptyClass:
    """Section III: the SOA compares dimensions of version spaces that may be empty."""

    @staticmethod
    def predictor(rows: frozenset[tuple[int, ...]], empty: int, tie: int) -> tuple[int, ...]:
        labels = []
        for x in range(len(next(iter(rows)))):
            ones = frozenset(h for h in rows if h[x])
            one, zero = dimension_of(ones, empty), dimension_of(rows - ones, empty)
            labels.append(tie if one == zero else int(one > zero))
        return tuple(labels)

    @pytest.mark.parametrize("concept", list(product((0, 1), repeat=3)))
    def test_with_dimension_zero_a_single_hypothesis_is_not_predicted(
        self, concept: tuple[int, ...]
    ) -> None:
        alone = frozenset([concept])
        assert self.predictor(alone, empty=0, tie=1) == (1, 1, 1)
        assert self.predictor(alone, empty=-1, tie=1) == concept

    @pytest.mark.parametrize("tie", [0, 1])
    def test_the_machine_has_minus_one(self, tie: int) -> None:
        soa = SoaStates(FiniteClass([[1, 0, 1]]), tie)
        assert soa.predictor(soa.start) == 0b101


class TestLemma14Indices:
    """The step from D_i to D_{i+1} is needed for i = 0 too, and uses that D_{i+1} is defined."""

    def test_the_first_tournament_is_a_step(self) -> None:
        D = COUNTEREXAMPLES["pairs"].tournaments(1)
        assert D.expected_draws == Fraction(5, 2) == expected_draws([Fraction(1, 5)], 1)
        assert D.expected_draws <= ExpectedDraws(1, 1, Fraction(1, 4)).summed

    def test_an_output_of_the_last_defined_level_may_be_more_frequent(self) -> None:
        # D_0 is defined, always; its output can have frequency 1. Then D_1 is not.
        H = classes.thresholds(4)
        target = FiniteDistribution.uniform([Example(0, H(1, 0))])
        D = TournamentDistribution(H, target, 1, 1)
        assert D.at(0).is_defined
        assert D.at(0).highest_frequency == 1
        assert not D.is_defined


class TestEpsilonInTheLogarithm:
    """Lemma 15: with Laplace noise on n distinct items, log(1/(eta beta delta)) is not enough."""

    def test_the_expected_number_of_light_items_far_off_grows_with_one_over_epsilon(self) -> None:
        # Noise of scale 2/epsilon beyond eta n has probability exp(-eta epsilon n / 2) / 2. For
        # n = 4 ln(1/(eta beta delta)) / (eta epsilon) that is (eta beta delta)^2 / 2.
        eta = beta = delta = Fraction(1, 10)

        def expected(epsilon: Fraction) -> Interval:
            n = Interval.log(1 / (eta * beta * delta)) * 4 / (eta * epsilon)
            return n * ((eta * beta * delta) ** 2 / 2)

        assert expected(Fraction(1)) < beta
        assert expected(Fraction(1, 10**4)) > 1
        ratio = expected(Fraction(1, 100)) / expected(Fraction(1))
        assert abs(float(ratio) - 100) < 1e-9


class TestLemma13:
    """The constant: log2(1/p)/n where ln(1/p)/n is true, and the loss is that of f."""

    def test_the_bound_on_every_output(self) -> None:
        instance = COUNTEREXAMPLES["five-examples"]
        levels = [instance.tournaments(k) for k in range(3)]
        for level in levels:
            for f, p in level.law_of_output().items():
                loss = sum(
                    (
                        q
                        for z, q in instance.target.items()
                        if f >> int(str(z.point)) & 1 != z.label
                    ),
                    Fraction(0),
                )
                assert FrequentOutputLoss(p, instance.n).allows(loss)


def test_the_two_sides_of_lemma_12_on_one_instance() -> None:
    smallest = COUNTEREXAMPLES["equal-weights"]
    H, target, n = smallest.H, smallest.target, smallest.n
    assert reached_frequencies(H, target, n, constants="printed").level is None
    assert reached_frequencies(H, target, n, constants="repaired").level == 0
