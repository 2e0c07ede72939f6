"""What a program keeps, put back as it was: an audit that refuses leaves the program unchanged.

Containers are changed in place, so that who else refers to them sees the same. What has no contents
that can be read, such as an iterator, stays where it is.
"""

from __future__ import annotations

import dis
import io
import os
import pickle
import random
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from multiprocessing.pool import Pool
from socket import socket
from stat import S_ISREG
from types import CellType, CodeType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import numpy as np

from pac_stability.randomness.watch import Owner, owner_of, place, state_of

_MOST = 100_000
_ABSENT = object()
_CONTAINERS = (dict, list, set, deque, bytearray)


class Snapshot:
    """What is kept by the functions and objects that a program is made of, at this moment.

    Parameters
    ----------
    parts
        These, each with the global names of its module.

    Attributes
    ----------
    live
        What is held that others draw or work through, in words: it was there before the audit.

    Examples
    --------
    >>> seen = [1, [2]]
    >>> def note(): seen.append(len(seen))
    >>> kept = Snapshot([(note, {"seen": seen})])
    >>> note(), seen[1].append(3), kept.restore(), seen
    (None, None, None, [1, [2]])
    """

    def __init__(self, parts: Iterator[tuple[object, dict[str, object]]]) -> None:
        self._undo: list[Callable[[], object]] = []
        self._seen: dict[int, object] = {}
        self.live: dict[str, None] = {}
        self._generators: list[tuple[Any, bytes]] = []
        waiting: list[object] = []
        for value, names in parts:
            waiting.append(value)
            if isinstance(value, FunctionType):
                for name in _names_in(value):
                    before = names.get(name, _ABSENT)
                    self._undo.append(_setter(names, name, before))
                    waiting.append(before)
        for value in waiting:  # it grows meanwhile
            if id(value) not in self._seen and len(self._seen) < _MOST:
                self._seen[id(value)] = value
                waiting.extend(self._look_into(value))

    def moved(self) -> bool:
        """Return whether a generator is no longer where it was."""
        return any(_digits(one) != state for one, state in self._generators)

    def restore(self) -> None:
        """Put everything back."""
        for undo in self._undo:
            with suppress(Exception):  # what refuses to be changed has not changed
                undo()

    def _look_into(self, value: Any) -> list[object]:
        undo, inside = self._undo.append, list[object]()
        if what := _alive(value):
            self.live[what] = None
            return inside
        if isinstance(value, MethodType):
            return [value.__self__, value.__func__]
        if isinstance(value, CellType):
            with suppress(ValueError):
                before = value.cell_contents
                undo(lambda: setattr(value, "cell_contents", before))
                inside.append(before)
            return inside
        if isinstance(value, FunctionType):
            if owner_of(value.__code__.co_filename) is not Owner.OURS:
                inside += [value.__defaults__, value.__kwdefaults__, vars(value)]
            return [*inside, *(value.__closure__ or ())]
        if isinstance(value, ModuleType):
            return inside
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, random.Random) and not isinstance(value, random.SystemRandom):
            state = value.getstate()
            self._generators.append((value, _digits(value)))
            undo(lambda: value.setstate(state))
        elif isinstance(value, np.random.Generator):
            numbers = value.bit_generator.state
            self._generators.append((value, _digits(value)))
            undo(lambda: setattr(value.bit_generator, "state", numbers))
        elif isinstance(value, np.random.RandomState):
            legacy = value.get_state()
            self._generators.append((value, _digits(value)))
            undo(lambda: value.set_state(legacy))
        elif isinstance(value, np.ndarray):
            if value.size <= _MOST:
                cells = value.copy()
                undo(lambda: np.copyto(value, cells))
        elif isinstance(value, _CONTAINERS):
            undo(_refill(value))
            inside += [] if isinstance(value, bytearray) else list(value)
            inside += list(value.values()) if isinstance(value, dict) else []
        elif isinstance(value, ContextVar):
            with suppress(LookupError):
                inside.append(value.get())
        elif isinstance(value, GeneratorType):
            inside += list(value.gi_frame.f_locals.values()) if value.gi_frame else []
        elif isinstance(value, tuple | frozenset):
            inside += list(value)
        slots = [n for kind in type(value).__mro__ for n in _slots(kind)]
        for name in slots:
            with suppress(Exception):
                before = getattr(value, name, _ABSENT)
                if before is not _ABSENT:
                    undo(partial(setattr, value, name, before))
                    inside.append(before)
        with suppress(Exception):
            inside.append(vars(value))
        inside.append(type(value))
        return inside

    def _class(self, kind: type) -> list[object]:
        module = sys.modules.get(kind.__module__)
        file = getattr(module, "__file__", None)
        if kind.__module__ == "builtins" or (
            isinstance(file, str) and owner_of(file) is not Owner.USER
        ):
            return []
        kept = {name: value for name, value in vars(kind).items() if not name.startswith("__")}
        for name, value in kept.items():
            self._undo.append(partial(setattr, kind, name, value))
        return [*kept.values(), *kind.__bases__]


