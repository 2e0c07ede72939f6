"""Lines in the plane over a prime field (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from pac_stability.claims.trials import Budget, Finding, Trials, kept_counterexample, settle, trial
from pac_stability.classes import FiniteClass, affine_lines
from pac_stability.dimensions import vc_dimension

_PRIMES = (2, 3, 5, 7)


def _planes(budget: Budget) -> Iterator[tuple[int, bool]]:
    for p in _PRIMES[: budget.pick(3, 4, 4)]:
        yield from ((p, vertical) for vertical in (True, False))


def _lines(p: int, vertical: bool) -> FiniteClass:
    if vertical:
        return affine_lines(p)
    plane = list(product(range(p), repeat=2))
    return FiniteClass([[(a * x + b - y) % p == 0 for x, y in plane] for a, b in plane])


def _dimension_is(d: int, plane: tuple[int, bool]) -> Finding:
    p, vertical = plane
    rows = _lines(p, vertical).table.tolist()
    m = len(rows[0])

    def shattered(places: tuple[int, ...]) -> bool:
        return bool(len({tuple(row[x] for x in places) for row in rows}) == 2 ** len(places))

    two = any(shattered((x, y)) for x in range(m) for y in range(x))
    three = two and any(
        shattered((x, y, z))
        for x in range(m)
        for y in range(x)
        for z in range(y)
        if shattered((x, y))
    )
    found = 3 if three else 2 if two else 1
    return settle(
        found == d,
        f"{len(rows)} lines over GF({p}), {'with' if vertical else 'without'} vertical ones, "
        f"shatter {found} points",
    )


def _library_dimension(dimension: Callable[[FiniteClass], int], plane: tuple[int, bool]) -> Finding:
    return _dimension_is(dimension(_lines(*plane)), plane)


TRIALS: Trials = {
    "DF20:section-1.1.lines": (
        trial(
            "small primes",
            _dimension_is,
            _planes,
            subject=1,
            universe="p = 2, 3, 5 (and 7: standard), with and without vertical lines",
        ),
        kept_counterexample("DF20:section-1.1.lines"),
    ),
    "DF20:section-1.1.lines.repaired": (
        trial(
            "small primes",
            _library_dimension,
            _planes,
            subject=vc_dimension,
            mutant=lambda H: vc_dimension(H) - 1,
            universe="p = 2, 3, 5 (and 7: standard), with and without vertical lines",
        ),
    ),
}
