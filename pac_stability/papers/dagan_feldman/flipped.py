"""Corollary 2: private predictions by flipping the labels of a stable learner."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeVar, cast

from pac_stability.arguments import AnyNumber, as_open_unit, as_probability, described
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import Family
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import (
    AnyData,
    PointwiseLearner,
    Predictor,
    PreparedPredictor,
    Promises,
    as_sample,
)
from pac_stability.learning.learner import HeldSample
from pac_stability.mechanisms import Flip, PrivacyGuarantee
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman._answering import FlippedAnswers
from pac_stability.papers.dagan_feldman._checks import subset_size_for
from pac_stability.papers.dagan_feldman.stable import StableLearner
from pac_stability.randomness import SYSTEM_COINS, Coins

_HALF = Fraction(1, 2)


class PointPredictor(Predictor[Hashable, Fraction], Protocol):
    """A learner that predicts one point at a time, and knows with which probabilities."""

    def predict(
        self, sample: Sample[Hashable], point: Hashable, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point."""
        ...


T = TypeVar("T")
Base_co = TypeVar("Base_co", bound=PointPredictor, covariant=True)


@dataclass(frozen=True, slots=True)
class FlippedLearner(PointwiseLearner[Hashable], Generic[Base_co]):
    """Predict with another learner, and then flip the label with a fixed probability.

    Parameters
    ----------
    base
        A learner with ``probabilities`` and ``predict``, such as :class:`StableLearner`.
    flip_probability
        z, an exact number from 0 to 1/2 (alpha in Corollary 2).

    Raises
    ------
    InvalidInput
        The base is no such learner, or the probability is out of range or not exact.

    Notes
    -----
    The probability p of label 1 becomes ``z + (1 - 2z) p``, and a loss L ``L + z (1 - 2L)``: at
    most z is lost. Corollary 2 is meant for z up to 1/2. Beyond it a flip inverts predictions, and
    ``gamma = epsilon z`` stops giving epsilon: z = 19/20 and epsilon = 1/10 can give 0.997.

    Two accounts of a flipped :class:`StableLearner` are exact for what they start from; none is
    always the better one, and :meth:`factor` is the smaller.

    - *From stability*, as in the paper: gamma-stable predictions become private with the factor
      ``1 + (1 - 2z) gamma / z``, so that gamma up to ``z (e**epsilon - 1) / (1 - 2z)`` will do. The
      paper takes ``gamma = epsilon z / 2``.
    - *From privacy*: predictions that are (epsilon_0, delta)-private are private, once flipped,
      with any factor ``t >= max(e**epsilon_0, 1 + (1 - 2z) delta / z)``, since then ``z + w p <=
      z + w (e**epsilon_0 p' + delta) <= t (z + w p')``, where ``w = 1 - 2z``. The learner has
      ``delta = n'/n``. So what the exponential mechanism spends comes before the flip, not on top
      of what the flip must hide, and a flip with ``z >= q / (e**epsilon - 1 + 2q)``, ``q = n'/n``,
      is enough for every epsilon from epsilon_0 on.

    Source: DF20 Corollary 2 and Section 3.

    Examples
    --------
    >>> from pac_stability import classes
    >>> base = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(Fraction(9, 4)))
    >>> learner = FlippedLearner(base, Fraction(1, 10))
    >>> learner.probabilities(Sample([0, 1], [0, 1]), [0, 1])
    (Fraction(23, 50), Fraction(7, 10))
    >>> learner.factor_from_stability(100), learner.factor_from_privacy(100), learner.factor(100)
    (Fraction(333, 125), Fraction(2133, 1117), Fraction(2133, 1117))
    """

    base: Base_co
    flip_probability: Fraction

    def __post_init__(self) -> None:
        for method in ("probabilities", "predict"):
            if not callable(getattr(self.base, method, None)):
                raise InvalidInput(
                    "base", described(self.base), "a learner with probabilities and predict"
                )
        flip = as_probability(self.flip_probability, "flip_probability", _HALF)
        object.__setattr__(self, "flip_probability", flip)

    @staticmethod
    def from_privacy(
        H: Family, epsilon: Epsilon | AnyNumber, flip_probability: AnyNumber, n: int
    ) -> FlippedLearner[StableLearner]:
        """Return an epsilon-private learner with the largest subset that its flip can hide.

        Parameters
        ----------
        H
            The class.
        epsilon
            The privacy of each prediction, above 0.
        flip_probability
            z, an exact number above 0 and at most 1/2.
        n
            The least size of a sample.

        Returns
        -------
        FlippedLearner
            Its exponential mechanism has the whole of epsilon, and ``n'`` is ``z (e**epsilon - 1) /
            (1 - 2z)`` of n, rounded down; at most n.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or n is too small for any subset: the message says what
            size is needed.

        Notes
        -----
        For ``z = alpha``, :meth:`from_paper` has at most a quarter of this subset, and ``alpha
        epsilon / 8`` for the exponential mechanism.

        Examples
        --------
        >>> from pac_stability import classes
        >>> H, nine = classes.thresholds(9), Epsilon.exactly(Fraction(9, 4))
        >>> learner = FlippedLearner.from_privacy(H, nine, Fraction(1, 10), 1000)
        >>> learner.base.subset_size, learner.factor(1000) <= nine.ratio
        (156, True)
        """
        asked = as_epsilon(epsilon)
        flip = as_probability(flip_probability, "flip_probability", _HALF)
        part = Flip(flip).largest_stability(asked)
        if part == 0:
            unusable = "epsilon" if flip else "flip_probability"
            raise InvalidInput(unusable, "0", "a number above 0")
        return FlippedLearner(StableLearner(H, subset_size_for(n, part), asked, n), flip)

    @staticmethod
    def from_paper(
        H: Family, alpha: AnyNumber, epsilon: AnyNumber, n: int
    ) -> FlippedLearner[StableLearner]:
        """Return the learner of Section 3 as it stands: epsilon-private, for alpha up to 1/2.

        Parameters
        ----------
        H
            The class.
        alpha
            The accuracy, an exact number above 0 and at most 1/2: the flip probability.
        epsilon
            The privacy of each prediction, an exact number above 0 and below 1.
        n
            The least size of a sample.

        Returns
        -------
        FlippedLearner
            Over :meth:`StableLearner.from_outline` with ``gamma = epsilon alpha / 2``.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or n is too small.

        Notes
        -----
        ``1 + (1 - 2 alpha) epsilon / 2 <= e**epsilon``, with at least half of epsilon to spare.
        """
        flip = as_probability(alpha, "alpha", _HALF)
        gamma = as_open_unit(epsilon, "epsilon") * as_open_unit(flip, "alpha") / 2
        return FlippedLearner(StableLearner.from_outline(H, gamma, n), flip)

    @property
    def flip(self) -> Flip:
        """The mechanism that comes after the prediction."""
        return Flip(self.flip_probability)

    @property
    def symmetric(self) -> bool:
        """Whether the base declares that the order of a sample does not matter."""
        return bool(getattr(self.base, "symmetric", False))

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        z = self.flip_probability
        return tuple(z + (1 - 2 * z) * p for p in self.base.probabilities(_given(sample), points))

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.flip.run(self.base.predict(_given(sample), point, rng), rng)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: the base is prepared, if it can be.

        Parameters
        ----------
        sample
            S.
        """
        return FlippedAnswers(
            self,
            len(as_sample(sample)),
            _prepared(self.base, sample),
            LazyCoin.of(self.flip_probability),
        )

    def factor(self, n: int) -> Fraction | float:
        """Return a factor ``e**epsilon`` with which predictions are private: the best known here.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction or math.inf
            The smaller of :meth:`factor_from_stability` and :meth:`factor_from_privacy`; infinite
            without a flip.

        Raises
        ------
        InvalidInput
            The base does not promise stability and private prediction (ask :attr:`flip` what it
            makes of other guarantees), or n is smaller than its samples.
        """
        return min(self.factor_from_stability(n), self.factor_from_privacy(n))

    def factor_from_stability(self, n: int) -> Fraction | float:
        """Return what the base being stable implies alone: the factor ``1 + (1-2z) gamma/z``.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return self.flip.factor_after(self._said(Notion.UNIFORM_STABILITY, n, Fraction))

    def factor_from_privacy(self, n: int) -> Fraction | float:
        """Return the factor that follows from the base's (epsilon_0, n'/n)-private prediction.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction or math.inf
            The exact worst case, :meth:`~pac_stability.mechanisms.Flip.factor_after`. When it is at
            least ``e**epsilon_0`` it is ``1 + (1 - 2z) q / z``.
        """
        guarantee = self._said(Notion.PRIVATE_PREDICTION, n, PrivacyGuarantee)
        return self.flip.factor_after(guarantee.delta, guarantee.epsilon)

    def promises(self, n: int, /) -> Promises:
        """Return what follows from the promises of the base, by notion; without them, nothing.

        Parameters
        ----------
        n
            The size of the samples.
        """
        z, said = self.flip_probability, _promised(self.base, n)
        promised: dict[Hashable, object] = {}
        factors: list[Fraction | float] = []
        if Notion.UNIFORM_STABILITY in said:
            gamma = self._said(Notion.UNIFORM_STABILITY, n, Fraction)
            promised[Notion.UNIFORM_STABILITY] = (1 - 2 * z) * gamma
            factors.append(self.factor_from_stability(n))
        if Notion.PRIVATE_PREDICTION in said:
            factors.append(self.factor_from_privacy(n))
        if factors and isinstance(least := min(factors), Fraction):
            promised[Notion.PRIVATE_PREDICTION] = PrivacyGuarantee(Epsilon.exactly(least))
        elif Notion.PRIVATE_PREDICTION in said:
            promised[Notion.PRIVATE_PREDICTION] = said[Notion.PRIVATE_PREDICTION]
        return promised

    def _said(self, notion: Notion, n: int, kind: type[T]) -> T:
        said = _promised(self.base, n).get(notion)
        if not isinstance(said, kind):
            wanted = f"a StableLearner, or what promises {notion.value} (or use flip.factor_after)"
            raise InvalidInput("base", described(self.base), wanted)
        return said


