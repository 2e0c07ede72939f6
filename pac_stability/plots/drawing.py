"""Common parts of the figures, and the figures.

Colours, panels, axes, legends, and reproducible files. Then a mistake tree, how many examples the
learners of a class need, and numbers of examples over accuracy, stability or privacy.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from pac_stability.arguments import described
from pac_stability.arithmetic import Constants
from pac_stability.dimensions import MistakeTree
from pac_stability.dimensions.trees import layout
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.keeping.writing import write_bytes
from pac_stability.papers import NeededSize
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
    """Return an empty figure of a size in inches, or say what to install."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  # an optional library
    except ModuleNotFoundError as error:
        message = "matplotlib is missing: pip install 'pac_stability[plots]'"
        raise ImportError(message, name="matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def side_by_side(
    panels: Sequence[T], draw: Callable[[Axes, T], None], height: float, wanted: str
) -> tuple[Figure, Sequence[Axes]]:
    """Return a figure with panels side by side, at least one; only the first names its y axis."""
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
    """Put a legend for the lines of all panels below them."""
    figure.legend(
        handles=list(handles),
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        fontsize="small",
    )


def over_alpha(alphas: Collection[object], others: Collection[object], name: str) -> bool:
    """Return whether alpha (not the other parameter) varies; exactly one of the two must vary."""
    if min(len(alphas), len(others)) > 1 or max(len(alphas), len(others)) == 1:
        given = f"{len(alphas)} values of alpha and {len(others)} of {name}"
        wanted = "several values of one of them, and one of the other, in each panel"
        raise InvalidInput("panels", given, wanted)
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
        A figure of this subpackage, or any other.
    path
        The file to write.
    description
        Text for the metadata of the file: what it shows, or the numbers themselves.

    Raises
    ------
    InvalidInput
        The file cannot be written.

    Notes
    -----
    Text stays text, in the reader's sans-serif font. The file has no date, no version and no random
    names, so one version of matplotlib writes the same bytes for the same figure.

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
        The file; its extension ``.svg``, ``.pdf`` or ``.png`` selects the format.

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


# Figures about one class: its mistake tree, and how many examples its learners need

_LETTER, _LEVEL = 0.09, 0.8  # inches


def mistake_tree(tree: MistakeTree) -> Figure:
    """Draw a mistake tree: points in round boxes, hypotheses in square ones at the leaves.

    Parameters
    ----------
    tree
        The tree; ``tree.of(H)`` gives it the names of a class.

    Returns
    -------
    Figure
        Side 0 of every node is left and blue, side 1 right and vermilion.

    Raises
    ------
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.dimensions import shattered_tree
    >>> len(mistake_tree(shattered_tree(thresholds(3))).axes[0].lines)
    6
    """
    places = layout(tree, *tree.labels())
    leaves = sum(place.is_leaf for place in places)
    depth = max(len(place.path) for place in places)
    slot = _LETTER * max(len(place.name) for place in places) + 0.4
    figure = new_figure(max(2.0, leaves * slot), (depth + 1) * _LEVEL)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_xlim(-0.5, leaves - 0.5)
    axes.set_ylim(-depth - 0.5, 0.5)
    at = {place.path: (place.across, -len(place.path)) for place in places}

    def write(at: tuple[float, float], words: str, colour: str, shape: str, edge: str) -> None:
        axes.text(
            *at,
            words,
            color=colour,
            bbox={"boxstyle": shape, "fc": "white", "ec": edge},
            ha="center",
            va="center",
            family="monospace",
            fontsize=10,
        )

    for place in places:
        x, y = at[place.path]
        if place.path:
            above_x, above_y = at[place.path[:-1]]
            side = place.path[-1]
            colour = VERMILION if side == "1" else BLUE
            axes.plot([above_x, x], [above_y, y], color=colour, linewidth=1.4, zorder=1)
            middle = (above_x + x) / 2, (above_y + y) / 2
            write(middle, side, colour, "circle,pad=0.15", colour)
        shape = "square,pad=0.3" if place.is_leaf else "round,pad=0.3,rounding_size=0.6"
        write((x, y), place.name, INK, shape, QUIET)
    return figure


def needed_sizes(rows: Sequence[NeededSize]) -> Figure:
    """Draw how many examples the papers' learners need on a class, as bars with numbers.

    Parameters
    ----------
    rows
        What :func:`pac_stability.papers.sizes_of_class` returns.

    Returns
    -------
    matplotlib.figure.Figure
        Bars on a logarithmic scale, coloured by the kind of guarantee; lower bounds are outlined.

    Raises
    ------
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers import sizes_of_class
    >>> len(needed_sizes(sizes_of_class(thresholds(3), "1/10", "1/20")).axes[0].patches)
    2
    """
    promises = dict.fromkeys(row.promise for row in rows)
    colours = dict(zip(promises, (QUIET, GREEN, BLUE, VERMILION), strict=False))
    figure = new_figure(7.2, 1.0 + 0.36 * len(rows))
    axes = figure.subplots()
    for place, row in enumerate(rows):
        colour = colours[row.promise]
        face = "white" if row.is_lower_bound else colour
        axes.barh(place, row.sample_size, color=face, edgecolor=colour)
        axes.text(row.sample_size, place, f" {row.sample_size:,}", va="center", fontsize="small")
    told = [f"{row.learner}\n{row.promise}, {row.setting}" for row in rows]
    axes.set_yticks(range(len(rows)), told, fontsize="x-small")
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("examples")
    axes.margins(x=0.2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure


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
            wanted = "one goal for each panel"
            raise InvalidInput("panels", "stable and private learners in one", wanted)
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
