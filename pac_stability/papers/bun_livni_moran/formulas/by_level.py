"""Theorem 1 with its runs given to levels: more runs where they are short, fewer where long."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pac_stability._report import Tabled
from pac_stability.arguments import as_open_unit, as_size, in_words
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram
from pac_stability.papers.bun_livni_moran._words import said
from pac_stability.papers.bun_livni_moran.formulas.frequency import FrequencyThreshold
from pac_stability.papers.bun_livni_moran.formulas.generalization import fewest_fresh_examples
from pac_stability.papers.bun_livni_moran.formulas.privacy import HALVINGS, PARTS, least_loss
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import (
    LARGEST_DIMENSION,
    agreement_of_levels,
    largest_squares,
)
from pac_stability.papers.bun_livni_moran.formulas.sharper_release import least_runs
from pac_stability.papers.bun_livni_moran.formulas.stability import best_blocks, rounded_down
from pac_stability.papers.bun_livni_moran.private.generic import private_decay, selection_size


@dataclass(frozen=True, slots=True, repr=False)
class LevelRuns(Tabled):
    """The runs of one level.

    Attributes
    ----------
    level
        k, how many tournaments S has won.
    frequency
        tau_k: how frequent an output is, if one is so first at this level.
    blocks
        B_k: how many players' examples a run may draw for S.
    eta
        How likely a run outputs what is frequent, if that is so first at this level.
    runs
        K_k, how many runs there are.
    """

    level: int
    frequency: Fraction
    blocks: int
    eta: Fraction
    runs: int


@said
@dataclass(frozen=True, slots=True, repr=False)
class ByLevelSizes(Tabled):
    """Theorem 1 with runs by level: algorithm M, which does not leave the level to chance.

    Parameters
    ----------
    alpha, beta, epsilon, delta
        As for :class:`PrivateFromStable`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Algorithm G draws its level from 0, ..., d, so that of k runs only k/(d + 1) are of the level at
    which some output is frequent, and all are as long as the longest. Here K_k runs are of level k,
    with at most B_k blocks and n examples for T, so that they take ``(B_k + 1) n`` examples.

    Nothing asks for one frequency on all levels. Let tau_0, ..., tau_d be numbers with ``r_d >=
    tau_d``, where r_d is what :func:`~sharper_frequency.agreement_of_levels` gives for the others.
    Then some output of some D_k has frequency tau_k: if none of D_0, ..., D_{d-1} has, the target
    has r_d in D_d (Lemma 12, as repaired). Let k be the least such level, and f the output. Below
    it two players agree with probability ``sum p(f)**2`` at most
    :func:`~sharper_frequency.largest_squares` of 1 and tau_i. A run of level k outputs f with
    probability at least ``eta_k = tau_k Pr[M_k <= B_k]``, by steps 1 to 3 of
    :class:`GlobalStabilityParameters`, on k levels, not d. All runs are counted by *one* histogram,
    so that f is counted at least as often as at level k, where the count is binomial with K_k and
    eta_k or more. Nobody has to know k: it is enough that K_k runs of level k release f but for
    beta_1 (:func:`~pac_stability.papers.bun_livni_moran.formulas.least_runs`), for each k alone. At
    most half of all runs are outputs that are released, and the choice is as in
    :class:`PrivateFromStable`. An example belongs to one run or to the choice, so privacy is what
    it was.

    B_k is where the examples per appearance are fewest; beta and alpha are divided as for
    :class:`PrivateLearnerSizes`. The frequencies are a fixed function of d (:func:`frequencies`).

    Source: ours, for BLM20 Theorem 1.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> for d in (1, 2, 3, 4):
    ...     M = ByLevelSizes(d, Fraction(1, 4), tenth, Epsilon(1), millionth)
    ...     print(d, M.n, M.choice_size, M.sample_size, [level.runs for level in M.levels])
    1 4 816 2880 [72, 148]
    2 10 4442 53692 [350, 391, 486]
    3 19 53397 2347039 [3695, 2612, 2141, 6280]
    4 37 1431193 1569230972 [105268, 74451, 59759, 109476, 1289803]
    """

    dimension: int
    alpha: Fraction
    beta: Fraction
    epsilon: Epsilon
    delta: Fraction

    def __post_init__(self) -> None:
        d = as_size(self.dimension, "dimension", least=1)
        if d > LARGEST_DIMENSION:
            raise InvalidInput("dimension", in_words(d), f"at most {LARGEST_DIMENSION}")
        object.__setattr__(self, "dimension", d)
        for name in ("alpha", "beta", "delta"):
            object.__setattr__(self, name, as_open_unit(getattr(self, name), name))
        require_epsilon(self.epsilon)
        private_decay(self.epsilon)

    @property
    def frequencies(self) -> tuple[Fraction, ...]:
        """The frequencies tau_0, ..., tau_d, one of which is reached."""
        return frequencies(self.dimension)

    @property
    def loss(self) -> Fraction:
        """The loss of what is frequent, at most."""
        return _divided(self).loss

    @property
    def n(self) -> int:
        """The examples that each player draws, and |T|: the same on all levels."""
        return _divided(self).n

    @property
    def levels(self) -> tuple[LevelRuns, ...]:
        """The runs of level 0, ..., d."""
        return _divided(self).levels

    @property
    def runs(self) -> int:
        """How many runs there are on all levels."""
        return sum(level.runs for level in self.levels)

    @property
    def histogram(self) -> StableHistogram:
        """The stable histogram of all outputs, which releases from A + 2 on."""
        return StableHistogram.from_privacy(self.epsilon, self.delta)

    @property
    def decay(self) -> Fraction:
        """What an error multiplies the weight by in the choice; at least e^(-epsilon/2)."""
        return private_decay(self.epsilon)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy, at most the (epsilon, delta) asked for."""
        return self.histogram.guarantee

    @property
    def choice_size(self) -> int:
        """n', the examples for the choice from the list."""
        return _divided(self).choice_size

    @property
    def sample_size(self) -> int:
        """The sample size: all runs, and the choice."""
        return _divided(self).sample_size


