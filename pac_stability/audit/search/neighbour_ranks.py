"""Samples as numbers, and neighbours as arithmetic on them.

Samples over k elements are ranked in lexicographic order: sequences by their digits in base k, and
samples up to order, in the sorted sequences, by

    rank = sum over j of M(k - j, t_j - 1),    t_j = how many entries exceed j,

where M(a, b) = C(a + b - 1, b) counts multisets of b elements out of a: the sequences that agree up
to their entries below j and continue with one more j.

Neighbours form *cliques*: the samples that arise from one smaller sample by inserting any elements
at the same places are neighbours of one another, and every pair of neighbours is in some clique. A
sweep over cliques meets every pair without listing the pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain, combinations, pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_fraction
from pac_stability.audit.notions.notion import Instance, Symmetry
from pac_stability.data import Adjacency, Neighbouring, count_multisets, count_neighbouring_pairs

Ranks = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Sequences:
    """The samples of one size over the elements 0, ..., k - 1, in lexicographic order."""

    k: int
    n: int

    @property
    def size(self) -> int:
        """How many there are."""
        size: int = self.k**self.n
        return size

    def entries(self, ranks: Ranks) -> Ranks:
        """Return the entries of the samples with some ranks, one sample a row: digits in base k."""
        powers = [self.k**place for place in reversed(range(self.n))]
        return ranks[:, None] // np.array(powers, dtype=np.int64) % max(self.k, 1)

    def insertions(self, count: int) -> int:
        """Return how many pairs (sample, places for ``count`` more entries) there are."""
        return math.comb(self.n + count, count) * self.size

    def inserted(self, start: int, stop: int, count: int) -> tuple[Ranks, Ranks]:
        """Insert every element into some samples; all samples for the first places come first.

        Returns
        -------
        ranks, larger
            The ranks of the samples in the pairs number start, ..., stop - 1, and in the same row
            the increasing ranks of all that arise by inserting ``count`` entries at the places,
            among the samples of size n + count.
        """
        places, ranks = np.divmod(np.arange(start, stop, dtype=np.int64), max(self.size, 1))
        choices = np.array(list(combinations(range(self.n + count), count)), dtype=np.int64)
        weights = self.k ** (self.n + count - 1 - choices[places])  # one column for each place
        larger = ranks
        for weight in weights.T[::-1]:  # the last place first: what stands behind it is final
            larger = larger // weight * (weight * self.k) + larger % weight
        fillings = Sequences(self.k, count)
        digits = fillings.entries(np.arange(fillings.size))
        return ranks, larger[:, None] + weights @ digits.T


@dataclass(frozen=True)
class Multisets:
    """The same samples up to order, with the same methods."""

    k: int
    n: int

    @property
    def size(self) -> int:
        """How many there are."""
        return count_multisets(self.k, self.n)

    def entries(self, ranks: Ranks) -> Ranks:
        """Return the sorted sequences."""
        positions = np.arange(self.n)
        below = self.n - self._tails(ranks)  # how many entries are at most j
        entries = np.zeros((len(ranks), self.n), dtype=np.int64)
        for column in below.T:
            entries += column[:, None] <= positions
        return entries

    def insertions(self, count: int) -> int:  # noqa: ARG002  # places do not matter
        """Return how many samples there are."""
        return self.size

    def inserted(self, start: int, stop: int, count: int) -> tuple[Ranks, Ranks]:
        """Insert every element into some samples."""
        ranks = np.arange(start, stop, dtype=np.int64)
        tails = self._tails(ranks)
        target = Multisets(self.k, self.n + count)
        fillings = Multisets(self.k, count)
        added = fillings._tails(np.arange(fillings.size))
        larger = np.zeros((len(ranks), fillings.size), dtype=np.int64)
        for j, steps in enumerate(target._steps):
            larger += steps[tails[:, j, None] + added[:, j]]
        return ranks, larger

    @cached_property
    def _steps(self) -> list[Ranks]:
        """For each j, the part of the rank that t_j = 0, ..., n has."""
        counts = ((count_multisets(self.k - j, t - 1) if t else 0) for j in range(self.k - 1)
                  for t in range(self.n + 1))  # fmt: skip
        table = np.fromiter(counts, dtype=np.int64).reshape(-1, self.n + 1)
        return list(table)

    def _tails(self, ranks: Ranks) -> Ranks:
        """Return t_j for the samples with the given ranks: one sample a row, one j a column."""
        rest = ranks.copy()
        tails = np.empty((len(ranks), len(self._steps)), dtype=np.int64)
        for j, steps in enumerate(self._steps):
            tails[:, j] = np.searchsorted(steps, rest, side="right") - 1
            rest -= steps[tails[:, j]]
        return tails


Ranking: TypeAlias = Sequences | Multisets


@dataclass(frozen=True)
class Neighbourhood:
    """All samples of an instance as one range of numbers, and all cliques of neighbours.

    Parameters
    ----------
    k
        The number of elements.
    n
        The size of the samples; the largest size, if elements are added or removed.
    relation
        Which samples are neighbours.
    up_to_order
        Whether samples are multisets.
    distance
        The most replacements between neighbours.
    least
        The size of the smallest ones, where elements are added or removed.
    """

    k: int
    n: int
    relation: Neighbouring = Neighbouring.REPLACE_ONE
    up_to_order: bool = False
    distance: int = 1
    least: int = 0

    @property
    def sizes(self) -> range:
        """The occurring sizes of samples, increasing."""
        one = self.relation is Neighbouring.REPLACE_ONE
        return range(self.n if one else self.least, self.n + 1)

    @cached_property
    def rankings(self) -> tuple[Ranking, ...]:
        """The samples of each size."""
        return tuple(map(self.ranking, self.sizes))

    @cached_property
    def samples(self) -> int:
        """How many samples there are, of all the sizes: the smaller ones come first."""
        return sum(ranking.size for ranking in self.rankings)

    @cached_property
    def units(self) -> int:
        """How many units of work there are for :meth:`cliques`."""
        return sum(base.insertions(count) for base, count, _ in self._layers)

    @cached_property
    def pairs(self) -> int:
        """How many ordered pairs are examined, as ``Counts`` counts them."""
        if self.relation is Neighbouring.ADD_REMOVE:
            # Each unit has the pairs of one sample with what arises by inserting at its places.
            inserted = (self._insertions(size) for size in self.sizes[:-1])
            return 2 * sum(inserted)
        if self.distance == 1:
            return count_neighbouring_pairs(
                self.k, self.n, self.relation, up_to_order=self.up_to_order
            )
        apart = range(1, min(self.distance, self.n) + 1)
        others: int = sum(math.comb(self.n, j) * (self.k - 1) ** j for j in apart)
        return self.samples * others

    def _insertions(self, size: int) -> int:
        """Return how many samples of the next size arise from those of a size, counted for each."""
        if self.up_to_order:
            return self.k * count_multisets(self.k, size)
        samples: int = self.k**size
        return samples * (size * (self.k - 1) + self.k)

    @property
    def pairs_in_a_unit(self) -> int:
        """How many ordered pairs are compared in one unit of work."""
        if self.relation is not Neighbouring.REPLACE_ONE:
            return 2 * self.k
        return self.width * (self.width - 1)

    @cached_property
    def width(self) -> int:
        """The most samples in a unit of work."""
        if self.relation is not Neighbouring.REPLACE_ONE:
            return 2 * self.k
        return self.ranking(min(self.distance, self.n)).size

    def ranking(self, size: int) -> Ranking:
        """Return the samples of one size."""
        return (Multisets if self.up_to_order else Sequences)(self.k, size)

    @cached_property
    def _layers(self) -> tuple[tuple[Ranking, int, tuple[int, int]], ...]:
        """What is inserted into: a ranking, how many entries, and the offsets before and after."""
        if self.relation is Neighbouring.REPLACE_ONE:
            distance = min(self.distance, self.n)
            return ((self.ranking(self.n - distance), distance, (0, 0)),) if distance else ()
        *smaller, _ = self.rankings
        offsets = list(accumulate((ranking.size for ranking in smaller), initial=0))
        return tuple(
            (ranking, 1, pair) for ranking, pair in zip(smaller, pairwise(offsets), strict=True)
        )

    @property
    def first_pair(self) -> tuple[int, int]:
        """The numbers of the first two neighbours."""
        return 0, 1 if self.relation is Neighbouring.REPLACE_ONE else self.rankings[0].size

    def entries(self, start: int, stop: int) -> list[tuple[int, ...]]:
        """Return the samples number start, ..., stop - 1, as tuples of elements."""
        found: list[tuple[int, ...]] = []
        for ranking in self.rankings:
            low, high = max(start, 0), min(stop, ranking.size)
            if low < high:
                rows = ranking.entries(np.arange(low, high, dtype=np.int64)).tolist()
                found += map(tuple, rows)
            start -= ranking.size
            stop -= ranking.size
        return found

    def cliques(self, start: int, stop: int) -> list[Ranks]:
        """Return the cliques in the units number start, ..., stop - 1.

        Returns
        -------
        list of arrays
            In each, every row holds the increasing numbers of samples, any two of them neighbours.
        """
        found = []
        for base, count, (before, after) in self._layers:
            low, high = max(start, 0), min(stop, base.insertions(count))
            if low < high:
                ranks, larger = base.inserted(low, high, count)
                if self.relation is Neighbouring.REPLACE_ONE:
                    found.append(larger)
                else:
                    smaller = np.broadcast_to(ranks[:, None], larger.shape)
                    found.append(
                        np.stack([smaller + before, larger + after], axis=-1).reshape(-1, 2)
                    )
            start -= base.insertions(count)
            stop -= base.insertions(count)
        return found


@dataclass(frozen=True)
class AnswersNearby(Neighbourhood):
    """Answers to queries, where a neighbour changes each, or only one, by at most 1.

    Any two values of a *window* are at most 1 apart, so a choice of windows is a clique.

    Attributes
    ----------
    values
        The value of each element.
    each
        Whether each answer may change; otherwise only one.
    """

    values: tuple[Fraction, ...] = ()
    each: bool = True

    @cached_property
    def _windows(self) -> Ranks:
        """The largest sets of elements at most 1 apart, one in a row, its last element repeated."""
        order = sorted(range(self.k), key=self.values.__getitem__)
        sets = [
            [j for j in order[place:] if self.values[j] <= self.values[i] + 1]
            for place, i in enumerate(order)
        ]
        # One that begins further up and ends where another does is a part of it.
        rows = [sorted(one) for k, one in enumerate(sets) if not k or one[-1] != sets[k - 1][-1]]
        longest = max(map(len, rows), default=0)
        padded = [row + row[-1:] * (longest - len(row)) for row in rows]
        return np.array(padded, dtype=np.int64).reshape(len(rows), longest)

    @cached_property
    def _near(self) -> list[tuple[int, int]]:
        places = range(self.k)
        values = self.values
        return [
            (i, j) for i in places for j in places if i != j and abs(values[i] - values[j]) <= 1
        ]

    @property
    def units(self) -> int:
        """How many choices of windows there are."""
        windows: int = len(self._windows) ** self.n
        if self.each:
            return windows
        return self.n * len(self._windows) * self.k ** (self.n - 1) if self.n else 0

    @property
    def pairs(self) -> int:
        """How many ordered pairs are examined."""
        if not self.n:
            return 0
        near, same = len(self._near), self.k
        moved: int = (near + same) ** self.n - same**self.n
        one: int = self.n * near * same ** (self.n - 1)
        return moved if self.each else one

    @property
    def width(self) -> int:
        """The most samples in a clique."""
        width: int = self._windows.shape[1] ** (self.n if self.each else 1)
        return width

    @property
    def pairs_in_a_unit(self) -> int:
        """The most ordered pairs in a clique."""
        return self.width * (self.width - 1)

    @property
    def first_pair(self) -> tuple[int, int]:
        """The numbers of the first two neighbours."""
        return min(self._near)

    def cliques(self, start: int, stop: int) -> list[Ranks]:
        """Return the cliques in the units number start, ..., stop - 1; some may occur twice."""
        units, windows = np.arange(start, stop, dtype=np.int64), self._windows
        if self.each:
            ranks = np.zeros((len(units), 1), dtype=np.int64)
            for chosen in Sequences(len(windows), self.n).entries(units).T:
                ranks = ranks[:, :, None] * self.k + windows[chosen][:, None, :]
                ranks = ranks.reshape(len(units), -1)
            return [ranks]
        others = self.k ** (self.n - 1)
        places, rest = np.divmod(units, len(windows) * others)
        chosen, rest = np.divmod(rest, others)
        weight = (self.k ** (self.n - 1 - places))[:, None]
        rest = rest[:, None]
        return [rest // weight * (weight * self.k) + rest % weight + weight * windows[chosen]]


@dataclass(frozen=True)
class Listed(Neighbourhood):
    """Listed pairs of samples only.

    Attributes
    ----------
    couples
        The pairs, each sample by the places of its elements.
    """

    couples: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        listed = dict.fromkeys(chain.from_iterable(self.couples))
        return {sample: number for number, sample in enumerate(listed)}

    @property
    def samples(self) -> int:
        """How many samples there are in these pairs."""
        return len(self._numbers)

    @property
    def units(self) -> int:
        """How many pairs there are."""
        return len(self.couples)

    @property
    def pairs(self) -> int:
        """How many ordered pairs are examined."""
        return 2 * len(self.couples)

    pairs_in_a_unit = width = 2

    @property
    def first_pair(self) -> tuple[int, int]:
        """The numbers of the first two neighbours."""
        return 0, 1

    def entries(self, start: int, stop: int) -> list[tuple[int, ...]]:
        """Return the samples number start, ..., stop - 1, as tuples of elements."""
        return list(self._numbers)[start:stop]

    def cliques(self, start: int, stop: int) -> list[Ranks]:
        """Return the pairs number start, ..., stop - 1."""
        numbers = [
            sorted(map(self._numbers.__getitem__, pair)) for pair in self.couples[start:stop]
        ]
        return [np.array(numbers, dtype=np.int64).reshape(-1, 2)]


def neighbourhood_of(instance: Instance) -> Neighbourhood:
    """Return the samples of an instance as numbers, and which are neighbours."""
    universe, n, relation = instance.universe, instance.n, instance.relation
    k = len(universe)
    if isinstance(relation, Neighbouring):
        symmetric = instance.symmetry is not Symmetry.NONE
        return Neighbourhood(k, n, relation, symmetric, instance.group_size, instance.least)
    if relation is Adjacency.LISTED:
        place = {element: number for number, element in enumerate(universe)}
        couples = tuple(
            (tuple(map(place.__getitem__, one)), tuple(map(place.__getitem__, other)))
            for one, other in instance.listed
        )
        return Listed(k, n, couples=couples)
    values = tuple(as_fraction(element, "domain") for element in universe)
    return AnswersNearby(k, n, values=values, each=relation is Adjacency.EACH_ANSWER)
