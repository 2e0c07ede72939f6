"""Break the library on purpose, one line at a time, and prove that the tests notice.

``python -m tools.mutants`` reads ``tools/mutants.toml``.  Each entry names a file, the text of one
line in it, the wrong text that replaces it, and the tests that must fail then.  A mutant *survives*
when those tests pass; any survivor makes the run fail, and so does an entry whose line is no longer
in the file exactly once.  A mutant that does not load or does not end counts as noticed, and the
report says so.

The test that noticed a mutant is recorded in ``tools/mutants.killers.json`` by ``--record`` and
runs first; when it passes, all tests of the entry follow.  The compiled core is built once, with
every mutant of it behind a switch.  ``--sample K`` judges every K-th mutant, beginning
at another one for each commit.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.entries import LIST, ROOT, Mutant, mutate, read
from tools.mutants.forking import PATIENCE, Child, Ended, wait
from tools.mutants.switches import VARIABLE, place_switches
from tools.sampling import sampled

COPIED = ["docs", "ext", "pac_stability", "tests", "setup.py", "pyproject.toml", "README.md"]
COPIED += ["CONTRIBUTING.md", "CHANGELOG.md", "tools"]
KILLERS = ROOT / "tools" / "mutants.killers.json"


def prepare(place: Path, numbers: Mapping[Mutant, int]) -> Path:
    """A copy of the project, built with a switch for every mutant of the core."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(source, place / name, ignore=ignored)
        else:
            shutil.copy2(source, place / name)
    place_switches(place / "ext", numbers)
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=place,
        env={**os.environ, "PAC_STABILITY_BUILD": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the project with switches does not build:\n{done.stderr[-5000:]}")
    return place


@dataclass(frozen=True)
class Wrong:
    """A tree in which one line is wrong, until it is mended."""

    tree: Path
    mutant: Mutant
    original: str | None

    @classmethod
    def made(cls, tree: Path, mutant: Mutant) -> Wrong:
        """Write the wrong line; a line of the core is wrong by its switch alone."""
        if mutant.compiled:
            return cls(tree, mutant, None)
        original = (tree / mutant.file).read_text(encoding="utf-8")
        wrong = cls(tree, mutant, original)
        wrong._write(mutate(original, mutant))
        return wrong

    def mend(self) -> None:
        """Write the right line again."""
        if self.original is not None:
            self._write(self.original)

    def _write(self, text: str) -> None:
        path = self.tree / self.mutant.file
        path.write_text(text, encoding="utf-8")
        # Compiled code is taken for that of a source of the same size and second.
        for cached in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            cached.unlink()


class Judge:
    """Free trees, running children, and the words for what they did."""

    def __init__(
        self, trees: Sequence[Path], numbers: Mapping[Mutant, int], killers: Mapping[str, str]
    ) -> None:
        self._free = list(trees)
        self._numbers = numbers
        self._killers = killers
        self._running: dict[int, tuple[Child, Wrong]] = {}
        self.noticed_by: dict[str, str] = {}
        self.survivors: list[Mutant] = []

    def check_the_unchanged(self, mutants: Sequence[Mutant]) -> None:
        """Every test that is to notice something must pass as long as nothing is wrong.

        A recorded test that is there no more is forgotten.
        """
        tests: dict[str, None] = {}
        for mutant in mutants:
            killer = self._killers.get(str(mutant))
            tests.update(dict.fromkeys([killer] if killer else mutant.tests))
        names = sorted(tests)
        shares = [names[slot :: len(self._free)] for slot in range(len(self._free))]
        children = [
            Child.start(tree, share, tree.with_suffix(".log"), {VARIABLE: "0"}, 8 * PATIENCE)
            for tree, share in zip(self._free, shares, strict=True)
            if share
        ]
        gone: set[str] = set()
        while children:
            child, end = wait(children)
            children.remove(child)
            gone.update(end.gone)
            if not (end.passed or end.gone):
                raise SystemExit(f"the unchanged project: its tests {end.outcome}\n{end.output}")
        known = {m: t for m, t in self._killers.items() if t.partition("[")[0] not in gone}
        if gone and len(known) == len(self._killers):
            raise SystemExit(f"tests that there are not: {', '.join(sorted(gone))}")
        if gone:
            self._killers = known
            self.check_the_unchanged(mutants)

    def judge(self, mutants: Sequence[Mutant]) -> None:
        """Put every mutant to its tests, as many at a time as there are trees."""
        waiting = list(reversed(mutants))
        while waiting or self._running:
            while waiting and self._free:
                mutant = waiting.pop()
                wrong = Wrong.made(self._free.pop(), mutant)
                killer = self._killers.get(str(mutant))
                self._start(wrong, (killer,) if killer else mutant.tests)
            child, end = wait([child for child, _ in self._running.values()])
            wrong = self._running.pop(child.pid)[1]
            if end.passed and child.tests != wrong.mutant.tests:
                # The recorded test does not notice it any more; one of the others may.
                self._start(wrong, wrong.mutant.tests)
                continue
            wrong.mend()
            self._free.append(wrong.tree)
            self._say(wrong.mutant, child, end)

    def _start(self, wrong: Wrong, tests: tuple[str, ...]) -> None:
        environment = {VARIABLE: str(self._numbers.get(wrong.mutant, 0)), "CI": "true"}
        log = wrong.tree.with_suffix(".log")
        child = Child.start(wrong.tree, tests, log, environment)
        self._running[child.pid] = (child, wrong)

    def _say(self, mutant: Mutant, child: Child, end: Ended) -> None:
        if end.passed:
            self.survivors.append(mutant)
        elif end.failed:
            self.noticed_by[str(mutant)] = end.failed
        elif len(child.tests) == 1:
            self.noticed_by[str(mutant)] = child.tests[0]
        word = "SURVIVED" if end.passed else "noticed "
        print(word, f"({end.outcome}, {end.processor:.1f} s)", mutant, flush=True)


def read_killers(path: Path) -> dict[str, str]:
    """The recorded test of each mutant, where there still is a test of that name."""
    recorded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return {mutant: test for mutant, test in recorded.items() if _stands(test)}


def _stands(test: str) -> bool:
    file, _, name = test.partition("::")
    path = ROOT / file
    plain = name.partition("[")[0].rpartition("::")[2]
    return path.exists() and (not name or f"def {plain}(" in path.read_text("utf-8"))


def main() -> int:
    """Judge every mutant; 1 when any survives."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("only", nargs="*", help="patterns for the files whose mutants are judged")
    parser.add_argument("--list", type=Path, default=LIST)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, default=1, help="judge every so-many-th mutant")
    parser.add_argument("--record", action="store_true", help="record the tests that noticed")
    parser.add_argument("--all-tests", action="store_true", help="do not trust what is recorded")
    arguments = parser.parse_args()
    everything = read(arguments.list)
    mutants = [
        mutant
        for mutant in everything
        if not arguments.only or any(fnmatch.fnmatch(mutant.file, f"*{p}*") for p in arguments.only)
    ]
    mutants = sampled(mutants, arguments.sample)
    if not mutants:
        raise SystemExit(f"{arguments.list}: no mutants, so nothing would be shown")
    numbers = {m: k for k, m in enumerate([m for m in mutants if m.compiled], start=1)}
    killers = {} if arguments.all_tests else read_killers(KILLERS)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pac-stability-mutants-") as name:
        first = prepare(Path(name) / "0", numbers)
        trees = [first]
        for job in range(1, arguments.jobs):
            trees.append(Path(shutil.copytree(first, Path(name) / str(job), symlinks=True)))
        judge = Judge(trees, numbers, killers)
        judge.check_the_unchanged(mutants)
        judge.judge(mutants)
    if arguments.record:
        known = {str(mutant) for mutant in everything}
        record = {k: v for k, v in {**killers, **judge.noticed_by}.items() if k in known}
        KILLERS.write_text(
            json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False) + "\n",
            encoding="utf-8",
        )
    stale = sum(judge.noticed_by.get(k, v) != v for k, v in killers.items())
    if stale and not arguments.record:
        print(f"{stale} were noticed by another test than the recorded one: --record would help")
    survived = len(judge.survivors)
    print(
        f"{len(mutants)} mutants, {len(mutants) - survived} noticed, {survived} survived,"
        f" in {time.monotonic() - began:.0f} s"
    )
    return int(survived > 0)


if __name__ == "__main__":
    raise SystemExit(main())
