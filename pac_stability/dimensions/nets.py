"""Nets: sets of points that hit every hypothesis, or difference of two, of large probability."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.classes.family import TableLike, as_table
from pac_stability.errors import InvalidInput

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
