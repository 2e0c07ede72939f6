"""The learner that attains the lower bound on stable learning."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import as_probability
from pac_stability.audit import Notion
from pac_stability.data import Sample
from pac_stability.learning import Promises
from pac_stability.papers.dagan_feldman._leads import NOTHING, LeadLearner, require_known


@dataclass(frozen=True, slots=True)
class VotingLearner(LeadLearner):
    """Every example moves the prediction at its own point by gamma/2 towards its own label.

    The probability of label 1 at a point k is ``1/2 + gamma (N_1(k) - N_0(k)) / 2``, clipped to the
    interval from 0 to 1, where ``N_y(k)`` counts the examples (k, y). It learns any labelling of
    finitely many points.

    Parameters
    ----------
    gamma
        An exact number from 0 to 1.
    known
        Labels that are known beforehand, of distinct points: predicted there whatever the sample.

    Raises
    ------
    InvalidInput
        Gamma is out of range or not exact, or a point is known twice.

    Notes
    -----
    Exactly gamma-stable: relabelling one example moves the difference of the counts by 2, replacing
    its point moves two differences by 1. When all labels are right, the error at a point seen N
    times is ``(1 - gamma N)_+ / 2``. No gamma-stable learner does better on average over the two
    labels, which is the first inequality of DF20 Appendix D; there it holds with equality on the
    light points, and everywhere when the label of the heavy point is known.

    Examples
    --------
    >>> learner = VotingLearner(Fraction(1, 2))
    >>> learner.probabilities(Sample("aab", [1, 1, 0]), "abc")
    (Fraction(1, 1), Fraction(1, 4), Fraction(1, 2))
    """

    gamma: Fraction
    known: Sample[Hashable] = NOTHING

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", as_probability(self.gamma, "gamma"))
        require_known(self.known)

    def stability(self, n: int) -> Fraction:  # noqa: ARG002  # the same for every n
        """Return how far one example moves a prediction, at most and exactly.

        Parameters
        ----------
        n
            The size of the samples, at least 1.
        """
        return self.gamma

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return {Notion.UNIFORM_STABILITY: self.stability(n)}

    def _voted(self, lead: int) -> Fraction:
        return min(max((1 + self.gamma * lead) / 2, Fraction(0)), Fraction(1))
