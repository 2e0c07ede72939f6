"""Tables of what records, examples of classes and laws hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import Enum
from fractions import Fraction

from pac_stability._report import Face, Reported, Tabled, aligned, html_table, latex_table
from pac_stability.arguments import described
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.interval import LONGEST_NUMBER, decimal, digits, exact
from pac_stability.data.distribution import Law
from pac_stability.errors import printable

_LONGEST = 100
_MOST_PARTS = 8
_SHORT = 8
_MOST_ROWS = 50


def record_face(record: Tabled) -> Face:
    """Return a record as a table, under the words for what it is."""
    kind = record._kind or re.sub("(?<=[a-z0-9])(?=[A-Z])", " ", type(record).__name__).lower()
    rows = [(name, shown(value)) for name, value in record._rows().items()]
    return Face(
        lambda: f"{kind}\n{aligned(rows)}",
        html=lambda: f"<p><b>{printable(kind)}</b></p>\n{html_table(rows)}",
        latex=lambda: latex_table(rows, (kind, "")),
    )


def law_face(law: Law[object, Fraction] | Law[object, Interval]) -> Face:
    """Return a law as a table of its outcomes and their probabilities."""
    weights = list(law.items())
    rows = [(_clipped(repr(outcome)), shown(weight)) for outcome, weight in weights[:_MOST_ROWS]]
    head, more = ("outcome", "probability"), len(weights) - len(rows)
    rest = f"and {more:,} more" if more else ""
    return Face(
        lambda: aligned([head, *rows]) + (f"{rest}\n" if rest else ""),
        html=lambda: html_table(rows, head) + (f"<p>{rest}</p>" if rest else ""),
        latex=lambda: latex_table([*rows, *([(rest, "")] if rest else [])], head),
    )


def shown(value: object) -> str:
    """Return a value in a line of a table.

    Examples
    --------
    >>> shown(Fraction(1, 3)), shown(Epsilon.exactly(2)), shown(12_000), shown(None)
    ('1/3 (0.333333)', '0.693147 (a factor of 2)', '12,000', 'none')
    >>> shown(Interval.sqrt(2)), shown((1, "a")), shown(range(20))
    ('1.41421', '1, a', '20 of them')
    """
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if type(value) is int:
        return f"{value:,}" if abs(value) < 10**15 else _number(Fraction(value))
    if isinstance(value, Fraction):
        return _number(value)
    if isinstance(value, Epsilon):
        factor = digits(value.ratio)
        told = factor if len(factor) <= _SHORT else decimal(value.ratio)
        return f"{float(value):.6g} (a factor of {told})"
    if isinstance(value, Interval):
        low, high = decimal(value.lower), decimal(value.upper)
        return low if low == high else f"{low} to {high}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Tabled):
        return _clipped(", ".join(f"{k} {shown(v)}" for k, v in value._rows().items()))
    if isinstance(value, str):
        return _clipped(printable(value)) or "''"
    if isinstance(value, Mapping) and 0 < len(value) <= _MOST_PARTS:
        return _clipped(", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()))
    if isinstance(value, Collection) and not isinstance(value, Reported):
        whole = len(value)
        parts = ", ".join(map(shown, value)) if 0 < whole <= _MOST_PARTS else ""
        return parts if parts and len(parts) <= _LONGEST else f"{whole:,} of them"
    return _clipped(described(value) if callable(value) and not _says(value) else repr(value))


def _says(value: object) -> bool:
    """Whether it has a ``repr`` of its own."""
    return type(value).__repr__ is not object.__repr__


def _number(number: Fraction) -> str:
    return exact(number) if len(digits(number)) <= LONGEST_NUMBER else decimal(number)


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
