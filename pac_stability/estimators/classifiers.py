"""The classifiers, with the interface of scikit-learn."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon
from pac_stability.estimators._scikit_learn import BaseEstimator, ClassifierMixin
from pac_stability.estimators.drawing import DrawnRule, RuleClass, decay_of, posterior_of
from pac_stability.estimators.grids import FeatureGrid, RoundNumbers, Table
from pac_stability.estimators.rules import FittedRule, PrivacyReport
from pac_stability.mechanisms import Ledger
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins

if TYPE_CHECKING:
    from typing import Self

Neighbours = Literal["replace-one", "add-remove"]


class _RuleClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Two classes, one exact draw: what the classifiers have in common."""

    _kinds: tuple[RuleClass, ...] = ()
    epsilon: Epsilon | AnyNumber
    grid: FeatureGrid | None
    neighbours: Neighbours
    classes: Sequence[object] | None
    ledger: Ledger | None
    random_state: object
    sparsity: int | None = None
    depth: int | None = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Draw one rule; spends epsilon, once.

        Parameters
        ----------
        X
            The measurements, shape (n, p): finite numbers.
        y
            The labels, of two kinds.

        Returns
        -------
        self
            With ``hypothesis_``, ``privacy_`` and ``classes_``.

        Raises
        ------
        InvalidInput
            A parameter is out of range; nothing is spent.
        ValueError
            The data are not fit, such as NaN, or three kinds of labels; nothing is spent.
        BudgetExhausted
            The ledger has less left than epsilon; nothing is drawn.
        """
        decay, guarantee = decay_of(self.epsilon, self.neighbours)
        table, known, labels = self._checked(X, y)
        grid = RoundNumbers() if self.grid is None else self.grid
        coins = self._coins()
        posterior = posterior_of(
            self._kinds, grid, table, labels, decay, sparsity=self.sparsity, depth=self.depth
        )
        if self.ledger is not None:
            self.ledger.reserve(guarantee)
        rule = cast("DrawnRule", posterior.draw(coins))
        width = table.shape[1]
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(width)])
        self.classes_ = known
        self.hypothesis_ = FittedRule(rule, grid, tuple(map(str, names)), tuple(map(str, known)))
        report = PrivacyReport(guarantee, self.neighbours)
        self.privacy_ = report if self.random_state is None else None
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[np.generic]:
        """Return labels; nothing private is looked at, so it costs nothing."""
        labels = self._labels(X)
        return self.classes_[labels]

    def decision_function(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return 1 where the second class is predicted, and -1 elsewhere."""
        return np.where(self._labels(X) == 1, 1.0, -1.0)

    def _labels(self, X: npt.ArrayLike) -> npt.NDArray[np.int64]:
        from sklearn.utils.validation import check_is_fitted, validate_data  # noqa: PLC0415  # an extra

        check_is_fitted(self, "hypothesis_")
        table = cast("Table", validate_data(self, X, reset=False, dtype=np.float64))
        return self.hypothesis_.labels(table).astype(np.int64)

    def _checked(
        self, X: npt.ArrayLike, y: npt.ArrayLike
    ) -> tuple[Table, npt.NDArray[np.generic], npt.NDArray[np.uint8]]:
        from sklearn.utils.multiclass import (  # noqa: PLC0415  # an extra
            check_classification_targets,
            type_of_target,
        )
        from sklearn.utils.validation import validate_data  # noqa: PLC0415

        table, given = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(given)
        kind = type_of_target(given, input_name="y", raise_unknown=True)
        if kind != "binary":
            message = f"Only binary classification is supported. The type of the target is {kind}."
            raise ValueError(message)
        known = np.unique(given if self.classes is None else np.asarray(self.classes))
        if len(known) != 2:
            message = (
                f"{len(known)} class: the classifier needs two; with classes=(a, b) a table of one"
                " kind can be learnt from"
            )
            raise ValueError(message)
        if not np.isin(given, known).all():
            raise ValueError(f"y has labels other than classes={tuple(known.tolist())}")
        return table, known, (given == known[1]).astype(np.uint8)

    def _coins(self) -> Coins:
        if self.random_state is None:
            return SYSTEM_COINS
        warnings.warn(
            "random_state makes the draw repeatable, and so not private: privacy_ is None",
            stacklevel=3,
        )
        if isinstance(self.random_state, numbers.Integral):
            return SeededCoins(int(self.random_state))
        from sklearn.utils import check_random_state  # noqa: PLC0415  # an extra

        return SeededCoins(int(check_random_state(self.random_state).randint(2**31 - 1)))

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags


class PrivateClassifier(_RuleClassifier):
    """A private classifier without anything to tune: a risk score or a small tree, drawn exactly.

    Parameters
    ----------
    epsilon
        What the whole model may spend: a positive number or an :class:`~pac_stability.Epsilon`.
    grid
        What makes integers of measurements, public, never taken from the table:
        :class:`~pac_stability.estimators.FeatureBounds` or, by default,
        :class:`~pac_stability.estimators.RoundNumbers`, which needs no bounds.
    neighbours
        The tables that the guarantee compares: ``"replace-one"`` row, or ``"add-remove"`` one,
        which makes more of the same epsilon.
    classes
        The two labels. By default those in y, in order, are taken for public.
    ledger
        A :class:`~pac_stability.mechanisms.Ledger` that epsilon is taken from before the draw.
    random_state
        For repeatable experiments only: with it there is no privacy, and ``privacy_`` is None.

    Attributes
    ----------
    hypothesis_
        The rule, a :class:`~pac_stability.estimators.FittedRule`: ``print`` shows it.
    privacy_
        What was spent, a :class:`~pac_stability.estimators.PrivacyReport`.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    One exponential mechanism over the union of two lists that are fixed before the data are seen,
    prior 1/2 each: sums of at most three signed features against a cut
    (:class:`~pac_stability.classes.SparseHalfspaces`), and decision trees
    (:class:`~pac_stability.classes.PrunedTrees`), depth 2, or 3 on one or two features. The one
    that fits gets nearly all of the posterior: choosing costs 2 log 2/epsilon errors. The draw is
    exact, so the guarantee is that of the theorem, with delta = 0. After ``fit`` no data are kept,
    and the object may be pickled and published.

    Not covered: the width of the table, its number of rows, the labels (see ``classes``), how long
    ``fit`` takes, and what is raised when data are refused.

    Examples
    --------
    With scikit-learn::

        model = PrivateClassifier(epsilon=1).fit(X, y)
        print(model.hypothesis_)  # radius - smoothness >= 0.3, ...: malignant; else benign
    """

    _kinds = ("sparse", "trees")

    def __init__(
        self,
        epsilon: Epsilon | AnyNumber = 1.0,
        *,
        grid: FeatureGrid | None = None,
        neighbours: Neighbours = "replace-one",
        classes: Sequence[object] | None = None,
        ledger: Ledger | None = None,
        random_state: object = None,
    ) -> None:
        self.epsilon = epsilon
        self.grid = grid
        self.neighbours = neighbours
        self.classes = classes
        self.ledger = ledger
        self.random_state = random_state


class SparseHalfspaceClassifier(_RuleClassifier):
    """A private risk score: the sum of at most ``sparsity`` signed features against a cut.

    Parameters
    ----------
    epsilon, grid, neighbours, classes, ledger, random_state
        As for :class:`PrivateClassifier`.
    sparsity
        The most features; by default 3, or fewer where that would be more than six million rules.

    Notes
    -----
    The exponential mechanism over :class:`~pac_stability.classes.SparseHalfspaces`.
    """

    _kinds = ("sparse",)

    def __init__(
        self,
        epsilon: Epsilon | AnyNumber = 1.0,
        *,
        sparsity: int | None = None,
        grid: FeatureGrid | None = None,
        neighbours: Neighbours = "replace-one",
        classes: Sequence[object] | None = None,
        ledger: Ledger | None = None,
        random_state: object = None,
    ) -> None:
        self.epsilon = epsilon
        self.sparsity = sparsity
        self.grid = grid
        self.neighbours = neighbours
        self.classes = classes
        self.ledger = ledger
        self.random_state = random_state


class PrunedTreeClassifier(_RuleClassifier):
    """A private decision tree of few questions.

    Parameters
    ----------
    epsilon, grid, neighbours, classes, ledger, random_state
        As for :class:`PrivateClassifier`.
    depth
        The most questions that are asked; by default 2, or 3 on one or two features.

    Notes
    -----
    The exponential mechanism over :class:`~pac_stability.classes.PrunedTrees`, none of which is
    listed: :class:`~pac_stability.mechanisms.TreePosterior`.
    """

    _kinds = ("trees",)

    def __init__(
        self,
        epsilon: Epsilon | AnyNumber = 1.0,
        *,
        depth: int | None = None,
        grid: FeatureGrid | None = None,
        neighbours: Neighbours = "replace-one",
        classes: Sequence[object] | None = None,
        ledger: Ledger | None = None,
        random_state: object = None,
    ) -> None:
        self.epsilon = epsilon
        self.depth = depth
        self.grid = grid
        self.neighbours = neighbours
        self.classes = classes
        self.ledger = ledger
        self.random_state = random_state
