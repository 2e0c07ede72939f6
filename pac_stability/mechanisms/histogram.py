"""Stable histograms: the frequent items of a sample, with noisy counts, and no rare ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Protocol, TypeAlias, TypeVar, overload

from pac_stability import arguments
from pac_stability.arithmetic import Epsilon, Interval, logarithm
from pac_stability.data import FiniteDistribution
from pac_stability.data.tape import one_draw
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.noise import (
    clamped_law,
    clamped_noise,
    discrete_laplace_tail,
    truncated_law,
    truncated_noise,
)
from pac_stability.mechanisms.weights import as_decay, decay_for
from pac_stability.randomness import SYSTEM_COINS, Coins

E = TypeVar("E", bound=Hashable)
Real = TypeVar("Real", Fraction, Interval)

_PRECISIONS = (64, 256)
_LONGEST_POWER = 1 << 15
"""Up to so many bits, powers of a decay are written out."""


class _DeltaOf(Protocol):
    """A delta as a function of a decay and a power of it, exact or enclosed."""

    @overload
    def __call__(self, r: Fraction, power: Fraction, /) -> Fraction: ...
    @overload
    def __call__(self, r: Fraction, power: Interval, /) -> Interval: ...


Released: TypeAlias = frozenset[tuple[E, int]]
"""What a histogram releases: pairs of an item and its noisy count, in no order."""


@dataclass(frozen=True, slots=True)
class StableHistogram:
    """Release the items whose count plus bounded noise reaches a threshold.

    The noise is discrete Laplace, conditioned to ``-truncation .. truncation``. Items that do not
    occur are never released, and neither are those that occur once.

    Parameters
    ----------
    decay
        r, above 0 and below 1: the noise z has weight ``r**|z|``.
    truncation
        A, the largest noise, a non-negative integer.
    threshold
        The least noisy count to be released, at least A + 2.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the input is not an iterable of hashable items.

    Notes
    -----
    Privacy: replacing one item moves two counts by one each. The result is private with
    ``e**epsilon = r**-2`` and delta = ``2 d - d**2``, where ``d = r**A (1-r) / (1 + r - 2
    r**(A+1))`` is the probability of the largest noise. This delta is exact. It is attained where
    both counts are at least ``threshold + A``, so that each count can show a value that its
    neighbour cannot.

    A draw makes O(log A) random choices for each item.

    Utility: every noisy count is within A of the count, and an item that occurs at least
    :attr:`certain_count` times is released surely. BLM20 Lemma 15, with truncated noise in place of
    Laplace's; this makes beta = 0 and needs only ``n = O(log(1/delta) / (eta epsilon))``.

    Examples
    --------
    >>> histogram = StableHistogram(Fraction(1, 2), truncation=1, threshold=3)
    >>> for released, probability in histogram.law("abbb").items():
    ...     print(sorted(released), probability)
    [] 1/4
    [('b', 3)] 1/2
    [('b', 4)] 1/4
    """

    decay: Fraction
    truncation: int
    threshold: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay, below_one=True))
        object.__setattr__(self, "truncation", arguments.as_size(self.truncation, "truncation"))
        least = self.truncation + 2
        object.__setattr__(
            self, "threshold", arguments.as_size(self.threshold, "threshold", least=least)
        )

    @classmethod
    def from_privacy(
        cls, epsilon: Epsilon | arguments.AnyNumber, delta: Fraction
    ) -> StableHistogram:
        """Return the histogram with the least noise and threshold for a privacy guarantee.

        Parameters
        ----------
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.
        delta
            The epsilon to spend, above 0 and at most 1.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or epsilon is too small to distinguish from 0.

        Examples
        --------
        >>> histogram = StableHistogram.from_privacy(1.0, Fraction(1, 10**6))
        >>> histogram.truncation, histogram.threshold
        (27, 29)
        >>> histogram.guarantee.delta < Fraction(1, 10**6)
        True
        """
        allowed = _positive_delta(delta)
        decay = decay_for(epsilon, below_one=True)
        truncation = _least(
            lambda a: _is_at_most(allowed, _two_sided_delta, decay, a),
            _about_power(allowed / 2 * (1 + decay) / (1 - decay), decay),
        )
        return cls(decay, truncation, truncation + 2)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee, with the exact delta.

        If that has some ten thousand digits or more, delta is rounded up, by less than one part in
        ``2**128``.
        """
        r, most = self.decay, self.truncation
        if most * r.denominator.bit_length() <= _LONGEST_POWER:
            delta = _two_sided_delta(r, r**self.truncation)
        else:
            bits = _PRECISIONS[-1] + most.bit_length()
            power = Interval.exp(Interval.log(r, bits) * most, bits)
            delta = min(Fraction(1), _two_sided_delta(r, power).upper)
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-2), delta)

    @property
    def certain_count(self) -> int:
        """The count from which an item is certainly released."""
        return self.threshold + self.truncation

    def law(self, x: Iterable[E], /) -> FiniteDistribution[Released[E]]:
        """Return the law of what is released.

        Parameters
        ----------
        x
            The items, repeated as often as they occur, in any order.

        Notes
        -----
        There are up to ``(2A + 2)**k`` outcomes for k distinct items.
        """
        noise = truncated_law(self.decay, self.truncation)
        return _released_law(_count(x), lambda count: noise.map(lambda z: self._visible(count + z)))

    @one_draw
    def run(self, x: Iterable[E], /, rng: Coins = SYSTEM_COINS) -> Released[E]:
        """Return released items with their noisy counts.

        Parameters
        ----------
        x
            The items, repeated as often as they occur, in any order.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return self.run_on_counts(_count(x), rng)

    def run_on_counts(self, counts: Mapping[E, int], /, rng: Coins = SYSTEM_COINS) -> Released[E]:
        """Return released items with their noisy counts, given how often each occurs.

        Parameters
        ----------
        counts
            The count of each item, at least 1.
        rng
            The source of coins; by default the operating system's entropy.

        Examples
        --------
        >>> histogram = StableHistogram(Fraction(1, 2), truncation=1, threshold=3)
        >>> released = histogram.run_on_counts({"a": 1, "b": 10**12})
        >>> [(item, abs(count - 10**12) <= 1) for item, count in released]
        [('b', True)]
        """
        arguments.require_instance(counts, Mapping, "counts")
        occurring = {
            item: arguments.as_size(count, "counts", least=1) for item, count in counts.items()
        }
        return _released(
            (item, self._visible(count + truncated_noise(self.decay, self.truncation, rng)))
            for item, count in occurring.items()
        )

    def _visible(self, noisy: int) -> int | None:
        return noisy if noisy >= self.threshold else None


@dataclass(frozen=True, slots=True)
class LaplaceHistogram:
    """Release the items whose count plus discrete Laplace noise reaches a threshold.

    Noisy counts are reported up to the size of the sample, which is public. Items that do not occur
    are never released.

    Parameters
    ----------
    decay
        r, above 0 and below 1: the noise z has weight ``r**|z|``.
    threshold
        The least noisy count to be released, at least 2.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the input is not an iterable of hashable items.

    Notes
    -----
    Private with ``e**epsilon = r**-2`` and delta = ``r**(threshold - 1) / (1 + r)``, exactly: the
    probability of releasing an item that occurs once and not at all in the neighbour. BLM20 Lemma
    15 as usually proved, with integers. Unlike with :class:`StableHistogram`, unboundedly wrong
    counts have positive probability, but delta is about half as large for a similar threshold.

    Examples
    --------
    >>> histogram = LaplaceHistogram(Fraction(1, 2), threshold=2)
    >>> for released, probability in histogram.law("aa").items():
    ...     print(sorted(released), probability)
    [] 1/3
    [('a', 2)] 2/3
    >>> histogram.guarantee.delta
    Fraction(1, 3)
    """

    decay: Fraction
    threshold: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay, below_one=True))
        object.__setattr__(
            self, "threshold", arguments.as_size(self.threshold, "threshold", least=2)
        )

    @classmethod
    def from_privacy(
        cls, epsilon: Epsilon | arguments.AnyNumber, delta: Fraction
    ) -> LaplaceHistogram:
        """Return the histogram with the least threshold for a privacy guarantee.

        Parameters
        ----------
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.
        delta
            The epsilon to spend, above 0 and at most 1.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or epsilon is too small to distinguish from 0.

        Examples
        --------
        >>> LaplaceHistogram.from_privacy(1.0, Fraction(1, 10**6)).threshold
        28
        """
        allowed = _positive_delta(delta)
        decay = decay_for(epsilon, below_one=True)
        step = _least(
            lambda t: _is_at_most(allowed, _one_sided_delta, decay, t + 1),
            _about_power(allowed * (1 + decay), decay) - 1,
        )
        return cls(decay, step + 2)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee, with the exact delta."""
        delta = discrete_laplace_tail(self.threshold - 1, self.decay)
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-2), delta)

    def law(self, x: Iterable[E], /) -> FiniteDistribution[Released[E]]:
        """Return the law of what is released.

        Parameters
        ----------
        x
            The items, repeated as often as they occur, in any order.
        """
        counts = _count(x)
        n = sum(counts.values())

        def law_for(count: int) -> FiniteDistribution[int | None]:
            low, high = self._range(count, n)
            return clamped_law(self.decay, low, high).map(lambda z: self._visible(count + z, n))

        return _released_law(counts, law_for)

    @one_draw
    def run(self, x: Iterable[E], /, rng: Coins = SYSTEM_COINS) -> Released[E]:
        """Return released items with their noisy counts.

        Parameters
        ----------
        x
            The items, repeated as often as they occur, in any order.
        rng
            The source of coins; by default the operating system's entropy.
        """
        counts = _count(x)
        n = sum(counts.values())
        return _released(
            (item, self._visible(count + clamped_noise(self.decay, *self._range(count, n), rng), n))
            for item, count in counts.items()
        )

    def _range(self, count: int, n: int) -> tuple[int, int]:
        """Return a range of noise beyond which what is seen does not change.

        Its length is the same for all counts, since the time of a draw depends on it.
        """
        return -count, max(n, self.threshold) - count

    def _visible(self, noisy: int, n: int) -> int | None:
        return min(noisy, n) if noisy >= self.threshold else None


