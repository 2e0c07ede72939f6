"""Lemma 15: a private list of the frequent items, from a stated number of items on."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    described,
    in_words,
    require_size,
)
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import LaplaceHistogram, PrivacyGuarantee, StableHistogram
from pac_stability.mechanisms.histogram import Released
from pac_stability.randomness import SYSTEM_COINS, Coins

E = TypeVar("E", bound=Hashable)

Estimates: TypeAlias = frozenset[tuple[E, Fraction]]
"""A list L with its estimates: pairs of an item and a frequency from 0 to 1."""


@dataclass(frozen=True, slots=True, repr=False)
class SizedHistogram(Tabled):
    """A stable histogram together with what it promises from a stated number of items on.

    With probability at least 1 - beta, every item of frequency at least eta is in the list, and
    every estimate in it is within eta of the frequency. Privacy holds for any number of items,
    accuracy from ``size`` on, and fewer are refused. :func:`stable_histogram` finds the size.

    Attributes
    ----------
    histogram
        The mechanism.
    eta, beta
        The accuracy and its confidence.
    size
        The number of items, n, from which on the promise is proved.
    """

    histogram: StableHistogram | LaplaceHistogram
    eta: Fraction
    beta: Fraction
    size: int

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee for one item replaced, with the exact delta."""
        return self.histogram.guarantee

    def law(self, x: Iterable[E], /) -> FiniteDistribution[Estimates[E]]:
        """Return the law of the list and its estimates.

        Parameters
        ----------
        x
            The items, at least ``size``.

        Raises
        ------
        InvalidInput
            There are fewer.
        """
        items = self._items(x)
        return self.histogram.law(items).map(lambda released: _estimates(released, len(items)))

    def run(self, x: Iterable[E], /, rng: Coins = SYSTEM_COINS) -> Estimates[E]:
        """Return a list of frequent items with estimates of their frequencies.

        Parameters
        ----------
        x
            The items, at least ``size``.
        rng
            Where the coins come from; the operating system's entropy by default.

        Raises
        ------
        InvalidInput
            There are fewer.
        """
        items = self._items(x)
        return _estimates(self.histogram.run(items, rng), len(items))

    def _items(self, x: Iterable[E]) -> tuple[E, ...]:
        try:
            items = tuple(x)
        except TypeError:
            raise InvalidInput("x", described(x), "an iterable of items") from None
        require_size(items, self.size, "x", "items")
        return items


def stable_histogram(
    eta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
    beta: AnyNumber = 0,
) -> SizedHistogram:
    """Return a stable histogram with a number of items from which on it is accurate.

    Parameters
    ----------
    eta
        Frequencies from here on are heavy, and estimates are this accurate; above 0, at most 1.
    epsilon, delta
        What may be spent on privacy, for one item replaced; delta is above 0 and below 1.
    beta
        The probability with which accuracy may fail. With 0 the noise is bounded and accuracy
        certain, which is also the better choice elsewhere; otherwise it is discrete Laplace noise,
        as in the usual proof.

    Returns
    -------
    SizedHistogram
        The mechanism and its size.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Bounded noise*, at most A. An item that occurs 2A + 2 times is released surely and no estimate
    is off by more than A/n, so ``n = (2A + 2) / eta`` items suffice, where A is of order
    ``log(1/delta) / epsilon``.

    *Laplace noise* of decay r, released from t on. Let ``g = floor(eta n)``. At most 1/eta items
    are heavy, and one is missed with probability at most ``r**(g - t + 1) / (1 + r)``; each of at
    most n < (g + 1)/eta items has noise beyond g with probability ``2 r**(g + 1) / (1 + r)``. The
    size is the least for which the sum of these bounds is certified to be at most beta.
    All n items may be distinct and get noise, so ``log(1 / (eta epsilon beta delta))`` enters: the
    logarithm of Lemma 15, without epsilon, is not enough for this proof when epsilon is small.

    Source: BLM20 Lemma 15, after Korolova, Kenthapadi, Mishra and Ntoulas (2009) and Bun, Nissim
    and Stemmer (2016).

    Examples
    --------
    >>> certain = stable_histogram("1/8", 1.0, "1/1000000")
    >>> certain.histogram.truncation, certain.size
    (27, 448)
    >>> stable_histogram("1/8", 1.0, "1/1000000", beta="1/10").size
    280
    """
    heavy = as_open_unit(eta, "eta", most=True)
    allowed = as_open_unit(delta, "delta")
    failure = as_number(beta, "beta")
    if not 0 <= failure < 1:
        raise InvalidInput("beta", in_words(failure), "an exact number from 0 on and below 1")
    if failure == 0:
        bounded = StableHistogram.from_privacy(epsilon, allowed)
        return SizedHistogram(bounded, heavy, failure, math.ceil(bounded.certain_count / heavy))
    laplace = LaplaceHistogram.from_privacy(epsilon, allowed)
    return SizedHistogram(laplace, heavy, failure, _laplace_size(laplace, heavy, failure))


def _laplace_size(histogram: LaplaceHistogram, eta: Fraction, beta: Fraction) -> int:
    r, t = histogram.decay, histogram.threshold

    def too_likely(g: int) -> bool:
        # Certified: powers of r with millions of digits would be slow.
        miss, stray = (Interval.exp(Interval.log(r, 128) * k, 128) for k in (g - t + 1, g + 1))
        return ((miss + stray * (2 * (g + 1))) / (eta * (1 + r))).upper > beta

    # As t > 0, the bound is r**g (1 + 2 (g + 1) r) / (1 + r) at least, and that is 1 at least for g
    # up to r/(1-r): it grows with r, and g**g >= (g + 1)**(g - 1). From r/(1-r) on it decreases.
    low = t - 2
    step = 1
    while too_likely(low + step):
        low += step
        step *= 2
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if too_likely(middle) else (low, middle)
    return math.ceil(high / eta)


def _estimates(released: Released[E], n: int) -> Estimates[E]:
    return frozenset((item, Fraction(min(count, n), n)) for item, count in released)
