"""A search that did not end says both of its bounds."""

import math

import pytest

from pac_stability import BudgetExhausted, FiniteClass
from pac_stability.dimensions import SearchProgress, bounds as anytime, teaching, vc
from pac_stability.dimensions.littlestone_search import LittlestoneSearch

# All labellings of three points, of dimension 3 by each definition.
CUBE = [[row >> point & 1 for point in range(3)] for row in range(8)]


def test_a_search_that_has_not_begun_reports_what_it_knows() -> None:
    search = LittlestoneSearch(FiniteClass([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]]))
    assert search.lower < search.upper
    error = search._exhausted("no time")
    assert (error.lower, error.upper) == (search.lower, search.upper)


def test_a_search_that_was_only_set_up_has_bounds_of_both_sides() -> None:
    search = LittlestoneSearch(FiniteClass(CUBE))
    assert search.solver.nodes == 0
    # That two hypotheses differ gives 1.
    assert (search.lower, search.upper) == (1, 3)


def test_progress_is_shown_when_it_is_due_and_when_the_dimension_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    H = FiniteClass(CUBE)
    shown: list[tuple[int, int]] = []

    def note(progress: SearchProgress) -> None:
        shown.append((progress.lower, progress.upper))

    monkeypatch.setattr(anytime, "_REPORT_EVERY", math.inf)
    vc(H, progress=note)
    assert shown == [(3, 3)]
    monkeypatch.setattr(anytime, "_REPORT_EVERY", 0.0)
    vc(H, progress=note)
    assert shown[1:] == sorted(shown[1:])
    assert (shown[1], shown[-1]) == ((1, 3), (3, 3))


def test_the_bounds_of_a_teaching_dimension_come_from_what_ended_and_what_did_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    H = FiniteClass([[0, 0, 0], [0, 1, 0], [1, 0, 0]])
    bounds: dict[int, tuple[int | None, int | None]] = {0: (1, 2), 1: (0, 3), 2: (None, 1)}

    def asked(_: FiniteClass, hypothesis: int, *, max_nodes: int) -> tuple[int, ...]:
        del max_nodes
        raise BudgetExhausted("no time", *bounds[hypothesis])

    monkeypatch.setattr(teaching, "minimum_teaching_set", asked)
    with pytest.raises(BudgetExhausted) as caught:
        teaching.teaching_dimension(H)
    assert (caught.value.lower, caught.value.upper) == (1, 3)
    for known, expected in (((1, None), (1, 3)), ((None, 2), (-1, 2))):
        bounds.update((hypothesis, known) for hypothesis in range(3))
        with pytest.raises(BudgetExhausted) as caught:
            teaching.teaching_dimension(H)
        assert (caught.value.lower, caught.value.upper) == expected
