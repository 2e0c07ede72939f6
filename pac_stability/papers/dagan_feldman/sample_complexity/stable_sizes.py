"""Sizes of Theorem 1 (and 10), of Corollary 2, and of Lemma 9 with N^R of Lemma 15."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Literal, TypeAlias, Unpack

from pac_stability.arguments import AnyNumber, require_word
from pac_stability.arithmetic import Constants, Epsilon, EpsilonLike
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import Flip
from pac_stability.papers.dagan_feldman.baselines import RealizablePrivateLearner
from pac_stability.papers.dagan_feldman.sample_complexity import asking, lemma_sizes
from pac_stability.papers.dagan_feldman.stable import FlippedLearner, StableLearner


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StableSize(asking.Size[StableLearner]):
    """The sample size of a stable learner, and its parameters.

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
        n', the size of the random subset.
    epsilon : Epsilon
        The privacy parameter of the exponential mechanism.
    """

    subset_size: int
    epsilon: Epsilon

    def _made(self, H: Family) -> StableLearner:
        return StableLearner(H, self.subset_size, self.epsilon, least_sample_size=self.sample_size)


def subset_size(tau: asking.Growth, n: int, alpha: Fraction, ceiling: asking.Ceiling) -> int:
    """Return the size at which a random subset of S loses at most alpha in expectation.

    It is ``(1 + ln(tau_n - 1)) / alpha``. Let g be best on S, and D the largest number of indices
    on which some h differs from g that agrees with g on the subset; the representative of g has at
    most D errors more than g. A given pattern that differs on k indices or more is missed with
    probability at most ``(1 - n'/n)**k``, and there are ``tau_n - 1`` patterns besides that of g;
    so ``E[D] = sum_k Pr[D >= k] <= sum_k min(1, (tau_n - 1) e**(-k n'/n))``, at most the integral
    ``(n/n') (1 + ln(tau_n - 1))``.
    """

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return (1 + real.log(tau(n) - 1)) / real.exactly(alpha)

    return ceiling(needed)


def subset_conditions(
    tau: asking.Growth, beta: Fraction, split: asking.Split, n: int, ceiling: asking.Ceiling
) -> asking.Sizes:
    """Yield the number of examples that each step of a division needs, among n."""
    chosen = subset_size(tau, n, split.subset, ceiling)
    yield "subset", ceil(chosen / split.part)
    yield (
        "generalisation",
        lemma_sizes.excess_deviation_size(tau, n, split.generalisation, beta, ceiling),
    )
    yield (
        "selection",
        lemma_sizes.selection_size(tau(chosen), split.decay, split.selection, ceiling),
    )


FIFTH, THIRD = Fraction(1, 5), Fraction(1, 3)

# The same part of alpha and of gamma for the subset is best when both are small: the two sizes are
# then A / (u v) and B / ((1 - u) (1 - v)), so u = v = sqrt(A) / (sqrt(A) + sqrt(B)). As the numbers
# of patterns on n and n' points go, A/B is between 1 and 10.
_SUBSET_PARTS = tuple(Fraction(part, 32) for part in (18, 20, 21, 22, 23, 24, 26))


@asking.size_of
def theorem_1(
    alpha: AnyNumber,
    beta: AnyNumber,
    gamma: AnyNumber,
    vc_dimension: int,
    **known: Unpack[asking.OfClass],
) -> StableSize:
    """Return the sample size of learning with stable predictions.

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

    A sample may be larger, but then n' should grow with ``ln tau_n``: compute the size again for a
    smaller alpha or gamma instead of keeping n'.

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
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, gamma=gamma, **known)
    a, b, g, tau = ask.alpha, ask.beta, ask.stability, ask.patterns
    if ask.printed:
        return _paper_size(a, b, g, tau)

    decays = {part: _decay_left(part * g, g) for part in (THIRD, *_SUBSET_PARTS)}

    def split_into(share: Fraction, part: Fraction, generalisation: Fraction) -> asking.Split:
        """Give the subset a share of what generalisation leaves of alpha, and a part of gamma."""
        return asking.Split(
            subset=share * (1 - generalisation) * a,
            selection=(1 - share) * (1 - generalisation) * a,
            generalisation=generalisation * a,
            part=part * g,
            decay=decays[part],
        )

    # As printed: a net and its failure, selection, and to the distribution and back.
    rows: list[asking.SplitRow] = [[split_into(2 * THIRD, THIRD, 2 * FIFTH)]]
    if not ask.proved:
        generalisations = tuple(asking.shares(finest=12, parts=128))
        rows += [asking.Along(partial(split_into, u, u), generalisations) for u in _SUBSET_PARTS]
    n, split, binding = asking.solved(partial(subset_conditions, tau, b), rows)
    budget = (
        *split.budget("subset", "selection", "generalisation"),
        asking.Share("gamma", "subset", split.part),
        asking.Share("gamma", "selection", g - split.part),
    )
    return StableSize(
        n,
        binding,
        ask.constants,
        budget,
        subset_size=subset_size(tau, n, split.subset, asking.certified_ceiling),
        epsilon=Epsilon.exactly(split.decay**-2),
    )


def _decay_left(part: Fraction, gamma: Fraction) -> Fraction:
    """Return the decay that spends on selection what the subset leaves of gamma."""
    spent = (gamma - part) / (1 - part)
    return asking.rounded_up_decay((1 - spent) / (1 + spent))


def _paper_size(alpha: Fraction, beta: Fraction, gamma: Fraction, tau: asking.Growth) -> StableSize:
    a, g = alpha / 5, gamma / 3
    epsilon = Epsilon(g)
    chosen = lemma_sizes.paper_net_size(tau.vc_dimension, a, a, asking.certified_ceiling)

    def conditions(_: object, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        yield "subset", ceil(chosen / g)
        yield "selection", lemma_sizes.paper_selection_size(tau(chosen), epsilon.ratio, a, ceiling)
        yield "generalisation", lemma_sizes.two_sided_size(tau(n), a, beta, ceiling)

    n, _, binding = asking.solved(conditions, [[asking.Split()]])
    budget = (
        asking.Share("alpha", "net", a),
        asking.Share("alpha", "failure of the net", a),
        asking.Share("alpha", "selection", a),
        asking.Share("alpha", "generalisation, to and fro", 2 * a),
        asking.Share("gamma", "subset", g),
        asking.Share("gamma", "selection", 2 * g),
    )
    return StableSize(n, binding, Constants.PRINTED, budget, subset_size=chosen, epsilon=epsilon)


# Private predictions from stable ones, by flipping labels: Corollary 2


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FlippedSize(asking.Size[FlippedLearner[StableLearner]]):
    """The sample size of a flipped stable learner, and its parameters.

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


@asking.size_of
def corollary_2(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: EpsilonLike,
    vc_dimension: int,
    **known: Unpack[asking.OfClass],
) -> FlippedSize:
    """Return the sample size of learning with private predictions, by flipping.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1. Beyond 1/2, where a fair coin suffices, the size is that for 1/2.
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
    the exponential mechanism may spend all of epsilon. A flip changes the excess a to at most ``z +
    (1 - 2z) a``, so so the steps may lose ``(alpha - z) / (1 - 2z)`` together.

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
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, epsilon=epsilon, **known)
    a, b, eps = min(ask.alpha, asking.HALF), ask.beta, ask.privacy
    if ask.printed:
        # A rational number that is at most epsilon alpha / 4, and near it.
        gamma = a * eps.interval(96).lower / 4
        if gamma >= 1:
            raise InvalidInput("epsilon", f"{float(eps):g}", "epsilon alpha / 4 below 1")
        stable = theorem_1(a / 2, b, gamma, vc_dimension, **known)
        budget = (asking.Share("alpha", "flip", a / 2), *stable.budget)
        return FlippedSize(
            stable.sample_size,
            stable.binding,
            ask.constants,
            budget,
            subset_size=stable.subset_size,
            epsilon=stable.epsilon,
            flip_probability=a / 2,
        )
    tau, decay = ask.patterns, lemma_sizes.decay_spent(eps)

    def after(flip: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Return z, what is left of alpha for the other steps, and the largest n'/n."""
        z = flip * a
        return z, (a - z) / (1 - 2 * z), Flip(z).largest_stability(eps)

    def split_into(
        flipped: tuple[Fraction, Fraction, Fraction], selection: Fraction, generalisation: Fraction
    ) -> asking.Split:
        z, left, part = flipped
        return asking.Split(
            flip=z,
            subset=(1 - selection - generalisation) * left,
            selection=selection * left,
            generalisation=generalisation * left,
            part=part,
            decay=decay,
        )

    rows: list[asking.SplitRow] = [[split_into(after(asking.HALF), FIFTH, 2 * FIFTH)]]  # as printed
    if not ask.proved:
        generalisations = tuple(asking.shares(finest=8, parts=64))
        flips = [after(part) for part in _FLIP_PARTS]
        rows += [
            asking.Along(partial(split_into, flip, v), [w for w in generalisations if v + w < 1])
            for flip in flips
            for v in _SELECTION_PARTS
        ]
    n, split, binding = asking.solved(partial(subset_conditions, tau, b), rows)
    return FlippedSize(
        n,
        binding,
        ask.constants,
        split.budget("flip", "subset", "selection", "generalisation"),
        subset_size=subset_size(tau, n, split.subset, asking.certified_ceiling),
        epsilon=eps,
        flip_probability=split.flip,
    )


# Private predictions where some hypothesis makes no error: Lemma 9, and N^R of Lemma 15

Targets: TypeAlias = Literal["one", "all"]
"""Whether one hypothesis labels the sample, or any of them does, chosen when it is seen."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RealizableSize(asking.Size[RealizablePrivateLearner]):
    """The sample size of a private learner that finds consistent hypotheses.

    Attributes
    ----------
    sample_size : int
        n, a multiple of the number of blocks.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple[Share, ...]
        The division of alpha, beta and gamma.
    blocks : int
        r.
    block_size : int
        m, so that ``n = r m``.
    epsilon : Epsilon
        The privacy parameter of the vote.
    """

    blocks: int
    block_size: int
    epsilon: Epsilon

    def _made(self, H: Family) -> RealizablePrivateLearner:
        return RealizablePrivateLearner(H, self.blocks, self.epsilon, self.sample_size)


@asking.size_of
def realizable_private_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: EpsilonLike,
    vc_dimension: int,
    *,
    targets: Targets = "one",
    **known: Unpack[asking.OfClass],
) -> RealizableSize:
    """Return the sample size at which a class is privately learnable in the realizable case.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the loss is at most alpha: exact numbers above 0 and
        below 1.
    epsilon
        The privacy of each prediction, above 0: a number, or an ``Epsilon``.
    vc_dimension
        d, at least 1.
    targets
        ``"one"``: the labels are those of one hypothesis, fixed before the sample is drawn (Lemma
        9). ``"all"``: with probability at least 1 - beta, the loss is at most alpha for every
        hypothesis that may label the sample (N^R, Equation (10)).
    constants
        Printed: Markov's inequality for the votes and Theorem 28.3 of Shalev-Shwartz and Ben-David
        for the blocks. Proved: alpha/5 for wrong unanimous votes as there, with a line above the
        loss of the vote and the bounds of
        :func:`~pac_stability.papers.dagan_feldman.sample_complexity.lemma_sizes.net_size`. Sharp:
        the best of a fixed list of divisions.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    RealizableSize
        The order is ``(d log(1/alpha) + log(1/(alpha beta epsilon))) log(1/alpha) / alpha`` times
        ``max(1, 1/epsilon)``: no epsilon, however large, brings it below a few ``d/alpha``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Each of r blocks is a net of accuracy a with probability at least 1 - beta/r, so that its
    consistent hypothesis differs from the target on a mass of at most a. The paper's citation takes
    ``a = alpha/5`` and ``r = (4/epsilon) ln(5/alpha)``, rounded up. The sharp size is the least
    over a fixed list of values A, with ``r = ceil(A/epsilon)`` votes of privacy ``A/r``, whose loss
    is at most ``l + c a``; then ``a = (alpha - l)/c``.

    Examples
    --------
    >>> size = realizable_private_size("1/10", "1/20", 1, 1)
    >>> size.sample_size, size.blocks, size.block_size
    (1554, 7, 222)
    >>> realizable_private_size("1/10", "1/20", 1, 1, targets="all").sample_size
    2457
    >>> realizable_private_size("1/10", "1/20", 1, 1, constants="printed").sample_size
    238080
    >>> realizable_private_size("1/10", "1/20", 1, 1, constants="proved").sample_size
    1656
    """
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, epsilon=epsilon, **known)
    a, b, eps, tau = ask.alpha, ask.beta, ask.privacy, ask.patterns
    require_word(targets, "targets", ("one", "all"))
    if ask.printed:
        r = paper_votes(a, eps, asking.certified_ceiling)
        m = lemma_sizes.paper_net_size(tau.vc_dimension, a / 5, b / r, asking.certified_ceiling)
        budget = (
            asking.Share("alpha", "blocks, by Markov's inequality", 4 * a / 5),
            asking.Share("alpha", "vote", a / 5),
            asking.Share("beta", "one block", b / r),
        )
        return RealizableSize(
            r * m, "double sample", ask.constants, budget, blocks=r, block_size=m, epsilon=eps
        )
    if ask.proved:
        usable = [
            sharpness
            for sharpness in lemma_sizes.SHARPNESS
            if lemma_sizes.vote_loss(sharpness).unanimous <= a / 5
        ]
        del usable[1:]
    else:
        usable = [
            sharpness
            for sharpness in lemma_sizes.SHARPNESS
            if lemma_sizes.vote_loss(sharpness).unanimous < a
        ]
    if not usable:
        raise InvalidInput("alpha", str(a), "a number above 2**-92")

    def parts(sharpness: int, ceiling: asking.Ceiling) -> tuple[int, int, str]:
        loss, r = lemma_sizes.vote_loss(sharpness), sharp_votes(sharpness, eps, ceiling)
        block_error = (4 * a / 5 if ask.proved else a - loss.unanimous) / loss.slope
        one = targets == "one"
        m, binding = lemma_sizes.drawn_net_size(
            tau, block_error, b / r, ceiling=ceiling, one_target=one
        )
        return r, m, binding

    guesses = {}
    for sharpness in usable:
        r, m, _ = parts(sharpness, asking.float_ceiling)
        guesses[sharpness] = r * m
    choices = [
        (sharpness, *parts(sharpness, asking.certified_ceiling))
        for sharpness in asking.nearly_least(guesses)
    ]
    sharpness, r, m, binding = min(choices, key=lambda choice: choice[1] * choice[2])
    budget = (
        asking.Share("alpha", "blocks", a - lemma_sizes.vote_loss(sharpness).unanimous),
        asking.Share("alpha", "vote", lemma_sizes.vote_loss(sharpness).unanimous),
        asking.Share("beta", "one block", b / r),
    )
    spent = Epsilon(lemma_sizes.SPENT * sharpness / r)
    return RealizableSize(
        r * m, binding, ask.constants, budget, blocks=r, block_size=m, epsilon=spent
    )


def paper_votes(alpha: Fraction, epsilon: Epsilon, ceiling: asking.Ceiling) -> int:
    """Return ``(4/epsilon) ln(5/alpha)``, corrected for a decay that is rounded up."""

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return (
            real.exactly(4 * lemma_sizes.ROUNDING) * real.log(5 / alpha) / real.log(epsilon.ratio)
        )

    return ceiling(needed)


def sharp_votes(sharpness: int, epsilon: Epsilon, ceiling: asking.Ceiling) -> int:
    """Return the least r with ``sharpness / r`` at most the spent part of epsilon."""

    def needed(real: asking.Reals[asking.R]) -> asking.R:
        return real.exactly(lemma_sizes.SPENT * sharpness) / real.log(epsilon.ratio)

    return ceiling(needed)