def _given(sample: AnyData) -> Sample[Hashable]:
    """Hand a sample on as it is: a base that takes arrays may be given them."""
    return cast("Sample[Hashable]", sample)


def _prepared(base: PointPredictor, sample: AnyData) -> PreparedPredictor[Hashable]:
    prepare = getattr(base, "prepare", None)
    if callable(prepare):
        return cast("PreparedPredictor[Hashable]", prepare(sample))
    return HeldSample(base, _given(sample))


def _promised(base: object, n: int) -> Promises:
    promises = getattr(base, "promises", None)
    return cast("Promises", promises(n)) if callable(promises) else {}


def _as_stable(base: object) -> StableLearner:
    if not isinstance(base, StableLearner):
        raise InvalidInput("base", described(base), "a StableLearner (or use flip.factor_after)")
    return base


def least_flip_probability(base: StableLearner, epsilon: Epsilon | AnyNumber, n: int) -> Fraction:
    """Return the least z for which flipped predictions are known to be epsilon-private.

    Parameters
    ----------
    base
        The stable learner.
    epsilon
        The privacy of each prediction.
    n
        The size of the samples.

    Returns
    -------
    Fraction
        The least z with ``FlippedLearner(base, z).factor(n) <= e**epsilon``. With ``q = n'/n`` it
        is ``q / (e**epsilon - 1 + 2q)`` for every epsilon from the exponential mechanism's on.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or n is smaller than the samples of the learner.

    Notes
    -----
    Both accounts have the form ``z >= v / (t - 1 + 2v)`` with ``t = e**epsilon``. From stability,
    ``v = gamma``. From privacy, v is the larger of q and ``1 - (1 + t) (1 - q) / (1 + rho**-2)``.
    The former is the smaller when, and only when, ``t < 2 (1 + rho**2) / (rho (1 + rho)) - 1``,
    which is less than ``rho**-2``: when privacy is wanted that the exponential mechanism does not
    have before the flip.

    Examples
    --------
    With n'/n = 1/100 and 3/2 for the factor of each half of the exponential mechanism, which is
    1/5-stable:

    >>> from pac_stability import classes
    >>> base = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(Fraction(9, 4)))
    >>> least_flip_probability(base, Epsilon.exactly(Fraction(9, 4)), 100)
    Fraction(1, 127)
    >>> Flip(Fraction(1, 127)).factor_after(base.stability(100)) > 25
    True
    """
    t = as_epsilon(epsilon).ratio
    guarantee = _as_stable(base).guarantee(n)
    q = guarantee.delta
    hidden = min(base.stability(n), max(q, 1 - (1 + t) * (1 - q) / (1 + guarantee.factor)))
    return hidden / (t - 1 + 2 * hidden)
