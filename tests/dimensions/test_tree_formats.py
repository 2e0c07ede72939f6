import json
import re
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from pac_stability.dimensions import Leaf, MistakeTree, Node, trees

DOMAIN = ["age", "systolic blood pressure after exercise", "x_3"]
SVG = "{http://www.w3.org/2000/svg}"

LEAVES = st.builds(Leaf, st.integers(0, 2000))
TREES = st.builds(
    MistakeTree,
    st.recursive(
        LEAVES, lambda inner: st.builds(Node, st.integers(0, 2), inner, inner), max_leaves=12
    ),
)


def nodes(place: Node | Leaf) -> list[Node | Leaf]:
    """In the order of the text: a node, its side 0, its side 1."""
    if isinstance(place, Leaf):
        return [place]
    return [place, *nodes(place.zero), *nodes(place.one)]


def name(place: Node | Leaf) -> str:
    return f"h{place.hypothesis}" if isinstance(place, Leaf) else DOMAIN[place.point]


def parse(lines: list[str]) -> Node | Leaf:
    """Read the text back by its indentation."""
    if len(lines) == 1:
        return Leaf(int(lines[0].removeprefix("h")))
    split = next(i for i, line in enumerate(lines) if line.startswith("└─1─ "))
    zero, one = ([line[5:] for line in part] for part in (lines[1:split], lines[split:]))
    return Node(DOMAIN.index(lines[0]), parse(zero), parse(one))


@given(TREES)
def test_text_can_be_read_back(tree: MistakeTree) -> None:
    assert parse(trees.tree_to_text(tree, DOMAIN).splitlines()) == tree.root


@given(TREES)
def test_json_can_be_read_back(tree: MistakeTree) -> None:
    document = json.loads(trees.tree_to_json(tree, DOMAIN))
    assert document["domain"] == DOMAIN
    assert MistakeTree.from_dict(document["tree"]) == tree


@given(TREES)
def test_dot_has_every_node_and_both_edges_of_each(tree: MistakeTree) -> None:
    text = trees.tree_to_dot(tree, DOMAIN)
    labels = dict(re.findall(r'^  n(\d*) \[label="([^"]*)"', text, re.MULTILINE))
    edges = set(re.findall(r'^  n(\d*) -> n(\d+) \[label="([01])"\]', text, re.MULTILINE))

    def expect(place: Node | Leaf, path: str) -> None:
        assert labels.pop(path) == name(place)
        if isinstance(place, Node):
            for side, below in (("0", place.zero), ("1", place.one)):
                edges.remove((path, path + side, side))
                expect(below, path + side)

    expect(tree.root, "")
    assert not labels
    assert not edges


def titled(svg: ET.Element) -> list[ET.Element]:
    return [group for group in svg.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


@given(TREES)
def test_svg_shows_every_node_once_and_none_over_another(tree: MistakeTree) -> None:
    svg = ET.fromstring(trees.tree_to_svg(tree, DOMAIN))  # noqa: S314
    width, height = (float(svg.attrib[side]) for side in ("width", "height"))
    boxes = []
    for group, place in zip(titled(svg), nodes(tree.root), strict=True):
        assert group.findtext(f"{SVG}title") == name(place)
        shown = group.findtext(f"{SVG}text") or ""
        assert shown == name(place) or (
            len(shown) == 24 and shown[-1] == "…" and name(place).startswith(shown[:-1])
        )
        rect = group.find(f"{SVG}rect")
        assert rect is not None
        x, y, w, h = (float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
        assert w > 7 * len(shown)
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
        boxes.append((x, y, x + w, y + h))
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert len(list(svg.iter(f"{SVG}line"))) == len(boxes) - 1
    # Self-contained: nothing is fetched.
    assert "href" not in trees.tree_to_svg(tree, DOMAIN)


@given(TREES)
def test_tikz_places_every_node_and_joins_it_to_the_one_above(tree: MistakeTree) -> None:
    text = trees.tree_to_tikz(tree, DOMAIN)
    placed = re.findall(r"\\node\[(\w+)\] \(n(\d*)\) at \((\S+), (\S+)\) \{(.*)\};", text)
    assert [kind == "hypothesis" for kind, *_ in placed] == [
        isinstance(place, Leaf) for place in nodes(tree.root)
    ]
    assert len({(x, y) for _, _, x, y, _ in placed}) == len(placed)
    joined = re.findall(r"\\draw \(n(\d*)\) -- node\[side\] \{([01])\} \(n(\d+)\);", text)
    assert sorted(above + side for above, side, _ in joined) == sorted(
        path for _, path, *_ in placed if path
    )
    assert all(above + side == below for above, side, below in joined)
    assert "x_3" not in text


@pytest.mark.parametrize("form", sorted(trees.TREE_FORMATS))
def test_every_format_ends_its_last_line(form: str) -> None:
    text = trees.TREE_FORMATS[form](MistakeTree(Node(0, Leaf(0), Leaf(1))), DOMAIN, None)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
