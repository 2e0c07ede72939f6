"""Which classes have representatives that are collected on a walk along the sample points.

Let A be the set of points that a random subset hits. For some classes the representatives ``H_A``
are found by walking once along the points, in an order that does not depend on A: each hit point
brings hypotheses of its own, and which ones depends at most on whether something was hit before,
and on whether anything will be hit afterwards. Then the sum of the weights of ``H_A`` is a sum
along the walk, and ``e**(-t Z_A)`` a product, which is what makes expectations easy.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate, count
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability import classes
from pac_stability.classes.validation import Number, exact_number, exact_vector
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman import enclosed_law

Table: TypeAlias = npt.NDArray[np.uint8]
Brought: TypeAlias = tuple[int, ...]
"""Indices of hypotheses."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The copies of one or more points that the walk passes together, and what they bring.

    Attributes
    ----------
    copies
        How many examples lie there.
    hit
        What a hit brings in general,
    last
        when nothing is hit afterwards,
    first
        in the first state of the walk,
    only
        in the first state when nothing is hit afterwards.
    missed
        What a miss in the first state brings.
    """

    copies: int
    hit: Brought = ()
    last: Brought = ()
    first: Brought = ()
    only: Brought = ()
    missed: Brought = ()


@dataclass(frozen=True, slots=True)
class Route:
    """In what order points are passed, and what that brings.

    Attributes
    ----------
    stops
        The order.
    always
        What every walk brings.
    leaves_on
        What makes a walk leave the first state for good: its first ``"hit"``, its first ``"miss"``,
        or ``None`` when there is no such state.
    chain
        After how many stops it leaves the first state at the latest.
    beyond
        What that brings.
    """

    stops: tuple[Stop, ...]
    always: Brought = ()
    leaves_on: Literal["hit", "miss"] | None = None
    chain: int = 0
    beyond: Brought = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """How the representatives ``H_A`` are collected.

    Attributes
    ----------
    hypotheses
        All that can be collected, distinct.
    errors
        How many examples of the sample each gets wrong, shape (hypotheses,).
    labels
        How the hypotheses label points.
    route
        Where they are collected.
    """

    hypotheses: tuple[classes.Hypothesis, ...]
    errors: npt.NDArray[np.int64]
    labels: enclosed_law.LabelsOfMany
    route: Route


def walk_of(H: classes.Family, sample: Sample[Hashable]) -> Walk:
    """Return the walk on which a class collects its representatives.

    Parameters
    ----------
    H
        ``Thresholds()``, ``SignedThresholds()``, ``Stumps(1)``, ``Subsets(0)``, ``Subsets(1)``,
        ``Singletons()``, or a :class:`~pac_stability.classes.FiniteClass` whose patterns on the
        points of the sample, in the order of their first rows, have one of these forms:

        - every row but the first differs from some row before it at one point only, and there from
          all rows before it (so has every maximum class of VC dimension 1, written from a root
          outwards, ``thresholds(n)`` and ``subsets(n, 1)`` among them);
        - each row differs from a common centre at one point only, whether or not the centre is a
          row (``singletons(n)``);
        - thresholds upwards, then downwards, as in ``signed_thresholds(n)``.

        Points that every row labels alike, or every row labels oppositely, count as one.
    sample
        S.

    Returns
    -------
    Walk
        The walk along the distinct points of the sample.

    Raises
    ------
    InvalidInput
        The class has no such form, or a point is not in its domain.
    """
    tally: dict[Hashable, list[int]] = {}
    for point, label in zip(sample.points, sample.labels, strict=True):
        tally.setdefault(point, [0, 0])[label] += 1
    walk: Walk | None = None
    # Exactly these types: a subclass may choose other representatives.
    if type(H) in (classes.Thresholds, classes.SignedThresholds):
        walk = _on_line(tally, signed=type(H) is classes.SignedThresholds)
    elif type(H) is classes.Stumps and H.dimension == 1:
        walk = _stumps(tally)
    elif type(H) is classes.Singletons:
        walk = _singletons(tally)
    elif type(H) is classes.Subsets and H.k <= 1:
        walk = _small_subsets(tally, H.k)
    elif (
        isinstance(H, classes.FiniteClass)
        and type(H) in (classes.FiniteClass, classes.Restriction)
        and len(H)
    ):
        walk = _in_table(H, tally)
    if walk is None:
        raise InvalidInput(
            "H",
            repr(H) if isinstance(H, classes.FiniteClass) else type(H).__name__,
            "thresholds, point functions, or another class whose representatives are collected "
            "point by point (other classes: exact_selection, enclosed_selection)",
        )
    return walk


def has_additive_normaliser(H: classes.Family, sample: Sample[Hashable]) -> bool:
    """Return whether :func:`walk_of` knows a walk for a class on the points of a sample.

    Parameters
    ----------
    H, sample
        As there.

    Examples
    --------
    >>> from pac_stability.classes import intervals, thresholds
    >>> S = Sample([0, 2, 1], [0, 1, 1])
    >>> has_additive_normaliser(thresholds(3), S), has_additive_normaliser(intervals(3), S)
    (True, False)
    """
    try:
        walk_of(H, sample)
    except InvalidInput as refused:
        if refused.argument == "H":
            return False
        raise
    return True


Tally: TypeAlias = dict[Hashable, list[int]]
"""How often each point has label 0, and label 1."""


class _WalkCuts:
    """Thresholds at cuts on the line: their indices, errors and labels."""

    def __init__(self, tally: dict[Number, list[int]]) -> None:
        self.points = sorted(tally)
        self.copies = [sum(tally[point]) for point in self.points]
        self.zeros = [0, *accumulate(tally[point][0] for point in self.points)]
        self.ones = [0, *accumulate(tally[point][1] for point in self.points)]
        self.cuts: dict[tuple[Number, bool], int] = {}

    def at(self, cut: Number, upward: bool = True) -> int:
        """Return the index of a threshold."""
        return self.cuts.setdefault((cut, upward), len(self.cuts))

    def errors(self) -> npt.NDArray[np.int64]:
        """Count the errors of all thresholds."""
        counts = []
        total = sum(self.copies)
        for cut, upward in self.cuts:
            below = bisect_left(self.points, cut)
            wrong = self.ones[below] + self.zeros[-1] - self.zeros[below]
            counts.append(wrong if upward else total - wrong)
        return np.array(counts, dtype=np.int64)


def _on_line(tally: Tally, *, signed: bool) -> Walk:
    line = _WalkCuts({exact_number(point): counts for point, counts in tally.items()})
    stops = []
    for point, copies in zip(line.points, line.copies, strict=True):
        up, beyond = line.at(point), line.at(point + 1)
        # The downward threshold at the least point is the one beyond the greatest, on A.
        both = (up, line.at(point, False)) if signed else (up,)
        stops.append(Stop(copies, both, (*both, beyond), (up,), (up, beyond)))
    return Walk(
        tuple(classes.Threshold(*cut) for cut in line.cuts),
        line.errors(),
        enclosed_law.LabelledByCuts(list(line.cuts), exact_number),
        Route(tuple(stops), leaves_on="hit" if signed else None, chain=len(stops)),
    )


def _on_axis(point: Hashable) -> Number:
    return exact_vector(point, 1)[0]


def _stumps(tally: Tally) -> Walk:
    line = _WalkCuts({_on_axis(point): counts for point, counts in tally.items()})
    stops = []
    for point, copies in zip(line.points, line.copies, strict=True):
        both = line.at(point), line.at(point, False)
        stops.append(Stop(copies, both, both))
    return Walk(
        tuple(classes.Stump(1, 0, *cut) for cut in line.cuts),
        line.errors(),
        enclosed_law.LabelledByCuts(list(line.cuts), _on_axis),
        Route(tuple(stops)),
    )


def _small_subsets(tally: Tally, k: int) -> Walk:
    points = list(tally)
    stops = [
        Stop(sum(tally[point]), *((index + 1,) for _ in range(2) if k))
        for index, point in enumerate(points)
    ]
    return _of_sets(
        [frozenset(), *_singles(points if k else ())], tally, Route(tuple(stops), always=(0,))
    )


def _singletons(tally: Tally) -> Walk:
    length = next(x for x in count() if x not in tally)
    chain = set(range(length))
    points: list[Hashable] = [*range(length), *(point for point in tally if point not in chain)]
    stops = []
    for index, point in enumerate(points):
        own = (index,)
        stops.append(Stop(sum(tally[point]), own, own, own, own, own))
    return _of_sets(
        _singles([*points, length]),
        tally,
        Route(tuple(stops), leaves_on="miss", chain=length, beyond=(len(points),)),
    )


def _singles(points: Iterable[Hashable]) -> list[frozenset[Hashable]]:
    return [frozenset([point]) for point in points]


def _of_sets(sets: list[frozenset[Hashable]], tally: Tally, route: Route) -> Walk:
    """Return a walk whose hypotheses are sets of at most one point."""
    ones = sum(one for _, one in tally.values())
    errors = [ones] * len(sets)
    index = {}
    for place, members in enumerate(sets):
        for point in members:
            index[point] = place
            zero, one = tally.get(point, (0, 0))
            errors[place] += zero - one

    return Walk(
        tuple(classes.FiniteSet(members) for members in sets),
        np.array(errors, dtype=np.int64),
        enclosed_law.LabelledBySets(len(sets), index),
        route,
    )


def _in_table(H: classes.FiniteClass, tally: Tally) -> Walk | None:
    points = sorted(tally, key=H.column)
    columns = [H.column(point) for point in points]
    rows = list(H.representative_rows(points))
    table = H.table[np.ix_(rows, columns)]
    surplus = np.array([zero - one for zero, one in (tally[point] for point in points)])
    errors = table.astype(np.int64) @ surplus + sum(one for _, one in tally.values())
    # Whether a row has its own pattern on A depends on where it differs from other rows alone, so
    # equal and complementary columns act as one, and constant ones not at all.
    changes = table ^ table[0]
    copies: dict[bytes, int] = {}
    place: dict[bytes, int] = {}
    for index, point in enumerate(points):
        key = changes[:, index].tobytes()
        copies[key] = copies.get(key, 0) + sum(tally[point])
        place.setdefault(key, index)
    constant = copies.pop(bytes(len(rows)), 0)
    place.pop(bytes(len(rows)), None)
    distinct = np.ascontiguousarray(changes[:, list(place.values())])
    found = (
        _tree(distinct, list(copies.values()))
        or _star(distinct, list(copies.values()))
        or _both_ways(distinct, list(copies.values()))
    )
    if found is None:
        return None
    if constant:
        # Where it changes neither what is the last hit nor what is the first miss.
        stop = Stop(constant)
        stops = (*found.stops, stop) if found.leaves_on else (stop, *found.stops)
        found = replace(found, stops=stops)
    return Walk(
        tuple(H[row] for row in rows),
        errors,
        enclosed_law.LabelledByTable(H, rows),
        found,
    )


def _tree(changes: Table, copies: list[int]) -> Route | None:
    """Recognise rows that each differ from one before at a point new to all rows before."""
    rows, points = changes.shape
    if points != rows - 1:
        return None
    newest = np.argmax(changes, axis=0)
    if len(set(newest.tolist())) != points:
        return None
    earlier = {changes[0].tobytes()}
    brings: list[Brought] = [()] * points
    for point in np.argsort(newest).tolist():
        row = int(newest[point])
        parent = changes[row].copy()
        parent[point] ^= 1
        if parent.tobytes() not in earlier:
            return None
        earlier.add(changes[row].tobytes())
        brings[point] = (row,)
    stops = [Stop(c, own, own) for c, own in zip(copies, brings, strict=True)]
    return Route(tuple(stops), always=(0,))


def _star(changes: Table, copies: list[int]) -> Route | None:
    """Recognise rows that each differ from a common centre at a point of their own."""
    rows, points = changes.shape
    if rows < 3 or not rows - 1 <= points <= rows:
        return None
    rays = changes ^ (2 * changes.sum(axis=0, dtype=np.int64) > rows)
    sizes = rays.sum(axis=1, dtype=np.int64)
    if sizes.max() > 1:
        return None
    # Where nothing else tells, the first row with the pattern of the centre on A represents it.
    centre = int(np.argmin(sizes)) if points < rows else rows
    order = [row for row in range(rows) if row != centre]
    stops = []
    for row in order:
        own = (row,)
        copied = copies[int(np.argmax(rays[row]))]
        if row < centre:
            stops.append(Stop(copied, own, own, own, own, own))
        else:
            stops.append(Stop(copied, own, own))
    beyond = (centre,) if centre < rows else ()
    return Route(tuple(stops), leaves_on="miss", chain=min(centre, len(order)), beyond=beyond)


def _both_ways(changes: Table, copies: list[int]) -> Route | None:
    """Recognise thresholds upwards, and then those downwards that are not constant."""
    rows, points = changes.shape
    order = np.argsort(np.argmax(changes, axis=0), kind="stable")
    downwards = np.tri(points + 1, points, -1, dtype=np.uint8)
    if rows != 2 * points or not np.array_equal(
        changes[:, order], np.concatenate((downwards, 1 - downwards[1:-1]))
    ):
        return None
    stops = []
    for up, column in enumerate(order.tolist(), start=1):
        # Downwards, nothing is new beyond the last hit.
        stops.append(Stop(copies[column], (up, points + up) if up < points else (), (up,)))
    return Route(tuple(stops), always=(0,))
