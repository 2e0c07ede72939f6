"""The learner of Theorem 3: its law against the naive double sum, and its privacy, audited."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import audit, classes, errors, mechanisms
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import Sample, enumerate_law
from pac_stability.papers.dagan_feldman import baselines, stable
from pac_stability.papers.dagan_feldman.private_prediction import (
    PrivatePredictionLearner,
    RelabellingLearner,
    amplified_factor,
    largest_disagreement,
    matching_factor,
    net_disagreements,
)
from pac_stability.testing import strategies
from shared_refusals import refuses

Choose = Callable[[classes.FiniteClass, int], classes.Family]
SampleOf = Sample[Hashable]

TABLES = [classes.thresholds(3), classes.singletons(3), classes.cube(2), classes.intervals(3)]
FOUR = Epsilon.exactly(4)


def naive(learner: RelabellingLearner, sample: SampleOf, size: int, x: Hashable) -> Fraction:
    """h_S(x) as it is defined: the double sum over index sets and their representatives."""
    H, n, r = learner.selector.H, len(sample), learner.private.blocks
    rho, sigma = learner.selector.decay, learner.private.vote.decay
    total, count = Fraction(0), 0
    for subset in combinations(range(n), size):
        top = bottom = Fraction(0)
        for h in H.representatives_on([sample.points[i] for i in subset]):
            votes = 0
            for start in range(0, n // r * r, n // r):
                block = sample.points[start : start + n // r]
                (g,) = (g for g in H.representatives_on(block) if all(g(z) == h(z) for z in block))
                votes += g(x)
            weight = rho ** sum(
                h(z) != y for z, y in zip(sample.points, sample.labels, strict=True)
            )
            top += weight / (1 + sigma ** (2 * votes - r))
            bottom += weight
        total += top / bottom
        count += 1
    return total / count


@settings(max_examples=60)
@given(st.data(), st.sampled_from(TABLES), st.integers(0, 99))
def test_the_law_is_the_double_sum(
    chosen: Choose, data: st.DataObject, table: classes.FiniteClass, seed: int
) -> None:
    H = chosen(table, seed)
    sample = data.draw(strategies.samples(range(len(table.domain)), min_size=1, max_size=6))
    size = data.draw(st.integers(1, len(sample)))
    blocks = data.draw(st.integers(1, len(sample)))
    k, v = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    learner = RelabellingLearner(
        stable.StableLearner(H, size, Epsilon.exactly(Fraction(k + 1, k) ** 2)),
        baselines.RealizablePrivateLearner(H, blocks, Epsilon.exactly(Fraction(v + 1, v) ** 2)),
    )
    assert learner.selector.decay == Fraction(k, k + 1)
    assert learner.private.vote.decay == Fraction(v, v + 1)
    assert learner.probabilities(sample, table.domain) == tuple(
        naive(learner, sample, size, x) for x in table.domain
    )


@pytest.mark.parametrize("flip", [0, Fraction(1, 5)])
def test_decays_follow_the_size_of_the_sample(flip: Fraction) -> None:
    H, eta = classes.thresholds(3), Fraction(1, 3)
    learner = PrivatePredictionLearner(H, 2, eta, blocks=2, flip_probability=flip)
    for n in (3, 5, 1000, 10**6):
        at = learner.at(n)
        kappa = 1 / (eta * n)
        rho, sigma = at.selector.decay, at.private.vote.decay
        # Never more privacy than e**(1/(eta n)) for one error, and for one vote; and nearly that.
        for spent in (1 / rho, sigma**-2):
            assert Interval.exp(kappa * (1 - Fraction(1, 2**14))) < spent
            assert spent <= Interval.exp(kappa)
        assert Interval.exp(3 * kappa) >= at.step
    sample: SampleOf = Sample([0, 1, 2, 1], [0, 1, 1, 0])
    assert learner.probabilities(sample, [0, 1, 2]) == tuple(
        flip + (1 - 2 * flip) * naive(learner.at(4), sample, 2, x) for x in range(3)
    )


def test_the_votes_may_have_a_privacy_of_their_own() -> None:
    learner = PrivatePredictionLearner(
        classes.thresholds(3), 2, Fraction(1, 2), blocks=2, vote_epsilon=Epsilon.exactly(9)
    )
    for n in (4, 400):
        assert learner.at(n).private.vote.decay == Fraction(1, 3)
        assert learner.at(n).private.factor == 5  # (1 + 9)/(1 + 1)
        assert learner.at(n).selector.decay >= Interval.exp(Fraction(-2, n))


@settings(max_examples=5)
@given(st.data(), st.sampled_from(TABLES[:3]), st.integers(0, 9))
def test_the_program_that_predicts_has_the_law_that_is_claimed(
    chosen: Choose, data: st.DataObject, table: classes.FiniteClass, seed: int
) -> None:
    sample = data.draw(strategies.samples(range(len(table.domain)), min_size=2, max_size=3))
    learner = PrivatePredictionLearner(
        chosen(table, seed), 2, Fraction(1, 2), blocks=2, flip_probability=Fraction(1, 10)
    )
    for x, p in zip(table.domain, learner.probabilities(sample, table.domain), strict=True):
        assert enumerate_law(partial(learner.predict, sample, x)).probability(1) == p


@settings(max_examples=20)
@given(st.data(), st.sampled_from(TABLES))
def test_enclosures_contain_the_exact_law(data: st.DataObject, H: classes.FiniteClass) -> None:
    sample = data.draw(strategies.samples(range(len(H.domain)), min_size=3, max_size=9))
    learner = PrivatePredictionLearner(
        H, 2, Fraction(1, 4), blocks=3, flip_probability=Fraction(1, 10)
    )
    exact = learner.probabilities(sample, H.domain)
    for p, around in zip(exact, learner.enclosed(sample, H.domain), strict=True):
        assert p in around
        assert around.width < Fraction(
            1, 2**39
        )  # 9.2e-13 on intervals(3), at 0, 1, 1 with labels 0, 0, 1


def test_the_order_of_the_examples_matters() -> None:
    # Blocks with the points 0, 0 and 1, 1 know other things than two blocks with 0, 1.
    learner = PrivatePredictionLearner(classes.thresholds(2), 1, Fraction(1, 2), blocks=2)
    one: SampleOf = Sample([0, 0, 1, 1], [0, 1, 0, 1])
    other: SampleOf = Sample([0, 1, 0, 1], [0, 0, 1, 1])
    assert sorted(zip(one.points, one.labels, strict=True)) == sorted(
        zip(other.points, other.labels, strict=True)
    )
    assert learner.probabilities(one, [0]) != learner.probabilities(other, [0])
    assert not audit.is_symmetric(learner, 2, 4)


class Remembered:
    """A learner that is asked once about each sample, for several audits."""

    def __init__(self, learner: PrivatePredictionLearner) -> None:
        self.learner = learner
        self.answers: dict[SampleOf, tuple[Fraction, ...]] = {}

    def probabilities(
        self, sample: SampleOf, points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        if sample not in self.answers:
            self.answers[sample] = self.learner.probabilities(sample, points)
        return self.answers[sample]


def worst_fraction(H: classes.FiniteClass, n: int, size: int, limit: int) -> Fraction:
    """The largest fraction b of unlucky index sets, over all point tuples and indices."""
    worst = Fraction(0)
    for points in product(H.domain, repeat=n):
        sample: SampleOf = Sample(points, [0] * n)
        for index in range(n):
            others = [points[i] for i in range(n) if i != index]
            rests = list(combinations(others, size - 1))
            beyond = sum(largest_disagreement(H, sample, rest) > limit for rest in rests)
            worst = max(worst, Fraction(beyond, len(rests)))
    return worst


@pytest.mark.parametrize(("H", "n", "size", "blocks", "eta"), [
    (classes.thresholds(2), 4, 2, 2, Fraction(1, 2)),
    (classes.thresholds(2), 4, 3, 4, Fraction(3, 4)),
    (classes.singletons(2), 4, 3, 2, Fraction(3, 4)),
    (classes.cube(2), 3, 2, 3, Fraction(3, 4)),
])  # fmt: skip
def test_privacy_over_all_ordered_samples(
    H: classes.FiniteClass, n: int, size: int, blocks: int, eta: Fraction
) -> None:
    z = Fraction(1, 10)
    plain = PrivatePredictionLearner(H, size, eta, blocks=blocks)
    flipped = PrivatePredictionLearner(H, size, eta, blocks=blocks, flip_probability=z)
    remembered = Remembered(plain)
    pure = audit.private_prediction(remembered, H.domain, n)
    after = audit.private_prediction(flipped, H.domain, n)
    assert pure.counts.datasets == (2 * len(H.domain)) ** n
    assert isinstance(pure.value, Fraction)
    assert isinstance(after.value, Fraction)
    deltas = []
    for limit in range(n + 1):
        unlucky = worst_fraction(H, n, size, limit)
        guarantee = plain.guarantee(n, limit, unlucky)
        deltas.append(guarantee.delta)
        if guarantee.delta:
            value = audit.private_prediction(remembered, H.domain, n, guarantee.delta).value
            assert value <= guarantee.factor
            assert plain.factor(n, limit, unlucky) == math.inf
        else:
            assert pure.value <= guarantee.factor == plain.factor(n, limit, unlucky)
        bound = flipped.factor(n, limit, unlucky)
        assert bound == mechanisms.Flip(z).factor_after(guarantee.delta, guarantee.epsilon)
        assert after.value <= bound
    assert deltas[-1] == 0
    assert 1 < after.value < pure.value


def test_subsampling_makes_the_exchange_of_an_index_small() -> None:
    # With everything of the sample as candidates, or nearly nothing, the step is all there is.
    learner = PrivatePredictionLearner(classes.thresholds(2), 1, Fraction(1, 2), blocks=2)
    step = learner.at(1000).step
    guarantee = learner.guarantee(1000, 3, 0)
    assert guarantee.factor == step * (1 + Fraction(1, 1000) * (4 * step**3 - 1))
    assert matching_factor(step, 3) == 4 * step**3


@given(strategies.probabilities(50), st.fractions(1, 90, max_denominator=9))
def test_the_amplified_factor_is_below_the_one_of_equation_13(q: Fraction, c: Fraction) -> None:
    sharp = amplified_factor(1, q, c)
    assert 1 <= sharp <= c
    if q < 1:
        assert sharp <= 1 + c * q / (1 - q)
    # The conclusion with 2 q in place of q/(1 - q) holds for every q, though the step to it, which
    # is n - n' >= n/2, asks for n' <= n/2.
    assert sharp <= 1 + 2 * c * q


def test_the_step_to_half_of_the_sample_asks_for_small_subsets() -> None:
    # n' <= epsilon n gives n - n' >= (1 - epsilon) n, which is n/2 only for epsilon <= 1/2.
    n, size = 8, 6
    q = Fraction(size, n)
    assert n - size == 2 < Fraction(n, 2)
    assert Fraction(size, n - size) == 3 > 2 * q == Fraction(3, 2)
    # As q grows, q/(1 - q) has no bound; the amplified factor ends at the constant itself.
    c = Fraction(80)
    assert amplified_factor(1, Fraction(99, 100), c) < c < 1 + c * 99
    assert amplified_factor(1, 1, c) == c


def test_constants_of_lemma_15() -> None:
    # For q = kappa = e0 -> 0 the paper's proof gives epsilon = (3 + 4 e**6) e0 = 1616.7 e0; the
    # number K = eta (n - 1) + 1 of disagreements itself gives (3 + 4 e**3 - 1) e0 = 82.3 e0.
    n, e0 = 10**6, Fraction(1, 10**5)
    eta = 1 / (e0 * n)
    learner = PrivatePredictionLearner(classes.thresholds(2), int(e0 * n), eta, blocks=30)
    paper = Interval.log(learner.paper_factor(n)) / e0
    assert paper > 1603  # the square of 1616.7 e0 makes a difference
    assert paper < 1617
    k = net_disagreements(eta, n)
    step = Interval.exp(3 * e0).upper
    sharp = Interval.log(amplified_factor(step, e0, matching_factor(step, k))) / e0
    assert sharp > Fraction(821, 10)
    assert sharp < Fraction(824, 10)
    # The exact factor of a vote of 30 with so little to spend on each is near e**(kappa/2).
    assert Interval.log(learner.guarantee(n, k, 0).factor) / e0 < Fraction(503, 10)
    # How large may q be if epsilon = 1 is wanted and kappa = 0?
    for constant, least, most in (
        (4 * Interval.exp(3), Fraction(216, 10**4), Fraction(218, 10**4)),
        (4 * Interval.exp(1), Fraction(173, 1000), Fraction(175, 1000)),
    ):
        # The factor grows with the constant: its endpoints settle both sides.
        assert Interval.exp(1) > amplified_factor(1, least, constant.upper)
        assert Interval.exp(1) < amplified_factor(1, most, constant.lower)
    odds = (Interval.exp(1) - 1) / (4 * Interval.exp(6))
    assert odds / (1 + odds) > Fraction(105, 10**5)
    assert odds / (1 + odds) < Fraction(107, 10**5)


@given(st.integers(1, 200), strategies.probabilities(200))
def test_net_disagreements(n: int, eta: Fraction) -> None:
    k = net_disagreements(eta, n)
    assert k - 1 <= eta * (n - 1) < k
    if eta * n >= 1:
        assert k <= 2 * eta * n  # where the paper goes on


def test_infinite_classes() -> None:
    learner = PrivatePredictionLearner(classes.Thresholds(), 2, Fraction(1, 8), blocks=2)
    sample: SampleOf = Sample([1, 5, 2, 4, 3, 9], [0, 1, 0, 1, 0, 1])
    low, high = learner.probabilities(sample, [0, 6])
    assert low == naive(learner.at(6), sample, 2, 0) < Fraction(1, 2)
    assert high == naive(learner.at(6), sample, 2, 6) > Fraction(1, 2)
    for p, around in zip((low, high), learner.enclosed(sample, [0, 6]), strict=True):
        assert around.lower <= p <= around.upper
        assert around.upper - around.lower < Fraction(1, 10**10)
    other = PrivatePredictionLearner(classes.Intervals(), 2, Fraction(1, 8), blocks=2)
    points = [0, 3, 5]
    for p, around in zip(
        other.probabilities(sample, points), other.enclosed(sample, points), strict=True
    ):
        assert around.lower <= p <= around.upper < around.lower + Fraction(1, 2**100)


@dataclass
class Mutable:
    """A family without a hash."""

    known: Mapping[str, classes.KnownValue]
    H: classes.FiniteClass

    def restrict(self, points: Iterable[Hashable]) -> classes.Restriction:
        return self.H.restrict(points)

    def representatives_on(self, points: Iterable[Hashable]) -> Sequence[classes.Hypothesis]:
        return self.H.representatives_on(points)


def test_a_class_need_not_be_hashable() -> None:
    sample: SampleOf = Sample([0, 1, 2, 1], [0, 1, 1, 0])
    H = classes.thresholds(3)
    plain = PrivatePredictionLearner(H, 2, Fraction(1, 2), blocks=2)
    other = PrivatePredictionLearner(Mutable({}, H), 2, Fraction(1, 2), blocks=2)
    assert plain.probabilities(sample, [0, 1, 2]) == other.probabilities(sample, [0, 1, 2])


@settings(max_examples=30)
@given(st.data(), st.sampled_from(TABLES), st.integers(0, 99))
def test_the_loss_on_the_sample_is_that_of_the_selector_and_of_the_relabelling(
    chosen: Choose, data: st.DataObject, table: classes.FiniteClass, seed: int
) -> None:
    # The chain of Lemma 17 on the sample, the parts of the selector being those of Lemma 13.
    H = chosen(table, seed)
    sample = data.draw(strategies.samples(range(len(table.domain)), min_size=2, max_size=6))
    n = len(sample)
    learner = PrivatePredictionLearner(H, 2, Fraction(1, 4), blocks=2).at(n)

    def loss(predicted: Sequence[Fraction]) -> Fraction:
        total = sum(abs(p - y) for p, y in zip(predicted, sample.labels, strict=True))
        return Fraction(total) / n

    selected = loss(learner.selector.probabilities(sample, sample.points))
    relabelled = loss(learner.probabilities(sample, sample.points))
    change = sum(
        p * abs(h(x) - q)
        for h, p in learner.selector.law(sample).items()
        for x, q in zip(sample.points, learner.relabelled(sample, h, sample.points), strict=True)
    )
    assert learner.relabelling_loss(sample) == Fraction(change) / n
    assert abs(relabelled - selected) <= learner.relabelling_loss(sample)
    best = min(sample.count_errors(h) for h in table)
    parts = stable.approximation_of(learner.selector, sample)
    assert parts.excess == selected - Fraction(best, n)
    assert parts.bound + learner.relabelling_loss(sample) >= relabelled - Fraction(best, n)


def test_bad_input() -> None:
    H = classes.thresholds(2)
    half = Fraction(1, 2)
    sample: SampleOf = Sample([0, 1], [0, 1])
    for eta in (0, 1, -half):
        refuses("eta", PrivatePredictionLearner, H, 1, eta, blocks=1)
    refuses("subset_size", PrivatePredictionLearner, H, 0, half, blocks=1)
    refuses("blocks", PrivatePredictionLearner, H, 1, half, blocks=0)
    with pytest.raises(errors.InvalidInput, match="flip_probability"):
        PrivatePredictionLearner(H, 1, half, blocks=1, flip_probability=Fraction(3, 4))
    with pytest.raises(errors.InvalidInput, match="empty class"):
        PrivatePredictionLearner(classes.FiniteClass([], domain=[]), 1, half, blocks=1)
    for learner, least in (
        (PrivatePredictionLearner(H, 3, half, blocks=1), 3),
        (PrivatePredictionLearner(H, 1, half, blocks=4), 4),
        (PrivatePredictionLearner(H, 1, half, blocks=1, least_sample_size=2914), 2914),
    ):
        wanted = f"sample: got 2 examples, want at least {least} examples"
        refuses(wanted, learner.probabilities, sample, [0])
        refuses(wanted, learner.predict, sample, 0)
        refuses(wanted, learner.enclosed, sample, [0])
        refuses("n: ", learner.guarantee, 2, 0, 0)
    learner = PrivatePredictionLearner(H, 2, half, blocks=1)
    refuses("n: ", learner.paper_factor, 2)
    refuses("unlucky", learner.guarantee, 4, 0, 2)
    refuses("disagreements", learner.guarantee, 4, -1, 0)
    refuses("point", learner.probabilities, Sample([0, 7], [0, 1]), [0])
    refuses("constant", amplified_factor, 1, half, half)
    refuses("step", matching_factor, half, 1)
    refuses("net", net_disagreements, 2, 5)
    with pytest.raises(errors.InvalidInput, match="private"):
        RelabellingLearner(stable.StableLearner(H, 1, FOUR), H)  # type: ignore[arg-type]  # refused
    with pytest.raises(errors.InvalidInput, match="selector"):
        RelabellingLearner(H, baselines.RealizablePrivateLearner(H, 1, FOUR))  # type: ignore[arg-type]  # refused
