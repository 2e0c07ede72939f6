"""The blueprint, written to ``blueprint/`` before pages are read: nobody edits or commits it."""

from __future__ import annotations

from pathlib import Path

import blueprint
from sphinx.application import Sphinx

from pac_stability import claims


def write_pages(app: Sphinx) -> None:
    """Write the pages that changed, and delete those that are no more."""
    folder = Path(app.srcdir) / "blueprint"
    folder.mkdir(exist_ok=True)
    written = blueprint.pages(claims.all(), blueprint.read_runs(blueprint.RUNS))
    for name, text in written.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in folder.iterdir():
        if path.name not in written:
            path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
