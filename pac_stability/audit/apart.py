"""Work in a process of its own, for those who share theirs with threads of others.

Whether a program drew from the generators behind ``random`` is seen by their states, which belong
to the process, whoever draws. Libraries that spread work over machines draw there too, from threads
of their own. So in their processes a program is not run; they feed one where nothing else runs.
"""

from __future__ import annotations

import atexit
import importlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import BinaryIO, cast
from uuid import uuid4

from pac_stability.audit.failures import ENDED, AuditStopped

_IDLE = 5.0
"""Seconds after which a process that has nothing to do is ended."""

_START = (
    "import sys; sys.path[:] = sys.argv[1:]; from pac_stability.audit.apart import serve; serve()"
)


@dataclass(frozen=True)
class Apart:
    """A function that is called in a process of its own, which is kept for the next call.

    It may be sent anywhere, and works there in a child of whichever process calls it; several
    threads may call it, each of which then has a child of its own.

    Parameters
    ----------
    name
        Calls of the same name are of the same function.
    written
        The function, pickled.

    Raises
    ------
    AuditStopped
        On a call: the child ended before it answered, or cannot read the function.

    Notes
    -----
    The child takes a third of a second to start. It imports from where its parent does, has its
    standard output on standard error, and ends with its parent, or when it is idle for some
    seconds.

    Examples
    --------
    >>> import operator
    >>> apart = Apart.of(operator.add)
    >>> apart(1, 2)
    3
    """

    name: str
    written: bytes

    @staticmethod
    def of(work: Callable[..., object]) -> Apart:
        """Return a function as one that is called apart.

        Parameters
        ----------
        work
            What can be pickled, or, where cloudpickle is installed, what that can write.

        Raises
        ------
        Exception
            It cannot be written.
        """
        try:
            written = importlib.import_module("cloudpickle").dumps(work)
        except ImportError:
            written = pickle.dumps(work)
        return Apart(uuid4().hex, written)

    def __call__(self, *given: object) -> object:
        """Return what the function returns, or raise what it raises."""
        child = _taken(self)
        try:
            found, error = child.answer(given)
        except (EOFError, OSError):
            child.end()
            raise AuditStopped(ENDED) from None
        except BaseException:  # it may be in the middle of an answer
            child.end()
            raise
        _put_back(self, child)
        if error is not None:
            raise error
        return found


class _Child:
    """A process that answers calls of one function."""

    def __init__(self, written: bytes) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # ourselves
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._to = cast("BinaryIO", self._process.stdin)
        self._from = cast("BinaryIO", self._process.stdout)
        self.used: float = 0.0
        with suppress(OSError):  # it has ended, which the first answer tells
            pickle.dump(written, self._to)

    def answer(self, given: tuple[object, ...]) -> tuple[object, BaseException | None]:
        """Return what was found, or what was raised."""
        self._to.write(pickle.dumps(given))
        self._to.flush()
        return cast("tuple[object, BaseException | None]", pickle.load(self._from))  # noqa: S301  # of ours

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._from.close()
        with suppress(OSError):  # what was not sent yet
            self._to.close()


_lock = threading.Lock()
_idle: dict[str, list[_Child]] = {}


def _taken(apart: Apart) -> _Child:
    with _lock:
        waiting = _idle.pop(apart.name, [])
        child = waiting.pop() if waiting else None
        if waiting:
            _idle[apart.name] = waiting
    return _Child(apart.written) if child is None else child


def _put_back(apart: Apart, child: _Child) -> None:
    child.used = time.monotonic()
    with _lock:
        first = not _idle
        _idle.setdefault(apart.name, []).append(child)
    if first:
        _look_later()


def _look_later() -> None:
    later = threading.Timer(_IDLE, _end_unused)
    later.daemon = True
    later.start()


def _end_unused() -> None:
    end_idle(_IDLE)
    if _idle:
        _look_later()


def end_idle(seconds: float = 0.0) -> None:
    """End the processes that were not used for so long."""
    before = time.monotonic() - seconds
    ended: list[_Child] = []
    with _lock:
        for name, waiting in list(_idle.items()):
            ended += [child for child in waiting if child.used <= before]
            _idle[name] = [child for child in waiting if child.used > before]
            if not _idle[name]:
                del _idle[name]
    for child in ended:
        child.end()


atexit.register(end_idle)


def serve() -> None:
    """Answer calls until there are none; how the child begins."""
    given, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What the program reads and prints is not what is said here.
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # a descriptor is wanted
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    # An interrupt is for the one who reads the terminal, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls: SimpleQueue[bytes | tuple[object, ...]] = SimpleQueue()

    def read() -> None:
        # The end of the pipe is that of the parent, also in the middle of an answer.
        while True:
            try:
                calls.put(pickle.load(given))  # noqa: S301  # of the process that started this one
            except BaseException:
                os._exit(1)

    written = cast("bytes", pickle.load(given))  # noqa: S301  # of the same
    threading.Thread(target=read, name="end with parent", daemon=True).start()
    while True:
        answer = _answer(written, cast("tuple[object, ...]", calls.get()))
        sys.stdout.flush()  # before the parent goes on, as it would be there
        answers.write(answer)
        answers.flush()


_works: list[Callable[..., object]] = []  # one, when it was read


def _answer(written: bytes, given: tuple[object, ...]) -> bytes:
    try:
        if not _works:
            _works.append(_read(written))
        answer: tuple[object, BaseException | None] = _works[0](*given), None
    except BaseException as error:  # whatever it is, it is raised there
        answer = None, error
    try:
        return pickle.dumps(answer)
    except Exception as error:  # a stranger's
        return pickle.dumps((None, AuditStopped(f"what cannot be sent back: {error}")))


def _read(written: bytes) -> Callable[..., object]:
    try:
        return cast("Callable[..., object]", pickle.loads(written))  # noqa: S301  # of the parent
    except Exception as error:
        raise AuditStopped(
            f"the algorithm cannot be read in another process: {type(error).__name__}: {error}"
        ) from error
