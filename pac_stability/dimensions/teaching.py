"""Teaching sets and the teaching dimension of a small finite class."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pac_stability.classes import FiniteClass
from pac_stability.errors import BudgetExhausted, InvalidInput

_MAX_NODES = 1_000_000


def teaches(H: FiniteClass, hypothesis: int, points: Iterable[int]) -> bool:
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
    _check_row(H, hypothesis)
    columns = list(points)
    for x in columns:
        if not 0 <= x < H.table.shape[1]:
            raise InvalidInput("points", str(x), f"column indices below {H.table.shape[1]}")
    agree = (H.table[:, columns] == H.table[hypothesis, columns]).all(axis=1)
    return int(np.count_nonzero(agree)) == 1


def minimum_teaching_set(
    H: FiniteClass, hypothesis: int, *, max_nodes: int = _MAX_NODES
) -> tuple[int, ...]:
    """Fewest points whose labels single out a hypothesis.

    Parameters
    ----------
    H
        The class.
    hypothesis
        Row index.
    max_nodes
        Partial sets that may be looked at.

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
    classes. Sizes are tried upwards; some point of the smallest difference not yet hit must be in
    the set.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> [minimum_teaching_set(H, h) for h in range(3)]
    [(1,), (0, 1), (0,)]
    """
    _check_row(H, hypothesis)
    if max_nodes < 1:
        raise InvalidInput("max_nodes", repr(max_nodes), "a positive number")
    packed = np.packbits(H.table ^ H.table[hypothesis], axis=1, bitorder="little")
    differences = {int.from_bytes(row.tobytes(), "little") for row in packed} - {0}
    # A difference that contains another is hit whenever that one is.
    minimal: list[int] = []
    for difference in sorted(differences, key=int.bit_count):
        if all(difference & small != small for small in minimal):
            minimal.append(difference)
    nodes = 0
    for size in range(len(minimal) + 1):
        # Entries: points chosen, points no longer to be chosen.
        stack = [(0, 0)]
        while stack:
            chosen, barred = stack.pop()
            nodes += 1
            if nodes > max_nodes:
                raise BudgetExhausted(
                    f"teaching set: more than {max_nodes} sets of points; allow more",
                    size,
                    min(len(minimal), H.table.shape[1]),
                )
            unhit = [difference & ~barred for difference in minimal if not difference & chosen]
            if not unhit:
                return tuple(x for x in range(H.table.shape[1]) if chosen >> x & 1)
            if chosen.bit_count() == size:
                continue
            branch = min(unhit, key=int.bit_count)
            while branch:
                point = branch & -branch
                stack.append((chosen | point, barred))
                barred |= point
                branch ^= point
    raise RuntimeError("distinct hypotheses have a teaching set")  # pragma: no cover


def teaching_dimension(H: FiniteClass, *, max_nodes: int = _MAX_NODES) -> int:
    """Teaching dimension: points that suffice to teach any hypothesis of the class.

    The largest, over the hypotheses, of the least number of labelled points with which only that
    hypothesis agrees [Goldman and Kearns 1995]. -1 for the empty class, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.
    max_nodes
        Partial sets that may be looked at for each hypothesis.

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
