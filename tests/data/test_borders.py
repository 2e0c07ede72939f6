"""The last integer that is taken, and what is said beyond the floats."""

from fractions import Fraction

import numpy as np
import pytest

from pac_stability import Interval, InvalidInput, data
from pac_stability.data.display import shown


def test_an_interval_is_shown_with_both_ends() -> None:
    assert shown(Interval(Fraction(1, 4), Fraction(1, 2))) == "0.25 to 0.5"


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_are_taken_below_two_to_the_62_in_size(sign: int) -> None:
    edge = 1 << 62
    assert len(data.ArraySample(np.array([sign * (edge - 1)]), np.array([1]))) == 1
    with pytest.raises(InvalidInput, match="points"):
        data.ArraySample(np.array([sign * edge]), np.array([1]))


def test_ends_beyond_the_floats_are_shown_by_their_size() -> None:
    huge = 1 << 2000
    assert str(Interval.exactly(huge)) == ", ".join(["2**2000 or more in size"] * 2)
    assert str(Interval.exactly(-huge)) == ", ".join(["-2**2000 or more in size"] * 2)
