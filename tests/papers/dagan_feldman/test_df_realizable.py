"""The private learner of Lemma 9: its law, its exact privacy, its error."""

import math
import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, Example, Interval, InvalidInput, Sample, audit, enumerate_law
from pac_stability.classes import (
    Family,
    FiniteClass,
    Thresholds,
    cube,
    least_errors,
    singletons,
    thresholds,
)
from pac_stability.papers.dagan_feldman import baselines
from pac_stability.papers.dagan_feldman.baselines import (
    RealizablePrivateLearner,
    markov_vote_error,
    vote_error,
)
from pac_stability.testing import strategies
from shared_refusals import refuses

FOUR = Epsilon.exactly(4)  # e**epsilon = 4, so sigma = 1/2

Choose = Callable[[FiniteClass, int], Family]
SMALL = [thresholds(3), singletons(3), cube(2), FiniteClass([[0, 1, 1], [1, 0, 1]])]


@given(st.data(), st.sampled_from(SMALL), st.integers(1, 4), st.integers(0, 99))
def test_each_block_votes_by_its_first_best_representative(
    chosen: Choose, data: st.DataObject, table: FiniteClass, r: int, seed: int
) -> None:
    H = chosen(table, seed)
    sample = data.draw(strategies.samples(range(len(table.domain)), min_size=r, max_size=9))
    size = len(sample) // r
    votes = dict.fromkeys(table.domain, 0)
    for j in range(r):
        block = list(zip(sample.points, sample.labels, strict=True))[j * size : (j + 1) * size]
        candidates = H.representatives_on([x for x, _ in block])
        errors = [sum(h(x) != y for x, y in block) for h in candidates]
        voter = candidates[errors.index(min(errors))]
        for x in votes:
            votes[x] += voter(x)
    learner = RealizablePrivateLearner(H, r, FOUR)
    for x, p in zip(votes, learner.probabilities(sample, list(votes)), strict=True):
        # e**(epsilon v/2) against e**(epsilon (r-v)/2), with e**(epsilon/2) = 2
        assert p == Fraction(2 ** votes[x], 2 ** votes[x] + 2 ** (r - votes[x]))


def test_blocks_that_a_hypothesis_fits_are_chosen_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(H: Family, sample: Sample[Hashable]) -> object:
        asked.append(len(sample))
        return least_errors(H, sample)

    monkeypatch.setattr(baselines, "least_errors", counted)
    baselines._fitting.cache_clear()
    coins, H = random.Random(1), thresholds(2)
    points = [coins.randrange(2) for _ in range(600)]
    for h in H:  # 600 blocks, of four sizes of each point
        RealizablePrivateLearner(H, 200, FOUR).voters(Sample(points, [h(x) for x in points]))
    # A hypothesis, and the points of a block: both, or one of them.
    assert len(asked) == 3 * len(H) - 2
    baselines._fitting.cache_clear()


@given(st.data(), st.sampled_from(SMALL), st.integers(1, 3))
def test_the_program_that_predicts_has_the_law_that_is_claimed(
    data: st.DataObject, H: FiniteClass, r: int
) -> None:
    learner = RealizablePrivateLearner(H, r, Epsilon(0.7))
    sample = data.draw(strategies.samples(range(len(H.domain)), min_size=r, max_size=6))
    for x, p in zip(H.domain, learner.probabilities(sample, H.domain), strict=True):
        assert enumerate_law(partial(learner.predict, sample, x)).probability(1) == p


@pytest.mark.parametrize(("H", "n", "r"), [
    (thresholds(2), 4, 2),
    (thresholds(2), 3, 3),
    (thresholds(2), 5, 2),  # the last example is in no block
    (cube(2), 4, 4),
    (cube(1), 5, 5),
    (singletons(2), 3, 1),
])  # fmt: skip
def test_exact_privacy_over_all_samples_realizable_or_not(H: FiniteClass, n: int, r: int) -> None:
    learner = RealizablePrivateLearner(H, r, FOUR)
    privacy = audit.private_prediction(learner, H.domain, n, claim=learner.epsilon)
    s = Fraction(2)
    assert privacy.value == learner.factor == (1 + s**r) / (1 + s ** (r - 2)) < 4
    assert privacy.verdict.value == "verified"
    stability = audit.uniform_stability(learner, H.domain, n)
    assert stability.value == learner.stability(n)
    assert learner.stability(n) <= Fraction(1, 3)  # tanh(epsilon/4) = (2 - 1)/(2 + 1)


