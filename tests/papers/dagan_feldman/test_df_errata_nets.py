"""Statements of DF20 about nets, growth and covers that need a condition, and the repaired ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations
from math import ceil, comb

import numpy as np
import pytest

from pac_stability import classes
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass
from pac_stability.data import FiniteDistribution
from pac_stability.dimensions import (
    growth_function,
    is_alpha_net,
    sauer_shelah_bound,
    vc_dimension,
)
from pac_stability.papers.dagan_feldman.covers import cover_transfer_bound, greedy_cover
from pac_stability.papers.dagan_feldman.net_bounds import drawn_net_bound, index_net_bound
from pac_stability.papers.dagan_feldman.nets import DrawnNets, IndexNets
from pac_stability.papers.dagan_feldman.restrictions import sauer_power_bound
from shared_dagan_feldman import sample_on

HALF = Fraction(1, 2)


def plane(p: int) -> list[tuple[int, int]]:
    return [(x, y) for x in range(p) for y in range(p)]


class TestLinesOverAPrimeField:
    """Section 1.1 gives them VC dimension 1."""

    @pytest.mark.parametrize("p", [2, 3, 5, 7])
    def test_dimension_is_two(self, p: int) -> None:
        H = classes.affine_lines(p)
        assert vc_dimension(H) == 2
        # By hand, at (0, 0) and (1, 0): the line through both, one through each that avoids the
        # other, and one apart. A line is the triple (a, b, c) of ax + by = c.
        rows = {tuple(row) for row in H.table.tolist()}
        lines = {(1, 1): (0, 1, 0), (1, 0): (1, 0, 0), (0, 1): (1, 0, 1), (0, 0): (0, 1, 1)}
        for pattern, (a, b, c) in lines.items():
            assert (int(c == 0), int(a == c)) == pattern
            assert tuple(int((a * x + b * y - c) % p == 0) for x, y in plane(p)) in rows

    @pytest.mark.parametrize("p", [2, 3, 5, 7])
    def test_also_without_vertical_lines(self, p: int) -> None:
        graphs = FiniteClass([[(a * x + b - y) % p == 0 for x, y in plane(p)] for a, b in plane(p)])
        assert vc_dimension(graphs) == 2


def small_or_cosmall(points: int, s: int) -> FiniteClass:
    """All sets of at most s points, and their complements."""
    sets = chain.from_iterable(combinations(range(points), size) for size in range(s + 1))
    small = np.array([[x in chosen for x in range(points)] for chosen in sets])
    return FiniteClass(np.concatenate([small, ~small]))


class TestNetsForLargeAlpha:
    """Lemma 4 with ln(1/alpha), as alpha comes near 1."""

    @pytest.mark.parametrize(("s", "points"), [(1, 10), (2, 8), (3, 9)])
    def test_few_draws_are_never_a_net(self, s: int, points: int) -> None:
        H = small_or_cosmall(points, s)
        assert vc_dimension(H) == 2 * s + 1
        alpha = 1 - Fraction(2 * s, points) - Fraction(1, 100)
        nets = DrawnNets(H, FiniteDistribution.uniform(range(points)), alpha)
        assert [nets.failure(size) for size in range(2 * s + 1)] == [1] * (2 * s + 1)
        assert nets.failure(2 * s + 1) < 1

    def test_the_smallest_instance(self) -> None:
        # d = 3, alpha = 79/100, beta = 1/2: d ln(1/alpha) + ln(1/beta), over alpha, is below 2.
        asked = (3 * Interval.log(Fraction(100, 79)) + Interval.log(2)) / Fraction(79, 100)
        assert asked < 2
        nets = DrawnNets(
            small_or_cosmall(10, 1), FiniteDistribution.uniform(range(10)), Fraction(79, 100)
        )
        assert nets.failure(2) == 1

    @pytest.mark.parametrize("constant", [1, 2, 5, 10, 100])
    def test_no_constant_helps(self, constant: int) -> None:
        s = constant
        points = 4 * constant * (2 * s + 1) ** 2
        alpha = 1 - Fraction(2 * s + 1, points)
        draws = constant * ((2 * s + 1) * Interval.log(1 / alpha) + Interval.log(2)) / alpha
        assert draws < 2 * s
        # 2s points u leave two hypotheses that agree on them and differ on all the other points:
        # half of u, and the complement of the other half.
        assert 1 - Fraction(2 * s, points) > alpha

    @pytest.mark.parametrize(("s", "points"), [(1, 10), (2, 8), (3, 9)])
    def test_repaired(self, s: int, points: int) -> None:
        # ln(e/alpha) in place of ln(1/alpha); explicit bounds that hold for every alpha.
        H = small_or_cosmall(points, s)
        alpha = 1 - Fraction(2 * s, points) - Fraction(1, 100)
        law = FiniteDistribution.uniform(range(points))
        nets, indices = DrawnNets(H, law, alpha), IndexNets(H, sample_on([*range(points)]), alpha)
        for size in range(points + 1):
            assert indices.failure(size) <= index_net_bound(len(H), points, size, alpha)
        for size in (1, 2 * s, 10, 40, 100):
            bound = drawn_net_bound(len(H), size, alpha, ghost=size, threshold=ceil(alpha * size))
            assert nets.failure(size) <= bound
        size = ceil((2 * Interval.log(len(H)) + Interval.log(1 / (2 * HALF))).upper / alpha)
        assert indices.failure(min(size, points)) <= HALF


class TestOneSidedNets:
    """The theorem that Lemma 4 cites is about hitting hypotheses, not differences of two."""

    def test_a_net_for_the_hypotheses_is_none_for_their_differences(self) -> None:
        H = FiniteClass([[1, 0], [0, 1]])
        heavy = [row for row in H.table if Fraction(int(row.sum()), 2) > HALF]
        assert not heavy  # so no point needs to be hit
        assert not is_alpha_net(H, [], HALF)
        assert is_alpha_net(H, [0], HALF)

    def test_differences_have_a_larger_dimension(self) -> None:
        H = classes.thresholds(7)
        differences = FiniteClass([h ^ g for h in H.table for g in H.table])
        assert (vc_dimension(H), vc_dimension(differences)) == (1, 2)
        for n in range(8):
            pairs = comb(growth_function(H, n), 2)
            assert growth_function(differences, n) <= pairs + 1


class TestResampling:
    """Redrawing until n' points are different."""

    def test_there_may_not_be_so_many(self) -> None:
        law = FiniteDistribution.point_mass(0)
        assert len(law.support) < 2
        # A set of two indices of the sample exists all the same.
        nets = IndexNets(classes.thresholds(1), sample_on([0, 0]), Fraction(0))
        assert [nets.failure(size) for size in range(3)] == [1, 0, 0]

    def test_indices_without_replacement_gain(self) -> None:
        points = [0, 0, 1, 2, 3, 3, 4]
        law = FiniteDistribution({x: Fraction(points.count(x), 7) for x in set(points)})
        for H in (classes.thresholds(5), classes.intervals(5), classes.cube(5)):
            indices = IndexNets(H, sample_on(points), Fraction(1, 4))
            draws = DrawnNets(H, law, Fraction(1, 4))
            assert all(indices.failure(size) <= draws.failure(size) for size in range(8))
            assert indices.failure(4) < draws.failure(4)


