"""From a table to one drawn rule: grids, published results, checks, and the draw.

Grids, which do not depend on private data, turn measurements into small integers. Published rules
are readable and state their cost. Then come the checks of data before learning. They use only the
public part of scikit-learn, and say what to install if it is missing.

Last come the rules for a table of a given width, the expected quality of a draw over its coins, in
floats, and the draw.
"""

from __future__ import annotations

import contextlib
import math
import numbers
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import FrameType
from typing import ClassVar, Literal, NamedTuple, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pac_stability import classes, mechanisms
from pac_stability._report import Tabled
from pac_stability.arguments import as_size, described, fix, refuse_masked
from pac_stability.arithmetic import Epsilon, EpsilonLike
from pac_stability.classes import DecisionLeaf, DecisionSplit, DecisionTree, SparseHalfspace
from pac_stability.data import ArraySample, Neighbouring
from pac_stability.errors import InvalidInput, legible, printable
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins

Table = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

_ROUND = tuple(
    sorted(
        {0.0, *(s * float(f"{d}e{k}") for s in (-1, 1) for d in (1, 2, 5) for k in range(-4, 6))}
    )
)


class FeatureGrid(Protocol):
    """A map from measurements to integers, row by row, the same for every table."""

    @property
    def largest(self) -> int:
        """Codes are integers from 0 to this."""
        ...

    def require(self, features: int, /) -> None:
        """Refuse tables of another width."""
        ...

    def codes(self, table: Table, /) -> Codes:
        """Return the codes of measurements, shape (n, p)."""
        ...

    def clipped(self, table: Table, /) -> int:
        """Return how many measurements lie outside promised bounds."""
        ...

    def cuts(self, most: int, /) -> tuple[int, ...]:
        """Return possible cuts of single features, at most a given number."""
        ...

    def value(self, feature: int, code: int, /) -> float:
        """Return the least measurement of a feature that has a code."""
        ...


