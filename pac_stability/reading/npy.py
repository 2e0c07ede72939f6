"""Arrays in NumPy's file format, whose header is believed only as far as the file bears it out."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from pac_stability.errors import InvalidInput
from pac_stability.reading.files import read_bytes

MAX_AXES = 32
MAX_EMPTY_AXIS = 1 << 20
"""Longest axis of an array without entries, of which the size of the file says nothing."""

_WANTED = "an array of numbers in NumPy's .npy format"
_MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 10_000
# The header is a literal of Python. Its grammar is so small that nothing needs to be evaluated.
_SPACE = r"[ \t\n\r]*+"
_VALUE = r"True|False|'[^'\\]{0,64}+'|\"[^\"\\]{0,64}+\"|\([0-9, \t]*+\)"
_ENTRY = rf"{_SPACE}(?:'(\w{{1,20}})'|\"(\w{{1,20}})\"){_SPACE}:{_SPACE}({_VALUE}){_SPACE}"
_HEADER = re.compile(rf"{_SPACE}\{{{_ENTRY},{_ENTRY},{_ENTRY},?+{_SPACE}\}}{_SPACE}")
_SHAPE = re.compile(r"[ \t]*+(?:[0-9]{1,19}[ \t]*+,[ \t]*+)*+(?:[0-9]{1,19}[ \t]*+)?+")
_TYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248])")


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of an array says, and where the entries begin."""

    shape: tuple[int, ...]
    by_columns: bool
    dtype: np.dtype[np.generic]
    offset: int

    @property
    def length(self) -> int:
        """How many bytes the entries take."""
        return math.prod(self.shape) * self.dtype.itemsize


def parse_header(content: bytes, name: str) -> Header:
    """Return the header of an array.

    Parameters
    ----------
    content
        The first bytes of a file, 10,012 of them if there are so many.
    name
        What to call it in a message.

    Raises
    ------
    InvalidInput
        The bytes are no header of versions 1 to 3 of the format, or one of entries that are no
        booleans, integers or floats of at most 64 bits, or of more axes or longer ones than an
        array can have.
    """
    refused = InvalidInput(name, "no such header", _WANTED)
    if content[:6] != _MAGIC or len(content) < 10:
        raise refused
    version = content[6], content[7]
    if version not in ((1, 0), (2, 0), (3, 0)):
        given = f"no such header: version {version[0]}.{version[1]}"
        raise InvalidInput(name, given, f"{_WANTED}, version 1.0, 2.0 or 3.0")
    begin = 10 if version == (1, 0) else 12
    length = int.from_bytes(content[8:begin], "little")
    if length > _LONGEST_HEADER or len(content) < begin + length:
        raise refused
    match = _HEADER.fullmatch(content[begin : begin + length].decode("latin-1"))
    if match is None:
        raise _other_entries(content[begin : begin + length], name) or refused
    fields = {match[i] or match[i + 1]: match[i + 2] for i in (1, 4, 7)}
    if fields.keys() != {"descr", "fortran_order", "shape"}:
        raise refused
    order, sizes, descr = fields["fortran_order"], fields["shape"], fields["descr"]
    if order not in ("True", "False") or sizes[0] != "(" or descr[0] not in "'\"":
        raise refused
    if not _TYPE.fullmatch(descr[1:-1]):
        raise InvalidInput(name, f"entries of type {descr[1:-1]!r}", _WANTED)
    if not _SHAPE.fullmatch(sizes[1:-1]):
        raise refused
    shape = tuple(int(size) for size in re.findall("[0-9]+", sizes))
    dtype = np.dtype(descr[1:-1])
    # No entries take no bytes, however long the other axes are.
    least = math.prod(size for size in shape if size) * dtype.itemsize
    too_long = 0 in shape and max(shape) > MAX_EMPTY_AXIS
    if len(shape) > MAX_AXES or least > sys.maxsize or too_long:
        raise InvalidInput(name, f"a header with the dimensions {_shown(shape)}", _WANTED)
    return Header(shape, order == "True", dtype, begin + length)


def read_array(path: str | PathLike[str], max_bytes: int) -> npt.NDArray[np.generic]:
    """Return the array in a file; it cannot be written to.

    Parameters
    ----------
    path
        A file in NumPy's format.
    max_bytes
        Refuse a larger one.

    Raises
    ------
    InvalidInput
        The file cannot be read, :func:`parse_header` refuses it, or it holds fewer or more bytes
        than its header says.
    """
    content = read_bytes(path, max_bytes)
    return array_of(content, str(path))


def map_array(path: str | PathLike[str], max_bytes: int) -> npt.NDArray[np.generic]:
    """Return the array in a file without reading it: what is looked at is read then.

    The file must not change as long as the array is used; a program that looks at a part that has
    been cut off ends with a bus error. What is no ordinary file, a pipe say, is read.

    Parameters
    ----------
    path, max_bytes
        As for :func:`read_array`.

    Raises
    ------
    InvalidInput
        As :func:`read_array`.
    """
    file = Path(path)
    try:
        size = file.stat().st_size if file.is_file() else 0
        if size == 0 or size > max_bytes:
            return read_array(path, max_bytes)
        with file.open("rb") as stream:
            header = parse_header(stream.read(_LONGEST_HEADER + 12), str(path))
            if header.length == 0 or size != header.offset + header.length:
                return read_array(path, max_bytes)
            order: Literal["C", "F"] = "F" if header.by_columns else "C"
            return np.memmap(stream, header.dtype, "r", header.offset, header.shape, order)
    except InvalidInput:
        raise
    except (OSError, ValueError):  # no such file, or no such name: said by the reader
        return read_array(path, max_bytes)


def array_of(content: bytes, name: str) -> npt.NDArray[np.generic]:
    """Return the array in the bytes of a file; raises as :func:`read_array`."""
    header = parse_header(content, name)
    rest = len(content) - header.offset
    if rest != header.length:
        given = f"{rest} bytes of data for shape {_shown(header.shape)}"
        raise InvalidInput(name, given, f"{header.length} bytes (is the file truncated?)")
    flat = np.frombuffer(content, dtype=header.dtype, offset=header.offset)
    return flat.reshape(header.shape, order="F" if header.by_columns else "C")


def _other_entries(header: bytes, name: str) -> InvalidInput | None:
    """Return what to say of a header that is right but for its list of fields."""
    if re.match(rb"\s*+\{\s*+['\"]descr['\"]\s*+:\s*+\[", header):
        return InvalidInput(name, "entries of type record", _WANTED)
    return None


def _shown(shape: tuple[int, ...]) -> str:
    return str(shape) if len(shape) <= 4 else f"of {len(shape)} axes"
