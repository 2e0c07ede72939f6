"""What an anytime search returns."""

from dataclasses import FrozenInstanceError

import pytest

from pac_stability.dimensions import Bounds
from pac_stability.errors import BudgetExhausted


def test_bounds_can_be_made_with_the_type_of_their_witness() -> None:
    bounds = Bounds[str](1, 1, "one point")
    assert bounds == Bounds(1, 1, "one point")
    assert (bounds.exact, bounds.value) == (True, 1)
    assert hash(bounds) == hash(Bounds(1, 1, "one point"))


def test_bounds_do_not_change() -> None:
    bounds = Bounds[str](1, 3, None)
    with pytest.raises(FrozenInstanceError):
        bounds.lower = 2  # type: ignore[misc]  # what the test is about


def test_bounds_that_do_not_meet_have_no_value() -> None:
    with pytest.raises(BudgetExhausted, match=r"bounds 1\.\.3") as caught:
        _ = Bounds(1, 3, None).value
    assert (caught.value.lower, caught.value.upper) == (1, 3)
