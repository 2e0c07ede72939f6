"""Sample sizes that private and agnostic learning require: the bounds of Section 1.1, exactly.

The least error of private predictions, the learner that attains it, the worst distribution and the
least sizes; and d coins of unknown bias, for agnostic learners.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate

from pac_stability import arguments
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon, EpsilonLike, least_integer
from pac_stability.arithmetic.epsilon import as_epsilon, require_epsilon
from pac_stability.audit import Notion
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import Promises
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.dagan_feldman import additive_walks, lower_bound


def private_step(q: AnyNumber, epsilon: EpsilonLike, delta: AnyNumber = 0) -> Fraction:
    """Return the largest probability of a label after one example is replaced: U(q).

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
    p = arguments.as_probability(q, "q")
    factor, slack = as_epsilon(epsilon).ratio, arguments.as_probability(delta, "delta")
    return min(factor * p + slack, 1 - (1 - p - slack) / factor, Fraction(1))


def private_least_error(seen: int, epsilon: EpsilonLike, delta: AnyNumber = 0) -> Fraction:
    """Return the least error of private predictions, for the worse label of a point.

    Parameters
    ----------
    seen
        N, the number of examples at the point, all with the right label.
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
    better, for any further examples, and
    :class:`~pac_stability.papers.dagan_feldman.PrivateVotingLearner` does as well for all N at
    once; the proof is on the page docs/explanation/private-lower-bound.md. For delta = 0 it is
    ``e**(-epsilon N/2) / 2`` for even N, and for odd N that divided by cosh(epsilon/2). For epsilon
    = 0 it is ``(1 - delta N)_+ / 2``, the first inequality of DF20 Appendix D.

    The answer has O(N) digits.

    Examples
    --------
    >>> [str(private_least_error(N, Epsilon.exactly(4))) for N in range(5)]
    ['1/2', '1/5', '1/8', '1/20', '1/32']
    >>> [str(private_least_error(N, Epsilon.exactly(4), "1/10")) for N in range(6)]
    ['1/2', '9/50', '1/10', '1/50', '0', '0']
    """
    count = arguments.as_size(seen, "seen")
    factor, slack = as_epsilon(epsilon).ratio, arguments.as_probability(delta, "delta")
    pairs, odd = divmod(count, 2)
    first = (1 - slack) / (1 + factor) if odd else Fraction(1, 2)
    if factor == 1:
        return max(first - pairs * slack, Fraction(0))
    # e -> (e - slack)/factor keeps the distance to its fixed point -rest, divided by the factor.
    rest = slack / (factor - 1)
    return max((first + rest) / factor**pairs - rest, Fraction(0))


def private_average_error(
    masses: Iterable[arguments.ExactNumber], n: int, epsilon: EpsilonLike, delta: AnyNumber = 0
) -> Fraction:
    """Return the least average error of private predictions over all labellings.

    Parameters
    ----------
    masses
        D(x) for each point x whose label may be 0 or 1, whatever those of the others are. One minus
        their sum is the mass of points with known labels.
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
    given = additive_walks.as_masses(masses)
    size = arguments.as_size(n, "n")
    expected = ExpectedError(
        size, as_epsilon(epsilon).ratio, arguments.as_probability(delta, "delta")
    )
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


# The learner that attains the lower bound on private predictions


@dataclass(frozen=True, slots=True)
class PrivateVotingLearner(lower_bound.LeadLearner):
    """Every example moves the prediction at its own point as far as privacy permits.

    The probability of label 1 at a point k is ``1 - err(L)`` for a lead ``L = N_1(k) - N_0(k) >=
    0``, where ``N_y(k)`` counts the examples (k, y), and ``err(-L)`` for a negative lead; err is
    :func:`~pac_stability.papers.dagan_feldman.private_least_error`. It learns any labelling of
    finitely many points.

    Parameters
    ----------
    epsilon
        An :class:`~pac_stability.arithmetic.Epsilon`.
    delta
        An exact number from 0 to 1.
    known
        Labels that are known beforehand, of distinct points; predictions there ignore the sample.

    Raises
    ------
    InvalidInput
        A parameter is out of range or not exact, or a point is known twice.

    Notes
    -----
    (epsilon, delta)-private predictions, exactly, for every n: relabelling one example moves a lead
    by 2, replacing its point moves two leads by 1, and in two steps of the lead the probability
    moves by one step of privacy. When all labels are right, the error at a point seen N times is
    ``private_least_error(N, epsilon, delta)``, for both labels; no private predictions do better on
    average over the two. With epsilon = 0 it is
    :class:`~pac_stability.papers.dagan_feldman.VotingLearner` with gamma = delta.

    Examples
    --------
    >>> learner = PrivateVotingLearner(Epsilon.exactly(4))
    >>> [str(p) for p in learner.probabilities(Sample("aab", [1, 1, 0]), "abc")]
    ['7/8', '1/5', '1/2']
    """

    epsilon: Epsilon
    delta: Fraction = Fraction(0)
    known: Sample[Hashable] = lower_bound.NOTHING

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        object.__setattr__(self, "delta", arguments.as_probability(self.delta, "delta"))
        lower_bound.require_known(self.known)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of the predictions, on samples of every size."""
        return PrivacyGuarantee(self.epsilon, self.delta)

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        return {Notion.PRIVATE_PREDICTION: self.guarantee}

    def _voted(self, lead: int) -> Fraction:
        error = private_least_error(abs(lead), self.epsilon, self.delta)
        return error if lead < 0 else 1 - error


