"""The exact counterexamples of docs/errata/cummings-et-al.md, each beside what is true instead."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from pac_stability import Epsilon, FiniteDistribution, Interval, mechanisms, notions
from pac_stability.data import multiset_distribution
from pac_stability.notions.robust_generalization import (
    conditional_failures,
    optimal_adversary,
    universal_bound,
)
from pac_stability.notions.split_reading import split_failure
from pac_stability.papers.cummings_et_al import implications as im

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
COIN = FiniteDistribution.uniform([0, 1])
Bits = tuple[int, ...]


def two_bits() -> FiniteDistribution[Bits]:
    return FiniteDistribution.uniform(list(product([0, 1], repeat=2)))


def binomial(n: int, p: Fraction) -> Iterator[tuple[int, Fraction]]:
    return ((k, math.comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1))


class TestTheorem21MissingFactor:
    @staticmethod
    def constant_coordinate(sample: tuple[Bits, ...]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(0 if len({z[0] for z in sample}) == 1 else 1)

    @pytest.mark.parametrize("epsilon", ["1/4", "1/3", "2/5", "499/1000"])
    def test_two_outputs(self, epsilon: str) -> None:
        found = optimal_adversary(self.constant_coordinate, two_bits().power(2), epsilon)
        # One of two fair bits is constant on both draws: 1 - 1/4.
        assert found.failure == Fraction(3, 4)

    def test_two_outputs_refute_the_printed_deviation(self) -> None:
        beta = Fraction(74, 100)
        assert 2 / Interval.exp(1) < beta < Fraction(3, 4)
        printed = im.finite_range_to_robust(2, 2, beta, constants="paper")
        assert QUARTER < printed.epsilon < HALF
        repaired = im.finite_range_to_robust(2, 2, beta)
        samples = two_bits().power(2)
        assert optimal_adversary(self.constant_coordinate, samples, printed.epsilon).failure > beta
        assert (
            optimal_adversary(self.constant_coordinate, samples, repaired.epsilon).failure <= beta
        )

    @pytest.mark.parametrize("n", [1, 3, 5, 9])
    def test_one_output_and_an_odd_number_of_coins(self, n: int) -> None:
        beta = Fraction(math.ceil(Interval.exp(Fraction(-1, 2 * n)).upper * 10**4) + 1, 10**4)
        assert beta < 1
        printed = im.finite_range_to_robust(1, n, beta, constants="paper")
        samples = multiset_distribution(COIN, n)
        # An odd number of coins never has the mean 1/2.
        assert printed.epsilon < Fraction(1, 2 * n)
        assert universal_bound(samples, printed.epsilon) == 1
        assert universal_bound(samples, im.finite_range_to_robust(1, n, beta).epsilon) <= beta

    def test_one_output_and_three_coins(self) -> None:
        beta = Fraction(24, 100)
        printed = im.finite_range_to_robust(1, 3, beta, constants="paper")
        assert printed.epsilon < HALF
        assert universal_bound(multiset_distribution(COIN, 3), printed.epsilon) == QUARTER > beta


class TestDefinition5TwoReadings:
    @pytest.mark.parametrize(("k", "split"), [(2, Fraction(3, 4)), (3, Fraction(19, 24))])
    def test_a_mechanism_that_says_nothing(self, k: int, split: Fraction) -> None:
        samples = FiniteDistribution.uniform(list(product([0, 1], repeat=k))).power(2)
        tests = [tuple(z for z in product([0, 1], repeat=k) if z[i]) for i in range(k)]
        silent = FiniteDistribution.point_mass("nothing")
        for adversary, reached in (
            (FiniteDistribution.point_mass(tests[0]), HALF),
            (FiniteDistribution.uniform(tests), split),
        ):
            failures = conditional_failures(
                lambda _: silent, samples, {"nothing": adversary}, QUARTER
            )
            assert sum(w * p for w, p in failures) == HALF
            assert split_failure(failures) == reached

    @pytest.mark.parametrize(
        ("n", "k", "beta", "factor"), [(20, 20, "1/20", 1), (300, 100, "1/1000", 8)]
    )
    def test_the_corrected_theorem_21_is_joint_only(
        self, n: int, k: int, beta: str, factor: int
    ) -> None:
        # k independent fair coordinates; the adversary tests one of them, chosen at random.
        joint = im.finite_range_to_robust(1, n, beta)
        tail = sum(
            (w for j, w in binomial(n, HALF) if abs(Fraction(j, n) - HALF) > joint.epsilon),
            Fraction(),
        )
        assert tail < joint.delta
        failures = [(weight, Fraction(j, k)) for j, weight in binomial(k, tail)]
        assert split_failure(failures) > factor * joint.delta
        assert joint.as_split().delta >= split_failure(failures)
        repaired = im.finite_range_deviation(1, n, beta, reading="split")
        assert repaired.upper > joint.epsilon


class TestLemma36:
    def test_the_fourth_power(self) -> None:
        perfect = im.PerfectGuarantee(Fraction(1, 10), Epsilon.exactly(2), Fraction(1, 10))
        alpha = im.perfect_deviation(perfect, 50, constants="paper")
        written = Fraction(1, 5) / (2 * (2 * perfect.epsilon.interval() + 1))
        tail = Interval.exp(-2 * 50 * alpha * alpha)
        assert tail < written * written * written
        assert tail.lower <= (written * written * written * written).upper
        assert tail.upper >= (written * written * written * written).lower

    def test_where_e_to_the_x_is_below_its_bound(self) -> None:
        assert Interval.exp(Fraction(12564, 10000)) < 1 + 2 * Fraction(12564, 10000)
        assert Interval.exp(Fraction(12565, 10000)) > 1 + 2 * Fraction(12565, 10000)


class TestLemma17WithoutExamples:
    def test_nothing_kept(self) -> None:
        # k' = 0 makes the printed epsilon 0, and a coin is off by 1/2 after one toss.
        silent = FiniteDistribution.point_mass("nothing")
        assert optimal_adversary(lambda _: silent, COIN.power(1), 0).failure == 1


class TestLemma9:
    def test_the_condition_is_for_the_constants(self) -> None:
        # e**epsilon = 3: each two neighbours are (epsilon, delta)-close, the ends need 4 delta.
        delta, t = Fraction(1, 100), 3
        laws = [
            FiniteDistribution({"a": 1 - share, "b": share})
            for share in (delta * (1 + t), delta, Fraction(0))
        ]
        for one, other in ((0, 1), (1, 2)):
            needed = notions.closeness.minimal_delta(laws[one], laws[other], Epsilon.exactly(t))
            assert needed <= delta
        ends = notions.closeness.minimal_delta(laws[0], laws[2], Epsilon.exactly(t**2))
        link = (Epsilon.exactly(t), delta)
        assert ends == 4 * delta == im.close_ends(link, link)[1] > 3 * delta


class TestTheorem39NeedsTheRange:
    def test_randomized_response_on_six_bits(self) -> None:
        # More than half of all samples contain a sample and its complement, whose laws are n
        # epsilon apart. So one simulator for them is n epsilon / 2 from one of the two, for every
        # beta < 1/2; without |R| under the root, 2.93 epsilon would do for beta = 49/100.
        n, t, beta = 6, 2, Fraction(49, 100)

        def law(sample: Bits) -> FiniteDistribution[Bits]:
            return FiniteDistribution(
                {
                    r: Fraction(t ** sum(a == b for a, b in zip(r, sample, strict=True)), 3**n)
                    for r in product([0, 1], repeat=n)
                }
            )

        for sample in product([0, 1], repeat=n):
            flipped = tuple(1 - b for b in sample)
            assert notions.closeness.minimal_epsilon(law(sample), law(flipped), 0) == t**n
        needed = Fraction(n, 2)
        assert Interval.sqrt(2 * n * Interval.log(1 / beta)) < needed
        private = mechanisms.PrivacyGuarantee(Epsilon.exactly(t))
        assert im.private_to_perfect(private, n, beta, 2**n).epsilon.ratio >= t ** (n // 2)

    def test_two_bits_in_full(self) -> None:
        # Covered are three of four samples, two of them complements: the factor is t.
        def law(sample: Bits) -> FiniteDistribution[Bits]:
            told = [FiniteDistribution({b: Fraction(2, 3), 1 - b: Fraction(1, 3)}) for b in sample]
            return told[0].product(told[1])

        best = notions.perfect_generalization.minimal_epsilon(law, COIN.power(2), "49/100")
        assert best.lower >= 2
