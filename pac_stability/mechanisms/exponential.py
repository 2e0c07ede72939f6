"""Mechanisms that prefer candidates with few errors: rational weights, exact laws, exact draws.

The exponential mechanism chooses with probability proportional to a weight for each error.  First
comes a choice with prepared weights, which reads no more random bits than it needs, however long
the full weights would be; then the mechanism, and the learner that uses it.

Its competitor, permute-and-flip, goes through the candidates in random order and accepts each with
probability equal to its weight relative to the best.  It errs less, but has a larger *bounded
range*: the largest quotient of two likelihood ratios of the same pair of laws.

Last comes the release of one label, where each outcome reveals little about one person: noise on a
prediction, randomized response, and votes.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability import arguments
from pac_stability.arguments import as_size
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval
from pac_stability.arithmetic.epsilon import as_epsilon, require_epsilon
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.distribution import label_law, reduced_law
from pac_stability.data.tape import one_draw
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.draws import (
    BorderedChoice,
    Choosing,
    Enclosures,
    ErrorCounts,
    In_contra,
    LazyCoin,
    Masses,
    Out_co,
    Prior,
    Scores,
    as_candidates,
    as_counts,
    as_decay,
    as_masses,
    as_prior,
    ascending,
    below_each,
    decay_for,
    distinct_errors,
    enclosed_power,
    enclosed_powers,
    exponential_weights,
    levels_of,
    settled_choice,
    words,
)
from pac_stability.mechanisms.noise import clamped_noise
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
        Further factors of the weights: a positive exact number for each candidate, or an array of
        integers. They must not depend on private data.

    Raises
    ------
    InvalidInput
        The errors are not integers below 2**63 in size, there are none, the decay is out of range,
        or the prior is not one positive exact number for each candidate.

    Notes
    -----
    Candidates with equal errors form a level. First a level is drawn, then one of its members, by
    their prior. The level is chosen among the weights as integers if they are short, otherwise
    among certified enclosures, which are refined if the first 64 bits of a uniform number do not
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
            The source of coins; by default the operating system's entropy.
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
            The source of coins; by default the operating system's entropy.

        Returns
        -------
        array of int64, shape (count,)

        Notes
        -----
        Array operations compare words of 64 bits with certified borders; the few open draws are
        refined one by one.
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
        """Return the coin that shows the label of a drawn candidate.

        Parameters
        ----------
        labels
            A label for each candidate, 0 or 1, shape (N,).

        Notes
        -----
        O(N), and then a sum for each level; it never draws the candidate itself.
        """
        ones = self._mass_of(np.flatnonzero(labels))
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
    errors: Scores, decay: Fraction, rng: Coins = SYSTEM_COINS, *, prior: Prior | None = None
) -> int:
    """Return the index of a candidate, drawn with probability in proportion to ``decay**errors``.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.
    rng
        The source of coins; by default the operating system's entropy.
    prior
        Further factors of the weights: a positive exact number for each candidate, or an array of
        integers. Only their proportions matter. They must not depend on private data.

    Returns
    -------
    int
        The index i has exactly the probability ``prior[i] * decay**errors[i]`` over the sum of
        these; without a prior all factors are equal.

    Raises
    ------
    InvalidInput
        The errors are not integers below 2**63 in size, there are none, the decay is out of range,
        or the prior is not one positive exact number for each candidate.

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


# The exponential mechanism

X = TypeVar("X")
Y = TypeVar("Y")


