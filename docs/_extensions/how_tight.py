"""How tight the theorems are: from a run of ``verify`` to the tables of a page, and its figure.

``how_tight.py --record RUN.json``, with a file of ``pac-stability verify --json``, keeps in
``docs/explanation/how-tight.json`` what it found about each trial that compares numbers; of claims
that it did not ask what is kept there stays. ``how_tight.py`` writes the tables between the markers
of ``docs/explanation/how-tight.md``. The figure is drawn with the others, when the site is built.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pac_stability import claims
from pac_stability.claims.evidence import slack_of
from pac_stability.claims.report import counted, how_much_slack
from pac_stability.keeping import write_text

DOCS = Path(__file__).resolve().parent.parent
RECORD = DOCS / "explanation" / "how-tight.json"
PAGE = DOCS / "explanation" / "how-tight.md"
# What is said about a statement, and not which statement it is.
_VERSION = re.compile(r"\.(sharp|sharper|repaired|explicit|proof|finite|printed)$")
_FIELDS = ("key", "trial", "active", "instances", "tightest")


@dataclass(frozen=True)
class Asked:
    """What a run found in a trial that compares numbers."""

    key: str
    trial: str
    active: int
    instances: int
    tightest: float

    @property
    def slack(self) -> float | None:
        """What is allowed over what is needed; ``None`` where nothing is."""
        return slack_of(self.tightest)

    @property
    def statement(self) -> str:
        """The key without what says whose constants it has."""
        return _VERSION.sub("", _VERSION.sub("", self.key))

    @property
    def whose(self) -> str:
        """Whose constants: printed, of a proof or a reading, or ours."""
        whose = claims.get(self.key).whose.value
        return "proof" if whose == "reading" else whose


def record(run: Path) -> None:
    """Keep what a run found, of all claims or of some; of the others what is kept stays."""
    document = json.loads(run.read_text(encoding="utf-8"))
    rows: dict[str, list[list[object]]] = {claim.key: [] for claim in claims.all()}
    asked_now = {claim["key"] for claim in document["claims"]}
    if RECORD.exists():
        before = json.loads(RECORD.read_text(encoding="utf-8"))
        if before["budget"] != document["budget"]:
            raise SystemExit(f"{RECORD.name} has the budget {before['budget']}")
        for row in before["trials"]:
            if row[0] not in asked_now and row[0] in rows:
                rows[row[0]].append(row)
    for claim in document["claims"]:
        rows[claim["key"]] = [
            [claim["key"], trial["name"], trial["active"], trial["instances"], trial["tightest"]]
            for trial in claim["trials"]
            if trial["tightest"] is not None
        ]
    lines = ",\n".join(json.dumps(row) for of_claim in rows.values() for row in of_claim)
    head = f'"budget": {json.dumps(document["budget"])}, "fields": {json.dumps(_FIELDS)}'
    write_text(RECORD, f'{{{head}, "trials": [\n{lines}\n]}}\n')


def kept() -> list[Asked]:
    """What was kept."""
    return [Asked(*row) for row in json.loads(RECORD.read_text(encoding="utf-8"))["trials"]]


def by_statement(found: Iterable[Asked], paper: str) -> dict[str, list[Asked]]:
    """The trials of the statements of a paper, in its order."""
    rows: dict[str, list[Asked]] = {}
    for asked in found:
        if asked.key.startswith(f"{paper}:"):
            rows.setdefault(asked.statement, []).append(asked)
    return rows


def panels(found: Iterable[Asked]) -> dict[str, dict[str, dict[str, list[float]]]]:
    """The rows of the figure: for each paper and statement the slacks that are numbers."""
    every = list(found)
    drawn: dict[str, dict[str, dict[str, list[float]]]] = {}
    for paper in claims.books():
        for statement, trials in by_statement(every, paper).items():
            row: dict[str, list[float]] = {}
            for asked in trials:
                if asked.slack is not None:
                    row.setdefault(asked.whose, []).append(asked.slack)
            if row:
                drawn.setdefault(paper, {})[label(statement)] = row
    return drawn


def label(statement: str) -> str:
    """A short name of a statement: the item, without the paper."""
    item = statement.partition(":")[2]
    return item.replace("-", " ", 1) if re.match(r"[a-z]+-[0-9]", item) else item


def table(trials: Mapping[str, list[Asked]]) -> Iterator[str]:
    """The table of one paper."""
    yield "| statement | about | printed | in a proof | ours | instances |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for statement, asked in trials.items():
        key = statement if statement in {one.key for one in asked} else asked[0].key
        cells = [_cell(asked, whose) for whose in ("printed", "proof", "ours")]
        count = counted(sum(one.active for one in asked), sum(one.instances for one in asked))
        title = claims.get(key).title.replace("|", r"\|")
        yield f"| `{statement.partition(':')[2]}` | {title} | {' | '.join(cells)} | {count} |"


def _cell(asked: Iterable[Asked], whose: str) -> str:
    slacks = [
        f"{how_much_slack(one.slack) if one.slack else 'nothing needed'} ({one.trial})"
        for one in asked
        if one.whose == whose
    ]
    return "; ".join(slacks).replace("|", r"\|")


def attained(found: Iterable[Asked]) -> Iterator[str]:
    """How many statements leave no slack, a little, and more."""
    best: dict[str, float] = {}
    for asked in found:
        if asked.slack is not None:
            best[asked.key] = min(asked.slack, best.get(asked.key, asked.slack))
    yield "| slack | " + " | ".join(claims.books()) + " |"
    yield "| --- |" + " --- |" * len(claims.books())
    ends = (1.0, 1.1, 2.0, 10.0, 1000.0, float("inf"))
    for low, high in zip((0.0, *ends), ends, strict=False):
        words = {1.0: "none: attained", float("inf"): "more than 1000"}.get(high, f"up to {high:g}")
        counts = [
            str(
                sum(
                    low < slack <= high and key.startswith(f"{paper}:")
                    for key, slack in best.items()
                )
            )
            for paper in claims.books()
        ]
        yield f"| {words} | {' | '.join(counts)} |"


def blocks() -> dict[str, list[str]]:
    """The tables of the page by their markers."""
    found = kept()
    tables = {paper: list(table(by_statement(found, paper))) for paper in claims.books()}
    return {"how-many": list(attained(found)), **tables}


def written(text: str) -> str:
    """The page with its tables."""
    for name, lines in blocks().items():
        block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        inside = "\n".join(lines)
        text, times = block.subn(lambda match: f"{match[1]}\n{inside}\n\n{match[2]}", text)  # noqa: B023  # used at once
        if times != 1:
            raise SystemExit(f"{PAGE.name}: want the markers of {name} once, found {times}")
    return text


def main() -> None:
    """Keep a run, and write the tables of what is kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", type=Path, metavar="RUN", help="a file of verify --json")
    arguments = parser.parse_args()
    if arguments.record is not None:
        record(arguments.record)
    write_text(PAGE, written(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
