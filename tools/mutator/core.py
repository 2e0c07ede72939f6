"""Who notices a wrong place of the compiled core: each is built, in a copy of the project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.mutator import judging
from tools.mutator.source import ROOT, read

COPIED = ("docs", "ext", "pac_stability", "tests", "tools")
_PATIENCE = 20  # times the budget: what does not end by then has noticed


def judge(cases: Sequence[judging.Case], budget: float) -> Iterator[judging.Judgement]:
    """Build each case, ask the tests or claims that it names, and yield what they say."""
    if not cases:
        return
    with tempfile.TemporaryDirectory(prefix="pac-stability-mutants-") as name:
        tree = Path(name)
        ignored = shutil.ignore_patterns("__pycache__")
        for path in ROOT.iterdir():
            if path.name in COPIED:
                shutil.copytree(path, tree / path.name, ignore=ignored)
            elif path.is_file():
                shutil.copy2(path, tree / path.name)
        for case in cases:
            yield _judged(case, tree, budget)


def _judged(case: judging.Case, tree: Path, budget: float) -> judging.Judgement:
    change = case.change
    for built in ROOT.glob("pac_stability/_core/*.so"):  # newer than what it is made of
        shutil.copy(built, tree / built.relative_to(ROOT))
    (tree / change.file).write_text(read(change.file).with_change(change), encoding="utf-8")
    try:
        status, _ = _ran(tree, budget, "setup.py", "-q", "build_ext", "--inplace")
        if status:
            return judging.Judgement(case, None, "it does not compile", 0.0)
        for ask in case.ask:
            how = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
            if judging.is_claim(ask) or ask == judging.EVERY_CLAIM:
                how = ["-m", "pac_stability", "verify", "--cache", "none"]
                how += ["--only"] * judging.is_claim(ask)
            named = [] if ask == judging.EVERY_CLAIM else [ask]
            status, said = _ran(tree, budget, *how, *named)
            if status:
                failed = [line.split()[1] for line in said if line.startswith("FAILED ")]
                return judging.Judgement(case, (failed or [ask])[0], f"status {status}", 0.0)
        return judging.Judgement(case, None, f"{len(case.ask)} asked", 0.0)
    finally:
        shutil.copy(ROOT / change.file, tree / change.file)


def _ran(tree: Path, budget: float, *command: str) -> tuple[int, list[str]]:
    """Return how a command of Python ends in the copy, and the lines that it prints."""
    settings = {"PYTHONPATH": str(tree), "PAC_STABILITY_BUILD": "quick", "CI": "true"}
    try:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tree,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE * budget,
        )
    except subprocess.TimeoutExpired:
        return -1, []
    return done.returncode, done.stdout.splitlines()
