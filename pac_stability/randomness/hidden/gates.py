"""Gates before the sources of what differs from run to run: who passes while watched is noted.

A gate stands in a module in place of a function, and calls it in any case; a hook of the
interpreter sees files, connections and processes; a profile function sees calls of functions that
a program holds itself. None of them does anything for what is not watched.
"""

from __future__ import annotations

import builtins
import datetime as dt
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from numbers import Integral
from pathlib import Path
from stat import S_ISREG
from types import FrameType, ModuleType
from typing import Protocol

from pac_stability.randomness.hidden.identity import identity
from pac_stability.randomness.hidden.places import (
    Owner,
    blamed,
    comes_through,
    owner_of,
    owner_of_frame,
    place_of,
)

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_KERNEL = ("/dev/", "/proc/", "/sys/")
_CLOCK = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns",
    "process_time", "process_time_ns", "thread_time", "thread_time_ns",
    "clock_gettime", "clock_gettime_ns",
)  # fmt: skip
_CLOCK_WITHOUT = {"localtime": 1, "gmtime": 1, "ctime": 1, "asctime": 1, "strftime": 2}
"""Functions that tell the time when they get fewer arguments than so many."""
_EVENTS = {
    "subprocess.Popen": "another process",
    "os.system": "another process",
    "os.exec": "another process",
    "os.posix_spawn": "another process",
    "os.spawn": "another process",
    "os.fork": "another process",
    "os.forkpty": "another process",
    "socket.connect": "a connection",
    "socket.bind": "a connection",
    "socket.getaddrinfo": "a connection",
    "urllib.Request": "a connection",
}
_OPTIONAL = {"os", "time", "uuid", "random"}
"""The modules that gates stand in when they are loaded."""
_QUIET = ("logging/__init__.py", "linecache.py", "tracemalloc.py")
"""Parts of the standard library that look at clocks and files for what the program never sees."""


class Listener(Protocol):
    """Who is told of what passes a gate."""

    def found(self, culprit: str, frame: FrameType | None) -> None:
        """Something was drawn on, by the program that runs in the frame."""

    def assume(self, sentence: str) -> None:
        """Something was done that is no draw by itself, and the answer rests on that."""


class _Watching(threading.local):
    listener: Listener | None = None


_watching = _Watching()


def listener() -> Listener | None:
    """Return who is told of what this thread does."""
    return _watching.listener


def listen(new: Listener | None) -> Listener | None:
    """Tell someone else of what this thread does; return who was told before."""
    before = _watching.listener
    _watching.listener = new
    return before


@dataclass(frozen=True, slots=True)
class _Gate:
    """A function of a module, and when it matters that it is called."""

    owner: object
    name: str
    label: str
    matters: Callable[[FrameType | None, tuple[object, ...]], bool]


def _always(frame: FrameType | None, _: tuple[object, ...]) -> bool:
    return not (comes_through(frame, *_QUIET) or _importing(frame) or _collecting(frame))


def _clock(frame: FrameType | None, _: tuple[object, ...]) -> bool:
    # Our own searches look at the clock to see whether to go on.
    who = frame
    while who is not None and owner_of_frame(who) is Owner.STANDARD:
        who = who.f_back
    ours = who is not None and owner_of_frame(who) is Owner.OURS
    ours = ours or _names_work(who)
    return not ours and _always(frame, ())


def _clock_without(count: int) -> Callable[[FrameType | None, tuple[object, ...]], bool]:
    def matters(frame: FrameType | None, arguments: tuple[object, ...]) -> bool:
        return len(arguments) < count and _clock(frame, arguments)

    return matters


def _of_users(frame: FrameType | None, _: tuple[object, ...]) -> bool:
    # Libraries keep tables by id, and copying does.
    return owner_of_frame(frame) is Owner.USER


def _hash_varies(frame: FrameType | None, arguments: tuple[object, ...]) -> bool:
    if owner_of_frame(frame) is not Owner.USER or frame is None:
        return False
    if frame.f_code.co_name == "__hash__":  # it serves tables
        return False
    return bool(arguments) and _varies(arguments[0])


def _varies(value: object) -> bool:
    """Return whether the hash of a value differs from process to process."""
    if isinstance(value, tuple | frozenset):
        return any(map(_varies, value))
    if isinstance(value, str | bytes):
        return bool(sys.flags.hash_randomization)
    return type(value).__hash__ in (object.__hash__, None.__hash__)


