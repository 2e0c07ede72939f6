"""What the site writes from the book of claims: maps, a page for each claim, tables of notes.

Nobody edits or commits it; ``docs/_extensions/book_pages.py`` writes it before pages are read.
"""

from __future__ import annotations

import inspect
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from claim_graph import SCRIPT, STYLE, graph_to_svg, layers, picture
from kept_runs import ROOT, Runs
from pac_stability import claims
from pac_stability.claims import Claim, Expectation, Method
from pac_stability.claims.evidence import slack_of
from pac_stability.claims.pages import statement_to_html
from pac_stability.claims.report import how_much_slack
from pac_stability.claims.search import path_to
from pac_stability.papers import counterexamples

TESTS = ROOT / "tests"
THEORIES = ROOT / "pac_stability" / "rocq" / "theories"
TITLES = {
    "DF20": "Dagan and Feldman 2020",
    "BLM20": "Bun, Livni and Moran 2020",
    "CLNRW16": "Cummings et al. 2016",
}
MOST_TESTS = 6  # that are named for a claim
MARKS = re.compile(r"([\\`*_\[\]<>|$~#])")
LETTERS = re.compile(r"\b(h t|soa|pac|appendix [a-d]|[a-z])\b")
NAMES = {"h t": "H_T", **{f"appendix {letter}": f"Appendix {letter.upper()}" for letter in "abcd"}}
"""What a key cannot spell: all else that ``LETTERS`` finds is in capitals."""
MARKER = re.compile(r"^<!-- book: (\w+)(?: (.+?))? -->$", re.MULTILINE)
"""Where a page that is kept has a table on the site: ``<!-- book: map Section 3 -->``."""


def file_name(paper: str) -> str:
    """The name of a paper's pages, without a suffix."""
    return claims.books()[paper].name.replace("_", "-")


def place_of(claim: Claim) -> str:
    """The page of a claim below ``blueprint/``, without a suffix."""
    return f"{file_name(claim.paper)}/{claim.item.replace('.', '-')}"


def heading(claim: Claim) -> str:
    """The item in words: ``lemma-12.repaired`` is Lemma 12, repaired."""
    words = re.sub(r"\.(?!\d)", ", ", claim.item.replace("-", " "))
    words = LETTERS.sub(lambda found: NAMES.get(found[0], found[0].upper()), words)
    return words[0].upper() + words[1:]


def plain(text: str) -> str:
    """Escape what Markdown would take for markup."""
    return MARKS.sub(r"\\\1", text)


GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon eta lambda rho tau kappa phi".split(),  # noqa: SIM905
        "αβγδεηλρτκφ",
        strict=True,
    )
)
SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠"}
WRITTEN = re.compile(
    rf"(?:\b({'|'.join(GREEK)}|[A-Za-z]|\d+))?([_^])(-?\w+|\([^()]*\))|\b({'|'.join(GREEK)})\b|[<>!]="
)


def typeset(text: str) -> str:
    """Escape a text for Markdown, with Greek letters, powers and indices as they are printed."""
    done, end = "", 0
    for found in WRITTEN.finditer(text):
        base, mark, small, letter = found.groups()
        done += plain(text[end : found.start()])
        end = found.end()
        if mark is None:
            done += GREEK.get(letter) or SIGNS[found[0]]
        elif mark == "_" and (base is None or base.isdigit()):  # a name of Python's
            done += plain(found[0])
        else:
            tag = "sub" if mark == "_" else "sup"
            inner = typeset(small[1:-1] if small.startswith("(") else small)
            done += f"{GREEK.get(base or '', base or '')}<{tag}>{inner}</{tag}>"
    return done + plain(text[end:])


def raw(html: str) -> list[str]:
    """The lines of a block of HTML."""
    return ["```{raw} html", html, "```", ""]


