"""Trees to thresholds and back, and the numbers of Theorem 3 side by side."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import arithmetic, classes, errors, testing
from pac_stability.dimensions import HalfGraph, Leaf, MistakeTree, Node, threshold_dimension
from pac_stability.papers.bun_livni_moran import theorems
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from shared_refusals import refuses


def is_half_graph(H: classes.FiniteClass, found: HalfGraph) -> bool:
    """The definition, label by label."""
    pairs = itertools.product(range(len(found.points)), repeat=2)
    return all(H.table[found.hypotheses[i], found.points[j]] == (i <= j) for i, j in pairs)


def tree_of(depth: int, labels: list[int]) -> tuple[classes.FiniteClass, MistakeTree]:
    """A complete tree with its own point at each question, and one hypothesis for each leaf.

    Off its path a hypothesis has the labels drawn; they decide the colours.
    """
    questions = 2**depth - 1
    rows = []
    for leaf in range(2**depth):
        row = [labels[(leaf * questions + q) % len(labels)] for q in range(questions)]
        place = 0
        for level in range(depth):
            side = leaf >> (depth - 1 - level) & 1
            row[place] = side
            place = 2 * place + 1 + side
        rows.append(row)

    def node(place: int, first: int, left: int) -> Node | Leaf:
        if left == 0:
            return Leaf(first)
        half = 1 << (left - 1)
        zero, one = (
            node(2 * place + 1, first, left - 1),
            node(2 * place + 2, first + half, left - 1),
        )
        return Node(place, zero, one)

    return classes.FiniteClass(rows), MistakeTree(node(0, 0, depth))


@given(st.integers(0, 7), st.lists(st.integers(0, 1), min_size=1, max_size=300))
@settings(max_examples=80)
def test_every_shattered_tree_contains_thresholds(depth: int, labels: list[int]) -> None:
    H, tree = tree_of(depth, labels)
    found = theorems.thresholds_in_tree(H, tree)
    assert is_half_graph(H, found)
    assert len(found.points) == len(found.hypotheses) >= math.floor(math.log2(depth + 1))


def test_steps_of_both_colours_make_one_half_graph() -> None:
    # With these labels the first hypothesis, 0 everywhere, makes a step of colour 0; the labels
    # off the paths of the leaves below are 1, for steps of colour 1.
    H, tree = tree_of(4, [0] * 15 + [1] * 15 * 15)
    found = theorems.thresholds_in_tree(H, tree)
    assert is_half_graph(H, found)
    assert len(found.points) >= 2


@given(testing.strategies.finite_classes(max_points=7, max_hypotheses=30))
@settings(max_examples=40)
def test_both_directions_on_random_classes(H: classes.FiniteClass) -> None:
    result = theorems.equivalence(H, horizon=3)
    assert is_half_graph(H, result.thresholds)
    assert is_half_graph(H, result.thresholds_from_tree)
    d, k = result.littlestone, result.threshold
    assert k == threshold_dimension(H)
    assert len(result.thresholds_from_tree.points) >= result.threshold_bound
    assert math.floor(math.log2(d + 1)) == result.threshold_bound <= k
    if k:
        built = result.tree_from_thresholds
        assert built is not None
        assert built.is_shattered_by(H)
        assert built.depth == result.littlestone_bound == math.floor(math.log2(k)) <= d
    else:
        assert result.tree_from_thresholds is None
    assert result.mistakes == d
    assert result.regret[0] <= result.regret[1].upper


def test_binary_search_on_thresholds_asks_the_middle() -> None:
    H = classes.thresholds(4)  # rows 0, ..., 3 are 1 from point 0, ..., 3 on
    tree = theorems.tree_on_thresholds(H, HalfGraph((0, 1, 2, 3), (0, 1, 2, 3)))
    assert tree == MistakeTree(Node(1, Node(2, Leaf(3), Leaf(2)), Node(0, Leaf(1), Leaf(0))))
    assert theorems.tree_on_thresholds(H, HalfGraph((2,), (3,))) == MistakeTree(Leaf(2))


def test_ladders_refuse() -> None:
    H = classes.thresholds(3)
    with pytest.raises(errors.InvalidInput, match="tree: got a tree with this fault: hypothesis 0"):
        theorems.thresholds_in_tree(H, MistakeTree(Node(0, Leaf(0), Leaf(1))))
    refuses("thresholds: got", theorems.tree_on_thresholds, H, HalfGraph((1, 0), (0, 1)))
    refuses("at least one pair", theorems.tree_on_thresholds, H, HalfGraph((), ()))


def test_the_table_of_known_classes() -> None:
    # The dimensions are known: thresholds on 7 points 3, 7, 1; singletons 1, 1, 1; a cube n, n, n.
    for H, d, k, vc in (
        (classes.thresholds(7), 3, 7, 1),
        (classes.FiniteClass(classes.singletons(5).table), 1, 1, 1),
        (classes.cube(3), 3, 3, 3),
    ):
        result = theorems.equivalence(H, constants="paper")
        assert (result.littlestone, result.threshold, result.vc, result.mistakes) == (d, k, vc, d)
        printed = str(result).splitlines()
        assert printed[1].split()[-1] == str(d)
        assert printed[-2].split()[-1] == f"{result.private:,}"
    # As printed for d = 3 and d = 1, with alpha 1/4, beta 1/10, epsilon 1, delta 10^-6.
    assert theorems.equivalence(classes.cube(3), constants="paper").private == 1_359_289_132
    assert theorems.equivalence(classes.cube(1), constants="proved").private == 900_821


def test_one_hypothesis_costs_nothing() -> None:
    result = theorems.equivalence(classes.FiniteClass([[0, 1]]))
    assert (result.littlestone, result.mistakes, result.private, result.agnostic) == (0, 0, 0, 0)
    assert result.regret[0] == 0
    assert result.regret[1].upper == 0


def test_the_agnostic_size_has_a_delta_small_enough() -> None:
    H = classes.cube(1)
    n = theorems.equivalence(H, delta="1/100", constants="proved").agnostic
    # n = 2 * 9 m with m for a delta of at most beta/n; the first m, for 1/100, is too small.
    m = n // 18
    quarter, tenth, budget = Fraction(1, 4), Fraction(1, 10), arithmetic.Epsilon(1)
    assert (
        m > PrivateLearnerSizes(1, quarter, tenth, budget, Fraction(1, 100), "proved").sample_size
    )
    assert m >= PrivateLearnerSizes(1, quarter, tenth, budget, tenth / n, "proved").sample_size
