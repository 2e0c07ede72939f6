"""The private baselines: probabilities by their definition, privacy and stability attained."""

import pickle
from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, Interval, Sample, audit, classes, enumerate_law, errors
from pac_stability.classes import FiniteClass, Hypothesis
from pac_stability.papers.dagan_feldman import answers, baselines
from pac_stability.testing import strategies
from shared_refusals import refuses

TWO = Epsilon.exactly(2)


def minimisers(H: FiniteClass, sample: Sample[Hashable], blocks: int) -> list[Hypothesis]:
    size = len(sample) // blocks
    parts = [sample[size * j : size * (j + 1)] for j in range(blocks)]
    return [answers.empirical_risk_minimiser(H, part) for part in parts]


# Aggregation with discrete noise


@given(
    strategies.samples(range(2), min_size=3, max_size=7),
    st.integers(1, 3),
    st.sampled_from([2, 3, Fraction(5, 4)]),
)
def test_aggregation_is_the_expected_clamped_noisy_share(
    sample: Sample[Hashable], blocks: int, factor: Fraction
) -> None:
    """Noise z has probability (1-q)/(1+q) q^|z|; it is summed out to where clamping ends it."""
    H, q = classes.thresholds(2), 1 / Fraction(factor)
    learner = baselines.DworkFeldmanAggregation(H, blocks, Epsilon.exactly(factor))
    votes = [sum(h(x) for h in minimisers(H, sample, blocks)) for x in (0, 1)]

    def expected(v: int) -> Fraction:
        # At r every larger noise counts as well: the tail from z > 0 on is q^z / (1+q).
        top = q ** (blocks - v) / (1 + q) if v < blocks else 1 / (1 + q)
        inside = (
            (1 - q) / (1 + q) * q ** abs(k - v) * Fraction(k, blocks) for k in range(1, blocks)
        )
        return top + sum(inside)

    assert learner.probabilities(sample, [0, 1]) == tuple(expected(v) for v in votes)


@pytest.mark.parametrize(("blocks", "n"), [(1, 1), (2, 2), (2, 4), (3, 3), (3, 4), (4, 4)])
def test_aggregation_is_exactly_as_private_and_stable_as_it_says(blocks: int, n: int) -> None:
    learner = baselines.DworkFeldmanAggregation(classes.thresholds(2), blocks, TWO)
    assert audit.private_prediction(learner, 2, n).value == learner.guarantee.factor == 2
    assert audit.uniform_stability(learner, 2, n).value == learner.stability(n)
    assert learner.stability(n) < Fraction(1, blocks)


@pytest.mark.parametrize("blocks", [1, 2, 5, 20])
@pytest.mark.parametrize("epsilon", [Epsilon(0.1), Epsilon(1.0), TWO])
def test_the_bias_is_the_largest_and_below_half_the_scale(blocks: int, epsilon: Epsilon) -> None:
    learner = baselines.DworkFeldmanAggregation(classes.thresholds(1), blocks, epsilon)
    shares = [Fraction(v, blocks) for v in range(blocks + 1)]
    # A sample of one example a block: the minimisers' labels at 0 are the labels of the sample.
    moved = [
        abs(learner.probabilities(Sample([0] * blocks, [1] * v + [0] * (blocks - v)), [0])[0] - s)
        for v, s in enumerate(shares)
    ]
    assert learner.bias == max(moved)
    assert learner.bias < 1 / (2 * blocks * learner.guarantee.epsilon.interval(256))


def test_aggregation_runs_as_it_says() -> None:
    learner = baselines.DworkFeldmanAggregation(classes.thresholds(2), 3, TWO)
    sample: Sample[Hashable] = Sample([0, 1, 1, 0], [1, 0, 1, 0])
    labels = enumerate_law(lambda rng: learner.predict(sample, 1, rng))
    assert (labels.probability(1),) == learner.probabilities(sample, (1,))


# Aggregation with continuous noise


