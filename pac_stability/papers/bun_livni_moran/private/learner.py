"""Algorithm M: a private learner from a globally stable one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Generic, TypeVar

from pac_stability.arguments import (
    AnyNumber,
    as_open_unit,
    as_size,
    described,
    require_instance,
    require_size,
)
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.classes.implicit import hypothesis_of
from pac_stability.data import Deterministic, FiniteDistribution, Mechanism, Sample
from pac_stability.dimensions import littlestone_dimension, version_spaces
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Mask, Promises
from pac_stability.mechanisms import (
    ExponentialMechanism,
    PrivacyGuarantee,
    StableHistogram,
)
from pac_stability.mechanisms.histogram import Released
from pac_stability.mechanisms.weights import as_decay
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import Pick
from pac_stability.papers.promised import by_privacy
from pac_stability.randomness import SYSTEM_COINS, Coins

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PrivateLearner(LawfulLearner[P], Generic[P]):
    """Run a stable learner often, list its frequent outputs privately, choose one privately.

    Hypotheses are of type :class:`~pac_stability.learning.Mask`: integers whose bit ``x`` is the
    label of the point of column ``x``, or labellings of a class without a table. A sample holds
    first the examples of the runs, one run after the other, then those of the choice; what comes
    after is not looked at. The output on an empty list is ``default``, so that there is an output
    for every sample of sufficient size, realizable or not.

    Parameters
    ----------
    domain
        The points, one for each column; or the class, where it has no table.
    stable
        G: from samples of ``run_size`` examples to hypotheses.
    run_size, runs
        m and k.
    histogram
        The stable histogram for the outputs of G.
    decay
        What an error multiplies the weight by in the final choice; ``e**(-epsilon/2)`` in the
        paper.
    choice_size
        n', the examples kept for the final choice.
    default
        The output on an empty list.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the sample is smaller than :attr:`sample_size`.

    Notes
    -----
    Privacy does not depend on what G does. For fixed coins of G, an example replaced is either one
    of a run, and moves one item of the histogram, or one of the choice; so the output is private
    with the larger of the two factors and the histogram's delta. The paper spends half of epsilon
    on each stage, which is not needed as they see disjoint data. For accuracy see
    :class:`PrivateLearnerSizes`. Source: BLM20 Section V-B and Theorem 17.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> first_label = Deterministic(lambda S: S.labels[0])
    >>> M = PrivateLearner(("a",), first_label, 1, 4, StableHistogram(Fraction(1, 2), 1, 3),
    ...                    Fraction(1, 2), 1, default=0)
    >>> M.sample_size, M.law(Sample("aaaaa", [1, 1, 1, 1, 0]))
    (5, FiniteDistribution({<Mask 'a': 1>: 1}))
    """

    domain: tuple[P, ...] | ImplicitClass
    stable: Mechanism[Sample[P], int]
    run_size: int
    runs: int
    histogram: StableHistogram
    decay: Fraction
    choice_size: int
    default: int

    def __post_init__(self) -> None:
        if not isinstance(self.domain, ImplicitClass):
            require_instance(self.domain, Iterable, "domain")
            object.__setattr__(self, "domain", tuple(self.domain))
        object.__setattr__(self, "run_size", as_size(self.run_size, "run_size", least=1))
        object.__setattr__(self, "runs", as_size(self.runs, "runs", least=1))
        if not isinstance(self.histogram, StableHistogram):
            raise InvalidInput("histogram", described(self.histogram), "a StableHistogram")
        object.__setattr__(self, "decay", as_decay(self.decay))
        object.__setattr__(self, "choice_size", as_size(self.choice_size, "choice_size"))
        default = as_size(self.default, "default")
        try:
            hypothesis_of(self.domain, default)
        except InvalidInput as error:
            raise InvalidInput("default", error.given, error.wanted) from error

    @classmethod
    def of_class(
        cls,
        H: FiniteClass | ImplicitClass,
        alpha: AnyNumber,
        beta: AnyNumber,
        epsilon: Epsilon | AnyNumber,
        delta: AnyNumber,
        *,
        constants: ConstantsLike = Constants.SHARP,
        pick: Pick = "lowest",
        tie: int = 1,
    ) -> PrivateLearner[Hashable]:
        """Return the learner for a class, with algorithm G and the sizes of Theorem 17.

        Parameters
        ----------
        H
            The class, of Littlestone dimension at least 1.
        alpha, beta, epsilon, delta, constants
            As for :class:`PrivateLearnerSizes`.
        pick, tie
            As for :class:`GloballyStableLearner`.

        Raises
        ------
        InvalidInput
            The class has dimension 0: its one hypothesis needs no learner; or a parameter is out
            of range.

        Examples
        --------
        >>> from pac_stability.classes import singletons
        >>> PrivateLearner.of_class(singletons(8), "1/4", "1/10", 1.0, "1/1000000").sample_size
        4458
        """
        sizes = private_sizes(H, alpha, beta, epsilon, delta, constants=constants)
        loss = sizes.stable.alpha
        stable = GloballyStableLearner(H, loss, constants=constants, pick=pick, tie=tie)
        private = sizes.private
        return PrivateLearner(
            domain=H if isinstance(H, ImplicitClass) else H.domain,
            stable=stable,
            run_size=stable.sample_size,
            runs=private.runs,
            histogram=private.histogram,
            decay=private.decay,
            choice_size=private.choice_size,
            default=stable.default,
        )

    @property
    def sample_size(self) -> int:
        """The size of the sample, k m + n'."""
        return self.runs * self.run_size + self.choice_size

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee for one example replaced."""
        released = self.histogram.guarantee
        factor = max(released.factor, self.decay**-2)
        return PrivacyGuarantee(Epsilon.exactly(factor), released.delta)

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have: :attr:`sample_size`."""
        return self.sample_size

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return by_privacy(self.guarantee)

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
        laws = (self.stable.law(self._run_of(sample, run)) for run in range(self.runs))
        return self.concluded_law(laws, self._kept(sample))

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

    def run(self, sample: Sample[P], /, rng: Coins = SYSTEM_COINS) -> Mask:
        """Return a hypothesis.

        Parameters
        ----------
        sample
            The sample, of at least :attr:`sample_size` examples.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        self.require(sample)
        outputs = Counter(
            self.stable.run(self._run_of(sample, run), rng) for run in range(self.runs)
        )
        return self.conclude(outputs, self._kept(sample), rng)

    def conclude(self, outputs: Counter[int], kept: Sample[P], rng: Coins = SYSTEM_COINS) -> Mask:
        """Return a hypothesis, given how often each was output by the runs of G: steps 2 and 3.

        Parameters
        ----------
        outputs
            How many of the runs gave which hypothesis; k in total.
        kept
            The examples kept for the choice, at least n'.
        rng
            Where the coins come from; the operating system's entropy by default.

        Raises
        ------
        InvalidInput
            The numbers of runs do not add up to k, or there are fewer examples.
        """
        if outputs.total() != self.runs:
            raise InvalidInput("outputs", f"{outputs.total()} runs", f"{self.runs}")
        require_size(kept, self.choice_size, "kept")
        released = self.histogram.run_on_counts(outputs, rng)
        chosen = self._choice(released).run(kept[: self.choice_size], rng)
        return hypothesis_of(self.domain, chosen)

    def _run_of(self, sample: Sample[P], run: int) -> Sample[P]:
        return sample[run * self.run_size : (run + 1) * self.run_size]

    def _kept(self, sample: Sample[P]) -> Sample[P]:
        return sample[self.runs * self.run_size : self.sample_size]

    def _choice(self, released: Released[int]) -> Mechanism[Sample[P], int]:
        """The choice from a released list: the generic private learner, or the default."""
        listed = sorted(hypothesis for hypothesis, _ in released)
        if not listed:
            return Deterministic(lambda _: self.default)
        hypotheses = [hypothesis_of(self.domain, f) for f in listed]
        return ExponentialMechanism(tuple(listed), partial(_errors, hypotheses), self.decay)


def _errors(hypotheses: list[Mask], sample: Sample[P]) -> list[int]:
    """Return how many examples each hypothesis has wrong; equal examples are asked about once."""
    counts = Counter(zip(sample.points, sample.labels, strict=True))
    return [sum(c for (x, y), c in counts.items() if h(x) != y) for h in hypotheses]


def private_sizes(
    H: FiniteClass | ImplicitClass,
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
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
        as_open_unit(alpha, "alpha"),
        as_open_unit(beta, "beta"),
        as_epsilon(epsilon),
        as_open_unit(delta, "delta"),
        constants,
    )


def _counted(counts: frozenset[tuple[int, int]], output: int) -> frozenset[tuple[int, int]]:
    """Add one output to the numbers of runs by hypothesis."""
    return frozenset((Counter(dict(counts)) + Counter((output,))).items())
