"""Work in processes that fork when everything is imported, and send what they find."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from typing import TypeVar

M = TypeVar("M")  # what a child sends

_MEMORY = 8 << 30  # bytes: a changed loop may fill the memory


@dataclass(frozen=True)
class Gone:
    """The last message of a child.

    Attributes
    ----------
    status
        Its exit code; minus the signal that ended it.
    """

    status: int

    @property
    def how(self) -> str:
        """How it ended, in words."""
        slow = -self.status in {signal.SIGPROF, signal.SIGALRM}
        return "did not end" if slow else f"ended with status {self.status}"


def child(work: Callable[[Callable[[M], None]], None]) -> Iterator[M | Gone]:
    """Run work in a forked process; yield what it sends, and last how it ended."""
    return children([work])


def children(works: Sequence[Callable[[Callable[[M], None]], None]]) -> Iterator[M | Gone]:
    """Run works in forked processes beside one another; yield what they send as it comes."""
    running: dict[Connection, int] = {}
    for work in works:
        ours, theirs = Pipe(duplex=False)
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                ours.close()
                work(theirs.send)
                status = 0
            except BaseException:  # it must not go on as if it were its parent
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(status)
        theirs.close()
        running[ours] = pid
    while running:
        ready = wait(list(running))
        for ours in [one for one in running if one in ready]:
            try:
                yield ours.recv()
            except (EOFError, ConnectionError, pickle.UnpicklingError):
                ours.close()
                yield Gone(os.waitstatus_to_exitcode(os.waitpid(running.pop(ours), 0)[1]))


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
