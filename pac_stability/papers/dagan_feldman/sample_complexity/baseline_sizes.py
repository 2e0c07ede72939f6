"""Sizes of the learners that the paper compares its own with, and all of them side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import ceil
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias, TypeVar, Unpack

from pac_stability import arguments
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, EpsilonLike, as_constants
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman import baselines
from pac_stability.papers.dagan_feldman.sample_complexity import (
    asking,
    lemma_sizes,
    private_prediction_sizes,
)
from pac_stability.papers.dagan_feldman.sample_complexity.stable_sizes import corollary_2, theorem_1

Setting: TypeAlias = Literal["agnostic", "realizable"]
"""Whether labels are arbitrary, or those of some hypothesis."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DisjointAverageSize(asking.Size[baselines.DisjointAverage]):
    """The sample size of the average over disjoint parts.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple[Share, ...]
        The division of alpha, beta and gamma.
    blocks : int
        k, the number of parts.
    block_size : int
        The number of examples in each part: floor(n/k).
    """

    blocks: int
    block_size: int

    def _made(self, H: Family) -> baselines.DisjointAverage:
        return baselines.DisjointAverage(H, self.blocks, self.sample_size)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SubsetAverageSize(asking.Size[baselines.SubsetAverage]):
    """The sample size of the average over all subsets of a size.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple[Share, ...]
        The division of alpha, beta and gamma.
    subset_size : int
        m, the size of the random subset.
    """

    subset_size: int

    def _made(self, H: Family) -> baselines.SubsetAverage:
        return baselines.SubsetAverage(H, self.subset_size, self.sample_size)


@cache
def _row() -> tuple[asking.Split, ...]:
    return tuple(
        asking.Split(parts=1 - part, deviation=part) for part in asking.shares(finest=10, parts=64)
    )


@cache
def _noisy_rows() -> tuple[tuple[asking.Split, ...], ...]:
    parts = tuple(asking.shares(finest=10, parts=16))
    return tuple(
        tuple(asking.Split(parts=a * (1 - part), deviation=a * part, noise=1 - a) for part in parts)
        for a in (1 - noise for noise in asking.shares(finest=6, parts=16))
    )


