"""Reading tables and points from files.

Whatever is wrong with a file is an :class:`InvalidInput` whose argument is the file's name.
Positions in text are lines and columns counted from 1; in arrays, rows and columns from 0.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pac_stability.classes.bits import Table
from pac_stability.classes.validation import Vector, checked_table, exact_number
from pac_stability.data.sample import decode_point
from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath
from pac_stability.reading import read_json, read_text
from pac_stability.reading.npy import map_array, read_array

MAX_BYTES = 2**28
"""Largest file that is read unless another limit is given: 256 MiB."""

_DECIMAL = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)
_ZERO_ONE = {"0": 0, "1": 1}


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A 0/1 table from a file, with what the file says beside it."""

    table: Table
    points: Sequence[Hashable] | None = None
    hypotheses: Sequence[str] | None = None


def read_table_csv(
    path: FilePath,
    *,
    header: bool | None = None,
    names: bool | None = None,
    max_bytes: int = MAX_BYTES,
) -> NamedTable:
    """Read a 0/1 table from comma-separated text, with names of columns and of rows if any.

    See :meth:`FiniteClass.from_csv` for the format.
    """
    text = _Csv(path, header, max_bytes, row_names=names)
    rows = bytearray()
    hypotheses: list[str] = []
    count = 0
    for line, cells in text.rows():
        if names is None:  # the first line of data decides
            names = len(cells) > 1 and not _is_number(cells[0])
            text.row_names, text.guessed = names, True
        if names:
            hypotheses.append(text.row_name(cells[0], line))
        first = int(names)
        try:
            rows += bytes([_ZERO_ONE[cell] for cell in cells[first:]])
        except KeyError:
            rows += bytes(
                text.label(cells[place], line, place) for place in range(first, len(cells))
            )
        count += 1
    first = int(names or False)
    width = (text.width or first) - first
    table = np.frombuffer(bytes(rows), dtype=np.uint8).reshape(count, width)
    points = None if text.names is None else text.names[first:]
    return NamedTable(table, points, hypotheses if names else None)


def read_points(
    path: FilePath, *, columns: Sequence[str] | None = None, max_bytes: int = MAX_BYTES
) -> list[Vector]:
    """Read points with exact coordinates from a numeric table.

    Parameters
    ----------
    path
        A file in NumPy's format when its name ends in ``.npy``; otherwise comma-separated text as
        for :meth:`FiniteClass.from_csv`, with a header when no cell of the first line is a number.
    columns
        Names from the header, to read only these, in this order.
    max_bytes
        Refuse a larger file.

    Returns
    -------
    list of tuples
        A point for each row, repetitions included.  Decimals in text are read exactly (``0.1`` is
        one tenth); floats in arrays are the dyadic rationals that they are.

    Raises
    ------
    InvalidInput
        The file cannot be read, or a cell is no finite number; the message says where.
    """
    if Path(path).suffix == ".npy":
        if columns is not None:
            raise InvalidInput("columns", "names", "none: an array file has no column names")
        return _points_of_array(path, max_bytes)
    text = _Csv(path, None if columns is None else True, max_bytes)
    chosen: list[int] | None = None
    points = []
    for line, cells in text.rows():
        if chosen is None:
            chosen = list(range(len(cells))) if columns is None else text.places(columns)
        points.append(tuple(text.number(cells[place], line, place) for place in chosen))
    return points


def map_table_npy(path: FilePath, *, max_bytes: int = MAX_BYTES) -> npt.NDArray[np.generic]:
    """Return the array in a file in NumPy's format, unchecked and still on the disk."""
    return map_array(path, max_bytes)


def read_table_json(path: FilePath, *, max_bytes: int = MAX_BYTES) -> NamedTable:
    """Read a 0/1 table, and its domain and names if given, from JSON.

    See :meth:`FiniteClass.from_json` for the format.
    """
    wanted = 'a list of rows, or {"table": rows, "domain": points, "names": names of rows}'
    value = read_json(path, max_bytes=max_bytes, wanted=wanted)
    if isinstance(value, list):
        value = {"table": value}
    known = {"table", "domain", "names"}
    if not isinstance(value, dict) or not {"table"} <= value.keys() <= known:
        raise InvalidInput(str(path), "another JSON value", wanted)
    table, domain, names = value["table"], value.get("domain"), value.get("names")
    if not isinstance(table, list) or not all(isinstance(x, list | None) for x in (domain, names)):
        raise InvalidInput(str(path), "another JSON value", wanted)
    points = None if domain is None else [decode_point(point, str(path)) for point in domain]
    checked = checked_table(table, None if points is None else len(points), str(path))
    return NamedTable(checked, points, names)