@dataclass(frozen=True, slots=True)
class ExponentialMechanism(Choosing[In_contra, Out_co]):
    """Choose a candidate with probability in proportion to ``prior * decay**errors``.

    Parameters
    ----------
    candidates
        The candidates: at least one, distinct and hashable.
    errors
        A function of the input: one integer for each candidate, in order, lower is better. An
        array of integers is fastest.
    decay
        rho, the factor for each error: an exact number above 0 and at most 1 (at 1 the choice is
        uniform). :meth:`from_epsilon` finds one for a given epsilon.
    sensitivity
        The largest difference of one candidate's errors between neighbouring inputs.
    monotone
        Whether the errors of all candidates change in the same direction between neighbouring
        inputs, as when an example is *added* to a sample.
    prior
        The base measure: a positive exact number for each candidate, in order. Only the proportions
        matter; they are kept as integers in lowest terms. By default all are equal. It is public
        and fixed before the data are seen.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the errors are not one integer for each candidate.

    Notes
    -----
    Privacy: on neighbouring inputs the weight of a candidate changes by a factor of at most
    ``rho**-sensitivity``, and so does the sum of the weights; when the errors are monotone the two
    changes have the same direction. So the output is private with ``e**epsilon = rho**(-2
    sensitivity)``, or ``rho**-sensitivity`` when monotone. No smaller factor holds for all finite
    sets of candidates. In the papers rho is ``e**(-epsilon/2)``.

    The prior does not change this. It multiplies a candidate's weight on both inputs alike and
    cancels in their ratio; and if each term of a sum changes by a factor of at most
    ``rho**-sensitivity``, so does the sum, with any factors. (Integer weights are the mechanism
    without a prior on a list that repeats the candidates.) This fails for a prior that depends on
    the data, because the prior then changes too.

    Accuracy: if some candidate has k errors and prior p, as a share of the total, then with
    probability at least 1 - beta the output has no more than ``k + log(1/(p beta)) / log(1/rho)``
    errors. So a large list is affordable if simple candidates have more of the prior.

    Stability: the log odds of a 0/1 value computed from the output change by at most epsilon, so
    its probability changes by at most ``tanh(epsilon/4)``. That is :attr:`stability`, attained by
    two candidates that are equally likely without data, unless the errors are monotone, when it is
    an upper bound.

    Concentration: the log-likelihood ratios of two neighbouring inputs lie in an interval of length
    epsilon, so their variance is at most epsilon**2/4 under every tilt. Integrating twice, the
    Renyi divergence of order a is at most a epsilon**2/8: :attr:`concentration`.

    A draw is :func:`~pac_stability.mechanisms.exponential_choice`: exact, and fast for any errors.
    The integers of a law have as many bits as the range of the errors times the bits of the
    denominator. Powers of two for denominators, which :meth:`from_epsilon` and :meth:`base_two`
    make, are short.

    Sources: McSherry and Talwar, *Mechanism design via differential privacy*, 2007; DF20
    Definition of A^exp and Lemma 7; base 2: Ilvento, *Implementing the exponential mechanism with
    base-2 differential privacy*, 2020;
    concentration: Cesar and Rogers, *Bounding, concentrating, and truncating*, 2021.

    Examples
    --------
    >>> def misses(votes: tuple[int, ...]) -> list[int]:
    ...     return [sum(v != c for v in votes) for c in range(3)]
    >>> choose = ExponentialMechanism(("a", "b", "c"), misses, Fraction(1, 2))
    >>> choose.law((0, 0, 1))
    FiniteDistribution({'a': 4/7, 'b': 2/7, 'c': 1/7})
    >>> choose.guarantee.factor, choose.run((0, 0, 1)) in "abc"
    (Fraction(4, 1), True)
    >>> rather_c = ExponentialMechanism(("a", "b", "c"), misses, Fraction(1, 2), prior=(1, 1, 4))
    >>> rather_c.law((0, 0, 1)), rather_c.guarantee == choose.guarantee
    (FiniteDistribution({'a': 2/5, 'b': 1/5, 'c': 2/5}), True)
    """

    monotone: bool = False
    prior: Sequence[int | Fraction] | None = None

    def __post_init__(self) -> None:
        Choosing.__post_init__(self)
        if self.prior is not None:
            object.__setattr__(self, "prior", as_prior(self.prior, len(self.candidates)))

    @staticmethod
    def from_epsilon(
        candidates: Sequence[Y],
        errors: Callable[[X], Scores],
        epsilon: EpsilonLike,
        *,
        sensitivity: int = 1,
        monotone: bool = False,
        prior: Sequence[int | Fraction] | None = None,
    ) -> ExponentialMechanism[X, Y]:
        """Return the mechanism that spends almost all of epsilon, and never more.

        Parameters
        ----------
        candidates, errors, sensitivity, monotone, prior
            As for the class.
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.

        Examples
        --------
        >>> chooser = ExponentialMechanism.from_epsilon("ab", lambda bit: [bit, 1 - bit], 1.0)
        >>> chooser.decay, chooser.guarantee.factor <= Epsilon(1.0).ratio
        (Fraction(158999, 262144), True)
        """
        changes = as_size(sensitivity, "sensitivity", least=1) * (1 if monotone else 2)
        decay = decay_for(epsilon, changes)
        return ExponentialMechanism(tuple(candidates), errors, decay, sensitivity, monotone, prior)

    @staticmethod
    def base_two(
        candidates: Sequence[Y],
        errors: Callable[[X], Scores],
        halvings: int = 1,
        *,
        sensitivity: int = 1,
        monotone: bool = False,
        prior: Sequence[int | Fraction] | None = None,
    ) -> ExponentialMechanism[X, Y]:
        """Return the mechanism of weights ``2**(-halvings * errors)``: the base-2 variant.

        Parameters
        ----------
        candidates, errors, sensitivity, monotone, prior
            As for the class.
        halvings
            The number of halvings of the weight for each error. The guarantee is ``4**(halvings *
            sensitivity)``.

        Notes
        -----
        The weights are powers of two. :meth:`from_epsilon` uses bases in between, multiples of a
        power of 1/2.

        Examples
        --------
        >>> ExponentialMechanism.base_two("ab", lambda bit: [bit, 1 - bit]).law(0)
        FiniteDistribution({'a': 2/3, 'b': 1/3})
        """
        decay = Fraction(1, 1 << as_size(halvings, "halvings", least=1))
        return ExponentialMechanism(tuple(candidates), errors, decay, sensitivity, monotone, prior)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee; its delta is 0."""
        changes = self.sensitivity * (1 if self.monotone else 2)
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-changes))

    @property
    def stability(self) -> Fraction:
        """The most that the probability of a 0/1 value of the output can change."""
        step = self.decay**self.sensitivity
        return (1 - step) / (1 + step)

    @property
    def concentration(self) -> Interval:
        """A rho for which the mechanism is rho-zero-concentrated private: ``epsilon**2 / 8``."""
        epsilon = Interval.log(self.guarantee.factor)
        return epsilon * epsilon / 8

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
        """Return the law of the choice.

        Parameters
        ----------
        x
            The input of ``errors``.
        """
        weights = exponential_weights(self._counts(x), self.decay, self.prior)
        return reduced_law(dict(zip(self.candidates, weights, strict=True)))

    def prepare(self, x: In_contra, /) -> PreparedChoice:
        return PreparedChoice(self._counts(x), self.decay, self.prior)


def exponential_learner(
    hypotheses: FiniteClass, decay: Fraction, prior: Sequence[int | Fraction] | None = None
) -> ExponentialMechanism[Sample[Hashable], Row]:
    """Return the learner that draws a hypothesis with weight decay to the power of its errors.

    Parameters
    ----------
    hypotheses
        H, not empty.
    decay
        rho; :func:`~pac_stability.mechanisms.decay_for` finds one for a given epsilon.
    prior
        A positive exact number for each row; by default they are all equal.

    Returns
    -------
    ExponentialMechanism
        Its outputs are the hypotheses ``H[i]``, callable at every point, ``.index`` being the row.
        Replacing an example changes each count by at most one, in either direction, so the learner
        is private with the factor ``rho**-2``, and the label that its output gives to any point is
        (1 - rho)/(1 + rho)-stable.

    Raises
    ------
    InvalidInput
        The class is empty, or the decay out of range.

    Notes
    -----
    DF20 Definition of A^exp with ``rho = e**(-epsilon/2)``; BLM20's generic learner; CLNRW16
    Algorithm 1 with ``rho = e**(-c/n)``.

    Examples
    --------
    >>> learner = exponential_learner(FiniteClass([[0, 0], [0, 1]]), Fraction(1, 2))
    >>> learner.law(Sample([1, 1], [1, 1])).map(lambda h: h(1))
    FiniteDistribution({0: 1/5, 1: 4/5})
    """
    return ExponentialMechanism(tuple(hypotheses), ErrorCounts(hypotheses), decay, prior=prior)


# Permute-and-flip


def bounded_range(p: FiniteDistribution[object], q: FiniteDistribution[object]) -> Fraction | float:
    """Return the largest quotient of two likelihood ratios, exactly.

    A mechanism is eta-bounded-range when this is at most ``e**eta`` for neighbours. It is then
    eta-private and composes better than eta-private mechanisms in general.

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


