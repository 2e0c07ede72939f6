"""``pac-stability sizes``: what the learners of the papers need on a class."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pac_stability.arithmetic import Epsilon
from pac_stability.classes import thresholds
from pac_stability.papers.bun_livni_moran import ByLevelPrivateLearner
from pac_stability.papers.dagan_feldman import sample_complexity
from shared_refusals import refused

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]

ASKED = ("sizes", "--family", "thresholds:3", "--epsilon", "1")


def test_every_size_is_that_of_its_own_function(command: Command, validate: Validate) -> None:
    done = command(*ASKED, "--gamma", "1/10", "--delta", "1e-6", "--json")
    rows = validate(done.out)["sizes"]
    found = {(row["learner"], row["setting"], row["promise"]): row["sample_size"] for row in rows}
    # Thresholds on three points: VC dimension 1, four hypotheses.
    a, b = "1/10", "1/20"
    stable, private = "stable predictions", "private predictions"
    theorem_1 = sample_complexity.theorem_1(a, b, "1/10", 1, class_size=4)
    assert found["DF20 Theorem 1", "agnostic", stable] == theorem_1.sample_size
    corollary_2 = sample_complexity.corollary_2(a, b, Epsilon(1), 1, class_size=4)
    assert found["DF20 Corollary 2", "agnostic", private] == corollary_2.sample_size
    # An ERM is within 2 * alpha/2 of the best, once all losses are within alpha/2 of theirs.
    uniform = sample_complexity.uniform_convergence_size("1/20", b, 1, class_size=4)
    assert found["empirical risk minimizer", "agnostic", "accuracy"] == uniform.sample_size
    M = ByLevelPrivateLearner.of_class(thresholds(3), a, b, 1, "1e-6")
    assert found["BLM20 Theorem 1 (M)", "realizable", "private output"] == M.sample_size
    bounds = [row for row in rows if row["is_lower_bound"]]
    assert {row["promise"] for row in bounds} == {"accuracy", stable, private}
    for bound in bounds:
        suffices = [row for row in rows if row["promise"] == bound["promise"] and row != bound]
        assert all(bound["sample_size"] < row["sample_size"] for row in suffices)


def test_the_table_is_printed_and_drawn(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    figure = tmp_path / "sizes.svg"
    done = command(*ASKED, "--figure", figure)
    assert (done.code, done.err) == (0, "")
    assert "DF20 Corollary 2" in done.out
    assert "DF20 Corollary 2" in figure.read_text()


def test_what_cannot_be_asked(command: Command, tmp_path: Path) -> None:
    refused(command("sizes", "--family", "thresholds:3", "--delta", "1e-6"), "--epsilon with it")
    refused(command("sizes", "--family", "thresholds:0"), "VC dimension 0")
    refused(command(*ASKED, "--figure", tmp_path / "sizes.jpg"), ".svg or .pdf or .png")


def test_a_figure_without_matplotlib_says_what_to_install(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = command(*ASKED, "--figure", tmp_path / "sizes.svg")
    refused(done, "pip install 'pac_stability[plots]'")
