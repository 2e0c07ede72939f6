"""What a stranger could write into a certificate of zero-concentrated privacy, and of its kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pac_stability import audit
from pac_stability.audit import AuditResult
from pac_stability.audit.certificates import digest, to_json
from pac_stability.checker import recheck
from pac_stability.checker.recheck_divergences import _exp, diverges, is_concentrated
from pac_stability.checker.recheck_values import Limits, TooLongError
from pac_stability.data import FiniteDistribution, Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.randomness import Coins

QUARTER = Fraction(1, 4)


def response(bits: tuple[int, ...], rng: Coins) -> tuple[int, ...]:
    return tuple(bit ^ rng.bernoulli(QUARTER) for bit in bits)


def constant(_: object) -> FiniteDistribution[object]:
    return FiniteDistribution.uniform([0, 1])


def forged(found: AuditResult, forge: Callable[[Any], object]) -> Any:
    document: Any = json.loads(to_json(found))
    forge(document)
    document["sha256"] = digest(document)
    return document


@pytest.mark.parametrize("claim", [None, "-1"])
def test_nothing_is_less_than_zero(claim: str | None) -> None:
    """Equal laws are not compared, so a bound below zero must not come so far."""
    found = audit.zero_concentrated_privacy(constant, 2, 1, claim=0, labelled=False)

    def forge(document: Any) -> None:
        document.update(claim=claim, value="-5")
        document["witness"].update(value="-5", order="1")

    with pytest.raises(InvalidInput, match=r"witness\.value: got '-5', want a number of at least"):
        recheck(forged(found, forge))

    def zero(document: Any) -> None:
        document["witness"]["order"] = "1"

    assert recheck(forged(found, zero)).proven


def test_a_factor_that_the_notion_has_not() -> None:
    """Laws 3/4, 1/4 and 1/4, 3/4: half apart in total variation, and not at all up to 3."""
    spread = audit.total_variation_stability(response, 2, 1, claim="9/10", labelled=False)
    predicted = audit.uniform_stability(
        lambda S, _, rng: int(rng.bernoulli(QUARTER) != bool(S.labels[0])), 2, 1, claim="9/10"
    )

    def forge(document: Any) -> None:
        document["instance"]["epsilon_ratio"] = "3"
        document.update(claim="0", value="0")
        document["witness"]["value"] = "0"

    for found in (spread, predicted):
        assert found.value == Fraction(1, 2)
        with pytest.raises(InvalidInput, match=r"epsilon_ratio: got '3', want 1: the notion has"):
            recheck(forged(found, forge))


@pytest.mark.parametrize(
    ("field", "value"), [("epsilon_ratio", "2"), ("delta", "1"), ("beta", "1/2"), ("optimum", "1")]
)
def test_what_is_not_fixed_is_nothing(field: str, value: str) -> None:
    found = audit.zero_concentrated_privacy(response, 2, 1, claim=1, labelled=False)
    with pytest.raises(InvalidInput, match=rf"instance\.{field}: .*the notion has no other"):
        recheck(forged(found, lambda document: document["instance"].update({field: value})))


@pytest.mark.parametrize("order", [10**17, 10**30, 10**45, 10**60, 10**300])
def test_an_enormous_order_takes_no_longer(order: int) -> None:
    """The series of exp would take as many terms as the order says, were it asked for that."""
    p = {"a": 3 * QUARTER, "b": QUARTER}
    q = {"a": QUARTER, "b": 3 * QUARTER}
    limits = Limits(1 << 16, 10**4)
    try:
        # D_a is ln 3 less ln(4/3) / (a - 1): no order has 11/10.
        assert not diverges(p, q, Fraction(order), Fraction(11, 10) / order, limits)
        assert diverges(p, q, Fraction(order), Fraction(109, 100) / order, limits)
    except TooLongError as error:
        assert error.given == "a divergence of enormous order"  # noqa: PT017  # either will do


@pytest.mark.parametrize("bits", range(0, 400, 7))
def test_a_small_exponential_is_nearly_nothing(bits: int) -> None:
    for x in (-(1 << bits), -(161 << 160), -(160 << 160), -(159 << 160)):
        low, high = _exp(x)
        assert 0 <= low < high
        if x <= -(111 << 160):  # ln(2**160) is 110.9
            assert (low, high) == (0, 1)


def test_long_numbers_are_counted() -> None:
    """A ratio of two numbers of 100,000 bits takes a tenth of a second, not a few microseconds."""
    some = Fraction(3**63_092, 1 << 100_000)
    more = Fraction(1, 2) + Fraction(3**60_000, 1 << 100_000)
    p, q = {"a": some, "b": 1 - some}, {"a": more, "b": 1 - more}
    with pytest.raises(TooLongError, match="more than 500000 steps"):
        is_concentrated(p, q, Fraction(1), Limits(1 << 18, 500_000))
    limits = Limits(1 << 18, 10**7)
    assert is_concentrated(p, q, Fraction(1), limits)
    counted = 2 * (200_000**2 >> 17)
    assert counted < limits.spent < counted + 10_000


def test_a_group_that_comes_is_not_in_the_answers() -> None:
    found = audit.zero_concentrated_privacy(
        constant, 2, 1, claim=0, labelled=False, relation=Neighbouring.ADD_REMOVE
    )

    def forge(document: Any) -> None:
        document["instance"]["group_size"] = 2
        document["witness"].update(sample=[0], neighbour=[0, 0, 0])

    with pytest.raises(InvalidInput, match=r"answers\.roots: got none for the size 3"):
        recheck(forged(found, forge))
