"""What runs found is kept, a line a claim, and no run is out of date."""

import dataclasses
import json
import os
from pathlib import Path

import pytest

from pac_stability import claims
from pac_stability.claims.report import evidence_document
from shared_claims import made_up, squares
from shared_tools import claim_pages, keep_a_run, kept_runs


def test_the_runs_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    runs = kept_runs.read_runs(kept_runs.RUNS)
    quick = claims.Budget.QUICK
    assert kept_runs.not_run(claims.all(), {quick: runs[quick]}) == []
    if os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly":  # as the standard budget is
        assert kept_runs.main(["--check"]) == 0, capsys.readouterr().out
    for found in kept_runs.read_runs(kept_runs.RUNS).values():
        assert list(found) == [claim.key for claim in claims.all()]


def test_a_run_is_kept_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = claims.select(["DF20:appendix-a.*", "BLM20:lemma-12", "DF20:remark-16"])
    evidence = [claims.check(claim) for claim in chosen]
    monkeypatch.setattr(kept_runs, "RUNS", tmp_path)
    file = tmp_path / "run.json"
    file.write_text(json.dumps(evidence_document(evidence[:2], "1")))
    assert kept_runs.main(["--record", str(file)]) == 0
    first = (tmp_path / "quick.tsv").read_text()
    # A run of other claims leaves these alone, and the order is that of the papers.
    file.write_text(json.dumps(evidence_document(evidence[2:], "1")))
    assert kept_runs.main(["--record", str(file)]) == 0
    lines = (tmp_path / "quick.tsv").read_text().splitlines()
    assert set(first.splitlines()) < set(lines)
    assert len(lines) == 1 + len(chosen)
    found = kept_runs.read_runs(tmp_path)[claims.Budget.QUICK]
    assert list(found) == [claim.key for claim in claims.all() if claim in chosen]
    for entry in evidence:
        here = found[entry.claim.key]
        assert here.is_of(entry.claim)
        assert here.status == entry.status.value
        assert (here.instances, here.active) == (entry.instances, entry.active)
        assert (here.tightest, here.counterexample) == (entry.tightest, entry.counterexample)
    assert kept_runs.main(["--check"]) == 1
    assert "quick: DF20:lemma-4 has to be run again\n" in capsys.readouterr().out


def test_a_run_of_other_trials_does_not_count(tmp_path: Path) -> None:
    lemma, *rest = made_up()
    changed = dataclasses.replace(lemma, trials=(squares(0),))
    runs = kept_runs.read_runs(keep_a_run(made_up(), tmp_path))
    assert kept_runs.not_run(made_up(), runs) == []
    assert kept_runs.not_run([changed, *rest], runs) == ["quick: BLM20:lemma-1"]
    page = claim_pages.pages([changed, *rest], runs)["bun-livni-moran/lemma-1.md"]
    assert "- quick: not run\n" in page
