"""Finite distributions against sums from the definition; the tape against recursive evaluation."""

from __future__ import annotations

import doctest
import importlib
import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pac_stability.data import (
    Deterministic,
    FiniteDistribution,
    LawMechanism,
    ProgramMechanism,
    compose,
    compose_adaptively,
    enumerate_law,
    enumerate_paths,
    then,
)
from pac_stability.errors import InvalidInput, NotReplayable, PathBudgetExhausted
from pac_stability.randomness import Coins, SeededCoins, WeightedChoice

Law: TypeAlias = FiniteDistribution[int]
laws = st.dictionaries(st.integers(0, 5), st.integers(0, 6), min_size=1).filter(
    lambda weights: any(weights.values())
)


def make(weights: dict[int, int]) -> Law:
    total = sum(weights.values())
    return FiniteDistribution({o: Fraction(w, total) for o, w in weights.items()})


@given(laws, laws)
def test_operations_are_their_definitions(v: dict[int, int], w: dict[int, int]) -> None:
    p, q = make(v), make(w)
    assert set(p.support) == {o for o in v if v[o]}
    assert sum(weight for _, weight in p.items()) == 1
    assert sum(p.numerators) == p.denominator
    pair = p.product(q)
    for a, b in itertools.product(range(6), repeat=2):
        assert pair.probability((a, b)) == p.probability(a) * q.probability(b)
        expected = sum(
            (p.probability(x) * q.probability((b - x) % 6) for x in range(6)), start=Fraction(0)
        )
        shifted = p.bind(lambda x: q.map(lambda y: (x + y) % 6))
        assert shifted.probability(b) == expected
    for o in range(6):
        blend = FiniteDistribution.mixture([(Fraction(1, 3), p), (Fraction(2, 3), q)])
        assert blend.probability(o) == p.probability(o) / 3 + q.probability(o) * 2 / 3
        even = sum((p.probability(x) for x in range(0, 6, 2)), start=Fraction(0))
        if even and o % 2 == 0:
            assert p.condition(lambda x: x % 2 == 0).probability(o) == p.probability(o) / even
    assert p.expectation(lambda x: Fraction(x, 7)) == sum(
        p.probability(x) * Fraction(x, 7) for x in range(6)
    )
    assert p.power(2) == p.product(p)
    reordered = FiniteDistribution(dict(reversed(list(p.items()))))
    assert p == reordered
    assert hash(p) == hash(reordered)
    assert (p == q) == all(p.probability(o) == q.probability(o) for o in range(6))
    assert enumerate_law(p.sample) == p


def test_bad_distributions_name_what_is_wrong() -> None:
    with pytest.raises(InvalidInput, match="a sum of 5/6, want a sum of exactly 1"):
        FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3)})
    with pytest.raises(InvalidInput, match="-1 for 'b'"):
        FiniteDistribution({"a": 2, "b": -1})
    with pytest.raises(InvalidInput, match="weights: got a sum of 0"):
        FiniteDistribution({})
    with pytest.raises(InvalidInput, match="float"):
        FiniteDistribution({0: 0.5, 1: 0.5})  # type: ignore[dict-item]  # what is tested
    with pytest.raises(InvalidInput, match="hashable"):
        FiniteDistribution.point_mass([1])
    with pytest.raises(InvalidInput, match="probability 0"):
        FiniteDistribution.point_mass(1).condition(lambda x: x > 1)


def test_the_tape_gives_closed_forms() -> None:
    dice = enumerate_law(lambda rng: sum(rng.below(4) for _ in range(5)))
    binomial = enumerate_law(lambda rng: sum(rng.bernoulli(Fraction(1, 3)) for _ in range(6)))
    for k in range(7):
        assert binomial.probability(k) == math.comb(6, k) * Fraction(2 ** (6 - k), 3**6)
    for s in range(16):  # sums of five from 0..3 by inclusion and exclusion
        ways = sum(
            (-1) ** j * math.comb(5, j) * math.comb(s - 4 * j + 4, 4) for j in range(s // 4 + 1)
        )
        assert dice.probability(s) == Fraction(ways, 4**5)


Tree: TypeAlias = "int | tuple[str, tuple[int, ...], list[Tree]]"


def trees() -> st.SearchStrategy[Tree]:
    def node(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        weights = st.lists(st.integers(0, 3), min_size=1, max_size=3).filter(any)
        return weights.flatmap(
            lambda w: st.tuples(
                st.sampled_from(["choose", "below", "prepared"]),
                st.just(tuple(w)),
                st.lists(children, min_size=len(w), max_size=len(w)),
            )
        )

    return st.recursive(st.integers(0, 3), node, max_leaves=12)


def run(tree: Tree, rng: Coins) -> int:
    while not isinstance(tree, int):
        kind, weights, children = tree
        if kind == "below":
            tree = children[rng.below(len(children))]
        else:
            tree = children[rng.choose(WeightedChoice(weights) if kind == "prepared" else weights)]
    return tree


def evaluate(tree: Tree) -> dict[int, Fraction]:
    if isinstance(tree, int):
        return {tree: Fraction(1)}
    kind, weights, children = tree
    shares = [1] * len(children) if kind == "below" else list(weights)
    result: dict[int, Fraction] = {}
    for share, child in zip(shares, children, strict=True):
        for outcome, mass in evaluate(child).items():
            result[outcome] = result.get(outcome, Fraction(0)) + mass * Fraction(share, sum(shares))
    return {outcome: mass for outcome, mass in result.items() if mass}


@given(trees())
def test_the_tape_agrees_with_recursive_evaluation(tree: Tree) -> None:
    law = enumerate_law(lambda rng: run(tree, rng))
    assert dict(law.items()) == evaluate(tree)
    paths = list(enumerate_paths(lambda rng: run(tree, rng)))
    assert sum(path.probability for path in paths) == 1
    assert len({path.answers for path in paths}) == len(paths)


def never_ends(rng: Coins) -> int:
    while rng.bernoulli(Fraction(1, 2)):
        pass
    return 0


def swallows(rng: Coins) -> int:
    try:
        return never_ends(rng)
    except Exception:
        return 1


@pytest.mark.parametrize("program", [never_ends, swallows])
def test_a_program_without_end_is_stopped_with_path_and_settled_mass(
    program: Callable[[Coins], int],
) -> None:
    with pytest.raises(PathBudgetExhausted, match="max_depth = 5") as caught:
        enumerate_law(program, max_depth=5)
    assert caught.value.path == ("bernoulli(1/2) -> 1",) * 5
    assert caught.value.settled == 1 - Fraction(1, 32)


def test_a_loop_that_does_not_branch_is_stopped_too() -> None:
    def spin(rng: Coins) -> int:
        while rng.below(1) == 0:
            pass
        return 0

    with pytest.raises(PathBudgetExhausted):
        enumerate_law(spin)


def test_the_limit_on_paths_is_exact() -> None:
    assert len(list(enumerate_paths(lambda rng: rng.below(8), max_paths=8))) == 8
    with pytest.raises(PathBudgetExhausted, match="max_paths = 7") as caught:
        enumerate_law(lambda rng: rng.below(8), max_paths=7)
    assert caught.value.settled == Fraction(7, 8)


def test_programs_that_do_not_repeat_themselves_are_found_out() -> None:
    runs = itertools.count()
    with pytest.raises(NotReplayable, match="draw 1"):
        enumerate_law(lambda rng: rng.below(2 + next(runs)))
    again = itertools.count()
    with pytest.raises(NotReplayable, match="made 0 draws"):
        enumerate_law(lambda rng: rng.below(2) if next(again) == 0 else 0)


def test_errors_of_the_program_carry_the_path() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        enumerate_law(lambda rng: 1 // (rng.below(3) - 1))
    assert caught.value.__notes__ == ["on the path: below(3) -> 1"]
    with pytest.raises(InvalidInput, match="hashable"):
        enumerate_law(lambda rng: [rng.below(2)])
    with pytest.raises(InvalidInput, match=r"^p: got"):
        enumerate_law(lambda rng: rng.bernoulli(2))


def test_combinators_have_the_law_of_what_they_run() -> None:
    flip = ProgramMechanism[int, int](lambda x, rng: x ^ rng.bernoulli(Fraction(1, 4)))
    draw = LawMechanism[int, int](lambda x: FiniteDistribution.uniform(range(x + 2)))
    shifted = LawMechanism[tuple[int, int], int](
        lambda pair: FiniteDistribution.uniform(range(pair[0] + 3 * pair[1] + 1))
    )
    for x in (0, 1):
        for mechanism in (then(flip, draw), then(draw, Deterministic[int, int](lambda y: y % 2))):
            assert enumerate_law(partial(mechanism.run, x)) == mechanism.law(x)
        for pair in (compose(flip, draw), compose_adaptively(flip, shifted)):
            assert enumerate_law(partial(pair.run, x)) == pair.law(x)
    assert compose(flip, draw).law(0).probability((1, 1)) == Fraction(1, 8)
    assert compose_adaptively(flip, shifted).law(0).probability((1, 3)) == Fraction(1, 16)
    assert flip.run(0, SeededCoins(1)) in (0, 1)


@pytest.mark.parametrize(
    "name",
    ["distribution", "labels", "mechanism", "multiset", "neighbours", "sample", "tape"],
)
def test_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"pac_stability.data.{name}"))
    assert result.failed == 0 < result.attempted
