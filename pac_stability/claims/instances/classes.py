"""Classes: all small ones up to isomorphism, and known ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

from pac_stability import classes
from pac_stability.arguments import as_size
from pac_stability.classes import FiniteClass
from pac_stability.errors import InvalidInput

_MOST_POINTS = 4  # on five points there are 37,333,248 kinds


def all_classes(m: int, *, labels_matter: bool = True) -> Iterator[FiniteClass]:
    """Give every class that is not empty on m points, one of each kind, the smallest first.

    Parameters
    ----------
    m
        Number of points, 1 to 4. Classes that are equal after points are renamed are of one kind.
    labels_matter
        Whether 0 and 1 differ; if not, classes that are equal after the labels of some points are
        exchanged are of one kind too. A property in which ties are broken by the label needs the
        difference.

    Yields
    ------
    FiniteClass
        A class on the points 0 to m - 1.

    Raises
    ------
    InvalidInput
        ``m`` is no integer from 1 to 4.

    Notes
    -----
    A class is a set of the ``2**m`` patterns, so this counts Boolean functions up to the symmetries
    of the cube: 3, 11, 79 and 3983 kinds, or 2, 5, 21 and 401 where labels do not matter.

    Examples
    --------
    >>> [sum(1 for _ in all_classes(m)) for m in (1, 2, 3)]
    [3, 11, 79]
    >>> [sum(1 for _ in all_classes(m, labels_matter=False)) for m in (1, 2, 3)]
    [2, 5, 21]
    """
    points = as_size(m, "m", least=1)
    if points > _MOST_POINTS:
        raise InvalidInput("m", str(m), f"at most {_MOST_POINTS}")
    for patterns in _representatives(points, labels_matter):
        rows = [
            [p >> x & 1 for x in range(points)] for p in range(1 << points) if patterns >> p & 1
        ]
        yield FiniteClass(rows)


def catalogue() -> tuple[tuple[str, FiniteClass], ...]:
    """Return the classes of the literature at small sizes, each with its name.

    Examples
    --------
    >>> [name for name, _ in catalogue()][:3]
    ['thresholds on 3 points', 'thresholds on 7 points', 'singletons on 4 points']
    """
    return (
        ("thresholds on 3 points", classes.thresholds(3)),
        ("thresholds on 7 points", classes.thresholds(7)),
        ("singletons on 4 points", classes.singletons(4)),
        ("singletons on 7 points", classes.singletons(7)),
        ("intervals on 4 points", classes.intervals(4)),
        ("all labelings of 3 points", classes.cube(3)),
        ("parities of 3 bits", classes.parities(3)),
        ("lines over GF(3)", classes.affine_lines(3)),
    )


@cache
def _representatives(m: int, labels_matter: bool) -> tuple[int, ...]:
    """Sets of patterns, as bits of an integer: the least of each orbit, the smallest sets first."""
    symmetries = []
    for order in permutations(range(m)):
        for flipped in (0,) if labels_matter else range(1 << m):
            moved = [
                sum((p >> x & 1) << order[x] for x in range(m)) ^ flipped for p in range(1 << m)
            ]
            symmetries.append(moved)
    seen = bytearray(1 << (1 << m))
    found = []
    for patterns in range(1, 1 << (1 << m)):
        if seen[patterns]:
            continue
        found.append(patterns)
        members = [p for p in range(1 << m) if patterns >> p & 1]
        for moved in symmetries:
            seen[sum(1 << moved[p] for p in members)] = 1
    return tuple(sorted(found, key=lambda patterns: (patterns.bit_count(), patterns)))
