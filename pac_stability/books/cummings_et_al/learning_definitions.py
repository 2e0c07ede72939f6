"""Generalization, learning and the VC dimension (Section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import floor_log2
from pac_stability.claims.instances import all_classes, realizable_distributions
from pac_stability.claims.trials import Budget, Finding, OnClass, Trials, settle, trial
from pac_stability.classes import FiniteClass, Row, cube
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples
from pac_stability.dimensions import vc_dimension
from pac_stability.notions import accuracy, generalization
from pac_stability.notions.by_type import LawsByType, learner_laws_by_type

Labelled: TypeAlias = Example[Hashable]
Target: TypeAlias = FiniteDistribution[Labelled]
Judge: TypeAlias = Callable[[LawsByType[Labelled, Row], Target, Fraction], Fraction]
AgnosticJudge: TypeAlias = Callable[
    [LawsByType[Labelled, Row], Target, Fraction, FiniteClass], Fraction
]


@dataclass(frozen=True, slots=True)
class DefinedLearner:
    """A learner with random answers to each ordered sample, on one distribution.

    Attributes
    ----------
    index
        Which answers.
    H
        The class, whose hypotheses it answers with.
    n
        The size of the samples.
    target
        D, the law of an example.
    alpha
        What is tolerated.
    """

    index: int
    H: FiniteClass
    n: int
    target: Target
    alpha: Fraction

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Row]:
        """Return the law of the hypothesis."""
        coins = Random(f"{self.index}/{sample}")
        first, second = coins.choice(self.H), coins.choice(self.H)
        return FiniteDistribution.mixture(
            (Fraction(w, 4), FiniteDistribution.point_mass(h)) for w, h in ((1, first), (3, second))
        )

    def outcomes(self) -> Iterator[tuple[Fraction, Sample[Hashable], Row]]:
        """Go through samples and hypotheses, with the probabilities of both together."""
        for drawn in product(self.target.items(), repeat=self.n):
            sample = Sample.from_examples(z for z, _ in drawn)
            weight = Fraction(1)
            for _, chance in drawn:
                weight *= chance
            for h, answered in self.law(sample).items():
                yield weight * answered, sample, h

    def error(self, h: Row) -> Fraction:
        """Return err(h)."""
        return sum((p for z, p in self.target.items() if h(z.point) != z.label), Fraction(0))

    def tables(self) -> LawsByType[Labelled, Row]:
        """Return the learner as the library's notions take it."""
        return learner_laws_by_type(self.law, all_examples(self.H.domain), self.n)

    def __str__(self) -> str:
        rows = [list(map(int, row)) for row in self.H.table]
        return f"learner {self.index} for {rows}, n = {self.n}, D = {self.target}, {self.alpha}"


def _on_anything(budget: Budget) -> Iterator[DefinedLearner]:
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"anything/{index}")
        points = coins.choice((1, 2))
        yield _made(index, coins, cube(points), all_examples(range(points)))


def _made(
    index: int, coins: Random, H: FiniteClass, examples: tuple[Labelled, ...]
) -> DefinedLearner:
    weights = [coins.randint(0, 3) for _ in examples]
    weights[coins.randrange(len(weights))] += 1
    target = FiniteDistribution(
        {z: Fraction(w, sum(weights)) for z, w in zip(examples, weights, strict=True) if w}
    )
    return DefinedLearner(index, H, coins.choice((1, 2)), target, Fraction(coins.randint(0, 6), 12))


def _generalizes(judge: Judge, learner: DefinedLearner) -> Finding:
    found = judge(learner.tables(), learner.target, learner.alpha)
    written = sum(
        (
            weight
            for weight, sample, h in learner.outcomes()
            if abs(learner.error(h) - sample.loss(h)) > learner.alpha
        ),
        Fraction(0),
    )
    return settle(found == written, f"{learner}: {found}, by the definition {written}")


def _beyond(laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction) -> Fraction:
    return generalization.minimal_beta(laws, target, alpha)


def _from_on(laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction) -> Fraction:
    return generalization.overfitting_probability(laws, target, alpha)


