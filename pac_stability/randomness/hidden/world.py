"""What a program can reach: the generators that it holds, and functions that tell the time."""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, islice, takewhile
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

from pac_stability.randomness.hidden.identity import identity
from pac_stability.randomness.hidden.places import Owner, owner_of
from pac_stability.randomness.rewindable import Rewindable

_MOST_OBJECTS = 5_000
_MOST_LOOKS = 50_000
_COLLECTIONS = (list, dict, tuple, set, frozenset)
_CONTAINERS = frozenset(_COLLECTIONS)
"""Types that only hold other things; what is derived from them may be anything."""
_LEAVES = frozenset([
    str, bytes, int, float, complex, bool, type(None), Fraction,
    CodeType, FrameType, TracebackType,
])  # fmt: skip
"""Types that hold nothing; what is derived from them may."""


class World:
    """What is reachable from a program, up to the borders of libraries.

    Parameters
    ----------
    root
        The program.
    sought
        The functions, types and modules to look for, by their :data:`identity`.

    Attributes
    ----------
    generators
        Generators that are reachable, of ``random``, of ``numpy.random`` and of ours.
    names
        What the functions among it name.
    held
        Whether something that is sought is reachable.
    whole
        Whether all that is reachable was looked through; there may be too much.
    """

    def __init__(self, root: object, sought: Mapping[int, str]) -> None:
        self.generators: list[object] = []
        self.names: set[str] = set()
        self.whole: bool = True
        self.held: bool = False
        self._sought = sought
        self._walk(root)

    def _walk(self, root: object) -> None:
        borders = _borders()
        seen = {identity(root)}
        queue: list[object] = [root]
        at = looked = 0
        while at < len(queue):
            run = list(takewhile(_is_container, islice(queue, at, None)))
            parts = _together(run, borders, _MOST_LOOKS - looked)
            holding = [part for part in parts if type(part) not in _LEAVES]
            new = dict(zip(map(identity, holding), holding, strict=True))
            new = {key: part for key, part in new.items() if key not in seen}
            if parts and len(queue) + len(new) <= _MOST_OBJECTS:
                self.held = self.held or not self._sought.keys().isdisjoint(map(identity, run))
                looked += len(parts)
                seen.update(new)
                queue += new.values()
                at += len(run)
                continue
            run = run or [queue[at]]
            at += len(run)
            for part in chain.from_iterable(self._inside(value, borders) for value in run):
                looked += 1
                if type(part) not in _LEAVES and identity(part) not in seen:
                    seen.add(identity(part))
                    queue.append(part)
                if looked > _MOST_LOOKS or len(queue) > _MOST_OBJECTS:
                    self.whole = False
                    return

    def _inside(self, value: object, borders: set[int]) -> Iterable[object]:
        """Take note of one object, and return what it holds that is to be looked at."""
        if identity(value) in self._sought:
            self.held = True
        if isinstance(value, ModuleType):
            if _is_users(value):
                return [vars(value)]
            self._look_into_package(value)
        elif isinstance(value, type):
            module = sys.modules.get(value.__module__)
            if module is None or _is_users(module):
                return gc.get_referents(value)
        elif is_generator(value):
            self.generators.append(value)
        elif identity(value) in borders:
            pass
        elif isinstance(value, FunctionType):
            return self._used(value)
        elif isinstance(value, _COLLECTIONS) and len(value) > _MOST_LOOKS:
            self.whole = False
        else:
            return gc.get_referents(value)
        return ()

    def _used(self, function: FunctionType) -> Iterator[object]:
        """Yield what a function can name, closes over, or has as a default."""
        yield from function.__closure__ or ()
        yield from function.__defaults__ or ()
        yield function.__kwdefaults__
        yield vars(function)
        if owner_of(function.__code__.co_filename) is not Owner.USER:
            # Not by __module__, which wrappers take over from what they wrap.
            yield sys.modules.get(function.__globals__.get("__name__", ""))
            return
        everything = function.__globals__
        codes = [function.__code__]
        for code in codes:  # it grows meanwhile
            self.names.update(code.co_names)
            for name in code.co_names:
                # What is not there may be a module that the function imports.
                yield everything[name] if name in everything else sys.modules.get(name)
            codes += [part for part in code.co_consts if isinstance(part, CodeType)]

    def _look_into_package(self, module: ModuleType) -> None:
        """Look for what is sought among the names of an installed package."""
        origin = getattr(module, "__file__", None)
        if origin is None or owner_of(origin) is not Owner.LIBRARY:
            return
        package = module.__name__.partition(".")[0]
        if package not in _HOLDERS:
            _HOLDERS[package] = any(
                identity(value) in self._sought
                for name, other in list(sys.modules.items())
                if name.partition(".")[0] == package and isinstance(other, ModuleType)
                for value in list(vars(other).values())
            )
        self.held = self.held or _HOLDERS[package]


