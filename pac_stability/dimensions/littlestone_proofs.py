"""Refutations: what certifies an upper bound on the Littlestone dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pac_stability._report import Face, Reported
from pac_stability.classes import FiniteClass
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
    """A refutation in which nothing is shared: the reasons of one version space, with theirs.

    Attributes
    ----------
    sides
        For each refuted side its point (a column index), its label, and why its dimension is
        smaller. None where counting suffices.

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
        """How many version spaces it speaks of."""
        return 1 + sum(reason.size for _, _, reason in self.sides)


@dataclass(frozen=True, slots=True, repr=False)
class Refutation(Reported):
    """A proof that the Littlestone dimension of a class is below ``level``.

    Step 0 speaks of the whole class and every other step of the sides that refer to it. The claim
    of a step about ``V`` holds if ``V`` has fewer than ``2**level`` hypotheses, or if every point
    that leaves at least ``2**(level - 1)`` of them on both sides has a side inside one of the
    step's refuted sides: then no first question can have both answers worth ``level - 1`` more
    mistakes. (A point with a smaller side cannot either, and the dimension is monotone.)

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
    that form the same columns may stand at other points, or complemented: `unfolded` says where.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> singletons = FiniteClass(np.eye(4, dtype=np.uint8))
    >>> Refutation(2, (Step(2, ()),)).refutes(singletons)
    True
    """

    _face: ClassVar[str] = "pac_stability.dimensions.littlestone_proofs:refutation_face"

    level: int
    steps: tuple[Step, ...]

    def fault(self, H: FiniteClass) -> str | None:
        """Say in one line what is wrong with this proof; ``None`` if it stands.

        Notes
        -----
        Plain set arithmetic on the rows: no search, and no trust in fingerprints. A step takes
        its version space from its first reference; later references must have the same form.
        The cost is that of comparing every point with the refuted sides of every step.
        """
        if self.level < 0:
            return "no dimension is below -1"
        if len(H).bit_length() <= self.level:
            return None
        if not self.steps or self.steps[0].level > self.level:
            return "step 0 does not bound the class"
        table = H.table
        points = [_set_of(column) for column in table.T]
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

    def refutes(self, H: FiniteClass) -> bool:
        """Whether this proves that ``H`` has Littlestone dimension below ``level``; see `fault`."""
        return self.fault(H) is None

    def unfolded(self, H: FiniteClass, *, max_nodes: int = 100_000) -> RefutationTree:
        """Return this proof with the points of each version space itself, and nothing shared.

        Parameters
        ----------
        H
            The class that it is about.
        max_nodes
            The most version spaces to speak of: unfolding may repeat a step often.

        Raises
        ------
        InvalidInput
            It is no proof about this class, or a side that is shared names a column that does not
            count there (those that a search writes never do).
        BudgetExhausted
            There would be more version spaces.

        Notes
        -----
        Sound wherever it is read: a reader needs no forms, only sets of rows.

        Examples
        --------
        >>> from pac_stability.classes import singletons
        >>> from pac_stability.dimensions import refutation
        >>> H = singletons(5)
        >>> refutation(H).unfolded(H).size
        1
        """
        fault = self.fault(H)
        if fault is not None:
            raise InvalidInput("H", fault, "the class that this refutes")
        if not self.steps or len(H).bit_length() <= self.level:
            return RefutationTree(())
        table, points = H.table, [_set_of(column) for column in H.table.T]
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


def _set_of(column: npt.NDArray[np.uint8]) -> int:
    """Return the rows where a column is 1, as the bits of an integer."""
    return int.from_bytes(np.packbits(column, bitorder="little").tobytes(), "little")


def _rows(space: int, count: int) -> npt.NDArray[np.intp]:
    """Return the rows of a version space."""
    packed = space.to_bytes((count + 7) // 8, "little")
    return np.flatnonzero(np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little"))


def _form(table: npt.NDArray[np.uint8], space: int) -> _Form:
    """Return what of a version space decides its dimension (see `Refutation`)."""
    part = table[_rows(space, len(table))]
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
    part = table[_rows(space, len(table))]
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
