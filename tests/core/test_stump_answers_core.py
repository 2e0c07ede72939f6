"""The kernel of answers on stumps, against patterns and weights that are listed one by one."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, InvalidInput, SeededCoins, classes
from pac_stability._core.stump_answers import StumpAnswers
from pac_stability.data import ArraySample, Sample, enumerate_law
from pac_stability.papers.dagan_feldman import StableLearner, answers
from pac_stability.papers.dagan_feldman.answers import StumpDraws
from shared_coins import Words

Points = list[tuple[int, ...]]


class Setting(NamedTuple):
    """A sample, a learner, and what was prepared."""

    points: Points
    labels: list[int]
    learner: StableLearner
    prepared: StumpDraws

    def errors(self, h: classes.Hypothesis) -> int:
        return sum(h(x) != y for x, y in zip(self.points, self.labels, strict=True))

    def share(self, subset: Sequence[int], point: Hashable) -> Fraction:
        """The probability of label 1 once a subset is drawn, from the definition."""
        candidates = self.learner.H.representatives_on([self.points[i] for i in subset])
        weights = [self.learner.decay ** self.errors(h) for h in candidates]
        ones = sum((w for h, w in zip(candidates, weights, strict=True) if h(point)), Fraction(0))
        return ones / sum(weights)


def setting_of(points: Points, labels: list[int], size: int, decay: Fraction) -> Setting:
    learner = StableLearner(classes.Stumps(len(points[0])), size, Epsilon.exactly(decay**-2))
    prepared = learner.prepare(ArraySample(np.array(points), np.array(labels)))
    assert isinstance(prepared, StumpDraws)
    listed = learner.prepare(Sample(points, labels))
    assert isinstance(listed, StumpDraws)
    for one, other in ((prepared, listed), (listed, prepared)):
        assert one.errors.tolist() == other.errors.tolist()
    return Setting(points, labels, learner, prepared)


@st.composite
def settings(draw: st.DrawFn) -> Setting:
    """Few values, so that points, cuts and patterns are often the same."""
    p, n = draw(st.integers(1, 4)), draw(st.integers(1, 12))
    point = st.tuples(*[st.integers(0, draw(st.integers(0, 6)))] * p)
    points = draw(st.lists(point, min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    decay = draw(st.sampled_from([Fraction(1, 2), Fraction(158999, 262144), Fraction(1, 10**9)]))
    return setting_of(points, labels, draw(st.integers(1, n)), decay)


@given(settings(), st.data())
def test_the_candidates_of_a_subset_are_its_patterns(setting: Setting, data: st.DataObject) -> None:
    size, n = setting.learner.subset_size, len(setting.points)
    subset = data.draw(st.permutations(range(n)))[:size]
    coordinates, ranks = setting.prepared.kernel.candidates(np.array(subset))
    axes = setting.prepared.axes
    found = {
        classes.Stump(len(axes), int(j), int(axes[j][r]), upward)
        for j, r in zip(coordinates, ranks, strict=True)
        for upward in (True, False)
    }
    assert len(found) == 2 * len(ranks)
    assert found == set(setting.learner.H.representatives_on([setting.points[i] for i in subset]))


@pytest.mark.parametrize("size", [16, 17, 33, 64, 65, 128, 130])
def test_subsets_of_many_words(size: int) -> None:
    rng = np.random.default_rng(size)
    base = rng.integers(0, 40, 150)
    # Coordinates that agree, that are reversed, that have ties, and one of its own.
    columns = [base, 3 * base + 1, -base, base // 4, rng.integers(0, 1000, 150)]
    points = [tuple(map(int, row)) for row in np.array(columns).T]
    setting = setting_of(points, rng.integers(0, 2, 150).tolist(), size, Fraction(9, 10))
    for _ in range(2):
        subset = rng.choice(150, size, replace=False)
        coordinates, ranks = setting.prepared.kernel.candidates(subset)
        axes = setting.prepared.axes
        found = [
            classes.Stump(5, int(j), int(axes[j][r]), upward)
            for upward in (True, False)
            for j, r in zip(coordinates, ranks, strict=True)
        ]
        wanted = setting.learner.H.representatives_on([points[i] for i in subset])
        assert len(found) == len(wanted)
        assert set(found) == set(wanted)


def indices_of(halves: list[int], n: int, size: int) -> tuple[list[int], int]:
    """Floyd's algorithm with Lemire's numbers, and how many halves of words it read."""
    chosen: list[int] = []
    read = 0
    for last in range(n - size, n):
        while (halves[read] * (last + 1)) % 2**32 < 2**32 % (last + 1):
            read += 1
        index = halves[read] * (last + 1) >> 32
        read += 1
        chosen.append(last if index in chosen else index)
    return chosen, read


@given(settings(), st.data())
def test_an_answer_is_what_the_words_say(setting: Setting, data: st.DataObject) -> None:
    n, size = len(setting.points), setting.learner.subset_size
    point = data.draw(st.tuples(*[st.integers(-1, 7)] * len(setting.points[0])))
    # Zero is drawn again, unless all numbers are as likely as before.
    half = st.one_of(st.just(0), st.integers(0, 2**32 - 1))
    halves = data.draw(st.lists(half, min_size=size, max_size=size)) + [0x9E3779B9] * 2 * size
    subset, read = indices_of(halves, n, size)
    share = setting.share(subset, point)
    near = int(share * 2**64) + data.draw(st.integers(-2, 2))
    anywhere = data.draw(st.integers(0, 2**64 - 1))
    for digits in (min(max(near, 0), 2**64 - 1), anywhere):
        further = data.draw(st.integers(1, 2**64 - 2))
        words = [low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=False)]
        words = [*words[: (read + 1) // 2], digits, further, *[2**63] * 40]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(answers, "_FEW_PATHS", 0)
            patch.setattr(answers, "words", scripted(words))
            label = setting.prepared.answer(point, Words([further]))
        number = Fraction(digits << 64 | further, 2**128)
        if number != share:
            assert label == int(number < share)


def scripted(script: list[int]) -> object:
    """In place of the words of coins: these."""

    def given_words(_count: int, _rng: object) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        return np.array(script, dtype=np.uint64)

    return given_words


def test_words_that_end_in_the_middle_are_read_again() -> None:
    rng = np.random.default_rng(3)
    points = [tuple(map(int, row)) for row in rng.integers(0, 50, (40, 3))]
    setting = setting_of(points, rng.integers(0, 2, 40).tolist(), 7, Fraction(9, 10))
    kernel = setting.prepared.kernel
    words = rng.integers(0, 2**64, 500, dtype=np.uint64)
    places = setting.prepared._places(points)
    whole = np.zeros(40, dtype=np.uint8)
    assert kernel.answers(words, places, whole) == 0
    assert kernel.answered == 40
    used = kernel.used
    for length in (1, 3, 4, 5, 9, 30):
        labels = np.zeros(40, dtype=np.uint8)
        done = total = end = 0
        while done < 40:
            end += length
            why = kernel.answers(words[total:end], places[done:], labels[done:])
            done, total = done + kernel.answered, total + kernel.used
            assert why == (done < 40)
        assert labels.tolist() == whole.tolist()
        assert total == used


def test_the_law_is_that_of_the_learner() -> None:
    """Of 12,000 seeded answers in the core, within five standard errors of the exact law."""
    rng = np.random.default_rng(5)
    points = [tuple(map(int, row)) for row in rng.integers(0, 4, (9, 2))]
    labels = [int(x + y > 3) for x, y in points]
    setting = setting_of(points, labels, 3, Fraction(2, 3))
    asked = [(0, 3), (2, 2), (9, -1)]
    exact = setting.learner.probabilities(Sample(points, labels), asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "_FEW_PATHS", 0)
        drawn = setting.prepared.answers(asked * 4000, SeededCoins("law"))
    for p, count in zip(exact, drawn.reshape(-1, 3).sum(axis=0).tolist(), strict=True):
        assert abs(count - 4000 * p) <= 5 * float(4000 * p * (1 - p)) ** 0.5


def test_small_samples_are_asked_one_by_one_and_can_be_followed() -> None:
    setting = setting_of([(0, 2), (1, 1), (1, 0)], [0, 1, 1], 2, Fraction(1, 2))
    sample = Sample(setting.points, setting.labels)
    asked = [(0, 2), (1, 2)]
    exact = setting.learner.probabilities(sample, asked)
    law = enumerate_law(lambda rng: tuple(setting.prepared.answers(asked, rng).tolist()))
    for place, p in enumerate(exact):
        assert law.map(itemgetter(place)).probability(1) == p
    assert law.probability((1, 1)) == exact[0] * exact[1]
    assert enumerate_law(setting.prepared.draw) == setting.learner.law(sample)


def test_weights_are_taken_from_the_best_candidate_on() -> None:
    """All stumps err 150 times or more: with weights from 0 errors on all would be 0."""
    rng = np.random.default_rng(11)
    points = [tuple(map(int, row)) for row in rng.integers(0, 1000, (400, 2))]
    setting = setting_of(points, rng.integers(0, 2, 400).tolist(), 20, Fraction(1, 2))
    assert setting.prepared.errors.min() >= 150
    labels = np.zeros(400, dtype=np.uint8)
    words = rng.integers(0, 2**64, 6000, dtype=np.uint64)
    assert setting.prepared.kernel.answers(words, setting.prepared._places(points), labels) == 0


def test_rounded_weights_enclose_the_powers(monkeypatch: pytest.MonkeyPatch) -> None:
    for guard, decay in product((0, 3, 40), (Fraction(1, 2), Fraction(2, 3), Fraction(99, 100))):
        monkeypatch.setattr(answers, "_GUARD", guard)
        floors, spread = answers._rounded_powers(decay, 300, 1000)
        unit = 1 << 61 - (2 * 1000).bit_length()
        assert floors[0] == unit
        for k, floor in enumerate(floors.tolist()):
            assert floor <= unit * decay**k <= floor + spread
        assert len(floors) == 301 or unit * decay ** len(floors) <= spread
        assert 2000 * (unit + spread) < 1 << 62
        assert spread <= 2 or guard < 40


def test_many_batches_are_answered_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(80, 3))
    learner = StableLearner(classes.Stumps(3), 9, 200)
    prepared = learner.prepare(ArraySample(X, (X[:, 1] > 0).astype(np.uint8)))
    monkeypatch.setattr(answers, "_WORK", 100)
    found = prepared.answers(np.array([[0, -9, 0], [0, 9, 0]] * 30, dtype=float), SeededCoins(1))
    assert found.tolist() == [0, 1] * 30
    assert prepared.answers(np.zeros((0, 3))).tolist() == []


def test_points_are_compared_exactly_whatever_their_type() -> None:
    third = Fraction(1, 3)
    learner = StableLearner(classes.Stumps(1), 2, Epsilon.exactly(10**40))
    sample = Sample([(0.1,), (1 / 3,)], [0, 1])
    prepared = learner.prepare(sample)
    assert third > Fraction(1 / 3)
    for point, label in (
        ((third,), 1),
        ((Fraction(1 / 3),), 1),
        ((1 / 3,), 1),
        ((0.2,), 0),
        ((1,), 1),
    ):
        drawn = [int(x) for x in prepared.answers([point] * 20, SeededCoins(2))]
        assert drawn == [label] * 20
        assert prepared.answer(point, SeededCoins(3)) == label
    # An integer that a float would round up, onto the value of an example.
    large = learner.prepare(ArraySample([[0.5], [2.0**53 + 4]], [0, 1]))
    assert large.answer((2**53 + 3,), SeededCoins(1)) == 0
    assert large.answer((2**53 + 4,), SeededCoins(1)) == 1
    above = Sample([(0.1,), (third,)], [0, 1])
    assert learner.prepare(above).answer((1 / 3,), SeededCoins(1)) == 0


@pytest.mark.parametrize(
    "point", [(1.0,), (1.0, 2.0, 3.0), (1.0, float("nan")), (1.0, "a"), 3, (float("inf"), 0.0)]
)
def test_points_outside_the_space_are_refused_before_coins_are_drawn(point: Hashable) -> None:
    setting = setting_of([(0, 2), (1, 1), (1, 0)] * 9, [0, 1, 1] * 9, 12, Fraction(1, 2))
    for ask in (setting.prepared.answer, lambda x, rng: setting.prepared.answers([x], rng)):
        with pytest.raises(InvalidInput):
            ask(point, Words([]))


def test_what_takes_too_much_memory_is_done_without_the_kernel() -> None:
    sample = ArraySample([[0, 2], [1, 1]], [0, 1])
    learner = StableLearner(classes.Stumps(2), 1, 1)
    for name in ("_MOST_RANKS", "_MOST_MEMORY"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(answers, name, 1)
            prepared = learner.prepare(sample)
            assert not isinstance(prepared, StumpDraws)
            assert prepared.answer((1, 1)) in (0, 1)
    with pytest.raises(MemoryError):
        StumpAnswers(
            np.zeros((1, 4), np.uint32),
            np.array([0, 1]),
            np.array([2]),
            2,
            np.array([1 << 40], np.uint64),
            0,
            100,
        )
