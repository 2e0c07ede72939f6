"""The exponential mechanism (Section 2.1, Lemma 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from operator import itemgetter

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._climbs import errors
from pac_stability.books.dagan_feldman._questions import (
    AnySample,
    exponential_law,
    factor_between,
    label_one,
    neighbours_of,
)
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    at_most,
    factor_at_most,
    idle,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, Hypothesis, thresholds
from pac_stability.mechanisms import decay_for, exponential_learner
from pac_stability.papers.dagan_feldman import exponential_excess, paper_excess, sample_complexity

Law = Callable[[FiniteClass, AnySample, Fraction], Mapping[Hypothesis, Fraction]]
Instance = tuple[FiniteClass, AnySample, Fraction]


def _instances(budget: Budget) -> Iterator[Instance]:
    decays = (Fraction(1, 2), Fraction(4, 5))
    for m in (1, 2):
        for H in all_classes(m):
            for n in range(1, budget.pick(3, 4, 5)):
                yield from product([H], all_labelled_samples(H, n), decays)
    for sample in all_labelled_samples(thresholds(3), 2):
        yield thresholds(3), sample, Fraction(2, 3)


def _of_the_library(
    H: FiniteClass, sample: AnySample, decay: Fraction
) -> dict[Hypothesis, Fraction]:
    return dict(exponential_learner(H, decay).law(sample).items())


def _defined(law: Law, instance: Instance) -> Finding:
    H, sample, decay = instance
    found, wanted = law(H, sample, decay), exponential_law(H, sample, decay)
    same = all(found.get(h, Fraction(0)) == p for h, p in wanted.items())
    return settle(same, f"H = {H.table.tolist()}, {sample}, rho = {decay}: {found}, not {wanted}")


def _by_twice_the_errors(
    H: FiniteClass, sample: AnySample, decay: Fraction
) -> Mapping[Hypothesis, Fraction]:
    return exponential_law(H, sample, decay**2)


# Privacy and stability

Guarantee = Callable[[Fraction], Fraction]
"""From the decay rho to a factor or a stability."""


@cache
def _law(H: FiniteClass, sample: AnySample, decay: Fraction) -> Mapping[Hypothesis, Fraction]:
    return _of_the_library(H, sample, decay)


def _private(factor: Guarantee, instance: Instance) -> Finding:
    H, sample, decay = instance
    allowed, here = factor(decay), _law(*instance)
    worst: tuple[Fraction | float, AnySample] = (Fraction(1), sample)
    for other in neighbours_of(sample, H.domain):
        there = _law(H, other, decay)
        model = max(here[h] / there[h] for h in here)
        predicted = (factor_between(label_one(here, x), label_one(there, x)) for x in H.domain)
        worst = max(worst, (max(model, *predicted), other), key=itemgetter(0))
    factor_found, other = worst
    return factor_at_most(
        factor_found,
        allowed,
        f"H = {H.table.tolist()}, rho = {decay}: S = {sample}, S' = {other} have the factor "
        f"{factor_found} (model or prediction) > {allowed}",
    )


def _stable(stability: Guarantee, instance: Instance) -> Finding:
    H, sample, decay = instance
    allowed, here = stability(decay), _law(*instance)
    worst = Fraction(0), sample
    for other in neighbours_of(sample, H.domain):
        there = _law(H, other, decay)
        moved = max(abs(label_one(here, x) - label_one(there, x)) for x in H.domain)
        worst = max(worst, (moved, other), key=itemgetter(0))
    moved, other = worst
    return at_most(
        moved,
        allowed,
        f"H = {H.table.tolist()}, rho = {decay}: from {sample} to {other} a prediction moves by "
        f"{moved} > {allowed}",
        ceiling=1,
    )


def _tanh(decay: Fraction) -> Fraction:
    return (1 - decay) / (1 + decay)


def _attained(stability: Guarantee, decay: Fraction) -> Finding:
    constants = FiniteClass([[0], [1]])
    one, zero = (sample for sample in all_labelled_samples(constants, 1))
    moved = abs(
        label_one(_law(constants, one, decay), 0) - label_one(_law(constants, zero, decay), 0)
    )
    return settle(moved == stability(decay), f"both constants, one example, rho = {decay}: {moved}")


def _decays(budget: Budget) -> Iterator[Fraction]:
    for k in range(1, budget.pick(12, 60, 400)):
        yield Fraction(k, k + 1)


# Utility

Errors = tuple[tuple[int, ...], Fraction]
"""The numbers of errors of the candidates, the least of them 0, and the decay."""


def _errors(budget: Budget) -> Iterator[Errors]:
    decays = (Fraction(1, 2), Fraction(9, 10), Fraction(39, 40))
    for N in range(1, budget.pick(4, 5, 7)):
        for rest in combinations_with_replacement(range(budget.pick(7, 12, 20)), N - 1):
            yield from (((0, *rest), rho) for rho in decays)
    for N, rho in product((2, 10, 40), decays):
        for level in range(1, 40, budget.pick(3, 1, 1)):
            yield (0, *(level,) * (N - 1)), rho


Excess = Callable[[int, Fraction], Interval]


def _excess(bound: Excess, errors: Errors) -> Finding:
    counts, decay = errors
    if len(counts) == 1:
        return idle()
    weights = [decay**k for k in counts]
    exact = sum((w * k for w, k in zip(weights, counts, strict=True)), Fraction(0)) / sum(weights)
    allowed = _bound(bound, len(counts), decay)
    return at_most(
        exact,
        allowed,
        f"errors {counts[:6]}{'...' if len(counts) > 6 else ''} of {len(counts)} candidates, rho = "
        f"{decay}: {float(exact):.6g} more than the best, bound {float(allowed):.6g}",
    )


@cache
def _bound(bound: Excess, candidates: int, decay: Fraction) -> Interval:
    return bound(candidates, decay)


def _paper(candidates: int, decay: Fraction) -> Interval:
    return paper_excess(candidates, decay)


def _sharp(candidates: int, decay: Fraction) -> Interval:
    return exponential_excess(candidates, decay)


Size = Callable[[Fraction, Fraction, int], int]
SizeInstance = tuple[Fraction, Fraction, int]


def _size_instances(budget: Budget) -> Iterator[SizeInstance]:
    alphas = (Fraction(1, 2), Fraction(1, 5), Fraction(1, 20))
    epsilons = (Fraction(3), Fraction(1), Fraction(1, 10))[: budget.pick(2, 3, 3)]
    yield from product(alphas, epsilons, (2, 3, 50))


def _size(alpha: Fraction, epsilon: Fraction, N: int) -> int:
    return sample_complexity.exponential_mechanism_size(alpha, epsilon, N).sample_size


def _enough(size: Size, instance: SizeInstance) -> Finding:
    alpha, epsilon, N = instance
    n = size(alpha, epsilon, N)
    rho = decay_for(Epsilon(epsilon))
    worst = Fraction(0), 0
    for level in range(n + 1):
        rest = (N - 1) * rho**level
        worst = max(worst, (rest * level / (1 + rest), level))
    excess, level = worst
    return at_most(
        excess,
        alpha * n,
        f"epsilon = {epsilon}, {N} candidates, n = {n}: if all others make {level} errors more, "
        f"the mechanism makes {float(excess):.4g} > alpha n = {alpha * n}",
    )


_UNIVERSE = "all classes on up to two points with all small samples, thresholds on three"

TRIALS: Trials = {
    "DF20:definition-exponential-mechanism": (
        trial(
            "law",
            _defined,
            _instances,
            subject=_of_the_library,
            mutant=_by_twice_the_errors,
            universe=_UNIVERSE,
            exhaustive=True,
        ),
    ),
    "DF20:lemma-7.privacy": (
        trial(
            "all neighbours",
            _private,
            _instances,
            subject=lambda rho: rho**-2,
            mutant=lambda rho: rho**-1,
            universe=_UNIVERSE,
            exhaustive=True,
        ),
    ),
    "DF20:lemma-7.stability": (
        trial(
            "all neighbours",
            _stable,
            _instances,
            subject=_tanh,
            mutant=lambda rho: _tanh(rho) / 2,
            universe=_UNIVERSE,
            exhaustive=True,
        ),
        trial(
            "attained",
            _attained,
            _decays,
            subject=_tanh,
            mutant=lambda rho: rho**-2 - 1,
            universe="decays k/(k + 1)",
        ),
    ),
    "DF20:lemma-7.utility": (
        trial(
            "numbers of errors",
            _excess,
            _errors,
            subject=_paper,
            mutant=lambda N, rho: _paper(N, rho) / 3,
            universe="candidates with few errors, and one best with the others equal",
            climb=errors("df20-lemma-7-utility"),
        ),
    ),
    "DF20:lemma-7.sharp": (
        trial(
            "numbers of errors",
            _excess,
            _errors,
            subject=_sharp,
            mutant=lambda N, rho: _sharp(N, rho) * Fraction(9, 10),
            universe="candidates with few errors, and one best with the others equal",
        ),
        trial(
            "sizes",
            _enough,
            _size_instances,
            subject=_size,
            mutant=lambda alpha, epsilon, N: max(1, _size(alpha, epsilon, N) * 2 // 3),
            universe="alpha, epsilon and |H|; one best candidate, the others equal",
        ),
    ),
}
