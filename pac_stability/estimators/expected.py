"""What a draw is worth in expectation over its coins: exponential weights summed, in floats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability.classes import PrunedTrees, SparseHalfspaces
from pac_stability.data import ArraySample

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
    rules: SparseHalfspaces, learnt: ArraySample, asked: ArraySample, decay: Fraction
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
    trees: PrunedTrees,
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


def _told(trees: PrunedTrees, points: Codes) -> Numbers:
    return np.stack([points[:, f] >= cut for f, cut in trees.splits], axis=1).astype(np.float64)


def _log(decay: Fraction) -> float:
    return math.log(decay.numerator) - math.log(decay.denominator)
