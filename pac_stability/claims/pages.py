"""The evidence of a run as one self-contained HTML page.

Statements are in MathML, which a browser draws without fonts, scripts or a network. The pictures of
what rests on what are on the site.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import cast
from xml.etree import ElementTree as ET

from pac_stability.claims.book import books
from pac_stability.claims.claim import Claim, Expectation, Status
from pac_stability.claims.evidence import Evidence, Tally, slack_of
from pac_stability.claims.report import counted, how_much_slack, how_tight, summary
from pac_stability.errors import InvalidInput


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
    """Return the page: every claim, paper by paper, with a search.

    Parameters
    ----------
    evidence
        One entry a claim.
    version
        Of the library.
    """
    found = tuple(evidence)
    budget = f", budget {found[0].budget.value}" if found else ""
    style = f"\n{_asset('page.css')}{_LINES}"
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
    return "\n".join([*lines, f"<script>\n{_asset('page.js')}</script>", "</body></html>", ""])


def _paper(paper: str, entries: list[Evidence]) -> Iterable[str]:
    yield f"<h2>{escape(paper)}</h2>"
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
