"""Bounds of the VC dimension close from both sides, within the memory that is given."""

from typing import Any

import numpy as np
import pytest

from pac_stability import FiniteClass, classes
from pac_stability._core.vc import ShatteringSearch
from pac_stability.dimensions import DualVCSearch, VCSearch, vc_search


def random_class(seed: int, n: int, m: int) -> FiniteClass:
    """Rows drawn uniformly; duplicates are dropped."""
    return FiniteClass(np.random.default_rng(seed).integers(0, 2, size=(n, m), dtype=np.uint8))


class Opened:
    """Stands for the compiled search, and notes what it was asked for."""

    def __init__(self) -> None:
        self.levels: list[tuple[int, int, ShatteringSearch]] = []

    def __call__(self, table: Any, k: int, *, row_level: int, max_memory: int) -> ShatteringSearch:
        """Begin the search of a level."""
        level = ShatteringSearch(table, k, row_level=row_level, max_memory=max_memory)
        self.levels.append((k, max_memory, level))
        return level


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """What the searches of this test open."""
    noted = Opened()
    monkeypatch.setattr(vc_search, "ShatteringSearch", noted)
    return noted


def test_the_upper_bound_falls_long_before_the_search_ends() -> None:
    # 1500 rows on 64 points: at most 10 by counting; that 10 points are not shattered is seen after
    # some hundred pieces, while those from below stay with 9 points for tens of seconds.
    search = VCSearch(random_class(1, 1500, 64))
    for _ in range(600):
        found = search.run(time_limit=1e-9)
        if found.upper == 9:
            break
    assert (found.lower, found.upper) == (8, 9)
    assert found.witness is not None
    assert found.witness.is_shattered_by(random_class(1, 1500, 64))


def test_a_level_is_searched_once_whichever_side_began_it(opened: Opened) -> None:
    H = random_class(3, 512, 64)
    search = VCSearch(H)
    found = search.run()
    asked = [k for k, _, _ in opened.levels]
    assert found.value == 7
    assert sorted(set(asked)) == sorted(asked)
    assert 8 in asked
    assert 9 in asked  # from above: log2 of 512
    assert found.nodes == sum(level.nodes for _, _, level in opened.levels)


