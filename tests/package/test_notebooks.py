"""The notebooks run from top to bottom, show what they end a cell with, and keep no output."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def shown(value: object) -> str:
    """What a notebook shows of the value that ends a cell."""
    html = getattr(value, "_repr_html_", None)
    return repr(value) if html is None else html()


def execute(cells: list[str]) -> list[str]:
    """Run cells one after the other in one namespace, and return what each shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for number, source in enumerate(cells):
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        where = f"cell {number}"
        exec(compile(tree, where, "exec"), names)  # noqa: S102  # our own
        value = None
        if last is not None:
            assert isinstance(last, ast.Expr)
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)  # noqa: S307
        found.append("" if value is None else shown(value))
    return found


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        *("a-data-analyst", "a-lecture", "a-reviewers-afternoon"),
        *("bun-livni-moran", "cummings-et-al", "dagan-feldman"),
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
    cells = document["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert cells[0]["source"][0].startswith("# ")
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
    found = execute(["".join(cell["source"]) for cell in code])
    said = "\n".join([*found, capsys.readouterr().out])
    assert "object at 0x" not in said
    assert sum(map(bool, found)) >= 2
    assert path.stat().st_size < 20_000
