"""The formats in which tables come: from bytes to cells, with what the format says beside them.

Nothing is guessed here but how text is cut into cells; what the cells mean is decided in
:mod:`pac_stability.classes.tables`.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import itertools
import json
import lzma
import re
import shlex
import zipfile
import zlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath
from pac_stability.reading import parse_json, read_bytes
from pac_stability.reading.npy import array_of, map_array

MAX_BYTES = 2**28
"""Largest file that is read unless another limit is given: 256 MiB."""

MAX_COLUMNS = 2**18
"""Most columns of a table in text."""

MISSING = "\0"
"""The cell of a value that is missing by its format: ``null``, ``NaN``, ``pd.NA``."""

TABLE_FORMATS = (
    *("csv", "json", "json-columns", "json-index", "npy", "npz"),
    *("cxt", "arff", "parquet", "feather", "sets"),
)
"""What a file can be said to hold, whatever it is called; ``csv`` is any text in columns."""

SHIPPED = ("animals", "iris")
"""Small tables that come with the library: where no file has the name, the name is enough."""

_BY_EXTENSION = {
    **dict.fromkeys(("csv", "tsv", "tab", "txt", "dat", "data", "prn"), "csv"),
    **dict.fromkeys(("json", "ndjson", "jsonl"), "json"),
    **{name: name for name in ("npy", "npz", "cxt", "arff", "parquet", "feather")},
    "pq": "parquet",
    "arrow": "feather",
    "ipc": "feather",
}
_BY_CONTENT = (
    (b"\x93NUMPY", "an array of NumPy", "npy"),
    (b"PK\x03\x04", "a ZIP archive (a workbook of Excel?)", "npz"),
    (b"PAR1", "a Parquet file", "parquet"),
    (b"ARROW1", "a Feather file", "feather"),
)
_DELIMITERS = (",", ";", "\t", "|", " ")
_MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "'|'", " ": "spaces"}
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f]")
_LONGEST_LINE = 1 << 26
_HEAD = 1 << 16

DECIMAL = re.compile(r"[+-]?(\d{1,400}([.,]\d{0,400})?|[.,]\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)
"""A number in decimal, with a point or a comma."""

MARK = "# pac-stability: the first line is {}, the first column is {}"
"""A comment above a table of this library, each ``data`` or ``names``."""

Rows = Iterator[tuple[int, list[str]]]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How to read a table where the file leaves it open; the command has options of these names.

    Attributes
    ----------
    table_format
        One of :data:`TABLE_FORMATS`; by default what extension and content say.
    header
        Whether the first line names the points.
    names
        Whether the first column names the hypotheses; a first column of text is left out if not.
    ones
        Which of two values is 1.
    columns
        Names or numbers, from 1, of the columns to read.
    delimiter
        What separates the cells of a line.
    max_bytes
        Refuse a larger file.
    command
        Whether messages name options of the command rather than arguments of Python.
    """

    table_format: str | None = None
    header: bool | None = None
    names: bool | None = None
    ones: str | None = None
    columns: Sequence[str | int] | None = None
    delimiter: str | None = None
    max_bytes: int = MAX_BYTES
    command: bool = False

    def spelled(self, name: str, value: object) -> str:
        """Write an option as the reader of a message would type it.

        Examples
        --------
        >>> TableOptions().spelled("header", True)
        'header=True'
        >>> TableOptions(command=True).spelled("header", False)
        '--no-header'
        >>> TableOptions(command=True).spelled("ones", "not at all")
        "--ones 'not at all'"
        """
        if not self.command:
            return f"{name}={value!r}"
        option = name.replace("_", "-")
        if isinstance(value, bool):
            return f"--{option}" if value else f"--no-{option}"
        text = shlex.quote(str(value))
        # A value that begins with a dash would be taken for an option.
        return f"--{option}={text}" if text.startswith("-") else f"--{option} {text}"


@dataclass(slots=True)
class Lines:
    """Text in columns: where its lines begin, and what separates the cells."""

    content: bytes
    delimiter: str
    skip: int = 0
    escapes: bool = False
    quote: str = '"'
    header: bool | None = None
    names: bool | None = None
    """What a comment above the data says of the first line, and of the first column."""

    quoted_top: bool = False
    quoted_names: bool = True
    quoted_rest: bool = True
    """Whether all cells of the first line are in quotes; the first of all others; all of those."""


@dataclass(slots=True)
class Sheet:
    """The cells of a file, as text or as an array, and what its format says of them."""

    name: str
    rows: Rows = field(default_factory=lambda: iter(()))
    array: npt.NDArray[np.generic] | None = None
    columns: list[str] | None = None
    names: list[str] | None = None
    sets: list[tuple[str | None, list[Hashable]]] | None = None
    domain: list[object] | None = None
    """Points that are values, not text: what the JSON of this library has."""
    how: list[str] = field(default_factory=list)
    lines: Lines | None = None
    header_line: int = 0
    """The line from which the columns have their names, if they have them from one."""


