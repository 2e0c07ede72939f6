"""The threshold dimension of a finite class, exactly, with half graphs and under a budget.

A half graph proves the lower bound, a refutation the upper one. The refutations come first: degrees
show after which first pairs too little of a table is left.

The rank of the table over a finite field bounds the dimension from above. The search from above
tries long half graphs, which are soon refuted; beside it, another goes up from a greedy one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability._core.half_graph import HalfGraphSearch
from pac_stability._report import Tabled
from pac_stability.classes import FiniteClass, bits
from pac_stability.classes.bits import Words
from pac_stability.classes.family import Family, TableLike, as_table, known_value
from pac_stability.dimensions import bounds, shattering_proofs
from pac_stability.errors import BudgetExhausted, InvalidInput

Table = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.intp]
Said = npt.NDArray[np.bool_]


def promising_first_pairs(table: Table, further: int) -> Said:
    """Say after which first pairs the degrees allow so many further pairs of a half graph.

    Parameters
    ----------
    table
        Rows and columns of 0 and 1.
    further
        How many pairs must follow, 0 or more.

    Returns
    -------
    array of bool
        Of the shape of the table. False at a 1 means: after that pair the remaining table, the rows
        with 0 in its column and the columns with 1 in its row, is too small. The reason: in a half
        graph of k pairs the i-th fullest line has at least k - i + 1 ones, and the i-th emptiest at
        least k - i zeros. Where the table has 0 there is no first pair, so the entry is false.

    Notes
    -----
    ``O(n m (n + m))``. It does not merge equal lines; a search that merges them may refute more.

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

    After a first pair (h, x) a half graph continues among the hypotheses with 0 at x and the points
    with 1 under h. Degrees show when the rest, without empty lines and repetitions, is *too small*
    for a length: the i-th hypothesis of a half graph has 1 at all points from the i-th on, and 0
    before. The proof is valid if the class is too small for ``k`` or is a refuted part of length
    ``k`` or less, and if after each first pair of a part the same holds of the rest for the length
    minus one.

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

    def refutes(self, H: TableLike) -> bool:
        """Whether this proves that no half graph has ``k`` pairs; plain counting, no search."""
        table = _Parts(as_table(H))
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
        """Read what `to_dict` wrote; `InvalidInput` names the part that is not of that form."""
        k, parts = form.get("k"), form.get("parts")
        if not (type(k) is int and isinstance(parts, list | tuple)):
            raise InvalidInput("refutation", repr(form)[:60], "k and parts")
        read = []
        for part in parts:
            if not (isinstance(part, Mapping) and type(part.get("length")) is int):
                raise InvalidInput("parts", repr(part)[:60], "hypotheses, points and a length")
            read.append(
                RefutedPart(
                    shattering_proofs.read_indices(part.get("hypotheses")),
                    shattering_proofs.read_indices(part.get("points")),
                    part["length"],
                )
            )
        return cls(k, tuple(read))


def refute_half_graph(H: TableLike, k: int, *, max_steps: int = 1_000_000) -> HalfGraphRefutation:
    """Prove that no half graph of a class has ``k`` pairs.

    Parameters
    ----------
    H
        The class.
    k
        The bound to prove.
    max_steps
        The most lines of parts to visit, a few microseconds each; ones of the table and counting in
        first pairs are charged accordingly.

    Raises
    ------
    InvalidInput
        Some half graph has ``k`` pairs, or ``k`` is not positive.
    BudgetExhausted
        The proof takes more.

    Notes
    -----
    It enters every part that is not too small, first pair by first pair, and remembers the refuted
    ones. This is exponential in ``k``. It suits tables of some dozen lines, and larger ones if
    ``k`` is far above the dimension, where degrees alone nearly suffice.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> refute_half_graph(thresholds(20), 21)
    <HalfGraphRefutation: thresholds at most 20, parts 0>
    """
    H = as_table(H)
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
                raise BudgetExhausted(f"more than {max_steps} lines are to be visited")
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
    """Keep the first of equal lines; drop empty ones."""
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