def _realizable(budget: Budget) -> Iterator[DefinedLearner]:
    classes = [H for m in (1, 2) for H in all_classes(m)]
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"realizable/{index}")
        H = classes[index % len(classes)]
        targets = list(realizable_distributions(H, 4))
        alpha = Fraction(coins.randint(0, 4), 8)
        yield DefinedLearner(index, H, coins.choice((1, 2)), coins.choice(targets), alpha)


def _learns(judge: Judge, learner: DefinedLearner) -> Finding:
    found = judge(learner.tables(), learner.target, learner.alpha)
    written = sum(
        (weight for weight, _, h in learner.outcomes() if learner.error(h) > learner.alpha),
        Fraction(0),
    )
    return settle(found == written, f"{learner}: {found}, by the definition {written}")


def _worse(laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction) -> Fraction:
    return accuracy.minimal_beta(laws, target, alpha)


def _no_better(laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction) -> Fraction:
    return accuracy.excess_law(laws, target).expectation(lambda excess: int(excess >= alpha))


def _agnostic(budget: Budget) -> Iterator[DefinedLearner]:
    classes = [H for m in (1, 2) for H in all_classes(m)]
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"agnostic/{index}")
        H = classes[index % len(classes)]
        yield _made(index, coins, H, all_examples(H.domain))


def _learns_agnostically(judge: AgnosticJudge, learner: DefinedLearner) -> Finding:
    found = judge(learner.tables(), learner.target, learner.alpha, learner.H)
    least = min(learner.error(h) for h in learner.H)
    written = sum(
        (weight for weight, _, h in learner.outcomes() if learner.error(h) > least + learner.alpha),
        Fraction(0),
    )
    return settle(found == written, f"{learner}: {found}, by the definition {written}")


def _beside_the_best(
    laws: LawsByType[Labelled, Row], target: Target, alpha: Fraction, H: FiniteClass
) -> Fraction:
    return accuracy.minimal_beta(laws, target, alpha, hypotheses=H)


def _beside_none(
    laws: LawsByType[Labelled, Row],
    target: Target,
    alpha: Fraction,
    H: FiniteClass,  # what is wrong with it
) -> Fraction:
    return accuracy.minimal_beta(laws, target, alpha)


def _small_classes(budget: Budget) -> Iterator[FiniteClass]:
    for m in range(1, budget.pick(3, 4, 4) + 1):
        yield from all_classes(m)


_THE_CLASS: OnClass[FiniteClass] = OnClass(
    lambda H: [H], "the class itself", points=14, hypotheses=256
)


def _shatters(dimension: Callable[[FiniteClass], int], H: FiniteClass) -> Finding:
    rows = [tuple(row) for row in H.table.tolist()]
    m = len(H.domain)
    written = max(
        size
        for size in range(m + 1)
        for S in combinations(range(m), size)
        if len({tuple(row[x] for x in S) for row in rows}) == 2**size
    )
    found = dimension(H)
    return settle(found == written, f"{rows}: {found}, by the definition {written}")


def _counting_dimension(H: FiniteClass) -> int:
    return floor_log2(len(H))


TRIALS: Trials = {
    "CLNRW16:definition-1": (
        trial(
            "against all ordered samples",
            _generalizes,
            _on_anything,
            subject=_beyond,
            mutant=_from_on,
            universe="random learners on one or two points, n = 1 and 2, alpha in twelfths",
        ),
    ),
    "CLNRW16:definition-2": (
        trial(
            "against all ordered samples",
            _learns,
            _realizable,
            subject=_worse,
            mutant=_no_better,
            universe="random learners for every class on one or two points, on distributions "
            "in quarters that it realizes",
        ),
    ),
    "CLNRW16:definition-3": (
        trial(
            "against all ordered samples",
            _learns_agnostically,
            _agnostic,
            subject=_beside_the_best,
            mutant=_beside_none,
            universe="random learners for every class on one or two points, on random "
            "distributions",
        ),
    ),
    "CLNRW16:definition-4": (
        trial(
            "against all sets of points",
            _shatters,
            _small_classes,
            subject=vc_dimension,
            mutant=_counting_dimension,
            universe="every class on up to three points, up to isomorphism",
            exhaustive=True,
            on_class=_THE_CLASS,
        ),
    ),
}
