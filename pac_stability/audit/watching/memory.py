"""The state of a program: read as it is now, and restored to what it was.

A :class:`StateReader` reads what a fingerprint omits because a file could not keep it: what objects
hide from :mod:`pickle`, caches, suspended generators, attributes set on other people's modules and
classes, and settings of the interpreter (:data:`SETTINGS`).

An audit that refuses leaves the program unchanged (:class:`Snapshot`). It changes containers in
place, so all references to them stay valid. An object without readable contents, such as an
iterator, stays where it is.
"""

from __future__ import annotations

import builtins
import copy
import decimal
import dis
import functools
import gc
import io
import logging
import marshal
import os
import random
import re
import signal
import sys
import threading
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from multiprocessing.pool import Pool
from operator import is_
from socket import socket
from stat import S_ISREG
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CellType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from pac_stability.data import Example, Sample
from pac_stability.keeping.fingerprint import (
    Reader,
    codes_in,
    combined,
    names_imported,
    once_for_each,
)
from pac_stability.randomness.exact_generator import ExactGenerator
from pac_stability.randomness.watch import Owner, Watch, owner_of, place, set_state_of, state_of

_MOST = 100_000
_ABSENT = object()
_CONTAINERS = (dict, list, set, deque, bytearray)
_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_ATOMS = frozenset(_PLAIN)
_FEW = 1 << 12

# What is kept, as it is now

SETTINGS = {
    "the recursion limit": ("sys", "getrecursionlimit", "setrecursionlimit"),
    "the most digits of an integer": ("sys", "get_int_max_str_digits", "set_int_max_str_digits"),
    "how often threads change": ("sys", "getswitchinterval", "setswitchinterval"),
    "when garbage is collected": ("gc", "get_threshold", "set_threshold"),
    "the size of a thread's stack": ("threading", "stack_size", "stack_size"),
    "the working directory": ("os", "getcwd", "chdir"),
    "the context of decimal": ("decimal", "getcontext", "setcontext"),
    "what NumPy does on errors": ("numpy", "geterr", "seterr"),
    "how NumPy prints": ("numpy", "get_printoptions", "set_printoptions"),
    "the longest field of csv": ("csv", "field_size_limit", "field_size_limit"),
    "how long sockets wait": ("socket", "getdefaulttimeout", "setdefaulttimeout"),
    "the locale": ("locale", "localeconv", ""),
    "the search path": ("sys", "path", ""),
    "the filters of warnings": ("warnings", "filters", ""),
    "the options of pandas": ("pandas._config.config", "_global_config", ""),
}
"""What the interpreter is set to: a module, who tells it, who sets it (a container: none)."""


def settings() -> Iterator[tuple[str, Any]]:
    """Yield the settings of the interpreter and of loaded modules, with their names."""
    for name, (module, getter, _) in SETTINGS.items():
        with suppress(Exception):  # another version has no such thing
            told = getattr(sys.modules[module], getter)
            yield name, copy.copy(told()) if callable(told) else told


def _set(name: str, value: Any) -> None:
    module, _, setter = SETTINGS[name]
    if setter:
        put = getattr(sys.modules[module], setter)
        if isinstance(value, dict):
            put(**value)
        else:
            put(*value) if isinstance(value, tuple) else put(value)


_ANYTHING = {"globals", "vars", "eval", "exec", "__dict__", "__globals__", "f_globals"}
_ANYWHERE = {"modules", "import_module", "__import__"}
_OF_FUNCTIONS = {"__doc__", "__annotations__"}
_PROBES = ("tell", "qsize", "locked", "digest", "total_changes")
"""Methods and attributes of what :mod:`pickle` cannot read, which say where it is."""
_RUNNING = {GeneratorType: "gi_frame", CoroutineType: "cr_frame", AsyncGeneratorType: "ag_frame"}
_FIXED = (*_PLAIN, tuple, frozenset, FunctionType, type)


