"""Reads numbers, texts, files and JSON: each has one meaning, or is refused.

The first functions read numbers as people write them, in decimal. The next read the exact numbers
of certificates. A file has a limited size and must be UTF-8. JSON has every key once and a limited
depth. It holds neither NaN nor text that no file can hold. An error names the line and the column.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Collection
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Never

from pac_stability.errors import InvalidInput

MAX_DIGITS = 4_300
"""Decimal digits, at most, also once an exponent is written out: ``1e999999999`` is a short text.

Reading them takes quadratic time. Python, too, reads and writes no more unless it is told to.
"""

MAX_BITS = 1 << 18
"""Bits of an exact number, at most: its greatest common divisor takes quadratic time."""

_WANTED = "a number such as '1/3', '0.25' or '1e-3'"
# Digits are 0 to 9: int() and Fraction() also take those of other scripts, and underscores.
_SPACE = " \t\r\n"  # str.strip takes more than int() does
_INTEGER = re.compile(r"[+-]?([0-9]++)")
_NUMBER = re.compile(
    r"[+-]?(?:(?P<p>[0-9]++)/(?P<q>[0-9]++)"
    r"|(?P<whole>[0-9]*+)(?:\.(?P<part>[0-9]*+))?(?:[eE](?P<exponent>[+-]?[0-9]++))?)"
)


def integer_from(text: str, name: str, wanted: str = "an integer") -> int:
    """Return the integer that a text gives in decimal; ignore white space around it.

    Parameters
    ----------
    text
        What was written.
    name
        What to call it in a message.
    wanted
        What the message says is wanted.

    Raises
    ------
    InvalidInput
        The text is not an integer in the digits 0 to 9, or it is very long.

    Examples
    --------
    >>> integer_from(" -12", "n")
    -12
    >>> integer_from("1_000", "n")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: n: got '1_000', want an integer
    """
    match = _INTEGER.fullmatch(text.strip(_SPACE))
    if match is None:
        raise InvalidInput(name, _shown(text), wanted)
    _require_short(name, match[1])
    return int(match[0])


def number_from(text: str, name: str, wanted: str = _WANTED) -> Fraction:
    """Return the exact number that a text gives: ``"p/q"``, or a decimal, also with an exponent.

    The function ignores white space around it. Its time is at most quadratic in
    :data:`MAX_DIGITS`, whatever the text.

    Parameters
    ----------
    text
        What was written.
    name
        What to call it in a message.
    wanted
        What the message says is wanted.

    Raises
    ------
    InvalidInput
        The text is not such a number in the digits 0 to 9; or it has more than :data:`MAX_DIGITS`
        digits once its exponent is written out; or its denominator is zero.

    Examples
    --------
    >>> number_from("2/6", "p"), number_from("1e-1", "p")
    (Fraction(1, 3), Fraction(1, 10))
    >>> number_from("1e99999999", "p")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: p: got '1e99999999', want a number of at most 4300 digits
    """
    bare = text.strip(_SPACE)
    match = _NUMBER.fullmatch(bare)
    if match is None:
        raise InvalidInput(name, _shown(text), wanted)
    top, bottom, whole, part, exponent = match.group("p", "q", "whole", "part", "exponent")
    if top is not None:
        _require_short(name, top)
        _require_short(name, bottom)
        if not int(bottom):
            raise InvalidInput(name, _shown(text), wanted)
    else:
        if not (whole or part):
            raise InvalidInput(name, _shown(text), wanted)
        power = (exponent or "0").lstrip("+-").lstrip("0") or "0"
        written = len(whole + (part or "")) + (int(power) if len(power) <= 4 else MAX_DIGITS)
        if written > MAX_DIGITS:
            raise InvalidInput(name, _shown(text), f"a number of at most {MAX_DIGITS} digits")
    return Fraction(bare)


def exact_text(number: Fraction) -> str:
    """Write a rational number as ``"p"`` or ``"p/q"`` in lowest terms.

    Parameters
    ----------
    number
        Any rational number.

    Examples
    --------
    >>> exact_text(Fraction(2, 6)), exact_text(Fraction(3)), exact_text(Fraction(1 << 1024))[:6]
    ('1/3', '3', '0x1000')
    """
    top, bottom = _integer_text(number.numerator), _integer_text(number.denominator)
    return top if bottom == "1" else f"{top}/{bottom}"


def exact_number(value: object, name: str, max_bits: int = MAX_BITS) -> Fraction:
    """Read what :func:`exact_text` writes, and nothing else: each number has exactly one text.

    Parameters
    ----------
    value
        The text.
    name
        What to call it in a message.
    max_bits
        Refuse a numerator or a denominator that is longer.

    Raises
    ------
    InvalidInput
        The value is not such a text, or the number is too long.

    Examples
    --------
    >>> exact_number("1/3", "p")
    Fraction(1, 3)
    >>> exact_number("2/6", "p")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: p: got '2/6', want an exact number "p" or "p/q" in \
