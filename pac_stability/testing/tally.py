"""How many checks ran, and how much they may do: what checks and the pytest plugin share.

It imports nothing of the library, so that the plugin can.
"""

from __future__ import annotations

from dataclasses import dataclass

BUDGETS = ("quick", "standard", "deep")


@dataclass(slots=True)
class CheckTally:
    """Counts since this process started.

    Attributes
    ----------
    checks
        Checks that came to an end, whatever it was.
    pairs
        Pairs of neighbouring samples that they compared.
    samples
        Samples whose laws they asked for.
    budget
        How much a check may do that was not told: one of ``BUDGETS``.
    """

    checks: int = 0
    pairs: int = 0
    samples: int = 0
    budget: str = BUDGETS[0]


TALLY = CheckTally()
"""The counts of this process."""
