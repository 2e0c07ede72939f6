"""The evidence of a run as one self-contained HTML page.

Each paper has a picture of the dependencies of its statements, with a legend and a filter, and its
statements in MathML, which a browser draws without fonts, scripts or a network.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import cast
from xml.etree import ElementTree as ET

from pac_stability.claims.book import books
from pac_stability.claims.claim import Claim, Expectation, Status
from pac_stability.claims.evidence import Evidence, Tally, slack_of
from pac_stability.claims.report import counted, how_much_slack, how_tight, summary
from pac_stability.claims.search import in_order_of_use
from pac_stability.errors import InvalidInput

_WIDTH, _HEIGHT = 176, 30  # of a box
_ACROSS, _DOWN, _NEXT = 16, 44, 12  # between boxes: in a row, between layers, within one
_COLUMNS = 4  # so many boxes are as wide as a column of text
_SWEEPS = 6
_SHORT = {
    "definition": "def", "proposition": "prop", "corollary": "cor", "observation": "obs",
    "equation": "eq", "algorithm": "alg", "section": "sec", "appendix": "app",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a claim: its layer, from 0 at the top, and its position in it."""

    layer: int
    position: int


def layers(claims: Iterable[Claim]) -> dict[str, Place]:
    """Place claims so that each is below all that it uses.

    Parameters
    ----------
    claims
        Claims of one paper; uses of other claims are omitted.

    Returns
    -------
    dict of str to Place
        Those without any use among these are omitted. Within a layer, the order keeps lines short:
        each claim moves to the middle of its neighbours, in several sweeps down and up.
    """
    chosen = in_order_of_use(claims)
    keys = {claim.key for claim in chosen}
    uses = {claim.key: [key for key in claim.uses if key in keys] for claim in chosen}
    used: dict[str, list[str]] = {key: [] for key in keys}
    for key, others in uses.items():
        for other in others:
            used[other].append(key)
    depth: dict[str, int] = {}
    for claim in chosen:
        depth[claim.key] = max((depth[key] + 1 for key in uses[claim.key]), default=0)
    rows: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for claim in chosen:
        if uses[claim.key] or used[claim.key]:
            rows[depth[claim.key]].append(claim.key)
    for sweep in range(_SWEEPS):
        near = uses if sweep % 2 == 0 else used
        for row in rows if sweep % 2 == 0 else reversed(rows):
            place = {key: (i + 0.5) / len(r) for r in rows for i, key in enumerate(r)}
            row.sort(key=lambda key: _middle([place[k] for k in near[key]], place[key]))
    return {key: Place(y, x) for y, row in enumerate(rows) for x, key in enumerate(row)}


def graph_to_svg(
    claims: Sequence[Claim],
    classes: Mapping[str, str],
    link: Mapping[str, str],
    columns: int = _COLUMNS,
) -> str:
    """Draw the dependency graph of some claims; boxes can be clicked.

    Parameters
    ----------
    claims
        Claims, of one paper or some that belong together.
    classes
        For each key a CSS class, such as ``"survived"``, that gives its box a colour.
    link
        For each key the target of a click.
    columns
        The most boxes side by side; a longer layer continues below.

    Returns
    -------
    str
        An ``svg`` element without colours of its own; it fills the available width, up to the width
        of its boxes. A box carries its key and the keys that it uses, and its title is the
        statement.
    """
    placed = layers(claims)
    by_key = {claim.key: claim for claim in claims}
    corner, width, height = _corners(placed, columns)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width: 100%; height: auto" '
        'role="group" aria-label="What rests on what">'
    ]
    for key in placed:
        x, y = corner[key]
        for other in by_key[key].uses:
            if other in placed:
                a, b = corner[other]
                start, end = (a + _WIDTH / 2, b + _HEIGHT), (x + _WIDTH / 2, y)
                bend = (end[1] - start[1]) / 2
                lines.append(
                    f'<path class="use" data-from="{escape(other)}" data-to="{escape(key)}" '
                    f'd="M{start[0]:g} {start[1]:g} '
                    f"C{start[0]:g} {start[1] + bend:g} {end[0]:g} {end[1] - bend:g} "
                    f'{end[0]:g} {end[1]:g}"/>'
                )
    for key in placed:
        x, y = corner[key]
        claim = by_key[key]
        lines.append(
            f'<a href="{escape(link[key])}" aria-label="{escape(f"{key}: {claim.title}")}">'
            f'<g class="claim {escape(classes[key])}" data-key="{escape(key)}">'
            f"<title>{escape(f'{key}: {claim.title}. {claim.statement}')}</title>"
            f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>'
            f'<text x="{x + _WIDTH / 2:g}" y="{y + _HEIGHT / 2 + 4:g}">{escape(_label(claim))}'
            "</text></g></a>"
        )
    return "\n".join([*lines, "</svg>"])


