"""Certified intervals: rational endpoints that enclose an irrational number.

Other functions format numbers: exactly where that is short, and to a few digits at any size. The
last part alone calls python-flint, whose balls enclose the values of functions at rational numbers.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from pac_stability.arguments import as_fraction, as_size
from pac_stability.errors import InvalidInput, Undecided

if TYPE_CHECKING:
    from flint import arb

_START_BITS = 64

# exp(x) has about 1.44 |x| bits before or after the binary point, all of them written out.
_LARGEST_EXPONENT = 1 << 20


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval that contains the real number it represents.

    Arithmetic and the functions below return an interval that contains every possible result, so
    the endpoints are proved bounds. The comparisons ``<``, ``<=``, ``>``, ``>=`` compare the
    represented numbers: they answer when the endpoints settle the question and raise
    :class:`~pac_stability.errors.Undecided` when they do not. ``==`` compares the endpoints only.

    Parameters
    ----------
    lower, upper
        The exact endpoints, ``lower <= upper``.

    Raises
    ------
    InvalidInput
        An endpoint is not an exact number, or they are in the wrong order.

    Notes
    -----
    Functions take ``bits``, the working precision; the relative width of the answer is of the order
    ``2**-bits``, plus a term for the width of the argument. Each costs about a microsecond at 64
    bits (python-flint's ball arithmetic, imported on first use).

    Examples
    --------
    >>> Interval.sqrt(2) < Fraction(142, 100)
    True
    >>> float(Interval.log(2) + 1)
    1.6931471805599454
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", as_fraction(self.lower, "lower"))
        object.__setattr__(self, "upper", as_fraction(self.upper, "upper"))
        if self.lower > self.upper:
            raise InvalidInput("upper", "an endpoint below the lower one", "lower <= upper")

    @classmethod
    def exactly(cls, value: int | Fraction) -> Interval:
        """Return the interval that contains one rational number alone."""
        number = as_fraction(value, "value")
        return _between(number, number)

    @classmethod
    def exp(cls, value: Real, bits: int = _START_BITS) -> Interval:
        """Enclose ``e**value``.

        Raises
        ------
        InvalidInput
            ``value`` is larger than 2**20 in size.
        """
        x = _as_interval(value)
        if max(abs(x.lower), abs(x.upper)) > _LARGEST_EXPONENT:
            raise InvalidInput("value", "an exponent beyond 2**20 in size", "a smaller one")
        return cls._increasing("exp", x, bits)

    @classmethod
    def log(cls, value: Real, bits: int = _START_BITS) -> Interval:
        """Enclose the natural logarithm of a positive number.

        Raises
        ------
        InvalidInput
            ``value`` is not positive.
        Undecided
            The sign of ``value`` is not settled.
        """
        x = _as_interval(value)
        if x.upper <= 0:
            raise InvalidInput("value", "a number that is not positive", "a positive number")
        if x.lower <= 0:
            raise Undecided("the logarithm of a number not known to be positive")
        return cls._increasing("log", x, bits)

    @classmethod
    def log2(cls, value: Real, bits: int = _START_BITS) -> Interval:
        """Enclose the binary logarithm of a positive number; raises like :meth:`log`."""
        return cls.log(value, bits) / cls.log(2, bits)

    @classmethod
    def sqrt(cls, value: Real, bits: int = _START_BITS) -> Interval:
        """Enclose the square root of a non-negative number.

        Raises
        ------
        InvalidInput
            ``value`` is negative.
        Undecided
            The sign of ``value`` is not settled.
        """
        x = _as_interval(value)
        if x.upper < 0:
            raise InvalidInput("value", "a negative number", "a non-negative number")
        if x.lower < 0:
            raise Undecided("the square root of a number not known to be non-negative")
        return cls._increasing("sqrt", x, bits)

    @classmethod
    def _increasing(cls, function: Function, x: Interval, bits: int) -> Interval:
        precision = as_size(bits, "bits", least=2)
        low, high = enclose(function, x.lower, precision)
        if x.upper != x.lower:
            high = enclose(function, x.upper, precision)[1]
        return _between(low, high)

    @property
    def width(self) -> Fraction:
        """``upper - lower``."""
        return self.upper - self.lower

    def in_units(self, bits: int) -> tuple[int, int]:
        """Return the nearest integers around the number, in units of ``2**-bits``.

        Examples
        --------
        >>> Interval.exactly(Fraction(1, 3)).in_units(4)
        (5, 6)
        """
        unit = 1 << bits
        return math.floor(self.lower * unit), math.ceil(self.upper * unit)

    def __contains__(self, value: int | Fraction) -> bool:
        return self.lower <= as_fraction(value, "value") <= self.upper

    def __float__(self) -> float:
        """Return the float nearest to the middle: for display, never for a verdict."""
        return float((self.lower + self.upper) / 2)

    def __neg__(self) -> Interval:
        return _between(-self.upper, -self.lower)

    def __add__(self, other: Real) -> Interval:
        y = _as_interval(other)
        return _between(self.lower + y.lower, self.upper + y.upper)

    def __radd__(self, other: int | Fraction) -> Interval:
        return self + other

    def __sub__(self, other: Real) -> Interval:
        return self + -_as_interval(other)

    def __rsub__(self, other: int | Fraction) -> Interval:
        return -self + other

    def __mul__(self, other: Real) -> Interval:
        y = _as_interval(other)
        if self.lower.numerator >= 0 and y.lower.numerator >= 0:  # mostly
            return _between(self.lower * y.lower, self.upper * y.upper)
        corners = [a * b for a in (self.lower, self.upper) for b in (y.lower, y.upper)]
        return _between(min(corners), max(corners))

    def __rmul__(self, other: int | Fraction) -> Interval:
        return self * other

    def __truediv__(self, other: Real) -> Interval:
        y = _as_interval(other)
        if y.lower == y.upper == 0:
            raise InvalidInput("divisor", "0", "a number other than zero")
        if y.lower <= 0 <= y.upper:
            raise Undecided("a division by a number not known to differ from zero")
        if self.lower.numerator >= 0 and y.lower.numerator > 0:  # mostly
            return _between(self.lower / y.upper, self.upper / y.lower)
        return self * _between(1 / y.upper, 1 / y.lower)

    def __rtruediv__(self, other: int | Fraction) -> Interval:
        return _as_interval(other) / self

    def compare(self, other: Real) -> int | None:
        """Return the sign of ``self - other``, or ``None`` when the endpoints do not settle it.

        Examples
        --------
        >>> Interval.exp(1).compare(3), Interval.exp(1).compare(Interval.exp(1))
        (-1, None)
        """
        y = _as_interval(other)
        if self.upper < y.lower:
            return -1
        if self.lower > y.upper:
            return 1
        if self.lower == self.upper == y.lower == y.upper:
            return 0
        return None

    def __lt__(self, other: Real) -> bool:
        y = _as_interval(other)
        if self.upper < y.lower:
            return True
        if self.lower >= y.upper:
            return False
        raise Undecided(f"[{self}] and [{y}] overlap")

    def __le__(self, other: Real) -> bool:
        y = _as_interval(other)
        if self.upper <= y.lower:
            return True
        if self.lower > y.upper:
            return False
        raise Undecided(f"[{self}] and [{y}] overlap")

    def __gt__(self, other: Real) -> bool:
        return not self <= other

    def __ge__(self, other: Real) -> bool:
        return not self < other

    def __str__(self) -> str:
        return f"{_decimal(self.lower)}, {_decimal(self.upper)}"


_NEW_INTERVAL = object.__new__
_SET_LOWER = Interval.__dict__["lower"].__set__
_SET_UPPER = Interval.__dict__["upper"].__set__


def _between(lower: Fraction, upper: Fraction) -> Interval:
    """Build an interval from fractions in order: claims make millions of them."""
    interval = _NEW_INTERVAL(Interval)
    _SET_LOWER(interval, lower)
    _SET_UPPER(interval, upper)
    return interval


Real: TypeAlias = int | Fraction | Interval
"""A real number, known exactly or enclosed."""


def _as_interval(value: Real) -> Interval:
    return value if isinstance(value, Interval) else Interval.exactly(value)


def _decimal(value: Fraction) -> str:
    try:
        return repr(float(value))
    except OverflowError:
        return f"{'-' if value < 0 else ''}2**{int(abs(value)).bit_length() - 1} or more in size"


def decide_less(
    left: Callable[[int], Interval], right: Callable[[int], Interval], max_bits: int = 4096
) -> bool:
    """Decide ``left < right`` for two numbers with arbitrarily narrow enclosures.

    Parameters
    ----------
    left, right
        Functions from a working precision in bits to an enclosure.
    max_bits
        The precision is doubled from 64 bits until the comparison is settled or would pass this.

    Returns
    -------
    bool
        Whether the left number is smaller.

    Raises
    ------
    Undecided
        Not settled at ``max_bits``; two equal irrational numbers always end here.

    Examples
    --------
    Is 1 + 10**-30 less than e**(10**-30)?

    >>> tiny = Fraction(1, 10**30)
    >>> decide_less(lambda bits: Interval.exactly(1 + tiny), lambda bits: Interval.exp(tiny, bits))
    True
    """
    limit = as_size(max_bits, "max_bits", least=_START_BITS)
    bits = _START_BITS
    while bits <= limit:
        try:
            return left(bits) < right(bits)
        except Undecided:
            bits *= 2
    raise Undecided(f"the two numbers are not told apart at {limit} bits")


def certified_ceiling(enclosure: Callable[[int], Interval], max_bits: int = 4096) -> int:
    """Return the ceiling of a number with arbitrarily narrow enclosures.

    Parameters
    ----------
    enclosure
        A function from a working precision in bits to an enclosure of the number.
    max_bits
        As for :func:`decide_less`.

    Raises
    ------
    Undecided
        Not settled at ``max_bits``; an integer without an enclosure of width 0 always ends here.

    Examples
    --------
    >>> certified_ceiling(lambda bits: Interval.exp(3, bits))
    21
    """
    limit = as_size(max_bits, "max_bits", least=_START_BITS)
    bits = _START_BITS
    while bits <= limit:
        around = enclosure(bits)
        if (ceiling := math.ceil(around.lower)) == math.ceil(around.upper):
            return ceiling
        bits *= 2
    raise Undecided(f"the integer above a number is not settled at {limit} bits")


def least_integer(holds: Callable[[int], bool], start: int, most: int | None = None) -> int:
    """Return the least integer from ``start`` on from which a monotone condition holds.

    Parameters
    ----------
    holds
        The condition: it holds for all integers beyond one for which it holds.
    start
        The least integer of interest.
    most
        An integer, not below ``start``, for which it holds; nothing from there on is tried.

    Examples
    --------
    >>> least_integer(lambda n: n * n >= 10**20, 1), least_integer(lambda n: n >= 7, 0, 7)
    (10000000000, 7)
    """
    low, high, step = start - 1, start if most is None else most, 1
    while most is None and not holds(high):
        low, high, step = high, start + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def log_power_mean(
    terms: Sequence[tuple[Fraction, Fraction]], bits: int = _START_BITS
) -> Callable[[Fraction], Interval]:
    """Return a function that encloses the logarithm of a power mean, for any power.

    Parameters
    ----------
    terms
        Positive numbers y, each with its weight w > 0; the weights sum to 1.
    bits
        The working precision.

    Returns
    -------
    Callable
        A function of a power x >= 0 that encloses ``log(w_1 y_1**x + ... + w_k y_k**x) / x`` and,
        for x = 0, its limit, the sum of the ``w_i log(y_i)``. The value does not decrease in x.

    Raises
    ------
    InvalidInput
        A number or a weight is not positive, or the weights do not sum to 1.

    Notes
    -----
    The logarithms are computed once, and balls are summed: about a microsecond per term and power.

    Examples
    --------
    >>> mean = log_power_mean([(Fraction(1), Fraction(1, 2)), (Fraction(3), Fraction(1, 2))])
    >>> [round(math.exp(mean(Fraction(x))), 6) for x in (0, 1, 2)]  # sqrt(3), 2, sqrt(5)
    [1.732051, 2.0, 2.236068]
    """
    if not all(number > 0 and weight > 0 for number, weight in terms):
        raise InvalidInput("terms", "a number that is not positive", "positive ones")
    if sum(weight for _, weight in terms) != 1:
        raise InvalidInput("terms", "weights with another sum", "weights that sum to 1")
    bits = as_size(bits, "bits", least=2)
    largest = max(number for number, _ in terms)
    with _working(bits):
        weights = [_exact(weight) for _, weight in terms]
        # Relative to the largest number, so that no power is larger than 1, and its own is 1.
        logs = [_ball("log", number / largest) for number, _ in terms]
        log_largest, nothing = _ball("log", largest), _exact(Fraction(0))

    def at(power: Fraction) -> Interval:
        with _working(bits):
            if power:
                x, parts = _exact(power), zip(weights, logs, strict=True)
                mean = sum(((log * x).exp() * w for w, log in parts), nothing).log() / x
            else:
                mean = sum((log * w for w, log in zip(weights, logs, strict=True)), nothing)
            return Interval(*_ends(mean + log_largest, f"no finite enclosure at {bits} bits"))

    return at


def fair_binomial(half: int) -> Callable[[int, int, int], Interval]:
    """Return a function that encloses the probabilities of a fair binomial, for an even size.

    Parameters
    ----------
    half
        Half the number of fair coin flips.

    Returns
    -------
    Callable
        A function of a distance (at most ``half`` in size), a factor and a number of bits. It
        encloses ``factor C(2 half, half + distance) / 4**half``, with a relative width of about
        ``2**-bits``.

    Notes
    -----
    Stirling's series (python-flint) takes about 40 microseconds each, for any number of flips.

    Examples
    --------
    >>> p = fair_binomial(2)
    >>> float(p(0, 1, 64)), float(p(-1, 1, 64))
    (0.375, 0.25)
    """
    as_size(half, "half")
    tops: dict[int, arb] = {}

    def scaled(distance: int, factor: int, bits: int) -> Interval:
        if abs(distance) > half:
            raise InvalidInput("distance", str(distance), f"at most {half} in size")
        # Differences of numbers of about 2 half log(half).
        with _working(as_size(bits, "bits", least=2) + 2 * half.bit_length() + 16):
            if bits not in tops:
                tops[bits] = _log_factorial(2 * half) - _exact(Fraction(2)).log() * (2 * half)
            ways = _log_factorial(half + distance) + _log_factorial(half - distance)
            share = (tops[bits] - ways).exp() * factor
            return Interval(*_ends(share, f"no finite enclosure at {bits} bits"))

    return scaled


def log_choose(n: int, k: int, bits: int = _START_BITS) -> Interval:
    """Enclose the logarithm of the number of subsets of size k of n things.

    Parameters
    ----------
    n, k
        The sizes, ``0 <= k <= n``.
    bits
        Working precision, relative to ``ln n!``: the answer is a difference of such numbers.

    Examples
    --------
    >>> round(math.exp(log_choose(10, 3, 64)), 9)
    120.0
    """
    as_size(n, "n", least=as_size(k, "k"))
    with _working(bits):
        ways = _log_factorial(n) - _log_factorial(k) - _log_factorial(n - k)
        return Interval(*_ends(ways, f"no finite enclosure at {bits} bits"))


def noisy_binomial(
    p: Fraction, decay: Fraction, most: int
) -> Callable[[int, int, int], Interval | None]:
    """Return a function that encloses the probability that a noisy binomial count is small.

    Parameters
    ----------
    p
        The success probability of a trial; above 0 and at most 1.
    decay, most
        The noise z has weight ``decay**|z|``, and is at most ``most`` in size.

    Returns
    -------
    Callable
        A function of a number of trials k, a threshold t above ``most`` and a number of bits. It
        encloses ``ln Pr[C + Z < t]``, where C is binomial with k and p and Z is the noise. It is
        ``None`` where that precision gives no bound on either side, as where the probability is 0.

    Notes
    -----
    The tail of Z is geometric from 0 on, on either side, and a binomial law times a geometric
    factor is proportional to another binomial law. So the probability is a sum of seven values of
    binomial distribution functions, which are incomplete beta functions (python-flint), or, far
    from the mean, at most Chernoff's bound. It takes about 0.1 milliseconds for thousands of
    trials, and about 30 at most.

    Examples
    --------
    >>> missed = noisy_binomial(Fraction(1, 2), Fraction(1, 2), 1)
    >>> sure, likely = 1 + 10, 45 * Fraction(3, 4) + 120 * Fraction(1, 4)  # counts 0 and 1, 2 and 3
    >>> round(math.exp(missed(10, 3, 64)), 9) == round(float(sure + likely) / 1024, 9)
    True
    """
    return _NoisyBinomial(p, decay, as_size(most, "most")).log_below


# Numbers in words

LONGEST_NUMBER = 36
SHOWN = 6
"""Significant digits of a decimal, where nothing calls for more."""


def digits(number: int | Fraction) -> str:
    """Return a number as ``p`` or ``p/q`` with all its digits, which ``str`` may refuse.

    Examples
    --------
    >>> digits(Fraction(6, 4)), len(digits(10**5000))
    ('3/2', 5001)
    """
    top, bottom = (f"{Decimal(part):f}" for part in (number.numerator, number.denominator))
    return top if number.denominator == 1 else f"{top}/{bottom}"


def decimal(number: Fraction, places: int = SHOWN) -> str:
    """Return a number of any size to some significant digits.

    Examples
    --------
    >>> decimal(Fraction(4, 3)), decimal(Fraction(10) ** 400)
    ('1.33333', '1E+400')
    """
    context = Context(prec=places, Emax=MAX_EMAX, Emin=MIN_EMIN)
    quotient = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{quotient.normalize(context):.{places}g}".replace("e", "E")


def exact(number: Fraction | float, places: int = SHOWN) -> str:
    """Return a number exactly if that is short, and in any case to some significant digits.

    Examples
    --------
    >>> exact(Fraction(4, 3)), exact(Fraction(7)), exact(math.inf)
    ('4/3 (1.33333)', '7', 'infinity')
    >>> exact(Fraction(10**40, 3))
    '10000000...0000/3 (3.33333E+39)'
    """
    if not isinstance(number, Fraction):
        return "infinity" if number > 0 else "-infinity"
    whole = digits(number)
    if number.denominator == 1 and len(whole) <= LONGEST_NUMBER:
        return whole
    if len(whole) > LONGEST_NUMBER:
        whole = "/".join(
            part if len(part) <= 15 else f"{part[:8]}...{part[-4:]}" for part in whole.split("/")
        )
    return f"{whole} ({decimal(number, places)})"


def log_in_words(ratio: Fraction | float, places: int = SHOWN) -> str:
    """Return the natural logarithm of a factor to some significant digits.

    Examples
    --------
    >>> log_in_words(Fraction(3, 2)), log_in_words(Fraction(3, 2), 20), log_in_words(math.inf)
    ('0.405465', '0.40546510810816438198', 'inf')
    """
    if places == SHOWN or not isinstance(ratio, Fraction) or ratio <= 0:
        return f"{logarithm(ratio):.{SHOWN}g}"
    around = Interval.log(ratio, 4 * places)
    return decimal((around.lower + around.upper) / 2, places)


def logarithm(ratio: Fraction | float) -> float:
    """Return the natural logarithm of a factor to floating point accuracy: for display only.

    Parameters
    ----------
    ratio
        The factor; infinity for one that is infinite.

    Examples
    --------
    >>> logarithm(Fraction(3, 2)), logarithm(math.inf), logarithm(Fraction(1))
    (0.4054651081081644, inf, 0.0)
    >>> round(logarithm(Fraction(2) ** 2000), 6)
    1386.294361
    """
    if not isinstance(ratio, Fraction):
        return math.inf
    if ratio <= 0:
        return -math.inf
    if Fraction(1, 2) < ratio < 2:
        return math.log1p(ratio - 1)
    return math.log(ratio.numerator) - math.log(ratio.denominator)


# What python-flint encloses

Function: TypeAlias = Literal["exp", "log", "sqrt"]

# The working precision is global to python-flint, shared by all threads. A change made by someone
# else while we compute can only widen or narrow the ball: it always encloses the value.
_precision_in_use = threading.Lock()


@lru_cache(maxsize=1 << 11)  # a search for a size asks for the same logarithms at every step
def enclose(function: Function, value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return rationals that enclose ``function(value)``, computed with ``bits`` bits.

    The caller must pass a value in the domain of the function.
    """
    with _working(bits + _guard(function, value)):
        return _ends(_ball(function, value), f"{function} has no finite enclosure at {bits} bits")


