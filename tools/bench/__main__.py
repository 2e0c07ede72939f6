"""Measure the library against named baselines, in turns on one machine.

``python -m tools.bench [SECTION ...] [--quick] [--limit SECONDS] [--record] [--history FILE]``

Each section is one job; `tools/bench/sections.py` says what each is and what it is compared with:
the definition, and what a good user of Python, NumPy or another library writes.  Times are of the
processor, medians of runs that take turns, with their spread.  Exit code 1 if the library did not
end in time, or took %s times as long, beside its baselines, as in the last run of the history.

``--record`` adds the run to the history, ``docs/runs/bench.jsonl``, and writes the page
``docs/reference/benchmarks.md`` from it.  All sections take a quarter of an hour of processor.

``python -m tools.bench.private_accuracy`` prints how accurate the private classifiers are, beside
others that are installed for it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.bench import history, page
from tools.bench.sections import LIBRARY, SECTIONS

ROOT = Path(__file__).resolve().parents[2]
HISTORY = ROOT / "docs" / "runs" / "bench.jsonl"
PAGE = ROOT / "docs" / "reference" / "benchmarks.md"

LIMIT, ROUNDS = 10.0, 5
QUICK_LIMIT, QUICK_ROUNDS = 2.0, 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "") % history.SLOWER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("section", nargs="*", help="default: all")
    parser.add_argument("--quick", action="store_true", help="a small instance of each, once")
    parser.add_argument("--limit", type=float, help="seconds of processor for one run")
    parser.add_argument("--history", type=Path, default=HISTORY, help="lines of JSON")
    parser.add_argument("--record", action="store_true", help="keep the run, and write the page")
    parser.add_argument("--page", action="store_true", help="write the page from the history only")
    arguments = parser.parse_args()
    unknown = set(arguments.section) - set(SECTIONS)
    if unknown:
        parser.error(f"unknown section {min(unknown)!r}; there are {', '.join(SECTIONS)}")
    return arguments


def main() -> int:
    """Measure the sections asked for, and print a table of each."""
    arguments = _arguments()
    kept = history.read(arguments.history)
    if not arguments.page:
        lines = _measured(arguments)
        # A quick run has one run of each, which says little about speed.
        slower = [] if arguments.quick else list(history.slower(kept, lines))
        unfinished = [
            line for line in lines
            if not SECTIONS[line.section].grows and line.programs[LIBRARY].median is None
        ]  # fmt: skip
        for line in unfinished:
            print(f"not in time: {line.section}, {line.instance}")
        for text in slower:
            print(f"slower: {text}")
        if not arguments.record:
            return int(bool(unfinished or slower))
        history.append(arguments.history, lines)
    PAGE.write_text(page.written(history.read(arguments.history)), encoding="utf-8")
    return 0


def _measured(arguments: argparse.Namespace) -> list[history.Line]:
    quick = arguments.quick
    limit = arguments.limit or (QUICK_LIMIT if quick else LIMIT)
    run, lines = history.this_run(), []
    for title in arguments.section or SECTIONS:
        section = SECTIONS[title]
        names = section.quick if quick else section.names
        found = []
        for row in section.rows(names, limit=limit, rounds=QUICK_ROUNDS if quick else ROUNDS):
            found.append(history.Line.of(run, title, row, limit))
            print(f"{title}: {row.instance}", end="\r", file=sys.stderr, flush=True)
        lines += found
        table = page.grown(found) if section.grows else page.compared(found)
        print(f"{title}\n{section.what}\n{table}", flush=True)
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
