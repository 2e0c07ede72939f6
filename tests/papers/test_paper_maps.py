"""The pages from the papers to the code: what they name is there."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGES = TESTS.parent / "docs" / "reference"
ERRATA = TESTS.parent / "docs" / "errata"
ROW = re.compile(r"^\| (?P<item>.*?) \| (?P<objects>.*?) \| (?P<tests>.*?) \|$", re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
# The package, and the parts of it whose objects are not imported to its top.
PAPERS: dict[str, tuple[str, ...]] = {
    "bun_livni_moran": ("formulas.",),
    "cummings_et_al": ("implications.", "tightness."),
    "dagan_feldman": ("sample_complexity.",),
}


def rows(paper: str) -> list[tuple[str, str, str]]:
    page = PAGES / f"{paper.replace('_', '-')}.md"
    found = [match.groups() for match in ROW.finditer(page.read_text(encoding="utf-8"))]
    return [(a, b, c) for a, b, c in found if a not in ("item", "---")]


ALL_ROWS = [(paper, *row) for paper in PAPERS for row in rows(paper)]
each_row_with_objects = pytest.mark.parametrize(
    ("paper", "item", "objects"), [row[:3] for row in ALL_ROWS]
)
each_row_with_tests = pytest.mark.parametrize(
    ("paper", "item", "tests"), [(*row[:2], row[3]) for row in ALL_ROWS]
)


def names(objects: str) -> Iterator[str]:
    """Full names of the objects of a row; a method without one is of the class named before it."""
    owner = ""
    for name in SPAN.findall(objects):
        if not name.startswith("."):
            *parts, last = name.split(".")
            owner = name if last[0].isupper() else ".".join(parts)
        yield owner + name if name.startswith(".") else name


def package(paper: str) -> str:
    return f"pac_stability.papers.{paper}"


def exists(paper: str, name: str) -> bool:
    roots = (package(paper), "pac_stability")
    return any(attribute(f"{root}.{name}") is not None for root in roots)


def attribute(name: str) -> object:
    """What a dotted name leads to: a module as far as it goes, then attributes."""
    parts = name.split(".")
    found: object = importlib.import_module(parts[0])
    for depth, part in enumerate(parts[1:], 2):
        module = ".".join(parts[:depth])
        if hasattr(found, "__path__") and find_spec(module):
            found = importlib.import_module(module)
        else:
            found = getattr(found, part, None)
    return found


@each_row_with_objects
def test_objects_exist(paper: str, item: str, objects: str) -> None:
    assert [name for name in names(objects) if not exists(paper, name)] == [], item


def is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@each_row_with_objects
def test_what_is_of_the_paper_can_be_imported_from_its_package(
    paper: str, item: str, objects: str
) -> None:
    top = importlib.import_module(package(paper))
    for name in names(objects):
        if not name.startswith(PAPERS[paper]) and attribute(f"{package(paper)}.{name}"):
            # The part after the modules: where the object lives is the page's business.
            parts = name.split(".")
            modules = sum(
                is_module(f"{package(paper)}.{'.'.join(parts[: i + 1])}") for i in range(len(parts))
            )
            assert hasattr(top, parts[modules]), (item, name)


@each_row_with_tests
def test_files_of_tests_exist(paper: str, item: str, tests: str) -> None:
    for span in SPAN.findall(tests):
        folder = TESTS if "/" in span else TESTS / "papers" / paper
        assert any(folder.glob(span)), (item, span)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_notes_name_tests_that_exist(paper: str) -> None:
    notes = (ERRATA / f"{paper.replace('_', '-')}.md").read_text(encoding="utf-8")
    files = re.findall(r"`(?:tests/)?((?:\w+/)*test_\w+\.py)`", notes)
    folders = (TESTS, TESTS / "papers" / paper)
    assert [file for file in files if not any((f / file).exists() for f in folders)] == []
    tests = "".join(file.read_text(encoding="utf-8") for file in TESTS.rglob("test_*.py"))
    assert [
        name for name in re.findall(r"`(Test\w+)`", notes) if f"class {name}" not in tests
    ] == []
    assert files


def named(paper: str) -> set[str]:
    """Every part of every name on a page: modules, objects and methods."""
    return {
        part for _, objects, _ in rows(paper) for name in names(objects) for part in name.split(".")
    }


def public(room: str) -> set[str]:
    """What can be imported from a room and is defined in it."""
    return {
        name
        for name, value in vars(importlib.import_module(room)).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith(room)
    }


@pytest.mark.parametrize(
    ("paper", "least"), [("bun_livni_moran", 35), ("cummings_et_al", 60), ("dagan_feldman", 40)]
)
def test_the_pages_have_their_rows(paper: str, least: int) -> None:
    assert len(rows(paper)) > least
    assert not exists(paper, "nets.NoSuchObject")


def test_every_public_object_of_bun_livni_moran_is_named_or_belongs_to_one_that_is() -> None:
    """The page leaves out the values that functions of the page return, and nothing else."""
    returned = {
        "AgnosticSizes",
        "ConsistentOutputs",
        "DrawsExhausted",
        "FrequentOutput",
        "Lemma12Counterexample",
        "Match",
        "OutputOfLearner",
        "Player",
        "ReachedFrequencies",
        "RealizableTarget",
        "RunTally",
        "Training",
        "example_codes",
    }
    offered = public(package("bun_livni_moran"))
    assert offered - named("bun_livni_moran") == returned & offered


def test_every_public_object_of_cummings_et_al_is_named() -> None:
    top = package("cummings_et_al")
    offered = public(top) | public(f"{top}.implications")
    assert offered - named("cummings_et_al") == set()


def test_every_public_object_of_compression_is_named_or_belongs_to_one_that_is() -> None:
    """The page leaves out what the named objects take and return, and nothing else."""
    parts = {
        "Answer",
        "ApproximateScheme",
        "Approximation",
        "Counterexample",
        "ImproperTable",
        "MajorityVote",
        "NotSeparable",
        "Problem",
        "ProperTable",
        "Query",
        "SchemeCheck",
        "Task",
        "boosting_rounds",
        "counting_group",
        "load_transcript",
        "net_group",
        "save_transcript",
        "smallest_group",
        "subsample",
    }
    assert public("pac_stability.compression") - named("cummings_et_al") == parts


def test_the_numbered_items_of_cummings_et_al_are_there_in_order() -> None:
    """Forty of them, the algorithms apart."""
    items = " ".join(item for item, _, _ in rows("cummings_et_al"))
    numbers = [
        int(number)
        for kind in re.findall(
            r"(?:Definition|Lemma|Theorem|Corollary|Remark)s? (\d+(?: and \d+)?)", items
        )
        for number in kind.split(" and ")
    ]
    first = list(dict.fromkeys(numbers))
    assert first == list(range(1, 41))
