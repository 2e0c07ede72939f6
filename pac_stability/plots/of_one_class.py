"""Figures about one class: its mistake tree, and how many examples its learners need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pac_stability.dimensions import MistakeTree
from pac_stability.dimensions.trees import layout
from pac_stability.papers import NeededSize
from pac_stability.plots.drawing import BLUE, GREEN, INK, QUIET, VERMILION, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
