"""The star number of a small finite class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pac_stability.classes import FiniteClass
from pac_stability.dimensions.bounds import Bounds
from pac_stability.dimensions.witnesses import TableWitness
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True, repr=False)
class Star(TableWitness):
    """A hypothesis, points, and for each point a hypothesis that differs there and only there.

    Attributes
    ----------
    center
        Row index of the hypothesis h_0.
    points
        Column indices x_1, ..., x_s.
    hypotheses
        Row indices of h_1, ..., h_s: h_i differs from h_0 at x_i and at no other of the points.
    """

    center: int
    points: tuple[int, ...]
    hypotheses: tuple[int, ...]

    def is_realized_by(self, H: FiniteClass) -> bool:
        """Check every label against the table of ``H``."""
        n, m = H.table.shape
        return (
            len(self.points) == len(self.hypotheses)
            and all(0 <= x < m for x in self.points)
            and all(0 <= h < n for h in (self.center, *self.hypotheses))
            and all(
                (H.table[h, x] != H.table[self.center, x]) == (i == j)
                for i, h in enumerate(self.hypotheses)
                for j, x in enumerate(self.points)
            )
        )


def star(H: FiniteClass, *, max_nodes: int | None = None) -> Bounds[Star]:
    """Star number of a finite class, with a star.

    The largest s with points x_1, ..., x_s and hypotheses h_0, ..., h_s such that h_i differs from
    h_0 at x_i and at no other of these points [Hanneke and Yang 2015, Definition 2].

    Parameters
    ----------
    H
        The class.
    max_nodes
        Sets of points that may be looked at; ``None`` for no limit.

    Returns
    -------
    Bounds[Star]
        Exact, or certified bounds when the budget ended.

    Notes
    -----
    For small classes: for each center, an exponential search over sets of points. Every subset of
    a star's points is one, so sets are grown point by point. -1 for the empty class, 0 for one
    hypothesis.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> star(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])).witness
    <Star: center h0, points 0, 1, hypotheses h2, h1>
    """
    if max_nodes is not None and max_nodes < 1:
        raise InvalidInput("max_nodes", repr(max_nodes), "a positive number")
    n, m = H.table.shape
    if n == 0:
        return Bounds(-1, -1, None)
    best = Star(0, (), ())
    upper = min(n - 1, m)
    nodes = 0
    for center in range(n):
        # For each point the hypotheses, as a set of bits, that differ from the center there.
        differ = [_bits(column) for column in (H.table ^ H.table[center]).T]
        # Entries: points, for each its possible hypotheses, points left to add, hypotheses that
        # agree with the center on all of the points.
        stack = [((), (), tuple(range(m)), 2**n - 1)]  # type: list[_State]
        while stack and len(best.points) < upper:
            points, own, left, agreeing = stack.pop()
            if max_nodes is not None and nodes >= max_nodes:
                return Bounds(len(best.points), upper, best.of(H), nodes)
            nodes += 1
            if len(points) > len(best.points):
                best = Star(center, points, tuple(_lowest(rows) for rows in own))
            grown: list[_State] = []
            for at, x in enumerate(left):
                if len(points) + len(left) - at <= len(best.points):
                    break
                still = tuple(rows & ~differ[x] for rows in own)
                if agreeing & differ[x] and all(still):
                    grown.append(
                        (
                            (*points, x),
                            (*still, agreeing & differ[x]),
                            left[at + 1 :],
                            agreeing & ~differ[x],
                        )
                    )
            stack += reversed(grown)
    return Bounds(len(best.points), len(best.points), best.of(H), nodes)


_State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]


def _bits(labels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> int:
    return int.from_bytes(np.packbits(labels, bitorder="little").tobytes(), "little")


def _lowest(rows: int) -> int:
    return (rows & -rows).bit_length() - 1


def star_number(H: FiniteClass) -> int:
    """Star number of a finite class: -1 if empty, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.

    Notes
    -----
    Runs to the end; see `star` for a budget, a witness, and the definition.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> star_number(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]]))
    2
    """
    return star(H).value
