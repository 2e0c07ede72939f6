"""The Littlestone dimension of a finite class, exactly, with certificates and under a budget.

A shattered tree proves the lower bound. A refutation, which comes first here and is checked against
the table alone, proves the upper bound.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pac_stability._core.littlestone import LittlestoneSolver
from pac_stability._report import Face, Reported
from pac_stability.classes import FiniteClass, ImplicitClass, bits
from pac_stability.classes.family import Family, TableLike, as_table, known_value
from pac_stability.dimensions.bounds import UNPREPARED, Bounds, ProgressCallback, SearchProgress
from pac_stability.dimensions.trees import Leaf, MistakeTree, Node
from pac_stability.errors import BudgetExhausted, InvalidInput


@dataclass(frozen=True, slots=True)
class RefutedSide:
    """The hypotheses of a version space with this label at this point, and the step against them.

    Attributes
    ----------
    point
        Column index.
    label
        0 or 1.
    step
        Index of the step that refutes this side.
    """

    point: int
    label: int
    step: int


@dataclass(frozen=True, slots=True)
class Step:
    """The claim that a version space has Littlestone dimension below ``level``, and the reasons.

    Attributes
    ----------
    level
        The bound claimed.
    sides
        Sides of the version space that have dimension below ``level - 1``.
    """

    level: int
    sides: tuple[RefutedSide, ...]


@dataclass(frozen=True, slots=True)
class RefutationTree:
    """A refutation as a tree without shared steps: a version space and its refuted sides.

    Attributes
    ----------
    sides
        For each refuted side its point (a column index), its label, and the tree that refutes it.
        None where counting suffices.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.dimensions import refutation
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])
    >>> refutation(H).unfolded(H)  # four hypotheses are fewer than 2**3
    RefutationTree(sides=())
    """

    sides: tuple[tuple[int, int, RefutationTree], ...]

    @property
    def size(self) -> int:
        """The number of version spaces in it."""
        return 1 + sum(reason.size for _, _, reason in self.sides)


@dataclass(frozen=True, slots=True, repr=False)
class Refutation(Reported):
    """A proof that the Littlestone dimension of a class is below ``level``.

    Step 0 is about the whole class, every other step about the sides that refer to it. The claim of
    a step about ``V`` holds if ``V`` has fewer than ``2**level`` hypotheses, or if every point that
    leaves at least ``2**(level - 1)`` of them on both sides has a side inside one of the step's
    refuted sides: then no first question allows ``level - 1`` more mistakes after both answers.
    (Nor does a point with a smaller side, and the dimension is monotone.)

    Attributes
    ----------
    level
        The bound: the dimension is at most ``level - 1``.
    steps
        The steps; none when the class has fewer than ``2**level`` hypotheses.

    Notes
    -----
    Different version spaces may share a step if their *forms* agree: the number ``n`` of
    hypotheses and the set of columns, restricted to ``V`` in the order of the rows, without
    those that have fewer than two hypotheses on a side, each complemented if it starts with 1.
    For ``k >= 1`` the form of ``V`` decides whether Ldim(V) >= k. For ``k = 1`` this is ``n >= 2``,
    because rows are distinct. For ``k >= 2`` both sides of the first question must have
    dimension at least 1, hence two hypotheses, so the question is one of the columns that were
    kept; complementing it only swaps the sides, and equal columns have equal sides. A column
    dropped on ``V`` is dropped on every subset of ``V``, so the form of a side is determined by
    the form of ``V``, and induction on ``k`` finishes the proof.

    The sides of a step name points of the space of its *first* reference. On another space with
    that form the same columns may belong to other points, or be complemented: `unfolded` says
    where.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> singletons = FiniteClass(np.eye(4, dtype=np.uint8))
    >>> Refutation(2, (Step(2, ()),)).refutes(singletons)
    True
    """

    _face: ClassVar[str] = "pac_stability.dimensions.littlestone_search:refutation_face"

    level: int
    steps: tuple[Step, ...]

    def fault(self, H: TableLike) -> str | None:
        """Say in one line what is wrong with this proof; ``None`` if it stands.

        Notes
        -----
        The check is plain set arithmetic on the rows, without a search and without fingerprints. A
        step takes its version space from its first reference; later references must have the same
        form. It compares every point with the refuted sides of every step.
        """
        H = as_table(H)
        if self.level < 0:
            return "no dimension is below -1"
        if len(H).bit_length() <= self.level:
            return None
        if not self.steps or self.steps[0].level > self.level:
            return "step 0 does not bound the class"
        table = H.table
        points = bits.columns_of(table)
        spaces: dict[int, int] = {0: (1 << len(H)) - 1}
        forms: dict[int, _Form] = {}
        for index, step in enumerate(self.steps):
            if index not in spaces:
                return f"nothing before step {index} refers to it"
            space = spaces[index]
            if space and step.level < 1:
                return f"step {index}: some hypothesis is left"
            refuted: set[int] = set()
            for side in step.sides:
                where = f"step {index}, point {side.point}"
                if not (0 <= side.point < len(points) and side.label in (0, 1)):
                    return f"{where}: no such side"
                if not 0 <= side.step < len(self.steps):
                    return f"{where}: there is no step {side.step}"
                if self.steps[side.step].level > step.level - 1:
                    return f"{where}: step {side.step} proves too little"
                column = points[side.point]
                part = space & column if side.label else space & ~column
                known = spaces.setdefault(side.step, part)
                if known != part:
                    if side.step not in forms:
                        forms[side.step] = _form(table, known)
                    if _form(table, part) != forms[side.step]:
                        return f"{where}: this side does not look like that of step {side.step}"
                refuted.add(part)
            open_point = _open_point(points, space, step.level, refuted)
            if open_point is not None:
                return f"step {index}: no side of point {open_point} is refuted"
        return None

    def refutes(self, H: TableLike) -> bool:
        """Whether this proves that ``H`` has Littlestone dimension below ``level``; see `fault`."""
        return self.fault(H) is None

    def unfolded(self, H: TableLike, *, max_nodes: int = 100_000) -> RefutationTree:
        """Return this proof unfolded into a tree, each version space with its own points.

        Parameters
        ----------
        H
            The class that it is about.
        max_nodes
            The most version spaces to list: unfolding may repeat a step often.

        Raises
        ------
        InvalidInput
            It does not prove this about the class, or a shared side names a column that its form
            drops (a search never writes such a proof).
        BudgetExhausted
            There would be more version spaces.

        Notes
        -----
        The result can be checked with sets of rows alone; a reader needs no forms.

        Examples
        --------
        >>> from pac_stability.classes import singletons
        >>> from pac_stability.dimensions import refutation
        >>> H = singletons(5)
        >>> refutation(H).unfolded(H).size
        1
        """
        H = as_table(H)
        fault = self.fault(H)
        if fault is not None:
            raise InvalidInput("H", fault, "the class that this refutes")
        if not self.steps or len(H).bit_length() <= self.level:
            return RefutationTree(())
        table, points = H.table, bits.columns_of(H.table)
        homes = _homes(self.steps, points, (1 << len(H)) - 1)
        left = max_nodes

        def unfold(space: int, index: int) -> RefutationTree:
            nonlocal left
            left -= 1
            if left < 0:
                about = f"more than {max_nodes} version spaces in a refutation that is unfolded"
                raise BudgetExhausted(about, upper=self.level - 1)
            step = self.steps[index]
            if space.bit_count().bit_length() <= step.level:
                return RefutationTree(())
            named = {(side.point, side.label): side for side in step.sides}
            if space != homes[index]:
                there, here = _columns(table, homes[index]), _columns(table, space)
                at = {column: (point, flip) for point, (column, flip) in reversed(here.items())}
                named = {
                    (at[column][0], side.label ^ flip ^ at[column][1]): side
                    for side in step.sides
                    for column, flip in (there[side.point],)
                    if column in at
                }
            parts = {
                (point, label): space & points[point] if label else space & ~points[point]
                for point, label in named
            }
            if _open_point(points, space, step.level, {*parts.values()}) is not None:
                where = f"step {index}, which names a column that another space does not have"
                raise InvalidInput("refutation", where, "one whose shared sides count everywhere")
            return RefutationTree(
                tuple((*key, unfold(parts[key], side.step)) for key, side in named.items())
            )

        return unfold((1 << len(H)) - 1, 0)

    def to_dict(self) -> dict[str, object]:
        """Write lists and numbers that JSON can hold; `from_dict` reads them back."""
        return {
            "level": self.level,
            "steps": [
                [step.level, [[side.point, side.label, side.step] for side in step.sides]]
                for step in self.steps
            ],
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, object]) -> Refutation:
        """Read what `to_dict` wrote.

        Raises
        ------
        InvalidInput
            The form is not that of a refutation; the message names the place.
        """
        if set(form) != {"level", "steps"}:
            raise InvalidInput("refutation", repr(form)[:60], "an object with level and steps")
        steps = []
        for index, entry in enumerate(_list(form["steps"], "refutation.steps")):
            place = f"refutation.steps[{index}]"
            level, sides = _list(entry, place, 2)
            triples = [_list(side, f"{place} sides", 3) for side in _list(sides, f"{place} sides")]
            steps.append(
                Step(
                    _number(level, f"{place} level"),
                    tuple(
                        RefutedSide(*(_number(part, f"{place} sides") for part in triple))
                        for triple in triples
                    ),
                )
            )
        return cls(_number(form["level"], "refutation.level"), tuple(steps))


_Form = tuple[int, frozenset[bytes]]


def _form(table: npt.NDArray[np.uint8], space: int) -> _Form:
    """Return what of a version space decides its dimension (see `Refutation`)."""
    part = table[bits.places_of(space)]
    ones = part.sum(axis=0, dtype=np.int64)
    kept = part[:, (ones >= 2) & (len(part) - ones >= 2)]
    return len(part), frozenset(
        column.tobytes() for column in np.packbits(kept ^ kept[:1], axis=0).T
    )


def _homes(steps: Sequence[Step], points: list[int], whole: int) -> dict[int, int]:
    """Return for each step of a proof that stands the space of its first reference."""
    homes = {0: whole}
    for index, step in enumerate(steps):
        space = homes[index]
        for side in step.sides:
            column = points[side.point]
            homes.setdefault(side.step, space & column if side.label else space & ~column)
    return homes


def _columns(table: npt.NDArray[np.uint8], space: int) -> dict[int, tuple[bytes, int]]:
    """Return each column of a version space, complemented if it starts with 1, and whether."""
    part = table[bits.places_of(space)]
    flips = part[0].tolist()
    plain = np.packbits(part ^ part[:1], axis=0).T
    return {x: (plain[x].tobytes(), flip) for x, flip in enumerate(flips)}


def _open_point(points: list[int], space: int, level: int, refuted: set[int]) -> int | None:
    """Find a point that could be the first question of a shattered tree of depth ``level``."""
    size = space.bit_count()
    # Not size < 2**level: a certificate from elsewhere may name an enormous level.
    if size.bit_length() <= level:
        return None
    for index, column in enumerate(points):
        one = space & column
        zero = space ^ one
        ones = one.bit_count()
        if min(ones, size - ones) < 2 ** (level - 1) or one in refuted or zero in refuted:
            continue
        if not any(one & part == one or zero & part == zero for part in refuted):
            return index
    return None


def _list(value: object, place: str, length: int | None = None) -> Sequence[object]:
    if not isinstance(value, (list, tuple)) or length not in (None, len(value)):
        wanted = "a list" if length is None else f"a list of {length}"
        raise InvalidInput(place, repr(value)[:60], wanted)
    return value


def _number(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInput(place, repr(value)[:60], "a whole number, 0 or more")
    return value


def refutation_face(refutation: Refutation) -> Face:
    """Return in two lines what a refutation proves, and how."""
    steps = len(refutation.steps)
    told = (
        f"no tree of depth {refutation.level} is shattered: the Littlestone dimension is at most "
        f"{refutation.level - 1}\n"
    )
    how = (
        f"{steps:,} step{'s' * (steps != 1)} about version spaces; refutes(H) checks them\n"
        if steps
        else f"because there are fewer than {2**refutation.level:,} hypotheses\n"
    )
    return Face(lambda: told + how)


# The search

_NO_LIMIT = 2**62
_MOMENT = 0.001  # seconds


@dataclass(frozen=True, repr=False)
class LittlestoneBounds(Bounds[MistakeTree]):
    """Certified bounds on the Littlestone dimension, with a shattered tree of depth ``lower``."""

    @property
    def tree(self) -> MistakeTree | None:
        """The shattered tree; ``None`` only for the empty class."""
        return self.witness


class LittlestoneSearch:
    """A search for the Littlestone dimension that can be stopped and resumed.

    Parameters
    ----------
    H
        The class.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. The limit does not count
        copies of the table in Python, nor certificates.

    Attributes
    ----------
    H
        The class.

    Notes
    -----
    Exponential in the worst case; the search decides "Ldim >= k" for growing k over reduced
    matrices. Once that takes long, it also tries k far above, so that both bounds converge. `run`,
    `dimension_of` and `refutation` share and keep its results. It finds table entries by 128-bit
    fingerprints: among q entries, two collide with probability about q^2 / 2^129. The certificates
    do not depend on them.

    When memory runs short it replaces table entries, which costs time but not correctness. Only one
    thread may use a search at a time; two searches in two threads use two cores.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> search = LittlestoneSearch(FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]]))
    >>> search.run().value
    2
    >>> search.dimension_of([0, 3])
    1
    """

    def __init__(self, H: TableLike, max_memory: int | None = None) -> None:
        H = as_table(H)
        if max_memory is not None and max_memory < 1:
            raise InvalidInput("max_memory", repr(max_memory), "a positive number of bytes")
        self.H = H
        self._max_memory = max_memory
        self._solver: LittlestoneSolver | None = None
        self._unpacking: Iterator[None] | None = None
        self._seconds = 0.0

    @property
    def solver(self) -> LittlestoneSolver:
        """The compiled search, shared by all that need dimensions of version spaces of ``H``.

        The first access sets it up and reads the whole table.

        Raises
        ------
        BudgetExhausted
            ``max_memory`` cannot even hold the class; carries the trivial bounds.
        """
        if self._solver is None:
            self._solver = new_solver(self.H, self._max_memory)
        return self._solver

    @property
    def lower(self) -> int:
        """Certified lower bound so far; at first the one from the number of hypotheses."""
        return min(len(self.H), 2) - 1 if self._solver is None else self._solver.lower

    @property
    def upper(self) -> int:
        """Certified upper bound so far; at first the one from the number of hypotheses."""
        return len(self.H).bit_length() - 1 if self._solver is None else self._solver.upper

    @property
    def nodes(self) -> int:
        """Sub-problems visited so far."""
        return 0 if self._solver is None else self._solver.nodes

    def run(
        self,
        *,
        time_limit: float | None = None,
        progress: ProgressCallback | None = None,
        aim: int | None = None,
    ) -> LittlestoneBounds:
        """Search until the dimension is known or the budget ends; call again to go on.

        Parameters
        ----------
        time_limit
            Seconds for this call, checked about every 10 ms. They include preparing the table, but
            not writing the witness. ``None`` for no limit.
        progress
            Called after every level and about ten times a second. An exception from it ends the
            run.
        aim
            Only decide whether the dimension is at least this; ``None`` to find it.

        Returns
        -------
        LittlestoneBounds
            The bounds and a tree that attains the lower one.

        Raises
        ------
        BudgetExhausted
            ``max_memory`` does not hold the class, or the tree; carries the bounds.
        KeyboardInterrupt
            On Ctrl-C; the search can be run again.
        """
        self.advance(time_limit=time_limit, progress=progress, aim=aim)
        return self._bounds(self.tree(), aim)

    def _undecided(self, aim: int | None) -> bool:
        return self.lower < self.upper if aim is None else self.lower < aim <= self.upper

    def _bounds(self, tree: MistakeTree | None = None, aim: int | None = None) -> LittlestoneBounds:
        """Report what is certified so far, with a tree if one is given."""
        note = UNPREPARED if self._solver is None and self._undecided(aim) else ""
        return LittlestoneBounds(self.lower, self.upper, tree, self.nodes, self._seconds, note)

    def advance(
        self,
        *,
        time_limit: float | None = None,
        progress: ProgressCallback | None = None,
        aim: int | None = None,
    ) -> None:
        """Do the same as `run` without writing a tree; then read `lower` and `upper`."""
        if time_limit is not None and not time_limit > 0:
            raise InvalidInput("time_limit", repr(time_limit), "a positive number of seconds")
        if not self._undecided(aim):
            return
        spent = self._seconds
        if self._solver is None and not self._set_up(time_limit):
            return
        before = self._seconds

        def report(lower: int, upper: int, nodes: int, seconds: float) -> None:
            self._seconds = before + seconds
            if progress is not None:
                progress(SearchProgress(lower, upper, nodes, self._seconds))

        # At least a moment, as the table is ready; what comes of it is certified.
        left = 0.0 if time_limit is None else max(time_limit - (self._seconds - spent), _MOMENT)
        self.solver.run(left, report, aim or 0)

    def _set_up(self, time_limit: float | None) -> bool:
        """Start the compiled search, unless the time is over before."""
        begun, spent = perf_counter(), self._seconds
        limit = math.inf if time_limit is None else time_limit
        if self._unpacking is None:
            self._unpacking = self.H.table_in_pieces()
        try:
            for _ in self._unpacking:
                if perf_counter() - begun >= limit:
                    return False
            self._unpacking = None
            left = 0.0 if time_limit is None else limit - (perf_counter() - begun)
            if left < 0:
                return False
            self._solver = new_solver(self.H, self._max_memory, left)
        except TimeoutError:
            return False
        finally:
            self._seconds = spent + perf_counter() - begun
        return True

    def tree(self) -> MistakeTree | None:
        """Write a shattered tree of depth `lower`; ``None`` for the empty class.

        Raises
        ------
        BudgetExhausted
            There is not enough memory left to write the tree; carries the bounds.
        """
        if self.lower < 0:
            return None
        if self._solver is None and self.lower <= 1:
            return _shallow_tree(self.H).of(self.H)
        points = np.empty(2**self.lower - 1, dtype=np.int64)
        leaves = np.empty(2**self.lower, dtype=np.int64)
        try:
            self.solver.tree(self.lower, points, leaves)
        except MemoryError as error:
            raise self._exhausted("writing the tree needs more memory") from error
        level: list[Node | Leaf] = [Leaf(row) for row in leaves.tolist()]
        asked: list[int] = points.tolist()
        while asked:
            first = len(level) // 2 - 1
            level = [
                Node(point, zero, one)
                for point, zero, one in zip(asked[first:], level[::2], level[1::2], strict=True)
            ]
            del asked[first:]
        return MistakeTree(level[0]).of(self.H)

    def dimension_of(self, rows: Iterable[int]) -> int:
        """Littlestone dimension of some of the hypotheses, exactly.

        Parameters
        ----------
        rows
            Row indices of ``H``.

        Returns
        -------
        int
            The dimension, -1 for no rows.

        Raises
        ------
        BudgetExhausted
            ``max_memory`` is too small for this question.
        """
        chosen = self._chosen(rows)
        try:
            return self.solver.dimension_of(chosen)
        except MemoryError as error:
            raise BudgetExhausted(str(error)) from error

    def reaches(self, rows: Iterable[int], k: int) -> bool:
        """Decide whether some of the hypotheses have a dimension of at least ``k``.

        Raises
        ------
        BudgetExhausted
            ``max_memory`` is too small for this question.
        """
        chosen = self._chosen(rows)
        try:
            return self.solver.reaches(chosen, k)
        except MemoryError as error:
            raise BudgetExhausted(str(error)) from error

    def _chosen(self, rows: Iterable[int]) -> npt.NDArray[np.int64]:
        """Check row indices."""
        try:
            if isinstance(rows, np.ndarray) and rows.dtype == np.int64:
                chosen = rows
            else:
                chosen = np.array([operator.index(row) for row in rows], dtype=np.int64)
        except (TypeError, OverflowError) as error:
            raise InvalidInput("rows", str(error), "row indices") from error
        if chosen.size and not (chosen.min() >= 0 and chosen.max() < len(self.H)):
            raise InvalidInput("rows", "an index outside the class", f"0..{len(self.H) - 1}")
        return chosen

    def refutation(self, k: int | None = None, max_steps: int = 1_000_000) -> Refutation:
        """Prove that the dimension is below ``k``.

        Parameters
        ----------
        k
            The bound to prove; by default the least one that holds, which finishes the search.
        max_steps
            The most steps of the proof.

        Raises
        ------
        InvalidInput
            The dimension is ``k`` or more.
        BudgetExhausted
            The proof is longer than ``max_steps``, or needs more memory.
        """
        if max_steps < 1:
            raise InvalidInput("max_steps", repr(max_steps), "a positive number")
        if len(self.H) and (k is None or k <= self.upper):
            self.advance()
        if k is None:
            k = self.lower + 1
        if k <= self.lower:
            raise InvalidInput(
                "k", str(k), f"more than the dimension, which is at least {self.lower}"
            )
        if k >= len(self.H).bit_length():
            return Refutation(k, ())
        if self.upper >= k:
            raise self._exhausted("the search did not finish")
        try:
            levels, reasons = self.solver.refute(k, max_steps)
        except (OverflowError, MemoryError) as error:
            raise self._exhausted(f"no refutation within the limits: {error}") from error
        bounds: list[int] = np.frombuffer(levels, np.uint32).tolist()
        sides: list[list[RefutedSide]] = [[] for _ in bounds]
        for step, point, label, child in np.frombuffer(reasons, np.uint32).reshape(-1, 4).tolist():
            sides[step].append(RefutedSide(point, label, child))
        return Refutation(
            k, tuple(Step(bound, tuple(some)) for bound, some in zip(bounds, sides, strict=True))
        )

    def _exhausted(self, message: str) -> BudgetExhausted:
        return BudgetExhausted(message, self.lower, self.upper)


def _shallow_tree(H: FiniteClass) -> MistakeTree:
    """Tell the first two hypotheses apart, or name the only one."""
    if len(H) == 1:
        return MistakeTree(Leaf(0))
    point = bits.first_difference(H.packed[0], H.packed[1])
    label = int(H.packed[0, point // 64] >> np.uint64(point % 64)) & 1
    return MistakeTree(Node(point, Leaf(label), Leaf(1 - label)))


def new_solver(
    H: FiniteClass, max_memory: int | None, time_limit: float = 0.0
) -> LittlestoneSolver:
    """Start the compiled search on a class.

    `BudgetExhausted` if the class does not fit, `TimeoutError` if that takes longer than a limit
    above 0.
    """
    if max_memory is not None and max_memory < 1:
        raise InvalidInput("max_memory", repr(max_memory), "a positive number of bytes")
    limit = _NO_LIMIT if max_memory is None else min(max_memory, _NO_LIMIT)
    try:
        return LittlestoneSolver(H.table, limit, time_limit)
    except MemoryError as error:
        size = len(H)
        raise BudgetExhausted(str(error), min(size, 2) - 1, size.bit_length() - 1) from error


def littlestone(
    H: TableLike,
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
    progress: ProgressCallback | None = None,
) -> LittlestoneBounds:
    """Littlestone dimension of a finite class, with a shattered tree.

    Ldim(H) is the largest depth of a complete mistake tree that the class shatters, equivalently
    the number of mistakes that the best deterministic learner makes in the worst case
    [BLM20, Section II; Littlestone 1988]. Conventions: -1 for the empty class, 0 for one
    hypothesis, 1 for {all-0, all-1}.

    Parameters
    ----------
    H
        The class.
    time_limit
        Seconds, checked about every 10 ms. They include preparing the table, but not writing the
        witness. ``None`` for no limit.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. The limit does not count
        copies of the table in Python, nor certificates.
    progress
        Called after every level and about ten times a second.

    Returns
    -------
    LittlestoneBounds
        Exact, or certified bounds when the budget ended.

    Raises
    ------
    BudgetExhausted
        ``max_memory`` cannot hold the class, or the tree; carries the bounds.

    Notes
    -----
    Random tables in which a quarter of the labels are 1 are the hardest: 8,192 x 512 takes a second
    or less, and 16,384 x 1,024 leaves bounds such as [10, 12]. `at_least` decides one value with
    less work. Structured classes and tables of half ones take time in proportion to their cells.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(7)] for j in range(8)])
    >>> bounds = littlestone(thresholds)
    >>> bounds.value, bounds.tree.is_shattered_by(thresholds)
    (3, True)
    """
    return LittlestoneSearch(H, max_memory).run(time_limit=time_limit, progress=progress)


def littlestone_dimension(H: TableLike | Family | ImplicitClass) -> int:
    """Littlestone dimension of a class: -1 if empty, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class: a table, or one that has a closed form.

    Notes
    -----
    It writes no tree; see `littlestone` for one, for a budget, and for the conventions.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> littlestone_dimension(FiniteClass([[0, 0], [1, 1]]))
    1
    """
    known = known_value(H, "littlestone")
    if known is not None:
        return known
    if isinstance(H, ImplicitClass):
        return H.dimension(H.whole)
    search = LittlestoneSearch(as_table(H))
    search.advance()
    return search._bounds().value


def shattered_tree(H: TableLike) -> MistakeTree:
    """Return a complete mistake tree of depth Ldim(H) that the class shatters.

    Parameters
    ----------
    H
        The class, not empty.

    Raises
    ------
    InvalidInput
        The class is empty.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> shattered_tree(FiniteClass([[0, 0], [1, 1]]))
    <MistakeTree: depth 1, 2 leaves>
    """
    bounds = littlestone(H)
    if bounds.tree is None:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
    _ = bounds.value  # raises if the machine ran out of memory
    return bounds.tree


def refutation(H: TableLike, k: int | None = None, max_steps: int = 1_000_000) -> Refutation:
    """Prove that Ldim(H) < k, in a form that can be checked without a search.

    Parameters
    ----------
    H
        The class.
    k
        The bound to prove; by default Ldim(H) + 1.
    max_steps
        The most steps of the proof.

    Raises
    ------
    InvalidInput
        The dimension is ``k`` or more.
    BudgetExhausted
        The proof is longer than ``max_steps``.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> singletons = FiniteClass(np.eye(9, dtype=np.uint8))
    >>> proof = refutation(singletons)
    >>> proof.level, proof.refutes(singletons)
    (2, True)
    """
    return LittlestoneSearch(H).refutation(k, max_steps)
