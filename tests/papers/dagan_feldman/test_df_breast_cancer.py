"""The real table of the how-to page: its numbers, from the script that prints them."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shared_examples import example

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "how-to" / "private-predictions-on-a-table.md"

pytest.importorskip("sklearn", reason="the table comes inside scikit-learn")


@pytest.fixture(scope="module")
def script() -> Any:
    return example("breast_cancer")


def test_the_page_shows_the_numbers_of_the_script(script: Any) -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = [
        [float(cell) for cell in line.split()]
        for line in text.splitlines()
        if line[:7].strip().replace(".", "").isdigit() and len(line.split()) == 6
    ]
    assert [Fraction(row[0]) for row in shown] == list(script.EPSILONS)
    _, stable, *others = shown[2]
    ((estimate, *exact),) = script.rows(epsilons=[1], draws=20)
    assert others == [round(float(accuracy), 3) for accuracy in exact]
    # Accuracies given the subset spread by some 0.05.
    assert stable == pytest.approx(float(estimate), abs=0.05)


def test_no_learning_is_worse(script: Any) -> None:
    training, test = script.load()
    assert (len(training), len(test)) == (427, 142)
    benign = int(training.labels.sum()) + int(test.labels.sum())
    assert round(benign / 569, 2) == 0.63
