"""A book: a package with the statements of a paper, found by an entry point.

The package has a file ``statements.toml``. Its table ``book`` describes the paper and its numbered
items. Every other table is a statement, named by the key of its claim: its fields are those of
:class:`pac_stability.claims.Claim`; a text may break its lines anywhere, and ``trials`` names the
module of the package in whose ``TRIALS`` the key stands. That module is imported when the trials
are first used.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import importlib
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from pac_stability.arguments import described
from pac_stability.claims import claim
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text

if TYPE_CHECKING:
    from pac_stability.claims.kit import Trial

GROUP = "pac_stability.books"
"""The group of entry points; the name of one is the key of its book, its value the package."""

E = TypeVar("E", bound=enum.Enum)
R = TypeVar("R", claim.Erratum, claim.Correction)


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered item of a paper.

    Attributes
    ----------
    kind, number
        Its name in the paper: Lemma 12.
    section
        Where it stands.
    """

    kind: str
    number: int
    section: str

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} {self.number}"


@dataclass(frozen=True)
class Book:
    """The contents of a file of statements, its paper and its claims; made by :func:`read_book`.

    Attributes
    ----------
    package
        The full name of the package.
    key
        The prefix of the keys of its claims.
    title, authors
        Of the paper.
    version
        The version of the numbers and sections of the claims, unless they name another.
    items
        The numbered items of the paper, in order, without figures, algorithms and equations.
    named
        A regular expression for the ways to write the authors, in lower case.
    order
        The order in lists, smallest first.
    rules
        The module of the package whose ``RULES`` are implications of the paper, if there is one.
    claims
        By key, in the order of the file.
    """

    package: str
    key: str
    title: str
    authors: str
    version: str
    items: tuple[Item, ...]
    named: str
    order: int
    rules: str | None
    claims: Mapping[str, claim.Claim]

    @property
    def name(self) -> str:
        """The last part of the name of the package."""
        return self.package.rpartition(".")[2]

    @cached_property
    def digest(self) -> str:
        """A digest of the files of the package."""
        digest = hashlib.sha256()
        root = _folder(self.package)
        for path in sorted(root.rglob("*")):
            if path.suffix in (".py", ".toml", ".json"):
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()


@cache
def books() -> Mapping[str, Book]:
    """Return the installed books, by key, in their order.

    Raises
    ------
    InvalidInput
        There is none, or one cannot be read; the message names its package.

    Examples
    --------
    >>> list(books())[:3]
    ['DF20', 'BLM20', 'CLNRW16']
    """
    packages = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    if not packages:
        raise InvalidInput("books", "none", f"an installed package with an entry point {GROUP}")
    found = []
    for key, package in packages.items():
        try:
            file = _folder(package) / "statements.toml"
            book = read_book(package, file.read_text(encoding="utf-8"), str(file))
        except (ImportError, OSError) as error:
            raise InvalidInput(f"book {package}", str(error), "a package with statements") from None
        if book.key != key:
            raise InvalidInput(f"book {package}", f"the key {book.key}", f"{key}, as it is entered")
        found.append(book)
    found.sort(key=lambda book: (book.order, book.key))
    return MappingProxyType({book.key: book for book in found})


def _folder(package: str) -> Path:
    return Path(importlib.import_module(package).__path__[0])


