"""The standard optimal algorithm as a machine: what it remembers of a sequence, as one integer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_label
from pac_stability.classes import FiniteClass
from pac_stability.classes.required import require_inhabited
from pac_stability.dimensions import LittlestoneSearch
from pac_stability.errors import InvalidInput


class SoaStates:
    """The states of the SOA on a finite class, and its steps from one to the next.

    While some hypothesis agrees with the examples, the SOA knows the *version space* of those that
    do, and its predictor is a function of that set. After a contradiction it knows its predictor
    only, patched at one point by each further example [BLM20, Definition 8]. A state is
    therefore one integer ``s``:

    - ``s > 0`` is a version space: bit ``i`` is set when row ``i`` of the table is in it;
    - ``s < 0`` is a patched predictor: ``~s`` has bit ``x`` set when point ``x`` has label 1.

    What follows depends on the past through the state only, and equal states are equal integers.

    Parameters
    ----------
    H
        The class, not empty. Points are columns of its table.
    tie
        The label predicted where both sides have the same Littlestone dimension. An empty side has
        dimension -1, so the SOA agrees with every example of a realizable past.

    Raises
    ------
    InvalidInput
        The class is empty, or ``tie`` is no label.

    Notes
    -----
    A step costs ``O(|H| / 64)``. The predictor of a version space asks for at most ``2 |X|``
    Littlestone dimensions; predictors and dimensions are remembered, so the memory grows with the
    version spaces that were visited. An object belongs to one thread.

    Examples
    --------
    >>> soa = SoaStates(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    >>> soa.start, soa.predictor(soa.start)
    (7, 2)
    >>> after_one = soa.step(soa.start, 0, 1)
    >>> after_one, soa.predictor(after_one)
    (4, 3)
    >>> contradicted = soa.step(after_one, 1, 0)
    >>> contradicted, soa.predictor(contradicted)
    (-2, 1)
    """

    def __init__(self, H: FiniteClass, tie: int = 1) -> None:
        require_inhabited(H)
        self._tie = as_label(tie, "tie")
        self._start = (1 << len(H)) - 1
        self._ones = tuple(as_mask(column) for column in H.table.T)
        self._predictors: dict[int, int] = {}
        self._dimensions: dict[int, int] = {0: -1}
        self._search = LittlestoneSearch(H)
        self._bytes = -(-len(H) // 8)

    @property
    def start(self) -> int:
        """The state before the first example: the whole class."""
        return self._start

    def step(self, state: int, point: int, label: int) -> int:
        """Return the state after one more example.

        Parameters
        ----------
        state
            A state of this machine.
        point
            The column of the point.
        label
            0 or 1.

        Raises
        ------
        InvalidInput
            There is no such column or label.
        """
        if not 0 <= point < len(self._ones):
            raise InvalidInput("point", repr(point), f"a column below {len(self._ones)}")
        if label not in (0, 1):
            raise InvalidInput("label", repr(label), "0 or 1")
        if state > 0:
            ones = state & self._ones[point]
            space = ones if label else state ^ ones
            if space:
                return space
            predictor = self.predictor(state)
        else:
            predictor = ~state
        bit = 1 << point
        return ~(predictor | bit if label else predictor & ~bit)

    def run(self, state: int, examples: Iterable[tuple[int, int]]) -> int:
        """Return the state after a sequence of pairs (column, label)."""
        for point, label in examples:
            state = self.step(state, point, label)
        return state

    def predictor(self, state: int) -> int:
        """Return the hypothesis of a state: bit ``x`` is the label of the point of column ``x``."""
        if state < 0:
            return ~state
        known = self._predictors.get(state)
        if known is None:
            known = self._predictors[state] = self._optimal(state)
        return known

    def _optimal(self, space: int) -> int:
        """The labels argmax_b Ldim(V_x^b) of a version space, over all points."""
        labels = 0
        for x, ones in enumerate(self._ones):
            one = space & ones
            if self._wins(one, space ^ one):
                labels |= 1 << x
        return labels

    def _wins(self, one: int, zero: int) -> bool:
        """Whether label 1 is predicted where the sides are these."""
        ones, zeros = one.bit_count(), zero.bit_count()
        # Two hypotheses differ somewhere, and k have dimension at most log2 k.
        if min(ones, 2) > zeros.bit_length():
            return True
        if min(zeros, 2) > ones.bit_length():
            return False
        above = self._dimension(one) - self._dimension(zero)
        return above > 0 or (above == 0 and self._tie == 1)

    def _dimension(self, space: int) -> int:
        known = self._dimensions.get(space)
        if known is None:
            size = space.bit_count()
            known = size - 1 if size <= 2 else 1 if size == 3 else self._asked(space)
            self._dimensions[space] = known
        return known

    def _asked(self, space: int) -> int:
        held = np.frombuffer(space.to_bytes(self._bytes, "little"), dtype=np.uint8)
        return self._search.dimension_of(np.flatnonzero(np.unpackbits(held, bitorder="little")))

    def __reduce__(self) -> tuple[type[SoaStates], tuple[FiniteClass, int]]:
        # What is remembered can be found again, and the search does not travel.
        return SoaStates, (self._search.H, self._tie)

    def __repr__(self) -> str:
        return f"SoaStates({self._search.H!r}, tie={self._tie})"


def as_mask(bits: npt.NDArray[np.uint8]) -> int:
    """Return the integer whose bit ``i`` is entry ``i`` of an array of 0 and 1.

    Examples
    --------
    >>> as_mask(np.array([1, 0, 1], dtype=np.uint8))
    5
    """
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")