@dataclass
class _Csv:
    """Comma-separated text being read: knows where it is, to say what is wrong there."""

    path: FilePath
    header: bool | None
    max_bytes: int
    names: tuple[str, ...] | None = None
    width: int | None = None
    row_names: bool | None = False
    guessed: bool = False

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the lines with data, numbered, all of the same width; keep the names aside."""
        text = read_text(self.path, self.max_bytes)
        first, _, _ = text.lstrip().partition("\n")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
        try:
            for raw in reader:
                cells = [cell.strip() for cell in raw]
                if not any(cells) and len(cells) <= 1:
                    continue
                if self.width is None:
                    self.width = len(cells)
                    if self.header or (self.header is None and self._names_columns(cells)):
                        self._name_columns(cells, reader.line_num)
                        continue
                if len(cells) != self.width:
                    raise InvalidInput(
                        str(self.path),
                        f"{len(cells)} cells in line {reader.line_num}",
                        f"{self.width}, as in the first line",
                    )
                yield reader.line_num, cells
        except csv.Error as problem:
            raise InvalidInput(
                str(self.path), f"line {reader.line_num}: {problem}", "comma-separated text"
            ) from None
        if self.width is None:
            raise InvalidInput(str(self.path), "no data", "a table with at least one line")

    def _names_columns(self, cells: list[str]) -> bool:
        """Whether the first line looks like names: none of its cells is a number.

        Where the first column names the rows, what stands above it says nothing.
        """
        return not any(map(_is_number, cells[1:] if self.row_names else cells))

    def row_name(self, cell: str, line: int) -> str:
        """Value of a cell that must name its row."""
        if not cell:
            raise self._wrong(cell, line, 0, "a name")
        if self.guessed and _is_number(cell):
            wanted = (
                "a name, as in the lines before (or header=True, if the first of them names the "
                "points; or names=True, if numbers are names)"
            )
            raise self._wrong(cell, line, 0, wanted)
        return cell

    def _name_columns(self, cells: list[str], line: int) -> None:
        seen = set()
        for name in cells:
            if name in seen:
                raise InvalidInput(
                    str(self.path),
                    f"column name {name!r} twice in line {line}",
                    "distinct names in the header",
                )
            seen.add(name)
        self.names = tuple(cells)

    def places(self, columns: Sequence[str]) -> list[int]:
        """Positions of the named columns."""
        names = self.names or ()
        for column in columns:
            if column not in names:
                raise InvalidInput("columns", repr(column), f"one of {', '.join(names)}")
        return [names.index(column) for column in columns]

    def number(self, cell: str, line: int, place: int) -> int | Fraction:
        """Exact value of a cell."""
        if not _is_number(cell):
            raise self._wrong(cell, line, place, "finite decimal numbers")
        return exact_number(Fraction(cell))

    def label(self, cell: str, line: int, place: int) -> int:
        """Value of a cell that must be 0 or 1."""
        value = Fraction(cell) if _is_number(cell) else None
        if value is None or value not in (0, 1):
            wanted = "values 0 and 1 only"
            if value == -1:
                wanted += " (map labels -1 to 0)"
            elif line == 1 and self.names is None:
                wanted += " (or header=True, if this line names the points)"
            elif place == 0 and self.row_names is False and value is None:
                wanted += " (or names=True, if this column names the hypotheses)"
            raise self._wrong(cell, line, place, wanted)
        return int(value)

    def _wrong(self, cell: str, line: int, place: int, wanted: str) -> InvalidInput:
        shown = cell if len(cell) <= 40 else f"{cell[:37]}..."
        return InvalidInput(str(self.path), f"{shown!r} in line {line}, column {place + 1}", wanted)


def _delimiter(line: str) -> str:
    """Comma, unless the line has none and has either semicolons or tabs."""
    present = [mark for mark in (",", ";", "\t") if mark in line]
    return present[0] if len(present) == 1 else ","


def _is_number(cell: str) -> bool:
    return _DECIMAL.fullmatch(cell) is not None


def _points_of_array(path: FilePath, max_bytes: int) -> list[Vector]:
    array = read_array(path, max_bytes)
    if array.ndim != 2:
        raise InvalidInput(str(path), f"{array.ndim} dimension(s)", "2: a row for each point")
    finite = np.isfinite(array)
    if not finite.all():
        row, column = (int(i) for i in np.unravel_index(np.argmin(finite), array.shape))
        given = f"{array[row, column]} at row {row}, column {column}"
        raise InvalidInput(str(path), given, "finite numbers")
    return [tuple(exact_number(entry) for entry in row) for row in array.tolist()]
