"""Many answers of prepared learners, of the same learners asked anew, and of NumPy in floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability.classes import Stumps, Thresholds
from pac_stability.data import ArraySample
from pac_stability.mechanisms import GeometricVote
from pac_stability.papers.dagan_feldman import (
    FlippedLearner,
    RealizablePrivateLearner,
    StableLearner,
)
from pac_stability.randomness import SeededCoins
from tools.bench.job import Job, definition, informed
from tools.bench.measure import Run

SEED = 13

AnyLearner = StableLearner | FlippedLearner[StableLearner] | RealizablePrivateLearner


@dataclass(frozen=True)
class Asked:
    """A learner, a sample, and how many questions are asked."""

    learner: Callable[[], AnyLearner]
    rows: int
    features: int | None
    questions: int


# A table of 569 x 30 has the size of the breast-cancer table.
INSTANCES = {
    "thresholds, 10^4, n' = 100": Asked(
        lambda: StableLearner(Thresholds(), 100, "1/10"), 10**4, None, 100
    ),
    "stumps 569 x 30, n' = 20": Asked(lambda: StableLearner(Stumps(30), 20, 1), 569, 30, 1000),
    "the same, flipped": Asked(
        lambda: FlippedLearner(StableLearner(Stumps(30), 20, 1), Fraction(1, 40)), 569, 30, 1000
    ),
    "20 voters, stumps 569 x 30": Asked(
        lambda: RealizablePrivateLearner(Stumps(30), 20, 1, vote=GeometricVote), 569, 30, 1000
    ),
    "stumps 10^6 x 10, n' = 40": Asked(
        lambda: StableLearner(Stumps(10), 40, "1/100"), 10**6, 10, 10
    ),
}


def _setting(asked: Asked) -> tuple[ArraySample, npt.NDArray[np.float64 | np.int64]]:
    """A sample labelled by its first coordinate, a fifth of the labels wrong; and the questions."""
    choice = np.random.default_rng(SEED)
    points: npt.NDArray[np.float64 | np.int64]
    if asked.features is None:
        points = np.arange(asked.rows)
        high = points >= asked.rows // 2
    else:
        points = choice.normal(size=(asked.rows, asked.features))
        high = points[:, 0] >= 0
    labels = high ^ (choice.random(asked.rows) < 0.2)
    return ArraySample(points, labels), points[choice.integers(0, asked.rows, asked.questions)]


def prepared(name: str) -> Run:
    """Prepare, and answer all questions; preparing is part of the time."""
    asked = INSTANCES[name]
    (sample, points), learner = _setting(asked), asked.learner()

    def run() -> tuple[int, int]:
        found = learner.prepare(sample).answers(points, SeededCoins(SEED))
        return len(found), len(found)

    return run


def anew(name: str) -> Run:
    """Predict one point after the other, from the sample each time."""
    asked = INSTANCES[name]
    (sample, points), learner = _setting(asked), asked.learner()
    each = points.tolist() if points.ndim == 1 else list(map(tuple, points.tolist()))

    def run() -> tuple[int, int]:
        rng = SeededCoins(SEED)
        found = [learner.predict(sample, point, rng) for point in each]
        return len(found), len(found)

    return run


def arrays(name: str) -> Run:
    """The same in floats: errors of all cuts are counted once, and looked up in each answer.

    Equal patterns of two coordinates stay, which only saves time.
    """
    asked = INSTANCES[name]
    (sample, points), learner = _setting(asked), asked.learner()
    flip = 0.0
    if isinstance(learner, FlippedLearner):
        flip, learner = float(learner.flip_probability), learner.base
    if not isinstance(learner, StableLearner):
        raise TypeError(learner)
    size, rate = learner.subset_size, math.log(learner.decay)
    values = np.asarray(sample.points, dtype=np.float64).reshape(asked.rows, -1)
    signs = 1.0 - 2 * np.asarray(sample.labels)
    both = asked.features is not None

    def run() -> tuple[int, int]:
        choice = np.random.default_rng(SEED)
        order = values.argsort(axis=0)
        above = np.zeros((asked.rows + 1, values.shape[1]))
        above[:-1] = signs[order][::-1].cumsum(axis=0)[::-1]
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(asked.rows)[:, None], axis=0)
        columns = np.arange(values.shape[1])
        found = 0
        for point in points.reshape(len(points), -1):
            few = np.sort(ranks[choice.choice(asked.rows, size, replace=False)], axis=0)
            few = np.vstack([few, np.full(values.shape[1], asked.rows)])
            excess = above[few, columns]
            ends = values[order[np.minimum(few, asked.rows - 1), columns], columns]
            labels = (point >= ends) & (few < asked.rows)
            if both:
                # A cut below all is one above all, turned, in every coordinate: one of them stays.
                excess = np.concatenate([excess[1:].ravel(), -excess[1:].ravel()])
                labels = np.concatenate([labels[1:].ravel(), ~labels[1:].ravel()])
            excess, labels = excess.ravel(), labels.ravel()
            weights = np.exp((excess - excess.min()) * rate)
            answer = labels[np.searchsorted(weights.cumsum(), choice.random() * weights.sum())]
            found += bool(answer) ^ (choice.random() < flip)
        return len(points), len(points) + 0 * found

    return run


VOTERS, LARGE = "20 voters, stumps 569 x 30", "stumps 10^6 x 10, n' = 40"
JOBS = {
    "answers": Job(
        "Questions to a learner that is prepared for the sample, preparation included; nodes are "
        "answers. Definition: the same learner asked by `predict`, which counts anew each time. "
        "Informed: NumPy in floats, errors of all cuts counted once; not written for voters.",
        INSTANCES,
        prepared,
        (
            definition(anew, INSTANCES.keys() - {VOTERS, LARGE}),
            informed(arrays, INSTANCES.keys() - {VOTERS}),
        ),
    )
}