class TestGrowth:
    """tau_n as a supremum over sets of exactly n points, and the range of Lemma 5."""

    def test_a_finite_domain_has_no_larger_sets(self) -> None:
        H = classes.thresholds(3)
        assert not list(combinations(H.domain, 4))
        assert growth_function(H, 4) == 4  # sets of at most four points

    def test_the_power_is_of_the_sample_size(self) -> None:
        # (em/d)^d with m = n holds for all n >= d >= 1, a wider range than the n > d + 1 stated.
        for d in range(1, 12):
            for n in (d, d + 1):
                assert sauer_shelah_bound(n, d) < sauer_power_bound(n, d).lower
        # Not for n < d: two patterns on one point, and (e/2)^2 < 1.85.
        assert sauer_shelah_bound(1, 2) == 2
        assert Interval.exp(2) / 4 < Fraction(185, 100)


class TestCovers:
    """Remark 14: a cover on the subsample is used as one on the sample."""

    @pytest.mark.parametrize("size", [3, 5, 10])
    def test_a_net_does_not_make_a_cover(self, size: int) -> None:
        # Two hypotheses that differ on half of S, or a little more, and on one point of S_I.
        alpha = Fraction(1, size)
        n = 2 * (size - 1) + 1
        H = FiniteClass([[0] * n, [0] * (size - 1) + [1] * size])
        part = list(range(size))
        assert is_alpha_net(H, part, alpha)
        (kept,) = greedy_cover(H, part, alpha)
        assert Fraction(sum(kept(x) != H(1, x) for x in H.domain), n) > HALF

    def test_the_smallest_instance_beyond_two_alpha(self) -> None:
        # alpha = 1/3, three of seven points: one of five differences is seen, and 5/7 > 2/3.
        H = FiniteClass([[0] * 7, [0] * 2 + [1] * 5])
        assert is_alpha_net(H, [0, 1, 2], Fraction(1, 3))
        assert len(greedy_cover(H, [0, 1, 2], Fraction(1, 3))) == 1
        # All S_I hit the difference, so all are nets; one in seven makes no cover.
        assert IndexNets(H, sample_on([*range(7)]), Fraction(1, 3)).failure(3) == 0
        assert cover_transfer_bound(2, 7, 3, Fraction(1, 3)) == Fraction(5, 35)

    def test_repaired(self) -> None:
        # Whenever closeness carries over, a cover of S_I covers S within 2 alpha.
        H, alpha, n, size = classes.intervals(7), Fraction(1, 4), 7, 5
        failures = 0
        for part in combinations(range(n), size):
            cover = greedy_cover(H, part, alpha)
            failures += any(
                all(sum(h(x) != g(x) for x in range(n)) > 2 * alpha * n for g in cover) for h in H
            )
        bound = cover_transfer_bound(len(H), n, size, alpha)
        assert Fraction(failures, comb(n, size)) <= bound


