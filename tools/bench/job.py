"""A job: its instances, the library's program, and what that is compared with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from tools.bench.measure import Measurement, Run, measure, processor

Program = Callable[[str], Run]
"""Prepares the instance of a name and returns what is timed."""

LIBRARY = "library"


@dataclass(frozen=True)
class Baseline:
    """Another way to the same number, on the instances for which it was written.

    Attributes
    ----------
    label
        "definition" reads the mathematics aloud; "informed" is what a good user of Python, NumPy or
        of the peer's library writes; others say what they are.
    instances
        What it is run on: elsewhere it would take hours, or was not written. All by default.
    published
        For each instance the seconds that others printed, on their machine: nothing is run.
    """

    label: str
    program: Program
    instances: Collection[str] | None = None
    published: Mapping[str, float] | None = None


definition = partial(Baseline, "definition")
informed = partial(Baseline, "informed")


@dataclass(frozen=True)
class Row:
    """One instance, by program."""

    instance: str
    found: dict[str, Measurement]


@dataclass(frozen=True)
class Job:
    """Instances of one job, the library's program, and the baselines.

    Attributes
    ----------
    what
        A paragraph for the page.
    instances
        Their names.
    quick
        How many of them, from the first on, a quick run takes.
    sizes
        How large the instances are, where it is asked how cost grows.
    clock
        Of the processor, or for work of several processes on the wall.
    """

    what: str
    instances: Collection[str]
    library: Program
    baselines: tuple[Baseline, ...]
    quick: int = 1
    sizes: Mapping[str, int] | None = None
    clock: Callable[[], float] = processor

    def rows(self, names: Iterable[str], *, limit: float, rounds: int) -> Iterator[Row]:
        """Measure instances; all programs that end must agree."""
        for name in names:
            tasks = {LIBRARY: partial(self.library, name)}
            for baseline in self.baselines:
                if baseline.published is None and name in (baseline.instances or self.instances):
                    tasks[baseline.label] = partial(baseline.program, name)
            found = measure(tasks, limit=limit, rounds=rounds, clock=self.clock)
            values = {one.value for one in found.values() if one.seconds}
            if len(values) > 1:
                raise SystemExit(f"{name}: the programs do not agree: {values}")
            for each in self.baselines:
                if each.published:
                    found[each.label] = Measurement((each.published[name],))
            yield Row(name, found)
