"""The classifiers, with the interface of scikit-learn.

First those that publish a rule once, then those that answer queries: they hold the data, and each
answer spends epsilon.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber, as_size, described
from pac_stability.arithmetic import Epsilon, EpsilonLike
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import Stumps
from pac_stability.data import ArraySample
from pac_stability.data.display import shown
from pac_stability.errors import InvalidInput
from pac_stability.estimators import drawing
from pac_stability.estimators.drawing import (
    ExactEvaluation,
    FeatureGrid,
    FittedRule,
    PrivacyReport,
    RoundNumbers,
    Table,
)
from pac_stability.learning import Classifier, FittedClassifier, PreparedPredictor, learned
from pac_stability.mechanisms import GeometricVote, Ledger, PrivacyGuarantee, basic_composition
from pac_stability.papers.dagan_feldman import FlippedLearner

if TYPE_CHECKING:
    from typing import Self


Neighbours = Literal["replace-one", "add-remove"]
MOST_CLASSES = 255
"""How many classes a tree may tell apart."""


class RuleClassifier(drawing.ClassifierMixin, drawing.BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """One exact draw from lists of rules: the base of the classifiers that are published whole."""

    _kinds: tuple[drawing.RuleClass, ...] = ()
    most_classes = 2
    sparsity: int | None = None
    depth: int | None = None

    def __init__(
        self,
        epsilon: EpsilonLike = 1.0,
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
        """Draw one rule; this spends epsilon once.

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
            The data are unusable, such as NaN or too many kinds of labels; nothing is spent.
        BudgetExhausted
            The ledger has less than epsilon left; nothing is drawn.

        If any exception is raised, a fitted estimator keeps its old state.
        """
        decay, guarantee = drawing.decay_of(self.epsilon, self.neighbours)
        fresh = drawing.untouched(self)
        data = drawing.checked_table(fresh, X, y, self.classes, most=self.most_classes)
        lists = self.rules(data.table.shape[1], len(data.known))
        coins = drawing.coins_of(self.random_state)
        drawing.warn_of_searches()
        drawing.warn_of_clipping(lists.grid, data.table)
        posterior = lists.posterior(data.table, data.labels, decay)
        if self.ledger is not None:
            self.ledger.reserve(guarantee, name=type(self).__name__)
        rule = cast("drawing.DrawnRule", posterior.draw(coins))
        self.__dict__ = fresh.publish(rule, lists.grid, data.known, guarantee).__dict__
        return self

    def rules(self, features: int, labels: int = 2) -> drawing.RuleLists:
        """Return the rules for tables of a given width, which are public before any data.

        Parameters
        ----------
        features
            p, the number of columns.
        labels
            The number of kinds of labels.

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
        """Set the drawn rule as the result; called by ``fit``."""
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
        """Return the expected accuracy, over all coins, of the rule that ``fit(X, y)`` would draw.

        It draws nothing and spends nothing, but the number depends on every row without noise. It
        is for simulations, for public tables, and for the owner's eyes.

        Parameters
        ----------
        X, y
            The rows and labels to learn from.
        X_test, y_test
            The rows and labels to predict; by default the same.

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
        data = drawing.checked_table(other, X, y, self.classes, most=self.most_classes)
        asked, wanted = data.table, data.labels
        if X_test is not None:
            asked = drawing.asked_table(other, X_test)
            given = np.asarray(y_test)
            if given.shape != (len(asked),) or not np.isin(given, data.known).all():
                raise ValueError("y_test has to have one of the labels learnt from for each row")
            wanted = np.searchsorted(data.known, given).astype(np.int64)
        lists = self.rules(asked.shape[1], len(data.known))
        wrong = lists.expected((data.table, data.labels), (asked, wanted), decay).errors
        return drawing.ExactEvaluation(1 - wrong / len(wanted))

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[np.generic]:
        """Return labels; this reads no private data, so it costs nothing."""
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
        return self.hypothesis_.labels(drawing.asked_table(self, X)).astype(np.int64)

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.most_classes > 2
        tags.classifier_tags.poor_score = True
        return tags


class PrivateClassifier(RuleClassifier):
    """A private classifier without parameters to tune: a risk score or a small tree, drawn exactly.

    With more than two classes it is a tree.

    Parameters
    ----------
    epsilon
        The epsilon of the whole model: a positive number or an :class:`~pac_stability.Epsilon`.
    grid
        The grid that turns measurements into integers; it is public and never computed from the
        table: :class:`~pac_stability.estimators.FeatureBounds` or, by default,
        :class:`~pac_stability.estimators.RoundNumbers`, which needs no bounds.
    neighbours
        The tables that the guarantee compares: ``"replace-one"`` row, or ``"add-remove"`` one,
        which is more accurate for the same epsilon.
    classes
        The labels. By default those in y, in order; they are then considered public.
    ledger
        A :class:`~pac_stability.mechanisms.Ledger` that is charged epsilon before the draw. In a
        ledger for a row replaced, a fit for rows added or removed counts twice.
    random_state
        For repeatable experiments only: a fixed seed gives no privacy, and ``privacy_`` is None.

    Attributes
    ----------
    hypothesis_
        The rule, a :class:`~pac_stability.estimators.FittedRule`: ``print`` shows it.
    privacy_
        The cost of the model, a :class:`~pac_stability.estimators.PrivacyReport`.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    One exponential mechanism over the union of two lists that are fixed before the data are seen,
    prior 1/2 each: sums of at most three signed features against a cut
    (:class:`~pac_stability.classes.SparseHalfspaces`), and decision trees
    (:class:`~pac_stability.classes.PrunedTrees`), depth 2, or 3 on one or two features. The list
    that fits better gets nearly all of the posterior; this choice costs 2 log 2/epsilon errors. The
    draw is exact, so the guarantee is that of the theorem, with delta = 0. After ``fit`` the object
    keeps no data, and may be pickled and published.

    The guarantee does not cover: the width of the table, its number of rows, the labels (see
    ``classes``), the running time of ``fit``, and its exceptions.

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
        The most features; by default 3, or fewer if that would be more than six million rules.

    Notes
    -----
    The exponential mechanism over :class:`~pac_stability.classes.SparseHalfspaces`.
    """

    _kinds = ("sparse",)

    def __init__(
        self,
        epsilon: EpsilonLike = 1.0,
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
    :class:`SparseHalfspaceClassifier` with a sparsity of 1: the fewest rules, and so the lowest
    cost at very small epsilons.
    """

    _kinds = ("sparse",)
    sparsity = 1


