"""The bytes of a file, its text, and JSON that somebody else wrote.

JSON has one meaning here, and bounded depth and size, or it is refused.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Collection
from os import PathLike
from pathlib import Path
from typing import Never

from pac_stability.errors import InvalidInput
from pac_stability.reading.numbers import MAX_DIGITS


def read_bytes(path: str | PathLike[str], max_bytes: int) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    path
        Its name.
    max_bytes
        Refuse a larger file; no more than this is held in memory.

    Raises
    ------
    InvalidInput
        The file cannot be read, or is larger; the argument is its name.
    """
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except OSError as problem:
        raise InvalidInput(str(path), reason(problem), "a file that can be read") from None
    except ValueError:  # a null character in the name
        raise InvalidInput(repr(str(path)), "no file name", "a file that can be read") from None
    if len(content) > max_bytes:
        raise InvalidInput(str(path), "a larger file", f"at most {max_bytes} bytes")
    return content


def read_text(path: str | PathLike[str], max_bytes: int) -> str:
    """Return the content of a file in UTF-8, without a byte order mark at its start.

    Parameters
    ----------
    path
        The name of the file.
    max_bytes
        Refuse a larger file.

    Raises
    ------
    InvalidInput
        As for :func:`read_bytes`, or the bytes are no text; the message says at which byte.
    """
    return text_of(read_bytes(path, max_bytes), str(path))


def text_of(content: bytes, name: str) -> str:
    """Return the text of bytes in UTF-8, or refuse them under the name of where they came from."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        given = f"bytes that are no UTF-8 text (at byte {problem.start})"
        raise InvalidInput(name, given, "UTF-8 text") from None


def reason(problem: OSError) -> str:
    """Say in a few words why a file could not be opened or written."""
    if isinstance(problem, IsADirectoryError):
        return "a directory"
    return (problem.strerror or type(problem).__name__).lower()


# JSON

MAX_BYTES = 1 << 24
"""Largest document that is read unless another limit is given: 16 MiB."""

MAX_DEPTH = 64
"""How deeply lists and objects may be nested."""

_DOCUMENT = "a JSON document"
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[^\s",:\[\]{}]++')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(
    path: str | PathLike[str], *, max_bytes: int = MAX_BYTES, wanted: str = _DOCUMENT
) -> object:
    """Return the JSON value in a file; see :func:`parse_json`.

    Parameters
    ----------
    path
        The name of the file.
    max_bytes
        Refuse a larger file.
    wanted
        What the message says is wanted.

    Raises
    ------
    InvalidInput
        The file cannot be read, or :func:`parse_json` refuses it; the argument is its name.
    """
    return parse_json(read_bytes(path, max_bytes), str(path), max_bytes=max_bytes, wanted=wanted)


def parse_json(
    content: str | bytes, name: str, *, max_bytes: int = MAX_BYTES, wanted: str = _DOCUMENT
) -> object:
    """Return the JSON value of a text.

    Parameters
    ----------
    content
        UTF-8 bytes, or text.
    name
        What to call it in a message.
    max_bytes
        Refuse a longer one.
    wanted
        What would have been accepted, for messages.

    Raises
    ------
    InvalidInput
        The text is no JSON, too long, or nested more than :data:`MAX_DEPTH` deep; a key is given
        twice; a number is infinite, no number, or has thousands of digits; half of a surrogate pair
        stands alone. The message says where.

    Notes
    -----
    Time and memory are linear in the length of the text. A byte order mark at its start does not
    count.

    Examples
    --------
    >>> parse_json('{"n": 2}', "it")
    {'n': 2}
    >>> parse_json('{"n": 2, "n": 3}', "it")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: it: got the key 'n' twice, want a JSON document
    >>> parse_json('[0, NaN]', "it")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: it: got NaN (line 1, column 5), want JSON without NaN and \
