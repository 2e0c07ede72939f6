"""The tool that asks whether a claim examines what it names."""

from fractions import Fraction
from typing import Any

import pytest

from pac_stability import Epsilon, FiniteDistribution, Interval, claims
from pac_stability.claims import Claim, Kind, Whose
from pac_stability.claims.kit import Find, settle
from pac_stability.claims.search import path_to
from shared_tools import examined


def asking(question: Any, *code: str) -> Claim:  # of a number
    trial = claims.trial(
        "few", lambda ask, n: settle(ask(n), f"{n}"), lambda _: range(1, 4),
        subject=question, mutant=lambda _: False, universe="1 to 3",
    )  # fmt: skip
    return Claim("DF20:lemma-0", Kind.LEMMA, "a", "b", code, (trial,), whose=Whose.OURS)


def sauer(n: int) -> bool:
    from pac_stability.dimensions import sauer_shelah_bound  # as a trial has it

    return sauer_shelah_bound(n, 1) == n + 1


CODE = ("dimensions.sauer_shelah_bound", "mechanisms.Flip")


def test_what_is_not_entered_or_could_be_wrong_is_named() -> None:
    found = [*examined.shortcomings(asking(sauer, *CODE), (), entered=False)]
    assert found == ["DF20:lemma-0: mechanisms.Flip is not entered"]
    careless = asking(lambda n: sauer(n) or True, *CODE)
    found = [*examined.shortcomings(careless, ("mechanisms.Flip",), entered=False)]
    assert found == ["DF20:lemma-0: dimensions.sauer_shelah_bound could be wrong"]
    assert [*examined.shortcomings(careless, ("mechanisms.Flip",), entered=True)] == []


def test_an_error_in_a_trial_is_noticed() -> None:
    claim = asking(lambda n: 6 // sauer_of(n) > 0, CODE[0])
    assert examined.notices(claim, path_to(CODE[0])[-1], {"few": 0})


def test_a_trial_that_does_not_end_is_noticed() -> None:
    claim = asking(lambda n: sum(range(sauer_of(n) ** 6)) > 0, CODE[0])  # one step of C
    assert examined.notices(claim, path_to(CODE[0])[-1], {"few": 0}, 0)


def sauer_of(n: int) -> int:
    from pac_stability.dimensions import sauer_shelah_bound  # as a trial has it

    return sauer_shelah_bound(n, 1)


@pytest.mark.parametrize(
    "value",
    [
        True, 0, 5, Fraction(0), Fraction(2, 3), 0.5, Interval.exactly(2), Epsilon("1/2"), (1, 2),
        [3], frozenset({1}), {1: 2}, FiniteDistribution({0: Fraction(1, 3), 1: Fraction(2, 3)}),
        Find(1, (2, 3)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("up", [True, False])
def test_a_wrong_result_is_of_the_kind_of_the_right_one(value: object, up: bool) -> None:
    wrong = examined.changed(value, up)
    assert type(wrong) is type(value)
    assert str(wrong) != str(value)


def test_what_is_no_number_is_left_as_it_is() -> None:
    with pytest.raises(examined.Unchanged):
        examined.changed("text", True)
