"""Intervals and stumps in several dimensions: enclosures of A^sta against all sets of points."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from pac_stability.papers.dagan_feldman.additive._above import (
    PowersAbove,
    WeightAbove,
    chances_to_miss,
)

from pac_stability.classes import Family, Intervals, Stumps, UnionsOfIntervals, intervals
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman import (
    IntervalPredictions,
    StableLearner,
    additive_selection,
    exact_selection,
    interval_predictions,
    stump_selection,
)
from pac_stability.papers.dagan_feldman.additive import intervals as of_intervals, stumps

SampleOf = Sample[Hashable]
DECAYS = [Fraction(1), Fraction(7, 8), Fraction(1, 2), Fraction(1, 10), Fraction(1, 50)]


def require_predictions(
    H: Family, sample: SampleOf, size: int, decay: Fraction, points: list[Hashable]
) -> IntervalPredictions:
    law = exact_selection(H, sample, size, decay)
    found = interval_predictions(H, sample, size, decay)
    for point, p in zip(points, found.probabilities(points), strict=True):
        assert sum(share * h(point) for h, share in law.items()) in p
        assert p.width <= found.slack
    n = len(sample)
    wrong = sum(share * sum(h(z.point) != z.label for z in sample) for h, share in law.items())
    loss = found.loss(sample)
    assert Fraction(wrong) / n in loss
    assert loss.width <= found.slack
    return found


def in_the_middle(rng: np.random.Generator, noise: float, copies: int) -> SampleOf:
    """Up to seven points, some of which are missed by an index set now and then."""
    points = [x for x in range(7) for _ in range(int(rng.integers(1, copies + 1)))]
    labels = [int(2 <= x <= 4) ^ int(rng.random() < noise) for x in points]
    return Sample(points, labels)


@pytest.mark.parametrize("decay", DECAYS)
def test_predictions_on_intervals(decay: Fraction) -> None:
    narrow = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        sample = in_the_middle(rng, (0, 0.1, 0.5)[seed % 3], (1, 4, 25)[seed % 3 - 1])
        size = int(rng.integers(1, len(sample) + 1))
        H = (Intervals(), UnionsOfIntervals(1))[seed % 2]
        points: list[Hashable] = [-1, *range(7), Fraction(5, 2), 8]
        found = require_predictions(H, sample, size, decay, points)
        narrow += found.slack < Fraction(1, 100)
    # With equal weights no interval stands out, and nothing is said.
    assert narrow >= (1 if decay <= Fraction(1, 2) else 0)


def test_intervals_that_reach_the_ends() -> None:
    for first, last in ((0, 3), (2, 4), (0, 4)):
        points = [x for x in range(5) for _ in range(6)]
        sample: SampleOf = Sample(points, [int(first <= x <= last) for x in points])
        at: list[Hashable] = [-1, *range(5), 5]
        found = require_predictions(Intervals(), sample, 24, Fraction(1, 10), at)
        assert found.slack < Fraction(1, 100)


def test_levels_are_chosen_where_the_decay_is_no_double() -> None:
    copies = [9, 9, 2], [2, 9, 9]
    line = of_intervals._Line(
        [*copies[0], *copies[1]], [9, 9, -2, -2, 9, 9], 30, Fraction(1, 10**400)
    )
    ends = np.array([16, 7, -2]), np.array([-2, 7, 16])
    # Of 40 examples 30 are drawn; both examples of the best end are missed 3 times of 52.
    assert float(line._unspanned(3, ends, copies)) == pytest.approx(6 / 52)


def test_the_gap_is_in_the_middle_of_the_best_interval() -> None:
    assert of_intervals._Line([5] * 7, [-2, -2, -2, -2, 3, 3, 3], 9, Fraction(1, 2)).gap() == 2
    assert of_intervals._Line([5] * 7, [3, 3, 3, -2, -2, -2, -2], 9, Fraction(1, 2)).gap() == 5


def test_no_interval_where_none_is_wanted() -> None:
    # One label 1 of 60: the empty set is chosen, and the bound by Jensen's inequality says so.
    sample: SampleOf = Sample([x for x in range(6) for _ in range(10)], [0] * 59 + [1])
    found = require_predictions(Intervals(), sample, 20, Fraction(1, 3), list(range(6)))
    assert found.slack < Fraction(1, 1000)
    # Of one point, both ends are there: nothing is on one side of any gap.
    one: SampleOf = Sample([3] * 9, [1] * 9)
    assert require_predictions(Intervals(), one, 4, Fraction(1, 3), [2, 3]).slack == 1


def test_both_walks_of_many_points_against_sampled_subsets() -> None:
    # Given the subset each label has an exact probability. Hoeffding: 700 averages of numbers in
    # [0, 1] are off by more than 0.14 with probability below 2 exp(-2 * 700 * 0.14**2) < 3e-12.
    n, size, decay = 600, 100, Fraction(7, 10)
    rng = np.random.default_rng(3)
    xs = np.arange(n)
    labels = ((xs >= 180) & (xs < 420)) ^ (rng.random(n) < 0.1)
    sample: SampleOf = Sample(xs.tolist(), labels.astype(int).tolist())
    found = interval_predictions(Intervals(), sample, size, decay)
    assert found.slack < Fraction(1, 10**3)
    below = np.concatenate(([0], np.cumsum(1 - 2 * labels.astype(int))))
    asked = [170, 178, 180, 184, 190, 300, 410, 419, 421]
    average = np.zeros(len(asked))
    for _ in range(700):
        hit = np.sort(rng.choice(n, size, replace=False))
        errors = below[hit + 1][None, :] - below[hit][:, None]
        weights = np.triu(float(decay) ** (errors - errors.min()))
        empty = float(decay) ** -float(errors.min())
        for k, x in enumerate(asked):
            average[k] += weights[np.ix_(hit <= x, hit >= x)].sum() / (weights.sum() + empty) / 700
    for p, seen in zip(found.probabilities(asked), average, strict=True):
        assert abs(float(p) - seen) < 0.14


def test_losses_on_distributions() -> None:
    rng = np.random.default_rng(8)
    sample = in_the_middle(rng, 0.1, 30)
    learner = StableLearner(Intervals(), len(sample) // 2, 2)
    data = FiniteDistribution({Example(3, 0): Fraction(1, 3), Example(6.5, 1): Fraction(2, 3)})
    law = learner.law(sample)
    wanted = sum(
        share * mass * (h(z.point) != z.label)
        for h, share in law.items()
        for z, mass in data.items()
    )
    found = learner.enclosed_predictions(sample)
    assert wanted in found.loss(data)
    with pytest.raises(InvalidInput, match=r"^data: "):
        found.loss([(1, 0)])  # type: ignore[arg-type]  # that is what is wrong


@given(
    st.lists(st.fractions(Fraction(1, 10**9), 10**9), min_size=1, max_size=6),
    st.fractions(Fraction(1, 50), 1),
    st.integers(-300, 300),
)
def test_weights_are_rounded_up_by_little(
    values: list[Fraction], base: Fraction, exponent: int
) -> None:
    total, product = WeightAbove(0, 0), WeightAbove(1, 0)
    for value in values:
        total = total + WeightAbove.above(value)
        product = product * WeightAbove.above(value)
    power = PowersAbove(base).of(exponent)
    exact = Fraction(1)
    for value in values:
        exact *= value
    for found, wanted in ((total, sum(values)), (product, exact), (power, base**exponent)):
        size = found.mantissa * Fraction(2) ** found.exponent
        assert wanted <= size <= wanted * (1 + Fraction(1, 2**80))
        assert min(wanted, 1) <= found.upper()


@pytest.mark.parametrize("places", [100, 384, 385, 10**4])
def test_what_is_far_smaller_adds_hardly_anything(places: int) -> None:
    one, small = WeightAbove(1, 0), WeightAbove(1, -places)
    for found in (one + small, small + one):
        size = found.mantissa * Fraction(2) ** found.exponent
        assert 1 + Fraction(1, 2**places) <= size <= 1 + Fraction(1, 2**90)


def test_no_weight_is_given_as_more_than_one() -> None:
    assert WeightAbove(3, -1).upper() == WeightAbove(3, 4).upper() == 1
    assert WeightAbove(3, -2).upper() == Fraction(3, 4)
    assert WeightAbove(0, 5).upper() == 0


@pytest.mark.parametrize("seed", range(6))
def test_how_often_the_gap_is_not_spanned(seed: int) -> None:
    # The bound of the module, over all levels, in floats.
    rng = np.random.default_rng(seed)
    copies, changes = rng.integers(1, 5, 7).tolist(), rng.integers(-4, 2, 7).tolist()
    n, gap, rho = sum(copies), 4, (0.5, 0.2)[seed % 2]
    size = n // 2
    line = of_intervals._Line(copies, changes, size, Fraction(1, (2, 5)[seed % 2]))
    hit = [min(1.0, c * size / n) for c in copies]

    def mean(some: range) -> float:
        return math.fsum(
            math.pow(rho, sum(changes[a : b + 1])) * hit[a] * (hit[b] if a < b else 1.0)
            for a in some
            for b in some
            if a <= b
        )

    errors = [sum(changes[a:gap]) for a in range(gap)]
    errors += [sum(changes[gap : b + 1]) for b in range(gap, 7)]
    sides = range(gap), range(gap, 7)
    best = [min(errors[a] for a in side) for side in sides]
    outside = 1 + mean(sides[0]) + mean(sides[1])

    def missed(side: int, level: int) -> float:
        held = sum(copies[a] for a in sides[side] if errors[a] <= best[side] + level)
        ways: int = math.comb(n - held, size)
        return ways / math.comb(n, size)

    wanted = min(
        missed(0, i) + missed(1, j) + outside * rho ** -(i + j + sum(best))
        for i in {errors[a] - best[0] for a in sides[0]}
        for j in {errors[b] - best[1] for b in sides[1]}
    )
    assert float(line.split_at(gap)[1]) == pytest.approx(min(wanted, 1), rel=1e-9)
    total = mean(range(7))
    assert float(line.nonempty()) == pytest.approx(total / (1 + total) if total < 1 else 1)


def test_how_often_an_interval_is_chosen_where_all_err_more() -> None:
    # Two of eight examples are drawn: a single one with probability 1/4, one of six with 1 at most.
    line = of_intervals._Line([1, 1, 6], [1, 2, 3], 2, Fraction(1, 2))
    # Weights 1/2, 1/4, 1/8 of one point, 1/8, 1/32 of two and 1/64 of all.
    q = [Fraction(1, 4), Fraction(1, 4), Fraction(1)]
    one = q[0] / 2 + q[1] / 4 + q[2] / 8
    total = one + q[0] * q[1] / 8 + q[1] * q[2] / 32 + q[0] * q[2] / 64
    assert total < 1
    assert float(line.nonempty()) == pytest.approx(float(total / (1 + total)), rel=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_how_often_a_stump_is_a_duplicate(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = [tuple(map(int, x)) for x in rng.integers(0, (4, 50)[seed % 2], (6, 2))]
    sample: SampleOf = Sample([*points, *points[:2]], [0, 1] * 4)
    size = (2, 4, 6, 7)[seed // 2]
    table = stumps._Table(2, sample, size)
    cuts, count = table.hypotheses(), len(table.hypotheses())
    doubts = table.doubts(np.ones(count, dtype=np.int64))
    # How often a cut is hit and is no representative, or is not hit where it counts as always hit.
    lacking = [0] * count
    always = set(table.walk().route.always)
    for chosen in combinations(sample.points, size):
        kept = Stumps(2).representatives_on(chosen)
        for k, h in enumerate(cuts):
            is_hit = any(x[h.coordinate] == h.cut for x in set(chosen))  # type: ignore[index]  # pairs
            lacking[k] += h not in kept and (is_hit or k in always)
    for k in range(count):
        share = Fraction(lacking[k], math.comb(8, size))
        assert share <= Fraction(int(doubts[k]), 1 << 60)
        # In the first coordinate nothing is a duplicate.
        if cuts[k].coordinate == 0 and k not in always:
            assert doubts[k] == 0


def random_plane(rng: np.random.Generator, p: int, side: int, copies: int) -> SampleOf:
    points = [tuple(map(int, x)) for x in rng.integers(0, side, (rng.integers(2, 8), p))] * copies
    labels = [int(2 * x[0] >= side) ^ int(rng.random() < 0.1) for x in points]
    return Sample(points, labels)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_the_law_on_stumps(p: int) -> None:
    slacks = []
    for seed in range(24):
        rng = np.random.default_rng([p, seed])
        # Few values, which points share, or a value for each point.
        sample = random_plane(rng, p, (3, 1000)[seed % 2], (1, 15)[seed // 2 % 2])
        size = int(rng.integers(1, len(sample) + 1))
        decay = DECAYS[seed % 5]
        law = exact_selection(Stumps(p), sample, size, decay)
        found = stump_selection(Stumps(p), sample, size, decay)
        assert found.lowers.min() >= 0
        assert found.law().encloses(law)
        for point, q in zip(sample.points, found.probabilities(sample.points), strict=True):
            assert sum(share * h(point) for h, share in law.items()) in q
        slacks.append(found.slack)
    assert sum(slack < Fraction(1, 100) for slack in slacks) >= 3


def test_stumps_on_a_line_are_those_of_one_walk() -> None:
    rng = np.random.default_rng(4)
    n = 500
    labels = ((np.arange(n) >= 200) ^ (rng.random(n) < 0.2)).astype(int).tolist()
    sample: SampleOf = Sample([(x,) for x in range(n)], labels)
    one = additive_selection(Stumps(1), sample, 60, Fraction(9, 10))
    other = stump_selection(Stumps(1), sample, 60, Fraction(9, 10))
    at: list[Hashable] = [(150,), (200,), (250,)]
    for p, q in zip(one.probabilities(at), other.probabilities(at), strict=True):
        assert p.lower <= q.upper
        assert q.lower <= p.upper
    assert max(one.slack, other.slack) < Fraction(1, 10**10)
    # A second coordinate in another order is nearly never as good: hardly anything is lost.
    shuffled = rng.permutation(n).tolist()
    plane: SampleOf = Sample(list(zip(range(n), shuffled, strict=True)), labels)
    found = stump_selection(Stumps(2), plane, 60, Fraction(9, 10))
    assert found.slack < Fraction(1, 10**3)


def test_chances_to_miss_are_upper_bounds() -> None:
    chances = chances_to_miss(30, 7)
    exact = Fraction(1)
    for k, found in enumerate(chances):
        assert exact <= Fraction(found) <= exact * (1 + Fraction(1, 2**40)) + Fraction(1, 2**120)
        exact *= Fraction(max(30 - 7 - k, 0), 30 - k) if k < 30 else 1


def test_other_classes_are_refused() -> None:
    sample: SampleOf = Sample([0, 1], [0, 1])
    for H in (intervals(3), UnionsOfIntervals(2), Stumps(1)):
        with pytest.raises(InvalidInput, match=r"^H: "):
            interval_predictions(H, sample, 1, Fraction(1, 2))
    with pytest.raises(InvalidInput, match=r"^H: "):
        stump_selection(Intervals(), sample, 1, Fraction(1, 2))
    with pytest.raises(InvalidInput, match=r"^H: .*restrict another family"):
        StableLearner(UnionsOfIntervals(2), 1, 1).enclosed_predictions(sample)
    plane: SampleOf = Sample([(0, 1), (1, 0), (2, 2)], [0, 1, 1])
    assert StableLearner(Stumps(2), 1, 1).enclosed(plane).slack <= 1
