"""Select a hypothesis, label the sample by it, and predict privately from these labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import as_points, described
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.audit import Notion
from pac_stability.classes import Hypothesis, relabelled
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.sample import require_sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import (
    AnyData,
    PointwiseLearner,
    PreparedPredictor,
    Promises,
    as_listed,
    as_sample,
)
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.dagan_feldman._relabelled_answers import RelabelledAnswers
from pac_stability.papers.dagan_feldman.realizable import RealizablePrivateLearner
from pac_stability.papers.dagan_feldman.stable import StableLearner
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class RelabellingLearner(PointwiseLearner[Hashable]):
    """The algorithm of Theorem 3 with the privacy of its two steps given.

    On a sample S: draw a hypothesis h by the stable learner, label all points of S by h instead,
    and let the private learner for realizable samples predict from these labels (phi_S(h)).

    Parameters
    ----------
    selector
        Draws h.
    private
        Predicts from ``S_h``, the sample labelled by h.

    Raises
    ------
    InvalidInput
        An argument is no such learner; on use, as for the two learners.

    Notes
    -----
    What phi_S(h) predicts depends on h only through its labels on S. So it is computed once for
    each pattern on S, weighed by the selection distribution: the mixture over index sets and
    hypotheses is never gone through twice.

    The selector alone is private only up to a delta of n'/n, since the candidates depend on which
    indices are drawn. Predicting from S_h instead of by h repairs this, because two hypotheses that
    agree on a net of S give nearly the same S_h: see
    :mod:`~pac_stability.papers.dagan_feldman.matching`.

    Cost: that of the selection distribution, and of r consistent hypotheses for each pattern on S.

    Source: DF20 Section 4.1 and Appendix C, Equations (8) and (9).

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> H, four = thresholds(3), Epsilon.exactly(4)
    >>> learner = RelabellingLearner(
    ...     StableLearner(H, 1, four), RealizablePrivateLearner(H, 2, four)
    ... )
    >>> sample = Sample([0, 1, 2], [0, 1, 1])
    >>> [str(p) for p in learner.probabilities(sample, H.domain)]
    ['17/30', '43/60', '4/5']
    """

    selector: StableLearner
    private: RealizablePrivateLearner

    def __post_init__(self) -> None:
        if not isinstance(self.selector, StableLearner):
            raise InvalidInput("selector", described(self.selector), "a StableLearner")
        if not isinstance(self.private, RealizablePrivateLearner):
            raise InvalidInput("private", described(self.private), "a RealizablePrivateLearner")

    @property
    def step(self) -> Fraction:
        """The factor by which replacing an example changes h_{S,T}, for a fixed T (Lemma 19).

        ``rho**-2``, for the weight of a hypothesis and for their sum, times the exact factor of the
        private learner; ``e**(3/(eta n))`` in the paper.
        """
        return self.selector.decay**-2 * self.private.factor

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return max(self.selector.least_examples, self.private.least_examples)

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Sets T without the replaced example change predictions by the factor :attr:`step`, and they
        are all but n'/n.

        Parameters
        ----------
        n
            The size of the samples.
        """
        share = self.selector.guarantee(n).delta
        return {Notion.PRIVATE_PREDICTION: PrivacyGuarantee(Epsilon.exactly(self.step), share)}

    def relabelled(
        self, sample: Sample[Hashable], h: Hypothesis, points: Iterable[Hashable]
    ) -> tuple[Fraction, ...]:
        """Return the probability of label 1 at each point when h is selected: phi_S(h).

        Parameters
        ----------
        sample
            S; its labels do not matter.
        h
            A hypothesis.
        points
            Points of the domain.
        """
        require_sample(sample, 0)
        if not callable(h):
            raise InvalidInput("h", described(h), "a hypothesis, a function on points")
        return self.private.probabilities(
            Sample(sample.points, [h(x) for x in sample.points]), points
        )

    def conditioned_on(
        self, chosen: Iterable[Hashable], sample: Sample[Hashable], points: Iterable[Hashable]
    ) -> tuple[Fraction, ...]:
        """Return the probability of label 1 at each point when H_T is given: h_{S,T}.

        Parameters
        ----------
        chosen
            The points of T, which need not be in S.
        sample
            S.
        points
            Points of the domain.
        """
        require_sample(sample, 0)
        law = self.selector.conditioned_on(as_points(chosen, "chosen")).law(sample)
        return self._mixture(law, sample, as_points(points))

    def probabilities(self, sample: AnyData, points: Iterable[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point: h_S.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        at, given = as_points(points), as_listed(sample, self.least_examples)
        return self._mixture(self.selector.law(given), given, at)

    def enclosed(self, sample: AnyData, points: Iterable[Hashable], /) -> tuple[Interval, ...]:
        """Return the probability of label 1 at each point, up to certified intervals.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.

        Raises
        ------
        InvalidInput
            As for the selector's :meth:`~.stable.StableLearner.enclosed`, or as for all uses.
        """
        at, given = as_points(points), as_listed(sample, self.least_examples)
        selection = self.selector.enclosed(given)
        predicted = {h: self.relabelled(given, h, at) for h in selection.hypotheses}

        def mean(column: int) -> Interval:
            def probability(h: Hypothesis) -> Fraction:
                return predicted[h][column]

            return selection.expectation(probability)

        return tuple(map(mean, range(len(at))))

    def relabelling_loss(self, sample: Sample[Hashable]) -> Fraction:
        """Return how far phi_S(h) is from h on the sample, for a random h.

        Parameters
        ----------
        sample
            S.

        Returns
        -------
        Fraction
            The expectation of the average of |h(x) - phi_S(h)(x)| over the points x of S: the loss
            of h_S on S exceeds that of the selector by at most this.

        Notes
        -----
        The last step in the proof of DF20 Lemma 17, on the sample. On the distribution a bound
        follows from what :func:`~pac_stability.papers.dagan_feldman.realizable.vote_error` says of
        blocks that are nets. The lemma's chain, with two parts of alpha lost by the subset, one
        each by the exponential mechanism and by phi, and two by generalisation, ends at ``6
        alpha``, with probability ``1 - 2 beta``; its statement, which has ``4 alpha`` and ``1 -
        beta``, is meant up to constants.
        """
        total = Fraction(0)
        law = self.selector.law(sample)
        pattern_of = _Pattern(sample)
        patterns = law.map(pattern_of)
        for pattern, weight in patterns.numerators.items():
            h = pattern_of.hypothesis(pattern)
            predicted = self.relabelled(sample, h, sample.points)
            total += weight * sum(
                abs(h(x) - p) for x, p in zip(sample.points, predicted, strict=True)
            )
        return total / (patterns.denominator * len(sample))

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label for one point: the algorithm itself, step by step.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        h = self.selector.run(sample, rng)
        return self.private.predict(relabelled(as_sample(sample), h), point, rng)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: the selector is prepared.

        Parameters
        ----------
        sample
            S.

        Notes
        -----
        What the sample labelled by h makes of the private learner is remembered for the last few
        thousand h.
        """
        given = as_sample(sample, self.least_examples)
        return RelabelledAnswers(
            self, len(given), given, self.selector.prepare(sample), self.private
        )

    def _mixture(
        self,
        law: FiniteDistribution[Hypothesis],
        sample: Sample[Hashable],
        points: Sequence[Hashable],
    ) -> tuple[Fraction, ...]:
        """Return the predictions of phi_S(h) for a random h."""
        pattern_of = _Pattern(sample)
        patterns = law.map(pattern_of)
        total = [Fraction(0)] * len(points)
        for pattern, weight in patterns.numerators.items():
            predicted = self.relabelled(sample, pattern_of.hypothesis(pattern), points)
            total = [part + weight * p for part, p in zip(total, predicted, strict=True)]
        return tuple(part / patterns.denominator for part in total)


class _Pattern:
    """The labels that hypotheses give to the points of a sample, and back."""

    def __init__(self, sample: Sample[Hashable]) -> None:
        self._points = sample.distinct_points

    def __call__(self, h: Hypothesis) -> tuple[int, ...]:
        return tuple(h(x) for x in self._points)

    def hypothesis(self, pattern: tuple[int, ...]) -> Hypothesis:
        """Return what labels the points of the sample in this way."""
        return dict(zip(self._points, pattern, strict=True)).__getitem__
