"""Finite classes: what they accept, hold, and derive."""

import math
import pickle
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from pac_stability.classes import FiniteClass, KnownValue, Restriction, Row, thresholds
from pac_stability.errors import InvalidInput
from shared_refusals import refuses

Array = npt.NDArray[np.uint8]

tables = arrays.arrays(
    np.uint8,
    st.tuples(st.integers(0, 12), st.integers(0, 5) | st.integers(60, 140)),
    elements=st.integers(0, 1),
)
"""Empty ones, many repeated rows, and rows of one word, two words and three."""


def distinct(rows: list[list[int]]) -> list[list[int]]:
    kept: list[list[int]] = []
    for row in rows:
        if row not in kept:
            kept.append(row)
    return kept


@given(tables)
def test_repeated_rows_are_dropped_in_order(table: Array) -> None:
    H = FiniteClass(table)
    assert H.table.tolist() == distinct(table.tolist())
    assert H.table.shape == (len(H), table.shape[1])
    assert H.table.dtype == np.uint8
    assert H.table.flags.c_contiguous
    assert not H.table.flags.writeable
    assert H.domain == tuple(range(table.shape[1]))


@given(tables)
def test_bits_are_where_the_documentation_says(table: Array) -> None:
    H = FiniteClass(table)
    assert H.packed.dtype == np.uint64
    assert H.packed.shape == (len(H), -(-table.shape[1] // 64))
    assert not H.packed.flags.writeable
    for i, row in enumerate(H.table.tolist()):
        value = sum(int(word) << (64 * place) for place, word in enumerate(H.packed[i]))
        assert value == sum(bit << j for j, bit in enumerate(row))


@given(tables, st.data())
def test_restriction_to_a_set_of_points(table: Array, data: st.DataObject) -> None:
    H = FiniteClass(table, [f"x{j}" for j in range(table.shape[1])])
    points = data.draw(st.lists(st.sampled_from(H.domain), max_size=8)) if H.domain else []
    R = H.restrict(points)
    columns = list(dict.fromkeys(H.column(point) for point in points))
    patterns = [[row[j] for j in columns] for row in H.table.tolist()]
    assert R.domain == tuple(H.domain[j] for j in columns)
    assert R.table.tolist() == distinct(patterns)
    first = tuple(patterns.index(pattern) for pattern in distinct(patterns))
    assert H.representative_rows(points) == first
    assert R.representatives == tuple(Row(H, row) for row in first)
    assert H.representatives_on(points) == R.representatives
    assert H.representative_rows(points[::-1]) == first
    for row, hypothesis in zip(R.table.tolist(), R.representatives, strict=True):
        assert [hypothesis(point) for point in R.domain] == row


@given(tables, st.data())
def test_version_space(table: Array, data: st.DataObject) -> None:
    H = FiniteClass(table)
    points = data.draw(st.lists(st.sampled_from(H.domain), max_size=4)) if H.domain else []
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(points), max_size=len(points)))
    V = H.version_space(points, labels)
    assert V.domain == H.domain
    assert V.table.tolist() == [
        row
        for row in H.table.tolist()
        if all(row[x] == y for x, y in zip(points, labels, strict=True))
    ]


@given(tables)
def test_complement_and_dual(table: Array) -> None:
    H = FiniteClass(table)
    assert H.complement().table.tolist() == [[1 - bit for bit in row] for row in H.table.tolist()]
    assert H.complement().complement() == H
    D = H.dual()
    assert D.domain == tuple(range(len(H)))
    assert D.table.tolist() == distinct(H.table.T.tolist())


def test_as_a_sequence_of_hypotheses() -> None:
    H = FiniteClass([[0, 1], [1, 1]], domain=["a", "b"])
    assert [h("a") for h in H] == [0, 1]
    assert [H(0, "b"), H[1]("a"), H[1].index] == [1, 1, 1]
    assert list(H) == [H[0], H[1]]
    with pytest.raises(IndexError, match="row 2 of a class of 2"):
        H[2]
    refuses("point: got 'c', want one of the 2 points", H, 0, "c")
    unhashable: Any = ["a"]
    refuses("hashable", H, 0, unhashable)
    assert repr(H) == "<FiniteClass: 2 hypotheses on 2 points>"
    assert repr(H[1]) == "<Row 1 of 2: 'a': 1, 'b': 1>"


def test_selected_rows_keep_the_order_given() -> None:
    H = thresholds(3)
    assert H.select_rows([2, 0, 2]).table.tolist() == [[0, 0, 1], [1, 1, 1]]
    assert H.select_rows([]).table.shape == (0, 3)
    for row in (-1, 4):
        refuses(f"rows: got {row}, want indices from 0 to 3", H.select_rows, [row])


def test_equality_is_that_of_domain_and_rows() -> None:
    H = FiniteClass([[0, 1], [1, 1]])
    same = FiniteClass(np.array([[False, True], [True, True], [False, True]]))
    assert same == H
    assert hash(H) == hash(same)
    assert thresholds(2).version_space([1], [1]).select_rows([1, 0]) == H
    assert FiniteClass([[1, 1], [0, 1]]) != H
    assert FiniteClass([[0, 1], [1, 1]], domain="ab") != H
    assert FiniteClass([[0, 1, 0], [1, 1, 0]]) != H
    assert H != [[0, 1], [1, 1]]


