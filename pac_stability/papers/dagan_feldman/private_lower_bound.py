"""How much private predictions err at least: the lower bound of DF20 Section 1.1, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from pac_stability.arguments import (
    AnyNumber,
    ExactNumber,
    as_probability,
    as_size,
)
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.papers.dagan_feldman._checks import as_masses


def private_step(q: AnyNumber, epsilon: Epsilon | AnyNumber, delta: AnyNumber = 0) -> Fraction:
    """Return how likely a label can be at most when one example is replaced: U(q).

    Parameters
    ----------
    q
        The probability of the label before, an exact number from 0 to 1.
    epsilon, delta
        The privacy of the predictions. An epsilon that is given as a number stands for the factor
        that :class:`~pac_stability.arithmetic.Epsilon` keeps.

    Returns
    -------
    Fraction
        ``min(e**epsilon q + delta, 1 - e**-epsilon (1 - q - delta), 1)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Predictions on neighbouring samples that are 1 with probabilities p and q are (epsilon,
    delta)-close exactly if ``p <= U(q)`` and ``q <= U(p)``. U is concave and increasing, and ``p <=
    U(q)`` exactly if ``1 - q <= U(1 - p)`` for the label 0, with the samples exchanged.

    Examples
    --------
    >>> ln2 = Epsilon.exactly(2)
    >>> [private_step(q, ln2) for q in (Fraction(1, 4), Fraction(1, 2), 1)]
    [Fraction(1, 2), Fraction(3, 4), Fraction(1, 1)]
    >>> private_step("1/2", 0, "1/10")
    Fraction(3, 5)
    """
    p = as_probability(q, "q")
    factor, slack = as_epsilon(epsilon).ratio, as_probability(delta, "delta")
    return min(factor * p + slack, 1 - (1 - p - slack) / factor, Fraction(1))


def private_least_error(seen: int, epsilon: Epsilon | AnyNumber, delta: AnyNumber = 0) -> Fraction:
    """Return how often private predictions err at least, for one of the labels of a point.

    Parameters
    ----------
    seen
        N, how many examples are at the point, all with the label that is asked for.
    epsilon, delta
        The privacy of the predictions, as for :func:`private_step`.

    Returns
    -------
    Fraction
        err(N): the least possible value of the larger of the two errors, one for each label; also
        of their mean. With ``e = err(0) = 1/2`` or ``e = err(1) = (1 - delta) / (1 + e**epsilon)``
        to begin with, ``err(N + 2) = max(err(N) - delta, 0) / e**epsilon``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    With U of :func:`private_step` this is ``1 - U^(N/2)(1/2)`` for even N and ``1 -
    U^((N-1)/2)((e**epsilon + delta) / (1 + e**epsilon))`` for odd N. No private prediction does
    better, whatever other examples there are, and
    :class:`~pac_stability.papers.dagan_feldman.PrivateVotingLearner` does as well for all N at
    once; the proof is on the page docs/explanation/private-lower-bound.md. For delta = 0 it is
    ``e**(-epsilon N/2) / 2`` for even N, and for odd N that divided by cosh(epsilon/2). For
    epsilon = 0 it is ``(1 - delta N)_+ / 2``, the first inequality of DF20 Appendix D.

    The answer has O(N) digits.

    Examples
    --------
    >>> [str(private_least_error(N, Epsilon.exactly(4))) for N in range(5)]
    ['1/2', '1/5', '1/8', '1/20', '1/32']
    >>> [str(private_least_error(N, Epsilon.exactly(4), "1/10")) for N in range(6)]
    ['1/2', '9/50', '1/10', '1/50', '0', '0']
    """
    count = as_size(seen, "seen")
    factor, slack = as_epsilon(epsilon).ratio, as_probability(delta, "delta")
    pairs, odd = divmod(count, 2)
    first = (1 - slack) / (1 + factor) if odd else Fraction(1, 2)
    if factor == 1:
        return max(first - pairs * slack, Fraction(0))
    # e -> (e - slack)/factor keeps the distance to its fixed point -rest, divided by the factor.
    rest = slack / (factor - 1)
    return max((first + rest) / factor**pairs - rest, Fraction(0))


def private_average_error(
    masses: Iterable[ExactNumber],
    n: int,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber = 0,
) -> Fraction:
    """Return how much private predictions err at least, on average over all labellings.

    Parameters
    ----------
    masses
        D(x) for each point x whose label may be 0 or 1, whatever those of the others are. What they
        lack of 1 is the mass of points whose labels are known.
    n
        The size of the samples.
    epsilon, delta
        The privacy of the predictions, as for :func:`private_step`.

    Returns
    -------
    Fraction
        The sum over x of ``D(x) E err(N)`` with N binomial(n, D(x)) and err of
        :func:`private_least_error`: the least possible expected error, averaged over the
        labellings, of (epsilon, delta)-private predictions from n examples drawn from D.

    Raises
    ------
    InvalidInput
        A parameter is out of range or not exact, or the masses exceed 1.

    Notes
    -----
    :class:`~pac_stability.papers.dagan_feldman.PrivateVotingLearner` has this expected error under
    *every* labelling, so it is also the minimax value for this D. With epsilon = 0 it is
    :meth:`HardDistribution.truncated_bound
    <pac_stability.papers.dagan_feldman.HardDistribution.truncated_bound>`.

    O(n) operations with numbers of O(n) digits for each mass.

    Examples
    --------
    >>> private_average_error(["1/4", "3/4"], 2, Epsilon.exactly(2))
    Fraction(21, 64)
    >>> private_average_error(["1/4"], 2, Epsilon.exactly(2))
    Fraction(27, 256)
    """
    given = as_masses(masses)
    size = as_size(n, "n")
    expected = ExpectedError(size, as_epsilon(epsilon).ratio, as_probability(delta, "delta"))
    weighted = (times * mass * expected(mass) for mass, times in given.items())
    return sum(weighted, Fraction(0))


class ExpectedError:
    """From the mass p of a point to E err(N), N binomial(n, p), exactly.

    Parameters
    ----------
    n
        The size of the samples.
    factor, delta
        e**epsilon, and delta.
    """

    def __init__(self, n: int, factor: Fraction, delta: Fraction) -> None:
        epsilon = Epsilon.exactly(factor)
        self.n = n
        self.errors: list[Fraction] = [
            private_least_error(seen, epsilon, delta) for seen in range(n + 1)
        ]
        self._whole = math.lcm(*(error.denominator for error in self.errors))
        self._scaled = [int(error * self._whole) for error in self.errors]

    def __call__(self, mass: Fraction) -> Fraction:
        """Return the expectation for one mass."""
        return binomial_mean(self._scaled, mass, self.n) / self._whole

    @property
    def curvature(self) -> Fraction:
        """A bound on the negative second derivative of ``p E err(N)``, for p from 0 to 1.

        With e for err, ``p E err(N)`` is the polynomial of degree n + 1 with the Bernstein
        coefficients ``c_j = j e(j-1) / (n+1)``; its second derivative is n (n+1) times a mean of
        the second differences of these.
        """
        e = self.errors
        bends = (
            2 * (j + 1) * e[j] - (j + 2) * e[j + 1] - (j * e[j - 1] if j else 0)
            for j in range(self.n)
        )
        return self.n * max(bends, default=Fraction(0))


def binomial_mean(values: list[int], mass: Fraction, n: int) -> Fraction:
    """Return the mean of values[N] for N binomial(n, mass); missing values are 0.

    The probabilities are integers over ``denominator**n``, each from the one before.
    """
    if mass == 1:
        return Fraction(values[n] if n < len(values) else 0)
    hit, missed = mass.numerator, mass.denominator - mass.numerator
    ways, total = missed**n, 0
    for seen, value in enumerate(values[: n + 1]):
        total += value * ways
        ways = ways * (n - seen) * hit // ((seen + 1) * missed)
    return Fraction(total, mass.denominator**n)
