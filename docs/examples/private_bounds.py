"""How many examples private predictions need, from above and below: the tables of that page.

``python docs/examples/private_bounds.py`` prints them, in less than a minute. The VC dimension is
10, and all sizes are for an expected excess of at most alpha; those that are for probability 1 -
beta are taken for 9/10 alpha and beta = alpha/10, which makes their mean at most alpha. Then, for
some learners, how near the bound they come: their error on two points, averaged over the targets,
over what their exact epsilon permits.

The page `docs/explanation/private-lower-bound.md` has the proofs of its two searches: for the worst
distribution of private predictions, and for the sizes that coins of unknown bias ask for.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from pac_stability import Epsilon, arguments, audit, classes
from pac_stability.arithmetic import least_integer
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman import (
    DworkFeldmanAggregation,
    ExponentialLearner,
    FlippedLearner,
    HardDistribution,
    PrivateVotingLearner,
    RealizablePrivateLearner,
    StableLearner,
    hard_average_error,
    private_average_error,
    private_least_error,
    private_least_sample_size,
    sample_complexity,
)
from pac_stability.papers.dagan_feldman.cited_lower_bounds import ExpectedError, binomial_mean

# The worst distribution for private predictions


class WorstMasses(NamedTuple):
    """Certified bounds on the largest value over all distributions on d points.

    ``masses`` are those of D, the largest first; ``lower`` is the exact value at D; and no
    distribution has a larger value than ``upper``.
    """

    masses: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction


def private_minimax_error(d: int, n: int, epsilon, delta=0, *, cells: int = 60) -> WorstMasses:
    """Return bounds on the minimax error of private predictions for all labellings of d points.

    Parameters
    ----------
    d
        The number of points, at least 1.
    n
        The size of the samples.
    epsilon, delta
        The privacy of the predictions, as for
        :func:`~pac_stability.papers.dagan_feldman.private_step`.
    cells
        Into how many parts the masses from 0 to 1 are divided, at least d. With twice as many the
        bounds are some four times as close.

    Returns
    -------
    WorstMasses
        Every (epsilon, delta)-private learner of n examples has, for some distribution on the
        points and some labelling, an expected error of at least ``lower``; and
        :class:`~pac_stability.papers.dagan_feldman.PrivateVotingLearner` has at most ``upper`` for
        all of them.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The minimax error is the maximum over D of the sum over x of G(D(x)), with ``G(p) = p E err(N)``
    for N binomial(n, p) as in :func:`~pac_stability.papers.dagan_feldman.private_average_error`.

    *Lower.* The best D whose masses are multiples of 1/cells, found by dynamic programming.

    *Upper.* Any masses are the mean of random ones that are multiples of 1/cells next to them and
    sum to 1. At a fraction f of the way from one multiple to the next, G is at most ``f (1 - f) c /
    (2 cells**2)`` above its chord, where c bounds ``-G''``. The fractions sum to an integer r, so
    that the ``f (1 - f)`` sum to at most ``r (d - r) / d``. This is how far any sum can be above
    the largest on the grid, with r = d/2 rounded down; and for n = 1 one is. All numbers are
    rational.

    O(d cells**2) operations and cells evaluations of G of O(n) operations each.

    Examples
    --------
    >>> worst = private_minimax_error(2, 3, Epsilon.exactly(2))
    >>> worst.masses == (Fraction(1, 2),) * 2, worst.lower
    (True, Fraction(29, 96))
    >>> worst.upper - worst.lower < Fraction(1, 1000)
    True
    """
    points, size = arguments.as_size(d, "d", least=1), arguments.as_size(n, "n")
    parts = arguments.as_size(cells, "cells", least=points)
    factor, slack = as_epsilon(epsilon).ratio, arguments.as_probability(delta, "delta")
    expected = ExpectedError(size, factor, slack)
    grid = [Fraction(k, parts) * expected(Fraction(k, parts)) for k in range(parts + 1)]
    places = _best_places(grid, points, parts)
    lower = sum((grid[k] for k in places), Fraction(0))
    upper = lower + _curvature(expected) * (points**2 // 4) / (2 * points * parts**2)
    masses = tuple(Fraction(k, parts) for k in sorted(places, reverse=True))
    return WorstMasses(masses, lower, min(upper, private_least_error(0, 0)))


def _curvature(expected):
    """Bound the negative second derivative of ``p E err(N)``, for p from 0 to 1.

    With e for err, ``p E err(N)`` is the polynomial of degree n + 1 with the Bernstein coefficients
    ``c_j = j e(j-1) / (n+1)``; its second derivative is n (n+1) times a mean of the second
    differences of these.
    """
    e, n = expected.errors, expected.n
    bends = (2 * (j + 1) * e[j] - (j + 2) * e[j + 1] - (j * e[j - 1] if j else 0) for j in range(n))
    return n * max(bends, default=Fraction(0))


def _best_places(values: list[Fraction], count: int, total: int) -> list[int]:
    """Return places with the largest sum of values, themselves summing to a total."""
    whole = math.lcm(*(value.denominator for value in values))
    gains = [int(value * whole) for value in values]
    best: list[int | None] = [0, *[None] * total]
    chosen: list[list[int]] = []
    for _ in range(count):
        found: list[int | None] = [None] * (total + 1)
        took = [0] * (total + 1)
        for before, value in enumerate(best):
            if value is None:
                continue
            for place, gain in enumerate(gains[: total - before + 1]):
                now = found[before + place]
                if now is None or value + gain > now:
                    found[before + place], took[before + place] = value + gain, place
        best = found
        chosen.append(took)
    places = []
    for took in reversed(chosen):
        places.append(took[total])
        total -= took[total]
    return places


# How many examples agnostic learning takes, private or not: d coins whose bias is to be told

_STEPS, _LARGEST = 4, 12
_LIKELY = 18  # of these steps the best bias has about as many times alpha
_BITS = 40  # of the errors, beyond those of alpha


def agnostic_least_sample_size(d: int, alpha, beta=0) -> int:
    """Return the least sample size of every agnostic learner, private or not.

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
        No learner works with fewer examples.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The largest of these sizes. *d coins*: the least n for which ``bias E b(N, bias)``, with N
    binomial(n, 1/d) and b of ``coin_error``, is at most ``(1 - beta) alpha + beta bias``, which
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
    points, miss = arguments.as_size(d, "d", least=1), arguments.as_number(beta, "beta")
    accuracy = arguments.as_open_unit(alpha, "alpha")
    if accuracy >= Fraction(1, 2):
        raise InvalidInput(
            "alpha", arguments.in_words(accuracy), "an exact number above 0 and below 1/2"
        )
    if not 0 <= miss < Fraction(1, 2):
        raise InvalidInput("beta", arguments.in_words(miss), "an exact number from 0 and below 1/2")
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


