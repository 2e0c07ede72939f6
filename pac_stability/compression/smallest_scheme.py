"""The smallest exact compression scheme of a tiny class, found by exhaustion."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Literal, TypeAlias, overload

from pac_stability.arithmetic import as_size
from pac_stability.classes import FiniteClass, FiniteSet, Row, least_errors
from pac_stability.compression.scheme import CompressionScheme, H_co, ImproperScheme, ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Example, Sample
from pac_stability.errors import BudgetExhausted, InvalidInput

Examples: TypeAlias = frozenset[Example[Hashable]]
"""A realizable set of examples: each point at most once."""

Kept: TypeAlias = tuple[Example[Hashable], ...]
"""Kept examples, in order."""

MAX_POINTS = 10
"""Points of the domain, at most; from about seven on the search is seldom feasible."""


class TableScheme(CompressionScheme[H_co]):
    """A scheme given by tables: what to keep of a set of examples, and what that stands for.

    On a sample it takes the first hypothesis that errs least, and keeps what the table says for the
    set of the examples that this hypothesis gets right. What is rebuilt is right about these too,
    so it errs no more. A sample on which every hypothesis is always wrong may keep anything.

    Attributes
    ----------
    to_keep
        For each realizable set of examples the kept ones, k of them, members of the set.
    to_rebuild
        For kept examples, in order, the hypothesis; all other sequences stand for
        :attr:`otherwise`.
    otherwise
        A hypothesis.
    """

    def __init__(
        self,
        H: FiniteClass,
        k: int,
        *,
        selection: Selection,
        to_keep: Mapping[Examples, Kept],
        to_rebuild: Mapping[Kept, H_co],
        otherwise: H_co,
    ) -> None:
        self._H = H
        self._k = k
        self.selection = selection
        self.to_keep = to_keep
        self.to_rebuild = to_rebuild
        self.otherwise = otherwise

    @property
    def family(self) -> FiniteClass:
        """The class H."""
        return self._H

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return k."""
        return self._k

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        h, _ = least_errors(self._H, sample)
        place: dict[Example[Hashable], int] = {}
        for index, example in enumerate(sample):
            if h(example.point) == example.label:
                place.setdefault(example, index)
        if not place:
            return (0,) * self._k
        return tuple(place[example] for example in self.to_keep[frozenset(place)])

    def reconstruct(self, kept: Sample[Hashable], /) -> H_co:
        """Return what the table has for the kept examples.

        Raises
        ------
        InvalidInput
            There are not k of them, or a point is not of the domain.
        """
        if len(kept) != self._k:
            raise InvalidInput("kept", f"{len(kept)} examples", f"{self._k} of them")
        places = [2 * self._H.column(z.point) + z.label for z in kept]
        key = tuple(kept)
        if self.selection is Selection.MULTISET:
            key = tuple(kept[places.index(place)] for place in _padded(set(places), self._k))
        return self.to_rebuild.get(key, self.otherwise)


class ProperTable(TableScheme[Row], ProperScheme[Row]):
    """A table whose hypotheses are rows of the class."""


class ImproperTable(TableScheme[FiniteSet], ImproperScheme[FiniteSet]):
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
        Whether only hypotheses of H may be rebuilt, as Definition 14 asks, or any labelling.
    ordered
        Whether the order and the repetitions of what is kept may tell something, as Definition 14
        allows, or only the set of kept examples, as in Littlestone & Warmuth 1986.
    max_nodes
        Partial tables that may be looked at, for all sizes together.

    Returns
    -------
    ProperTable or ImproperTable
        A scheme of size k, agnostic, on samples of every length. It is the certificate that k is
        enough; that fewer are not has been settled by exhaustion.

    Raises
    ------
    InvalidInput
        The class is empty, or has no point, or more than :data:`MAX_POINTS`.
    BudgetExhausted
        More partial tables were needed; carries the bounds on k reached.

    Notes
    -----
    What is solved: the least k >= 1 such that k examples of every realizable *set*, of any number
    of points, rebuild a hypothesis that fits the set. From as many examples on as the domain has
    points, this is the least size in the sense of CLNRW16, Definition 14, too: every realizable set
    is then the set of the examples of some sample, and conversely a table for these sets compresses
    every sample, realizable or not, by way of the examples that a best hypothesis gets right. For
    fewer examples a smaller k may do, and k = 0 would do for a class of one hypothesis.

    Kept examples with the same set U are interchangeable for the decoder: with k ordered places
    there are as many as surjections from k onto U, unordered a single one. A table is built by
    letting each realizable set R choose some U inside it; the hypotheses left for what is kept are
    those that fit all that chose it. The set with the fewest choices is next. Exponential; up to
    five points it takes less than a second as a rule.

    Examples
    --------
    >>> from pac_stability.classes import cube, thresholds
    >>> smallest_scheme(thresholds(4)).size(9)
    1
    >>> [smallest_scheme(cube(m), ordered=False).size(9) for m in (1, 2, 3)]
    [1, 1, 2]
    """
    m = len(H.domain)
    if len(H) == 0 or not 1 <= m <= MAX_POINTS:
        wanted = f"at least one hypothesis on 1 to {MAX_POINTS} points"
        raise InvalidInput("H", f"{len(H)} on {m} points", wanted)
    rows: list[tuple[int, ...]] = [tuple(row) for row in H.table.tolist()]
    labelings = rows if proper else list(product((0, 1), repeat=m))
    search = _Search(rows, labelings, ordered, as_size(max_nodes, "max_nodes", least=1))
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
    selection = Selection.SEQUENCE if ordered else Selection.MULTISET
    found = {words[slot]: index for slot, index in search.decoded().items()}
    if proper:
        return ProperTable(
            H,
            k,
            selection=selection,
            to_keep=to_keep,
            to_rebuild={word: H[index] for word, index in found.items()},
            otherwise=H[0],
        )
    sets = [
        FiniteSet(frozenset(x for x, y in zip(H.domain, labels, strict=True) if y))
        for labels in labelings
    ]
    return ImproperTable(
        H,
        k,
        selection=selection,
        to_keep=to_keep,
        to_rebuild={word: sets[index] for word, index in found.items()},
        otherwise=sets[0],
    )


Members: TypeAlias = frozenset[int]
"""A set of examples, each as twice its column plus its label."""

Slot: TypeAlias = tuple[Members, int]
"""The kept examples as a set, and which of the words with that set."""


class _Search:
    """Backtracking over which kept examples each realizable set chooses.

    A set of labelings is an integer, one bit for each.
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
            return iter([_padded(members, k)])
        words = product(sorted(members), repeat=k)
        return (word for word in words if len(set(word)) == len(members))

    def choices(self) -> dict[Members, Slot]:
        """Return for each realizable set a slot that serves it."""
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
        """Return for each slot in use the first labeling that is left."""
        return {
            (members, index): (candidates & -candidates).bit_length() - 1
            for members, left in self._left.items()
            for index, candidates in enumerate(left)
        }


def _padded(members: set[int] | Members, k: int) -> tuple[int, ...]:
    """Write a set of examples as k of them, the last one repeated."""
    *early, last = sorted(members)
    return (*early, *[last] * (k - len(early)))
