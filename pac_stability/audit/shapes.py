"""What an algorithm was understood to be, from its methods and the names of its parameters.

Nothing is bound to a place by guessing: where a second parameter may be a point or the coins, its
name tells, or the algorithm is refused.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable

from pac_stability.arguments import described
from pac_stability.data import FromProgram
from pac_stability.errors import InvalidInput
from pac_stability.learning import PointwiseLearner
from pac_stability.randomness.corrections import COINS

_POINTS = ("point", "x", "query", "q", "x_new", "new_point", "test_point", "x_test", "instance")
_MORE_COINS = ("r", "g", "rand", "random", "seed")
_COIN_TYPES = ("Coins", "ExactGenerator", "Generator", "Random", "RandomState")

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
    """What an algorithm is, in the words of the first line of a report."""

    LAW = "an algorithm that gives its law"
    LAW_FUNCTION = "a function of (sample) that returns its law"
    PROGRAM = "a program of (sample, coins)"
    PREDICTOR = "a predictor that gives its probabilities"
    POINT_FUNCTION = "a function of (sample, point), without coins"
    POINT_PROGRAM = "a program of (sample, point, coins)"
    ESTIMATOR = "an estimator"

    @property
    def runs(self) -> bool:
        """Whether it is run; else it is taken at its word."""
        return self not in (Shape.LAW, Shape.LAW_FUNCTION, Shape.PREDICTOR)

    @property
    def only_predicts(self) -> bool:
        """Whether it gives predictions and no other answers."""
        return self in (
            Shape.PREDICTOR,
            Shape.POINT_FUNCTION,
            Shape.POINT_PROGRAM,
            Shape.ESTIMATOR,
        )


class AskedEstimator:
    """An estimator together with how it is asked."""

    __slots__ = ()


def shape_of(mechanism: object, *, predicts: bool) -> Shape:
    """Return what an algorithm is.

    Parameters
    ----------
    mechanism
        What was given to an audit.
    predicts
        Whether predictions are asked of it, at points.

    Raises
    ------
    InvalidInput
        It has none of the shapes, or may have two of them.

    Examples
    --------
    >>> shape_of(lambda sample, point: 0, predicts=True).value
    'a function of (sample, point), without coins'
    >>> shape_of(lambda sample, rng: 0, predicts=True).value
    'a program of (sample, coins)'
    """
    if predicts and method_of(mechanism, "probabilities") is not None:
        return Shape.PREDICTOR
    if isinstance(mechanism, FromProgram):
        return Shape.PROGRAM
    if method_of(mechanism, "law") is not None:
        return Shape.LAW
    if is_estimator(mechanism):
        if predicts:
            return Shape.ESTIMATOR
        raise InvalidInput(
            "mechanism",
            f"{described(mechanism)}, which has fit and predict",
            "private-prediction or uniform-stability for it: they ask what it predicts; what it is "
            "when fitted has no law that could be compared",
        )
    names = _called_with(mechanism)
    shape = {1: Shape.LAW_FUNCTION, 2: Shape.PROGRAM, 3: Shape.POINT_PROGRAM}.get(len(names))
    if shape is None or (shape is Shape.POINT_PROGRAM and not predicts):
        raise _refused(mechanism, predicts)
    if shape is Shape.POINT_PROGRAM and (names[1] == "coins" or names[2] == "point"):
        raise InvalidInput(
            "mechanism",
            f"{_name(mechanism)} with the coins before the point",
            "the sample, the point and the coins in this order: (sample, point, rng)",
        )
    if shape is Shape.PROGRAM and names[1] == "point":
        if predicts:
            return Shape.POINT_FUNCTION
        raise InvalidInput(
            "mechanism",
            f"{_name(mechanism)}, which takes a point",
            "private-prediction or uniform-stability for what predicts at a point; or "
            f"{LAW_SHAPES}",
        )
    if shape is Shape.PROGRAM and predicts and names[1] != "coins":
        raise InvalidInput(
            "mechanism",
            f"{_name(mechanism)} of two arguments, the second of which may be point or coins",
            "(sample, point) for what draws nothing, (sample, point, rng) for what does, or "
            "(sample, rng) for what returns a hypothesis: the names tell",
        )
    return shape


def is_estimator(mechanism: object) -> bool:
    """Return whether an object is fitted to a sample, and predicts then."""
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
        return shape_of(mechanism, predicts=True).only_predicts
    except InvalidInput:
        return False


def method_of(mechanism: object, name: str) -> Callable[..., object] | None:
    """Return a method of an object; a class is no algorithm, its instances are."""
    method = None if isinstance(mechanism, type) else getattr(mechanism, name, None)
    return method if callable(method) else None


def _refused(mechanism: object, predicts: bool) -> InvalidInput:
    given = described(mechanism)
    if isinstance(mechanism, type):
        given = (
            f"the class {mechanism.__name__} (an instance is an algorithm: {mechanism.__name__}())"
        )
    return InvalidInput("mechanism", given, PREDICTION_SHAPES if predicts else LAW_SHAPES)


def _name(mechanism: object) -> str:
    return getattr(mechanism, "__qualname__", None) or described(mechanism)


def _called_with(function: object) -> list[str]:
    """Return what a function is to be called with: ``point``, ``coins`` or nothing known, for each.

    These are the parameters that it requires, and those up to one with a name of the coins; none if
    it cannot be called.
    """
    if not callable(function) or isinstance(function, type):
        return []
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some functions written in C have none
        return [""]
    places = [
        p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    named = [
        p.name
        for p in parameters.values()
        if p.kind is p.KEYWORD_ONLY and (p.default is p.empty or _meaning(p))
    ]
    if named:
        raise InvalidInput(
            "mechanism",
            f"{_name(function)}, which takes {', '.join(named)} by name only",
            "parameters that are given by their places: (sample, point, rng)",
        )
    required = sum(p.default is p.empty for p in places)
    coins = [index + 1 for index, p in enumerate(places) if p.name in COINS]
    count = max(required, *coins) if coins else required
    return [_meaning(p) for p in places[:count]]


def _meaning(parameter: inspect.Parameter) -> str:
    name = parameter.name.strip("_").lower()
    annotation = parameter.annotation
    kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if name in COINS + _MORE_COINS or kind.rpartition(".")[2] in _COIN_TYPES:
        return "coins"
    return "point" if name in _POINTS else ""
