"""Every bound holds against the best selection and the best adversary together, computed exactly.

A selection that fails whenever it can, and an adversary that names a test for what was kept: what
they reach together is the largest, over all adversaries F, of the probability that *some* selection
of the sample makes F's test deviate. On small domains all F can be tried.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.compression.bounds import (
    AnytimeBound,
    DeviationBound,
    HoeffdingBound,
    Lemma16,
    Lemma17,
    Theorem18,
    UnionBound,
)
from pac_stability.compression.scheme import Selection
from pac_stability.data import FiniteDistribution
from pac_stability.notions.split_reading import split_failure

Kept: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[int, ...]

TWENTIETH = Fraction(1, 20)
HALF = Fraction(1, 2)
FAIR = (HALF, HALF)
THIRDS = (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))


def samples(law: tuple[Fraction, ...], n: int) -> Iterator[tuple[Counts, Fraction]]:
    """Yield how often each element is in the sample, and with which probability."""
    for counts in itertools.product(range(n + 1), repeat=len(law)):
        if sum(counts) == n:
            orders = math.factorial(n)
            probability = Fraction(1)
            for count, p in zip(counts, law, strict=True):
                orders //= math.factorial(count)
                probability *= p**count
            yield counts, orders * probability


def all_tests(m: int) -> list[tuple[int, ...]]:
    """Return all tests on m elements up to complement."""
    return [(0, *rest) for rest in itertools.product((0, 1), repeat=m - 1)]


def mean(test: tuple[int, ...], counts: Counts) -> Fraction:
    return Fraction(sum(h * c for h, c in zip(test, counts, strict=True)), sum(counts))


def probability(test: tuple[int, ...], law: tuple[Fraction, ...]) -> Fraction:
    return sum((p for h, p in zip(test, law, strict=True) if h), Fraction())


def off(test: tuple[int, ...], counts: Counts, law: tuple[Fraction, ...]) -> Fraction:
    return abs(mean(test, counts) - probability(test, law))


def keepable(counts: Counts, k: int, selection: Selection) -> Iterable[Kept]:
    """Return what can be kept of a sample: sequences of elements, or multisets in a fixed order."""
    present = [z for z, count in enumerate(counts) if count]
    if selection is Selection.SEQUENCE:
        yield from itertools.product(present, repeat=k)
    elif selection is Selection.MULTISET:
        yield from itertools.combinations_with_replacement(present, k)
    else:
        elements = [z for z, count in enumerate(counts) for _ in range(count)]
        distinct = selection is Selection.DISTINCT
        pick = itertools.permutations if distinct else itertools.combinations
        yield from set(pick(elements, k))


def optimum(
    law: tuple[Fraction, ...],
    n: int,
    keep: Callable[[Counts], Iterable[Kept]],
    fails: Callable[[Kept, tuple[int, ...], Counts], bool],
    tests: list[tuple[int, ...]],
) -> Fraction:
    """Return the largest probability that some selection makes the adversary's test fail."""
    cases = [(counts, p, set(keep(counts))) for counts, p in samples(law, n)]
    seen = sorted({kept for _, _, all_kept in cases for kept in all_kept})
    # For each sample the pairs (kept, test) that fail; then a maximum over all adversaries.
    bad = [
        (p, {(kept, test) for kept in all_kept for test in tests if fails(kept, test, counts)})
        for counts, p, all_kept in cases
    ]
    bad = [(p, pairs) for p, pairs in bad if pairs]
    return max(
        sum(
            (p for p, pairs in bad if not pairs.isdisjoint(zip(seen, choice, strict=True))),
            Fraction(),
        )
        for choice in itertools.product(tests, repeat=len(seen))
    )


def best_failure(
    law: tuple[Fraction, ...], n: int, k: int, selection: Selection, epsilon: Fraction
) -> Fraction:
    """Return the optimum for ``|h(S) - h(D)| > epsilon``."""

    def fails(_: Kept, test: tuple[int, ...], counts: Counts) -> bool:
        return off(test, counts, law) > epsilon

    return optimum(
        law, n, lambda counts: keepable(counts, k, selection), fails, all_tests(len(law))
    )


def below(bound: DeviationBound) -> Fraction:
    """Return a number a little below a bound: what exceeds the bound exceeds it."""
    return bound.value().lower


