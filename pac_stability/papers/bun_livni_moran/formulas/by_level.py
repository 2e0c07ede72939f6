"""Theorem 1 with its runs given to levels: more runs where they are short, fewer where long."""

from __future__ import annotations

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
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import LARGEST_DIMENSION
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
    blocks
        B_k: how many players' examples a run may draw for S.
    eta
        How likely a run outputs what is frequent, if that is so first at this level.
    runs
        K_k, how many runs there are.
    """

    level: int
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

    Let tau be the frequency of Lemma 12, and k the least level at which an output f has frequency
    tau. A run of level k outputs f with probability at least ``eta_k = tau Pr[M_k <= B_k]``, by
    steps 1 to 3 of :class:`GlobalStabilityParameters`, where players agree with probability below
    tau on k levels, not d. All runs are counted by *one* histogram, so that f is counted at least
    as often as at level k, where the count is binomial with K_k and eta_k or more. Nobody has to
    know k: it is enough that K_k runs of level k release f but for beta_1
    (:func:`~pac_stability.papers.bun_livni_moran.formulas.least_runs`), for each k alone. At most
    half of all runs are outputs that are released, and the choice is as in
    :class:`PrivateFromStable`. An example belongs to one run or to the choice, so privacy is what
    it was.

    B_k is where the examples per appearance are fewest; beta and alpha are divided as for
    :class:`PrivateLearnerSizes`.

    Source: ours, for BLM20 Theorem 1.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> for d in (1, 2, 3, 4):
    ...     M = ByLevelSizes(d, Fraction(1, 4), tenth, Epsilon(1), millionth)
    ...     print(d, M.n, M.choice_size, M.sample_size, [level.runs for level in M.levels])
    1 4 816 2880 [72, 148]
    2 10 4443 54003 [350, 392, 490]
    3 18 138386 2630414 [5136, 5174, 5249, 5403]
    4 37 927368 2566033990 [1215882, 1215919, 1215993, 1216140, 1216436]
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
    def threshold(self) -> Fraction:
        """The frequency tau, sharp."""
        return FrequencyThreshold(self.dimension).value

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
    tau, d, histogram = asked.threshold, asked.dimension, asked.histogram
    plans = []
    for j in range(1, HALVINGS + 1):
        rest = asked.beta / 2**j
        levels = tuple(_level(tau, k, histogram, asked.beta - rest) for k in range(d + 1))
        plans.append((rest, levels))
    best: _Divided | None = None
    for part in PARTS:
        n = fewest_fresh_examples(tau, part * asked.alpha)
        loss = min(part * asked.alpha, least_loss(tau, n))
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


def _level(tau: Fraction, k: int, histogram: StableHistogram, failure: Fraction) -> LevelRuns:
    blocks, within = best_blocks(tau, k)
    eta = rounded_down(tau * within)
    return LevelRuns(k, blocks, eta, least_runs(eta, histogram, failure))
