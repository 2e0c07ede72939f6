"""What runs found about the claims, a line each: ``docs/runs/BUDGET.tsv``.

The site writes pages from it when it is built: ``claim_pages.py``.

``kept_runs.py --record FILE``  keeps a run of ``pac-stability verify --json``, all claims or some
``kept_runs.py --check``        says which claims have no run by the trials of today
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pac_stability import claims
from pac_stability.claims import Budget, Claim
from pac_stability.claims.report import counted, how_tight

ROOT = Path(__file__).resolve().parents[2]
RUNS = ROOT / "docs" / "runs"

HEADER = ("claim", "status", "instances", "active", "tightest", "trials", "counterexample")


@dataclass(frozen=True)
class Found:
    """What a run found about a claim: a line of a record.

    Attributes
    ----------
    status, instances, active, tightest, counterexample
        As in the evidence.
    trials
        A digest of the names and universes of the trials that it was found by.
    """

    status: str
    instances: int
    active: int
    tightest: float | None
    trials: str
    counterexample: str | None

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Found:
        """Read the entry of a claim in a document of ``verify --json``."""
        return cls(
            entry["status"],
            entry["instances"],
            entry["active"],
            entry["tightest"],
            digest((t["name"], t["universe"], t["exhaustive"]) for t in entry["trials"]),
            " ".join((entry["counterexample"] or "").split()) or None,
        )

    @classmethod
    def read(cls, fields: Sequence[str]) -> Found:
        """Read the fields of a line, after the key."""
        status, instances, active, tightest, trials, counterexample = fields
        reached = float(tightest) if tightest else None
        shown = counterexample or None
        return cls(status, int(instances), int(active), reached, trials, shown)

    def line(self, key: str) -> str:
        """The line of a record."""
        tightest = "" if self.tightest is None else repr(self.tightest)
        fields = (key, self.status, self.instances, self.active, tightest, self.trials)
        return "\t".join([*map(str, fields), self.counterexample or ""])

    def is_of(self, claim: Claim) -> bool:
        """Whether it was found by the trials that the claim has now."""
        return self.trials == digest((t.name, t.universe, bool(t.extent)) for t in claim.trials)

    @property
    def examined(self) -> str:
        """How many instances there were, how many could have refuted it, and the tightest."""
        tension = "" if self.tightest is None else f", tightest {how_tight(self.tightest)}"
        return f"{counted(self.active, self.instances)} instances{tension}"


def digest(trials: Iterable[tuple[str, str, bool]]) -> str:
    """Eight letters that tell trials apart."""
    text = json.dumps([*trials])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


Runs = Mapping[Budget, Mapping[str, Found]]
"""For each budget with a run, what it found about each claim, by key."""


def read_runs(folder: Path) -> Runs:
    """Read the records of runs that a folder holds."""
    runs = {}
    for budget in Budget:
        file = folder / f"{budget.value}.tsv"
        if file.exists():
            lines = (line.split("\t") for line in file.read_text("utf-8").splitlines()[1:])
            runs[budget] = {key: Found.read(fields) for key, *fields in lines}
    return runs


def record(document: Mapping[str, Any], every: Sequence[Claim], folder: Path) -> Path:
    """Keep what a run found, beside what is kept of other claims; return the file."""
    budget = Budget(document["budget"])
    found = dict(read_runs(folder).get(budget, {}))
    found |= {entry["key"]: Found.of(entry) for entry in document["claims"]}
    lines = [found[claim.key].line(claim.key) for claim in every if claim.key in found]
    file = folder / f"{budget.value}.tsv"
    file.write_text("\n".join(["\t".join(HEADER), *lines, ""]), encoding="utf-8")
    return file


def not_run(every: Sequence[Claim], runs: Runs) -> list[str]:
    """Claims that a run lacks, or settled by other trials than they have now."""
    return [
        f"{budget.value}: {claim.key}"
        for budget, found in runs.items()
        for claim in every
        if claim.key not in found or not found[claim.key].is_of(claim)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Keep a run, or say what has to be run again."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--check", action="store_true")
    chosen.add_argument("--record", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    every = claims.all()
    if options.record is not None:
        print(record(json.loads(options.record.read_text(encoding="utf-8")), every, RUNS))
        return 0
    runs = read_runs(RUNS)
    missing = not_run(every, runs)
    for place in missing:
        print(f"{place} has to be run again")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
