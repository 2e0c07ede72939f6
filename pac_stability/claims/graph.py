"""What a paper's statements rest on, as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pac_stability.claims.claim import Claim
from pac_stability.claims.registry import in_order_of_use

_WIDTH, _HEIGHT = 150, 34  # of a box
_ACROSS, _DOWN = 18, 46  # between boxes
_SWEEPS = 6


@dataclass(frozen=True, slots=True)
class Place:
    """Where a claim stands: its layer, from 0 at the top, and its position in it."""

    layer: int
    position: int


def layers(claims: Iterable[Claim]) -> dict[str, Place]:
    """Place claims so that each stands below all that it uses.

    Parameters
    ----------
    claims
        Claims of one paper; what they use elsewhere is left out.

    Returns
    -------
    dict of str to Place
        Those that use nothing and are used by nothing here are left out. Within a layer, the order
        keeps lines short: each claim moves to the middle of its neighbours, some times downwards
        and upwards.
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
) -> str:
    """Draw the dependency graph of one paper's claims; boxes can be clicked.

    Parameters
    ----------
    claims
        Claims of one paper.
    classes
        For each key a CSS class, such as ``"survived"``, that gives its box a colour.
    link
        For each key where a click leads.

    Returns
    -------
    str
        An ``svg`` element without colours of its own.
    """
    placed = layers(claims)
    by_key = {claim.key: claim for claim in claims}
    widest = max((place.position + 1 for place in placed.values()), default=0)
    deepest = max((place.layer + 1 for place in placed.values()), default=0)
    count = {y: sum(place.layer == y for place in placed.values()) for y in range(deepest)}
    width = widest * (_WIDTH + _ACROSS) + _ACROSS

    def corner(key: str) -> tuple[float, float]:
        place = placed[key]
        margin = (width - count[place.layer] * (_WIDTH + _ACROSS) + _ACROSS) / 2
        return margin + place.position * (_WIDTH + _ACROSS), _ACROSS + place.layer * (
            _HEIGHT + _DOWN
        )

    height = deepest * (_HEIGHT + _DOWN) - _DOWN + 2 * _ACROSS
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">'
    ]
    for key in placed:
        x, y = corner(key)
        for other in by_key[key].uses:
            if other in placed:
                a, b = corner(other)
                start, end = (a + _WIDTH / 2, b + _HEIGHT), (x + _WIDTH / 2, y)
                bend = (end[1] - start[1]) / 2
                lines.append(
                    f'<path class="use" d="M{start[0]:g} {start[1]:g} '
                    f"C{start[0]:g} {start[1] + bend:g} {end[0]:g} {end[1] - bend:g} "
                    f'{end[0]:g} {end[1]:g}"/>'
                )
    for key in placed:
        x, y = corner(key)
        claim = by_key[key]
        lines.append(
            f'<a href="{escape(link[key])}"><g class="claim {escape(classes[key])}">'
            f"<title>{escape(claim.title)}</title>"
            f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>'
            f'<text x="{x + _WIDTH / 2:g}" y="{y + _HEIGHT / 2 + 4:g}">{escape(claim.item)}</text>'
            "</g></a>"
        )
    return "\n".join([*lines, "</svg>"])


def _middle(places: list[float], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise
