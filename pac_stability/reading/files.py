"""The bytes of a file, and its text."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from pac_stability.errors import InvalidInput


def read_bytes(path: str | PathLike[str], max_bytes: int) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    path
        Its name.
    max_bytes
        Refuse a larger file; no more than this is held in memory.

    Raises
    ------
    InvalidInput
        The file cannot be read, or is larger; the argument is its name.
    """
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except OSError as problem:
        raise InvalidInput(str(path), reason(problem), "a file that can be read") from None
    except ValueError:  # a null character in the name
        raise InvalidInput(repr(str(path)), "no file name", "a file that can be read") from None
    if len(content) > max_bytes:
        raise InvalidInput(str(path), "a larger file", f"at most {max_bytes} bytes")
    return content


def read_text(path: str | PathLike[str], max_bytes: int) -> str:
    """Return the content of a file in UTF-8, without a byte order mark at its start.

    Raises
    ------
    InvalidInput
        As for :func:`read_bytes`, or the bytes are no text; the message says at which byte.
    """
    return text_of(read_bytes(path, max_bytes), str(path))


def text_of(content: bytes, name: str) -> str:
    """Return the text of bytes in UTF-8, or refuse them under the name of where they came from."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        given = f"bytes that are no UTF-8 text (at byte {problem.start})"
        raise InvalidInput(name, given, "UTF-8 text") from None


def reason(problem: OSError) -> str:
    """Say in a few words why a file could not be opened or written."""
    if isinstance(problem, IsADirectoryError):
        return "a directory"
    return (problem.strerror or type(problem).__name__).lower()
