"""The figures: numbers of examples side by side, and what the statements allow.

All share matplotlib, when it is there, and files that are always the same. They show sizes of
samples beside upper and lower bounds; what statements allow over what their tightest instances
need; how many examples algorithm M takes; and measured losses against those that were asked for.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar

from pac_stability.arguments import as_open_unit, described
from pac_stability.arithmetic import Constants, Interval
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.keeping.writing import write_bytes
from pac_stability.papers.dagan_feldman.sample_complexity import ComparisonRow

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


T = TypeVar("T")

# Okabe and Ito's colours, which differ for all kinds of colour vision.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
INK, QUIET = "#222222", "#767676"


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure, its size in inches, or say what to install."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  # an optional library
    except ModuleNotFoundError as error:
        message = "matplotlib is missing: pip install 'pac_stability[plots]'"
        raise ImportError(message, name="matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def side_by_side(
    panels: Sequence[T], draw: Callable[[Axes, T], None], height: float, wanted: str
) -> tuple[Figure, Sequence[Axes]]:
    """Return a figure with a panel for each, or refuse none; only the first names its y axis."""
    if not panels:
        raise InvalidInput("panels", "none", f"{wanted} for at least one panel")
    figure = new_figure(max(5.0, 4.6 * len(panels)), height)
    grid: Sequence[Axes] = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, panel in zip(grid, panels, strict=True):
        draw(axes, panel)
    for axes in grid[1:]:
        axes.set_ylabel("")
    return figure, grid


def legend_below(figure: Figure, handles: Iterable[Artist], columns: int) -> None:
    """Explain the lines of all panels, under them."""
    figure.legend(
        handles=list(handles),
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        fontsize="small",
    )


def over_alpha(alphas: Collection[object], others: Collection[object], name: str) -> bool:
    """Return whether alpha varies and the other parameter is fixed; refuse both, and neither."""
    if min(len(alphas), len(others)) > 1 or max(len(alphas), len(others)) == 1:
        raise InvalidInput(
            "panels",
            f"{len(alphas)} values of alpha and {len(others)} of {name}",
            "several values of one of them, and one of the other, in each panel",
        )
    return len(others) == 1


def logarithmic(axes: Axes, x_label: str, y_label: str) -> None:
    """Give axes two logarithmic scales, their names, and a faint grid."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


# Files: small, and the same whenever they are drawn again


