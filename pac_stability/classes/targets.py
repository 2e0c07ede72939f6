"""Targets: points drawn by weights, and labelled by a hypothesis of a class."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_number, described
from pac_stability.classes.hypothesis import Hypothesis
from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput

Weights = Mapping[Hashable, AnyNumber] | Iterable[AnyNumber]
"""A weight for each point by its name, others having none; or one for each point, in order."""


def target_of(
    domain: tuple[Hashable, ...], concept: Hypothesis, weights: Weights | None
) -> FiniteDistribution[Example[Hashable]]:
    """Return the law of an example whose point is drawn by weights, and labelled by a hypothesis.

    Raises
    ------
    InvalidInput
        A weight is negative or of no point of the domain, there is not one for each point, or all
        are 0.
    """
    shares = _shares(domain, weights)
    whole = sum(shares.values())
    if not whole:
        raise InvalidInput("weights", "only 0", "a positive weight of some point")
    return FiniteDistribution(
        {Example(x, concept(x)): share / whole for x, share in shares.items() if share}
    )


def _shares(domain: tuple[Hashable, ...], weights: Weights | None) -> dict[Hashable, Fraction]:
    if weights is None:
        return dict.fromkeys(domain, Fraction(1))
    if not isinstance(weights, Mapping):
        listed = list(weights)
        if len(listed) != len(domain):
            raise InvalidInput(
                "weights", f"{len(listed)} of them", f"{len(domain)}, one for each point"
            )
        weights = dict(zip(domain, listed, strict=True))
    shares = {}
    points = set(domain)
    for point, weight in weights.items():
        if point not in points:
            raise InvalidInput("weights", f"a weight of {described(point)}", "points of the domain")
        shares[point] = as_number(weight, "weights")
        if shares[point] < 0:
            raise InvalidInput("weights", described(weight), "weights of at least 0")
    return shares
