"""How many examples agnostic learning takes, private or not: d coins whose bias is to be told."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate

from pac_stability.arguments import (
    AnyNumber,
    ExactNumber,
    as_number,
    as_open_unit,
    as_probability,
    as_size,
    in_words,
)
from pac_stability.compression.boosting import least_integer
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman._checks import as_masses
from pac_stability.papers.dagan_feldman.private_lower_bound import binomial_mean

_BITS = 40
_STEPS = 4
_LARGEST = 12
_LIKELY = 18
"""Of these steps the best bias has about as many times alpha."""


def coin_error(tosses: int, bias: AnyNumber) -> Fraction:
    """Return how often the side that a coin prefers is told wrongly, at least: b(N, bias).

    Parameters
    ----------
    tosses
        N, how often the coin is tossed.
    bias
        It shows one side with probability ``(1 + bias)/2``, an exact number from 0 to 1; which side
        is not known.

    Returns
    -------
    Fraction
        The probability that fewer than half of N tosses show that side, and half of that for
        exactly half of them. No rule does better on average over the two sides, and following the
        majority does as well for both.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The two coins give N tosses with k ones with probabilities that are ordered as k and N - k are,
    so the likelier coin is that of the majority. ``b(2k) = b(2k - 1)``, and ``b(2k + 1) = b(2k) -
    bias/2 C(2k, k) ((1 - bias**2)/4)**k``.

    Examples
    --------
    >>> [str(coin_error(N, "1/2")) for N in range(4)]
    ['1/2', '1/4', '1/4', '5/32']
    """
    return _coin_errors(as_size(tosses, "tosses"), as_probability(bias, "bias"))[-1]


def _coin_errors(n: int, bias: Fraction) -> list[Fraction]:
    """Return b(0), ..., b(n)."""
    tied = accumulate(
        range(1, (n + 1) // 2),
        lambda term, k: term * (2 * k - 1) / (2 * k) * (1 - bias * bias),
        initial=bias / 2,
    )
    odd = list(accumulate(tied, lambda error, term: error - term, initial=Fraction(1, 2)))
    return [odd[(seen + 1) // 2] for seen in range(n + 1)]


def agnostic_average_excess(masses: Iterable[ExactNumber], n: int, bias: AnyNumber) -> Fraction:
    """Return the minimax expected excess of any learner over coins at some points.

    Parameters
    ----------
    masses
        D(x) for each point x. Its labels are those of a coin of its own, with a bias to one side
        that is not known. Masses that lack something of 1 leave it to points without excess.
    n
        The size of the samples.
    bias
        An exact number from 0 to 1: label y of a point has the probability ``(1 + bias)/2``.

    Returns
    -------
    Fraction
        The sum over x of ``bias D(x) E b(N, bias)``, N binomial(n, D(x)) and b of
        :func:`coin_error`.

    Raises
    ------
    InvalidInput
        A parameter is out of range or not exact, or the masses exceed 1.

    Notes
    -----
    Of all learners for a class with all labellings of the points, none has a smaller expected
    excess for every choice of sides; the majority of the labels at each point, ``VotingLearner(1)``
    here, has this one for every choice. O(n) operations with numbers of O(n) digits for each mass.

    Examples
    --------
    >>> agnostic_average_excess(["1/2", "1/2"], 2, "1/2")
    Fraction(5, 32)
    """
    given = as_masses(masses)
    size, slant = as_size(n, "n"), as_probability(bias, "bias")
    errors = _coin_errors(size, slant)
    whole = math.lcm(*(error.denominator for error in errors))
    scaled = [int(error * whole) for error in errors]
    weighted = (
        times * mass * slant * binomial_mean(scaled, mass, size) / whole
        for mass, times in given.items()
    )
    return sum(weighted, Fraction(0))


def agnostic_least_sample_size(d: int, alpha: AnyNumber, beta: AnyNumber = 0) -> int:
    """Return how many examples every agnostic learner needs at least, private or not.

    Parameters
    ----------
    d
        The VC dimension of the class, at least 1.
    alpha
        The excess, above 0 and below 1/2.
    beta
        With 0, the expected excess is at most alpha for every distribution. Otherwise the excess is
        at most alpha with probability at least 1 - beta over the sample; below 1/2.

    Returns
    -------
    int
        No learner does with fewer examples.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The largest of these sizes. *d coins*: the least n for which ``bias E b(N, bias)``, with N
    binomial(n, 1/d) and b of :func:`coin_error`, is at most ``(1 - beta) alpha + beta bias``, which
    bounds the expected excess as it is at most the bias; for a bias of 2 alpha, 9/4 alpha, ... up
    to 12 alpha, as far as these are at most 1. *One coin*: the least n with ``b(n, 2 alpha) <=
    beta``, for beta above 0. Where the bias exceeds 2 alpha, no sample can be good for both sides;
    so the two probabilities of failing sum to at least twice b. b is rounded down, to about 12
    digits more than those of alpha.

    For d = 1 and beta above 0 the second is the exact number, for a class with both labels at some
    point: the majority does with as many.

    Examples
    --------
    >>> agnostic_least_sample_size(10, "1/10"), agnostic_least_sample_size(10, "1/10", "1/20")
    (30, 67)
    """
    points, miss = as_size(d, "d", least=1), as_number(beta, "beta")
    accuracy = as_open_unit(alpha, "alpha")
    if accuracy >= Fraction(1, 2):
        raise InvalidInput("alpha", in_words(accuracy), "an exact number above 0 and below 1/2")
    if not 0 <= miss < Fraction(1, 2):
        raise InvalidInput("beta", in_words(miss), "an exact number from 0 and below 1/2")
    coins = _CoinSearch(points, accuracy, miss)
    least = coins.least_tosses(2 * accuracy) if miss else 0
    shares = sorted(range(2 * _STEPS, _LARGEST * _STEPS + 1), key=lambda k: abs(k - _LIKELY))
    for bias in (accuracy * Fraction(k, _STEPS) for k in shares):
        if bias <= 1:
            least = coins.least(bias, least)
    return least


class _CoinSearch:
    """The least sample sizes that d coins and one coin allow."""

    def __init__(self, d: int, alpha: Fraction, beta: Fraction) -> None:
        self._mass, self._alpha, self._beta = Fraction(1, d), alpha, beta
        self._scale = 1 << (_BITS + (1 / alpha).__ceil__().bit_length())

    def least(self, bias: Fraction, known: int) -> int:
        """Return the size that d coins of a bias ask for, or a known one if that is larger."""
        allowed = (1 - self._beta) * self._alpha + self._beta * bias
        errors: list[int] = []

        def enough(n: int) -> bool:
            if len(errors) <= n:
                errors[:] = _rounded_coin_errors(2 * n, bias, self._scale)
            return bias * binomial_mean(errors, self._mass, n) <= allowed * self._scale

        return least_integer(enough, known)

    def least_tosses(self, bias: Fraction) -> int:
        """Return the size that one coin of a bias asks for."""
        allowed = self._beta * self._scale
        return least_integer(lambda n: _rounded_coin_errors(n, bias, self._scale)[-1] <= allowed, 0)


def _rounded_coin_errors(n: int, bias: Fraction, scale: int) -> list[int]:
    """Return ``scale * b(N)`` for N up to n from below, off by less than 2."""
    extra = n.bit_length() + 1  # each of some n/2 terms is rounded up, and the sum down
    square = bias * bias
    kept, whole = square.denominator - square.numerator, square.denominator
    error = scale << extra >> 1
    term = -(-(scale << extra) * bias.numerator // (2 * bias.denominator))
    odd = [error]
    for k in range(1, (n + 1) // 2 + 1):
        error -= term
        odd.append(max(error, 0))
        term = -(-term * (2 * k - 1) * kept // (2 * k * whole))
    return [odd[(seen + 1) // 2] >> extra for seen in range(n + 1)]