def test_empty_classes_and_empty_domains() -> None:
    assert FiniteClass([]).table.shape == (0, 0)
    assert FiniteClass([], domain="abc").table.shape == (0, 3)
    assert FiniteClass(np.zeros((0, 3))).table.shape == (0, 3)
    assert FiniteClass([[], []]).table.shape == (1, 0)
    assert FiniteClass(np.zeros((5, 0))).restrict([]).table.shape == (1, 0)
    empty = FiniteClass([], domain="abc").restrict("ca")
    assert (len(empty), empty.domain, empty.representatives) == (0, ("c", "a"), ())


@pytest.mark.parametrize("table", [
    [[0, 1], [1, 1]], [(False, True), (True, True)], np.array([[0, 1], [1, 1]], dtype=np.int8),
    np.array([[0.0, 1.0], [1.0, 1.0]]), np.array([[0, 1], [1, 1]], dtype=object),
    [[Fraction(0).numerator, 1], [True, 1.0]], [np.array([0, 1]), np.array([1, 1])],
    np.array([[0, 1], [1, 1]], order="F"),
])  # fmt: skip
def test_accepted_tables(table: list[list[int]]) -> None:
    assert FiniteClass(table).table.tolist() == [[0, 1], [1, 1]]


def test_the_table_given_is_copied() -> None:
    table = np.array([[0, 1]], dtype=np.uint8)
    H = FiniteClass(table)
    table[0, 0] = 1
    assert H.table.tolist() == [[0, 1]]


@pytest.mark.parametrize(("table", "message"), [
    ([[0, 1], [1]], "table: got row 1 with 1 entries after row 0 with 2 entries, want rows of"),
    ([[0], 1], "table: got row 1 with no entries after row 0 with 1 entries"),
    ([[0, 1], [0, 2]], "table: got 2 at row 1, column 1, want values 0 and 1 only"),
    ([[1, -1]], r"got -1 at row 0, column 1, .* -1 and \+1 pass \(table \+ 1\) // 2"),
    ([[1.0, -1.0]], r"got -1.0 at row 0, column 1, .* pass \(table \+ 1\) // 2"),
    ([[2, -1]], "got 2 at row 0, column 0, want values 0 and 1 only$"),
    ([[0.5, 1]], "got 0.5 at row 0, column 0"),
    ([[0, float("nan")]], "got nan at row 0, column 1"),
    ([[0, 10**30]], "at row 0, column 1"),
    ([["0", "1"]], "got '0' at row 0, column 0"),
    ([[None, 1]], "got None at row 0, column 0"),
    ([[0, [1]]], "entries that are no numbers"),
    ([[1j, 1]], "at row 0, column 0"),
    ([0, 1], "table: got 1 dimension"),
    (7, "table: got 0 dimension"),
    ("01", "table: got 0 dimension"),
    ([[[0]]], "table: got 3 dimension"),
])  # fmt: skip
def test_refused_tables(table: list[list[int]], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        FiniteClass(table)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("domain", "message"), [
    ("a", "domain: got 1 points, want 2, one for each column"),
    ([1, True], r"domain: got point True twice \(columns 0 and 1\), want distinct points"),
    ([math.nan, 1], "domain: got nan, want values equal to themselves, no NaN"),
    ([(0, math.nan), 1], r"domain: got \(0, nan\), want values equal to themselves, no NaN"),
    ([[1], 2], "domain: got the unhashable value \\[1\\], want hashable values"),
])  # fmt: skip
def test_refused_domains(domain: list[Hashable], message: str) -> None:
    refuses(message, FiniteClass, [[0, 1]], domain)


@pytest.mark.parametrize(("points", "labels", "message"), [
    ([0, 1], [1], "labels: got 1 labels, want 2"),
    ([0], [2], "labels\\[0\\]: got 2, want a label, 0 or 1$"),
    ([0], [-1], r"labels\[0\]: got -1, want a label, 0 or 1 \(label_from_sign"),
    ([9], [1], "point: got 9"),
])  # fmt: skip
def test_refused_examples(points: list[int], labels: list[int], message: str) -> None:
    refuses(message, thresholds(3).version_space, points, labels)


def test_pickles() -> None:
    H = FiniteClass([[0, 1], [1, 1]], domain=["a", (1, 2)], known={"vc": KnownValue(1, "seen")})
    copy = pickle.loads(pickle.dumps(H))  # noqa: S301  # our own bytes
    assert copy == H
    assert copy.known == H.known
    assert pickle.loads(pickle.dumps(H[1])) == H[1]  # noqa: S301
    restriction = pickle.loads(pickle.dumps(H.restrict(["a"])))  # noqa: S301
    assert restriction == H.restrict(["a"])
    assert restriction.representatives == H.restrict(["a"]).representatives


def test_known_values_are_read_only_and_do_not_outlive_the_table() -> None:
    H = thresholds(3)
    assert H.known["vc"].value == 1
    assert not hasattr(H.known, "__setitem__")
    assert dict(H.restrict([0]).known) == {}
    kept = {name: H.known[name] for name in ("littlestone", "vc", "dual_vc")}
    assert dict(H.complement().known) == kept
    assert H.with_known({}) == H


def test_a_restriction_needs_a_representative_for_each_row() -> None:
    H = FiniteClass([[0], [1]])
    assert Restriction([[1], [0]], ["x"], [H[1], H[0]]).representatives == (H[1], H[0])
    refuses("representatives: got 2, want 1", Restriction, [[1], [1]], ["x"], [H[1], H[0]])