def link(claim: Claim, start: str, *, paper: str | None = None) -> str:
    """A link to a claim; the paper is named, unless it is this one."""
    named = heading(claim) if claim.paper == paper else f"{claim.paper} {heading(claim)}"
    return f"[{named}]({start}{place_of(claim)}.md)"


# Where objects are, and their tests.


def first_sentence(thing: object) -> str:
    """What an object is for, in one line, as plain text."""
    text = inspect.getdoc(thing) if callable(thing) or inspect.ismodule(thing) else None
    line = " ".join((text or "").split("\n\n")[0].split())
    return re.sub(r":[\w:]+:`~?([^`]*)`", r"\1", line).replace("`", "")


def purpose(name: str) -> str:
    """What the object of a name below ``pac_stability`` is for, in one line."""
    return first_sentence(path_to(name)[-1])


@cache
def names_in(file: Path) -> frozenset[str]:
    """The names in a Python file, comments and texts left out."""
    with file.open("rb") as stream:
        found = tokenize.tokenize(stream.readline)
        return frozenset(token.string for token in found if token.type == tokenize.NAME)


@cache
def files_in(folder: Path) -> tuple[Path, ...]:
    """The files of tests below a folder."""
    return tuple(folder.rglob("test_*.py"))


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
        count.update(file for file in files_in(folder / room) if wanted <= names_in(file))
    return sorted(count, key=lambda file: (-count[file], file))[:MOST_TESTS]


def counterexamples_of(claim: Claim) -> list[Path]:
    """The files of the catalogue that are about a claim."""
    return [
        counterexamples.FOLDER / paper / f"{item}.json"
        for paper, _, item in (name.partition(":") for name in counterexamples.names())
        if paper == claim.paper and (item == claim.item or whose(item, paper) == claim.item)
    ]


def whose(item: str, paper: str) -> str:
    """The item of a counterexample: the longest beginning of its name that is one of a claim."""
    keys = {claim.item for claim in claims.all() if claim.paper == paper}
    parts = item.split(".")
    beginnings = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((beginning for beginning in beginnings if beginning in keys), "")


# Status.


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


def known_as(claim: Claim) -> str:
    """What a table of notes says that a claim is."""
    if claim.expectation.refuted:
        return claim.expectation.value
    if claim.method is Method.OPEN:
        return "open"
    return "recorded" if claim.expectation is Expectation.RECORDED else "stands"


# The page of a claim.


def evidence(claim: Claim, runs: Runs) -> Iterator[str]:
    """Items of a list: what was asked, and what each run found."""
    for trial in claim.trials:
        extent = "all of " if trial.extent else ""
        yield f"- instances: {plain(trial.name)}: {extent}{plain(trial.universe)}"
    for budget, found in runs.items():
        here = found.get(claim.key)
        if here is None or not here.is_of(claim):
            yield f"- {budget.value}: not run"
            continue
        count = f" on {plain(here.examined)}" if claim.trials else ""
        slack = how_much_slack(slack_of(here.tightest))
        left = "" if slack == "-" or claim.expectation.refuted else f", slack {plain(slack)}"
        yield f"- {budget.value}: **{claim.expectation.word_for(here.status)}**{count}{left}"
        if here.counterexample is not None:
            yield f"  - counterexample: {plain(here.counterexample)}"


def related(claim: Claim, every: Mapping[str, Claim]) -> dict[str, list[Claim]]:
    """Claims in some relation to one, by the name of the relation."""
    named = {
        "Uses": claim.uses,
        "Used by": [key for key, other in every.items() if claim.key in other.uses],
        "Repaired by": [claim.repaired_by],
        "Holds instead of": [k for k, other in every.items() if other.repaired_by == claim.key],
        "With explicit constants": [claim.explicit],
        "Has the constants of": [k for k, other in every.items() if other.explicit == claim.key],
    }
    found = {
        label: [every[key] for key in keys if key is not None and key in every]
        for label, keys in named.items()
    }
    return {label: others for label, others in found.items() if others}


