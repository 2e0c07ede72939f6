"""Predictions that depend on how far one label leads over the other at a point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Final

from pac_stability.data import Sample
from pac_stability.data._values import distinct, require_hashable
from pac_stability.papers.dagan_feldman._checks import as_points, require_sample

NOTHING: Final[Sample[Hashable]] = Sample((), ())


def require_known(known: Sample[Hashable]) -> None:
    """Refuse what is no sample, or has a point twice."""
    require_sample(known, 0)
    distinct(known.points, "known")


def predicted_by_lead(
    sample: Sample[Hashable],
    points: Sequence[Hashable],
    known: Sample[Hashable],
    voted: Callable[[int], Fraction],
) -> tuple[Fraction, ...]:
    """Return the probability of label 1 at each point: the known label, or that of its lead."""
    require_sample(sample, 0)
    at = as_points(points)
    for point in at:
        require_hashable(point, "points")
    leads: Counter[Hashable] = Counter()
    for point, label in zip(sample.points, sample.labels, strict=True):
        leads[point] += 2 * label - 1
    label_of = dict(zip(known.points, known.labels, strict=True))
    return tuple(
        Fraction(label_of[point]) if point in label_of else voted(leads[point]) for point in at
    )
