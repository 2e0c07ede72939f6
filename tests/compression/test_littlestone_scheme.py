"""The scheme of SOA mistakes on every realizable sample of small random classes."""

from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from pac_stability import classes, compression, data, errors
from pac_stability.compression import any_class
from shared_dimensions import littlestone_by_definition
from shared_refusals import refuses


def random_classes(count: int, points: int) -> Iterator[classes.FiniteClass]:
    return (classes.random_class(2 + seed % 9, points, seed=seed) for seed in range(count))


def realizable_sequences(H: classes.FiniteClass, n: int) -> Iterator[data.Sample[int]]:
    seen = set()
    for row in H.table.tolist():
        for points in product(range(len(row)), repeat=n):
            labels = tuple(row[x] for x in points)
            if (points, labels) not in seen:
                seen.add((points, labels))
                yield data.Sample(points, labels)


def test_every_sequence_of_three_over_random_classes() -> None:
    outside = checked = 0
    for H in random_classes(12, 4):
        scheme = any_class.LittlestoneScheme(H)
        rows = tuple(map(tuple, H.table.tolist()))
        k = max(1, littlestone_by_definition(rows))
        for n in (1, 3):
            assert scheme.size(n) == k
            for S in realizable_sequences(H, n):
                indices = scheme.compress(S)
                assert len(indices) == k
                h = scheme.reconstruct(compression.subsample(S, indices))
                assert S.count_errors(h) == 0
                outside += tuple(map(h, H.domain)) not in rows
                checked += 1
    assert checked > 2000
    assert outside > 100  # improper, and really so


def test_five_points_in_every_order_of_labels() -> None:
    """Samples of all five points, which need the sample gone through more than once."""
    repeats = 0
    for H in random_classes(40, 5):
        scheme = any_class.LittlestoneScheme(H)
        for row in H.table.tolist():
            for points in ((0, 1, 2, 3, 4), (4, 2, 0, 1, 3), (3, 1, 4, 0, 2, 0)):
                S = data.Sample(points, [row[x] for x in points])
                indices = scheme.compress(S)
                # An index after a larger one: a mistake on a later pass.
                repeats += any(b < a for a, b in pairwise(indices))
                assert S.count_errors(scheme.run(S)) == 0
    assert repeats > 0


def test_sizes_of_known_classes() -> None:
    # Ldim: singletons 1, thresholds on 8 points floor(log2 9) = 3 with the empty one or
    # floor(log2 8) = 3 without, the cube its number of points.
    assert any_class.LittlestoneScheme(classes.singletons(9)).size(50) == 1
    assert any_class.LittlestoneScheme(classes.thresholds(8)).size(50) == 3
    assert any_class.LittlestoneScheme(classes.cube(3)).size(1) == 3


def test_order_matters() -> None:
    """The same kept examples in another order may rebuild another hypothesis."""
    found = False
    for H in random_classes(60, 4):
        scheme = any_class.LittlestoneScheme(H)
        for S in realizable_sequences(H, 2):
            found |= scheme.reconstruct(S) != scheme.reconstruct(compression.subsample(S, (1, 0)))
    assert found


def test_one_hypothesis_keeps_one_example_all_the_same() -> None:
    scheme = any_class.LittlestoneScheme(classes.FiniteClass([[0, 1, 1]]))
    assert scheme.size(4) == 1
    assert scheme.compress(data.Sample([2, 0], [1, 0])) == (0,)
    assert scheme.run(data.Sample([2, 0], [1, 0])) == classes.FiniteSet(frozenset({1, 2}))


def test_bad_input() -> None:
    scheme = any_class.LittlestoneScheme(classes.singletons(4))
    assert isinstance(scheme, compression.ImproperScheme)
    assert not scheme.agnostic
    with pytest.raises(errors.NotRealizable, match="no hypothesis"):
        scheme.compress(data.Sample([0, 1], [1, 1]))
    with pytest.raises(errors.NotRealizable, match="no hypothesis"):
        scheme.reconstruct(data.Sample([0, 0], [1, 0]))
    refuses("point", scheme.compress, data.Sample([9], [1]))
    refuses("sample", scheme.compress, data.Sample([], []))
    refuses("H", any_class.LittlestoneScheme, classes.FiniteClass([]))
    with pytest.raises(errors.BudgetExhausted):
        any_class.LittlestoneScheme(classes.cube(10), max_memory=10)
