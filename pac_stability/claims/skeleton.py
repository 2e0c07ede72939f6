"""The skeleton of a book: a folder that installs, with one statement and its trial."""

from __future__ import annotations

import os
from pathlib import Path

from pac_stability.claims.claim import KEY
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text

_FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{package}"
version = "0.1"
requires-python = ">=3.11"
dependencies = ["pac_stability"]

[project.entry-points."pac_stability.books"]
{key} = "{package}"

[tool.setuptools]
packages = ["{package}"]

[tool.setuptools.package-data]
{package} = ["*.toml"]
""",
    "{package}/__init__.py": '"""The statements of a paper, and the trials that examine them."""\n',
    "{package}/statements.toml": '''\
[book]
key = "{key}"
title = "The title of the paper"
authors = "Its authors"
version = "The version whose numbers these are"

# What the paper numbers, section by section.
[book.sections]
"Section 1" = "lemma 1"

["{key}:lemma-1"]
kind = "lemma"
title = "Squares grow"
statement = """
For all integers n, n^2 >= n.
"""
whose = "printed"
code = ["{package}.trials.square"]
trials = "trials"
''',
    "{package}/trials.py": '''\
"""The trials: each question stands above those that ask it."""

from collections.abc import Callable

from pac_stability.claims.kit import Budget, Comparison, Table, reaches, universe

TRIALS = Table("{key}")


def square(n: int) -> int:
    """Return what the statement is about; objects of pac_stability can stand here as well."""
    return n * n


def _root(n: int) -> int:
    """Return something wrong, which the question must notice."""
    return n - 1


@universe("integers from -2 on")
def _integers(budget: Budget) -> range:
    return range(-2, budget.pick(10, 100, 1000))


def _grows(power: Callable[[int], int], n: int) -> Comparison:
    return reaches(power(n), n)


TRIALS.add("lemma-1", "integers", _grows, _integers, square, _root)
''',
}


def write_skeleton(key: str, folder: str | os.PathLike[str] | None = None) -> Path:
    """Write a folder that ``pip install`` takes, and ``verify`` finds then.

    Parameters
    ----------
    key
        Of the book: capital letters and two digits.
    folder
        Where; it must not be there yet. By default it is named by the key, here.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InvalidInput
        It is no such key, or the folder is there.
    """
    if KEY.fullmatch(f"{key}:a") is None:
        raise InvalidInput("key", repr(key), "capital letters and two digits, such as XYZ26")
    package = f"book_{key.lower()}"
    place = Path(package if folder is None else folder)
    if os.path.lexists(place):
        raise InvalidInput("folder", str(place), "one that is not there yet")
    (place / package).mkdir(parents=True)
    for name, text in _FILES.items():
        filled = text.replace("{key}", key).replace("{package}", package)
        write_text(place / name.replace("{package}", package), filled)
    return place
