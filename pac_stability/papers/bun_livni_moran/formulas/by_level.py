"""Theorem 1 with its runs given to levels: more runs where they are short, fewer where long."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

from pac_stability._report import Tabled
from pac_stability.arguments import as_open_unit, as_size, in_words
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram
from pac_stability.papers.bun_livni_moran.formulas.choice import private_decay, selection_size
from pac_stability.papers.bun_livni_moran.formulas.generalization import fewest_fresh_examples
from pac_stability.papers.bun_livni_moran.formulas.privacy import HALVINGS, PARTS, least_loss
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import (
    LARGEST_DIMENSION,
    agreement_of_levels,
    largest_squares,
)
from pac_stability.papers.bun_livni_moran.formulas.sharper_release import least_runs
from pac_stability.papers.bun_livni_moran.formulas.stability import best_blocks, rounded_down


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
    fresh
        1 if T is a block more, and 0 if there is none.
    eta
        How likely a run outputs what is frequent, if that is so first at this level.
    runs
        K_k, how many runs there are.
    """

    level: int
    frequency: Fraction
    blocks: int
    fresh: int
    eta: Fraction
    runs: int

    @property
    def units(self) -> int:
        """The blocks of n examples that all runs of the level take."""
        return self.runs * (self.blocks + self.fresh)


