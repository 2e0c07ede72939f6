"""Neighbouring samples: enumeration, and closed formulas for how many there are.

Writing k for the size of the universe and n for that of the samples, replacing one example relates

- samples (sequences): k^n of them, each with n (k - 1) neighbours;
- samples *up to order*: C(n+k-1, n) sorted samples, each with n (k - 1) neighbours, which need not
  be sorted. Every pair of neighbours is one of these after reordering both members alike, so these
  pairs suffice for what does not depend on the order of the sample. With 4 points, thus k = 8
  labelled examples, and n = 5 there are 792 * 35 = 27,720;
- multisets: C(n+k-1, n) of them, related in k (k - 1) C(n+k-2, n-1) ordered pairs (choose what
  leaves, what enters, and the n - 1 elements that stay); 18,480 in the same instance. Here
  repetitions in the sample no longer count twice.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import TypeVar

from pac_stability.arguments import as_size, described, distinct
from pac_stability.data.multiset import Multiset, count_multisets, multisets
from pac_stability.data.sample import Example, Sample
from pac_stability.errors import InvalidInput

P = TypeVar("P")
E = TypeVar("E")


class Neighbouring(enum.Enum):
    """When two samples are neighbours.

    Attributes
    ----------
    REPLACE_ONE
        They differ in exactly one position. The relation of the three papers, and the default.
    ADD_REMOVE
        One is the other with one example inserted somewhere.
    """

    REPLACE_ONE = "replace-one"
    ADD_REMOVE = "add-remove"


def as_neighbouring(value: Neighbouring | str, argument: str = "neighbours") -> Neighbouring:
    """Return a relation that was given as one, or by its name.

    Raises
    ------
    InvalidInput
        It is neither.

    Examples
    --------
    >>> as_neighbouring("add-remove")
    <Neighbouring.ADD_REMOVE: 'add-remove'>
    """
    try:
        return Neighbouring(value)
    except ValueError:
        raise InvalidInput(argument, described(value), "'replace-one' or 'add-remove'") from None


def neighbours(
    sample: Sample[P],
    universe: Iterable[Example[P]],
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
) -> Iterator[Sample[P]]:
    """Yield the neighbours of a sample, once each.

    Parameters
    ----------
    sample
        S.
    universe
        The distinct examples that may enter, such as :func:`all_examples` of the domain.
    relation
        Which samples are neighbours.

    Returns
    -------
    iterator of Sample
        Position by position, in the order of the universe; with ``ADD_REMOVE`` the shorter samples
        come first.

    Raises
    ------
    InvalidInput
        The universe repeats an example.

    Examples
    --------
    >>> from pac_stability.data import all_examples
    >>> S = Sample("aa", [0, 1])
    >>> [T.labels for T in neighbours(S, all_examples("a"))]
    [(1, 1), (0, 0)]
    >>> [T.labels for T in neighbours(S, all_examples("a"), Neighbouring.ADD_REMOVE)]
    [(1,), (0,), (1, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    """
    examples = _examples(universe)
    return map(Sample.from_examples, _neighbours(tuple(sample), examples, _relation(relation)))


def neighbouring_pairs(
    universe: Iterable[Example[P]],
    n: int,
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
    *,
    up_to_order: bool = False,
) -> Iterator[tuple[Sample[P], Sample[P]]]:
    """Yield the ordered pairs of neighbouring samples (S, S') with S of size n, once each.

    Parameters
    ----------
    universe
        The distinct examples, such as :func:`all_examples` of the domain.
    n
        The size of S.
    relation
        Which samples are neighbours.
    up_to_order
        Whether S runs only through the samples in the order of the universe, one for each multiset.
        S' still runs through all neighbours of S.

    Returns
    -------
    iterator of (Sample, Sample)
        :func:`count_neighbouring_pairs` many, S in lexicographic order.

    Raises
    ------
    InvalidInput
        The universe repeats an example, or n is not a non-negative integer.

    Notes
    -----
    Memory is that of one pair.

    Examples
    --------
    >>> from pac_stability.data import all_examples
    >>> for S, T in neighbouring_pairs(all_examples("a"), 2, up_to_order=True):
    ...     print(S.labels, T.labels)
    (0, 0) (1, 0)
    (0, 0) (0, 1)
    (0, 1) (1, 1)
    (0, 1) (0, 0)
    (1, 1) (0, 1)
    (1, 1) (1, 0)
    """
    n = as_size(n, "n")
    examples = _examples(universe)
    kind = _relation(relation)
    sequences: Iterator[tuple[Example[P], ...]] = (
        combinations_with_replacement(examples, n) if up_to_order else product(examples, repeat=n)
    )
    return (
        (sample, Sample.from_examples(neighbour))
        for sequence in sequences
        for sample in (Sample.from_examples(sequence),)
        for neighbour in _neighbours(sequence, examples, kind)
    )


def count_neighbouring_pairs(
    universe_size: int,
    n: int,
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
    *,
    up_to_order: bool = False,
) -> int:
    """Return how many pairs :func:`neighbouring_pairs` yields, by a closed formula.

    Parameters
    ----------
    universe_size
        k, the number of examples of the universe.
    n
        The size of S.
    relation, up_to_order
        As for :func:`neighbouring_pairs`.

    Raises
    ------
    InvalidInput
        A number is not a non-negative integer.

    Notes
    -----
    A sequence of length n has n (k-1) + k distinct ones with an example inserted, whatever it is,
    and as many with one removed as it has runs of equal examples.

    Examples
    --------
    >>> count_neighbouring_pairs(8, 5), count_neighbouring_pairs(8, 5, up_to_order=True)
    (1146880, 27720)
    """
    universe_size = as_size(universe_size, "universe_size")
    n = as_size(n, "n")
    k = universe_size
    samples = count_multisets(k, n) if up_to_order else k**n
    if _relation(relation) is Neighbouring.REPLACE_ONE:
        return samples * n * (k - 1)
    insertions = samples * (n * (k - 1) + k)
    if n == 0:
        return insertions
    if up_to_order:
        # A sorted sequence has one run for each value in it; each of the k is in as many.
        return insertions + k * count_multisets(k, n - 1)
    # A pair with an example removed is one with an example inserted, read backwards.
    shorter: int = k ** (n - 1)
    return insertions + shorter * ((n - 1) * (k - 1) + k)


def multiset_neighbours(
    multiset: Multiset[E],
    universe: Iterable[E],
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
) -> Iterator[Multiset[E]]:
    """Yield the neighbours of a multiset, once each.

    Parameters
    ----------
    multiset
        The type of a sample.
    universe
        The distinct elements that may enter.
    relation
        Which multisets are neighbours: one element exchanged for another, or one added or removed.

    Returns
    -------
    iterator of Multiset
        With ``ADD_REMOVE`` the smaller multisets come first.

    Raises
    ------
    InvalidInput
        The universe repeats an element.

    Examples
    --------
    >>> ["".join(m.elements()) for m in multiset_neighbours(Multiset.of("aab"), "abc")]
    ['abb', 'abc', 'aaa', 'aac']
    """
    return _multiset_neighbours(multiset, distinct(universe, "universe"), _relation(relation))


def neighbouring_multisets(
    universe: Iterable[E], n: int, relation: Neighbouring = Neighbouring.REPLACE_ONE
) -> Iterator[tuple[Multiset[E], Multiset[E]]]:
    """Yield the ordered pairs of neighbouring multisets (M, M') with M of size n, once each.

    Parameters
    ----------
    universe
        The distinct elements.
    n
        The size of M.
    relation
        As for :func:`multiset_neighbours`.

    Returns
    -------
    iterator of (Multiset, Multiset)
        :func:`count_neighbouring_multisets` many.

    Raises
    ------
    InvalidInput
        The universe repeats an element, or n is not a non-negative integer.

    Examples
    --------
    >>> len(list(neighbouring_multisets("ab", 2)))
    4
    """
    elements = distinct(universe, "universe")
    kind = _relation(relation)
    return (
        (multiset, neighbour)
        for multiset in multisets(elements, n)
        for neighbour in _multiset_neighbours(multiset, elements, kind)
    )


def count_neighbouring_multisets(
    universe_size: int, n: int, relation: Neighbouring = Neighbouring.REPLACE_ONE
) -> int:
    """Return how many pairs :func:`neighbouring_multisets` yields, by a closed formula.

    Parameters
    ----------
    universe_size
        k, the number of elements of the universe.
    n
        The size of M.
    relation
        As for :func:`multiset_neighbours`.

    Raises
    ------
    InvalidInput
        A number is not a non-negative integer.

    Examples
    --------
    >>> count_neighbouring_multisets(8, 5)
    18480
    """
    k = as_size(universe_size, "universe_size")
    n = as_size(n, "n")
    multisets_of_size_n = count_multisets(k, n)
    # Choosing what leaves and what stays.
    removals = k * count_multisets(k, n - 1) if n else 0
    if _relation(relation) is Neighbouring.REPLACE_ONE:
        return removals * (k - 1)
    return removals + multisets_of_size_n * k


def _neighbours(
    sample: tuple[E, ...], universe: Sequence[E], relation: Neighbouring
) -> Iterator[tuple[E, ...]]:
    size = len(sample)
    if relation is Neighbouring.REPLACE_ONE:
        for index in range(size):
            for element in universe:
                if element != sample[index]:
                    yield (*sample[:index], element, *sample[index + 1 :])
        return
    # Removing any element of a run of equal ones has one result, and so has inserting the element
    # anywhere in the run: remove the last one, insert behind the run.
    for index in range(size):
        if index + 1 == size or sample[index] != sample[index + 1]:
            yield (*sample[:index], *sample[index + 1 :])
    for index in range(size + 1):
        for element in universe:
            if index == size or element != sample[index]:
                yield (*sample[:index], element, *sample[index:])


def _multiset_neighbours(
    multiset: Multiset[E], universe: Sequence[E], relation: Neighbouring
) -> Iterator[Multiset[E]]:
    if relation is Neighbouring.REPLACE_ONE:
        for old in multiset.support:
            for new in universe:
                if old != new:
                    yield multiset.replace(old, new)
        return
    for old in multiset.support:
        yield multiset.remove(old)
    for new in universe:
        yield multiset.add(new)


def _examples(universe: Iterable[Example[P]]) -> tuple[Example[P], ...]:
    examples = distinct(universe, "universe")
    for example in examples:
        if not isinstance(example, Example):
            raise InvalidInput("universe", described(example), "examples (see all_examples)")
    return examples


def _relation(relation: object) -> Neighbouring:
    """Refuse what is no relation here, at the call, not in the middle of an iteration."""
    if not isinstance(relation, Neighbouring):
        raise InvalidInput("relation", described(relation), "a member of Neighbouring")
    return relation
