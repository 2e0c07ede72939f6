"""Polynomials in one variable over the rationals: values, ranges, and isolated real roots.

python-flint does one thing here, the factorization into irreducible polynomials.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, zip_longest

from pac_stability.arguments import as_fraction

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial in one variable p with rational coefficients. Immutable.

    Parameters
    ----------
    coefficients
        Those of 1, p, p^2, ...; exact numbers. None for the polynomial zero.

    Raises
    ------
    InvalidInput
        A coefficient is not an exact number.

    Examples
    --------
    >>> square = Polynomial([0, 0, 1])
    >>> (square - Polynomial([1]))(3), Polynomial([1, 1]) + square
    (Fraction(8, 1), Polynomial(1 + 1 p + 1 p^2))
    """

    coefficients: tuple[Fraction, ...]

    def __init__(self, coefficients: Iterable[Fraction | int]) -> None:
        exact = [as_fraction(number, "coefficients") for number in coefficients]
        while exact and not exact[-1]:
            exact.pop()
        object.__setattr__(self, "coefficients", tuple(exact))

    @staticmethod
    def of_counts(values: Sequence[Fraction | int]) -> Polynomial:
        """Return the expectation of a value of the number of successes in n independent tries.

        Parameters
        ----------
        values
            The n + 1 values, at 0, 1, ..., n successes.

        Returns
        -------
        Polynomial
            In the probability p of success: the sum of values[k] C(n, k) p^k (1-p)^(n-k).

        Notes
        -----
        The coefficient of p^j is C(n, j) times the j-th forward difference of the values at 0.

        Examples
        --------
        >>> Polynomial.of_counts([0, 0, 1])
        Polynomial(1 p^2)
        """
        differences = [as_fraction(value, "values") for value in values]
        n = len(differences) - 1
        coefficients = []
        for j in range(n + 1):
            coefficients.append(math.comb(n, j) * differences[0])
            differences = [after - before for before, after in pairwise(differences)]
        return Polynomial(coefficients)

    def __call__(self, p: Fraction | int) -> Fraction:
        """Return the value at a rational number."""
        total = ZERO
        for coefficient in reversed(self.coefficients):
            total = total * p + coefficient
        return total

    def __add__(self, other: Polynomial) -> Polynomial:
        pairs = zip_longest(self.coefficients, other.coefficients, fillvalue=ZERO)
        return Polynomial(a + b for a, b in pairs)

    def __neg__(self) -> Polynomial:
        return Polynomial(-coefficient for coefficient in self.coefficients)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def derivative(self) -> Polynomial:
        """Return the derivative in p."""
        return Polynomial(k * number for k, number in enumerate(self.coefficients) if k)

    def remainder(self, divisor: Polynomial) -> Polynomial:
        """Return what is left after division by a polynomial other than zero."""
        rest = list(self.coefficients)
        lower, leading = divisor.coefficients[:-1], divisor.coefficients[-1]
        while len(rest) > len(lower):
            factor = rest.pop() / leading
            start = len(rest) - len(lower)
            for k, coefficient in enumerate(lower):
                rest[start + k] -= factor * coefficient
        return Polynomial(rest)

    def bernstein(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """Return the coefficients in the Bernstein basis of an interval.

        On the interval the polynomial is a weighted mean of them, so the smallest and the largest
        bound it; and it has as many roots inside, counted with multiplicity, as they have changes
        of sign, or an even number fewer (Descartes).
        """
        if not self.coefficients:
            return [ZERO]
        # In integers: with p = (a + w u) / d, the coefficients c[k] d^(n-k) of (a + w u)^k are
        # expanded around a by repeated synthetic division, and then scaled by w^k / C(n, k).
        n = len(self.coefficients) - 1
        d = math.lcm(low.denominator, high.denominator)
        a, w = int(low * d), int((high - low) * d)
        common = math.lcm(*(c.denominator for c in self.coefficients))
        terms = [int(c * common) * d ** (n - k) for k, c in enumerate(self.coefficients)]
        for start in range(n):
            for k in range(n - 1, start - 1, -1):
                terms[k] += a * terms[k + 1]
        binomials = [math.comb(n, k) for k in range(n + 1)]
        scale = math.lcm(*binomials)
        terms = [c * w**k * (scale // binomials[k]) for k, c in enumerate(terms)]
        # The k-th coefficient is the sum of C(k, j) terms[j]: sums of sums, as Pascal's triangle.
        for start in range(1, n + 1):
            for k in range(n, start - 1, -1):
                terms[k] += terms[k - 1]
        denominator = common * d**n * scale
        return [Fraction(term, denominator) for term in terms]

    def __repr__(self) -> str:
        terms = []
        for k, coefficient in enumerate(self.coefficients):
            if coefficient:
                power = "" if k == 0 else " p" if k == 1 else f" p^{k}"
                terms.append(f"{coefficient}{power}")
        return f"Polynomial({' + '.join(terms) or 0})"


class AlgebraicNumber:
    """An irrational root of an irreducible polynomial, alone in an interval that can be halved.

    Attributes
    ----------
    factor
        The irreducible polynomial, of degree two or more.
    low, high
        Rational numbers around the root; the signs of ``factor`` at them differ.
    """

    __slots__ = ("_rising", "factor", "high", "low")

    def __init__(self, factor: Polynomial, low: Fraction, high: Fraction) -> None:
        self.factor = factor
        self.low = low
        self.high = high
        self._rising = factor(low) < 0

    def halve(self) -> None:
        """Halve the interval. An irreducible polynomial has no root in the middle."""
        middle = (self.low + self.high) / 2
        if (self.factor(middle) < 0) == self._rising:
            self.low = middle
        else:
            self.high = middle


def irreducible_factors(polynomial: Polynomial) -> tuple[Polynomial, ...]:
    """Return the irreducible factors of positive degree, each once, with integer coefficients."""
    # Imported here because importing python-flint takes longer than the rest of the library.
    from flint import fmpz_poly  # noqa: PLC0415  # slow to import

    common = math.lcm(*(c.denominator for c in polynomial.coefficients))
    _, factors = fmpz_poly([int(c * common) for c in polynomial.coefficients]).factor()
    return tuple(Polynomial([int(c) for c in factor.coeffs()]) for factor, _ in factors)


def roots_between(
    factor: Polynomial, low: Fraction, high: Fraction
) -> Iterator[Fraction | AlgebraicNumber]:
    """Yield the roots of an irreducible polynomial that are strictly inside an interval."""
    if len(factor.coefficients) == 2:
        constant, slope = factor.coefficients
        if low < -constant / slope < high:
            yield -constant / slope
        return
    # No end is a root. Changes of sign become 0 or 1 in intervals small enough, as an irreducible
    # polynomial has only simple roots (the theorem of Vincent and Collins).
    waiting = [(low, high)]
    while waiting:
        low, high = waiting.pop()
        changes = _sign_changes(factor.bernstein(low, high))
        if changes == 1:
            yield AlgebraicNumber(factor, low, high)
        elif changes > 1:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]


def _sign_changes(numbers: Iterable[Fraction]) -> int:
    signs = [number > 0 for number in numbers if number]
    return sum(before != after for before, after in pairwise(signs))
