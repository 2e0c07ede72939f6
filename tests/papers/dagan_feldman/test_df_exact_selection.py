"""The exact selection distribution against the definition, index subset by index subset."""

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, FiniteDistribution, InvalidInput, Sample
from pac_stability.classes import FiniteClass, Hypothesis, Restriction, Thresholds
from pac_stability.papers.dagan_feldman.selection import exact_selection
from pac_stability.testing import strategies
from shared_draws import Subset, with_subset_size
from shared_refusals import refuses

HALF = Fraction(1, 2)


def literal(
    H: FiniteClass, sample: Sample[Hashable], size: int, decay: Fraction
) -> FiniteDistribution[Hypothesis]:
    """Average the exponential mechanism over the index subsets, as the definition reads."""
    subsets = list(combinations(range(len(sample)), size))
    total: dict[Hypothesis, Fraction] = {}
    for indices in subsets:
        seen: dict[tuple[int, ...], Hypothesis] = {}
        h: Hypothesis
        for h in H:
            seen.setdefault(tuple(h(sample[index].point) for index in indices), h)
        weights = {h: decay ** sum(h(z.point) != z.label for z in sample) for h in seen.values()}
        for h, weight in weights.items():
            share = weight / sum(weights.values()) / len(subsets)
            total[h] = total.get(h, Fraction(0)) + share
    return FiniteDistribution(total)


@given(
    with_subset_size(strategies.classes_with_samples(max_size=6)), st.fractions(0, 1).filter(bool)
)
@settings(max_examples=150)
def test_definition(instance: Subset, decay: Fraction) -> None:
    H, sample, size = instance
    assert exact_selection(H, sample, size, decay) == literal(H, sample, size, decay)


def test_order_of_the_examples_does_not_matter() -> None:
    H = FiniteClass([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0]])
    sample = Sample([0, 1, 1, 2], [0, 0, 1, 1])
    expected = exact_selection(H, sample, 2, HALF)
    for order in ([3, 2, 1, 0], [1, 3, 0, 2]):
        again = Sample.from_examples([sample[index] for index in order])
        assert exact_selection(H, again, 2, HALF) == expected


def test_all_indices_give_the_exponential_mechanism() -> None:
    # The one subset hits both points; the errors are 0, 1, 1, 2.
    H = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])
    law = exact_selection(H, Sample([0, 1], [0, 0]), 2, HALF)
    assert [law.probability(h) for h in H] == [Fraction(k, 9) for k in (4, 2, 2, 1)]


def test_representatives_of_an_infinite_class() -> None:
    law = exact_selection(Thresholds(), Sample([1, 2], [0, 1]), 1, HALF)
    cuts = {h.cut: p for h, p in law.items()}  # type: ignore[attr-defined]  # thresholds have cuts
    # The cuts 1, 2, 3 err 1, 0, 1 times. On {1} the cuts 1 and 2 represent, on {2} 2 and 3.
    assert cuts == {1: Fraction(1, 6), 2: Fraction(2, 3), 3: Fraction(1, 6)}


def test_decay_one_chooses_uniformly_among_patterns() -> None:
    H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    law = exact_selection(H, Sample([0, 1], [1, 0]), 1, Fraction(1))
    # On point 0 the rows 0 and 2 represent, on point 1 the rows 0 and 1.
    assert [law.probability(h) for h in H] == [HALF, Fraction(1, 4), Fraction(1, 4)]


def test_one_point_many_times() -> None:
    # The first row with label 0 errs 10 times, the first with label 1 errs 990 times.
    H = FiniteClass([[0, 1], [0, 0], [1, 1]])
    sample = Sample([0] * 1000, [1] * 10 + [0] * 990)
    law = exact_selection(H, sample, 400, Fraction(99, 100))
    odds = Fraction(99, 100) ** 980
    assert law == FiniteDistribution({H[0]: 1 / (1 + odds), H[2]: odds / (1 + odds)})


class Counting:
    """A class that counts how often it is asked."""

    def __init__(self, H: FiniteClass) -> None:
        self.H = H
        self.questions = 0
        self.known = H.known

    def restrict(self, points: Iterable[Hashable], /) -> Restriction:
        return self.H.restrict(points)

    def representatives_on(self, points: Iterable[Hashable], /) -> tuple[Hypothesis, ...]:
        self.questions += 1
        return self.H.representatives_on(points)


class Unhashable(Counting):
    __hash__ = None  # type: ignore[assignment]  # that is the point


def test_representatives_of_few_points_are_asked_for_once() -> None:
    H = FiniteClass([[0, 0, 1], [0, 1, 0], [1, 1, 1]])
    asked, fresh = Counting(H), Unhashable(H)
    for labels in ([0, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]):
        sample = Sample([0, 1, 2, 2], labels)
        expected = literal(H, sample, 2, HALF)
        assert exact_selection(asked, sample, 2, HALF) == expected
        assert exact_selection(fresh, sample, 2, HALF) == expected
    # {0, 1}, {0, 2}, {1, 2} and {2}: four sets.
    assert (asked.questions, fresh.questions) == (4, 12)


@pytest.mark.parametrize("h", [lambda _: -1, lambda _: 2])
def test_what_is_no_hypothesis(h: Hypothesis) -> None:
    class Odd(Counting):
        def representatives_on(self, points: Iterable[Hashable], /) -> tuple[Hypothesis, ...]:
            return (*super().representatives_on(points), h)

    odd = Odd(FiniteClass([[0, 0], [1, 1]]))
    refuses("H", exact_selection, odd, Sample([0, 1], [0, 0]), 1, HALF)


def test_budget() -> None:
    H = FiniteClass([[0] * 9, [1] * 9])
    sample = Sample(range(9), [0] * 9)
    exact_selection(H, sample, 4, HALF, max_sets=math.comb(9, 4))
    with pytest.raises(BudgetExhausted, match="more than 125 sets"):
        exact_selection(H, sample, 4, HALF, max_sets=math.comb(9, 4) - 1)


GOOD = (FiniteClass([[0, 1], [1, 1]]), Sample([0, 1], [0, 1]), 1, HALF)


@pytest.mark.parametrize(
    ("position", "value", "argument"),
    [
        (0, FiniteClass([], [0, 1]), "H"), (1, Sample([], []), "sample"), (1, [(0, 1)], "sample"),
        (1, Sample([0, 7], [0, 1]), "point"), (2, 0, "subset_size"), (2, 3, "subset_size"),
        (2, True, "subset_size"), (2, 1.0, "subset_size"), (3, Fraction(0), "decay"),
        (3, Fraction(3, 2), "decay"), (3, float("nan"), "decay"),
    ],
)  # fmt: skip
def test_bad_input(position: int, value: object, argument: str) -> None:
    arguments: list[object] = list(GOOD)
    arguments[position] = value
    with pytest.raises(InvalidInput) as caught:
        exact_selection(*arguments)  # type: ignore[arg-type]  # wrong on purpose
    assert caught.value.argument == argument


def test_max_sets_is_a_positive_integer() -> None:
    refuses("max_sets", exact_selection, *GOOD, max_sets=0)
