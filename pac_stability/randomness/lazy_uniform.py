"""A real number drawn uniformly, of which no more is decided than is asked."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from threading import RLock
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, SupportsIndex, final

from pac_stability.arguments import described
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

ZERO, ONE = Fraction(0), Fraction(1)

_COMPARISONS: dict[str, Callable[[Any, Any], object]] = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


class InexactDraw(InvalidInput):
    """A program asked its coins for what has no exact law, such as the digits of a real number.

    The message names the line of the program and, where one is known, the exact line to write in
    its place.
    """


class Decides(Protocol):
    """What a lazy draw needs: an exact decision, and a way to refuse."""

    def bernoulli(self, p: Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise."""
        ...

    def refused(self, error: InexactDraw, /) -> NoReturn:
        """Raise an error, so that it is not overlooked."""
        ...


def exact_float(value: float) -> Fraction:
    """Return a finite float as the binary number that it is; say so, if it prints as another."""
    number, prints = _known(value)
    if not prints:
        assume(FLOATS)
    return number


@lru_cache(maxsize=1024)  # a program compares with the same few on every path
def _known(value: float) -> tuple[Fraction, bool]:
    number = Fraction(value)
    return number, Fraction(repr(float(value))) == number


def inexact(what: str, wanted: str) -> InexactDraw:
    """Return the error for something that a program did, with its line and how to write it."""
    frame = _asking(sys._getframe(1))
    line = f" at {place_of(frame)}" if frame is not None else ""
    better = correction(frame)
    return InexactDraw("rng", f"{what}{line}", f"{wanted}; write: {better}" if better else wanted)


def _asking(frame: FrameType | None) -> FrameType | None:
    """Return the frame of the program: the innermost of the user's, unless it is who runs it."""
    while frame is not None and frame.f_code.co_name != "_follow":  # the tape's
        if owner_of_frame(frame) is Owner.USER:
            return frame
        frame = frame.f_back
    return None


