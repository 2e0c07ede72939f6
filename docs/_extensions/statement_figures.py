"""Figures of the site alone: slack of statements, sizes of algorithm M, losses, bounds.

The kit is that of :mod:`pac_stability.plots`; ``figures.py`` draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pac_stability.arguments import as_open_unit, described
from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput
from pac_stability.plots import drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# What statements allow over what their tightest instances need

_MARKS = {
    "printed": (drawing.BLUE, "o"),
    "proof": (drawing.VERMILION, "s"),
    "ours": (drawing.GREEN, "D"),
}
_MOST = 1000.0  # what is more stands at the edge, as an arrow

Panel = Mapping[str, Mapping[str, Sequence[float]]]
"""From the name of a statement to, for whose constants, the slack of each of its questions."""


def slack(panels: Mapping[str, Panel]) -> Figure:
    """Draw the slack of statements: the allowance divided by the need of the tightest instance.

    Parameters
    ----------
    panels
        From the title of a panel (such as a paper) to its rows in order. Constants are
        ``"printed"``, of a ``"proof"`` or ``"ours"``; slack is 1 or more.

    Returns
    -------
    matplotlib.figure.Figure
        A row for each statement, a mark for the slack of each question on a logarithmic scale, and
        a line at 1, where a statement is tight. Slack above 1000 becomes an arrow at the edge.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There is nothing to draw, a number is out of range, or a word is unknown.
    """
    if not panels or not all(panels.values()):
        raise InvalidInput("panels", "nothing", "the slack of at least one statement in each")
    for panel in panels.values():
        for row in panel.values():
            if not row.keys() <= _MARKS.keys():
                raise InvalidInput("panels", f"{sorted(row)}", f"some of {', '.join(_MARKS)}")
            if not all(each >= 1 for values in row.values() for each in values):
                raise InvalidInput("panels", f"{dict(row)}", "slack of 1 and more")
    # One above the other: a page shows letters of a figure of this width at their size.
    rows = [len(panel) for panel in panels.values()]
    figure = drawing.new_figure(7.2, 1.1 * len(rows) + 0.2 * sum(rows))
    drawn = figure.subplots(len(rows), 1, squeeze=False, height_ratios=[n + 2 for n in rows])[:, 0]
    for axes, (title, panel) in zip(drawn, panels.items(), strict=True):
        _draw_slack(axes, title, panel)
    drawn[0].legend(loc="lower right", frameon=False)
    return figure


def _draw_slack(axes: Axes, title: str, panel: Panel) -> None:
    axes.set_title(title)
    axes.set_xscale("log")
    axes.set_xlim(0.8, 1.3 * _MOST)
    axes.set_ylim(len(panel) - 0.5, -0.5)  # from above
    axes.set_xlabel("allowed over needed")
    axes.set_yticks(range(len(panel)), list(panel), fontsize="small")
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.axvline(1, color=drawing.QUIET, linewidth=0.8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    for whose, (colour, mark) in _MARKS.items():
        places = [
            (each, number)
            for number, row in enumerate(panel.values())
            for each in row.get(whose, ())
        ]
        for beyond, shape in ((False, mark), (True, ">")):
            here = [(min(x, _MOST), y) for x, y in places if (x > _MOST) == beyond]
            axes.plot(
                [x for x, _ in here],
                [y for _, y in here],
                color=colour,
                linestyle="",
                marker=shape,
                markersize=4.5,
                gid=f"{whose}{' beyond' if beyond else ''}",
                label=None if beyond else whose,
            )


# How many examples algorithm M takes

OfDimension: TypeAlias = tuple[str, int, int]
"""Which accounting, d, and the number of examples."""

OfClass: TypeAlias = tuple[int, int]
"""log2 of the number of hypotheses, and the number of examples."""

_ACCOUNTINGS = {
    "printed": ("as printed", drawing.QUIET, "dotted"),
    "proved": ("Lemma 12 repaired", drawing.VERMILION, "dashed"),
    "sharp": ("exact tails", drawing.BLUE, "solid"),
    "by-level": ("runs by level", drawing.GREEN, "solid"),
}


def private_learners(by_dimension: Iterable[OfDimension], listed: Iterable[OfClass]) -> Figure:
    """Draw the sizes of algorithm M, and where they fall below those of the plain learner.

    Parameters
    ----------
    by_dimension
        Rows of an accounting (``"printed"``, ``"proved"``, ``"sharp"`` or ``"by-level"``), d, and
        the number of examples; not none.
    listed
        Rows of log2 of the number of hypotheses, above 0, and the examples that the exponential
        mechanism over all of them takes; not none.

    Returns
    -------
    matplotlib.figure.Figure
        Two panels: M over d, and the plain learner over log2 |H| with a level line for M by level
        of each dimension that fits below it.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There are no rows, or one is of another accounting.
    """
    rows, plain = list(by_dimension), sorted(listed)
    for given, argument in ((rows, "by_dimension"), (plain, "listed")):
        if not given:
            raise InvalidInput(argument, "none", "at least one row")
    for name, _, _ in rows:
        if name not in _ACCOUNTINGS:
            raise InvalidInput("by_dimension", described(name), "one of " + ", ".join(_ACCOUNTINGS))
    figure = drawing.new_figure(9.2, 4.6)
    over_d, over_bits = figure.subplots(1, 2, squeeze=False)[0]
    _draw_dimensions(over_d, rows)
    _draw_bits(over_bits, plain, [(d, n) for name, d, n in rows if name == "by-level"])
    drawing.legend_below(figure, over_d.lines, 4)
    return figure


def _draw_dimensions(axes: Axes, rows: list[OfDimension]) -> None:
    drawing.logarithmic(axes, "Littlestone dimension d", "number of examples n")
    axes.set_xscale("linear")
    axes.set_xticks(sorted({d for _, d, _ in rows}))
    for name, (label, colour, line) in _ACCOUNTINGS.items():
        points = sorted((d, n) for given, d, n in rows if given == name)
        if points:
            x, y = zip(*points, strict=True)
            axes.plot(x, y, color=colour, linestyle=line, marker="o", markersize=3, label=label)


def _draw_bits(axes: Axes, plain: list[OfClass], levels: list[tuple[int, int]]) -> None:
    drawing.logarithmic(axes, "bits of the class, log₂ |H|", "")
    x, y = zip(*plain, strict=True)
    axes.plot(x, y, color=drawing.PURPLE)
    place = len(plain) // 4
    axes.annotate(
        "exponential mechanism over H",
        (plain[place][0], plain[place][1]),
        textcoords="offset points",
        xytext=(0, 8),
        ha="center",
        rotation=38,
        size="small",
        color=drawing.PURPLE,
    )
    for d, n in sorted(levels):
        if n <= max(y):
            axes.axhline(n, color=drawing.GREEN, linewidth=1)
            axes.annotate(
                f"M by level, d = {d}",
                (x[0], n),
                textcoords="offset points",
                xytext=(2, 3),
                size="small",
                color=drawing.INK,
            )


# Losses


def excess_error(measured: Mapping[Fraction, Sequence[Interval]]) -> Figure:
    """Draw measured excess losses over the requested excess alpha.

    Parameters
    ----------
    measured
        From alpha to the excess on some independent samples of the size that a statement computes
        for alpha; above 0, as the axes are logarithmic.

    Returns
    -------
    matplotlib.figure.Figure
        A dot for each sample (at the middle of its interval), a line through the medians, and a
        dashed line at alpha itself.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There is nothing to draw, or a number is out of range.
    """
    if not measured:
        raise InvalidInput("measured", "nothing", "losses for at least one alpha")
    alphas = sorted(as_open_unit(alpha, "measured") for alpha in measured)
    for alpha in alphas:
        if not measured[alpha] or not all(excess > 0 for excess in measured[alpha]):
            raise InvalidInput(
                "measured", f"no excess above 0 at alpha = {alpha}", "losses that are all above 0"
            )
    excesses = {float(alpha): [float(excess) for excess in measured[alpha]] for alpha in alphas}
    figure = drawing.new_figure(5.6, 4.4)
    axes = figure.subplots()
    drawing.logarithmic(axes, "excess loss α asked for", "excess loss measured")
    axes.set_xticks(list(excesses), [str(alpha) for alpha in alphas])
    axes.set_xticks([], minor=True)
    ends = [min(excesses), max(excesses)]
    axes.plot(
        ends, ends, color=drawing.INK, linestyle=(0, (4, 2)), gid="asked", label="what is asked: α"
    )
    axes.plot(
        [alpha for alpha, values in excesses.items() for _ in values],
        [value for values in excesses.values() for value in values],
        color=drawing.BLUE,
        alpha=0.45,
        linestyle="",
        marker="o",
        markersize=4,
        markeredgewidth=0,
        gid="samples",
        label="one sample",
    )
    medians = [median(values) for values in excesses.values()]
    axes.plot(
        list(excesses), medians, color=drawing.BLUE, gid="medians", label="median of the samples"
    )
    axes.legend(frameon=False, fontsize="small")
    return figure


# How many examples private predictions need, from above and below

Row: TypeAlias = tuple[str, Fraction, Fraction, int]
"""The name of a bound, alpha, epsilon, and a number of examples."""


class _CurveStyle(NamedTuple):
    label: str
    colour: str
    marker: str
    line: str


_BOUND_STYLES: Final = {
    "theorem-3": _CurveStyle("Theorem 3, agnostic: enough", drawing.GREEN, "D", "-"),
    "corollary-2": _CurveStyle("Corollary 2, agnostic: enough", drawing.BLUE, "o", "-"),
    "lemma-9": _CurveStyle("Lemma 9, realizable: enough", drawing.VERMILION, "s", "-"),
    "theorem-3-proved": _CurveStyle("Theorem 3, the paper's accounting", drawing.GREEN, "", "-"),
    "corollary-2-proved": _CurveStyle("Corollary 2, the paper's accounting", drawing.BLUE, "", "-"),
    "lemma-9-proved": _CurveStyle("Lemma 9, the paper's accounting", drawing.VERMILION, "", "-"),
    "private-exact": _CurveStyle("private, realizable: needed, exact", drawing.INK, "o", "--"),
    "private-closed": _CurveStyle("the same in closed form", drawing.QUIET, "", ":"),
    "agnostic-coins": _CurveStyle("agnostic without privacy: needed", drawing.PURPLE, "^", "--"),
}


def private_bounds(*panels: Iterable[Row]) -> Figure:
    """Draw upper and lower bounds on the examples that private predictions need.

    Parameters
    ----------
    panels
        For each panel rows of a name, alpha, epsilon and a number of examples, with several values
        of alpha or of epsilon, and one of the other. Names: ``"theorem-3"``, ``"corollary-2"`` and
        ``"lemma-9"`` for upper bounds, the same with ``-proved`` for the paper's accounting with
        the best lemmas, ``"private-exact"``, ``"private-closed"`` and ``"agnostic-coins"`` for
        lower bounds.

    Returns
    -------
    matplotlib.figure.Figure
        Panels side by side, on logarithmic axes. Upper bounds are solid lines, thin ones for the
        paper's accounting; lower bounds are dashed or dotted.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There is no panel, or the rows of one are not of this kind.
    """
    drawn = [_checked(panel) for panel in panels]
    figure, grid = drawing.side_by_side(drawn, _draw_bounds, 4.8, "rows of bounds")
    handles = {line.get_label(): line for axes in grid for line in axes.lines}
    drawing.legend_below(figure, handles.values(), min(3, len(drawn) + 1))
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
    return drawing.over_alpha({row[1] for row in rows}, {row[2] for row in rows}, "epsilon")


def _draw_bounds(axes: Axes, rows: list[Row]) -> None:
    by_alpha = _varies(rows)
    fixed = rows[0][2] if by_alpha else rows[0][1]
    drawing.logarithmic(
        axes, "expected excess α" if by_alpha else "privacy ε", "number of examples n"
    )
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
