"""Theorem 10: the parameters of the globally stable learner, algorithm G."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pac_stability._report import Tabled
from pac_stability.arguments import as_number, as_size, in_words
from pac_stability.arithmetic import Constants, ConstantsLike
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran.formulas.draws import ExpectedDraws
from pac_stability.papers.bun_livni_moran.formulas.frequency import FrequencyThreshold
from pac_stability.papers.bun_livni_moran.formulas.generalization import (
    fewest_fresh_examples,
    fresh_examples,
)
from pac_stability.papers.bun_livni_moran.tournaments.draw_counts import DrawCounts


@dataclass(frozen=True, slots=True, repr=False)
class GlobalStabilityParameters(Tabled):
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
        if self.constants == Constants.SHARP:
            return fewest_fresh_examples(self.threshold.value, self.alpha)
        return fresh_examples(self.threshold.value, self.alpha)

    @property
    def blocks(self) -> int:
        """B = N/n: how many players' examples the tournaments may draw.

        Printed and proved, an integer without rounding, as tau is one divided by an integer.
        """
        if self.constants == Constants.SHARP:
            return best_blocks((self.threshold.value,) * self.dimension)[0]
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
        """The probability of the stable output, tau / (2 (d + 1)); sharp, tau within / (d + 1).

        The latter is rounded down to 64 binary digits.
        """
        if self.constants == Constants.SHARP:
            return rounded_down(self.threshold.value * self.within / (self.dimension + 1))
        return self.threshold.value / (2 * (self.dimension + 1))

    @property
    def within(self) -> Fraction:
        """How likely a sample of tournaments takes at most B blocks: a lower bound, at any level.

        Printed and proved by Markov's inequality: 1/2.
        """
        if self.constants == Constants.SHARP:
            return best_blocks((self.threshold.value,) * self.dimension)[1]
        return Fraction(1, 2)

    @property
    def expected_draws(self) -> ExpectedDraws:
        """Bounds on what the tournaments draw on average, at level d."""
        return ExpectedDraws(self.dimension, self.n, self.threshold.value)


@lru_cache(maxsize=256)
def best_blocks(collisions: tuple[Fraction, ...], fresh: int = 1) -> tuple[int, Fraction]:
    """Return how many blocks are best, and how likely they are enough.

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
