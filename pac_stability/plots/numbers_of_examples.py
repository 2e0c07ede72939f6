"""Numbers of examples over accuracy, stability or privacy: upper and lower bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pac_stability.arguments import described
from pac_stability.arithmetic import Constants
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.sample_complexity import ComparisonRow
from pac_stability.plots.drawing import (
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
    from matplotlib.lines import Line2D


# Numbers of examples side by side


class _Style(NamedTuple):
    label: str
    colour: str
    marker: str


class _Kind(NamedTuple):
    label: str
    line: Literal["-"] | tuple[float, tuple[float, float]]
    width: float


_STYLES: Final = {
    "theorem-1": _Style("Theorem 1, stable learner", BLUE, "o"),
    "disjoint-average": _Style("averaging over disjoint parts", VERMILION, "s"),
    "subset-average": _Style("averaging over random subsets", PURPLE, "^"),
    "corollary-2": _Style("Corollary 2, stable learner flipped", BLUE, "o"),
    "theorem-3": _Style("Theorem 3", GREEN, "D"),
    "aggregation": _Style("noisy aggregation over parts", VERMILION, "s"),
    "exponential": _Style("exponential mechanism on a finite class", QUIET, "^"),
}
_DASHES: Final = (0, (4, 2))
_DOTS: Final = (0, (1, 1.5))
_KINDS: Final = {
    Constants.SHARP: _Kind("sharp constants", "-", 1.6),
    Constants.PROVED: _Kind("the paper's accounting, best lemmas", _DOTS, 1.4),
    Constants.PRINTED: _Kind("the paper's constants", _DASHES, 1.2),
}
_LEVELS: Final = {"stable": "stability γ", "private": "privacy ε"}


@dataclass(frozen=True, slots=True)
class _Panel:
    """Sizes over one parameter, the other one fixed."""

    rows: tuple[ComparisonRow, ...]
    over_alpha: bool

    @staticmethod
    def of(rows: Iterable[ComparisonRow]) -> _Panel:
        given = tuple(rows)
        if not given or not all(isinstance(row, ComparisonRow) for row in given):
            raise InvalidInput("panels", described(given), "rows of compare for each panel")
        alphas, levels = {row.alpha for row in given}, {row.level for row in given}
        if len({row.goal for row in given}) > 1:
            raise InvalidInput(
                "panels", "stable and private learners in one", "one goal for each panel"
            )
        return _Panel(given, over_alpha(alphas, levels, "the level"))

    @property
    def x_label(self) -> str:
        return "excess loss α" if self.over_alpha else _LEVELS[self.rows[0].goal]

    @property
    def title(self) -> str:
        row = self.rows[0]
        fixed = row.level if self.over_alpha else row.alpha
        name = _LEVELS[row.goal] if self.over_alpha else "excess loss α"
        return f"{name} = {fixed}"

    def curves(self) -> dict[tuple[str, Constants], dict[Fraction, int]]:
        """From learner and constants to sizes, by the parameter that varies."""
        found: dict[tuple[str, Constants], dict[Fraction, int]] = {}
        for row in sorted(self.rows, key=lambda row: row.alpha if self.over_alpha else row.level):
            at = row.alpha if self.over_alpha else row.level
            found.setdefault((row.learner, row.constants), {})[at] = row.sample_size
        return found


class Crossing(NamedTuple):
    """A place between two values of the parameter where two curves change their order.

    Attributes
    ----------
    first, second : str
        The learners.
    constants : Constants
        The same for both.
    left, right : Fraction
        Certified sizes at these two values are in opposite order.
    x, y : float
        Where the lines of the figure meet.
    """

    first: str
    second: str
    constants: Constants
    left: Fraction
    right: Fraction
    x: float
    y: float


def crossings(rows: Iterable[ComparisonRow]) -> tuple[Crossing, ...]:
    """Return where sizes with the same constants change their order.

    Parameters
    ----------
    rows
        Of :func:`~pac_stability.papers.dagan_feldman.sample_complexity.compare`, for one goal, with
        several values of alpha or of the level.

    Raises
    ------
    InvalidInput
        The rows are not of this kind.

    Examples
    --------
    >>> from pac_stability.papers.dagan_feldman.sample_complexity import compare
    >>> rows = compare(["theorem-1", "disjoint-average"], ["1/2", "1/4", "1/8"], ["1/10"],
    ...                beta="1/20", vc_dimension=1)
    >>> for found in crossings(rows):
    ...     print(found.constants, found.left, found.right)
    printed 1/8 1/4
    sharp 1/4 1/2
    """
    curves = _Panel.of(rows).curves()
    found = []
    for ((first, constants), one), ((second, others), other) in combinations(curves.items(), 2):
        if constants != others:
            continue
        shared = [x for x in one if x in other and one[x] != other[x]]
        for left, right in pairwise(shared):
            before, after = (math.log(one[x] / other[x]) for x in (left, right))
            if before * after < 0:
                part = before / (before - after)
                x, y = (
                    math.exp((1 - part) * math.log(start) + part * math.log(end))
                    for start, end in ((left, right), (one[left], one[right]))
                )
                # They may meet at a value between, which is not among the two then.
                for met in (x for x in one if left < x < right and one[x] == other.get(x)):
                    x, y = float(met), float(one[met])
                found.append(Crossing(first, second, constants, left, right, x, y))
    return tuple(found)


def sample_sizes(*panels: Iterable[ComparisonRow]) -> Figure:
    """Draw sample sizes over alpha, or over gamma or epsilon, on logarithmic axes.

    Parameters
    ----------
    panels
        For each panel rows of
        :func:`~pac_stability.papers.dagan_feldman.sample_complexity.compare`, for one goal, with
        several values of alpha or of the level, and one of the other.

    Returns
    -------
    matplotlib.figure.Figure
        Panels side by side. Sharp constants are solid lines with markers, the paper's accounting
        with the best lemmas is dotted, and printed constants are dashed; open circles are
        :func:`crossings`.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There is no panel, or the rows of one are not of this kind.

    Examples
    --------
    >>> from pac_stability.papers.dagan_feldman.sample_complexity import compare
    >>> rows = compare(["theorem-1", "disjoint-average"], ["1/4", "1/8"], ["1/10"],
    ...                beta="1/20", vc_dimension=1)
    >>> figure = sample_sizes(rows)
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['excess loss α']
    """
    drawn = [_Panel.of(rows) for rows in panels]
    figure, _ = side_by_side(drawn, _draw, 4.6, "rows of compare")
    _legend(figure, drawn)
    return figure


def _draw(axes: Axes, panel: _Panel) -> None:
    logarithmic(axes, panel.x_label, "number of examples n that is enough")
    axes.set_title(panel.title, fontsize="medium")
    for (learner, constants), sizes in panel.curves().items():
        style = _STYLES[learner]
        axes.plot(
            [float(x) for x in sizes],
            list(sizes.values()),
            color=style.colour,
            linewidth=_KINDS[constants].width,
            linestyle=_KINDS[constants].line,
            marker=style.marker if constants is Constants.SHARP else "",
            markersize=3.5,
            gid=f"{learner} {constants}",
        )
    for crossing in crossings(panel.rows):
        name = f"{crossing.first} {crossing.second} {crossing.constants}"
        axes.add_line(_circle([crossing.x], [crossing.y], gid=name))


def _circle(x: Sequence[float], y: Sequence[float], *, gid: str = "", label: str = "") -> Line2D:
    from matplotlib.lines import Line2D  # noqa: PLC0415  # an optional library

    return Line2D(
        x,
        y,
        color=INK,
        linestyle="",
        marker="o",
        markersize=9,
        markerfacecolor="none",
        gid=gid,
        label=label,
    )


def _legend(figure: Figure, panels: Sequence[_Panel]) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415  # an optional library

    curves = [key for panel in panels for key in panel.curves()]
    handles = [
        Line2D([], [], color=style.colour, marker=style.marker, markersize=4, label=style.label)
        for style in (_STYLES[learner] for learner in dict.fromkeys(name for name, _ in curves))
    ]
    kinds = {constants for _, constants in curves}
    handles += [
        Line2D([], [], color=INK, linestyle=kind.line, label=kind.label)
        for constants, kind in _KINDS.items()
        if constants in kinds
    ]
    if any(crossings(panel.rows) for panel in panels):
        handles.append(_circle([], [], label="two curves cross"))
    legend_below(figure, handles, 2 if len(panels) == 1 else 3)