@pytest.mark.parametrize(("law", "n", "k", "selection"), [
    (FAIR, 8, 1, Selection.SEQUENCE),
    (FAIR, 20, 1, Selection.SEQUENCE),
    (FAIR, 20, 2, Selection.SEQUENCE),
    (FAIR, 20, 3, Selection.SEQUENCE),
    (FAIR, 16, 2, Selection.DISTINCT),
    (FAIR, 16, 3, Selection.MULTISET),
    (FAIR, 16, 3, Selection.SUBSET),
    ((Fraction(1, 10), Fraction(9, 10)), 20, 2, Selection.SEQUENCE),
    (THIRDS, 9, 1, Selection.SEQUENCE),
    (THIRDS, 6, 2, Selection.SUBSET),
    ((Fraction(1, 8), Fraction(1, 8), Fraction(3, 4)), 9, 1, Selection.DISTINCT),
])  # fmt: skip
def test_hoeffding_holds(law: tuple[Fraction, ...], n: int, k: int, selection: Selection) -> None:
    for delta in (TWENTIETH, Fraction(1, 5), Fraction(3, 5)):
        bound = HoeffdingBound(n, k, delta, selection)
        assert best_failure(law, n, k, selection, below(bound)) <= delta


def test_what_is_kept_helps_the_adversary() -> None:
    """So the optimum over selections is what the bound must be held against, not one test."""
    epsilon = Fraction(1, 4)
    alone = best_failure(THIRDS, 6, 0, Selection.SEQUENCE, epsilon)
    kept = best_failure(THIRDS, 6, 1, Selection.SEQUENCE, epsilon)
    revealed = sum(
        p
        for counts, p in samples(THIRDS, 6)
        if any(off(h, counts, THIRDS) > epsilon for h in all_tests(3))
    )
    assert alone < kept <= revealed


@settings(max_examples=40)
@given(
    st.integers(1, 9).map(lambda a: (Fraction(a, 10), Fraction(10 - a, 10))),
    st.integers(2, 16),
    st.integers(1, 3),
    st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
    st.sampled_from([kind for kind in Selection if kind is not Selection.OBLIVIOUS]),
)
def test_no_violation_is_found(
    law: tuple[Fraction, ...], n: int, k: int, delta: Fraction, selection: Selection
) -> None:
    bound = HoeffdingBound(n, k, delta, selection)
    assert best_failure(law, n, k, selection, below(bound)) <= delta


def test_any_length_holds_for_all_lengths_together() -> None:
    """The adversary sees how many were kept, from none to k."""
    n, k = 14, 2
    for delta in (TWENTIETH, Fraction(2, 5)):
        epsilon = below(HoeffdingBound(n, k, delta, any_length=True))

        def up_to_k(counts: Counts) -> Iterator[Kept]:
            for length in range(k + 1):
                yield from keepable(counts, length, Selection.SEQUENCE)

        def fails(
            _: Kept, test: tuple[int, ...], counts: Counts, epsilon: Fraction = epsilon
        ) -> bool:
            return off(test, counts, FAIR) > epsilon

        assert optimum(FAIR, n, up_to_k, fails, all_tests(2)) <= delta


def test_anytime_holds_at_every_length_together() -> None:
    """Each length has its own bound, and the failures of all lengths together stay below delta."""
    n = 14
    for delta in (Fraction(1, 5), Fraction(4, 5)):
        bounds = {k: below(AnytimeBound(n, k, delta)) for k in (1, 2)}

        def one_or_two(counts: Counts) -> Iterator[Kept]:
            yield from keepable(counts, 1, Selection.SEQUENCE)
            yield from keepable(counts, 2, Selection.SEQUENCE)

        def fails(
            kept: Kept, test: tuple[int, ...], counts: Counts, bounds: dict[int, Fraction] = bounds
        ) -> bool:
            return off(test, counts, FAIR) > bounds[len(kept)]

        assert optimum(FAIR, n, one_or_two, fails, all_tests(2)) <= delta


def test_paths_of_unequal_width() -> None:
    """What was kept first decides how many choices follow, and the bound of a path is its own.

    After an example 0 the session stops; after a 1 it keeps two more.
    """
    n = 16
    for delta in (Fraction(1, 10), Fraction(7, 10)):
        short = below(UnionBound(n, 1, delta, n))
        long = below(UnionBound(n, 3, delta, n**3))

        def paths(counts: Counts) -> Iterator[Kept]:
            if counts[0]:
                yield (0,)
            if counts[1]:
                for more in keepable(counts, 2, Selection.SEQUENCE):
                    yield (1, *more)

        def fails(
            kept: Kept,
            test: tuple[int, ...],
            counts: Counts,
            limits: tuple[Fraction, Fraction] = (short, long),
        ) -> bool:
            return off(test, counts, FAIR) > limits[len(kept) > 1]

        found = optimum(FAIR, n, paths, fails, all_tests(2))
        assert 0 < found <= delta if delta > HALF else found <= delta


def test_oblivious_indices_need_no_union() -> None:
    """The first k of n examples, over ordered samples."""
    n, k = 12, 3
    for delta in (Fraction(1, 10), Fraction(2, 5), Fraction(4, 5)):
        epsilon = below(HoeffdingBound(n, k, delta, Selection.OBLIVIOUS))
        failing: dict[Kept, Fraction] = {}
        for S in itertools.product((0, 1), repeat=n):
            if abs(Fraction(sum(S), n) - HALF) > epsilon:
                failing[S[:k]] = failing.get(S[:k], Fraction()) + Fraction(1, 2**n)
        assert sum(failing.values()) <= delta


