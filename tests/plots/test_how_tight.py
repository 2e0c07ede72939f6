"""The page about the tightness of the theorems: its tables and its figure are what was recorded."""

import json
from pathlib import Path

import numpy as np
import pytest

from pac_stability import InvalidInput, claims
from shared_tools import how_tight, statement_figures


def test_the_page_has_the_tables_of_the_record() -> None:
    page = how_tight.PAGE.read_text(encoding="utf-8")
    assert page == how_tight.written(page)


def test_what_is_recorded_is_a_trial_and_every_paper_has_some() -> None:
    found = how_tight.kept()
    for asked in found:
        assert asked.trial in {trial.name for trial in claims.get(asked.key).trials}
        assert asked.slack is None or asked.slack >= 1
    assert len({asked.key for asked in found}) >= 120
    assert {asked.key.partition(":")[0] for asked in found} == set(claims.books())


def test_versions_of_a_statement_stand_in_one_row() -> None:
    names = {
        "DF20:lemma-13.stability.sharp": "DF20:lemma-13.stability",
        "BLM20:lemma-12.repaired": "BLM20:lemma-12",
        "CLNRW16:theorem-39.any-range.repaired": "CLNRW16:theorem-39.any-range",
        "DF20:section-1.1.thresholds": "DF20:section-1.1.thresholds",
    }
    for key, statement in names.items():
        assert how_tight.Asked(key, "it", 1, 1, 0.5).statement == statement


def test_a_run_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(how_tight, "RECORD", tmp_path / "record.json")
    trials = [
        {"name": "one", "active": 2, "instances": 3, "tightest": 0.5},
        {"name": "two", "active": 2, "instances": 3, "tightest": None},
    ]
    run = {"budget": "quick", "claims": [{"key": "DF20:lemma-6", "trials": trials}]}
    (tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
    how_tight.record(tmp_path / "run.json")
    assert how_tight.kept() == [how_tight.Asked("DF20:lemma-6", "one", 2, 3, 0.5)]
    assert how_tight.panels(how_tight.kept()) == {"DF20": {"lemma 6": {"printed": [2.0]}}}


def test_a_run_of_some_claims_leaves_what_is_kept_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(how_tight, "RECORD", tmp_path / "record.json")
    for key, tightest in (("DF20:lemma-6", 0.5), ("DF20:lemma-5", 0.25), ("DF20:lemma-6", 1.0)):
        trials = [{"name": "one", "active": 2, "instances": 3, "tightest": tightest}]
        run = {"budget": "quick", "claims": [{"key": key, "trials": trials}]}
        (tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
        how_tight.record(tmp_path / "run.json")
    assert how_tight.kept() == [
        how_tight.Asked("DF20:lemma-5", "one", 2, 3, 0.25),
        how_tight.Asked("DF20:lemma-6", "one", 2, 3, 1.0),
    ]
    (tmp_path / "run.json").write_text(json.dumps({"budget": "deep", "claims": []}))
    with pytest.raises(SystemExit, match="has the budget quick"):
        how_tight.record(tmp_path / "run.json")


PANELS = {
    "one": {"lemma 1": {"printed": [1.0, 2.5], "ours": [5000.0]}, "lemma 2": {"proof": [30.0]}},
    "two": {"lemma 3": {"ours": [1.5]}},
}


def test_what_is_drawn_is_the_slack() -> None:
    pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    left, right = statement_figures.slack(PANELS).axes
    drawn = {
        line.get_gid(): list(
            zip(*(np.asarray(values).tolist() for values in line.get_data()), strict=True)
        )
        for line in left.lines
        if line.get_gid() is not None
    }
    drawn = {gid: places for gid, places in drawn.items() if places}
    assert drawn == {
        "printed": [(1.0, 0.0), (2.5, 0.0)],
        "proof": [(30.0, 1.0)],
        "ours beyond": [(1000.0, 0.0)],
    }
    assert [text.get_text() for text in left.get_yticklabels()] == ["lemma 1", "lemma 2"]
    assert (left.get_title(), right.get_title()) == ("one", "two")
    assert left.get_xscale() == "log"
    assert left.get_ylim()[0] > left.get_ylim()[1]  # the first row is above


@pytest.mark.parametrize("panels", [
    {}, {"one": {}}, {"one": {"lemma 1": {"printed": [0.5]}}},
    {"one": {"lemma 1": {"printed": [float("nan")]}}}, {"one": {"lemma 1": {"theirs": [2.0]}}},
])  # fmt: skip
def test_slack_that_cannot_be_drawn(panels: dict[str, dict[str, dict[str, list[float]]]]) -> None:
    with pytest.raises(InvalidInput, match="panels"):
        statement_figures.slack(panels)
