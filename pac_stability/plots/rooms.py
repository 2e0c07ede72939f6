"""What statements allow over what their tightest instances need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pac_stability.errors import InvalidInput
from pac_stability.plots._figures import BLUE, GREEN, QUIET, VERMILION, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = {"printed": (BLUE, "o"), "proof": (VERMILION, "s"), "ours": (GREEN, "D")}
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
    most = max(map(len, panels.values()))
    figure = new_figure(4.6 * len(panels), 1.2 + 0.19 * most)
    drawn = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, panel) in zip(drawn, panels.items(), strict=True):
        _draw_room(axes, title, panel, most)
    drawn[0].legend(loc="lower right", frameon=False, fontsize="small")
    return figure


def _draw_room(axes: Axes, title: str, panel: Panel, rows: int) -> None:
    axes.set_title(title)
    axes.set_xscale("log")
    axes.set_xlim(0.8, 1.3 * _MOST)
    axes.set_ylim(rows - 0.5, -0.5)  # from above; panels with fewer rows end earlier
    axes.set_xlabel("allowed over needed")
    axes.set_yticks(range(len(panel)), list(panel), fontsize="x-small")
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
