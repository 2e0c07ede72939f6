"""Wrong code in the place of what is imported or will be, in processes that fork.

A process imports everything and never runs it; its children do, each with one wrong place in it.
What happens while a module is imported cannot be replaced so: a child that has imported nothing of
the library compiles the wrong text instead of the file.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import gc
import os
import pickle
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeAlias, TypeVar

from tools.mutator.source import ROOT, Change, read

M = TypeVar("M")  # what a child sends
Send: TypeAlias = Callable[[M], None]
Put: TypeAlias = Sequence[tuple[FunctionType, CodeType]]

HIT = "_reached_by_what_is_asked"
"""The name among the builtins under which marks are gathered."""

_MEMORY = 8 << 30  # bytes: a wrong loop may fill the memory
_OPTIMIZED = 0x0001  # the flag of code that belongs to a function, not to a module or a class
# Code that is a function of its own, but runs where it stands, with the module around it.
_AT_ONCE = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_CACHED = type(functools.lru_cache(lambda: None))


@dataclass(frozen=True)
class Gone:
    """The last message of a child: its exit code, or minus the signal that ended it."""

    status: int

    @property
    def how(self) -> str:
        """How it ended, in words."""
        slow = -self.status in {signal.SIGPROF, signal.SIGALRM}
        return "did not end" if slow else f"ended with status {self.status}"


def children(
    works: Sequence[Callable[[Send[M]], None]], jobs: int = 1
) -> Iterator[tuple[int, M | Gone]]:
    """Run works in forked processes, some beside one another; yield what each of them sends.

    The last message of each is how it ended.
    """
    waiting = list(enumerate(works))
    running: dict[Connection, tuple[int, int]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            number, work = waiting.pop(0)
            connection, pid = _forked(work)
            running[connection] = (number, pid)
        ready = wait(list(running))
        for connection in [one for one in running if one in ready]:
            number, pid = running[connection]
            try:
                yield number, connection.recv()
            except (EOFError, ConnectionError, pickle.UnpicklingError):
                connection.close()
                del running[connection]
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with contextlib.suppress(ProcessLookupError):  # nothing of it is left running
                    os.killpg(pid, signal.SIGKILL)
                yield number, Gone(status)


def child(work: Callable[[Send[M]], None]) -> Iterator[M | Gone]:
    """Run work in a forked process; yield what it sends, and last how it ended."""
    return (message for _, message in children([work]))


def _forked(work: Callable[[Send[M]], None]) -> tuple[Connection, int]:
    ours, theirs = Pipe(duplex=False)
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.setpgid(0, 0)
            ours.close()
            work(theirs.send)
            status = 0
        except BaseException:  # it must not go on as if it were its parent
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            os._exit(status)
    theirs.close()
    return ours, pid


def be_quiet() -> None:
    """In a child: read and print nothing, and take no more memory than is decent."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def patience(seconds: float) -> None:
    """End this process when it has used so much processor, or ten times as much time; 0: never."""
    # What these signals do by default ends the process, whatever it is doing.
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


@functools.cache
def _caches() -> list[functools._lru_cache_wrapper[object]]:
    """Return the caches of the library: of what is imported when they are asked for first."""
    of_library = [one for one in gc.get_objects() if isinstance(one, _CACHED)]
    return [one for one in of_library if one.__module__.startswith("pac_stability")]


def forget() -> None:
    """Empty the caches of the library: what another question left there would not be reached."""
    for one in _caches():
        one.cache_clear()


# --- code ----------------------------------------------------------------------------------------


class Functions:
    """The functions that are alive, by where their code stands.

    Made when everything is imported; what is imported later is not among them.
    """

    def __init__(self) -> None:
        self._live: dict[tuple[str, int, str], list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                self._live.setdefault(_place(one.__code__), []).append(one)

    def put(self, change: Change) -> Put | None:
        """Return which functions need which code for a change; nothing if it changes imports."""
        return self.of(change.file, read(change.file).with_change(change))

    def of(self, file: str, changed: str | ast.Module) -> Put | None:
        """Return which functions need which code for a changed text, or tree."""
        was, becomes = _compiled(file, read(file).text), _compiled(file, changed)
        if _skeleton(was) != _skeleton(becomes):
            return None
        old = list(_codes(was))
        twice = [place for place, count in Counter(map(_place, old)).items() if count > 1]
        by_place = {_place(code): code for code in old}
        pairs: list[tuple[FunctionType, CodeType]] = []
        for code in _codes(becomes):
            place = _place(code)
            if place not in by_place or code == by_place[place]:
                continue
            functions = self._live.get(place, [])
            if functions and (place in twice or code.co_freevars != by_place[place].co_freevars):
                return None
            pairs += [(function, code) for function in functions]
        return pairs or None


def put(pairs: Put) -> None:
    """Give functions their wrong code."""
    for function, code in pairs:
        function.__code__ = code


def _compiled(file: str, text: str | ast.Module) -> CodeType:
    return compile(text, str(ROOT / file), "exec")


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


def load_changed(change: Change) -> None:
    """Have all of the project imported again, and a changed text in the place of its file."""
    changed = ROOT / change.file
    code = _compiled(change.file, read(change.file).with_change(change))
    usual = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return code if Path(self.get_filename(fullname)) == changed else usual(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]  # here only
    ours = (str(ROOT / "pac_stability"), str(ROOT / "tests"))
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(ours):
            del sys.modules[name]


def marks(changes: Sequence[Change], functions: Functions) -> Put:
    """Return the code that says which changes it reaches, by their numbers in the sequence."""
    by_file: dict[str, list[tuple[int, int]]] = {}
    for number, change in enumerate(changes):
        line = read(change.file).number(change.start)
        by_file.setdefault(change.file, []).append((number, line))
    pairs: list[tuple[FunctionType, CodeType]] = []
    for file, numbered in by_file.items():
        pairs += functions.of(file, _marked(read(file).text, numbered)) or []
    return pairs


def _marked(text: str, numbered: Sequence[tuple[int, int]]) -> ast.Module:
    """Return the tree of a file with a mark before each statement that a change is in."""
    tree = ast.parse(text)
    found: list[tuple[list[ast.stmt], ast.stmt, int]] = []
    for number, line in numbered:
        around = [
            (block, statement)
            for node in ast.walk(tree)
            for field in ("body", "orelse", "finalbody")
            if isinstance(block := getattr(node, field, None), list)
            for statement in block
            if statement.lineno <= line <= statement.end_lineno
        ]
        # The innermost one is the shortest; of two on one line it comes later in the walk.
        block, statement = min(reversed(around), key=lambda one: one[1].end_lineno - one[1].lineno)
        found.append((block, statement, number))
    for block, statement, number in found:
        mark = ast.parse(f"{HIT}.add({number})").body[0]
        for node in ast.walk(mark):
            ast.copy_location(node, statement)
        block.insert(block.index(statement), mark)
    return tree


def reached() -> set[int]:
    """Return the set in which marks are gathered, made where there is none."""
    if not hasattr(builtins, HIT):
        setattr(builtins, HIT, set())
    marked: set[int] = getattr(builtins, HIT)
    return marked
