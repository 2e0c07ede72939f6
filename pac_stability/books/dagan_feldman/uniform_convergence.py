"""Losses on a sample against losses on its distribution (Section 2.1, Lemma 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from operator import mul

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman import lemma_accounts, size_accounts
from pac_stability.books.dagan_feldman._climbs import deviations
from pac_stability.books.dagan_feldman._questions import AnyExample, examples_on
from pac_stability.books.dagan_feldman._tasks import likely_types
from pac_stability.claims.instances import random_distributions
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, settle, trial
from pac_stability.classes import FiniteClass, Hypothesis, cube
from pac_stability.data import Example, FiniteDistribution
from pac_stability.papers.dagan_feldman import (
    deviation_bound,
    deviation_failure,
    sample_complexity,
    union_deviation_bound,
)

Deviation = tuple[FiniteClass, FiniteDistribution[AnyExample], int, Fraction]


def _deviations(budget: Budget) -> Iterator[Deviation]:
    universe = examples_on((0, 1))
    classes = [
        FiniteClass([[0, 0]]),
        FiniteClass([[0, 0], [1, 1]]),
        FiniteClass([[0, 1], [1, 1], [0, 0]]),
    ]
    laws = random_distributions(budget.pick(6, 40, 400), 4, seed="deviation")
    for law, H in product(laws, classes):
        D = law.map(lambda index: universe[index])
        for n in (1, 3, budget.pick(6, 9, 14)):
            yield from ((H, D, n, alpha) for alpha in (Fraction(1, 4), Fraction(1, 2)))
    for n in (24, 36, 48)[: budget.pick(2, 3, 3)]:
        yield from ((cube(2), _three(), n, alpha) for alpha in (Fraction(1, 3), Fraction(1, 2)))


@lru_cache(maxsize=4096)
def _deviates(instance: Deviation) -> Fraction:
    """Return the failure probability by going through all sequences of draws, run by run."""
    H, D, n, alpha = instance
    wrong = [tuple(int(h(z.point) != z.label) for z in D.support) for h in H]
    chances = [p for _, p in D.items()]
    losses = [sum((p * e for p, e in zip(chances, row, strict=True)), Fraction(0)) for row in wrong]
    states: dict[tuple[int, ...], Fraction] = {(0,) * len(wrong): Fraction(1)}
    for _ in range(n):
        after: dict[tuple[int, ...], Fraction] = {}
        for counts, chance in states.items():
            for index, p in enumerate(chances):
                place = tuple(c + row[index] for c, row in zip(counts, wrong, strict=True))
                after[place] = after.get(place, Fraction(0)) + chance * p
        states = after
    return sum(
        (
            chance
            for counts, chance in states.items()
            if any(
                abs(Fraction(c, n) - loss) > alpha for c, loss in zip(counts, losses, strict=True)
            )
        ),
        Fraction(0),
    )


def _exact_failure(failure: Callable[[Deviation], Fraction], instance: Deviation) -> Finding:
    defined = _deviates(instance)
    return settle(
        failure(instance) == defined, f"{instance}: {failure(instance)}, by definition {defined}"
    )


def _one_sided_failure(instance: Deviation) -> Fraction:
    H, D, n, alpha = instance
    return max(deviation_failure(FiniteClass([[h(x) for x in H.domain]]), D, n, alpha) for h in H)


DeviationBound = Callable[[int, int, Fraction], Interval]


def _bounded(bound: DeviationBound, instance: Deviation) -> Finding:
    H, _, n, alpha = instance
    exact, allowed = _deviates(instance), bound(len(H), n, alpha)
    return at_most(
        exact, allowed, f"{instance}: fails with {exact}, bound {float(allowed):.4g}", ceiling=1
    )


def _one_side(patterns: int, n: int, alpha: Fraction) -> Interval:
    return patterns * Interval.exp(-2 * n * alpha**2) / 8


def _sizes_of_convergence(
    budget: Budget,
) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    alphas = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5))[: budget.pick(2, 3, 3)]
    biases = [Fraction(1, 2), Fraction(2, 3), Fraction(1, 10)]
    yield from product(alphas, (Fraction(1, 2), Fraction(1, 20)), biases)


def _enough(
    size: Callable[[Fraction, Fraction], int], instance: tuple[Fraction, Fraction, Fraction]
) -> Finding:
    alpha, beta, bias = instance
    one, zero = examples_on((0,))
    D = FiniteDistribution({one: bias, zero: 1 - bias})
    n = size(alpha, beta)
    failure = _deviates((FiniteClass([[0], [1]]), D, n, alpha))
    return at_most(
        failure,
        beta,
        f"both constants, bias {bias}, alpha = {alpha}: n = {n} fails with {float(failure):.4g} > "
        f"{beta}",
    )


def _convergence_size(alpha: Fraction, beta: Fraction) -> int:
    return sample_complexity.uniform_convergence_size(alpha, beta, 1, class_size=2).sample_size


Setting = tuple[FiniteClass, FiniteDistribution[AnyExample], Fraction, Fraction]


def _settings(budget: Budget) -> Iterator[Setting]:
    for H in (cube(2), cube(3)):
        yield H, _three(), Fraction(1, 2), Fraction(1, 2)
        if budget is not Budget.QUICK:
            yield H, _three(), Fraction(1, 3), Fraction(1, 4)


@cache
def _three() -> FiniteDistribution[AnyExample]:
    return FiniteDistribution({Example(x, y): Fraction(1, 3) for x, y in ((0, 1), (1, 0), (1, 1))})


def _size_for(H: FiniteClass, alpha: Fraction, beta: Fraction) -> int:
    d = len(H.domain)
    return sample_complexity.uniform_convergence_size(alpha, beta, d).sample_size


def _enough_for_all(size: Callable[[FiniteClass, Fraction, Fraction], int], it: Setting) -> Finding:
    """Settle the failure by going through all types of samples, of which there are few."""
    H, D, alpha, beta = it
    n = size(H, alpha, beta)
    failure = Fraction(0)
    whole = D.denominator**n
    losses = [(tuple(int(h(z.point) != z.label) for z in D.support), _loss(h, D)) for h in H]
    for counts, weight in likely_types(D, n):
        if any(abs(sum(map(mul, wrong, counts)) - n * loss) > n * alpha for wrong, loss in losses):
            failure += weight
    return at_most(
        failure / whole,
        beta,
        f"{len(H)} hypotheses, n = {n}, alpha = {alpha}: fails with {float(failure / whole):.4g}",
    )


def _loss(h: Hypothesis, D: FiniteDistribution[AnyExample]) -> Fraction:
    return sum((p for z, p in D.items() if h(z.point) != z.label), Fraction(0))


_by_growth: DeviationBound = deviation_bound

_by_union: DeviationBound = union_deviation_bound

_DEVIATIONS = (
    "three classes, seeded distributions on two points, few examples; all labellings of two points "
    "with up to 36"
)

TRIALS: Trials = {
    "DF20:lemma-6": (
        trial(
            "failure",
            _exact_failure,
            _deviations,
            subject=lambda instance: deviation_failure(*instance),
            mutant=_one_sided_failure,
            universe=_DEVIATIONS,
        ),
        trial(
            "union bound",
            _bounded,
            _deviations,
            subject=_by_union,
            mutant=_one_side,
            universe=_DEVIATIONS,
            climb=deviations("df20-lemma-6-union", 12),
        ),
        trial(
            "bound by growth",
            _bounded,
            _deviations,
            subject=_by_growth,
            mutant=lambda tau, n, alpha: deviation_bound(tau, 40 * n, alpha),
            universe=_DEVIATIONS,
        ),
        trial(
            "sizes",
            _enough,
            _sizes_of_convergence,
            subject=_convergence_size,
            mutant=lambda alpha, beta: max(1, _convergence_size(alpha, beta) // 6),
            universe="both constants, three coins, alpha and beta",
        ),
        trial(
            "sizes for several points",
            _enough_for_all,
            _settings,
            subject=_size_for,
            mutant=lambda *_: 1,
            universe="all labellings of two and three points, three examples that can be drawn",
        ),
        size_accounts.steps(lemma_accounts.convergence, lemma_accounts.of_one_pattern),
    ),
}
