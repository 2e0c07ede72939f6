"""The privacy parameter epsilon, kept as the rational number ``e**epsilon``."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import total_ordering
from typing import Final, final

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_size,
    in_words,
    require_instance,
)
from pac_stability.arithmetic.interval import Interval
from pac_stability.errors import InvalidInput

_WANTED = "a finite non-negative number"


@final
@total_ordering
class Epsilon:
    """A privacy parameter, stored as the exact rational number ``e**epsilon``.

    Guarantees compare probabilities by the factor ``e**epsilon``, so that factor is what must be
    exact. An epsilon that is given as a number has an irrational factor; it is rounded *down* to
    a multiple of ``2**-64``, so the guarantee is never weaker than the one asked for. Use
    :meth:`exactly` to choose the factor itself.

    Parameters
    ----------
    epsilon
        A non-negative number, at most :attr:`LARGEST`. A float is the decimal that it prints as.
        Infinity is refused: it promises nothing, so it is no parameter of a guarantee.

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

    def __init__(self, epsilon: AnyNumber) -> None:
        value = _nonnegative(epsilon)
        if value > self.LARGEST:
            given = in_words(epsilon) if isinstance(epsilon, int | Fraction) else str(epsilon)
            raise InvalidInput("epsilon", given, f"a number of at most {self.LARGEST}")
        self._ratio = _exp_rounded_down(value, self.DENOMINATOR)

    @classmethod
    def exactly(cls, ratio: AnyNumber) -> Epsilon:
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
        factor = as_number(ratio, "ratio")
        if factor < 1:
            raise InvalidInput("ratio", in_words(factor), "a factor e**epsilon of at least 1")
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
        return Epsilon.exactly(self._ratio ** as_size(times, "times"))

    def __rmul__(self, times: int) -> Epsilon:
        return self * times

    def __truediv__(self, parts: int) -> Epsilon:
        count = as_size(parts, "parts", least=1)
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
    value = as_number(epsilon, "epsilon", _WANTED)
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
    # Newton's method from above; the first step that does not decrease has arrived.
    root = 1 << -(-number.bit_length() // degree)
    while True:
        step = ((degree - 1) * root + number // root ** (degree - 1)) // degree
        if step >= root:
            return root
        root = step


def as_epsilon(epsilon: Epsilon | AnyNumber) -> Epsilon:
    """Return a privacy parameter that may have been given as a number."""
    return epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)


def as_positive_epsilon(epsilon: Epsilon | AnyNumber) -> Epsilon:
    """Return a privacy parameter above 0, or refuse it."""
    asked = as_epsilon(epsilon)
    if asked.ratio == 1:
        raise InvalidInput("epsilon", "0", "a number above 0 (at least 2**-64)")
    return asked


def require_epsilon(epsilon: object) -> None:
    """Refuse what is no Epsilon, where a class keeps one as a field."""
    require_instance(epsilon, Epsilon, "epsilon", "an Epsilon, such as Epsilon(1.0)")
