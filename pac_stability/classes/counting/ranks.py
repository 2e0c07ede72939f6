"""Exact numbers in order, and where others stand among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.classes.counting.points import Exact
from pac_stability.classes.exact import Number
from pac_stability.data.sample import LARGEST_INTEGER

Places: TypeAlias = npt.NDArray[np.intp]


def numbers_below(values: Exact, cuts: Sequence[Number]) -> Places:
    """Count, for each cut, the values below it.

    Parameters
    ----------
    values
        Sorted, shape (v,).
    cuts
        Exact numbers of any size.

    Notes
    -----
    An integer is below t when it is below the least integer that is at least t; so it is with
    floats. Cuts are rounded up in this way to the type of the values, and nothing is lost.
    """
    return _places(values, cuts, up=True)


def numbers_up_to(values: Exact, cuts: Sequence[Number]) -> Places:
    """Count, for each cut, the values that are at most it: cuts may be rounded down."""
    return _places(values, cuts, up=False)


def at_least(values: Exact, cut: Number) -> npt.NDArray[np.bool_]:
    """Mark the values, in any order, that are at least a cut."""
    return np.asarray(values >= _rounded(cut, values.dtype.kind, up=True), dtype=bool)


def at_most(values: Exact, cut: Number) -> npt.NDArray[np.bool_]:
    """Mark the values, in any order, that are at most a cut."""
    return np.asarray(values <= _rounded(cut, values.dtype.kind, up=False), dtype=bool)


def _places(values: Exact, cuts: Sequence[Number], *, up: bool) -> Places:
    # The hypotheses of a family share the numbers they are made of: each is looked up once.
    names = np.fromiter(map(id, cuts), dtype=np.uintp, count=len(cuts))
    _, first, which = np.unique(names, return_index=True, return_inverse=True)
    rounded = np.empty(len(first), dtype=values.dtype)
    rounded[:] = [_rounded(cuts[index], values.dtype.kind, up) for index in first.tolist()]
    places = np.searchsorted(values, rounded, side="left" if up else "right")
    return np.asarray(places[which])


def _rounded(cut: Number, kind: str, up: bool) -> Number | float:
    """Return the nearest number of a type on one side."""
    if kind == "O":
        return cut
    if kind == "i":
        whole = math.ceil(cut) if up else math.floor(cut)
        return max(-LARGEST_INTEGER, min(whole, LARGEST_INTEGER))  # values are smaller in size
    try:
        near = float(cut)
    except OverflowError:
        near = math.inf if cut > 0 else -math.inf
    if up:
        return near if near >= cut else math.nextafter(near, math.inf)
    return near if near <= cut else math.nextafter(near, -math.inf)
