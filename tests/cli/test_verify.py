from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pac_stability import claims
from pac_stability.claims import Budget
from pac_stability.cli.parser import BUDGETS

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]
ONE = "DF20:appendix-a.mixtures"


def test_every_budget_is_offered() -> None:
    assert tuple(budget.value for budget in Budget) == BUDGETS


def test_a_claim_is_verified(command: Command, tmp_path: Path) -> None:
    cache, page, table = tmp_path / "cache", tmp_path / "page.html", tmp_path / "table.tex"
    result = command(
        "verify",
        "--only",
        ONE,
        "--processes",
        1,
        "--cache",
        cache,
        "--html",
        page,
        "--latex",
        table,
    )
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[-1] == "1 claim: 1 verified; all as expected"
    assert f'id="{ONE}"' in page.read_text(encoding="utf-8")
    assert ONE in table.read_text(encoding="utf-8")
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("key", [ONE, "BLM20:lemma-12", "DF20:lemma-6", "CLNRW16:theorem-26"])
def test_json(command: Command, validate: Validate, key: str) -> None:
    result = command("verify", "--only", key, "--processes", 1, "--cache", "none", "--json")
    assert result.code == 0
    document = validate(result.out)
    assert [entry["key"] for entry in document["claims"]] == [key]


def test_what_is_not_as_expected_is_exit_code_1(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuted = claims.Tally(1, (0, "1 > 0"))
    monkeypatch.setattr("pac_stability.claims.runner.run_task", lambda _: refuted)
    result = command("verify", "--only", ONE, "--processes", 1, "--cache", "none")
    assert result.code == 1
    assert "COUNTEREXAMPLE: 1 > 0" in result.out


def test_bad_input(command: Command, tmp_path: Path) -> None:
    assert "no-such" in command("verify", "--only", "DF20:no-such").err
    assert command("verify", "--only", ONE, "--html", tmp_path).code == 2
    both = tmp_path / "x"
    assert command("verify", "--only", ONE, "--html", both, "--latex", both).code == 2
