"""Composition from above: against the exact optimum, its inverse, and what must be monotone."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, InvalidInput
from pac_stability.mechanisms import (
    Composition,
    PrivacyGuarantee,
    basic_composition,
    optimal_delta,
    uses_left,
)

factors = st.one_of(
    st.fractions(1, 6, max_denominator=40),
    st.sampled_from([Epsilon("1/20").ratio, Epsilon(2).ratio, 1 + Fraction(1, 3**50)]),
)
guarantees = st.builds(
    lambda factor, delta: PrivacyGuarantee(Epsilon.exactly(factor), delta),
    factors,
    st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 1000), Fraction(1, 7)]),
)
ONCE = PrivacyGuarantee(Epsilon("1/20"))


@given(guarantees, st.integers(0, 30), st.fractions(1, 50, max_denominator=9))
def test_uses_of_one_guarantee(once: PrivacyGuarantee, times: int, target: Fraction) -> None:
    exact = optimal_delta([once] * times, Epsilon.exactly(target))
    found = Composition([once] * times).delta(Epsilon.exactly(target))
    # Exact, up to a factor that is longer than 64 bits and is rounded up.
    assert exact <= found <= exact + Fraction(1, 2**55)


@pytest.mark.parametrize(("factor", "times"), [(2, 1), (2, 30), (6, 21)])
def test_what_rounding_loses_counts_as_delta(factor: int, times: int) -> None:
    # One use of factor 2: the losses have masses 2/3 and 1/3, and the delta at epsilon 0 is their
    # difference, 1/3. Rounded down to multiples of 2**-128 they differ by less than that.
    once = PrivacyGuarantee(Epsilon.exactly(factor))
    zero = Epsilon.exactly(1)
    assert optimal_delta([once], zero) == Fraction(factor - 1, factor + 1)
    assert Composition([once] * times).delta(zero) >= optimal_delta([once] * times, zero)


@given(st.lists(guarantees, max_size=5), st.fractions(2, 50, max_denominator=9))
def test_several_guarantees(uses: list[PrivacyGuarantee], target: Fraction) -> None:
    exact = optimal_delta(uses, Epsilon.exactly(target))
    found = Composition(uses).delta(Epsilon.exactly(target))
    assert exact <= found <= 1
    # Losses are rounded up by a grid of 4096 points on at most twice the sum, once a group.
    total = basic_composition(uses).factor
    nearer = target / Fraction(float(total) ** (2 * len(uses) / 4096) * (1 + 1e-9))
    assert found <= optimal_delta(uses, Epsilon.exactly(nearer)) + Fraction(1, 2**40)


def test_many_uses_of_several_guarantees() -> None:
    uses = {PrivacyGuarantee(Epsilon.exactly(Fraction(f))): 15 for f in ("11/10", "6/5", "5/4")}
    listed = list(Counter(uses).elements())
    for target in (2, 50):
        exact = optimal_delta(listed, Epsilon.exactly(target))
        found = Composition(uses).delta(Epsilon.exactly(target))
        assert exact <= found <= exact * Fraction(103, 100) + Fraction(1, 2**80)


@given(st.lists(guarantees, max_size=6), st.fractions(0, 1, max_denominator=10**6))
def test_epsilon_is_the_inverse(uses: list[PrivacyGuarantee], delta: Fraction) -> None:
    whole = Composition(uses)
    least = whole.delta(Epsilon.exactly(10**40))
    assert least == basic_composition(uses).delta
    if delta < least:
        with pytest.raises(InvalidInput, match="delta"):
            whole.epsilon(delta)
        return
    found = whole.epsilon(delta)
    assert whole.delta(found) <= delta
    if found.ratio > 1:
        smaller = Epsilon.exactly(max(Fraction(1), found.ratio * (1 - Fraction(1, 2**60))))
        assert whole.delta(smaller) >= delta - Fraction(1, 2**50)


def test_thousands_of_uses() -> None:
    # The losses have mean 12.5 and standard deviation 5, so 43 is 6.1 of these above.
    whole = Composition({ONCE: 10000})
    assert whole.delta(500) == 0
    assert Fraction(1, 10**10) < whole.delta(43) < Fraction(1, 10**9)
    several = {PrivacyGuarantee(Epsilon(Fraction(1, d))): 1000 for d in (20, 30, 40, 50, 60)}
    found = Composition(several)
    deltas = [found.delta(epsilon) for epsilon in (1, 5, 10, 20, 150)]
    assert deltas == sorted(deltas, reverse=True)
    assert deltas[-1] == 0 < deltas[-2] < Fraction(1, 10**12)
    assert 12 < float(found.epsilon("1e-6")) < 13


def test_how_many_are_left() -> None:
    found = uses_left([], ONCE, 1, "1e-6")
    whole = Composition({ONCE: found})
    assert whole.delta(1) <= Fraction(1, 10**6) < Composition({ONCE: found + 1}).delta(1)
    assert uses_left({ONCE: 6}, ONCE, 1, "1e-6") == found - 6
    assert uses_left({ONCE: 1000}, ONCE, 1, "1e-6") == 0
    assert uses_left([], PrivacyGuarantee(Epsilon.exactly(1)), 1, 0) == 1 << 20


def test_nothing_used() -> None:
    nothing = Composition([])
    assert nothing.delta(0) == 0
    assert nothing.epsilon(0) == Epsilon.exactly(1)
    told = Composition([PrivacyGuarantee(Epsilon.exactly(2), Fraction(1))])
    assert told.delta(5) == 1
    assert told.epsilon(1) == Epsilon.exactly(1)


@pytest.mark.parametrize(("make", "argument"), [
    (lambda: Composition([3]), "uses"),  # type: ignore[list-item]  # wrong
    (lambda: Composition({ONCE: -1}), "uses"),
    (lambda: Composition([ONCE]).delta(-1), "epsilon"),
    (lambda: Composition([ONCE]).epsilon(2), "delta"),
    (lambda: uses_left([], ONCE, 1, -1), "delta"),
    (lambda: uses_left([ONCE], 3, 1, 0), "uses"),  # type: ignore[arg-type]  # wrong
])  # fmt: skip
def test_bad_input(make: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
