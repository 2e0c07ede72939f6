"""The same program asked again in a second interpreter, with another hash seed, in the other order.

What a program leaves where nobody looks shows in the order of the questions, and what hangs on the
order of a set of texts in the hash seed. The first interpreter audits (:class:`Twice`); the second
is started with the same command and an order to tell its answers (:class:`Told`), which it writes
as digests, a line for each sample.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pac_stability.audit.failures import SubjectFailure
from pac_stability.audit.writing import written
from pac_stability.data import Law

Row = tuple[Hashable, ...]


@dataclass(frozen=True)
class Twice:
    """Compares the answers with those that a second interpreter gives.

    Attributes
    ----------
    command
        Asks the same, from the last sample to the first, and tells its answers in the file whose
        name comes last.
    """

    command: tuple[str, ...]

    def first_that_differs(self, name: str, rows: Iterable[Row]) -> int | None:
        """Return the number of a sample that is answered otherwise there.

        Raises
        ------
        SubjectFailure
            No answers came.
        """
        seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "answers")
            done = subprocess.run(  # noqa: S603  # what the user runs
                [sys.executable, *self.command, str(file)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True, text=True, errors="replace", check=False,
            )  # fmt: skip
            if done.returncode or not file.exists():
                said = done.stderr.strip().rpartition("\n")[2].removeprefix("pac-stability: ")
                raise SubjectFailure(
                    "mechanism",
                    f"no answers from {name} in a second interpreter, which says: {said}",
                    "the same answers there",
                    None,
                )
            there = file.read_text(encoding="ascii").splitlines()
        told = map(_told, rows)
        return next(
            (k for k, pair in enumerate(zip(told, there, strict=True)) if len({*pair}) > 1), None
        )


@dataclass(frozen=True)
class Told:
    """Tells the answers to the first interpreter, and ends the audit with :class:`AllTold`.

    Attributes
    ----------
    file
        Where to write them.
    """

    file: str

    def tell(self, samples: int, row: Callable[[int], Row]) -> None:
        """Ask about all samples, the last one first, and write down what is answered."""
        backwards = [_told(row(number)) for number in reversed(range(samples))]
        Path(self.file).write_text("".join(f"{line}\n" for line in backwards[::-1]), "ascii")


class AllTold(Exception):  # it is no error
    """The second interpreter has told its answers."""


def _told(row: Row) -> str:
    return hashlib.sha256("; ".join(map(_in_full, row)).encode("utf-8", "replace")).hexdigest()[:32]


def _in_full(value: object) -> str:
    if isinstance(value, Law):
        return ", ".join(sorted(f"{written(y)}: {weight}" for y, weight in value.items()))
    return str(value)
