"""How an audit understands an algorithm and gets labels from it: function, learner or estimator.

The methods of the algorithm and the names of its parameters determine its kind. It never guesses:
if a second parameter may be a point or the coins, its name must tell which, or the algorithm is
refused. A predictor returns a label, or the probability of one. A learner returns a hypothesis,
which labels the points. An estimator, as in scikit-learn, is fitted to the sample and then
predicts.
"""

from __future__ import annotations

import copy
import enum
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from numbers import Rational, Real
from operator import itemgetter
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pac_stability import data
from pac_stability.arguments import as_label, described, require_word
from pac_stability.arithmetic import Interval
from pac_stability.audit.calling import Called, called, in_names, meaning
from pac_stability.errors import InvalidInput, PacStabilityError
from pac_stability.learning import Classifier, PointwiseLearner, fresh_copy, is_sklearns, rows_of
from pac_stability.randomness import ExactGenerator, LazyUniform
from pac_stability.randomness.statement import COINS
from pac_stability.randomness.watch import assume, is_generator

LAW_SHAPES = (
    "an object with a method law(x), a function of x that returns a FiniteDistribution, "
    "or a program: a function of (x, rng)"
)
PREDICTION_SHAPES = (
    "an object with a method probabilities(sample, points), a program of (sample, point, rng), a "
    "function of (sample, point) that draws nothing, an estimator with fit and predict, "
    f"or a learner whose outputs are hypotheses: {LAW_SHAPES}"
)


class Shape(enum.Enum):
    """The kind of an algorithm, in the words of the first line of a report."""

    LAW = "an algorithm that gives its law"
    LAW_FUNCTION = "a function of (sample) that returns its law"
    PROGRAM = "a program of (sample, coins)"
    PREDICTOR = "a predictor that gives its probabilities"
    POINT_FUNCTION = "a function of (sample, point), without coins"
    POINT_PROGRAM = "a program of (sample, point, coins)"
    ESTIMATOR = "an estimator"

    @property
    def runs(self) -> bool:
        """Whether the audit runs it; otherwise the audit trusts the law that it returns."""
        return self not in (Shape.LAW, Shape.LAW_FUNCTION, Shape.PREDICTOR)

    @property
    def coins(self) -> bool | None:
        """Whether it takes coins; ``None`` if the audit trusts the law that it returns."""
        if self in (Shape.PROGRAM, Shape.POINT_PROGRAM):
            return True
        return False if self in (Shape.LAW_FUNCTION, Shape.POINT_FUNCTION) else None

    @property
    def only_predicts(self) -> bool:
        """Whether it gives predictions and no other answers."""
        return self in (Shape.PREDICTOR, Shape.POINT_FUNCTION, Shape.POINT_PROGRAM, Shape.ESTIMATOR)


class AskedEstimator:
    """An estimator together with the method that predicts."""

    __slots__ = ()


def shape_of(mechanism: object, *, predicts: bool) -> Shape:
    """Return the kind of an algorithm.

    Parameters
    ----------
    mechanism
        The algorithm given to an audit.
    predicts
        Whether the audit needs its predictions at points.

    Raises
    ------
    InvalidInput
        It has none of the shapes, or fits two of them.

    Examples
    --------
    >>> shape_of(lambda sample, point: 0, predicts=True).value
    'a function of (sample, point), without coins'
    >>> shape_of(lambda sample, rng: 0, predicts=True).value
    'a program of (sample, coins)'
    """
    if predicts and method_of(mechanism, "probabilities") is not None:
        return Shape.PREDICTOR
    if isinstance(mechanism, data.FromProgram):
        return Shape.PROGRAM
    if method_of(mechanism, "law") is not None:
        return Shape.LAW
    if is_estimator(mechanism):
        if predicts:
            return Shape.ESTIMATOR
        raise InvalidInput(
            "mechanism",
            f"{described(mechanism)}, which has fit and predict",
            "private-prediction or uniform-stability, which compare its predictions; a fitted "
            "estimator has no law to compare",
        )
    names = called_with(mechanism)
    shape = {1: Shape.LAW_FUNCTION, 2: Shape.PROGRAM, 3: Shape.POINT_PROGRAM}.get(len(names))
    if shape is None or (shape is Shape.POINT_PROGRAM and not predicts):
        raise _refused(mechanism, predicts)
    if shape is Shape.POINT_PROGRAM and (names[1] == "coins" or names[2] == "point"):
        given = f"{in_names(mechanism)} with the coins before the point"
        wanted = "the sample, the point and the coins in this order: (sample, point, rng)"
        raise InvalidInput("mechanism", given, wanted)
    if shape is Shape.PROGRAM and names[1] == "point":
        if predicts:
            return Shape.POINT_FUNCTION
        wanted = (
            f"private-prediction or uniform-stability for what predicts at a point; or {LAW_SHAPES}"
        )
        raise InvalidInput("mechanism", f"{in_names(mechanism)}, which takes a point", wanted)
    if shape is Shape.PROGRAM and predicts and names[1] != "coins":
        raise InvalidInput(
            "mechanism",
            f"{in_names(mechanism)} of two arguments, the second of which may be point or coins",
            "(sample, point) for what draws nothing, (sample, point, rng) for what does, or "
            "(sample, rng) for what returns a hypothesis: the names tell; rows and "
            "labels apart are X and y",
        )
    return shape


