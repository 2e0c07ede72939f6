"""A prepared learner answers with the law of the learner, whoever it is."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, cast

import numpy as np
import pytest

from pac_stability import Interval, audit, classes, data, learning, mechanisms, papers, zoo
from pac_stability.randomness import Coins, SeededCoins
from shared_coins import FixedBits
from shared_refusals import refuses

H = classes.thresholds(2)
SPECIMENS = [
    specimen
    for specimen in zoo.learners()
    if isinstance(specimen.learner, learning.LawfulLearner | learning.PointwiseLearner)
    and all(not isinstance(element, tuple) for element in specimen.elements)
]
OF_THE_PAPER = [
    specimen
    for specimen in SPECIMENS
    if type(specimen.learner).__module__.startswith(papers.dagan_feldman.__name__)
]


def samples(points: tuple[Hashable, ...], n: int) -> Iterator[data.Sample[Hashable]]:
    """Every sample of a size, spread over the list of them all: about twenty."""
    pairs = list(product(points, (0, 1)))
    every = list(product(pairs, repeat=n))
    for chosen in every[:: max(1, len(every) // 20)]:
        yield data.Sample([x for x, _ in chosen], [y for _, y in chosen])


def in_a_row(
    prepared: learning.PreparedPredictor[Hashable], points: list[Hashable], rng: Coins
) -> tuple[int, ...]:
    """Answers as a value."""
    return tuple(prepared.answers(points, rng).tolist())


def test_all_learners_and_baselines_are_asked() -> None:
    assert len(OF_THE_PAPER) == 13


@pytest.mark.parametrize("specimen", OF_THE_PAPER, ids=lambda s: s.name)
def test_an_answer_has_the_law_of_a_prediction(specimen: zoo.LearnerSpecimen) -> None:
    learner = cast("Any", specimen.learner)
    for sample in samples(specimen.points, specimen.sizes[0]):
        prepared = learner.prepare(sample)
        assert isinstance(prepared, learning.PreparedPredictor)
        assert prepared.promises == learner.promises(len(sample))
        wanted = learner.probabilities(sample, specimen.points)
        for x, p in zip(specimen.points, wanted, strict=True):
            if isinstance(p, Interval):
                continue  # an irrational probability: see the test of its coin
            assert data.enumerate_law(partial(prepared.answer, x)).probability(1) == p
            both = data.enumerate_law(partial(in_a_row, prepared, [x, x]))
            assert both.probability((1, 1)) == p * p
            assert both.map(lambda pair: pair[0]).probability(1) == p


@pytest.mark.parametrize("specimen", OF_THE_PAPER, ids=lambda s: s.name)
def test_samples_may_come_in_any_form(specimen: zoo.LearnerSpecimen) -> None:
    learner, n = cast("Any", specimen.learner), max(specimen.sizes)
    if not all(isinstance(x, int) for x in specimen.points):
        learner = papers.dagan_feldman.VotingLearner(Fraction(1, 2))
    for sample in list(samples((0, 1), n))[::7]:
        listed = learner.probabilities(sample, [0, 1])
        arrays = data.ArraySample(np.array(sample.points), np.array(sample.labels))
        for given in (arrays, classes.ErrorCounter(arrays), classes.ErrorCounter(sample)):
            assert learner.probabilities(given, [0, 1]) == listed
            if isinstance(specimen.learner, learning.LawfulLearner):
                assert learner.law(given) == learner.law(sample)
                assert learner.run(given, SeededCoins(1)) == learner.run(sample, SeededCoins(1))
            assert learner.predict(given, 1, SeededCoins(2)) in (0, 1)
            prepared = learner.prepare(given)
            if not isinstance(listed[1], Interval):
                law = data.enumerate_law(partial(prepared.answer, 1))
                assert law.probability(1) == listed[1]


@pytest.mark.parametrize("specimen", OF_THE_PAPER, ids=lambda s: s.name)
def test_what_is_no_sample_or_too_small_is_refused(specimen: zoo.LearnerSpecimen) -> None:
    learner = cast("Any", specimen.learner)
    refuses("sample", learner.prepare, [(0, 1)])
    if learner.least_examples:
        refuses("at least", learner.prepare, data.Sample((), ()))


def test_an_audit_takes_a_prepared_learner_as_a_program() -> None:
    stable = papers.dagan_feldman.StableLearner(H, 1, Fraction(1))
    learner = papers.dagan_feldman.FlippedLearner(stable, Fraction(1, 10))

    def prepared(sample: data.Sample[Hashable], point: Hashable, rng: Coins) -> int:
        return learner.prepare(sample).answer(point, rng)

    said = learner.promises(2)[audit.Notion.PRIVATE_PREDICTION]
    assert isinstance(said, mechanisms.PrivacyGuarantee)
    found = audit.private_prediction(prepared, 2, 2, claim=said.epsilon)
    assert found.verdict.value == "verified"
    assert found.value == audit.private_prediction(learner, 2, 2).value


def test_learners_of_other_papers_hold_their_sample() -> None:
    others = [s for s in SPECIMENS if s not in OF_THE_PAPER]
    assert others
    for specimen in others[:4]:
        sample = next(iter(samples(specimen.points, specimen.sizes[0])))
        prepared = cast("Any", specimen.learner).prepare(sample)
        assert prepared.answer(specimen.points[0], SeededCoins(1)) in (0, 1)
        assert prepared.promises == specimen.learner.promises(len(sample))


def test_points_come_one_by_one_or_in_arrays() -> None:
    learner = papers.dagan_feldman.RealizablePrivateLearner(classes.Stumps(2), 2, 50)
    sample = data.Sample([(0, 0), (3, 0), (0, 1), (4, 1)], [0, 1, 0, 1])
    prepared = learner.prepare(sample)
    points = np.array([[0, 5], [9, 5]] * 40)
    found = prepared.answers(points, SeededCoins(3))
    assert found.dtype == np.uint8
    assert found.tolist() == [0, 1] * 40
    assert prepared.answers(map(tuple, points.tolist()), SeededCoins(3)).tolist() == found.tolist()
    assert prepared.answers([]).tolist() == []


def test_the_coin_of_continuous_noise_is_compared_digit_by_digit() -> None:
    """p = .784 to 64 bits: of the words on both sides of 2**64 p one gives 1, the other 0."""
    learner = papers.dagan_feldman.LaplaceAggregation(classes.Thresholds(), 2, 1)
    sample = data.Sample([1, 2, 3, 4], [0, 1, 0, 1])
    (p,) = learner.probabilities(sample, [4])
    border = int(p.lower * 2**64)
    prepared = learner.prepare(sample)
    for word, label in ((0, 1), (border - 2, 1), (border + 3, 0), (2**64 - 1, 0)):
        assert prepared.answer(4, FixedBits(word, 64)) == label
        assert learner.predict(sample, 4, FixedBits(word, 64)) == label
    # The word at the border is decided by 64 more digits of both numbers.
    (fine,) = (learner.vote.probability(2, 2, bits=256),)
    scaled = fine.lower * 2**128
    for digits, label in ((int(scaled) - 2, 1), (int(scaled) + 3, 0)):
        high, low = digits >> 64, digits & (2**64 - 1)
        assert prepared.answer(4, FixedBits(low << 64 | high, 128)) == label


def test_a_lead_is_not_mixed_up_with_a_known_label() -> None:
    known = data.Sample(["known"], [1])
    learner = papers.dagan_feldman.VotingLearner(Fraction(1, 4), known)
    prepared = learner.prepare(data.Sample(["ahead"], [1]))
    for points in (["known", "ahead"], ["ahead", "known"]):
        chances = [data.enumerate_law(partial(prepared.answer, x)).probability(1) for x in points]
        assert chances == [Fraction(1) if x == "known" else Fraction(5, 8) for x in points]
