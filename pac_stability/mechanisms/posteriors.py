"""Exponential weights over large lists of hypotheses, unions of such lists, and decision trees.

Sums of weights factorise, so draws are exact even from lists too long to write down.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size, fix
from pac_stability.classes.bits import Words, ones_of_words, pack
from pac_stability.classes.rules import (
    CodedSample,
    DecisionLeaf,
    DecisionSplit,
    DecisionTree,
    PrunedTrees,
    SparseHalfspace,
    SparseHalfspaces,
    coded,
)
from pac_stability.data import AnySample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.draws import (
    Enclosures,
    Levels,
    as_decay,
    each_power,
    enclosed_choice,
    enclosed_powers,
)
from pac_stability.mechanisms.exponential import exponential_choice
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

SHORT = 256
"""Powers of a decay of so many bits are written out, and weights are fractions."""

_GUARD = 32


class ReadableRule(Protocol):
    """A hypothesis that labels points and can be an outcome of a law."""

    def __hash__(self) -> int:
        """Equal rules have equal hashes."""
        ...

    def __call__(self, point: Hashable, /) -> int:
        """Label of a point."""
        ...

    def labels(self, codes: npt.NDArray[np.int64], /) -> npt.NDArray[np.uint8]:
        """Label many points of integers, one a row."""
        ...


class Posterior(Protocol):
    """Hypotheses with weights prior times ``decay**errors``, that can be summed and drawn."""

    @property
    def total(self) -> int:
        """The sum of the prior's integers: the sum of the weights if no hypothesis errs."""
        ...

    @property
    def precision(self) -> int:
        """The number of bits after the point at which the weight of a best hypothesis may begin."""
        ...

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction with few digits."""
        ...

    def mass(self) -> Fraction:
        """Return the sum of the weights exactly."""
        ...

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        """Enclose the sum of the weights, in units of ``2**-bits``."""
        ...

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> ReadableRule:
        """Return a hypothesis, with probability exactly in proportion to its weight."""
        ...


def leading_bits(least: int, decay: Fraction, total: int) -> int:
    """Return a precision at which the weights of hypotheses with so few errors have digits."""
    each = math.log2(decay.denominator) - math.log2(decay.numerator)
    return math.ceil(least * each) + total.bit_length()


class _EqualRules(NamedTuple):
    """Rules with equally many features and errors.

    Attributes
    ----------
    errors
        How many errors they have.
    mass
        Their prior in all.
    begin, end
        Where the rules with as many features are.
    """

    errors: int
    mass: int
    begin: int
    end: int


@dataclass(frozen=True, eq=False)
class SparsePosterior:
    """Sparse halfspaces, with weight prior times ``decay**errors`` on a sample.

    Parameters
    ----------
    rules
        The class.
    sample
        Its points are vectors of integers from 0 to ``rules.largest``.
    decay
        rho, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The sample does not fit, or the decay is out of range.

    Notes
    -----
    A draw is one of :class:`~pac_stability.mechanisms.ExponentialMechanism` with a prior. It is
    private with the factor ``rho**-2`` for an example replaced, and ``rho**-1`` for one added or
    removed. The object itself is not private: it holds all errors.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> H, sample = SparseHalfspaces(2, 3, sparsity=1), Sample([(0, 2), (3, 1), (3, 3)], [0, 1, 1])
    >>> posterior = SparsePosterior(H, sample, Fraction(1, 100))
    >>> round(float(posterior.mass() / posterior.total), 3)  # 3 of the 12 rules do not err
    0.253
    >>> from pac_stability.randomness import SeededCoins
    >>> posterior.draw(SeededCoins(1))
    SparseHalfspace(x0 >= 2)
    """

    rules: SparseHalfspaces
    sample: AnySample = field(repr=False)
    decay: Fraction
    errors: npt.NDArray[np.int64] = field(init=False, repr=False)
    _kinds: tuple[_EqualRules, ...] = field(init=False, repr=False)
    _levels: Levels = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.rules, SparseHalfspaces):
            raise InvalidInput("rules", type(self.rules).__name__, "SparseHalfspaces")
        object.__setattr__(self, "decay", as_decay(self.decay))
        errors = self.rules.errors(self.sample)
        errors.flags.writeable = False
        object.__setattr__(self, "errors", errors)
        kinds, start = [], 0
        for size, mass in self.rules.groups:
            counts = np.bincount(errors[start : start + size])
            kinds += [
                _EqualRules(k, count * mass, start, start + size)
                for k, count in enumerate(counts.tolist())
                if count
            ]
            start += size
        object.__setattr__(self, "_kinds", tuple(kinds))
        masses: Counter[int] = Counter()
        for kind in kinds:
            masses[kind.errors] += kind.mass
        values = sorted(masses)
        levels = Levels(values, [masses[k] for k in values])
        object.__setattr__(self, "_levels", levels)

    @property
    def total(self) -> int:
        """The sum of the prior's integers."""
        return self.rules.total

    @property
    def precision(self) -> int:
        """The number of bits after the point at which the weight of a best rule may begin."""
        return leading_bits(self._levels.errors[0], self.decay, self.total)

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction with few digits."""
        return self._levels.errors[-1] * self.decay.denominator.bit_length() <= SHORT

    def mass(self) -> Fraction:
        """Return the sum of the weights exactly."""
        pairs = zip(self._levels.errors, self._levels.masses, strict=True)
        return sum((mass * self.decay**k for k, mass in pairs), Fraction(0))

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        """Enclose the sum of the weights, in units of ``2**-bits``."""
        floors, ceilings = enclosed_powers(self._levels.errors, self.decay, bits)
        masses = self._levels.masses
        return (
            sum(mass * low for mass, low in zip(masses, floors, strict=True)),
            sum(mass * high for mass, high in zip(masses, ceilings, strict=True)),
        )

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> SparseHalfspace:
        """Return a rule, with probability exactly in proportion to its weight."""
        # First how many errors and features it has, then one of those, which are equally likely.
        prior = [kind.mass for kind in self._kinds]
        errors = [kind.errors for kind in self._kinds]
        kind = self._kinds[exponential_choice(errors, self.decay, rng, prior=prior)]
        members = np.flatnonzero(self.errors[kind.begin : kind.end] == kind.errors)
        return self.rules[kind.begin + int(members[rng.below(len(members))])]


@dataclass(frozen=True, eq=False)
class PosteriorUnion:
    """The union of several lists of hypotheses, each with a share of the prior.

    Parameters
    ----------
    parts
        Posteriors on one sample, with one decay; at least one.
    shares
        A positive integer for each: its share of the prior, relative to the others. By default they
        are equal.

    Raises
    ------
    InvalidInput
        There are no parts, not one share for each, or a share is not a positive integer.

    Notes
    -----
    It first draws one of the parts by the sums of their weights, compared in certified enclosures,
    then one of its hypotheses. So it has the law, and the privacy, of one exponential mechanism
    over all hypotheses. There is no separate selection to pay for: with equal shares the union
    costs at most ``log(parts)/log(1/decay)`` errors more than the best list alone.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> sample = Sample([(0, 2), (3, 1), (3, 3)], [0, 1, 1])
    >>> few, many = (SparseHalfspaces(2, 3, sparsity=k) for k in (1, 2))
    >>> union = PosteriorUnion([SparsePosterior(H, sample, Fraction(1, 2)) for H in (few, many)])
    >>> union.mass() / union.total
    Fraction(59, 128)
    """

    parts: tuple[Posterior, ...]
    shares: tuple[int, ...]

    def __init__(self, parts: Iterable[Posterior], shares: Iterable[int] | None = None) -> None:
        kept = tuple(parts)
        if not kept:
            raise InvalidInput("parts", "none", "at least one")
        equal = (1,) * len(kept)
        wanted = equal if shares is None else tuple(as_size(s, "shares", 1) for s in shares)
        if len(wanted) != len(kept):
            raise InvalidInput("shares", f"{len(wanted)} of them", f"{len(kept)}, one a part")
        fix(self, parts=kept, shares=wanted)

    @property
    def _scales(self) -> list[int]:
        """By how much the weights of the parts are multiplied, so that the shares are right."""
        common = math.lcm(*(part.total for part in self.parts))
        return [
            share * (common // part.total)
            for share, part in zip(self.shares, self.parts, strict=True)
        ]

    @property
    def total(self) -> int:
        """The sum of the prior's integers."""
        return sum(self.shares) * math.lcm(*(part.total for part in self.parts))

    @property
    def precision(self) -> int:
        """The number of bits after the point at which the weight of a best hypothesis may begin."""
        return min(part.precision for part in self.parts) + self.total.bit_length()

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction with few digits."""
        return all(part.short for part in self.parts)

    def mass(self) -> Fraction:
        """Return the sum of the weights exactly."""
        pairs = zip(self._scales, self.parts, strict=True)
        return sum((scale * part.mass() for scale, part in pairs), Fraction(0))

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        """Enclose the sum of the weights, in units of ``2**-bits``."""
        floors, ceilings = self._enclosures(bits)
        return sum(floors), sum(ceilings)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> ReadableRule:
        """Return a hypothesis, with probability exactly in proportion to its weight."""
        if self.short:
            pairs = zip(self._scales, self.parts, strict=True)
            masses = [scale * part.mass() for scale, part in pairs]
            return self.parts[rng.choose(WeightedChoice(masses))].draw(rng)
        fine = self.precision + _GUARD
        return self.parts[enclosed_choice(lambda bits: self._enclosures(bits + fine), rng)].draw(
            rng
        )

    def _enclosures(self, bits: int) -> Enclosures:
        masses = [part.enclosed_mass(bits) for part in self.parts]
        pairs = list(zip(self._scales, masses, strict=True))
        return [scale * low for scale, (low, _) in pairs], [
            scale * high for scale, (_, high) in pairs
        ]


# Decision trees: sums that factorise, and draws from the top down

_CODES = (1 << 62) - 1


class _Powers(NamedTuple):
    """Powers of the decay, in units of ``2**-bits`` from one side, or exactly where bits is None.

    Attributes
    ----------
    powers
        ``decay**k`` for the numbers k of errors that a sum takes.
    bits
        The unit.
    up
        Whether numbers are no smaller than they should be, or no larger.
    """

    powers: Mapping[int, int] | Mapping[int, Fraction]
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

    def __init__(self, cells: _Cells, mask: Words, depth: int) -> None:
        self._cells = cells
        self._known: tuple[tuple[int | None, bool], int | Fraction] | None = None
        self.mask = mask
        self.depth = depth
        self.counts = cells.count(mask)
        # How much a leaf of each label errs.
        self.leaves: list[int] = (self.counts.sum() - self.counts).tolist()

    def children(self) -> list[tuple[_Cell, _Cell]]:
        """For each split, the cells above and below."""
        return self._cells.children(self)

    def sum(self, powers: _Powers) -> int | Fraction:
        """Return the sum of the weights, to the side of the powers."""
        if self._known is not None and self._known[0] == powers[1:]:  # not the powers, many numbers
            return self._known[1]
        found = sum(self.terms(powers))
        self._known = powers[1:], found
        return found

    def terms(self, powers: _Powers) -> list[int | Fraction]:
        """Return the weights of each label and of each split; at depth 1 by errors."""
        each = powers.powers
        if self.depth == 1:
            errors, counts = self._cells.histogram(self)
            return [count * each[k] for k, count in zip(errors, counts, strict=True)]
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
            return self._cells.histogram(self)[0][0]
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
        # Examples that no split tells apart are one, with a number for each label; a bit a split.
        m = len(trees.splits)
        packed = np.zeros((len(labels), -(-m // 8)), dtype=np.uint8)
        for split, (feature, cut) in enumerate(trees.splits):
            packed[:, split >> 3] |= (points[:, feature] >= cut) << np.uint8(7 - (split & 7))
        whole_rows = packed.view(f"V{packed.shape[1]}").ravel()
        _, kept, group = np.unique(whole_rows, return_index=True, return_inverse=True)
        packed = packed[kept]
        self.size, self._labels = len(labels), trees.labels
        # A group with 5 examples of a label counts as one with 4 and one with 1. What counts alike
        # stands together, 64 to a word: the answers of all to a split are a row.
        self._parts: list[tuple[slice, int, int]] = []
        rows, whole = [np.zeros((m, 0), dtype=np.uint64)], [np.zeros((1, 0), dtype=np.uint64)]
        end = 0
        for label in range(trees.labels):
            often = np.bincount(group.ravel()[labels == label], minlength=len(kept))
            for power in range(int(often.max(initial=0)).bit_length()):
                here = packed[(often >> power & 1) == 1]
                if len(here):
                    eight = (np.unpackbits(octets[:, None], axis=1) for octets in here.T)
                    rows.append(np.concatenate([pack(told.T) for told in eight])[:m])
                    whole.append(pack(np.ones((1, len(here)), dtype=np.uint8)))
                    begin, end = end, end + rows[-1].shape[1]
                    self._parts.append((slice(begin, end), label, 1 << power))
        self._columns = np.concatenate(rows, axis=1)
        self._known: dict[tuple[int, bytes], _Cell] = {}
        self._children: dict[_Cell, list[tuple[_Cell, _Cell]]] = {}
        self._histograms: dict[_Cell, tuple[list[int], list[int]]] = {}
        # How many examples of each label are above each split.
        self._above: dict[_Cell, npt.NDArray[np.int64]] = {}
        self.totals = [trees.labels]
        for _ in range(trees.depth):
            self.totals.append(2 * trees.labels * len(trees.splits) * self.totals[-1] ** 2)
        self.root = self._cell(np.concatenate(whole, axis=1)[0], trees.depth)

    @cached_property
    def errors(self) -> list[int]:
        """All numbers of errors of leaves, and of trees of one split, that a sum asks about."""
        found, cells, seen = set[int](), [self.root], {self.root}
        while cells:
            cell = cells.pop()
            found.update(self.histogram(cell)[0] if cell.depth == 1 else cell.leaves)
            if cell.depth > 1:
                below = set(chain.from_iterable(cell.children())) - seen
                seen |= below
                cells += below
        return sorted(found)

    def count(self, masks: Words) -> npt.NDArray[np.int64]:
        """Return how many examples of each label, on the first axis, are in sets of examples."""
        ones = ones_of_words(masks)
        counts = np.zeros((self._labels, *masks.shape[:-1]), dtype=np.int64)
        for words, label, often in self._parts:
            counts[label] += often * ones[..., words].sum(axis=-1, dtype=np.int64)
        return counts

    def _cell(self, mask: Words, depth: int) -> _Cell:
        key = depth, mask.tobytes()
        if key not in self._known:
            self._known[key] = _Cell(self, mask, depth)
        return self._known[key]

    def leaf(self, depth: int) -> int:
        """Return the weight of a leaf that does not err."""
        return len(self._columns) * self.totals[depth - 1] ** 2 if depth else 1

    def children(self, cell: _Cell) -> list[tuple[_Cell, _Cell]]:
        """For each split, the cells above and below."""
        if cell not in self._children:
            self._children[cell] = [
                (self._cell(cell.mask & told, cell.depth - 1),
                 self._cell(cell.mask & ~told, cell.depth - 1))
                for told in self._columns
            ]  # fmt: skip
            if cell.depth == 2:
                self._count_below(cell)
        return self._children[cell]

    def _count_below(self, cell: _Cell) -> None:
        """Count for all children of a cell at once: above one split and another."""
        reached = cell.mask & self._columns
        m = len(reached)
        joint = np.zeros((self._labels, m, m), dtype=np.int64)
        for split, told in enumerate(self._columns):
            joint[:, split, split:] = joint[:, split:, split] = self.count(reached[split:] & told)
        whole = np.diagonal(joint, axis1=1, axis2=2)
        for (above, below), both in zip(self._children[cell], joint.swapaxes(0, 1), strict=True):
            self._above[above] = both
            self._above[below] = whole - both

    def stumps(self, cell: _Cell) -> npt.NDArray[np.int64]:
        """Errors of all leaves and of all trees with one split: by the labels above and below."""
        above = self._above.get(cell)
        if above is None:
            above = self.count(cell.mask & self._columns)
        below = cell.counts[:, None] - above
        wrong, other = above.sum(axis=0) - above, below.sum(axis=0) - below
        splits = wrong[:, None, :] + other[None, :, :]
        return np.concatenate([cell.leaves, splits.ravel()])

    def histogram(self, cell: _Cell) -> tuple[list[int], list[int]]:
        """Return each number of errors, and the prior of the trees with at most one split of it."""
        if cell not in self._histograms:
            errors, labels = self.stumps(cell), len(cell.leaves)
            distinct, places = np.unique(errors, return_inverse=True)
            counts = labels * np.bincount(places[labels:], minlength=len(distinct))
            np.add.at(counts, places[:labels], self.leaf(1))
            self._histograms[cell] = distinct.tolist(), counts.tolist()
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
    A draw is one of :class:`~pac_stability.mechanisms.ExponentialMechanism` over *all* trees. It is
    private with the factor ``rho**-2`` for an example replaced, and ``rho**-1`` for one added or
    removed. The object itself is not private.

    No tree is listed. The sum of the weights of all trees that may stand at a node factorises,
    ``Z(cell) = leaves/2 + mean over splits of Z(above) Z(below) / 2``, so it draws a tree from the
    top down. The sums of weights decide whether a node is a leaf, and with which label, or which
    split it makes; then come its children, independently. At depth 1 it lists the trees by their
    errors. The sums are certified enclosures in integers; if these leave a node open, it takes more
    bits, as in :func:`~pac_stability.mechanisms.enclosed_choice`.

    With m splits, c labels and n examples that the splits separate, a sum takes ``O((2 m)**(depth -
    2) m**2 (n + c) c)`` operations on words and ``(2 m)**(depth - 1)`` times min(n, c**2 m)
    products of some hundred bits; equal cells are summed once.

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
    sample: InitVar[AnySample | CodedSample]
    decay: Fraction
    _cells: _Cells = field(init=False, repr=False)

    def __post_init__(self, sample: AnySample | CodedSample) -> None:
        if not isinstance(self.trees, PrunedTrees):
            raise InvalidInput("trees", type(self.trees).__name__, "PrunedTrees")
        fix(self, decay=as_decay(self.decay), _cells=_Cells(self.trees, sample))

    @property
    def total(self) -> int:
        """The sum of the prior's integers."""
        return self._cells.totals[-1]

    @cached_property
    def precision(self) -> int:
        """The number of bits after the point at which the weight of a best tree may begin."""
        return leading_bits(self._cells.root.least(), self.decay, self.total)

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction with few digits."""
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
        return _Powers({k: self.decay**k for k in self._cells.errors}, None, up=False)

    def _powers(self, bits: int) -> Iterator[_Powers]:
        """Yield the floors of all powers, and then their ceilings, which take their place."""
        errors, powers, above = self._cells.errors, dict[int, int](), list[int]()
        for k, (low, high) in zip(errors, each_power(errors, self.decay, bits), strict=True):
            powers[k] = low
            above.append(high - low)
        yield _Powers(powers, bits, up=False)
        for k, more in zip(powers, above, strict=True):
            powers[k] += more
        yield _Powers(powers, bits, up=True)

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
