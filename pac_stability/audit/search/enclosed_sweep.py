"""Sweeps over laws that are known up to intervals: the value is enclosed, pair by pair."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np

from pac_stability.arithmetic import Interval
from pac_stability.audit.search.best_pair import BestPair
from pac_stability.audit.search.measures import EnclosedLaw, Measure
from pac_stability.audit.search.neighbour_ranks import Ranks
from pac_stability.audit.search.number_sweep import Ids
from pac_stability.errors import Undecided


class EnclosedSweep:
    """Finds the pair with the largest certified value, and a bound on all pairs.

    Parameters
    ----------
    rows
        For each sample a row of places of laws, one for each column.
    laws
        The distinct laws.
    measure
        What is measured.

    Attributes
    ----------
    upper
        What no pair that was swept requires more than.
    """

    divisible = False

    def __init__(self, rows: Ids, laws: tuple[EnclosedLaw, ...], measure: Measure) -> None:
        self.columns: int = rows.shape[1]
        self.upper: Fraction | float = measure.floor
        self._rows = rows
        self._laws = laws
        self._measure = measure
        self._known: dict[int, tuple[Fraction | float, Fraction | float]] = {}

    def sweep(self, cliques: Ranks, best: BestPair) -> BestPair:
        """Return the pair whose certified value is largest, or the one given."""
        for a, b in combinations(range(cliques.shape[1]), 2):
            p, q = self._rows[cliques[:, a]], self._rows[cliques[:, b]]
            codes = np.minimum(p, q).astype(np.int64) * len(self._laws) + np.maximum(p, q)
            for column in range(self.columns):
                distinct, firsts = np.unique(codes[:, column], return_index=True)
                for code, index in zip(distinct.tolist(), firsts.tolist(), strict=True):
                    lower, upper = self._bounds(code)
                    self.upper = max(self.upper, upper)
                    first, second = cliques[index, a], cliques[index, b]
                    best = best.or_better(BestPair(lower, int(first), int(second), column))
        return best

    def _bounds(self, code: int) -> tuple[Fraction | float, Fraction | float]:
        if code not in self._known:
            first, second = divmod(code, len(self._laws))
            # Equal intervals do not make two laws equal, so they are measured as well.
            try:
                value = self._measure.enclosed(self._laws[first], self._laws[second])
            except Undecided:  # some event may have probability zero under one law alone
                bounds: tuple[Fraction | float, Fraction | float] = self._measure.floor, math.inf
            else:
                bounds = (
                    (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
                )
            self._known[code] = bounds
        return self._known[code]
