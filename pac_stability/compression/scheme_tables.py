"""The smallest exact compression scheme of a tiny class, found by exhaustion."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import product
from typing import ClassVar, Literal, TypeAlias, overload

from pac_stability.arguments import as_size
from pac_stability.classes import FiniteClass, FiniteSet, Row, least_errors
from pac_stability.classes.required import require_inhabited
from pac_stability.compression._kept import require_kept
from pac_stability.compression._table_search import TableSearch, padded
from pac_stability.compression.scheme import CompressionScheme, H_co, ImproperScheme, ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Example, Sample
from pac_stability.errors import InvalidInput

Examples: TypeAlias = frozenset[Example[Hashable]]
"""A realizable set of examples: each point at most once."""

Kept: TypeAlias = tuple[Example[Hashable], ...]
"""Kept examples, in order."""

MAX_POINTS = 6
"""Points of the domain, at most: they have up to 3^6 - 1 realizable sets, each a level deep."""


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

    symmetric: ClassVar[bool] = True

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
        """Return k.

        Parameters
        ----------
        n
            The size of the samples.
        """
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
        require_kept(kept, self._k)
        places = [2 * self._H.column(z.point) + z.label for z in kept]
        key = tuple(kept)
        if self.selection is Selection.MULTISET:
            key = tuple(kept[places.index(place)] for place in padded(set(places), self._k))
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
