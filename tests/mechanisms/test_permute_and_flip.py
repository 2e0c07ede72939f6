"""Permute-and-flip: law, privacy and bounded range, next to the exponential mechanism."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, Mechanism
from pac_stability.mechanisms import ExponentialMechanism, PermuteAndFlip, bounded_range

Errors = tuple[int, ...]
Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Runs = Callable[[Mechanism[object, object], object], bool]

decays = st.fractions(Fraction(1, 10), 1, max_denominator=10)
error_lists = st.lists(st.integers(-2, 4), min_size=1, max_size=4).map(tuple)


def given_errors(candidates: int, decay: Fraction) -> PermuteAndFlip[Errors, int]:
    """The mechanism whose input is the list of errors."""
    return PermuteAndFlip(tuple(range(candidates)), list, decay)


def exponential(candidates: int, decay: Fraction) -> ExponentialMechanism[Errors, int]:
    return ExponentialMechanism(tuple(range(candidates)), list, decay)


def by_permutations(errors: Errors, decay: Fraction) -> FiniteDistribution[int]:
    """Every order of the candidates, and every place at which one is taken first."""
    taken = [decay ** (k - min(errors)) for k in errors]
    law = dict.fromkeys(range(len(errors)), Fraction(0))
    for order in permutations(range(len(errors))):
        reached = Fraction(1, math.factorial(len(errors)))
        for candidate in order:
            law[candidate] += reached * taken[candidate]
            reached *= 1 - taken[candidate]
    return FiniteDistribution(law)


@given(error_lists, decays)
def test_law_is_that_of_all_permutations_and_of_what_runs(
    runs_as_stated: Runs, errors: Errors, decay: Fraction
) -> None:
    mechanism = given_errors(len(errors), decay)
    assert mechanism.law(errors) == by_permutations(errors, decay)
    assert runs_as_stated(cast("Mechanism[object, object]", mechanism), errors)


@given(error_lists, decays)
def test_expects_no_more_errors_than_the_exponential_mechanism(
    errors: Errors, decay: Fraction
) -> None:
    mean = given_errors(len(errors), decay).law(errors).expectation(lambda i: errors[i])
    other = exponential(len(errors), decay).law(errors).expectation(lambda i: errors[i])
    assert mean <= other


@pytest.mark.parametrize("decay", [Fraction(1, 2), Fraction(4, 5)])
@pytest.mark.parametrize("candidates", [2, 3])
def test_privacy_and_range_over_all_neighbours(
    least_factor: Factor, decay: Fraction, candidates: int
) -> None:
    ours, theirs = given_errors(candidates, decay), exponential(candidates, decay)
    t = decay**-2
    factors: list[Fraction | float] = []
    ranges: list[Fraction | float] = []
    for errors in product(range(3), repeat=candidates):
        for change in product((-1, 0, 1), repeat=candidates):
            other = tuple(k + step for k, step in zip(errors, change, strict=True))
            p, q = ours.law(errors), ours.law(other)
            factors.append(least_factor(p, q))
            ranges.append(bounded_range(p, q))
            assert bounded_range(theirs.law(errors), theirs.law(other)) <= t
    assert max(factors) == ours.guarantee.factor == t
    if candidates == 2:
        # (0, 1) and (1, 0): 1 - rho/2 and rho/2 are exchanged.
        assert max(ranges) == (2 / decay - 1) ** 2 > t
    else:
        assert t < max(ranges) < (2 / decay - 1) ** 2
    p, q = theirs.law((0, 2, 2)[:candidates]), theirs.law((1, 1, 1)[:candidates])
    assert bounded_range(p, q) == t


@given(st.lists(st.integers(0, 3), min_size=2, max_size=4), st.data())
def test_bounded_range_compares_all_pairs_of_outcomes(
    weights: list[int], data: st.DataObject
) -> None:
    others = data.draw(st.lists(st.integers(1, 3), min_size=len(weights), max_size=len(weights)))
    weights[0] += 1
    p = FiniteDistribution({i: Fraction(w, sum(weights)) for i, w in enumerate(weights)})
    q = FiniteDistribution({i: Fraction(w, sum(others)) for i, w in enumerate(others)})
    least = bounded_range(p, q)
    assert least == bounded_range(q, p)
    if 0 in weights:
        assert least == math.inf
    else:
        crossed = [
            p.probability(a) * q.probability(b) / (q.probability(a) * p.probability(b))
            for a, b in product(p.support, repeat=2)
        ]
        assert least == max(crossed)


def test_many_candidates() -> None:
    mechanism = given_errors(300, Fraction(1, 2))
    law = mechanism.law(tuple(k % 3 for k in range(300)))
    assert law.probability(0) == law.probability(297) > law.probability(1) > law.probability(2)
    assert mechanism.law((7,) * 300) == FiniteDistribution.uniform(range(300))
    assert mechanism.run(tuple(range(300))) in range(300)


def test_from_epsilon_spends_it() -> None:
    chooser: PermuteAndFlip[Errors, str] = PermuteAndFlip.from_epsilon(
        "ab", list, Epsilon.exactly(16), sensitivity=2
    )
    assert chooser.decay == Fraction(1, 2)
    assert chooser.guarantee.factor == 16


@pytest.mark.parametrize("errors", [[], [1], [0.5, 1.0], "ab", None])
def test_errors_are_one_integer_a_candidate(errors: object) -> None:
    mechanism: PermuteAndFlip[None, int] = PermuteAndFlip(
        (0, 1), lambda _: cast("list[int]", errors), Fraction(1, 2)
    )
    for use in (mechanism.law, mechanism.run):
        with pytest.raises(InvalidInput) as caught:
            use(None)
        assert caught.value.argument == "errors"


@pytest.mark.parametrize(("argument", "make"), [
    ("candidates", lambda: PermuteAndFlip((), list[int], Fraction(1, 2))),
    ("errors", lambda: PermuteAndFlip((0, 1), cast("type[list[int]]", 3), Fraction(1, 2))),
    ("decay", lambda: PermuteAndFlip((0, 1), list[int], Fraction(0))),
    ("sensitivity", lambda: PermuteAndFlip((0, 1), list[int], Fraction(1, 2), 0)),
])  # fmt: skip
def test_bad_parameters(argument: str, make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
