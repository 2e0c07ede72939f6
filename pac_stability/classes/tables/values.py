"""How a table was read: which of two values is 1, and which cells are names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

import numpy as np
import numpy.typing as npt

from pac_stability.classes.tables import sheets
from pac_stability.errors import InvalidInput

MOST_VALUES = 250
_SPELLED = (
    "0/1 false/true f/t no/yes n/y off/on falsch/wahr faux/vrai falso/verdadero falso/vero "
    "falso/verdadeiro onwaar/waar fałsz/prawda falskt/sant falsk/sand usann/sann epätosi/tosi "
    "いいえ/はい nepravda/pravda yanlış/doğru yanliş/doğru hamis/igaz fals/adevărat fals/cert "
    "ложь/истина ψευδησ/αληθησ 假/真 거짓/참 nein/ja n/j non/oui no/si no/sí no/sì não/sim nao/sim "
    "nej/ja nee/ja nie/tak ei/kyllä ne/ano ne/da nu/da nem/igen hayır/evet нет/да όχι/ναι 否/是"
)
_PAIRS = [(no, yes) for no, _, yes in (pair.partition("/") for pair in _SPELLED.split())]
LABEL = {word: label for pair in _PAIRS for label, word in enumerate(pair)}
_ALONE = (
    *(("", "x"), (".", "x"), ("-", "+"), ("-1", "1"), ("", "\u2713"), ("", "\u2714")),
    *(("\u2717", "\u2713"), ("\u2718", "\u2714"), ("\u274c", "\u2705")),
)
"""Pairs that mean 0 and 1 where they are the only values of the table."""

_ONLY = {"x": ("", "x"), "+": ("-", "+"), "-1": ("-1", "1")}
"""What means one of them where it is the only value: nobody writes a blank for nothing."""

WORDS = frozenset(chain.from_iterable((*_PAIRS, *_ALONE)))
ABSENT = frozenset({sheets.MISSING, "", "na", "n/a", "nan", "null", "none", "<na>", "?", "#n/a"})
INDEX_NAMES = frozenset({
    *("", "index", "id", "ids", "row", "rows", "row.names", "rownames", "row_names", "rowname"),
    *("...1", "nr", "nr.", "no.", "number", "#", "obs", "case", "level_0", "__index_level_0__"),
    *("name", "names", "hypothesis", "hypotheses", "v1.names", "key", "rowid", "x.1"),
    *("subject", "participant", "respondent", "observation", "instance"),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableReading:
    """How a table was read; the command prints its ``str()`` after the counts.

    Attributes
    ----------
    names, points
        The sources of the names of hypotheses and of points; empty if they have none.
    more
        Whatever else was decided.
    notes
        Further remarks for the reader.
    """

    names: str = ""
    points: str = ""
    more: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table from a file, with the file's further information."""

    table: npt.NDArray[np.generic]
    points: Sequence[Hashable] | None = None
    hypotheses: Sequence[str] | None = None
    reading: TableReading = TableReading()


