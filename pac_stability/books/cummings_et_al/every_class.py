"""Every learnable class, by boosting and by subsampling (Section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.books.cummings_et_al._deviations import deviates_seldom
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, Finding, OnClass, Trials, settle, trial
from pac_stability.classes import FiniteClass, singletons
from pac_stability.compression import Selection
from pac_stability.compression.boosting import BoostingScheme
from pac_stability.compression.bounds import HoeffdingBound
from pac_stability.data import (
    FiniteDistribution,
    Multiset,
    Sample,
    all_examples,
    multiset_distribution,
)
from pac_stability.notions.robust_generalization import optimal_adversary

Formula: TypeAlias = Callable[[int, int, Fraction], Interval]
"""From n, k and delta to epsilon."""

# Theorem 25.


Realizable: TypeAlias = tuple[FiniteClass, Sample[Hashable]]


def _realizable(budget: Budget) -> Iterator[Realizable]:
    longest = budget.pick(2, 3, 4)
    for m in range(1, 4):
        for index, H in enumerate(all_classes(m)):
            if m < 3 or index % budget.pick(16, 2, 1) == 0:
                yield from ((H, sample) for sample in _fitted(H, longest))
    yield from _without_ones(budget)


def _without_ones(budget: Budget) -> Iterator[Realizable]:
    """Give samples without a 1, of which a majority of singletons may make the empty set."""
    for size in range(2, budget.pick(4, 6, 8) + 1):
        H = singletons(size)
        yield from ((H, Sample(range(n), [0] * n)) for n in range(1, size))


def _fitted(H: FiniteClass, longest: int) -> Iterator[Sample[Hashable]]:
    for n in range(1, longest + 1):
        for chosen in combinations_with_replacement(all_examples(H.domain), n):
            sample = Sample.from_examples(chosen)
            if any(sample.count_errors(h) == 0 for h in H):
                yield sample


_OWN_REALIZABLE: OnClass[Realizable] = OnClass(
    lambda H: ((H, sample) for sample in _fitted(H, 2)),
    "all samples of one or two examples that a hypothesis fits",
    points=5,
    hypotheses=24,
)

Boosted: TypeAlias = Callable[[FiniteClass], BoostingScheme]


def _boosts(boosted: Boosted, given: Realizable) -> Finding:
    H, sample = given
    scheme, n = boosted(H), len(sample)
    kept, rounds = scheme.keep(sample), scheme.rounds(n)
    errors = sample.count_errors(scheme.reconstruct(Sample.from_examples(kept)))
    # eta = 1/3: the mean of exp(-margin) falls by 2 sqrt(eta (1 - eta)) = sqrt(8/9) a round
    enough = n**2 * Fraction(8, 9) ** rounds < 1 or n == 1
    return settle(
        errors == 0 and enough and len(kept) == rounds * scheme.group_size(n),
        f"{H.table.tolist()}, {sample}: {len(kept)} examples in {rounds} rounds, {errors} errors",
    )


def _boosting(H: FiniteClass) -> BoostingScheme:
    return BoostingScheme(H)


class _OneRound(BoostingScheme):
    """Boosting that is content with one weak hypothesis."""

    def rounds(self, n: int) -> int:  # noqa: ARG002  # the parameters of what it stands in for
        return 1


def _weak(H: FiniteClass) -> BoostingScheme:
    return _OneRound(H)


def _stays_inside(boosted: Boosted, given: Realizable) -> Finding:
    H, sample = given
    labels = tuple(map(boosted(H).run(sample), H.domain))
    return settle(
        labels in {tuple(row) for row in H.table.tolist()},
        f"{H.table.tolist()}, {sample}: the vote {labels} is not in the class",
    )


# Remark 27.


@dataclass(frozen=True, slots=True)
class SubsampledRun:
    """Draws from three elements, of which a random part of k is shown; delta."""

    source: FiniteDistribution[int]
    n: int
    k: int
    delta: Fraction


def _subsampled(budget: Budget) -> Iterator[SubsampledRun]:
    sources = (
        FiniteDistribution.uniform(range(3)),
        FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}),
    )
    sizes = budget.pick((4, 8), (4, 8, 12), (4, 8, 12, 16))
    for source, n, k, delta in product(sources, sizes, (1, 2, 3), ("1/10", "1/2", "9/10")):
        yield SubsampledRun(source, n, k, Fraction(delta))


def _shown(kind: Multiset[int], k: int) -> FiniteDistribution[tuple[int, ...]]:
    """Return the law of a random part of k, as counts of the elements."""
    counts = [kind.count(x) for x in range(3)]
    total = comb(sum(counts), k)
    return FiniteDistribution(
        {
            (a, b, k - a - b): Fraction(
                comb(counts[0], a) * comb(counts[1], b) * comb(counts[2], k - a - b), total
            )
            for a in range(min(k, counts[0]) + 1)
            for b in range(min(k - a, counts[1]) + 1)
            if k - a - b <= counts[2]
        }
    )


def _oblivious(formula: Formula, given: SubsampledRun) -> Finding:
    n, k = given.n, given.k
    types = multiset_distribution(given.source, n)
    laws = {kind: _shown(kind, k) for kind in types.support}
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, types, epsilon).failure,
        formula(n, k, given.delta),
        given.delta,
        given,
    )


def _no_union(n: int, k: int, delta: Fraction) -> Interval:
    return HoeffdingBound(n, k, delta, Selection.OBLIVIOUS).value()


def _unselected(n: int, k: int, delta: Fraction) -> Interval:
    """Take a single test that does not depend on the sample, and one sign."""
    return Interval.sqrt(Interval.log(1 / delta) / (8 * n))


TRIALS: Trials = {
    "CLNRW16:theorem-25.proper": (
        trial(
            "singletons",
            _stays_inside,
            _without_ones,
            subject=_boosting,
            universe="singletons on two to four points, samples without a 1",
            on_class=_OWN_REALIZABLE,
        ),
    ),
    "CLNRW16:theorem-25.explicit": (
        trial(
            "realizable samples",
            _boosts,
            _realizable,
            subject=_boosting,
            mutant=_weak,
            universe="classes on up to three points with samples of one and two examples, "
            "singletons on up to four",
            on_class=_OWN_REALIZABLE,
        ),
    ),
    "CLNRW16:remark-27.explicit": (
        trial(
            "the best adversary",
            _oblivious,
            _subsampled,
            subject=_no_union,
            mutant=_unselected,
            universe="up to eight draws from three elements, one to three of them shown",
        ),
        _written.REMARK_27,
    ),
}
