"""What is asked from above about half graphs, and in which order."""

import numpy as np
import pytest

from pac_stability._core.half_graph import HalfGraphSearch
from pac_stability.dimensions import threshold_search
from pac_stability.dimensions.threshold_search import FromAbove
from shared_classes import random_class
from shared_dimensions import first_pair_search


def above(table: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> FromAbove:
    return FromAbove(HalfGraphSearch(table, lower=0, upper=min(table.shape), memo=2**14))


@pytest.mark.parametrize("work", [1.0, 1e3, 1e9])
def test_the_bounds_meet_at_the_longest(work: float) -> None:
    for seed in range(20):
        table = random_class(seed, 30, 9, 0.5).table
        size = first_pair_search(table)
        asked, lower, upper = above(table), 0, min(table.shape)
        while lower < upper:
            upper = asked.advance(lower, upper, work)
            lower = max(lower, asked.search.best if asked.search.witness_pairs else 0)
            assert lower <= size <= upper
        assert lower == size


def test_open_lengths_are_halved_where_answers_come_at_once() -> None:
    asked = above(random_class(1, 256, 64, 0.5).table)
    bounds = [asked.search.bound]
    for _ in range(3):
        bounds.append(asked.advance(20, bounds[-1], 1e9))
    assert bounds == [42, 31, 25, 22]


def test_a_question_that_takes_long_becomes_easier_until_it_is_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threshold_search, "_FIRST", 1)
    asked = above(random_class(1, 256, 64, 0.5).table)
    lengths = []
    while asked.advance(13, 42, 1) == 42:
        lengths.append(asked.search.best)
    assert lengths == [34, 38, 40, *[41] * (len(lengths) - 3)]
    assert len(lengths) > 20


def test_an_aim_is_all_that_is_asked() -> None:
    asked = above(random_class(1, 256, 64, 0.5).table)
    assert asked.advance(13, 42, 1) == 42  # another question is under way
    upper = 42
    while upper == 42:
        upper = asked.advance(13, 42, 1e4, aim=25)
        assert asked.search.best == 24
    assert upper == 24
