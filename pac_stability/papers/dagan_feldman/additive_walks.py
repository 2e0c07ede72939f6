"""The enclosed law of the choice of A^sta, and the walks that compute it without a table.

First the common parts of every computation of the law: checks of its arguments, the labels of many
hypotheses, as a table or summed without one, and :class:`EnclosedLaw`, the form of all certified
bounds.

Then the walks.  Let A be the set of points that a random subset hits.  For some classes the
representatives ``H_A`` are found by walking once along the points, in an order that does not depend
on A: each hit point brings hypotheses of its own, and which ones depends at most on whether
something was hit before, and on whether anything will be hit afterwards.  Then the sum of the
weights of ``H_A`` is a sum along the walk, and ``e**(-t Z_A)`` a product, which is what makes
expectations easy.  :func:`walk_of` finds the walk of a class: on a line, by stumps, of small sets,
or in a table that happens to have one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, count
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability import arguments, classes
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass, Hypothesis
from pac_stability.classes.validation import Number, exact_number, exact_vector
from pac_stability.data import EnclosedDistribution, Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.draws import as_decay


def as_selection(sample: object, subset_size: object, decay: object) -> tuple[int, Fraction]:
    """Check the further arguments of a selection distribution; return n' and rho."""
    if not isinstance(sample, Sample):
        raise InvalidInput("sample", arguments.described(sample), "a Sample")
    if not len(sample):
        raise InvalidInput("sample", "no examples", "at least one")
    size = arguments.as_size(subset_size, "subset_size", least=1)
    if size > len(sample):
        wanted = f"at most {len(sample)}, the size of the sample"
        raise InvalidInput("subset_size", arguments.in_words(size), wanted)
    return size, as_decay(decay)


def as_masses(masses: Iterable[arguments.AnyNumber]) -> Counter[Fraction]:
    """Return how many points have each mass; they sum to 1 at most."""
    exact = (
        arguments.as_fraction(mass, "masses") for mass in arguments.as_points(masses, "masses")
    )
    given = Counter(arguments.as_probability(mass, "masses") for mass in exact)
    total = sum(mass * times for mass, times in given.items())
    if total > 1:
        raise InvalidInput(
            "masses", f"a sum of {arguments.in_words(Fraction(total))}", "at most 1 together"
        )
    return given


def subset_size_for(n: int, share: Fraction) -> int:
    """Return a share of n, rounded down, or say for which n there is one."""
    least = math.ceil(1 / share)
    size = arguments.as_size(n, "n")
    if size < least:
        raise InvalidInput(
            "n", arguments.in_words(size), f"at least {least} examples for a subset of one"
        )
    return math.floor(size * share)


def masses_of(
    data: Sample[Hashable] | FiniteDistribution[Example[Hashable]],
) -> tuple[Counter[Example[Hashable]], int]:
    """Return the examples of a sample or a law with integers for masses, and the unit of these."""
    if isinstance(data, Sample):
        return Counter(data), len(data) or 1
    if isinstance(data, FiniteDistribution):
        return Counter(data.numerators), data.denominator
    raise InvalidInput("data", arguments.described(data), "a Sample or a distribution of examples")


# The labels that many hypotheses give points

Labels: TypeAlias = npt.NDArray[np.bool_]
Sums: TypeAlias = npt.NDArray[Any]
"""Exact integers: of 64 bits, or objects."""

_CELLS = 1 << 24
"""A table of labels has no more cells, or one column."""


class LabelsOfMany(ABC):
    """How some hypotheses label points.

    Parameters
    ----------
    size
        How many hypotheses there are.
    """

    def __init__(self, size: int) -> None:
        self.size: int = size

    @abstractmethod
    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points, shape (hypotheses, points)."""

    def blocks(self, points: Sequence[Hashable]) -> Iterator[Sequence[Hashable]]:
        """Split points so that a table has a bounded number of cells."""
        width = max(1, _CELLS // self.size)
        return (points[start : start + width] for start in range(0, len(points), width))

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return for each hypothesis the sum of the values at the points that it labels 1.

        Parameters
        ----------
        points
            Any points.
        values
            An integer for each.

        Notes
        -----
        As many operations as a table has cells, unless a labelling knows a shorter way.
        """
        found = np.zeros(self.size, dtype=values.dtype)
        done = 0
        for block in self.blocks(points):
            found += self(block) @ values[done : done + len(block)]
            done += len(block)
        return found


