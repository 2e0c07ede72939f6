"""Corollary 2: an agnostic private learner from one for realizable samples."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability import arguments, mechanisms
from pac_stability.arithmetic import Constants, ConstantsLike, EpsilonLike, Interval
from pac_stability.classes import FiniteClass, Hypothesis, Row
from pac_stability.classes.family import require_inhabited
from pac_stability.data import FiniteDistribution, FromLaw, Mechanism, Sample
from pac_stability.dimensions import vc_dimension
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Mask
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.mechanisms.draws import as_decay
from pac_stability.papers.bun_livni_moran import agnostic_accuracy
from pac_stability.papers.bun_livni_moran.private import (
    ByLevelPrivateLearner,
    PrivateLearner,
    PrivateOfSize,
    private_sizes,
)
from pac_stability.papers.bun_livni_moran.tournament_laws import Pick
from pac_stability.randomness import SYSTEM_COINS, Coins

Out_co = TypeVar("Out_co", bound=Hypothesis, covariant=True)
Drawn = TypeVar("Drawn")

_PARTS = 16


@dataclass(frozen=True)
class AgnosticPrivateLearner(PrivateOfSize, LawfulLearner[Hashable], Generic[Out_co]):
    """Relabel a sample privately by some hypothesis, and learn what is now realizable.

    The sample is split into halves D and T (an odd example at the end is not used). A pattern of H
    on all their points is drawn with probability in proportion to ``decay`` to the power of its
    errors on D; D is relabelled by it; m examples are drawn from the relabelled D with replacement;
    the base learner runs on these. It never reads the labels of T: its points refine the patterns
    and serve the source's proof of accuracy. Another proof (:class:`AgnosticPromise`) works without
    T, and so does the learner without a ``second_half``; then D is the whole sample.

    Parameters
    ----------
    H
        The class, not empty.
    base
        A private learner for realizable samples over H, proper or not.
    base_size
        m, the sample size of the base learner, at least 1.
    base_guarantee
        Its privacy on samples of m examples, for one example replaced.
    ratio
        A lower bound on the size of each half in multiples of m, at least 1. The source has 9.
    decay
        r, the factor of a pattern's weight for each error; by default about ``e**(-1/2)``.
    second_half
        Whether to split off a half T, as in the source; otherwise D is the whole sample.
    whole
        n, the size of a sample, if the learner runs on a random part of :attr:`part_size` examples,
        which saves epsilon. By default the part is the whole sample.

    Raises
    ------
    InvalidInput
        A parameter is not as described; on use, a sample shorter than :attr:`sample_size`.

    Notes
    -----
    *Privacy* is proved here with smaller constants than in the source. Replace an example of D, and
    fix the pattern g on the other points. It extends to the point of that example in one or two
    ways, so the extensions weigh between r and 1 + r times the weight of g. Hence the probability
    of g changes by a factor of at most ``(1 + 1/r)**2``, once for its weight and once for the
    normaliser. Given g, the relabelled halves differ in one example, whatever the extensions. So a
    learner B of the relabelled D that is (t, delta)-private, t = e^epsilon, makes one that is ``((1
    + 1/r)**2 t, delta)``-private, even if the relabelled T is published too. For an example of T
    the factor is at most 4, and delta 0. B is the base learner on a resample: see
    :func:`resampling_guarantee`. The source has ``4 e`` where ``(1 + sqrt(e))**2`` is below 7.02,
    and ``4 e delta``.

    For a smaller epsilon run this on a random part of a larger sample, of ``whole`` examples: see
    :meth:`population`. :meth:`with_promise` returns such a learner.

    *Accuracy*: with high probability, :meth:`excess_failure`; on average, with a half T,
    :meth:`expected_excess`.

    Source: N. Alon, A. Beimel, S. Moran and U. Stemmer, *Closure properties for private
    classification and online prediction*, 2020, after Beimel, Nissim and Stemmer 2015; BLM20
    Corollary 2.

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> base = mechanisms.exponential_learner(H, Fraction(1, 2))
    >>> learner = AgnosticPrivateLearner(H, base, 1, base.guarantee, decay=Fraction(1, 2))
    >>> learner.sample_size, learner.guarantee.factor
    (18, Fraction(12, 1))
    >>> noisy = Sample([0, 1] * 9, [0, 1] * 4 + [1, 0] * 5)
    >>> for relabelled, p in learner.relabelling(noisy).items():
    ...     print(relabelled.labels, p)
    (0, 0, 0, 0, 0, 0, 0, 0, 0) 1/19
    (0, 1, 0, 1, 0, 1, 0, 1, 0) 16/19
    (1, 1, 1, 1, 1, 1, 1, 1, 1) 2/19
    """

    H: FiniteClass
    base: Mechanism[Sample[Hashable], Out_co]
    base_size: int
    base_guarantee: PrivacyGuarantee
    ratio: int | Fraction = 9
    decay: Fraction = field(default_factory=lambda: mechanisms.decay_for(1))
    second_half: bool = True
    whole: int | None = None

    def __post_init__(self) -> None:
        require_inhabited(self.H)
        object.__setattr__(
            self, "base_size", arguments.as_size(self.base_size, "base_size", least=1)
        )
        ratio = arguments.as_number(self.ratio, "ratio")
        if ratio < 1:
            raise InvalidInput("ratio", arguments.in_words(ratio), "at least 1")
        whole_number = ratio.denominator == 1
        object.__setattr__(self, "ratio", ratio.numerator if whole_number else ratio)
        object.__setattr__(self, "decay", as_decay(self.decay, below_one=True))
        arguments.require_instance(self.base_guarantee, PrivacyGuarantee, "base_guarantee")
        arguments.require_instance(self.second_half, bool, "second_half")
        if self.whole is not None:
            whole = arguments.as_size(self.whole, "whole", least=self.part_size)
            object.__setattr__(self, "whole", whole)
        mechanisms.Resampled(self.base, self.base_size)  # refuses what is no mechanism

    @staticmethod
    def of_class(
        H: FiniteClass,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber,
        *,
        constants: ConstantsLike = Constants.SHARP,
        pick: Pick = "lowest",
        tie: int = 1,
    ) -> AgnosticPrivateLearner[Mask]:
        """Return the learner over algorithm M, with the sizes of :func:`agnostic_sizes_over`.

        They are the sizes of the source, which states no constants for the accuracy.
        :meth:`with_promise` returns a learner with a proved accuracy.

        Parameters
        ----------
        H
            The class, of Littlestone dimension at least 1.
        alpha, beta, constants
            As for :class:`PrivateLearnerSizes`.
        epsilon, delta
            The privacy of M, for one example replaced; :attr:`guarantee` is that of the whole
            learner. M spends at most beta/n of delta, as the proof of accuracy needs.
        pick, tie
            As for :class:`GloballyStableLearner`.

        Notes
        -----
        :func:`train_on_target` and :func:`train_on_examples` run it at its size.

        Examples
        --------
        >>> from pac_stability.classes import singletons
        >>> H = singletons(8)
        >>> learner = AgnosticPrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
        >>> learner.base_size, learner.sample_size, round(float(learner.guarantee.factor), 2)
        (1130, 20340, 8.49)
        """
        asked = private_sizes(H, alpha, beta, epsilon, delta, constants=constants)
        sizes, run = agnostic_accuracy.agnostic_sizes_over(asked, vc_dimension(H))
        M = PrivateLearner.of_class(
            H, alpha, beta, epsilon, run.delta, constants=run.constants, pick=pick, tie=tie
        )
        return AgnosticPrivateLearner(H, M, M.sample_size, M.guarantee, sizes.ratio)

    @staticmethod
    def with_promise(
        H: FiniteClass,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber,
        *,
        pick: Pick = "lowest",
        tie: int = 1,
    ) -> AgnosticPrivateLearner[Mask]:
        """Return the learner over M by level that keeps a promise within a privacy budget.

        Parameters
        ----------
        H
            The class, of Littlestone dimension at least 1.
        alpha, beta, epsilon, delta
            As for :class:`AgnosticPromise`, which states and proves the promise: the output has an
            excess of at most alpha with probability at least 1 - beta, on every target.
        pick, tie
            As for :class:`GloballyStableLearner`.

        Returns
        -------
        AgnosticPrivateLearner
            It takes the ``sample_size`` examples of :func:`agnostic_promise`, draws the random
            part itself, and is (epsilon, delta)-private on all.

        Notes
        -----
        There is no half T. :func:`train_on_examples` runs it on given examples, fast;
        :func:`train_on_target` draws only the examples of the part, because a random part of
        independent examples is itself an independent sample.

        Examples
        --------
        >>> from pac_stability.classes import singletons
        >>> H = singletons(8)
        >>> learner = AgnosticPrivateLearner.with_promise(H, "1/4", "1/10", 1, "1/1000000")
        >>> learner.sample_size, learner.part_size, learner.base_size
        (21256, 7573, 2329)
        >>> spent = learner.guarantee
        >>> round(float(spent.epsilon), 4), spent.delta < Fraction(1, 10**6)
        (1.0, True)
        """
        asked = agnostic_accuracy.agnostic_promise(H, alpha, beta, epsilon, delta)
        base = asked.base
        M = ByLevelPrivateLearner.of_class(
            H, base.alpha, base.beta, base.epsilon, base.delta, pick=pick, tie=tie
        )
        return AgnosticPrivateLearner(
            H,
            M,
            M.sample_size,
            M.guarantee,
            asked.ratio,
            asked.decay,
            second_half=False,
            whole=asked.sample_size,
        )

    @property
    def part_size(self) -> int:
        """The least size of the part that is split: ``ratio`` times m, and as much again for T."""
        return (1 + self.second_half) * math.ceil(self.ratio * self.base_size)

    @property
    def sample_size(self) -> int:
        """The least size of a sample: that of the part, or ``whole``."""
        return self.part_size if self.whole is None else self.whole

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy for one example replaced, on samples of the least size or more."""
        return mechanisms.subsampling_amplification(self._of_part, self.part_size, self.sample_size)

    @property
    def _of_part(self) -> PrivacyGuarantee:
        relabelled = self.relabelled_of(self.part_size)
        return agnostic_accuracy.relabelling_guarantee(
            self.base_guarantee, self.base_size, relabelled, self.decay
        )

    def population(self, epsilon: EpsilonLike) -> int:
        """Return the least sample size at which a random part makes the learner epsilon-private.

        Parameters
        ----------
        epsilon
            A privacy parameter above 0.

        Returns
        -------
        int
            The least n, not below :attr:`part_size` n', with ``1 + (n'/n) (t - 1) <= e**epsilon``,
            where t is the factor of the privacy on the part alone. Its delta shrinks by n'/n. A
            learner with ``whole`` set to n is epsilon-private.

        Notes
        -----
        Source: BLM20, remark after Corollary 2.
        """
        return agnostic_accuracy.least_population(self.part_size, self._of_part, epsilon)

    def relabelling(self, sample: Sample[Hashable]) -> FiniteDistribution[Sample[Hashable]]:
        """Return the exact law of the relabelled D.

        Parameters
        ----------
        sample
            The sample.
        """
        if self.whole is not None:
            return self._on_a_part(FromLaw(self._own_part.relabelling)).law(self._all(sample))
        D, patterns = self._split(sample)
        return patterns.law(D).map(lambda h: _relabelled(D, h))

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Out_co]:
        """Return the exact law of the output.

        Parameters
        ----------
        sample
            The sample, on points of the domain.

        Notes
        -----
        ``|D|**m`` resamples for each relabelled D, and each part: for tiny instances.
        """
        if self.whole is not None:
            return self._on_a_part(self._own_part).law(self._all(sample))
        return self.relabelling(sample).bind(mechanisms.Resampled(self.base, self.base_size).law)

    def run(self, sample: Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> Out_co:
        if self.whole is not None:
            return self._on_a_part(self._own_part).run(self._all(sample), rng)
        D, patterns = self._split(sample)
        relabelled = _relabelled(D, patterns.run(D, rng))
        return mechanisms.Resampled(self.base, self.base_size).run(relabelled, rng)

    @property
    def _own_part(self) -> AgnosticPrivateLearner[Out_co]:
        """What runs on the part."""
        return replace(self, whole=None)

    def _on_a_part(
        self, mechanism: Mechanism[Sample[Hashable], Drawn]
    ) -> mechanisms.Subsampled[Sample[Hashable], Drawn]:
        # Where there are halves, which examples are in which has to be random, too.
        return mechanisms.Subsampled(
            mechanism, self.part_size, "random" if self.second_half else "index"
        )

    def _all(self, sample: Sample[Hashable]) -> Sample[Hashable]:
        self.require(sample)
        return sample

    def _split(
        self, sample: Sample[Hashable]
    ) -> tuple[Sample[Hashable], mechanisms.ExponentialMechanism[Sample[Hashable], Row]]:
        """D, and the mechanism that draws a pattern on all points of the sample.

        Parameters
        ----------
        sample
            S.
        """
        self.require(sample)
        size = self.relabelled_of(len(sample))
        patterns = self.H.restrict(sample.points[: (1 + self.second_half) * size])
        return sample[:size], mechanisms.exponential_learner(patterns, self.decay)

    def relabelled_of(self, n: int) -> int:
        """Return how many of n examples are relabelled: all, half of them, or those of the part.

        Parameters
        ----------
        n
            The size of the sample.
        """
        part = n if self.whole is None else self.part_size
        return part // 2 if self.second_half else part

    def excess_failure(
        self,
        n: int,
        excess: arguments.AnyNumber,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        bits: int = 64,
    ) -> Interval:
        """Enclose a bound on the probability of too large a loss, for every target D.

        Parameters
        ----------
        n
            The size of the sample, at least :attr:`sample_size`.
        excess
            The allowed excess over the least loss in H; above 0 and below 1.
        alpha, beta
            As for :meth:`expected_excess`.
        bits
            Working precision.

        Returns
        -------
        Interval
            For the output f, over the sample and all coins, at least ``Pr[loss_D(f) > min_H loss_D
            + excess]``: the sum of beta, the failure of the choice of a pattern for a part of the
            excess, and that of carrying over what is seen on D for the rest. At most 1. It takes
            the best of a fixed list of divisions.

        Notes
        -----
        The proof is with :class:`AgnosticPromise`, and in
        :func:`~pac_stability.papers.bun_livni_moran.agnostic_accuracy.choice_failure` and
        :func:`~pac_stability.papers.bun_livni_moran.agnostic_accuracy.transfer_failure`.

        Examples
        --------
        >>> H = FiniteClass([[0], [1]])
        >>> base = mechanisms.exponential_learner(H, Fraction(1, 2))
        >>> learner = AgnosticPrivateLearner(H, base, 50, base.guarantee, 20, Fraction(9, 10))
        >>> print(f"{float(learner.excess_failure(2000, '1/8', 0, '1/1000000')):.1e}")
        2.2e-03
        """
        size = arguments.as_size(n, "n", least=self.sample_size)
        whole, least = arguments.as_open_unit(excess, "excess"), arguments.as_number(alpha, "alpha")
        failed = arguments.as_probability(beta, "beta")
        N = self.relabelled_of(size)
        spare = (size if self.whole is None else self.part_size) - N
        one = Interval.exactly(1)
        found = [one]
        for part in range(1, _PARTS):
            choice = whole * part / _PARTS
            if self.base_size == N:
                break
            failure = (
                Interval.exp(
                    agnostic_accuracy.choice_failure(
                        N, self.richness, self.decay, choice, spare=spare, bits=bits
                    ),
                    bits,
                )
                + Interval.exp(
                    agnostic_accuracy.transfer_failure(
                        N, self.base_size, self.richness, least, whole - choice, bits=bits
                    ),
                    bits,
                )
                + failed
            )
            found.append(failure)
        best = min(found, key=lambda bound: bound.upper)
        return best if best.upper <= 1 else one

    @property
    def richness(self) -> agnostic_accuracy.Richness:
        """How many patterns the class can have."""
        return agnostic_accuracy.Richness(vc_dimension(self.H), len(self.H))

    def expected_excess(
        self, n: int, alpha: arguments.AnyNumber, beta: arguments.AnyNumber, bits: int = 64
    ) -> Interval:
        """Enclose a bound on E[loss_D(f)] - min_H loss_D for the output f, for every D.

        Parameters
        ----------
        n
            The size of the sample, at least :attr:`sample_size` and 4.
        alpha, beta
            The base learner, on m examples of any target realizable by H, has loss at most alpha
            with probability at least 1 - beta.
        bits
            Working precision.

        Returns
        -------
        Interval
            ``t (alpha + beta + k) + delta + k + ln|H| / (N ln(1/r)) + sqrt(ln|H| / (2 N))``, where
            N = n/2 rounded down, t and delta are those of :attr:`guarantee`, and ``k = (2 log2|H| +
            log2 N + 1) / N``.

        Notes
        -----
        Let h be a hypothesis with the pattern drawn, and h' the first hypothesis with the same
        pattern on T, a function of the relabelled T.

        1. Two hypotheses that agree on T differ on at most a fraction a of D, all pairs at once,
           except with probability ``|H|**2 2**(-a N)``: the halves are exchangeable. So they differ
           on at most k of D on average.
        2. The resample is a sample of a realizable target, the relabelled D, so that f and h differ
           on at most alpha + beta of D on average, and f and h' on alpha + beta + k.
        3. f and h' together are a private function of D. Swapping a fresh point for one of D
           shows that they differ at a fresh point with probability at most t (alpha + beta + k) +
           delta.
        4. h has at most ``ln|H| / ln(1/r)`` errors on D beyond the least, on average (the
           variational principle of Gibbs), and h' at most k N more than h.
        5. The loss of h' exceeds that on D by ``sqrt(ln|H| / (2 N))`` on average (a maximum of |H|
           sub-Gaussian variables).

        This is a bound in expectation, and its proof uses privacy, as in the source. With high
        probability: :meth:`excess_failure`.
        """
        if not self.second_half:
            raise InvalidInput(
                "second_half", "a learner without a half T", "one with it, as the proof needs"
            )
        size = arguments.as_size(n, "n", least=max(4, self.sample_size))
        half = self.relabelled_of(size)
        base = arguments.as_number(alpha, "alpha") + arguments.as_number(beta, "beta")
        count = len(self.H)
        private = self.guarantee
        apart = (2 * Interval.log2(count, bits) + Interval.log2(half, bits) + 1) / half
        return (
            private.factor * (apart + base)
            + private.delta
            + apart
            + Interval.log(count, bits) / Interval.log(1 / self.decay, bits) / half
            + Interval.sqrt(Interval.log(count, bits) / (2 * half), bits)
        )


def _relabelled(D: Sample[Hashable], h: Row) -> Sample[Hashable]:
    labels = {point: h(point) for point in D.distinct_points}
    return Sample(D.points, [labels[point] for point in D.points])