def of_ball(
    function: Callable[..., arb], values: Iterable[Fraction], bits: int
) -> tuple[Fraction, Fraction] | None:
    """Return rationals that enclose a function of python-flint's; ``None`` if it has no value."""
    with _working(bits):
        ball = function(*map(_exact, values))
        return _ends(ball, "") if ball.is_finite() else None


class _NoisyBinomial:
    """Enclosures of lower tails of a noisy binomial."""

    def __init__(self, p: Fraction, decay: Fraction, most: int) -> None:
        self._p, self._r, self._most = p, decay, most
        self._bits = 0
        self._balls: tuple[arb, arb, arb, arb] | None = None
        self._tilted: tuple[tuple[arb, arb], ...] = ()

    def log_below(self, k: int, threshold: int, bits: int) -> Interval | None:
        """Enclose the logarithm; ``None`` where no bound is finite."""
        as_size(threshold, "threshold", least=self._most + 1)
        # Exponents have the bits of k before the point, and 1 - r may cost those of 1/(1-r).
        guard = as_size(k, "k").bit_length() + math.ceil(1 / (1 - self._r)).bit_length() + 16
        with _working(bits + guard):
            found = self._below(k, threshold, bits + guard)
            if not (found.upper() > 0 and found.is_finite()):
                return None
            most = _ends(found.upper().log(), "")[1]
            if found > 0:
                return Interval(_ends(found.lower().log(), "")[0], most)
            if self._p == 1:
                return None
            # At least, nothing was counted.
            return Interval(_ends((1 - _exact(self._p)).log() * k, "")[0], most)

    def _below(self, k: int, threshold: int, bits: int) -> arb:
        T, most = threshold, self._most
        if self._balls is None or bits != self._bits:
            p, r = _exact(self._p), _exact(self._r)
            log_r = r.log()
            largest = (log_r * (most + 1)).exp()
            whole = 1 + r - 2 * largest
            self._bits = bits
            self._balls = r, log_r, largest / whole, whole
            self._tilted = tuple(
                (share / (1 - p + share), (1 - p + share).log()) for share in (p, p / r, p * r)
            )
        r, log_r, share, whole = self._balls
        plain, up, down = self._tilted
        ends = tuple(
            _at_most(k, plain[0], m, bits, 0.0) for m in (T - most - 2, T - 1, T + most - 1)
        )
        found: arb = ends[1] * (1 + 2 * share) - share * (ends[0] + ends[2])
        for (mean, log), power, (low, high), sign in (
            (up, log_r * T, (T - most - 2, T - 1), -1),
            (down, log_r * (1 - T), (T - 1, T + most - 1), 1),
        ):
            exponent = log * k + power
            spare = max(0.0, float(exponent))
            part = _at_most(k, mean, high, bits, spare) - _at_most(k, mean, low, bits, spare)
            found += sign * exponent.exp() / whole * part
        return found


