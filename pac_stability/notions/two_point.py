"""All distributions on two elements, exactly.

Let the second of two elements have probability p and the first 1 - p. Then quantities about a
mechanism on n draws are polynomials in p of degree n, at least between finitely many rational
values of p. Its supremum and infimum over all p are found without a grid: they are at the ends of
pieces or at roots of polynomials, and are either rational, and then returned exactly, or irrational
algebraic numbers, and then enclosed as narrowly as one likes. Polynomials over the rationals come
first; python-flint factors them into irreducible ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, zip_longest
from typing import TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import as_fraction, as_number, in_words
from pac_stability.arithmetic import Interval
from pac_stability.data import FiniteDistribution, Multiset
from pac_stability.errors import InvalidInput
from pac_stability.notions.by_type import LawsByType

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


# All distributions on two elements, exactly

__all__ = [
    "WIDTH",
    "Extremum",
    "Piece",
    "Polynomial",
    "infimum",
    "laws_by_count",
    "output_polynomials",
    "pieces_between",
    "supremum",
    "whole",
]

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome

WIDTH = Fraction(1, 1 << 64)
"""The width of an enclosure, unless another one is asked for."""

_FEW = 3  # polynomials of a piece whose crossings are all looked at
_HALVINGS = 16  # of pieces with more


@dataclass(frozen=True, slots=True)
class Piece:
    """A function of p between two rational numbers: the largest of some polynomials.

    Parameters
    ----------
    low, high
        The ends, 0 <= low <= high <= 1. The piece is about p strictly between them, or about the
        single value of p when they are equal.
    polynomials
        At least one.

    Raises
    ------
    InvalidInput
        The ends are no such numbers, or there is no polynomial.

    Examples
    --------
    >>> Piece(Fraction(0), Fraction(1), (Polynomial([0, 1]), Polynomial([1, -1])))
    Piece(low=Fraction(0, 1), high=Fraction(1, 1), polynomials=(Polynomial(1 p), \
Polynomial(1 + -1 p)))
    """

    low: Fraction
    high: Fraction
    polynomials: tuple[Polynomial, ...]

    def __post_init__(self) -> None:
        for end in ("low", "high"):
            object.__setattr__(self, end, as_fraction(getattr(self, end), end))
        if not 0 <= self.low <= self.high <= 1:
            raise InvalidInput(
                "high", f"{in_words(self.low)} to {in_words(self.high)}", "0 <= low <= high <= 1"
            )
        object.__setattr__(self, "polynomials", tuple(dict.fromkeys(self.polynomials)))
        if not self.polynomials:
            raise InvalidInput("polynomials", "none", "at least one polynomial")


@dataclass(frozen=True, slots=True, repr=False)
class Extremum(Tabled):
    """A supremum or infimum over all p from 0 to 1.

    Attributes
    ----------
    value
        The number itself when it is rational, else an interval that contains it.
    p
        Where it is attained or, at the end of a piece, approached: the number when it is rational,
        else an interval that contains it. When the value is an interval, the value at p is in it.
    """

    value: Fraction | Interval
    p: Fraction | Interval


def whole(polynomials: Iterable[Polynomial]) -> tuple[Piece, ...]:
    """Return the largest of some polynomials, for all p from 0 to 1, as pieces.

    Parameters
    ----------
    polynomials
        At least one.

    Examples
    --------
    >>> infimum(whole([Polynomial([0, 1]), Polynomial([1, -1])]))
    <Extremum: value 1/2 (0.5), p 1/2 (0.5)>
    """
    return (Piece(Fraction(0), Fraction(1), tuple(polynomials)),)


def pieces_between(
    breakpoints: Iterable[Fraction], polynomials_at: Callable[[Fraction], Iterable[Polynomial]]
) -> tuple[Piece, ...]:
    """Return a function of p that is a largest of polynomials except at some breakpoints.

    Parameters
    ----------
    breakpoints
        The rational numbers where the polynomials may change; those outside 0 to 1 are ignored, 0
        and 1 are added.
    polynomials_at
        The polynomials whose largest value is the function at p. Between two consecutive
        breakpoints it must not depend on p. The function calls it at each breakpoint, where the
        answer holds for that p alone, and at the midpoint between two.

    Returns
    -------
    tuple of Piece

    Examples
    --------
    The probability that two draws have mean further than 1/4 from p: strictly, so that the
    supremum is approached from above p = 1/4 but not attained.

    >>> def far(p: Fraction) -> list[Polynomial]:
    ...     deviations = [abs(Fraction(k, 2) - p) for k in range(3)]
    ...     return [Polynomial.of_counts([int(d > Fraction(1, 4)) for d in deviations])]
    >>> supremum(pieces_between([Fraction(1, 4), Fraction(3, 4)], far))
    <Extremum: value 5/8 (0.625), p 1/4 (0.25)>
    """
    inside = {as_fraction(p, "breakpoints") for p in breakpoints}
    ends = sorted({p for p in inside if 0 <= p <= 1} | {Fraction(0), Fraction(1)})
    pieces = [Piece(p, p, tuple(polynomials_at(p))) for p in ends]
    for low, high in pairwise(ends):
        pieces.append(Piece(low, high, tuple(polynomials_at((low + high) / 2))))
    return tuple(pieces)


def supremum(pieces: Iterable[Piece], *, width: Fraction = WIDTH) -> Extremum:
    """Return the least upper bound of a function of p given piece by piece.

    Parameters
    ----------
    pieces
        At least one; :func:`whole` and :func:`pieces_between` make them.
    width
        How narrow the enclosures of an irrational extremum and an irrational p must be, positive.

    Raises
    ------
    InvalidInput
        There is no piece, or the width is not positive.

    Notes
    -----
    A polynomial has its extrema at the ends of the piece or where its derivative vanishes.
    Irrational critical points are roots of an irreducible factor f of the derivative, isolated by
    bisection with Descartes' rule of signs. The value there is rational exactly when the polynomial
    is constant modulo f; otherwise it differs from every rational number, so that comparisons with
    those end. Polynomials of degree 30 take tens of milliseconds each.

    Examples
    --------
    The probability of one given sequence with two zeros and one one is at most 4/27.

    >>> supremum(whole([Polynomial([0, 1, -2, 1])]))
    <Extremum: value 4/27 (0.148148), p 1/3 (0.333333)>
    >>> answer = supremum(whole([Polynomial([0, 1, 0, -1])]))  # p - p^3: 2/(3 sqrt 3)
    >>> float(answer.value), float(answer.p)
    (0.3849001794597505, 0.5773502691896257)
    """
    candidates = [
        _Candidate(p, (polynomial,), 1)
        for piece in _checked(pieces)
        for polynomial in piece.polynomials
        for p in _where(piece, [polynomial.derivative()])
    ]
    return _largest(candidates, 1, width)


def infimum(pieces: Iterable[Piece], *, width: Fraction = WIDTH) -> Extremum:
    """Return the greatest lower bound of a function of p given piece by piece.

    Parameters
    ----------
    pieces
        At least one; :func:`whole` and :func:`pieces_between` make them.
    width
        How narrow the enclosures of an irrational extremum and an irrational p must be, positive.

    Raises
    ------
    InvalidInput
        There is no piece, or the width is not positive.

    Notes
    -----
    The largest of several polynomials has its minimum at an end, where the derivative of one
    vanishes, or where two of them cross. For k polynomials these are the roots of k (k + 1) / 2
    polynomials, found and compared as for :func:`supremum`. When k is large, pieces are halved
    first: parts that are too high by the ranges of the polynomials there are left out, and so are,
    in each part, the polynomials that others exceed.

    Examples
    --------
    >>> answer = infimum(whole([Polynomial([0, 0, 1]), Polynomial([1, -1])]))
    >>> float(answer.value), float(answer.p)  # where p^2 = 1 - p: the golden ratio
    (0.38196601125010515, 0.6180339887498949)
    """
    candidates = []
    for piece in _narrowed(_checked(pieces)):
        stationary = [polynomial.derivative() for polynomial in piece.polynomials]
        crossing = [one - other for one, other in combinations(piece.polynomials, 2)]
        for p in _where(piece, stationary + crossing):
            candidates.append(_Candidate(p, piece.polynomials, -1))
    return _largest(candidates, -1, width)


def laws_by_count(laws: LawsByType[E, O]) -> tuple[FiniteDistribution[O], ...]:
    """Return the laws by how often the second of two elements occurs: 0, 1, ..., n times.

    Parameters
    ----------
    laws
        The laws on the types of samples over two elements; p is the probability of the
        second one.

    Raises
    ------
    InvalidInput
        The universe does not have two elements.

    Examples
    --------
    >>> from pac_stability.notions.by_type import laws_by_type
    >>> first = laws_by_type(lambda z: FiniteDistribution.point_mass(z[0]), "ab", 2)
    >>> laws_by_count(first)[1]
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    """
    if len(laws.universe) != 2:
        raise InvalidInput("laws", f"a universe of {len(laws.universe)} elements", "two elements")
    first, second = laws.universe
    n = laws.n
    return tuple(laws.laws[Multiset({first: n - k, second: k})] for k in range(n + 1))


def output_polynomials(laws: LawsByType[E, O]) -> dict[O, Polynomial]:
    """Return the probability of each output as a polynomial in p.

    Parameters
    ----------
    laws
        The laws on the types of samples over two elements; p is the probability of the
        second one.

    Raises
    ------
    InvalidInput
        The universe does not have two elements.

    Examples
    --------
    >>> from pac_stability.notions.by_type import laws_by_type
    >>> both = laws_by_type(
    ...     lambda z: FiniteDistribution.point_mass(len(set(z)) == 2), "ab", 2, symmetric=True)
    >>> output_polynomials(both)
    {False: Polynomial(1 + -2 p + 2 p^2), True: Polynomial(2 p + -2 p^2)}
    """
    by_count = laws_by_count(laws)
    return {
        output: Polynomial.of_counts([law.probability(output) for law in by_count])
        for output in laws.outputs
    }


def _narrowed(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces with the same infimum and, if a few halvings do it, with few polynomials."""
    narrow: list[Piece] = []
    waiting = list(pieces)
    known: Fraction | None = None  # a value of the function
    for _ in range(_HALVINGS):
        crowded = []
        for piece in waiting:
            if piece.low < piece.high and len(piece.polynomials) > _FEW:
                crowded.append(piece)
            else:
                narrow.append(piece)
        waiting = []
        for piece in crowded:
            middle = (piece.low + piece.high) / 2
            value = max(polynomial(middle) for polynomial in piece.polynomials)
            known = value if known is None else min(known, value)
            for low, high in ((piece.low, middle), (middle, piece.high)):
                ranges = [(f, f.bernstein(low, high)) for f in piece.polynomials]
                floor = max(min(coefficients) for _, coefficients in ranges)
                if floor <= known:
                    highest = (f for f, coefficients in ranges if max(coefficients) >= floor)
                    waiting.append(Piece(low, high, tuple(highest)))
    return narrow + waiting


