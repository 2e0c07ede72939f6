from collections.abc import Hashable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.classes import SPECS, FiniteClass, from_spec
from pac_stability.dimensions import Leaf, MistakeTree, Node, littlestone_dimension, shattered_tree
from pac_stability.errors import InvalidInput
from pac_stability.online import (
    GreedyAdversary,
    Halving,
    OnlineLearner,
    StandardOptimalAlgorithm,
    TreeAdversary,
    WeightedMajority,
    play,
)
from pac_stability.testing import strategies
from shared_dimensions import littlestone_by_definition as ldim
from shared_refusals import refuses

CLASSES = strategies.finite_classes(max_points=5, max_hypotheses=12)


class Stubborn:
    """Predicts a fixed row, whatever it is told."""

    def __init__(self, row: list[int]) -> None:
        self._row = row

    def predict(self, point: Hashable, /) -> int:
        assert isinstance(point, int)
        return self._row[point]

    def update(self, point: Hashable, label: int, /) -> None:
        """Nothing is learned."""


class LastLabel(Stubborn):
    """Predicts the last label seen, wherever it was seen."""

    def __init__(self) -> None:
        self._label = 0

    def predict(self, point: Hashable, /) -> int:  # noqa: ARG002  # whatever the point
        return self._label

    def update(self, point: Hashable, label: int, /) -> None:  # noqa: ARG002
        self._label = label


def shattered(rows: list[tuple[int, list[int]]], depth: int) -> Node | Leaf:
    """A complete tree of that depth on numbered rows, straight from the recursion."""
    if depth == 0:
        return Leaf(rows[0][0])
    for x in range(len(rows[0][1])):
        sides = [[r for r in rows if r[1][x] == label] for label in (0, 1)]
        tables = [np.array([r for _, r in side], dtype=np.uint8) for side in sides]
        if all(side and ldim(t) >= depth - 1 for side, t in zip(sides, tables, strict=True)):
            zero, one = (shattered(side, depth - 1) for side in sides)
            return Node(x, zero, one)
    raise AssertionError("no tree of this depth")


@given(CLASSES, st.integers(0, 1))
def test_greedy_forces_exactly_the_dimension_on_soa(H: FiniteClass, tie: int) -> None:
    transcript = play(H, StandardOptimalAlgorithm(H, tie), GreedyAdversary(H))
    assert transcript.mistakes == len(transcript.rounds) == ldim(H.table)
    assert transcript.check(H, StandardOptimalAlgorithm(H, tie)).accepted


FAMILIES = (
    *("thresholds:33", "signed_thresholds:12", "intervals:9", "unions_of_intervals:7,2"),
    *("singletons:20", "subsets:7,3", "cube:6", "parities:5", "monotone_conjunctions:5"),
    *("conjunctions:4", "affine_lines:5", "affine_planes:3", "affine_subspaces:2,4,1"),
    *("boxes:4,2", "stumps:4,2", "halfspaces:4,2", "random:200x24:1/2:1"),
)


def test_no_family_is_forgotten() -> None:
    assert {spec.partition(":")[0] for spec in FAMILIES} == set(SPECS)


@pytest.mark.parametrize("tie", [0, 1])
@pytest.mark.parametrize("spec", FAMILIES)
def test_greedy_and_soa_meet_at_the_dimension_of_every_family(spec: str, tie: int) -> None:
    H = from_spec(spec)
    transcript = play(H, StandardOptimalAlgorithm(H, tie), GreedyAdversary(H))
    assert transcript.mistakes == len(transcript.rounds) == littlestone_dimension(H)
    assert play(H, Halving(H, tie), GreedyAdversary(H)).mistakes >= littlestone_dimension(H)
    followed = play(H, Halving(H, tie), TreeAdversary(H, shattered_tree(H)))
    assert followed.mistakes == littlestone_dimension(H)


@pytest.mark.parametrize("spec", FAMILIES)
@given(data=st.data(), tie=st.integers(0, 1))
@settings(max_examples=15)
def test_soa_never_errs_more_on_a_realizable_sequence_of_any_family(
    spec: str, data: st.DataObject, tie: int
) -> None:
    H = named(spec)
    target = data.draw(st.integers(0, len(H) - 1))
    points = data.draw(st.lists(st.sampled_from(H.domain), max_size=3 * len(H.domain)))
    soa = StandardOptimalAlgorithm(H, tie)
    left = [soa.dimension]
    for point in points:
        soa.update(point, H(target, point))
        left.append(soa.dimension)
        # The potential behind the bound: what was paid and what may still come never grow.
        assert soa.mistakes + left[-1] <= left[0] == known(spec)
    assert soa.realizable
    assert target in soa.version_space


