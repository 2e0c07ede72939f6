"""What was measured, a line of JSON for each instance of each run; and what got slower."""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import numpy as np

from tools.bench.measure import Measurement
from tools.bench.sections import LIBRARY, Row

_WIDEST = 16
SLOWER = 1.5
"""From this factor on a library that took longer, beside its baselines, is told of."""


@dataclass(frozen=True)
class Program:
    """The runs of one program, in seconds of processor; no runs where it was stopped."""

    seconds: tuple[float, ...]
    first: float | None
    wall: float | None
    work: int

    @property
    def median(self) -> float | None:
        """The middle run."""
        return statistics.median(self.seconds) if self.seconds else None


@dataclass(frozen=True)
class Line:
    """One instance of one run of the command."""

    run: Mapping[str, str]
    section: str
    instance: str
    limit: float
    value: str
    programs: Mapping[str, Program]

    @classmethod
    def of(cls, run: Mapping[str, str], section: str, row: Row, limit: float) -> Line:
        """What a row says."""
        value = next((one.value for one in row.found.values() if one.seconds), None)
        programs = {label: _program(one) for label, one in row.found.items()}
        text = "" if value is None else _in_words(value)
        return cls(run, section, row.instance, limit, text, programs)

    @classmethod
    def read(cls, text: str) -> Line:
        """What was written."""
        kept = json.loads(text)
        programs = {
            label: Program(tuple(one["seconds"]), one["first"], one["wall"], one["work"])
            for label, one in kept["programs"].items()
        }
        return cls(
            kept["run"], kept["section"], kept["instance"], kept["limit"], kept["value"], programs
        )

    def written(self) -> str:
        """One line of JSON."""
        programs = {
            label: {
                "seconds": [_short(s) for s in one.seconds],
                "first": _short(one.first),
                "wall": _short(one.wall),
                "work": one.work,
            }
            for label, one in self.programs.items()
        }
        kept = {
            "run": dict(self.run),
            "section": self.section,
            "instance": self.instance,
            "limit": self.limit,
            "value": self.value,
            "programs": programs,
        }
        return json.dumps(kept)


def _in_words(value: int | Fraction) -> str:
    exact = str(value)
    return exact if len(exact) <= _WIDEST else f"{float(value):.6g}"


def _program(one: Measurement) -> Program:
    wall = statistics.median(one.wall) if one.wall else None
    return Program(one.seconds, one.first, wall, one.work)


def _short(seconds: float | None) -> float | None:
    return None if seconds is None else float(f"{seconds:.4g}")


def this_run() -> dict[str, str]:
    """When, of what, and where: what a line says of the run that it belongs to."""
    return {
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "of": _output("git", "describe", "--always", "--dirty"),
        "machine": f"{_processor()}, {platform.system()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        for line in cpus.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def read(path: Path) -> list[Line]:
    """All lines of a file, the oldest first; none if there is no file."""
    if not path.exists():
        return []
    return [Line.read(text) for text in path.read_text(encoding="utf-8").splitlines()]


def append(path: Path, lines: Sequence[Line]) -> None:
    """Add lines at the end of a file."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{line.written()}\n" for line in lines)


def latest(lines: Sequence[Line]) -> dict[tuple[str, str], Line]:
    """The last line of each instance."""
    return {(line.section, line.instance): line for line in lines}


def slower(before: Sequence[Line], now: Sequence[Line]) -> Iterator[str]:
    """Yield what got slower beside its baselines, or alone where there is none.

    The baselines run in the same rounds, so that a busy or another machine slows them alike; the
    least factor over all of them counts.
    """
    kept = latest(before)
    for line in now:
        old = kept.get((line.section, line.instance))
        if old is None or LIBRARY not in old.programs:
            continue
        ours, was = line.programs[LIBRARY].median, old.programs[LIBRARY].median
        if was is None:
            continue
        name = f"{line.section}, {line.instance}"
        if ours is None:
            yield f"{name}: took {was:.3g} s, and now not less than {line.limit:g}"
            continue
        factors = [
            ours / was / (theirs / once)
            for label, one in line.programs.items()
            if label != LIBRARY and (theirs := one.median) is not None
            if label in old.programs and (once := old.programs[label].median) is not None
        ]
        if not factors and old.run["machine"] != line.run["machine"]:
            continue
        # Alone, only what is slower in every run than it was in any.
        mine, then = line.programs[LIBRARY].seconds, old.programs[LIBRARY].seconds
        factor = min(factors, default=min(mine) / max(then))
        if factor >= SLOWER:
            yield f"{name}: {factor:.1f} times as long as on {old.run['when']} ({old.run['of']})"
