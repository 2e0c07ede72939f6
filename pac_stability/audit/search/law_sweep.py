"""Sweeps where whole laws are compared: events of several outcomes, or too many for a table.

What two laws require is found by fractions. Before that floats say which pairs cannot matter: of a
pair that requires more than is known, the hockey-stick divergence sum (P(y) - t Q(y))^+ exceeds
some number at some factor t (delta at the best factor known, or the best delta at a fixed factor).
Computed with floats it is off by less than (R + 8) 2^-50 for R
outcomes: each P(y) and Q(y) is off by a factor of 1 +- 2^-53, each of three operations likewise,
and so is the sum, at most 1, at each of its R steps.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np

from pac_stability.audit.search.best_pair import BestPair
from pac_stability.audit.search.measures import Law, Measure
from pac_stability.audit.search.neighbour_ranks import Ranks
from pac_stability.audit.search.number_sweep import LARGEST, Floats, Ids

_BATCH = 1 << 20  # floats at a time


class LawSweep:
    """Finds the best pair among cliques of neighbours.

    Parameters
    ----------
    rows
        For each sample the place of its law.
    laws
        The distinct laws.
    measure
        What is measured.
    max_memory
        Bytes that the sieve may use; without it every pair of distinct laws is decided exactly.
    """

    columns = 1
    divisible = True

    def __init__(
        self,
        rows: Ids,
        laws: tuple[Law, ...],
        measure: Measure,
        max_memory: int,
    ) -> None:
        self._rows = rows
        self._laws = laws
        self._measure = measure
        self._exact: dict[int, Fraction | float] = {}
        outcomes = {outcome: None for law in laws for outcome in law.support}
        self._outcomes = len(outcomes)
        fits = 8 * len(laws) * self._outcomes <= max_memory
        self._table = (
            _table(laws, tuple(outcomes)) if fits and measure.sieve(measure.floor) else None
        )

    def sweep(self, cliques: Ranks, best: BestPair) -> BestPair:
        """Return the best pair in the cliques, or the one given if it is as good."""
        places = self._rows[cliques]
        found = []
        for a, b in combinations(range(cliques.shape[1]), 2):
            p, q = places[:, a], places[:, b]
            codes = np.minimum(p, q).astype(np.int64) * len(self._laws) + np.maximum(p, q)
            differ = p != q
            if best.value == math.inf:  # nothing is larger
                differ &= cliques[:, a] <= best.first
            found.append(np.stack([codes, cliques[:, a], cliques[:, b]], axis=-1)[differ])
        pairs = np.concatenate(found) if found else np.empty((0, 3), dtype=np.int64)
        if not len(pairs):
            return best
        codes, inverse = np.unique(pairs[:, 0], return_inverse=True)
        values = self._values(codes, best.value)
        top = max(values.values(), default=self._measure.floor)
        if top == self._measure.floor or top < best.value:
            return best
        attaining = np.zeros(len(codes), dtype=np.bool_)
        attaining[[index for index, value in values.items() if value == top]] = True
        candidates = pairs[attaining[inverse]]
        winner = np.lexsort((candidates[:, 2], candidates[:, 1]))[0]
        _, first, second = candidates[winner].tolist()
        return best.or_better(BestPair(top, first, second))

    def _values(self, codes: Ranks, known: Fraction | float) -> dict[int, Fraction | float]:
        """Return exact values of pairs of laws, by their index: all those that are the largest."""
        first, second = (part.astype(np.int32) for part in np.divmod(codes, len(self._laws)))
        values: dict[int, Fraction | float] = {}
        waiting = np.arange(len(codes))
        scores = self._scores(first, second, known)
        while True:
            keep = scores >= self._threshold(known)
            waiting, scores = waiting[keep], scores[keep]
            if not len(waiting):
                return values
            order = np.argsort(-scores, kind="stable")
            waiting = waiting[order]
            better = known
            for done, index in enumerate(waiting.tolist(), 1):  # noqa: B007  # read after the loop
                values[index] = self._decide(
                    int(codes[index]), int(first[index]), int(second[index])
                )
                better = max(better, values[index])
                if better > known and self._table is not None:
                    break
            known = better
            waiting = waiting[done:]
            scores = self._scores(first[waiting], second[waiting], known)

    def _decide(self, code: int, first: int, second: int) -> Fraction | float:
        value = self._exact.get(code)
        if value is None:
            p, q = self._laws[first], self._laws[second]
            value = max(self._measure.directed(p, q), self._measure.directed(q, p))
            self._exact[code] = value
        return value

    def _threshold(self, known: Fraction | float) -> float:
        sieve = self._measure.sieve(known)
        return 0.0 if sieve is None else float(sieve[1]) - (self._outcomes + 8) * 2.0**-50

    def _scores(self, first: Ids, second: Ids, known: Fraction | float) -> Floats:
        """Return the larger hockey-stick divergence of each pair at a factor, nearly."""
        sieve = self._measure.sieve(known)
        if self._table is None or sieve is None:
            return np.full(len(first), math.inf)
        factor, _ = sieve
        scores = np.empty(len(first))
        step = max(1, _BATCH // self._outcomes)
        for start in range(0, len(first), step):
            p, q = (
                self._table[first[start : start + step]],
                self._table[second[start : start + step]],
            )
            scores[start : start + step] = np.maximum(_excess(p, q, factor), _excess(q, p, factor))
        return scores


def _excess(p: Floats, q: Floats, factor: Fraction | float) -> Floats:
    if factor == math.inf:
        terms: Floats = np.where(q == 0, p, 0.0)
    else:
        # A smaller factor has a larger divergence, so an enormous one may be cut off.
        terms = np.maximum(p - float(min(factor, LARGEST)) * q, 0.0)
    total: Floats = terms.sum(axis=1)
    return total


def _table(laws: tuple[Law, ...], outcomes: tuple[object, ...]) -> Floats:
    places = {outcome: place for place, outcome in enumerate(outcomes)}
    table = np.zeros((len(laws), len(outcomes)))
    for row, law in enumerate(laws):
        for outcome, weight in law.items():
            table[row, places[outcome]] = weight
    return table
