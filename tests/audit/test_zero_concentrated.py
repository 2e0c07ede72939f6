"""Zero-concentrated privacy: enclosed as it is by hand, and rechecked by the checker's integers."""

import json
import math
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import AuditResult, FiniteDistribution, InvalidInput, Verdict, audit, checker
from pac_stability.arithmetic import Interval, log_power_mean
from pac_stability.audit.certificates import digest, from_json, to_document, to_json
from pac_stability.audit.reports.text import audit_to_text
from pac_stability.checker.fields import Limits, TooLongError
from pac_stability.checker.notions import zero_concentrated as divergences
from pac_stability.checker.notions.zero_concentrated import diverges, is_concentrated
from pac_stability.notions import zero_concentrated
from pac_stability.testing import strategies
from shared_certificates import response
from shared_refusals import refuses

Law = FiniteDistribution[object]

QUARTER = Fraction(1, 4)


LAWS = strategies.weighted(range(3), 9, min_weight=1)


def over_order(p: Law, q: Law, order: float) -> float:
    """D_a(P || Q) / a in floats, from the definition."""
    pairs = [(float(p.probability(y)), float(q.probability(y))) for y in p.support]
    if order == 1:
        return sum(a * math.log(a / b) for a, b in pairs)
    moment = sum(a**order * b ** (1 - order) for a, b in pairs)
    return math.log(moment) / (order - 1) / order


def bounds(found: AuditResult) -> tuple[Fraction, Fraction]:
    assert isinstance(found.value, Interval)
    return found.value.lower, found.value.upper


@given(LAWS, LAWS)
@settings(max_examples=60)
def test_no_order_is_outside_of_the_bounds(p: Law, q: Law) -> None:
    found = zero_concentrated.one_sided_rho(p, q)
    if p == q:
        assert (found.lower, found.upper, found.order) == (0, 0, None)
        return
    assert found.order is not None
    assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 10**4))
    assert over_order(p, q, float(found.order)) >= float(found.lower) * (1 - 1e-9)
    orders = [1, *(1 + 2.0 ** (k / 8) / 64 for k in range(100))]
    assert max(over_order(p, q, order) for order in orders) <= float(found.upper) * (1 + 1e-9)


@pytest.mark.parametrize("t", [Fraction(3), Fraction(101, 100), Fraction(10**6)])
def test_randomized_response(t: Fraction) -> None:
    """With e**epsilon = t, rho is epsilon tanh(epsilon / 2) = ln t (t - 1) / (t + 1).

    The moment of order a is cosh(s) / cosh(s0) for s = epsilon (2a - 1) / 2 and s0 = epsilon / 2,
    and a (a - 1) = (s^2 - s0^2) / epsilon^2. So D_a / a is epsilon^2 times the slope of a chord of
    log cosh sqrt(u) from s0^2 to s^2. That function is concave, so the slope is largest as a goes
    to 1, and there it is tanh(s0) / (2 s0).
    """
    p: Law = FiniteDistribution({0: t / (1 + t), 1: 1 / (1 + t)})
    q: Law = FiniteDistribution({1: t / (1 + t), 0: 1 / (1 + t)})
    rho = Interval.log(t, 256) * ((t - 1) / (t + 1))
    found = zero_concentrated.minimal_rho(p, q)
    assert isinstance(found, Interval)
    assert found.lower <= rho.upper
    assert rho.lower <= found.upper
    assert zero_concentrated.one_sided_rho(p, q).order == 1


def test_an_order_between() -> None:
    """P = (1/2, 1/2), Q = (1/100, 99/100): at order 1 half of ln(50 * 50/99), at 7/5 more."""
    p: Law = FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 2)})
    q: Law = FiniteDistribution({0: Fraction(1, 100), 1: Fraction(99, 100)})
    found = zero_concentrated.one_sided_rho(p, q)
    assert found.order is not None
    assert 1 < found.order < 2
    assert over_order(p, q, 1) < over_order(p, q, 1.4) <= found.upper
    assert float(found.upper) < over_order(p, q, 1.4) + 1e-3
    assert abs(over_order(p, q, 1) - math.log(50 * 50 / 99) / 2) < 1e-12


