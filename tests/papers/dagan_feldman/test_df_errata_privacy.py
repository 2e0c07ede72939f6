"""Statements of DF20 about privacy and stability that need a condition, and the repaired ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import floor
from typing import Literal

import pytest

from pac_stability import audit
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.classes import FiniteClass
from pac_stability.data import FiniteDistribution, FromLaw, Sample
from pac_stability.mechanisms import (
    Flip,
    PrivacyGuarantee,
    SoftMajorityVote,
    Subsampled,
    exponential_learner,
    subsampling_amplification,
)
from pac_stability.notions.private_prediction import implied_stability
from pac_stability.papers.dagan_feldman.nets import DrawnNets
from pac_stability.papers.dagan_feldman.restrictions import ChosenRepresentatives
from pac_stability.zoo import museum
from pac_stability.zoo.museum.answering import SubsampledClass

HALF = Fraction(1, 2)


def flipped(p: Fraction, alpha: Fraction) -> Fraction:
    return alpha + (1 - 2 * alpha) * p


def factor(p: Fraction, q: Fraction) -> Fraction:
    return max(p / q, q / p, (1 - p) / (1 - q), (1 - q) / (1 - p))


class TestFlipBeyondOneHalf:
    """Section 3: after a flip with probability alpha both labels have probability alpha."""

    def test_the_least_probability_is_that_of_the_rarer_coin_face(self) -> None:
        for alpha in (Fraction(3, 5), Fraction(9, 10), Fraction(19, 20)):
            assert min(flipped(Fraction(p, 10), alpha) for p in range(11)) == 1 - alpha < alpha

    @pytest.mark.parametrize(
        ("gamma", "exact"),
        [(Fraction(95, 1000), Fraction(271, 100)), (Fraction(95, 2000), Fraction(371, 200))],
    )
    def test_privacy_fails(self, gamma: Fraction, exact: Fraction) -> None:
        # alpha = 19/20, epsilon = 1/10, gamma = epsilon alpha (overview) or half of it (Section 3);
        # predictions 0 and gamma on neighbouring samples.
        alpha, epsilon = Fraction(19, 20), Fraction(1, 10)
        reached = factor(flipped(Fraction(0), alpha), flipped(gamma, alpha))
        assert reached == exact
        assert Interval.exp(epsilon) < reached

    def test_where_it_begins_to_fail(self) -> None:
        # |1 - 2 alpha| epsilon alpha / (1 - alpha) > e^epsilon - 1: for small epsilon above
        # alpha = 1/sqrt(2), where 2 alpha^2 = 1. The claim on probabilities fails from 1/2 on.
        epsilon = Fraction(1, 10**6)
        for alpha, fails in ((Fraction(707, 1000), False), (Fraction(708, 1000), True)):
            reached = factor(flipped(Fraction(0), alpha), flipped(epsilon * alpha, alpha))
            assert (Interval.exp(epsilon) < reached) == fails

    @pytest.mark.parametrize("alpha", [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2)])
    def test_repaired(self, alpha: Fraction) -> None:
        # alpha <= 1/2: gamma = epsilon alpha is enough, and half of it is not needed.
        for epsilon in (Fraction(1, 10), Fraction(9, 10)):
            gamma = epsilon * alpha
            reached = Flip(alpha).factor_after(gamma)
            assert reached <= 1 + epsilon
            assert Flip(alpha).largest_stability(Epsilon(epsilon)) >= gamma
            for p in (Fraction(0), HALF - gamma, 1 - gamma):
                assert factor(flipped(p, alpha), flipped(p + gamma, alpha)) <= reached


EARLY = ({0}, {1, 2}, {1, 2, 3, 4, 5, 6})
"""What three places of a subsample of twelve points tell: the first has point 0, the others early
ones. An example at its place changes one of the three answers."""


def early_places(t: Fraction) -> FromLaw[tuple[int, ...], int]:
    """Say yes with probability t^(m - 3) / 2, m being the number of places that hold."""

    def law(part: tuple[int, ...]) -> FiniteDistribution[int]:
        held = sum(point in points for point, points in zip(part, EARLY, strict=True))
        p = t ** (held - len(EARLY)) / 2
        return FiniteDistribution({1: p, 0: 1 - p})

    return FromLaw(law)


class TestOrderOfASubsample:
    """Lemma 8 for algorithms to which the order of their examples matters."""

    T = Fraction(27, 10)  # e^epsilon, so that epsilon < 1
    SAMPLE = tuple(range(12))
    NEIGHBOUR = (-1, *range(1, 12))
    ETA = Fraction(3, 12)

    def reached(self, order: Literal["index", "random"]) -> Fraction:
        subsampled = Subsampled(early_places(self.T), 3, order=order)
        p, q = (subsampled.law(x).probability(1) for x in (self.SAMPLE, self.NEIGHBOUR))
        return factor(p, q)

    def test_the_algorithm_is_private(self) -> None:
        mechanism = early_places(self.T)
        points = (-1, 0, 1, 6, 7)  # every kind of point that a place tells apart
        for part in product(points, repeat=3):
            p = mechanism.law(part).probability(1)
            for place, point in product(range(3), points):
                other = (*part[:place], point, *part[place + 1 :])
                assert factor(p, mechanism.law(other).probability(1)) <= self.T

    def test_two_epsilon_eta_fails(self) -> None:
        # e^(2 epsilon eta) is the square root of t.
        assert Interval.exp(1) > self.T
        assert self.reached("index") == Fraction(600647, 364670)
        assert self.reached("index") ** 2 > self.T

    def test_repaired(self) -> None:
        # In random order the factor is at most 1 + eta (t - 1), and that at most t^(2 eta).
        exact = subsampling_amplification(PrivacyGuarantee(Epsilon.exactly(self.T)), 3, 12).factor
        assert exact == 1 + self.ETA * (self.T - 1)
        assert self.reached("random") <= exact
        assert exact**2 < self.T

    def test_two_epsilon_eta_for_symmetric_algorithms(self) -> None:
        # 1 + eta (e^epsilon - 1) <= e^(2 epsilon eta) as long as e^epsilon <= 1 + 2 epsilon.
        assert Interval.exp(Fraction(1256, 1000)) < 1 + 2 * Fraction(1256, 1000)
        assert Interval.exp(Fraction(1257, 1000)) > 1 + 2 * Fraction(1257, 1000)

    def test_the_exhibit_with_three_examples(self) -> None:
        exhibit = museum.get("order-of-a-subsample")
        assert (exhibit.audit().value, exhibit.claim) == (Fraction(7, 4), Fraction(5, 3))


class TestSubsamplesOfMoreThanHalf:
    """Appendix C: n - n' >= n/2 for every epsilon below 1."""

    def test_needs_half(self) -> None:
        n, size = 3, 2  # epsilon = 2/3
        assert n - size < Fraction(n, 2)
        # n'/(n - n') is then no constant times epsilon: with n' = n - 1 it is n - 1.
        assert [Fraction(n - 1, 1) / Fraction(n - 1, n) for n in (3, 10, 100)] == [3, 10, 100]

    def test_repaired(self) -> None:
        for n in range(2, 30):
            for size in range(1, n):
                q = Fraction(size, n)
                if 2 * size <= n:
                    assert Fraction(size, n - size) <= 2 * q
                # Comparing with an average over both kinds of J needs no condition on q.
                for c in (Fraction(11), Fraction(80)):
                    assert 1 + q * (c - 1) <= min(1 + c * q / (1 - q), c)


