"""What a stranger could write into a certificate of zero-concentrated privacy, and of its kind."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from pac_stability import InvalidInput, arithmetic, audit, checker, data
from pac_stability.audit import certificates
from pac_stability.checker import fields
from pac_stability.checker.notions import NOTIONS, zero_concentrated as divergences
from pac_stability.checker.notions.zero_concentrated import (
    ONE,
    STEPS,
    Ratios,
    _between,
    _exp,
    _log,
    _log_from_one,
    diverges,
    is_concentrated,
)
from pac_stability.checker.pairs import Answers, none_is_worse
from pac_stability.notions import zero_concentrated
from shared_certificates import response
from shared_refusals import refuses

QUARTER = Fraction(1, 4)


def constant(_: object) -> data.FiniteDistribution[object]:
    return data.FiniteDistribution.uniform([0, 1])


def forged(found: audit.AuditResult, forge: Callable[[Any], object]) -> Any:
    document: Any = json.loads(certificates.to_json(found))
    forge(document)
    document["sha256"] = certificates.digest(document)
    return document


@pytest.mark.parametrize("claim", [None, "-1"])
def test_nothing_is_less_than_zero(claim: str | None) -> None:
    """Equal laws are not compared, so a bound below zero must not come so far."""
    found = audit.zero_concentrated_privacy(constant, 2, 1, claim=0, labelled=False)

    def forge(document: Any) -> None:
        document.update(claim=claim, value="-5")
        document["witness"].update(value="-5", order="1")

    with pytest.raises(InvalidInput, match=r"witness\.value: got '-5', want a number of at least"):
        checker.recheck(forged(found, forge))

    def zero(document: Any) -> None:
        document["witness"]["order"] = "1"

    assert checker.recheck(forged(found, zero)).proven


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
            checker.recheck(forged(found, forge))


@pytest.mark.parametrize(
    ("field", "value"), [("epsilon_ratio", "2"), ("delta", "1"), ("beta", "1/2"), ("optimum", "1")]
)
def test_what_is_not_fixed_is_nothing(field: str, value: str) -> None:
    found = audit.zero_concentrated_privacy(response, 2, 1, claim=1, labelled=False)
    with pytest.raises(InvalidInput, match=rf"instance\.{field}: .*the notion has no other"):
        checker.recheck(forged(found, lambda document: document["instance"].update({field: value})))


@pytest.mark.parametrize("order", [10**17, 10**30, 10**45, 10**60, 10**300])
def test_an_enormous_order_takes_no_longer(order: int) -> None:
    """The series of exp would take as many terms as the order says, were it asked for that."""
    p = {"a": 3 * QUARTER, "b": QUARTER}
    q = {"a": QUARTER, "b": 3 * QUARTER}
    limits = fields.Limits(1 << 16, 10**4)
    try:
        # D_a is ln 3 less ln(4/3) / (a - 1): no order has 11/10.
        assert not diverges(p, q, Fraction(order), Fraction(11, 10) / order, limits)
        assert diverges(p, q, Fraction(order), Fraction(109, 100) / order, limits)
    except fields.TooLongError as error:
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
    with pytest.raises(fields.TooLongError, match="more than 500000 steps"):
        is_concentrated(p, q, Fraction(1), fields.Limits(1 << 18, 500_000))
    limits = fields.Limits(1 << 18, 10**7)
    assert is_concentrated(p, q, Fraction(1), limits)
    counted = 2 * (200_000**2 >> 17)
    assert counted < limits.spent < counted + 10_000


def test_a_group_that_comes_is_not_in_the_answers() -> None:
    found = audit.zero_concentrated_privacy(
        constant, 2, 2, claim=0, labelled=False, relation=data.Neighbouring.ADD_REMOVE
    )

    def forge(document: Any) -> None:
        document["instance"]["group_size"] = 2
        document["witness"].update(sample=[0], neighbour=[0, 0, 0])

    refuses(r"answers\.roots: got none for the size 3", checker.recheck, forged(found, forge))


def reversed_response() -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Three quarters and one, and the other way round: rho is ln(3) / 2, at order 1."""
    return {"a": 3 * QUARTER, "b": QUARTER}, {"a": QUARTER, "b": 3 * QUARTER}


def test_what_is_equal_is_not_called_larger() -> None:
    """Nothing is certain of equal laws and the bound 0, and the orders that are asked are counted.

    Gaps 1, 1/2, ..., 2**-40 from order 1, then order 1 and 1 + 2**k 2**-40 for k < 40: 82 orders.
    """
    p, _ = reversed_response()
    limits = fields.Limits(1 << 16, 10**6)
    with pytest.raises(fields.TooLongError, match="two numbers that are nearly equal"):
        is_concentrated(p, p, Fraction(0), limits)
    assert limits.spent == 2 * STEPS * (1 + 41 + 41)


