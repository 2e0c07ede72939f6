"""Bounds for enclosed laws, against the exact notions on laws that are enclosed."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import data, errors
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.notions import closeness, robust_generalization
from pac_stability.notions.enclosed_generalization import (
    enclosed_adversary,
    enclosed_minimal_beta,
    enclosed_minimal_deviation,
)
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.testing import strategies

Law = data.FiniteDistribution[int]
Types = data.FiniteDistribution[data.Multiset[int]]

Pair = tuple[Law, data.EnclosedDistribution[int]]
Pairs = Callable[[data.Multiset[int]], Pair]
Enclosed = Mapping[data.Multiset[int], data.EnclosedDistribution[int]]
ULP = Fraction(1, 1 << 64)
TYPES: st.SearchStrategy[Types] = strategies.weighted(range(3), 3, min_weight=1).map(
    lambda distribution: data.multiset_distribution(distribution, 2)
)
WIDTHS = st.sampled_from([Fraction(0), Fraction(1, 10**30), Fraction(1, 50), Fraction(1, 8)])


def enclosed_laws(outputs: int) -> st.SearchStrategy[Pairs]:
    """For each type of two elements a law, and intervals around it."""
    return WIDTHS.flatmap(
        lambda width: strategies.tables(
            data.multisets(range(3), 2), strategies.enclosures(range(outputs), width=width)
        )
    )


def parts(pairs: Pairs) -> tuple[Mapping[data.Multiset[int], Law], Enclosed, Fraction]:
    """The laws, the enclosures, and how wide these are."""
    drawn = {sample: pairs(sample) for sample in data.multisets(range(3), 2)}
    enclosed = {sample: around for sample, (_, around) in drawn.items()}
    width = max(p.width for around in enclosed.values() for _, p in around.items())
    return {sample: law for sample, (law, _) in drawn.items()}, enclosed, width


@settings(max_examples=40)
@given(
    enclosed_laws(3),
    TYPES,
    st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(2, 5)]),
    st.fractions(0, Fraction(12, 13), max_denominator=13),
)
def test_the_best_adversary_against_any_enclosed_law_is_within_the_bounds(
    pairs: Pairs, samples: Types, epsilon: Fraction, delta: Fraction
) -> None:
    laws, enclosed, width = parts(pairs)
    found = enclosed_adversary(enclosed, samples, epsilon)
    assert robust_generalization.optimal_adversary(laws, samples, epsilon).failure in found.failure
    # Each of three outputs may gain or lose the width, and what rounding adds.
    assert found.failure.width <= 6 * (width + ULP)
    # The adversary that is named reaches the lower end.
    named = {y: data.FiniteDistribution.point_mass(test) for y, test in found.tests}
    judged = robust_generalization.conditional_failures(laws, samples, named, epsilon)
    assert sum(weight * failure for weight, failure in judged) >= found.failure.lower

    deviation = enclosed_minimal_deviation(enclosed, samples, delta)
    assert robust_generalization.minimal_epsilon(laws, samples, delta).epsilon in deviation
    if deviation.lower < deviation.upper:  # the bounds on the failure leave it open
        assert enclosed_adversary(enclosed, samples, deviation.lower).failure.upper > delta


@settings(max_examples=60)
@given(
    enclosed_laws(2),
    TYPES,
    strategies.epsilons(3, 3),
    st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3)]),
)
def test_the_best_simulator_of_any_enclosed_law_is_within_the_bounds(
    pairs: Pairs, samples: Types, epsilon: Epsilon, delta: Fraction
) -> None:
    laws, enclosed, width = parts(pairs)
    found = enclosed_minimal_beta(enclosed, samples, epsilon, delta)
    exact = minimal_beta(laws, samples, epsilon, delta)
    assert found.lower <= exact.upper <= found.upper
    if not width:
        assert found.lower == found.upper
    assert found.upper == 1 - sum(samples.probability(sample) for sample in found.covered)
    for sample in found.covered:  # close to every law that is enclosed, so to those at the ends
        p = enclosed[sample].probability(1)
        q = enclosed[sample].probability(0)
        for end in (max(p.lower, 1 - q.upper), min(p.upper, 1 - q.lower)):
            law = data.FiniteDistribution({0: 1 - end, 1: end})
            assert closeness.are_close(law, found.simulator, epsilon, delta)


def test_nothing_known_gives_the_widest_bounds() -> None:
    """Intervals [0, 1], and one draw of a fair bit, from which the test {1} is always 1/2 off."""
    bit = data.FiniteDistribution.uniform([0, 1]).power(1)
    anything = data.EnclosedDistribution({y: Interval(Fraction(0), Fraction(1)) for y in (0, 1)})
    found = enclosed_adversary(lambda _: anything, bit, "1/4")
    assert found.failure == Interval(Fraction(0), Fraction(1))
    found = enclosed_adversary(lambda _: anything, bit, "1/2")
    assert found.failure == Interval.exactly(0)
    beta = enclosed_minimal_beta(lambda _: anything, bit, Epsilon(0))
    assert (beta.lower, beta.upper, beta.covered) == (0, 1, ())


def test_a_laplace_count_is_bounded_to_many_digits() -> None:
    """The number of ones in 4 fair bits, with noise of weight e^(-|k|) cut off at 0 and 4.

    Its rational neighbour with 2^-60 in place of each e^(-k) rounded is at most 2^-50 off.
    """

    def weights(ones: int) -> dict[int, Interval]:
        return {y: Interval.exp(-abs(y - ones)) for y in range(5)}

    def laplace(bits: data.Multiset[int]) -> data.EnclosedDistribution[int]:
        return data.EnclosedDistribution.in_proportion(weights(bits.count(1)))

    def rational(bits: data.Multiset[int]) -> data.FiniteDistribution[int]:
        rounded = {y: round(w.lower * 2**60) for y, w in weights(bits.count(1)).items()}
        total = sum(rounded.values())
        return data.FiniteDistribution({y: Fraction(w, total) for y, w in rounded.items()})

    samples = data.multiset_distribution(data.FiniteDistribution.uniform([0, 1]), 4)
    found = enclosed_adversary(laplace, samples, "1/5").failure
    near = robust_generalization.optimal_adversary(rational, samples, "1/5").failure
    assert found.width < Fraction(1, 2**60)
    assert abs(found.lower - near) < Fraction(1, 2**50)
    deviation = enclosed_minimal_deviation(laplace, samples, "1/3")
    assert (
        deviation.lower
        == deviation.upper
        == robust_generalization.minimal_epsilon(rational, samples, "1/3").epsilon
    )

    def high(bits: data.Multiset[int]) -> data.EnclosedDistribution[bool]:
        return laplace(bits).map(lambda y: y > 2)

    beta = enclosed_minimal_beta(high, samples, Epsilon(1), "1/100")
    exact = minimal_beta(lambda b: rational(b).map(lambda y: y > 2), samples, Epsilon(1), "1/100")
    assert beta.lower == beta.upper == exact.upper


def test_bad_input_is_refused_by_name() -> None:
    bit = data.FiniteDistribution.uniform([0, 1]).power(1)
    three = data.FiniteDistribution.uniform(range(3))
    with pytest.raises(errors.InvalidInput, match="laws: got 3 outcomes"):
        enclosed_minimal_beta(lambda _: three, bit, Epsilon(1))
    with pytest.raises(errors.InvalidInput, match="laws: got 7 for the sample"):
        enclosed_adversary(lambda _: 7, bit, 0)  # type: ignore[arg-type, return-value]  # on purpose
    with pytest.raises(errors.InvalidInput, match=r"laws: got no law for the sample \(0,\)"):
        enclosed_adversary({}, bit, 0)
    with pytest.raises(errors.InvalidInput, match="samples: got 3"):
        enclosed_minimal_beta(lambda _: three, 3, Epsilon(1))  # type: ignore[arg-type]  # on purpose
    with pytest.raises(errors.InvalidInput, match="delta: got 2"):
        enclosed_minimal_deviation(lambda _: three, bit, 2)
    with pytest.raises(errors.InvalidInput, match="epsilon: got -1"):
        enclosed_adversary(lambda _: three, bit, -1)