def test_other_supports() -> None:
    p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    assert zero_concentrated.minimal_rho(p, q) == math.inf
    one_sided = zero_concentrated.one_sided_rho(p, q)
    # All orders have the divergence ln(3/2).
    assert one_sided.lower <= math.log(3 / 2) <= one_sided.upper < math.log(3 / 2) + 1e-4
    with pytest.raises(InvalidInput, match="order: got 1/2, want an order of at least 1"):
        zero_concentrated.renyi_divergence(p, p, "1/2")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("0.55", Verdict.VERIFIED), ("0.5494", Verdict.VERIFIED), ("0.549", Verdict.REFUTED),
     ("0", Verdict.REFUTED), ("7", Verdict.VERIFIED)],
)  # fmt: skip
def test_a_claim_is_decided_and_rechecked(claim: str, verdict: Verdict) -> None:
    found = audit.zero_concentrated_privacy(response, 2, 2, claim=claim, labelled=False)
    assert found.verdict is verdict
    assert found.parameter.name == "rho"
    low, high = bounds(found)
    assert low <= math.log(3) / 2 <= high
    assert from_json(to_json(found)) == found
    checked = checker.recheck(to_document(found))
    assert checked.proven
    assert checked.refutes == (verdict is Verdict.REFUTED)
    assert checked.value == low
    assert "Renyi divergence of that order" in audit_to_text(found, "it")
    assert "Renyi divergence of order 1" in audit.explain(to_document(found))


def test_without_a_claim_and_between_the_bounds() -> None:
    open_ = audit.zero_concentrated_privacy(response, 2, 1, labelled=False)
    assert open_.verdict is Verdict.BOUNDED
    assert "between certified bounds, and no claim was made" in audit_to_text(open_, "it")
    low, high = bounds(open_)
    middle = (low + high) / 2
    found = audit.zero_concentrated_privacy(response, 2, 1, claim=middle, labelled=False)
    assert found.verdict is Verdict.BOUNDED
    assert checker.recheck(to_document(found)).value == low


def test_nothing_and_everything() -> None:
    coin = FiniteDistribution.uniform([0, 1])
    nothing = audit.zero_concentrated_privacy(lambda _: coin, 2, 1, claim=0, labelled=False)
    assert (nothing.value, nothing.verdict) == (0, Verdict.VERIFIED)
    assert checker.recheck(to_document(nothing)).proven
    told = audit.zero_concentrated_privacy(
        FiniteDistribution.point_mass, 2, 1, claim=100, labelled=False
    )
    assert (told.value, told.verdict) == (math.inf, Verdict.REFUTED)
    assert checker.recheck(to_document(told)).refutes
    assert "possible on S alone" in audit.explain(to_document(told))


def test_it_becomes_small_and_takes_groups() -> None:
    found = audit.zero_concentrated_privacy(response, 2, 3, claim="1/2", labelled=False)
    small = audit.shrink_counterexample(response, found)
    assert small.setting.n == 1
    both = audit.zero_concentrated_privacy(response, 2, 2, group_size=2, labelled=False)
    # Two answers with fresh coins: divergences add up.
    assert bounds(both)[0] <= math.log(3) <= bounds(both)[1]
    with pytest.raises(InvalidInput, match="claim: got -1, want a number of at least 0"):
        audit.zero_concentrated_privacy(response, 2, 1, claim=-1, labelled=False)


@given(LAWS, LAWS, st.sampled_from([Fraction(1), Fraction(9, 8), Fraction(3), Fraction(40)]))
@settings(max_examples=60)
def test_the_checker_encloses_what_the_library_encloses(p: Law, q: Law, order: Fraction) -> None:
    there = zero_concentrated.renyi_divergence(p, q, order)
    assert isinstance(there, Interval)
    one, other = ({str(y): w for y, w in law.items()} for law in (p, q))
    limits = Limits(1 << 16, 10**7)
    hair = Fraction(1, 1 << 90)
    if p != q:
        assert diverges(one, other, order, there.lower / order - hair, limits)
    assert not diverges(one, other, order, there.upper / order + hair, limits)


