"""Examples and samples against plain lists of pairs."""

import json
from fractions import Fraction
from typing import SupportsIndex, cast

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.data import Example, Sample, all_examples, label_from_sign
from pac_stability.testing import strategies
from shared_draws import plain_values
from shared_refusals import refuses

Pairs = list[tuple[int, int]]
pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=8)


def sample_of(rows: Pairs) -> Sample[int]:
    return Sample([x for x, _ in rows], [y for _, y in rows])


def rows_of(sample: Sample[int]) -> Pairs:
    return [(z.point, z.label) for z in sample]


@given(pairs, pairs)
def test_concatenation_is_that_of_lists(left: Pairs, right: Pairs) -> None:
    assert rows_of(sample_of(left) + sample_of(right)) == left + right


@given(pairs, st.slices(8))
def test_indexing_and_slicing_are_those_of_lists(rows: Pairs, part: slice) -> None:
    sample = sample_of(rows)
    assert len(sample) == len(rows)
    assert rows_of(sample[part]) == rows[part]
    assert [(sample[i].point, sample[i].label) for i in range(-len(rows), len(rows))] == rows + rows
    with pytest.raises(IndexError):
        sample[len(rows)]


@given(pairs, pairs)
def test_equality_is_that_of_the_sequences(left: Pairs, right: Pairs) -> None:
    assert (sample_of(left) == sample_of(right)) == (left == right)
    assert len({sample_of(left), sample_of(right)}) == 1 + (left != right)


def test_a_sample_is_not_equal_to_its_list() -> None:
    assert sample_of([(1, 0)]) != [Example(1, 0)]


@given(pairs)
def test_examples_round_trip(rows: Pairs) -> None:
    sample = sample_of(rows)
    assert Sample.from_examples(list(sample)) == sample
    assert sample.points == tuple(x for x, _ in rows)
    assert sample.labels == tuple(y for _, y in rows)


