"""Whether a learner learns the constants on one point: the smallest class, gone through exactly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.claims.comparing import at_most, factor_at_most
from pac_stability.claims.dagan_feldman._questions import AnySample, factor_between
from pac_stability.claims.finding import Finding, all_of
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.learning import Predictor

CONSTANTS = FiniteClass([[0], [1]])


Predicts: TypeAlias = Predictor[Hashable, Fraction]
"""A learner with exact predictions."""


def counted(n: int, ones: int) -> AnySample:
    """Return the sample of n examples at one point with some labels 1."""
    return Sample([0] * n, [1] * ones + [0] * (n - ones))


def binomial_weights(n: int, bias: Fraction) -> list[int]:
    """Return the probabilities of 0 to n ones, times the n-th power of the denominator."""
    one, zero = bias.numerator, bias.denominator - bias.numerator
    zeros = [1]
    for _ in range(n):
        zeros.append(zeros[-1] * zero)
    weights, ways = [], 1
    for k in range(n + 1):
        weights.append(ways * zeros[n - k])
        ways = ways * one * (n - k) // (k + 1) if one else 0
    return weights


def learns_a_coin(
    learner: Predicts, n: int, bias: Fraction, alpha: Fraction, beta: Fraction
) -> Finding:
    """Settle whether the excess is at most alpha with probability 1 - beta over the sample.

    Labels are 1 with the given bias, and the learner must not depend on the order. Numbers of ones
    are gone through from the likeliest outwards, until enough of them are learned well.
    """
    weights = binomial_weights(n, bias)
    whole = bias.denominator
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
    return at_most(
        Interval(Fraction(bad), whole**n - good),
        whole**n - enough,
        f"both constants on one point, labels 1 with probability {bias}, n = {n}: the excess is "
        f"above {alpha} with probability {float(Fraction(bad, whole**n)):.4g} or more, beta = "
        f"{beta}",
    )


def moves_at_most(learner: Predicts, n: int, gamma: Fraction, step: int = 1) -> Finding:
    """Settle gamma-stability on samples at one point, of every ``step``-th number of ones."""
    worst = Fraction(0), 0
    for k in range(0, n, step):
        p, q = (learner.probabilities(counted(n, ones), [0])[0] for ones in (k, k + 1))
        worst = max(worst, (abs(p - q), k))
    moved, k = worst
    return at_most(
        moved,
        gamma,
        f"both constants on one point, n = {n}: from {k} to {k + 1} ones the prediction moves by "
        f"{float(moved):.4g} > {gamma}",
        ceiling=1,
    )


def private_up_to(
    learner: Predicts, n: int, factor: Fraction | float, places: Sequence[int]
) -> Finding:
    """Settle private prediction on samples at one point, next to the given numbers of ones."""

    def at(k: int) -> Finding:
        p, q = (learner.probabilities(counted(n, ones), [0])[0] for ones in (k, k + 1))
        found = factor_between(p, q)
        return factor_at_most(
            found,
            factor,
            f"both constants on one point, n = {n}: between {k} and {k + 1} ones the factor is "
            f"{float(found):.5g} > {float(factor):.5g}",
        )

    return all_of(map(at, places))