def _digits(generator: Any) -> bytes:
    if isinstance(generator, np.random.Generator):
        generator = generator.bit_generator
        return pickle.dumps(generator.state)
    return pickle.dumps(state_of(generator))


def _alive(value: object) -> str:
    """Return what works or brings news outside of the program's own thread; nothing of all else."""
    if isinstance(value, Executor | Pool):
        return f"a {type(value).__name__}, which works elsewhere"
    if isinstance(value, threading.Thread):
        return "a thread"
    if isinstance(value, socket):
        return "a connection"
    if isinstance(value, io.IOBase):
        with suppress(OSError, ValueError):
            number = value.fileno()
            if number > 2 and value.readable() and not S_ISREG(os.fstat(number).st_mode):
                return f"the open device {getattr(value, 'name', number)}"
    return ""


_DATES = {"datetime64", "Timestamp", "to_datetime", "DatetimeIndex", "Period"}
_NOW = {"now", "today", "utcnow"}
_TIMES = {f"st_{when}time{unit}" for when in "amc" for unit in ("", "_ns")}
_TIMES |= {f"get{when}time" for when in "amc"}


def tells_time(function: FunctionType) -> str:
    """Return where a function asks for a time before which no gate can stand; nothing if nowhere.

    These are the clocks of NumPy and pandas, which are compiled, and the times of files.
    """
    for code in _codes_of(function):
        names, texts = set(code.co_names), {x for x in code.co_consts if isinstance(x, str)}
        if names & _DATES and (names | texts) & _NOW:
            return f"NumPy's or pandas' clock at {_line(code, _DATES)}"
        if names & _NOW and {"datetime", "_datetime"} & _imported_in(code):
            return f"datetime's clock at {_line(code, _NOW)}"
        if names & _TIMES:
            return f"the time of a file at {_line(code, _TIMES)}"
    return ""


def _imported_in(code: CodeType) -> set[object]:
    return {s.argval for s in dis.get_instructions(code) if s.opname == "IMPORT_NAME"}


def _line(code: CodeType, names: set[str]) -> str:
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = step.starts_line or line
        if step.argval in names:
            break
    return place(code.co_filename, line)


def _codes_of(function: FunctionType) -> Iterator[CodeType]:
    waiting = [function.__code__]
    for code in waiting:  # it grows meanwhile
        yield code
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]


def _names_in(function: FunctionType) -> Iterator[str]:
    for code in _codes_of(function):
        yield from code.co_names


def _setter(names: dict[str, object], name: str, before: object) -> Callable[[], object]:
    def put_back() -> None:
        if names.get(name, _ABSENT) is not before:
            if before is _ABSENT:
                names.pop(name, None)
            else:
                names[name] = before

    return put_back


def _refill(value: Any) -> Callable[[], object]:
    before = value.copy()

    def refill() -> None:
        if isinstance(value, list | bytearray):
            value[:] = before
            return
        value.clear()
        (value.update if isinstance(value, dict | set) else value.extend)(before)

    return refill


def _slots(kind: type) -> tuple[str, ...]:
    named = vars(kind).get("__slots__", ())
    return (named,) if isinstance(named, str) else tuple(named)
