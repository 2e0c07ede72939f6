"""Planning: how many rows and answers, which epsilon; publish a model or answer queries.

A choice among settings as part of one private draw, in place of cross-validation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pac_stability._report import Face, Reported, html_table, latex_table
from pac_stability.arguments import AnyNumber, as_open_unit, as_size, require_instance
from pac_stability.arithmetic import EpsilonLike, Interval
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.errors import InvalidInput
from pac_stability.estimators import classifiers, drawing
from pac_stability.estimators.classifiers import RuleClassifier
from pac_stability.mechanisms import GeometricVote, Ledger, Posterior, PosteriorUnion
from pac_stability.randomness import SYSTEM_COINS, Coins

_BITS = 128


def cost_in_errors(
    estimator: RuleClassifier, features: int, *, failure: AnyNumber = "1/20"
) -> Fraction:
    """Return how many more rows, at most, a drawn rule gets wrong than the best rule of its list.

    Parameters
    ----------
    estimator
        The classifier, with its epsilon; it need not be fitted.
    features
        How many columns the table has.
    failure
        The probability, over the coins, of exceeding this. Above 0 and below 1.

    Returns
    -------
    Fraction
        ``c (ln(1/prior) + ln(1/failure)) / epsilon``, rounded up to hundredths: the prior is that
        of the rarest rule, and c is 2 for rows replaced, 1 for rows added or removed. It holds for
        every table, of any number of rows.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The usual bound for the exponential mechanism: rules with t more errors than the best have a
    total weight of at most ``e**(-epsilon t / c)`` times the weight of the best one over its prior.
    It bounds only the error on the table. With many rows this is the cost of privacy; :func:`plan`
    estimates its effect.

    Examples
    --------
    With scikit-learn::

        cost_in_errors(SparseHalfspaceClassifier(1), features=30)  # 34.39 errors
    """
    beta = as_open_unit(failure, "failure")
    epsilon = as_positive_epsilon(estimator.epsilon)
    if estimator.neighbours not in drawing.CHANGES:
        raise InvalidInput(
            "neighbours", repr(estimator.neighbours), "'replace-one' or 'add-remove'"
        )
    lists = estimator.rules(as_size(features, "features", 1))
    priors = []
    if lists.sparse is not None:
        priors.append(Fraction(int(lists.sparse.prior.min()), lists.sparse.total))
    if lists.trees is not None:
        # A full tree asks 2**d - 1 questions, each with 1/2 and 1/m, and has 2**d leaves.
        trees = lists.trees
        leaves = 1 << trees.depth
        splits = (2 * len(trees.splits)) ** (leaves - 1)
        priors.append(Fraction(1, splits * trees.labels**leaves))
    rarest = min(priors) / len(priors)
    logs = Interval.log(1 / rarest, _BITS) + Interval.log(1 / beta, _BITS)
    cost = (
        logs.upper
        * drawing.CHANGES[estimator.neighbours]
        / Interval.log(epsilon.ratio, _BITS).lower
    )
    return Fraction(math.ceil(cost * 100), 100)


class PlannedAnswer(NamedTuple):
    """The expected accuracy of a number of answers that share an epsilon.

    Attributes
    ----------
    epsilon
        The epsilon in all.
    rows
        The number of rows to learn from.
    answers
        How many answers.
    model
        The expected accuracy of a published model: the same for every number of answers.
    query
        The expected accuracy of each answer of teachers that vote, with epsilon/answers.
    teachers
        Their number.
    """

    epsilon: float
    rows: int
    answers: int
    model: float
    query: float
    teachers: int


@dataclass(frozen=True, slots=True, repr=False)
class Plan(Reported):
    """Expected accuracies of publishing a model and of answering queries; ``print`` shows them.

    Attributes
    ----------
    lines
        One for each epsilon, number of rows and number of answers.
    """

    _face: ClassVar[str] = "pac_stability.estimators.planning:plan_face"

    lines: tuple[PlannedAnswer, ...]

    def crossover(self, epsilon: float, rows: int | None = None) -> int | None:
        """Return the number of answers from which on publishing a model is better.

        Parameters
        ----------
        epsilon, rows
            One of the planned numbers of rows; by default the largest.

        Returns
        -------
        int or None
            One of the numbers of answers, or None if answering queries is better for all.

        Raises
        ------
        InvalidInput
            The plan has no such numbers.
        """
        most = max(line.rows for line in self.lines) if rows is None else rows
        found = [line for line in self.lines if line.epsilon == epsilon and line.rows == most]
        if not found:
            raise InvalidInput("epsilon", f"{epsilon:g} with {most} rows", "what was planned")
        best = None
        for line in sorted(found, key=lambda line: -line.answers):
            if line.query > line.model:
                break
            best = line.answers
        return best


def plan_face(found: Plan) -> Face:
    """Return a plan as a table, a row for each number of answers."""
    head = ("epsilon", "rows", "answers", "model", "query", "better")
    rows = [
        (
            *(f"{each.epsilon:g}", str(each.rows), str(each.answers)),
            *(f"{each.model:.3f}", f"{each.query:.3f}"),
            f"query, {each.teachers} teachers" if each.query > each.model else "model",
        )
        for each in found.lines
    ]
    lines = [
        "".join(cell.rjust(width) for cell, width in zip(row, (8, 7, 9, 8, 8), strict=False))
        + f"  {row[-1]}"
        for row in (head, *rows)
    ]
    return Face(
        lambda: "\n".join(lines),
        html=lambda: html_table(rows, head),
        latex=lambda: latex_table(rows, head),
    )


def plan(
    X_public: npt.ArrayLike,
    y_public: npt.ArrayLike,
    *,
    epsilon: float | Sequence[float] = 1.0,
    answers: Sequence[int] = (1, 3, 10, 30),
    rows: Sequence[int] | None = None,
    estimator: RuleClassifier | None = None,
    base: object = None,
    grid: drawing.FeatureGrid | None = None,
    teachers: Sequence[int] | None = None,
    splits: int = 5,
    seed: int = 0,
    progress: Callable[[Fraction], object] | None = None,
) -> Plan:
    """Compare publishing a model with answering queries, on a public table that resembles yours.

    Parameters
    ----------
    X_public, y_public
        A public table: from earlier years, from others, or simulated. On the private table itself
        the numbers would be exact functions of the rows, and the choice would not be paid for.
    epsilon
        The total epsilon: a number, or several.
    answers
        The number of answers.
    rows
        The numbers of rows to learn from, below that of the table. By default 70 % of it.
    estimator
        The classifier to publish; by default :class:`PrivateClassifier`. Its epsilon is replaced.
    base
        The teacher, as for :class:`PrivatePredictionClassifier`.
    grid
        The grid of the default estimator.
    teachers
        Numbers of teachers to try; by default that of :class:`PrivatePredictionClassifier`, its
        half and its double.
    splits
        The number of random splits of the table.
    seed
        For dividing it.
    progress
        Called from time to time with the finished share of the work: a bar, or ``print``.

    Returns
    -------
    Plan
        Expected accuracies over all coins, means over the splits. Answers share epsilon equally:
        each gets epsilon over their number. It takes the number of teachers that is best on the
        test rows, which favours answers slightly.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Time: for each split and number of rows, one exact evaluation of the model for each epsilon, and
    one fit of the base for each teacher of each number of them. The fits are small, so linear
    algebra runs in one thread; several would wait for one another.

    Examples
    --------
    With scikit-learn::

        print(plan(X_earlier, y_earlier, epsilon=1, answers=(1, 3, 10), grid=grid))
    """
    from sklearn.base import clone  # noqa: PLC0415  # an extra
    from sklearn.utils.validation import check_X_y  # noqa: PLC0415
    from threadpoolctl import threadpool_limits  # noqa: PLC0415  # scikit-learn's

    table, given = check_X_y(X_public, y_public, dtype=np.float64)
    known, labels = np.unique(given, return_inverse=True)
    if len(known) != 2:
        raise InvalidInput("y_public", f"{len(known)} kinds of labels", "two")
    spent = [epsilon] if isinstance(epsilon, int | float) else list(epsilon)
    asked = [as_size(count, "answers", 1) for count in answers]
    sizes = [round(0.7 * len(table))] if rows is None else [as_size(n, "rows", 8) for n in rows]
    if not spent or not asked or not sizes or max(sizes) >= len(table):
        raise InvalidInput("rows", str(sizes), f"numbers below {len(table)}, for some answers")
    first = classifiers.PrivateClassifier(grid=grid) if estimator is None else estimator
    made = [clone(first).set_params(epsilon=value, random_state=None) for value in spent]
    rng = np.random.default_rng(seed)
    sums: dict[tuple[float, int, int, int], float] = {}
    models: dict[tuple[float, int], float] = {}
    rounds, done = as_size(splits, "splits", 1), 0
    with threadpool_limits(1, "blas"):
        for size, order in (
            (size, order)
            for order in (rng.permutation(len(table)) for _ in range(rounds))
            for size in sizes
        ):
            learn, test = order[:size], order[size:]
            held = (table[learn], labels[learn], table[test], labels[test])
            for value, model in zip(spent, made, strict=True):
                right = float(model.evaluate_exact(*held)) / splits
                models[value, size] = models.get((value, size), 0.0) + right
            votes: dict[int, npt.NDArray[np.int64]] = {}
            for value, count in product(spent, asked):
                for k in _teachers(teachers, value / count, size):
                    if k not in votes:
                        votes[k] = _votes(base, held, k)
                    vote = GeometricVote.from_epsilon(Fraction(value) / count)
                    right = classifiers.vote_accuracy(vote, votes[k], held[3] == 1, k) / splits
                    key = value, size, count, k
                    sums[key] = sums.get(key, 0.0) + right
                done += 1
                if progress is not None:
                    progress(Fraction(done, rounds * len(sizes) * len(spent) * len(asked)))
    lines = []
    for value in spent:
        for size in sizes:
            for count in asked:
                best = max(
                    (mean, k)
                    for (v, n, q, k), mean in sums.items()
                    if (v, n, q) == (value, size, count)
                )
                lines.append(
                    PlannedAnswer(value, size, count, models[value, size], best[0], best[1])
                )
    return Plan(tuple(lines))


def _teachers(given: Sequence[int] | None, epsilon: float, rows: int) -> list[int]:
    if given is not None:
        return [as_size(k, "teachers", 1, rows) for k in given]
    usual = classifiers.teachers_for(epsilon, rows)
    return sorted({max(1, usual // 2), usual, min(2 * usual, max(1, rows // 4))})


def _votes(
    base: object,
    held: tuple[drawing.Table, npt.NDArray[np.int64], drawing.Table, npt.NDArray[np.int64]],
    count: int,
) -> npt.NDArray[np.int64]:
    learn, labels, test, _ = held
    votes = np.zeros(len(test), dtype=np.int64)
    for teacher in classifiers.taught(base, learn, labels, count):
        votes += teacher.labels(test)
    return votes


# A choice among settings as part of one private draw, in place of cross-validation


@dataclass(frozen=True, slots=True)
class _Setting:
    """A rule, and which of the candidates it is one of."""

    number: int
    rule: drawing.DrawnRule

    def __call__(self, point: Hashable, /) -> int:
        return self.rule(point)

    def labels(self, codes: npt.NDArray[np.int64], /) -> npt.NDArray[np.uint8]:
        return self.rule.labels(codes)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A posterior whose draws say which of the candidates they are of."""

    number: int
    posterior: Posterior

    @property
    def total(self) -> int:
        return self.posterior.total

    @property
    def precision(self) -> int:
        return self.posterior.precision

    @property
    def short(self) -> bool:
        return self.posterior.short

    def mass(self) -> Fraction:
        return self.posterior.mass()

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        return self.posterior.enclosed_mass(bits)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> _Setting:
        return _Setting(self.number, cast("drawing.DrawnRule", self.posterior.draw(rng)))