@pytest.mark.parametrize("law", [FAIR, (Fraction(1, 20), Fraction(19, 20))])
def test_lemma_17_holds_once_it_says_something(law: tuple[Fraction, ...]) -> None:
    for n, k in ((136, 1), (300, 2)):
        for delta in (TWENTIETH, HALF):
            bound = Lemma17(n, k, delta)
            assert not bound.is_vacuous
            assert best_failure(law, n, k, Selection.SEQUENCE, below(bound)) <= delta


@pytest.mark.parametrize("rare", [HALF, Fraction(1, 20), Fraction(1, 100)])
def test_lemma_16_holds_by_index(rare: Fraction) -> None:
    """V without the kept index; the bound is that of its own mean, on both sides."""
    law, n = (1 - rare, rare), 80
    for delta in (TWENTIETH, HALF):
        bounds = {v: below(Lemma16(n, 1, delta, v)) for v in {Fraction(j, n - 1) for j in range(n)}}

        def fails(
            kept: Kept,
            test: tuple[int, ...],
            counts: Counts,
            bounds: dict[Fraction, Fraction] = bounds,
        ) -> bool:
            rest = tuple(count - (z == kept[0]) for z, count in enumerate(counts))
            return off(test, rest, law) > bounds[mean(test, rest)]

        every_test = list(itertools.product((0, 1), repeat=2))
        keep = lambda counts: keepable(counts, 1, Selection.SEQUENCE)  # noqa: E731  # short
        assert optimum(law, n, keep, fails, every_test) <= delta


@pytest.mark.parametrize("n", [15, 25, 41])
def test_theorem_18_holds_for_a_vote(n: int) -> None:
    """The class of both constants, learned by the majority of the labels, which is one example.

    Labels are 1 with probability p, and the loss of the constant 1 exceeds that of 0 by 1 - 2p.
    """
    said_something = False
    for a, delta in itertools.product(
        range(50), (Fraction(1, 100), Fraction(1, 4), Fraction(4, 5))
    ):
        p = Fraction(a, 100)
        excess = 1 - 2 * p
        wrong = sum(weight for counts, weight in samples((1 - p, p), n) if counts[1] > counts[0])
        if excess > below(Theorem18(n, 1, delta, "sharp")):
            said_something = True
            assert wrong <= 2 * delta
    assert said_something


def test_the_split_reading_needs_its_own_bound() -> None:
    """An adversary that names one of 20 independent fair coins at random, and keeps nothing.

    Given the sample its failure is the share of the coins that deviate, a binomial over 20: the
    mean stays far below delta, while the split reading has more than delta. (.00258 and .0503.)
    """
    n = coins = 20
    delta = TWENTIETH

    def failures(epsilon: Fraction) -> list[tuple[Fraction, Fraction]]:
        tail = sum(
            (p for counts, p in samples(FAIR, n) if abs(Fraction(counts[1], n) - HALF) > epsilon),
            Fraction(),
        )
        return [
            (math.comb(coins, j) * tail**j * (1 - tail) ** (coins - j), Fraction(j, coins))
            for j in range(coins + 1)
        ]

    joint = failures(below(UnionBound(n, 0, delta, 1)))
    assert sum(weight * p for weight, p in joint) < Fraction(26, 10**4)
    assert split_failure(joint) > delta
    assert split_failure(failures(below(UnionBound(n, 0, delta, 1, "split")))) <= delta


def test_the_halves_of_delta_are_known_in_advance() -> None:
    """With probability 1 - delta/2 over samples the conditional failure is at most delta/2."""
    n, k, delta = 12, 1, Fraction(9, 10)
    epsilon = below(HoeffdingBound(n, k, delta, reading="split"))
    # A randomised adversary: each of the two tests with probability 1/2, given either element.
    # Both tests up to complement are the trivial one and one coin: p_S is 1/2 or 0.
    over = sum(
        (p for counts, p in samples(FAIR, n) if off((0, 1), counts, FAIR) > epsilon), Fraction()
    )
    assert over <= delta / 2
    assert best_failure(FAIR, n, k, Selection.SEQUENCE, epsilon) <= delta**2 / 4


def test_the_oracle_reveals_everything_when_all_is_kept() -> None:
    """Keeping a whole sample of three: the adversary knows it, so the optimum is the tail."""
    coins = FiniteDistribution.uniform([0, 1]).power(3)
    tail = sum(p for S, p in coins.items() if abs(Fraction(sum(S), 3) - HALF) > Fraction(1, 3))
    assert best_failure(FAIR, 3, 3, Selection.SUBSET, Fraction(1, 3)) == tail == Fraction(1, 4)
