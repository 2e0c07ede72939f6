"""Section V-A: the generic private learner (Lemma 16)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran.literal import class_string, hypotheses_of
from pac_stability.books.bun_livni_moran.nearly_right import accuracies, chosen_wrongly
from pac_stability.books.bun_livni_moran.stated_numbers import choices, is_least
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    factor_at_most,
    fails,
    trial,
)
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, Sample
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.bun_livni_moran import GenericPrivateLearner
from pac_stability.papers.bun_livni_moran.formulas import lemma_16_order
from pac_stability.papers.bun_livni_moran.private.generic import generic_size

_DECAY = Fraction(4, 9)


def _classes_with_samples(budget: Budget) -> Iterator[tuple[FiniteClass, Sample[Hashable]]]:
    for m in (1, 2):
        for H in all_classes(m):
            for n in range(1, budget.pick(2, 3, 4) + 1):
                for S in all_labelled_samples(H, n):
                    yield H, S


def _chosen(
    guarantee: Callable[[GenericPrivateLearner], PrivacyGuarantee],
    it: tuple[FiniteClass, Sample[Hashable]],
) -> Finding:
    H, S = it
    learner = GenericPrivateLearner(H, Epsilon.exactly(1 / _DECAY**2))
    law = _exponential(H, S)
    found = {h.index: p for h, p in learner.law(S).items()}
    if found != law:
        return fails(f"class {class_string(H)}, {S}: law {found}, not {law}")
    t = guarantee(learner).factor

    def beside(x: Hashable, y: int) -> Finding:
        other = _exponential(H, S.replace(0, Example(x, y)))
        needed = max(p / other[i] for i, p in law.items())
        text = f"class {class_string(H)}, {S}: {law} and {other}, factor {t}"
        return factor_at_most(needed, t, text)

    return all_of(beside(x, y) for x, y in product(H.domain, (0, 1)))


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


Copies: TypeAlias = tuple[int, Fraction, Fraction, Fraction]
"""How many hypotheses are bad, alpha, beta and the decay."""


def _copies(budget: Budget) -> Iterator[Copies]:
    third = Fraction(33, 100)
    yield 8, third, Fraction(1, 10), Fraction(19, 20)
    yield 1, third, Fraction(1, 10**6), Fraction(1, 100)
    betas = (Fraction(1, 4), Fraction(1, 1000), Fraction(1, 10**12))
    decays = (Fraction(4, 9), Fraction(9, 10), Fraction(19, 20), Fraction(39, 40))
    for beta, r in product(betas[: budget.pick(2, 3, 3)], decays[: budget.pick(2, 4, 4)]):
        for bad in budget.pick((1, 64), (1, 3, 64), (1, 3, 64, 1024)):
            yield bad, third, beta, r
            yield bad, Fraction(1, 5), beta, r


def _needed(size: Callable[[int, Fraction, Fraction, Fraction], int], it: Copies) -> Finding:
    """Label 1 has probability alpha; one hypothesis says 0, the others 1, and differ elsewhere."""
    bad, alpha, beta, r = it
    stated = size(bad + 1, alpha, beta, r)

    # A size at which it fails is found by bisection; whichever it is, more examples are needed.
    low, high = 0, max(1, stated)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if share_of_bad(bad, alpha, r, middle).lower > beta else (low, middle)
        )
    text = (
        f"{bad} hypotheses of loss {1 - alpha}, one of {alpha}, beta = {beta}, decay {r}: more "
        f"than {low} examples are needed, {stated} are said to be enough"
    )
    failure = at_most(share_of_bad(bad, alpha, r, stated), beta, text)
    return all_of((failure, at_most(low + 1, stated, text)))


def share_of_bad(bad: int, alpha: Fraction, r: Fraction, n: int) -> Interval:
    """Enclose how likely one of the bad is chosen from n examples: the mean over a binomial."""
    a, b, bits = alpha.numerator, alpha.denominator - alpha.numerator, 64
    weight, total = b**n, 0
    for ones in range(n + 1):
        # The good one errs on the ones, all others on the zeros.
        gap = n - 2 * ones
        few, many = r.numerator ** abs(gap), r.denominator ** abs(gap)
        of_bad, of_good = (bad * few, many) if gap > 0 else (bad * many, few)
        total += weight * ((of_bad << bits) // (of_bad + of_good))
        weight = weight * (n - ones) * a // ((ones + 1) * b)
    least = Fraction(total, (a + b) ** n << bits)
    return Interval(least, least + Fraction(1, 1 << bits))


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


def _for_the_order(budget: Budget) -> Iterator[Copies]:
    """Give numbers of hypotheses, alpha, beta and r, for epsilon up to 1."""
    counts, powers = (1, 2, 2**10, 2**40), budget.pick((1, 8), (1, 4, 12), (1, 2, 4, 8, 16))
    decays = (Fraction(61, 100), Fraction(19, 20), Fraction(999, 1000))
    for count, i, j, r in product(counts, powers, powers, decays):
        yield count, Fraction(1, 2**i), Fraction(1, 2**j), r


def _order(constant: int, it: Copies) -> Finding:
    count, alpha, beta, r = it
    n, order = generic_size(*it), lemma_16_order(count, alpha, beta, Epsilon.exactly(r**-2))
    text = f"{count} hypotheses, alpha = {alpha}, beta = {beta}, decay {r}: n = {n}"
    return at_least(order * constant, n, f"{text}, above {constant} * {order}")


TRIALS: Trials = {
    "BLM20:lemma-16.explicit": (
        trial(
            "privacy",
            _chosen,
            _classes_with_samples,
            subject=lambda learner: learner.guarantee,
            mutant=lambda learner: PrivacyGuarantee(Epsilon.exactly(1 / learner.decay)),
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
        trial(
            "the least size that meets the conditions",
            is_least,
            choices,
            subject=generic_size,
            mutant=lambda *it: generic_size(*it) - 1,
            universe="a grid of |H|, alpha, beta and r, for either condition; the conditions are "
            "written out",
        ),
        trial(
            "how many examples are needed",
            _needed,
            _copies,
            subject=generic_size,
            mutant=lambda *it: generic_size(*it) // 4,
            universe="one hypothesis of loss alpha, up to 64 (1024 with the deep budget) of "
            "loss 1 - alpha that do not differ where labels are drawn, alpha = 33/100 and "
            "1/5, a grid of beta and r: exact failures at the stated size and below",
        ),
        trial(
            "the order",
            _order,
            _for_the_order,
            subject=80,
            mutant=40,
            universe="powers of two for |H|, alpha and beta, three epsilons up to 1",
        ),
        trial(
            "the loss that is left",
            chosen_wrongly,
            accuracies,
            subject=generic_size,
            mutant=lambda *it: generic_size(*it) // 80,
            universe="two hypotheses that differ at a point whose mass is chosen, alpha = 1/4 (and "
            "1/16), three betas, epsilon about 1 and 1/10",
        ),
    ),
}
