"""Help for long commands: a progress line on the terminal, and a cluster."""

from __future__ import annotations

import importlib
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pac_stability._alarm import limited
from pac_stability.dimensions.bounds import ProgressCallback as SearchCallback, SearchProgress
from pac_stability.errors import InvalidInput

if TYPE_CHECKING:  # what shows a search needs no audits
    from pac_stability.audit.options import Progress, ProgressCallback

MOMENT = 1e-6
"""Seconds: a search that may go on for so long only reports what it has."""

R = TypeVar("R")


class _Shown(NamedTuple):
    """What is shown of a report: how far the bar is, what follows it, and the time without one."""

    done: float
    total: float | None
    state: str
    time: str = ""


@contextmanager
def watched(label: str, time_limit: float | None) -> Iterator[SearchCallback | None]:
    """Yield a callback that shows reports of a search on a bar, as long as the time limit."""
    of = "" if time_limit is None else f" of {time_limit:g}"

    def shown(report: SearchProgress) -> _Shown:
        state = f"{report.lower}..{report.upper}, {report.nodes:,} sub-problems"
        return _Shown(report.seconds, time_limit, state, f"{report.seconds:.1f}{of} s  ")

    with _moving(label, shown, time_limit, ticking=True) as show:
        yield show


@contextmanager
def within(what: str, time_limit: float | None) -> Iterator[None]:
    """Limit the time of work that reports nothing and reads no clock, and show its time.

    Raises
    ------
    BudgetExhausted
        The time was over.
    """
    start, done = time.monotonic(), threading.Event()

    def shown(seconds: float) -> _Shown:
        return _Shown(seconds, time_limit, f"{seconds:.1f} s")

    def watch(show: Callable[[float], None]) -> None:
        while not done.wait(0.2):
            show(time.monotonic() - start)

    with _moving(what, shown, time_limit, ticking=True) as show, limited(time_limit, what):
        if show is not None:
            threading.Thread(target=watch, args=(show,), daemon=True).start()
        try:
            yield
        finally:
            done.set()


@contextmanager
def watched_audit(label: str) -> Iterator[ProgressCallback | None]:
    """Yield a callback that shows the progress of an audit on a bar."""
    # It is drawn when there is something new, and not by a thread: copies of this process may work.
    with _moving(label, _of_audit, None, ticking=False) as show:
        yield show


@contextmanager
def _moving(
    label: str, shown: Callable[[R], _Shown], total: float | None, *, ticking: bool
) -> Iterator[Callable[[R], None] | None]:
    """Yield a callback that shows reports on standard error, or ``None`` off a terminal.

    With ``rich`` installed it is a bar; otherwise one line that is written over. Either is removed
    at the end.
    """
    if not (sys.stderr.isatty() and os.environ.get("TERM") != "dumb"):
        yield None
        return
    try:
        from rich.console import Console  # noqa: PLC0415  # optional, and slow to import
        from rich.progress import (  # noqa: PLC0415  # optional, and slow to import
            BarColumn,
            Progress as Bar,
            TextColumn,
            TimeElapsedColumn,
        )
    except ImportError:

        def write(report: R) -> None:
            of = shown(report)
            sys.stderr.write(f"\r\x1b[K{label}  {of.time}{of.state}")
            sys.stderr.flush()

        try:
            yield write
        finally:
            sys.stderr.write("\r\x1b[K")
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
        TextColumn("{task.fields[state]}"),
    )  # fmt: skip
    with Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=ticking) as bar:
        task = bar.add_task(label, total=total, state="")

        def draw(report: R) -> None:
            of = shown(report)
            bar.update(task, completed=of.done, total=of.total, state=of.state, refresh=not ticking)

        yield draw


def _of_audit(report: Progress) -> _Shown:
    state = f"{report.stage} {report.done:,} of {report.total:,}"
    if report.remaining is not None:
        state += f", {_clock(report.remaining)} left"
    return _Shown(report.done, report.total, state)


def _clock(seconds: float) -> str:
    """Return a time as ``m:ss``, or ``h:mm:ss``.

    Examples
    --------
    >>> _clock(7.2), _clock(3725)
    ('0:08', '1:02:05')
    """
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


# A cluster of dask.distributed, by the address of its scheduler


@contextmanager
def cluster(address: str, *, file: str | None = None) -> Iterator[Executor]:
    """Yield an executor for the workers of a cluster.

    Parameters
    ----------
    address
        Of the scheduler.
    file
        A file of Python for the workers to import; its own imports must be installed there.

    Raises
    ------
    InvalidInput
        The extra is not installed, or the address does not answer.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise InvalidInput(
            "--scheduler", address, "pip install 'pac_stability[distributed]' first"
        ) from None
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        raise InvalidInput(
            "--scheduler", f"{address}: {error}", "the address of a scheduler that runs"
        ) from error
    with client:
        if file is not None:
            client.upload_file(file)
        yield client.get_executor()
