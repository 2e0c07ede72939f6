"""The growth function of a finite class with the Sauer-Shelah bound on it, and alpha-nets."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.classes import FiniteClass
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


def growth_function(H: FiniteClass, m: int, *, max_nodes: int = 1_000_000) -> int:
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
    H: FiniteClass,
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
    H: FiniteClass,
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
