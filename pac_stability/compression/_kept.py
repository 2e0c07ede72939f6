"""What the schemes share: checks of what comes in, and looking for examples to keep."""

from __future__ import annotations

from collections.abc import Hashable

from pac_stability.classes import Family, FiniteClass
from pac_stability.data import Sample
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput


def require_family(family: Family) -> None:
    """Raise :class:`InvalidInput` unless it is a class that a scheme can be for."""
    if isinstance(family, type) or not callable(getattr(family, "restrict", None)):
        raise InvalidInput("family", described(family), "a FiniteClass or another Family")


def require_finite_class(H: FiniteClass) -> None:
    """Raise :class:`InvalidInput` unless it is a finite class that is not empty."""
    if not isinstance(H, FiniteClass):
        raise InvalidInput("H", described(H), "a FiniteClass")
    if len(H) == 0:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")


def require_sample(sample: Sample[Hashable], argument: str) -> None:
    """Raise :class:`InvalidInput` unless it is a sample."""
    if not isinstance(sample, Sample):
        raise InvalidInput(argument, described(sample), "a Sample")


def require_examples(sample: Sample[Hashable], argument: str) -> None:
    """Raise :class:`InvalidInput` unless it is a sample of at least one example."""
    require_sample(sample, argument)
    if len(sample) == 0:
        raise InvalidInput(argument, "no examples", "at least one example")


def require_kept(kept: Sample[Hashable], size: int) -> None:
    """Raise :class:`InvalidInput` unless it is a sample of as many examples as the scheme keeps."""
    if not isinstance(kept, Sample):
        raise InvalidInput("kept", described(kept), "a Sample of the kept examples")
    if len(kept) != size:
        raise InvalidInput("kept", f"{len(kept)} examples", f"{size}, as many as are kept")


def first_indices(sample: Sample[Hashable], label: int) -> dict[Hashable, int]:
    """Return for each point that has the label in the sample the first index where it does."""
    first: dict[Hashable, int] = {}
    for index, (point, given) in enumerate(zip(sample.points, sample.labels, strict=True)):
        if given == label:
            first.setdefault(point, index)
    return first
