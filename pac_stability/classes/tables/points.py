"""Points with exact coordinates, from a table of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pac_stability.classes.tables import sheets, values
from pac_stability.classes.tables.formats import open_sheet
from pac_stability.classes.tables.meaning import chosen_places
from pac_stability.classes.tables.values import TableReading
from pac_stability.classes.validation import Vector, exact_number
from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath

# Numbers as people write them, which are none here: 1,234.5 and 1/3, 50%, $5, 5 cm, 1.0D+03.
_NUMERAL = re.compile(
    r"[-+\u2212]?[^\w\s]?\s*\d[\d.,'_\s]*(\s*/\s*\d+|[^\w\s]|[dDeE][-+]?\d+|[^\W\d_]{1,3})?|0[xX][\da-fA-F]+"
)


def read_points(
    path: FilePath,
    *,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    names: bool | None = None,
    delimiter: str | None = None,
    table_format: str | None = None,
    max_bytes: int = sheets.TableOptions().max_bytes,
) -> list[Vector]:
    """Read points with exact coordinates from a numeric table.

    Parameters
    ----------
    path
        A file in any of the formats that :meth:`FiniteClass.from_file` reads.
    columns
        Names from the header, or numbers from 1, to read only these, in this order.
    header
        Whether the first line names the coordinates; by default it does if no cell is a number.
    names
        Whether the first column names the points instead of being a coordinate; by default it does
        if it is text, or an index as pandas and R write it.
    delimiter, table_format, max_bytes
        As for :meth:`FiniteClass.from_file`.

    Returns
    -------
    list of tuples
        A point for each row, repetitions included.  Decimals in text are read exactly (``0.1`` is
        one tenth); floats in arrays are exact dyadic rationals.

    Raises
    ------
    InvalidInput
        The file cannot be read, can be read in two ways, or a cell is not a finite number; the
        message says where.
    """
    options = sheets.TableOptions(table_format, header, names, None, columns, delimiter, max_bytes)
    return points_of(path, options)[0]


def points_of(path: FilePath, options: sheets.TableOptions) -> tuple[list[Vector], TableReading]:
    """Read points, and report how the file was read; see :func:`read_points`."""
    sheet = open_sheet(path, options)
    if sheet.sets is not None:
        raise InvalidInput(sheet.name, "lists of text", "a table of numbers")
    if sheet.array is not None:
        return _points_of_array(sheet, options)
    rows = [(line, cells) for line, cells in sheet.rows if cells]
    if not rows and sheet.columns is None:
        raise InvalidInput(sheet.name, "no data", "a table with at least one line")
    return _Points(sheet, options, rows).points()


class _Points:
    """The cells of a numeric table in text."""

    def __init__(
        self, sheet: sheets.Sheet, options: sheets.TableOptions, rows: list[tuple[int, list[str]]]
    ) -> None:
        self.sheet, self.options, self.rows = sheet, options, rows
        self.header = sheet.columns
        self.above = sheet.header_line
        self.short = False

    def points(self) -> tuple[list[Vector], TableReading]:
        self._find_header()
        width = len(self.header) if self.header is not None else len(self.rows[0][1])
        if self.rows and all(len(cells) == width + 1 and not cells[-1] for _, cells in self.rows):
            self.rows = [(line, cells[:-1]) for line, cells in self.rows]
        while self.rows and not any(self.rows[-1][1]):
            self.rows.pop()
        for line, cells in self.rows:
            if len(cells) != width:
                given = f"{len(cells)} cells in line {line}"
                wanted = f"{width}, as in the first line"
                if len(cells) == width + 1:
                    wanted += (
                        f", or {self.options.spelled('names', True)}, if column 1 is no number"
                    )
                raise InvalidInput(self.sheet.name, given, wanted)
        self.places, told = self._places(width)
        places = self.places
        commas = any("," in cells[place] for _, cells in self.rows for place in places)
        points = [
            tuple(self._number(cells[place], line, place) for place in places)
            for line, cells in self.rows
        ]
        more = [*told, *["decimal commas"] * commas, *self.sheet.how]
        said = ""
        if self.header is not None:
            said = f"names from line {self.above}" if self.above else "names from the file"
        return points, TableReading("", said, tuple(more))

    def _find_header(self) -> None:
        if self.header is not None or not self.rows:
            return
        self._refuse_decimal_commas()
        (line, cells), rest = self.rows[0], self.rows[1:]
        header = self.options.header
        called = {str(column).strip() for column in self.options.columns or ()}
        if header is None and any(not name.isdecimal() for name in called & {*cells}):
            header = True
        if header is not False and rest and len(rest[0][1]) == len(cells) + 1 and rest[0][1][-1]:
            first, lines = [row[0] for _, row in rest], self.sheet.lines
            quoted = lines is not None and lines.quoted_names and not lines.quoted_rest
            sure = quoted or values.only_counts(first) or not all(map(values.is_number, first))
            if sure or self.options.names:
                cells, header, self.short = ["", *cells], True, True
        if header is None:
            header = self._looks_like_names(line, cells, rest)
        if header:
            self.header, self.above, self.rows = cells, line, rest

    def _refuse_decimal_commas(self) -> None:
        """Refuse ``1,5`` below one name, and ``-0,5`` and ``1,05``: decimals, or two cells."""
        lines, told = self.sheet.lines, self.options.names is None is self.options.delimiter
        (line, top), *rest = self.rows
        pairs = [cells for _, cells in (rest if len(top) == 1 else self.rows)]
        if lines is None or lines.delimiter != "," or lines.quoted_names or not told or not pairs:
            return
        decimal = len(top) == 1 or any(pair[0] == "-0" or _padded(pair[1:]) for pair in pairs)
        numbers = all(len(p) == 2 and values.is_number(p[0]) and p[1].isdecimal() for p in pairs)
        if decimal and numbers:
            semi, comma = (self.options.spelled("delimiter", mark) for mark in ";,")
            wanted = f"{semi}, if the comma is a decimal one, or {comma}, if there are two cells"
            given = f"{','.join(pairs[0])!r} in line {rest[0][0] if len(top) == 1 else line}"
            raise InvalidInput(self.sheet.name, given, wanted)

    def _looks_like_names(
        self, line: int, cells: list[str], rest: list[tuple[int, list[str]]]
    ) -> bool:
        if len(cells) > 1 and values.is_index(cells[0]):
            return True
        texty = (
            bool(rest) and len(cells) > 1 and not all(values.is_number(row[0]) for _, row in rest)
        )
        asked = cells[1:] if texty else cells
        if not any(map(values.is_number, asked)):
            return True
        if not all(map(values.is_number, asked)) or not rest:
            return False
        counted = asked == [str(place) for place in range(len(asked))]
        if counted and len(asked) >= 3:
            return True
        plain = {values.plain_value(cell) for _, row in rest for cell in row[int(texty) :]}
        if plain <= {"0", "1"} and len({*asked}) == len(asked) > 1:
            return not {*asked} <= {"0", "1"} or self._either_header(line, cells)
        # Whole numbers over decimals, such as years, are names as often as a point.
        whole = len({*asked}) == len(asked) > 1 and all(map(str.isdecimal, asked))
        decimals = [not re.fullmatch(r"[-+]?\d*", cell) for _, row in rest for cell in row]
        over = whole and (any if asked[2:] and values.only_counts(asked) else all)(decimals)
        return (counted or over or _padded(asked[1:] or asked)) and self._either_header(line, cells)

    def _either_header(self, line: int, cells: Sequence[str]) -> bool:
        yes, no = (self.options.spelled("header", value) for value in (True, False))
        wanted = f"{yes}, if the first line names the coordinates, or {no}, if it is a point"
        raise InvalidInput(self.sheet.name, f"{','.join(cells)!r} as line {line}", wanted)

    def _places(self, width: int) -> tuple[list[int], list[str]]:
        """Return the columns that are coordinates, and what is said of the others."""
        if self.options.columns is not None:
            return chosen_places(self.options.columns, self.header or [], width)[0], []
        drop = self.options.names
        if drop is None:
            drop = width > 1 and self._first_names()
        left = ["column 1 left out: it names the rows"] if drop else []
        return list(range(int(drop), width)), left

    def _first_names(self) -> bool:
        first = [cells[0] for _, cells in self.rows]
        return self.short or _names_rows(self.sheet.name, self.header, first, self.options)

    def _number(self, cell: str, line: int, place: int) -> int | Fraction:
        """Exact value of a cell."""
        decimal = cell
        separated = self.sheet.lines is not None and self.sheet.lines.delimiter != ","
        if "," in cell and separated:
            decimal = cell.replace(",", ".")
        if not values.is_number(cell) or "," in decimal:
            shown = cell if len(cell) <= 40 else f"{cell[:37]}..."
            given = f"{shown!r} in line {line}, column {place + 1}"
            if cell == sheets.MISSING:
                given = f"no value in line {line}, column {place + 1}"
            numbers = [p for p in self.places if all(values.is_number(c[p]) for _, c in self.rows)]
            wanted = "; ".join(["finite decimal numbers", *self.options.reads(numbers)])
            raise InvalidInput(self.sheet.name, given, wanted)
        return exact_number(Fraction(decimal))


def _names_rows(
    name: str, header: Sequence[str] | None, first: Sequence[str], options: sheets.TableOptions
) -> bool:
    """Whether the first column names the rows; refused where it may be a coordinate as well."""
    corner = header[0].casefold() if header else None
    if not first:
        return False
    if corner is not None and (not corner or corner.startswith("unnamed:")):
        return True
    index = header is not None and values.is_index(header[0])
    numbers = [values.is_number(cell) and not _padded(first) for cell in first]
    texts = not {*map(values.plain_value, first)} <= values.WORDS  # True and False need not name
    if (not any(numbers) and texts and (index or not all(map(_NUMERAL.fullmatch, first)))) or (
        index and values.only_counts(first)
    ):
        return True
    numbered = index and all(map(values.is_number, first)) and len({*first}) == len(first)
    if any(numbers) and not numbered and (corner is not None or not values.only_counts(first)):
        return False
    yes, no = (options.spelled("names", value) for value in (True, False))
    wanted = f"{yes}, if it names or counts the rows, or {no}, if it is a coordinate"
    given = f"{', '.join(first[:3])}{', ...' if len(first) > 3 else ''} as the first column"
    raise InvalidInput(name, given, wanted)


def _padded(cells: Sequence[str]) -> bool:
    """Whether some cells are numerals such as 007, which name more often than they count."""
    return any(re.match("0[0-9]", cell) for cell in cells)


def _points_of_array(
    sheet: sheets.Sheet, options: sheets.TableOptions
) -> tuple[list[Vector], TableReading]:
    array, columns = sheet.array, sheet.columns
    assert array is not None  # noqa: S101  # asked where there is one
    if array.ndim != 2:
        raise InvalidInput(sheet.name, f"{array.ndim} dimension(s)", "2: a row for each point")
    told: tuple[str, ...] = ()
    if options.columns is not None:
        places, _ = chosen_places(options.columns, columns or [], array.shape[1])
        array = array[:, places]
    elif columns and array.shape[1] > 1 and options.names is not False:
        first = [sheets.cell_text(cell).removesuffix(".0") for cell in array[:, 0].tolist()]
        if options.names or _names_rows(sheet.name, columns, first, options):
            array, told = array[:, 1:], ("column 1 left out: it names the rows",)
    finite = np.isfinite(array)
    if not finite.all():
        row, column = (int(i) for i in np.unravel_index(np.argmin(finite), array.shape))
        given = f"{array[row, column]} at row {row}, column {column}"
        raise InvalidInput(sheet.name, given, "finite numbers")
    points = [tuple(exact_number(entry) for entry in row) for row in array.tolist()]
    return points, TableReading("", "names from the file" if columns else "", (*told, *sheet.how))
