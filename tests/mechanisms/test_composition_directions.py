"""Composition in few bits: whatever is rounded, delta is never too small."""

import math
from fractions import Fraction

import pytest

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.mechanisms import Composition, PrivacyGuarantee, accounting, optimal_delta

FACTORS = [Fraction(3, 2), Fraction(2), Fraction(3), Fraction(7, 5)]
"""So many bits leave room for errors that any of the roundings can make."""


def masses() -> list[tuple[Fraction, int, accounting._Losses]]:
    return [
        (factor, times, accounting._binomial(factor, times))
        for factor in FACTORS
        for times in (1, 2, 3, 5, 8, 13)
    ]


@pytest.mark.parametrize("guard", [0, 1, 3, 6])
@pytest.mark.parametrize("bits", [3, 6, 9])
def test_masses_are_rounded_down(bits: int, guard: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounting, "_BITS", bits)
    monkeypatch.setattr(accounting, "_GUARD", guard)
    for factor, times, losses in masses():
        p = factor / (1 + factor)
        assert sum(losses.masses) <= 1 << bits
        for i, mass in enumerate(losses.masses):
            true = (losses.start + 2 * i + times) // 2
            exact = math.comb(times, true) * p**true * (1 - p) ** (times - true)
            assert mass <= exact * (1 << bits), (factor, times, true)


@pytest.mark.parametrize("bits", [2, 4, 7])
@pytest.mark.parametrize("base", [Fraction(2, 3), Fraction(5, 7), Fraction(9, 10)])
def test_powers_are_rounded_down(
    bits: int, base: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounting, "_BITS", bits)
    bottom, top = base.as_integer_ratio()
    for start in (*range(9), 63, 64, 65, 100):
        for step in (1, 2):
            found = accounting._falling(top, bottom, start, step, 5)
            for i, power in enumerate(found):
                assert power <= base ** (start + i * step) * (1 << bits)
    for exponent in range(12):
        assert accounting._power(base, exponent) <= base**exponent * (1 << bits)
    assert accounting._power(base, 0) == 1 << bits


def test_losses_are_rounded_up_to_the_grid() -> None:
    # A unit of the old is one of the new and a little more: 1 is above 1, and -1 below -1; or a
    # little less. The ends of the scale are taken for what makes the loss larger.
    losses = accounting._Losses(-1, 1, [1, 2, 4])
    little = Fraction(1, 2**100)
    for scale, places in [
        (Interval.exactly(1 + little), (-1, 2)),
        (Interval.exactly(1 - little), (0, 1)),
        (Interval(1 - little, 1 + little), (0, 2)),
        (Interval.exactly(1), (-1, 1)),
    ]:
        found = accounting._gridded(losses, scale)
        assert (found.start, found.start + len(found.masses) - 1) == places
        assert sum(found.masses) == 7


@pytest.mark.parametrize("bits", [3, 5, 8])
@pytest.mark.parametrize("points", [4, 32])
def test_delta_is_from_above_however_few_bits_there_are(
    bits: int, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounting, "_BITS", bits)
    monkeypatch.setattr(accounting, "_POINTS", points)
    for i, first in enumerate(FACTORS):
        for second in FACTORS[i:]:
            for times in (1, 2, 3):
                uses = [PrivacyGuarantee(Epsilon.exactly(first))] * times
                uses += [PrivacyGuarantee(Epsilon.exactly(second))] * 2
                for target in (Fraction(1), Fraction(3, 2), Fraction(4)):
                    epsilon = Epsilon.exactly(target)
                    assert Composition(uses).delta(epsilon) >= optimal_delta(uses, epsilon)
