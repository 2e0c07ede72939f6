"""Threshold dimension of finite classes: definition, conventions, closed forms, budgets."""

import json
from collections.abc import Callable, Generator
from itertools import permutations
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import classes, errors, testing
from pac_stability._core.half_graph import HalfGraphSearch
from pac_stability.dimensions import (
    HalfGraph,
    SearchProgress,
    ThresholdSearch,
    bounds as anytime,
    littlestone_dimension,
    rank_gf2,
    rank_gf3,
    threshold,
    threshold_dimension,
    threshold_search,
)
from shared_classes import random_class
from shared_dimensions import patterns, threshold_by_definition

small_classes = testing.strategies.finite_classes(max_points=5, max_hypotheses=16)


FAMILIES: dict[str, Callable[[], classes.FiniteClass]] = {
    "thresholds": lambda: classes.thresholds(60),
    "signed thresholds": lambda: classes.signed_thresholds(20),
    "singletons": lambda: classes.singletons(70),
    "intervals": lambda: classes.intervals(30),
    "subsets": lambda: classes.subsets(9, 4),
    "cube": lambda: classes.cube(8),
    "parities": lambda: classes.parities(8),
    "lines": lambda: classes.affine_lines(3),
}


def test_definition_on_many_random_classes() -> None:
    values = set()
    for seed in range(600):
        rng = np.random.default_rng(seed)
        H = random_class(
            seed, int(rng.integers(1, 30)), int(rng.integers(1, 7)), rng.choice([0.2, 0.5, 0.7])
        )
        bounds = threshold(H)
        assert bounds.value == threshold_by_definition(H.table)
        assert bounds.witness is not None
        assert len(bounds.witness.points) == bounds.value
        assert bounds.witness.is_realized_by(H)
        values.add(bounds.value)
    assert values == {0, 1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("name", FAMILIES)
def test_closed_forms_of_the_families(name: str) -> None:
    H = FAMILIES[name]()
    bounds = threshold(H)
    if "threshold" in H.known:
        assert bounds.value == H.known["threshold"].value
    assert bounds.witness is not None
    assert bounds.witness.is_realized_by(H)


def test_values_written_out() -> None:
    assert threshold_dimension(classes.thresholds(50)) == 50
    assert threshold_dimension(classes.singletons(9)) == 1
    assert threshold_dimension(classes.subsets(7, 3)) == 3
    assert threshold_dimension(classes.cube(6)) == 6
    # Half graphs are triangular, so no larger than the rank over any field: 10 over GF(2).
    assert threshold_dimension(classes.parities(10)) == 10
    # Nested hypotheses that share the last of 400 points: one long chain found without a search.
    chain = threshold(classes.FiniteClass(np.triu(np.ones((400, 400), dtype=np.uint8))))
    assert (chain.value, chain.nodes) == (400, 0)


def test_a_rank_over_gf3_settles_what_the_rank_over_gf2_leaves_open() -> None:
    # The first three rows sum to (2, 2, 2, 1, 0); over GF(3) the five rows have rank 4, over
    # GF(2) rank 5 (counted below), and the greedy half graph has 4 pairs.
    H = classes.FiniteClass(
        [[0, 1, 1, 0, 0], [1, 0, 1, 1, 0], [1, 1, 0, 0, 0], [1, 1, 0, 1, 1], [1, 1, 1, 0, 1]]
    )
    assert [spanned(H, 2), spanned(H, 3)] == [2**5, 3**4]
    bounds = threshold(H)
    assert (bounds.value, bounds.nodes) == (4, 0)


@pytest.mark.parametrize(("limit", "asked"), [(124, False), (125, True)])
def test_the_rank_over_gf3_is_asked_where_the_work_of_it_is_surely_small(
    limit: int, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The table of the test above: 5 rows, 5 columns, and a rank of which 5 is what is known.
    H = classes.FiniteClass(
        [[0, 1, 1, 0, 0], [1, 0, 1, 1, 0], [1, 1, 0, 0, 0], [1, 1, 0, 1, 1], [1, 1, 1, 0, 1]]
    )
    monkeypatch.setattr(threshold_search, "_TERNARY", limit)
    bounds = threshold(H)
    assert bounds.value == 4
    assert (bounds.nodes == 0) is asked


def spanned(H: classes.FiniteClass, p: int) -> int:
    """The number of sums of rows over GF(p), which is p to the rank."""
    sums = {(0,) * H.table.shape[1]}
    for row in H.table.tolist():
        sums |= {
            tuple((a + c * b) % p for a, b in zip(other, row, strict=True))
            for other in sums
            for c in range(1, p)
        }
    return len(sums)


def test_conventions() -> None:
    """The class that tells conventions apart, by brute force for each of them."""
    H = classes.FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])

    def largest(rows: Callable[[int], set[tuple[int, ...]]], points: Callable[[int], int]) -> int:
        sizes = range(1, 4)
        return max(
            (
                k
                for k in sizes
                for columns in permutations(range(3), points(k))
                if rows(k) <= patterns(H.table, columns)
            ),
            default=0,
        )

    weak = largest(lambda k: {(0,) * i + (1,) * (k - i) for i in range(k)}, lambda k: k)
    backwards = largest(
        lambda k: {(1,) * (i + 1) + (0,) * (k - i - 1) for i in range(k)}, lambda k: k
    )
    strict = largest(lambda k: {(0,) * (i + 1) + (1,) * (k - i - 1) for i in range(k)}, lambda k: k)
    cuts = largest(
        lambda k: {(0,) * i + (1,) * (k + 1 - i) for i in range(1, k + 1)}, lambda k: k + 1
    )
    assert (weak, backwards, strict, cuts) == (2, 2, 2, 1)
    assert threshold_dimension(H) == weak


