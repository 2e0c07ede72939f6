"""How many rounds boosting takes, and how many examples teach each of them: in integers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_number, as_size, in_words
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.errors import InvalidInput

THIRD = Fraction(1, 3)

MAX_DENOMINATOR = 1000
"""The largest denominator of a weighted error: it is an exponent in the comparisons."""


def boosting_rounds(n: int, eta: AnyNumber = THIRD) -> int:
    """Return T, the rounds after which every one of n examples has a majority on its side.

    The least ``T >= 1`` with ``n (2 sqrt(eta (1 - eta)))^T < 1``, which is
    ``floor(ln n / -ln(2 sqrt(eta (1 - eta)))) + 1``.

    Parameters
    ----------
    n
        Number of examples, at least 1.
    eta
        The weighted error that no round exceeds, exact, above 0 and below 1/2.

    Notes
    -----
    With the same step for each hypothesis, the examples that the vote gets wrong are at most
    ``n (2 sqrt(eta (1 - eta)))^T`` [Schapire & Freund 2012, Section 3.1]. The comparison is made
    between integers, as ``n^2 (4 eta (1 - eta))^T < 1``.

    Examples
    --------
    >>> [boosting_rounds(n) for n in (1, 16, 64, 256, 1024)]
    [1, 48, 71, 95, 118]
    """
    size = as_size(n, "n", least=1)
    error = as_error(eta)
    factor = 4 * error * (1 - error)
    p, q = factor.numerator, factor.denominator
    return least_integer(lambda rounds: size**2 * p**rounds < q**rounds, 1)


def counting_group(patterns: int, eta: AnyNumber = THIRD) -> int:
    """Return how many examples teach a class with so many patterns up to a weighted error eta.

    The least ``m >= 1`` with ``P (1 - eta)^m < 1``, which is ``floor(ln P / -ln(1 - eta)) + 1``:
    each of m well chosen examples contradicts more than the fraction eta of the patterns left whose
    error exceeds eta.

    Parameters
    ----------
    patterns
        P, at least 1.
    eta
        Exact, above 0 and below 1/2.

    Examples
    --------
    >>> [counting_group(patterns) for patterns in (1, 2, 257, 32897)]
    [1, 2, 14, 26]
    """
    count = as_size(patterns, "patterns", least=1)
    miss = 1 - as_error(eta)
    return least_integer(lambda m: count * miss.numerator**m < miss.denominator**m, 1)


def net_group(d: int, eta: AnyNumber = THIRD) -> int:
    """Return a number of examples that teach any class of VC dimension d up to an error eta.

    The least ``m >= 8 / eta`` with ``2 Sauer(2m, d) 2^(-eta m / 2) < 1``: so many examples drawn by
    their weights are an eta-net for the errors with positive probability, whatever the number of
    patterns [Haussler & Welzl 1987].

    Parameters
    ----------
    d
        VC dimension, at least 0.
    eta
        Exact, above 0 and below 1/2.

    Notes
    -----
    It does not depend on the number of examples, but exceeds :func:`counting_group` of the
    Sauer-Shelah bound until there are tens of millions of them (d = 1, eta = 1/3).

    Examples
    --------
    >>> [net_group(d) for d in (1, 2, 3, 5)]
    [46, 90, 137, 230]
    """
    dimension, error = as_size(d, "d"), as_error(eta)
    a, b = error.numerator, error.denominator
    # The logarithm of the left side is concave in m and positive at 0: once negative, always so.
    return least_integer(
        lambda m: (2 * sauer_shelah_bound(2 * m, dimension)) ** (2 * b) < 2 ** (a * m),
        -(-8 * b // a),
    )


def as_error(eta: AnyNumber) -> Fraction:
    """Return a weighted error above 0 and below 1/2, or refuse it."""
    error = as_number(eta, "eta")
    if not 0 < 2 * error < 1 or error.denominator > MAX_DENOMINATOR:
        wanted = f"a fraction above 0 and below 1/2, its denominator at most {MAX_DENOMINATOR}"
        raise InvalidInput("eta", in_words(error), wanted)
    return error


def least_integer(holds: Callable[[int], bool], start: int) -> int:
    """Return the least integer from ``start`` on for which a condition holds, once and for all."""
    if holds(start):
        return start
    step = 1
    while not holds(start + step):
        step *= 2
    low, high = start + step // 2, start + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
