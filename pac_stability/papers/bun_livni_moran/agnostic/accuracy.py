"""With which probability the agnostic learner is accurate: its two steps besides the base learner.

Both bounds are logarithms, so that nothing is too small for an interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_number, as_open_unit, as_size, in_words
from pac_stability.arithmetic import Interval
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.weights import as_decay

GHOSTS = (1, 3, 7, 15, 31, 63)
"""How many times as large as D the samples are that exist in the proof only."""


@dataclass(frozen=True, slots=True, repr=False)
class Richness(Tabled):
    """What the proof of accuracy knows of a class: how many patterns it can have.

    Parameters
    ----------
    vc_dimension
        The VC dimension, at least 0.
    hypotheses
        How many hypotheses there are, if that is known; at least 1.

    Raises
    ------
    InvalidInput
        A number is no size, or too small.

    Examples
    --------
    >>> Richness(1).patterns(100), Richness(1, 17).patterns(100)
    (101, 17)
    """

    vc_dimension: int
    hypotheses: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "vc_dimension", as_size(self.vc_dimension, "vc_dimension"))
        if self.hypotheses is not None:
            object.__setattr__(self, "hypotheses", as_size(self.hypotheses, "hypotheses", least=1))

    def patterns(self, points: int) -> int:
        """Return how many patterns the class has at most on so many points.

        Parameters
        ----------
        points
            How many points there are.
        """
        most = sauer_shelah_bound(as_size(points, "points"), self.vc_dimension)
        return most if self.hypotheses is None else min(most, self.hypotheses)


def choice_failure(
    size: int,
    richness: Richness,
    decay: Fraction,
    excess: AnyNumber,
    *,
    spare: int = 0,
    bits: int = 64,
) -> Interval:
    """Enclose the logarithm of a bound on how likely a bad pattern is drawn.

    Parameters
    ----------
    size
        N, the examples of D, at least 1.
    richness
        Of the class.
    decay
        r, what an error of a pattern on D multiplies its weight by.
    excess
        a: a pattern is bad if a hypothesis that has it has a loss that is more than a above the
        least in the class. Above 0 and below 1.
    spare
        |T|, the points besides D that refine the patterns.
    bits
        Working precision.

    Returns
    -------
    Interval
        The smallest of the bounds of the notes; at most 0, where nothing is proved.

    Notes
    -----
    Let g be a best hypothesis, and for h let X(h) be the sum over D of its errors less those of g,
    each term from {-1, 0, 1}. A pattern on D and T is drawn with probability at most ``min(1,
    r**X) <= z**X`` for every z from r to 1, as that of g is among them.

    *Few hypotheses.* A bad h has terms with mean above a, so that ``E[z**X] <= mu**N`` with ``mu =
    z (1 + a)/2 + (1 - a)/(2 z)``, as ``z**x`` is convex. The best z is ``sqrt((1 - a)/(1 + a))``,
    or r if that is larger. A union bound over ``|H| - 1`` hypotheses is the first bound.

    *Few patterns.* Let D' be M more examples, which exist here only. If a bad h has the pattern
    that is drawn, then ``X'(h) >= a' M`` on D' with probability at least 1/2, where ``a' = a -
    sqrt(2 ln 2 / M)`` (Hoeffding). So the failure is at most twice the mean of the sum, over the
    patterns q on D, T and D', of ``min(1, r**X(q))`` where ``X'(q) >= a' M``. Given these points,
    D is a random part of D and D'. For w <= 1 and z as above the summand is at most ``z**X
    w**(a' M - X') = (z w)**X w**(a' M - V)``, V the sum of all terms; and ``E[(z w)**X] <=
    exp(-lambda V N/(N + M) + lambda**2 N/2)`` for ``z w = e**-lambda``, as draws without
    replacement are at least as concentrated (Hoeffding 1963, Theorem 4). With ``ln(1/w) = lambda
    N/(N + M)`` V is gone: what is left is ``exp(N (lambda**2/2 - lambda a' s))``, ``s = M/(N +
    M)``. The best lambda is ``a' s``; z is at least r if ``lambda s <= ln(1/r)``. M is the best of
    N times each of :data:`GHOSTS`.

    Source: ours; the second sample after Vapnik and Chervonenkis (1971).

    Examples
    --------
    >>> failure = choice_failure(10_000, Richness(1), Fraction(9, 10), "1/16")
    >>> round(float(failure), 2)
    -3.98
    """
    N, T = as_size(size, "size", least=1), as_size(spare, "spare")
    r, a = as_decay(decay, below_one=True), as_open_unit(excess, "excess")
    found = [Interval.exactly(0)]
    if richness.hypotheses is not None:
        found.append(_few_hypotheses(N, richness.hypotheses, r, a, bits))
    for times in GHOSTS:
        ghost = times * N
        above = a - Interval.sqrt(2 * Interval.log(2, bits) / ghost, bits)
        if above.lower <= 0:
            continue
        patterns = richness.patterns(N + T + ghost)
        share = Fraction(times, times + 1)
        # Any lambda proves something, so its ends may be rounded.
        best = min(above.lower * share, Interval.log(1 / r, bits).lower / share)
        shift = _short(best)
        found.append(
            Interval.log(2 * patterns, bits) + (shift * shift / 2 - above * (shift * share)) * N
        )
    return min(found, key=lambda bound: bound.upper)


def transfer_failure(
    size: int,
    resample: int,
    richness: Richness,
    apart_on_D: AnyNumber,
    apart: AnyNumber,
    *,
    bits: int = 64,
) -> Interval:
    """Enclose the logarithm of a bound on how likely f and h agree on D and not beyond.

    Parameters
    ----------
    size
        N, the examples of D, more than m.
    resample
        m, how many of them the base learner draws, at least 1.
    richness
        Of the class.
    apart_on_D
        alpha_0, the part of D on which f and h differ at most; from 0 on and below 1.
    apart
        alpha_1, above which the probability is that they differ at a fresh point; above 0 and
        below 1.
    bits
        Working precision.

    Returns
    -------
    Interval
        The smallest of the bounds of the notes; at most 0, where nothing is proved.

    Notes
    -----
    The base learner's output f is a function of the at most m examples that it drew, of the labels
    that h gives them, and of its coins. Fix which places are drawn (and some more, so that they
    are m), the points there, and the coins. Each h in H then has an f_h, and the set A_h of the
    points where they differ. The other ``N' = N - m`` points of D are fresh. So the failure is at
    most the probability that *some* h in H has at most ``s = floor(alpha_0 N)`` of them in A_h,
    although A_h has a probability above alpha_1. No privacy is needed for that, nor T.

    *Few hypotheses.* ``|H| exp(-N' kl(s/N', alpha_1))`` (Chernoff), where kl is the relative
    entropy of two coins.

    *Few patterns.* Let there be M more points, which exist here only. At least ``k = floor(alpha_1
    M)`` of them are in A_h with probability at least 1/2, as the median of a binomial law is not
    below the integer part of its mean. Which of the N' + M points are in A_h depends on the
    pattern of h on these and on the m that were drawn: N + M points. The N' are a random part.
    If t of all are in A_h, then at most s of the part and at least k of the rest are with a
    probability that is largest for ``t = k + s``: below that it grows, as the rest gets more, and
    above it falls, as the part does. There it is the lower tail of a hypergeometric law, at most
    ``exp(-N' kl(s/N', (k + s)/(N' + M)))`` (Hoeffding 1963, Theorem 4). So the bound is twice the
    number of patterns times that. M is the best of N times each of :data:`GHOSTS`.

    Source: ours; the argument is that of sample compression (Littlestone and Warmuth 1986).

    Examples
    --------
    >>> failure = transfer_failure(30_000, 10_000, Richness(1), "1/8", "1/4")
    >>> round(float(failure), 1)
    -202.4
    """
    N, m = as_size(size, "size", least=1), as_size(resample, "resample", least=1)
    if m >= N:
        raise InvalidInput("resample", in_words(m), f"below the size, {N}")
    few, a = as_number(apart_on_D, "apart_on_D"), as_open_unit(apart, "apart")
    if not 0 <= few < 1:
        raise InvalidInput("apart_on_D", in_words(few), "from 0 on, and below 1")
    most, fresh = math.floor(few * N), N - m
    part = Fraction(most, fresh)
    found = [Interval.exactly(0)]
    if richness.hypotheses is not None and part < a:
        count = Interval.log(richness.hypotheses, bits)
        found.append(count - _relative_entropy(part, a, bits) * fresh)
    for times in GHOSTS:
        ghost = times * N
        hits = math.floor(a * ghost) + most
        mean = Fraction(hits, fresh + ghost)
        if part < mean < 1:
            patterns = Interval.log(2 * richness.patterns(N + ghost), bits)
            found.append(patterns - _relative_entropy(part, mean, bits) * fresh)
    return min(found, key=lambda bound: bound.upper)


def _relative_entropy(q: Fraction, p: Fraction, bits: int) -> Interval:
    """Enclose ``q ln(q/p) + (1 - q) ln((1 - q)/(1 - p))``, for p neither 0 nor 1."""
    total = Interval.exactly(0)
    for seen, meant in ((q, p), (1 - q, 1 - p)):
        if seen:
            total += Interval.log(seen / meant, bits) * seen
    return total


def _few_hypotheses(N: int, count: int, r: Fraction, a: Fraction, bits: int) -> Interval:
    if count == 1:
        return Interval.exactly(-N)  # no other hypothesis: cannot fail, and -N is as good a bound
    if r * r * (1 + a) >= 1 - a:
        mean = Interval.exactly(r * (1 + a) / 2 + (1 - a) / (2 * r))
        rate = Interval.log(mean, bits)
    else:
        rate = Interval.log(1 - a * a, bits) / 2
    return Interval.log(count - 1, bits) + rate * N


def _short(value: Fraction) -> Fraction:
    """Round a positive number down to some 32 significant bits."""
    scale = value.denominator.bit_length() - value.numerator.bit_length() + 32
    if scale <= 0:
        return value
    return Fraction(math.floor(value * (1 << scale)), 1 << scale)
