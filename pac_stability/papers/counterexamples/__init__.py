"""Counterexamples as data: files named by paper and item, each checked by the checker alone.

``pac-stability recheck FILE`` recomputes the content of a file and shares no code with the rest of
the library. The tests, the claims and the pages read these files; nothing repeats them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pac_stability.checker import require_unaltered
from pac_stability.errors import InvalidInput
from pac_stability.reading import read_json

FOLDER = Path(__file__).parent
"""Where the files are: ``BLM20/lemma-12.pairs.json``."""


def names() -> tuple[str, ...]:
    """Return all names: paper, item, and a suffix if an item has several.

    Examples
    --------
    >>> [name for name in names() if name.startswith("DF20:section-1")]
    ['DF20:section-1.1.lines']
    """
    found = sorted(FOLDER.glob("*/*.json"))
    return tuple(f"{file.parent.name}:{file.name.removesuffix('.json')}" for file in found)


def read(name: str) -> Mapping[str, object]:
    """Return a counterexample as its file has it.

    Parameters
    ----------
    name
        Its name, such as that of the trial that it refutes.

    Raises
    ------
    InvalidInput
        There is none with that name, or its file was altered; the message names the file.

    Examples
    --------
    >>> read("DF20:lemma-4.source")["table"]
    ['10', '01']
    """
    if name not in names():
        raise InvalidInput("counterexample", repr(name), f"one of {', '.join(names())}")
    paper, _, item = name.partition(":")
    file = FOLDER / paper / f"{item}.json"
    document = read_json(file)
    if not isinstance(document, dict):
        raise InvalidInput(str(file), "no object", "a counterexample")
    try:
        require_unaltered(document)
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error.argument}", error.given, error.wanted) from None
    return document
