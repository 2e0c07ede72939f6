"""The kit settles what a question compares, and describes an instance only where that fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import pytest

from pac_stability.arithmetic import Interval
from pac_stability.audit import Verdict
from pac_stability.claims.kit import (
    Answer,
    Budget,
    Comparison,
    Finding,
    OnClass,
    Table,
    Universe,
    factor_within,
    fails,
    idle,
    reaches,
    same,
    show,
    universe,
    within,
)
from pac_stability.claims.trials import tightened
from pac_stability.classes import FiniteClass


class Pair(NamedTuple):
    n: int
    share: Fraction


@dataclass(frozen=True)
class Record:
    n: int
    share: Fraction


@dataclass(frozen=True)
class Named:
    n: int

    def __str__(self) -> str:
        return "two"


@universe("pairs up to 2", extent="pairs")
def pairs(_: Budget) -> Iterator[Pair]:
    return (Pair(n, Fraction(1, 2)) for n in range(3))


def _found(answer: Answer, instance: object = 3) -> Finding:
    table = Table("XY26")
    one = Universe("one", lambda _: [instance])
    table.add("lemma-1", "it", lambda subject, _: subject, one, answer)
    ((_, finding),) = table["XY26:lemma-1"][0].findings(Budget.QUICK)
    return finding


def test_a_universe_carries_its_words_to_each_trial() -> None:
    table = Table("XY26")
    for name in ("first", "second"):
        table.add("lemma-1", name, lambda k, it: within(it.n, k), pairs, 2, 1)
    table.add("lemma-2", "first", lambda k, it: within(it.n, k), pairs, 2)
    assert [t.name for t in table["XY26:lemma-1"]] == ["first", "second"]
    first, (other,) = table["XY26:lemma-1"][0], table["XY26:lemma-2"]
    assert (first.universe, first.extent, first.has_mutant) == ("pairs up to 2", "pairs", True)
    assert not other.has_mutant
    assert first.of_class is None
    assert [p for p, _ in first.findings(Budget.QUICK)] == [0, 1, 2]


def test_the_instance_at_which_it_fails_is_shown_by_its_fields() -> None:
    table = Table("XY26")
    table.add("lemma-1", "it", lambda k, it: within(it.n, k), pairs, 2, 1)
    found = [f for _, f in table["XY26:lemma-1"][0].findings(Budget.QUICK, mutant=True)]
    assert [f.verdict for f in found] == [Verdict.VERIFIED] * 2 + [Verdict.REFUTED]
    assert found[-1].text == "n = 2, share = 1/2: 2 > 1"


def test_an_instance_that_holds_is_not_described() -> None:
    class Silent:
        def __str__(self) -> str:
            raise AssertionError

    assert _found(within(1, 2), Silent()).tension == Fraction(1, 2)
    with pytest.raises(AssertionError):
        _found(within(2, 1), Silent())


@pytest.mark.parametrize(
    ("answer", "tension"),
    [
        (within(1, 4), Fraction(1, 4)),
        (reaches(4, 1), Fraction(1, 4)),
        (factor_within(2, 4), Fraction(1, 2)),
        (same([1], [1]), None),
        ([within(1, 4), within(1, 2)], Fraction(1, 2)),
    ],
)
def test_what_holds_has_its_tension(answer: Answer, tension: Fraction | None) -> None:
    found = _found(answer)
    assert found.verdict is Verdict.VERIFIED
    assert not found.idle
    assert found.tension is tension is None or round(found.tension or 0, 9) == tension


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (within(2, Fraction(1, 2)), "3: 2 > 1/2"),
        (reaches(1, 2), "3: 1 < 2"),
        (reaches(2, 2, strictly=True), "3: 2 <= 2"),
        (factor_within(5, 4), "3: 5 > factor 4"),
        (same([1], [2]), "3: [1], by definition [2]"),
        (fails("a sentence of its own"), "a sentence of its own"),
        ([idle(), within(2, 1), within(3, 1)], "3: 2 > 1"),
    ],
)
def test_what_fails_is_said_in_words(answer: Answer, text: str) -> None:
    found = _found(answer)
    assert (found.verdict, found.text) == (Verdict.REFUTED, text)


def test_idle_instances_stay_idle() -> None:
    answers: list[Answer] = [within(1, 1, ceiling=1), reaches(1, 1, 1), factor_within(1, 2), []]
    assert all(_found(answer).idle for answer in answers)


def test_what_bounds_do_not_decide_is_said_with_the_instance() -> None:
    found = _found(within(Interval(Fraction(1), Fraction(3)), 2))
    assert found.verdict is Verdict.BOUNDED
    assert found.text.startswith("3: ")


def test_a_comparison_is_asked_again_below_its_tension() -> None:
    comparison = within(1, 2)
    with tightened(Fraction(1, 3)):
        assert _found(comparison).verdict is Verdict.REFUTED


def test_numbers_of_any_length_are_shown() -> None:
    huge = 10**10_000
    assert "a number of" in _found(within(huge + 1, huge), (huge,)).text
    assert isinstance(same(huge, 1), Comparison)


def test_long_numbers_are_shown_in_short() -> None:
    third = Fraction(1, 3) + Fraction(1, 10**30)
    assert _found(within(third, Fraction(1, 3))).text == "3: about 0.333333 > 1/3"
    assert _found(within(Interval(third, third), 0)).text == "3: about 0.333333 > 0"


def test_records_are_shown_by_their_fields() -> None:
    assert show(Record(2, Fraction(1, 2))) == "n = 2, share = 1/2"
    assert show((Record(2, Fraction(1, 2)),)) == "(n = 2, share = 1/2)"
    assert show(Named(2)) == "two"


def test_a_class_of_ones_own_is_taken_along() -> None:
    reach = OnClass(lambda H: [Pair(len(H), Fraction(1))], "its size", points=3, hypotheses=8)
    table = Table("XY26")
    table.add("lemma-1", "it", lambda k, it: within(it.n, k), pairs.and_on(reach), 2, 1)
    of_class = table["XY26:lemma-1"][0].of_class
    assert of_class is not None
    (asked,) = of_class.ask(FiniteClass([[0], [1]]), False)
    assert asked.finding.tension == 1
    assert pairs.on_class is None


def test_tuples_without_names_are_shown_in_parentheses() -> None:
    assert show((1, (Pair(2, Fraction(1, 3)), "x"))) == "(1, (n = 2, share = 1/3, x))"
