"""Renyi divergences of two laws, enclosed by integers: logarithms and exponentials written out.

Each number x is enclosed by two multiples of 2**-160. The logarithm comes from the series of
2 artanh((x - 1) / (x + 1)) on 1 <= x <= 2, the exponential from its own series on 0 <= x < 0.7.
Both series have positive terms. Each term is rounded down, so a sum is a lower bound. The upper
bound adds some units for each term taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.checker.fields import Asked, Judge, Law, Limits, TooLongError

BITS = 160
ONE = 1 << BITS
STEPS = 500
"""Of work for each outcome and divergence."""

NEAREST = Fraction(1, 1 << 40)
"""Orders that are nearer to one another are not told apart."""

Bounds = tuple[int, int]


def diverges(p: Law, q: Law, order: Fraction, least: Fraction, limits: Limits) -> bool:
    """Return whether a divergence, divided by its order, is certainly that large."""
    if p.keys() - q.keys():
        return True
    low, _ = Ratios.of(p, q, limits).divergence(order, limits)
    return low >= least * order


def is_concentrated(p: Law, q: Law, bound: Fraction, limits: Limits) -> bool:
    """Return whether no divergence of any order above 1, divided by the order, exceeds the bound.

    Divergences grow with the order. If the divergence of order b is at most the bound times a, all
    orders from a to b keep the bound. If the log of the largest likelihood ratio is, all orders
    from a on do.

    Raises
    ------
    TooLongError
        The proof takes too many steps, or two numbers are too close to compare.
    """
    if p.keys() - q.keys():
        return False
    ratios = Ratios.of(p, q, limits)
    reached, gap = Fraction(1), Fraction(1)
    while Fraction(ratios.logs[0][1], ONE) > bound * reached:
        _, high = ratios.divergence(reached + gap, limits)
        if high <= bound * reached:
            reached, gap = reached + gap, 2 * gap
        elif gap > NEAREST:
            gap /= 2
        else:
            # What is in order ends here, or nearly so: some order from here on says which.
            later = (reached, *(reached + 2**k * NEAREST for k in range(40)))
            for order in later:
                if ratios.divergence(order, limits)[0] > bound * order:
                    return False
            raise TooLongError("answers", "two numbers that are nearly equal", "another claim")
    return True


@dataclass(frozen=True, slots=True)
class Ratios:
    """The logarithms of the likelihood ratios in descending order, with their probabilities."""

    weights: tuple[Bounds, ...]
    logs: tuple[Bounds, ...]

    @classmethod
    def of(cls, p: Law, q: Law, limits: Limits) -> Ratios:
        """Return the ratios of p to q; every outcome of p is one of q."""
        for y in p:  # long numbers take longer: their greatest common divisors
            bits = p[y].denominator.bit_length() + q[y].denominator.bit_length()
            limits.spend(STEPS + (bits * bits >> 17), "answers")
        pairs = sorted(((p[y] / q[y], p[y]) for y in p), reverse=True)
        return cls(
            tuple(_between(weight) for _, weight in pairs), tuple(_log(ratio) for ratio, _ in pairs)
        )

    def divergence(self, order: Fraction, limits: Limits) -> tuple[Fraction, Fraction]:
        """Return bounds on the divergence of an order of at least 1."""
        limits.spend(STEPS * len(self.logs), "answers")
        terms = zip(self.weights, self.logs, strict=True)
        if order == 1:
            products = [_times(weight, log) for weight, log in terms]
            low, high = sum(low for low, _ in products), sum(high for _, high in products)
            return Fraction(low, ONE), Fraction(high, ONE)
        more, (least, most) = order - 1, self.logs[0]
        low = high = 0
        for weight, (below, above) in terms:
            # Relative to the largest ratio, so that no power is larger than 1.
            smallest = (below - most) * more.numerator // more.denominator
            largest = min(0, -(-(above - least) * more.numerator // more.denominator))
            one = _times(weight, (_exp(smallest)[0], _exp(largest)[1]))
            low, high = low + one[0], high + one[1]
        if low <= 0:
            raise TooLongError("answers", "a divergence of enormous order", "a smaller one")
        below, above = _log(Fraction(low, ONE))[0], _log(Fraction(high, ONE))[1]
        return (least + below / more) / ONE, (most + above / more) / ONE


def _between(number: Fraction) -> Bounds:
    low = (number.numerator << BITS) // number.denominator
    return low, low + 1


def _times(one: Bounds, other: Bounds) -> Bounds:
    corners = [a * b for a in one for b in other]
    return min(corners) >> BITS, -(-max(corners) >> BITS)


def _log(number: Fraction) -> Bounds:
    """Return bounds on the logarithm of a positive number."""
    power = number.numerator.bit_length() - number.denominator.bit_length()
    if number < (Fraction(2) ** power):
        power -= 1
    low, high = _between(number / Fraction(2) ** power)
    below, above = _log_from_one(low)[0], _log_from_one(high)[1]
    twos = sorted((power * _LOG_2[0], power * _LOG_2[1]))
    return below + twos[0], above + twos[1]


def _log_from_one(x: int) -> Bounds:
    """Return bounds on the logarithm of a number from 1 to a little more than 2."""
    z = ((x - ONE) << BITS) // (x + ONE)
    square = z * z
    term, total, count, odd = z, 0, 0, 1
    while term:
        total += term // odd
        term, odd, count = term * square >> 2 * BITS, odd + 2, count + 1
    return 2 * total, 2 * total + 16 * (count + 2)


def _exp(x: int) -> Bounds:
    """Return bounds on the exponential of a number that is at most 0."""
    if x < -BITS * ONE:  # less than 2**-160, and the series is for a few halvings
        return 0, 1
    halvings = -(x // _LOG_2[0])
    sums = []
    for log_2 in _LOG_2:
        rest = x + halvings * log_2
        term, total, count = ONE, 0, 0
        while term > 0:
            total += term
            count += 1
            term = term * rest // (count << BITS)
        sums.append((total, total + 4 * (count + 2)))
    return sums[0][0] >> halvings, -(-sums[1][1] >> halvings)


_LOG_2 = _log_from_one(2 * ONE)


NOTIONS: Mapping[str, Asked] = {
    "zero-concentrated-privacy": Asked(
        divergence=Judge(
            lambda p, q, order, least, case: diverges(p, q, order, least, case.limits),
            lambda p, q, bound, case: is_concentrated(p, q, bound, case.limits),
            "the Renyi divergence of order {order}, divided by it, is at least as large",
        )
    )
}
