"""Measure the compiled searches against named baselines, in one run on one machine.

``python -m tools.bench [SECTION ...] [--quick] [--limit SECONDS] [--json FILE]``

``littlestone-small``  against the plain memoised recursion (the definition), where that finishes
``littlestone-hard``   against the informed search in plain Python, on the hard set
``growth``             nodes and time of the Littlestone search as sizes double
``vector-units``       the widest vector instructions of the processor, against AVX2 (where that
                       is the widest, the ratio is 1)
``vc``                 against the plain search over sets of points
``threshold``          against a branch and bound over first pairs in plain Python, with a memo
``online``             a stream of examples through the standard optimal algorithm, its table warm,
                       against the literal algorithm, its memo warm too
``audit``              private prediction of a tabulated predictor, against a loop over all pairs
``draws``              draws of one of 1,000 hypotheses, against the weights as a list of fractions
``selection``          the law of the stable learner's choice, in certified bounds, against the
                       average over all index subsets in floats
``additive``           the stable learner on thresholds, certified, against the same sum in NumPy
``draws-at-scale``     a draw of the stable learner from 10^6 examples, against NumPy operations on
                       the whole sample for each candidate
``answers``            questions to a prepared learner, preparation included, against the same
                       learner asked anew each time
``batches``            draws of the exponential mechanism, exact, against ``Generator.choice``
``tournaments``        runs of algorithm G at the private learner's sizes, against plain draws
                       with remembered states
``tournaments-plain``  the same against the SOA run anew on every sample
``whole-learners``     algorithm M by level and the agnostic learner at the sizes that keep their
                       promise, against the same at those of the paper's accounting
``by-law``             algorithm M by level, all runs at once from the law of one, against the jump
                       chain run by run
``implicit``           classes without a table, against the tables of the same classes
``robust``             the best adversary against robust generalization, exact, against the same
                       in NumPy's floats
``robust-plain``       the same against the definition in fractions
``perfect``            perfect generalization of laws on two outcomes, against every simulator
``concentrated``       rho of two laws, against sums of rational intervals at more orders

``python -m tools.bench.private_accuracy`` prints how accurate the private classifiers are, beside
others that are installed for it.

A ratio says how many times longer the baseline took; ``>`` stands before it when the baseline was
stopped at the limit.  Absolute times depend on the machine; ratios and node counts are the result.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from pac_stability import dimensions
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import Bounds, reference, reference_half_graphs
from tools.bench import (
    additive,
    answers,
    audits,
    baselines,
    concentration,
    draws,
    draws_at_scale,
    generalization,
    implicit_classes,
    instances,
    online_game,
    selections,
    tournaments,
    whole_learners,
)
from tools.bench.measure import Measurement, Run, Task, measure

REPEATS = 5

# Prepares the instance of a name and returns what is timed.
Program = Callable[[str], Run]


@dataclass(frozen=True)
class Row:
    """One instance: the library, and the baseline if there is one."""

    instance: str
    library: Measurement
    baseline: Measurement | None

    def ratio(self, limit: float) -> str:
        """How many times longer the baseline took."""
        ours = self.library.seconds
        if self.baseline is None or ours is None:
            return ""
        if self.baseline.seconds is None:
            return f"> {limit / ours:,.0f}"
        return f"{self.baseline.seconds / ours:,.1f}"


@dataclass(frozen=True)
class Section:
    """Instances, and two ways to get the same number from each."""

    names: list[str]
    library: Program
    baseline: Program | None
    what: str

    def rows(self, limit: float) -> Iterator[Row]:
        """Measure every instance; both sides must agree wherever both finish."""
        for name in self.names:
            library = measure(self._task(name, self.library), limit=limit, repeats=REPEATS)
            baseline = None
            if self.baseline is not None:
                baseline = measure(self._task(name, self.baseline), limit=limit, repeats=2)
                if {library.value, baseline.value} - {None, library.value}:
                    raise SystemExit(f"{name}: {library.value} here, {baseline.value} there")
            yield Row(name, library, baseline)

    @staticmethod
    def _task(name: str, program: Program) -> Task:
        return lambda: program(name)


def on_class(program: Callable[[FiniteClass], Run]) -> Program:
    """A program on hypothesis classes, by their names."""
    return lambda name: program(instances.named(name))


def search(function: Callable[[FiniteClass], Bounds[object]]) -> Program:
    """A compiled search: dimension and nodes."""

    def program(hypotheses: FiniteClass) -> Run:
        def run() -> tuple[int, int]:
            found = function(hypotheses)
            return found.value, found.nodes

        return run

    return on_class(program)


def plain(function: Callable[[NDArray[np.uint8]], int]) -> Program:
    """A baseline on tables, which counts no nodes."""
    return on_class(lambda hypotheses: lambda: (function(hypotheses.table), 0))


SECTIONS = {
    "littlestone-small": Section(
        instances.SMALL,
        search(dimensions.littlestone),
        plain(reference.plain_recursion),
        "baseline: the definition, memoised by version space",
    ),
    "littlestone-hard": Section(
        instances.HARD,
        search(dimensions.littlestone),
        plain(reference.informed_search),
        "baseline: the informed decision search in plain Python",
    ),
    "growth": Section(
        instances.GROWTH, search(dimensions.littlestone), None, "sizes double at density one half"
    ),
    "vector-units": Section(
        instances.WIDE,
        search(dimensions.littlestone),
        search(baselines.littlestone_by_avx2),
        "baseline: the same search with AVX2",
    ),
    "vc": Section(
        instances.VC,
        search(dimensions.vc),
        plain(baselines.plain_vc),
        "baseline: sets of points in increasing order, cells of rows as Python integers",
    ),
    "threshold": Section(
        instances.THRESHOLD,
        search(dimensions.threshold),
        plain(reference_half_graphs.first_pair_search),
        "baseline: first pairs in plain Python, bounded by degrees, with a memo",
    ),
    "online": Section(
        instances.ONLINE,
        on_class(online_game.library),
        on_class(online_game.literal),
        "baseline: the definition, with its memo warm; value: mistakes; nodes: examples",
    ),
    "audit": Section(
        list(audits.INSTANCES),
        audits.library,
        audits.plain,
        "baseline: every pair of neighbours and every point, in Python; nodes: pairs",
    ),
    "draws": Section(
        list(draws.INSTANCES),
        draws.library,
        draws.literal,
        "baseline: the law as fractions, and a draw from it; nodes: draws",
    ),
    "selection": Section(
        list(selections.INSTANCES),
        selections.library,
        selections.plain,
        "baseline: every index subset, in Python; value: a probability; nodes: of the walk",
    ),
    "additive": Section(
        list(additive.INSTANCES),
        additive.library,
        additive.arrays,
        "baseline: vectors of states in floats; value: loss in millionths; nodes: examples",
    ),
    "draws-at-scale": Section(
        list(draws_at_scale.INSTANCES),
        draws_at_scale.library,
        draws_at_scale.array_operations,
        "baseline: floats, one pass over the sample for each candidate; nodes: draws",
    ),
    "answers": Section(
        list(answers.INSTANCES),
        answers.prepared,
        answers.anew,
        "baseline: predict, which counts anew; nodes: answers",
    ),
    "batches": Section(
        list(answers.BATCHES),
        answers.exact_batch,
        answers.float_batch,
        "baseline: NumPy in floats; nodes: draws",
    ),
    "tournaments": Section(
        list(tournaments.INSTANCES),
        tournaments.library,
        tournaments.literal,
        "baseline: example by example, with remembered states; nodes: runs of G",
    ),
    "tournaments-plain": Section(
        list(tournaments.DRAWN),
        tournaments.library,
        tournaments.straightforward,
        "baseline: lists of examples, the SOA run anew on each; nodes: runs of G",
    ),
    "whole-learners": Section(
        list(whole_learners.INSTANCES),
        whole_learners.sharp,
        whole_learners.as_before,
        "baseline: the sizes of the paper's accounting; nodes: examples",
    ),
    "by-law": Section(
        list(whole_learners.BY_LAW),
        whole_learners.by_law,
        whole_learners.run_by_run,
        "baseline: the same runs one after the other, by the jump chain",
    ),
    "implicit": Section(
        implicit_classes.NAMES,
        implicit_classes.library,
        implicit_classes.table,
        "baseline: the table, states with all their successors; nodes: columns, or runs",
    ),
    "robust": Section(
        list(generalization.ROBUST),
        generalization.robust,
        generalization.robust_arrays,
        "baseline: matrix products in floats; value: in billionths; nodes: types times tests",
    ),
    "robust-plain": Section(
        list(generalization.ROBUST),
        generalization.robust,
        generalization.robust_plain,
        "baseline: sums of fractions; value: in billionths; nodes: types times tests",
    ),
    "perfect": Section(
        list(generalization.PERFECT),
        generalization.perfect,
        generalization.perfect_plain,
        "baseline: every simulator, every law, in fractions; value: beta; nodes: laws",
    ),
    "concentrated": Section(
        list(concentration.INSTANCES),
        concentration.library,
        concentration.intervals,
        "baseline: sums of rational intervals, no chords; value: rho; nodes: likelihood ratios",
    ),
}
QUICK = {"littlestone-small": 3, "littlestone-hard": 2, "growth": 2, "tournaments": 2, "robust": 2}
"""How many instances of a section a quick run has, where that is not one."""


def milliseconds(measurement: Measurement | None) -> str:
    """A time for the table."""
    if measurement is None:
        return ""
    return "-" if measurement.seconds is None else f"{1000 * measurement.seconds:,.2f}"


def per_node(measurement: Measurement) -> str:
    """Microseconds for a unit of work."""
    if measurement.seconds is None or not measurement.work:
        return "-"
    return f"{1e6 * measurement.seconds / measurement.work:,.2f}"


def main() -> int:
    """Measure the sections asked for and print one table each; 1 if the library was too slow."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("section", nargs="*", help="default: all")
    parser.add_argument("--quick", action="store_true", help="a few instances of each section")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one measurement")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    arguments = parser.parse_args()
    unknown = set(arguments.section) - set(SECTIONS)
    if unknown:
        parser.error(f"unknown section {min(unknown)!r}; there are {', '.join(SECTIONS)}")
    console = Console(width=110)
    report: dict[str, list[dict[str, object]]] = {}
    unfinished = 0
    for title in arguments.section or SECTIONS:
        section = SECTIONS[title]
        if arguments.quick:
            section = replace(section, names=section.names[: QUICK.get(title, 1)])
        table = Table("instance", title=f"{title} ({section.what})", title_justify="left")
        for heading in ("value", "nodes", "us/node", "library ms", "baseline ms", "ratio"):
            table.add_column(heading, justify="right")
        rows = list(
            track(
                section.rows(arguments.limit),
                description=title,
                total=len(section.names),
                console=console,
                transient=True,
                disable=not sys.stderr.isatty(),
            )
        )
        for row in rows:
            unfinished += row.library.seconds is None
            table.add_row(
                row.instance,
                "-" if row.library.value is None else str(row.library.value),
                "-" if row.library.work is None else f"{row.library.work:,}",
                per_node(row.library),
                milliseconds(row.library),
                milliseconds(row.baseline),
                row.ratio(arguments.limit),
            )
        console.print(table)
        report[title] = [asdict(row) | {"ratio": row.ratio(arguments.limit)} for row in rows]
    if arguments.json is not None:
        figures = json.dumps(report, indent=1, default=str)
        arguments.json.write_text(figures + "\n", encoding="utf-8")
    return int(unfinished > 0)


if __name__ == "__main__":
    raise SystemExit(main())
