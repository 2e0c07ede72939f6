"""Private predictions from stable ones, by flipping labels: Corollary 2."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import Flip
from pac_stability.papers.dagan_feldman.flipped import FlippedLearner
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    certified_ceiling,
    shares,
    solved,
)
from pac_stability.papers.dagan_feldman.sample_complexity.asking import (
    HALF,
    Ask,
    Known,
    Share,
    Size,
    Split,
    size_of,
)
from pac_stability.papers.dagan_feldman.sample_complexity.selection import decay_spent
from pac_stability.papers.dagan_feldman.sample_complexity.stable import (
    FIFTH,
    subset_conditions,
    subset_size,
    theorem_1,
)
from pac_stability.papers.dagan_feldman.stable import StableLearner


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FlippedSize(Size[FlippedLearner[StableLearner]]):
    """How many examples a flipped stable learner needs, and with which parameters.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple[Share, ...]
        How alpha, beta and gamma are divided, as far as they are.
    subset_size : int
        n', the size of the random subset.
    epsilon : Epsilon
        The privacy parameter of the exponential mechanism, before the flip.
    flip_probability : Fraction
        z.
    """

    subset_size: int
    epsilon: Epsilon
    flip_probability: Fraction

    def _made(self, H: Family) -> FlippedLearner[StableLearner]:
        base = StableLearner(H, self.subset_size, self.epsilon, least_sample_size=self.sample_size)
        return FlippedLearner(base, self.flip_probability)


_FLIP_PARTS = tuple(Fraction(part, 16) for part in range(3, 9))
_SELECTION_PARTS = tuple(Fraction(1, 1 << power) for power in (2, 4, 5, 6, 7, 8, 10, 12, 15))


@size_of
def corollary_2(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    vc_dimension: int,
    **known: Unpack[Known],
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
        Printed: Theorem 1 for alpha/2, beta and the stability ``epsilon alpha / 4``, and a flip
        with probability alpha/2. Proved: that flip, and the division of Theorem 1 for the rest,
        with the privacy below. Sharp: the best of a fixed list of divisions.
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
    The stable learner is (epsilon, n'/n)-private, which sizes use, unless printed, in place of its
    stability: with ``n'/n <= z (e**epsilon - 1) / (1 - 2z)`` a flip makes it epsilon-private, so
    the exponential mechanism may spend all of epsilon. As a flip takes the excess a to at most
    ``z + (1 - 2z) a``, the steps may lose ``(alpha - z) / (1 - 2z)`` together.

    Examples
    --------
    >>> size = corollary_2("1/10", "1/20", 1, 1)
    >>> size.sample_size, size.subset_size, size.flip_probability, size.binding
    (12960, 586, Fraction(1, 40), 'subset')
    >>> corollary_2("1/10", "1/20", 1, 1, constants="printed").sample_size
    3725761
    >>> corollary_2("1/10", "1/20", 1, 1, constants="proved").sample_size
    106728
    """
    ask = Ask(alpha, beta, vc_dimension=vc_dimension, epsilon=epsilon, **known)
    a, b, eps = min(ask.alpha, HALF), ask.beta, ask.privacy
    if ask.printed:
        # A rational number that is at most epsilon alpha / 4, and near it.
        gamma = a * eps.interval(96).lower / 4
        if gamma >= 1:
            raise InvalidInput("epsilon", f"{float(eps):g}", "epsilon alpha / 4 below 1")
        stable = theorem_1(a / 2, b, gamma, vc_dimension, **known)
        return FlippedSize(
            sample_size=stable.sample_size,
            subset_size=stable.subset_size,
            epsilon=stable.epsilon,
            flip_probability=a / 2,
            budget=(Share("alpha", "flip", a / 2), *stable.budget),
            binding=stable.binding,
            constants=ask.constants,
        )
    tau, decay = ask.patterns, decay_spent(eps)

    def after(flip: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Return z, what is left of alpha for the other steps, and the largest n'/n."""
        z = flip * a
        return z, (a - z) / (1 - 2 * z), Flip(z).largest_stability(eps)

    def split_into(
        flipped: tuple[Fraction, Fraction, Fraction], selection: Fraction, generalisation: Fraction
    ) -> Split:
        z, left, part = flipped
        return Split(
            flip=z,
            subset=(1 - selection - generalisation) * left,
            selection=selection * left,
            generalisation=generalisation * left,
            part=part,
            decay=decay,
        )

    splits, least = [split_into(after(HALF), FIFTH, 2 * FIFTH)], None  # as printed
    if not ask.proved:
        splits += [
            split_into(flipped, v, w)
            for flipped in map(after, _FLIP_PARTS)
            for v in _SELECTION_PARTS
            for w in shares(finest=8, parts=64)
            if v + w < 1
        ]
        most = max(split.part for split in splits)
        least = Split(subset=a, selection=a, generalisation=a, part=most, decay=decay)
    n, split, binding = solved(partial(subset_conditions, tau, b), splits, least)
    return FlippedSize(
        sample_size=n,
        subset_size=subset_size(tau, n, split.subset, certified_ceiling),
        epsilon=eps,
        flip_probability=split.flip,
        budget=split.budget("flip", "subset", "selection", "generalisation"),
        binding=binding,
        constants=ask.constants,
    )