class TestLogarithmOfTheDimension:
    """Theorem 10 has log(d/alpha); the proof of Lemma 13 already gives log(1/alpha)."""

    @pytest.mark.parametrize("alpha", [Fraction(1, 3), Fraction(1, 10), Fraction(1, 100)])
    def test_no_dimension_inside_the_logarithm(self, alpha: Fraction) -> None:
        log = Interval.log(1 / alpha)
        constant = 8
        for d in range(1, 41):
            size = ceil((constant * (d + 1) * log / alpha).upper)
            # ln tau_{n'} <= d ln(2eC ln(1/alpha) / alpha), with no d in the last logarithm.
            per_dimension = 1 + Interval.log(2 * constant * log / alpha)
            assert Interval.log(sauer_shelah_bound(size, d)) <= d * per_dimension


class TestSizeOfABlock:
    """Remark 16 has (d + log(1/beta))/alpha^2 for what a net does with 1/alpha."""

    def test_halving_alpha_doubles_the_net(self) -> None:
        H, beta = FiniteClass([[0, 0], [1, 0]]), Fraction(1, 20)
        sizes = []
        for inverse in (10, 20, 40, 80):
            alpha = Fraction(1, inverse)
            just_above = alpha + Fraction(1, 10**6)
            law = FiniteDistribution({0: just_above, 1: 1 - just_above})
            sizes.append(DrawnNets(H, law, alpha).least_size(beta))
        # (1 - alpha)^m <= beta: m is about 3/alpha; an alpha^2 would multiply by 4.
        assert sizes == [29, 59, 119, 239]
