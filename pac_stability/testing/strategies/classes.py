"""Finite hypothesis classes: any, of a given dimension, or from a named family."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability import classes
from pac_stability.arguments import as_size, distinct
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import littlestone_dimension as littlestone, vc_dimension as vc
from pac_stability.errors import InvalidInput
from pac_stability.testing.strategies.laws import Values, drawn_from

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
        Without a dimension every such class can be drawn. With one they are grown from a class that
        attains it (a cube; a cube or all thresholds for Littlestone's) by rows that do not raise
        it, flipped by a row, and their points shuffled. None is rejected.

    Raises
    ------
    InvalidInput
        A number is out of range, or no such class has the bounds.

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
        raise InvalidInput(
            "min_points, min_hypotheses",
            f"at least {least_rows} hypotheses over {min_points} to {most} points",
            f"at most max_hypotheses={most_rows}, and no more than there are over max_points",
        )
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
