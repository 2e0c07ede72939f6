"""Every command shown in the README and the documentation prints what is shown there.

A fenced ``console`` block is a transcript: a line ``$ pac-stability ...`` is run from the root of
the project, and the lines up to the next ``$`` are its output.  ``...`` stands for what differs
from run to run.  A last line ``(exit N)`` gives an exit code other than 0.  Other commands are not
run here.  A file that a page writes, and reads later, is in a folder of the test run.
"""

import contextlib
import doctest
import gc
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing import forkserver
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

import pytest

import pac_stability
from pac_stability.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "examples" not in page.parts),
]
"""An example of another package is of use where that is installed."""
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"\(exit (\d+)\)\n\Z")
WRITTEN = re.compile(r"(?<=\s)(?=[\w-]+\.(json|html|svg)\b)")


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
    """The folder that the pages' files are in, the same for all commands."""
    return f"{tmp_path_factory.mktemp('scratch')}/"


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Children have all that a command may import."""
    for info in pkgutil.walk_packages(pac_stability.__path__, "pac_stability."):
        if not info.name.endswith("__main__"):
            importlib.import_module(info.name)


@pytest.fixture(scope="module")
def run() -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Run a command; one that several pages show runs once, unless it has to do with files."""
    return cache(_run)


def _run(command: str) -> subprocess.CompletedProcess[str]:
    """What the command does in a child by ``fork``, which has the library loaded already."""
    words, _, heredoc = command.partition(" <<< ")
    with TemporaryFile("w+") as given, TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        given.write("".join(f"{line}\n" for line in shlex.split(heredoc)))
        given.seek(0)
        with warnings.catch_warnings():
            # A worker of pytest-xdist has a thread that waits; the child has no need of it.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if not pid:
            _command(shlex.split(words), given.fileno(), out.fileno(), err.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, code, out.read(), err.read())


def _command(words: list[str], *handles: int) -> NoReturn:
    code = 4
    gc.freeze()
    # Whoever ran here before may have a server of forks, which is no child of this process.
    forkserver._forkserver._forkserver_address = None  # type: ignore[attr-defined]  # its own
    forkserver._forkserver._forkserver_pid = None  # type: ignore[attr-defined]
    forkserver._forkserver._forkserver_alive_fd = None  # type: ignore[attr-defined]
    with contextlib.suppress(BaseException):
        for number, handle in enumerate(handles):
            os.dup2(handle, number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.chdir(ROOT)
        os.environ.update(NO_COLOR="1", COLUMNS="100")
        warnings.resetwarnings()
        code = main(words)
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


@pytest.mark.parametrize("shown", transcripts(), ids=lambda shown: f"{shown.page}: {shown.command}")
def test_transcript(
    shown: Transcript, scratch: str, run: Callable[[str], subprocess.CompletedProcess[str]]
) -> None:
    command = WRITTEN.sub(lambda _: scratch, shown.command)
    done = run(command) if command == shown.command else _run(command)
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    printed = (done.stdout + done.stderr).replace(scratch, "")
    example = doctest.Example(shown.command, shown.output)
    assert checker.check_output(shown.output, printed, flags), checker.output_difference(
        example, printed, flags
    )
    assert done.returncode == shown.code
