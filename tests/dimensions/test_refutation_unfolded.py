"""Refutations without shared steps, read by thirty lines that know sets of rows only."""

from itertools import combinations

import numpy as np
import pytest

from pac_stability import BudgetExhausted, InvalidInput, classes, dimensions

Rows = frozenset[tuple[int, ...]]


def stands(V: Rows, level: int, tree: dimensions.RefutationTree) -> bool:
    """Whether a tree shows that fewer than ``level`` mistakes can be forced on V."""
    if len(V) < 2**level:
        return True
    refuted = []
    for point, label, reason in tree.sides:
        refuted.append(frozenset(h for h in V if h[point] == label))
        if level == 0 or not stands(refuted[-1], level - 1, reason):
            return False
    for point in range(len(min(V))) if level else [0]:
        halves = [frozenset(h for h in V if h[point] == label) for label in (0, 1)]
        counted = level > 0 and min(map(len, halves)) < 2 ** (level - 1)
        if not counted and not any(half <= part for half in halves for part in refuted):
            return False
    return True


def rows(H: classes.FiniteClass) -> Rows:
    return frozenset(tuple(map(int, row)) for row in H.table)


def subsets(points: int, most: int, *, flips: int = 0) -> classes.FiniteClass:
    """Sets of at most so many points; every flips-th column complemented, so forms differ."""
    sets = [c for size in range(most + 1) for c in combinations(range(points), size)]
    table = np.array([[int(x in c) for x in range(points)] for c in sets])
    return classes.FiniteClass(table ^ (np.arange(points) % flips == 0) if flips else table)


def drawn(seed: int) -> classes.FiniteClass:
    rng = np.random.default_rng(seed)
    return classes.FiniteClass((rng.random((60, 9)) < 0.3).astype(np.uint8))


CLASSES = {
    "subsets": subsets(8, 3),
    "some complemented": subsets(9, 3, flips=2),
    "four of seven": subsets(7, 4, flips=3),
    **{f"drawn {seed}": drawn(seed) for seed in range(12)},
}


@pytest.mark.parametrize("name", CLASSES)
def test_an_unfolded_proof_stands_by_sets_of_rows_alone(name: str) -> None:
    H = CLASSES[name]
    proof = dimensions.refutation(H)
    assert stands(rows(H), dimensions.littlestone_dimension(H) + 1, proof.unfolded(H))
    assert not stands(rows(H), dimensions.littlestone_dimension(H), proof.unfolded(H))


def test_read_literally_a_shared_step_would_be_wrong() -> None:
    """Why it is unfolded: its points are those of the first space that refers to it."""
    H = CLASSES["some complemented"]
    proof = dimensions.refutation(H)

    def literal(index: int) -> dimensions.RefutationTree:
        sides = proof.steps[index].sides
        return dimensions.RefutationTree(tuple((s.point, s.label, literal(s.step)) for s in sides))

    assert not stands(rows(H), proof.level, literal(0))
    assert proof.unfolded(H).size > len(proof.steps)


def test_each_part_of_it_is_needed() -> None:
    H = CLASSES["subsets"]
    whole = dimensions.refutation(H).unfolded(H)
    for left_out in range(len(whole.sides)):
        sides = whole.sides[:left_out] + whole.sides[left_out + 1 :]
        assert not stands(rows(H), 4, dimensions.RefutationTree(sides))
    point, label, reason = whole.sides[0]
    for changed in ((point, 1 - label, reason), (point, label, dimensions.RefutationTree(()))):
        assert not stands(rows(H), 4, dimensions.RefutationTree((changed, *whole.sides[1:])))


def test_where_counting_suffices_nothing_is_said() -> None:
    H = classes.FiniteClass([[0, 0], [0, 1], [1, 1]])
    assert dimensions.refutation(H).unfolded(H) == dimensions.RefutationTree(())
    assert dimensions.Refutation(10**9, ()).unfolded(H) == dimensions.RefutationTree(())


def test_a_limit_on_the_spaces() -> None:
    H = CLASSES["subsets"]
    proof = dimensions.refutation(H)
    size = proof.unfolded(H).size
    assert proof.unfolded(H, max_nodes=size).size == size
    with pytest.raises(BudgetExhausted, match=f"more than {size - 1} version spaces") as error:
        proof.unfolded(H, max_nodes=size - 1)
    assert error.value.upper == 3


def test_a_proof_of_something_else_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^H: .*refuted.*refutes"):
        dimensions.refutation(CLASSES["subsets"]).unfolded(subsets(9, 4))


def reached(steps: list[dimensions.Step]) -> tuple[dimensions.Step, ...]:
    """The steps that step 0 refers to, perhaps through others, with new numbers."""
    order = [0]
    for index in order:
        order += dict.fromkeys(s.step for s in steps[index].sides if s.step not in order)
    return tuple(
        dimensions.Step(
            steps[index].level,
            tuple(
                dimensions.RefutedSide(s.point, s.label, order.index(s.step))
                for s in steps[index].sides
            ),
        )
        for index in order
    )


def test_a_shared_side_that_does_not_count_elsewhere_is_refused() -> None:
    """Such a proof stands, by the form; no search writes it, as it rests on a lone hypothesis."""
    # W: nine singletons, and the sets of at most two of four; a row more is the set of all four.
    # Column 14 tells that row from the others in the first half, and nothing in the second.
    sets = [set(c) for size in range(3) for c in combinations(range(4), size)]
    singles = [[0, *np.eye(9, dtype=int)[x].tolist(), 0, 0, 0, 0] for x in range(9)]
    W = singles + [[1] + 9 * [0] + [int(x in c) for x in range(4)] for c in sets]
    V = [[*row, 0] for row in W] + [[1, *9 * [0], 1, 1, 1, 1, 1]]
    H = classes.FiniteClass([[0, *row] for row in V] + [[1, *row[:-1], 0] for row in V])
    below_3 = dimensions.refutation(classes.FiniteClass([[0, *row, 0] for row in W]))
    assert below_3.level == 3
    known = dimensions.refutation(H)
    [half] = {side.step for side in known.steps[0].sides if side.point == 0}
    after = len(known.steps)
    shifted = [
        dimensions.Step(
            step.level,
            tuple(dimensions.RefutedSide(s.point, s.label, s.step + after) for s in step.sides),
        )
        for step in below_3.steps
    ]
    both = (dimensions.RefutedSide(0, 0, half), dimensions.RefutedSide(0, 1, half))
    others = tuple(side for side in known.steps[0].sides if side.point != 0)
    steps = [*known.steps, *shifted]
    steps[0] = dimensions.Step(known.level, (*both, *others))
    steps[half] = dimensions.Step(known.steps[half].level, (dimensions.RefutedSide(15, 0, after),))
    proof = dimensions.Refutation(known.level, reached(steps))
    assert proof.fault(H) is None
    with pytest.raises(InvalidInput, match="names a column that another space does not have"):
        proof.unfolded(H)
