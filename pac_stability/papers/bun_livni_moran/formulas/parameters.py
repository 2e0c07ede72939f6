"""Lemmas 12 to 14, Proposition 5, Theorem 10: their numbers, as printed, proved and sharp.

First Lemma 14: the number of examples for a sample of k tournaments, its mean and its law. Last
come the terms inside the O(...) of printed sizes, with binary logarithms: a size divided by its
term is the hidden constant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pac_stability import arguments, arithmetic
from pac_stability._report import Tabled
from pac_stability.arithmetic import Constants, Interval
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.errors import BudgetExhausted, InvalidInput

LARGEST_PRINTED = 10_000
"""Up to which d the printed formulas are computed; their numbers have d binary digits and more."""

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, repr=False)
class ExpectedDraws(Tabled):
    """Bounds on E[M_k], the mean number of examples drawn from the target for one sample of D_k.

    Parameters
    ----------
    k
        The number of tournaments.
    n
        Examples that each player draws.
    threshold
        tau: below level k, no output is this frequent. Above 0 and at most 1/2.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    ``E[M_{i+1}] = 2 (E[M_i] + n) / theta_i`` exactly (:func:`expected_draws`), where theta_i is the
    probability that two players of level i are told apart. As ``sum_f p(f)**2 < tau``, ``theta_i >
    1 - tau >= 1/2``.

    Source: BLM20 Lemma 14; its step from i to i + 1 is needed from i = 0 on.

    Examples
    --------
    >>> bounds = ExpectedDraws(k=2, n=5, threshold=Fraction(1, 4))
    >>> bounds.from_threshold, bounds.summed, bounds.printed
    (Fraction(440, 9), 100, 320)
    """

    k: int
    n: int
    threshold: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", arguments.as_size(self.k, "k"))
        if self.k > LARGEST_PRINTED:
            raise InvalidInput("k", arguments.in_words(self.k), f"at most {LARGEST_PRINTED}")
        object.__setattr__(self, "n", arguments.as_size(self.n, "n"))
        tau = arguments.as_number(self.threshold, "threshold")
        if not 0 < tau <= Fraction(1, 2):
            raise InvalidInput("threshold", arguments.in_words(tau), "above 0 and at most 1/2")
        object.__setattr__(self, "threshold", tau)

    @property
    def printed(self) -> int:
        """``4**(k+1) n``, as stated."""
        return (4 << 2 * self.k) * self.n

    @property
    def summed(self) -> int:
        """``(4 + 4**2 + ... + 4**k) n``, as the proof gives."""
        return ((4 << 2 * self.k) - 4) // 3 * self.n

    @property
    def from_threshold(self) -> Fraction:
        """``(g + g**2 + ... + g**k) n`` with ``g = 2 / (1 - tau)``."""
        g = 2 / (1 - self.threshold)
        return sum((g**j for j in range(1, self.k + 1)), ZERO) * self.n


def expected_draws(collisions: Iterable[arguments.ExactNumber], n: int) -> Fraction:
    """Return E[M_k] exactly, from the probability that two players have the same predictor.

    Parameters
    ----------
    collisions
        ``1 - theta_i = sum_f p_i(f)**2`` for i = 0, ..., k - 1, each from 0 on and below 1.
    n
        Examples that each player draws.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The number of pairs that are tried is geometric and each costs ``2 (E[M_i] + n)`` on average.
    The whole law of M_k is :class:`~pac_stability.papers.bun_livni_moran.DrawCounts`.

    Examples
    --------
    >>> expected_draws(["1/5"], n=1)
    Fraction(5, 2)
    """
    size = arguments.as_size(n, "n")
    mean = ZERO
    for collision in collisions:
        mean = 2 * (mean + size) / (1 - _as_collision(collision))
    return mean


def _as_collision(collision: arguments.AnyNumber) -> Fraction:
    same = arguments.as_fraction(collision, "collisions")
    if not 0 <= same < 1:
        raise InvalidInput("collisions", arguments.in_words(same), "probabilities below 1")
    return same


# How many examples a sample of k tournaments takes: the law of M_k, for budgets of any size

MAX_BITS = 1 << 18
"""The size of exact answers; what is larger is enclosed only."""


class DrawCounts:
    """The law of the number of blocks drawn from the target for a sample of D_k.

    A block is the n examples of one player.

    Parameters
    ----------
    collisions
        For level 0, ..., k - 1, the probability that two players have the same predictor; at most
        1.

    Raises
    ------
    InvalidInput
        A collision is not a probability.

    Notes
    -----
    Let u stand for two blocks, and theta for one minus the collision of level i. Rounds cost
    ``u g_i(u)**2`` each and are decided with probability theta, whatever they cost, so that
    ``g_{i+1} = theta u g_i**2 / (1 - (1 - theta) u g_i**2)``, with ``g_0 = 1``. By induction ``g_i
    = c u**(2**i - 1) / q(u)`` with a number c and a polynomial q of degree below ``2**i``.

    A coefficient of index N of a quotient p(u)/q(u) is found in ``log2 N`` steps: the one of
    ``p(u) q(-u) / (q(u) q(-u))`` is that of index ``N // 2`` when the even or the odd terms of the
    numerator are kept and ``u**2`` is written u [A. Bostan and R. Mori, SOSA 2021]. Each step is a
    product of polynomials of degree ``2**k``.

    Examples
    --------
    One tournament takes 2 blocks unless there is a tie, then 2 more, and so on.

    >>> counts = DrawCounts(["1/5"])
    >>> counts.least, counts.within(1), counts.within(5)
    (2, Fraction(0, 1), Fraction(24, 25))
    >>> print(1 - DrawCounts(["1/5", "1/10", "1/10"]).enclosed_within(10**6))
    0.0, 3.498046881551929e-105
    """

    def __init__(self, collisions: Iterable[arguments.ExactNumber]) -> None:
        arguments.require_instance(collisions, Iterable, "collisions")
        self._levels = 0
        factor, bottom = 1, [1]
        for given in collisions:
            same = arguments.as_fraction(given, "collisions")
            if not 0 <= same <= 1:
                raise InvalidInput("collisions", arguments.in_words(same), "probabilities")
            whole, ties = same.denominator, same.numerator
            self._levels += 1
            squared = [whole * b for b in _product(bottom, bottom)]
            squared += [0] * ((1 << self._levels) - len(squared))
            squared[-1] -= ties * factor**2
            factor = (whole - ties) * factor**2
            common = math.gcd(factor, *squared)
            factor, bottom = factor // common, [b // common for b in squared]
        self._factor, self._bottom = factor, bottom

    @property
    def least(self) -> int:
        """The blocks that are drawn when no round is a tie, ``2 (2**k - 1)``."""
        return 2 * ((1 << self._levels) - 1)

    def within(self, blocks: int) -> Fraction:
        """Return the probability that at most this many blocks are drawn.

        Parameters
        ----------
        blocks
            The budget N/n.

        Raises
        ------
        BudgetExhausted
            The number has more than some :data:`MAX_BITS` bits.

        Notes
        -----
        ``O(log(blocks))`` products of polynomials, the last ones of integers as long as the answer.
        """
        index = self._index(blocks)
        if index * self._bottom[0].bit_length() > MAX_BITS:
            raise BudgetExhausted(
                f"the exact probability for {blocks} blocks has more than {MAX_BITS} bits; "
                "ask for an enclosure"
            )
        exact = _Rounded(self._cumulated(), 0, 0)
        top, bottom = _coefficient(_Rounded([self._factor], 0, 0), exact, index)
        return Fraction(top.first, bottom.first)

    def enclosed_within(self, blocks: int, bits: int = 128) -> Interval:
        """Enclose the probability that at most this many blocks are drawn.

        Parameters
        ----------
        blocks
            The budget N/n.
        bits
            The width is at most ``2**-bits``.

        Notes
        -----
        ``O(4**k log(blocks))`` operations on numbers of ``bits + O(2**k log(blocks))`` bits, in
        fixed point with a bound on the error.
        """
        index = self._index(blocks)
        bottom = self._cumulated()
        # No pole is inside the unit disk, so that coefficients stay below 2**len(bottom).
        precision = arguments.as_size(bits, "bits") + (len(bottom) + 4) * (index.bit_length() + 1)
        while True:
            scaled = _Rounded([(b << precision) // bottom[0] for b in bottom], 1, precision)
            top = _Rounded([(self._factor << precision) // bottom[0]], 1, precision)
            top, scaled = _coefficient(top, scaled, index)
            found = top.enclosure / scaled.enclosure
            if found.width <= Fraction(1, 1 << bits):
                return Interval(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))
            precision *= 2

    def _index(self, blocks: int) -> int:
        """How many rounds beyond the least number may be lost to ties; -1 when too few blocks."""
        return max(-1, (arguments.as_size(blocks, "blocks") - self.least) // 2)

    def _cumulated(self) -> list[int]:
        return _product(self._bottom, [1, -1])


@dataclass(frozen=True, slots=True)
class _Rounded:
    """A polynomial in fixed point: coefficients within ``radius`` of those meant, in 2**-bits."""

    coefficients: list[int]
    radius: int
    bits: int

    def __mul__(self, other: _Rounded) -> _Rounded:
        left, right = self.coefficients, other.coefficients
        error = (
            self.radius * sum(map(abs, right))
            + other.radius * sum(map(abs, left))
            + self.radius * other.radius * min(len(left), len(right))
        )
        rounded = [c >> self.bits for c in _product(left, right)]
        # A shift cuts off less than one, by a multiple of 2**-bits.
        return _Rounded(rounded, -(-(error + (1 << self.bits) - 1) >> self.bits), self.bits)

    @property
    def first(self) -> int:
        """The term of index 0."""
        return self.coefficients[0] if self.coefficients else 0

    @property
    def enclosure(self) -> Interval:
        """The term of index 0 that is meant, times 2**bits."""
        return Interval(Fraction(self.first - self.radius), Fraction(self.first + self.radius))

    @property
    def mirrored(self) -> _Rounded:
        """The polynomial at -u."""
        signed = [-c if i & 1 else c for i, c in enumerate(self.coefficients)]
        return _Rounded(signed, self.radius, self.bits)

    def part(self, parity: int) -> _Rounded:
        """The terms of even or odd index alone, closed up."""
        return _Rounded(self.coefficients[parity::2], self.radius, self.bits)


def _coefficient(top: _Rounded, bottom: _Rounded, index: int) -> tuple[_Rounded, _Rounded]:
    """Return polynomials whose first terms have the quotient [u**index] top/bottom."""
    if index < 0:
        return _Rounded([], 0, top.bits), bottom
    while index:
        mirrored = bottom.mirrored
        top = (top * mirrored).part(index & 1)
        bottom = (bottom * mirrored).part(0)
        index >>= 1
    return top, bottom


def _product(left: list[int], right: list[int]) -> list[int]:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product


LARGEST_DIMENSION = 8
"""Up to which d the proved threshold is found; it has ``2**d`` binary digits."""


def largest_squares(total: Fraction, most: Fraction) -> Fraction:
    """Return the largest sum of squares of numbers from 0 to ``most`` that sum to ``total``.

    A sum of squares is convex, so it is largest when as many numbers as possible equal ``most`` and
    one is the rest. It is at most ``most * total``.

    Examples
    --------
    >>> largest_squares(Fraction(1), Fraction(2, 5))
    Fraction(9, 25)
    """
    whole = total // most
    return whole * most**2 + (total - whole * most) ** 2


def sharper_agreement_bounds(k: int, tau: arguments.AnyNumber) -> tuple[Fraction, ...]:
    """Return r_0, ..., r_k: lower bounds on how likely all tournament labels are the target's.

    Parameters
    ----------
    k
        The number of tournaments.
    tau
        A frequency, above 0 and at most 1, that no output of D_0, ..., D_{k-1} exceeds.

    Returns
    -------
    tuple of Fraction
        ``r_0 = 1``, ``r_1 = 1/2`` and ``r_j = (r^2 - q) / (2 (1 - q))`` for ``r = r_{j-1}``, where
        q is the largest sum of squares of numbers from 0 to tau whose sum is r. None is smaller
        than that of :func:`agreement_bounds`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    With the words of :class:`FrequencyThreshold`: let ``rho = rho_{k-1}``, let g(f) be the
    probability that a player of level k - 1 is good and has the predictor f, p(f) the probability
    of f, and G the sum of the g(f)^2. Two players are both good and told apart with probability
    ``rho^2 - G``; then the one that is kept is good when y = c(x), which has probability 1/2. Any
    two are told apart with probability ``1 - sum p(f)^2 <= 1 - G``. So ``rho_k >= (rho^2 - G) /
    (2 (1 - G))``.

    This falls when G grows, as ``rho <= 1``. The g(f) are at most tau and sum to rho; a sum of
    squares, being convex, is largest where as many of them as can be are tau and one is what is
    left: ``q = m tau^2 + (rho - m tau)^2`` with m the integer part of ``rho/tau``. That is at most
    ``tau rho``.

    Finally the bound grows with rho, so that a lower bound on rho may be put in its place: the
    derivative of q in rho is ``2 (rho - m tau) <= 2 rho``, so the numerator does not fall, and the
    denominator does not grow.

    Examples
    --------
    >>> [str(r) for r in sharper_agreement_bounds(2, "1/10")]
    ['1', '1/2', '2/19']
    """
    size = arguments.as_size(k, "k")
    return agreement_of_levels((_as_frequency(tau),) * size)


def agreement_of_levels(frequencies: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return r_0, ..., r_k if outputs of D_0, ..., D_{k-1} are not as frequent as these numbers.

    The proof of :func:`sharper_agreement_bounds` looks at one level at a time, so each may have a
    frequency of its own. That of D_0 plays no part, as r_1 is 1/2.

    Examples
    --------
    >>> [str(r) for r in agreement_of_levels([Fraction(1, 3), Fraction(1, 10)])]
    ['1', '1/2', '2/19']
    """
    bounds = [Fraction(1), Fraction(1, 2)][: len(frequencies) + 1]
    for frequency in frequencies[1:]:
        r = bounds[-1]
        q = largest_squares(r, frequency)
        bounds.append((r * r - q) / (2 * (1 - q)))
    return tuple(bounds)


