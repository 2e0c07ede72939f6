"""A table before its cells have a meaning: its cells, and the options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import require_instance
from pac_stability.errors import InvalidInput

HEAD = 1 << 16


MARK = "# pac-stability: the first line is {}, the first column is {}"
"""A comment above a table of this library, each ``data`` or ``names``."""

MAX_BYTES = 2**28
"""Largest file that is read unless another limit is given: 256 MiB."""

MAX_COLUMNS = 2**18
"""Most columns of a table in text."""

MISSING = "\0"
"""The cell of a value that is missing by its format: ``null``, ``NaN``, ``pd.NA``."""

TABLE_FORMATS = (
    *("csv", "json", "json-columns", "json-index", "npy", "npz"),
    *("cxt", "arff", "parquet", "feather", "sets"),
)
"""What a file can be said to hold, whatever it is called; ``csv`` is any text in columns."""

DECIMAL = re.compile(r"[+-]?(\d{1,400}([.,]\d{0,400})?|[.,]\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)
"""A number in decimal, with a point or a comma."""

Rows = Iterator[tuple[int, list[str]]]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How to read a table if the file leaves it open; the command has options of these names.

    Attributes
    ----------
    table_format
        One of :data:`TABLE_FORMATS`; by default by extension and content.
    header
        Whether the first line names the points.
    names
        Whether the first column names the hypotheses; if not, a first column of text is omitted.
    ones
        Which of two values is 1.
    columns
        Names or numbers, from 1, of the columns to read.
    delimiter
        The separator of the cells of a line.
    max_bytes
        Refuse a larger file.
    command
        Whether messages name options of the command instead of arguments of Python.
    frame
        Whether the table is a data frame, of which messages name what to pass in its place.
    """

    table_format: str | None = None
    header: bool | None = None
    names: bool | None = None
    ones: str | None = None
    columns: Sequence[str | int] | None = None
    delimiter: str | None = None
    max_bytes: int = MAX_BYTES
    command: bool = False
    frame: bool = False

    def __post_init__(self) -> None:
        """Refuse what others take for the same words: ``header=0``, ``columns="a"``, ``ones=2``."""
        for name, kind in (("header", bool), ("names", bool), ("ones", str), ("delimiter", str)):
            if (value := getattr(self, name)) is not None:
                require_instance(value, kind, name, "True or False" if kind is bool else "a text")
        if isinstance(self.columns, str):
            raise InvalidInput("columns", repr(self.columns), "a list of names or numbers from 1")

    def spelled(self, name: str, value: object) -> str:
        """Write an option as the reader of a message would type it.

        Examples
        --------
        >>> TableOptions().spelled("header", True)
        'header=True'
        >>> TableOptions(command=True).spelled("header", False)
        '--no-header'
        >>> TableOptions(command=True).spelled("ones", "not at all")
        "--ones 'not at all'"
        >>> TableOptions(frame=True).spelled("ones", "A")
        "frame == 'A'"
        """
        if self.frame and name == "names":
            return "names=frame[NAME] beside frame[OTHERS]" if value else "frame == VALUE"
        if self.frame:
            return f"frame == {value!r}" if name == "ones" else "frame[COLUMNS]"
        if not self.command:
            return f"{name}={value!r}"
        option = name.replace("_", "-")
        if isinstance(value, bool):
            return f"--{option}" if value else f"--no-{option}"
        text = shlex.quote(str(value))
        # A value that begins with a dash would be taken for an option.
        return f"--{option}={text}" if text.startswith("-") else f"--{option} {text}"

    def reads(self, places: Sequence[int]) -> list[str]:
        """Name the option that reads some columns, counted from 0, if there are any."""
        listed = ranges([place + 1 for place in places])
        columns = self.spelled("columns", listed if self.command else listed.split(","))
        return [f"{columns} reads the columns that have them"] * bool(listed)


@dataclass(slots=True)
class Lines:
    """Text in columns: its lines and its separator."""

    content: bytes
    delimiter: str
    skip: int = 0
    escapes: bool = False
    quote: str = '"'
    header: bool | None = None
    names: bool | None = None
    """What a comment above the data says of the first line, and of the first column."""

    quoted_top: bool = False
    quoted_names: bool = True
    quoted_rest: bool = True
    """Whether all cells of the first line are in quotes; the first of all others; all of those."""


@dataclass(slots=True)
class Sheet:
    """The cells of a file, as text or as an array, and further information of its format."""

    name: str
    rows: Rows = field(default_factory=lambda: iter(()))
    array: npt.NDArray[np.generic] | None = None
    columns: list[str] | None = None
    names: list[str] | None = None
    sets: list[tuple[str | None, list[Hashable]]] | None = None
    domain: list[object] | None = None
    """Points that are values, not text: what the JSON of this library has."""
    how: list[str] = field(default_factory=list)
    lines: Lines | None = None
    header_line: int = 0
    """The line from which the columns have their names, if they have them from one."""


def ranges(numbers: Sequence[int]) -> str:
    """Write increasing numbers in short.

    Examples
    --------
    >>> ranges([1, 2, 3, 5])
    '1-3,5'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs)


def cell_text(value: object) -> str:
    """Write a value as a cell; a missing one is :data:`MISSING`.

    Examples
    --------
    >>> cell_text(True), cell_text(1.0), cell_text(None) == MISSING, cell_text("a")
    ('True', '1.0', True, 'a')
    """
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return MISSING
    if isinstance(value, np.generic):
        value = cast("object", value.item())
    if isinstance(value, float) and value != value:  # noqa: PLR0124  # the one test of NaN
        return MISSING
    return str(value)


def row_names(names: Sequence[str]) -> list[str] | None:
    """Return the names of rows, unless they are a running count."""
    return None if list(names) == [str(row) for row in range(len(names))] else list(names)
