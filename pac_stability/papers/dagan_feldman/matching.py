"""Why the learner of Theorem 3 is private: Lemmas 18 and 19 and Equation (13), on one instance.

The candidates H_{S_I} depend on the index set I, and so does h_{S,S_I}. When one index of I is
exchanged, a candidate h is *matched* with the new candidates that agree with it on the points that
stay. If all matched pairs differ on few examples of S, the predictions change by a bounded factor
(Lemma 18), which subsampling makes small (Equation (13)); that the weights and the labels of S
change besides costs another factor (Lemma 19).

Everything here is exact, and no condition about nets is needed: bounds are stated with the number K
of examples on which matched hypotheses differ, which a net makes small. What is needed is that
representatives are a function of the *set* of points: if they depended on the sample, the
candidates for S and for S' would differ although T is the same, and Lemma 19 would fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from pac_stability._report import Tabled
from pac_stability.arguments import as_size
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import Example, Sample
from pac_stability.errors import InvalidInput
from pac_stability.notions.domination import Domination, Predictor, minimal_factor, mixture
from pac_stability.papers.dagan_feldman.private_prediction import (
    amplified_factor,
    matching_factor,
)
from pac_stability.papers.dagan_feldman.relabelling import RelabellingLearner


@dataclass(frozen=True, slots=True, repr=False)
class FactorCheck(Tabled):
    """A factor with which one predictor is at most another, and the bound on it.

    Attributes
    ----------
    factor
        The smallest lambda with h <= lambda g.
    bound
        What was proved about it.
    """

    factor: Fraction | float
    bound: Fraction

    @property
    def holds(self) -> bool:
        """Whether the factor is within the bound."""
        return self.factor <= self.bound


@dataclass(frozen=True, slots=True)
class Matching:
    """The matching of Lemma 18, and what it proves.

    Attributes
    ----------
    before, after
        The candidates: ``H_{S_I}``, and those after one point was exchanged.
    pairs
        The matched ones, as pairs of positions in these: they agree on the points that stay.
    disagreements
        K, on how many examples of S the two of a pair differ at most.
    check
        The factor with which h_{S,T} is at most h_{S,T'}, for the two sets of points, and the bound
        ``4 t**K``, where t is the ``step`` of the learner.
    """

    before: tuple[Hypothesis, ...]
    after: tuple[Hypothesis, ...]
    pairs: tuple[tuple[int, int], ...]
    disagreements: int
    check: FactorCheck

    @property
    def partners(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """How many partners each candidate has: ``|P_h|``, before and after."""
        left = Counter(i for i, _ in self.pairs)
        right = Counter(j for _, j in self.pairs)
        return (
            tuple(left[i] for i in range(len(self.before))),
            tuple(right[j] for j in range(len(self.after))),
        )

    @property
    def one_to_one(self) -> bool:
        """Whether all candidates have one partner."""
        return all(count == 1 for side in self.partners for count in side)

    @property
    def holds(self) -> bool:
        """Whether all candidates have one or two partners, and the factor is within the bound."""
        return self.check.holds and all(c in (1, 2) for side in self.partners for c in side)


def match_candidates(
    learner: RelabellingLearner,
    sample: Sample[Hashable],
    subset: Iterable[int],
    *,
    removed: int,
    added: Hashable,
    points: Iterable[Hashable],
) -> Matching:
    """Match the candidates of an index set with those after one of its points was exchanged.

    Parameters
    ----------
    learner
        The algorithm whose h_{S,T} are compared.
    sample
        S.
    subset
        I, distinct indices of S.
    removed
        The index of I whose point gives way; 1 in the paper.
    added
        The point that takes its place: x_i for ``I' = I - {1} + {i}``, or x'_1 for the set I of the
        neighbouring sample S'.
    points
        Where predictions are compared.

    Returns
    -------
    Matching

    Raises
    ------
    InvalidInput
        The indices are no distinct indices of S, or the removed one is not among them.

    Notes
    -----
    A candidate has a partner, since its pattern on the points that stay extends to the added point;
    and at most two, one for each label there. Matched hypotheses differ on at most K examples: so
    their weights are within ``rho**-K`` of one another, their sums over all candidates too, but
    for a factor 2, and what is predicted from their labels within the K-th power of the factor of
    the private learner. Summing over pairs in place of candidates costs another 2.

    Source: DF20 Lemma 18, which has ``4 e**6`` for ``4 t**K``. The factor 4 is approached.

    When the added point is in S and K = 0, the matching is one to one.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman.realizable import RealizablePrivateLearner
    >>> from pac_stability.papers.dagan_feldman.stable import StableLearner
    >>> H, four = thresholds(3), Epsilon.exactly(4)
    >>> learner = RelabellingLearner(
    ...     StableLearner(H, 2, four), RealizablePrivateLearner(H, 3, four)
    ... )
    >>> sample = Sample([0, 1, 2], [0, 1, 1])
    >>> matching = match_candidates(learner, sample, [0, 1], removed=0, added=2, points=H.domain)
    >>> matching.partners, matching.disagreements, matching.check.factor, matching.holds
    (((1, 1, 2), (2, 1, 1)), 1, Fraction(5, 4), True)
    """
    kept = _without(_indices(subset, len(sample)), removed)
    common = tuple(sample.points[index] for index in kept)
    H = learner.selector.H
    chosen, exchanged = (*common, sample.points[removed]), (*common, added)
    before, after = tuple(H.representatives_on(chosen)), tuple(H.representatives_on(exchanged))
    pairs = tuple(
        (i, j)
        for i, h in enumerate(before)
        for j, g in enumerate(after)
        if all(h(x) == g(x) for x in common)
    )
    disagreements = max(sum(before[i](x) != after[j](x) for x in sample.points) for i, j in pairs)
    at = tuple(points)
    factor = minimal_factor(
        _predictor(at, learner.conditioned_on(chosen, sample, at)),
        _predictor(at, learner.conditioned_on(exchanged, sample, at)),
    )
    check = FactorCheck(factor, matching_factor(learner.step, disagreements))
    return Matching(before, after, pairs, disagreements, check)


def check_replacement(
    learner: RelabellingLearner,
    sample: Sample[Hashable],
    neighbour: Sample[Hashable],
    chosen: Iterable[Hashable],
    points: Iterable[Hashable],
) -> FactorCheck:
    """Compare h_{S,T} with h_{S',T} for neighbouring samples and a fixed set of points: Lemma 19.

    Parameters
    ----------
    learner
        The algorithm.
    sample, neighbour
        S and S', which differ in one example.
    chosen
        The points of T.
    points
        Where predictions are compared.

    Returns
    -------
    FactorCheck
        The bound is the ``step`` of the learner: at most ``e**(3/(eta n))``, for which the paper
        writes ``e**(3 epsilon)``. It is approached by instances.

    Raises
    ------
    InvalidInput
        The samples are no neighbours.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman.realizable import RealizablePrivateLearner
    >>> from pac_stability.papers.dagan_feldman.stable import StableLearner
    >>> H, four = thresholds(2), Epsilon.exactly(4)
    >>> learner = RelabellingLearner(
    ...     StableLearner(H, 1, four), RealizablePrivateLearner(H, 2, four)
    ... )
    >>> check_replacement(learner, Sample([0, 1], [0, 1]), Sample([0, 0], [0, 0]), [1], [1])
    <FactorCheck: factor 7/4 (1.75), bound 10>
    """
    differences = sum(one != other for one, other in zip(sample, neighbour, strict=False))
    if len(sample) != len(neighbour) or differences > 1:
        raise InvalidInput("neighbour", f"{differences} differences", "one example replaced")
    at, candidates = tuple(points), tuple(chosen)
    factor = minimal_factor(
        _predictor(at, learner.conditioned_on(candidates, sample, at)),
        _predictor(at, learner.conditioned_on(candidates, neighbour, at)),
    )
    return FactorCheck(factor, learner.step)


def largest_disagreement(H: Family, sample: Sample[Hashable], points: Iterable[Hashable]) -> int:
    """Return on how many examples of S two hypotheses can differ that agree on given points.

    Parameters
    ----------
    H
        The class.
    sample
        S; its labels do not matter.
    points
        Points of S.

    Returns
    -------
    int
        0 if no pattern on S has more than one extension. The points are an alpha-net for H with
        respect to S when this is at most ``alpha n``.

    Notes
    -----
    It does not depend on how representatives are chosen. O(P^2 m) for P patterns on m points.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> largest_disagreement(thresholds(9), Sample(range(9), [0] * 9), [2, 4])
    4
    """
    copies = Counter(sample.points)
    patterns = H.restrict(copies)
    weights = np.array([copies[x] for x in patterns.domain], dtype=np.int64)
    columns = [patterns.column(x) for x in dict.fromkeys(points)]
    groups: dict[bytes, list[int]] = {}
    for row, labels in enumerate(patterns.table):
        groups.setdefault(labels[columns].tobytes(), []).append(row)
    largest = 0
    for rows in groups.values():
        table = patterns.table[rows]
        for labels in table:
            largest = max(largest, int(((table != labels) @ weights).max()))
    return largest


@dataclass(frozen=True, slots=True, repr=False)
class Subsampling(Tabled):
    """Equation (13) for one pair of neighbouring samples: what subsampling makes of Lemma 18.

    Attributes
    ----------
    on_sample
        h_S.
    mixed
        The average of the h_{S,S'_J}: candidates from the neighbour, weights and labels from S.
    on_neighbour
        h_S'.
    disagreements
        For each K, how many of the index sets I with the replaced index have it as the largest
        number of examples of S on which two hypotheses differ that agree on the rest of I.
    share
        q = n'/n, the probability that I has that index.
    step
        t of the learner.
    """

    on_sample: Predictor[Hashable]
    mixed: Predictor[Hashable]
    on_neighbour: Predictor[Hashable]
    disagreements: Mapping[int, int]
    share: Fraction
    step: Fraction

    def unlucky(self, limit: int) -> Fraction:
        """Return b: of the index sets with the replaced index, the fraction with K above a limit.

        Parameters
        ----------
        limit
            K_0.
        """
        most = as_size(limit, "limit")
        beyond = sum(count for k, count in self.disagreements.items() if k > most)
        return Fraction(beyond, sum(self.disagreements.values()))

    def exchange(self, limit: int) -> Domination:
        """Return what relates h_S to the mixed average: Equation (13), sharpened.

        Parameters
        ----------
        limit
            K_0, any integer.

        Returns
        -------
        Domination
            With factor ``1 + q (4 t**K_0 - 1)`` and slack q b.
        """
        constant = matching_factor(self.step, limit)
        return Domination(
            amplified_factor(1, self.share, constant), self.share * self.unlucky(limit)
        )

    def paper_exchange(self, limit: int) -> Domination:
        """Return the form of Equation (13) itself, for n' < n.

        Parameters
        ----------
        limit
            K_0, any integer.

        Returns
        -------
        Domination
            With factor ``1 + 4 t**K_0 q/(1 - q)``, the slack being the same.

        Raises
        ------
        InvalidInput
            n' = n.
        """
        if self.share == 1:
            raise InvalidInput("subset_size", "n' = n", "fewer indices than examples")
        odds = self.share / (1 - self.share)
        return Domination(
            1 + matching_factor(self.step, limit) * odds, self.share * self.unlucky(limit)
        )

    def privacy(self, limit: int) -> Domination:
        """Return what relates h_S to h_S': the privacy before the flip.

        Parameters
        ----------
        limit
            K_0, any integer.
        """
        return self.exchange(limit).then(Domination(self.step, Fraction(0)))

    @property
    def holds(self) -> bool:
        """Whether the relations hold for every K_0."""
        return all(
            self.exchange(limit).holds(self.on_sample, self.mixed)
            and self.privacy(limit).holds(self.on_sample, self.on_neighbour)
            for limit in (0, *self.disagreements)
        )


def check_subsampling(
    learner: RelabellingLearner,
    sample: Sample[Hashable],
    index: int,
    example: Example[Hashable],
    points: Iterable[Hashable],
) -> Subsampling:
    """Compare h_S with h_S' step by step, where S' has another example at one index.

    Parameters
    ----------
    learner
        The algorithm.
    sample
        S.
    index
        Which example is replaced.
    example
        What replaces it.
    points
        Where predictions are compared.

    Returns
    -------
    Subsampling

    Notes
    -----
    Goes through all C(n, n') index sets: for small samples.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman.realizable import RealizablePrivateLearner
    >>> from pac_stability.papers.dagan_feldman.stable import StableLearner
    >>> H, epsilon = thresholds(3), Epsilon.exactly(Fraction(81, 64))
    >>> learner = RelabellingLearner(
    ...     StableLearner(H, 2, epsilon), RealizablePrivateLearner(H, 2, epsilon)
    ... )
    >>> found = check_subsampling(
    ...     learner, Sample([0, 1, 2, 1], [0, 1, 1, 0]), 0, Example(2, 1), H.domain
    ... )
    >>> dict(found.disagreements), found.unlucky(1), found.holds
    ({1: 2, 3: 1}, Fraction(1, 3), True)
    """
    neighbour = sample.replace(index, example)
    size, at = learner.selector.subset_size, tuple(points)
    times = Counter(frozenset(subset) for subset in combinations(neighbour.points, size))
    total = sum(times.values())
    mixed = mixture(
        (Fraction(count, total), _predictor(at, learner.conditioned_on(chosen, sample, at)))
        for chosen, count in times.items()
    )
    others = (*sample.points[:index], *sample.points[index + 1 :])
    rests = Counter(frozenset(rest) for rest in combinations(others, size - 1))
    disagreements: Counter[int] = Counter()
    for rest, count in rests.items():
        disagreements[largest_disagreement(learner.selector.H, sample, rest)] += count
    return Subsampling(
        on_sample=_predictor(at, learner.probabilities(sample, at)),
        mixed=mixed,
        on_neighbour=_predictor(at, learner.probabilities(neighbour, at)),
        disagreements=disagreements,
        share=Fraction(size, len(sample)),
        step=learner.step,
    )


def _predictor(
    points: Sequence[Hashable], probabilities: Sequence[Fraction]
) -> dict[Hashable, Fraction]:
    return dict(zip(points, probabilities, strict=True))


def _indices(subset: Iterable[int], n: int) -> tuple[int, ...]:
    indices = tuple(as_size(index, "subset") for index in subset)
    if len(set(indices)) != len(indices) or any(index >= n for index in indices):
        raise InvalidInput("subset", str(indices), f"distinct indices below {n}")
    return indices


def _without(indices: tuple[int, ...], removed: int) -> tuple[int, ...]:
    if removed not in indices:
        raise InvalidInput("removed", str(removed), f"one of the indices {indices}")
    return tuple(index for index in indices if index != removed)