class _Candidate:
    """A value of p and enclosures of sign * (the largest of some polynomials at p)."""

    __slots__ = ("_halvings", "_sign", "_terms", "lower", "p", "upper")

    def __init__(
        self, p: Fraction | AlgebraicNumber, polynomials: tuple[Polynomial, ...], sign: int
    ) -> None:
        self.p = p
        self._sign = sign
        self._halvings = 4
        # Each polynomial, and its value at p when that is rational.
        self._terms: list[tuple[Polynomial, Fraction | None]] = [
            (polynomial, _rational_value(polynomial, p)) for polynomial in polynomials
        ]
        self._enclose()

    @property
    def settled(self) -> bool:
        """Whether it is known if the value is rational."""
        rational = [value is not None for _, value in self._terms]
        return all(rational) or not any(rational)

    @property
    def rational(self) -> bool:
        return self.lower == self.upper

    def refine(self) -> None:
        """Narrow the enclosures, ever faster."""
        if not isinstance(self.p, AlgebraicNumber) or self.rational:
            return
        for _ in range(self._halvings):
            self.p.halve()
        self._halvings *= 2
        self._enclose()

    def _enclose(self) -> None:
        ranges = [self._range(*term) for term in self._terms]
        lower = max(low for low, _ in ranges)
        self._terms = [
            term for term, (_, high) in zip(self._terms, ranges, strict=True) if high >= lower
        ]
        upper = max(high for _, high in ranges)
        self.lower, self.upper = (lower, upper) if self._sign > 0 else (-upper, -lower)

    def _range(self, polynomial: Polynomial, value: Fraction | None) -> tuple[Fraction, Fraction]:
        if value is not None:
            return value, value
        coefficients = polynomial.bernstein(*_around(self.p))
        return min(coefficients), max(coefficients)