@dataclass(frozen=True, slots=True, repr=False)
class ByLevelSizes(Tabled):
    """Theorem 1 with runs by level: algorithm M, which does not leave the level to chance.

    Parameters
    ----------
    dimension
        d, at least 1.
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
    with at most B_k blocks of n examples.

    *The last level needs no T.* Let tau be a frequency, and tau_d = r_d what
    :func:`~sharper_frequency.agreement_of_levels` gives for it. If no output of D_0, ..., D_{d-1}
    has the frequency tau, then with probability at least r_d all d tournament labels of S ~ D_d are
    those of the target c (Lemma 12, as repaired). The SOA has erred d times on such an S, which c
    fits, so that no other hypothesis does, and SOA(S) = c. Its loss is 0, with or without T. So
    runs of level d output SOA(S), and take ``B_d n`` examples; those below output SOA(S o T), and
    take ``(B_k + 1) n``. And tau_d, the smallest frequency by far, has no say in n: an output that
    has the frequency tau at a level below d has loss a if ``(1 - a)**n <= tau``.

    So some output of some D_k has frequency tau_k, tau below d, without T for k = d. Let k be the
    least such level, and f the output. Below it two players agree with probability ``sum p(f)**2``
    at most :func:`~sharper_frequency.largest_squares` of 1 and tau. A run of level k outputs f with
    probability at least ``eta_k = tau_k Pr[M_k <= B_k]``, by steps 1 to 3 of
    :class:`GlobalStabilityParameters`, on k levels, not d. All runs are counted by *one* histogram,
    so that f is counted at least as often as at level k, where the count is binomial with K_k and
    eta_k or more. Nobody has to know k: it is enough that K_k runs of level k release f but for
    beta_1 (:func:`~pac_stability.papers.bun_livni_moran.formulas.least_runs`), for each k alone. At
    most half of all runs are outputs that are released, and the choice is as in
    :class:`PrivateFromStable`. An example belongs to one run or to the choice, so privacy is what
    it was.

    B_k is where the examples per appearance are fewest; beta and alpha are divided as for
    :class:`PrivateLearnerSizes`, and tau is the best of a fixed list (:func:`frequency_lists`), so
    that less is never more.

    Source: ours, for BLM20 Theorem 1.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> for d in (1, 2, 3, 4):
    ...     M = ByLevelSizes(d, Fraction(1, 4), tenth, Epsilon(1), millionth)
    ...     print(d, M.n, M.choice_size, M.sample_size, [level.runs for level in M.levels])
    1 1 290 1130 [38, 401]
    2 7 3998 43611 [173, 218, 604]
    3 14 104944 1778714 [1673, 1711, 1789, 7159]
    4 25 3102839 1075866564 [44981, 45018, 45092, 45240, 1391209]
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
        return tuple(level.frequency for level in self.levels)

    @property
    def loss(self) -> Fraction:
        """The loss of what is frequent, at most."""
        return _divided(self).loss

    @property
    def n(self) -> int:
        """The examples that each player draws, and T has below level d."""
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
        return _histogram(self.epsilon, self.delta)

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
        return sum(level.units for level in self.levels) * self.n + self.choice_size


@lru_cache(maxsize=64)
def _histogram(epsilon: Epsilon, delta: Fraction) -> StableHistogram:
    return StableHistogram.from_privacy(epsilon, delta)


@lru_cache(maxsize=256)
def _divided(asked: ByLevelSizes) -> _Divided:
    """Return the best of a fixed list of divisions, so that less never takes more."""
    best: _Divided | None = None
    n_for = partial(fewest_fresh_examples, alpha=asked.alpha * 3 / 4)
    about = sorted(
        stable_levels(asked.dimension),
        key=lambda stable: n_for(stable[0].frequency) * _blocks_each(stable),
    )
    for stable in about:
        for found in _divisions(asked, stable, best):
            best = found
    if best is None:
        raise AssertionError("no division")
    return best


def _divisions(
    asked: ByLevelSizes, stable: tuple[StableLevel, ...], best: _Divided | None
) -> Iterator[_Divided]:
    """Give better and better divisions of alpha and beta with these frequencies."""
    tau, histogram = stable[0].frequency, asked.histogram
    fewest = fewest_fresh_examples(tau, PARTS[-1] * asked.alpha)
    # With a mean of A + 1 or less the count and the noise are both too small once in four times.
    means = histogram.threshold - 1 if 4 * asked.beta < 1 else 0
    if best is not None and means * _blocks_each(stable) * fewest >= best.sample_size:
        return
    # As the loss falls n grows; several parts of alpha may come to the same.
    cuts = tuple(dict.fromkeys(_fresh(tau, part * asked.alpha) for part in reversed(PARTS)))
    # Nothing for the choice is no division, but no division has fewer runs: it may discard.
    for rest in (Fraction(0), *(asked.beta / 2**j for j in range(HALVINGS, 0, -1))):
        levels = _levels(stable, histogram, asked.beta - rest)
        if best is not None and sum(level.units for level in levels) * fewest >= best.sample_size:
            return
        if not rest:
            continue
        others = sum(level.runs for level in levels) // 2 - 1
        for n, loss in cuts:
            drawn = sum(level.units for level in levels) * n
            if best is not None and drawn >= best.sample_size:
                break
            chosen = selection_size(others, asked.alpha, loss, rest, asked.decay)
            found = _Divided(loss, n, levels, chosen)
            if best is None or found.sample_size < best.sample_size:
                best = found
                yield found


@lru_cache(maxsize=1024)
def _fresh(tau: Fraction, alpha: Fraction) -> tuple[int, Fraction]:
    """Return the n that a loss of alpha takes, and the loss that it is enough for."""
    n = fewest_fresh_examples(tau, alpha)
    return n, min(alpha, least_loss(tau, n))


def _levels(
    stable: tuple[StableLevel, ...], histogram: StableHistogram, failure: Fraction
) -> tuple[LevelRuns, ...]:
    return tuple(
        LevelRuns(k, *each, runs=least_runs(each.eta, histogram, failure))
        for k, each in enumerate(stable)
    )


def _blocks_each(stable: tuple[StableLevel, ...]) -> Fraction:
    """Return the blocks that a single appearance takes, on all levels."""
    return sum((Fraction(each.blocks + each.fresh) / each.eta for each in stable), Fraction(0))


def float_sample_size(asked: ByLevelSizes) -> float:
    """Return about how many examples M takes, in floating point: for a search among many sizes.

    Parameters
    ----------
    asked
        The sizes.

    Notes
    -----
    A run is expected to add eta to a count that has to exceed the threshold by some deviations.
    """
    alpha, beta, threshold = float(asked.alpha), float(asked.beta), asked.histogram.threshold
    tail = math.log(4 / beta)
    means = threshold + tail + math.sqrt(2 * tail * threshold)
    r, found = float(asked.decay), []
    for stable in stable_levels(asked.dimension):
        needed = math.log(stable[0].frequency)
        runs = means * float(sum(1 / each.eta for each in stable))
        for part in PARTS[::4]:
            loss = alpha * float(part)
            steep = r * r * alpha > loss
            mean = (
                (1 - r) * (alpha - loss / r)
                if steep
                else alpha + loss - 2 * math.sqrt(alpha * loss)
            )
            chosen = math.log(max(2.0, runs / 2) * 16 / beta) / -math.log1p(-mean)
            n = math.ceil(needed / math.log1p(-loss))
            found.append(means * float(_blocks_each(stable)) * n + chosen)
    return min(found)


class StableLevel(NamedTuple):
    """What is frequent first at a level, and how likely a run outputs it."""

    frequency: Fraction
    blocks: int
    fresh: int
    eta: Fraction


@lru_cache
def stable_levels(dimension: int) -> tuple[tuple[StableLevel, ...], ...]:
    """Return the levels 0, ..., d for each list of :func:`frequency_lists`.

    Parameters
    ----------
    dimension
        d, from 1 to 8.

    Examples
    --------
    >>> lowest, highest = stable_levels(1)[0]
    >>> lowest.frequency, lowest.blocks, highest.frequency, highest.blocks, highest.fresh
    (Fraction(1, 2), 0, Fraction(1, 2), 2, 0)
    """
    found = []
    for taus in frequency_lists(dimension):
        collisions = tuple(largest_squares(Fraction(1), tau) for tau in taus)
        levels = []
        for k, tau in enumerate(taus):
            fresh = int(k < dimension)
            blocks, within = best_blocks(collisions[:k], fresh)
            levels.append(StableLevel(tau, blocks, fresh, rounded_down(tau * within)))
        found.append(tuple(levels))
    return tuple(found)


_STEPS = 4
"""Frequencies of the lists are a factor of ``2**(1/4)`` apart."""


@lru_cache
def frequency_lists(dimension: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return lists of frequencies tau_0, ..., tau_d, one of which is always reached at its level.

    Parameters
    ----------
    dimension
        d, from 1 to 8.

    Returns
    -------
    tuple of tuple of Fraction
        In each list tau on the levels below d, and r_d on the last.

    Notes
    -----
    A smaller tau makes r_d larger, which is ``2**-(2**d - 1)`` at most, and ties rarer; and the
    runs of the lower levels more, and their n. For d = 1, r_d is 1/2 for every tau, and tau is best
    where one fresh example is enough, at ``1 - a``. For larger d the best tau is some
    ``2**-(2**(d-1) + d/2)``. The lists go on either side of that.

    Examples
    --------
    >>> [[round(1 / tau, 1) for tau in map(float, taus)] for taus in frequency_lists(2)[::5]]
    [[4.0, 4.0, 14.0], [9.5, 9.5, 9.5]]
    """
    d = dimension
    if d == 1:
        taus = [1 - _power(-i) for i in range(_STEPS, 6 * _STEPS + 1)]
    else:
        most = 2 ** (d - 1)
        taus = [_power(-i) for i in range(_STEPS * most, _STEPS * (most + d) + 1)]
    reached = ((tau, agreement_of_levels((tau,) * d)[-1]) for tau in taus)
    return tuple((*(tau,) * d, rounded_down(r)) for tau, r in reached if r > 0)


def _power(i: int) -> Fraction:
    """Return about ``2**(i/4)``, with some 10 significant digits."""
    whole, part = divmod(i, _STEPS)
    return Fraction(2) ** whole * Fraction(round(2 ** (part / _STEPS) * 1024), 1024)
