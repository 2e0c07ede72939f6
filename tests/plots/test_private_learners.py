"""The figure of the sizes of algorithm M carries the numbers that the script computes."""

import json
from pathlib import Path

import numpy as np
import pytest

from shared_examples import example
from shared_refusals import refuses
from shared_tools import figures, statement_figures

DOCS = Path(__file__).parents[2] / "docs"


def test_the_figure_has_the_numbers_of_the_script() -> None:
    script = example("sizes_of_m")
    carried = figures.numbers("sizes-of-m")
    now = {"by_dimension": script.by_dimension(), "listed": script.listed()}
    assert carried == json.loads(json.dumps(now))
    page = (DOCS / "explanation" / "sizes-of-m.md").read_text(encoding="utf-8")
    for name, _, n in carried["by_dimension"]:
        assert f"{n:,}" in page, name


def test_it_draws_m_below_the_plain_learner() -> None:
    pytest.importorskip("matplotlib")
    rows = [("sharp", 1, 4458), ("by-level", 1, 1130), ("by-level", 2, 43611)]
    figure = statement_figures.private_learners(rows, [(1024, 6877), (4, 49)])
    left, right = figure.axes
    assert [line.get_label() for line in left.lines] == ["exact tails", "runs by level"]
    plain, level = right.lines
    assert np.array_equal(plain.get_ydata(), [49, 6877])
    assert np.array_equal(level.get_ydata(), [1130, 1130])


def test_it_refuses_what_it_cannot_draw() -> None:
    refuses("by_dimension", statement_figures.private_learners, [], [(4, 49)])
    refuses("listed", statement_figures.private_learners, [("sharp", 1, 4458)], [])
    refuses("by_dimension", statement_figures.private_learners, [("paper", 1, 4458)], [(4, 49)])
