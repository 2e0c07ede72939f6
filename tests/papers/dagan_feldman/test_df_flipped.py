"""Corollary 2: what flipping makes of stable predictions, exactly."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, Interval, InvalidInput, audit, classes
from pac_stability.classes import Family, FiniteClass
from pac_stability.data import AnySample, Example, Sample, enumerate_law
from pac_stability.papers.dagan_feldman.stable import FlippedLearner, least_flip_probability
from pac_stability.randomness import SYSTEM_COINS, Coins
from shared_dagan_feldman import learner_of
from shared_refusals import refuses

SampleOf: TypeAlias = Sample[Hashable]

HALF = Fraction(1, 2)
H2 = classes.thresholds(2)

flips = st.fractions("1/1000", "1/2")
decays = st.fractions("1/20", "99/100", max_denominator=1000)
factors = st.fractions("101/100", 20, max_denominator=1000)


@dataclass(frozen=True)
class Leaning:
    """Predict 1 with probability gamma if the first label of the sample is 1, else never.

    The worst gamma-stable predictions: the probability of a label moves from 0 to gamma.
    """

    gamma: Fraction

    def probabilities(
        self, sample: SampleOf, points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        return (self.gamma * sample.labels[0],) * len(points)

    def predict(self, sample: AnySample, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:  # noqa: ARG002
        return rng.bernoulli(self.gamma * int(sample.labels[0]))


@given(flips, st.fractions(0, 1), st.integers(0, 1))
def test_a_flip_changes_the_label_with_its_probability(
    z: Fraction, gamma: Fraction, label: int
) -> None:
    learner = FlippedLearner(Leaning(gamma), z)
    sample = Sample([0], [label])
    p = gamma * label
    assert learner.probabilities(sample, [0, 5]) == (p * (1 - z) + (1 - p) * z,) * 2
    law = enumerate_law(lambda rng: learner.predict(sample, 0, rng))
    assert law.probability(1) == learner.probabilities(sample, [0])[0]


@pytest.mark.parametrize("x", H2.domain)
def test_what_runs_has_the_probabilities(x: int) -> None:
    learner = FlippedLearner(learner_of(H2, 2, HALF), Fraction(1, 5))
    sample = Sample([0, 1, 1], [0, 1, 0])
    law = enumerate_law(lambda rng: learner.predict(sample, x, rng))
    assert (law.probability(1),) == learner.probabilities(sample, [x])


@given(flips, st.lists(st.integers(0, 1), min_size=2, max_size=5))
def test_the_loss_grows_by_less_than_the_flip(z: Fraction, labels: list[int]) -> None:
    """L becomes L + z (1 - 2L): the excess of Corollary 2 grows by at most z."""
    n = len(labels)
    sample = Sample(range(n), labels)
    base = learner_of(classes.thresholds(n), 2, HALF)
    before, after = (
        sum(
            abs(p - y)
            for p, y in zip(learner.probabilities(sample, sample.points), labels, strict=True)
        )
        / Fraction(n)
        for learner in (base, FlippedLearner(base, z))
    )
    assert after == before + z * (1 - 2 * before)


@pytest.mark.parametrize("z", [Fraction(1, 20), Fraction(1, 4), HALF])
@pytest.mark.parametrize(("H", "n", "size", "decay"), [
    (classes.thresholds(2), 5, 1, HALF), (classes.thresholds(2), 5, 1, Fraction(9, 10)),
    (classes.thresholds(3), 4, 2, Fraction(2, 3)), (classes.cube(2), 6, 1, Fraction(3, 4)),
    (classes.cube(3), 4, 1, Fraction(9, 10)), (classes.singletons(3), 4, 1, Fraction(1, 10)),
])  # fmt: skip
def test_no_neighbours_exceed_either_account(
    chosen: Callable[[FiniteClass, int], Family],
    *,
    H: FiniteClass,
    n: int,
    size: int,
    decay: Fraction,
    z: Fraction,
) -> None:
    for family in (H, chosen(H, 3)):
        learner = FlippedLearner(learner_of(family, size, decay), z)
        factor = learner.factor(n)
        assert isinstance(factor, Fraction)
        result = audit.private_prediction(learner, len(H.domain), n, claim=Epsilon.exactly(factor))
        assert result.verdict is audit.Verdict.VERIFIED
        assert isinstance(result.value, Fraction)
        assert 1 <= result.value <= factor
        assert factor == min(learner.factor_from_stability(n), learner.factor_from_privacy(n))
        assert (result.value == 1) == (z == HALF)


def test_no_neighbours_exceed_the_privacy_of_the_base() -> None:
    """A^sta is (epsilon, n'/n)-private before any flip; a smaller delta is not enough for it."""
    base = learner_of(classes.cube(2), 1, HALF)
    guarantee = base.guarantee(4)
    assert guarantee.factor == 4
    assert guarantee.delta == Fraction(1, 4)
    at_delta = audit.private_prediction(base, 2, 4, guarantee.delta, claim=guarantee.epsilon)
    assert at_delta.verdict is audit.Verdict.VERIFIED
    without = audit.private_prediction(base, 2, 4, claim=guarantee.epsilon)
    assert without.verdict is audit.Verdict.REFUTED


@settings(max_examples=40)
@given(flips, st.fractions("1/1000", "1/4"))
def test_the_account_from_stability_is_exact(z: Fraction, gamma: Fraction) -> None:
    """So no smaller flip serves all gamma-stable learners."""
    learner = FlippedLearner(Leaning(gamma), z)
    result = audit.private_prediction(learner, 1, 1)
    assert result.value == learner.flip.factor_after(gamma) == 1 + (1 - 2 * z) * gamma / z


def test_the_account_from_privacy_is_approached(attaining: Family) -> None:
    """A subset with the replaced index decides: its candidates say 1 at x, or 0 after the change.

    The others compare the constant hypotheses. Point u has label 0 only, 14 times, so that h = 1
    has 14 errors and h = 0 one given S, and 15 errors and none given S': 1 at x is as likely as
    r/(1 + r), r = rho**13 or rho**15. The flip hides the step from nearly 0 to nearly n'/n.
    """
    n, size, rho, z = 15, 5, HALF, Fraction(1, 100)
    q, w = Fraction(size, n), 1 - 2 * z
    sample: SampleOf = Sample("a" + "u" * 14, [1] + [0] * 14)
    neighbour = sample.replace(0, Example("b", 0))
    learner = FlippedLearner(learner_of(attaining, size, rho), z)
    (p,), (p_after,) = (learner.probabilities(given, ["x"]) for given in (sample, neighbour))
    before, after = (rho**k / (1 + rho**k) for k in (n - 2, n))
    assert (p, p_after) == (z + w * (q + (1 - q) * before), z + w * (1 - q) * after)
    account = learner.factor_from_privacy(n)
    assert account == 1 + w * q / z < learner.factor_from_stability(n)
    assert Fraction(99, 100) * account < p / p_after < account


@given(flips, st.integers(1, 20), decays, st.lists(st.fractions(0, 1), min_size=3, max_size=3))
def test_both_accounts_cover_every_division(
    z: Fraction, size: int, rho: Fraction, numbers: list[Fraction]
) -> None:
    """p = (1 - q) a + q r: a is as the exponential mechanism moves it, r as anything does."""
    q, t = Fraction(size, 20), rho**-2
    a, r, r_after = numbers
    # The odds of a move by the factor e**epsilon = t at most.
    a_after = t * a / (1 + (t - 1) * a)
    base = learner_of(H2, size, rho)
    p, p_after = (1 - q) * a + q * r, (1 - q) * a_after + q * r_after
    assert abs(p - p_after) <= base.stability(20)
    learner = FlippedLearner(base, z)
    flipped, flipped_after = (z + (1 - 2 * z) * chance for chance in (p, p_after))
    for one, other in ((flipped, flipped_after), (1 - flipped, 1 - flipped_after)):
        assert max(one / other, other / one) <= learner.factor(20)


@settings(max_examples=40)
@given(st.integers(1, 50), decays, factors)
def test_the_least_flip(size: int, rho: Fraction, factor: Fraction) -> None:
    """It attains the factor asked for, and a smaller flip misses it; each account has its range."""
    n, t0 = 50, rho**-2
    base, q = learner_of(H2, size, rho), Fraction(size, n)
    z = least_flip_probability(base, Epsilon.exactly(factor), n)
    learner = FlippedLearner(base, z)
    assert learner.factor(n) == factor
    assert FlippedLearner(base, z * Fraction(999, 1000)).factor(n) > factor
    crossing = 2 * (1 + rho**2) / (rho * (1 + rho)) - 1
    assert 1 < crossing < t0
    if factor >= t0:
        assert z == q / (factor - 1 + 2 * q)
    if size < n and factor < crossing:
        assert learner.factor_from_stability(n) < learner.factor_from_privacy(n)
    elif size < n and factor > crossing:
        assert learner.factor_from_stability(n) > learner.factor_from_privacy(n)


def test_the_least_flip_of_no_privacy_and_of_all() -> None:
    base = learner_of(H2, 1, HALF)
    assert least_flip_probability(base, Epsilon.exactly(1), 10) == HALF
    assert FlippedLearner(base, HALF).factor(10) == 1
    assert FlippedLearner(base, Fraction(0)).factor(10) == float("inf")
    # Large epsilon: hardly any flip.
    assert least_flip_probability(base, Epsilon.exactly(10**6), 10) < Fraction(1, 10**6)


@settings(max_examples=40)
@given(st.fractions("1/50", "1/2"), st.fractions("1/50", "49/50"), st.integers(1, 5))
def test_the_conversion_of_the_paper(alpha: Fraction, epsilon: Fraction, times: int) -> None:
    """gamma = epsilon alpha / 2 for the outline's learner, and a flip with probability alpha."""
    n = times * int(4 / (epsilon * alpha) + 1)
    learner = FlippedLearner.from_paper(H2, alpha, epsilon, n)
    assert learner.flip_probability == alpha
    assert learner.base.paper_stability(n) <= epsilon * alpha / 2
    plain = learner.factor_from_stability(n)
    assert plain <= 1 + (1 - 2 * alpha) * epsilon / 2
    assert Interval.exp(epsilon / 2).upper > plain
    # The same n and flip, with nothing given away: more for both parts of the learner.
    sharp = FlippedLearner.from_privacy(H2, Epsilon(epsilon), alpha, n)
    assert sharp.base.subset_size >= min(n, 4 * learner.base.subset_size)
    assert sharp.base.epsilon.ratio > learner.base.epsilon.ratio**4
    assert sharp.factor(n) <= Epsilon(epsilon).ratio


@settings(max_examples=40)
@given(flips, st.fractions("1/50", "49/50"))
def test_a_gamma_of_epsilon_times_the_flip_is_enough(z: Fraction, epsilon: Fraction) -> None:
    """Twice what the paper takes: 1 + (1 - 2z) epsilon <= e**epsilon, up to z = 1/2."""
    result = audit.private_prediction(
        FlippedLearner(Leaning(epsilon * z), z), 1, 1, claim=Epsilon(epsilon)
    )
    assert result.verdict is audit.Verdict.VERIFIED


@dataclass(frozen=True)
class Inverting:
    """A flip beyond 1/2 of predictions that move from 1 - gamma to 1."""

    z: Fraction
    gamma: Fraction

    def probabilities(self, sample: SampleOf, points: Sequence[Hashable]) -> list[Fraction]:
        p = 1 - self.gamma * sample.labels[0]
        return [self.z + (1 - 2 * self.z) * p] * len(points)


def test_a_flip_beyond_one_half() -> None:
    """Corollary 2 says that flipped labels have probability at least alpha: so for alpha <= 1/2.

    With alpha = 19/20 they have 1/20. At epsilon = 1/10 the factor is 1 + (9/10)(19/200)(20) =
    2.71 for gamma = epsilon alpha, and 1.855 for half of that: epsilon is 0.997 and 0.618.
    """
    alpha, epsilon = Fraction(19, 20), Fraction(1, 10)
    for part, factor, low, high in (
        (1, Fraction(271, 100), "0.996", "0.997"),
        (2, Fraction(371, 200), "0.617", "0.618"),
    ):
        result = audit.private_prediction(
            Inverting(alpha, epsilon * alpha / part), 1, 1, claim=Epsilon(epsilon)
        )
        assert result.verdict is audit.Verdict.REFUTED
        assert result.value == factor
        assert Interval.exp(Fraction(low)) < factor < Interval.exp(Fraction(high))
    # For alpha up to 1/2, which is all that is of use, gamma = epsilon alpha will do (above); and
    # a flip beyond it is refused.
    with pytest.raises(InvalidInput, match=r"^flip_probability: got 19/20, want .* 0 to 1/2"):
        FlippedLearner(learner_of(H2, 1, HALF), alpha)


def test_a_flip_beyond_one_half_by_little() -> None:
    """With gamma = epsilon alpha the statement lasts up to alpha = 1/sqrt(2), and no further.

    The factor is 1 + (2 alpha - 1) alpha / (1 - alpha) epsilon, with 1 in front of epsilon there.
    """
    epsilon = Fraction(1, 100)
    for alpha, verdict in (
        (Fraction(7, 10), audit.Verdict.VERIFIED),
        (Fraction(18, 25), audit.Verdict.REFUTED),
    ):
        result = audit.private_prediction(
            Inverting(alpha, epsilon * alpha), 1, 1, claim=Epsilon(epsilon)
        )
        assert result.verdict is verdict


def test_bad_parameters() -> None:
    base = learner_of(H2, 2, HALF)
    for z in (Fraction(51, 100), Fraction(-1, 10), float("nan"), "much"):
        with pytest.raises(InvalidInput, match=r"^flip_probability: "):
            FlippedLearner(base, z)  # type: ignore[arg-type]  # neither number is one
    with pytest.raises(InvalidInput, match=r"^base: .* probabilities and predict"):
        FlippedLearner(H2, HALF)  # type: ignore[type-var]  # a class is no learner
    leaning = FlippedLearner(Leaning(HALF), HALF)
    for account in (leaning.factor, leaning.factor_from_stability, leaning.factor_from_privacy):
        refuses(r"^base: .* want a StableLearner", account, 3)
    refuses(r"^n: got 1, want an integer that is at least 2", FlippedLearner(base, HALF).factor, 1)
    refuses(r"^n: got 1, want an integer that is at least 2", least_flip_probability, base, 1, 1)
    for value in (0, Fraction(2, 3), 1):
        refuses(r"^alpha: ", FlippedLearner.from_paper, H2, value, HALF, 100)
    for value in (0, 1, 2):
        refuses(r"^epsilon: ", FlippedLearner.from_paper, H2, HALF, value, 100)
    # n' = epsilon alpha n / 4 = n / 80.
    with pytest.raises(InvalidInput, match=r"^n: got 79, want at least 80 examples"):
        FlippedLearner.from_paper(H2, Fraction(1, 10), HALF, 79)
    refuses(r"^epsilon: got 0", FlippedLearner.from_privacy, H2, 0, Fraction(1, 10), 100)
    refuses(r"^flip_probability: got 0", FlippedLearner.from_privacy, H2, 1, 0, 100)
    # z (e**epsilon - 1)/(1 - 2z) = (1/10)(1/8)/(8/10) = 1/64.
    with pytest.raises(InvalidInput, match=r"^n: got 63, want at least 64 examples"):
        FlippedLearner.from_privacy(H2, Epsilon.exactly(Fraction(9, 8)), Fraction(1, 10), 63)


def test_samples_smaller_than_the_guarantee() -> None:
    learner = FlippedLearner.from_paper(H2, Fraction(1, 10), HALF, 80)
    small = Sample([0] * 79, [0] * 79)
    with pytest.raises(InvalidInput, match=r"^sample: got 79 examples, want at least 80 examples"):
        learner.probabilities(small, [0])
    refuses(r"^sample: got 79 examples, want at least 80 examples", learner.predict, small, 0)