lowest terms
    """
    wanted = 'an exact number "p" or "p/q" in lowest terms'
    if not isinstance(value, str):
        raise InvalidInput(name, f"a value of type {type(value).__name__}", wanted)
    top, slash, bottom = value.partition("/")
    longest = -(-max(max_bits, _LONG) // 4) + len("-0x")
    if max(len(top), len(bottom)) > longest:
        given = f"a number of {max(len(top), len(bottom))} digits"
        raise InvalidInput(name, given, f"at most {max_bits} bits")
    if not _EXACT.fullmatch(top) or (slash and not _EXACT.fullmatch(bottom)):
        raise InvalidInput(name, _shown(value), wanted)
    p, q = _integer(top), _integer(bottom) if slash else 1
    if q < 1 or max(p.bit_length(), q.bit_length()) > max(max_bits, _LONG):
        raise InvalidInput(name, _shown(value), wanted)
    number = Fraction(p, q)
    # So that no two readers can see two numbers in it.
    if exact_text(number) != value:
        raise InvalidInput(name, _shown(value), wanted)
    return number


_LONG = 1 << 10  # bits: longer integers are written in base 16, which takes linear time to read
_EXACT = re.compile(r"-?(?:0|[1-9][0-9]{0,308}|0x[1-9a-f][0-9a-f]*+)")


def _integer(text: str) -> int:
    return int(text, 16 if "x" in text else 10)


def _integer_text(number: int) -> str:
    return str(number) if number.bit_length() <= _LONG else hex(number)


def _require_short(name: str, digits: str) -> None:
    if len(digits) > MAX_DIGITS:
        raise InvalidInput(name, f"a number of {len(digits)} digits", f"at most {MAX_DIGITS}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


# Files


def read_bytes(path: str | PathLike[str], max_bytes: int) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    path
        Its name.
    max_bytes
        Refuse a larger file; memory holds no more than this.

    Raises
    ------
    InvalidInput
        The file cannot be read, or is larger; the error's argument is the name of the file.
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
        As for :func:`read_bytes`, or the bytes are not UTF-8; the message says at which byte.
    """
    return text_of(read_bytes(path, max_bytes), str(path))


def text_of(content: bytes, name: str) -> str:
    """Decode bytes as UTF-8; an error names where the bytes came from."""
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
        The file cannot be read, or :func:`parse_json` refuses it; the error's argument is the name
        of the file.
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
        What the message says is wanted.

    Raises
    ------
    InvalidInput
        The text is not JSON, too long, or nested more than :data:`MAX_DEPTH` deep; a key occurs
        twice; a number is infinite, NaN, or has thousands of digits; half of a surrogate pair
        stands alone. The message says where.

    Notes
    -----
    Time and memory are linear in the length of the text. The function ignores a byte order mark at
    its start.

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
    """An error that a hook of the parser found, before its place is known."""

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
    """Return a reader of integers, for when Python's own limit is not low enough."""
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
    """Say where a number first occurs outside of strings: the given one, or any enormous one."""
    if token == "":
        return ""
    for match in _TOKEN.finditer(text):
        found = match[0]
        if found == token or (token is None and len(found) > 640 and not found.startswith('"')):
            line = text.count("\n", 0, match.start()) + 1
            return f" (line {line}, column {match.start() - text.rfind(chr(10), 0, match.start())})"
    return ""


def _require_text(value: object, name: str) -> None:
    """Refuse text with half of a surrogate pair, which no file can hold."""
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