def test_what_is_too_close_to_tell_is_not_decided() -> None:
    """The bound is a lower bound on the divergence of order 1, to the last bit."""
    p, q = reversed_response()
    limits = fields.Limits(1 << 16, 10**6)
    low, high = Ratios.of(p, q, limits).divergence(Fraction(1), limits)
    for bound in (low, high):
        with pytest.raises(fields.TooLongError, match="two numbers that are nearly equal"):
            is_concentrated(p, q, bound, limits)
    assert not is_concentrated(p, q, low - Fraction(1, ONE), limits)


def test_a_bound_that_is_met_exactly_is_kept() -> None:
    """With the largest ratio's no order is asked; with a unit less, or that of order 2, one is."""
    p, q = reversed_response()
    ratios = Ratios.of(p, q, fields.Limits(1 << 16, 10**6))
    low, high = ratios.logs[0]
    of_order_2 = ratios.divergence(Fraction(2), fields.Limits(1 << 16, 10**6))[1]
    for bound, orders in ((high, 0), (high - 1, 1), (low, 1), (of_order_2 * ONE, 1)):
        limits = fields.Limits(1 << 16, 10**6)
        assert is_concentrated(p, q, Fraction(bound) / ONE, limits)
        assert limits.spent == 2 * STEPS * (1 + orders)


def test_an_order_just_ahead_that_is_too_large_is_found() -> None:
    """P = (1/2, 1/2), Q = (1/100, 99/100): D_a / a is largest near 7/5, and flat there.

    So the walk stops further from the orders that exceed the bound than 80 times 2**-40.
    """
    p = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    q = {"a": Fraction(1, 100), "b": Fraction(99, 100)}
    rho = zero_concentrated.one_sided_rho(data.FiniteDistribution(p), data.FiniteDistribution(q))
    less, more = rho.lower * (1 - Fraction(1, 1 << 16)), rho.upper * (1 + Fraction(1, 1 << 10))
    assert not is_concentrated(p, q, Fraction(less), fields.Limits(1 << 16, 10**7))
    assert is_concentrated(p, q, Fraction(more), fields.Limits(1 << 16, 10**7))


