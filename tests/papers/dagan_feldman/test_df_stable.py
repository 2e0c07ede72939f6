"""The stable learner: what runs, its law, its parameterisations, and what it refuses."""

import math
import pickle
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, Epsilon, Interval, InvalidInput, SeededCoins, classes
from pac_stability.classes import Family, FiniteClass, Hypothesis
from pac_stability.data import Sample, enumerate_law
from pac_stability.papers.dagan_feldman.stable import StableLearner
from pac_stability.testing import strategies
from shared_draws import Subset, with_subset_size
from shared_refusals import refuses

SampleOf: TypeAlias = Sample[Hashable]
Selection: TypeAlias = dict[Hypothesis, Fraction]
Naive: TypeAlias = Callable[[Family, SampleOf, int, Fraction], Selection]

NINE_QUARTERS = Epsilon.exactly(Fraction(9, 4))  # rho = 2/3

decays = st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(9, 10), Fraction(1)])


def epsilon_of(decay: Fraction) -> Epsilon:
    return Epsilon.exactly(decay**-2)


INSTANCES = with_subset_size(strategies.classes_with_samples(max_hypotheses=6))
SMALL = with_subset_size(strategies.classes_with_samples(max_hypotheses=6, max_size=4))


@given(INSTANCES, decays, st.integers(0, 9))
def test_the_law_is_the_average_over_all_index_sets(
    chosen: Callable[[FiniteClass, int], Family],
    naive_selection: Naive,
    instance: Subset,
    decay: Fraction,
    seed: int,
) -> None:
    finite, sample, size = instance
    for H in (finite, chosen(finite, seed)):
        learner = StableLearner(H, size, epsilon_of(decay))
        selection = naive_selection(H, sample, size, decay)
        assert dict(learner.law(sample).items()) == selection
        assert learner.probabilities(sample, finite.domain) == tuple(
            sum((p for h, p in selection.items() if h(x)), Fraction(0)) for x in finite.domain
        )


@given(SMALL, decays, st.integers(0, 9))
def test_what_runs_has_the_law(
    chosen: Callable[[FiniteClass, int], Family], instance: Subset, decay: Fraction, seed: int
) -> None:
    """Every path of the coins is followed: the subset, then the exponential mechanism."""
    finite, sample, size = instance
    learner = StableLearner(chosen(finite, seed), size, epsilon_of(decay))
    assert enumerate_law(lambda rng: learner.run(sample, rng)) == learner.law(sample)
    label = enumerate_law(lambda rng: learner.predict(sample, 0, rng))
    assert (label.probability(1),) == learner.probabilities(sample, [0])


@pytest.mark.parametrize(("family", "points"), [
    (classes.Thresholds(), [3, Fraction(1, 2), 3, 7]),
    (classes.SignedThresholds(), [0, 1, 1, 2]),
    (classes.Subsets(1), ["b", "a", "b", "c"]),
    (classes.Boxes(2), [(0, 0), (1, 1), (0, 0), (2, 1)]),
    # Rows of two tables: the empty set and thresholds of one, {0} and {1} of the other.
    (classes.Union(classes.thresholds(3), classes.singletons(3)), [2, 0, 2, 1]),
])  # fmt: skip
def test_other_families(family: Family, points: Sequence[Hashable], naive_selection: Naive) -> None:
    sample = Sample(points, [0, 1, 1, 0])
    learner = StableLearner(family, 2, NINE_QUARTERS)
    selection = naive_selection(family, sample, 2, Fraction(2, 3))
    assert dict(learner.law(sample).items()) == selection
    assert enumerate_law(lambda rng: learner.run(sample, rng)) == learner.law(sample)


def test_no_index_is_drawn_twice() -> None:
    """H is all sets of at most one point, one example has label 1, and n' = n - 1.

    With a privacy parameter of 40, one more error divides a weight by e**20. If the subset has the
    example of label 1, the hypothesis without errors is drawn; else all points but that one are in
    it, and the empty set has one error. A repeated index would lose the example oftener.
    """
    n = 30
    sample = Sample(range(n), [0] * (n - 1) + [1])
    learner = StableLearner(classes.Subsets(1), n - 1, 40)
    missed = sum(sample.count_errors(learner.run(sample, SeededCoins(k))) for k in range(300))
    # The number of misses is binomial with mean 10; with replacement the mean would be 112.
    assert 0 < missed < 30


@given(SMALL, decays, st.data())
def test_the_hypothesis_of_any_set_of_points_and_any_sample(
    instance: Subset, decay: Fraction, data: st.DataObject
) -> None:
    """Definition of h_{S,T}: T is any set of points, not only one of S."""
    H, sample, size = instance
    points = data.draw(st.lists(st.sampled_from(H.domain), max_size=5))
    learner = StableLearner(H, size, epsilon_of(decay))
    law = learner.conditioned_on(points).law(sample)
    weights = {
        h: decay ** sum(h(x) != y for x, y in zip(sample.points, sample.labels, strict=True))
        for h in H.representatives_on(points)
    }
    total = sum(weights.values())
    assert dict(law.items()) == {h: weight / total for h, weight in weights.items()}


