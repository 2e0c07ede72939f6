"""Samples, their neighbours and their types, against brute force from the definitions."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pac_stability.data import (
    Example,
    FiniteDistribution,
    Multiset,
    Neighbouring,
    Sample,
    count_multisets,
    count_replacement_pairs,
    label_from_sign,
    multisets,
    neighbours,
    replacement_neighbours,
    replacement_pairs,
)
from pac_stability.errors import InvalidInput

pairs = st.tuples(st.integers(0, 2), st.integers(0, 1))
samples = st.lists(pairs, max_size=4)
universes = st.lists(pairs, unique=True, max_size=4)


@given(samples, samples, st.lists(st.integers(0, 1), min_size=3, max_size=3))
def test_a_sample_is_its_list_of_pairs(
    s: list[tuple[int, int]], t: list[tuple[int, int]], h: list[int]
) -> None:
    sample = Sample.from_pairs(s)
    assert list(sample) == s
    assert list(sample + Sample.from_pairs(t)) == s + t
    assert sample[1:] == Sample.from_pairs(s[1:])
    assert hash(sample) == hash(Sample.from_pairs(list(s)))
    errors = sum(h[x] != y for x, y in s)
    assert sample.count_errors(lambda x: h[x]) == sample.count_errors(dict(enumerate(h))) == errors
    assert sample.loss(lambda x: h[x]) == (Fraction(errors, len(s)) if s else 0)
    assert sample.is_labelled_by(lambda x: np.bool_(h[x])) == (errors == 0)
    assert list(sample.points_set) == sorted({x for x, _ in s}, key=[x for x, _ in s].index)
    assert Sample(**json.loads(json.dumps(sample.to_json()))) == sample
    for i in range(len(s)):
        assert list(sample.replace(i, Example(9, 1))) == [*s[:i], (9, 1), *s[i + 1 :]]


def test_labels_are_zero_or_one() -> None:
    with pytest.raises(InvalidInput, match="label_from_sign"):
        Sample([0], [-1])
    for bad in (2, "1", 0.5, None, np.array([0, 1])):
        with pytest.raises(InvalidInput, match=r"^label: got"):
            Example(0, bad)  # type: ignore[arg-type]  # what is tested
    assert type(Example(0, np.int8(1)).label) is int  # type: ignore[arg-type]  # accepted at run time
    assert [label_from_sign(s) for s in (-1, 1)] == [0, 1]
    with pytest.raises(InvalidInput, match=r"^sign: got 0"):
        label_from_sign(0)
    with pytest.raises(InvalidInput, match="one for each of 2"):
        Sample([0, 1], [1])
    with pytest.raises(InvalidInput, match="hashable"):
        Sample([[0]], [1])  # type: ignore[type-var]  # what is tested
    with pytest.raises(InvalidInput, match="no label for 3"):
        Sample([3], [1]).loss({0: 1})


def all_sequences(universe: list[Example[int]], sizes: range) -> list[tuple[Example[int], ...]]:
    return [s for n in sizes for s in itertools.product(universe, repeat=n)]


@given(samples.filter(lambda s: len(s) <= 3), universes)
def test_neighbours_are_exactly_those_of_the_definition(
    s: list[tuple[int, int]], u: list[tuple[int, int]]
) -> None:
    sample, universe = Sample.from_pairs(s), [Example(*e) for e in u]
    alphabet = [Example(*e) for e in {*u, *s}]
    original = tuple(sample)
    replaced = [
        t
        for t in itertools.product(alphabet, repeat=len(s))
        if [b in universe for a, b in zip(original, t, strict=True) if a != b] == [True]
    ]
    found = [tuple(n) for n in replacement_neighbours(sample, universe)]
    assert len(found) == len(set(found)) == len(s) * len(u) - sum(e in u for e in s)
    assert set(found) == set(replaced)

    longer = {
        t
        for t in itertools.product(alphabet, repeat=len(s) + 1)
        if any(t[:i] + t[i + 1 :] == original and t[i] in universe for i in range(len(t)))
    }
    shorter = {original[:i] + original[i + 1 :] for i in range(len(s))}
    other = [tuple(n) for n in neighbours(sample, universe, Neighbouring.ADD_REMOVE)]
    assert len(other) == len(set(other))
    assert set(other) == longer | shorter


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pairs_are_all_pairs_at_distance_one(n: int, size: int) -> None:
    universe = [Example(i, i % 2) for i in range(size)]
    everything = [Sample.from_pairs(t) for t in itertools.product(universe, repeat=n)]
    expected = {
        (s, t)
        for s in everything
        for t in everything
        if sum(a != b for a, b in zip(s, t, strict=True)) == 1
    }
    ordered = list(replacement_pairs(universe, n))
    assert len(ordered) == len(expected) == count_replacement_pairs(size, n)
    assert set(ordered) == expected
    once = list(replacement_pairs(universe, n, ordered=False))
    assert len(once) == count_replacement_pairs(size, n, ordered=False)
    assert {frozenset(pair) for pair in once} == {frozenset(pair) for pair in expected}


def test_a_universe_may_not_repeat() -> None:
    twice = [Example(0, 1)] * 2
    with pytest.raises(InvalidInput, match=r"^universe"):
        neighbours(Sample([0], [0]), twice)
    with pytest.raises(InvalidInput, match=r"^universe"):
        next(replacement_pairs(twice, 1))


@given(st.integers(0, 4), st.integers(0, 4))
def test_multisets_group_the_sequences(k: int, n: int) -> None:
    universe = tuple(range(k))
    groups = Counter(tuple(sorted(s)) for s in itertools.product(universe, repeat=n))
    listed = list(multisets(universe, n))
    assert len(listed) == len(set(listed)) == count_multisets(k, n)
    assert {m.elements(): m.orderings for m in listed} == groups
    assert all(m.size == n and Multiset.of(m.elements(), universe) == m for m in listed)
    if k:
        law = FiniteDistribution.proportional({i: i + 1 for i in universe})
        types = law.power(n).map(lambda s: Multiset.of(s, universe))
        assert all(types.probability(m) == m.probability(law) for m in listed)


def test_multisets_refuse_bad_input() -> None:
    with pytest.raises(InvalidInput, match=r"^elements: got 'z'"):
        Multiset.of("z", "ab")
    with pytest.raises(InvalidInput, match=r"^universe"):
        Multiset(("a", "a"), (1, 1))
    with pytest.raises(InvalidInput, match=r"^counts"):
        Multiset(("a", "b"), (1, -1))
    with pytest.raises(InvalidInput, match=r"^counts"):
        Multiset(("a",), (1, 1))
