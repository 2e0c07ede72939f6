"""What a hypothesis is: a map from points to 0 and 1."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol


class Hypothesis(Protocol):
    """A hypothesis can be evaluated at every point of its domain.

    The hypotheses of this library are immutable values: hashable, comparable with ``==``, and
    picklable, so that they can be outcomes of a randomised learner.
    """

    def __call__(self, point: Hashable, /) -> int:
        """Label of ``point``, 0 or 1."""
        ...
