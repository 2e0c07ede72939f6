"""The figure of upper and lower bounds, and the tables beside it."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pac_stability.errors import InvalidInput
from shared_examples import example
from shared_tools import figures, statement_figures

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "explanation" / "private-lower-bound.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> Any:
    return example("private_bounds")


@pytest.mark.parametrize("panel", ["bounds-alpha", "bounds-epsilon"])
def test_the_page_and_the_figure_have_the_numbers_of_the_script(script: Any, panel: str) -> None:
    """All agree with one another, and those of two columns are computed again."""
    rows = figures.bounds()[panel]
    found = re.search(rf"<!-- {panel} -->\n\n(.*?)\n\n<!-- end -->", PAGE, re.DOTALL)
    assert found is not None
    assert found[1] == "\n".join(script.table(rows))
    alphas, epsilons = script.PANELS[panel]
    again = set(script.sizes(alphas[:1], epsilons[-2:]))
    assert len(again) == len(script.SIZES) * min(2, len(epsilons))
    assert again <= set(rows)
    assert len(rows) == len(script.SIZES) * len(alphas) * len(epsilons)


def test_how_near_learners_come(script: Any) -> None:
    found = re.search(r"<!-- bounds-tension -->\n\n(.*?)\n\n<!-- end -->", PAGE, re.DOTALL)
    assert found is not None
    assert found[1] == "\n".join(script.tension_table())
    for name in script.LEARNERS:
        _, ratio, error, bound, *_ = script.tightest(name)
        assert ratio >= 1
        assert (name == "voting") == (ratio == 1)
        assert bound > 0
        assert error == ratio * bound


def test_what_is_needed_is_no_more_than_what_is_enough() -> None:
    for rows in figures.bounds().values():
        by_name: dict[tuple[Fraction, Fraction], dict[str, int]] = {}
        for name, alpha, epsilon, n in rows:
            by_name.setdefault((alpha, epsilon), {})[name] = n
        for sizes in by_name.values():
            assert sizes["private-closed"] <= sizes["private-exact"] <= sizes["lemma-9"]
            assert max(sizes["private-exact"], sizes["agnostic-coins"]) <= sizes["corollary-2"]


def test_lines_are_the_rows() -> None:
    pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    rows = figures.bounds()
    left, right = statement_figures.private_bounds(*rows.values()).axes
    assert (left.get_xlabel(), right.get_xlabel()) == ("expected excess α", "privacy ε")
    assert (left.get_title(), right.get_title()) == ("privacy ε = 1", "expected excess α = 1/50")
    for axes, panel, place in ((left, "bounds-alpha", 1), (right, "bounds-epsilon", 2)):
        assert {str(line.get_gid()) for line in axes.lines} == {row[0] for row in rows[panel]}
        for line in axes.lines:
            x, y = (np.asarray(values, dtype=float) for values in line.get_data())
            assert list(zip(x.tolist(), y.tolist(), strict=True)) == sorted(
                (float((row[1], row[2])[place - 1]), float(row[3]))
                for row in rows[panel]
                if row[0] == line.get_gid()
            )
            enough = str(line.get_gid()).startswith(("theorem-3", "corollary-2", "lemma-9"))
            assert line.is_dashed() != enough
            thin = str(line.get_gid()).endswith("-proved")
            assert line.get_linewidth() == (0.8 if thin else 1.5)


def test_rows_that_make_no_panel() -> None:
    pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    one = Fraction(1)
    good = [("lemma-9", one / k, one, 10) for k in (2, 4)]
    for panels, message in (
        ((), "panels: got none"),
        (([],), "panels: got an empty one"),
        ((good[:1],), "several values of one of them"),
        (([*good, ("lemma-9", one / 2, one / 2, 10)],), "several values of one of them"),
        (([("lemma-7", one / k, one, 10) for k in (2, 4)],), "got 'lemma-7'"),
    ):
        with pytest.raises(InvalidInput, match=message):
            statement_figures.private_bounds(*panels)
