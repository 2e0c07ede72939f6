"""The judge of source mutants: what it takes, and that it tells who notices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shared_processes import of_source_tree

ROOT = Path(__file__).parents[2]
FILE = "pac_stability/notions/domination.py"
MUTANT = """\
[[mutant]]
file = "{file}"
line = "{line}"
wrong = "{wrong}"
claims = {claims}
"""
WRONG = MUTANT.format(
    file=FILE,
    line="yield 1 - of_h, 1 - of_g",
    wrong="yield of_g, of_h",
    claims='["DF20:definition-relation"]',
)
SAME = MUTANT.format(
    file=FILE,
    line="if exact > 1:",
    wrong="if 1 < exact:",
    claims='["DF20:definition-relation"]',
)


@pytest.fixture(autouse=True)
def source_tree() -> None:
    if "PAC_STABILITY_EXPECT_INSTALLED" in os.environ:
        pytest.skip("it judges the source tree, and the wheel is tested; .ci/run does so apart")


def judge(tmp_path: Path, entries: str, *options: str) -> subprocess.CompletedProcess[str]:
    listed = tmp_path / "list.toml"
    listed.write_text(entries, encoding="utf-8")
    command = [sys.executable, "-m", "tools.source_mutants", "--list", str(listed), "--jobs", "1"]
    return subprocess.run(
        [*command, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_every_entry_fits_its_source() -> None:
    program = (
        "from tools.source_mutants import LIST, read\n"
        "entries = read(LIST)\n"
        "print(len(entries))\n"
        "print(*sorted({e.change.file.split('/')[1] for e in entries}))\n"
    )
    done = of_source_tree(program)
    assert done.returncode == 0, done.stderr
    count, rooms = done.stdout.splitlines()
    assert int(count) >= 80
    assert rooms == "compression mechanisms notions papers"


def test_what_computes_has_a_wrong_line_or_a_reason() -> None:
    command = [sys.executable, "-m", "tools.source_mutants", "--missing"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_has_neither_is_listed(tmp_path: Path) -> None:
    done = judge(tmp_path, WRONG, "--missing")
    assert done.returncode == 1
    missing = done.stdout.splitlines()
    assert "notions.chain_rule.least_chained_delta" in missing
    assert not any(name.startswith("mechanisms.ledger") for name in missing)


def test_a_wrong_line_is_told_from_one_that_says_the_same(tmp_path: Path) -> None:
    done = judge(tmp_path, WRONG + SAME)
    assert done.returncode == 1, done.stdout + done.stderr
    first, second, last = done.stdout.splitlines()
    assert first.startswith("noticed  (refuted)")
    assert second.startswith("SURVIVED by DF20:definition-relation")
    assert last.startswith("2 mutants, 1 noticed, 1 survived")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("yield 1 - of_h", "yield 2 - of_h"), "want the line once, found it 0 times"),
        (('["DF20:definition-relation"]', "[]"), "which claims notice?"),
        (("notions/domination.py", "errors.py"), "want the line once"),
    ],
)
def test_entries_that_fit_nothing_are_refused(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    done = judge(tmp_path, WRONG.replace(*change))
    assert done.returncode == 1
    assert message in done.stderr


def test_the_same_entry_twice_is_refused(tmp_path: Path) -> None:
    assert "twice:" in judge(tmp_path, WRONG + WRONG).stderr


def test_a_claim_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = judge(tmp_path, WRONG.replace("definition-relation", "definition-nothing"))
    assert done.returncode == 1
    assert "no such claims: DF20:definition-nothing" in done.stderr
