"""The classifiers, with the interface of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon
from pac_stability.estimators import drawing, grids
from pac_stability.estimators.grids import FeatureGrid, FittedRule, PrivacyReport, RoundNumbers
from pac_stability.mechanisms import Ledger, PrivacyGuarantee

if TYPE_CHECKING:
    from typing import Self

Neighbours = Literal["replace-one", "add-remove"]
MOST_CLASSES = 255
"""How many classes a tree may tell apart."""


class RuleClassifier(grids.ClassifierMixin, grids.BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """One exact draw from lists of rules: what the classifiers that are published whole share."""

    _kinds: tuple[drawing.RuleClass, ...] = ()
    most_classes = 2
    sparsity: int | None = None
    depth: int | None = None

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

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Draw one rule; spends epsilon, once.

        Parameters
        ----------
        X
            The measurements, shape (n, p): finite numbers.
        y
            The labels.

        Returns
        -------
        self
            With ``hypothesis_``, ``privacy_`` and ``classes_``.

        Raises
        ------
        InvalidInput
            A parameter is out of range; nothing is spent.
        ValueError
            The data are not fit, such as NaN, or too many kinds of labels; nothing is spent.
        BudgetExhausted
            The ledger has less left than epsilon; nothing is drawn.

        Whatever is raised, an estimator that was fitted before is what it was.
        """
        decay, guarantee = drawing.decay_of(self.epsilon, self.neighbours)
        fresh = grids.untouched(self)
        data = grids.checked_table(fresh, X, y, self.classes, most=self.most_classes)
        lists = self.rules(data.table.shape[1], len(data.known))
        coins = grids.coins_of(self.random_state)
        grids.warn_of_searches()
        grids.warn_of_clipping(lists.grid, data.table)
        posterior = lists.posterior(data.table, data.labels, decay)
        if self.ledger is not None:
            self.ledger.reserve(guarantee, name=type(self).__name__)
        rule = cast("drawing.DrawnRule", posterior.draw(coins))
        self.__dict__ = fresh.publish(rule, lists.grid, data.known, guarantee).__dict__
        return self

    def rules(self, features: int, labels: int = 2) -> drawing.RuleLists:
        """Return the rules that there are for tables of a width: public, before any data.

        Parameters
        ----------
        features
            p, how many columns there are.
        labels
            How many kinds of labels.

        Raises
        ------
        InvalidInput
            A parameter is out of range.
        """
        grid = RoundNumbers() if self.grid is None else self.grid
        return drawing.rules_for(
            self._kinds, grid, features, labels, sparsity=self.sparsity, depth=self.depth
        )

    def publish(
        self,
        rule: drawing.DrawnRule,
        grid: FeatureGrid,
        known: npt.NDArray[np.generic],
        guarantee: PrivacyGuarantee,
    ) -> Self:
        """Take a rule that was drawn for what was learnt; called by ``fit``."""
        width = cast("int", self.n_features_in_)
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(width)])
        self.classes_ = known
        self.hypothesis_: FittedRule = FittedRule(
            rule, grid, tuple(map(str, names)), tuple(map(str, known))
        )
        report = PrivacyReport(guarantee, self.neighbours)
        self.privacy_: PrivacyReport | None = report if self.random_state is None else None
        return self

    def evaluate_exact(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        X_test: npt.ArrayLike | None = None,
        y_test: npt.ArrayLike | None = None,
    ) -> drawing.ExactEvaluation:
        """Return the expected accuracy, over all coins, of what ``fit(X, y)`` would draw.

        Nothing is drawn, and nothing is spent; but the number depends on every row without noise.
        It is for simulations, for public tables, and for the owner's eyes.

        Parameters
        ----------
        X, y
            What would be learnt from.
        X_test, y_test
            What would be asked; by default the same.

        Returns
        -------
        ExactEvaluation
            Marked as not private.

        Raises
        ------
        InvalidInput, ValueError
            As for ``fit``.
        """
        from sklearn.base import clone  # noqa: PLC0415  # an extra

        decay, _ = drawing.decay_of(self.epsilon, self.neighbours)
        other = clone(self)  # so that this one learns no names
        data = grids.checked_table(other, X, y, self.classes, most=self.most_classes)
        asked, wanted = data.table, data.labels
        if X_test is not None:
            asked = grids.asked_table(other, X_test)
            given = np.asarray(y_test)
            if given.shape != (len(asked),) or not np.isin(given, data.known).all():
                raise ValueError("y_test has to have one of the labels learnt from for each row")
            wanted = np.searchsorted(data.known, given).astype(np.int64)
        lists = self.rules(asked.shape[1], len(data.known))
        wrong = lists.expected((data.table, data.labels), (asked, wanted), decay).errors
        return drawing.ExactEvaluation(1 - wrong / len(wanted))

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[np.generic]:
        """Return labels; nothing private is looked at, so it costs nothing."""
        labels = self._labels(X)
        return self.classes_[labels]

    def decision_function(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return 1 where a class is predicted and -1 elsewhere: the second, or each of many."""
        labels = self._labels(X)
        if len(self.classes_) == 2:
            return np.where(labels == 1, 1.0, -1.0)
        return np.where(labels[:, None] == np.arange(len(self.classes_)), 1.0, -1.0)

    def _labels(self, X: npt.ArrayLike) -> npt.NDArray[np.int64]:
        from sklearn.utils.validation import check_is_fitted  # noqa: PLC0415  # an extra

        check_is_fitted(self, "hypothesis_")
        return self.hypothesis_.labels(grids.asked_table(self, X)).astype(np.int64)

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.most_classes > 2
        tags.classifier_tags.poor_score = True
        return tags


class PrivateClassifier(RuleClassifier):
    """A private classifier without anything to tune: a risk score or a small tree, drawn exactly.

    With more than two classes it is a tree.

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
        The labels. By default those in y, in order, are taken for public.
    ledger
        A :class:`~pac_stability.mechanisms.Ledger` that epsilon is taken from before the draw. In
        one for a row replaced, a fit for rows added or removed counts twice.
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
    most_classes = MOST_CLASSES


class SparseHalfspaceClassifier(RuleClassifier):
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
        super().__init__(
            epsilon,
            grid=grid,
            neighbours=neighbours,
            classes=classes,
            ledger=ledger,
            random_state=random_state,
        )
        self.sparsity = sparsity


class ExponentialStumpClassifier(RuleClassifier):
    """A private threshold on one feature, drawn by the exponential mechanism.

    Parameters
    ----------
    epsilon, grid, neighbours, classes, ledger, random_state
        As for :class:`PrivateClassifier`.

    Notes
    -----
    :class:`SparseHalfspaceClassifier` with a sparsity of 1: the fewest rules, and so the least to
    pay for at very small epsilons.
    """

    _kinds = ("sparse",)
    sparsity = 1


class PrunedTreeClassifier(RuleClassifier):
    """A private decision tree of few questions, with up to 255 classes.

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
    most_classes = MOST_CLASSES

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
        super().__init__(
            epsilon,
            grid=grid,
            neighbours=neighbours,
            classes=classes,
            ledger=ledger,
            random_state=random_state,
        )
        self.depth = depth
