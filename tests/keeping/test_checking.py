"""How many of the kept answers are asked again."""

from fractions import Fraction

import pytest

from pac_stability.keeping.fingerprint import HowMany, chosen


@pytest.mark.parametrize(
    ("how_many", "total", "size"),
    [(0, 5, 0), (3, 5, 3), (9, 5, 5), (Fraction(1, 10), 11, 2), (Fraction(1, 2), 4, 2),
     (Fraction(0), 4, 0), (Fraction(1), 4, 4), (Fraction(1, 1000), 3, 1)],
)  # fmt: skip
def test_a_share_is_at_least_that(how_many: HowMany, total: int, size: int) -> None:
    numbers = chosen(how_many, total)
    assert len(numbers) == size
    assert numbers == sorted(set(numbers) & set(range(total)))
