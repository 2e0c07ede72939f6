"""The hard-margin scheme against enumerated dichotomies and a brute-force margin."""

import operator
from collections.abc import Hashable, Sequence
from copy import copy
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, strategies as st

from pac_stability import classes, data, errors, testing
from pac_stability.compression import geometric, subsample
from pac_stability.compression.scheme import Selection
from shared_refusals import refuses

Plane = tuple[Fraction, Fraction]

CONFIGURATIONS: dict[str, list[tuple[float, float]]] = {
    "grid": [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)],
    "on a line": [(0, 0), (1, 2), (2, 4), (3, 6), (5, 10)],
    "repeated": [(0, 0), (0, 0), (1, 0), (1, 0), (0, 1), (3, 3)],
    "floats": [(0.1, 0.2), (0.3, -0.7), (0.5, 0.5), (-1.25, 0.3), (0.1, 1e-9)],
    "one point": [(2, 3), (2, 3)],
}


def dichotomies(points: Sequence[Hashable], dimension: int = 2) -> set[tuple[int, ...]]:
    """Labels that a halfspace gives to the points, from the family's own enumeration."""
    patterns = classes.Halfspaces(dimension).restrict(points)
    columns = [patterns.domain.index(point) for point in points]
    return {tuple(row[columns].tolist()) for row in patterns.table}


def squared_distance(ones: list[Plane], zeros: list[Plane]) -> Fraction:
    """Of two disjoint hulls in the plane: from points to points, and from points to segments."""
    distances = []
    for near, far in ((ones, zeros), (zeros, ones)):
        for x in near:
            for a, b in product(far, repeat=2):
                edge, way = (b[0] - a[0], b[1] - a[1]), (x[0] - a[0], x[1] - a[1])
                length = edge[0] ** 2 + edge[1] ** 2
                along = edge[0] * way[0] + edge[1] * way[1]
                t = min(max(along / length, Fraction(0)), Fraction(1)) if length else Fraction(0)
                distances.append((way[0] - t * edge[0]) ** 2 + (way[1] - t * edge[1]) ** 2)
    return min(distances)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_labelling_is_fitted_or_refused_with_a_witness(name: str) -> None:
    points = CONFIGURATIONS[name]
    scheme, fitted = geometric.HalfspaceScheme(2), dichotomies(points)
    refused = 0
    for labels in product((0, 1), repeat=len(points)):
        S = data.Sample(points, labels)
        if labels in fitted:
            indices = scheme.compress(S)
            assert len(set(indices)) == len(indices) == scheme.size(len(S)) == min(3, len(S))
            assert S.count_errors(scheme.reconstruct(subsample(S, indices))) == 0
        else:
            refused += 1
            with pytest.raises(geometric.NotSeparable) as caught:
                scheme.compress(S)
            witness = caught.value.witness
            assert 2 <= len(witness) <= 4
            assert set(witness) <= set(S)
            assert witness.labels not in dichotomies(witness.points)
    assert refused == 2 ** len(points) - len(fitted)


@pytest.mark.parametrize("name", ["grid", "floats"])
def test_the_margin_in_the_plane_is_the_largest(name: str) -> None:
    points = CONFIGURATIONS[name]
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    for labels in dichotomies(points):
        if len(set(labels)) == 1:
            continue
        h = geometric.HalfspaceScheme(2).run(data.Sample(points, labels))
        a, b = h.weights
        nearest = min(
            (a * x + b * y + h.bias) * (1 if label else -1)
            for (x, y), label in zip(exact, labels, strict=True)
        )
        ones = [point for point, label in zip(exact, labels, strict=True) if label]
        zeros = [point for point, label in zip(exact, labels, strict=True) if not label]
        # Twice the distance to the separator is the distance of the hulls.
        assert 4 * nearest**2 / (a * a + b * b) == squared_distance(ones, zeros)


def separable(p: int) -> st.SearchStrategy[data.Sample[tuple[int, ...]]]:
    point = st.tuples(*[st.integers(-6, 6)] * p)
    halfspace = st.tuples(point, st.integers(-6, 6)).map(
        lambda drawn: lambda x: int(sum(map(operator.mul, drawn[0], x)) + drawn[1] >= 0)
    )
    return testing.strategies.labelled_samples(halfspace, point, min_size=1, max_size=14)


