"""Matplotlib, when it is there, and what all figures share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from pac_stability.errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
