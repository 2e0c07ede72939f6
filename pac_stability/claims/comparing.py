"""Comparisons of what an instance needs with what a statement allows."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.audit import Verdict
from pac_stability.claims.finding import Finding, fails, holds, idle, undecided

Real: TypeAlias = int | Fraction | Interval


def at_most(value: Real, bound: Real, text: str, *, ceiling: Real | None = None) -> Finding:
    """Settle ``value <= bound`` for numbers that are known exactly or enclosed.

    The tension is ``value / bound``; of what is enclosed, something below it.

    Parameters
    ----------
    value, bound
        What the instance needs, and what the statement allows. Neither is negative by its meaning;
        an instance that needs nothing is idle, unless nothing is allowed: then it has no tension.
    text
        Both sides, for the case that it fails or is not decided.
    ceiling
        What the value cannot exceed whatever the instance: 1 for a probability. Where the bound
        reaches it, the instance is idle.

    Examples
    --------
    >>> at_most(Fraction(1, 4), Fraction(1, 2), "1/4 against 1/2").tension
    Fraction(1, 2)
    >>> at_most(Fraction(1, 4), 3, "1/4 against 3", ceiling=1).idle
    True
    """
    low, high = _ends(value)
    least, most = _ends(bound)
    if low > most:
        return fails(text)
    if high > least:
        return undecided(f"{text}: [{value}] and [{bound}] overlap")
    if high <= 0 < most or (ceiling is not None and most >= _ends(ceiling)[0]):
        return idle()
    return _strained(low, most)


def at_least(
    value: Real, bound: Real, text: str, *, floor: Real = 0, strictly: bool = False
) -> Finding:
    """Settle ``value >= bound``, or ``value > bound``; the tension is ``bound / value``.

    Parameters
    ----------
    value, bound
        What the instance attains, and what the statement promises.
    text
        Both sides, for the case that it fails or is not decided.
    floor
        What the value attains whatever the instance. Where the bound does not exceed it, the
        instance is idle.
    strictly
        Whether the two must differ.

    Examples
    --------
    >>> at_least(4, 3, "4 against 3").tension
    Fraction(3, 4)
    >>> at_least(4, 0, "4 against 0").idle
    True
    """
    low, high = _ends(value)
    least, most = _ends(bound)
    if high < least or (strictly and high == least):
        return fails(text)
    if low < most or (strictly and low == most):
        return undecided(f"{text}: [{value}] and [{bound}] overlap")
    if most < _ends(floor)[0] or (most == _ends(floor)[0] and not strictly):
        return idle()
    return _strained(least, high)


def factor_at_most(value: Real | float, bound: Real | float, text: str) -> Finding:
    """Settle ``value <= bound`` for factors ``e**epsilon``; the tension is that of the epsilons.

    Parameters
    ----------
    value
        The factor that the instance needs, ``math.inf`` if none serves. Where it is 1 or less the
        instance is idle.
    bound
        The factor that the statement allows, ``math.inf`` if any. Then the instance is idle.
    text
        Both sides, for the case that it fails or is not decided.

    Examples
    --------
    >>> float(factor_at_most(2, 4, "2 against 4").tension)
    0.5
    >>> factor_at_most(1, 4, "1 against 4").idle
    True
    """
    if isinstance(bound, float):
        return idle()
    if isinstance(value, float):
        return fails(text)
    found = at_most(value, bound, text)
    if found.verdict is not Verdict.VERIFIED or found.idle:
        return found
    low, high = _ends(value)
    most = _ends(bound)[1]
    if high <= 1:
        return idle()
    if low <= 1 or low == most:
        return _strained(low - 1, most - 1)
    needed, allowed = Interval.log(low), Interval.log(most)
    return _strained(needed.lower, max(allowed.upper, needed.lower))


def _strained(needed: Fraction, allowed: Fraction) -> Finding:
    """Return that it holds, with the tension, which is no number where nothing is allowed."""
    if allowed <= 0:
        return holds()
    return Finding(Verdict.VERIFIED, tension=max(needed / allowed, Fraction(0)))


def _ends(value: Real) -> tuple[Fraction, Fraction]:
    if isinstance(value, Interval):
        return value.lower, value.upper
    number = Fraction(value)
    return number, number
