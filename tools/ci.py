"""All that a change must pass, from a fresh clone, beside one another where that is possible.

``.ci/run`` calls this with Python >= 3.11 and its standard library; a C compiler and a package
index are needed besides.  Each step is a command that a person can call alone, so this file says
only which ones there are and which wait for which.  What a step prints goes to
``build/ci/STEP.log``.  A table of all steps follows, then what the tests print, then the last
lines of each other step that failed; the tests have the last word.

The core is built once, by a build that takes no warning, and one environment serves all.
``.ci/nightly`` calls it with ``--nightly``: the same steps, longer, and some that take too long to
wait for.
"""

from __future__ import annotations

import argparse
import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "ci"
SHARED = ROOT / ".venv-test" / "bin"
TESTS = "test"
ALWAYS, NIGHT = "always", "night"
APART = {"PAC_STABILITY_VENV": "docs"}
SIXTH = ("--sample", "6")
JUDGED_WHOLE = ("pac_stability/compression", "pac_stability/notions")
PROGRAM_OF_THE_SITE = ("docs/_extensions/", "docs/_static/", "docs/conf.py")
PATIENCE = "4200"  # seconds: a step that waits for itself fails, and says where it was
LAST_LINES = 60  # of a step that failed, beside its whole log


@dataclass(frozen=True)
class Step:
    """One command, and the steps that it waits for."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    needs: tuple[str, ...] = ("install",)
    at: str = ALWAYS
    variables: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Ended:
    """How a step ended."""

    step: Step
    code: int
    seconds: float
    processor: float

    @property
    def word(self) -> str:
        """One word for the table."""
        return "passed" if self.code == 0 else f"FAILED ({self.code})"


CONFIGURED = ("--mypy-config-file", "pyproject.toml")  # else it misses stubs that nobody wrote
OF_THE_TREE = ("tests/package/test_mutator.py", "tests/claims/test_climbing.py")
"""Tests of tools that stand in the source tree alone, while the others test the wheel."""


def steps(*, nightly: bool, site: str = "docs") -> list[Step]:
    """Every step, in the order in which they begin: what all wait for, then the longest.

    Parameters
    ----------
    nightly
        The longer run.
    site
        What ``tools/dev.py`` does for the site by day: ``docs`` where its program changed,
        ``docs-read`` where a page or a docstring did, else nothing.  At night it is written.  That
        its examples are true is for the tests, in each run.
    """
    ours = str(SHARED / "python")
    dev = (sys.executable, "tools/dev.py")
    budget = ("--budget", "standard") if nightly else ()
    mutator = (ours, "-m", "tools.mutator")
    found = [
        Step("wheel", ((*dev, "wheel"),), needs=()),
        Step("packages", ((*dev, "packages"),), needs=()),
        Step("install", ((*dev, "install"),), needs=("wheel", "packages")),
        Step(TESTS, ((*dev, "test"),)),
        Step("entries", ((*mutator, "check"),), needs=("packages",)),
        Step("verify", ((*dev, "verify", "--cache", "none", *budget),)),
        # By day a sixth, and what the commit changes, of what has been judged whole.
        Step("formulas", ((*mutator, "papers", "--jobs", "1", *SIXTH, *JUDGED_WHOLE),)),
        Step(
            "wrong-lines",
            tuple((*mutator, front) for front in ("tests", "papers", "roundings")),
            at=NIGHT,
        ),
        Step("types", (("mypy",),), needs=("packages",)),
        Step("stubs", ((ours, "-m", "mypy.stubtest", "pac_stability._core", *CONFIGURED),)),
        Step("tools", ((ours, "-m", "pytest", "-q", *OF_THE_TREE),)),
        Step(
            "lint",
            (
                ("ruff", "check", "."),
                ("ruff", "format", "--check", "."),
                ("cython-lint", "ext", "pac_stability/_core"),
                ("lint-imports",),
                (ours, "tools/size.py"),
            ),
            needs=("packages",),
        ),
        # What is inherited from an optional library is described there, and not on the site.
        Step(
            "docs",
            ((*dev, "docs" if nightly else site),),
            at=ALWAYS if site else NIGHT,
            variables=APART,
        ),
        Step(
            "site",
            ((*dev, "site-check"), (ours, "docs/_extensions/search_ranks.py")),
            needs=("docs",),
            at=NIGHT,
            variables=APART,
        ),
        # What each claim names as examined is entered by its trials, and wrong results noticed.
        Step("examined", ((ours, "-m", "tools.examined", *(() if nightly else SIXTH)),)),
        Step("bench", ((ours, "-m", "tools.bench"),), at=NIGHT),
        Step("package", ((ours, "tools/check_wheel.py", "--bare"),), at=NIGHT),
        Step(
            "completeness",
            (
                (ours, "-m", "pip", "install", "--quiet", "--no-compile", "basedpyright>=1.31"),
                (ours, "tools/completeness.py"),
            ),
            at=NIGHT,
        ),
        Step(
            "theories",
            ((ours, "-m", "pytest", "-q", "tests/rocq"),),
            at=NIGHT,
            variables={"PAC_STABILITY_ROCQ": "required"},  # without Rocq it fails
        ),
        Step("libraries", ((*dev, "libraries"),), at=NIGHT),
        Step("sanitize", ((ours, "tools/sanitize.py"),), at=NIGHT),
        Step(
            "files",
            (
                (ours, "tools/fuzz.py", "--inputs", "20000"),
                (ours, "tools/kills.py", "--kills", "500"),
                (ours, "tools/leaks.py"),
            ),
            at=NIGHT,
        ),
    ]
    return [step for step in found if nightly or step.at == ALWAYS]


def environment(step: Step, *, nightly: bool) -> dict[str, str]:
    """What the commands of a step find in their environment."""
    variables = {
        **os.environ,
        "CI": "true",
        # One environment for nearly all, and one build, which must be without a warning.
        "PAC_STABILITY_VENV": SHARED.parent.name.removeprefix(".venv-"),
        "PAC_STABILITY_BUILD": "strict",
        **step.variables,
    }
    if not {"install", "packages"}.isdisjoint(step.needs):
        variables["PATH"] = f"{SHARED}{os.pathsep}{variables.get('PATH', '')}"
    # Hundreds of processes import the same modules.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    if nightly:
        variables["PAC_STABILITY_EXAMPLES"] = "nightly"
    return variables


def git(*words: str) -> str | None:
    """What git says; ``None`` where it fails, as for the parent of a clone without history."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def changed() -> set[str] | None:
    """Files that the last commit or the work since then changed; ``None`` where nobody knows."""
    found = (git("diff", "--name-only", "HEAD~1"), git("ls-files", "-o", "--exclude-standard"))
    return None if None in found else set("".join(filter(None, found)).splitlines())


