"""Which rules there are for a table of a given width, and one draw from them.

What a draw is worth in expectation over its coins is computed first, in floats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability import classes, mechanisms
from pac_stability.arguments import AnyNumber, described
from pac_stability.arithmetic import Epsilon
from pac_stability.data import ArraySample, Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.estimators.grids import FeatureGrid, Table

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ExactEvaluation:
    """An accuracy in expectation over all coins. Not private: it is computed from the data.

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
        How many errors a rule that is drawn makes in expectation on what is asked.
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
    """Return the expected errors, on what is asked, of a sparse halfspace."""
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
    """Return the expected errors, on what is asked, of a tree.

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


def decay_of(
    epsilon: Epsilon | AnyNumber, neighbours: str
) -> tuple[Fraction, mechanisms.PrivacyGuarantee]:
    """Return the decay that spends at most epsilon, and what it spends.

    Raises
    ------
    InvalidInput
        Epsilon is not positive, or the neighbours are others.
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
    """Return the sums of few features: by default of three, or as many as make no list too long.

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
    """Which rules there are, whatever the rows are.

    Attributes
    ----------
    sparse
        Sums of few features, or None.
    trees
        Trees, or None.
    grid
        What makes codes of measurements.
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
        """Return how much is wrong, in expectation, of what is asked; in floats."""
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
    """Return the rules for tables of a width; with more than two labels trees alone.

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


def posterior_of(
    kinds: tuple[RuleClass, ...],
    grid: FeatureGrid,
    table: Table,
    labels: npt.NDArray[np.uint8],
    decay: Fraction,
    *,
    sparsity: int | None = None,
    depth: int | None = None,
) -> mechanisms.Posterior:
    """Return the posterior over the rules of some kinds, with an equal prior for each kind.

    Parameters
    ----------
    kinds
        Which rules.
    grid
        What makes codes of the table.
    table, labels
        The private data: shape (n, p), and n labels, each 0 or 1.
    decay
        rho.
    sparsity, depth
        What to take instead of the defaults, which depend on p alone.
    """
    lists = rules_for(kinds, grid, table.shape[1], sparsity=sparsity, depth=depth)
    return lists.posterior(table, labels, decay)


DrawnRule = classes.SparseHalfspace | classes.DecisionTree
"""What a draw returns."""
