"""The page "What it costs": its figures and tables carry the numbers that the script computes."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pac_stability.arithmetic import Constants
from shared_examples import example
from shared_tools import figures

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "explanation" / "what-it-costs.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> Any:
    return example("what_it_costs")


def shown(name: str) -> str:
    """A table of the page."""
    found = re.search(rf"<!-- {name} -->\n\n(.*?)\n\n<!-- end -->", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    "panel", ["stable-alpha", "stable-gamma", "private-alpha", "private-epsilon"]
)
def test_sizes_on_the_page_and_in_the_figure(script: Any, panel: str) -> None:
    """All of them agree with one another, and every fourth one is computed again."""
    rows = figures.sizes("stable" if panel.startswith("stable") else "private")[panel]
    learners, alphas, levels = script.PANELS[panel]
    asked = {
        (learner, Fraction(alpha), Fraction(level), constants)
        for learner in learners
        for alpha in alphas
        for level in levels
        for constants in Constants
    }
    assert {(row.learner, row.alpha, row.level, row.constants) for row in rows} == asked
    assert len(rows) == len(asked)
    assert shown(panel) == "\n".join(script.table(rows))
    some, few = alphas[::4], levels[::4]
    again = script.sizes(learners, some, few)
    known = {(row.learner, row.alpha, row.level, row.constants): row.sample_size for row in rows}
    assert len(again) == 3 * len(learners) * len(some) * len(few)
    for row in again:
        assert row.sample_size == known[row.learner, row.alpha, row.level, row.constants]


def test_measured_losses_on_the_page_and_in_the_figure(script: Any) -> None:
    measured = {
        Fraction(alpha): [float(value) for value in values]
        for alpha, values in figures.numbers("measured-excess").items()
    }
    assert list(measured) == script.MEASURED
    assert shown("measured") == "\n".join(script.measured_table(measured))
    for alpha, values in measured.items():
        assert len(values) == script.TRIALS
        assert max(values) < alpha / 14
    for alpha in script.MEASURED[:4]:
        for found, value in zip(script.excesses(alpha, trials=1), measured[alpha], strict=False):
            assert found.width < Fraction(1, 10**10)
            assert float(found) == pytest.approx(value, rel=1e-8)
