"""Which rules there are for a table of a given width, and one draw from them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber, described
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import DecisionTree, PrunedTrees, SparseHalfspace, SparseHalfspaces
from pac_stability.data import ArraySample
from pac_stability.errors import InvalidInput
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


def tree_rules(features: int, grid: FeatureGrid, depth: int | None) -> PrunedTrees:
    """Return the trees: by default of depth 3 on one or two features, and of depth 2 on more."""
    most = _CUTS if features <= 30 else 7
    splits = [(feature, cut) for feature in range(features) for cut in grid.cuts(most)]
    return PrunedTrees(splits, depth if depth is not None else (3 if features <= 2 else 2))


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
    features = table.shape[1]
    grid.require(features)
    sample = ArraySample(grid.codes(table), labels)
    parts: list[Posterior] = []
    if "sparse" in kinds:
        rules = sparse_rules(features, grid.largest, sparsity)
        parts.append(SparsePosterior(rules, sample, decay))
    if "trees" in kinds:
        parts.append(TreePosterior(tree_rules(features, grid, depth), sample, decay))
    return parts[0] if len(parts) == 1 else PosteriorUnion(parts)


DrawnRule = SparseHalfspace | DecisionTree
"""What a draw returns."""