class LabelledByTable(LabelsOfMany):
    """Rows of a finite class.

    Parameters
    ----------
    H
        The class.
    rows
        Which of them.
    """

    def __init__(self, H: FiniteClass, rows: Sequence[int]) -> None:
        super().__init__(len(rows))
        self._class = H
        self._rows = np.array(rows, dtype=np.intp)

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        columns = [self._class.column(point) for point in points]
        labels: Labels = self._class.table[self._rows][:, columns].astype(np.bool_)
        return labels


class LabelledOneByOne(LabelsOfMany):
    """Any hypotheses of a family, evaluated one by one.

    Parameters
    ----------
    H
        The family, which refuses points that are not in its domain.
    hypotheses
        What is asked.
    """

    def __init__(self, H: classes.Family, hypotheses: tuple[Hypothesis, ...]) -> None:
        super().__init__(len(hypotheses))
        self._H = H
        self._hypotheses = hypotheses

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        for point in points:
            self._H.representatives_on([point])
        return np.array([[h(x) for x in points] for h in self._hypotheses], dtype=np.uint8)


class LabelledBySets(LabelsOfMany):
    """Sets of at most one point.

    Parameters
    ----------
    size
        How many sets there are.
    holding
        Which of them holds a point.
    """

    def __init__(self, size: int, holding: Mapping[Hashable, int]) -> None:
        super().__init__(size)
        self._holding = holding

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        table = np.zeros((self.size, len(points)), dtype=np.bool_)
        for column, point in enumerate(points):
            if point in self._holding:
                table[self._holding[point], column] = True
        return table

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return the sums of :meth:`LabelsOfMany.sums`, visiting each point once."""
        found = np.zeros(self.size, dtype=values.dtype)
        for place, point in enumerate(points):
            if point in self._holding:
                found[self._holding[point]] += values[place]
        return found


class LabelledByCuts(LabelsOfMany):
    """Thresholds on the line, upwards and downwards.

    Parameters
    ----------
    cuts
        Where each is, and whether it labels 1 what is there and above, or what is below.
    value
        Where on the line a point is.
    """

    def __init__(
        self, cuts: Sequence[tuple[Number, bool]], value: Callable[[Hashable], Number]
    ) -> None:
        super().__init__(len(cuts))
        self._value = value
        self._ordered = sorted({cut for cut, _ in cuts})
        rank = {cut: index for index, cut in enumerate(self._ordered)}
        self._ranks = np.array([rank[cut] for cut, _ in cuts], dtype=np.int64)
        self._upward = np.array([upward for _, upward in cuts], dtype=np.bool_)

    def _places(self, points: Sequence[Hashable]) -> npt.NDArray[np.int64]:
        """Count the cuts that are not above each point."""
        values = map(self._value, points)
        return np.array([bisect_right(self._ordered, value) for value in values], dtype=np.int64)

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        labels: Labels = (self._ranks[:, None] < self._places(points)) == self._upward[:, None]
        return labels

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return the sums of :meth:`LabelsOfMany.sums`, along the line.

        Notes
        -----
        O(log(hypotheses)) for each point, and O(1) for each hypothesis.
        """
        at = np.zeros(len(self._ordered) + 1, dtype=values.dtype)
        np.add.at(at, self._places(points), values)
        # Of a cut of rank r those at its places r + 1, r + 2, ... are above.
        above = np.cumsum(at[:0:-1])[::-1][self._ranks]
        return np.where(self._upward, above, values.sum() - above)


# The law, in certified bounds


