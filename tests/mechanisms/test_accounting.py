"""Composition: what is stated is attained by the worst mechanisms, and holds for others."""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, InvalidInput
from pac_stability.data import FiniteDistribution, FromLaw
from pac_stability.mechanisms import (
    PrivacyGuarantee,
    basic_composition,
    compose,
    compose_adaptively,
    optimal_delta,
    subsampling_amplification,
    then,
)

Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Delta = Callable[[Law, Law, Fraction], Fraction]

deltas = st.fractions(0, Fraction(1, 2), max_denominator=6)
factors = st.fractions(1, 4, max_denominator=3)
guarantees = st.builds(lambda t, d: PrivacyGuarantee(Epsilon.exactly(t), d), factors, deltas)


def worst(guarantee: PrivacyGuarantee) -> FromLaw[int, object]:
    """Tell the bit with probability delta; else answer truthfully with odds e**epsilon to 1."""
    t, delta = guarantee.factor, guarantee.delta

    def law(bit: int) -> FiniteDistribution[object]:
        odds = {bit: t / (1 + t) * (1 - delta), 1 - bit: (1 - delta) / (1 + t)}
        return FiniteDistribution({("told", bit): delta, **odds})

    return FromLaw(law)


def composed(parts: list[PrivacyGuarantee], bit: int) -> FiniteDistribution[object]:
    laws = [worst(part).law(bit) for part in parts]
    return reduce(lambda one, other: cast("Law", one.product(other)), laws)


@given(st.lists(guarantees, min_size=1, max_size=3), st.fractions(1, 20, max_denominator=4))
def test_optimal_delta_is_that_of_the_worst_mechanisms(
    least_delta: Delta, parts: list[PrivacyGuarantee], t: Fraction
) -> None:
    p, q = composed(parts, 0), composed(parts, 1)
    assert least_delta(p, q, t) == optimal_delta(parts, Epsilon.exactly(t))
    assert least_delta(q, p, t) == optimal_delta(parts, Epsilon.exactly(t))
    total = basic_composition(parts)
    assert total.delta == least_delta(p, q, total.factor)
    assert total.delta == optimal_delta(parts, total.epsilon)


@given(guarantees, st.integers(1, 5))
def test_repeated_use_is_a_list_with_repetitions(guarantee: PrivacyGuarantee, k: int) -> None:
    total = basic_composition([guarantee] * k)
    assert total.factor == guarantee.factor**k
    assert 1 - total.delta == (1 - guarantee.delta) ** k


def test_nothing_spends_nothing() -> None:
    assert basic_composition([]) == PrivacyGuarantee(Epsilon.exactly(1))
    assert optimal_delta([], Epsilon.exactly(1)) == 0


def test_hundreds_of_uses() -> None:
    once = PrivacyGuarantee(Epsilon.exactly(Fraction(11, 10)), Fraction(1, 10**6))
    delta = optimal_delta([once] * 300, Epsilon.exactly(100))
    # 300 times epsilon is 28.6; ln 100 = 4.6 lets some 10**-4 pass beside the 3 * 10**-4 of delta.
    assert Fraction(3, 10**4) - Fraction(1, 10**7) < delta < Fraction(1, 100)
    assert basic_composition([once] * 300).factor == Fraction(11, 10) ** 300


bits = st.integers(0, 1)
tables = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)


def stated(table: list[int]) -> FiniteDistribution[int]:
    return FiniteDistribution({i: Fraction(w, sum(table)) for i, w in enumerate(table)})


@given(st.tuples(tables, tables), st.lists(st.tuples(tables, tables), min_size=3, max_size=3), factors, factors)  # fmt: skip  # noqa: E501
def test_composition_of_any_two_mechanisms(
    least_delta: Delta,
    first: tuple[list[int], list[int]],
    second: list[tuple[list[int], list[int]]],
    t: Fraction,
    s: Fraction,
) -> None:
    early: FromLaw[int, int] = FromLaw(lambda bit: stated(first[bit]))
    late: FromLaw[tuple[int, int], int] = FromLaw(lambda pair: stated(second[pair[1]][pair[0]]))

    def guarantee(pairs: list[tuple[Law, Law]], factor: Fraction) -> PrivacyGuarantee:
        both = pairs + [(q, p) for p, q in pairs]
        return PrivacyGuarantee(
            Epsilon.exactly(factor), max(least_delta(p, q, factor) for p, q in both)
        )

    of_early = guarantee([(early.law(0), early.law(1))], t)
    of_late = guarantee([(late.law((0, i)), late.law((1, i))) for i in range(3)], s)
    both = compose_adaptively(early, late)
    total = basic_composition([of_early, of_late])
    for p, q in ((both.law(0), both.law(1)), (both.law(1), both.law(0))):
        assert least_delta(p, q, total.factor) <= total.delta
        assert least_delta(p, q, t) <= optimal_delta([of_early, of_late], Epsilon.exactly(t))
    twice = compose(early, early)
    again = basic_composition([of_early] * 2)
    assert least_delta(twice.law(0), twice.law(1), again.factor) <= again.delta
    # What is made of the output has the guarantee of the output.
    after = then(early, FromLaw(lambda i: stated(second[i][0])))
    assert least_delta(after.law(0), after.law(1), t) <= of_early.delta


def test_the_worst_mechanism_has_its_guarantee(least_delta: Delta) -> None:
    guarantee = PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 5))
    mechanism = worst(guarantee)
    assert least_delta(mechanism.law(0), mechanism.law(1), Fraction(2)) == Fraction(1, 5)


@pytest.mark.parametrize(("argument", "make"), [
    ("epsilon", lambda: PrivacyGuarantee(cast("Epsilon", 1.0))),
    ("delta", lambda: PrivacyGuarantee(Epsilon(1.0), cast("Fraction", float("nan")))),
    ("delta", lambda: PrivacyGuarantee(Epsilon(1.0), Fraction(-1, 10))),
    ("delta", lambda: PrivacyGuarantee(Epsilon(1.0), Fraction(11, 10))),
    ("guarantees", lambda: basic_composition([cast("PrivacyGuarantee", 1.0)])),
    ("guarantees", lambda: optimal_delta([cast("PrivacyGuarantee", None)], 1.0)),
    ("epsilon", lambda: optimal_delta([], -1.0)),
    ("size", lambda: subsampling_amplification(PrivacyGuarantee(Epsilon(1.0)), -1, 3)),
    ("size", lambda: subsampling_amplification(PrivacyGuarantee(Epsilon(1.0)), 4, 3)),
    ("population", lambda: subsampling_amplification(PrivacyGuarantee(Epsilon(1.0)), 1, 0)),
])  # fmt: skip
def test_bad_input(argument: str, make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