def test_what_is_shattered_from_above_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    # With the turns exchanged the largest k comes first: all points of a cube are shattered.
    monkeypatch.setattr(VCSearch, "_from_above", lambda self: self.lower + 1 < self.upper)
    cube = FiniteClass([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    found = VCSearch(cube).run()
    assert (found.value, found.witness) == (3, VCSearch(cube).run().witness)
    wide = random_class(3, 200, 48)
    assert VCSearch(wide).run().value == 6
    monkeypatch.undo()
    assert VCSearch(wide).run().value == 6


def test_the_memory_allowed_serves_both_sides_together(opened: Opened) -> None:
    H = random_class(3, 600, 64)
    VCSearch(H).run()
    needed = {k: level.memory for k, _, level in opened.levels}
    least = max(memory for k, memory in needed.items() if k <= 8)
    # What the levels from below need is enough: those from above are left out.
    for allowed in (least, least + needed[9] // 2, least + needed[9]):
        opened.levels.clear()
        assert VCSearch(H, max_memory=allowed).run().value == 7
        assert all(level.memory <= limit <= allowed for _, limit, level in opened.levels)
        together = [k for k, limit, _ in opened.levels if limit < allowed]
        assert (9 in together) == (allowed == least + needed[9])
    short = VCSearch(H, max_memory=least - 1).run()
    assert not short.exact
    assert short.lower == 7


def test_what_is_above_gives_way_when_below_needs_its_memory(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(VCSearch, "_from_above", _first_above)
    H = random_class(1, 1500, 64)
    search = VCSearch(H)
    while not opened.levels:
        search.run(time_limit=1e-9)
    needed = opened.levels[0][2].memory
    assert opened.levels[0][0] == 10
    # Room for the level from above or for the first from below, but not for both.
    opened.levels.clear()
    search = VCSearch(H, max_memory=needed)
    for _ in range(100):
        search.run(time_limit=1e-9)
    assert [k for k, _, _ in opened.levels[:3]] == [10, 2, 3]
    assert search.nodes == sum(level.nodes for _, _, level in opened.levels)
    assert search.lower >= 3


def _first_above(search: VCSearch) -> bool:
    """One piece from above before anything from below."""
    return search._room_above and search._descended == 0 and search.lower + 1 < search.upper


class Narrow(Opened):
    """The same, where no more than so many columns fit into any memory."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __call__(self, table: Any, k: int, *, row_level: int, max_memory: int) -> ShatteringSearch:
        """Begin the search of a level, or have no room for it."""
        if table.shape[1] > self.most:
            raise MemoryError("too many columns")
        return super().__call__(table, k, row_level=row_level, max_memory=max_memory)


def hidden_cube(extra: int) -> FiniteClass:
    """Three points with all labellings among eight rows of many, after ``extra`` balanced ones."""
    rows = np.arange(64)
    cube = ((rows[:, None] >> np.arange(3) & 1) * (rows[:, None] < 8)).astype(np.uint8)
    chain = (rows[:, None] < 32 + np.arange(extra) - extra // 2).astype(np.uint8)
    return FiniteClass(np.hstack([chain, cube]))


@pytest.mark.parametrize("most", [2, 3, 9, 20])
def test_where_not_all_columns_fit_bounds_are_those_of_some(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    H = hidden_cube(20)
    value = VCSearch(H).run().value
    assert value == 3  # by the three points that are balanced worst
    narrow = Narrow(most)
    monkeypatch.setattr(vc_search, "ShatteringSearch", narrow)
    search = VCSearch(H)
    found = search.run()
    assert found.lower <= value <= found.upper
    assert found.witness is not None
    assert found.witness.is_shattered_by(H)
    assert found.exact == (most == 20)  # the others are too rare to be among three


def test_columns_that_are_too_rare_need_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    H = random_class(5, 300, 12)
    rare = np.zeros((300, 40), dtype=np.uint8)
    rare[:40, :40] = np.eye(40)
    wide = FiniteClass(np.hstack([H.table[:300], rare[: len(H)]]))
    value = VCSearch(wide).run().value
    assert value >= 5
    narrow = Narrow(12)
    monkeypatch.setattr(vc_search, "ShatteringSearch", narrow)
    assert VCSearch(wide).run().value == value


def squares(p: int) -> FiniteClass:
    """The squares modulo a prime, moved by every number."""
    known = {x * x % p for x in range(1, p)}
    return FiniteClass([[int((i - j) % p in known) for j in range(p)] for i in range(p)])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dual", [False, True])
def test_columns_that_may_be_turned_are_begun_with_once(
    monkeypatch: pytest.MonkeyPatch, *, dual: bool, threads: int
) -> None:
    # Of the last four one row is another: nothing may be turned.
    rng = np.random.default_rng(5)
    drawn = [rng.integers(0, 2, size=(4, m)) for m in (12, 15, 16, 21, 24, 30) for _ in range(4)]
    turned = [FiniteClass(np.vstack([np.roll(r, i, 1) for i in range(len(r.T))])) for r in drawn]
    tables = [*map(squares, (17, 19, 37, 41, 67)), *turned, classes.cube(4)]
    tables += [FiniteClass(np.vstack([H.table[1:], 1 - H.table[:1]])) for H in tables[1:5]]
    kind = DualVCSearch if dual else VCSearch
    plain = [kind(H).run() for H in tables]
    monkeypatch.setattr(vc_search, "_SEARCH_ALONE", 0)
    carried = [kind(H, threads=threads).run() for H in tables]
    assert [found.value for found in carried] == [found.value for found in plain]
    assert sum(found.nodes for found in carried) < 0.6 * sum(found.nodes for found in plain)
    witnesses = [found.witness for found in carried]
    assert all(w and w.is_shattered_by(H) for H, w in zip(tables, witnesses, strict=True))


def test_squares_modulo_223_shatter_no_seven_points() -> None:
    assert VCSearch(squares(223)).run().value == 6