_FEW_TURNS = 1 << 12
"""Probabilities of so many bits are written out."""


class PreparedTurns:
    """A list of candidates, prepared for repeated draws by permute-and-flip.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The errors are not integers below 2**63 in size, there are none, or the decay is out of
        range.

    Notes
    -----
    Every candidate has its own coin; the draw is the first candidate in the random order whose coin
    says yes. A draw has O(N/S) turns if S of N coins are expected to say yes.

    Examples
    --------
    >>> turns = PreparedTurns([3, 5, 4, 3], Fraction(1, 2))
    >>> turns.draw() in range(4), turns.draws(5).shape
    (True, (5,))
    """

    def __init__(self, errors: Scores, decay: Fraction) -> None:
        counts = as_counts(errors)
        self._decay = as_decay(decay)
        values, _ = distinct_errors(counts)
        self._level: Indices = np.searchsorted(values, counts)
        self._excesses: list[int] = [value - int(values[0]) for value in values.tolist()]
        self._coins: dict[int, LazyCoin] = {}

    def draw(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return the index of a candidate, turn by turn.

        Parameters
        ----------
        rng
            The source of coins; by default the operating system's entropy.
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
            The source of coins; by default the operating system's entropy.

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
            if excess * decay.denominator.bit_length() <= _FEW_TURNS:
                known = LazyCoin.of(decay**excess)
            else:
                known = LazyCoin(lambda bits: enclosed_power(excess, decay, bits))
            self._coins[level] = known
        return known


@dataclass(frozen=True, slots=True)
class PermuteAndFlip(Choosing[In_contra, Out_co]):
    """Go through the candidates in random order; take one with probability ``decay**excess``.

    The excess of a candidate is the number of errors that it has beyond the best one; a best one is
    accepted on its turn.

    Parameters
    ----------
    candidates
        The candidates: at least one, distinct and hashable.
    errors
        A function of the input: one integer for each candidate, in order, lower is better.
    decay
        rho, an exact number above 0 and at most 1.
    sensitivity
        The largest difference of one candidate's errors between neighbouring inputs.

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

    A draw tosses at most two coins for each candidate passed over, so its time reveals how many
    there were; :meth:`prepare` computes the errors once. The law is the integral ``p_i * int_0^1
    prod_{j != i} (1 - p_j x) dx``, where x is the time of i's turn when all turns are at
    independent uniform times: O(N**2) operations on fractions.

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
        errors: Callable[[X], Scores],
        epsilon: EpsilonLike,
        *,
        sensitivity: int = 1,
    ) -> PermuteAndFlip[X, Y]:
        """Return the mechanism that spends almost all of epsilon, and never more.

        Parameters
        ----------
        candidates, errors, sensitivity
            As for the class.
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.

        Examples
        --------
        >>> chooser = PermuteAndFlip.from_epsilon("ab", lambda bit: [bit, 1 - bit], 1.0)
        >>> chooser.guarantee.factor <= Epsilon(1.0).ratio
        True
        """
        decay = decay_for(epsilon, 2 * as_size(sensitivity, "sensitivity", least=1))
        return PermuteAndFlip(tuple(candidates), errors, decay, sensitivity)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee; its delta is 0."""
        return PrivacyGuarantee(Epsilon.exactly(self.decay ** (-2 * self.sensitivity)))

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
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

    def prepare(self, x: In_contra, /) -> PreparedTurns:
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


_HALF = Fraction(1, 2)
_ONE = Epsilon.exactly(1)


@dataclass(frozen=True, slots=True)
class Flip:
    """Output the label, or with a given probability the other one.

    Applied to a predicted label it maps the probability p of label 1 to ``z + (1 - 2z) p``. It
    turns stable predictions into private ones: :meth:`factor_after`.

    Parameters
    ----------
    probability
        z, an exact number from 0 to 1/2.

    Raises
    ------
    InvalidInput
        The probability is out of range or not exact; on use, the input is not a label.

    Notes
    -----
    DF20 Corollary 2, where z is the accuracy alpha. Beyond 1/2 a flip inverts predictions, and the
    corollary's bound does not hold.

    Examples
    --------
    >>> Flip(Fraction(1, 10)).law(1)
    FiniteDistribution({1: 9/10, 0: 1/10})
    """

    probability: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "probability", arguments.as_probability(self.probability, "probability", _HALF)
        )

    def law(self, x: int, /) -> FiniteDistribution[int]:
        """Return the law of the output.

        Parameters
        ----------
        x
            A label.
        """
        label = arguments.as_label(x, "x")
        return FiniteDistribution({label: 1 - self.probability, 1 - label: self.probability})

    @one_draw
    def run(self, x: int, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            A label.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return arguments.as_label(x, "x") ^ rng.bernoulli(self.probability)

    def factor_after(self, delta: Fraction, epsilon: EpsilonLike = _ONE) -> Fraction | float:
        """Return the factor ``e**epsilon`` of flipped predictions, exactly.

        Parameters
        ----------
        delta
            The predictions before the flip are (epsilon, delta)-private.
        epsilon
            Zero by default: (0, gamma)-private prediction is gamma-uniform stability.

        Returns
        -------
        Fraction or math.inf
            The least factor that holds for all such predictions. After a gamma-stable predictor it
            is ``1 + (1 - 2z) gamma / z``; in general ``max{1 + (1 - 2z) delta / z, (z + (1 - 2z) (1
            - u)) / (z + (1 - 2z) u)}`` with ``u = (1 - delta) / (1 + e**epsilon)``. Infinite for z
            = 0 and positive delta.

        Notes
        -----
        The pairs (p, p') that (epsilon, delta) allows form a polygon, over which the ratio of the
        flipped probabilities is largest in a corner: (delta, 0), or (1 - u, u). DF20 Corollary 2
        and the last step of Theorem 3.

        Examples
        --------
        >>> Flip(Fraction(1, 10)).factor_after(Fraction(1, 100))
        Fraction(27, 25)
        """
        z, delta = self.probability, arguments.as_probability(delta, "delta")
        if z == 0 and delta > 0:
            return math.inf
        u = (1 - delta) / (1 + as_epsilon(epsilon).ratio)
        mixed = (z + (1 - 2 * z) * (1 - u)) / (z + (1 - 2 * z) * u)
        return max(1 + (1 - 2 * z) * delta / z, mixed) if z else mixed

    def largest_stability(self, epsilon: EpsilonLike) -> Fraction:
        """Return the largest gamma such that flipped gamma-stable predictions are epsilon-private.

        Parameters
        ----------
        epsilon
            The privacy wanted.

        Returns
        -------
        Fraction
            ``z (e**epsilon - 1) / (1 - 2z)``, and at most 1.

        Examples
        --------
        >>> Flip(Fraction(1, 10)).largest_stability(Epsilon.exactly(Fraction(27, 25)))
        Fraction(1, 100)
        """
        z, gain = self.probability, as_epsilon(epsilon).ratio - 1
        kept = 1 - 2 * z
        return min(Fraction(1), z * gain / kept) if kept else Fraction(1)


@dataclass(frozen=True, slots=True)
class ClippedLabel:
    """Output label 1 with the given probability, moved into the interval from z to 1 - z.

    Unlike :class:`Flip`, which mixes, it clips: it distorts only predictions that are nearly
    certain. Its input is the probability of label 1, as an exact number.

    Parameters
    ----------
    margin
        z, an exact number from 0 to 1/2.

    Raises
    ------
    InvalidInput
        The margin is out of range or not exact; on use, the input is not an exact probability.

    Examples
    --------
    >>> ClippedLabel(Fraction(1, 10)).law(Fraction(1))
    FiniteDistribution({1: 9/10, 0: 1/10})
    """

    margin: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "margin", arguments.as_probability(self.margin, "margin", _HALF))

    def law(self, x: Fraction, /) -> FiniteDistribution[int]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The probability of label 1 before clipping.
        """
        return label_law(self._clipped(x))

    @one_draw
    def run(self, x: Fraction, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            The probability of label 1 before clipping.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return rng.bernoulli(self._clipped(x))

    def _clipped(self, x: Fraction) -> Fraction:
        return min(
            max(arguments.as_probability(arguments.as_fraction(x, "x"), "x"), self.margin),
            1 - self.margin,
        )

    def factor_after(self, stability: Fraction) -> Fraction | float:
        """Return the factor ``e**epsilon`` of clipped predictions that were gamma-stable, exactly.

        Parameters
        ----------
        stability
            gamma, an exact number from 0 to 1.

        Returns
        -------
        Fraction or math.inf
            ``1 + gamma / z``, but at most ``(1 - z) / z``: the worst predictions move from z up.

        Examples
        --------
        >>> ClippedLabel(Fraction(1, 10)).factor_after(Fraction(1, 100))
        Fraction(11, 10)
        """
        z, gamma = self.margin, arguments.as_probability(stability, "stability")
        if z == 0:
            return math.inf if gamma else Fraction(1)
        return min(z + gamma, 1 - z) / z


# Randomized response

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class RandomizedResponse(Generic[V]):
    """Tell the truth with odds ``e**epsilon`` to 1 against each of the other values.

    Parameters
    ----------
    values
        The k possible values: at least one, distinct and hashable.
    epsilon
        The privacy parameter, an :class:`~pac_stability.arithmetic.Epsilon`.

    Raises
    ------
    InvalidInput
        A parameter is wrong; on use, the input is not one of the values.

    Notes
    -----
    Private with exactly ``e**epsilon`` for any change of the input, when k is at least 2. With
    probability ``(t - 1) / (t + k - 1)`` for ``t = e**epsilon`` a draw is the true value, otherwise
    it is uniform over all k values. Source: Warner 1965.

    Examples
    --------
    >>> RandomizedResponse(("yes", "no"), Epsilon.exactly(3)).law("no")
    FiniteDistribution({'yes': 1/4, 'no': 3/4})
    """

    values: tuple[V, ...]
    epsilon: Epsilon

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", as_candidates(self.values, "values"))
        require_epsilon(self.epsilon)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee; its delta is 0."""
        return PrivacyGuarantee(self.epsilon)

    def law(self, x: V, /) -> FiniteDistribution[V]:
        """Return the law of the answer.

        Parameters
        ----------
        x
            The true value.
        """
        self._require_value(x)
        above, below = self.epsilon.ratio.as_integer_ratio()
        return reduced_law({**dict.fromkeys(self.values, below), x: above})

    @one_draw
    def run(self, x: V, /, rng: Coins = SYSTEM_COINS) -> V:
        """Return an answer.

        Parameters
        ----------
        x
            The true value.
        rng
            The source of coins; by default the operating system's entropy.
        """
        self._require_value(x)
        t, k = self.epsilon.ratio, len(self.values)
        return x if rng.bernoulli((t - 1) / (t + k - 1)) else self.values[rng.below(k)]

    def _require_value(self, x: V) -> None:
        arguments.require_hashable(x, "x")
        if x not in self.values:
            raise InvalidInput("x", arguments.described(x), f"one of the {len(self.values)} values")


