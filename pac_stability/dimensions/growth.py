"""The growth function of a finite class, the Sauer-Shelah bound on it, shattered sets, and nets.

Also the sample size that suffices, by the number of hypotheses, and the one that is necessary, by
the VC dimension.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability._core.growth import most_patterns
from pac_stability._report import Tabled
from pac_stability.arguments import as_open_unit, as_size
from pac_stability.arithmetic.interval import Interval, certified_ceiling
from pac_stability.classes import FiniteClass
from pac_stability.classes.bits import pack
from pac_stability.classes.family import TableLike, as_table
from pac_stability.dimensions.bounds import BestFirst, Bounds, ProgressCallback, TableWitness
from pac_stability.errors import BudgetExhausted, InvalidInput


def sauer_shelah_bound(m: int, d: int) -> int:
    """Largest number of patterns on ``m`` points in a class of VC dimension ``d``.

    The sum of C(m, i) over i = 0, ..., d [Sauer 1972; Shelah 1972]; at most
    (em/d)^d for m >= d >= 1.

    Parameters
    ----------
    m
        Number of points, at least 0.
    d
        VC dimension, at least -1 (the empty class, which has no pattern).

    Examples
    --------
    >>> [sauer_shelah_bound(4, d) for d in range(-1, 5)]
    [0, 1, 5, 11, 15, 16]
    """
    if m < 0:
        raise InvalidInput("m", str(m), "a non-negative integer")
    if d < -1:
        raise InvalidInput("d", str(d), "an integer from -1 on")
    total = term = 1 if d >= 0 else 0
    for i in range(min(m, d)):
        term = term * (m - i) // (i + 1)
        total += term
    return total


@dataclass(frozen=True, slots=True, repr=False)
class Patterns(TableWitness):
    """Points on which a class has many patterns.

    Attributes
    ----------
    points
        Column indices.
    """

    points: tuple[int, ...]

    def count_on(self, H: TableLike) -> int:
        """Count the patterns of ``H`` on the points."""
        return len(np.unique(as_table(H).table[:, list(self.points)], axis=0))


class _GrowthSearch(BestFirst[tuple[int, ...], Patterns]):
    """Sets of points, grown point by point."""

    def __init__(self, H: FiniteClass, m: int, max_nodes: int | None) -> None:
        self._columns = H.table.T.astype(np.int64)
        self._m = min(m, len(self._columns))
        self._rows, self._packed = len(H), pack(H.table)
        self._best: tuple[int, ...] = ()
        super().__init__(1, min(self._rows, 2**self._m), max_nodes)

    def _roots(self) -> Iterator[None]:
        self._open((), self.upper)
        points: tuple[int, ...] = ()
        while len(points) < self._m:  # the best point next, without looking back
            counts = self._counts(points, self._columns)
            points = (*points, int(np.argmax(counts)))
            self._better(points, max(counts))
            yield

    def _counts(self, points: tuple[int, ...], columns: npt.NDArray[np.int64]) -> list[int]:
        """Count the patterns on some points and each of several others."""
        labels = np.zeros(self._rows, dtype=np.int64)
        for point in points:
            labels = 2 * labels + self._columns[point]
        distinct, labels = np.unique(labels, return_inverse=True)
        width = 2 * len(distinct)
        codes = 2 * labels.reshape(1, -1) + columns + np.arange(len(columns))[:, None] * width
        seen = np.zeros(len(columns) * width, dtype=np.bool_)
        seen[codes.ravel()] = True
        counts: list[int] = seen.reshape(-1, width).sum(axis=1).tolist()
        return counts

    def _better(self, points: tuple[int, ...], patterns: int) -> None:
        if patterns > self.lower:
            self._best = points
            self.lower = patterns

    @property
    def witness(self) -> Patterns:
        """Points with the most patterns so far."""
        return Patterns(self._best)

    def _children(self, points: tuple[int, ...]) -> None:
        missing = self._m - len(points)
        first = points[-1] + 1 if points else 0
        last = len(self._columns) - missing + 1
        if not missing or first >= last:
            return
        sets = math.comb(len(self._columns) - first, max(missing - 2, 0))
        if missing == 1 or sets * (self._rows + len(self._columns)) <= _AT_ONCE:
            found = most_patterns(
                self._packed, len(self._columns), np.array(points, np.int64), missing, self.lower
            )
            self._better((*points, *found[1]), found[0])
            self._nodes += found[2] - 1
            return
        counts = self._counts(points, self._columns[first:last])
        self._better((*points, first + counts.index(max(counts))), max(counts))
        for place, count in enumerate(counts):
            reach = min(self._rows, count << (missing - 1))
            if missing > 1 and reach > self.lower:
                self._open((*points, first + place), reach)


_AT_ONCE = 1 << 20
"""What the kernel may do without a look at the clock: sets of points times rows and columns."""


def growth_bounds(
    H: TableLike,
    m: int,
    *,
    time_limit: float | None = None,
    max_nodes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Bounds[Patterns]:
    """Bound the growth function at ``m`` within limits, with points that attain the lower bound.

    Parameters
    ----------
    H
        The class.
    m
        Number of points, at least 0.
    time_limit
        Seconds; ``None`` for no limit.
    max_nodes
        The most sets of points to visit; ``None`` for no limit.
    progress
        Called about ten times a second.

    Notes
    -----
    As `growth_function`, but the most promising sets grow first, so the upper bound falls during
    the search.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> found = growth_bounds(thresholds(5), 2)
    >>> found.value, found.witness.count_on(thresholds(5))
    (3, 3)
    """
    H = as_table(H)
    m = as_size(m, "m")
    if max_nodes is not None and max_nodes < 1:
        raise InvalidInput("max_nodes", str(max_nodes), "a positive number")
    if len(H) == 0:
        return Bounds(0, 0, None)
    return _GrowthSearch(H, m, max_nodes).run(time_limit=time_limit, progress=progress)


def growth_function(H: TableLike, m: int, *, max_nodes: int = 1_000_000) -> int:
    """Largest number of patterns of the class on a set of at most ``m`` points.

    Written tau_m in [DF20, Lemma 5]. "At most" makes it defined when the domain has fewer
    than ``m`` points; a further point never merges patterns, so sets of exactly ``min(m, |X|)``
    points decide.

    Parameters
    ----------
    H
        The class.
    m
        Number of points, at least 0.
    max_nodes
        The most sets of points to visit.

    Raises
    ------
    BudgetExhausted
        More sets were needed; carries the bounds reached.

    Notes
    -----
    It enumerates sets point by point, refining the partition of H, and prunes a set if even
    doubling with every further point could not beat the best: at most C(|X|, m - 1) sets of ``O(|H|
    |X|)`` each. `growth_bounds` takes a time limit and returns bounds.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(5)] for j in range(6)])
    >>> [growth_function(thresholds, m) for m in range(7)]
    [1, 2, 3, 4, 5, 6, 6]
    """
    found = growth_bounds(H, m, max_nodes=max_nodes)
    if not found.exact:
        said = f"growth function: more than {max_nodes} sets of points; allow more"
        raise BudgetExhausted(said, found.lower, found.upper)
    return found.value


# Shattered sets


@dataclass(frozen=True, slots=True)
class ShatteredSets:
    """All shattered sets of points of a class, up to points that can be exchanged.

    Attributes
    ----------
    alike
        The points, as column indices, in groups: swapping two columns of a group does not change
        the set of rows.
    representatives
        For each size, one shattered set for each choice of how many points come from each group.
    """

    alike: tuple[tuple[int, ...], ...]
    representatives: tuple[tuple[tuple[int, ...], ...], ...]

    def count(self, size: int | None = None) -> int:
        """Count the shattered sets, all or of a size."""
        sizes = self.representatives if size is None else self.representatives[size : size + 1]
        return sum(
            math.prod(math.comb(len(group), len({*points} & {*group})) for group in self.alike)
            for sets in sizes
            for points in sets
        )

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield every shattered set, by size."""
        for points in (points for sets in self.representatives for points in sets):
            parts = [combinations(group, len({*points} & {*group})) for group in self.alike]
            for chosen in product(*parts):
                yield tuple(sorted(point for part in chosen for point in part))


