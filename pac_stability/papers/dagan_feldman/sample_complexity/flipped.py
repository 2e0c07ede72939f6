"""Private predictions from stable ones, by flipping labels: Corollary 2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from pac_stability.arguments import AnyNumber, as_open_unit
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import Flip
from pac_stability.papers.dagan_feldman.flipped import FlippedLearner
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    Ceiling,
    best_split,
    binding_condition,
    certified_ceiling,
    shares,
)
from pac_stability.papers.dagan_feldman.sample_complexity._growth import Growth
from pac_stability.papers.dagan_feldman.sample_complexity._parameters import (
    HALF,
    Constants,
    Share,
    require_constants,
)
from pac_stability.papers.dagan_feldman.sample_complexity.generalisation import (
    excess_deviation_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.selection import (
    decay_spent,
    selection_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.stable import subset_size, theorem_1
from pac_stability.papers.dagan_feldman.stable import StableLearner


@dataclass(frozen=True, slots=True)
class FlippedSize:
    """How many examples a flipped stable learner needs, and with which parameters.

    Attributes
    ----------
    sample_size : int
        n.
    subset_size : int
        n', the size of the random subset.
    epsilon : Epsilon
        The privacy parameter of the exponential mechanism, before the flip.
    flip_probability : Fraction
        z.
    budget : tuple of Share
        How alpha, and in the paper gamma, are divided.
    binding : str
        The condition that decided.
    constants : str
        ``"paper"`` or ``"sharp"``.
    """

    sample_size: int
    subset_size: int
    epsilon: Epsilon
    flip_probability: Fraction
    budget: tuple[Share, ...] = field(repr=False)
    binding: str
    constants: Constants

    def learner(self, H: Family) -> FlippedLearner[StableLearner]:
        """Return the learner, which refuses samples that are too small.

        Parameters
        ----------
        H
            A class of the VC dimension (and of the size, or the growth) that was asked for.
        """
        base = StableLearner(H, self.subset_size, self.epsilon, least_sample_size=self.sample_size)
        return FlippedLearner(base, self.flip_probability)


@dataclass(frozen=True, slots=True)
class _Split:
    flip: Fraction
    subset: Fraction
    selection: Fraction
    generalisation: Fraction
    part: Fraction


_FLIP_PARTS = tuple(Fraction(part, 16) for part in range(3, 9))
_SELECTION_PARTS = tuple(Fraction(1, 1 << power) for power in (2, 4, 5, 6, 7, 8, 10, 12, 15))


def corollary_2(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    vc_dimension: int,
    *,
    constants: Constants = "sharp",
    class_size: int | None = None,
    growth: Callable[[int], int] | None = None,
) -> FlippedSize:
    """Return how many examples make a class learnable with private predictions, by flipping.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1. Beyond 1/2, where a fair coin will do, the size is that for 1/2.
    epsilon
        The privacy of each prediction, above 0: a number, or an ``Epsilon``.
    vc_dimension
        d, at least 1.
    constants
        ``"paper"``: Theorem 1 for alpha/2, beta and the stability ``epsilon alpha / 4``, and a flip
        with probability alpha/2. ``"sharp"``: the best of a fixed list of splits.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    FlippedSize
        The order is ``d log(1/alpha) / (epsilon alpha**2)``, up to a logarithm and
        ``ln(1/beta) / alpha**2``.

    Raises
    ------
    InvalidInput
        A parameter is out of range; with the paper's constants, also when ``epsilon alpha / 4`` is
        1 or more.

    Notes
    -----
    The stable learner is (epsilon, n'/n)-private, which the sharp size uses in place of its
    stability: with ``n'/n <= z (e**epsilon - 1) / (1 - 2z)`` a flip makes it epsilon-private, so
    the exponential mechanism may spend all of epsilon. As a flip takes the excess a to at most
    ``z + (1 - 2z) a``, the steps may lose ``(alpha - z) / (1 - 2z)`` together.

    Examples
    --------
    >>> size = corollary_2("1/10", "1/20", 1, 1)
    >>> size.sample_size, size.subset_size, size.flip_probability, size.binding
    (12960, 586, Fraction(1, 40), 'subset')
    >>> corollary_2("1/10", "1/20", 1, 1, constants="paper").sample_size
    3725761
    """
    paper = require_constants(constants)
    a, b = min(as_open_unit(alpha, "alpha"), HALF), as_open_unit(beta, "beta")
    eps = as_positive_epsilon(epsilon)
    if paper:
        # A rational number that is at most epsilon alpha / 4, and near it.
        gamma = a * eps.interval(96).lower / 4
        if gamma >= 1:
            raise InvalidInput("epsilon", f"{float(eps):g}", "epsilon alpha / 4 below 1")
        stable = theorem_1(
            a / 2, b, gamma, vc_dimension, constants="paper", class_size=class_size, growth=growth
        )
        return FlippedSize(
            sample_size=stable.sample_size,
            subset_size=stable.subset_size,
            epsilon=stable.epsilon,
            flip_probability=a / 2,
            budget=(Share("alpha", "flip", a / 2), *stable.budget),
            binding=stable.binding,
            constants=constants,
        )
    tau, decay = Growth(vc_dimension, class_size, growth), decay_spent(eps)

    def conditions(split: _Split, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        chosen = subset_size(tau, n, split.subset, ceiling)
        yield "subset", ceil(chosen / split.part)
        yield "generalisation", excess_deviation_size(tau, n, split.generalisation, b, ceiling)
        yield "selection", selection_size(tau(chosen), decay, split.selection, ceiling)

    splits = []
    for x in _FLIP_PARTS:
        z = x * a
        left = (a - z) / (1 - 2 * z)
        part = Flip(z).largest_stability(eps)
        splits += [
            _Split(z, (1 - v - w) * left, v * left, w * left, part)
            for v in _SELECTION_PARTS
            for w in shares(finest=8, parts=64)
            if v + w < 1
        ]
    most = max(split.part for split in splits)
    n, split = best_split(conditions, splits, _Split(a, a, a, a, most))
    return FlippedSize(
        sample_size=n,
        subset_size=subset_size(tau, n, split.subset, certified_ceiling),
        epsilon=eps,
        flip_probability=split.flip,
        budget=(
            Share("alpha", "flip", split.flip),
            Share("alpha", "subset", (1 - 2 * split.flip) * split.subset),
            Share("alpha", "selection", (1 - 2 * split.flip) * split.selection),
            Share("alpha", "generalisation", (1 - 2 * split.flip) * split.generalisation),
        ),
        binding=binding_condition(conditions(split, n, certified_ceiling)),
        constants=constants,
    )