def _corners(
    placed: Mapping[str, Place], columns: int
) -> tuple[dict[str, tuple[float, float]], int, int]:
    """Return where each box starts, and how large the picture is."""
    rows: dict[int, list[str]] = {}
    for key, place in sorted(placed.items(), key=lambda item: (item[1].layer, item[1].position)):
        rows.setdefault(place.layer, []).append(key)
    widest = min(max(map(len, rows.values()), default=0), columns)
    width = widest * (_WIDTH + _ACROSS) + _ACROSS
    corners: dict[str, tuple[float, float]] = {}
    y = _ACROSS
    for row in rows.values():
        for first in range(0, len(row), columns):
            part = row[first : first + columns]
            margin = (width - len(part) * (_WIDTH + _ACROSS) + _ACROSS) / 2
            for column, key in enumerate(part):
                corners[key] = (margin + column * (_WIDTH + _ACROSS), float(y))
            y += _HEIGHT + _NEXT
        y += _DOWN - _NEXT
    return corners, width, y - _DOWN + _ACROSS if rows else 2 * _ACROSS


def _label(claim: Claim) -> str:
    """Name the item shortly enough for a box."""
    word, _, rest = claim.item.partition("-")
    return f"{_SHORT.get(word, word)}-{rest}" if rest else word