def _at_most(k: int, p: arb, m: int, bits: int, spare: float) -> arb:
    """Enclose ``Pr[Bin(k, p) <= m]``; what is below ``2**-bits e**-spare`` is not looked into."""
    from flint import arb  # noqa: PLC0415  # slow to import

    if m < 0 or m >= k:
        return arb(int(m >= k))
    if p == 1:
        return arb(0)
    mean, left = k * float(p), 0.7 * bits + spare
    # Chernoff's bound, of either tail; what floats round off is taken from the deviation.
    off = abs(m + 0.5 - mean) * (1 - 1e-12) - 1 - 1e-12 * mean
    if off > 0 and off * off > (2 * mean + off) * (left * 1.001 + 1):
        tiny = arb(0.5, 0.5) * (-arb(left)).exp()
        return tiny if m < mean else 1 - tiny
    short = spare < 16 and p < (0.7 if m < mean else 0.2)  # the series of the other side
    return 1 - p.beta_lower(m + 1, k - m, 1) if short else (1 - p).beta_lower(k - m, m + 1, 1)


def _log_factorial(n: int) -> arb:
    from flint import arb  # noqa: PLC0415  # slow to import

    return arb(n + 1).lgamma()


@contextmanager
def _working(bits: int) -> Iterator[None]:
    # Imported here because importing python-flint takes longer than the rest of the library.
    from flint import ctx  # noqa: PLC0415  # slow to import

    # On one line, so that no interrupt keeps the lock: see pac_stability._alarm.alone.
    with _precision_in_use, ctx.workprec(bits): yield  # fmt: skip  # noqa: E701