def proved_frequency(dimension: int, bits: int = 64) -> Interval:
    """Enclose the largest frequency that the sharper recursion proves for Lemma 12.

    Parameters
    ----------
    dimension
        d, at most :data:`LARGEST_DIMENSION`.
    bits
        The relative width of the interval is at most ``2**-bits``.

    Returns
    -------
    Interval
        For every class of Littlestone dimension d, every realizable target, n, tie rule and way of
        picking, some output of some D_k, k <= d, is at least as frequent as its lower end.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    If no output of D_0, ..., D_d had the frequency tau, the target would have frequency ``rho_d >=
    r_d(tau)`` in D_d (:class:`FrequencyThreshold`, step 3). So tau is reached where ``r_d(tau) >=
    tau``. By induction r_d falls when tau grows: q grows with tau, and r grows with the r before
    it. So these tau are an interval from 0 on, whose end is found by bisection.

    For d = 2, and tau from 1/10 to 1/8, q is ``4 tau^2 + (1/2 - 4 tau)^2``; then ``r_2 >= tau``
    means ``80 tau^2 - 56 tau + 5 >= 0``, and the end is ``(7 - 2 sqrt 6)/20 = 0.10505...``. With
    ``q <= tau/2`` alone it would mean ``4 tau^2 - 10 tau + 1 >= 0``: ``(5 - sqrt 21)/4 =
    0.10435...``.

    Examples
    --------
    >>> float(proved_frequency(2).lower), float(1 / proved_frequency(3).lower)
    (0.10505102572168219, 138.72499560119215)
    """
    size = arguments.as_size(dimension, "dimension")
    precision = arguments.as_size(bits, "bits", least=1)
    if size > LARGEST_DIMENSION:
        raise InvalidInput("dimension", arguments.in_words(size), f"at most {LARGEST_DIMENSION}")
    return _enclosed(size, precision)