def _unseeded(frame: FrameType | None, arguments: tuple[object, ...]) -> bool:
    return (len(arguments) < 2 or arguments[1] is None) and _always(frame, ())


def _entropy(frame: FrameType | None, _: tuple[object, ...]) -> bool:
    return not (_seed_replaces(frame) or _names_work(frame)) and _always(frame, ())


def _names_work(frame: FrameType | None) -> bool:
    """Return whether scikit-learn names and dates its work, or has joblib name and date it.

    It does so for each fit, and joblib for each call, also of one worker. No estimator reads either
    name; a program that calls joblib itself could.
    """
    files = [file for file in _files(frame) if owner_of(file) is not Owner.STANDARD]
    joblib = len(list(takewhile(partial(_is_part, "joblib"), files)))
    caller = "" if joblib == len(files) else files[joblib]
    return _is_part("sklearn", caller) and (joblib > 0 or _is_part("callback", caller))


def _is_part(folder: str, file: str) -> bool:
    """Return whether a file is of a library, and in a folder of this name."""
    return owner_of(file) is Owner.LIBRARY and f"{os.sep}{folder}{os.sep}" in file


def _files(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield frame.f_code.co_filename
        frame = frame.f_back


def _seed_replaces(frame: FrameType | None) -> bool:
    """Return whether NumPy reads entropy for a ``RandomState`` that is seeded next.

    It does so for each that is made, before the seed replaces it. That there is a seed is known
    where ``check_random_state`` of scikit-learn makes it of an integer, and only there.
    """
    while frame is not None and owner_of_frame(frame) is Owner.STANDARD:
        frame = frame.f_back
    checks = getattr(sys.modules.get("sklearn.utils.validation"), "check_random_state", None)
    if frame is None or frame.f_code is not getattr(checks, "__code__", None):
        return False
    seed = frame.f_locals.get("seed")
    return isinstance(seed, Integral)


def _collecting(frame: FrameType | None) -> bool:
    """Return whether the collector of garbage has called; tools measure how long it takes."""
    codes = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None:
        if frame.f_code in codes:
            return True
        frame = frame.f_back
    return False


def _importing(frame: FrameType | None) -> bool:
    return comes_through(frame, "importlib._bootstrap>", "importlib._bootstrap_external>")


def _addresses() -> list[_Gate]:
    """Return the gates of what every module calls: in place only for programs that name them."""
    return [
        _Gate(builtins, "id", "id()", _of_users),
        _Gate(builtins, "hash", "hash(), which differs from process to process,", _hash_varies),
    ]


ADDRESSES = frozenset({"id", "hash"})
"""What a program calls these gates by."""


def _gates() -> list[_Gate]:
    """Return the gates of the modules that are loaded."""
    gates = [_Gate(threading.Thread, "start", "a thread that it started", _always)]
    for module, names, matters in (
        ("os", ("urandom", "getrandom"), _entropy),
        ("os", ("getpid", "times"), _always),
        ("time", _CLOCK, _clock),
        ("uuid", ("_generate_time_safe", "_UuidCreate"), _always),
    ):
        if (loaded := sys.modules.get(module)) is not None:
            gates += [_Gate(loaded, name, f"{module}.{name}", matters) for name in names]
    if (clock := sys.modules.get("time")) is not None:
        for name, count in _CLOCK_WITHOUT.items():
            gates.append(_Gate(clock, name, f"time.{name}", _clock_without(count)))
    if (generators := sys.modules.get("random")) is not None:
        gates += [
            _Gate(generators, "_urandom", "os.urandom", _entropy),
            _Gate(generators.Random, "seed", "random.Random() without a seed", _unseeded),
        ]
    return gates


@dataclass(frozen=True, slots=True)
class _Door:
    """A gate, what it stands before, and the function that does."""

    gate: _Gate
    original: Callable[..., object]
    stand_in: Callable[..., object]


def _door(gate: _Gate) -> _Door:
    original = getattr(gate.owner, gate.name)

    def stand_in(*arguments: object, **named: object) -> object:
        told = _watching.listener
        if told is not None:
            frame = sys._getframe(1)
            if gate.matters(frame, (*arguments, *named.values())):
                told.found(gate.label, frame)
        return original(*arguments, **named)

    stand_in.__name__ = gate.name
    stand_in.__doc__ = original.__doc__
    return _Door(gate, original, stand_in)


class _Doors:
    """The gates of this process: in place while anything is watched, in any thread."""

    def __init__(self, gates: Callable[[], list[_Gate]]) -> None:
        self._gates = gates
        self._lock = threading.RLock()
        self._watches = 0
        self._doors: list[_Door] = []
        self._loaded = 0
        self._hooked = False

    def open(self) -> None:
        """Put the gates in place, if they are not."""
        with self._lock:
            self._watches += 1
            if self._watches > 1:
                return
            if not self._hooked:
                self._hooked = True
                sys.addaudithook(_event)
            self._look()
            for door in self._doors:
                setattr(door.gate.owner, door.gate.name, door.stand_in)

    def close(self) -> None:
        """Put back what was there, when nothing is watched any more."""
        with self._lock:
            self._watches -= 1
            if self._watches:
                return
            for door in self._doors:
                owner, name = door.gate.owner, door.gate.name
                if vars(owner).get(name) is not door.stand_in:
                    continue  # someone else has put something there
                setattr(owner, name, door.original)

    def _look(self) -> None:
        """Make the doors, where a module is new or has another function now."""
        loaded = len(_OPTIONAL & sys.modules.keys())
        if loaded != self._loaded or any(
            getattr(door.gate.owner, door.gate.name, None) is not door.original
            for door in self._doors
        ):
            self._loaded = loaded
            gates = self._gates()
            self._doors = [
                _door(gate) for gate in gates if callable(getattr(gate.owner, gate.name, None))
            ]

    def sought(self) -> dict[int, str]:
        """Return what a program may hold itself: what is behind gates, and dates.

        They are known by their :data:`identity`.
        """
        known = dict.fromkeys(map(identity, (dt, dt.datetime, dt.date)), "datetime")
        for door in self._doors:
            if isinstance(door.gate.owner, ModuleType):
                known[identity(door.original)] = door.gate.label
        return known


DOORS = _Doors(_gates)
ADDRESS_DOORS = _Doors(_addresses)


def _event(event: str, arguments: tuple[object, ...]) -> None:
    """Note files, connections and processes; called by the interpreter for much else."""
    told = _watching.listener
    if told is None:
        return
    if event == "open":
        _opened(told, arguments)
    elif event in _EVENTS:
        frame = sys._getframe(1)
        if _always(frame, ()):
            told.found(_EVENTS[event], frame)


def _opened(told: Listener, arguments: tuple[object, ...]) -> None:
    path, _, flags = (*arguments, None, None, None)[:3]
    frame = sys._getframe(2)
    if not isinstance(path, str | bytes | os.PathLike) or not _always(frame, ()):
        return
    name = os.fsdecode(path)
    where = place_of(blamed(frame))
    try:
        regular = S_ISREG(os.stat(name).st_mode)  # noqa: PTH116  # a name, and no event
    except OSError:
        regular = True  # it is about to be made, or is not there
    real = os.path.realpath(name)
    if not regular or real.startswith(_KERNEL):
        told.found(f"the device {name}", frame)
    elif isinstance(flags, int) and flags & _WRITING:
        told.assume(f"The file {Path(name).name}, which it writes at {where}, decides nothing.")
    else:
        told.assume(f"The file {Path(name).name}, which it reads at {where}, stays as it is.")


def profiler(functions: dict[int, str]) -> Callable[[FrameType, str, object], None]:
    """Return a profile function that notes calls of the functions themselves."""

    def profile(frame: FrameType, event: str, function: object) -> None:
        if event != "c_call":
            return
        label = functions.get(identity(function))
        if label is None:
            name = getattr(function, "__name__", "")
            if name not in {"now", "utcnow", "today"}:
                return
            kind = getattr(function, "__self__", None)
            if not (isinstance(kind, type) and issubclass(kind, dt.date)):
                return
            label = f"datetime.{name}"
        told = _watching.listener
        # A stand-in calls the original, and has told of it.
        if told is None or owner_of_frame(frame) in (Owner.STANDARD, Owner.OURS):
            return
        if _always(frame, ()):
            told.found(label, frame)

    return profile
