"""Section V: stable histograms (Lemma 15), the generic learner (Lemma 16), and algorithm M.

M runs a globally stable learner many times; by level, a fixed number of times for each number of
tournaments.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar, overload

from pac_stability import arguments, mechanisms
from pac_stability._report import Tabled
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Epsilon,
    EpsilonLike,
    Interval,
    as_constants,
    least_integer,
)
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.classes import FiniteClass, ImplicitClass, Row
from pac_stability.classes.implicit import hypothesis_of
from pac_stability.data import Deterministic, FiniteDistribution, Mechanism, Sample
from pac_stability.data.sample import label_counts_of
from pac_stability.dimensions import littlestone_dimension, version_spaces
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Mask, Promises
from pac_stability.mechanisms.draws import as_decay
from pac_stability.mechanisms.noise import Released
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from pac_stability.papers.bun_livni_moran.formulas.sizes import (
    ByLevelSizes,
    PrivateFromStable,
    generic_size,
    private_decay,
)
from pac_stability.papers.bun_livni_moran.stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.tournament_laws import Pick
from pac_stability.papers.guarantees import by_choice, by_privacy
from pac_stability.randomness import SYSTEM_COINS, Coins

E = TypeVar("E", bound=Hashable)

Estimates: TypeAlias = frozenset[tuple[E, Fraction]]
"""A list L with its estimates: pairs of an item and a frequency from 0 to 1."""


@dataclass(frozen=True, slots=True, repr=False)
class SizedHistogram(Tabled):
    """A stable histogram with an accuracy promise from a stated number of items on.

    With probability at least 1 - beta, every item of frequency at least eta is in the list, and
    every estimate in it is within eta of the frequency. Privacy holds for any number of items,
    accuracy from ``size`` on; it refuses fewer items. :func:`stable_histogram` finds the size.

    Attributes
    ----------
    histogram
        The mechanism.
    eta, beta
        The accuracy and its confidence.
    size
        The number of items, n, from which on the promise holds.
    """

    histogram: mechanisms.StableHistogram | mechanisms.LaplaceHistogram
    eta: Fraction
    beta: Fraction
    size: int

    @property
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        """The privacy guarantee for one item replaced, with the exact delta."""
        return self.histogram.guarantee

    def law(self, x: Iterable[E], /) -> FiniteDistribution[Estimates[E]]:
        """Return the law of the list and its estimates.

        Parameters
        ----------
        x
            The items, at least ``size``.

        Raises
        ------
        InvalidInput
            There are fewer.
        """
        items = self._items(x)
        return self.histogram.law(items).map(lambda released: _estimates(released, len(items)))

    def run(self, x: Iterable[E], /, rng: Coins = SYSTEM_COINS) -> Estimates[E]:
        """Return a list of frequent items with estimates of their frequencies.

        Parameters
        ----------
        x
            The items, at least ``size``.
        rng
            The source of coins; by default the operating system's entropy.

        Raises
        ------
        InvalidInput
            There are fewer.
        """
        items = self._items(x)
        return _estimates(self.histogram.run(items, rng), len(items))

    def _items(self, x: Iterable[E]) -> tuple[E, ...]:
        try:
            items = tuple(x)
        except TypeError:
            raise InvalidInput("x", arguments.described(x), "an iterable of items") from None
        arguments.require_size(items, self.size, "x", "items")
        return items


def stable_histogram(
    eta: arguments.AnyNumber,
    epsilon: EpsilonLike,
    delta: arguments.AnyNumber,
    beta: arguments.AnyNumber = 0,
) -> SizedHistogram:
    """Return a stable histogram with the number of items from which on it is accurate.

    Parameters
    ----------
    eta
        Frequencies from here on are heavy, and estimates are this accurate; above 0, at most 1.
    epsilon, delta
        The privacy, for one item replaced; delta is above 0 and below 1.
    beta
        The allowed probability that accuracy fails. With 0 the noise is bounded and accuracy
        certain, which is usually the better choice; otherwise it is discrete Laplace noise, as in
        the usual proof.

    Returns
    -------
    SizedHistogram
        The mechanism and its size.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Bounded noise*, at most A. An item that occurs 2A + 2 times is released surely and no estimate
    is off by more than A/n, so ``n = (2A + 2) / eta`` items suffice, where A is of order
    ``log(1/delta) / epsilon``.

    *Laplace noise* of decay r, released from t on. Let ``g = floor(eta n)``. At most 1/eta items
    are heavy, and one is missed with probability at most ``r**(g - t + 1) / (1 + r)``; each of at
    most n < (g + 1)/eta items has noise beyond g with probability ``2 r**(g + 1) / (1 + r)``. The
    size is the least for which the sum of these bounds is certified to be at most beta.
    All n items may be distinct and get noise, so ``log(1 / (eta epsilon beta delta))`` enters: the
    logarithm of Lemma 15, without epsilon, is not enough for this proof when epsilon is small.

    Source: BLM20 Lemma 15, after Korolova, Kenthapadi, Mishra and Ntoulas (2009) and Bun, Nissim
    and Stemmer (2016).

    Examples
    --------
    >>> certain = stable_histogram("1/8", 1.0, "1/1000000")
    >>> certain.histogram.truncation, certain.size
    (27, 448)
    >>> stable_histogram("1/8", 1.0, "1/1000000", beta="1/10").size
    280
    """
    heavy = arguments.as_open_unit(eta, "eta", most=True)
    allowed = arguments.as_open_unit(delta, "delta")
    failure = arguments.as_number(beta, "beta")
    if not 0 <= failure < 1:
        raise InvalidInput(
            "beta", arguments.in_words(failure), "an exact number from 0 on and below 1"
        )
    if failure == 0:
        bounded = mechanisms.StableHistogram.from_privacy(epsilon, allowed)
        return SizedHistogram(bounded, heavy, failure, math.ceil(bounded.certain_count / heavy))
    laplace = mechanisms.LaplaceHistogram.from_privacy(epsilon, allowed)
    return SizedHistogram(laplace, heavy, failure, _laplace_size(laplace, heavy, failure))


def _laplace_size(histogram: mechanisms.LaplaceHistogram, eta: Fraction, beta: Fraction) -> int:
    r, t = histogram.decay, histogram.threshold

    def too_likely(g: int) -> bool:
        # Certified: powers of r with millions of digits would be slow.
        miss, stray = (Interval.exp(Interval.log(r, 128) * k, 128) for k in (g - t + 1, g + 1))
        return ((miss + stray * (2 * (g + 1))) / (eta * (1 + r))).upper > beta

    # As t > 0, the bound is r**g (1 + 2 (g + 1) r) / (1 + r) at least, and that is 1 at least for g
    # up to r/(1-r): it grows with r, and g**g >= (g + 1)**(g - 1). From r/(1-r) on it decreases.
    high = least_integer(lambda g: not too_likely(g), t - 1)
    return math.ceil(high / eta)


def _estimates(released: Released[E], n: int) -> Estimates[E]:
    return frozenset((item, Fraction(min(count, n), n)) for item, count in released)


# Lemma 16: the generic private learner for a finite class, with explicit constants


@dataclass(frozen=True, slots=True)
class GenericPrivateLearner(LawfulLearner[Hashable]):
    """The exponential mechanism on a finite class: "GenericLearner" of the paper.

    A hypothesis is output with probability in proportion to ``decay`` to the power of its errors on
    the sample, where ``decay = e**(-epsilon/2)``, rounded up so that no more is spent.

    Parameters
    ----------
    hypotheses
        The class, not empty.
    epsilon
        The privacy parameter, above 0. Privacy is pure: delta = 0.

    Raises
    ------
    InvalidInput
        The class is empty, or epsilon is 0 or too small to distinguish from 0.

    Notes
    -----
    :meth:`sample_size` returns the size from which on it is accurate. Source: BLM20 Lemma 16, after
    Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith (2011).

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> learner = GenericPrivateLearner(H, Epsilon.exactly(4))
    >>> learner.law(Sample([0, 1], [0, 1])).map(lambda h: h.index)
    FiniteDistribution({0: 1/4, 1: 1/2, 2: 1/4})
    >>> learner.sample_size("1/8", "1/10")
    1379
    """

    hypotheses: FiniteClass
    decay: Fraction

    symmetric: ClassVar[bool] = True

    def __init__(self, hypotheses: FiniteClass, epsilon: EpsilonLike) -> None:
        arguments.require_instance(hypotheses, FiniteClass, "hypotheses")
        if len(hypotheses) == 0:
            raise InvalidInput("hypotheses", "an empty class", "at least one hypothesis")
        arguments.fix(self, hypotheses=hypotheses, decay=private_decay(epsilon))

    @property
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        """The privacy guarantee for one example replaced."""
        return mechanisms.PrivacyGuarantee(Epsilon.exactly(self.decay**-2))

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        return by_choice(mechanisms.exponential_learner(self.hypotheses, self.decay))

    def sample_size(self, alpha: arguments.AnyNumber, beta: arguments.AnyNumber) -> int:
        """Return the sample size at which the learner is accurate, by :func:`generic_size`.

        Parameters
        ----------
        alpha, beta
            If some hypothesis has loss at most alpha, the output has loss at most 2 alpha with
            probability at least 1 - beta.
        """
        return generic_size(len(self.hypotheses), alpha, beta, self.decay)

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Row]:
        return mechanisms.exponential_learner(self.hypotheses, self.decay).law(sample)

    def run(self, sample: Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> Row:
        return mechanisms.exponential_learner(self.hypotheses, self.decay).run(sample, rng)


# Algorithm M: a private learner from a globally stable one

P = TypeVar("P", bound=Hashable)


class PrivateOfSize(ABC):
    """What every learner says whose hypothesis is private, on samples of a least size."""

    __slots__ = ()

    @property
    @abstractmethod
    def sample_size(self) -> int:
        """The least size of a sample."""

    @property
    @abstractmethod
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        """The privacy guarantee for one example replaced."""

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have: :attr:`sample_size`."""
        return self.sample_size

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        """Return the proved promises of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return by_privacy(self.guarantee)


class _OverRuns(PrivateOfSize, LawfulLearner[P], Generic[P]):
    """Algorithm M: runs of a stable learner on parts of the sample, steps 2 and 3 on the rest."""

    __slots__ = ()

    @abstractmethod
    def _runs(self, sample: Sample[P]) -> Iterator[tuple[Mechanism[Sample[P], int], Sample[P]]]:
        """The learner of each run, and its part of the sample."""

    @property
    @abstractmethod
    def _steps(self) -> PrivateLearner[P]:
        """What is done with the outputs."""

    def law(self, sample: Sample[P], /) -> FiniteDistribution[Mask]:
        """Return the law of the output.

        Parameters
        ----------
        sample
            The sample, of at least :attr:`sample_size` examples.

        Notes
        -----
        The law of the multiset of the k outputs of G is exact, and grows with k like k to the
        power of the number of different outputs: for instances small enough to enumerate.
        """
        self.require(sample)
        laws = (stable.law(part) for stable, part in self._runs(sample))
        return self._steps.concluded_law(laws, self._kept(sample))

    def run(self, sample: Sample[P], /, rng: Coins = SYSTEM_COINS) -> Mask:
        self.require(sample)
        outputs = Counter(stable.run(part, rng) for stable, part in self._runs(sample))
        return self._steps.conclude(outputs, self._kept(sample), rng)

    def _kept(self, sample: Sample[P]) -> Sample[P]:
        return sample[self.sample_size - self._steps.choice_size : self.sample_size]


@dataclass(frozen=True, slots=True)
class PrivateLearner(_OverRuns[P]):
    """Run a stable learner often, list its frequent outputs privately, choose one privately.

    Hypotheses are of type :class:`~pac_stability.learning.Mask`: integers whose bit ``x`` is the
    label of the point of column ``x``, or labellings of a class without a table. A sample holds
    first the examples of the runs, one run after the other, then those of the choice; the learner
    ignores further examples. The output on an empty list is ``default``, so that there is an output
    for every sample of sufficient size, realizable or not.

    Parameters
    ----------
    domain
        The points, one for each column; or the class, if it has no table.
    stable
        G: from samples of ``run_size`` examples to hypotheses.
    run_size, runs
        m and k.
    histogram
        The stable histogram for the outputs of G.
    decay
        The factor of the weight for each error in the final choice; ``e**(-epsilon/2)`` in the
        paper.
    choice_size
        n', the number of examples for the final choice.
    default
        The output on an empty list.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the sample is smaller than :attr:`sample_size`.

    Notes
    -----
    Privacy does not depend on what G does. For fixed coins of G, a replaced example belongs either
    to a run, and changes one item of the histogram, or to the choice. So the output is private with
    the larger of the two factors and the histogram's delta. The paper spends half of epsilon on
    each stage, which is not needed as they see disjoint data. For accuracy see
    :class:`PrivateLearnerSizes`. Source: BLM20 Section V-B and Theorem 17.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> first_label = Deterministic(lambda S: S.labels[0])
    >>> histogram = mechanisms.StableHistogram(Fraction(1, 2), 1, 3)
    >>> M = PrivateLearner(("a",), first_label, 1, 4, histogram, Fraction(1, 2), 1, default=0)
    >>> M.sample_size, M.law(Sample("aaaaa", [1, 1, 1, 1, 0]))
    (5, FiniteDistribution({<Mask 'a': 1>: 1}))
    """

    domain: tuple[P, ...] | ImplicitClass
    stable: Mechanism[Sample[P], int]
    run_size: int
    runs: int
    histogram: mechanisms.StableHistogram
    decay: Fraction
    choice_size: int
    default: int

    def __post_init__(self) -> None:
        if not isinstance(self.domain, ImplicitClass):
            arguments.require_instance(self.domain, Iterable, "domain")
            object.__setattr__(self, "domain", tuple(self.domain))
        object.__setattr__(self, "run_size", arguments.as_size(self.run_size, "run_size", least=1))
        object.__setattr__(self, "runs", arguments.as_size(self.runs, "runs", least=1))
        arguments.require_instance(self.histogram, mechanisms.StableHistogram, "histogram")
        object.__setattr__(self, "decay", as_decay(self.decay))
        object.__setattr__(self, "choice_size", arguments.as_size(self.choice_size, "choice_size"))
        default = arguments.as_size(self.default, "default")
        try:
            hypothesis_of(self.domain, default)
        except InvalidInput as error:
            raise InvalidInput("default", error.given, error.wanted) from error

    @overload
    @staticmethod
    def of_class(
        H: FiniteClass | ImplicitClass,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber,
        *,
        constants: Literal["sharp", Constants.SHARP] = ...,
        pick: Pick = ...,
        tie: int = ...,
    ) -> ByLevelPrivateLearner[Hashable]: ...
    @overload
    @staticmethod
    def of_class(
        H: FiniteClass | ImplicitClass,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber,
        *,
        constants: Literal["printed", "proved", Constants.PRINTED, Constants.PROVED],
        pick: Pick = ...,
        tie: int = ...,
    ) -> PrivateLearner[Hashable]: ...
    @overload
    @staticmethod
    def of_class(
        H: FiniteClass | ImplicitClass,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber,
        *,
        constants: ConstantsLike,
        pick: Pick = ...,
        tie: int = ...,
    ) -> PrivateLearner[Hashable] | ByLevelPrivateLearner[Hashable]: ...
    @staticmethod
    def of_class(
        H: FiniteClass | ImplicitClass,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber,
        *,
        constants: ConstantsLike = Constants.SHARP,
        pick: Pick = "lowest",
        tie: int = 1,
    ) -> PrivateLearner[Hashable] | ByLevelPrivateLearner[Hashable]:
        """Return the learner for a class, with algorithm G and the sizes of Theorem 1.

        Parameters
        ----------
        H
            The class, of Littlestone dimension at least 1.
        alpha, beta, epsilon, delta
            As for :class:`PrivateLearnerSizes`.
        constants
            As for :class:`PrivateLearnerSizes`.
        pick, tie
            As for :class:`GloballyStableLearner`.

        Returns
        -------
        PrivateLearner or ByLevelPrivateLearner
            Sharp, with a number of runs for each level: :meth:`ByLevelPrivateLearner.of_class`.

        Raises
        ------
        InvalidInput
            The class has dimension 0: its one hypothesis needs no learner; or a parameter is out
            of range.

        Examples
        --------
        >>> from pac_stability.classes import singletons
        >>> asked = singletons(8), "1/4", "1/10", 1.0, "1/1000000"
        >>> PrivateLearner.of_class(*asked).sample_size
        1130
        >>> PrivateLearner.of_class(*asked, constants="proved").sample_size
        900821
        """
        if as_constants(constants) is Constants.SHARP:
            return ByLevelPrivateLearner.of_class(
                H, alpha, beta, epsilon, delta, pick=pick, tie=tie
            )
        sizes = private_sizes(H, alpha, beta, epsilon, delta, constants=constants)
        loss = sizes.stable.alpha
        stable = GloballyStableLearner(H, loss, constants=constants, pick=pick, tie=tie)
        return _over(stable, sizes.private)

    @property
    def sample_size(self) -> int:
        """The size of the sample, k m + n'."""
        return self.runs * self.run_size + self.choice_size

    @property
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        released = self.histogram.guarantee
        factor = max(released.factor, self.decay**-2)
        return mechanisms.PrivacyGuarantee(Epsilon.exactly(factor), released.delta)

    def concluded_law(
        self, laws: Iterable[FiniteDistribution[int]], kept: Sample[P]
    ) -> FiniteDistribution[Mask]:
        """Return the law of the output, given those of the runs: as :meth:`conclude`.

        Parameters
        ----------
        laws
            The law of the output of each run of G.
        kept
            The examples kept for the choice, n'.
        """
        votes = FiniteDistribution.point_mass(frozenset[tuple[int, int]]())
        for law in laws:
            votes = votes.product(law).map(lambda pair: _counted(*pair))
        released = votes.bind(lambda counts: self.histogram.law(Counter(dict(counts)).elements()))
        chosen = released.bind(lambda pairs: self._choice(pairs).law(kept))
        return chosen.map(partial(hypothesis_of, self.domain))

    def conclude(self, outputs: Counter[int], kept: Sample[P], rng: Coins = SYSTEM_COINS) -> Mask:
        """Return a hypothesis, given how often each was output by the runs of G: steps 2 and 3.

        Parameters
        ----------
        outputs
            The number of runs for each hypothesis; k in total.
        kept
            The examples kept for the choice, at least n'.
        rng
            The source of coins; by default the operating system's entropy.

        Raises
        ------
        InvalidInput
            The numbers of runs do not add up to k, or there are fewer examples.
        """
        if outputs.total() != self.runs:
            raise InvalidInput("outputs", f"{outputs.total()} runs", f"{self.runs}")
        arguments.require_size(kept, self.choice_size, "kept")
        released = self.histogram.run_on_counts(outputs, rng)
        chosen = self._choice(released).run(kept[: self.choice_size], rng)
        return hypothesis_of(self.domain, chosen)

    def _runs(self, sample: Sample[P]) -> Iterator[tuple[Mechanism[Sample[P], int], Sample[P]]]:
        for start in range(0, self.runs * self.run_size, self.run_size):
            yield self.stable, sample[start : start + self.run_size]

    @property
    def _steps(self) -> PrivateLearner[P]:
        return self

    def _choice(self, released: Released[int]) -> Mechanism[Sample[P], int]:
        """The choice from a released list: the generic private learner, or the default."""
        listed = sorted(hypothesis for hypothesis, _ in released)
        if not listed:
            return Deterministic(lambda _: self.default)
        hypotheses = [hypothesis_of(self.domain, f) for f in listed]
        return mechanisms.ExponentialMechanism(
            tuple(listed), partial(_errors, hypotheses), self.decay
        )