def _rational_value(polynomial: Polynomial, p: Fraction | AlgebraicNumber) -> Fraction | None:
    """Return the value at p if it is rational, else ``None``."""
    if not isinstance(p, AlgebraicNumber):
        return polynomial(p)
    rest = polynomial.remainder(p.factor)
    return rest(0) if len(rest.coefficients) <= 1 else None


def _around(p: Fraction | AlgebraicNumber) -> tuple[Fraction, Fraction]:
    return (p.low, p.high) if isinstance(p, AlgebraicNumber) else (p, p)


def _where(piece: Piece, polynomials: Iterable[Polynomial]) -> list[Fraction | AlgebraicNumber]:
    """Return the ends of a piece, and the roots inside of polynomials other than zero."""
    if piece.low == piece.high:
        return [piece.low]
    found: list[Fraction | AlgebraicNumber] = [piece.low, piece.high]
    factors = (f for polynomial in polynomials for f in irreducible_factors(polynomial))
    for factor in dict.fromkeys(factors):
        found += roots_between(factor, piece.low, piece.high)
    return found


def _checked(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    kept = tuple(pieces)
    if not kept:
        raise InvalidInput("pieces", "none", "at least one piece")
    return kept


def _largest(candidates: Sequence[_Candidate], sign: int, width: Fraction) -> Extremum:
    """Return the largest of the candidates, times the sign."""
    wanted = as_number(width, "width")
    if wanted <= 0:
        raise InvalidInput("width", in_words(wanted), "a positive width")
    while True:
        lower = max(candidate.lower for candidate in candidates)
        upper = max(candidate.upper for candidate in candidates)
        candidates = [candidate for candidate in candidates if candidate.upper >= lower]
        best = max(candidates, key=lambda c: (c.lower, isinstance(c.p, Fraction)))
        if lower == upper:
            return Extremum(sign * lower, _enclosed(best.p, wanted))
        # A rational and an irrational number differ, and are told apart before the end.
        mixed = any(candidate.rational or not candidate.settled for candidate in candidates)
        if not mixed and upper - lower <= wanted:
            return Extremum(sign * Interval(lower, upper), _enclosed(best.p, wanted))
        for candidate in candidates:
            candidate.refine()


def _enclosed(p: Fraction | AlgebraicNumber, width: Fraction) -> Fraction | Interval:
    if not isinstance(p, AlgebraicNumber):
        return p
    while p.high - p.low > width:
        p.halve()
    return Interval(p.low, p.high)
