"""Which distinct points of a sample a uniformly random subset of its indices hits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate

from pac_stability.arguments import as_size
from pac_stability.errors import InvalidInput


def hit_sets(multiplicities: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """List the sets of distinct points that some index subset of a given size hits exactly.

    Parameters
    ----------
    multiplicities
        c, how often each of the m distinct points occurs in the sample: positive integers of sum n.
    size
        n', the number of indices, from 1 to n.

    Yields
    ------
    members, count
        A set A of points, as increasing positions below m, and the number N(A) of index subsets I
        of size n' such that the points of S_I are those of A. Only sets with N(A) > 0 come, each
        once; the counts sum to C(n, n').

    Raises
    ------
    InvalidInput
        A multiplicity is not positive, or the size is out of range.

    Notes
    -----
    N(A) is the coefficient of z**n' in the product over j in A of (1 + z)**c_j - 1. The polynomials
    are carried down a walk that takes each point or leaves it, cut to the powers from which n' can
    still be reached, so that no branch is empty: O(m) steps a set.

    Examples
    --------
    >>> sorted(hit_sets([2, 1, 1], 2))
    [((0,), 1), ((0, 1), 2), ((0, 2), 2), ((1, 2), 1)]
    """
    copies = [as_size(copies, "multiplicities", least=1) for copies in multiplicities]
    n = sum(copies)
    size = as_size(size, "size", least=1)
    if size > n:
        raise InvalidInput("size", str(size), f"at most {n}, the size of the sample")
    return _walk(copies, size)


def _walk(copies: list[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    later = [*accumulate(reversed(copies), initial=0)][::-1]  # copies from this point on
    # Entries: the next point, the set so far, in how many ways so many indices hit it exactly.
    stack: list[tuple[int, tuple[int, ...], dict[int, int]]] = [(0, (), {0: 1})]
    while stack:
        point, members, ways = stack.pop()
        if point == len(copies):
            yield members, ways[size]
            continue
        least = size - later[point + 1]
        left = {used: count for used, count in ways.items() if used >= least}
        if left:
            stack.append((point + 1, members, left))
        taken: dict[int, int] = {}
        for used, count in ways.items():
            for more in range(max(1, least - used), min(copies[point], size - used) + 1):
                choices = count * math.comb(copies[point], more)
                taken[used + more] = taken.get(used + more, 0) + choices
        if taken:
            stack.append((point + 1, (*members, point), taken))
