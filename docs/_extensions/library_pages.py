"""A page for each package of the library, written to ``library/`` before pages are read.

Their text is that of the docstrings, in which a bar is the mathematician's, as in ``|H|``, never
the mark of a substitution.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from sphinx.application import Sphinx

import pac_stability
from pac_stability.claims import PAPERS

ROOT = pac_stability.__name__
# The command line has pages of its own, and the claims of a paper are its blueprint.
LEFT_OUT = {f"{ROOT}.cli", *(f"{ROOT}.claims.{package}" for package in PAPERS.values())}


def is_private(name: str) -> bool:
    """Whether a dotted name has a part that starts with an underscore."""
    return any(part.startswith("_") for part in name.split("."))


def parts(package: ModuleType) -> Iterator[ModuleType]:
    """The public modules and packages directly in a package."""
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if not is_private(found.name) and found.name not in LEFT_OUT:
            yield importlib.import_module(found.name)


def is_package(module: ModuleType) -> bool:
    """Whether a module can contain others."""
    return hasattr(module, "__path__")


def packages(root: ModuleType = pac_stability) -> Iterator[ModuleType]:
    """A package and those below it."""
    yield root
    for part in parts(root):
        if is_package(part):
            yield from packages(part)


def exported(package: ModuleType) -> Iterator[tuple[str, str]]:
    """Names of objects that a package imports from below it, and the modules that define them."""
    for name, value in sorted(vars(package).items()):
        home = getattr(value, "__module__", None) or ""
        if not is_private(name) and home != package.__name__ and home.startswith(f"{ROOT}."):
            yield name, home


def heading(name: str, line: str) -> list[str]:
    """A section named for a module, with its docstring and members."""
    title = f"``{name}``"
    return [title, line * len(title), "", f".. automodule:: {name}", ""]


def page(package: ModuleType) -> str:
    """The page of a package, in reStructuredText."""
    name = package.__name__
    lines = heading(name, "=")
    names = list(exported(package))
    public = [f":py:obj:`{each} <{home}.{each}>`" for each, home in names if not is_private(home)]
    if public:
        lines += [f"``from {name} import`` " + ", ".join(public), ""]
    for each, home in names:
        if is_private(home) and home.startswith(f"{name}."):
            lines += [f".. autoclass:: {name}.{each}", ""]
    inner = list(parts(package))
    below = [f"   {part.__name__}" for part in inner if is_package(part)]
    if below:
        lines += [".. toctree::", "   :maxdepth: 1", "", *below, ""]
    for part in inner:
        if not is_package(part):
            lines += heading(part.__name__, "-")
    return "\n".join(lines)


def write_pages(app: Sphinx) -> None:
    """Write the pages that changed, and delete those of packages that are gone."""
    folder = Path(app.srcdir) / "library"
    folder.mkdir(exist_ok=True)
    pages = {folder / f"{package.__name__}.rst": page(package) for package in packages()}
    for path, text in pages.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in set(folder.iterdir()) - set(pages):
        path.unlink()


def with_plain_bars(text: str) -> str:
    """Escape the bars of a docstring, but for those in literals and in examples."""
    paragraphs = re.split(r"(\n\s*\n)", text)
    for index, paragraph in enumerate(paragraphs):
        if not paragraph.lstrip().startswith(">>>"):
            spans = paragraph.split("``")
            spans[::2] = [span.replace("|", r"\|") for span in spans[::2]]
            paragraphs[index] = "``".join(spans)
    return "".join(paragraphs)


def edit_docstring(
    _app: Sphinx, what: str, _name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """Change the lines of a docstring in place, as autodoc wants it."""
    lines[:] = with_plain_bars("\n".join(lines)).split("\n")
    if what in ("attribute", "data", "property"):
        # An empty comment: what stands before a colon in the first line would be read as a type.
        lines[:0] = ["..", ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", edit_docstring, priority=400)  # before napoleon
    return {"parallel_read_safe": True, "parallel_write_safe": True}