class StateReader(Reader):
    """A reading of the state of the process at this moment, to compare with a later one.

    Parameters
    ----------
    ordered, own
        As for :func:`~pac_stability.keeping.fingerprint_of`. If order does not count, it omits
        caches: which entries one has dropped depends on the order of the queries.
    """

    def _read(self, value: Any) -> bytes:
        # Of domains, the many; and the settings of libraries, dictionaries in dictionaries.
        plain = type(value) is tuple and _ATOMS.issuperset(map(type, value))
        if plain or (self._ordered and _is_flat(value)):
            return combined("flat", [marshal.dumps(value, 2)])
        if type(value) is re.Pattern:
            return combined("pattern", [marshal.dumps((value.pattern, value.flags), 2)])
        if type(value) is decimal.Context:
            return combined("context", [repr(value).encode()])  # all of it
        if value is warnings.filters:
            with suppress(Exception):  # whatever somebody has put there
                if found := _filters(self._own, *value):
                    return found
        return super()._read(value)

    def _cache(self, cache: Any) -> bytes:
        kept: list[object] = []
        if self._ordered and self._belongs_to_user(cache.__module__):
            held = gc.get_referents(cache)  # keys and results, all of them, the function
            place = next((k for k, one in enumerate(held) if one is cache.__wrapped__), 1)
            results = [*held[: place - 1], *getattr(held[place - 1], "values", tuple)()]
            kept = [one for one in results if not isinstance(one, _FIXED)]
        digests = sorted(self.digest(one) for one in kept if type(one).__name__ != "_lru_list_elem")
        return combined("cache", [super()._cache(cache), *digests])

    def _object(self, value: Any) -> bytes:
        streams = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
        if type(value).__module__ == Watch.__module__ or any(value is each for each in streams):
            return b""  # what is asked or written moves it on
        found, kind = super()._object(value), type(value)
        if _is_ours(kind):
            return found
        beside: list[object] = []
        with suppress(Exception):  # whatever an object of the user raises
            users = self._belongs_to_user(kind.__module__)
            for name, kept in vars(value).items():
                if isinstance(getattr(kind, name, None), functools.cached_property):
                    counts = users and self._ordered and not isinstance(kept, _FIXED)
                else:
                    counts = users or type(kept) in _PLAIN
                beside += [name, kept] if counts else []
        if isinstance(value, np.ndarray):
            beside += [value.flags.writeable, value.base if value.dtype != object else None]
        return combined("object", [found, self._all("beside", beside)]) if beside else found

    def _unreadable(self, value: Any) -> bytes:
        seen: list[object] = ["a pointer"] if type(value).__name__ == "PyCapsule" else []
        with suppress(Exception):
            if isinstance(value, weakref.ReferenceType):
                seen.append(value())
            elif isinstance(value, ContextVar):
                seen.append(value.name)
                seen.append(value.get())
            elif type(value) in _RUNNING:
                frame = getattr(value, _RUNNING[type(value)])
                inside = gc.get_referents(value)  # with the frame, where it was looked at
                seen += [frame and frame.f_lasti, *(one for one in inside if one is not frame)]
            elif not (isinstance(value, io.IOBase) and not value.readable()):
                told = [getattr(value, name) for name in _PROBES if hasattr(value, name)]
                seen += [each() if callable(each) else each for each in told]
        with suppress(Exception):
            seen.append(bytes(memoryview(value)))
        if not seen:
            return super()._unreadable(value)
        return self._all("looked at", (type(value), *seen))

    def _attributes(
        self, function: FunctionType, values: Iterable[object], names: set[str]
    ) -> list[object]:
        found: list[object] = [*super()._attributes(function, values, names)]
        for code in codes_in(function.__code__):
            names = names.union(text for text in code.co_consts if isinstance(text, str))
        if "getLogger" in names:
            found += logging.root.manager.loggerDict.values()
        if "getsignal" in names:
            found += map(signal.getsignal, sorted(signal.valid_signals()))
        if "cache_info" in names:
            found += [each.cache_info() for each in values if hasattr(each, "cache_info")]
        if names & _ANYTHING:
            found.append(_without_dunders(function.__globals__))
        if names & _ANYWHERE:
            named = [name for name in [*sys.modules] if self._belongs_to_user(name)]
            found += [_without_dunders(vars(sys.modules[name])) for name in named]
        waiting = [builtins, Sample, Example, *ExactGenerator.__subclasses__(), *values]
        known = set[int]()
        for value in waiting:  # it grows meanwhile
            if not isinstance(value, ModuleType | type | FunctionType) or id(value) in known:
                continue
            known.add(id(value))
            if isinstance(value, FunctionType):
                found += [getattr(value, name) for name in sorted(names & _OF_FUNCTIONS)]
            space = vars(value)
            for name in sorted(name for name in names if name in space):
                inner = space[name]
                waiting.append(inner)
                if inner is sys.modules:
                    found += sorted(inner)
                elif not isinstance(inner, BuiltinFunctionType | ModuleType) and not (
                    _is_ours(value) and hasattr(inner, "__get__")
                ):
                    found += [name, inner]
        return found


