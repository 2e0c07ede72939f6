"""Unions, intersections, products, complements, and what is known of their dimensions."""

from __future__ import annotations

import doctest
from itertools import product as pairs_of

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, classes
from pac_stability.classes import (
    Boxes,
    Complement,
    FiniteClass,
    Halfspaces,
    Intervals,
    KnownValue,
    Product,
    SignedThresholds,
    Thresholds,
    Union,
)
from pac_stability.dimensions import (
    dual_vc_dimension,
    littlestone_dimension,
    threshold_dimension,
    vc_dimension,
)
from shared_examples import example

joined = example("pointwise")


@st.composite
def _two(draw: st.DrawFn) -> tuple[FiniteClass, FiniteClass]:
    m = draw(st.integers(1, 4))
    rows = st.lists(st.lists(st.integers(0, 1), min_size=m, max_size=m), min_size=1, max_size=9)
    return FiniteClass(draw(rows)), FiniteClass(draw(rows))


def _rows(H: FiniteClass) -> set[tuple[int, ...]]:
    return {*map(tuple, H.table.tolist())}


@settings(max_examples=60)
@given(_two())
def test_operators_by_definition_and_their_bounds(two: tuple[FiniteClass, FiniteClass]) -> None:
    H, G = two
    h, g = _rows(H), _rows(G)
    assert _rows(H | G) == h | g
    assert _rows(H & G) == h & g
    assert _rows(~H) == {tuple(1 - label for label in row) for row in h} == _rows(H.complement())
    assert _rows(H * G) == {a + b for a, b in pairs_of(h, g)}
    for how, join in (("or", max), ("and", min), ("xor", lambda a, b: a ^ b)):
        wanted = {tuple(map(join, a, b)) for a, b in pairs_of(h, g)}
        assert _rows(joined.pointwise(how, H, G)) == wanted
    d, e = vc_dimension(H), vc_dimension(G)
    known = [x.with_known({"vc": KnownValue(v, "")}) for x, v in ((H, d), (G, e))]
    assert vc_dimension(H | G) <= Union(*known).at_most["vc"].value == d + e + 1
    assert vc_dimension(H * G) == d + e
    assert littlestone_dimension(H * G) == littlestone_dimension(H) + littlestone_dimension(G)
    assert littlestone_dimension(H | G) <= littlestone_dimension(H) + littlestone_dimension(G) + 1
    for how in ("or", "and", "xor"):
        assert (
            vc_dimension(joined.pointwise(how, H, G))
            <= joined.Pointwise(how, *known).at_most["vc"].value
        )
    for dimension in (vc_dimension, dual_vc_dimension, littlestone_dimension):
        assert dimension(~H) == dimension(H)
    assert abs(threshold_dimension(~H) - threshold_dimension(H)) <= 1


def test_the_examples_of_the_program_are_true() -> None:
    assert doctest.testmod(joined).failed == 0 < doctest.testmod(joined).attempted


def test_the_bound_of_a_union_is_attained() -> None:
    """At most one label 1, at least two: all labellings of three points; 1 + 1 + 1."""
    few = FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert (vc_dimension(few), vc_dimension(~few), vc_dimension(few | ~few)) == (1, 1, 3)
    assert (littlestone_dimension(few), littlestone_dimension(few | ~few)) == (1, 3)


def test_families_have_operators() -> None:
    assert (Boxes(2) | Halfspaces(2)).at_most["vc"].value == 4 + 3 + 1
    assert (Thresholds() | ~Thresholds()).restrict(range(4)) == SignedThresholds().restrict(
        range(4)
    )
    assert isinstance(Thresholds() * Intervals(), Product)
    assert (Thresholds() * Intervals()).known["vc"].value == 3
    down = ~Thresholds()
    assert isinstance(down, Complement)
    assert down.known.keys() == {"littlestone", "vc", "dual_vc"}
    for family in (down, joined.Pointwise("and", Thresholds(), down)):
        patterns = family.restrict([3, 1, 2])
        for row, h in zip(patterns.table.tolist(), patterns.representatives, strict=True):
            assert [h(x) for x in patterns.domain] == row
    assert (Boxes(2) | Halfspaces(2)) == Union(Boxes(2), Halfspaces(2))
    assert vc_dimension(down) == 1


def test_tables_on_other_points_and_what_is_no_class() -> None:
    H = FiniteClass([[0, 1]], "ab")
    assert (H & FiniteClass([[1, 0]], "ba")).table.tolist() == [[0, 1]]
    assert len(classes.thresholds(2) | FiniteClass([[1, 0]])) == 4
    with pytest.raises(InvalidInput, match="another domain at position 1"):
        H | FiniteClass([[0, 1]])  # it is asked for what it says
    with pytest.raises(InvalidInput, match="the class on the right: got 3, want"):
        H | 3
    with pytest.raises(InvalidInput, match="want two tables: restrict a family"):
        Boxes(2) & Boxes(2)
    with pytest.raises(InvalidInput, match="how: got 'nor'"):
        joined.pointwise("nor", H)
    assert len(FiniteClass(np.zeros((0, 2))) | FiniteClass([[0, 1]])) == 1
    assert isinstance(H | [[1, 1]], FiniteClass)
