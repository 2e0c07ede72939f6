"""Exponential weights over decision trees: sums that factorise, and draws from the top down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability.classes.rules.codes import coded
from pac_stability.classes.rules.pruned_trees import (
    DecisionLeaf,
    DecisionSplit,
    DecisionTree,
    PrunedTrees,
)
from pac_stability.data import AnySample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.enclosed_draws import Enclosures, enclosed_choice
from pac_stability.mechanisms.exponential_draws import enclosed_powers, exponential_choice
from pac_stability.mechanisms.posteriors import SHORT, leading_bits
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

_GUARD = 32
_CODES = (1 << 62) - 1
_MASK = npt.NDArray[np.float64]


class _Powers(NamedTuple):
    """Powers of the decay, in units of ``2**-bits`` from one side, or exactly where bits is None.

    Attributes
    ----------
    powers
        ``decay**0, decay**1, ...``
    bits
        The unit.
    up
        Whether numbers are no smaller than they should be, or no larger.
    """

    powers: Sequence[int] | Sequence[Fraction]
    bits: int | None
    up: bool

    def product(self, one: int | Fraction, other: int | Fraction) -> int | Fraction:
        """Return a product, rounded to its side."""
        if self.bits is None or isinstance(one, Fraction) or isinstance(other, Fraction):
            return one * other
        return -(-one * other >> self.bits) if self.up else one * other >> self.bits


class _Cell:
    """The examples that reach a node, and the sum of the weights of all trees that may stand there.

    Weights are ``P_d``, integers in place of the prior: ``P_0 = r**zeros + r**ones`` with r the
    decay, a leaf of label 1 errs on the zeros; and at depth d, with m splits,
    ``P_d = m total_(d-1)**2 (r**zeros + r**ones) + 2 sum over splits of P_(d-1) P_(d-1)``, of which
    ``total_d``, that for r = 1, is half of the prior for leaves.
    """

    __slots__ = ("_cells", "_known", "depth", "mask", "ones", "zeros")

    def __init__(self, cells: _Cells, mask: npt.NDArray[np.bool_], depth: int) -> None:
        self._cells = cells
        self._known: tuple[_Powers, int | Fraction] | None = None
        self.mask = mask
        self.depth = depth
        self.ones = int(cells.ones[mask].sum())
        self.zeros = int(cells.zeros[mask].sum())

    def children(self) -> list[tuple[_Cell, _Cell]]:
        """For each split, the cells above and below."""
        return self._cells.children(self)

    def sum(self, powers: _Powers) -> int | Fraction:
        """Return the sum of the weights, to the side of the powers."""
        if self._known is not None and self._known[0] is powers:
            return self._known[1]
        found = sum(self.terms(powers))
        self._known = powers, found
        return found

    def terms(self, powers: _Powers) -> list[int | Fraction]:
        """Return the weights of label 0, of label 1 and of each split; at depth 1 of each error."""
        each = powers.powers
        if self.depth == 1:
            return [
                count * each[k]
                for k, count in enumerate(self._cells.histogram(self).tolist())
                if count
            ]
        leaf = self._cells.leaf(self.depth)
        found: list[int | Fraction] = [leaf * each[self.ones], leaf * each[self.zeros]]
        if self.depth:
            found += [
                2 * powers.product(above.sum(powers), below.sum(powers))
                for above, below in self.children()
            ]
        return found

    def least(self) -> int:
        """Return the fewest errors of a tree."""
        leaf = min(self.ones, self.zeros)
        if self.depth == 0 or leaf == 0:
            return leaf
        if self.depth == 1:
            return int(np.flatnonzero(self._cells.histogram(self))[0])
        return min(leaf, *(above.least() + below.least() for above, below in self.children()))


class _Cells:
    """What the cells of one sample have in common."""

    def __init__(self, trees: PrunedTrees, sample: AnySample) -> None:
        features = 1 + max(feature for feature, _ in trees.splits)
        if len(sample):
            first = sample.points[0]
            features = len(first) if isinstance(first, tuple | np.ndarray) else 1
        points, labels = coded(sample, features, _CODES)
        if max(feature for feature, _ in trees.splits) >= features:
            wanted = "points with a coordinate for every split"
            raise InvalidInput("sample", f"points of {features} numbers", wanted)
        at = [points[:, feature] >= cut for feature, cut in trees.splits]
        told = np.stack(at, axis=1) if len(labels) else np.zeros((0, len(at)), dtype=np.bool_)
        # Examples that no split tells apart are one, with two numbers.
        packed = np.packbits(told, axis=1)
        _, kept, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        self.answers = told[kept]
        self.ones = np.bincount(group.ravel(), labels, len(kept)).astype(np.int64)
        self.zeros = np.bincount(group.ravel(), 1 - labels, len(kept)).astype(np.int64)
        self.size = len(labels)
        # Doubles hold counts below 2**53 exactly, and their products are fast.
        self._floats = self.answers.astype(np.float64)
        self._known: dict[tuple[int, bytes], _Cell] = {}
        self._children: dict[_Cell, list[tuple[_Cell, _Cell]]] = {}
        self._histograms: dict[_Cell, npt.NDArray[np.int64]] = {}
        # For each split, of how many ones and zeros it is told that they are above.
        self._told: dict[_Cell, npt.NDArray[np.int64]] = {}
        self.totals = [2]
        for _ in range(trees.depth):
            self.totals.append(4 * len(trees.splits) * self.totals[-1] ** 2)
        self.root = self._cell(np.ones(len(kept), dtype=np.bool_), trees.depth)

    def _cell(self, mask: npt.NDArray[np.bool_], depth: int) -> _Cell:
        key = depth, np.packbits(mask).tobytes()
        if key not in self._known:
            self._known[key] = _Cell(self, mask, depth)
        return self._known[key]

    def leaf(self, depth: int) -> int:
        """Return the weight of a leaf that does not err."""
        return self.answers.shape[1] * self.totals[depth - 1] ** 2 if depth else 1

    def children(self, cell: _Cell) -> list[tuple[_Cell, _Cell]]:
        """For each split, the cells above and below."""
        if cell not in self._children:
            columns = self.answers.T
            self._children[cell] = [
                (self._cell(cell.mask & told, cell.depth - 1),
                 self._cell(cell.mask & ~told, cell.depth - 1))
                for told in columns
            ]  # fmt: skip
            if cell.depth == 2:
                self._count_below(cell)
        return self._children[cell]

    def _count_below(self, cell: _Cell) -> None:
        """Count for all children of a cell at once, by products of matrices."""
        joint = np.stack([
            (np.where(cell.mask, each, 0)[:, None] * self._floats).T @ self._floats
            for each in (self.ones, self.zeros)
        ]).astype(np.int64)  # fmt: skip
        whole = np.diagonal(joint, axis1=1, axis2=2)
        for (above, below), both in zip(self._children[cell], joint.swapaxes(0, 1), strict=True):
            self._told[above] = both
            self._told[below] = whole - both

    def stumps(self, cell: _Cell) -> npt.NDArray[np.int64]:
        """Errors of both leaves and of all trees with one split, four for each split."""
        above = self._told.get(cell)
        if above is None:
            labels = np.where(cell.mask, np.stack([self.ones, self.zeros]), 0)
            above = (labels @ self._floats).astype(np.int64)
        # Rows are what the labels 0 and 1 err on.
        below = np.array([[cell.ones], [cell.zeros]]) - above
        splits = (above[:, None, :] + below[None, :, :]).reshape(4, -1)
        return np.concatenate([[cell.ones, cell.zeros], splits.ravel()])

    def histogram(self, cell: _Cell) -> npt.NDArray[np.int64]:
        """For each number of errors, the prior of the trees with at most one split that have it."""
        if cell not in self._histograms:
            errors = self.stumps(cell)
            counts = 2 * np.bincount(errors[2:], minlength=int(errors[:2].max()) + 1)
            np.add.at(counts, errors[:2], self.leaf(1))
            self._histograms[cell] = counts
        return self._histograms[cell]


@dataclass(frozen=True, eq=False)
class TreePosterior:
    """Decision trees, with weight prior times ``decay**errors`` on a sample.

    Parameters
    ----------
    trees
        The class: splits, depth and prior.
    sample
        Its points are vectors of integers, at least 0, one for each feature.
    decay
        rho, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The sample does not fit, or the decay is out of range.

    Notes
    -----
    A draw is that of :class:`~pac_stability.mechanisms.ExponentialMechanism` over *all* trees: it
    is private for an example replaced with the factor ``rho**-2``, for one added or removed with
    ``rho**-1``. The object itself is not private.

    No tree is listed. The sum of the weights of all trees that may stand at a node factorises,
    ``Z(cell) = leaves/2 + mean over splits of Z(above) Z(below) / 2``, so a tree is drawn from the
    top down: whether a node is a leaf, and of which label, or which split it asks, with the sums of
    weights; then its children, independently. At depth 1 the trees are listed by their errors. The
    sums are certified enclosures in integers; where these leave a node open, more bits are taken,
    as in :func:`~pac_stability.mechanisms.enclosed_choice`.

    With m splits and n examples that they tell apart, a sum takes ``O((2 m)**(depth - 1) (m n))``
    word operations and as many times min(n, 4 m) products of some hundred bits; equal cells are
    summed once.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> trees = PrunedTrees([(0, 1), (1, 1)], depth=2)
    >>> sample = Sample([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 1, 1, 0])  # exclusive or
    >>> posterior = TreePosterior(trees, sample, Fraction(1, 1000))
    >>> round(float(posterior.mass() / posterior.total), 8)  # either question first: 2 / 2**10
    0.0020087
    >>> from pac_stability.randomness import SeededCoins
    >>> tree = posterior.draw(SeededCoins(1))
    >>> [tree(point) for point in sample.points]
    [0, 1, 1, 0]
    """

    trees: PrunedTrees
    sample: AnySample = field(repr=False)
    decay: Fraction

    def __post_init__(self) -> None:
        if not isinstance(self.trees, PrunedTrees):
            raise InvalidInput("trees", type(self.trees).__name__, "PrunedTrees")
        object.__setattr__(self, "decay", as_decay(self.decay))
        _ = self._cells

    @cached_property
    def _cells(self) -> _Cells:
        return _Cells(self.trees, self.sample)

    @property
    def total(self) -> int:
        """The sum of the prior's integers."""
        return self._cells.totals[-1]

    @cached_property
    def precision(self) -> int:
        """How many bits a weight of a best tree may begin after the point."""
        return leading_bits(self._cells.root.least(), self.decay, self.total)

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction of few digits."""
        return self._cells.size * self.decay.denominator.bit_length() <= SHORT

    def mass(self) -> Fraction:
        """Return the sum of the weights exactly."""
        return Fraction(self._cells.root.sum(self._exact))

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        """Enclose the sum of the weights, in units of ``2**-bits``."""
        low, high = (self._cells.root.sum(powers) for powers in self._powers(bits))
        return int(low), int(high)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> DecisionTree:
        """Return a tree, with probability exactly in proportion to its weight."""
        return self._drawn(self._cells.root, rng)

    @cached_property
    def _exact(self) -> _Powers:
        return _Powers([self.decay**k for k in range(self._cells.size + 1)], None, up=False)

    def _powers(self, bits: int) -> tuple[_Powers, _Powers]:
        floors, ceilings = enclosed_powers(range(self._cells.size + 1), self.decay, bits)
        return _Powers(floors, bits, up=False), _Powers(ceilings, bits, up=True)

    def _drawn(self, cell: _Cell, rng: Coins) -> DecisionTree:
        if cell.depth == 0:
            errors = [cell.ones, cell.zeros]
            return DecisionLeaf(exponential_choice(errors, self.decay, rng))
        if cell.depth == 1:
            return self._stump(cell, rng)
        chosen = self._chosen(cell, rng)
        if chosen < 2:
            return DecisionLeaf(chosen)
        above, below = cell.children()[chosen - 2]
        feature, cut = self.trees.splits[chosen - 2]
        return DecisionSplit(feature, cut, self._drawn(above, rng), self._drawn(below, rng))

    def _stump(self, cell: _Cell, rng: Coins) -> DecisionTree:
        errors, m = self._cells.stumps(cell), len(self.trees.splits)
        prior = [self._cells.leaf(1)] * 2 + [2] * (4 * m)
        chosen = exponential_choice(errors, self.decay, rng, prior=prior)
        if chosen < 2:
            return DecisionLeaf(chosen)
        labels, split = divmod(chosen - 2, m)
        above, below = divmod(labels, 2)
        return DecisionSplit(*self.trees.splits[split], DecisionLeaf(above), DecisionLeaf(below))

    def _chosen(self, cell: _Cell, rng: Coins) -> int:
        """Draw what a node is: a leaf of label 0 or 1, or, from 2 on, a split."""
        if self.short:
            return rng.choose(WeightedChoice(cell.terms(self._exact)))
        fine = leading_bits(cell.least(), self.decay, self._cells.totals[cell.depth]) + _GUARD

        def enclosed(bits: int) -> Enclosures:
            low, high = (cell.terms(powers) for powers in self._powers(bits + fine))
            return [int(term) for term in low], [int(term) for term in high]

        return enclosed_choice(enclosed, rng)
