"""A sample is counted once, and what is counted is what its examples say."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import copy, deepcopy
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability.data import Sample
from pac_stability.data.label_counts import label_counts_of
from pac_stability.data.sample import unread_sample
from pac_stability.keeping import fingerprint_of

POINTS = st.sampled_from([0, False, 1, True, 1.0, Fraction(1), 2, "a", ("a", 1), None])


@given(st.lists(st.tuples(POINTS, st.integers(0, 1)), max_size=12))
def test_examples_are_counted(pairs: list[tuple[object, int]]) -> None:
    sample = Sample([point for point, _ in pairs], [label for _, label in pairs])
    points, zeros, ones = label_counts_of(sample)
    counted = Counter(pairs)
    assert list(map(repr, points)) == list(map(repr, sample.distinct_points))
    assert zeros.tolist() == [counted[point, 0] for point in points]
    assert ones.tolist() == [counted[point, 1] for point in points]


def test_a_sample_is_counted_once_and_nobody_sees_that() -> None:
    sample, other = Sample("abca", [0, 1, 1, 0]), Sample("abca", [0, 1, 1, 0])
    counts = label_counts_of(sample)
    assert label_counts_of(sample) is counts
    assert not counts.zeros.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        counts.ones[0] = 5
    assert (sample, hash(sample), repr(sample)) == (other, hash(other), repr(other))
    assert pickle.dumps(sample) == pickle.dumps(other)
    assert fingerprint_of(sample) == fingerprint_of(other)
    for twin in (copy(sample), deepcopy(sample)):
        assert twin == other
        assert label_counts_of(twin).ones.tolist() == counts.ones.tolist()


def test_parts_of_a_counted_sample_are_counted_anew() -> None:
    sample = Sample("abca", [0, 1, 1, 0])
    label_counts_of(sample)
    for part in (sample[1:], sample + sample, sample.replace(0, Sample("c", [1])[0])):
        points, zeros, ones = label_counts_of(part)
        assert (points, sum(zeros) + sum(ones)) == (part.distinct_points, len(part))
        assert sum(ones) == sum(part.labels)


def test_counting_looks_at_labels_and_then_at_points() -> None:
    looks: list[str] = []

    def look(part: str) -> tuple[object, ...]:
        looks.append(part)
        return (3, 3, 4) if part == "point" else (0, 1, 1)

    assert label_counts_of(unread_sample(look)).zeros.tolist() == [1, 0]
    assert looks == ["label", "point"]
