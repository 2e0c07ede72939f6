"""What the samples of an audit are made of."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.arguments import as_size, distinct
from pac_stability.data import Example, all_examples


def points_of(domain: int | Iterable[object], argument: str = "domain") -> tuple[object, ...]:
    """Return the points of a domain; a number m stands for 0, ..., m - 1.

    Raises
    ------
    InvalidInput
        The number is negative, or a point is repeated or not hashable.
    """
    if not isinstance(domain, Iterable):
        return tuple(range(as_size(domain, argument)))
    return distinct(domain, argument)


def points_in(universe: Iterable[object]) -> tuple[object, ...]:
    """Return the points in what samples are made of, each once."""
    return tuple(dict.fromkeys(z.point if isinstance(z, Example) else z for z in universe))


def universe_of(points: tuple[object, ...], labelled: bool) -> tuple[object, ...]:
    """Return what samples are made of: the labelled examples over the points, or the points."""
    return all_examples(points) if labelled else points
