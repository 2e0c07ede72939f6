"""The page from the paper to the code names objects and files of tests that exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
PAGE = TESTS.parent / "docs" / "reference" / "dagan-feldman.md"
ROOMS = ("pac_stability.papers.dagan_feldman", "pac_stability")


def rows() -> list[tuple[str, str, str]]:
    """The cells of the tables: item, object, tests."""
    lines = (line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "| ")
    cells = (tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in lines)
    found = [(row[0], row[1], row[2]) for row in cells if len(row) == 3]
    return [row for row in found if row[0] != "item" and set(row[0]) != {"-"}]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def find(name: str) -> object:
    """The object of a dotted name, whose modules are in the paper's package or in the library."""
    parts = name.split(".")
    for room in ROOMS:
        for length in range(len(parts) - 1, 0, -1):
            try:
                found: object = importlib.import_module(".".join([room, *parts[:length]]))
            except ModuleNotFoundError:
                continue
            for part in parts[length:]:
                found = getattr(found, part)
            return found
    raise LookupError(name)


def test_there_are_rows() -> None:
    assert len(rows()) > 40


@pytest.mark.parametrize("row", rows(), ids=lambda row: re.sub(r"\W+", "-", row[0]))
def test_what_a_row_names_exists(row: tuple[str, str, str]) -> None:
    _, objects, tests = row
    names = named(objects)
    assert names
    owner: object = None
    for name in names:
        if name.startswith("."):  # another member of the class of the object before
            assert hasattr(owner, name[1:]), name
            continue
        found = find(name)
        path = name.rsplit(".", 1)[0]
        owner = find(path) if path.rsplit(".", 1)[-1][:1].isupper() else found
    for pattern in named(tests):
        folder = TESTS if "/" in pattern else Path(__file__).parent
        assert list(folder.glob(pattern.rstrip("/"))), pattern
    # Or it refers to another row.
    assert named(tests) or tests in {"the same", "the files of these"}