@functools.lru_cache(maxsize=16)
def _filters(own: frozenset[str], *each: Any) -> bytes:
    """Read the filters of warnings, which are often the same; nothing where a user made one."""
    reader = Reader(own=own)
    users = any(reader._belongs_to_user(one[2].__module__) for one in each)
    return b"" if users else reader.digest(each)


def _is_flat(value: Any) -> bool:
    """Whether a value is made of few plain ones alone, so that it can be written at once."""
    left, waiting = _FEW, [value]
    for one in waiting:  # it grows meanwhile
        if type(one) not in (tuple, list, dict):
            return False
        inside = [*one, *one.values()] if type(one) is dict else one
        left -= 1 + len(inside)
        if left < 0:  # what is met twice would be written twice
            return False
        waiting += [each for each in inside if type(each) not in _ATOMS]
    return True


def _is_ours(value: object) -> bool:
    return isinstance(value, type) and value.__module__.startswith("pac_stability.")


def _without_dunders(names: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in names.items() if not name.startswith("__")}


# Put back as it was


class Snapshot:
    """The state of the functions and objects of a program at this moment.

    Parameters
    ----------
    parts
        These functions and objects, each with the global names of its module.

    Attributes
    ----------
    live
        Sources of draws or of work for others that were held before the audit, in words.

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
        self._settings: list[Callable[[], object]] = []
        self._seen: dict[int, object] = {}
        self.live: dict[str, None] = {}
        waiting: list[object] = []
        for name, setting in settings():
            held = isinstance(setting, _CONTAINERS)
            self._settings.append(_refill(setting) if held else partial(_set, name, setting))
        for value, names in parts:
            waiting.append(value)
            if isinstance(value, FunctionType):
                for name in _names_in(value):
                    before = names.get(name, _ABSENT)
                    self._undo.append(_setter(names, name, before))
                    waiting.append(before)
                    if isinstance(before, ModuleType):
                        space = vars(before)
                        for inner in _names_in(value):
                            self._undo.append(_setter(space, inner, space.get(inner, _ABSENT)))
        for value in waiting:  # it grows meanwhile
            if type(value) in _ATOMS:  # of domains, the many
                continue
            if id(value) not in self._seen and len(self._seen) < _MOST:
                self._seen[id(value)] = value
                waiting.extend(self._look_into(value))

    def restore(self, *, settings: bool = True) -> None:
        """Restore everything except settings of the interpreter, which imports change."""
        for undo in (*self._undo, *(self._settings if settings else ())):
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
        if isinstance(value, random.Random | np.random.RandomState):
            if not isinstance(value, random.SystemRandom):
                undo(partial(set_state_of, value, state_of(value)))
        elif isinstance(value, np.random.Generator):
            numbers = value.bit_generator.state
            undo(lambda: setattr(value.bit_generator, "state", numbers))
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
            held, kind = vars(value), type(value)
            if _is_ours(kind):  # what is remembered there is large, and no part of the program
                undo(_refill(held))
                inside += [
                    kept for name, kept in held.items()
                    if not isinstance(getattr(kind, name, None), functools.cached_property)
                ]  # fmt: skip
            else:
                inside.append(held)
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


_ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD"}
_NAMED, _BY_NAME = {*_ATTRIBUTES, "LOAD_CONST"}, {"getattr", "attrgetter", "methodcaller"}
_ADDRESSES = {"__hash__", "__array_interface__", "ctypes"}
_DATES = {"datetime64", "Timestamp", "to_datetime", "DatetimeIndex", "Period"}
_NOW = {"now", "today", "utcnow"}
_TIMES = {f"st_{when}time{unit}" for when in "amc" for unit in ("", "_ns")}
_TIMES |= {f"get{when}time" for when in "amc"}


def tells_time(function: FunctionType) -> str:
    """Return where a function reads something that no gate can guard; nothing if nowhere.

    These are the compiled clocks of NumPy and pandas, times of files, addresses from methods, and
    the standard input.
    """
    for code in codes_in(function.__code__):
        names, texts = set(code.co_names), {x for x in code.co_consts if isinstance(x, str)}
        texts |= {x for n in names if isinstance(x := function.__globals__.get(n), str)}
        if names & _DATES and (names | texts) & _NOW:
            return f"NumPy's or pandas' clock at {_line(code, _DATES)}"
        if names & _NOW and {"datetime", "_datetime"} & {*names_imported(code)}:
            return f"datetime's clock at {_line(code, _NOW)}"
        if names & _TIMES:
            return f"the time of a file at {_line(code, _TIMES)}"
        attributes = _attributes_in(code)
        if attributes & _ADDRESSES and code.co_name != "__hash__":
            return f"an address at {_line(code, _ADDRESSES)}"
        if "stdin" in attributes:
            return f"the standard input at {_line(code, {'stdin'})}"
    return ""


@once_for_each  # every audit asks twice
def _attributes_in(code: CodeType) -> frozenset[str]:
    """Return the attributes that a piece of code gets, and does not only look whether they are."""
    steps = [s for s in dis.get_instructions(code) if s.opname not in {"PRECALL", "CACHE"}]
    return frozenset(
        step.argval
        for place, step in enumerate(steps)
        if step.opname in (_NAMED if _BY_NAME.intersection(code.co_names) else _ATTRIBUTES)
        and not _whether_there(steps[place + 1 : place + 5])
        and isinstance(step.argval, str)
    )


def _whether_there(after: list[dis.Instruction]) -> bool:
    """Return whether what was just got, or is got by this name, is compared with None alone."""
    if [step.opname for step in after[:2]] == ["LOAD_CONST", "CALL"]:  # getattr with a default
        after = after[2:]
    elif after[0].opname == "CALL":
        after = after[1:]
    first, *then = after
    compared = first.opname == "LOAD_CONST" and first.argval is None and then[0].opname == "IS_OP"
    return compared or first.opname.endswith("_NONE")


def _line(code: CodeType, names: set[str]) -> str:
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = step.starts_line or line
        if step.argval in names:
            break
    return place(code.co_filename, line)


def _names_in(function: FunctionType) -> Iterator[str]:
    for code in codes_in(function.__code__):
        yield from code.co_names


def _setter(names: dict[str, object], name: str, before: object) -> Callable[[], object]:
    def put_back() -> None:
        now = names.get(name, _ABSENT)
        if now is not before and not isinstance(now, ModuleType):
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
        if isinstance(value, dict) and _is_as_it_was(value, before):
            return  # the built-in names, which a namespace of executed code holds, are never away
        value.clear()
        (value.update if isinstance(value, dict | set) else value.extend)(before)

    return refill


def _is_as_it_was(value: dict[Any, Any], before: dict[Any, Any]) -> bool:
    same = len(value) == len(before) and all(map(is_, value, before))
    return same and all(map(is_, value.values(), before.values()))


def _slots(kind: type) -> tuple[str, ...]:
    named = vars(kind).get("__slots__", ())
    return (named,) if isinstance(named, str) else tuple(named)
