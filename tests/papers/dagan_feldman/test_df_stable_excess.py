"""Lemma 7 (ii) and Lemma 13: what the exponential mechanism and the stable learner lose."""

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import TypeAlias

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, Interval, Sample, classes, dimensions, testing
from pac_stability.classes import Family, FiniteClass
from pac_stability.papers.dagan_feldman.stable import (
    StableLearner,
    approximation_of,
    exponential_excess,
    paper_excess,
)
from shared_draws import Subset, with_subset_size
from shared_refusals import refuses

SampleOf: TypeAlias = Sample[Hashable]

HALF = Fraction(1, 2)


def expected_excess(errors: list[int], decay: Fraction) -> Fraction:
    """E[k] - min k under weights decay**k."""
    weights = [decay**k for k in errors]
    mean = sum((k * w for k, w in zip(errors, weights, strict=True)), Fraction(0)) / sum(weights)
    return mean - min(errors)


@given(st.integers(2, 10**40), st.fractions("1/100", "99/100"), st.sampled_from([2, 64, 200]))
def test_the_sharp_bound_is_a_value_of_lamberts_function(
    candidates: int, decay: Fraction, bits: int
) -> None:
    """The number w with w e**(1+w) = N - 1 is enclosed: both ends are tried in the equation."""
    bound = exponential_excess(candidates, decay, bits)
    # The decay enters as a factor 1/ln(1/rho) only, which is divided out at a higher precision.
    low = Interval.exactly(bound.lower) * Interval.log(1 / decay, bits + 64)
    high = Interval.exactly(bound.upper) * Interval.log(1 / decay, bits + 64)
    assert (low * Interval.exp(1 + low, bits + 64)).lower <= candidates - 1
    assert (high * Interval.exp(1 + high, bits + 64)).upper >= candidates - 1
    assert bound.width <= bound.upper * Fraction(16, 2**bits)
    if bits >= 64 and candidates > 2:
        assert bound < paper_excess(candidates, decay, bits)


@pytest.mark.parametrize("decay", [HALF, Fraction(4, 5), Fraction(19, 20)])
def test_no_errors_exceed_the_bounds(decay: Fraction) -> None:
    """All errors of up to five candidates; only differences count, so the least is 0."""
    for candidates in range(1, 6):
        bound = exponential_excess(candidates, decay)
        for rest in combinations_with_replacement(range(7), candidates - 1):
            assert expected_excess([0, *rest], decay) <= bound.upper
        assert bound <= paper_excess(candidates, decay).upper


@pytest.mark.parametrize("candidates", [2, 3, 10, 1000])
def test_the_sharp_bound_is_approached(candidates: int) -> None:
    """All but one candidate make k errors more, k the integer next to (1 + w)/ln(1/rho).

    For rho near 1 the rounding of k matters less and less.
    """
    decay = Fraction(999, 1000)
    bound = exponential_excess(candidates, decay)
    best = bound.upper + 1 / Interval.log(1 / decay).lower
    attained = max(
        k * (candidates - 1) * decay**k / (1 + (candidates - 1) * decay**k)
        for k in (math.floor(best), math.ceil(best))
    )
    assert bound.lower * (1 - Fraction(1, 10**6)) < attained <= bound.upper


def test_the_sharp_bound_improves_the_one_of_the_paper() -> None:
    """ln 2 = 0.693147 and W(1/e) = 0.278465; ln 10 = 2.302585 and W(9/e) = 1.101010."""
    for candidates, paper, sharp in ((2, "0.693147", "0.278465"), (10, "2.302585", "1.101003")):
        per_error = Interval.log(2)
        assert abs(float(paper_excess(candidates, HALF) * per_error) - float(paper)) < 1e-6
        assert abs(float(exponential_excess(candidates, HALF) * per_error) - float(sharp)) < 1e-6
    assert exponential_excess(1, HALF) == Interval.exactly(0)


@pytest.mark.parametrize("bound", [exponential_excess, paper_excess])
def test_bad_parameters_of_the_bounds(bound: Callable[[int, Fraction], Interval]) -> None:
    refuses(r"^candidates: got 0, want .* at least 1", bound, 0, HALF)
    for decay in (Fraction(1), Fraction(0), Fraction(3, 2)):
        refuses("decay: ", bound, 3, decay)


# As floats: what is summed of it is compared up to rounding.
MOST_LOST = {
    decay: [0.0] + [float(exponential_excess(size, decay)) for size in range(1, 12)]
    for decay in (HALF, Fraction(4, 5))
}


INSTANCES = with_subset_size(
    testing.strategies.classes_with_samples(
        st.sampled_from(
            [classes.thresholds(4), classes.cube(3), classes.singletons(4), classes.intervals(4)]
        ),
        max_size=7,
    )
)


