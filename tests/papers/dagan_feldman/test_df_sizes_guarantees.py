"""What a size promises follows from its parameters: recomputed here from the proofs."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from pac_stability import InvalidInput, Sample, arithmetic, classes, mechanisms, randomness
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    DworkFeldmanAggregation,
    ExponentialLearner,
    RealizablePrivateLearner,
    SubsetAverage,
    sample_complexity,
    stable,
    vote_error,
)

# Floats below recompute a bound that was certified; they are good to about ten digits.
SLACK = 1 + 1e-9
ALPHAS = ["9/10", "1/5", "1/100"]
DIMENSIONS = [1, 7]


def log_patterns(m: int, d: int, size: int | None = None) -> float:
    count = sum(math.comb(m, i) for i in range(d + 1))
    return math.log(count if size is None else min(count, size))


def lambert(log_of_others: float) -> float:
    """The w with ``w e**w = (N - 1)/e``, by bisection, from ``ln(N - 1)``."""
    low, high = 0.0, max(1.0, log_of_others)
    for _ in range(200):
        middle = (low + high) / 2
        if math.log(middle) + middle + 1 < log_of_others:
            low = middle
        else:
            high = middle
    return high


def log_less_one(log_count: float) -> float:
    """``ln(e**x - 1)``."""
    return log_count + math.log1p(-math.exp(-log_count))


def deviation(n: int, d: int, beta: float, size: int | None = None) -> float:
    """How much an excess loss can grow from the sample to the distribution."""
    bounds = [math.sqrt(2 * log_patterns(n, d) / n) + math.sqrt(2 * math.log(1 / beta) / n)]
    if size is not None:
        bounds.append(math.sqrt(2 * math.log((size - 1) / beta) / n))
        bounds.append(
            math.sqrt(math.log(2 * size / beta) / (2 * n)) + math.sqrt(math.log(2 / beta) / (2 * n))
        )
    return min(bounds)


def paper_deviation(n: int, d: int, beta: float) -> float:
    return math.sqrt(8 * log_patterns(n, d) / n) + math.sqrt(2 * math.log(4 / beta) / n)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("gamma", ["9/10", "1/1000"])
@pytest.mark.parametrize("d", DIMENSIONS)
def test_a_sharp_stable_size_keeps_its_promises(alpha: str, gamma: str, d: int) -> None:
    size = sample_complexity.theorem_1(alpha, "1/20", gamma, d)
    n, part = size.sample_size, Fraction(size.subset_size, size.sample_size)
    rho = mechanisms.decay_for(size.epsilon)
    assert size.subset_size <= n
    assert part + (1 - part) * (1 - rho) / (1 + rho) <= Fraction(gamma)
    missed = (1 + log_less_one(log_patterns(n, d))) / size.subset_size
    selected = lambert(log_less_one(log_patterns(size.subset_size, d))) / (n * -math.log(rho))
    assert missed + selected + deviation(n, d, 0.05) <= float(Fraction(alpha)) * SLACK


def test_a_sharp_size_is_not_much_larger_than_any_parameters_would_allow() -> None:
    # Over all n' and all divisions of alpha, not only those of the list.
    alpha, gamma, d = 0.1, 0.1, 1

    def possible(n: int) -> bool:
        left = alpha - deviation(n, d, 0.1)
        for chosen in range(1, int(gamma * n)):
            part = chosen / n
            spent = (gamma - part) / (1 - part)
            rate = math.log((1 + spent) / (1 - spent))
            missed = (1 + log_less_one(log_patterns(n, d))) / chosen
            if missed + lambert(log_less_one(log_patterns(chosen, d))) / (n * rate) <= left:
                return True
        return False

    size = sample_complexity.theorem_1("1/10", "1/10", "1/10", 1).sample_size
    assert possible(size)
    assert not possible(int(size * 0.975))


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("epsilon", ["3", "1/100"])
@pytest.mark.parametrize("d", DIMENSIONS)
def test_a_sharp_flipped_size_keeps_its_promises(alpha: str, epsilon: str, d: int) -> None:
    size = sample_complexity.corollary_2(alpha, "1/20", epsilon, d)
    n, z = size.sample_size, float(size.flip_probability)
    learner = size.learner(classes.Thresholds())
    assert learner.factor(n) <= arithmetic.Epsilon(epsilon).ratio
    missed = (1 + log_less_one(log_patterns(n, d))) / size.subset_size
    rate = -math.log(mechanisms.decay_for(size.epsilon))
    selected = lambert(log_less_one(log_patterns(size.subset_size, d))) / (n * rate)
    before = missed + selected + deviation(n, d, 0.05)
    assert z + (1 - 2 * z) * before <= min(0.5, float(Fraction(alpha))) * SLACK


@pytest.mark.parametrize(("alpha", "epsilon"), [("1/5", "1"), ("4/5", "3")])
def test_a_sharp_size_of_theorem_3_is_private(alpha: str, epsilon: str) -> None:
    size = sample_complexity.theorem_3(alpha, "1/20", epsilon, 1)
    n, K = size.sample_size, size.disagreements
    assert size.subset_size <= n // 2
    # Two thresholds that differ on K or more of the n - 1 others are missed by n' - 1 indices.
    missed = (size.subset_size - 1) * math.log1p(-K / (n - 1))
    unlucky = Fraction(math.comb(n, 2) * math.exp(missed) * SLACK)
    learner = size.learner(classes.Thresholds())
    assert learner.factor(n, K, unlucky) <= arithmetic.Epsilon(epsilon).ratio


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("epsilon", ["3", "1", "1/100"])
def test_a_paper_size_of_theorem_3_is_private(alpha: str, epsilon: str) -> None:
    size = sample_complexity.theorem_3(alpha, "1/20", epsilon, 1, constants="paper")
    n, share = size.sample_size, Fraction(size.subset_size, size.sample_size)
    accuracy = min(Fraction(alpha), Fraction(1, 2)) / 7
    assert 1 / (size.eta * n) <= Fraction(1, 2)
    assert size.disagreements <= 2 * size.eta * n
    before = size.learner(classes.Thresholds()).paper_factor(n).upper
    after = mechanisms.Flip(size.flip_probability).factor_after(
        share * accuracy, arithmetic.Epsilon.exactly(before)
    )
    assert after <= arithmetic.Epsilon(epsilon).ratio


@pytest.mark.parametrize("alpha", ["1/5", "1/10000"])
@pytest.mark.parametrize("epsilon", ["1", "1/10"])
def test_a_sharp_size_of_theorem_3_is_accurate(alpha: str, epsilon: str) -> None:
    size = sample_complexity.theorem_3(alpha, "1/20", epsilon, 2)
    n, z = size.sample_size, float(size.flip_probability)
    assert sum(share.amount for share in size.budget if share.of == "alpha") <= Fraction(alpha)
    missed = (1 + log_less_one(log_patterns(n, 2))) / size.subset_size
    # The learner rounds exp(-1/(eta n)) up, by less than one part in 2**15 of the exponent.
    rate = float(1 / (size.eta * n)) * (1 - 2**-15)
    selected = lambert(log_less_one(log_patterns(n, 2))) / (n * rate)
    m = n // size.blocks
    a = least_error(m, 0.025 / size.blocks, lambda total: 2 * log_patterns(total, 2))
    private = vote_loss(float(size.vote_epsilon) * size.blocks * (1 - 2**-15), a)
    total = missed + selected + deviation(n, 2, 0.025) + private
    assert z + (1 - 2 * z) * total <= float(Fraction(alpha)) * SLACK


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("epsilon", ["5", "1/100"])
def test_a_realizable_size_keeps_its_promises(alpha: str, epsilon: str) -> None:
    size = sample_complexity.realizable_private_size(alpha, "1/20", epsilon, 1)
    assert size.epsilon <= arithmetic.Epsilon(epsilon)
    assert size.sample_size == size.blocks * size.block_size
    m, r = size.block_size, size.blocks
    a = least_error(m, 0.05 / r, lambda total: math.log(2 * total))
    if r <= 2000:
        exact = vote_error(r, mechanisms.decay_for(size.epsilon), Fraction(a))
        assert float(exact) <= float(Fraction(alpha)) * SLACK
    assert vote_loss(float(size.epsilon) * r * (1 - 2**-15), a) <= float(Fraction(alpha)) * SLACK


def least_error(m: int, failure: float, log_count: Callable[[int], float]) -> float:
    """The least a, to 12 digits, such that m draws are an a-net up to that failure.

    By the double sample with k hits of the ghost; the logarithm of how many differences are
    counted (twice) on m draws and the ghost's is given.
    """
    answers = []
    for ghost in (1, 2, 3, 4, 6, 8, 12, 16):
        hits = (log_count((ghost + 1) * m) - math.log(failure)) / math.log1p(1 / ghost)
        answers.append(math.ceil(hits) / (ghost * m))
    return min(answers)


def vote_loss(sharpness: float, a: float) -> float:
    """The concave envelope at a of the loss of a soft majority, by trying every chord from 0."""

    def loss(u: float) -> float:
        return 1 / (1 + math.exp(-sharpness * (u - 0.5)))

    steps = 4000
    ends = [max(a, step / steps) for step in range(1, steps + 1)]
    return max(loss(0) + (loss(u) - loss(0)) * a / u for u in ends)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("gamma", ["9/10", "1/10", "1/77"])
def test_averages_keep_their_promises(alpha: str, gamma: str) -> None:
    a, g = float(Fraction(alpha)), Fraction(gamma)
    parts = sample_complexity.disjoint_average_size(alpha, "1/20", gamma, 3)
    assert Fraction(1, parts.blocks) <= g
    m = parts.sample_size // parts.blocks
    used = parts.blocks * m
    mean = math.sqrt(2 * log_patterns(m, 3) / m) + math.sqrt(2 * math.log(20) / used)
    assert mean <= a * SLACK
    subset = sample_complexity.subset_average_size(alpha, "1/20", gamma, 3)
    m, n = subset.subset_size, subset.sample_size
    assert Fraction(m, n) <= g
    mean = math.sqrt(2 * log_patterns(m, 3) / m) + math.sqrt(2 * math.log(20) / n)
    assert mean <= a * SLACK


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("epsilon", ["5", "1", "1/100"])
def test_an_aggregation_size_keeps_its_promises(alpha: str, epsilon: str) -> None:
    size = sample_complexity.aggregation_size(alpha, "1/20", epsilon, 1)
    r, m = size.blocks, size.sample_size // size.blocks
    vote = mechanisms.NoisyMeanVote.from_epsilon(size.epsilon)
    if r <= 1000:
        # The noise is worst where the voters agree.
        noise = float(vote.law([0] * r).probability(1))
    else:
        q = float(vote.decay)
        noise = q / ((1 - q * q) * r)
    mean = math.sqrt(2 * log_patterns(m, 1) / m) + math.sqrt(2 * math.log(20) / (r * m))
    assert mean + noise <= float(Fraction(alpha)) * SLACK


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("size", [2, 100, 2**40])
def test_a_size_of_the_exponential_learner_keeps_its_promises(alpha: str, size: int) -> None:
    answer = sample_complexity.exponential_learner_size(alpha, "1/20", "1/2", 1, size)
    n, rate = answer.sample_size, -math.log(mechanisms.decay_for(answer.epsilon))
    selected = lambert(math.log(size - 1)) / (n * rate) if size > 2 else 0.2784645428 / (n * rate)
    assert selected + deviation(n, 1, 0.05, size) <= float(Fraction(alpha)) * SLACK


@pytest.mark.parametrize("alpha", ["1/2", "1/10", "1/1000"])
def test_the_paper_sizes_satisfy_the_conditions_of_lemma_13(alpha: str) -> None:
    size = sample_complexity.theorem_1(alpha, "1/20", "1/7", 2, constants="paper")
    a, g, n = float(Fraction(alpha)) / 5, 1 / 21, size.sample_size
    # 11: three points more could not be shattered by differences of two hypotheses, as
    # 1 + C(1 + 12 + 66, 2) = 3082 < 2**12, whereas 1 + C(67, 2) = 2212 >= 2**11.
    net = 8 / a * (2 * 11 * math.log(16 * math.e / a) + math.log(2 / min(a, 0.249)))
    assert net <= size.subset_size <= net + 1
    assert size.subset_size / n <= g
    assert 2 * log_patterns(size.subset_size, 2) / (g * a) <= n * SLACK
    assert paper_deviation(n, 2, 0.05) <= a * SLACK


def test_the_learner_of_a_size_refuses_smaller_samples() -> None:
    size = sample_complexity.theorem_1("1/2", "1/2", "1/2", 1)
    learner, n = size.learner(classes.Thresholds()), size.sample_size
    labels = [0] * (n // 2) + [1] * (n - n // 2)
    points = list(range(n))
    prediction = learner.predict(Sample(points, labels), n, randomness.SeededCoins(1))
    assert prediction in (0, 1)
    with pytest.raises(InvalidInput, match=f"at least {n} examples"):
        learner.predict(Sample(points[1:], labels[1:]), n, randomness.SeededCoins(1))


H, HALF = classes.thresholds(4), Fraction(1, 2)
PARTS = sample_complexity.disjoint_average_size(HALF, HALF, HALF, 1)
SUBSET = sample_complexity.subset_average_size(HALF, HALF, HALF, 1)
NOISY = sample_complexity.aggregation_size(HALF, HALF, 2, 1)
FINITE = sample_complexity.exponential_learner_size(HALF, HALF, 2, 1, len(H))
VOTES = sample_complexity.realizable_private_size(HALF, HALF, 2, 1)


@pytest.mark.parametrize(
    ("learner", "wanted", "n"),
    [
        (PARTS.learner(H), DisjointAverage(H, PARTS.blocks, PARTS.sample_size), PARTS.sample_size),
        (
            SUBSET.learner(H),
            SubsetAverage(H, SUBSET.subset_size, SUBSET.sample_size),
            SUBSET.sample_size,
        ),
        (
            NOISY.learner(H),
            DworkFeldmanAggregation(H, NOISY.blocks, 2, NOISY.sample_size),
            NOISY.sample_size,
        ),
        (FINITE.learner(H), ExponentialLearner(H, 2, FINITE.sample_size), FINITE.sample_size),
        (
            VOTES.learner(H),
            RealizablePrivateLearner(H, VOTES.blocks, VOTES.epsilon, VOTES.sample_size),
            VOTES.sample_size,
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_other_learners_of_a_size_refuse_smaller_samples(
    learner: stable.PointPredictor, wanted: stable.PointPredictor, n: int
) -> None:
    assert learner == wanted
    points, labels = [0, 1, 2, 3] * n, [0, 0, 1, 1] * n
    assert learner.predict(Sample(points[:n], labels[:n]), 0, randomness.SeededCoins(1)) in (0, 1)
    short = Sample(points[: n - 1], labels[: n - 1])
    with pytest.raises(InvalidInput, match=f"got {n - 1} examples, want at least {n} examples"):
        learner.predict(short, 0, randomness.SeededCoins(1))
    with pytest.raises(InvalidInput, match=f"got {n - 1} examples, want at least {n} examples"):
        learner.probabilities(short, [0])
