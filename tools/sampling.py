"""What of a long list a run judges: a share, and what is about files that were changed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent

Entry = TypeVar("Entry")


def git(*words: str) -> str | None:
    """What git says; ``None`` where it fails, as for the parent of a clone without history."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def changed() -> frozenset[str] | None:
    """Files that the last commit or the work since then changed; ``None`` where nobody knows."""
    found = [
        git("diff", "--name-only", "HEAD~1"),
        git("ls-files", "--others", "--exclude-standard"),
    ]
    if found[0] is None or found[1] is None:
        return None
    return frozenset("".join(filter(None, found)).splitlines())


def sampled(
    entries: Sequence[Entry], every: int, file_of: Callable[[Entry], str] | None = None
) -> list[Entry]:
    """Take every so-many-th of the entries, another share for each commit.

    Parameters
    ----------
    entries
        In an order that stays.
    every
        1 for all of them.
    file_of
        The file of an entry, from the root of the project: those of files that were changed are
        taken besides.
    """
    if every == 1:
        return list(entries)
    first = int((git("rev-parse", "HEAD") or "0").strip(), 16) % every
    touched = (changed() or frozenset()) if file_of is not None else frozenset()
    return [
        entry
        for place, entry in enumerate(entries)
        if place % every == first or (file_of is not None and file_of(entry) in touched)
    ]
