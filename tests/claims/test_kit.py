"""The kit settles what a question compares, and describes an instance only where that fails."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import pytest

from pac_stability import arithmetic, audit, classes
from pac_stability.claims import kit


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


@kit.universe("pairs up to 2", extent="pairs")
def pairs(_: kit.Budget) -> Iterator[Pair]:
    return (Pair(n, Fraction(1, 2)) for n in range(3))


def _found(answer: kit.Answer, instance: object = 3) -> kit.Finding:
    table = kit.Table("XY26")
    one = kit.Universe("one", lambda _: [instance])
    table.add("lemma-1", "it", lambda subject, _: subject, one, answer)
    ((_, finding),) = table["XY26:lemma-1"][0].findings(kit.Budget.QUICK)
    return finding


def test_a_universe_carries_its_words_to_each_trial() -> None:
    table = kit.Table("XY26")
    for name in ("first", "second"):
        table.add("lemma-1", name, lambda k, it: kit.within(it.n, k), pairs, 2, 1)
    table.add("lemma-2", "first", lambda k, it: kit.within(it.n, k), pairs, 2)
    assert [t.name for t in table["XY26:lemma-1"]] == ["first", "second"]
    first, (other,) = table["XY26:lemma-1"][0], table["XY26:lemma-2"]
    assert (first.universe, first.extent, first.has_mutant) == ("pairs up to 2", "pairs", True)
    assert not other.has_mutant
    assert first.of_class is None
    assert [p for p, _ in first.findings(kit.Budget.QUICK)] == [0, 1, 2]


def test_the_instance_at_which_it_fails_is_shown_by_its_fields() -> None:
    table = kit.Table("XY26")
    table.add("lemma-1", "it", lambda k, it: kit.within(it.n, k), pairs, 2, 1)
    found = [f for _, f in table["XY26:lemma-1"][0].findings(kit.Budget.QUICK, mutant=True)]
    assert [f.verdict for f in found] == [audit.Verdict.VERIFIED] * 2 + [audit.Verdict.REFUTED]
    assert found[-1].text == "n = 2, share = 1/2: 2 > 1"


def test_an_instance_that_holds_is_not_described() -> None:
    class Silent:
        def __str__(self) -> str:
            raise AssertionError

    assert _found(kit.within(1, 2), Silent()).tension == Fraction(1, 2)
    with pytest.raises(AssertionError):
        _found(kit.within(2, 1), Silent())


@pytest.mark.parametrize(("answer", "tension"), [
    (kit.within(1, 4), Fraction(1, 4)),
    (kit.reaches(4, 1), Fraction(1, 4)),
    (kit.factor_within(2, 4), Fraction(1, 2)),
    (kit.same([1], [1]), None),
    ([kit.within(1, 4), kit.within(1, 2)], Fraction(1, 2)),
])  # fmt: skip
def test_what_holds_has_its_tension(answer: kit.Answer, tension: Fraction | None) -> None:
    found = _found(answer)
    assert found.verdict is audit.Verdict.VERIFIED
    assert not found.idle
    assert found.tension is tension is None or round(found.tension or 0, 9) == tension


@pytest.mark.parametrize(("answer", "text"), [
    (kit.within(2, Fraction(1, 2)), "3: 2 > 1/2"),
    (kit.reaches(1, 2), "3: 1 < 2"),
    (kit.reaches(2, 2, strictly=True), "3: 2 <= 2"),
    (kit.factor_within(5, 4), "3: 5 > factor 4"),
    (kit.same([1], [2]), "3: [1], by definition [2]"),
    (kit.fails("a sentence of its own"), "a sentence of its own"),
    ([kit.idle(), kit.within(2, 1), kit.within(3, 1)], "3: 2 > 1"),
])  # fmt: skip
def test_what_fails_is_said_in_words(answer: kit.Answer, text: str) -> None:
    found = _found(answer)
    assert (found.verdict, found.text) == (audit.Verdict.REFUTED, text)


def test_idle_instances_stay_idle() -> None:
    answers: list[kit.Answer] = [
        kit.within(1, 1, ceiling=1),
        kit.reaches(1, 1, 1),
        kit.factor_within(1, 2),
        [],
    ]
    assert all(_found(answer).idle for answer in answers)


def test_what_bounds_do_not_decide_is_said_with_the_instance() -> None:
    found = _found(kit.within(arithmetic.Interval(Fraction(1), Fraction(3)), 2))
    assert found.verdict is audit.Verdict.BOUNDED
    assert found.text.startswith("3: ")


def test_a_comparison_is_asked_again_below_its_tension() -> None:
    comparison = kit.within(1, 2)
    with kit.tightened(Fraction(1, 3)):
        assert _found(comparison).verdict is audit.Verdict.REFUTED


def test_numbers_of_any_length_are_shown() -> None:
    huge = 10**10_000
    assert "a number of" in _found(kit.within(huge + 1, huge), (huge,)).text
    assert isinstance(kit.same(huge, 1), kit.Comparison)


def test_long_numbers_are_shown_in_short() -> None:
    third = Fraction(1, 3) + Fraction(1, 10**30)
    assert _found(kit.within(third, Fraction(1, 3))).text == "3: about 0.333333 > 1/3"
    assert _found(kit.within(arithmetic.Interval(third, third), 0)).text == "3: about 0.333333 > 0"


def test_records_are_shown_by_their_fields() -> None:
    assert kit.show(Record(2, Fraction(1, 2))) == "n = 2, share = 1/2"
    assert kit.show((Record(2, Fraction(1, 2)),)) == "(n = 2, share = 1/2)"
    assert kit.show(Named(2)) == "two"


def test_a_class_of_ones_own_is_taken_along() -> None:
    reach = kit.OnClass(lambda H: [Pair(len(H), Fraction(1))], "its size", points=3, hypotheses=8)
    table = kit.Table("XY26")
    table.add("lemma-1", "it", lambda k, it: kit.within(it.n, k), pairs.and_on(reach), 2, 1)
    of_class = table["XY26:lemma-1"][0].of_class
    assert of_class is not None
    (asked,) = of_class.ask(classes.FiniteClass([[0], [1]]), False)
    assert asked.finding.tension == 1
    assert pairs.on_class is None


def test_tuples_without_names_are_shown_in_parentheses() -> None:
    assert kit.show((1, (Pair(2, Fraction(1, 3)), "x"))) == "(1, (n = 2, share = 1/3, x))"