@cache
def named(spec: str) -> FiniteClass:
    return from_spec(spec)


@cache
def known(spec: str) -> int:
    return littlestone_dimension(named(spec))


@given(CLASSES, st.data())
def test_greedy_forces_the_dimension_on_every_deterministic_learner(
    H: FiniteClass, data: st.DataObject
) -> None:
    width = len(H.domain)
    row = data.draw(st.lists(st.integers(0, 1), min_size=width, max_size=width))
    learners: list[OnlineLearner] = [
        Halving(H, tie=0),
        WeightedMajority(H, Fraction(1, 3)),
        Stubborn(row),
        LastLabel(),
    ]
    for learner in learners:
        transcript = play(H, learner, GreedyAdversary(H), rounds=10)
        assert transcript.mistakes == len(transcript.rounds) >= ldim(H.table)
        assert transcript.realizable


@given(CLASSES, st.data())
def test_greedy_takes_the_first_point_that_keeps_the_largest_dimension(
    H: FiniteClass, data: st.DataObject
) -> None:
    width = len(H.domain)
    row = data.draw(st.lists(st.integers(0, 1), min_size=width, max_size=width))

    def kept(x: int, label: int) -> int:
        return ldim(H.table[H.table[:, x] == label])

    contradicted = [kept(x, 1 - row[x]) for x in range(width)]
    worse = [min(kept(x, 0), kept(x, 1)) for x in range(width)]
    for learner, values in ((Stubborn(row), contradicted), (None, worse)):
        adversary = GreedyAdversary(H)
        expected = values.index(max(values)) if max(values) >= 0 else None
        assert adversary.point(learner) == expected
        if expected is not None:
            assert adversary.label(row[expected]) == 1 - row[expected]
            assert adversary.dimension == kept(expected, 1 - row[expected])


@given(CLASSES, st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_greedy_forces_the_dimension_on_a_player_it_cannot_consult(
    H: FiniteClass, predictions: list[int]
) -> None:
    adversary, forced = GreedyAdversary(H), 0
    while (point := adversary.point(None)) is not None:
        label = adversary.label(predictions[forced])
        assert label != predictions[forced]
        assert all(H.table[h, H.column(point)] == label for h in adversary.version_space)
        forced += 1
    assert forced >= ldim(H.table)
    assert len(adversary.version_space) == 1


@given(CLASSES, st.lists(st.integers(0, 1), min_size=5, max_size=5))
def test_following_a_tree_forces_its_depth_on_anyone(H: FiniteClass, fixed: list[int]) -> None:
    depth = ldim(H.table)
    tree = MistakeTree(shattered(list(enumerate(H.table.tolist())), depth))
    for learner in (Stubborn(fixed), LastLabel(), StandardOptimalAlgorithm(H), Halving(H)):
        transcript = play(H, learner, TreeAdversary(H, tree), rounds=100)
        assert transcript.mistakes == len(transcript.rounds) == depth
        assert transcript.realizable


def test_a_tree_that_is_not_shattered_is_refused() -> None:
    H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    wrong = MistakeTree(Node(0, Node(1, Leaf(0), Leaf(1)), Node(1, Leaf(2), Leaf(2))))
    refuses("tree: got a tree with an unrealized leaf", TreeAdversary, H, wrong)


def test_a_learner_that_changes_its_mind_between_the_questions_is_refused() -> None:
    H = FiniteClass([[0], [1]])
    adversary = GreedyAdversary(H)
    adversary.point(Stubborn([0]))
    refuses("learner: got another prediction when asked again", adversary.label, 1)


def test_a_point_that_would_end_the_game_is_refused() -> None:
    H = FiniteClass([[0], [1]], domain=[None])
    refuses("H: got the point None", GreedyAdversary, H)
    refuses("H: got the point None", TreeAdversary, H, shattered_tree(H))


def test_the_empty_class_is_refused() -> None:
    with pytest.raises(InvalidInput, match="H: got the empty class"):
        GreedyAdversary(FiniteClass(np.zeros((0, 3), dtype=np.uint8)))


def test_play_stops_after_the_rounds_asked_for_and_refuses_strange_labels() -> None:
    H = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])
    for rounds in (0, 1):  # none at all is a number of rounds, too
        assert len(play(H, Halving(H), GreedyAdversary(H), rounds=rounds).rounds) == rounds
    assert play(H, Stubborn([0, 0]), GreedyAdversary(H)).mistakes == len(H)
    refuses("rounds: got -1", play, H, Halving(H), GreedyAdversary(H), rounds=-1)
    refuses("prediction: got 7, want a label", play, H, Stubborn([7, 7]), GreedyAdversary(H))
