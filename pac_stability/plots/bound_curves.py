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
    logarithmic,
    new_figure,
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


_STYLES: Final = {
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
    if not drawn:
        raise InvalidInput("panels", "none", "rows of bounds for at least one panel")
    figure = new_figure(max(5.0, 4.6 * len(drawn)), 4.8)
    grid = figure.subplots(1, len(drawn), squeeze=False)[0]
    for axes, rows in zip(grid, drawn, strict=True):
        _draw(axes, rows)
    for axes in grid[1:]:
        axes.set_ylabel("")
    handles = {line.get_label(): line for axes in grid for line in axes.lines}
    figure.legend(
        handles=list(handles.values()),
        loc="outside lower center",
        ncols=min(3, len(drawn) + 1),
        frameon=False,
        fontsize="small",
    )
    return figure


def _checked(panel: Iterable[Row]) -> list[Row]:
    rows = list(panel)
    if not rows:
        raise InvalidInput("panels", "an empty one", "rows of name, alpha, epsilon and n in each")
    for name in dict.fromkeys(row[0] for row in rows):
        if name not in _STYLES:
            raise InvalidInput("panels", described(name), "one of " + ", ".join(_STYLES))
    alphas, epsilons = {row[1] for row in rows}, {row[2] for row in rows}
    if min(len(alphas), len(epsilons)) > 1 or max(len(alphas), len(epsilons)) == 1:
        raise InvalidInput(
            "panels",
            f"{len(alphas)} values of alpha and {len(epsilons)} of epsilon",
            "several values of one of them, and one of the other, in each panel",
        )
    return rows


def _draw(axes: Axes, rows: list[Row]) -> None:
    over_alpha = len({row[1] for row in rows}) > 1
    fixed = rows[0][2] if over_alpha else rows[0][1]
    logarithmic(axes, "expected excess α" if over_alpha else "privacy ε", "number of examples n")
    axes.set_title(f"{'privacy ε' if over_alpha else 'expected excess α'} = {fixed}", size="medium")
    values = sorted({row[1 if over_alpha else 2] for row in rows})
    axes.set_xticks([float(x) for x in values], [str(x) for x in values])
    axes.set_xticks([], minor=True)
    for name in dict.fromkeys(row[0] for row in rows):
        style = _STYLES[name]
        points = sorted((row[1 if over_alpha else 2], row[3]) for row in rows if row[0] == name)
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
