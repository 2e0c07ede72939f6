"""Neighbours and their counts against all pairs of samples, compared by the definition."""

from collections.abc import Callable
from itertools import islice, product
from typing import cast

import numpy as np
import pytest

from pac_stability.data import (
    Example,
    Multiset,
    Neighbouring,
    Sample,
    all_examples,
    count_neighbouring_multisets,
    count_neighbouring_pairs,
    multiset_neighbours,
    multisets,
    neighbouring_multisets,
    neighbouring_pairs,
    neighbours,
)
from pac_stability.errors import InvalidInput

Rows = tuple[Example[int], ...]
REPLACE, ADD = Neighbouring.REPLACE_ONE, Neighbouring.ADD_REMOVE


def universe_of(size: int) -> Rows:
    """Examples (0, 0), (0, 1), (1, 0), ...: also an odd number of them."""
    return all_examples(range(size))[:size]


def related(left: Rows, right: Rows, relation: Neighbouring) -> bool:
    """Whether two sequences are neighbours, by the definition."""
    if relation is REPLACE:
        same_size = len(left) == len(right)
        return same_size and sum(a != b for a, b in zip(left, right, strict=True)) == 1
    short, long = sorted((left, right), key=len)
    return len(long) == len(short) + 1 and any(
        (*long[:i], *long[i + 1 :]) == short for i in range(len(long))
    )


def samples_near(universe: Rows, n: int) -> list[Rows]:
    """All sequences of size n - 1, n and n + 1."""
    sizes = range(max(n - 1, 0), n + 2)
    return [rows for size in sizes for rows in product(universe, repeat=size)]


CASES = [(k, n) for k in range(4) for n in range(4)]


@pytest.mark.parametrize("relation", Neighbouring)
@pytest.mark.parametrize(("k", "n"), CASES)
def test_pairs_are_those_of_the_definition(k: int, n: int, relation: Neighbouring) -> None:
    universe = universe_of(k)
    pairs = [(tuple(s), tuple(t)) for s, t in neighbouring_pairs(universe, n, relation)]
    others = samples_near(universe, n)
    expected = {
        (s, t) for s in product(universe, repeat=n) for t in others if related(s, t, relation)
    }
    assert set(pairs) == expected
    assert len(pairs) == len(expected) == count_neighbouring_pairs(k, n, relation)


@pytest.mark.parametrize("relation", Neighbouring)
@pytest.mark.parametrize(("k", "n"), CASES)
def test_pairs_up_to_order_are_those_with_a_sorted_first(
    k: int, n: int, relation: Neighbouring
) -> None:
    universe = universe_of(k)
    pairs = list(neighbouring_pairs(universe, n, relation, up_to_order=True))
    expected = [
        (s, t)
        for s, t in neighbouring_pairs(universe, n, relation)
        if list(s) == sorted(s, key=universe.index)
    ]
    assert pairs == expected
    assert len(pairs) == count_neighbouring_pairs(k, n, relation, up_to_order=True)


@pytest.mark.parametrize("relation", Neighbouring)
@pytest.mark.parametrize(("k", "n"), CASES)
def test_pairs_of_multisets_are_the_types_of_the_pairs_of_samples(
    k: int, n: int, relation: Neighbouring
) -> None:
    universe = universe_of(k)
    pairs = list(neighbouring_multisets(universe, n, relation))
    expected = {
        (Multiset.of(s), Multiset.of(t))
        for s, t in neighbouring_pairs(universe, n, relation)
        if Multiset.of(s) != Multiset.of(t)
    }
    assert set(pairs) == expected
    assert len(pairs) == len(expected) == count_neighbouring_multisets(k, n, relation)


@pytest.mark.parametrize("relation", Neighbouring)
def test_neighbours_of_one_sample_are_its_part_of_the_pairs(relation: Neighbouring) -> None:
    universe = universe_of(3)
    for rows in product(universe, repeat=3):
        sample = Sample.from_examples(rows)
        expected = [t for s, t in neighbouring_pairs(universe, 3, relation) if s == sample]
        assert list(neighbours(sample, universe, relation)) == expected
    for multiset in multisets(universe, 3):
        types = [t for s, t in neighbouring_multisets(universe, 3, relation) if s == multiset]
        assert list(multiset_neighbours(multiset, universe, relation)) == types


def test_an_example_outside_the_universe_can_only_leave() -> None:
    sample = Sample([9], [1])
    universe = all_examples([0])
    assert [tuple(t) for t in neighbours(sample, universe)] == [(z,) for z in universe]
    types = list(multiset_neighbours(Multiset.of(sample), universe))
    assert types == [Multiset.of([z]) for z in universe]


def test_counts_for_four_points_and_samples_of_five() -> None:
    # k = 8 labelled examples. Sorted samples: C(12, 5) = 792, each with 5 * 7 = 35 neighbours.
    # Multisets: what leaves (8), what enters (7), what stays: C(11, 4) = 330 multisets of size 4.
    universe = all_examples(range(4))
    pairs = neighbouring_pairs(universe, 5, up_to_order=True)
    assert sum(1 for _ in pairs) == count_neighbouring_pairs(8, 5, up_to_order=True) == 792 * 35
    types = neighbouring_multisets(universe, 5)
    assert sum(1 for _ in types) == count_neighbouring_multisets(8, 5) == 8 * 7 * 330
    assert count_neighbouring_pairs(8, 5) == 8**5 * 35


def test_counts_do_not_overflow_for_integers_of_numpy() -> None:
    size = np.int64(10**6)
    assert count_neighbouring_multisets(int(size), 5) > 2**63
    assert count_neighbouring_multisets(size, 5) == count_neighbouring_multisets(10**6, 5)  # type: ignore[arg-type]  # NumPy's integers have an index


def test_enumerations_stream() -> None:
    # About 10^82 pairs: only the first are asked for.
    universe = all_examples(range(5))
    assert len(list(islice(neighbouring_pairs(universe, 80), 3))) == 3
    assert len(list(islice(neighbouring_multisets(universe, 80), 3))) == 3


empty: Sample[int] = Sample([], [])


@pytest.mark.parametrize(("call", "argument"), [
    (lambda: neighbours(empty, [Example(0, 0), Example(0, 0)]), "universe"),
    (lambda: neighbours(empty, cast("Rows", (0, 1))), "universe"),
    (lambda: neighbours(empty, [], cast("Neighbouring", "add-remove")), "relation"),
    (lambda: neighbouring_pairs([], -1), "n"),
    (lambda: neighbouring_multisets("aa", 1), "universe"),
    (lambda: neighbouring_multisets("ab", -1), "n"),
    (lambda: multiset_neighbours(Multiset.of("a"), "aa"), "universe"),
    (lambda: count_neighbouring_pairs(-1, 1), "universe_size"),
    (lambda: count_neighbouring_multisets(1, -1), "n"),
])  # fmt: skip
def test_bad_arguments_are_named_at_the_call(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        call()
    assert caught.value.argument == argument
