"""Suprema over all distributions on two elements, against what is computed for single ones."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, Epsilon, Interval, InvalidInput
from pac_stability.data import FiniteDistribution, FromLaw, Multiset, Sample, all_examples
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.two_point import Extremum
from pac_stability.notions.two_point_generalization import (
    beta_over_two_points,
    failure_over_two_points,
)
from pac_stability.testing import strategies
from shared_laws import coin, ends, silent
from shared_refusals import refuses

Bits = tuple[int, ...]
Law = FiniteDistribution[int]

HALF = Fraction(1, 2)
TINY = Fraction(1, 10**9)
POWER = FiniteDistribution[int].power

# The order of a sample matters.
MECHANISMS = strategies.mechanisms_on_datasets([0, 1], strategies.weighted(range(3), 4), max_size=4)
Drawn = tuple[int, FromLaw[Bits, int]]


# --- Robust generalization ------------------------------------------------------------------------


@settings(max_examples=25)
@given(MECHANISMS, strategies.probabilities(8), strategies.probabilities(20))
def test_no_mechanism_and_no_distribution_fails_more(
    drawn: Drawn, epsilon: Fraction, p: Fraction
) -> None:
    n, mechanism = drawn
    most = ends(failure_over_two_points(n, epsilon).value)[1]
    for shifted in (p - TINY, p, p + TINY):
        if 0 <= shifted <= 1:
            samples = coin(shifted).power(n)
            failure = optimal_adversary(mechanism.law, samples, epsilon).failure
            assert failure <= most
            assert failure == optimal_adversary(silent, samples, epsilon).failure


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("epsilon", ["0", "1/10", "1/4", "1/3", "1/2", "3/5", "1"])
def test_the_largest_failure_is_attained_or_approached(n: int, epsilon: str) -> None:
    answer = failure_over_two_points(n, epsilon)
    low, high = ends(answer.value)
    assert high - low <= Fraction(1, 1 << 64)
    at = ends(answer.p)[0]
    beside = [p for p in (at - TINY, at, at + TINY) if 0 <= p <= 1]
    seen = [optimal_adversary(silent, coin(p).power(n), epsilon).failure for p in beside]
    # Between two jumps J is the probability of an event, and n bounds its derivative.
    assert max(seen) <= high
    assert low <= max(seen) + n * TINY


def test_one_draw_fails_up_to_a_limit_that_is_not_attained() -> None:
    # For epsilon >= 1/2 the draw 1 fails at p < 1 - epsilon, with probability p, and the draw 0 at
    # p > epsilon, with probability 1 - p. For less, both fail at p = 1/2.
    for epsilon in (HALF, Fraction(2, 3), Fraction(9, 10)):
        answer = failure_over_two_points(1, epsilon)
        assert answer.value == 1 - epsilon
        assert answer.p in (epsilon, 1 - epsilon)
        there = coin(epsilon).power(1)
        assert optimal_adversary(silent, there, epsilon).failure == 0
    assert failure_over_two_points(1, "0.49").value == 1
    assert failure_over_two_points(1, 1).value == 0


# --- Perfect generalization -----------------------------------------------------------------------


@settings(max_examples=30)
@given(
    st.integers(1, 4).flatmap(
        lambda outcomes: strategies.mechanisms_on_datasets(
            [0, 1], strategies.weighted(range(outcomes), 4), max_size=3
        )
    ),
    st.sampled_from([Fraction(1), Fraction(5, 4), Fraction(2)]),
    st.sampled_from(["0", "1/10", "1/3", "1/2"]),
)
def test_the_largest_beta_against_dense_evaluation(drawn: Drawn, t: Fraction, delta: str) -> None:
    (n, mechanism), epsilon = drawn, Epsilon.exactly(t)
    law = mechanism.law
    answer = beta_over_two_points(law, [0, 1], n, epsilon, delta, samples=POWER)
    low, high = ends(answer.value)

    def beta(p: Fraction) -> Fraction:
        found = minimal_beta(law, coin(p).power(n), epsilon, delta, max_steps=10**6)
        assert found.exact
        return Fraction(found.upper)

    steps = 12
    seen = max(beta(Fraction(k, steps)) for k in range(steps + 1))
    assert seen <= high
    # The weight of a set of sequences has a derivative of at most n.
    assert low <= seen + Fraction(n, 2 * steps)
    at, beyond = ends(answer.p)
    assert low - n * (beyond - at) <= beta(at) <= high


@settings(max_examples=15)
@given(
    strategies.mechanisms_on_datasets(
        "ab", strategies.weighted(range(3), 4), max_size=4, symmetric=True
    ),
    st.sampled_from(["0", "1/5"]),
)
def test_multisets_do_for_a_mechanism_that_ignores_the_order(
    drawn: tuple[int, FromLaw[tuple[str, ...], int]], delta: str
) -> None:
    n, mechanism = drawn

    def by_type(letters: Multiset[str]) -> Law:
        return mechanism.law(letters.elements())

    epsilon = Epsilon.exactly(Fraction(3, 2))
    short = beta_over_two_points(by_type, "ab", n, epsilon, delta)
    long = beta_over_two_points(
        mechanism.law, "ab", n, epsilon, delta, samples=FiniteDistribution[str].power
    )
    assert short == long
    # The other element may come second.
    mirrored = beta_over_two_points(by_type, "ba", n, epsilon, delta).value
    assert max(ends(mirrored)[0], ends(short.value)[0]) <= min(
        ends(mirrored)[1], ends(short.value)[1]
    )


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("delta", ["0", "1/3"])
def test_one_strange_sequence(n: int, delta: str) -> None:
    """The output is "strange" on one ordered sample, with a ones first and b = n - a zeros.

    It has probability p^a (1 - p)^b, with derivative zero at p = a/n: at most (a/n)^a (b/n)^b,
    which is 4/27, 108/3125, 6912/823543 for n = 3, 5, 7 where Theorem 38 has 2^-n. No law is close
    to both outputs.
    """
    a = n // 2
    strange = (1,) * a + (0,) * (n - a)
    expected = {2: "1/4", 3: "4/27", 4: "1/16", 5: "108/3125", 7: "6912/823543"}[n]
    answer = beta_over_two_points(
        lambda bits: FiniteDistribution.point_mass(bits == strange),
        [0, 1],
        n,
        Epsilon(1),
        delta,
        samples=POWER,
    )
    assert answer == Extremum(Fraction(expected), Fraction(a, n))


@pytest.mark.parametrize("n", [1, 3, 4, 6])
def test_the_majority_has_no_simulator(n: int) -> None:
    """Lemma 37. Somewhere both answers have probability 1/2: at p = 1/2 if n is odd."""

    def majority(bits: Multiset[int]) -> FiniteDistribution[bool]:
        return FiniteDistribution.point_mass(2 * bits.count(1) > n)

    answer = beta_over_two_points(majority, [0, 1], n, Epsilon(5), "0.49")
    assert answer.value == HALF
    if n % 2:
        assert answer.p == HALF
    else:
        # More than half of an even number of bits are 1s less often than not when p = 1/2.
        assert isinstance(answer.p, Interval)
        assert HALF < answer.p.lower < answer.p.upper < HALF + Fraction(1, n)
    assert beta_over_two_points(majority, [0, 1], n, Epsilon(0), HALF).value == 0


def test_three_outputs_of_which_one_or_two_can_be_simulated() -> None:
    # The counts 0, 1, 2 have probabilities (1-p)^2, 2p(1-p), p^2. The largest of them is least at
    # p = 1/3, 4/9; the smallest is largest at p = 1/2, 1/4.
    def count(bits: Multiset[int]) -> Law:
        return FiniteDistribution.point_mass(bits.count(1))

    one = beta_over_two_points(count, [0, 1], 2, Epsilon(1))
    assert one.value == Fraction(5, 9)
    assert one.p in (Fraction(1, 3), Fraction(2, 3))
    assert beta_over_two_points(count, [0, 1], 2, Epsilon(1), HALF) == Extremum(
        Fraction(1, 4), HALF
    )
    assert beta_over_two_points(count, [0, 1], 2, Epsilon(1), "2/3").value == 0


def test_the_average_over_orderings_is_not_enough() -> None:
    # The first of two bits: on average over orderings of {0, 1} it is a fair coin, of which the
    # law is close to both others at delta = 1/2; but each sequence shows its first bit.
    def first(bits: Bits) -> Law:
        return FiniteDistribution.point_mass(bits[0])

    def average(bits: Multiset[int]) -> Law:
        return coin(Fraction(bits.count(1), 2))

    assert beta_over_two_points(first, [0, 1], 2, Epsilon(0), samples=POWER) == Extremum(HALF, HALF)
    assert beta_over_two_points(average, [0, 1], 2, Epsilon(0)).value == Fraction(5, 9)


def test_learners_with_labelled_samples() -> None:
    def law(sample: Sample[str]) -> FiniteDistribution[bool]:
        return FiniteDistribution.point_mass(tuple(sample.labels) == (1, 0, 0))

    answer = beta_over_two_points(
        law,
        all_examples("a"),
        3,
        Epsilon(1),
        samples=lambda source, n: source.power(n).map(Sample.from_examples),
    )
    assert answer == Extremum(Fraction(4, 27), Fraction(1, 3))


def test_an_irrational_beta_is_enclosed_as_narrowly_as_asked() -> None:
    # p (1-p)^2 + 2 p^2 (1-p) = p - p^3 is the probability of one sequence with a single 1 and two
    # with two; it is largest at 1/sqrt 3, and its square there is 4/27.
    strange = {(1, 0, 0), (1, 1, 0), (0, 1, 1)}
    for bits in (20, 64, 200):
        answer = beta_over_two_points(
            lambda z: FiniteDistribution.point_mass(z in strange),
            [0, 1],
            3,
            Epsilon(1),
            samples=POWER,
            width=Fraction(1, 1 << bits),
        )
        assert isinstance(answer.value, Interval)
        assert answer.value.lower**2 < Fraction(4, 27) < answer.value.upper**2
        assert answer.value.width <= Fraction(1, 1 << bits)


# --- Perfect generalization is robust -------------------------------------------------------------


def lemma_36(n: int, factor: Fraction, share: Fraction | Interval) -> Interval:
    """Half the alpha of Lemma 36, for share = beta + delta: sqrt(ln(2(2 eps + 1)/share) / (2n)).

    Given the simulator, a test is fixed before the sample, and deviates by more than this with
    probability at most share/(2 eps + 1) (Hoeffding). With the sample's own law that is up to
    e^eps <= 1 + 2 eps times as much, and another share where the laws are not close.
    """
    epsilon = Interval.log(factor)
    return Interval.sqrt(Interval.log(2 * (2 * epsilon + 1) / share) / (2 * n))


def check_lemma_36(
    n: int,
    factor: Fraction,
    beta: Fraction | Interval,
    delta: Fraction,
    failure: Callable[[Fraction], Fraction | Interval],
) -> None:
    share = beta + delta if ends(beta)[1] + delta else Fraction(1, 100)
    alpha = lemma_36(n, factor, share)
    # J does not increase: at the lower end it is no less than at the number meant.
    assert ends(failure(alpha.lower))[1] <= 2 * ends(share)[0]


def steady(bits: Multiset[int]) -> Law:
    """Randomized response on the majority, close to a coin."""
    return coin(Fraction(2, 5) + Fraction(int(2 * bits.count(1) > len(bits)), 5))


@pytest.mark.parametrize("n", [6, 14])
@pytest.mark.parametrize("delta", ["0", "1/50", "1/10"])
@pytest.mark.parametrize("factor", ["11/10", "5/4", "2"])
def test_lemma_36_for_all_distributions(n: int, delta: str, factor: str) -> None:
    t, d = Fraction(factor), Fraction(delta)
    beta = beta_over_two_points(steady, [0, 1], n, Epsilon.exactly(t), d).value
    check_lemma_36(n, t, beta, d, lambda alpha: failure_over_two_points(n, alpha).value)


@settings(max_examples=15)
@given(
    strategies.tables(product([0, 1], repeat=5), strategies.weighted(range(2), 4)),
    st.sampled_from([Fraction(6, 5), Fraction(2), Fraction(5, 2)]),
    st.sampled_from([Fraction(0), Fraction(1, 20)]),
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
)
def test_lemma_36_for_random_mechanisms(
    law: Callable[[Bits], Law], factor: Fraction, delta: Fraction, p: Fraction
) -> None:
    n = 5
    samples = coin(p).power(n)
    beta = Fraction(minimal_beta(law, samples, Epsilon.exactly(factor), delta).upper)
    if not beta < 1:
        return
    check_lemma_36(
        n, factor, beta, delta, lambda alpha: optimal_adversary(law, samples, alpha).failure
    )


# --- Bad input ------------------------------------------------------------------------------------


def test_bad_input_is_refused_by_name() -> None:
    refuses("n: got 0", failure_over_two_points, 0, "1/4")
    refuses("epsilon: got -1/4", failure_over_two_points, 2, "-1/4")
    with pytest.raises(InvalidInput, match="universe: got 3 elements, want two elements"):
        beta_over_two_points(silent, "abc", 2, Epsilon(1))
    refuses("universe: got 'a' twice", beta_over_two_points, silent, "aa", 2, Epsilon(1))
    refuses("n: got 0", beta_over_two_points, silent, "ab", 0, Epsilon(1))
    refuses("delta: got 2", beta_over_two_points, silent, "ab", 2, Epsilon(1), 2)
    with pytest.raises(InvalidInput, match="epsilon: got a value of type int"):
        beta_over_two_points(silent, "ab", 2, 1)  # type: ignore[arg-type]  # what is refused
    refuses("width: got 0", beta_over_two_points, silent, "ab", 2, Epsilon(1), width=Fraction(0))


def test_a_budget_that_is_too_small_is_named() -> None:
    def law(bits: Bits) -> Law:  # seven different ones
        k = min(bits[0] + 2 * bits[1] + 4 * bits[2], 6)
        return FiniteDistribution({y: Fraction(w, 16) for y, w in enumerate((k + 1, 8 - k, 7))})

    with pytest.raises(BudgetExhausted, match=r"7 distinct laws .* more than 3 steps"):
        beta_over_two_points(law, [0, 1], 3, Epsilon(1), "1/10", samples=POWER, max_steps=3)
