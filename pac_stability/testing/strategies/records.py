"""Datasets of records without labels, their neighbours, and multisets."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability.arguments import described
from pac_stability.data import Multiset, Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.testing.strategies.labelled import sizes
from pac_stability.testing.strategies.laws import Values, drawn_from

R = TypeVar("R", bound=Hashable)


def datasets(
    records: Values[R], *, min_size: int = 0, max_size: int = 5
) -> SearchStrategy[tuple[R, ...]]:
    """Return the strategy of the tuples of records; shrinks towards few, and the first.

    Parameters
    ----------
    records
        The records, or a strategy for one.
    min_size, max_size
        Bounds on the number of records.

    Raises
    ------
    InvalidInput
        There are no records, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(datasets([0, 1]), lambda data: sum(data) == 2)
    (1, 1)
    """
    least, most = sizes(min_size, max_size)
    return st.lists(drawn_from(records, "records"), min_size=least, max_size=most).map(tuple)


def neighbouring_datasets(
    records: Values[R],
    *,
    min_size: int = 1,
    max_size: int = 4,
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
) -> SearchStrategy[tuple[tuple[R, ...], tuple[R, ...]]]:
    """Return the strategy of the pairs of neighbouring datasets.

    Parameters
    ----------
    records
        The records, or a strategy for one: at least two where one is replaced.
    min_size, max_size
        Bounds on the size of the first dataset; the smaller is at least 1.
    relation
        Which datasets are neighbours: by default one record is replaced by another; else one is
        removed, or one is added, so that sizes differ.

    Raises
    ------
    InvalidInput
        There are too few records, a size is out of range, or the relation is none.

    Examples
    --------
    >>> from hypothesis import find
    >>> one, other = find(neighbouring_datasets("ab"), lambda pair: len(pair[0]) == 2)
    >>> len(other), sum(a != b for a, b in zip(one, other))
    (2, 1)
    """
    least, most = sizes(min_size, max_size, at_least=1)
    if not isinstance(relation, Neighbouring):
        raise InvalidInput("relation", described(relation), "a member of Neighbouring")
    if not isinstance(records, SearchStrategy):
        records = tuple(dict.fromkeys(records))
        if relation is Neighbouring.REPLACE_ONE and len(records) < 2:
            raise InvalidInput("records", described(records), "two records, or a strategy")
    return _neighbouring_records(drawn_from(records, "records"), least, most, relation)


@st.composite
def _neighbouring_records(
    draw: DrawFn, record: SearchStrategy[R], least: int, most: int, relation: Neighbouring
) -> tuple[tuple[R, ...], tuple[R, ...]]:
    kept = draw(st.lists(record, min_size=least, max_size=most))
    place = draw(st.integers(0, len(kept) - 1))
    before, after = kept[:place], kept[place + 1 :]
    if relation is Neighbouring.REPLACE_ONE:
        other = draw(record.filter(lambda z: z != kept[place]))
        return tuple(kept), (*before, other, *after)
    if draw(st.booleans()):
        return tuple(kept), (*before, draw(record), kept[place], *after)
    return tuple(kept), (*before, *after)


def multisets(
    elements: Values[R], *, min_size: int = 0, max_size: int = 5
) -> SearchStrategy[Multiset[R]]:
    """Return the strategy of the multisets of some elements; shrinks towards few.

    Parameters
    ----------
    elements
        The elements, or a strategy for one.
    min_size, max_size
        Bounds on the number of elements, counted as often as they occur.

    Raises
    ------
    InvalidInput
        There are no elements, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(multisets("ab"), lambda M: M.count("b") == 2)
    Multiset({'b': 2})
    """
    return datasets(elements, min_size=min_size, max_size=max_size).map(Multiset.of)
