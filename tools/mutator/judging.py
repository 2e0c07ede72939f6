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

import ast
import builtins
import functools
import gc
import os
import pickle
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType
from typing import TypeAlias

import pytest
from _pytest.runner import runtestprotocol

from tools.mutator.changes import ROOT, Change, Source

_PATIENCE = 6.0  # seconds of processor that a test may take beyond five times what it took
_MEMORY = 8 << 30  # bytes: a changed loop may fill the memory
_OPTIMIZED = 0x0001  # the flag of code that belongs to a function, not to a module or a class
# Code that is a function of its own, but runs where it stands, with the module around it.
_AT_ONCE = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_HIT = "_tests_reach_this_statement"
_CACHED = type(functools.lru_cache(lambda: None))


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
    live = [] if fresh else [change for change in changes if not _changes_imports(change)]
    if live:
        warm = _Warm(live, tests, first, budget)
        for message in _child(warm.run):
            match message:
                case Judgement(change):
                    judged.add(change)
                    yield message
                case _Gone(status) if status:
                    raise SystemExit("the tests could not be collected, or fail as things are")
    for change in changes:
        if change not in judged:
            asked = [first[change]] if change in first else tests
            yield _verdict(change, _child(_Fresh(change, asked, budget).run))


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


@dataclass(frozen=True)
class _Gone:
    status: int


_Message: TypeAlias = _Started | _Ended | Judgement | _Gone
_Send: TypeAlias = Callable[[_Message], None]


def _child(work: Callable[[_Send], None]) -> Iterator[_Message]:
    """Run work in a forked process; yield what it sends, and last how it ended."""
    ours, theirs = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(ours)
            with os.fdopen(theirs, "wb") as pipe:

                def send(message: _Message) -> None:
                    pickle.dump(message, pipe)
                    pipe.flush()

                work(send)
            status = 0
        except BaseException:  # it must not go on as if it were its parent
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)
    os.close(theirs)
    with os.fdopen(ours, "rb") as answers:
        while True:
            try:
                yield pickle.load(answers)  # noqa: S301  # our own child wrote it
            except (EOFError, pickle.UnpicklingError):
                break
    yield _Gone(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _be_quiet() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _run_one(item: pytest.Item, patience: float, send: _Send) -> _Ended:
    """Run one test under limits, and report it."""
    reached: set[int] = getattr(builtins, _HIT, set())
    reached.clear()
    # What an earlier test has left in a cache would not be reached by this one.
    for one in gc.get_objects():
        if isinstance(one, _CACHED) and one.__module__.startswith("pac_stability"):
            one.cache_clear()
    send(_Started(item.nodeid))
    # What these signals do by default ends the process, whatever the test is doing.
    signal.setitimer(signal.ITIMER_PROF, patience)
    signal.setitimer(signal.ITIMER_REAL, 10 * patience)
    begin = time.process_time()
    failed = any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))
    seconds = time.process_time() - begin
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    ended = _Ended(item.nodeid, failed, seconds, frozenset(reached))
    send(ended)
    return ended


def _verdict(change: Change, messages: Iterable[_Message]) -> Judgement:
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
            case _Gone(status) if status and noticed is None:
                slow = -status in {signal.SIGPROF, signal.SIGALRM}
                how = "did not end" if slow else f"ended with status {status}"
                noticed = Judgement(change, at or "(collection)", how, seconds)
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
        functions = _Functions()
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
            self._send(_verdict(change, _child(_Asking(put, asked, self._budget).run)))
        return True

    def _baseline(
        self, session: pytest.Session, functions: _Functions
    ) -> tuple[dict[str, float], list[set[str]]]:
        """Run every test once as things are: its seconds, and for each change who reaches it."""
        seconds: dict[str, float] = {}
        reaching: list[set[str]] = [set() for _ in self._changes]
        for message in _child(_Unchanged(self._changes, functions, session).run):
            match message:
                case _Ended(test, failed, used, reached):
                    if failed:
                        raise RuntimeError(f"{test} fails as things are")
                    seconds[test] = used
                    for number in reached:
                        reaching[number].add(test)
                case _Gone(status) if status:
                    raise RuntimeError(f"the tests as they are end with status {status}")
        return seconds, reaching


