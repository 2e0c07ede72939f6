"""The evidence of a run as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from pac_stability.claims.book import books
from pac_stability.claims.claim import Claim, Expectation
from pac_stability.claims.evidence import Evidence, room_of
from pac_stability.claims.report.mathematics import statement_to_html
from pac_stability.claims.report.picture import COLOURS, SCRIPT, STYLE, picture
from pac_stability.claims.report.text import counted, how_much_room, how_tight, summary
from pac_stability.claims.tallies import Status, Tally

_STYLE = """
:root { --line: #888; --text: #222; --page: #fff; --box: #eee; }
@media (prefers-color-scheme: dark) { :root { --text: #ddd; --page: #1b1b1b; --box: #333; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em;
  color: var(--text); background: var(--page); }
input { font: inherit; width: 100%; padding: .4em; box-sizing: border-box; }
article { border-left: 5px solid var(--line); padding: .1em 1em; margin: 1em 0; }
article h3 { margin: .2em 0; }
code { font-size: .9em; }
dl { display: grid; grid-template-columns: max-content auto; gap: .1em 1em; margin: .4em 0; }
dt { opacity: .7; }
dd { margin: 0; }
"""

_LINES = "\n".join(
    f"article.{name} {{ border-color: {line}; }}" for name, (_, line, _) in COLOURS.items()
)

_SEARCH = """
const box = document.getElementById("search");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/);
  for (const entry of document.querySelectorAll("article")) {
    const text = entry.textContent.toLowerCase();
    entry.hidden = !words.every(word => text.includes(word));
  }
});
"""


def evidence_to_html(evidence: Iterable[Evidence], version: str) -> str:
    """Return the page: the dependency graph of each paper, and every claim, with a search.

    Parameters
    ----------
    evidence
        One entry a claim.
    version
        Of the library.
    """
    found = tuple(evidence)
    budget = f", budget {found[0].budget.value}" if found else ""
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>pac_stability: claims</title><style>{_STYLE}{_LINES}\n{STYLE}</style></head>",
        "<body>",
        "<h1>The statements, settled</h1>",
        f"<p>pac_stability {escape(version)}{budget}. {escape(summary(found))}.</p>",
        '<p><input id="search" type="search" placeholder="Search: a number, a word, a status" '
        'aria-label="Search the claims"></p>',
    ]
    for paper in books():
        entries = [entry for entry in found if entry.claim.paper == paper]
        if entries:
            lines += _paper(paper, entries)
    return "\n".join([*lines, f"<script>{_SEARCH}{SCRIPT}</script>", "</body></html>", ""])


def _paper(paper: str, entries: list[Evidence]) -> Iterable[str]:
    yield f"<h2>{escape(paper)}</h2>"
    yield picture(
        [entry.claim for entry in entries],
        {entry.claim.key: _css(entry) for entry in entries},
        {entry.claim.key: f"#{entry.claim.key}" for entry in entries},
    )
    for entry in entries:
        yield from _article(entry)


def _article(entry: Evidence) -> Iterable[str]:
    claim = entry.claim
    expected = "" if entry.as_expected else " (<strong>not as expected</strong>)"
    yield f'<article class="{_css(entry)}" id="{escape(claim.key)}">'
    yield f"<h3>{escape(claim.key)}: {escape(claim.title)}</h3>"
    yield f"<p>{statement_to_html(claim)}</p><dl>"
    yield _row("status", f"{entry.word}, {_examined(entry)}{expected}")
    yield _row("whose", escape(_whose(claim)))
    yield _row("method", escape(claim.method.value))
    if entry.counterexample is not None:
        known = claim.expectation
        label = known.value if known.refuted else "counterexample"
        yield _row(label, escape(entry.counterexample))
    for label, keys in (
        ("uses", claim.uses),
        ("repaired by", _one(claim.repaired_by)),
        ("explicit", _one(claim.explicit)),
    ):
        if keys:
            links = ", ".join(f'<a href="#{escape(k)}">{escape(k)}</a>' for k in keys)
            yield _row(label, links)
    yield _row("code", ", ".join(f"<code>{escape(name)}</code>" for name in claim.code))
    for trial in entry.trials:
        extent = "all of " if trial.exhaustive else ""
        yield _row(
            escape(trial.name),
            f"{claim.expectation.word_for(trial.status.value)} on {_tried(trial.tally)}: "
            f"{extent}{escape(trial.universe)}",
        )
    yield "</dl>"
    if claim.note:
        yield f"<p>{escape(claim.note)}</p>"
    yield "</article>"


def _examined(entry: Evidence) -> str:
    if not entry.trials:
        return "nothing examined"
    return f"{counted(entry.active, entry.instances)} instances{_strained(entry.tightest)}"


def _tried(tally: Tally) -> str:
    return f"{counted(tally.active, tally.instances)}{_strained(tally.tightest)}"


def _strained(tightest: float | None) -> str:
    if tightest is None:
        return ""
    said = f", tightest {how_tight(tightest)}, room {how_much_room(room_of(tightest))}"
    return escape(said)


def _css(entry: Evidence) -> str:
    known = entry.claim.expectation
    if entry.status is not Status.REFUTED or not known.refuted:
        return entry.status.value
    return "fails" if known is Expectation.FAILS else "aside"


def _whose(claim: Claim) -> str:
    return f"{claim.whose.value}: {claim.place}" if claim.place else claim.whose.value


def _row(label: str, value: str) -> str:
    return f"<dt>{label}</dt><dd>{value}</dd>"


def _one(key: str | None) -> tuple[str, ...]:
    return () if key is None else (key,)
