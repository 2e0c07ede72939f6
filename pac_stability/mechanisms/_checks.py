"""Checks on parameters and inputs that several mechanisms share."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from fractions import Fraction

from pac_stability.arithmetic import Epsilon, ExactNumber, as_fraction
from pac_stability.arithmetic.exact import in_words
from pac_stability.data import FiniteDistribution
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput


def as_epsilon(epsilon: Epsilon | float | ExactNumber) -> Epsilon:
    """Return a privacy parameter that may have been given as a number."""
    return epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)


def require_epsilon(epsilon: object) -> None:
    """Refuse what is no Epsilon, where a class keeps one as a field."""
    if not isinstance(epsilon, Epsilon):
        raise InvalidInput("epsilon", described(epsilon), "an Epsilon, such as Epsilon(1.0)")


def as_probability(value: object, argument: str, most: Fraction | int = 1) -> Fraction:
    """Return an exact number between 0 and ``most``, or refuse it."""
    number = as_fraction(value, argument)
    if not 0 <= number <= most:
        raise InvalidInput(argument, in_words(number), f"an exact number from 0 to {most}")
    return number


def as_decay(value: object, *, below_one: bool = False) -> Fraction:
    """Return a factor ``decay`` that is positive and at most one (below one, if so wanted)."""
    number = as_fraction(value, "decay")
    if number <= 0 or number > 1 or (below_one and number == 1):
        wanted = "an exact number above 0 and " + ("below 1" if below_one else "at most 1")
        raise InvalidInput("decay", in_words(number), wanted)
    return number


def as_integer(value: object, argument: str) -> int:
    """Return an integer of either sign, or refuse it."""
    if not isinstance(value, bool):
        try:
            return operator.index(value)  # type: ignore[arg-type]  # the TypeError is the check
        except TypeError:
            pass
    raise InvalidInput(argument, described(value), "an integer")


def as_label(value: object, argument: str) -> int:
    """Return a label of any integer or truth type as 0 or 1, or refuse it."""
    try:
        label = operator.index(value)  # type: ignore[arg-type]  # the TypeError is the check
    except TypeError:
        label = -1
    if label not in (0, 1):
        raise InvalidInput(argument, described(value), "a label, 0 or 1")
    return label


def as_labels(values: Iterable[int], argument: str) -> tuple[int, ...]:
    """Return at least one label as a tuple."""
    try:
        kept = tuple(values)
    except TypeError:
        raise InvalidInput(argument, described(values), "labels") from None
    if not kept:
        raise InvalidInput(argument, "none", "at least one label")
    return tuple(as_label(value, argument) for value in kept)


def label_law(one: Fraction) -> FiniteDistribution[int]:
    """Return the law of a label that is 1 with the given probability."""
    return FiniteDistribution({1: one, 0: 1 - one})
