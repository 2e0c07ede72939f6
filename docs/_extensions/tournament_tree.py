"""A sample's tournaments as a drawing, as in Figure 2 of the paper."""

from __future__ import annotations

from collections.abc import Hashable
from html import escape

from pac_stability.data import Example
from pac_stability.papers.bun_livni_moran import TournamentRecord

_LEVEL, _MARGIN = 90, 20
_INK, _EDGE = "#1b1f24", "#4a5361"


def record_to_svg(record: TournamentRecord) -> str:
    """Draw the tournaments of a sample as one self-contained SVG document.

    Parameters
    ----------
    record
        The record of a sample of D_k.

    Returns
    -------
    str
        The tree with its root above. A node is a tournament example, an edge the sample T_b of the
        side to which it leads; edges are bold where that side was kept.

    Examples
    --------
    >>> from pac_stability.papers.bun_livni_moran import figure_2
    >>> drawing = record_to_svg(figure_2())
    >>> drawing.startswith("<svg xmlns="), drawing.count("<line"), drawing.count('"3.5"')
    (True, 14, 7)
    """
    depth = len(record.path)
    drawn = [player.drawn for _, match in record.matches() for player in match.players]
    slot = 14 * max((len(_shown(*sample)) for sample in drawn), default=5) + 16
    width, height = 2**depth * slot + 2 * _MARGIN, depth * _LEVEL + 2 * _MARGIN + 20

    def at(place: tuple[int, ...]) -> tuple[float, float]:
        left = int("0" + "".join(map(str, place)), 2)
        across = (left + 0.5) * 2 ** (depth - len(place))
        return _MARGIN + across * slot, _MARGIN + 10 + len(place) * _LEVEL

    edges, words = [], []
    for place, match in record.matches():
        x, y = at(place)
        words.append(_text(x, y - 8, _shown(match.example)))
        for side, player in enumerate(match.players):
            below_x, below_y = at((*place, side))
            bold = ' stroke-width="3.5"' if side == match.kept else ""
            edges.append(f'<line{bold} x1="{x:g}" y1="{y:g}" x2="{below_x:g}" y2="{below_y:g}"/>')
            words.append(
                _text((2 * x + 3 * below_x) / 5, (2 * y + 3 * below_y) / 5, _shown(*player.drawn))
            )
            edges.append(f'<circle cx="{below_x:g}" cy="{below_y:g}" r="3"/>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" text-anchor="middle" font-size="12" '
            f'font-family="ui-monospace,Menlo,Consolas,monospace">',
            f"<title>A sample of D_{depth} and its tournaments</title>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            f'<g fill="{_EDGE}" stroke="{_EDGE}">',
            *edges,
            f'</g><g fill="{_INK}">',
            *words,
            "</g></svg>",
            "",
        ]
    )


def _shown(*examples: Example[Hashable]) -> str:
    return " ".join(f"({example.point!r},{example.label})" for example in examples)


def _text(x: float, y: float, words: str) -> str:
    """Words on a white ground, which interrupts the edge below."""
    width = 8 * len(words)
    return (
        f'<rect x="{x - width / 2:g}" y="{y - 12:g}" width="{width}" height="16" fill="#fff"/>'
        f'<text x="{x:g}" y="{y:g}">{escape(words)}</text>'
    )
