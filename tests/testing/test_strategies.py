"""What strategies draw is what they say, all of it can be drawn, and it shrinks to the simplest."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from pac_stability import FiniteClass, FiniteDistribution, Neighbouring, Sample, randomness
from pac_stability.classes import singletons, thresholds
from pac_stability.data import (
    Example,
    FromLaw,
    FromProgram,
    all_examples,
    neighbours as all_neighbours,
)
from pac_stability.testing import strategies
from pac_stability.testing.strategies import labelled
from shared_dimensions import littlestone_by_definition
from shared_refusals import refuses

T = TypeVar("T")


def simplest(strategy: SearchStrategy[T], condition: Callable[[T], bool]) -> T:
    """What a failing test would show."""
    return find(strategy, condition, settings=settings(derandomize=True, max_examples=2000))


def reached(
    strategy: SearchStrategy[T], key: Callable[[T], object], examples: int = 500
) -> set[object]:
    """Everything that some hundred draws reach."""
    seen = set()

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def look(value: T) -> None:
        seen.add(key(value))

    look()
    return seen


def patterns(H: FiniteClass) -> list[tuple[int, ...]]:
    return [tuple(row) for row in H.table.tolist()]


def vc_by_definition(rows: Sequence[tuple[int, ...]], points: int) -> int:
    """The size of the largest set of points on which all patterns appear."""
    return max(
        size
        for size in range(points + 1)
        for chosen in combinations(range(points), size)
        if len({tuple(row[x] for x in chosen) for row in rows}) == 2**size
    )


@given(strategies.finite_classes(min_points=2, max_points=3, min_hypotheses=2, max_hypotheses=5))
def test_classes_keep_their_bounds(H: FiniteClass) -> None:
    assert 2 <= len(H.domain) <= 3
    assert 2 <= len(H) <= 5


def test_every_class_can_be_drawn() -> None:
    rows = list(product((0, 1), repeat=2))
    every = {frozenset(chosen) for size in range(1, 5) for chosen in combinations(rows, size)}
    strategy = strategies.finite_classes(min_points=2, max_points=2)
    assert reached(strategy, lambda H: frozenset(patterns(H))) == every


@given(st.data(), st.integers(0, 2))
def test_classes_have_the_vc_dimension_asked_for(data: DataObject, d: int) -> None:
    H = data.draw(strategies.finite_classes(vc_dimension=d, max_points=3))
    assert vc_by_definition(patterns(H), len(H.domain)) == d


@given(st.data(), st.integers(0, 2))
def test_classes_have_the_littlestone_dimension_asked_for(data: DataObject, d: int) -> None:
    H = data.draw(strategies.finite_classes(littlestone_dimension=d, max_points=3))
    assert littlestone_by_definition(patterns(H)) == d


def test_dimension_2_does_not_mean_a_cube() -> None:
    H = simplest(
        strategies.finite_classes(littlestone_dimension=2),
        lambda H: vc_by_definition(patterns(H), len(H.domain)) == 1,
    )
    assert patterns(H) == [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)]


def test_classes_shrink_to_few_points_and_hypotheses() -> None:
    found = simplest(strategies.finite_classes(), lambda H: len(H) >= 2)
    assert patterns(found) == [(0,), (1,)]


def test_points_may_be_named_in_any_order() -> None:
    strategy = strategies.finite_classes(min_points=2, max_points=2, points="ab")
    assert reached(strategy, lambda H: H.domain) == {("a", "b"), ("b", "a")}
    drawn = strategies.finite_classes(littlestone_dimension=1, points=st.integers())
    assert simplest(drawn, lambda H: 7 in H.domain).domain == (7,)


def test_named_classes_are_what_the_families_make() -> None:
    found = reached(strategies.named_classes(2), lambda H: (len(H.domain), frozenset(patterns(H))))
    for H in (thresholds(1), thresholds(2), singletons(2)):
        assert (len(H.domain), frozenset(patterns(H))) in found
    assert max(size for size, _ in found) == 2  # type: ignore[misc, has-type]  # pairs, just made


@given(strategies.realizable_samples(thresholds(3), min_size=1))
def test_some_member_labels_a_realizable_sample(S: Sample[object]) -> None:
    H = thresholds(3)
    assert any(
        all(H(h, x) == y for x, y in zip(S.points, S.labels, strict=True)) for h in range(len(H))
    )


def test_every_sample_that_some_function_labels_can_be_drawn() -> None:
    hypotheses: list[Callable[[str], int]] = [lambda _: 0, lambda x: int(x == "b")]
    drawn = reached(strategies.labelled_samples(hypotheses, "ab", min_size=2, max_size=2), tuple)
    pairs = product("ab", repeat=2)
    assert drawn == {tuple(Sample(xs, [h(x) for x in xs])) for xs in pairs for h in hypotheses}


@given(strategies.classes_with_targets(max_weight=3))
def test_targets_are_realized_by_their_hypothesis(
    drawn: tuple[FiniteClass, int, FiniteDistribution[Example[Hashable]]],
) -> None:
    H, row, target = drawn
    assert all(H(row, z.point) == z.label for z in target.support)
    assert {z.point for z in target.support} <= set(H.domain)


def test_every_target_can_be_drawn() -> None:
    H = FiniteClass([[0, 1], [1, 1]])
    strategy = strategies.classes_with_targets(st.just(H), max_weight=2)
    shares = {Fraction(a, a + b) for a, b in product(range(3), repeat=2) if a + b}
    found = reached(strategy, lambda t: (t[1], t[2].probability(Example(1, 1))))
    assert found == set(product((0, 1), shares))


def test_every_sample_can_be_drawn() -> None:
    drawn = reached(strategies.samples("ab", min_size=2, max_size=2), tuple)
    assert drawn == set(product(all_examples("ab"), repeat=2))


def test_samples_shrink_to_one_example() -> None:
    assert simplest(strategies.samples(range(5)), lambda S: 1 in S.labels) == Sample([0], [1])


@given(strategies.neighbouring_samples("abc", max_size=3))
def test_neighbouring_samples_differ_in_one_example(pair: tuple[Sample[str], Sample[str]]) -> None:
    S, T = pair
    assert T in set(all_neighbours(S, all_examples("abc")))


@given(strategies.neighbouring_datasets("abc", relation=Neighbouring.ADD_REMOVE))
def test_datasets_may_differ_by_one_record_more(
    pair: tuple[tuple[str, ...], tuple[str, ...]],
) -> None:
    short, long = sorted(pair, key=len)
    assert len(long) == len(short) + 1
    assert short in [long[:i] + long[i + 1 :] for i in range(len(long))]


@given(strategies.distributions(range(5), max_size=3, max_denominator=6))
def test_distributions_keep_their_bounds(law: FiniteDistribution[int]) -> None:
    assert 1 <= len(law) <= 3
    assert law.denominator <= 6
    assert sum(weight for _, weight in law.items()) == 1


def test_every_distribution_can_be_drawn() -> None:
    fractions = {Fraction(a, b) for b in range(1, 6) for a in range(b + 1)}
    strategy = strategies.distributions([0, 1], max_denominator=5)
    assert reached(strategy, lambda law: law.probability(1)) == fractions


def test_distributions_shrink_to_small_denominators() -> None:
    law = simplest(
        strategies.distributions("abc"), lambda law: Fraction(1, 2) < law.probability("a") < 1
    )
    assert law == FiniteDistribution({"a": Fraction(2, 3), "b": Fraction(1, 3)})


@given(strategies.classes_with_trees())
def test_trees_are_shattered_path_by_path(pair: tuple[FiniteClass, object]) -> None:
    H, tree = pair
    rows = patterns(H)
    leaves = list(tree.leaves())  # type: ignore[attr-defined]  # a MistakeTree
    assert {tuple(label for _, label in path) for path, _ in leaves} == set(
        product((0, 1), repeat=len(leaves[0][0]))
    )
    for path, hypothesis in leaves:
        assert all(rows[hypothesis][point] == label for point, label in path)


def test_every_tree_can_be_drawn() -> None:
    # Singletons on 3 points have dimension 1; a tree of depth 1 asks for a point, and names it on
    # the side 1 and one of the two others on the side 0.
    H = FiniteClass([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    drawn = reached(strategies.shattered_trees(H, 1), lambda tree: tree)
    assert len(drawn) == 3 * 2


def law_of_tree(tree: labelled.Toss[int] | labelled.CoinLeaf[int]) -> dict[int, Fraction]:
    """The law of a tree of tosses, by the rule of total probability."""
    if isinstance(tree, labelled.CoinLeaf):
        return {tree.output: Fraction(1)}
    law: dict[int, Fraction] = {}
    for weight, branch in zip(tree.weights, tree.branches, strict=True):
        for output, chance in law_of_tree(branch).items():
            law[output] = law.get(output, Fraction(0)) + chance * Fraction(
                weight, sum(tree.weights)
            )
    return law


@given(strategies.programs([0, 1], range(3)))
def test_the_tape_finds_the_law_of_a_program(M: FromProgram[int, int]) -> None:
    assert isinstance(M.program, labelled.CoinProgram)
    for x, tree in M.program.trees.values.items():
        assert M.law(x) == FiniteDistribution(law_of_tree(tree))
        assert M.law(x).probability(M.run(x, randomness.SeededCoins(0))) > 0


def test_programs_use_every_kind_of_draw_and_may_differ_by_input() -> None:
    strategy = strategies.programs([0, 1], range(2), max_draws=1)

    def kinds(M: FromProgram[int, int]) -> object:
        tree = M.program.trees.values[0]  # type: ignore[attr-defined]  # a CoinProgram
        if isinstance(tree, labelled.CoinLeaf):
            return "none"
        return len(tree.weights), len(set(tree.weights)) == 1

    # No draw; two or three answers, equally likely (below) or not (bernoulli, choose).
    every = {"none", *product((2, 3), (True, False))}
    assert reached(strategy, kinds, 200) == every
    M = simplest(strategy, lambda M: M.law(0) != M.law(1))
    assert (M.law(0).support, M.law(1).support) == ((0,), (1,))


def test_every_table_can_be_drawn_and_a_symmetric_one_forgets_the_order() -> None:
    pairs = list(product((0, 1), repeat=2))
    seen = reached(strategies.tables(pairs, "xy"), lambda t: tuple(map(t, pairs)))
    assert seen == set(product("xy", repeat=4))
    seen = reached(strategies.tables(pairs, "xy", symmetric=True), lambda t: tuple(map(t, pairs)))
    assert seen == {(a, b, b, c) for a, b, c in product("xy", repeat=3)}
    assert simplest(strategies.tables(pairs, "xy"), lambda _: True).values == dict.fromkeys(
        pairs, "x"
    )


def test_few_values_tie() -> None:
    seen = reached(
        strategies.tables("abc", range(9), max_values=2), lambda t: len(set(t.values.values()))
    )
    assert seen == {1, 2}


def test_mechanisms_on_datasets_are_of_every_size() -> None:
    strategy = strategies.mechanisms_on_datasets(
        "ab", strategies.weighted([0, 1], 1), min_size=0, symmetric=True
    )

    def laws(drawn: tuple[int, FromLaw[tuple[str, ...], int]]) -> object:
        n, M = drawn
        return n, tuple(M.law(data) for data in product("ab", repeat=n))

    coins = [FiniteDistribution.point_mass(0), FiniteDistribution.point_mass(1)]
    coins.append(FiniteDistribution.uniform([0, 1]))
    assert reached(strategy, laws, 1000) == {
        *((0, (p,)) for p in coins),
        *((1, (p, q)) for p, q in product(coins, repeat=2)),
        *((2, (p, q, q, r)) for p, q, r in product(coins, repeat=3)),
    }


def test_every_epsilon_can_be_drawn() -> None:
    found = reached(strategies.epsilons(2, 3), lambda epsilon: epsilon.ratio)
    assert found == {Fraction(k, d) for d in (1, 2, 3) for k in range(d, 2 * d + 1)}


def test_mechanisms_refuse_other_inputs() -> None:
    M = simplest(strategies.mechanisms(["x"], "ab"), lambda _: True)
    refuses("one of", M.law, "y")


@pytest.mark.parametrize(("make", "message"), [
    (
        lambda: strategies.finite_classes(vc_dimension=3, max_hypotheses=7),
        "vc_dimension: got 3",
    ),
    (lambda: strategies.finite_classes(vc_dimension=1, littlestone_dimension=1), "one of them"),
    (lambda: strategies.finite_classes(min_hypotheses=5, max_points=2), "min_points"),
    (lambda: strategies.finite_classes(vc_dimension=0, min_hypotheses=2), "min_hypotheses"),
    (lambda: strategies.samples([]), "points: got no values"),
    (lambda: strategies.samples("a", min_size=3, max_size=2), "at most max_size=2"),
    (lambda: strategies.neighbouring_samples("a", min_size=0), "min_size"),
    (lambda: strategies.neighbouring_datasets("aa"), "two records"),
    (lambda: strategies.distributions("ab", max_denominator=0), "max_denominator"),
    (lambda: strategies.shattered_trees(thresholds(3), 3), "Littlestone dimension, 2"),
    (lambda: strategies.shattered_trees(FiniteClass([])), "empty class"),
    (lambda: strategies.realizable_samples(FiniteClass([])), "H: got no values"),
    (lambda: strategies.mechanisms([0, 0], "ab"), "twice"),
    (lambda: strategies.named_classes(0), "max_points"),
    (lambda: strategies.finite_classes(points="abc"), "points: got 3 of them"),
    (lambda: strategies.finite_classes(points="abca"), "twice"),
    (lambda: strategies.tables("ab", []), "values: got no values"),
    (lambda: strategies.tables("ab", "x", max_values=0), "max_values"),
    (lambda: strategies.mechanisms_on_datasets("aa", strategies.weighted("x")), "twice"),
    (lambda: strategies.labelled_samples([], "ab"), "hypotheses: got no values"),
    (lambda: strategies.epsilons(0), "max_factor"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(make: Callable[[], object], message: str) -> None:
    refuses(message, make)
