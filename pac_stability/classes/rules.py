"""Hypotheses that people can read, on grids of integers: finite lists with a public prior."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability._core.sparse_errors import sparse_errors
from pac_stability.arguments import as_size, described, distinct, fix
from pac_stability.classes.validation import exact_vector
from pac_stability.data import AnySample, ArraySample
from pac_stability.data.sample import require_any_sample
from pac_stability.errors import InvalidInput

# Samples of vectors of small integers, in arrays

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CodedSample:
    """Examples with vectors of integers as points and several possible labels.

    Parameters
    ----------
    points
        Integers, shape (n, p).
    labels
        n integers from 0 to ``kinds - 1``.
    kinds
        The number of labels, at least 2.

    Raises
    ------
    InvalidInput
        The points are not a table of integers, or there is not one label in range for each.

    Examples
    --------
    >>> len(CodedSample(np.array([[0, 3], [1, 2], [4, 4]]), np.array([0, 2, 1]), kinds=3))
    3
    """

    points: Codes = field(repr=False)
    labels: npt.NDArray[np.int64] = field(repr=False)
    kinds: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", as_size(self.kinds, "kinds", 2))
        points, labels = np.asarray(self.points), np.asarray(self.labels)
        if points.ndim != 2 or points.dtype.kind not in "iub":
            raise InvalidInput("points", f"{points.dtype}, shape {points.shape}", "(n, p) integers")
        if labels.shape != points.shape[:1] or labels.dtype.kind not in "iub":
            given = f"{labels.dtype}, shape {labels.shape}"
            raise InvalidInput("labels", given, f"{len(points)} integers")
        if labels.size and not (labels.min() >= 0 and labels.max() < self.kinds):
            given = f"labels from {labels.min()} to {labels.max()}"
            raise InvalidInput("labels", given, f"labels from 0 to {self.kinds - 1}")
        fix(self, points=points.astype(np.int64), labels=labels.astype(np.int64))

    def __len__(self) -> int:
        return len(self.labels)


def coded(
    sample: AnySample | CodedSample, dimension: int, largest: int, kinds: int = 2
) -> tuple[Codes, npt.NDArray[np.uint8] | npt.NDArray[np.int64]]:
    """Return points, shape (n, dimension), and labels of a sample of vectors of integers.

    Parameters
    ----------
    sample
        Its points are vectors of integers from 0 to ``largest``.
    dimension
        The number of coordinates.
    largest
        The largest integer allowed.
    kinds
        The number of possible labels.

    Raises
    ------
    InvalidInput
        A point is not such a vector.
    """
    wanted = f"points of {dimension} integers from 0 to {largest}"
    if isinstance(sample, CodedSample):
        if sample.kinds > kinds:
            raise InvalidInput("sample", f"{sample.kinds} kinds of labels", f"at most {kinds}")
    else:
        require_any_sample(sample)
    if not len(sample):
        return np.zeros((0, dimension), dtype=np.int64), np.zeros(0, dtype=np.uint8)
    arrays = sample if isinstance(sample, ArraySample | CodedSample) else _arrays(sample, wanted)
    points = arrays.points
    if points.ndim != 2 or points.shape[1] != dimension:
        shape = "numbers" if points.ndim == 1 else f"points of {points.shape[1]} numbers"
        raise InvalidInput("sample", shape, wanted)
    whole = points.astype(np.int64, copy=False)
    if points.min() < 0 or points.max() > largest or np.any(points != whole):
        raise InvalidInput("sample", f"numbers from {points.min()} to {points.max()}", wanted)
    return whole, arrays.labels


def _arrays(sample: AnySample, wanted: str) -> ArraySample:
    try:
        return ArraySample(list(sample.points), list(sample.labels))
    except InvalidInput:
        raise InvalidInput("sample", "other points", wanted) from None


# Decision trees with the prior of context-tree weighting


@dataclass(frozen=True, slots=True)
class DecisionLeaf:
    """A tree that gives all points one label."""

    label: int

    def __call__(self, point: Hashable) -> int:  # noqa: ARG002  # the same for every point
        """Label of a point."""
        return self.label

    def labels(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """Label many points."""
        return np.full(len(codes), self.label, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class DecisionSplit:
    """A tree that compares one coordinate with a cut.

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

    A tree is a leaf with probability 1/2, all labels being equally likely; otherwise its root is
    one of the m splits, each with probability 1/m, above two such trees with one level less. At
    depth 0 it is a leaf.

    Parameters
    ----------
    splits
        Pairs of a feature and a cut, distinct and at least one: does the coordinate reach the cut?
    depth
        The most splits on the path of a point, at most 8.
    labels
        The number of possible labels of a leaf, from 2 to 255: 0, 1, ...

    Raises
    ------
    InvalidInput
        A split is not a pair of integers, or listed twice; or a number is out of range.

    Notes
    -----
    :attr:`count` grows like ``m**(2**depth - 1)``: :meth:`enumerate` is for small ones, and
    :class:`~pac_stability.mechanisms.TreePosterior` draws without listing any. Choose the splits
    before private data are seen.

    Source: Willems, Shtarkov and Tjalkens, *The context-tree weighting method*, 1995; with chosen
    splits, Chipman, George and McCulloch, *Bayesian CART model search*, 1998.

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
            The largest value of a coordinate; the smallest is 0.
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


