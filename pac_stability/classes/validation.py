"""Checks of the caller's arrays before they become tables.

Then points with exact coordinates, compared by integers and fractions, never floats; and the limit
on the tables that the library builds by itself.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Number as AnyNumber, Rational
from typing import cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import (
    as_label,
    described,
    refuse_masked,
    require_hashable,
    require_value,
)
from pac_stability.classes import bits
from pac_stability.classes.bits import Table, Words
from pac_stability.errors import InvalidInput

_ZERO_ONE = "values 0 and 1 only"
_BLOCK = 1 << 22
"""Entries that are checked and packed at a time."""


def _array_of(table: npt.ArrayLike, columns: int | None, argument: str) -> npt.NDArray[np.generic]:
    if isinstance(table, np.ma.MaskedArray) and np.ma.is_masked(table):
        row, column = (int(i) for i in np.argwhere(np.ma.getmaskarray(np.atleast_2d(table)))[0])
        given = f"a masked value at row {row}, column {column}"
        raise InvalidInput(argument, given, "a value in every cell")
    refuse_masked(table, argument)
    if isinstance(table, Sequence) and not isinstance(table, str | bytes):
        if not table:
            return np.zeros((0, columns or 0), dtype=np.uint8)
        _refuse_ragged(table, argument)
    try:
        array = np.asarray(table)
    except (ValueError, TypeError, OverflowError):
        raise InvalidInput(argument, "entries that are no numbers", "a table of 0 and 1") from None
    if array.ndim != 2:
        given = f"{array.ndim} dimension(s)"
        wanted = "2: a row for each hypothesis, a column a point"
        if not array.ndim:  # a name, a generator, a dictionary
            given, wanted = described(table), "a table (a file: FiniteClass.from_file)"
        raise InvalidInput(argument, given, wanted)
    return array


def packed_table(
    table: npt.ArrayLike, columns: int | None, argument: str = "table"
) -> tuple[Words, int]:
    """Return the table in bits, and how many columns it has, or say which entry is wrong.

    It checks and packs block by block, so memory holds no second copy.
    """
    array = _array_of(table, columns, argument)
    rows, width = array.shape
    words = np.empty((rows, -(-width // 64)), dtype=np.uint64)
    for some in bits.row_blocks(rows, width, _BLOCK):
        block = array[some]
        wrong = _wrong_entries(block)
        if wrong is not None and wrong.any():
            row, column = (int(i) for i in np.unravel_index(np.argmax(wrong), block.shape))
            raise InvalidInput(argument, *_explain(array, some.start + row, column))
        words[some] = bits.pack(np.ascontiguousarray(block, dtype=np.uint8))
    return words, width


def checked_names(names: Iterable[str] | None, rows: int) -> tuple[str, ...] | None:
    """Return a name for each row, if there are any."""
    if names is None:
        return None
    given = tuple(names)
    if len(given) != rows:
        raise InvalidInput("names", f"{len(given)} names", f"{rows}, one for each row")
    for index, name in enumerate(given):
        if not isinstance(cast("object", name), str) or not name.strip():
            raise InvalidInput("names", f"{name!r} for row {index}", "text that is not blank")
    return given


def distinct_names(names: tuple[str, ...], kept: Sequence[int]) -> tuple[str, ...]:
    """Return the distinct names of the kept rows."""
    seen: dict[str, int] = {}
    for row in kept:
        first = seen.setdefault(names[row], row)
        if first != row:
            given = f"{names[row]!r} twice (rows {first} and {row})"
            raise InvalidInput("names", given, "distinct names")
    return tuple(seen)


def checked_domain(domain: Iterable[Hashable] | None, columns: int) -> tuple[Hashable, ...]:
    """Return one distinct hashable point for each column."""
    if domain is None:
        return tuple(range(columns))
    points = tuple(domain)
    if len(points) != columns:
        raise InvalidInput("domain", f"{len(points)} points", f"{columns}, one for each column")
    seen: dict[Hashable, int] = {}
    for index, point in enumerate(points):
        require_value(point, "domain")
        first = seen.setdefault(point, index)
        if first != index:
            given = f"point {point!r} twice (columns {first} and {index})"
            raise InvalidInput("domain", given, "distinct points")
    return points


def hashable(point: object, argument: str) -> Hashable:
    """Return the point; refuse a value that cannot be one."""
    require_hashable(point, argument)
    return point


def checked_labels(labels: Iterable[int], length: int) -> Table:
    """Return as many labels as there are points, each 0 or 1."""
    values = list(labels)
    if len(values) != length:
        raise InvalidInput("labels", f"{len(values)} labels", f"{length}, one for each point")
    plain = [as_label(value, f"labels[{index}]") for index, value in enumerate(values)]
    return np.array(plain, dtype=np.uint8)


def _refuse_ragged(rows: Sequence[object], argument: str) -> None:
    """Name the first row whose length differs; ``numpy`` would only say that one does."""
    lengths = [len(row) if isinstance(row, Sequence | np.ndarray) else None for row in rows]
    for index, length in enumerate(lengths):
        if length != lengths[0]:
            given = f"row {index} with {_entries(length)} after row 0 with {_entries(lengths[0])}"
            raise InvalidInput(argument, given, "rows of equal length")


def _entries(length: int | None) -> str:
    return "no entries" if length is None else f"{length} entries"


def _wrong_entries(array: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_] | None:
    """Mark the entries that are not 0 or 1 (``None``: none is)."""
    kind = array.dtype.kind
    if kind == "b" or not array.size:
        return None
    if kind == "u" and array.max() <= 1:
        return None
    if kind in "iuf":
        return np.asarray((array != 0) & (array != 1))
    if kind == "O":
        wrong = [not _is_zero_or_one(value) for value in array.flat]
        return np.array(wrong, dtype=np.bool_).reshape(array.shape)
    return np.ones(array.shape, dtype=np.bool_)


def _is_zero_or_one(value: object) -> bool:
    return isinstance(value, AnyNumber | np.generic) and bool(value in (0, 1))


def _explain(array: npt.NDArray[np.generic], row: int, column: int) -> tuple[str, str]:
    """Say what stands at a wrong entry, and what should."""
    value = array[row, column]
    shown = value.item() if isinstance(value, np.generic) else value
    given = f"{shown!r} at row {row}, column {column}"
    if array.dtype.kind in "if" and set(np.unique(array).tolist()) <= {-1, 1}:
        return given, f"{_ZERO_ONE}; for labels -1 and +1 pass (table + 1) // 2"
    return given, _ZERO_ONE


# Exact coordinates

Number = int | Fraction
"""An exact coordinate: an integer, or a fraction that is none."""

Vector = tuple[Number, ...]
"""A point with exact coordinates."""


def exact_number(value: object, argument: str = "point") -> Number:
    """Return a real number exactly, as an ``int`` where it is one.

    Integers, fractions, decimals and floats (each a dyadic rational) are taken at their exact
    values, which compare and hash equal to the given number.

    Raises
    ------
    InvalidInput
        The value is not a real number, or not finite.

    Examples
    --------
    >>> exact_number(0.5), exact_number(2.0), exact_number(Fraction(1, 3))
    (Fraction(1, 2), 2, Fraction(1, 3))
    """
    if type(value) is int:
        return value
    if isinstance(value, Integral | np.bool_):
        return int(value)
    if isinstance(value, Rational):
        exact = Fraction(value)
    elif isinstance(value, float | np.floating | Decimal):
        if not math.isfinite(value):
            raise InvalidInput(argument, _shown(value), "a finite number")
        exact = Fraction(*value.as_integer_ratio())
    else:
        raise InvalidInput(argument, _shown(value), "a real number")
    return int(exact) if exact.denominator == 1 else exact


def exact_vector(value: object, dimension: int, argument: str = "point") -> Vector:
    """Return a point of ``R^dimension`` exactly.

    Raises
    ------
    InvalidInput
        It is not a sequence of that many finite numbers.
    """
    coordinates: Sequence[object] | None = None
    if isinstance(value, np.ndarray) and value.ndim == 1:
        coordinates = list(value)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        coordinates = value
    if coordinates is None or len(coordinates) != dimension:
        raise InvalidInput(argument, _shown(value), f"a tuple of {dimension} numbers")
    return tuple(exact_number(coordinate, argument) for coordinate in coordinates)


def bit_vector(value: object, length: int, argument: str = "point") -> tuple[int, ...]:
    """Return a point of ``{0, 1}^length``.

    Raises
    ------
    InvalidInput
        It is not a sequence of that many bits.
    """
    return residue_vector(value, length, 2, argument)


def residue_vector(
    value: object, length: int, modulus: int, argument: str = "point"
) -> tuple[int, ...]:
    """Return a point with coordinates ``0, ..., modulus - 1``.

    Raises
    ------
    InvalidInput
        It is not a sequence of that many such integers.
    """
    for coordinate in (vector := exact_vector(value, length, argument)):
        if not isinstance(coordinate, int) or not 0 <= coordinate < modulus:
            wanted = f"a tuple of {length} integers from 0 to {modulus - 1}"
            raise InvalidInput(argument, _shown(value), wanted)
    return tuple(int(coordinate) for coordinate in vector)


def scaled_to_integers(values: Iterable[Number]) -> tuple[list[int], int]:
    """Return the values times their least common denominator, and that denominator."""
    exact = list(values)
    denominator = math.lcm(*(value.denominator for value in exact))
    return [value.numerator * (denominator // value.denominator) for value in exact], denominator


def canonical_order(points: Iterable[Hashable]) -> list[Hashable]:
    """Sort points of any types, so that the result depends on their set only.

    Numbers come first, then text, then bytes, then tuples of such; other values follow in the order
    of their type names and ``repr``.
    """
    return sorted(points, key=_sort_key)


def _sort_key(point: Hashable) -> tuple[object, ...]:
    if isinstance(point, int | float | Fraction):
        return (0, point)
    if isinstance(point, str):
        return (1, point)
    if isinstance(point, bytes):
        return (2, point)
    if isinstance(point, tuple):
        return (3, tuple(_sort_key(entry) for entry in point))
    return (4, type(point).__qualname__, repr(point))


def _shown(value: object) -> str:
    """Show a value on one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


# Limits

MAX_CELLS = 2**30
"""Entries (hypotheses times points) of the largest table that a constructor or a family builds.

At a byte an entry this is a gibibyte.  Tables that the caller brings are not limited.
"""


MAX_EXPONENT = 64
"""Largest exponent of a number of points or hypotheses that is worth computing."""


def check_cells(what: str, hypotheses: int, points: int) -> None:
    """Refuse a table that would be too large, before allocating it.

    Raises
    ------
    InvalidInput
        ``hypotheses * points`` exceeds :data:`MAX_CELLS`, or there are that many hypotheses.
    """
    if hypotheses * max(points, 1) > MAX_CELLS:
        given = f"up to {_count(hypotheses)} hypotheses on {_count(points)} points"
        raise InvalidInput(what, given, f"at most {MAX_CELLS} table entries")


def check_subsets(what: str, points: int, elements: int, sizes: Iterable[int]) -> None:
    """Refuse one hypothesis for each subset of these sizes, increasing, if there are too many."""
    total = 0
    for size in sizes:
        total += math.comb(elements, size)
        check_cells(what, total, points)


def _count(number: int) -> str:
    """Write a count that may have thousands of digits."""
    return str(number) if number < 10**12 else f"2^{number.bit_length() - 1} or more"