@given(LAWS, LAWS)
@settings(max_examples=40)
def test_the_checker_bounds_all_orders(p: Law, q: Law) -> None:
    found = zero_concentrated.one_sided_rho(p, q)
    one, other = ({str(y): w for y, w in law.items()} for law in (p, q))
    limits = Limits(1 << 16, 10**8)
    if p != q:
        assert is_concentrated(one, other, Fraction(found.upper) * Fraction(11, 10), limits)
        assert not is_concentrated(one, other, Fraction(found.lower) * Fraction(9, 10), limits)


@pytest.mark.parametrize("bits", [6, 9, 14])
def test_few_bits_still_bound(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where 160 or 128 bits hide which end was taken, few do not."""
    pairs = [(5, 7, 1, 9), (1, 1, 1, 30), (97, 3, 50, 50), (2, 9, 3, 8), (1, 2, 2, 1)]
    orders = [Fraction(1), Fraction(9, 8), Fraction(3), Fraction(60)]
    truths: dict[tuple[int, Fraction], Interval] = {}
    rhos = []
    both: list[tuple[Law, Law]] = []
    for index, (a, b, c, d) in enumerate(pairs):
        p: Law = FiniteDistribution({0: Fraction(a, a + b), 1: Fraction(b, a + b)})
        q: Law = FiniteDistribution({0: Fraction(c, c + d), 1: Fraction(d, c + d)})
        both.append((p, q))
        rhos.append(zero_concentrated.one_sided_rho(p, q))
        for order in orders:
            there = zero_concentrated.renyi_divergence(p, q, order, bits=256)
            assert isinstance(there, Interval)
            truths[index, order] = there
    monkeypatch.setattr(divergences, "BITS", bits)
    monkeypatch.setattr(divergences, "ONE", 1 << bits)
    log_2 = divergences._log_from_one(2 << bits)
    monkeypatch.setattr(divergences, "_LOG_2", log_2)
    limits = Limits(1 << 16, 10**9)
    for x in range(0, -40 << bits, -1 - (1 << bits >> 3)):
        low, high = divergences._exp(x)
        truth = Interval.exp(Fraction(x, 1 << bits), 256)
        assert low <= truth.lower * (1 << bits)
        assert truth.upper * (1 << bits) <= high
    for top in range(1, 300):
        low, high = divergences._log(Fraction(top, 17))
        truth = Interval.log(Fraction(top, 17), 256)
        assert low <= truth.upper * (1 << bits)
        assert truth.lower * (1 << bits) <= high
    for (index, order), truth in truths.items():
        one, other = ({str(y): w for y, w in law.items()} for law in both[index])
        try:
            least, most = divergences.Ratios.of(one, other, limits).divergence(order, limits)
        except TooLongError:  # so few bits say nothing of it
            continue
        assert least <= truth.upper
        assert truth.lower <= most
    zero_concentrated._rho.cache_clear()
    coarse_mean = partial(log_power_mean, bits=bits)
    monkeypatch.setattr(zero_concentrated, "log_power_mean", lambda losses, _: coarse_mean(losses))
    monkeypatch.setattr(zero_concentrated, "MOST_ORDERS", 200)
    for (p, q), exact in zip(both, rhos, strict=True):
        coarse = zero_concentrated.one_sided_rho(p, q)
        assert coarse.lower <= exact.upper
        assert exact.lower <= coarse.upper
    zero_concentrated._rho.cache_clear()


def test_what_is_forged_is_refused() -> None:
    found = audit.zero_concentrated_privacy(response, 2, 1, claim="1/2", labelled=False)
    for path, value in (("value", "3/5"), ("order", "1/2"), ("order", "2"), ("value", "infinity")):
        document: Any = json.loads(to_json(found))
        document["witness"][path] = value
        document["sha256"] = digest(document)
        refuses("witness", checker.recheck, document)
    document = json.loads(to_json(found))
    del document["witness"]["order"]
    document["sha256"] = digest(document)
    refuses(r"witness\.value", checker.recheck, document)
