"""Theorem 10: the parameters of the globally stable learner, algorithm G."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import as_number, as_size, in_words
from pac_stability.arithmetic import Constants, ConstantsLike
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran.formulas.draws import ExpectedDraws
from pac_stability.papers.bun_livni_moran.formulas.frequency import FrequencyThreshold
from pac_stability.papers.bun_livni_moran.formulas.generalization import fresh_examples


@dataclass(frozen=True, slots=True)
class GlobalStabilityParameters:
    """What algorithm G is run with, and what it promises for a class of dimension d.

    G draws k from 0, ..., d uniformly, a sample S of k tournaments that may draw N examples, and T
    ~ D^n, and outputs SOA(S o T).

    Parameters
    ----------
    dimension
        d, at least 1. (A class of dimension 0 has one hypothesis.)
    alpha
        The loss of the stable output, above 0.
    constants
        Printed: the numbers of the theorem, which are proved for d = 1 only. Proved and sharp are
        the same.

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

    Source: BLM20 Theorem 10 and algorithm G.

    Examples
    --------
    >>> G = GlobalStabilityParameters(2, Fraction(1, 8), "printed")
    >>> G.n, G.budget, G.sample_size, G.eta
    (16, 8192, 8208, Fraction(1, 24))
    >>> G = GlobalStabilityParameters(2, Fraction(1, 8))
    >>> G.threshold.value, G.n, G.budget, G.sample_size, G.eta
    (Fraction(1, 10), 27, 34560, 34587, Fraction(1, 60))
    """

    dimension: int
    alpha: Fraction
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        d = as_size(self.dimension, "dimension", least=1)
        alpha = as_number(self.alpha, "alpha")
        if alpha <= 0:
            raise InvalidInput("alpha", in_words(alpha), "a number above 0")
        object.__setattr__(self, "dimension", d)
        object.__setattr__(self, "alpha", alpha)
        object.__setattr__(self, "constants", FrequencyThreshold(d, self.constants).constants)

    @property
    def threshold(self) -> FrequencyThreshold:
        """Where the frequency tau comes from."""
        return FrequencyThreshold(self.dimension, self.constants)

    @property
    def n(self) -> int:
        """The auxiliary sample size: the examples that each player draws, and |T|."""
        return fresh_examples(self.threshold.value, self.alpha)

    @property
    def blocks(self) -> int:
        """N/n: how many players' examples the tournaments may draw.

        An integer without rounding, as tau is one divided by an integer.
        """
        return (2 << 2 * (self.dimension + 1)) * self.threshold.value.denominator

    @property
    def budget(self) -> int:
        """N: how many examples the tournaments may draw."""
        return self.blocks * self.n

    @property
    def sample_size(self) -> int:
        """m, the sample size of G: N + n."""
        return self.budget + self.n

    @property
    def eta(self) -> Fraction:
        """The probability of the stable output, tau / (2 (d + 1))."""
        return self.threshold.value / (2 * (self.dimension + 1))

    @property
    def expected_draws(self) -> ExpectedDraws:
        """Bounds on what the tournaments draw on average, at level d."""
        return ExpectedDraws(self.dimension, self.n, self.threshold.value)
