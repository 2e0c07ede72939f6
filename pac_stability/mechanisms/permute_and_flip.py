"""Permute-and-flip: the exponential mechanism's competitor, with an exact law and exact draws.

Its *bounded range*, how far apart two likelihood ratios of the same pair of laws can be, is larger.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.mechanisms import weights
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.draws import LazyCoin, enclosed_power
from pac_stability.randomness import SYSTEM_COINS, Coins


def bounded_range(p: FiniteDistribution[object], q: FiniteDistribution[object]) -> Fraction | float:
    """Return the largest quotient of two likelihood ratios, exactly.

    A mechanism is eta-bounded-range when this is at most ``e**eta`` for neighbours. It is then
    eta-private, and composes better than eta-private mechanisms do in general.

    Parameters
    ----------
    p, q
        The laws of the output on two neighbouring inputs.

    Returns
    -------
    Fraction or math.inf
        The maximum over outcomes a, b of ``(p(a) / q(a)) / (p(b) / q(b))``; symmetric in p and q,
        at least 1, and infinite when the supports differ.

    Notes
    -----
    Source: Durfee and Rogers, *Practical differentially private top-k selection with pay-what-you-
    get composition*, 2019.

    Examples
    --------
    >>> p = FiniteDistribution({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    >>> bounded_range(p, FiniteDistribution({"a": Fraction(1, 4), "b": Fraction(3, 4)}))
    Fraction(3, 1)
    """
    if set(p.support) != set(q.support):
        return math.inf
    ratios = [probability / q.probability(outcome) for outcome, probability in p.items()]
    return max(ratios) / min(ratios)


_SHORT = 1 << 12
"""Probabilities of so many bits are written out."""

Indices = npt.NDArray[np.int64]


class PreparedTurns:
    """A list of candidates, of which permute-and-flip takes one, over and over.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The errors are no integers below 2**63 in size, there are none, or the decay is out of
        range.

    Notes
    -----
    Every candidate has a coin of its own; whoever has the first turn among those whose coins say
    yes is taken. A draw has O(N/S) turns, S of N candidates being expected to say yes.

    Examples
    --------
    >>> turns = PreparedTurns([3, 5, 4, 3], Fraction(1, 2))
    >>> turns.draw() in range(4), turns.draws(5).shape
    (True, (5,))
    """

    def __init__(self, errors: weights.Scores, decay: Fraction) -> None:
        counts = weights.as_counts(errors)
        self._decay = weights.as_decay(decay)
        values, _ = weights.distinct_errors(counts)
        self._level: Indices = np.searchsorted(values, counts)
        self._excesses: list[int] = [value - int(values[0]) for value in values.tolist()]
        self._coins: dict[int, LazyCoin] = {}

    def draw(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return the index of a candidate, turn by turn.

        Parameters
        ----------
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        left = list(range(len(self._level)))
        while True:
            place = rng.below(len(left))
            left[place], left[-1] = left[-1], left[place]
            candidate = left.pop()
            if self._coin(int(self._level[candidate])).toss(rng):
                return candidate

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
        """
        return np.array([self.draw(rng) for _ in range(as_size(count, "count"))], dtype=np.int64)

    def _coin(self, level: int) -> LazyCoin:
        """Return the coin of a level, made when it is first asked for."""
        known = self._coins.get(level)
        if known is None:
            excess, decay = self._excesses[level], self._decay
            if excess * decay.denominator.bit_length() <= _SHORT:
                known = LazyCoin.of(decay**excess)
            else:
                known = LazyCoin(lambda bits: enclosed_power(excess, decay, bits))
            self._coins[level] = known
        return known


X = TypeVar("X")
Y = TypeVar("Y")


@dataclass(frozen=True, slots=True)
class PermuteAndFlip(weights.Choosing[weights.In_contra, weights.Out_co]):
    """Go through the candidates in random order; take one with probability ``decay**excess``.

    The excess of a candidate is how many more errors it has than the best one, which is taken when
    its turn comes.

    Parameters
    ----------
    candidates
        What may be chosen: at least one, distinct and hashable.
    errors
        A function of the input: one integer for each candidate, in order, lower is better.
    decay
        rho, an exact number above 0 and at most 1.
    sensitivity
        By how much the errors of one candidate can differ between neighbouring inputs.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the errors are not one integer for each candidate.

    Notes
    -----
    Private with ``e**epsilon = rho**(-2 sensitivity)`` like the exponential mechanism with the
    same decay, and never worse in expected errors. The factor is attained by two candidates that
    are 2 sensitivity apart on one input and level on its neighbour.

    Its *bounded range* is larger than that of the exponential mechanism, which is again ``rho**(-2
    sensitivity)``: with two candidates it is ``(2 rho**-sensitivity - 1)**2``, attained where they
    exchange errors k and k + sensitivity. So a composition theorem for bounded range must not be
    applied to it with epsilon in place of the range (see
    :func:`~pac_stability.mechanisms.bounded_range`).

    A draw asks at most two questions for each candidate passed over, so that its time tells how
    many these were; with :meth:`prepare` the errors are asked for once. The law is the integral
    ``p_i * int_0^1 prod_{j != i} (1 - p_j x) dx``, x being the time at which i has its turn when
    all turns are at independent uniform times: O(N**2) operations on fractions.

    Source: McKenna and Sheldon, *Permute-and-flip: a new mechanism for differentially private
    selection*, 2020.

    Examples
    --------
    >>> def misses(votes: tuple[int, ...]) -> list[int]:
    ...     return [sum(v != c for v in votes) for c in range(2)]
    >>> PermuteAndFlip(("a", "b"), misses, Fraction(1, 2)).law((0, 0, 1))
    FiniteDistribution({'a': 3/4, 'b': 1/4})
    """

    @staticmethod
    def from_epsilon(
        candidates: Sequence[Y],
        errors: Callable[[X], weights.Scores],
        epsilon: Epsilon | AnyNumber,
        *,
        sensitivity: int = 1,
    ) -> PermuteAndFlip[X, Y]:
        """Return the mechanism that spends at most epsilon, and nearly all of it.

        Parameters
        ----------
        candidates, errors, sensitivity
            As for the class.
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` makes the decay of it.

        Examples
        --------
        >>> chooser = PermuteAndFlip.from_epsilon("ab", lambda bit: [bit, 1 - bit], 1.0)
        >>> chooser.guarantee.factor <= Epsilon(1.0).ratio
        True
        """
        decay = weights.decay_for(epsilon, 2 * as_size(sensitivity, "sensitivity", least=1))
        return PermuteAndFlip(tuple(candidates), errors, decay, sensitivity)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee; its delta is 0."""
        return PrivacyGuarantee(Epsilon.exactly(self.decay ** (-2 * self.sensitivity)))

    def law(self, x: weights.In_contra, /) -> FiniteDistribution[weights.Out_co]:
        """Return the law of the choice.

        Parameters
        ----------
        x
            The input of ``errors``.
        """
        errors: list[int] = self._counts(x).tolist()
        best = min(errors)
        excesses = [error - best for error in errors]
        taken = [self.decay**excess for excess in excesses]
        # The coefficients of the product of all 1 - p x, lowest first.
        everyone = [Fraction(1)]
        for p in taken:
            unshifted, shifted = [*everyone, Fraction(0)], [Fraction(0), *everyone]
            everyone = [a - p * b for a, b in zip(unshifted, shifted, strict=True)]
        by_excess = {excess: _turn(self.decay**excess, everyone) for excess in set(excesses)}
        return FiniteDistribution(
            dict(zip(self.candidates, (by_excess[e] for e in excesses), strict=True))
        )

    def prepare(self, x: weights.In_contra, /) -> PreparedTurns:
        """Return what draws candidates for one input, by their indices: errors are asked for once.

        The guarantee is of one draw; several spend more. The object itself is as private as the
        input.

        Parameters
        ----------
        x
            The input of ``errors``.

        Examples
        --------
        >>> chooser = PermuteAndFlip("ab", lambda bit: [bit, 1 - bit], Fraction(1, 2))
        >>> prepared = chooser.prepare(0)
        >>> chooser.candidates[prepared.draw()] in "ab", prepared.draws(1000).shape
        (True, (1000,))
        """
        return PreparedTurns(self._counts(x), self.decay)


def _turn(p: Fraction, everyone: list[Fraction]) -> Fraction:
    """Return the probability that one of those with probability p is taken.

    It is p times the integral over 0..1 of the product of the others' factors: that of everyone's,
    divided by 1 - p x.
    """
    others = Fraction(0)  # the coefficient of the quotient
    integral = Fraction(0)
    for power, coefficient in enumerate(everyone[:-1], start=1):
        others = coefficient + p * others
        integral += others / power
    return p * integral
