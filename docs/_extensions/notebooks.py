"""Notebooks run without Jupyter: for the tests, and for the site, which shows what cells show.

``python docs/_extensions/notebooks.py`` writes into each notebook what its cells show, for those
who read it elsewhere.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "notebooks"


@dataclass(frozen=True)
class Cell:
    """A cell that was run.

    Attributes
    ----------
    text
        Markdown, or code.
    is_code
        Which of the two.
    printed
        What it printed.
    shown, plain
        What a notebook shows of the value that ends it, as HTML and as text; empty where there is
        none.
    """

    text: str
    is_code: bool
    printed: str = ""
    shown: str = ""
    plain: str = ""


def cells_of(document: str) -> Iterator[Cell]:
    """Run the cells of a notebook, given its text, one after the other in one namespace."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(json.loads(document)["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            yield _run(text, names, f"cell {number}")
        else:
            yield Cell(text, is_code=False)


def _run(text: str, names: dict[str, Any], where: str) -> Cell:
    tree = ast.parse(text, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, where, "exec"), names)  # noqa: S102  # our own
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)  # noqa: S307
    if value is None:
        return Cell(text, True, printed.getvalue())
    return Cell(text, True, printed.getvalue(), shown(value), repr(value))


def shown(value: object) -> str:
    """Return what a notebook shows of a value."""
    html = getattr(value, "_repr_html_", None)
    return f"<pre>{escape(repr(value))}</pre>" if html is None else str(html())


def kept_cells(document: str) -> Iterator[Cell]:
    """The cells of a notebook with the output that it keeps, as a test has compared with a run."""
    for cell in json.loads(document)["cells"]:
        text, outputs = "".join(cell["source"]), cell.get("outputs", [])
        said = "".join(line for each in outputs for line in each.get("text", []))
        html = "".join(
            line for each in outputs for line in each.get("data", {}).get("text/html", [])
        )
        yield Cell(text, cell["cell_type"] == "code", said, html)


def to_markdown(document: str, name: str) -> str:
    """Return a notebook as a page of the site: its text, its code, and what it keeps of its output.

    Parameters
    ----------
    document
        The text of the file.
    name
        Of the file, for the link to it.
    """
    parts = []
    for cell in kept_cells(document):
        parts.append(f"```python\n{cell.text}\n```" if cell.is_code else cell.text)
        if not cell.is_code and len(parts) == 1:
            parts.append(f"This page is a {{download}}`notebook <{name}>`, with its output.")
        said = f"<pre>{escape(cell.printed)}</pre>" if cell.printed else ""
        if said or cell.shown:
            html = f'<div class="shown" tabindex="0">{said}{cell.shown}</div>'
            parts.append(f"``````{{raw}} html\n{html}\n``````")
    return "\n\n".join(parts) + "\n"


def with_outputs(document: str) -> str:
    """Return the text of a notebook with what its cells print and show."""
    notebook, count = json.loads(document), 0
    for cell, found in zip(notebook["cells"], cells_of(document), strict=True):
        if not found.is_code:
            continue
        count += 1
        cell["execution_count"], cell["outputs"] = count, []
        if found.printed:
            lines = found.printed.splitlines(keepends=True)
            cell["outputs"].append({"name": "stdout", "output_type": "stream", "text": lines})
        if found.shown:
            data = {
                "text/html": found.shown.splitlines(keepends=True),
                "text/plain": found.plain.splitlines(keepends=True),
            }
            result = {"data": data, "execution_count": count, "metadata": {}}
            cell["outputs"].append({**result, "output_type": "execute_result"})
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.ipynb")):
        path.write_text(with_outputs(path.read_text("utf-8")), "utf-8")
