"""Mistake trees that a class shatters."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability.arguments import as_size
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import MistakeTree, littlestone_dimension
from pac_stability.dimensions.trees import Leaf, Node
from pac_stability.errors import InvalidInput
from pac_stability.testing.strategies.classes import finite_classes


def shattered_trees(H: FiniteClass, depth: int | None = None) -> SearchStrategy[MistakeTree]:
    """Return the strategy of the complete mistake trees that a class shatters.

    Every one of them can be drawn; shrinks towards shallow trees, the first points and the first
    hypotheses.

    Parameters
    ----------
    H
        The class, not empty.
    depth
        The depth of the trees; by default any, up to the Littlestone dimension.

    Raises
    ------
    InvalidInput
        The class is empty, or shatters no tree of this depth.

    Examples
    --------
    >>> from hypothesis import find
    >>> from pac_stability.classes import thresholds
    >>> find(shattered_trees(thresholds(3)), lambda tree: tree.depth == 1).root
    Node(point=0, zero=Leaf(hypothesis=1), one=Leaf(hypothesis=0))
    """
    deepest = littlestone_dimension(H)
    if deepest < 0:
        raise InvalidInput("H", "the empty class", "a class that shatters a tree")
    wanted = None if depth is None else as_size(depth, "depth")
    if wanted is not None and wanted > deepest:
        raise InvalidInput("depth", str(wanted), f"at most the Littlestone dimension, {deepest}")
    depths = st.integers(0, deepest) if wanted is None else st.just(wanted)
    return depths.flatmap(partial(_shattered, H))


@st.composite
def _shattered(draw: DrawFn, H: FiniteClass, depth: int) -> MistakeTree:
    table = H.table

    def grown(rows: list[int], depth: int) -> Node | Leaf:
        if depth == 0:
            return Leaf(draw(st.sampled_from(rows)))
        halves = []
        for point in range(table.shape[1]):
            zero, one = ([row for row in rows if table[row, point] == label] for label in (0, 1))
            if all(littlestone_dimension(FiniteClass(table[half])) >= depth - 1
                   for half in (zero, one)):  # fmt: skip
                halves.append((point, zero, one))
        point, zero, one = draw(st.sampled_from(halves))
        return Node(point, grown(zero, depth - 1), grown(one, depth - 1))

    return MistakeTree(grown(list(range(len(H))), depth))


@st.composite
def _with_tree(draw: DrawFn, H: SearchStrategy[FiniteClass]) -> tuple[FiniteClass, MistakeTree]:
    drawn = draw(H)
    return drawn, draw(shattered_trees(drawn))


def classes_with_trees(
    H: SearchStrategy[FiniteClass] | None = None,
) -> SearchStrategy[tuple[FiniteClass, MistakeTree]]:
    """Return the strategy of the classes together with a tree that they shatter.

    Parameters
    ----------
    H
        The strategy of the classes, none of them empty; by default :func:`finite_classes`.

    Examples
    --------
    >>> from hypothesis import find
    >>> H, tree = find(classes_with_trees(), lambda pair: pair[1].depth == 1)
    >>> H.table.tolist()
    [[0], [1]]
    """
    return _with_tree(finite_classes() if H is None else H)
