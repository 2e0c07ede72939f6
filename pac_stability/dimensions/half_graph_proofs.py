"""Refutations of half graphs: what certifies an upper bound on a threshold dimension.

First, for all first pairs at once, after which of them too little is left of a table, by degrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.classes import FiniteClass, bits
from pac_stability.dimensions.shattering_proofs import read_indices
from pac_stability.errors import BudgetExhausted, InvalidInput

Table = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.intp]
Said = npt.NDArray[np.bool_]


def promising_first_pairs(table: Table, further: int) -> Said:
    """Say after which first pairs degrees leave room for so many further pairs of a half graph.

    Parameters
    ----------
    table
        Rows and columns of 0 and 1.
    further
        How many pairs are to follow, 0 or more.

    Returns
    -------
    array of bool
        Of the shape of the table. Where it is false at a 1, what is left after that pair is too
        small: the rows with 0 in its column and the columns with 1 in its row. For in a half graph
        of k pairs the i-th fullest line has at least k - i + 1 ones, and the i-th emptiest at least
        k - i zeros. Where the table has 0 there is no first pair, and it is false.

    Notes
    -----
    ``O(n m (n + m))``. Equal lines are not merged, so that a search which merges them may say more.

    Examples
    --------
    >>> promising_first_pairs(np.triu(np.ones((3, 3), dtype=np.uint8)), 2).astype(int)
    array([[1, 0, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    rows, columns = bits.pack(table), bits.pack(table.T)
    said = np.zeros(table.shape, dtype=np.bool_)
    for h, row in enumerate(table):
        to = np.flatnonzero(row)
        left = table[:, to] == 0  # rows with none of their ones in the column of the pair
        said[h, to] = _enough(bits.ones(rows & rows[h]), left, len(to) - 1, further)
    for x, column in enumerate(table.T):
        at = np.flatnonzero(column & said[:, x])
        left = table[at].T == 1
        left[x] = False
        height = len(table) - int(column.sum())
        said[at, x] = _enough(bits.ones(columns & ~columns[x]), left, height, further)
    return said


def _enough(ones: Counts, left: Said, width: int, pairs: int) -> Said:
    """Say for which columns of ``left``, which lines there are, degrees allow so many pairs.

    ``ones`` are those of each line, among ``width``.
    """
    if width < pairs or not len(ones):
        return np.full(left.shape[1], pairs == 0)
    order = np.argsort(-ones, kind="stable")
    ones, left = ones[order, None], left[order]
    place = left.cumsum(axis=0)  # of a line, fullest first
    many = place[-1]
    last = many - place + 1  # and emptiest first
    short = left & (place <= pairs) & (ones + place <= pairs)
    short |= left & (last <= pairs) & (width - ones + last < pairs)
    return np.asarray((many >= pairs) & ~short.any(axis=0), dtype=np.bool_)


# Refutations

Lines = Mapping[int, frozenset[int]]
_Key = tuple[frozenset[int], frozenset[int]]

_AT_ONCE = 3000
"""Entries times lines of a part in which first pairs are counted while one line is looked at."""


class RefutedPart(NamedTuple):
    """Some hypotheses and points, among which no half graph has this length.

    Attributes
    ----------
    hypotheses, points
        Row and column indices.
    length
        The length, 1 or more.
    """

    hypotheses: tuple[int, ...]
    points: tuple[int, ...]
    length: int


@dataclass(frozen=True, slots=True, repr=False)
class HalfGraphRefutation(Tabled):
    """A proof that no half graph has ``k`` pairs: the threshold dimension is at most ``k - 1``.

    After a first pair (h, x) a half graph goes on among the hypotheses with 0 at x and the points
    with 1 under h. What is left, without empty lines and repetitions, is *too small* for a length
    by its degrees: the i-th hypothesis of a half graph has 1 at all points from the i-th on, and 0
    before. The proof stands if the class is too small for ``k`` or a part of length ``k`` or less,
    and what is left after each first pair of a part is so for one less than the length of the part.

    Attributes
    ----------
    k
        The bound: the dimension is at most ``k - 1``.
    parts
        Parts of the class, without empty lines and repetitions.

    Examples
    --------
    >>> from pac_stability.classes import cube
    >>> proof = refute_half_graph(cube(3), 5)
    >>> proof, proof.refutes(cube(3)), proof.refutes(cube(5))
    (<HalfGraphRefutation: thresholds at most 4, parts 0>, True, False)
    """

    k: int
    parts: tuple[RefutedPart, ...]

    def _rows(self) -> Mapping[str, object]:
        return {"thresholds": f"at most {self.k - 1}", "parts": f"{len(self.parts):,}"}

    def refutes(self, H: FiniteClass) -> bool:
        """Whether this proves that no half graph has ``k`` pairs; plain counting, no search."""
        table = _Parts(H)
        known = {
            (frozenset(part.hypotheses), frozenset(part.points)): part.length for part in self.parts
        }
        return (
            self.k >= 1
            and all(table.has(part) and length >= 1 for part, length in known.items())
            and table.is_too_small(table.whole, self.k, known)
            and all(
                table.is_too_small(left, length - 1, known)
                for part, length in known.items()
                for left in table.after_first_pairs(part, length)
            )
        )

    def to_dict(self) -> dict[str, object]:
        """Return plain lists, ready for JSON; `from_dict` reads them back."""
        return {
            "k": self.k,
            "parts": [
                {
                    "hypotheses": list(part.hypotheses),
                    "points": list(part.points),
                    "length": part.length,
                }
                for part in self.parts
            ],
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, object]) -> HalfGraphRefutation:
        """Read what `to_dict` wrote; `InvalidInput` names what is not of that form."""
        k, parts = form.get("k"), form.get("parts")
        if not (type(k) is int and isinstance(parts, list | tuple)):
            raise InvalidInput("refutation", repr(form)[:60], "k and parts")
        read = []
        for part in parts:
            if not (isinstance(part, Mapping) and type(part.get("length")) is int):
                raise InvalidInput("parts", repr(part)[:60], "hypotheses, points and a length")
            read.append(
                RefutedPart(
                    read_indices(part.get("hypotheses")),
                    read_indices(part.get("points")),
                    part["length"],
                )
            )
        return cls(k, tuple(read))


def refute_half_graph(H: FiniteClass, k: int, *, max_steps: int = 1_000_000) -> HalfGraphRefutation:
    """Prove that no half graph of a class has ``k`` pairs.

    Parameters
    ----------
    H
        The class.
    k
        The bound to prove.
    max_steps
        Hypotheses and points of parts that may be looked at, each a few microseconds, and ones of
        the table; counting in the first pairs of a part is charged by what it takes.

    Raises
    ------
    InvalidInput
        Some half graph has ``k`` pairs, or ``k`` is not positive.
    BudgetExhausted
        The proof takes more.

    Notes
    -----
    Enters every part that is not too small, first pair by first pair, and remembers those that are
    refuted: exponential in ``k``, for tables of some dozen lines, and for larger ones where degrees
    say nearly all, ``k`` being far above the dimension.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> refute_half_graph(thresholds(20), 21)
    <HalfGraphRefutation: thresholds at most 20, parts 0>
    """
    if k < 1:
        raise InvalidInput("k", str(k), "1 or more")
    spent = int(H.table.sum())
    if spent > max_steps:
        raise BudgetExhausted(f"a table of more than {max_steps} ones")
    known: dict[_Key, int] = {}
    table = _Parts(H)
    if table.is_too_small(table.whole, k, known):
        return HalfGraphRefutation(k, ())
    spent += table.counting(table.whole)
    entered = [(table.whole, k, table.after_first_pairs(table.whole, k))]
    while entered:
        part, length, lefts = entered[-1]
        for left in lefts:
            spent += len(left[0]) + len(left[1])
            if spent > max_steps:
                raise BudgetExhausted(f"more than {max_steps} lines are to be looked at")
            if table.is_too_small(left, length - 1, known):
                continue
            if length == 1:
                raise InvalidInput("k", str(k), f"more than {k}, the length of a half graph")
            spent += table.counting(left)
            entered.append((left, length - 1, table.after_first_pairs(left, length - 1)))
            break
        else:
            entered.pop()
            known[part] = length
    parts = [
        RefutedPart(tuple(sorted(left)), tuple(sorted(across)), length)
        for (left, across), length in known.items()
    ]
    return HalfGraphRefutation(k, tuple(parts))


class _Parts:
    """The lines of a table, and what is left of them."""

    def __init__(self, H: FiniteClass) -> None:
        self._table = H.table
        self._rows: Lines
        self._columns: Lines
        self._rows, self._columns = sides_of(H.table)
        self.whole: _Key = self._distinct(frozenset(self._rows), frozenset(self._columns))

    def has(self, part: _Key) -> bool:
        """Whether these are hypotheses and points."""
        return part[0] <= self._rows.keys() and part[1] <= self._columns.keys()

    def counting(self, part: _Key) -> int:
        """What :meth:`after_first_pairs` costs before the first, in lines."""
        rows, columns = map(len, part)
        return rows * columns * (rows + columns) // _AT_ONCE

    def after_first_pairs(self, part: _Key, length: int) -> Iterator[_Key]:
        """Yield what is left after each first pair of a part, unless that is plainly too small."""
        rows, columns = map(sorted, part)
        said = promising_first_pairs(self._table[np.ix_(rows, columns)], length - 1)
        for at, to in np.argwhere(said).tolist():
            h, x = rows[at], columns[to]
            yield self._distinct(part[0] - self._columns[x], (part[1] & self._rows[h]) - {x})

    def is_too_small(self, part: _Key, length: int, known: Mapping[_Key, int]) -> bool:
        """Whether a half graph of this length is excluded by degrees, or known to be."""
        return (
            degree_bound(self._rows, self._columns, *part) < length
            or known.get(part, length + 1) <= length
        )

    def _distinct(self, left: frozenset[int], across: frozenset[int]) -> _Key:
        left = distinct_lines(self._rows, left, across)
        return left, distinct_lines(self._columns, across, left)


def sides_of(table: Table) -> tuple[Lines, Lines]:
    """Return the points of each hypothesis and the hypotheses of each point."""
    rows = {h: frozenset(np.flatnonzero(line).tolist()) for h, line in enumerate(table)}
    return rows, {x: frozenset(np.flatnonzero(line).tolist()) for x, line in enumerate(table.T)}


def distinct_lines(lines: Lines, left: Iterable[int], across: frozenset[int]) -> frozenset[int]:
    """Keep the first of equal lines, and none that is empty."""
    first: dict[frozenset[int], int] = {}
    for line in sorted(left):
        first.setdefault(lines[line] & across, line)
    return frozenset(line for ones, line in first.items() if ones)


def _by_degrees(lines: Lines, left: frozenset[int], across: frozenset[int]) -> int:
    """Return the largest k such that the i-th fullest line has k - i + 1 ones or more, and so on.

    The i-th emptiest line needs k - i zeros.
    """
    ones = sorted((len(lines[line] & across) for line in left), reverse=True)
    zeros = sorted((len(across) - one for one in ones), reverse=True)
    k = len(left)
    while any(ones[i] < k - i or zeros[i] < k - i - 1 for i in range(k)):
        k -= 1
    return k


def degree_bound(rows: Lines, columns: Lines, left: frozenset[int], across: frozenset[int]) -> int:
    """Bound the half graphs in some rows and columns, of equal ones the first, by degrees.

    Examples
    --------
    >>> rows, columns = sides_of(np.triu(np.ones((3, 3), dtype=np.uint8)))
    >>> degree_bound(rows, columns, frozenset(rows), frozenset(columns))
    3
    """
    left = distinct_lines(rows, left, across)
    across = distinct_lines(columns, across, left)
    return min(_by_degrees(rows, left, across), _by_degrees(columns, across, left))