@given(pairs.filter(len), st.data())
def test_replace_changes_one_position(rows: Pairs, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    before = sample_of(rows)
    after = before.replace(index, Example(9, 1))
    assert rows_of(after) == [row if i != index else (9, 1) for i, row in enumerate(rows)]
    assert rows_of(before) == rows


@pytest.mark.parametrize("index", [-1, 2])
def test_replace_refuses_positions_outside(index: int) -> None:
    refuses("index: got", sample_of([(0, 0), (1, 1)]).replace, index, Example(0, 0))


@given(pairs, st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_loss_counts_the_wrong_examples(rows: Pairs, table: list[int]) -> None:
    sample = sample_of(rows)
    wrong = len([x for x, y in rows if table[x] != y])
    assert sample.count_errors(lambda x: table[x]) == wrong
    assert sample.count_errors(dict(enumerate(table))) == wrong
    loss = sample.loss(dict(enumerate(table)))
    assert isinstance(loss, Fraction)
    assert loss * len(rows) == wrong


def test_loss_of_the_empty_sample_is_zero() -> None:
    assert Sample([], []).loss({}) == 0


def test_distinct_points_come_in_order_of_first_appearance() -> None:
    assert Sample("banana", [0] * 6).distinct_points == ("b", "a", "n")


def test_a_sample_cannot_be_changed() -> None:
    sample = sample_of([(0, 0)])
    with pytest.raises(AttributeError):
        sample.points = (1,)  # type: ignore[misc]  # what is tested
    with pytest.raises(TypeError):
        sample[0] = Example(1, 1)  # type: ignore[index]  # what is tested


def test_numpy_labels_become_plain_integers() -> None:
    sample = Sample([0, 1], np.array([0, 1], dtype=np.uint8))
    assert all(type(label) is int for label in sample.labels)
    assert type(Example(0, cast("int", np.int64(1))).label) is int
    assert Sample(np.array([1, 3]), np.array([False, True])) == Sample([1, 3], [0, 1])
    assert Sample(np.array([1, 3]), [0, 1]).count_errors(lambda x: x > 2) == 0


@given(strategies.samples(plain_values()))
def test_json_round_trip(sample: Sample[object]) -> None:
    back = Sample.from_dict(json.loads(json.dumps(sample.to_dict(), allow_nan=False)))
    assert back == sample
    assert [type(x) for x in back.points] == [type(x) for x in sample.points]


def test_scalars_of_numpy_are_written_as_those_of_python() -> None:
    points = [np.True_, np.float32(0.1), np.float64(0.5), np.str_("a"), np.int8(-1)]
    document = Sample(points, [0] * 5).to_dict()
    assert json.loads(json.dumps(document))["points"] == [
        True,
        float(np.float32(0.1)),
        0.5,
        "a",
        -1,
    ]


def test_a_column_of_labels_is_refused() -> None:
    refuses("labels: got", Sample, [1, 2], np.array([[0], [1]]))


def test_what_is_no_example_is_refused() -> None:
    pair = cast("Example[int]", (1, 0))
    refuses(r"examples: got \(1, 0\), want", Sample.from_examples, [pair])
    refuses(r"example: got \(1, 0\), want", Sample([1], [0]).replace, 0, pair)


def test_numpy_points_are_written() -> None:
    sample = Sample(np.array([2, 3]), [0, 1])
    assert json.dumps(sample.to_dict()) == '{"points": [2, 3], "labels": [0, 1]}'


@pytest.mark.parametrize("point", [float("nan"), float("inf"), frozenset([1]), 1j])
def test_points_without_json_form_are_refused(point: object) -> None:
    refuses("points: got", lambda: Sample([point], [0]).to_dict())


@pytest.mark.parametrize("document", [
    None, [], {}, {"points": [1]}, {"points": [1], "labels": [0], "more": 1},
    {"points": 1, "labels": [0]}, {"points": [1], "labels": "0"}, {"points": [1], "labels": [0, 1]},
    {"points": [1], "labels": [0.0]}, {"points": [1], "labels": ["0"]},
    {"points": [{"fraction": "1/0"}], "labels": [0]},
    {"points": [{"fraction": "x"}], "labels": [0]}, {"points": [{"fraction": 0.1}], "labels": [0]},
    {"points": [{"fraction": "1/2", "x": 1}], "labels": [0]}, {"points": [{}], "labels": [0]},
])  # fmt: skip
def test_damaged_documents_are_refused(document: object) -> None:
    refuses(r"^(document|points|labels): got .*, want ", Sample.from_dict, document)


def test_signs_map_to_labels() -> None:
    assert (label_from_sign(-1), label_from_sign(1)) == (0, 1)
    assert label_from_sign(cast("SupportsIndex", np.int8(-1))) == 0


@pytest.mark.parametrize("sign", [0, 2, 1.0, "1", None])
def test_other_signs_are_refused(sign: object) -> None:
    refuses("sign: got", label_from_sign, cast("SupportsIndex", sign))


@pytest.mark.parametrize("label", [2, -2, 1.0, "1", None, float("nan")])
def test_other_labels_are_refused(label: object) -> None:
    refuses(r"labels: got .*, want a label, 0 or 1$", Sample, [0], [cast("int", label)])
    refuses(r"label: got .*, want a label, 0 or 1$", Example, 0, cast("int", label))


def test_a_label_minus_one_is_refused_with_the_way_out() -> None:
    refuses("label_from_sign", Sample, [0, 0], [1, -1])
    refuses("label_from_sign", Example, 0, -1)
    refuses("label_from_sign", Sample([0], [0]).count_errors, lambda _: -1)


def test_lengths_must_agree() -> None:
    refuses("labels: got 1 labels for 2 points", Sample, [1, 2], [0])


def test_unhashable_points_are_refused() -> None:
    refuses("points: got the unhashable value", Sample, [[1, 2]], [0])
    refuses("point: got the unhashable value", Example, ([],), 0)


def test_a_point_must_equal_itself() -> None:
    refuses("points: got nan, want values equal to themselves", Sample, [float("nan")], [0])
    refuses("point: got nan", Example, float("nan"), 0)
    refuses("points: got nan", all_examples, [1.5, float("nan")])


def test_hypotheses_that_are_none_are_refused() -> None:
    sample = Sample("ab", [0, 1])
    refuses("no label for the point 'b'", sample.count_errors, {"a": 1})
    refuses(r"hypothesis: got 0.5", sample.count_errors, lambda _: cast("int", 0.5))
    refuses("a function or a mapping", sample.count_errors, cast("dict[str, int]", 3))


def test_all_examples_are_both_labels_of_each_point() -> None:
    assert [(z.point, z.label) for z in all_examples([7, 5])] == [(7, 0), (7, 1), (5, 0), (5, 1)]
    refuses("points: got 'a' twice", all_examples, "aba")


def test_an_example_unpacks_like_a_pair_and_is_none() -> None:
    sample = Sample("aba", [1, 0, 1])
    assert [(x, y) for x, y in sample] == [("a", 1), ("b", 0), ("a", 1)]
    point, label = sample[1]
    assert (point, label) == ("b", 0)
    assert type(sample[1]) is Example
    assert sample[1] != ("b", 0)  # an outcome that is a pair is another one
    assert sample[1] not in {("b", 0)}


def test_what_a_type_checker_takes_of_a_pair_runs() -> None:
    z = Example("b", 1)
    assert (z[0], z[1], z[-1], z[:1], len(z), "b" in z) == ("b", 1, 1, ("b",), 2, True)
    with pytest.raises(IndexError):
        z[2]  # type: ignore[misc]  # so says the checker
    less, more = Example("a", 1), Example("b", 0)
    assert sorted([z, less, more]) == [less, more, z]
    same = Example("b", 1)
    assert less < more < z <= same >= z > less
    assert not z < same
    with pytest.raises(TypeError):
        assert z < ("b", 1)
