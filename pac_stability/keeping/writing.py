"""The one writer of the library: a file is there whole, or it is what it was before."""

from __future__ import annotations

import contextlib
import glob
import os
import platform
import re
import secrets
import zlib
from pathlib import Path

from pac_stability.errors import InvalidInput
from pac_stability.reading.files import reason

FilePath = str | os.PathLike[str]

_BINARY = getattr(os, "O_BINARY", 0)  # where line ends would be changed otherwise


def write_text(path: FilePath, text: str) -> None:
    r"""Write a text file under a temporary name beside it, then rename it.

    The text is on the disk before the rename, and the rename before this returns, as far as the
    system can be asked for that; so neither a kill nor a loss of power leaves half a file. A pipe
    or a device is written to: a rename would put a file in its place.

    Parameters
    ----------
    path
        The file; its directory exists.
    text
        Written as UTF-8, line ends as they are.

    Raises
    ------
    InvalidInput
        The file cannot be written; an existing one is left as it was.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_text(folder / "a.txt", "whole\n")
    >>> [file.name for file in folder.iterdir()], (folder / "a.txt").read_text()
    (['a.txt'], 'whole\n')
    """
    try:
        write_bytes(path, text.encode("utf-8"))
    except UnicodeEncodeError:
        raise InvalidInput(str(path), "a text with half a surrogate pair", "UTF-8 text") from None


def write_bytes(path: FilePath, content: bytes, *, mode: int = 0o666) -> None:
    """Write a file as :func:`write_text` does.

    Parameters
    ----------
    path
        The file; its directory exists.
    content
        What is written.
    mode
        The permissions of a new file, less what the user's mask takes away.

    Raises
    ------
    InvalidInput
        The file cannot be written; an existing one is left as it was.
    """
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                stream.write(content)
            return
        temporary = target.with_name(f".{target.name}.{_process()}.{secrets.token_hex(2)}.tmp")
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        settle(target.parent)
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise InvalidInput(str(path), reason(problem), "a file that can be written") from None
    except ValueError:  # a null character
        raise InvalidInput(repr(path), "no file name", "a file that can be written") from None


def remove_leftovers(path: FilePath) -> None:
    """Remove what processes that were killed while they wrote a file have left beside it.

    Parameters
    ----------
    path
        The file that they wrote. What other machines, or processes that live, are writing stays.
    """
    target = Path(path)
    host, _, _ = _process().partition("-")
    with contextlib.suppress(OSError):
        for left in target.parent.glob(f".{glob.escape(target.name)}.*.tmp"):
            rest = left.name[1 + len(target.name) :]
            ours = re.fullmatch(rf"\.{host}-(\d+)\.[0-9a-f]+\.tmp", rest)
            if ours is not None and not _lives(int(ours[1])):
                left.unlink(missing_ok=True)


def set_aside(path: FilePath) -> Path:
    """Give a file that is of no use another name beside it, so that nothing is lost.

    Returns
    -------
    Path
        The new name: the old one and ``.old``; what had that name is written over.

    Raises
    ------
    InvalidInput
        It cannot be renamed.
    """
    target = Path(path)
    aside = target.with_name(f"{target.name}.old")
    try:
        target.replace(aside)
    except OSError as problem:
        raise InvalidInput(str(path), reason(problem), "a file that can be renamed") from None
    return aside


def _process() -> str:
    """Return a name for this process: a number of its machine, and its own."""
    return f"{zlib.crc32(platform.node().encode()):08x}-{os.getpid()}"


def _lives(number: int) -> bool:
    """Whether a process of this machine may live."""
    if os.name != "posix":  # elsewhere, to ask ends it
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def settle(folder: Path) -> None:
    """Ask the system to have the names in a directory on the disk; some systems cannot."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
