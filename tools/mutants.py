"""Break the library on purpose, one line at a time, and prove that the tests notice.

``python tools/mutants.py`` reads ``tools/mutants.toml``.  Each entry names a file, the text of one
line in it, the wrong text that replaces it, and the tests that must fail then.  A mutant *survives*
when those tests pass; any survivor makes the run fail, and so does an entry whose line is no longer
in the file exactly once.  A mutant that does not build or does not end counts as noticed, and the
report says so.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
COPIED = ["docs", "ext", "pac_stability", "tests", "setup.py", "pyproject.toml", "README.md"]
PATIENCE = 300  # seconds: a mutated loop may never end


@dataclass(frozen=True)
class Mutant:
    """One wrong line, and the tests that must notice it."""

    file: str
    line: str
    wrong: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.line.strip()}  ->  {self.wrong.strip()}"


def read(path: Path) -> list[Mutant]:
    """All mutants of the file, each checked to fit its source."""
    mutants = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
        mutant = Mutant(entry["file"], entry["line"], entry["wrong"], tuple(entry["tests"]))
        lines = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()
        found = sum(line.strip() == mutant.line.strip() for line in lines)
        if found != 1:
            raise SystemExit(f"{path.name}: want the line once, found it {found} times: {mutant}")
        mutants.append(mutant)
    return mutants


def mutate(source: str, mutant: Mutant) -> str:
    """The source with the one line replaced, its indentation kept."""
    lines = source.splitlines(keepends=True)
    for index, line in enumerate(lines):
        if line.strip() == mutant.line.strip():
            indent = line[: len(line) - len(line.lstrip())]
            lines[index] = f"{indent}{mutant.wrong.strip()}\n"
    return "".join(lines)


def build(tree: Path) -> bool:
    """Compile what changed, in place; whether that worked."""
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    environment = {**os.environ, "PAC_STABILITY_BUILD": "quick"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False)
    return done.returncode == 0


def run_tests(tree: Path, tests: tuple[str, ...]) -> str:
    """``"passed"``, ``"failed"``, or why they did not end properly."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree), "CI": "true"}
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return f"did not end in {PATIENCE} s"
    # 1: tests failed.  Negative: a signal.  Others (usage, nothing collected) prove nothing.
    if done.returncode in (0, 1):
        return ("passed", "failed")[done.returncode]
    if done.returncode < 0:
        return f"crashed with signal {-done.returncode}"
    raise SystemExit(f"pytest could not run {' '.join(tests)}:\n{done.stdout.decode()}")


def prepare(place: Path) -> Path:
    """A built copy of the project."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(source, place / name, ignore=ignored)
        else:
            shutil.copy2(source, place / name)
    if not build(place):
        raise SystemExit("the unchanged project does not build")
    return place


@dataclass
class Copy:
    """A copy of the project, and whether its compiled modules are those of a mutant."""

    tree: Path
    stale: bool = False


def judge(copy: Copy, mutant: Mutant) -> str:
    """Apply the mutant to a copy, run its tests, and restore the source."""
    tree = copy.tree
    path = tree / mutant.file
    original = path.read_text(encoding="utf-8")
    compiled = path.suffix != ".py"
    stale, copy.stale = copy.stale, compiled
    try:
        path.write_text(mutate(original, mutant), encoding="utf-8")
        # This also undoes the compiled mutant before it.
        if (compiled or stale) and not build(tree):
            return "did not build"
        return run_tests(tree, mutant.tests)
    finally:
        path.write_text(original, encoding="utf-8")


def main() -> int:
    """Judge every mutant; 1 when any survives."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", type=Path, default=ROOT / "tools" / "mutants.toml")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    mutants = read(arguments.list)
    if not mutants:
        raise SystemExit(f"{arguments.list}: no mutants, so nothing would be shown")
    with tempfile.TemporaryDirectory(prefix="pac-stability-mutants-") as name:
        places = [Path(name) / str(job) for job in range(arguments.jobs)]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            free: SimpleQueue[Copy] = SimpleQueue()
            for tree in pool.map(prepare, places):
                free.put(Copy(tree))
            tests = sorted({test for mutant in mutants for test in mutant.tests})
            shares = [tuple(tests[job :: len(places)]) for job in range(len(places))]
            for verdict in pool.map(run_tests, places, filter(None, shares)):
                if verdict != "passed":
                    raise SystemExit(f"the unchanged project: its tests {verdict}")

            def one(mutant: Mutant) -> str:
                copy = free.get()
                try:
                    return judge(copy, mutant)
                finally:
                    free.put(copy)

            survivors = 0
            for mutant, verdict in zip(mutants, pool.map(one, mutants), strict=True):
                survived = verdict == "passed"
                survivors += survived
                print("SURVIVED" if survived else "noticed ", f"({verdict})", mutant, flush=True)
    print(f"{len(mutants)} mutants, {len(mutants) - survivors} noticed, {survivors} survived")
    return int(survivors > 0)


if __name__ == "__main__":
    raise SystemExit(main())