def open_sheet(path: FilePath, options: TableOptions) -> Sheet:
    """Return the cells of a file in any of the formats.

    Raises
    ------
    InvalidInput
        The file cannot be read, or is no such file; the argument is its name.
    """
    name, kind = str(path), options.table_format
    if name.removesuffix(".csv") in SHIPPED and not Path(path).exists():
        path = Path(__file__).parent / "shipped" / f"{name.removesuffix('.csv')}.csv"
    extension = Path(name.removesuffix(".gz")).suffix.removeprefix(".").lower()
    if kind is not None and kind not in TABLE_FORMATS:
        raise InvalidInput("table_format", repr(kind), f"one of {', '.join(TABLE_FORMATS)}")
    _check_size(path, options)
    if kind == "npy" or (kind is None and name.endswith(".npy")):
        return Sheet(name, array=map_array(path, options.max_bytes))
    content, inner = _unpacked(read_bytes(path, options.max_bytes), name, options)
    if inner:
        extension = Path(inner).suffix.removeprefix(".").lower()
    if kind is None:
        kind = _BY_EXTENSION.get(extension) or _kind_of(content)
    if kind == "npy":
        return Sheet(name, array=array_of(content, name))
    if kind == "npz":
        return Sheet(name, array=_archived(content, name, options))
    if kind in ("parquet", "feather"):
        return frame_sheet(_arrow(content, kind, name), name)
    content, how = _as_utf8(content, name, options)
    if kind == "csv":
        content, drawn = plain_text(content, orange=extension == "tab")
        how += drawn
    if kind.startswith("json"):
        sheet = _json_sheet(content, kind, name, options)
    elif kind == "cxt":
        sheet = _burmeister_sheet(content, name)
    elif kind == "arff":
        sheet = _arff_sheet(content, name)
    else:
        sheet = _text_sheet(content, name, options, sets=kind == "sets")
    sheet.how += how
    return sheet


# Bytes


def _check_size(path: FilePath, options: TableOptions) -> None:
    """Refuse a large file before it is read."""
    try:
        size = Path(path).stat().st_size if Path(path).is_file() else 0
    except (OSError, ValueError):
        return  # what is wrong is said by the reader
    if size > options.max_bytes:
        raise _too_large(str(path), options)


def _too_large(name: str, options: TableOptions, what: str = "a larger file") -> InvalidInput:
    more = options.spelled("max_bytes", "4G" if options.command else 2**32)
    return InvalidInput(name, what, f"at most {options.max_bytes} bytes, or {more}")


def _unpacked(content: bytes, name: str, options: TableOptions) -> tuple[bytes, str]:
    """Return what a packed file holds, and its name in an archive of one file."""
    inner = ""
    found = next((pair for pair in _PACKED.items() if content.startswith(pair[0])), None)
    if content.startswith(b"PK\x03\x04"):
        content, inner = _alone(content, name, options)
    elif found is not None:
        what, unpack = found[1]
        try:
            with unpack(io.BytesIO(content)) as stream:
                content = stream.read(options.max_bytes + 1)
        except (OSError, EOFError, zlib.error, lzma.LZMAError):
            raise InvalidInput(name, f"damaged {what}", "a file that can be unpacked") from None
    if len(content) > options.max_bytes:
        raise _too_large(name, options, "a larger file, once unpacked")
    start = content[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for mark, what in _FOREIGN:
        if start.startswith(mark):
            raise InvalidInput(name, what, "a table: save or export it as CSV")
    return content, inner


_PACKED = {
    b"\x1f\x8b": ("gzip", lambda stream: gzip.GzipFile(fileobj=stream)),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMAFile),
}
_FOREIGN = (
    (b"%pdf", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "a workbook of Excel (.xls)"),
    (b"$fl", "a file of SPSS"),
    (b"rdx", "a file of R"),
    (b"x\n\0", "a file of R"),
    (b"matlab 5", "a file of MATLAB"),
    (b"\x89hdf", "an HDF5 file"),
    (b"\x80\x03", "a pickle of Python"),
    (b"\x80\x04", "a pickle of Python"),
    (b"\x80\x05", "a pickle of Python"),
    (b"<stata", "a file of Stata"),
    (b"sqlite format", "a database of SQLite"),
    (b"\x28\xb5\x2f\xfd", "a file packed by zstd"),
    (b"<!doctype", "a page in HTML"),
    (b"<html", "a page in HTML"),
    (b"<table", "a page in HTML"),
    (b"<?xml", "a file in XML"),
    (b"%%matrixmarket", "a Matrix Market file (scipy.sparse.save_npz writes one that is read)"),
    (b"\\begin{", "a table in LaTeX"),
)
"""How files begin that hold tables, and are no text in columns."""


