"""Accuracy against sums over all samples, and its bounds against many distributions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Interval, InvalidInput, testing
from pac_stability.data import Example, FiniteDistribution, all_examples
from pac_stability.notions import accuracy, covering, losses
from pac_stability.notions.by_type import learner_laws_by_type
from shared_learners import UNIVERSE, Learner, Row, Source, differs, laws_of, learners, risk
from shared_refusals import refuses

HALF = Fraction(1, 2)
ROWS: tuple[Row, ...] = ((0, 0), (0, 1), (1, 1))
alphas = st.sampled_from([Fraction(k, 12) for k in range(13)])


# It may return what is not in ROWS.
LEARNERS = learners(UNIVERSE, (*ROWS, (1, 0)))


def failure(
    drawn: Learner, source: Source, alpha: Fraction, rivals: Sequence[Row] | None
) -> Fraction:
    """Pr[err(h) > OPT + alpha], sequence by sequence."""
    n, learner = drawn
    best = min(risk(row, source) for row in rivals) if rivals else Fraction(0)
    total = Fraction(0)
    for z in product(source.support, repeat=n):
        weight = Fraction(1)
        for example in z:
            weight *= source.probability(example)
        for row, p in learner.law(z).items():
            if risk(row, source) > best + alpha:
                total += weight * p
    return total


@settings(max_examples=60)
@given(LEARNERS, testing.strategies.weighted(UNIVERSE, 3), alphas, st.sampled_from([None, ROWS]))
def test_minimal_beta_is_the_failure_probability(
    drawn: Learner, source: Source, alpha: Fraction, rivals: Sequence[Row] | None
) -> None:
    laws = laws_of(drawn, UNIVERSE)
    beta = accuracy.minimal_beta(laws, source, alpha, hypotheses=rivals, errs=differs)
    assert beta == failure(drawn, source, alpha, rivals)


@settings(max_examples=60)
@given(LEARNERS, testing.strategies.weighted(UNIVERSE, 3), alphas, st.sampled_from([None, ROWS]))
def test_minimal_alpha_is_the_smallest_that_fails_seldom_enough(
    drawn: Learner, source: Source, beta: Fraction, rivals: Sequence[Row] | None
) -> None:
    laws = laws_of(drawn, UNIVERSE)
    alpha = accuracy.minimal_alpha(laws, source, beta, hypotheses=rivals, errs=differs)
    assert failure(drawn, source, alpha, rivals) <= beta
    if alpha > 0:
        # Errors are multiples of one over the common denominator, at most 12 in all.
        assert failure(drawn, source, alpha - Fraction(1, 10**6), rivals) > beta


@settings(max_examples=30)
@given(LEARNERS, alphas, st.sampled_from([None, ROWS]), st.data())
def test_grid_bounds_hold_for_distributions_off_the_grid(
    drawn: Learner, parameter: Fraction, rivals: Sequence[Row] | None, data: st.DataObject
) -> None:
    laws = laws_of(drawn, UNIVERSE)
    source = data.draw(testing.strategies.weighted(UNIVERSE, 3))
    betas = accuracy.beta_over_grid(laws, parameter, 2, hypotheses=rivals, errs=differs)
    assert failure(drawn, source, parameter, rivals) <= betas.upper <= 1
    assert failure(drawn, betas.attained_by, parameter, rivals) == betas.lower
    smallest = accuracy.minimal_alpha(laws, source, parameter, hypotheses=rivals, errs=differs)
    found = accuracy.alpha_over_grid(laws, parameter, 2, hypotheses=rivals, errs=differs)
    assert smallest <= found.upper <= 1
    assert found.lower == max(
        accuracy.minimal_alpha(laws, point, parameter, hypotheses=rivals, errs=differs)
        for point in covering.grid(UNIVERSE, 2)
    )


def test_grid_bounds_by_hand() -> None:
    # A learner that always says 0 for the one point has err = p, the probability of label 1, and
    # OPT = min(p, 1 - p). So err > OPT + 1/2 when 2p - 1 > 1/2, that is p > 3/4.
    laws = learner_laws_by_type(
        lambda _: FiniteDistribution.point_mass(0), all_examples("x"), 1, symmetric=True
    )

    def wrong(label: int, z: Example[str]) -> bool:
        return label != z.label

    bounds = accuracy.beta_over_grid(laws, HALF, 4, hypotheses=(0, 1), errs=wrong)
    assert bounds.lower == bounds.upper == 1  # attained by p = 1
    # 1 is exceeded nowhere, but relaxed by 2/8 it is at p = 1.
    bounds = accuracy.beta_over_grid(laws, Fraction(1), 4, hypotheses=(0, 1), errs=wrong)
    assert (bounds.lower, bounds.upper) == (Fraction(0), Fraction(1))
    alphas = accuracy.alpha_over_grid(laws, Fraction(0), 4, hypotheses=(0, 1), errs=wrong)
    assert alphas.lower == alphas.upper == 1


def test_the_best_error_moves_against_the_learner() -> None:
    # One draw from one point of two labels; the learner repeats the label it saw. With probability
    # p >= 1/2 of label 1 it is wrong to say 0, by 2p - 1, and it does with probability 1 - p. So
    # an excess above 3/10 has probability at most 7/20, approached at p = 13/20. On the grid of
    # multiples of 1/2 there is no excess: the upper bound must come from relaxing 3/10 by 2/4.
    laws = learner_laws_by_type(
        lambda sample: FiniteDistribution.point_mass(sample.labels[0]), all_examples("x"), 1
    )
    alpha = Fraction(3, 10)

    def wrong(label: int, z: Example[str]) -> bool:
        return label != z.label

    exact = accuracy.beta_over_two_points(laws, alpha, hypotheses=(0, 1), errs=wrong)
    assert exact.value == Fraction(7, 20)
    bounds = accuracy.beta_over_grid(laws, alpha, 2, hypotheses=(0, 1), errs=wrong)
    assert (bounds.lower, bounds.upper) == (Fraction(0), Fraction(1))
    # Without rivals the error itself, 1 - p or p, is above 3/10 surely at p = 1/2.
    alone = accuracy.beta_over_grid(laws, alpha, 2, errs=wrong)
    assert alone.lower == 1


@settings(max_examples=30)
@given(st.data(), alphas, st.sampled_from([None, ROWS]))
def test_two_points_against_dense_evaluation(
    data: st.DataObject, alpha: Fraction, rivals: Sequence[Row] | None
) -> None:
    universe = data.draw(st.sampled_from([(UNIVERSE[0], UNIVERSE[1]), (UNIVERSE[0], UNIVERSE[3])]))
    drawn = data.draw(learners(universe, (*ROWS, (1, 0))))
    laws = laws_of(drawn, universe)
    exact = accuracy.beta_over_two_points(laws, alpha, hypotheses=rivals, errs=differs).value
    low, high = (exact.lower, exact.upper) if isinstance(exact, Interval) else (exact, exact)
    steps, tiny = 48, Fraction(1, 10**9)  # all crossings are multiples of 1/48
    seen = max(
        failure(drawn, FiniteDistribution({universe[0]: 1 - p, universe[1]: p}), alpha, rivals)
        for k in range(steps + 1)
        for p in (Fraction(k, steps) - tiny, Fraction(k, steps), Fraction(k, steps) + tiny)
        if 0 <= p <= 1
    )
    assert seen <= high
    assert low <= seen + drawn[0] * (Fraction(1, 2 * steps) + tiny)


def test_hypotheses_may_be_functions_or_mappings() -> None:
    laws = learner_laws_by_type(lambda _: FiniteDistribution.point_mass(min), all_examples("a"), 1)
    source = FiniteDistribution({Example("a", 0): Fraction(1, 3), Example("a", 1): Fraction(2, 3)})
    refuses("hypothesis: got 'a', want a label, 0 or 1", accuracy.minimal_beta, laws, source, HALF)

    def zero(_: str) -> int:
        return 0

    always = learner_laws_by_type(
        lambda _: FiniteDistribution.point_mass(zero), all_examples("a"), 1
    )
    assert accuracy.minimal_alpha(always, source, Fraction(0)) == Fraction(2, 3)
    assert accuracy.minimal_alpha(always, source, Fraction(1)) == 0
    assert losses.error({"a": 1}, source) == Fraction(1, 3)
    assert losses.optimal_error([{"a": 1}, {"a": 0}], source) == Fraction(1, 3)
    assert losses.is_wrong({"a": 1}, Example("a", 0))
    assert not losses.is_wrong(zero, Example("a", 0))


def test_labelled_points_have_the_labels_of_the_target() -> None:
    assert losses.labelled([3, 5], lambda x: int(x == 5)) == (Example(3, 0), Example(5, 1))
    refuses("points: got 3 twice", losses.labelled, [3, 3], {3: 1})
    refuses("hypothesis: got no label for the point 5", losses.labelled, [3, 5], {3: 1})


def test_bad_input_is_refused() -> None:
    source = FiniteDistribution.uniform(UNIVERSE)
    laws = learner_laws_by_type(
        lambda _: FiniteDistribution.point_mass((0, 0)), UNIVERSE, 1, symmetric=True
    )
    with pytest.raises(InvalidInput, match="alpha: got 2, want an exact number from 0 to 1"):
        accuracy.minimal_beta(laws, source, Fraction(2), errs=differs)
    with pytest.raises(InvalidInput, match="beta: got -1, want an exact number from 0 to 1"):
        accuracy.minimal_alpha(laws, source, Fraction(-1), errs=differs)
    with pytest.raises(InvalidInput, match="hypotheses: got none"):
        accuracy.minimal_beta(laws, source, HALF, hypotheses=[], errs=differs)
    refuses("hypotheses: got none", losses.optimal_error, [], source)
    refuses(r"hypothesis: got \(0, 0\), want a function", accuracy.minimal_beta, laws, source, HALF)
    with pytest.raises(InvalidInput, match="laws: got a universe of 4 elements"):
        accuracy.beta_over_two_points(laws, HALF, errs=differs)


def test_the_law_of_the_excess_by_hand() -> None:
    """Whoever answers 1 where a 1 was seen errs on b, half of D, when both draws are a: 1/4."""
    examples = losses.labelled("ab", {"a": 0, "b": 1})
    laws = learner_laws_by_type(
        lambda S: FiniteDistribution.point_mass(frozenset(z.point for z in S if z.label)),
        examples,
        2,
    )
    for rivals, best in ((None, Fraction(0)), ((frozenset[str](),), HALF)):
        law = accuracy.excess_law(
            laws,
            FiniteDistribution.uniform(examples),
            hypotheses=rivals,
            errs=lambda h, z: (z.point in h) != z.label,
        )
        assert law == FiniteDistribution({HALF - best: Fraction(1, 4), -best: Fraction(3, 4)})
