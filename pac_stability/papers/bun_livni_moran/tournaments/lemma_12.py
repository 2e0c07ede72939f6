"""Lemma 12, decided: the frequencies that the tournaments reach, and where they stay below 2^-d."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from pac_stability.arguments import as_size
from pac_stability.arithmetic import Constants, ConstantsLike
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import littlestone_dimension
from pac_stability.papers.bun_livni_moran.formulas import FrequencyThreshold
from pac_stability.papers.bun_livni_moran.tournaments.distribution import TournamentDistribution
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import Pick


@dataclass(frozen=True, slots=True)
class ReachedFrequencies:
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


@dataclass(frozen=True, slots=True)
class Lemma12Counterexample:
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


def _sets(words: str) -> tuple[frozenset[int], ...]:
    """Sets of points, written as hexadecimal digits; a dash is the empty set."""
    digit = "0123456789abcdef".index
    return tuple(frozenset(map(digit, word.strip("-"))) for word in words.split())


def _uniform(*points: int) -> tuple[tuple[int, int], ...]:
    return tuple((x, 1) for x in points)


COUNTEREXAMPLES: Mapping[str, Lemma12Counterexample] = MappingProxyType(
    {
        "five-hypotheses": Lemma12Counterexample(
            dimension=2,
            points=5,
            hypotheses=_sets("- 13 013 23 014"),
            concept=frozenset(),
            weights=((0, 4), (1, 4), (2, 4), (3, 1), (4, 4)),
            n=1,
            tie=1,
            about="five points and five hypotheses; nothing smaller is known",
        ),
        "equal-weights": Lemma12Counterexample(
            dimension=2,
            points=5,
            hypotheses=_sets("- 0 01 012 23 034"),
            concept=frozenset(),
            weights=_uniform(*range(5)),
            n=1,
            tie=1,
            about="equal weights and n = 1, with which five points need six hypotheses",
        ),
        "pairs": Lemma12Counterexample(
            dimension=2,
            points=5,
            hypotheses=_sets("- 01 02 12 03 13 23"),
            concept=frozenset(),
            weights=_uniform(*range(5)),
            n=1,
            tie=1,
            about="the pairs of four points, the empty set, and a point that tells nothing: every "
            "order of picking fails",
        ),
        "every-pick": Lemma12Counterexample(
            dimension=2,
            points=5,
            hypotheses=_sets("- 12 13 023 014 24 34"),
            concept=frozenset(),
            weights=_uniform(*range(5)),
            n=1,
            tie=1,
            about="every way of picking a point from two predictors fails",
        ),
        "both-ties": Lemma12Counterexample(
            dimension=2,
            points=10,
            hypotheses=_sets("02678 1278 01289 013789 0238 0149 2458 134"),
            concept=frozenset({0, 1, 2, 8, 9}),
            weights=_uniform(*range(10)),
            n=1,
            tie=1,
            about="fails for both tie rules, and for every order of picking that was tried",
        ),
        "five-examples": Lemma12Counterexample(
            dimension=2,
            points=10,
            hypotheses=_sets("- 35 038 039 49 245 0246 24"),
            concept=frozenset(),
            weights=((1, 6), (2, 1), (5, 3), (6, 2), (7, 4), (8, 2), (9, 1)),
            n=5,
            tie=1,
            about="n = 5, which is enough for alpha = 2/5",
        ),
        "twenty-examples": Lemma12Counterexample(
            dimension=2,
            points=12,
            hypotheses=_sets(
                "578b 078b 05789b 258b 02568 02589b 028ab 02578 01258b 025789 025789b 023578 24578"
            ),
            concept=frozenset({0, 7, 8, 11}),
            weights=((0, 1), (1, 1), (3, 13), (4, 7), (6, 2), (8, 1), (9, 14), (10, 1)),
            n=20,
            tie=0,
            about="n = 20, which is enough for alpha = 1/10",
        ),
        "dimension-three": Lemma12Counterexample(
            dimension=3,
            points=11,
            hypotheses=_sets(
                "589a - 1689a 0169a 569 07a 25679 025679 1389 013578a 023 47 245789 248a 13469a "
                "23478 02349"
            ),
            concept=frozenset(),
            weights=_uniform(0, 1, 2, 3, 4, 5, 6, 7, 8, 10),
            n=1,
            tie=1,
            about="d = 3",
        ),
        "theorem-10": Lemma12Counterexample(
            dimension=2,
            points=14,
            hypotheses=_sets("59b 01789d 38d 36b 23567a 01237c 03469c 1234bd"),
            concept=frozenset({3, 6, 11}),
            weights=(
                (0, 2),
                (1, 2),
                (2, 3),
                (3, 3),
                (4, 2),
                (5, 3),
                (7, 3),
                (8, 3),
                (9, 2),
                (10, 3),
                (12, 1),
            ),
            n=1,
            tie=1,
            about="no output of algorithm G, for alpha = 2, is as frequent as Theorem 10 says",
        ),
        "least-frequent": Lemma12Counterexample(
            dimension=2,
            points=16,
            hypotheses=_sets("01234569ef 267abcdef 1249b 149d 34579abe 2458a 01bcf 124789bc"),
            concept=frozenset({1, 4, 9, 13}),
            weights=(
                (3, 662),
                (4, 510),
                (5, 662),
                (6, 651),
                (7, 385),
                (8, 544),
                (9, 342),
                (10, 169),
                (12, 662),
                (13, 662),
                (14, 662),
                (15, 351),
            ),
            n=1,
            tie=1,
            about="d = 2 with the lowest frequencies that a local search found",
        ),
    }
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
        hypotheses=_sets("- 0 12 012 23 023"),
        concept=frozenset(),
        weights=((0, 4), (1, 9), (3, 8), (4, 15 * (size - 1))),
        n=size,
        tie=1,
        about=f"n = {size}",
    )
