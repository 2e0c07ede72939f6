"""Finite distributions against dictionaries of fractions, from the definitions."""

import math
import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteDistribution, InvalidInput, enumerate_law

Weights = dict[int, Fraction]


@st.composite
def weights(draw: st.DrawFn, max_size: int = 5) -> Weights:
    """Probabilities on small integers, some of them zero."""
    parts = draw(
        st.dictionaries(st.integers(0, 9), st.integers(0, 6), min_size=1, max_size=max_size)
    )
    if not any(parts.values()):
        parts[10] = 1
    total = sum(parts.values())
    return {outcome: Fraction(part, total) for outcome, part in parts.items()}


laws = weights().map(FiniteDistribution)


def plain(law: FiniteDistribution[int]) -> Weights:
    return dict(law.items())


def positive(parts: Mapping[int, Fraction]) -> Weights:
    return {outcome: part for outcome, part in parts.items() if part}


@given(weights())
def test_construction_keeps_positive_weights_in_order(parts: Weights) -> None:
    law = FiniteDistribution(parts)
    assert list(law.items()) == list(positive(parts).items())
    assert law.support == tuple(positive(parts))
    assert len(law) == len(positive(parts))
    assert all(law.probability(k) == parts.get(k, 0) for k in range(12))
    assert all(type(p) is Fraction for _, p in law.items())


@given(weights())
def test_integers_are_the_probabilities_over_their_least_denominator(parts: Weights) -> None:
    law = FiniteDistribution(parts)
    assert law.denominator == math.lcm(*(part.denominator for part in parts.values()))
    assert [(k, Fraction(part, law.denominator)) for k, part in law.numerators.items()] == [
        *law.items()
    ]
    with pytest.raises(TypeError):
        law.numerators[0] = 1  # type: ignore[index]  # what is tested


@given(weights(), st.randoms())
def test_equality_ignores_order_and_zero_weights(parts: Weights, random: Random) -> None:
    shuffled = list(parts.items())
    random.shuffle(shuffled)
    other = FiniteDistribution({**dict(shuffled), 77: Fraction(0)})
    assert other == FiniteDistribution(parts)
    assert hash(other) == hash(FiniteDistribution(parts))


@given(weights(), weights())
def test_equality_is_that_of_the_probabilities(left: Weights, right: Weights) -> None:
    assert (FiniteDistribution(left) == FiniteDistribution(right)) == (
        positive(left) == positive(right)
    )


def test_a_law_is_not_equal_to_its_dictionary() -> None:
    assert FiniteDistribution({1: 1}) != {1: 1}


@given(weights(), st.integers(1, 4))
def test_map_adds_the_probabilities_of_each_value(parts: Weights, modulus: int) -> None:
    image = FiniteDistribution(parts).map(lambda k: k % modulus)
    for value in range(modulus):
        assert image.probability(value) == sum(p for k, p in parts.items() if k % modulus == value)
    assert image.support == tuple(dict.fromkeys(k % modulus for k in positive(parts)))


@given(weights(), weights())
def test_product_multiplies(left: Weights, right: Weights) -> None:
    pair = FiniteDistribution(left).product(FiniteDistribution(right))
    expected = {(a, b): p * q for a, p in left.items() for b, q in right.items() if p * q}
    assert list(pair.items()) == list(expected.items())


@given(weights(max_size=3), st.integers(0, 4))
def test_power_is_the_law_of_independent_draws(parts: Weights, n: int) -> None:
    law = FiniteDistribution(parts).power(n)
    sequences = list(product(positive(parts), repeat=n))
    assert law.support == tuple(sequences)
    for sequence in sequences:
        probability = Fraction(1)
        for outcome in sequence:
            probability *= parts[outcome]
        assert law.probability(sequence) == probability


@given(weights())
def test_condition_rescales(parts: Weights) -> None:
    even = sum(p for k, p in parts.items() if k % 2 == 0)
    law = FiniteDistribution(parts)
    if even:
        given_even = law.condition(lambda k: k % 2 == 0)
        assert plain(given_even) == {k: p / even for k, p in positive(parts).items() if k % 2 == 0}
    else:
        with pytest.raises(InvalidInput, match="event: got an event of probability zero"):
            law.condition(lambda k: k % 2 == 0)


@given(weights(), st.lists(st.fractions() | st.integers(), min_size=11, max_size=11))
def test_expectation_is_the_weighted_sum(parts: Weights, values: list[Fraction | int]) -> None:
    expected = sum(p * values[k] for k, p in parts.items())
    result = FiniteDistribution(parts).expectation(lambda k: values[k])
    assert result == expected
    assert type(result) is Fraction


