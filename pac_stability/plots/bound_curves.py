"""Upper and lower bounds on the number of examples."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pac_stability.arguments import described
from pac_stability.errors import InvalidInput
from pac_stability.plots._figures import (
    BLUE,
    GREEN,
    INK,
    PURPLE,
    QUIET,
    VERMILION,
    legend_below,
    logarithmic,
    over_alpha,
    side_by_side,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row: TypeAlias = tuple[str, Fraction, Fraction, int]
"""The name of a bound, alpha, epsilon, and a number of examples."""


class _CurveStyle(NamedTuple):
    label: str
    colour: str
    marker: str
    line: str


_BOUND_STYLES: Final = {
    "theorem-3": _CurveStyle("Theorem 3, agnostic: enough", GREEN, "D", "-"),
    "corollary-2": _CurveStyle("Corollary 2, agnostic: enough", BLUE, "o", "-"),
    "lemma-9": _CurveStyle("Lemma 9, realizable: enough", VERMILION, "s", "-"),
    "theorem-3-proved": _CurveStyle("Theorem 3, the paper's accounting", GREEN, "", "-"),
    "corollary-2-proved": _CurveStyle("Corollary 2, the paper's accounting", BLUE, "", "-"),
    "lemma-9-proved": _CurveStyle("Lemma 9, the paper's accounting", VERMILION, "", "-"),
    "private-exact": _CurveStyle("private, realizable: needed, exact", INK, "o", "--"),
    "private-closed": _CurveStyle("the same in closed form", QUIET, "", ":"),
    "agnostic-coins": _CurveStyle("agnostic without privacy: needed", PURPLE, "^", "--"),
}


def private_bounds(*panels: Iterable[Row]) -> Figure:
    """Draw how many examples private predictions need, from above and below.

    Parameters
    ----------
    panels
        For each panel rows of a name, alpha, epsilon and a number of examples, with several values
        of alpha or of epsilon, and one of the other. Names: ``"theorem-3"``, ``"corollary-2"`` and
        ``"lemma-9"`` for what is enough, the same with ``-proved`` for the paper's accounting with
        the best lemmas, ``"private-exact"``, ``"private-closed"`` and
        ``"agnostic-coins"`` for what is needed.

    Returns
    -------
    matplotlib.figure.Figure
        Panels side by side, on logarithmic axes; what is enough is solid, and thin by the paper's
        accounting; what is needed is dashed or dotted.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There is no panel, or the rows of one are not of this kind.

    Examples
    --------
    >>> rows = [("lemma-9", Fraction(1, k), Fraction(1), 100 * k) for k in (2, 4)]
    >>> [axes.get_xlabel() for axes in private_bounds(rows).axes]
    ['expected excess α']
    """
    drawn = [_checked(panel) for panel in panels]
    figure, grid = side_by_side(drawn, _draw_bounds, 4.8, "rows of bounds")
    handles = {line.get_label(): line for axes in grid for line in axes.lines}
    legend_below(figure, handles.values(), min(3, len(drawn) + 1))
    return figure


def _checked(panel: Iterable[Row]) -> list[Row]:
    rows = list(panel)
    if not rows:
        raise InvalidInput("panels", "an empty one", "rows of name, alpha, epsilon and n in each")
    for name in dict.fromkeys(row[0] for row in rows):
        if name not in _BOUND_STYLES:
            raise InvalidInput("panels", described(name), "one of " + ", ".join(_BOUND_STYLES))
    _varies(rows)
    return rows


def _varies(rows: list[Row]) -> bool:
    """Return whether it is alpha that has several values."""
    return over_alpha({row[1] for row in rows}, {row[2] for row in rows}, "epsilon")


def _draw_bounds(axes: Axes, rows: list[Row]) -> None:
    by_alpha = _varies(rows)
    fixed = rows[0][2] if by_alpha else rows[0][1]
    logarithmic(axes, "expected excess α" if by_alpha else "privacy ε", "number of examples n")
    axes.set_title(f"{'privacy ε' if by_alpha else 'expected excess α'} = {fixed}", size="medium")
    values = sorted({row[1 if by_alpha else 2] for row in rows})
    axes.set_xticks([float(x) for x in values], [str(x) for x in values])
    axes.set_xticks([], minor=True)
    for name in dict.fromkeys(row[0] for row in rows):
        style = _BOUND_STYLES[name]
        points = sorted((row[1 if by_alpha else 2], row[3]) for row in rows if row[0] == name)
        axes.plot(
            [float(x) for x, _ in points],
            [n for _, n in points],
            color=style.colour,
            linestyle=style.line,
            linewidth=0.8 if name.endswith("-proved") else 1.5,
            marker=style.marker,
            markersize=3.5,
            label=style.label,
            gid=name,
        )
