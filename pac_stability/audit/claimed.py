"""What is claimed of an algorithm, and whether a value keeps to it."""

from __future__ import annotations

import math
from fractions import Fraction

from pac_stability.arithmetic import Epsilon, ExactNumber, Interval, as_fraction
from pac_stability.audit.results import Value, Verdict
from pac_stability.errors import InvalidInput


def claimed_factor(claim: Epsilon | float | ExactNumber | None) -> Fraction | None:
    """Return the factor e**epsilon of a claimed epsilon."""
    if claim is None:
        return None
    if isinstance(claim, str):
        claim = as_fraction(claim, "claim")
    return claim.ratio if isinstance(claim, Epsilon) else Epsilon(claim).ratio


def claimed_number(claim: ExactNumber | None) -> Fraction | None:
    """Return a claimed parameter that is a number from 0 to 1."""
    if claim is None:
        return None
    value = as_fraction(claim, "claim")
    if not 0 <= value <= 1:
        raise InvalidInput("claim", str(value), "a number from 0 to 1")
    return value


def verdict_on(value: Value, claim: Fraction | None) -> Verdict:
    """Return what a value says of a claim, when everything was examined."""
    low, high = (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
    if claim is None:
        return Verdict.VERIFIED if low == high else Verdict.BOUNDED
    if high != math.inf and high <= claim:
        return Verdict.VERIFIED
    return Verdict.REFUTED if low > claim else Verdict.BOUNDED
