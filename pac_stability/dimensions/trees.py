"""Mistake trees, which certify lower bounds on the Littlestone dimension.

The formats come first: text, JSON, Graphviz, SVG and TikZ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from html import escape
from importlib import import_module
from typing import ClassVar, cast

from pac_stability._report import Face, Reported, tex
from pac_stability.classes.family import TableLike, as_table
from pac_stability.errors import InvalidInput, printable

_LONGEST_NAME = 24


def tree_to_text(
    tree: MistakeTree, domain: Sequence[Hashable], names: Sequence[str] | None = None
) -> str:
    """Draw the tree with lines of text: each point, then its side 0 and its side 1.

    Parameters
    ----------
    tree
        Any mistake tree.
    domain
        The points that its column indices stand for.
    names
        The names of its rows; ``h0``, ``h1``, ... by default.

    Returns
    -------
    str
        One line a node, each ended by a newline; a leaf shows its row of the table, such as ``h2``,
        or the name of the row.

    Examples
    --------
    >>> tree = MistakeTree(Node(1, Node(0, Leaf(0), Leaf(2)), Leaf(3)))
    >>> print(tree_to_text(tree, ["age", "sex"]), end="")
    sex
    ├─0─ age
    │    ├─0─ h0
    │    └─1─ h2
    └─1─ h3
    """
    lines: list[str] = []

    def draw(place: Node | Leaf, first: str, rest: str) -> None:
        lines.append(f"{first}{_name(place, domain, names)}\n")
        if isinstance(place, Node):
            draw(place.zero, f"{rest}├─0─ ", f"{rest}│    ")
            draw(place.one, f"{rest}└─1─ ", f"{rest}     ")

    draw(tree.root, "", "")
    return "".join(lines)


def tree_to_dot(
    tree: MistakeTree, domain: Sequence[Hashable], names: Sequence[str] | None = None
) -> str:
    """Describe the tree in the language of Graphviz.

    Examples
    --------
    >>> print(tree_to_dot(MistakeTree(Node(0, Leaf(0), Leaf(1))), ["age"]), end="")
    digraph mistake_tree {
      node [shape=ellipse];
      n [label="age"];
      n -> n0 [label="0"];
      n -> n1 [label="1"];
      n0 [label="h0", shape=box];
      n1 [label="h1", shape=box];
    }
    """
    lines = ["digraph mistake_tree {", "  node [shape=ellipse];"]
    for path, place in _walk(tree.root):
        label = _name(place, domain, names).replace("\\", "\\\\").replace('"', '\\"')
        shape = ", shape=box" if isinstance(place, Leaf) else ""
        lines.append(f'  n{path} [label="{label}"{shape}];')
        if isinstance(place, Node):
            lines += [f'  n{path} -> n{path}{side} [label="{side}"];' for side in (0, 1)]
    return "\n".join([*lines, "}", ""])


def tree_to_graph(
    tree: MistakeTree, domain: Sequence[Hashable], names: Sequence[str] | None = None
) -> object:
    """Return the tree as a ``networkx.DiGraph``; see :meth:`MistakeTree.to_networkx`."""
    try:
        networkx = import_module("networkx")
    except ModuleNotFoundError as error:
        message = "networkx is missing: pip install networkx"
        raise ImportError(message, name="networkx") from error
    graph = networkx.DiGraph()
    for path, place in _walk(tree.root):
        graph.add_node(path, name=_name(place, domain, names))
        if path:
            graph.add_edge(path[:-1], path, label=int(path[-1]))
    return graph


def tree_to_tikz(
    tree: MistakeTree, domain: Sequence[Hashable], names: Sequence[str] | None = None
) -> str:
    r"""Draw the tree as a ``tikzpicture`` that needs no TikZ library.

    Examples
    --------
    >>> print(tree_to_tikz(MistakeTree(Node(0, Leaf(0), Leaf(1))), ["x_1"]), end="")
    \begin{tikzpicture}[
      point/.style={draw, rounded corners=6pt, inner sep=3pt},
      hypothesis/.style={draw, inner sep=3pt},
      side/.style={fill=white, inner sep=1pt, font=\scriptsize}]
      \node[point] (n) at (0.65, 0.00) {x\_1};
      \node[hypothesis] (n0) at (0.00, -1.30) {$h_{0}$};
      \node[hypothesis] (n1) at (1.30, -1.30) {$h_{1}$};
      \draw (n) -- node[side] {0} (n0);
      \draw (n) -- node[side] {1} (n1);
    \end{tikzpicture}
    """
    places = layout(tree, domain, names)
    # Average letters are a fifth of a centimetre wide.
    slot = max(1.3, 0.2 * _slot_letters(places) + 0.4)
    lines = [
        r"\begin{tikzpicture}[",
        r"  point/.style={draw, rounded corners=6pt, inner sep=3pt},",
        r"  hypothesis/.style={draw, inner sep=3pt},",
        r"  side/.style={fill=white, inner sep=1pt, font=\scriptsize}]",
    ]
    for place in places:
        style = "hypothesis" if place.is_leaf else "point"
        numbered = place.is_leaf and names is None
        text = f"$h_{{{place.name[1:]}}}$" if numbered else tex(place.name)
        at = f"({place.across * slot:.2f}, {0 - 1.3 * len(place.path):.2f})"
        lines.append(rf"  \node[{style}] (n{place.path}) at {at} {{{text}}};")
    for place in places:
        if place.path:
            above = place.path[:-1]
            lines.append(rf"  \draw (n{above}) -- node[side] {{{place.path[-1]}}} (n{place.path});")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def tree_to_svg(
    tree: MistakeTree, domain: Sequence[Hashable], names: Sequence[str] | None = None
) -> str:
    """Draw the tree as one self-contained SVG document.

    Side 0 of every node is left and blue, side 1 right and orange; a leaf shows its row of the
    table.  Names of more than 24 characters are cut; the tooltip has them in full.

    Examples
    --------
    >>> drawing = tree_to_svg(MistakeTree(Node(0, Leaf(0), Leaf(1))), ["age"])
    >>> drawing.startswith("<svg xmlns="), drawing.count("<line"), drawing.count("<rect")
    (True, 2, 4)
    """
    places = layout(tree, domain, names)
    slot, level, height, margin = 8 * _slot_letters(places) + 30, 76, 26, 20
    depth = max(len(place.path) for place in places)
    leaves = sum(place.is_leaf for place in places)
    width = leaves * slot + 2 * margin
    total = depth * level + height + 2 * margin

    def centre(place: DrawnPlace) -> tuple[float, float]:
        return margin + (place.across + 0.5) * slot, margin + len(place.path) * level + height / 2

    at = {place.path: centre(place) for place in places}
    edges, sides, nodes = [], [], []
    for place in places:
        x, y = at[place.path]
        if place.path:
            above_x, above_y = at[place.path[:-1]]
            side = place.path[-1]
            colour = _SIDES[side]
            edges.append(
                f'<line stroke="{colour}" x1="{above_x:g}" y1="{above_y:g}" x2="{x:g}" y2="{y:g}"/>'
            )
            middle_x, middle_y = (above_x + x) / 2, (above_y + y) / 2
            sides.append(
                f'<circle cx="{middle_x:g}" cy="{middle_y:g}" r="9" fill="#fff" stroke="{colour}"/>'
                f'<text x="{middle_x:g}" y="{middle_y + 4:g}" fill="{colour}">{side}</text>'
            )
        box = 8 * len(place.name) + 18
        nodes.append(
            f"<g><title>{escape(place.full_name)}</title><rect {_BOXES[place.is_leaf]} "
            f'x="{x - box / 2:g}" y="{y - height / 2:g}" width="{box}" height="{height}"/>'
            f'<text x="{x:g}" y="{y + 4.5:g}" fill="{_INK}">{escape(place.name)}</text></g>'
        )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" '
            f'viewBox="0 0 {width} {total}" role="img" text-anchor="middle" '
            f'font-family="ui-monospace,Menlo,Consolas,monospace">',
            f"<title>Mistake tree of depth {depth}</title>",
            '<rect fill="#fff" width="100%" height="100%"/>',
            '<g stroke-width="1.8">',
            *edges,
            '</g><g stroke-width="1.2" font-size="12">',
            *sides,
            '</g><g stroke-width="1.3" font-size="13">',
            *nodes,
            "</g></svg>",
            "",
        ]
    )


# Attributes, for a style sheet inside a picture would be one of the whole page that holds it.
_INK = "#1b1f24"
_SIDES = {"0": "#2f6db5", "1": "#c9691c"}
_BOXES = ('rx="13" fill="#f4f6f9" stroke="#4a5361"', 'rx="3" fill="#eef6ee" stroke="#5b8a5b"')


def tree_to_json(
    tree: MistakeTree, domain: Sequence[Hashable], names: Sequence[str] | None = None
) -> str:
    """Write the tree as JSON that ``MistakeTree.from_dict`` reads, and the names of the points.

    Examples
    --------
    >>> print(tree_to_json(MistakeTree(Leaf(4)), ["age"]), end="")
    {"domain": ["age"], "tree": {"hypothesis": 4}}
    """
    points = [point_name(point) for point in domain]
    called = {} if names is None else {"names": list(names)}
    return json.dumps({"domain": points, **called, "tree": tree.to_dict()}) + "\n"


TREE_FORMATS: Mapping[
    str, Callable[[MistakeTree, Sequence[Hashable], Sequence[str] | None], str]
] = {
    "text": tree_to_text,
    "json": tree_to_json,
    "dot": tree_to_dot,
    "svg": tree_to_svg,
    "tikz": tree_to_tikz,
}
"""Every format by name."""


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A node or leaf in a drawing.

    Attributes
    ----------
    path
        The labels from the root.
    across
        The distance from the left, in leaves.
    is_leaf
        Whether it is a leaf with a hypothesis.
    full_name
        Of the point or hypothesis; ``name`` is at most 24 letters of it.
    """

    path: str
    across: float
    is_leaf: bool
    full_name: str

    @property
    def name(self) -> str:
        """The text at the place."""
        if len(self.full_name) <= _LONGEST_NAME:
            return self.full_name
        return self.full_name[: _LONGEST_NAME - 1] + "…"