@dataclass(frozen=True, slots=True, eq=False)
class EnclosedLaw:
    """The law of the hypothesis that A^sta chooses, up to certified bounds.

    Attributes
    ----------
    hypotheses
        The hypotheses that can be chosen, distinct.
    lowers
        For each of them a lower bound of its probability, in units of ``2**-bits``: machine
        integers, or Python's.
    bits
        How fine they are.
    labels
        How the hypotheses label points.

    Notes
    -----
    The :attr:`slack` is one minus the sum of the lower bounds. No probability, and no sum of some
    of them, exceeds its lower bound by more. Every answer below is computed from that, exactly.
    """

    hypotheses: tuple[Hypothesis, ...]
    lowers: npt.NDArray[Any]
    bits: int
    labels: LabelsOfMany

    def __post_init__(self) -> None:
        if not 0 <= int(self.lowers.sum()) <= 1 << self.bits:
            raise RuntimeError("a compiled walk found probabilities of sum more than one")

    @property
    def slack(self) -> Fraction:
        """The largest width of an answer about a probability."""
        return 1 - Fraction(int(self.lowers.sum()), 1 << self.bits)

    def law(self) -> EnclosedDistribution[Hypothesis]:
        """Return the distribution of the hypothesis, P_S."""
        slack = self.slack
        shares = (Fraction(lower, 1 << self.bits) for lower in self.lowers.tolist())
        return EnclosedDistribution(
            {
                h: Interval(share, share + slack)
                for h, share in zip(self.hypotheses, shares, strict=True)
            }
        )

    def probabilities(self, points: Iterable[Hashable]) -> tuple[Interval, ...]:
        """Return the probability that the chosen hypothesis labels each point 1.

        Parameters
        ----------
        points
            Points of the domain, in the sample or not.

        Raises
        ------
        InvalidInput
            A point is not in the domain.

        Notes
        -----
        O(number of hypotheses) for each point.
        """
        slack = self.slack
        found = []
        for block in self.labels.blocks(list(arguments.as_points(points))):
            labels = self.labels(block)
            # Sums of lower bounds are at most 2**60.
            for column, one in enumerate((self.lowers @ labels.astype(self.lowers.dtype)).tolist()):
                least, most = labels[:, column].min(), labels[:, column].max()
                share = Fraction(one, 1 << self.bits)
                found.append(Interval(share + slack * int(least), share + slack * int(most)))
        return tuple(found)

    def loss(self, data: Sample[Hashable] | FiniteDistribution[Example[Hashable]]) -> Interval:
        """Return the expected loss of the chosen hypothesis.

        Parameters
        ----------
        data
            A sample, for the empirical loss on it, or a distribution of examples.

        Raises
        ------
        InvalidInput
            A point is not in the domain, or the argument is neither.
        """
        masses, unit = masses_of(data)
        # An error at label 1 is a label 0, and the reverse.
        points = list(dict.fromkeys(example.point for example in masses))
        surplus = dict.fromkeys(points, 0)
        for example, mass in masses.items():
            surplus[example.point] += mass * (1 - 2 * example.label)
        ones = sum(mass for example, mass in masses.items() if example.label)
        exact = np.int64 if masses.total() < 1 << 62 else object
        errors = np.full(len(self.hypotheses), ones, dtype=exact)
        errors += self.labels.sums(points, np.array([surplus[x] for x in points], dtype=exact))
        return self._mean(errors, unit)

    def expectation(self, value: Callable[[Hypothesis], Fraction | int]) -> Interval:
        """Return the mean of a function of the chosen hypothesis.

        Parameters
        ----------
        value
            A function to an exact number, called once for each hypothesis.
        """
        values = [arguments.as_fraction(value(h), "value") for h in self.hypotheses]
        common = math.lcm(*{number.denominator for number in values})
        scaled = [number.numerator * (common // number.denominator) for number in values]
        return self._mean(np.array(scaled, dtype=object), common)

    def _mean(self, values: npt.NDArray[Any], unit: int) -> Interval:
        """Return the mean of integers, one for each hypothesis, over a common denominator."""
        sum_of_products = int((self.lowers.astype(object) * values).sum())
        mean = Fraction(sum_of_products, unit << self.bits)
        slack = self.slack / unit
        return Interval(mean + slack * int(values.min()), mean + slack * int(values.max()))


# Which classes have such a walk

Table: TypeAlias = npt.NDArray[np.uint8]
Brought: TypeAlias = tuple[int, ...]
"""Indices of hypotheses."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The copies of points that the walk passes together, and the hypotheses that they bring.

    Attributes
    ----------
    copies
        The number of examples there.
    hit
        The hypotheses that a hit brings in general,
    last
        when nothing is hit afterwards,
    first
        in the first state of the walk,
    only
        in the first state when nothing is hit afterwards.
    missed
        The hypotheses that a miss in the first state brings.
    """

    copies: int
    hit: Brought = ()
    last: Brought = ()
    first: Brought = ()
    only: Brought = ()
    missed: Brought = ()


@dataclass(frozen=True, slots=True)
class Route:
    """The order of the points, and the hypotheses that each brings.

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
        All hypotheses that can be collected, distinct.
    errors
        How many examples of the sample each gets wrong, shape (hypotheses,).
    labels
        How the hypotheses label points.
    route
        Where they are collected.
    """

    hypotheses: tuple[classes.Hypothesis, ...]
    errors: npt.NDArray[np.int64]
    labels: LabelsOfMany
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
        LabelledByCuts(list(line.cuts), exact_number),
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
        LabelledByCuts(list(line.cuts), _on_axis),
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
        LabelledBySets(len(sets), index),
        route,
    )


def _in_table(H: classes.FiniteClass, tally: Tally) -> Walk | None:
    points = sorted(tally, key=H.column)
    columns = tuple(H.column(point) for point in points)
    rows, of_stop, found = _recognised(H, columns)
    if found is None:
        return None
    copies = Counter[int]()
    for stop, point in zip(of_stop, points, strict=True):
        copies[stop] += sum(tally[point])
    surplus = np.array([zero - one for zero, one in (tally[point] for point in points)])
    errors = H.table[np.ix_(rows, columns)].astype(np.int64) @ surplus
    return Walk(
        tuple(H[row] for row in rows),
        errors + sum(one for _, one in tally.values()),
        LabelledByTable(H, rows),
        replace(
            found, stops=tuple(replace(stop, copies=copies[stop.copies]) for stop in found.stops)
        ),
    )


@lru_cache(maxsize=64)  # samples differ in their labels, and in how often they have a point
def _recognised(
    H: classes.FiniteClass, columns: tuple[int, ...]
) -> tuple[list[int], list[int], Route | None]:
    """Return the rows, the stop of each column, and a route whose stops have numbers as copies.

    Whether a row has its own pattern on A depends on where it differs from other rows alone, so
    equal and complementary columns act as one, and constant ones, at stop -1, not at all.
    """
    rows = list(H.representative_rows(H.domain[column] for column in columns))
    table = H.table[np.ix_(rows, columns)]
    changes = table ^ table[0]
    place: dict[bytes, int] = {}
    constant, numbers, of_stop = bytes(len(rows)), list[int](), list[int]()
    for index in range(len(columns)):
        key = changes[:, index].tobytes()
        if key != constant and key not in place:
            place[key] = len(place)
            numbers.append(index)
        of_stop.append(place.get(key, -1))
    distinct, stops = np.ascontiguousarray(changes[:, numbers]), list(range(len(numbers)))
    found = _tree(distinct, stops) or _star(distinct, stops) or _both_ways(distinct, stops)
    if found is not None and -1 in of_stop:
        # Where it changes neither what is the last hit nor what is the first miss.
        first, last = ((), (Stop(-1),)) if found.leaves_on else ((Stop(-1),), ())
        found = replace(found, stops=(*first, *found.stops, *last))
    return rows, of_stop, found


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
