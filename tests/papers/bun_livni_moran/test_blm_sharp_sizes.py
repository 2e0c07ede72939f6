"""The sharp sizes of algorithms G and M: each tail is the sum that it bounds, and M runs."""

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, Interval, arithmetic, data, errors, randomness
from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.mechanisms import StableHistogram
from pac_stability.mechanisms.noise import truncated_law
from pac_stability.papers import bun_livni_moran
from pac_stability.papers.bun_livni_moran.formulas import (
    FrequencyThreshold,
    FrequentOutputLoss,
    GlobalStabilityParameters,
    PrivateFromStable,
    PrivateLearnerSizes,
    fewest_fresh_examples,
    fresh_examples,
    least_runs,
    missed_output,
    proved_frequency,
    sharper_agreement_bounds,
    sizes as sharper_release,
)
from pac_stability.papers.bun_livni_moran.formulas.sizes import least_loss, selection_size

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
TENTH, MILLIONTH = Fraction(1, 10), Fraction(1, 10**6)
ONE = Epsilon(1.0)


def sizes(d: int, constants: arithmetic.ConstantsLike = "sharp") -> PrivateLearnerSizes:
    return PrivateLearnerSizes(d, QUARTER, TENTH, ONE, MILLIONTH, constants)


def binomial(k: int, p: Fraction) -> list[Fraction]:
    return [math.comb(k, c) * p**c * (1 - p) ** (k - c) for c in range(k + 1)]


# Theorem 10


@pytest.mark.parametrize("d", range(1, 7))
def test_the_sharp_threshold_is_proved_and_no_smaller(d: int) -> None:
    tau = FrequencyThreshold(d).value
    assert FrequencyThreshold(d).is_proved
    assert sharper_agreement_bounds(d, tau)[-1] >= tau
    assert FrequencyThreshold(d, "proved").value <= tau <= proved_frequency(d).upper
    # What 20 bits leave out.
    assert tau >= proved_frequency(d).lower * (1 - Fraction(1, 2**19))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=3), st.integers(0, 40))
def test_players_that_agree_more_often_draw_more(
    agreeing: list[tuple[int, int]], blocks: int
) -> None:
    # Step 2 of the proof: the law of the number of blocks is monotone in each level's collision.
    less = bun_livni_moran.DrawCounts([Fraction(min(pair), 20) for pair in agreeing])
    more = bun_livni_moran.DrawCounts([Fraction(max(pair), 20) for pair in agreeing])
    assert less.within(blocks) >= more.within(blocks)
    one_level_less = bun_livni_moran.DrawCounts([Fraction(max(pair), 20) for pair in agreeing[:-1]])
    assert one_level_less.within(blocks) >= more.within(blocks)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_blocks_have_the_best_ratio(d: int) -> None:
    G = GlobalStabilityParameters(d, QUARTER)
    tau = G.threshold.value
    counts = bun_livni_moran.DrawCounts([tau] * d)
    assert G.within == counts.within(G.blocks)
    best = (G.blocks + 1) / G.within
    for blocks in range(counts.least, 4 * counts.least, 2):
        assert best <= (blocks + 1) / counts.within(blocks)
    # eta is the product, rounded down by less than one part in 2**60.
    exact = tau * G.within / (d + 1)
    assert exact * (1 - Fraction(1, 2**60)) < G.eta <= exact


@given(
    st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
    st.fractions(Fraction(1, 100), Fraction(2), max_denominator=100),
)
def test_fewest_fresh_examples_are_the_fewest(p: Fraction, alpha: Fraction) -> None:
    n = fewest_fresh_examples(p, alpha)
    assert n <= fresh_examples(p, alpha)
    if alpha >= 1:
        assert n == 1
    else:
        assert (1 - alpha) ** n <= p
        assert n == 1 or (1 - alpha) ** (n - 1) > p


def test_fewest_fresh_examples_where_powers_are_equal() -> None:
    for a, n in product((HALF, THIRD, Fraction(3, 7)), (1, 2, 5, 40)):
        power = (1 - a) ** n
        assert fewest_fresh_examples(power, a) == n
        assert fewest_fresh_examples(power + Fraction(1, 10**90), a) == n
        assert fewest_fresh_examples(power - Fraction(1, 10**90), a) == n + 1


# Theorem 17


