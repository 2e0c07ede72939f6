"""The compiled walks of the SOA against the machine in Python, and what they refuse."""

import itertools
import threading
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability._core.soa import SoaMemo, SoaWalk
from pac_stability.classes import FiniteClass, thresholds
from pac_stability.data import Sample
from pac_stability.online.soa import CompiledMachine, SoaMachine, SoaStates
from pac_stability.testing import strategies

RUNS = strategies.classes_with_samples(max_points=6, max_hypotheses=14, min_size=0, max_size=12)


@given(RUNS, st.integers(0, 1), st.lists(st.integers(0, 2)))
def test_a_walk_is_the_machine_in_python(
    run: tuple[FiniteClass, Sample[int]], tie: int, ways: list[int]
) -> None:
    H, sample = run
    plain, walk = SoaMachine(SoaStates(H, tie)), CompiledMachine(SoaStates(H, tie))
    examples, at = list(sample), 0
    while at < len(examples):
        # One example after the other, with and without a look before it, and some at once.
        way = ways.pop() if ways else 2
        some = examples[at:] if way == 2 else examples[at : at + 1]
        at += len(some)
        if way == 0:
            assert walk.predict(H.column(some[0].point)) == plain.predict(H.column(some[0].point))
        if way < 2:
            walk.update(H.column(some[0].point), some[0].label)
            plain.update(H.column(some[0].point), some[0].label)
        else:
            assert walk.replay(list(some)) == plain.replay(list(some))
        assert (walk.state, walk.mistakes) == (plain.state, plain.mistakes)
        assert walk.realizable == plain.realizable
        twin = walk.copy()
        assert [twin.predict(x) for x in range(len(H.domain))] == [
            plain.predict(x) for x in range(len(H.domain))
        ]


@given(RUNS, st.integers(0, 1), st.integers(0, 12))
def test_codes_lead_where_pairs_do(
    run: tuple[FiniteClass, Sample[int]], tie: int, cut: int
) -> None:
    H, sample = run
    states, pairs = SoaStates(H, tie), [(H.column(x), y) for x, y in sample]
    codes = np.array([2 * x + y for x, y in pairs], dtype=np.uint32)
    state = states.run_codes(states.start, codes[:cut])  # the second part may begin contradicted
    assert state == states.run(states.start, pairs[:cut])
    assert states.run_codes(state, codes[cut:]) == states.run(states.start, pairs)


def random_memo(seed: int, points: int, spaces: int) -> tuple[SoaMemo, dict[tuple[int, int], Any]]:
    """A machine of any kind, and the same in a dictionary."""
    rng, memo = np.random.default_rng(seed), SoaMemo(points)
    known = {}
    for space, column in itertools.product(range(spaces), range(points)):
        zero, one = rng.integers(-1, spaces, 2).tolist()
        known[space, column] = zero, one, int(rng.integers(0, 2))
        memo.teach(space, column, zero, one, known[space, column][2])
    return memo, known


@pytest.mark.parametrize("seed", range(20))
def test_a_walk_goes_where_it_was_told(seed: int) -> None:
    # Any numbers may be taught, not only those of a class; the memo grows from 64 places on.
    points, spaces = 3 + seed, 1 + 7 * seed
    memo, known = random_memo(seed, points, spaces)
    codes = np.random.default_rng(seed).integers(0, 2 * points, 200).astype(np.uint32)
    walk, predictions = SoaWalk(memo, 0), np.zeros(200, dtype=np.uint8)
    assert walk.walk(codes, predictions) == 200
    space, patches, mistakes = 0, dict[int, int](), 0
    for code, prediction in zip(codes.tolist(), predictions.tolist(), strict=True):
        column, label = divmod(code, 2)
        assert prediction == patches.get(column, known[space, column][2])
        mistakes += prediction != label
        after = known[space, column][label]
        if patches or after < 0:
            patches[column] = label
        else:
            space = after
    assert (walk.space, walk.mistakes, walk.realizable) == (space, mistakes, not patches)
    assert walk.patched() == bytes(patches.get(x, 255) for x in range(points))


