"""Who plays the mistake-bound game: a learner against an adversary."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol


class OnlineLearner(Protocol):
    """What learns in the mistake-bound game, one example after the other.

    A learner is deterministic: ``predict`` is a function of the examples seen so far and changes
    nothing, so that an adversary may ask it about every point before it chooses one.
    """

    def predict(self, point: Hashable, /) -> int:
        """Return the label, 0 or 1, expected at ``point``."""
        ...

    def update(self, point: Hashable, label: int, /) -> None:
        """Take in the true label of ``point``."""
        ...


class Adversary(Protocol):
    """What chooses the points and, after each prediction, the label."""

    def point(self, learner: OnlineLearner, /) -> Hashable | None:
        """Choose the next point, or ``None`` when the adversary has nothing more to gain."""
        ...

    def label(self, prediction: int, /) -> int:
        """Reveal the label of the point just chosen, decided after the learner's ``prediction``."""
        ...
