"""What is drawn is what was computed: the data of the lines, not the pixels."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pac_stability import Interval, arithmetic, plots
from pac_stability.papers.dagan_feldman.sample_complexity import ComparisonRow, compare
from shared_refusals import refuses
from shared_tools import statement_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

pytest.importorskip("matplotlib", reason="the extra plots is not installed")

ALPHAS = [Fraction(1, 1 << power) for power in range(1, 5)]
GAMMAS = [Fraction(1, 20), Fraction(1, 5), Fraction(9, 10)]


@pytest.fixture(scope="module")
def over_alpha() -> tuple[ComparisonRow, ...]:
    learners = ["theorem-1", "disjoint-average"]
    return compare(learners, ALPHAS, ["1/2"], beta="1/20", vc_dimension=1)


@pytest.fixture(scope="module")
def over_gamma() -> tuple[ComparisonRow, ...]:
    learners = ["subset-average", "disjoint-average"]
    return compare(learners, ["1/10"], GAMMAS, beta="1/20", vc_dimension=1, constants=["sharp"])


def line(axes: Axes, gid: str) -> Line2D:
    (found,) = (line for line in axes.lines if line.get_gid() == gid)
    return found


def points(axes: Axes, gid: str) -> list[tuple[float, float]]:
    x, y = (np.asarray(values, dtype=float) for values in line(axes, gid).get_data())
    return list(zip(x.tolist(), y.tolist(), strict=True))


def test_lines_are_the_rows(
    over_alpha: tuple[ComparisonRow, ...], over_gamma: tuple[ComparisonRow, ...]
) -> None:
    left, right = plots.sample_sizes(over_alpha, reversed(over_gamma)).axes
    for axes, rows in ((left, over_alpha), (right, over_gamma)):
        drawn = 0
        for learner, constants in {(row.learner, row.constants) for row in rows}:
            expected = sorted(
                (float(row.alpha if axes is left else row.level), float(row.sample_size))
                for row in rows
                if (row.learner, row.constants) == (learner, constants)
            )
            assert points(axes, f"{learner} {constants}") == expected
            drawn += 1
        assert len(axes.lines) == drawn + len(plots.crossings(rows))
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert left.get_xlabel() == "excess loss α"
    assert left.get_title() == "stability γ = 1/2"
    assert right.get_xlabel() == "stability γ"
    assert right.get_title() == "excess loss α = 1/10"


def test_constants_are_told_by_the_line_and_learners_by_colour(
    over_alpha: tuple[ComparisonRow, ...],
) -> None:
    (axes,) = plots.sample_sizes(over_alpha).axes
    colours = set()
    for learner in ("theorem-1", "disjoint-average"):
        sharp, paper = line(axes, f"{learner} sharp"), line(axes, f"{learner} printed")
        assert not sharp.is_dashed()
        assert paper.is_dashed()
        assert sharp.get_color() == paper.get_color()
        colours.add(sharp.get_color())
    assert len(colours) == 2


def test_a_circle_where_the_certified_order_changes(over_alpha: tuple[ComparisonRow, ...]) -> None:
    """Averaging over two parts wins with the paper's constants at every alpha."""
    (found,) = plots.crossings(over_alpha)
    larger, smaller = Fraction(5, 16), Fraction(19, 64)
    for alpha in (larger, smaller):
        ours, averaging = compare(
            ["theorem-1", "disjoint-average"],
            [alpha], ["1/2"], beta="1/20", vc_dimension=1, constants=["sharp"],
        )  # fmt: skip
        assert (ours.sample_size < averaging.sample_size) == (alpha == smaller)
    assert found.constants == "sharp"
    assert found.left <= smaller < larger <= found.right
    (axes,) = plots.sample_sizes(over_alpha).axes
    assert points(axes, "theorem-1 disjoint-average sharp") == [(found.x, found.y)]


