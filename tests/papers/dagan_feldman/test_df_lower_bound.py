"""The lower bound: hard distributions, the chain of inequalities, sizes, and what does not hold."""

import math
import pickle
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import TypeAlias

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, arithmetic, audit, classes, data, dimensions, testing
from pac_stability.papers.dagan_feldman import baselines, stable
from pac_stability.papers.dagan_feldman.lower_bound import (
    ExactPredictor,
    HardDistribution,
    VotingLearner,
    hard_average_error,
    hard_chain,
    hard_distribution,
    least_sample_size,
    light_mass,
)
from shared_refusals import refuses

F = Fraction
SampleOf: TypeAlias = data.Sample[Hashable]
Drawn: TypeAlias = tuple[dict[Hashable, int], SampleOf, Fraction]


@dataclass(frozen=True)
class Constant:
    """Predicts with one probability everywhere: 0-stable."""

    p: Fraction
    symmetric = True

    def probabilities(self, _: SampleOf, points: Sequence[Hashable], /) -> list[Fraction]:
        return [self.p] * len(points)


@dataclass(frozen=True)
class LastExample:
    """Predicts the last label at its point, and 1/3 elsewhere: the order matters."""

    def probabilities(self, sample: SampleOf, points: Sequence[Hashable], /) -> list[Fraction]:
        last = sample[len(sample) - 1]
        return [F(last.label) if x == last.point else F(1, 3) for x in points]


def draws(
    hard: HardDistribution, n: int
) -> Iterator[tuple[dict[Hashable, int], SampleOf, Fraction]]:
    """Every target, and every sample that it labels, with the probability of both."""
    points = dict(zip(hard.points, hard.masses, strict=True))
    ends = (0, 1) if hard.heavy_label is None else (hard.heavy_label,)
    targets = list(product(*[(0, 1)] * len(hard.light), ends))
    for labels in targets:
        target = dict(zip(points, labels, strict=True))
        for chosen in product(points, repeat=n):
            weight = math.prod((points[x] for x in chosen), start=F(1, len(targets)))
            yield target, data.Sample(chosen, [target[x] for x in chosen]), weight


def average_error(learner: ExactPredictor, hard: HardDistribution, n: int) -> Fraction:
    """E_h E_S L(A(S)) over ordered samples, as it is defined."""
    masses = dict(zip(hard.points, hard.masses, strict=True))
    total = F(0)
    for target, sample, weight in draws(hard, n):
        predicted = learner.probabilities(sample, hard.points)
        for x, p in zip(hard.points, predicted, strict=True):
            total += weight * masses[x] * (1 - p if target[x] else p)
    return total


def line_15_and_16(
    learner: ExactPredictor, hard: HardDistribution, n: int
) -> tuple[Fraction, Fraction]:
    """The two lines with S^flip(k), which is built here from S."""
    combined = separated = F(0)
    for target, sample, weight in draws(hard, n):
        for k, mass in zip(hard.light, hard.masses, strict=False):
            flipped: SampleOf = data.Sample(
                sample.points,
                [y ^ (x == k) for x, y in zip(sample.points, sample.labels, strict=True)],
            )
            p = F(learner.probabilities(sample, [k])[0])
            other = F(learner.probabilities(flipped, [k])[0])
            combined += weight * mass / 2 * abs((2 * target[k] - 1) + other - p)
            separated += weight * mass / 2 * (1 - abs(p - other))
    return combined, separated


def expected_rest(hard: HardDistribution, gamma: Fraction, n: int) -> Fraction:
    """E (1 - gamma N)_+, N binomial, from its definition."""
    p = hard.mass / len(hard.light)
    terms = (
        math.comb(n, k) * p**k * (1 - p) ** (n - k) * max(F(0), 1 - gamma * k) for k in range(n + 1)
    )
    return sum(terms, F(0))


HARD = {
    "paper, d=2": HardDistribution.shattered((0, 1), F(1, 8)),
    "paper, d=3": HardDistribution.shattered((0, 1, 2), F(3, 16)),
    "common, d=1": HardDistribution.with_common_label((1,), 0, 0, F(1, 8)),
    "common, d=2": HardDistribution.with_common_label((1, 2), 0, 1, F(1, 5)),
    "all light": HardDistribution.shattered((0, 1), F(1, 4)),
}


