"""Error counts at scale, against the definition: every hypothesis evaluated at every example."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, classes
from pac_stability.classes import (
    ErrorCounter,
    Family,
    Hypothesis,
    Labeller,
    counting,
    least_errors,
    relabelled,
)
from pac_stability.data import ArraySample, Sample

Example = tuple[Hashable, int]

# Neighbouring floats, subnormal ones, and integers that no float tells apart.
HALF = [0.5, math.nextafter(0.5, 1), math.nextafter(0.5, 0)]
FLOATS = [*HALF, 0.0, -0.0, 5e-324, -1e300, 1e300, 0.1]
INTEGERS = [0, 1, -1, 2**53, 2**53 + 1, -(2**53) - 1, 2**60 + 1, 2**60]
OTHERS = [Fraction(1, 10), Fraction(1, 3), Fraction(2**60 + 1, 3), 10**400, -(10**400)]

Points = st.SearchStrategy[Hashable]
floats: Points = st.sampled_from(FLOATS)
integers: Points = st.sampled_from(INTEGERS)
numbers: Points = st.one_of(floats, integers, st.sampled_from(OTHERS))
labels = st.integers(0, 1)

LINE = [
    classes.Thresholds(),
    classes.SignedThresholds(),
    classes.Intervals(),
    classes.UnionsOfIntervals(2),
]
PLANE = [classes.Stumps(2), classes.Boxes(2), classes.Halfspaces(2)]


def by_definition(hypotheses: Sequence[Hypothesis], examples: Sequence[Example]) -> list[int]:
    return [sum(h(point) != label for point, label in examples) for h in hypotheses]


def as_samples(examples: Sequence[Example]) -> list[Sample[Hashable] | ArraySample]:
    points, given_labels = [x for x, _ in examples], [y for _, y in examples]
    return [Sample(points, given_labels), ArraySample(np.array(points), given_labels)]


def pairs(entry: Points) -> Points:
    return st.tuples(entry, entry)


@pytest.mark.parametrize("family", LINE, ids=lambda family: type(family).__name__)
@pytest.mark.parametrize("entries", [floats, integers], ids=["floats", "integers"])
@given(data=st.data())
@settings(max_examples=40)
def test_on_the_line(family: Family, entries: Points, data: st.DataObject) -> None:
    examples = data.draw(st.lists(st.tuples(entries, labels), min_size=1, max_size=12))
    hypotheses = family.representatives_on(data.draw(st.lists(numbers, max_size=5)))
    for sample in as_samples(examples):
        assert ErrorCounter(sample).count(hypotheses).tolist() == by_definition(
            hypotheses, examples
        )


@pytest.mark.parametrize("family", PLANE, ids=lambda family: type(family).__name__)
@pytest.mark.parametrize("entries", [floats, integers], ids=["floats", "integers"])
@given(data=st.data())
@settings(max_examples=40)
def test_in_the_plane(family: Family, entries: Points, data: st.DataObject) -> None:
    examples = data.draw(st.lists(st.tuples(pairs(entries), labels), min_size=1, max_size=12))
    own = [point for point, _ in examples]
    subset = data.draw(st.lists(st.one_of(st.sampled_from(own), pairs(numbers)), max_size=4))
    hypotheses = family.representatives_on(subset)
    for sample in as_samples(examples):
        assert ErrorCounter(sample).count(hypotheses).tolist() == by_definition(
            hypotheses, examples
        )


@pytest.mark.parametrize(
    ("points", "families", "most"), [(numbers, LINE, 12), (pairs(numbers), PLANE, 8)]
)
@given(data=st.data())
@settings(max_examples=100)
def test_points_of_mixed_types(
    points: Points, families: list[Family], most: int, data: st.DataObject
) -> None:
    examples = data.draw(st.lists(st.tuples(points, labels), max_size=most))
    subset = data.draw(st.lists(points, max_size=4))
    hypotheses = data.draw(st.sampled_from(families)).representatives_on(subset)
    sample = Sample([x for x, _ in examples], [y for _, y in examples])
    assert ErrorCounter(sample).count(hypotheses).tolist() == by_definition(hypotheses, examples)


def random_examples(seed: int, n: int, p: int) -> tuple[ArraySample, list[Example]]:
    choice = np.random.default_rng(seed)
    points = choice.normal(size=(n, p)).round(2)
    sample = ArraySample(points, choice.integers(0, 2, n))
    return sample, list(zip(map(tuple, points.tolist()), sample.labels.tolist(), strict=True))


@pytest.mark.parametrize("family", [classes.Halfspaces(2), classes.Boxes(2), classes.Stumps(2)])
def test_many_points_of_which_halfspaces_skip_whole_blocks(family: Family) -> None:
    sample, examples = random_examples(3, 1000, 2)
    hypotheses = family.representatives_on([point for point, _ in examples[:7]])[::3]
    expected = by_definition(hypotheses, examples)
    assert ErrorCounter(sample).count(hypotheses).tolist() == expected


@pytest.mark.parametrize("family", [classes.Halfspaces(3), classes.Boxes(3), classes.Stumps(3)])
def test_in_three_dimensions(family: Family) -> None:
    sample, examples = random_examples(4, 300, 3)
    hypotheses = family.representatives_on([point for point, _ in examples[:5]])
    expected = by_definition(hypotheses, examples)
    assert ErrorCounter(sample).count(hypotheses).tolist() == expected


def test_a_grid_too_large_to_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    sample, examples = random_examples(5, 100, 2)
    hypotheses = classes.Boxes(2).representatives_on([point for point, _ in examples[:5]])
    monkeypatch.setattr(counting, "MAX_GRID", 0)
    expected = by_definition(hypotheses, examples)
    assert ErrorCounter(sample).count(hypotheses).tolist() == expected


def test_points_on_the_boundary_of_a_halfspace_with_coefficients_beyond_floats() -> None:
    # 10**400 (x - y) + 1 >= 0 holds on the diagonal; in floats the 1 is lost.
    steep = classes.Halfspace((10**400, -(10**400)), 1)
    strict = classes.Halfspace((10**400, -(10**400)), -1)
    points = [(0.1, 0.1), (0.5, 0.25), (0.25, 0.5), (3.0, 3.0)]
    for sample in as_samples([(point, 0) for point in points]):
        assert ErrorCounter(sample).count([steep, strict]).tolist() == [3, 1]


def test_boxes_and_unions_that_no_family_lists() -> None:
    overlapping = classes.UnionOfIntervals(((0, 2), (1, 3), (5, 4)))
    backwards = classes.UnionOfIntervals(((2, 3), (0, 0)))
    sample = ArraySample([0, 1, 2, 3, 4, 5], [1, 1, 0, 1, 0, 1])
    # They are 1 on {0, 1, 2, 3} and on {0, 2, 3}.
    assert ErrorCounter(sample).count([overlapping, backwards]).tolist() == [2, 3]
    hollow = classes.Box((1, 5), (2, 4))
    assert ErrorCounter(ArraySample([[1, 4], [2, 5]], [1, 0])).count([hollow]).tolist() == [1]


def test_sets_rows_and_hypotheses_of_the_users_own() -> None:
    @dataclass(frozen=True)
    class Odd:
        def __call__(self, point: Hashable) -> int:
            return int(isinstance(point, int) and point % 2 == 1)

    H = classes.FiniteClass([[0, 1, 1], [1, 1, 0]], domain=[0, 1, 2])
    other = classes.FiniteClass([[0, 0, 1]], domain=[0, 1, 2])
    mixed: list[Hypothesis] = [Odd(), H[1], other[0], H[0], Odd(), classes.Threshold(1)]
    mixed += classes.Singletons().representatives_on([1, 2, "a"])
    examples: list[Example] = [(0, 1), (1, 0), (1, 1), (2, 0), (1, 0), (2, 1)]
    for sample in as_samples(examples):
        assert ErrorCounter(sample).count(mixed).tolist() == by_definition(mixed, examples)


@given(
    st.sampled_from([*PLANE, classes.Singletons()]),
    st.lists(pairs(floats), max_size=4),
    st.lists(pairs(floats), max_size=6),
)
@settings(max_examples=60)
def test_labels_at_points(family: Family, subset: list[Hashable], points: list[Hashable]) -> None:
    hypotheses = family.representatives_on(subset)
    table = Labeller(points).labels(hypotheses)
    assert table.tolist() == [[h(point) for point in points] for h in hypotheses]


@pytest.mark.parametrize("family", [*LINE[:3], *PLANE], ids=lambda family: type(family).__name__)
@given(data=st.data())
@settings(max_examples=40)
def test_fewest_errors_are_those_of_the_first_best_representative(
    family: Family, data: st.DataObject
) -> None:
    entry = data.draw(st.sampled_from([floats, integers]))
    point = pairs(entry) if family in PLANE else entry
    examples = data.draw(st.lists(st.tuples(point, labels), max_size=8))
    points = [x for x, _ in examples]
    hypotheses = family.representatives_on(points)
    errors = by_definition(hypotheses, examples)
    expected = hypotheses[errors.index(min(errors))], min(errors)
    samples: list[Sample[Hashable] | ArraySample] = [Sample(points, [y for _, y in examples])]
    for sample in as_samples(examples) if examples else samples:
        assert least_errors(family, sample) == expected


def test_fewest_errors_of_a_finite_class() -> None:
    H = classes.FiniteClass([[0, 0, 1], [0, 1, 1], [0, 1, 0]])
    assert least_errors(H, Sample([1, 2, 2], [1, 1, 0])) == (H[1], 1)
    with pytest.raises(InvalidInput, match="the empty class"):
        least_errors(classes.FiniteClass([], [0]), Sample([0], [0]))


@pytest.mark.parametrize(
    "family", [*LINE, *PLANE, classes.Singletons()], ids=lambda family: type(family).__name__
)
@given(data=st.data())
@settings(max_examples=20)
def test_relabelling(family: Family, data: st.DataObject) -> None:
    point = pairs(floats) if family in PLANE else floats
    examples = data.draw(st.lists(st.tuples(point, labels), min_size=1, max_size=8))
    points = [x for x, _ in examples]
    hypotheses = family.representatives_on(data.draw(st.lists(st.sampled_from(points))))
    h = data.draw(st.sampled_from(list(hypotheses)))
    sample, arrays = as_samples(examples)
    assert isinstance(sample, Sample)
    assert isinstance(arrays, ArraySample)
    assert relabelled(sample, h) == Sample(points, [h(x) for x in points])
    expected = ArraySample(arrays.points, [h(x) for x in points])
    found = relabelled(arrays, h)
    assert isinstance(found, ArraySample)
    assert np.array_equal(found.points, expected.points)
    assert np.array_equal(found.labels, expected.labels)


def test_no_examples_and_no_hypotheses() -> None:
    sample = ArraySample(np.zeros((0, 2)), np.zeros(0, dtype=int))
    for family in PLANE:
        hypotheses = family.representatives_on([(0, 0), (1, 1)])
        assert not ErrorCounter(sample).count(hypotheses).any()
    assert ErrorCounter(ArraySample([1.0], [1])).count([]).tolist() == []


@pytest.mark.parametrize(("attempt", "argument"), [
    (lambda: ErrorCounter([(0, 1)]), "sample"),  # type: ignore[arg-type]  # refused
    (lambda: ErrorCounter(ArraySample([[1.0]], [1])).count([classes.Threshold(0)]), "sample"),
    (lambda: ErrorCounter(ArraySample([1.0], [1])).count([classes.Stump(1, 0, 0)]), "sample"),
    (lambda: ErrorCounter(Sample("a", [1])).count([classes.Threshold(0)]), "point"),
    (
        lambda: ErrorCounter(Sample([(1, math.inf)], [1])).count([classes.Stump(2, 0, 0)]),
        "point",
    ),
    (lambda: ErrorCounter(Sample("a", [1])).count([lambda _: 2]), "hypotheses"),
    (lambda: Labeller([2]).labels(classes.FiniteClass([[0, 1]])), "point"),
])  # fmt: skip
def test_what_cannot_be_counted(attempt: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        attempt()
    assert caught.value.argument == argument