def _guard(function: Function, value: Fraction) -> int:
    # Rounding the argument moves exp(x) by a factor e**(2**-bits x), so the bits of x are added.
    return abs(int(value)).bit_length() if function == "exp" else 0


def _exact(value: Fraction) -> arb:
    from flint import arb, fmpq  # noqa: PLC0415  # slow to import

    return arb(fmpq(value.numerator, value.denominator))


def _ball(function: Function, value: Fraction) -> arb:
    # Near 1 rounding would move log(x) by more than its size, so x - 1 is rounded there.
    if function == "log":
        above, below = value.as_integer_ratio()
        if 2 * abs(above - below) < below:
            return _exact(value - 1).log1p()
    argument = _exact(value)
    if function == "exp":
        return argument.exp()
    return argument.log() if function == "log" else argument.sqrt()


def _ends(ball: arb, failure: str) -> tuple[Fraction, Fraction]:
    if not ball.is_finite():
        raise OverflowError(failure)
    # ball.lower() and ball.upper() are balls again; midpoint and radius are exact.
    (middle, place), (radius, unit) = (
        map(int, part.man_exp()) for part in (ball.mid(), ball.rad())
    )
    # In units of the finer of the two, which may be far above or far below 1.
    least = min(place, unit)
    middle, radius = middle << place - least, radius << unit - least
    return _dyadic(middle - radius, least), _dyadic(middle + radius, least)


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    return Fraction(mantissa, 1 << -exponent)
