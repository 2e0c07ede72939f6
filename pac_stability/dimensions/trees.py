"""Mistake trees: what certifies a lower bound on the Littlestone dimension."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, cast

from pac_stability._report import Face, Reported
from pac_stability.classes import FiniteClass
from pac_stability.dimensions.tree_formats import (
    tree_to_dot,
    tree_to_graph,
    tree_to_svg,
    tree_to_text,
    tree_to_tikz,
)
from pac_stability.errors import InvalidInput

# A class in memory has fewer than 2**64 hypotheses, hence no deeper tree.
_DEEPEST = 64


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf: the hypothesis (row index) that realizes the path to it."""

    hypothesis: int


@dataclass(frozen=True, slots=True)
class Node:
    """A question: a point (column index) and the subtrees for its two labels."""

    point: int
    zero: Node | Leaf
    one: Node | Leaf


Path = tuple[tuple[int, int], ...]
"""The questions above a place in a tree: pairs (point, label)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFace(Face):
    """The face of a tree.

    Attributes
    ----------
    graphviz, networkx
        The tree in the language of Graphviz, and as a graph of networkx.
    """

    graphviz: Callable[[], str]
    networkx: Callable[[], object]


@dataclass(frozen=True, slots=True, repr=False)
class MistakeTree(Reported):
    """A binary tree of points with a hypothesis at every leaf.

    A class *shatters* a complete tree of depth ``d`` if every path from the root to a leaf is
    realized by a hypothesis; its Littlestone dimension is the largest such ``d``
    [BLM20, Section II]. The tree names the hypotheses, so a check needs no search.

    Attributes
    ----------
    root
        The first question, or a single leaf (depth 0).
    domain, names
        The points that its columns stand for, and what its rows are called, where the tree was
        found in a class; for pictures and text, and no part of what it is compared by.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> tree = MistakeTree(Node(0, Leaf(0), Leaf(2)))
    >>> tree.depth, tree.is_shattered_by(H)
    (1, True)
    >>> MistakeTree(Node(0, Leaf(2), Leaf(0))).fault(H)
    'hypothesis 2 gives label 1 to point 0, its path says 0'
    """

    _face: ClassVar[str] = "pac_stability.dimensions.trees:tree_face"

    root: Node | Leaf
    domain: tuple[Hashable, ...] | None = field(default=None, compare=False, repr=False)
    names: tuple[str, ...] | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        leaves = sum(1 for _ in self.leaves())
        return f"<MistakeTree: depth {self.depth}, {leaves} {'leaf' if leaves == 1 else 'leaves'}>"

    def of(self, H: FiniteClass) -> MistakeTree:
        """Return the same tree with the names of the points and hypotheses of a class.

        Examples
        --------
        >>> from pac_stability.classes import FiniteClass
        >>> H = FiniteClass([[0, 0], [1, 1]], domain=["age", "sex"], names=["nobody", "all"])
        >>> print(MistakeTree(Node(0, Leaf(0), Leaf(1))).of(H), end="")
        age
        ├─0─ nobody
        └─1─ all
        """
        return replace(self, domain=tuple(H.domain), names=H.names)

    def labels(self) -> tuple[Sequence[Hashable], Sequence[str] | None]:
        """Return the names of its points, by default x0, x1, ..., and those of the hypotheses."""
        if self.domain is not None:
            return self.domain, self.names
        asked = {point for path, _ in self.leaves() for point, _ in path}
        return [f"x{column}" for column in range(max(asked, default=-1) + 1)], self.names

    def to_dot(self) -> str:
        """Return the tree in the language of Graphviz.

        Examples
        --------
        >>> print(MistakeTree(Leaf(0)).to_dot(), end="")
        digraph mistake_tree {
          node [shape=ellipse];
          n [label="h0", shape=box];
        }
        """
        return self.report().graphviz()

    def to_networkx(self) -> object:
        """Return the tree as a ``networkx.DiGraph``.

        A node is the path to it, a text of labels, with the attribute ``name``; an edge has its
        ``label``.

        Raises
        ------
        ImportError
            networkx is not installed.
        """
        return self.report().networkx()

    def report(self) -> TreeFace:
        """Return this tree as text, picture, LaTeX and graph."""
        return cast("TreeFace", Reported.report(self))

    @property
    def depth(self) -> int:
        """Questions on the path to the first leaf; on every path, if the tree is complete."""
        depth, node = 0, self.root
        while isinstance(node, Node):
            depth, node = depth + 1, node.zero
        return depth

    def leaves(self) -> Iterator[tuple[Path, int]]:
        """Every leaf from left to right, as the path to it and its hypothesis."""
        pending: list[tuple[Path, Node | Leaf]] = [((), self.root)]
        while pending:
            path, node = pending.pop()
            if isinstance(node, Leaf):
                yield path, node.hypothesis
            else:
                pending.append(((*path, (node.point, 1)), node.one))
                pending.append(((*path, (node.point, 0)), node.zero))

    def fault(self, H: FiniteClass) -> str | None:
        """Say in one line why the class does not shatter this tree; ``None`` if it does.

        Notes
        -----
        A plain walk over the leaves that compares each path with the table: O(2^d d). It shares
        nothing with the search that finds trees.
        """
        table, depth = H.table, self.depth
        hypotheses, points = table.shape
        for path, hypothesis in self.leaves():
            if len(path) != depth:
                return f"leaves lie at depths {depth} and {len(path)}, the tree is not complete"
            if not 0 <= hypothesis < hypotheses:
                return f"there is no hypothesis {hypothesis}"
            for point, label in path:
                if not 0 <= point < points:
                    return f"there is no point {point}"
                if table[hypothesis, point] != label:
                    return (
                        f"hypothesis {hypothesis} gives label {table[hypothesis, point]} "
                        f"to point {point}, its path says {label}"
                    )
        return None

    def is_shattered_by(self, H: FiniteClass) -> bool:
        """Whether the class shatters this tree, checked leaf by leaf; see `fault`.

        A tree that passes proves that the Littlestone dimension of ``H`` is at least its depth.
        """
        return self.fault(H) is None

    def to_dict(self) -> dict[str, object]:
        """Write nested dictionaries that JSON can hold; `from_dict` reads them back."""
        return _to_dict(self.root)

    @classmethod
    def from_dict(cls, form: Mapping[str, object]) -> MistakeTree:
        """Read what `to_dict` wrote.

        Raises
        ------
        InvalidInput
            The form is not that of a tree; the message names the place.
        """
        return cls(_from_dict(form, "tree", 0))


def _to_dict(node: Node | Leaf) -> dict[str, object]:
    if isinstance(node, Leaf):
        return {"hypothesis": node.hypothesis}
    return {"point": node.point, "zero": _to_dict(node.zero), "one": _to_dict(node.one)}


def _from_dict(form: object, place: str, depth: int) -> Node | Leaf:
    if not isinstance(form, Mapping):
        raise InvalidInput(place, type(form).__name__, "an object")
    if depth > _DEEPEST:
        raise InvalidInput("tree", f"more than {_DEEPEST} levels", "a tree of a finite class")
    if set(form) == {"hypothesis"}:
        return Leaf(_index(form["hypothesis"], f"{place}.hypothesis"))
    if set(form) == {"point", "zero", "one"}:
        return Node(
            _index(form["point"], f"{place}.point"),
            _from_dict(form["zero"], f"{place}.zero", depth + 1),
            _from_dict(form["one"], f"{place}.one", depth + 1),
        )
    raise InvalidInput(
        place, f"the keys {sorted(map(str, form))}", "either hypothesis, or point, zero and one"
    )


def _index(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInput(place, repr(value), "an index, 0 or more")
    return value


def tree_face(tree: MistakeTree) -> TreeFace:
    """Return a mistake tree, with the names of the class that it was found in."""
    domain, names = tree.labels()
    return TreeFace(
        text=lambda: tree_to_text(tree, domain, names),
        svg=lambda: tree_to_svg(tree, domain, names),
        latex=lambda: tree_to_tikz(tree, domain, names),
        graphviz=lambda: tree_to_dot(tree, domain, names),
        networkx=lambda: tree_to_graph(tree, domain, names),
    )
