"""The example of another project finds its own bug, with the message that the page shows."""

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


SAMPLE = ROOT / "docs" / "examples" / "sample_repository"
HOW_TO = (ROOT / "docs" / "how-to" / "audits-at-work.md").read_text(encoding="utf-8")


def test_the_action_marks_the_planted_bug_and_passes_what_is_mended(
    run: Run, tmp_path: Path
) -> None:
    """As a server runs it: the steps of the workflow's action, but for what pip does."""
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    workflow = yaml.safe_load((SAMPLE / ".github" / "workflows" / "audits.yml").read_text())
    asked = workflow["jobs"]["audits"]["steps"][-1]["with"]
    assert asked.keys() <= action["inputs"].keys()
    assert action["runs"]["using"] == "composite"
    install, *steps = action["runs"]["steps"]
    assert install["run"] == 'python -m pip install "$LIBRARY[testing]" $REQUIREMENTS'
    assert install["env"]["LIBRARY"] == "${{ github.action_path }}"
    shutil.copytree(SAMPLE, tmp_path / "work", dirs_exist_ok=True)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)

    def output(step: dict[str, Any]) -> tuple[int, str]:
        lines = ["export GITHUB_ACTIONS=true", f'PATH={shlex.quote(str(tmp_path))}:"$PATH"']
        for name, value in step["env"].items():
            key = value.removeprefix("${{ inputs.").removesuffix(" }}")
            assert action["inputs"][key]["default"] == ""
            assert f"inputs.{key} != ''" in step["if"]
            lines.append(f"export {name}={shlex.quote(asked[key])}")
        script = "\n".join([*lines, step["run"]])
        called = [step["shell"], "-eo", "pipefail", "-c", script]
        done = run("-c", "import os, sys; os.execvp(sys.argv[1], sys.argv[1:])", *called)
        return done.returncode, done.stdout + done.stderr

    line = 1 + (SAMPLE / "private_threshold.py").read_text().splitlines().index(
        "class PrivateThreshold:"
    )
    for step in steps:
        code, said = output(step)
        assert code != 0, said
        (marked,) = re.findall("^::error .*$", said, re.MULTILINE)
        assert marked.startswith(f"::error file=private_threshold.py,line={line},title=")
        shown = marked.split("::", 2)[2].replace("%0A", "\n")
        assert shown in HOW_TO or "sample       [(0, 1)]  (0, 0)\nneighbour    [(0, 0)]" in shown
    shutil.copy(SAMPLE / "mended" / "private_threshold.py", tmp_path / "work")
    for step in steps:
        code, said = output(step)
        assert code == 0, said
        assert "::error" not in said
    assert (SAMPLE / ".github" / "workflows" / "audits.yml").read_text() in HOW_TO