class TestRepresentativesOfTheSetOfPoints:
    """H_T with representatives "chosen arbitrarily"."""

    CLAIM = Fraction(2, 3)  # q + (1 - q) (1 - rho)/(1 + rho), q = rho = 1/2

    def test_a_choice_that_sees_the_sample_fails(self) -> None:
        exhibit = museum.get("representatives-that-see-the-sample")
        assert (exhibit.claim, exhibit.audit().value) == (self.CLAIM, Fraction(5, 6))

    @pytest.mark.parametrize("place", [0, -1])
    def test_repaired(self, place: int) -> None:
        # On the same class and sample size, both functions of the set of points.
        def chosen(rows: list[tuple[int, ...]], _sample: object) -> tuple[int, ...]:
            return rows[place]

        learner = SubsampledClass(((0, 0), (0, 1)), 1, chosen)
        assert audit.uniform_stability(learner, (0, 1), 2).value <= self.CLAIM

    def test_a_choice_is_a_function_of_the_set_by_construction(self) -> None:
        seen = []

        def choice(points: frozenset[object], rows: tuple[int, ...]) -> int:
            seen.append(points)
            return rows[0]

        H = ChosenRepresentatives(FiniteClass([[0, 0], [0, 1]]), choice)
        assert H.representatives_on([1, 0, 1]) == H.representatives_on([0, 1])
        assert set(seen) == {frozenset({0, 1})}


