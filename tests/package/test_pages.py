"""The pages of the documentation hang together: links lead somewhere, and code is what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pac_stability import claims
from shared_tools import blueprint, claim_pages

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "index.md"
BLUEPRINT = ROOT / "docs" / "blueprint"


WRITTEN = {
    BLUEPRINT / name: text
    for name, text in claim_pages.pages(claims.all(), blueprint.read_runs(blueprint.RUNS)).items()
}
"""The pages that the site has besides those that are kept, and their text."""
KEPT = {*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")}
PAGES = sorted(KEPT | WRITTEN.keys())
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]*`")
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def text_of(page: Path) -> str:
    """The text of a page, kept or written."""
    if page in WRITTEN:
        return WRITTEN[page]
    text = page.read_text(encoding="utf-8")
    inside = page.is_relative_to(ROOT / "docs")
    name = page.relative_to(ROOT / "docs").with_suffix("").as_posix() if inside else ""
    return claim_pages.filled(name, text)


def links(page: Path) -> list[str]:
    """Targets of the links of a page that stay inside the project."""
    prose = SPAN.sub("", FENCED.sub("", text_of(page)))
    return [target for target in LINK.findall(prose) if "://" not in target]


def anchors(page: Path) -> set[str]:
    """What can follow ``#`` in a link to a page."""
    titles = HEADING.findall(FENCED.sub("", text_of(page)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def linked(page: Path) -> set[Path]:
    """Files that a page links to."""
    return {(page.parent / target.partition("#")[0]).resolve() for target in links(page)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file in WRITTEN or file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_every_page_is_in_the_index() -> None:
    pages = {page for page in PAGES if page.is_relative_to(ROOT / "docs")} - {INDEX}
    of_claims = {page for page in WRITTEN if page.parent != BLUEPRINT}
    assert pages - of_claims <= linked(INDEX)
    assert len(of_claims) == len(claims.all())
    papers = {page for page in WRITTEN if page.parent == BLUEPRINT}
    assert of_claims <= {page for paper in papers for page in linked(paper)}


def test_code_that_a_page_shows_of_an_example_is_in_the_example() -> None:
    shown = 0
    for page in PAGES:
        files = [file for file in linked(page) if file.parent == ROOT / "docs" / "examples"]
        examples = "".join(file.read_text(encoding="utf-8") for file in files)
        for block in CODE.findall(text_of(page)) if files else ():
            if ">>>" not in block:
                assert block in examples, f"{page.name}: {block}"
                shown += 1
    assert shown