@asking.size_of
def disjoint_average_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    gamma: AnyNumber,
    vc_dimension: int,
    *,
    setting: Setting = "agnostic",
    **known: Unpack[asking.OfClass],
) -> DisjointAverageSize:
    """Return the sample size of the average over disjoint parts.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    gamma
        The uniform stability: there are ``ceil(1/gamma)`` parts, for 1/k is that of k parts.
    vc_dimension
        d, at least 1.
    setting
        ``"agnostic"``, for empirical risk minimisers of the parts, or ``"realizable"``, for
        hypotheses that are consistent with them.
    constants
        Printed: each part is enough by itself, with probability 1 - beta/k, by the bounds of
        Shalev-Shwartz and Ben-David. Proved: the same, by the bounds of this library. Sharp: the
        mean deviates less than the parts do, where that takes fewer examples; when realizable, as
        proved.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    DisjointAverageSize
        The order is ``d / (gamma alpha**2)``, and ``d / (gamma alpha)`` when realizable, up to
        logarithms.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Agnostic and sharp: with parts of m examples the mean of their largest deviations has an
    expectation of at most ``sqrt(2 ln tau_m / m)`` and changes by at most 2/n with one example. It
    is at most ``a1 + a2`` when ``m >= 2 ln tau_m / a1**2`` and ``k floor(n/k) >= 2 ln(1/beta) /
    a2**2``, for which ``n >= k - 1`` and more is enough.

    The learner is that of Shalev-Shwartz, Shamir, Srebro and Sridharan, *Learnability, stability
    and uniform convergence*, 2010.

    Examples
    --------
    >>> disjoint_average_size("1/10", "1/10", "1/10", 1).sample_size
    21570
    >>> disjoint_average_size("1/10", "1/10", "1/10", 1, setting="realizable").sample_size
    1320
    """
    realizable = _is_realizable(setting)
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, gamma=gamma, **known)
    a, b, tau, k = ask.alpha, ask.beta, ask.patterns, ceil(1 / ask.stability)
    if realizable or ask.constants is not Constants.SHARP:
        m = (_consistent_size if realizable else _minimiser)(ask, a, b / k)
        step = "blocks" if realizable else "deviation, to and fro"
        budget = (asking.Share("alpha", step, a), asking.Share("beta", "one block", b / k))
        return DisjointAverageSize(k * m, "blocks", ask.constants, budget, blocks=k, block_size=m)

    def conditions(split: asking.Split, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        m = _mean_block_size(tau, -(-n // k), split.parts * a, ceiling)
        yield "blocks", k * m
        yield "deviation", k - 1 + _deviation_size(split.deviation * a, b, ceiling)

    n, split, binding = asking.solved(conditions, [_row()])
    together = DisjointAverageSize(
        n, binding, ask.constants, _budget(split, a, b), blocks=k, block_size=n // k
    )
    if tau.class_size is None:
        return together
    return _smaller(together, disjoint_average_size(a, b, gamma, vc_dimension, **_proved(known)))


@asking.size_of
def subset_average_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    gamma: AnyNumber,
    vc_dimension: int,
    *,
    setting: Setting = "agnostic",
    **known: Unpack[asking.OfClass],
) -> SubsetAverageSize:
    """Return the sample size of the average over all subsets of a size.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    gamma
        The uniform stability: a subset of m examples among n is m/n-stable.
    vc_dimension
        d, at least 1.
    setting
        As for :func:`disjoint_average_size`.
    constants
        Printed: a subset is enough by itself with probability ``1 - alpha beta / 2``, so that
        Markov's inequality leaves alpha/2 for those that are not. Proved: the same, by the bounds
        of this library. Sharp: the mean over subsets deviates less than they do; when realizable,
        as proved.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    SubsetAverageSize
        The order is as there.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    As for disjoint parts, with ``n >= m/gamma``: replacing an example changes the deviation of the
    m/n-th part of all subsets by 2/m, so that of the mean by 2/n.

    Examples
    --------
    >>> subset_average_size("1/10", "1/10", "1/10", 1).sample_size
    21570
    """
    realizable = _is_realizable(setting)
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, gamma=gamma, **known)
    a, b, g, tau = ask.alpha, ask.beta, ask.stability, ask.patterns
    if realizable or ask.constants is not Constants.SHARP:
        budget = (
            asking.Share("alpha", "subset", a / 2),
            asking.Share("alpha", "failure of the subset", a / 2),
            asking.Share("beta", "subset, on average", a * b / 2),
        )
        m = (_consistent_size if realizable else _minimiser)(ask, a / 2, a * b / 2)
        return SubsetAverageSize(ceil(m / g), "subset", ask.constants, budget, subset_size=m)

    def conditions(split: asking.Split, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        m = _mean_block_size(tau, int(n * g), split.parts * a, ceiling)
        yield "subset", ceil(m / g)
        yield "deviation", _deviation_size(split.deviation * a, b, ceiling)

    n, split, binding = asking.solved(conditions, [_row()])
    together = SubsetAverageSize(
        n, binding, ask.constants, _budget(split, a, b), subset_size=int(n * g)
    )
    if tau.class_size is None:
        return together
    return _smaller(together, subset_average_size(a, b, g, vc_dimension, **_proved(known)))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AggregationSize(asking.Size[baselines.DworkFeldmanAggregation]):
    """The sample size of the aggregation of Dwork and Feldman.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple[Share, ...]
        The division of alpha, beta and gamma.
    blocks : int
        r, the number of disjoint parts.
    epsilon : Epsilon
        The privacy parameter of the noisy mean.
    """

    blocks: int
    epsilon: Epsilon

    def _made(self, H: Family) -> baselines.DworkFeldmanAggregation:
        return baselines.DworkFeldmanAggregation(H, self.blocks, self.epsilon, self.sample_size)


@asking.size_of
def aggregation_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: EpsilonLike,
    vc_dimension: int,
    **known: Unpack[asking.OfClass],
) -> AggregationSize:
    """Return the sample size of the noisy mean of agnostic learners on disjoint parts.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    epsilon
        The privacy of each prediction, above 0: a number, or an ``Epsilon``.
    vc_dimension
        d, at least 1.
    constants
        Printed: half of alpha for a noise that costs up to ``1 / (r epsilon)``, and half for parts
        that are each enough with probability 1 - beta/r. Proved: the same halves, by our bounds,
        with the exact cost of the noise. Sharp: with it, as for :func:`disjoint_average_size`.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    AggregationSize
        The order is ``d / (epsilon alpha**3)``, up to logarithms.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The noise is the two-sided geometric one with the decay ``q = e**-epsilon``, clamped; it costs
    at most ``q / ((1 - q**2) r)``, which is below ``1 / (2 r epsilon)``. The learner is that of
    Dwork and Feldman, *Privacy-preserving prediction*, 2018.

    Examples
    --------
    >>> aggregation_size("1/10", "1/20", 1, 1).sample_size
    68976
    """
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, epsilon=epsilon, **known)
    a, b, eps, tau = ask.alpha, ask.beta, ask.privacy, ask.patterns
    q = asking.rounded_up_decay(1 / eps.ratio)
    cost = q / (1 - q**2)

    def blocks_for(noise: Fraction) -> int:
        def printed(real: asking.Reals[asking.R]) -> asking.R:
            return real.exactly(1 / noise) / real.log(eps.ratio)

        return asking.certified_ceiling(printed) if ask.printed else ceil(cost / noise)

    def conditions(split: asking.Split, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        r = blocks_for(split.noise * a)
        yield "deviation", r - 1 + _deviation_size(split.deviation * a, b, ceiling)
        yield "blocks", r * _mean_block_size(tau, -(-n // r), split.parts * a, ceiling)

    if ask.constants is Constants.SHARP:
        n, split, binding = asking.solved(conditions, _noisy_rows())
        r, budget = blocks_for(split.noise * a), _budget(split, a, b)
    else:
        r, binding = blocks_for(a / 2), "blocks"
        n = r * _minimiser(ask, a / 2, b / r)
        budget = (
            asking.Share("alpha", "noise", a / 2),
            asking.Share("alpha", "deviation, to and fro", a / 2),
            asking.Share("beta", "one block", b / r),
        )
    found = AggregationSize(n, binding, ask.constants, budget, blocks=r, epsilon=eps)
    if ask.constants is not Constants.SHARP or tau.class_size is None:
        return found
    return _smaller(found, aggregation_size(a, b, eps, vc_dimension, **_proved(known)))


_S = TypeVar("_S", bound=asking.Size[object])


def _proved(known: asking.OfClass) -> asking.OfClass:
    return {**known, "constants": Constants.PROVED}


def _smaller(together: _S, alone: _S) -> _S:
    """Return the sharp size: that by which the mean deviates little, or each part by itself.

    The second can be smaller for a finite class, of which union bounds know more.
    """
    if together.sample_size <= alone.sample_size:
        return together
    return replace(alone, constants=Constants.SHARP)


def threshold_scan_size(alpha: AnyNumber, epsilon: EpsilonLike) -> asking.LeastSize:
    """Return the sample size of the private learner of Dwork and Feldman for thresholds.

    Parameters
    ----------
    alpha
        Above 0 and below 1.
    epsilon
        The privacy of each prediction, above 0: a number, or an ``Epsilon``.

    Returns
    -------
    LeastSize
        The least n with ``n >= 12 ln(2/alpha) / (alpha epsilon)``. The *expected* loss is then at
        most ``e**epsilon (L + alpha)``, where L is the least loss of a threshold.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The constant is that of Dwork and Feldman, *Privacy-preserving prediction*, 2018; it is quoted,
    not proved here, and no other is known. The promise differs from those of the other sizes: it is
    in expectation, and with a factor on L.

    Examples
    --------
    >>> threshold_scan_size("1/10", 1).sample_size
    360
    """
    a, eps = arguments.as_open_unit(alpha, "alpha"), as_positive_epsilon(epsilon)

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return 12 * real.log(2 / a) / (real.exactly(a) * real.log(eps.ratio))

    return asking.LeastSize(asking.certified_ceiling(needed), "citation", Constants.PRINTED)


def _is_realizable(setting: str) -> bool:
    arguments.require_word(setting, "setting", ("agnostic", "realizable"))
    return setting == "realizable"


def _minimiser(ask: asking.Ask, alpha: Fraction, beta: Fraction) -> int:
    """Return how many examples are enough for an empirical risk minimiser by itself."""
    tau = ask.patterns

    def conditions(_: None, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        if ask.printed:  # all losses are accurate up to alpha/2
            yield (
                "uniform convergence",
                lemma_sizes.two_sided_size(tau(n), alpha / 2, beta, ceiling),
            )
        else:
            yield "generalisation", lemma_sizes.excess_deviation_size(tau, n, alpha, beta, ceiling)

    return asking.fixed_point(conditions, None)


def _consistent_size(ask: asking.Ask, alpha: Fraction, beta: Fraction) -> int:
    tau = ask.patterns
    if ask.printed:
        return lemma_sizes.paper_net_size(tau.vc_dimension, alpha, beta, asking.certified_ceiling)
    return lemma_sizes.drawn_net_size(tau, alpha, beta, one_target=True)[0]


def _mean_block_size(tau: asking.Growth, m: int, alpha: Fraction, ceiling: asking.Ceiling) -> int:
    """Return ``2 ln tau_m / alpha**2``, which bounds the expected deviation on m examples."""

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return 2 * real.log(tau(max(1, m))) / real.exactly(alpha**2)

    return ceiling(needed)


def _deviation_size(alpha: Fraction, beta: Fraction, ceiling: asking.Ceiling) -> int:
    """Return ``2 ln(1/beta) / alpha**2``, by McDiarmid's inequality for changes of 2/n."""

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return 2 * real.log(1 / beta) / real.exactly(alpha**2)

    return ceiling(needed)


def _budget(split: asking.Split, alpha: Fraction, beta: Fraction) -> tuple[asking.Share, ...]:
    spent = split.budget("noise", "parts", "deviation")
    return (
        *(asking.Share("alpha", step, part * alpha) for _, step, part in spent),
        asking.Share("beta", "deviation", beta),
    )


# Sizes side by side

Goal: TypeAlias = Literal["stable", "private"]


Level_contra = TypeVar("Level_contra", contravariant=True)


class _Sizing(Protocol[Level_contra]):
    def __call__(
        self,
        alpha: Fraction,
        beta: Fraction,
        level: Level_contra,
        vc_dimension: int,
        /,
        **known: Unpack[asking.OfClass],
    ) -> asking.Size[object]: ...


def _exponential(
    alpha: Fraction,
    beta: Fraction,
    level: Fraction | Epsilon,
    vc_dimension: int,
    /,
    **known: Unpack[asking.OfClass],
) -> asking.Size[object]:
    size = known.get("class_size")
    if size is None:
        raise InvalidInput("class_size", "None", "the size of the class, for 'exponential'")
    whose = known.get("constants", Constants.SHARP)
    return lemma_sizes.exponential_learner_size(
        alpha, beta, level, vc_dimension, size, constants=whose
    )


STABLE: Final[Mapping[str, _Sizing[Fraction]]] = MappingProxyType(
    {
        "theorem-1": theorem_1,
        "disjoint-average": disjoint_average_size,
        "subset-average": subset_average_size,
    }
)
"""Names of the stable learners; their level is gamma."""

PRIVATE: Final[Mapping[str, _Sizing[Fraction | Epsilon]]] = MappingProxyType(
    {
        "corollary-2": corollary_2,
        "theorem-3": private_prediction_sizes.theorem_3,
        "aggregation": aggregation_size,
        "exponential": _exponential,
    }
)
"""Names of the learners with private predictions; their level is epsilon. ``"exponential"``, whose
hypothesis is private, needs the size of the class."""


def answer(learner: str, ask: asking.Ask) -> asking.Size[object]:
    """Return the sample size of a learner for the requirements.

    Parameters
    ----------
    learner
        A name in ``STABLE``, which is asked for gamma, or in ``PRIVATE``, for epsilon.
    ask
        What is asked.

    Returns
    -------
    Size
        That of the function behind the name: :func:`theorem_1` for ``"theorem-1"``, and so on.

    Raises
    ------
    InvalidInput
        The name is unknown, or a needed argument is missing.

    Examples
    --------
    >>> ask = asking.Ask("1/10", "1/20", gamma="1/10", vc_dimension=1)
    >>> for name in STABLE:
    ...     size = answer(name, ask)
    ...     print(name, size.sample_size, size.binding, *size.parameters)
    theorem-1 8219 subset subset_size epsilon
    disjoint-average 22520 blocks blocks block_size
    subset-average 22520 subset subset_size
    """
    _named(learner)
    patterns = ask.patterns
    known: asking.OfClass = {
        "constants": ask.constants,
        "class_size": patterns.class_size,
        "growth": patterns.function,
    }
    a, b, d = ask.alpha, ask.beta, patterns.vc_dimension
    if learner in STABLE:
        return STABLE[learner](a, b, ask.stability, d, **known)
    return PRIVATE[learner](a, b, ask.privacy, d, **known)


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonRow(Tabled):
    """A learner, the requirements, and the sample size.

    Attributes
    ----------
    learner : str
        One of the names in ``STABLE`` and ``PRIVATE``.
    goal : str
        ``"stable"`` or ``"private"``.
    alpha : Fraction
        The excess loss.
    level : Fraction
        gamma, or epsilon.
    constants : Constants
        Whose constants.
    sample_size : int
        n.
    """

    learner: str
    goal: Goal
    alpha: Fraction
    level: Fraction
    constants: Constants
    sample_size: int


def compare(
    learners: Iterable[str],
    alphas: Iterable[AnyNumber],
    levels: Iterable[AnyNumber],
    *,
    beta: AnyNumber,
    vc_dimension: int,
    constants: Iterable[ConstantsLike] = tuple(Constants),
    class_size: int | None = None,
) -> tuple[ComparisonRow, ...]:
    """Return a row for each learner, alpha, level and kind of constants, in this order.

    Parameters
    ----------
    learners
        Names in ``STABLE`` or ``PRIVATE``.
    alphas
        Values of the excess loss, above 0 and below 1.
    levels
        Values of gamma for stable learners and of epsilon for private ones.
    beta
        The probability of failure.
    vc_dimension
        d, at least 1.
    constants
        Which ones: by default printed, then proved, which is the paper's accounting with the best
        lemmas, then sharp.
    class_size
        The number of hypotheses, if it is finite and known.

    Returns
    -------
    tuple of ComparisonRow
        Certified sizes, up to half a second for each.

    Raises
    ------
    InvalidInput
        A name is unknown, or a parameter out of range.

    Examples
    --------
    >>> for row in compare(["theorem-1", "disjoint-average"], ["1/10", "1/100"], ["1/10"],
    ...                       beta="1/20", vc_dimension=1, constants=["sharp"]):
    ...     print(row.learner, row.alpha, row.sample_size)
    theorem-1 1/10 8219
    theorem-1 1/100 650057
    disjoint-average 1/10 22520
    disjoint-average 1/100 3453450
    """
    alphas, levels = tuple(alphas), tuple(levels)
    kinds = tuple(as_constants(kind) for kind in constants)
    named = {learner: _named(learner) for learner in learners}
    b = arguments.as_open_unit(beta, "beta")
    return tuple(
        ComparisonRow(
            learner,
            "stable" if learner in STABLE else "private",
            a,
            level,
            kind,
            size(a, b, level, vc_dimension, constants=kind, class_size=class_size).sample_size,
        )
        for learner, size in named.items()
        for a in (arguments.as_open_unit(alpha, "alphas") for alpha in alphas)
        for level in (arguments.as_number(given, "levels") for given in levels)
        for kind in kinds
    )


def _named(learner: str) -> _Sizing[Fraction]:
    size = STABLE.get(learner) or PRIVATE.get(learner)
    if size is None:
        raise InvalidInput("learner", arguments.described(learner), f"one of {[*STABLE, *PRIVATE]}")
    return size