@pytest.mark.parametrize("voters", [1, 2, 3, 10])
@pytest.mark.parametrize("epsilon", [Epsilon(0.25), Epsilon(1.0), Epsilon.exactly(10)])
def test_the_laplace_vote_is_the_expected_clamped_noisy_share(
    voters: int, epsilon: Epsilon
) -> None:
    """E clip(v + Z, 0, 1) is the integral of P(v + Z > s) over 0 < s < 1.

    The integrand falls in s, so that lower and upper Riemann sums enclose it.
    """
    vote, scale = baselines.LaplaceMeanVote(epsilon), 1 / (voters * epsilon.interval())

    def exceeds(z: Fraction) -> Interval:  # P(Z > z)
        tail = Interval.exp(-abs(z) / scale) / 2
        return tail if z >= 0 else 1 - tail

    steps = 60
    for v in range(voters + 1):
        heights = [exceeds(Fraction(s, steps) - Fraction(v, voters)) for s in range(steps + 1)]
        lower = sum(heights[1:], Interval.exactly(0)) / steps
        upper = sum(heights[:-1], Interval.exactly(0)) / steps
        assert lower <= vote.probability(v, voters) <= upper
        # The distance of the two sums is at most 1/60: not near enough for signs and constants.
        trapezoid = (lower + upper) / 2
        # Its error is at most (1/12) steps^-2 times the largest second derivative, 1/(2 b^2),
        # and at the kink, where the slope is 1/(2b), at most 1/(4 b steps^2) more.
        error = (1 / (24 * scale * scale) + 1 / (4 * scale)) / steps**2
        assert trapezoid - error <= vote.probability(v, voters) <= trapezoid + error


@pytest.mark.parametrize("voters", [1, 2, 3, 10, 40])
@pytest.mark.parametrize("epsilon", [Epsilon(0.25), Epsilon(1.0), Epsilon.exactly(10)])
def test_the_factor_and_bias_of_the_laplace_vote_are_the_largest(
    voters: int, epsilon: Epsilon
) -> None:
    vote = baselines.LaplaceMeanVote(epsilon)
    p = [vote.probability(v, voters) for v in range(voters + 1)]
    ratios = [p[v + 1] / p[v] for v in range(voters)]
    ratios += [(1 - p[v]) / (1 - p[v + 1]) for v in range(voters)]
    factor = vote.factor(voters)
    tiny = Fraction(1, 1 << 40)
    assert all(ratio < factor + tiny for ratio in ratios)
    assert any(ratio > factor - tiny for ratio in ratios)
    assert factor < epsilon.ratio
    shares = [Fraction(v, voters) for v in range(voters + 1)]
    bias = vote.bias(voters)
    assert vote.bias(voters, 256) < 1 / (2 * voters * epsilon.interval(256))
    assert all(-bias - tiny < q - s < bias + tiny for s, q in zip(shares, p, strict=True))
    assert bias - tiny < p[0]


def test_nominal_one_is_really_point_eight_six() -> None:
    """For many voters the factor tends to 2 epsilon + e**-epsilon: ln(2 + 1/e) = .86199... ."""
    vote = baselines.LaplaceMeanVote(1.0)
    for voters in (20, 100):
        spent = Interval.log(vote.factor(voters))
        assert Fraction("0.8619") < spent < Fraction("0.8621")


def test_the_continuous_aggregation_under_audit() -> None:
    learner = baselines.LaplaceAggregation(classes.thresholds(2), 3, 1.0)
    result = audit.private_prediction(learner, 2, 3)
    factor = learner.vote.factor(3)
    tiny = Fraction(1, 1 << 40)
    assert isinstance(result.value, Interval)
    assert factor - tiny < result.value < factor + tiny


# The exponential mechanism on the whole class


@settings(max_examples=50)
@given(
    strategies.samples(range(3), max_size=7),
    st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(4, 5)]),
)
def test_the_finite_learner_weighs_by_errors(sample: Sample[Hashable], rho: Fraction) -> None:
    H = classes.thresholds(3)
    learner = baselines.ExponentialLearner(H, Epsilon.exactly(rho**-2))
    weights = {h: rho ** sample.count_errors(h) for h in H}
    total = sum(weights.values())
    law = learner.law(sample)
    assert dict(law.items()) == {h: w / total for h, w in weights.items()}
    assert learner.probabilities(sample, [0, 1, 2]) == tuple(
        sum(w for h, w in weights.items() if h(x)) / total for x in range(3)
    )