@pytest.mark.parametrize("r", [4_000, 40_001])
def test_the_factor_of_many_votes_is_rounded_up_by_next_to_nothing(r: int) -> None:
    # The decay is a multiple of 1/2**25 or so, so that r-th powers are long.
    learner = RealizablePrivateLearner(thresholds(2), r, Epsilon(8 / r))
    exact = learner.vote.factor(r)
    assert exact < learner.factor < exact + Fraction(1, 2**100)
    assert learner.factor < learner.vote.decay**-2


def test_millions_of_votes_have_a_factor_and_a_stability() -> None:
    learner = RealizablePrivateLearner(thresholds(2), 10**12, Epsilon(1.0))
    assert 0 <= learner.vote.decay**-2 - learner.factor < Fraction(1, 2**100)
    assert learner.stability(10**12) < Fraction(1, 4)
    refuses("n: got 3", learner.stability, 3)


def test_a_class_of_one_hypothesis_tells_nothing() -> None:
    learner = RealizablePrivateLearner(FiniteClass([[0, 1]]), 3, FOUR)
    assert audit.private_prediction(learner, 2, 3).value == 1


class Refusing:
    """The same vote, but 0 for sure when some block is consistent with no hypothesis."""

    def __init__(self, learner: RealizablePrivateLearner) -> None:
        self.learner = learner

    def probabilities(
        self, sample: Sample[Hashable], points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        size = len(sample) // self.learner.blocks
        for j, h in enumerate(self.learner.voters(sample)):
            if sample[j * size : (j + 1) * size].count_errors(h):
                return (Fraction(0),) * len(points)
        return self.learner.probabilities(sample, points)


def test_a_learner_that_refuses_samples_is_not_private() -> None:
    learner = RealizablePrivateLearner(thresholds(2), 2, FOUR)
    assert audit.private_prediction(Refusing(learner), 2, 4).value == math.inf
    # Samples that a hypothesis labels do not show it.
    realizable = [Example(x, h(x)) for h in [thresholds(2)[1]] for x in (0, 1)]
    result = audit.private_prediction(
        Refusing(learner), realizable, 4, points=[0, 1], labelled=False
    )
    assert result.value <= learner.factor


def test_an_epsilon_that_is_a_number_is_never_exceeded() -> None:
    learner = RealizablePrivateLearner(thresholds(2), 3, Epsilon(Fraction(3, 10)))
    assert audit.private_prediction(learner, 2, 3).value == learner.factor
    s = Interval.exp(Fraction(3, 20))
    exact = (1 + s * s * s) / (1 + s)
    assert exact - Fraction(1, 10**4) < learner.factor < exact


def test_infinite_classes() -> None:
    learner = RealizablePrivateLearner(Thresholds(), 2, FOUR)
    sample = Sample([1, 5, 2, 4, 9], [0, 1, 0, 1, 0])
    # Both blocks have their cut between 2 and 4; the fifth example is dropped.
    assert learner.probabilities(sample, [0, 6]) == (Fraction(1, 5), Fraction(4, 5))


@given(
    st.integers(1, 9),
    st.fractions(Fraction(1, 20), 1, max_denominator=20),
    strategies.probabilities(40),
)
def test_vote_error_is_the_worst_case_over_all_numbers_of_wrong_votes(
    r: int, sigma: Fraction, a: Fraction
) -> None:
    loss = [1 / (1 + (1 / sigma) ** (r - 2 * w)) for w in range(r + 1)]
    # The worst law of w with expectation at most a r sits on one or two values: the vertices of
    # a polytope with two constraints.
    worst = max(
        loss[u] if v == u else loss[u] + (loss[v] - loss[u]) * (a * r - u) / (v - u)
        for u, v in product(range(r + 1), repeat=2)
        if (u == v and u <= a * r) or u <= a * r < v
    )
    assert vote_error(r, sigma, a) == worst <= markov_vote_error(r, sigma, a)


@given(st.data(), st.sampled_from(SMALL), st.integers(1, 4), st.integers(0, 99))
def test_errors_of_the_learner_are_within_vote_error(
    chosen: Choose, data: st.DataObject, table: FiniteClass, r: int, seed: int
) -> None:
    H = chosen(table, seed)
    target = table[data.draw(st.integers(0, len(table) - 1))]
    xs = data.draw(st.lists(st.sampled_from(table.domain), min_size=r, max_size=9))
    sample = Sample(xs, [target(x) for x in xs])
    learner = RealizablePrivateLearner(H, r, FOUR)
    size = len(table.domain)

    voters = learner.voters(sample)
    assert all(
        h(x) == target(x)
        for h, start in zip(voters, range(0, len(xs), len(xs) // r), strict=False)
        for x in xs[start : start + len(xs) // r]
    )
    a = max(Fraction(sum(h(x) != target(x) for x in table.domain), size) for h in voters)
    predicted = learner.probabilities(sample, table.domain)
    error = sum(abs(p - target(x)) for p, x in zip(predicted, table.domain, strict=True)) / size
    assert error <= vote_error(r, learner.vote.decay, a)


def test_the_envelope_grows_half_as_fast_as_markov_says() -> None:
    # The slopes 1.16, 1.32 and 1.53 are those of the logistic curve 1/(1 + e**(A/2 - A u)) with
    # A = epsilon r = 8, 12, 24: the largest (l(u) - l(0))/u; many votes come near it.
    for total, slope in ((8, 1.163), (12, 1.318), (24, 1.530)):
        decay = RealizablePrivateLearner(cube(1), 400, Epsilon(total / 400)).vote.decay
        a = Fraction(1, 10**6)
        measured = (vote_error(400, decay, a) - vote_error(400, decay, 0)) / a
        assert math.isclose(measured, slope, abs_tol=1e-3)
        assert markov_vote_error(400, decay, a) - markov_vote_error(400, decay, 0) == 4 * a


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1, 5), Fraction(1, 100)])
@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 10)])
def test_lemma_9_has_the_accuracy_it_promises(alpha: Fraction, epsilon: Fraction) -> None:
    r = math.ceil((4 / epsilon * Interval.log(5 / alpha)).upper)
    decay = RealizablePrivateLearner(cube(1), r, Epsilon(epsilon)).vote.decay
    assert markov_vote_error(r, decay, alpha / 5) <= alpha
    assert vote_error(r, decay, 2 * alpha / 5) <= alpha  # twice the error of a block is allowed


def test_bad_input() -> None:
    H = thresholds(2)
    with pytest.raises(InvalidInput, match="sample: got 2 examples, want at least 3"):
        RealizablePrivateLearner(H, 3, FOUR).probabilities(Sample([0, 1], [0, 1]), [0])
    with pytest.raises(InvalidInput, match="sample: got 2 examples, want at least 3"):
        RealizablePrivateLearner(H, 1, FOUR, 3).predict(Sample([0, 1], [0, 1]), 0)
    refuses("least_sample_size: got -1", RealizablePrivateLearner, H, 1, FOUR, -1)
    refuses("blocks", RealizablePrivateLearner, H, 0, FOUR)
    refuses("epsilon", lambda: RealizablePrivateLearner(H, 1, Epsilon(-1)))
    refuses("empty class", RealizablePrivateLearner, FiniteClass([], domain=[]), 1, FOUR)
    refuses("point", RealizablePrivateLearner(H, 1, FOUR).probabilities, Sample([7], [1]), [0])
    refuses("decay", vote_error, 3, 0, 0)
    refuses("block_error", vote_error, 3, Fraction(1, 2), 2)
    refuses("blocks", markov_vote_error, 0, Fraction(1, 2), 0)