@given(weights(), st.lists(weights(), min_size=3, max_size=3))
def test_bind_is_the_law_of_total_probability(parts: Weights, kernels: list[Weights]) -> None:
    result = FiniteDistribution(parts).bind(lambda k: FiniteDistribution(kernels[k % 3]))
    for outcome in range(11):
        expected = sum(p * kernels[k % 3].get(outcome, 0) for k, p in parts.items())
        assert result.probability(outcome) == expected
    mixed = FiniteDistribution.mixture(
        [(p, FiniteDistribution(kernels[k % 3])) for k, p in parts.items()]
    )
    assert mixed == result


@given(laws)
def test_sampling_has_the_law(law: FiniteDistribution[int]) -> None:
    assert enumerate_law(law.sample) == law
    assert law.sample() in law.support  # the coins of the operating system


@given(laws)
def test_pickling(law: FiniteDistribution[int]) -> None:
    assert pickle.loads(pickle.dumps(law)) == law  # noqa: S301  # our own bytes


def test_named_distributions() -> None:
    third = Fraction(1, 3)
    assert dict(FiniteDistribution.uniform("abc").items()) == {"a": third, "b": third, "c": third}
    assert dict(FiniteDistribution.point_mass(4).items()) == {4: Fraction(1)}
    assert FiniteDistribution({"a": 1, "b": 0}).support == ("a",)


def test_a_hundred_thousand_outcomes() -> None:
    # The mean of 0..N-1 is (N-1)/2; the largest weight of an outcome and N-1 others sum to one.
    size = 100_000
    law = FiniteDistribution({k: Fraction(1, size) for k in range(size)})
    assert law == FiniteDistribution.uniform(range(size))
    assert law.expectation(lambda k: k) == Fraction(size - 1, 2)
    assert law.map(lambda k: k % 2) == FiniteDistribution.uniform([0, 1])


@pytest.mark.parametrize(("given_weights", "message"), [
    ({}, "got the sum 0"),
    ({0: Fraction(1, 2)}, "got the sum 1/2"),
    ({0: 1, 1: Fraction(1, 10**9)}, r"got the sum 1000000001/1000000000"),
    ({0: 1, 1: Fraction(1, 10**90)}, "a sum that exceeds 1 by about 1e-90"),
    ({0: 1 - Fraction(1, 10**90)}, "falls short of 1 by about 1e-90"),
    ({0: 10**5000}, "exceeds 1 by more than 2"),
    ({0: 1 - 10**5000, 1: -(10**5000)}, "the weight a number of"),
    ({0: 2, 1: -1}, "the weight -1 for 1"),
    ({0: 0.5, 1: 0.5}, "0.5"),
    ({0: "x"}, "x"),
    ([("a", 1)], "a mapping from outcomes to weights"),
    ({float("nan"): 1}, "weights: got nan"),
])  # fmt: skip
def test_what_is_no_law_is_refused(given_weights: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        FiniteDistribution(cast("dict[object, int]", given_weights))
    assert caught.value.argument == "weights"
    assert "\n" not in str(caught.value)


coin = FiniteDistribution.uniform([0, 1])


@pytest.mark.parametrize(("call", "argument"), [
    (lambda: FiniteDistribution.uniform([]), "outcomes"),
    (lambda: FiniteDistribution.uniform("aa"), "outcomes"),
    (lambda: FiniteDistribution.uniform([[]]), "outcomes"),
    (lambda: FiniteDistribution.uniform([float("nan")]), "outcomes"),
    (lambda: FiniteDistribution.point_mass([]), "outcome"),
    (lambda: FiniteDistribution.mixture([(Fraction(1, 2), coin)]), "weights"),
    (lambda: coin.map(lambda k: [k]), "function"),
    (lambda: coin.map(lambda _: float("nan")), "function"),
    (lambda: coin.bind(cast("Callable[[int], FiniteDistribution[int]]", str)), "kernel"),
    (lambda: coin.power(-1), "n"),
    (lambda: coin.power(cast("int", 1.0)), "n"),
    (lambda: coin.expectation(cast("Callable[[int], int]", float)), "value"),
    (lambda: coin.probability([]), "outcome"),
])  # fmt: skip
def test_bad_arguments_are_named(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        call()
    assert caught.value.argument == argument
