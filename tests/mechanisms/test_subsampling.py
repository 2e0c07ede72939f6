"""Subsampling: laws, exact amplification over all neighbours, and where the order matters."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, InvalidInput, classes
from pac_stability.data import (
    Deterministic,
    FiniteDistribution,
    FromLaw,
    Mechanism,
    Sample,
    all_examples,
    neighbouring_pairs,
)
from pac_stability.mechanisms import (
    PrivacyGuarantee,
    Resampled,
    Subsampled,
    exponential_learner,
    subsampling_amplification,
)
from pac_stability.mechanisms.accounting import Order

Word = tuple[str, ...]
Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Delta = Callable[[Law, Law, Fraction], Fraction]
Runs = Callable[[Mechanism[object, object], object], bool]

SHOW: Deterministic[Word, str] = Deterministic("".join)


@pytest.mark.parametrize("order", ["index", "random"])
@pytest.mark.parametrize("size", [0, 1, 2, 4])
def test_subsample_is_uniform(runs_as_stated: Runs, order: Order, size: int) -> None:
    law = Subsampled(SHOW, size, order).law(tuple("abcd"))
    choices = combinations if order == "index" else permutations
    assert law == FiniteDistribution.uniform("".join(c) for c in choices("abcd", size))
    for word in ("abcd", "aaba"):
        mechanism = cast("Mechanism[object, object]", Subsampled(SHOW, size, order))
        assert runs_as_stated(mechanism, tuple(word))


@pytest.mark.parametrize("size", [0, 1, 3])
def test_resample_is_a_power(runs_as_stated: Runs, size: int) -> None:
    mechanism = Resampled(SHOW, size)
    assert runs_as_stated(cast("Mechanism[object, object]", mechanism), tuple("aba"))
    draws = FiniteDistribution({"a": Fraction(2, 3), "b": Fraction(1, 3)}).power(size)
    assert mechanism.law(tuple("aba")) == draws.map("".join)


def test_samples_stay_samples(runs_as_stated: Runs) -> None:
    learner = exponential_learner(classes.thresholds(2), Fraction(1, 2))
    sample = Sample([0, 1, 1], [1, 0, 0])
    subsampled = [Subsampled(learner, 2), Subsampled(learner, 2, "index")]
    for mechanism in (*subsampled, Resampled(learner, 2)):
        assert runs_as_stated(cast("Mechanism[object, object]", mechanism), sample)
    pairs = [learner.law(sample[:2])] * 2 + [learner.law(sample[1:])]
    mean = FiniteDistribution.mixture([(Fraction(1, 3), law) for law in pairs])
    assert Subsampled(learner, 2).law(sample) == mean


def symmetric(table: dict[Word, Fraction]) -> FromLaw[Word, str]:
    """The mechanism that says yes with a probability that depends on the multiset it sees."""

    def law(word: Word) -> FiniteDistribution[str]:
        yes = table[tuple(sorted(word))]
        return FiniteDistribution({"yes": yes, "no": 1 - yes})

    return FromLaw(law)


def neighbours(n: int) -> list[tuple[Word, Word]]:
    return [
        (word, (*word[:i], letter, *word[i + 1 :]))
        for word in product("ab", repeat=n)
        for i in range(n)
        for letter in "ab"
        if letter != word[i]
    ]


@given(st.data(), st.integers(1, 2), st.sampled_from(["index", "random"]))
def test_amplification_holds_for_symmetric_mechanisms(
    least_factor: Factor, least_delta: Delta, data: st.DataObject, size: int, order: Order
) -> None:
    n = 3
    tenths = st.integers(1, 9).map(lambda k: Fraction(k, 10))
    kinds = list(combinations_with_replacement("ab", size))
    inner = symmetric({kind: data.draw(tenths) for kind in kinds})
    pairs = [(inner.law(p), inner.law(q)) for p, q in neighbours(size)]
    factor = max(least_factor(p, q) for p, q in pairs)
    assert isinstance(factor, Fraction)
    middle = Epsilon.exactly((1 + factor) / 2)
    guarantees = [
        PrivacyGuarantee(Epsilon.exactly(factor)),
        PrivacyGuarantee(middle, max(least_delta(p, q, middle.ratio) for p, q in pairs)),
    ]
    outer = Subsampled(inner, size, order)
    for guarantee in guarantees:
        stated = outer.amplified(guarantee, n)
        worst = max(
            least_delta(outer.law(p), outer.law(q), stated.factor) for p, q in neighbours(n)
        )
        assert worst <= stated.delta


@pytest.mark.parametrize("order", ["index", "random"])
def test_amplification_is_attained(least_factor: Factor, least_delta: Delta, order: Order) -> None:
    t = Fraction(3)

    def asks_for_a(word: Word) -> FiniteDistribution[object]:
        yes = Fraction(3, 8) if "a" in word else Fraction(1, 8)  # 5/8 and 7/8 are less apart
        return FiniteDistribution({1: yes, 0: 1 - yes})

    for size, n in combinations(range(6), 2):
        outer = Subsampled(FromLaw(asks_for_a), size, order)
        p, q = outer.law(("a", *"bbbbb"[: n - 1])), outer.law(("b",) * n)
        stated = outer.amplified(PrivacyGuarantee(Epsilon.exactly(t)), n)
        assert least_factor(p, q) == stated.factor == 1 + Fraction(size, n) * (t - 1)
    delta = Fraction(1, 7)

    def tells_sometimes(word: Word) -> FiniteDistribution[object]:
        return FiniteDistribution({"a" in word: delta, None: 1 - delta})

    outer = Subsampled(FromLaw(tells_sometimes), 2, order)
    p, q = outer.law(tuple("abb")), outer.law(tuple("bbb"))
    stated = outer.amplified(PrivacyGuarantee(Epsilon.exactly(1), delta), 3)
    assert least_delta(p, q, stated.factor) == stated.delta == Fraction(2, 21)


def test_index_order_does_not_amplify_what_the_order_tells(least_factor: Factor) -> None:
    t, size = Fraction(2), 2

    def matches(word: Word) -> FiniteDistribution[str]:
        m = sum(seen == s for seen, s in zip(word, "123", strict=False))
        yes = t ** (m - size) / 2
        return FiniteDistribution({"yes": yes, "no": 1 - yes})

    inner = FromLaw(matches)
    words = list(product("123x", repeat=size))
    pairs = [(p, q) for p in words for q in words if (p[0] != q[0]) + (p[1] != q[1]) == 1]
    assert max(least_factor(inner.law(p), inner.law(q)) for p, q in pairs) == t
    stated = subsampling_amplification(PrivacyGuarantee(Epsilon.exactly(t)), size, 3).factor
    assert stated == Fraction(5, 3)
    sample, neighbour = tuple("123"), tuple("x23")
    by_index = Subsampled(inner, size, "index")
    # Of (1,2), (1,3), (2,3) two, one and no places match; of (x,2), (x,3), (2,3) one and none.
    assert by_index.law(sample).probability("yes") == Fraction(4 + 2 + 1, 8 * 3)
    assert by_index.law(neighbour).probability("yes") == Fraction(2 + 1 + 1, 8 * 3)
    assert least_factor(by_index.law(sample), by_index.law(neighbour)) == Fraction(7, 4) > stated
    at_random = Subsampled(inner, size, "random")
    assert least_factor(at_random.law(sample), at_random.law(neighbour)) <= stated


def test_a_subsampled_learner_is_as_private_as_stated(least_factor: Factor) -> None:
    learner = exponential_learner(classes.thresholds(1), Fraction(1, 2))
    outer = Subsampled(learner, 1, "index")
    stated = outer.amplified(learner.guarantee, 3).factor
    assert stated == 2
    pairs = neighbouring_pairs(all_examples([0]), 3)
    assert max(least_factor(outer.law(S), outer.law(T)) for S, T in pairs) <= stated


@pytest.mark.parametrize(("argument", "make"), [
    ("mechanism", lambda: Subsampled(cast("Mechanism[Word, str]", "".join), 1)),
    ("mechanism", lambda: Resampled(cast("Mechanism[Word, str]", None), 1)),
    ("size", lambda: Subsampled(SHOW, -1)),
    ("size", lambda: Resampled(SHOW, cast("int", 1.5))),
    ("order", lambda: Subsampled(SHOW, 1, cast("Order", "sorted"))),
    ("size", lambda: Subsampled(SHOW, 3).amplified(PrivacyGuarantee(Epsilon(1.0)), 2)),
    ("x", lambda: Subsampled(SHOW, 3).law(tuple("ab"))),
    ("x", lambda: Subsampled(SHOW, 3).run(tuple("ab"))),
    ("x", lambda: Subsampled(SHOW, 1).law(cast("Word", ["a", "b"]))),
    ("x", lambda: Resampled(SHOW, 1).law(())),
    ("x", lambda: Resampled(SHOW, 1).run(())),
])  # fmt: skip
def test_bad_input(argument: str, make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
