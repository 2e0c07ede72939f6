"""Lemma 12, decided: the frequencies that the tournaments reach, and where they stay below 2^-d."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from pac_stability._report import Tabled
from pac_stability.arguments import as_size
from pac_stability.arithmetic import Constants, ConstantsLike
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import littlestone_dimension
from pac_stability.papers import counterexamples
from pac_stability.papers.bun_livni_moran.formulas import FrequencyThreshold
from pac_stability.papers.bun_livni_moran.tournaments.distribution import TournamentDistribution
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import Pick


@dataclass(frozen=True, slots=True, repr=False)
class ReachedFrequencies(Tabled):
    """How frequent the most frequent output of D_0, D_1, ... is, up to where a threshold ends it.

    Attributes
    ----------
    threshold
        tau, with where it comes from.
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
        What it is an example of.
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
            Where two predictors are told apart.
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
        There is none of that name, or its file was altered.
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
        Six hypotheses of dimension 2 on five points. Point 2 has weight zero, and point 4, which
        tells nothing, has more weight the larger n is: 7/5 of n examples are elsewhere, about.

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
