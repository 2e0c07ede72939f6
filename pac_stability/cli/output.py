"""Where the answer of a command goes: the terminal, a pipe or a file."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Collection
from pathlib import Path

from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> plural(1, "round"), plural(1200, "round"), plural(0, "hypothesis", "hypotheses")
    ('1 round', '1,200 rounds', '0 hypotheses')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def to_json(report: object) -> str:
    """Return a report as text, one field a line."""
    return json.dumps(report, indent=1) + "\n"


HTML = (".html", ".htm")
"""Names of files that a page may have."""


def check_output(output: str | None, extensions: Collection[str] = ()) -> None:
    """Refuse a file that cannot be written, before hours of computing its contents.

    Its extension must be one of ``extensions``, or none: ``report.pdf`` must not contain HTML.
    """
    if output is None:
        return
    target = Path(output)
    if extensions and target.suffix and target.suffix.lower() not in extensions:
        wanted = "a name that ends in " + " or ".join(extensions)
        raise InvalidInput(output, f"a file of the kind {target.suffix}", wanted)
    if target.is_dir() or not target.name:
        raise InvalidInput(repr(output), "a directory", "a file to write")
    if not os.access(target.parent, os.W_OK):
        raise InvalidInput(output, "no directory that can be written to", "a file to write")


def emit(text: str, output: str | None = None) -> None:
    """Write ``text`` to a file, whole or not at all, or to standard output."""
    if output is None:
        sys.stdout.write(text)
        # Into a pipe, too, what is known appears at once.
        sys.stdout.flush()
        return
    write_text(output, text)


def coloured() -> bool:
    """Whether standard output is a terminal that may show colours (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def width() -> int:
    """Return how many columns a report may have."""
    return max(shutil.get_terminal_size((100, 24)).columns, 60)
