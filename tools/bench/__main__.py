"""Measure the library against named baselines, in turns on one machine.

``python -m tools.bench [JOB ...] [--quick] [--limit SECONDS] [--record]``

Each job is compared with the definition, and with what a good user of Python, NumPy or another
library writes.  Times are of the processor, medians of runs that take turns, with their spread.
Exit code 1 if the library did not end in time, or a job took %s times as long, beside its
baselines, as in the run before, which is kept in ``build/bench.json``, or its time grows faster
than on the page.

``--record`` writes what was found to the page ``docs/reference/benchmarks.md``; other jobs stay
there as they are.  All jobs take ten minutes of processor.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tools.bench import page
from tools.bench.job import LIBRARY, Row
from tools.bench.jobs import JOBS

ROOT = Path(__file__).resolve().parents[2]
BEFORE = ROOT / "build" / "bench.json"
PAGE = ROOT / "docs" / "reference" / "benchmarks.md"
CURVES = ROOT / "docs" / "figures" / "growth.json"
SLOWER, STEEPER = 1.5, 0.3

LIMIT, ROUNDS = 10.0, 5
QUICK_LIMIT, QUICK_ROUNDS = 2.0, 1


def main() -> int:
    """Measure the jobs asked for, and print a table of each."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "") % SLOWER, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("job", nargs="*", help="default: all")
    parser.add_argument("--quick", action="store_true", help="a small instance of each, once")
    parser.add_argument("--limit", type=float, help="seconds of processor for one run")
    parser.add_argument("--record", action="store_true", help="write what was found to the page")
    arguments = parser.parse_args()
    unknown = set(arguments.job) - set(JOBS)
    if unknown:
        parser.error(f"unknown job {min(unknown)!r}; there are {', '.join(JOBS)}")
    quick = arguments.quick
    limit = arguments.limit or (QUICK_LIMIT if quick else LIMIT)
    kept, ended = json.loads(BEFORE.read_text("utf-8")) if BEFORE.exists() else {}, 0
    for name in arguments.job or JOBS:
        job, found = JOBS[name], list[Row]()
        for row in job.rows(
            list(job.instances)[: job.quick] if quick else job.instances,
            limit=limit,
            rounds=QUICK_ROUNDS if quick else ROUNDS,
        ):
            print(f"{name}: {row.instance}", end="\r", file=sys.stderr, flush=True)
            found.append(row)
        print(f"{name}\n{job.what}\n{page.table(found, limit)}", flush=True)
        # One run of each, as in a quick run, says little about speed.
        wrong = list(complaints(name, found, {} if quick else kept))
        before = (
            None if quick or not PAGE.exists() else page.recorded(PAGE.read_text("utf-8"), name)
        )
        wrong += grown(name, before, page.exponents(job, found).get(LIBRARY))
        print(*wrong, sep="\n" if wrong else "", end="", flush=True)
        ended |= int(bool(wrong))
        if arguments.record:
            text = PAGE.read_text("utf-8") if PAGE.exists() else ""
            PAGE.write_text(page.with_job(text, name, job, found, limit), "utf-8")
            if job.sizes is not None:
                drawn = json.loads(CURVES.read_text("utf-8")) if CURVES.exists() else {}
                drawn[name] = page.curves(job, found)
                CURVES.write_text(json.dumps(drawn, indent=1) + "\n", "utf-8")
        if not quick:
            kept[name] = {row.instance: page.beside_baselines(row) for row in found}
            BEFORE.parent.mkdir(exist_ok=True)
            BEFORE.write_text(json.dumps(kept), "utf-8")
    return ended


def complaints(name: str, found: list[Row], kept: dict[str, dict[str, float | None]]) -> list[str]:
    """Say what did not end in time, and what got slower."""
    told = []
    for row in found:
        before, now = kept.get(name, {}).get(row.instance), page.beside_baselines(row)
        if row.found[LIBRARY].median is None:
            told.append(f"not in time: {name}, {row.instance}\n")
        elif before is not None and now is not None and now > SLOWER * before:
            told.append(f"slower: {name}, {row.instance}: {now / before:.1f} times as long\n")
    return told


def grown(name: str, before: float | None, now: float | None) -> list[str]:
    """Say that time grows faster than at the last record."""
    worse = before is not None and now is not None and now > before + STEEPER
    return [f"steeper: {name}: to the power {now:.2f}, was {before:.2f}\n"] if worse else []


if __name__ == "__main__":
    raise SystemExit(main())
