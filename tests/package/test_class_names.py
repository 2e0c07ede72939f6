"""A word means one thing: no two classes of the library have one name, but for those listed.

The instances of a book's questions are its own: they stand below the question, and nobody sees
them elsewhere.
"""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pac_stability

PACKAGE = Path(pac_stability.__file__).parent

TWICE = {"Answers": "the checker shares no code with audits, and says the words of certificates"}
"""Names that stand twice, and why."""


@cache
def places() -> dict[str, list[str]]:
    """Where each class is defined."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted(set(PACKAGE.rglob("*.py")) - set(PACKAGE.glob("books/**/*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{file.relative_to(PACKAGE).as_posix()}:{node.lineno}")
    return found


def test_no_two_classes_have_one_name() -> None:
    twice = {name: where for name, where in places().items() if len(where) > 1}
    assert {name: where for name, where in twice.items() if name not in TWICE} == {}


def test_what_is_listed_is_there() -> None:
    found = places()
    assert [name for name in TWICE if len(found[name]) < 2] == []
