"""The two kinds of learner: one draws a hypothesis, the other labels one point at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Generic

from pac_stability.arguments import as_points
from pac_stability.classes import Hypothesis
from pac_stability.data import FiniteDistribution, Sample, enumerate_law
from pac_stability.data.required import require_sample
from pac_stability.errors import Unanswerable
from pac_stability.learning.learner import P_contra, Probability, Promises
from pac_stability.learning.prepared import HeldSample, PreparedPredictor
from pac_stability.randomness import SYSTEM_COINS, Coins


class _Base(Generic[P_contra]):
    """What is the same for both kinds unless a learner says more."""

    __slots__ = ()

    @property
    def symmetric(self) -> bool:
        """Whether the order of a sample never matters, so that audits may take them up to order."""
        return False

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return 0

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # nothing, whatever n
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Mapping
            From :class:`~pac_stability.audit.Notion` to what its audit takes as a claim: a number,
            a :class:`~pac_stability.mechanisms.PrivacyGuarantee`, or one of
            :mod:`pac_stability.learning.promises`. Empty where nothing is promised.
        """
        return {}

    def require(self, sample: object) -> None:
        """Refuse what is no sample, and a sample that is too small.

        Parameters
        ----------
        sample
            What came.

        Raises
        ------
        InvalidInput
            It is no :class:`~pac_stability.data.Sample`, or has fewer examples than
            :attr:`least_examples`.
        """
        require_sample(sample, self.least_examples)

    @abstractmethod
    def predict(
        self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point."""

    def prepare(self, sample: Sample[P_contra], /) -> PreparedPredictor[P_contra]:
        """Return what answers questions about points, with what needs no coins computed once.

        Returns
        -------
        PreparedPredictor
            Each answer has the law of :meth:`predict`.

        Raises
        ------
        InvalidInput
            As for all uses.
        """
        self.require(sample)
        return HeldSample(self, sample)


class LawfulLearner(_Base[P_contra], ABC):
    """A learner that draws a hypothesis and labels points by it.

    A subclass defines ``law`` or ``run``, or both, and says ``symmetric`` and ``promises`` where it
    can. Each is found from the other: the law of ``run`` by following all paths of its coins
    (:func:`pac_stability.data.enumerate_law`), a run by sampling from the law.

    Raises
    ------
    TypeError
        A subclass has neither.

    Examples
    --------
    >>> from pac_stability.classes import Threshold
    >>> class OneOfTheOnes(LawfulLearner[int]):
    ...     def run(self, sample, /, rng=SYSTEM_COINS):
    ...         ones = [x for x, y in zip(sample.points, sample.labels) if y]
    ...         return Threshold(ones[rng.below(len(ones))] if ones else 9)
    >>> learner, sample = OneOfTheOnes(), Sample([1, 2, 3], [0, 1, 1])
    >>> learner.law(sample)
    FiniteDistribution({Threshold(cut=2, upward=True): 1/2, Threshold(cut=3, upward=True): 1/2})
    >>> learner.probabilities(sample, [1, 2, 3])
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 1))
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if cls.law is LawfulLearner.law and cls.run is LawfulLearner.run:
            raise TypeError(f"{cls.__qualname__} has neither law nor run")

    def law(self, sample: Sample[P_contra], /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.

        Raises
        ------
        Unanswerable
            It has too many parts to be listed.
        """
        return enumerate_law(lambda rng: self.run(sample, rng))

    def run(self, sample: Sample[P_contra], /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.law(sample).sample(rng)

    def probabilities(
        self, sample: Sample[P_contra], points: Sequence[P_contra], /
    ) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        at, law = as_points(points), self.law(sample)
        weights = law.numerators.items()
        return tuple(
            Fraction(sum(weight for h, weight in weights if h(point)), law.denominator)
            for point in at
        )

    def predict(
        self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point, by a hypothesis drawn for it alone.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.run(sample, rng)(point)


class PointwiseLearner(_Base[P_contra], ABC):
    """A learner that labels one point at a time, each with coins of its own.

    There is no hypothesis that it draws: labels of two points are independent. A subclass defines
    ``probabilities``, and says ``symmetric`` and ``promises`` where it can; it may define
    ``predict`` where the algorithm is another than to toss a coin of that probability.

    Examples
    --------
    >>> class Average(PointwiseLearner[object]):
    ...     def probabilities(self, sample, points, /):
    ...         return [Fraction(sum(sample.labels), len(sample))] * len(points)
    >>> learner, sample = Average(), Sample("abc", [1, 1, 0])
    >>> learner.probabilities(sample, "z"), learner.predict(sample, "z") in (0, 1)
    ([Fraction(2, 3)], True)
    >>> learner.law(sample)
    Traceback (most recent call last):
        ...
    pac_stability.errors.Unanswerable: law of Average: it labels each point by coins of its own, \
so there is no hypothesis that it draws
    """

    __slots__ = ()

    @abstractmethod
    def probabilities(
        self, sample: Sample[P_contra], points: Sequence[P_contra], /
    ) -> Sequence[Probability]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """

    def predict(
        self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.

        Raises
        ------
        Unanswerable
            The probability is irrational.
        """
        (p,) = self.probabilities(sample, [point])
        if not isinstance(p, Fraction):
            raise Unanswerable(
                f"prediction of {type(self).__qualname__}",
                "its probabilities are irrational, and coins are tossed for rational ones",
            )
        return rng.bernoulli(p)

    def law(self, sample: Sample[P_contra], /) -> FiniteDistribution[Hypothesis]:  # noqa: ARG002  # refused for all
        """Refuse: there is no hypothesis to have a law.

        Parameters
        ----------
        sample
            S.

        Raises
        ------
        Unanswerable
            Always.
        """
        raise self._no_hypothesis("law")

    def run(self, sample: Sample[P_contra], /, rng: Coins = SYSTEM_COINS) -> Hypothesis:  # noqa: ARG002  # refused for all
        """Refuse: there is no hypothesis to draw.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.

        Raises
        ------
        Unanswerable
            Always.
        """
        raise self._no_hypothesis("run")

    def _no_hypothesis(self, asked: str) -> Unanswerable:
        return Unanswerable(
            f"{asked} of {type(self).__qualname__}",
            "it labels each point by coins of its own, so there is no hypothesis that it draws",
        )
