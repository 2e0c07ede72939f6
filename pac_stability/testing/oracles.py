"""Definitions written out, to test against: they share nothing with the searches."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache


def littlestone_by_definition(rows: Iterable[Iterable[int]]) -> int:
    """Return the Littlestone dimension of a table, by trying every first question.

    Parameters
    ----------
    rows
        The hypotheses: as many labels 0 or 1 in each as there are points.

    Returns
    -------
    int
        The depth of the deepest complete mistake tree; -1 for no hypotheses.

    Notes
    -----
    Exponential: for tiny classes.

    Examples
    --------
    >>> littlestone_by_definition([[0, 0], [0, 1], [1, 0], [1, 1]]), littlestone_by_definition([])
    (2, -1)
    """

    @cache
    def dimension(space: frozenset[tuple[int, ...]]) -> int:
        if len(space) < 2:
            return len(space) - 1
        deeper = 0
        for column in range(len(next(iter(space)))):
            ones = frozenset(row for row in space if row[column])
            if ones and ones != space:
                deeper = max(deeper, 1 + min(dimension(ones), dimension(space - ones)))
        return deeper

    return dimension(frozenset(tuple(map(int, row)) for row in rows))
