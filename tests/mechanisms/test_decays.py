"""A decay is rational, near the one that spends all of epsilon, and never spends more."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, InvalidInput
from pac_stability.mechanisms import (
    DiscreteLaplace,
    LaplaceHistogram,
    PreparedChoice,
    SoftMajorityVote,
    StableHistogram,
    decay_for,
)


@given(st.floats(2**-30, 40, allow_nan=False), st.integers(1, 6), st.integers(1, 40))
def test_spends_almost_all_of_epsilon_and_no_more(epsilon: float, changes: int, bits: int) -> None:
    asked = Epsilon(epsilon).ratio
    decay = decay_for(epsilon, changes, bits=bits)
    assert decay**-changes <= asked
    # A decay smaller by this much, relative to itself and to its distance from 1, spends more.
    smaller = decay - min(decay, 1 - decay) * Fraction(2, 2**bits) - Fraction(1, 2**60)
    assert smaller <= 0 or smaller**-changes > asked


def test_short_exact_roots_are_kept() -> None:
    assert decay_for(Epsilon.exactly(Fraction(27, 8)), 3) == Fraction(2, 3)
    assert decay_for(Epsilon.exactly(1), 5) == 1
    root = Fraction(10**6 + 3, 10**6 + 2)
    assert decay_for(Epsilon.exactly(root**2)) == 1 / root


def test_long_exact_roots_are_not() -> None:
    root = Fraction(10**12 + 1, 10**12 - 1) * 2
    decay = decay_for(Epsilon.exactly(root**2))
    assert decay > 1 / root
    assert 2**18 % decay.denominator == 0


def test_denominators_are_short() -> None:
    # e**-1/2 = 0.6 and 1 - e**-1/2 = 0.4: two bits more than were asked for.
    assert 2**22 % decay_for(1.0, bits=20).denominator == 0
    # e**-20 is between 2**-29 and 2**-28.
    assert 2**37 % decay_for(40.0, bits=8).denominator == 0


@pytest.mark.parametrize(("argument", "call"), [
    ("epsilon", lambda: decay_for(-1.0)), ("epsilon", lambda: decay_for(float("nan"))),
    ("changes", lambda: decay_for(1.0, 0)), ("bits", lambda: decay_for(1.0, bits=0)),
])  # fmt: skip
def test_bad_input(argument: str, call: object) -> None:
    assert callable(call)
    with pytest.raises(InvalidInput) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize("make", [
    lambda epsilon: DiscreteLaplace.from_epsilon(epsilon, 0, 9),
    lambda epsilon: StableHistogram.from_privacy(epsilon, Fraction(1, 9)),
    lambda epsilon: LaplaceHistogram.from_privacy(epsilon, Fraction(1, 9)),
])  # fmt: skip
@pytest.mark.parametrize("epsilon", [0, 1e-40])
def test_an_epsilon_that_is_too_small_is_what_is_blamed(
    make: Callable[[float], object], epsilon: float
) -> None:
    with pytest.raises(InvalidInput, match=rf"^epsilon: got {epsilon}, want a number above 0"):
        make(epsilon)


@pytest.mark.parametrize("make", [
    lambda decay: PreparedChoice([0, 1], decay),
    lambda decay: StableHistogram(decay, 1, 3),
    SoftMajorityVote,
])  # fmt: skip
@pytest.mark.parametrize("decay", [0.5, 0.3, np.float64(0.75)])
def test_a_decay_is_no_float_and_what_to_write_is_said(
    make: Callable[[object], object], decay: float
) -> None:
    with pytest.raises(InvalidInput, match="decay: got the float") as caught:
        make(decay)
    written = str(caught.value).partition("write ")[2]
    exact = eval(written, {"Fraction": Fraction})  # noqa: S307  # what the message says to write
    assert float(exact) == decay
    make(exact)
