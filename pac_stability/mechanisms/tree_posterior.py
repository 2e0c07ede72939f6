"""Exponential weights over decision trees: sums that factorise, and draws from the top down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability.classes.rules.codes import CodedSample, coded
from pac_stability.classes.rules.pruned_trees import (
    DecisionLeaf,
    DecisionSplit,
    DecisionTree,
    PrunedTrees,
)
from pac_stability.data import AnySample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.enclosed_draws import Enclosures, enclosed_choice, enclosed_powers
from pac_stability.mechanisms.exponential_draws import exponential_choice
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

    Weights are ``P_d``, integers in place of the prior: ``P_0``, the sum over the c labels of ``r``
    to the power of the examples with another one, r being the decay; and at depth d, with m splits,
    ``P_d = m total_(d-1)**2 P_0 + c times the sum over splits of P_(d-1) P_(d-1)``. Half of
    ``total_d``, which is ``P_d`` for r = 1, is the prior for leaves.
    """

    __slots__ = ("_cells", "_known", "counts", "depth", "leaves", "mask")

    def __init__(self, cells: _Cells, mask: npt.NDArray[np.bool_], depth: int) -> None:
        self._cells = cells
        self._known: tuple[_Powers, int | Fraction] | None = None
        self.mask = mask
        self.depth = depth
        self.counts = cells.counts[:, mask].sum(axis=1)
        # How much a leaf of each label errs.
        self.leaves: list[int] = (self.counts.sum() - self.counts).tolist()

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
        """Return the weights of each label and of each split; at depth 1 by errors."""
        each = powers.powers
        if self.depth == 1:
            return [
                count * each[k]
                for k, count in enumerate(self._cells.histogram(self).tolist())
                if count
            ]
        leaf = self._cells.leaf(self.depth)
        found: list[int | Fraction] = [leaf * each[errors] for errors in self.leaves]
        if self.depth:
            found += [
                len(self.leaves) * powers.product(above.sum(powers), below.sum(powers))
                for above, below in self.children()
            ]
        return found

    def least(self) -> int:
        """Return the fewest errors of a tree."""
        leaf = min(self.leaves)
        if self.depth == 0 or leaf == 0:
            return leaf
        if self.depth == 1:
            return int(np.flatnonzero(self._cells.histogram(self))[0])
        return min(leaf, *(above.least() + below.least() for above, below in self.children()))


class _Cells:
    """What the cells of one sample have in common."""

    def __init__(self, trees: PrunedTrees, sample: AnySample | CodedSample) -> None:
        features = 1 + max(feature for feature, _ in trees.splits)
        if len(sample):
            first = sample.points[0]
            features = len(first) if isinstance(first, tuple | np.ndarray) else 1
        points, labels = coded(sample, features, _CODES, trees.labels)
        if max(feature for feature, _ in trees.splits) >= features:
            wanted = "points with a coordinate for every split"
            raise InvalidInput("sample", f"points of {features} numbers", wanted)
        at = [points[:, feature] >= cut for feature, cut in trees.splits]
        told = np.stack(at, axis=1) if len(labels) else np.zeros((0, len(at)), dtype=np.bool_)
        # Examples that no split tells apart are one, with a number for each label.
        packed = np.packbits(told, axis=1)
        _, kept, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        self.answers = told[kept]
        each = [group.ravel()[labels == label] for label in range(trees.labels)]
        self.counts = np.stack([np.bincount(here, minlength=len(kept)) for here in each])
        self.size = len(labels)
        # Doubles hold counts below 2**53 exactly, and their products are fast.
        self._floats = self.answers.astype(np.float64)
        self._known: dict[tuple[int, bytes], _Cell] = {}
        self._children: dict[_Cell, list[tuple[_Cell, _Cell]]] = {}
        self._histograms: dict[_Cell, npt.NDArray[np.int64]] = {}
        # How many examples of each label are above each split.
        self._above: dict[_Cell, npt.NDArray[np.int64]] = {}
        self.totals = [trees.labels]
        for _ in range(trees.depth):
            self.totals.append(2 * trees.labels * len(trees.splits) * self.totals[-1] ** 2)
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
            for each in self.counts
        ]).astype(np.int64)  # fmt: skip
        whole = np.diagonal(joint, axis1=1, axis2=2)
        for (above, below), both in zip(self._children[cell], joint.swapaxes(0, 1), strict=True):
            self._above[above] = both
            self._above[below] = whole - both

    def stumps(self, cell: _Cell) -> npt.NDArray[np.int64]:
        """Errors of all leaves and of all trees with one split: by the labels above and below."""
        above = self._above.get(cell)
        if above is None:
            above = (np.where(cell.mask, self.counts, 0) @ self._floats).astype(np.int64)
        below = cell.counts[:, None] - above
        wrong, other = above.sum(axis=0) - above, below.sum(axis=0) - below
        splits = wrong[:, None, :] + other[None, :, :]
        return np.concatenate([cell.leaves, splits.ravel()])

    def histogram(self, cell: _Cell) -> npt.NDArray[np.int64]:
        """For each number of errors, the prior of the trees with at most one split that have it."""
        if cell not in self._histograms:
            errors, labels = self.stumps(cell), len(cell.leaves)
            counts = labels * np.bincount(errors[labels:], minlength=max(cell.leaves) + 1)
            np.add.at(counts, cell.leaves, self.leaf(1))
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
        Its points are vectors of integers, at least 0, one for each feature. With more labels than
        two, a :class:`~pac_stability.classes.CodedSample`.
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

    With m splits, c labels and n examples that the splits tell apart, a sum takes ``O((2
    m)**(depth - 2) m**2 (n + c) c)`` operations on words and ``(2 m)**(depth - 1)`` times min(n,
    c**2 m) products of some hundred bits; equal cells are summed once.

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
    sample: AnySample | CodedSample = field(repr=False)
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
            return DecisionLeaf(exponential_choice(cell.leaves, self.decay, rng))
        if cell.depth == 1:
            return self._stump(cell, rng)
        chosen = self._chosen(cell, rng)
        if chosen < self.trees.labels:
            return DecisionLeaf(chosen)
        split = chosen - self.trees.labels
        above, below = cell.children()[split]
        feature, cut = self.trees.splits[split]
        return DecisionSplit(feature, cut, self._drawn(above, rng), self._drawn(below, rng))

    def _stump(self, cell: _Cell, rng: Coins) -> DecisionTree:
        errors, m, c = self._cells.stumps(cell), len(self.trees.splits), self.trees.labels
        prior = [self._cells.leaf(1)] * c + [c] * (c * c * m)
        chosen = exponential_choice(errors, self.decay, rng, prior=prior)
        if chosen < c:
            return DecisionLeaf(chosen)
        labels, split = divmod(chosen - c, m)
        above, below = divmod(labels, c)
        return DecisionSplit(*self.trees.splits[split], DecisionLeaf(above), DecisionLeaf(below))

    def _chosen(self, cell: _Cell, rng: Coins) -> int:
        """Draw what a node is: a leaf of label 0, 1, ..., or after these a split."""
        if self.short:
            return rng.choose(WeightedChoice(cell.terms(self._exact)))
        fine = leading_bits(cell.least(), self.decay, self._cells.totals[cell.depth]) + _GUARD

        def enclosed(bits: int) -> Enclosures:
            low, high = (cell.terms(powers) for powers in self._powers(bits + fine))
            return [int(term) for term in low], [int(term) for term in high]

        return enclosed_choice(enclosed, rng)
