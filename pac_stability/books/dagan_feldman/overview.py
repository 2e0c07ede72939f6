"""The overview of the proof of Theorem 3: Section 4.1."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from pac_stability.books.dagan_feldman.matching import (
    EXCHANGED,
    EXCHANGES,
    REPLACED,
    Exchange,
    exchanges,
    fixed_subset,
    replacements,
    subsampled,
    wholly_replaced,
    without_matching,
)
from pac_stability.claims.trials import Finding, Trials, at_least, at_most, fails, trial
from pac_stability.papers.dagan_feldman import (
    amplified_factor,
    matching_factor,
    net_disagreements,
)


def _partners(most: int, exchange: Exchange) -> Finding:
    instance, rest, i = exchange
    sample = instance.sample
    kept = [sample.points[j] for j in rest]
    pairs = instance.matched(kept, sample.points[0], sample.points[i])
    counts = [sum(h == g for h, _ in pairs) for g in {h for h, _ in pairs}]
    counts += [sum(h == g for _, h in pairs) for g in {g for _, g in pairs}]
    every = len({h for h, _ in pairs}) == len(
        instance.family.representatives_on((*kept, sample.points[0]))
    )
    text = f"{instance}, I = {(0, *rest)}: numbers of partners {counts}"
    return at_most(max(counts), most, text) if every else fails(text)


def _few_disagreements(limit: Callable[[Fraction, int], int], exchange: Exchange) -> Finding:
    """Whenever I without its first index is an eta-net for the other n - 1 examples."""
    instance, rest, i = exchange
    sample, n = instance.sample, len(instance.sample)
    kept = [sample.points[j] for j in rest]
    others = sample.points[1:]
    largest = max(
        sum(h(x) != g(x) for x in others)
        for h, g in product(instance.H, repeat=2)
        if all(h(x) == g(x) for x in kept)
    )
    eta = Fraction(max(1, largest), n - 1)  # the least eta with which it is a net
    K = max(
        sum(h(x) != g(x) for x in sample.points)
        for h, g in instance.matched(kept, sample.points[0], sample.points[i])
    )
    return at_least(
        limit(eta, n), K, f"{instance}, I = {(0, *rest)}, eta = {eta}: K = {K} > {limit(eta, n)}"
    )


def _sharp(t: Fraction, q: Fraction, limit: int) -> Fraction:
    return amplified_factor(1, q, matching_factor(t, limit))


def _no_change(_: Fraction, __: Fraction, ___: int) -> Fraction:
    return Fraction(1, 2)


TRIALS: Trials = {
    "DF20:equation-3": (
        trial(
            "neighbours",
            wholly_replaced,
            replacements,
            subject=_sharp,
            mutant=_no_change,
            universe=REPLACED,
        ),
    ),
    "DF20:equation-4": (
        trial(
            "neighbours",
            subsampled,
            replacements,
            subject=_sharp,
            mutant=without_matching,
            universe=REPLACED,
        ),
    ),
    "DF20:equation-5": (
        trial(
            "neighbours",
            fixed_subset,
            replacements,
            subject=lambda t: t,
            mutant=lambda t: 1 + (t - 1) / 9,
            universe=REPLACED,
        ),
    ),
    "DF20:equation-6": (
        trial(
            "partners",
            _partners,
            exchanges,
            subject=2,
            mutant=1,
            universe=EXCHANGES,
        ),
        EXCHANGED,
    ),
    "DF20:equation-7": (
        trial(
            "exchanges",
            _few_disagreements,
            exchanges,
            subject=net_disagreements,
            mutant=lambda eta, n: net_disagreements(eta, n) - 1,
            universe=EXCHANGES,
        ),
    ),
}
