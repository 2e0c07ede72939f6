"""The page from the paper to the code: what it names is there."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
PAGE = TESTS.parent / "docs" / "reference" / "dagan-feldman.md"
ROW = re.compile(r"^\| (?P<item>.*?) \| (?P<objects>.*?) \| (?P<tests>.*?) \|$", re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
ROOTS = ("pac_stability.papers.dagan_feldman", "pac_stability")


def rows() -> list[tuple[str, str, str]]:
    found = [match.groups() for match in ROW.finditer(PAGE.read_text(encoding="utf-8"))]
    return [(a, b, c) for a, b, c in found if a not in ("item", "---")]


def names(objects: str) -> Iterator[str]:
    """Full names of the objects of a row; a method without one is of the class named before it."""
    owner = ""
    for name in SPAN.findall(objects):
        if not name.startswith("."):
            *parts, last = name.split(".")
            owner = name if last[0].isupper() else ".".join(parts)
        yield owner + name if name.startswith(".") else name


def exists(name: str) -> bool:
    return any(attribute(f"{root}.{name}") is not None for root in ROOTS)


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


@pytest.mark.parametrize(("item", "objects"), [row[:2] for row in rows()])
def test_objects_exist(item: str, objects: str) -> None:
    assert [name for name in names(objects) if not exists(name)] == [], item


@pytest.mark.parametrize(("item", "tests"), [(row[0], row[2]) for row in rows()])
def test_files_of_tests_exist(item: str, tests: str) -> None:
    for span in SPAN.findall(tests):
        folder = TESTS if "/" in span else Path(__file__).parent
        assert any(folder.glob(span)), (item, span)


def test_the_page_has_its_rows() -> None:
    assert len(rows()) > 40
    assert not exists("nets.NoSuchObject")