class TestNeighbours:
    """Section 2 defines private prediction over all pairs of samples."""

    def test_all_pairs_is_another_notion(self) -> None:
        vote = SoftMajorityVote(HALF)
        laws = [vote.law((0,) * (3 - ones) + (1,) * ones).probability(1) for ones in range(4)]
        t = vote.guarantee.factor
        assert all(factor(p, q) <= t for p, q in pairwise(laws))
        assert max(factor(p, q) for p, q in combinations(laws, 2)) > t


class TestConstants:
    """Constants of the proofs that can be smaller."""

    @pytest.mark.parametrize("rho", [Fraction(1, 2), Fraction(3, 4), Fraction(99, 100)])
    def test_stability_of_the_exponential_mechanism(self, rho: Fraction) -> None:
        # tanh(gamma/4), where Lemma 13 has e^gamma - 1 and then 2 gamma.
        exact = (1 - rho) / (1 + rho)
        general = implied_stability(Epsilon.exactly(rho**-2))  # tanh(gamma/2)
        assert exact < general < rho**-2 - 1
        assert general < Interval.log(rho**-2)
        # Attained by two constants on one example.
        learner = exponential_learner(FiniteClass([[0], [1]]), rho)
        p, q = (learner.law(Sample([0], [y])).map(lambda h: h(0)).probability(1) for y in (1, 0))
        assert p - q == exact

    def test_disagreements_on_the_sample(self) -> None:
        # Lemma 18 bounds the count by 2 eta n; it is at most (1 + kappa) eta n, kappa = 1/(eta n).
        for n, inverse in product((10, 37, 1000), (2, 5, 9)):
            eta = Fraction(1, inverse)
            kappa = 1 / (eta * n)
            most = floor(eta * (n - 1)) + 1
            assert most <= (1 + kappa) * eta * n
            assert most <= 2 * eta * n or kappa > 1
        # So 4 e^(3 (1 + kappa)) in place of 4 e^6: from 1613 down to 80.
        assert 1613 < 4 * Interval.exp(6) < 1614
        assert 80 < 4 * Interval.exp(3) < 81

    def test_the_last_condition_of_lemma_15_follows(self) -> None:
        # n' <= epsilon n and n' >= N^net_{eta, alpha} + 1 >= 1/eta give epsilon >= 1/(eta n).
        H = FiniteClass([[0, 0], [1, 0]])
        for inverse, alpha in product((2, 3, 10, 33), (Fraction(1, 3), Fraction(1, 10))):
            eta = Fraction(1, inverse)
            mass = eta + Fraction(1, 10**6)
            nets = DrawnNets(H, FiniteDistribution({0: mass, 1: 1 - mass}), eta)
            assert nets.least_size(alpha) + 1 >= inverse
        # It needs alpha <= 1/e: with alpha = 1/2 and eta = 1/10 it does not follow.
        mass = Fraction(1, 10) + Fraction(1, 10**6)
        nets = DrawnNets(H, FiniteDistribution({0: mass, 1: 1 - mass}), Fraction(1, 10))
        assert nets.least_size(HALF) + 1 == 8


class TestSamplesThatPrivacyCannotSave:
    """Lemma 9 for large epsilon: d/alpha examples are needed at any price."""

    def test_no_learner_with_one_example_of_two_points(self) -> None:
        # All subsets of two points, D uniform, n = 1. The error averaged over the four targets is
        # linear in the predictions, so deterministic learners are enough: all 256 of them.
        seen = list(product((0, 1), repeat=2))  # the one example: a point and its label
        answers = list(product((0, 1), repeat=2))  # the labels predicted at both points
        least = min(
            sum(
                Fraction(learner[seen.index((x, target[x]))][y] != target[y], 16)
                for target in answers
                for x, y in product((0, 1), repeat=2)
            )
            for learner in product(answers, repeat=4)
        )
        # Half of the expected mass of points not seen: 1/2 (1 - 1/2).
        assert least == Fraction(1, 4)

    def test_no_learner_without_examples(self) -> None:
        # On one point with both constants, a probability p of label 1 errs with p or with 1 - p.
        assert min(max(p, 1 - p) for p in (Fraction(k, 100) for k in range(101))) == HALF
