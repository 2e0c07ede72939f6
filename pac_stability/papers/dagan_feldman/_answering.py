"""What learners make of a sample once, so that answers are quick."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.classes import Hypothesis, Labeller
from pac_stability.learning import FittedClassifier, PreparedPredictor, Promises
from pac_stability.learning.learner import ManyPoints, listed_points
from pac_stability.mechanisms.draws import LazyCoin, toss_all
from pac_stability.randomness import SYSTEM_COINS, Coins

_BLOCK = 1024  # points that are labelled at once

K = TypeVar("K", bound=Hashable)
Labels = npt.NDArray[np.uint8]


class Promising(Protocol):
    """What a prepared learner still asks of the learner."""

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion."""
        ...


@dataclass(frozen=True, eq=False)
class Answering(PreparedPredictor[Hashable]):
    """A learner, and the size of the sample that it was prepared for."""

    learner: Promising = field(repr=False)
    n: int

    @property
    def promises(self) -> Promises:
        """What is proved of one answer, by notion; several spend more."""
        return self.learner.promises(self.n)


@dataclass(frozen=True, eq=False)
class TossedAnswers(Answering, Generic[K]):
    """Answers by a coin for each point, whose bias is a function of a value with few values.

    Parameters
    ----------
    learner, n
        As for :class:`Answering`.
    keys
        The value at each of some points: a number of votes, for example.
    coin
        The coin for a value; asked once for each.
    """

    keys: Callable[[Sequence[Hashable]], Sequence[K]] = field(repr=False)
    coin: Callable[[K], LazyCoin] = field(repr=False)
    _coins: dict[K, LazyCoin] = field(default_factory=dict, repr=False)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        (key,) = self.keys([point])
        return self._coin(key).toss(rng)

    def answers(self, points: ManyPoints[Hashable], /, rng: Coins = SYSTEM_COINS) -> Labels:
        """Return one label for each point, all independent."""
        keys = self.keys(listed_points(points))
        kinds = {key: index for index, key in enumerate(dict.fromkeys(keys))}
        which = np.fromiter((kinds[key] for key in keys), dtype=np.int64, count=len(keys))
        return toss_all([self._coin(key) for key in kinds], which, rng)

    def _coin(self, key: K) -> LazyCoin:
        coin = self._coins.get(key)
        return self._coins.setdefault(key, self.coin(key)) if coin is None else coin


@dataclass(frozen=True, eq=False)
class DrawingAnswers(Answering):
    """Answers by a hypothesis that is drawn for each point alone."""

    @abstractmethod
    def draw(self, rng: Coins = SYSTEM_COINS, /) -> Hypothesis:
        """Return one hypothesis."""

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        return self.draw(rng)(point)


@dataclass(frozen=True, eq=False)
class DrawnAnswers(DrawingAnswers):
    """The same where a function draws."""

    drawing: Callable[[Coins], Hypothesis] = field(repr=False)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> Hypothesis:
        """Return one hypothesis."""
        return self.drawing(rng)


@dataclass(frozen=True, eq=False)
class FlippedAnswers(Answering):
    """Answers of another prepared learner, each flipped by a coin."""

    base: PreparedPredictor[Hashable]
    flip: LazyCoin = field(repr=False)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        return self.base.answer(point, rng) ^ self.flip.toss(rng)

    def answers(self, points: ManyPoints[Hashable], /, rng: Coins = SYSTEM_COINS) -> Labels:
        """Return one label for each point, all independent."""
        before = self.base.answers(points, rng)
        return before ^ toss_all([self.flip], np.zeros(len(before), dtype=np.int64), rng)


def votes_at(voters: Sequence[Hypothesis], points: Sequence[Hashable]) -> list[int]:
    """Return how many of the voters label each point 1."""
    if len(points) == 1:
        return [sum(h(points[0]) for h in voters)]
    fitted = [h for h in voters if isinstance(h, FittedClassifier)]
    others = [h for h in voters if not isinstance(h, FittedClassifier)]
    votes = np.zeros(len(points), dtype=np.int64)
    for h in fitted:
        votes += h.labels(points)
    for start in range(0, len(points) if others else 0, _BLOCK):
        labels = Labeller(points[start : start + _BLOCK]).labels(others)
        votes[start : start + _BLOCK] += labels.sum(axis=0, dtype=np.int64)
    found: list[int] = votes.tolist()
    return found
