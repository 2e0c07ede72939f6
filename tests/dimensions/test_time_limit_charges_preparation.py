"""What is done to a table before a search is charged to its time limit; the clock is a stub."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pac_stability import BudgetExhausted, FiniteClass
from pac_stability.dimensions import (
    Bounds,
    DualVCSearch,
    LittlestoneSearch,
    ThresholdSearch,
    VCSearch,
    bounds as anytime,
)
from pac_stability.dimensions.bounds import Pieces

NOTE = "the time was over while the table was being prepared"


def random_class() -> FiniteClass:
    table = np.random.default_rng(1).random((1400, 500)) < 0.3
    return FiniteClass(table)


def hurried(monkeypatch: pytest.MonkeyPatch, seconds_a_look: float) -> None:
    """Let each look at the clock find it so much later."""
    now = 0.0

    def later() -> float:
        nonlocal now
        now += seconds_a_look
        return now

    monkeypatch.setattr(anytime, "perf_counter", later)


@pytest.mark.parametrize(
    ("search", "trivial"),
    [(VCSearch, (1, 10)), (DualVCSearch, (0, 8)), (ThresholdSearch, (0, 500))],
)
def test_bounds_are_those_of_the_size_when_the_time_is_over_before(
    search: Callable[[FiniteClass], VCSearch | DualVCSearch | ThresholdSearch],
    trivial: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    H = random_class()
    running = search(H)
    hurried(monkeypatch, 5)
    bounds: Bounds[object] = running.run(time_limit=1)
    assert (bounds.lower, bounds.upper, bounds.note) == (*trivial, NOTE)
    assert bounds.nodes == 0
    with pytest.raises(BudgetExhausted, match=rf"bounds \d+..\d+ \({NOTE}\); allow more time"):
        _ = bounds.value
    # The next run goes on, a piece at a time, and the bounds close in.
    pieces = 1
    while bounds.note:
        bounds = running.run(time_limit=1)
        pieces += 1
    assert pieces > 3
    while bounds.lower == trivial[0]:
        bounds = running.run(time_limit=1)
    assert not bounds.note


def test_the_witness_before_the_search_is_one() -> None:
    H = random_class()
    for search in (VCSearch(H), DualVCSearch(H)):
        assert search.witness is not None
        assert search.witness.is_shattered_by(H)
    tree = LittlestoneSearch(H).tree()
    assert tree is not None
    assert tree.depth == 1
    assert tree.is_shattered_by(H)


def test_a_moment_is_not_enough_to_read_a_table_for_the_littlestone_search() -> None:
    search = LittlestoneSearch(random_class())
    bounds = search.run(time_limit=1e-9)
    assert (bounds.lower, bounds.upper, bounds.nodes, bounds.note) == (1, 10, 0, NOTE)
    assert bounds.tree is not None
    assert bounds.tree.is_shattered_by(search.H)
    settled = search.dimension_of(range(40))
    assert 1 <= settled <= 5
    assert search.upper <= 10


def test_an_interrupted_preparation_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    H = random_class().select_rows(range(60))
    whole = VCSearch(H).run()
    for search in (VCSearch(H), DualVCSearch(H), ThresholdSearch(H)):
        calls = 0

        def interrupt(_: object) -> None:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise KeyboardInterrupt

        monkeypatch.setattr(anytime, "_REPORT_EVERY", -1.0)
        with pytest.raises(KeyboardInterrupt):
            search.run(progress=interrupt)
        monkeypatch.undo()

        def struck() -> Iterator[None]:
            yield
            raise KeyboardInterrupt

        search._preparation = Pieces(iter([struck(), search._preparing()]).__next__)
        with pytest.raises(KeyboardInterrupt):
            search.run()
        bounds = search.run(time_limit=2)
        if isinstance(search, VCSearch):
            assert (bounds.lower, bounds.upper) == (whole.lower, whole.upper)
        assert not bounds.note


def test_preparing_a_packed_table_is_what_it_was_on_bytes() -> None:
    """Columns equal up to complement, constant ones and equal points, at every width."""
    rng = np.random.default_rng(5)
    for rows, columns in ((3, 1), (9, 5), (40, 64), (70, 65), (130, 129), (200, 3)):
        table = (rng.random((rows, columns)) < 0.5).astype(np.uint8)
        table = np.hstack([table, 1 - table[:, :2], np.ones((rows, 1), np.uint8), table[:, :1]])
        H = FiniteClass(table)
        for search, turned in ((VCSearch(H), H.table), (DualVCSearch(H), H.table.T)):
            for _ in search._preparing():
                pass
            first = {row.tobytes(): i for i, row in reversed(list(enumerate(turned)))}
            kept = sorted(first.values())
            folded = (turned ^ turned[0])[kept]
            seen = dict.fromkeys(tuple(column) for column in folded.T.tolist() if any(column))
            found = [tuple(column) for column in search._folded.T.tolist()]
            assert sorted(found) == sorted(seen)
            balances = [abs(len(kept) - 2 * sum(column)) for column in found]
            assert balances == sorted(balances)
            for place, column in zip(search._columns.tolist(), found, strict=True):
                assert tuple((turned[kept, place] ^ turned[0, place]).tolist()) == column
