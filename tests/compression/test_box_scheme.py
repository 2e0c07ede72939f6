"""Boxes, from two examples for each axis."""

import math
from collections.abc import Callable, Hashable
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, Sample, classes
from pac_stability.compression.geometric import BoxScheme
from pac_stability.compression.scheme import check_scheme

DIAMOND = ((1, 0), (0, 1), (2, 1), (1, 2))
STAIRS = ((0, 0), (1, 1), (2, 0), (0, 2))


@pytest.mark.parametrize("domain", [DIAMOND, STAIRS])
def test_valid_on_every_sample_of_the_plane_up_to_order(domain: tuple[Hashable, ...]) -> None:
    found = check_scheme(BoxScheme(2), domain, 4, symmetric=True)
    assert found.counterexample is None
    # Multisets of 8 examples: 8 + 36 + 120 + 330.
    assert sum(found.examined.values()) == 494


def test_valid_on_every_ordered_sample() -> None:
    found = check_scheme(BoxScheme(1), [(2,), (0,), (1,)], 4)
    assert found.counterexample is None
    assert found.examined == {1: 6, 2: 36, 3: 216, 4: 1296}
    assert check_scheme(BoxScheme(2), DIAMOND, 2).valid


coordinates = st.sampled_from([0, 0.1, 0.5, 1, 2])


@given(
    examples=st.lists(
        st.tuples(st.tuples(coordinates, coordinates), st.integers(0, 1)), min_size=1, max_size=8
    )
)
@settings(max_examples=60)
def test_as_few_errors_as_any_box(examples: list[tuple[tuple[float, float], int]]) -> None:
    sample = Sample[Hashable]([x for x, _ in examples], [y for _, y in examples])
    sides = [(low, high) for low in (0, 0.1, 0.5, 1, 2, 3) for high in (0, 0.1, 0.5, 1, 2)]
    least = min(
        sum((low <= x <= high and left <= y <= right) != bool(label) for (x, y), label in examples)
        for (low, high), (left, right) in product(sides, repeat=2)
    )
    assert sample.count_errors(BoxScheme(2).run(sample)) == least


def test_many_examples_in_space() -> None:
    grid = list(product(range(20), repeat=3))
    inside = [all(3 <= x < 17 for x in point) for point in grid]
    sample = Sample[Hashable](grid, inside)
    scheme = BoxScheme(3)
    assert len(scheme.compress(sample)) == scheme.size(len(grid)) == 6
    assert scheme.run(sample) == classes.Box((3, 3, 3), (16, 16, 16))


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: BoxScheme(0), "dimension: got 0"),
    (lambda: BoxScheme(2).compress(Sample([1], [0])), "a tuple of 2 numbers"),
    (lambda: BoxScheme(2).compress(Sample([(1.0, 2.0, 3.0)], [0])), "a tuple of 2 numbers"),
    (lambda: BoxScheme(1).compress(Sample([(math.inf,)], [0])), "a finite number"),
    (lambda: BoxScheme(1).reconstruct(Sample([(1,)], [0])), "got 1 examples, want 2"),
    (lambda: BoxScheme(1).reconstruct(Sample([(1,), "a"], [1, 0])), "a tuple of 1 numbers"),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()
