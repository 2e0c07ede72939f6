"""The exponential mechanism on a whole finite class."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from pac_stability.arithmetic import Epsilon, ExactNumber
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import (
    ExponentialMechanism,
    PrivacyGuarantee,
    decay_for,
    error_counts,
    exponential_learner,
    exponential_weights,
)
from pac_stability.mechanisms._checks import as_epsilon
from pac_stability.papers.dagan_feldman._checks import require_family, require_sample
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True, init=False)
class ExponentialLearner:
    """Draw a hypothesis of a finite class by the exponential mechanism: the whole model is private.

    Parameters
    ----------
    H
        The class: finite, not empty. Another family is restricted to a finite domain first:
        ``Thresholds().restrict(points)`` is a finite class.
    epsilon
        The privacy parameter: a number, or an :class:`~pac_stability.arithmetic.Epsilon`.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: a point is outside the domain.

    Notes
    -----
    A hypothesis of k errors on the sample weighs ``rho**k`` with ``rho = e**(-epsilon/2)``. The
    hypothesis that is drawn is epsilon-private, so predictions are; they are also
    ``tanh(epsilon/4)``-stable. On samples of n examples its expected number of errors exceeds the
    least by at most ``2 ln|H| / epsilon`` (DF20 Lemma 7). With the explicit constants that are
    known, a *finite* class takes fewer examples this way than by the private predictions of DF20,
    wherever the sizes were computed; what these do without is ``ln|H|``.

    Source: Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith, *What can we learn privately?*,
    2011; DF20 calls it A^exp.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> learner = ExponentialLearner(thresholds(2), Epsilon.exactly(4))
    >>> sample = Sample([0, 1, 1], [0, 1, 1])
    >>> learner.probabilities(sample, [0, 1])
    (Fraction(2, 7), Fraction(6, 7))
    >>> learner.guarantee.factor, learner.stability(3)
    (Fraction(4, 1), Fraction(1, 3))
    """

    H: FiniteClass
    epsilon: Epsilon
    mechanism: ExponentialMechanism[Sample[Hashable], Row] = field(repr=False, compare=False)

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __init__(self, H: FiniteClass, epsilon: Epsilon | float | ExactNumber) -> None:
        _require_finite(H)
        require_family(H)
        asked = as_epsilon(epsilon)
        object.__setattr__(self, "H", H)
        object.__setattr__(self, "epsilon", asked)
        object.__setattr__(self, "mechanism", exponential_learner(H, decay_for(asked)))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of the hypothesis, and so of every prediction."""
        return self.mechanism.guarantee

    def stability(self, n: int) -> Fraction:  # noqa: ARG002  # the same for every n
        """Return how far one example moves a prediction, at most.

        Parameters
        ----------
        n
            The size of the samples; any.

        Returns
        -------
        Fraction
            ``(1 - rho) / (1 + rho) = tanh(epsilon/4)``.
        """
        return self.mechanism.stability

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Row]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.
        """
        return self.mechanism.law(sample)

    def probabilities(
        self, sample: Sample[Hashable], points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        require_sample(sample, 0)
        weights = exponential_weights(error_counts(self.H, sample), self.mechanism.decay)
        total = sum(weights)
        columns = (self.H.table[:, self.H.column(point)].tolist() for point in points)
        return tuple(
            Fraction(sum(w for w, label in zip(weights, column, strict=True) if label), total)
            for column in columns
        )

    def run(self, sample: Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> Row:
        """Return one hypothesis.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.mechanism.run(sample, rng)

    def predict(
        self, sample: Sample[Hashable], point: Hashable, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point, by a hypothesis drawn for it alone.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.run(sample, rng)(point)


def _require_finite(H: object) -> None:
    if not isinstance(H, FiniteClass):
        wanted = "a FiniteClass (restrict another family to finitely many points)"
        raise InvalidInput("H", described(H), wanted)
