"""Corollary 2 with a promise: how many examples until the excess is small, surely enough."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_open_unit, as_size, in_words
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import FiniteClass
from pac_stability.classes.required import require_inhabited
from pac_stability.dimensions import littlestone_dimension, vc_dimension
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, subsampling_amplification
from pac_stability.papers.bun_livni_moran.agnostic.accuracy import (
    GHOSTS,
    Richness,
    choice_failure,
    transfer_failure,
)
from pac_stability.papers.bun_livni_moran.agnostic.sizes import (
    least_population,
    relabelling_guarantee,
)
from pac_stability.papers.bun_livni_moran.formulas import ByLevelSizes
from pac_stability.papers.bun_livni_moran.formulas.by_level import float_sample_size


@dataclass(frozen=True, slots=True, repr=False)
class AgnosticPromise(Tabled):
    """The sizes with which the agnostic learner over M by level keeps a promise, on every target.

    With probability at least 1 - beta over the sample and all coins, the output has a loss of at
    most alpha more than the least in the class; and the learner is (epsilon, delta)-private for one
    example replaced.

    Parameters
    ----------
    dimension
        d, at least 1.
    vc_dimension
        The VC dimension, from 1 to d.
    alpha, beta
        The excess, and how likely it may be larger; above 0 and below 1.
    epsilon, delta
        What *all* may spend; above 0, delta below 1.
    hypotheses
        How many hypotheses there are, if that is known: in large samples there are no more
        patterns.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    A random part of the n examples, in random order, is D; it has N = ``ratio`` m examples. A
    pattern of H on D is drawn, with weight r to the power of its errors; D is relabelled by it, and
    M, with a number of runs for each level (:class:`ByLevelSizes`), runs on m draws from D with
    replacement. There is no second half: that serves the proof of the
    source only, which goes through privacy, and has n delta in its confidence. Let h have the
    pattern that is drawn, and let f be the output.

    1. h has an excess of at most a, but for a probability of beta/32
       (:func:`~pac_stability.papers.bun_livni_moran.agnostic.accuracy.choice_failure`).
    2. f and h differ on at most a part alpha_0 of D, but for 15 beta/16: that is M's promise, on
       draws from a distribution that h fits.
    3. Then they differ at a fresh point with probability at most alpha_1, but for beta/32, as f is
       made from m of the N examples
       (:func:`~pac_stability.papers.bun_livni_moran.agnostic.accuracy.transfer_failure`).

    The excess of f is at most that of h and how often they differ, ``a + alpha_1 = alpha``. So
    delta is as small as one likes, as BLM20 Corollary 2 has it.

    Privacy: see :class:`AgnosticPrivateLearner`, and
    :func:`~pac_stability.mechanisms.subsampling_amplification` for the part.

    M's epsilon, alpha_0, the ratio and r are tuned together, in floating point, over fixed lists;
    what is found is then certified. d is at most 8, as for :class:`ByLevelSizes`.

    Source: BLM20 Corollary 2; the proof is ours.

    Examples
    --------
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> asked = AgnosticPromise(1, 1, Fraction(1, 4), tenth, Epsilon(1), millionth)
    >>> asked.base.sample_size, asked.ratio, asked.part_size, asked.sample_size
    (3427, 4, 13708, 32096)
    >>> spent = asked.guarantee
    >>> spent.epsilon <= asked.epsilon, spent.delta <= asked.delta
    (True, True)
    """

    dimension: int
    vc_dimension: int
    alpha: Fraction
    beta: Fraction
    epsilon: Epsilon
    delta: Fraction
    hypotheses: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimension", as_size(self.dimension, "dimension", least=1))
        rich = self.richness
        if not 1 <= rich.vc_dimension <= self.dimension:
            wanted = f"from 1 to the dimension, {self.dimension}"
            raise InvalidInput("vc_dimension", in_words(rich.vc_dimension), wanted)
        object.__setattr__(self, "vc_dimension", rich.vc_dimension)
        least = 1 << self.dimension
        if rich.hypotheses is not None and rich.hypotheses < least:
            given = in_words(rich.hypotheses)
            raise InvalidInput("hypotheses", given, f"at least {least}, for this dimension")
        object.__setattr__(self, "hypotheses", rich.hypotheses)
        for name in ("alpha", "beta", "delta"):
            object.__setattr__(self, name, as_open_unit(getattr(self, name), name))
        object.__setattr__(self, "epsilon", as_positive_epsilon(self.epsilon))

    @property
    def richness(self) -> Richness:
        """How many patterns the class can have."""
        return Richness(self.vc_dimension, self.hypotheses)

    @property
    def base(self) -> ByLevelSizes:
        """M, with its promise on the relabelled D: its alpha is alpha_0."""
        return _tuned(self).base

    @property
    def ratio(self) -> int:
        """How many times larger than M's sample D is."""
        return _tuned(self).ratio

    @property
    def decay(self) -> Fraction:
        """r, what an error of a pattern on D multiplies its weight by."""
        return _tuned(self).decay

    @property
    def excess(self) -> Fraction:
        """a, the excess of the hypothesis that relabels D."""
        return _tuned(self).excess

    @property
    def apart(self) -> Fraction:
        """alpha_1, how likely the output differs from it at a fresh point: ``alpha - a``."""
        return self.alpha - self.excess

    @property
    def part_size(self) -> int:
        """N, the examples of D: a random part of the sample."""
        return self.ratio * self.base.sample_size

    @property
    def sample_size(self) -> int:
        """The size n of the sample."""
        return _population(self, _tuned(self))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of all, at most the (epsilon, delta) asked for."""
        return _spent(self, _tuned(self))


def agnostic_promise(
    H: FiniteClass,
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
) -> AgnosticPromise:
    """Return how many examples the agnostic learner takes: see :class:`AgnosticPromise`.

    Parameters
    ----------
    H
        The class, of Littlestone dimension at least 1.
    alpha, beta, epsilon, delta
        As for :class:`AgnosticPromise`.

    Raises
    ------
    InvalidInput
        The class has dimension 0: its one hypothesis needs no learner; or a parameter is out of
        range.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> agnostic_promise(singletons(8), "1/4", "1/10", 1, "1/1000000").sample_size
    25195
    """
    require_inhabited(H)
    dimension = littlestone_dimension(H)
    if dimension < 1:
        given = f"a class of Littlestone dimension {dimension}"
        raise InvalidInput("H", given, "one of dimension at least 1")
    return AgnosticPromise(
        dimension,
        vc_dimension(H),
        as_open_unit(alpha, "alpha"),
        as_open_unit(beta, "beta"),
        as_positive_epsilon(epsilon),
        as_open_unit(delta, "delta"),
        len(H),
    )


class _Sizes(NamedTuple):
    """What is tuned."""

    base: ByLevelSizes
    ratio: int
    decay: Fraction
    excess: Fraction


_BUDGETS = tuple(Fraction(i, 8) for i in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32))
"""The epsilons that M may have."""

_ACCURACIES = tuple(Fraction(i, 32) for i in range(4, 31, 2))
"""The parts of alpha that M's alpha may be."""