@given(st.integers(1, 4).flatmap(separable))
def test_the_hypothesis_depends_neither_on_order_nor_on_what_is_not_kept(
    S: data.Sample[tuple[int, ...]],
) -> None:
    scheme = geometric.HalfspaceScheme(len(S.points[0]))
    h = scheme.run(S)
    assert S.count_errors(h) == 0
    shuffled = data.Sample.from_examples(sorted(S, key=lambda z: (z.point[::-1], z.label)))
    assert scheme.run(shuffled) == h
    kept = scheme.keep(S)
    assert all(
        scheme.reconstruct(data.Sample.from_examples(order)) == h
        for order in list(permutations(kept))[:24]
    )
    assert scheme.reconstruct(S) == h  # the separator of the whole sample


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3)), max_size=9))
def test_in_space_refusals_are_right(points: list[tuple[int, int, int]]) -> None:
    if not points:
        return
    labels = [(x * y + z * z + x) % 2 for x, y, z in points]
    S = data.Sample(points, labels)
    if tuple(labels) in dichotomies(S.points, 3):
        assert S.count_errors(geometric.HalfspaceScheme(3).run(S)) == 0
        return
    with pytest.raises(geometric.NotSeparable) as caught:
        geometric.HalfspaceScheme(3).compress(S)
    assert len(caught.value.witness) <= 5
    assert caught.value.witness.labels not in dichotomies(caught.value.witness.points, 3)


def test_one_label_only() -> None:
    scheme = geometric.HalfspaceScheme(2)
    points = [(3, 1), (1.5, 0), (2, 5), (9, 9)]
    ones, zeros = data.Sample(points, [1] * 4), data.Sample(points, [0] * 4)
    assert ones.count_errors(scheme.run(ones)) == zeros.count_errors(scheme.run(zeros)) == 0
    assert 1 in scheme.compress(ones)  # the least first coordinate
    assert 3 in scheme.compress(zeros)  # the greatest


def test_a_point_with_both_labels_is_the_witness() -> None:
    S = data.Sample([(0, 0), (1, 1), (5, 5), (1, 1)], [0, 1, 1, 0])
    with pytest.raises(errors.NotRealizable, match="their hulls meet") as caught:
        geometric.HalfspaceScheme(2).compress(S)
    assert isinstance(caught.value, geometric.NotSeparable)
    assert set(caught.value.witness) == {S[1], S[3]}
    assert copy(caught.value).witness == caught.value.witness


def test_many_points_in_general_position() -> None:
    # Points of the moment curve: a halfspace cuts it in at most p pieces.
    for p, n in ((2, 400), (5, 60)):
        points = [tuple(t**k for k in range(1, p + 1)) for t in range(-n // 2, n // 2)]
        labels = [int(sum(x) >= 7) for x in points]
        S = data.Sample(points, labels)
        scheme = geometric.HalfspaceScheme(p)
        assert S.count_errors(scheme.run(S)) == 0
        assert len(scheme.compress(S)) == p + 1


def test_fewer_examples_do_not_do_in_general() -> None:
    """Without one of the three support vectors of this sample the separator is another."""
    S = data.Sample([(0, 0), (4, 0), (1, 3)], [0, 0, 1])
    scheme = geometric.HalfspaceScheme(2)
    h = scheme.run(S)
    assert all(scheme.reconstruct(subsample(S, two)) != h for two in combinations(range(3), 2))


def test_types_and_bad_input() -> None:
    scheme = geometric.HalfspaceScheme(2)
    assert scheme.selection is Selection.SUBSET
    assert not scheme.agnostic
    assert [scheme.size(n) for n in range(1, 6)] == [1, 2, 3, 3, 3]
    refuses("dimension", geometric.HalfspaceScheme, 0)
    for bad in ((1, 2, 3), (1, float("inf")), "ab", 7):
        refuses("point", scheme.compress, data.Sample([bad], [1]))
    refuses("kept", scheme.reconstruct, data.Sample([], []))
    with pytest.raises(geometric.NotSeparable):
        scheme.reconstruct(data.Sample([(0, 0), (0, 0)], [0, 1]))
