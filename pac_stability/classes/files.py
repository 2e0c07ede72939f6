"""Reading tables and points from files.

Whatever is wrong with a file is an :class:`InvalidInput` whose argument is the file's name.
Positions in text are lines and columns counted from 1; in arrays, rows and columns from 0.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tokenize import TokenError
from typing import Never

import numpy as np
import numpy.typing as npt

from pac_stability.classes._bits import Table
from pac_stability.classes._validation import checked_table, hashable
from pac_stability.classes.exact import Vector, exact_number
from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath, reason

MAX_BYTES = 2**28
"""Largest file that is read unless another limit is given: 256 MiB."""

_DECIMAL = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)
_ZERO_ONE = {"0": 0, "1": 1}


def read_table_csv(
    path: FilePath, *, header: bool | None = None, max_bytes: int = MAX_BYTES
) -> tuple[Table, tuple[str, ...] | None]:
    """Read a 0/1 table from comma-separated text: the table, and the names of its columns if any.

    See :meth:`FiniteClass.from_csv` for the format.
    """
    text = _Csv(path, header, max_bytes)
    rows = bytearray()
    count = 0
    for line, cells in text.rows():
        try:
            rows += bytes([_ZERO_ONE[cell] for cell in cells])
        except KeyError:
            rows += bytes(text.label(cell, line, place) for place, cell in enumerate(cells))
        count += 1
    width = text.width or 0
    return np.frombuffer(bytes(rows), dtype=np.uint8).reshape(count, width), text.names


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


def read_table_npy(path: FilePath, *, max_bytes: int = MAX_BYTES) -> Table:
    """Read a 0/1 table from a file in NumPy's format; pickled objects are refused."""
    return checked_table(_read_npy(path, max_bytes), None, str(path))


def read_table_json(
    path: FilePath, *, max_bytes: int = MAX_BYTES
) -> tuple[Table, list[Hashable] | None]:
    """Read a 0/1 table, and its domain if given, from JSON.

    See :meth:`FiniteClass.from_json` for the format.
    """
    wanted = 'a list of rows, or {"table": rows, "domain": points}'

    def no_number(text: str) -> Never:
        raise InvalidInput(str(path), text, "JSON without NaN and Infinity")

    def no_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
        value = dict(pairs)
        if len(value) < len(pairs):
            raise InvalidInput(str(path), "an object with a key given twice", wanted)
        return value

    text = _read_text(path, max_bytes)
    try:
        value = json.loads(text, parse_constant=no_number, object_pairs_hook=no_repetition)
    except json.JSONDecodeError as problem:
        where = f"no JSON (line {problem.lineno}, column {problem.colno}: {problem.msg})"
        raise InvalidInput(str(path), where, wanted) from None
    except RecursionError:
        raise InvalidInput(str(path), "lists nested too deeply", wanted) from None
    except InvalidInput:
        raise
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise InvalidInput(str(path), "an enormous integer", wanted) from None
    if isinstance(value, list):
        value = {"table": value}
    if not isinstance(value, dict) or not {"table"} <= value.keys() <= {"table", "domain"}:
        raise InvalidInput(str(path), "another JSON value", wanted)
    table, domain = value["table"], value.get("domain")
    if not isinstance(table, list) or not isinstance(domain, list | None):
        raise InvalidInput(str(path), "another JSON value", wanted)
    points = None if domain is None else [_point_from_json(point, path) for point in domain]
    return checked_table(table, None if points is None else len(points), str(path)), points


def point_to_json(point: Hashable) -> object:
    """Write a point as a JSON value that :func:`read_table_json` turns back into it."""
    if isinstance(point, bool | int | str) or point is None:
        return point
    if isinstance(point, float) and np.isfinite(point):
        return point
    if isinstance(point, Fraction):
        return {"fraction": str(point)}
    if isinstance(point, tuple):
        return [point_to_json(entry) for entry in point]
    raise InvalidInput(
        "domain", f"a point of type {type(point).__name__}", "numbers, text and tuples of them"
    )


