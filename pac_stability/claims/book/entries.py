"""From the entries of a file to claims: what a field may be, and what is missing."""

from __future__ import annotations

import dataclasses
import enum
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from pac_stability.arguments import described
from pac_stability.claims.book.trials_of import TrialsOf
from pac_stability.claims.claim import PAPERS, Claim, Expectation, Kind, Method, Whose
from pac_stability.claims.errata import Correction, Erratum
from pac_stability.errors import InvalidInput

E = TypeVar("E", bound=enum.Enum)
R = TypeVar("R", Erratum, Correction)


def read_paper(paper: str) -> dict[str, Claim]:
    """Return the claims of a paper by key, in the order of its file."""
    file = Path(__file__).parents[2] / "books" / PAPERS[paper] / "statements.toml"
    return read_book(paper, file.read_text(encoding="utf-8"), file.name)


def read_book(paper: str, text: str, file: str) -> dict[str, Claim]:
    """Return the claims of a paper by key.

    Parameters
    ----------
    paper
        Its key, with which all keys begin.
    text
        A file of the book.
    file
        Its name, for messages.

    Raises
    ------
    InvalidInput
        The text is not TOML, has a key twice, or an entry is not what it must be. The message names
        the file, the key and the field.
    """
    try:
        entries = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(file, str(error), "TOML, in which each key stands once") from None
    return {key: _claim(paper, key, entry, file) for key, entry in entries.items()}


def _claim(paper: str, key: str, entry: object, file: str) -> Claim:
    def refused(field: str, given: str, wanted: str) -> InvalidInput:
        return InvalidInput(f"{file}: {key}: {field}", given, wanted)

    if not key.startswith(f"{paper}:"):
        raise InvalidInput(file, repr(key), f"a key of {paper}")
    if not isinstance(entry, dict):
        raise InvalidInput(f"{file}: {key}", described(entry), "a table of fields")
    unknown = [name for name in entry if name not in _FIELDS]
    if unknown:
        raise refused(unknown[0], described(entry[unknown[0]]), f"a field: {', '.join(_FIELDS)}")
    missing = [name for name in _REQUIRED if name not in entry]
    if missing:
        raise refused(missing[0], "nothing", _FIELDS[missing[0]].wanted)
    found = {}
    for name, given in entry.items():
        field = _FIELDS[name]
        value = field.read(given)
        if value is None:
            raise refused(name, described(given), field.wanted)
        found[name] = value
    if "trials" in found:
        module = f"pac_stability.books.{PAPERS[paper]}.{found['trials']}"
        found["trials"] = TrialsOf(key, module, found.get("expectation", Expectation.HOLDS))
    elif found.get("method") not in (Method.ASYMPTOTIC, Method.OPEN) or "note" not in found:
        raise refused(
            "trials",
            "nothing",
            "the module where they stand, or a method that says why there are none "
            f"({Method.ASYMPTOTIC.value}, {Method.OPEN.value}) and a note",
        )
    try:
        return Claim(key=key, **found)
    except InvalidInput as error:
        raise refused(error.argument, error.given, error.wanted) from None


class _Field:
    """How a field is read; what is not what is wanted gives ``None``."""

    def __init__(self, read: Callable[[object], Any], wanted: str) -> None:
        self.read, self.wanted = read, wanted


def _prose(given: object) -> str | None:
    """Return a text in one line."""
    return " ".join(given.split()) or None if isinstance(given, str) else None


def _one_of(kind: type[E]) -> _Field:
    known = {each.value: each for each in kind}

    def read(given: object) -> E | None:
        return known.get(given) if isinstance(given, str) else None

    return _Field(read, f"one of {', '.join(known)}")


def _texts(given: object) -> tuple[str, ...] | None:
    if not isinstance(given, list) or not given or len(set(map(str, given))) < len(given):
        return None
    return tuple(given) if all(isinstance(text, str) and text for text in given) else None


def _theorems(given: object) -> tuple[str, ...] | None:
    found = _texts(given)
    return found if all(re.fullmatch(r"[A-Z]\w*\.\w+", one) for one in found or ()) else None


def _row(kind: type[R]) -> Callable[[object], R | None]:
    """Read a table that has the fields of a kind of row, each a text."""
    names = {each.name for each in dataclasses.fields(kind)}

    def read(given: object) -> R | None:
        if not isinstance(given, dict) or given.keys() != names:
            return None
        texts = {name: _prose(text) or "" for name, text in given.items()}
        return kind(**texts) if all(texts.values()) else None

    return read


def _corrections(given: object) -> tuple[Correction, ...] | None:
    if not isinstance(given, list) or not given:
        return None
    rows = tuple(map(_row(Correction), given))
    return None if None in rows else cast("tuple[Correction, ...]", rows)


_TEXT = _Field(_prose, "a text")
_FIELDS: Mapping[str, _Field] = {
    "kind": _one_of(Kind),
    "title": _TEXT,
    "statement": _TEXT,
    "latex": _TEXT,
    "whose": _one_of(Whose),
    "where": _TEXT,
    "version": _TEXT,
    "method": _one_of(Method),
    "expectation": _one_of(Expectation),
    "code": _Field(_texts, "different names below pac_stability"),
    "uses": _Field(_texts, "different keys of claims"),
    "repaired_by": _Field(_prose, "the key of a claim"),
    "explicit": _Field(_prose, "the key of a claim"),
    "note": _TEXT,
    "rocq": _Field(_theorems, "different theorems of the theories, as FILE.THEOREM"),
    "erratum": _Field(_row(Erratum), "a table of section, literally, instead, changes"),
    "corrections": _Field(_corrections, "tables of where, printed, meant"),
    "trials": _Field(_prose, "the module where they stand"),
}
_REQUIRED: Iterable[str] = ("kind", "title", "statement", "whose", "code")
