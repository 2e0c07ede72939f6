"""Which of the kept answers are asked for again."""

from __future__ import annotations

import math
import random
from fractions import Fraction

from pac_stability.errors import InvalidInput

HowMany = int | Fraction
"""A number of answers, or a share of them."""


def require_how_many(value: object, argument: str) -> HowMany:
    """Refuse what is neither a number of answers nor a share of them.

    Raises
    ------
    InvalidInput
        It is neither an integer of at least 0 nor a ``Fraction`` from 0 to 1.

    Examples
    --------
    >>> require_how_many(12, "check_cache"), require_how_many(Fraction(1, 10), "check_cache")
    (12, Fraction(1, 10))
    """
    number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if not number and not (isinstance(value, Fraction) and 0 <= value <= 1):
        wanted = "an integer of at least 0, or a Fraction from 0 to 1: a share"
        raise InvalidInput(argument, str(value)[:40], wanted)
    assert isinstance(value, int | Fraction)  # noqa: S101  # just seen
    return value


def chosen(how_many: HowMany, total: int) -> list[int]:
    """Return numbers below ``total``, drawn at random without repetition, in order.

    Parameters
    ----------
    how_many
        Their number, all if there are no more; or the share of all that they are at least.
    total
        How many there are.

    Notes
    -----
    Drawn from the entropy of the system, so that nobody knows which answers will be asked for.

    Examples
    --------
    >>> chosen(5, 3), len(chosen(Fraction(1, 10), 11))
    ([0, 1, 2], 2)
    """
    share = math.ceil(how_many * total) if isinstance(how_many, Fraction) else how_many
    return sorted(random.SystemRandom().sample(range(total), min(share, total)))
