"""First pairs after which too little is left of a table, by degrees, for all pairs at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pac_stability.classes import bits

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
