"""Multisets: samples up to order, also called their *types*."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Generic, TypeVar

from pac_stability.arguments import as_size, described, distinct, require_hashable, require_value
from pac_stability.arithmetic import multinomial
from pac_stability.data.distribution import FiniteDistribution, reduced_law
from pac_stability.errors import InvalidInput

T = TypeVar("T")
E_co = TypeVar("E_co", covariant=True)


class Multiset(Generic[E_co]):
    """A finite multiset: how often each element occurs. Immutable.

    The multiset of the examples of a sample is the *type* of the sample. What does not depend on
    the order of the sample needs to be computed once for each type, and there are far fewer types
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
            What replaces one occurrence of it.

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
