"""The machine of states against the algorithm it stands for."""

import numpy as np
from hypothesis import given, strategies as st

from pac_stability import classes, data, online
from pac_stability.online.soa import SoaStates
from pac_stability.testing import strategies
from shared_refusals import refuses


@given(
    strategies.classes_with_samples(max_points=6, max_hypotheses=14, min_size=0, max_size=12),
    st.integers(0, 1),
)
def test_every_step_is_one_of_the_standard_optimal_algorithm(
    run: tuple[classes.FiniteClass, data.Sample[int]], tie: int
) -> None:
    H, examples = run
    machine, soa = SoaStates(H, tie), online.StandardOptimalAlgorithm(H, tie)
    state = machine.start
    for x, y in examples:
        assert machine.predictor(state) == classes.bits.as_mask(soa.hypothesis())
        soa.update(x, y)
        state = machine.step(state, x, y)
        space = () if state < 0 else tuple(i for i in range(len(H)) if state >> i & 1)
        assert space == soa.version_space
    assert machine.predictor(state) == classes.bits.as_mask(soa.hypothesis())
    assert machine.run(machine.start, examples) == state


def test_after_a_contradiction_the_order_of_the_examples_matters() -> None:
    # Points read from the right: rows 001, 010, 111. After (1, 1) rows 010 and 111 are left, and
    # their predictor is 111, by ties. (1, 0) contradicts: 101, then (2, 0) patches it to 001. But
    # (2, 0) first leaves row 010 alone, and (1, 0) patches that to 000.
    machine = SoaStates(classes.FiniteClass([[1, 0, 0], [0, 1, 0], [1, 1, 1]]))
    state = machine.step(machine.start, 1, 1)
    assert machine.predictor(machine.run(state, [(1, 0), (2, 0)])) == 0b001
    assert machine.predictor(machine.run(state, [(2, 0), (1, 0)])) == 0b000


def test_a_realizable_past_matters_as_a_set_only() -> None:
    machine = SoaStates(classes.thresholds(4))
    once = machine.run(machine.start, [(0, 0), (2, 1)])
    assert machine.run(machine.start, [(2, 1), (0, 0), (2, 1), (0, 0)]) == once > 0


def test_bad_input_is_named() -> None:
    refuses("H: got the empty class", SoaStates, classes.FiniteClass(np.zeros((0, 2))))
    refuses("tie: got 2", SoaStates, classes.thresholds(3), 2)
    machine = SoaStates(classes.thresholds(3))
    for point, label, message in [
        (-1, 0, "point: got -1, want a column below 3"),
        (3, 0, "point: got 3"),
        (0, 2, "label: got 2"),
        (0, -1, "label: got -1"),
    ]:
        refuses(message, machine.step, machine.start, point, label)
