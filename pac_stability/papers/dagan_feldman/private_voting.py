"""The learner that attains the lower bound on private predictions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import as_probability
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.audit import Notion
from pac_stability.data import Sample
from pac_stability.learning import Promises
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.dagan_feldman._leads import NOTHING, LeadLearner, require_known
from pac_stability.papers.dagan_feldman.private_lower_bound import private_least_error


@dataclass(frozen=True, slots=True)
class PrivateVotingLearner(LeadLearner):
    """Every example moves the prediction at its own point as far as privacy permits.

    The probability of label 1 at a point k is ``1 - err(L)`` for a lead ``L = N_1(k) - N_0(k) >=
    0``, where ``N_y(k)`` counts the examples (k, y), and ``err(-L)`` for a negative lead; err is
    :func:`~pac_stability.papers.dagan_feldman.private_least_error`. It learns any labelling of
    finitely many points.

    Parameters
    ----------
    epsilon
        An :class:`~pac_stability.arithmetic.Epsilon`.
    delta
        An exact number from 0 to 1.
    known
        Labels that are known beforehand, of distinct points: predicted there whatever the sample.

    Raises
    ------
    InvalidInput
        A parameter is out of range or not exact, or a point is known twice.

    Notes
    -----
    (epsilon, delta)-private predictions, exactly, for every n: relabelling one example moves a lead
    by 2, replacing its point moves two leads by 1, and in two steps of the lead the probability
    moves by one step of privacy. When all labels are right, the error at a point seen N times is
    ``private_least_error(N, epsilon, delta)``, for both labels; no private predictions do better on
    average over the two. With epsilon = 0 it is
    :class:`~pac_stability.papers.dagan_feldman.VotingLearner` with gamma = delta.

    Examples
    --------
    >>> learner = PrivateVotingLearner(Epsilon.exactly(4))
    >>> [str(p) for p in learner.probabilities(Sample("aab", [1, 1, 0]), "abc")]
    ['7/8', '1/5', '1/2']
    """

    epsilon: Epsilon
    delta: Fraction = Fraction(0)
    known: Sample[Hashable] = NOTHING

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        object.__setattr__(self, "delta", as_probability(self.delta, "delta"))
        require_known(self.known)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of the predictions, on samples of every size."""
        return PrivacyGuarantee(self.epsilon, self.delta)

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return {Notion.PRIVATE_PREDICTION: self.guarantee}

    def _voted(self, lead: int) -> Fraction:
        error = private_least_error(abs(lead), self.epsilon, self.delta)
        return error if lead < 0 else 1 - error
