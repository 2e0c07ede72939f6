"""A sample is counted once, and what is counted is what its examples say."""

import pickle
from collections import Counter
from copy import copy, deepcopy
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.data import Sample, sample as label_counts
from pac_stability.data.sample import label_counts_of
from pac_stability.keeping import fingerprint_of

POINTS = st.sampled_from([0, False, 1, True, 1.0, Fraction(1), 2, "a", ("a", 1), None])


@pytest.mark.parametrize("few", [0, 64])
@given(pairs=st.lists(st.tuples(POINTS, st.integers(0, 1)), max_size=12))
def test_examples_are_counted(few: int, pairs: list[tuple[object, int]]) -> None:
    sample = Sample([point for point, _ in pairs], [label for _, label in pairs])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(label_counts, "_FEW", few)
        points, surplus, ones = label_counts_of(sample)
    counted = Counter(pairs)
    assert list(map(repr, points)) == list(map(repr, sample.distinct_points))
    assert surplus.dtype == np.int64
    assert surplus.tolist() == [counted[point, 0] - counted[point, 1] for point in points]
    assert (ones, type(ones)) == (sum(sample.labels), int)


def test_a_long_sample_is_counted_once_and_nobody_sees_that() -> None:
    sample, other = (Sample("abca" * 30, [0, 1, 1, 0] * 30) for _ in range(2))
    counts = label_counts_of(sample)
    assert label_counts_of(sample) is counts
    with pytest.raises(ValueError, match="read-only"):
        counts.surplus[0] = 5
    assert (sample, hash(sample), repr(sample)) == (other, hash(other), repr(other))
    assert pickle.dumps(sample) == pickle.dumps(other)
    assert fingerprint_of(sample) == fingerprint_of(other)
    for twin in (copy(sample), deepcopy(sample)):
        assert twin == other
        assert label_counts_of(twin).surplus.tolist() == [60, -30, -30]


def test_parts_of_a_counted_sample_are_counted_anew() -> None:
    sample = Sample("abca" * 30, [0, 1, 1, 0] * 30)
    label_counts_of(sample)
    for part in (sample[1:], sample + sample, sample.replace(0, Sample("c", [1])[0])):
        points, surplus, ones = label_counts_of(part)
        assert (points, ones) == (part.distinct_points, sum(part.labels))
        assert sum(surplus) == len(part) - 2 * ones