@final
class LazyUniform:
    """A real number between two others, drawn uniformly; comparisons decide how much of it.

    What ``rng.random()`` returns. To compare it with a number is to ask one exact question of the
    coins, and the next comparison is made in the interval that is left: ``u < 1/2`` and then
    ``u < 1/4`` has the probability 1/2 if the first was so, else 0. So all comparisons agree with
    one number, and their law is exact. Anything else that looks at the number is refused
    (:class:`InexactDraw`): arithmetic, ``float()``, printing, hashing, comparing it with another
    draw.

    Two different real numbers are compared, so ``<`` and ``<=`` are one question. A float is the
    exact binary number that it is.

    Parameters
    ----------
    coins
        Who decides.
    low, high
        The ends.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> u = SeededCoins(1).random()
    >>> u < 1, u < 0
    (True, False)
    >>> low = u < 0.25
    >>> low <= (u < 0.5) and (u < 0.25) is low
    True
    """

    __slots__ = ("_coins", "_high", "_lock", "_low")

    def __init__(self, coins: Decides, low: Fraction, high: Fraction) -> None:
        self._coins = coins
        self._low = low
        self._high = high
        self._lock = RLock()  # two threads that compare at once must agree

    def _is_below(self, threshold: object) -> bool:
        number = self._number(threshold)
        with self._lock:
            low, high = self._low, self._high
            if not (isinstance(number, Fraction) and low < number < high):
                return number >= high
            # Mostly the first comparison of rng.random(), whose share is the number.
            whole = low is ZERO and high is ONE
            if self._coins.bernoulli(number if whole else (number - low) / (high - low)):
                self._high = number
                return True
            self._low = number
            return False

    def _number(self, threshold: object) -> Fraction | float:
        """Return what is compared with as an exact number, or an infinity."""
        if isinstance(threshold, Fraction):
            return threshold
        if isinstance(threshold, float | Decimal):
            if math.isfinite(threshold):
                return (
                    exact_float(threshold) if isinstance(threshold, float) else Fraction(threshold)
                )
            if not math.isnan(threshold):
                return float(threshold)
            self._refuse("a comparison of rng.random() with a value that is not a number (nan)")
        if not isinstance(threshold, LazyUniform) and isinstance(threshold, SupportsIndex):
            try:
                return Fraction(operator.index(threshold))
            except TypeError:  # an array
                pass
        if isinstance(threshold, LazyUniform):
            self._refuse(
                "a comparison of one rng.random() with another",
                "rng.shuffle, rng.permutation or rng.sample for an order drawn at random, and "
                "rng.below(n) for a place",
            )
        return self._refuse(
            f"a comparison of rng.random() with {described(threshold)}, "
            f"of type {type(threshold).__name__}",
            "an int, a float or a Fraction to compare with",
        )

    def _refuse(self, what: str, wanted: str = "") -> NoReturn:
        self._coins.refused(
            inexact(
                what,
                wanted
                or "a comparison, rng.random() < p, which has an exact law, or rng.below(n), "
                "rng.choice(values) or rng.bernoulli(p)",
            )
        )

    # An array compares entry by entry: it is asked next, and asks __array_ufunc__. That a number is
    # itself needs no coins; NumPy's searches compare it so.
    def __lt__(self, other: object) -> bool:
        if _is_array(other):
            return NotImplemented
        return other is not self and self._is_below(other)

    def __gt__(self, other: object) -> bool:
        if _is_array(other):
            return NotImplemented
        return other is not self and not self._is_below(other)

    def __le__(self, other: object) -> bool:
        return other is self or self.__lt__(other)

    def __ge__(self, other: object) -> bool:
        return other is self or self.__gt__(other)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, **options: object
    ) -> object:
        import numpy as np  # noqa: PLC0415  # it is loaded: it calls this

        compare = _COMPARISONS.get(ufunc.__name__)
        if compare is None or method != "__call__" or options:
            self._refuse(f"numpy.{ufunc.__name__} of rng.random()")
        arrays = np.broadcast_arrays(*(_alone(each) for each in inputs))
        answers = [
            compare(one, other) for one, other in zip(*(a.flat for a in arrays), strict=True)
        ]
        return np.array(answers, dtype=bool).reshape(arrays[0].shape)[()]

    # One number, whoever holds it: a copy must not be another.
    def __copy__(self) -> LazyUniform:
        return self

    def __deepcopy__(self, _memory: object) -> LazyUniform:
        return self

    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:
        self._refuse("rng.random() sent elsewhere or written to a file (pickled)")

    def __repr__(self) -> str:
        self._refuse("the digits of rng.random() (printed, or made a text)")

    def __eq__(self, other: object) -> bool:
        self._refuse("a comparison of rng.random() by == or !=")

    def __hash__(self) -> int:
        return self._refuse("rng.random() as a result, or as a key of a dictionary or a set")

    if not TYPE_CHECKING:  # a checker refuses them before

        def __getattr__(self, name):
            # What numbers have: the_same_way for all of them.
            if name.startswith("_"):
                raise AttributeError(name)
            self._refuse(f"rng.random().{name}")


def _is_array(value: object) -> bool:
    return hasattr(value, "__array_interface__") and getattr(value, "shape", ()) != ()


def _alone(value: object) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
    """Return an array of objects; a draw is one of them, whatever it could be converted to."""
    import numpy as np  # noqa: PLC0415

    if not isinstance(value, LazyUniform):
        return np.asarray(value, dtype=object)
    array = np.empty((), dtype=object)
    array[()] = value
    return array


def _refusing(name: str, what: str) -> Callable[..., NoReturn]:
    def refuse(self: LazyUniform, *_: object) -> NoReturn:
        self._refuse(f"{what} rng.random()")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


_LOOKS = {
    "a sum with": ("add", "radd", "iadd"),
    "a difference with": ("sub", "rsub", "isub"),
    "a product with": ("mul", "rmul", "imul", "matmul", "rmatmul"),
    "a quotient with": ("truediv", "rtruediv", "floordiv", "rfloordiv", "divmod", "rdivmod"),
    "a remainder of": ("mod", "rmod"),
    "a power of": ("pow", "rpow"),
    "arithmetic with": (
        *("neg", "pos", "abs", "invert", "lshift", "rlshift", "rshift", "rrshift"),
        *("and", "rand", "or", "ror", "xor", "rxor"),
    ),
    "a rounding of": ("int", "index", "round", "trunc", "floor", "ceil"),
    "the float of": ("float", "complex"),
    "the truth of": ("bool",),
    "the digits of": ("format",),
}
for _what, _names in _LOOKS.items():
    for _name in _names:
        setattr(LazyUniform, f"__{_name}__", _refusing(f"__{_name}__", _what))
