"""Instances for trials: small universes, exhausted, and seeded random draws.

Classes, laws and samples over small sets; mechanisms given by a table, random ones and ones that
make statements about laws tight. Random draws have a fixed seed, and each instance has its own
coins.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from random import Random

from pac_stability import classes, data
from pac_stability.arguments import as_size
from pac_stability.classes import FiniteClass, random_class
from pac_stability.errors import InvalidInput
from pac_stability.notions.covering import grid

_MOST_POINTS = 4  # on five points there are 37,333,248 kinds


def all_classes(m: int, *, labels_matter: bool = True) -> Iterator[FiniteClass]:
    """Yield every non-empty class on m points, one of each kind, the smallest first.

    Parameters
    ----------
    m
        Number of points, 1 to 4. Classes that become equal by renaming points are of one kind.
    labels_matter
        Whether labels matter; if not, classes that become equal by flipping the labels of some
        points are also of one kind. Labels matter for a property that breaks ties by the label.

    Yields
    ------
    FiniteClass
        A class on the points 0 to m - 1.

    Raises
    ------
    InvalidInput
        ``m`` is not an integer from 1 to 4.

    Notes
    -----
    A class is a set of the ``2**m`` patterns, so this counts Boolean functions up to the symmetries
    of the cube: 3, 11, 79 and 3983 kinds, or 2, 5, 21 and 401 where labels do not matter.

    Examples
    --------
    >>> [sum(1 for _ in all_classes(m)) for m in (1, 2, 3)]
    [3, 11, 79]
    >>> [sum(1 for _ in all_classes(m, labels_matter=False)) for m in (1, 2, 3)]
    [2, 5, 21]
    """
    points = as_size(m, "m", least=1)
    if points > _MOST_POINTS:
        raise InvalidInput("m", str(m), f"at most {_MOST_POINTS}")
    for patterns in _representatives(points, labels_matter):
        rows = [
            [p >> x & 1 for x in range(points)] for p in range(1 << points) if patterns >> p & 1
        ]
        yield FiniteClass(rows)


def catalogue() -> tuple[tuple[str, FiniteClass], ...]:
    """Return classes of the literature at small sizes, each with its name.

    Examples
    --------
    >>> [name for name, _ in catalogue()][:3]
    ['thresholds on 3 points', 'thresholds on 7 points', 'singletons on 4 points']
    """
    return (
        ("thresholds on 3 points", classes.thresholds(3)),
        ("thresholds on 7 points", classes.thresholds(7)),
        ("singletons on 4 points", classes.singletons(4)),
        ("singletons on 7 points", classes.singletons(7)),
        ("intervals on 4 points", classes.intervals(4)),
        ("all labelings of 3 points", classes.cube(3)),
        ("parities of 3 bits", classes.parities(3)),
        ("lines over GF(3)", classes.affine_lines(3)),
    )


@cache
def _representatives(m: int, labels_matter: bool) -> tuple[int, ...]:
    """Sets of patterns, as bits of an integer: the least of each orbit, the smallest sets first."""
    symmetries = []
    for order in permutations(range(m)):
        for flipped in (0,) if labels_matter else range(1 << m):
            moved = [
                sum((p >> x & 1) << order[x] for x in range(m)) ^ flipped for p in range(1 << m)
            ]
            symmetries.append(moved)
    seen = bytearray(1 << (1 << m))
    found = []
    for patterns in range(1, 1 << (1 << m)):
        if seen[patterns]:
            continue
        found.append(patterns)
        members = [p for p in range(1 << m) if patterns >> p & 1]
        for moved in symmetries:
            seen[sum(1 << moved[p] for p in members)] = 1
    return tuple(sorted(found, key=lambda patterns: (patterns.bit_count(), patterns)))


# From a seed


def random_laws(
    count: int, *, outcomes: int, laws: int = 2, seed: str = "laws", zeros: bool = True
) -> Iterator[tuple[data.FiniteDistribution[int], ...]]:
    """Yield tuples of laws on the outcomes 0, 1, ..., with small denominators.

    Parameters
    ----------
    count
        How many tuples.
    outcomes
        The most outcomes of a law, at least 2; the number grows from 2 on.
    laws
        The number of laws in a tuple.
    seed
        Another seed gives other laws.
    zeros
        Whether outcomes of probability 0 occur.

    Examples
    --------
    >>> [len(pair) for pair in random_laws(3, outcomes=3)]
    [2, 2, 2]
    """
    for index in range(count):
        coins = Random(f"{seed}/{index}")  # instances, not secrets
        size = 2 + index * (outcomes - 1) // count
        largest = coins.choice((2, 4, 9, 30))
        yield tuple(_law(coins, size, largest, zeros) for _ in range(laws))


def random_distributions(
    count: int, universe: int, *, largest: int = 6, seed: str = "distributions"
) -> Iterator[data.FiniteDistribution[int]]:
    """Yield distributions on 0 to ``universe - 1`` with weights from 0 to ``largest``."""
    for index in range(count):
        coins = Random(f"{seed}/{index}")
        yield _law(coins, universe, largest, zeros=True)


def random_classes(
    count: int, *, rows: int, points: int, seed: str = "classes"
) -> Iterator[FiniteClass]:
    """Yield random classes with up to ``rows`` hypotheses on ``points`` points."""
    for index in range(count):
        coins = Random(f"{seed}/{index}")
        size = coins.randint(2, min(rows, 1 << points))
        yield random_class(size, points, seed=coins.getrandbits(32))


def _law(coins: Random, size: int, largest: int, zeros: bool) -> data.FiniteDistribution[int]:
    weights = [coins.randint(0 if zeros else 1, largest) for _ in range(size)]
    if not any(weights):
        weights[coins.randrange(size)] = 1
    total = sum(weights)
    return data.FiniteDistribution({x: Fraction(w, total) for x, w in enumerate(weights) if w})


# Samples and targets


def all_labelled_samples(H: FiniteClass, n: int) -> Iterator[data.Sample[Hashable]]:
    """Yield every ordered sample of n examples on the domain of a class: (2|X|)^n of them.

    Examples
    --------
    >>> sum(1 for _ in all_labelled_samples(FiniteClass([[0, 1]]), 2))
    16
    """
    for examples in product(data.all_examples(H.domain), repeat=n):
        yield data.Sample.from_examples(examples)


def realizable_distributions(
    H: FiniteClass, denominator: int
) -> Iterator[data.FiniteDistribution[data.Example[Hashable]]]:
    """Yield every realizable distribution of examples with probabilities in a grid.

    Parameters
    ----------
    H
        A finite class.
    denominator
        Every probability is a multiple of its inverse.

    Examples
    --------
    >>> sum(1 for _ in realizable_distributions(FiniteClass([[0, 0], [0, 1]]), 2))
    5
    """
    seen: set[data.FiniteDistribution[data.Example[Hashable]]] = set()
    for marginal in grid(H.domain, denominator):
        for hypothesis in H:
            target = data.FiniteDistribution(
                {data.Example(x, hypothesis(x)): weight for x, weight in marginal.items()}
            )
            if target not in seen:
                seen.add(target)
                yield target


# Mechanisms


@dataclass(frozen=True, slots=True)
class TabledMechanism:
    """A mechanism on samples of n of the elements 0, ..., m - 1 that ignores their order.

    Attributes
    ----------
    elements
        m.
    n
        The size of the samples.
    laws
        The law of the output on each multiset.
    """

    elements: int
    n: int
    laws: Mapping[data.Multiset[int], data.FiniteDistribution[int]]

    def law(self, kind: data.Multiset[int], /) -> data.FiniteDistribution[int]:
        """Return the law of the output on the samples of a type."""
        return self.laws[kind]

    def law_of(self, sample: tuple[int, ...], /) -> data.FiniteDistribution[int]:
        """Return the law of the output on a sample."""
        return self.laws[data.Multiset.of(sample)]

    def __str__(self) -> str:
        rows = (
            f"{''.join(map(str, kind.elements()))}: "
            + " ".join(f"{outcome}|{chance}" for outcome, chance in law.items())
            for kind, law in self.laws.items()
        )
        return f"M({'; '.join(rows)})"


def random_mechanisms(
    count: int,
    *,
    elements: int = 2,
    most: int = 3,
    least: int = 1,
    outcomes: int = 2,
    weights: tuple[int, int] = (0, 4),
    seed: str = "mechanisms",
) -> Iterator[TabledMechanism]:
    """Yield mechanisms with random tables, on samples of growing size.

    Parameters
    ----------
    count
        How many.
    elements, outcomes
        The numbers of elements and of outputs.
    most, least
        The largest and the smallest size of samples.
    weights
        The least and the largest weight of an output; probabilities are proportional to weights.
        With a least weight above 0 every output is possible on every sample.
    seed
        Another seed gives other mechanisms.

    Examples
    --------
    >>> print(next(random_mechanisms(1)))
    M(0: 1|1; 1: 0|1)
    """
    for index in range(count):
        coins = Random(f"{seed}/{index}")  # instances, not secrets
        n = least + index * (most - least + 1) // count
        kinds = data.multisets(range(elements), n)
        yield TabledMechanism(
            elements, n, {kind: _random_law(coins, outcomes, weights) for kind in kinds}
        )


def _random_law(
    coins: Random, outcomes: int, weights: tuple[int, int]
) -> data.FiniteDistribution[int]:
    drawn = [coins.randint(*weights) for _ in range(outcomes)]
    if not any(drawn):
        drawn[coins.randrange(outcomes)] = 1
    total = sum(drawn)
    return data.FiniteDistribution({y: Fraction(w, total) for y, w in enumerate(drawn) if w})


# Tight mechanisms

Weights = Callable[[data.Multiset[int]], Iterable[Fraction | int]]
"""From a multiset to the weights of the outputs 0, 1, 2, ..."""


def weighted(elements: int, n: int, weights: Weights) -> TabledMechanism:
    """Return the mechanism with output probabilities proportional to weights.

    Examples
    --------
    >>> print(weighted(2, 1, lambda kind: (1, 1 + kind.count(1))))
    M(0: 0|1/2 1|1/2; 1: 0|1/3 1|2/3)
    """
    laws = {}
    for kind in data.multisets(range(elements), n):
        listed = [Fraction(w) for w in weights(kind)]
        total = sum(listed)
        laws[kind] = data.FiniteDistribution({y: w / total for y, w in enumerate(listed) if w})
    return TabledMechanism(elements, n, laws)


def telling(elements: int, n: int, share: Fraction) -> TabledMechanism:
    """Return the mechanism that reveals the multiset with a probability, and otherwise nothing.

    With the constant output "nothing" as the simulator it is (0, 0, ``share``)-perfectly
    generalizing.

    Examples
    --------
    >>> print(telling(2, 1, Fraction(1, 4)))
    M(0: 0|3/4 1|1/4; 1: 0|3/4 2|1/4)
    """
    numbers = {kind: i for i, kind in enumerate(data.multisets(range(elements), n), 1)}
    laws = {kind: data.FiniteDistribution({0: 1 - share, i: share}) for kind, i in numbers.items()}
    return TabledMechanism(elements, n, laws)


def telling_one(elements: int, n: int) -> TabledMechanism:
    """Return the mechanism that reveals whether the sample has each element equally often.

    It is (beta, 0, 0)-perfectly generalizing, where beta is the probability of this event on
    uniform elements and ``elements`` divides ``n``; it is not private.

    Examples
    --------
    >>> print(telling_one(2, 2))
    M(00: 0|1; 01: 1|1; 11: 0|1)
    """

    def laws(kind: data.Multiset[int]) -> Iterable[int]:
        even = all(kind.count(x) * elements == n for x in range(elements))
        return (1 - even, even)

    return weighted(elements, n, laws)


def counting(n: int, factor: Fraction, delta: Fraction) -> TabledMechanism:
    """Return a mechanism on bits that is private with exactly a given factor and delta.

    One more 1 in the sample changes the probability p of the output 1 to ``factor * p + delta``.

    Examples
    --------
    >>> print(counting(2, Fraction(2), Fraction(1, 8)))
    M(00: 0|1; 01: 0|7/8 1|1/8; 11: 0|5/8 1|3/8)
    """
    chances = [Fraction(0)]
    for _ in range(n):
        chances.append(factor * chances[-1] + delta)
    return weighted(2, n, lambda kind: (1 - chances[kind.count(1)], chances[kind.count(1)]))


def steep(n: int, factor: Fraction, directions: str) -> TabledMechanism:
    """Return a mechanism on bits with a likely output 0, and rare outputs that grow steadily.

    Parameters
    ----------
    n
        The size of the samples.
    factor
        The factor by which one more 1, or one more 0, multiplies the weight of a rare output.
    directions
        For each rare output, ``"1"`` or ``"0"``: the bit with which it grows.

    Examples
    --------
    >>> print(steep(1, Fraction(2), "1"))
    M(0: 0|2000/2001 1|1/2001; 1: 0|1000/1001 1|1/1001)
    """
    likely = 1000 * factor**n
    return weighted(
        2, n, lambda kind: (likely, *(factor ** kind.count(int(bit)) for bit in directions))
    )
