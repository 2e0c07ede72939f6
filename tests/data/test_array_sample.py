"""Samples in arrays."""

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import FiniteClass, InvalidInput, Sample, data
from shared_refusals import refuses


def test_subset_is_the_sample_of_these_examples() -> None:
    sample = data.ArraySample([[1, 2], [3, 4], [1, 5]], [0, 1, 1])
    assert sample.subset([2, 0, 2]) == Sample([(1, 5), (1, 2), (1, 5)], [1, 0, 1])
    assert data.ArraySample([0.5, 1], [True, False]).subset([1]) == Sample([1.0], [0])
    assert sample.subset([]) == Sample([], [])


def test_slices() -> None:
    part = data.ArraySample([[1, 2], [3, 4], [1, 5]], [0, 1, 1])[1:]
    assert (part.points.tolist(), part.labels.tolist()) == ([[3, 4], [1, 5]], [1, 1])
    with pytest.raises(InvalidInput, match="a slice"):
        part[0]  # type: ignore[index]  # refused


def test_it_keeps_a_copy_that_cannot_be_written() -> None:
    points, labels = np.array([1.0, 2.0]), np.array([0, 1])
    sample = data.ArraySample(points, labels)
    points[0], labels[0] = 7, 1
    assert sample.points.tolist() == [1, 2]
    assert sample.labels.tolist() == [0, 1]
    for array in (sample.points, sample.labels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(("points", "labels", "argument"), [
    ([1.0, float("nan")], [0, 1], "points"), ([1.0, float("inf")], [0, 1], "points"),
    ([2**62], [0], "points"), ([2**70], [0], "points"),
    (np.array([2**63], dtype=np.uint64), [0], "points"), (["a"], [0], "points"),
    ([[[1]]], [0], "points"), (np.zeros((2, 0)), [0, 1], "points"),
    ([[1], [1, 2]], [0, 1], "points"), ([1, 2], [0], "labels"), ([1, 2], [0, 2], "labels"),
    ([1, 2], [0, -1], "labels"), ([1, 2], [0.0, 1.0], "labels"), ([1, 2], [[0, 1]], "labels"),
])  # fmt: skip
def test_what_is_refused(points: npt.ArrayLike, labels: npt.ArrayLike, argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        data.ArraySample(points, labels)
    assert caught.value.argument == argument


@pytest.mark.parametrize("indices", [[2], [-1], [0.5], [[0]]])
def test_positions_outside(indices: Iterable[int]) -> None:
    refuses("positions from 0 to 1", data.ArraySample([1, 2], [0, 1]).subset, indices)


MISSING = np.ma.masked_array(
    [[0, 0], [0, 1], [1, 1]], mask=[[False, True], [False, False], [False, False]]
)


@pytest.mark.parametrize("make", [
    lambda: FiniteClass(MISSING), lambda: FiniteClass(list(MISSING)),
    lambda: data.ArraySample(MISSING, [0, 1, 1]), lambda: data.ArraySample([0, 1], MISSING[0]),
])  # fmt: skip
def test_a_masked_cell_is_missing(make: Callable[[], object]) -> None:
    refuses("masked", make)


def test_what_is_masked_nowhere_is_an_array() -> None:
    whole = np.ma.masked_array([[0, 0], [0, 1]])
    assert len(FiniteClass(whole)) == 2
    assert len(data.ArraySample(whole, [0, 1])) == 2
