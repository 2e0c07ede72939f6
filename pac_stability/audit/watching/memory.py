"""What a program keeps, put back as it was: an audit that refuses leaves the program unchanged.

Containers are changed in place, so that who else refers to them sees the same. What has no contents
that can be read, such as an iterator, stays where it is.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from pac_stability.randomness.watch import Owner, owner_of

_MOST = 100_000
_ABSENT = object()
_CONTAINERS = (dict, list, set, deque, bytearray)


class Snapshot:
    """What is kept by the functions and objects that a program is made of, at this moment.

    Parameters
    ----------
    parts
        These, each with the global names of its module.

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

    def restore(self) -> None:
        """Put everything back."""
        for undo in self._undo:
            with suppress(Exception):  # what refuses to be changed has not changed
                undo()

    def _look_into(self, value: Any) -> list[object]:
        undo, inside = self._undo.append, list[object]()
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
            undo(lambda: value.setstate(state))
        elif isinstance(value, np.random.Generator):
            numbers = value.bit_generator.state
            undo(lambda: setattr(value.bit_generator, "state", numbers))
        elif isinstance(value, np.random.RandomState):
            legacy = value.get_state()
            undo(lambda: value.set_state(legacy))
        elif isinstance(value, np.ndarray):
            if value.size <= _MOST:
                cells = value.copy()
                undo(lambda: np.copyto(value, cells))
        elif isinstance(value, _CONTAINERS):
            undo(_refill(value))
            inside += [] if isinstance(value, bytearray) else list(value)
            inside += list(value.values()) if isinstance(value, dict) else []
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


def _names_in(function: FunctionType) -> Iterator[str]:
    waiting = [function.__code__]
    for code in waiting:  # it grows meanwhile
        yield from code.co_names
        waiting += [each for each in code.co_consts if isinstance(each, type(code))]


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
