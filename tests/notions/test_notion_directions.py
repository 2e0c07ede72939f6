"""Which end of an enclosure a notion takes, and what it says when its bounds differ."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from pac_stability import Epsilon, FiniteDistribution, Interval
from pac_stability.data import EnclosedDistribution
from pac_stability.notions import closeness, perfect_generalization, simulator_covers, two_point
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
        found: perfect_generalization.BestSimulation[str, int] = (
            perfect_generalization.BestSimulation(Fraction(lower), Fraction(upper), fair, ())
        )
        assert found.exact is (lower == upper)


def test_laws_whose_ends_have_other_denominators_are_compared_exactly() -> None:
    def law(*ends: str) -> EnclosedDistribution[int]:
        low, high, other_low, other_high = map(Fraction, ends)
        return EnclosedDistribution({0: Interval(low, high), 1: Interval(other_low, other_high)})

    # Lower ends are fifths, upper ends quarters.  Outcome 0 alone gains, 3/5 - 1/4 to 3/4 - 1/5.
    p, q = law("3/5", "3/4", "1/5", "1/2"), law("1/5", "1/4", "3/5", "3/4")
    assert closeness.minimal_delta(p, q, Epsilon(0)) == Interval(Fraction(7, 20), Fraction(11, 20))


# --- Square roots of a few bits -------------------------------------------------------------------

# Laws on two or three outcomes, and the weights of the samples that have them.
FACTORS = {
    "two laws": (["3 2 1/6", "1 2 1/4"], "2 1/3"),
    "one that may be missed": (["1 1 0/2", "1 1 1/3", "3 1 0/4"], "4 1 4/9"),
    "one without a common simulator": (["1 0 0/1", "0 3 1/4", "0 1 1/2", "0 2 1/3"], "2 1 3 2/8"),
    "two outcomes": (["1 5/6", "1 2/3", "1 1/2", "0 1/1"], "1 3 2 2/8"),
}


def parts(text: str) -> FiniteDistribution[int]:
    """Read numerators, and behind the stroke their denominator."""
    above, _, below = text.partition("/")
    return FiniteDistribution(
        {i: Fraction(int(part), int(below)) for i, part in enumerate(above.split())}
    )


@pytest.mark.parametrize("bits", [2, 4])
@pytest.mark.parametrize("case", FACTORS)
def test_a_smallest_factor_with_few_bits_is_enclosed_and_enough(
    case: str, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, weights = FACTORS[case]
    laws, samples = dict(enumerate(map(parts, rows))), parts(weights)
    for beta, delta in product((Fraction(0), Fraction(1, 3)), (Fraction(0), Fraction(1, 10))):
        truth = perfect_generalization.minimal_epsilon(laws, samples, beta, delta)
        with monkeypatch.context() as coarsely:
            coarsely.setattr(simulator_covers, "_BITS", bits)
            every = [
                perfect_generalization.minimal_epsilon(laws, samples, beta, delta, max_steps=steps)
                for steps in (0, perfect_generalization.MAX_STEPS)
            ]
        for found in every:
            assert found.lower <= truth.upper
            assert truth.lower <= found.upper
            if isinstance(found.upper, Fraction):
                epsilon = Epsilon.exactly(found.upper)
                covered = (
                    weight
                    for i, weight in samples.items()
                    if closeness.are_close(laws[i], found.simulator, epsilon, delta)
                )
                assert sum(covered, Fraction()) >= 1 - beta


def test_of_what_several_events_need_the_largest_lower_bound_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # For the event {0}, t with t 0 + (1 + t)/10 >= 1/4: 3/2.  For {1}, t with t^2/4 + (1 + t)/10
    # >= 1/2: (sqrt 41 - 1)/5 = 1.08..., which two bits do not tell from 1.5.
    laws = {0: parts("0 2 2/4"), 1: parts("1 1 2/4")}
    fair = FiniteDistribution.uniform([0, 1])
    monkeypatch.setattr(simulator_covers, "_BITS", 2)
    rough = simulator_covers.needed_factor(Fraction(1, 4), Fraction(1, 2), Fraction(1, 10))
    assert rough is not None
    assert rough.lower < Fraction(3, 2) < rough.upper
    found = perfect_generalization.minimal_epsilon(laws, fair, 0, "1/10")
    assert (found.lower, found.upper) == (Fraction(3, 2), Fraction(3, 2))


def test_a_factor_that_one_event_needs_is_tried_first_and_is_tight() -> None:
    # Only the probability of outcome 1 differs, 1/2 and 1/4, as above: (sqrt 41 - 1)/5 is needed,
    # and a bisection would leave the bounds apart by a factor of 1 + 2^-16.
    laws = {0: parts("1 1 0/2"), 1: parts("3 1 0/4"), 2: parts("1 1 1/3")}
    found = perfect_generalization.minimal_epsilon(laws, parts("4 4 1/9"), "1/4", "1/10")
    lower, upper = Fraction(found.lower), Fraction(found.upper)
    assert (5 * lower + 1) ** 2 < 41 < (5 * upper + 1) ** 2
    assert upper - lower < Fraction(1, 2**100)


# --- Bounds that differ ---------------------------------------------------------------------------


def test_over_all_distributions_each_bound_comes_from_its_own_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fair = FiniteDistribution.uniform([0, 1])
    open_answer: perfect_generalization.BestSimulation[object, int] = (
        perfect_generalization.BestSimulation(Fraction(1, 4), Fraction(1, 2), fair, ())
    )
    monkeypatch.setattr(perfect_generalization, "minimal_beta", lambda *_, **__: open_answer)
    found = perfect_generalization.for_all_distributions(
        lambda _: fair, [0, 1], 2, Epsilon(1), denominator=4
    )
    # The grid misses no distribution by more than 1/8, which 2 draws make 1 - (7/8)^2.
    assert (found.lower, found.upper) == (Fraction(1, 4), Fraction(1, 2) + 1 - Fraction(49, 64))


def test_the_value_at_the_point_of_an_extremum_is_in_its_interval() -> None:
    def candidate(p: str, low: str, high: str) -> Any:
        ends = {"lower": Fraction(low), "upper": Fraction(high)}
        return SimpleNamespace(p=Fraction(p), **ends, rational=False, settled=True)

    # The value at 1/5 may be 1/8, below the largest, which is 1/4 at least.
    narrow, wide = candidate("1/3", "1/4", "3/8"), candidate("1/5", "1/8", "1/2")
    for candidates in ([narrow, wide], [wide, narrow]):
        found = two_point._largest(candidates, 1, Fraction(1))
        assert found == two_point.Extremum(Interval(Fraction(1, 4), Fraction(1, 2)), Fraction(1, 3))
