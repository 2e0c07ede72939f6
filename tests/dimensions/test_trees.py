"""Mistake trees: the check rejects what is not shattered, and forms round-trip."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pac_stability import FiniteClass, InvalidInput
from pac_stability.dimensions import Leaf, MistakeTree, Node, shattered_tree

CUBE = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])
TREE = MistakeTree(Node(0, Node(1, Leaf(0), Leaf(1)), Node(1, Leaf(2), Leaf(3))))


def corrupted(tree: Node | Leaf, H: FiniteClass) -> list[Node | Leaf]:
    """Every tree with one leaf replaced by another hypothesis or one question's sides swapped."""
    if isinstance(tree, Leaf):
        return [Leaf(other) for other in range(len(H)) if other != tree.hypothesis]
    return [
        replace(tree, zero=tree.one, one=tree.zero),
        *(replace(tree, zero=zero) for zero in corrupted(tree.zero, H)),
        *(replace(tree, one=one) for one in corrupted(tree.one, H)),
    ]


def test_the_tree_of_the_cube() -> None:
    assert TREE.depth == 2
    assert TREE.is_shattered_by(CUBE)
    assert list(TREE.leaves()) == [
        (((0, 0), (1, 0)), 0),
        (((0, 0), (1, 1)), 1),
        (((0, 1), (1, 0)), 2),
        (((0, 1), (1, 1)), 3),
    ]


def test_every_corruption_of_the_cube_is_rejected() -> None:
    # Every hypothesis of the cube fits exactly one leaf, so any change is an error.
    broken = corrupted(TREE.root, CUBE)
    assert len(broken) == 3 + 4 * 3
    assert not any(MistakeTree(root).is_shattered_by(CUBE) for root in broken)


def test_corruption_of_found_trees_is_rejected_exactly_when_a_leaf_disagrees() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        H = FiniteClass((rng.random((20, 6)) < 0.5).astype(np.uint8))
        for root in corrupted(shattered_tree(H).root, H):
            tree = MistakeTree(root)
            agrees = all(all(H.table[row, x] == y for x, y in path) for path, row in tree.leaves())
            assert tree.is_shattered_by(H) == agrees


def test_malformed_trees_are_rejected_with_a_reason() -> None:
    uneven = MistakeTree(Node(0, Leaf(0), Node(1, Leaf(2), Leaf(3))))
    assert uneven.fault(CUBE) == "leaves lie at depths 1 and 2, the tree is not complete"
    assert MistakeTree(Leaf(4)).fault(CUBE) == "there is no hypothesis 4"
    assert MistakeTree(Leaf(-1)).fault(CUBE) == "there is no hypothesis -1"
    assert MistakeTree(Node(2, Leaf(0), Leaf(1))).fault(CUBE) == "there is no point 2"
    assert MistakeTree(Node(-1, Leaf(0), Leaf(1))).fault(CUBE) == "there is no point -1"
    assert (
        MistakeTree(Node(0, Leaf(0), Leaf(1))).fault(CUBE)
        == "hypothesis 1 gives label 0 to point 0, its path says 1"
    )
    assert not uneven.is_shattered_by(CUBE)


def test_the_unique_tree_of_eight_thresholds() -> None:
    # t_i(j) = 1 iff i <= j, for 8 thresholds on 8 points (here both count from 0).  Every side of
    # every question must halve the version space, so the tree is forced: root 3, then 5 and 1, ...
    # Label 0 at j leaves the larger thresholds, so the leaves read 7, 6, ..., 0.
    H = FiniteClass([[int(i <= j) for j in range(8)] for i in range(8)])
    tree = shattered_tree(H)
    assert [row for _, row in tree.leaves()] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert isinstance(tree.root, Node)
    assert tree.root.point == 3
    assert isinstance(tree.root.zero, Node)
    assert isinstance(tree.root.one, Node)
    assert (tree.root.zero.point, tree.root.one.point) == (5, 1)


def test_forms_round_trip_through_json() -> None:
    rng = np.random.default_rng(6)
    for shape in ((1, 1), (2, 3), (30, 8)):
        tree = shattered_tree(FiniteClass((rng.random(shape) < 0.5).astype(np.uint8)))
        assert MistakeTree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree


@pytest.mark.parametrize(("text", "message"), [
    ("[]", "tree: got list, want an object"),
    ("{}", "tree: got the keys [], want either hypothesis, or point, zero and one"),
    ('{"hypothesis": -1}', "tree.hypothesis: got -1, want an index, 0 or more"),
    ('{"hypothesis": true}', "tree.hypothesis: got True, want an index, 0 or more"),
    ('{"hypothesis": 0.5}', "tree.hypothesis: got 0.5, want an index, 0 or more"),
    (
        '{"point": 0, "zero": {"hypothesis": 0}, "one": {"leaf": 1}}',
        "tree.one: got the keys ['leaf'], want either hypothesis, or point, zero and one",
    ),
    (
        '{"point": "a", "zero": {"hypothesis": 0}, "one": {"hypothesis": 1}}',
        "tree.point: got 'a', want an index, 0 or more",
    ),
])  # fmt: skip
def test_malformed_forms_are_named(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        MistakeTree.from_dict(json.loads(text))
    assert str(caught.value) == message


def test_a_form_deeper_than_any_class_is_refused() -> None:
    form: dict[str, object] = {"hypothesis": 0}
    for _ in range(66):
        form = {"point": 0, "zero": form, "one": {"hypothesis": 0}}
    with pytest.raises(InvalidInput, match="levels"):
        MistakeTree.from_dict(form)


def test_a_tree_with_one_short_branch_is_not_complete() -> None:
    H = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])
    both = Node(1, Leaf(2), Leaf(3))
    assert MistakeTree(Node(0, Node(1, Leaf(0), Leaf(1)), both)).is_shattered_by(H)
    short = MistakeTree(Node(0, Node(1, Leaf(0), Leaf(1)), Leaf(2)))
    assert short.fault(H) == "leaves lie at depths 2 and 1, the tree is not complete"
    assert MistakeTree(Node(0, Leaf(0), both)).fault(H) is not None