Infinity
    """
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if len(data) > max_bytes:
        raise InvalidInput(name, f"more than {max_bytes} bytes", "less, or a larger max_bytes")
    text = text_of(data, name)
    try:
        value: object = json.loads(
            text,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_integers(),
            object_pairs_hook=_distinct,
        )
    except _RefusedError as problem:
        given = problem.given + _place(text, problem.token)
        raise InvalidInput(name, given, problem.wanted or wanted) from None
    except json.JSONDecodeError as problem:
        where = f"no JSON (line {problem.lineno}, column {problem.colno}: {problem.msg})"
        raise InvalidInput(name, where, f"{wanted} (is it truncated?)") from None
    except RecursionError:
        raise InvalidInput(name, "lists nested too deeply", f"at most {MAX_DEPTH} levels") from None
    except ValueError:  # Python refuses to read integers of thousands of digits
        long = f"an enormous integer{_place(text, None)}"
        raise InvalidInput(name, long, f"at most {MAX_DIGITS} digits") from None
    require_shallow(value, name)
    if _SURROGATE.search(text):
        _require_text(value, name)
    return value


def require_shallow(value: object, name: str) -> None:
    """Refuse a value nested more than :data:`MAX_DEPTH` deep (or in itself), without recursion.

    Parameters
    ----------
    value
        A JSON value, or anything like it.
    name
        What to call it in a message.
    """
    level = [value]
    for _ in range(MAX_DEPTH):
        deeper: list[object] = []
        for outer in level:
            # A row of a million numbers is passed over without a step of Python for each.
            if not _FLAT.issuperset(map(type, _entries(outer))):
                deeper += [entry for entry in _entries(outer) if isinstance(entry, list | dict)]
        level = deeper
        if not level:
            return
    raise InvalidInput(name, "lists nested too deeply", f"at most {MAX_DEPTH} levels")


_FLAT = frozenset({int, float, str, bool, type(None)})


def _entries(value: object) -> Collection[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


class _RefusedError(Exception):
    """What a hook of the parser has found, before it is known where."""

    def __init__(self, given: str, wanted: str, token: str) -> None:
        super().__init__()
        self.given = given
        self.wanted = wanted
        self.token = token


def _no_number(text: str) -> Never:
    raise _RefusedError(text, "JSON without NaN and Infinity", text)


def _finite(text: str) -> float:
    number = float(text) if len(text) <= MAX_DIGITS else math.inf
    if math.isinf(number):
        given = text if len(text) <= 40 else f"{text[:37]}..."
        raise _RefusedError(given, "a JSON number that a double holds", text)
    return number


def _integers() -> Callable[[str], int] | None:
    """Return a reader of integers where Python's own has no limit that is low enough."""
    return None if 0 < sys.get_int_max_str_digits() <= MAX_DIGITS else _short_integer


def _short_integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _RefusedError("an enormous integer", f"at most {MAX_DIGITS} digits", text)
    return int(text)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value: dict[str, object] = {}
    for key, entry in pairs:
        if key in value:
            raise _RefusedError(f"the key {key[:40]!r} twice", "", "")
        value[key] = entry
    return value


def _place(text: str, token: str | None) -> str:
    """Say where a number first stands outside of strings: this one, or any that is enormous."""
    if token == "":
        return ""
    for match in _TOKEN.finditer(text):
        found = match[0]
        if found == token or (token is None and len(found) > 640 and not found.startswith('"')):
            line = text.count("\n", 0, match.start()) + 1
            return f" (line {line}, column {match.start() - text.rfind(chr(10), 0, match.start())})"
    return ""


def _require_text(value: object, name: str) -> None:
    """Refuse text with half of a surrogate pair: no file could be written with it."""
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        place, entry = waiting.pop()
        if isinstance(entry, dict):
            for key, inner in entry.items():
                waiting += [(place, key), (f"{place}.{key[:40]}", inner)]
        elif isinstance(entry, list):
            waiting += [(f"{place}[{index}]", inner) for index, inner in enumerate(entry)]
        elif isinstance(entry, str):
            try:
                entry.encode()
            except UnicodeEncodeError:
                where = ascii(place.removeprefix("."))[1:-1]
                given = f"half of a surrogate pair, in {entry[:40]!a}"
                raise InvalidInput(
                    name, given + (f" at {where}" if where else ""), "text"
                ) from None
