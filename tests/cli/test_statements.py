"""``pac-stability claims``, items named by a person, and ``verify --on``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pac_stability import claims
from pac_stability.papers.bun_livni_moran import COUNTEREXAMPLES

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]


def test_list(command: Command, validate: Validate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    result = command("claims", "list")
    assert (result.code, result.err) == (0, "")
    assert [line.split()[0] for line in result.out.splitlines()] == [c.key for c in claims.all()]
    monkeypatch.setenv("COLUMNS", "80")  # a title that would be cut has its own line
    assert f"\n    {claims.get('DF20:theorem-1').title}\n" in command("claims", "list").out
    document = validate(command("claims", "list", "--paper", "BLM20", "--json").out)
    mine = [c for c in claims.all() if c.paper == "BLM20"]
    assert [entry["key"] for entry in document["claims"]] == [c.key for c in mine]
    lemma = next(e for e in document["claims"] if e["key"] == "BLM20:lemma-12")
    assert (lemma["whose"], lemma["expectation"]) == ("printed", "fails as printed")
    assert "BLM20:theorem-10" in lemma["used_by"]
    assert lemma["trials"][0]["on_class"]


def test_find(command: Command, validate: Validate) -> None:
    quoted, words = command("claims", "find", "Lemma 12"), command("claims", "find", "Lemma", "12")
    assert quoted.out == words.out
    assert "BLM20:lemma-12.repaired" in quoted.out
    lines = quoted.out.splitlines()
    assert next(line for line in lines if line.startswith("BLM20:lemma-12 ")).split()[1:3] == [
        "printed", "fails",
    ]  # fmt: skip
    found = validate(command("claims", "find", "Theorem 38", "--json").out)["claims"]
    assert [entry["key"] for entry in found] == [
        "CLNRW16:theorem-38", "CLNRW16:theorem-38.proof", "CLNRW16:theorem-38.repaired",
    ]  # fmt: skip


def test_an_item_that_there_is_not(command: Command) -> None:
    result = command("claims", "find", "Theorem 13 of BLM20")
    assert (result.code, result.out) == (2, "")
    assert "Theorem 13 is not in BLM20, where 13 is Lemma 13" in result.err
    assert command("verify", "--only", "BLM20 Theorem 13").code == 2
    assert command("claims", "show", "lemma 122").code == 2


def test_show_in_latex(command: Command) -> None:
    result = command("claims", "show", "--latex", "DF20:theorem-11", "DF20:lemma-5")
    assert result.code == 0
    lemma, theorem = result.out.split("\n\n")
    assert theorem.startswith("% DF20:theorem-11 (COLT 2020, Section 3, Theorem 11)\n")
    assert r"then $n \ge \frac{d - 1}{8\gamma\alpha}$." in theorem
    assert lemma.startswith("% DF20:lemma-5 (")


def test_show(command: Command) -> None:
    result = command("claims", "show", "Lemma 12", "DF20:theorem-3")
    assert result.code == 0
    first, second = result.out.split("\n\n")
    assert first.startswith("DF20:theorem-3: ")
    assert second.startswith("BLM20:lemma-12: A frequent hypothesis")
    for text in (
        "source      printed: FOCS 2020, Section IV-B, Lemma 12",
        "known       fails as printed (exact)",
        "instead     BLM20:lemma-12.repaired",
        "on a class  the highest frequencies: every concept",
        "used by     BLM20:theorem-10",
    ):
        assert text in second


def test_about(command: Command) -> None:
    result = command("claims", "about", "TournamentDistribution")
    assert "BLM20:definition-tournaments" in result.out
    result = command("claims", "about", "TournamentDistrib")
    assert result.code == 2
    assert "TournamentDistribution" in result.err
    assert command("claims", "about", "classes.read_points").out == (
        "no claim is about classes.read_points\n"
    )


@pytest.mark.parametrize("action", [[], ["sing"], ["find"], ["show"], ["about"]])
def test_what_to_do_has_to_be_said(command: Command, action: list[str]) -> None:
    assert command("claims", *action).code == 2


def test_verify_says_what_was_meant(command: Command) -> None:
    quiet = ("--processes", 1, "--cache", "none")
    result = command("verify", "--only", "appendix-a mixtures", *quiet)
    assert result.code == 0
    assert result.err == "pac-stability: appendix-a mixtures means DF20:appendix-a.mixtures\n"
    result = command("verify", "--only", "Definition 4", *quiet)
    assert result.err == (
        "pac-stability: Definition 4 means BLM20:definition-4, CLNRW16:definition-4\n"
    )
    assert result.out.splitlines()[-1].startswith("2 claims: 1 exhausted, 1 survived")


# On a class of one's own


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    rows = COUNTEREXAMPLES["equal-weights"].H.table.tolist()
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def test_lemma_12_on_ones_own_class(command: Command, table: Path) -> None:
    result = command("verify", "--on", table, "--only", "BLM20:lemma-12", "--only", "DF20 Lemma 8")
    assert result.code == 0
    assert result.out.startswith(f"{table}: ")
    assert "all below 1/4" in " ".join(result.out.split())
    assert "DF20:lemma-8: not run: not about a class; it examines samples" in result.out
    assert result.out.splitlines()[-1] == (
        "2 claims on this class: 1 refuted; not run: 1 not about a class"
    )


def test_answers_come_first_and_what_was_not_run_is_one_line(command: Command, table: Path) -> None:
    lines = command("verify", "--on", table, "--only", "BLM20:*").out.splitlines()
    assert lines[2].startswith("BLM20  ")
    assert not any("not run:" in line for line in lines[:-3])
    assert "not run: " in " ".join(lines[-3:])
    assert max(map(len, lines[2:])) <= 100
    told = command("verify", "--on", table, "--only", "BLM20:*", "-v").out
    assert told.count(": not run: ") > 20
    assert "BLM20:lemma-12, printed; " in " ".join(told.split())


def test_json_on_ones_own_class(command: Command, validate: Validate, table: Path) -> None:
    result = command("verify", "--on", table, "--json")
    assert result.code == 0
    document = validate(result.out)
    assert (document["schema"], document["as_expected"]) == ("pac-stability/verify-on/4", True)
    assert document["class"]["hypotheses"] == len(COUNTEREXAMPLES["equal-weights"].H)
    assert len(document["claims"]) == len(claims.all())
    for entry in document["claims"]:
        assert (entry["status"] is None) == (entry["not_run"] is not None)
    assert sum(entry["status"] == "survived" for entry in document["claims"]) >= 25


def test_a_family_is_a_class_too(command: Command) -> None:
    result = command("verify", "--family", "thresholds:3", "--only", "BLM20:fact-finite-classes")
    assert result.code == 0
    assert "1 claim on this class: 1 survived\n" in result.out


def test_nothing_examined_is_inconclusive(command: Command) -> None:
    result = command("verify", "--family", "thresholds:40", "--only", "BLM20:lemma-12")
    assert result.code == 3
    assert "40 points, at most 9" in result.out
    result = command("verify", "--family", "thresholds:3", "--only", "DF20:lemma-8")
    assert result.code == 3
    assert "not about a class; it examines samples of 3 to 12" in result.out


def test_what_should_hold_and_does_not_is_exit_code_1(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuted = claims.Tally(1, (0, "1 > 0"), active=1)
    monkeypatch.setattr(claims.Tally, "asking", lambda _: refuted)
    result = command("verify", "--family", "thresholds:3", "--only", "BLM20:fact-finite-classes")
    assert result.code == 1
    assert "COUNTEREXAMPLE: 1 > 0" in result.out
    result = command("verify", "--family", "thresholds:3", "--only", "BLM20:lemma-12")
    assert result.code == 0  # known not to hold in general


@pytest.mark.parametrize("options", [
    ["--html", "page.html"], ["--latex", "table.tex"], ["--scheduler", "tcp://nowhere"],
    ["--family", "thresholds:3"], ["--points", "points.csv"],
])  # fmt: skip
def test_options_that_do_not_go_with_a_class(
    command: Command, table: Path, options: list[str]
) -> None:
    assert command("verify", "--on", table, "--only", "BLM20:lemma-12", *options).code == 2


def test_half_of_a_class_is_none(command: Command, table: Path) -> None:
    assert command("verify", "--columns", "a", "--only", "BLM20:lemma-12").code == 2
    assert command("verify", "--on", f"{table}.missing", "--only", "BLM20:lemma-12").code == 2