# The worst distribution for private predictions, and how many examples they need

_TOLERANCE = Fraction(1, 1 << 20)
_BITS = 40
"""Of the errors, beyond those of alpha."""
_GUARD = 64
"""More bits, which the roundings of the recursion use up."""


def private_least_sample_size(
    d: int, epsilon: EpsilonLike, delta: AnyNumber, alpha: AnyNumber
) -> int:
    """Return the least sample size of private predictions on realizable distributions.

    Parameters
    ----------
    d
        The VC dimension of the class, at least 1: it has all labellings of some d points.
    epsilon, delta
        The privacy of the predictions, as for
        :func:`~pac_stability.papers.dagan_feldman.private_step`; not both 0.
    alpha
        The allowed expected error on every realizable distribution; above 0 and below 1.

    Returns
    -------
    int
        No (epsilon, delta)-private learner works with fewer examples.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The least n for which ``m G(mass/m) + G(1 - mass)`` is at most alpha for all masses from 0 to 1,
    where ``m = d - 1`` and ``G(p) = p E err(N)``, N binomial(n, p): the minimax error over
    distributions on m equally light points and a heavy one. With n examples this is certified up to
    a factor ``1 + 2**-20``, and with n - 1 a mass is found where it is larger than alpha. Where
    docs/examples/private_bounds.py finds the worst distribution among these, as it did wherever the
    tests looked, :class:`~pac_stability.papers.dagan_feldman.PrivateVotingLearner` needs no more on
    d points.

    Bisection covers the masses. On an interval of masses the value is at most the larger end plus a
    bound on the curvature, and at most what the monotone E err(N) gives. err is rounded down to a
    multiple of a power of 1/2, so only O(log(1/alpha) / epsilon) values of N matter, for every n.

    Examples
    --------
    >>> private_least_sample_size(3, Epsilon.exactly(2), 0, "1/10")
    16
    >>> private_least_sample_size(3, Epsilon.exactly(2), "1/100", "1/10")
    15
    """
    points = arguments.as_size(d, "d", least=1)
    factor, slack = as_epsilon(epsilon).ratio, arguments.as_probability(delta, "delta")
    accuracy = arguments.as_open_unit(alpha, "alpha")
    if factor == 1 and not slack:
        wanted = "a positive one, or a positive delta: otherwise examples are of no use"
        raise InvalidInput("epsilon", "0", wanted)
    search = _SizeSearch(points - 1, factor, slack, accuracy)
    return least_integer(lambda n: not search.excludes(n), 0)


