"""The blueprint: for each paper its statements, their code, tests, evidence.

The site writes the pages when it is built (``docs/_extensions/book_pages.py``), from the book of
claims and from what runs found: ``docs/runs/BUDGET.tsv``, one line a claim.

``python tools/blueprint.py --record FILE``  keeps a run of ``pac-stability verify --json``, all
                                             claims or some
``python tools/blueprint.py --check``        says which claims have no run by the trials of today
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pac_stability import claims
from pac_stability.claims import PAPERS, Budget, Claim, Expectation
from pac_stability.claims.graph import graph_to_svg, layers
from pac_stability.claims.report.text import counted, how_tight

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "docs" / "runs"
TESTS = ROOT / "tests"
THEORIES = ROOT / "pac_stability" / "rocq" / "theories"
TITLES = {
    "DF20": "Dagan and Feldman 2020",
    "BLM20": "Bun, Livni and Moran 2020",
    "CLNRW16": "Cummings et al. 2016",
}
STYLE = """<style>
svg .use { fill: none; stroke: #888; }
svg .claim rect { fill: #eee; stroke: #888; }
svg .claim text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #111; }
svg .settled rect { fill: #7cc7a2; }
svg .survived rect { fill: #b5e3cc; }
svg .refuted rect { fill: #f2a9a0; }
svg .bounded rect { fill: #f4d98a; }
svg .supported rect { fill: #a9cdee; }
svg .fails rect { fill: #f2a9a0; }
svg .aside rect { fill: #ecd3b4; }
svg .recorded rect { fill: #ccc; }
svg .open rect { fill: #c9c9f2; }
svg .empty rect { fill: #f4b6f4; }
</style>"""
MOST_TESTS = 6  # that are named for a claim
MARKS = re.compile(r"([\\`*_\[\]<>|$~#])")


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
        return self.trials == digest((t.name, t.universe, t.exhaustive) for t in claim.trials)

    @property
    def examined(self) -> str:
        """How many instances there were, how many could have refuted it, and the tightest."""
        tension = "" if self.tightest is None else f", tightest {how_tight(self.tightest)}"
        return f"{counted(self.active, self.instances)} instances{plain(tension)}"


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


def file_name(paper: str) -> str:
    """The name of a paper's page, without its suffix."""
    return PAPERS[paper].replace("_", "-")


def heading(claim: Claim) -> str:
    """The item in words: ``lemma-12.repaired`` is Lemma 12, repaired."""
    words = claim.item.replace("-", " ").replace(".", ", ")
    return words[0].upper() + words[1:]


def anchor(claim: Claim) -> str:
    """The anchor that Markdown gives to the heading."""
    return claim.item.replace(".", "-")


def plain(text: str) -> str:
    """Escape what Markdown would take for markup."""
    return MARKS.sub(r"\\\1", text)


@cache
def names_in(file: Path) -> frozenset[str]:
    """The names in a Python file, comments and texts left out."""
    with file.open("rb") as stream:
        found = tokenize.tokenize(stream.readline)
        return frozenset(token.string for token in found if token.type == tokenize.NAME)


def files_of_tests(code: Sequence[str], folder: Path) -> list[Path]:
    """Files of tests that name these objects, in the folders that mirror their rooms.

    Parameters
    ----------
    code
        Names below ``pac_stability``. A method counts as named where its class is too.
    folder
        The folder of all tests.

    Returns
    -------
    list of Path
        Those that name the most of the objects first, and of these at most ``MOST_TESTS``.
    """
    count: Counter[Path] = Counter()
    for name in code:
        room, *rest = name.split(".")
        if room == "papers":
            room, *rest = f"{room}/{rest[0]}", *rest[1:]
        owner = [part for part in rest[:-1] if part[0].isupper()]
        wanted = {*owner, *rest[-1:]}
        files = (folder / room).rglob("test_*.py")
        count.update(file for file in files if wanted <= names_in(file))
    return sorted(count, key=lambda file: (-count[file], file))[:MOST_TESTS]


def link(claim: Claim, page: str) -> str:
    """A link to a claim, from the page of a paper."""
    if claim.paper == page:
        return f"[{heading(claim)}](#{anchor(claim)})"
    return f"[{claim.paper} {heading(claim)}]({file_name(claim.paper)}.md#{anchor(claim)})"


def theorem(name: str) -> str:
    """A link to the theory that a theorem, FILE.THEOREM, stands in."""
    file, _, proved = name.partition(".")
    return f"[`{proved}`](../../{THEORIES.relative_to(ROOT).as_posix()}/{file}.v)"


def evidence(claim: Claim, runs: Runs) -> Iterator[str]:
    """Items of a list: what was asked, and what each run found."""
    for trial in claim.trials:
        extent = "all of " if trial.exhaustive else ""
        yield f"- asked of: {plain(trial.name)}: {extent}{plain(trial.universe)}"
    for budget, found in runs.items():
        here = found.get(claim.key)
        if here is None or not here.is_of(claim):
            yield f"- {budget.value}: not run"
            continue
        count = f" on {here.examined}" if claim.trials else ""
        yield f"- {budget.value}: **{claim.expectation.word_for(here.status)}**{count}"
        if here.counterexample is not None:
            yield f"  - counterexample: {plain(here.counterexample)}"


def entry(claim: Claim, every: Mapping[str, Claim], runs: Runs) -> Iterator[str]:
    """The lines of a page about one claim."""
    page = claim.paper
    yield from (f"## {heading(claim)}", "", f"**{plain(claim.title)}.** {plain(claim.statement)}")
    if claim.note:
        yield from ("", plain(claim.note))
    yield ""
    expected = "" if claim.expectation is Expectation.HOLDS else f", {claim.expectation.value}"
    yield f"- claim: `{claim.key}`, {claim.method.value}{expected}"
    yield f"- whose: {claim.whose.value}" + (f" ({claim.place})" if claim.place else "")
    yield "- code: " + ", ".join(f"`{name}`" for name in claim.code)
    if claim.rocq:
        word = "refuted" if claim.expectation.refuted else "proved"
        yield f"- {word} in Rocq: " + ", ".join(map(theorem, claim.rocq))
    tests = files_of_tests(claim.code, TESTS)
    if tests:
        yield "- tests: " + ", ".join(
            f"[{file.name}](../../{file.relative_to(ROOT).as_posix()})" for file in tests
        )
    related = (
        ("uses", claim.uses),
        ("used by", tuple(key for key, other in every.items() if claim.key in other.uses)),
        ("repaired by", (claim.repaired_by,)),
        ("with explicit constants", (claim.explicit,)),
    )
    for label, keys in related:
        links = ", ".join(link(every[key], page) for key in keys if key is not None)
        if links:
            yield f"- {label}: {links}"
    yield from evidence(claim, runs)
    yield ""


def status(claim: Claim, runs: Runs) -> str:
    """What the run of the largest budget found about a claim."""
    found = [each[claim.key].status for each in runs.values() if claim.key in each]
    return claim.expectation.word_for(found[-1]) if found else "not run"


def colour(claim: Claim, runs: Runs) -> str:
    """The CSS class of a claim's box."""
    found = status(claim, runs)
    known = claim.expectation.refuted and found == claim.expectation.word_for("refuted")
    if known and claim.expectation is not Expectation.FAILS:
        return "aside"
    return found


def paper_page(paper: str, every: Mapping[str, Claim], runs: Runs) -> str:
    """The page of a paper."""
    mine = [claim for claim in every.values() if claim.paper == paper]
    name = file_name(paper)
    lines = [
        f"# {TITLES[paper]}: the blueprint",
        "",
        f"Every numbered item of {paper} as it is settled here, with the objects that implement it,"
        " the tests of these objects, and what runs found.",
        "`pac-stability verify --only 'KEY'` settles a claim again.",
        "",
    ]
    if layers(mine):
        lines += [f"![What the statements rest on]({name}.svg)", ""]
    for claim in mine:
        lines += entry(claim, every, runs)
    return "\n".join(lines)


def paper_graph(paper: str, every: Mapping[str, Claim], runs: Runs) -> str:
    """The dependency graph of a paper; on the paper's page its boxes lead to the statements."""
    mine = [claim for claim in every.values() if claim.paper == paper]
    drawn = graph_to_svg(
        mine,
        {claim.key: colour(claim, runs) for claim in mine},
        {claim.key: f"#{anchor(claim)}" for claim in mine},
    )
    start, rest = drawn.split("\n", 1)
    return f"{start}\n{STYLE}\n{rest}\n"


def refuted_table(every: Mapping[str, Claim]) -> Iterator[str]:
    """The lines of a table of what is refuted, what it is, and what holds in its place."""
    yield from ("## What is refuted, and what holds instead", "")
    yield from ("| statement | where | what it is | what holds |", "| --- | --- | --- | --- |")
    for claim in every.values():
        if claim.repaired_by is not None:
            repair = every[claim.repaired_by]
            known = claim.expectation.value
            yield f"| {link(claim, '')} | {claim.place} | {known} | {link(repair, '')} |"


def index_page(every: Mapping[str, Claim], runs: Runs) -> str:
    """The page that leads to those of the papers."""
    lines = [
        "# The blueprint",
        "",
        "For every numbered item of the three papers: the statement as it is settled, the code, the"
        " tests, and the evidence. Each page starts with a picture of what rests on what.",
        "",
        "| paper | claims | by the largest run | decided in Rocq |",
        "| --- | --- | --- | --- |",
    ]
    for paper, title in TITLES.items():
        mine = [claim for claim in every.values() if claim.paper == paper]
        counts = Counter(status(claim, runs) for claim in mine)
        found = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        kernel = sum(bool(claim.rocq) for claim in mine)
        lines.append(f"| [{title}]({file_name(paper)}.md) | {len(mine)} | {found} | {kernel} |")
    lines += ["", *refuted_table(every)]
    lines += [
        "",
        "*Settled*: holds on every instance of a universe that is finite and stated. *Survived*:"
        " holds on every instance examined, which are some of those there are; *95 of 330* says"
        " that the others could not have refuted it, because a hypothesis is not met or nothing is"
        " needed, and *tightest* is the largest share of what the statement allows that an instance"
        " needs, from 0 to 1. *Fails*: a printed statement does not hold,"
        " in the reading that is plainly meant. *Misprint*, *out of range* (outside the intended"
        " range), *proof step*, *reading*: what is refuted is this, and not the statement. Each"
        " such claim has the first counterexample, and names what holds in its place. *Bounded*:"
        " certified bounds leave an instance undecided. *Supported*: draws speak for it."
        " *Recorded*: no finite computation settles it. *Open*: neither proved nor refuted."
        " *Proved in Rocq*, *refuted in Rocq*: a theorem about all instances, or that it fails,"
        " which the kernel of that proof assistant accepts without axioms. Each"
        " claim says whose sentence it is:"
        " printed in the paper, a step of a proof, a possible reading, or ours.",
        "",
        "The pages are written when the site is built, from the book of claims"
        " (`pac_stability/claims/book`) and from what runs found (`docs/runs`).",
        "",
    ]
    return "\n".join(lines)


def pages(every: Sequence[Claim], runs: Runs) -> dict[str, str]:
    """The texts of all files of the blueprint, by name.

    Raises
    ------
    ValueError
        Two claims of a paper have the same anchor.
    """
    places = Counter((claim.paper, anchor(claim)) for claim in every)
    twice = [place for place, count in places.items() if count > 1]
    if twice:
        raise ValueError(f"anchors of more than one claim: {twice}")
    by_key = {claim.key: claim for claim in every}
    written = {"index.md": index_page(by_key, runs)}
    for paper in TITLES:
        written[f"{file_name(paper)}.md"] = paper_page(paper, by_key, runs)
        if layers([claim for claim in every if claim.paper == paper]):
            written[f"{file_name(paper)}.svg"] = paper_graph(paper, by_key, runs)
    return written


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
    pages(every, runs)  # raises if two claims have one anchor
    missing = not_run(every, runs)
    for place in missing:
        print(f"{place} has to be run again")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
