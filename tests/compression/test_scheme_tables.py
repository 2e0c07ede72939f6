"""The least size against all decoders there are, and the tables on every sample."""

import math
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from pac_stability import BudgetExhausted, classes, data, dimensions
from pac_stability.compression import ImproperScheme, ProperScheme, Selection, smallest, subsample
from shared_refusals import refuses

Labels = tuple[int, ...]
VARIANTS = list(product((True, False), repeat=2))


def all_classes(points: int) -> Iterator[classes.FiniteClass]:
    rows = list(product((0, 1), repeat=points))
    for count in range(1, len(rows) + 1):
        yield from map(classes.FiniteClass, combinations(rows, count))


def least_size(rows: list[Labels], labelings: list[Labels], most: int) -> int:
    """The least k, from 1 on, for which one of all decoders of sets of at most k examples works."""
    columns = range(len(rows[0]))
    realizable = {
        frozenset((x, row[x]) for x in chosen)
        for row in rows
        for count in range(1, len(row) + 1)
        for chosen in combinations(columns, count)
    }
    for k in range(1, most):
        kept = [members for members in realizable if len(members) <= k]
        inside = {R: [i for i, U in enumerate(kept) if U <= R] for R in realizable}
        for decoder in product(labelings, repeat=len(kept)):
            if all(
                any(all(decoder[i][x] == y for x, y in R) for i in indices)
                for R, indices in inside.items()
            ):
                return k
    return most


def test_the_least_size_on_two_points_by_all_decoders() -> None:
    for H in all_classes(2):
        rows = list(map(tuple, H.table.tolist()))
        everything = list(product((0, 1), repeat=2))
        for ordered in (True, False):
            assert smallest.smallest_scheme(H, ordered=ordered).size(5) == least_size(rows, rows, 2)
            improper = smallest.smallest_scheme(H, proper=False, ordered=ordered)
            assert improper.size(5) == least_size(rows, everything, 2)


def test_the_least_size_on_three_points_by_all_decoders() -> None:
    sizes = set()
    for seed in range(12):
        H = classes.random_class(5, 3, seed=seed)
        rows = list(map(tuple, H.table.tolist()))
        expected = least_size(rows, rows, 2)
        sizes.add(expected)
        assert smallest.smallest_scheme(H).size(5) == expected
    assert sizes == {1, 2}


def test_seven_labelings_of_three_points_need_two_examples() -> None:
    """One kept example has six values, and each labeling of all points needs its own."""
    assert {smallest.smallest_scheme(H).size(9) for H in all_classes(3) if len(H) >= 7} == {2}


@pytest.mark.parametrize(("proper", "ordered"), VARIANTS)
def test_tables_compress_every_sample(proper: bool, ordered: bool) -> None:
    improved = 0
    for seed in range(3):
        H = classes.random_class(4 + 2 * seed, 3, seed=seed)
        table = smallest.smallest_scheme(H, proper=proper, ordered=ordered)
        assert isinstance(table, ProperScheme if proper else ImproperScheme)
        assert table.family is H
        assert table.selection is (Selection.SEQUENCE if ordered else Selection.MULTISET)
        for n in (1, 2, 3):
            for drawn in product(data.all_examples(H.domain), repeat=n):
                S = data.Sample.from_examples(drawn)
                indices = table.compress(S)
                assert len(indices) == table.size(n)
                h = table.reconstruct(subsample(S, indices))
                least = min(S.count_errors(row) for row in H)
                errors = S.count_errors(h)
                assert errors <= least
                improved += errors < least
    if proper:
        assert improved == 0


def test_unordered_tables_ignore_order_and_repetition() -> None:
    scheme = smallest.smallest_scheme(classes.cube(3), ordered=False)
    assert scheme.size(3) == 2
    for a, b in product(data.all_examples(range(3)), repeat=2):
        first = scheme.reconstruct(data.Sample.from_examples([a, b]))
        assert scheme.reconstruct(data.Sample.from_examples([b, a])) == first


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5])
def test_cubes_are_compressed_as_far_as_counting_allows(m: int) -> None:
    """Different labelings of all points need different sets of at most k examples."""
    counted = next(
        k
        for k in range(1, m + 1)
        if sum(math.comb(m, size) * 2**size for size in range(1, k + 1)) >= 2**m
    )
    assert smallest.smallest_scheme(classes.cube(m), ordered=False).size(m) == counted
    assert counted == (1 if m <= 2 else 2)
    assert counted < dimensions.vc_dimension(classes.cube(m)) or m == 1


def test_every_example_of_the_table_comes_from_its_set() -> None:
    scheme = smallest.smallest_scheme(classes.intervals(4))
    assert scheme.size(4) == 2
    assert all(set(kept) <= members for members, kept in scheme.to_keep.items())
    realizable = {
        frozenset(data.Example(x, h(x)) for x in chosen)
        for h in classes.intervals(4)
        for count in range(1, 5)
        for chosen in combinations(classes.intervals(4).domain, count)
    }
    assert set(scheme.to_keep) == realizable
    for members, kept in scheme.to_keep.items():
        h = scheme.to_rebuild[kept]
        assert all(h(z.point) == z.label for z in members)


def test_thresholds_need_one_example() -> None:
    assert smallest.smallest_scheme(classes.thresholds(6)).size(100) == 1


def test_bad_input() -> None:
    for bad in (classes.FiniteClass([]), classes.FiniteClass([[]]), classes.FiniteClass([[0] * 7])):
        refuses("H", smallest.smallest_scheme, bad)
    refuses("max_nodes", smallest.smallest_scheme, classes.cube(2), max_nodes=0)
    with pytest.raises(BudgetExhausted) as caught:
        smallest.smallest_scheme(classes.cube(4), max_nodes=5)
    assert (caught.value.lower, caught.value.upper) == (1, 4)
    scheme = smallest.smallest_scheme(classes.cube(3))
    refuses("kept", scheme.reconstruct, data.Sample([0], [0]))
    refuses("point", scheme.reconstruct, data.Sample([0, 7], [0, 0]))
