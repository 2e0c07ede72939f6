"""The compiled SOA against the literal one, on realizable and other sequences."""

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import BudgetExhausted, Example, FiniteClass, InvalidInput, Sample
from pac_stability.dimensions import LittlestoneSearch, littlestone_dimension
from pac_stability.online.soa import StandardOptimalAlgorithm
from pac_stability.testing import strategies
from shared_dimensions import littlestone_by_definition as ldim
from shared_refusals import refuses

Rows = frozenset[tuple[int, ...]]


@cache
def side(rows: Rows, x: int, y: int) -> Rows:
    return frozenset(row for row in rows if row[x] == y)


class LiteralSOA:
    """Definition 8 word by word: a version space, or once it is empty a table that is patched."""

    def __init__(self, rows: Rows, tie: int) -> None:
        self.tie = tie
        self.space = rows
        self.table = self.of_space()
        self.mistakes = 0

    def of_space(self) -> list[int]:
        labels = []
        for x in range(len(next(iter(self.space)))):
            zero, one = ldim(side(self.space, x, 0)), ldim(side(self.space, x, 1))
            labels.append(self.tie if zero == one else int(one > zero))
        return labels

    def update(self, x: int, y: int) -> None:
        self.mistakes += self.table[x] != y
        self.space = side(self.space, x, y)
        if self.space:
            self.table = self.of_space()
        else:
            self.table[x] = y


RUNS = strategies.classes_with_samples(max_points=6, max_hypotheses=14, min_size=0, max_size=12)


@given(RUNS, st.integers(0, 1))
def test_every_step_is_that_of_the_literal_algorithm(
    run: tuple[FiniteClass, Sample[int]], tie: int
) -> None:
    H, examples = run
    literal = LiteralSOA(frozenset(map(tuple, H.table.tolist())), tie)
    soa = StandardOptimalAlgorithm(H, tie)
    assert soa.hypothesis().tolist() == literal.table
    for x, y in examples:
        assert soa.predict(x) == literal.table[x]
        soa.update(x, y)
        literal.update(x, y)
        assert soa.mistakes == literal.mistakes
        assert soa.realizable == bool(literal.space)
        assert soa.dimension == ldim(literal.space)
        assert [tuple(H.table[row]) for row in soa.version_space] == [
            row for row in map(tuple, H.table) if row in literal.space
        ]
        assert soa.side_dimensions(x) == tuple(ldim(side(literal.space, x, b)) for b in (0, 1))
        assert [soa.predict(z) for z in H.domain] == literal.table
        assert soa.hypothesis().tolist() == literal.table


@given(RUNS, st.integers(0, 1))
def test_replay_is_update_after_update(run: tuple[FiniteClass, Sample[int]], tie: int) -> None:
    H, pairs = run
    stepwise, at_once = StandardOptimalAlgorithm(H, tie), StandardOptimalAlgorithm(H, tie)
    predictions = []
    for x, y in pairs:
        predictions.append(stepwise.predict(x))
        stepwise.update(x, y)
    assert at_once.replay(pairs) == tuple(predictions)
    assert at_once.mistakes == stepwise.mistakes
    assert at_once.version_space == stepwise.version_space
    assert at_once.realizable == stepwise.realizable
    assert at_once.hypothesis().tolist() == stepwise.hypothesis().tolist()


def test_a_sample_is_replayed_as_its_pairs() -> None:
    H = FiniteClass([[0, 0], [0, 1], [1, 1]], domain=["a", "b"])
    S = Sample(["b", "a", "b"], [0, 1, 1])
    pairs = [("b", 0), ("a", 1), ("b", 1)]
    mixed: list[tuple[str, int] | Example[str]] = [pairs[0], *S[1:]]
    outcomes = []
    for examples in (pairs, S, list(S), mixed, iter(S)):
        soa = StandardOptimalAlgorithm(H)
        outcomes.append((soa.replay(examples), soa.mistakes, soa.hypothesis().tolist()))
    # Worked by hand: ties give 1 at b, and 0 is a mistake that leaves 00; 1 at a is another, after
    # which no hypothesis agrees; 1 at b against the 0 that 00 said there is the third.
    assert outcomes == [((1, 0, 0), 3, [1, 1])] * 5


@pytest.mark.parametrize("bad", [3, (0,), (0, 1, 1), None])
def test_an_example_that_is_none_is_named(bad: object) -> None:
    soa = StandardOptimalAlgorithm(FiniteClass([[0], [1]]))
    with pytest.raises(InvalidInput, match=r"^examples\[1\]: got "):
        soa.replay([(0, 1), bad])  # type: ignore[list-item]  # on purpose
    assert soa.version_space == (0, 1)