def shattered_sets(
    H: TableLike, size: int | None = None, *, max_sets: int = 100_000
) -> ShatteredSets:
    """List and count the shattered sets of a class, up to points that can be exchanged.

    Parameters
    ----------
    H
        The class.
    size
        Only sets of at most this size; by default of all.
    max_sets
        The most representatives to keep.

    Raises
    ------
    BudgetExhausted
        There are more; the exception has the bounds on the VC dimension that are known so far.

    Notes
    -----
    A subset of a shattered set is shattered, so sets are grown level by level:
    ``O(|H|)`` for each set of a level and point. A class shatters at least as many sets as it has
    hypotheses [Pajor 1985], and as many exactly if it is shattering-extremal.

    Examples
    --------
    >>> from pac_stability.classes import subsets
    >>> found = shattered_sets(subsets(6, 2))
    >>> found.representatives, [found.count(d) for d in range(3)], len(subsets(6, 2))
    ((((),), ((0,),), ((0, 1),)), [1, 6, 15], 22)
    >>> [*found][-2:]
    [(3, 5), (4, 5)]
    """
    H = as_table(H)
    columns = H.table.T.astype(np.int64)
    alike = _exchangeable(H.table)
    if len(H) == 0:
        return ShatteredSets(alike, ())
    place = {point: (group, at) for group in alike for at, point in enumerate(group)}
    order = [point for group in alike for point in group]
    following = {point: order[at + 1 :] for at, point in enumerate(order)}
    levels: list[tuple[tuple[int, ...], ...]] = [((),)]
    kept, most = 1, len(columns) if size is None else as_size(size, "size")
    while levels[-1] and len(levels) <= most:
        made: list[tuple[int, ...]] = []
        for points in levels[-1]:
            labels = np.zeros(len(H), dtype=np.int64)
            for point in points:
                labels = 2 * labels + columns[point]
            for point in following[points[-1]] if points else order:
                group, at = place[point]
                if at and group[at - 1] not in points:
                    continue  # the first points of a group stand for all
                if len(np.unique(2 * labels + columns[point])) == 2 ** (len(points) + 1):
                    made.append((*points, point))
            if kept + len(made) > max_sets:
                upper = (len(H)).bit_length() - 1
                said = f"shattered sets: more than {max_sets} of them; allow more"
                raise BudgetExhausted(said, len(levels) - 1, upper)
        kept += len(made)
        levels.append(tuple(made))
    return ShatteredSets(alike, tuple(level for level in levels if level))