@given(INSTANCES, st.sampled_from(sorted(MOST_LOST)), st.integers(0, 5))
def test_the_excess_of_the_learner_and_its_parts(
    chosen: Callable[[FiniteClass, int], Family], instance: Subset, decay: Fraction, seed: int
) -> None:
    """Both sides of Lemma 13, sharpened, from the definitions: an average over index sets."""
    finite, sample, size = instance
    n = len(sample)
    best = min(sample.loss(h) for h in finite)
    for H in (finite, chosen(finite, seed)):
        losses, least, lost = Fraction(0), Fraction(0), 0.0
        subsets = list(combinations(sample.points, size))
        for points in subsets:
            errors = [sample.count_errors(h) for h in H.representatives_on(points)]
            losses += (expected_excess(errors, decay) + min(errors)) / n
            least += Fraction(min(errors), n)
            lost += MOST_LOST[decay][len(errors)] / n
        found = approximation_of(StableLearner(H, size, Epsilon.exactly(decay**-2)), sample)
        assert found.excess == losses / len(subsets) - best
        assert found.from_subset == least / len(subsets) - best
        assert abs(float(found.from_mechanism) - lost / len(subsets)) < 1e-9
        assert 0 <= found.from_subset <= found.excess <= found.bound.upper


def net_failure(H: FiniteClass, sample: SampleOf, size: int, alpha: Fraction) -> Fraction:
    """The fraction of the index sets whose points are no alpha-net for the uniform index."""
    points = sorted(set(sample.points), key=repr)
    copies = [sample.points.count(point) for point in points]
    weights = [sample.points.count(point) for point in H.domain]
    failing = 0
    for taken in product(*(range(count + 1) for count in copies)):
        if sum(taken) == size:
            hit = [point for point, count in zip(points, taken, strict=True) if count]
            if not dimensions.is_alpha_net(H, hit, alpha, weights):
                failing += math.prod(map(math.comb, copies, taken))
    return Fraction(failing, math.comb(len(sample), size))


@pytest.mark.parametrize("noise", [0, 1, 3])
@pytest.mark.parametrize(("H", "copies", "size", "alpha"), [
    (classes.thresholds(4), (10, 10, 10, 10), 16, Fraction(1, 10)),
    (classes.thresholds(5), (12, 3, 5, 12, 8), 20, Fraction(1, 10)),
    (classes.cube(3), (20, 20, 20), 20, Fraction(1, 10)),
    (classes.singletons(4), (15, 5, 5, 15), 20, Fraction(1, 8)),
    (classes.intervals(4), (30, 30, 30, 30), 16, Fraction(1, 12)),
])  # fmt: skip
def test_lemma_13_as_it_stands(
    chosen: Callable[[FiniteClass, int], Family],
    *,
    H: FiniteClass,
    copies: tuple[int, ...],
    size: int,
    alpha: Fraction,
    noise: int,
) -> None:
    """Its three conditions hold, the first with the exact failure of nets, and so does 3 alpha."""
    gamma = Fraction(49, 50)
    # The first labelling but one, with some labels of each point changed.
    target = H[1]
    points = [x for x, count in zip(H.domain, copies, strict=True) for _ in range(count)]
    labels = [target(x) for x in points]
    for index in range(0, len(points), 5):
        labels[index : index + noise] = [1 - y for y in labels[index : index + noise]]
    sample: SampleOf = Sample(points, labels)
    n = len(sample)
    assert net_failure(H, sample, size, alpha) <= alpha
    assert 2 * Interval.log(len(H)) / (gamma * alpha) <= n
    assert n >= size / gamma
    best = min(sample.loss(h) for h in H)
    for family in (H, chosen(H, 2)):
        learner = StableLearner(family, size, gamma)
        found = approximation_of(learner, sample)
        assert found.excess == learner.law(sample).expectation(sample.loss) - best
        assert found.from_subset <= 2 * alpha
        assert found.from_mechanism <= alpha
        assert found.excess <= 3 * alpha < 1
        assert learner.stability(n) <= 3 * gamma


def test_the_three_alpha_are_not_free() -> None:
    """Where no subset is a net, the excess is larger, and comes from the subset.

    Half of 200 examples are at point 3 and have label 1, the others are at point 0 and have label
    0. One index is drawn. At point 3 the candidates are {3}, which is right, and the empty set; at
    point 0, {0} and the empty set, and half of the examples are lost.
    """
    sample: SampleOf = Sample([3] * 100 + [0] * 100, [1] * 100 + [0] * 100)
    H = FiniteClass([[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    alpha = Fraction(1, 20)
    assert 2 * Interval.log(len(H)) / alpha <= 200
    assert net_failure(H, sample, 1, alpha) == 1
    found = approximation_of(StableLearner(H, 1, Fraction(49, 50)), sample)
    assert found.from_subset == HALF * HALF
    assert found.excess > HALF * HALF > 3 * alpha


def test_undecaying_weights_have_no_such_bound() -> None:
    learner = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(1))
    refuses("decay: ", approximation_of, learner, Sample([0], [1]))
