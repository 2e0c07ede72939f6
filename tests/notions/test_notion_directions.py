"""Which end of an enclosure a notion takes, and what it says when its bounds differ."""

from __future__ import annotations

from fractions import Fraction

from pac_stability import FiniteDistribution
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import EnclosedDistribution
from pac_stability.notions import closeness
from pac_stability.notions.perfect_generalization import PerfectGeneralization
from pac_stability.notions.split_reading import split_bounds


def test_the_distance_of_enclosed_laws_is_that_of_their_ends() -> None:
    def law(low: Fraction, high: Fraction) -> EnclosedDistribution[int]:
        return EnclosedDistribution({0: Interval(low, high), 1: Interval(1 - high, 1 - low)})

    p, q = law(Fraction(1, 3), Fraction(1, 2)), law(Fraction(1, 7), Fraction(1, 4))
    expected = Interval(Fraction(1, 3) - Fraction(1, 4), Fraction(1, 2) - Fraction(1, 7))
    assert closeness.minimal_delta(p, q, Epsilon(0)) == expected
    assert closeness.minimal_delta(q, p, Epsilon(0)) == expected


def test_the_split_reading_is_bounded_by_a_root_rounded_up() -> None:
    # Of two fair bits, the mean is off by 1/2 when they agree.
    fair = FiniteDistribution.uniform([0, 1])
    found = split_bounds(lambda _: FiniteDistribution.point_mass(0), fair.power(3), "2/5")
    assert found.joint == Fraction(1, 4)
    assert Fraction(1, 2) < found.upper**2 < Fraction(1, 2) + Fraction(1, 2**50)


def test_a_value_is_exact_when_its_bounds_agree() -> None:
    fair = FiniteDistribution.uniform([0, 1])
    for lower, upper in ((1, 1), (1, 2)):
        found: PerfectGeneralization[str, int] = PerfectGeneralization(
            Fraction(lower), Fraction(upper), fair, ()
        )
        assert found.exact is (lower == upper)
