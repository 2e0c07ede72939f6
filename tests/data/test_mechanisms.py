"""Mechanisms: the law that is stated is the law of what runs, for adapters and combinators."""

from collections.abc import Callable
from fractions import Fraction
from typing import cast

import pytest

from pac_stability import Coins, SeededCoins
from pac_stability.data import (
    Deterministic,
    FiniteDistribution,
    FromLaw,
    FromProgram,
    Mechanism,
    TapeExhausted,
    compose,
    compose_adaptively,
    enumerate_law,
    then,
)
from shared_refusals import refuses


def walk(start: int, rng: Coins) -> int:
    """One step up with probability 1/3, else one step down."""
    return start + 2 * rng.bernoulli(Fraction(1, 3)) - 1


def walk_law(start: int) -> FiniteDistribution[int]:
    return FiniteDistribution({start + 1: Fraction(1, 3), start - 1: Fraction(2, 3)})


def step_between(pair: tuple[int, int]) -> FiniteDistribution[int]:
    low, high = sorted(pair)
    return FiniteDistribution.uniform(range(low, high + 1))


WALK = FromProgram(walk)
STATED = FromLaw(walk_law)
BETWEEN = FromLaw(step_between)
SIGN: Deterministic[int, bool] = Deterministic(lambda k: k > 0)

MECHANISMS: dict[str, Mechanism[int, object]] = {
    "program": WALK,
    "law": STATED,
    "function": SIGN,
    "then": then(WALK, STATED),
    "then a function": then(STATED, SIGN),
    "compose": compose(WALK, STATED),
    "compose adaptively": compose_adaptively(WALK, BETWEEN),
    "nested": then(compose(WALK, then(STATED, WALK)), BETWEEN),
}


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("x", [0, 3])
def test_what_runs_has_the_law(name: str, x: int) -> None:
    mechanism = MECHANISMS[name]
    assert enumerate_law(lambda rng: mechanism.run(x, rng)) == mechanism.law(x)


def test_law_of_a_program_is_the_stated_one() -> None:
    assert WALK.law(5) == STATED.law(5) == walk_law(5)


def test_post_processing_is_applied_to_the_output() -> None:
    # Two steps from 0: down-down 4/9, one of each 2 * 2/9, up-up 1/9.
    law = then(WALK, WALK).law(0)
    assert law == FiniteDistribution({-2: Fraction(4, 9), 0: Fraction(4, 9), 2: Fraction(1, 9)})
    assert then(WALK, SIGN).law(0).probability(True) == Fraction(1, 3)


def test_composition_has_independent_parts() -> None:
    assert compose(WALK, STATED).law(0) == walk_law(0).product(walk_law(0))


def test_adaptive_composition_sees_the_first_output() -> None:
    # From 0: up to 1 (1/3), then uniform on {0, 1}; down to -1 (2/3), then uniform on {-1, 0}.
    expected = {(1, 0): 1, (1, 1): 1, (-1, -1): 2, (-1, 0): 2}
    assert compose_adaptively(WALK, BETWEEN).law(0) == FiniteDistribution(
        {pair: Fraction(weight, 6) for pair, weight in expected.items()}
    )


def test_limits_reach_the_tape() -> None:
    with pytest.raises(TapeExhausted, match="max_paths=1 "):
        FromProgram(walk, max_paths=1).law(0)
    with pytest.raises(TapeExhausted, match="max_draws=0 "):
        FromProgram(walk, max_draws=0).law(0)


def test_what_returns_no_law_is_refused() -> None:
    wrong = FromLaw(cast("Callable[[int], FiniteDistribution[int]]", str))
    refuses("function: got the law '3', want a FiniteDistribution", wrong.law, 3)


@pytest.mark.parametrize("name", MECHANISMS)
def test_coins_are_named_rng_and_come_from_the_system_by_default(name: str) -> None:
    mechanism = MECHANISMS[name]
    support = mechanism.law(3).support
    assert mechanism.run(3) in support
    assert mechanism.run(3, rng=SeededCoins(1)) == mechanism.run(3, SeededCoins(1))


@pytest.mark.parametrize("combine", [then, compose, compose_adaptively])
def test_a_plain_function_is_no_mechanism(combine: Callable[..., object]) -> None:
    refuses(r"^(postprocess|second): got .* Deterministic\)$", combine, FromLaw(walk_law), abs)
    refuses(r"^(mechanism|first): got .* Deterministic\)$", combine, abs, FromLaw(walk_law))
