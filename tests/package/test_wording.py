"""Docstrings list the parameters that there are, and what a user reads keeps to the style."""

import argparse
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType

import pytest

import pac_stability
from pac_stability.cli.app import build_parser


def described() -> Iterator[Callable[..., object]]:
    """Functions, classes and methods of the library whose docstring lists parameters."""
    for found in pkgutil.walk_packages(pac_stability.__path__, "pac_stability."):
        if found.name.endswith("__main__") or ".plots" in found.name or "._core" in found.name:
            continue
        for one in vars(importlib.import_module(found.name)).values():
            if getattr(one, "__module__", None) != found.name:
                continue
            members = [*vars(one).values()] if inspect.isclass(one) else []
            for each in (one, *members):
                function = getattr(each, "__func__", each)
                here = getattr(function, "__module__", None) == found.name
                if here and (inspect.isfunction(function) or inspect.isclass(function)):
                    yield function


def listed(docstring: str, title: str = "Parameters") -> list[str]:
    lines = inspect.cleandoc(docstring).split("\n")
    if title not in lines:
        return []
    rest = lines[lines.index(title) + 2 :]
    until = next((i for i, line in enumerate(rest) if line and set(line) == {"-"}), len(rest) + 1)
    named = [line for line in rest[: until - 1] if line[:1].strip()]
    return [name.lstrip("*") for line in named for name in line.split(" : ")[0].split(", ")]


def test_docstrings_list_the_parameters_that_there_are() -> None:
    wrong = []
    for one in described():
        names = listed(one.__doc__ or "")
        if not names:
            continue
        parameters = inspect.signature(one).parameters
        known = set(names) | set(listed(one.__doc__ or "", "Attributes")) | {"self", "cls"}
        missing = {name for name in parameters if name[0] != "_"} - known
        if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
            missing, names = set(), []  # those of a dictionary are listed one by one
        if missing or set(names) - set(parameters):
            wrong.append((one.__module__, one.__qualname__, names, missing))
    assert not wrong, wrong


def test_every_public_method_says_what_it_does() -> None:
    """In words of its own, or in those of what it overrides: ``help`` shows them."""
    examined, silent = 0, []
    for found in pkgutil.walk_packages(pac_stability.__path__, "pac_stability."):
        if found.name.endswith("__main__") or ".plots" in found.name or "._core" in found.name:
            continue
        for owner in vars(importlib.import_module(found.name)).values():
            if not inspect.isclass(owner) or owner.__module__ != found.name:
                continue
            for name, member in vars(owner).items():
                function = getattr(member, "fget", None) or getattr(member, "__func__", member)
                if not isinstance(function, FunctionType):
                    continue
                # Visitors of ast say by their names what they visit; aliases are magic methods.
                names = (owner.__name__, name, function.__name__)
                if not any(each.startswith(("_", "visit_")) for each in names):
                    examined += 1
                    if not inspect.getdoc(getattr(owner, name)):
                        silent.append(f"{found.name}.{owner.__qualname__}.{name}")
    assert examined > 1000
    assert silent == []


def shown() -> Iterator[tuple[str, Callable[..., object]]]:
    """The functions that the rooms show."""
    for found in pkgutil.walk_packages(pac_stability.__path__, "pac_stability."):
        if not found.ispkg or "._core" in found.name or ".books" in found.name:
            continue
        room = importlib.import_module(found.name)
        for name in getattr(room, "__all__", [*vars(room)]):
            one = getattr(room, name)
            if name[0] != "_" and inspect.isfunction(one):
                yield f"{found.name}.{name}", one


def test_every_function_of_a_room_says_what_its_parameters_are() -> None:
    functions = dict(shown())
    assert len(functions) > 200
    silent = [
        name
        for name, one in functions.items()
        if one.__module__.startswith("pac_stability") and inspect.signature(one).parameters
        if not listed(one.__doc__ or "")
    ]
    assert silent == []


ROOT = Path(__file__).parents[2]
STYLE = ROOT / "docs" / "explanation" / "style.md"


def not_used() -> list[str]:
    table = STYLE.read_text("utf-8").partition("## Words that we do not use")[2].split("\n\n")[1]
    return [row.split("|")[1].strip() for row in table.splitlines()[2:]]


def helps(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The help of a command and of all below it."""
    yield parser.format_help()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in set(action.choices.values()):
                yield from helps(command)


def read_by_users() -> Iterator[tuple[str, str]]:
    for text in helps(build_parser()):
        yield text.partition("\n")[0], text
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")):
        if page != STYLE and not {"blueprint", "library"} & {*page.parts}:
            yield page.name, page.read_text("utf-8")
    for name, function in shown():
        yield name, function.__doc__ or ""


@pytest.mark.parametrize("words", not_used())
def test_nobody_reads_words_that_are_listed(words: str) -> None:
    wanted = re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)
    found = [name for name, text in read_by_users() if wanted.search(text)]
    assert not found, f"{words!r} is on the list of {STYLE.name}: {found}"


def test_the_page_has_twenty_pairs_and_a_glossary() -> None:
    text = STYLE.read_text("utf-8")
    pairs = text.partition("## Before and after")[2].split("\n\n")[1].splitlines()[2:]
    assert len(pairs) >= 20
    assert "## Glossary" in text
