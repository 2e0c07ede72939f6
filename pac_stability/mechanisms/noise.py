"""Noise whose law is exact, and histograms that add it.

Discrete Laplace noise is a sign times a geometric number. The binary digits of that number are
independent, so they are tossed one by one, or in groups for many draws at once.

Stable histograms give the frequent items of a sample, with noisy counts, and no rare ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from typing import Protocol, TypeAlias, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from pac_stability import arguments
from pac_stability.arguments import as_integer, as_positive, as_size, fix
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval, logarithm
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.data.tape import one_draw
from pac_stability.errors import InvalidInput, Unanswerable
from pac_stability.mechanisms import draws
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.draws import as_decay, decay_for
from pac_stability.randomness import SYSTEM_COINS, Coins, ExactGenerator, WeightedChoice
from pac_stability.randomness.laws import gaussian_integer
from pac_stability.randomness.lazy_number import LazyNumber

_SHORT = 1 << 12
"""Weights of a coin of at most so many bits are written out; a tape can follow such a coin."""

_GUARD = 32
"""Bits of the weights beyond those of the uniform number."""

_RARE = 64
"""A number with more digits than are drawn at first has a probability below ``2**-_RARE``."""

_BATCH = 1 << 14
"""Draws that are made side by side."""

_TOGETHER = 8
"""So many digits of a size are drawn by one word, at most. Ten would spare a word of three at an
epsilon of 1/10000: a quarter of the time of a batch, for four times that of the borders."""


_NO_END = 1 << 256
"""No geometric number is told apart from there on, where coins have no draw without an end."""


def geometric(decay: Fraction, most: int, rng: Coins) -> int:
    """Return a geometric number G, or some number from ``most`` on when ``G >= most``.

    Parameters
    ----------
    decay
        r, above 0 and below 1: ``P(G = g) = (1 - r) r**g``.
    most
        The numbers from here on need not be distinguished; a non-negative integer.
    rng
        Where the coins come from.

    Notes
    -----
    The binary digits of G are independent, as ``r**g`` is a product over the digits of g: digit i
    is 1 with odds ``r**(2**i)``. Moreover, G is at least ``2**d`` with probability ``r**(2**d)``,
    independently of its last d digits. So d digits and one more coin are drawn, where d is a
    function of ``decay`` and ``most`` alone: enough for ``most``, or for all but a share of
    ``2**-64`` of the numbers. For that share the last coin is tossed again, once for each further
    ``2**d`` of G. So the number of coins reveals something about G only with probability below
    ``2**-64``. (With about that probability a coin with long weights reads more bits, whatever it
    then shows.)

    O(min(log most, log 1/(1 - r))) coins of a few microseconds each; coins of the operating system
    are read together and take some tenths of a microsecond each.
    """
    if most == 0:
        return 0
    digits = digits_drawn(decay, most)
    coins = _coins(decay, digits)
    *tossed, more = draws.toss_each(coins, rng)
    number = sum(digit << place for place, digit in enumerate(tossed))
    above = 0
    while more:
        above += 1 << digits
        more = above < most and coins[-1].toss(rng)
    return number + above


def clamped_noises(
    decay: Fraction, low: int, high: int, count: int, rng: Coins
) -> npt.NDArray[np.int64]:
    """Return independent discrete Laplace noise, clamped to ``low <= 0 <= high``.

    Parameters
    ----------
    decay
        r, above 0 and below 1.
    low, high
        Where it is clamped; ``high - low`` is below ``2**62``.
    count
        How many.
    rng
        Where the coins come from.

    Notes
    -----
    For each draw a word of 64 bits chooses 0, or the sign and the first digits of the size, or that
    more digits are needed. One more word chooses each further group of up to eight digits. So all
    draws take the same number of words, with two rare exceptions: a draw that needs more digits
    continues from there, and a draw very near a border refines its word. For sizes of up to 30
    digits these have probability below ``2**-50``.
    """
    if low == high:
        return np.full(count, low, dtype=np.int64)
    most = high - low - 1
    groups = _groups(decay, digits_drawn(decay, most))
    drawn = np.empty(count, dtype=np.int64)
    for start in range(0, count, _BATCH):
        drawn[start : start + _BATCH] = groups.noises(most, min(_BATCH, count - start), rng)
    return np.asarray(np.clip(drawn, low, high), dtype=np.int64)


class _Groups:
    """The sign and the binary digits of discrete Laplace noise, in groups of one word each.

    The noise is 0, or a sign and ``1 + G`` for a geometric number G. The groups are as few as there
    can be, and about as long. The first one has the highest digits: its cases are 0, and for each
    sign these digits, or that G is ``2**digits`` or more.
    """

    def __init__(self, decay: Fraction, digits: int) -> None:
        parts = max(1, -(-digits // _TOGETHER))
        places = [digits * part // parts for part in range(parts)]
        side = range(1, (1 << digits) + 2, 1 << places[-1])
        self._decay, self._beyond = decay, 1 << digits
        self._signs = np.array([0, *[1] * len(side), *[-1] * len(side)], dtype=np.int64)
        self._sizes = np.array([0, *side, *side], dtype=np.int64)
        self._first = draws.BorderedChoice(partial(_sides, decay, side))
        self._others = [
            (draws.BorderedChoice(partial(_powers, decay, range(0, 1 << high, 1 << low))), low)
            for low, high in pairwise(places)
        ]

    def noises(self, most: int, count: int, rng: Coins) -> npt.NDArray[np.int64]:
        """Return independent noise; sizes from ``1 + most`` on are some such size."""
        drawn = draws.words(count * (1 + len(self._others)), rng).reshape(-1, count)
        cases = self._first.at(drawn[0], rng)
        sizes = self._sizes.take(cases)
        beyond = np.flatnonzero(sizes > self._beyond).tolist()
        for (choice, place), word in zip(self._others, drawn[1:], strict=True):
            sizes += choice.at(word, rng) << place
        for place in beyond:
            # A geometric number forgets what it has passed.
            further = geometric(self._decay, max(most - self._beyond, 0), rng)
            sizes[place] = 1 + min(self._beyond + further, most)
        return np.asarray(self._signs.take(cases) * sizes)


@lru_cache(maxsize=64)
def _groups(decay: Fraction, digits: int) -> _Groups:
    return _Groups(decay, digits)


def _powers(decay: Fraction, exponents: range, bits: int) -> draws.Enclosures:
    """Enclose what the digits of a group weigh: a power of the decay."""
    return draws.enclosed_powers(exponents, decay, bits + _GUARD)


def _sides(decay: Fraction, exponents: range, bits: int) -> draws.Enclosures:
    """Enclose 1 + r times the probabilities of 0, and for each sign of the first digits.

    A size is at least k with probability ``2 r**k / (1 + r)``, and so each case of a sign is the
    difference of two powers, but for what lies beyond.
    """
    floors, ceilings = draws.enclosed_powers(exponents, decay, bits + _GUARD)
    unit = 1 << bits + _GUARD
    least = [max(a - b, 0) for a, b in zip(floors, ceilings[1:], strict=False)]
    most = [b - a for b, a in zip(ceilings, floors[1:], strict=False)]
    side, other = [*least, floors[-1]], [*most, ceilings[-1]]
    return [unit - ceilings[0], *side, *side], [unit - floors[0], *other, *other]


def digits_drawn(decay: Fraction, most: int) -> int:
    """Return the number of digits to draw first of a geometric number that matters up to ``most``.

    Examples
    --------
    >>> digits_drawn(Fraction(1, 2), 5), digits_drawn(Fraction(1, 2), 10**9)
    (3, 8)
    """
    a, b = decay.numerator, decay.denominator
    # r**k <= e**(-(1 - r) k) is below 2**-64 for k >= 64 / (1 - r).
    return min(max(most - 1, 0).bit_length(), (_RARE * b // (b - a)).bit_length())


@lru_cache(maxsize=256)
def _coins(decay: Fraction, digits: int) -> tuple[PowerCoin, ...]:
    """Return the coins of the digits, lowest first, and the one for what lies beyond them."""
    places = tuple(PowerCoin(decay, 1 << place, odds=True) for place in range(digits))
    return (*places, PowerCoin(decay, 1 << digits, odds=False))


class PowerCoin(draws.LazyCoin):
    """A coin whose odds, or whose probability, is a power of a decay, tossed exactly.

    Parameters
    ----------
    decay
        r, above 0 and below 1.
    exponent
        k, positive.
    odds
        Whether ``r**k`` is the odds for 1, whose probability is then ``r**k / (1 + r**k)``, or the
        probability itself.

    Notes
    -----
    If its weights are short integers it chooses between them.
    """

    __slots__ = ("_weights",)

    def __init__(self, decay: Fraction, exponent: int, *, odds: bool) -> None:
        def bounds(bits: int) -> tuple[int, int]:
            unit = 1 << bits + _GUARD
            (low,), (high,) = draws.enclosed_powers([exponent], decay, bits + _GUARD)
            least, most = (unit + low, unit + high) if odds else (unit, unit)
            return (low << bits) // least, -((-high << bits) // most)

        super().__init__(bounds)
        self._weights: WeightedChoice | None = None
        if exponent * decay.denominator.bit_length() <= _SHORT:
            one, whole = decay.numerator**exponent, decay.denominator**exponent
            self._weights = WeightedChoice([whole if odds else whole - one, one])

    def toss(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return 1 or 0."""
        return super().toss(rng) if self._weights is None else rng.choose(self._weights)