def layout(
    tree: MistakeTree, domain: Sequence[Hashable], names: Sequence[str] | None
) -> list[DrawnPlace]:
    """Return the places of a drawing in the order of the text.

    Leaves stand side by side, each node midway between its children.
    """
    places: list[DrawnPlace] = []
    leaves = 0

    def put(place: Node | Leaf, path: str) -> float:
        nonlocal leaves
        index = len(places)
        places.append(DrawnPlace(path, 0, isinstance(place, Leaf), _name(place, domain, names)))
        if isinstance(place, Leaf):
            across = float(leaves)
            leaves += 1
        else:
            across = (put(place.zero, f"{path}0") + put(place.one, f"{path}1")) / 2
        places[index] = DrawnPlace(path, across, places[index].is_leaf, places[index].full_name)
        return across

    put(tree.root, "")
    return places


def _slot_letters(places: Sequence[DrawnPlace]) -> float:
    """Letters that a leaf's share of the width must hold; two nodes above leaves share two."""
    return max(len(place.name) * (1.0 if place.is_leaf else 0.6) for place in places)


def _walk(place: Node | Leaf, path: str = "") -> Iterator[tuple[str, Node | Leaf]]:
    yield path, place
    if isinstance(place, Node):
        yield from _walk(place.zero, f"{path}0")
        yield from _walk(place.one, f"{path}1")


