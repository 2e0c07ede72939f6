"""The page of benchmarks, written from the lines that were kept."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tools.bench import growth
from tools.bench.history import SLOWER, Line, Program, latest
from tools.bench.measure import ratios
from tools.bench.sections import LIBRARY, SECTIONS

_FIRST = ("definition", "informed")

HEAD = """# Benchmarks

Written by `python -m tools.bench --record`. Each row is one job on one instance, by the library
and by the baselines named above its table: *definition* reads the mathematics aloud, *informed* is
what a good user of Python, NumPy or of another library writes, mostly in floats, where the library
is exact; others say what they are.

Times are of the processor, all threads together, in milliseconds. The programs take turns, up to
five after a run that fills caches (fewer where it takes more than half the limit); a turn is one
run, or as many as take ten milliseconds together. A time is that of one run: the median of the
turns, with the least and the largest in brackets. A *ratio* says how many times as long as the
library a baseline took, with the least and the largest that two turns give; below 1 the baseline
was quicker. `>` stands where it was stopped at the limit, an empty cell where it was not run.
Programs that end must agree on the value. Times depend on the machine, ratios vary by a third from
run to run, values and nodes do not vary. (Before 2026-11-24 a turn was one run in any case: what
takes less than a millisecond met caches that others had filled.)

`docs/runs/bench.jsonl` keeps each recorded run, a line of JSON for each instance; the command says
what takes %s times as long as in the last of them, beside its baselines.
"""


def written(lines: Sequence[Line]) -> str:
    """The whole page."""
    newest = latest(lines)
    parts = [HEAD % SLOWER]
    for title, section in SECTIONS.items():
        found = [newest[title, name] for name in section.names if (title, name) in newest]
        if found:
            table = grown(found) if section.grows else compared(found)
            parts.append(f"## {title}\n\n{section.what}\n\n{_runs(found)}\n\n{table}")
    return "\n".join(parts)


def _runs(found: Sequence[Line]) -> str:
    runs = dict.fromkeys(
        f"{line.run['when'].split()[0]}, {line.run['of']}, {line.run['machine']}, Python "
        f"{line.run['python']}, NumPy {line.run['numpy']}, limit {line.limit:g} s"
        for line in found
    )
    return f"Measured: {'; '.join(runs)}."


def compared(found: Sequence[Line]) -> str:
    """A table with a column of times and one of ratios for each baseline."""
    # What was measured, which is not what can be measured here: other libraries are optional.
    labels = sorted(
        dict.fromkeys(label for line in found for label in line.programs if label != LIBRARY),
        key=lambda label: _FIRST.index(label) if label in _FIRST else len(_FIRST),
    )
    head = ["instance", "value", "nodes", "library ms"]
    for label in labels:
        head += [f"{label} ms", "ratio"]
    return _table(head, [_cells(line, labels) for line in found])


def _cells(line: Line, labels: Sequence[str]) -> list[str]:
    ours = line.programs[LIBRARY]
    work = f"{ours.work:,}" if ours.work else ""
    cells = [line.instance.replace("|", "\\|"), line.value, work, time_of(ours)]
    for label in labels:
        theirs = line.programs.get(label)
        cells += ["", ""] if theirs is None else [time_of(theirs), ratio(ours, theirs, line.limit)]
    return cells


def time_of(program: Program) -> str:
    """Median, least and largest in milliseconds."""
    if program.median is None:
        return "stopped"
    middle = _milliseconds(program.median)
    if len(program.seconds) == 1:
        return middle
    low, high = min(program.seconds), max(program.seconds)
    return f"{middle} ({_milliseconds(low)}-{_milliseconds(high)})"


def _milliseconds(seconds: float) -> str:
    return _digits(1000 * seconds)


def _digits(number: float) -> str:
    """Three digits that count, and no exponent."""
    if number <= 0:
        return "0"
    places = max(0, 2 - math.floor(math.log10(number)))
    return f"{number:,.{places}f}"


def ratio(ours: Program, theirs: Program, limit: float) -> str:
    """How many times as long a baseline took."""
    if ours.median is None:
        return "" if theirs.median is None else f"< {_digits(theirs.median / limit)}"
    if theirs.median is None:
        return f"> {_digits(limit / ours.median)}"
    middle, low, high = ratios(theirs.seconds, ours.seconds)
    return f"{_digits(middle)} ({_digits(low)}-{_digits(high)})"


def grown(found: Sequence[Line]) -> str:
    """A table of sizes with the exponent from each to the next."""
    rows = []
    before: Line | None = None
    for line in found:
        ours = line.programs[LIBRARY]
        exponent = ""
        if before is not None and growth.series_of(before.instance) == growth.series_of(
            line.instance
        ):
            last = before.programs[LIBRARY].median
            step = math.log(growth.size_of(line.instance) / growth.size_of(before.instance))
            if last is not None:
                took = line.limit if ours.median is None else ours.median
                sign = "> " if ours.median is None else ""
                exponent = f"{sign}{math.log(took / last) / step:.1f}"
        work = f"{ours.work:,}" if ours.work else ""
        rows.append([line.instance, line.value, work, time_of(ours), exponent])
        before = line
    return _table(["instance", "value", "nodes", "library ms", "exponent"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"
