"""The instance that an audit is about: what samples are made of, and where they are compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from pac_stability.arithmetic import as_size
from pac_stability.data import Neighbouring, all_examples
from pac_stability.data._values import described, distinct
from pac_stability.errors import InvalidInput


class Options(TypedDict, total=False):
    """What every audit over neighbouring samples accepts besides its own arguments.

    Attributes
    ----------
    labelled
        Whether samples are made of labelled examples over the domain (the default), or of the
        elements of the domain themselves; these samples are tuples.
    symmetric
        Whether the answers do not depend on the order of the sample; by default what the attribute
        ``symmetric`` of the algorithm says, and no if there is none.
    relation
        Which samples are neighbours.
    """

    labelled: NotRequired[bool]
    symmetric: NotRequired[bool]
    relation: NotRequired[Neighbouring]


def points_of(domain: int | Iterable[object], argument: str = "domain") -> tuple[object, ...]:
    """Return the points of a domain; a number m stands for 0, ..., m - 1."""
    if isinstance(domain, bool) or not isinstance(domain, Iterable):
        return tuple(range(as_size(domain, argument)))
    if isinstance(domain, str):
        raise InvalidInput(argument, described(domain), "an integer or the points themselves")
    return distinct(domain, argument)


def universe_of(points: tuple[object, ...], labelled: bool) -> tuple[object, ...]:
    """Return what samples are made of."""
    return all_examples(points) if labelled else points
