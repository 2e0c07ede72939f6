"""The scheme of SOA mistakes on every realizable sample of small random classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from pac_stability.classes import FiniteClass, FiniteSet, cube, random_class, singletons, thresholds
from pac_stability.compression import ImproperScheme, subsample
from pac_stability.compression.any_class import LittlestoneScheme
from pac_stability.data import Sample
from pac_stability.errors import BudgetExhausted, InvalidInput, NotRealizable
from pac_stability.testing.contract import littlestone_by_definition


def random_classes(count: int, points: int) -> Iterator[FiniteClass]:
    return (random_class(2 + seed % 9, points, seed=seed) for seed in range(count))


def realizable_sequences(H: FiniteClass, n: int) -> Iterator[Sample[int]]:
    seen = set()
    for row in H.table.tolist():
        for points in product(range(len(row)), repeat=n):
            labels = tuple(row[x] for x in points)
            if (points, labels) not in seen:
                seen.add((points, labels))
                yield Sample(points, labels)


def test_every_sequence_of_three_over_random_classes() -> None:
    outside = checked = 0
    for H in random_classes(12, 4):
        scheme = LittlestoneScheme(H)
        rows = tuple(map(tuple, H.table.tolist()))
        k = max(1, littlestone_by_definition(rows))
        for n in (1, 3):
            assert scheme.size(n) == k
            for S in realizable_sequences(H, n):
                indices = scheme.compress(S)
                assert len(indices) == k
                h = scheme.reconstruct(subsample(S, indices))
                assert S.count_errors(h) == 0
                outside += tuple(map(h, H.domain)) not in rows
                checked += 1
    assert checked > 2000
    assert outside > 100  # improper, and really so


def test_five_points_in_every_order_of_labels() -> None:
    """Samples of all five points, which need the sample gone through more than once."""
    repeats = 0
    for H in random_classes(40, 5):
        scheme = LittlestoneScheme(H)
        for row in H.table.tolist():
            for points in ((0, 1, 2, 3, 4), (4, 2, 0, 1, 3), (3, 1, 4, 0, 2, 0)):
                S = Sample(points, [row[x] for x in points])
                indices = scheme.compress(S)
                # An index after a larger one: a mistake on a later pass.
                repeats += any(b < a for a, b in pairwise(indices))
                assert S.count_errors(scheme.run(S)) == 0
    assert repeats > 0


def test_sizes_of_known_classes() -> None:
    # Ldim: singletons 1, thresholds on 8 points floor(log2 9) = 3 with the empty one or
    # floor(log2 8) = 3 without, the cube its number of points.
    assert LittlestoneScheme(singletons(9)).size(50) == 1
    assert LittlestoneScheme(thresholds(8)).size(50) == 3
    assert LittlestoneScheme(cube(3)).size(1) == 3


def test_order_matters() -> None:
    """The same kept examples in another order may rebuild another hypothesis."""
    found = False
    for H in random_classes(60, 4):
        scheme = LittlestoneScheme(H)
        for S in realizable_sequences(H, 2):
            found |= scheme.reconstruct(S) != scheme.reconstruct(subsample(S, (1, 0)))
    assert found


def test_one_hypothesis_keeps_one_example_all_the_same() -> None:
    scheme = LittlestoneScheme(FiniteClass([[0, 1, 1]]))
    assert scheme.size(4) == 1
    assert scheme.compress(Sample([2, 0], [1, 0])) == (0,)
    assert scheme.run(Sample([2, 0], [1, 0])) == FiniteSet(frozenset({1, 2}))


def test_bad_input() -> None:
    scheme = LittlestoneScheme(singletons(4))
    assert isinstance(scheme, ImproperScheme)
    assert not scheme.agnostic
    with pytest.raises(NotRealizable, match="no hypothesis"):
        scheme.compress(Sample([0, 1], [1, 1]))
    with pytest.raises(NotRealizable, match="no hypothesis"):
        scheme.reconstruct(Sample([0, 0], [1, 0]))
    with pytest.raises(InvalidInput, match="point"):
        scheme.compress(Sample([9], [1]))
    with pytest.raises(InvalidInput, match="sample"):
        scheme.compress(Sample([], []))
    with pytest.raises(InvalidInput, match="H"):
        LittlestoneScheme(FiniteClass([]))
    with pytest.raises(BudgetExhausted):
        LittlestoneScheme(cube(10), max_memory=10)
