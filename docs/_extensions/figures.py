"""The figures of the pages, drawn before these are read: ``docs/figures/NAME.svg``.

Their numbers are kept in ``docs/figures/NAME.json``, where ``tools/figures.py`` writes them. Nobody
edits or commits a drawing, but that of the README.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import how_tight
import statement_figures
from pac_stability import Sample, classes, dimensions, enumerate_law, plots
from pac_stability.arithmetic import Constants, Interval
from pac_stability.dimensions.trees import tree_to_svg
from pac_stability.keeping import write_text
from pac_stability.papers import bun_livni_moran
from pac_stability.papers.dagan_feldman.sample_complexity import ComparisonRow
from pac_stability.papers.dagan_feldman.sample_complexity.baseline_sizes import Goal
from pac_stability.randomness import Coins
from tournament_tree import record_to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from sphinx.application import Sphinx

FOLDER = Path(__file__).parent.parent / "figures"


def numbers(name: str) -> Any:
    """What is kept of a figure."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def sizes(goal: Goal) -> dict[str, list[ComparisonRow]]:
    """The rows of the two panels with sizes for a goal."""
    return {
        panel: [
            ComparisonRow(learner, goal, Fraction(alpha), Fraction(level), Constants(kind), n)
            for learner, alpha, level, kind, n in rows
        ]
        for panel, rows in numbers(f"sizes-{goal}").items()
    }


def bounds() -> dict[str, list[tuple[str, Fraction, Fraction, int]]]:
    """The rows of the two panels with upper and lower bounds."""
    return {
        panel: [(curve, Fraction(alpha), Fraction(epsilon), n) for curve, alpha, epsilon, n in rows]
        for panel, rows in numbers("bounds-private").items()
    }


def excesses() -> dict[Fraction, list[Interval]]:
    """The measured excess for each alpha."""
    return {
        Fraction(alpha): [Interval.exactly(Fraction(value)) for value in values]
        for alpha, values in numbers("measured-excess").items()
    }


COLOURS = {
    "breast cancer": "#0072B2",
    "digits, 3 or 8": "#D55E00",
    "wine, class 1": "#009E73",
    "digits, parity": "#CC79A7",
}
TITLES = {
    "epsilon": ("epsilon", "expected accuracy of a published model"),
    "answers": ("answers that share epsilon = 1", "expected accuracy of an answer"),
    "rows": ("rows", "accuracy lost to epsilon = 1, same rules"),
}