def save_svg(figure: Figure, path: str | Path, *, description: str = "") -> None:
    """Write a figure as SVG, under a temporary name first.

    Parameters
    ----------
    figure
        What a function of this room returned, or any other figure.
    path
        Where to.
    description
        Goes into the metadata of the file: what it shows, or the numbers themselves.

    Raises
    ------
    InvalidInput
        The file cannot be written.

    Notes
    -----
    Text stays text, in the reader's sans-serif font, and the file has no date, no version and no
    random names: one version of matplotlib writes the same bytes for the same figure.

    Examples
    --------
    >>> import tempfile
    >>> from pac_stability.plots import sample_sizes
    >>> from pac_stability.papers.dagan_feldman.sample_complexity import compare
    >>> rows = compare(["disjoint-average"], ["1/4", "1/8"], ["1/10"], beta="1/20", vc_dimension=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_svg(sample_sizes(rows), Path(folder) / "sizes.svg", description="two sizes")
    ...     "two sizes" in (Path(folder) / "sizes.svg").read_text(encoding="utf-8")
    True
    """
    from matplotlib import rc_context  # noqa: PLC0415  # an optional library

    metadata = {"Date": None, "Creator": None, "Description": description or None}
    stream = io.StringIO()
    with rc_context({"svg.hashsalt": "pac_stability", "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata=metadata)
    lines = (line.rstrip() for line in stream.getvalue().splitlines())
    write_text(path, "\n".join(lines) + "\n")


def save_picture(figure: Figure, path: str | Path) -> None:
    """Write a figure as SVG, PDF or PNG, by the extension of the file.

    Parameters
    ----------
    figure
        The figure.
    path
        The file; ``.svg``, ``.pdf`` or ``.png`` says the format.

    Raises
    ------
    InvalidInput
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_picture(new_figure(1, 1), Path(folder) / "empty.pdf")
    ...     (Path(folder) / "empty.pdf").read_bytes()[:5]
    b'%PDF-'
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form == "svg":
        save_svg(figure, path)
        return
    dates = {"CreationDate": None} if form == "pdf" else {}
    stream = io.BytesIO()
    figure.savefig(stream, format=form, metadata=dates, dpi=200)
    write_bytes(path, stream.getvalue())


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
    """Where two curves change their order, between two values of the parameter.

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


# Upper and lower bounds

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


# What statements allow over what their tightest instances need

_MARKS = {
    "printed": (BLUE, "o"),
    "proof": (VERMILION, "s"),
    "ours": (GREEN, "D"),
}
_MOST = 1000.0  # what is more stands at the edge, as an arrow

Panel = Mapping[str, Mapping[str, Sequence[float]]]
"""From the name of a statement to, for whose constants, the rooms of its questions."""


def rooms(panels: Mapping[str, Panel]) -> Figure:
    """Draw the room of statements: what is allowed over what the tightest known instance needs.

    Parameters
    ----------
    panels
        From the title of a panel, a paper say, to its rows in their order. Constants are
        ``"printed"``, of a ``"proof"`` or ``"ours"``; a room is 1 or more.

    Returns
    -------
    matplotlib.figure.Figure
        A row for each statement, a mark for each room on a logarithmic scale, and a line at 1,
        where nothing is left. Rooms above 1000 are arrows at the edge.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There is nothing to draw, or a number or a word is out of range.

    Examples
    --------
    >>> figure = rooms({"BLM20": {"Lemma 13": {"printed": [1.5, 1.0]}}})
    >>> figure.axes[0].get_title()
    'BLM20'
    """
    if not panels or not all(panels.values()):
        raise InvalidInput("panels", "nothing", "rooms of at least one statement in each")
    for panel in panels.values():
        for row in panel.values():
            if not row.keys() <= _MARKS.keys():
                raise InvalidInput("panels", f"{sorted(row)}", f"some of {', '.join(_MARKS)}")
            if not all(room >= 1 for values in row.values() for room in values):
                raise InvalidInput("panels", f"{dict(row)}", "rooms of 1 and more")
    # One above the other: a page shows letters of a figure of this width at their size.
    rows = [len(panel) for panel in panels.values()]
    figure = new_figure(7.2, 1.1 * len(rows) + 0.2 * sum(rows))
    drawn = figure.subplots(len(rows), 1, squeeze=False, height_ratios=[n + 2 for n in rows])[:, 0]
    for axes, (title, panel) in zip(drawn, panels.items(), strict=True):
        _draw_room(axes, title, panel)
    drawn[0].legend(loc="lower right", frameon=False)
    return figure


def _draw_room(axes: Axes, title: str, panel: Panel) -> None:
    axes.set_title(title)
    axes.set_xscale("log")
    axes.set_xlim(0.8, 1.3 * _MOST)
    axes.set_ylim(len(panel) - 0.5, -0.5)  # from above
    axes.set_xlabel("allowed over needed")
    axes.set_yticks(range(len(panel)), list(panel), fontsize="small")
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.axvline(1, color=QUIET, linewidth=0.8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    for whose, (colour, mark) in _MARKS.items():
        places = [
            (room, number)
            for number, row in enumerate(panel.values())
            for room in row.get(whose, ())
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
    "printed": ("as printed", QUIET, "dotted"),
    "proved": ("Lemma 12 repaired", VERMILION, "dashed"),
    "sharp": ("exact tails", BLUE, "solid"),
    "by-level": ("runs by level", GREEN, "solid"),
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

    Examples
    --------
    >>> figure = private_learners([("sharp", 1, 4458), ("by-level", 1, 1130)], [(4, 49), (64, 451)])
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['Littlestone dimension d', 'bits of the class, log₂ |H|']
    """
    rows, plain = list(by_dimension), sorted(listed)
    for given, argument in ((rows, "by_dimension"), (plain, "listed")):
        if not given:
            raise InvalidInput(argument, "none", "at least one row")
    for name, _, _ in rows:
        if name not in _ACCOUNTINGS:
            raise InvalidInput("by_dimension", described(name), "one of " + ", ".join(_ACCOUNTINGS))
    figure = new_figure(9.2, 4.6)
    over_d, over_bits = figure.subplots(1, 2, squeeze=False)[0]
    _draw_dimensions(over_d, rows)
    _draw_bits(over_bits, plain, [(d, n) for name, d, n in rows if name == "by-level"])
    legend_below(figure, over_d.lines, 4)
    return figure


def _draw_dimensions(axes: Axes, rows: list[OfDimension]) -> None:
    logarithmic(axes, "Littlestone dimension d", "number of examples n")
    axes.set_xscale("linear")
    axes.set_xticks(sorted({d for _, d, _ in rows}))
    for name, (label, colour, line) in _ACCOUNTINGS.items():
        points = sorted((d, n) for given, d, n in rows if given == name)
        if points:
            x, y = zip(*points, strict=True)
            axes.plot(x, y, color=colour, linestyle=line, marker="o", markersize=3, label=label)


def _draw_bits(axes: Axes, plain: list[OfClass], levels: list[tuple[int, int]]) -> None:
    logarithmic(axes, "bits of the class, log₂ |H|", "")
    x, y = zip(*plain, strict=True)
    axes.plot(x, y, color=PURPLE)
    place = len(plain) // 4
    axes.annotate(
        "exponential mechanism over H",
        (plain[place][0], plain[place][1]),
        textcoords="offset points",
        xytext=(0, 8),
        ha="center",
        rotation=38,
        size="small",
        color=PURPLE,
    )
    for d, n in sorted(levels):
        if n <= max(y):
            axes.axhline(n, color=GREEN, linewidth=1)
            axes.annotate(
                f"M by level, d = {d}",
                (x[0], n),
                textcoords="offset points",
                xytext=(2, 3),
                size="small",
                color=INK,
            )


# Losses


def excess_error(measured: Mapping[Fraction, Sequence[Interval]]) -> Figure:
    """Draw measured excess losses over the excess alpha that was asked for.

    Parameters
    ----------
    measured
        From alpha to the excess on some independent samples of the size that a statement computes
        for alpha; above 0, as the axes are logarithmic.

    Returns
    -------
    matplotlib.figure.Figure
        A dot for each sample, a line through the medians, and a dashed line at alpha itself. The
        middle of an interval is drawn.

    Raises
    ------
    ImportError
        The extra ``plots`` is not installed.
    InvalidInput
        There is nothing to draw, or a number is out of range.

    Examples
    --------
    >>> figure = excess_error({Fraction(1, 5): [Interval.exactly(Fraction(1, 100))]})
    >>> figure.axes[0].get_xlabel()
    'excess loss α asked for'
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
    figure = new_figure(5.6, 4.4)
    axes = figure.subplots()
    logarithmic(axes, "excess loss α asked for", "excess loss measured")
    axes.set_xticks(list(excesses), [str(alpha) for alpha in alphas])
    axes.set_xticks([], minor=True)
    ends = [min(excesses), max(excesses)]
    axes.plot(ends, ends, color=INK, linestyle=(0, (4, 2)), gid="asked", label="what is asked: α")
    axes.plot(
        [alpha for alpha, values in excesses.items() for _ in values],
        [value for values in excesses.values() for value in values],
        color=BLUE,
        alpha=0.45,
        linestyle="",
        marker="o",
        markersize=4,
        markeredgewidth=0,
        gid="samples",
        label="one sample",
    )
    medians = [median(values) for values in excesses.values()]
    axes.plot(list(excesses), medians, color=BLUE, gid="medians", label="median of the samples")
    axes.legend(frameon=False, fontsize="small")
    return figure
