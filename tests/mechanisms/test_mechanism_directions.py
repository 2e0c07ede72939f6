"""Decisions next to a border: what is not settled is not decided."""

import itertools
from fractions import Fraction

from pac_stability import Epsilon, Interval
from pac_stability.mechanisms import noise
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.draws import decided


def test_a_level_is_decided_exactly_when_all_numbers_with_these_digits_have_it() -> None:
    for sums in ((1, 2), (1, 3, 4), (2, 5, 7), (3, 3, 8), (5,)):
        for bits in (1, 2, 3):
            for digits in range(1 << bits):
                # U Z for the least U, and for all that are below the end.
                low = Fraction(digits * sums[-1], 1 << bits)
                high = Fraction((digits + 1) * sums[-1], 1 << bits)
                levels = [
                    level
                    for level, (below, above) in enumerate(itertools.pairwise((0, *sums)))
                    if max(low, Fraction(below)) < min(high, Fraction(above))
                ]
                found = decided(digits, bits, sums, sums)
                assert found == (levels[0] if len(levels) == 1 else None)


def test_an_enclosure_that_begins_at_what_is_allowed_settles_nothing() -> None:
    half = Fraction(1, 2)

    def delta(_: Fraction, power: object) -> Interval | Fraction:
        return Interval(half, Fraction(1)) if isinstance(power, Interval) else half

    assert noise._is_at_most(half, delta, half, 3)  # type: ignore[arg-type]  # a stand-in


def test_a_guarantee_is_pure_unless_a_delta_is_given() -> None:
    assert PrivacyGuarantee(Epsilon(1)).delta == 0
