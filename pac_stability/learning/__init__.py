"""What a learner is: its law, its runs, its predictions, and its promises.

:class:`Learner` is the protocol that the learners of all papers have, and that audits take.
:class:`LawfulLearner` makes a learner from a law or a program: it draws a hypothesis.
:class:`PointwiseLearner` makes one from probabilities: it labels one point at a time. Anything that
turns a sample into a hypothesis can serve as one, too: a class, a function, or a classifier to be
fitted. :class:`PreparedPredictor` is a learner that has seen its sample and is ready for many
answers; :class:`Mask` makes a hypothesis of an integer.
"""

from __future__ import annotations

import copy
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeAlias, TypeGuard, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_points, described, require_instance, require_size
from pac_stability.arithmetic import EpsilonLike, Interval
from pac_stability.classes import ErrorCounter, Family, Hypothesis
from pac_stability.classes.family import require_family
from pac_stability.classes.finite_class import Mask
from pac_stability.data import AnySample, ArraySample, FiniteDistribution, Sample, enumerate_law
from pac_stability.data.sample import require_sample
from pac_stability.errors import InvalidInput, Unanswerable
from pac_stability.randomness import SYSTEM_COINS, Coins

__all__ = [
    "Accuracy", "AnyData", "BaseLearner", "Classifier", "FittedClassifier", "HeldSample",
    "Hypothesis", "LawfulLearner", "Learner", "Mask", "PerfectGeneralization", "PointwiseLearner",
    "Predictor", "PreparedPredictor", "Probability", "Promises", "RobustGeneralization",
    "as_counter", "as_listed", "as_sample",
]  # fmt: skip

P_contra = TypeVar("P_contra", contravariant=True)
Number_co = TypeVar("Number_co", covariant=True)

Probability: TypeAlias = Fraction | Interval
"""A probability: exact, or enclosed where it is irrational."""

Promises: TypeAlias = Mapping[Hashable, object]
"""What holds of a learner, by notion: the value of each is what its audit takes as a claim."""


class Predictor(Protocol[P_contra, Number_co]):
    """Labels points, given a sample, and knows the probability of each label."""

    def probabilities(
        self, sample: Sample[P_contra], points: Sequence[P_contra], /
    ) -> Sequence[Number_co]:
        """Return the exact probability of label 1 at each of the points."""
        ...


