"""The smallest exact compression scheme of a tiny class, and approximation of a sample.

Exhaustive searches find both, the second without coins.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import ClassVar, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_probability, as_size
from pac_stability.classes import Family, FiniteClass, FiniteSet, Hypothesis, Row, least_errors
from pac_stability.classes.family import require_inhabited, require_patterns
from pac_stability.compression import scheme
from pac_stability.data import Example, Multiset, Sample
from pac_stability.data.sample import require_sample
from pac_stability.errors import BudgetExhausted, InvalidInput

Members: TypeAlias = frozenset[int]
"""A set of examples, each as twice its column plus its label."""

Slot: TypeAlias = tuple[Members, int]
"""The kept examples as a set, and which of the words with that set."""


class TableSearch:
    """Backtracking over the choice of kept examples for each realizable set.

    It writes a set of labelings as an integer, one bit for each.

    Parameters
    ----------
    rows
        The hypotheses of the class, which determine the realizable sets.
    labelings
        What may be rebuilt.
    ordered
        Whether the order of the examples distinguishes words.
    max_nodes
        The most partial tables to visit.
    """

    def __init__(
        self,
        rows: Sequence[tuple[int, ...]],
        labelings: Sequence[tuple[int, ...]],
        ordered: bool,
        max_nodes: int,
    ) -> None:
        self._ordered = ordered
        self._nodes = self._max_nodes = max_nodes
        self._points = len(rows[0])
        columns = range(self._points)
        self._fitting: dict[Members, int] = {}
        for row in rows:
            for count in range(1, self._points + 1):
                for chosen in combinations(columns, count):
                    members = frozenset(2 * column + row[column] for column in chosen)
                    if members in self._fitting:
                        continue
                    self._fitting[members] = sum(
                        1 << index
                        for index, labels in enumerate(labelings)
                        if all(labels[column] == row[column] for column in chosen)
                    )
        self._left: dict[Members, list[int]] = {}
        self._inside: dict[Members, list[Members]] = {}
        self._room: dict[Members, int] = {}

    def fill(self, k: int) -> bool:
        """Fill a table with words of k examples, if there is one."""
        self._k = k
        small = [members for members in self._fitting if len(members) <= k]
        self._room = {members: self._words_of(len(members)) for members in small}
        self._left = {members: [] for members in small}
        self._inside = {
            members: [part for part in small if part <= members] for members in self._fitting
        }
        return self._extend(list(self._fitting))

    def _words_of(self, count: int) -> int:
        if not self._ordered:
            return 1
        return sum(
            (-1) ** missing * math.comb(count, missing) * (count - missing) ** self._k
            for missing in range(count + 1)
        )

    def _options(self, members: Members) -> list[tuple[Members, int, int]] | None:
        """Return the slots that may serve a set, and what that leaves; ``None`` if one does."""
        fitting = self._fitting[members]
        options = []
        for part in self._inside[members]:
            left = self._left[part]
            for index, candidates in enumerate(left):
                common = candidates & fitting
                if common == candidates:
                    return None
                if common:
                    options.append((part, index, common))
            if len(left) < self._room[part]:
                options.append((part, len(left), fitting))
        return options

    def _extend(self, waiting: Sequence[Members]) -> bool:
        if self._nodes == 0:
            message = f"more than {self._max_nodes} partial tables"
            raise BudgetExhausted(message, self._k, self._points)
        self._nodes -= 1
        open_sets = []
        fewest: list[tuple[Members, int, int]] | None = None
        hardest: Members | None = None
        for members in waiting:
            options = self._options(members)
            if options is None:
                continue
            open_sets.append(members)
            if fewest is None or len(options) < len(fewest):
                fewest, hardest = options, members
        if fewest is None:
            return True
        rest = [members for members in open_sets if members is not hardest]
        for part, index, common in sorted(fewest, key=lambda option: -option[2].bit_count()):
            left = self._left[part]
            before = left[index:]
            left[index:] = [common, *before[1:]]
            if self._extend(rest):
                return True
            left[index:] = before
        return False

    def words(self, k: int) -> dict[Slot, tuple[int, ...]]:
        """Return the word of each slot in use."""
        return {
            (members, index): word
            for members, left in self._left.items()
            for index, word in zip(range(len(left)), self._all_words(members, k), strict=False)
        }

    def _all_words(self, members: Members, k: int) -> Iterator[tuple[int, ...]]:
        if not self._ordered:
            return iter([padded(members, k)])
        words = product(sorted(members), repeat=k)
        return (word for word in words if len(set(word)) == len(members))

    def choices(self) -> dict[Members, Slot]:
        """Return, for each realizable set, a slot that serves it."""
        return {
            members: next(
                (part, index)
                for part in parts
                for index, candidates in enumerate(self._left[part])
                if not candidates & ~self._fitting[members]
            )
            for members, parts in self._inside.items()
        }

    def decoded(self) -> dict[Slot, int]:
        """Return, for each slot in use, the first remaining labeling."""
        return {
            (members, index): (candidates & -candidates).bit_length() - 1
            for members, left in self._left.items()
            for index, candidates in enumerate(left)
        }


def padded(members: set[int] | Members, k: int) -> tuple[int, ...]:
    """Write a set of examples as k of them, the last one repeated."""
    *early, last = sorted(members)
    return (*early, *[last] * (k - len(early)))


# The smallest scheme

Examples: TypeAlias = frozenset[Example[Hashable]]
"""A realizable set of examples: each point at most once."""

Kept: TypeAlias = tuple[Example[Hashable], ...]
"""Kept examples, in order."""

MAX_POINTS = 6
"""Points of the domain, at most: they have up to 3^6 - 1 realizable sets, each a level deep."""


class TableScheme(scheme.OfOneFamily[FiniteClass], scheme.CompressionScheme[scheme.H_co]):
    """A scheme given by tables: what to keep of a set of examples, and what it stands for.

    On a sample it takes the first hypothesis that errs least, and looks up the set of the examples
    that this hypothesis gets right. The rebuilt hypothesis is right about these too, so it errs no
    more. If every hypothesis is always wrong on a sample, any examples will do.

    Attributes
    ----------
    to_keep
        For each realizable set of examples, k kept members of the set.
    to_rebuild
        For kept examples, in order, the hypothesis; all other sequences stand for
        :attr:`otherwise`.
    otherwise
        A hypothesis.
    """

    symmetric: ClassVar[bool] = True

    def __init__(
        self,
        H: FiniteClass,
        k: int,
        *,
        selection: scheme.Selection,
        to_keep: Mapping[Examples, Kept],
        found: Mapping[Kept, int],
        among: Sequence[scheme.H_co],
    ) -> None:
        self._family, self._size, self.selection = H, k, selection
        self.to_keep = to_keep
        self.to_rebuild = {word: among[index] for word, index in found.items()}
        self.otherwise = among[0]

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        h, _ = least_errors(self._family, sample)
        place: dict[Example[Hashable], int] = {}
        for index, example in enumerate(sample):
            if h(example.point) == example.label:
                place.setdefault(example, index)
        if not place:
            return (0,) * self._size
        return tuple(place[example] for example in self.to_keep[frozenset(place)])

    def reconstruct(self, kept: Sample[Hashable], /) -> scheme.H_co:
        """Return what the table has for the kept examples.

        Raises
        ------
        InvalidInput
            There are not k of them, or a point is not of the domain.
        """
        scheme.require_kept(kept, self._size)
        places = [2 * self._family.column(z.point) + z.label for z in kept]
        key = tuple(kept)
        if self.selection is scheme.Selection.MULTISET:
            key = tuple(kept[places.index(place)] for place in padded(set(places), self._size))
        return self.to_rebuild.get(key, self.otherwise)


class ProperTable(TableScheme[Row], scheme.ProperScheme[Row]):
    """A table whose hypotheses are rows of the class."""


class ImproperTable(TableScheme[FiniteSet], scheme.ImproperScheme[FiniteSet]):
    """A table whose hypotheses are any sets of points."""


@overload
def smallest_scheme(
    H: FiniteClass, *, proper: Literal[True] = ..., ordered: bool = ..., max_nodes: int = ...
) -> ProperTable: ...


@overload
def smallest_scheme(
    H: FiniteClass, *, proper: Literal[False], ordered: bool = ..., max_nodes: int = ...
) -> ImproperTable: ...


@overload
def smallest_scheme(
    H: FiniteClass, *, proper: bool, ordered: bool = ..., max_nodes: int = ...
) -> ProperTable | ImproperTable: ...


def smallest_scheme(
    H: FiniteClass, *, proper: bool = True, ordered: bool = True, max_nodes: int = 200_000
) -> ProperTable | ImproperTable:
    """Find a compression scheme of the least possible size, as a table.

    Parameters
    ----------
    H
        The class, not empty, on few points.
    proper
        Whether to rebuild only hypotheses of H, as Definition 14 requires, or any labelling.
    ordered
        Whether the order and the repetitions of the kept examples carry information, as Definition
        14 allows, or only their set does, as in Littlestone & Warmuth 1986.
    max_nodes
        The most partial tables to visit, for all sizes together.

    Returns
    -------
    ProperTable or ImproperTable
        A scheme of size k, agnostic, on samples of every length. It certifies that k is enough;
        exhaustion proved that fewer are not.

    Raises
    ------
    InvalidInput
        The class is empty, or has no point, or more than :data:`MAX_POINTS`.
    BudgetExhausted
        More partial tables were needed; carries the bounds on k reached.

    Notes
    -----
    It finds the least k >= 1 such that k examples of every realizable *set*, of any number of
    points, rebuild a hypothesis that fits the set. For samples with at least as many examples as
    the domain has points, this is also the least size in the sense of CLNRW16, Definition 14: every
    realizable set is then the set of the examples of some sample, and conversely a table for these
    sets compresses every sample, realizable or not, by way of the examples that a best hypothesis
    gets right. For fewer examples a smaller k may be enough, and k = 0 is enough for a class of one
    hypothesis.

    Kept examples with the same set U are interchangeable for the decoder: with k ordered places
    there are as many words as surjections from k onto U, unordered only one. To build a table, each
    realizable set R chooses some U inside it; the hypotheses left for a word are those that fit all
    sets that chose it. The set with the fewest choices comes next. The search is exponential; up to
    five points it usually takes less than a second.

    Examples
    --------
    >>> from pac_stability.classes import cube, thresholds
    >>> smallest_scheme(thresholds(4)).size(9)
    1
    >>> [smallest_scheme(cube(m), ordered=False).size(9) for m in (1, 2, 3)]
    [1, 1, 2]
    """
    require_inhabited(H)
    m = len(H.domain)
    if not 1 <= m <= MAX_POINTS:
        raise InvalidInput("H", f"a class on {m} points", f"one on 1 to {MAX_POINTS} points")
    rows: list[tuple[int, ...]] = [tuple(row) for row in H.table.tolist()]
    labelings = rows if proper else list(product((0, 1), repeat=m))
    search = TableSearch(rows, labelings, ordered, as_size(max_nodes, "max_nodes", least=1))
    k = 1
    while not search.fill(k):
        k += 1
    examples = [Example(point, label) for point in H.domain for label in (0, 1)]
    words = {
        slot: tuple(examples[place] for place in word) for slot, word in search.words(k).items()
    }
    to_keep = {
        frozenset(examples[place] for place in members): words[slot]
        for members, slot in search.choices().items()
    }
    selection = scheme.Selection.SEQUENCE if ordered else scheme.Selection.MULTISET
    found = {words[slot]: index for slot, index in search.decoded().items()}
    if proper:
        return ProperTable(H, k, selection=selection, to_keep=to_keep, found=found, among=[*H])
    sets = [
        FiniteSet(frozenset(x for x, y in zip(H.domain, labels, strict=True) if y))
        for labels in labelings
    ]
    return ImproperTable(H, k, selection=selection, to_keep=to_keep, found=found, among=sets)


# The fewest examples that approximate a sample for a whole class


@dataclass(frozen=True, slots=True, repr=False)
class Approximation(Tabled):
    """Some examples of a sample on which every hypothesis of a class errs nearly as often.

    Attributes
    ----------
    indices
        Distinct indices of the sample, increasing.
    deviation
        The largest difference of the loss of a hypothesis on these examples and on the sample.
    hypothesis
        The first hypothesis that errs least on these examples. Its loss on the sample exceeds the
        least one by at most twice the deviation.
    """

    indices: tuple[int, ...]
    deviation: Fraction
    hypothesis: Hypothesis


def smallest_approximation(
    family: Family, sample: Sample[Hashable], accuracy: AnyNumber, *, max_nodes: int = 200_000
) -> Approximation:
    """Find the fewest examples whose losses approximate those of a sample for every hypothesis.

    Parameters
    ----------
    family
        The class H, not empty.
    sample
        S, at least one example.
    accuracy
        e, exact, from 0 to 1: the requirement is ``|loss(T, h) - loss(S, h)| <= e`` for every h in
        H.
    max_nodes
        The most partial choices to visit.

    Returns
    -------
    Approximation
        A part T of S with at least one example; no smaller one exists.

    Raises
    ------
    InvalidInput
        A parameter is not as described, or a point is not of the domain.
    BudgetExhausted
        More choices were needed; carries the bounds on the size reached.

    Notes
    -----
    The deterministic side of CLNRW16, Remark 15. A depth-first search chooses how many copies of
    each distinct example T takes, sizes in increasing order. It prunes a choice when some pattern
    can no longer come within e. Exponential in the number of different examples.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> S = Sample([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1])
    >>> found = smallest_approximation(Thresholds(), S, "1/6")
    >>> found.indices, found.deviation
    ((1, 4), Fraction(1, 6))
    """
    require_patterns(family, "family")
    require_sample(sample, 1, "sample")
    n, e = len(sample), as_probability(accuracy, "accuracy")
    examples, copies = zip(*Multiset.of(sample).items(), strict=True)
    patterns = family.restrict(sample.points)
    if len(patterns) == 0:
        raise InvalidInput("family", "the empty class", "at least one hypothesis")
    columns = [patterns.column(z.point) for z in examples]
    wrong = (patterns.table[:, columns] ^ [z.label for z in examples]).astype(np.int64)
    losses = [Fraction(errors, n) for errors in (wrong @ np.array(copies)).tolist()]
    search = _ApproximationSearch(wrong, copies, as_size(max_nodes, "max_nodes", least=1))
    taken: Sequence[int] | None = None
    size = 0
    while taken is None:  # the sample itself has the deviation 0
        size += 1
        low = [math.ceil(size * (loss - e)) for loss in losses]
        high = [math.floor(size * (loss + e)) for loss in losses]
        taken = search.find(size, np.array(low), np.array(high))
    to_take = dict(zip(examples, taken, strict=True))
    indices: list[int] = []
    for index, example in enumerate(sample):
        if to_take[example]:
            to_take[example] -= 1
            indices.append(index)
    deviation = max(
        abs(Fraction(errors, size) - loss)
        for errors, loss in zip((wrong @ np.array(taken)).tolist(), losses, strict=True)
    )
    best, _ = least_errors(family, scheme.subsample(sample, tuple(indices)))
    return Approximation(tuple(indices), deviation, best)


class _ApproximationSearch:
    """Search for multiplicities with which every pattern errs as often as wanted."""

    def __init__(self, wrong: npt.NDArray[np.int64], copies: Sequence[int], max_nodes: int) -> None:
        self.wrong = wrong
        self.copies = copies
        self.nodes = self.max_nodes = max_nodes
        # At most so many more errors, and so many more right labels, from each example on.
        self.errors_ahead = _sums_from(wrong * np.array(copies))
        self.right_ahead = _sums_from((1 - wrong) * np.array(copies))

    def find(
        self, size: int, low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]
    ) -> tuple[int, ...] | None:
        """Return multiplicities of that sum, with the errors of each pattern in its range."""
        chosen: list[int] = []
        share = Fraction(size, sum(self.copies))

        def extend(errors: npt.NDArray[np.int64], left: int) -> bool:
            if self.nodes == 0:
                message = f"more than {self.max_nodes} partial choices"
                raise BudgetExhausted(message, size, sum(self.copies))
            self.nodes -= 1
            place = len(chosen)
            most = errors + np.minimum(left, self.errors_ahead[place])
            least = errors + np.maximum(0, left - self.right_ahead[place])
            if np.any(most < low) or np.any(least > high):
                return False
            if place == len(self.copies):
                return left == 0
            fair = share * self.copies[place]
            limit = min(left, self.copies[place])
            for count in sorted(range(limit + 1), key=lambda count: abs(count - fair)):
                chosen.append(count)
                if extend(errors + count * self.wrong[:, place], left - count):
                    return True
                chosen.pop()
            return False

        return tuple(chosen) if extend(np.zeros(len(low), dtype=np.int64), size) else None


def _sums_from(columns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return for each column the sum of it and all later ones, and zeros after the last."""
    sums = np.zeros((columns.shape[1] + 1, columns.shape[0]), dtype=np.int64)
    sums[:-1] = np.cumsum(columns.T[::-1], axis=0)[::-1]
    return sums
