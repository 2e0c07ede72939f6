"""Refutations of shattering: what certifies an upper bound on a VC or dual VC dimension."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pac_stability.classes import FiniteClass
from pac_stability.classes.bits import columns_of
from pac_stability.errors import BudgetExhausted, InvalidInput


@dataclass(frozen=True, slots=True)
class ShatteringRefutation:
    """A proof that no ``k`` points are shattered; for the dual, no ``k`` hypotheses.

    Shattered columns have all ``2^k`` labellings, so each labelling of ``s`` of them is that of at
    least ``2^(k - s)`` rows. A *gap* is some columns and a labelling of them that fewer rows have.
    The proof stands if every sequence of ``k`` columns, in the given order, begins with those of a
    gap.

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

    def refutes(self, H: FiniteClass) -> bool:
        """Whether this proves that fewer than ``k`` are shattered; plain counting, no search."""
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
        """Read what `to_dict` wrote; `InvalidInput` names what is not of that form."""
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
    H: FiniteClass, k: int, *, dual: bool = False, max_gaps: int = 100_000
) -> ShatteringRefutation:
    """Prove that fewer than ``k`` points (for the dual, hypotheses) are shattered.

    Parameters
    ----------
    H
        The class.
    k
        The bound to prove.
    dual
        Whether hypotheses are to be shattered by points.
    max_gaps
        Gaps that the proof may have.

    Raises
    ------
    InvalidInput
        ``k`` of them are shattered, or ``k`` is negative.
    BudgetExhausted
        The proof is longer.

    Notes
    -----
    Goes through the sequences of columns once, least balanced columns first, and writes a gap as
    soon as the rarest labelling is too rare: exponential in ``k``, for tables of some hundred
    columns and small ``k``.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> len(refute_shattering(thresholds(3), 2).gaps)
    2
    """
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
