"""Checks of the parameters, and how what is allowed is divided among the steps of a proof."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, get_args

from pac_stability.arithmetic import Epsilon, ExactNumber
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms._checks import as_epsilon

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
    if constants not in get_args(Constants):
        raise InvalidInput("constants", described(constants), "'paper' or 'sharp'")
    return constants == "paper"


def as_positive_epsilon(epsilon: Epsilon | float | ExactNumber) -> Epsilon:
    """Return a privacy parameter above 0, or refuse it."""
    asked = as_epsilon(epsilon)
    if asked.ratio == 1:
        raise InvalidInput("epsilon", "0", "a number above 0 (at least 2**-64)")
    return asked
