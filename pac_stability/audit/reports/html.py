"""The answer of an audit as one self-contained HTML page without scripts or external files.

Its pictures are inline SVG: two laws, their frontier, and two samples. The colours are variables of
the page's style sheet (:data:`STYLE`), so that one picture serves a light page and a dark one.
Colour alone never carries information, and every picture has a title and a description. The last
part is what a notebook shows of a result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path

from pac_stability._report import Face, html_table, latex_table
from pac_stability.arithmetic.interval import decimal, exact
from pac_stability.audit.notions.notion import Notion
from pac_stability.audit.reports.text import (
    audit_to_text,
    choice_in_words,
    conclusion,
    differing,
    elements,
    event_in_words,
    fixed_parameters,
    in_words,
    law_in_words,
    outcomes_of,
    pair_to_text,
    runs_to_text,
    summary,
    title,
)
from pac_stability.audit.results import AuditResult, LawsWitness, PairWitness
from pac_stability.audit.statistics import StatisticalResult
from pac_stability.errors import printable
from pac_stability.notions.closeness import frontier

STYLE = Path(__file__).with_name("page.css").read_text("utf-8")
"""Of a page and its pictures, light and dark."""

_LETTER = 7.9  # the width of one, in 13 pixels of a monospaced font
_BAR = 300  # the length of a bar for probability 1
_MOST_OUTCOMES = 24
_LONGEST_LABEL = 22


def laws_picture(witness: PairWitness, name: str, notion: Notion | None = None) -> str:
    """Draw the two laws of a witness as bars below each other, with the event marked.

    Parameters
    ----------
    witness
        The pair of samples and their laws.
    name
        The identifier of the picture in its page: letters only, and unique.
    notion
        The instance of the witness, for its words.

    Returns
    -------
    str
        An ``<svg>`` element. If there are many outcomes, it shows those on which the laws differ
        most.
    """
    event = set(witness.event)
    laws = (witness.law, witness.neighbour_law)
    outcomes = outcomes_of(witness)
    if len(outcomes) > _MOST_OUTCOMES:
        gap = {z: abs(laws[0].probability(z) - laws[1].probability(z)) for z in outcomes}
        largest = set(sorted(outcomes, key=lambda z: -gap[z])[:_MOST_OUTCOMES])
        shown = [outcome for outcome in outcomes if outcome in largest]
    else:
        shown = list(outcomes)
    labels = [_cut(in_words(outcome)) for outcome in shown]
    left = _LETTER * max((len(label) for label in labels), default=1) + 36
    bar, row = 13, 40
    ends = [_after_bar(left, law.probability(outcome)) for law in laws for outcome in shown]
    width = max([left + 460, *ends])
    parts = []
    for place, (outcome, label) in enumerate(zip(shown, labels, strict=True)):
        top = 34 + place * row
        if outcome in event:
            parts.append(
                f'<rect class="event" x="0" y="{top - 4}" width="{width:g}" height="{row - 4}"/>'
            )
            label = f"{label} *"  # noqa: PLW2901  # the label as shown
        parts.append(_text(left - 8, top + 18, label, "right"))
        for index, (law, kind) in enumerate(zip(laws, ("first", "second"), strict=True)):
            parts += _bar(kind, left, top + index * (bar + 2), bar, law.probability(outcome))
    height = 34 + len(shown) * row + 4
    legend = (
        f'<rect class="first" x="{left:g}" y="6" width="{bar}" height="{bar}"/>'
        f"{_text(left + 18, 17, 'on the sample')}"
        f'<rect class="second" x="{left + 150:g}" y="6" width="{bar}" height="{bar}"/>'
        f"{_text(left + 168, 17, 'on its neighbour')}"
        f"{_text(left + 320, 17, '* in the event')}"
    )
    left_out = len(outcomes) - len(shown)
    more = f" {left_out} outcomes on which the laws differ less are left out." if left_out else ""
    return _svg(
        name,
        (width, height),
        "The law of the output on the sample and on its neighbour",
        f"Event {event_in_words(witness, notion)}.{more}",
        [legend, *parts],
    )


@dataclass(frozen=True, slots=True)
class Mark:
    """A point to mark beside a frontier.

    Attributes
    ----------
    label
        What it is.
    factor, delta
        Where it is: ``e**epsilon`` and delta.
    claimed
        Whether it is a claim rather than a result.
    """

    label: str
    factor: Fraction
    delta: Fraction
    claimed: bool = False


def frontier_picture(
    vertices: Sequence[tuple[Fraction, Fraction]], marks: Sequence[Mark], name: str
) -> str:
    """Draw the smallest delta as a function of the factor e**epsilon, and some points beside it.

    Parameters
    ----------
    vertices
        The corners of the function, from the factor 1 on; it is constant after the last.
    marks
        Points to mark: a claim as a ring, a result as a disc.
    name
        As for :func:`laws_picture`.

    Returns
    -------
    str
        An ``<svg>`` element. A claim that the pair respects lies on the curve or above it.
    """
    last = max([vertices[-1][0], *(mark.factor for mark in marks)])
    right = 1 + (last - 1) * Fraction(6, 5) if last > 1 else Fraction(2)
    top = max([Fraction(1, 1000), vertices[0][1], *(mark.delta for mark in marks)])
    width, height, left, under = 640, 320, 80, 50
    across, up = width - left - 30, height - under - 30

    def x(factor: Fraction) -> float:
        return left + across * float((factor - 1) / (right - 1))

    def y(delta: Fraction) -> float:
        return height - under - up * float(delta / top)

    line = " ".join(f"{x(t):.2f},{y(d):.2f}" for t, d in [*vertices, (right, vertices[-1][1])])
    parts = [
        f'<path class="axis" d="M{left} 24V{height - under}H{width - 20}"/>',
        _text(left - 8, y(top) + 4, decimal(top), "quiet right"),
        _text(left - 8, y(Fraction(0)) + 4, "0", "quiet right"),
        _text(left, height - under + 18, "1", "quiet middle"),
        _text(x(right), height - under + 18, decimal(right), "quiet middle"),
        _text(left + across / 2, height - 12, "e^epsilon", "middle"),
        _text(left - 8, 16, "delta", "right"),
        f'<polyline class="curve" points="{line}"/>',
    ]
    for index, mark in enumerate(marks):
        at_x, at_y = x(mark.factor), y(mark.delta)
        kind = "claim" if mark.claimed else "value"
        parts.append(f'<circle class="{kind}" cx="{at_x:.2f}" cy="{at_y:.2f}" r="6"/>')
        side, shift = ("right", -10) if at_x > 0.8 * width else ("", 10)
        parts.append(_text(at_x + shift, at_y - 10 - 16 * index, mark.label, side))
    where = "; ".join(f"{m.label}: factor {exact(m.factor)}, delta {exact(m.delta)}" for m in marks)
    return _svg(
        name,
        (width, height),
        "The smallest delta for each factor e^epsilon that this pair of samples allows",
        f"From {exact(vertices[0][1])} at the factor 1, falling until the factor "
        f"{exact(vertices[-1][0])}, and {exact(vertices[-1][1])} from there on. {where}",
        parts,
    )


def samples_picture(sample: object, neighbour: object, name: str) -> str:
    """Draw two samples below each other, element by element, framed where they differ.

    Parameters
    ----------
    sample, neighbour
        Two ``Sample`` objects, or tuples of records.
    name
        As for :func:`laws_picture`.

    Returns
    -------
    str
        An ``<svg>`` element.
    """
    marks = differing(sample, neighbour)
    rows = [[_cut(in_words(element)) for element in elements(s)] for s in (sample, neighbour)]
    box = _LETTER * max((len(label) for row in rows for label in row), default=1) + 18
    left, height = 96, 32
    parts = []
    for index, (who, row) in enumerate(zip(("sample", "neighbour"), rows, strict=True)):
        top = 8 + index * 46
        parts.append(_text(left - 12, top + 21, who, "right"))
        for place, label in enumerate(row):
            at = left + place * (box + 8)
            changed = place in marks[index]
            parts.append(
                f'<rect class="{"changed" if changed else "box"}" x="{at:g}" y="{top}" '
                f'width="{box:g}" height="{height}" rx="{12 if changed else 3}"/>'
            )
            parts.append(_text(at + box / 2, top + 21, label, "middle"))
    places = ", ".join(str(place + 1) for place in sorted(marks[0] | marks[1])) or "none"
    return _svg(
        name,
        (left + max(map(len, rows)) * (box + 8) + 8, 100),
        "The sample and its neighbour",
        f"Sample: {', '.join(rows[0])}. Neighbour: {', '.join(rows[1])}. "
        f"They differ at position {places}.",
        parts,
    )


def bars_picture(weights: Iterable[tuple[str, Fraction]], title: str, name: str) -> str:
    """Draw probabilities as bars below each other.

    Parameters
    ----------
    weights
        Pairs of a label and a probability, at least one; the largest are shown.
    title
        What they are.
    name
        As for :func:`laws_picture`.

    Returns
    -------
    str
        An ``<svg>`` element.
    """
    kept = sorted(weights, key=lambda pair: -pair[1])
    shown = [(_cut(label), weight) for label, weight in kept[:_MOST_OUTCOMES]]
    left = _LETTER * max((len(label) for label, _ in shown), default=1) + 12
    parts = []
    for place, (label, weight) in enumerate(shown):
        top = 8 + 22 * place
        parts += [_text(left - 8, top + 12, label, "right"), *_bar("first", left, top, 15, weight)]
    return _svg(
        name,
        (max(_after_bar(left, weight) for _, weight in shown), 16 + 22 * len(shown)),
        title,
        "; ".join(f"{label}: {exact(weight)}" for label, weight in shown),
        parts,
    )


def _bar(kind: str, left: float, top: int, height: int, weight: Fraction) -> Iterator[str]:
    """Yield a bar, and its probability behind it."""
    length = _BAR * float(weight)
    yield f'<rect class="{kind}" x="{left:g}" y="{top}" width="{length:.2f}" height="{height}"/>'
    yield _text(left + length + 6, top + (height + 9) // 2, exact(weight))  # in its middle


def _after_bar(left: float, weight: Fraction) -> float:
    """Return where a bar and the number behind it end."""
    return left + _BAR * float(weight) + 12 + _LETTER * len(exact(weight))


def _svg(
    name: str, size: tuple[float, float], title: str, description: str, parts: Iterable[str]
) -> str:
    width, height = (math.ceil(side) for side in size)
    return "\n".join(
        [
            f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
            f'aria-labelledby="{name}-title {name}-description">',
            f'<title id="{name}-title">{escape(title)}</title>',
            f'<desc id="{name}-description">{escape(description)}</desc>',
            *parts,
            "</svg>",
        ]
    )


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    attribute = f' class="{kind}"' if kind else ""
    return f'<text{attribute} x="{x:.2f}" y="{y:.2f}">{escape(text)}</text>'


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"


# The answer of an audit as one self-contained HTML page: no script, nothing from elsewhere

_MOST_ROWS = 200


def audit_to_html(result: AuditResult, subject: str, version: str) -> str:
    """Return what an audit found as a page with pictures of the witness.

    Parameters
    ----------
    result
        What the audit returned.
    subject
        The user's name for the algorithm.
    version
        The version of the writing program.

    Returns
    -------
    str
        An HTML document that loads nothing, follows the reader's light or dark theme, and describes
        its pictures in words.

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
            f"<style>\n{STYLE}</style>",
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
    """Return the same as a part of another page, such as a notebook; it keeps that page's style.

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
    style = STYLE.replace(":root{", "&{").replace("body{", "&{")
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


# What audits say: the words of ``audit``, and the part of its page that a notebook shows


def audit_face(result: AuditResult) -> Face:
    """Return the forms in which an exact audit is shown."""

    def latex() -> str:
        verdict = f"{result.verdict.name}: {conclusion(result)}"
        head = ("notion", result.instance.notion.title)
        return latex_table([*summary(result), ("verdict", verdict)], head)

    return Face(
        lambda: audit_to_text(result, result.subject),
        html=lambda: audit_to_fragment(result, result.subject),
        latex=latex,
    )


def witness_face(witness: PairWitness) -> Face:
    """Return two samples that attain a value, with their differences and their laws."""
    return Face(lambda: pair_to_text(witness), html=lambda: pair_to_fragment(witness))


def runs_face(result: StatisticalResult[object, object]) -> Face:
    """Return the forms in which runs of a black box are shown."""
    return Face(
        lambda: runs_to_text(result, result.subject),
        html=lambda: f"<pre>{escape(runs_to_text(result, result.subject))}</pre>",
    )