def evenly(largest: int, most: int) -> tuple[int, ...]:
    """Return at most a given number of cuts that divide 0 .. largest evenly.

    Examples
    --------
    >>> evenly(8, 3), evenly(2, 3)
    ((2, 4, 6), (1, 2))
    """
    if largest <= most:
        return tuple(range(1, largest + 1))
    return tuple(sorted({-(-t * largest // (most + 1)) for t in range(1, most + 1)}))


@dataclass(frozen=True, eq=False)
class FeatureBounds:
    """Each feature between public bounds, in equal steps; values outside are clipped.

    Parameters
    ----------
    low, high
        The bounds: numbers for all features, or one for each. Take them from knowledge of the
        measurement, such as the range of an instrument, never from the table.
    resolution
        The number of steps between them.

    Raises
    ------
    InvalidInput
        A bound is not finite, the upper not above the lower; or on use, there is not one for each
        feature.

    Examples
    --------
    >>> grid = FeatureBounds(0, [1, 10], resolution=10)
    >>> grid.codes(np.array([[0.35, 7.0], [-1.0, 99.0]])).tolist()
    [[3, 7], [0, 10]]
    """

    low: npt.ArrayLike
    high: npt.ArrayLike
    resolution: int = 960
    _low: Table = field(init=False, repr=False)
    _step: Table = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolution", as_size(self.resolution, "resolution", 1, 1 << 16))
        low, high = (_bound(getattr(self, name), name) for name in ("low", "high"))
        try:
            low, high = np.broadcast_arrays(low, high)
        except ValueError:
            raise InvalidInput(
                "high", f"{high.size} bounds", f"{low.size}, one a feature"
            ) from None
        if not np.all(low < high):
            raise InvalidInput("high", described(self.high), "bounds above the lower ones")
        fix(self, _low=low.copy(), _step=(high - low) / self.resolution)

    @property
    def largest(self) -> int:
        """Codes are integers from 0 to this."""
        return self.resolution

    def require(self, features: int, /) -> None:
        """Refuse tables of another width."""
        if self._low.ndim and self._low.size != features:
            given = f"{self._low.size} bounds for {features} features"
            raise InvalidInput("bounds", given, "one number, or one a feature")

    def codes(self, table: Table, /) -> Codes:
        """Return the codes of measurements, shape (n, p)."""
        steps = table - self._low
        steps /= self._step
        return np.clip(np.floor(steps, out=steps), 0, self.resolution, out=steps).astype(np.int64)

    def clipped(self, table: Table, /) -> int:
        """Return how many measurements lie beyond the bounds."""
        low, high = self._low, self._low + self.resolution * self._step
        return int(np.count_nonzero((table < low) | (table > high)))

    def cuts(self, most: int, /) -> tuple[int, ...]:
        """Return possible cuts of single features, at most a given number."""
        return evenly(self.resolution, most)

    def value(self, feature: int, code: int, /) -> float:
        """Return the least measurement of a feature that has a code."""
        low, step = (np.broadcast_to(a, feature + 1) if not a.ndim else a for a in self._ends)
        return float(low[feature] + code * step[feature])

    @property
    def _ends(self) -> tuple[Table, Table]:
        return self._low, self._step


@dataclass(frozen=True)
class RoundNumbers:
    """Measurements as the number of round numbers that they reach: 1, 2 and 5 times powers of ten.

    Use it when no bounds are known. From 0.0001 to 500,000, of both signs, and 0: a code is how
    many of these 61 numbers a measurement reaches.

    Examples
    --------
    >>> grid = RoundNumbers()
    >>> grid.codes(np.array([[-1e9, 0.0, 3.0]])).tolist(), grid.value(0, 45)
    ([[0, 31, 45]], 2.0)
    """

    @property
    def largest(self) -> int:
        """Codes are integers from 0 to this."""
        return len(_ROUND)

    def require(self, features: int, /) -> None:
        """Accept every width: the numbers serve every feature."""

    def codes(self, table: Table, /) -> Codes:
        """Return the codes of measurements, shape (n, p)."""
        return np.searchsorted(np.array(_ROUND), table, side="right").astype(np.int64)

    def clipped(self, table: Table, /) -> int:  # noqa: ARG002  # there are no bounds
        """Return 0: no bounds were promised."""
        return 0

    def cuts(self, most: int, /) -> tuple[int, ...]:  # noqa: ARG002  # few enough
        """Return all places: a cut is a round number."""
        return tuple(range(1, self.largest + 1))

    def value(self, feature: int, code: int, /) -> float:  # noqa: ARG002  # the same for all
        """Return the least measurement that has a code."""
        return _ROUND[code - 1] if code else -np.inf


def _bound(value: npt.ArrayLike, name: str) -> Table:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(name, described(value), "a number, or one for each feature") from None
    if array.ndim > 1 or not array.size or not np.all(np.isfinite(array)):
        raise InvalidInput(name, described(value), "a finite number, or one for each feature")
    return array


# What is published


@dataclass(frozen=True, repr=False)
class PrivacyReport(Tabled):
    """The cost of a model, and the relation of its guarantee.

    Attributes
    ----------
    guarantee
        The guarantee, at most the requested one.
    neighbours
        ``"replace-one"`` or ``"add-remove"``: which two tables the guarantee compares.
    scope
        What it covers.
    claim
        The statement that proves it, of :mod:`pac_stability.claims`; or the mechanism whose notes
        do.
    """

    _kind: ClassVar[str] = "what was spent"

    guarantee: PrivacyGuarantee
    neighbours: str
    scope: str = "whole model: it may be published, and asked without limit"
    notion: str = "pure differential privacy"
    claim: str = "DF20:lemma-7.privacy"

    def __post_init__(self) -> None:
        if self.neighbours != self.guarantee.neighbours.value:
            wanted = f"those of the guarantee, {self.guarantee.neighbours.value!r}"
            raise InvalidInput("neighbours", described(self.neighbours), wanted)


@dataclass(frozen=True, eq=False)
class FittedRule:
    """A rule with its grid, and the names of features and labels.

    Attributes
    ----------
    rule
        The drawn hypothesis on codes.
    grid
        The grid that turns measurements into codes.
    features
        The names of the features.
    classes
        The names of the labels 0 and 1.

    Examples
    --------
    >>> grid = FeatureBounds(0, [20, 10], resolution=10)
    >>> rule = SparseHalfspace(2, (0, 1), (1, -1), 3)
    >>> print(FittedRule(rule, grid, ("radius", "smoothness"), ("benign", "malignant")))
    radius - smoothness >= 0.3, as shares of their ranges: malignant; else benign
    >>> one = SparseHalfspace(2, (0,), (1,), 3, upward=False)
    >>> print(FittedRule(one, grid, ("radius", "smoothness"), ("benign", "malignant")))
    radius < 6: malignant; else benign
    """

    rule: SparseHalfspace | DecisionTree
    grid: FeatureGrid
    features: Sequence[str]
    classes: Sequence[str]

    def labels(self, table: Table) -> npt.NDArray[np.uint8]:
        """Return the labels, 0 or 1, of measurements, shape (n, p)."""
        return self.rule.labels(self.grid.codes(table))

    def __repr__(self) -> str:
        return f"<FittedRule: {' / '.join(str(self).splitlines())}>"

    def __str__(self) -> str:
        features, labels = (tuple(map(printable, names)) for names in (self.features, self.classes))
        told = replace(self, features=features, classes=labels)
        if isinstance(self.rule, SparseHalfspace):
            return told._sum(self.rule)
        return "\n".join(told._lines(self.rule, ""))

    def _sum(self, rule: SparseHalfspace) -> str:
        names = [self.features[i] for i in rule.features]
        side = ">=" if rule.upward else "<"
        verdict = f"{self.classes[1]}; else {self.classes[0]}"
        if len(names) == 1:
            # The first sign is always +.
            return f"{names[0]} {side} {self.grid.value(rule.features[0], rule.cut):g}: {verdict}"
        signs = [" + " if sign > 0 else " - " for sign in rule.signs]
        terms = "".join(s + n for s, n in zip(signs, names, strict=True)).removeprefix(" + ")
        if isinstance(self.grid, FeatureBounds):
            cut, unit = f"{rule.cut / self.grid.largest:.3g}", "shares of their ranges"
        else:
            cut, unit = str(rule.cut), "numbers of round numbers reached"
        return f"{terms} {side} {cut}, as {unit}: {verdict}"

    def _lines(self, tree: DecisionTree, indent: str) -> list[str]:
        if isinstance(tree, DecisionLeaf):
            return [f"{indent}{self.classes[tree.label]}"]
        assert isinstance(tree, DecisionSplit)  # noqa: S101  # there is nothing else
        cut = f"{self.grid.value(tree.feature, tree.cut):g}"
        return [
            f"{indent}if {self.features[tree.feature]} >= {cut}:",
            *self._lines(tree.above, indent + "    "),
            f"{indent}else:",
            *self._lines(tree.below, indent + "    "),
        ]


# Data before they are learnt from: checks, coins, and warnings

__all__ = ["BaseEstimator", "ClassifierMixin"]

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] != "sklearn":
        raise

    class ClassifierMixin:  # type: ignore[no-redef]  # in its place
        """Stands in for the mixin."""

    class BaseEstimator:  # type: ignore[no-redef]  # in its place
        """Stands in for the base, and says what to install when one is made."""

        def __new__(cls, *_: object, **__: object) -> BaseEstimator:
            """Refuse."""
            message = "the classifiers need scikit-learn: pip install 'pac_stability[sklearn]'"
            raise ImportError(message)


Labels = npt.NDArray[np.int64]


class CheckedTable(NamedTuple):
    """Data that passed the checks.

    Attributes
    ----------
    table
        The measurements, shape (n, p).
    labels
        The indices of the n labels, from 0.
    known
        The distinct labels, in order.
    """

    table: Table
    labels: Labels
    known: npt.NDArray[np.generic]


def checked_table(
    estimator: object,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    classes: Sequence[object] | None,
    *,
    most: int,
) -> CheckedTable:
    """Return measurements and labels, as scikit-learn checks them.

    Parameters
    ----------
    estimator
        The estimator; it records the names of columns and their number.
    X, y
        The data.
    classes
        The possible labels, or None for those in y.
    most
        The most labels.

    Raises
    ------
    ValueError
        The data are unusable: not finite, empty, or with only one kind of label or too many.
    """
    from sklearn.utils.multiclass import (  # noqa: PLC0415  # an extra
        check_classification_targets,
        type_of_target,
    )
    from sklearn.utils.validation import validate_data  # noqa: PLC0415

    refuse_masked(X, "X")
    refuse_masked(y, "y")
    with _no_cells():
        table, given = validate_data(estimator, X, y, dtype=np.float64)
    check_classification_targets(given)
    kind = type_of_target(given, input_name="y", raise_unknown=True)
    if kind != "binary" and most == 2:
        message = f"Only binary classification is supported. The type of the target is {kind}."
        raise ValueError(message)
    known = np.unique(given if classes is None else np.asarray(classes))
    if len(known) < 2:
        message = (
            f"{len(known)} class: the classifier needs two; with classes=(a, b) a table of one"
            " kind can be learnt from"
        )
        raise ValueError(message)
    if len(known) > most:
        raise ValueError(f"{len(known)} classes: at most {most} are supported")
    if not np.isin(given, known).all():
        raise ValueError(f"y has labels other than classes={tuple(known.tolist())}")
    return CheckedTable(table, np.searchsorted(known, given).astype(np.int64), known)


def asked_table(estimator: object, X: npt.ArrayLike) -> Table:
    """Return points to label, checked against the learnt columns."""
    from sklearn.utils.validation import validate_data  # noqa: PLC0415  # an extra

    refuse_masked(X, "X")
    with _no_cells():
        return cast("Table", validate_data(estimator, X, reset=False, dtype=np.float64))


@contextlib.contextmanager
def _no_cells() -> Iterator[None]:
    """Leave out of what scikit-learn raises the cells, and advice to learn what is not private."""
    try:
        yield
    except ValueError as problem:
        what = str(problem)
        if "could not convert" in what:
            raise ValueError("X has a cell that is no number") from None
        if "contains NaN" in what:
            message = f"{what.splitlines()[0]} Leave such rows or columns out, whatever is in them."
            raise ValueError(message) from None
        if legible(what) != what:
            raise ValueError(legible(what)) from None
        raise


E = TypeVar("E")


def untouched(estimator: E) -> E:
    """Return a second estimator with the same state, for a fit that may still be refused."""
    other = object.__new__(type(estimator))
    vars(other).update(vars(estimator))
    return other


def coins_of(random_state: object) -> Coins:
    """Return the coins for a ``random_state``, with a warning when they are repeatable."""
    if random_state is None:
        return SYSTEM_COINS
    warnings.warn(
        "random_state makes the draw repeatable, and so not private: privacy_ is None", stacklevel=3
    )
    if isinstance(random_state, numbers.Integral):
        return SeededCoins(int(random_state))
    from sklearn.utils import check_random_state  # noqa: PLC0415  # an extra

    return SeededCoins(int(check_random_state(random_state).randint(2**31 - 1)))


def warn_of_clipping(grid: FeatureGrid, table: Table) -> None:
    """Warn the owner of the data, and nobody else, if measurements lie outside public bounds."""
    beyond = int(grid.clipped(table))
    if beyond:
        warnings.warn(
            f"{beyond} of {table.size} measurements lie beyond the public bounds and count as the"
            " bounds (this sentence is about the private data: do not publish it)",
            stacklevel=3,
        )


def warn_of_searches() -> None:
    """Warn that each fit spends epsilon when scikit-learn fits repeatedly to compare."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("sklearn.model_selection"):
            warnings.warn(
                "this fit is one of a search or cross-validation: each spends its own epsilon, and"
                " scores on held-out private rows are not private; pac_stability.estimators.tune"
                " chooses among settings for the epsilon of one fit",
                stacklevel=3,
            )
            return
        frame = frame.f_back


# Which rules there are

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ExactEvaluation:
    """An accuracy in expectation over all coins. It is not private: it depends on the data.

    Attributes
    ----------
    accuracy
        The expected share of right answers, in floats, to about ten digits.

    Examples
    --------
    >>> ExactEvaluation(0.943)
    ExactEvaluation(accuracy=0.943, not private: computed from the data)
    >>> float(ExactEvaluation(0.943))
    0.943
    """

    accuracy: float

    @property
    def private(self) -> bool:
        """False."""
        return False

    def __float__(self) -> float:
        return self.accuracy

    def __repr__(self) -> str:
        return f"ExactEvaluation(accuracy={self.accuracy}, not private: computed from the data)"


class WeightedErrors(NamedTuple):
    """Rules with exponential weights, in two numbers.

    Attributes
    ----------
    log_mass
        The logarithm of the sum of the weights, for a prior that sums to 1.
    errors
        The expected number of errors of a drawn rule on the test points.
    """

    log_mass: float
    errors: float


def of_union(parts: Sequence[WeightedErrors]) -> WeightedErrors:
    """Return the same for a union of lists with equal shares of the prior."""
    logs = np.array([part.log_mass for part in parts]) - math.log(len(parts))
    total, errors = _mixed(logs, np.array([part.errors for part in parts]))
    return WeightedErrors(float(total), float(errors))


def of_sparse_rules(
    rules: classes.SparseHalfspaces, learnt: ArraySample, asked: ArraySample, decay: Fraction
) -> WeightedErrors:
    """Return the expected errors of a sparse halfspace on test points."""
    errors, wrong = rules.errors(learnt), rules.errors(asked)
    logs, start = [], 0
    for size, mass in rules.groups:
        logs.append(np.full(size, math.log(mass) - math.log(rules.total)))
        start += size
    total, mean = _mixed(np.concatenate(logs) + errors * _log(decay), wrong.astype(np.float64))
    return WeightedErrors(float(total), float(mean))


def of_trees(
    trees: classes.PrunedTrees,
    learnt: tuple[Codes, npt.NDArray[np.integer]],
    asked: tuple[Codes, npt.NDArray[np.integer]],
    decay: Fraction,
) -> WeightedErrors:
    """Return the expected errors of a tree on test points.

    Parameters
    ----------
    trees
        The class.
    learnt, asked
        Points, shape (n, p), and n labels.
    decay
        rho.
    """
    told = [_told(trees, points) for points, _ in (learnt, asked)]
    counts = [
        (labels == np.arange(trees.labels)[:, None]).astype(np.float64)
        for _, labels in (learnt, asked)
    ]
    total, errors = _tree(trees.depth, told, counts, _log(decay))
    return WeightedErrors(float(total), float(errors))


Both = Sequence[Numbers]
"""Numbers of examples that were learnt from, and of those that are asked about."""


def _tree(depth: int, told: Both, counts: Both, log: float) -> tuple[Numbers, Numbers]:
    """Return the log mass and the expected errors of all trees on some rows, label by row."""
    whole = [each.sum(axis=1) for each in counts]
    if depth == 0:
        return _leaf(whole, log)
    if depth == 1:
        above = [(each @ at).T for each, at in zip(counts, told, strict=True)]
        return _stump(whole, above, log)
    if depth == 2:
        # Rows s, columns t: how many of a label are above both splits.
        joint = [
            np.stack([(at * row[:, None]).T @ at for row in each], axis=-1)
            for each, at in zip(counts, told, strict=True)
        ]
        cells = [np.einsum("ssc->sc", each) for each in joint]
        below = [all_ - cell for all_, cell in zip(whole, cells, strict=True)]
        rest = [cell[None] - each for cell, each in zip(cells, joint, strict=True)]
        return _node(whole, _stump(cells, joint, log), _stump(below, rest, log), log)
    sides = []
    for kept in (1.0, 0.0):
        found = []
        for s in range(told[0].shape[1]):
            part = [e * (at[:, s] == kept) for e, at in zip(counts, told, strict=True)]
            found.append(_tree(depth - 1, told, part, log))
        sides.append((np.array([m for m, _ in found]), np.array([wrong for _, wrong in found])))
    first, second = sides
    return _node(whole, first, second, log)


def _leaf(cell: Both, log: float) -> tuple[Numbers, Numbers]:
    """Labels are the last axis."""
    errors, wrong = (each.sum(axis=-1, keepdims=True) - each for each in cell)
    return _mixed(errors * log - math.log(errors.shape[-1]), wrong)


def _stump(cell: Both, above: Both, log: float) -> tuple[Numbers, Numbers]:
    """Splits are the axis before the last of ``above``."""
    below = [all_[..., None, :] - each for all_, each in zip(cell, above, strict=True)]
    return _node(cell, _leaf(above, log), _leaf(below, log), log)


def _node(
    cell: Both, above: tuple[Numbers, Numbers], below: tuple[Numbers, Numbers], log: float
) -> tuple[Numbers, Numbers]:
    splits, errors = above[0] + below[0], above[1] + below[1]
    leaf, wrong = _leaf(cell, log)
    among, expected = _mixed(splits - math.log(splits.shape[-1]), errors)
    return _mixed(
        np.stack([leaf, among], axis=-1) - math.log(2), np.stack([wrong, expected], axis=-1)
    )


def _mixed(logs: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
    """Sum weights along the last axis, and average values by them."""
    most = logs.max(axis=-1, keepdims=True)
    weights = np.exp(logs - most)
    total = weights.sum(axis=-1)
    return most[..., 0] + np.log(total), (weights * values).sum(axis=-1) / total


def _told(trees: classes.PrunedTrees, points: Codes) -> Numbers:
    return np.stack([points[:, f] >= cut for f, cut in trees.splits], axis=1).astype(np.float64)


def _log(decay: Fraction) -> float:
    return math.log(decay.numerator) - math.log(decay.denominator)


# Rules, and a draw

CHANGES = {"replace-one": 2, "add-remove": 1}
"""How often the decay enters the guarantee: with one example replaced, errors change both ways."""

RuleClass = Literal["sparse", "trees"]

_MOST_RULES = 6_000_000
_CUTS = 15


def decay_of(epsilon: EpsilonLike, neighbours: str) -> tuple[Fraction, mechanisms.PrivacyGuarantee]:
    """Return the decay that spends at most epsilon, and its actual cost.

    Raises
    ------
    InvalidInput
        Epsilon is not positive, or the relation is unknown.
    """
    if neighbours not in CHANGES:
        raise InvalidInput("neighbours", described(neighbours), "'replace-one' or 'add-remove'")
    asked = epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)
    if asked.ratio == 1:
        raise InvalidInput("epsilon", described(epsilon), "a positive number")
    decay = mechanisms.decay_for(asked, CHANGES[neighbours])
    spent = Epsilon.exactly(decay ** -CHANGES[neighbours])
    return decay, mechanisms.PrivacyGuarantee(spent, Fraction(0), Neighbouring(neighbours))


def sparse_rules(
    features: int, largest: int, sparsity: int | None, cuts: int = _CUTS
) -> classes.SparseHalfspaces:
    """Return the sums of few features: by default three, or fewer if the list would be too long.

    Examples
    --------
    >>> [sparse_rules(p, 960, None).sparsity for p in (30, 64, 300)]
    [3, 3, 2]
    """
    if sparsity is not None:
        return classes.SparseHalfspaces(features, largest, sparsity, cuts)
    for most in (3, 2, 1):
        rules = sum((math.comb(features, k) << k) * cuts for k in range(1, most + 1))
        if rules <= _MOST_RULES or most == 1:
            break
    return classes.SparseHalfspaces(features, largest, most, cuts)


def tree_rules(
    features: int, grid: FeatureGrid, depth: int | None, kinds: int = 2
) -> classes.PrunedTrees:
    """Return the trees: by default of depth 3 on one or two features, and of depth 2 on more."""
    most = _CUTS if features <= 30 else 7
    splits = [(feature, cut) for feature in range(features) for cut in grid.cuts(most)]
    return classes.PrunedTrees(
        splits, depth if depth is not None else (3 if features <= 2 else 2), kinds
    )


@dataclass(frozen=True, slots=True)
class RuleLists:
    """The possible rules, independent of the rows.

    Attributes
    ----------
    sparse
        Sums of few features, or None.
    trees
        Trees, or None.
    grid
        The grid that turns measurements into codes.
    """

    sparse: classes.SparseHalfspaces | None
    trees: classes.PrunedTrees | None
    grid: FeatureGrid

    def posterior(
        self, table: Table, labels: npt.NDArray[np.integer], decay: Fraction
    ) -> mechanisms.Posterior:
        """Return the posterior over the rules, with an equal prior for both lists.

        Parameters
        ----------
        table, labels
            The private data: shape (n, p), and n labels, from 0.
        decay
            rho.
        """
        sample = self._sample(table, labels)
        parts: list[mechanisms.Posterior] = []
        if self.sparse is not None and isinstance(sample, ArraySample):
            parts.append(mechanisms.SparsePosterior(self.sparse, sample, decay))
        if self.trees is not None:
            parts.append(mechanisms.TreePosterior(self.trees, sample, decay))
        return parts[0] if len(parts) == 1 else mechanisms.PosteriorUnion(parts)

    def expected(
        self,
        learnt: tuple[Table, npt.NDArray[np.integer]],
        asked: tuple[Table, npt.NDArray[np.integer]],
        decay: Fraction,
    ) -> WeightedErrors:
        """Return the expected error on test points, in floats."""
        first, second = (self._sample(*data) for data in (learnt, asked))
        parts = []
        if isinstance(first, ArraySample) and isinstance(second, ArraySample) and self.sparse:
            parts.append(of_sparse_rules(self.sparse, first, second, decay))
        if self.trees is not None:
            codes, others = (self.grid.codes(table) for table, _ in (learnt, asked))
            parts.append(of_trees(self.trees, (codes, learnt[1]), (others, asked[1]), decay))
        return of_union(parts)

    def _sample(
        self, table: Table, labels: npt.NDArray[np.integer]
    ) -> ArraySample | classes.CodedSample:
        codes = self.grid.codes(table)
        if self.trees is not None and self.trees.labels > 2:
            return classes.CodedSample(codes, labels.astype(np.int64), self.trees.labels)
        return ArraySample(codes, labels)


def rules_for(
    kinds: tuple[RuleClass, ...],
    grid: FeatureGrid,
    features: int,
    labels: int = 2,
    *,
    sparsity: int | None = None,
    depth: int | None = None,
) -> RuleLists:
    """Return the rules for tables of a given width; with more than two labels only trees.

    Raises
    ------
    InvalidInput
        The grid is for tables of another width, or a number is out of range.
    """
    grid.require(features)
    sparse = "sparse" in kinds and labels == 2
    return RuleLists(
        sparse_rules(features, grid.largest, sparsity) if sparse else None,
        tree_rules(features, grid, depth, labels) if "trees" in kinds else None,
        grid,
    )


DrawnRule = classes.SparseHalfspace | classes.DecisionTree
"""What a draw returns."""