def test_smallest_classes() -> None:
    for table in (np.zeros((0, 3)), np.zeros((1, 0)), np.zeros((1, 3))):
        bounds = threshold(classes.FiniteClass(table))
        assert bounds.value == 0
        assert bounds.witness == HalfGraph((), ())
        assert HalfGraph((), ()).is_realized_by(classes.FiniteClass(table))
    assert threshold(classes.FiniteClass([[0, 1]])).witness == HalfGraph((0,), (1,))


@given(H=small_classes, seed=st.integers(0, 2**32 - 1))
def test_permuting_repeating_and_transposing(H: classes.FiniteClass, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = H.table[rng.permutation(len(H))][:, rng.permutation(H.table.shape[1])]
    wide = classes.FiniteClass(np.hstack([table, table, np.zeros((len(H), 1), np.uint8)]))
    assert threshold_dimension(wide) == threshold_dimension(H)
    assert threshold_dimension(H.dual()) == threshold_dimension(H)


@given(H=small_classes)
def test_complementing_the_class_costs_at_most_one(H: classes.FiniteClass) -> None:
    # The complement of a half graph is one of the strict order, read backwards.
    assert abs(threshold_dimension(H.complement()) - threshold_dimension(H)) <= 1


@given(H=small_classes)
def test_littlestone_and_threshold_bound_each_other(H: classes.FiniteClass) -> None:
    k, d = threshold_dimension(H), littlestone_dimension(H)
    assert k.bit_length() - 1 <= d
    assert d.bit_length() - 1 <= k


@given(H=small_classes)
def test_no_larger_than_the_rank(H: classes.FiniteClass) -> None:
    assert 2 ** rank_gf2(H.table) == spanned(H, 2)
    assert 3 ** rank_gf3(H.table) == spanned(H, 3)
    assert threshold_dimension(H) <= min(rank_gf2(H.table), rank_gf3(H.table))


def test_corrupted_witnesses_are_rejected() -> None:
    H = random_class(5, 40, 10)
    good = threshold(H).witness
    assert good is not None
    assert good.is_realized_by(H)
    assert len(good.points) >= 5
    assert not any(
        wrong.is_realized_by(H)
        for wrong in (
            HalfGraph(good.hypotheses[::-1], good.points),
            HalfGraph(good.hypotheses, good.points[::-1]),
            HalfGraph(good.hypotheses[1:], good.points),
            HalfGraph(good.hypotheses, good.points[1:]),
            HalfGraph((good.hypotheses[0] - len(H), *good.hypotheses[1:]), good.points),
            HalfGraph(good.hypotheses, (good.points[0] - 10, *good.points[1:])),
            HalfGraph((len(H), *good.hypotheses[1:]), good.points),
            HalfGraph(good.hypotheses, (10, *good.points[1:])),
        )
    )
    assert HalfGraph.from_dict(json.loads(json.dumps(good.to_dict()))) == good
    with pytest.raises(errors.InvalidInput, match=r"^hypotheses: got 3, want a list of integers$"):
        HalfGraph.from_dict({"hypotheses": 3, "points": []})


def test_pieces_add_up_to_the_whole() -> None:
    H = random_class(3, 128, 28)
    whole = ThresholdSearch(H).run()
    stepwise = ThresholdSearch(H)
    bounds = stepwise.run(time_limit=1e-9)
    count = 1
    while not bounds.exact:
        later = stepwise.run(time_limit=1e-9)
        assert bounds.lower <= later.lower <= later.upper <= bounds.upper
        assert bounds.seconds < later.seconds
        bounds = later
        count += 1
        assert count < 10_000
    assert count > 3
    assert (bounds.value, bounds.witness, bounds.nodes) == (whole.value, whole.witness, whole.nodes)


def test_a_time_limit_gives_certified_bounds() -> None:
    H = random_class(1, 600, 64)
    bounds = threshold(H, time_limit=0.05)
    assert bounds.witness is not None
    assert len(bounds.witness.points) == bounds.lower
    assert bounds.witness.is_realized_by(H)
    assert 8 <= bounds.lower < bounds.upper <= 64
    with pytest.raises(errors.BudgetExhausted):
        _ = bounds.value


def test_the_upper_bound_falls_while_the_search_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_search, "_ALONE", 0)
    H = random_class(1, 250, 100, 0.25)
    reports: list[SearchProgress] = []

    def enough(report: SearchProgress) -> None:
        reports.append(report)
        if report.upper <= 20:
            raise KeyboardInterrupt

    search = ThresholdSearch(H)
    monkeypatch.setattr(anytime, "_REPORT_EVERY", 0.0)
    with pytest.raises(KeyboardInterrupt):
        search.run(progress=enough)
    # By degrees 36; the search from below takes some hundred pieces.
    assert 9 <= search.lower < search.upper <= 20 < reports[0].upper