@lru_cache
def _enclosed(d: int, bits: int) -> Interval:
    if d == 0:
        return Interval.exactly(1)
    # The lower end is proved without the sharper recursion; r_k <= r_{k-1}^2 / 2 gives the upper.
    low, high = Fraction(1, 2**2**d), Fraction(1, 2 ** (2**d - 1))
    while high - low > low / 2**bits:
        middle = (low + high) / 2
        proved = sharper_agreement_bounds(d, middle)[-1] >= middle
        low, high = (middle, high) if proved else (low, middle)
    return Interval(low, high)


# Lemma 12: how frequent an output of some tournament distribution is, as printed and as proved

_BITS = 20


@dataclass(frozen=True, slots=True, repr=False)
class FrequencyThreshold(Tabled):
    """The frequency tau that some output of some D_k, k <= d, is said to reach.

    Parameters
    ----------
    dimension
        d, the Littlestone dimension of the class; at most 8, or :data:`LARGEST_PRINTED` when
        printed.
    constants
        Printed: tau = 2^-d, as in Lemma 12. True for d <= 1; for d = 2 and d = 3 there are finite
        classes on which no output is that frequent (`papers.bun_livni_moran.COUNTEREXAMPLES`).
        Proved: the largest unit fraction tau with r_d(tau) >= tau (:func:`agreement_bounds`): 1/2,
        1/10, 1/140, 1/32920 for d = 1, ..., 4. Sharp: the exact consequence of the same proof,
        :func:`~pac_stability.papers.bun_livni_moran.formulas.proved_frequency` to 20 bits, or the
        unit fraction if that is larger: 5% more for d = 2, 1% for d = 3.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Where the printed proof fails.* It takes the label y of a tournament to be independent of the
    sample that is kept. It is independent of the *pair* of samples. But the kept sample is the one
    with the wrong prediction at x: given the kept sample and x, the label is determined. Samples
    that agree with the target so far tend to be right at x, so they tend to be discarded when y is
    the target's label.

    *What is true.* Let c be a hypothesis of loss zero. Call a sample good if all its tournament
    examples agree with c, and let rho_k be the probability of that for S ~ D_k. Suppose that D_k is
    defined for the threshold tau.

    1. rho_0 = 1 and rho_1 = 1/2: with empty samples nothing is discarded.
    2. ``rho_k >= rho (rho - tau) / (2 theta)`` for ``rho = rho_{k-1} >= tau``, where theta <= 1 is
       the probability that a pair is told apart. If both samples of a pair are good, the one that
       is kept is good when y = c(x), which has probability 1/2 whatever the pair is. Both are good
       with probability rho^2; both are good and not told apart with probability sum_f g(f)^2, where
       g(f) = Pr[good and SOA(S o T) = f] is less than tau and sums to rho, so at most tau rho.
    3. If D_d is defined, ``Pr[SOA(S o T) = c] >= rho_d``: on a good sample, S o T is realizable and
       the SOA makes d mistakes in S, after which c is the only hypothesis left.
    4. If no output of D_0, ..., D_d had frequency tau, D_d would be defined, and c would have
       frequency ``rho_d >= r_d(tau) >= tau`` in it. A contradiction. (The bound r grows with rho
       from tau/2 on, and r_1 > r_2 > ... > r_d >= tau.)

    *How small it is.* ``2**-(2**d) <= tau <= 2**-(2**d - 1)`` for d >= 2: with ``r_k = s_k
    2**-(2**k - 1)`` we have s_1 = 1 and ``s_k <= s_{k-1}**2 <= 1``; for tau = 2**-(2**d) and e_k =
    1 - s_k, ``e_k <= 2 e_{k-1} + t_k`` with ``t_k = 2**(2**(k-1) - 1 - 2**d)``. Since ``4 t_{k-1}
    <= t_k`` from k = 3 on, ``e_d <= 2 t_d = 2**-(2**(d-1)) <= 1/4``, hence ``r_d >= tau``.

    None of this depends on n, on the target, on the tie rule of the SOA, or on the choice of x, as
    long as it does not depend on y.

    Ghazi, Golowich, Kumar and Manurangsi (2021) learn privately from polynomially many examples in
    d, by another algorithm. Whether some output of these tournaments always has a frequency of
    ``2**-O(d)`` is open, as far as we know.

    Source: BLM20 Lemma 12.

    Examples
    --------
    >>> [str(FrequencyThreshold(d, "proved").value) for d in range(5)]
    ['1', '1/2', '1/10', '1/140', '1/32920']
    >>> FrequencyThreshold(2, "printed").value, FrequencyThreshold(2, "printed").is_proved
    (Fraction(1, 4), False)
    >>> [round(float(FrequencyThreshold(d).value), 8) for d in (1, 2, 3)]
    [0.5, 0.10505098, 0.0072085]
    """

    dimension: int
    constants: arithmetic.ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        size = arguments.as_size(self.dimension, "dimension")
        constants = arithmetic.as_constants(self.constants)
        largest = LARGEST_PRINTED if constants is Constants.PRINTED else LARGEST_DIMENSION
        if size > largest:
            raise InvalidInput("dimension", arguments.in_words(size), f"at most {largest}")
        arguments.fix(self, dimension=size, constants=constants)

    @property
    def value(self) -> Fraction:
        """The frequency tau."""
        if self.constants == Constants.PRINTED:
            return Fraction(1, 2**self.dimension)
        unit = _largest_unit_fraction(self.dimension)
        if self.constants == Constants.PROVED:
            return unit
        return max(unit, proved_frequency(self.dimension, _BITS).lower)

    @property
    def is_proved(self) -> bool:
        """Whether the proof above covers this threshold: ``r_d(tau) >= tau``."""
        if self.constants == Constants.SHARP:
            return self.agreement[-1] >= self.value
        return proves(self.dimension, self.value)

    @property
    def agreement(self) -> tuple[Fraction, ...]:
        """Lower bounds r_0, ..., r_d on the probabilities rho_k, while D_k is defined for tau."""
        if self.constants == Constants.SHARP:
            return sharper_agreement_bounds(self.dimension, self.value)
        return agreement_bounds(self.dimension, self.value)