@pytest.mark.parametrize(
    "histogram",
    [StableHistogram(HALF, 0, 2), StableHistogram(HALF, 1, 3), StableHistogram(2 * THIRD, 4, 9)],
)
@pytest.mark.parametrize("p", [TENTH, THIRD, Fraction(9, 10), Fraction(1)])
def test_how_often_an_output_is_missed(histogram: StableHistogram, p: Fraction) -> None:
    noise = truncated_law(histogram.decay, histogram.truncation)
    missed: list[Fraction] = []
    for k in range(41):
        law = binomial(k, p)
        exact = sum(
            (
                q * w
                for c, q in enumerate(law)
                for z, w in noise.items()
                if c + z < histogram.threshold
            ),
            Fraction(0),
        )
        missed.append(missed_output(k, p, histogram))
        assert exact <= missed[-1] <= exact + Fraction(1, 2**128)
    assert missed[0] == 1
    assert missed == sorted(missed, reverse=True)
    for failure in (Fraction(99, 100), TENTH):
        if missed[-1] <= failure:
            least = least_runs(p, histogram, failure)
            assert missed[least] <= failure < missed[least - 1]


@pytest.mark.parametrize("bits", [4, 7])
@pytest.mark.parametrize("decay", [THIRD, 2 * THIRD, Fraction(3, 7)])
def test_in_few_bits_too_what_is_missed_is_rounded_up(
    bits: int, decay: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharper_release, "_BITS", bits)
    monkeypatch.setattr(sharper_release, "_GUARD", 0)
    for most in range(4):
        histogram = StableHistogram(decay, most, most + 2)
        noise = truncated_law(decay, most)
        # Not the cached one: what is kept has all its bits.
        missed, _ = sharper_release._missed_by_count.__wrapped__(histogram)
        for c, found in enumerate(missed):
            exact = sum((w for z, w in noise.items() if z < most + 2 - c), Fraction(0))
            assert exact <= Fraction(found, 1 << bits)
    for k in range(1, 9):
        for p in (THIRD, Fraction(3, 7), Fraction(9, 11)):
            for i, exact in enumerate(binomial(k, p)):
                assert exact <= Fraction(sharper_release._binomial_term(k, p, i), 1 << bits)


def test_the_least_loss_is_no_smaller_than_proved() -> None:
    for tau in (HALF, TENTH, Fraction(1, 37)):
        for n in (4, 20, 500):
            bound = FrequentOutputLoss(tau, n).sharp()
            assert bound.upper <= least_loss(tau, n) <= bound.upper + Fraction(1, 2**15)


def test_tails_of_many_runs_are_enclosed() -> None:
    # The Poisson law is the limit: mean 50, and the histogram of epsilon = 1.
    histogram = StableHistogram.from_privacy(ONE, MILLIONTH)
    found = float(missed_output(50 * 10**12, Fraction(1, 10**12), histogram))
    noise = truncated_law(histogram.decay, histogram.truncation)
    poisson = [math.exp(-50 + c * math.log(50) - math.lgamma(c + 1)) for c in range(200)]
    limit = sum(
        q * float(w)
        for c, q in enumerate(poisson)
        for z, w in noise.items()
        if c + z < histogram.threshold
    )
    assert math.isclose(found, limit, rel_tol=1e-6)


# M for d = 1, alpha = 1/4, beta = 1/10 and delta = 10^-6, by the sum over every count.
@pytest.mark.parametrize(
    ("epsilon", "examples"), [("1/10", 6_793), ("1/100", 61_067), ("1/300", 175_829)]
)
def test_sizes_at_small_epsilon(epsilon: str, examples: int) -> None:
    sizes = PrivateLearnerSizes(1, QUARTER, TENTH, Epsilon(epsilon), MILLIONTH)
    assert sizes.sample_size == examples


@pytest.mark.parametrize("epsilon", ["1/10000", "1/1000000000"])
def test_sizes_at_tiny_epsilon_are_the_least(epsilon: str) -> None:
    M = PrivateLearnerSizes(1, QUARTER, TENTH, Epsilon(epsilon), MILLIONTH).by_level
    for level in M.levels:
        missed, before = (
            missed_output(level.runs - back, level.eta, M.histogram) for back in (0, 1)
        )
        failure = next(f for j in range(1, 9) if missed <= (f := TENTH * (1 - Fraction(1, 2**j))))
        assert missed <= failure < before
    assert M.guarantee.delta <= MILLIONTH


@settings(max_examples=40, deadline=None)
@given(
    st.fractions(Fraction(1, 20), 1, max_denominator=20),
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(0, 25),
)
def test_a_noisy_count_is_enclosed_as_the_sum_has_it(
    p: Fraction, decay: Fraction, most: int, more: int, k: int
) -> None:
    threshold, noise = most + 2 + more, truncated_law(decay, most)
    exact = sum(
        (
            q * w
            for c, q in enumerate(binomial(k, p))
            for z, w in noise.items()
            if c + z < threshold
        ),
        Fraction(0),
    )
    found = arithmetic.noisy_binomial(p, decay, most)(k, threshold, 96)
    if found is None:
        assert exact == 0
    else:
        assert found.width < Fraction(1, 2**60)
        assert Interval.exp(found.lower).lower <= exact <= Interval.exp(found.upper).upper