# Its law, and the mechanism

_FEW = 4
"""So many draws are made one by one, which a tape can follow."""

_WIDEST = 1 << 61
"""Sums and differences of numbers up to this one fit in 64 bits."""


def discrete_laplace_pmf(value: int, decay: Fraction) -> Fraction:
    """Return the probability that discrete Laplace noise has a value.

    Parameters
    ----------
    value
        Any integer z.
    decay
        r, above 0 and below 1; noise of scale 1/epsilon has ``r = e**-epsilon``.

    Returns
    -------
    Fraction
        ``(1 - r) / (1 + r) * r**|z|``.

    Examples
    --------
    >>> discrete_laplace_pmf(-1, Fraction(1, 2))
    Fraction(1, 6)
    """
    r = as_decay(decay, below_one=True)
    return (1 - r) / (1 + r) * r ** abs(as_integer(value, "value"))


def discrete_laplace_tail(value: int, decay: Fraction) -> Fraction:
    """Return the probability that discrete Laplace noise is at least a value.

    Parameters
    ----------
    value
        Any integer z.
    decay
        r, above 0 and below 1.

    Returns
    -------
    Fraction
        ``r**z / (1 + r)`` for z >= 0, and 1 minus the tail at 1 - z otherwise.

    Examples
    --------
    >>> [str(discrete_laplace_tail(z, Fraction(1, 2))) for z in (-1, 0, 1, 2)]
    ['5/6', '2/3', '1/3', '1/6']
    """
    r, z = as_decay(decay, below_one=True), as_integer(value, "value")
    return r**z / (1 + r) if z >= 0 else 1 - r ** (1 - z) / (1 + r)