def learners() -> dict[str, ExactPredictor]:
    cube = classes.cube(3)
    return {
        "voting": VotingLearner(F(2, 5)),
        "voting, fully": VotingLearner(F(1)),
        "disjoint": baselines.DisjointAverage(cube, 2),
        "subsets": baselines.SubsetAverage(cube, 2),
        "exponential": baselines.ExponentialLearner(cube, arithmetic.Epsilon.exactly(4)),
        "constant": Constant(F(1, 3)),
        "last": LastExample(),
    }


# The distribution


def test_the_paper_s_distribution() -> None:
    """D(k) = 4 alpha/(d-1) for k < d and 1 - 4 alpha for k = d; all labellings are targets."""
    hard = HardDistribution.shattered("abcd", "1/10")
    assert dict(hard.marginal.items()) == {
        "a": F(2, 15), "b": F(2, 15), "c": F(2, 15), "d": F(3, 5)
    }  # fmt: skip
    assert sorted(hard.targets) == sorted(product((0, 1), repeat=4))
    law = hard.labelled((0, 1, 1, 0))
    assert law.probability(data.Example("b", 1)) == F(2, 15)
    assert law.probability(data.Example("d", 0)) == F(3, 5)
    assert law.probability(data.Example("a", 1)) == 0


@pytest.mark.parametrize("beta", [F(0), F(1, 10), F(1, 4), F(2, 5)])
def test_the_mass_is_the_best(beta: Fraction) -> None:
    """n gamma/m >= (1 - 2 beta - 2 (1 - beta) alpha/mass) / mass for every mass; best is chosen."""
    alpha = (1 - 2 * beta) / (4 * (1 - beta)) / 2

    def bound(mass: Fraction) -> Fraction:
        return (1 - 2 * beta - 2 * (1 - beta) * alpha / mass) / mass

    chosen = light_mass(alpha, beta)
    assert bound(chosen) == (1 - 2 * beta) ** 2 / (8 * (1 - beta) * alpha)
    assert all(bound(F(k, 1000)) <= bound(chosen) for k in range(1, 1001))
    assert light_mass(2 * alpha, beta) == 1
    refuses("alpha", light_mass, 2 * alpha + F(1, 10**9), beta)


@pytest.mark.parametrize("name", sorted(HARD))
@pytest.mark.parametrize("gamma", [F(0), F(1, 3), F(2, 5), F(1)])
def test_the_two_bounds(name: str, gamma: Fraction) -> None:
    hard = HARD[name]
    for n in range(9):
        assert hard.truncated_bound(gamma, n) == hard.mass / 2 * expected_rest(hard, gamma, n)
        mean = n * hard.mass / len(hard.light)
        assert hard.linear_bound(gamma, n) == hard.mass / 2 * (1 - gamma * mean)
        assert hard.linear_bound(gamma, n) <= hard.truncated_bound(gamma, n)


# The chain


@pytest.mark.parametrize("name", sorted(HARD))
@pytest.mark.parametrize("which", sorted(learners()))
def test_every_line_of_the_chain(name: str, which: str) -> None:
    hard, learner, n = HARD[name], learners()[which], 2 if len(HARD[name].light) > 1 else 3
    chain = hard_chain(learner, hard, n)
    assert all(above >= below for above, below in pairwise(chain.lines))
    assert chain.gamma == audit.uniform_stability(learner, hard.points, n).value
    assert chain.error == average_error(learner, hard, n) == hard_average_error(learner, hard, n)
    assert chain.on_light_points == chain.flipped == chain.combined
    assert (chain.combined, chain.separated) == line_15_and_16(learner, hard, n)
    assert chain.truncated == hard.mass / 2 * expected_rest(hard, chain.gamma, n)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("n", [2, 3])
def test_the_stable_learner_obeys_the_bound(d: int, n: int) -> None:
    learner = stable.StableLearner(classes.cube(d), 1, arithmetic.Epsilon.exactly(4))
    hard = hard_distribution(classes.cube(d), F(1, 8))
    chain = hard_chain(learner, hard, n, learner.stability(n))
    assert all(above >= below for above, below in pairwise(chain.lines))
    if n == 2:
        exact = hard_chain(learner, hard, n)
        assert exact.gamma <= learner.stability(n)
        assert chain.error == exact.error >= exact.truncated >= chain.truncated


