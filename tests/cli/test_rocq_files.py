"""``dims --rocq``, ``audit --rocq`` and ``recheck FILE.v``, on a machine without Rocq."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pac_stability import FiniteClass, rocq
from pac_stability.rocq.checking import CLOSED
from shared_refusals import refused

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]

CODE = """\
from fractions import Fraction
from pac_stability import FiniteDistribution

def answer(records):
    p = Fraction(3, 4) if records[0] else Fraction(1, 4)
    return FiniteDistribution({"yes": p, "no": 1 - p})
"""


@pytest.fixture(autouse=True)
def no_coqc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.fixture
def agreeing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program in the place of Rocq that finds no axiom in the second file."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "coqc"
    program.write_text(f'#!/bin/sh\ncase "$*" in *Claimed*) echo "{CLOSED}";; esac\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/bin")


@pytest.fixture
def theorem(command: Command, table: Path, tmp_path: Path) -> Path:
    path = tmp_path / "F.v"
    assert command("dims", table, "--only", "littlestone", "--rocq", path).code == 0
    return path


def test_the_file_is_that_of_the_library(theorem: Path, table: Path) -> None:
    assert theorem.read_text() == rocq.to_rocq(FiniteClass.from_csv(table)).text


def test_without_rocq_it_is_not_proved(command: Command, theorem: Path, validate: Validate) -> None:
    result = command("recheck", theorem)
    assert (result.code, result.err) == (3, "")
    assert result.out == (
        f"{theorem}: NOT PROVED, neither coqc nor rocq is installed (Debian and Ubuntu: apt "
        "install coq): that the class H of 4 hypotheses on 3 points has Littlestone dimension 2\n"
    )
    report = validate(command("recheck", theorem, "--json").out)
    assert (report["verdict"], report["statement"]) == ("skipped", "Littlestone H 2")


@pytest.mark.usefixtures("agreeing")
def test_with_rocq_it_is(
    command: Command, theorem: Path, table: Path, validate: Validate, tmp_path: Path
) -> None:
    result = command("recheck", theorem, "--against", table)
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        f"{theorem}: proved in Rocq, without axioms: the class H of 4 hypotheses on 3 points has "
        "Littlestone dimension 2\n"
    )
    assert validate(command("recheck", theorem, "--json").out)["verdict"] == "proved"
    other = tmp_path / "other.csv"
    other.write_text("a,b\n0,1\n1,1\n")
    refused(command("recheck", theorem, "--against", other), "got another table in place of that")


def test_what_is_no_such_file_is_refused(command: Command, theorem: Path, tmp_path: Path) -> None:
    theorem.write_text(theorem.read_text() + "Axiom cheat : False.\n")
    refused(
        command("recheck", theorem),
        f"{theorem}: got Axiom cheat : False in place of definitions, theorems and proofs, "
        "want a proof that Rocq accepts",
    )
    refused(command("recheck", tmp_path / "none.v"), "no such file")


def test_an_option_that_could_not_be_met_is_refused(
    command: Command, table: Path, tmp_path: Path
) -> None:
    refused(
        command("dims", table, "--only", "vc", "--rocq", tmp_path / "F.v"), "--rocq", "littlestone"
    )
    refused(command("dims", table, "--rocq", tmp_path), "a directory")


def test_of_bounds_the_lower_one_is_written(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pac_stability.cli.dims._REFUTATION_STEPS", 1)
    hard = ("--family", "random:300x40:1/10:3", "--only", "littlestone")
    result = command("dims", *hard, "--rocq", tmp_path / "F.v")
    assert "F.v has the lower bound only: the upper bound has no proof to write" in result.err
    assert "Theorem at_least_so_much : Ldim_ge H " in (tmp_path / "F.v").read_text()
    monkeypatch.setattr("pac_stability.cli.dims._REFUTATION_STEPS", 100_000)
    monkeypatch.setattr("pac_stability.rocq.export.MAX_NODES", 1)
    result = command("dims", *hard, "--rocq", tmp_path / "F.v")
    assert "the lower bound only: more than 1 version spaces" in result.err


@pytest.mark.usefixtures("clean_imports")
def test_a_refuted_claim(command: Command, tmp_path: Path) -> None:
    code = tmp_path / "answers_for_rocq.py"
    code.write_text(CODE)
    audit = (
        *("audit", f"{code}::answer", "--notion", "differential-privacy", "--unlabelled"),
        *("--domain", "2", "--n", "1", "--rocq", tmp_path / "F.v"),
    )
    assert command(*audit, "--claim-ratio", "2").code == 1
    assert "~ indistinguishable (2 # 1) (0 # 1) P P'" in (tmp_path / "F.v").read_text()
    (tmp_path / "F.v").unlink()
    verified = command(*audit, "--claim-ratio", "3")
    assert verified.code == 0
    assert "no theorem was written: got verified, of differential-privacy, want " in verified.err
    assert not (tmp_path / "F.v").exists()
