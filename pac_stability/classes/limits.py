"""How large a table the library builds by itself."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pac_stability.errors import InvalidInput

MAX_CELLS = 2**30
"""Entries (hypotheses times points) of the largest table that a constructor or a family builds.

At a byte an entry this is a gibibyte.  Tables that the caller brings are not limited.
"""


MAX_EXPONENT = 64
"""Largest exponent of a number of points or hypotheses that is worth computing."""


def check_cells(what: str, hypotheses: int, points: int) -> None:
    """Refuse a table that would be too large, before anything is allocated.

    Raises
    ------
    InvalidInput
        ``hypotheses * points`` passes :data:`MAX_CELLS`, or there are that many hypotheses.
    """
    if hypotheses * max(points, 1) > MAX_CELLS:
        raise InvalidInput(
            what,
            f"up to {_count(hypotheses)} hypotheses on {_count(points)} points",
            f"at most {MAX_CELLS} table entries",
        )


def check_subsets(what: str, points: int, elements: int, sizes: Iterable[int]) -> None:
    """Refuse one hypothesis for each subset of these sizes, increasing, when that is too many."""
    total = 0
    for size in sizes:
        total += math.comb(elements, size)
        check_cells(what, total, points)


def _count(number: int) -> str:
    """Write a count that may have thousands of digits."""
    return str(number) if number < 10**12 else f"2^{number.bit_length() - 1} or more"