def read_book(package: str, text: str, file: str) -> Book:
    """Return a book.

    Parameters
    ----------
    package
        The full name of the package that has the trials.
    text
        A file of statements.
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
    head = _read(entries.pop("book", None), "book", _HEAD, ("key", "title", "version"), file)
    items = tuple(
        Item(kind, int(number), section)
        for section, row in head.get("sections", {}).items()
        for kind, number in (each.split() for each in row)
    )
    book = Book(
        package,
        head["key"],
        head["title"],
        head.get("authors", ""),
        head["version"],
        items,
        head.get("named", "(?!)"),
        head.get("order", 100),
        head.get("rules"),
        {},
    )
    claims = {key: _claim(book, key, entry, file) for key, entry in entries.items()}
    return dataclasses.replace(book, claims=MappingProxyType(claims))


def _claim(book: Book, key: str, entry: object, file: str) -> claim.Claim:
    if not key.startswith(f"{book.key}:"):
        raise InvalidInput(file, repr(key), f"a key of {book.key}")
    found: dict[str, Any] = {"code": ()} | _read(entry, key, _FIELDS, _REQUIRED, file)
    if not found["code"] and "see" not in found:
        raise InvalidInput(f"{file}: {key}: code", "nothing", _FIELDS["code"].wanted)
    if "trials" in found:
        module = f"{book.package}.{found['trials']}"
        known = found.get("expectation", claim.Expectation.HOLDS)
        found["trials"] = TrialsOf(key, module, known, found.get("basis"))
    elif (
        found.get("method") not in (claim.Method.ASYMPTOTIC, claim.Method.OPEN)
        or "note" not in found
    ):
        raise InvalidInput(
            f"{file}: {key}: trials",
            "nothing",
            "the module where they stand, or a method that says why there are none "
            f"({claim.Method.ASYMPTOTIC.value}, {claim.Method.OPEN.value}) and a note",
        )
    name = key.partition(":")[2].partition(".")[0]
    sections = {str(item).lower().replace(" ", "-"): item.section for item in book.items}
    try:
        return claim.Claim(
            key=key, **{"version": book.version, "where": sections.get(name, "")} | found
        )
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {key}: {error.argument}", error.given, error.wanted) from None


# A new one

_SKELETON = Path(__file__).parent / "assets" / "book.toml"


def write_skeleton(key: str, folder: str | os.PathLike[str] | None = None) -> Path:
    """Write a folder for ``pip install``, after which ``verify`` finds the book.

    Parameters
    ----------
    key
        The key of the book: capital letters and two digits.
    folder
        The new folder, which must not exist yet; by default named by the key, in the current
        folder.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InvalidInput
        It is not such a key, or the folder exists.
    """
    if claim.KEY.fullmatch(f"{key}:a") is None:
        raise InvalidInput("key", repr(key), "capital letters and two digits, such as XYZ26")
    package = f"book_{key.lower()}"
    place = Path(package if folder is None else folder)
    if os.path.lexists(place):
        raise InvalidInput("folder", str(place), "one that is not there yet")
    (place / package).mkdir(parents=True)
    files = tomllib.loads(_SKELETON.read_text(encoding="utf-8"))
    for name, text in files.items():
        filled = text.replace("KEY", key).replace("PACKAGE", package)
        write_text(place / name.replace("PACKAGE", package), filled)
    return place


# Fields


class _Field:
    """How a field is read; what is not what is wanted gives ``None``."""

    def __init__(self, read: Callable[[object], Any], wanted: str) -> None:
        self.read, self.wanted = read, wanted


def _read(
    entry: object, key: str, fields: Mapping[str, _Field], required: Iterable[str], file: str
) -> dict[str, Any]:
    """Return the fields of a table."""
    if not isinstance(entry, dict):
        raise InvalidInput(f"{file}: {key}", described(entry), "a table of fields")
    for name in [*(name for name in entry if name not in fields), *required]:
        if name not in fields or name not in entry:
            given = described(entry[name]) if name in entry else "nothing"
            wanted = fields[name].wanted if name in fields else f"a field: {', '.join(fields)}"
            raise InvalidInput(f"{file}: {key}: {name}", given, wanted)
    found = {name: fields[name].read(given) for name, given in entry.items()}
    for name, value in found.items():
        if value is None:
            wanted = fields[name].wanted
            raise InvalidInput(f"{file}: {key}: {name}", described(entry[name]), wanted)
    return found


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


def _corrections(given: object) -> tuple[claim.Correction, ...] | None:
    if not isinstance(given, list) or not given:
        return None
    rows = tuple(map(_row(claim.Correction), given))
    return None if None in rows else cast("tuple[claim.Correction, ...]", rows)


def _sections(given: object) -> dict[str, list[str]] | None:
    """Read for each section what is numbered there: ``"theorem 1, corollary 2"``."""
    if not isinstance(given, dict) or not all(isinstance(row, str) for row in given.values()):
        return None
    rows = {section: row.split(", ") for section, row in given.items()}
    item = re.compile(rf"({'|'.join(kind.value for kind in claim.Kind)}) [0-9]+")
    return rows if all(item.fullmatch(each) for row in rows.values() for each in row) else None


def _expression(given: object) -> str | None:
    try:
        return re.compile(given).pattern if isinstance(given, str) and given else None
    except re.error:
        return None


_TEXT = _Field(_prose, "a text")
_HEAD: Mapping[str, _Field] = {
    "key": _Field(
        lambda given: (
            given if isinstance(given, str) and claim.KEY.fullmatch(f"{given}:a") else None
        ),
        "capital letters and two digits",
    ),
    "title": _TEXT,
    "authors": _TEXT,
    "version": _TEXT,
    "named": _Field(_expression, "a regular expression"),
    "order": _Field(lambda given: given if type(given) is int else None, "an integer"),
    "rules": _Field(_prose, "the module where they stand"),
    "sections": _Field(_sections, "for each section its items, as 'theorem 1, corollary 2'"),
}
_FIELDS: Mapping[str, _Field] = {
    "kind": _one_of(claim.Kind),
    "title": _TEXT,
    "statement": _TEXT,
    "latex": _TEXT,
    "whose": _one_of(claim.Whose),
    "where": _TEXT,
    "version": _TEXT,
    "method": _one_of(claim.Method),
    "expectation": _one_of(claim.Expectation),
    "code": _Field(_texts, "different names below pac_stability"),
    "see": _Field(_texts, "different names below pac_stability"),
    "uses": _Field(_texts, "different keys of claims"),
    "repaired_by": _Field(_prose, "the key of a claim"),
    "explicit": _Field(_prose, "the key of a claim"),
    "note": _TEXT,
    "basis": _one_of(claim.Basis),
    "rocq": _Field(_theorems, "different theorems of the theories, as FILE.THEOREM"),
    "erratum": _Field(_row(claim.Erratum), "a table of section, literally, instead, changes"),
    "corrections": _Field(_corrections, "tables of where, printed, meant"),
    "trials": _Field(_prose, "the module where they stand"),
}
_REQUIRED: Iterable[str] = ("kind", "title", "statement", "whose")


# Trials


class TrialsOf(Sequence["Trial"]):
    """The trials of a claim, in a module that is imported on first use.

    Their existence is declared before, and checked then.

    Parameters
    ----------
    key
        The claim.
    module
        The full name of the module, which has a mapping ``TRIALS``.
    expectation, basis
        Those of the claim.
    """

    def __init__(
        self, key: str, module: str, expectation: claim.Expectation, basis: claim.Basis | None
    ) -> None:
        self._key, self._module, self._expectation = key, module, expectation
        self._basis = basis
        self._found: tuple[Trial, ...] = ()

    @property
    def module(self) -> str:
        """The full name of the module."""
        return self._module

    def _all(self) -> tuple[Trial, ...]:
        if not self._found:
            try:
                known = importlib.import_module(self._module).TRIALS
            except ModuleNotFoundError as error:
                if error.name != self._module:
                    raise
                raise self._refused(f"no module {self._module}") from None
            if not known.get(self._key):
                raise self._refused(f"none in {self._module}")
            claim.require_trials(self._key, self._expectation, known[self._key], self._basis)
            self._found = known[self._key]
        return self._found

    def _refused(self, given: str) -> InvalidInput:
        return InvalidInput(f"{self._key}: trials", given, "a module whose TRIALS have the key")

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Trial: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Trial]: ...
    def __getitem__(self, index: int | slice) -> Trial | Sequence[Trial]:
        return self._all()[index]
