"""Predictions that depend on how far one label leads over the other at a point."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import ClassVar, Final

from pac_stability.arguments import as_points, distinct, require_hashable
from pac_stability.data import Sample
from pac_stability.data.required import require_sample
from pac_stability.learning import PointwiseLearner

NOTHING: Final[Sample[Hashable]] = Sample((), ())


def require_known(known: Sample[Hashable]) -> None:
    """Refuse what is no sample, or has a point twice."""
    require_sample(known)
    distinct(known.points, "known")


class LeadLearner(PointwiseLearner[Hashable]):
    """A learner that predicts the label that is known of a point, or by the lead of label 1."""

    __slots__ = ()

    known: Sample[Hashable]

    symmetric: ClassVar[bool] = True

    @abstractmethod
    def _voted(self, lead: int) -> Fraction:
        """Return the probability of label 1 where it has so many examples more than label 0."""

    def probabilities(
        self, sample: Sample[Hashable], points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Any points.
        """
        self.require(sample)
        at = as_points(points)
        for point in at:
            require_hashable(point, "points")
        leads: Counter[Hashable] = Counter()
        for point, label in zip(sample.points, sample.labels, strict=True):
            leads[point] += 2 * label - 1
        label_of = dict(zip(self.known.points, self.known.labels, strict=True))
        voted = self._voted
        return tuple(
            Fraction(label_of[point]) if point in label_of else voted(leads[point]) for point in at
        )