class Learner(Predictor[P_contra, Probability], Protocol[P_contra]):
    """A randomised map from samples to hypotheses, which answers every question of an audit.

    A class is a learner when it has these members; it need not inherit.
    :class:`~pac_stability.learning.LawfulLearner` and
    :class:`~pac_stability.learning.PointwiseLearner` supply most of them. A method raises
    :class:`~pac_stability.errors.Unanswerable`, with the reason, where the answer cannot be
    computed.
    """

    @property
    def symmetric(self) -> bool:
        """Whether the order of a sample never matters, so that audits may take them up to order."""
        ...

    def law(self, sample: Sample[P_contra], /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis."""
        ...

    def run(self, sample: Sample[P_contra], /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis, drawn with the coins ``rng`` from that law."""
        ...

    def predict(
        self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point, 1 with the probability of ``probabilities``."""
        ...

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion."""
        ...


# Prepared: a sample has been seen

ManyPoints: TypeAlias = Iterable[P_contra] | npt.NDArray[Any]
"""Points one after the other, or in an array of shape (k,), numbers, or (k, p), vectors."""


class PreparedPredictor(ABC, Generic[P_contra]):
    """What a learner makes of one sample, so that the next answer costs little.

    ``learner.prepare(sample)`` returns one. It computes once whatever does not depend on coins,
    such as the errors of hypotheses, and draws fresh coins for each answer. So each answer has
    exactly the law of ``learner.predict(sample, point)``, and answers are independent.

    Notes
    -----
    The guarantees of the learner, :attr:`promises`, are about *one* answer. Asking k questions
    spends k times as much, or as much as a composition theorem states; a
    :class:`~pac_stability.mechanisms.Ledger` keeps count. The object itself is as private as the
    sample, which it holds.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman import RealizablePrivateLearner
    >>> sample = Sample([0, 2, 1, 2, 0, 1], [0, 1, 0, 1, 0, 0])
    >>> prepared = RealizablePrivateLearner(thresholds(3), 3, 1).prepare(sample)
    >>> prepared.answer(2) in (0, 1), prepared.answers([0, 1, 2]).shape
    (True, (3,))

    An audit runs a prepared learner as a program:

    >>> from pac_stability.data import enumerate_law
    >>> law = enumerate_law(lambda rng: prepared.answer(0, rng))
    >>> law.probability(1) == 1 - law.probability(0)
    True
    """

    __slots__ = ()

    @property
    @abstractmethod
    def promises(self) -> Promises:
        """The proved promises for one answer, by notion; several spend more."""

    @abstractmethod
    def answer(self, point: P_contra, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins.

        Parameters
        ----------
        point
            A point of the domain.
        rng
            The source of coins; by default the operating system's entropy.

        Raises
        ------
        InvalidInput
            The point is outside the domain; no coins were drawn.
        """

    def answers(
        self, points: ManyPoints[P_contra], /, rng: Coins = SYSTEM_COINS
    ) -> npt.NDArray[np.uint8]:
        """Return one label for each point, all independent.

        Parameters
        ----------
        points
            Points of the domain, repeated or not; each gets an answer of its own.
        rng
            The source of coins; by default the operating system's entropy.

        Returns
        -------
        array of uint8, shape (number of points,)

        Raises
        ------
        InvalidInput
            A point is outside the domain.
        """
        at = listed_points(points)
        return np.fromiter((self.answer(x, rng) for x in at), dtype=np.uint8, count=len(at))


class _Predicts(Protocol[P_contra]):
    def predict(self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = ...) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class HeldSample(PreparedPredictor[P_contra]):
    """A learner that computes nothing in advance, together with its sample.

    Parameters
    ----------
    learner
        What predicts.
    sample
        S.
    """

    learner: _Predicts[P_contra]
    sample: Sample[P_contra]

    @property
    def promises(self) -> Promises:
        """The proved promises for one answer, by notion; empty if the learner promises nothing."""
        said = getattr(self.learner, "promises", None)
        return cast("Promises", said(len(self.sample))) if callable(said) else {}

    def answer(self, point: P_contra, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        return self.learner.predict(self.sample, point, rng)


def listed_points(points: ManyPoints[P_contra]) -> tuple[P_contra, ...]:
    """Return points as a tuple of Python values.

    Examples
    --------
    >>> listed_points(np.array([[1, 2], [3, 4]])), listed_points("ab")
    (((1, 2), (3, 4)), ('a', 'b'))
    """
    if isinstance(points, np.ndarray):
        rows = points.tolist()
        return as_points(map(tuple, rows) if points.ndim > 1 else rows)
    return as_points(points)


# The two kinds of learner


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
            :mod:`pac_stability.learning`. Empty where nothing is promised.
        """
        return {}

    def require(self, sample: object) -> None:
        """Refuse what is not a sample, and a sample that is too small.

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
        """Return one label for a point, with fresh coins: what is drawn is drawn for it alone.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            The source of coins; by default the operating system's entropy.

        Raises
        ------
        InvalidInput
            It is no sample that the learner takes (:meth:`require`).
        Unanswerable
            The learner is known by probabilities alone, and this one is irrational.

        Examples
        --------
        >>> from pac_stability import classes, papers
        >>> learner = papers.dagan_feldman.SubsetAverage(classes.thresholds(3), 1)
        >>> learner.predict(Sample([0, 2], [0, 1]), 1) in (0, 1)
        True
        """

    def prepare(self, sample: Sample[P_contra], /) -> PreparedPredictor[P_contra]:
        """Return what answers questions about points, with what needs no coins computed once.

        Parameters
        ----------
        sample
            S.

        Returns
        -------
        PreparedPredictor
            Each answer has the law of :meth:`predict`.

        Raises
        ------
        InvalidInput
            It is no sample that the learner takes (:meth:`require`).

        Examples
        --------
        >>> from pac_stability import classes, papers
        >>> learner = papers.dagan_feldman.SubsetAverage(classes.thresholds(3), 1)
        >>> prepared = learner.prepare(Sample([0, 2], [0, 1]))
        >>> prepared.answer(1) in (0, 1)
        True
        """
        self.require(sample)
        return HeldSample(self, sample)


class LawfulLearner(_Base[P_contra], ABC):
    """A learner that draws a hypothesis and labels points by it.

    A subclass defines ``law`` or ``run``, or both, and sets ``symmetric`` and ``promises`` where it
    can. Each is derived from the other: the law from ``run`` by following all paths of its coins
    (:func:`pac_stability.data.enumerate_law`), a run from the law by sampling.

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
        InvalidInput
            It is no sample that the learner takes (:meth:`require`).
        Unanswerable
            It has too many parts to be listed.

        Examples
        --------
        >>> from pac_stability import classes, papers
        >>> learner = papers.dagan_feldman.SubsetAverage(classes.cube(1), 1)
        >>> learner.law(Sample([0, 0, 0], [1, 1, 0])).map(lambda h: h(0))
        FiniteDistribution({1: 2/3, 0: 1/3})
        """
        return enumerate_law(lambda rng: self.run(sample, rng))

    def run(self, sample: Sample[P_contra], /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis.

        Parameters
        ----------
        sample
            S.
        rng
            The source of coins; by default the operating system's entropy.

        Raises
        ------
        InvalidInput
            It is no sample that the learner takes (:meth:`require`).

        Examples
        --------
        >>> from pac_stability import classes, papers
        >>> learner = papers.dagan_feldman.SubsetAverage(classes.thresholds(3), 1)
        >>> learner.run(Sample([0, 2], [0, 1]))(1) in (0, 1)
        True
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

        Raises
        ------
        InvalidInput
            It is no sample that the learner takes (:meth:`require`), or a point is not of the
            domain.
        Unanswerable
            The law has too many parts to be listed.

        Examples
        --------
        >>> from pac_stability import classes, papers
        >>> learner = papers.dagan_feldman.SubsetAverage(classes.cube(1), 1)
        >>> learner.probabilities(Sample([0, 0, 0], [1, 1, 0]), [0])
        (Fraction(2, 3),)
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
        return self.run(sample, rng)(point)


class PointwiseLearner(_Base[P_contra], ABC):
    """A learner that labels one point at a time, each with coins of its own.

    It draws no hypothesis: the labels of two points are independent. A subclass defines
    ``probabilities``, and sets ``symmetric`` and ``promises`` where it can. It may also define
    ``predict`` when the algorithm does more than toss a coin of that probability.

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
        """Return the probability of label 1 at each point, exactly or, if irrational, enclosed.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.

        Returns
        -------
        sequence of Fraction or Interval
            One for each point.

        Raises
        ------
        InvalidInput
            It is no sample that the learner takes (:meth:`require`), or a point is not of the
            domain.

        Examples
        --------
        >>> from pac_stability import papers
        >>> voting = papers.dagan_feldman.VotingLearner(Fraction(1, 2))
        >>> voting.probabilities(Sample("aab", [1, 0, 1]), "ab")
        (Fraction(1, 2), Fraction(3, 4))
        """

    def predict(
        self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = SYSTEM_COINS
    ) -> int:
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
            The source of coins; by default the operating system's entropy.

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


# Whatever makes a hypothesis of a sample


class Classifier(Protocol):
    """A classifier of scikit-learn, or one with the same two methods."""

    def fit(self, X: Any, y: Any, /) -> object:
        """Fit to rows of points, and their labels."""
        ...

    def predict(self, X: Any, /) -> Any:
        """Return the labels of rows."""
        ...


BaseFunction: TypeAlias = Callable[[AnySample], Hypothesis]
"""A function that makes a hypothesis of a sample."""

BaseLearner: TypeAlias = Family | BaseFunction | Classifier
"""What may learn on a part of a sample: a class (its empirical risk minimiser), a function, or a
classifier (a copy is fitted)."""


def is_family(base: BaseLearner) -> TypeGuard[Family]:
    """Whether a base learner is a class of hypotheses."""
    return not isinstance(base, type) and callable(getattr(base, "representatives_on", None))


def require_base(base: BaseLearner, argument: str = "H") -> None:
    """Refuse a value that is not a base learner, and the empty class.

    Raises
    ------
    InvalidInput
        It is none.

    Examples
    --------
    >>> require_base("a tree")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: H: got 'a tree', want a class (a FiniteClass or another \
Family), a function from samples to hypotheses, or an estimator with fit and predict
    """
    if is_family(base):
        require_family(base, argument)
    elif isinstance(base, type) or not (_fits(base) or callable(base)):
        wanted = (
            "a class (a FiniteClass or another Family), a function from samples to hypotheses, or "
            "an estimator with fit and predict"
        )
        raise InvalidInput(argument, described(base), wanted)


def learned(base: BaseLearner, sample: AnySample) -> Hypothesis:
    """Return the hypothesis that a function or a classifier learns from a sample.

    Parameters
    ----------
    base
        A function of the sample, or a classifier: a copy of it is fitted to points as rows of
        numbers. (A class is left to the caller, usually to an empirical risk minimiser.)
    sample
        S, not empty.

    Returns
    -------
    Hypothesis
        Of a classifier, a :class:`FittedClassifier`. If all labels are equal the hypothesis is that
        constant and nothing is fitted: most classifiers refuse such samples, and a refusal would
        reveal them.

    Raises
    ------
    InvalidInput
        The function returns nothing that labels points.

    Examples
    --------
    >>> class Nearest:
    ...     def fit(self, X, y):
    ...         self.X, self.y = X, y
    ...         return self
    ...     def predict(self, X):
    ...         return [self.y[abs(self.X - row).sum(axis=1).argmin()] for row in X]
    >>> h = learned(Nearest(), ArraySample([[0, 0], [4, 4]], [0, 1]))
    >>> h((1, 0)), h.labels([(1, 0), (3, 4)]).tolist()
    (0, [0, 1])
    """
    if not _fits(base):
        h = cast("BaseFunction", base)(sample)
        if not callable(h):
            raise InvalidInput("H", f"{described(h)} from it", "a hypothesis, a function on points")
        return h
    labels = np.asarray(sample.labels)
    if (labels == labels[0]).all():
        return FittedClassifier(_Constant(int(labels[0])))
    fresh = fresh_copy(base)
    points = sample.points if isinstance(sample, ArraySample) else list(sample.points)
    fitted = fresh.fit(rows_of(points), labels)
    return FittedClassifier(fresh if fitted is None else cast("Classifier", fitted))


@dataclass(frozen=True, slots=True, eq=False)
class FittedClassifier:
    """A classifier that was fitted, as a hypothesis.

    Parameters
    ----------
    model
        The fitted classifier, which labels rows of numbers.
    """

    model: Classifier

    def __call__(self, point: Hashable, /) -> int:
        """Label of a point: a number, or a tuple of numbers."""
        return int(self.labels([point])[0])

    def labels(self, points: ManyPoints[Hashable]) -> npt.NDArray[np.uint8]:
        """Label many points at once.

        Raises
        ------
        InvalidInput
            It does not predict one label, 0 or 1, for each row.
        """
        rows = rows_of(points if isinstance(points, np.ndarray) else list(points))
        found = np.asarray(self.model.predict(rows)) if len(rows) else np.zeros(0, dtype=np.uint8)
        if found.shape != (len(rows),) or not np.isin(found, (0, 1)).all():
            name = type(self.model).__name__
            given = f"{described(found.tolist())} from {name}.predict"
            raise InvalidInput("H", given, "a label 0 or 1 for each row")
        return found.astype(np.uint8)


@dataclass(frozen=True, slots=True)
class _Constant:
    label: int

    def fit(self, _rows: Any, _labels: Any, /) -> None:
        """Learn nothing."""

    def predict(self, X: Any, /) -> list[int]:
        """Return the label for each row."""
        return [self.label] * len(X)


def fresh_copy(estimator: Classifier) -> Classifier:
    """Return a copy of an estimator that was not fitted."""
    if is_sklearns(estimator):
        # Optional, and there: the estimator is its own.
        return cast("Classifier", importlib.import_module("sklearn.base").clone(estimator))
    return copy.deepcopy(estimator)


def is_sklearns(estimator: object) -> bool:
    """Whether an estimator is one of scikit-learn's own."""
    return type(estimator).__module__.partition(".")[0] == "sklearn"


def rows_of(points: Sequence[object] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return points, numbers or tuples of them, as rows of an array.

    Examples
    --------
    >>> rows_of([1, 2]).tolist(), rows_of([(1, 2)]).tolist()
    ([[1], [2]], [[1, 2]])
    """
    if isinstance(points, np.ndarray):
        return points if points.ndim > 1 else points[:, None]
    return np.array([list(point) if isinstance(point, tuple) else [point] for point in points])


def _fits(base: object) -> TypeGuard[Classifier]:
    methods = (getattr(base, name, None) for name in ("fit", "predict"))
    return not isinstance(base, type) and all(map(callable, methods))


# Samples in all their forms

AnyData: TypeAlias = AnySample | ErrorCounter
"""A sample of Python values, one in arrays, or one of the two made ready for counting."""


def as_sample(data: AnyData, least: int = 0) -> AnySample:
    """Return the given sample, whatever its form; refuse another value, or a sample too small.

    Parameters
    ----------
    data
        What came.
    least
        How many examples it must have.

    Raises
    ------
    InvalidInput
        It is none of the three, or too small.

    Examples
    --------
    >>> as_sample(ErrorCounter(Sample([1], [0])))
    Sample(points=(1,), labels=(0,))
    """
    require_instance(data, (Sample, ArraySample, ErrorCounter), "sample")
    sample = data.sample if isinstance(data, ErrorCounter) else data
    require_size(sample, least, "sample")
    return sample


def as_listed(data: AnyData, least: int = 0) -> Sample[Hashable]:
    """Return the given sample as Python values, from which exact laws are computed.

    Parameters
    ----------
    data, least
        As for :func:`as_sample`.

    Raises
    ------
    InvalidInput
        As for :func:`as_sample`.

    Examples
    --------
    >>> as_listed(ArraySample([0.5, 2], [0, 1]))
    Sample(points=(0.5, 2.0), labels=(0, 1))
    """
    sample = as_sample(data, least)
    return sample.subset(range(len(sample))) if isinstance(sample, ArraySample) else sample


def as_counter(data: AnyData, least: int = 0) -> ErrorCounter:
    """Return an error counter for the given sample.

    Parameters
    ----------
    data, least
        As for :func:`as_sample`.

    Raises
    ------
    InvalidInput
        As for :func:`as_sample`.
    """
    sample = as_sample(data, least)
    return data if isinstance(data, ErrorCounter) else ErrorCounter(sample)


# Promises of more than one number


@dataclass(frozen=True, slots=True, repr=False)
class PerfectGeneralization(Tabled):
    """(beta, epsilon, delta)-perfect generalization (CLNRW16, Definition 8).

    Attributes
    ----------
    beta
        The share of samples on which the laws may be far from the simulator's.
    epsilon, delta
        The parameters of closeness.
    """

    beta: AnyNumber
    epsilon: EpsilonLike
    delta: AnyNumber = 0


@dataclass(frozen=True, slots=True, repr=False)
class RobustGeneralization(Tabled):
    """(epsilon, delta)-robust generalization (CLNRW16, Definition 5).

    Attributes
    ----------
    epsilon
        The largest deviation that counts as generalizing.
    delta
        The probability with which an adversary may find a larger deviation.
    """

    epsilon: AnyNumber
    delta: AnyNumber


@dataclass(frozen=True, slots=True, repr=False)
class Accuracy(Tabled):
    """Error at most OPT + alpha, with probability at least 1 - beta (CLNRW16, Definition 3).

    Attributes
    ----------
    alpha, beta
        Excess error, and probability of failure.
    hypotheses
        The class whose smallest error is OPT; by default OPT is 0, the realizable case.
    """

    alpha: AnyNumber
    beta: AnyNumber
    hypotheses: Iterable[Callable[[Hashable], int]] | None = None

    def __post_init__(self) -> None:
        if self.hypotheses is not None:
            object.__setattr__(self, "hypotheses", tuple(self.hypotheses))
