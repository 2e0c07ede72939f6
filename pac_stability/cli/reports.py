"""What every command says about itself and about the class, and where its output goes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pac_stability
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.errors import InvalidInput, printable
from pac_stability.keeping import write_text
from pac_stability.online import class_digest


def header(
    kind: str, source: str, H: FiniteClass | ImplicitClass, *, edition: int = 1
) -> dict[str, object]:
    """Begin a JSON report: its schema, who wrote it, and the class it is about."""
    hypotheses, points, dropped = _counts(H)
    return {
        "schema": f"pac-stability/{kind}/{edition}",
        "version": pac_stability.__version__,
        "source": source,
        "class": {
            "id": class_digest(H),
            "hypotheses": hypotheses,
            "points": points,
            **({"duplicates": dropped} if dropped else {}),
        },
    }


def headline(source: str, H: FiniteClass | ImplicitClass) -> str:
    """Return the class in one line."""
    count, points, duplicates = _counts(H)
    hypotheses = plural(count, "hypothesis", "hypotheses")
    lost = H.dropped if isinstance(H, FiniteClass) else ()
    names = "".join(f", {printable(one)} as {printable(other)}" for one, other in lost[:3])
    more = ", ..." if len(lost) > 3 else ""
    rows = plural(duplicates, "duplicate row")
    dropped = f" ({rows} dropped{names.replace(',', ':', 1)}{more})" if duplicates else ""
    return f"{printable(source)}: {hypotheses} on {plural(points, 'point')}{dropped}"


def _counts(H: FiniteClass | ImplicitClass) -> tuple[int, int, int]:
    """How many hypotheses, points, and duplicate rows."""
    if isinstance(H, ImplicitClass):
        return H.size(H.whole), H.points, 0
    return len(H), len(H.domain), H.duplicates


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


def check_output(output: str | None) -> None:
    """Refuse a file that cannot be written before hours go into what it should hold."""
    if output is None:
        return
    target = Path(output)
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