def agreement_bounds(k: int, tau: arguments.AnyNumber) -> tuple[Fraction, ...]:
    """Return r_0, ..., r_k: lower bounds on how likely all tournament labels are the target's.

    Parameters
    ----------
    k
        The number of tournaments.
    tau
        The threshold for which D_0, ..., D_k are defined, above 0 and at most 1.

    Returns
    -------
    tuple of Fraction
        ``r_0 = 1``, ``r_1 = 1/2`` and ``r_j = r_{j-1} (r_{j-1} - tau) / 2``; 0 from where that is
        not positive.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Proved with :class:`FrequencyThreshold`. The paper has 2^-j in its place.

    Examples
    --------
    >>> [str(r) for r in agreement_bounds(3, "1/10")]
    ['1', '1/2', '1/10', '0']
    """
    return _bounds(arguments.as_size(k, "k"), _as_frequency(tau))


def proves(dimension: int, tau: arguments.AnyNumber) -> bool:
    """Whether ``r_d(tau) >= tau``, so that some output of some D_k, k <= d, has frequency tau.

    Parameters
    ----------
    dimension
        d.
    tau
        A frequency, above 0 and at most 1.

    Examples
    --------
    >>> proves(2, "1/10"), proves(2, "1/9"), proves(1, "1/2")
    (True, False, True)
    """
    frequency = _as_frequency(tau)
    return _bounds(arguments.as_size(dimension, "dimension"), frequency)[-1] >= frequency