# Votes


@dataclass(frozen=True, slots=True)
class _Vote(ABC):
    """A vote in which the probability of label 1 is a function of the votes for it, among all."""

    decay: Fraction

    _CHANGES: ClassVar[int] = 1  # how many times the decay enters the guarantee
    _BELOW_ONE: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay, below_one=self._BELOW_ONE))

    @classmethod
    def from_epsilon(cls, epsilon: EpsilonLike) -> Self:
        """Return the vote that is private with at most epsilon for any number of voters.

        Parameters
        ----------
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.

        Examples
        --------
        >>> SoftMajorityVote.from_epsilon(Epsilon.exactly(4)).decay
        Fraction(1, 2)
        >>> GeometricVote.from_epsilon(Epsilon.exactly(2)).decay
        Fraction(1, 2)
        """
        return cls(decay_for(epsilon, cls._CHANGES, below_one=cls._BELOW_ONE))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee for one vote replaced, whatever the number of voters."""
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-self._CHANGES))

    def stability(self, voters: int) -> Fraction:
        """Return by how much, at most and exactly, one vote changes the probability of a label.

        Parameters
        ----------
        voters
            r, their number.

        Returns
        -------
        Fraction
            The change if the other votes are split evenly, or nearly.

        Examples
        --------
        >>> soft, geometric = SoftMajorityVote(Fraction(1, 2)), GeometricVote(Fraction(1, 4))
        >>> soft.stability(3), soft.stability(2)
        (Fraction(1, 3), Fraction(3, 10))
        >>> geometric.stability(3), geometric.stability(2)
        (Fraction(3, 5), Fraction(3, 8))
        >>> NoisyMeanVote(Fraction(1, 2)).stability(3)
        Fraction(2, 9)
        """
        r = arguments.as_size(voters, "voters", least=1)
        v = (r - 1) // 2
        return self._one(v + 1, r) - self._one(v, r)

    def law(self, x: Iterable[int], /) -> FiniteDistribution[int]:
        """Return the law of the outcome.

        Parameters
        ----------
        x
            The votes, labels.
        """
        votes = arguments.as_labels(x, "x")
        return label_law(self._one(sum(votes), len(votes)))

    @one_draw
    def run(self, x: Iterable[int], /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            The votes, labels.
        rng
            The source of coins; by default the operating system's entropy.
        """
        votes = arguments.as_labels(x, "x")
        return rng.bernoulli(self._probability(sum(votes), len(votes), rng))

    def _probability(self, v: int, r: int, rng: Coins) -> Fraction:  # noqa: ARG002  # noise alone
        """Return the probability of label 1 in one run."""
        return self._one(v, r)

    @abstractmethod
    def _one(self, v: int, r: int) -> Fraction:
        """Return the probability of label 1 when v of r votes are for it."""