def claim_page(claim: Claim, every: Mapping[str, Claim], runs: Runs) -> str:
    """The page of a claim."""
    up = "../"
    notes = f"../../errata/{file_name(claim.paper)}.md"
    lines = ["---", "orphan: true", "---", "", f"# {claim.paper} {heading(claim)}", ""]
    lines += [
        f"[The blueprint]({up}index.md) / [{TITLES[claim.paper]}]({up}{file_name(claim.paper)}.md)",
        "",
        f"**{plain(claim.title)}**",
        "",
        *raw(f'<div class="statement">{statement_to_html(claim)}</div>'),
        *raw("<details><summary>In plain text, as a terminal prints it</summary>"),
        plain(claim.statement),
        "",
        *raw("</details>"),
    ]
    expected = "" if claim.expectation is Expectation.HOLDS else f", {claim.expectation.value}"
    lines += [
        f"- status: **{status(claim, runs)}** ({claim.method.value}{expected})",
        f"- source: {claim.whose.value}" + (f" ({claim.place})" if claim.place else ""),
        f"- reproduce: `pac-stability verify --only '{claim.key}'`",
        "",
    ]
    if claim.note:
        lines += ["## What to know", "", typeset(claim.note), ""]
    if claim.erratum is not None:
        row = claim.erratum
        lines += [
            f"Consequence: {typeset(row.literally)}. "
            f"Correct statement: {typeset(row.instead)}. "
            f"What changes: {typeset(row.changes)}. [The note]({notes}#{row.section}) has more.",
            "",
        ]
    for slip in claim.corrections:
        printed, meant = typeset(slip.printed), typeset(slip.meant)
        lines += [f"- {plain(slip.where)}: printed is {printed}; meant is {meant}"]
    lines += ["", "## Code", ""]
    lines += [f"- `{name}`: {typeset(purpose(name))}".removesuffix(": ") for name in claim.objects]
    tests = files_of_tests(claim.objects, TESTS)
    if tests:
        lines += ["", "Their tests: " + ", ".join(file_link(file) for file in tests)]
    lines += ["", "## Evidence", "", *evidence(claim, runs)]
    if claim.rocq:
        word = "refuted" if claim.expectation.refuted else "proved"
        lines += [f"- {word} in Rocq: " + ", ".join(map(theorem, claim.rocq))]
    files = counterexamples_of(claim)
    if files:
        lines += ["", "The counterexample as data, which `pac-stability recheck FILE` settles: "]
        lines += [", ".join(file_link(file) for file in files)]
    lines += ["", *relations(claim, every, runs)]
    return "\n".join([*lines, ""])


def file_link(file: Path) -> str:
    """A link from the page of a claim to a file of the project."""
    return f"[{file.name}](../../../{file.relative_to(ROOT).as_posix()})"


def theorem(name: str) -> str:
    """A link to the theory that a theorem, FILE.THEOREM, stands in."""
    file, _, proved = name.partition(".")
    return f"[`{proved}`](../../../{THEORIES.relative_to(ROOT).as_posix()}/{file}.v)"


def relations(claim: Claim, every: Mapping[str, Claim], runs: Runs) -> Iterator[str]:
    """The last part of the page of a claim: what it rests on, and what rests on it."""
    found = related(claim, every)
    if not found:
        return
    yield from ("## What it is related to", "")
    for label, others in found.items():
        yield f"- {label.lower()}: " + "; ".join(
            f"{link(other, '../', paper=claim.paper)} ({plain(other.title)})" for other in others
        )
    yield ""
    near = {claim.key, *claim.uses, *(other.key for other in found.get("Used by", ()))}
    drawn = [other for other in every.values() if other.key in near]
    if len(drawn) > 1:
        link_to = {other.key: f"../{place_of(other)}.html" for other in drawn}
        svg = graph_to_svg(drawn, {other.key: colour(other, runs) for other in drawn}, link_to)
        yield from raw(f'<style>{STYLE}</style><div class="graph">{svg}</div>')


