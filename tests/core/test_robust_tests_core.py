"""The search for the best tests as an object: its Python twin, pieces, threads and bad tables."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from pac_stability._core.robust_tests import AdversarySearch

WHOLE = 1e18


class Problem:
    """Samples as counts of elements, tests as tolerated counts, and weights by output."""

    def __init__(
        self,
        samples: int,
        counts: Sequence[Sequence[int]],
        tolerated: Sequence[tuple[int, int]],
        outputs: Sequence[dict[int, int]],
        length: int,
    ) -> None:
        self.samples = samples
        self.counts = counts
        self.tolerated = tolerated
        self.outputs = outputs
        self.length = length

    def search(self) -> AdversarySearch:
        weights = [weight for output in self.outputs for weight in output.values()]
        return AdversarySearch(
            np.array(self.counts, dtype=np.int32).reshape(-1, self.samples),
            np.array([low for low, _ in self.tolerated], dtype=np.int32),
            np.array([high for _, high in self.tolerated], dtype=np.int32),
            np.cumsum([0, *map(len, self.outputs)], dtype=np.int64),
            np.array([s for output in self.outputs for s in output], dtype=np.uint32),
            np.array(
                [[w >> 32 * place & 0xFFFFFFFF for w in weights] for place in range(self.length)],
                dtype=np.uint32,
            ),
        )

    def scores(self, test: int) -> list[int]:
        """What the weights that fail a test sum to, for each output."""
        low, high = self.tolerated[test]
        inside = [row for i, row in enumerate(self.counts) if test >> i & 1]
        return [
            sum(w for s, w in output.items() if not low <= sum(row[s] for row in inside) <= high)
            for output in self.outputs
        ]

    def best(self) -> list[tuple[int, int]]:
        """The twin: for each output the first of the best tests, and its sum."""
        table = [self.scores(test) for test in range(len(self.tolerated))]
        columns = list(zip(*table, strict=True))
        return [(column.index(max(column)), max(column)) for column in columns]


def numbers(digits: np.ndarray[tuple[int, ...], np.dtype[np.uint64]]) -> list[int]:
    return [sum(d << 32 * place for place, d in enumerate(row)) for row in digits.tolist()]


def found(search: AdversarySearch) -> list[tuple[int, int]]:
    tests, digits = search.found
    return list(zip(tests.tolist(), numbers(digits), strict=True))


def random_problem(
    seed: int, *, elements: int = 4, samples: int = 9, outputs: int = 4, length: int = 2
) -> Problem:
    rng = random.Random(seed)
    counts = [[rng.randint(0, 3) for _ in range(samples)] for _ in range(elements)]
    # No sample fails the empty test; a range may tolerate nothing at all.
    tolerated = [(0, 0)] + [
        (low, low + rng.randint(-1, 5))
        for low in (rng.randint(0, 6) for _ in range((1 << elements) - 1))
    ]
    # Digits of ones carry; few distinct weights make ties.
    largest = (1 << 32 * length) - 1
    weights = [largest, largest // 3, 1, 1 << (16 * length), rng.randint(1, largest)]
    tables = []
    for _ in range(outputs):
        if rng.random() < 0.5:  # an interval of samples, which is not looked up
            begin = rng.randrange(samples)
            chosen = list(range(begin, rng.randint(begin + 1, samples)))
        else:
            chosen = sorted(rng.sample(range(samples), rng.randint(1, samples)))
        tables.append({s: rng.choice(weights) for s in chosen})
    return Problem(samples, counts, tolerated, tables, length)


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(0, 5), st.integers(1, 4))
def test_the_search_is_its_twin(seed: int, elements: int, length: int) -> None:
    problem = random_problem(seed, elements=elements, length=length)
    search = problem.search()
    assert not search.advance(WHOLE)
    assert search.tried == 1 << elements
    assert found(search) == problem.best()


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 15), min_size=1))
def test_scores_of_any_test_in_any_order(seed: int, tests: list[int]) -> None:
    problem = random_problem(seed)
    search = problem.search()
    for test in tests:
        assert numbers(search.scores(test)) == problem.scores(test)
        search.advance(1)  # between the pieces of a search
    while search.advance(1):
        pass
    assert found(search) == problem.best()


def test_sums_of_full_digits_carry() -> None:
    """4,000 weights of 2^64 - 1 each, in two digits, for which the second sum needs 44 bits."""
    full = (1 << 64) - 1
    problem = Problem(4000, [[1] * 4000], [(0, 0), (0, 0)], [dict.fromkeys(range(4000), full)], 2)
    search = problem.search()
    search.advance(WHOLE)
    assert found(search) == [(1, 4000 * full)]


def test_pieces_are_the_whole_and_a_pause_loses_nothing() -> None:
    problem = random_problem(3, elements=6)
    search = problem.search()
    pieces = 0
    while search.advance(1):
        pieces += 1
        assert search.tried == pieces
        part = Problem(
            9, problem.counts, problem.tolerated[:pieces], problem.outputs, problem.length
        )
        assert found(search) == part.best()
    assert pieces == 63
    assert not search.advance(WHOLE)
    assert found(search) == problem.best()


def test_what_was_found_is_a_copy() -> None:
    search = random_problem(5).search()
    before = search.found
    kept = [array.tolist() for array in before]
    search.advance(WHOLE)
    assert [array.tolist() for array in before] == kept == [[0] * 4, [[0, 0]] * 4]


@pytest.mark.parametrize("place", range(6))
def test_tables_of_another_type_are_refused(place: int) -> None:
    tables: list[np.ndarray[tuple[int, ...], np.dtype[Any]]] = [
        np.zeros((1, 2), dtype=np.int32),
        np.zeros(2, dtype=np.int32),
        np.zeros(2, dtype=np.int32),
        np.array([0, 2]),
        np.arange(2, dtype=np.uint32),
        np.zeros((1, 2), dtype=np.uint32),
    ]
    AdversarySearch(*tables)
    floats = [*tables]
    floats[place] = floats[place].astype(np.float64)
    with pytest.raises(ValueError, match="dtype mismatch"):
        AdversarySearch(*floats)
    deep = [*tables]
    deep[place] = deep[place][..., None]
    with pytest.raises(ValueError, match="wrong number of dimensions"):
        AdversarySearch(*deep)


def large() -> AdversarySearch:
    """Half a second of work."""
    return random_problem(1, elements=14, samples=3000, outputs=4).search()


def test_other_threads_run_during_the_search() -> None:
    # Tests that are tried while a single call is under way can be seen only without the GIL.
    search = large()
    worker = threading.Thread(target=search.advance, args=(WHOLE,))
    worker.start()
    seen = set()
    while worker.is_alive():
        seen.add(search.tried)
    worker.join()
    assert len(seen - {0, search.tried}) > 0


def test_two_threads_cannot_work_on_one_search() -> None:
    search = large()
    worker = threading.Thread(target=search.advance, args=(WHOLE,))
    worker.start()
    while search.tried == 0 and worker.is_alive():
        pass
    refused = set()
    while worker.is_alive():
        for call in (search.advance, search.scores):
            try:
                call(1)
            except RuntimeError as error:
                refused.add((call == search.advance, "another thread" in str(error)))
    worker.join()
    assert refused == {(False, True), (True, True)}
    while search.advance(WHOLE):
        pass
    other = large()
    other.advance(WHOLE)
    assert found(search) == found(other)