def _bounds(k: int, tau: Fraction) -> tuple[Fraction, ...]:
    bounds = [Fraction(1), Fraction(1, 2)][: k + 1]
    for _ in range(k - 1):
        r = bounds[-1]
        bounds.append(max(Fraction(0), r * (r - tau) / 2))
    return tuple(bounds)


@lru_cache
def _largest_unit_fraction(d: int) -> Fraction:
    # r_d(tau) decreases in tau, so what satisfies r_d(tau) >= tau is an interval from 0 on, and
    # 2**-(2**d) is in it.
    return Fraction(1, arithmetic.least_integer(lambda n: proves(d, Fraction(1, n)), 1, 2**2**d))


def _as_frequency(value: arguments.AnyNumber, argument: str = "tau") -> Fraction:
    frequency = arguments.as_number(value, argument)
    if not 0 < frequency <= 1:
        wanted = "a frequency, above 0 and at most 1"
        raise InvalidInput(argument, arguments.in_words(frequency), wanted)
    return frequency


# Proposition 5 and Lemma 13: a frequent output that is always consistent has small loss

_LOSS_BITS = 192


@dataclass(frozen=True, slots=True)
class FrequentOutputLoss:
    """The possible losses of an output f of frequency p, if outputs fit n fresh examples.

    Parameters
    ----------
    frequency
        p, above 0 and at most 1: the probability of f.
    n
        The number of examples, drawn from the target, that every output is consistent with; at
        least 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    f is consistent with the examples with probability (1 - loss)^n, and is output only then, so
    ``p <= (1 - loss)**n``. That is :meth:`allows`, and :meth:`sharp` is the largest loss it allows.
    Weaker, and simpler: ``ln(1/p)/n`` (Proposition 5) and ``log2(1/p)/n`` (Lemma 13, which has
    ``d/n`` for p = 2^-d). The last two differ by the factor 1/ln 2 only, which Lemma 13 gives away
    by ``1 - a <= 2**-a``.

    Proposition 5 is about consistent learners, Lemma 13 about S o T with T ~ D^n, whatever S is.
    Source: BLM20.

    Examples
    --------
    >>> bound = FrequentOutputLoss(Fraction(1, 4), 8)
    >>> [round(float(b), 4) for b in (bound.lemma_13(), bound.proposition_5(), bound.sharp())]
    [0.25, 0.1733, 0.1591]
    >>> bound.allows(Fraction(15, 100)), bound.allows(Fraction(16, 100))
    (True, False)
    """

    frequency: Fraction
    n: int

    def __post_init__(self) -> None:
        p = _as_frequency(self.frequency, "frequency")
        arguments.fix(self, frequency=p, n=arguments.as_size(self.n, "n", least=1))

    def allows(self, loss: arguments.AnyNumber) -> bool:
        """Whether an output of this frequency can have this loss: ``p <= (1 - loss)**n``."""
        return self.frequency <= (1 - arguments.as_probability(loss, "loss")) ** self.n

    def sharp(self, bits: int = 64) -> Interval:
        """Enclose ``1 - p**(1/n)``."""
        return 1 - Interval.exp(Interval.log(self.frequency, bits) / self.n, bits)

    def proposition_5(self, bits: int = 64) -> Interval:
        """Enclose ``ln(1/p) / n``."""
        return Interval.log(1 / self.frequency, bits) / self.n

    def lemma_13(self, bits: int = 64) -> Interval:
        """Enclose ``log2(1/p) / n``; exact for p = 2^-d, where it is d/n."""
        d = _exponent(self.frequency)
        if d is not None:
            return Interval.exactly(Fraction(d, self.n))
        return Interval.log2(1 / self.frequency, bits) / self.n


def fresh_examples(frequency: arguments.AnyNumber, alpha: arguments.AnyNumber) -> int:
    """Return the least n with ``log2(1/p) / n <= alpha``, at least 1.

    Parameters
    ----------
    frequency
        p, above 0 and at most 1.
    alpha
        The loss allowed, above 0.

    Returns
    -------
    int
        ``ceil(log2(1/p) / alpha)``; the ``ceil(d / alpha)`` of algorithm G for p = 2^-d.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> fresh_examples("1/8", "1/4"), fresh_examples("1/10", "1/4")
    (12, 14)
    """
    p, a = _as_frequency(frequency, "frequency"), arguments.as_positive(alpha, "alpha")
    d = _exponent(p)
    if d is not None:
        return max(1, math.ceil(d / a))
    # The logarithm of another rational is irrational, so no integer is hit.
    return arithmetic.certified_ceiling(lambda bits: Interval.log2(1 / p, bits) / a)


