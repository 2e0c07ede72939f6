"""What is guaranteed of a few kept examples: Lemmas 16 and 17 (Section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.books.cummings_et_al._deviations import deviates_seldom
from pac_stability.books.cummings_et_al._named import Named, many_named, named, very_many_named
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, idle, trial
from pac_stability.compression.bounds import HoeffdingBound, Lemma16, Lemma17
from pac_stability.data import FiniteDistribution, multiset_distribution
from pac_stability.notions.robust_generalization import optimal_adversary

# Lemma 16.


@dataclass(frozen=True, slots=True)
class Kept:
    """n draws of a bit, of which one 1 is kept, or a 0 if there is none; delta."""

    n: int
    p: Fraction
    delta: Fraction


def _kept(budget: Budget) -> Iterator[Kept]:
    sizes = budget.pick((20, 63, 80), (20, 63, 80, 200), (20, 63, 80, 400))
    for n, p, delta in product(sizes, ("1/2", "9/10", "1"), ("1/20", "1/2")):
        yield Kept(n, Fraction(p), Fraction(delta))


Unselected: TypeAlias = Callable[[int, int, int], tuple[int, int]]
"""From n, the number of ones and the kept bit to the zeros and the ones of V."""


def _by_value(n: int, ones: int, kept: int) -> tuple[int, int]:
    return (n - ones, 0) if kept else (0, ones)


def _by_index(n: int, ones: int, kept: int) -> tuple[int, int]:
    return (n - ones, ones - 1) if kept else (n - ones - 1, ones)


@cache
def _lemma_16(n: int, delta: Fraction, mean: Fraction) -> Interval:
    return Lemma16(n, 1, delta, mean).value()


def _near_the_rest(unselected: Unselected, kept: Kept) -> Finding:
    """Let the adversary name the worst of the four tests of a bit for each kept bit."""
    n, p, delta = kept.n, kept.p, kept.delta
    off: dict[tuple[int, int, int], Fraction] = {}
    for ones in range(n + 1):
        weight = comb(n, ones) * p**ones * (1 - p) ** (n - ones)
        if not weight:
            continue
        bit = int(ones > 0)
        rest = unselected(n, ones, bit)
        for low, high in product((0, 1), (0, 1)):
            mean = Fraction(low * rest[0] + high * rest[1], n - 1)
            truth = low * (1 - p) + high * p
            if not abs(mean - truth) <= _lemma_16(n, delta, mean):
                off[bit, low, high] = off.get((bit, low, high), Fraction(0)) + weight
    named = (
        [off.get((bit, low, high), Fraction(0)) for low, high in product((0, 1), (0, 1))]
        for bit in (0, 1)
    )
    failure = sum(map(max, named), Fraction(0))
    return at_most(
        failure,
        delta,
        f"n = {n} bits with Pr[1] = {p}, one of them kept, delta = {delta}: a test deviates from "
        f"its mean on the others by more than stated with probability {float(failure):.4f}",
    )


Size: TypeAlias = Callable[[int, int, Fraction, Fraction], Interval]
"""From n, k, delta and h(V) to what h(V) may be off by."""


def _near_the_others(size: Size, told: Named) -> Finding:
    """Let what is kept name the test that is furthest off on the rest, one for each choice."""
    rest = told.n - told.k

    def far(ones: int, mean: Fraction) -> bool:
        share = Fraction(ones, rest)
        return not abs(share - mean) <= size(told.n, told.k, told.delta, share)

    failure = told.failure_apart(far)
    text = f"{told}: the mean on the others is off by more with probability {float(failure):.4g}"
    return at_most(failure, told.delta, text)


def _printed_size(n: int, k: int, delta: Fraction, mean: Fraction) -> Interval:
    return Lemma16(n, k, delta, mean).value()


def _small_size(n: int, k: int, delta: Fraction, mean: Fraction) -> Interval:
    return Interval.sqrt(mean * k * Interval.log(n / delta) / (4 * n))


def _off_by(size: Size, told: Named) -> Finding:
    """Some test has a mean on the others that is off by so much, with more than delta.

    What it may be off by grows less than the mean does, so that larger ones are off by more, too.
    """
    share, others = Fraction(told.k, told.names), Fraction(told.often_reached(), told.n - told.k)
    needed = others - share - (1 - share) * told.bit
    allowed = size(told.n, told.k, told.delta, others)
    text = f"{told}: the mean on the others is off by {float(needed):.5f}, or more, with more than"
    return at_most(needed, allowed, f"{text} {told.delta}; {float(allowed):.5f} is stated")


# Lemma 17.


def _formulas(budget: Budget) -> Iterator[tuple[int, int, Fraction]]:
    sizes = budget.pick((1, 2, 3, 10, 10**3, 10**6), (1, 2, 3, 7, 10, 50, 10**3, 10**6, 10**9), ())
    sizes = sizes or tuple(range(1, 400))
    for n, k in product(sizes, (1, 2, 5, 40)):
        for delta in ("1/10000000", "1/20", "1/2", "99/100"):
            yield n, k, Fraction(delta)


Stated: TypeAlias = Callable[[int, int, Fraction], Interval]


def _no_less_than_proved(stated: Stated, given: tuple[int, int, Fraction]) -> Finding:
    n, k, delta = given
    value = stated(n, k, delta)
    if value.lower >= 1:
        return idle()
    proved = HoeffdingBound(n, k, delta).value()
    return at_most(
        proved.upper,
        value.lower,
        f"n = {n}, k = {k}, delta = {delta}: {float(value):.5f} stated, {float(proved):.5f} proved",
    )


def _lemma_17(n: int, k: int, delta: Fraction) -> Interval:
    return Lemma17(n, k, delta).value()


def _without_constants(n: int, k: int, delta: Fraction) -> Interval:
    return Interval.sqrt(k * Interval.log(n / delta) / (4 * n))


@dataclass(frozen=True, slots=True)
class Revealed:
    """Draws from three elements of which the rule keeps k, in the order of the elements.

    Attributes
    ----------
    source
        D.
    n, k
        The sizes.
    rarest
        Whether the examples that are rare in the sample are kept first, or the frequent ones.
    delta
        The probability of failure that is allowed.
    """

    source: FiniteDistribution[int]
    n: int
    k: int
    rarest: bool
    delta: Fraction


def _revealed(budget: Budget) -> Iterator[Revealed]:
    sources = (
        FiniteDistribution.uniform(range(3)),
        FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}),
    )
    sizes = budget.pick((4, 8, 12), (4, 8, 12, 20), (4, 8, 12, 20, 30))
    for n, source, k, rarest in product(sizes, sources, (1, 2), (False, True)):
        for delta in ("1/10", "1/2", "9/10"):
            yield Revealed(source, n, k, rarest, Fraction(delta))


def _what_is_kept(stated: Stated, revealed: Revealed) -> Finding:
    n, k = revealed.n, revealed.k
    types = multiset_distribution(revealed.source, n)
    laws = {}
    for kind in types.support:
        by_count = sorted(kind.elements(), key=lambda x: (kind.count(x), x))
        kept = by_count[:k] if revealed.rarest else by_count[-k:]
        laws[kind] = FiniteDistribution.point_mass(tuple(kept))
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, types, epsilon).failure,
        stated(n, k, revealed.delta),
        revealed.delta,
        revealed,
    )


def _tells_one_of_many(stated: Stated, told: Named) -> Finding:
    return deviates_seldom(told.failure, stated(told.n, told.k, told.delta), told.delta, told)


def _all_choices(budget: Budget) -> Iterator[Named]:
    for k in (1, 2, 3):
        yield from named(budget, k)


def _tells_much(stated: Stated, told: Named) -> Finding:
    value = stated(told.n, told.k, told.delta)

    def far(ones: int, mean: Fraction) -> bool:
        return not abs(Fraction(told.k + ones, told.n) - mean) <= value

    failure = told.failure_apart(far)
    text = f"{told}: off by more than {float(value):.4f} with probability {float(failure):.4g}"
    return at_most(failure, told.delta, text)


def _tells_so_much(stated: Stated, told: Named) -> Finding:
    """Some test is off by so much on the sample, with more than delta."""
    share, ones = Fraction(told.k, told.names), told.k + told.often_reached()
    needed = Fraction(ones, told.n) - share - (1 - share) * told.bit
    allowed = stated(told.n, told.k, told.delta)
    text = f"{told}: off by {float(needed):.5f}, or more, with more than {told.delta}"
    return at_most(needed, allowed, f"{text}; {float(allowed):.5f} is stated", ceiling=1)


def _hoeffding(n: int, k: int, delta: Fraction) -> Interval:
    return HoeffdingBound(n, k, delta).value()


def _nothing_kept(n: int, k: int, delta: Fraction) -> Interval:
    return Interval.sqrt(Interval.log(1 / delta) / (2 * n))


TRIALS: Trials = {
    "CLNRW16:lemma-16": (
        trial(
            "one bit kept",
            _near_the_rest,
            _kept,
            subject=_by_value,
            universe="20 to 80 draws of a bit, three biases, one bit kept, all tests",
        ),
    ),
    "CLNRW16:lemma-16.repaired": (
        trial(
            "one bit kept",
            _near_the_rest,
            _kept,
            subject=_by_index,
            mutant=_by_value,
            universe="20 to 80 draws of a bit, three biases, one bit kept, all tests",
        ),
        trial(
            "a test for every choice",
            _near_the_others,
            many_named,
            subject=_printed_size,
            mutant=_small_size,
            universe="80 to 1000 examples of which one or two are kept, each with a name and "
            "an independent bit for each choice of names, exactly for different names",
        ),
        _written.LEMMA_16,
        trial(
            "how much tests are off",
            _off_by,
            very_many_named,
            subject=_printed_size,
            mutant=_small_size,
            universe="one or two of 20,000 examples kept (40,000, 100,000), each with a name and "
            "an independent bit for each choice of names; bounds of binomial tails",
        ),
    ),
    "CLNRW16:lemma-17": (
        trial(
            "beside a bound that is proved",
            _no_less_than_proved,
            _formulas,
            subject=_lemma_17,
            mutant=_without_constants,
            universe="n up to a million, k' up to 40, four deltas",
        ),
        trial(
            "a test for every choice",
            _tells_much,
            many_named,
            subject=_lemma_17,
            mutant=_without_constants,
            universe="80 to 1000 examples of which one or two are kept, each with a name and "
            "an independent bit for each choice of names, exactly for different names",
        ),
        _written.LEMMA_17,
        trial(
            "how much tests are off",
            _tells_so_much,
            very_many_named,
            subject=_lemma_17,
            mutant=_without_constants,
            universe="one or two of 20,000 examples kept (40,000, 100,000), each with a name and "
            "an independent bit for each choice of names; bounds of binomial tails",
        ),
    ),
    "CLNRW16:lemma-17.sharp": (
        trial(
            "the best adversary",
            _what_is_kept,
            _revealed,
            subject=_hoeffding,
            mutant=_nothing_kept,
            universe="up to twelve draws from three elements, the rarest or most frequent one "
            "or two kept",
        ),
        trial(
            "a test for every choice",
            _tells_one_of_many,
            _all_choices,
            subject=_hoeffding,
            mutant=_nothing_kept,
            universe="one to three of up to ten examples kept, each with one of 10,000 names "
            "and an independent bit for each choice of names, exactly",
        ),
        _written.LEMMA_17_SHARP,
        trial(
            "how much tests are off",
            _tells_so_much,
            very_many_named,
            subject=_hoeffding,
            mutant=_nothing_kept,
            universe="one or two of 20,000 examples kept (40,000, 100,000), each with a name and "
            "an independent bit for each choice of names; bounds of binomial tails",
        ),
    ),
}