def _exchangeable(
    table: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
) -> tuple[tuple[int, ...], ...]:
    """Group the columns that can be exchanged; to be exchangeable is transitive."""
    rows = {row.tobytes() for row in table}
    ones = table.sum(axis=0)
    groups: list[list[int]] = []
    for column in range(table.shape[1]):
        for group in groups:
            if ones[group[0]] != ones[column]:
                continue
            turned = table.copy()
            turned[:, [group[0], column]] = table[:, [column, group[0]]]
            if all(row.tobytes() in rows for row in turned):
                group.append(column)
                break
        else:
            groups.append([column])
    return tuple(map(tuple, groups))


# How many examples


def pac_size(
    H: TableLike | int, alpha: Fraction | float, beta: Fraction | float, *, agnostic: bool = False
) -> int:
    """Sample size with which every empirical risk minimiser learns, by the size of the class.

    Realizable: the least n with ``n >= ln(|H| / beta) / alpha``, by the union bound over hypotheses
    of error above alpha [Blumer et al. 1987]. Agnostic: the least n with
    ``n >= 2 ln(2 |H| / beta) / alpha^2``, by Hoeffding's inequality, so that all errors are
    estimated up to alpha / 2, and the excess error is at most alpha.

    Parameters
    ----------
    H
        The class, or how many hypotheses it has, at least 1.
    alpha
        The allowed error, in (0, 1).
    beta
        The allowed probability of failure, in (0, 1).
    agnostic
        Whether to drop the assumption that some hypothesis is right.

    Notes
    -----
    An enclosure of the logarithm makes the integer certain.

    Examples
    --------
    >>> pac_size(1024, Fraction(1, 10), Fraction(1, 20))
    100
    >>> pac_size(1024, Fraction(1, 10), Fraction(1, 20), agnostic=True)
    2125
    """
    size = H if isinstance(H, int) and not isinstance(H, bool) else len(as_table(H))
    size = as_size(size, "H", 1)
    alpha, beta = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    ratio = (2 if agnostic else 1) * size / beta
    factor = 2 / alpha**2 if agnostic else 1 / alpha
    return certified_ceiling(lambda bits: Interval.log(ratio, bits) * factor)