def fewest_fresh_examples(frequency: arguments.AnyNumber, alpha: arguments.AnyNumber) -> int:
    """Return the least n with ``(1 - alpha)**n <= p``, at least 1.

    Parameters
    ----------
    frequency
        p, above 0 and at most 1.
    alpha
        The loss allowed, above 0.

    Returns
    -------
    int
        With this many fresh examples an output of frequency p has loss at most alpha: if it had a
        larger one, it would be consistent with them, and so output, less often than p. No smaller
        number says so (:class:`FrequentOutputLoss`), and :func:`fresh_examples` is no smaller.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Logarithms find n; where their enclosure holds an integer, exact powers decide.

    Examples
    --------
    >>> fewest_fresh_examples("1/8", "1/4"), fewest_fresh_examples("1/10", "1/4")
    (8, 9)
    """
    p, a = _as_frequency(frequency, "frequency"), arguments.as_positive(alpha, "alpha")
    if a >= 1 or p == 1:
        return 1
    quotient = Interval.log(p, _LOSS_BITS) / Interval.log(1 - a, _LOSS_BITS)
    least, enough = math.ceil(quotient.lower), math.ceil(quotient.upper)
    return least if least == enough or (1 - a) ** least <= p else enough


def _exponent(p: Fraction) -> int | None:
    """Return d when p = 2^-d."""
    d = p.denominator.bit_length() - 1
    return d if p == Fraction(1, 1 << d) else None


# Theorem 10: the parameters of the globally stable learner, algorithm G


@dataclass(frozen=True, slots=True, repr=False)
class GlobalStabilityParameters(Tabled):
    """The parameters of algorithm G, and its promise for a class of dimension d.

    G draws k from 0, ..., d uniformly, a sample S of k tournaments that may draw N examples, and T
    ~ D^n, and outputs SOA(S o T).

    Parameters
    ----------
    dimension
        d, at least 1. (A class of dimension 0 has one hypothesis.)
    alpha
        The loss of the stable output, above 0.
    constants
        Printed: the numbers of the theorem, which are proved for d = 1 only. Proved: those of its
        proof, with the frequency of Lemma 12 that is proved. Sharp: the law of the number of draws
        in place of Markov's inequality, see the notes.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Let tau be the threshold, and let k be the least level at which an output has frequency at least
    tau; by Lemma 12, as repaired, it is at most d. D_k is defined for tau. That output has loss at
    most ``log2(1/tau)/n <= alpha`` (Lemma 13). A sample takes less than ``4**(k+1) n`` draws on
    average (Lemma 14), so more than ``N >= (2/tau) 4**(d+1) n`` with probability below tau/2
    (Markov). So G outputs it with probability at least ``(tau - tau/2) / (d+1)``.

    With tau = 2^-d this is Theorem 10: ``n = ceil(d/alpha)``, ``N = 8**(d+1) n``, ``m = (8**(d+1) +
    1) n``, ``eta = 1 / ((d+1) 2**(d+1))``.

    *Sharp.* Let M be the number of blocks that a sample of D_k takes.

    1. What a sample of D_k is does not depend on M. By induction: a round draws two players, and
       is decided by what they are, not by what they cost. So the number of rounds, the costs of
       the rounds, and the pair that is told apart at last are independent. Hence ``Pr[G = f] >=
       p_k(f) Pr[M <= B] / (d + 1)``, where the paper subtracts what Markov's inequality allows.
    2. M is stochastically larger where players agree more often. By induction: it is the sum of
       the costs of R rounds, R geometric. Costs that are stochastically larger, and a larger R,
       make such a sum stochastically larger; and one more level adds to it.
    3. Below level k no output has frequency tau, so that players agree with probability ``sum
       p(f)**2 < tau``. So ``Pr[M <= B]`` is at least what
       :class:`~pac_stability.papers.bun_livni_moran.DrawCounts` says of d levels on which they
       agree with probability tau. That is :attr:`within`.
    4. ``(1 - loss)**n >= p_k(f) >= tau`` (Lemma 13), so the least n with ``(1 - alpha)**n <= tau``
       does.

    B is where the examples of a run per appearance of the output are fewest, the least (B + 1) /
    within.

    Source: BLM20 Theorem 10 and algorithm G.

    Examples
    --------
    >>> G = GlobalStabilityParameters(2, Fraction(1, 8), "printed")
    >>> G.n, G.budget, G.sample_size, G.eta
    (16, 8192, 8208, Fraction(1, 24))
    >>> G = GlobalStabilityParameters(2, Fraction(1, 8), "proved")
    >>> G.threshold.value, G.n, G.budget, G.sample_size, G.eta
    (Fraction(1, 10), 27, 34560, 34587, Fraction(1, 60))
    >>> G = GlobalStabilityParameters(2, Fraction(1, 8))
    >>> G.n, G.blocks, G.sample_size, round(float(1 / G.eta), 3)
    (17, 6, 119, 39.841)
    """

    dimension: int
    alpha: Fraction
    constants: arithmetic.ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        d = arguments.as_size(self.dimension, "dimension", least=1)
        alpha = arguments.as_positive(self.alpha, "alpha")
        constants = FrequencyThreshold(d, self.constants).constants
        arguments.fix(self, dimension=d, alpha=alpha, constants=constants)

    @property
    def threshold(self) -> FrequencyThreshold:
        """The source of the frequency tau."""
        return FrequencyThreshold(self.dimension, self.constants)

    @property
    def n(self) -> int:
        """The auxiliary sample size: the examples that each player draws, and |T|."""
        if self.constants == Constants.SHARP:
            return fewest_fresh_examples(self.threshold.value, self.alpha)
        return fresh_examples(self.threshold.value, self.alpha)

    @property
    def blocks(self) -> int:
        """B = N/n: the budget of the tournaments, in players' samples.

        Printed and proved, an integer without rounding, as tau is one divided by an integer.
        """
        if self.constants == Constants.SHARP:
            return best_blocks((self.threshold.value,) * self.dimension)[0]
        return (2 << 2 * (self.dimension + 1)) * self.threshold.value.denominator

    @property
    def budget(self) -> int:
        """N: the budget of the tournaments, in examples."""
        return self.blocks * self.n

    @property
    def sample_size(self) -> int:
        """m, the sample size of G: N + n."""
        return self.budget + self.n

    @property
    def eta(self) -> Fraction:
        """The probability of the stable output, tau / (2 (d + 1)); sharp, tau within / (d + 1).

        The latter is rounded down to 64 binary digits.
        """
        if self.constants == Constants.SHARP:
            return rounded_down(self.threshold.value * self.within / (self.dimension + 1))
        return self.threshold.value / (2 * (self.dimension + 1))

    @property
    def within(self) -> Fraction:
        """A lower bound on the probability that a sample of tournaments takes at most B blocks.

        Printed and proved by Markov's inequality: 1/2.
        """
        if self.constants == Constants.SHARP:
            return best_blocks((self.threshold.value,) * self.dimension)[1]
        return Fraction(1, 2)

    @property
    def expected_draws(self) -> ExpectedDraws:
        """Bounds on the mean number of draws of the tournaments at level d."""
        return ExpectedDraws(self.dimension, self.n, self.threshold.value)


