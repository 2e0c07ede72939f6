"""Section V-A: the generic private learner (Lemma 16)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.bun_livni_moran.literal import class_string, hypotheses_of
from pac_stability.claims.comparing import at_most
from pac_stability.claims.finding import Finding, settle
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import Trials, trial
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, Sample
from pac_stability.papers.bun_livni_moran import GenericPrivateLearner
from pac_stability.papers.bun_livni_moran.private.generic import generic_size

_DECAY = Fraction(4, 9)


def _classes_with_samples(budget: Budget) -> Iterator[tuple[FiniteClass, Sample[Hashable]]]:
    for m in (1, 2):
        for H in all_classes(m):
            for n in range(1, budget.pick(2, 3, 4) + 1):
                for S in all_labelled_samples(H, n):
                    yield H, S


def _chosen(
    factor: Callable[[Fraction], Fraction], it: tuple[FiniteClass, Sample[Hashable]]
) -> Finding:
    H, S = it
    learner = GenericPrivateLearner(H, Epsilon.exactly(1 / _DECAY**2))
    law = _exponential(H, S)
    found = {h.index: p for h, p in learner.law(S).items()}
    t = factor(learner.decay)
    for x, y in product(H.domain, (0, 1)):
        other = _exponential(H, S.replace(0, Example(x, y)))
        if any(p > t * other[i] for i, p in law.items()):
            return settle(False, f"class {class_string(H)}, {S}: {law} and {other}, factor {t}")
    return settle(found == law, f"class {class_string(H)}, {S}: law {found}, not {law}")


def _exponential(H: FiniteClass, S: Sample[Hashable]) -> dict[int, Fraction]:
    weights = [_DECAY ** sum(H(i, z.point) != z.label for z in S) for i in range(len(H))]
    return {i: w / sum(weights) for i, w in enumerate(weights)}


Noisy: TypeAlias = tuple[FiniteClass, tuple[Fraction, ...], Fraction, Fraction]
"""A class, the probabilities of the examples (x, y) in lexicographic order, alpha and beta."""


def _noisy(budget: Budget) -> Iterator[Noisy]:
    q = budget.pick(6, 8, 16)
    for m in (1, 2):
        for H in all_classes(m, labels_matter=False):
            for w in product(range(q + 1), repeat=2 * m):
                if sum(w) == q and len(H) > 1:
                    law = tuple(Fraction(v, q) for v in w)
                    losses = [_loss(h, law) for h in hypotheses_of(H)]
                    for alpha in (Fraction(1, 8), Fraction(1, 4)):
                        if min(losses) <= alpha and max(losses) > 2 * alpha:
                            yield H, law, alpha, Fraction(1, 10)


def _wrong(h: int, law: tuple[Fraction, ...]) -> list[bool]:
    return [h >> x & 1 != y for x, y in product(range(len(law) // 2), (0, 1))]


def _loss(h: int, law: tuple[Fraction, ...]) -> Fraction:
    return sum((p for p, e in zip(law, _wrong(h, law), strict=True) if e), Fraction(0))


def _good_choice(size: Callable[[int, Fraction, Fraction, Fraction], int], it: Noisy) -> Finding:
    H, law, alpha, beta = it
    rows = sorted(hypotheses_of(H), key=lambda h: _loss(h, law))
    n = size(len(H), alpha, beta, _DECAY)
    bad = [h for h in rows if _loss(h, law) > 2 * alpha]
    text = f"class {class_string(H)}, law {law}, alpha = {alpha}, n = {n}: fails with probability"
    if n <= 3:
        failure = _exact_failure(rows, bad, law, n)
        return at_most(failure, beta, f"{text} {failure} > {beta}")
    most = sum((beaten(rows[0], h, law, _DECAY, n) for h in bad), Fraction(0))
    return at_most(Interval(Fraction(0), most), beta, f"{text} at most {float(most)}")


def _exact_failure(rows: list[int], bad: list[int], law: tuple[Fraction, ...], n: int) -> Fraction:
    failure = Fraction(0)
    for chosen in product([i for i, p in enumerate(law) if p], repeat=n):
        p = math.prod((law[i] for i in chosen), start=Fraction(1))
        weight = {h: _DECAY ** sum(_wrong(h, law)[i] for i in chosen) for h in rows}
        failure += p * sum(weight[h] for h in bad) / sum(weight.values())
    return failure


def beaten(good: int, bad: int, law: tuple[Fraction, ...], decay: Fraction, n: int) -> Fraction:
    """Bound the probability that ``bad`` is chosen over ``good`` on n examples.

    For X = errors of ``bad`` minus errors of ``good``, it is chosen with probability at most
    min(1, r^X) <= r^(s X) for s from 0 to 1; s is 1, or 1/2 where the decay is a square.
    """
    root = Fraction(math.isqrt(decay.numerator), math.isqrt(decay.denominator))
    bases = [decay, root] if root**2 == decay else [decay]
    pairs = list(zip(law, _wrong(good, law), _wrong(bad, law), strict=True))
    more = sum((p for p, g, b in pairs if b and not g), Fraction(0))
    less = sum((p for p, g, b in pairs if g and not b), Fraction(0))
    mean = min(1 - more - less + more * v + less / v for v in bases)
    return exponential_bound(Interval.log(mean) * n)


def exponential_bound(exponent: Interval) -> Fraction:
    """Return an upper bound on a probability that is at most e to some power."""
    # e^-1000 is small enough for every beta, and much smaller numbers are of no use.
    power = min(Fraction(0), max(exponent.upper, Fraction(-1000)))
    return min(Fraction(1), Interval.exp(power).upper)


TRIALS: Trials = {
    "BLM20:lemma-16.explicit": (
        trial(
            "privacy",
            _chosen,
            _classes_with_samples,
            subject=lambda r: r**-2,
            mutant=lambda r: 1 / r,
            universe="every class on up to 2 points, one of each kind, all samples of up to 2 "
            "examples (more with the budget), all replacements of the first; r = 4/9",
            exhaustive=True,
        ),
        trial(
            "accuracy",
            _good_choice,
            _noisy,
            subject=generic_size,
            mutant=lambda *_: 1,
            universe="every class on up to 2 points, one of each kind, every law of examples "
            "with probabilities in sixths (finer with the budget), alpha = 1/8 and 1/4, beta "
            "= 1/10, r = 4/9",
            exhaustive=True,
        ),
    ),
}
