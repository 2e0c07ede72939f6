"""Which rules there are for a table of a given width, and one draw from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber, described
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import (
    CodedSample,
    DecisionTree,
    PrunedTrees,
    SparseHalfspace,
    SparseHalfspaces,
)
from pac_stability.data import ArraySample
from pac_stability.errors import InvalidInput
from pac_stability.estimators.expected import (
    WeightedErrors,
    of_sparse_rules,
    of_trees,
    of_union,
)
from pac_stability.estimators.grids import FeatureGrid, Table
from pac_stability.mechanisms import (
    Posterior,
    PosteriorUnion,
    PrivacyGuarantee,
    SparsePosterior,
    TreePosterior,
    decay_for,
)

CHANGES = {"replace-one": 2, "add-remove": 1}
"""How often the decay enters the guarantee: with one example replaced, errors change both ways."""

RuleClass = Literal["sparse", "trees"]

_MOST_RULES = 6_000_000
_CUTS = 15


def decay_of(epsilon: Epsilon | AnyNumber, neighbours: str) -> tuple[Fraction, PrivacyGuarantee]:
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
    decay = decay_for(asked, CHANGES[neighbours])
    return decay, PrivacyGuarantee(Epsilon.exactly(decay ** -CHANGES[neighbours]))


def sparse_rules(
    features: int, largest: int, sparsity: int | None, cuts: int = _CUTS
) -> SparseHalfspaces:
    """Return the sums of few features: by default of three, or as many as make no list too long.

    Examples
    --------
    >>> [sparse_rules(p, 960, None).sparsity for p in (30, 64, 300)]
    [3, 3, 2]
    """
    if sparsity is not None:
        return SparseHalfspaces(features, largest, sparsity, cuts)
    for most in (3, 2, 1):
        rules = sum((math.comb(features, k) << k) * cuts for k in range(1, most + 1))
        if rules <= _MOST_RULES or most == 1:
            break
    return SparseHalfspaces(features, largest, most, cuts)


def tree_rules(features: int, grid: FeatureGrid, depth: int | None, kinds: int = 2) -> PrunedTrees:
    """Return the trees: by default of depth 3 on one or two features, and of depth 2 on more."""
    most = _CUTS if features <= 30 else 7
    splits = [(feature, cut) for feature in range(features) for cut in grid.cuts(most)]
    return PrunedTrees(splits, depth if depth is not None else (3 if features <= 2 else 2), kinds)


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

    sparse: SparseHalfspaces | None
    trees: PrunedTrees | None
    grid: FeatureGrid

    def posterior(
        self, table: Table, labels: npt.NDArray[np.integer], decay: Fraction
    ) -> Posterior:
        """Return the posterior over the rules, with an equal prior for both lists.

        Parameters
        ----------
        table, labels
            The private data: shape (n, p), and n labels, from 0.
        decay
            rho.
        """
        sample = self._sample(table, labels)
        parts: list[Posterior] = []
        if self.sparse is not None and isinstance(sample, ArraySample):
            parts.append(SparsePosterior(self.sparse, sample, decay))
        if self.trees is not None:
            parts.append(TreePosterior(self.trees, sample, decay))
        return parts[0] if len(parts) == 1 else PosteriorUnion(parts)

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

    def _sample(self, table: Table, labels: npt.NDArray[np.integer]) -> ArraySample | CodedSample:
        codes = self.grid.codes(table)
        if self.trees is not None and self.trees.labels > 2:
            return CodedSample(codes, labels.astype(np.int64), self.trees.labels)
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
) -> Posterior:
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


DrawnRule = SparseHalfspace | DecisionTree
"""What a draw returns."""
