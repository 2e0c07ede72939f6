"""Private predictions by relabelling: Theorem 3 (Theorem 12 is its restatement)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count, product
from math import ceil, comb
from typing import Unpack

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Constants, Epsilon, EpsilonLike, Interval, least_integer
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.private_prediction import PrivatePredictionLearner
from pac_stability.papers.dagan_feldman.sample_complexity import asking, lemma_sizes
from pac_stability.papers.dagan_feldman.sample_complexity.asking import Reals


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PrivatePredictionSize(asking.Size[PrivatePredictionLearner]):
    """The sample size of the learner of Theorem 3, and its parameters.

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
    eta : Fraction
        One more error multiplies the weight of a hypothesis by ``exp(-1/(eta n))``.
    blocks : int
        r, the number of votes of the private learner that predicts.
    vote_epsilon : Epsilon
        The privacy parameter of the vote, ``1/(eta n)`` in the paper.
    disagreements : int
        K: with a probability that the flip hides, hypotheses that agree on a subset but for one
        index differ on at most K examples.
    flip_probability : Fraction
        z.
    """

    subset_size: int
    eta: Fraction
    blocks: int
    vote_epsilon: Epsilon
    disagreements: int
    flip_probability: Fraction

    def _made(self, H: Family) -> PrivatePredictionLearner:
        return PrivatePredictionLearner(
            H,
            self.subset_size,
            self.eta,
            blocks=self.blocks,
            vote_epsilon=self.vote_epsilon,
            flip_probability=self.flip_probability,
            least_sample_size=self.sample_size,
        )


# The factor of Lemma 18 is 4 e**rho when hypotheses that are matched differ by rho in what they
# spend; the sample is then of the order (4 e**rho - 1) / rho, which is least near this rho.
_EXPONENT = Fraction(9, 10)
_MATCHED = Fraction(9839, 1000)  # more than 4 e**(9/10) = 9.8384...
_LEAST_DISAGREEMENTS = 32
_LEAST_BLOCK = 8


_FLIP_PART = Fraction(1, 64)
_NET_PART = Fraction(1, 64)
_GENERALISATION_PARTS = tuple(
    Fraction(part, 64) for part in (1, 2, 4, 8, 16, 24, 32, 36, 40, 44, 48)
)
# The part of alpha for the selection, and what an error costs in its weights in units of the vote's
# epsilon.
_SELECTIONS = tuple(
    (Fraction(part, 16), Fraction(1, ratio))
    for part, ratio in ((1, 8), (1, 4), (2, 8), (2, 4), (3, 8), (4, 1))
)


@asking.size_of
def theorem_3(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: EpsilonLike,
    vc_dimension: int,
    **known: Unpack[asking.OfClass],
) -> PrivatePredictionSize:
    """Return the sample size of learning with private predictions, by relabelling.

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
        Printed: Lemma 15 for alpha/7 and beta/2 (six parts for Lemma 17, one for the flip), with
        the constant ``4 e**6`` of Lemma 18. Proved: the same sevenths, a fifth of the vote's for
        wrong unanimous votes, and errors that weigh what votes do, by the lemmas of the sharp size.
        Sharp: the best of a fixed list of divisions.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.

    Returns
    -------
    PrivatePredictionSize
        The order is ``d (d + log(1/beta)) / (epsilon alpha) + (d + log(1/beta)) / alpha**2``, up to
        logarithms.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The derivation is in the documentation, under *Sample sizes*.

    Examples
    --------
    >>> size = theorem_3("1/10", "1/20", 1, 1)
    >>> size.sample_size, size.subset_size, size.blocks, size.binding
    (1367145, 262250, 1845, 'blocks')
    >>> theorem_3("1/10", "1/20", 1, 1, constants="printed").sample_size
    2959397318808
    >>> theorem_3("1/10", "1/20", 1, 1, constants="proved").sample_size
    29923680
    """
    ask = asking.Ask(alpha, beta, vc_dimension=vc_dimension, epsilon=epsilon, **known)
    a, b, eps, tau = min(ask.alpha, asking.HALF), ask.beta, ask.privacy, ask.patterns
    if ask.printed:
        return _paper_size(a, b, eps, tau)

    rows = [row for row in ([[*_paper_split(a)]] if ask.proved else _rows(a)) if row]
    if not rows:
        raise InvalidInput("alpha", str(a), "a number above 2**-90")
    z = rows[0][0].flip

    @lru_cache(maxsize=64)
    def disagreements(n: int, ceiling: asking.Ceiling) -> int:
        return _disagreements(tau, n, z, eps, ceiling)

    @lru_cache(maxsize=4096)
    def block_size(block_error: Fraction, blocks: int, ceiling: asking.Ceiling) -> int:
        size, _ = lemma_sizes.drawn_net_size(tau, block_error, b / 2 / blocks, ceiling=ceiling)
        return max(_LEAST_BLOCK, size)

    def blocks_of(split: asking.Split, n: int, ceiling: asking.Ceiling) -> int:
        return ceil(split.sharpness / _vote_spends(split, disagreements(n, ceiling)))

    def conditions(split: asking.Split, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        yield from outline(split, n, ceiling)
        blocks = blocks_of(split, n, ceiling)
        yield "blocks", blocks * block_size(split.block_error, blocks, ceiling)

    def outline(split: asking.Split, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        yield (
            "generalisation",
            lemma_sizes.excess_deviation_size(tau, n, split.generalisation, b / 2, ceiling),
        )
        K = disagreements(n, ceiling)
        kappa = _vote_spends(split, K)
        yield "net", 1 + ceil(K / split.net)
        scale = lemma_sizes.ROUNDING / (split.ratio * kappa * split.selection)
        yield "selection", _selection_size(tau(n), scale, ceiling)
        blocks = blocks_of(split, n, ceiling)
        least = lemma_sizes.least_drawn_net_size(tau, split.block_error, b / 2 / blocks)
        yield "blocks", blocks * max(_LEAST_BLOCK, least)

    n, split, binding = asking.solved(conditions, rows, outline)
    K = disagreements(n, asking.certified_ceiling)
    kappa, blocks = _vote_spends(split, K), blocks_of(split, n, asking.certified_ceiling)
    left = 1 - 2 * z
    loss = lemma_sizes.vote_loss(split.sharpness)
    budget = (
        *split.budget("flip", "net", "selection", "generalisation"),
        asking.Share("alpha", "blocks", left * loss.slope * split.block_error),
        asking.Share("alpha", "vote", left * loss.unanimous),
        asking.Share("beta", "generalisation", b / 2),
        asking.Share("beta", "blocks", b / 2),
    )
    return PrivatePredictionSize(
        n,
        binding,
        ask.constants,
        budget,
        subset_size=1 + _subset_size(tau, n, z, K),
        eta=1 / (split.ratio * kappa * n),
        blocks=blocks,
        vote_epsilon=Epsilon(split.sharpness * lemma_sizes.SPENT / blocks),
        disagreements=K,
        flip_probability=z,
    )


def _paper_split(alpha: Fraction) -> Iterator[asking.Split]:
    """Yield the division of Lemma 15, for the least sharpness that a fifth of a seventh allows."""
    z = alpha / 7
    sixth = (alpha - z) / (1 - 2 * z) / 6
    for sharpness in lemma_sizes.SHARPNESS:
        loss = lemma_sizes.vote_loss(sharpness)
        if loss.unanimous <= sixth / 5:
            yield asking.Split(
                flip=z,
                net=2 * sixth,
                selection=sixth,
                generalisation=2 * sixth,
                block_error=4 * sixth / 5 / loss.slope,
                sharpness=sharpness,
            )
            return


def _rows(alpha: Fraction) -> Iterator[list[asking.Split]]:
    """Yield the divisions, by the sharpness of the vote, as far as its blocks may then err more."""
    z = _FLIP_PART * alpha
    left = (alpha - z) / (1 - 2 * z)
    for w, (v, ratio) in product(_GENERALISATION_PARTS, _SELECTIONS):
        private = (1 - w - v - _NET_PART) * left
        row: list[asking.Split] = []
        for sharpness in lemma_sizes.SHARPNESS:
            loss = lemma_sizes.vote_loss(sharpness)
            error = (private - loss.unanimous) / loss.slope
            if error > (row[-1].block_error if row else 0):
                row.append(
                    asking.Split(
                        flip=z,
                        net=_NET_PART * left,
                        selection=v * left,
                        generalisation=w * left,
                        block_error=error,
                        sharpness=sharpness,
                        ratio=ratio,
                    )
                )
        yield row


def _difference_log(tau: asking.Growth, n: int, flip: Fraction, real: Reals[asking.R]) -> asking.R:
    """Return ``ln(C(tau_n, 2) / b)``: b is how often a subset may fail to be a net.

    A subset that contains the example that changes fails with probability at most ``b = z (4
    e**rho - 1) / (1 - 2z)``: as n'/n is at most ``(e**epsilon - 1) / (4 e**rho - 1)``, that is a
    delta of at most ``z (e**epsilon - 1) / (1 - 2z)``, which the flip hides.
    """
    failure = min(Fraction(1), flip * (_MATCHED - 1) / (1 - 2 * flip))
    return real.log(comb(tau(n), 2)) - real.log(failure)


def _disagreements(
    tau: asking.Growth, n: int, flip: Fraction, epsilon: Epsilon, ceiling: asking.Ceiling
) -> int:
    """Return the least K with ``1 + (n'/n) (4 e**rho - 1) <= e**epsilon e**(-rho/K)``.

    ``n' = 1 + ceil((n - 1) L / K)`` indices are a net of that accuracy, L being the logarithm
    above. As ``n'/n <= L/K + 2/n``, and n is at least ``A m / kappa >= 48 K / rho``, the second
    term is at most ``rho / (24 K)``. It is also made sure that n' is at most n/2.
    """
    t = epsilon.ratio

    def needed(real: Reals[asking.R]) -> asking.R:
        part = _difference_log(tau, n, flip, real) + real.exactly(_EXPONENT / 24)
        return (real.exactly(_MATCHED - 1) * part + real.exactly(t * _EXPONENT)) / real.exactly(
            t - 1
        )

    def half(real: Reals[asking.R]) -> asking.R:
        return 2 * _difference_log(tau, n, flip, real) + real.exactly(_EXPONENT / 12)

    return max(ceiling(needed), ceiling(half), _LEAST_DISAGREEMENTS)


def _subset_size(tau: asking.Growth, n: int, flip: Fraction, disagreements: int) -> int:
    def needed(real: Reals[asking.R]) -> asking.R:
        return _difference_log(tau, n, flip, real) * real.exactly(Fraction(n - 1, disagreements))

    return asking.certified_ceiling(needed)


def _vote_spends(split: asking.Split, disagreements: int) -> Fraction:
    """Return kappa, the vote's epsilon: K disagreements cost rho, of it and twice the weights'."""
    return _EXPONENT / ((1 + 2 * split.ratio) * disagreements)


def _selection_size(candidates: int, scale: Fraction, ceiling: asking.Ceiling) -> int:
    def needed(real: Reals[asking.R]) -> asking.R:
        return real.lambert(candidates) * real.exactly(scale)

    return ceiling(needed)


# Lemma 18 as it stands: 4 e**6, rounded up.
_PAPER_MATCHED = Fraction(16138, 10)


@dataclass(frozen=True, slots=True)
class _PaperParts:
    """What Lemma 15 asks of a sample of n examples, besides n itself."""

    block: int
    inverse_eta: int
    subset: int


def _paper_parts(
    tau: asking.Growth, n: int, alpha: Fraction, beta: Fraction, ceiling: asking.Ceiling
) -> _PaperParts:
    d = tau.vc_dimension
    # There are at most n blocks.
    block = lemma_sizes.paper_net_size(d, alpha / 5, beta / n, ceiling)

    def vote(real: Reals[asking.R]) -> asking.R:
        # Half a vote more, as their number is rounded down.
        votes = real.exactly(4 * lemma_sizes.ROUNDING) * real.log(5 / alpha) + real.exactly(
            asking.HALF
        )
        return block * votes

    def selection(real: Reals[asking.R]) -> asking.R:
        return real.log(tau(n)) / real.exactly(alpha)

    inverse_eta = max(ceiling(vote), ceiling(selection))
    small = 1 + lemma_sizes.paper_net_size(d, Fraction(1, inverse_eta), alpha, ceiling)
    return _PaperParts(
        block, inverse_eta, max(lemma_sizes.paper_net_size(d, alpha, alpha, ceiling), small)
    )


def _paper_size(
    alpha: Fraction, beta: Fraction, epsilon: Epsilon, tau: asking.Growth
) -> PrivatePredictionSize:
    a, b, part = alpha / 7, beta / 2, _paper_part(epsilon)

    def conditions(_: object, n: int, ceiling: asking.Ceiling) -> asking.Sizes:
        parts = _paper_parts(tau, n, a, b, ceiling)
        yield "generalisation", lemma_sizes.two_sided_size(tau(n), a, b, ceiling)
        yield "subset", ceil(parts.subset / part)
        yield "privacy of the vote", ceil(parts.inverse_eta / part)

    n, _, binding = asking.solved(conditions, [[asking.Split()]])
    parts = _paper_parts(tau, n, a, b, asking.certified_ceiling)
    eta = Fraction(1, parts.inverse_eta)
    budget = (
        asking.Share("alpha", "flip", a),
        asking.Share("alpha", "net", a),
        asking.Share("alpha", "failure of the net", a),
        asking.Share("alpha", "selection", a),
        asking.Share("alpha", "generalisation, to and fro", 2 * a),
        asking.Share("alpha", "private learner", a),
        asking.Share("beta", "generalisation", b),
        asking.Share("beta", "private learner", b),
    )
    return PrivatePredictionSize(
        n,
        binding,
        Constants.PRINTED,
        budget,
        subset_size=parts.subset,
        eta=eta,
        blocks=n // parts.block,
        vote_epsilon=Epsilon(1 / (eta * n)),
        disagreements=int(eta * (n - 1)) + 1,
        flip_probability=a,
    )


def _paper_part(epsilon: Epsilon) -> Fraction:
    """Return e0, at most 1/2, with ``e**(3 e0) (1 + 4 e**6 e0 / (1 - e0)) <= e**epsilon``.

    It bounds ``n'/n`` and ``1/(eta n)`` in Lemma 15.
    """

    def enough(part: Fraction) -> bool:
        factor = Interval.exp(3 * part, 96) * (1 + _PAPER_MATCHED * part / (1 - part))
        return factor.upper <= epsilon.ratio

    if enough(asking.HALF):
        return asking.HALF
    power = next(i for i in count(2) if enough(Fraction(1, 1 << i)))
    # To 32 significant bits: so that the result does not decrease in epsilon.
    unit = Fraction(1, 1 << (32 + power))
    return (least_integer(lambda n: not enough(n * unit), 1 + (1 << 32), 1 << 33) - 1) * unit