def test_the_finite_learner_runs_as_it_says() -> None:
    learner = baselines.ExponentialLearner(classes.thresholds(2), Epsilon.exactly(4))
    sample: Sample[Hashable] = Sample([0, 1, 1], [0, 1, 1])
    assert enumerate_law(lambda rng: learner.run(sample, rng)) == learner.law(sample)
    labels = enumerate_law(lambda rng: learner.predict(sample, 0, rng))
    assert (labels.probability(1),) == learner.probabilities(sample, [0])


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_finite_learner_is_private_as_a_whole(n: int) -> None:
    """On two hypotheses the factor is (1 + rho^-n) / (1 + rho^(2-n)), which tends to rho^-2."""
    learner = baselines.ExponentialLearner(FiniteClass([[0], [1]]), Epsilon.exactly(4))
    factor = audit.differential_privacy(learner, 1, n).value
    assert factor == (1 + Fraction(2) ** n) / (1 + Fraction(2) ** (n - 2))
    assert factor < learner.guarantee.factor == 4
    # The log odds move by epsilon around 0 only where as many examples may be on either side.
    moved = audit.uniform_stability(learner, 1, n).value
    assert (moved == learner.stability(n) == Fraction(1, 3)) is (n % 2 == 1)
    assert moved <= learner.stability(n)


def test_families_restricted_to_a_finite_domain() -> None:
    learner = baselines.ExponentialLearner(
        classes.Thresholds().restrict([5, 1]), Epsilon.exactly(4)
    )
    # Cuts at 1, at 5 and beyond both: errors 0, 1, 2.
    assert learner.probabilities(Sample([1, 5], [1, 1]), [1, 5]) == (Fraction(4, 7), Fraction(6, 7))


def test_the_baselines_can_be_sent_to_another_process() -> None:
    H = classes.thresholds(2)
    sample: Sample[Hashable] = Sample([0, 1, 1, 0], [1, 0, 1, 0])
    for learner in (
        baselines.DisjointAverage(H, 2),
        baselines.SubsetAverage(H, 2),
        baselines.DworkFeldmanAggregation(H, 2, 1.0),
        baselines.ExponentialLearner(H, 1.0),
        baselines.ThresholdWalk(1.0, 2),
    ):
        copy = pickle.loads(pickle.dumps(learner))  # noqa: S301  # our own
        assert copy == learner
        assert copy.probabilities(sample, [0, 1]) == learner.probabilities(sample, [0, 1])


# Bad input


def test_bad_input() -> None:
    H = classes.thresholds(2)
    with pytest.raises(errors.InvalidInput, match=r"H: got .* \(restrict another family"):
        baselines.ExponentialLearner(classes.Thresholds(), 1.0)  # type: ignore[arg-type]  # what users try
    empty = FiniteClass([], domain=[0])
    refuses("H: got the empty class", baselines.ExponentialLearner, empty, 1.0)
    refuses("H: got the empty class", baselines.DworkFeldmanAggregation, empty, 1, 1.0)
    refuses("epsilon", baselines.ExponentialLearner, H, -1.0)
    for promising in (
        baselines.ExponentialLearner(H, 1.0, 3),
        baselines.DworkFeldmanAggregation(H, 1, 1.0, 3),
    ):
        with pytest.raises(errors.InvalidInput, match="sample: got 2 examples, want at least 3"):
            promising.predict(Sample([0, 1], [0, 1]), 0)
        refuses("n: got 2", promising.stability, 2)
    with pytest.raises(errors.InvalidInput, match="sample: got 2 examples, want at least 3"):
        baselines.ExponentialLearner(H, 1.0, 3).law(Sample([0, 1], [0, 1]))
    refuses("least_sample_size: got -1", baselines.ExponentialLearner, H, 1.0, -1)
    refuses("least_sample_size: got -1", baselines.DworkFeldmanAggregation, H, 1, 1.0, -1)
    for kind in (baselines.DworkFeldmanAggregation, baselines.LaplaceAggregation):
        refuses("blocks: got 0", kind, H, 0, 1.0)
        refuses(r"epsilon|decay", kind, H, 2, 0)
        with pytest.raises(errors.InvalidInput, match="sample: got 2 examples, want at least 3"):
            kind(H, 3, 1.0).probabilities(Sample([0, 1], [0, 1]), [0])
    refuses("votes: got 4, want at most 3", baselines.LaplaceMeanVote(1.0).probability, 4, 3)
