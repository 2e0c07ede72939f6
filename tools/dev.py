"""Commands for a machine that has Python >= 3.11 and a C compiler; the README names the first two.

``python3 tools/dev.py verify``  installs the library into ``.venv`` and settles every statement of
                                 the three papers; further arguments go to ``pac-stability verify``
``python3 tools/dev.py test``    installs it there with what the tests need, and runs all tests;
                                 further arguments go to pytest
``python3 tools/dev.py docs``    installs it there with Sphinx, and builds the site into
                                 ``build/site``; any warning is an error
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin") / "python"


def run(*command: str | Path) -> int:
    """Echo a command, run it from the root of the project, and return its exit code."""
    print("$", *command, flush=True)
    return subprocess.run([str(word) for word in command], cwd=ROOT, check=False).returncode


def install(*requirements: str) -> None:
    """Make the environment if there is none, and install into it."""
    if not PYTHON.exists():
        print(f"making the environment {ENVIRONMENT.name}", flush=True)
        venv.create(ENVIRONMENT, with_pip=True)
    code = run(PYTHON, "-m", "pip", "install", "--quiet", *requirements)
    if code:
        raise SystemExit(code)


def verify(arguments: list[str]) -> int:
    """Every numbered statement of the three papers."""
    install(".[rich]")
    return run(PYTHON, "-P", "-m", "pac_stability", "verify", *arguments)


def test(arguments: list[str]) -> int:
    """All tests, against an editable install."""
    # The compatible mode is a plain path file, which type checkers can follow too.
    install("--editable", ".[rich,test]", "--config-settings", "editable_mode=compat")
    # Transcripts of one page build on each other, so a file stays on one worker.
    parallel = ("-n", "auto", "--dist", "loadfile")
    return run(PYTHON, "-m", "pytest", *parallel, *arguments)


def docs() -> int:
    """The documentation as a site."""
    install(".[docs]")
    options = ("-q", "--fail-on-warning", "--jobs", "auto", "--builder", "html")
    return run(PYTHON, "-P", "-m", "sphinx", *options, "docs", Path("build") / "site")


def main() -> int:
    """Read the command and run it."""
    if sys.version_info < (3, 11):
        raise SystemExit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["verify", "test", "docs"])
    arguments, rest = parser.parse_known_args()
    if arguments.command == "verify":
        return verify(rest)
    if arguments.command == "docs":
        return docs()
    return test(rest)


if __name__ == "__main__":
    raise SystemExit(main())
