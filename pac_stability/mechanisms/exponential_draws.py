"""Exact draws with exponential weights, however long the weights would be in full."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size
from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.enclosed_draws import (
    BorderedChoice,
    Enclosures,
    enclosed_powers,
    settled_choice,
)
from pac_stability.mechanisms.lazy_coins import LazyCoin, below_each, words
from pac_stability.mechanisms.weights import (
    Masses,
    Prior,
    Scores,
    as_counts,
    as_masses,
    as_prior,
    ascending,
    levels_of,
)
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

_SHORT = 1 << 16
"""Weights of so many bits in all are written out."""

_WORD = 64
"""How many bits of a uniform number are drawn at first."""

_GUARD = 32
"""Bits of the weights beyond those of the uniform number."""

_FEW = 4
"""So many draws with short weights are single questions, which a tape can follow."""

Indices = npt.NDArray[np.int64]


class PreparedChoice:
    """A list of candidates, each to be drawn with probability in proportion to ``decay**errors``.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.
    prior
        What else multiplies the weights: a positive exact number for each candidate, or an array of
        integers. It must not depend on private data.

    Raises
    ------
    InvalidInput
        The errors are no integers below 2**63 in size, there are none, the decay is out of range,
        or the prior is not one positive exact number for each.

    Notes
    -----
    Candidates with equal errors form a level. First a level is drawn, then one of its members, by
    their prior. Where the weights are short, the level is chosen among these integers, otherwise
    among certified enclosures, which are refined where the 64 first bits of a uniform number do not
    decide: see :func:`~pac_stability.mechanisms.enclosed_choice`.

    O(N log N) on machine integers for N candidates, once; for L levels that are not negligible and
    a range of K errors ``O(L + sqrt(K) log K)`` products of about 100 bits, once; then O(log L) for
    a draw of a batch, and O(N) for a single one before there was a batch.

    Examples
    --------
    >>> choice = PreparedChoice([3, 5, 4, 3], Fraction(1, 2))
    >>> choice.draw() in range(4), choice.draws(5).shape
    (True, (5,))
    """

    def __init__(self, errors: Scores, decay: Fraction, prior: Prior | None = None) -> None:
        self._counts = as_counts(errors)
        self._decay = as_decay(decay)
        self._masses: Masses | None = None
        if prior is not None:
            self._masses = as_masses(as_prior(prior, len(self._counts)))
        self._levels = levels_of(self._counts, self._masses)
        self._excesses = [value - self._levels.errors[0] for value in self._levels.errors]
        bits = self._excesses[-1] * len(self._excesses) * self._decay.denominator.bit_length()
        self.short: bool = bits <= _SHORT
        self._drawn = False
        self._kept: tuple[int, tuple[list[int], list[int], int, int]] | None = None

    def draw(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return the index of a candidate.

        Parameters
        ----------
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        if self.short:
            return self._member(rng.choose(self._written), rng)
        digits = rng.below(1 << _WORD)
        if self._drawn:
            (level,) = self._levels_at(np.array([digits], dtype=np.uint64), rng).tolist()
        else:  # borders are worth their divisions from the second draw on
            self._drawn = True
            level = settled_choice(digits, _WORD, self._enclosed, rng)
        return self._member(level, rng)

    def draws(self, count: int, rng: Coins = SYSTEM_COINS) -> Indices:
        """Return the indices of independent draws.

        Parameters
        ----------
        count
            How many.
        rng
            Where the coins come from; the operating system's entropy by default.

        Returns
        -------
        array of int64, shape (count,)

        Notes
        -----
        Words of 64 bits are compared with certified borders in array operations; what they leave
        open is refined one by one.
        """
        size = as_size(count, "count")
        if size <= _FEW and self.short:
            return np.array([self.draw(rng) for _ in range(size)], dtype=np.int64)
        levels = self._levels_at(words(size, rng), rng)
        order, starts, sizes = self._members
        if self._masses is not None:
            return np.array([self._member(level, rng) for level in levels.tolist()], dtype=np.int64)
        return np.asarray(order[starts[levels] + below_each(sizes[levels], rng)])

    def coin(self, labels: npt.NDArray[Any]) -> LazyCoin:
        """Return the coin that shows the label of a candidate that is drawn.

        Parameters
        ----------
        labels
            A label for each candidate, 0 or 1, shape (N,).

        Notes
        -----
        O(N), and then a sum for each level: the candidate itself is never drawn.
        """
        chosen = np.flatnonzero(labels)
        ones = self._mass_of(chosen)
        if self.short:
            one = _weighed(ones, self._levels.weights(self._decay))
            return LazyCoin.of(Fraction(one, self._written.total))
        return LazyCoin(self._share(ones))

    def _share(self, ones: list[int]) -> Callable[[int], tuple[int, int]]:
        def bounds(bits: int) -> tuple[int, int]:
            floors, ceilings, least, most = self._powers(bits)
            one, one_more = _weighed(ones, floors), _weighed(ones, ceilings)
            zero, zero_more = least - one, most - one_more
            return (one << bits) // (one + zero_more), -(-(one_more << bits) // (one_more + zero))

        return bounds

    def _levels_at(self, digits: npt.NDArray[np.uint64], rng: Coins) -> Indices:
        """Return the levels that uniform numbers choose, of which 64 bits are known."""
        return self._bordered.at(digits, rng)

    def _mass_of(self, chosen: Indices) -> list[int]:
        """Return how much of each level's prior belongs to some of the candidates."""
        level = np.searchsorted(self._levels.errors, self._counts[chosen])
        masses: Masses = np.ones(len(chosen), dtype=np.int64)
        if self._masses is not None:
            masses = self._masses[chosen]
        sums = np.zeros(len(self._excesses), dtype=masses.dtype)
        np.add.at(sums, level, masses)
        part: list[int] = sums.tolist()
        return part

    @cached_property
    def _written(self) -> WeightedChoice:
        pairs = zip(self._levels.masses, self._levels.weights(self._decay), strict=True)
        return WeightedChoice([mass * weight for mass, weight in pairs])

    def _powers(self, bits: int) -> tuple[list[int], list[int], int, int]:
        """Enclose the weight of each level, and of all; kept, as coins begin alike."""
        if self._kept is None or self._kept[0] != bits:
            floors, ceilings = enclosed_powers(self._excesses, self._decay, bits + _GUARD)
            masses = self._levels.masses
            everything = _weighed(masses, floors), _weighed(masses, ceilings)
            self._kept = bits, (floors, ceilings, *everything)
        return self._kept[1]

    def _enclosed(self, bits: int) -> Enclosures:
        floors, ceilings, _, _ = self._powers(bits)
        masses = self._levels.masses
        return (
            [mass * low for mass, low in zip(masses, floors, strict=True)],
            [mass * high for mass, high in zip(masses, ceilings, strict=True)],
        )

    @cached_property
    def _bordered(self) -> BorderedChoice:
        return BorderedChoice(self._enclosed)

    @cached_property
    def _members(self) -> tuple[Indices, Indices, Indices]:
        """The candidates by their errors, where each level begins, and how many are in it."""
        order = ascending(self._counts)
        errors = self._counts[order]
        starts = np.append(0, 1 + np.flatnonzero(errors[1:] != errors[:-1]))
        return order, starts, np.diff(np.append(starts, len(order)))

    def _member(self, level: int, rng: Coins) -> int:
        """Return a candidate of a level."""
        if "_members" in self.__dict__:
            order, starts, sizes = self._members
            members = order[starts[level] : starts[level] + sizes[level]]
        else:  # for one draw a look at all is less than to sort them
            members = np.flatnonzero(self._counts == self._levels.errors[level])
        if self._masses is None:
            return int(members[rng.below(len(members))])
        return int(members[rng.choose(WeightedChoice(self._masses[members].tolist()))])


