"""Samples as numbers against itertools, cliques against the definition of neighbours."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest

from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.data import Neighbouring

Sequence = tuple[int, ...]


def cliques(neighbourhood: Neighbourhood, step: int) -> list[list[int]]:
    return [
        row
        for start in range(0, neighbourhood.units, step)
        for block in neighbourhood.cliques(start, min(start + step, neighbourhood.units))
        for row in block.tolist()
    ]


def distance(a: Sequence, b: Sequence, up_to_order: bool) -> int:
    if up_to_order:
        return sum((Counter(a) - Counter(b)).values())
    return sum(x != y for x, y in zip(a, b, strict=True))


def is_inserted(short: Sequence, long: Sequence, up_to_order: bool) -> bool:
    if len(long) != len(short) + 1:
        return False
    cuts = [long[:i] + long[i + 1 :] for i in range(len(long))]
    return short in [tuple(sorted(c)) if up_to_order else c for c in cuts]


@pytest.mark.parametrize("up_to_order", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("n", range(4))
def test_samples_are_in_lexicographic_order(k: int, n: int, up_to_order: bool) -> None:
    neighbourhood = Neighbourhood(k, n, up_to_order=up_to_order)
    expected = (
        list(combinations_with_replacement(range(k), n))
        if up_to_order
        else list(product(range(k), repeat=n))
    )
    assert neighbourhood.entries(0, neighbourhood.samples) == expected
    assert neighbourhood.entries(1, 3) == expected[1:3]


@pytest.mark.parametrize("up_to_order", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize("size", [1, 2, 3])
def test_cliques_hold_all_pairs_at_a_distance(k: int, n: int, size: int, up_to_order: bool) -> None:
    neighbourhood = Neighbourhood(k, n, up_to_order=up_to_order, distance=size)
    samples = neighbourhood.entries(0, neighbourhood.samples)
    rows = cliques(neighbourhood, 2)
    assert all(row == sorted(row) for row in rows)
    found = {pair for row in rows for pair in combinations(row, 2) if pair[0] != pair[1]}
    expected = {
        (a, b)
        for a, b in combinations(range(len(samples)), 2)
        if distance(samples[a], samples[b], up_to_order) <= size
    }
    assert found == expected
    if not up_to_order:
        assert neighbourhood.pairs == 2 * len(expected)


@pytest.mark.parametrize("up_to_order", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize(("least", "n"), [(0, 0), (0, 1), (0, 3), (1, 2), (2, 2), (2, 4)])
def test_cliques_hold_all_insertions(k: int, least: int, n: int, up_to_order: bool) -> None:
    neighbourhood = Neighbourhood(k, n, Neighbouring.ADD_REMOVE, up_to_order, least=least)
    samples = neighbourhood.entries(0, neighbourhood.samples)
    assert [len(s) for s in samples] == sorted(map(len, samples))
    assert {*map(len, samples)} == {*range(least, n + 1)}
    found = {tuple(row) for row in cliques(neighbourhood, 3)}
    expected = {
        (a, b)
        for a, short in enumerate(samples)
        for b, long in enumerate(samples)
        if is_inserted(short, long, up_to_order)
    }
    assert found == expected
    assert neighbourhood.pairs == 2 * len(expected)


def test_the_pairs_of_the_design_instance() -> None:
    """4 points, 8 labelled examples, n = 5: 792 samples up to order, 792 * 5 * 7 pairs."""
    neighbourhood = Neighbourhood(8, 5, up_to_order=True)
    assert (neighbourhood.samples, neighbourhood.pairs) == (792, 27_720)
    # 330 samples of size 4 up to order, and all 8 examples inserted in each.
    assert (neighbourhood.units, neighbourhood.width) == (330, 8)
