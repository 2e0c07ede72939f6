"""The exponential mechanism over a finite class: Lemma 7, and the learner that is just that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pac_stability.arguments import AnyNumber, as_open_unit, as_size, described
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, as_constants
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import Family, FiniteClass
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.baselines import ExponentialLearner
from pac_stability.papers.dagan_feldman.sample_complexity._ceilings import (
    Ceiling,
    R,
    Reals,
    certified_ceiling,
    rounded_up_decay,
    shares,
    solved,
)
from pac_stability.papers.dagan_feldman.sample_complexity.asking import (
    Ask,
    LeastSize,
    Share,
    Size,
    Split,
)
from pac_stability.papers.dagan_feldman.sample_complexity.generalisation import (
    excess_deviation_size,
    two_sided_size,
)


def exponential_mechanism_size(
    alpha: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    class_size: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> LeastSize:
    """Return how many examples keep the exponential mechanism near the best loss (Lemma 7).

    Parameters
    ----------
    alpha
        The expected loss on the sample is at most the least one plus alpha: above 0, below 1.
    epsilon
        The privacy parameter, above 0.
    class_size
        |H|, at least 1.
    constants
        Printed: ``n >= 2 ln|H| / (epsilon alpha)``. Proved and sharp: ``n >= 2 W((|H| - 1)/e) /
        (epsilon alpha)``, with Lambert's W, which is the least that is right for all losses.

    Returns
    -------
    LeastSize
        At least 1. Both hold for the rational decay that
        :func:`~pac_stability.mechanisms.decay_for` makes of epsilon, which is why the sharp size
        can be larger by one in 2**16 than the formula says.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> exponential_mechanism_size("1/10", 1.0, 1000).sample_size
    89
    >>> exponential_mechanism_size("1/10", 1.0, 1000, constants="printed").sample_size
    139
    """
    whose = as_constants(constants)
    a, eps = as_open_unit(alpha, "alpha"), as_positive_epsilon(epsilon)
    size = as_size(class_size, "class_size", least=1)
    needed = (
        paper_selection_size(size, eps.ratio, a, certified_ceiling)
        if whose is Constants.PRINTED
        else selection_size(size, decay_spent(eps), a, certified_ceiling)
    )
    return LeastSize(max(1, needed), "selection", whose)


def decay_spent(epsilon: Epsilon) -> Fraction:
    """Return a decay that is at least the one by which a mechanism spends epsilon."""
    return rounded_up_decay(1 / (epsilon / 2).ratio)


def selection_size(candidates: int, decay: Fraction, alpha: Fraction, ceiling: Ceiling) -> int:
    """Return the least n for an excess loss of alpha when one more error multiplies by decay."""

    def needed(real: Reals[R]) -> R:
        return real.lambert(candidates) / (real.log(1 / decay) * real.exactly(alpha))

    return ceiling(needed)


def paper_selection_size(
    candidates: int, ratio: Fraction, alpha: Fraction, ceiling: Ceiling
) -> int:
    """Return ``2 ln N / (epsilon alpha)`` for the epsilon with ``e**epsilon = ratio``."""

    def needed(real: Reals[R]) -> R:
        return 2 * real.log(candidates) / (real.log(ratio) * real.exactly(alpha))

    return ceiling(needed)


@cache
def _splits() -> tuple[Split, ...]:
    return tuple(
        Split(selection=1 - part, generalisation=part) for part in shares(finest=10, parts=32)
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExponentialLearnerSize(Size[ExponentialLearner]):
    """How many examples the exponential mechanism over a whole finite class needs.

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
    epsilon : Epsilon
        The privacy parameter, of the hypothesis itself.
    """

    epsilon: Epsilon

    def _made(self, H: Family) -> ExponentialLearner:
        if not isinstance(H, FiniteClass):
            raise InvalidInput("H", described(H), "a FiniteClass")
        return ExponentialLearner(H, self.epsilon, self.sample_size)


def exponential_learner_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    vc_dimension: int,
    class_size: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> ExponentialLearnerSize:
    """Return how many examples make a finite class privately and agnostically learnable.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    epsilon
        The privacy of the hypothesis that is output, above 0.
    vc_dimension, class_size
        d, at least 1, and |H|, at least 2**d.
    constants
        Printed: alpha in three equal parts, and the constants of Lemmas 6 and 7. Proved: these
        parts, with the sharp lemmas. Sharp: the best of a fixed list of divisions.

    Returns
    -------
    ExponentialLearnerSize
        The learner of Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith, *What can we learn
        privately?*, 2011. The order is ``ln|H| / (alpha epsilon) + (d + ln(1/beta)) / alpha**2``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> exponential_learner_size("1/10", "1/20", 1, 1, 2**64).sample_size
    5504
    """
    if class_size is None:
        raise InvalidInput("class_size", "None", "the number of hypotheses")
    ask = Ask(
        alpha,
        beta,
        vc_dimension=vc_dimension,
        epsilon=epsilon,
        class_size=class_size,
        constants=constants,
    )
    a, b, eps, tau = ask.alpha, ask.beta, ask.privacy, ask.patterns
    decay = decay_spent(eps)

    def paper_conditions(split: Split, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        third = split.selection * a
        yield "selection", paper_selection_size(class_size, eps.ratio, third, ceiling)
        yield "generalisation", two_sided_size(tau(n), third, b, ceiling)

    def conditions(split: Split, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        yield (
            "generalisation",
            excess_deviation_size(tau, n, split.generalisation * a, b, ceiling),
        )
        yield "selection", selection_size(class_size, decay, split.selection * a, ceiling)

    splits, least = [Split(selection=Fraction(1, 3), generalisation=Fraction(2, 3))], None
    if ask.constants is Constants.SHARP:
        splits += _splits()
        least = Split(selection=Fraction(1), generalisation=Fraction(1))
    n, split, binding = solved(paper_conditions if ask.printed else conditions, splits, least)
    step = "generalisation, to and fro" if ask.printed else "generalisation"
    return ExponentialLearnerSize(
        sample_size=n,
        epsilon=eps,
        budget=(
            Share("alpha", "selection", split.selection * a),
            Share("alpha", step, split.generalisation * a),
        ),
        binding=binding,
        constants=ask.constants,
    )
