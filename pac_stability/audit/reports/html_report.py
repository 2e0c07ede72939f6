"""The answer of an audit as one self-contained HTML page: no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

from pac_stability._report import html_table
from pac_stability.audit.notions.notion import Notion
from pac_stability.audit.reports.pictures import (
    STYLE,
    Mark,
    bars_picture,
    frontier_picture,
    laws_picture,
    samples_picture,
)
from pac_stability.audit.reports.text_report import summary, title
from pac_stability.audit.reports.wording import (
    choice_in_words,
    conclusion,
    elements,
    event_in_words,
    fixed_parameters,
    in_words,
    law_in_words,
)
from pac_stability.audit.results import AuditResult, LawsWitness, PairWitness
from pac_stability.errors import printable
from pac_stability.notions.closeness import frontier

_MOST_ROWS = 200

_PAGE_STYLE = """\
:root{color-scheme:light dark;--page:#fff;--ink:#1b1f24;--quiet:#5b6470;--line:#d5dae0;
--first:#2f6db5;--second:#b5540a;--event:#fdf0cf;--good:#1a6b34;--bad:#a8201a;--open:#7a5600}
@media(prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e6e9ed;--quiet:#a0a9b5;--line:#39414b;
--first:#78aef0;--second:#f0a05a;--event:#43391c;--good:#6fcf8d;--bad:#ff8a80;--open:#e9c46a}}
body{background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif;
max-width:60rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2rem}
.verdict{font-size:1.15rem;font-weight:600;border-left:.4rem solid;padding:.2rem .8rem}
.verified{color:var(--good)}.refuted{color:var(--bad)}.bounded,.supported,.skipped{color:var(--open)}
table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.2rem 1rem .2rem 0;
border-bottom:1px solid var(--line);overflow-wrap:anywhere}
td,code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}
figure{margin:1rem 0;overflow-x:auto}figcaption{color:var(--quiet)}footer{color:var(--quiet)}
"""


def audit_to_html(result: AuditResult, subject: str, version: str) -> str:
    """Return what an audit found as a page with pictures of the witness.

    Parameters
    ----------
    result
        What the audit returned.
    subject
        How the user calls what was audited.
    version
        The version of the program that writes.

    Returns
    -------
    str
        An HTML document that loads nothing, follows the reader's choice of a light or a dark page,
        and describes its pictures in words.

    Examples
    --------
    >>> from pac_stability import audit
    >>> result = audit.private_prediction(lambda sample, point: 0, 1, 1)
    >>> page = audit_to_html(result, "a < b", "1.0")
    >>> "<h1>a &lt; b: private prediction</h1>" in page
    True
    """
    # What it was understood to be is not in a certificate, whose page is the same.
    heading = f"{printable(subject)}: {result.instance.notion.title}"
    verdict = result.verdict.name
    body = _body(result, f"<h1>{escape(heading)}</h1>")
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(heading)}: {verdict}</title>",
            f"<style>\n{_PAGE_STYLE}{STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            *body,
            "</main>",
            f"<footer>pac-stability {escape(version)}</footer>",
            "</body>",
            "</html>",
            "",
        ]
    )


def audit_to_fragment(result: AuditResult, subject: str) -> str:
    """Return the same as a part of another page, such as a notebook, whose style it leaves alone.

    Parameters
    ----------
    result, subject
        As for :func:`audit_to_html`.
    """
    return _fragment(_body(result, f"<p><b>{escape(title(result, subject))}</b></p>"))


def pair_to_fragment(witness: PairWitness) -> str:
    """Return the two samples of a witness and their laws as pictures, for another page."""
    return _fragment(_pictures(witness))


def _fragment(body: Sequence[str]) -> str:
    style = f"{_PAGE_STYLE}{STYLE}".replace(":root{", "&{").replace("body{", "&{")
    return "\n".join(
        [
            '<div class="pac-stability">',
            f"<style>.pac-stability{{{style}}}</style>",
            *body,
            "</div>",
        ]
    )


def _body(result: AuditResult, heading: str) -> list[str]:
    verdict = result.verdict.name
    body = [
        heading,
        f'<p class="verdict {result.verdict.value}">{verdict}: {escape(conclusion(result))}</p>',
        html_table([*summary(result), *fixed_parameters(result)]),
    ]
    if result.assumptions:
        assumed = "".join(f"<li>{escape(printable(text))}</li>" for text in result.assumptions)
        body.append(f"<p>This assumes:</p>\n<ul>{assumed}</ul>")
    if result.note:
        body.append(f"<p>{escape(printable(result.note))}</p>")
    if isinstance(result.witness, PairWitness):
        body += _pair(result, result.witness)
    elif result.witness is not None:
        body += _laws(result.witness, result.instance.notion)
    return body


def _pair(result: AuditResult, witness: PairWitness) -> list[str]:
    vertices = frontier(witness.law, witness.neighbour_law).vertices
    parts = ["<h2>Witness</h2>", *_pictures(witness, result.instance.notion)]
    if vertices:
        marks = list(_marks(result, witness))
        parts.append(
            _figure(
                frontier_picture(vertices, marks, "frontier"),
                "What this pair of samples allows: on the curve and above it. "
                "A claim below the curve fails.",
            )
        )
    return parts


def _pictures(witness: PairWitness, notion: Notion | None = None) -> list[str]:
    at = (
        ""
        if witness.point is None
        else f", for the prediction at {escape(in_words(witness.point))}"
    )
    return [
        _figure(
            samples_picture(witness.sample, witness.neighbour, "samples"),
            "The two samples; what differs is framed and rounded.",
        ),
        _figure(
            laws_picture(witness, "laws", notion),
            f"The two laws{at}. {'Event' if witness.order is None else 'Order'} "
            f"{escape(event_in_words(witness, notion))}.",
        ),
    ]


def _marks(result: AuditResult, witness: PairWitness) -> Iterable[Mark]:
    """Return the claim and the value of the witness as points (factor, delta)."""
    measure = result.instance.notion.measured(result.instance)
    named: list[tuple[str, Fraction | float | None]] = [
        ("claim", result.claim),
        ("value", witness.value),
    ]
    for label, number in named:
        if isinstance(number, Fraction):
            place = measure.at(number)
            if place is not None:
                yield Mark(label, *place, claimed=label == "claim")


def _laws(witness: LawsWitness, notion: Notion) -> list[str]:
    parts = ["<h2>Witness</h2>"]
    title = notion.strategy[0].capitalize()
    weights = [(in_words(z), what) for z, what in witness.strategy if isinstance(what, Fraction)]
    if weights:
        caption = f"{title}: what attains the value, with probabilities."
        parts.append(_figure(bars_picture(weights, title, "strategy"), caption))
    elif witness.strategy:
        rows = [(in_words(z), choice_in_words(what)) for z, what in witness.strategy]
        parts += [f"<h3>{title}</h3>", html_table(rows)]
    rows = [
        ("  ".join(map(in_words, elements(sample))), law_in_words(law))
        for sample, law in witness.laws[:_MOST_ROWS]
    ]
    parts += ["<h3>Samples and the law of the output</h3>", html_table(rows)]
    if len(witness.laws) > _MOST_ROWS:
        parts.append(f"<p>and {len(witness.laws) - _MOST_ROWS:,} more</p>")
    return parts


def _figure(picture: str, caption: str) -> str:
    return f"<figure>\n{picture}\n<figcaption>{caption}</figcaption>\n</figure>"