@settings(max_examples=30)
@given(
    st.integers(1, 2),
    st.fractions(F(1, 50), F(1, 4), max_denominator=50),
    testing.strategies.probabilities(9),
    st.integers(1, 5),
)
def test_voting_attains_the_bound(m: int, alpha: Fraction, gamma: Fraction, n: int) -> None:
    light = tuple(range(m))
    common = HardDistribution.with_common_label(light, "heavy", 1, alpha)
    known = hard_chain(VotingLearner(gamma, data.Sample(["heavy"], [1])), common, n, gamma)
    assert known.error == known.truncated
    paper = HardDistribution.shattered((*light, "heavy"), alpha)
    free = hard_chain(VotingLearner(gamma), paper, n, gamma)
    assert free.on_light_points == free.separated == free.truncated
    # What is left is the error at the heavy point, seen N times: (1 - gamma N)_+ / 2.
    p = 1 - 4 * alpha
    terms = (
        math.comb(n, k) * p**k * (1 - p) ** (n - k) * max(F(0), 1 - gamma * k) / 2
        for k in range(n + 1)
    )
    assert free.error - free.on_light_points == p * sum(terms)


@pytest.mark.parametrize("gamma", [F(0), F(1, 3), F(2, 5), F(1)])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_voting_is_exactly_gamma_stable(gamma: Fraction, n: int) -> None:
    learner = VotingLearner(gamma)
    assert audit.uniform_stability(learner, 2, n).value == learner.stability(n) == gamma
    informed = VotingLearner(gamma, data.Sample([0], [1]))
    assert audit.uniform_stability(informed, 2, n).value == gamma
    sample: SampleOf = data.Sample([1, 1, 0], [0, 1, 0])[:n]
    assert informed.probabilities(sample, [0]) == (F(1),)
    labels = data.enumerate_law(lambda rng: learner.predict(sample, 0, rng))
    assert (labels.probability(1),) == learner.probabilities(sample, [0])


def test_the_chain_needs_the_stability_of_the_learner() -> None:
    """With a smaller gamma than its own, the learner's error is below the bound."""
    hard = HARD["common, d=1"]
    learner = VotingLearner(F(1), data.Sample([0], [0]))
    chain = hard_chain(learner, hard, 3, F(1, 2))
    assert chain.error < chain.truncated


def test_the_voting_learner_can_be_sent_to_another_process() -> None:
    learner = VotingLearner(F(1, 3), data.Sample(["heavy"], [1]))
    assert pickle.loads(pickle.dumps(learner)) == learner  # noqa: S301  # our own


# Sizes


@given(
    st.integers(2, 9),
    st.fractions(F(1, 100), 1, max_denominator=100),
    st.fractions(F(1, 100), F(1, 4), max_denominator=100),
)
def test_the_size_of_theorem_11(d: int, gamma: Fraction, alpha: Fraction) -> None:
    n = least_sample_size(d - 1, gamma, alpha, constants="printed")
    assert n == math.ceil((d - 1) / (8 * gamma * alpha))


@settings(max_examples=60)
@given(
    st.integers(1, 5),
    st.fractions(F(1, 9), 1, max_denominator=9),
    st.fractions(F(1, 30), F(1, 4), max_denominator=30),
    st.sampled_from([F(0), F(1, 10), F(1, 4)]),
)
def test_sharp_sizes_are_the_least_that_the_truncated_bound_allows(
    m: int, gamma: Fraction, alpha: Fraction, beta: Fraction
) -> None:
    alpha = alpha * (1 - 2 * beta) / (1 - beta)
    paper = least_sample_size(m, gamma, alpha, beta, constants="printed")
    sharp = least_sample_size(m, gamma, alpha, beta, constants="sharp")
    assert paper == math.ceil((1 - 2 * beta) ** 2 * m / (8 * (1 - beta) * gamma * alpha))
    hard = HardDistribution.with_common_label(range(m), "heavy", 0, alpha, beta)
    allowed = (1 - beta) * alpha + beta * hard.mass

    def excluded(n: int) -> bool:
        return hard.mass / 2 * expected_rest(hard, gamma, n) > allowed

    assert paper <= sharp
    assert excluded(sharp - 1)
    assert not excluded(sharp)


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("alpha", [F(1, 20), F(1, 5)])
def test_with_fewer_examples_some_target_is_missed(m: int, alpha: Fraction) -> None:
    """Below the size the average over the targets of the expected error is above alpha."""
    cube = classes.cube(m + 1)
    hard = HardDistribution.shattered(range(m + 1), alpha)
    for learner in (
        VotingLearner(F(1, 4)),
        baselines.DisjointAverage(cube, 1),
        stable.StableLearner(cube, 1, arithmetic.Epsilon.exactly(4)),
        baselines.ExponentialLearner(cube, arithmetic.Epsilon.exactly(9)),
    ):
        sizes = [n for n in range(1, 5) if n < least_sample_size(m, learner.stability(n), alpha)]
        assert sizes or alpha == F(1, 5)
        for n in sizes:
            assert hard_average_error(learner, hard, n) > alpha


