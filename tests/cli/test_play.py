import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pac_stability.classes import FiniteClass
from pac_stability.online import StandardOptimalAlgorithm, Transcript

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]

THRESHOLDS = FiniteClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])


def test_watching_soa_lose_to_the_greedy_adversary(
    command: Command, validate: Validate, table: Path
) -> None:
    result = command("play", table, "--auto")
    assert result.code == 0
    assert result.out.count("a mistake") == 2
    assert "2 mistakes in 2 rounds; Littlestone dimension 2." in result.out
    report = validate(command("play", table, "--auto", "--json").out)
    assert (report["role"], report["finished"], report["dimension"]) == ("auto", True, 2)
    transcript = Transcript.from_json(report["transcript"])
    assert transcript.mistakes == 2
    assert transcript.check(THRESHOLDS, StandardOptimalAlgorithm(THRESHOLDS)).accepted


@pytest.mark.parametrize("answers", ["0\n0\n", "0\n1\n", "1\n0\n", "1\n1\n"])
def test_a_learner_errs_as_often_as_the_dimension_says(
    command: Command, table: Path, tmp_path: Path, answers: str
) -> None:
    saved = tmp_path / "game.json"
    result = command("play", table, "--transcript", saved, stdin=answers)
    assert result.code == 0
    assert "2 mistakes in 2 rounds" in result.out
    transcript = Transcript.load(saved)
    assert [r.prediction for r in transcript.rounds] == [int(a) for a in answers.split()]
    assert transcript.check(THRESHOLDS).accepted


def test_the_dialogue_explains_itself(command: Command, table: Path) -> None:
    result = command("play", table, stdin="?\nmaybe\n\n1\nq\n")
    assert result.code == 0
    assert "round 1: point middle  (4 hypotheses left, dimension 2)" in result.out
    assert "  0: 2 hypotheses, dimension 1\n  1: 2 hypotheses, dimension 1" in result.out
    assert "'maybe' is not 0 or 1 (? explains, q stops)" in result.out
    assert "1 mistake in 1 round; Littlestone dimension 2." in result.out
    assert "round 2" in result.out


def test_an_adversary_plays_by_name_or_column(
    command: Command, table: Path, tmp_path: Path
) -> None:
    # SOA with tie 1 says 1 at the middle and, once that was wrong, 1 at #2.
    saved = tmp_path / "game.json"
    result = command(
        "play", table, "--as", "adversary", "--transcript", saved, stdin="middle\n0\n#2\n0\n"
    )
    assert result.code == 0
    assert "One hypothesis is left: SOA will not err again." in result.out
    assert "2 mistakes in 2 rounds" in result.out
    transcript = Transcript.load(saved)
    assert [(r.point, r.prediction, r.label) for r in transcript.rounds] == [(1, 1, 0), (2, 1, 0)]
    assert transcript.check(THRESHOLDS, StandardOptimalAlgorithm(THRESHOLDS)).accepted


def test_an_adversary_is_held_to_the_class(command: Command, table: Path) -> None:
    result = command("play", table, "--as", "adversary", stdin="low\n1\nhigh\n0\n")
    assert "One hypothesis is left" in result.out  # 1 at low leaves 111 alone
    result = command("play", table, "--as", "adversary", stdin="?\nlow\n0\nlow\n1\n0\nx\n#7\n")
    assert "#1 middle: SOA predicts 1; label 0 leaves dimension 1, label 1 1" in result.out
    assert "no hypothesis agrees with label 1 here; it must be 0" in result.out
    assert "no point is called 'x'" in result.out
    assert "no point is called '#7'" in result.out
    assert result.code == 0


@pytest.mark.parametrize("ending", ["", "q\n", "Quit\n"])
def test_stopping_early_keeps_what_was_played(
    command: Command, validate: Validate, table: Path, ending: str
) -> None:
    result = command("play", table, "--json", stdin=f"1\n{ending}")
    report = validate(result.out)
    assert (result.code, report["finished"]) == (0, False)
    assert len(report["transcript"]["rounds"]) == 1
    assert "your prediction> " in result.err


class _OneAnswer(io.StringIO):
    """Input that ends with Ctrl-C."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # of IOBase: bytes
        if line := super().readline(size):
            return line
        raise KeyboardInterrupt


def test_ctrl_c_keeps_what_was_played(command: Command, table: Path, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    result = command("play", table, "--transcript", saved, stdin=_OneAnswer("1\n"))
    assert result.code == 130
    assert "1 mistake in 1 round" in result.out
    assert result.err == "pac-stability: interrupted\n"
    assert len(Transcript.load(saved).rounds) == 1


def test_a_game_whose_dimension_is_out_of_reach_does_not_begin(command: Command) -> None:
    # 12,951 hypotheses: milliseconds at the least.
    arguments = ("--auto", "--family", "unions_of_intervals:24,2")
    result = command("play", *arguments, "--time-limit", "1e-6")
    assert (result.code, result.out) == (3, "")
    assert re.fullmatch(
        r"pac-stability: inconclusive: the game needs the Littlestone dimension, so far "
        r"\d+\.\.\d+; allow more with --time-limit or --max-memory\n",
        result.err,
    )
    result = command("play", *arguments, "--max-memory", "1K")
    assert (result.code, result.out) == (3, "")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("role", [[], ["--auto"], ["--as", "adversary"]])
def test_a_point_that_means_the_end_cannot_be_played(
    command: Command, tmp_path: Path, role: list[str]
) -> None:
    path = tmp_path / "class.json"
    path.write_text('{"table": [[0, 1], [1, 0]], "domain": [null, 1]}')
    result = command("play", path, *role)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"pac-stability: error: {path}: got the point null")


def test_a_class_without_hypotheses_cannot_be_played(command: Command) -> None:
    result = command("play", "--family", "random:0x3")
    assert (result.code, result.out) == (2, "")
    assert "got a class without hypotheses" in result.err
