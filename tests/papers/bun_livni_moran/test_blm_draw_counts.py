"""The law of the number of draws: against its renewal equation, and against closed forms."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, Interval, InvalidInput
from pac_stability.papers.bun_livni_moran.formulas.parameters import DrawCounts
from pac_stability.testing import strategies
from shared_refusals import refuses


def renewal(collisions: list[Fraction], blocks: int) -> list[Fraction]:
    """Pr[M_k = b blocks] for b = 0, ..., blocks: the first round is decided, or begins it anew."""
    law = [Fraction(b == 0) for b in range(blocks + 1)]
    for collision in collisions:
        one_round = [Fraction(0)] * (blocks + 1)
        for b in range(2, blocks + 1):
            one_round[b] = sum((law[i] * law[b - 2 - i] for i in range(b - 1)), Fraction(0))
        above: list[Fraction] = []
        for b in range(blocks + 1):
            again = sum((one_round[i] * above[b - i] for i in range(1, b + 1)), Fraction(0))
            above.append((1 - collision) * one_round[b] + collision * again)
        law = above
    return law


@settings(max_examples=40)
@given(st.lists(strategies.probabilities(30), max_size=3), st.integers(0, 24), st.integers(0, 200))
def test_the_law_solves_the_renewal_equation(
    collisions: list[Fraction], blocks: int, bits: int
) -> None:
    counts = DrawCounts(collisions)
    exact = sum(renewal(collisions, blocks), Fraction(0))
    assert counts.within(blocks) == exact
    if 1 not in collisions:
        assert (exact == 0) == (blocks < counts.least)
    enclosed = counts.enclosed_within(blocks, bits)
    assert exact in enclosed
    assert enclosed.width <= Fraction(1, 2**bits)


@pytest.mark.parametrize("rounds", [1, 1000, 10**6, 10**9])
def test_large_budgets_agree_with_the_geometric_law(rounds: int) -> None:
    # One tournament: all of the first j rounds are ties with probability collision^j.
    collision = 1 - Fraction(1, rounds)
    found = 1 - DrawCounts([collision]).enclosed_within(2 * rounds, 100)
    tail = Interval.exp(Interval.log(collision, 200) * rounds, 200) if rounds > 1 else 0
    assert (found - tail).lower <= 0 <= (found - tail).upper
    assert found.width <= Fraction(1, 2**100)


def test_two_levels_of_large_budgets_agree_with_the_exact_number() -> None:
    # Close to 1, collisions make all poles of the generating function come close to the circle.
    counts = DrawCounts(["999/1000", "998/1000"])
    exact = counts.within(5000)
    assert 0 < exact < Fraction(1, 100)
    assert exact in counts.enclosed_within(5000, 300)


def test_a_level_that_is_never_decided_is_never_left() -> None:
    counts = DrawCounts([Fraction(1, 2), 1, Fraction(1, 3)])
    assert counts.within(100) == 0
    assert counts.enclosed_within(10**6).upper < Fraction(1, 10**30)


def test_exact_numbers_of_too_many_digits_are_refused() -> None:
    counts = DrawCounts([Fraction(3**100, 5**100)] * 2)
    with pytest.raises(BudgetExhausted, match=r"for 10000 blocks .* ask for an enclosure"):
        counts.within(10000)
    assert counts.enclosed_within(10000) > 1 - Fraction(1, 10**30)


def test_bad_input_is_named() -> None:
    refuses("collisions: got 3/2, want probabilities", DrawCounts, ["3/2"])
    with pytest.raises(InvalidInput, match="collisions: got the float"):
        DrawCounts([0.5])  # type: ignore[list-item]  # what is refused
    counts = DrawCounts(["1/2"])
    refuses("blocks: got -1", counts.within, -1)
    refuses("bits: got -1", counts.enclosed_within, 3, -1)