# The rank


def rank_gf2(table: TableLike) -> int:
    """Rank over the field with two elements.

    Parameters
    ----------
    table
        Array of shape ``(n, m)`` of 0/1.

    Notes
    -----
    Elimination on rows as integers, ``O(n r m)`` bit operations for rank ``r``.

    Examples
    --------
    >>> rank_gf2(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.uint8))
    2
    """
    return bits.finished(rank_gf2_in_pieces(as_table(table, "table").packed))


def rank_gf2_in_pieces(words: Words) -> Generator[None, None, int]:
    """Compute the same for a packed table, pausing after each row."""
    pivots: dict[int, int] = {}
    for packed in words:
        row = int.from_bytes(packed.astype("<u8").tobytes(), "little")
        while row:
            pivot = pivots.get(row.bit_length())
            if pivot is None:
                pivots[row.bit_length()] = row
                break
            row ^= pivot
        if len(pivots) == 64 * words.shape[1]:
            break
        yield
    return len(pivots)


def rank_gf3(table: TableLike) -> int:
    """Rank over the field with three elements.

    Parameters
    ----------
    table
        Array of shape ``(n, m)`` of 0/1.

    Notes
    -----
    Elimination on the whole table, ``O(n m r)`` operations for rank ``r``.

    Examples
    --------
    >>> rank_gf3(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.uint8))
    3
    """
    table = as_table(table, "table").table
    rest = table.astype(np.int8)
    rank = 0
    while True:
        rows, columns = np.nonzero(rest)
        if not len(rows):
            return rank
        pivot = rest[rows[0]] * rest[rows[0], columns[0]]  # 1 and 2 are their own inverses
        rest = (rest - np.outer(rest[:, columns[0]], pivot)) % 3
        rank += 1


# From above

_FIRST = 2  # pieces for a question, besides a share of all pieces before
_SHARE = 4  # one in so many


class FromAbove:
    """Lowers the upper bound on the length of a half graph, question by question.

    Parameters
    ----------
    search
        A search for this object alone; it keeps its results from one question to the next.

    Notes
    -----
    For large j it is soon clear whether a half graph is longer than j, because few first pairs
    leave enough. So each question halves the range of open lengths. If a question takes longer than
    a quarter of all earlier ones, it moves half-way to the upper bound: parts refuted for j stay
    refuted for a larger j, and more is pruned from then on. The last question, whether the upper
    bound is attained, has no such limit.
    """

    def __init__(self, search: HalfGraphSearch) -> None:
        self.search = search
        self._asked: int | None = None
        self._left = self._pieces = 0

    @property
    def nodes(self) -> int:
        """States entered, for all questions."""
        return self.search.nodes

    @property
    def memory(self) -> int:
        """Bytes held."""
        return self.search.memory

    def advance(self, lower: int, upper: int, work: float, *, aim: int | None = None) -> int:
        """Do a piece of work, which may find a half graph longer than ``lower``.

        Parameters
        ----------
        lower, upper
            The known bounds on the longest half graph, ``lower < upper``.
        work
            Word operations, about.
        aim
            Only decide whether there is one with so many pairs; ``None`` to let the search choose.

        Returns
        -------
        int
            The upper bound that is now known.
        """
        search = self.search
        upper = min(upper, max(lower, search.bound))
        if lower == upper:
            return upper
        asked = self._asked
        if asked is None or not lower <= asked < upper or (aim is not None and asked != aim - 1):
            asked = (lower + upper) // 2 if aim is None else aim - 1
            self._begin(asked)
        going = search.advance(work)
        self._pieces += 1
        self._left -= 1
        if search.best > asked or not going:
            self._asked = None
            return upper if search.best > asked else asked
        if self._left <= 0 and aim is None and asked < upper - 1:
            self._asked = (asked + upper) // 2
            self._left = self._allowed()
            search.raise_to(self._asked)
        return upper

    def _begin(self, asked: int) -> None:
        self.search.ask(asked)
        self._asked = asked
        self._left = self._allowed()

    def _allowed(self) -> int:
        return _FIRST + self._pieces // _SHARE


