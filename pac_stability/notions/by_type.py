"""What a mechanism does on each type of sample: all that a random sample can show of it.

The sequences of one type are equally likely under every D^n. So whatever is decided by the output,
the type of the sample and D alone has a probability that depends on the mechanism only through the
average, over the orderings of each type, of its laws; that average is kept here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Generic, TypeVar

from pac_stability import data
from pac_stability.arguments import as_size, described, distinct
from pac_stability.errors import InvalidInput
from pac_stability.notions.sample_laws import require_law

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  # an outcome

E = TypeVar("E")
P = TypeVar("P")


@dataclass(frozen=True)
class LawsByType(Generic[E, O]):
    """For each multiset of n elements, the law of the output on a random ordering of it.

    Made by :func:`laws_by_type` and :func:`learner_laws_by_type`.

    Attributes
    ----------
    universe
        The distinct elements.
    n
        The size of the samples.
    laws
        The law for each of the multisets.

    Examples
    --------
    >>> first = laws_by_type(lambda z: data.FiniteDistribution.point_mass(z[0]), "ab", 2)
    >>> first.laws[data.Multiset.of("ab")]
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    >>> first.output_law(data.FiniteDistribution({"a": Fraction(1, 3), "b": Fraction(2, 3)}))
    FiniteDistribution({'a': 1/3, 'b': 2/3})
    """

    # No __slots__: the cached properties need a dictionary.
    universe: tuple[E, ...]
    n: int
    laws: Mapping[data.Multiset[E], data.FiniteDistribution[O]]

    def weighted(
        self, distribution: data.FiniteDistribution[E]
    ) -> Iterator[tuple[Fraction, data.Multiset[E], data.FiniteDistribution[O]]]:
        """Yield what may happen on a sample of n independent draws, type by type.

        Parameters
        ----------
        distribution
            The law D of one draw, on the universe.

        Returns
        -------
        iterator of (Fraction, Multiset, FiniteDistribution)
            The probability of the type, the type, the law of the output; probability zero is left
            out.

        Raises
        ------
        InvalidInput
            The distribution gives probability to something outside the universe.
        """
        total, weights = self._weights(distribution)
        for weight, (kind, law) in zip(weights, self.laws.items(), strict=True):
            if weight:
                yield Fraction(weight, total), kind, law

    def output_law(self, distribution: data.FiniteDistribution[E]) -> data.FiniteDistribution[O]:
        """Return the law of the output on n independent draws.

        Parameters
        ----------
        distribution
            The law D of one draw, on the universe.

        Raises
        ------
        InvalidInput
            The distribution gives probability to something outside the universe.
        """
        total, weights = self._weights(distribution)
        common, outputs, rows = self._numerators
        sums = [0] * len(outputs)
        for weight, row in zip(weights, rows, strict=True):
            if weight:
                for place, numerator in row:
                    sums[place] += weight * numerator
        denominator = total * common
        return data.FiniteDistribution(
            {o: Fraction(number, denominator) for o, number in zip(outputs, sums, strict=True)}
        )

    @property
    def outputs(self) -> tuple[O, ...]:
        """Every output that some sample can have."""
        return self._numerators[1]

    def _weights(self, distribution: data.FiniteDistribution[E]) -> tuple[int, Iterator[int]]:
        """Return the probabilities of the types, in order, as numerators over a denominator."""
        _require_on(distribution, self.universe)
        probabilities = [distribution.probability(element) for element in self.universe]
        q = math.lcm(*(p.denominator for p in probabilities))
        powers = [[int(p * q) ** k for k in range(self.n + 1)] for p in probabilities]
        weights = (
            math.prod([powers[place][count] for place, count in counts], start=orderings)
            for orderings, counts in self._multinomials
        )
        return q**self.n, weights

    @cached_property
    def _multinomials(self) -> list[tuple[int, list[tuple[int, int]]]]:
        """For each type how many orderings it has, and the places and counts of its elements."""
        place = {element: i for i, element in enumerate(self.universe)}
        return [
            (kind.orderings, [(place[element], count) for element, count in kind.items()])
            for kind in self.laws
        ]

    @cached_property
    def _numerators(self) -> tuple[int, tuple[O, ...], list[list[tuple[int, int]]]]:
        """A common denominator, all outputs, and for each type their places and numerators."""
        items = [law.items() for law in self.laws.values()]
        common = math.lcm(*{p.denominator for row in items for _, p in row})
        outputs = tuple(dict.fromkeys(output for row in items for output, _ in row))
        place = {output: i for i, output in enumerate(outputs)}
        return common, outputs, [[(place[o], int(p * common)) for o, p in row] for row in items]


def laws_by_type(
    law: Callable[[tuple[E, ...]], data.FiniteDistribution[O]],
    universe: Iterable[E],
    n: int,
    *,
    symmetric: bool = False,
) -> LawsByType[E, O]:
    """Compute the law on each type, by asking the mechanism about samples.

    Parameters
    ----------
    law
        The law of the output on a sample, a tuple of elements.
    universe
        The distinct elements that samples are made of.
    n
        The size of the samples.
    symmetric
        The mechanism is known to ignore the order: it is asked about one ordering of each type,
        that of the universe. Otherwise it is asked about all k^n sequences over k elements.

    Raises
    ------
    InvalidInput
        The universe repeats an element, n is not a non-negative integer, or the mechanism returned
        something that is no law.

    Notes
    -----
    CLNRW16 calls the type of a sample its empirical distribution.

    Examples
    --------
    >>> largest = laws_by_type(lambda z: data.FiniteDistribution.point_mass(max(z)), range(3), 2)
    >>> len(largest.laws), largest.laws[data.Multiset.of([2, 0])]
    (6, FiniteDistribution({2: 1}))
    """
    n = as_size(n, "n")
    elements = distinct(universe, "universe")

    def checked(sample: tuple[E, ...]) -> data.FiniteDistribution[O]:
        found = law(sample)
        require_law(found, "law", sample)
        return found

    types = data.multisets(elements, n)
    if symmetric:
        return LawsByType(elements, n, {kind: checked(kind.elements()) for kind in types})
    found: dict[data.Multiset[E], list[data.FiniteDistribution[O]]] = {kind: [] for kind in types}
    for sample in product(elements, repeat=n):
        found[data.Multiset.of(sample)].append(checked(sample))
    averages = {
        kind: data.FiniteDistribution.mixture((Fraction(1, len(laws)), one) for one in laws)
        for kind, laws in found.items()
    }
    return LawsByType(elements, n, averages)


def learner_laws_by_type(
    law: Callable[[data.Sample[P]], data.FiniteDistribution[O]],
    examples: Iterable[data.Example[P]],
    n: int,
    *,
    symmetric: bool = False,
) -> LawsByType[data.Example[P], O]:
    """Compute the law on each type for a learner, which takes a ``Sample``.

    Parameters
    ----------
    law
        The law of the output on a sample.
    examples
        The distinct examples that samples are made of: ``all_examples(points)``, or the points
        with their true labels (:func:`~pac_stability.notions.losses.labelled`).
    n, symmetric
        As for :func:`laws_by_type`.

    Raises
    ------
    InvalidInput
        As for :func:`laws_by_type`.

    Examples
    --------
    >>> from pac_stability.data import all_examples
    >>> majority = learner_laws_by_type(
    ...     lambda S: data.FiniteDistribution.point_mass(2 * sum(S.labels) > len(S)),
    ...     all_examples("a"), 3, symmetric=True)
    >>> majority.output_law(data.FiniteDistribution.uniform(all_examples("a")))
    FiniteDistribution({False: 1/2, True: 1/2})
    """
    return laws_by_type(
        lambda sample: law(data.Sample.from_examples(sample)), examples, n, symmetric=symmetric
    )


def _require_on(distribution: data.FiniteDistribution[E], universe: tuple[E, ...]) -> None:
    """Raise :class:`InvalidInput` unless the distribution is on the universe."""
    if not isinstance(distribution, data.FiniteDistribution):
        raise InvalidInput("distribution", described(distribution), "a FiniteDistribution")
    for element in distribution.support:
        if element not in universe:
            raise InvalidInput(
                "distribution",
                f"a positive probability for {described(element)}",
                "a distribution on the universe of the samples",
            )
