"""The tests draw with the library's strategies, and say what they share once."""

import ast
from copy import deepcopy
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]

# A composite strategy is a generator of one's own, with shrinking of its own. The strategies of
# the library and of tests/shared are there to be used; these files draw what neither has.
OWN = {
    "compression/test_session_files.py": "records of sessions, kept and answered, for the writer",
    "core/test_stump_answers_core.py": "few values, and a learner that was prepared for them",
    "data/test_finite_distribution.py": "mappings with zeros, as the constructor is given them",
    "data/test_tape.py": "questions that no useful program asks: one answer, weights of 0, 3/4",
    "notions/test_exact_lp.py": "linear programs, and when the solver is stopped",
    "papers/cummings_et_al/test_clnrw_composition_failure.py": "sets that the paper's keys hide",
}

# Helpers of more lines than a name and one statement, docstrings aside, are written once.
LINES = 2
Place = tuple[str, str]


@cache
def trees() -> dict[str, ast.Module]:
    files = sorted(TESTS.rglob("*.py"))
    return {
        path.relative_to(TESTS).as_posix(): ast.parse(path.read_text("utf-8")) for path in files
    }


def is_composite(node: ast.AST) -> bool:
    named = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
    return named == "composite"


def test_composite_strategies_are_those_that_have_a_reason() -> None:
    found = {file for file, tree in trees().items() if any(map(is_composite, ast.walk(tree)))}
    assert found == set(OWN)


def body_of(node: ast.FunctionDef | ast.ClassDef) -> list[ast.stmt]:
    """The statements without the docstring."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return node.body[1:] if documented else node.body


def written(node: ast.FunctionDef | ast.ClassDef) -> str:
    """What a helper does, whatever it is called and however it is annotated."""
    copy = deepcopy(node)
    arguments: list[str] = []
    for part in ast.walk(copy):
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            part.body = body_of(part) or [ast.Pass()]
        if isinstance(part, ast.FunctionDef):
            part.returns = None
        if isinstance(part, ast.arg):
            part.annotation = None
            arguments.append(part.arg)
    for part in ast.walk(copy):
        if isinstance(part, ast.arg) and part.arg in arguments:
            part.arg = f"_{arguments.index(part.arg)}"
        if isinstance(part, ast.Name) and part.id in arguments:
            part.id = f"_{arguments.index(part.id)}"
    copy.name = "_"
    return ast.unparse(copy)


def test_helpers_are_written_once() -> None:
    places: dict[str, list[Place]] = {}
    for file, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and "test_" not in node.name:
                text = written(node)
                if len(text.splitlines()) > LINES:
                    places.setdefault(text, []).append((file, node.name))
    twice = [found for found in places.values() if len({file for file, _ in found}) > 1]
    assert not twice, f"to tests/shared: {twice}"
