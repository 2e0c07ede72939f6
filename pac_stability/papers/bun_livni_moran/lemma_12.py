"""Lemma 12, decided: the frequencies that tournaments reach, and where they are below 2^-d.

It also has the counterexamples, and the contest of the proof overview, a single tournament.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, Literal, TypeAlias

from pac_stability._report import Tabled
from pac_stability.arguments import as_size, fix
from pac_stability.arithmetic import Constants, ConstantsLike
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.classes.implicit import hypothesis_of
from pac_stability.data import Example, FiniteDistribution
from pac_stability.data.distribution import reduced_law
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import InvalidInput
from pac_stability.learning import Mask
from pac_stability.online.soa import SoaStates
from pac_stability.papers import counterexamples
from pac_stability.papers.bun_livni_moran import tournament_laws
from pac_stability.papers.bun_livni_moran.formulas import FrequencyThreshold
from pac_stability.papers.bun_livni_moran.tournament_laws import Pick
from pac_stability.papers.bun_livni_moran.tournaments import TournamentDistribution


@dataclass(frozen=True, slots=True, repr=False)
class ReachedFrequencies(Tabled):
    """The largest frequencies of outputs of D_0, D_1, ..., until one reaches a threshold.

    Attributes
    ----------
    threshold
        tau, with its source.
    frequencies
        max_f Pr[SOA(S o T) = f] for S ~ D_k and T ~ D^n, for k = 0, 1, ..., to the first that is at
        least tau, or to d.
    agreement
        For the same k, rho_k: the probability that all tournament labels are the target's.
    """

    threshold: FrequencyThreshold
    frequencies: tuple[Fraction, ...]
    agreement: tuple[Fraction, ...]

    @property
    def level(self) -> int | None:
        """The least k <= d at which an output has frequency tau; ``None`` if there is none."""
        last = len(self.frequencies) - 1
        return last if self.frequencies[last] >= self.threshold.value else None


def reached_frequencies(
    H: FiniteClass,
    target: FiniteDistribution[Example[Hashable]],
    n: int,
    *,
    constants: ConstantsLike = Constants.SHARP,
    pick: Pick = "lowest",
    tie: int = 1,
) -> ReachedFrequencies:
    """Decide Lemma 12 on one instance, exactly.

    Parameters
    ----------
    H
        The class, not empty.
    target
        A realizable distribution of examples.
    n
        The auxiliary sample size.
    constants
        The threshold: 2^-d when printed; see :class:`FrequencyThreshold`.
    pick, tie
        As for :class:`TournamentDistribution`.

    Returns
    -------
    ReachedFrequencies
        ``level`` is ``None`` where the lemma fails.

    Examples
    --------
    >>> instance = COUNTEREXAMPLES["equal-weights"]
    >>> printed = reached_frequencies(instance.H, instance.target, instance.n, constants="printed")
    >>> printed.level, [str(p) for p in printed.frequencies]
    (None, ['1/5', '11/50', '4958/21585'])
    >>> repaired = reached_frequencies(
    ...     instance.H, instance.target, instance.n, constants="proved"
    ... )
    >>> repaired.level, repaired.threshold.value
    (0, Fraction(1, 10))
    """
    threshold = FrequencyThreshold(littlestone_dimension(H), constants)
    D = TournamentDistribution(
        H, target, threshold.dimension, n, pick=pick, tie=tie, threshold=threshold.value
    )
    levels = [D.at(k) for k in range(D.last_defined + 1)]
    return ReachedFrequencies(
        threshold,
        tuple(level.highest_frequency for level in levels),
        tuple(level.all_labels_agree for level in levels),
    )


@dataclass(frozen=True, slots=True, repr=False)
class Lemma12Counterexample(Tabled):
    """An instance on which no output of D_0, ..., D_d has frequency 2^-d.

    Attributes
    ----------
    dimension
        d.
    points
        The number of points.
    hypotheses
        Each as the set of points with label 1.
    concept
        The target hypothesis, likewise.
    weights
        A positive integer for each point of the support: its probability, up to a factor.
    n
        The auxiliary sample size.
    tie
        The label that the SOA predicts at a tie.
    about
        A description of the instance.
    """

    dimension: int
    points: int
    hypotheses: tuple[frozenset[int], ...]
    concept: frozenset[int]
    weights: tuple[tuple[int, int], ...]
    n: int
    tie: int
    about: str

    @property
    def H(self) -> FiniteClass:  # noqa: N802  # the field's name
        """The class, in the order of ``hypotheses``."""
        return FiniteClass([[int(x in h) for x in range(self.points)] for h in self.hypotheses])

    @property
    def target(self) -> FiniteDistribution[Example[Hashable]]:
        """The target distribution."""
        total = sum(weight for _, weight in self.weights)
        return FiniteDistribution(
            {Example(x, int(x in self.concept)): Fraction(w, total) for x, w in self.weights}
        )

    def tournaments(self, k: int | None = None, pick: Pick = "lowest") -> TournamentDistribution:
        """Return D_k, for k = d by default, with the threshold 2^-d.

        Parameters
        ----------
        k
            The number of tournaments.
        pick
            The rule for the point at which two predictors are separated.
        """
        row = self.hypotheses.index(self.concept)
        level = self.dimension if k is None else k
        return TournamentDistribution(
            self.H, self.target, level, self.n, pick=pick, tie=self.tie, concept=row
        )

    def swapped(self) -> Lemma12Counterexample:
        """Return the same instance with the labels 0 and 1 exchanged, in the tie rule as well."""
        everything = frozenset(range(self.points))
        return Lemma12Counterexample(
            self.dimension,
            self.points,
            tuple(everything - h for h in self.hypotheses),
            everything - self.concept,
            self.weights,
            self.n,
            1 - self.tie,
            f"{self.about} (labels exchanged)",
        )


def read_counterexample(name: str) -> Lemma12Counterexample:
    """Return an instance of ``papers.counterexamples``: ``BLM20:lemma-12.NAME``.

    Raises
    ------
    InvalidInput
        There is none with that name, or its file was altered.
    """
    fields: dict[str, Any] = dict(counterexamples.read(f"BLM20:lemma-12.{name}"))
    return Lemma12Counterexample(
        dimension=fields["dimension"],
        points=len(fields["concept"]),
        hypotheses=tuple(map(_set, fields["table"])),
        concept=_set(fields["concept"]),
        weights=tuple((x, w) for x, w in enumerate(fields["weights"]) if w),
        n=fields["n"],
        tie=fields["tie"],
        about=fields["about"],
    )


def _set(labels: str) -> frozenset[int]:
    return frozenset(x for x, y in enumerate(labels) if y == "1")


class _Counterexamples(Mapping[str, Lemma12Counterexample]):
    """Instances by name, each read when it is asked for."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Lemma12Counterexample:
        if name not in self._names:
            raise KeyError(name)
        return _read_once(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


_read_once = cache(read_counterexample)

COUNTEREXAMPLES: Mapping[str, Lemma12Counterexample] = _Counterexamples(
    "five-hypotheses",
    "equal-weights",
    "pairs",
    "every-pick",
    "both-ties",
    "five-examples",
    "twenty-examples",
    "dimension-three",
    "theorem-10",
    "least-frequent",
)
"""Instances on which Lemma 12 fails as printed, by name; with the lowest point picked first.

On up to d points there is none: there are at most 2^d predictors then, and one of them has
frequency 2^-d. The explanation of Lemma 12 says where else a search found none.
"""


def counterexample_for(n: int) -> Lemma12Counterexample:
    """Return a counterexample to Lemma 12 with auxiliary samples of size n; one class for all n.

    Parameters
    ----------
    n
        At least 3.

    Returns
    -------
    Counterexample
        Six hypotheses of dimension 2 on five points. Point 2 has weight zero. Point 4, which
        carries no information, has a weight that grows with n, so that about 7/5 of n examples are
        elsewhere.

    Raises
    ------
    InvalidInput
        n is smaller.

    Notes
    -----
    A test proves it for all n at once: with a number of examples at other points than 4 whose law
    is enclosed for ranges of n, the last of which has no end.

    Examples
    --------
    >>> instance = counterexample_for(1000)
    >>> found = reached_frequencies(instance.H, instance.target, instance.n, constants="printed")
    >>> found.level, [round(float(p), 4) for p in found.frequencies]
    (None, [0.2465, 0.2406, 0.2475])
    """
    size = as_size(n, "n", least=3)
    return Lemma12Counterexample(
        dimension=2,
        points=5,
        hypotheses=tuple(map(_set, ("00000", "10000", "01100", "11100", "00110", "10110"))),
        concept=frozenset(),
        weights=((0, 4), (1, 9), (3, 8), (4, 15 * (size - 1))),
        n=size,
        tie=1,
        about=f"n = {size}",
    )


# The random contest of the proof overview: one tournament between two samples, exactly

Case: TypeAlias = Literal["identified", "collision", "contest"]
"""Why one output is frequent: after d mistakes, by agreement of two runs, or by the contest."""


@dataclass(frozen=True)
class RandomContest:
    """What the overview of BLM20 does when the SOA often makes d - 1 mistakes.

    The SOA is run on two independent samples of n examples. If it makes exactly d - 1 mistakes on
    each, and its predictors f_1, f_2 differ, any point x where they do is picked, a fair coin y is
    flipped, and the example (x, y) is appended to the sample whose predictor errs on it. When y is
    the label of the target, this is mistake d, and the output is the target.

    Parameters
    ----------
    H
        The class; its Littlestone dimension d is at least 1.
    target
        D, a distribution of examples over the domain of H that some hypothesis fits without loss.
    n
        The number of examples of a sample.
    tie
        The label that the SOA predicts at a tie.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or d < 1.
    NotRealizable
        No hypothesis fits the target.

    Notes
    -----
    The law of (version space, mistakes) is carried over n examples in integers: ``O(n |states|
    |support|)``, with at most d + 1 states for each version space. Source: BLM20 Section II-A. The
    argument is right for this one round, in which both samples are realizable. In a second round
    *both* competitors would have to agree with the target, and one has to pay for that at each
    level: see :attr:`TournamentDistribution.all_labels_agree`.

    Examples
    --------
    >>> from pac_stability.classes import affine_lines
    >>> H = affine_lines(3)
    >>> target = FiniteDistribution.uniform([Example(x, H(0, x)) for x in H.domain])
    >>> contest = RandomContest(H, target, n=3)
    >>> contest.dimension, contest.q, contest.collision
    (2, Fraction(137, 243), Fraction(3409, 56307))
    >>> contest.frequent_output()
    ('contest', Fraction(26449, 177147), Fraction(18769, 157464))
    """

    H: FiniteClass | ImplicitClass
    target: FiniteDistribution[Example[Hashable]]
    n: int
    tie: int
    dimension: int
    _states: SoaStates = field(repr=False, compare=False)
    _end: dict[tuple[int, int], int] = field(repr=False, compare=False)

    def __init__(
        self,
        H: FiniteClass | ImplicitClass,
        target: FiniteDistribution[Example[Hashable]],
        n: int,
        *,
        tie: int = 1,
    ) -> None:
        realizable = tournament_laws.require_realizable(H, target)
        size = as_size(n, "n")
        states = SoaStates(H, tie)
        d = states.dimension
        if d < 1:
            raise InvalidInput("H", "a class of Littlestone dimension 0", "at least 1")
        label = states.spaces.label
        support = list(zip(realizable.columns, realizable.labels, realizable.weights, strict=True))
        end = {(states.start, 0): 1}
        for _ in range(size):
            after: dict[tuple[int, int], int] = {}
            for (state, mistakes), weight in end.items():
                f = states.predictor(state)
                for x, y, w in support:
                    key = states.step(state, x, y), mistakes + (label(f, x) != y)
                    after[key] = after.get(key, 0) + weight * w
            end = after
        common = math.gcd(*end.values())
        end = {key: weight // common for key, weight in end.items()}
        fix(self, H=H, target=target, n=size, tie=int(tie), dimension=d, _states=states, _end=end)

    def law(self) -> FiniteDistribution[tuple[int, int]]:
        """Return the exact law of (version space, M) after n examples.

        A version space is an integer whose bit ``i`` is set when row ``i`` is in it; M is the
        number of mistakes.
        """
        return reduced_law(dict(self._end))

    def law_of_mistakes(self) -> FiniteDistribution[int]:
        """Return the exact law of M, the number of mistakes of the SOA on n examples."""
        return self.law().map(lambda outcome: outcome[1])

    def law_of_output(self, mistakes: int | None = None) -> FiniteDistribution[Mask]:
        """Return the exact law of the predictor A(S), a function and a mask over the columns.

        Parameters
        ----------
        mistakes
            Given that M is this number; by default without a condition.

        Raises
        ------
        InvalidInput
            M is never this number.
        """
        law = self.law()
        if mistakes is not None:
            if law.map(lambda outcome: outcome[1]).probability(mistakes) == 0:
                raise InvalidInput("mistakes", str(mistakes), "a number that has a probability")
            law = law.condition(lambda outcome: outcome[1] == mistakes)
        return law.map(lambda outcome: hypothesis_of(self.H, self._states.predictor(outcome[0])))

    @property
    def q(self) -> Fraction:
        """Pr[M = d - 1]."""
        return self.law_of_mistakes().probability(self.dimension - 1)

    @property
    def collision(self) -> Fraction:
        """Pr[f_1 = f_2], given that both runs make d - 1 mistakes.

        Raises
        ------
        InvalidInput
            No run makes d - 1 mistakes.
        """
        law = self.law_of_output(self.dimension - 1)
        return sum((p * p for _, p in law.items()), Fraction(0))

    @property
    def success(self) -> Fraction:
        """The probability that the contest takes place and its output is the target.

        Exactly ``q^2 (1 - collision) / 2``: the label of the target is flipped with probability 1/2
        whatever the pair is, and then the SOA has made d mistakes, so that one hypothesis is left.
        """
        q = self.q
        return q * q * (1 - self.collision) / 2 if q else Fraction(0)

    def frequent_output(self) -> tuple[Case, Fraction, Fraction]:
        """Return the applicable case of the overview, with its probability and its bound.

        Returns
        -------
        case
            ``"identified"`` when M = d with probability at least 1/(d+1): each such run outputs
            the target. Otherwise, by the collision probability c of two runs with d - 1 mistakes:
            ``"collision"`` when c >= 1/4, and ``"contest"`` when c < 1/4.
        probability
            That of the most frequent output of a run, or for ``"contest"`` that of success.
        bound
            The promise of the case: 1/(d+1); ``q/4`` (the statement has ``q^2/4``, but the
            condition M = d - 1 is paid for once only); ``3 q^2 / 8``.

        Raises
        ------
        InvalidInput
            M is neither d nor d - 1 with probability 1/(d+1): the overview leaves this to an
            induction.
        """
        least = Fraction(1, self.dimension + 1)
        runs = max(p for _, p in self.law_of_output().items())
        if self.law_of_mistakes().probability(self.dimension) >= least:
            return "identified", runs, least
        q = self.q
        if q < least:
            raise InvalidInput(
                "n", f"{self.n}", f"M = {self.dimension} or {self.dimension - 1} to be likely"
            )
        if self.collision >= Fraction(1, 4):
            return "collision", runs, q / 4
        return "contest", self.success, 3 * q * q / 8