def is_estimator(mechanism: object) -> bool:
    """Return whether an object has ``fit`` and a method that predicts."""
    if isinstance(mechanism, AskedEstimator):
        return True
    predicts = any(method_of(mechanism, name) is not None for name in ("predict", "predict_proba"))
    return predicts and method_of(mechanism, "fit") is not None


def only_predicts(mechanism: object) -> bool:
    """Return whether an algorithm gives predictions and no other answers."""
    if isinstance(mechanism, PointwiseLearner):
        return True
    if method_of(mechanism, "law") is not None:
        return False
    try:
        return shape_of(called(mechanism, predicts=True), predicts=True).only_predicts
    except InvalidInput:
        return False


def method_of(mechanism: object, name: str) -> Callable[..., object] | None:
    """Return a method of an object; nothing for a class, since only instances are algorithms."""
    method = None if isinstance(mechanism, type) else getattr(mechanism, name, None)
    return method if callable(method) else None


def _refused(mechanism: object, predicts: bool) -> InvalidInput:
    given = in_names(mechanism)
    if isinstance(mechanism, type):
        given = (
            f"the class {mechanism.__name__} (an instance is an algorithm: {mechanism.__name__}())"
        )
    return InvalidInput("mechanism", given, PREDICTION_SHAPES if predicts else LAW_SHAPES)


