"""The table of contents, which the pages themselves need only on the site."""

from __future__ import annotations

from sphinx.application import Sphinx

PARTS = {
    "Tutorials": "tutorials/*",
    "How to": "how-to/*",
    "Reference": "reference/*",
    "Explanation": "explanation/*",
    "The papers": "blueprint/*\nerrata/*",
    "The library": "library/pac_stability",
}


def add_to_index(_app: Sphinx, page: str, source: list[str]) -> None:
    """Append the parts to the index as it is read."""
    if page == "index":
        source[0] += "".join(
            f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {title}\n\n{pages}\n```\n"
            for title, pages in PARTS.items()
        )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", add_to_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
