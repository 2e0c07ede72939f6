"""What comes from the book of claims: ``blueprint/``, and tables in pages that are kept.

The pages are written before pages are read; nobody edits or commits them.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

import claim_pages
import kept_runs
from pac_stability import claims
from pac_stability.claims.pages import converter


def write_pages(app: Sphinx) -> None:
    """Write the pages that changed, and delete those that are no more."""
    if converter() is None:
        raise ModuleNotFoundError("the site sets its formulas with latex2mathml")
    folder = Path(app.srcdir) / "blueprint"
    written = claim_pages.pages(claims.all(), kept_runs.read_runs(kept_runs.RUNS))
    for name, text in written.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in written:
            path.unlink()


def fill_tables(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put tables where a page has markers for them."""
    source[0] = claim_pages.filled(page, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", fill_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
