"""Draw the figures of the documentation, and write the tables of the same numbers.

``python tools/figures.py``, with the extra ``plots``, writes ``docs/figures/*.svg`` and the tables
between the markers of ``docs/explanation/what-it-costs.md`` and ``private-lower-bound.md``, in a
minute or two; ``python tools/figures.py private_bounds`` writes those of the second page alone,
and ``sizes_of_m`` the figure of algorithm M.
Each figure carries its numbers in its metadata, so that tests see when one is out of date. The same
version of matplotlib writes the same bytes. Trees and tournaments are drawn without it.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from pac_stability import plots
from pac_stability.dimensions.tree_formats import tree_to_svg
from pac_stability.keeping import write_text
from pac_stability.papers import bun_livni_moran

DOCS = Path(__file__).resolve().parent.parent / "docs"
COSTS = DOCS / "explanation" / "what-it-costs.md"
BOUNDS = DOCS / "explanation" / "private-lower-bound.md"


def script(name: str) -> ModuleType:
    """The example that computes all numbers of a page."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "examples" / f"{name}.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"docs/examples/{name}.py is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def put(page: Path, name: str, lines: Iterable[str]) -> None:
    """Put a table between its markers on a page."""
    text = page.read_text(encoding="utf-8")
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    table = "\n".join(lines)
    # The replacement is no template.
    text, found = block.subn(lambda match: f"{match[1]}\n{table}\n\n{match[2]}", text)
    if found != 1:
        raise SystemExit(f"{page.name}: want the markers of {name} once, found them {found} times")
    write_text(page, text)


def draw_trees() -> None:
    """Write the two figures of BLM20, which need no plotting library."""
    domain = bun_livni_moran.figure_1_class().domain
    drawn = tree_to_svg(bun_livni_moran.figure_1(), domain)
    write_text(DOCS / "figures" / "shattered-tree.svg", drawn)
    played = bun_livni_moran.record_to_svg(bun_livni_moran.figure_2())
    write_text(DOCS / "figures" / "tournament.svg", played)


def draw_bounds() -> None:
    """Write the figure of upper and lower bounds, and the tables beside it."""
    bounds = script("private_bounds")
    rows = {name: bounds.sizes(*panel) for name, panel in bounds.PANELS.items()}
    for name, table in rows.items():
        put(BOUNDS, name, bounds.table(table))
    put(BOUNDS, "bounds-tension", bounds.tension_table())
    numbers = {
        name: [[curve, str(alpha), str(epsilon), n] for curve, alpha, epsilon, n in table]
        for name, table in rows.items()
    }
    path = DOCS / "figures" / "bounds-private.svg"
    plots.save_svg(plots.private_bounds(*rows.values()), path, description=json.dumps(numbers))


def draw_learners() -> None:
    """Write the figure of the sizes of algorithm M."""
    sizes = script("sizes_of_m")
    by_dimension, listed = sizes.by_dimension(), sizes.listed()
    plots.save_svg(
        plots.private_learners(by_dimension, listed),
        DOCS / "figures" / "sizes-of-m.svg",
        description=json.dumps({"by_dimension": by_dimension, "listed": listed}),
    )


def main() -> None:
    """Compute, draw, write."""
    if sys.argv[1:] == ["sizes_of_m"]:
        draw_learners()
        return
    draw_bounds()
    if sys.argv[1:] == ["private_bounds"]:
        return
    draw_learners()
    draw_trees()
    costs = script("what_it_costs")
    rows = {name: costs.sizes(*panel) for name, panel in costs.PANELS.items()}
    for name, table in rows.items():
        put(COSTS, name, costs.table(table))
    for goal in ("stable", "private"):
        panels = {name: table for name, table in rows.items() if name.startswith(goal)}
        numbers = {
            name: [[r.learner, str(r.alpha), str(r.level), r.constants, r.sample_size] for r in t]
            for name, t in panels.items()
        }
        path = DOCS / "figures" / f"sizes-{goal}.svg"
        plots.save_svg(plots.sample_sizes(*panels.values()), path, description=json.dumps(numbers))
    measured = {alpha: costs.excesses(alpha) for alpha in costs.MEASURED}
    floats = {alpha: [float(value) for value in values] for alpha, values in measured.items()}
    put(COSTS, "measured", costs.measured_table(floats))
    plots.save_svg(
        plots.excess_error(measured),
        DOCS / "figures" / "measured-excess.svg",
        description=json.dumps({str(alpha): values for alpha, values in floats.items()}),
    )


if __name__ == "__main__":
    main()
