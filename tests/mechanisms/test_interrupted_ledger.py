"""A ledger that is interrupted at any line, forked or carried elsewhere never says too little."""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.mechanisms import Ledger, ledger as module
from shared_interrupts import interrupted, moments

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="files are locked on POSIX systems only")
TENTH = Fraction(1, 10)


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a lock that an interrupt leaves be noticed at once."""
    monkeypatch.setattr("pac_stability.keeping.writing._PATIENCE", 0.0)
    monkeypatch.setattr("os.fsync", lambda _: None)  # nobody cuts the power


def a_shared_ledger(path: Path) -> Callable[[], Ledger]:
    """Return what makes one that has still to read three of the five tenths that others used."""
    other = Ledger(path, epsilon=1)
    other.reserve(TENTH, times=2)
    begun = path.read_bytes()
    for _ in range(3):
        other.reserve(TENTH, name="another", note="notebook")
    whole = path.read_bytes()

    def made() -> Ledger:
        path.write_bytes(begun)
        mine = Ledger(path, epsilon=1)
        path.write_bytes(whole)
        return mine

    return made


USES: list[Callable[[Ledger], object]] = [
    lambda ledger: ledger.reserve(TENTH, name="mine"),
    lambda ledger: ledger.left(TENTH),
    lambda ledger: ledger.report(),
]


@POSIX
@pytest.mark.parametrize("use", USES)
def test_no_interrupt_makes_a_ledger_forget(
    tmp_path: Path, use: Callable[[Ledger], object]
) -> None:
    path = tmp_path / "ledger"
    make = a_shared_ledger(path)
    for moment in moments(partial(use, make()), 500, seed=1):
        mine = make()
        interrupted(partial(use, mine), moment)
        written = sum(Ledger(path, epsilon=1).spent().values())
        assert 5 <= written <= 6
        assert sum(mine.spent().values()) == sum(each.times for each in mine.entries()) == written
        left = 10 - written
        mine.reserve(TENTH, times=left)
        with pytest.raises(BudgetExhausted):
            mine.reserve(TENTH)


def test_no_interrupt_makes_a_ledger_in_memory_forget() -> None:
    def used(ledger: Ledger) -> None:
        for _ in range(3):
            ledger.reserve(TENTH)
            given.append(1)

    given: list[int] = []
    for moment in moments(partial(used, Ledger(epsilon=1)), 500, seed=2):
        ledger = Ledger(epsilon=1)
        given.clear()
        interrupted(partial(used, ledger), moment)
        assert len(given) <= sum(ledger.spent().values()) <= len(given) + 1
        assert sum(ledger.spent().values()) == sum(each.times for each in ledger.entries())
        assert ledger.left(TENTH) == 10 - len(ledger.entries())


@POSIX
@pytest.mark.parametrize("in_memory", [True, False])
def test_a_handler_that_uses_the_ledger_in_the_middle_of_a_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_memory: bool
) -> None:
    ledger = Ledger(None if in_memory else tmp_path / "ledger", epsilon=1)
    taken = []
    fits = Ledger._fits

    def handled(self: Ledger, uses: object) -> bool:
        said = fits(self, uses)  # type: ignore[arg-type]  # as it came
        monkeypatch.setattr(Ledger, "_fits", fits)
        ledger.reserve(1)
        taken.append(1)
        return said

    monkeypatch.setattr(Ledger, "_fits", handled)
    with pytest.raises(InvalidInput, match="a use within a use"):
        ledger.reserve(1)
    assert (taken, ledger.left(1), sum(ledger.spent().values())) == ([1], 0, 1)


@POSIX
def test_an_alarm_while_lines_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = a_shared_ledger(tmp_path / "ledger")()
    parsed = module._parsed

    def rung(line: str) -> object:
        monkeypatch.setattr(module, "_parsed", parsed)
        signal.raise_signal(signal.SIGINT)
        return parsed(line)

    monkeypatch.setattr(module, "_parsed", rung)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    try:
        with pytest.raises(KeyboardInterrupt) as kept:  # it keeps all frames, as IPython does
            mine.reserve(TENTH)
    finally:
        signal.signal(signal.SIGINT, before)
    assert mine.left(TENTH) == Ledger(tmp_path / "ledger", epsilon=1).left(TENTH) == 5
    del kept


def in_a_fork(ask: Callable[[], object]) -> str:
    """Return what became of a question in a fork of this process."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            said = str(ask())
        except Exception as problem:  # told to the other process
            said = f"{type(problem).__name__}: {problem}"
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    with os.fdopen(read) as stream:
        return stream.read()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_fork_has_no_second_budget(tmp_path: Path) -> None:
    ledger = Ledger(epsilon=1)
    for ask in (lambda: ledger.reserve(1), lambda: ledger.left(1), ledger.report):
        assert "the memory of another process" in in_a_fork(ask)
    ledger.reserve(1)
    shared = Ledger(tmp_path / "ledger", epsilon=1)
    with shared._lock:  # as another thread might have it at the fork
        assert in_a_fork(lambda: shared.reserve(1)) == "None"
    assert shared.left(1) == 0


@POSIX
def test_a_relative_path_is_the_file_that_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    ledger = Ledger("budget", epsilon=1)
    carried = pickle.dumps(ledger)
    monkeypatch.chdir(tmp_path / "other")
    pickle.loads(carried).reserve("3/4")  # noqa: S301  # our own
    assert ledger.left("1/4") == 1
    assert [file.name for file in tmp_path.rglob("budget")] == ["budget"]
