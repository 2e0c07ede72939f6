"""The one reader of people's tables, for text and for whole arrays.

Every problem with a file is an :class:`InvalidInput` that names the file as its argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pac_stability.classes.bits import Table
from pac_stability.classes.tables import sheets, values
from pac_stability.classes.tables.formats import frame_sheet, open_sheet
from pac_stability.classes.tables.meaning import TextTable, chosen_places
from pac_stability.classes.tables.text import text_rows
from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath

_LARGE = 1 << 20
"""From how many bytes on a text of 0 and 1 is read by whole arrays."""


def read_table(path: FilePath, options: sheets.TableOptions) -> values.NamedTable:
    """Read a table of two values from a file in any of the formats.

    Parameters
    ----------
    path
        The file; see :meth:`FiniteClass.from_file` for the formats.
    options
        Options for what the file leaves open.

    Raises
    ------
    InvalidInput
        The file cannot be read, is not such a table, or can be read in two ways; the message says
        where, and which option decides.
    """
    return _table_of(open_sheet(path, options), options)


def table_of_frame(frame: object, argument: str = "table") -> values.NamedTable:
    """Return the table of a data frame or of a sparse matrix, with its names."""
    sheet = frame_sheet(frame, argument)
    sheet.header_line = 0
    return _table_of(sheet, sheets.TableOptions(frame=True))


def _table_of(sheet: sheets.Sheet, options: sheets.TableOptions) -> values.NamedTable:
    if sheet.sets is not None:
        return _table_of_sets(sheet)
    if sheet.array is not None:
        return _table_of_array(sheet, options)
    fast = _large(sheet, options)
    if fast is not None:
        return fast
    return TextTable(sheet, options).table()


# Large texts of 0 and 1


def _large(sheet: sheets.Sheet, options: sheets.TableOptions) -> values.NamedTable | None:
    """Read a large text whose cells are 0 and 1; ``None`` if it is not so plain."""
    lines = sheet.lines
    if lines is None or len(lines.content) < _LARGE or options.columns or lines.delimiter == " ":
        return None
    if sheet.columns is not None or options.ones is not None or lines.skip or lines.escapes:
        return None
    content = lines.content
    newline = content.find(b"\n")
    end = content.find(b"\n", newline + 1)
    end = content.find(b"\n", end + 1) if end > 0 else -1
    if newline < 0 or end < 0 or content.find(b'"', newline) >= 0:
        return None
    # What the first lines are is decided as for a small file; the rest must then be like them.
    cut = content.rfind(b"\n", 0, max(end + 1, min(len(content), 1 << 14))) + 1
    head = replace(lines, content=content[:cut])
    start = TextTable(replace(sheet, rows=text_rows(head, sheet.name), lines=head), options)
    kind = start.kind()
    header = start.header_names(whole=kind in ("values", "alone"))
    named = start.has_names(kind, header)
    if named is None or start.trailing or start.short or not start.codes:
        return None
    first = newline + 1 if header is not None else 0
    table, names = _zeros_and_ones(
        content, first, lines.delimiter.encode(), start.width, named=named
    )
    if table is None or (named and kind == "count" and not values.only_counts(names)):
        return None
    start.codes, start.first, start.top = bytearray(), [], None
    points: Sequence[Hashable] | None = None
    notes: tuple[str, ...] = ()
    if header is not None:
        points, notes = values.numbered_names(header[int(named) :], "names of points")
    made: list[str] | None = None
    if named:
        made, more = values.numbered_names(names, "names of hypotheses")
        notes = (*notes, *more)
        if not all(made):
            return None
    reading = values.TableReading(
        "names from column 1" if named else "",
        "names from line 1" if header is not None else "",
        tuple(sheet.how),
        notes,
    )
    return values.NamedTable(table, points, made, reading)


def _zeros_and_ones(
    content: bytes, start: int, delimiter: bytes, width: int, *, named: bool
) -> tuple[Table | None, list[str]]:
    """Return a table of cells of one character, 0 or 1, if that is what the lines from a byte are.

    Lines are taken in blocks, so that little is held besides the content and the table.
    """
    width -= named
    count = content.count(b"\n", start) + (not content.endswith(b"\n"))
    table = np.empty((count, width), dtype=np.uint8)
    names: list[str] = []
    done, ending = 0, 0
    while start < len(content):
        end = content.rfind(b"\n", start, start + _BLOCK) + 1
        if end <= start:  # the last line, or one that is long
            end = (content.find(b"\n", start) + 1) or len(content)
        block = content[start:end] + b"\n" * (content[end - 1 : end] != b"\n")
        start = end
        if not ending:
            ending = 2 if block[block.find(b"\n") - 1 :].startswith(b"\r\n") else 1
        if named:
            tail = 2 * width + ending - 1
            rows = block.split(b"\n")[:-1]
            if any(row[-tail : 1 - tail] != delimiter for row in rows):
                return None, []
            names += [row[:-tail].decode().strip() for row in rows]
            block = b"".join([row[1 - tail :] + b"\n" for row in rows])
        length = 2 * width - 1 + ending
        if len(block) % length:
            return None, []
        lines = np.frombuffer(block, dtype=np.uint8).reshape(-1, length)
        some = np.subtract(lines[:, : 2 * width : 2], ord("0"), out=table[done : done + len(lines)])
        marks = lines[:, 1 : 2 * width - 1 : 2]
        if some.max() > 1 or (marks != ord(delimiter)).any() or (lines[:, -1] != ord("\n")).any():
            return None, []
        done += len(lines)
    if done != count or any(delimiter.decode() in name for name in names):
        return None, []
    return table, names


_BLOCK = 1 << 22


# Arrays, and sets of points


def _table_of_array(sheet: sheets.Sheet, options: sheets.TableOptions) -> values.NamedTable:
    table, columns, names = sheet.array, sheet.columns, sheet.names
    assert table is not None  # noqa: S101  # asked where there is one
    if table.ndim != 2:
        given = f"{table.ndim} dimension(s)"
        raise InvalidInput(sheet.name, given, "2: a row for each hypothesis, a column a point")
    if options.columns is not None:
        places, _ = chosen_places(options.columns, columns or [], table.shape[1])
        table = table[:, places]
        columns = None if columns is None else [columns[place] for place in places]
    elif columns and not names and options.names is not False and values.is_index(columns[0]):
        first = [sheets.cell_text(cell) for cell in table[:, 0].tolist()]
        if values.only_counts(first) or options.names:
            columns, names, table = columns[1:], first, table[:, 1:]
    labels: dict[str, int] = {}
    if _has_others(table):
        table, labels = _two_values(table, sheet.name, options)
    points: Sequence[Hashable] | None = None
    notes: tuple[str, ...] = ()
    if columns is not None:
        points, notes = values.numbered_names(columns, "names of points")
    if names is not None:
        names, more = values.numbered_names(names, "names of hypotheses")
        notes = (*notes, *more)
    source = "names from the file"
    told = (*values.ones_told(labels), *sheet.how)
    reading = values.TableReading(
        source if names is not None else "", source if columns is not None else "", told, notes
    )
    return values.NamedTable(table, points, names, reading)


def _blocks(table: npt.NDArray[np.generic]) -> Iterable[npt.NDArray[np.generic]]:
    step = max(1, (1 << 22) // max(1, table.shape[1]))
    return (table[start : start + step] for start in range(0, len(table), step))


def _has_others(table: npt.NDArray[np.generic]) -> bool:
    if table.dtype.kind == "b":
        return False
    return any(((block != 0) & (block != 1)).any() for block in _blocks(table) if block.size)


def _two_values(
    table: npt.NDArray[np.generic], name: str, options: sheets.TableOptions
) -> tuple[Table, dict[str, int]]:
    """Return the labels that an array of two other values means."""
    counts: Counter[str] = Counter()
    held: dict[str, object] = {}
    for block in _blocks(table):
        found, often = np.unique(block, return_counts=True, equal_nan=True)
        for value, count in zip(found.tolist(), often.tolist(), strict=True):
            text = sheets.cell_text(value)
            counts[text] += count
            held[text] = value
        if len(held) > 1000:
            break

    def place(text: str) -> str:
        value = held[text]
        same = table != table if text == sheets.MISSING else table == value  # noqa: PLR0124  # NaN
        row, column = np.unravel_index(int(np.argmax(same)), table.shape)
        return f"at row {row}, column {column}"

    labels = values.Values(dict(counts), place, name, options, bare=True).labels()
    made = np.zeros(table.shape, dtype=np.uint8)
    for text, label in labels.items():
        if label:
            made |= np.asarray(table == held[text], dtype=np.uint8)
    return made, labels


def _table_of_sets(sheet: sheets.Sheet) -> values.NamedTable:
    """Return a table whose hypotheses are given by the points that they label 1."""
    sets = sheet.sets or []
    listed: Sequence[Hashable] = [] if sheet.columns is None else sheet.columns
    try:
        place = {point: column for column, point in enumerate(dict.fromkeys(listed))}
        for _, points in sets:
            for point in points:
                place.setdefault(point, len(place))
        table = np.zeros((len(sets), len(place)), dtype=np.uint8)
        for row, (_, points) in enumerate(sets):
            table[row, [place[point] for point in points]] = 1
    except TypeError:
        raise InvalidInput(sheet.name, "a list within a set", "sets of points") from None
    names = [name for name, _ in sets if name is not None]
    made, notes = values.numbered_names(names, "names of hypotheses") if names else (None, ())
    told = ("each line lists the points labelled 1", *sheet.how)
    above = f"names from line {sheet.header_line}" if sheet.header_line else ""
    return values.NamedTable(
        table, list(place), made, values.TableReading("named" if made else "", above, told, notes)
    )