class _SizeSearch:
    """Which sample sizes are too small, for m light points and a heavy one."""

    def __init__(self, light: int, factor: Fraction, delta: Fraction, alpha: Fraction) -> None:
        self._light, self._alpha = light, alpha
        self._scale = 1 << (_BITS + (1 / alpha).__ceil__().bit_length())
        self._errors = _rounded_errors(factor, delta, self._scale)

    def excludes(self, n: int) -> bool:
        """Return whether the average error is above alpha for some mass of the light points."""
        if not self._light:
            return self._mean(Fraction(1), n) > self._alpha
        # The second derivative in the mass is G''(mass/m)/m + G''(1 - mass).
        bend = self._bend(n) * (1 + Fraction(1, self._light)) / 8
        allowed = self._alpha * (1 + _TOLERANCE)
        ends = Fraction(0), Fraction(1)
        cells = [(-Fraction(1), *ends, *(self._value(end, n) for end in ends))]
        while cells:
            _, left, right, at_left, at_right = heappop(cells)
            middle = (left + right) / 2
            at_middle = self._value(middle, n)
            if at_middle > self._alpha:
                return True
            for a, b, at_a, at_b in (
                (left, middle, at_left, at_middle),
                (middle, right, at_middle, at_right),
            ):
                bound = max(at_a, at_b) + bend * (b - a) ** 2 + self._rounding
                if bound > allowed and self._monotone(a, b, n) > allowed:
                    heappush(cells, (-bound, a, b, at_a, at_b))
        return False

    def _mean(self, mass: Fraction, n: int) -> Fraction:
        """Bound E err(N) from below, by no more than the rounding."""
        return binomial_mean(self._errors, mass, n) / self._scale

    @property
    def _rounding(self) -> Fraction:
        return Fraction(2, self._scale)

    def _value(self, mass: Fraction, n: int) -> Fraction:
        each = self._mean(mass / self._light, n)
        return mass * each + (1 - mass) * self._mean(1 - mass, n)

    def _monotone(self, a: Fraction, b: Fraction, n: int) -> Fraction:
        """Bound the value for masses from a to b: E err(N) falls when the mass grows."""
        light, heavy = self._mean(a / self._light, n), self._mean(1 - b, n)
        return b * light + (1 - a) * heavy + 2 * self._rounding

    def _bend(self, n: int) -> Fraction:
        """Bound ``-G''`` from above, as :attr:`ExpectedError.curvature`."""
        e = [*self._errors, 0, 0, 0]
        bends = (
            2 * (j + 1) * (e[j] + 2) - (j + 2) * e[j + 1] - (j * e[j - 1] if j else 0)
            for j in range(min(n, len(e) - 2))
        )
        return Fraction(n * max(4 * n, *bends, 0), self._scale)


def _rounded_errors(factor: Fraction, delta: Fraction, scale: int) -> list[int]:
    """Return ``scale * err(N)`` from below, off by less than 2, for N = 0, 1, ... until it is 0."""
    fine = scale << _GUARD
    lost = math.ceil(delta * fine)
    ends = [fine >> 1, math.floor((1 - delta) / (1 + factor) * fine)]
    errors: list[int] = []
    while True:
        error, following = ends
        if not error >> _GUARD:
            return errors
        errors.append(error >> _GUARD)
        ends = [following, max(error - lost, 0) * factor.denominator // factor.numerator]


# How many examples agnostic learning takes, private or not: d coins whose bias is to be told


def coin_error(tosses: int, bias: AnyNumber) -> Fraction:
    """Return the least probability of a wrong guess of a coin's preferred side: b(N, bias).

    Parameters
    ----------
    tosses
        N, the number of tosses.
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
    return _coin_errors(
        arguments.as_size(tosses, "tosses"), arguments.as_probability(bias, "bias")
    )[-1]


def _coin_errors(n: int, bias: Fraction) -> list[Fraction]:
    """Return b(0), ..., b(n)."""
    tied = accumulate(
        range(1, (n + 1) // 2),
        lambda term, k: term * (2 * k - 1) / (2 * k) * (1 - bias * bias),
        initial=bias / 2,
    )
    odd = list(accumulate(tied, lambda error, term: error - term, initial=Fraction(1, 2)))
    return [odd[(seen + 1) // 2] for seen in range(n + 1)]


def agnostic_average_excess(
    masses: Iterable[arguments.ExactNumber], n: int, bias: AnyNumber
) -> Fraction:
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
    given = additive_walks.as_masses(masses)
    size, slant = arguments.as_size(n, "n"), arguments.as_probability(bias, "bias")
    errors = _coin_errors(size, slant)
    whole = math.lcm(*(error.denominator for error in errors))
    scaled = [int(error * whole) for error in errors]
    weighted = (
        times * mass * slant * binomial_mean(scaled, mass, size) / whole
        for mass, times in given.items()
    )
    return sum(weighted, Fraction(0))
