"""The compiled state of the standard optimal algorithm when memory runs out."""

from __future__ import annotations

import numpy as np
import pytest
from pac_stability._core.soa import OptimalPredictor

from pac_stability._core.littlestone import LittlestoneSolver


def test_a_step_that_is_stopped_changes_nothing() -> None:
    # 90 of 200 rows have label 1 at the first point: taking that in rebuilds the matrix on them,
    # for which some of these limits leave no room.
    table = np.zeros((200, 300), dtype=np.uint8)
    table[:, 1:] = np.random.default_rng(0).integers(0, 2, (200, 299))
    table[:90, 0] = 1
    refused = taken = 0
    for limit in range(150_000, 300_000, 5000):
        try:
            state = OptimalPredictor(LittlestoneSolver(table, limit), 1)
            state.predict(0)
        except MemoryError:
            continue
        try:
            state.update(0, True)
        except MemoryError:
            refused += 1
            assert (state.mistakes, state.realizable) == (0, True)
            assert state.version_space() == tuple(range(200))
        else:
            taken += 1
            assert state.version_space() == tuple(range(90))
        assert state.solver.memory <= limit
    assert refused
    assert taken


def test_a_state_that_is_gone_gives_its_memory_back() -> None:
    solver = LittlestoneSolver(np.eye(70, dtype=np.uint8), 10**7)
    before = solver.memory
    state = OptimalPredictor(solver, 1)
    assert solver.memory > before
    with pytest.raises(MemoryError):
        OptimalPredictor(LittlestoneSolver(np.eye(70, dtype=np.uint8), before), 1)
    del state
    assert solver.memory == before
    # What was given back is taken off once.
    for _ in range(2):
        OptimalPredictor(solver, 1)
        assert solver.memory == before
