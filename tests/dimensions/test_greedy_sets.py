"""Columns taken greedily are shattered, each is the best that is left, and they raise the bound."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from pac_stability.classes import FiniteClass
from pac_stability.dimensions import Bounds, DualVCSearch, VCSearch, greedy_sets, shattering_levels
from pac_stability.dimensions.greedy_sets import Table, greedily_shattered
from pac_stability.dimensions.shared_levels import SharedLevel


def random_table(seed: int, n: int, m: int) -> Table:
    """Rows drawn uniformly, which may repeat."""
    return np.random.default_rng(seed).integers(0, 2, size=(n, m), dtype=np.uint8)


def smallest_cell(table: Table, columns: tuple[int, ...]) -> int:
    """Rows of the rarest labelling of these columns, by its definition."""
    cells = Counter(tuple(row) for row in table[:, columns].tolist())
    return min(cells.values()) if len(cells) == 2 ** len(columns) else 0


def one_by_one(table: Table, first: int) -> list[tuple[int, ...]]:
    """The sets taken, each cell of each candidate counted anew."""
    sets: list[tuple[int, ...]] = [(first,)]
    while True:
        grown = [(*sets[-1], x) for x in range(table.shape[1])]
        best = max(grown, key=lambda columns: smallest_cell(table, columns))
        if smallest_cell(table, best) == 0:
            return sets
        sets.append(best)


@pytest.mark.parametrize("entries", [1, 40, 1 << 21])
def test_each_column_is_the_best_that_is_left(
    entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Blocks of one row, of few rows, so that cells begin and end in and between them, and of all.
    monkeypatch.setattr(greedy_sets, "_ENTRIES", entries)
    sizes = set()
    for seed in range(12):
        table = random_table(seed, 3 + 11 * seed, 7)
        first = min(seed, 6)
        if smallest_cell(table, (first,)) == 0:
            continue
        found = list(greedily_shattered(table, first))
        assert list(dict.fromkeys(found)) == one_by_one(table, first)
        assert smallest_cell(table, found[-1]) > 0
        sizes.add(len(found[-1]))
    assert sizes >= {1, 3, 4, 5}


def test_rows_beyond_which_no_set_can_grow_are_not_counted() -> None:
    cube = np.array([[a, b, 0] for a in (0, 1) for b in (0, 1)], dtype=np.uint8)
    # A pause for the one pass that finds column 1, and the end: four rows are not halved again.
    assert list(greedily_shattered(cube, 0)) == [(0,), (0, 1)]


@pytest.fixture
def levels_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets are taken greedily from the first piece on, and the levels do not get on."""
    monkeypatch.setattr(shattering_levels, "_ALONE", 0)
    monkeypatch.setattr(SharedLevel, "advance", lambda _level, _work: True)


def pieces(search: VCSearch | DualVCSearch, count: int, aim: int | None = None) -> Bounds[Any]:
    """The bounds after so many pieces, preparing and all."""
    for _ in range(count):
        found = search.run(time_limit=1e-9, aim=aim)
    return found


@pytest.mark.usefixtures("levels_stay")
@pytest.mark.parametrize("aim", [None, 9])
def test_they_raise_the_lower_bound(aim: int | None) -> None:
    H = FiniteClass(random_table(2, 3000, 40))
    for search, shattering in ((VCSearch(H), H), (DualVCSearch(H.dual()), H.dual())):
        found = pieces(search, 100, aim)
        assert (found.lower, found.upper) == (9, 11)
        assert found.witness is not None
        assert found.witness.is_shattered_by(shattering)


@pytest.mark.usefixtures("levels_stay")
def test_they_begin_with_several_columns() -> None:
    # On this table the best balanced column is not the best to begin with.
    search = VCSearch(FiniteClass(random_table(4, 150, 24)))
    found = pieces(search, 100)
    sizes = [len(list(greedily_shattered(search._folded, x))[-1]) for x in range(4)]
    assert sizes == [5, 6, 6, 6]
    assert found.lower == 6


@pytest.mark.usefixtures("levels_stay")
def test_a_bound_that_they_close_ends_the_search() -> None:
    cube = FiniteClass([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    assert VCSearch(cube).run().value == 3