@dataclass(frozen=True, slots=True)
class SoftMajorityVote(_Vote):
    """Output a label with weight ``decay`` to the power of the votes against it.

    With v votes for label 1 among r, its log odds are ``epsilon (v - r/2)``, where
    ``decay = e**(-epsilon/2)``: the exponential mechanism on two labels.

    Parameters
    ----------
    decay
        sigma, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The decay is out of range; on use, there is no vote, or one is not a label.

    Notes
    -----
    Replacing one vote changes the log odds by epsilon, so the outcome is private with a factor
    below ``decay**-2``; :meth:`factor` is its exact value. The probability of a label changes by at
    most ``tanh(epsilon/4) = (1 - decay) / (1 + decay)`` when r is odd, and half of
    ``tanh(epsilon/2)`` when r is even: see :meth:`stability`. The aggregation of Dwork and Feldman
    that DF20 cites: the voters are learners on disjoint parts of a sample.

    Examples
    --------
    >>> SoftMajorityVote(Fraction(1, 2)).law((1, 1, 0))
    FiniteDistribution({1: 2/3, 0: 1/3})
    """

    _CHANGES: ClassVar[int] = 2

    def factor(self, voters: int) -> Fraction:
        """Return the exact factor ``e**epsilon`` for one vote replaced.

        Parameters
        ----------
        voters
            r, their number.

        Returns
        -------
        Fraction
            ``(1 + s**r) / (1 + s**(r - 2))`` with ``s = 1/decay``, attained at unanimity.

        Examples
        --------
        >>> SoftMajorityVote(Fraction(1, 2)).factor(3)
        Fraction(3, 1)
        """
        r, s = arguments.as_size(voters, "voters", least=1), 1 / self.decay
        return (1 + s**r) / (1 + s ** (r - 2))

    def _one(self, v: int, r: int) -> Fraction:
        return 1 / (1 + self.decay ** (2 * v - r))