def _count(items: Iterable[E]) -> Counter[E]:
    try:
        kept = tuple(items)
    except TypeError:
        raise InvalidInput("x", arguments.described(items), "an iterable of items") from None
    for item in kept:
        arguments.require_hashable(item, "x")
    return Counter(kept)


def _released(noisy: Iterable[tuple[E, int | None]]) -> Released[E]:
    return frozenset((item, count) for item, count in noisy if count is not None)


def _released_item(item: E, count: int | None) -> Released[E]:
    return _released([(item, count)])


def _released_law(
    counts: Counter[E], law_for: Callable[[int], FiniteDistribution[int | None]]
) -> FiniteDistribution[Released[E]]:
    """Return the law of what is released when each count has its law, independently."""
    law: FiniteDistribution[Released[E]] = FiniteDistribution.point_mass(frozenset())
    for item, count in counts.items():
        of_item = law_for(count).map(partial(_released_item, item))
        law = law.product(of_item).map(lambda pair: pair[0] | pair[1])
    return law


def _two_sided_delta(r: Fraction, power: Real) -> Real:
    """Return 2d - d**2, for d the probability of the largest truncated noise A; r**A is given."""
    one = power * (1 - r) / (1 + r - power * (2 * r))
    return one * (2 - one)


def _one_sided_delta(r: Fraction, power: Real) -> Real:
    """Return the probability that discrete Laplace noise is at least t; r**t is given."""
    return power / (1 + r)


