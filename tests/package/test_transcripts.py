"""Every command shown in the README and the documentation prints what is shown there.

A fenced ``console`` block is a transcript: a line ``$ pac-stability ...`` is run from the root of
the project, and the lines up to the next ``$`` are its output.  ``...`` stands for what differs
from run to run.  A last line ``(exit N)`` gives an exit code other than 0.  Other commands are not
run here.  What a page writes to ``/tmp/``, and reads there later, goes to a folder of the test run.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"\(exit (\d+)\)\n\Z")
_TMP = "/tmp/"  # noqa: S108  # as the pages write it


@dataclass(frozen=True)
class Transcript:
    """One command as a page shows it."""

    page: str
    command: str
    output: str
    code: int


def transcripts() -> list[Transcript]:
    """All ``pac-stability`` commands shown on all pages."""
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                if command.startswith("pac-stability "):
                    code = EXIT.search(output)
                    found.append(
                        Transcript(
                            page.name,
                            command.removeprefix("pac-stability "),
                            EXIT.sub("", output),
                            int(code.group(1)) if code else 0,
                        )
                    )
    return found


def test_there_are_transcripts() -> None:
    shown = {transcript.command.split()[0] for transcript in transcripts()}
    assert {"dims", "tree", "play"} <= shown


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder that stands for ``/tmp/``, the same for all commands."""
    return f"{tmp_path_factory.mktemp('scratch')}/"


@pytest.fixture(scope="module")
def run() -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Run a command; one that several pages show runs once, unless it has to do with files."""
    return cache(_run)


def _run(command: str) -> subprocess.CompletedProcess[str]:
    words, _, heredoc = command.partition(" <<< ")
    return subprocess.run(
        [sys.executable, "-P", "-m", "pac_stability", *shlex.split(words)],
        cwd=ROOT,
        input="".join(f"{line}\n" for line in shlex.split(heredoc)),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
    )


@pytest.mark.parametrize("shown", transcripts(), ids=lambda shown: f"{shown.page}: {shown.command}")
def test_transcript(
    shown: Transcript, scratch: str, run: Callable[[str], subprocess.CompletedProcess[str]]
) -> None:
    command = shown.command.replace(_TMP, scratch)
    done = run(command) if command == shown.command else _run(command)
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    printed = (done.stdout + done.stderr).replace(scratch, _TMP)
    example = doctest.Example(shown.command, shown.output)
    assert checker.check_output(shown.output, printed, flags), checker.output_difference(
        example, printed, flags
    )
    assert done.returncode == shown.code