@pytest.fixture
def both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search from above begin at once, and pieces be short."""
    monkeypatch.setattr(threshold_search, "_ALONE", 0)
    monkeypatch.setattr(threshold_search, "_PIECE", 1e3)


@pytest.mark.usefixtures("both_sides")
def test_work_from_both_sides_changes_no_answer() -> None:
    for seed in range(12):
        H = random_class(seed, 14, 9, 0.3)
        bounds = threshold(H)
        assert bounds.value == threshold_by_definition(H.table)
        assert bounds.witness is not None
        assert bounds.witness.is_realized_by(H)


@pytest.mark.parametrize("closes", [True, False])
def test_the_witness_is_that_of_the_search_from_below(
    closes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A longer one that is found from above is kept until the search from below has its own.
    H = random_class(2, 60, 20, 0.5)
    expected = threshold(H)
    backwards = threshold(classes.FiniteClass(H.table[::-1, ::-1])).witness
    assert expected.witness is not None
    assert backwards is not None
    other = (
        tuple(len(H) - 1 - h for h in backwards.hypotheses),
        tuple(19 - x for x in backwards.points),
    )
    assert HalfGraph(*other) != expected.witness

    class Finds(threshold_search.FromAbove):
        """Has another one of full length at once, and a short one, which is known, later."""

        def advance(self, lower: int, upper: int, work: float, *, aim: int | None = None) -> int:
            del work, aim
            short = tuple(places[:2] for places in other)
            found = other if lower < expected.value else short
            self.search = cast("HalfGraphSearch", SimpleNamespace(witness_pairs=found, nodes=0))
            return expected.value if closes else upper

    def nothing(_: object) -> Generator[None, None, HalfGraph]:
        yield
        return HalfGraph((), ())

    monkeypatch.setattr(threshold_search, "_greedy", nothing)
    monkeypatch.setattr(threshold_search, "_PIECE", 1e3)
    monkeypatch.setattr(threshold_search, "_ALONE", 0)
    monkeypatch.setattr(threshold_search, "FromAbove", Finds)
    search = ThresholdSearch(H)
    while search.lower < expected.value:
        search.run(time_limit=1e-9)
    assert search.witness == HalfGraph(*other)
    for _ in range(6):
        assert search.run(time_limit=1e-9).lower == expected.value
    found = search.run()
    assert (found.value, found.witness) == (expected.value, expected.witness)


@pytest.mark.usefixtures("both_sides")
@pytest.mark.parametrize("wide", [True, False])
def test_both_sides_have_as_many_pieces_until_bounds_are_within_a_factor_of_two(wide: bool) -> None:
    search = ThresholdSearch(random_class(1, 256, 64, 0.5))
    while search._search is None:
        search.run(time_limit=1e-9)
    assert search.upper == 42 > 2 * search.lower
    while search._climbed < 64:
        if not wide:
            search.upper = min(search.upper, 2 * search.lower)
        before = search.upper > 2 * search.lower
        search.run(time_limit=1e-9)
        assert before == wide
    assert search._descended == (63 if wide else 1)


@pytest.mark.usefixtures("both_sides")
def test_bounds_close_from_both_sides_with_a_witness_at_every_moment() -> None:
    H = random_class(1, 90, 24, 0.5)
    value, search = threshold(H).value, ThresholdSearch(H)
    bounds = search.run(time_limit=1e-9)
    fell = rose = 0
    while not bounds.exact:
        later = search.run(time_limit=1e-9)
        assert bounds.lower <= later.lower <= value <= later.upper <= bounds.upper
        assert later.witness is not None
        assert len(later.witness.points) == later.lower
        assert later.witness.is_realized_by(H)
        fell += later.upper < bounds.upper
        rose += later.lower > bounds.lower
        bounds = later
    assert bounds.value == value
    assert min(fell, rose) >= 2


def test_one_length_is_decided_without_the_dimension() -> None:
    H = random_class(1, 256, 64, 0.5)
    search = ThresholdSearch(H)
    bounds = search.run(aim=22)
    assert bounds.upper == 21
    question = HalfGraphSearch(H.table, lower=21, upper=64, memo=2**23)
    while question.advance(1e9):
        pass
    assert bounds.nodes <= question.nodes + 3  # the class itself is entered by both searches
    assert search.run(aim=search.lower).lower == search.lower
    small = random_class(3, 60, 16)
    value = threshold_dimension(small)
    made = ThresholdSearch(small)
    assert made.run(aim=value + 1).upper == value
    assert made.run(aim=value).lower == value
    witness = made.witness
    assert len(witness.points) == value
    assert witness.is_realized_by(small)
    assert made.run().value == value


@pytest.mark.parametrize("room", [0, 400])
def test_without_memory_for_a_bound_from_above_the_search_goes_on(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threshold_search, "_ALONE", 0)
    monkeypatch.setattr(threshold_search, "_PIECE", 1e4)
    monkeypatch.setattr(threshold_search, "_MEMO", 0)
    H = random_class(3, 60, 16)
    whole = threshold(H)
    least = HalfGraphSearch(H.table, lower=0, upper=16, memo=0).memory
    assert threshold(H, max_memory=least + room).value == whole.value


def test_within_little_memory_there_is_room_to_ask_from_above() -> None:
    H = random_class(1, 256, 64, 0.5)
    made = HalfGraphSearch(H.table, lower=10, upper=64, memo=2**22)  # by a greedy chain and ranks
    # So much the first search would take for itself.
    bounds = ThresholdSearch(H, max_memory=made.memory).run(aim=24, time_limit=5)
    assert bounds.upper == 23


def test_more_points_than_hypotheses_are_read_backwards() -> None:
    H = random_class(2, 200, 16)
    bounds, backwards = threshold(H), threshold(H.dual())
    assert bounds.value == backwards.value
    assert bounds.nodes == backwards.nodes
    assert backwards.witness is not None
    assert len(backwards.witness.points) == bounds.value
    assert backwards.witness.is_realized_by(H.dual())


def test_a_memory_limit_gives_certified_bounds() -> None:
    H = random_class(3, 60, 24)
    bounds = threshold(H, max_memory=1000)
    assert not bounds.exact
    assert bounds.witness is not None
    assert bounds.witness.is_realized_by(H)
    assert threshold(H, max_memory=10**6).value == threshold_dimension(H)


def test_progress_and_an_interrupt_leave_a_usable_search() -> None:
    H = random_class(1, 600, 64)
    search = ThresholdSearch(H)
    reports: list[SearchProgress] = []

    def interrupt(report: SearchProgress) -> None:
        reports.append(report)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(progress=interrupt)
    for _ in range(4):  # pieces of work, of which some are the upper bound's
        later = search.run(time_limit=1e-9)
    assert later.nodes > reports[0].nodes
    assert later.lower >= reports[0].lower
    assert later.witness is not None
    assert later.witness.is_realized_by(H)