def accuracy() -> Figure:
    """What private classifiers reach."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # an optional library

    figure = Figure(figsize=(13.8, 4.2), layout="constrained", facecolor="white")
    panels = figure.subplots(1, len(TITLES))
    for axes, (key, curves) in zip(panels, numbers("private-accuracy").items(), strict=True):
        _panel(axes, curves, *TITLES[key])
    return figure


def _panel(axes: Axes, curves: dict[str, Sequence[Sequence[float]]], x: str, title: str) -> None:
    for name, curve in curves.items():
        colour = next(kept for table, kept in COLOURS.items() if name.startswith(table))
        line, mark = ("--", "") if name.endswith("a model") else ("-", "o")
        axes.plot(*zip(*curve, strict=True), line, marker=mark, color=colour, label=name)
    axes.set_xscale("log")
    axes.set_xlabel(x)
    axes.set_title(title, fontsize="medium")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(frameon=False, fontsize="small")


def growth() -> Figure:
    """How long each job of the benchmarks takes over its size, by the library and beside it."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # an optional library

    jobs = numbers("growth")
    figure = Figure(
        figsize=(13.8, 2.6 * -(-len(jobs) // 4)), layout="constrained", facecolor="white"
    )
    for place, (name, curves) in enumerate(jobs.items(), 1):
        axes = figure.add_subplot(-(-len(jobs) // 4), 4, place)
        for label, curve in curves.items():
            sizes, seconds = zip(*curve, strict=True)
            axes.plot(sizes, [1000 * each for each in seconds], "o-", label=label)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_title(f"{name}, ms", fontsize="medium")
        axes.minorticks_off()
        axes.grid(visible=True, alpha=0.3)
        axes.legend(frameon=False, fontsize="small")
    return figure


TESTERS = FOLDER.parent / "explanation" / "the-truth-beside-the-testers.md"


def testers() -> Figure:
    """The exact values on their page, and the lower bounds that testers published."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # an optional library

    printed = TESTERS.read_text("utf-8").rpartition("| --- |\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in printed.splitlines()]
    figure = Figure(figsize=(8.6, 4.2), layout="constrained", facecolor="white")
    axes, edge = figure.subplots(), 40.0
    for place, (_, *bounds, exact) in enumerate(rows):
        infinite = exact == "infinite"
        value = edge if infinite else float(re.findall(r"[\d.]+", exact)[-1])
        beyond = infinite or exact.startswith("at least")
        axes.plot([0.02, value], [place, place], color="#dddddd", zorder=0)
        axes.plot(value, place, ">" if beyond else "|", color="black", ms=9 if beyond else 16,
                  label="" if place else "exact (arrow: at least, or infinite)")  # fmt: skip
        for bound, mark, colour, name in zip(
            bounds, "os", ("#0072B2", "#D55E00"), ("DP-Sniper", "StatDP"), strict=True
        ):
            axes.plot(float(bound.split()[0]), place, mark, color=colour, alpha=0.8,
                      label="" if place else f"{name}, lower bound at 90 %")  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlim(0.02, 1.2 * edge)
    axes.set_xlabel("epsilon")
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.invert_yaxis()
    axes.legend(frameon=False, fontsize="small")
    return figure


def two_laws() -> Figure:
    """The laws of the README's learner on the two samples that refute its claim."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # an optional library

    def learner(sample: Sample[int], rng: Coins) -> int:
        right = [sum((x >= t) == y for x, y in sample) for t in range(4)]
        return rng.choose([4**count for count in right])

    samples = {"on the sample": Sample([0, 0], [0, 1]), "on its neighbour": Sample([0, 0], [0, 0])}
    figure = Figure(figsize=(7.2, 2.8), layout="constrained", facecolor="white")
    axes = figure.subplots()
    for place, (name, sample) in enumerate(samples.items()):
        law = enumerate_law(partial(learner, sample))
        heights = [float(law.probability(threshold)) for threshold in range(4)]
        axes.bar([t + 0.4 * place for t in range(4)], heights, 0.38, label=name)
    axes.set_xticks([t + 0.2 for t in range(4)], [f"threshold {t}" for t in range(4)])
    axes.set_ylabel("probability")
    axes.legend(frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure


def thresholds_tree() -> str:
    """The tree that ``pac-stability tree`` draws for seven thresholds."""
    H = classes.thresholds(7)
    return tree_to_svg(dimensions.shattered_tree(H), H.domain)


DRAWN: dict[str, Callable[[], Figure | str]] = {
    "thresholds-tree": thresholds_tree,
    "two-laws": two_laws,
    "shattered-tree": lambda: tree_to_svg(
        bun_livni_moran.figure_1(), bun_livni_moran.figure_1_class().domain
    ),
    "tournament": lambda: record_to_svg(bun_livni_moran.figure_2()),
    "sizes-stable": lambda: plots.sample_sizes(*sizes("stable").values()),
    "sizes-private": lambda: plots.sample_sizes(*sizes("private").values()),
    "bounds-private": lambda: statement_figures.private_bounds(*bounds().values()),
    "sizes-of-m": lambda: statement_figures.private_learners(**numbers("sizes-of-m")),
    "measured-excess": lambda: statement_figures.excess_error(excesses()),
    "private-accuracy": accuracy,
    "growth": growth,
    "testers": testers,
    "how-tight": lambda: statement_figures.slack(how_tight.panels(how_tight.kept())),
}


def draw(folder: Path) -> None:
    """Write all figures."""
    for name, drawing in DRAWN.items():
        drawn, path = drawing(), folder / f"{name}.svg"
        if isinstance(drawn, str):
            write_text(path, drawn)
        else:
            plots.save_svg(drawn, path)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", lambda app: draw(Path(app.srcdir) / "figures"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
