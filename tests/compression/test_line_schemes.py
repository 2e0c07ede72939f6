"""Schemes of thresholds, chains, intervals and unions of intervals."""

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import groupby, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Sample, classes, compression
from pac_stability.compression.geometric import (
    ChainScheme,
    IntervalScheme,
    ThresholdScheme,
    UnionOfIntervalsScheme,
)
from pac_stability.compression.scheme import check_scheme
from shared_refusals import refuses

Points = Sample[Hashable]
Scheme = compression.CompressionScheme[classes.Hypothesis]

# Multisets of up to n labelled examples on m points: the sum of C(2m + i - 1, i) over 1 <= i <= n.
EXHAUSTIVE: list[tuple[Scheme, int, int]] = [
    (ThresholdScheme(), 4, 1286),
    (ThresholdScheme(classes.SignedThresholds()), 4, 1286),
    (ChainScheme(classes.thresholds(4)), 4, 1286),
    (ChainScheme(classes.thresholds(4).select_rows([2, 0, 3, 1])), 4, 1286),
    (IntervalScheme(), 5, 3002),
    (UnionOfIntervalsScheme(0), 4, 1286),
    (UnionOfIntervalsScheme(1), 4, 1286),
    (UnionOfIntervalsScheme(2), 5, 3002),
    (UnionOfIntervalsScheme(3), 5, 3002),
]


@pytest.mark.parametrize(("scheme", "points", "samples"), EXHAUSTIVE)
def test_valid_on_every_sample_up_to_order(scheme: Scheme, points: int, samples: int) -> None:
    assert scheme.agnostic
    found = check_scheme(scheme, range(points), 5, symmetric=True)
    assert found.counterexample is None
    assert sum(found.examined.values()) == samples


@pytest.mark.parametrize("scheme", [scheme for scheme, _, _ in EXHAUSTIVE])
def test_valid_on_every_ordered_sample(scheme: Scheme) -> None:
    domain = range(3, -1, -1)
    found = check_scheme(scheme, domain, 3)
    assert found.counterexample is None
    assert found.examined == {1: 8, 2: 64, 3: 512}


@pytest.mark.parametrize("rows", [rows for rows in product((0, 1), repeat=4) if any(rows)])
def test_some_of_the_thresholds_are_a_chain_too(rows: tuple[int, ...]) -> None:
    H = classes.thresholds(3).select_rows([index for index, taken in enumerate(rows) if taken])
    assert check_scheme(ChainScheme(H), range(3), 4, symmetric=True).valid


def test_chains_of_sets_without_an_order_of_their_points() -> None:
    H = classes.FiniteClass([[0, 1, 0, 0], [1, 1, 1, 0], [0, 1, 0, 1]], domain="abcd")
    refuses("rows 1 and 2, none of which contains the other", ChainScheme, H)
    nested = H.select_rows([0, 1])
    assert check_scheme(ChainScheme(nested), "abcd", 3).valid


def has_few_runs(labels: Sequence[int], k: int) -> bool:
    return sum(label for label, _ in groupby(labels)) <= k


def is_upward(labels: Sequence[int]) -> bool:
    return list(labels) == sorted(labels)


def is_monotone(labels: Sequence[int]) -> bool:
    return is_upward(labels) or is_upward(labels[::-1])


def as_number(x: Hashable) -> Fraction:
    assert isinstance(x, int | float | Fraction)
    return Fraction(x)


FAMILIES: list[tuple[Scheme, Callable[[Sequence[int]], bool]]] = [
    (ThresholdScheme(), is_upward),
    (ThresholdScheme(classes.SignedThresholds()), is_monotone),
    (IntervalScheme(), lambda labels: has_few_runs(labels, 1)),
    (UnionOfIntervalsScheme(2), lambda labels: has_few_runs(labels, 2)),
    (UnionOfIntervalsScheme(3), lambda labels: has_few_runs(labels, 3)),
]

# Numbers that compare exactly, whatever their types: no float is 1/10 or 1/3.
NUMBERS: list[Hashable] = [
    0.1, Fraction(1, 10), math.nextafter(0.1, 1), Fraction(1, 3), 1 / 3, 1, 2**53 + 1, float(2**53),
    -1e300,
]  # fmt: skip


@pytest.mark.parametrize(("scheme", "allowed"), FAMILIES)
@given(examples=st.lists(st.tuples(st.sampled_from(NUMBERS), st.integers(0, 1)), min_size=1))
@settings(max_examples=40)
def test_as_few_errors_as_any_allowed_labelling(
    scheme: Scheme, allowed: Callable[[Sequence[int]], bool], examples: list[tuple[Hashable, int]]
) -> None:
    sample: Points = Sample([x for x, _ in examples], [y for _, y in examples])
    in_order = sorted(sample.distinct_points, key=as_number)
    least = min(
        sample.count_errors(dict(zip(in_order, labels, strict=True)))
        for labels in product((0, 1), repeat=len(in_order))
        if allowed(labels)
    )
    indices = scheme.compress(sample)
    assert len(indices) == scheme.size(len(sample))
    h = scheme.reconstruct(compression.subsample(sample, indices))
    assert sample.count_errors(h) == least
    assert h == scheme.run(sample)
    assert allowed([h(x) for x in in_order])


def test_large_samples() -> None:
    # Every point twice, the label of the second copy wrong at one point in 100, away from the ends.
    # Either label makes one error at such a point, and only the planted union makes no other.
    m = 20_000
    points = [(7 * i) % m for i in range(m)]
    planted = classes.UnionOfIntervals(((4007, 5003), (10_050, m - 1)))
    labels = [planted(x) for x in points]
    noisy = [y ^ (x % 100 == 0) for x, y in zip(points, labels, strict=True)]
    sample: Points = Sample(points * 2, labels + noisy)
    assert UnionOfIntervalsScheme(2).run(sample) == planted
    assert sample.count_errors(planted) == m // 100

    above = Sample[Hashable](points, [int(x >= 777) for x in points])
    assert ThresholdScheme().run(above) == classes.Threshold(777)
    below = Sample[Hashable](points, [int(x < 777) for x in points])
    assert ThresholdScheme(classes.SignedThresholds()).run(below) == classes.Threshold(
        777, upward=False
    )


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: ThresholdScheme(classes.thresholds(3)), "ChainScheme"),  # type: ignore[arg-type]  # wrong
    (lambda: ThresholdScheme(classes.Intervals()), "family"),  # type: ignore[arg-type]  # wrong
    (lambda: ThresholdScheme().compress(Sample([], [])), "got 0 examples"),
    (lambda: ThresholdScheme().compress(Sample(["a"], [0])), "a real number"),
    (lambda: ThresholdScheme().reconstruct(Sample([1, 2], [0, 0])), "got 2 examples, want 1"),
    (lambda: ThresholdScheme().reconstruct([1]), "kept"),  # type: ignore[arg-type]  # wrong
    (lambda: ChainScheme(classes.FiniteClass([], [1])), "the empty class"),
    (lambda: ChainScheme(classes.thresholds(2)).compress(Sample([2], [0])), "one of the 2 points"),
    (lambda: UnionOfIntervalsScheme(-1), "k: got -1"),
    (lambda: IntervalScheme().reconstruct(Sample([1], [1])), "got 1 examples, want 2"),
    (lambda: IntervalScheme().reconstruct(Sample([1, 2], [1, 0])), "an even number"),
    (lambda: IntervalScheme().compress(Sample([math.inf], [1])), "a finite number"),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input(call: Callable[[], object], message: str) -> None:
    refuses(message, call)