def _alone(content: bytes, name: str, options: TableOptions) -> tuple[bytes, str]:
    """Return the one file of a ZIP archive; one of arrays, and one that is damaged, as it is."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            names = [entry.filename for entry in entries]
            if any(entry.startswith(("xl/", "mimetype", "META-INF")) for entry in names):
                raise InvalidInput(name, "a workbook", "a sheet of it, saved as CSV")
            if len(names) != 1 or names[0].endswith(".npy"):
                return content, ""
            if entries[0].file_size > options.max_bytes:
                raise _too_large(name, options, "a larger file, once unpacked")
            return archive.read(entries[0]), names[0]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return content, ""


def _kind_of(content: bytes) -> str:
    """Say what a file holds whose name says nothing."""
    for mark, _, kind in _BY_CONTENT:
        if content.startswith(mark):
            return kind
    start = content[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] in (b"{", b"["):
        return "json"
    if re.match(rb"B\r?\n(.*\r?\n)?\s*\d+\s*\r?\n\s*\d+\s*\r?\n", start):
        return "cxt"
    if re.search(rb"^\s*@relation\b", start, re.IGNORECASE | re.MULTILINE):
        return "arff"
    return "csv"


def _as_utf8(content: bytes, name: str, options: TableOptions) -> tuple[bytes, list[str]]:
    """Return text in UTF-8 without a mark at its start, and how it was encoded, if otherwise."""
    for mark, what, kind in _BY_CONTENT:
        if content.startswith(mark):
            wanted = "text"
            if kind != "npz":
                wanted += f", or {options.spelled('table_format', kind)}"
            raise InvalidInput(name, what, f"{wanted}; from a workbook, save a sheet as CSV")
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    wide = _utf_16(content)
    if wide:
        try:
            return content.decode(wide).removeprefix("\ufeff").encode(), ["UTF-16"]
        except UnicodeError:
            raise InvalidInput(name, "damaged UTF-16", "text") from None
    control = content.find(b"\0")
    if control < 0 and len(strange := list(_CONTROL.finditer(content, 0, _HEAD))) > 8:
        control = strange[0].start()
    if control >= 0:
        given = f"bytes that are no text (at byte {control})"
        raise InvalidInput(name, given, "text: is it a binary file?")
    if content.isascii():
        return content, []
    try:
        content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace").encode(), ["read as Latin-1: it is no UTF-8"]
    return content, []


def _utf_16(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    head = content[: _HEAD & ~1]
    if len(head) >= 4 and not head[1::2].strip(b"\0") and head[::2].count(0) == 0:
        return "utf-16-le"
    if len(head) >= 4 and not head[::2].strip(b"\0") and head[1::2].count(0) == 0:
        return "utf-16-be"
    return ""


# Text in columns

_DRAWN = str.maketrans(
    dict.fromkeys("\u2502\u2506\u2503\u2551", "|")
    | dict.fromkeys("\u2500\u2501\u2550\u254c", "-")
    | dict.fromkeys("\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c\u255e\u256a\u2561", "+")
)
_DTYPES = re.compile(r"[iuf]\d+|str|bool|cat", re.ASCII)
_BRACKETS = re.compile(
    r"\s*(?:\w+\s*=\s*)?(?:[\w.]*\(\s*)?[\[{](.*)[\]}]\s*(?:,\s*dtype=[\w.']+\s*)?\)?\s*;?\s*",
    re.DOTALL,
)
_TYPES = re.compile(r"d|c|s|t|discrete|continuous|string|time|(\S+ )+\S+", re.IGNORECASE)
_FLAGS = re.compile(r"|class|meta|ignore|weight|[cmiw]|\w+=\S+", re.IGNORECASE)
_LARGEST_DRAWING = 1 << 22


def plain_text(content: bytes, *, orange: bool) -> tuple[bytes, list[str]]:
    """Return the lines of a table as text without what is drawn around them, and what that was.

    Rules and outer bars of Markdown and of databases, brackets of programs, the two lines of types
    that Orange writes. Lines that are left out stay as empty ones, so that numbers of lines hold.
    """
    content = content.removesuffix(b"\x1a")
    if len(content) > _LARGEST_DRAWING:
        return content, []
    text = content.decode()
    start = text.lstrip()[:40]
    if re.match(r"[\[{]|\w+\s*=\s*[\[{]|[\w.]*\(\s*\[|- *\[", start):
        return _without_brackets(text)
    lines = text.translate(_DRAWN).splitlines() if _looks_drawn(text) else text.splitlines()
    if orange and len(lines) > 2:
        types, flags = lines[1].split("\t"), lines[2].split("\t")
        if all(map(_TYPES.fullmatch, types)) and all(map(_FLAGS.fullmatch, flags)):
            return "\n".join([lines[0], "", "", *lines[3:], ""]).encode(), [
                "types of Orange left out"
            ]
    ruled = [at for at, line in enumerate(lines[:6]) if _is_rule(line)]
    dashes = len(lines) > 2 and lines[1].strip() and not lines[1].strip("- \t")
    if dashes and not any(sign in line for line in lines[2:] for sign in "+-"):
        ruled.append(1)  # single dashes under names of one letter
    if not ruled:
        return content, []
    made = [_undrawn(line, at in ruled, top=at < 8) for at, line in enumerate(lines)]
    return "\n".join([*made, ""]).encode(), ["lines of a drawn table left out"]


def _undrawn(line: str, ruled: bool, *, top: bool) -> str:
    """Return a line without bars at its ends; nothing of one that is no line of the table."""
    inner = line.strip()
    told = r"\(?\d+ rows?( in set.*|\))?|shape: \(.*\)"
    if ruled or _is_rule(line) or re.fullmatch(told, inner):
        return ""
    if not (inner.startswith("|") and inner.endswith("|")):
        return line
    inner = inner[1:-1].strip(" ")
    cells = [cell.strip() for cell in inner.split("|")]
    return "" if top and all(map(_DTYPES.fullmatch, cells)) else inner


def _is_rule(line: str) -> bool:
    """Whether a line is one that is drawn below names or around a table."""
    inner = line.strip()
    drawn = any(sign in inner for sign in ("--", "==", ":-", "-:")) or not inner.strip("= ")
    return bool(inner) and drawn and not inner.strip("|+-=: \t")


def _looks_drawn(text: str) -> bool:
    return any(ord(sign) in _DRAWN for sign in text[:200])


def _without_brackets(text: str) -> tuple[bytes, list[str]]:
    """Return the rows of a table as programs print it: within brackets, or between semicolons."""
    if text.lstrip().startswith("-"):
        inner, rows = text, re.findall(r"^- *\[([^\[\]]*)\]\s*$", text, re.MULTILINE)
        whole = len(rows) == len([line for line in text.splitlines() if line.strip()])
    else:
        found = _BRACKETS.fullmatch(text)
        inner = "" if found is None else found[1]
        rows = re.findall(r"[\[{(]([^\[\]{}()]*)[\]})]", inner)
        whole = bool(rows) and not re.sub(r"[\[{(][^\[\]{}()]*[\]})]", "", inner).strip(" ,\n\r\t")
        if found is not None and not rows:
            rows, whole = [row for row in inner.split(";") if row.strip()], bool(inner.strip())
    if not whole:
        return text.encode(), []
    cells = [re.split(r"\s*,\s*|\s+", row.strip()) for row in rows]
    made = "".join(",".join(row) + "\n" for row in cells)
    return made.encode(), ["rows in brackets"]


def _text_sheet(content: bytes, name: str, options: TableOptions, *, sets: bool) -> Sheet:
    end = content.find(b"\n", 0, _LONGEST_LINE)
    if end < 0 and len(content) > _LONGEST_LINE:
        raise InvalidInput(name, f"a line of more than {_LONGEST_LINE} bytes", "a table in lines")
    lines, columns, header_line = _dialect(content, options)
    how = []
    if lines.delimiter != "," and any(lines.delimiter in text for text in _first_lines(content)):
        mark = _MARKS.get(lines.delimiter, repr(lines.delimiter))
        how.append(f"separated by {mark}")
    sheet = Sheet(
        name, text_rows(lines, name), columns=columns, lines=lines, how=how, header_line=header_line
    )
    if sets:
        sheet.sets = _sets_of_text(sheet, options)
    return sheet


def _first_lines(content: bytes) -> list[str]:
    """Return the first lines, at least two if there are, without one that is cut off."""
    size = _HEAD
    while size < len(content) and content.count(b"\n", 0, size) < 4 and size < 2 * _LONGEST_LINE:
        size *= 2
    head = content[:size].decode("utf-8", "ignore")
    found = re.split(r"\r\n|\n|\r", head)
    return found[:-1][:200] if size < len(content) and len(found) > 1 else found[:200]


def mark_of(*, header: bool, names: bool) -> str:
    """Return the comment that says what the first line is, and what the first column."""
    return MARK.format(*("names" if told else "data" for told in (header, names)))


def _dialect(content: bytes, options: TableOptions) -> tuple[Lines, list[str] | None, int]:
    """Find what separates cells, where the data begin, and names in a comment above them."""
    first, skip, given = _first_lines(content), 0, options.delimiter
    for header in (True, False):
        for names in (True, False):
            if first[:1] == [mark_of(header=header, names=names)]:
                return Lines(content, ",", 1, header=header, names=names), None, 0
    if given is not None and given in ("\\t", "tab"):
        given = "\t"
    if given is not None and (len(given) != 1 or given in '"\r\n'):
        raise InvalidInput("delimiter", repr(given), "one character, or tab")
    if first and (said := re.match(r'"?sep=([,;\t|])', first[0])):
        given, skip = given or said[1], 1
    comment = ""
    while skip < len(first) and re.match(r"\s*[#%]|\s*//| *$", first[skip]):
        comment, skip = first[skip].strip() or comment, skip + 1
    body = [line for line in first[skip:] if line.strip() and not line.startswith("# ")]
    escapes = any('\\"' in line for line in body) and not _regular(body, given)
    if given is None:
        given = _best_delimiter(body, escapes)
    lines = Lines(content, given, skip, escapes)
    if body and re.fullmatch(rf"\s*'[^'\"]*'(\s*{re.escape(given)}\s*'[^'\"]*')*\s*", body[0]):
        lines.quote = "'"
    if not comment:
        return lines, None, 0
    body_cells = next(_cut(body[:1], given, escapes), [])
    if not any(re.search(r"[^\W\d]", cell) for cell in body_cells):
        lines.header = False
    width = len(next(_cut(body[:1], given, escapes), [])) if body else 0
    text = re.sub(r"^[#%]+", "", comment)
    for mark in (given, " "):
        cells = [cell.strip() for cell in next(_cut([text], mark, escapes), [])]
        if len(cells) == width and width and (len(set(cells)) == width):
            return lines, cells, max(i for i in range(skip) if first[i].strip()) + 1
    return lines, None, 0


def _regular(lines: Sequence[str], delimiter: str | None) -> bool:
    """Whether quotes within quotes are doubled, not marked by a backslash as R does."""
    for mark in _DELIMITERS if delimiter is None else (delimiter,):
        try:
            rows = list(csv.reader([f"{line}\n" for line in lines], delimiter=mark, strict=True))
        except csv.Error:
            continue
        if len({len(row) for row in rows}) == 1:
            return True
    return False


def _cut(lines: Sequence[str], delimiter: str, escapes: bool) -> Iterator[list[str]]:
    if delimiter == " ":
        lines = [line.replace("\t", " ").strip() for line in lines]
    reader = csv.reader(
        [f"{line}\n" for line in lines],
        delimiter=delimiter,
        skipinitialspace=delimiter == " ",
        escapechar="\\" if escapes else None,
    )
    try:
        yield from reader
    except csv.Error:
        return


def _best_delimiter(lines: Sequence[str], escapes: bool) -> str:
    """Return what cuts the lines alike, and into most cells that are numbers or words."""
    best, score = ",", (0.0, 0.0)
    for mark in _DELIMITERS:
        rows = list(_cut(lines, mark, escapes))
        widths = {len(row) for row in rows[1:]} or {len(row) for row in rows}
        if not rows or max(widths) < 2:
            continue
        even = len(widths) == 1 and len(rows[0]) in (max(widths), max(widths) - 1)
        cells = [cell.strip() for row in rows[1:] or rows for cell in row]
        plain = sum(_atomic(cell, mark) for cell in cells) / max(len(cells), 1)
        if (found := (float(even), plain)) > score:
            best, score = mark, found
    return best


def _atomic(cell: str, mark: str) -> bool:
    """Whether nothing else in a cell looks like a separator."""
    if mark in ",|" and DECIMAL.fullmatch(cell) and "," in cell:
        return False
    return bool(DECIMAL.fullmatch(cell)) or not any(other in cell for other in ",;\t|")


class _Tap:
    """Hands on lines, and keeps those of the row that is being read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines, self.raw = lines, ""

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            self.raw += line
            yield line

    def cell(self, cell: str) -> str:
        """Return a cell without blanks at its ends, unless quotes keep them."""
        bare = cell.strip()
        kept = bare != cell and f'"{cell.replace(chr(34), chr(34) * 2)}"' in self.raw
        return cell if kept else bare


