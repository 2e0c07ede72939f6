"""Run tests in children of a process that has loaded all their libraries, but nothing of ours.

A fresh pytest takes two seconds to its first assertion, most of them to import NumPy, Hypothesis
and pytest itself.  A child by ``fork`` has them already.  It imports the library from the tree that
it is given, so it sees a wrong line of that tree, and so do the processes that its tests start.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# Hypothesis would load the library itself, as one of its plugins; in the children pytest's does.
os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"

# What the tests use, loaded once; whatever is missing here is only slower.
import flint  # noqa: F401
import hypothesis.extra.numpy
import hypothesis.stateful
import numpy.random  # noqa: F401
import pytest

del os.environ["HYPOTHESIS_NO_PLUGINS"]

# Whether a property fails is all that is asked.  A failure is found in a second, and made small in
# half a minute.  The profiles of the tests inherit this.
_FIRST = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
hypothesis.settings.register_profile("first failure", phases=_FIRST)
hypothesis.settings.load_profile("first failure")

PATIENCE = 300  # seconds: a mutated loop may never end
OPTIONS = [
    *("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=line"),
    # The libraries are loaded before pytest could rewrite the assertions of their plugins.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
]


@dataclass(frozen=True)
class Ended:
    """How the tests of a child ended."""

    outcome: str
    failed: str | None
    output: str
    processor: float  # seconds

    @property
    def passed(self) -> bool:
        """Whether nothing was noticed."""
        return self.outcome == "passed"

    @property
    def gone(self) -> list[str]:
        """The ends of names of tests that there are not."""
        return re.findall(r"^ERROR: not found: \S*?/(tests/\S+)$", self.output, re.MULTILINE)


class _FirstFailure:
    """Remember which test failed first."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write its name where the parent looks."""
        if report.failed and not self._file.exists():
            self._file.write_text(report.nodeid, encoding="utf-8")


@dataclass
class Child:
    """Tests that run beside this process."""

    pid: int
    tests: tuple[str, ...]
    log: Path
    patience: int

    @classmethod
    def start(
        cls,
        tree: Path,
        tests: Sequence[str],
        log: Path,
        environment: Mapping[str, str],
        patience: int = PATIENCE,
    ) -> Child:
        """Fork, and run the tests in ``tree``."""
        if "pac_stability" in sys.modules:
            raise RuntimeError("the library is loaded, so a child would not see a wrong line of it")
        sys.stdout.flush()
        sys.stderr.flush()
        log.unlink(missing_ok=True)
        log.with_suffix(".failed").unlink(missing_ok=True)
        pid = os.fork()
        if pid == 0:
            _run(tree, tests, log, environment, patience)
        return cls(pid, tuple(tests), log, patience)

    def ended(self, status: int, processor: float) -> Ended:
        """What the exit status of the child means."""
        code = os.waitstatus_to_exitcode(status)
        output = self.log.read_text(encoding="utf-8", errors="replace")
        first = self.log.with_suffix(".failed")
        failed = first.read_text(encoding="utf-8") if first.exists() else None
        if code in (0, 1):
            outcome = ("passed", "failed")[code]
        elif code == 2:  # pytest: interrupted while it collected
            outcome = "did not load"
        elif code in (-signal.SIGALRM, -signal.SIGXCPU, -signal.SIGKILL):
            outcome = f"did not end in {self.patience} s"
        elif code < 0:
            outcome = f"crashed with signal {-code}"
        else:  # usage, or nothing collected: that proves nothing
            outcome = f"pytest could not run {' '.join(self.tests)}"
        end = Ended(outcome, failed, output, processor)
        if code > 2 and not end.gone:
            raise SystemExit(f"{outcome}:\n{output}")
        return end


def _run(
    tree: Path, tests: Sequence[str], log: Path, environment: Mapping[str, str], patience: int
) -> None:
    """In the child: run the tests and leave, whatever happens."""
    code = 3
    with contextlib.suppress(BaseException):
        # A group of its own, so that what the tests leave behind goes with it.
        os.setpgid(0, 0)
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        for stream in (1, 2):
            os.dup2(out, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        signal.alarm(patience)
        resource.setrlimit(resource.RLIMIT_CPU, (patience, patience))
        os.environ.update(environment)
        # A tree of its own, read again and again: compiled once.
        sys.dont_write_bytecode = False
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPATH"] = str(tree)
        os.chdir(tree)
        sys.path.insert(0, str(tree))
        try:
            plugin = _FirstFailure(log.with_suffix(".failed"))
            code = int(pytest.main([*OPTIONS, *tests], plugins=[plugin]))
        except BaseException:  # it must not return into the parent's code
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def wait(children: Sequence[Child]) -> tuple[Child, Ended]:
    """The next child that ends; nothing of it is left running."""
    pid, status, used = os.wait4(-1, 0)
    (child,) = (each for each in children if each.pid == pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return child, child.ended(status, used.ru_utime + used.ru_stime)
