"""Stumps in several dimensions: each pattern once, by what can be counted twice.

A hit point brings a cut at its value along each coordinate, both ways. Cuts along different
coordinates with equal patterns on A are one hypothesis, that of the first coordinate. So the sum
U_A of the weights of all cuts is at least Z_A, and it is additive over the points; a cut h that is
hit is a representative unless it has the pattern of a cut along an earlier coordinate, or a
constant one. Hence

    P_S(h) >= E[w_h 1[h is hit] / U_A] - P(h is a duplicate),

where the probability is at most a sum over the other cuts h': h and h' have one pattern only if A
misses all points where they differ. Cuts that err little differ from others on many points; those
that are often duplicates cut off few points, err much, and weigh hardly anything. So little is
lost, and what is lost shows as slack.

A value that several points share would be brought by each of them. Its weight is counted in U_A
whether it is hit or not, and the probability that it is not is subtracted instead.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.classes import Family, Stump, Stumps
from pac_stability.classes.exact import Vector, exact_vector
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman._checks import as_selection
from pac_stability.papers.dagan_feldman.additive._above import chances_to_miss
from pac_stability.papers.dagan_feldman.additive._floats import Integers
from pac_stability.papers.dagan_feldman.additive._labelling import LabelledByStumps
from pac_stability.papers.dagan_feldman.additive.selection import (
    SCALE_BITS,
    AdditiveSelection,
    lower_bounds,
)
from pac_stability.papers.dagan_feldman.additive.walks import Route, Stop, Walk

_SUMMED = 1 + 2.0**-30
"""More than sums of fewer than ``2**20`` floats can have been rounded down."""

Ranks: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Cut:
    """Both stumps at one value of a coordinate."""

    coordinate: int
    rank: int
    examples: int
    tied: bool


def stump_selection(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> AdditiveSelection:
    """Return the law of the stump that the stable learner chooses, in polynomial time.

    Parameters
    ----------
    H
        ``Stumps(p)`` for any p.
    sample
        S, not empty.
    subset_size
        n', from 1 to n.
    decay
        rho, above 0 and at most 1.

    Returns
    -------
    AdditiveSelection
        Certified enclosures, whose slack says how often a cut that matters may stand for the
        pattern of another: small where values differ from point to point, or are shared by many
        points, and where no cut errs nearly as little as those that cut off a handful of points.

    Raises
    ------
    InvalidInput
        The class is another one, a point has another dimension, or a parameter is out of range.

    Notes
    -----
    As :func:`~.selection.additive_selection`, with p times as many hypotheses, and O(p n)
    operations for each that has a chance. The module has the proof.

    Examples
    --------
    >>> S = Sample([(x, 7 * x % 500) for x in range(500)], [int(x >= 200) for x in range(500)])
    >>> chosen = stump_selection(Stumps(2), S, 100, Fraction(9, 10))
    >>> [round(float(p), 6) for p in chosen.probabilities([(180, 0), (200, 400), (230, 50)])]
    [0.071314, 0.523337, 0.97735]
    >>> chosen.slack < Fraction(1, 10**3)
    True
    """
    if type(H) is not Stumps:
        raise InvalidInput("H", type(H).__name__, "Stumps(p)")
    size, decay = as_selection(sample, subset_size, decay)
    table = _Table(H.dimension, sample, size)
    lowers = lower_bounds(table.walk(), size, decay)
    lowers = np.maximum(lowers - table.doubts(lowers), 0)
    return AdditiveSelection(table.hypotheses(), lowers, table.labels())


class _Table:
    """The distinct points of a sample, sorted along each coordinate."""

    def __init__(self, dimension: int, sample: Sample[Hashable], subset_size: int) -> None:
        tally: dict[Vector, list[int]] = {}
        for point, label in zip(sample.points, sample.labels, strict=True):
            tally.setdefault(exact_vector(point, dimension), [0, 0])[label] += 1
        self._dimension = dimension
        self._points = list(tally)
        self._zeros, self._ones = np.array(list(tally.values()), dtype=np.int64).T
        self._copies = self._zeros + self._ones
        self._values = [sorted({x[i] for x in tally}) for i in range(dimension)]
        places = [{v: k for k, v in enumerate(values)} for values in self._values]
        # For each coordinate, the rank of the value of each point.
        self._ranks: list[Ranks] = [
            np.array([places[i][x[i]] for x in tally], dtype=np.int64) for i in range(dimension)
        ]
        self._cuts: list[_Cut] = []
        for i, ranks in enumerate(self._ranks):
            examples = np.bincount(ranks, weights=self._copies).astype(int).tolist()
            points = np.bincount(ranks).tolist()
            self._cuts += [
                _Cut(i, rank, held, shared > 1)
                for rank, (held, shared) in enumerate(zip(examples, points, strict=True))
            ]
        self._missed = chances_to_miss(int(self._copies.sum()), subset_size)

    def hypotheses(self) -> tuple[Stump, ...]:
        """Return all stumps, both of each cut side by side."""
        return tuple(
            Stump(self._dimension, cut.coordinate, self._values[cut.coordinate][cut.rank], up)
            for cut in self._cuts
            for up in (True, False)
        )

    def labels(self) -> LabelledByStumps:
        """Return how they label points."""
        return LabelledByStumps(self._dimension, self.hypotheses())

    def walk(self) -> Walk:
        """Return the walk on which each point brings the cuts at values of its own."""
        always: list[int] = []
        brought: list[list[int]] = [[] for _ in self._points]
        errors = []
        alone = [dict(zip(ranks.tolist(), range(len(ranks)), strict=True)) for ranks in self._ranks]
        for place, cut in enumerate(self._cuts):
            both = [2 * place, 2 * place + 1]
            (always if cut.tied else brought[alone[cut.coordinate][cut.rank]]).extend(both)
            above = self._ranks[cut.coordinate] >= cut.rank
            wrong = int(np.where(above, self._zeros, self._ones).sum())
            errors += [wrong, int(self._copies.sum()) - wrong]
        stops = [
            Stop(copies, tuple(own), tuple(own))
            for copies, own in zip(self._copies.tolist(), brought, strict=True)
        ]
        return Walk(
            self.hypotheses(),
            np.array(errors, dtype=np.int64),
            self.labels(),
            Route(tuple(stops), always=tuple(always)),
        )

    def doubts(self, lowers: Integers) -> Integers:
        """Return upper bounds of the chances that a stump is a duplicate or not hit, as counted."""
        found = np.zeros(len(lowers), dtype=np.int64)
        for place, cut in enumerate(self._cuts):
            both = slice(2 * place, 2 * place + 2)
            if lowers[both].any():
                doubt = min(self._doubt(cut) * _SUMMED, 1.0)
                found[both] = int(np.ceil(doubt * 2.0**SCALE_BITS))
        return found

    def _doubt(self, cut: _Cut) -> float:
        above = self._ranks[cut.coordinate] >= cut.rank
        ones, zeros = self._copies * above, self._copies * ~above
        total = float(self._missed[cut.examples]) if cut.tied else 0.0
        # The lowest cut of an earlier coordinate is the constant one.
        for earlier in range(cut.coordinate):
            ranks = self._ranks[earlier]
            below = np.concatenate(([0], np.cumsum(np.bincount(ranks, weights=ones))))
            under = np.concatenate(([0], np.cumsum(np.bincount(ranks, weights=zeros))))
            differ = (below + under[-1] - under)[:-1].astype(np.int64)
            agree = int(self._copies.sum()) - differ
            total += float(self._missed[differ].sum() + self._missed[agree].sum())
        return total
