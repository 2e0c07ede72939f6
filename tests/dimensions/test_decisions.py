"""Whether a dimension is at least k, with the proof of either answer."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from pac_stability import classes, dimensions, errors, testing
from pac_stability.dimensions import decisions
from shared_dimensions import plain_recursion, threshold_by_definition, vc_by_definition
from shared_refusals import refuses

SMALL = testing.strategies.finite_classes(max_points=5, max_hypotheses=12)


def by_definition(H: classes.FiniteClass) -> dict[decisions.DimensionName, int]:
    columns = np.unique(H.table.T, axis=0)
    return {
        "littlestone": plain_recursion(H.table),
        "vc": vc_by_definition(H.table),
        "dual-vc": vc_by_definition(columns),
        "threshold": threshold_by_definition(H.table),
    }


@given(SMALL)
def test_every_level_of_every_dimension_against_the_definitions(H: classes.FiniteClass) -> None:
    for dimension, value in by_definition(H).items():
        for k in range(-1, 6):
            yes, no = dimensions.at_least(H, k, dimension), dimensions.less_than(H, k, dimension)
            assert bool(yes) == (value >= k) == (not no)
            assert yes.bounds.lower <= value <= yes.bounds.upper
            if value >= 0 or k > value:
                assert yes.is_proved_on(H)
                assert no.is_proved_on(H)


def test_a_decision_far_from_the_dimension_takes_little() -> None:
    H = classes.from_spec("random:8000x100:1/10:1")
    decision = dimensions.less_than(H, 9, max_steps=0)
    assert decision.holds
    assert (decision.bounds.lower, decision.bounds.upper) == (1, 8)
    assert decision.bounds.nodes == 1 < dimensions.littlestone(H).nodes


def test_what_is_not_decided_is_not_true_or_false() -> None:
    H = classes.from_spec("random:1500x64:1/2:1")
    decision = dimensions.at_least(H, 9, "vc", time_limit=1e-9)
    assert (decision.holds, decision.certificate, decision.is_proved_on(H)) == (None, None, False)
    with pytest.raises(errors.BudgetExhausted) as caught:
        bool(decision)
    assert (caught.value.lower, caught.value.upper) == (1, 10)
    assert repr(decision) == "<Decision: vc at least 9: None>"


@pytest.mark.parametrize("search", [dimensions.LittlestoneSearch, dimensions.VCSearch])
def test_a_search_for_one_level_goes_on_to_the_dimension(search: type[dimensions.VCSearch]) -> None:
    H = classes.from_spec("random:300x20:1/4:2")
    value = search(H).run().value
    made = search(H)
    assert made.run(aim=value + 1).upper == value
    assert made.lower < value
    assert made.run(aim=value).lower == value
    assert made.run(aim=value).exact
    stopped = search(H)
    first = stopped.run(time_limit=1e-9, aim=value + 1)
    assert first.lower <= value <= first.upper
    assert stopped.run(aim=value + 1).upper == value
    assert stopped.run().value == value


def test_long_refutations_are_left_out() -> None:
    H = classes.from_spec("random:300x20:1/4:2")
    asked: tuple[tuple[decisions.DimensionName, int], ...] = (
        ("littlestone", dimensions.littlestone_dimension(H) + 1),
        ("vc", dimensions.vc_dimension(H) + 1),
    )
    for dimension, k in asked:
        long = dimensions.less_than(H, k, dimension, max_steps=1)
        assert (long.holds, long.certificate, long.is_proved_on(H)) == (True, None, False)
    assert dimensions.less_than(H, 7, "vc", max_steps=0).certificate is None
    with pytest.raises(errors.BudgetExhausted, match="more than 3 gaps"):
        dimensions.refute_shattering(H, 7, max_gaps=3)


def test_certificates_prove_what_they_say_and_no_more() -> None:
    H = classes.thresholds(20)
    yes, no = dimensions.at_least(H, 3), dimensions.at_least(H, 5)
    assert yes.is_proved_on(H)
    assert no.is_proved_on(H)
    assert not replace(yes, k=5).is_proved_on(H)
    assert not replace(yes, asked="less than").is_proved_on(H)
    assert not replace(yes, dimension="vc").is_proved_on(H)
    assert not replace(no, k=4).is_proved_on(H)
    assert replace(no, k=6).is_proved_on(H)
    assert not replace(no, holds=True).is_proved_on(H)
    assert not no.is_proved_on(classes.thresholds(40))
    below = dimensions.less_than(H, 2, "vc")
    assert below.is_proved_on(H)
    assert not replace(below, dimension="dual-vc").is_proved_on(H)
    assert not replace(below, k=1).is_proved_on(H)


def test_forged_refutations_of_shattering_are_refused() -> None:
    H = classes.singletons(5)
    proof = dimensions.refute_shattering(H, 2)
    assert proof.refutes(H)
    assert dimensions.ShatteringRefutation.from_dict(proof.to_dict()) == proof
    for left_out in range(len(proof.gaps)):
        rest = proof.gaps[:left_out] + proof.gaps[left_out + 1 :]
        assert not replace(proof, gaps=rest).refutes(H)
    assert not replace(proof, order=proof.order[1:]).refutes(H)
    assert not replace(proof, order=(*proof.order[1:], proof.order[1])).refutes(H)
    columns, labelling = proof.gaps[0]
    assert not replace(proof, gaps=((columns, labelling ^ 1), *proof.gaps[1:])).refutes(H)
    assert not replace(proof, k=-1).refutes(H)
    assert not proof.refutes(classes.from_spec("cube:5"))
    assert not replace(proof, dual=True).refutes(classes.from_spec("cube:5"))
    # A gap of one labelling that two of four rows have leaves room for 2 more columns, not for 3.
    pair = classes.FiniteClass([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    assert dimensions.ShatteringRefutation(3, False, (0, 1, 2), (((0,), 1),)).refutes(pair)
    assert not dimensions.ShatteringRefutation(
        2, False, (0, 1, 2), (((0,), 1), ((1, 2), 3))
    ).refutes(pair)


@pytest.mark.parametrize("form", [
    {}, {"k": 2, "dual": False, "order": [0], "gaps": [1]}, {"k": True, "dual": False, "gaps": []},
])  # fmt: skip
def test_other_forms_are_refused(form: dict[str, object]) -> None:
    refuses("", dimensions.ShatteringRefutation.from_dict, form)
    with pytest.raises(errors.InvalidInput):
        dimensions.ShatteringRefutation.from_dict(
            {"k": 2, "dual": False, "order": ["0"], "gaps": []}
        )


def test_what_is_shattered_is_not_refuted() -> None:
    with pytest.raises(errors.InvalidInput, match=r"^k: got 3, want more than 3"):
        dimensions.refute_shattering(classes.from_spec("cube:3"), 3)
    refuses(r"^k: got -1", dimensions.refute_shattering, classes.from_spec("cube:3"), -1)


def test_bad_arguments() -> None:
    H = classes.singletons(3)
    refuses(r"^dimension: got 'star'", dimensions.at_least, H, 2, "star")  # type: ignore[arg-type]
    refuses(r"^k: got 2.0", dimensions.at_least, H, 2.0)  # type: ignore[arg-type]
    refuses(r"^max_steps: got -1", dimensions.at_least, H, 2, max_steps=-1)
    refuses(r"^time_limit: got 0", dimensions.at_least, H, 2, time_limit=0)


def test_a_decision_says_what_it_is() -> None:
    said = str(dimensions.less_than(classes.singletons(4), 2, "vc"))
    assert said.splitlines()[0].split() == ["vc", "less", "than", "2", "yes", "(proved)"]
    undecided = dimensions.Decision("vc", 3, "at least", None, None, dimensions.Bounds(1, 4, None))
    assert str(undecided).splitlines()[0].split() == ["vc", "at", "least", "3", "open"]