@dataclass(frozen=True, slots=True)
class GeometricVote(_Vote):
    """Output the majority label after discrete Laplace noise; a fair coin decides a tie.

    A label with 2j + 1 fewer votes than the other has probability ``decay**j * decay / (1 +
    decay)``, one with 2j fewer votes has ``decay**j / 2``.

    Parameters
    ----------
    decay
        q, an exact number above 0 and at most 1; ``e**-epsilon``.

    Raises
    ------
    InvalidInput
        The decay is out of range; on use, there is no vote, or one is not a label.

    Notes
    -----
    Privacy. Replacing a vote moves the lead by 2, so the label that is behind becomes likelier by
    the factor 1/q or, when the lead changes sides, goes from ``q/(1 + q)`` to ``1/(1 + q)``: the
    factor 1/q again. The label in front moves by no larger factor. So the outcome is private with
    exactly the factor 1/q for every number of voters. The probability of a label changes by at most
    ``tanh(epsilon/2) = (1 - q) / (1 + q)`` when r is odd, and ``(1 - q) / 2`` when r is even.

    No vote with this privacy factor that treats the two labels alike errs less at any lead. Let
    p(m) be the probability of the label that is m votes behind. Across a lead of 1, ``1 - p(1) <=
    p(1)/q``, hence ``p(1) >= q/(1 + q)``; also ``p(0) = 1/2``; and ``p(m + 2) >= q p(m)``. It is
    :func:`~pac_stability.papers.dagan_feldman.private_least_error` of the lead, DF20's lower bound
    on private predictions. :class:`SoftMajorityVote`, which DF20's Lemma 9 uses, spends nearly all
    of epsilon only at large leads, and there it errs ``2 cosh(epsilon/2)`` times as often when r is
    odd, twice as often when r is even.

    Sources: the noise, Ghosh, Roughgarden and Sundararajan, *Universally utility-maximizing privacy
    mechanisms*, 2009; the votes, Papernot et al., *Semi-supervised knowledge transfer for deep
    learning from private training data*, 2017, with continuous noise.

    Examples
    --------
    The same guarantee, e**epsilon = 4, and the error of seven votes of nine for label 1:

    >>> geometric, soft = GeometricVote(Fraction(1, 4)), SoftMajorityVote(Fraction(1, 2))
    >>> geometric.guarantee == soft.guarantee
    True
    >>> votes = (1, 1, 1, 1, 1, 1, 1, 0, 0)
    >>> geometric.law(votes).probability(0), soft.law(votes).probability(0)
    (Fraction(1, 80), Fraction(1, 33))
    """

    def factor(self, voters: int) -> Fraction:
        """Return the exact factor ``e**epsilon`` for one vote replaced: 1/q, for any number.

        Parameters
        ----------
        voters
            r, their number.

        Examples
        --------
        >>> GeometricVote(Fraction(1, 4)).factor(3)
        Fraction(4, 1)
        """
        arguments.as_size(voters, "voters", least=1)
        return 1 / self.decay

    def _one(self, v: int, r: int) -> Fraction:
        steps, odd = divmod(abs(2 * v - r), 2)
        behind = self.decay**steps * (self.decay / (1 + self.decay) if odd else Fraction(1, 2))
        return behind if 2 * v < r else 1 - behind


