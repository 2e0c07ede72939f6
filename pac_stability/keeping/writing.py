"""The one writer of the library: it writes a whole file, or leaves the old one unchanged.

It also writes logs. A log only grows, line by line; a digest of all lines before seals each line.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import io
import os
import platform
import re
import secrets
import time
import weakref
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, final

from pac_stability.errors import InvalidInput
from pac_stability.reading.text import reason

FilePath = str | os.PathLike[str]


class _Held(io.FileIO):
    """An open file that closes silently, and so unlocks, when its last reference goes."""

    __del__ = io.FileIO.close


def write_text(path: FilePath, text: str) -> None:
    r"""Write a text file under a temporary name beside it, then rename it.

    The text is on the disk before the rename, and the rename before this function returns, as far
    as the system supports that. So neither a kill nor a power failure leaves half a file. To a pipe
    or a device the function writes directly: a rename would replace it by a file.

    Parameters
    ----------
    path
        The file; its directory exists.
    text
        The text, written as UTF-8 with its line ends unchanged.

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
        The bytes to write.
    mode
        The permissions of a new file, before the user's mask applies.

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
            with _Held(temporary, "x", opener=partial(os.open, mode=mode)) as stream:
                left = memoryview(content)
                while left:
                    left = left[stream.write(left) :]
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
    """Remove the temporary files that killed processes left beside a file.

    Parameters
    ----------
    path
        The file that they were writing. Temporary files of live processes, or of other machines,
        stay.
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
    """Give an unusable file another name in its directory, so that nothing is lost.

    Returns
    -------
    Path
        The new name: the old one and ``.old``. A file of that name is overwritten.

    Raises
    ------
    InvalidInput
        The file cannot be renamed.
    """
    target = Path(path)
    aside = target.with_name(f"{target.name}.old")
    try:
        target.replace(aside)
    except OSError as problem:
        raise InvalidInput(str(path), reason(problem), "a file that can be renamed") from None
    return aside


def _process() -> str:
    """Return a name for this process: a number for its machine, and its process id."""
    return f"{zlib.crc32(platform.node().encode()):08x}-{os.getpid()}"


def _lives(number: int) -> bool:
    """Whether a process of this machine may be alive."""
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
    """Ask the system to flush the names in a directory to the disk; some systems cannot."""
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


class ReadSoFar(NamedTuple):
    """How far a :class:`ChainedLog` was read; store it beside what the lines amount to.

    Attributes
    ----------
    read
        The number of bytes read.
    digest
        The digest of the last line.
    """

    read: int = 0
    digest: str = ""


_START = ReadSoFar()


@final
class ChainedLog:
    r"""A file of lines that several processes append to, one at a time.

    Every line begins with a digest of itself and of the line before. So a reader notices a line
    that was changed, or removed from between others. A new line is on the disk before
    :meth:`Turn.append` returns. A last line without a line end comes from a killed process:
    nobody was told that it stands, and the next turn removes it. If whole lines at the end are
    cut off, an earlier state of the file remains: only readers of the lost lines notice.

    A log does not remember what it read. Callers who count lines store the :class:`ReadSoFar`
    beside the count, in one object. So an interrupt at any moment changes neither, and the next
    turn reads the uncounted lines again. Only one thread at a time may use a log.

    Parameters
    ----------
    path
        The file, in a directory that exists; a missing file is created. A relative path starts
        from the current directory of the process.
    header
        Its first line, which identifies files of another kind or with other terms.
    older
        Another first line that counts as the same.

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
    >>> with again.turn(turn.place) as turn:
    ...     turn.fresh
    ()
    """

    def __init__(self, path: FilePath, header: str, older: str = "") -> None:
        try:
            self.path: Path = Path(path).absolute()
        except OSError as problem:  # the folder that the process is in is gone
            wanted = "a file that can be written"
            raise InvalidInput(str(path), reason(problem), wanted) from None
        self.header = header
        self.older = older or header
        self._last: Callable[[], _Held | None] = lambda: None

    def turn(self, since: ReadSoFar = _START) -> Turn:
        """Wait until no other process holds the file, then hold it until the ``with`` block ends.

        Parameters
        ----------
        since
            The place of an earlier turn: everything before it is already read.

        Returns
        -------
        Turn
            The lines appended since then, and the method to append more.

        Raises
        ------
        InvalidInput
            The file cannot be written, was damaged or has another header; or another process has
            held it for half a minute.
        """
        if fcntl is None:
            raise InvalidInput("path", str(self.path), "a system that locks files (POSIX)")
        left = self._last()
        if left is not None:  # of a turn that was interrupted, and that a traceback keeps
            left.close()
        try:
            held = _Held(self.path, "r+", opener=_opened)
        except (OSError, ValueError) as problem:
            given = reason(problem) if isinstance(problem, OSError) else "no file name"
            wanted = "a file that can be written"
            raise InvalidInput(str(self.path), given, wanted) from None
        self._last = weakref.ref(held)
        try:
            self._wait_for(held)
            return Turn(self, held, since)
        except BaseException as problem:
            held.close()
            if isinstance(problem, ValueError) and not isinstance(problem, InvalidInput):
                raise _within(self.path) from None  # it was closed before
            raise

    def _wait_for(self, held: _Held) -> None:
        """Lock the file; raise an error if another process keeps it locked."""
        until, pause = time.monotonic() + _PATIENCE, 0.001
        while True:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    wanted = "one that nobody keeps: is a process stopped that uses it?"
                    given = f"a file in use by another process for {_PATIENCE:g} s"
                    raise InvalidInput(str(self.path), given, wanted) from None
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
            else:
                return


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _within(path: Path) -> InvalidInput:
    """Refuse a turn whose file a signal handler closed by taking a second turn within it."""
    return InvalidInput(str(path), "a use within a use", "one use at a time")


def _sealed(line: str, before: str) -> tuple[str, bytes]:
    digest = hashlib.sha256(f"{before} {line}".encode()).hexdigest()[:_DIGITS]
    return digest, f"{digest} {line}\n".encode()


@final
class Turn:
    """The file of a :class:`ChainedLog` while nobody else holds it.

    Attributes
    ----------
    fresh
        The lines appended since the given place, without the header.
    place
        How far the file is read; store it with what the lines amount to.
    """

    def __init__(self, log: ChainedLog, held: _Held, since: ReadSoFar) -> None:
        self._path = log.path
        self._held = held
        self.place = since
        lines = self._news()
        if since == _START:
            if not lines:
                self.append(log.header)
            elif lines.pop(0) not in (log.header, log.older):
                raise InvalidInput(str(log.path), "a file with other terms", f"one of {log.header}")
        self.fresh: tuple[str, ...] = tuple(lines)

    def __enter__(self) -> Turn:
        return self

    def __exit__(self, *_error: object) -> None:
        if not self._held.closed:
            fcntl.flock(self._held, fcntl.LOCK_UN)  # also for a fork that has it open
        self._held.close()

    def append(self, line: str) -> None:
        """Append a line; it is on the disk when this returns.

        Raises
        ------
        InvalidInput
            The line contains a line end, or the file cannot be written.
        """
        if "\n" in line or "\r" in line:
            raise InvalidInput("line", "more than one line", "a line")
        begun = self.place.read
        digest, sealed = _sealed(line, self.place.digest)
        try:
            handle, written = self._held.fileno(), 0
            while written < len(sealed):
                written += os.pwrite(handle, sealed[written:], begun + written)
            os.fsync(handle)
        except OSError as problem:  # no place left: as if it had not been tried
            with contextlib.suppress(OSError):
                os.ftruncate(handle, begun)
            wanted = "a file that can be written"
            raise InvalidInput(str(self._path), reason(problem), wanted) from None
        except ValueError:  # it was closed before
            raise _within(self._path) from None
        if not begun:
            settle(self._path.parent)
        self.place = ReadSoFar(begun + len(sealed), digest)

    def _news(self) -> list[str]:
        """Read and check the appended lines; remove an unfinished one."""
        handle, (read, digest) = self._held.fileno(), self.place
        size = os.fstat(handle).st_size
        if size < read:
            raise InvalidInput(str(self._path), "a file that is shorter than it was", _WANTED)
        content = b""
        while len(content) < size - read:
            part = os.pread(handle, size - read - len(content), read + len(content))
            if not part:
                break
            content += part
        whole = content[: content.rfind(b"\n") + 1]
        lines = []
        for number, raw in enumerate(whole.split(b"\n")[:-1]):
            line = raw[_DIGITS + 1 :].decode("utf-8", "replace")
            digest, sealed = _sealed(line, digest)
            if sealed != raw + b"\n":
                raise InvalidInput(str(self._path), f"another line {number + 1}", _WANTED)
            lines.append(line)
        self.place = ReadSoFar(read + len(whole), digest)
        if len(whole) < len(content):
            os.ftruncate(handle, self.place.read)
            os.fsync(handle)
        return lines
