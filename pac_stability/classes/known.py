"""Values of dimensions that are known in closed form, each with its source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A dimension known without computing it.

    Families and finite tables carry a mapping ``known`` from ``"littlestone"``, ``"vc"``,
    ``"dual_vc"`` and ``"threshold"`` to such values; a key is absent when no closed form is known
    for all parameters.  The threshold dimension is the largest ``k`` with hypotheses
    ``h_1..h_k`` and points ``x_1..x_k`` such that ``h_i(x_j) = 1`` exactly when ``i <= j``.

    Attributes
    ----------
    value
        The dimension; ``math.inf`` for an infinite one.
    source
        A citation, or the argument in a line.
    """

    value: int | float
    source: str
