"""One moving line on the terminal while a search runs: bounds, work, time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pac_stability.dimensions.bounds import ProgressCallback, SearchProgress

MOMENT = 1e-6
"""Seconds: a search that may go on for so long only reports what it has."""


@contextmanager
def watched(label: str, time_limit: float | None) -> Iterator[ProgressCallback | None]:
    """Yield a callback that shows reports on standard error, or ``None`` off a terminal.

    With ``rich`` installed it is a bar, as long as the time limit; otherwise one line that is
    written over, and removed at the end.
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
        yield _line(label, time_limit)
        sys.stderr.write("\r\x1b[K")
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(),
        TextColumn("{task.fields[state]}"),
    )  # fmt: skip
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=time_limit, state="")
        yield lambda report: bar.update(task, completed=report.seconds, state=_state(report))


def on_terminal() -> bool:
    """Whether standard error is a terminal that can move its cursor."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _line(label: str, time_limit: float | None) -> ProgressCallback:
    shown = -1.0

    def show(report: SearchProgress) -> None:
        nonlocal shown
        if report.seconds - shown >= 0.1:
            shown = report.seconds
            of = "" if time_limit is None else f" of {time_limit:g}"
            write_over(f"{label}  {report.seconds:.1f}{of} s  {_state(report)}")

    return show


def write_over(text: str) -> None:
    """Put ``text`` in the place of the last line on standard error."""
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


def _state(report: SearchProgress) -> str:
    return f"{report.lower}..{report.upper}, {report.nodes:,} sub-problems"
