"""Links that need no markup: from names of objects to the library, from items to the blueprint.

Wherever a page has ``notions.domination.mixture`` as code, it leads to that object; on the pages of
a paper, names in the paper's package do too. Wherever a page or a docstring cites an item, as BLM20
Lemma 12, it leads to the claim. On the blueprint's pages every name must lead somewhere; on that of
a claim, to the source, too.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from functools import cache
from importlib.util import find_spec

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from citations import references
from claim_pages import place_of
from pac_stability import claims

ROOT = "pac_stability"
NAME = re.compile(r"[A-Za-z]\w*(?:\.\w+)+(?:\(\))?")
LOGGER = logging.getLogger(__name__)


@cache
def defined_as(name: str) -> str | None:
    """The full name under which an object is defined; ``None`` if there is no such object.

    An attribute that has no name of its own is named below its class.
    """
    parts = name.split(".")
    found: object = importlib.import_module(ROOT)
    full = ROOT
    for depth, part in enumerate(parts[1:], 2):
        below = ".".join(parts[:depth])
        if hasattr(found, part):
            found = getattr(found, part)
            home, own = getattr(found, "__module__", None), getattr(found, "__qualname__", None)
            named = isinstance(home, str) and home.startswith(ROOT) and isinstance(own, str)
            full = f"{home}.{own}" if named else f"{full}.{part}"
        elif hasattr(found, "__path__") and find_spec(below) is not None:
            found, full = importlib.import_module(below), below
        else:
            return None
    return full


@cache
def places_of_claims() -> dict[str, str]:
    """For each key the page of the claim; for an item without its suffix, too."""
    places: dict[str, str] = {}
    for claim in claims.all():
        places[claim.key] = page = f"blueprint/{place_of(claim)}"
        places.setdefault(claim.key.partition(".")[0], page)
    return places


def source_of(full: str) -> str:
    """Where the site has the source of an object, or its class; empty where it has none."""
    module, _, name = full.rpartition(".")
    while module and module not in sys.modules:
        module, _, name = module.rpartition(".")
    thing = getattr(sys.modules.get(module), name, None)
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return ""
    if not thing.__module__.startswith(ROOT):
        return ""
    home, word = thing.__module__.replace(".", "/"), "class" if inspect.isclass(thing) else "def"
    home += "/__init__" * hasattr(sys.modules[thing.__module__], "__path__")  # a package
    return f"_static/{home}.py.txt#:~:text={word}%20{thing.__name__}"


class NameLinks(SphinxPostTransform):
    """Turns names and citations into links."""

    default_priority = 400

    def run(self, **_options: object) -> None:
        """Go through the page."""
        page = self.env.docname
        for literal in list(self.document.findall(nodes.literal)):
            if not self._is_in(literal, nodes.reference, nodes.title):
                self._link_name(literal, page)
        for text in list(self.document.findall(nodes.Text)):
            if not self._is_in(
                text,
                nodes.reference,
                nodes.title,
                nodes.literal,
                nodes.literal_block,
                nodes.doctest_block,
                nodes.raw,
            ):
                self._link_items(text)

    @staticmethod
    def _is_in(node: nodes.Node, *kinds: type[nodes.Node]) -> bool:
        parent = node.parent
        while parent is not None:
            if isinstance(parent, kinds):
                return True
            parent = parent.parent
        return False

    def _link_name(self, literal: nodes.literal, page: str) -> None:
        name = literal.astext()
        if NAME.fullmatch(name) is None:
            return
        name = name.removesuffix("()").removeprefix(f"{ROOT}.")
        here = page.split("/")[1].replace("-", "_") if "/" in page else ""
        names = {book.name for book in claims.books().values()}
        inside = f"{ROOT}.papers.{here}.{name}" if here in names else ""
        full = (defined_as(inside) if inside else None) or defined_as(f"{ROOT}.{name}")
        objects = self.env.domains["py"].data["objects"]
        for known in (full, f"{ROOT}.{name}", (full or "").rpartition(".")[0]):
            if known and known in objects and known != ROOT:
                entry = objects[known]
                found: list[nodes.Node] = [
                    self._reference(entry.docname, literal, entry.node_id),
                ]
                source = source_of(full or known) if page.startswith("blueprint/") else ""
                if source and page.count("/") > 1:
                    link = nodes.reference("", "source", refuri=f"../../{source}")
                    found += [nodes.Text(" ["), link, nodes.Text("]")]
                literal.parent.replace(literal, found)
                return
        if page.startswith("blueprint/"):
            LOGGER.warning("%s leads nowhere", name, location=literal)

    def _link_items(self, text: nodes.Text) -> None:
        content = text.astext()
        pieces: list[nodes.Node] = []
        end = 0
        for cited in references(content):
            place = places_of_claims().get(cited.key)
            if place is None or cited.start < end:
                continue
            words = nodes.inline("", content[cited.start : cited.end])
            pieces += [nodes.Text(content[end : cited.start]), self._reference(place, words)]
            end = cited.end
        if pieces and text.parent is not None:
            text.parent.replace(text, [*pieces, nodes.Text(content[end:])])

    def _reference(self, page: str, content: nodes.Element, anchor: str = "") -> nodes.reference:
        uri = self.app.builder.get_relative_uri(self.env.docname, page)
        uri += f"#{anchor}" if anchor else ""
        return nodes.reference("", "", content.deepcopy(), internal=True, refuri=uri)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_post_transform(NameLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
