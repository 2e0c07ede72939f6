"""What a predictor may return: a label, or the probability of one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from numbers import Rational, Real

from pac_stability.arguments import as_label, described
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.randomness import LazyUniform
from pac_stability.randomness.watch import assume

RETURNED = (
    "A number between 0 and 1 that it returns is the probability of label 1, and a dictionary has "
    "that of each label: the label is drawn with it."
)
"""What is said of a predictor that returns probabilities."""

FLOATS_RETURNED = (
    "A float that it returns as a probability is the exact binary number that it is; of a "
    "dictionary, or a row, that of label 1 counts, and label 0 has the rest."
)
"""What is said of a predictor that returns floats as probabilities."""

_TOLERANCE = Fraction(1, 2**50)
_WANTED = (
    "a label, 0 or 1, or its probability: a number from 0 to 1 for label 1, or a dictionary "
    "{0: ..., 1: ...} that sums to 1"
)


def label_of(value: object) -> int:
    """Return a label as 0 or 1; what a program computes may be the 1.0 of an array of floats."""
    if isinstance(value, LazyUniform):
        hash(value)  # which is refused, as it is for any other result
    return as_label(value == 1 if isinstance(value, Real) and value in (0, 1) else value, "label")


def probability_of_one(value: object) -> int | Fraction:
    """Return the probability of label 1 that a predictor returned; 0 or 1 for a label.

    Raises
    ------
    InvalidInput
        It is neither a label nor a probability.

    Examples
    --------
    >>> probability_of_one(True), probability_of_one(0.25), probability_of_one({1: 1})
    (1, Fraction(1, 4), Fraction(1, 1))
    """
    if type(value) is int and (value == 0 or value == 1):  # noqa: PLR1714  # asked very often
        return value
    if isinstance(value, FiniteDistribution):
        value = dict(value.items())
    if isinstance(value, Mapping):
        return of_labels(value)
    if isinstance(value, Rational) and value in (0, 1):
        return label_of(value)
    if isinstance(value, Real):
        share = _share(value)
        if share not in (0, 1):
            assume(RETURNED)
        return share
    try:
        return label_of(value)
    except InvalidInput as error:
        raise InvalidInput("label", error.given, _WANTED) from None


def of_labels(shares: Mapping[object, object]) -> Fraction:
    """Return the probability of label 1, given that of each label that has any.

    Raises
    ------
    InvalidInput
        A key is no label, or the numbers are no probabilities that sum to 1.
    """
    exact = {}
    for label, share in shares.items():
        if isinstance(share, LazyUniform):
            hash(share)  # refused
        if not isinstance(share, Real):
            raise InvalidInput("label", described(shares), _WANTED)
        exact[label_of(label)] = _share(share)
    rounded = any(not isinstance(share, Rational) for share in shares.values())
    one = exact.get(1, Fraction(0))
    # Floats that are each other's complement were rounded.
    if abs(one + exact.get(0, Fraction(0)) - 1) > (_TOLERANCE if rounded else 0):
        raise InvalidInput("label", f"{described(shares)}, which does not sum to 1", _WANTED)
    assume(RETURNED)
    return one


def _share(value: Real) -> Fraction:
    if isinstance(value, Rational):
        share = Fraction(int(value.numerator), int(value.denominator))
    elif math.isfinite(number := float(value)):
        share = Fraction(number)
        if share not in (0, 1):
            assume(FLOATS_RETURNED)
    else:
        raise InvalidInput("label", str(number), _WANTED)
    if not 0 <= share <= 1:
        raise InvalidInput("label", described(value), _WANTED)
    return share
