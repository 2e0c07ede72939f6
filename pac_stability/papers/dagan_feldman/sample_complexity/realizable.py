"""Private predictions where some hypothesis makes no error: Lemma 9, and N^R of Lemma 15."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, Unpack

from pac_stability.arguments import AnyNumber, require_word
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.realizable import RealizablePrivateLearner
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    Ceiling,
    R,
    Reals,
    certified_ceiling,
    float_ceiling,
    nearly_least,
)
from pac_stability.papers.dagan_feldman.sample_complexity._votes import (
    ROUNDING,
    SHARPNESS,
    SPENT,
    vote_loss,
)
from pac_stability.papers.dagan_feldman.sample_complexity.asking import (
    Ask,
    Known,
    Share,
    Size,
    size_of,
)
from pac_stability.papers.dagan_feldman.sample_complexity.nets import (
    drawn_net_size,
    paper_net_size,
)

Targets: TypeAlias = Literal["one", "all"]
"""Whether one hypothesis labels the sample, or any of them does, chosen when it is seen."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RealizableSize(Size[RealizablePrivateLearner]):
    """How many examples a private learner needs that finds consistent hypotheses.

    Attributes
    ----------
    sample_size : int
        n, a multiple of the number of blocks.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple[Share, ...]
        How alpha, beta and gamma are divided, as far as they are.
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


@size_of
def realizable_private_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    vc_dimension: int,
    *,
    targets: Targets = "one",
    **known: Unpack[Known],
) -> RealizableSize:
    """Return how many examples make a class privately learnable when some hypothesis fits.

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
        :func:`~pac_stability.papers.dagan_feldman.sample_complexity.nets.net_size`. Sharp: the best
        of a fixed list of divisions.
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
    ask = Ask(alpha, beta, vc_dimension=vc_dimension, epsilon=epsilon, **known)
    a, b, eps, tau = ask.alpha, ask.beta, ask.privacy, ask.patterns
    require_word(targets, "targets", ("one", "all"))
    if ask.printed:
        r = paper_votes(a, eps, certified_ceiling)
        m = paper_net_size(tau.vc_dimension, a / 5, b / r, certified_ceiling)
        budget = (
            Share("alpha", "blocks, by Markov's inequality", 4 * a / 5),
            Share("alpha", "vote", a / 5),
            Share("beta", "one block", b / r),
        )
        return RealizableSize(
            sample_size=r * m,
            blocks=r,
            block_size=m,
            epsilon=eps,
            budget=budget,
            binding="double sample",
            constants=ask.constants,
        )
    if ask.proved:
        usable = [sharpness for sharpness in SHARPNESS if vote_loss(sharpness).unanimous <= a / 5]
        del usable[1:]
    else:
        usable = [sharpness for sharpness in SHARPNESS if vote_loss(sharpness).unanimous < a]
    if not usable:
        raise InvalidInput("alpha", str(a), "a number above 2**-92")

    def parts(sharpness: int, ceiling: Ceiling) -> tuple[int, int, str]:
        loss, r = vote_loss(sharpness), sharp_votes(sharpness, eps, ceiling)
        block_error = (4 * a / 5 if ask.proved else a - loss.unanimous) / loss.slope
        one = targets == "one"
        m, binding = drawn_net_size(tau, block_error, b / r, ceiling=ceiling, one_target=one)
        return r, m, binding

    guesses = {}
    for sharpness in usable:
        r, m, _ = parts(sharpness, float_ceiling)
        guesses[sharpness] = r * m
    choices = [
        (sharpness, *parts(sharpness, certified_ceiling)) for sharpness in nearly_least(guesses)
    ]
    sharpness, r, m, binding = min(choices, key=lambda choice: choice[1] * choice[2])
    budget = (
        Share("alpha", "blocks", a - vote_loss(sharpness).unanimous),
        Share("alpha", "vote", vote_loss(sharpness).unanimous),
        Share("beta", "one block", b / r),
    )
    spent = Epsilon(SPENT * sharpness / r)
    return RealizableSize(
        sample_size=r * m,
        blocks=r,
        block_size=m,
        epsilon=spent,
        budget=budget,
        binding=binding,
        constants=ask.constants,
    )


def paper_votes(alpha: Fraction, epsilon: Epsilon, ceiling: Ceiling) -> int:
    """Return ``(4/epsilon) ln(5/alpha)``, and what makes up for a decay that is rounded up."""

    def needed(real: Reals[R]) -> R:
        return real.exactly(4 * ROUNDING) * real.log(5 / alpha) / real.log(epsilon.ratio)

    return ceiling(needed)


def sharp_votes(sharpness: int, epsilon: Epsilon, ceiling: Ceiling) -> int:
    """Return the least r with ``sharpness / r`` at most epsilon, but for what is not spent."""

    def needed(real: Reals[R]) -> R:
        return real.exactly(SPENT * sharpness) / real.log(epsilon.ratio)

    return ceiling(needed)
