"""Time limits for code that reads no clock: an alarm interrupts the thread that set it.

Searches of this library check the clock themselves, and report partial results when time is up. A
user's code does not. An :class:`Alarm` raises :class:`TimeIsUp` in the running code, as Ctrl-C
does. It uses a signal, which also ends waiting, in the main thread of a system with a free
``SIGALRM``; elsewhere a watching thread raises it. The alarm waits a few seconds while a file is
written, a run is counted, a ``with`` statement begins or ends, or an object is finalized (Python
would ignore it there). Compiled code that checks for no signals continues until it returns.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import TypeVar

from pac_stability.errors import BudgetExhausted

T = TypeVar("T")
AGAIN = 0.25
"""Seconds until it rings once more, should a program have silenced it."""

_SOON = 0.01
_AT_MOST = 300  # times that it waits so long
_LIBRARY = str(Path(__file__).parent)
_QUIET = (
    __file__,
    *(
        str(Path(_LIBRARY, name))
        for name in ("keeping", "randomness/watch.py", "audit/statistics.py")
    ),
)


class TimeIsUp(BaseException):
    """An alarm rang. A program that catches every ``Exception`` does not catch it."""


class Alarm:
    """A context manager that interrupts its block after a number of seconds.

    Parameters
    ----------
    seconds
        How long the work may take; ``None`` for no limit.

    Examples
    --------
    >>> try:
    ...     with Alarm(0.01):
    ...         while True:
    ...             pass
    ... except TimeIsUp:
    ...     print("enough")
    enough
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._handler: object = None
        self._thread: threading.Thread | None = None
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._waited = 0

    def __enter__(self) -> Alarm:
        if self._seconds is None:
            return self
        if _signal_is_free():
            self._handler = signal.signal(signal.SIGALRM, self._rang)
            signal.setitimer(signal.ITIMER_REAL, self._seconds, AGAIN)
        else:
            watch = threading.Thread(
                target=self._watch, args=(threading.get_ident(),), name="time limit", daemon=True
            )
            self._thread = watch
            watch.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.off()

    def off(self) -> None:
        """Cancel the alarm."""
        if self._handler is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._handler)  # type: ignore[arg-type]  # what it returned
            self._handler = None
        if self._thread is not None:
            alone(self._lock, self._asked.set)  # after this it raises nothing
            self._thread = None

    def _rang(self, _signal: int, frame: FrameType | None) -> None:
        if self._handler is None:
            return
        if self._rings_at(frame):
            raise TimeIsUp
        signal.setitimer(signal.ITIMER_REAL, _SOON, AGAIN)

    def _watch(self, thread: int) -> None:
        pause = self._seconds or _SOON
        while not self._asked.wait(pause):
            with self._lock:
                rings = not self._asked.is_set() and self._rings_at(
                    sys._current_frames().get(thread)
                )
                if rings:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(thread), ctypes.py_object(TimeIsUp)
                    )
            pause = AGAIN if rings else _SOON

    def _rings_at(self, frame: FrameType | None) -> bool:
        self._waited += 1
        return _may_end(frame) or self._waited > _AT_MOST


def _signal_is_free() -> bool:
    return (
        hasattr(signal, "SIGALRM")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and not signal.getitimer(signal.ITIMER_REAL)[0]
    )


def _may_end(frame: FrameType | None) -> bool:
    """Return whether a thread may be stopped where it stands: nothing is half done there."""
    innermost = True
    while frame is not None:
        code = frame.f_code
        if code.co_name in {"__enter__", "__exit__", "__del__"} or (
            innermost and code.co_filename.startswith((*_QUIET, weakref.__file__))
        ):
            return False
        innermost = innermost and not code.co_filename.startswith(_LIBRARY)
        frame = frame.f_back
    return True


_GRACE = 0.2  # seconds in which work notices by itself that its time is up


def alone(lock: AbstractContextManager[object], work: Callable[[], T]) -> T:
    """Do some work under a lock; an interrupt at the end of any line releases it.

    Examples
    --------
    >>> alone(threading.Lock(), lambda: 3)
    3
    """
    # On one line: between two, an interrupt would leave the block and never give the lock back.
    with lock: return work()  # fmt: skip  # noqa: E701


def backstop(limit: float | None) -> Alarm:
    """Return an alarm for work that checks the clock, in case it does not check for a while."""
    return Alarm(None if limit is None else max(limit, 0) + _GRACE)


def reached(limit: float | None) -> str:
    """Say that the time is up."""
    return f"the time limit of {limit:g} s was reached"


@contextmanager
def limited(seconds: float | None, what: str) -> Iterator[None]:
    """Limit the time of code that reads no clock.

    Parameters
    ----------
    seconds
        ``None`` for no limit.
    what
        The work, in words that follow "while".

    Raises
    ------
    BudgetExhausted
        The time is up.

    Examples
    --------
    >>> with limited(0.01, "counting"):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
        ...
    pac_stability.errors.BudgetExhausted: the time limit of 0.01 s was reached while counting
    """
    try:
        with Alarm(seconds):
            yield
    except TimeIsUp:
        raise BudgetExhausted(f"{reached(seconds)} while {what}") from None
