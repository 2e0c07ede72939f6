"""Notebooks as pages, with the output that they keep."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

from notebooks import to_markdown


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown of its cells and of what they show."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Read the notebook as Markdown."""
        super().parse(to_markdown(inputstring, Path(document["source"]).name), document)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