# Sums of few signed features against a cut: risk scores

MAX_RULES = 1 << 26
"""The most rules that a class may have: their errors are counted one by one."""

_SUMS = 1 << 24
_WORK = 1 << 23
"""How many additions the kernel is asked for at once: some ten milliseconds."""


@dataclass(frozen=True, slots=True)
class SparseHalfspace:
    """The hypothesis ``1[s_1 x_(i_1) + ... + s_k x_(i_k) >= cut]``, or its complement.

    Attributes
    ----------
    dimension
        Number of coordinates of a point.
    features
        The coordinates that count, increasing, from 0.
    signs
        1 or -1 for each of them.
    cut
        The threshold, an integer.
    upward
        Whether large sums are labelled 1.

    Examples
    --------
    >>> h = SparseHalfspace(3, (0, 2), (1, -1), -1)
    >>> h, h((4, 9, 6)), h((5, 9, 6))
    (SparseHalfspace(x0 - x2 >= -1), 0, 1)
    """

    dimension: int
    features: tuple[int, ...]
    signs: tuple[int, ...]
    cut: int
    upward: bool = True

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of real numbers."""
        vector = exact_vector(point, self.dimension)
        terms = zip(self.signs, self.features, strict=True)
        return int((sum(s * vector[i] for s, i in terms) >= self.cut) is self.upward)

    def labels(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """Label many points of integers, shape (n, dimension)."""
        sums = codes[:, list(self.features)] @ np.array(self.signs, dtype=np.int64)
        return np.asarray((sums >= self.cut) == self.upward, dtype=np.uint8)

    def __repr__(self) -> str:
        terms = "".join(
            (" + " if sign > 0 else " - ") + f"x{feature}"
            for sign, feature in zip(self.signs, self.features, strict=True)
        )
        first = terms[3:] if self.signs[0] > 0 else f"-{terms[3:]}"
        return f"SparseHalfspace({first} {'>=' if self.upward else '<'} {self.cut})"


class SparseHalfspaces(Sequence[SparseHalfspace]):
    """All sums of at most k signed features of integers against evenly spaced cuts.

    Points are vectors of p integers from 0 to a largest one, Q. A rule of k features adds some and
    subtracts others, which gives one of k Q + 1 sums. It cuts at one of ``cuts`` evenly spaced
    places (at all places if there are no more) and labels one side 1.

    Parameters
    ----------
    dimension
        p.
    largest
        Q, at least 1.
    sparsity
        The most features of a rule, at most 8; no more than p are used.
    cuts
        The most cuts for each choice of features and signs.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or there are more than :data:`MAX_RULES` rules.

    Notes
    -----
    In order of the number of features, then of the features, signs, orientation and cut. There are
    ``C(p, k) 2**k min(cuts, k Q)`` rules of k features: the first sign is +, because the other
    orientation covers the other sign. Rules that agree everywhere are both listed.

    The prior is 1/K for each number of features, K being the largest, and uniform among rules with
    equally many: the many rules of three features do not reduce the prior of a rule of one.
    :attr:`prior` gives it as integers. Four numbers determine all of this, independently of a
    sample.

    Counting the errors of N rules on n examples takes O(N + n N / cuts) additions: 0.02
    microseconds a rule for 400 examples and 15 cuts. Memory is 8 bytes a rule.

    Examples
    --------
    >>> H = SparseHalfspaces(3, 2, sparsity=2, cuts=3)
    >>> len(H), H[0], H[-1]
    (48, SparseHalfspace(x0 >= 1), SparseHalfspace(x1 - x2 < 1))
    >>> from pac_stability.data import Sample
    >>> errors = H.errors(Sample([(0, 2, 1), (2, 0, 1), (2, 2, 2)], [0, 1, 0]))
    >>> int(errors.min()), H[int(errors.argmin())]
    (0, SparseHalfspace(x1 < 1))
    >>> sorted(set(H.prior.tolist())), H.total  # 12 rules of one feature, 36 of two
    ([1, 3], 72)
    """

    def __init__(self, dimension: int, largest: int, sparsity: int = 3, cuts: int = 15) -> None:
        self.dimension: int = as_size(dimension, "dimension", 1)
        self.largest: int = as_size(largest, "largest", 1)
        self.sparsity: int = as_size(sparsity, "sparsity", 1, 8)
        self.cuts: int = as_size(cuts, "cuts", 1)
        if self.largest * self.sparsity >= _SUMS:
            raise InvalidInput("largest", str(largest), f"below {_SUMS} for a sum of all features")
        if len(self) > MAX_RULES:
            given = f"{self.sparsity} of {self.dimension} features: {len(self)} rules"
            raise InvalidInput("sparsity", given, f"at most {MAX_RULES} rules")

    @cached_property
    def _groups(self) -> tuple[tuple[int, tuple[int, ...], int], ...]:
        """For each number of features: itself, the cuts of its sums, and how many rules it has."""
        found = []
        for k in range(1, min(self.sparsity, self.dimension) + 1):
            most = k * self.largest
            cuts = sorted({-(-t * most // (self.cuts + 1)) for t in range(1, self.cuts + 1)})
            if most <= self.cuts:
                cuts = list(range(1, most + 1))
            found.append((k, tuple(cuts), (math.comb(self.dimension, k) << k) * len(cuts)))
        return tuple(found)

    def __len__(self) -> int:
        return sum(size for _, _, size in self._groups)

    def __getitem__(self, index: int) -> SparseHalfspace:  # type: ignore[override]  # no slices
        place = range(len(self))[index]
        for k, cuts, size in self._groups:
            if place < size:
                place, cut = divmod(place, len(cuts))
                place, downward = divmod(place, 2)
                choice, pattern = divmod(place, 1 << (k - 1))
                features = _combination(self.dimension, k, choice)
                signs = (1, *(-1 if pattern >> j & 1 else 1 for j in range(k - 1)))
                lowest = self.largest * signs.count(-1)
                return SparseHalfspace(
                    self.dimension, features, signs, cuts[cut] - lowest, not downward
                )
            place -= size
        raise AssertionError

    def __eq__(self, other: object) -> bool:
        return (
            self._parameters == other._parameters if type(other) is type(self) else NotImplemented
        )

    def __hash__(self) -> int:
        return hash((type(self), self._parameters))

    def __repr__(self) -> str:
        return "SparseHalfspaces({}, {}, sparsity={}, cuts={})".format(*self._parameters)

    @property
    def _parameters(self) -> tuple[int, int, int, int]:
        return self.dimension, self.largest, self.sparsity, self.cuts

    @property
    def groups(self) -> tuple[tuple[int, int], ...]:
        """For each number of features from 1: the number of rules, and their prior."""
        sizes = (size for _, _, size in self._groups)
        return tuple(zip(sizes, self._masses, strict=True))

    @property
    def prior(self) -> npt.NDArray[np.int64]:
        """The prior as integers, one for each rule."""
        return np.repeat(self._masses, [size for _, _, size in self._groups])

    @property
    def total(self) -> int:
        """The sum of the prior's integers."""
        return self._masses[0] * self._groups[0][2] * len(self._groups)

    @property
    def _masses(self) -> list[int]:
        common = math.lcm(*(size for _, _, size in self._groups))
        return [common // size for _, _, size in self._groups]

    def errors(self, sample: AnySample) -> npt.NDArray[np.int64]:
        """Return the number of errors of each rule on a sample.

        Parameters
        ----------
        sample
            Its points are vectors of integers from 0 to ``largest``.

        Raises
        ------
        InvalidInput
            A point is not such a vector.
        """
        points, labels = coded(sample, self.dimension, self.largest)
        columns, labels = np.ascontiguousarray(points.T, dtype=np.uint32), labels.astype(np.uint8)
        found = np.empty(len(self), dtype=np.int64)
        place = 0
        for k, cuts, _ in self._groups:
            at = np.array(cuts, dtype=np.int32)
            for choices in _chunks(self.dimension, k, (len(labels) * k + len(cuts)) << k):
                part = sparse_errors(columns, labels, self.largest, choices, at).ravel()
                found[place : place + len(part)] = part
                place += len(part)
        return found


def _chunks(dimension: int, k: int, cost: int) -> Iterator[npt.NDArray[np.int32]]:
    """Yield all choices of k features, so many at once as give the kernel a moment's work."""
    choices = combinations(range(dimension), k)
    while part := list(islice(choices, max(_WORK // max(cost, 1), 1))):
        yield np.array(part, dtype=np.int32)


def _combination(n: int, k: int, number: int) -> tuple[int, ...]:
    """Return the combination of k of n that comes after so many others in lexicographic order."""
    found = []
    least = 0
    for left in range(k, 0, -1):
        while number >= (begun := math.comb(n - least - 1, left - 1)):
            number -= begun
            least += 1
        found.append(least)
        least += 1
    return tuple(found)
