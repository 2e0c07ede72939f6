"""The Littlestone dimension of a finite class, exactly, with certificates and under a budget."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import index
from time import perf_counter

import numpy as np
import numpy.typing as npt

from pac_stability._core.littlestone import LittlestoneSolver
from pac_stability.classes import FiniteClass, ImplicitClass, bits
from pac_stability.dimensions.bounds import UNPREPARED, Bounds, ProgressCallback, SearchProgress
from pac_stability.dimensions.littlestone_proofs import Refutation, RefutedSide, Step
from pac_stability.dimensions.trees import Leaf, MistakeTree, Node
from pac_stability.errors import BudgetExhausted, InvalidInput

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
    """A search for the Littlestone dimension that can be stopped and taken up again.

    Parameters
    ----------
    H
        The class.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. Not counted: copies of
        the table made in Python, and certificates.

    Attributes
    ----------
    H
        The class.

    Notes
    -----
    Exponential in the worst case; the search decides "Ldim >= k" for growing k over reduced
    matrices, and once that takes long also for k far above, so that both bounds close. It keeps
    what it learns, also across `run`, `dimension_of` and `refutation`. Table
    entries are found by 128-bit fingerprints: with q entries, two of them collide with
    probability about q^2 / 2^129. The certificates do not depend on them.

    When memory runs short, table entries are replaced, which costs time but not correctness.
    One search serves one thread at a time; two searches in two threads use two cores.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> search = LittlestoneSearch(FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]]))
    >>> search.run().value
    2
    >>> search.dimension_of([0, 3])
    1
    """

    def __init__(self, H: FiniteClass, max_memory: int | None = None) -> None:
        if max_memory is not None and max_memory < 1:
            raise InvalidInput("max_memory", repr(max_memory), "a positive number of bytes")
        self.H = H
        self._max_memory = max_memory
        self._solver: LittlestoneSolver | None = None
        self._unpacking: Iterator[None] | None = None
        self._seconds = 0.0

    @property
    def solver(self) -> LittlestoneSolver:
        """The compiled search, shared with whatever else asks about version spaces of ``H``.

        It is set up when it is first asked for, which reads the whole table.

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
        """Certified lower bound so far; at first, what the number of hypotheses gives."""
        return min(len(self.H), 2) - 1 if self._solver is None else self._solver.lower

    @property
    def upper(self) -> int:
        """Certified upper bound so far; at first, what the number of hypotheses gives."""
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
            Seconds for this call, looked at about every 10 ms; preparing the table is charged,
            writing the witness comes on top. ``None`` for no limit.
        progress
            Called after every level and about ten times a second. What it raises ends the run.
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
        """Do what `run` does, without writing a tree: afterwards ask for `lower` and `upper`."""
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
            Not enough memory is left to write the tree; carries the bounds.
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
                chosen = np.array([index(row) for row in rows], dtype=np.int64)
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
            Steps that the proof may have.

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
    H: FiniteClass,
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
        Seconds, looked at about every 10 ms; preparing the table is charged, writing the witness
        comes on top. ``None`` for no limit.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. Not counted: copies of
        the table made in Python, and certificates.
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

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(7)] for j in range(8)])
    >>> bounds = littlestone(thresholds)
    >>> bounds.value, bounds.tree.is_shattered_by(thresholds)
    (3, True)
    """
    return LittlestoneSearch(H, max_memory).run(time_limit=time_limit, progress=progress)


def littlestone_dimension(H: FiniteClass | ImplicitClass) -> int:
    """Littlestone dimension of a class: -1 if empty, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class: a table, or one that has a closed form.

    Notes
    -----
    No tree is written; see `littlestone` for one, for a budget, and for the conventions.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> littlestone_dimension(FiniteClass([[0, 0], [1, 1]]))
    1
    """
    if isinstance(H, ImplicitClass):
        return H.dimension(H.whole)
    search = LittlestoneSearch(H)
    search.advance()
    return search._bounds().value


def shattered_tree(H: FiniteClass) -> MistakeTree:
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


def refutation(H: FiniteClass, k: int | None = None, max_steps: int = 1_000_000) -> Refutation:
    """Prove that Ldim(H) < k, in a form that can be checked without a search.

    Parameters
    ----------
    H
        The class.
    k
        The bound to prove; by default Ldim(H) + 1.
    max_steps
        Steps that the proof may have.

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