def called_with(function: object) -> list[str]:
    """Return what a function is to be called with: ``point``, ``coins`` or nothing known, for each.

    These are the parameters that it requires, and those up to one with a name of the coins; none if
    it cannot be called.
    """
    if isinstance(function, Called):
        return ["", *function.takes]
    if not callable(function) or isinstance(function, type):
        return []
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some functions written in C have none
        return [""]
    places = [
        p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    required = sum(p.default is p.empty for p in places)
    coins = [index + 1 for index, p in enumerate(places) if p.name in COINS]
    count = max(required, *coins) if coins else required
    return [meaning(p) for p in places[:count]]


# What a predictor may return: a label, or the probability of one

RETURNED = (
    "A number between 0 and 1 that it returns is the probability of label 1, and a dictionary "
    "gives the probability of each label."
)
"""What is said of a predictor that returns probabilities."""

FLOATS_RETURNED = (
    "A float that it returns as a probability counts at its exact binary value; in a dictionary "
    "or a row the one of label 1 counts, and label 0 has the rest."
)
"""What is said of a predictor that returns floats as probabilities."""

_TOLERANCE = Fraction(1, 2**50)
_WANTED = (
    "a label, 0 or 1, or its probability: a number from 0 to 1 for label 1, or a dictionary "
    "{0: ..., 1: ...} that sums to 1"
)


def label_of(value: object) -> int:
    """Return a label as 0 or 1; a program may compute it as 1.0 in an array of floats."""
    if isinstance(value, LazyUniform):
        hash(value)  # which is refused, as it is for any other result
    return as_label(value == 1 if isinstance(value, Real) and value in (0, 1) else value, "label")


def probability_of_one(value: object) -> int | Fraction:
    """Return the probability of label 1 that a predictor returned; 0 or 1 for a label.

    Raises
    ------
    InvalidInput
        It is neither a label nor a probability.

    Examples
    --------
    >>> probability_of_one(True), probability_of_one(0.25), probability_of_one({1: 1})
    (1, Fraction(1, 4), Fraction(1, 1))
    """
    if type(value) in (int, bool) and (value == 0 or value == 1):  # noqa: PLR1714  # asked very often
        return int(value)
    if type(value) is Fraction and 0 < value.numerator < value.denominator:
        assume(RETURNED)
        return value
    if isinstance(value, data.FiniteDistribution):
        value = dict(value.items())
    if isinstance(value, Mapping):
        return of_labels(value)
    if isinstance(value, Rational) and value in (0, 1):
        return label_of(value)
    if isinstance(value, Real):
        share = _share(value)
        if share not in (0, 1):
            assume(RETURNED)
        return share
    try:
        return label_of(value)
    except InvalidInput as error:
        raise InvalidInput("label", error.given, _WANTED) from None


def of_labels(shares: Mapping[object, object]) -> Fraction:
    """Return the probability of label 1, given the positive probabilities of labels.

    Raises
    ------
    InvalidInput
        A key is not a label, or the numbers are not probabilities that sum to 1.
    """
    exact = {}
    for label, share in shares.items():
        if isinstance(share, LazyUniform):
            hash(share)  # refused
        if not isinstance(share, Real):
            raise InvalidInput("label", described(shares), _WANTED)
        exact[label_of(label)] = _share(share)
    rounded = any(not isinstance(share, Rational) for share in shares.values())
    one = exact.get(1, Fraction(0))
    # Floats that are each other's complement were rounded.
    if abs(one + exact.get(0, Fraction(0)) - 1) > (_TOLERANCE if rounded else 0):
        raise InvalidInput("label", f"{described(shares)}, which does not sum to 1", _WANTED)
    assume(RETURNED)
    return one


def _share(value: Real) -> Fraction:
    if isinstance(value, Rational):
        share = Fraction(int(value.numerator), int(value.denominator))
    elif math.isfinite(number := float(value)):
        share = Fraction(number)
        if share not in (0, 1):
            assume(FLOATS_RETURNED)
    else:
        raise InvalidInput("label", str(number), _WANTED)
    if not 0 <= share <= 1:
        raise InvalidInput("label", described(value), _WANTED)
    return share


# How a mechanism is asked for labels: at a point, or through the hypotheses that it returns


@dataclass(frozen=True, slots=True)
class LabelFunction:
    """A function without coins that returns the label of one point, or its probability."""

    function: Callable[[object, object], object]

    def __call__(self, sample: object, points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        shares = [probability_of_one(self.function(sample, point)) for point in points]
        return [share if type(share) is Fraction else Fraction(share) for share in shares]


@dataclass(frozen=True, slots=True)
class LabelProgram:
    """A program that returns the label of one point, or its probability."""

    program: Callable[[object, object, ExactGenerator], object]

    def __call__(self, sample: object, points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point."""

        def share_at(point: object) -> Callable[[ExactGenerator], int | Fraction]:
            return lambda rng: probability_of_one(self.program(sample, point, rng))

        laws = [data.enumerate_law(share_at(point)) for point in points]
        return [
            law.probability(1) if law.numerators.keys() <= {0, 1} else law.expectation(Fraction)
            for law in laws
        ]


@dataclass(frozen=True, slots=True)
class LearnerProgram:
    """A program that returns a hypothesis, which need not be hashable or comparable."""

    program: Callable[[object, ExactGenerator], object]

    def __call__(self, sample: object, points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point."""

        def labels(rng: ExactGenerator) -> tuple[int, ...]:
            hypothesis = self.program(sample, rng)
            return tuple(label_at(hypothesis, point) for point in points)

        return _label_probabilities(data.enumerate_law(labels), len(points))


@dataclass(frozen=True, slots=True)
class LearnerLaw:
    """A learner that returns the law of its hypothesis."""

    law: Callable[[object], object]

    def __call__(
        self, sample: object, points: tuple[object, ...]
    ) -> list[Fraction] | list[Interval]:
        """Return the probability of label 1 at each point."""
        law = self.law(sample)
        if isinstance(law, data.EnclosedDistribution):
            return [_enclosed_probability(law, point) for point in points]
        if not isinstance(law, data.FiniteDistribution):
            wanted = "a FiniteDistribution on hypotheses, or a program with coins: f(sample, rng)"
            raise InvalidInput("mechanism", described(law), wanted)
        labels = law.map(lambda hypothesis: tuple(label_at(hypothesis, x) for x in points))
        return _label_probabilities(labels, len(points))


def _enclosed_probability(law: data.EnclosedDistribution[object], point: object) -> Interval:
    return law.map(lambda hypothesis: label_at(hypothesis, point)).probability(1)


def _label_probabilities(
    labels: data.FiniteDistribution[tuple[int, ...]], count: int
) -> list[Fraction]:
    """Return the probability of label 1 at each point from the joint law of the labels."""
    return [labels.expectation(itemgetter(index)) for index in range(count)]


def label_at(hypothesis: object, point: object) -> int:
    """Return the label that a hypothesis, a function or a mapping, gives to a point."""
    if isinstance(hypothesis, Mapping):
        if point not in hypothesis:
            given = f"no label for the point {described(point)}"
            raise InvalidInput("hypothesis", given, "a label for each point")
        return _label(hypothesis[point])
    if not callable(hypothesis):
        wanted = "a function or a mapping from points to labels (what is published is another "
        raise InvalidInput(
            "hypothesis", described(hypothesis), f"{wanted}notion: differential-privacy)"
        )
    return _label(hypothesis(point))


def _label(value: object) -> int:
    try:
        return label_of(value)
    except InvalidInput as error:
        wanted = f"{error.wanted} (what returns the probability of a label takes the point, too)"
        raise InvalidInput("label", error.given, wanted) from None


# An estimator, as scikit-learn has them, as what predicts: fitted to a sample, then asked

METHODS = ("predict", "predict_proba")

SEEDED = "Its random_state is one seed: whoever knows it can repeat what it drew."
"""What is assumed of an estimator with a seed."""

ON_ERROR = ("stop", "outcome")
"""What an error of an estimator is: the end of the audit, or what it says of its sample."""

ANSWERS = "it answers"
"""The point at which an estimator predicts 1 on samples that raise no error, beside all others.

An error has a probability of its own at each point. Two samples of which one raises differ there
by 1, as they do here; where both raise, or neither does, errors change no difference. So one
question more says all of them.
"""

ERRORS = f"All errors of the estimator are one outcome, whatever they say; see {ANSWERS!r}."
"""What a report says where errors are outcomes."""

ANSWERED = "It answered on some sample."
"""Noted where errors are outcomes; an estimator that never answers is refused."""

MAY_ERR = 'on_error="outcome" (--on-error outcome) for an estimator that may raise errors'
"""A note on an error of an estimator: what to write."""


@dataclass(frozen=True, slots=True)
class Fitting(AskedEstimator):
    """An estimator and its method of prediction.

    Attributes
    ----------
    estimator
        The estimator to copy and fit.
    method
        What is called then.
    """

    estimator: object
    method: str

    @classmethod
    def of(cls, estimator: object, method: str | None = None) -> Fitting:
        """Return an estimator with its method; refuse one whose copies would repeat draws.

        Raises
        ------
        InvalidInput
            It keeps a generator, or does not have the method.
        """
        has = [name for name in METHODS if method_of(estimator, name) is not None]
        chosen = has[0] if method is None and has else method
        require_word(chosen, "method", METHODS)
        if chosen not in has:
            raise InvalidInput("method", f"{chosen!r}, which it does not have", PREDICTION_SHAPES)
        if (pools := sys.modules.get("threadpoolctl")) is not None:
            _controller(pools)  # which looks around: not while the estimator is watched
        kept = list(map(id, _generators(estimator)))
        for generator in _generators(fresh_copy(cast("Classifier", estimator))):
            if id(generator) not in kept:
                raise InvalidInput(
                    "mechanism",
                    f"{type(estimator).__name__}, which keeps a {type(generator).__name__}: each "
                    "copy of it draws the same",
                    "random_state=None for coins, or an integer for one seed",
                )
        return cls(estimator, str(chosen))

    @property
    def understood(self) -> str:
        """Its kind, for the first line of a report."""
        others = [name for name in METHODS if name != self.method]
        unasked = [name for name in others if method_of(self.estimator, name) is not None]
        steps = f"fit, then {self.method}" + "".join(f"; {name} is not asked" for name in unasked)
        return (
            f"an estimator ({steps}), {'coins as random_state' if self.draws else 'without coins'}"
        )

    @property
    def advice(self) -> str:
        """What to change, for the message about an estimator that draws by itself."""
        if not is_sklearns(self.estimator):
            return ""
        return ": an integer as random_state, and n_jobs=1, where it has them"

    @property
    def seeded(self) -> bool:
        """Whether it has a seed."""
        return getattr(self.estimator, "random_state", None) is not None

    @property
    def draws(self) -> bool:
        """Whether it takes coins; estimators of scikit-learn take seeds instead."""
        missing = object()
        given = getattr(self.estimator, "random_state", missing)
        return given is None and not is_sklearns(self.estimator)

    def __call__(self, sample: data.Sample[Any], points: tuple[object, ...]) -> list[Fraction]:
        """Return the probability of label 1 at each point; at :data:`ANSWERS`, that of an answer.

        Raises
        ------
        InvalidInput
            It raises an error at some points of a sample alone, or takes coins and may raise some.
        """
        if ANSWERS not in points:
            try:
                return self._ask(sample, points)
            except Exception as error:  # a stranger's program may raise anything; it goes on up
                if not self.draws:
                    error.add_note(MAY_ERR)
                raise
        if self.draws:
            raise InvalidInput("on_error", "an estimator that takes coins", "one without coins")
        asked = [point for point in points if point != ANSWERS]
        found: list[Fraction] = []
        errors: list[Exception] = []
        for point in asked:
            try:
                found += self._ask(sample, (point,))
            except (PacStabilityError, MemoryError, RecursionError):
                raise  # it could not be asked; or it is about the machine, and not the sample
            except Exception as error:  # whatever it raises is its answer at this point
                errors.append(error)
        if errors and found:
            raise errors[0]
        if not errors:
            assume(ANSWERED)
        answers = dict(zip(asked, found or [Fraction(0)] * len(asked), strict=True))
        return [answers.get(point, Fraction(not errors)) for point in points]

    def _ask(self, sample: data.Sample[Any], points: tuple[object, ...]) -> list[Fraction]:
        rows, labels = rows_of(sample.points), np.array(sample.labels)

        def at(point: object, rng: ExactGenerator | None = None) -> int | Fraction:
            return self._at(rows.copy(), labels.copy(), point, rng)  # a fit may write there

        if not self.draws:
            return [Fraction(at(point)) for point in points]
        return [data.enumerate_law(partial(at, point)).expectation(Fraction) for point in points]

    def _at(
        self,
        rows: npt.NDArray[Any],
        labels: npt.NDArray[Any],
        point: object,
        rng: ExactGenerator | None,
    ) -> int | Fraction:
        fresh = fresh_copy(cast("Classifier", self.estimator))
        if rng is not None:
            cast("Any", fresh).random_state = rng
        with _one_worker():
            fitted = fresh.fit(rows, labels)
            model = fresh if fitted is None else fitted
            answers = list(getattr(model, self.method)(rows_of([point])))
        if len(answers) != 1:
            given = f"{len(answers)} answers for one row"
            raise InvalidInput(self.method, given, "an answer for each row")
        if self.method == "predict":
            return label_of(answers[0])
        row = list(answers[0])
        classes = list(getattr(model, "classes_", range(len(row))))
        if len(classes) != len(row):
            raise InvalidInput("predict_proba", described(row), "a probability for each class")
        return of_labels(dict(zip(classes, row, strict=True)))


@contextmanager
def _one_worker() -> Iterator[None]:
    """Have joblib and OpenMP work in this thread: answers are the same with any number of them."""
    with ExitStack() as stack:
        if (joblib := sys.modules.get("joblib")) is not None:
            stack.enter_context(joblib.parallel_config(backend="sequential"))
        if (pools := sys.modules.get("threadpoolctl")) is not None:
            stack.enter_context(_controller(pools).limit(limits=1, user_api="openmp"))
        yield


@cache
def _controller(pools: Any) -> Any:
    return pools.ThreadpoolController()  # which takes milliseconds to look for them


def _generators(estimator: object) -> list[object]:
    """Return the generators that an estimator holds: those that a copy of it would copy."""
    copied: dict[int, Any] = {}
    copy.deepcopy(estimator, copied)
    return [one for one in copied.get(id(copied), ()) if is_generator(one)]
