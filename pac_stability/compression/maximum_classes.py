"""Maximum classes: as many examples as the VC dimension (Floyd & Warmuth 1995)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import combinations

import numpy as np

from pac_stability.classes import FiniteClass, Row
from pac_stability.classes.bits import Table
from pac_stability.classes.required import require_inhabited
from pac_stability.compression._kept import require_kept
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Sample
from pac_stability.dimensions import sauer_shelah_bound, vc_dimension
from pac_stability.errors import InvalidInput, NotRealizable


class MaximumClassScheme(ProperScheme[Row]):
    """A maximum class of VC dimension d, from d examples of a realizable sample.

    A class of VC dimension d on m points is *maximum* when it has as many hypotheses as Sauer's
    lemma allows, ``sum_{i <= d} C(m, i)``: the sets of at most d points, say, or the unions of at
    most k intervals of ``0, ..., m - 1``.

    A *cube* with directions A is a set of 2^|A| hypotheses that differ on A only, in all possible
    ways. A maximum class has exactly one cube for each set A of d points. Kept are examples at the
    directions of a cube, among the points of the sample, that contains the labels of the sample;
    rebuilt is the hypothesis of the cube with these directions in the whole class that has these
    labels. Samples of fewer than d points are kept whole, an example being repeated, and the first
    hypothesis that fits is rebuilt.

    Parameters
    ----------
    H
        A maximum class on a finite domain.

    Raises
    ------
    InvalidInput
        The class is not maximum.

    Notes
    -----
    The restriction of a maximum class to at least d points is maximum, of the same dimension (Welzl
    1987). Let A be the kept points. The cube with directions A in the class, restricted to the
    points of the sample, is a cube with directions A there, and there is only one: the one that
    holds the labels of the sample. So what is rebuilt fits the sample.

    That every hypothesis h of a maximum class on at least d points lies in a cube of d directions
    is a theorem of Floyd & Warmuth (1995). On d points the class is the cube. On more, leave out a
    point x. What is left of h lies in a cube without x, by induction, and that is what is left of
    the cube with the same directions in the class, where x has one label. If it is h(x), then h is
    in that cube. If not, what is left of h is in the class with both labels of x. All such form a
    maximum class of dimension d - 1; there it lies in a cube, and x is a direction more.

    To keep takes ``O(|H| m)`` and at most ``C(b, d) 2^d`` look-ups, where b points of the sample
    can change their label alone; to rebuild ``O(|H| m)``.

    Only realizable samples are compressed: :func:`~pac_stability.compression.agnostic` does the
    others. Size in the sense of CLNRW16, Definition 14.

    Examples
    --------
    >>> from pac_stability.classes import subsets
    >>> scheme = MaximumClassScheme(subsets(6, 2))
    >>> S = Sample([0, 1, 2, 3, 4], [0, 1, 0, 0, 0])
    >>> scheme.size(len(S)), scheme.compress(S), S.loss(scheme.run(S))
    (2, (0, 1), Fraction(0, 1))
    """

    agnostic = False
    selection = Selection.MULTISET

    def __init__(self, H: FiniteClass) -> None:
        require_inhabited(H)
        self._class = H
        self._dimension = vc_dimension(H)
        m = len(H.domain)
        most = sauer_shelah_bound(m, self._dimension)
        if len(H) < most:
            given = f"{len(H)} hypotheses of VC dimension {self._dimension} on {m} points"
            raise InvalidInput("H", given, f"a maximum class: {most} of them, Sauer's number")

    @property
    def family(self) -> FiniteClass:
        """The class."""
        return self._class

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return the VC dimension d.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return self._dimension

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        examples = dict.fromkeys(zip(sample.points, sample.labels, strict=True))
        first = {point: sample.points.index(point) for point, _ in examples}
        if len(first) < len(examples):
            raise NotRealizable("a point of the sample has both labels")
        patterns = frozenset(_codes(self._class.restrict(first).table))
        labels = sum(label << place for place, (_, label) in enumerate(examples))
        if labels not in patterns:
            raise NotRealizable("no hypothesis of the class fits the sample")
        indices = tuple(first.values())
        if len(indices) < self._dimension:
            return indices + indices[-1:] * (self._dimension - len(indices))
        free = [place for place in range(len(indices)) if labels ^ 1 << place in patterns]
        directions = next(
            chosen
            for chosen in combinations(free, self._dimension)
            if all(labels ^ flipped in patterns for flipped in _sums(chosen))
        )
        return tuple(indices[place] for place in directions)

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        """Return the hypothesis of the cube at the kept points that has their labels.

        Raises
        ------
        InvalidInput
            There are not d examples, or a point is not in the domain.
        NotRealizable
            No hypothesis has these labels.
        """
        require_kept(kept, self._dimension)
        columns = [self._class.column(point) for point in kept.points]
        fitting = np.flatnonzero((self._class.table[:, columns] == kept.labels).all(axis=1))
        if not len(fitting):
            raise NotRealizable("no hypothesis of the class has the labels of what was kept")
        if len(set(columns)) < self._dimension:
            return self._class[int(fitting[0])]
        elsewhere = _codes(np.delete(self._class.table, columns, axis=1))
        times = Counter(elsewhere)
        return self._class[max(fitting.tolist(), key=lambda row: times[elsewhere[row]])]


def _codes(table: Table) -> list[int]:
    """Return each row as an integer whose bits are its entries, the first the lowest."""
    rows = np.packbits(table, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in rows]


def _sums(places: Iterable[int]) -> list[int]:
    """Return every set of these bits."""
    sums = [0]
    for place in places:
        sums += [bits | 1 << place for bits in sums]
    return sums
