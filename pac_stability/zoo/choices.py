"""Specimens that choose by votes."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.mechanisms import ExponentialMechanism, PermuteAndFlip, SoftMajorityVote
from pac_stability.zoo._parts import bits, curve, of
from pac_stability.zoo.specimen import Records, Specimen

_HALF = Fraction(1, 2)
_CANDIDATES = ("a", "b", "c")


def _votes_against(data: Records) -> list[int]:
    return [sum(vote != candidate for vote in data) for candidate in _CANDIDATES]


CHOICES = (
    Specimen(
        "exponential-mechanism",
        "Two votes for three candidates, weight 2 to the number of votes. The factor is 12/5, not"
        " the 4 of the general guarantee: finite instances are better than theorems.",
        ExponentialMechanism(_CANDIDATES, _votes_against, _HALF),
        _CANDIDATES,
        2,
        ((("a", "b"), ("a", "a")),),
        # Weights 2, 2, 1 of 5 against 4, 1, 1 of 6. Chosen b; chosen b or c.
        curve(("2/5", "1/6"), ("3/5", "1/3")),
    ),
    Specimen(
        "permute-and-flip",
        "One vote for three candidates; the others are taken with probability 1/2 in their turn.",
        PermuteAndFlip(_CANDIDATES, _votes_against, _HALF),
        _CANDIDATES,
        1,
        ((("a",), ("b",)),),
        # The favourite is first, second or third in turn: (1 + 1/2 + 1/4)/3 = 7/12, and each other
        # has half of the rest.
        curve(("7/12", "5/24")),
    ),
    Specimen(
        "soft-majority",
        "Three votes, label 1 with weight 2 to the votes for it. The worst pair changes at"
        " e**epsilon = 3/2: near stability (epsilon = 0) it is a close vote, for pure privacy a"
        " nearly unanimous one.",
        of(bits, SoftMajorityVote(_HALF)),
        (0, 1),
        3,
        (((0, 0, 1), (0, 0, 0)), ((0, 1, 1), (0, 0, 1))),
        # Label 1 has probability 1/9, 1/3, 2/3, 8/9 with 0, 1, 2, 3 votes.
        curve(("1/3", "1/9"), ("2/3", "1/3")),
    ),
)
