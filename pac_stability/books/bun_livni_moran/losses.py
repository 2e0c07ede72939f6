"""Section III-A: losses, and what is realizable."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.literal import (
    class_string,
    hypotheses_of,
    label_string,
)
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import Budget, Finding, Trials, settle, trial
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.errors import NotRealizable
from pac_stability.papers.bun_livni_moran import require_realizable

Losses: TypeAlias = Callable[[Sample[Hashable], int], tuple[Fraction, Fraction]]
"""The population loss under the uniform distribution of a sample, and its empirical loss."""


def _samples(budget: Budget) -> Iterator[tuple[Sample[Hashable], int]]:
    for n in range(1, budget.pick(3, 4, 5) + 1):
        for sample in all_labelled_samples(FiniteClass([[0, 0]]), n):
            for f in range(4):
                yield sample, f


def _losses(sample: Sample[Hashable], f: int) -> tuple[Fraction, Fraction]:
    law = FiniteDistribution.mixture(
        (Fraction(1, len(sample)), FiniteDistribution.point_mass(z)) for z in sample
    )
    population = law.expectation(lambda z: int(f >> _column(z) & 1 != z.label))
    return population, sample.loss(lambda x: f >> int(str(x)) & 1)


def _counted_losses(sample: Sample[Hashable], f: int) -> tuple[Fraction, Fraction]:
    errors = sample.count_errors(lambda x: f >> int(str(x)) & 1)
    return Fraction(errors), Fraction(errors)


def _column(z: Example[Hashable]) -> int:
    return int(str(z.point))


def _are_losses(losses: Losses, instance: tuple[Sample[Hashable], int]) -> Finding:
    sample, f = instance
    wrong = sum(1 for z in sample if f >> _column(z) & 1 != z.label)
    meant = Fraction(wrong, len(sample))
    found = losses(sample, f)
    return settle(
        found == (meant, meant),
        f"{sample}, labels {label_string(f, 2)}: losses {found[0]}, {found[1]}, not {meant}",
    )


Realizable: TypeAlias = Callable[[FiniteClass, FiniteDistribution[Example[int]]], bool]


def _targets(budget: Budget) -> Iterator[tuple[FiniteClass, FiniteDistribution[Example[int]]]]:
    for m in (1, 2) if budget is Budget.QUICK else (1, 2, 3):
        examples = [Example(x, y) for x, y in product(range(m), (0, 1))]
        for H in all_classes(m):
            for chosen in product((0, 1), repeat=2 * m):
                if any(chosen):
                    support = [z for z, c in zip(examples, chosen, strict=True) if c]
                    yield H, FiniteDistribution.uniform(support)


def _is_accepted(H: FiniteClass, target: FiniteDistribution[Example[int]]) -> bool:
    try:
        require_realizable(H, FiniteDistribution(dict(target.items())))
    except NotRealizable:
        return False
    return True


def _has_one_label_a_point(_: FiniteClass, target: FiniteDistribution[Example[int]]) -> bool:
    return len({z.point for z in target.support}) == len(target.support)


def _realizable(
    accepted: Realizable, instance: tuple[FiniteClass, FiniteDistribution[Example[int]]]
) -> Finding:
    H, target = instance
    fits = any(all(h >> z.point & 1 == z.label for z in target.support) for h in hypotheses_of(H))
    return settle(
        accepted(H, target) == fits,
        f"class {class_string(H)}, examples {target.support}: a hypothesis of loss 0 "
        f"{'exists' if fits else 'does not exist'}",
    )


TRIALS: Trials = {
    "BLM20:definition-7": (
        trial(
            "against a count",
            _are_losses,
            _samples,
            subject=_losses,
            mutant=_counted_losses,
            universe="all samples of up to 3 examples on two points (more with the budget), "
            "all labellings of the points",
            exhaustive=True,
        ),
    ),
    "BLM20:definition-realizable": (
        trial(
            "accepted or refused",
            _realizable,
            _targets,
            subject=_is_accepted,
            mutant=_has_one_label_a_point,
            universe="every class on up to 2 points (3 from the standard budget on), one of "
            "each kind, with every support",
            exhaustive=True,
        ),
    ),
}