@dataclass(frozen=True, slots=True)
class Values:
    """The distinct values of a table, each with its frequency and first place."""

    counts: dict[str, int]
    place: Callable[[str], str]
    name: str
    options: sheets.TableOptions
    ways: Callable[[], list[str]] = list
    """Says what would help if the values are not two."""

    bare: bool = False
    """Whether the values are numbers, not texts."""

    def labels(self) -> dict[str, int]:
        """Return the label of each value."""
        groups: dict[str, list[str]] = {}
        for value in self.counts:
            groups.setdefault(plain_value(value), []).append(value)
        if self.options.ones is not None:
            ones = self._ones(groups)
        elif groups.keys() <= LABEL.keys():
            return {value: LABEL[plain_value(value)] for value in self.counts}
        else:
            pair = next((pair for pair in _ALONE if {*pair} == groups.keys()), None)
            pair = _ONLY.get("".join(groups)) if len(groups) == 1 else pair
            if pair is None:
                raise self._refused(groups)
            ones = pair[1]
        return {value: int(plain_value(value) == ones) for value in self.counts}

    def _ones(self, groups: dict[str, list[str]]) -> str:
        ones = self.options.ones or ""
        plain = plain_value(ones)
        if plain not in groups and len(groups) > 1:
            raise InvalidInput(self.name, f"no cell {ones!r}", f"one of {self._shown(groups)}")
        if len(groups) > 2 or sheets.MISSING in groups:
            raise self._refused(groups)
        return plain

    def _refused(self, groups: dict[str, list[str]]) -> InvalidInput:
        spelled = self.options.spelled
        others = groups.keys() - LABEL.keys()
        absent = [group for group in groups if group in ABSENT]
        blank = set(absent) == {""} and len(groups) <= 2  # a blank can be a value
        if sheets.MISSING in groups or (absent and not blank and len(others) == len(absent)):
            lost = sheets.MISSING if sheets.MISSING in groups else absent[0]
            value = groups[lost][0]
            shown = "no value" if lost == sheets.MISSING else repr(value)
            total = sum(self.counts[v] for group in absent for v in groups[group])
            given = f"{shown} {self.place(value)}{f', {total} such cells' if total > 1 else ''}"
            return InvalidInput(
                self.name, given, "; ".join(["a value in every cell", *self.ways()])
            )
        if len(groups) > 2 or self.options.ones is not None:
            given = f"{len(groups)} values: {self._shown(groups)}"
            return InvalidInput(self.name, given, "; ".join(["two values", *self.ways()]))
        number = self.bare and self.options.frame
        texts = [spelling[0] for spelling in groups.values()]
        ways = " or ".join(spelled("ones", float(text) if number else text) for text in texts)
        known = "0 and 1, True and False, yes and no, X and blank"
        which = ", which of the two is 1"
        if len(groups) == 1:
            which = f", if it is 1, or {spelled('ones', 'X')}, if it is 0"
        wanted = f"values 0 and 1 only, or two that mean them ({known}); or {ways}{which}"
        wanted = "; ".join([wanted, *self.ways()])
        return InvalidInput(self.name, self._shown(groups), wanted)

    def _shown(self, groups: dict[str, list[str]]) -> str:
        parts = []
        for group in sorted(groups, key=LABEL.__contains__)[:4]:
            spelling = groups[group]
            count = sum(self.counts[value] for value in spelling)
            often = "once" if count == 1 else f"{count} times"
            value = spelling[0] if len(spelling[0]) <= 40 else f"{spelling[0][:37]}..."
            shown = value if self.bare else repr(value)
            parts.append(f"{shown} {self.place(spelling[0])} ({often})")
        return ", ".join([*parts, *["..."] * (len(groups) > 4)])


def plain_value(value: str) -> str:
    """Return the common form of all spellings of a value; ``00`` and ``01`` are text."""
    if len(value) == 1 and value != "\u2212":
        return value.lower()
    value = value.replace("\u2212", "-")
    if re.fullmatch(r"[+-]?0[0-9].*", value) or not sheets.DECIMAL.fullmatch(value):
        return value.strip().casefold()
    return str(Fraction(value.replace(",", ".")))


def ones_told(labels: dict[str, int]) -> tuple[str, ...]:
    """Say which value is read as 1, unless the values are the numbers 0 and 1."""
    ones = sorted({value for value, label in labels.items() if label})
    plain = all(plain_value(value) in ("0", "1") for value in labels)
    return () if plain or not ones else (f"1 = {' or '.join(map(repr, ones[:3]))}",)


def pairs_of(found: set[str]) -> list[tuple[str, str]]:
    """Return the known pairs that can contain some values."""
    return [pair for pair in (*_PAIRS, *_ALONE) if found and found <= {*pair}]


def is_number(cell: str) -> bool:
    """Whether a cell is a number in decimal."""
    return sheets.DECIMAL.fullmatch(cell) is not None


def is_index(name: str) -> bool:
    """Whether a name stands above names of rows: ``id``, ``user_id``, ``PassengerId``."""
    plain = name.casefold()
    ends = re.search(r"[\W_](id|nr|uuid)\.?$", plain) or re.search(r"[a-z]I[dD]$", name)
    return plain in INDEX_NAMES or plain.startswith("unnamed:") or bool(ends)


def only_counts(cells: Sequence[str]) -> bool:
    """Whether cells are a running count from 0 or from 1."""
    first = cells[0] if cells else ""
    return first in ("0", "1") and all(
        cell == str(number) for number, cell in enumerate(cells, int(first))
    )


def numbered_names(names: Sequence[str], what: str) -> tuple[list[str], tuple[str, ...]]:
    """Make names distinct by appending numbers, and say so."""
    repeated = {name: count for name, count in Counter(names).items() if count > 1}
    if not repeated:
        return list(names), ()
    taken, seen, made = set(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        new, number = name, seen[name]
        while number > 1 and new in taken:
            new, number = f"{name}#{number}", number + 1
        taken.add(new)
        made.append(new)
    shown = ", ".join(repr(name) for name in list(repeated)[:3])
    more = ", ..." if len(repeated) > 3 else ""
    return made, (f"{what} repeat and are numbered ({shown}{more})",)
