"""Theorems 17 and 1: what a private learner needs, made from a globally stable one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple

from pac_stability._report import Tabled
from pac_stability.arguments import as_open_unit, as_size, in_words
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Epsilon,
    Interval,
    as_constants,
    certified_ceiling,
)
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram
from pac_stability.papers.bun_livni_moran.formulas.choice import (
    generic_size,
    private_decay,
    selection_size,
)
from pac_stability.papers.bun_livni_moran.formulas.generalization import FrequentOutputLoss
from pac_stability.papers.bun_livni_moran.formulas.sharper_release import least_runs
from pac_stability.papers.bun_livni_moran.formulas.stability import GlobalStabilityParameters


@dataclass(frozen=True, slots=True, repr=False)
class PrivateFromStable(Tabled):
    """The sizes of algorithm M over any globally stable learner G, with explicit constants.

    Parameters
    ----------
    run_size
        m, the sample size of G, at least 1.
    eta
        The frequency of its stable output; above 0, at most 1.
    alpha, beta
        M has loss at most alpha with probability at least 1 - beta; above 0 and below 1.
    epsilon, delta
        What M may spend on privacy, for one example replaced; epsilon is above 0, delta above 0 and
        below 1.
    constants
        Printed and proved are the same: the steps of the theorem, with the constants of the notes.
        Sharp: exact tails in place of Chernoff's bounds, see there.
    loss
        The loss of the stable output, at most, if it is not alpha/2: above 0 and below alpha where
        the constants are sharp, and otherwise up to alpha/2.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Fewer than eta k / 2 of the runs have the stable output with probability at most ``exp(-eta k /
    8) <= beta/2`` (Chernoff). Otherwise its noisy count is at least ``eta k / 2 - A >= 3 eta k /
    8``, and it is released. What is released occurs at least ``3 eta k / 8 - A >= eta k / 4``
    times, so at most 4/eta outputs are. From these the generic learner chooses one of loss alpha,
    but for a probability of beta/2. An example belongs to one run of G or to the choice, so that M
    spends the larger of what its two stages spend.

    Where this differs from the printed proof: a histogram with bounded noise never fails, and needs
    no logarithm of 1/epsilon; both stages spend all of epsilon, as they see disjoint data; of the
    frequencies of outputs only that of the stable one is estimated, since for *all* outputs k would
    have to be of order 1/eta^2; and the list is cut at 3 eta / 8.

    *Sharp.* The count of the stable output is binomial, and it is released when its noisy count is
    at least A + 2, the least that privacy asks for. So k is the least number of runs with which
    that fails with probability at most ``beta (1 - 2**-j)``
    (:func:`~pac_stability.papers.bun_livni_moran.formulas.least_runs`). What is released occurs
    twice at least, so at most k/2 outputs are, and the choice is left ``beta 2**-j``
    (:func:`~pac_stability.papers.bun_livni_moran.formulas.choice.selection_size`). The best j from
    1 to 8 is taken; or the sizes above, where the loss is at most alpha/2 and they are fewer. So
    the sharp size is never above the proved one.

    Source: BLM20 Theorem 17 and Lemmas 15 and 16.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> asked = 520, Fraction(1, 8), Fraction(1, 4), tenth, Epsilon(1.0), millionth
    >>> for constants in ("proved", "sharp"):
    ...     M = PrivateFromStable(*asked, constants)
    ...     print(M.noise, M.runs, M.cutoff, M.list_size, M.choice_size, M.sample_size)
    27 1728 81 32 2261 900821
    27 292 29 146 560 152400
    """

    _kind: ClassVar[str] = "a private learner"

    run_size: int
    eta: Fraction
    alpha: Fraction
    beta: Fraction
    epsilon: Epsilon
    delta: Fraction
    constants: ConstantsLike = Constants.SHARP
    loss: Fraction | None = None

    def __post_init__(self) -> None:
        sharp = as_constants(self.constants) is Constants.SHARP
        object.__setattr__(self, "constants", Constants.SHARP if sharp else Constants.PROVED)
        object.__setattr__(self, "run_size", as_size(self.run_size, "run_size", least=1))
        object.__setattr__(self, "eta", as_open_unit(self.eta, "eta", most=True))
        object.__setattr__(self, "alpha", as_open_unit(self.alpha, "alpha"))
        object.__setattr__(self, "beta", as_open_unit(self.beta, "beta"))
        object.__setattr__(self, "delta", as_open_unit(self.delta, "delta"))
        require_epsilon(self.epsilon)
        private_decay(self.epsilon)
        if self.loss is not None:
            loss = as_open_unit(self.loss, "loss")
            if not (loss < self.alpha if sharp else 2 * loss <= self.alpha):
                wanted = "below alpha" if sharp else "at most alpha/2"
                raise InvalidInput("loss", in_words(loss), wanted)
            object.__setattr__(self, "loss", loss)

    @property
    def noise(self) -> int:
        """A, the largest noise of the histogram: of order log(1/delta) / epsilon."""
        return _bounded_noise(self.epsilon, self.delta).truncation

    @property
    def runs(self) -> int:
        """k, how often G is run: sharp, the least; else Chernoff's, and ``8 A / eta``."""
        if self.constants == Constants.SHARP:
            return _stages(self).runs
        factor = 8 / self.eta
        chernoff = certified_ceiling(lambda bits: Interval.log(2 / self.beta, bits) * factor)
        return max(chernoff, math.ceil(factor * self.noise))

    @property
    def cutoff(self) -> int:
        """The least noisy count that is released, ``ceil(3 eta k / 8)``; sharp, A + 2.

        As A is at least 1 and ``eta k`` at least 8 A, it is at least ``A + 2``, as privacy asks.
        """
        if self.constants == Constants.SHARP:
            return _stages(self).cutoff
        return math.ceil(3 * self.eta * self.runs / 8)

    @property
    def histogram(self) -> StableHistogram:
        """The stable histogram of the outputs, which releases from :attr:`cutoff` on."""
        private = _bounded_noise(self.epsilon, self.delta)
        return StableHistogram(private.decay, private.truncation, self.cutoff)

    @property
    def decay(self) -> Fraction:
        """What an error multiplies the weight by in the choice; at least e^(-epsilon/2)."""
        return private_decay(self.epsilon)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of M, at most the (epsilon, delta) asked for.

        The choice has the decay of the histogram, and spends the same epsilon on other examples.
        """
        return self.histogram.guarantee

    @property
    def list_size(self) -> int:
        """How many outputs can be released at most: those of frequency eta/4; sharp, k/2."""
        if self.constants == Constants.SHARP:
            return _stages(self).list_size
        return math.floor(4 / self.eta)

    @property
    def choice_size(self) -> int:
        """n', the examples for the choice from the list: Lemma 16 with alpha/2 and beta/2."""
        if self.constants == Constants.SHARP:
            return _stages(self).choice_size
        return generic_size(self.list_size, self.alpha / 2, self.beta / 2, self.decay)

    @property
    def sample_size(self) -> int:
        """The sample size, ``k m + n'``."""
        return self.runs * self.run_size + self.choice_size