# The page of a paper, with its map.


def sections(mine: Iterable[Claim]) -> dict[str, list[Claim]]:
    """The claims of a paper by the section where they stand; ours stand with those before."""
    found: dict[str, list[Claim]] = {}
    section = ""
    for claim in mine:
        # Other versions of a paper have other sections.
        place = claim.place if claim.version == claims.books()[claim.paper].version else ""
        named = re.search(r"(?:Section|Appendix) [\w.-]+", place)
        section = named[0] if named else section
        found.setdefault(section, []).append(claim)
    return found


def map_of(mine: Iterable[Claim], start: str) -> Iterator[str]:
    """The lines of a table from items to objects."""
    yield from ("| item | what it says | objects |", "| --- | --- | --- |")
    for claim in mine:
        code = ", ".join(f"`{name}`" for name in claim.objects)
        yield f"| {link(claim, start, paper=claim.paper)} | {plain(claim.title)} | {code} |"
    yield ""


def paper_page(paper: str, every: Mapping[str, Claim], runs: Runs) -> str:
    """The page of a paper: what rests on what, and its items."""
    mine = [claim for claim in every.values() if claim.paper == paper]
    name = file_name(paper)
    lines = [
        f"# {TITLES[paper]}: the blueprint",
        "",
        f"Every numbered item of {paper} as it is settled here. Each has a page with its statement,"
        " the objects that implement it and their source, the tests of these objects, and what runs"
        f" found. [From the paper to the code](../reference/{name}.md) has the objects of all"
        f" items, and examples; [the notes](../errata/{name}.md) say where a statement needs a"
        " condition.",
        "",
    ]
    if layers(mine):
        lines += ["## What rests on what", "", "A box leads to its statement.", ""]
        lines += raw(paper_graph(mine, runs))
    lines += ["## The items", ""]
    for section, some in sections(mine).items():
        lines += [f"### {section or 'Elsewhere'}", "", *items(some, runs)]
    return "\n".join(lines)


def items(some: Iterable[Claim], runs: Runs) -> Iterator[str]:
    """The lines of a table of items and what is known of them."""
    yield from ("| item | what it says | source | status |", "| --- | --- | --- | --- |")
    for claim in some:
        named = link(claim, "", paper=claim.paper)
        yield f"| {named} | {plain(claim.title)} | {claim.whose.value} | {status(claim, runs)} |"
    yield ""


def paper_graph(mine: Sequence[Claim], runs: Runs) -> str:
    """The dependency graph of a paper, with all that its page needs for it."""
    drawn = picture(
        mine,
        {claim.key: colour(claim, runs) for claim in mine},
        {claim.key: f"{place_of(claim)}.html" for claim in mine},
    )
    return f"<style>{STYLE}</style>\n{drawn}\n<script>{SCRIPT}</script>"