def pac_lower_bound(d: int, alpha: Fraction | float, beta: Fraction | float) -> int:
    """Sample size below which no learner learns a class of VC dimension ``d``.

    The larger of two: the least n with ``n >= (d - 1) / (32 alpha)``, for alpha <= 1/8 and beta <=
    1/100 [Ehrenfeucht, Haussler, Kearns and Valiant 1989, Theorem 1]; and with ``n >= (1 - alpha) /
    alpha ln(1 / beta)``, for alpha < 1/2 [Blumer et al. 1989], which needs two hypotheses that
    agree at one point and differ at another; d >= 2 provides them.

    Parameters
    ----------
    d
        The VC dimension, at least 2.
    alpha, beta
        As for `pac_size`; realizable.

    Examples
    --------
    >>> pac_lower_bound(101, Fraction(1, 100), Fraction(1, 100))
    456
    >>> pac_lower_bound(1001, Fraction(1, 100), Fraction(1, 100))
    3125
    """
    d = as_size(d, "d", 2)
    alpha, beta = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    bounds = [0]
    if alpha <= Fraction(1, 8) and beta <= Fraction(1, 100):
        bounds.append(math.ceil((d - 1) / (32 * alpha)))
    if alpha < Fraction(1, 2):
        factor = (1 - alpha) / alpha
        bounds.append(certified_ceiling(lambda bits: Interval.log(1 / beta, bits) * factor))
    return max(bounds)


# Alpha-nets: sets of points on which hypotheses that agree are close


@dataclass(frozen=True, slots=True, repr=False)
class NetViolation(Tabled):
    """Two hypotheses that agree on the net and are too far apart.

    Attributes
    ----------
    first, second
        Row indices.
    disagreement
        Probability of the points on which they differ.
    """

    first: int
    second: int
    disagreement: Fraction


def net_violation(
    H: TableLike,
    points: Iterable[Hashable],
    alpha: Fraction | int,
    weights: Sequence[Fraction | int] | None = None,
) -> NetViolation | None:
    """Say why a set of points is not an alpha-net; ``None`` if it is one.

    A set A of points is an alpha-net for H with respect to a distribution D when any h, h' in H
    that agree on A have Pr_D[h(x) != h'(x)] <= alpha [DF20, before Lemma 4]; in other words, when
    A hits every difference of two hypotheses that has probability more than alpha.

    Parameters
    ----------
    H
        The class.
    points
        The set A, points of the domain; repetitions count once.
    alpha
        A non-negative rational number.
    weights
        Weight of each point of ``H.domain``, in order, not all 0; their ratios are the
        distribution. By default the uniform one. For the empirical distribution of a sample, pass
        how often each point occurs in it.

    Returns
    -------
    NetViolation or None
        The first pair, in order of ``first`` and then ``second``, with disagreement above alpha.

    Raises
    ------
    InvalidInput
        An unknown point, a negative alpha, or weights of the wrong number, sign or type.

    Notes
    -----
    Exact. ``O(|H|^2 |X|)`` at worst, less when the points separate most hypotheses.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(4)] for j in range(5)])
    >>> net_violation(thresholds, [1], Fraction(1, 4))
    <NetViolation: first 2, second 4, disagreement 1/2 (0.5)>
    >>> net_violation(thresholds, [0, 2], Fraction(1, 4)) is None
    True
    """
    H = as_table(H)
    _check_rational("alpha", alpha)
    columns = list(dict.fromkeys(H.column(point) for point in points))
    integers, total = _integer_weights(len(H.domain), weights)
    weight = _weights(integers, total, alpha)
    groups: dict[bytes, list[int]] = {}
    for row, pattern in enumerate(H.table[:, columns]):
        groups.setdefault(pattern.tobytes(), []).append(row)
    worst: NetViolation | None = None
    for rows in groups.values():
        table = H.table[rows]
        for i, row in enumerate(rows):
            if worst is not None and worst.first < row:
                break
            apart = (table[i + 1 :] ^ table[i]).astype(weight.dtype) @ weight
            far = np.flatnonzero(apart * alpha.denominator > alpha.numerator * total)
            if far.size:
                j = int(far[0])
                worst = NetViolation(row, rows[i + 1 + j], Fraction(int(apart[j]), total))
                break
    return worst


