"""Random subsamples against the tape, and the smallest approximations against all parts."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from pac_stability import BudgetExhausted, SeededCoins, testing
from pac_stability.classes import FiniteClass, Intervals, Thresholds, least_errors
from pac_stability.compression import ImproperScheme, ProperScheme, Selection, any_class as module
from pac_stability.compression.any_class import ApproximateScheme, SubsamplingScheme
from pac_stability.compression.smallest import smallest_approximation
from pac_stability.data import FiniteDistribution, FromProgram, Sample
from shared_refusals import refuses


def losses(H: FiniteClass, S: Sample[Hashable]) -> list[Fraction]:
    return [S.loss(h) for h in H]


instances = testing.strategies.classes_with_samples(max_hypotheses=7, max_size=6)


@given(instances, st.integers(1, 4))
def test_the_law_is_that_of_the_coins(
    instance: tuple[FiniteClass, Sample[Hashable]], k: int
) -> None:
    H, S = instance
    scheme = SubsamplingScheme(H, k)
    assert scheme.law(S) == FromProgram(scheme.run).law(S)


def test_every_set_of_indices_is_equally_probable() -> None:
    scheme = SubsamplingScheme(Thresholds(), 3)
    S = Sample(range(5), [0] * 5)
    sets = combinations(range(5), 3)
    assert FromProgram(scheme.compress).law(S) == FiniteDistribution.uniform(sets)


def test_a_short_sample_is_kept_whole() -> None:
    scheme = SubsamplingScheme(Intervals(), 4)
    S = Sample([3, 1, 2], [1, 0, 1])
    assert [scheme.size(n) for n in (1, 3, 4, 9)] == [1, 3, 4, 4]
    assert scheme.compress(S, SeededCoins(1)) == (0, 1, 2)
    assert scheme.law(S) == FiniteDistribution.point_mass(least_errors(Intervals(), S)[0])


def test_it_is_approximate_and_says_so() -> None:
    """Two of three examples may mislead: the threshold learned from them makes an error."""
    scheme = SubsamplingScheme(Thresholds(), 2)
    S = Sample([1, 2, 3], [0, 1, 1])
    assert scheme.law(S).map(S.count_errors) == FiniteDistribution(
        {0: Fraction(2, 3), 1: Fraction(1, 3)}
    )
    assert isinstance(scheme, ApproximateScheme)
    assert not isinstance(scheme, ProperScheme | ImproperScheme)
    assert scheme.selection is Selection.OBLIVIOUS
    assert scheme.selection.count(100, 2) == 1


def test_laws_with_many_copies_and_too_many_subsamples(monkeypatch: pytest.MonkeyPatch) -> None:
    # 60 zeros and 60 ones at a point, 8 drawn; row 0 wins ties, so 1 needs five ones or more.
    H = FiniteClass([[0], [1]])
    S = Sample([0] * 120, [0, 1] * 60)
    law = SubsamplingScheme(H, 8).law(S)
    exact = sum(
        Fraction(_choose(60, ones) * _choose(60, 8 - ones), _choose(120, 8)) for ones in range(5, 9)
    )
    assert law.probability(H[1]) == exact
    monkeypatch.setattr(module, "MAX_SUBSAMPLES", 8)
    with pytest.raises(BudgetExhausted, match="subsamples"):
        SubsamplingScheme(H, 8).law(S)  # 0, 1, ..., 8 ones: nine
    assert len(SubsamplingScheme(H, 7).law(S)) == 2


def _choose(n: int, k: int) -> int:
    """C(n, k) by its recurrence along a row."""
    value = 1
    for i in range(k):
        value = value * (n - i) // (i + 1)
    return value


@given(instances, st.fractions(0, "1/2", max_denominator=12))
def test_the_smallest_approximation_among_all_parts(
    instance: tuple[FiniteClass, Sample[Hashable]], e: Fraction
) -> None:
    H, S = instance
    whole = losses(H, S)

    def deviation(indices: tuple[int, ...]) -> Fraction:
        part = Sample([S.points[i] for i in indices], [S.labels[i] for i in indices])
        return max(abs(a - b) for a, b in zip(losses(H, part), whole, strict=True))

    fewest = next(
        size
        for size in range(1, len(S) + 1)
        if any(deviation(indices) <= e for indices in combinations(range(len(S)), size))
    )
    found = smallest_approximation(H, S, e)
    assert len(set(found.indices)) == len(found.indices) == fewest
    assert found.deviation == deviation(found.indices) <= e
    assert S.loss(found.hypothesis) <= min(whole) + 2 * found.deviation


def test_twice_the_deviation_is_needed() -> None:
    """The best on an e-approximation may be 2e worse on the sample than the best there."""
    # One point with three zeros and two ones; the row of ones is first, and wins the tie on a part
    # of one example each: its deviation is 3/5 - 1/2 = 1/10, the excess 3/5 - 2/5 = 2/10.
    H = FiniteClass([[1], [0]])
    S = Sample([0] * 5, [0, 0, 0, 1, 1])
    found = smallest_approximation(H, S, "1/10")
    assert len(found.indices) == 2
    assert found.deviation == Fraction(1, 10)
    assert S.loss(found.hypothesis) - Fraction(2, 5) == Fraction(2, 10)


def test_a_larger_instance() -> None:
    # The loss of a threshold is the part of the 24 points at or above it. With t points each of
    # them jumps by 24/t parts of 24 where the sample steps by 1, so some deviation is at least
    # (24/t - 1)/2 parts: 7/2 with three points, and 5/2 with four.
    found = smallest_approximation(Thresholds(), Sample(range(24), [0] * 24), "1/8")
    assert len(found.indices) == 4
    assert found.deviation == Fraction(1, 8)


def test_bad_input() -> None:
    S = Sample([0], [1])
    refuses("k", SubsamplingScheme, Thresholds(), 0)
    for call in (
        SubsamplingScheme(Thresholds(), 1).compress,
        SubsamplingScheme(Thresholds(), 1).law,
    ):
        refuses("sample", call, Sample([], []))
    refuses("sample", smallest_approximation, Thresholds(), Sample([], []), 0)
    for accuracy in (-1, "3/2"):
        refuses("accuracy", smallest_approximation, Thresholds(), S, accuracy)
    refuses("family", smallest_approximation, FiniteClass([], domain=[0]), S, 0)
    with pytest.raises(BudgetExhausted) as caught:
        smallest_approximation(Thresholds(), Sample(range(9), [0, 1, 0] * 3), 0, max_nodes=20)
    assert caught.value.upper == 9
    assert caught.value.lower is not None
