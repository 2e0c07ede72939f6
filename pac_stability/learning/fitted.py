"""Whatever makes a hypothesis of a sample: a class, a function, or a classifier to be fitted."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described
from pac_stability.classes import Family, Hypothesis
from pac_stability.classes.required import require_family
from pac_stability.data import AnySample, ArraySample
from pac_stability.errors import InvalidInput
from pac_stability.learning.prepared import ManyPoints


class Classifier(Protocol):
    """What is fitted to rows and labels, and labels rows then: of scikit-learn, or like one."""

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
    """Refuse what is no base learner, and the empty class.

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
    """Return what a function or a classifier makes of a sample.

    Parameters
    ----------
    base
        A function of the sample, or a classifier: a copy of it is fitted to points as rows of
        numbers. (A class is learned by those who know how: an empirical risk minimiser, as a rule.)
    sample
        S, not empty.

    Returns
    -------
    Hypothesis
        Of a classifier, a :class:`FittedClassifier`. Where all labels are equal it is that label,
        and nothing is fitted: most classifiers refuse such samples, and a refusal tells what is in
        them.

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
        What labels rows of numbers.
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
            It predicts something else than one label, 0 or 1, for each row.
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
