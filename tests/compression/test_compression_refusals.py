"""What no room of compression works on is refused by name, and at once."""

from collections.abc import Callable
from fractions import Fraction
from math import comb, perm
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pac_stability import compression, data, errors
from pac_stability.classes import FiniteClass, Thresholds, subsets, thresholds
from shared_refusals import refuses

SCHEMES: list[compression.CompressionScheme[Callable[[object], int]]] = [
    compression.ThresholdScheme(),
    compression.IntervalScheme(),
    compression.BoxScheme(1),
    compression.HalfspaceScheme(1),
    compression.ChainScheme(thresholds(3)),
    compression.MaximumClassScheme(subsets(3, 1)),
    compression.LittlestoneScheme(thresholds(3)),
    compression.BoostingScheme(thresholds(3)),
    compression.SubsamplingScheme(thresholds(3), 2),
    compression.agnostic(compression.LittlestoneScheme(thresholds(3))),
    compression.smallest_scheme(thresholds(3)),
]

NO_SAMPLES: list[object] = [None, 3, float("nan"), "ab", [(0, 1)], {0: 1}]


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: type(scheme).__name__)
@pytest.mark.parametrize("given", NO_SAMPLES, ids=repr)
class TestWhatIsNoSample:
    def test_is_not_compressed(
        self, scheme: compression.CompressionScheme[Callable[[object], int]], given: object
    ) -> None:
        for use in (scheme.compress, scheme.keep, scheme.run, scheme.law):
            refuses(r"^sample: got", use, given)  # type: ignore[arg-type]  # what is tested

    def test_rebuilds_nothing(
        self, scheme: compression.CompressionScheme[Callable[[object], int]], given: object
    ) -> None:
        with pytest.raises(errors.InvalidInput, match=r"^kept: got"):
            scheme.reconstruct(given)  # type: ignore[arg-type]  # what is tested


class TestWhatIsNoClass:
    @pytest.mark.parametrize("given", [None, 3, "ab", Thresholds], ids=repr)
    def test_has_no_scheme(self, given: object) -> None:
        H: Any = given
        tiny: list[Callable[[], object]] = [
            lambda: compression.ChainScheme(H),
            lambda: compression.MaximumClassScheme(H),
            lambda: compression.LittlestoneScheme(H),
            lambda: compression.smallest_scheme(H),
            lambda: compression.smallest_group(H, 2),
        ]
        for build in tiny:
            refuses(r"^H: got", build)
        any_family: list[Callable[[], object]] = [
            lambda: compression.BoostingScheme(H),
            lambda: compression.SubsamplingScheme(H, 1),
            lambda: compression.smallest_approximation(H, data.Sample([0], [1]), "1/2"),
        ]
        for build in any_family:
            refuses(r"^family: got", build)

    def test_nor_has_the_empty_class(self) -> None:
        empty = thresholds(3).version_space([0, 2], [1, 0])
        assert isinstance(empty, FiniteClass)
        assert len(empty) == 0
        for build in (
            compression.ChainScheme,
            compression.MaximumClassScheme,
            compression.LittlestoneScheme,
            compression.smallest_scheme,
        ):
            refuses(r"^H: got the empty class", build, empty)


def test_no_part_of_no_sample() -> None:
    with pytest.raises(errors.InvalidInput, match=r"^sample: got 'ab'"):
        compression.subsample("ab", (0,))  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize("n", [-1, True, 2.0, float("nan")], ids=repr)
def test_no_size_where_there_is_no_sample_size(n: Any) -> None:
    for scheme in (compression.SubsamplingScheme(thresholds(3), 2), compression.HalfspaceScheme(1)):
        refuses(r"^n: got", scheme.size, n)


class TestBeyondTheSample:
    """More is kept than there are examples: the bounds are k/n, and still have a least n."""

    def test_least_n_may_be_below_k(self) -> None:
        half = Fraction(1, 2)
        # 5/4 <= 139/100 < 5/3
        assert compression.bounds.UnionBound(10, 5, half, 7).least_n(Fraction(139, 100)) == 4
        assert compression.bounds.HoeffdingBound(10, 5, half).least_n(5) == 1
        assert compression.bounds.Lemma17(1, 1, half).least_n(1000) == 1


class TestAllLengths:
    @given(st.sampled_from(compression.Selection), st.integers(1, 12), st.integers(0, 14))
    def test_counts_are_those_of_the_definition(
        self, kind: compression.Selection, n: int, k: int
    ) -> None:
        lengths = range(k + 1)
        counted = {
            compression.Selection.SEQUENCE: [n**length for length in lengths],
            compression.Selection.DISTINCT: [perm(n, length) for length in lengths],
            compression.Selection.MULTISET: [comb(n + length - 1, length) for length in lengths],
            compression.Selection.SUBSET: [comb(n, length) for length in lengths],
            compression.Selection.OBLIVIOUS: [1 for _ in lengths],
        }
        assert list(kind.counts(n, k)) == counted[kind]

    def test_many_lengths(self) -> None:
        # C(n, j - 1) / C(n, j) = j / (n - j + 1), at most k / (n - k) for j up to k: a geometric
        # series. Binomial coefficients computed each anew would take minutes.
        n, k = 100_000, 5000
        total = compression.bounds.HoeffdingBound(
            n, k, Fraction(1, 20), compression.Selection.SUBSET, any_length=True
        ).choices
        last = comb(n, k)
        assert last < total < last * Fraction(n - k, n - 2 * k)