def text_rows(lines: Lines, name: str) -> Rows:
    """Yield the lines with data, numbered, cut into cells; of one column blank lines, too."""
    text: Iterator[str] = io.TextIOWrapper(io.BytesIO(lines.content), "utf-8", newline="")
    text = itertools.islice(text, lines.skip, None)
    spaces = lines.delimiter == " "
    if spaces:
        text = (f"{line.replace(chr(9), ' ').strip()}\n" for line in text)
    tap = _Tap(text)
    reader = csv.reader(
        tap,
        delimiter=lines.delimiter,
        strict=True,
        skipinitialspace=spaces,
        quotechar=lines.quote,
        escapechar="\\" if lines.escapes else None,
    )
    width = -1
    try:
        for cells in reader:
            raw, tap.raw = tap.raw, ""
            if not raw.strip() and lines.delimiter not in raw.strip("\r\n"):
                if width == 1:  # perhaps a blank cell
                    yield reader.line_num + lines.skip, []
                continue
            if width >= 0 and (raw.startswith("# ") or (raw[0] == "#" and len(cells) != width)):
                continue
            if len(cells) > MAX_COLUMNS:
                given = f"{len(cells)} cells in line {reader.line_num + lines.skip}"
                raise InvalidInput(name, given, f"at most {MAX_COLUMNS} columns")
            marks = raw.count('"') if raw.startswith('"') else 0
            if width < 0:
                width, lines.quoted_top = len(cells), marks >= 2 * len(cells)
            else:
                lines.quoted_names &= marks > 0
                lines.quoted_rest &= marks >= 2 * len(cells)
            tap.raw = raw
            shown = [tap.cell(cell) for cell in cells] if " " in raw or "\t" in raw else cells
            tap.raw = ""
            yield reader.line_num + lines.skip, shown
    except csv.Error as problem:
        line = reader.line_num + lines.skip
        raise InvalidInput(name, f"line {line}: {problem}", "text in columns") from None