# The search

_PIECE = 4e6  # word operations between two looks at the clock: about 10 ms
_SUMMED = 1 << 23  # entries added up between two looks at the clock: about 10 ms
_MEMO = 2**20  # bytes for bounds on states met before, for each of the two searches
_ALONE = 10  # pieces of the search before the first from above: most searches have ended then
_SELDOM = 5  # pieces of the search are so many times halved, once bounds are within a factor of 2
_TERNARY = 3 * 10**7  # rows * columns * rank below which the rank over GF(3) is computed


@dataclass(frozen=True, slots=True, repr=False)
class HalfGraph(bounds.PointsAndHypotheses):
    """Hypotheses and points with ``hypotheses[i](points[j]) = 1`` exactly for i <= j.

    Attributes
    ----------
    hypotheses
        Row indices.
    points
        Column indices, as many.
    """

    hypotheses: tuple[int, ...]
    points: tuple[int, ...]

    def is_realized_by(self, H: TableLike) -> bool:
        """Check every label against the table of ``H``."""
        H = as_table(H)
        n, m = H.table.shape
        return (
            len(self.hypotheses) == len(self.points)
            and all(0 <= h < n for h in self.hypotheses)
            and all(0 <= x < m for x in self.points)
            and all(
                H.table[h, x] == (i <= j)
                for i, h in enumerate(self.hypotheses)
                for j, x in enumerate(self.points)
            )
        )


