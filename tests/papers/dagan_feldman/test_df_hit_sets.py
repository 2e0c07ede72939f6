"""Sets of distinct points that index subsets hit: against enumeration and two other formulas."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.selection import hit_sets


def enumerated(multiplicities: list[int], size: int) -> Counter[tuple[int, ...]]:
    """Go through the index subsets one by one."""
    owner = [point for point, copies in enumerate(multiplicities) for _ in range(copies)]
    return Counter(tuple(sorted(set(chosen))) for chosen in combinations(owner, size))


def by_inclusion_exclusion(multiplicities: list[int], members: tuple[int, ...], size: int) -> int:
    return sum(
        (-1) ** (len(members) - kept)
        * math.comb(sum(multiplicities[point] for point in some), size)
        for kept in range(len(members) + 1)
        for some in combinations(members, kept)
    )


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=5).flatmap(
        lambda drawn: st.tuples(st.just(drawn), st.integers(1, sum(drawn)))
    )
)
def test_sets_and_counts_are_those_of_an_enumeration(case: tuple[list[int], int]) -> None:
    multiplicities, size = case
    listed = list(hit_sets(multiplicities, size))
    assert len(dict(listed)) == len(listed)
    assert dict(listed) == enumerated(multiplicities, size)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=5), st.integers(1, 8))
def test_counts_follow_inclusion_and_exclusion(multiplicities: list[int], size: int) -> None:
    size = min(size, sum(multiplicities))
    found = dict(hit_sets(multiplicities, size))
    for kept in range(1, len(multiplicities) + 1):
        for members in combinations(range(len(multiplicities)), kept):
            expected = by_inclusion_exclusion(multiplicities, members, size)
            assert found.get(members, 0) == expected
    assert sum(found.values()) == math.comb(sum(multiplicities), size)


def test_many_points_and_one_index() -> None:
    # Each of the points is hit alone; a walk that tried every set would not end.
    found = dict(hit_sets([2] * 300, 1))
    assert found == {(point,): 2 for point in range(300)}


def test_all_but_one_of_forty_indices() -> None:
    # Every point occurs once, so that one point is missed: 40 sets out of 2**40.
    found = list(hit_sets([1] * 40, 39))
    everything = set(range(40))
    assert {frozenset(everything - set(members)) for members, _ in found} == {
        frozenset([missed]) for missed in range(40)
    }
    assert len(found) == 40
    assert {count for _, count in found} == {1}


@pytest.mark.parametrize(
    ("multiplicities", "size", "argument"),
    [
        ([1, 2], 0, "size"), ([1, 2], 4, "size"), ([1, 2], True, "size"), ([], 1, "size"),
        ([1, 0], 1, "multiplicities"), ([1.0], 1, "multiplicities"),
    ],
)  # fmt: skip
def test_bad_input(multiplicities: list[int], size: int, argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        list(hit_sets(multiplicities, size))
    assert caught.value.argument == argument
