"""Errors of sparse halfspaces: the kernel against the hypotheses themselves, asked one by one."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.classes import SparseHalfspaces, rules as sparse_halfspaces
from pac_stability.data import ArraySample, Sample


@given(st.integers(1, 4), st.integers(1, 7), st.integers(1, 4), st.integers(1, 6), st.data())
def test_the_kernel_counts_what_each_rule_gets_wrong(
    dimension: int, largest: int, sparsity: int, cuts: int, data: st.DataObject
) -> None:
    rules = SparseHalfspaces(dimension, largest, sparsity, cuts)
    point = st.tuples(*[st.integers(0, largest)] * dimension)
    points = data.draw(st.lists(point, max_size=12))
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(points), max_size=len(points)))
    expected = [sum(h(x) != y for x, y in zip(points, labels, strict=True)) for h in rules]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse_halfspaces, "_WORK", data.draw(st.sampled_from([1, 100, 1 << 23])))
        assert rules.errors(Sample(points, labels)).tolist() == expected
        if points:
            assert rules.errors(ArraySample(points, labels)).tolist() == expected
            codes = np.array(points, dtype=np.int64)
            (some,) = data.draw(st.lists(st.sampled_from(rules), min_size=1, max_size=1))
            assert some.labels(codes).tolist() == [some(x) for x in points]