def _sets_of_text(sheet: Sheet, options: TableOptions) -> list[tuple[str | None, list[Hashable]]]:
    found: list[tuple[str | None, list[Hashable]]] = []
    for line, cells in sheet.rows:
        if options.header and sheet.columns is None:
            sheet.columns, sheet.header_line = cells, line
            continue
        if not cells:
            continue
        first = int(bool(options.names))
        items: list[Hashable] = [cell for cell in cells[first:] if cell]
        found.append((cells[0] if first else None, items))
    return found


# JSON

_JSON = (
    "rows of 0 and 1, records, sets of points, what pandas writes, "
    'or {"table": rows, "domain": points, "names": names of rows}'
)


def _json_sheet(content: bytes, kind: str, name: str, options: TableOptions) -> Sheet:
    value = _json_value(content, name, options)
    sheet = Sheet(name)
    if kind == "sets" or _are_sets(value):
        sheet.sets = _sets_of_json(value)
        return sheet
    if isinstance(value, dict) and "table" in value and {"table", "domain", "names"} >= set(value):
        domain, names = value.get("domain"), value.get("names")
        if not all(isinstance(part, list | None) for part in (domain, names)):
            raise InvalidInput(name, "another JSON value", _JSON)
        sheet.domain, sheet.names = domain, names
        value = value["table"]
        if not isinstance(value, list):
            raise InvalidInput(name, "another JSON value", _JSON)
        if not value:
            value = []
    elif isinstance(value, dict):
        value = _json_frame(value, kind, sheet, options)
    elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        value = _records(value, sheet)
    if not isinstance(value, list):
        raise InvalidInput(name, "another JSON value", _JSON)
    sheet.rows = _json_rows(value, name)
    return sheet