class ThresholdSearch(bounds.AnytimeSearch[HalfGraph]):
    """A search for the threshold dimension that can be stopped and resumed.

    Parameters
    ----------
    H
        The class.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. The limit does not count
        copies of the table in Python, nor certificates.

    Notes
    -----
    Starts from a greedy half graph and from the rank of the table over GF(2) and, for small tables,
    GF(3): a half graph is a triangular matrix with ones on its diagonal, so it is no larger than
    the rank over any field. When these do not meet, a branch and bound with exponential worst case
    decides. Chains of hypotheses need no search; random classes of density 1/2 are the hardest.
    Once it takes long, a second search refutes large lengths beside it: with equal time until the
    upper bound is at most twice the lower one, then with 1/32 of the time. Only one thread may use
    a search at a time; two searches in two threads use two cores.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> ThresholdSearch(FiniteClass([[1, 1], [0, 1]])).run().witness
    <HalfGraph: hypotheses h0, h1, points 0, 1>
    """

    lower: int
    upper: int

    def __init__(self, H: TableLike, max_memory: int | None = None) -> None:
        H = as_table(H)
        super().__init__(0, min(len(H), len(H.domain)), max_memory)
        self._class = H
        self._witness = HalfGraph((), ())
        self._search: HalfGraphSearch | None = None
        self._above: FromAbove | None = None
        self._room_above = True
        self._climbed = self._descended = 0  # pieces of the search and of that from above
        # The kernels want the longer side first; read backwards, columns are hypotheses.
        self._turned = len(H) < len(H.domain)

    @property
    def nodes(self) -> int:
        """States visited by the branch and bound so far."""
        return sum(each.nodes for each in (self._search, self._above) if each is not None)

    @property
    def witness(self) -> HalfGraph:
        """A half graph of size ``lower``, possibly of no pairs."""
        return self._witness.of(self._class)

    def _preparing(self) -> Iterator[None]:
        """Bracket the dimension without a search, and set one up if that does not settle it."""
        table = yield from self._class.table_in_pieces()
        greedy = yield from _greedy(table)
        self._witness, self.lower = greedy, len(greedy.points)
        if self.lower < self.upper:
            self.upper = min(self.upper, (yield from rank_gf2_in_pieces(self._class.packed)))
        rank_work = table.shape[0] * table.shape[1] * self.upper
        if self.lower < self.upper and rank_work <= _TERNARY:
            self.upper = min(self.upper, rank_gf3(table))

    def refutation(self, k: int, max_steps: int) -> HalfGraphRefutation:
        """Prove that no half graph has ``k`` pairs, after the search found this.

        Parameters
        ----------
        k
            The bound to prove.
        max_steps
            A tenth of the most lines to visit; a first pair counts about ten.

        Raises
        ------
        BudgetExhausted
            The proof takes more.
        """
        return refute_half_graph(self._class, k, max_steps=10 * max_steps)

    def _undecided(self) -> bool:
        """Whether there is more to be found: the witness, too, is that of the search from below."""
        search = self._search
        unseen = self._aim is None and search is not None and search.best < self.lower
        return unseen or super()._undecided()

    def _advance(self) -> bool:
        if self._search is None:
            return self._start()
        if self._aim is not None and self._descend():
            return True
        if not (self._from_above() and self._descend()) and not self._climb():
            self.upper = self.lower
        return True

    def _from_above(self) -> bool:
        """Whether it is the turn of what is asked from above."""
        late = max(0, self._climbed - _ALONE)
        share = late if self.upper > 2 * self.lower else late >> _SELDOM
        return self.lower + 1 < self.upper and self._descended < share

    def _climb(self) -> bool:
        """Search on for a longer half graph; return whether more is to be done."""
        search = self._search
        if search is None:
            return True
        going = search.advance(_PIECE)
        self._climbed += 1
        self._take_over(search)
        return going

    def _take_over(self, search: HalfGraphSearch) -> None:
        """Take over what was found, unless a longer one is known."""
        found = search.witness_pairs
        if found is not None and len(found[0]) >= self.lower:
            rows, columns = found
            self._witness = (
                HalfGraph(columns[::-1], rows[::-1]) if self._turned else HalfGraph(rows, columns)
            )
            self.lower = len(rows)

    def _descend(self) -> bool:
        """Ask from above, in as far as there is room for it; return whether there is."""
        if self._above is None and self._room_above:
            try:
                self._above = FromAbove(self._begun(_MEMO, self._room()))
            except MemoryError:
                self._room_above = False
        above, search = self._above, self._search
        if above is None or search is None:
            return False
        self._descended += 1
        self.upper = above.advance(self.lower, self.upper, _PIECE, aim=self._aim)
        self._take_over(above.search)
        # One less than what was found: the first search finds its own of that length.
        search.raise_to(max(search.best, self.lower - 1))
        search.cap(self.upper)
        return True

    def _oriented(self) -> Table:
        return np.ascontiguousarray(self._class.table.T) if self._turned else self._class.table

    def _begun(self, memo: int, room: int) -> HalfGraphSearch:
        return HalfGraphSearch(
            self._oriented(), lower=self.lower, upper=self.upper, memo=memo, max_memory=room
        )

    def _start(self) -> bool:
        try:
            room = self._room()
            search = self._begun(min(_MEMO, room // 2), room)  # the rest is for that from above
        except MemoryError:
            if self._max_memory is None:
                raise
            return False
        self._search, self.upper = search, search.bound
        return True

    def _room(self) -> int:
        """Bytes that are left."""
        if self._max_memory is None:
            return 2**62
        held = sum(each.memory for each in (self._search, self._above) if each is not None)
        return max(0, self._max_memory - held)


def _greedy(table: Table) -> Generator[None, None, HalfGraph]:
    """Take the fullest row and the emptiest column with a 1 in it, again and again.

    Numbers of ones are kept up to date, which costs as much as reading the table twice.
    """
    rows = np.ones(table.shape[0], dtype=bool)
    columns = np.ones(table.shape[1], dtype=bool)
    in_row = np.zeros(table.shape[0], dtype=np.int64)
    in_column = np.zeros(table.shape[1], dtype=np.int64)
    for some in bits.row_blocks(len(table), table.shape[1], _SUMMED):
        in_row[some] = table[some].sum(axis=1, dtype=np.int64)
        in_column += table[some].sum(axis=0, dtype=np.int64)
        yield
    hypotheses: list[int] = []
    points: list[int] = []
    while rows.any() and columns.any():
        h = int(np.argmax(np.where(rows, in_row, -1)))
        if in_row[h] == 0:
            break
        x = int(np.argmin(np.where(columns & (table[h] == 1), in_column, len(rows) + 1)))
        hypotheses.append(h)
        points.append(x)
        lost_columns = columns & (table[h] == 0)
        lost_columns[x] = True
        lost_rows = rows & (table[:, x] == 1)
        columns &= ~lost_columns
        rows &= ~lost_rows
        lost = np.flatnonzero(lost_columns)
        for some in bits.row_blocks(len(rows), len(lost), _SUMMED):
            in_row[some] -= table[some][:, lost].sum(axis=1, dtype=np.int64)
            yield
        gone = np.flatnonzero(lost_rows)
        for some in bits.row_blocks(len(gone), len(columns), _SUMMED):
            in_column -= table[gone[some]].sum(axis=0, dtype=np.int64)
            yield
    return HalfGraph(tuple(hypotheses), tuple(points))


def threshold(
    H: TableLike,
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
    progress: bounds.ProgressCallback | None = None,
) -> bounds.Bounds[HalfGraph]:
    """Threshold dimension of a finite class, with a half graph.

    The largest k with hypotheses h_1, ..., h_k and points x_1, ..., x_k such that h_i(x_j) = 1
    exactly for i <= j [Shelah 1978; Hodges 1997; BLM20 uses it through the lower bound of Alon,
    Livni, Malliaris and Moran 2019].

    Parameters
    ----------
    H
        The class.
    time_limit
        Seconds, checked about every 10 ms. They include preparing the table, but not writing the
        witness. ``None`` for no limit.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. The limit does not count
        copies of the table in Python, nor certificates.
    progress
        Called about ten times a second.

    Returns
    -------
    Bounds[HalfGraph]
        Exact, or certified bounds when the budget ended.

    Notes
    -----
    Conventions. "Exactly for i >= j" gives the same number (read both sequences backwards). The
    strict "exactly for i < j" differs by at most one. The class {000, 011, 101} shows that
    conventions matter. Its threshold dimension is 2 here and with the strict order, but 1 if k
    hypotheses must cut a sequence of k + 1 points that includes an x_0 with all labels 0. The value
    is 0 when no hypothesis has a label 1, so also for the empty class, and it is not invariant
    under complementing a column.

    ``floor(log2 threshold) <= Ldim`` and ``floor(log2 Ldim) <= threshold``.

    Random tables of half ones are the hardest: 64 x 64 takes seconds, and 96 x 96 leaves bounds,
    such as [12, 23]. `at_least` decides one value, and fewer points make a table easier. Structured
    classes are far easier: 2,048 thresholds take a tenth of a second.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])
    >>> bounds = threshold(H)
    >>> bounds.value, bounds.witness.is_realized_by(H)
    (2, True)
    """
    return ThresholdSearch(H, max_memory).run(time_limit=time_limit, progress=progress)


def threshold_dimension(H: TableLike | Family) -> int:
    """Threshold dimension of a finite class: 0 if it is empty or nothing is labelled 1.

    Parameters
    ----------
    H
        The class.

    Notes
    -----
    Runs to the end; see `threshold` for a budget, a witness, and the conventions.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> threshold_dimension(FiniteClass([[i <= j for j in range(5)] for i in range(5)]))
    5
    """
    known = known_value(H, "threshold")
    return threshold(as_table(H)).value if known is None else known
