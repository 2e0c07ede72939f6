"""Exhibits that choose a candidate by weights."""

from __future__ import annotations

import math
from fractions import Fraction

from pac_stability.audit import Notion
from pac_stability.data import FiniteDistribution, FromLaw
from pac_stability.mechanisms import ExponentialMechanism
from pac_stability.zoo._parts import first
from pac_stability.zoo.museum.exhibit import Exhibit
from pac_stability.zoo.specimen import Records

_HALF = Fraction(1, 2)
_SMALLEST_EXPONENT = 1074
"""2**-1074 is the least positive float; 2**-1075 becomes 0."""


def errors_of_rare(data: Records) -> list[int]:
    """Return the errors of a candidate that is far behind, by one more if the record is 1."""
    return [0, _SMALLEST_EXPONENT + first(data)]


def weighted_in_floats(data: Records) -> FiniteDistribution[object]:
    """Return the exact law of a choice whose weights 2**-errors are floats."""
    weights = [2.0**-errors for errors in errors_of_rare(data)]
    whole = sum(map(Fraction, weights))
    return FiniteDistribution(
        {
            name: Fraction(weight) / whole
            for name, weight in zip(("common", "rare"), weights, strict=True)
        }
    )


def votes_among_those_voted_for(data: Records) -> FiniteDistribution[object]:
    """Return the law of the exponential mechanism on the candidates that got a vote."""
    candidates = tuple(sorted(map(str, set(data))))
    weights = {name: 2 ** data.count(name) for name in candidates}
    return FiniteDistribution(
        {name: Fraction(weight, sum(weights.values())) for name, weight in weights.items()}
    )


def votes_against(data: Records) -> list[int]:
    """Return for a and b how many votes went elsewhere."""
    return [sum(vote != candidate for vote in data) for candidate in ("a", "b")]


SELECTION = (
    Exhibit(
        name="tail-of-zeros",
        bug="The exponential mechanism with weights in floating point: a candidate that is 1075"
        " halvings behind has weight exactly 0, and one that is 1074 behind has not.",
        temptation="Powers of two are exact in floating point, so the base-2 mechanism seems safe,"
        " and nobody ever sees an event of probability 2**-1074. A ratio that is"
        " infinite does not care how rare it is, and with a range of scores of a few"
        " thousand it is reached at ordinary epsilons.",
        remedy="Integers of any size: weights are powers of a rational number, and exact.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=(0, 1),
        n=1,
        claim=Fraction(2),
        wrong=FromLaw(weighted_in_floats),
        right=ExponentialMechanism(("common", "rare"), errors_of_rare, _HALF, monotone=True),
        value=math.inf,
        sample=(0,),
        neighbour=(1,),
        event=("rare",),
    ),
    Exhibit(
        name="candidates-from-the-data",
        bug="The exponential mechanism among the candidates that got at least one vote.",
        temptation="Candidates without votes hardly ever win, and a list taken from the data need"
        " not be maintained. But who is on the list is then published without noise.",
        remedy="A list of candidates that is fixed before the data are seen.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=("a", "b"),
        n=1,
        claim=Fraction(4),
        wrong=FromLaw(votes_among_those_voted_for),
        right=ExponentialMechanism(("a", "b"), votes_against, _HALF),
        value=math.inf,
        sample=("a",),
        neighbour=("b",),
        event=("a",),
    ),
)