def _json_value(content: bytes, name: str, options: TableOptions) -> object:
    lines = content.split(b"\n", 2)
    if len(lines) > 1 and lines[0].strip().startswith(b"{") and lines[0].strip().endswith(b"}"):
        rows = [line for line in content.splitlines() if line.strip()]
        try:
            json.loads(rows[0])
        except ValueError:
            pass
        else:
            if len(rows) > 1:
                return [
                    parse_json(row, name, max_bytes=options.max_bytes, wanted="a record a line")
                    for row in rows
                ]
    return parse_json(content, name, max_bytes=options.max_bytes, wanted=_JSON)


def _json_rows(rows: Sequence[object], name: str) -> Rows:
    for number, row in enumerate(rows):
        if not isinstance(row, list) or any(isinstance(cell, list | dict) for cell in row):
            raise InvalidInput(name, "a table that has not two dimensions", _JSON)
        yield number + 1, [cell_text(cell) for cell in row]


def _are_sets(value: object) -> bool:
    """Whether a value lists texts that cannot be entries of a table."""
    rows = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        return False
    if isinstance(value, dict) and {"data", "columns", "table"} & set(value):
        return False
    texts = [cell for row in rows for cell in row]
    words = {"0", "1", "true", "false", "yes", "no", "t", "f", "y", "n", "x", "", "+", "-"}
    return (
        bool(texts)
        and all(isinstance(text, str) for text in texts)
        and not words >= {text.strip().lower() for text in texts}
        and len({text.strip() for text in texts}) > 2
    )


def _sets_of_json(value: object) -> list[tuple[str | None, list[Hashable]]]:
    if isinstance(value, dict):
        return [(str(key), list(row)) for key, row in value.items()]
    return [(None, list(row)) for row in cast("list[list[Hashable]]", value)]


def _records(records: Sequence[Mapping[str, object]], sheet: Sheet) -> list[list[object]]:
    columns = list(records[0])
    for number, record in enumerate(records):
        if set(record) != set(columns):
            given = f"record {number} with {', '.join(record)}"[:200]
            raise InvalidInput(sheet.name, given, f"{', '.join(columns)}, as in the first"[:300])
    sheet.columns = columns
    return [[record[column] for column in columns] for record in records]


def _json_frame(
    value: Mapping[str, object], kind: str, sheet: Sheet, options: TableOptions
) -> list[list[object]] | None:
    """Return the rows of what pandas writes, but for records and plain rows."""
    if isinstance(value.get("data"), list) and {"schema"} < set(value):
        records = value["data"]
        assert isinstance(records, list)  # noqa: S101  # said in the line before
        if not records or not all(isinstance(record, dict) for record in records):
            return None
        return _records(records, sheet)
    if isinstance(value.get("data"), list) and {"columns", "data"} <= set(value):
        columns, index, rows = value["columns"], value.get("index"), value["data"]
        if not isinstance(columns, list) or not isinstance(index, list | None):
            return None
        sheet.columns = [str(column) for column in columns]
        sheet.names = None if index is None else _index([str(row) for row in index])
        return cast("list[list[object]]", rows)
    inner = list(value.values())
    if inner and all(isinstance(part, int | float | str | None) for part in inner):
        return _records([value], sheet)
    if not inner or not all(isinstance(part, dict) for part in inner):
        return None
    parts = cast("list[dict[str, object]]", inner)
    if any(list(part) != list(parts[0]) for part in parts):
        return None
    outer, deep = list(value), list(parts[0])
    if kind == "json":
        ways = (options.spelled("table_format", f"json-{way}") for way in ("columns", "index"))
        given = "objects in an object: of columns, or of rows?"
        raise InvalidInput(sheet.name, given, " or ".join(ways))
    if kind == "json-index":
        sheet.columns, sheet.names = deep, _index(outer)
        return [list(part.values()) for part in parts]
    sheet.columns, sheet.names = outer, _index(deep)
    return [[part[row] for part in parts] for row in deep]


