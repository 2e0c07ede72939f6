"""The one reader of people's tables: what the cells of a file mean, and what was read.

What only one reading fits is read and said in a line; what two fit is refused with the options that
settle it. Whatever is wrong with a file is an :class:`InvalidInput` whose argument is its name.
Lines and columns are counted from 1.
"""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

import numpy as np
import numpy.typing as npt

from pac_stability.classes.bits import Table
from pac_stability.classes.formats import (
    DECIMAL,
    MISSING,
    Sheet,
    TableOptions,
    cell_text,
    frame_sheet,
    mark_of,
    open_sheet,
    text_rows,
)
from pac_stability.classes.validation import Vector, exact_number
from pac_stability.data.sample import decode_point
from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath

_LARGE = 1 << 20
"""From how many bytes on a text of 0 and 1 is read by whole arrays."""

_MOST_VALUES = 250
_PAIRS = (
    *(("0", "1"), ("false", "true"), ("f", "t"), ("no", "yes"), ("n", "y"), ("off", "on")),
    *(("falsch", "wahr"), ("faux", "vrai"), ("falso", "verdadero"), ("falso", "vero")),
    *(("nein", "ja"), ("non", "oui"), ("onwaar", "waar"), ("fa\u0142sz", "prawda")),
)
_LABEL = {word: label for pair in _PAIRS for label, word in enumerate(pair)}
_ALONE = (
    *(("", "x"), (".", "x"), ("-", "+"), ("\u2212", "+"), ("-1", "1")),
    *(
        ("", "\u2713"),
        ("", "\u2714"),
        ("\u2717", "\u2713"),
        ("\u2718", "\u2714"),
        ("\u274c", "\u2705"),
    ),
)
"""Pairs that mean 0 and 1 where they are the only values of the table."""

_ONLY = {"x": ("", "x"), "+": ("-", "+"), "-1": ("-1", "1")}
"""What means one of them where it is the only value: nobody writes a blank for nothing."""