def test_a_failure_may_be_as_unlikely_as_one_likes() -> None:
    histogram = StableHistogram.from_privacy(ONE, MILLIONTH)
    found = [least_runs("1/8", histogram, Fraction(1, 10**e)) for e in (50, 100, 320, 400)]
    assert found == sorted(found)
    exact = arithmetic.noisy_binomial(Fraction(1, 8), histogram.decay, histogram.truncation)
    for e, k in zip((100, 400), (found[1], found[3]), strict=True):
        least = Interval.log(Fraction(1, 10**e), 2048)
        at, before = (exact(k - back, histogram.threshold, 2048) for back in (0, 1))
        assert at is not None
        assert before is not None
        assert at <= least < before


@pytest.mark.parametrize("loss", [Fraction(0), Fraction(1, 50), Fraction(1, 8)])
@pytest.mark.parametrize("decay", [TENTH, HALF, Fraction(9, 10)])
def test_a_bad_hypothesis_is_chosen_rarely(loss: Fraction, decay: Fraction) -> None:
    # Both err on disjoint parts of the domain, the worst case: sums over all counts of errors.
    alpha, beta = QUARTER, TENTH
    n = selection_size(1, alpha, loss, beta, decay)
    shares = (alpha, loss, 1 - alpha - loss)

    def chosen(m: int) -> Fraction:
        total = Fraction(0)
        for a in range(m + 1):
            for b in range(m - a + 1):
                ways = math.comb(m, a) * math.comb(m - a, b)
                p = ways * shares[0] ** a * shares[1] ** b * shares[2] ** (m - a - b)
                total += p * (decay**a / (decay**a + decay**b))
        return total

    if n <= 60:
        assert chosen(n) <= beta
    # The bound itself is met by n, and not by n - 1.
    z = max(float(decay), math.sqrt(loss / alpha))
    mean = 1 - (1 - z) * (float(alpha) - float(loss) / z)
    assert mean**n <= float(beta) * (1 + 1e-9)
    assert mean ** (n - 1) >= float(beta) * (1 - 1e-9)
    assert selection_size(0, alpha, loss, beta, decay) == 0


@pytest.mark.parametrize("eta", [Fraction(1), Fraction(1, 8), Fraction(1, 60)])
@pytest.mark.parametrize("epsilon", [Epsilon(1), Epsilon("1/10")])
@pytest.mark.parametrize("loss", [None, Fraction(1, 20), Fraction(1, 5)])
def test_what_the_sharp_theorem_17_needs(
    eta: Fraction, epsilon: Epsilon, loss: Fraction | None
) -> None:
    M = PrivateFromStable(10, eta, QUARTER, TENTH, epsilon, MILLIONTH, "sharp", loss)
    assert M.cutoff >= M.noise + 2
    assert M.list_size * (M.cutoff - M.noise) <= M.runs
    missed = missed_output(M.runs, eta, M.histogram)
    assert missed < TENTH
    least = QUARTER / 2 if loss is None else loss
    # What is left of beta is enough for the choice, on the sum of all that can be listed.
    z = max(float(M.decay), math.sqrt(least / QUARTER))
    mean = 1 - (1 - z) * (0.25 - float(least) / z)
    assert float(missed) + (M.list_size - 1) * mean**M.choice_size <= 0.1 * (1 + 1e-9)
    assert M.sample_size == 10 * M.runs + M.choice_size
    assert M.guarantee.delta <= MILLIONTH
    assert M.guarantee.epsilon <= epsilon


def test_the_proved_sizes_are_taken_where_they_are_fewer() -> None:
    # One example a run, and always the same output: the long list costs more than the runs.
    asked = 1, Fraction(1), Fraction(1, 100), Fraction(99, 100), Epsilon("1/10"), HALF
    sharp, proved = (PrivateFromStable(*asked, c) for c in ("sharp", "proved"))
    assert sharp.sample_size <= proved.sample_size


# Theorem 1


@pytest.mark.parametrize(
    ("d", "examples"), [(1, 1_130), (2, 43_611), (3, 1_778_714), (4, 1_075_866_564)]
)
def test_sharp_sizes_are_those_by_level(d: int, examples: int) -> None:
    assert sizes(d).sample_size == sizes(d).by_level.sample_size == examples
    with pytest.raises(errors.InvalidInput, match="printed or proved: see by_level"):
        _ = sizes(d).stable


RISING = [Fraction(1, 20), QUARTER, HALF]


