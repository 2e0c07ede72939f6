"""Bounds on the worst adversary in the split reading, beside adversaries that mix two tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import TypeAlias

from pac_stability.claims.trials import Budget, Finding, all_of, at_most, trial
from pac_stability.data import FiniteDistribution
from pac_stability.notions.split_reading import split_bounds

Told: TypeAlias = tuple[int, Fraction]
"""How many examples there are, of two fair bits each, and epsilon; no output tells of them."""
Bounds: TypeAlias = Callable[[Told], tuple[Fraction, Fraction]]
"""The lower and the upper one."""
Test: TypeAlias = tuple[tuple[int, int], ...]

_POINTS: tuple[tuple[int, int], ...] = tuple((a, b) for a in (0, 1) for b in (0, 1))


def _instances(_: Budget) -> Iterator[Told]:
    yield from product((2, 3), (Fraction(1, 5), Fraction(1, 4)))


def _says_nothing(_: object) -> FiniteDistribution[int]:
    return FiniteDistribution.point_mass(0)


def _with_coins(told: Told) -> tuple[Fraction, Fraction]:
    n, epsilon = told
    found = split_bounds(_says_nothing, FiniteDistribution.uniform(_POINTS).power(n), epsilon)
    return found.lower, found.upper


def _without_coins(told: Told) -> tuple[Fraction, Fraction]:
    n, epsilon = told
    samples = FiniteDistribution.uniform(_POINTS).power(n)
    found = split_bounds(_says_nothing, samples, epsilon, randomised=False)
    return found.lower, found.upper


def _enclosed(bounds: Bounds, told: Told) -> Finding:
    """One bit at random is below the lower bound, any two tests at random below the upper one."""
    n, epsilon = told
    lower, upper = bounds(told)
    samples = list(product(_POINTS, repeat=n))

    def off(test: Test) -> list[bool]:
        mass = Fraction(len(test), 4)
        return [abs(Fraction(sum(z in test for z in S), n) - mass) > epsilon for S in samples]

    def split(one: Test, other: Test) -> Fraction:
        values = [Fraction(a + b, 2) for a, b in zip(off(one), off(other), strict=True)]
        return min(
            gamma + Fraction(sum(value > gamma for value in values), len(values))
            for gamma in {Fraction(0), *values}
        )

    first, second = (tuple(z for z in _POINTS if z[i]) for i in (0, 1))
    tests = [test for size in range(5) for test in combinations(_POINTS, size)]
    bit, worst = split(first, second), max(split(*pair) for pair in combinations(tests, 2))
    text = f"two fair bits, n = {n}, epsilon = {epsilon}: bounds {lower} and {upper};"
    return all_of(
        (
            at_most(bit, lower, f"{text} a bit at random reaches {bit}"),
            at_most(worst, upper, f"{text} two tests at random reach {worst}"),
        )
    )


MIXED = trial(
    "bounds on the worst adversary",
    _enclosed,
    _instances,
    subject=_with_coins,
    mutant=_without_coins,
    universe="two fair bits and no output, two and three examples: one of the bits at random, and "
    "all pairs of tests",
)
"""Where an adversary that tosses a coin does more harm than each that does not."""