@settings(max_examples=40)
@given(st.fractions("1/100", "99/100"), st.fractions("1/10", "9/10"), st.integers(1, 5000))
def test_the_sharp_parameters_spend_gamma_and_no_more(
    gamma: Fraction, split: Fraction, n: int
) -> None:
    H = classes.thresholds(3)
    if n * split * gamma < 1:
        with pytest.raises(InvalidInput, match=f"at least {math.ceil(1 / (split * gamma))} "):
            StableLearner.from_stability(H, gamma, n, split=split)
        return
    learner = StableLearner.from_stability(H, gamma, n, split=split)
    q = Fraction(learner.subset_size, n)
    s = (1 - learner.decay) / (1 + learner.decay)
    assert q <= split * gamma < q + Fraction(1, n)
    assert learner.stability(n) == q + (1 - q) * s
    assert gamma * (1 - Fraction(1, 2**10)) <= learner.stability(n) <= gamma
    assert learner.stability(2 * n) < gamma


@settings(max_examples=40)
@given(st.fractions("1/100", "99/100"), st.integers(200, 5000))
def test_the_parameters_of_the_paper(gamma: Fraction, n: int) -> None:
    H = classes.thresholds(3)
    outline = StableLearner.from_outline(H, gamma, n)
    lemma = StableLearner.from_lemma_13(H, gamma, n)
    assert outline.subset_size == n * gamma / 2 // 1
    assert lemma.subset_size == n * gamma // 1
    # The privacy parameters are gamma/4 and gamma, never exceeded and nearly met.
    for learner, epsilon in ((outline, gamma / 4), (lemma, gamma)):
        assert Interval.log(learner.epsilon.ratio, 256) <= epsilon
        assert learner.decay**-2 <= learner.epsilon.ratio
        assert Interval.log(learner.decay**-2) > epsilon * (1 - Fraction(1, 2**10))
    # What the paper promises, its chain of inequalities, and the exact bound.
    assert outline.stability(n) < outline.paper_stability(n) <= gamma
    assert lemma.stability(n) < lemma.paper_stability(n)
    assert lemma.paper_stability(n) <= Fraction(lemma.subset_size, n) + 2 * gamma <= 3 * gamma


def test_a_learner_built_for_a_guarantee_refuses_smaller_samples() -> None:
    learner = StableLearner.from_stability(classes.thresholds(2), Fraction(1, 2), 8)
    sample = Sample([0, 1, 0, 1, 0, 1, 0], [0, 1] * 3 + [0])
    for use in (
        lambda: learner.law(sample),
        lambda: learner.run(sample),
        lambda: learner.predict(sample, 0),
        lambda: learner.probabilities(sample, [0]),
        lambda: learner.enclosed(sample),
    ):
        refuses(r"^sample: got 7 examples, want at least 8 examples", use)
    for bound in (learner.stability, learner.paper_stability, learner.guarantee):
        refuses(r"^n: got 7, want an integer that is at least 8", bound, 7)
    assert learner.law(sample + Sample([1], [1])).support


@pytest.mark.parametrize("value", [0, 1, Fraction(-1, 2), 2, float("nan"), "half"])
def test_parameters_outside_the_open_interval(value: Fraction) -> None:
    H = classes.thresholds(3)
    for make in (
        StableLearner.from_stability,
        StableLearner.from_outline,
        StableLearner.from_lemma_13,
    ):
        refuses(r"^gamma: ", make, H, value, 1000)
    refuses(r"^split: ", StableLearner.from_stability, H, Fraction(1, 2), 1000, split=value)


def test_bad_parameters() -> None:
    H = classes.thresholds(3)
    for size in (0, -1, 1.0, True):
        with pytest.raises(InvalidInput, match=r"^subset_size: .* at least 1"):
            StableLearner(H, size, 1)  # type: ignore[arg-type]  # a float and a boolean are refused
    refuses(r"^least_sample_size: ", StableLearner, H, 1, 1, least_sample_size=-1)
    for epsilon in (-1, math.nan, math.inf):
        refuses(r"^epsilon: ", StableLearner, H, 1, epsilon)
    for empty in (FiniteClass([]), FiniteClass([], domain=[])):
        refuses(r"^H: got the empty class", StableLearner, empty, 1, 1)
    with pytest.raises(InvalidInput, match=r"^H: .* want a class"):
        StableLearner([[0, 1]], 1, 1)  # type: ignore[arg-type]  # a table is no class yet
    refuses(r"^n: got 3, want at least 4 ", StableLearner.from_lemma_13, H, Fraction(1, 4), 3)