@lru_cache(maxsize=256)
def best_blocks(collisions: tuple[Fraction, ...], fresh: int = 1) -> tuple[int, Fraction]:
    """Return the best number of blocks, and the probability that it is enough.

    Parameters
    ----------
    collisions
        For each level, the lowest first: players agree with at most this probability.
    fresh
        1 if a run draws one more block, T, and 0 if it does not.

    Returns
    -------
    tuple of int and Fraction
        The B with the least (B + fresh) / within, and this probability.

    Examples
    --------
    >>> best_blocks((Fraction(1, 10), Fraction(1, 10)))
    (6, Fraction(729, 1000))
    """
    levels = len(collisions)
    best = blocks = 2 * (2**levels - 1)
    # As many rounds as there can be, of which none is a tie.
    within = math.prod(
        ((1 - same) ** 2 ** (levels - 1 - i) for i, same in enumerate(collisions)),
        start=Fraction(1),
    )
    # Probabilities are at most 1, so that more blocks do not help from (best + fresh) / within on.
    while blocks + 2 + fresh < (best + fresh) / within:
        blocks += 2
        more = DrawCounts(collisions).within(blocks)
        if (blocks + fresh) * within < (best + fresh) * more:
            best, within = blocks, more
    return best, within


def rounded_down(value: Fraction) -> Fraction:
    """Round a positive number down to 64 binary digits.

    Parameters
    ----------
    value
        The number.

    Examples
    --------
    >>> rounded_down(Fraction(1, 3)) < Fraction(1, 3) < rounded_down(Fraction(1, 3)) * 2
    True
    """
    scale = value.denominator.bit_length() - value.numerator.bit_length() + 64
    return Fraction(math.floor(value * (1 << scale)), 1 << scale)


# What stands inside the O(...) of the printed sample sizes, as certified numbers


def lemma_15_order(
    eta: arguments.AnyNumber,
    beta: arguments.AnyNumber,
    epsilon: arithmetic.EpsilonLike,
    delta: arguments.AnyNumber,
    bits: int = 64,
) -> Interval:
    """Enclose ``log(1/(eta beta delta)) / (eta epsilon)``, the size of the stable histogram.

    Parameters
    ----------
    eta, beta, epsilon, delta
        The parameters of the lemma.
    bits
        Working precision.

    Notes
    -----
    With Laplace noise the usual proof needs ``log(1/(eta epsilon beta delta))``, as all items may
    be distinct and each gets noise. Bounded noise needs ``log(1/delta) / (eta epsilon)`` only.

    Examples
    --------
    >>> round(float(lemma_15_order("1/8", "1/10", 1.0, "1/1000000")), 1)
    210.0
    """
    e = arguments.as_open_unit(eta, "eta", most=True)
    b = arguments.as_open_unit(beta, "beta")
    d = arguments.as_open_unit(delta, "delta")
    return Interval.log2(1 / (e * b * d), bits) / (e * _epsilon(epsilon, bits))


def lemma_16_order(
    hypotheses: int,
    alpha: arguments.AnyNumber,
    beta: arguments.AnyNumber,
    epsilon: arithmetic.EpsilonLike,
    bits: int = 64,
) -> Interval:
    """Enclose ``(log |H| + log(1/beta)) / (alpha epsilon)``, the size of the generic learner.

    Parameters
    ----------
    hypotheses
        |H|, at least 1.
    alpha, beta, epsilon
        The parameters of the lemma. The order is right for bounded epsilon: however large it is,
        some ``log(|H|/beta) / alpha`` examples are needed.
    bits
        Working precision.
    """
    count = arguments.as_size(hypotheses, "hypotheses", least=1)
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    return Interval.log2(count / b, bits) / (a * _epsilon(epsilon, bits))


