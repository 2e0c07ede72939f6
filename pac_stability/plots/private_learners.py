"""How many examples algorithm M takes, and measured losses against those that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from pac_stability.arguments import as_open_unit, described
from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput
from pac_stability.plots import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


OfDimension: TypeAlias = tuple[str, int, int]
"""Which accounting, d, and the number of examples."""

OfClass: TypeAlias = tuple[int, int]
"""log2 of the number of hypotheses, and the number of examples."""

_STYLES = {
    "printed": ("as printed", figures.QUIET, "dotted"),
    "proved": ("Lemma 12 repaired", figures.VERMILION, "dashed"),
    "sharp": ("exact tails", figures.BLUE, "solid"),
    "by-level": ("runs by level", figures.GREEN, "solid"),
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
        if name not in _STYLES:
            raise InvalidInput("by_dimension", described(name), "one of " + ", ".join(_STYLES))
    figure = figures.new_figure(9.2, 4.6)
    over_d, over_bits = figure.subplots(1, 2, squeeze=False)[0]
    _draw_dimensions(over_d, rows)
    _draw_bits(over_bits, plain, [(d, n) for name, d, n in rows if name == "by-level"])
    figures.legend_below(figure, over_d.lines, 4)
    return figure


def _draw_dimensions(axes: Axes, rows: list[OfDimension]) -> None:
    figures.logarithmic(axes, "Littlestone dimension d", "number of examples n")
    axes.set_xscale("linear")
    axes.set_xticks(sorted({d for _, d, _ in rows}))
    for name, (label, colour, line) in _STYLES.items():
        points = sorted((d, n) for given, d, n in rows if given == name)
        if points:
            x, y = zip(*points, strict=True)
            axes.plot(x, y, color=colour, linestyle=line, marker="o", markersize=3, label=label)


def _draw_bits(axes: Axes, plain: list[OfClass], levels: list[tuple[int, int]]) -> None:
    figures.logarithmic(axes, "bits of the class, log₂ |H|", "")
    x, y = zip(*plain, strict=True)
    axes.plot(x, y, color=figures.PURPLE)
    place = len(plain) // 4
    axes.annotate(
        "exponential mechanism over H",
        (plain[place][0], plain[place][1]),
        textcoords="offset points",
        xytext=(0, 8),
        ha="center",
        rotation=38,
        size="small",
        color=figures.PURPLE,
    )
    for d, n in sorted(levels):
        if n <= max(y):
            axes.axhline(n, color=figures.GREEN, linewidth=1)
            axes.annotate(
                f"M by level, d = {d}",
                (x[0], n),
                textcoords="offset points",
                xytext=(2, 3),
                size="small",
                color=figures.INK,
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
    figure = figures.new_figure(5.6, 4.4)
    axes = figure.subplots()
    figures.logarithmic(axes, "excess loss α asked for", "excess loss measured")
    axes.set_xticks(list(excesses), [str(alpha) for alpha in alphas])
    axes.set_xticks([], minor=True)
    ends = [min(excesses), max(excesses)]
    axes.plot(
        ends, ends, color=figures.INK, linestyle=(0, (4, 2)), gid="asked", label="what is asked: α"
    )
    axes.plot(
        [alpha for alpha, values in excesses.items() for _ in values],
        [value for values in excesses.values() for value in values],
        color=figures.BLUE,
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
        list(excesses), medians, color=figures.BLUE, gid="medians", label="median of the samples"
    )
    axes.legend(frameon=False, fontsize="small")
    return figure
