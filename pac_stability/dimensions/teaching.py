"""The star number, teaching sets, the teaching dimension and the recursive teaching dimension."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.classes import FiniteClass
from pac_stability.classes.bits import Table, columns_of, ones_of
from pac_stability.classes.family import TableLike, as_table
from pac_stability.dimensions import bounds
from pac_stability.errors import BudgetExhausted, InvalidInput


@dataclass(frozen=True, slots=True, repr=False)
class Star(bounds.TableWitness):
    """A hypothesis, points, and for each point a hypothesis that differs there and only there.

    Attributes
    ----------
    center
        Row index of the hypothesis h_0.
    points
        Column indices x_1, ..., x_s.
    hypotheses
        Row indices of h_1, ..., h_s: h_i differs from h_0 at x_i and at no other of the points.
    """

    center: int
    points: tuple[int, ...]
    hypotheses: tuple[int, ...]

    def is_realized_by(self, H: TableLike) -> bool:
        """Check every label against the table of ``H``."""
        H = as_table(H)
        n, m = H.table.shape
        return (
            len(self.points) == len(self.hypotheses)
            and all(0 <= x < m for x in self.points)
            and all(0 <= h < n for h in (self.center, *self.hypotheses))
            and all(
                (H.table[h, x] != H.table[self.center, x]) == (i == j)
                for i, h in enumerate(self.hypotheses)
                for j, x in enumerate(self.points)
            )
        )


_Node = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...], int]
"""Center, points, for each its possible hypotheses, points left, hypotheses that agree on all."""


class _StarSearch(bounds.BestFirst[_Node, Star]):
    """Sets of points around a center, grown point by point, those that promise most first."""

    def __init__(self, H: FiniteClass, max_nodes: int | None) -> None:
        n, m = H.table.shape
        self.H, self._star = H, Star(0, (), ())
        super().__init__(0, min(n - 1, m), max_nodes)
        self._table = H.table
        self._bounded: set[int] = set()

    @property
    def witness(self) -> Star:
        """The largest star so far."""
        return self._star.of(self.H)

    def _roots(self) -> Iterator[None]:
        self._differ: list[list[int]] = []
        n, m = self._table.shape
        for center in range(n):
            self._differ.append(columns_of(self._table ^ self._table[center]))
            if center % (n // _DIVES + 1) == 0:
                self._dive(center)
            yield
        for center in _centers(self._table):
            node: _Node = (center, (), (), tuple(range(m)), 2**n - 1)
            most = _around(self._table ^ self._table[center], pairs=True)
            self._open(node, min(most, self._reach(node)))
            yield

    def _dive(self, center: int) -> None:
        """Grow one star around a center, without looking back."""
        differ = self._differ[center]
        node: _Node = (center, (), (), tuple(range(len(differ))), 2 ** len(self._table) - 1)
        while True:
            _, points, own, left, agreeing = node
            able = [
                x for x in left if agreeing & differ[x] and all(rows & ~differ[x] for rows in own)
            ]
            if not able:
                break
            x = max(able, key=lambda x: (agreeing & ~differ[x]).bit_count())
            still = tuple(rows & ~differ[x] for rows in own)
            rest = agreeing & ~differ[x]
            others = tuple(y for y in able if y != x and rest & differ[y])
            node = (center, (*points, x), (*still, agreeing & differ[x]), others, rest)
        self._better(node)

    def _better(self, node: _Node) -> None:
        center, points, own, _, _ = node
        if len(points) > self.lower:
            self._star = Star(center, points, tuple(_lowest(rows) for rows in own))
            self.lower = len(points)

    def _reach(self, node: _Node) -> int:
        """Bound the size of a star from above that has the points of a node."""
        _, points, _, left, agreeing = node
        return len(points) + min(len(left), agreeing.bit_count() - 1)

    def _grown(self, node: _Node) -> list[_Node]:
        center, points, own, left, agreeing = node
        differ = self._differ[center]
        grown: list[_Node] = []
        for at, x in enumerate(left):
            still = tuple(rows & ~differ[x] for rows in own)
            mine = agreeing & differ[x]
            if not mine or not all(still):
                continue
            rest = agreeing & ~differ[x]
            use = tuple(y for y in left[at + 1 :] if rest & differ[y] and mine & ~differ[y])
            grown.append((center, (*points, x), (*still, mine), use, rest))
        if grown:
            self._better(grown[0])
        return grown

    def _children(self, node: _Node) -> None:
        if not node[1] and node[0] not in self._bounded:
            most = _around(self._table ^ self._table[node[0]], pairs=False)
            self._bounded.add(node[0])
            if self.lower < most < self.upper:
                self._open(node, most)
            if most < self.upper:
                return
        for child in self._grown(node):
            reach = self._reach(child)
            if reach > self.lower:
                self._open(child, reach)


def _centers(table: Table) -> list[int]:
    """Return the hypotheses around which stars may differ: a symmetry takes any other to one.

    Moving the columns around the circle by one is tried, and the labels that take the first
    hypothesis to another; where such a change leaves the set of rows as it is, it permutes them.
    """
    place = {row.tobytes(): at for at, row in enumerate(table)}
    orbit = list(range(len(table)))  # of each row one before it, or itself

    def least(row: int) -> int:
        while orbit[row] != row:
            row = orbit[row]
        return row

    def join(rows: Iterable[Table]) -> None:
        moved = list[int]()
        for row in rows:
            at = place.get(row.tobytes())
            if at is None:
                return
            moved.append(at)
        for one, other in enumerate(moved):
            low, high = sorted((least(one), least(other)))
            orbit[high] = low

    join(np.roll(table, 1, axis=1))
    for row in range(1, len(table)):
        if least(row) != 0:
            join(each ^ table[row] ^ table[0] for each in table)
    return [row for row in range(len(table)) if orbit[row] == row]


def _around(differ: Table, *, pairs: bool) -> int:
    """Bound a star around a center from above, by what hypotheses do on three points at a time.

    Of a star of s points, any three have s - 3 hypotheses besides the center that agree with it
    there, and each of the three its own. So any two points have s - 2 third ones of this kind, and
    so on up; or the same of pairs, in less time.
    """
    agree = 1.0 - differ.astype(np.float32)
    m = differ.shape[1]
    two = agree.T @ agree
    own = two.diagonal()[None, :] - two  # that differ at the first and agree at the second
    if pairs or m > _MOST_TRIPLES:
        found = np.where((own > 0) & (own.T > 0), two + 1, 0)
    else:
        found = np.empty((m, m))
        for x in range(m):
            some = agree[agree[:, x] > 0]
            three = some.T @ some
            alone = (two > three) & (two[x][:, None] > three) & (two[x] > three)
            found[x] = _attained(np.where(alone, three + 2, 0), 2)
    return int(_attained(_attained(found, 1)[None, :], 0)[0])


_MOST_TRIPLES = 160
_DIVES = 40


def _attained(sizes: npt.NDArray[Any], less: int) -> npt.NDArray[Any]:
    """Return, of each line, the largest s of which s - less entries are at least s."""
    order = -np.sort(-sizes, axis=1)
    wanted = np.arange(1, sizes.shape[1] + 1) + less
    least = np.minimum(order, wanted).max(axis=1, initial=0)
    return np.asarray(np.maximum(least, less))


def star(
    H: TableLike,
    *,
    max_nodes: int | None = None,
    time_limit: float | None = None,
    progress: bounds.ProgressCallback | None = None,
) -> bounds.Bounds[Star]:
    """Star number of a finite class, with a star.

    The largest s with points x_1, ..., x_s and hypotheses h_0, ..., h_s such that h_i differs from
    h_0 at x_i and at no other of these points [Hanneke and Yang 2015, Definition 2].

    Parameters
    ----------
    H
        The class.
    max_nodes
        The most sets of points to visit; ``None`` for no limit.
    time_limit
        Seconds; ``None`` for no limit.
    progress
        Called about ten times a second.

    Returns
    -------
    Bounds[Star]
        Exact, or certified bounds when the budget ended.

    Notes
    -----
    For each center it searches sets of points, which is exponential. Every subset of a star's
    points is one, so sets grow point by point, the most promising first, and the upper bound falls
    as they are settled. Where moving the columns around the circle, or changing labels at some
    points, leaves the class as it is, one center of those that this takes to one another is enough.
    -1 for the empty class, 0 for one hypothesis.

    Large tables keep bounds: random labels on 372 x 67, a twentieth of them ones, 49 to 65 after 15
    seconds. Fewer points, or fewer hypotheses, narrow them.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> star(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])).witness
    <Star: center h0, points 0, 1, hypotheses h2, h1>
    """
    H = as_table(H)
    if len(H) == 0:
        return bounds.Bounds(-1, -1, None)
    return star_search(H, max_nodes).run(time_limit=time_limit, progress=progress)


def star_search(H: TableLike, max_nodes: int | None = None) -> bounds.BestFirst[_Node, Star]:
    """Return the search for the star number, which can be run again."""
    H = as_table(H)
    if max_nodes is not None and max_nodes < 1:
        raise InvalidInput("max_nodes", repr(max_nodes), "a positive number")
    return _StarSearch(H, max_nodes)


def _lowest(rows: int) -> int:
    return (rows & -rows).bit_length() - 1


def star_number(H: TableLike, *, time_limit: float | None = None) -> int:
    """Star number of a finite class: -1 if empty, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.
    time_limit
        The time limit in seconds.

    Raises
    ------
    BudgetExhausted
        The time limit was reached; the exception has the bounds.

    Notes
    -----
    See `star` for a witness, and the definition.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> star_number(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]]))
    2
    """
    return star(H, time_limit=time_limit).value


# Teaching sets

_MAX_NODES = 1_000_000


def teaches(H: TableLike, hypothesis: int, points: Iterable[int]) -> bool:
    """Whether no other hypothesis has the same labels on some points.

    Parameters
    ----------
    H
        The class.
    hypothesis
        Row index.
    points
        Column indices.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> teaches(H, 0, [1]), teaches(H, 1, [1])
    (True, False)
    """
    H = as_table(H)
    _check_row(H, hypothesis)
    columns = list(points)
    for x in columns:
        if not 0 <= x < H.table.shape[1]:
            raise InvalidInput("points", str(x), f"column indices below {H.table.shape[1]}")
    agree = (H.table[:, columns] == H.table[hypothesis, columns]).all(axis=1)
    return int(np.count_nonzero(agree)) == 1


def minimum_teaching_set(
    H: TableLike, hypothesis: int, *, max_nodes: int = _MAX_NODES
) -> tuple[int, ...]:
    """Fewest points whose labels single out a hypothesis.

    Parameters
    ----------
    H
        The class.
    hypothesis
        Row index.
    max_nodes
        The most partial sets to visit.

    Returns
    -------
    tuple of int
        Column indices, increasing.

    Raises
    ------
    BudgetExhausted
        More partial sets were needed; carries bounds on the size.

    Notes
    -----
    A smallest set that hits the difference with every other hypothesis: exponential, for small
    classes. It tries sizes upwards. Some point of the smallest difference that is not yet hit must
    be in the set.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> [minimum_teaching_set(H, h) for h in range(3)]
    [(1,), (0, 1), (0,)]
    """
    H = as_table(H)
    _check_row(H, hypothesis)
    if max_nodes < 1:
        raise InvalidInput("max_nodes", repr(max_nodes), "a positive number")
    minimal = _differences(H.table, hypothesis)
    columns, nodes, size = H.table.shape[1], [0], 0
    while True:  # ends: on all points distinct hypotheses differ
        hit = _hitting(minimal, size, nodes, max_nodes)
        if nodes[0] > max_nodes:
            raise BudgetExhausted(
                f"teaching set: more than {max_nodes} sets of points; allow more",
                size,
                min(len(minimal), columns),
            )
        if hit is not None:
            return ones_of(hit)
        size += 1


def _differences(table: Table, hypothesis: int) -> list[int]:
    """Return where other hypotheses differ, as sets of bits, without those that contain another."""
    packed = np.packbits(table ^ table[hypothesis], axis=1, bitorder="little")
    differences = {int.from_bytes(row.tobytes(), "little") for row in packed} - {0}
    minimal: list[int] = []
    for difference in sorted(differences, key=int.bit_count):
        if all(difference & small != small for small in minimal):
            minimal.append(difference)
    return minimal


def _hitting(minimal: list[int], size: int, nodes: list[int], max_nodes: int) -> int | None:
    """Return a set of so many points that hits all of some sets; ``None`` if there is none.

    Some point of the smallest set not yet hit must be in it. ``nodes`` is counted up, and past
    ``max_nodes`` nothing is known.
    """
    stack = [(0, 0)]  # points chosen, points no longer to be chosen
    while stack:
        chosen, barred = stack.pop()
        nodes[0] += 1
        if nodes[0] > max_nodes:
            return None
        unhit = [difference & ~barred for difference in minimal if not difference & chosen]
        if not unhit:
            return chosen
        if chosen.bit_count() == size:
            continue
        branch = min(unhit, key=int.bit_count)
        while branch:
            point = branch & -branch
            stack.append((chosen | point, barred))
            barred |= point
            branch ^= point
    return None


def teaching_dimension(H: TableLike, *, max_nodes: int = _MAX_NODES) -> int:
    """Teaching dimension: points that suffice to teach any hypothesis of the class.

    The largest, over the hypotheses, of the least number of labelled points with which only that
    hypothesis agrees [Goldman and Kearns 1995]. -1 for the empty class, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.
    max_nodes
        The most partial sets to visit for each hypothesis.

    Raises
    ------
    BudgetExhausted
        More were needed for some hypothesis; carries the bounds that remain.

    Notes
    -----
    See `minimum_teaching_set` for the points themselves; `teaches` checks them.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> teaching_dimension(FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    3
    """
    H = as_table(H)
    lower = upper = -1
    failure: BudgetExhausted | None = None
    for hypothesis in range(len(H)):
        try:
            size = len(minimum_teaching_set(H, hypothesis, max_nodes=max_nodes))
            lower, upper = max(lower, size), max(upper, size)
        except BudgetExhausted as error:
            failure = error
            lower = max(lower, -1 if error.lower is None else error.lower)
            upper = max(upper, H.table.shape[1] if error.upper is None else error.upper)
    if failure is not None and lower < upper:
        raise BudgetExhausted(str(failure), lower, upper) from failure
    return lower


def _check_row(H: FiniteClass, hypothesis: int) -> None:
    if not 0 <= hypothesis < len(H):
        raise InvalidInput("hypothesis", str(hypothesis), f"a row index below {len(H)}")


# The recursive teaching dimension


@dataclass(frozen=True, slots=True)
class TeachingPlan:
    """An order of the hypotheses, each taught among those that are not yet taught.

    Attributes
    ----------
    steps
        A row and the columns of its teaching set, in the order of the plan.
    """

    steps: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def order(self) -> int:
        """The largest teaching set; -1 without a step."""
        return max((len(points) for _, points in self.steps), default=-1)

    def to_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {"steps": [[row, list(points)] for row, points in self.steps]}

    def teaches(self, H: TableLike) -> bool:
        """Check that it teaches each hypothesis once, so that no later one agrees with it there."""
        table = as_table(H).table
        rows = [row for row, _ in self.steps]
        if sorted(rows) != list(range(len(table))):
            return False
        for at, (row, points) in enumerate(self.steps):
            if not all(0 <= x < table.shape[1] for x in points):
                return False
            later = table[rows[at + 1 :]][:, list(points)]
            if (later == table[row, list(points)]).all(axis=1).any():
                return False
        return True


class RecursiveTeachingSearch(bounds.AnytimeSearch[TeachingPlan]):
    """Search for the recursive teaching dimension of a class that is not empty.

    It removes hypotheses with teaching sets of k points as long as there are any. Whether all go
    for a given k does not depend on the order, because fewer hypotheses are never harder to
    separate.

    Parameters
    ----------
    H
        The class.
    max_nodes
        The most partial sets to visit for each hypothesis and size.
    """

    def __init__(self, H: TableLike, max_nodes: int | None = None) -> None:
        self._table = as_table(H).table
        n, m = self._table.shape
        super().__init__(min(n - 1, 1), min(m, max(n - 1, 0)), None)
        self._most = max_nodes
        self._nodes = 0
        self._plan: tuple[tuple[int, tuple[int, ...]], ...] = ()
        self._peeling = bounds.Pieces(self._peeled)
        self._stuck = False

    @property
    def nodes(self) -> int:
        """Partial sets visited so far."""
        return self._nodes

    @property
    def witness(self) -> TeachingPlan | None:
        """A plan that attains the dimension, once it is known."""
        return TeachingPlan(self._plan) if self._plan else None

    def _undecided(self) -> bool:
        return not self._plan and (self._aim is None or super()._undecided())

    def _preparing(self) -> Iterator[None]:
        return iter(())

    def _advance(self) -> bool:
        self._peeling.advance()
        return not self._stuck

    def _peeled(self) -> Iterator[None]:
        k = self.lower
        left, steps = list(range(len(self._table))), list[tuple[int, tuple[int, ...]]]()
        while left:
            taught = []
            for at in range(len(left)):
                minimal = _differences(self._table[left], at)
                counted = [0]
                most = _MAX_NODES if self._most is None else self._most
                hit = _hitting(minimal, k, counted, most)
                self._nodes += counted[0]
                if counted[0] > most:
                    self._stuck = True
                    return
                if hit is not None:
                    taught.append((left[at], ones_of(hit)))
                yield
            if not taught:
                k = self.lower = k + 1
            gone = {row for row, _ in taught}
            left = [row for row in left if row not in gone]
            steps += taught
        self._plan = tuple(steps)
        self.upper = self.lower


def recursive_teaching(
    H: TableLike,
    *,
    time_limit: float | None = None,
    max_nodes: int | None = None,
    progress: bounds.ProgressCallback | None = None,
) -> bounds.Bounds[TeachingPlan]:
    """Recursive teaching dimension of a finite class, with a plan that attains it.

    The least k for which the hypotheses can be ordered so that each has a teaching set of at most k
    points among itself and those after it [Zilles, Lange, Holte and Zinkevich 2011; Doliwa, Fan,
    Simon and Zilles 2014].

    Parameters
    ----------
    H
        The class.
    time_limit
        Seconds; ``None`` for no limit.
    max_nodes
        The most partial sets to visit for each hypothesis and size; a million by default.
    progress
        Called about ten times a second.

    Returns
    -------
    Bounds[TeachingPlan]
        Exact, or certified bounds when a budget ended. -1 for the empty class, 0 for one
        hypothesis.

    Notes
    -----
    For each k it removes, in layers, the hypotheses that k points teach: the canonical plan. Each
    needs a hitting set of k points, which is exponential in k.

    Examples
    --------
    >>> from pac_stability.classes import subsets
    >>> found = recursive_teaching(subsets(4, 1))
    >>> found.value, found.witness.steps[-1], teaching_dimension(subsets(4, 1))
    (1, (0, ()), 4)
    """
    H = as_table(H)
    if max_nodes is not None and max_nodes < 1:
        raise InvalidInput("max_nodes", repr(max_nodes), "a positive number")
    if len(H) == 0:
        return bounds.Bounds(-1, -1, TeachingPlan(()))
    search = RecursiveTeachingSearch(H, max_nodes)
    return search.run(time_limit=time_limit, progress=progress)


def recursive_teaching_dimension(H: TableLike) -> int:
    """Recursive teaching dimension: -1 for the empty class, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.

    Raises
    ------
    BudgetExhausted
        A teaching set takes more than a million partial sets to decide; carries the bounds.

    Notes
    -----
    See `recursive_teaching` for limits, a plan, and the definition.

    Examples
    --------
    >>> from pac_stability.classes import cube, thresholds
    >>> recursive_teaching_dimension(cube(3)), recursive_teaching_dimension(thresholds(9))
    (3, 1)
    """
    return recursive_teaching(H).value
