"""The star number, teaching sets, the teaching dimension and the recursive teaching dimension."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pac_stability._core.star import find_star
from pac_stability.classes import FiniteClass
from pac_stability.classes.bits import Table, ones_of, pack
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


@dataclass(slots=True)
class _StarQuestion:
    """Is there a star of so many points: how far the circle is turned, and where the kernel was."""

    place: npt.NDArray[np.int64]
    turned: int = 0


class _StarSearch(bounds.AnytimeSearch[Star]):
    """Stars of more points than the largest so far, and now and then of as many as may be."""

    def __init__(self, H: FiniteClass, max_nodes: int | None) -> None:
        n, m = H.table.shape
        self.H, self._table = H, H.table
        self._star = Star(0, (), ())
        super().__init__(0, min(n - 1, m), None)
        self._most = max_nodes
        self._nodes = self._pieces = 0
        self._step = [1, 1]  # how far below, and above, the next question lies
        self._questions: dict[int, _StarQuestion] = {}

    @property
    def nodes(self) -> int:
        """Sets of points visited so far."""
        return self._nodes

    @property
    def witness(self) -> Star:
        """The largest star so far."""
        return self._star.of(self.H)

    def _preparing(self) -> Iterator[None]:
        self._centers = np.zeros(len(self._table), dtype=np.uint8)
        self._centers[_centers(self._table)] = 1
        yield
        alike = self._table ^ self._table[0]  # a column and its complement are not both in a star
        _, first = np.unique(alike, axis=1, return_index=True)
        self._columns = np.sort(first[alike[:, first].any(axis=0)])
        self._rotated = -1, pack(self._table)
        self.upper = min(self.upper, len(self._columns))
        self._better(0, self._columns[:1])

    def _better(self, center: int, points: npt.NDArray[np.intp]) -> None:
        differ = self._table[:, points] ^ self._table[center, points]
        rows = np.flatnonzero(differ.sum(axis=1) == 1)  # as the definition has it
        owners = dict(zip(differ[rows].argmax(axis=1).tolist(), rows.tolist(), strict=True))
        star = Star(center, tuple(points.tolist()), tuple(owners[at] for at in range(len(points))))
        self._star, self.lower = star, len(points)

    def _advance(self) -> bool:
        self._pieces += 1
        above = self._pieces % _LOW == 0
        k = self.upper + 1 - self._step[1] if above else self.lower + self._step[0]
        k = min(max(k, self.lower + 1), self.upper)
        asked = self._questions.setdefault(k, _StarQuestion(np.zeros(k + 2, dtype=np.int64)))
        answer, work = 0, max(_AT_ONCE, 16 * self._table.size // 64)
        if self._most is not None:
            work = min(work, self._most - self._nodes)
        while answer == 0 and work > 0 and asked.turned < k - 1:
            answer, spent = self._ask(k, asked, work)
            work -= spent
        if answer == 0 and asked.turned == k - 1:
            self.upper = k - 1
        far = self._step[above]
        self._step[above] = max(1, far // 2) if work <= 0 else 2 * far
        return self._most is None or self._nodes < self._most

    def _ask(self, k: int, asked: _StarQuestion, work: int) -> tuple[int, int]:
        """Search on with one turn of the circle, see the kernel; tell how much work that was."""
        n, m = len(self._table), len(self._columns)
        width = -(-m // 256) * 256
        starts = [width - m + at * m // (k - 1) for at in range(2 * k - 1)]
        turned = starts[asked.turned] - starts[0]
        if self._rotated[0] != turned:
            rows = np.zeros((n + 1, width), dtype=np.uint8)
            rows[:n, width - m :] = np.roll(self._table[:, self._columns], -turned, axis=1)
            self._rotated = turned, pack(rows)
        limits = [starts[asked.turned + min(max(i, 1), k - 1)] - turned for i in range(k)]
        shared = max(1, min(k // 2, (n // 4).bit_length() - 1))
        asked.place[0] = max(asked.place[0], starts[0])
        answer, chosen, center, visited, spent = find_star(
            self._rotated[1], self._centers, np.array(limits), asked.place, shared, work
        )
        self._nodes += visited
        asked.turned += answer == 0
        if answer == 1:
            self._better(center, self._columns[(np.array(chosen) - starts[0] + turned) % m])
        return answer, spent


_LOW, _AT_ONCE = 4, 1 << 21
"""Of so many pieces one is about the upper bound; words of work in a piece."""


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
    It asks for stars of one point more than the largest so far, and of more while that succeeds; of
    four pieces one asks below the upper bound, so both bounds move. Sets of points grow around all
    hypotheses at once, see ``ext/README.md``; their number is exponential. Where moving the columns
    around the circle, or changing labels at some points, leaves the class as it is, one center of
    those that this takes to one another is enough. -1 for the empty class, 0 for one hypothesis.

    Random labels on 372 x 67 take 20 seconds when half of them are ones. Where a twentieth are,
    bounds remain: 54 to 61 after 15 seconds. Fewer points, or fewer hypotheses, narrow them.

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


def star_search(H: TableLike, max_nodes: int | None = None) -> bounds.AnytimeSearch[Star]:
    """Return the search for the star number, which can be run again."""
    H = as_table(H)
    if max_nodes is not None and max_nodes < 1:
        raise InvalidInput("max_nodes", repr(max_nodes), "a positive number")
    return _StarSearch(H, max_nodes)


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
