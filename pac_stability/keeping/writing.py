"""The one writer of the library: a file is there whole, or it is what it was before.

Other files only grow, a line at a time, each line sealed by a digest of all before it.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import platform
import re
import secrets
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import final

from pac_stability.errors import InvalidInput
from pac_stability.reading.text import reason

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


# Files that only grow

try:
    import fcntl
except ImportError:  # no POSIX system
    fcntl = None  # type: ignore[assignment]  # looked at before it is used

_DIGITS = 32
_PATIENCE = 30.0  # seconds; a turn takes milliseconds unless its process was stopped in it
_WANTED = "a file that nobody changed but by appending to it"


@final
class ChainedLog:
    r"""A file of lines that several processes append to, one at a time.

    Every line begins with a digest of itself and of the line before, so a line that was changed, or
    taken out from between others, is noticed. What is appended is on the disk before
    :meth:`Turn.append` returns. A last line without an end is what a process was killed at: nobody
    was told that it stands, and the next turn takes it away. Lines that were cut off at the end as
    a whole leave a file that once was there, and are noticed by those only who had read them.

    Parameters
    ----------
    path
        The file; it is made when it is not there, in a directory that exists.
    header
        Its first line, by which a file of another kind or with other terms is told.

    Examples
    --------
    >>> import tempfile
    >>> log = ChainedLog(Path(tempfile.mkdtemp()) / "log", "numbers")
    >>> with log.turn() as turn:
    ...     turn.append("1")
    >>> again = ChainedLog(log.path, "numbers")
    >>> with again.turn() as turn:
    ...     turn.fresh
    ('1',)
    """

    def __init__(self, path: FilePath, header: str) -> None:
        self.path: Path = Path(path)
        self.header = header
        self._digest = ""
        self._read = 0
        self._turn = threading.Lock()

    @contextlib.contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait until nobody else has the file, and have it until the end of the block.

        Yields
        ------
        Turn
            What others have appended since the last turn, and how to append.

        Raises
        ------
        InvalidInput
            The file cannot be written, was damaged or has another header; or another process has
            had it for half a minute.
        """
        if fcntl is None:
            raise InvalidInput("path", str(self.path), "a system that locks files (POSIX)")
        with self._turn:
            try:
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except (OSError, ValueError) as problem:
                given = reason(problem) if isinstance(problem, OSError) else "no file name"
                wanted = "a file that can be written"
                raise InvalidInput(str(self.path), given, wanted) from None
            try:
                self._wait_for(handle)
                yield Turn(self, handle)
            finally:
                os.close(handle)  # and with it the lock

    def _wait_for(self, handle: int) -> None:
        """Lock the file; whoever holds it all the time is told of, and not waited for."""
        until, pause = time.monotonic() + _PATIENCE, 0.001
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    wanted = "one that nobody keeps: is a process stopped that uses it?"
                    given = f"a file in use by another process for {_PATIENCE:g} s"
                    raise InvalidInput(str(self.path), given, wanted) from None
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
            else:
                return

    def _sealed(self, line: str) -> tuple[str, bytes]:
        digest = hashlib.sha256(f"{self._digest} {line}".encode()).hexdigest()[:_DIGITS]
        return digest, f"{digest} {line}\n".encode()

    def _news(self, handle: int) -> list[str]:
        """Read and check what was appended since the last turn; take away what was not finished."""
        size = os.fstat(handle).st_size
        if size < self._read:
            raise InvalidInput(str(self.path), "a file that is shorter than it was", _WANTED)
        content = b""
        while len(content) < size - self._read:
            part = os.pread(handle, size - self._read - len(content), self._read + len(content))
            if not part:
                break
            content += part
        whole = content[: content.rfind(b"\n") + 1]
        lines = []
        for number, raw in enumerate(whole.split(b"\n")[:-1]):
            line = raw[_DIGITS + 1 :].decode("utf-8", "replace")
            digest, sealed = self._sealed(line)
            if sealed != raw + b"\n":
                raise InvalidInput(str(self.path), f"another line {number + 1}", _WANTED)
            self._digest = digest
            self._read += len(sealed)
            lines.append(line)
        if len(whole) < len(content):
            os.ftruncate(handle, self._read)
            os.fsync(handle)
        return lines

    def _write(self, handle: int, line: str) -> None:
        digest, sealed = self._sealed(line)
        begun = self._read
        try:
            written = 0
            while written < len(sealed):
                written += os.pwrite(handle, sealed[written:], begun + written)
            os.fsync(handle)
        except OSError as problem:  # no place left: as if it had not been tried
            with contextlib.suppress(OSError):
                os.ftruncate(handle, begun)
            wanted = "a file that can be written"
            raise InvalidInput(str(self.path), reason(problem), wanted) from None
        if not begun:
            settle(self.path.parent)
        self._digest, self._read = digest, begun + len(sealed)


@final
class Turn:
    """The file of a :class:`ChainedLog` while nobody else has it.

    Attributes
    ----------
    fresh
        The lines appended since the last turn of this log, without the header.
    """

    def __init__(self, log: ChainedLog, handle: int) -> None:
        self._log = log
        self._handle = handle
        began = log._read == 0
        lines = log._news(handle)
        if began and not lines:
            log._write(handle, log.header)
        elif began and lines.pop(0) != log.header:
            log._read, log._digest = 0, ""
            raise InvalidInput(str(log.path), "a file with other terms", f"one of {log.header}")
        self.fresh: tuple[str, ...] = tuple(lines)

    def append(self, line: str) -> None:
        """Append a line; it is on the disk when this returns.

        Raises
        ------
        InvalidInput
            It has a line end, or the file cannot be written.
        """
        if "\n" in line or "\r" in line:
            raise InvalidInput("line", "more than one line", "a line")
        self._log._write(self._handle, line)
