"""What a mechanism does on the samples that can occur, and on each type of sample.

Weights, laws and counts of elements of samples come first. The sequences of one type are equally
likely under every D^n. Hence the probability of an event that depends only on the output, the type
and D is determined by one law for each type: the average of the mechanism's laws over the orderings
of that type. This module keeps these averages.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, product
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from pac_stability import data
from pac_stability.arguments import as_size, described, distinct, require_instance
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  # an outcome

Laws: TypeAlias = Mapping[S, FiniteDistribution[O]] | Callable[[S], FiniteDistribution[O]]
"""The law of the output on each sample: a mapping, or a function such as ``mechanism.law``."""


@dataclass(frozen=True, slots=True)
class WeightedLaw(Generic[S, O]):
    """A sample, how likely it is, and the law of the output on it."""

    sample: S
    weight: Fraction
    law: FiniteDistribution[O]


def weighted_laws(
    laws: Laws[S, O], samples: FiniteDistribution[S]
) -> tuple[WeightedLaw[S, O], ...]:
    """Return the law of the output on each sample that has positive probability.

    Parameters
    ----------
    laws
        The law on a sample: a mapping, or a function that is called once for each sample.
    samples
        The law of the sample: ``distribution.power(n)``, or ``multiset_distribution(distribution,
        n)`` for a mechanism that ignores the order.

    Raises
    ------
    InvalidInput
        A law is missing.

    Examples
    --------
    >>> coin = data.FiniteDistribution.uniform([0, 1])
    >>> [(w.sample, w.law) for w in weighted_laws(lambda z: coin.map(lambda b: b + z[0]),
    ...                                           coin.power(1))]
    [((0,), FiniteDistribution({0: 1/2, 1: 1/2})), ((1,), FiniteDistribution({1: 1/2, 2: 1/2}))]
    """
    found = laws_on(laws, samples)
    return tuple(
        WeightedLaw(sample, weight, law)
        for (sample, weight), law in zip(samples.items(), found, strict=True)
    )


def laws_on(laws: Laws[S, O], samples: FiniteDistribution[S]) -> list[FiniteDistribution[O]]:
    """Return the laws of the output alone, in the order of the samples.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.

    Raises
    ------
    InvalidInput
        A law is missing.

    Examples
    --------
    >>> laws_on(data.FiniteDistribution.point_mass, data.FiniteDistribution.uniform("ab"))
    [FiniteDistribution({'a': 1}), FiniteDistribution({'b': 1})]
    """
    require_instance(samples, FiniteDistribution, "samples", "a FiniteDistribution of samples")
    found = []
    for sample in samples.support:
        if isinstance(laws, Mapping) and sample not in laws:
            raise InvalidInput(
                "laws", f"no law for the sample {described(sample)}", "a law for each sample"
            )
        law = laws[sample] if isinstance(laws, Mapping) else laws(sample)
        require_law(law, "laws", sample)
        found.append(law)
    return found


def require_law(law: object, argument: str, sample: object) -> None:
    """Refuse a value that a mechanism returned as a law and that is not one."""
    if not isinstance(law, FiniteDistribution):
        given = f"{described(law)} for the sample {described(sample)}"
        raise InvalidInput(argument, given, "a FiniteDistribution")


@dataclass(frozen=True, slots=True)
class LawClass(Generic[S, O]):
    """All samples with one law of the output: the law, their probability, and the samples."""

    law: FiniteDistribution[O]
    weight: Fraction
    samples: tuple[S, ...]


def law_classes(laws: Laws[S, O], samples: FiniteDistribution[S]) -> tuple[LawClass[S, O], ...]:
    """Group the samples by the law of the output on them, the likeliest group first.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.

    Raises
    ------
    InvalidInput
        A law is missing.

    Examples
    --------
    >>> coins = data.FiniteDistribution.uniform([0, 1]).power(2)
    >>> [(c.law.support, c.weight) for c in law_classes(
    ...     lambda z: data.FiniteDistribution.point_mass(max(z)), coins)]
    [((1,), Fraction(3, 4)), ((0,), Fraction(1, 4))]
    """
    groups: dict[FiniteDistribution[O], list[S]] = {}
    weights: dict[FiniteDistribution[O], int] = {}
    found = laws_on(laws, samples)
    for law, (sample, weight) in zip(found, samples.numerators.items(), strict=True):
        groups.setdefault(law, []).append(sample)
        weights[law] = weights.get(law, 0) + weight
    heaviest = sorted(weights.items(), key=lambda pair: pair[1], reverse=True)
    return tuple(
        LawClass(law, Fraction(weight, samples.denominator), tuple(groups[law]))
        for law, weight in heaviest
    )


def outcomes_of(classes: Sequence[LawClass[S, O]]) -> tuple[O, ...]:
    """Return the outcomes of positive probability under any of the laws, in order."""
    return tuple(dict.fromkeys(outcome for found in classes for outcome in found.law.support))


@dataclass(frozen=True, slots=True)
class IndependentDraws:
    """The samples of n independent draws, as counts of the elements.

    Attributes
    ----------
    distribution
        D, the law of one draw.
    n
        The size of the samples, at least 1.
    counts
        For each sample, in the order of its law, how often each element of the support of D occurs
        in it.
    """

    distribution: FiniteDistribution[object]
    n: int
    counts: tuple[tuple[int, ...], ...]


def independent_draws(samples: FiniteDistribution[S]) -> IndependentDraws:
    """Recognise the law of n independent draws, and find the law of one.

    Parameters
    ----------
    samples
        A distribution D^n on sequences (tuples, ``Sample`` objects), or on their multisets.

    Raises
    ------
    InvalidInput
        The samples have no elements or different sizes, or they are not independent draws.

    Notes
    -----
    The probability of an element under D is its expected frequency; then every weight is compared
    with what D says. Linear in the number of samples times that of the elements.

    Examples
    --------
    >>> coin = data.FiniteDistribution({"heads": Fraction(1, 3), "tails": Fraction(2, 3)})
    >>> independent_draws(coin.power(2)).distribution == coin
    True
    """
    counted = [_counts(sample) for sample in samples.support]
    elements = tuple(dict.fromkeys(chain.from_iterable(counted)))
    table = tuple([tuple([counts.get(e, 0) for e in elements]) for counts in counted])
    sizes = set(map(sum, table))
    if len(sizes) != 1 or sizes == {0}:
        raise InvalidInput(
            "samples", f"samples of sizes {sorted(sizes)}", "samples of one positive size"
        )
    (n,) = sizes
    # Arrays of Python's integers are exact, and faster than loops.
    weights = np.array(list(samples.numerators.values()), dtype=object)
    columns = np.array(table, dtype=np.intp).T
    whole = n * samples.denominator
    distribution: FiniteDistribution[object] = FiniteDistribution(
        {e: Fraction(weights @ k, whole) for e, k in zip(elements, columns, strict=True)}
    )
    factorials = np.array([math.factorial(k) for k in range(n + 1)], dtype=object)
    draws, repeats = np.array(1, dtype=object), np.array(1, dtype=object)
    for a, k in zip(distribution.numerators.values(), columns, strict=True):
        draws = draws * np.array([a**j for j in range(n + 1)], dtype=object)[k]
        repeats = repeats * factorials[k]
    unordered = np.array([isinstance(sample, data.Multiset) for sample in samples.support])
    orderings = np.where(unordered, factorials[n] // repeats, 1)
    up, down = Fraction(distribution.denominator**n, samples.denominator).as_integer_ratio()
    wrong = np.flatnonzero(orderings * draws * down != weights * up)
    if len(wrong):
        sample = samples.support[wrong[0]]
        given = f"the weight {samples.probability(sample)} for {described(sample)}"
        wanted = "the law of n independent draws: power or multiset_distribution"
        raise InvalidInput("samples", given, wanted)
    return IndependentDraws(distribution, n, table)


def _counts(sample: object) -> Mapping[object, int]:
    if isinstance(sample, data.Multiset):
        return dict(sample.items())
    if isinstance(sample, Collection) and not isinstance(sample, str):
        return Counter(sample)
    raise InvalidInput("samples", described(sample), "tuples, Samples or Multisets")


# What it does on each type of sample: all that a random sample can show of it

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
    laws: Mapping[data.Multiset[E], FiniteDistribution[O]]

    def weighted(
        self, distribution: FiniteDistribution[E]
    ) -> Iterator[tuple[Fraction, data.Multiset[E], FiniteDistribution[O]]]:
        """Yield what may happen on a sample of n independent draws, type by type.

        Parameters
        ----------
        distribution
            The law D of one draw, on the universe.

        Returns
        -------
        iterator of (Fraction, Multiset, FiniteDistribution)
            The probability of the type, the type, and the law of the output. Types of probability
            zero are left out.

        Raises
        ------
        InvalidInput
            The distribution gives probability to something outside the universe.
        """
        total, weights = self._weights(distribution)
        for weight, (kind, law) in zip(weights, self.laws.items(), strict=True):
            if weight:
                yield Fraction(weight, total), kind, law

    def output_law(self, distribution: FiniteDistribution[E]) -> FiniteDistribution[O]:
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
        return FiniteDistribution(
            {o: Fraction(number, denominator) for o, number in zip(outputs, sums, strict=True)}
        )

    @property
    def outputs(self) -> tuple[O, ...]:
        """Every output that some sample can have."""
        return self._numerators[1]

    def _weights(self, distribution: FiniteDistribution[E]) -> tuple[int, Iterator[int]]:
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
    law: Callable[[tuple[E, ...]], FiniteDistribution[O]],
    universe: Iterable[E],
    n: int,
    *,
    symmetric: bool = False,
) -> LawsByType[E, O]:
    """Compute the law on each type from the laws of the mechanism on samples.

    Parameters
    ----------
    law
        The law of the output on a sample, a tuple of elements.
    universe
        The distinct elements that samples are made of.
    n
        The size of the samples.
    symmetric
        Whether the mechanism ignores the order. If so, its law is computed on one ordering of each
        type, that of the universe. Otherwise its law is computed on all k^n sequences over k
        elements.

    Raises
    ------
    InvalidInput
        The universe repeats an element, n is not a non-negative integer, or the mechanism returned
        something that is not a law.

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

    def checked(sample: tuple[E, ...]) -> FiniteDistribution[O]:
        found = law(sample)
        require_law(found, "law", sample)
        return found

    types = data.multisets(elements, n)
    if symmetric:
        return LawsByType(elements, n, {kind: checked(kind.elements()) for kind in types})
    found: dict[data.Multiset[E], list[FiniteDistribution[O]]] = {kind: [] for kind in types}
    for sample in product(elements, repeat=n):
        found[data.Multiset.of(sample)].append(checked(sample))
    averages = {
        kind: FiniteDistribution.mixture((Fraction(1, len(laws)), one) for one in laws)
        for kind, laws in found.items()
    }
    return LawsByType(elements, n, averages)


def learner_laws_by_type(
    law: Callable[[data.Sample[P]], FiniteDistribution[O]],
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


def _require_on(distribution: FiniteDistribution[E], universe: tuple[E, ...]) -> None:
    """Raise :class:`InvalidInput` unless the distribution is on the universe."""
    require_instance(distribution, FiniteDistribution, "distribution")
    for element in distribution.support:
        if element not in universe:
            given = f"a positive probability for {described(element)}"
            wanted = "a distribution on the universe of the samples"
            raise InvalidInput("distribution", given, wanted)