def test_circles_lie_on_both_curves() -> None:
    """1, 10, 100 and 10, 1, 1000 at alpha = 1/100, 1/10, 1/2: from 1/10 on, twice and back.

    The first crossing is half-way on both scales: at 10**-1.5, with n = 10**0.5. After it the
    logarithms of the ratio are 1 and -1, so the second is half-way as well, at
    sqrt(1/10 * 1/2), where the first curve is at sqrt(10 * 100).
    """
    alphas = [Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)]
    rows = [
        ComparisonRow(learner, "private", alpha, Fraction(1), arithmetic.Constants.SHARP, n)
        for learner, sizes in (("corollary-2", (1, 10, 100)), ("theorem-3", (10, 1, 1000)))
        for alpha, n in zip(alphas, sizes, strict=True)
    ]
    found = plots.crossings(rows)
    assert [(c.left, c.right) for c in found] == list(pairwise(alphas))
    assert [c.x for c in found] == pytest.approx([10**-1.5, 0.05**0.5])
    assert [c.y for c in found] == pytest.approx([10**0.5, 1000**0.5])
    meeting = [*rows[:4], replace(rows[4], sample_size=10), rows[5]]
    (met,) = plots.crossings([replace(rows[0], sample_size=100), *meeting[1:]])
    assert (met.left, met.right, met.x, met.y) == (alphas[0], alphas[2], 0.1, 10)
    mixed = [*rows[:3], *(replace(row, constants=arithmetic.Constants.PRINTED) for row in rows[3:])]
    assert plots.crossings(mixed) == ()


def test_rows_that_make_no_panel(
    over_alpha: tuple[ComparisonRow, ...], over_gamma: tuple[ComparisonRow, ...]
) -> None:
    private = compare(
        ["aggregation"], ["1/4"], ["1/2"], beta="1/20", vc_dimension=1, constants=["sharp"]
    )
    refuses("panels: got none, want rows", plots.sample_sizes)
    for rows, message in (
        ((), "rows of compare"),
        ((*over_alpha, *over_gamma), "several values of one of them"),
        (over_alpha[:1], "several values of one of them"),
        ((*over_alpha, *private), "one goal for each panel"),
    ):
        refuses(message, plots.sample_sizes, rows)


def test_measured_losses_and_their_medians() -> None:
    measured = {
        Fraction(1, part): [Interval.exactly(Fraction(k, 100 * part)) for k in range(1, 6)]
        for part in (5, 2, 10)
    }
    (axes,) = statement_figures.excess_error(measured).axes
    assert points(axes, "samples") == [
        (float(alpha), float(excess)) for alpha in sorted(measured) for excess in measured[alpha]
    ]
    assert points(axes, "medians") == [
        (float(alpha), median(map(float, measured[alpha]))) for alpha in sorted(measured)
    ]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1/10", "1/5", "1/2"]
    assert points(axes, "asked") == [(0.1, 0.1), (0.5, 0.5)]


def test_losses_that_cannot_be_drawn() -> None:
    zero = Interval.exactly(0)
    for measured, message in (
        ({}, "measured: got nothing"),
        ({Fraction(1, 5): []}, "no excess above 0 at alpha = 1/5"),
        ({Fraction(1, 5): [zero]}, "no excess above 0 at alpha = 1/5"),
        ({Fraction(2): [zero]}, "measured: got 2"),
    ):
        refuses(message, statement_figures.excess_error, measured)


def test_a_file_repeats_and_has_text_and_description(
    over_alpha: tuple[ComparisonRow, ...], tmp_path: Path
) -> None:
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    numbers = json.dumps({"<alpha>": [row.sample_size for row in over_alpha]})
    for file in files:
        plots.save_svg(plots.sample_sizes(over_alpha), file, description=numbers)
    one, two = (file.read_bytes() for file in files)
    assert one == two
    assert sorted(tmp_path.iterdir()) == files
    root = ET.fromstring(one)  # noqa: S314  # written just now
    texts = {"".join(element.itertext()).strip() for element in root.iter()}
    assert {"excess loss α", "Theorem 1, stable learner", numbers} <= texts
    assert b"dc:date" not in one
    assert b"@font-face" not in one


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    figure = statement_figures.excess_error({Fraction(1, 5): [Interval.exactly(Fraction(1, 100))]})
    refuses("a file that can be written", plots.save_svg, figure, tmp_path / "nowhere" / "one.svg")
