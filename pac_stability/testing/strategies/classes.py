"""Probabilities, finite distributions, finite classes, and mistake trees that a class shatters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability import classes
from pac_stability.arguments import as_size, distinct
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.classes import FiniteClass
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.dimensions import (
    MistakeTree,
    littlestone_dimension,
    littlestone_dimension as littlestone,
    vc_dimension as vc,
)
from pac_stability.dimensions.trees import Leaf, Node
from pac_stability.errors import InvalidInput

T = TypeVar("T", bound=Hashable)

Values: TypeAlias = SearchStrategy[T] | Iterable[T]
"""What values are drawn from: a strategy, or the values themselves, the simplest first."""


def drawn_from(values: Values[T], argument: str) -> SearchStrategy[T]:
    """Return the strategy that draws one of the values.

    Raises
    ------
    InvalidInput
        There are no values.
    """
    if isinstance(values, SearchStrategy):
        # No sample, law or class holds what differs from itself, such as NaN.
        return values.filter(lambda value: value == value)  # noqa: PLR0124  # a NaN is not
    kept = tuple(values)
    if not kept:
        raise InvalidInput(argument, "no values", "at least one, or a strategy")
    return st.sampled_from(kept)


def probabilities(max_denominator: int = 12) -> SearchStrategy[Fraction]:
    """Return the strategy of the fractions from 0 to 1; shrinks towards 0.

    Parameters
    ----------
    max_denominator
        The largest denominator, at least 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(probabilities(), lambda p: p > Fraction(1, 2))
    Fraction(1, 1)
    """
    largest = as_size(max_denominator, "max_denominator", least=1)
    return st.fractions(0, 1, max_denominator=largest)


def epsilons(max_factor: int = 8, max_denominator: int = 8) -> SearchStrategy[Epsilon]:
    """Return the strategy of the epsilons with a rational factor e^epsilon; shrinks towards 0.

    Parameters
    ----------
    max_factor
        The largest factor, at least 1.
    max_denominator
        The largest denominator of the factor, at least 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(epsilons(), lambda epsilon: epsilon.ratio > 1).ratio
    Fraction(2, 1)
    """
    most = as_size(max_factor, "max_factor", least=1)
    largest = as_size(max_denominator, "max_denominator", least=1)
    return st.fractions(1, most, max_denominator=largest).map(Epsilon.exactly)


def distributions(
    outcomes: Values[T], *, max_size: int = 4, max_denominator: int = 12
) -> SearchStrategy[FiniteDistribution[T]]:
    """Return the strategy of the laws on a few outcomes; shrinks towards a point mass.

    Parameters
    ----------
    outcomes
        The outcomes, or a strategy for one.
    max_size
        The largest size of the support, at least 1.
    max_denominator
        The largest common denominator of the probabilities, at least 1.

    Returns
    -------
    SearchStrategy of FiniteDistribution
        It draws every law on at most this many outcomes with at most this denominator.

    Raises
    ------
    InvalidInput
        There are no outcomes, or a number is below 1.

    Examples
    --------
    The simplest law that is not a point mass:

    >>> from hypothesis import find
    >>> find(distributions("abc"), lambda law: len(law) > 1)
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    """
    largest = as_size(max_denominator, "max_denominator", least=1)
    size = min(as_size(max_size, "max_size", least=1), largest)
    return _distributions(drawn_from(outcomes, "outcomes"), size, largest)


@st.composite
def _distributions(
    draw: DrawFn, outcome: SearchStrategy[T], max_size: int, max_denominator: int
) -> FiniteDistribution[T]:
    support = draw(st.lists(outcome, unique=True, min_size=1, max_size=max_size))
    # Integer weights whose sum is the denominator: at least 1 each, and the rest as it comes.
    spare = max_denominator - len(support)
    weights = []
    for _ in support:
        more = draw(st.integers(0, spare))
        spare -= more
        weights.append(1 + more)
    total = sum(weights)
    return FiniteDistribution(
        {x: Fraction(weight, total) for x, weight in zip(support, weights, strict=True)}
    )


def weighted(
    outcomes: Iterable[T], max_weight: int = 5, *, min_weight: int = 0
) -> SearchStrategy[FiniteDistribution[T]]:
    """Return the strategy of the laws that give listed outcomes small integer weights.

    Equal ratios are common here, and rare among general laws. Shrinks towards small weights.

    Parameters
    ----------
    outcomes
        The outcomes, distinct, at least one.
    max_weight, min_weight
        Bounds on the weight of each, before the division by their sum, which is never 0.

    Raises
    ------
    InvalidInput
        There are no outcomes, or a number is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(weighted("abc"), lambda law: law.probability("c") > law.probability("b") > 0)
    FiniteDistribution({'b': 1/3, 'c': 2/3})
    """
    listed = tuple(outcomes)
    if not listed:
        raise InvalidInput("outcomes", "none", "at least one")
    least = as_size(min_weight, "min_weight")
    most = as_size(max_weight, "max_weight", least=max(1, least))

    def law(weights: list[int]) -> FiniteDistribution[T]:
        total = sum(weights)
        shares = zip(listed, weights, strict=True)
        return FiniteDistribution({outcome: Fraction(w, total) for outcome, w in shares})

    size = len(listed)
    return st.lists(st.integers(least, most), min_size=size, max_size=size).filter(any).map(law)


def enclosures(
    outcomes: Iterable[T], max_weight: int = 5, *, width: Fraction = Fraction(1, 20)
) -> SearchStrategy[tuple[FiniteDistribution[T], EnclosedDistribution[T]]]:
    """Return the strategy of laws with intervals around them: wide, narrow, or of no width.

    Parameters
    ----------
    outcomes, max_weight
        As for :func:`weighted`.
    width
        The unit of wide intervals, which extend up to three units to either side.

    Examples
    --------
    >>> from hypothesis import find
    >>> law, around = find(enclosures("ab"), lambda pair: len(pair[0]) == 2)
    >>> all(law.probability(o) in around.probability(o) for o in law.support)
    True
    """
    listed = tuple(outcomes)
    unit = st.sampled_from([Fraction(0), Fraction(1, 10**6), width])
    ends = st.lists(st.integers(0, 3), min_size=2 * len(listed), max_size=2 * len(listed))

    def around(
        law: FiniteDistribution[T], unit: Fraction, ends: list[int]
    ) -> tuple[FiniteDistribution[T], EnclosedDistribution[T]]:
        intervals = {}
        for k, outcome in enumerate(listed):
            p = law.probability(outcome)
            intervals[outcome] = Interval(p - ends[k] * unit, p + ends[len(listed) + k] * unit)
        return law, EnclosedDistribution(intervals)

    return st.builds(around, weighted(listed, max_weight), unit, ends)


# Finite classes: any, of a given dimension, or from a named family

Rows = list[int]
"""Rows of a table as integers: bit j is the label of point j."""


def finite_classes(
    *,
    min_points: int = 1,
    max_points: int = 4,
    min_hypotheses: int = 1,
    max_hypotheses: int = 8,
    vc_dimension: int | None = None,
    littlestone_dimension: int | None = None,
    points: Values[Hashable] | None = None,
) -> SearchStrategy[FiniteClass]:
    """Return the strategy of the finite classes, by default over the points 0, 1, ...

    Shrinks towards few points, few hypotheses, and zeros.

    Parameters
    ----------
    min_points, max_points
        Bounds on the number of points.
    min_hypotheses, max_hypotheses
        Bounds on the number of hypotheses.
    vc_dimension
        If given, classes have exactly this VC dimension.
    littlestone_dimension
        If given, classes have exactly this Littlestone dimension; not both may be given.
    points
        The points, at least ``max_points`` of them, or a strategy for one: each class is over some
        of them, in any order.

    Returns
    -------
    SearchStrategy of FiniteClass
        Without a dimension every such class can be drawn. With one, they grow from a class that
        attains it (a cube; a cube or all thresholds for Littlestone's) by rows that do not raise
        it; then labels are flipped by a row and points shuffled. None is rejected.

    Raises
    ------
    InvalidInput
        A number is out of range, or no class satisfies the bounds.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(finite_classes(), lambda H: len(H) == 3).table.tolist()
    [[0, 0], [1, 0], [0, 1]]
    >>> find(finite_classes(vc_dimension=1), lambda H: True).table.tolist()
    [[0], [1]]
    >>> find(finite_classes(points="abcd"), lambda H: len(H) == 3).domain
    ('a', 'b')
    """
    most_rows = as_size(max_hypotheses, "max_hypotheses")
    least_rows = as_size(min_hypotheses, "min_hypotheses")
    most = as_size(max_points, "max_points")
    least = max(as_size(min_points, "min_points"), (max(least_rows, 1) - 1).bit_length())
    if least > most or least_rows > most_rows:
        given = f"at least {least_rows} hypotheses over {min_points} to {most} points"
        wanted = f"at most max_hypotheses={most_rows}, and no more than there are over max_points"
        raise InvalidInput("min_points, min_hypotheses", given, wanted)
    if vc_dimension is None and littlestone_dimension is None:
        return _over(_any_class(least, most, least_rows, most_rows), points, most)
    if vc_dimension is not None and littlestone_dimension is not None:
        raise InvalidInput("vc_dimension", "both dimensions", "one of them")
    measure: Callable[[FiniteClass], int]
    if vc_dimension is not None:
        name, measure, d = "vc_dimension", vc, as_size(vc_dimension, "vc_dimension")
    else:
        name, measure = "littlestone_dimension", littlestone
        d = as_size(littlestone_dimension, name)
    if d > most or 2**d > most_rows:
        raise InvalidInput(
            name, str(d), f"one that {most} points and {most_rows} hypotheses allow: 2^d hypotheses"
        )
    if least_rows > 2**d:
        raise InvalidInput(
            "min_hypotheses", str(least_rows), f"at most the 2^{d} that {name}={d} needs"
        )
    made = _class_of_dimension(
        min_points=max(least, d), max_points=most, max_rows=most_rows, d=d, measure=measure
    )
    return _over(made, points, most)


def _table(rows: Rows, points: int) -> FiniteClass:
    labels = [[row >> j & 1 for j in range(points)] for row in rows]
    return FiniteClass(np.array(labels, dtype=np.uint8).reshape(len(rows), points))


@st.composite
def _any_class(
    draw: DrawFn, min_points: int, max_points: int, min_rows: int, max_rows: int
) -> FiniteClass:
    points = draw(st.integers(min_points, max_points))
    row = st.integers(0, 2**points - 1)
    sizes = {"min_size": min_rows, "max_size": min(max_rows, 2**points)}
    return _table(draw(st.lists(row, unique=True, **sizes)), points)


def _over(
    made: SearchStrategy[FiniteClass], points: Values[Hashable] | None, most: int
) -> SearchStrategy[FiniteClass]:
    if points is None:
        return made
    if not isinstance(points, SearchStrategy):
        points = distinct(points, "points")
        if len(points) < most:
            raise InvalidInput("points", f"{len(points)} of them", f"at least max_points={most}")
    point = drawn_from(points, "points") if most else st.nothing()

    def named(H: FiniteClass) -> SearchStrategy[FiniteClass]:
        size = len(H.domain)
        names = st.lists(point, unique=True, min_size=size, max_size=size)
        return names.map(lambda domain: FiniteClass(H.table, domain))

    return made.flatmap(named)


@st.composite
def _class_of_dimension(
    draw: DrawFn,
    *,
    min_points: int,
    max_points: int,
    max_rows: int,
    d: int,
    measure: Callable[[FiniteClass], int],
) -> FiniteClass:
    points = draw(st.integers(min_points, max_points))
    seeds: list[Rows] = [list(range(2**d))]
    if measure is littlestone and d > 1 and 2**d - 1 <= points:
        seeds.append([2**k - 1 for k in range(2**d)])
    rows = draw(st.sampled_from(seeds))
    row = st.integers(0, 2**points - 1)
    for extra in draw(st.lists(row, unique=True, max_size=max_rows - len(rows))):
        if extra not in rows and measure(_table([*rows, extra], points)) == d:
            rows = [*rows, extra]
    flip = draw(row)
    order = draw(st.permutations(range(points)))
    shuffled = (sum((r >> j & 1) << i for i, j in enumerate(order)) for r in rows)
    return _table([r ^ flip for r in shuffled], points)


def named_classes(max_points: int = 4) -> SearchStrategy[FiniteClass]:
    """Return the strategy of small members of named families.

    Thresholds, singletons, intervals, cubes, thresholds of both signs, and parities; shrinks
    towards thresholds on one point.

    Parameters
    ----------
    max_points
        The largest number of points, at least 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(named_classes(), lambda H: vc(H) == 2) == classes.intervals(2)
    True
    """
    most = as_size(max_points, "max_points", least=1)
    points = st.integers(1, most)
    families = [
        st.builds(make, points)
        for make in (
            classes.thresholds,
            classes.singletons,
            classes.intervals,
            classes.cube,
            classes.signed_thresholds,
        )
    ]
    # A parity of k bits is a hypothesis over 2^k points.
    parities = st.builds(classes.parities, st.integers(0, most.bit_length() - 1))
    return st.one_of(*families, parities)


# Mistake trees


def shattered_trees(H: FiniteClass, depth: int | None = None) -> SearchStrategy[MistakeTree]:
    """Return the strategy of the complete mistake trees that a class shatters.

    Every one of them can be drawn; shrinks towards shallow trees, the first points and the first
    hypotheses.

    Parameters
    ----------
    H
        The class, not empty.
    depth
        The depth of the trees; by default any, up to the Littlestone dimension.

    Raises
    ------
    InvalidInput
        The class is empty, or shatters no tree of this depth.

    Examples
    --------
    >>> from hypothesis import find
    >>> from pac_stability.classes import thresholds
    >>> find(shattered_trees(thresholds(3)), lambda tree: tree.depth == 1).root
    Node(point=0, zero=Leaf(hypothesis=1), one=Leaf(hypothesis=0))
    """
    deepest = littlestone_dimension(H)
    if deepest < 0:
        raise InvalidInput("H", "the empty class", "a class that shatters a tree")
    wanted = None if depth is None else as_size(depth, "depth")
    if wanted is not None and wanted > deepest:
        raise InvalidInput("depth", str(wanted), f"at most the Littlestone dimension, {deepest}")
    depths = st.integers(0, deepest) if wanted is None else st.just(wanted)
    return depths.flatmap(partial(_shattered, H))


@st.composite
def _shattered(draw: DrawFn, H: FiniteClass, depth: int) -> MistakeTree:
    table = H.table

    def grown(rows: list[int], depth: int) -> Node | Leaf:
        if depth == 0:
            return Leaf(draw(st.sampled_from(rows)))
        halves = []
        for point in range(table.shape[1]):
            zero, one = ([row for row in rows if table[row, point] == label] for label in (0, 1))
            if all(littlestone_dimension(FiniteClass(table[half])) >= depth - 1
                   for half in (zero, one)):  # fmt: skip
                halves.append((point, zero, one))
        point, zero, one = draw(st.sampled_from(halves))
        return Node(point, grown(zero, depth - 1), grown(one, depth - 1))

    return MistakeTree(grown(list(range(len(H))), depth))


@st.composite
def _with_tree(draw: DrawFn, H: SearchStrategy[FiniteClass]) -> tuple[FiniteClass, MistakeTree]:
    drawn = draw(H)
    return drawn, draw(shattered_trees(drawn))


def classes_with_trees(
    H: SearchStrategy[FiniteClass] | None = None,
) -> SearchStrategy[tuple[FiniteClass, MistakeTree]]:
    """Return the strategy of the classes together with a tree that they shatter.

    Parameters
    ----------
    H
        The strategy of the classes, none of them empty; by default :func:`finite_classes`.

    Examples
    --------
    >>> from hypothesis import find
    >>> H, tree = find(classes_with_trees(), lambda pair: pair[1].depth == 1)
    >>> H.table.tolist()
    [[0], [1]]
    """
    return _with_tree(finite_classes() if H is None else H)