def _index(names: Sequence[str]) -> list[str] | None:
    """Return the names of rows, unless they only count."""
    return None if list(names) == [str(row) for row in range(len(names))] else list(names)


def cell_text(value: object) -> str:
    """Write a value as a cell; what is missing is :data:`MISSING`.

    Examples
    --------
    >>> cell_text(True), cell_text(1.0), cell_text(None) == MISSING, cell_text("a")
    ('True', '1.0', True, 'a')
    """
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return MISSING
    if isinstance(value, np.generic):
        value = cast("object", value.item())
    if isinstance(value, float) and value != value:  # noqa: PLR0124  # the one test of NaN
        return MISSING
    return str(value)


# Formal contexts, and ARFF


def _burmeister_sheet(content: bytes, name: str) -> Sheet:
    """Read a formal context: ``B``, counts, names of objects and attributes, rows of X and dot."""
    lines = [line.strip() for line in content.decode().splitlines()]
    wanted = "a formal context: B, the counts of objects and attributes, their names, the crosses"
    for place in (2, 1):
        counts = lines[place : place + 2]
        if not (len(counts) == 2 and all(re.fullmatch(r"\d{1,9}", count) for count in counts)):
            continue
        objects, attributes = map(int, counts)
        rest = [line for line in lines[place + 2 :] if line]
        named = len(rest) == 2 * objects + attributes
        if lines[0] != "B" or not (named or len(rest) == objects):
            continue
        rows = rest[-objects:] if objects else []
        first = len(lines) - lines[::-1].index(rows[-1]) - objects if rows else 0
        for number, row in enumerate(rows):
            if not re.fullmatch(r"[xX.]*", row) or len(row) != attributes:
                given = f"{row[:40]!r} as row {number + 1}"
                raise InvalidInput(name, given, f"{attributes} times X or a dot")
        cells = ((first + number + 1, list(row.upper())) for number, row in enumerate(rows))
        return Sheet(
            name,
            cells,
            columns=rest[objects : objects + attributes] if named else None,
            names=rest[:objects] if named else None,
            how=["a formal context"],
            domain=None if named else list(range(attributes)),
        )
    raise InvalidInput(name, "another text", wanted)


_ATTRIBUTE = re.compile(
    r"@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)\s*(.*)", re.IGNORECASE
)


def _arff_sheet(content: bytes, name: str) -> Sheet:
    """Read the attribute-relation file format of Weka, dense or sparse."""
    columns: list[str] = []
    defaults: list[str] = []
    lines = content.decode().splitlines()
    start = 0
    for number, line in enumerate(lines):
        plain = line.strip()
        if re.match(r"@data\b", plain, re.IGNORECASE):
            start = number + 1
            break
        if found := _ATTRIBUTE.match(plain):
            columns.append(_unquoted(found[1]))
            listed = found[2].strip()
            first = _arff_cells(listed[1:].rstrip("}"))[:1] if listed.startswith("{") else ["0"]
            defaults.append((first or ["0"])[0])
    if not start or not columns:
        raise InvalidInput(name, "no @attribute or no @data", "a file in ARFF")
    return Sheet(name, _arff_rows(lines, start, columns, defaults, name), columns=columns)


def _arff_rows(
    lines: Sequence[str], start: int, columns: Sequence[str], defaults: Sequence[str], name: str
) -> Rows:
    for number, line in enumerate(lines[start:], start + 1):
        plain = line.strip()
        if not plain or plain.startswith("%"):
            continue
        if plain.startswith("{"):
            cells = list(defaults)
            inner = re.sub(r"\}\s*(,\s*\{[^}]*\})?$", "", plain[1:])
            for pair in _arff_cells(inner, strip=False):
                place, _, value = pair.strip().partition(" ")
                if not re.fullmatch(r"\d{1,9}", place) or int(place) >= len(columns):
                    given = f"{pair.strip()[:40]!r} in line {number}"
                    raise InvalidInput(name, given, "the number of an attribute and its value")
                cells[int(place)] = _unquoted(value.strip())
        else:
            cells = _arff_cells(re.sub(r",\s*\{[^}]*\}$", "", plain))
        yield number, [MISSING if cell == "?" else cell for cell in cells]


def _arff_cells(text: str, *, strip: bool = True) -> list[str]:
    parts = re.findall(r"((?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^,])*)(?:,|$)", text)
    cells = parts[:-1] if not parts[-1] and not text.rstrip().endswith(",") else parts
    return [_unquoted(cell.strip()) if strip else cell for cell in cells]


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


# Archives of NumPy and of SciPy


