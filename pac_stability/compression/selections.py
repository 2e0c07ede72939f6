"""How a compression scheme may choose what it keeps, and how many choices that leaves.

The generalization bounds of compression are union bounds over the choices, so fewer of them give a
better bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum

from pac_stability.arguments import as_size


class Selection(Enum):
    """What is known of the indices that a scheme keeps, from the least to the most."""

    SEQUENCE = "sequence"
    """Any sequence of indices, repetitions allowed: n**k. CLNRW16, Definition 14."""

    DISTINCT = "distinct"
    """A sequence of distinct indices: n! / (n - k)!."""

    MULTISET = "multiset"
    """The hypothesis does not depend on the order of what is kept: C(n + k - 1, k)."""

    SUBSET = "subset"
    """Distinct indices, in an order that does not matter: C(n, k)."""

    OBLIVIOUS = "oblivious"
    """The indices are chosen without looking at the examples: no union bound is needed, 1."""

    def count(self, n: int, k: int) -> int:
        """Return how many selections of k examples out of n there are.

        Parameters
        ----------
        n
            Sample size, at least 1.
        k
            Number of examples kept, at least 0.

        Returns
        -------
        int
            0 when k distinct indices are wanted and k exceeds n.

        Raises
        ------
        InvalidInput
            ``n`` or ``k`` is no such integer.

        Examples
        --------
        >>> {kind.value: kind.count(10, 2) for kind in Selection}
        {'sequence': 100, 'distinct': 90, 'multiset': 55, 'subset': 45, 'oblivious': 1}
        """
        size, kept = as_size(n, "n", least=1), as_size(k, "k", least=0)
        match self:
            case Selection.SEQUENCE:
                return int(size**kept)
            case Selection.DISTINCT:
                return math.perm(size, kept)
            case Selection.MULTISET:
                return math.comb(size + kept - 1, kept)
            case Selection.SUBSET:
                return math.comb(size, kept)
            case Selection.OBLIVIOUS:
                return 1

    def counts(self, n: int, k: int) -> Iterator[int]:
        """Yield how many selections of 0, 1, ..., k examples out of n there are.

        Each is computed from the one before.

        Parameters
        ----------
        n
            Sample size, at least 1.
        k
            The largest number of examples kept, at least 0.

        Raises
        ------
        InvalidInput
            ``n`` or ``k`` is no such integer.

        Examples
        --------
        >>> list(Selection.SUBSET.counts(4, 5))
        [1, 4, 6, 4, 1, 0]
        """
        size, most = as_size(n, "n", least=1), as_size(k, "k", least=0)
        count = 1
        for kept in range(most + 1):
            yield count
            match self:
                case Selection.SEQUENCE:
                    count *= size
                case Selection.DISTINCT:
                    count *= size - kept
                case Selection.MULTISET:
                    count = count * (size + kept) // (kept + 1)
                case Selection.SUBSET:
                    count = count * (size - kept) // (kept + 1)
