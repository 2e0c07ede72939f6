"""The learner that attains the lower bound on stable learning."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability.arithmetic import as_probability
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman._leads import NOTHING, predicted_by_lead, require_known
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class VotingLearner:
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

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

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
        return predicted_by_lead(sample, points, self.known, self._voted)

    def predict(
        self, sample: Sample[Hashable], point: Hashable, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point.

        Parameters
        ----------
        sample
            S.
        point
            Any point.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return rng.bernoulli(self.probabilities(sample, [point])[0])

    def _voted(self, lead: int) -> Fraction:
        return min(max((1 + self.gamma * lead) / 2, Fraction(0)), Fraction(1))
