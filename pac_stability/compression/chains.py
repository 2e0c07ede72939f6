"""Nested hypotheses, such as finitely many thresholds: one example says which of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import pairwise

import numpy as np

from pac_stability.classes import FiniteClass, Row
from pac_stability.classes.required import require_inhabited
from pac_stability.compression._kept import first_indices, require_kept
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput


class ChainScheme(ProperScheme[Row]):
    """A finite class whose hypotheses are nested sets, from one example.

    Finitely many thresholds are nested, all of them on a domain or only some, with the empty one or
    without: ``classes.thresholds(n)``, say.

    Write the hypotheses as h_0, ..., h_N, each contained in the one before. The *depth* of a point
    is the number of those that contain it, and they are the first ones. From (x, 1) the smallest
    hypothesis that contains x is rebuilt, or h_0 if none does; from (x, 0) the largest that does
    not contain x, or h_N if all do.

    Parameters
    ----------
    H
        A finite class, its rows in any order.

    Raises
    ------
    InvalidInput
        The class is empty, or two of its hypotheses are not nested.

    Notes
    -----
    Some example of the sample rebuilds a hypothesis with the fewest errors. Let h_i be such. When
    the sample has points of depth i, 0 < i <= N, replacing h_i by h_(i-1) labels them 1 and changes
    nothing else; this does not lower the errors, so at least half of these examples have the label
    0, and each such rebuilds h_i. When it has points of depth i + 1 <= N, replacing h_i by h_(i+1)
    labels them 0, so at least half of these have the label 1, and each such rebuilds h_i. When it
    has neither, the neighbours of h_i in the chain make as many errors, and the argument applies to
    them; and when it has no depth but 0 and N + 1, all hypotheses make as many.

    ``O(n + N)`` after ``O(N |X|)`` for the class. Compare CLNRW16, Theorem 24.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> scheme = ChainScheme(thresholds(4))
    >>> S = Sample([0, 1, 2, 3], [0, 1, 0, 1])
    >>> scheme.compress(S), [scheme.run(S)(x) for x in range(4)]
    ((0,), [0, 1, 1, 1])
    """

    selection = Selection.SUBSET

    def __init__(self, H: FiniteClass) -> None:
        require_inhabited(H)
        sizes = H.table.sum(axis=1, dtype=np.int64)
        self._order: list[int] = np.argsort(-sizes, kind="stable").tolist()
        for outer, inner in pairwise(self._order):
            if (H.table[inner] > H.table[outer]).any():
                given = f"rows {outer} and {inner}, none of which contains the other"
                raise InvalidInput("H", given, "a class of nested hypotheses")
        self._depths: list[int] = H.table.sum(axis=0, dtype=np.int64).tolist()
        self._class = H

    @property
    def family(self) -> FiniteClass:
        """The class."""
        return self._class

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 1.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return 1

    def _depth(self, point: Hashable) -> int:
        return self._depths[self._class.column(point)]

    def _place(self, point: Hashable, label: int) -> int:
        """Return the place in the chain of the hypothesis that an example rebuilds."""
        depth = self._depth(point)
        return max(depth - 1, 0) if label else min(depth, len(self._order) - 1)

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        # A point of depth d adds to the errors of h_i when i < d and its label is 0, or when
        # i >= d and its label is 1: the changes at d are summed up along the chain.
        changes = [0] * (len(self._order) + 1)
        counts = Counter(zip(sample.points, sample.labels, strict=True))
        for (point, label), count in counts.items():
            changes[self._depth(point)] += count if label else -count
        errors = np.cumsum(changes[:-1]).tolist()
        point, label = min(counts, key=lambda example: errors[self._place(*example)])
        return (first_indices(sample, label)[point],)

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        """Return the hypothesis next to the kept example.

        Raises
        ------
        InvalidInput
            There is not one example, or its point is not in the domain.
        """
        require_kept(kept, 1)
        return self._class[self._order[self._place(kept.points[0], kept.labels[0])]]
