"""Pages of the library, written to ``library/`` before pages are read: packages, and objects.

The page of a package lists its modules, and of each the objects with one line of purpose. A module
has a page of those objects that its subpackage exports, or that a claim names, each under the name
that one types. Their text is that of the docstrings, in which a bar is the mathematician's, as in
``|H|``, never the mark of a substitution.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import PycodeError
from sphinx.pycode import ModuleAnalyzer

import pac_stability
from claim_pages import first_sentence
from name_links import defined_as, source_of
from pac_stability import claims

ROOT = pac_stability.__name__
# The command line has pages of its own, and the claims of a paper are its blueprint.
LEFT_OUT = {f"{ROOT}.cli", f"{ROOT}.books"}


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
    for name in sorted(getattr(package, "__all__", vars(package))):
        home = getattr(getattr(package, name), "__module__", None) or ""
        if not is_private(name) and home != package.__name__ and home.startswith(f"{ROOT}."):
            yield name, home


@cache
def typed() -> dict[str, str]:
    """For each object that a room shows: what one types for it, the shortest of its names."""
    found: dict[str, str] = {}
    for package in sorted(packages(), key=lambda package: package.__name__.count(".")):
        room = package.__name__.replace(ROOT, "ps", 1)
        for name, home in exported(package):
            kept = f"{package.__name__}.{name}" if is_private(home) else f"{home}.{name}"
            found.setdefault(kept, f"{room}.{name}")
    return found


@cache
def named_by_claims() -> frozenset[str]:
    """The objects that claims name, as they are defined, and the classes of their methods."""
    names = [defined_as(f"{ROOT}.{name}") or "" for claim in claims.all() for name in claim.objects]
    return frozenset(names) | {name.rpartition(".")[0] for name in names}


def heading(name: str, line: str) -> list[str]:
    """A title in reStructuredText."""
    title = f"``{name}``"
    return [title, line * len(title), ""]


def purpose(thing: object) -> str:
    """The first sentence of what an object says of itself, in reStructuredText."""
    return re.sub(r"([*_|\\])", r"\\\1", first_sentence(thing))


def objects(module: ModuleType) -> Iterator[tuple[str, object]]:
    """The classes and functions that a module defines and describes, in the order of its text."""
    found = [
        (name, thing)
        for name, thing in vars(module).items()
        if not is_private(name)
        and (inspect.isclass(thing) or inspect.isroutine(thing))
        and getattr(thing, "__module__", None) == module.__name__
        and inspect.getdoc(thing)
    ]
    yield from found


def data(module: ModuleType) -> Iterator[str]:
    """The values that a module describes, in the order of its text."""
    try:
        described = ModuleAnalyzer.for_module(module.__name__).find_attr_docs()
    except PycodeError:
        return
    known = {name for name, _ in objects(module)}
    for owner, name in described:
        if not owner and not is_private(name) and name not in known:
            yield name


def listed(named: Iterable[tuple[str, str, object]]) -> list[str]:
    """A list of objects: what each is called, its full name, and one line of purpose."""
    return [f"- :py:obj:`{name} <{full}>`: {purpose(thing)}" for name, full, thing in named]


def of_module(module: ModuleType) -> list[str]:
    """A section of a package's page: what the module says, its objects, and its values."""
    name = module.__name__
    lines = [f".. automodule:: {name}", "   :no-members:", ""]
    lines += [*listed((each, f"{name}.{each}", thing) for each, thing in objects(module)), ""]
    for each in data(module):
        lines += [f".. autodata:: {name}.{each}", "   :no-value:", ""]
    return lines


def page(package: ModuleType) -> str:
    """The page of a package."""
    name = package.__name__
    lines = [*heading(name, "="), *of_module(package)]
    names = list(exported(package))
    public = [f":py:obj:`{each} <{home}.{each}>`" for each, home in names if not is_private(home)]
    if public:
        lines += [f"``from {name} import`` " + ", ".join(public), ""]
    lines += [*listed((each, f"{name}.{each}", thing) for each, thing in unhomed(package)), ""]
    inner = list(parts(package))
    below = [f"   {part.__name__}" for part in inner if is_package(part)]
    if below:
        lines += [".. toctree::", "   :maxdepth: 1", "", *below, ""]
    for part in inner:
        if not is_package(part):
            lines += [*heading(part.__name__, "-"), *of_module(part)]
    return "\n".join(lines)


def unhomed(package: ModuleType) -> Iterator[tuple[str, object]]:
    """What a package exports of its private modules: it has its page under the package's name."""
    for each, home in exported(package):
        if is_private(home) and home.startswith(f"{package.__name__}."):
            yield each, getattr(package, each)


def page_of_module(module: ModuleType, found: Iterable[tuple[str, object]]) -> str:
    """The page of the objects of a module, each under what one types for it."""
    name = module.__name__
    package = name if is_package(module) else name.rpartition(".")[0]
    lines = [":orphan:", "", *heading(name.replace(ROOT, "ps", 1), "=")]
    lines += [f"In :doc:`{package}`: :py:mod:`{name}`.", ""]
    for each, thing in found:
        full = f"{name}.{each}"
        kind = "autoclass" if inspect.isclass(thing) else "autofunction"
        lines += [*heading(typed().get(full, each), "-"), f".. {kind}:: {full}"]
        if inspect.isclass(thing) and thing.__bases__ != (object,):
            lines.append("   :show-inheritance:")
        lines.append("")
    return "\n".join(lines)


def pages() -> Iterator[tuple[str, str]]:
    """The name and the text of every page."""
    shown = typed().keys() | named_by_claims()
    for package in packages():
        yield package.__name__, page(package)
        for module in [package, *(part for part in parts(package) if not is_package(part))]:
            name = module.__name__
            found = [each for each in objects(module) if f"{name}.{each[0]}" in shown]
            if module is package:
                found += unhomed(package)
            if found:
                yield f"{name}.objects", page_of_module(module, found)


def write_pages(app: Sphinx) -> None:
    """Write the pages that changed, and delete those of what is gone."""
    folder = Path(app.srcdir) / "library"
    folder.mkdir(exist_ok=True)
    written = {folder / f"{name}.rst": text for name, text in pages()}
    for path, text in written.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in set(folder.iterdir()) - set(written):
        path.unlink()


def resolve_source(_domain: str, found: dict[str, str]) -> str | None:
    """Tell ``sphinx.ext.linkcode`` where a source is, from a page in ``library/``."""
    name = found["fullname"]
    place = "" if "." in name else source_of(f"{found['module']}.{name}")
    return f"../{place}" if place else None


def set_dashes(_app: Sphinx, page: nodes.document) -> None:
    """Set the dash between a parameter and its text, which Sphinx leaves to smart quotes."""
    for text in list(page.findall(nodes.Text)):
        if text.startswith((" -- ", ") -- ")) and text.parent is not None:
            text.parent.replace(text, nodes.Text(text.replace(" -- ", " – ", 1)))  # a dash


def copy_sources(app: Sphinx, error: Exception | None) -> None:
    """Copy the sources as they are: a browser shows a text, and finds a line of it."""
    library = Path(inspect.getfile(pac_stability)).parent
    for path in library.rglob("*.py") if error is None and app.builder.format == "html" else ():
        copied = Path(app.outdir, "_static", ROOT, f"{path.relative_to(library)}.txt")
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copied)


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
    app.connect("doctree-read", set_dashes)
    app.connect("build-finished", copy_sources, priority=400)  # before what looks for sources
    return {"parallel_read_safe": True, "parallel_write_safe": True}