def test_sizes_grow_as_more_is_asked() -> None:
    for constants in ("paper", "sharp"):
        size = least_sample_size(3, F(1, 10), F(1, 20), F(1, 10), constants=constants)
        assert size <= least_sample_size(4, F(1, 10), F(1, 20), F(1, 10), constants=constants)
        assert size <= least_sample_size(3, F(1, 11), F(1, 20), F(1, 10), constants=constants)
        assert size <= least_sample_size(3, F(1, 10), F(1, 21), F(1, 10), constants=constants)
        assert size <= least_sample_size(3, F(1, 10), F(1, 20), F(1, 11), constants=constants)


@pytest.mark.parametrize("which", ["voting", "voting, fully", "disjoint", "subsets", "exponential"])
@pytest.mark.parametrize("name", ["paper, d=2", "common, d=1", "common, d=2"])
def test_the_size_with_confidence_holds_for_learners(which: str, name: str) -> None:
    """What (alpha, beta) a learner achieves on the targets bounds its expected error from above."""
    n, learner = 2, learners()[which]
    for mass in (F(1, 4), F(1, 2), F(4, 5)):
        hard = replace(HARD[name], mass=mass)
        gamma = audit.uniform_stability(learner, hard.points, n).value
        assert isinstance(gamma, Fraction)
        for alpha in (F(1, 40), F(1, 10), F(1, 5)):
            beta = F(0)
            for target, sample, weight in draws(hard, n):
                predicted = learner.probabilities(sample, hard.light)
                errors = [abs(target[x] - F(p)) for x, p in zip(hard.light, predicted, strict=True)]
                beta += weight * (hard.masses[0] * sum(errors) > alpha)
            m = len(hard.light)
            assert (1 - beta) * alpha + beta * mass >= hard.truncated_bound(gamma, n)
            assert n * gamma * mass >= m * (1 - 2 * beta - 2 * (1 - beta) * alpha / mass)


# One dimension


def test_theorem_11_says_nothing_in_one_dimension_and_the_repaired_form_does() -> None:
    """With d = 1 the proof divides by d - 1 = 0 points; a common label supplies the heavy point."""
    H = classes.thresholds(2)
    assert dimensions.vc_dimension(H) == 1
    with pytest.raises(InvalidInput, match="light_points: got 0"):
        least_sample_size(dimensions.vc_dimension(H) - 1, F(1, 10), F(1, 10))
    refuses("points: got fewer than two", HardDistribution.shattered, [0], F(1, 10))
    hard = hard_distribution(H, F(1, 10))
    assert (hard.light, hard.heavy, hard.heavy_label) == ((0,), 1, 1)
    assert least_sample_size(1, F(1, 10), F(1, 10)) == 13  # 1 / (8/100) = 12.5
    # The informed voting learner learns the two hypotheses: 13 is the order of what is needed.
    learner = VotingLearner(F(1, 10), data.Sample([1], [1]))
    assert hard_average_error(learner, hard, 11) > F(1, 10)
    assert hard_average_error(learner, hard, 13) < F(1, 10)


def test_two_complementary_hypotheses_are_learned_from_one_example() -> None:
    """Why the repaired form needs a common label: here n = 1 whatever alpha, at stability 1."""
    pair = classes.FiniteClass([[0, 1], [1, 0]])
    assert dimensions.vc_dimension(pair) == 1
    for H in (pair, classes.FiniteClass([[0], [1]]), classes.FiniteClass([[0, 1]])):
        with pytest.raises(InvalidInput, match=r"H: got .* agree at one point and differ at anoth"):
            hard_distribution(H, F(1, 100))
    learner = baselines.DisjointAverage(pair, 1)
    for h in pair:
        for x in (0, 1):
            assert learner.probabilities(data.Sample([x], [h(x)]), [0, 1]) == (F(h(0)), F(h(1)))
    # What it would be with a common label:
    assert (
        least_sample_size(1, 1, F(1, 100), constants="proved") == 13
    )  # what it would be with a common label