def exponential_choice(
    errors: Scores,
    decay: Fraction,
    rng: Coins = SYSTEM_COINS,
    *,
    prior: Prior | None = None,
) -> int:
    """Return the index of a candidate, drawn with probability in proportion to ``decay**errors``.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.
    rng
        Where the coins come from; the operating system's entropy by default.
    prior
        What else multiplies the weights: a positive exact number for each candidate, or an array of
        integers. Only their proportions matter. It must not depend on private data.

    Returns
    -------
    int
        The index i has exactly the probability ``prior[i] * decay**errors[i]`` over the sum of
        these; without a prior it is as if all were equal.

    Raises
    ------
    InvalidInput
        The errors are no integers below 2**63 in size, there are none, the decay is out of range,
        or the prior is not one positive exact number for each.

    Notes
    -----
    Candidates with equal errors form a level. First a level is drawn, then one of its members, by
    their prior. Where the weights are short, the level is chosen among these integers, otherwise
    among certified enclosures: :func:`~pac_stability.mechanisms.enclosed_choice`. For 10,000
    candidates and a range of a million errors, 64 bits of the uniform number leave the level open
    with a probability below ``2**-40``.

    O(N log N) on machine integers for N candidates; for L levels that are not negligible and a
    range of K errors, ``O(L + sqrt(K) log K)`` products of about 100 bits.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> decay = 1 - Fraction(1, 10**6)
    >>> draws = [exponential_choice([0, 10**6], decay, SeededCoins(seed)) for seed in range(1000)]
    >>> sum(draws)  # 1 has the probability 1 / (1 + e), nearly: 0.269
    269
    """
    return PreparedChoice(errors, decay, prior).draw(rng)


def _weighed(masses: list[int], weights: list[int]) -> int:
    return sum(map(mul, masses, weights))
