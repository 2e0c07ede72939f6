"""Sizes of the learners that the paper compares its own with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Literal, TypeAlias

from pac_stability.arguments import AnyNumber, as_open_unit, require_word
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import Family
from pac_stability.papers.dagan_feldman.baselines import (
    DisjointAverage,
    DworkFeldmanAggregation,
    SubsetAverage,
)
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    Ceiling,
    R,
    Reals,
    best_split,
    binding_condition,
    certified_ceiling,
    fixed_point,
    rounded_up_decay,
    shares,
)
from pac_stability.papers.dagan_feldman.sample_complexity._growth import Growth
from pac_stability.papers.dagan_feldman.sample_complexity._parameters import (
    Constants,
    Share,
    require_constants,
)
from pac_stability.papers.dagan_feldman.sample_complexity.generalisation import (
    LeastSize,
    two_sided_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.nets import (
    drawn_net_size,
    paper_net_size,
)

Setting: TypeAlias = Literal["agnostic", "realizable"]
"""Whether labels are arbitrary, or those of some hypothesis."""


@dataclass(frozen=True, slots=True)
class DisjointAverageSize:
    """How many examples the average over disjoint parts needs.

    Attributes
    ----------
    sample_size : int
        n.
    blocks : int
        k, the number of parts.
    block_size : int
        How many examples each part has: floor(n/k).
    budget : tuple of Share
        How alpha and beta are divided.
    binding : str
        The condition that decided.
    constants : str
        ``"paper"`` or ``"sharp"``.
    """

    sample_size: int
    blocks: int
    block_size: int
    budget: tuple[Share, ...] = field(repr=False)
    binding: str
    constants: Constants

    def learner(self, H: Family) -> DisjointAverage:
        """Return the learner, which refuses samples that are too small.

        Parameters
        ----------
        H
            A class of the VC dimension (and of the size, or the growth) that was asked for.
        """
        return DisjointAverage(H, self.blocks, self.sample_size)


@dataclass(frozen=True, slots=True)
class SubsetAverageSize:
    """How many examples the average over all subsets of a size needs.

    Attributes
    ----------
    sample_size : int
        n.
    subset_size : int
        m, the size of the random subset.
    budget : tuple of Share
        How alpha and beta are divided.
    binding : str
        The condition that decided.
    constants : str
        ``"paper"`` or ``"sharp"``.
    """

    sample_size: int
    subset_size: int
    budget: tuple[Share, ...] = field(repr=False)
    binding: str
    constants: Constants

    def learner(self, H: Family) -> SubsetAverage:
        """Return the learner, which refuses samples that are too small.

        Parameters
        ----------
        H
            A class of the VC dimension (and of the size, or the growth) that was asked for.
        """
        return SubsetAverage(H, self.subset_size, self.sample_size)


@dataclass(frozen=True, slots=True)
class _Split:
    """What the parts, the deviation of their mean, and the noise may cost of alpha."""

    block: Fraction
    deviation: Fraction
    noise: Fraction = Fraction(0)


@cache
def _splits() -> tuple[_Split, ...]:
    return tuple(_Split(1 - part, part) for part in shares(finest=10, parts=64))


@cache
def _noisy_splits() -> tuple[_Split, ...]:
    return tuple(
        _Split((1 - noise) * (1 - part), (1 - noise) * part, noise)
        for noise in shares(finest=6, parts=16)
        for part in shares(finest=10, parts=16)
    )


def disjoint_average_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    gamma: AnyNumber,
    vc_dimension: int,
    *,
    setting: Setting = "agnostic",
    constants: Constants = "sharp",
    class_size: int | None = None,
    growth: Callable[[int], int] | None = None,
) -> DisjointAverageSize:
    """Return how many examples the average over disjoint parts needs.

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
        ``"paper"``: each part is enough by itself, with probability 1 - beta/k, by the bounds of
        Shalev-Shwartz and Ben-David. ``"sharp"``: the mean deviates less than the parts do.
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
    paper, realizable = require_constants(constants), _is_realizable(setting)
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    k = ceil(1 / as_open_unit(gamma, "gamma"))
    tau = Growth(vc_dimension, class_size, growth)
    if realizable:
        return _consistent_blocks(tau, k, a, b, constants)
    if paper:
        m = _paper_minimiser(tau, a, b / k)
        return DisjointAverageSize(k * m, k, m, _paper_budget(a, b, k), "blocks", constants)

    def conditions(split: _Split, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        m = _mean_block_size(tau, -(-n // k), split.block * a, ceiling)
        yield "blocks", k * m
        yield "deviation", k - 1 + _deviation_size(split.deviation * a, b, ceiling)

    n, split = best_split(conditions, _splits(), _Split(Fraction(1), Fraction(1)))
    binding = binding_condition(conditions(split, n, certified_ceiling))
    return DisjointAverageSize(n, k, n // k, _budget(split, a, b), binding, constants)


def subset_average_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    gamma: AnyNumber,
    vc_dimension: int,
    *,
    setting: Setting = "agnostic",
    constants: Constants = "sharp",
    class_size: int | None = None,
    growth: Callable[[int], int] | None = None,
) -> SubsetAverageSize:
    """Return how many examples the average over all subsets of a size needs.

    Parameters
    ----------
    alpha, beta, vc_dimension, setting, class_size, growth
        As for :func:`disjoint_average_size`.
    gamma
        The uniform stability: a subset of m examples among n is m/n-stable.
    constants
        ``"paper"``: a subset is enough by itself with probability ``1 - alpha beta / 2``, so that
        Markov's inequality leaves alpha/2 for those that are not. ``"sharp"``: the mean over
        subsets deviates less than they do.

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
    m/n-th part of all subsets by 2/m, so that of the mean by 2/n. When realizable, ``"sharp"``
    is the same as ``"paper"`` but for the size of a consistent subset.

    Examples
    --------
    >>> subset_average_size("1/10", "1/10", "1/10", 1).sample_size
    21570
    """
    paper, realizable = require_constants(constants), _is_realizable(setting)
    a, b, g = (
        as_open_unit(alpha, "alpha"),
        as_open_unit(beta, "beta"),
        as_open_unit(gamma, "gamma"),
    )
    tau = Growth(vc_dimension, class_size, growth)
    if paper or realizable:
        budget = (
            Share("alpha", "subset", a / 2),
            Share("alpha", "failure of the subset", a / 2),
            Share("beta", "subset, on average", a * b / 2),
        )
        if realizable:
            m = _consistent_size(tau, a / 2, a * b / 2, constants)
        else:
            m = _paper_minimiser(tau, a / 2, a * b / 2)
        return SubsetAverageSize(ceil(m / g), m, budget, "subset", constants)

    def conditions(split: _Split, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        m = _mean_block_size(tau, int(n * g), split.block * a, ceiling)
        yield "subset", ceil(m / g)
        yield "deviation", _deviation_size(split.deviation * a, b, ceiling)

    n, split = best_split(conditions, _splits(), _Split(Fraction(1), Fraction(1)))
    binding = binding_condition(conditions(split, n, certified_ceiling))
    return SubsetAverageSize(n, int(n * g), _budget(split, a, b), binding, constants)


@dataclass(frozen=True, slots=True)
class AggregationSize:
    """How many examples the aggregation of Dwork and Feldman needs.

    Attributes
    ----------
    sample_size : int
        n.
    blocks : int
        r, the number of disjoint parts.
    epsilon : Epsilon
        The privacy parameter of the noisy mean.
    budget : tuple of Share
        How alpha and beta are divided.
    binding : str
        The condition that decided.
    constants : str
        ``"paper"`` or ``"sharp"``.
    """

    sample_size: int
    blocks: int
    epsilon: Epsilon
    budget: tuple[Share, ...] = field(repr=False)
    binding: str
    constants: Constants

    def learner(self, H: Family) -> DworkFeldmanAggregation:
        """Return the learner, which refuses samples that are too small.

        Parameters
        ----------
        H
            A class of the VC dimension (and of the size, or the growth) that was asked for.
        """
        return DworkFeldmanAggregation(H, self.blocks, self.epsilon, self.sample_size)


def aggregation_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    vc_dimension: int,
    *,
    constants: Constants = "sharp",
    class_size: int | None = None,
    growth: Callable[[int], int] | None = None,
) -> AggregationSize:
    """Return how many examples the noisy mean of agnostic learners on disjoint parts needs.

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
        ``"paper"``: half of alpha for a noise that costs up to ``1 / (r epsilon)``, and half for
        parts that are each enough with probability 1 - beta/r. ``"sharp"``: as for
        :func:`disjoint_average_size`, with the exact cost of the noise.
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
    paper = require_constants(constants)
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    eps = as_positive_epsilon(epsilon)
    tau = Growth(vc_dimension, class_size, growth)
    if paper:

        def blocks(real: Reals[R]) -> R:
            return 2 / (real.log(eps.ratio) * real.exactly(a))

        r = certified_ceiling(blocks)
        m = _paper_minimiser(tau, a / 2, b / r)
        budget = (Share("alpha", "noise", a / 2), *_paper_budget(a / 2, b, r))
        return AggregationSize(r * m, r, eps, budget, "blocks", constants)
    q = rounded_up_decay(1 / eps.ratio)
    cost = q / (1 - q**2)

    def conditions(split: _Split, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        r = ceil(cost / (split.noise * a))
        yield "deviation", r - 1 + _deviation_size(split.deviation * a, b, ceiling)
        yield "blocks", r * _mean_block_size(tau, -(-n // r), split.block * a, ceiling)

    n, split = best_split(
        conditions, _noisy_splits(), _Split(Fraction(1), Fraction(1), Fraction(1))
    )
    r = ceil(cost / (split.noise * a))
    binding = binding_condition(conditions(split, n, certified_ceiling))
    return AggregationSize(n, r, eps, _budget(split, a, b), binding, constants)


def threshold_scan_size(alpha: AnyNumber, epsilon: Epsilon | AnyNumber) -> LeastSize:
    """Return how many examples the private learner of Dwork and Feldman for thresholds needs.

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
    not proved here, and there is no other. The promise is of another kind than those of the other
    sizes: in expectation, and with a factor on L.

    Examples
    --------
    >>> threshold_scan_size("1/10", 1).sample_size
    360
    """
    a, eps = as_open_unit(alpha, "alpha"), as_positive_epsilon(epsilon)

    def needed(real: Reals[R]) -> R:
        return 12 * real.log(2 / a) / (real.exactly(a) * real.log(eps.ratio))

    return LeastSize(certified_ceiling(needed), "citation", "paper")


def _is_realizable(setting: str) -> bool:
    require_word(setting, "setting", ("agnostic", "realizable"))
    return setting == "realizable"


def _paper_minimiser(tau: Growth, alpha: Fraction, beta: Fraction) -> int:
    """Return how many examples make all losses accurate up to alpha/2."""

    def conditions(_: None, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        yield "uniform convergence", two_sided_size(tau(n), alpha / 2, beta, ceiling)

    return fixed_point(conditions, None)


def _consistent_size(tau: Growth, alpha: Fraction, beta: Fraction, constants: Constants) -> int:
    if constants == "paper":
        return paper_net_size(tau.vc_dimension, alpha, beta, certified_ceiling)
    return drawn_net_size(tau, alpha, beta, one_target=True)[0]


def _consistent_blocks(
    tau: Growth, k: int, alpha: Fraction, beta: Fraction, constants: Constants
) -> DisjointAverageSize:
    m = _consistent_size(tau, alpha, beta / k, constants)
    budget = (Share("alpha", "blocks", alpha), Share("beta", "one block", beta / k))
    return DisjointAverageSize(k * m, k, m, budget, "blocks", constants)


def _mean_block_size(tau: Growth, m: int, alpha: Fraction, ceiling: Ceiling) -> int:
    """Return ``2 ln tau_m / alpha**2``, which bounds the expected deviation on m examples."""

    def needed(real: Reals[R]) -> R:
        return 2 * real.log(tau(max(1, m))) / real.exactly(alpha**2)

    return ceiling(needed)


def _deviation_size(alpha: Fraction, beta: Fraction, ceiling: Ceiling) -> int:
    """Return ``2 ln(1/beta) / alpha**2``, by McDiarmid's inequality for changes of 2/n."""

    def needed(real: Reals[R]) -> R:
        return 2 * real.log(1 / beta) / real.exactly(alpha**2)

    return ceiling(needed)


def _budget(split: _Split, alpha: Fraction, beta: Fraction) -> tuple[Share, ...]:
    parts = (("noise", split.noise), ("parts", split.block), ("deviation", split.deviation))
    spent = tuple(Share("alpha", step, part * alpha) for step, part in parts if part)
    return (*spent, Share("beta", "deviation", beta))


def _paper_budget(alpha: Fraction, beta: Fraction, blocks: int) -> tuple[Share, ...]:
    return (
        Share("alpha", "deviation, to and fro", alpha),
        Share("beta", "one block", beta / blocks),
    )
