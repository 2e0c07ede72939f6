"""That no half graph is so long is proved by parts of the class, and checked by counting."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability import BudgetExhausted, FiniteClass, classes, dimensions, testing
from shared_dimensions import threshold_by_definition
from shared_refusals import refuses

Table = npt.NDArray[np.uint8]

SMALL = testing.strategies.finite_classes(max_points=6, max_hypotheses=14)


@given(SMALL)
def test_what_is_above_the_dimension_is_refuted_and_nothing_else(H: FiniteClass) -> None:
    value = threshold_by_definition(H.table)
    for k in range(1, value + 1):
        refuses(f"^k: got {k}, want more than {k}, the length", dimensions.refute_half_graph, H, k)
    for k in range(value + 1, value + 4):
        proof = dimensions.refute_half_graph(H, k)
        assert proof.refutes(H)
        assert dimensions.HalfGraphRefutation.from_dict(proof.to_dict()) == proof
        assert not proof.refutes(classes.thresholds(k))


@given(SMALL)
def test_no_proof_of_less_is_accepted(H: FiniteClass) -> None:
    value = threshold_by_definition(H.table)
    proof = dimensions.refute_half_graph(H, value + 1)
    everything = dimensions.RefutedPart(tuple(range(len(H))), tuple(range(len(H.domain))), value)
    shorter = tuple(part._replace(length=max(part.length - 1, 1)) for part in proof.parts)
    for parts in (proof.parts, shorter, (everything,), (everything, *shorter)):
        assert not dimensions.HalfGraphRefutation(value, parts).refutes(H)


def test_each_part_is_needed_and_bounds_are_what_they_say() -> None:
    H = classes.from_spec("random:14x10:1/2:1")
    value = dimensions.threshold_dimension(H)
    proof = dimensions.refute_half_graph(H, value + 1)
    assert len(proof.parts) > 3
    assert max(part.length for part in proof.parts) == value + 1
    for left_out in range(len(proof.parts)):
        parts = proof.parts[:left_out] + proof.parts[left_out + 1 :]
        assert not replace(proof, parts=parts).refutes(H)
    # A part of which nothing is left to say: no half graph is shorter than one pair.
    empty = dimensions.RefutedPart((), (), 0)
    assert not dimensions.HalfGraphRefutation(1, (empty,)).refutes(classes.cube(1))
    one = dimensions.RefutedPart((1,), (0,), 1)
    assert not dimensions.HalfGraphRefutation(1, (one, empty)).refutes(FiniteClass([[0], [1]]))
    assert not replace(proof, k=0).refutes(H)
    outside = proof.parts[0]._replace(hypotheses=(len(H),))
    assert not replace(proof, parts=(outside, *proof.parts)).refutes(H)
    assert not proof.refutes(H.select_rows(range(5)))


def test_decisions_below_have_this_proof() -> None:
    H = classes.from_spec("random:20x12:1/2:1")
    k = dimensions.threshold_dimension(H) + 1
    decision = dimensions.less_than(H, k, "threshold")
    assert isinstance(decision.certificate, dimensions.HalfGraphRefutation)
    assert decision.is_proved_on(H)
    assert not replace(decision, k=k - 1).is_proved_on(H)
    assert not replace(decision, dimension="vc").is_proved_on(H)
    assert not replace(decision, holds=False).is_proved_on(H)
    assert dimensions.less_than(H, k, "threshold", max_steps=1).certificate is None
    assert dimensions.ThresholdSearch(H).refutation(k, 100_000) == decision.certificate
    assert f"thresholds at most {k - 1}" in str(decision.certificate).replace("  ", " ")


def test_long_proofs_and_large_tables_are_left_out() -> None:
    H = classes.from_spec("random:20x12:1/2:1")
    k = dimensions.threshold_dimension(H) + 1
    with pytest.raises(BudgetExhausted, match="more than 150 lines"):
        dimensions.refute_half_graph(H, k, max_steps=150)
    with pytest.raises(BudgetExhausted, match="a table of more than 20 ones"):
        dimensions.refute_half_graph(H, k, max_steps=20)


@pytest.mark.parametrize(
    "form", [{}, {"k": 2, "parts": [1]}, {"k": True, "parts": []}, {"k": 2, "parts": [{}]}]
)
def test_what_is_no_proof_is_refused(form: dict[str, object]) -> None:
    refuses("", dimensions.HalfGraphRefutation.from_dict, form)
    refuses(r"^k: got 0", dimensions.refute_half_graph, classes.singletons(3), 0)


def test_degrees_alone_refute_where_lines_are_few() -> None:
    assert dimensions.refute_half_graph(
        classes.thresholds(60), 61
    ) == dimensions.HalfGraphRefutation(61, ())
    assert (
        dimensions.refute_half_graph(FiniteClass(np.zeros((1, 3), dtype=np.uint8)), 1).parts == ()
    )


def test_large_tables_are_refuted_where_degrees_say_nearly_all() -> None:
    H = classes.from_spec("random:256x64:1/2:1")
    proof = dimensions.refute_half_graph(H, 30)
    assert len(proof.parts) > 10
    assert proof.refutes(H)
    assert not replace(proof, parts=proof.parts[:-1]).refutes(H)
    assert not replace(proof, k=29).refutes(H)


@given(table=SMALL.map(lambda H: H.table), further=st.integers(0, 6))
def test_promising_first_pairs_are_those_that_degrees_do_not_exclude(
    table: Table, further: int
) -> None:
    said = dimensions.threshold_search.promising_first_pairs(table, further)
    assert said.shape == table.shape
    for (h, x), entry in np.ndenumerate(table):
        rows, columns = np.flatnonzero(table[:, x] == 0), np.flatnonzero(table[h])
        rest = table[np.ix_(rows, columns[columns != x])]
        assert said[h, x] == (entry == 1 and fits(rest, further) and fits(rest.T, further))


def test_the_column_of_a_first_pair_is_not_among_those_left() -> None:
    # After (row 1, column 0) rows 0, 2 and 3 are left, and columns 1 to 4. The rows leave room for
    # three pairs; but the emptiest column has one zero, and should have two. Column 0 has three.
    table = np.array([[0, 1, 1, 0, 1], [1] * 5, [0, 0, 0, 1, 1], [0, 1, 1, 1, 1]], dtype=np.uint8)
    assert not dimensions.threshold_search.promising_first_pairs(table, 3).any()
    assert dimensions.threshold_search.promising_first_pairs(table, 2)[1, 0]


def fits(lines: Table, k: int) -> bool:
    """The definition: the i-th fullest line has k - i + 1 ones, the i-th emptiest k - i zeros."""
    ones = sorted(lines.sum(axis=1).tolist(), reverse=True)
    zeros = sorted((lines.shape[1] - one for one in ones), reverse=True)
    return len(ones) >= k and all(
        ones[i - 1] >= k - i + 1 and zeros[i - 1] >= k - i for i in range(1, k + 1)
    )
