"""The meaning of the cells of a text: which line and which column are names, and which are data.

A text with only one reading is read; one with two readings is refused, with the options that
decide. Lines and columns are counted from 1.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from pac_stability.classes.bits import Table
from pac_stability.classes.tables import sheets
from pac_stability.classes.tables.values import (
    ABSENT,
    LABEL,
    MOST_VALUES,
    WORDS,
    NamedTable,
    TableReading,
    Values,
    is_index,
    is_number,
    numbered_names,
    ones_told,
    only_counts,
    pairs_of,
    plain_value,
)
from pac_stability.data.sample import decode_point
from pac_stability.errors import InvalidInput


class _Code(dict[str, int]):
    """Numbers the values of a table in the order in which they come."""

    def __missing__(self, value: str) -> int:
        if len(self) >= MOST_VALUES:
            raise OverflowError
        self[value] = number = len(self)
        return number


class TextTable:
    """The cells of a text: the first line and the first column apart, the others as codes."""

    def __init__(self, sheet: sheets.Sheet, options: sheets.TableOptions) -> None:
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
        cells = {plain_value(cell) for cell in self.first or (self.top[1] if self.top else [])}
        if blank and self.width == 1 and (cells <= {"", "x"} or not self.first):
            given = f"a blank line {blank} in a column of crosses"
            raise InvalidInput(self.name, given, '"" for a blank cell, or no such line')

    trailing = False

    def _fit_header(self, cells: list[str]) -> None:
        """Take a header that is shorter by one for that of a table with names of rows."""
        assert self.top is not None  # noqa: S101  # asked where there is one
        if len(cells) != self.width + 1:
            return
        values = {*map(plain_value, cells[1:-1])}
        if not cells[-1] and (plain_value(cells[0]) in WORDS or (values and values <= {*LABEL})):
            self.trailing = True
        elif self.options.header is not False and self.options.names is not False:
            self.short, self.width = True, self.width + 1
            self.top = (self.top[0], ["", *self.top[1]])

    def _refuse_doubtful_title(self) -> None:
        """Refuse a first line one cell short over cells that need not be names: perhaps a title."""
        lines, names = self.sheet.lines, self.first
        quoted = lines is not None and lines.quoted_names and not lines.quoted_rest
        if not self.short or quoted or self.options.names is not None or not self.top:
            return
        numbers = all(map(is_number, names))
        doubt = len({*names}) < len(names) or all(map(is_number, self.top[1][1:]))
        if (numbers and doubt) or {*map(plain_value, names)} <= self._values() | {"0", "1"}:
            yes, sets = self.options.spelled("names", True), self._or_sets()
            wanted = f"{self.width - 1}, as in the first line (take it out, if it is a title)"
            wanted += f", or {yes}, if column 1 names the hypotheses{sets}"
            raise InvalidInput(self.name, f"{self.width} cells in line {self.where[0]}", wanted)

    def _ragged(self, line: int, count: int) -> InvalidInput:
        wanted = f"{self.width}, as in the first line"
        if self.width == 1:
            wanted += " (a title above the table is none of its lines)"
        if count <= self.width + 1 or not self.sheet.lines:
            wanted += self._or_sets()
        return InvalidInput(self.name, f"{count} cells in line {line}", wanted)

    def _or_sets(self) -> str:
        """Name the option for sets of points, unless all cells are labels."""
        sets = self.options.spelled("table_format", "sets")
        labels = {*map(plain_value, self.code)} <= {*LABEL}
        return "" if labels else f", or {sets}, if a line lists the points that are labelled 1"

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
        given = f"more than {MOST_VALUES} values, {cells[place][:40]!r} in line {line}"
        columns = self.options.spelled("columns", "1,2" if self.options.command else [1, 2])
        return InvalidInput(
            self.name, f"{given}, column {place + 1}{called}", f"two values; {columns} reads fewer"
        )

    def _drop_blank_end(self) -> None:
        """Drop what a spreadsheet leaves behind the data: lines without anything in them."""
        blank, width = self.code.get(""), len(self.places)
        crosses = {plain_value(value) for value in self.code} <= {"", "x"}
        if crosses and {plain_value(cell) for cell in self.first} <= {"", "x"}:
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
        empty = (codes == blank).all(axis=0)
        places = [place for place in range(1, width) if header[place] or not empty[place - 1]]
        if len(places) == width - 1:
            return
        crosses = {plain_value(value) for value in self.code} <= {"", "x"}
        told = [plain_value(header[place]) for place in (0, *places)]
        if crosses and ({*told} <= {"", "x"} or {*told[1:]} & {"", "x"}):
            return  # the line above may be one of crosses
        left, old = codes[:, [place - 1 for place in places]], list(self.code)
        self.code = _Code()
        turned = np.zeros(256, dtype=np.uint8)
        for value in np.unique(left).tolist():
            turned[value] = self.code[old[value]]
        self.codes, self.places = bytearray(turned[left].tobytes()), places
        self.width = max(places, default=0) + 1
        if self.top is not None:
            self.top = self.top[0], self.top[1][: self.width]

    # What is what

    def table(self) -> NamedTable:
        """Decide, and return the table with its names."""
        if self.options.columns is not None and 0 in self.places:
            return self._finish(self.header_names(whole=True), names=False)
        self._refuse_doubtful_title()
        bits = self._bit_strings()
        if bits is not None:
            return bits
        kind = self.kind()
        header = self.header_names(whole=kind in ("values", "alone"))
        return self._finish(header, names=self.has_names(kind, header))

    def _values(self) -> set[str]:
        """Return what the cells can be: their values, and the partners of those."""
        found = {plain_value(value) for value in self.code}
        if self.options.ones is not None:
            return found
        return found.union(*pairs_of(found))

    def kind(self) -> str:
        """Return the kind of the first column: names in text, a count, other numbers, or values."""
        if self.width <= 1:
            return "alone"
        values, first = self._values(), self.first
        if not first and self.top is not None:  # one line: of data, or of names alone
            first = self.top[1][:1]
            values = {plain_value(cell) for cell in self.top[1][1:]}
            values = values.union(*pairs_of(values))
        plain = {plain_value(cell) for cell in first}
        counted = only_counts(self._first_column())
        # A count is written without the decimals that the values have.
        others = [*self.code] or (self.top[1][1:] if self.top else [])
        fraction = all("." in value for value in others) and "." not in "".join(first)
        if counted and (fraction or not any(map(is_number, values))):
            return "count"
        if plain <= values or plain <= {"0", "1"}:
            return "values"
        if plain | values <= LABEL.keys():  # y and yes together are names beside 0 and 1
            alike = bool(pairs_of(plain)) or not pairs_of({*map(plain_value, others)})
            return "values" if alike else "text"
        if not all(map(is_number, first)):
            return "text"
        return "count" if counted or only_counts(self.first) else "numbers"

    def _first_column(self) -> list[str]:
        """Return the first column as it is if no line names the points."""
        return [*([] if self.top is None else self.top[1][:1]), *self.first]

    def header_names(self, *, whole: bool) -> list[str] | None:
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
            plain = all(plain_value(cell) in WORDS for cell in cells[1:] or cells)
            return None if plain else cells
        values = self._values()
        if self.width == 1:
            values = {plain_value(cell) for cell in self.first}
            values = values.union(*pairs_of(values))
        if self.width > 1 and cells[0].casefold() not in values and is_index(cells[0]):
            return cells
        if (not whole or self.options.names) and only_counts(self._first_column()):
            return None
        asked = [cells[place] for place in self.places]
        if self.options.columns is None and whole and self.options.names is not True:
            asked = [*cells[:1], *asked]
        outside = [cell for cell in asked if plain_value(cell) not in values]
        numeric = all(map(is_number, asked))
        if not outside:
            one = asked == ["1"] and (self.width == 1 or not any(map(is_number, self.first)))
            if (one or asked in (["0"], ["0", "1"])) and values <= {"0", "1", "-1"}:
                raise self._either("header", f"{','.join(cells)!r} as line {line}", "points")
            return None
        if (
            numeric
            and len({*asked}) == len(asked)
            and (not self.code or pairs_of({*map(plain_value, self.code)}))
        ):
            return cells
        inside = [cell for cell in asked if cell and plain_value(cell) in values]
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

    def has_names(self, kind: str, header: list[str] | None) -> bool | None:
        """Say whether the first column names the rows; ``None`` to omit it."""
        given, lines = self.options.names, self.sheet.lines
        if given is None and lines is not None:
            given = lines.names
            if given is None and self.first and lines.quoted_names and not lines.quoted_rest:
                given = True
        if given is None and header is not None and not self.first:
            return False
        if given is False and kind == "text":
            return None if self._value_among_names() is None else False
        if given is not None or kind == "alone":
            return bool(given)
        if self.sheet.names is not None:
            return False
        if sheets.MISSING in self.first:
            return False  # a cell without a value, and no name
        corner = header[0].casefold() if header else None
        index = header is not None and bool(header) and is_index(header[0])
        if self.short or (kind == "text" and index):
            return True
        if corner is not None and (not corner or corner.startswith("unnamed:")):
            return True
        if kind == "text":
            value = self._value_among_names()
            if value is not None:
                raise self._either("names", f"{value} in column 1", "hypotheses")
            return True
        if kind == "count" or (index and only_counts(self.first)):
            return True
        values = self._values()
        above = header is not None and all(map(is_number, header[1:])) and not is_number(header[0])
        if (index or above) and len({*self.first}) == len(self.first):
            if kind == "numbers" or not values & {*map(plain_value, self.first)}:
                return True
            shown = f"{header[0] if header else ''!r} above the first column"
            raise self._either("names", shown, "hypotheses")
        if kind == "numbers" and not any(map(is_number, values)):
            return bool(pairs_of({plain_value(value) for value in self.code}))
        if kind == "numbers" and values <= {"0", "1", "-1"}:
            row = next(r for r, cell in enumerate(self.first) if plain_value(cell) not in LABEL)
            given_cell = f"{self.first[row]!r} in line {self.where[row]}, column 1"
            if header is None and self.top is not None and self.options.header is None:
                names = self.options.spelled("names", True)
                wanted = f"values 0 and 1 only (or {names}, if this column names the hypotheses)"
                raise InvalidInput(self.name, given_cell, wanted)
            raise self._either("names", given_cell, "hypotheses")
        plain = header is None and lines is not None and lines.header is None  # nobody said
        top = {*map(plain_value, self.top[1])} if self.top else set()
        if plain and top <= values | {"0", "1"} and only_counts(self._first_column()):
            counted = " and ".join(map(repr, self._first_column()))
            raise self._either("names", f"{counted} as the first column", "hypotheses")
        return False

    def _value_among_names(self) -> str | None:
        """Say which text stands among values in the first column: names, or a cell that is missing.

        It is names where it is text by more than half, and more than signs for no value.
        """
        values = self._values()
        inside = [plain_value(cell) in values for cell in self.first]
        absent = all(
            found or plain_value(cell) in ABSENT
            for found, cell in zip(inside, self.first, strict=True)
        )
        parts = [[plain_value(part) for part in cell.split()] for cell in self.first]
        if parts and all(len(row) > 1 and {*row} <= values for row in parts):
            return f"{self.first[0]!r} in line {self.where[0]} as one cell"
        if not any(inside) or (2 * sum(inside) < len(inside) and not absent):
            return None
        if len({*map(plain_value, self.code)}) > 2:
            return None
        row, beside = inside.index(False), self.first[inside.index(True)]
        return f"{self.first[row]!r} in line {self.where[row]} beside {beside!r}"

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
        if named and (self.options.names is False or any(map(is_number, [*self.first, *tops]))):
            return None
        names = [*self.first] if named else None
        if named and not header and self.top:
            names = [self.top[1][0], *self.first]
        table = np.array([[*map(int, text)] for text in strings], dtype=np.uint8)
        made, notes = numbered_names(names, "names of hypotheses") if names else (None, ())
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
        first, where = list(self.first), list(self.where)
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

        ways = partial(self._ways, codes, where, places)
        labels = Values(counts, place, self.name, self.options, ways).labels()
        return {value: labels.get(value, 0) for value in values}

    def _ways(self, codes: Table, where: Sequence[int], places: Sequence[int]) -> list[str]:
        """Say which options, or which lines fewer, would leave two values."""
        values, spelled = list(self.code), self.options.spelled
        known = np.array([plain_value(value) in LABEL for value in values], dtype=np.bool_)[codes]
        ways = self.options.reads([places[at] for at in np.flatnonzero(known.all(axis=0)).tolist()])
        odd = [where[row] for row in np.flatnonzero(~known.all(axis=1)).tolist()]
        if 0 < len(odd) <= 3 and 2 * len(odd) < len(codes):
            above = "" in (self.top or (0, []))[1][1:] and odd == list(where[: len(odd)])
            out = [*range(1, odd[-1])] if above else odd
            why = "above the names" if above else "if it is no hypothesis"
            ways.append(f"take out line{'s' * (len(out) > 1)} {sheets.ranges(out)} {why}")
        if places[0] == 0 and pairs_of({plain_value(values[at]) for at in np.unique(codes[:, 1:])}):
            ways.append(f"{spelled('names', True)} takes the first column for names")
        mark = re.search(r"[^\w\s.'\"-]|[\s_.-]", "".join(values)) if len(places) == 1 else None
        if mark and mark[0].isprintable() and all(mark[0] in value[1:] for value in values):
            ways.append(f"{spelled('delimiter', mark[0])}, if it separates cells")
        return ways

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
            points, notes = numbered_names([header[place] for place in places], "names of points")
            said = f"names from line {above}" if above else "names from the file"
        source = "names from column 1"
        if names is not None:
            for row, name in enumerate(names):
                if not name or name == sheets.MISSING:
                    given = f"{name!r} in line {where[row]}, column 1"
                    raise InvalidInput(self.name, given, "a name")
        elif sheet.names is not None:
            names, source = list(sheet.names), "names from the file"
            if len(names) != len(where):
                given = f"{len(names)} names"
                raise InvalidInput(self.name, given, f"{len(where)}, one for each row")
        if names is not None:
            names, more = numbered_names(names, "names of hypotheses")
            notes = (*notes, *more)
        for what, called in (("hypothesis", names), ("point", points)):
            last = str(called[-1]) if called else ""
            if _NO_ROW.match(last):
                notes = (*notes, f"{last!r} is read as a {what}: take it out if it is none")
        told = [*ones_told(labels), *sheet.how]
        if left:
            told.append("column 1, a text, left out")
        return points, names, TableReading(source if names else "", said, tuple(told), tuple(notes))


_NO_ROW = re.compile(
    r"((grand )?totals?|sum|all|gesamt|summe)$|(source|note|quelle|legend)s?\b|n ?=|[*\u2020]"
    r"|(class|target|label)$",
    re.IGNORECASE,
)
"""What stands below a table, or at its right, and is no part of it."""


def _is_text(cell: str) -> bool:
    return bool(cell) and not is_number(cell) and cell.casefold() not in ABSENT | WORDS


def chosen_places(
    wanted: Sequence[str | int], header: Sequence[str], width: int
) -> tuple[list[int], bool]:
    """Return the positions of columns given by name or number, and whether by name."""
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