def test_a_search_is_gone_on_with() -> None:
    # 0.5 is dense enough that the dimension takes work.
    H = FiniteClass((np.random.default_rng(5).random((200, 24)) < 0.5).astype(np.uint8))
    search = LittlestoneSearch(H)
    search.run()
    nodes = search.nodes
    soa = StandardOptimalAlgorithm(H, search=search)
    assert soa.dimension == search.lower == littlestone_dimension(H)
    assert search.nodes == nodes
    assert soa.hypothesis().tolist() == StandardOptimalAlgorithm(H).hypothesis().tolist()
    assert search.nodes > nodes
    with pytest.raises(InvalidInput, match=r"^search: got a search of another class"):
        StandardOptimalAlgorithm(FiniteClass(H.table), search=search)
    with pytest.raises(InvalidInput, match=r"^max_memory: got a search too"):
        StandardOptimalAlgorithm(H, search=search, max_memory=10**9)


def worst_cost(soa: StandardOptimalAlgorithm, known: dict[tuple[int, ...], int]) -> int:
    """Most mistakes on a realizable continuation, by following every version space once.

    An example that keeps the whole version space must be predicted rightly; only others count.
    """
    space = soa.version_space
    if space not in known:
        known[space] = 0
        for x, y in itertools.product(range(soa.hypothesis().size), (0, 1)):
            after = soa.copy()
            after.update(x, y)
            if after.version_space == space:
                assert after.mistakes == soa.mistakes
            elif after.realizable:
                step = after.mistakes - soa.mistakes
                assert after.dimension <= soa.dimension - step
                known[space] = max(known[space], step + worst_cost(after, known))
    return known[space]


@pytest.mark.parametrize("tie", [0, 1])
def test_worst_realizable_sequence_costs_exactly_the_dimension(tie: int) -> None:
    rng = np.random.default_rng(8)
    for _ in range(60):
        shape = (rng.integers(1, 13), rng.integers(1, 6))
        H = FiniteClass((rng.random(shape) < rng.random()).astype(np.uint8))
        assert worst_cost(StandardOptimalAlgorithm(H, tie), {}) == littlestone_dimension(H)


def test_after_an_inconsistent_example_the_order_matters() -> None:
    # Three points, H = {001, 010, 111} where the rightmost digit is point 0; ties give 1.  The
    # example (1, 1) leaves {010, 111}, whose SOA is 111: both agree at point 1, and points 0 and 2
    # are ties of two single hypotheses.
    #  - then (1, 0): no hypothesis is left, 111 is patched at point 1 to 101; (2, 0) makes it 001;
    #  - then (2, 0): 010 is left, SOA is 010; (1, 0) leaves nothing, 010 is patched to 000.
    H = FiniteClass([[1, 0, 0], [0, 1, 0], [1, 1, 1]])
    first, second = StandardOptimalAlgorithm(H), StandardOptimalAlgorithm(H)
    first.replay([(1, 1), (1, 0), (2, 0)])
    assert first.hypothesis().tolist() == [1, 0, 0]
    second.replay([(1, 1), (2, 0), (1, 0)])
    assert second.hypothesis().tolist() == [0, 0, 0]
    # Both sequences err at (1, 0) and, patched or not, at (2, 0); (1, 1) is a mistake because
    # at the start Ldim({001}) = 0 and Ldim({010, 111}) = 1 give label 1: it is none.
    assert (first.mistakes, second.mistakes) == (2, 2)
    assert not first.realizable
    assert first.version_space == second.version_space == ()
    assert first.dimension == -1
    # It never returns: an example that some hypothesis agrees with changes one label only.
    first.update(2, 1)
    assert first.hypothesis().tolist() == [1, 0, 1]
    assert not first.realizable


def test_ties_at_the_start_of_eight_thresholds() -> None:
    # t_i(j) = 1 iff i <= j: at the fourth point both sides have four thresholds, dimension 2; left
    # of it the larger side has label 0, right of it label 1.
    H = FiniteClass([[int(i <= j) for j in range(8)] for i in range(8)])
    assert StandardOptimalAlgorithm(H, tie=1).hypothesis().tolist() == [0, 0, 0, 1, 1, 1, 1, 1]
    assert StandardOptimalAlgorithm(H, tie=0).hypothesis().tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert StandardOptimalAlgorithm(H).side_dimensions(3) == (2, 2)
    assert StandardOptimalAlgorithm(H).side_dimensions(7) == (-1, 3)


