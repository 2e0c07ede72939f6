"""Checks of parameters that the parts of this package share."""

from __future__ import annotations

from pac_stability.arithmetic import Epsilon, ExactNumber
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms._checks import as_epsilon


def as_positive_epsilon(epsilon: Epsilon | float | ExactNumber) -> Epsilon:
    """Return an epsilon above 0, or refuse it."""
    asked = as_epsilon(epsilon)
    if asked.ratio == 1:
        raise InvalidInput("epsilon", "0", "a number above 0 (at least 2**-64)")
    return asked


def require_word(word: object, argument: str, words: tuple[str, ...]) -> None:
    """Refuse what is none of some words."""
    if not isinstance(word, str) or word not in words:
        raise InvalidInput(argument, described(word), " or ".join(map(repr, words)))