def _archived(content: bytes, name: str, options: TableOptions) -> npt.NDArray[np.generic]:
    """Return the one array of an archive, or the sparse matrix in it."""
    wanted = "an archive of NumPy with one array of two dimensions, or a sparse matrix of SciPy"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
            if not all(entry.endswith(".npy") for entry in sizes) or not sizes:
                raise InvalidInput(name, f"an archive of {', '.join(sizes) or 'nothing'}", wanted)
            if sum(sizes.values()) > max(options.max_bytes, MAX_BYTES) * 8:
                raise InvalidInput(name, "a larger file, once unpacked", "less")
            members = {entry.removesuffix(".npy"): archive.read(entry) for entry in sizes}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        raise InvalidInput(name, "a damaged archive", wanted) from None
    if {"format", "shape", "data"} <= members.keys():
        return _sparse(members, name)
    arrays = {key: array_of(member, f"{name}: {key}") for key, member in members.items()}
    tables = [array for array in arrays.values() if array.ndim == 2]
    if len(tables) != 1:
        shapes = ", ".join(f"{key} of shape {array.shape}" for key, array in arrays.items())
        raise InvalidInput(name, f"the arrays {shapes}", wanted)
    return tables[0]


def _sparse(members: Mapping[str, bytes], name: str) -> npt.NDArray[np.generic]:
    # Text is written as bytes there, in an array without dimensions.
    tail = members["format"][-16:].replace(b"\0", b"")
    kind = next((kind for kind in ("csr", "csc", "coo") if tail.endswith(kind.encode())), "")
    parts = {
        key: array_of(member, f"{name}: {key}")
        for key, member in members.items()
        if key not in ("format", "_is_array")
    }
    needed = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}
    if kind not in needed or not set(needed[kind]) <= parts.keys():
        given = f"a sparse matrix in the format {tail[-3:].decode('ascii', 'replace')!r}"
        raise InvalidInput(name, given, "csr, csc or coo: convert it by .tocsr()")
    shape = tuple(int(size) for size in parts["shape"].tolist())
    if len(shape) != 2 or min(shape) < 0 or shape[0] * shape[1] > 8 * MAX_BYTES:
        raise InvalidInput(name, f"a sparse matrix of shape {shape}", "a table that fits in memory")
    try:
        if kind == "coo":
            rows, columns = parts["row"].astype(np.int64), parts["col"].astype(np.int64)
        else:
            ends = parts["indptr"].astype(np.int64)
            counts = ends[1:] - ends[:-1]
            outer = np.repeat(np.arange(len(counts)), counts)
            inner = parts["indices"].astype(np.int64)
            rows, columns = (outer, inner) if kind == "csr" else (inner, outer)
        kinds = parts["data"].dtype.kind
        dense = np.zeros(shape, dtype=np.int32 if kinds in "biu" else np.float64)
        np.add.at(dense, (rows, columns), parts["data"])
    except (IndexError, ValueError, TypeError):
        raise InvalidInput(name, "indices beyond the matrix", "a sparse matrix") from None
    return dense


# Tables in memory: pandas, polars, pyarrow, scipy


class _Frame(Protocol):
    columns: Sequence[object]

    def to_numpy(self) -> npt.NDArray[np.generic]: ...


def frame_sheet(table: object, name: str) -> Sheet:
    """Return the cells of a data frame (of pandas or polars) or of a sparse matrix of SciPy."""
    if hasattr(table, "toarray"):
        return Sheet(name, array=np.asarray(table.toarray()))
    frame = cast("_Frame", table)
    columns = [column if isinstance(column, str) else str(column) for column in frame.columns]
    counted = columns == [str(place) for place in range(len(columns))]
    index: object = getattr(table, "index", None)
    names = None if index is None else _index([str(row) for row in cast("Sequence[object]", index)])
    array = np.asarray(frame.to_numpy())
    sheet = Sheet(name, columns=columns, names=names)
    if counted and not all(isinstance(column, str) for column in frame.columns):
        sheet.columns, sheet.domain = None, list(range(len(columns)))
    if array.dtype.kind in "biuf":
        sheet.array = array
    else:
        rows: list[list[object]] = array.tolist()
        sheet.rows = ((r, [cell_text(cell) for cell in row]) for r, row in enumerate(rows, 1))
    return sheet


def is_frame(table: object) -> bool:
    """Whether an object is a data frame, or a sparse matrix."""
    frame = hasattr(table, "columns") and hasattr(table, "to_numpy")
    return frame or (hasattr(table, "toarray") and hasattr(table, "nnz"))


def _arrow(content: bytes, kind: str, name: str) -> object:
    """Return the data frame in a file of Apache Arrow, by what is installed that reads it."""
    readers = (
        ("pandas", f"read_{kind}"),
        ("polars", "read_parquet" if kind == "parquet" else "read_ipc"),
    )
    problem: Exception | None = None
    for module, function in readers:
        try:
            read = getattr(import_module(module), function)
            return cast("object", read(io.BytesIO(content)))
        except ImportError:
            continue
        except Exception as error:  # whatever these readers raise for a damaged file
            problem = error
    if problem is not None:
        given = f"what {type(problem).__name__} says of: {' '.join(str(problem).split())[:100]}"
        raise InvalidInput(name, given, f"a {kind} file") from None
    raise InvalidInput(name, f"a {kind} file", "pyarrow (with pandas) or polars to read it")
