"""What a mechanism does on the samples that can occur: weights, laws and counts of elements."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from pac_stability import data
from pac_stability.arguments import described
from pac_stability.errors import InvalidInput

S = TypeVar("S")
T = TypeVar("T")
O = TypeVar("O")  # noqa: E741  # an outcome

Laws: TypeAlias = Mapping[S, data.FiniteDistribution[O]] | Callable[[S], data.FiniteDistribution[O]]
"""The law of the output on each sample: a mapping, or a function such as ``mechanism.law``."""


EnclosedLaws: TypeAlias = (
    Mapping[S, data.FiniteDistribution[O] | data.EnclosedDistribution[O]]
    | Callable[[S], data.FiniteDistribution[O] | data.EnclosedDistribution[O]]
)
"""As :data:`Laws`, of laws that may be enclosed."""


@dataclass(frozen=True, slots=True)
class WeightedLaw(Generic[S, O]):
    """A sample, how likely it is, and the law of the output on it."""

    sample: S
    weight: Fraction
    law: data.FiniteDistribution[O]


def weighted_laws(
    laws: Laws[S, O], samples: data.FiniteDistribution[S]
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


def laws_on(
    laws: Laws[S, O], samples: data.FiniteDistribution[S]
) -> list[data.FiniteDistribution[O]]:
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
    found = []
    for sample, law in _answers(laws, samples):
        require_law(law, "laws", sample)
        found.append(law)
    return found


def enclosed_laws_on(
    laws: EnclosedLaws[S, O], samples: data.FiniteDistribution[S]
) -> list[data.EnclosedDistribution[O]]:
    """Return the laws of the output as enclosures, in the order of the samples.

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
    """
    found = []
    for sample, law in _answers(laws, samples):
        if isinstance(law, data.EnclosedDistribution):
            found.append(law)
        else:
            require_law(law, "laws", sample)
            found.append(data.EnclosedDistribution.exactly(law))
    return found


def _answers(
    laws: Mapping[S, T] | Callable[[S], T], samples: data.FiniteDistribution[S]
) -> Iterator[tuple[S, T]]:
    if not isinstance(samples, data.FiniteDistribution):
        raise InvalidInput("samples", described(samples), "a FiniteDistribution of samples")
    for sample in samples.support:
        if isinstance(laws, Mapping):
            if sample not in laws:
                raise InvalidInput(
                    "laws", f"no law for the sample {described(sample)}", "a law for each sample"
                )
            yield sample, laws[sample]
        else:
            yield sample, laws(sample)


def require_law(law: object, argument: str, sample: object) -> None:
    """Refuse what a mechanism gave as the law on a sample and is none."""
    if not isinstance(law, data.FiniteDistribution):
        given = f"{described(law)} for the sample {described(sample)}"
        raise InvalidInput(argument, given, "a FiniteDistribution")


@dataclass(frozen=True, slots=True)
class LawClass(Generic[S, O]):
    """All samples with one law of the output: the law, their probability, and the samples."""

    law: data.FiniteDistribution[O]
    weight: Fraction
    samples: tuple[S, ...]


def law_classes(
    laws: Laws[S, O], samples: data.FiniteDistribution[S]
) -> tuple[LawClass[S, O], ...]:
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
    groups: dict[data.FiniteDistribution[O], list[S]] = {}
    weights: dict[data.FiniteDistribution[O], int] = {}
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

    distribution: data.FiniteDistribution[object]
    n: int
    counts: tuple[tuple[int, ...], ...]


def independent_draws(samples: data.FiniteDistribution[S]) -> IndependentDraws:
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
    distribution: data.FiniteDistribution[object] = data.FiniteDistribution(
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
        raise InvalidInput(
            "samples",
            f"the weight {samples.probability(sample)} for {described(sample)}",
            "the law of n independent draws: power or multiset_distribution",
        )
    return IndependentDraws(distribution, n, table)


def _counts(sample: object) -> Mapping[object, int]:
    if isinstance(sample, data.Multiset):
        return dict(sample.items())
    if isinstance(sample, Collection) and not isinstance(sample, str):
        return Counter(sample)
    raise InvalidInput("samples", described(sample), "tuples, Samples or Multisets")
