"""The growth function of a finite class with the Sauer-Shelah bound on it, and alpha-nets.

The star number, teaching sets and the teaching dimension of a small finite class.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm
from time import monotonic

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.classes import FiniteClass
from pac_stability.classes.family import TableLike, as_table
from pac_stability.dimensions.bounds import Bounds, TableWitness
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
        Sets of points that may be looked at.

    Raises
    ------
    BudgetExhausted
        More sets were needed; carries the bounds reached.

    Notes
    -----
    Enumerates sets point by point, refining the partition of H, and leaves a set when even doubling
    with every further point could not beat the best: at most C(|X|, m) sets of ``O(|H|)`` each.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(5)] for j in range(6)])
    >>> [growth_function(thresholds, m) for m in range(7)]
    [1, 2, 3, 4, 5, 6, 6]
    """
    H = as_table(H)
    if m < 0:
        raise InvalidInput("m", str(m), "a non-negative integer")
    if max_nodes < 1:
        raise InvalidInput("max_nodes", str(max_nodes), "a positive number")
    if len(H) == 0:
        return 0
    columns = H.table.T.astype(np.int64)
    m = min(m, len(columns))
    most = min(len(H), 2**m)
    best = nodes = 1
    # Entries: size of the set, next column, patterns, the pattern of each hypothesis.
    stack: list[tuple[int, int, int, npt.NDArray[np.int64]]] = [
        (0, 0, 1, np.zeros(len(H), dtype=np.int64))
    ]
    while stack and best < most:
        size, column, patterns, labels = stack.pop()
        best = max(best, patterns)
        missing = m - size
        if missing > len(columns) - column or min(len(H), patterns << missing) <= best:
            continue
        if nodes >= max_nodes:
            raise BudgetExhausted(
                f"growth function: more than {max_nodes} sets of points; allow more", best, most
            )
        nodes += 1
        if missing < len(columns) - column:
            stack.append((size, column + 1, patterns, labels))
        split = 2 * labels + columns[column]
        present = np.zeros(2 * patterns, dtype=np.int64)
        present[split] = 1
        new = np.cumsum(present) - 1
        stack.append((size + 1, column + 1, int(new[-1]) + 1, new[split]))
    return best


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
    """Why a set of points is no alpha-net, or ``None`` if it is one.

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
    Exact. ``O(|H|^2 |X|)`` at worst, less when the points tell most hypotheses apart.

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
    # numpy integers while they cannot overflow, Python's beyond.
    weight = np.array(integers, dtype=np.int64 if total < 2**62 else object)
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
        As for `net_violation`, which also tells why not.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(4)] for j in range(5)])
    >>> is_alpha_net(thresholds, [1], Fraction(1, 4)), is_alpha_net(thresholds, [1], Fraction(1, 2))
    (False, True)
    """
    H = as_table(H)
    return net_violation(H, points, alpha, weights) is None


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


def _check_rational(argument: str, given: object) -> None:
    if not isinstance(given, Fraction | int) or given < 0:
        raise InvalidInput(argument, repr(given), "a non-negative Fraction or integer")


# The star number, teaching sets and the teaching dimension of a small finite class


@dataclass(frozen=True, slots=True, repr=False)
class Star(TableWitness):
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

    def is_realized_by(self, H: FiniteClass) -> bool:
        """Check every label against the table of ``H``."""
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


def star(
    H: TableLike, *, max_nodes: int | None = None, time_limit: float | None = None
) -> Bounds[Star]:
    """Star number of a finite class, with a star.

    The largest s with points x_1, ..., x_s and hypotheses h_0, ..., h_s such that h_i differs from
    h_0 at x_i and at no other of these points [Hanneke and Yang 2015, Definition 2].

    Parameters
    ----------
    H
        The class.
    max_nodes
        Sets of points that may be looked at; ``None`` for no limit.
    time_limit
        Seconds after which to stop with the bounds so far.

    Returns
    -------
    Bounds[Star]
        Exact, or certified bounds when the budget ended.

    Notes
    -----
    For small classes: for each center, an exponential search over sets of points. Every subset of
    a star's points is one, so sets are grown point by point. -1 for the empty class, 0 for one
    hypothesis.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> star(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])).witness
    <Star: center h0, points 0, 1, hypotheses h2, h1>
    """
    H = as_table(H)
    if max_nodes is not None and max_nodes < 1:
        raise InvalidInput("max_nodes", repr(max_nodes), "a positive number")
    if time_limit is not None and not time_limit > 0:
        raise InvalidInput("time_limit", repr(time_limit), "a positive number of seconds")
    end = inf if time_limit is None else monotonic() + time_limit
    n, m = H.table.shape
    if n == 0:
        return Bounds(-1, -1, None)
    best = Star(0, (), ())
    upper = min(n - 1, m)
    nodes = 0
    for center in range(n):
        # For each point the hypotheses, as a set of bits, that differ from the center there.
        differ = [_bits(column) for column in (H.table ^ H.table[center]).T]
        # Entries: points, for each its possible hypotheses, points left to add, hypotheses that
        # agree with the center on all of the points.
        stack = [((), (), tuple(range(m)), 2**n - 1)]  # type: list[_State]
        while stack and len(best.points) < upper:
            points, own, left, agreeing = stack.pop()
            if (max_nodes is not None and nodes >= max_nodes) or monotonic() >= end:
                return Bounds(len(best.points), upper, best.of(H), nodes)
            nodes += 1
            if len(points) > len(best.points):
                best = Star(center, points, tuple(_lowest(rows) for rows in own))
            grown: list[_State] = []
            for at, x in enumerate(left):
                if len(points) + len(left) - at <= len(best.points):
                    break
                still = tuple(rows & ~differ[x] for rows in own)
                if agreeing & differ[x] and all(still):
                    grown.append(
                        (
                            (*points, x),
                            (*still, agreeing & differ[x]),
                            left[at + 1 :],
                            agreeing & ~differ[x],
                        )
                    )
            stack += reversed(grown)
    return Bounds(len(best.points), len(best.points), best.of(H), nodes)


_State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]


def _bits(labels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> int:
    return int.from_bytes(np.packbits(labels, bitorder="little").tobytes(), "little")


def _lowest(rows: int) -> int:
    return (rows & -rows).bit_length() - 1


def star_number(H: TableLike, *, time_limit: float | None = None) -> int:
    """Star number of a finite class: -1 if empty, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.
    time_limit
        Seconds that it may take.

    Raises
    ------
    BudgetExhausted
        It took longer; the exception has the bounds.

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
    H = as_table(H)
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


def teaching_dimension(H: TableLike, *, max_nodes: int = _MAX_NODES) -> int:
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
