"""Teachers of any kind: a class, a function, a classifier that is fitted to each part."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import arithmetic, audit, classes, data, errors, learning, randomness
from pac_stability.learning import learned
from pac_stability.mechanisms import GeometricVote, SoftMajorityVote
from pac_stability.papers import dagan_feldman
from shared_refusals import refuses

Rows = npt.NDArray[np.float64]
FOUR = arithmetic.Epsilon.exactly(4)
SAMPLE = data.Sample([0, 3, 1, 2, 2, 1], [0, 1, 0, 1, 1, 0])
ARRAYS = data.ArraySample([[0, 0], [3, 9], [1, 1], [2, 5], [0, 2], [4, 4]], [0, 1, 0, 1, 0, 1])


class MidPoint:
    """A classifier: above the middle of the means of the two labels, by the sum of a row."""

    def __init__(self, fits: list[int] | None = None) -> None:
        self.fits = fits if fits is not None else []

    def fit(self, X: Rows, y: npt.NDArray[np.uint8]) -> MidPoint:
        self.fits.append(len(X))
        sums = X.sum(axis=1)
        self.cut = (sums[y == 1].mean() + sums[y == 0].mean()) / 2
        return self

    def predict(self, X: Rows) -> npt.NDArray[np.int64]:
        return np.asarray(X.sum(axis=1) >= self.cut, dtype=np.int64)


def mean_cut(sample: data.AnySample) -> classes.Threshold:
    """A function: a threshold at the mean of the points labelled 1."""
    ones = [int(x) for x, y in zip(sample.points, sample.labels, strict=True) if y]
    return classes.Threshold(Fraction(sum(ones), len(ones)) if ones else 99)


def test_a_copy_of_a_classifier_is_fitted() -> None:
    base = MidPoint()
    h = learned(base, ARRAYS)
    assert isinstance(h, learning.FittedClassifier)
    assert not hasattr(base, "cut")
    assert [h((0, 0)), h((5, 5))] == [0, 1]
    assert h.labels(np.array([[0, 0], [5, 5]])).tolist() == [0, 1]
    assert h.labels([]).tolist() == []


def test_where_all_labels_are_equal_nothing_is_fitted() -> None:
    for label in (0, 1):
        h = learned(MidPoint(), data.Sample([1, 2], [label] * 2))
        assert [h(-9), h(9)] == [label] * 2


class Wrong:
    """A classifier that predicts what it is told."""

    def __init__(self, labels: object) -> None:
        self.labels = labels

    def fit(self, _rows: Rows, _labels: object) -> None: ...

    def predict(self, _rows: Rows) -> object:
        return self.labels


@pytest.mark.parametrize("labels", [[2], [0.5], [0, 1], [], 1, ["1"]])
def test_what_is_no_label_for_each_row_is_refused(labels: object) -> None:
    h = learned(Wrong(labels), SAMPLE)
    refuses("a label 0 or 1 for each row", h, 1)


@pytest.mark.parametrize("base", ["tree", 3, MidPoint, None])
def test_what_is_no_base_learner_is_refused(base: Any) -> None:
    for make in (
        partial(dagan_feldman.RealizablePrivateLearner, base, 2, FOUR),
        partial(dagan_feldman.DworkFeldmanAggregation, base, 2, FOUR),
        partial(dagan_feldman.LaplaceAggregation, base, 2, FOUR),
        partial(dagan_feldman.DisjointAverage, base, 2),
        partial(dagan_feldman.SubsetAverage, base, 2),
    ):
        refuses("an estimator with fit and predict", make)


def test_a_function_must_return_a_hypothesis() -> None:
    learner = dagan_feldman.RealizablePrivateLearner(cast("Any", lambda _: 1), 2, FOUR)
    refuses("a hypothesis, a function on points", learner.probabilities, SAMPLE, [0])


def test_teachers_vote_geometrically_or_softly() -> None:
    """Blocks 0 3, 1 2, 2 1 with the labels 01, 01, 10: cuts 3, 2, 2 by the function."""
    votes = {0: 0, 2: 2, 3: 3}
    for vote, wanted in (
        (GeometricVote, {0: "1/20", 2: "4/5", 3: "19/20"}),
        (SoftMajorityVote, {0: "1/9", 2: "2/3", 3: "8/9"}),
    ):
        learner = dagan_feldman.RealizablePrivateLearner(mean_cut, 3, FOUR, vote=vote)
        assert learner.vote == vote.from_epsilon(FOUR)
        at = learner.probabilities(SAMPLE, list(votes))
        assert list(map(str, at)) == list(wanted.values())
        prepared = learner.prepare(SAMPLE)
        for x, p in zip(votes, at, strict=True):
            assert data.enumerate_law(partial(prepared.answer, x)).probability(1) == p
    one, other = (
        dagan_feldman.RealizablePrivateLearner(mean_cut, 3, FOUR, vote=v)
        for v in (GeometricVote, SoftMajorityVote)
    )
    assert one != other
    assert "GeometricVote" in repr(one)
    assert [one.factor, other.factor] == [4, 3]
    assert (
        dagan_feldman.RealizablePrivateLearner(mean_cut, 10**5, FOUR, vote=GeometricVote).factor
        == 4
    )
    with pytest.raises(errors.InvalidInput, match="SoftMajorityVote or GeometricVote"):
        dagan_feldman.RealizablePrivateLearner(
            mean_cut, 3, FOUR, vote=cast("Any", dagan_feldman.DworkFeldmanAggregation)
        )


def test_what_teachers_promise_is_what_an_audit_finds() -> None:
    for base in (mean_cut, MidPoint()):
        learner = dagan_feldman.RealizablePrivateLearner(base, 2, FOUR, vote=GeometricVote)
        found = audit.private_prediction(learner, 2, 4, claim=learner.epsilon)
        assert (found.verdict.value, found.value) == ("verified", learner.factor)


def test_classifiers_as_blocks_and_in_batches() -> None:
    points = [(float(i), float(j)) for i in range(12) for j in range(12)]
    for make in (
        partial(dagan_feldman.RealizablePrivateLearner, epsilon=60, vote=GeometricVote),
        partial(dagan_feldman.DworkFeldmanAggregation, epsilon=60),
        dagan_feldman.DisjointAverage,
    ):
        learner = make(MidPoint(), blocks=3)
        exact = learner.probabilities(ARRAYS, points)
        drawn = learner.prepare(ARRAYS).answers(np.array(points))
        for p, label in zip(exact, drawn.tolist(), strict=True):
            if p < Fraction(1, 10**20) or p > 1 - Fraction(1, 10**20):
                assert label == round(p)
    # It errs in some of a thousand draws, so the coins are seeded.
    assert dagan_feldman.LaplaceAggregation(MidPoint(), 3, 60).prepare(ARRAYS).answers(
        [(0, 0), (9, 9)], randomness.SeededCoins(1)
    ).tolist() == [0, 1]


@pytest.mark.parametrize("base", [mean_cut, MidPoint()])
def test_subsets_of_any_base(base: Any) -> None:
    learner = dagan_feldman.SubsetAverage(base, 2)
    wanted = []
    for x in (0, 2, 5):
        chosen = [
            data.Sample([SAMPLE.points[i] for i in pair], [SAMPLE.labels[i] for i in pair])
            for pair in combinations(range(6), 2)
        ]
        ones = sum(learned(base, part)(x) for part in chosen)
        wanted.append(Fraction(ones, 15))
    assert list(learner.probabilities(SAMPLE, [0, 2, 5])) == wanted
    prepared = learner.prepare(SAMPLE)
    for x, p in zip((0, 2, 5), wanted, strict=True):
        assert data.enumerate_law(partial(prepared.answer, x)).probability(1) == p


def test_a_class_is_a_base_learner_as_before() -> None:
    H = classes.Thresholds()
    voters = dagan_feldman.RealizablePrivateLearner(H, 3, FOUR).voters(SAMPLE)
    cuts: Sequence[Hashable] = [h.cut for h in voters if isinstance(h, classes.Threshold)]
    assert cuts == [3, 2, 2]