@pytest.mark.parametrize(
    "number", [Fraction(1), Fraction(1, 3), Fraction(5, 7), Fraction(2**170 - 1, 2**170)]
)
def test_a_number_is_between_two_units_in_a_row(number: Fraction) -> None:
    low, high = _between(number)
    assert high == low + 1
    assert low <= number * ONE < high


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(3), Fraction(17)])
def test_the_moment_is_enclosed_before_its_logarithm(
    order: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The logarithm is given some leeway, and would hide a moment that is a little too small."""
    for a, b, c, d in product(range(1, 8, 2), repeat=4):
        p = {"a": Fraction(a, a + b), "b": Fraction(b, a + b)}
        q = {"a": Fraction(c, c + d), "b": Fraction(d, c + d)}
        limits = fields.Limits(1 << 16, 10**6)
        ratios = Ratios.of(p, q, limits)
        moments: list[Fraction] = []

        def recorded(number: Fraction, into: list[Fraction] = moments) -> tuple[int, int]:
            into.append(number)
            return _log(number)

        monkeypatch.setattr(divergences, "_log", recorded)
        ratios.divergence(order, limits)
        monkeypatch.undo()
        least, most = moments
        largest = max(p[y] / q[y] for y in p)
        powers = (arithmetic.Interval.log(p[y] / q[y] / largest, 256) * (order - 1) for y in p)
        both = list(zip(powers, p.values(), strict=True))
        # Two enclosures of 256 bits are nearly points, here.
        assert least <= sum(arithmetic.Interval.exp(x.upper, 256).upper * w for x, w in both)
        assert sum(arithmetic.Interval.exp(x.lower, 256).lower * w for x, w in both) <= most
        assert most - least <= Fraction(1, 1 << 140)


def test_the_leeway_at_one() -> None:
    """No term of the one series, two units of 16; one term of the other, three of 4."""
    assert _log_from_one(ONE) == (0, 32)
    assert _exp(0) == (ONE, ONE + 12)


@pytest.mark.parametrize("twos", [-2, -1, 0, 1, 2])
def test_a_logarithm_is_that_of_a_number_from_one_to_two(twos: int) -> None:
    low, high = _log_from_one(3 * ONE // 2)[0], _log_from_one(3 * ONE // 2 + 1)[1]
    more = sorted(twos * end for end in _log_from_one(2 * ONE))
    assert _log(Fraction(3, 2) * Fraction(2) ** twos) == (low + more[0], high + more[1])


def tilted(bits: tuple[int, ...]) -> data.FiniteDistribution[object]:
    """Divergences ln(50 * 50/99) / 2 one way, and less the other."""
    one = Fraction(1, 100) if bits[0] else Fraction(1, 2)
    return data.FiniteDistribution({0: one, 1: 1 - one})


def test_the_direction_of_a_divergence_counts() -> None:
    found = audit.zero_concentrated_privacy(tilted, 2, 1, claim="1/10", labelled=False)
    assert checker.recheck(certificates.to_document(found)).refutes

    def forge(document: Any) -> None:
        witness = document["witness"]
        for one, other in (("sample", "neighbour"), ("law", "neighbour_law")):
            witness[one], witness[other] = witness[other], witness[one]

    refuses(r"witness\.value", checker.recheck, forged(found, forge))


def test_an_order_belongs_to_a_divergence_alone() -> None:
    spread = audit.total_variation_stability(response, 2, 1, claim="1/9", labelled=False)
    with pytest.raises(InvalidInput, match="witness: got 'order'"):
        checker.recheck(forged(spread, lambda document: document["witness"].update(order="1")))
    found = audit.zero_concentrated_privacy(response, 2, 1, claim="1/9", labelled=False)
    with pytest.raises(InvalidInput, match="witness: got None"):
        checker.recheck(forged(found, lambda document: document.update(witness=None)))


@pytest.mark.parametrize("value", ["-1/2", "infinity"])
def test_a_finite_order_has_a_finite_value(value: str) -> None:
    """Infinite is what needs no order: an outcome that the other law has not."""
    found = audit.zero_concentrated_privacy(
        data.FiniteDistribution.point_mass, 2, 1, claim=100, labelled=False
    )
    assert "is none of the other" in checker.recheck(certificates.to_document(found)).proved[1]

    def forge(document: Any) -> None:
        document.update(value=value)
        document["witness"].update(order="1", value=value)

    refuses(r"witness\.value", checker.recheck, forged(found, forge))


@pytest.mark.parametrize("symmetry", ["none", "declared"])
@pytest.mark.parametrize("claim", [None, "1"])
def test_what_is_shown_of_equal_laws(claim: str | None, symmetry: str) -> None:
    found = audit.zero_concentrated_privacy(constant, 2, 1, claim=1, labelled=False)

    def forge(document: Any) -> None:
        document.update(claim=claim)
        document["instance"]["symmetry"] = symmetry

    checked = checker.recheck(forged(found, forge))
    assert (checked.value, checked.proven) == (0, symmetry == "none")
    assert (checked.but_for_order, checked.exact) == (symmetry != "none", claim is None)
    assert checked.proved[1].endswith("at least 0: nothing is shown")
    assert f"no two neighbours show more than {claim or 0}:" in checked.proved[2]
    assert any("was declared" in s for s in checked.trusted) == (symmetry == "declared")


@pytest.mark.parametrize("above", [0, 5])
def test_the_largest_ratio_has_the_power_one(above: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All weight on a ratio whose logarithm is from 0 to some units: exp(0) is at most 12 off."""
    moments: list[Fraction] = []

    def recorded(number: Fraction) -> tuple[int, int]:
        moments.append(number)
        return _log(number)

    monkeypatch.setattr(divergences, "_log", recorded)
    ratios = Ratios(((ONE, ONE),), ((0, above),))
    ratios.divergence(Fraction(2), fields.Limits(1 << 16, 10**6))
    assert moments == [Fraction(_exp(-above)[0], ONE), 1 + Fraction(12, ONE)]


def test_a_unit_is_more_than_nothing() -> None:
    limits = fields.Limits(1 << 16, 10**6)
    low, high = Ratios(((1, 1),), ((0, 0),)).divergence(Fraction(2), limits)
    assert low < 0 < high + 111
    with pytest.raises(fields.TooLongError, match="a divergence of enormous order"):
        Ratios(((0, 1),), ((0, 0),)).divergence(Fraction(2), limits)


@pytest.mark.parametrize("turned", [False, True])
def test_every_pair_is_compared_in_both_directions(turned: bool) -> None:
    # Of a fair coin and one with 1/10, rho is .52 one way (D_2/2) and .37, of order 1, the other.
    fair, rare = {"0": Fraction(1, 2), "1": Fraction(1, 2)}, {"0": Fraction(1, 10)}
    rare["1"] = Fraction(9, 10)
    laws = [rare, fair] if turned else [fair, rare]
    answers = Answers(laws, [[[0], [1]], [[0, 1]]], {1: 0})
    instance = SimpleNamespace(
        relation="replace-one", group_size=1, universe=["a", "b"], epsilon_ratio=1, delta=0
    )
    case: Any = SimpleNamespace(
        instance=instance,
        limits=fields.Limits(1 << 16, 10**9),
        asked=NOTIONS["zero-concentrated-privacy"],
    )
    assert none_is_worse(answers, case, Fraction(3, 5)).startswith("no two neighbours show more")
    refuses("two neighbours that show more", none_is_worse, answers, case, Fraction(9, 20))
