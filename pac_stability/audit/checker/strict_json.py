"""Reading JSON that somebody else wrote: one meaning, bounded size, or refused.

Nothing here knows what a certificate is. The recheck stands on this file alone, so it imports
nothing that takes part in a search.
"""

from __future__ import annotations

import json
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Never

from pac_stability.errors import InvalidInput

MAX_BYTES = 1 << 24
"""Largest document that is read unless another limit is given: 16 MiB."""

MAX_DEPTH = 64

_WANTED = "a JSON document"


def read_file(path: str | PathLike[str], max_bytes: int = MAX_BYTES) -> object:
    """Read a JSON file; see :func:`parse`."""
    name = str(path)
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except OSError as problem:
        reason = (problem.strerror or type(problem).__name__).lower()
        raise InvalidInput(name, reason, "a file that can be read") from None
    except ValueError:  # a null character in the name
        raise InvalidInput(repr(name), "no file name", "a file that can be read") from None
    return parse(content, name, max_bytes)


def parse(content: str | bytes, name: str, max_bytes: int = MAX_BYTES) -> object:
    """Return the JSON value of a text.

    Parameters
    ----------
    content
        UTF-8 bytes, or text.
    name
        What to call it in a message.
    max_bytes
        Refuse a longer one.

    Raises
    ------
    InvalidInput
        The text is no JSON, too long, or nested too deeply; a key is given twice; a number is
        infinite, no number, or an integer of thousands of digits.

    Examples
    --------
    >>> parse('{"n": 2}', "it")
    {'n': 2}
    >>> parse('{"n": 2, "n": 3}', "it")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: it: got the key 'n' twice, want a JSON document
    """
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if len(data) > max_bytes:
        raise InvalidInput(
            name, f"more than {max_bytes} bytes", "a smaller document, or a larger max_bytes"
        )

    def no_number(text: str) -> Never:
        raise InvalidInput(name, text, "JSON without NaN and Infinity")

    def no_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
        value: dict[str, object] = {}
        for key, entry in pairs:
            if key in value:
                raise InvalidInput(name, f"the key {key[:40]!r} twice", _WANTED)
            value[key] = entry
        return value

    try:
        value: object = json.loads(
            data.decode("utf-8"), parse_constant=no_number, object_pairs_hook=no_repetition
        )
    except UnicodeDecodeError as problem:
        raise InvalidInput(name, f"no UTF-8 text (at byte {problem.start})", _WANTED) from None
    except json.JSONDecodeError as problem:
        where = f"no JSON (line {problem.lineno}, column {problem.colno}: {problem.msg})"
        raise InvalidInput(name, where, f"{_WANTED} (is it truncated?)") from None
    except RecursionError:
        raise InvalidInput(name, "lists nested too deeply", _WANTED) from None
    except InvalidInput:
        raise
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise InvalidInput(name, "an enormous integer", _WANTED) from None
    require_shallow(value, name)
    return value


def require_shallow(value: object, name: str) -> None:
    """Refuse a value nested more than :data:`MAX_DEPTH` deep (or in itself), without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            entry
            for outer in level
            if isinstance(outer, list | dict)
            for entry in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise InvalidInput(name, "lists nested too deeply", f"at most {MAX_DEPTH} levels")


_LONG = 1 << 10  # bits: longer integers are written in base 16, which takes linear time to read


def exact_text(number: Fraction) -> str:
    """Write a rational number as ``"p"`` or ``"p/q"`` in lowest terms.

    Examples
    --------
    >>> exact_text(Fraction(2, 6)), exact_text(Fraction(3)), exact_text(Fraction(1 << 1024))[:6]
    ('1/3', '3', '0x1000')
    """
    top, bottom = _integer_text(number.numerator), _integer_text(number.denominator)
    return top if bottom == "1" else f"{top}/{bottom}"


def exact_number(value: object, name: str) -> Fraction:
    """Read what :func:`exact_text` writes, and nothing else.

    Raises
    ------
    InvalidInput
        The text is another one.

    Examples
    --------
    >>> exact_number("1/3", "p")
    Fraction(1, 3)
    """
    wanted = 'an exact number "p" or "p/q" in lowest terms'
    if not isinstance(value, str):
        raise InvalidInput(name, f"a value of type {type(value).__name__}", wanted)
    top, _, bottom = value.partition("/")
    try:
        number = Fraction(_integer(top), _integer(bottom or "1"))
    except (ValueError, ZeroDivisionError):
        number = None
    # One number has one text, so that no two readers can see two numbers in it.
    if number is None or exact_text(number) != value:
        shown = value if len(value) <= 40 else f"{value[:37]}..."
        raise InvalidInput(name, repr(shown), wanted)
    return number


def _integer(text: str) -> int:
    return int(text, 16 if "x" in text else 10)


def _integer_text(number: int) -> str:
    return str(number) if number.bit_length() <= _LONG else hex(number)
