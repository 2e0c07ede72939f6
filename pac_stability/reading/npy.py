"""Reads arrays in NumPy's file format; the bytes of the file must confirm its header."""

from __future__ import annotations

import math
import sys
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.format import read_array_header_1_0, read_array_header_2_0, read_magic

from pac_stability.errors import InvalidInput
from pac_stability.reading.text import read_bytes

MAX_AXES = 32
MAX_EMPTY_AXIS = 1 << 20
"""Longest axis of an array without entries, of which the size of the file says nothing."""

_WANTED = "an array of numbers in NumPy's .npy format"

# The third version differs in the names of fields, which no array of numbers has.
_READERS = {
    (1, 0): read_array_header_1_0,
    (2, 0): read_array_header_2_0,
    (3, 0): read_array_header_2_0,
}


class _Header(NamedTuple):
    """What the header of an array says, and where the entries begin."""

    shape: tuple[int, ...]
    order: Literal["C", "F"]
    dtype: np.dtype[np.generic]
    offset: int

    @property
    def length(self) -> int:
        """The number of bytes of the entries."""
        return math.prod(self.shape) * self.dtype.itemsize


def read_array(path: str | PathLike[str], max_bytes: int) -> npt.NDArray[np.generic]:
    """Return the array in a file; the array is read-only.

    Parameters
    ----------
    path
        A file in NumPy's format.
    max_bytes
        Refuse a larger one.

    Raises
    ------
    InvalidInput
        The file cannot be read; it has no header of versions 1 to 3 of the format; its entries are
        not booleans, integers or floats of at most 64 bits; its axes are more or longer than those
        of an array can be; or it has fewer or more bytes than its header says.
    """
    return array_of(read_bytes(path, max_bytes), str(path))


def map_array(path: str | PathLike[str], max_bytes: int) -> npt.NDArray[np.generic]:
    """Return the array in a file without reading it: the system reads each part when it is used.

    The file must not change while the array is in use. A program that uses a part that has been cut
    off ends with a bus error. The function reads a pipe, or whatever is not an ordinary file.

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
            shape, order, dtype, offset = header = _header(stream, str(path))
            if header.length == 0 or size != offset + header.length:
                return read_array(path, max_bytes)
            return np.memmap(stream, dtype, "r", offset, shape, order)
    except InvalidInput:
        raise
    except (OSError, ValueError):  # no such file, or no such name: said by the reader
        return read_array(path, max_bytes)


def array_of(content: bytes, name: str) -> npt.NDArray[np.generic]:
    """Return the array in the bytes of a file; raises as :func:`read_array`."""
    shape, order, dtype, offset = header = _header(BytesIO(content), name)
    rest = len(content) - offset
    if rest != header.length:
        given = f"{rest} bytes of data for shape {_shown(shape)}"
        raise InvalidInput(name, given, f"{header.length} bytes (is the file truncated?)")
    return np.frombuffer(content, dtype, offset=offset).reshape(shape, order=order)


def _header(stream: BinaryIO, name: str) -> _Header:
    refused = InvalidInput(name, "no such header", _WANTED)
    try:
        version = read_magic(stream)
    except ValueError:
        raise refused from None
    if version not in _READERS:
        given = f"no such header: version {version[0]}.{version[1]}"
        raise InvalidInput(name, given, f"{_WANTED}, version 1.0, 2.0 or 3.0")
    try:
        shape, by_columns, dtype = _READERS[version](stream)
    except Exception:  # whatever the parsers of Python raise for a stranger's header
        raise refused from None
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise InvalidInput(name, f"entries of type {dtype.str!r}", _WANTED)
    header = _Header(shape, "F" if by_columns else "C", dtype, stream.tell())
    # No entries take no bytes, however long the other axes are.
    longest = MAX_EMPTY_AXIS if 0 in shape else sys.maxsize
    numbers = all(type(size) is int and 0 <= size <= longest for size in shape)
    if len(shape) > MAX_AXES or not numbers or header.length > sys.maxsize:
        raise InvalidInput(name, f"a header with the dimensions {_shown(shape)}", _WANTED)
    return header


def _shown(shape: tuple[int, ...]) -> str:
    return f"{shape}"[:80] if len(shape) <= 4 else f"of {len(shape)} axes"