@dataclass(frozen=True)
class _Unchanged:
    """All tests of a session, with marks where the changes will be."""

    changes: Sequence[Change]
    functions: _Functions
    session: pytest.Session

    def run(self, send: _Send) -> None:
        setattr(builtins, _HIT, set())
        by_file: dict[str, list[tuple[int, Change]]] = {}
        for number, change in enumerate(self.changes):
            by_file.setdefault(change.file, []).append((number, change))
        for file, numbered in by_file.items():
            text = Source(file).text
            for function, code in self.functions.put(file, text, _marked(text, numbered)) or []:
                function.__code__ = code
        _be_quiet()
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
        _be_quiet()
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
        _load_changed(self.change)
        self._send = send
        _be_quiet()
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


# --- code ---------------------------------------------------------------------------------------


class _Functions:
    """The functions that are alive, by where their code stands."""

    def __init__(self) -> None:
        self._live: dict[tuple[str, int, str], list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                self._live.setdefault(_place(one.__code__), []).append(one)

    def put(
        self, file: str, text: str, changed: str | ast.Module
    ) -> list[tuple[FunctionType, CodeType]] | None:
        """Return which functions need which code for a changed text; ``None`` if that fails."""
        name = str(ROOT / file)
        was, becomes = compile(text, name, "exec"), compile(changed, name, "exec")
        if _skeleton(was) != _skeleton(becomes):
            return None
        old, new = list(_codes(was)), list(_codes(becomes))
        twice = [place for place, count in Counter(map(_place, old)).items() if count > 1]
        by_place = {_place(code): code for code in old}
        pairs: list[tuple[FunctionType, CodeType]] = []
        for code in new:
            place = _place(code)
            if place not in by_place or code == by_place[place]:
                continue
            functions = self._live.get(place, [])
            if functions and (place in twice or code.co_freevars != by_place[place].co_freevars):
                return None
            pairs += [(function, code) for function in functions]
        return pairs or None


def _place(code: CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _skeleton(code: CodeType) -> tuple[object, ...]:
    """Return what is done while a module is imported, but for what its functions do."""
    parts: list[object] = [code.co_code, code.co_names]
    for constant in code.co_consts:
        if not isinstance(constant, CodeType):
            parts.append(repr(constant))
        elif constant.co_flags & _OPTIMIZED and constant.co_name not in _AT_ONCE:
            parts.append(_place(constant))
        else:
            parts.append(_skeleton(constant))
    return tuple(parts)


def _changes_imports(change: Change) -> bool:
    source = Source(change.file)
    was, becomes = (
        compile(text, change.file, "exec") for text in (source.text, source.with_change(change))
    )
    return _skeleton(was) != _skeleton(becomes)


def _load_changed(change: Change) -> None:
    """Have the changed text compiled where the file would be, whoever finds the module."""
    changed = ROOT / change.file
    code = compile(Source(change.file).with_change(change), str(changed), "exec")
    usual = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return code if Path(self.get_filename(fullname)) == changed else usual(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]  # here only


def _marked(text: str, numbered: Sequence[tuple[int, Change]]) -> ast.Module:
    """Return the tree of a file with a mark before each statement that a change is in."""
    tree = ast.parse(text)
    marks: list[tuple[list[ast.stmt], ast.stmt, int]] = []
    for number, change in numbered:
        around = [
            (block, statement)
            for node in ast.walk(tree)
            for field in ("body", "orelse", "finalbody")
            if isinstance(block := getattr(node, field, None), list)
            for statement in block
            if statement.lineno <= change.number <= statement.end_lineno
        ]
        # The innermost one is the shortest; of two on one line it comes later in the walk.
        block, statement = min(reversed(around), key=lambda one: one[1].end_lineno - one[1].lineno)
        marks.append((block, statement, number))
    for block, statement, number in marks:
        mark = ast.parse(f"{_HIT}.add({number})").body[0]
        for node in ast.walk(mark):
            ast.copy_location(node, statement)
        block.insert(block.index(statement), mark)
    return tree
