"""The pages of notes on the papers: the tests that they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ERRATA = TESTS.parent / "docs" / "errata"
PAPERS = ("bun_livni_moran", "cummings_et_al", "dagan_feldman")


@pytest.mark.parametrize("paper", PAPERS)
def test_the_notes_name_tests_that_exist(paper: str) -> None:
    notes = (ERRATA / f"{paper.replace('_', '-')}.md").read_text(encoding="utf-8")
    files = re.findall(r"`(?:tests/)?((?:\w+/)*test_\w+\.py)`", notes)
    folders = (TESTS, TESTS / "papers" / paper)
    assert [file for file in files if not any((f / file).exists() for f in folders)] == []
    tests = "".join(file.read_text(encoding="utf-8") for file in TESTS.rglob("test_*.py"))
    assert [
        name for name in re.findall(r"`(Test\w+)`", notes) if f"class {name}" not in tests
    ] == []
    assert files
