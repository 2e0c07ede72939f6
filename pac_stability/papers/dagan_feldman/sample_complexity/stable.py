"""Stable predictions: Theorem 1 (Theorem 10 is its restatement)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Constants, Epsilon
from pac_stability.classes import Family
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    Ceiling,
    R,
    Reals,
    certified_ceiling,
    rounded_up_decay,
    shares,
    solved,
)
from pac_stability.papers.dagan_feldman.sample_complexity._growth import Growth
from pac_stability.papers.dagan_feldman.sample_complexity.asking import (
    Ask,
    Known,
    Share,
    Size,
    Split,
    size_of,
)
from pac_stability.papers.dagan_feldman.sample_complexity.generalisation import (
    excess_deviation_size,
    two_sided_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.nets import paper_net_size
from pac_stability.papers.dagan_feldman.sample_complexity.selection import (
    paper_selection_size,
    selection_size,
)
from pac_stability.papers.dagan_feldman.stable import StableLearner


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StableSize(Size[StableLearner]):
    """How many examples a stable learner needs, and with which parameters.

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
        The privacy parameter of the exponential mechanism.
    """

    subset_size: int
    epsilon: Epsilon

    def _made(self, H: Family) -> StableLearner:
        return StableLearner(H, self.subset_size, self.epsilon, least_sample_size=self.sample_size)


def subset_size(tau: Growth, n: int, alpha: Fraction, ceiling: Ceiling) -> int:
    """Return how large a random subset of S loses at most alpha of the loss, in expectation.

    It is ``(1 + ln(tau_n - 1)) / alpha``. Let g be best on S, and D the largest number of indices
    on which some h differs from g that agrees with g on the subset; the representative of g has at
    most D errors more than g. A given pattern that differs on k indices or more is missed with
    probability at most ``(1 - n'/n)**k``, and there are ``tau_n - 1`` patterns besides that of g;
    so ``E[D] = sum_k Pr[D >= k] <= sum_k min(1, (tau_n - 1) e**(-k n'/n))``, at most the integral
    ``(n/n') (1 + ln(tau_n - 1))``.
    """

    def needed(real: Reals[R]) -> R:
        return (1 + real.log(tau(n) - 1)) / real.exactly(alpha)

    return ceiling(needed)


def subset_conditions(
    tau: Growth, beta: Fraction, split: Split, n: int, ceiling: Ceiling
) -> Iterator[tuple[str, int]]:
    """Yield how many examples each step needs that a division pays for, among n."""
    chosen = subset_size(tau, n, split.subset, ceiling)
    yield "subset", ceil(chosen / split.part)
    yield "generalisation", excess_deviation_size(tau, n, split.generalisation, beta, ceiling)
    yield "selection", selection_size(tau(chosen), split.decay, split.selection, ceiling)


FIFTH, THIRD = Fraction(1, 5), Fraction(1, 3)

# The same part of alpha and of gamma for the subset is best when both are small: the two sizes are
# then A / (u v) and B / ((1 - u) (1 - v)), so u = v = sqrt(A) / (sqrt(A) + sqrt(B)). As the numbers
# of patterns on n and n' points go, A/B is between 1 and 10.
_SUBSET_PARTS = tuple(Fraction(part, 32) for part in (18, 20, 21, 22, 23, 24, 26))


@size_of
def theorem_1(
    alpha: AnyNumber,
    beta: AnyNumber,
    gamma: AnyNumber,
    vc_dimension: int,
    **known: Unpack[Known],
) -> StableSize:
    """Return how many examples make a class learnable with stable predictions.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    gamma
        The uniform stability, above 0 and below 1.
    vc_dimension
        d, at least 1.
    constants
        Printed: Lemma 13 with alpha/5 and gamma/3, Theorem 28.3 of Shalev-Shwartz and Ben-David for
        nets and their Section 28.1 for uniform convergence. Proved: the same division, with the
        bounds below. Sharp: the best of a fixed list of divisions.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    StableSize
        The order is ``d log(1/alpha) / (gamma alpha) + (d + log(1/beta)) / alpha**2``, up to a
        logarithm in the second term.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Unless printed, the size is the least n with, for a division ``a1 + a2 + a3 = alpha`` and a part
    q of gamma,

    - ``n' >= (1 + ln(tau_n - 1)) / a1`` and ``n >= n'/q`` (*subset*),
    - ``n >= W((tau_n' - 1)/e) / (a2 ln(1/rho))`` (*selection*), where the decay rho of the
      exponential mechanism is such that ``q + (1 - q) (1 - rho)/(1 + rho) = gamma``, rounded up,
    - ``n >= (sqrt(2 ln tau_n) + sqrt(2 ln(1/beta)))**2 / a3**2`` (*generalisation*).

    A sample may be larger, but then n' should grow with ``ln tau_n``: ask again, for a smaller
    alpha or gamma, rather than keep n'.

    Examples
    --------
    >>> size = theorem_1("1/5", "1/10", "1/5", 1)
    >>> size.sample_size, size.subset_size, size.binding
    (1668, 221, 'generalisation')
    >>> theorem_1("1/5", "1/10", "1/5", 1, constants="printed").sample_size
    95640
    >>> theorem_1("1/5", "1/10", "1/5", 1, constants="proved").sample_size
    6256
    >>> from pac_stability import classes
    >>> learner = size.learner(classes.Thresholds())
    >>> learner.stability(size.sample_size) <= Fraction(1, 5)
    True
    """
    ask = Ask(alpha, beta, vc_dimension=vc_dimension, gamma=gamma, **known)
    a, b, g, tau = ask.alpha, ask.beta, ask.stability, ask.patterns
    if ask.printed:
        return _paper_size(a, b, g, tau)

    def split_into(subset: Fraction, generalisation: Fraction, part: Fraction) -> Split:
        return Split(
            subset=subset * a,
            selection=(1 - subset - generalisation) * a,
            generalisation=generalisation * a,
            part=part * g,
            decay=_decay_left(part * g, g),
        )

    # As printed: a net and its failure, selection, and to the distribution and back.
    splits, least = [split_into(2 * FIFTH, 2 * FIFTH, THIRD)], None
    if not ask.proved:
        splits += [
            split_into(u * (1 - w), w, u)
            for u in _SUBSET_PARTS
            for w in shares(finest=12, parts=128)
        ]
        least = Split(
            subset=a, selection=a, generalisation=a, part=g, decay=_decay_left(Fraction(0), g)
        )
    n, split, binding = solved(partial(subset_conditions, tau, b), splits, least)
    return StableSize(
        sample_size=n,
        subset_size=subset_size(tau, n, split.subset, certified_ceiling),
        epsilon=Epsilon.exactly(split.decay**-2),
        budget=(
            *split.budget("subset", "selection", "generalisation"),
            Share("gamma", "subset", split.part),
            Share("gamma", "selection", g - split.part),
        ),
        binding=binding,
        constants=ask.constants,
    )


def _decay_left(part: Fraction, gamma: Fraction) -> Fraction:
    """Return the decay that spends on selection what the subset leaves of gamma."""
    spent = (gamma - part) / (1 - part)
    return rounded_up_decay((1 - spent) / (1 + spent))


def _paper_size(alpha: Fraction, beta: Fraction, gamma: Fraction, tau: Growth) -> StableSize:
    a, g = alpha / 5, gamma / 3
    epsilon = Epsilon(g)
    chosen = paper_net_size(tau.vc_dimension, a, a, certified_ceiling)

    def conditions(_: None, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        yield "subset", ceil(chosen / g)
        yield "selection", paper_selection_size(tau(chosen), epsilon.ratio, a, ceiling)
        yield "generalisation", two_sided_size(tau(n), a, beta, ceiling)

    n, _, binding = solved(conditions, [None])
    return StableSize(
        sample_size=n,
        subset_size=chosen,
        epsilon=epsilon,
        budget=(
            Share("alpha", "net", a),
            Share("alpha", "failure of the net", a),
            Share("alpha", "selection", a),
            Share("alpha", "generalisation, to and fro", 2 * a),
            Share("gamma", "subset", g),
            Share("gamma", "selection", 2 * g),
        ),
        binding=binding,
        constants=Constants.PRINTED,
    )