def index_page(every: Mapping[str, Claim], runs: Runs) -> str:
    """The page that leads to those of the papers."""
    lines = [
        "# The blueprint",
        "",
        "For every numbered item of the three papers: the statement as it is settled, the code, the"
        " tests, and the evidence. Each paper has a picture of what rests on what.",
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
    lines += ["", "## What does not hold as it reads, and what does", ""]
    lines += [
        "Few of these are statements of a paper in their plain meaning; what stands is said first"
        " in the notes on each paper.",
        "",
    ]
    lines += ["| statement | where | what it is | what holds |", "| --- | --- | --- | --- |"]
    for claim in every.values():
        if claim.repaired_by is not None:
            repair = link(every[claim.repaired_by], "")
            known = claim.expectation.value
            lines.append(f"| {link(claim, '')} | {claim.place} | {known} | {repair} |")
    lines += ["", WORDS, ""]
    return "\n".join(lines)


WORDS = """\
*Settled*: holds on every instance of a finite universe, which is named. *Survived*: holds on \
every examined instance, some of many. *95 of 330*: the other 235 could not have refuted it, \
because a hypothesis fails or the bounded quantity is zero. *Tightest*: the largest quotient, from \
0 to 1, of an instance's need and the allowed value; *slack* is its inverse. *Fails*: a printed \
statement does not hold, in its plainly intended reading. \
*Misprint*, *out of range* (outside the intended range), *proof step*, *reading*: the run refutes \
this, and not the statement. Each such claim has its first counterexample, and names the claim \
that replaces it. *Bounded*: certified bounds leave an instance undecided. *Supported*: random \
draws support it. *Recorded*: no finite computation settles it. *Open*: not proved, not refuted. \
*Proved in Rocq*, *refuted in Rocq*: a theorem about all instances, or that it fails, which the \
kernel of that proof assistant accepts without axioms. Each claim names its source: \
printed in the paper, a step of a proof, a possible reading, or ours.

The pages are written when the site is built, from the book of claims \
(`pac_stability/claims/book`) and from what runs found (`docs/runs`)."""


# Tables in pages that are kept.


def notes_table(mine: Iterable[Claim]) -> Iterator[str]:
    """The lines of the table that opens a paper's notes."""
    yield "| statement | what it is | what comes of it | what is true | changes downstream |"
    yield "| --- | --- | --- | --- | --- |"
    for claim in mine:
        row = claim.erratum
        if row is not None:
            cells = (row.literally, row.instead, row.changes)
            yield (
                f"| [{heading(claim)}](#{row.section}): {plain(claim.title)} | "
                + " | ".join((known_as(claim), *map(plain, cells)))
                + " |"
            )
    yield ""


def slips_table(mine: Iterable[Claim]) -> Iterator[str]:
    """The lines of the table of slips of the pen."""
    yield from ("| where | printed | meant |", "| --- | --- | --- |")
    for claim in mine:
        for slip in claim.corrections:
            place = f"[{plain(slip.where)}](../blueprint/{place_of(claim)}.md)"
            yield f"| {place} | {typeset(slip.printed)} | {typeset(slip.meant)} |"
    yield ""


def filled(name: str, text: str) -> str:
    """The text of a page that is kept, with the tables that the site has there.

    Parameters
    ----------
    name
        The page below ``docs``, without a suffix: ``reference/dagan-feldman``.
    text
        In which a marker stands for a table: ``<!-- book: notes -->``, ``<!-- book: slips -->``,
        or ``<!-- book: map PLACE, PLACE -->``.

    Raises
    ------
    KeyError
        A marker of another kind, or a place where nothing is.
    """
    papers = {file_name(paper): paper for paper in claims.books()}
    paper = papers.get(name.rpartition("/")[2])
    mine = [claim for claim in claims.all() if claim.paper == paper]

    def table(found: re.Match[str]) -> str:
        if found[1] == "map":
            by_place = sections(mine)
            chosen = [claim for place in found[2].split(", ") for claim in by_place[place]]
            return "\n".join(map_of(chosen, "../blueprint/"))
        made = {"notes": notes_table, "slips": slips_table}[found[1]]
        return "\n".join(made(mine))

    return MARKER.sub(table, text)


def pages(every: Sequence[Claim], runs: Runs) -> dict[str, str]:
    """The texts of all pages of the blueprint, by their names below it.

    Raises
    ------
    ValueError
        Two claims have the same page.
    """
    places = Counter(place_of(claim) for claim in every)
    twice = [place for place, count in places.items() if count > 1]
    if twice:
        raise ValueError(f"pages of more than one claim: {twice}")
    by_key = {claim.key: claim for claim in every}
    written = {"index.md": index_page(by_key, runs)}
    for paper in TITLES:
        written[f"{file_name(paper)}.md"] = paper_page(paper, by_key, runs)
    for claim in every:
        written[f"{place_of(claim)}.md"] = claim_page(claim, by_key, runs)
    return written
