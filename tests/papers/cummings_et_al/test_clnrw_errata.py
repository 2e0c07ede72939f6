"""The exact counterexamples of docs/errata/cummings-et-al.md, each beside what is true instead."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from pac_stability import Epsilon, FiniteDistribution
from pac_stability.arithmetic import Interval
from pac_stability.classes import singletons
from pac_stability.data import multiset_distribution
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import closeness, perfect_generalization, two_point_generalization
from pac_stability.notions.chain_rule import chain_of_equal_links
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


class TestTheorem38AtOddSizes:
    @staticmethod
    def strange(sample: Bits) -> FiniteDistribution[bool]:
        n = len(sample)
        return FiniteDistribution.point_mass(sample == (1,) * (n // 2) + (0,) * (n - n // 2))

    @pytest.mark.parametrize(
        ("n", "worst"),
        [
            (2, Fraction(1, 4)),
            (3, Fraction(4, 27)),
            (4, Fraction(1, 16)),
            (5, Fraction(108, 3125)),
            (7, Fraction(6912, 823543)),
        ],
    )
    def test_the_smallest_beta(self, n: int, worst: Fraction) -> None:
        # (a/n)**a (b/n)**b with a and b the halves of n, at p = a/n.
        a = n // 2
        assert worst == Fraction(a, n) ** a * Fraction(n - a, n) ** (n - a)
        found = two_point_generalization.beta_over_two_points(
            self.strange, [0, 1], n, Epsilon(1), samples=FiniteDistribution.power
        )
        assert found.value == worst
        assert (worst > Fraction(1, 2**n)) == bool(n % 2)

    def test_no_simulator_helps_at_three(self) -> None:
        samples = FiniteDistribution({1: Fraction(1, 3), 0: Fraction(2, 3)}).power(3)
        best = perfect_generalization.minimal_beta(self.strange, samples, Epsilon(50), "49/100")
        assert best.lower == best.upper == Fraction(4, 27) > Fraction(1, 8)

    def test_the_logarithm_is_binary(self) -> None:
        beta, n = Fraction(1, 2000), 8
        assert Interval.log(1 / beta) < n < Interval.log2(1 / beta)
        assert Fraction(1, 2**n) > beta

    @pytest.mark.parametrize("n", [2, 3, 4])
    def test_one_sequence_of_different_elements(self, n: int) -> None:
        # Repaired: X = {0, ..., n-1}, Strange for (0, ..., n-1) alone; n**-n by the means.
        for masses in combinations_with_replacement(range(1, 5), n):
            D = FiniteDistribution({x: Fraction(m, sum(masses)) for x, m in enumerate(masses)})
            chance = math.prod(D.probability(x) for x in range(n))
            assert chance <= Fraction(1, n**n) <= Fraction(1, 2**n)


class TestTheorem35Constants:
    def test_the_printed_budget(self) -> None:
        # Theorem 32 gives 16 delta + 2 beta, Theorem 22 wants at most 1/(1500 n**2).
        assert 18 * Fraction(1, 10_000) > Fraction(1, 1500)
        assert 18 * Fraction(1, 27_000) == Fraction(1, 1500)
        assert 16 * Fraction(1, 24_000) == Fraction(1, 1500)  # with 15 delta + beta

    def test_four_links_with_epsilon_one_eighth_are_enough(self) -> None:
        # delta (1 + t + t**2 + t**3) + beta for t = e**(1/8): 5.87 instead of 18.
        t = Interval.exp(Fraction(1, 8))
        assert (2 + t + t * t + t * t * t) / 10_000 < Fraction(1, 1500)


class TestTheorem32Steps:
    def test_one_over_e_is_approached_from_below(self) -> None:
        for n in (1, 2, 3, 4, 5, 100, 10_000):
            assert (1 - Fraction(1, n)) ** n < Interval.exp(-1)
        assert [(1 - Fraction(1, n)) ** n for n in (1, 2, 3)] == [0, QUARTER, Fraction(8, 27)]

    def test_the_replaced_example_never_occurs_under_the_other_sample(self) -> None:
        S, other = ("a", "b"), ("c", "b")
        drawn = [FiniteDistribution.uniform(s).power(2) for s in (S, other)]
        without = [sum((w for t, w in law.items() if "a" not in t), Fraction()) for law in drawn]
        assert without == [QUARTER, Fraction(1)]
        # And a sample without "a" may well have different probabilities.
        assert [law.probability(("c", "c")) for law in drawn] == [Fraction(0), QUARTER]

    def test_a_copy_of_the_replaced_example(self) -> None:
        drawn = FiniteDistribution.uniform(["a", "b"]).map(lambda _: "a").power(2)
        assert drawn.probability(("a", "a")) == 1

    @pytest.mark.parametrize("n", [1, 2, 3, 4])
    def test_what_the_two_resamples_have_in_common(self, n: int) -> None:
        for S in combinations_with_replacement("abc", n):
            other = ("z", *S[1:])
            one, two = (
                FiniteDistribution({x: Fraction(s.count(x), n) for x in set(s)}).power(n)
                for s in (S, other)
            )
            common = sum((min(w, two.probability(t)) for t, w in one.items()), Fraction())
            assert common >= (1 - Fraction(1, n)) ** n

    def test_four_links_at_the_largest_epsilon(self) -> None:
        epsilon, delta = chain_of_equal_links(Epsilon.exactly(2), Fraction(1, 1000), 4)
        assert (epsilon.ratio, delta) == (Fraction(16), Fraction(15, 1000))


class TestTheorem25IsImproper:
    def test_a_majority_of_singletons_is_no_singleton(self) -> None:
        H = singletons(3)
        votes = [sum(int(row[x]) for row in H.table) for x in range(3)]
        majority = [int(2 * v > len(H)) for v in votes]
        assert majority == [0, 0, 0]
        assert majority not in H.table.tolist()


class TestTheorem26AtDimensionOne:
    def test_the_condition_is_empty(self) -> None:
        d = 1
        assert 16 * d * math.log(d) == 0


class TestTheorem30LargeEpsilon:
    def test_one_example_is_not_enough(self) -> None:
        # Two constant hypotheses; label 1 has probability 3/5; alpha = 1/10, gamma = 1/20.
        alpha, gamma, epsilon = Fraction(1, 10), Fraction(1, 20), 1000
        L = Interval.log(4 / gamma)
        assert 6 * L * L * L / (epsilon**2 * alpha**2) < 1
        weight = Interval.exp(-epsilon / Interval.sqrt(2 * L))
        worse_when_drawn = 1 / (1 + weight)  # the label is 0: the worse hypothesis has no error
        assert Fraction(2, 5) * worse_when_drawn > gamma
        assert Fraction(3, 5) - Fraction(2, 5) > alpha


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


class TestLemma16ByValue:
    def test_a_point_mass(self) -> None:
        # All examples equal the one kept, so by value none is left: h(V) = 0 for h = 1.
        def bound(n: int) -> Interval:
            return 8 * Interval.log(Fraction(2 * n) / Fraction(1, 20)) / n

        assert bound(62) > 1
        assert all(bound(n) < 1 for n in range(63, 2000, 50))


class TestTheorem24:
    def test_the_largest_positive_example(self) -> None:
        points = range(4)
        examples = list(product(points, [0, 1]))

        def errors(cut: int, sample: tuple[tuple[int, int], ...]) -> int:
            return sum(int(x <= cut) != y for x, y in sample)

        samples = [s for n in range(1, 6) for s in combinations_with_replacement(examples, n)]
        undefined = [s for s in samples if not any(y for _, y in s)]
        suboptimal = [
            s
            for s in samples
            if any(y for _, y in s)
            and errors(max(x for x, y in s if y), s) > min(errors(cut, s) for cut in points)
        ]
        assert len(samples) == 1286
        assert (len(undefined), len(suboptimal)) == (125, 214)


class TestTheorem40:
    def test_which_beta_the_proof_allows(self) -> None:
        # gamma = 2 sqrt(beta), and K has the root of ln(1/(15 gamma)).
        assert 15 * 2 * Fraction(1, 30) == 1
        assert Interval.log(1 / (30 * Interval.sqrt(Fraction(1, 899)))) < 0

    def test_the_one_sided_tail(self) -> None:
        # With Pr[M errs] <= exp(-x)/2, the ratio is at least 2 exp(x) - 1 >= exp(x).
        for x in (Fraction(0), HALF, Fraction(3)):
            err = Interval.exp(-x) / 2
            assert ((1 - err) / err).upper >= Interval.exp(x).lower


class TestLemma9:
    def test_the_condition_is_for_the_constants(self) -> None:
        # e**epsilon = 3: each two neighbours are (epsilon, delta)-close, the ends need 4 delta.
        delta, t = Fraction(1, 100), 3
        laws = [
            FiniteDistribution({"a": 1 - share, "b": share})
            for share in (delta * (1 + t), delta, Fraction(0))
        ]
        for one, other in ((0, 1), (1, 2)):
            needed = closeness.minimal_delta(laws[one], laws[other], Epsilon.exactly(t))
            assert needed <= delta
        ends = closeness.minimal_delta(laws[0], laws[2], Epsilon.exactly(t**2))
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
            assert closeness.minimal_epsilon(law(sample), law(flipped), 0) == t**n
        needed = Fraction(n, 2)
        assert Interval.sqrt(2 * n * Interval.log(1 / beta)) < needed
        private = PrivacyGuarantee(Epsilon.exactly(t))
        assert im.private_to_perfect(private, n, beta, 2**n).epsilon.ratio >= t ** (n // 2)

    def test_two_bits_in_full(self) -> None:
        # Covered are three of four samples, two of them complements: the factor is t.
        def law(sample: Bits) -> FiniteDistribution[Bits]:
            told = [FiniteDistribution({b: Fraction(2, 3), 1 - b: Fraction(1, 3)}) for b in sample]
            return told[0].product(told[1])

        best = perfect_generalization.minimal_epsilon(law, COIN.power(2), "49/100")
        assert best.lower >= 2


class TestSmallThings:
    def test_lemma_23_needs_a_missing_threshold(self) -> None:
        # One point: the only threshold is always right.
        points, thresholds = [0], [0]
        assert all(int(x <= cut) == int(x <= 0) for x in points for cut in thresholds)

    def test_group_privacy_as_printed_says_nothing(self) -> None:
        # k e**((k-1) epsilon delta) is k or more.
        for k in (1, 2, 5):
            assert k * Interval.exp((k - 1) * Fraction(1, 10) * Fraction(1, 1000)).upper >= 1

    def test_the_deltas_of_theorem_12(self) -> None:
        one = im.PerfectGuarantee(Fraction(0), Epsilon.exactly(2), Fraction(1, 10))
        assert im.compose_perfect([one] * 3).delta == 1 - Fraction(9, 10) ** 3
