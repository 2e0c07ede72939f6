"""What was found before, kept on disk: by what it depends on, and with a code of the user's key."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from pac_stability.claims.book import GROUP, books
from pac_stability.claims.tallies import Tally
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.keeping.fingerprint import library_digest, platform_name
from pac_stability.keeping.writing import remove_leftovers, write_bytes
from pac_stability.reading import exact_number, exact_text, read_json
from pac_stability.reading.files import reason

_KEY = "key"
_KEY_BYTES = 32
_FIELDS = {"name", "written", "instances", "misled", "supported", "active", "tightest", "code"}


@dataclass(frozen=True, slots=True)
class KeptTally:
    """A tally from the cache.

    Attributes
    ----------
    tally
        The findings.
    written
        When they were found, in seconds since 1970.
    """

    tally: Tally
    written: float


class Cache:
    """A folder of tallies. Each is found again only by the very code that made it.

    Kept is only what was settled in favour of a claim, as five numbers: a counterexample, or what
    bounds left open, is looked for again in every run. So no file, whatever is in it, can print a
    counterexample or take one away that a run finds; it can at most keep an instance from being
    asked about, and for that it needs a code made with the *key*, a random file in the folder that
    only its owner can read. That is against accidents: damage, older versions, files of another
    machine. It is not against whoever works under the same account, who can read the key.

    Nothing about the folder ends a run. Where it cannot be read or written, work goes on without
    it.

    Parameters
    ----------
    folder
        Made when the first tally is stored. Files can be deleted at any time.
    fresh
        Whether what the folder holds is to be ignored, and written over.

    Attributes
    ----------
    remarks
        What a user should know of it, in words.
    """

    def __init__(self, folder: str | os.PathLike[str], *, fresh: bool = False) -> None:
        self._folder = Path(folder)
        self._fresh = fresh
        self._damaged = 0
        self._usable = True
        self._secret: bytes | None = None
        self._trouble = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a user should know of the folder, in words."""
        found = [self._trouble] if self._trouble else []
        if self._damaged:
            files = f"{self._damaged} file{'s' if self._damaged > 1 else ''}"
            found.append(f"{files} of the cache {self._folder} had no code of its key; asked again")
        return tuple(found)

    def load(self, name: str) -> KeptTally | None:
        """Return the tally stored under a name by this code, or ``None``.

        A file that cannot be read, or holds something else, or has no code of the key, counts as
        absent.
        """
        path = self._path(name)
        if self._fresh or not self._usable or not os.path.lexists(path):
            return None
        key = self._key(make=False)
        try:
            found = None if key is None else _decoded(read_json(path), name, key)
        except (InvalidInput, OSError):
            found = None
        if found is None and self._usable:
            self._damaged += 1
        return found

    def store(self, name: str, tally: Tally) -> None:
        """Store a tally under a name, if it settles something; the file is written whole or not."""
        settled = tally.refuting is None and tally.open is None and tally.insensitive is None
        if not settled or not self._usable:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            key = self._key(make=True)
            if key is not None:
                remove_leftovers(self._path(name))
                write_text(self._path(name), _encoded(tally, name, key))
        except OSError as problem:
            self._give_up("written", reason(problem))
        except InvalidInput as problem:
            self._give_up("written", problem.given)

    def _key(self, *, make: bool) -> bytes | None:
        """Return the key of the folder, which is made with the first file."""
        if self._secret is not None:
            return self._secret
        path = self._folder / _KEY
        try:
            if not path.exists() or not _is_secret(path.stat()):
                if not make:
                    return None
                remove_leftovers(path)
                # Of two processes that do so at once, one has its way.
                write_bytes(path, secrets.token_bytes(_KEY_BYTES), mode=0o600)
            self._secret = path.read_bytes()
        except OSError as problem:
            self._give_up("used: its key cannot be read", reason(problem))
        return self._secret

    def _give_up(self, what: str, why: str) -> None:
        self._usable = False
        self._trouble = f"the cache {self._folder} cannot be {what} ({why}); going on without it"

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(_context(name)).hexdigest()[:40]}.json"


def _is_secret(found: os.stat_result) -> bool:
    """Whether a key is one that only its owner could read, and so write codes with."""
    private = os.name == "nt" or (found.st_mode & 0o077 == 0 and found.st_uid == os.geteuid())
    return private and found.st_size == _KEY_BYTES


def default_folder() -> Path | None:
    """Return the folder for tallies of this user, as the platform has it; ``None`` for no home."""
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        try:
            base = str(Path.home() / ".cache")
        except RuntimeError:
            return None
    return Path(base) / "pac_stability" / "claims"


def _context(name: str) -> bytes:
    """Say what a tally depends on: the library, Python, NumPy and the machine, and its task.

    A book that is not of the library counts with its own files.
    """
    book = books().get(name.partition(":")[0])
    outside = [] if book is None or book.package.startswith(f"{GROUP}.") else [book.digest]
    return "\n".join((library_digest(), *outside, platform_name(), name)).encode()


def _encoded(tally: Tally, name: str, key: bytes) -> str:
    fields: dict[str, object] = {
        "name": name,
        "written": int(time.time()),
        "instances": tally.instances,
        "misled": exact_text(tally.misled),
        "supported": tally.supported,
        "active": tally.active,
        "tightest": tally.tightest,
    }
    return json.dumps({**fields, "code": _code(fields, key)}) + "\n"


def _decoded(document: object, name: str, key: bytes) -> KeptTally | None:
    if not isinstance(document, dict) or document.keys() != _FIELDS or document["name"] != name:
        return None
    code = document.pop("code")
    if not isinstance(code, str) or not hmac.compare_digest(
        code.encode("utf-8", "replace"), _code(document, key).encode()
    ):
        return None
    misled = exact_number(document["misled"], "misled")
    counts = (document["supported"], document["active"])
    tally = Tally(document["instances"], None, None, misled, *counts, document["tightest"])
    return KeptTally(tally, document["written"])


def _code(fields: dict[str, object], key: bytes) -> str:
    """Return the code that the key makes of what was found and what it depends on."""
    plain = json.dumps(fields, sort_keys=True).encode()
    return hmac.new(key, _context(str(fields["name"])) + b"\n" + plain, "sha256").hexdigest()
