"""The notebooks run from top to bottom, and hold what their cells print and show."""

import json
from pathlib import Path

import pytest

from shared_tools import notebooks

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        *("a-data-analyst", "a-lecture", "a-reviewers-afternoon"),
        *("bun-livni-moran", "cummings-et-al", "dagan-feldman"),
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    document = json.loads(text)
    assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
    cells = document["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert cells[0]["source"][0].startswith("# ")
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert text == notebooks.with_outputs(text), "python docs/_extensions/notebooks.py writes them"
    found = list(notebooks.cells_of(text))
    assert [cell.is_code for cell in found] == [cell in code for cell in cells]
    assert "object at 0x" not in "\n".join(cell.shown + cell.printed for cell in found)
    assert sum(bool(cell.shown) for cell in found) >= 2
    assert path.stat().st_size < 200_000


def test_a_page_has_text_code_what_was_printed_and_what_is_shown() -> None:
    sources = [("markdown", "# A title"), ("code", "n = 2\nprint('<', n)\nn"), ("code", "m = n")]
    cells = [{"cell_type": kind, "source": [text]} for kind, text in sources]
    document = notebooks.with_outputs(json.dumps({"cells": cells}))
    assert notebooks.to_markdown(document, "a.ipynb").splitlines() == [
        "# A title",
        "",
        "This page is a {download}`notebook <a.ipynb>`, with its output.",
        "",
        *("```python", "n = 2", "print('<', n)", "n", "```"),
        "",
        "``````{raw} html",
        '<div class="shown" tabindex="0"><pre>&lt; 2',
        "</pre><pre>2</pre></div>",
        "``````",
        "",
        *("```python", "m = n", "```"),
    ]