@dataclass(frozen=True, slots=True)
class DiscreteLaplace:
    """Add discrete Laplace noise to an integer, and clamp the sum to a range if one is given.

    Parameters
    ----------
    decay
        r, above 0 and below 1: an additional step away costs a factor r in probability.
    low, high
        The range of the outcome, and of the input: ``low <= high``. without both, the noise is
        unbounded. Then there is no finite law to list, and a tape draws only as many digits as the
        program needs (``LazyNumber``).
    sensitivity
        The largest difference of the input between neighbouring data sets.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the input is not an integer from ``low`` to ``high``.

    Notes
    -----
    Private with ``e**epsilon = r**-sensitivity`` exactly, as soon as the range contains two inputs
    that far apart. Clamping does not reduce it, because the tail at a point also weighs
    ``r**distance``. At a smaller epsilon :meth:`delta` is the exact delta.

    A draw takes O(min(log(high - low), log 1/(1-r))) coins. It draws the binary digits of the
    noise, which are independent, so the number of coins depends on the noise only with probability
    below ``2**-64``. With the operating system's entropy this takes 6 to 12 microseconds. Source:
    Ghosh, Roughgarden and Sundararajan, *Universally utility-maximizing privacy mechanisms*, 2009.

    Examples
    --------
    >>> DiscreteLaplace(Fraction(1, 2), low=0, high=2).law(0)
    FiniteDistribution({0: 2/3, 1: 1/6, 2: 1/6})

    With unbounded noise, a comparison is one exact draw:

    >>> from pac_stability.data import enumerate_law
    >>> noise = DiscreteLaplace(Fraction(1, 2))
    >>> enumerate_law(lambda rng: noise.run(3, rng) >= 5)
    FiniteDistribution({False: 5/6, True: 1/6})
    """

    decay: Fraction
    low: int | None = None
    high: int | None = None
    sensitivity: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay, below_one=True))
        if (self.low is None) != (self.high is None):
            missing = "low" if self.low is None else "high"
            raise InvalidInput(missing, "no number", "both ends, low and high, or neither")
        if self.low is not None:
            fix(self, low=as_integer(self.low, "low"), high=as_integer(self.high, "high"))
        object.__setattr__(self, "sensitivity", as_size(self.sensitivity, "sensitivity", least=1))
        if self.low is not None and self.low > cast("int", self.high):
            raise InvalidInput("high", str(self.high), f"at least low, {self.low}")

    @classmethod
    def from_epsilon(
        cls,
        epsilon: EpsilonLike,
        low: int | None = None,
        high: int | None = None,
        *,
        sensitivity: int = 1,
    ) -> DiscreteLaplace:
        """Return the noise that spends almost all of epsilon, and never more.

        Parameters
        ----------
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.
        low, high, sensitivity
            As for the class.

        Examples
        --------
        >>> DiscreteLaplace.from_epsilon(Epsilon.exactly(2), 0, 9).decay
        Fraction(1, 2)
        """
        decay = decay_for(epsilon, as_size(sensitivity, "sensitivity", least=1), below_one=True)
        return cls(decay, low, high, sensitivity)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee; its delta is 0."""
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-self.sensitivity))

    def delta(self, epsilon: EpsilonLike) -> Fraction:
        """Return the least delta at an epsilon, which may be below that of the guarantee.

        Parameters
        ----------
        epsilon
            Any privacy parameter.

        Returns
        -------
        Fraction
            The largest ``P(Z <= m) - e**epsilon P(Z <= m - sensitivity)`` over m, or 0: exact when
            the range is at least as long as the sensitivity, otherwise an upper bound.

        Examples
        --------
        >>> DiscreteLaplace(Fraction(1, 2), 0, 2).delta(Epsilon.exactly(1))
        Fraction(1, 3)
        """
        target = as_epsilon(epsilon).ratio
        r, shift = self.decay, self.sensitivity

        def below(value: int) -> Fraction:
            return discrete_laplace_tail(-value, r)  # P(Z <= value), by symmetry

        # The likelihood ratio falls with the outcome, and is constant outside 0..shift.
        gains = (below(m) - target * below(m - shift) for m in range(shift))
        return max(Fraction(0), *gains)

    def law(self, x: int, /) -> FiniteDistribution[int]:
        """Return the law of the outcome.

        Parameters
        ----------
        x
            An integer from ``low`` to ``high``.

        Raises
        ------
        Unanswerable
            The noise is unbounded, so it has no finite law.
        """
        x = self._input(x)
        if self.low is None or self.high is None:
            raise Unanswerable(
                "noise without an end has infinitely many values: give low and high, or audit a "
                "program that compares or publishes what run returns"
            )
        return clamped_law(self.decay, self.low - x, self.high - x).map(lambda z: x + z)

    def run(self, x: int, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one outcome.

        Parameters
        ----------
        x
            An integer from ``low`` to ``high``.
        rng
            The source of coins; by default the operating system's entropy.
        """
        if self.low is not None:
            return self._clamped(x, rng)
        return two_sided(self.decay, self._input(x), rng)

    @one_draw
    def _clamped(self, x: int, /, rng: Coins) -> int:
        x = self._input(x)
        low, high = cast("int", self.low), cast("int", self.high)
        return x + clamped_noise(self.decay, low - x, high - x, rng)

    def draws(self, x: int, /, count: int, rng: Coins = SYSTEM_COINS) -> npt.NDArray[np.int64]:
        """Return independent outcomes for one input.

        Parameters
        ----------
        x
            An integer from ``low`` to ``high``.
        count
            How many.
        rng
            The source of coins; by default the operating system's entropy.

        Returns
        -------
        array of int64, shape (count,)

        Raises
        ------
        InvalidInput
            ``x`` is not an integer in the range, or the range goes beyond ``2**61`` either way.

        Notes
        -----
        Each has the law of `run`, exactly: array operations compare words of 64 bits with certified
        borders, and the few open draws are refined one by one. It takes a tenth of a microsecond a
        draw, after a millisecond for the borders. Up to four draws equal those of `run`.

        Examples
        --------
        >>> mechanism = DiscreteLaplace.from_epsilon("1/100", low=0, high=1000)
        >>> mechanism.draws(500, 3).shape
        (3,)
        """
        x, size = self._input(x), as_size(count, "count")
        if self.low is None or self.high is None:
            drawn = np.empty(size, dtype=object)
            for place in range(size):
                drawn[place] = self.run(x, rng)
            whole = all(isinstance(each, int) for each in drawn.tolist())
            return drawn.astype(np.int64) if whole else drawn
        if self.low < -_WIDEST or self.high > _WIDEST:
            given = f"a range from {self.low} to {self.high}"
            raise InvalidInput("low, high", given, "a range within 2**61 of 0, for arrays")
        if size <= _FEW:
            return np.array([self.run(x, rng) for _ in range(size)], dtype=np.int64)
        return x + clamped_noises(self.decay, self.low - x, self.high - x, size, rng)

    def _input(self, x: int) -> int:
        if self.low is None or self.high is None:
            return _integer(x)
        value = as_integer(x, "x")
        if not self.low <= value <= self.high:
            raise InvalidInput("x", str(value), f"an integer from {self.low} to {self.high}")
        return value