class PrunedTreeClassifier(RuleClassifier):
    """A small private decision tree, with up to 255 classes.

    Parameters
    ----------
    epsilon, grid, neighbours, classes, ledger, random_state
        As for :class:`PrivateClassifier`.
    depth
        The largest depth of the tree; by default 2, or 3 on one or two features.

    Notes
    -----
    The exponential mechanism over :class:`~pac_stability.classes.PrunedTrees`, without listing
    them: :class:`~pac_stability.mechanisms.TreePosterior`.
    """

    _kinds = ("trees",)
    most_classes = MOST_CLASSES

    def __init__(
        self,
        epsilon: EpsilonLike = 1.0,
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


# Classifiers that answer by query

ONE_ANSWER = "one answer: k answers, repeated questions included, spend what k uses compose to"


class PublicLabels(NamedTuple):
    """Labels that may be published, with their cost.

    Attributes
    ----------
    labels
        One label for each row.
    spent
        The total cost by basic composition, or None if it is unknown.
    """

    labels: npt.NDArray[np.generic]
    spent: PrivacyGuarantee | None

    def __str__(self) -> str:
        return f"{len(self.labels):,} public labels, for {shown(self.spent)}"


class QueryClassifier(drawing.ClassifierMixin, drawing.BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """The common base of the classifiers that answer queries: they hold data and are not a model.

    Once fitted they refuse to be pickled or copied: a copy of the object is a copy of the data, and
    of a budget. Publish labels instead: :func:`label_public`.
    """

    epsilon: EpsilonLike
    classes: Sequence[object] | None
    ledger: Ledger | None
    random_state: object

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[np.generic]:
        """Answer one query a row, each with fresh coins; each spends epsilon.

        Parameters
        ----------
        X
            The points, shape (k, p). The same point twice counts as two queries.

        Returns
        -------
        ndarray
            k labels.

        Raises
        ------
        BudgetExhausted
            The ledger has less left than the cost of all k answers; none is given.
        ValueError
            The points do not match the learnt columns; nothing is spent.
        """
        from sklearn.utils.validation import check_is_fitted  # noqa: PLC0415  # an extra

        check_is_fitted(self, "classes_")
        table = drawing.asked_table(self, X)
        if self.ledger is not None:
            self.ledger.reserve(self._guarantee, len(table), name=type(self).__name__)
        return self.classes_[self._answers(table)]

    def _answers(self, table: Table) -> drawing.Labels:
        raise NotImplementedError

    def _learnt(self, guarantee: PrivacyGuarantee, known: npt.NDArray[np.generic]) -> None:
        self._guarantee = guarantee
        self.classes_ = known
        report = PrivacyReport(guarantee, "replace-one", ONE_ANSWER, claim=self._claim)
        self.privacy_: PrivacyReport | None = report if self.random_state is None else None

    _claim = ""

    def __getstate__(self) -> object:
        if "classes_" in vars(self):
            given = "a fitted one to pickle or copy, which holds the private data"
            wanted = "labels to publish (label_public), or a classifier that is published whole"
            raise InvalidInput(type(self).__name__, given, wanted)
        return super().__getstate__()

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        tags.non_deterministic = True
        return tags


class PrivatePredictionClassifier(QueryClassifier):
    """Answers by a private vote of teachers of any kind, trained on disjoint parts.

    Parameters
    ----------
    base
        The teacher: a classifier of scikit-learn; by default logistic regression on columns that
        each teacher scales by its own part.
    epsilon
        The epsilon of *one answer*.
    teachers
        How many. By default 15/epsilon, from 5 to 45 and not so many that a part has fewer than 8
        rows; it depends only on epsilon and on the number of rows.
    classes
        The two labels. By default those in y, in order; they are then considered public.
    ledger
        A :class:`~pac_stability.mechanisms.Ledger` that is charged for answers before they are
        given. Without one nobody counts.
    random_state
        For repeatable experiments only: a fixed seed gives no privacy, and ``privacy_`` is None.

    Attributes
    ----------
    privacy_
        The cost of one answer, a :class:`~pac_stability.estimators.PrivacyReport`.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    Row i trains teacher i modulo their number, so replacing a row changes one vote. This holds for
    all teachers, without any assumption. The vote is
    :class:`~pac_stability.mechanisms.GeometricVote`; no equally private vote errs less. Adding or
    removing rows would shift the parts, so the guarantee is for rows replaced.

    Best for few answers; for more, a classifier that is published whole costs less. :func:`plan`
    finds the crossover, on a public table.

    Sources: Dwork and Feldman, *Privacy-preserving prediction*, 2018; Papernot et al., 2017.

    Examples
    --------
    With scikit-learn::

        ledger = Ledger("answers.ledger", epsilon=2)
        model = PrivatePredictionClassifier(RandomForestClassifier(), "1/2", ledger=ledger)
        model.fit(X, y).predict(one_patient)  # three more such answers are left
    """

    _claim = "mechanisms.GeometricVote"

    def __init__(
        self,
        base: object = None,
        epsilon: EpsilonLike = 1.0,
        *,
        teachers: int | None = None,
        classes: Sequence[object] | None = None,
        ledger: Ledger | None = None,
        random_state: object = None,
    ) -> None:
        self.base = base
        self.epsilon = epsilon
        self.teachers = teachers
        self.classes = classes
        self.ledger = ledger
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Train the teachers; this spends nothing, because it reveals nothing about them.

        Parameters
        ----------
        X
            The measurements, shape (n, p).
        y
            The labels, of two kinds.

        Raises
        ------
        InvalidInput
            A parameter is out of range.
        ValueError
            The data are unusable, or there are more teachers than rows.
        """
        vote = GeometricVote.from_epsilon(as_positive_epsilon(self.epsilon))
        fresh = drawing.untouched(self)
        data = drawing.checked_table(fresh, X, y, self.classes, most=2)
        count = self._count(len(data.table))
        fresh._coins = drawing.coins_of(self.random_state)
        drawing.warn_of_searches()
        fresh._vote = vote
        fresh._teachers = taught(self.base, data.table, data.labels, count)
        fresh._learnt(vote.guarantee, data.known)
        self.__dict__ = fresh.__dict__
        return self

    def evaluate_exact(self, X: npt.ArrayLike, y: npt.ArrayLike) -> ExactEvaluation:
        """Return the expected accuracy of answers over all coins; nothing is spent.

        Parameters
        ----------
        X, y
            The points to predict, and their right labels.

        Returns
        -------
        ExactEvaluation
            The result is marked as not private: it is for simulations, and for the owner's eyes.
        """
        table, wanted = drawing.asked_table(self, X), np.asarray(y)
        if wanted.shape != (len(table),) or not np.isin(wanted, self.classes_).all():
            raise ValueError("y has to have one of the labels learnt from for each row")
        return ExactEvaluation(
            vote_accuracy(self._vote, self._votes(table), wanted == self.classes_[1], self._size)
        )

    @property
    def _size(self) -> int:
        return len(self._teachers)

    def _count(self, rows: int) -> int:
        if self.teachers is not None:
            count = as_size(self.teachers, "teachers", 1)
            if count > rows:
                raise ValueError(f"{count} teachers for n_samples = {rows} rows")
            return count
        return teachers_for(float(as_positive_epsilon(self.epsilon)), rows)

    def _votes(self, table: Table) -> drawing.Labels:
        """Return for each point how many teachers say 1."""
        said = np.zeros(len(table), dtype=np.int64)
        for teacher in self._teachers:
            said += teacher.labels(table)
        return said

    def _answers(self, table: Table) -> drawing.Labels:
        votes, size = self._votes(table), self._size
        chances = chances_of_one(self._vote, size)
        answers = [self._coins.bernoulli(chances[vote]) for vote in votes.tolist()]
        return np.array(answers, dtype=np.int64)


class StablePredictionClassifier(QueryClassifier):
    """Answers by DF20's stable learner of stumps, with randomly flipped labels.

    Parameters
    ----------
    epsilon
        The epsilon of *one answer*.
    flip
        The probability of flipping the label of an answer, an exact number above 0 and at most 1/2;
        a larger one lets each answer use more rows.
    classes, ledger, random_state
        As for :class:`PrivatePredictionClassifier`.

    Attributes
    ----------
    privacy_
        The cost of one answer, a :class:`~pac_stability.estimators.PrivacyReport`.
    learner_
        The :class:`~pac_stability.papers.dagan_feldman.FlippedLearner`.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    Each answer draws some rows, draws a stump that fits them by the exponential mechanism, takes
    its label of the point, and flips it with the given probability. It needs neither bounds nor a
    grid: stumps cut at drawn rows. It is the paper's algorithm unchanged; votes of teachers,
    :class:`PrivatePredictionClassifier`, err less on every table that we measured.

    Source: DF20 Corollary 2 and Section 3.
    """

    _claim = "DF20:corollary-2"
    _prepared: PreparedPredictor[Hashable]

    def __init__(
        self,
        epsilon: EpsilonLike = 1.0,
        *,
        flip: AnyNumber = "1/10",
        classes: Sequence[object] | None = None,
        ledger: Ledger | None = None,
        random_state: object = None,
    ) -> None:
        self.epsilon = epsilon
        self.flip = flip
        self.classes = classes
        self.ledger = ledger
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Store the data, ready for queries; this spends nothing.

        Parameters
        ----------
        X
            The measurements, shape (n, p).
        y
            The labels, of two kinds.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or there are too few rows for this epsilon and flip.
        ValueError
            The data are unusable.
        """
        fresh = drawing.untouched(self)
        data = drawing.checked_table(fresh, X, y, self.classes, most=2)
        rows, features = data.table.shape
        learner = FlippedLearner.from_privacy(Stumps(features), self.epsilon, self.flip, rows)
        fresh._coins = drawing.coins_of(self.random_state)
        drawing.warn_of_searches()
        fresh.learner_ = learner
        fresh._prepared = learner.prepare(ArraySample(data.table, data.labels))
        fresh._learnt(PrivacyGuarantee(Epsilon.exactly(learner.factor(rows))), data.known)
        self.__dict__ = fresh.__dict__
        return self

    def _answers(self, table: Table) -> drawing.Labels:
        return self._prepared.answers(table, self._coins).astype(np.int64)


def teachers_for(epsilon: float, rows: int) -> int:
    """Return the default number of teachers: 15/epsilon, within limits.

    Examples
    --------
    >>> [teachers_for(epsilon, 400) for epsilon in (0.1, 0.5, 1, 3)], teachers_for(1, 20)
    ([45, 30, 15, 5], 2)
    """
    return max(1, min(45, max(5, round(15 / epsilon)), rows // 8))


def taught(
    base: object, table: Table, labels: drawing.Labels, count: int
) -> list[FittedClassifier]:
    """Return teachers trained on disjoint parts: row i goes to number i modulo their count."""
    start = _default_base() if base is None else base
    if not (callable(getattr(start, "fit", None)) and callable(getattr(start, "predict", None))):
        raise InvalidInput("base", described(start), "a classifier with fit and predict")
    parts = [ArraySample(table[part::count], labels[part::count]) for part in range(count)]
    return [cast("FittedClassifier", learned(cast("Classifier", start), part)) for part in parts]


def chances_of_one(vote: GeometricVote, size: int) -> list[Fraction]:
    """Return, for 0, 1, ..., size votes for label 1, the probability of that label."""
    return [vote.law((1,) * v + (0,) * (size - v)).probability(1) for v in range(size + 1)]


def vote_accuracy(
    vote: GeometricVote, votes: drawing.Labels, wanted: npt.NDArray[np.bool_], size: int
) -> float:
    """Return the expected accuracy of the votes, in floats."""
    one = np.array([float(chance) for chance in chances_of_one(vote, size)])[votes]
    return float(np.where(wanted, one, 1 - one).mean())


def label_public(
    estimator: QueryClassifier | RuleClassifier, X_public: npt.ArrayLike
) -> PublicLabels:
    """Label public points with private answers, to train a student that may be published.

    Parameters
    ----------
    estimator
        A fitted classifier that answers queries, or one that is published whole.
    X_public
        Points that are public.

    Returns
    -------
    PublicLabels
        The labels, and their total cost. Everything learnt from them, by any method, is as private.

    Raises
    ------
    BudgetExhausted, ValueError
        As for ``predict``: all labels or none.
    """
    labels = estimator.predict(X_public)
    report = estimator.privacy_
    if report is None:
        return PublicLabels(labels, None)
    times = len(labels) if isinstance(estimator, QueryClassifier) else 1
    return PublicLabels(labels, basic_composition([report.guarantee] * times))


def _default_base() -> object:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # an extra
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
