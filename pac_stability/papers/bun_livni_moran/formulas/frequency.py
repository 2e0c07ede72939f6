"""Lemma 12: how frequent an output of some tournament distribution is, as printed and as proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_number, as_size, in_words
from pac_stability.arithmetic import Constants, ConstantsLike, as_constants
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran.formulas.draws import LARGEST_PRINTED
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import (
    LARGEST_DIMENSION,
    proved_frequency,
    sharper_agreement_bounds,
)

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
        1/10, 1/140, 1/32920 for d = 1, ..., 4. Sharp: what the same proof gives when nothing is
        given away, :func:`~pac_stability.papers.bun_livni_moran.formulas.proved_frequency` to 20
        bits, or the unit fraction if that is larger: 5% more for d = 2, 1% for d = 3.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Where the printed proof stops.* It takes the label y of a tournament to be independent of the
    sample that is kept. It is independent of the *pair* of samples. But the sample that is kept is
    the one whose predictor has y wrong at x: given the kept sample and x, the label is determined.
    Samples that agree with the target so far tend to be right at x, so that they tend to be thrown
    away when y is the target's label.

    *What is true.* Let c be a hypothesis of loss zero. Call a sample good if all its tournament
    examples agree with c, and let rho_k be the probability of that for S ~ D_k. Suppose that D_k is
    defined for the threshold tau.

    1. rho_0 = 1 and rho_1 = 1/2: with empty samples there is nothing to be thrown away.
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

    Nothing here depends on n, on the target, on the tie rule of the SOA, or on how x is picked, as
    long as y is not looked at.

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
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        size = as_size(self.dimension, "dimension")
        constants = as_constants(self.constants)
        largest = LARGEST_PRINTED if constants is Constants.PRINTED else LARGEST_DIMENSION
        if size > largest:
            raise InvalidInput("dimension", in_words(size), f"at most {largest}")
        object.__setattr__(self, "dimension", size)
        object.__setattr__(self, "constants", constants)

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


def agreement_bounds(k: int, tau: AnyNumber) -> tuple[Fraction, ...]:
    """Return r_0, ..., r_k: how likely all tournament labels agree with the target, at least.

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
    size = as_size(k, "k")
    return _bounds(size, _as_frequency(tau))


def proves(dimension: int, tau: AnyNumber) -> bool:
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
    return _bounds(as_size(dimension, "dimension"), frequency)[-1] >= frequency


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
    low, high = 0, 2**2**d
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if proves(d, Fraction(1, middle)) else (middle, high)
    return Fraction(1, high)


def _as_frequency(tau: AnyNumber) -> Fraction:
    frequency = as_number(tau, "tau")
    if not 0 < frequency <= 1:
        raise InvalidInput("tau", in_words(frequency), "a frequency, above 0 and at most 1")
    return frequency