@pytest.mark.parametrize("d", [1, 3])
def test_less_is_never_more_and_sharp_is_never_above_proved(d: int) -> None:
    def totals(
        asked: Callable[[Fraction], tuple[Fraction, Fraction, Epsilon, Fraction]],
    ) -> list[int]:
        found = [PrivateLearnerSizes(d, *asked(x)).sample_size for x in RISING]
        for x, size in zip(RISING, found, strict=True):
            assert size <= PrivateLearnerSizes(d, *asked(x), "proved").sample_size
        return found

    for asked in (
        lambda x: (x, TENTH, ONE, MILLIONTH),
        lambda x: (TENTH, x, ONE, MILLIONTH),
        lambda x: (TENTH, TENTH, Epsilon(x), MILLIONTH),
        lambda x: (TENTH, TENTH, ONE, x / 1000),
    ):
        assert all(less > more for less, more in pairwise(totals(asked)))


def uniform(H: FiniteClass, h: int) -> data.FiniteDistribution[data.Example[Hashable]]:
    return data.FiniteDistribution.uniform(data.Example(x, H(h, x)) for x in H.domain)


@pytest.mark.parametrize(("H", "size"), [(singletons(8), 1_130), (thresholds(4), 43_611)])
def test_the_learner_at_its_sharp_size(H: FiniteClass, size: int) -> None:
    M = bun_livni_moran.ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
    assert M.sample_size == size
    assert M.guarantee.epsilon <= ONE
    assert M.guarantee.delta <= MILLIONTH
    target = uniform(H, 2)
    for seed in range(44):  # 0.9**44 < 0.01
        f = bun_livni_moran.train_on_target(M, target, seed=seed).hypothesis
        wrong = sum(p for z, p in target.items() if f >> H.column(z.point) & 1 != z.label)
        assert wrong <= QUARTER


def test_one_call_returns_the_learner_with_the_sharp_sizes() -> None:
    asked = thresholds(4), "1/4", "1/10", 1.0, "1/1000000"
    by_level = bun_livni_moran.ByLevelPrivateLearner.of_class(*asked, pick="highest", tie=0)
    for M in (
        bun_livni_moran.PrivateLearner.of_class(*asked, pick="highest", tie=0),
        bun_livni_moran.PrivateLearner.of_class(*asked, constants="sharp", pick="highest", tie=0),
        bun_livni_moran.PrivateLearner.of_class(
            *asked, constants=arithmetic.Constants.SHARP, pick="highest", tie=0
        ),
    ):
        assert by_level == M
        assert M.guarantee.epsilon <= ONE


def test_the_learner_on_given_examples() -> None:
    H = singletons(8)
    M = bun_livni_moran.ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
    points = np.random.default_rng(5).integers(0, 8, M.sample_size).tolist()
    sample = data.Sample(points, [H(2, x) for x in points])
    codes = bun_livni_moran.example_codes(H, sample)
    assert (
        bun_livni_moran.train_on_examples(
            M, bun_livni_moran.ExampleStream([codes], H), seed=1
        ).hypothesis
        == 0b100
    )
    assert M.run(sample, randomness.SeededCoins(1)) == 0b100
    with pytest.raises(errors.InvalidInput, match="1129 examples, want at least 1130"):
        bun_livni_moran.train_on_examples(M, bun_livni_moran.ExampleStream([codes[1:]], H), seed=1)


@pytest.mark.parametrize(("argument", "make"), [
    ("eta", lambda: missed_output(3, 0, StableHistogram(HALF, 1, 3))),
    ("runs", lambda: missed_output(-1, HALF, StableHistogram(HALF, 1, 3))),
    ("histogram", lambda: missed_output(3, HALF, 3)),  # type: ignore[arg-type]  # refused
    ("histogram", lambda: least_runs(HALF, 3, HALF)),  # type: ignore[arg-type]  # refused
    ("failure", lambda: least_runs(HALF, StableHistogram(HALF, 1, 3), 0)),
    ("loss", lambda: selection_size(3, QUARTER, QUARTER, HALF, HALF)),
    ("loss", lambda: selection_size(3, QUARTER, -1, HALF, HALF)),
    ("frequency", lambda: fewest_fresh_examples(0, HALF)),
    ("alpha", lambda: fewest_fresh_examples(HALF, 0)),
    ("loss", lambda: PrivateFromStable(1, HALF, HALF, HALF, ONE, HALF, "sharp", HALF)),
    ("loss", lambda: PrivateFromStable(1, HALF, HALF, HALF, ONE, HALF, "proved", THIRD)),
])  # fmt: skip
def test_what_is_refused(argument: str, make: Callable[[], object]) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
