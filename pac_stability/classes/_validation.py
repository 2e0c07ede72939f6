"""Checks between the caller's arrays and the tables inside."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_label, require_hashable
from pac_stability.classes import bits
from pac_stability.classes.bits import Table, Words
from pac_stability.errors import InvalidInput

_ZERO_ONE = "values 0 and 1 only"
_BLOCK = 1 << 22
"""Entries that are checked and packed at a time."""


def checked_table(table: npt.ArrayLike, columns: int | None, argument: str = "table") -> Table:
    """Return the table as ``uint8``, or say which entry is wrong.

    An empty list is a table without rows; it has ``columns`` columns, or none.
    """
    array = _array_of(table, columns, argument)
    wrong = _wrong_entries(array)
    if wrong is not None and wrong.any():
        row, column = (int(index) for index in np.unravel_index(np.argmax(wrong), array.shape))
        raise InvalidInput(argument, *_explain(array, row, column))
    return np.ascontiguousarray(array, dtype=np.uint8)


def _array_of(table: npt.ArrayLike, columns: int | None, argument: str) -> npt.NDArray[np.generic]:
    if isinstance(table, Sequence) and not isinstance(table, str | bytes):
        if not table:
            return np.zeros((0, columns or 0), dtype=np.uint8)
        _refuse_ragged(table, argument)
    try:
        array = np.asarray(table)
    except (ValueError, TypeError, OverflowError):
        raise InvalidInput(argument, "entries that are no numbers", "a table of 0 and 1") from None
    if array.ndim != 2:
        raise InvalidInput(
            argument, f"{array.ndim} dimension(s)", "2: a row for each hypothesis, a column a point"
        )
    return array


def packed_table(
    table: npt.ArrayLike, columns: int | None, argument: str = "table"
) -> tuple[Words, int]:
    """Return the table in bits, and how many columns it has, or say which entry is wrong.

    It is checked and packed block by block, so that no second copy of it is in memory.
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
    """Return the names of the rows that are kept, no two the same."""
    seen: dict[str, int] = {}
    for row in kept:
        first = seen.setdefault(names[row], row)
        if first != row:
            raise InvalidInput(
                "names", f"{names[row]!r} twice (rows {first} and {row})", "distinct names"
            )
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
        first = seen.setdefault(hashable(point, "domain"), index)
        if first != index:
            raise InvalidInput(
                "domain", f"point {point!r} twice (columns {first} and {index})", "distinct points"
            )
    return points


def hashable(point: object, argument: str) -> Hashable:
    """Return the point, or say that it cannot be one."""
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
            raise InvalidInput(
                argument,
                f"row {index} with {_entries(length)} after row 0 with {_entries(lengths[0])}",
                "rows of equal length",
            )


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
    return isinstance(value, int | float | np.generic) and bool(value in (0, 1))


def _explain(array: npt.NDArray[np.generic], row: int, column: int) -> tuple[str, str]:
    """Say what stands at a wrong entry, and what should."""
    value = array[row, column]
    shown = value.item() if isinstance(value, np.generic) else value
    given = f"{shown!r} at row {row}, column {column}"
    if array.dtype.kind in "if" and set(np.unique(array).tolist()) <= {-1, 1}:
        return given, f"{_ZERO_ONE}; for labels -1 and +1 pass (table + 1) // 2"
    return given, _ZERO_ONE
