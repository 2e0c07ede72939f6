"""Thresholds from a shattered tree, and a shattered tree from thresholds, constructively."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pac_stability.classes import FiniteClass
from pac_stability.dimensions import HalfGraph, Leaf, MistakeTree, Node
from pac_stability.errors import InvalidInput


def thresholds_in_tree(H: FiniteClass, tree: MistakeTree) -> HalfGraph:
    """Find floor(log2(d + 1)) thresholds in a shattered tree of depth d.

    Parameters
    ----------
    H
        The class.
    tree
        A mistake tree that it shatters.

    Returns
    -------
    HalfGraph
        At least floor(log2(d + 1)) hypotheses and as many points, ``h_i(x_j) = 1`` exactly for
        i <= j.

    Raises
    ------
    InvalidInput
        H does not shatter the tree.

    Notes
    -----
    *The step.* Take the hypothesis h of some leaf, and colour every question of the tree by the
    label that h gives to its point. A tree of depth d has, in the sense that sides are kept,
    a subtree of depth at least d/2 whose questions have one colour y: if r and b are the largest
    depths for the two colours, then r + b >= d by induction, since a question of the first colour
    adds one to the smaller r of its sides, and keeps the b of that side. Let x be the root of
    that subtree, and go on with its side 1 - y: a tree of depth at least ceil(d/2) - 1 on whose
    points h says y, and whose hypotheses say 1 - y at x. These are floor(log2(d + 1)) steps.

    *The order.* Write hypotheses and points on a line such that h(x) = 1 exactly if h is left of
    x. For y = 1 a step puts h, x left of all that is still to come, for y = 0 it puts x, h right of
    it. The last subtree is one hypothesis, in the middle. With a steps of the first kind and b
    of the second the line reads ``(h x)^a h (x h)^b``, which is a + b pairs ``h x`` and one h.

    ``O(2^d d)`` for the tree, which has 2^d leaves. Source: S. Shelah 1978; the step is that of W.
    Hodges, *A shorter model theory*, 1997; Alon, Livni, Malliaris and Moran 2019.

    Examples
    --------
    >>> from pac_stability.classes import cube
    >>> from pac_stability.dimensions import shattered_tree
    >>> H = cube(3)
    >>> found = thresholds_in_tree(H, shattered_tree(H))
    >>> len(found.points), found.is_realized_by(H)
    (3, True)
    """
    fault = tree.fault(H)
    if fault is not None:
        raise InvalidInput("tree", f"a tree with this fault: {fault}", "a tree shattered by H")
    left_hypotheses: list[int] = []
    left_points: list[int] = []
    right_hypotheses: list[int] = []
    right_points: list[int] = []
    place = tree.root
    while isinstance(place, Node):
        h = _first_hypothesis(place)
        coloured = _question(place, H, h)
        y = int(coloured.depths[1] > coloured.depths[0])
        depth = coloured.depths[y]
        root = _root(coloured, y, depth)
        if y:
            left_hypotheses.append(h)
            left_points.append(root.place.point)
        else:
            right_hypotheses.append(h)
            right_points.append(root.place.point)
        place = _subtree(root.sides[1 - y], y, depth - 1)
    right_hypotheses.append(place.hypothesis)
    # Steps of the second kind come from the right end; its last hypothesis has no point.
    return HalfGraph(
        tuple(left_hypotheses + right_hypotheses[:0:-1]),
        tuple(left_points + right_points[::-1]),
    )


def tree_on_thresholds(H: FiniteClass, thresholds: HalfGraph) -> MistakeTree:
    """Build a shattered tree of depth floor(log2 k) on k thresholds, by binary search.

    Parameters
    ----------
    H
        The class.
    thresholds
        A half graph in it, of at least one pair.

    Raises
    ------
    InvalidInput
        H does not realize the half graph, or it has no pairs.

    Notes
    -----
    ``O(k)``. Source: Alon, Livni, Malliaris and Moran 2019, after Shelah and Hodges.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.dimensions import threshold
    >>> H = thresholds(8)
    >>> tree = tree_on_thresholds(H, threshold(H).witness)
    >>> tree.depth, tree.is_shattered_by(H)
    (3, True)
    """
    k = len(thresholds.hypotheses)
    if k == 0 or not thresholds.is_realized_by(H):
        raise InvalidInput("thresholds", f"{thresholds}", "a half graph in H, of at least one pair")

    def search(low: int, size: int) -> Node | Leaf:
        """A tree for the hypotheses low, ..., low + size - 1, size being a power of two."""
        if size == 1:
            return Leaf(thresholds.hypotheses[low])
        half = size // 2
        point = thresholds.points[low + half - 1]
        return Node(point, zero=search(low + half, half), one=search(low, half))

    return MistakeTree(search(0, 1 << (k.bit_length() - 1)))


@dataclass(frozen=True, slots=True)
class _PointQuestion:
    """A question with its colour, and the depths of the largest subtrees of colours 0 and 1."""

    place: Node
    colour: int
    sides: tuple[_Coloured, _Coloured]
    depths: tuple[int, int]


_Coloured: TypeAlias = "_PointQuestion | Leaf"


def _first_hypothesis(place: Node | Leaf) -> int:
    while isinstance(place, Node):
        place = place.zero
    return place.hypothesis


def _depth(tree: _Coloured, colour: int) -> int:
    return 0 if isinstance(tree, Leaf) else tree.depths[colour]


def _coloured(place: Node | Leaf, H: FiniteClass, h: int) -> _Coloured:
    return place if isinstance(place, Leaf) else _question(place, H, h)


def _question(place: Node, H: FiniteClass, h: int) -> _PointQuestion:
    """Colour every question by the label of h."""
    zero, one = _coloured(place.zero, H, h), _coloured(place.one, H, h)
    colour = int(H.table[h, place.point])
    depths = [max(_depth(zero, c), _depth(one, c)) for c in (0, 1)]
    depths[colour] = max(depths[colour], 1 + min(_depth(zero, colour), _depth(one, colour)))
    return _PointQuestion(place, colour, (zero, one), (depths[0], depths[1]))


def _root(tree: _PointQuestion, colour: int, depth: int) -> _PointQuestion:
    """Find the first question of a complete subtree of one colour and this depth, at least 1."""
    while True:
        zero, one = tree.sides
        here = tree.colour == colour
        if here and min(_depth(zero, colour), _depth(one, colour)) >= depth - 1:
            return tree
        side = zero if _depth(zero, colour) >= depth else one
        if isinstance(side, Leaf):  # only if the tree has no such subtree
            raise InvalidInput("depth", f"{depth}", f"at most {tree.depths[colour]}")
        tree = side


def _subtree(tree: _Coloured, colour: int, depth: int) -> Node | Leaf:
    """Return a complete subtree of one colour and this depth, at most the largest."""
    if isinstance(tree, Leaf):
        return tree
    if depth == 0:
        return Leaf(_first_hypothesis(tree.place))
    root = _root(tree, colour, depth)
    zero, one = (_subtree(side, colour, depth - 1) for side in root.sides)
    return Node(root.place.point, zero, one)