def is_alpha_net(
    H: TableLike,
    points: Iterable[Hashable],
    alpha: Fraction | int,
    weights: Sequence[Fraction | int] | None = None,
) -> bool:
    """Whether hypotheses that agree on ``points`` differ with probability at most ``alpha``.

    Parameters
    ----------
    H, points, alpha, weights
        As for `net_violation`, which also returns the reason.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(4)] for j in range(5)])
    >>> is_alpha_net(thresholds, [1], Fraction(1, 4)), is_alpha_net(thresholds, [1], Fraction(1, 2))
    (False, True)
    """
    return net_violation(H, points, alpha, weights) is None


# Epsilon-nets: sets of points that hit every likely hypothesis


def missed_by_net(
    H: TableLike,
    points: Iterable[Hashable],
    epsilon: Fraction | int,
    weights: Sequence[Fraction | int] | None = None,
) -> int | None:
    """Say which hypothesis a set of points misses as an epsilon-net, or ``None`` if it is one.

    A set A of points is an epsilon-net for H with respect to a distribution D when A has a point of
    every h, as a set of points, that has probability more than epsilon [Haussler and Welzl 1987].
    An alpha-net of H (`net_violation`) is an alpha-net, in this sense, of the differences of
    hypotheses: the two notions agree for a class that is closed under differences, and differ
    otherwise.

    Parameters
    ----------
    H, points, weights
        As for `net_violation`.
    epsilon
        A non-negative rational number.

    Returns
    -------
    int or None
        The first row of probability above epsilon that is 0 on all of the points.

    Examples
    --------
    >>> from pac_stability.classes import intervals
    >>> missed_by_net(intervals(6), [1, 4], Fraction(1, 3)) is None
    True
    >>> H = intervals(6)
    >>> H.table[missed_by_net(H, [0, 4], Fraction(1, 3))].tolist()
    [0, 1, 1, 1, 0, 0]
    """
    H = as_table(H)
    _check_rational("epsilon", epsilon)
    columns = list(dict.fromkeys(H.column(point) for point in points))
    integers, total = _integer_weights(len(H.domain), weights)
    weight = _weights(integers, total, epsilon)
    missed = np.flatnonzero(~H.table[:, columns].any(axis=1))
    likely = H.table[missed].astype(weight.dtype) @ weight
    far = np.flatnonzero(likely * epsilon.denominator > epsilon.numerator * total)
    return int(missed[far[0]]) if far.size else None


def is_epsilon_net(
    H: TableLike,
    points: Iterable[Hashable],
    epsilon: Fraction | int,
    weights: Sequence[Fraction | int] | None = None,
) -> bool:
    """Whether ``points`` hit every hypothesis of probability more than epsilon.

    Parameters
    ----------
    H, points, epsilon, weights
        As for `missed_by_net`, which also returns the reason and explains how alpha-nets differ.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> is_epsilon_net(thresholds(4), [2], Fraction(1, 4))
    True
    """
    return missed_by_net(H, points, epsilon, weights) is None


def _integer_weights(size: int, weights: Sequence[Fraction | int] | None) -> tuple[list[int], int]:
    """Weights over a common denominator, and their sum."""
    given = [1] * size if weights is None else list(weights)
    if len(given) != size:
        raise InvalidInput("weights", f"{len(given)} of them", f"one for each of the {size} points")
    for weight in given:
        _check_rational("weights", weight)
    common = lcm(*(weight.denominator for weight in given))
    integers = [int(weight * common) for weight in given]
    total = sum(integers)
    if total == 0 and size > 0:
        raise InvalidInput("weights", "only zeros", "a positive sum")
    return integers, max(total, 1)


def _weights(integers: list[int], total: int, share: Fraction | int) -> npt.NDArray[Any]:
    """Return weights as integers of numpy while no comparison can overflow, of Python beyond."""
    small = total * max(share.numerator, share.denominator) < 2**62
    return np.array(integers, dtype=np.int64 if small else object)


def _check_rational(argument: str, given: object) -> None:
    if not isinstance(given, Fraction | int) or given < 0:
        raise InvalidInput(argument, repr(given), "a non-negative Fraction or integer")