def union_of_settings(posteriors: Sequence[Posterior], shares: Sequence[int]) -> PosteriorUnion:
    """Return the union of the lists of several settings; a draw has a ``number`` and a ``rule``."""
    return PosteriorUnion([_Numbered(i, part) for i, part in enumerate(posteriors)], shares)


def tune(
    candidates: Sequence[RuleClassifier],
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    epsilon: EpsilonLike = 1.0,
    shares: Sequence[int] | None = None,
    neighbours: classifiers.Neighbours = "replace-one",
    classes: Sequence[object] | None = None,
    ledger: Ledger | None = None,
    random_state: object = None,
) -> RuleClassifier:
    """Draw a rule from all rules of several settings at once: tuning for the price of one fit.

    Parameters
    ----------
    candidates
        Classifiers with the settings to choose among, at least one: sparsity, depth, grid, kind. It
        ignores their own epsilon, neighbours, classes, ledger and random_state. Choose the list
        before the data are seen.
    X, y
        The training data.
    epsilon
        The total epsilon, spent once.
    shares
        A positive integer for each candidate: its share of the prior. Equal by default.
    neighbours, classes, ledger, random_state
        As for :class:`PrivateClassifier`.

    Returns
    -------
    RuleClassifier
        The candidate of the drawn rule, fitted; its ``privacy_`` also covers the choice.

    Raises
    ------
    InvalidInput
        There are no candidates, one is of another kind, a parameter is out of range, or the rules
        of a candidate do not fit the table. Nothing is spent.
    ValueError, BudgetExhausted
        As for ``fit``.

    Notes
    -----
    One exponential mechanism over the union of the lists
    (:class:`~pac_stability.mechanisms.PosteriorUnion`), so the guarantee is that of one fit. Having
    k candidates instead of the best one alone costs at most ``2 log(k)/epsilon`` errors.
    Cross-validation on the same rows spends one fit for every candidate and fold, and its scores
    are not private at all.

    Examples
    --------
    With scikit-learn::

        grid = FeatureBounds(low, high)
        candidates = [SparseHalfspaceClassifier(sparsity=k, grid=grid) for k in (1, 2, 3)]
        model = tune([*candidates, PrunedTreeClassifier(depth=3, grid=grid)], X, y, epsilon=1)
    """
    from sklearn.base import clone  # noqa: PLC0415  # an extra

    kept = list(candidates)
    if not kept:
        raise InvalidInput("candidates", "none", "at least one")
    for one in kept:
        require_instance(one, RuleClassifier, "candidates", "classifiers that are published whole")
    decay, guarantee = drawing.decay_of(epsilon, neighbours)
    models = [clone(one) for one in kept]
    for model in models:
        model.set_params(
            epsilon=epsilon,
            neighbours=neighbours,
            classes=classes,
            ledger=ledger,
            random_state=random_state,
        )
    checked = [
        drawing.checked_table(model, X, y, classes, most=model.most_classes) for model in models
    ]
    data = checked[0]
    lists = [model.rules(data.table.shape[1], len(data.known)) for model in models]
    coins = drawing.coins_of(random_state)
    drawing.warn_of_clipping(lists[0].grid, data.table)
    parts = [each.posterior(data.table, data.labels, decay) for each in lists]
    union = union_of_settings(parts, [1] * len(parts) if shares is None else shares)
    if ledger is not None:
        ledger.reserve(guarantee, name="tune")
    drawn = cast("_Setting", union.draw(coins))
    chosen: RuleClassifier = models[drawn.number]
    return chosen.publish(drawn.rule, lists[drawn.number].grid, data.known, guarantee)