def test_it_stops_where_it_was_not_told() -> None:
    memo = SoaMemo(2)
    memo.teach(0, 0, 0, 1, 1)
    walk, codes = SoaWalk(memo, 0), np.array([0, 1, 2, 0], dtype=np.uint32)
    predictions = np.full(4, 7, dtype=np.uint8)
    assert (walk.walk(codes, predictions), walk.space, walk.mistakes) == (2, 1, 1)
    assert (walk.predict(1), walk.update(1, False)) == (-1, -1)
    memo.teach(1, 1, 0, -1, -1)  # where it leads, not what is predicted
    assert walk.walk(codes, predictions, 2) == 2
    assert SoaWalk(memo, 1).walk(codes[2:]) == 2  # unless that is not asked
    memo.teach(1, 1, 0, -1, 0)
    assert (walk.walk(codes, predictions, 2), predictions.tolist()) == (4, [1, 1, 0, 1])
    assert (walk.space, walk.mistakes) == (0, 2)


def test_without_room_for_predictions_no_mistakes_are_counted() -> None:
    memo, _ = random_memo(1, 4, 5)
    walk = SoaWalk(memo, 0)
    assert walk.walk(np.arange(8, dtype=np.uint32)) == 8
    assert walk.mistakes == 0


def test_pairs_are_read_up_to_the_first_that_is_none() -> None:
    memo = SoaMemo(300)
    columns: dict[Hashable, int] = {"a": 0, "b": 299}
    for bad in (("c", 1), ("a", 2), ("a", True), ("a", 1.0), ("a",), ["a", 1], ("a", 1, 1), None):
        codes = np.zeros(3, dtype=np.uint32)
        assert memo.read([("b", 1), ("a", 0), bad], columns, codes) == 2
        assert codes.tolist() == [599, 0, 0]
    for label in (np.int64(1), np.True_, np.uint8(0)):  # Python reads those
        assert memo.read([("a", label)], columns, np.zeros(1, dtype=np.uint32)) == 0


def test_a_list_that_grows_while_it_is_read_is_refused() -> None:
    examples: list[object] = []

    class Growing:
        def __hash__(self) -> int:
            examples.extend([("a", 1)] * 1000)
            return 1

    examples.append((Growing(), 1))
    columns: dict[Hashable, int] = {"a": 0, examples[0][0]: 1}  # type: ignore[index]  # a pair
    del examples[1:]
    with pytest.raises(ValueError, match="the list grew"):
        SoaMemo(2).read(examples, columns, np.zeros(1, dtype=np.uint32))


def test_a_memo_books_what_it_holds() -> None:
    memo, _ = random_memo(0, 4, 100)
    assert SoaMemo(4).memory == 64 * 24
    assert memo.memory == 1024 * 24  # at most half full


def test_two_threads_cannot_walk_at_once() -> None:
    memo, _ = random_memo(2, 50, 50)
    codes: npt.NDArray[np.uint32] = np.zeros(1 << 22, dtype=np.uint32)

    refused = False
    for _ in range(1000):
        other = threading.Thread(target=SoaWalk(memo, 0).walk, args=(codes,))
        other.start()
        while other.is_alive() and not refused:
            try:
                SoaWalk(memo, 0).predict(0)
            except RuntimeError as error:
                refused = "another thread" in str(error)
        other.join()
        if refused:
            return
    pytest.fail("no walk took long enough")


def test_a_class_of_one_hypothesis_and_one_point() -> None:
    soa = CompiledMachine(SoaStates(FiniteClass([[1]])))
    assert (soa.predict(0), soa.realizable) == (1, True)
    soa.update(0, 0)
    assert (soa.predict(0), soa.realizable, soa.mistakes) == (0, False, 1)


def test_a_long_walk_counts_its_mistakes() -> None:
    # On chains of 64 the SOA errs seven times at most, however long the sequence.
    H = thresholds(64)
    soa = CompiledMachine(SoaStates(H))
    rng = np.random.default_rng(0)
    points = rng.integers(0, 64, 5000).tolist()
    examples = [(H.domain[x], int(H.table[17, x])) for x in points]
    wrong = sum(p != y for p, (_, y) in zip(soa.replay(list(examples)), examples, strict=True))
    assert soa.mistakes == wrong <= 7