HALVINGS = 8
"""The choice is left ``beta 2**-j``, for some j from 1 to this."""


class _Stages(NamedTuple):
    """What the two stages of M take, and how many outputs are between them."""

    runs: int
    cutoff: int
    list_size: int
    choice_size: int


@lru_cache(maxsize=1024)
def _stages(M: PrivateFromStable) -> _Stages:
    """The sharp stages: the best of a fixed list of divisions of beta, so that less never grows."""
    histogram = _bounded_noise(M.epsilon, M.delta)
    loss = M.alpha / 2 if M.loss is None else M.loss
    found = []
    for j in range(1, HALVINGS + 1):
        rest = M.beta / 2**j
        runs = least_runs(M.eta, histogram, M.beta - rest)
        listed = runs // (histogram.threshold - histogram.truncation)
        chosen = selection_size(listed - 1, M.alpha, loss, rest, M.decay)
        found.append(_Stages(runs, histogram.threshold, listed, chosen))
    if 2 * loss <= M.alpha:
        own = replace(M, constants=Constants.PROVED, loss=None)
        found.append(_Stages(own.runs, own.cutoff, own.list_size, own.choice_size))
    return min(found, key=lambda stages: stages.runs * M.run_size + stages.choice_size)


@lru_cache(maxsize=64)
def _bounded_noise(epsilon: Epsilon, delta: Fraction) -> StableHistogram:
    # Nearly all sizes ask for it.
    return StableHistogram.from_privacy(epsilon, delta)