def _name(place: Node | Leaf, domain: Sequence[Hashable], names: Sequence[str] | None) -> str:
    if isinstance(place, Leaf):
        return f"h{place.hypothesis}" if names is None else printable(names[place.hypothesis])
    return point_name(domain[place.point])


def point_name(point: Hashable) -> str:
    """Write a point as a reader would, on one line.

    Examples
    --------
    >>> point_name((Fraction(51, 10), 3)), point_name(Fraction(1, 3)), point_name("age")
    ('(5.1, 3)', '1/3', 'age')
    """
    if isinstance(point, tuple):
        return f"({', '.join(point_name(entry) for entry in point)})"
    if isinstance(point, Fraction):
        decimal = str(Decimal(point.numerator) / Decimal(point.denominator))
        return decimal if Fraction(decimal) == point else str(point)
    return printable(str(point))


# Trees

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
    """The forms in which a tree is shown.

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
        The points of its columns and the names of its rows, if the tree was found in a class. They
        serve pictures and text only: comparisons ignore them.

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

    def of(self, H: TableLike) -> MistakeTree:
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
        H = as_table(H)
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

    def fault(self, H: TableLike) -> str | None:
        """Say in one line why the class does not shatter this tree; ``None`` if it does.

        Notes
        -----
        The check walks over the leaves and compares each path with the table: O(2^d d). it shares
        no code with the search that finds trees.
        """
        table, depth = as_table(H).table, self.depth
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

    def is_shattered_by(self, H: TableLike) -> bool:
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
