"""The compiled walk over sets of points, prepared for a class and a sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability._core.weighted_sums import SelectionWalk
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.mechanisms import error_counts

Labels = npt.NDArray[np.uint8]

SCALE_BITS = 126
"""Probabilities are integers in units of ``2**-SCALE_BITS``."""

_NEGLIGIBLE = 90  # a point missed with probability at most 2**-90 counts as always hit
_PRECISION = 128  # more bits than are kept, while a number is being computed
_MANTISSA = 63  # bits of a weight


@dataclass(frozen=True, slots=True)
class PreparedWalk:
    """A walk that has not begun, and what its sums mean.

    Attributes
    ----------
    walk
        The kernel.
    rows
        The rows of the class that can be chosen: one for each pattern on the whole sample.
    mantissas
        A lower bound of each one's weight, without its exponent.
    missed
        Bounds the probability that a point is missed that counts as always hit.
    """

    walk: SelectionWalk
    rows: tuple[int, ...]
    mantissas: tuple[int, ...]
    missed: int

    def lower_bounds(self) -> tuple[int, ...]:
        """A lower bound of the probability of each row, in units of ``2**-SCALE_BITS``."""
        high, low = self.walk.sums
        return tuple(
            max(0, (mantissa * (upper << 64 | lower) >> _MANTISSA - 1) - self.missed)
            for mantissa, upper, lower in zip(
                self.mantissas, high.tolist(), low.tolist(), strict=True
            )
        )


def prepare(
    H: FiniteClass,
    sample: Sample[Hashable],
    size: int,
    decay: Fraction,
    max_memory: int | None,
) -> PreparedWalk:
    """Prepare the walk for checked arguments.

    Points on which all hypotheses agree never matter. Points on which they are told apart alike are
    one point with all the copies; those that are as good as always hit come first, undecided.
    """
    copies = Counter(sample.points)
    n = len(sample)
    rows = np.array(H.representative_rows(copies), dtype=np.intp)
    if not len(rows):
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
    table = H.table[rows][:, [H.column(point) for point in copies]]
    columns: dict[bytes, int] = {}
    for column, count in zip((table ^ table[0]).T, copies.values(), strict=True):
        key = column.tobytes()
        columns[key] = columns.get(key, 0) + count
    columns.pop(bytes(len(rows)), None)
    certain: list[bytes] = []
    open_: list[bytes] = []
    missed = 0
    for key, count in columns.items():
        rarity = _rarity(count, size, n)
        if count > n - size:
            certain.append(key)
        elif rarity >= _NEGLIGIBLE:
            certain.append(key)
            missed += 1 << max(0, SCALE_BITS - rarity)
        else:
            open_.append(key)
    # Later points are decided on most often: few copies make short sums, and the points before
    # should have told most rows apart.
    open_.sort(key=lambda key: (-columns[key], abs(2 * key.count(1) - len(key))))
    first, members, heads = _cells(_stacked(certain, len(rows)))
    errors = error_counts(H, sample)[rows]
    least = int(errors.min())
    weights = {k: _power(decay, k - least) for k in set(errors.tolist())}
    weighed = [weights[k] for k in errors.tolist()]
    start, steps, begins, fewest = _steps(n, [columns[key] for key in open_], size)
    try:
        walk = SelectionWalk(
            _codes(_stacked(open_, len(rows))),
            first,
            members,
            heads,
            np.array([upper for _, upper, _ in weighed], dtype=np.uint64),
            np.array([exponent for _, _, exponent in weighed], dtype=np.int64),
            start,
            steps,
            begins,
            fewest,
            2**62 if max_memory is None else max_memory,
        )
    except MemoryError as error:
        raise BudgetExhausted(f"selection: {error}") from None
    mantissas = tuple(lower for lower, _, _ in weighed)
    return PreparedWalk(walk, tuple(rows.tolist()), mantissas, missed)


def _rarity(copies: int, size: int, n: int) -> int:
    """Return k such that a point of c copies is missed with probability at most ``2**-k``.

    That is at most ``(1 - c/n)**n' < 2**-(1.44 c n'/n)``.
    """
    return 144 * copies * size // (100 * n)


def _stacked(columns: list[bytes], rows: int) -> Labels:
    joined = np.frombuffer(b"".join(columns), dtype=np.uint8)
    return joined.reshape(len(columns), rows)


def _cells(columns: Labels) -> tuple[npt.NDArray[np.uint32], ...]:
    """Partition the rows: the first of each cell, the others, and for these the first of theirs."""
    cell = np.zeros(columns.shape[1], dtype=np.int64)
    for column in columns:
        cell = np.unique(2 * cell + column, return_inverse=True)[1]
    _, first, inverse = np.unique(cell, return_index=True, return_inverse=True)
    head = first[inverse]
    others = np.flatnonzero(head != np.arange(len(head)))
    return first.astype(np.uint32), others.astype(np.uint32), head[others].astype(np.uint32)


def _codes(labels: Labels) -> npt.NDArray[np.uint32]:
    """Number, for each point, the patterns of the rows from it on; the last bit is the label."""
    codes = np.zeros(labels.shape, dtype=np.uint32)
    after = np.zeros(labels.shape[1], dtype=np.int64)
    for point in reversed(range(len(labels))):
        codes[point] = 2 * after + labels[point]
        after = np.unique(codes[point], return_inverse=True)[1]
    return codes


def _steps(
    n: int, copies: list[int], size: int
) -> tuple[
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
]:
    """Tabulate how many of the chosen indices fall on each point, given how many fell before.

    What the walk calls s used indices is s more than the fewest that can fall on the points that
    are not decided on, of which there are ``n - sum(copies)`` copies.
    """
    left = sum(copies)
    base, start = _hypergeometric(n, n - left, size, 63)
    width = size - base + 1
    begins = np.zeros((len(copies), width + 1), dtype=np.int64)
    fewest = np.zeros((len(copies), width), dtype=np.int64)
    steps: list[int] = []
    low, high = 0, len(start) - 1
    for point, count in enumerate(copies):
        following = []
        begins[point, : low + 1] = len(steps)
        for used in range(low, high + 1):
            least, chances = _hypergeometric(left, count, size - base - used, 64)
            fewest[point, used] = least
            steps += chances
            begins[point, used + 1 :] = len(steps)
            following += [used + least, used + least + len(chances) - 1]
        low, high = min(following), max(following)
        left -= count
    return (
        np.array([*start, *[0] * (width - len(start))], dtype=np.uint64),
        np.array(steps, dtype=np.uint64),
        begins,
        fewest,
    )


def _hypergeometric(total: int, marked: int, draws: int, bits: int) -> tuple[int, list[int]]:
    """Return ``t`` and lower bounds of the chances of t, t + 1, ... marked ones among the drawn.

    In units of ``2**-bits``, below ``2**64``; chances of less than a unit at either end are left
    out. From the likeliest number outwards, in longer integers that are rounded down.
    """
    likeliest = (draws + 1) * (marked + 1) // (total + 2)
    rest = total - marked
    ways = math.comb(marked, likeliest) * math.comb(rest, draws - likeliest)
    largest = (ways << bits + _PRECISION) // math.comb(total, draws)
    chances: list[int] = []
    chance, t = largest, likeliest
    while chance >> _PRECISION:
        chances.append(min(chance >> _PRECISION, (1 << 64) - 1))
        chance = chance * (marked - t) * (draws - t) // ((t + 1) * (rest - draws + t + 1))
        t += 1
    below: list[int] = []
    chance, t = largest, likeliest
    while True:
        chance = chance * t * (rest - draws + t) // ((marked - t + 1) * (draws - t + 1))
        if not chance >> _PRECISION:
            return t, below[::-1] + chances
        t -= 1
        below.append(chance >> _PRECISION)


def _power(decay: Fraction, exponent: int) -> tuple[int, int, int]:
    """Enclose ``decay**exponent``: ``(lower, upper, e)`` means lower * 2**e to upper * 2**e.

    The lower one has 63 bits; the upper one is at most ``2**63``.
    """
    shift = _PRECISION + decay.denominator.bit_length()
    scaled = decay.numerator << shift
    base = (scaled // decay.denominator, -(-scaled // decay.denominator), -shift)
    result = (1 << _PRECISION, 1 << _PRECISION, -_PRECISION)
    for bit in f"{exponent:b}":
        result = _cut(_product(result, result), _PRECISION)
        if bit == "1":
            result = _cut(_product(result, base), _PRECISION)
    return _cut(result, _MANTISSA)


def _product(x: tuple[int, int, int], y: tuple[int, int, int]) -> tuple[int, int, int]:
    return x[0] * y[0], x[1] * y[1], x[2] + y[2]


def _cut(x: tuple[int, int, int], bits: int) -> tuple[int, int, int]:
    """Keep so many bits, rounding outwards."""
    lower, upper, exponent = x
    surplus = lower.bit_length() - bits
    return lower >> surplus, -(-upper >> surplus), exponent + surplus