def _middle(places: list[float], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise


# The picture with what belongs to it


def _asset(name: str) -> str:
    return (Path(__file__).parent / "assets" / name).read_text(encoding="utf-8")


COLOURS = {
    "settled": ("#7cc7a2", "#117755", "everything was examined, or Rocq accepts a proof"),
    "exhausted": ("#98d5b6", "#1a8a66", "holds on all of a finite universe"),
    "survived": ("#b5e3cc", "#22aa77", "holds on all instances tried"),
    "supported": ("#a9cdee", "#3388bb", "random draws support it"),
    "bounded": ("#f4d98a", "#cc9900", "certified bounds leave an instance undecided"),
    "fails": ("#f2a9a0", "#cc3333", "a printed statement fails"),
    "aside": ("#ecd3b4", "#bb8844", "a misprint, a step, a reading or a range"),
    "refuted": ("#f2a9a0", "#cc3333", "refuted, which was not known"),
    "recorded": ("#cccccc", "#999999", "no finite computation settles it"),
    "open": ("#c9c9f2", "#6666cc", "neither proved nor refuted"),
    "broken": ("#f4b6f4", "#cc00cc", "a trial ended with an error"),
    "empty": ("#f4b6f4", "#cc00cc", "nothing was examined"),
    "insensitive": ("#f4b6f4", "#cc00cc", "a trial could not have failed"),
}
"""For each CSS class of a claim the colour of its box, that of a line, and what it stands for."""

STYLE = _asset("graph.css") + "\n".join(
    f".graph svg .{name} rect {{ fill: {box}; }}" for name, (box, _, _) in COLOURS.items()
)
"""What the figures need, once on a page."""

SCRIPT = "\n" + _asset("graph.js")
"""What makes the figures of a page answer, once at its end; without it they are links."""


def picture(claims: Sequence[Claim], classes: Mapping[str, str], link: Mapping[str, str]) -> str:
    """Return the graph of some claims with its legend and filter, as HTML.

    Parameters
    ----------
    claims, classes, link
        As in :func:`pac_stability.claims.pages.graph_to_svg`.

    Returns
    -------
    str
        A ``figure``. Its page has :data:`STYLE`, and :data:`SCRIPT` after it.
    """
    used = {classes[claim.key] for claim in claims}
    legend = "".join(
        f'<li><span style="background: {box}"></span>{_word(name)}: {escape(words)}</li>'
        for name, (box, _, words) in COLOURS.items()
        if name in used
    )
    return "\n".join(
        [
            '<figure class="claims-graph">',
            '<div class="graph-tools">'
            '<input type="search" placeholder="Filter: a number, a word, a status"'
            ' aria-label="Filter the boxes of the graph">'
            '<button type="button" value="1.25" aria-label="Larger">+</button>'
            '<button type="button" value="0.8" aria-label="Smaller">&minus;</button>'
            '<button type="button" value="0">fit</button></div>',
            f'<div class="graph">{graph_to_svg(claims, classes, link)}</div>',
            f'<figcaption><ul class="graph-legend">{legend}</ul></figcaption>',
            "</figure>",
        ]
    )


def _word(name: str) -> str:
    return "not as printed" if name == "aside" else name


# Statements in MathML


def statement_to_html(claim: Claim) -> str:
    """Return the statement of a claim for a page: typeset if possible, otherwise in words.

    It is typeset if the claim has LaTeX and ``latex2mathml`` (the extra ``html``) is installed.

    Examples
    --------
    >>> from pac_stability import claims
    >>> statement_to_html(claims.get("DF20:fact-postprocessing"))[:21]
    'If the predictor that'
    """
    if claim.latex and converter() is not None:
        return latex_to_html(claim.latex)
    return escape(claim.statement)


def latex_to_html(text: str) -> str:
    r"""Return a text with LaTeX between dollars as HTML with MathML.

    Parameters
    ----------
    text
        A text as in the book of claims: words, and inline formulas.

    Raises
    ------
    InvalidInput
        There is an unbalanced dollar, a command outside dollars, or an unknown command inside.
    ModuleNotFoundError
        ``latex2mathml`` is not installed.

    Examples
    --------
    >>> latex_to_html(r"For $\alpha")
    Traceback (most recent call last):
    pac_stability.errors.InvalidInput: latex: got 'For $\\alpha', want each formula between dollars
    """
    pieces = text.split("$")
    if len(pieces) % 2 == 0:
        raise InvalidInput("latex", repr(text), "each formula between dollars")
    if any(re.search(r"[\\&%#_^{}~]", words) for words in pieces[::2]):
        raise InvalidInput("latex", repr(text), "words outside of the dollars, and no commands")
    pieces[::2] = [escape(words) for words in pieces[::2]]
    pieces[1::2] = [formula_to_mathml(formula) for formula in pieces[1::2]]
    return "".join(pieces)


@cache
def converter() -> Callable[[str], str] | None:
    """Return the function that turns a formula into MathML; ``None`` if it is not installed."""
    try:
        module = importlib.import_module("latex2mathml.converter")
    except ModuleNotFoundError:
        return None
    return cast("Callable[[str], str]", module.convert)


def formula_to_mathml(formula: str) -> str:
    """Return a formula of LaTeX as MathML; refuse one that the converter does not know."""
    convert = converter()
    if convert is None:
        raise ModuleNotFoundError(
            "to set formulas takes latex2mathml, the extra pac_stability[html]"
        )
    try:
        made = convert(formula)
        words = "".join(ET.fromstring(made).itertext())  # noqa: S314  # just made
    except Exception as error:  # whatever it is, the formula is at fault
        raise InvalidInput("latex", repr(formula), f"a formula ({error!r})") from None
    if "\\" in words:  # what it does not know, it takes for a letter
        raise InvalidInput("latex", repr(formula), "commands that latex2mathml knows")
    return _as_browsers_draw_it(made)


def _as_browsers_draw_it(made: str) -> str:
    """Return MathML with letters of other alphabets as characters: browsers know no others."""
    made = re.sub(r"<math [^>]*>", "<math>", made)
    made = made.replace("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>")
    made = re.sub(r"<mi>(ln|log|exp|tanh|cosh)</mi>", r"<mo>\1</mo>", made)
    # The names of functions: with a little room around, and none before what they are applied to.
    made = re.sub(
        r"<mo[^>]*>([A-Za-z]{2,})</mo>(?=(<mo[^>]*>(?:&#x00028;|\[|\|))?)",
        lambda found: (
            f'<mo lspace="0.1em" rspace="{0 if found[2] or found[1] == "Pr" else 0.16}em">'
            f"{found[1]}</mo>"
        ),
        made,
    )
    return re.sub(
        r'<mi mathvariant="(script|double-struck)">([A-Z])</mi>',
        lambda found: f"<mi>{_letter(found[1], found[2])}</mi>",
        made,
    )


def _letter(alphabet: str, letter: str) -> str:
    """Return a capital letter of an alphabet: some were in Unicode before the alphabets were."""
    name = f"{alphabet} capital {letter}".upper()
    for each in (f"MATHEMATICAL {name}", name):
        try:
            return unicodedata.lookup(each)
        except KeyError:
            continue
    return letter


# The page

_LINES = "\n".join(
    f"article.{name} {{ border-color: {line}; }}" for name, (_, line, _) in COLOURS.items()
)


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
    style = f"\n{_asset('page.css')}{_LINES}\n{STYLE}"
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>pac_stability: claims</title><style>{style}</style></head>",
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
    return "\n".join(
        [*lines, f"<script>\n{_asset('page.js')}{SCRIPT}</script>", "</body></html>", ""]
    )


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
    yield _row("source", escape(_whose(claim)))
    yield _row("method", escape(claim.method.value))
    if entry.broken is not None:
        yield _row("broken", escape(entry.broken))
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
    yield _row("code", ", ".join(f"<code>{escape(name)}</code>" for name in claim.objects))
    for trial in entry.trials:
        extent = "all of " if trial.extent else ""
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
    said = f", tightest {how_tight(tightest)}, slack {how_much_slack(slack_of(tightest))}"
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
