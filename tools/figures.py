"""Compute the numbers of the documentation's figures, and write the tables beside them.

``python tools/figures.py [NAME ...]``, where a name is one of ``NUMBERS`` and all is the default,
writes ``docs/figures/NAME.json``, and the tables between the markers of the page with the figure,
in some minutes.  The site draws from these files when it is built: ``docs/_extensions/figures.py``.
``private-accuracy`` needs the extra ``sklearn``: expected accuracies over all coins, means over
random divisions of the tables inside scikit-learn.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from pac_stability.estimators import PrivateClassifier, plan
from pac_stability.keeping import write_text

DOCS = Path(__file__).resolve().parent.parent / "docs"
COSTS = DOCS / "explanation" / "what-it-costs.md"
BOUNDS = DOCS / "explanation" / "private-lower-bound.md"
SPLITS = 5
EPSILONS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
ANSWERS = (1, 2, 3, 5, 10, 20)
ROWS = (50, 100, 200, 400, 800, 1200)
Curve = list[tuple[float, float]]


def script(name: str) -> ModuleType:
    """The example that computes all numbers of a page."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "examples" / f"{name}.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"docs/examples/{name}.py is missing")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def put(page: Path, name: str, lines: Iterable[str]) -> None:
    """Put a table between its markers on a page."""
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    table = "\n".join(lines)
    # The replacement is no template.
    text, found = block.subn(
        lambda match: f"{match[1]}\n{table}\n\n{match[2]}", page.read_text(encoding="utf-8")
    )
    if found != 1:
        raise SystemExit(f"{page.name}: want the markers of {name} once, found them {found} times")
    write_text(page, text)


def sizes(goal: str) -> dict[str, list[list[Any]]]:
    """Sizes of learners for stable or for private predictions, and their tables."""
    costs, found = script("what_it_costs"), {}
    for name, panel in costs.PANELS.items():
        if name.startswith(goal):
            rows = costs.sizes(*panel)
            put(COSTS, name, costs.table(rows))
            found[name] = [
                [r.learner, str(r.alpha), str(r.level), r.constants, r.sample_size] for r in rows
            ]
    return found


def excesses() -> dict[str, list[float]]:
    """The excess that was measured on some samples, for each alpha, and its table."""
    costs = script("what_it_costs")
    found = {alpha: [float(one) for one in costs.excesses(alpha)] for alpha in costs.MEASURED}
    put(COSTS, "measured", costs.measured_table(found))
    return {str(alpha): values for alpha, values in found.items()}


def bounds() -> dict[str, list[list[Any]]]:
    """Upper and lower bounds on the examples of private predictions, and their tables."""
    private_bounds, found = script("private_bounds"), {}
    for name, panel in private_bounds.PANELS.items():
        rows = private_bounds.sizes(*panel)
        put(BOUNDS, name, private_bounds.table(rows))
        found[name] = [[curve, str(alpha), str(epsilon), n] for curve, alpha, epsilon, n in rows]
    put(BOUNDS, "bounds-tension", private_bounds.tension_table())
    return found


def sizes_of_m() -> dict[str, list[Any]]:
    """The sizes of algorithm M."""
    of_m = script("sizes_of_m")
    return {"by_dimension": of_m.by_dimension(), "listed": of_m.listed()}


def accuracy() -> dict[str, dict[str, Curve]]:
    """What private classifiers reach: by epsilon, by answers, and lost by rows."""
    example = script("private_accuracy")
    tables, bounds_of, divided = example.tables(), example.bounds_of, example.train_test_split

    def reached(name: str, epsilons: Sequence[float], rows: int | None = None) -> list[float]:
        X, y = tables[name]
        found = [0.0] * len(epsilons)
        for seed in range(SPLITS):
            learn, test, given, wanted = divided(
                X, y, train_size=0.7 if rows is None else rows, stratify=y, random_state=seed
            )
            for place, epsilon in enumerate(epsilons):
                model = PrivateClassifier(epsilon, grid=bounds_of(X))
                found[place] += float(model.evaluate_exact(learn, given, test, wanted)) / SPLITS
        return [round(value, 4) for value in found]

    by_answers: dict[str, Curve] = {}
    for name in ("breast cancer", "digits, 3 or 8"):
        X, y = tables[name]
        lines = plan(X, y, epsilon=1.0, answers=ANSWERS, grid=bounds_of(X), splits=SPLITS).lines
        by_answers[f"{name}, each answer"] = [(one.answers, round(one.query, 4)) for one in lines]
        by_answers[f"{name}, a model"] = [(one.answers, round(one.model, 4)) for one in lines]
    by_rows: dict[str, Curve] = {}
    for name in ("breast cancer", "digits, parity"):
        by_rows[name] = []
        for rows in (n for n in ROWS if n < 0.8 * len(tables[name][0])):
            private, free = reached(name, (1.0, 60.0), rows)
            by_rows[name].append((rows, round(free - private, 4)))
    by_epsilon = {
        name: list(zip(EPSILONS, reached(name, EPSILONS), strict=True))
        for name in ("breast cancer", "digits, 3 or 8", "wine, class 1")
    }
    return {"epsilon": by_epsilon, "answers": by_answers, "rows": by_rows}


NUMBERS: dict[str, Callable[[], dict[str, Any]]] = {
    "sizes-stable": lambda: sizes("stable"),
    "sizes-private": lambda: sizes("private"),
    "measured-excess": excesses,
    "bounds-private": bounds,
    "sizes-of-m": sizes_of_m,
    "private-accuracy": accuracy,
}


def written(numbers: dict[str, Any]) -> str:
    """The numbers as JSON, a line for each row or curve."""
    parts = []
    for name, rows in numbers.items():
        curves = isinstance(rows, dict)
        if curves:
            lines = [f" {json.dumps(key)}: {json.dumps(row)}" for key, row in rows.items()]
        else:
            lines = [f" {json.dumps(row)}" for row in rows]
        left, right = "{}" if curves else "[]"
        if not curves and not isinstance(rows[0], list | tuple):
            parts.append(f"{json.dumps(name)}: {json.dumps(rows)}")
        else:
            parts.append(f"{json.dumps(name)}: {left}\n" + ",\n".join(lines) + f"\n{right}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Compute, and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="*", help="default: all")
    for name in parser.parse_args().name or NUMBERS:
        write_text(DOCS / "figures" / f"{name}.json", written(NUMBERS[name]()))


if __name__ == "__main__":
    main()