_WORDS = frozenset(chain.from_iterable((*_PAIRS, *_ALONE)))
_ABSENT = frozenset({MISSING, "", "na", "n/a", "nan", "null", "none", "<na>", "?", "#n/a"})
_INDEX = frozenset({
    *("", "index", "id", "ids", "row", "rows", "row.names", "rownames", "row_names", "rowname"),
    *("...1", "nr", "nr.", "no.", "number", "#", "obs", "case", "level_0", "__index_level_0__"),
    *("name", "names", "hypothesis", "hypotheses", "v1.names", "key", "rowid", "row_id", "x.1"),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableReading:
    """What was read as what; ``str()`` is what the command says after the counts.

    Attributes
    ----------
    names, points
        Where the names of hypotheses, and of points, come from; empty if they have none.
    more
        Whatever else was decided.
    notes
        What a reader should be told besides.
    """

    names: str = ""
    points: str = ""
    more: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table from a file, with what the file says beside it."""

    table: npt.NDArray[np.generic]
    points: Sequence[Hashable] | None = None
    hypotheses: Sequence[str] | None = None
    reading: TableReading = TableReading()


def read_table(path: FilePath, options: TableOptions) -> NamedTable:
    """Read a table of two values from a file in any of the formats.

    Parameters
    ----------
    path
        The file; see :meth:`FiniteClass.from_file` for what it can be.
    options
        What settles that which the file leaves open.

    Raises
    ------
    InvalidInput
        The file cannot be read, is no such table, or can be read in two ways; the message says
        where, and by what option it is read.
    """
    return _table_of(open_sheet(path, options), options)


def table_of_frame(frame: object, argument: str = "table") -> NamedTable:
    """Return the table of a data frame or of a sparse matrix, with its names."""
    sheet = frame_sheet(frame, argument)
    sheet.header_line = 0
    return _table_of(sheet, TableOptions())


def _table_of(sheet: Sheet, options: TableOptions) -> NamedTable:
    if sheet.sets is not None:
        return _table_of_sets(sheet)
    if sheet.array is not None:
        return _table_of_array(sheet, options)
    fast = _large(sheet, options)
    if fast is not None:
        return fast
    return _TextTable(sheet, options).table()


# Which of two values is 1


@dataclass(frozen=True, slots=True)
class _Values:
    """The distinct values of a table: how often each, and where first."""

    counts: dict[str, int]
    place: Callable[[str], str]
    name: str
    options: TableOptions
    plain: Sequence[int] = ()
    """The columns, from 1, whose values are known ones, if not all columns are such."""

    bare: bool = False
    """Whether the values are numbers, not texts."""

    named: bool = False
    """Whether all would be well if the first column had names."""

    def labels(self) -> dict[str, int]:
        """Return the label that each value means."""
        groups: dict[str, list[str]] = {}
        for value in self.counts:
            groups.setdefault(_plain(value), []).append(value)
        if self.options.ones is not None:
            ones = self._ones(groups)
        elif groups.keys() <= _LABEL.keys():
            return {value: _LABEL[_plain(value)] for value in self.counts}
        else:
            pair = next((pair for pair in _ALONE if {*pair} == groups.keys()), None)
            pair = _ONLY.get("".join(groups)) if len(groups) == 1 else pair
            if pair is None:
                raise self._refused(groups)
            ones = pair[1]
        return {value: int(_plain(value) == ones) for value in self.counts}

    def _ones(self, groups: dict[str, list[str]]) -> str:
        ones = self.options.ones or ""
        plain = _plain(ones)
        if plain not in groups and len(groups) > 1:
            raise InvalidInput(self.name, f"no cell {ones!r}", f"one of {self._shown(groups)}")
        if len(groups) > 2 or MISSING in groups:
            raise self._refused(groups)
        return plain

    def _refused(self, groups: dict[str, list[str]]) -> InvalidInput:
        spelled = self.options.spelled
        others = groups.keys() - _LABEL.keys()
        absent = [group for group in groups if group in _ABSENT]
        blank = set(absent) == {""} and len(groups) <= 2  # a blank can be a value
        if MISSING in groups or (absent and not blank and len(others) == len(absent)):
            lost = MISSING if MISSING in groups else absent[0]
            value = groups[lost][0]
            shown = "no value" if lost == MISSING else repr(value)
            total = sum(self.counts[v] for group in absent for v in groups[group])
            given = f"{shown} {self.place(value)}{f', {total} such cells' if total > 1 else ''}"
            return InvalidInput(self.name, given, "a value in every cell")
        if len(groups) > 2 or self.options.ones is not None:
            wanted = "two values"
            if self.plain:
                listed = _ranges(self.plain)
                columns = spelled("columns", listed if self.options.command else listed.split(","))
                wanted += f"; {columns} reads the columns that have them"
            if self.named:
                wanted += f"; {spelled('names', True)} takes the first column for names"
            return InvalidInput(self.name, f"{len(groups)} values: {self._shown(groups)}", wanted)
        ways = " or ".join(spelled("ones", spelling[0]) for spelling in groups.values())
        known = "0 and 1, True and False, yes and no, X and blank"
        which = ", which of the two is 1"
        if len(groups) == 1:
            which = f", if it is 1, or {spelled('ones', 'X')}, if it is 0"
        wanted = f"values 0 and 1 only, or two that mean them ({known}); or {ways}{which}"
        return InvalidInput(self.name, self._shown(groups), wanted)

    def _shown(self, groups: dict[str, list[str]]) -> str:
        parts = []
        for group in sorted(groups, key=_LABEL.__contains__)[:4]:
            spelling = groups[group]
            count = sum(self.counts[value] for value in spelling)
            often = "once" if count == 1 else f"{count} times"
            value = spelling[0] if len(spelling[0]) <= 40 else f"{spelling[0][:37]}..."
            shown = value if self.bare else repr(value)
            parts.append(f"{shown} {self.place(spelling[0])} ({often})")
        return ", ".join([*parts, *["..."] * (len(groups) > 4)])


def _plain(value: str) -> str:
    """Return what two spellings of one value have in common; ``00`` and ``01`` are text."""
    if len(value) == 1:
        return value.lower()
    if re.fullmatch(r"[+-]?0[0-9].*", value) or not DECIMAL.fullmatch(value):
        return value.strip().casefold()
    return str(Fraction(value.replace(",", ".")))


def _ones_told(labels: dict[str, int]) -> tuple[str, ...]:
    """Say what is read as 1, unless that is a number 1 beside 0."""
    ones = sorted({value for value, label in labels.items() if label})
    plain = all(_plain(value) in ("0", "1") for value in labels)
    return () if plain or not ones else (f"1 = {' or '.join(map(repr, ones[:3]))}",)


def _pairs_of(found: set[str]) -> list[tuple[str, str]]:
    """Return the known pairs to which some values can belong."""
    return [pair for pair in (*_PAIRS, *_ALONE) if found and found <= {*pair}]


def _ranges(numbers: Sequence[int]) -> str:
    """Write increasing numbers in short.

    Examples
    --------
    >>> _ranges([1, 2, 3, 5])
    '1-3,5'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)


def _is_number(cell: str) -> bool:
    return DECIMAL.fullmatch(cell) is not None


def _is_index(name: str) -> bool:
    """Whether a name in small letters is one that tools write above the names of rows."""
    return name in _INDEX or name.startswith("unnamed:")


def _counts(cells: Sequence[str]) -> bool:
    """Whether cells count, from 0 or from 1."""
    first = cells[0] if cells else ""
    return first in ("0", "1") and all(
        cell == str(number) for number, cell in enumerate(cells, int(first))
    )


def _numbered(names: Sequence[str], what: str) -> tuple[list[str], tuple[str, ...]]:
    """Make names differ by a number behind them, and say so."""
    repeated = {name: count for name, count in Counter(names).items() if count > 1}
    if not repeated:
        return list(names), ()
    taken, seen, made = set(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        new, number = name, seen[name]
        while number > 1 and new in taken:
            new, number = f"{name}#{number}", number + 1
        taken.add(new)
        made.append(new)
    shown = ", ".join(repr(name) for name in list(repeated)[:3])
    more = ", ..." if len(repeated) > 3 else ""
    return made, (f"{what} repeat and are numbered ({shown}{more})",)


# Cells of text


class _Code(dict[str, int]):
    """Numbers the values of a table in the order in which they come."""

    def __missing__(self, value: str) -> int:
        if len(self) >= _MOST_VALUES:
            raise OverflowError
        self[value] = number = len(self)
        return number


class _TextTable:
    """The cells of a text: the first line and the first column apart, the others as codes."""

    def __init__(self, sheet: Sheet, options: TableOptions) -> None:
        self.sheet, self.options, self.name = sheet, options, sheet.name
        self.codes, self.where = bytearray(), array("q")
        self.first: list[str] = []
        self.code = _Code()
        self.top: tuple[int, list[str]] | None = None
        self.over: tuple[int, int, str] | None = None
        self.short = False  # the header has one cell less than the lines, as R writes it
        self.places: list[int] = []
        self._read()

    def _read(self) -> None:
        rows, known = self.sheet.rows, self.sheet.columns
        self.width = len(known or ())
        if known is None and self.sheet.lines is not None:
            self.top = next(rows, None)
            if self.top is None:
                raise InvalidInput(self.name, "no data", "a table with at least one line")
            self.width = len(self.top[1])
        pending = next(rows, None)
        if known is None and self.top is None:
            self.width = len(pending[1] if pending else self.sheet.domain or ())
        if pending is not None and self.top is not None:
            self._fit_header(pending[1])
        self._choose()
        whole = self.places == list(range(1, self.width))
        code = self.code.__getitem__
        trailing = self.trailing
        blank = 0
        for line, cells in chain([] if pending is None else [pending], rows):
            if not cells:
                blank = blank or line
                continue
            if trailing and len(cells) == self.width + 1 and not cells[-1]:
                cells = cells[:-1]  # noqa: PLW2901  # as the header is
            if len(cells) != self.width:
                raise self._ragged(line, len(cells))
            try:
                self.codes += bytes(
                    map(code, cells[1:] if whole else [cells[place] for place in self.places])
                )
            except OverflowError:
                raise self._too_many(line, cells) from None
            self.first.append(cells[0] if cells else "")
            self.where.append(line)
        self._refuse_blank_crosses(blank)
        self._drop_blank_end()
        self._drop_blank_columns()

    def _refuse_blank_crosses(self, blank: int) -> None:
        """Refuse a column of crosses with a blank line, which may be a line of the table."""
        if self.sheet.lines is not None and self.sheet.lines.content[:1] in (b"\r", b"\n"):
            blank = 1
        cells = {_plain(cell) for cell in self.first or (self.top[1] if self.top else [])}
        if blank and self.width == 1 and (cells <= {"", "x"} or not self.first):
            given = f"a blank line {blank} in a column of crosses"
            raise InvalidInput(self.name, given, '"" for a blank cell, or no such line')

    trailing = False

    def _fit_header(self, cells: list[str]) -> None:
        """Take a header that is shorter by one for that of a table with names of rows."""
        assert self.top is not None  # noqa: S101  # asked where there is one
        if len(cells) != self.width + 1:
            return
        if not cells[-1] and _plain(cells[0]) in _WORDS:
            self.trailing = True
        elif self.options.header is not False and self.options.names is not False:
            self.short, self.width = True, self.width + 1
            self.top = (self.top[0], ["", *self.top[1]])

    def _ragged(self, line: int, count: int) -> InvalidInput:
        sets = self.options.spelled("table_format", "sets")
        wanted = f"{self.width}, as in the first line"
        if self.width == 1:
            wanted += " (a title above the table is none of its lines)"
        if count <= self.width + 1 or not self.sheet.lines:
            wanted += f" (or {sets}, if a line lists the points that are labelled 1)"
        return InvalidInput(self.name, f"{count} cells in line {line}", wanted)

    def _choose(self) -> None:
        """Find the columns that were asked for; by default all but the first, which is special."""
        wanted = self.options.columns
        if wanted is None:
            self.places = list(range(1, self.width))
            return
        header = self.sheet.columns or (self.top[1] if self.top else [])
        self.places, named = chosen_places(wanted, header, self.width)
        if named and self.sheet.columns is None and self.options.header is None:
            self.options = replace(self.options, header=True)

    def _too_many(self, line: int, cells: Sequence[str]) -> InvalidInput:
        place = next((p for p in self.places if cells[p] not in self.code), 0)
        header = self.sheet.columns or (self.top[1] if self.top else [])
        called = f" ({header[place]!r})" if place < len(header) else ""
        given = f"more than {_MOST_VALUES} values, {cells[place][:40]!r} in line {line}"
        columns = self.options.spelled("columns", "1,2" if self.options.command else [1, 2])
        return InvalidInput(
            self.name, f"{given}, column {place + 1}{called}", f"two values; {columns} reads fewer"
        )

    def _drop_blank_end(self) -> None:
        """Drop what a spreadsheet leaves behind the data: lines without anything in them."""
        blank, width = self.code.get(""), len(self.places)
        crosses = {_plain(value) for value in self.code} <= {"", "x"}
        if crosses and {_plain(cell) for cell in self.first} <= {"", "x"}:
            return  # without names a line of blanks is a hypothesis
        while self.first and not self.first[-1] and blank is not None and width:
            if self.codes[-width:].count(blank) < width:
                break
            del self.codes[-width:], self.first[-1], self.where[-1]

    def _drop_blank_columns(self) -> None:
        """Drop what a spreadsheet leaves to the right of the data: columns of nothing."""
        blank, header = self.code.get(""), self.sheet.columns or (self.top[1] if self.top else [])
        if blank is None or self.options.columns is not None or not self.first:
            return
        codes = np.frombuffer(bytes(self.codes), dtype=np.uint8)
        codes, width = codes.reshape(len(self.first), -1), self.width
        while width > 1 and not header[width - 1] and (codes[:, width - 2] == blank).all():
            width -= 1
        if width == self.width:
            return
        crosses = {_plain(value) for value in self.code} <= {"", "x"}
        told = [*map(_plain, header[:width])]
        if crosses and ({*told} <= {"", "x"} or {*told[1:]} & {"", "x"}):
            return  # the line above may be one of crosses
        left, old = codes[:, : width - 1], list(self.code)
        self.code = _Code()
        turned = np.zeros(256, dtype=np.uint8)
        for value in np.unique(left).tolist():
            turned[value] = self.code[old[value]]
        self.codes, self.places = bytearray(turned[left].tobytes()), list(range(1, width))
        if self.top is not None:
            self.top = self.top[0], self.top[1][:width]
        self.width = width

    # What is what

    def table(self) -> NamedTable:
        """Decide, and return the table with its names."""
        if self.options.columns is not None and 0 in self.places:
            return self._finish(self._header(whole=True), names=False)
        bits = self._bit_strings()
        if bits is not None:
            return bits
        kind = self._kind()
        header = self._header(whole=kind in ("values", "alone"))
        return self._finish(header, names=self._has_names(kind, header))

    def _values(self) -> set[str]:
        """Return what the cells can be: their values, and the partners of those."""
        found = {_plain(value) for value in self.code}
        if self.options.ones is not None:
            return found
        return found.union(*_pairs_of(found))

    def _kind(self) -> str:
        """Say what the first column is: names in text, a count, other numbers, or values."""
        if self.width <= 1:
            return "alone"
        values, first = self._values(), self.first
        if not first and self.top is not None:  # one line: of data, or of names alone
            first = self.top[1][:1]
            values = {_plain(cell) for cell in self.top[1][1:]}
            values = values.union(*_pairs_of(values))
        plain = {_plain(cell) for cell in first}
        counted = _counts(self._first_column())
        # A count is written without the decimals that the values have.
        others = [*self.code] or (self.top[1][1:] if self.top else [])
        fraction = all("." in value for value in others) and "." not in "".join(first)
        if counted and (fraction or not any(map(_is_number, values))):
            return "count"
        if plain <= values or plain <= {"0", "1"} or plain | values <= _LABEL.keys():
            return "values"
        if not all(map(_is_number, first)):
            return "text"
        return "count" if counted or _counts(self.first) else "numbers"

    def _first_column(self) -> list[str]:
        """Return the first column as it is if no line names the points."""
        return [*([] if self.top is None else self.top[1][:1]), *self.first]

    def _header(self, *, whole: bool) -> list[str] | None:
        """Return the names of the columns, if the first line has them."""
        if self.sheet.columns is not None:
            return self.sheet.columns
        if self.top is None:
            return None
        line, cells = self.top
        lines = self.sheet.lines
        marked = lines is not None and lines.quoted_top and not lines.quoted_rest
        quoted = marked and bool(self.first) and any(cells)
        said = None if lines is None else lines.header
        said = True if said is None and quoted else said
        if self.options.header is None and said is not None:
            self.options = replace(self.options, header=said)
        if self.options.header is not None or self.short:
            return cells if self.short or self.options.header else None
        if not self.codes and not self.first:
            plain = all(_plain(cell) in _WORDS for cell in cells[1:] or cells)
            return None if plain else cells
        values = self._values()
        if self.width == 1:
            values = {_plain(cell) for cell in self.first}
            values = values.union(*_pairs_of(values))
        corner = cells[0].casefold()
        if self.width > 1 and corner not in values and _is_index(corner):
            return cells
        if (not whole or self.options.names) and _counts(self._first_column()):
            return None
        asked = cells if (whole and self.options.names is not True) else cells[1:]
        if self.options.columns is not None:
            asked = [cells[place] for place in self.places]
        outside = [cell for cell in asked if _plain(cell) not in values]
        numeric = all(map(_is_number, asked))
        if not outside:
            one = asked == ["1"] and (self.width == 1 or not any(map(_is_number, self.first)))
            if (one or asked in (["0"], ["0", "1"])) and values <= {"0", "1", "-1"}:
                raise self._either("header", f"{','.join(cells)!r} as line {line}", "points")
            return None
        if (
            numeric
            and len({*asked}) == len(asked)
            and {"0", "1"} >= {_plain(value) for value in self.code if self.width > 1}
        ):
            return cells
        inside = [cell for cell in asked if cell and _plain(cell) in values]
        if (not inside and not numeric) or (
            len(inside) < len(outside) and all(map(_is_text, outside)) and "0" not in inside
        ):
            return cells
        if numeric and len({*asked}) < len(asked):
            return None
        raise self._either("header", f"{outside[0]!r} in line {line}", "points")

    def _either(self, option: str, given: str, what: str) -> InvalidInput:
        """Refuse what can be read in two ways."""
        yes, no = (self.options.spelled(option, value) for value in (True, False))
        line = "line" if option == "header" else "column"
        wanted = f"{yes}, if the first {line} names the {what}, or {no}, if it is data"
        return InvalidInput(self.name, given, wanted)

    def _has_names(self, kind: str, header: list[str] | None) -> bool | None:
        """Say whether the first column names the rows; ``None`` if it is to be left out."""
        given, lines = self.options.names, self.sheet.lines
        if given is None and lines is not None:
            given = lines.names
            if given is None and self.first and lines.quoted_names and not lines.quoted_rest:
                given = True
        if given is None and header is not None and not self.first:
            return False
        if given is False and kind == "text":
            return None
        if given is not None or kind == "alone":
            return bool(given)
        if self.sheet.names is not None:
            return False
        corner = header[0].casefold() if header else None
        index = corner is not None and corner in _INDEX
        if self.short or kind == "text":
            return True
        if corner is not None and (not corner or corner.startswith("unnamed:")):
            return True
        if kind == "count" or (index and _counts(self.first)):
            return True
        if index and len({*self.first}) == len(self.first) and all(map(_is_number, self.first)):
            if kind == "numbers":
                return True
            shown = f"{header[0] if header else ''!r} above the first column"
            raise self._either("names", shown, "hypotheses")
        values = self._values()
        if kind == "numbers" and not any(map(_is_number, values)):
            return bool(_pairs_of({_plain(value) for value in self.code}))
        if kind == "numbers" and values <= {"0", "1", "-1"}:
            row = next(r for r, cell in enumerate(self.first) if _plain(cell) not in _LABEL)
            given_cell = f"{self.first[row]!r} in line {self.where[row]}, column 1"
            if header is None and self.top is not None and self.options.header is None:
                names = self.options.spelled("names", True)
                wanted = f"values 0 and 1 only (or {names}, if this column names the hypotheses)"
                raise InvalidInput(self.name, given_cell, wanted)
            raise self._either("names", given_cell, "hypotheses")
        plain = header is None and lines is not None and lines.header is None  # nobody said
        top = {*map(_plain, self.top[1])} if self.top else set()
        if plain and top <= values | {"0", "1"} and _counts(self._first_column()):
            counted = " and ".join(map(repr, self._first_column()))
            raise self._either("names", f"{counted} as the first column", "hypotheses")
        return False

    def _bit_strings(self) -> NamedTable | None:
        """Read one column of strings of 0 and 1, all of a length: a string for each hypothesis."""
        said = self.sheet.lines is not None and self.sheet.lines.names is not None
        if self.width > 2 or self.sheet.columns is not None or said:
            return None
        column = self.first if self.width == 1 else [*self._column()]
        top = self.top[1][-1] if self.top else ""
        body = column or [top]
        length = len(body[0])
        if length < 2 or not all(len(c) == length and not c.strip("01") for c in body):
            return None
        header = self.options.header
        if header is None:
            header = not (len(top) == length and not top.strip("01"))
        strings = body if header or not column else [top, *body]
        named = self.width == 2
        tops = self.top[1][:1] if self.top and not self.first else []
        if named and (self.options.names is False or any(map(_is_number, [*self.first, *tops]))):
            return None
        names = [*self.first] if named else None
        if named and not header and self.top:
            names = [self.top[1][0], *self.first]
        table = np.array([[*map(int, text)] for text in strings], dtype=np.uint8)
        made, notes = _numbered(names, "names of hypotheses") if names else (None, ())
        told = ("a string of 0 and 1 for each hypothesis", *self.sheet.how)
        return NamedTable(
            table, None, made, TableReading("names from column 1" if named else "", "", told, notes)
        )

    def _column(self) -> Iterable[str]:
        values = list(self.code)
        return (values[code] for code in self.codes)

    def _finish(self, header: list[str] | None, *, names: bool | None) -> NamedTable:
        options, width = self.options, len(self.places)
        places, codes = list(self.places), np.frombuffer(bytes(self.codes), dtype=np.uint8)
        codes = codes.reshape(len(self.first), width)
        first = list(self.first)
        where = list(self.where)
        if header is None and self.top is not None:  # the line that was kept aside is data
            line, cells = self.top
            try:
                row = [self.code[cells[place]] for place in places]
            except OverflowError:
                raise self._too_many(line, cells) from None
            codes = np.vstack([np.array([row], dtype=np.uint8), codes])
            first, where = [cells[0], *first], [line, *where]
        if options.columns is None and names is False and self.width > 0:
            try:
                column = [self.code[cell] for cell in first]
            except OverflowError:
                raise self._too_many(where[-1], first[-1:]) from None
            codes = np.hstack([np.array(column, dtype=np.uint8).reshape(-1, 1), codes])
            places = [0, *places]
        labels = self._labels(codes, where, places)
        table = np.zeros(256, dtype=np.uint8)
        for value, label in labels.items():
            table[self.code[value]] = label
        told = self._named(
            header, first if names else None, where, places, labels, left=names is None
        )
        return NamedTable(table[codes] if codes.size else codes, *told)

    def _labels(self, codes: Table, where: Sequence[int], places: Sequence[int]) -> dict[str, int]:
        values = list(self.code)
        found = np.bincount(codes.ravel(), minlength=len(values)).tolist()
        seen, start = np.unique(codes, return_index=True)
        counts = {values[code]: found[code] for code in seen[np.argsort(start)].tolist()}

        def place(value: str) -> str:
            row, column = np.unravel_index(int(np.argmax(codes == self.code[value])), codes.shape)
            return f"in line {where[int(row)]}, column {places[int(column)] + 1}"

        known = np.array([_plain(value) in _LABEL for value in values], dtype=np.bool_)
        plain = np.flatnonzero(known[codes].all(axis=0)).tolist() if len(counts) > 2 else []
        columns = [places[column] + 1 for column in plain]
        rest = {_plain(values[code]) for code in np.unique(codes[:, 1:]).tolist()}
        named = bool(places) and places[0] == 0 and bool(_pairs_of(rest))
        found_values = _Values(counts, place, self.name, self.options, columns, named=named)
        labels = found_values.labels()
        return {value: labels.get(value, 0) for value in values}

    def _named(  # what was decided
        self,
        header: list[str] | None,
        names: list[str] | None,
        where: Sequence[int],
        places: Sequence[int],
        labels: dict[str, int],
        *,
        left: bool,
    ) -> tuple[Sequence[Hashable] | None, Sequence[str] | None, TableReading]:
        sheet = self.sheet
        notes: tuple[str, ...] = ()
        points: Sequence[Hashable] | None = None
        above = sheet.header_line or (0 if self.top is None else self.top[0])
        said = ""
        if sheet.domain is not None:
            points = [decode_point(point, self.name) for point in sheet.domain]
            if len(points) != len(places):
                given = f"{len(points)} points"
                raise InvalidInput(self.name, given, f"{len(places)}, one for each column")
        elif header is not None:
            points, notes = _numbered([header[place] for place in places], "names of points")
            said = f"names from line {above}" if above else "names from the file"
        source = "names from column 1"
        if names is not None:
            for row, name in enumerate(names):
                if not name or name == MISSING:
                    given = f"{name!r} in line {where[row]}, column 1"
                    raise InvalidInput(self.name, given, "a name")
        elif sheet.names is not None:
            names, source = list(sheet.names), "names from the file"
            if len(names) != len(where):
                given = f"{len(names)} names"
                raise InvalidInput(self.name, given, f"{len(where)}, one for each row")
        if names is not None:
            names, more = _numbered(names, "names of hypotheses")
            notes = (*notes, *more)
        told = [*_ones_told(labels), *sheet.how]
        if left:
            told.append("column 1, a text, left out")
        return points, names, TableReading(source if names else "", said, tuple(told), tuple(notes))


def _is_text(cell: str) -> bool:
    return bool(cell) and not _is_number(cell) and cell.casefold() not in _ABSENT | _WORDS


def chosen_places(
    wanted: Sequence[str | int], header: Sequence[str], width: int
) -> tuple[list[int], bool]:
    """Return the positions of columns that are called by name or number, and whether by name."""
    places, named = [], False
    for column in wanted:
        text = str(column).strip()
        part = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
        if not isinstance(column, int) and text in header:
            places.append(list(header).index(text))
            # A number among the names of the first line may be one of its numbers.
            named = named or not part
        elif part and 1 <= int(part[1]) <= int(part[2] or part[1]) <= width:
            places += range(int(part[1]) - 1, int(part[2] or part[1]))
        else:
            shown = ", ".join(header[:20]) + (", ..." if len(header) > 20 else "")
            names = f"one of {shown}, or " if header else ""
            raise InvalidInput("columns", repr(column), f"{names}a number from 1 to {width}")
    if len({*places}) < len(places):
        raise InvalidInput("columns", "a column twice", "each once")
    return places, named


# Writing what the reader reads back


def text_of_table(
    rows: list[list[int]], domain: Sequence[Hashable], names: Sequence[str] | None
) -> str:
    """Write a table as comma-separated text; a comment says how to read it, where it must."""
    top = tuple(domain) != tuple(range(len(domain))) or not rows
    header = [str(point) for point in domain]
    called = [*(header if top else ()), *(names or ())]
    first = list(names or ()) or [str(row[0]) for row in rows if row]
    like_names = not top and (rows[0] in ([0], [1], [0, 1]) or _counts(first))
    corner = header[:1] if top and names is None else [] if top else list(names or ())[:1]
    index = any(_is_index(name.casefold()) for name in corner)
    text = io.StringIO(newline="")
    odd = like_names or index or any(map(_is_odd, called))
    if odd:
        text.write(f"{mark_of(header=top, names=names is not None)}\n")
    writer = csv.writer(text, lineterminator="\n")
    if odd:
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    if top:
        writer.writerow(header if names is None else ["name", *header])
    if names is None:
        writer.writerows(rows)
    else:
        writer.writerows([name, *row] for name, row in zip(names, rows, strict=True))
    return text.getvalue()


def _is_odd(name: str) -> bool:
    """Whether a name could be taken for a value, a comment or several cells."""
    plain = name.strip().casefold()
    special = re.search(r"[,;\t|\\\"\r\n]|^[#%\ufeff]|^sep=", name)
    return name != name.strip() or _is_number(name) or plain in _WORDS | _ABSENT or bool(special)


# Large texts of 0 and 1, by whole arrays


def _large(sheet: Sheet, options: TableOptions) -> NamedTable | None:
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
    start = _TextTable(replace(sheet, rows=text_rows(head, sheet.name), lines=head), options)
    kind = start._kind()
    header = start._header(whole=kind in ("values", "alone"))
    named = start._has_names(kind, header)
    if named is None or start.trailing or start.short or not start.codes:
        return None
    body = content[newline + 1 :] if header is not None else content
    table, names = _zeros_and_ones(body, lines.delimiter.encode(), start.width, named=named)
    if table is None or (named and kind == "count" and not _counts(names)):
        return None
    start.codes, start.first, start.top = bytearray(), [], None
    points: Sequence[Hashable] | None = None
    notes: tuple[str, ...] = ()
    if header is not None:
        points, notes = _numbered(header[int(named) :], "names of points")
    made: list[str] | None = None
    if named:
        made, more = _numbered(names, "names of hypotheses")
        notes = (*notes, *more)
        if not all(made):
            return None
    reading = TableReading(
        "names from column 1" if named else "",
        "names from line 1" if header is not None else "",
        tuple(sheet.how),
        notes,
    )
    return NamedTable(table, points, made, reading)


def _zeros_and_ones(
    body: bytes, delimiter: bytes, width: int, *, named: bool
) -> tuple[Table | None, list[str]]:
    """Return a table of cells of one character, 0 or 1, if that is what the lines are."""
    names: list[str] = []
    if named:
        width -= 1
        tail = 2 * width
        rows = body.split(b"\n")
        if not rows[-1]:
            rows.pop()
        if rows and rows[0].endswith(b"\r"):
            rows = [row.removesuffix(b"\r") for row in rows]
        if any(row[-tail : 1 - tail] != delimiter for row in rows):
            return None, []
        names = [row[:-tail].decode().strip() for row in rows]
        if any(delimiter.decode() in name for name in names):
            return None, []
        body = b"".join([row[1 - tail :] + b"\n" for row in rows])
        del rows
    ending = 2 if body[: 2 * width + 1].endswith(b"\r\n") else 1
    if not body.endswith(b"\n"):
        body += b"\r\n"[2 - ending :]
    length = 2 * width - 1 + ending
    if len(body) % length:
        return None, []
    lines = np.frombuffer(body, dtype=np.uint8).reshape(-1, length)
    table = np.empty((len(lines), width), dtype=np.uint8)
    step = max(1, (1 << 22) // length)
    for start in range(0, len(lines), step):
        block = lines[start : start + step]
        some = np.subtract(block[:, : 2 * width : 2], ord("0"), out=table[start : start + step])
        marks = block[:, 1 : 2 * width - 1 : 2]
        if some.max() > 1 or (marks != ord(delimiter)).any() or (block[:, -1] != ord("\n")).any():
            return None, []
    return table, names


# Arrays, and sets of points


def _table_of_array(sheet: Sheet, options: TableOptions) -> NamedTable:
    table, columns, names = sheet.array, sheet.columns, sheet.names
    assert table is not None  # noqa: S101  # asked where there is one
    if table.ndim != 2:
        given = f"{table.ndim} dimension(s)"
        raise InvalidInput(sheet.name, given, "2: a row for each hypothesis, a column a point")
    if options.columns is not None:
        places, _ = chosen_places(options.columns, columns or [], table.shape[1])
        table = table[:, places]
        columns = None if columns is None else [columns[place] for place in places]
    elif columns and names is None and options.names is not False:
        corner = columns[0].casefold()
        if _is_index(corner):
            first = [cell_text(cell) for cell in table[:, 0].tolist()]
            if _counts(first) or options.names:
                columns, names, table = columns[1:], first, table[:, 1:]
    labels: dict[str, int] = {}
    if _has_others(table):
        table, labels = _two_values(table, sheet.name, options)
    points: Sequence[Hashable] | None = None
    notes: tuple[str, ...] = ()
    if columns is not None:
        points, notes = _numbered(columns, "names of points")
    if names is not None:
        names, more = _numbered(names, "names of hypotheses")
        notes = (*notes, *more)
    source = "names from the file"
    told = (*_ones_told(labels), *sheet.how)
    reading = TableReading(
        source if names is not None else "", source if columns is not None else "", told, notes
    )
    return NamedTable(table, points, names, reading)


def _blocks(table: npt.NDArray[np.generic]) -> Iterable[npt.NDArray[np.generic]]:
    step = max(1, (1 << 22) // max(1, table.shape[1]))
    return (table[start : start + step] for start in range(0, len(table), step))


def _has_others(table: npt.NDArray[np.generic]) -> bool:
    if table.dtype.kind == "b":
        return False
    return any(((block != 0) & (block != 1)).any() for block in _blocks(table) if block.size)


def _two_values(
    table: npt.NDArray[np.generic], name: str, options: TableOptions
) -> tuple[Table, dict[str, int]]:
    """Return the labels that an array of two other values means."""
    counts: Counter[str] = Counter()
    held: dict[str, object] = {}
    for block in _blocks(table):
        found, often = np.unique(block, return_counts=True, equal_nan=True)
        for value, count in zip(found.tolist(), often.tolist(), strict=True):
            text = cell_text(value)
            counts[text] += count
            held[text] = value
        if len(held) > 1000:
            break

    def place(text: str) -> str:
        value = held[text]
        same = table != table if text == MISSING else table == value  # noqa: PLR0124  # NaN
        row, column = np.unravel_index(int(np.argmax(same)), table.shape)
        return f"at row {row}, column {column}"

    labels = _Values(dict(counts), place, name, options, bare=True).labels()
    made = np.zeros(table.shape, dtype=np.uint8)
    for text, label in labels.items():
        if label:
            made |= np.asarray(table == held[text], dtype=np.uint8)
    return made, labels


def _table_of_sets(sheet: Sheet) -> NamedTable:
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
    made, notes = _numbered(names, "names of hypotheses") if names else (None, ())
    told = ("each line lists the points labelled 1", *sheet.how)
    above = f"names from line {sheet.header_line}" if sheet.header_line else ""
    return NamedTable(
        table, list(place), made, TableReading("named" if made else "", above, told, notes)
    )


# Points with exact coordinates


def read_points(
    path: FilePath,
    *,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    names: bool | None = None,
    delimiter: str | None = None,
    table_format: str | None = None,
    max_bytes: int = TableOptions().max_bytes,
) -> list[Vector]:
    """Read points with exact coordinates from a numeric table.

    Parameters
    ----------
    path
        A file in any of the formats that :meth:`FiniteClass.from_file` reads.
    columns
        Names from the header, or numbers from 1, to read only these, in this order.
    header
        Whether the first line names the coordinates; by default it does when no cell is a number.
    names
        Whether the first column names the points and is no coordinate; by default it does when it
        is text, or an index as pandas and R write it.
    delimiter, table_format, max_bytes
        As for :meth:`FiniteClass.from_file`.

    Returns
    -------
    list of tuples
        A point for each row, repetitions included.  Decimals in text are read exactly (``0.1`` is
        one tenth); floats in arrays are the dyadic rationals that they are.

    Raises
    ------
    InvalidInput
        The file cannot be read, can be read in two ways, or a cell is no finite number; the message
        says where.
    """
    options = TableOptions(table_format, header, names, None, columns, delimiter, max_bytes)
    return points_of(path, options)[0]


def points_of(path: FilePath, options: TableOptions) -> tuple[list[Vector], TableReading]:
    """Read points, and say what was read as what; see :func:`read_points`."""
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
        self, sheet: Sheet, options: TableOptions, rows: list[tuple[int, list[str]]]
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
                raise InvalidInput(self.sheet.name, given, f"{width}, as in the first line")
        places, told = self._places(width)
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
        (line, cells), rest = self.rows[0], self.rows[1:]
        header = self.options.header
        called = {str(column).strip() for column in self.options.columns or ()}
        if header is None and any(not name.isdecimal() for name in called & {*cells}):
            header = True
        if header is not False and rest and len(rest[0][1]) == len(cells) + 1 and rest[0][1][-1]:
            cells, header, self.short = ["", *cells], True, True
        if header is None:
            header = self._looks_like_names(line, cells, rest)
        if header:
            self.header, self.above, self.rows = cells, line, rest

    def _looks_like_names(
        self, line: int, cells: list[str], rest: list[tuple[int, list[str]]]
    ) -> bool:
        corner = cells[0].casefold()
        if len(cells) > 1 and _is_index(corner):
            return True
        texty = bool(rest) and len(cells) > 1 and not all(_is_number(row[0]) for _, row in rest)
        asked = cells[1:] if texty else cells
        if not any(map(_is_number, asked)):
            return True
        if not all(map(_is_number, asked)) or not rest:
            return False
        counted = asked == [str(place) for place in range(len(asked))]
        if counted and len(asked) >= 3:
            return True
        plain = {_plain(cell) for _, row in rest for cell in row[int(texty) :]}
        if plain <= {"0", "1"} and len({*asked}) == len(asked) > 1:
            return not {*asked} <= {"0", "1"} or self._either_header(line, cells)
        return counted and self._either_header(line, cells)

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
        corner = self.header[0].casefold() if self.header else None
        if self.short or (first and not any(map(_is_number, first))):
            return True
        if corner is not None and (not corner or corner.startswith("unnamed:")):
            return True
        if not _counts(first):
            return False
        if corner is not None:
            return corner in _INDEX
        yes, no = (self.options.spelled("names", value) for value in (True, False))
        wanted = f"{yes}, if the first column only counts, or {no}, if it is a coordinate"
        given = f"{', '.join(first[:3])}{', ...' if len(first) > 3 else ''} as the first column"
        raise InvalidInput(self.sheet.name, given, wanted)

    def _number(self, cell: str, line: int, place: int) -> int | Fraction:
        """Exact value of a cell."""
        decimal = cell
        separated = self.sheet.lines is not None and self.sheet.lines.delimiter != ","
        if "," in cell and separated:
            decimal = cell.replace(",", ".")
        if not _is_number(cell) or "," in decimal:
            shown = cell if len(cell) <= 40 else f"{cell[:37]}..."
            given = f"{shown!r} in line {line}, column {place + 1}"
            if cell == MISSING:
                given = f"no value in line {line}, column {place + 1}"
            some = self.options.spelled("columns", "1,2" if self.options.command else [1, 2])
            wanted = "finite decimal numbers"
            if re.search(r"[^\W\d]", cell) and self.options.columns is None:
                wanted += f" ({some} reads these columns only)"
            raise InvalidInput(self.sheet.name, given, wanted)
        return exact_number(Fraction(decimal))


def _points_of_array(sheet: Sheet, options: TableOptions) -> tuple[list[Vector], TableReading]:
    array, columns = sheet.array, sheet.columns
    assert array is not None  # noqa: S101  # asked where there is one
    if array.ndim != 2:
        raise InvalidInput(sheet.name, f"{array.ndim} dimension(s)", "2: a row for each point")
    told: tuple[str, ...] = ()
    if options.columns is not None:
        places, _ = chosen_places(options.columns, columns or [], array.shape[1])
        array = array[:, places]
    elif columns and array.shape[1] > 1 and options.names is not False:
        corner = columns[0].casefold()
        first = [cell_text(cell) for cell in array[:, 0].tolist()]
        if options.names or (_is_index(corner) and _counts(first)):
            array, told = array[:, 1:], ("column 1 left out: it names the rows",)
    finite = np.isfinite(array)
    if not finite.all():
        row, column = (int(i) for i in np.unravel_index(np.argmin(finite), array.shape))
        given = f"{array[row, column]} at row {row}, column {column}"
        raise InvalidInput(sheet.name, given, "finite numbers")
    points = [tuple(exact_number(entry) for entry in row) for row in array.tolist()]
    return points, TableReading("", "names from the file" if columns else "", (*told, *sheet.how))
