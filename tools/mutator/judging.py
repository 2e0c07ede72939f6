"""Which tests notice a changed line: asked in processes that fork when everything is imported.

One process collects the tests and never runs one; its children do.  The first child runs every
test once, and reports which of the changed statements it reaches and how long it takes.  Then each
change has a child of its own, which puts the changed code into the functions that are already
there and runs the tests that reach it, the quickest first, until one fails.

A change of what happens while a module is imported cannot be judged so.  It has a child of a
process that has imported nothing of the library yet, and that compiles the changed text instead of
the file.  This is slower, and the reference: ``fresh=True`` judges every change so.
"""

from __future__ import annotations

import builtins
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, MappingProxyType
from typing import TypeAlias

import pytest
from _pytest.runner import runtestprotocol

from tools.mutator.changes import Change, Source
from tools.mutator.children import Gone, be_quiet, child, patience
from tools.mutator.replacing import HIT, Functions, caches, changes_imports, load_changed, marked

_PATIENCE = 6.0  # seconds of processor that a test may take beyond five times what it took


@dataclass(frozen=True)
class Judgement:
    """What the tests said of one change.

    Attributes
    ----------
    change
        The change.
    test
        The test that noticed; ``None`` when none did.
    how
        How it noticed, or what a survivor survived.
    seconds
        Of processor, in all tests that were run.
    """

    change: Change
    test: str | None
    how: str
    seconds: float


def judge(
    changes: Sequence[Change],
    tests: Sequence[str],
    *,
    first: Mapping[Change, str] = MappingProxyType({}),
    budget: float = 60.0,
    fresh: bool = False,
) -> Iterator[Judgement]:
    """Ask tests about changes, and yield the judgements as they are made.

    Parameters
    ----------
    changes
        What to judge.
    tests
        Arguments of pytest: folders, files, or names of tests.
    first
        For a change a test that is asked before all others, and alone where imports change.
    budget
        Seconds of processor for the tests of one change, when none of them notices.
    fresh
        Import everything anew for each change.
    """
    judged: set[Change] = set()
    live = [] if fresh else [change for change in changes if not changes_imports(change)]
    if live:
        warm = _Warm(live, tests, first, budget)
        for message in child(warm.run):
            match message:
                case Judgement(change):
                    judged.add(change)
                    yield message
                case Gone(status) if status:
                    raise SystemExit("the tests could not be collected, or fail as things are")
    for change in changes:
        if change not in judged:
            asked = [first[change]] if change in first else tests
            yield _verdict(change, child(_Fresh(change, asked, budget).run))


# --- children ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Started:
    test: str


@dataclass(frozen=True)
class _Ended:
    test: str
    failed: bool
    seconds: float
    reached: frozenset[int]


_Message: TypeAlias = _Started | _Ended | Judgement
_Send: TypeAlias = Callable[[_Message], None]


def _run_one(item: pytest.Item, limit: float, send: _Send) -> _Ended:
    """Run one test under limits, and report it."""
    reached: set[int] = getattr(builtins, HIT, set())
    reached.clear()
    # What an earlier test has left in a cache would not be reached by this one.
    for forget in caches():
        forget()
    send(_Started(item.nodeid))
    patience(limit)
    begin = time.process_time()
    failed = any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))
    seconds = time.process_time() - begin
    patience(0)
    ended = _Ended(item.nodeid, failed, seconds, frozenset(reached))
    send(ended)
    return ended


def _verdict(change: Change, messages: Iterable[_Message | Gone]) -> Judgement:
    """Read what a child said of a change."""
    at: str | None = None
    seconds, passed = 0.0, 0
    noticed: Judgement | None = None
    for message in messages:
        match message:
            case _Started(test):
                at = test
            case _Ended(test, failed, used):
                seconds, passed = seconds + used, passed + 1
                at = None
                if failed and noticed is None:
                    noticed = Judgement(change, test, "failed", seconds)
            case Gone(status) if status and noticed is None:
                noticed = Judgement(change, at or "(collection)", message.how, seconds)
    return noticed or Judgement(change, None, f"{passed} tests passed", seconds)


# --- a session whose tests run in children ------------------------------------------------------