def test_copies_are_independent() -> None:
    H = FiniteClass(list(itertools.product((0, 1), repeat=3)))
    soa = StandardOptimalAlgorithm(H, tie=0)
    soa.update(0, 1)
    twin = soa.copy()
    twin.replay([(1, 1), (1, 0)])
    assert (soa.mistakes, soa.realizable, soa.version_space) == (1, True, (4, 5, 6, 7))
    assert (twin.mistakes, twin.realizable, twin.tie) == (3, False, 0)
    later = twin.copy()
    assert later.hypothesis().tolist() == twin.hypothesis().tolist()
    twin.update(2, 1)
    assert later.predict(2) == 0
    assert twin.predict(2) == 1


def test_large_class_is_followed_across_compactions() -> None:
    # 300 rows fill five words; every example of a target removes some rows.
    table = (np.random.default_rng(3).random((300, 40)) < 0.5).astype(np.uint8)
    H = FiniteClass(table)
    for target in (0, 150, 299):
        soa = StandardOptimalAlgorithm(H)
        rows = np.arange(len(H))
        for x in range(40):
            y = int(H.table[target, x])
            soa.update(x, y)
            rows = rows[H.table[rows, x] == y]
            assert soa.version_space == tuple(rows.tolist())
        assert soa.version_space == (target,)
        assert soa.hypothesis().tolist() == H.table[target].tolist()
        assert soa.mistakes <= littlestone_dimension(H)


def test_points_keep_their_names() -> None:
    H = FiniteClass([[0, 1], [1, 1]], domain=["a", ("b", 2)])
    soa = StandardOptimalAlgorithm(H)
    assert soa.predict(("b", 2)) == 1
    soa.update("a", 0)
    assert soa.mistakes == 1
    refuses(r"^point: got 'c', want one of the 2 points", soa.predict, "c")
    with pytest.raises(InvalidInput, match=r"^point: got the unhashable value"):
        soa.update([1], 0)  # type: ignore[arg-type]  # unhashable on purpose


def test_bad_arguments() -> None:
    H = FiniteClass([[0, 1], [1, 1]])
    with pytest.raises(InvalidInput, match=r"^H: got the empty class"):
        StandardOptimalAlgorithm(FiniteClass(np.zeros((0, 2), dtype=np.uint8)))
    refuses(r"^tie: got -1", StandardOptimalAlgorithm, H, tie=-1)
    soa = StandardOptimalAlgorithm(H)
    refuses(r"^y: got 2", soa.update, 0, 2)
    refuses(r"^y: got -1", soa.replay, [(0, 1), (0, -1)])
    assert soa.mistakes == 0
    assert soa.version_space == (0, 1)
    with pytest.raises(BudgetExhausted):
        StandardOptimalAlgorithm(H, max_memory=100)


def test_a_search_that_is_running_refuses_another_question() -> None:
    H = FiniteClass(np.eye(40, dtype=np.uint8))
    search = LittlestoneSearch(H)
    soa = StandardOptimalAlgorithm(H, search=search)

    def predict(*_: float) -> None:
        soa.predict(0)

    with pytest.raises(RuntimeError, match="already running"):
        search.solver.run(0.0, predict)
    assert not soa.hypothesis().any()


def test_what_stops_a_replay_leaves_it_after_the_last_whole_example(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    H = FiniteClass((np.random.default_rng(5).random((60, 20)) < 0.5).astype(np.uint8))
    examples = [(x % 20, int(H.table[7, x % 20]) ^ (x == 30)) for x in range(45)]
    soa, whole = StandardOptimalAlgorithm(H), list[tuple[tuple[int, ...], int, list[int]]]()
    for example in [None, *examples]:
        if example is not None:
            soa.update(*example)
        whole.append((soa.version_space, soa.mistakes, soa.hypothesis().tolist()))
    asked, stops = LittlestoneSearch.dimension_of, set()
    for allowed in range(1000):
        left = allowed

        def dimension_of(self: LittlestoneSearch, rows: Any) -> int:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return asked(self, rows)

        soa = StandardOptimalAlgorithm(H)
        with monkeypatch.context() as patch:
            patch.setattr(LittlestoneSearch, "dimension_of", dimension_of)
            try:
                soa.replay(examples)
            except KeyboardInterrupt:
                pass
            else:
                break
        at = whole.index((soa.version_space, soa.mistakes, soa.hypothesis().tolist()))
        stops.add(at)
        soa.replay(examples[at:])
        assert soa.hypothesis().tolist() == whole[-1][2]
    assert len(stops) >= 3