# The tables

DIMENSION = 10
ALPHAS = [Fraction(1, k) for k in (5, 10, 20, 50, 100, 200)]
EPSILONS = [Fraction(1, 5), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8)]
PANELS = {"bounds-alpha": (ALPHAS, [Fraction(1)]), "bounds-epsilon": ([Fraction(1, 50)], EPSILONS)}


def _high(size, constants="sharp"):
    """Return the size of a learner for an expected excess."""
    return lambda alpha, epsilon: (
        size(alpha * 9 / 10, alpha / 10, epsilon, DIMENSION, constants=constants).sample_size
    )


SIZES = {
    "theorem-3": _high(sample_complexity.theorem_3),
    "corollary-2": _high(sample_complexity.corollary_2),
    "lemma-9": _high(sample_complexity.realizable_private_size),
    # The papers' accounting with the best lemmas.
    "theorem-3-proved": _high(sample_complexity.theorem_3, "proved"),
    "corollary-2-proved": _high(sample_complexity.corollary_2, "proved"),
    "lemma-9-proved": _high(sample_complexity.realizable_private_size, "proved"),
    "private-exact": lambda alpha, epsilon: private_least_sample_size(DIMENSION, epsilon, 0, alpha),
    "private-closed": lambda alpha, epsilon: sample_complexity.private_lower_bound(
        alpha, epsilon, DIMENSION
    ),
    "agnostic-coins": lambda alpha, _: agnostic_least_sample_size(DIMENSION, alpha),
}


def sizes(alphas, epsilons):
    """Return rows of a name, alpha, epsilon and a number of examples."""
    return [
        (name, alpha, epsilon, size(alpha, epsilon))
        for name, size in SIZES.items()
        for alpha in alphas
        for epsilon in epsilons
    ]


def table(rows):
    """Return them as lines of Markdown: a line for each alpha or epsilon."""
    over_alpha = len({epsilon for _, _, epsilon, _ in rows}) == 1
    found = {(name, alpha if over_alpha else epsilon): n for name, alpha, epsilon, n in rows}
    yield "| " + " | ".join(["alpha" if over_alpha else "epsilon", *SIZES]) + " |"
    yield "| " + " | ".join(["---:"] * (len(SIZES) + 1)) + " |"
    for x in dict.fromkeys(x for _, x in found):
        yield "| " + " | ".join([str(x), *(in_figures(found[name, x]) for name in SIZES)]) + " |"


CUBE = classes.cube(2)
LEARNERS = {
    "voting": [PrivateVotingLearner(Epsilon.exactly(t)) for t in (2, 4)],
    "exponential mechanism": [ExponentialLearner(CUBE, Epsilon.exactly(t)) for t in (2, 4, 9)],
    "Corollary 2": [
        FlippedLearner(StableLearner(CUBE, 1, Epsilon.exactly(t)), z)
        for t in (4, 9)
        for z in (Fraction(1, 20), Fraction(1, 10))
    ],
    "Lemma 9": [RealizablePrivateLearner(CUBE, 2, Fraction(1, k)) for k in (2, 3)],
    "noisy aggregation": [DworkFeldmanAggregation(CUBE, 2, epsilon) for epsilon in (1, 2)],
}
ALPHA = [Fraction(1, 16), Fraction(1, 8), Fraction(1, 5)]


def tightest(name):
    """Return the number of instances, and error, bound, n and e**epsilon of the tightest one."""
    found = []
    for learner in LEARNERS[name]:
        for n in (2, 3, 4):
            factor = audit.private_prediction(learner, (0, 1), n).value
            for hard in (HardDistribution.shattered((0, 1), alpha) for alpha in ALPHA):
                error = hard_average_error(learner, hard, n)
                bound = private_average_error(hard.masses, n, Epsilon.exactly(factor))
                found.append((error / bound, error, bound, n, factor))
    return len(found), *min(found)


def tension_table():
    """Return them as lines of Markdown."""
    yield "| learner | instances | tightest: error / bound | error | bound | n | e^epsilon |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name in LEARNERS:
        count, ratio, error, bound, n, factor = tightest(name)
        cells = [f"{float(x):.4f}" for x in (ratio, error, bound)]
        yield "| " + " | ".join([name, str(count), *cells, str(n), f"{float(factor):.4g}"]) + " |"


def in_figures(n):
    """Return an integer, to three figures when it is large."""
    return f"{n:,}" if n < 10**7 else f"{n:.2e}".replace("e+", "e")


def main():
    """Print all tables."""
    for panel in PANELS.values():
        print(*table(sizes(*panel)), "", sep="\n")
    print(*tension_table(), sep="\n")


if __name__ == "__main__":
    main()
