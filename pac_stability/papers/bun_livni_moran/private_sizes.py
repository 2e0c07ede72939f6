"""What the private learner M needs: every size of Theorem 17 with explicit constants."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from pac_stability.arithmetic import Epsilon, ExactNumber, Interval, as_size, floor_log2
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram
from pac_stability.papers.bun_livni_moran.generic_private import (
    certified_ceiling,
    generic_size,
    private_decay,
)
from pac_stability.papers.bun_livni_moran.stable_histogram import as_open_unit

Constants: TypeAlias = Literal["paper", "repaired"]


@dataclass(frozen=True, slots=True)
class PrivateLearnerSizes:
    """The sizes of algorithm M for one dimension and one choice of its four parameters.

    Made by :func:`private_learner_sizes`, whose notes prove what they achieve.

    Attributes
    ----------
    dimension
        d, the Littlestone dimension.
    frequency
        tau, the frequency that some output of some D_k reaches, k <= d.
    block
        n, the examples that each player of a tournament draws.
    blocks
        B, how many players' examples the tournaments of one run of G may draw: the budget N is
        B n.
    runs
        k, how often G is run, on disjoint data.
    histogram
        The stable histogram, which releases from 3 eta k / 8 on.
    decay
        What an error multiplies the weight by in the final choice.
    choice_size
        n', the examples kept for the final choice from the list.
    """

    dimension: int
    frequency: Fraction
    block: int
    blocks: int
    runs: int
    histogram: StableHistogram
    decay: Fraction
    choice_size: int

    @property
    def run_size(self) -> int:
        """The examples of one run of G, m = (B + 1) n."""
        return (self.blocks + 1) * self.block

    @property
    def stability(self) -> Fraction:
        """The frequency of G's most stable output, eta = tau / (2 (d + 1))."""
        return self.frequency / (2 * (self.dimension + 1))

    @property
    def list_size(self) -> int:
        """The most hypotheses that the histogram can release."""
        return math.floor(4 / self.stability)

    @property
    def total(self) -> int:
        """The sample size of M, k m + n'."""
        return self.runs * self.run_size + self.choice_size

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of M for one example replaced.

        An example is used by one run of G, hence moves one item of the histogram, or by the final
        choice, never by both; so each stage may spend all of epsilon.
        """
        choice = self.decay**-2
        released = self.histogram.guarantee
        return PrivacyGuarantee(Epsilon.exactly(max(choice, released.factor)), released.delta)


def private_learner_sizes(
    dimension: int,
    alpha: ExactNumber,
    beta: ExactNumber,
    epsilon: Epsilon | float | ExactNumber,
    delta: ExactNumber,
    *,
    constants: Constants = "repaired",
) -> PrivateLearnerSizes:
    """Return the sizes with which algorithm M is private and accurate.

    Parameters
    ----------
    dimension
        d, the Littlestone dimension of the class, at least 1. (A class of dimension 0 has one
        hypothesis, which needs no examples.)
    alpha, beta
        The output has loss at most alpha with probability at least 1 - beta; both above 0 and below
        1.
    epsilon, delta
        What may be spent on privacy; delta is above 0 and below 1.
    constants
        ``"repaired"``: tau is a frequency that is proved to be reached. ``"paper"``: tau = 2^-d as
        printed, which is proved for d = 1 and fails for some classes from d = 2 on; privacy does
        not depend on it, accuracy does.

    Returns
    -------
    PrivateLearnerSizes
        The sizes.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Suppose that an output of some D_k, k <= d, has frequency at least tau, and take the least such
    k. Let a = alpha/2.

    *G.* With ``n = ceil(log2(1/tau) / a)`` that output f has loss at most a, as it is consistent
    with n fresh examples with probability at least tau. D_k is defined for the threshold tau, so
    its sample takes at most ``4**(k+1) n`` draws on average, and more than ``B = ceil(2 4**(d+1) /
    tau)`` blocks of n with probability at most tau/2. So G outputs f with probability at least
    ``eta = tau / (2 (d + 1))``.

    *Histogram.* Its noise is at most A. With ``k = ceil(8 max(ln(2/beta), A) / eta)`` runs, fewer
    than eta k / 2 output f with probability at most ``exp(-eta k / 8) <= beta/2``; otherwise the
    noisy count of f is at least ``eta k / 2 - A >= 3 eta k / 8``, and f is released. Released
    hypotheses occur at least ``3 eta k / 8 - A >= eta k / 4`` times, so that there are at most
    4/eta. Only the frequency of f matters: that those of all hypotheses are within eta/8 would take
    of the order of ``1/eta**2`` runs.

    *Choice.* The generic learner with a, beta/2 and at most 4/eta hypotheses.

    Source: BLM20 Theorems 10 and 17.

    Examples
    --------
    >>> sizes = private_learner_sizes(1, "1/4", "1/10", 1.0, "1/1000000")
    >>> sizes.run_size, sizes.runs, sizes.choice_size, sizes.total
    (520, 1728, 2261, 900821)
    """
    d = as_size(dimension, "dimension", least=1)
    half = as_open_unit(alpha, "alpha") / 2
    miss = as_open_unit(beta, "beta") / 2
    decay = private_decay(epsilon)
    histogram = StableHistogram.from_privacy(epsilon, as_open_unit(delta, "delta"))
    tau = tournament_frequency(d, constants)
    eta = tau / (2 * (d + 1))
    noise = histogram.truncation
    runs = max(
        certified_ceiling(lambda bits: Interval.log(1 / miss, bits) * (8 / eta)),
        math.ceil(8 * noise / eta),
    )
    cutoff = max(histogram.threshold, math.ceil(3 * eta * runs / 8))
    return PrivateLearnerSizes(
        dimension=d,
        frequency=tau,
        block=consistent_size(tau, half),
        blocks=math.ceil(2 * 4 ** (d + 1) / tau),
        runs=runs,
        histogram=StableHistogram(histogram.decay, noise, cutoff),
        decay=decay,
        choice_size=generic_size(math.floor(4 / eta), half, miss, decay),
    )


def tournament_frequency(dimension: int, constants: Constants) -> Fraction:
    """Return tau, the frequency promised for some output of some D_k with k <= d.

    Parameters
    ----------
    dimension
        d, at least 1.
    constants
        ``"paper"`` for 2^-d; ``"repaired"`` for the largest unit fraction tau with
        ``r_d(tau) >= tau``, where ``r_1 = 1/2`` and ``r_k = r_{k-1} (r_{k-1} - tau) / 2``.

    Examples
    --------
    >>> [str(tournament_frequency(d, "repaired")) for d in (1, 2, 3)]
    ['1/2', '1/10', '1/140']
    """
    d = as_size(dimension, "dimension", least=1)
    if constants == "paper":
        return Fraction(1, 2**d)
    if constants != "repaired":
        raise InvalidInput("constants", repr(constants), "'paper' or 'repaired'")
    low, high = 1, 2**2**d  # 2**-(2**d) always satisfies the condition
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_reached(d, Fraction(1, middle)) else (middle, high)
    return Fraction(1, high)


def _is_reached(d: int, tau: Fraction) -> bool:
    r = Fraction(1, 2)
    for _ in range(d - 1):
        if r <= tau:
            return False
        r = r * (r - tau) / 2
    return r >= tau


def consistent_size(frequency: Fraction, alpha: Fraction) -> int:
    """Return the least integer n with ``n >= log2(1/frequency) / alpha``.

    An output of at least this frequency that is always consistent with n fresh examples has loss at
    most alpha, as ``frequency <= (1 - loss)**n <= 2**(-loss n)``.

    Examples
    --------
    >>> consistent_size(Fraction(1, 8), Fraction(1, 4))
    12
    """
    inverse = 1 / frequency
    power = floor_log2(inverse)
    if inverse == 1 << power:
        return math.ceil(power / alpha)
    return certified_ceiling(lambda bits: Interval.log2(inverse, bits) / alpha)
