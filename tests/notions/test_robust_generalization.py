"""The best adversary, against the definition and against hand-made counterexamples."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, arithmetic, data
from pac_stability.notions import by_type
from pac_stability.notions.robust_generalization import (
    MAX_ELEMENTS,
    conditional_failures,
    for_all_distributions,
    minimal_epsilon,
    optimal_adversary,
    universal_bound,
)
from pac_stability.testing import strategies
from shared_laws import coin, silent
from shared_refusals import refuses

Tuple = tuple[object, ...]
Law = data.FiniteDistribution[object]

BITS = data.FiniteDistribution.uniform([0, 1])
PAIRS = data.FiniteDistribution.uniform(list(product([0, 1], repeat=2)))


def all_tests(elements: Tuple) -> list[Tuple]:
    return list(chain(*(combinations(elements, k) for k in range(len(elements) + 1))))


def deviates(
    sample: Tuple, test: Tuple, distribution: data.FiniteDistribution[object], epsilon: Fraction
) -> bool:
    share = Fraction(sum(z in test for z in sample), len(sample))
    mass = sum((distribution.probability(z) for z in test), Fraction())
    return abs(share - mass) > epsilon


def failure_of(
    law: Callable[[Tuple], Law],
    distribution: data.FiniteDistribution[object],
    n: int,
    epsilon: Fraction,
    adversary: dict[object, Tuple],
) -> Fraction:
    """J, from the definition: a sum over ordered samples and outputs."""
    return sum(
        (
            weight * probability
            for sample, weight in distribution.power(n).items()
            for output, probability in law(sample).items()
            if deviates(sample, adversary[output], distribution, epsilon)
        ),
        Fraction(),
    )


# Laws on some of so many outputs.
TWO, THREE = (strategies.weighted(range(k), 4) for k in (2, 3))
epsilons = st.sampled_from([Fraction(0), Fraction(1, 6), Fraction(1, 4), Fraction(2, 5)])
Drawn = tuple[int, data.FromLaw[Tuple, object]]


@settings(max_examples=20)
@given(
    strategies.mechanisms_on_datasets(range(3), TWO),
    strategies.weighted(range(3), 4, min_weight=1),
    epsilons,
)
def test_no_deterministic_adversary_does_better(
    drawn: Drawn, distribution: data.FiniteDistribution[object], epsilon: Fraction
) -> None:
    """All adversaries, that is, all functions from 2 outputs to the 8 sets of 3 elements."""
    n, mechanism = drawn
    law = mechanism.law
    best = max(
        failure_of(law, distribution, n, epsilon, dict(enumerate(choice)))
        for choice in product(all_tests((0, 1, 2)), repeat=2)
    )
    found = optimal_adversary(law, distribution.power(n), epsilon)
    named: dict[object, Tuple] = {0: (), 1: (), **dict(found.tests)}
    attained = failure_of(law, distribution, n, epsilon, named)
    assert found.failure == attained == best


@settings(max_examples=25)
@given(strategies.mechanisms_on_datasets(range(3), TWO, max_size=3), strategies.probabilities(8))
def test_the_minimal_epsilon_is_where_the_failure_first_drops_to_delta(
    drawn: Drawn, delta: Fraction
) -> None:
    n, mechanism = drawn
    law = mechanism.law
    distribution: data.FiniteDistribution[object] = data.FiniteDistribution(
        {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}
    )
    samples = distribution.power(n)
    found = minimal_epsilon(law, samples, delta)
    assert found.above == optimal_adversary(law, samples, found.epsilon)
    assert found.above.failure <= delta
    assert (found.below is None) == (found.epsilon == 0)
    if found.below is not None:
        # The failure jumps at multiples of 1/6n only.
        before = found.epsilon - Fraction(1, 1000)
        reached = failure_of(law, distribution, n, before, dict(found.below.tests))
        assert reached == found.below.failure == optimal_adversary(law, samples, before).failure
        assert reached > delta


def test_a_bound_without_the_factor_two_fails() -> None:
    """With |R| outputs, alpha = sqrt(ln(|R|/beta) / 2n) is not enough: it needs ln(2|R|/beta).

    The samples are two uniform points of {0,1}^2, and the output names a coordinate on which they
    agree, if there is one: then that coordinate is off by 1/2. They agree on neither with
    probability 1/4. For beta in (2/e, 3/4), alpha < 1/2, yet the failure is 3/4 > beta.
    """
    samples = PAIRS.power(2)

    def names(sample: tuple[tuple[int, ...], ...]) -> data.FiniteDistribution[int]:
        return data.FiniteDistribution.point_mass(0 if sample[0][0] == sample[1][0] else 1)

    for epsilon in ("1/4", "0.49"):
        found = optimal_adversary(names, samples, epsilon)
        assert found.failure == Fraction(3, 4)
    coordinates = {
        i: data.FiniteDistribution.point_mass(tuple(z for z in PAIRS.support if z[i]))
        for i in (0, 1)
    }
    judged = conditional_failures(names, samples, coordinates, "0.49")
    assert sum(weight * failure for weight, failure in judged) == Fraction(3, 4)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_revealing_the_sample_attains_the_universal_bound(n: int) -> None:
    """An adversary that sees S picks the set where E_S exceeds D most: TV(E_S, D) is its excess."""
    distribution = data.FiniteDistribution(
        {"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1, 6)}
    )
    types = data.multiset_distribution(distribution, n)
    for epsilon in (Fraction(k, 12) for k in range(9)):
        expected = sum(
            (
                w
                for t, w in types.items()
                if sum(abs(Fraction(t.count(z), n) - p) for z, p in distribution.items()) / 2
                > epsilon
            ),
            Fraction(),
        )
        assert universal_bound(types, epsilon) == expected
        assert universal_bound(distribution.power(n), epsilon) == expected
        assert (
            optimal_adversary(data.FiniteDistribution.point_mass, types, epsilon).failure
            == expected
        )


@settings(max_examples=25)
@given(strategies.tables(BITS.power(3).support, THREE), strategies.tables(range(3), TWO), epsilons)
def test_post_processing_does_not_help_the_adversary(
    law: Callable[[tuple[int, ...]], Law], row: Callable[[int], Law], epsilon: Fraction
) -> None:
    samples = BITS.power(3)
    after = data.then(data.FromLaw(law), data.FromLaw(lambda y: row(int(str(y)))))
    before = optimal_adversary(law, samples, epsilon).failure
    assert optimal_adversary(after.law, samples, epsilon).failure <= before
    assert before <= universal_bound(samples, epsilon)


@settings(max_examples=25)
@given(strategies.tables(product(range(3), repeat=3), TWO))
def test_only_the_mean_over_orderings_matters(law: Callable[[tuple[int, ...]], Law]) -> None:
    distribution = data.FiniteDistribution(
        {0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 2)}
    )
    types = by_type.laws_by_type(law, range(3), 3)
    ordered = optimal_adversary(law, distribution.power(3), "1/4")
    grouped = optimal_adversary(types.laws, data.multiset_distribution(distribution, 3), "1/4")
    assert ordered == grouped


def test_weights_beyond_64_bits_are_compared_exactly() -> None:
    """Tests whose failures differ by less than floating or fixed point could tell.

    One draw and an output that says nothing: a test h fails when the draw is in h and
    1 - h(D) > epsilon, or when it is not and h(D) > epsilon. With epsilon = 3/4 the first happens
    for {1} and {2}, with probability h(D); {1, 2} has h(D) = 1/4 + tiny, so 1 - h(D) < 3/4.
    """
    tiny = Fraction(1, 10**40)
    weights = {0: Fraction(3, 4) - tiny, 2: Fraction(1, 8), 1: Fraction(1, 8) + tiny}
    samples = data.FiniteDistribution(weights).power(1)
    found = optimal_adversary(silent, samples, "3/4")
    assert found.failure == Fraction(1, 8) + tiny
    assert found.tests == (("nothing", (1,)),)
    # A little below, {1, 2} fails, too.
    lower = optimal_adversary(silent, samples, Fraction(3, 4) - 2 * tiny)
    assert lower.failure == Fraction(1, 4) + tiny


def test_samples_objects_and_tuples_agree() -> None:
    examples = data.FiniteDistribution.uniform(data.all_examples("ab"))
    label = lambda s: data.FiniteDistribution.point_mass(s[0].label)  # noqa: E731
    tuples = optimal_adversary(label, examples.power(2), "1/4")
    as_samples = examples.power(2).map(data.Sample.from_examples)
    assert optimal_adversary(label, as_samples, "1/4") == tuples


def test_given_adversaries_are_judged_on_each_sample() -> None:
    adversary = {
        "nothing": data.FiniteDistribution(
            {(1,): Fraction(1, 3), (0,): Fraction(1, 3), (0, 1): Fraction(1, 3)}
        )
    }
    found = conditional_failures(silent, BITS.power(2), adversary, "1/4")
    assert [weight for weight, _ in found] == [Fraction(1, 4)] * 4
    assert [failure for _, failure in found] == [Fraction(2, 3), 0, 0, Fraction(2, 3)]
    with pytest.raises(InvalidInput, match="no test for the output 'nothing'"):
        conditional_failures(silent, BITS.power(2), {}, "1/4")


@settings(max_examples=25)
@given(
    strategies.tables([data.Multiset.of((1,) * k + (0,) * (3 - k)) for k in range(4)], TWO),
    strategies.probabilities(50),
)
def test_the_grid_encloses_what_other_distributions_do(
    law: Callable[[data.Multiset[int]], Law], p: Fraction
) -> None:
    bounds = for_all_distributions(law, [0, 1], 3, "2/5", denominator=6)
    assert bounds.mesh == Fraction(1, 12)
    other = data.multiset_distribution(coin(p), 3)
    assert optimal_adversary(law, other, "2/5").failure <= bounds.upper
    there = data.multiset_distribution(bounds.attained_by, 3)
    assert optimal_adversary(law, there, "2/5").failure == bounds.lower


def test_ordered_samples_on_a_grid() -> None:
    first: Callable[[tuple[int, ...]], data.FiniteDistribution[int]] = lambda s: (  # noqa: E731
        data.FiniteDistribution.point_mass(s[0])
    )
    bounds = for_all_distributions(
        first, [0, 1], 1, "1/2", denominator=5, samples=data.FiniteDistribution.power
    )
    # One draw of a coin with bias p >= 1/2 is off by p when it shows the other side: 1 - p, for
    # p > 1/2; on the grid of fifths the worst is p = 3/5.
    assert bounds.lower == Fraction(2, 5)


def test_an_output_that_reveals_one_draw() -> None:
    """The output is the first of five uniform draws from four points.

    By symmetry a test matters by its size and by whether it contains the output; then 5 h(S) is
    that indicator plus a binomial variable for the other four draws.
    """
    epsilon = Fraction(3, 10)

    def failure(size: int, inside: bool) -> Fraction:
        p = Fraction(size, 4)
        return sum(
            (
                math.comb(4, k) * p**k * (1 - p) ** (4 - k)
                for k in range(5)
                if abs(Fraction(k + inside, 5) - p) > epsilon
            ),
            Fraction(),
        )

    laws = by_type.laws_by_type(lambda s: data.FiniteDistribution.point_mass(s[0]), range(4), 5)
    samples = data.multiset_distribution(data.FiniteDistribution.uniform(range(4)), 5)
    expected = max(failure(size, inside) for size in (1, 2, 3) for inside in (False, True))
    assert optimal_adversary(laws.laws, samples, epsilon).failure == expected


@pytest.mark.parametrize("n", [5, 6])
def test_the_majority_generalizes_robustly(n: int) -> None:
    """Lemma 37: on {0, 1} it is (sqrt(ln(2/gamma) / 2n), gamma)-robustly generalizing."""

    def majority(bits: data.Multiset[int]) -> data.FiniteDistribution[bool]:
        return data.FiniteDistribution.point_mass(2 * bits.count(1) > n)

    for gamma in (Fraction(1, 20), Fraction(1, 4), Fraction(3, 4)):
        # The lower end is the harder claim.
        epsilon = arithmetic.Interval.sqrt(arithmetic.Interval.log(2 / gamma) / (2 * n)).lower
        for tenths in range(1, 10):
            coin = data.FiniteDistribution({0: 1 - Fraction(tenths, 10), 1: Fraction(tenths, 10)})
            samples = data.multiset_distribution(coin, n)
            assert optimal_adversary(majority, samples, epsilon).failure <= gamma


def test_bad_input_is_refused_by_name() -> None:
    refuses("epsilon: got -1", optimal_adversary, silent, BITS.power(2), -1)
    refuses("delta: got 2", minimal_epsilon, silent, BITS.power(2), 2)
    with pytest.raises(InvalidInput, match=r"laws: got no law for the sample \(0, 1\)"):
        optimal_adversary({(0, 0): BITS}, BITS.power(2), 0)
    with pytest.raises(InvalidInput, match=r"laws: got 7 for the sample"):
        optimal_adversary(lambda _: 7, BITS.power(2), 0)  # type: ignore[arg-type, return-value]  # on purpose
    refuses("samples of sizes", optimal_adversary, silent, BITS.power(0), 0)
    with pytest.raises(InvalidInput, match="independent draws"):
        optimal_adversary(silent, data.FiniteDistribution.uniform([(0, 1), (1, 0)]), 0)
    many = data.FiniteDistribution.uniform(range(MAX_ELEMENTS + 1)).power(1)
    refuses(f"{MAX_ELEMENTS + 1} elements", optimal_adversary, silent, many, 0)
    with pytest.raises(InvalidInput, match="samples: got 'ab'"):
        optimal_adversary(silent, data.FiniteDistribution.point_mass("ab"), 0)
