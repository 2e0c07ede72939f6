"""Maximum classes, from as many examples as the VC dimension."""

from collections.abc import Callable, Hashable
from itertools import combinations, pairwise, product
from math import comb

import pytest

from pac_stability import classes, data, dimensions, errors
from pac_stability.compression.any_class import MaximumClassScheme
from pac_stability.compression.scheme import check_scheme
from shared_refusals import refuses

# At most two changes of label along six points, before which the label is 0.
FEW_CHANGES = classes.FiniteClass(
    [row for row in product((0, 1), repeat=6) if sum(a != b for a, b in pairwise((0, *row))) <= 2]
)

# The class, its dimension, its hypotheses, and its labelled sets of at least d points: on each of
# the C(m, j) sets of j points the class is maximum, with sum_{i <= d} C(j, i) labellings.
CLASSES = [
    (classes.subsets(6, 2), 2, 22, 483),
    (classes.subsets(6, 3), 3, 42, 583),
    (FEW_CHANGES, 2, 22, 483),
    (classes.thresholds(5), 1, 6, 111),
    (classes.intervals(5), 2, 16, 181),
    (classes.unions_of_intervals(6, 2), 4, 57, 483),
    (classes.cube(3), 3, 8, 8),
    (classes.FiniteClass([[0, 1, 1]]), 0, 1, 8),
]


@pytest.mark.parametrize(("H", "d", "size", "labelled"), CLASSES)
def test_every_labelled_set_of_points(
    H: classes.FiniteClass, d: int, size: int, labelled: int
) -> None:
    scheme = MaximumClassScheme(H)
    m = len(H.domain)
    assert len(H) == size
    assert labelled == sum(
        comb(m, j) * sum(comb(j, i) for i in range(d + 1)) for j in range(d, m + 1)
    )
    samples = {
        data.Sample[Hashable](points, [h(x) for x in points])
        for j in range(d, m + 1)
        for points in combinations(H.domain, j)
        for h in H
    } - {data.Sample[Hashable]([], [])}
    assert len(samples) == labelled - (d == 0)
    for sample in samples:
        indices = scheme.compress(sample)
        assert len(set(indices)) == len(indices) == d
        h = scheme.run(sample)
        assert h.hypotheses is H
        assert sample.count_errors(h) == 0


@pytest.mark.parametrize("H", [H for H, _, _, _ in CLASSES])
def test_valid_on_every_realizable_sample_up_to_order(H: classes.FiniteClass) -> None:
    found = check_scheme(MaximumClassScheme(H), H.domain, 3, symmetric=True)
    assert found.counterexample is None
    # One example on m points, or two: the same twice, or two points with all labels they can have.
    m, pairs = len(H.domain), sum(len(H.restrict(pair)) for pair in combinations(H.domain, 2))
    single = sum(len(H.restrict([x])) for x in H.domain)
    assert found.examined[1] == single
    assert found.examined[2] == single + pairs
    assert m > 1


def test_every_maximum_class_on_three_points() -> None:
    rows = list(product((0, 1), repeat=3))
    found = 0
    # Sauer's number is 4 in dimension 1, and 7 in dimension 2: all labellings but any one.
    for chosen in (*combinations(rows, 4), *combinations(rows, 7)):
        H = classes.FiniteClass(chosen)
        if dimensions.vc_dimension(H) == (1 if len(chosen) == 4 else 2):
            found += 1
            assert check_scheme(MaximumClassScheme(H), range(3), 3, symmetric=True).valid
    # In dimension 1 these are the spanning trees of the cube's edges that use each direction once:
    # 3 * 2 paths of three edges from each of 8 ends, each path having two, and 8 stars.
    assert found == 24 + 8 + 8


def test_what_is_rebuilt_lies_in_a_cube_at_the_kept_points() -> None:
    H = classes.subsets(6, 2)
    rows = {tuple(h(x) for x in H.domain) for h in H}
    scheme = MaximumClassScheme(H)
    for points in combinations(H.domain, 2):
        for labels in product((0, 1), repeat=2):
            h = scheme.reconstruct(data.Sample(points, labels))
            assert tuple(h(x) for x in points) == labels
            for flipped in product((0, 1), repeat=2):
                changed = dict(zip(points, flipped, strict=True))
                assert tuple(changed.get(x, h(x)) for x in H.domain) in rows


@pytest.mark.parametrize(("H", "message"), [
    (
        classes.singletons(4),
        "4 hypotheses of VC dimension 1 on 4 points, want .* 5 of them, Sauer's",
    ),
    (
        classes.intervals(4).select_rows(range(1, 11)),
        "10 hypotheses of VC dimension 2 .* 11 of them",
    ),
    (classes.FiniteClass([], [1, 2]), "the empty class"),
])  # fmt: skip
def test_a_class_that_is_not_maximum(H: classes.FiniteClass, message: str) -> None:
    refuses(message, MaximumClassScheme, H)


UNREALIZABLE: list[Callable[[MaximumClassScheme], object]] = [
    lambda scheme: scheme.compress(data.Sample([0, 0], [0, 1])),
    lambda scheme: scheme.compress(data.Sample([0, 1, 2], [1, 1, 1])),
    lambda scheme: scheme.reconstruct(data.Sample([0, 0], [0, 1])),
]


@pytest.mark.parametrize("call", UNREALIZABLE)
def test_samples_that_no_hypothesis_fits(call: Callable[[MaximumClassScheme], object]) -> None:
    with pytest.raises(errors.NotRealizable):
        call(MaximumClassScheme(classes.subsets(4, 2)))


def test_bad_input() -> None:
    scheme = MaximumClassScheme(classes.subsets(4, 2))
    refuses("got 1 examples, want 2", scheme.reconstruct, data.Sample([0], [0]))
    refuses("one of the 4 points", scheme.compress, data.Sample([4], [0]))