@pytest.mark.parametrize(
    ("H", "m", "common"),
    [
        (classes.thresholds(4), 1, True),
        (classes.singletons(3), 1, True),
        (classes.intervals(4), 2, True),
        (classes.cube(3), 2, False),
        (classes.FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]), 1, False),
    ],
    ids=["thresholds", "singletons", "intervals", "cube", "even sets"],
)
def test_hard_distributions_of_classes(H: classes.FiniteClass, m: int, common: bool) -> None:
    """Every target is a hypothesis; where a common label exists, no shattered point is lost."""
    hard = hard_distribution(H, F(1, 8))
    assert len(hard.light) == m
    assert (hard.heavy_label is not None) is common
    patterns = {tuple(h(x) for x in hard.points) for h in H}
    assert set(hard.targets) <= patterns


# Confidence instead of expectation


def failures(errors: dict[int, Fraction], alpha: Fraction, p: Fraction, n: int) -> Fraction:
    """The probability, N binomial, that the error is above alpha."""
    return sum(
        (math.comb(n, k) * p**k * (1 - p) ** (n - k) for k, e in errors.items() if e > alpha), F(0)
    )


def test_a_learner_with_confidence_below_the_size_of_theorem_11() -> None:
    """d = 2, gamma = 1, alpha = 1/100: Theorem 11 asks for 12.5 examples; 12 do for beta = 4/5.

    Voting with gamma = 1 predicts the labels it saw, and 1/2 at a point it did not see. On two
    points of mass p and 1-p it errs by p/2 if all n examples are at the other point, by (1-p)/2 if
    all are at this one, and never otherwise. So it fails with probability (1-p)^n [p > 2 alpha] +
    p^n [1-p > 2 alpha]. Between 2 alpha and 1 - 2 alpha that is convex in p, so largest at the
    ends; outside, one summand is left, which is smaller.
    """
    n, alpha, beta, learner = 12, F(1, 100), F(4, 5), VotingLearner(F(1))
    assert audit.uniform_stability(learner, 2, 3).value == 1
    assert n < 1 / (8 * 1 * alpha)
    for labels in product((0, 1), repeat=2):
        for k in range(n + 1):
            points = [0] * (n - k) + [1] * k
            sample: SampleOf = data.Sample(points, [labels[x] for x in points])
            wrong = [
                abs(y - p)
                for y, p in zip(labels, learner.probabilities(sample, [0, 1]), strict=True)
            ]
            assert wrong == [F(k == n, 2), F(k == 0, 2)]
    assert (1 - 2 * alpha) ** n + (2 * alpha) ** n < beta
    for p in (F(1, 10**6), 2 * alpha, 2 * alpha + F(1, 10**6), F(1, 10), F(1, 2), F(97, 100)):
        errors = dict.fromkeys(range(n + 1), F(0)) | {0: p / 2, n: (1 - p) / 2}
        assert failures(errors, alpha, p, n) < beta


@dataclass(frozen=True)
class TwoExamples:
    """On two points, the label of the first known: the two examples are trusted differently.

    The first example moves the prediction at the point 1 by 9/50 towards label 1 or by 4/50 towards
    label 0; the second by 4/50 or by 9/50.
    """

    def probabilities(self, sample: SampleOf, points: Sequence[Hashable], /) -> list[Fraction]:
        p = F(1, 2)
        for (point, label), up in zip(
            zip(sample.points, sample.labels, strict=True), (F(18, 100), F(8, 100)), strict=True
        ):
            if point == 1:
                p += up if label else up - F(26, 100)
        return [p if x == 1 else F(0) for x in points]


