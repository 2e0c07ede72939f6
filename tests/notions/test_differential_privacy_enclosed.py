"""The notions on laws that are known up to intervals enclose those of the laws meant."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, Interval, InvalidInput, Undecided
from pac_stability.data import EnclosedDistribution, FiniteDistribution, Law
from pac_stability.notions import (
    differential_privacy,
    group_privacy,
    private_prediction,
    uniform_stability,
)
from pac_stability.testing import strategies

Bits = tuple[int, ...]
Laws = Callable[[Bits], tuple[FiniteDistribution[int], EnclosedDistribution[int]]]

SAMPLES: list[Bits] = [*product(range(2), repeat=2)]
PAIRS = [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1))]
# Laws of a mechanism on two bits, and intervals around their probabilities; often all are exact.
LAWS = st.sampled_from([Fraction(0), Fraction(1, 40)]).flatmap(
    lambda width: strategies.tables(SAMPLES, strategies.enclosures(range(3), width=width))
)


def within(exact: Fraction | float, found: Interval | float) -> bool:
    if isinstance(found, Interval) and isinstance(exact, Fraction):
        return exact in found
    return exact == found == math.inf


@settings(max_examples=50)
@given(LAWS, strategies.epsilons(3), strategies.probabilities())
def test_intervals_hold_the_parameters_of_the_laws_meant(
    laws: Laws, epsilon: Epsilon, delta: Fraction
) -> None:
    def meant(sample: Bits, _: int = 0) -> FiniteDistribution[int]:
        return laws(sample)[0]

    def known(sample: Bits, _: int = 0) -> EnclosedDistribution[int]:
        return laws(sample)[1]

    found = differential_privacy.minimal_delta(known, PAIRS, epsilon)
    assert differential_privacy.minimal_delta(meant, PAIRS, epsilon) in found
    assert private_prediction.minimal_delta(known, PAIRS, [0], epsilon) == found
    group = group_privacy.minimal_delta(known, SAMPLES, 2, epsilon)
    assert group_privacy.minimal_delta(meant, SAMPLES, 2, epsilon) in group
    stability = uniform_stability.minimal_gamma(known, PAIRS, [0])
    assert uniform_stability.minimal_gamma(meant, PAIRS, [0]) in stability
    try:
        factor = differential_privacy.minimal_epsilon(known, PAIRS, delta)
    except Undecided:
        assert any(weight.width for x in SAMPLES for _, weight in known(x).items())
    else:
        assert within(differential_privacy.minimal_epsilon(meant, PAIRS, delta), factor)
        assert private_prediction.minimal_epsilon(known, PAIRS, [0], delta) == factor
        assert group_privacy.minimal_epsilon(known, SAMPLES, 1, delta) == factor


@settings(max_examples=50)
@given(LAWS, strategies.epsilons(3), strategies.probabilities())
def test_what_is_decided_is_right(laws: Laws, epsilon: Epsilon, delta: Fraction) -> None:
    expected = differential_privacy.holds(lambda s: laws(s)[0], PAIRS, epsilon, delta)
    try:
        found = differential_privacy.holds(lambda s: laws(s)[1], PAIRS, epsilon, delta)
    except Undecided:
        return
    assert found == expected


def test_a_factor_that_is_infinite_for_one_pair_is_infinite() -> None:
    likely = Interval.exp(Fraction(-1, 10))
    laws = [
        EnclosedDistribution({0: likely, 1: 1 - likely}),
        EnclosedDistribution({0: 1 - likely, 1: likely}),
        EnclosedDistribution({0: 1}),
    ]
    pairs = [(0, 1), (1, 2), (0, 1)]
    assert differential_privacy.minimal_epsilon(laws.__getitem__, pairs) == math.inf
    finite = differential_privacy.minimal_epsilon(laws.__getitem__, pairs[:1])
    assert isinstance(finite, Interval)
    assert finite.lower <= (likely / (1 - likely)).upper
    assert finite.upper >= (likely / (1 - likely)).lower


def test_a_close_call_is_undecided() -> None:
    # The two laws are exactly at the claimed gamma and delta, which intervals cannot show.
    likely = Interval.exp(-1)
    laws = [EnclosedDistribution({0: likely, 1: 1 - likely}), EnclosedDistribution({0: 0, 1: 1})]
    gamma = likely.lower + likely.width / 2

    def law(sample: int, _: str) -> EnclosedDistribution[int]:
        return laws[sample]

    def either(k: int) -> Law[int, Fraction | Interval]:
        return laws[0] if k else FiniteDistribution.point_mass(0)

    nothing = Epsilon.exactly(1)
    with pytest.raises(Undecided):
        uniform_stability.holds(law, [(0, 1)], "x", gamma)
    with pytest.raises(Undecided):
        private_prediction.holds(law, [(0, 1)], "x", nothing, gamma)
    with pytest.raises(Undecided):
        group_privacy.holds(lambda bits: laws[bits[0]], [(0,), (1,)], 1, nothing, gamma)
    with pytest.raises(InvalidInput, match="want two FiniteDistributions or two Enclosed"):
        differential_privacy.holds(either, [(0, 1)], nothing)


def test_exact_and_enclosed_pairs_have_an_enclosed_supremum() -> None:
    # 0 and 1 are exact and 1/2 apart; 2 and 3 are enclosed, and e**-1 apart.
    likely, half = Interval.exp(-1), Fraction(1, 2)
    laws: dict[int, Law[int, Fraction | Interval]] = {
        0: FiniteDistribution.point_mass(0),
        1: FiniteDistribution.uniform([0, 1]),
        2: EnclosedDistribution({0: 1}),
        3: EnclosedDistribution({0: 1 - likely, 1: likely}),
    }
    nothing = Epsilon.exactly(1)
    for pairs in ([(0, 1), (2, 3)], [(2, 3), (0, 1)]):
        gamma = uniform_stability.minimal_gamma(lambda k, _: laws[k], pairs, "x")
        assert gamma == Interval.exactly(half)
        assert differential_privacy.minimal_delta(laws.__getitem__, pairs, nothing) == gamma