def theorem_17_order(
    m: int,
    eta: arguments.AnyNumber,
    *,
    alpha: arguments.AnyNumber,
    beta: arguments.AnyNumber,
    epsilon: arithmetic.EpsilonLike,
    delta: arguments.AnyNumber,
    bits: int = 64,
) -> Interval:
    """Enclose ``m log(1/(eta beta delta)) / (eta epsilon) + log(1/(eta beta)) / (alpha epsilon)``.

    Parameters
    ----------
    m
        The sample size of the globally stable learner.
    eta, alpha, beta, epsilon, delta
        The parameters of the theorem.
    bits
        Working precision.
    """
    size = arguments.as_size(m, "m", least=1)
    e = arguments.as_open_unit(eta, "eta", most=True)
    a = arguments.as_open_unit(alpha, "alpha")
    b = beta
    choice = Interval.log2(1 / (e * arguments.as_open_unit(b, "beta")), bits) / a
    return lemma_15_order(e, b, epsilon, delta, bits) * size + choice / _epsilon(epsilon, bits)


def theorem_1_order(
    dimension: int,
    alpha: arguments.AnyNumber,
    beta: arguments.AnyNumber,
    epsilon: arithmetic.EpsilonLike,
    delta: arguments.AnyNumber,
    *,
    constants: arithmetic.ConstantsLike = Constants.SHARP,
    bits: int = 64,
) -> Interval:
    """Enclose the order of the size of the private learner.

    Parameters
    ----------
    dimension
        d, at least 1.
    alpha, beta, epsilon, delta
        The parameters of the theorem.
    constants
        Which frequency tau of Lemma 12.
    bits
        Working precision.

    Returns
    -------
    Interval
        ``4**d d log(1/tau) (log(1/tau) + log(1/(beta delta))) / (tau**2 alpha epsilon)``. With the
        printed tau = 2^-d this is ``16**d d**2 (d + log(1/(beta delta))) / (alpha epsilon)``, the
        term of Theorem 1. The proved tau is between ``2**-(2**d)`` and ``2**-(2**d - 1)``, so
        that the order is doubly exponential in d.

    Notes
    -----
    From Theorem 17 with ``m`` of order ``4**d log(1/tau) / (tau alpha)`` and ``1/eta = 2 (d+1) /
    tau``.

    Examples
    --------
    >>> quarter, tenth, millionth = Fraction(1, 4), Fraction(1, 10), Fraction(1, 10**6)
    >>> printed = theorem_1_order(2, quarter, tenth, 1.0, millionth, constants="printed")
    >>> round(float(printed))
    103438
    """
    d = arguments.as_size(dimension, "dimension", least=1)
    tau = FrequencyThreshold(d, constants).value
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    needed = Interval.log2(1 / tau, bits)
    sure = Interval.log2(1 / (b * arguments.as_open_unit(delta, "delta")), bits)
    factor = Fraction(4**d * d) / (tau**2 * a)
    return factor * needed * (needed + sure) / _epsilon(epsilon, bits)


def corollary_2_order(
    dimension: int,
    vc_dimension: int,
    *,
    alpha: arguments.AnyNumber,
    beta: arguments.AnyNumber,
    epsilon: arithmetic.EpsilonLike,
    delta: arguments.AnyNumber,
    constants: arithmetic.ConstantsLike = Constants.SHARP,
    bits: int = 64,
) -> Interval:
    """Enclose the order of the size of the agnostic learner.

    Parameters
    ----------
    dimension
        d, at least 1.
    vc_dimension
        The VC dimension of the class.
    alpha, beta, epsilon, delta
        The parameters of the corollary.
    constants
        Which frequency tau of Lemma 12.
    bits
        Working precision.

    Returns
    -------
    Interval
        :func:`theorem_1_order` and ``(VC + log(1/beta)) / (alpha**2 epsilon)``.

    Notes
    -----
    The transformation behind it fails with probability of order ``beta + n delta``; so the bound is
    as good as printed where ``delta <= beta/n``.
    """
    vc = arguments.as_size(vc_dimension, "vc_dimension")
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    realizable = theorem_1_order(
        dimension, alpha, beta, epsilon, delta, constants=constants, bits=bits
    )
    agnostic = (Interval.log2(1 / b, bits) + vc) / (a**2 * _epsilon(epsilon, bits))
    return realizable + agnostic


def theorem_6_weak_delta(n0: int, c: arguments.AnyNumber, bits: int = 64) -> Interval:
    """Enclose the largest delta_0 of a weak learner that Theorem 6 starts from.

    Parameters
    ----------
    n0
        The sample size of the weak learner, at least 2.
    c
        The constant of the theorem, above 0; its value is not given.
    bits
        Working precision.

    Returns
    -------
    Interval
        ``c / (n0**2 log n0)``. The other parameters of the weak learner are :data:`THEOREM_6_WEAK`.

    Notes
    -----
    The conclusion, a learner for all parameters from ``C log(1/(beta delta)) / (alpha epsilon)``
    examples on, has a C that depends on the class through its Littlestone dimension only. The proof
    goes through the finiteness of that dimension and makes no use of the weak learner's code.
    """
    n = arguments.as_size(n0, "n0", least=2)
    return arguments.as_open_unit(c, "c", most=True) / (Interval.log2(n, bits) * n**2)


THEOREM_6_WEAK = {
    "epsilon_0": Fraction(1, 10),
    "alpha_0": Fraction(1, 16),
    "beta_0": Fraction(1, 16),
}
"""The parameters of the weak learner of Theorem 6, as printed."""


def _epsilon(epsilon: arithmetic.EpsilonLike, bits: int) -> Interval:
    return as_epsilon(epsilon).interval(bits)
