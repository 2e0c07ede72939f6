"""The pages of the documentation hang together: links lead somewhere, and code is what it shows."""

import re
from functools import cache
from pathlib import Path

import pytest

from pac_stability import claims
from pac_stability.claims.pages import formula_to_mathml
from pac_stability.cli.app import main
from shared_tools import claim_pages, figures, kept_runs

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "index.md"
BLUEPRINT = ROOT / "docs" / "blueprint"


KEPT = {*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")}
DRAWN = {ROOT / "docs" / "figures" / f"{name}.svg" for name in figures.DRAWN}


@cache
def written() -> dict[Path, str]:
    """The pages that the site has besides those that are kept, and their text."""
    runs = kept_runs.read_runs(kept_runs.RUNS)
    return {BLUEPRINT / name: text for name, text in claim_pages.pages(claims.all(), runs).items()}


LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]*`")
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def text_of(page: Path) -> str:
    """The text of a page, kept or written."""
    if page not in KEPT:
        return written()[page]
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


@pytest.mark.parametrize("page", sorted(KEPT), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    check_links(page)


def test_links_of_written_pages_lead_somewhere() -> None:
    for page in written():
        check_links(page)


def check_links(page: Path) -> None:
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists() or file in DRAWN or file in written(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(file), target


def test_every_page_is_in_the_index() -> None:
    pages = {page for page in KEPT | written().keys() if page.is_relative_to(ROOT / "docs")} - {
        INDEX
    }
    of_claims = {page for page in written() if page.parent != BLUEPRINT}
    assert pages - of_claims <= linked(INDEX)
    assert len(of_claims) == len(claims.all())
    papers = {page for page in written() if page.parent == BLUEPRINT}
    assert of_claims <= {page for paper in papers for page in linked(paper)}


def test_code_that_a_page_shows_of_an_example_is_in_the_example() -> None:
    shown = 0
    for page in KEPT | written().keys():
        files = [file for file in linked(page) if file.parent == ROOT / "docs" / "examples"]
        examples = "".join(file.read_text(encoding="utf-8") for file in files)
        for block in CODE.findall(text_of(page)) if files else ():
            if ">>>" not in block:
                assert block in examples, f"{page.name}: {block}"
                shown += 1
    assert shown


IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


def test_the_converter_of_the_site_knows_every_formula() -> None:
    pytest.importorskip("latex2mathml")
    prose = "\n".join(SPAN.sub("", FENCED.sub("", text_of(page))) for page in KEPT)
    found = re.findall(r"\$\$(.+?)\$\$|\$(?![ \n])([^$\n]+?)\$", prose, re.DOTALL)
    assert len(found) > 1000
    assert all(formula_to_mathml((wide or inline).strip()) for wide, inline in set(found))


def test_every_picture_has_words_and_every_figure_is_in_the_gallery() -> None:
    for page in KEPT:
        for words, target in IMAGE.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
            assert len(words.split()) > 3, f"{page.name}: {target}"
    shown = {target for _, target in IMAGE.findall((ROOT / "docs" / "gallery.md").read_text())}
    assert shown == {f"figures/{name}.svg" for name in figures.DRAWN}


def test_the_gallery_has_what_the_command_prints(tmp_path: Path) -> None:
    drawn = tmp_path / "thresholds.svg"
    command = ["tree", "--family", "thresholds:7", "--format", "svg", "--output", str(drawn)]
    assert f"$ pac-stability {' '.join(command[:-1])} thresholds.svg" in (
        ROOT / "docs" / "gallery.md"
    ).read_text(encoding="utf-8")
    assert main(command) == 0
    assert drawn.read_text(encoding="utf-8") == figures.thresholds_tree()
    committed = ROOT / "docs" / "figures" / "thresholds-tree.svg"  # the README shows it
    assert committed.read_text(encoding="utf-8") == figures.thresholds_tree()


def test_the_readme_is_short_and_the_front_page_has_its_readers() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) < 800  # what explains more stands on the site
    assert readme.index("pip install") < readme.index(">>> import") < readme.index("![")
    index = INDEX.read_text(encoding="utf-8")
    readers = re.findall(r"^\| \*\*(.*?)\*\*.*\]\(", index, re.MULTILINE)
    assert len(readers) == 5
    assert index.index("pip install") < index.index("![") < index.index(readers[0])


def test_the_index_names_each_page_once() -> None:
    table = INDEX.read_text(encoding="utf-8").partition("## All pages")[2]
    named = re.findall(r"\]\(([^)]*\.(?:md|ipynb))\)", table)
    assert len(named) == len(set(named))
