"""Multisets, samples up to order, and neighbouring samples: all of them, and how many there are.

A multiset is also called the *type* of its samples. Writing k for the size of the universe and n
for that of the samples, replacing one example relates

- samples (sequences): k^n of them, each with n (k - 1) neighbours;
- samples *up to order*: C(n+k-1, n) sorted samples, each with n (k - 1) neighbours, which need not
  be sorted. Every pair of neighbours becomes one of these when both members are reordered alike, so
  these pairs suffice for mechanisms that ignore the order of the sample. With 4 points, thus k = 8
  labelled examples, and n = 5 there are 792 * 35 = 27,720;
- multisets: C(n+k-1, n) of them, related in k (k - 1) C(n+k-2, n-1) ordered pairs (choose what
  leaves, what enters, and the n - 1 elements that stay); 18,480 in the same instance. Here
  repetitions in the sample no longer count twice.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Generic, TypeVar

from pac_stability.arguments import as_size, described, distinct, require_hashable, require_value
from pac_stability.arithmetic import multinomial
from pac_stability.data.distribution import FiniteDistribution, reduced_law
from pac_stability.data.sample import Example, Sample
from pac_stability.errors import InvalidInput

T = TypeVar("T")
E_co = TypeVar("E_co", covariant=True)


class Multiset(Generic[E_co]):
    """A finite multiset: how often each element occurs. Immutable.

    The multiset of the examples of a sample is the *type* of the sample. A quantity that does not
    depend on the order of the sample is computed once for each type, and there are far fewer types
    than samples.

    Parameters
    ----------
    counts
        How often each element occurs, non-negative integers. Elements of count zero are dropped;
        the others keep their order, which equality ignores.

    Raises
    ------
    InvalidInput
        A count is negative or no integer.

    Examples
    --------
    >>> word = Multiset.of("banana")
    >>> word
    Multiset({'b': 1, 'a': 3, 'n': 2})
    >>> len(word), word.count("a"), word.orderings
    (6, 3, 60)
    >>> word == Multiset.of("nabana")
    True
    """

    # No __slots__: the cached properties need a dictionary.
    _counts: dict[E_co, int]

    def __init__(self, counts: Mapping[E_co, int]) -> None:
        if not isinstance(counts, Mapping):
            raise InvalidInput("counts", described(counts), "a mapping from elements to counts")
        exact = {element: as_size(count, "counts") for element, count in counts.items()}
        self._counts = {element: count for element, count in exact.items() if count}

    @staticmethod
    def of(elements: Iterable[T]) -> Multiset[T]:
        """Return the multiset of the given elements; the type of a sample, when given a sample.

        Parameters
        ----------
        elements
            Hashable values in any order, each as often as it occurs.

        Raises
        ------
        InvalidInput
            An element is not hashable.

        Examples
        --------
        >>> from pac_stability.data import Sample
        >>> T = Multiset.of(Sample([3, 5, 3], [1, 0, 1]))
        >>> [(z.point, z.label, count) for z, count in T.items()]
        [(3, 1, 2), (5, 0, 1)]
        """
        kept = tuple(elements)
        for element in kept:
            require_value(element, "elements")
        return _unchecked(dict(Counter(kept)))

    @property
    def support(self) -> tuple[E_co, ...]:
        """The elements that occur, in order."""
        return tuple(self._counts)

    @property
    def orderings(self) -> int:
        """The number of sequences with these elements: the multinomial n! / (c_1! c_2! ...)."""
        return multinomial(self._counts.values())

    @cached_property
    def _size(self) -> int:
        return sum(self._counts.values())

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self._counts.items()))

    def count(self, element: object) -> int:
        """Return how often an element occurs.

        Parameters
        ----------
        element
            Any hashable value.

        Raises
        ------
        InvalidInput
            The element is not hashable.

        Examples
        --------
        >>> Multiset.of("banana").count("x")
        0
        """
        require_hashable(element, "element")
        return self._counts.get(element, 0)  # type: ignore[arg-type]  # any value may be asked about

    def items(self) -> tuple[tuple[E_co, int], ...]:
        """Return the pairs (element, count), in order.

        Returns
        -------
        tuple of (element, int)

        Examples
        --------
        >>> Multiset.of("noon").items()
        (('n', 2), ('o', 2))
        """
        return tuple(self._counts.items())

    def elements(self) -> tuple[E_co, ...]:
        """Return the elements as a sequence, equal ones together: one ordering of the multiset.

        Returns
        -------
        tuple
            ``Sample.from_examples(T.elements())`` is a sample of type T.

        Examples
        --------
        >>> Multiset.of("noon").elements()
        ('n', 'n', 'o', 'o')
        """
        return tuple(element for element, count in self._counts.items() for _ in range(count))

    def replace(self, old: object, new: T) -> Multiset[E_co | T]:
        """Return this multiset with one occurrence of an element replaced by another.

        Parameters
        ----------
        old
            An element that occurs.
        new
            The element that replaces one occurrence of it.

        Raises
        ------
        InvalidInput
            ``old`` does not occur.

        Examples
        --------
        >>> Multiset.of("noon").replace("n", "m")
        Multiset({'n': 1, 'o': 2, 'm': 1})
        """
        return self.remove(old).add(new)

    def add(self, element: T) -> Multiset[E_co | T]:
        """Return this multiset with one more occurrence of an element.

        Parameters
        ----------
        element
            Any hashable value.

        Examples
        --------
        >>> Multiset.of("no").add("n")
        Multiset({'n': 2, 'o': 1})
        """
        count = self.count(element)
        counts: dict[E_co | T, int] = dict(self._counts.items())
        counts[element] = count + 1
        return _unchecked(counts)

    def remove(self, element: object) -> Multiset[E_co]:
        """Return this multiset with one occurrence of an element fewer.

        Parameters
        ----------
        element
            An element that occurs.

        Raises
        ------
        InvalidInput
            The element does not occur.

        Examples
        --------
        >>> Multiset.of("noon").remove("n")
        Multiset({'n': 1, 'o': 2})
        """
        if not self.count(element):
            raise InvalidInput("element", described(element), "an element of the multiset")
        counts = {e: count - (e == element) for e, count in self._counts.items()}
        return _unchecked({e: count for e, count in counts.items() if count})

    def probability(self, distribution: FiniteDistribution[object]) -> Fraction:
        """Return the probability that n independent draws form this multiset, n its size.

        Parameters
        ----------
        distribution
            The law D of one draw.

        Returns
        -------
        Fraction
            ``orderings`` times the product of D(e)^count(e) over the elements.

        Examples
        --------
        >>> Multiset.of([0, 1, 1]).probability(FiniteDistribution.uniform([0, 1]))
        Fraction(3, 8)
        """
        result = Fraction(self.orderings)
        for element, count in self._counts.items():
            result *= distribution.probability(element) ** count
        return result

    def __len__(self) -> int:
        """Return the number of elements, repetitions counted."""
        return self._size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Multiset):
            return NotImplemented
        return self._counts == other._counts

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[dict[E_co, int]]]:
        # Not what is cached: hashes of strings differ from one process to another.
        return _unchecked, (self._counts,)

    def __repr__(self) -> str:
        return f"Multiset({self._counts!r})"


def multisets(universe: Iterable[T], n: int) -> Iterator[Multiset[T]]:
    """Yield every multiset of n elements of a universe, once each.

    Parameters
    ----------
    universe
        Distinct hashable values; with :func:`all_examples` the multisets are the types of samples.
    n
        The size of the multisets.

    Returns
    -------
    iterator of Multiset
        :func:`count_multisets` many, in lexicographic order; the elements of each are in the order
        of the universe.

    Raises
    ------
    InvalidInput
        The universe repeats a value, or n is not a non-negative integer.

    Examples
    --------
    >>> ["".join(m.elements()) for m in multisets("ab", 3)]
    ['aaa', 'aab', 'abb', 'bbb']
    """
    n = as_size(n, "n")
    kept = distinct(universe, "universe")
    return map(_unchecked, _with_more({}, kept, n))


def count_multisets(universe_size: int, n: int) -> int:
    """Return the number of multisets of n elements of a universe of k values: C(n+k-1, n).

    Parameters
    ----------
    universe_size
        k, the number of values.
    n
        The size of the multisets.

    Raises
    ------
    InvalidInput
        A number is not a non-negative integer.

    Examples
    --------
    >>> count_multisets(8, 5)
    792
    """
    universe_size = as_size(universe_size, "universe_size")
    n = as_size(n, "n")
    return math.comb(n + universe_size - 1, n) if universe_size else int(n == 0)


def multiset_distribution(
    distribution: FiniteDistribution[T], n: int
) -> FiniteDistribution[Multiset[T]]:
    """Return the law of the multiset of n independent draws: the multinomial distribution.

    Parameters
    ----------
    distribution
        The law D of one draw.
    n
        The number of draws.

    Returns
    -------
    FiniteDistribution
        On C(n+k-1, n) multisets for a support of k outcomes, where ``distribution.power(n)`` has
        k^n sequences.

    Raises
    ------
    InvalidInput
        n is not a non-negative integer.

    Examples
    --------
    >>> multiset_distribution(FiniteDistribution.uniform("ab"), 2)
    FiniteDistribution({Multiset({'a': 2}): 1/4,
                        Multiset({'a': 1, 'b': 1}): 1/2,
                        Multiset({'b': 2}): 1/4})
    """
    n = as_size(n, "n")
    powers = {e: [w**k for k in range(n + 1)] for e, w in distribution.numerators.items()}
    orders = [math.factorial(k) for k in range(n + 1)]
    weights = {}
    for counts in _with_more({}, distribution.support, n):
        orderings = orders[n] // math.prod([orders[k] for k in counts.values()])
        draws = math.prod([powers[e][k] for e, k in counts.items()])
        weights[_unchecked(counts)] = orderings * draws
    return reduced_law(weights)


def _with_more(before: dict[T, int], elements: tuple[T, ...], n: int) -> Iterator[dict[T, int]]:
    """Yield what is before, with n more occurrences of these elements, in lexicographic order."""
    if n == 0:
        yield before
    elif elements:
        for i, element in enumerate(elements[:-1]):
            rest = elements[i + 1 :]
            for count in range(n, 0, -1):
                yield from _with_more({**before, element: count}, rest, n - count)
        yield {**before, elements[-1]: n}


def _unchecked(counts: dict[T, int]) -> Multiset[T]:
    """Build a multiset from positive counts: enumerations make millions of them."""
    multiset: Multiset[T] = Multiset.__new__(Multiset)
    multiset._counts = counts
    return multiset


# Neighbouring samples

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


class Adjacency(enum.Enum):
    """When two inputs that are not tables of rows are neighbours.

    Attributes
    ----------
    EACH_ANSWER
        They are numbers, the answers to queries, and each differs by at most 1.
    ONE_ANSWER
        They are such answers, and exactly one of them differs, by at most 1.
    LISTED
        They are one of the listed pairs.
    """

    EACH_ANSWER = "each-answer"
    ONE_ANSWER = "one-answer"
    LISTED = "listed"


def as_neighbouring(value: Neighbouring | str, argument: str = "neighbours") -> Neighbouring:
    """Return a relation that was given as one, or by its name.

    Raises
    ------
    InvalidInput
        It is not one of these.

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
    multiset: Multiset[E], universe: Iterable[E], relation: Neighbouring = Neighbouring.REPLACE_ONE
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