@dataclass(frozen=True, slots=True)
class Geometric:
    """Add unbounded geometric noise, never negative, to an integer.

    Parameters
    ----------
    decay
        r, above 0 and below 1: ``P(z) = (1 - r) r**z`` for z = 0, 1, ...

    Examples
    --------
    >>> from pac_stability.data import enumerate_law
    >>> noise = Geometric(Fraction(1, 2))
    >>> enumerate_law(lambda rng: noise.run(1, rng) >= noise.run(0, rng))
    FiniteDistribution({False: 1/6, True: 5/6})
    """

    decay: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay, below_one=True))

    def run(self, x: int, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one outcome.

        Parameters
        ----------
        x
            An integer.
        rng
            The source of coins; by default the operating system's entropy.
        """
        x = _integer(x)
        if isinstance(rng, ExactGenerator):
            return rng.one_sided(self.decay, x)
        return x + geometric(self.decay, _NO_END, rng)


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """Add unbounded discrete Gaussian noise to an integer.

    Parameters
    ----------
    sigma
        An exact number above 0, almost the standard deviation: z has weight
        ``e**(-z**2 / (2 sigma**2))``.

    Notes
    -----
    Outcomes are drawn exactly, with an expected number of coins that does not depend on the scale
    but for the size of its numbers. The laws of programs under audit are enclosed: beyond ten
    standard deviations, which have a probability below ``2**-60``, nothing is known. Source:
    Canonne, Kamath and Steinke, *The discrete Gaussian for differential privacy*, 2020.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> DiscreteGaussian(Fraction(2)).run(30, SeededCoins(1))
    31
    """

    sigma: Fraction

    def __post_init__(self) -> None:
        fix(self, sigma=as_positive(self.sigma, "sigma"))

    def run(self, x: int, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one outcome.

        Parameters
        ----------
        x
            An integer.
        rng
            The source of coins; by default the operating system's entropy.

        Raises
        ------
        InvalidInput
            ``x`` is no integer, or an audit meets a sigma above 819.
        """
        x = _integer(x)
        if isinstance(rng, ExactGenerator):
            return rng.bell_shaped(self.sigma**2, x)
        return x + gaussian_integer(self.sigma**2, rng)


def _integer(x: object) -> int:
    """Return an integer; one with noise as it is, which is used as one."""
    return cast("int", x) if isinstance(x, LazyNumber) else as_integer(cast("int", x), "x")


def two_sided(decay: Fraction, x: int, rng: Coins) -> int:
    """Return an integer plus unbounded discrete Laplace noise."""
    if isinstance(rng, ExactGenerator):
        return rng.two_sided(decay, x)
    sign = (0, 1, -1)[rng.choose(_signs(decay))]
    return x + sign * (1 + geometric(decay, _NO_END, rng))


def clamped_law(decay: Fraction, low: int, high: int) -> FiniteDistribution[int]:
    """Return the law of discrete Laplace noise clamped to ``low <= 0 <= high``."""
    if low == high:
        return FiniteDistribution.point_mass(low)
    # Everything times 1 + r: the tail from z on is r**|z|.
    inner = {z: (1 - decay) * decay ** abs(z) for z in range(low + 1, high)}
    weights = {low: decay**-low, **inner, high: decay**high}
    return FiniteDistribution({z: weight / (1 + decay) for z, weight in weights.items()})


def clamped_noise(decay: Fraction, low: int, high: int, rng: Coins) -> int:
    """Return discrete Laplace noise clamped to ``low <= 0 <= high``.

    It always draws the sign, and as many digits of the size as ``high - low`` requires: see
    :func:`~pac_stability.mechanisms.noise.geometric`.
    """
    if low == high:
        return low
    sign = (0, 1, -1)[rng.choose(_signs(decay))]
    size = 1 + geometric(decay, high - low - 1, rng)
    return max(low, min(sign * size, high))


@lru_cache(maxsize=256)
def _signs(decay: Fraction) -> WeightedChoice:
    """Return the weights of 0 and of each side."""
    a, b = decay.numerator, decay.denominator
    return WeightedChoice((b - a, a, a))


def truncated_law(decay: Fraction, most: int) -> FiniteDistribution[int]:
    """Return the law of discrete Laplace noise conditioned to ``-most .. most``."""
    weights = {z: decay ** abs(z) for z in range(-most, most + 1)}
    total = sum(weights.values())
    return FiniteDistribution({z: weight / total for z, weight in weights.items()})


def truncated_noise(decay: Fraction, most: int, rng: Coins) -> int:
    """Return discrete Laplace noise conditioned to ``-most .. most``, by bisection.

    The number of coins is the same for all values, up to one coin.
    """
    a, b = decay.numerator, decay.denominator
    # The weights of 0 and of each side, a geometric series, times b**most (b - a).
    side = a * (b**most - a**most)
    # The size is drawn also where it is not needed, so that the time does not tell.
    sign = (0, 1, -1)[rng.choose([(b - a) * b**most, side, side])]
    size, left = 1, most  # the size is one of size .. size + left - 1
    while left > 1:
        # The first half of them weighs 1 - r**half in 1 - r**left.
        half = left // 2
        kept, all_of_it = b**left - a**half * b ** (left - half), b**left - a**left
        if rng.choose([kept, all_of_it - kept]):
            size, left = size + half, left - half
        else:
            left = half
    return sign * size


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
    def from_privacy(cls, epsilon: EpsilonLike, delta: Fraction) -> StableHistogram:
        """Return the histogram with the least noise and threshold for a privacy guarantee.

        Parameters
        ----------
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.
        delta
            The delta to spend, above 0 and at most 1.

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
    def from_privacy(cls, epsilon: EpsilonLike, delta: Fraction) -> LaplaceHistogram:
        """Return the histogram with the least threshold for a privacy guarantee.

        Parameters
        ----------
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.
        delta
            The delta to spend, above 0 and at most 1.

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
