"""Proofs of upper bounds on a VC or dual VC dimension.

One kind of proof names, for every choice of k columns, a labelling of some of them that too few
rows have. The other covers the class by few chains, so that it shatters few points.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from itertools import count, pairwise

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import columns_of
from pac_stability.classes.family import TableLike, as_table
from pac_stability.errors import BudgetExhausted, InvalidInput


@dataclass(frozen=True, slots=True)
class ShatteringRefutation:
    """A proof that no ``k`` points are shattered; for the dual, no ``k`` hypotheses.

    Shattered columns have all ``2^k`` labellings, so at least ``2^(k - s)`` rows have any given
    labelling of ``s`` of them. A *gap* consists of some columns and a labelling of them that fewer
    rows have. The proof stands if every sequence of ``k`` columns, in the given order, begins with
    those of a gap.

    Attributes
    ----------
    k
        The bound: the dimension is at most ``k - 1``.
    dual
        Whether the columns are hypotheses and the rows points.
    order
        All columns, in the order in which sequences of them are read.
    gaps
        Columns, in that order, and a labelling of them (bit ``j`` is that of the ``j``-th).

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> proof = refute_shattering(singletons(4), 2)
    >>> proof.gaps[0], proof.refutes(singletons(4))
    (((3,), 1), True)
    """

    k: int
    dual: bool
    order: tuple[int, ...]
    gaps: tuple[tuple[tuple[int, ...], int], ...]

    def refutes(self, H: TableLike) -> bool:
        """Whether this proves that fewer than ``k`` are shattered; plain counting, no search."""
        H = as_table(H)
        table = H.table.T if self.dual else H.table
        if self.k < 0 or sorted(self.order) != list(range(table.shape[1])):
            return False
        gaps = dict(self.gaps)
        labels = dict(zip(self.order, columns_of(table[:, list(self.order)]), strict=True))
        everything = (1 << len(table)) - 1
        open_sequences: list[tuple[tuple[int, ...], int]] = [((), 0)]
        while open_sequences:
            chosen, after = open_sequences.pop()
            if chosen in gaps:
                left = everything
                for place, column in enumerate(chosen):
                    ones = gaps[chosen] >> place & 1
                    left &= labels[column] if ones else ~labels[column]
                if left.bit_count() >> (self.k - len(chosen)):
                    return False
            elif len(chosen) == self.k:
                return False
            else:
                last = len(self.order) - (self.k - len(chosen)) + 1
                open_sequences += [
                    ((*chosen, self.order[place]), place + 1) for place in range(after, last)
                ]
        return True

    def to_dict(self) -> dict[str, object]:
        """Return plain lists, ready for JSON; `from_dict` reads them back."""
        return {
            "k": self.k,
            "dual": self.dual,
            "order": list(self.order),
            "gaps": [
                {"columns": list(columns), "labelling": labelling}
                for columns, labelling in self.gaps
            ],
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, object]) -> ShatteringRefutation:
        """Read what `to_dict` wrote; `InvalidInput` names the part that is not of that form."""
        k, dual, order, gaps = (form.get(key) for key in ("k", "dual", "order", "gaps"))
        if not (type(k) is int and type(dual) is bool and isinstance(gaps, list | tuple)):
            raise InvalidInput("refutation", repr(form)[:60], "k, dual, order and gaps")
        read = []
        for gap in gaps:
            if not (isinstance(gap, Mapping) and type(gap.get("labelling")) is int):
                raise InvalidInput("gaps", repr(gap)[:60], "columns with a labelling")
            read.append((read_indices(gap.get("columns")), gap["labelling"]))
        return cls(k, dual, read_indices(order), tuple(read))


def read_indices(given: object) -> tuple[int, ...]:
    """Read a list of whole numbers from JSON."""
    if not isinstance(given, list | tuple) or not all(type(item) is int for item in given):
        raise InvalidInput("refutation", repr(given)[:60], "a list of integers")
    return tuple(given)


def refute_shattering(
    H: TableLike, k: int, *, dual: bool = False, max_gaps: int = 100_000
) -> ShatteringRefutation:
    """Prove that fewer than ``k`` points (for the dual, hypotheses) are shattered.

    Parameters
    ----------
    H
        The class.
    k
        The bound to prove.
    dual
        Whether the points are to shatter hypotheses.
    max_gaps
        The most gaps of the proof.

    Raises
    ------
    InvalidInput
        ``k`` of them are shattered, or ``k`` is negative.
    BudgetExhausted
        The proof is longer.

    Notes
    -----
    It walks through the sequences of columns once, least balanced columns first, and writes a gap
    as soon as the rarest labelling is too rare. This is exponential in ``k`` and suits tables of
    some hundred columns and small ``k``.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> len(refute_shattering(thresholds(3), 2).gaps)
    2
    """
    H = as_table(H)
    if k < 0:
        raise InvalidInput("k", str(k), "0 or more")
    table = H.table.T if dual else H.table
    labels = columns_of(table)
    size = len(table)
    order = sorted(range(len(labels)), key=lambda x: abs(2 * labels[x].bit_count() - size))
    order.reverse()
    gaps: list[tuple[tuple[int, ...], int]] = []
    #: Chosen columns, their cells by labelling, the next place.
    waiting: list[tuple[tuple[int, ...], list[int], int]] = [((), [(1 << size) - 1], 0)]
    while waiting:
        chosen, cells, after = waiting.pop()
        sizes = [cell.bit_count() for cell in cells]
        rarest = min(range(len(cells)), key=sizes.__getitem__)
        if sizes[rarest] >> (k - len(chosen)) == 0:
            if len(gaps) == max_gaps:
                raise BudgetExhausted(f"more than {max_gaps} gaps are needed")
            gaps.append((chosen, rarest))
        elif len(chosen) == k:
            raise InvalidInput("k", str(k), f"more than {k}, which are shattered")
        else:
            for place in reversed(range(after, len(order) - (k - len(chosen)) + 1)):
                column = labels[order[place]]
                split = [cell & ~column for cell in cells] + [cell & column for cell in cells]
                waiting.append(((*chosen, order[place]), split, place + 1))
    return ShatteringRefutation(k, dual, tuple(order), tuple(gaps))


# Chains that cover a class

Chains = tuple[tuple[int, ...], ...]
"""Rows of a table, chain by chain."""

_PIECE = 1 << 21  # words compared between two looks at the clock: about 10 ms


def largest_antichain(k: int) -> int:
    """The size of the largest antichain of subsets of ``k`` points: C(k, k // 2) [Sperner].

    Examples
    --------
    >>> [largest_antichain(k) for k in range(7)]
    [1, 1, 2, 3, 6, 10, 20]
    """
    return math.comb(k, k // 2)


def sperner_bound(chains: int) -> int:
    """Largest ``k`` for which C(k, k // 2) is at most that many chains; -1 for none.

    A class that so many chains cover shatters no more points: see `ChainCover`.

    Parameters
    ----------
    chains
        How many chains cover the class, 0 or more.

    Notes
    -----
    The largest antichain of subsets of ``k`` points has C(k, k // 2) of them [Sperner 1928].

    Examples
    --------
    >>> [sperner_bound(chains) for chains in (0, 1, 2, 3, 20)]
    [-1, 1, 2, 3, 6]
    """
    chains = as_size(chains, "chains", least=0)
    return next(k for k in count() if largest_antichain(k) > chains) - 1


@dataclass(frozen=True, slots=True, repr=False)
class ChainCover(Tabled):
    """A proof that few points are shattered; for the dual, few hypotheses.

    Complement the columns in which the row ``origin`` has a 1; that changes no shattering. A
    *chain* is a sequence of rows that then grow: where one row has a 1, the next has a 1. If ``k``
    columns are shattered, then C(k, k // 2) rows have ``k // 2`` ones there, at pairwise different
    places. No two of these are in one chain, so there are at least as many chains.

    Attributes
    ----------
    k
        The bound: the dimension is at most ``k - 1``.
    dual
        Whether the columns are hypotheses and the rows points.
    origin
        A row.
    chains
        Fewer than C(k, k // 2) sequences of rows; each row of the table is, or equals, one of them.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> proof = chain_cover(thresholds(100))
    >>> proof.k, len(proof.chains), proof.refutes(thresholds(100))
    (2, 1, True)
    """

    k: int
    dual: bool
    origin: int
    chains: Chains

    def _rows(self) -> Mapping[str, object]:
        return {
            "chains": f"{len(self.chains):,}",
            "shattered": f"at most {self.k - 1} {'hypotheses' if self.dual else 'points'}",
        }

    def refutes(self, H: TableLike) -> bool:
        """Whether this proves that fewer than ``k`` are shattered; plain comparisons, no search."""
        H = as_table(H)
        table = (H.table.T if self.dual else H.table).astype(bool)
        named = {self.origin, *(row for chain in self.chains for row in chain)}
        if not all(0 <= row < len(table) for row in named):
            return False
        grown = table ^ table[self.origin]
        covered = {grown[row].tobytes() for chain in self.chains for row in chain}
        return (
            self.k >= 0
            and len(self.chains) < largest_antichain(self.k)
            and all(row.tobytes() in covered for row in grown)
            and all(
                not (grown[one] & ~grown[following]).any()
                for chain in self.chains
                for one, following in pairwise(chain)
            )
        )

    def to_dict(self) -> dict[str, object]:
        """Return plain lists, ready for JSON; `from_dict` reads them back."""
        return {
            "k": self.k,
            "dual": self.dual,
            "origin": self.origin,
            "chains": [list(chain) for chain in self.chains],
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, object]) -> ChainCover:
        """Read what `to_dict` wrote; `InvalidInput` names the part that is not of that form."""
        k, dual, origin, chains = (form.get(key) for key in ("k", "dual", "origin", "chains"))
        if not (
            type(k) is int
            and type(dual) is bool
            and type(origin) is int
            and isinstance(chains, list | tuple)
        ):
            raise InvalidInput("cover", repr(form)[:60], "k, dual, origin and chains")
        return cls(k, dual, origin, tuple(read_indices(chain) for chain in chains))


def chain_cover(
    H: TableLike, *, dual: bool = False, max_chains: int | None = None
) -> ChainCover | None:
    """Cover a class by few chains, which bounds how many points are shattered.

    Parameters
    ----------
    H
        The class.
    dual
        Whether the points are to shatter hypotheses.
    max_chains
        The most chains to use; ``None`` for as many as still improve on the bound by the number of
        rows.

    Returns
    -------
    ChainCover | None
        ``None`` if more chains would be needed, or the class is empty.

    Notes
    -----
    The origin is the row of fewest ones, or the first row if that needs fewer chains. It takes rows
    by their number of ones and appends each to the first chain that it continues. The cover is not
    always the smallest. ``O(n c w)`` for ``n`` distinct rows of ``w`` words and ``c`` chains.

    Examples
    --------
    Stumps on two features of 40 points form four chains, and shatter at most three points:

    >>> from pac_stability.classes import from_spec
    >>> stumps = from_spec("stumps", [(i, 7 * i % 41) for i in range(40)])
    >>> len(chain_cover(stumps).chains), chain_cover(stumps).k
    (4, 4)
    """
    H = as_table(H)
    rows = bits.pack(np.ascontiguousarray(H.table.T)) if dual else H.packed
    distinct = bits.first_occurrences(rows)
    if max_chains is None:
        upper = len(distinct).bit_length() - 1
        max_chains = largest_antichain(upper) - 1 if upper >= 0 else 0
    max_chains = as_size(max_chains, "max_chains", least=0)
    return bits.finished(covering(rows, distinct, max_chains, dual=dual))


def covering(
    rows: bits.Words, distinct: bits.Indices, most: int, *, dual: bool
) -> Generator[None, None, ChainCover | None]:
    """Cover these rows by at most that many chains, pausing about every 10 ms.

    Parameters
    ----------
    rows
        A packed table.
    distinct
        Rows that represent all.
    most
        The most chains to use.
    dual
        Whether the rows are points, for the proof to say so.
    """
    if len(distinct) == 0:
        return None
    few = int(distinct[np.argmin(bits.ones(rows[distinct]))])
    best = None
    for origin in dict.fromkeys([few, int(distinct[0])]):
        yield
        chains = yield from _chains(rows[distinct] ^ rows[origin], most)
        if chains is not None:
            named = tuple(tuple(distinct[chain].tolist()) for chain in chains)
            best = ChainCover(sperner_bound(len(chains)) + 1, dual, origin, named)
            most = len(chains) - 1
    return best


def _chains(rows: bits.Words, most: int) -> Generator[None, None, list[list[int]] | None]:
    sizes = bits.ones(rows)
    if np.bincount(sizes).max() > most:  # rows of one size are in as many chains
        return None
    ends = np.zeros((most, rows.shape[1]), dtype=np.uint64)
    chains: list[list[int]] = []
    work = 0
    for row in np.argsort(sizes, kind="stable").tolist():
        work += (1 + len(chains)) * rows.shape[1]
        if work > _PIECE:
            work = 0
            yield
        fits: npt.NDArray[np.bool_] = ~(ends[: len(chains)] & ~rows[row]).any(axis=1)
        at = int(fits.argmax()) if fits.any() else len(chains)
        if at == most:
            return None
        if at == len(chains):
            chains.append([])
        chains[at].append(row)
        ends[at] = rows[row]
    return chains
