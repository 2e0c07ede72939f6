"""The exponential mechanism over a finite class: Lemma 7, and the learner that is just that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import FiniteClass
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.baselines import ExponentialLearner
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
    excess_deviation_size,
    two_sided_size,
)


def exponential_mechanism_size(
    alpha: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    class_size: int,
    *,
    constants: Constants = "sharp",
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
        ``"paper"``: ``n >= 2 ln|H| / (epsilon alpha)``. ``"sharp"``: ``n >= 2 W((|H| - 1)/e) /
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
    >>> exponential_mechanism_size("1/10", 1.0, 1000, constants="paper").sample_size
    139
    """
    paper = require_constants(constants)
    a, eps = as_open_unit(alpha, "alpha"), as_positive_epsilon(epsilon)
    size = as_size(class_size, "class_size", least=1)
    needed = (
        paper_selection_size(size, eps.ratio, a, certified_ceiling)
        if paper
        else selection_size(size, decay_spent(eps), a, certified_ceiling)
    )
    return LeastSize(max(1, needed), "selection", constants)


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


@dataclass(frozen=True, slots=True)
class _Split:
    selection: Fraction
    generalisation: Fraction


@cache
def _splits() -> tuple[_Split, ...]:
    return tuple(_Split(1 - part, part) for part in shares(finest=10, parts=32))


@dataclass(frozen=True, slots=True)
class ExponentialLearnerSize:
    """How many examples the exponential mechanism over a whole finite class needs.

    Attributes
    ----------
    sample_size : int
        n.
    epsilon : Epsilon
        The privacy parameter, of the hypothesis itself.
    budget : tuple of Share
        How alpha is divided.
    binding : str
        The condition that decided.
    constants : str
        ``"paper"`` or ``"sharp"``.
    """

    sample_size: int
    epsilon: Epsilon
    budget: tuple[Share, ...] = field(repr=False)
    binding: str
    constants: Constants

    def learner(self, H: FiniteClass) -> ExponentialLearner:
        """Return the learner, which refuses samples that are too small.

        Parameters
        ----------
        H
            A class of the VC dimension and of the size that were asked for.
        """
        return ExponentialLearner(H, self.epsilon, self.sample_size)


def exponential_learner_size(
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    vc_dimension: int,
    class_size: int,
    *,
    constants: Constants = "sharp",
) -> ExponentialLearnerSize:
    """Return how many examples make a finite class privately and agnostically learnable.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha.
    epsilon
        The privacy of the hypothesis that is output, above 0.
    vc_dimension, class_size
        d, at least 1, and |H|, at least 2**d.
    constants
        ``"paper"``: alpha in three equal parts, and the constants of Lemmas 6 and 7. ``"sharp"``:
        the best of a fixed list of splits.

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
    paper = require_constants(constants)
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    eps = as_positive_epsilon(epsilon)
    if class_size is None:
        raise InvalidInput("class_size", "None", "the number of hypotheses")
    tau = Growth(vc_dimension, class_size)

    def paper_conditions(third: Fraction, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        yield "selection", paper_selection_size(class_size, eps.ratio, third, ceiling)
        yield "generalisation", two_sided_size(tau(n), third, b, ceiling)

    def conditions(split: _Split, n: int, ceiling: Ceiling) -> Iterator[tuple[str, int]]:
        yield (
            "generalisation",
            excess_deviation_size(tau, n, split.generalisation * a, b, ceiling),
        )
        yield "selection", selection_size(class_size, decay, split.selection * a, ceiling)

    if paper:
        n = fixed_point(paper_conditions, a / 3)
        budget = (
            Share("alpha", "selection", a / 3),
            Share("alpha", "generalisation, to and fro", 2 * a / 3),
        )
        binding = binding_condition(paper_conditions(a / 3, n, certified_ceiling))
    else:
        decay = decay_spent(eps)
        n, split = best_split(conditions, _splits(), _Split(Fraction(1), Fraction(1)))
        budget = (
            Share("alpha", "selection", split.selection * a),
            Share("alpha", "generalisation", split.generalisation * a),
        )
        binding = binding_condition(conditions(split, n, certified_ceiling))
    return ExponentialLearnerSize(n, eps, budget, binding, constants)
