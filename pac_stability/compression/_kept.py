"""What the schemes share: checks of what comes in, and looking for examples to keep."""

from __future__ import annotations

from collections.abc import Hashable

from pac_stability.arguments import described
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput


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
