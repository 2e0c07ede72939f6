"""Whether a learner learns the constants on one point: the smallest class, gone through exactly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import comb
from typing import Protocol

from pac_stability.claims.dagan_feldman._questions import AnySample, factor_between
from pac_stability.claims.finding import Finding, settle
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample

CONSTANTS = FiniteClass([[0], [1]])


class Predicts(Protocol):
    """A learner with exact predictions."""

    def probabilities(self, sample: AnySample, points: Sequence[Hashable], /) -> Sequence[Fraction]:
        """Return the probability of label 1 at each of the points."""
        ...


def counted(n: int, ones: int) -> AnySample:
    """Return the sample of n examples at one point with some labels 1."""
    return Sample([0] * n, [1] * ones + [0] * (n - ones))


def learns_a_coin(
    learner: Predicts, n: int, bias: Fraction, alpha: Fraction, beta: Fraction
) -> Finding:
    """Settle Pr_S[L_D(A^S) <= min L_D + alpha] >= 1 - beta for labels 1 with this bias.

    The learner must not depend on the order. Numbers of ones are gone through from the likeliest
    outwards, until enough of them are learned well.
    """
    one, whole = bias.numerator, bias.denominator
    weights = [comb(n, k) * one**k * (whole - one) ** (n - k) for k in range(n + 1)]
    enough, good, bad = (1 - beta) * whole**n, 0, 0
    for k in sorted(range(n + 1), key=lambda k: -weights[k]):
        if good >= enough or bad > whole**n - enough:
            break
        (p,) = learner.probabilities(counted(n, k), [0])
        loss = bias * (1 - p) + (1 - bias) * p
        if loss <= min(bias, 1 - bias) + alpha:
            good += weights[k]
        else:
            bad += weights[k]
    return settle(
        good >= enough,
        f"both constants on one point, labels 1 with probability {bias}, n = {n}: the excess is "
        f"above {alpha} with probability {float(Fraction(bad, whole**n)):.4g} or more, beta = {beta}",
    )


def moves_at_most(learner: Predicts, n: int, gamma: Fraction, step: int = 1) -> Finding:
    """Settle gamma-stability on samples at one point, of every ``step``-th number of ones."""
    for k in range(0, n, step):
        p, q = (learner.probabilities(counted(n, ones), [0])[0] for ones in (k, k + 1))
        if abs(p - q) > gamma:
            return settle(
                False,
                f"both constants on one point, n = {n}: from {k} to {k + 1} ones the prediction "
                f"moves by {float(abs(p - q)):.4g} > {gamma}",
            )
    return settle(True, "")


def private_up_to(
    learner: Predicts, n: int, factor: Fraction | float, places: Sequence[int]
) -> Finding:
    """Settle private prediction on samples at one point, next to the given numbers of ones."""
    for k in places:
        p, q = (learner.probabilities(counted(n, ones), [0])[0] for ones in (k, k + 1))
        found = factor_between(p, q)
        if found > factor:
            return settle(
                False,
                f"both constants on one point, n = {n}: between {k} and {k + 1} ones the factor is "
                f"{float(found):.5g} > {float(factor):.5g}",
            )
    return settle(True, "")