@dataclass(frozen=True, slots=True)
class _Divided:
    """A division of alpha and beta, and what it takes."""

    loss: Fraction
    n: int
    levels: tuple[LevelRuns, ...]
    choice_size: int

    @property
    def sample_size(self) -> int:
        drawn = sum(level.runs * (level.blocks + 1) for level in self.levels)
        return drawn * self.n + self.choice_size


@lru_cache(maxsize=256)
def _divided(asked: ByLevelSizes) -> _Divided:
    """Return the best of a fixed list of divisions, so that less never takes more."""
    taus, histogram = asked.frequencies, asked.histogram
    rarest = min(taus)
    plans = []
    for j in range(1, HALVINGS + 1):
        rest = asked.beta / 2**j
        plans.append((rest, _levels(taus, histogram, asked.beta - rest)))
    best: _Divided | None = None
    for part in PARTS:
        n = fewest_fresh_examples(rarest, part * asked.alpha)
        loss = min(part * asked.alpha, least_loss(rarest, n))
        for rest, levels in plans:
            found = _Divided(loss, n, levels, 0)
            if best is not None and found.sample_size >= best.sample_size:
                continue
            others = sum(level.runs for level in levels) // 2 - 1
            chosen = selection_size(others, asked.alpha, loss, rest, asked.decay)
            found = _Divided(loss, n, levels, chosen)
            if best is None or found.sample_size < best.sample_size:
                best = found
    if best is None:
        raise AssertionError("no part of alpha")
    return best


def _levels(
    taus: tuple[Fraction, ...], histogram: StableHistogram, failure: Fraction
) -> tuple[LevelRuns, ...]:
    return tuple(
        LevelRuns(k, tau, blocks, eta, least_runs(eta, histogram, failure))
        for k, (tau, (blocks, eta)) in enumerate(zip(taus, _stable(taus), strict=True))
    )


def _stable(taus: tuple[Fraction, ...]) -> list[tuple[int, Fraction]]:
    """Return the blocks and eta of each level."""
    collisions = tuple(largest_squares(Fraction(1), tau) for tau in taus)
    best = [best_blocks(collisions[:k]) for k in range(len(taus))]
    return [(blocks, rounded_down(tau * w)) for tau, (blocks, w) in zip(taus, best, strict=True)]


_SHARES = tuple(Fraction(share, 8) for share in (5, 6, 7, 8))


@lru_cache
def frequencies(dimension: int) -> tuple[Fraction, ...]:
    """Return tau_0, ..., tau_d, one of which some output of that level always reaches.

    Parameters
    ----------
    dimension
        d, from 1 to 8.

    Returns
    -------
    tuple of Fraction
        Of a few lists the one with which a single appearance takes the fewest examples: sharp tau
        on all levels, or numbers as below.

    Notes
    -----
    A smaller tau_j, j < d, needs more runs of level j, in proportion to ``(2**(j+1) - 1) / tau_j``.
    A larger one makes r_d smaller, by a part ``2**(d-1-j) tau_j / r_j`` (for j >= 1), and ties more
    likely, by ``2**(d-1-j) tau_j``: by so many parts of ``(2**(d+1) - 1) / r_d``, at level d.
    With ``2**-(2**j - 1)`` for r_j the sum is least where ::

        tau_j**2 = (2**(j+1) - 1) r_d / ((2**(d+1) - 1) 2**(d-1-j) (1 + [j >= 1] / r_j))

    These numbers, and 5/8, 6/8, 7/8 of them, are tried, as unit fractions; tau_d is r_d.

    Examples
    --------
    >>> [[round(1 / tau) for tau in frequencies(d)] for d in (1, 2, 3, 4)]
    [[2, 2], [10, 10, 10], [100, 70, 56, 156], [2850, 2015, 1616, 2955, 34697]]
    """
    lists = [(FrequencyThreshold(dimension).value,) * (dimension + 1)]
    for share in _SHARES:
        lower = [Fraction(1, _least_cost(dimension, j, share)) for j in range(dimension)]
        reached = agreement_of_levels(lower)[-1]
        if reached > 0:
            lists.append((*lower, rounded_down(reached)))
    return min(lists, key=_examples_each)


def _least_cost(d: int, j: int, share: Fraction) -> int:
    """Return 1/tau_j, an integer, for a share of what is best in the first order."""
    lost = 2 ** (d - 1 - j) * (1 + (2 ** (2**j - 1) if j else 0))
    square = Fraction((2 ** (d + 1) - 1) * lost * 2 ** (2**d - 1), 2 ** (j + 1) - 1) / share**2
    return max(2, math.isqrt(math.ceil(square)))


def _examples_each(taus: tuple[Fraction, ...]) -> Fraction:
    """Return the examples that a single appearance takes, on all levels, for a loss of 1/8."""
    n = fewest_fresh_examples(min(taus), Fraction(1, 8))
    return n * sum((Fraction(blocks + 1) / eta for blocks, eta in _stable(taus)), Fraction(0))
