"""Traditional generalization against sums over all samples."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Interval, InvalidInput, testing
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples
from pac_stability.notions import covering, generalization
from pac_stability.notions.by_type import learner_laws_by_type
from shared_learners import UNIVERSE, Learner, Row, Source, differs, laws_of, learners, risk
from shared_refusals import refuses

ZERO = Fraction(0)
HALF = Fraction(1, 2)
ROWS: tuple[Row, ...] = ((0, 0), (0, 1), (1, 0), (1, 1))
parameters = st.sampled_from([Fraction(k, 12) for k in range(13)])


def gaps(drawn: Learner, source: Source) -> list[tuple[Fraction, Fraction]]:
    """All pairs (|err(h) - err(S, h)|, probability), sample by sample."""
    n, learner = drawn
    found = []
    for z in product(source.support, repeat=n):
        weight = Fraction(1)
        for example in z:
            weight *= source.probability(example)
        for row, p in learner.law(z).items():
            on_sample = Fraction(sum(row[e.point] != e.label for e in z), n)
            found.append((abs(risk(row, source) - on_sample), weight * p))
    return found


def beyond(drawn: Learner, source: Source, alpha: Fraction) -> Fraction:
    return sum((p for gap, p in gaps(drawn, source) if gap > alpha), ZERO)


@settings(max_examples=60)
@given(learners(UNIVERSE, ROWS), testing.strategies.weighted(UNIVERSE, 3), parameters)
def test_parameters_on_one_distribution(
    drawn: Learner, source: Source, parameter: Fraction
) -> None:
    laws = laws_of(drawn, UNIVERSE)
    found = gaps(drawn, source)
    beta = generalization.minimal_beta(laws, source, parameter, errs=differs)
    assert beta == beyond(drawn, source, parameter)
    at_least = generalization.overfitting_probability(laws, source, parameter, errs=differs)
    assert at_least == sum(p for gap, p in found if gap >= parameter)
    alpha = generalization.minimal_alpha(laws, source, parameter, errs=differs)
    tails = {a: sum(p for gap, p in found if gap > a) for a in {gap for gap, _ in found} | {ZERO}}
    assert alpha == min(a for a, tail in tails.items() if tail <= parameter)


@settings(max_examples=30)
@given(learners(UNIVERSE, ROWS), parameters, st.data())
def test_grid_bounds_hold_for_distributions_off_the_grid(
    drawn: Learner, parameter: Fraction, data: st.DataObject
) -> None:
    laws = laws_of(drawn, UNIVERSE)
    source = data.draw(testing.strategies.weighted(UNIVERSE, 3))
    betas = generalization.beta_over_grid(laws, parameter, 2, errs=differs)
    assert beyond(drawn, source, parameter) <= betas.upper <= 1
    assert betas.lower == max(
        beyond(drawn, point, parameter) for point in covering.grid(UNIVERSE, 2)
    )
    found = generalization.alpha_over_grid(laws, parameter, 2, errs=differs)
    assert generalization.minimal_alpha(laws, source, parameter, errs=differs) <= found.upper <= 1
    assert found.lower == max(
        generalization.minimal_alpha(laws, point, parameter, errs=differs)
        for point in covering.grid(UNIVERSE, 2)
    )


def test_grid_bounds_by_hand() -> None:
    # Always 0 on one point; p is the probability of label 1, and the sample has k ones of 2. The
    # difference |p - k/2| is above 3/4 only for k = 2 and p < 1/4 (probability p^2), or mirrored.
    laws = learner_laws_by_type(
        lambda _: FiniteDistribution.point_mass(0), all_examples("x"), 2, symmetric=True
    )

    def wrong(label: int, z: Example[str]) -> bool:
        return label != z.label

    bounds = generalization.beta_over_grid(laws, Fraction(3, 4), 8, errs=wrong)
    # On the grid p = 1/8 attains (1/8)^2. Relaxed by the mesh 1/16 the difference must be above
    # 11/16: p < 5/16 allows p = 2/8, with (1/4)^2. The slack is 1 - (15/16)^2 = 31/256.
    assert (bounds.lower, bounds.upper) == (Fraction(1, 64), Fraction(16 + 31, 256))
    exact = generalization.beta_over_two_points(laws, Fraction(3, 4), errs=wrong)
    assert exact.value == Fraction(1, 16)  # approached from below p = 1/4
    assert exact.p in (Fraction(1, 4), Fraction(3, 4))
    # Except with probability 1/16 + 31/256 the difference is at most alpha: left is 1/16, and on
    # the grid p = 1/4 needs alpha = 1/2 or 1/4; p = 3/8 has k = 2 with (3/8)^2 > 1/16 at 5/8.
    found = generalization.alpha_over_grid(laws, Fraction(16 + 31, 256), 8, errs=wrong)
    assert found.upper == Fraction(5, 8) + Fraction(1, 16)


@settings(max_examples=30)
@given(st.sampled_from([(0, 1), (0, 3)]), st.data(), parameters)
def test_two_points_against_dense_evaluation(
    places: tuple[int, int], data: st.DataObject, alpha: Fraction
) -> None:
    universe = tuple(UNIVERSE[place] for place in places)
    drawn = data.draw(learners(universe, ROWS, 3))
    exact = generalization.beta_over_two_points(laws_of(drawn, universe), alpha, errs=differs).value
    low, high = (exact.lower, exact.upper) if isinstance(exact, Interval) else (exact, exact)
    steps, tiny = (
        36,
        Fraction(1, 10**9),
    )  # breakpoints k/n +- j/12 with n <= 3 are multiples of 1/12
    seen = max(
        beyond(drawn, FiniteDistribution({universe[0]: 1 - p, universe[1]: p}), alpha)
        for k in range(steps + 1)
        for p in (Fraction(k, steps) - tiny, Fraction(k, steps), Fraction(k, steps) + tiny)
        if 0 <= p <= 1
    )
    assert seen <= high
    assert low <= seen + drawn[0] * (Fraction(1, 2 * steps) + tiny)


def test_more_than_alpha_and_alpha_or_more_are_told_apart() -> None:
    # A memorizing learner with one draw from two points labelled 1: error 1/2 on D, 0 on S, always.
    laws = learner_laws_by_type(
        lambda sample: FiniteDistribution.point_mass(sample.points[0]),
        (Example("a", 1), Example("b", 1)),
        1,
    )
    source = FiniteDistribution.uniform(laws.universe)

    def wrong(kept: str, z: Example[str]) -> bool:
        return (z.point == kept) != z.label

    assert generalization.minimal_beta(laws, source, HALF, errs=wrong) == 0
    assert generalization.overfitting_probability(laws, source, HALF, errs=wrong) == 1
    assert generalization.minimal_alpha(laws, source, Fraction(0), errs=wrong) == HALF


def test_the_empty_sample_has_error_zero() -> None:
    def zero(_: Sample[str]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(0)

    laws = learner_laws_by_type(zero, all_examples("x"), 0)
    source = FiniteDistribution({Example("x", 0): Fraction(2, 3), Example("x", 1): Fraction(1, 3)})
    found = generalization.gap_law(laws, source, errs=lambda label, z: label != z.label)
    assert found == FiniteDistribution.point_mass(Fraction(1, 3))
    with pytest.raises(InvalidInput, match="laws: got samples of size 0"):
        generalization.beta_over_two_points(laws, HALF, errs=lambda label, z: label != z.label)


def test_bad_input_is_refused() -> None:
    source = FiniteDistribution.uniform(UNIVERSE)
    laws = learner_laws_by_type(
        lambda _: FiniteDistribution.point_mass((0, 0)), UNIVERSE, 1, symmetric=True
    )
    with pytest.raises(InvalidInput, match="alpha: got 3/2"):
        generalization.minimal_beta(laws, source, Fraction(3, 2), errs=differs)
    with pytest.raises(InvalidInput, match="alpha: got 3/2"):
        generalization.overfitting_probability(laws, source, Fraction(3, 2), errs=differs)
    refuses("beta: got -1", generalization.minimal_alpha, laws, source, Fraction(-1), errs=differs)
    refuses(r"hypothesis: got \(0, 0\), want a function", generalization.gap_law, laws, source)
    with pytest.raises(InvalidInput, match="laws: got a universe of 4 elements"):
        generalization.beta_over_two_points(laws, HALF, errs=differs)