def test_bad_samples() -> None:
    learner = StableLearner(classes.thresholds(3), 3, 1)
    with pytest.raises(InvalidInput, match=r"^sample: got 2 examples, want at least 3 examples"):
        learner.run(Sample([0, 1], [0, 1]))
    with pytest.raises(InvalidInput, match=r"^sample: .* want a Sample"):
        learner.law([(0, 1)])  # type: ignore[arg-type]  # pairs are no sample
    outside = Sample([0, 1, 2, 3], [0, 1, 1, 1])
    for seed in range(4):  # whether or not the subset has it
        refuses(r"^point: got 3", learner.run, outside, SeededCoins(seed))
    refuses(r"^point: got 3", learner.law, outside)
    refuses(r"^point: got 3", learner.probabilities, Sample([0, 1, 2], [0, 1, 1]), [3])
    refuses(r"^point: got 3", learner.predict, Sample([0, 1, 2], [0, 1, 1]), 3)
    with pytest.raises(InvalidInput, match=r"^point: "):
        StableLearner(classes.Thresholds(), 1, 1).run(Sample([0, 1, "x"], [0, 1, 1]))


@settings(max_examples=40)
@given(INSTANCES, decays)
def test_compiled_variants_are_of_the_same_law(instance: Subset, decay: Fraction) -> None:
    H, sample, size = instance
    learner = StableLearner(H, size, epsilon_of(decay))
    law = learner.law(sample)
    assert learner.enclosed(sample).law().encloses(law)


def test_a_learner_travels_to_another_process() -> None:
    learner = StableLearner.from_stability(classes.thresholds(2), Fraction(1, 2), 8)
    again = pickle.loads(pickle.dumps(learner))  # noqa: S301  # made on the line itself
    assert again == learner
    assert again.decay == learner.decay
    sample = Sample([0, 1] * 4, [0, 1] * 4)
    fixed = pickle.loads(pickle.dumps(learner.conditioned_on([0])))  # noqa: S301  # likewise
    assert fixed.law(sample) == learner.conditioned_on([0]).law(sample)


@pytest.mark.parametrize(("family", "points"), [
    (classes.Thresholds(), [0, 1, 1, 2, 3]),  # infinite, with an additive normaliser
    (classes.Singletons(), [0, 1, 1, 2, 5]),
    (classes.thresholds(4), [0, 1, 1, 2, 3]),  # finite, with one
    (classes.intervals(4), [0, 1, 1, 2, 3]),  # finite, without
])  # fmt: skip
def test_bounds_enclose_the_law_by_either_way(family: Family, points: list[Hashable]) -> None:
    sample = Sample(points, [0, 1, 0, 1, 1])
    learner = StableLearner(family, 2, epsilon_of(Fraction(3, 5)))
    found = learner.enclosed(sample)
    assert found.slack < Fraction(1, 10**12)
    exact = learner.probabilities(sample, [0, 1, 2, 3])
    for enclosure, p in zip(found.probabilities([0, 1, 2, 3]), exact, strict=True):
        assert enclosure.lower <= p <= enclosure.upper


def test_bounds_where_there_are_too_many_subsets_for_the_law() -> None:
    sample = Sample(range(60), [int(x >= 30) for x in range(60)])
    learner = StableLearner(classes.Thresholds(), 30, 1)
    with pytest.raises(BudgetExhausted):
        learner.law(sample)
    assert learner.enclosed(sample).slack < Fraction(1, 10**10)


@pytest.mark.parametrize(
    ("H", "points"),
    [
        (classes.Stumps(2), [(i % 6, i // 6) for i in range(30)]),
        (classes.Stumps(3), [(i % 2, i // 2 % 2, i // 4) for i in range(8)]),
        (classes.Intervals(), range(20)),
    ],
    ids=["stumps in 2 dimensions", "stumps in 3 dimensions", "intervals"],
)
def test_other_families_are_gone_through_or_refused_and_their_tables_enclosed(
    H: Family, points: Sequence[Hashable]
) -> None:
    sample = Sample(points, [int(i % 6 > 2) for i in range(len(points))])
    # Few subsets: with the representatives of the family, as the exact law.
    few = StableLearner(H, 2, 1)
    enclosed, exact = few.enclosed(sample), few.law(sample)
    assert enclosed.slack < Fraction(1, 2**100)
    law = dict(enclosed.law().items())
    assert {h: p in law[h] for h, p in exact.items()} == dict.fromkeys(law, True)
    answers = zip(enclosed.probabilities(points), few.probabilities(sample, points), strict=True)
    assert all(p in around for around, p in answers)
    refuses("", enclosed.probabilities, ["elsewhere"])
    if len(points) > 8:  # more than 30,000 sets
        with pytest.raises(InvalidInput, match=r"^H: got .*30,000.*write H\.restrict\(points\)"):
            StableLearner(H, 6, 1).enclosed(sample)
    found = StableLearner(H.restrict(points), 6, 1).enclosed(sample)
    assert found.slack < Fraction(1, 2**50)
    for p in found.probabilities(points):
        assert p.upper - p.lower < Fraction(1, 2**50)
