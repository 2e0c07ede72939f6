"""Export to dp-accounting: what it is handed is exact, what it answers encloses our frontier."""

import doctest
import importlib.util
import math
import sys
from fractions import Fraction
from types import ModuleType

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, FiniteDistribution, Interval, mechanisms, testing
from pac_stability.notions import closeness
from shared_examples import example
from shared_refusals import refuses

EXAMPLE = example("accountants")
privacy_loss_distribution, rounded_losses = (
    EXAMPLE.privacy_loss_distribution,
    EXAMPLE.rounded_losses,
)
INSTALLED = importlib.util.find_spec("dp_accounting") is not None
needs_dp_accounting = pytest.mark.skipif(
    not INSTALLED,
    reason="dp-accounting is not installed: pip install 'pac_stability[dp-accounting]'",
)

# One value moves by one; 0, 1, 2, 3 have weights 8, 4, 2, 1. Deltas differ by direction:
# max(8/15, ...) for p against q, since only p gives 0; max(1/15, 1 - 7t/15) for q against p.
ONE_SIDED = FiniteDistribution({z: Fraction(8 >> z, 15) for z in range(4)})
SHIFTED = ONE_SIDED.map(lambda z: z + 1)


LAWS = testing.strategies.weighted(range(4), 9)


@given(LAWS, LAWS, st.sampled_from([1.0, 0.5, 0.1, 1e-3]))
def test_losses_are_rounded_up_by_less_than_one_step(
    p: FiniteDistribution[int], q: FiniteDistribution[int], interval: float
) -> None:
    rounded = rounded_losses(p, q, interval)
    infinite = sum((w for o, w in p.items() if not q.probability(o)), Fraction(0))
    assert Fraction(math.nextafter(rounded.infinite, -1)) < infinite <= Fraction(rounded.infinite)
    for outcome, weight in p.items():
        other = q.probability(outcome)
        if not other:
            continue
        loss = Interval.log(weight / other, 256)
        above = [k for k in rounded.masses if loss <= k * Fraction(interval)]
        step = min(above)
        assert loss > (step - 1) * Fraction(interval)
    finite = sum(map(Fraction, rounded.masses.values()))
    assert 1 - infinite <= finite <= (1 - infinite) * (1 + Fraction(1, 2**52))


def test_equal_probabilities_lose_nothing() -> None:
    fair = FiniteDistribution.uniform([0, 1])
    assert rounded_losses(fair, fair, 0.1).masses == {0: 1.0}


def test_a_third_is_rounded_up() -> None:
    third = rounded_losses(
        FiniteDistribution.uniform(range(3)), FiniteDistribution.point_mass(0), 0.1
    )
    assert third.infinite == float.fromhex(
        "0x1.5555555555556p-1"
    )  # 2/3 rounds to even, upwards here
    assert Fraction(next(iter(third.masses.values()))) > Fraction(1, 3)


@pytest.mark.parametrize("k", [-3, 1, 2])
def test_a_loss_next_to_a_line_of_the_grid_falls_on_its_side(k: int) -> None:
    # Rationals so near to e**k that 64 bits do not tell them from it.
    around, tiny = Interval.exp(k, 400), Fraction(1, 2**200)
    assert EXAMPLE._ceiling_of_log(around.lower - tiny, Fraction(1)) == k
    assert EXAMPLE._ceiling_of_log(around.upper + tiny, Fraction(1)) == k + 1


@pytest.mark.parametrize("interval", [0.0, -1e-4, math.inf, math.nan, Fraction(1, 2)])
def test_interval_must_be_a_positive_float(interval: float) -> None:
    fair = FiniteDistribution.uniform([0, 1])
    refuses("interval", privacy_loss_distribution, fair, fair, interval)


def test_laws_must_be_laws() -> None:
    refuses(r"q: got .* want a FiniteDistribution", rounded_losses, ONE_SIDED, {0: 1}, 0.1)


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    modules: dict[str, ModuleType | None] = {**sys.modules}
    modules["dp_accounting.pld.privacy_loss_distribution"] = None  # as good as not there
    monkeypatch.setattr(sys, "modules", modules)
    with pytest.raises(ImportError, match=r"pip install 'pac_stability\[dp-accounting\]'"):
        privacy_loss_distribution(ONE_SIDED, SHIFTED)
    refuses("nothing was taken", EXAMPLE.to_dp_accounting, mechanisms.Ledger(epsilon=1))


def test_the_examples_of_the_program_are_true() -> None:
    assert doctest.testmod(EXAMPLE) == (0, 10)


@needs_dp_accounting
def test_a_ledger_as_one_distribution() -> None:
    third = mechanisms.PrivacyGuarantee(Epsilon("1/3"), Fraction(1, 10**7))
    uses = [mechanisms.PrivacyGuarantee(Epsilon("1/10"))] * 4 + [third] * 2
    uses.append(mechanisms.PrivacyGuarantee(Epsilon.exactly(2)))
    ledger = mechanisms.Ledger(epsilon=5, delta="1e-5")
    for use in uses:
        ledger.reserve(use)
    losses = EXAMPLE.to_dp_accounting(ledger)
    for epsilon in (0.5, 1.0, 1.5):
        said = losses.get_delta_for_epsilon(epsilon)
        exact = float(mechanisms.optimal_delta(uses, Fraction(epsilon)))
        assert exact * (1 - 1e-6) - 1e-9 <= said <= exact * 1.01 + 1e-6


@needs_dp_accounting
@given(LAWS, LAWS, st.sampled_from([0.5, 0.01, 1e-4]), st.integers(0, 12))
def test_delta_is_enclosed_by_the_exact_frontier(
    p: FiniteDistribution[int], q: FiniteDistribution[int], interval: float, quarter: int
) -> None:
    epsilon = quarter / 4
    found = privacy_loss_distribution(p, q, interval).get_delta_for_epsilon(epsilon)
    # Epsilon rounds the factor down by less than 2**-64, which moves delta by no more than that.
    exact = closeness.minimal_delta(p, q, Epsilon(epsilon))
    assert found >= float(exact) - 1e-12
    if epsilon >= interval:
        assert found <= float(closeness.minimal_delta(p, q, Epsilon(epsilon - interval))) + 1e-12


@needs_dp_accounting
def test_both_directions_are_kept() -> None:
    for pair in ((ONE_SIDED, SHIFTED), (SHIFTED, ONE_SIDED)):
        losses = privacy_loss_distribution(*pair)
        # At e^epsilon = 2: 8/15 in one direction, max(1/15, 1 - 14/15) = 1/15 in the other.
        assert losses.get_delta_for_epsilon(math.log(2)) == pytest.approx(8 / 15, abs=1e-12)


@needs_dp_accounting
def test_composition_is_that_of_the_product_law() -> None:
    truth = FiniteDistribution({1: Fraction(3, 4), 0: Fraction(1, 4)})
    lie = FiniteDistribution({1: Fraction(1, 4), 0: Fraction(3, 4)})
    composed = privacy_loss_distribution(truth, lie).self_compose(4)
    p, q = truth.power(4), lie.power(4)
    for epsilon in (0.0, 0.5, 1.0, 2.0, 4.0):
        found = composed.get_delta_for_epsilon(epsilon)
        least = closeness.minimal_delta(p, q, Epsilon(epsilon))
        # Four losses, each rounded up by less than a step of 1e-4, which moves delta by at most
        # 4 * 1e-4 times the total mass.
        assert float(least) - 1e-12 <= found <= float(least) + 4e-4
