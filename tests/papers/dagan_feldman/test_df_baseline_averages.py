"""The averaging baselines: laws against enumeration, runs against laws, stability attained."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, Sample, audit, classes, enumerate_law
from pac_stability.classes import Family, FiniteClass
from pac_stability.papers.dagan_feldman.answers import (
    block_minimisers,
    empirical_risk_minimiser,
    index_blocks,
)
from pac_stability.papers.dagan_feldman.baselines import DisjointAverage, SubsetAverage
from pac_stability.testing import strategies
from shared_laws import empirical
from shared_refusals import refuses

Learner = DisjointAverage | SubsetAverage

CLASSES = [
    classes.thresholds(3),
    classes.singletons(3),
    FiniteClass([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 0]]),
]


def parts_of(sample: Sample[Hashable], size: int) -> list[Sample[Hashable]]:
    """The sample of each set of indices, in order."""
    return [
        Sample.from_examples([sample[i] for i in indices])
        for indices in combinations(range(len(sample)), size)
    ]


# Empirical risk minimisation


@given(strategies.samples(range(3), max_size=7), st.sampled_from(CLASSES))
def test_the_minimiser_errs_least_and_forgets_the_order(
    sample: Sample[Hashable], H: FiniteClass
) -> None:
    best = empirical_risk_minimiser(H, sample)
    assert sample.count_errors(best) == min(sample.count_errors(h) for h in H)
    assert empirical_risk_minimiser(H, sample[::-1]) == best


@given(strategies.samples(range(9), min_size=1, max_size=8))
def test_the_minimiser_over_an_infinite_class(sample: Sample[Hashable]) -> None:
    best = empirical_risk_minimiser(classes.Intervals(), sample)
    intervals: list[dict[Hashable, int]] = [
        {x: int(low <= x < high) for x in range(9)} for low in range(10) for high in range(10)
    ]
    assert sample.count_errors(best) == min(sample.count_errors(h) for h in intervals)


def test_blocks_are_disjoint_consecutive_and_equal() -> None:
    sample = Sample(range(11), [x % 2 for x in range(11)])
    parts = index_blocks(sample, 3)
    assert [part.points for part in parts] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    assert [part.labels for part in parts] == [(0, 1, 0), (1, 0, 1), (0, 1, 0)]
    minimisers = block_minimisers(classes.Thresholds(), sample, 3)
    assert minimisers == tuple(
        empirical_risk_minimiser(classes.Thresholds(), part) for part in parts
    )


def test_bad_input_of_minimisers() -> None:
    with pytest.raises(InvalidInput, match="H: got the empty class"):
        empirical_risk_minimiser(FiniteClass([], domain=[0]), Sample([0], [0]))
    refuses("point: got 7", empirical_risk_minimiser, classes.thresholds(3), Sample([7], [0]))
    refuses("sample: got 2 examples, want at least 3", index_blocks, Sample([0, 1], [0, 1]), 3)
    refuses("blocks", index_blocks, Sample([0, 1], [0, 1]), 0)


# Laws


@given(strategies.samples(range(3), min_size=3, max_size=8), st.integers(1, 3))
def test_disjoint_average_is_the_mean_of_its_minimisers(
    sample: Sample[Hashable], blocks: int
) -> None:
    H = classes.thresholds(3)
    learner = DisjointAverage(H, blocks)
    size = len(sample) // blocks
    minimisers = [
        empirical_risk_minimiser(H, sample[size * j : size * (j + 1)]) for j in range(blocks)
    ]
    assert learner.law(sample) == empirical(minimisers)
    means = tuple(Fraction(sum(h(x) for h in minimisers), blocks) for x in range(3))
    assert learner.probabilities(sample, [0, 1, 2]) == means


@settings(max_examples=50)
@given(strategies.samples(range(3), min_size=1, max_size=8), st.sampled_from(CLASSES), st.data())
def test_subset_average_is_the_mean_over_all_index_sets(
    chosen: Callable[[FiniteClass, int], Family],
    sample: Sample[Hashable],
    table: FiniteClass,
    data: st.DataObject,
) -> None:
    H = chosen(table, data.draw(st.integers(0, 9)))
    size = data.draw(st.integers(1, len(sample)))
    minimisers = [empirical_risk_minimiser(H, part) for part in parts_of(sample, size)]
    law = SubsetAverage(H, size).law(sample)
    assert law == empirical(minimisers)
    means = tuple(Fraction(sum(h(x) for h in minimisers), len(minimisers)) for x in range(3))
    assert SubsetAverage(H, size).probabilities(sample, [0, 1, 2]) == means


@settings(max_examples=50)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=10), st.data())
def test_subset_average_on_samples_with_a_consistent_hypothesis(
    points: list[int], data: st.DataObject
) -> None:
    """Here the sum is over sets of distinct examples instead of counts."""
    cut = data.draw(st.integers(0, 6))
    sample: Sample[Hashable] = Sample(points, [int(x >= cut) for x in points])
    size = data.draw(st.integers(1, len(points)))
    H = classes.Thresholds()
    minimisers = [empirical_risk_minimiser(H, part) for part in parts_of(sample, size)]
    assert SubsetAverage(H, size).law(sample) == empirical(minimisers)


def test_subset_average_where_subsets_cannot_be_enumerated() -> None:
    """C(60, 30) > 10^17 index sets; the law follows from a count.

    With thirty copies each of (0, 0) and (1, 1), the minimiser predicts 1 at the point 1 unless
    only copies of (0, 0) are drawn, and 0 at the point 0 unless only copies of (1, 1) are.
    """
    sample: Sample[Hashable] = Sample([0] * 30 + [1] * 30, [0] * 30 + [1] * 30)
    learner = SubsetAverage(classes.cube(2), 30)
    one_only = Fraction(1, 118264581564861424)  # 1 / C(60, 30)
    alone = empirical_risk_minimiser(classes.cube(2), Sample([0], [0]))
    assert learner.probabilities(sample, [1]) == (1 - one_only * (1 - alone(1)),)


# Runs


@pytest.mark.parametrize(
    "learner",
    [
        DisjointAverage(classes.thresholds(3), 3),
        DisjointAverage(classes.cube(2), 2),
        SubsetAverage(classes.thresholds(3), 2),
        SubsetAverage(classes.cube(2), 3),
    ],
    ids=repr,
)
def test_what_runs_has_the_law(learner: Learner) -> None:
    sample: Sample[Hashable] = Sample([0, 1, 1, 0], [1, 0, 1, 0])
    law = learner.law(sample)
    assert enumerate_law(lambda rng: learner.run(sample, rng)) == law
    labels = enumerate_law(lambda rng: learner.predict(sample, 1, rng))
    assert (labels.probability(1),) == learner.probabilities(sample, [1])


# Stability


@pytest.mark.parametrize(("blocks", "n"), [(1, 2), (2, 2), (2, 4), (2, 5), (3, 4), (4, 4)])
@pytest.mark.parametrize("H", [classes.thresholds(1), classes.cube(2)], ids=["point", "cube"])
def test_disjoint_average_is_exactly_one_over_k_stable(H: Family, blocks: int, n: int) -> None:
    learner = DisjointAverage(H, blocks)
    domain = H.domain if isinstance(H, FiniteClass) else ()
    result = audit.uniform_stability(learner, domain, n)
    assert result.value == learner.stability(n) == Fraction(1, blocks)


@pytest.mark.parametrize(("size", "n"), [(1, 3), (2, 3), (3, 3), (2, 5), (4, 6)])
@pytest.mark.parametrize("H", [classes.thresholds(2), classes.cube(2)], ids=["line", "cube"])
def test_subset_average_is_exactly_m_over_n_stable(H: FiniteClass, size: int, n: int) -> None:
    learner = SubsetAverage(H, size)
    result = audit.uniform_stability(learner, H.domain, n)
    assert result.value == learner.stability(n) == Fraction(size, n)


def test_averages_are_not_private() -> None:
    assert audit.private_prediction(DisjointAverage(classes.thresholds(2), 2), 2, 2).value > 10**99
    assert audit.private_prediction(SubsetAverage(classes.thresholds(2), 2), 2, 3).value > 10**99


def test_the_order_matters_to_parts_by_index_only() -> None:
    sample: Sample[Hashable] = Sample([0, 0, 1, 1], [1, 1, 0, 0])
    shuffled: Sample[Hashable] = Sample([0, 1, 0, 1], [1, 0, 1, 0])
    H = classes.thresholds(2)
    assert DisjointAverage(H, 2).law(sample) != DisjointAverage(H, 2).law(shuffled)
    assert SubsetAverage(H, 2).law(sample) == SubsetAverage(H, 2).law(shuffled)
    assert SubsetAverage(H, 2).symmetric
    assert not SubsetAverage(lambda part: H[len(part) % 2], 2).symmetric
    assert not DisjointAverage(H, 2).symmetric


def test_the_error_of_an_average_is_the_average_error() -> None:
    """On every distribution: checked at one with irregular weights, over all samples of size 4."""
    weights = {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)}
    H, learner = classes.thresholds(2), DisjointAverage(classes.thresholds(2), 2)
    for pairs in product(weights, repeat=4):
        sample: Sample[Hashable] = Sample([x for x, _ in pairs], [y for _, y in pairs])
        p = dict(zip((0, 1), learner.probabilities(sample, [0, 1]), strict=True))
        error = sum(w * (p[x] if y == 0 else 1 - p[x]) for (x, y), w in weights.items())
        minimisers = [empirical_risk_minimiser(H, part) for part in (sample[:2], sample[2:])]
        errors = [sum(w for (x, y), w in weights.items() if h(x) != y) for h in minimisers]
        assert error == sum(errors) / 2


# Bad input


@pytest.mark.parametrize("kind", [DisjointAverage, SubsetAverage])
def test_bad_input(kind: type[Learner]) -> None:
    refuses("H: got the empty class", kind, FiniteClass([], domain=[0]), 1)
    for size in (0, -1):
        refuses(f"got {size}", kind, classes.thresholds(2), size)
    learner = kind(classes.thresholds(2), 3)
    short: Sample[Hashable] = Sample([0, 1], [0, 1])
    for use in (learner.law, learner.run):
        refuses("sample: got 2 examples, want at least 3", use, short)
    refuses("n: got 2", learner.stability, 2)
    refuses("least_sample_size: got -1", kind, classes.thresholds(2), 3, -1)
    promising = kind(classes.thresholds(2), 1, 3)
    for use in (promising.law, promising.run):
        refuses("sample: got 2 examples, want at least 3", use, short)
    refuses("n: got 2", promising.stability, 2)
    refuses("point", learner.law, Sample([0, 1, 5], [0, 1, 1]))
