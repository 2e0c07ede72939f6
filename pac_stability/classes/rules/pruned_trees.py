"""Decision trees with the prior of context-tree weighting."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size, described, distinct
from pac_stability.classes.exact import exact_vector
from pac_stability.classes.rules.codes import Codes
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class DecisionLeaf:
    """A tree that gives every point one label."""

    label: int

    def __call__(self, point: Hashable) -> int:  # noqa: ARG002  # the same for every point
        """Label of a point."""
        return self.label

    def labels(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """Label many points."""
        return np.full(len(codes), self.label, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class DecisionSplit:
    """A tree that asks whether one coordinate is at least a cut.

    Attributes
    ----------
    feature
        The coordinate, from 0.
    cut
        The threshold.
    above, below
        The trees for points with a coordinate of at least the cut, and for others.

    Examples
    --------
    >>> tree = DecisionSplit(1, 5, DecisionLeaf(1), DecisionSplit(0, 2, *map(DecisionLeaf, (0, 1))))
    >>> [tree(point) for point in [(0, 7), (3, 0), (1, 4)]]
    [1, 0, 1]
    """

    feature: int
    cut: int
    above: DecisionTree
    below: DecisionTree

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of real numbers."""
        if not isinstance(point, tuple) or len(point) <= self.feature:
            wanted = f"a tuple of more than {self.feature} numbers"
            raise InvalidInput("point", described(point), wanted)
        (value,) = exact_vector((point[self.feature],), 1)
        return (self.above if value >= self.cut else self.below)(point)

    def labels(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """Label many points of integers, shape (n, p)."""
        here = codes[:, self.feature] >= self.cut
        return np.where(here, self.above.labels(codes), self.below.labels(codes)).astype(np.uint8)


DecisionTree: TypeAlias = DecisionLeaf | DecisionSplit
"""A tree of questions about single coordinates."""


@dataclass(frozen=True, slots=True)
class PrunedTrees:
    """All decision trees up to a depth over some splits, with the context-tree prior.

    A tree is a leaf with probability 1/2, all labels being equally likely; otherwise it asks one of
    the m splits, each with probability 1/m, and has two such trees of one level less below. At
    depth 0 it is a leaf.

    Parameters
    ----------
    splits
        Pairs of a feature and a cut, distinct and at least one: does the coordinate reach the cut?
    depth
        The most questions that a point is asked, at most 8.
    labels
        How many labels a leaf may have, from 2 to 255: they are 0, 1, ...

    Raises
    ------
    InvalidInput
        A split is no pair of integers, or listed twice; or a number is out of range.

    Notes
    -----
    :attr:`count` grows like ``m**(2**depth - 1)``: :meth:`enumerate` is for small ones, and
    :class:`~pac_stability.mechanisms.TreePosterior` draws without listing any. Splits must be
    chosen before private data are seen.

    Source: Willems, Shtarkov and Tjalkens, *The context-tree weighting method*, 1995; with splits
    that are chosen, Chipman, George and McCulloch, *Bayesian CART model search*, 1998.

    Examples
    --------
    >>> trees = PrunedTrees([(0, 1), (0, 2), (1, 1)], depth=2)
    >>> trees.count, sum(probability for _, probability in trees.enumerate())
    (590, Fraction(1, 1))
    """

    splits: tuple[tuple[int, int], ...]
    depth: int
    labels: int = 2

    def __init__(self, splits: Iterable[tuple[int, int]], depth: int, labels: int = 2) -> None:
        kept = distinct((_split(value) for value in splits), "splits")
        if not kept:
            raise InvalidInput("splits", "none", "at least one")
        object.__setattr__(self, "splits", kept)
        object.__setattr__(self, "depth", as_size(depth, "depth", 0, 8))
        object.__setattr__(self, "labels", as_size(labels, "labels", 2, 255))

    @staticmethod
    def evenly(dimension: int, largest: int, cuts: int, depth: int) -> PrunedTrees:
        """Return the trees over evenly spaced cuts of each coordinate.

        Parameters
        ----------
        dimension
            Number of coordinates.
        largest
            They are integers from 0 to this.
        cuts
            The most cuts for each coordinate.
        depth
            As for the class.

        Examples
        --------
        >>> PrunedTrees.evenly(2, 8, 3, 1).splits
        ((0, 2), (0, 4), (0, 6), (1, 2), (1, 4), (1, 6))
        """
        most = as_size(largest, "largest", 1)
        parts = as_size(cuts, "cuts", 1) + 1
        places = sorted({-(-t * most // parts) for t in range(1, parts)})
        if most < parts:
            places = list(range(1, most + 1))
        features = range(as_size(dimension, "dimension", 1))
        return PrunedTrees([(feature, cut) for feature in features for cut in places], depth)

    @property
    def count(self) -> int:
        """How many trees there are."""
        trees = self.labels
        for _ in range(self.depth):
            trees = self.labels + len(self.splits) * trees * trees
        return trees

    def enumerate(self) -> Iterator[tuple[DecisionTree, Fraction]]:
        """Yield every tree with its prior probability."""
        return self._trees(self.depth)

    def _trees(self, depth: int) -> Iterator[tuple[DecisionTree, Fraction]]:
        leaf = Fraction(1, self.labels * (2 if depth else 1))
        for label in range(self.labels):
            yield DecisionLeaf(label), leaf
        if depth:
            each = Fraction(1, 2 * len(self.splits))
            for feature, cut in self.splits:
                for above, p in self._trees(depth - 1):
                    for below, q in self._trees(depth - 1):
                        yield DecisionSplit(feature, cut, above, below), each * p * q


def _split(value: object) -> tuple[int, int]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise InvalidInput("splits", described(value), "pairs of a feature and a cut")
    return as_size(value[0], "splits"), as_size(value[1], "splits")
