"""Who notices a wrong place: tests and claims, asked in processes that fork.

A case names whom to ask: test files, folders of tests, claims.  One process collects these tests
and imports these claims, and asks nothing itself.  Its first child asks each once as things are,
with marks that say which of the wrong places it reaches and how long it takes; what is not as it
should be is asked no more.  Then each case has a child of its own, with the wrong code put in, in
which those that reach it are asked, the quickest first, until one notices.  Who noticed is
remembered in the session file, and asked alone the next time.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import pytest
from _pytest.runner import runtestprotocol

from tools.mutator import replacing
from tools.mutator.replacing import Functions, Gone, Put, Send, be_quiet, child, children, patience
from tools.mutator.source import ROOT, Change

SESSION = ROOT / "build" / "mutator" / "noticed.json"
EVERY_CLAIM = "verify"
_PATIENCE = 6.0  # seconds of processor that one may take beyond five times what it took
_IMPORTED = "(what is done while it is imported)"


@dataclass(frozen=True)
class Case:
    """A wrong place, whom to ask (files and folders of tests, claims), and whom first and alone."""

    change: Change
    ask: tuple[str, ...]
    first: str = ""


@dataclass(frozen=True)
class Judgement:
    """What was said of one case: who noticed, if anybody did, how, and in how many seconds."""

    case: Case
    by: str | None
    how: str
    seconds: float

    def __str__(self) -> str:
        word = "noticed " if self.by else "SURVIVED"
        return f"{word} ({self.by or self.how}, {self.seconds:.1f} s) {self.case.change}"


@dataclass(frozen=True)
class _Began:
    name: str


@dataclass(frozen=True)
class _Answer:
    name: str
    noticed: str
    seconds: float
    reached: frozenset[int]


_Message: TypeAlias = _Began | _Answer
_Ask: TypeAlias = Callable[[], str]  # how it noticed; empty if all is as it should be


def judge(cases: Sequence[Case], *, jobs: int = 1, budget: float = 60.0) -> Iterator[Judgement]:
    """Ask about cases, and yield the judgements as they are made.

    Parameters
    ----------
    cases
        What to judge.
    jobs
        How many processes at once.
    budget
        Seconds of processor for one case that nobody notices.
    """
    # Those with the same tests together, so that these are collected and tried once.
    ordered = sorted(cases, key=lambda one: (one.ask, one.change.file, one.change.start))
    size = -(-len(ordered) // jobs) or 1
    shares = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    for _, message in children([_Warm(share, budget).run for share in shares], jobs):
        if isinstance(message, Judgement):
            yield message
        elif message.status:
            raise SystemExit("the tests could not be collected, or the claims not asked")


def _judgement(case: Case, messages: Iterable[_Message | Gone]) -> Judgement:
    """Read what a child said of a case."""
    at, seconds, passed = _IMPORTED, 0.0, 0
    noticed: tuple[str, str] | None = None
    for message in messages:
        match message:
            case _Began(name):
                at = name
            case _Answer(name, how, used):
                seconds += used
                passed += not how
                at = ""
                if how and noticed is None:
                    noticed = name, how
            case Gone(status) if status and noticed is None:
                noticed = at or "(the end)", message.how
    if noticed is None:
        return Judgement(case, None, f"{passed} asked", seconds)
    return Judgement(case, *noticed, seconds)


# --- in a process that has everything imported ---------------------------------------------------


@dataclass
class _Warm:
    """A process that judges a share of the cases in children; with tests, a plugin of pytest."""

    cases: Sequence[Case]
    budget: float
    _send: Send[Judgement] = field(default=print)

    def run(self, send: Send[Judgement]) -> None:
        self._send = send
        files = _files(self.cases)
        if files:
            # What cannot be collected is not asked, and pytest says so.
            status = _session(["--continue-on-collection-errors", *files], self)
            if status > pytest.ExitCode.TESTS_FAILED:
                raise RuntimeError(f"pytest ends with {status!r}")
        else:
            self._judge({})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._judge({item.nodeid: _Test(item) for item in session.items})
        return True

    def _judge(self, questions: dict[str, _Ask]) -> None:
        questions |= _claims(self.cases)
        for case in self.cases:
            if case.change.file.endswith(".py"):
                _import(case.change.file)
        functions = Functions()
        replacing.forget()
        gc.freeze()  # thousands of children need not look through all that is imported
        ways = {one: _way(one, functions) for one in self.cases}
        left = list(self.cases)
        for known in (True, False):
            now = [one for one in left if one.first in questions or not known]
            asked = {one: [one.first] if known else _named(one.ask, questions) for one in now}
            # Where imports change, no mark can say who reaches it.
            marked = [one for one in now if ways[one] is not None]
            pairs = replacing.marks([one.change for one in marked], functions)
            usual = _as_things_are(asked.values(), questions, pairs)
            for one in now:
                names = [name for name in asked[one] if name in usual]
                if one in marked and not known:  # what a claim has prepared, it may keep
                    at = marked.index(one)
                    names = [x for x in names if at in usual[x].reached or x in one.ask]
                names.sort(key=lambda name: usual[name].seconds)
                way, limits = ways[one], {name: usual[name].seconds for name in names}
                work: Callable[[Send[_Message]], None] = _Anew(one, names, self.budget).run
                if way is not None:
                    work = _Asking(way, questions, names, limits, self.budget).run
                judgement = _judgement(one, child(work))
                if judgement.by or not known:  # else the others are asked, too
                    left.remove(one)
                    self._send(judgement)


def _way(case: Case, functions: Functions) -> Callable[[], None] | None:
    """Return what makes it wrong in a child; nothing where it is what happens on import."""
    pairs = functions.put(case.change)
    return None if pairs is None else functools.partial(replacing.put, pairs)


def _as_things_are(
    asked: Iterable[Sequence[str]], questions: Mapping[str, _Ask], marks: Put
) -> dict[str, _Answer]:
    """Ask everybody once as things are; leave out whoever notices something even so."""
    names = list(dict.fromkeys(name for some in asked for name in some))
    found: dict[str, _Answer] = {}
    while len(found) < len(names):
        rest = names[len(found) :]
        put = functools.partial(replacing.put, marks)
        for message in child(_Asking(put, questions, rest, {}, math.inf).run):
            if isinstance(message, _Answer):
                found[message.name] = message
            elif isinstance(message, Gone) and message.status:
                name = names[len(found)]
                found[name] = _Answer(name, message.how, 0.0, frozenset())
    for one in found.values():
        if one.noticed:
            print(f"not asked, for it notices something as things are: {one.name}", file=sys.stderr)
    return {name: one for name, one in found.items() if not one.noticed}


@dataclass(frozen=True)
class _Asking:
    """Questions in a child with something changed, until one notices or the budget is spent."""

    change: Callable[[], None]
    questions: Mapping[str, _Ask]
    names: Sequence[str]
    usual: Mapping[str, float]  # seconds; without it all are asked, however long that takes
    budget: float

    def run(self, send: Send[_Message]) -> None:
        self.change()
        be_quiet()
        left = self.budget
        for name in self.names:
            limit = _PATIENCE + 5 * self.usual[name] if self.usual else 600.0
            answer = _answered(name, self.questions[name], limit, send)
            left -= self.usual.get(name, 0.0)
            if self.usual and (answer.noticed or left < 0):
                break


def _answered(name: str, ask: _Ask, limit: float, send: Send[_Message]) -> _Answer:
    """Ask one under limits, and report it."""
    reached = replacing.reached()
    replacing.forget()
    reached.clear()
    send(_Began(name))
    patience(limit)
    begin = time.process_time()
    how = ask()
    seconds = time.process_time() - begin
    patience(0)
    answer = _Answer(name, how, seconds, frozenset(reached))
    send(answer)
    return answer


# --- whom to ask ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Test:
    item: pytest.Item

    def __call__(self) -> str:
        reports = runtestprotocol(self.item, nextitem=None, log=False)
        return "failed" if any(report.failed for report in reports) else ""


@dataclass(frozen=True)
class _Claim:
    key: str

    def __call__(self) -> str:
        from pac_stability import claims  # noqa: PLC0415  # imported in children only

        try:
            (found,) = claims.verify([claims.get(self.key)], claims.Budget.QUICK)
        except Exception as error:  # whatever a wrong place leads to
            return type(error).__name__
        return "" if found.as_expected else found.status.value


def is_claim(name: str) -> bool:
    """Say whether a name is the key of a claim, not a test."""
    return re.match(r"\w+:[\w.-]+\Z", name) is not None


def _claims(cases: Iterable[Case]) -> dict[str, _Ask]:
    """Import the claims that are asked; where some are, the trials of all."""
    names = {name for one in cases for name in (*one.ask, one.first)}
    names = {name for name in names if is_claim(name) or name == EVERY_CLAIM}
    if not names:
        return {}
    from pac_stability import claims  # noqa: PLC0415  # imported in children only

    for claim in claims.all():
        for _ in claim.trials:
            pass
    every = EVERY_CLAIM in names
    return {one.key: _Claim(one.key) for one in claims.all() if every or one.key in names}


def _files(cases: Iterable[Case]) -> list[str]:
    """Return the arguments of pytest for some cases: what there is of files and folders."""
    named = {name.partition("::")[0] for one in cases for name in (*one.ask, one.first)}
    return sorted(name for name in named if name and (ROOT / name).exists())


def _named(ask: Sequence[str], questions: Mapping[str, _Ask]) -> list[str]:
    """Return the questions of files, folders and claims."""
    tests = tuple(f"{name.rstrip('/')}{end}" for name in ask for end in ("/", "::"))
    every = EVERY_CLAIM in ask
    return [
        name
        for name in questions
        if name in ask or name.startswith(tests) or (every and is_claim(name))
    ]


def _import(file: str) -> None:
    name = ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")
    with contextlib.suppress(ImportError):  # of a library that is not installed
        importlib.import_module(name)


@dataclass
class _Anew:
    """A child that imports everything again, one file changed; with tests, a plugin of pytest."""

    case: Case
    names: Sequence[str]
    budget: float
    _send: Send[_Message] = field(default=print)

    def run(self, send: Send[_Message]) -> None:
        self._send = send
        replacing.load_changed(self.case.change)
        be_quiet()
        if not self._notices(_claims([self.case])):
            tests = sorted({name for name in self.names if not is_claim(name)})
            files = tests if len(tests) == 1 else _files([self.case])
            if files and _session(files, self):
                raise RuntimeError("the tests cannot be collected")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._notices({item.nodeid: _Test(item) for item in session.items})
        return True

    def _notices(self, questions: Mapping[str, _Ask]) -> bool:
        left = self.budget
        for name, ask in questions.items():
            answer = _answered(name, ask, _PATIENCE + self.budget, self._send)
            left -= answer.seconds
            if answer.noticed or left < 0:
                return True
        return False


def _session(tests: Sequence[str], plugin: object) -> int:
    os.environ["CI"] = "true"
    # Where pytest rewrites assertions, it compiles the library itself, and not our text.
    arguments = ["-q", "-s", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    return pytest.main(arguments, plugins=[plugin, _NoShrinking()])


class _NoShrinking:
    """A plugin of pytest: one failure is enough, and nobody reads the smallest example."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        # Importing it would import the library, because it looks for strategies there.
        from hypothesis import Phase, settings  # noqa: PLC0415  # see above

        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("judge", settings.get_profile("ci"), phases=phases)
        settings.load_profile("judge")


# --- what is remembered --------------------------------------------------------------------------


def remembered() -> dict[str, str]:
    """Return who noticed what, of the runs before."""
    if not SESSION.exists():
        return {}
    known: dict[str, str] = json.loads(SESSION.read_text(encoding="utf-8"))
    return known


def remember(noticed: Mapping[str, str]) -> None:
    """Keep who noticed what, beside what is known."""
    SESSION.parent.mkdir(parents=True, exist_ok=True)
    both = remembered() | dict(noticed)
    text = json.dumps(both, indent=0, sort_keys=True, ensure_ascii=False)
    SESSION.write_text(text + "\n", encoding="utf-8")
