"""Checks of the parameters, and how what is allowed is divided among the steps of a proof."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, get_args

from pac_stability.arguments import require_word

Constants: TypeAlias = Literal["paper", "sharp"]
"""The budget and the constants of the paper and its citations, or the best that we can prove."""

HALF = Fraction(1, 2)


class Share(NamedTuple):
    """A part of what is allowed, and the step that may spend it."""

    of: Literal["alpha", "beta", "gamma"]
    step: str
    amount: Fraction


def require_constants(constants: str) -> bool:
    """Return whether the constants asked for are the paper's; refuse other words."""
    require_word(constants, "constants", get_args(Constants))
    return constants == "paper"
