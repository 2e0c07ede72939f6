"""Comparisons of what an instance needs with what a statement allows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.audit import Verdict
from pac_stability.claims.finding import Finding, fails, holds, idle, undecided
from pac_stability.errors import InvalidInput

Real: TypeAlias = int | Fraction | Interval

_SHARE: ContextVar[Fraction] = ContextVar("share", default=Fraction(1))


@contextmanager
def tightened(share: Fraction) -> Iterator[None]:
    """Compare, for a while, as if a statement allowed a share of what it allows, and no more.

    Who asks the question of a trial once more below the tension of an instance learns whether it
    compares what it says: the instance has to refute it then.

    Parameters
    ----------
    share
        Above 0, at most 1. An upper bound is multiplied by it, a lower bound divided, and of a
        factor it is the epsilon that is multiplied.

    Examples
    --------
    >>> with tightened(Fraction(1, 3)):
    ...     at_most(Fraction(1, 4), Fraction(1, 2), "1/4 against 1/6").verdict.value
    'refuted'
    """
    if not 0 < share <= 1:
        raise InvalidInput("share", described(share), "a number above 0, at most 1")
    before = _SHARE.set(_SHARE.get() * share)
    try:
        yield
    finally:
        _SHARE.reset(before)


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
    return _at_most(value, _scaled(bound, _SHARE.get()), text, ceiling)


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
    least, most = _ends(_scaled(bound, 1 / _SHARE.get()))
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
    bound = _root(bound, _SHARE.get())
    found = _at_most(value, bound, text)
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


def _at_most(value: Real, bound: Real, text: str, ceiling: Real | None = None) -> Finding:
    low, high = _ends(value)
    least, most = _ends(bound)
    if low > most:
        return fails(text)
    if high > least:
        return undecided(f"{text}: [{value}] and [{bound}] overlap")
    if high <= 0 < most or (ceiling is not None and most >= _ends(ceiling)[0]):
        return idle()
    return _strained(low, most)


def _scaled(bound: Real, share: Fraction) -> Real:
    return bound if share == 1 else bound * share


def _root(factor: Real, share: Fraction) -> Real:
    """Return the factor whose epsilon is a share of that of a factor; one up to 1 has none."""
    low, _ = _ends(factor)
    if share == 1 or low <= 1:
        return factor
    # A factor near 1 is told from 1 by as many bits.
    bits = 80 + (1 / (low - 1)).__ceil__().bit_length()
    return Interval.exp(share * Interval.log(factor, bits), bits)


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
