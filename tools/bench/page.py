"""The page of benchmarks: a table for each job, of the run that measured it last."""

from __future__ import annotations

import math
import platform
import re
import statistics
import subprocess
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from tools.bench.job import LIBRARY, Job, Row
from tools.bench.measure import Measurement

_FIRST = ("definition", "informed")
_WIDEST = 16

GROWS = "Time grows with the size to the power of:"

HEAD = """# Benchmarks

Written by `python -m tools.bench --record`. Each row is one instance of a job, by the library and
by baselines. *Definition* is the mathematics, written down literally. *Informed* is the code of a
good user of Python, NumPy or another library, mostly in floats where the library is exact.

Times are processor times of all threads together, in milliseconds. After one run to fill caches the
programs take turns, up to five (fewer if a turn takes more than half the limit). A turn is one run,
or as many as take ten milliseconds together. A time is that of one run: the median of the turns,
with the least and the largest in brackets. A *ratio* is the baseline's time divided by the
library's, with the least and the largest of any two turns. `>` means that the baseline was stopped
at the limit, an empty cell that it was not run. Programs that end must agree on the value. Times
depend on the machine, and ratios vary by a third from run to run; values and nodes do not vary.
Where a job asks how cost grows, the power is the slope of a line through all points; short runs
have a constant part, so it is below that of long ones. The last record shared the machine with
other work, which lengthens times and not ratios.

![Milliseconds over size, for each job that asks how cost grows](../figures/growth.svg)
"""


def with_job(text: str, name: str, job: Job, found: Sequence[Row], limit: float) -> str:
    """The page with a new table for a job."""
    written = f"## {name}\n\n{job.what}\n\n{_measured(limit)}\n\n{table(found, limit)}"
    if job.sizes is not None:
        grows = "; ".join(f"{label} {power:.2f}" for label, power in exponents(job, found).items())
        most = max((row.found[LIBRARY].memory for row in found), default=0)
        written += f"\n{GROWS} {grows}. The library's process held {most:,} MB at most.\n"
    parts = dict(re.findall(r"^## (\S+)\n((?:(?!## ).*\n)*)", text, re.MULTILINE))
    parts = {title: f"## {title}\n{body}".rstrip("\n") + "\n" for title, body in parts.items()}
    return "\n".join([HEAD, *(parts | {name: written}).values()])


def curves(job: Job, found: Sequence[Row]) -> dict[str, list[tuple[int, float]]]:
    """For each program, sizes and seconds."""
    drawn: dict[str, list[tuple[int, float]]] = {}
    for row in found:
        for label, one in row.found.items():
            if one.median is not None and (size := (job.sizes or {}).get(row.instance)):
                drawn.setdefault(label, []).append((size, one.median))
    return drawn


def exponents(job: Job, found: Sequence[Row]) -> dict[str, float]:
    """For each program, with which power of the size its time grows, by least squares of logs."""
    fitted = {}
    for label, curve in curves(job, found).items():
        logs = [tuple(map(math.log, point)) for point in curve]
        if len(logs) > 1:
            fitted[label] = statistics.linear_regression(*zip(*logs, strict=True)).slope
    return fitted


def recorded(text: str, name: str) -> float | None:
    """The power that the page has for the library in a job."""
    _, _, part = text.partition(f"## {name}\n")
    told = re.search(
        rf"^{re.escape(GROWS)} {LIBRARY} (-?\d+\.\d+)", part.partition("\n## ")[0], re.M
    )
    return None if told is None else float(told[1])


def _measured(limit: float) -> str:
    when = time.strftime("%Y-%m-%d", time.gmtime())
    return (
        f"Measured: {when}, {_commit()}, {_processor()}, {platform.system()}, Python "
        f"{platform.python_version()}, NumPy {np.__version__}, limit {limit:g} s."
    )


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.*)", cpus.read_text("utf-8")) if cpus.exists() else None
    return named[1] if named else platform.processor() or platform.machine()


def table(found: Sequence[Row], limit: float) -> str:
    """A table with a column of times and one of ratios for each baseline."""
    labels = sorted(
        dict.fromkeys(label for row in found for label in row.found if label != LIBRARY),
        key=lambda label: _FIRST.index(label) if label in _FIRST else len(_FIRST),
    )
    head = ["instance", "value", "nodes", "library ms"]
    for label in labels:
        head += [f"{label} ms", "ratio"]
    rows = [_cells(row, labels, limit) for row in found]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _cells(row: Row, labels: Sequence[str], limit: float) -> list[str]:
    ours = row.found[LIBRARY]
    value = next((one.value for one in row.found.values() if one.seconds), None)
    work = f"{ours.work:,}" if ours.work else ""
    cells = [row.instance.replace("|", "\\|"), _in_words(value), work, time_of(ours)]
    for label in labels:
        theirs = row.found.get(label)
        cells += ["", ""] if theirs is None else [time_of(theirs), ratio(ours, theirs, limit)]
    return cells


def _in_words(value: int | Fraction | None) -> str:
    exact = "" if value is None else str(value)
    return exact if value is None or len(exact) <= _WIDEST else f"{float(value):.6g}"


def time_of(program: Measurement) -> str:
    """Median, least and largest in milliseconds."""
    if program.median is None:
        return "stopped"
    middle = _digits(1000 * program.median)
    if len(program.seconds) == 1:
        return middle
    return f"{middle} ({_spread(1000 * min(program.seconds), 1000 * max(program.seconds))})"


def ratio(ours: Measurement, theirs: Measurement, limit: float) -> str:
    """How many times as long a baseline took."""
    if ours.median is None:
        return "" if theirs.median is None else f"< {_digits(theirs.median / limit)}"
    if theirs.median is None:
        return f"> {_digits(limit / ours.median)}"
    low, high = min(theirs.seconds) / max(ours.seconds), max(theirs.seconds) / min(ours.seconds)
    return f"{_digits(theirs.median / ours.median)} ({_spread(low, high)})"


def _spread(low: float, high: float) -> str:
    return f"{_digits(low)}-{_digits(high)}"


def _digits(number: float) -> str:
    """Three digits that count, and no exponent."""
    if number <= 0:
        return "0"
    return f"{number:,.{max(0, 2 - math.floor(math.log10(number)))}f}"


def beside_baselines(row: Row) -> float | None:
    """How long the library took as a multiple of its baselines, whose machine it shares."""
    ours = row.found[LIBRARY].median
    theirs = [one.median for label, one in row.found.items() if label != LIBRARY and one.median]
    return None if ours is None or not theirs else ours / statistics.geometric_mean(theirs)
