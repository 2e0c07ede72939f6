"""Theorem 30 and Corollary 31: certified sample sizes, and where the printed condition ends."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import flint
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, SeededCoins
from pac_stability.arithmetic import ConstantsLike, Epsilon, Interval
from pac_stability.classes import FiniteClass, Intervals, Thresholds, cube
from pac_stability.classes.families.line_and_sets import Threshold
from pac_stability.data import ArraySample, Example, FiniteDistribution, Sample, multisets
from pac_stability.notions import accuracy
from pac_stability.notions.by_type import learner_laws_by_type
from pac_stability.papers.cummings_et_al.algorithm_1 import (
    FiniteDomainLearner,
    GenericAgnosticLearner,
    GenericAgnosticSize,
    corollary_31,
)
from shared_refusals import refuses

TENTH, TWENTIETH = Fraction(1, 10), Fraction(1, 20)
EXAMPLE = GenericAgnosticSize(4, TENTH, TWENTIETH, TWENTIETH, Epsilon(0.5))

unit = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(999, 1000))
sizes = st.builds(
    GenericAgnosticSize,
    st.integers(2, 10**9),
    unit,
    unit,
    unit,
    st.fractions(min_value=Fraction(1, 1000), max_value=40).map(Epsilon),
)


def best_division(size: GenericAgnosticSize, deviation: float) -> float:
    """Search the division of alpha into b, b and 1 - 2b; the deviation is n B**2, times two."""
    log_gamma = math.log(2 * size.class_size / size.gamma)
    log_beta = math.log(2 * size.class_size / size.beta)
    alpha, epsilon = float(size.alpha), float(size.epsilon)

    def needed(b: float) -> float:
        selection = 2 * log_beta * log_gamma**2 / (epsilon * (1 - 2 * b) * alpha) ** 2
        return max(selection, deviation / (2 * (b * alpha) ** 2))

    low, high = 0.0, 0.5
    for _ in range(200):  # the first grows in b, the second falls
        b = (low + high) / 2
        first = 2 * log_beta * log_gamma**2 / (epsilon * (1 - 2 * b) * alpha) ** 2
        low, high = (b, high) if first < deviation / (2 * (b * alpha) ** 2) else (low, b)
    return needed(low)


def test_the_numbers_for_four_hypotheses() -> None:
    # 6 L**3 / (epsilon alpha)**2 with L = ln 160 = 5.0752: 313735.7; 18 in place of 6: 941207.2.
    assert [replace(EXAMPLE, constants=c).sample_size for c in ("paper", "proof", "sharp")] == [
        313_736,
        941_208,
        126_200,
    ]
    # The printed events, two-sided, with the best division of alpha: sqrt(ln 320) for sqrt(ln 160).
    assert math.ceil(best_division(EXAMPLE, math.log(320))) == 127_701
    assert replace(EXAMPLE, constants="paper").proved


@settings(max_examples=40)
@given(sizes)
def test_the_sharp_size_is_the_best_division_of_alpha(size: GenericAgnosticSize) -> None:
    log_gamma = math.log(2 * size.class_size / size.gamma)
    best = best_division(size, log_gamma)
    assert best * (1 - 1e-6) <= size.sample_size <= best * (1 + 1e-6) + 1


@settings(max_examples=40)
@given(sizes)
def test_the_sharp_size_is_the_least_with_its_proof(size: GenericAgnosticSize) -> None:
    """With the decay that the learner uses, at n the two events have gamma together."""
    n = size.sample_size
    learner = GenericAgnosticLearner(FiniteClass([[0], [1]]), size.beta, size.epsilon)
    object.__setattr__(learner, "hypotheses", range(size.class_size))
    log_gamma = Interval.log(2 * size.class_size / size.gamma, 256)
    left = size.alpha - Interval.sqrt(2 * log_gamma / n, 256)
    assert n * Interval.log(1 / learner.decay(n), 256) * left >= log_gamma


@settings(max_examples=40)
@given(sizes, st.sampled_from(["paper", "proof"]))
def test_the_printed_sizes_are_the_least_of_their_conditions(
    size: GenericAgnosticSize, constants: ConstantsLike
) -> None:
    n = replace(size, constants=constants).sample_size
    log_gamma = Interval.log(2 * size.class_size / size.gamma, 256)
    log_beta = Interval.log(2 * size.class_size / size.beta, 256)
    scale = size.epsilon.interval(256) * size.alpha
    needed = log_beta * log_gamma * log_gamma / (scale * scale)
    if constants == "paper":
        assert needed * 6 <= n
        assert needed * 6 > n - 1
        return
    deviation = (log_gamma + Interval.log(2, 256)) * Fraction(9, 2) / size.alpha**2
    assert needed * 18 <= n
    assert deviation <= n
    assert (needed * 18).lower > n - 1 or deviation.lower > n - 1


@settings(max_examples=40)
@given(sizes)
def test_the_size_of_the_printed_proof_is_always_enough(size: GenericAgnosticSize) -> None:
    assert replace(size, constants="proof").proved


@settings(max_examples=40)
@given(sizes)
def test_the_printed_condition_is_enough_up_to_epsilon_one(size: GenericAgnosticSize) -> None:
    small = replace(size, beta=size.gamma, constants="paper")
    if size.epsilon <= Epsilon(1):
        assert small.proved


def test_where_the_printed_condition_ends() -> None:
    # 6 L**3 = 2 L (epsilon + L)**2 at epsilon = (sqrt 3 - 1) L, here 3.715.
    edge = (math.sqrt(3) - 1) * math.log(160)
    paper = replace(EXAMPLE, alpha=Fraction(1, 1000), constants="paper")
    assert replace(paper, epsilon=Epsilon(edge - 0.001)).proved
    assert not replace(paper, epsilon=Epsilon(edge + 0.001)).proved


def test_for_large_epsilon_the_printed_condition_is_false() -> None:
    """Two constants and one example: the learner believes it, and it is wrong once in four times.

    With alpha = 2/5, gamma = 1/20 and epsilon = 57 the condition admits n = 1, as L = ln 80 and
    6 L**3 / (57 * 2/5)**2 = 0.97.
    """
    epsilon, alpha = Epsilon(57), Fraction(2, 5)
    printed = GenericAgnosticSize(2, alpha, TWENTIETH, TWENTIETH, epsilon, "paper")
    assert printed.sample_size == 1
    assert not printed.proved
    H = FiniteClass([[0], [1]])
    D = FiniteDistribution({Example(0, 0): Fraction(1, 4), Example(0, 1): Fraction(3, 4)})
    learner = GenericAgnosticLearner(H, TWENTIETH, epsilon)
    laws = learner_laws_by_type(learner.law, D.support, 1)
    failure = accuracy.minimal_beta(laws, D, alpha, hypotheses=H)
    # err of the constant 0 is 3/4 = OPT + 1/2.
    r = learner.decay(1)
    assert failure == (Fraction(1, 4) + Fraction(3, 4) * r) / (1 + r)
    assert failure > 4 * TWENTIETH
    assert replace(printed, constants="sharp").sample_size > 1


@settings(max_examples=25)
@given(st.integers(0, 40), st.sampled_from([12, 25, 60]))
def test_accuracy_at_small_sizes_exactly(numerator: int, epsilon: int) -> None:
    """Every distribution on two examples, at the size that is stated for large epsilon."""
    alpha, gamma = Fraction(9, 20), Fraction(2, 5)
    H = FiniteClass([[0], [1]])
    learner = GenericAgnosticLearner(H, gamma, epsilon)
    n = learner.sample_size(alpha, gamma)
    assert n < 60
    universe = [Example(0, 0), Example(0, 1)]
    laws = learner_laws_by_type(learner.law, universe, n, symmetric=True)
    p = Fraction(numerator, 40)
    D = FiniteDistribution({z: q for z, q in zip(universe, (p, 1 - p), strict=True) if q})
    assert accuracy.minimal_beta(laws, D, alpha, hypotheses=H) <= gamma


def test_accuracy_on_three_examples() -> None:
    """Every distribution in elevenths on three examples, two of which differ in the label only."""
    alpha, gamma = Fraction(9, 20), Fraction(2, 5)
    H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    learner = GenericAgnosticLearner(H, gamma, 60)
    n = learner.sample_size(alpha, gamma)
    assert n < 40
    universe = [Example(0, 0), Example(1, 0), Example(1, 1)]
    types = list(multisets(universe, n))
    laws = [learner.law(Sample.from_examples(kind.elements())) for kind in types]
    # Rounded up, as the exact sums would have a common denominator of a million bits.
    upper = [{h: Fraction(math.ceil(p * 2**99), 2**99) for h, p in law.items()} for law in laws]
    worst = Fraction(0)
    for parts in multisets(universe, 11):
        D = FiniteDistribution({z: Fraction(k, 11) for z, k in parts.items()})
        errors = {h: D.expectation(lambda z, h=h: int(h(z.point) != z.label)) for h in H}  # type: ignore[misc]  # a default is bound
        bad = [h for h, err in errors.items() if err > min(errors.values()) + alpha]
        weights = [kind.probability(D) for kind in types]
        failure = sum(
            weight * sum(law[h] for h in bad)
            for weight, law in zip(weights, upper, strict=True)
            if weight and bad
        )
        worst = max(worst, Fraction(failure))
    assert 0 < worst <= gamma


def test_accuracy_at_126_200_examples() -> None:
    """Two points, four hypotheses; D on (0, 1) and (0, 0), with an excess of .102 > alpha.

    The probability of a bad output falls in j, the number of examples (0, 1): so its mean is below
    the sum over blocks of j, each with the value at its lower end. The blocks have the exact
    binomial probabilities, as enclosures of the incomplete beta function.
    """
    n = EXAMPLE.sample_size
    learner = GenericAgnosticLearner(cube(2), TWENTIETH, Fraction(1, 2))
    slope = Interval.log(learner.decay(n), 128)

    def bad(j: int) -> Fraction:
        # Two hypotheses are right on (0, 1), and two wrong; the latter have j errors, not n - j.
        weight = Interval.exp(slope * (2 * j - n), 128)
        return (weight / (1 + weight)).upper

    p = Fraction(551, 1000)
    edges = [0, *range(68_000, 71_000, 250), n + 1]
    total = Fraction(0)
    below = Fraction(0)
    for low, high in pairwise(edges):
        upto = binomial_at_most(high - 1, n, p)
        total += (upto.upper - below) * bad(low)
        below = upto.lower
    assert total <= Fraction(1, 250)
    # The size is not far from what is needed: with a quarter of it, and even for sure that j is
    # the mean, a bad output has more than gamma.
    quarter = n // 4
    weight = Interval.exp(Interval.log(learner.decay(quarter), 128) * (quarter * (2 * p - 1)), 128)
    assert weight / (1 + weight) > TWENTIETH


def binomial_at_most(k: int, n: int, p: Fraction) -> Interval:
    """Enclose Pr[Bin(n, p) <= k], the incomplete beta function I_{1-p}(n - k, k + 1)."""
    if k >= n:
        return Interval.exactly(1)
    precision, flint.ctx.prec = flint.ctx.prec, 256
    try:
        q = flint.arb(flint.fmpq(p.denominator - p.numerator, p.denominator))
        value = q.beta_lower(n - k, k + 1, regularized=1)
        ends = [end.fmpq() for end in (value.lower(), value.upper())]
    finally:
        flint.ctx.prec = precision
    return Interval(*(Fraction(int(end.p), int(end.q)) for end in ends))


def test_one_hypothesis_needs_no_more_than_one_example() -> None:
    assert replace(EXAMPLE, class_size=1).sample_size == 1


def test_representatives_of_labelings_are_hypotheses_of_the_family() -> None:
    learner = FiniteDomainLearner(Thresholds(), [1, 2, 5], "1/10", 3)
    S = Sample([1, 2, 5, 5], [0, 1, 1, 0])
    law = learner.law(S)
    assert all(isinstance(h, Threshold) for h in law.support)
    assert sorted(tuple(h(x) for x in (1, 2, 5)) for h in law.support) == [
        (0, 0, 0),
        (0, 0, 1),
        (0, 1, 1),
        (1, 1, 1),
    ]
    r = learner.learner.decay(4)
    weights = {h: r ** sum(h(z.point) != z.label for z in S) for h in law.support}
    assert all(law.probability(h) == w / sum(weights.values()) for h, w in weights.items())
    assert learner.run(S, SeededCoins(1)) in law.support


@pytest.mark.parametrize(("family", "d"), [(Thresholds(), 1), (Intervals(), 2)])
def test_sauer_bounds_the_size_for_the_labelings(family: Thresholds | Intervals, d: int) -> None:
    learner = FiniteDomainLearner(family, range(12), TENTH, 1)
    bound = corollary_31(12, d, alpha=TENTH, beta=TENTH, gamma=TENTH, epsilon=Epsilon(1))
    assert bound.class_size == sum(math.comb(12, i) for i in range(d + 1))
    assert len(learner.labelings) <= bound.class_size
    assert learner.sample_size(TENTH, TENTH) <= bound.sample_size


def test_a_large_sample_on_a_finite_domain() -> None:
    S = ArraySample([i % 100 for i in range(200_000)], [i % 100 >= 37 for i in range(200_000)])
    learner = FiniteDomainLearner(Thresholds(), range(100), "1/20", 2)
    h = learner.run(S, SeededCoins(5))
    # c = 2 sqrt(200000) / sqrt(2 ln(4040)) = 219: a threshold wrong on two points in a hundred has
    # a weight of e**-4.4, so one wrong on more than twenty has less than e**-40 with all others.
    assert abs(sum(h(x) for x in range(100)) - 63) <= 20


def test_bad_input() -> None:
    make = partial(GenericAgnosticSize, 4, TENTH, TENTH, TENTH)
    refuses("epsilon: got 0", make, Epsilon(0))
    with pytest.raises(InvalidInput, match="'printed', 'proved' or 'sharp'"):
        make(Epsilon(1), "best")  # type: ignore[arg-type]  # what is tested
    refuses("alpha: got 0", replace, EXAMPLE, alpha=Fraction(0))
    with pytest.raises(InvalidInput, match="family"):
        FiniteDomainLearner(Thresholds, [1], TENTH, 1)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InvalidInput, match="point: got 3"):
        FiniteDomainLearner(Thresholds(), [1, 2], TENTH, 1).law(Sample([3], [0]))
    refuses("hypotheses: got none", FiniteDomainLearner, FiniteClass([], domain=[1]), [1], TENTH, 1)
