"""Private predictions for thresholds by a walk along the sorted sample."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from pac_stability.arguments import AnyNumber, as_points, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes.exact import exact_number
from pac_stability.data import Sample
from pac_stability.learning import (
    AnyData,
    PointwiseLearner,
    PreparedPredictor,
    Promises,
    as_listed,
)
from pac_stability.mechanisms import PrivacyGuarantee, decay_for
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman._answering import TossedAnswers


@dataclass(frozen=True, slots=True, init=False)
class ThresholdWalk(PointwiseLearner[Hashable]):
    """Let the examples from the left up to a point push its log odds up or down.

    For the class of the thresholds ``1[x >= t]``. At a point x, the log odds of label 1 start at
    ``-B epsilon/2``. The examples at points up to x, in the order of their points, move them by
    ``+epsilon/2`` for a label 1 and by ``-epsilon/2`` for a label 0, but never beyond ``B
    epsilon/2`` on either side.

    Parameters
    ----------
    epsilon
        The privacy parameter of a prediction: a number, or an
        :class:`~pac_stability.arithmetic.Epsilon`.
    limit
        B, at least 1: no label gets a probability below ``1 / (1 + e**(B epsilon/2))``.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, a point is no real number.

    Notes
    -----
    Privacy. A step, clipping included, does not move two positions apart. So taking a step out of
    the walk changes where it ends by one step at most, and so does putting one in: replacing an
    example changes the log odds by epsilon at most. :meth:`factor` is exact. At one point, labels 0
    are walked before labels 1, so that the order of the sample does not matter.

    The algorithm of Dwork and Feldman, *Privacy-preserving prediction*, 2018, to which DF20 refers
    as the one that needs fewer examples than any private model, with multiplication by
    ``e**epsilon`` replaced by steps whose privacy is exact. Their bound on its error is not
    re-derived here.

    Examples
    --------
    >>> learner = ThresholdWalk(Epsilon.exactly(4), 2)
    >>> sample = Sample([1, 2, 3, 4], [0, 1, 1, 1])
    >>> learner.probabilities(sample, [0, 1, 2, 3, 4])
    (Fraction(1, 5), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3))
    >>> learner.factor, learner.guarantee.factor
    (Fraction(5, 2), Fraction(4, 1))
    """

    epsilon: Epsilon
    limit: int
    decay: Fraction = field(repr=False, compare=False)

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __init__(self, epsilon: Epsilon | AnyNumber, limit: int) -> None:
        asked = as_epsilon(epsilon)
        object.__setattr__(self, "epsilon", asked)
        object.__setattr__(self, "limit", as_size(limit, "limit", least=1))
        object.__setattr__(self, "decay", decay_for(asked))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of one prediction, whatever the limit."""
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-2))

    @property
    def factor(self) -> Fraction:
        """The factor ``e**epsilon`` of one prediction, exact for samples of two examples or more.

        It is ``(1 + s**B) / (1 + s**(B - 2))`` with ``s = 1/decay``: two steps up from the bottom.
        """
        s = 1 / self.decay
        return (1 + s**self.limit) / (1 + s ** (self.limit - 2))

    def stability(self, n: int) -> Fraction:  # noqa: ARG002  # the same for every n
        """Return how far one example moves a prediction, at most; exact for n > B.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``(1 - decay) / (1 + decay) = tanh(epsilon/4)``.
        """
        return (1 - self.decay) / (1 + self.decay)

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return {
            Notion.PRIVATE_PREDICTION: self.guarantee,
            Notion.UNIFORM_STABILITY: self.stability(n),
        }

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S, on real numbers.
        points
            Real numbers.

        Notes
        -----
        O(n log n), and O(log n) for each point.
        """
        positions = self._positions(as_listed(sample, self.least_examples))
        return tuple(map(self._chance, positions(as_points(points))))

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: the walk is gone once.

        Parameters
        ----------
        sample
            S.
        """
        given = as_listed(sample, self.least_examples)

        def coin(position: int) -> LazyCoin:
            return LazyCoin.of(self._chance(position))

        return TossedAnswers(self, len(given), self._positions(given), coin)

    def _positions(self, sample: Sample[Hashable]) -> Callable[[Sequence[Hashable]], list[int]]:
        """Go the walk, and return what finds where it stands after the examples up to points.

        Parameters
        ----------
        sample
            S.
        """
        walk = sorted(zip(map(exact_number, sample.points), sample.labels, strict=True))
        places, after = [place for place, _ in walk], [-self.limit]
        for _, label in walk:
            after.append(max(-self.limit, min(after[-1] + 2 * label - 1, self.limit)))

        def at(points: Sequence[Hashable]) -> list[int]:
            return [after[bisect_right(places, exact_number(point))] for point in points]

        return at

    def _chance(self, position: int) -> Fraction:
        return 1 / (1 + self.decay**position)