class _Warm:
    """A plugin of pytest that judges changes where other sessions run the tests."""

    def __init__(
        self,
        changes: Sequence[Change],
        tests: Sequence[str],
        first: Mapping[Change, str],
        budget: float,
    ) -> None:
        self._changes = changes
        self._tests = tests
        self._first = first
        self._budget = budget
        self._send: _Send = lambda _: None

    def run(self, send: _Send) -> None:
        self._send = send
        _session(self._tests, self)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return True
        functions = Functions()
        seconds, reaching = self._baseline(session, functions)
        items = {item.nodeid: item for item in session.items}
        for change, reach in zip(self._changes, reaching, strict=True):
            source = Source(change.file)
            put = functions.put(change.file, source.text, source.with_change(change))
            if put is None:
                continue
            names = sorted(reach, key=lambda name: (seconds[name], name))
            known = self._first.get(change)
            if known is not None:
                names = [known, *(name for name in names if name != known)]
            asked = [(items[name], seconds[name]) for name in names]
            self._send(_verdict(change, child(_Asking(put, asked, self._budget).run)))
        return True

    def _baseline(
        self, session: pytest.Session, functions: Functions
    ) -> tuple[dict[str, float], list[set[str]]]:
        """Run every test once as things are: its seconds, and for each change who reaches it."""
        seconds: dict[str, float] = {}
        reaching: list[set[str]] = [set() for _ in self._changes]
        for message in child(_Unchanged(self._changes, functions, session).run):
            match message:
                case _Ended(test, failed, used, reached):
                    if failed:
                        raise RuntimeError(f"{test} fails as things are")
                    seconds[test] = used
                    for number in reached:
                        reaching[number].add(test)
                case Gone(status) if status:
                    raise RuntimeError(f"the tests as they are end with status {status}")
        return seconds, reaching


@dataclass(frozen=True)
class _Unchanged:
    """All tests of a session, with marks where the changes will be."""

    changes: Sequence[Change]
    functions: Functions
    session: pytest.Session

    def run(self, send: _Send) -> None:
        setattr(builtins, HIT, set())
        by_file: dict[str, list[tuple[int, Change]]] = {}
        for number, change in enumerate(self.changes):
            by_file.setdefault(change.file, []).append((number, change))
        for file, numbered in by_file.items():
            text = Source(file).text
            for function, code in self.functions.put(file, text, marked(text, numbered)) or []:
                function.__code__ = code
        be_quiet()
        for item in self.session.items:
            _run_one(item, 600, send)


@dataclass(frozen=True)
class _Asking:
    """Some tests of a session, with a change put in."""

    put: Sequence[tuple[FunctionType, CodeType]]
    asked: Sequence[tuple[pytest.Item, float]]
    budget: float

    def run(self, send: _Send) -> None:
        for function, code in self.put:
            function.__code__ = code
        be_quiet()
        left = self.budget
        for item, usual in self.asked:
            left -= usual
            if _run_one(item, _PATIENCE + 5 * usual, send).failed or left < 0:
                break


@dataclass
class _Fresh:
    """A plugin of pytest for a process that imports a changed file, and runs tests in order."""

    change: Change
    tests: Sequence[str]
    budget: float

    def run(self, send: _Send) -> None:
        if "pac_stability" in sys.modules:
            raise RuntimeError("the library is imported already")
        load_changed(self.change)
        self._send = send
        be_quiet()
        _session(self.tests, self)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        left = self.budget
        for item in session.items:
            ended = _run_one(item, _PATIENCE + self.budget, self._send)
            left -= ended.seconds
            if ended.failed or left < 0:
                break
        return True


def _session(tests: Sequence[str], plugin: object) -> None:
    os.environ["CI"] = "true"
    # Where pytest rewrites assertions, it compiles the library itself, and not our text.
    arguments = ["-q", "-s", "--assert=plain", "-p", "no:cacheprovider", *tests]
    status = pytest.main(arguments, plugins=[plugin, _NoShrinking()])
    if status:
        raise RuntimeError(f"pytest ends with {status!r}")


class _NoShrinking:
    """A plugin of pytest: one failure is enough, and nobody reads the smallest example."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        # Importing it would import the library, because it looks for strategies there.
        from hypothesis import Phase, settings  # noqa: PLC0415  # see above

        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("judge", settings.get_profile("ci"), phases=phases)
        settings.load_profile("judge")