_HOLDERS: dict[str, bool] = {}


def generators_of(root: object) -> list[object]:
    """Return the generators that something holds on to, directly or not."""
    return World(root, {}).generators


def is_generator(value: object) -> bool:
    """Return whether a value draws pseudorandom numbers from a state of its own."""
    if isinstance(value, Rewindable):
        return True
    random = sys.modules.get("random")
    if random is not None and isinstance(value, random.Random):
        return not isinstance(value, random.SystemRandom)
    numpy = sys.modules.get("numpy.random")
    kinds = () if numpy is None else (numpy.Generator, numpy.RandomState, numpy.BitGenerator)
    return isinstance(value, kinds)


def state_of(generator: object) -> object:
    """Return the state of a generator."""
    if isinstance(generator, Rewindable):
        return generator.state()
    for name in ("getstate", "get_state"):
        if (ask := getattr(generator, name, None)) is not None:
            return ask()
    bits: Any = getattr(generator, "bit_generator", generator)
    return bits.state


def restore(generator: object, state: object) -> None:
    """Put a generator into a state that it had."""
    if isinstance(generator, Rewindable):
        generator.rewind(state)
        return
    for name in ("setstate", "set_state"):
        if (put := getattr(generator, name, None)) is not None:
            put(state)
            return
    bits: Any = getattr(generator, "bit_generator", generator)
    bits.state = state


def same_state(first: object, second: object) -> bool:
    """Compare two states, which may contain arrays."""
    return first is second or pickle.dumps(first) == pickle.dumps(second)


def global_generators() -> dict[str, object]:
    """Return the generators behind the functions of ``random`` and ``numpy.random``, by name."""
    found: dict[str, object] = {}
    if (random := sys.modules.get("random")) is not None:
        found["random"] = random._inst
    if (numpy := sys.modules.get("numpy.random")) is not None:
        found["numpy.random"] = numpy.mtrand._rand
    return found


def _is_container(value: object) -> bool:
    return type(value) in _CONTAINERS


def _together(run: list[Any], borders: set[int], most: int) -> list[object]:
    """Return what several containers hold, in order, as if they were looked into one by one.

    Nothing, if one of them is a border, or if there may be more than the looks that are left.
    """
    # A dictionary holds two things an entry.
    if 2 * sum(map(len, run)) > most or not borders.isdisjoint(map(identity, run)):
        return []
    return gc.get_referents(*run)


def _is_users(module: ModuleType) -> bool:
    origin = getattr(module, "__file__", None)
    if origin is None:  # built in, or typed in
        return module.__name__ == "__main__" or getattr(module, "__spec__", None) is None
    return owner_of(origin) is Owner.USER


def _borders() -> set[int]:
    """Return the :data:`identity` of the names of all modules that are not the user's."""
    modules: list[object] = list(sys.modules.values())  # a module may have put anything there
    if len(modules) != len(_KNOWN):
        _KNOWN[:] = modules
        _BORDERS.clear()
        _BORDERS.update(
            identity(vars(module))
            for module in modules
            if isinstance(module, ModuleType) and not _is_users(module)
        )
    return _BORDERS


_KNOWN: list[object] = []
_BORDERS: set[int] = set()
