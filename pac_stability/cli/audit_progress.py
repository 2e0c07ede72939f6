"""One moving line on the terminal while an audit runs: what is done, and when it will end."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pac_stability.audit.progress import Progress, ProgressCallback
from pac_stability.cli.progress import on_terminal, write_over


@contextmanager
def watched_audit(label: str) -> Iterator[ProgressCallback | None]:
    """Yield a callback that shows how far an audit is, or ``None`` off a terminal.

    With ``rich`` installed it is a bar, as long as the work, whose amount is known beforehand;
    otherwise one line that is written over, and removed at the end.
    """
    if not on_terminal():
        yield None
        return
    try:
        from rich.console import Console  # noqa: PLC0415  # optional, and slow to import
        from rich.progress import (  # noqa: PLC0415  # optional, and slow to import
            BarColumn,
            Progress as Bar,  # optional, and slow to import
            TextColumn,
            TimeElapsedColumn,
        )
    except ImportError:
        try:
            yield lambda report: write_over(f"{label}  {_state(report)}")
        finally:
            sys.stderr.write("\r\x1b[K")
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
        TextColumn("{task.fields[state]}"),
    )  # fmt: skip
    # It is drawn when there is something new, and not by a thread: copies of this process may work.
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(label, total=None, state="")
        yield lambda report: bar.update(
            task, completed=report.done, total=report.total, state=_state(report), refresh=True
        )


def _state(report: Progress) -> str:
    state = f"{report.stage} {report.done:,} of {report.total:,}"
    return state if report.remaining is None else f"{state}, {_clock(report.remaining)} left"


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
