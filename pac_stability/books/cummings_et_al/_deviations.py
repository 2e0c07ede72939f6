"""What several claims ask: how often something deviates by more than a number known roughly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pac_stability.arithmetic import Interval
from pac_stability.claims.trials import Finding, at_most


def deviates_seldom(
    failure: Callable[[Fraction], Fraction],
    deviation: Interval | Fraction,
    allowed: Fraction,
    instance: object,
) -> Finding:
    """Settle whether a deviation is exceeded with at most the allowed probability.

    Parameters
    ----------
    failure
        The probability that the deviation is larger than a number; it falls with the number.
    deviation
        The number, perhaps up to an interval.
    allowed
        The probability that is allowed.
    instance
        What is examined, for the text.
    """
    ends = deviation if isinstance(deviation, Interval) else Interval.exactly(deviation)
    most = failure(max(ends.lower, Fraction(0)))
    # The failure falls in steps, so that a narrow interval seldom makes a difference.
    least = most if ends.width == 0 or most == 0 else failure(max(ends.upper, Fraction(0)))
    return at_most(
        Interval(least, most),
        allowed,
        f"{instance}: by more than {float(ends):.4f} with probability {_short(least)} > "
        f"{_short(allowed)}",
        ceiling=1,
    )


def _short(chance: Fraction) -> str:
    return str(chance) if chance.denominator < 1000 else f"{float(chance):.4f}"
