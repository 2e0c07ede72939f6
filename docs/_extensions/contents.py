"""The table of contents, which the pages themselves need only on the site."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sphinx.application import Sphinx

PARTS = {
    "Start": "gallery",
    "Tutorials": "tutorials/*",
    "Notebooks": "notebooks/*",
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


def one_tree_a_folder(
    app: Sphinx, page: str, _template: str, context: dict[str, object], _doctree: object
) -> None:
    """Let the pages of a folder that are in no table of contents share the one beside them.

    There are a thousand of these, of claims, objects and sources. Nothing is open in their trees,
    which therefore differ by the way to the pages only.
    """
    made = context.get("toctree")
    apart = page.startswith("_modules/") or "orphan" in app.env.metadata.get(page, {})
    if callable(made) and apart:
        folder = page.rpartition("/")[0]
        context["toctree"] = lambda **options: shared_tree(folder, made, options)


_TREES: dict[tuple[str, str], str] = {}


def shared_tree(folder: str, made: Callable[..., str], options: Mapping[str, object]) -> str:
    """The table of contents as the pages of a folder show it."""
    key = (folder, repr(sorted(options.items())))
    if key not in _TREES:
        _TREES[key] = made(**options)
    return _TREES[key]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", add_to_index)
    app.connect("html-page-context", one_tree_a_folder, priority=400)  # before the theme asks
    return {"parallel_read_safe": True, "parallel_write_safe": True}
