"""The example of another project finds its own bug, with the message that the page shows."""

import importlib
import os
import re
import shutil
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from pac_stability.testing import check_learner

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "downstream"
FILES = [*sorted(EXAMPLE.rglob("*.py")), EXAMPLE / "pyproject.toml"]
PAGE = (ROOT / "docs" / "how-to" / "test-your-own-learner.md").read_text(encoding="utf-8")
Run = Callable[..., subprocess.CompletedProcess[str]]
"""The fixture of conftest.py: runs Python with arguments."""


def blocks(language: str) -> list[str]:
    """Blocks of code on the page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_example_fails_where_the_page_says(run: Run, tmp_path: Path) -> None:
    work = tmp_path / "work"
    shutil.copytree(EXAMPLE, work, dirs_exist_ok=True)
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "pythonpath=src")
    (message,) = blocks("text")
    shown = [line[1:] for line in done.stdout.splitlines() if line.startswith("E   ")]
    failure = textwrap.dedent("\n".join(shown))
    assert failure.removeprefix("pac_stability.testing.contract.CheckFailed: ") == message.rstrip()
    assert "1 failed, 5 passed" in done.stdout
    assert done.stdout.count("FAILED") == 1
    assert "test_learners_are_what_they_declare[LocalVoter-uniform-stability]" in done.stdout
    (summary,) = re.findall(r"^pac_stability: .*$", done.stdout, re.MULTILINE)
    assert f"`{summary}`" in PAGE


def test_the_page_shows_the_code_of_the_example() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in FILES)
    shown = [*(block for block in blocks("python") if ">>>" not in block), *blocks("toml")]
    assert len(shown) >= 3
    for block in shown:
        assert block.strip() in code, block


def test_the_learner_of_the_example_keeps_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLE / "src")
    learner = importlib.import_module("coin_learners.random_threshold").RandomThreshold()
    assert len(check_learner(learner, domain=2, sizes=[1, 2]).checked) == 7


def test_the_example_needs_nothing_of_this_source_tree() -> None:
    for file in FILES:
        assert os.fspath(ROOT) not in file.read_text(encoding="utf-8")