def _over(
    stable: GloballyStableLearner, sizes: PrivateFromStable | ByLevelSizes
) -> PrivateLearner[Hashable]:
    """Return M over runs of G, with a number of runs, a histogram and a choice of these sizes."""
    H = stable.H
    return PrivateLearner(
        domain=H if isinstance(H, ImplicitClass) else H.domain,
        stable=stable,
        run_size=stable.sample_size,
        runs=sizes.runs,
        histogram=sizes.histogram,
        decay=sizes.decay,
        choice_size=sizes.choice_size,
        default=stable.default,
    )


def _errors(hypotheses: list[Mask], sample: Sample[P]) -> list[int]:
    """Return how many examples each hypothesis has wrong; equal examples are asked about once."""
    points, surplus, ones = label_counts_of(sample)
    each = [*zip(points, surplus.tolist(), strict=True)]
    return [ones + sum(more for x, more in each if h(x)) for h in hypotheses]


def private_sizes(
    H: FiniteClass | ImplicitClass,
    alpha: arguments.AnyNumber,
    beta: arguments.AnyNumber,
    epsilon: EpsilonLike,
    delta: arguments.AnyNumber,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> PrivateLearnerSizes:
    """Return the sizes of algorithm M for a class: see :meth:`PrivateLearner.of_class`."""
    version_spaces(H)  # refuses an empty class
    dimension = littlestone_dimension(H)
    if dimension < 1:
        given = f"a class of Littlestone dimension {dimension}"
        raise InvalidInput("H", given, "one of dimension at least 1")
    return PrivateLearnerSizes(
        dimension,
        arguments.as_open_unit(alpha, "alpha"),
        arguments.as_open_unit(beta, "beta"),
        as_epsilon(epsilon),
        arguments.as_open_unit(delta, "delta"),
        constants,
    )


def _counted(counts: frozenset[tuple[int, int]], output: int) -> frozenset[tuple[int, int]]:
    """Add one output to the numbers of runs by hypothesis."""
    return frozenset((Counter(dict(counts)) + Counter((output,))).items())


# Algorithm M with its runs given to levels: the learner, and its runs on a target


@dataclass(frozen=True, slots=True)
class ByLevelPrivateLearner(_OverRuns[P]):
    """Algorithm M with a number of runs for each level: see :class:`ByLevelSizes`.

    A sample holds first the examples of the runs, those of level 0 first, then those of the choice.

    Parameters
    ----------
    levels
        For each level algorithm G at that level, and how often it runs, at least once.
    conclusion
        M, for the histogram and the choice; its ``runs`` are those of all levels. The privacy does
        not depend on these learners.

    Raises
    ------
    InvalidInput
        There is no level, or the numbers of runs do not add up; on use, the sample is smaller than
        :attr:`sample_size`.

    Notes
    -----
    Privacy is that of M: an example is one of one run, or of the choice. It does not depend on what
    the runs do.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> M = ByLevelPrivateLearner.of_class(thresholds(4), "1/4", "1/10", 1, "1/1000000")
    >>> [(G.level, G.blocks, runs) for G, runs in M.levels], M.sample_size
    ([(0, 0, 173), (1, 2, 218), (2, 8, 604)], 43611)
    """

    levels: tuple[tuple[GloballyStableLearner, int], ...]
    conclusion: PrivateLearner[P]

    def __post_init__(self) -> None:
        levels = tuple(self.levels)
        for stable, runs in levels:
            arguments.require_instance(stable, GloballyStableLearner, "levels")
            arguments.as_size(runs, "levels", least=1)
        arguments.require_instance(self.conclusion, PrivateLearner, "conclusion")
        runs = sum(runs for _, runs in levels)
        if runs != self.conclusion.runs:
            raise InvalidInput("levels", f"{runs} runs", f"{self.conclusion.runs}, as in M")
        object.__setattr__(self, "levels", levels)

    @staticmethod
    def of_class(
        H: FiniteClass | ImplicitClass,
        alpha: arguments.AnyNumber,
        beta: arguments.AnyNumber,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber,
        *,
        pick: Pick = "lowest",
        tie: int = 1,
    ) -> ByLevelPrivateLearner[Hashable]:
        """Return the learner for a class, with the sizes of :class:`ByLevelSizes`.

        Parameters
        ----------
        H
            The class, of Littlestone dimension at least 1.
        alpha, beta, epsilon, delta
            As for :class:`PrivateFromStable`.
        pick, tie
            As for :class:`GloballyStableLearner`.

        Raises
        ------
        InvalidInput
            The class has dimension 0: its one hypothesis needs no learner; or a parameter is out
            of range.
        """
        sizes = private_sizes(H, alpha, beta, epsilon, delta).by_level
        G = partial(GloballyStableLearner, H, sizes.loss, pick=pick, tie=tie, n=sizes.n)
        levels = tuple(
            (G(level=each.level, blocks=each.blocks, fresh=each.fresh > 0), each.runs)
            for each in sizes.levels
        )
        return ByLevelPrivateLearner(levels, _over(levels[0][0], sizes))

    @property
    def sample_size(self) -> int:
        """The size of the sample: all runs, and the choice."""
        runs = sum(runs * stable.sample_size for stable, runs in self.levels)
        return runs + self.conclusion.choice_size

    @property
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        return self.conclusion.guarantee

    def _runs(self, sample: Sample[P]) -> Iterator[tuple[Mechanism[Sample[P], int], Sample[P]]]:
        start = 0
        for stable, runs in self.levels:
            for _ in range(runs):
                yield stable, sample[start : start + stable.sample_size]
                start += stable.sample_size

    @property
    def _steps(self) -> PrivateLearner[P]:
        return self.conclusion
