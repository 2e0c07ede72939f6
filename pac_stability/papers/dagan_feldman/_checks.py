"""Checks that the learners of this package share."""

from __future__ import annotations

import math
from fractions import Fraction

from pac_stability.arithmetic import as_fraction, as_size
from pac_stability.arithmetic.exact import in_words
from pac_stability.classes import Family
from pac_stability.data import AnySample, ArraySample, Sample
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput


def require_family(H: Family) -> None:
    """Refuse what is no family of hypotheses, and the empty class."""
    if not callable(getattr(H, "representatives_on", None)):
        raise InvalidInput("H", described(H), "a class: a FiniteClass or another Family")
    # On no point there is one pattern, unless there is no hypothesis to have it.
    if not H.representatives_on(()):
        raise InvalidInput("H", "the empty class", "at least one hypothesis")


def require_sample(sample: object, least: int) -> None:
    """Refuse what is no sample, and one with fewer examples than are needed."""
    if not isinstance(sample, Sample):
        raise InvalidInput("sample", described(sample), "a Sample")
    _require_size(sample, least)


def require_any_sample(sample: object, least: int) -> None:
    """The same, where a sample may be in arrays."""
    if not isinstance(sample, Sample | ArraySample):
        raise InvalidInput("sample", described(sample), "a Sample or an ArraySample")
    _require_size(sample, least)


def _require_size(sample: AnySample, least: int) -> None:
    if len(sample) < least:
        raise InvalidInput("sample", f"{len(sample)} examples", f"at least {least} examples")


def as_open_unit(value: object, argument: str) -> Fraction:
    """Return an exact number strictly between 0 and 1, or refuse it."""
    number = as_fraction(value, argument)
    if not 0 < number < 1:
        raise InvalidInput(argument, in_words(number), "an exact number above 0 and below 1")
    return number


def subset_size_for(n: int, share: Fraction) -> int:
    """Return a share of n, rounded down, or say for which n there is one."""
    least = math.ceil(1 / share)
    if as_size(n, "n") < least:
        raise InvalidInput("n", in_words(n), f"at least {least} examples for a subset of one")
    return math.floor(n * share)
