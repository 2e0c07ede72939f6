"""VC and dual VC dimension of finite classes: definition, closed forms, invariances, budgets."""

import json
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import BudgetExhausted, FiniteClass, InvalidInput, classes, testing
from pac_stability.dimensions import (
    Bounds,
    DualShatteredSet,
    DualVCSearch,
    SearchProgress,
    ShatteredSet,
    VCSearch,
    dual_vc,
    dual_vc_dimension,
    littlestone_dimension,
    vc,
    vc_dimension,
)
from shared_classes import random_class
from shared_dimensions import vc_by_definition

small_classes = testing.strategies.finite_classes(max_points=6, max_hypotheses=24)


FAMILIES: dict[str, Callable[[], FiniteClass]] = {
    "thresholds": lambda: classes.thresholds(40),
    "signed thresholds": lambda: classes.signed_thresholds(20),
    "singletons": lambda: classes.singletons(70),
    "intervals": lambda: classes.intervals(20),
    "unions of 2 intervals": lambda: classes.unions_of_intervals(12, 2),
    "unions of 3 intervals": lambda: classes.unions_of_intervals(11, 3),
    "subsets": lambda: classes.subsets(9, 4),
    "cube": lambda: classes.cube(7),
    "parities": lambda: classes.parities(6),
    "lines": lambda: classes.affine_lines(5),
    "planes": lambda: classes.affine_planes(3),
    "boxes": lambda: classes.boxes(5, 2),
    "monotone conjunctions": lambda: classes.monotone_conjunctions(5),
    "halfspaces": lambda: classes.halfspaces(4, 2),
}


def test_definition_on_many_random_classes() -> None:
    values = set()
    for seed in range(1500):
        rng = np.random.default_rng(seed)
        H = random_class(
            seed, int(rng.integers(1, 60)), int(rng.integers(1, 7)), rng.choice([0.2, 0.5, 0.7])
        )
        bounds = vc(H)
        assert bounds.value == vc_by_definition(H.table)
        assert bounds.witness is not None
        assert len(bounds.witness.points) == bounds.value
        assert bounds.witness.is_shattered_by(H)
        values.add(bounds.value)
    assert values == {0, 1, 2, 3, 4}


def test_dual_by_definition_on_random_classes() -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        H = random_class(seed, int(rng.integers(1, 8)), int(rng.integers(1, 20)))
        bounds = dual_vc(H)
        assert bounds.value == vc_by_definition(np.unique(H.table.T, axis=0))
        assert bounds.witness is not None
        assert len(bounds.witness.hypotheses) == bounds.value
        assert bounds.witness.is_shattered_by(H)


@pytest.mark.parametrize("name", FAMILIES)
def test_closed_forms_of_the_families(name: str) -> None:
    H = FAMILIES[name]()
    known = {key: H.known[key].value for key in ("vc", "dual_vc") if key in H.known}
    assert "vc" in known
    assert {"vc": vc_dimension(H), "dual_vc": dual_vc_dimension(H)}.items() >= known.items()


def test_values_written_out() -> None:
    assert vc_dimension(classes.intervals(9)) == 2
    assert vc_dimension(classes.unions_of_intervals(13, 3)) == 6
    assert vc_dimension(classes.boxes(4, 2)) == 4
    assert vc_dimension(classes.subsets(8, 3)) == 3
    for p in (2, 3, 5, 7):  # the joining line, a line through each point alone, one through none
        assert vc_dimension(classes.affine_lines(p)) == 2
    assert vc_dimension(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])) == 1
    # All 0/1 columns of length k are points: the k hypotheses are shattered.
    assert dual_vc_dimension(FiniteClass(np.array(list(product((0, 1), repeat=5))).T)) == 5


