"""What an anytime search returns."""

from dataclasses import FrozenInstanceError

import pytest

from pac_stability.dimensions import Bounds
from pac_stability.errors import BudgetExhausted


def test_bounds_are_values_with_the_type_of_their_witness() -> None:
    bounds = Bounds[str](1, 1, "one point")
    assert (bounds.exact, bounds.value, hash(bounds)) == (True, 1, hash(Bounds(1, 1, "one point")))
    with pytest.raises(FrozenInstanceError):
        bounds.lower = 2  # type: ignore[misc]  # what the test is about
    with pytest.raises(BudgetExhausted, match=r"bounds 1\.\.3") as caught:
        _ = Bounds(1, 3, None).value
    assert (caught.value.lower, caught.value.upper) == (1, 3)
