"""Figures 1 and 2 of the paper, from computed objects."""

import itertools
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pac_stability import randomness
from pac_stability.dimensions.trees import tree_to_svg
from pac_stability.papers.bun_livni_moran import theorems as blm
from shared_tools import figures, tournament_tree

DOCS = Path(__file__).parents[3] / "docs"


def test_figure_1_is_the_only_shattered_tree_and_leaves_one_point_unused() -> None:
    H, tree = blm.figure_1_class(), blm.figure_1()
    assert tree.depth == 3
    assert tree.is_shattered_by(H)
    asked: list[int] = []
    leaves = []
    for path, hypothesis in tree.leaves():
        asked += [point for point, _ in path]
        leaves.append(hypothesis)
    # All points but 8 (column 7, where all labels are 1); the leaves are t_8, ..., t_1.
    assert set(asked) == set(range(7))
    assert leaves == [7, 6, 5, 4, 3, 2, 1, 0]
    assert H.table[:, 7].tolist() == [1] * 8

    # All trees, by brute force over the three levels: points at 7 places.
    table = H.table.tolist()

    def shattered(points: tuple[int, ...]) -> bool:
        for sides in itertools.product((0, 1), repeat=3):
            place, rows = 0, table
            for side in sides:
                rows = [row for row in rows if row[points[place]] == side]
                place = 2 * place + 1 + side
            if not rows:
                return False
        return True

    # A root other than 4 has a side of fewer than four hypotheses, so only its tree is in question.
    found = [
        (root, *rest)
        for root in range(8)
        if 4 <= sum(row[root] for row in table) <= 4
        for rest in itertools.product(range(8), repeat=6)
        if shattered_below(table, root, rest) and shattered((root, *rest))
    ]
    assert found == [(3, 5, 1, 6, 4, 2, 0)]
    assert blm.count_shattered_trees(H, 3) == 1
    assert blm.count_shattered_trees(H, 4) == 0


def shattered_below(table: list[list[int]], root: int, rest: tuple[int, ...]) -> bool:
    """Whether the second questions split both sides in halves: needed, and quick to see."""
    zero = sum(row[root] == 0 and row[rest[0]] == 1 for row in table)
    one = sum(row[root] == 1 and row[rest[1]] == 1 for row in table)
    return zero == one == 2


def test_figure_2_is_the_sample_of_the_paper() -> None:
    record = blm.figure_2()
    assert record.path == (0, 1, 0)
    n = 2
    assert len(record.sample) == 3 * (n + 1)
    matches = dict(record.matches())
    # (x, y), (x_0, y_0), (x_01, y_01) stand at the last place of each part.
    assert record.sample[8] == matches[()].example
    assert record.sample[5] == matches[0,].example
    assert record.sample[2] == matches[0, 1].example
    assert record.sample[6:8] == matches[()].players[0].drawn
    assert record.sample[3:5] == matches[0,].players[1].drawn
    assert record.sample[0:2] == matches[0, 1].players[0].drawn
    # 7 matches, a node each in the drawing, and 14 edges.
    assert len(matches) == 7
    text = str(record)
    assert sum("= " in line for line in text.splitlines()) == 14
    assert text.count("* T_") == 7
    for name in ("T_0 ", "T_01 ", "T_010 "):
        assert f"* {name}" in text
    assert blm.parts_of_sample(blm.figure_2(randomness.SeededCoins(1)))[-1] == "(x, y)"


def test_figure_2_is_drawn() -> None:
    record = blm.figure_2()
    drawing = ET.fromstring(tournament_tree.record_to_svg(record))  # noqa: S314  # our own drawing
    svg = "{http://www.w3.org/2000/svg}"
    ends = {
        tuple(float(line.attrib[name]) for name in ("x1", "y1", "x2", "y2")): "stroke-width"
        in line.attrib
        for line in drawing.iter(f"{svg}line")
    }
    assert len(ends) == 14
    root_x, root_y = min(((x, y) for x, y, _, _ in ends), key=lambda end: end[1])
    # The bold way from the root is the path of the sample: left (0) is smaller.
    x, y, path = root_x, root_y, []
    while below := sorted((c, d, bold) for (a, b, c, d), bold in ends.items() if (a, b) == (x, y)):
        (side,) = [i for i, (_, _, bold) in enumerate(below) if bold]
        path.append(side)
        x, y = below[side][:2]
    assert tuple(path) == record.path
    words = [text.text for text in drawing.iter(f"{svg}text")]
    matches = dict(record.matches())
    for match in matches.values():
        assert f"({match.example.point},{match.example.label})" in words
        for player in match.players:
            assert " ".join(f"({z.point},{z.label})" for z in player.drawn) in words
    assert len(words) == 7 + 14
    assert all(float(text.attrib["y"]) > 0 for text in drawing.iter(f"{svg}text"))


@pytest.mark.parametrize(("name", "drawing"), [
    ("shattered-tree", lambda: tree_to_svg(blm.figure_1(), blm.figure_1_class().domain)),
    ("tournament", lambda: tournament_tree.record_to_svg(blm.figure_2())),
])  # fmt: skip
def test_the_drawings_of_the_documentation_are_these(name: str, drawing: Callable[[], str]) -> None:
    assert figures.DRAWN[name]() == drawing()
    tutorial = DOCS / "tutorials" / "from-a-class-to-a-private-learner.md"
    assert f"](../figures/{name}.svg)" in tutorial.read_text(encoding="utf-8")
