"""What the numbers that are drawn lazily share: what they refuse, and how NumPy asks of them."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from pac_stability.errors import InvalidInput
from pac_stability.randomness.corrections import correction
from pac_stability.randomness.watch import Owner, assume, owner_of_frame, place_of

if TYPE_CHECKING:
    import numpy as np

FLOATS = (
    "A float that is compared with a draw, or given as a probability, counts at its exact binary "
    "value: 0.1 is slightly more than 1/10."
)
"""What is said of a program that gives floats which are not what they print as."""

COMPARISONS: dict[str, Callable[..., object]] = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negative": operator.neg,
    "equal": operator.eq,
    "isnan": lambda _: False,
    "isinf": lambda _: False,
    "isfinite": lambda _: True,
    "maximum": lambda a, b: a if a >= b else b,
    "minimum": lambda a, b: a if a <= b else b,
    "clip": lambda a, low, high: min(max(a, low), high),
    "absolute": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "rint": round,
    "trunc": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
}
"""What NumPy may ask of a draw that is not decided, by the name of its function."""


class InexactDraw(InvalidInput):
    """A program made a draw without an exact law, such as the digits of a real number.

    The message names the line of the program and, where one is known, the exact line to write in
    its place.
    """


class Decides(Protocol):
    """The coins of a lazy draw: exact decisions, and a way to refuse."""

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        """Return an index, each with probability its weight over the sum of the weights."""
        ...

    def bernoulli(self, p: Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise."""
        ...

    def spread(self, width: Fraction, /) -> Any:
        """Return a uniform number from 0 to a width, on the grid of noise."""
        ...

    def step(self, scale: Fraction, points: Iterable[Fraction], /) -> Fraction:
        """Return a step of the grid of noise, on which these points lie if it may be so fine."""
        ...

    def refused(self, error: InexactDraw, /) -> NoReturn:
        """Raise an error, so that it is not overlooked."""
        ...


def exact_float(value: float) -> Fraction:
    """Return a finite float at its exact binary value; report one that prints as another number."""
    number, prints = _known(value)
    if not prints:
        assume(FLOATS)
    return number


@lru_cache(maxsize=1024)  # a program compares with the same few on every path
def _known(value: float) -> tuple[Fraction, bool]:
    number = Fraction(value)
    return number, Fraction(repr(float(value))) == number


def inexact(what: str, wanted: str) -> InexactDraw:
    """Return the error for an inexact use, with its line and the correction."""
    frame = _asking(sys._getframe(1))
    line = f" at {place_of(frame)}" if frame is not None else ""
    better = correction(frame)
    return InexactDraw("rng", f"{what}{line}", f"{wanted}; write: {better}" if better else wanted)


def told(what: str) -> str:
    """Return what is said of a use that leaves something open, with its line and the correction."""
    frame = _asking(sys._getframe(1))
    if frame is None:
        return ""
    lines = _told.setdefault(id(frame.f_code), (frame.f_code, {}))[1]
    if frame.f_lineno not in lines:  # on each path the same
        better = correction(frame)
        better = f" Written so, the law is exact: {better}" if better else ""
        said = f"{what} at {place_of(frame)}, but for a share of 2^-64.{better}"
        lines[frame.f_lineno] = said
    return lines[frame.f_lineno]


_told: dict[int, tuple[CodeType, dict[int, str]]] = {}  # the code, too, so that it keeps its id


def _asking(frame: FrameType | None) -> FrameType | None:
    """Return the frame of the program: the innermost of the user's, unless it is who runs it."""
    while frame is not None and frame.f_code.co_name != "_follow":  # the tape's
        if owner_of_frame(frame) is Owner.USER:
            return frame
        frame = frame.f_back
    return None


def is_array(value: object) -> bool:
    """Return whether a value is an array with at least one axis."""
    return hasattr(value, "__array_interface__") and getattr(value, "shape", ()) != ()


def entry_by_entry(act: Callable[..., object], inputs: Iterable[object]) -> object:
    """Do with entries of arrays, and draws beside them, what NumPy asks to be done with these."""
    import numpy as np  # noqa: PLC0415  # it is loaded: it asks

    def boxed(value: object) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
        # A draw is one of the entries, whatever it could be converted to.
        array = np.empty((), dtype=object)
        if not hasattr(type(value), "_coins"):  # a number of NumPy would ask back
            return np.asarray(getattr(value, "tolist", lambda: value)(), dtype=object)
        array[()] = value
        return array

    arrays = np.broadcast_arrays(*map(boxed, inputs))
    out = np.empty(arrays[0].shape, dtype=object)
    for place, entries in enumerate(zip(*(array.flat for array in arrays), strict=True)):
        out.flat[place] = act(*entries)
    decided = out.size and all(isinstance(answer, bool) for answer in out.flat)
    return (out.astype(bool) if decided else out)[()]
