"""Common parts of the figures, and figures about one class.

Colours, panels, axes, legends, and reproducible files. Then a mistake tree, and how many examples
the learners of a class need.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.keeping.writing import write_bytes

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
from typing import TYPE_CHECKING

from pac_stability.dimensions import MistakeTree
from pac_stability.dimensions.trees import layout
from pac_stability.papers import NeededSize

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
