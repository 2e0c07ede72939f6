"""What a hypothesis is: a map from points to 0 and 1."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol


class Hypothesis(Protocol):
    """A hypothesis can be evaluated at every point of its domain.

    The hypotheses of this library are immutable values: hashable, comparable with ``==``, and
    picklable, so that they can be outcomes of a randomised learner.
    """

    def __call__(self, point: Hashable, /) -> int:
        """Label of ``point``, 0 or 1."""
        ...


SHOWN = 16
"""How many labels are shown."""


def labels_in_words(domain: Sequence[Hashable], h: Hypothesis) -> str:
    """Return the labels of the first points by their names, and how many more there are.

    Examples
    --------
    >>> labels_in_words("abc", lambda point: int(point > "b"))
    "'a': 0, 'b': 0, 'c': 1"
    """
    labels = [f"{point!r}: {h(point)}" for point in domain[:SHOWN]]
    left = len(domain) - len(labels)
    return ", ".join([*labels, *[f"{left} more"] * bool(left)])
