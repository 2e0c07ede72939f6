"""Tallies kept on disk, by what they depend on."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path

from pac_stability.claims.evidence import Tally
from pac_stability.errors import InvalidInput
from pac_stability.reading import read_json


class Cache:
    """A folder of tallies. Each is found again only by the very code that made it.

    Parameters
    ----------
    folder
        Made when the first tally is stored. Files can be deleted at any time.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def load(self, name: str) -> Tally | None:
        """Return the tally stored under a name by this code, or ``None``.

        A file that cannot be read, or holds something else, counts as absent.
        """
        try:
            document = read_json(self._path(name))
        except InvalidInput:
            return None
        if not isinstance(document, dict) or document.get("name") != name:
            return None
        try:
            return Tally.from_dict(document.get("tally"))
        except ValueError:
            return None

    def store(self, name: str, tally: Tally) -> None:
        """Store a tally under a name; the file is written whole or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        document = json.dumps({"name": name, "tally": tally.to_dict()})
        handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(document)
            Path(temporary).replace(self._path(name))
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _path(self, name: str) -> Path:
        digest = hashlib.sha256(f"{fingerprint()}/{name}".encode()).hexdigest()
        return self._folder / f"{digest[:40]}.json"


@cache
def fingerprint() -> str:
    """Digest of every source and compiled module of the library."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".so", ".pyd"):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def default_folder() -> Path:
    """Return the folder for tallies of this user, as the platform has it."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "pac_stability" / "claims"
