"""The pages of the documentation hang together: links lead somewhere, and code is what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "index.md"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]*`")
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def links(page: Path) -> list[str]:
    """Targets of the links of a page that stay inside the project."""
    prose = SPAN.sub("", FENCED.sub("", page.read_text(encoding="utf-8")))
    return [target for target in LINK.findall(prose) if "://" not in target]


def anchors(page: Path) -> set[str]:
    """What can follow ``#`` in a link to a page."""
    titles = HEADING.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def linked(page: Path) -> set[Path]:
    """Files that a page links to."""
    return {(page.parent / target.partition("#")[0]).resolve() for target in links(page)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_every_page_is_in_the_index() -> None:
    pages = set((ROOT / "docs").rglob("*.md")) - {INDEX}
    assert pages <= linked(INDEX)


def test_code_that_a_page_shows_of_an_example_is_in_the_example() -> None:
    shown = 0
    for page in PAGES:
        files = [file for file in linked(page) if file.parent == ROOT / "docs" / "examples"]
        examples = "".join(file.read_text(encoding="utf-8") for file in files)
        for block in CODE.findall(page.read_text(encoding="utf-8")) if files else ():
            if ">>>" not in block:
                assert block in examples, f"{page.name}: {block}"
                shown += 1
    assert shown