@dataclass(frozen=True, slots=True, repr=False)
class PrivateLearnerSizes(Tabled):
    """Theorem 1 with explicit constants: algorithm M over algorithm G.

    Parameters
    ----------
    dimension
        d, at least 1.
    alpha, beta, epsilon, delta
        As for :class:`PrivateFromStable`.
    constants
        Printed: 2^-d for the frequency of Lemma 12, which is proved for d = 1 only. Proved: the
        frequency that is proved. Sharp: what is proved of the same algorithm, with the law of the
        number of draws and exact tails. Privacy holds with any.

    Notes
    -----
    For alpha = 1/4, beta = 1/10, epsilon = 1 and delta = 10^-6:

    ==  ==============  =======================  =============
    d   printed         proved                   sharp
    ==  ==============  =======================  =============
    1   900,821         900,821                  4,458
    2   42,552,849      448,250,361              106,539
    3   1,359,289,132   1,005,781,919,844        5,973,260
    4   36,239,895,603  580,081,123,543,368,521  6,977,202,751
    ==  ==============  =======================  =============

    Sharp sizes divide alpha, too: the loss of the stable output is the best of a fixed list of
    parts of alpha, where the others take alpha/2.

    Source: BLM20 Theorem 1 and Section VI.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> for constants in ("proved", "sharp"):
    ...     n = PrivateLearnerSizes(2, Fraction(1, 4), tenth, Epsilon(1.0), millionth, constants)
    ...     print(n.stable.sample_size, n.private.runs, n.private.choice_size, n.sample_size)
    34587 12960 2841 448250361
    63 1489 12732 106539
    """

    dimension: int
    alpha: Fraction
    beta: Fraction
    epsilon: Epsilon
    delta: Fraction
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        G = GlobalStabilityParameters(self.dimension, Fraction(1), self.constants)
        checked = PrivateFromStable(1, G.eta, self.alpha, self.beta, self.epsilon, self.delta)
        object.__setattr__(self, "dimension", G.dimension)
        object.__setattr__(self, "constants", G.constants)
        for name in ("alpha", "beta", "delta"):
            object.__setattr__(self, name, getattr(checked, name))

    @property
    def stable(self) -> GlobalStabilityParameters:
        """Algorithm G, for alpha/2; sharp, for the best part of alpha."""
        if self.constants == Constants.SHARP:
            return _best_stable(self)
        return GlobalStabilityParameters(self.dimension, self.alpha / 2, self.constants)

    @property
    def private(self) -> PrivateFromStable:
        """Algorithm M over it."""
        G = self.stable
        return PrivateFromStable(
            G.sample_size,
            G.eta,
            self.alpha,
            self.beta,
            self.epsilon,
            self.delta,
            self.constants,
            G.alpha if self.constants == Constants.SHARP else None,
        )

    @property
    def sample_size(self) -> int:
        """The sample size."""
        return self.private.sample_size


PARTS = tuple(Fraction(i, 128) for i in (*range(16, 128, 4), 126, 127))
"""The parts of alpha that the loss of the stable output may have: a fixed list."""

_GRID = 1 << 64


@lru_cache(maxsize=256)
def _best_stable(asked: PrivateLearnerSizes) -> GlobalStabilityParameters:
    """Return algorithm G for the part of alpha with which M is smallest."""
    found: list[tuple[int, Fraction, GlobalStabilityParameters]] = []
    runs = 0
    for part in reversed(PARTS):
        G = _tightened(GlobalStabilityParameters(asked.dimension, part * asked.alpha))
        if found and runs * G.sample_size > found[0][0]:
            continue
        over = PrivateFromStable(
            G.sample_size,
            G.eta,
            asked.alpha,
            asked.beta,
            asked.epsilon,
            asked.delta,
            loss=G.alpha,
        )
        # Whatever beta is left for the choice, and whatever the part, so many runs are needed.
        runs = least_runs(G.eta, _bounded_noise(asked.epsilon, asked.delta), asked.beta)
        found = [min([*found, (over.sample_size, part, G)], key=lambda each: each[:2])]
    return found[0][2]


def _tightened(G: GlobalStabilityParameters) -> GlobalStabilityParameters:
    """Return G for the least loss, on a grid, that its n is enough for."""
    loss = least_loss(G.threshold.value, G.n)
    return replace(G, alpha=loss) if loss < G.alpha else G


def least_loss(tau: Fraction, n: int) -> Fraction:
    """Return the loss of an output of frequency tau that fits n fresh examples, on a grid.

    Parameters
    ----------
    tau
        The frequency, at least.
    n
        How many examples each output fits.

    Examples
    --------
    >>> round(float(least_loss(Fraction(1, 2), 4)), 6)
    0.159104
    """
    least = FrequentOutputLoss(tau, n).sharp().upper
    return Fraction(math.ceil(least * _GRID), _GRID)
