"""Run the tests of the compiled core under AddressSanitizer and UndefinedBehaviorSanitizer.

``python tools/sanitize.py [TESTS ...]`` builds a copy of the project with the sanitizers (gcc), and
runs the given tests (default: those that reach the core) in it.  A report names the line of the
``.pyx`` and ends the run with a non-zero exit code.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ["ext", "pac_stability", "tests", "setup.py", "pyproject.toml", "README.md"]
TESTS = [
    "tests/core",
    "tests/dimensions",
    "tests/online",
    "tests/papers/dagan_feldman/test_df_enclosed_selection.py",
    "tests/papers/dagan_feldman/test_df_additive.py",
    "tests/papers/dagan_feldman/test_df_additive_bounds.py",
]


def library(name: str) -> str:
    """Where the compiler keeps a run-time library."""
    command = ["gcc", f"-print-file-name={name}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> int:
    """Build, then run pytest with the sanitizers loaded first."""
    with tempfile.TemporaryDirectory(prefix="pac-stability-sanitize-") as name:
        tree = Path(name)
        for item in COPIED:
            source = ROOT / item
            if source.is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.so")
                shutil.copytree(source, tree / item, ignore=ignored)
            else:
                shutil.copy2(source, tree / item)
        subprocess.run(
            [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
            cwd=tree,
            env={**os.environ, "PAC_STABILITY_BUILD": "sanitize"},
            check=True,
        )
        tests = sys.argv[1:] or TESTS
        # -s: pytest would swallow the report, and only an exit code would remain.
        command = [sys.executable, "-m", "pytest", "-s", "-q", "-p", "no:cacheprovider", *tests]
        environment = {
            **os.environ,
            "PYTHONPATH": str(tree),
            "LD_PRELOAD": f"{library('libasan.so')}:{library('libstdc++.so.6')}",
            # CPython itself leaves blocks behind at exit; only errors count here.
            "ASAN_OPTIONS": "detect_leaks=0",
            "PYTHONMALLOC": "malloc",
        }
        return subprocess.run(command, cwd=tree, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
