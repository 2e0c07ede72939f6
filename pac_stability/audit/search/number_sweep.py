"""Sweeps where a pair of laws is judged probability by probability.

So it is for predictions, and for outputs at delta = 0. The value that two probabilities require
grows with the larger and falls with the smaller one. Hence the extremes of a clique require the
most of all its pairs, and only they are looked at.

They are judged with floats first. Each float is the correctly rounded value of a fraction, so the
fraction lies between the two floats beside it; from these an upper bound follows on what the pair
requires. Where it falls short of the best value known, the pair is done with. All others are
decided by fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability.audit.search.best_pair import BestPair
from pac_stability.audit.search.neighbour_ranks import Ranks

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]

_RATIO = Fraction.as_integer_ratio
_BATCH = 1 << 17  # pairs that are in memory together

LARGEST = Fraction(2**1000)
"""What a factor is cut off at before it becomes a float."""


@dataclass(frozen=True, slots=True)
class NumberTable:
    """The probabilities that are compared, for all samples.

    Attributes
    ----------
    rows
        For each sample its row in ``cells``.
    cells
        For each row and each column (a point, or an outcome) a place in ``values``.
    values
        The distinct probabilities, increasing.
    """

    rows: Ids
    cells: Ids
    values: tuple[Fraction, ...]


def in_order(values: list[Fraction]) -> tuple[tuple[Fraction, ...], Ids]:
    """Return distinct fractions in increasing order, and the place of each of those given."""
    # Rounding is monotone, so that fractions are compared only where floats are equal.
    floats = [above / below for above, below in map(_RATIO, values)]
    order = sorted(range(len(values)), key=floats.__getitem__)
    if len(set(floats)) < len(floats):
        order.sort(key=lambda place: (floats[place], values[place]))
    places = np.empty(len(values), dtype=np.int32)
    places[order] = np.arange(len(values), dtype=np.int32)
    return tuple(values[place] for place in order), places


@dataclass(frozen=True, slots=True)
class ExcessOf:
    """What a fixed factor t >= 1 leaves to delta: p - t q, and of the other label likewise."""

    factor: Fraction = Fraction(1)
    floor: Fraction = Fraction(0)

    def exact(self, p: Fraction, q: Fraction) -> Fraction:
        """Return the value that p >= q require."""
        if self.factor == 1:
            return p - q
        t = self.factor
        return max(p - t * q, (1 - q) - t * (1 - p), self.floor)

    def bound(self, values: tuple[Fraction, ...]) -> Callable[[Ids, Ids], Floats]:
        """Return a function from places of p and q to floats that are no smaller than the value."""
        pairs = [value.as_integer_ratio() for value in values]
        upper, lower = _above(_rounded(pairs)), _below(_rounded(pairs))
        if self.factor == 1:
            return lambda p, q: _above(upper[p] - lower[q])
        others = [(below - above, below) for above, below in pairs]
        # A smaller factor leaves more, so an enormous one may be cut off.
        t = _below(_rounded([min(self.factor, LARGEST).as_integer_ratio()]))
        other_upper = _above(_rounded(others))
        times, other_times = _below(t * lower), _below(t * _below(_rounded(others)))
        return lambda p, q: np.maximum(
            _above(upper[p] - times[q]), _above(other_upper[q] - other_times[p])
        )


@dataclass(frozen=True, slots=True)
class FactorOf:
    """What privacy requires: the least t >= 1 with p <= t q + delta.

    With ``both_labels`` the numbers are probabilities of one of two labels, and those of the other
    label must be as close: 1 - q <= t (1 - p) + delta.
    """

    delta: Fraction = Fraction(0)
    both_labels: bool = False
    floor: Fraction = Fraction(1)

    def exact(self, p: Fraction, q: Fraction) -> Fraction | float:
        """Return the value that p >= q require."""
        value = self._needed(p, q)
        return max(value, self._needed(1 - q, 1 - p)) if self.both_labels else value

    def _needed(self, p: Fraction, q: Fraction) -> Fraction | float:
        excess = p - self.delta
        if excess <= q:
            return self.floor
        return excess / q if q else math.inf

    def bound(self, values: tuple[Fraction, ...]) -> Callable[[Ids, Ids], Floats]:
        """Return a function from places of p and q to floats that are no smaller than the value."""
        pairs = [value.as_integer_ratio() for value in values]
        excess, lower = self._excess(pairs), _below(_rounded(pairs))
        if not self.both_labels:
            return lambda p, q: _quotient(excess[p], lower[q])
        others = [(below - above, below) for above, below in pairs]
        other_excess, other_lower = self._excess(others), _below(_rounded(others))
        return lambda p, q: np.maximum(
            _quotient(excess[p], lower[q]), _quotient(other_excess[q], other_lower[p])
        )

    def _excess(self, pairs: Sequence[tuple[int, int]]) -> Floats:
        """Return floats no smaller than p - delta, and 0 where delta covers p."""
        top, bottom = self.delta.as_integer_ratio()
        excess = [(above * bottom - top * below, below * bottom) for above, below in pairs]
        return np.where([above > 0 for above, _ in excess], _above(_rounded(excess)), 0.0)


NumberMeasure = ExcessOf | FactorOf


class NumberSweep:
    """Finds the best pair among cliques of neighbours."""

    divisible = True

    def __init__(self, table: NumberTable, measure: NumberMeasure) -> None:
        self.columns: int = max(1, table.cells.shape[1])
        self._table = table
        self._measure = measure
        self._bound = measure.bound(table.values)

    def __reduce__(self) -> tuple[type[NumberSweep], tuple[NumberTable, NumberMeasure]]:
        return NumberSweep, (self._table, self._measure)

    def sweep(self, cliques: Ranks, best: BestPair) -> BestPair:
        """Return the best pair in the cliques, or the one given if it is as good."""
        places = self._table.cells[self._table.rows[cliques]]  # (clique, member, column)
        high, low = places.max(axis=1), places.min(axis=1)
        bounds = self._bound(high, low)
        live = (high != low) & (bounds >= _float_below(best.value))
        if best.value == math.inf:  # nothing is larger, but a pair that comes before is preferred
            live &= cliques[:, :1] <= best.first
        cells, columns = np.nonzero(live)
        if not len(cells):
            return best
        top, attaining = self._largest(high[cells, columns], low[cells, columns], best.value)
        if not attaining.any() or top == self._measure.floor:
            return best
        if top != best.value:
            best = BestPair(top, np.iinfo(np.int64).max, 0)
        return self._first(cliques, places, cells[attaining], columns[attaining], best)

    def _largest(
        self, high: Ids, low: Ids, known: Fraction | float
    ) -> tuple[Fraction | float, npt.NDArray[np.bool_]]:
        """Return the largest value, at least the known one, and which of the pairs attain it."""
        codes, inverse = np.unique(self._codes(high, low), return_inverse=True)
        p, q = self._decoded(codes)
        bounds = self._bound(p, q)
        top = known
        values: dict[int, Fraction | float] = {}
        for index in np.argsort(-bounds).tolist():
            if bounds[index] < _float_below(top):
                break
            values[index] = self._exact(int(p[index]), int(q[index]))
            top = max(top, values[index])
        attaining = np.zeros(len(codes), dtype=np.bool_)
        attaining[[index for index, value in values.items() if value == top]] = True
        return top, attaining[inverse]

    def _first(
        self, cliques: Ranks, places: Ids, cells: Ranks, columns: Ranks, best: BestPair
    ) -> BestPair:
        """Return the first pair that attains the best value, in some cells that attain it."""
        order = np.argsort(cliques[cells, 0], kind="stable")
        one, other = np.triu_indices(cliques.shape[1], 1)
        step = max(1, _BATCH // len(one))
        for start in range(0, len(order), step):
            batch = order[start : start + step]
            batch = batch[cliques[cells[batch], 0] <= best.first]
            if not len(batch):
                break
            members, column = cliques[cells[batch]], columns[batch]
            numbers = places[cells[batch], :, column]
            p = np.maximum(numbers[:, one], numbers[:, other])
            q = np.minimum(numbers[:, one], numbers[:, other])
            attained = self._attains(p.ravel(), q.ravel(), best.value).reshape(p.shape)
            clique, pair = np.nonzero(attained)
            if len(clique):
                keys = column[clique], members[clique, other[pair]], members[clique, one[pair]]
                winner = np.lexsort(keys)[0]
                third, second, first = (int(key[winner]) for key in keys)
                best = best.or_better(BestPair(best.value, first, second, third))
        return best

    def _attains(self, p: Ids, q: Ids, value: Fraction | float) -> npt.NDArray[np.bool_]:
        result: npt.NDArray[np.bool_] = (p != q) & (self._bound(p, q) >= _float_below(value))
        near = np.flatnonzero(result)
        codes, inverse = np.unique(self._codes(p[near], q[near]), return_inverse=True)
        pairs = np.stack(self._decoded(codes), axis=-1).tolist()
        exact = [self._exact(larger, smaller) == value for larger, smaller in pairs]
        result[near] = np.array(exact, dtype=np.bool_)[inverse]
        return result

    def _exact(self, p: int, q: int) -> Fraction | float:
        return self._measure.exact(self._table.values[p], self._table.values[q])

    def _codes(self, p: Ids, q: Ids) -> Ranks:
        return p.astype(np.int64) * len(self._table.values) + q

    def _decoded(self, codes: Ranks) -> tuple[Ids, Ids]:
        p, q = np.divmod(codes, len(self._table.values))
        return p.astype(np.int32), q.astype(np.int32)


def _rounded(pairs: Sequence[tuple[int, int]]) -> Floats:
    """Return quotients of integers as floats, correctly rounded as Python's division is."""
    return np.array([above / below for above, below in pairs], dtype=np.float64)


def _above(rounded: Floats) -> Floats:
    return np.nextafter(rounded, math.inf)


def _below(rounded: Floats) -> Floats:
    return np.maximum(np.nextafter(rounded, -math.inf), 0.0)


def _quotient(p: Floats, q: Floats) -> Floats:
    """Return an upper bound on a quotient, from one on p and a lower one on q."""
    with np.errstate(divide="ignore", over="ignore"):
        quotient = np.divide(p, q, out=np.zeros_like(p), where=p > 0)
    return np.nextafter(quotient, math.inf)


def _float_below(value: Fraction | float) -> float:
    """Return a float that does not exceed a value."""
    if value == math.inf:
        return math.inf
    try:
        return math.nextafter(float(value), -math.inf)
    except OverflowError:
        return math.nextafter(math.inf, 0.0)