_RATIOS = (*range(2, 9), *(i << j for j in range(1, 24) for i in (5, 6, 7, 8)))
_DECAYS = tuple(1 - Fraction(1, 2**j) for j in range(1, 11))
_GRID = 1 << 20
_LEFT = 32
"""Steps 1 and 3 may each fail with one part in so many of beta."""

_ENOUGH = 1 + 2**-20


@lru_cache(maxsize=256)
def _tuned(asked: AgnosticPromise) -> _Sizes:
    """Climb in M's epsilon and alpha, with the best ratio and decay for each; then certify."""
    seen: dict[tuple[int, int], tuple[float, _Sizes]] = {}  # with about as many examples for M

    def cost(place: tuple[int, int]) -> float:
        if place not in seen:
            M = _base(asked, _BUDGETS[place[0]], _ACCURACIES[place[1]])
            seen[place] = _fitted(asked, M, math.ceil(float_sample_size(M)))
        return seen[place][0]

    best, better = None, (_BUDGETS.index(Fraction(3, 4)), _ACCURACIES.index(Fraction(1, 2)))
    while better != best:
        best = better
        beside = [(best[0] + i, best[1] + j) for i, j in product((0, -1, 1), repeat=2)]
        inside = [p for p in beside if 0 <= p[0] < len(_BUDGETS) and 0 <= p[1] < len(_ACCURACIES)]
        better = min(inside, key=cost)  # the place itself is the first
    budget, accuracy = _BUDGETS[better[0]], _ACCURACIES[better[1]]

    def certified(times: Fraction) -> _Sizes:
        M = _base(asked, budget, accuracy, times)
        return _certified(asked, _fitted(asked, M, M.sample_size)[1])

    found = certified(Fraction(1))
    # M's delta shrinks by the resampling and in the part, so that it may be larger than asked.
    times = asked.delta / _spent(asked, found).delta
    while times > 1:
        times = Fraction(math.floor(8 * times), 8)
        wider = certified(times)
        if _spent(asked, wider).delta <= asked.delta:
            return min(found, wider, key=lambda sizes: _population(asked, sizes))
        times = times * 15 / 16
    return found


def _base(
    asked: AgnosticPromise, budget: Fraction, accuracy: Fraction, times: Fraction = Fraction(1)
) -> ByLevelSizes:
    """Return M with an epsilon, a part of alpha, and so many times delta."""
    return ByLevelSizes(
        asked.dimension,
        asked.alpha * accuracy,
        asked.beta * (1 - Fraction(2, _LEFT)),
        Epsilon(budget),
        min(asked.delta * times, Fraction(1, 2)),
    )


