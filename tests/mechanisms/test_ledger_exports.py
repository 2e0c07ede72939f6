"""A ledger's uses for other libraries: never less than they are, and accepted where installed."""

import math
from fractions import Fraction

import pytest

from pac_stability import Epsilon, Interval, mechanisms
from shared_examples import example
from shared_refusals import refuses

accountants = example("accountants")
THIRD = mechanisms.PrivacyGuarantee(Epsilon("1/3"), Fraction(1, 10**7))


def used() -> mechanisms.Ledger:
    ledger = mechanisms.Ledger(epsilon=5, delta="1e-5")
    ledger.reserve("1/10", times=4)
    ledger.reserve(THIRD, times=2)
    ledger.reserve(Epsilon.exactly(2))
    return ledger


def test_floats_are_no_smaller() -> None:
    uses = accountants.rounded_uses(used())
    assert [use.times for use in uses] == [1, 2, 4]
    two, third, tenth = uses
    assert Fraction(two.epsilon) >= Interval.log(Fraction(2), 200).upper
    assert Fraction(math.nextafter(two.epsilon, 0)) < Interval.log(Fraction(2), 200).lower
    assert Fraction(third.epsilon) >= Interval.log(THIRD.factor, 200).upper
    assert Fraction(third.delta) >= THIRD.delta > Fraction(math.nextafter(third.delta, 0))
    assert Fraction(tenth.epsilon) >= Fraction(1, 10) > Fraction(math.nextafter(tenth.epsilon, 0))
    assert accountants.rounded_uses(mechanisms.Ledger(epsilon=1)) == ()


def test_a_use_below_all_floats_is_not_nothing() -> None:
    ledger = mechanisms.Ledger(epsilon=1)
    ledger.reserve(Fraction(1, 10**400))
    assert accountants.rounded_uses(ledger)[0].epsilon == 5e-324


def test_opendp_gets_one_loss_a_use() -> None:
    ledger = mechanisms.Ledger(epsilon=1, neighbours="add-remove")
    assert accountants.to_opendp(ledger) == []
    ledger.reserve("1/4", times=2)
    assert accountants.to_opendp(ledger) == [0.25, 0.25]
    assert [use.neighbours for use in accountants.rounded_uses(ledger)] == ["add-remove"]
    losses = accountants.to_opendp(used())
    assert len(losses) == 7
    assert losses[-1] == (0.1, 0.0)


def test_bad_input() -> None:
    refuses("ledger", accountants.rounded_uses, {})
    large = mechanisms.Ledger(epsilon=10**400)
    large.reserve(10**399)
    refuses("beyond all floats", accountants.rounded_uses, large)


def test_opendp_takes_them() -> None:
    dp = pytest.importorskip("opendp.prelude", reason="opendp is not installed: pip install opendp")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    pure = mechanisms.Ledger(epsilon=1)
    pure.reserve("1/10", times=3)
    for ledger, measure in (
        (pure, dp.max_divergence()),
        (used(), dp.approximate(dp.max_divergence())),
    ):
        composed = dp.c.make_adaptive_composition(
            *space, output_measure=measure, d_in=1, d_mids=accountants.to_opendp(ledger)
        )
        total = composed.map(1)
        sums = [sum(use.epsilon * use.times for use in accountants.rounded_uses(ledger))]
        sums.append(sum(use.delta * use.times for use in accountants.rounded_uses(ledger)))
        if ledger is pure:
            assert math.isclose(total, sums[0])
        else:
            assert all(math.isclose(a, b) for a, b in zip(total, sums, strict=True))
