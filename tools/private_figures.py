"""Draw the figure of `docs/how-to/which-private-classifier.md`, and print its numbers.

``python -m tools.private_figures``, with the extras ``sklearn`` and ``plots``, writes
``docs/figures/private-accuracy.svg``: accuracy against epsilon, against the number of answers, and
what privacy costs against the number of rows. Some minutes. The numbers are expected accuracies
over all coins, means over random divisions of the tables inside scikit-learn; they are in the file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.model_selection import train_test_split

from pac_stability import plots
from pac_stability.estimators import PrivateClassifier, plan
from tools.bench.private_accuracy import bounds_of, tables

FIGURE = Path(__file__).resolve().parent.parent / "docs" / "figures" / "private-accuracy.svg"
SPLITS = 5
EPSILONS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
ANSWERS = (1, 2, 3, 5, 10, 20)
ROWS = (50, 100, 200, 400, 800, 1200)
COLOURS = {
    "breast cancer": "#0072B2",
    "digits, 3 or 8": "#D55E00",
    "wine, class 1": "#009E73",
    "digits, parity": "#CC79A7",
}
Curve = list[tuple[float, float]]


def accuracies(name: str, epsilons: Sequence[float], rows: int | None = None) -> list[float]:
    """Return expected accuracies on the rest, for each epsilon; learnt from 70 % or some rows."""
    X, y = tables()[name]
    grid, found = bounds_of(X), np.zeros(len(epsilons))
    for seed in range(SPLITS):
        learn, test, given, wanted = train_test_split(
            X, y, train_size=0.7 if rows is None else rows, stratify=y, random_state=seed
        )
        for place, epsilon in enumerate(epsilons):
            model = PrivateClassifier(epsilon, grid=grid)
            found[place] += float(model.evaluate_exact(learn, given, test, wanted)) / SPLITS
    return [round(float(value), 4) for value in found]


def numbers() -> dict[str, dict[str, Curve]]:
    """Return the curves of the three panels."""
    by_epsilon = {
        name: list(zip(EPSILONS, accuracies(name, EPSILONS), strict=True))
        for name in ("breast cancer", "digits, 3 or 8", "wine, class 1")
    }
    by_answers: dict[str, Curve] = {}
    for name in ("breast cancer", "digits, 3 or 8"):
        X, y = tables()[name]
        lines = plan(X, y, epsilon=1.0, answers=ANSWERS, grid=bounds_of(X), splits=SPLITS).lines
        by_answers[f"{name}, each answer"] = [(one.answers, round(one.query, 4)) for one in lines]
        by_answers[f"{name}, a model"] = [(one.answers, round(one.model, 4)) for one in lines]
    by_rows: dict[str, Curve] = {}
    for name in ("breast cancer", "digits, parity"):
        most = 0.8 * len(tables()[name][0])
        by_rows[name] = []
        for rows in (n for n in ROWS if n < most):
            private, free = accuracies(name, (1.0, 60.0), rows)
            by_rows[name].append((rows, round(free - private, 4)))
    return {"epsilon": by_epsilon, "answers": by_answers, "rows": by_rows}


def draw(axes: Axes, curves: dict[str, Curve], titles: tuple[str, str]) -> None:
    """Draw the curves of a panel."""
    for name, curve in curves.items():
        colour = next(kept for table, kept in COLOURS.items() if name.startswith(table))
        line = "--" if name.endswith("a model") else "-"
        mark = "" if name.endswith("a model") else "o"
        axes.plot(*zip(*curve, strict=True), line, marker=mark, color=colour, label=name)
    axes.set_xscale("log")
    axes.set_xlabel(titles[0])
    axes.set_title(titles[1], fontsize="medium")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(frameon=False, fontsize="small")


def main() -> None:
    """Compute, draw, write."""
    found = numbers()
    print(json.dumps(found, indent=1))
    figure = Figure(figsize=(13.8, 4.2), layout="constrained", facecolor="white")
    panels = figure.subplots(1, 3)
    titles = {
        "epsilon": ("epsilon", "expected accuracy of a published model"),
        "answers": ("answers that share epsilon = 1", "expected accuracy of an answer"),
        "rows": ("rows", "accuracy lost to epsilon = 1, same rules"),
    }
    for axes, (key, curves) in zip(panels, found.items(), strict=True):
        draw(axes, curves, titles[key])
    plots.save_svg(figure, FIGURE, description=json.dumps(found))


if __name__ == "__main__":
    main()
