"""Exact linear programs against the enumeration of all vertices."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.errors import InvalidInput
from pac_stability.notions.simulator_covers import LinearProgram
from shared_refusals import refuses

Constraint = tuple[list[int], int]


def solution(system: list[Constraint]) -> list[Fraction] | None:
    """Solve a square system by elimination; ``None`` when it is singular."""
    rows = [[*map(Fraction, a), Fraction(b)] for a, b in system]
    for column in range(len(rows)):
        pivot = next((r for r in range(column, len(rows)) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for r, row in enumerate(rows):
            if r != column:
                rows[r] = [x - row[column] * y for x, y in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def optimum(costs: list[int], constraints: list[Constraint]) -> Fraction | None:
    """The least cost of a vertex; with x >= 0 and costs >= 0 the optimum is at one."""
    k = len(costs)
    every = constraints + [([int(i == j) for j in range(k)], 0) for i in range(k)]
    vertices = (solution(list(chosen)) for chosen in combinations(every, k))
    return min(
        (
            sum((c * x for c, x in zip(costs, point, strict=True)), Fraction())
            for point in vertices
            if point
            and all(sum(c * x for c, x in zip(a, point, strict=True)) >= b for a, b in every)
        ),
        default=None,
    )


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[int], list[Constraint], list[bool]]:
    k = draw(st.integers(1, 3))
    costs = draw(st.lists(st.integers(0, 3), min_size=k, max_size=k))
    row = st.lists(st.integers(-3, 3), min_size=k, max_size=k)
    constraints = draw(st.lists(st.tuples(row, st.integers(-4, 4)), max_size=5))
    stops = draw(st.lists(st.booleans(), min_size=5, max_size=5))
    return costs, constraints, stops


@settings(max_examples=60)
@given(programs())
def test_optima_are_those_of_the_best_vertex(
    program: tuple[list[int], list[Constraint], list[bool]],
) -> None:
    costs, constraints, stops = program
    solver = LinearProgram(costs)
    for (a, b), stop in zip(constraints, stops, strict=False):
        before = solver.copy()
        solver.require(a, b)
        if stop:
            solver.solve()  # optima on the way must not spoil the last one
        before.require([0] * len(costs), 1)  # nor changes to a copy
        assert not before.solve()
    feasible, expected = solver.solve(), optimum(costs, constraints)
    assert feasible == (expected is not None)
    if feasible:
        point = solver.point()
        assert solver.value == expected == sum(c * x for c, x in zip(costs, point, strict=True))
        assert all(x >= 0 for x in point)
        for a, b in constraints:
            assert sum(c * x for c, x in zip(a, point, strict=True)) >= b


def test_a_program_that_makes_careless_pivoting_cycle() -> None:
    """Beale's example, as the dual: minimise b.y over A'y >= c, y >= 0; the optimum is 1/20."""
    solver = LinearProgram([0, 0, 1])
    rows: list[tuple[list[Fraction | int], Fraction | int]] = [
        ([Fraction(1, 4), Fraction(1, 2), 0], Fraction(3, 4)),
        ([-60, -90, 0], -150),
        ([Fraction(-1, 25), Fraction(-1, 50), 1], Fraction(1, 50)),
        ([9, 3, 0], -6),
    ]
    for a, b in rows:
        solver.require(a, b)
    assert solver.solve()
    assert solver.value == Fraction(1, 20)


def test_bad_input_is_refused_by_name() -> None:
    refuses("costs: got -1", LinearProgram, [1, -1])
    refuses("costs: got the float", LinearProgram, [0.5])  # type: ignore[list-item]  # on purpose
    program = LinearProgram([1, 1])
    refuses("coefficients: got 1 of them", program.require, [1], 0)
    with pytest.raises(InvalidInput, match="bound: got the float"):
        program.require([1, 1], 0.5)  # type: ignore[arg-type]  # on purpose
