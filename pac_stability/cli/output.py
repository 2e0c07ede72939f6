"""Where the answer of a command goes, and what is shown on the way.

An answer goes to the terminal, a pipe or a file. Long work shows a line of progress on the
terminal, or is done on a cluster.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pac_stability._alarm import limited
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text

if TYPE_CHECKING:  # what shows a search needs no audits, and what lists claims no searches
    from pac_stability.audit.options import Progress, ProgressCallback
    from pac_stability.dimensions.bounds import ProgressCallback as SearchCallback, SearchProgress


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> plural(1, "round"), plural(1200, "round"), plural(0, "hypothesis", "hypotheses")
    ('1 round', '1,200 rounds', '0 hypotheses')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def to_json(report: object) -> str:
    """Return a report as text, one field a line."""
    return json.dumps(report, indent=1) + "\n"


HTML = (".html", ".htm")
"""Names of files that a page may have."""


def check_output(output: str | None, extensions: Collection[str] = ()) -> None:
    """Refuse a file that cannot be written, before hours of computing its contents.

    Its extension must be one of ``extensions``, or none: ``report.pdf`` must not contain HTML.
    """
    if output is None:
        return
    target = Path(output)
    if extensions and target.suffix and target.suffix.lower() not in extensions:
        wanted = "a name that ends in " + " or ".join(extensions)
        raise InvalidInput(output, f"a file of the kind {target.suffix}", wanted)
    if target.is_dir() or not target.name:
        raise InvalidInput(repr(output), "a directory", "a file to write")
    if not os.access(target.parent, os.W_OK):
        raise InvalidInput(output, "no directory that can be written to", "a file to write")


def emit(text: str, output: str | None = None) -> None:
    """Write ``text`` to a file, whole or not at all, or to standard output."""
    if output is None:
        sys.stdout.write(text)
        # Into a pipe, too, what is known appears at once.
        sys.stdout.flush()
        return
    write_text(output, text)


def coloured() -> bool:
    """Whether standard output is a terminal that may show colours (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def width() -> int:
    """Return how many columns a report may have."""
    return max(shutil.get_terminal_size((100, 24)).columns, 60)


# What is shown on the way

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


LATE = 10.0
"""Seconds of the processor after which work takes long."""


@contextmanager
def told_late(words: str) -> Iterator[None]:
    """Print words on standard error, once, if the work takes long."""
    alone = threading.current_thread() is threading.main_thread()
    if not (alone and hasattr(signal, "SIGVTALRM")):
        yield
        return

    def tell(*_: object) -> None:  # no thread, for copies of this process may work
        os.write(2, f"{words}\n".encode())

    before = signal.signal(signal.SIGVTALRM, tell)
    signal.setitimer(signal.ITIMER_VIRTUAL, LATE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


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
        wanted = "pip install 'pac_stability[distributed]' first"
        raise InvalidInput("--scheduler", address, wanted) from None
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        given = f"{address}: {error}"
        raise InvalidInput("--scheduler", given, "the address of a scheduler that runs") from error
    with client:
        if file is not None:
            client.upload_file(file)
        yield client.get_executor()