def _is_at_most(allowed: Fraction, delta: _DeltaOf, r: Fraction, exponent: int) -> bool:
    """Whether a delta made of a power of r is allowed: by enclosures, or exactly at last.

    Powers with thousands of digits are slow, and hardly ever needed.
    """
    for bits in _PRECISIONS:
        enclosed = delta(r, Interval.exp(Interval.log(r, bits) * exponent, bits))
        if enclosed.upper <= allowed:
            return True
        if enclosed.lower > allowed:
            return False
    return delta(r, r**exponent) <= allowed


def _positive_delta(delta: Fraction) -> Fraction:
    allowed = arguments.as_number(delta, "delta")
    if not 0 < allowed <= 1:
        raise InvalidInput(
            "delta", arguments.in_words(allowed), "an exact number above 0 and at most 1"
        )
    return allowed


def _about_power(value: Fraction, decay: Fraction) -> int:
    """Return about from which power on a decay is at most a value."""
    return math.ceil(logarithm(value) / logarithm(decay))


def _least(enough: Callable[[int], bool], about: int) -> int:
    """Return the least non-negative integer for which a monotone condition holds, from a guess."""
    low, high, step = -1, max(0, about), 1
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = max((low + high) // 2, high - step)
        if enough(middle):
            high, step = middle, 2 * step
        else:
            low = middle
    return high
