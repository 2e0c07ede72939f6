"""The checker's logarithms, exponentials and divergences are bounds, whatever the number of bits.

The truth is enclosed by sums of exact fractions: of the series of log((1 + z) / (1 - z)) and of
e**y, with what is left of them at most.
"""

from fractions import Fraction

import pytest

from pac_stability.checker.fields import Law, Limits
from pac_stability.checker.notions import zero_concentrated as divergences

Bounds = tuple[Fraction, Fraction]

ENOUGH = Limits(1 << 16, 10**12)


def true_log(number: Fraction) -> Bounds:
    """Enclose a logarithm; twice the sum of z**k / k over odd k, where |z| < 1."""
    z = (number - 1) / (number + 1)
    terms = 12 if abs(z) <= Fraction(1, 3) else 40
    total = 2 * sum((z**k / k for k in range(1, 2 * terms, 2)), Fraction(0))
    rest = abs(2 * z ** (2 * terms + 1) / (2 * terms + 1) / (1 - z * z))
    return total - rest, total + rest


def true_exp(y: Fraction) -> Bounds:
    """Enclose e**-y for y from 0 to 1, of which the terms of the series alternate and shrink."""
    term, total, sums = Fraction(1), Fraction(0), []
    for k in range(1, 14):
        total += term
        sums.append(total)
        term *= -y / k
    return min(sums[-2:]), max(sums[-2:])


def with_bits(bits: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Let the checker hold numbers between multiples of 2**-bits, and return 2**bits."""
    monkeypatch.setattr(divergences, "BITS", bits)
    monkeypatch.setattr(divergences, "ONE", 1 << bits)
    twos = divergences._log_from_one(2 << bits)
    monkeypatch.setattr(divergences, "_LOG_2", twos)
    return 1 << bits


@pytest.mark.parametrize("bits", [3, 5, 8])
def test_every_logarithm_and_exponential(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    one = with_bits(bits, monkeypatch)
    for x in range(one, 2 * one + 2):
        low, high = divergences._log_from_one(x)
        truth = true_log(Fraction(x, one))
        assert low <= truth[0] * one
        assert truth[1] * one <= high
    twos = true_log(Fraction(2))
    closest = int(twos[0] * one), int(twos[1] * one) + 1
    for log_2 in (divergences._LOG_2, closest):
        monkeypatch.setattr(divergences, "_LOG_2", log_2)
        for y in range(one + 1):
            truth = true_exp(Fraction(y, one))
            for times in (1, 2, 4, 2 * bits):
                low, high = divergences._exp(-y * times)
                assert low <= truth[1] ** times * one
                assert truth[0] ** times * one <= high


def kullback_leibler(p: Law, q: Law) -> Bounds:
    logs = [(p[y], true_log(p[y] / q[y])) for y in p]
    low, high = (sum((w * log[end] for w, log in logs), Fraction(0)) for end in (0, 1))
    return low, high


def test_many_small_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit for each product is much, where there are as many products as units."""
    with_bits(12, monkeypatch)
    k = 1 << 11
    p: Law = {str(y): Fraction(1, k) for y in range(k)}
    for share in (Fraction(1, 100), Fraction(1, 9), Fraction(1, 3), Fraction(4, 5)):
        q: Law = {str(y): Fraction(1 + share if y % 2 else 1 - share) / k for y in range(k)}
        low, high = divergences.Ratios.of(p, q, ENOUGH).divergence(Fraction(1), ENOUGH)
        # All outcomes have one of two ratios, so two of them stand for all.
        halves = kullback_leibler(
            {y: Fraction(1, 2) for y in "01"}, {"0": (1 - share) / 2, "1": (1 + share) / 2}
        )
        assert low <= halves[0]
        assert halves[1] <= high


@pytest.mark.parametrize("bits", [6, 8, 10])
def test_orders_close_to_one(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All powers are nearly 1, and a unit of the exponent is worth as much as the divergence.

    P = (1/2, 1/2) and Q = (1/4, 3/4). D_1 = ln(4/3) / 2 <= D_a, and D_a - D_1 goes to 0 as a goes
    to 1: by Jensen's inequality D_a is at most D_2 = ln(1 + 1/3) if a <= 2.
    """
    with_bits(bits, monkeypatch)
    p: Law = {"0": Fraction(1, 2), "1": Fraction(1, 2)}
    q: Law = {"0": Fraction(1, 4), "1": Fraction(3, 4)}
    least, most = kullback_leibler(p, q)[0], true_log(Fraction(4, 3))[1]
    for k in range(1, 3 * bits):
        ratios = divergences.Ratios.of(p, q, ENOUGH)
        low, high = ratios.divergence(1 + Fraction(1, 1 << k), ENOUGH)
        assert low <= most
        assert least <= high