def _fitted(asked: AgnosticPromise, M: ByLevelSizes, m: int) -> tuple[float, _Sizes]:
    """Return the best ratio and decay for M on m examples, and about how many that takes."""
    t, goal = float(M.epsilon.ratio), float(asked.epsilon.ratio) - 1
    least: tuple[float, _Sizes] | None = None
    for ratio in _RATIOS:
        N = ratio * m
        if (t - 1) / ratio > math.log(t):  # resampling would not be better than group privacy
            continue
        if least is not None and least[0] < N:
            break
        for excess, decay in _choices(asked, N):
            apart = float(asked.alpha - excess)
            if not _carries_over(asked, N, m, float(M.alpha), apart):
                continue
            factor = float(1 + 1 / decay) ** 2 * math.exp((t - 1) / ratio)
            n = max(N, N * (factor - 1) / goal)
            if least is None or n < least[0]:
                least = n, _Sizes(M, ratio, decay, excess)
    if least is None:
        raise InvalidInput("alpha", str(asked.alpha), "a number that some ratio is enough for")
    return least


def _choices(asked: AgnosticPromise, N: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Give the least excess of the choice for N examples with a decay, by either bound."""
    left = math.log(_LEFT / asked.beta) * _ENOUGH
    bounds: list[tuple[float, float]] = []
    if asked.hypotheses is not None:
        square = 1 - math.exp(-2 * (math.log(asked.hypotheses - 1) + left) / N)
        a = math.sqrt(square)
        bounds.append((a, math.sqrt((1 - a) / (1 + a))))
    for times in GHOSTS:
        share = times / (times + 1)
        above = math.sqrt(2 * (math.log(2) + _log_patterns(asked, (times + 1) * N) + left) / N)
        a = above / share + math.sqrt(2 * math.log(2) / (times * N))
        bounds.append((a, math.exp(-above * share)))
    for a, largest in bounds:
        excess = Fraction(math.ceil(a * _ENOUGH * _GRID), _GRID)
        decays = [r for r in _DECAYS if r <= largest]
        if decays and excess < asked.alpha:
            yield excess, decays[-1]


def _carries_over(asked: AgnosticPromise, N: int, m: int, on_D: float, apart: float) -> bool:
    """Whether step 3 is likely enough, in floating point."""
    left = math.log(_LEFT / asked.beta) * _ENOUGH
    seen, fresh = on_D * N / (N - m), N - m

    def enough(mean: float, log_count: float) -> bool:
        if not seen < mean < 1:
            return False
        entropy = seen * math.log(seen / mean) + (1 - seen) * math.log((1 - seen) / (1 - mean))
        return entropy * fresh > log_count + left

    if asked.hypotheses is not None and enough(apart, math.log(asked.hypotheses)):
        return True
    return any(
        enough(
            (apart * times * N - 1 + on_D * N) / (fresh + times * N),
            math.log(2) + _log_patterns(asked, (times + 1) * N),
        )
        for times in GHOSTS
    )


def _log_patterns(asked: AgnosticPromise, points: int) -> float:
    vc = asked.vc_dimension
    most = vc * (1 + math.log(points / vc))
    return most if asked.hypotheses is None else min(most, math.log(asked.hypotheses))


def _certified(asked: AgnosticPromise, sizes: _Sizes) -> _Sizes:
    """Return the sizes with the least ratio, from the given one on, that is certainly enough."""
    while not _is_enough(asked, sizes):
        sizes = sizes._replace(ratio=sizes.ratio + 1)
    return sizes


def _is_enough(asked: AgnosticPromise, sizes: _Sizes) -> bool:
    m, left = sizes.base.sample_size, Interval.log(asked.beta / _LEFT)
    N, rich = sizes.ratio * m, asked.richness
    choice = choice_failure(N, rich, sizes.decay, sizes.excess)
    apart = asked.alpha - sizes.excess
    transfer = transfer_failure(N, m, rich, sizes.base.alpha, apart)
    return max(choice.upper, transfer.upper) <= left.lower


def _of_part(sizes: _Sizes) -> PrivacyGuarantee:
    M = sizes.base
    m = M.sample_size
    return relabelling_guarantee(M.guarantee, m, sizes.ratio * m, sizes.decay)


def _population(asked: AgnosticPromise, sizes: _Sizes) -> int:
    part = sizes.ratio * sizes.base.sample_size
    return least_population(part, _of_part(sizes), asked.epsilon)


def _spent(asked: AgnosticPromise, sizes: _Sizes) -> PrivacyGuarantee:
    part = sizes.ratio * sizes.base.sample_size
    return subsampling_amplification(_of_part(sizes), part, _population(asked, sizes))
