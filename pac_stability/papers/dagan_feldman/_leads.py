"""Predictions that depend on how far one label leads over the other at a point."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import ClassVar, Final, TypeAlias

from pac_stability.arguments import as_points, distinct, require_hashable
from pac_stability.data import Sample
from pac_stability.data.sample import require_sample
from pac_stability.learning import (
    AnyData,
    PointwiseLearner,
    PreparedPredictor,
    as_listed,
)
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman._answering import TossedAnswers

_Lead: TypeAlias = tuple[bool, int]
"""Whether the label of a point is known, and it; or by how many examples label 1 leads there."""

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

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Any points.
        """
        leads = self._leads(as_listed(sample, self.least_examples))
        return tuple(self._chance(lead) for lead in leads(as_points(points)))

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: examples are counted once.

        Parameters
        ----------
        sample
            S.
        """
        given = as_listed(sample, self.least_examples)

        def coin(lead: _Lead) -> LazyCoin:
            return LazyCoin.of(self._chance(lead))

        return TossedAnswers(self, len(given), self._leads(given), coin)

    def _leads(self, sample: Sample[Hashable]) -> Callable[[Sequence[Hashable]], list[_Lead]]:
        """Count, and return what finds the leads at points.

        Parameters
        ----------
        sample
            S.
        """
        leads: Counter[Hashable] = Counter()
        for point, label in zip(sample.points, sample.labels, strict=True):
            leads[point] += 2 * label - 1
        known = dict(zip(self.known.points, self.known.labels, strict=True))

        def at(points: Sequence[Hashable]) -> list[_Lead]:
            for point in points:
                require_hashable(point, "points")
            return [(True, known[x]) if x in known else (False, leads[x]) for x in points]

        return at

    def _chance(self, lead: _Lead) -> Fraction:
        known, value = lead
        return Fraction(value) if known else self._voted(value)