def test_a_learner_with_confidence_below_the_size_for_expectations() -> None:
    """Two hypotheses, beta = 7/16 < 1/2: two examples do where expectations need 2.003.

    H has two hypotheses, which agree at 0 and differ at 1. For a distribution with mass p at 1 the
    error is p times the error there, and is determined by which of the examples are at 1. The
    breakpoints are the p at which one of these errors reaches alpha; between two of them the
    probability to fail is a polynomial that falls with p, so its supremum is at the left end.
    """
    n, alpha, beta, gamma, learner = 2, F(6, 25), F(7, 16), F(13, 50), TwoExamples()
    assert audit.uniform_stability(learner, 2, n).value == gamma
    assert n < 1 / (8 * gamma * alpha)
    assert least_sample_size(1, gamma, alpha) == 3
    supremum = F(0)
    for label in (0, 1):
        wrong = {
            places: abs(
                label
                - learner.probabilities(data.Sample(places, [x * label for x in places]), [1])[0]
            )
            for places in product((0, 1), repeat=n)
        }

        def fail(p: Fraction, at: Fraction, wrong: dict[tuple[int, ...], Fraction]) -> Fraction:
            """P(error > alpha), the error at mass p, the probability at mass ``at``."""
            return sum(
                (at ** sum(places) * (1 - at) ** (n - sum(places)))
                for places, error in wrong.items()
                if p * error > alpha
            ) + F(0)

        ends = sorted({F(0), F(1), *(min(F(1), alpha / error) for error in wrong.values())})
        for left, right in pairwise(ends):
            middle = (left + right) / 2
            points = [left + (right - left) * F(j, 20) for j in range(21)]
            values = [fail(middle, p, wrong) for p in points]
            assert all(a >= b for a, b in pairwise(values))
            supremum = max(supremum, values[0])
        assert fail(F(1), F(1), wrong) == 0
    assert supremum == beta


# Bad input


def test_bad_input() -> None:
    refuses("light: got 0 twice", HardDistribution, (0, 1), 0, F(1, 2))
    refuses("light: got none", HardDistribution, (), 0, F(1, 2))
    for mass in (F(0), F(-1), F(3, 2)):
        refuses("mass", HardDistribution, (1,), 0, mass)
    refuses("heavy_label: got 2", HardDistribution, (1,), 0, F(1, 2), 2)
    for beta in (F(1, 2), F(-1, 10)):
        refuses("beta", light_mass, F(1, 100), beta)
    for alpha in (0, F(1, 3), 1):
        refuses("alpha", least_sample_size, 1, 1, alpha)
    for gamma in (0, -1, 2):
        refuses("gamma", least_sample_size, 1, gamma, F(1, 5))
    refuses("gamma: got 2", VotingLearner, F(2))
    refuses("known: got 0 twice", VotingLearner, F(1), data.Sample([0, 0], [0, 1]))
    hard = HARD["paper, d=2"]
    refuses("n: got 0", hard_chain, VotingLearner(F(1)), hard, 0)
    with pytest.raises(InvalidInput, match="learner: got 2, want an exact number from 0 to 1"):
        hard_average_error(Constant(F(2)), hard, 1)
    with pytest.raises(InvalidInput, match="H: got the empty class"):
        hard_distribution(classes.FiniteClass([], domain=[0]), F(1, 8))


@pytest.mark.parametrize(
    ("gamma", "alpha"), [(F(1), F(1, 9000)), (F(2, 5), F(1, 4001)), (F(1, 50), F(1, 97))]
)
def test_the_sharp_size_is_the_least_that_the_exact_bound_allows(gamma: F, alpha: F) -> None:
    n = least_sample_size(2, gamma, alpha, constants="sharp")
    hard = HardDistribution.shattered("abc", alpha)
    assert n > 1000  # where enclosures decide
    assert hard.truncated_bound(gamma, n) <= alpha < hard.truncated_bound(gamma, n - 1)


def test_the_sharp_size_at_extremes() -> None:
    least = F(1, 10**30)
    printed = [least_sample_size(m, 1, least, constants="proved") for m in (1, 10**30)]
    assert printed == [10**30 // 8, 10**60 // 8]
    sharp = [least_sample_size(m, 1, least) for m in (1, 10**30)]
    # (1 - 4 alpha / m)**n = 1/2: for gamma = 1 only samples without the point count.
    for m, n in zip((1, 10**30), sharp, strict=True):
        assert abs(n * 4 / (m * 10**30 * math.log(2)) - 1) < 1e-12
    assert least_sample_size(1, least, F(1, 8)) == 10**30