def of_the_site() -> str:
    """What is done for the site: where nobody knows what changed, it is written."""
    files = changed()
    if files is None or any(file.startswith(PROGRAM_OF_THE_SITE) for file in files):
        return "docs"
    return "docs-read" if reads_anew(files) else ""


def reads_anew(files: set[str]) -> bool:
    """Whether the site would say something else than before these files changed."""
    return any(
        file.startswith("docs/")
        or file in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
        or (
            file.startswith("pac_stability/")
            and shown(file) != shown(file, git("show", f"HEAD~1:{file}"))
        )
        for file in files
    )


def shown(file: str, text: str | None = None) -> str | None:
    """What the reference shows of a file: all but what functions do; data as they are."""
    if text is None:
        text = (ROOT / file).read_text("utf-8") if (ROOT / file).exists() else ""
    if not file.endswith(".py"):
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [ast.Expr(ast.Constant(ast.get_docstring(node)))]
    return ast.dump(tree)


class Run:
    """Steps under way, as many as there are processors, and those that ended."""

    def __init__(self, todo: Sequence[Step], *, nightly: bool, at_once: int) -> None:
        self._todo = list(todo)
        self._nightly = nightly
        self._at_once = at_once
        self._running: dict[int, tuple[Step, float]] = {}
        self.ended: list[Ended] = []

    def all(self) -> None:
        """Run every step whose needs are met; the others are left out, and that is a failure."""
        while self._todo or self._running:
            passed = {each.step.name for each in self.ended if each.code == 0}
            ready = [step for step in self._todo if passed.issuperset(step.needs)]
            while ready and len(self._running) < self._at_once:
                step = ready.pop(0)
                self._todo.remove(step)
                self._start(step)
            if not self._running:
                for step in self._todo:
                    self.ended.append(Ended(step, -1, 0.0, 0.0))
                    print(f"=== {step.name}: not run, for {' and '.join(step.needs)} failed")
                return
            self._wait()

    def _start(self, step: Step) -> None:
        print(f"=== {step.name}: begins", flush=True)
        program = " && ".join(" ".join(map(_quoted, command)) for command in step.commands)
        # As where a job is started in the background: nothing may wait for an interrupt.
        program = f"trap '' INT; {program}"
        with (LOGS / f"{step.name}.log").open("wb") as log:
            process = subprocess.Popen(
                ["timeout", PATIENCE, "/bin/sh", "-exc", program],
                cwd=ROOT,
                env=environment(step, nightly=self._nightly),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._running[process.pid] = (step, time.monotonic())

    def _wait(self) -> None:
        pid, status, usage = os.wait4(-1, 0)
        if pid not in self._running:
            return
        step, began = self._running.pop(pid)
        end = Ended(
            step,
            os.waitstatus_to_exitcode(status),
            time.monotonic() - began,
            usage.ru_utime + usage.ru_stime,
        )
        self.ended.append(end)
        print(f"=== {step.name}: {end.word} after {end.seconds:.0f} s", flush=True)

    def stop(self) -> None:
        """End everything that is under way."""
        for pid in self._running:
            os.killpg(pid, signal.SIGTERM)


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def table(ended: Sequence[Ended], seconds: float) -> str:
    """What each step took, the longest first."""
    rows = [f"{'step':<12} {'':<12} {'wall':>8} {'processor':>10}"]
    rows += [
        f"{each.step.name:<12} {each.word:<12} {each.seconds:>6.0f} s {each.processor:>8.0f} s"
        for each in sorted(ended, key=lambda each: -each.seconds)
    ]
    processor = sum(each.processor for each in ended)
    rows.append(f"{'all':<12} {'':<12} {seconds:>6.0f} s {processor:>8.0f} s")
    return "\n".join(rows)


def main() -> int:
    """Run the steps; 1 when any of them failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nightly", action="store_true", help="the longer run")
    parser.add_argument("--only", action="append", help="only this step, and what it needs")
    arguments = parser.parse_args()
    todo = steps(nightly=arguments.nightly, site="docs" if arguments.only else of_the_site())
    if arguments.only:
        wanted = set(arguments.only)
        for step in reversed(todo):
            wanted.update(step.needs if step.name in wanted else ())
        todo = [step for step in todo if step.name in wanted]
    LOGS.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    run = Run(todo, nightly=arguments.nightly, at_once=max(2, os.cpu_count() or 1))
    try:
        run.all()
    finally:
        run.stop()
    failed = [each for each in run.ended if each.code]
    print(f"\n{table(run.ended, time.monotonic() - began)}\n")
    tests = ""
    if any(each.step.name == TESTS for each in run.ended):
        tests = (LOGS / f"{TESTS}.log").read_text(errors="replace").rstrip()
        print(tests)
    # Who sees only the end of all this sees what failed, and the closing line of the tests.
    for each in failed:
        if each.step.name != TESTS:
            log = LOGS / f"{each.step.name}.log"
            lines = log.read_text(errors="replace").splitlines() if log.exists() else []
            print(
                f"\n{each.step.name} failed: {log.relative_to(ROOT)}",
                *lines[-LAST_LINES:],
                sep="\n",
            )
    if failed and tests:
        print(tests.splitlines()[-1])
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
