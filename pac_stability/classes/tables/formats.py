"""The formats of tables: from a file, an archive or a data frame to cells.

This module determines only the format; the meaning of the cells is decided in
:mod:`pac_stability.classes.tables.meaning`.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import IO, Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import require_instance
from pac_stability.classes.tables import sheets
from pac_stability.classes.tables.documents import arff_sheet, burmeister_sheet, json_sheet
from pac_stability.classes.tables.sheets import TableOptions
from pac_stability.classes.tables.text import plain_text, text_sheet
from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath
from pac_stability.reading import read_bytes
from pac_stability.reading.npy import array_of, map_array

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
_RECORD = re.compile(rb'[\xef\xbb\xbf\s]*\[?\s*\{\s*"[^"]*"\s*:')
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f]")


def open_sheet(path: FilePath, options: TableOptions) -> sheets.Sheet:
    """Return the cells of a file in any of the formats.

    Raises
    ------
    InvalidInput
        The file cannot be read, or is not such a file; the argument is its name.
    """
    require_instance(path, (str, PathLike), "path", "the name of a file")
    name, kind = str(path), options.table_format
    if name.removesuffix(".csv") in SHIPPED and not Path(path).exists():
        path = Path(__file__).parent.parent / "shipped" / f"{name.removesuffix('.csv')}.csv"
    extension = Path(name.removesuffix(".gz")).suffix.removeprefix(".").lower()
    if kind is not None and kind not in sheets.TABLE_FORMATS:
        raise InvalidInput("table_format", repr(kind), f"one of {', '.join(sheets.TABLE_FORMATS)}")
    _check_size(path, options)
    if kind == "npy" or (kind is None and name.endswith(".npy")):
        return sheets.Sheet(name, array=map_array(path, options.max_bytes))
    content, inner = _unpacked(read_bytes(path, options.max_bytes), name, options)
    if inner:
        extension = Path(inner).suffix.removeprefix(".").lower()
    known, found = _BY_EXTENSION.get(extension), _kind_of(content)
    if known == "csv" and (found in ("cxt", "arff") or _RECORD.match(content[:512])):
        known = found
    sets_in_json = kind == "sets" and known == "json"
    kind = kind or known or found
    if kind == "npy":
        return sheets.Sheet(name, array=array_of(content, name))
    if kind == "npz":
        return sheets.Sheet(name, array=_archived(content, name, options))
    if kind in ("parquet", "feather"):
        return frame_sheet(_arrow(content, kind, name), name)
    content, how = _as_utf8(content, name, options)
    if kind == "csv":
        content, drawn = plain_text(content, orange=extension == "tab")
        code = re.match(rb"[\w.]*\s?[(\[{]", content) and re.search(
            rb"[)\]}][;,\s]*\Z", content[-80:]
        )
        if not drawn and (code or content[:80].lstrip(b" \t\r\n[").startswith(b"{")):
            given = repr(content[:80].decode("utf-8", "ignore").strip()[:40])
            sets = options.spelled("table_format", "sets")
            wanted = f"rows of 0 and 1, or {sets}, if these are sets of points"
            raise InvalidInput(name, given, wanted)
        how += drawn
    if kind.startswith("json") or sets_in_json:
        sheet = json_sheet(content, kind, name, options)
    elif kind == "cxt":
        sheet = burmeister_sheet(content, name)
    elif kind == "arff":
        sheet = arff_sheet(content, name)
    else:
        sheet = text_sheet(content, name, options, sets=kind == "sets")
        if "rows in brackets" in how and sheet.lines and not content.strip(b"01.,\n"):
            sheet.lines.header = sheet.lines.names = False  # numbers of a program, and no names
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
        if re.match(mark, start):
            raise InvalidInput(name, what, "a table: save or export it as CSV")
    return content, inner


_PACKED: Mapping[bytes, tuple[str, Callable[[io.BytesIO], IO[bytes]]]] = {
    b"\x1f\x8b": ("gzip", lambda stream: cast("IO[bytes]", gzip.GzipFile(fileobj=stream))),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMAFile),
}
_PAIRS = rb"(#.*\n|[-+]?\d+\s*\n)*[-+]?[\d.,]+([ \t]+(qid|\d+):[-+.\de]+)+\s*(#.*)?(\n|$)"

_FOREIGN = (
    (b"%pdf", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "a workbook of Excel (.xls)"),
    (rb"\$fl", "a file of SPSS"),
    (b"rdx", "a file of R"),
    (b"x\n\0", "a file of R"),
    (rb"matlab \d", "a file of MATLAB"),
    (b"ascii spss|spss", "a file of SPSS"),
    (rb"header record\*", "a file of SAS"),
    (b"\x89hdf", "an HDF5 file"),
    (b"\x80\x03", "a pickle of Python"),
    (b"\x80\x04", "a pickle of Python"),
    (b"\x80\x05", "a pickle of Python"),
    (b"<stata", "a file of Stata"),
    (b"sqlite format", "a database of SQLite"),
    (b"\\\x28\xb5\x2f\xfd", "a file packed by zstd"),
    (rb"<\?xml", "a file in XML"),
    (rb"<.*sparse (matrix|array)", "a sparse matrix in words (scipy.sparse.save_npz writes one)"),
    (b"<[a-z!]", "a page in HTML"),
    (rb"structure\(", "a value of R"),
    (rb"\{\|", "a table of a wiki"),
    (b"%%matrixmarket", "a Matrix Market file (scipy.sparse.save_npz writes one that is read)"),
    (_PAIRS, "a file of LIBSVM (scipy.sparse.save_npz writes one that is read)"),
    (rb"\\begin\{", "a table in LaTeX"),
    (rb"\[?\s*\{\s*'[^'\n]*'\s*:", "a value of Python (json.dumps writes one that is read)"),
    (rb"\[(lattice|relational context)\]", "sections in brackets"),
)
"""How files begin that hold tables, and are no text in columns."""


def _alone(content: bytes, name: str, options: TableOptions) -> tuple[bytes, str]:
    """Return the one file of a ZIP archive; one of arrays, and one that is damaged, as it is."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            entries = [entry for entry in entries if not entry.filename.startswith("__MACOSX/")]
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
    start = content[: sheets.HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
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
    if control < 0 and len(strange := list(_CONTROL.finditer(content, 0, sheets.HEAD))) > 8:
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
    head = content[: sheets.HEAD & ~1]
    if len(head) >= 4 and not head[1::2].strip(b"\0") and head[::2].count(0) == 0:
        return "utf-16-le"
    if len(head) >= 4 and not head[::2].strip(b"\0") and head[1::2].count(0) == 0:
        return "utf-16-be"
    return ""


# Archives of NumPy and of SciPy


def _archived(content: bytes, name: str, options: TableOptions) -> npt.NDArray[np.generic]:
    """Return the one array of an archive, or the sparse matrix in it."""
    wanted = "an archive of NumPy with one array of two dimensions, or a sparse matrix of SciPy"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
            if not all(entry.endswith(".npy") for entry in sizes) or not sizes:
                raise InvalidInput(name, f"an archive of {', '.join(sizes) or 'nothing'}", wanted)
            if sum(sizes.values()) > max(options.max_bytes, sheets.MAX_BYTES) * 8:
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
    if len(shape) != 2 or min(shape) < 0 or shape[0] * shape[1] > 8 * sheets.MAX_BYTES:
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


def frame_sheet(table: object, name: str) -> sheets.Sheet:
    """Return the cells of a data frame (of pandas or polars) or of a sparse matrix of SciPy."""
    if hasattr(table, "toarray"):
        return sheets.Sheet(name, array=np.asarray(table.toarray()))
    frame = cast("_Frame", table)
    columns = [column if isinstance(column, str) else str(column) for column in frame.columns]
    counted = columns == [str(place) for place in range(len(columns))]
    index: object = getattr(table, "index", None)
    rows = [str(row) for row in cast("Sequence[object]", () if index is None else index)]
    names = None if index is None else sheets.row_names(rows)
    array = np.asarray(frame.to_numpy())
    sheet = sheets.Sheet(name, columns=columns, names=names)
    if counted and not all(isinstance(column, str) for column in frame.columns):
        sheet.columns, sheet.domain = None, list(range(len(columns)))
    if array.dtype.kind in "biuf":
        sheet.array = array
    else:
        cells: list[list[object]] = array.tolist()
        sheet.rows = ((r, [*map(sheets.cell_text, row)]) for r, row in enumerate(cells, 1))
    return sheet


def is_frame(table: object) -> bool:
    """Whether an object is a data frame, or a sparse matrix."""
    frame = hasattr(table, "columns") and hasattr(table, "to_numpy")
    return frame or (hasattr(table, "toarray") and hasattr(table, "nnz"))


def _with_index(frame: Any, content: bytes) -> object:
    """Put the names of rows first, which pandas writes as the last column of a Parquet file."""
    metadata = getattr(import_module("polars"), "read_parquet_metadata", None)
    if metadata is None or not content.startswith(b"PAR1"):
        return cast("object", frame)
    said = json.loads(metadata(io.BytesIO(content)).get("pandas", "{}")).get("index_columns", ())
    index = [column for column in said if isinstance(column, str)]  # a range is no column
    if len(index) == 1:
        frame = frame.select(frame[index[0]].alias(""), *frame.drop(index))
    return cast("object", frame)


def _arrow(content: bytes, kind: str, name: str) -> object:
    """Return the data frame in a file of Apache Arrow, by what is installed that reads it."""
    readers = (
        ("pandas", f"read_{kind}"),
        ("polars", "read_parquet" if kind == "parquet" else "read_ipc"),
    )
    problem: Exception | None = None
    for module, function in readers:
        try:
            frame = getattr(import_module(module), function)(io.BytesIO(content))
            return cast("object", frame if module == "pandas" else _with_index(frame, content))
        except ImportError:
            continue
        except Exception as error:  # whatever these readers raise for a damaged file
            problem = error
    if problem is not None:
        given = f"what {type(problem).__name__} says of: {' '.join(str(problem).split())[:100]}"
        raise InvalidInput(name, given, f"a {kind} file") from None
    raise InvalidInput(name, f"a {kind} file", "pyarrow (with pandas) or polars to read it")
