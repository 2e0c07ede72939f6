"""Draw the figures of the documentation, and write the tables of the same numbers.

``python tools/figures.py``, with the extra ``plots``, writes ``docs/figures/*.svg`` and the tables
between the markers of ``docs/explanation/what-it-costs.md``, in a minute or two. Each figure
carries its numbers in its metadata, so that tests see when one is out of date. The same version of
matplotlib writes the same bytes. Trees and tournaments are drawn without it.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from pac_stability import plots
from pac_stability.dimensions.tree_formats import tree_to_svg
from pac_stability.keeping import write_text
from pac_stability.papers import bun_livni_moran

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "explanation" / "what-it-costs.md"


def script() -> ModuleType:
    """The example that computes all numbers."""
    spec = importlib.util.spec_from_file_location(
        "what_it_costs", DOCS / "examples" / "what_it_costs.py"
    )
    if spec is None or spec.loader is None:
        raise SystemExit("docs/examples/what_it_costs.py is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def put(name: str, lines: Iterable[str]) -> None:
    """Put a table between its markers on the page."""
    text = PAGE.read_text(encoding="utf-8")
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    table = "\n".join(lines)
    # The replacement is no template.
    text, found = block.subn(lambda match: f"{match[1]}\n{table}\n\n{match[2]}", text)
    if found != 1:
        raise SystemExit(f"{PAGE.name}: want the markers of {name} once, found them {found} times")
    write_text(PAGE, text)


def draw_trees() -> None:
    """Write the two figures of BLM20, which need no plotting library."""
    domain = bun_livni_moran.figure_1_class().domain
    drawn = tree_to_svg(bun_livni_moran.figure_1(), domain)
    write_text(DOCS / "figures" / "shattered-tree.svg", drawn)
    played = bun_livni_moran.record_to_svg(bun_livni_moran.figure_2())
    write_text(DOCS / "figures" / "tournament.svg", played)


def main() -> None:
    """Compute, draw, write."""
    draw_trees()
    costs = script()
    rows = {name: costs.sizes(*panel) for name, panel in costs.PANELS.items()}
    for name, table in rows.items():
        put(name, costs.table(table))
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
    put("measured", costs.measured_table(floats))
    plots.save_svg(
        plots.excess_error(measured),
        DOCS / "figures" / "measured-excess.svg",
        description=json.dumps({str(alpha): values for alpha, values in floats.items()}),
    )


if __name__ == "__main__":
    main()
