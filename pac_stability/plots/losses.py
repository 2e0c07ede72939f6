"""Measured losses against those that were asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING

from pac_stability.arguments import as_open_unit
from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput
from pac_stability.plots._figures import BLUE, INK, logarithmic, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
