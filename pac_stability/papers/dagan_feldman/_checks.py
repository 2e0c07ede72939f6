"""Checks that the learners of this package share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from pac_stability.arithmetic import as_size
from pac_stability.arithmetic.exact import in_words
from pac_stability.classes import Family
from pac_stability.data import Sample
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms._checks import as_decay


def require_patterns(H: object) -> None:
    """Refuse what lists no patterns on points, and so is no family of hypotheses."""
    # Thresholds where Thresholds() is meant would have the method, but nobody to ask.
    if isinstance(H, type) or not callable(getattr(H, "representatives_on", None)):
        raise InvalidInput("H", described(H), "a class: a FiniteClass or another Family")


def require_family(H: Family) -> None:
    """Refuse what is no family of hypotheses, and the empty class."""
    require_patterns(H)
    # On no point there is one pattern, unless there is no hypothesis to have it.
    if not H.representatives_on(()):
        raise InvalidInput("H", "the empty class", "at least one hypothesis")


def as_selection(sample: object, subset_size: object, decay: object) -> tuple[int, Fraction]:
    """Check what a selection distribution depends on, besides the class; return n' and rho."""
    if not isinstance(sample, Sample):
        raise InvalidInput("sample", described(sample), "a Sample")
    if not len(sample):
        raise InvalidInput("sample", "no examples", "at least one")
    size = as_size(subset_size, "subset_size", least=1)
    if size > len(sample):
        wanted = f"at most {len(sample)}, the size of the sample"
        raise InvalidInput("subset_size", in_words(size), wanted)
    return size, as_decay(decay)


def require_word(word: object, argument: str, words: Sequence[str]) -> None:
    """Refuse what is none of some words."""
    # An array compares with a word entry by entry.
    if not isinstance(word, str) or word not in words:
        raise InvalidInput(argument, described(word), " or ".join(map(repr, words)))


def subset_size_for(n: int, share: Fraction) -> int:
    """Return a share of n, rounded down, or say for which n there is one."""
    least = math.ceil(1 / share)
    size = as_size(n, "n")
    if size < least:
        raise InvalidInput("n", in_words(size), f"at least {least} examples for a subset of one")
    return math.floor(size * share)