@dataclass(frozen=True, slots=True)
class NoisyMeanVote(_Vote):
    """Output label 1 with the probability that a noisy, clamped share of the votes gives.

    The number of votes for 1 gets discrete Laplace noise, is clamped to 0..r and divided by r: that
    is the probability of label 1.

    Parameters
    ----------
    decay
        q, an exact number above 0 and below 1: the noise weighs ``q**|z|``.

    Raises
    ------
    InvalidInput
        The decay is out of range; on use, there is no vote, or one is not a label.

    Notes
    -----
    With ``q = e**-epsilon`` the noisy number is epsilon-private and so is the outcome. This is
    exact, unlike for continuous noise: between no vote and one vote for 1, the probability of label
    1 grows by the factor 1/q for every r. For v votes of r it is ``(v + (q**(v+1) - q**(r-v+1)) /
    (1 - q**2)) / r``, the expectation of the clamped number over r. The discrete form of the
    agnostic vote of Dwork and Feldman that DF20 cites.

    Examples
    --------
    >>> NoisyMeanVote(Fraction(1, 2)).law((1, 1, 0, 1))
    FiniteDistribution({1: 11/16, 0: 5/16})
    """

    _BELOW_ONE: ClassVar[bool] = True

    def _probability(self, v: int, r: int, rng: Coins) -> Fraction:
        return Fraction(v + clamped_noise(self.decay, -v, r - v, rng), r)

    def _one(self, v: int, r: int) -> Fraction:
        q = self.decay
        return (v + (q ** (v + 1) - q ** (r - v + 1)) / (1 - q**2)) / r
