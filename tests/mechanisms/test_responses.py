"""Randomized response: law, sampler, and exact epsilon."""

from collections.abc import Callable
from fractions import Fraction
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, InvalidInput, mechanisms
from pac_stability.data import FiniteDistribution, Mechanism, enumerate_law, enumerate_paths

Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Runs = Callable[[Mechanism[object, object], object], bool]


@given(st.integers(1, 5), st.fractions(1, 9, max_denominator=9))
def test_truth_has_the_odds_and_the_sampler_the_law(
    runs_as_stated: Runs, least_factor: Factor, k: int, t: Fraction
) -> None:
    response = mechanisms.RandomizedResponse(tuple(range(k)), Epsilon.exactly(t))
    for x in range(k):
        assert runs_as_stated(cast("Mechanism[object, object]", response), x)
        law = response.law(x)
        assert all(law.probability(x) == t * law.probability(y) for y in range(k) if y != x)
    worst = max(least_factor(response.law(x), response.law(y)) for x in range(k) for y in range(k))
    assert worst == (response.guarantee.factor if k > 1 else 1)
    assert response.guarantee.factor == t


@pytest.mark.parametrize(("argument", "make"), [
    ("values", lambda: mechanisms.RandomizedResponse((), Epsilon(1.0))),
    ("values", lambda: mechanisms.RandomizedResponse((1, 1), Epsilon(1.0))),
    ("epsilon", lambda: mechanisms.RandomizedResponse((0, 1), cast("Epsilon", 1.0))),
    ("x", lambda: mechanisms.RandomizedResponse((0, 1), Epsilon(1.0)).law(2)),
    ("x", lambda: mechanisms.RandomizedResponse((0, 1), Epsilon(1.0)).run(2)),
    ("x", lambda: mechanisms.RandomizedResponse((0, 1), Epsilon(1.0)).law(cast("int", [0]))),
])  # fmt: skip
def test_bad_input(argument: str, make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument


def test_a_draw_of_a_mechanism_is_one_draw_of_a_tape() -> None:
    noise = mechanisms.DiscreteLaplace(Fraction(1, 2), -3, 3)
    paths = list(enumerate_paths(lambda rng: noise.run(0, rng)))
    assert len(paths) == 7 < len(list(enumerate_paths(lambda rng: noise.run(0, rng), inside=True)))
    assert {path.outcome: path.probability for path in paths} == dict(noise.law(0).items())
    listed = [0, 1, 1]  # not hashable, and asked again on every path
    vote = mechanisms.NoisyMeanVote(Fraction(1, 2))
    both = enumerate_law(lambda rng: (vote.run(listed, rng), noise.run(1, rng)))
    assert both == vote.law(listed).product(noise.law(1))
