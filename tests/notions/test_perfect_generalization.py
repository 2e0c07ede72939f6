"""The best simulator, against an enumeration of simulators and the paper's own examples."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, Multiset, data
from pac_stability.notions import simulator_search
from pac_stability.notions.by_type import law_classes
from pac_stability.notions.closeness import are_close
from pac_stability.notions.perfect_generalization import (
    for_all_distributions,
    minimal_beta,
    minimal_delta,
    minimal_epsilon,
)
from pac_stability.notions.simulators import covered_weight
from pac_stability.testing import strategies
from shared_laws import coin
from shared_refusals import refuses

Law = FiniteDistribution[int]
Vector = tuple[Fraction, ...]

TINY = Fraction(1, 10**9)
FAIR = FiniteDistribution.uniform([0, 1])


# --- An oracle for three outcomes: all corners of all regions of simulators -----------------------


def vectors_close(p: Vector, q: Vector, t: Fraction, delta: Fraction) -> bool:
    """Definition 6, event by event."""
    for event in product([False, True], repeat=len(p)):
        here = sum((x for x, inside in zip(p, event, strict=True) if inside), Fraction())
        there = sum((x for x, inside in zip(q, event, strict=True) if inside), Fraction())
        if here > t * there + delta or there > t * here + delta:
            return False
    return True


def least_beta(
    laws: Sequence[Vector], weights: Sequence[Fraction], t: Fraction, delta: Fraction
) -> Fraction:
    """The laws that a simulator covers are close to it on a polygon; it may be moved to a corner.

    So it is enough to try the points where two of the lines meet on which closeness to some law
    becomes tight, or where a probability is 0.
    """
    lines = {(1, 0, Fraction(0)), (0, 1, Fraction(0)), (1, 1, Fraction(1))}
    for p in laws:
        for a, b in ((1, 0), (0, 1), (1, 1)):  # an event, and its complement
            mass = a * p[0] + b * p[1]
            lines |= {(a, b, (mass - delta) / t), (a, b, t * mass + delta)}
            lines |= {(a, b, 1 - (1 - mass - delta) / t), (a, b, 1 - t * (1 - mass) - delta)}
    corners: set[Vector] = set()
    for (a, b, e), (c, d, f) in combinations(lines, 2):
        if a * d != b * c:
            x = (e * d - b * f) / (a * d - b * c)
            y = (a * f - e * c) / (a * d - b * c)
            if min(x, y, 1 - x - y) >= 0:
                corners.add((x, y, 1 - x - y))
    return 1 - max(
        sum(
            (w for p, w in zip(laws, weights, strict=True) if vectors_close(p, q, t, delta)),
            Fraction(),
        )
        for q in corners
    )


# Without delta only laws of one support have a simulator.
LAW: st.SearchStrategy[Law] = st.one_of(
    strategies.distributions(range(3), max_denominator=6),
    strategies.weighted(range(3), 4, min_weight=1),
)
COIN: st.SearchStrategy[Law] = strategies.distributions(range(2), max_denominator=6)


def vector(law: Law) -> Vector:
    return tuple(law.probability(y) for y in range(3))


def of_weights(weights: Sequence[int]) -> FiniteDistribution[int]:
    return FiniteDistribution({i: Fraction(w, sum(weights)) for i, w in enumerate(weights)})


class Instance:
    def __init__(
        self, drawn: Sequence[tuple[Law, int]], t: Fraction, delta: Fraction, beta: Fraction
    ) -> None:
        self.laws = {i: law for i, (law, _) in enumerate(drawn)}
        self.samples = of_weights([weight for _, weight in drawn])
        self.t, self.epsilon = t, Epsilon.exactly(t)
        self.delta, self.beta = delta, beta

    def least_beta(self, t: Fraction, delta: Fraction) -> Fraction:
        vectors = [vector(law) for law in self.laws.values()]
        return least_beta(vectors, [w for _, w in self.samples.items()], t, delta)


INSTANCES = st.builds(
    Instance,
    st.lists(
        st.tuples(LAW, st.integers(1, 4)), min_size=2, max_size=4, unique_by=lambda drawn: drawn[0]
    ),
    st.builds(Fraction, st.integers(0, 4), st.integers(2, 4)).map(lambda more: 1 + more),
    st.sampled_from([Fraction(0), Fraction(1, 10)])
    | st.sampled_from([Fraction(k, 12) for k in range(6)]),
    st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 3)]),
)


@settings(max_examples=40)
@given(INSTANCES)
def test_the_minimal_beta_is_that_of_the_best_corner(case: Instance) -> None:
    found = minimal_beta(case.laws, case.samples, case.epsilon, case.delta)
    assert found.lower == found.upper == case.least_beta(case.t, case.delta)
    close = {
        i
        for i, law in case.laws.items()
        if are_close(law, found.simulator, case.epsilon, case.delta)
    }
    assert set(found.covered) == close
    assert 1 - sum((case.samples.probability(i) for i in close), Fraction()) == found.upper


@settings(max_examples=16)
@given(INSTANCES)
def test_the_minimal_delta_is_enough_and_less_is_not(case: Instance) -> None:
    found = minimal_delta(case.laws, case.samples, case.beta, case.epsilon)
    assert found.exact
    delta = Fraction(found.upper)
    assert case.least_beta(case.t, delta) <= case.beta
    if delta:
        assert case.least_beta(case.t, delta - TINY) > case.beta
    missed = 1 - sum((case.samples.probability(i) for i in found.covered), Fraction())
    assert missed <= case.beta


@settings(max_examples=50)
@given(INSTANCES)
def test_the_minimal_epsilon_is_enough_and_less_is_not(case: Instance) -> None:
    found = minimal_epsilon(case.laws, case.samples, case.beta, case.delta)
    if isinstance(found.upper, Fraction):
        assert case.least_beta(found.upper, case.delta) <= case.beta
        assert found.upper <= Fraction(found.lower) * (1 + Fraction(1, 1 << 16))
        epsilon = Epsilon.exactly(found.upper)
        for i in found.covered:
            assert are_close(case.laws[i], found.simulator, epsilon, case.delta)
        assert sum(case.samples.probability(i) for i in found.covered) >= 1 - case.beta
    if found.lower == math.inf:
        assert case.least_beta(Fraction(10**9), case.delta) > case.beta
    elif found.lower > 1:
        assert case.least_beta(Fraction(found.lower) - TINY, case.delta) > case.beta


@settings(max_examples=40)
@given(INSTANCES)
def test_without_a_budget_the_bounds_still_hold(case: Instance) -> None:
    beta = minimal_beta(case.laws, case.samples, case.epsilon, case.delta)
    rough = minimal_beta(case.laws, case.samples, case.epsilon, case.delta, max_steps=0)
    assert rough.lower <= beta.upper <= rough.upper
    delta = minimal_delta(case.laws, case.samples, case.beta, case.epsilon)
    rough = minimal_delta(case.laws, case.samples, case.beta, case.epsilon, max_steps=1)
    assert rough.lower <= delta.upper <= rough.upper
    factor = minimal_epsilon(case.laws, case.samples, case.beta)
    rough = minimal_epsilon(case.laws, case.samples, case.beta, max_steps=1)
    assert rough.lower <= factor.upper
    assert factor.lower <= rough.upper


@settings(max_examples=50)
@given(INSTANCES)
def test_more_laws_than_are_searched_have_bounds(case: Instance) -> None:
    beta = minimal_beta(case.laws, case.samples, case.epsilon, case.delta)
    delta = minimal_delta(case.laws, case.samples, case.beta, case.epsilon)
    factor = minimal_epsilon(case.laws, case.samples, case.beta, case.delta)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulator_search, "MAX_SEARCHED", 2)
        roughly = (
            minimal_beta(case.laws, case.samples, case.epsilon, case.delta),
            minimal_delta(case.laws, case.samples, case.beta, case.epsilon),
            minimal_epsilon(case.laws, case.samples, case.beta, case.delta),
        )
    for exact, rough in zip((beta, delta, factor), roughly, strict=True):
        assert rough.lower <= exact.upper
        assert exact.lower <= rough.upper


@settings(max_examples=60)
@given(INSTANCES, st.sampled_from([1, 1 << 50]), st.sampled_from([0, Fraction(1, 10**20)]))
def test_a_sweep_over_polygons_finds_the_best_corner(
    case: Instance, units: int, more: Fraction
) -> None:
    t, epsilon = case.t + more, Epsilon.exactly(case.t + more)  # of ends that no float holds
    classes = law_classes(case.laws, case.samples)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulator_search, "_UNITS", units)  # one unit: floats discard nothing
        sweep = simulator_search.ThreeOutcomes(classes, range(3), t, case.delta)
        found = sweep.best_simulator()
    assert 1 - covered_weight(classes, found, epsilon, case.delta) == case.least_beta(t, case.delta)


def test_many_laws_on_three_outcomes_have_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    # Their polygons touch in many places; the second sweep looks at every line in fractions.
    triples = [(a, b, 10 - a - b) for a in range(11) for b in range(11 - a)]
    laws = {
        triple: FiniteDistribution({y: Fraction(k, 10) for y, k in enumerate(triple)})
        for triple in triples
    }
    samples, delta = FiniteDistribution.uniform(triples), Fraction(1, 100)
    for t in (Fraction(3, 2), Fraction(2)):
        found = minimal_beta(laws, samples, Epsilon.exactly(t), delta)
        monkeypatch.setattr(simulator_search, "_UNITS", 1)
        assert found == minimal_beta(laws, samples, Epsilon.exactly(t), delta)
        assert found.exact
        monkeypatch.undo()


def test_weights_may_have_any_denominator() -> None:
    triples = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]
    laws = {
        t: FiniteDistribution({y: Fraction(k + 1, 9) for y, k in enumerate(t)}) for t in triples
    }
    counts = [(2**40 + 2**30 * i * i) << 22 | 1 for i in range(len(laws))]
    weights = {triple: Fraction(k, sum(counts)) for triple, k in zip(triples, counts, strict=True)}
    found = minimal_beta(laws, FiniteDistribution(weights), Epsilon.exactly("5/4"), "1/100")
    alike = minimal_beta(laws, FiniteDistribution.uniform(laws), Epsilon.exactly("5/4"), "1/100")
    assert 0 < found.upper == 1 - sum(weights[sample] for sample in found.covered)
    assert found.upper <= 1 - sum(weights[sample] for sample in alike.covered)  # best for others


# --- Two outcomes and no coins --------------------------------------------------------------------


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(COIN, st.integers(1, 4)), min_size=1, max_size=5, unique_by=lambda drawn: drawn[0]
    ),
    st.fractions(1, Fraction(7, 3), max_denominator=3),
    st.fractions(0, Fraction(2, 5), max_denominator=10),
)
def test_two_outcomes_are_three_with_one_that_never_happens(
    drawn: list[tuple[Law, int]], t: Fraction, delta: Fraction
) -> None:
    case = Instance(drawn, t, delta, Fraction(0))
    found = minimal_beta(case.laws, case.samples, case.epsilon, delta)
    assert found.exact
    assert found.upper == case.least_beta(t, delta)


@settings(max_examples=50)
@given(
    strategies.weighted(range(8), 4, min_weight=1),
    strategies.tables(range(8), range(4)),
    st.fractions(0, Fraction(9, 10), max_denominator=20),
)
def test_a_deterministic_mechanism_needs_its_k_likeliest_outputs(
    samples: FiniteDistribution[int], output: Callable[[int], int], delta: Fraction
) -> None:
    laws = {i: FiniteDistribution.point_mass(output(i)) for i in range(8)}
    mass = sorted((w for _, w in samples.map(output).items()), reverse=True)
    # A law gives 1 - delta to at most k outputs when k (1 - delta) <= 1.
    k = max(k for k in range(1, 12) if k * (1 - delta) <= 1)
    for epsilon in (Epsilon(0), Epsilon(3)):
        found = minimal_beta(laws, samples, epsilon, delta)
        assert found.exact
        assert found.upper == 1 - sum(mass[:k])
    beta = Fraction(found.upper)
    if beta < 1:
        needed = next(k for k in range(1, 5) if sum(mass[:k]) >= 1 - beta)
        assert minimal_delta(laws, samples, beta, Epsilon(1)).upper == 1 - Fraction(1, needed)
        enough = minimal_epsilon(laws, samples, beta, delta)
        assert (enough.lower, enough.upper) == (1, 1)
        if needed > 1:
            none = minimal_epsilon(laws, samples, beta, 1 - Fraction(1, needed) - TINY)
            assert (none.lower, none.upper) == (math.inf, math.inf)


def test_factors_are_exact_when_rational_and_tight_when_not() -> None:
    """p = 1/4 and 1/2: the factor sqrt(p'/p) = sqrt 2 is needed for outcome 1.

    Outcome 0 needs only sqrt(3/2), the sums 1/2 + 3/4 = 5/4 and 1/(1/4 + 1/2) = 4/3 < sqrt 2.
    """
    quarter = FiniteDistribution({0: Fraction(3, 4), 1: Fraction(1, 4)})
    found = minimal_epsilon({0: quarter, 1: FAIR}, FAIR, 0)
    assert Fraction(found.lower) ** 2 < 2 < Fraction(found.upper) ** 2
    assert Fraction(found.upper) - Fraction(found.lower) < Fraction(1, 2**100)
    assert minimal_epsilon({0: quarter, 1: FAIR}, FAIR, "1/2").upper == 1
    # 1/9 and 4/9: sqrt(4) = 2 for outcome 1; the sums give 4/3 and 3/2.
    laws = {
        i: FiniteDistribution({0: 1 - p, 1: p})
        for i, p in enumerate([Fraction(1, 9), Fraction(4, 9)])
    }
    found = minimal_epsilon(laws, FAIR, 0)
    assert (found.lower, found.upper) == (2, 2)


# --- The paper's examples ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "expected"), [(3, Fraction(4, 27)), (5, Fraction(108, 3125)), (7, Fraction(6912, 823543))]
)
def test_one_strange_sample(n: int, expected: Fraction) -> None:
    """The output is "strange" on one ordered sample, with a ones first and b = n - a zeros.

    Theorem 38 has beta = 2^-n for this. But the sample has probability p^a (1 - p)^b, which is
    largest at p = a/n, and there it is (a/n)^a (b/n)^b, more than 2^-n when n is odd.
    """
    a = n // 2
    strange = (1,) * a + (0,) * (n - a)
    coin = FiniteDistribution({0: Fraction(n - a, n), 1: Fraction(a, n)})

    def law(sample: tuple[int, ...]) -> FiniteDistribution[bool]:
        return FiniteDistribution.point_mass(sample == strange)

    found = minimal_beta(law, coin.power(n), Epsilon(1), "1/3")
    assert found.exact
    assert found.upper == expected > Fraction(1, 2**n)
    if n == 3:
        bounds = for_all_distributions(
            law, [0, 1], n, Epsilon(1), denominator=12, samples=FiniteDistribution.power
        )
        assert bounds.lower == expected <= bounds.upper
        assert bounds.attained_by == coin


@pytest.mark.parametrize(("n", "expected"), [(5, Fraction(1, 2)), (6, Fraction(11, 32))])
def test_the_majority_of_fair_bits_has_no_simulator(n: int, expected: Fraction) -> None:
    """Lemma 37: the rarer answer has probability 1/2, or 1/2 - C(6,3)/2^7 = 11/32 for n = 6."""
    samples = data.multiset_distribution(FAIR, n)

    def majority(bits: Multiset[int]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(int(2 * bits.count(1) > n))

    for delta in ("0", "0.49"):
        assert minimal_beta(majority, samples, Epsilon(5), delta).upper == expected
    assert minimal_beta(majority, samples, Epsilon(0), "1/2").upper == 0


@settings(max_examples=40)
@given(INSTANCES)
def test_covered_samples_are_close_to_each_other(case: Instance) -> None:
    """Corollary 10, sharpened: (2 epsilon, (1 + t) delta)-close with probability (1 - beta)^2."""
    found = minimal_beta(case.laws, case.samples, case.epsilon, case.delta)
    twice, delta = case.epsilon * 2, min(Fraction(1), (1 + case.t) * case.delta)
    close = sum(
        (
            v * w
            for (i, v), (j, w) in product(case.samples.items(), repeat=2)
            if are_close(case.laws[i], case.laws[j], twice, delta)
        ),
        Fraction(),
    )
    assert close >= (1 - Fraction(found.upper)) ** 2


@settings(max_examples=40)
@given(INSTANCES, strategies.tables(range(3), LAW))
def test_post_processing_needs_no_more(case: Instance, row: Callable[[int], Law]) -> None:
    """Lemma 11."""
    after = {i: law.bind(row) for i, law in case.laws.items()}
    before = minimal_beta(case.laws, case.samples, case.epsilon, case.delta)
    assert minimal_beta(after, case.samples, case.epsilon, case.delta).upper <= before.upper


@settings(max_examples=24)
@given(
    strategies.weighted(range(3), 4, min_weight=1),
    strategies.tables(range(3), COIN),
    strategies.tables(range(3), COIN),
    strategies.epsilons(3, 3),
    strategies.epsilons(3, 3),
)
def test_betas_and_epsilons_add_up_under_composition(
    samples: FiniteDistribution[int],
    first: Callable[[int], Law],
    second: Callable[[int], Law],
    s: Epsilon,
    t: Epsilon,
) -> None:
    """Theorem 12: two mechanisms with independent coins on one sample."""
    both = {i: first(i).product(second(i)) for i in range(3)}
    beta = Fraction(minimal_beta(first, samples, s).upper)
    gamma = Fraction(minimal_beta(second, samples, t).upper)
    assert minimal_beta(both, samples, s + t).upper <= beta + gamma


@settings(max_examples=24)
@given(
    strategies.tables([Multiset.of((1,) * k + (0,) * (2 - k)) for k in range(3)], LAW),
    strategies.probabilities(30),
)
def test_the_grid_encloses_other_distributions(
    laws: Callable[[Multiset[int]], Law], p: Fraction
) -> None:
    epsilon = Epsilon.exactly("3/2")
    bounds = for_all_distributions(laws, [0, 1], 2, epsilon, denominator=4, delta="0.1")
    other = data.multiset_distribution(coin(p), 2)
    assert minimal_beta(laws, other, epsilon, "0.1").upper <= bounds.upper
    there = data.multiset_distribution(bounds.attained_by, 2)
    assert minimal_beta(laws, there, epsilon, "0.1").upper == bounds.lower


def test_bad_input_is_refused_by_name() -> None:
    laws = {0: FAIR, 1: FAIR}
    refuses("beta: got 1", minimal_delta, laws, FAIR, 1, Epsilon(1))
    refuses("delta: got 2", minimal_beta, laws, FAIR, Epsilon(1), 2)
    with pytest.raises(InvalidInput, match="epsilon: got a value of type int"):
        minimal_beta(laws, FAIR, 1)  # type: ignore[arg-type]  # on purpose
    refuses("laws: got no law for the sample 1", minimal_beta, {0: FAIR}, FAIR, Epsilon(1))
    refuses("max_steps: got -1", minimal_beta, laws, FAIR, Epsilon(1), max_steps=-1)
