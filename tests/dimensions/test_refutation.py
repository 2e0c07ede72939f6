"""Refutations: sound whatever they contain, complete for what the search proves."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from pac_stability import BudgetExhausted, FiniteClass
from pac_stability.dimensions import (
    LittlestoneSearch,
    Refutation,
    RefutedSide,
    Step,
    littlestone_dimension,
    refutation,
)
from shared_refusals import refuses


def planes(p: int) -> FiniteClass:
    points = np.array(list(itertools.product(range(p), repeat=3)))
    normals = [v for v in itertools.product(range(p), repeat=3) if next(filter(None, v), 0) == 1]
    rows = [(points @ np.array(normal) % p == c) for normal in normals for c in range(p)]
    return FiniteClass(np.array(rows, dtype=np.uint8))


def intervals(n: int) -> FiniteClass:
    rows = [[int(i <= x < j) for x in range(n)] for i in range(n + 1) for j in range(i, n + 1)]
    return FiniteClass(rows)


CLASSES = {
    "planes": planes(3),
    "intervals": intervals(18),
    "random": FiniteClass((np.random.default_rng(1).random((150, 14)) < 0.25).astype(np.uint8)),
    # 29 subsets of at most two of seven points, every point fifteen times, some complemented.
    "wide": FiniteClass(
        np.repeat([row for row in itertools.product((0, 1), repeat=7) if sum(row) <= 2], 15, axis=1)
        ^ (np.arange(105) % 3 == 0)
    ),
}


@pytest.mark.parametrize("name", CLASSES)
def test_the_proof_of_the_best_bound_stands(name: str) -> None:
    H = CLASSES[name]
    proof = refutation(H)
    assert proof.level == littlestone_dimension(H) + 1
    assert proof.steps
    assert proof.fault(H) is None
    assert Refutation.from_dict(json.loads(json.dumps(proof.to_dict()))) == proof


@pytest.mark.parametrize("name", CLASSES)
def test_weaker_bounds_have_proofs_too(name: str) -> None:
    H = CLASSES[name]
    search = LittlestoneSearch(H)
    search.run()
    for k in range(search.lower + 1, len(H).bit_length() + 2):
        proof = search.refutation(k)
        assert proof.level == k
        assert proof.refutes(H)
        # More than log2 |H| needs no argument.
        assert bool(proof.steps) == (2**k <= len(H))


def test_one_version_space_may_be_refuted_at_two_levels() -> None:
    # Eight singletons; the square; the cube; every row knows its part. Asking for the singletons
    # leaves dimension 1, which 3 refutes at once; asking for the cube leaves singletons and square,
    # where the singletons are refuted once more, now for 2.
    square, cube = (np.array(list(itertools.product((0, 1), repeat=k))) for k in (2, 3))
    table = np.zeros((20, 15), dtype=np.uint8)
    table[:8, 2:10] = np.eye(8)
    table[8:12, 10:12] = square
    table[12:, 12:] = cube
    table[8:, 0] = 1
    table[12:, 1] = 1
    H = FiniteClass(table)
    proof = refutation(H)
    assert proof.level == 4
    lone = [step.level for step in proof.steps if not step.sides]
    assert sorted(lone) == [2, 3]
    assert proof.fault(H) is None


@pytest.mark.parametrize("name", CLASSES)
def test_no_reason_can_be_left_out_or_replaced(name: str) -> None:
    H = CLASSES[name]
    proof = refutation(H)
    rng = np.random.default_rng(0)
    with_sides = [i for i, step in enumerate(proof.steps) if step.sides]
    for index in rng.choice(with_sides, min(12, len(with_sides)), replace=False).tolist():
        step = proof.steps[index]
        which = int(rng.integers(len(step.sides)))
        side = step.sides[which]
        # A side is listed only when none before it covers its point.
        shorter = replace(step, sides=step.sides[:which])
        assert not _with_step(proof, index, shorter).refutes(H)
        stronger = replace(step, level=step.level - 1)
        assert "proves too little" in str(_with_step(proof, index, stronger).fault(H))
        absent = replace(side, step=len(proof.steps))
        wrong = replace(step, sides=(*step.sides[:which], absent, *step.sides[which + 1 :]))
        assert "there is no step" in str(_with_step(proof, index, wrong).fault(H))
        loop = replace(side, step=0)
        wrong = replace(step, sides=(*step.sides[:which], loop, *step.sides[which + 1 :]))
        assert "proves too little" in str(_with_step(proof, index, wrong).fault(H))


def _with_step(proof: Refutation, index: int, step: Step) -> Refutation:
    return replace(proof, steps=(*proof.steps[:index], step, *proof.steps[index + 1 :]))


def test_soundness_no_random_corruption_proves_a_falsehood() -> None:
    # Claim "Ldim < d" about classes of dimension d, with steps taken from true proofs and then
    # damaged at random: none may pass.
    rng = np.random.default_rng(4)
    for _ in range(150):
        H = FiniteClass((rng.random((20, 6)) < 0.4).astype(np.uint8))
        d = littlestone_dimension(H)
        true = refutation(H, d + 1)
        lowered = [Step(max(step.level - 1, 0), step.sides) for step in true.steps]
        for _ in range(5):
            steps = list(lowered) or [Step(d, ())]
            index = int(rng.integers(len(steps)))
            sides = tuple(
                RefutedSide(
                    int(rng.integers(H.table.shape[1])),
                    int(rng.integers(2)),
                    int(rng.integers(len(steps))),
                )
                for _ in range(int(rng.integers(6)))
            )
            steps[index] = Step(int(rng.integers(d + 1)), sides)
            assert not Refutation(d, tuple(steps)).refutes(H)


def test_a_proof_for_one_class_does_not_pass_for_a_larger_one() -> None:
    small, large = intervals(6), FiniteClass(list(itertools.product((0, 1), repeat=6)))
    proof = refutation(small)
    assert not proof.refutes(large)


def test_sides_that_share_a_step_must_look_alike() -> None:
    # Where point 0 is 0, the other points split the four rows 1-3, 3-1 and 3-1: no point leaves two
    # on both sides, so the dimension is below 2.  Where point 2 is 1, point 0 splits them 1-3, but
    # point 1 splits them 2-2.
    H = FiniteClass(
        [
            [0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 1],
            [1, 1, 1, 1], [1, 0, 1, 0],
        ]
    )  # fmt: skip
    shared = Refutation(3, (Step(3, (RefutedSide(0, 0, 1), RefutedSide(2, 1, 1))), Step(2, ())))
    assert shared.fault(H) == "step 0, point 2: this side does not look like that of step 1"
    assert Refutation(3, (Step(3, (RefutedSide(0, 0, 1),)), Step(2, ()))).fault(H) == (
        "step 0: no side of point 1 is refuted"
    )


@pytest.mark.parametrize(("proof", "fault"), [
    (Refutation(2, ()), "step 0 does not bound the class"),
    (Refutation(2, (Step(3, ()),)), "step 0 does not bound the class"),
    (Refutation(2, (Step(2, ()),)), "step 0: no side of point 0 is refuted"),
    (
        Refutation(2, (Step(2, (RefutedSide(2, 0, 1),)), Step(1, ()))),
        "step 0, point 2: no such side",
    ),
    (
        Refutation(2, (Step(2, (RefutedSide(0, 2, 1),)), Step(1, ()))),
        "step 0, point 0: no such side",
    ),
    (
        Refutation(2, (Step(2, (RefutedSide(0, 0, 0),)),)),
        "step 0, point 0: step 0 proves too little",
    ),
])  # fmt: skip
def test_faults_are_named(proof: Refutation, fault: str) -> None:
    cube = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert proof.fault(cube) == fault
    assert not proof.refutes(cube)


def test_single_hypotheses_are_not_below_dimension_zero() -> None:
    # No point splits one hypothesis, yet its dimension is 0: otherwise two would have dimension 0.
    two = FiniteClass([[0], [1]])
    single = RefutedSide(0, 0, 1)
    assert Refutation(1, (Step(1, (single,)), Step(0, ()))).fault(two) == (
        "step 1: some hypothesis is left"
    )
    assert Refutation(0, (Step(0, ()),)).fault(FiniteClass([[0]])) == (
        "step 0: some hypothesis is left"
    )


def test_an_empty_side_is_refuted_at_zero_and_looks_like_no_other() -> None:
    H = FiniteClass([[0, 0], [0, 1], [0, 1]])
    empty = Refutation(1, (Step(1, (RefutedSide(0, 1, 1),)), Step(0, ())))
    assert empty.fault(H) == "step 0: no side of point 1 is refuted"
    mixed = Refutation(1, (Step(1, (RefutedSide(0, 1, 1), RefutedSide(1, 1, 1))), Step(0, ())))
    assert mixed.fault(H) == "step 0, point 1: this side does not look like that of step 1"
    empty_class = FiniteClass(np.zeros((0, 2), dtype=np.uint8))
    assert Refutation(-1, ()).fault(empty_class) == "no dimension is below -1"


def test_every_step_must_be_referred_to() -> None:
    singletons = FiniteClass(np.eye(4, dtype=np.uint8))
    assert Refutation(2, (Step(2, ()),)).refutes(singletons)
    idle = Refutation(2, (Step(2, ()), Step(1, ())))
    assert idle.fault(singletons) == "nothing before step 1 refers to it"


def test_bad_requests() -> None:
    H = intervals(8)
    d = littlestone_dimension(H)
    refuses(r"^k: got", refutation, H, d)
    refuses(r"^max_steps: got 0", refutation, H, max_steps=0)
    with pytest.raises(BudgetExhausted) as caught:
        refutation(H, max_steps=1)
    assert (caught.value.lower, caught.value.upper) == (d, d)


@pytest.mark.parametrize(
    "form",
    [
        {}, {"level": 1}, {"level": -1, "steps": []}, {"level": 1, "steps": {}},
        {"level": 1, "steps": [[1]]}, {"level": 1, "steps": [[1, [[0, 0]]]]},
        {"level": 1, "steps": [[1, [[0, 0, "x"]]]]}, {"level": True, "steps": []},
    ],
)  # fmt: skip
def test_malformed_forms_are_refused(form: dict[str, object]) -> None:
    refuses(r"^refutation", Refutation.from_dict, form)


def test_the_empty_class_is_refuted_at_zero() -> None:
    empty = FiniteClass(np.zeros((0, 2), dtype=np.uint8))
    proof = refutation(empty)
    assert (proof.level, proof.steps, proof.refutes(empty)) == (0, (), True)
    assert not proof.refutes(FiniteClass([[0, 1]]))


def test_enormous_levels_are_read_without_computing_their_powers() -> None:
    H = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert Refutation(10**15, ()).refutes(H)
    assert Refutation(10**15, (Step(10**15, ()),)).refutes(H)
    assert not Refutation(2, (Step(10**15, ()),)).refutes(H)


def test_an_empty_side_is_compared_and_not_trusted() -> None:
    # Step 1 is first about two hypotheses, then about the empty side of point 1.
    H = FiniteClass([[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]])
    sides = (RefutedSide(0, 0, 1), RefutedSide(1, 1, 1))
    fault = Refutation(2, (Step(2, sides), Step(1, ()))).fault(H)
    assert fault == "step 0, point 1: this side does not look like that of step 1"
