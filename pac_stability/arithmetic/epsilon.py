"""Exact numbers: the privacy parameter epsilon, kept as the rational number ``e**epsilon``.

The module begins with integer functions of exact numbers. :class:`Constants` then says which
constants a size or a bound uses: printed, proved, or sharp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import total_ordering
from typing import Final, Literal, TypeAlias, TypeVar, final

from pac_stability import arguments
from pac_stability.arithmetic.interval import Interval
from pac_stability.errors import InvalidInput, Undecided

X = TypeVar("X")


def floor_log2(value: int | Fraction) -> int:
    """Return the largest integer ``k`` with ``2**k <= value``.

    Parameters
    ----------
    value
        A positive exact number.

    Returns
    -------
    int
        The exponent, negative when ``value < 1``.

    Raises
    ------
    InvalidInput
        ``value`` is not an exact number, or not positive.

    Examples
    --------
    >>> floor_log2(8), floor_log2(7), floor_log2(Fraction(1, 3))
    (3, 2, -2)
    """
    number = arguments.as_fraction(value, "value")
    if number <= 0:
        raise InvalidInput("value", arguments.in_words(number), "a positive number")
    # The bit lengths put the logarithm between guess - 1 (excluded) and guess + 1 (excluded).
    guess = number.numerator.bit_length() - number.denominator.bit_length()
    reached = (
        number.numerator >= number.denominator << guess
        if guess >= 0
        else number.numerator << -guess >= number.denominator
    )
    return guess if reached else guess - 1


def multinomial(counts: Iterable[int]) -> int:
    """Return the number of ways to order a multiset with the given multiplicities.

    Parameters
    ----------
    counts
        Non-negative multiplicities ``n_1, ..., n_k``.

    Returns
    -------
    int
        ``(n_1 + ... + n_k)! / (n_1! ... n_k!)``; one for no counts.

    Raises
    ------
    InvalidInput
        A count is not a non-negative integer.

    Examples
    --------
    >>> multinomial([2, 1, 1])
    12
    """
    total, orders = 0, 1
    for count in counts:
        size = arguments.as_size(count, "counts")
        total += size
        orders *= math.comb(total, size)
    return orders


# Whose constants


class Constants(StrEnum):
    """Which constants a size or a bound uses: printed, proved or sharp.

    Attributes
    ----------
    PRINTED
        As the paper prints them, with the explicit constants of what it cites. Some of these are
        wrong: where no proof is known, the function says so.
    PROVED
        The paper's own accounting (its steps, and the share of alpha, beta and gamma that it gives
        each), with the best lemmas for these steps that we can prove.
    SHARP
        The best constants proved here, with any accounting. This is the default everywhere.

    Notes
    -----
    ``PROVED`` and ``SHARP`` are always proved; ``PRINTED`` is, wherever it is no smaller than one
    of them. The step from printed to proved shows what better lemmas save; the step from proved to
    sharp shows what a better division of alpha, beta and gamma saves. Some kinds may coincide for a
    function; its documentation then says which.

    Each is a string and can be given as one. The words of earlier versions are accepted, too:
    ``"paper"`` and ``"statement"`` are printed, ``"repaired"`` and ``"proof"`` are proved.

    Examples
    --------
    >>> Constants("printed") is Constants("paper") is Constants.PRINTED
    True
    >>> Constants.SHARP == "sharp", f"{Constants.SHARP}"
    (True, 'sharp')
    """

    PRINTED = "printed"
    PROVED = "proved"
    SHARP = "sharp"

    @classmethod
    def _missing_(cls, value: object) -> Constants | None:
        return cls(_EARLIER[value]) if isinstance(value, str) and value in _EARLIER else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


_EARLIER: Final = {
    "paper": "printed",
    "statement": "printed",
    "repaired": "proved",
    "proof": "proved",
}

ConstantsLike: TypeAlias = (
    Constants | Literal["printed", "proved", "sharp", "paper", "statement", "repaired", "proof"]
)
"""What :func:`as_constants` takes: a member of the enumeration, or a word for one."""


def as_constants(value: object, argument: str = "constants") -> Constants:
    """Return a kind of constants by its name, or refuse any other value.

    Parameters
    ----------
    value
        A member of :class:`Constants`, or a word for one.
    argument
        Name of the argument, for the message.

    Raises
    ------
    InvalidInput
        The value is none of the words.

    Examples
    --------
    >>> as_constants("repaired")
    Constants.PROVED
    """
    try:
        if isinstance(value, str):  # an array compares with a word entry by entry
            return Constants(value)
    except ValueError:
        pass
    given = repr(value) if isinstance(value, str) else f"a value of type {type(value).__name__}"
    raise InvalidInput(argument, given, "'printed', 'proved' or 'sharp'")


# The privacy parameter

_WANTED = "a finite non-negative number"


@final
@total_ordering
class Epsilon:
    """A privacy parameter, stored as the exact rational number ``e**epsilon``.

    Guarantees compare probabilities by the factor ``e**epsilon``, so that factor must be exact. An
    epsilon given as a number has an irrational factor. It is rounded *down* to a multiple of
    ``2**-64``, so the guarantee is never weaker than the requested one. Use :meth:`exactly` to
    choose the factor itself.

    Parameters
    ----------
    epsilon
        A non-negative number, at most :attr:`LARGEST`. A float means the decimal that it prints as.
        Infinity is refused, because it guarantees nothing.

    Attributes
    ----------
    ratio : Fraction
        The factor ``e**epsilon``, at least one.

    Raises
    ------
    InvalidInput
        The number is negative, not finite, or too large.

    Notes
    -----
    ``a + b`` multiplies the factors (composition) and ``k * a`` raises one to a power (groups of
    ``k``); both are exact. ``a / k`` is exact when the factor has a rational ``k``-th root, and is
    rounded down to a multiple of ``2**-64`` otherwise, so that ``k * (a / k) <= a``. Epsilons are
    ordered, hashable and immutable.

    Examples
    --------
    >>> Epsilon.exactly(Fraction(5, 4))
    Epsilon(e**epsilon = 5/4, epsilon = 0.223144)
    >>> Epsilon.exactly(2) * 3 == Epsilon.exactly(8)
    True
    >>> Epsilon(1.0).ratio < Fraction("2.7182818284590452354")
    True
    """

    __slots__ = ("_ratio",)

    LARGEST: Final = 1024
    """The largest epsilon that may be given as a number."""

    DENOMINATOR: Final = 1 << 64
    """What the factor is rounded down to a multiple of one over."""

    _ratio: Fraction

    def __init__(self, epsilon: arguments.AnyNumber) -> None:
        value = _nonnegative(epsilon)
        if value > self.LARGEST:
            given = (
                arguments.in_words(epsilon) if isinstance(epsilon, int | Fraction) else str(epsilon)
            )
            raise InvalidInput("epsilon", given, f"a number of at most {self.LARGEST}")
        self._ratio = _exp_rounded_down(value, self.DENOMINATOR)

    @classmethod
    def exactly(cls, ratio: arguments.AnyNumber) -> Epsilon:
        """Return the epsilon whose factor ``e**epsilon`` is the given rational number.

        Parameters
        ----------
        ratio
            The factor, an exact number that is at least one.

        Raises
        ------
        InvalidInput
            The factor is less than one or not exact.
        """
        factor = arguments.as_number(ratio, "ratio")
        if factor < 1:
            raise InvalidInput(
                "ratio", arguments.in_words(factor), "a factor e**epsilon of at least 1"
            )
        epsilon = cls.__new__(cls)
        epsilon._ratio = factor
        return epsilon

    @property
    def ratio(self) -> Fraction:
        """The factor ``e**epsilon``, at least one."""
        return self._ratio

    def interval(self, bits: int = 64) -> Interval:
        """Enclose epsilon, the natural logarithm of :attr:`ratio`, at a working precision."""
        return Interval.log(self._ratio, bits)

    def __float__(self) -> float:
        """Return a float near epsilon: for display, never for a verdict."""
        return float(self.interval())

    def __add__(self, other: object) -> Epsilon:
        if not isinstance(other, Epsilon):
            return NotImplemented
        return Epsilon.exactly(self._ratio * other._ratio)

    def __mul__(self, times: int) -> Epsilon:
        return Epsilon.exactly(self._ratio ** arguments.as_size(times, "times"))

    def __rmul__(self, times: int) -> Epsilon:
        return self * times

    def __truediv__(self, parts: int) -> Epsilon:
        count = arguments.as_size(parts, "parts", least=1)
        top = _floor_root(self._ratio.numerator, count)
        bottom = _floor_root(self._ratio.denominator, count)
        root = Fraction(top, bottom)
        if root**count != self._ratio:
            # Irrational, so it is no multiple of 1/DENOMINATOR.
            root = _rounded_down(
                lambda bits: Interval.exp(Interval.log(self._ratio, bits) / count, bits),
                self.DENOMINATOR,
            )
        return Epsilon.exactly(root)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Epsilon) and self._ratio == other._ratio

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Epsilon):
            return NotImplemented
        return self._ratio < other._ratio

    def __hash__(self) -> int:
        return hash((Epsilon, self._ratio))

    def __repr__(self) -> str:
        # A factor of thousands of digits would be refused by str(); its size says enough.
        digits = self._ratio.numerator.bit_length() + self._ratio.denominator.bit_length()
        factor = str(self._ratio) if digits <= 1024 else f"a fraction of {digits} bits"
        return f"Epsilon(e**epsilon = {factor}, epsilon = {float(self):.6g})"

    def __reduce__(self) -> tuple[object, tuple[Fraction]]:
        return Epsilon.exactly, (self._ratio,)


def _nonnegative(epsilon: object) -> Fraction:
    value = arguments.as_number(epsilon, "epsilon", _WANTED)
    if value < 0:
        raise InvalidInput("epsilon", str(epsilon), _WANTED)
    return value


def _exp_rounded_down(value: Fraction, denominator: int) -> Fraction:
    """Return the largest multiple of ``1/denominator`` that is at most ``e**value``."""
    if value == 0:
        return Fraction(1)  # the only rational power of e that is rational
    if value < Fraction(1, 2 * denominator):
        return Fraction(1)  # e**x < 1 + 2x for 0 < x < 1
    return _rounded_down(lambda bits: Interval.exp(value, bits), denominator)


def _rounded_down(enclosure: Callable[[int], Interval], denominator: int) -> Fraction:
    """Return the largest multiple of ``1/denominator`` below a number of at least 1, no multiple.

    The number is given as a function from a working precision in bits to an enclosure.
    """
    bits = 128
    while True:
        around = enclosure(bits)
        low = math.floor(around.lower * denominator)
        if low == math.floor(around.upper * denominator):
            return Fraction(max(low, denominator), denominator)
        bits *= 2  # ends, because the number is no multiple


def _floor_root(number: int, degree: int) -> int:
    """Return the largest integer whose power of the degree is at most ``number >= 1``."""
    if degree == 1:
        return number
    # Imported here because importing python-flint takes longer than the rest of the library.
    from flint import fmpz  # noqa: PLC0415  # slow to import

    return int(fmpz(number).root(degree))


EpsilonLike: TypeAlias = Epsilon | arguments.AnyNumber
"""An epsilon, or a number that :func:`as_epsilon` reads as one."""


def as_epsilon(epsilon: EpsilonLike) -> Epsilon:
    """Return a privacy parameter, given as an :class:`Epsilon` or as a number.

    Parameters
    ----------
    epsilon
        A number, or an :class:`Epsilon`.
    """
    return epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)


def as_positive_epsilon(epsilon: EpsilonLike) -> Epsilon:
    """Return a privacy parameter above 0, or refuse it.

    Parameters
    ----------
    epsilon
        A number, or an :class:`Epsilon`.
    """
    asked = as_epsilon(epsilon)
    if asked.ratio == 1:
        raise InvalidInput("epsilon", "0", "a number above 0 (at least 2**-64)")
    return asked


def require_epsilon(epsilon: object) -> None:
    """Refuse a field that is not an Epsilon.

    Parameters
    ----------
    epsilon
        What came.
    """
    arguments.require_instance(epsilon, Epsilon, "epsilon", "an Epsilon, such as Epsilon(1.0)")


# The epsilon of a definition, and the delta


def delta_between(between: Callable[[Sequence[Fraction]], X], bounds: list[Fraction]) -> X:
    """Return a delta, at most 1, from its value or its bounds."""
    if len(bounds) == 1:
        return between(bounds)
    lower, upper = bounds
    return between((lower, min(upper, Fraction(1))))


def factor_between(
    between: Callable[[Sequence[Fraction]], X], bounds: list[Fraction | float]
) -> X | float:
    """Return a factor from its value or its bounds, or infinity when all of them are infinite."""
    finite = [bound for bound in bounds if isinstance(bound, Fraction)]
    if len(finite) == len(bounds):
        return between(finite)
    if finite:
        raise Undecided("whether any epsilon is enough for this delta")
    return math.inf


def factor_of(epsilon: object) -> Fraction:
    """Return e**epsilon of an ``Epsilon``; refuse a bare number, which could mean either."""
    if not isinstance(epsilon, Epsilon):
        wanted = "an Epsilon, such as Epsilon(1) or Epsilon.exactly(3) for e**epsilon = 3"
        raise InvalidInput("epsilon", f"a value of type {type(epsilon).__name__}", wanted)
    return epsilon.ratio