def test_smallest_classes() -> None:
    assert (vc(FiniteClass(np.zeros((0, 3)))).value, vc(FiniteClass(np.zeros((0, 3)))).witness) == (
        -1,
        None,
    )
    assert vc(FiniteClass([[0, 1]])).witness == ShatteredSet((), (0,))
    assert vc_dimension(FiniteClass(np.zeros((1, 0)))) == 0
    assert vc_dimension(FiniteClass([[0, 0], [1, 1]])) == 1
    # Without points the dual class is empty; with equal columns it has one hypothesis.
    assert dual_vc(FiniteClass(np.zeros((1, 0)))).witness is None
    assert dual_vc_dimension(FiniteClass(np.zeros((1, 0)))) == -1
    assert dual_vc(FiniteClass([[0, 0], [1, 1]])).witness == DualShatteredSet((), (0,))
    assert dual_vc_dimension(FiniteClass(np.zeros((0, 3)))) == 0


@given(H=small_classes, seed=st.integers(0, 2**32 - 1))
def test_permuting_complementing_and_repeating_columns(H: FiniteClass, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = H.table[rng.permutation(len(H))][:, rng.permutation(H.table.shape[1])]
    table = table ^ rng.integers(0, 2, H.table.shape[1], dtype=np.uint8)
    table = np.hstack([table, table[:, :1], 1 - table[:, -1:], np.ones((len(H), 1), np.uint8)])
    assert vc_dimension(FiniteClass(table)) == vc_dimension(H)


@given(H=small_classes, seed=st.integers(0, 2**32 - 1))
def test_dual_is_the_dimension_of_the_dual_class(H: FiniteClass, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, H.table.shape[1], 2 * H.table.shape[1])
    repeated = FiniteClass(np.hstack([H.table, H.table[:, columns]]))
    assert dual_vc_dimension(repeated) == dual_vc_dimension(H) == vc_dimension(H.dual())


@given(first=small_classes, second=small_classes)
def test_products_add(first: FiniteClass, second: FiniteClass) -> None:
    both = classes.product(first, second)
    assert vc_dimension(both) == vc_dimension(first) + vc_dimension(second)


@given(H=small_classes)
def test_between_zero_and_littlestone(H: FiniteClass) -> None:
    d = littlestone_dimension(H)
    bounds = vc(H, upper=d)
    assert bounds.value == vc_dimension(H) <= d


@given(H=small_classes, row=st.integers(0, 23))
def test_one_hypothesis_changes_the_dimension_by_at_most_one(H: FiniteClass, row: int) -> None:
    fewer = FiniteClass(np.delete(H.table, row % len(H), axis=0))
    assert vc_dimension(H) - 1 <= vc_dimension(fewer) <= vc_dimension(H)


def test_corrupted_witnesses_are_rejected() -> None:
    H = random_class(5, 40, 10)
    good = vc(H).witness
    assert good is not None
    assert good.is_shattered_by(H)
    k = len(good.points)
    wrong = [
        ShatteredSet(good.points[::-1], good.hypotheses),
        ShatteredSet(good.points[:-1], good.hypotheses),
        ShatteredSet((*good.points[:-1], good.points[0]), good.hypotheses),
        ShatteredSet((*good.points[:-1], good.points[-1] - 10), good.hypotheses),
        ShatteredSet((*good.points[:-1], 10), good.hypotheses),
        ShatteredSet(good.points, good.hypotheses[1:] + good.hypotheses[:1]),
        ShatteredSet(good.points, good.hypotheses[:-1]),
        ShatteredSet(good.points, (good.hypotheses[0] - len(H), *good.hypotheses[1:])),
        ShatteredSet(good.points, (len(H), *good.hypotheses[1:])),
        ShatteredSet((), ()),
        ShatteredSet((), (len(H),)),
    ]
    assert k >= 3
    assert not any(witness.is_shattered_by(H) for witness in wrong)
    dual = dual_vc(H).witness
    assert dual is not None
    assert dual.is_shattered_by(H)
    assert not DualShatteredSet(dual.hypotheses[::-1], dual.points).is_shattered_by(H)
    assert not DualShatteredSet(dual.hypotheses, dual.points[1:]).is_shattered_by(H)


@pytest.mark.parametrize("kind", [ShatteredSet, DualShatteredSet])
def test_witnesses_travel_as_json(kind: type[ShatteredSet] | type[DualShatteredSet]) -> None:
    witness = kind((1,), (3, 4)) if kind is ShatteredSet else kind((1,), (0, 2))
    assert kind.from_dict(json.loads(json.dumps(witness.to_dict()))) == witness
    whole = witness.to_dict()
    for wrong in ("01", [True], None):
        bad = {**whole, "points": wrong}
        with pytest.raises(InvalidInput, match=r"^points: got .*, want a list of integers$"):
            kind.from_dict(bad)


@pytest.mark.parametrize("search", [VCSearch, DualVCSearch])
def test_pieces_add_up_to_the_whole(search: type[VCSearch] | type[DualVCSearch]) -> None:
    H = random_class(3, 200, 48)
    if search is DualVCSearch:
        H = H.dual()
    whole = search(H).run()
    stepwise = search(H)
    runs: list[Bounds[ShatteredSet] | Bounds[DualShatteredSet]] = []
    while not runs or not runs[-1].exact:
        runs.append(stepwise.run(time_limit=1e-9))
        assert len(runs) < 10_000
    assert len(runs) > 5
    assert (runs[-1].value, runs[-1].witness, runs[-1].nodes) == (
        whole.value,
        whole.witness,
        whole.nodes,
    )
    for before, after in pairwise(runs):
        assert before.lower <= after.lower <= after.upper <= before.upper
        assert before.nodes <= after.nodes
        assert before.seconds < after.seconds


def out_of_reach() -> FiniteClass:
    """A class that no search on this machine settles soon: every bound of it is a partial one."""
    return random_class(1, 3000, 160)


def test_a_time_limit_gives_certified_bounds() -> None:
    H = out_of_reach()
    bounds = vc(H, time_limit=0.05)
    assert not bounds.exact
    assert bounds.witness is not None
    assert len(bounds.witness.points) == bounds.lower >= 2
    assert bounds.witness.is_shattered_by(H)
    assert bounds.upper <= 11  # floor(log2 3000)
    with pytest.raises(BudgetExhausted, match=r"allow more time") as caught:
        _ = bounds.value
    assert (caught.value.lower, caught.value.upper) == (bounds.lower, bounds.upper)


def test_a_memory_limit_gives_certified_bounds() -> None:
    H = random_class(3, 200, 48)
    bounds = vc(H, max_memory=1000)
    assert (bounds.lower, bounds.upper) == (1, 7)  # one column always splits; floor(log2 200)
    assert bounds.witness is not None
    assert bounds.witness.is_shattered_by(H)
    assert vc(H, max_memory=10**7).exact


def test_progress_and_an_interrupt_leave_a_usable_search() -> None:
    H = out_of_reach()
    search = VCSearch(H)
    reports: list[SearchProgress] = []

    def interrupt(report: SearchProgress) -> None:
        reports.append(report)
        if len(reports) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(progress=interrupt)
    assert len(reports) == 2
    assert reports[0].nodes < reports[1].nodes
    assert (search.lower, search.upper) == (reports[1].lower, reports[1].upper)
    for _ in range(20):  # pieces of work, of which some look for chains
        later = search.run(time_limit=1e-9)
    assert later.lower >= reports[1].lower
    assert later.nodes > reports[1].nodes
    assert later.seconds > reports[1].seconds
    assert later.witness is not None
    assert later.witness.is_shattered_by(H)


@pytest.mark.parametrize("limit", [0, -1.0, float("nan")])
def test_a_time_limit_is_positive(limit: float) -> None:
    with pytest.raises(InvalidInput, match=r"^time_limit: got .*, want a positive number"):
        vc(FiniteClass([[0], [1]]), time_limit=limit)


def test_a_memory_limit_is_positive() -> None:
    with pytest.raises(InvalidInput, match=r"^max_memory: got 0, want a positive number"):
        VCSearch(FiniteClass([[0], [1]]), max_memory=0)
