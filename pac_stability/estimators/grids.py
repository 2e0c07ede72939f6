"""From measurements to small integers, by grids that nobody took from private data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size, described
from pac_stability.errors import InvalidInput

Table = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

_ROUND = tuple(
    sorted(
        {0.0, *(s * float(f"{d}e{k}") for s in (-1, 1) for d in (1, 2, 5) for k in range(-4, 6))}
    )
)


class FeatureGrid(Protocol):
    """What makes integers of measurements, row by row, in the same way for every table."""

    @property
    def largest(self) -> int:
        """Codes are integers from 0 to this."""
        ...

    def require(self, features: int, /) -> None:
        """Refuse to serve tables of another width."""
        ...

    def codes(self, table: Table, /) -> Codes:
        """Return the codes of measurements, shape (n, p)."""
        ...

    def clipped(self, table: Table, /) -> int:
        """Return how many measurements lie beyond what the codes tell apart by bounds."""
        ...

    def cuts(self, most: int, /) -> tuple[int, ...]:
        """Return places at which single features may be cut, at most so many."""
        ...

    def value(self, feature: int, code: int, /) -> float:
        """Return the least measurement of a feature that has a code."""
        ...


def evenly(largest: int, most: int) -> tuple[int, ...]:
    """Return at most so many cuts that divide 0 .. largest evenly.

    Examples
    --------
    >>> evenly(8, 3), evenly(2, 3)
    ((2, 4, 6), (1, 2))
    """
    if largest <= most:
        return tuple(range(1, largest + 1))
    return tuple(sorted({-(-t * largest // (most + 1)) for t in range(1, most + 1)}))


@dataclass(frozen=True, eq=False)
class FeatureBounds:
    """Each feature between public bounds, in equal steps; what lies beyond is clipped.

    Parameters
    ----------
    low, high
        The bounds: numbers for all features, or one for each. From knowledge of what is measured,
        such as the range of an instrument, never from the table.
    resolution
        How many steps there are between them.

    Raises
    ------
    InvalidInput
        A bound is not finite, the upper not above the lower; or on use, there is not one for each
        feature.

    Examples
    --------
    >>> grid = FeatureBounds(0, [1, 10], resolution=10)
    >>> grid.codes(np.array([[0.35, 7.0], [-1.0, 99.0]])).tolist()
    [[3, 7], [0, 10]]
    """

    low: npt.ArrayLike
    high: npt.ArrayLike
    resolution: int = 960
    _low: Table = field(init=False, repr=False)
    _step: Table = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolution", as_size(self.resolution, "resolution", 1, 1 << 16))
        low, high = (_bound(getattr(self, name), name) for name in ("low", "high"))
        try:
            low, high = np.broadcast_arrays(low, high)
        except ValueError:
            raise InvalidInput(
                "high", f"{high.size} bounds", f"{low.size}, one a feature"
            ) from None
        if not np.all(low < high):
            raise InvalidInput("high", described(self.high), "bounds above the lower ones")
        object.__setattr__(self, "_low", low.copy())
        object.__setattr__(self, "_step", (high - low) / self.resolution)

    @property
    def largest(self) -> int:
        """Codes are integers from 0 to this."""
        return self.resolution

    def require(self, features: int, /) -> None:
        """Refuse to serve tables of another width."""
        if self._low.ndim and self._low.size != features:
            given = f"{self._low.size} bounds for {features} features"
            raise InvalidInput("bounds", given, "one number, or one a feature")

    def codes(self, table: Table, /) -> Codes:
        """Return the codes of measurements, shape (n, p)."""
        steps = np.floor((table - self._low) / self._step)
        return np.clip(steps, 0, self.resolution).astype(np.int64)

    def clipped(self, table: Table, /) -> int:
        """Return how many measurements lie beyond the bounds."""
        low, high = self._low, self._low + self.resolution * self._step
        return int(np.count_nonzero((table < low) | (table > high)))

    def cuts(self, most: int, /) -> tuple[int, ...]:
        """Return places at which single features may be cut, at most so many."""
        return evenly(self.resolution, most)

    def value(self, feature: int, code: int, /) -> float:
        """Return the least measurement of a feature that has a code."""
        low, step = (np.broadcast_to(a, feature + 1) if not a.ndim else a for a in self._ends)
        return float(low[feature] + code * step[feature])

    @property
    def _ends(self) -> tuple[Table, Table]:
        return self._low, self._step


@dataclass(frozen=True)
class RoundNumbers:
    """Measurements by the round numbers that they reach: 1, 2 and 5 times powers of ten.

    For when no bounds are known. From 0.0001 to 500,000, of both signs, and 0: a code is how many
    of these 61 numbers a measurement reaches.

    Examples
    --------
    >>> grid = RoundNumbers()
    >>> grid.codes(np.array([[-1e9, 0.0, 3.0]])).tolist(), grid.value(0, 45)
    ([[0, 31, 45]], 2.0)
    """

    @property
    def largest(self) -> int:
        """Codes are integers from 0 to this."""
        return len(_ROUND)

    def require(self, features: int, /) -> None:
        """Refuse nothing: the numbers serve every feature."""

    def codes(self, table: Table, /) -> Codes:
        """Return the codes of measurements, shape (n, p)."""
        return np.searchsorted(np.array(_ROUND), table, side="right").astype(np.int64)

    def clipped(self, table: Table, /) -> int:  # noqa: ARG002  # there are no bounds
        """Return 0: no bounds were promised."""
        return 0

    def cuts(self, most: int, /) -> tuple[int, ...]:  # noqa: ARG002  # few enough
        """Return all places: a cut is a round number."""
        return tuple(range(1, self.largest + 1))

    def value(self, feature: int, code: int, /) -> float:  # noqa: ARG002  # the same for all
        """Return the least measurement that has a code."""
        return _ROUND[code - 1] if code else -np.inf


def _bound(value: npt.ArrayLike, name: str) -> Table:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(name, described(value), "a number, or one for each feature") from None
    if array.ndim > 1 or not array.size or not np.all(np.isfinite(array)):
        raise InvalidInput(name, described(value), "a finite number, or one for each feature")
    return array
