import itertools

import numpy as np
from hypothesis import given, strategies as st

from pac_stability import FiniteClass, online, testing
from shared_refusals import refuses

CLASSES = testing.strategies.finite_classes(max_hypotheses=9)


def majority(rows: list[list[int]], x: int, tie: int) -> int:
    votes = [row[x] for row in rows]
    return tie if votes.count(0) == votes.count(1) else int(votes.count(1) > votes.count(0))


@given(CLASSES, st.integers(0, 1), st.data())
def test_predicts_the_majority_of_the_version_space(
    H: FiniteClass, tie: int, data: st.DataObject
) -> None:
    learner, rows = online.Halving(H, tie), H.table.tolist()
    alive = rows
    for x, y in data.draw(testing.strategies.realizable_samples(H, max_size=6)):
        assert isinstance(x, int)
        assert learner.predict(x) == majority(alive, x, tie)
        learner.update(x, y)
        alive = [row for row in alive if row[x] == y]
        assert learner.version_space == tuple(i for i, row in enumerate(rows) if row in alive)
        assert learner.hypothesis().tolist() == [
            majority(alive, x, tie) for x in range(len(rows[0]))
        ]
    assert learner.realizable


@given(CLASSES, st.integers(0, 1))
def test_errs_at_most_log2_of_the_class_on_realizable_sequences(H: FiniteClass, tie: int) -> None:
    rows = H.table.tolist()
    for target, points in itertools.product(rows, itertools.permutations(range(len(rows[0])))):
        learner = online.Halving(H, tie)
        wrong = 0
        for x in points:
            wrong += learner.predict(x) != target[x]
            learner.update(x, target[x])
        assert learner.mistakes == wrong
        assert 2**wrong <= len(rows)
        assert wrong <= learner.mistake_bound


def test_the_bound_is_the_largest_power_of_two_that_fits() -> None:
    for size in range(1, 17):
        rows = [[(i >> bit) & 1 for bit in range(5)] for i in range(size)]
        bound = online.Halving(FiniteClass(rows)).mistake_bound
        assert 2**bound <= size < 2 ** (bound + 1)


def test_without_an_agreeing_hypothesis_it_patches_its_last_predictor() -> None:
    # Version space after (0, 1): rows 10 and 11, tied at point 1.  Then (0, 0) contradicts both:
    # the predictor 1,1 stays, corrected at point 0 only; and later points only correct further.
    learner = online.Halving(FiniteClass([[0, 0], [1, 0], [1, 1]]))
    learner.update(0, 1)
    assert learner.hypothesis().tolist() == [1, 1]
    learner.update(0, 0)
    assert not learner.realizable
    assert learner.version_space == ()
    assert learner.hypothesis().tolist() == [0, 1]
    learner.update(1, 0)
    learner.update(0, 1)
    assert learner.hypothesis().tolist() == [1, 0]
    assert learner.mistakes == 3


def test_the_array_it_returns_is_the_callers_own() -> None:
    learner = online.Halving(FiniteClass([[0, 1]]))
    learner.hypothesis()[:] = 1
    assert learner.hypothesis().tolist() == [0, 1]


def test_refuses_bad_input() -> None:
    H = FiniteClass([[0], [1]])
    refuses("tie: got 2, want a label, 0 or 1", online.Halving, H, tie=2)
    refuses("label: got -1, want a label, 0 or 1", online.Halving(H).update, 0, -1)
    refuses("point", online.Halving(H).predict, 5)
    refuses("H: got the empty class", online.Halving, FiniteClass(np.zeros((0, 2), dtype=np.uint8)))