def _point_from_json(value: object, path: FilePath) -> Hashable:
    if isinstance(value, list):
        return tuple(_point_from_json(entry, path) for entry in value)
    if isinstance(value, dict):
        text = value.get("fraction")
        if len(value) != 1 or not isinstance(text, str):
            raise InvalidInput(str(path), "an object as a point", '{"fraction": "p/q"}')
        try:
            return Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise InvalidInput(str(path), f"the fraction {text!r}", '"p/q"') from None
    return hashable(value, str(path))


@dataclass
class _Csv:
    """Comma-separated text being read: knows where it is, to say what is wrong there."""

    path: FilePath
    header: bool | None
    max_bytes: int
    names: tuple[str, ...] | None = None
    width: int | None = None

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the lines with data, numbered, all of the same width; keep the names aside."""
        text = _read_text(self.path, self.max_bytes)
        first, _, _ = text.lstrip().partition("\n")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
        try:
            for raw in reader:
                cells = [cell.strip() for cell in raw]
                if not any(cells) and len(cells) <= 1:
                    continue
                if self.width is None:
                    self.width = len(cells)
                    if self.header or (self.header is None and not any(map(_is_number, cells))):
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

    def _name_columns(self, cells: list[str], line: int) -> None:
        for place, name in enumerate(cells):
            if name in cells[:place]:
                raise InvalidInput(
                    str(self.path),
                    f"column name {name!r} twice in line {line}",
                    "distinct names in the header",
                )
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


def _read_bytes(path: FilePath, max_bytes: int) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except OSError as problem:
        raise InvalidInput(str(path), reason(problem), "a file that can be read") from None
    except ValueError:  # a null character in the name
        raise InvalidInput(repr(path), "no file name", "a file that can be read") from None
    if len(content) > max_bytes:
        raise InvalidInput(str(path), "a larger file", f"at most {max_bytes} bytes")
    return content


def _read_text(path: FilePath, max_bytes: int) -> str:
    content = _read_bytes(path, max_bytes)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InvalidInput(
            str(path), f"bytes that are no UTF-8 text (at byte {problem.start})", "UTF-8 text"
        ) from None


def _read_npy(path: FilePath, max_bytes: int) -> npt.NDArray[np.generic]:
    """Read an array, believing its header only as far as the file bears it out."""
    stream = io.BytesIO(_read_bytes(path, max_bytes))
    wanted = "an array of numbers in NumPy's .npy format"
    try:
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            shape, by_columns, dtype = np.lib.format.read_array_header_1_0(stream)
        else:
            shape, by_columns, dtype = np.lib.format.read_array_header_2_0(stream)
    except (ValueError, SyntaxError, TypeError, TokenError, RecursionError):
        raise InvalidInput(str(path), "no such header", wanted) from None
    if any(length < 0 for length in shape):
        raise InvalidInput(str(path), f"a header with the dimensions {shape}", wanted)
    if dtype.kind not in "biuf":
        raise InvalidInput(str(path), f"entries of type {dtype}", wanted)
    content = stream.read()
    length = math.prod(shape) * dtype.itemsize
    if len(content) != length:
        given = f"{len(content)} bytes of data for shape {shape}"
        raise InvalidInput(str(path), given, f"{length} bytes (is the file truncated?)")
    return np.frombuffer(content, dtype=dtype).reshape(shape, order="F" if by_columns else "C")


def _points_of_array(path: FilePath, max_bytes: int) -> list[Vector]:
    array = _read_npy(path, max_bytes)
    if array.ndim != 2:
        raise InvalidInput(str(path), f"{array.ndim} dimension(s)", "2: a row for each point")
    finite = np.isfinite(array)
    if not finite.all():
        row, column = (int(i) for i in np.unravel_index(np.argmin(finite), array.shape))
        given = f"{array[row, column]} at row {row}, column {column}"
        raise InvalidInput(str(path), given, "finite numbers")
    return [tuple(exact_number(entry) for entry in row) for row in array.tolist()]
