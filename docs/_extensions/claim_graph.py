"""The picture of what rests on what: the dependencies of claims, with a legend and a filter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pac_stability.claims import Claim
from pac_stability.claims.pages import COLOURS
from pac_stability.claims.search import in_order_of_use

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
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


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
