"""The exponential mechanism on a whole finite class."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from pac_stability.arguments import AnyNumber, as_points, as_size, described
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import FiniteClass, Row
from pac_stability.classes.required import require_family
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import (
    AnyData,
    PreparedPredictor,
    Promises,
    as_counter,
    as_listed,
    as_sample,
)
from pac_stability.mechanisms import (
    ExponentialMechanism,
    PreparedChoice,
    PrivacyGuarantee,
    decay_for,
    error_counts,
    exponential_choice,
    exponential_learner,
    exponential_weights,
)
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.mechanisms.weights import Counts
from pac_stability.papers.dagan_feldman._answering import TossedAnswers
from pac_stability.papers.dagan_feldman._checks import fix
from pac_stability.papers.dagan_feldman._drawing import DrawingLearner
from pac_stability.papers.promised import by_choice
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True, init=False)
class ExponentialLearner(DrawingLearner):
    """Draw a hypothesis of a finite class by the exponential mechanism: the whole model is private.

    Parameters
    ----------
    H
        The class: finite, not empty. Another family is restricted to a finite domain first:
        ``Thresholds().restrict(points)`` is a finite class.
    epsilon
        The privacy parameter: a number, or an :class:`~pac_stability.arithmetic.Epsilon`.
    least_sample_size
        Refuse samples with fewer examples: set by the sizes that promise an accuracy.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample is too small, or a point is outside the
        domain.

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
    least_sample_size: int
    mechanism: ExponentialMechanism[Sample[Hashable], Row] = field(repr=False, compare=False)

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __init__(
        self,
        H: FiniteClass,
        epsilon: Epsilon | AnyNumber,
        least_sample_size: int = 0,
    ) -> None:
        _require_finite(H)
        require_family(H)
        asked = as_epsilon(epsilon)
        fix(
            self,
            H=H,
            epsilon=asked,
            least_sample_size=as_size(least_sample_size, "least_sample_size"),
            mechanism=exponential_learner(H, decay_for(asked)),
        )

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return self.least_sample_size

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of the hypothesis, and so of every prediction."""
        return self.mechanism.guarantee

    def stability(self, n: int) -> Fraction:
        """Return how far one example moves a prediction, at most.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``(1 - rho) / (1 + rho) = tanh(epsilon/4)``.
        """
        as_size(n, "n", least=self.least_sample_size)
        return self.mechanism.stability

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return {**by_choice(self.mechanism), Notion.UNIFORM_STABILITY: self.stability(n)}

    def law(self, sample: AnyData, /) -> FiniteDistribution[Row]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.
        """
        return self.mechanism.law(as_listed(sample, self.least_examples))

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        at, counts = as_points(points), self._errors(sample)
        weights = exponential_weights(counts, self.mechanism.decay)
        total = sum(weights)
        columns = (self.H.table[:, self.H.column(point)].tolist() for point in at)
        return tuple(
            Fraction(sum(w for w, label in zip(weights, column, strict=True) if label), total)
            for column in columns
        )

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Row:
        """Return one hypothesis.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.H[exponential_choice(self._errors(sample), self.mechanism.decay, rng)]

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: errors are counted once.

        Parameters
        ----------
        sample
            S.

        Notes
        -----
        All that an answer asks of the hypothesis is its label, which is 1 with the probability of
        a sum of weights: O(|H|) for the first question about a point, one coin from then on.
        """
        choice = PreparedChoice(self._errors(sample), self.mechanism.decay)

        def columns(points: Sequence[Hashable]) -> list[int]:
            return [self.H.column(point) for point in points]

        def coin(column: int) -> LazyCoin:
            return choice.coin(self.H.table[:, column])

        return TossedAnswers(self, len(as_sample(sample)), columns, coin)

    def _errors(self, sample: AnyData) -> Counts:
        given = as_sample(sample, self.least_examples)
        if isinstance(given, Sample):
            return error_counts(self.H, given)
        return as_counter(sample).count(self.H)


def _require_finite(H: object) -> None:
    if not isinstance(H, FiniteClass):
        wanted = "a FiniteClass (restrict another family to finitely many points)"
        raise InvalidInput("H", described(H), wanted)
