"""Coins that speak the languages people know: Python's ``random`` and NumPy's ``Generator``.

Every method is written by the three exact questions of :class:`~pac_stability.randomness.Coins`, so
that it has one exact law, whoever answers. Where the two languages mean different things by one
name, the arguments tell which is meant, or the call is refused.

=================================  ================================================================
both                               ``random()``, ``uniform(a, b)``: see
                                   :class:`~pac_stability.randomness.LazyUniform`;
                                   ``choice(values)``, ``shuffle(values)``
``random.Random``                  ``randrange``, ``randint(a, b)`` with ``b`` included,
                                   ``choices``, ``sample``, ``getrandbits``, ``randbytes``,
                                   ``binomialvariate``
``numpy.random.Generator``         ``integers`` with the end left out, ``choice(a, size, replace,
                                   p)``, ``permutation``, ``binomial``, ``geometric``; ``size=``
refused, with what to use instead  continuous distributions, seeds
=================================  ================================================================
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar, cast, overload

from pac_stability.arguments import as_integer, as_size, described
from pac_stability.errors import InvalidInput
from pac_stability.randomness.given import (
    chance_of,
    exactly,
    is_array,
    members,
    shape_of,
    shares_of,
)
from pac_stability.randomness.lazy_uniform import ONE, ZERO, InexactDraw, LazyUniform, inexact
from pac_stability.randomness.refused_draws import REFUSED, no_such_draw
from pac_stability.randomness.watch import assume
from pac_stability.randomness.weights import WeightedChoice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
Size: TypeAlias = int | tuple[int, ...]
"""How many draws: a number, or the shape of an array."""

REAL = (
    "What random() and uniform() draw is a real number, compared exactly, as these coins draw it; "
    "a generator of floats has 53 bits, and its probabilities are off by up to 2^-53."
)
"""What is assumed of a program that compares real numbers drawn at random."""

INCLUSIVE = "randint(a, b) can draw b, as that of random can; that of numpy cannot."
"""What is said of a program that calls it."""


class ExactGenerator(ABC):
    """Coins with the methods of ``random.Random`` and of ``numpy.random.Generator``.

    A subclass has ``below``, ``choose`` and ``bernoulli``, by which all others are written. The
    names of a continuous distribution are there, and refuse to draw (:class:`InexactDraw`).

    Numbers that are given as probabilities or weights may be floats: each is the exact binary
    number that it is.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> rng = SeededCoins(1)
    >>> rng.randint(1, 6) in range(1, 7), rng.choice("abc") in "abc", len(rng.sample(range(9), 3))
    (True, True, 3)
    """

    __slots__ = ()

    @abstractmethod
    def below(self, n: int, /) -> int:
        """Return one of ``0 .. n - 1``, each with probability ``1/n``."""

    @abstractmethod
    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        """Return an index, each with probability its weight over the sum of the weights."""

    @abstractmethod
    def bernoulli(self, p: int | Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise."""

    def refused(self, error: InexactDraw, /) -> NoReturn:
        """Raise an error about a draw without an exact law."""
        raise error

    if not TYPE_CHECKING:  # a checker knows what there is

        def __getattr__(self, name):
            wanted = REFUSED.get(name)
            if wanted is None:
                raise no_such_draw(name)

            def refuse(*_arguments, **_keywords):
                self._refuse(f"rng.{name}", wanted)

            return refuse

    # Real numbers

    @overload
    def random(self, size: None = None) -> LazyUniform: ...
    @overload
    def random(self, size: Size) -> NDArray[np.object_]: ...
    def random(self, size: Size | None = None) -> LazyUniform | NDArray[np.object_]:
        """Return a real number from 0 to 1, drawn uniformly, to be compared with numbers."""
        assume(REAL)
        return cast(
            "LazyUniform | NDArray[np.object_]",
            self._drawn(lambda: LazyUniform(self, ZERO, ONE), size, object),
        )

    @overload
    def uniform(self, low: object = 0, high: object = 1, size: None = None) -> LazyUniform: ...
    @overload
    def uniform(
        self, low: object, high: object, size: Size | None
    ) -> LazyUniform | NDArray[np.object_]: ...
    def uniform(
        self, low: object = 0, high: object = 1, size: Size | None = None
    ) -> LazyUniform | NDArray[np.object_]:
        """Return a real number between two others, drawn uniformly, to be compared with numbers."""
        ends = sorted((exactly(low, "low"), exactly(high, "high")))
        assume(REAL)
        if ends[0] == ends[1]:
            raise InvalidInput("high", described(high), "another number than low")
        drawn: LazyUniform | NDArray[np.object_] = self._drawn(
            lambda: LazyUniform(self, ends[0], ends[1]), size, object
        )
        return drawn

    # Integers

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return a member of ``range(start, stop, step)``, as ``random.randrange`` does."""
        first = as_integer(start, "start")
        if stop is None:
            first, stop = 0, first
        values = range(first, as_integer(stop, "stop"), as_integer(step, "step"))
        if not values:
            raise InvalidInput("randrange", "no values between its ends", "at least one")
        return values[self.below(len(values))]

    def randint(self, a: int, b: int) -> int:
        """Return an integer from ``a`` to ``b``, both included, as ``random.randint`` does."""
        assume(INCLUSIVE)
        low, high = as_integer(a, "a"), as_integer(b, "b")
        if high < low:
            raise InvalidInput(
                "randint", f"the ends {low} and {high}, both included",
                "a <= b (rng.integers(a, b) leaves b out)",
            )  # fmt: skip
        return low + self.below(high - low + 1)

    @overload
    def integers(
        self, low: int, high: int | None = None, size: None = None, *, endpoint: bool = False
    ) -> int: ...
    @overload
    def integers(
        self, low: int, high: int | None, size: Size, *, endpoint: bool = False
    ) -> NDArray[np.int64]: ...
    @overload
    def integers(
        self, low: int, high: int | None = None, *, size: Size, endpoint: bool = False
    ) -> NDArray[np.int64]: ...
    def integers(
        self,
        low: int,
        high: int | None = None,
        size: Size | None = None,
        *,
        endpoint: bool = False,
    ) -> int | NDArray[np.int64]:
        """Return integers from ``low`` up to ``high``, left out unless ``endpoint``: NumPy's."""
        first = as_integer(low, "low")
        first, last = (0, first) if high is None else (first, as_integer(high, "high"))
        count = last - first + bool(endpoint)
        if count < 1:
            raise InvalidInput("integers", "no values between its ends", "at least one")
        drawn: int | NDArray[np.int64] = self._drawn(lambda: first + self.below(count), size, int)
        return drawn

    def getrandbits(self, k: int) -> int:
        """Return an integer of ``k`` fair bits."""
        return self.below(1 << as_size(k, "k"))

    def randbytes(self, n: int) -> bytes:
        """Return ``n`` fair bytes."""
        return self.getrandbits(8 * as_size(n, "n")).to_bytes(n, "little")

    @overload
    def binomial(self, n: int, p: object, size: None = None) -> int: ...
    @overload
    def binomial(self, n: int, p: object, size: Size) -> NDArray[np.int64]: ...
    def binomial(self, n: int, p: object, size: Size | None = None) -> int | NDArray[np.int64]:
        """Return how many of ``n`` independent events of probability ``p`` happen."""
        table = _binomial(as_size(n, "n"), chance_of(p, "p"))
        drawn: int | NDArray[np.int64] = self._drawn(lambda: self.choose(table), size, int)
        return drawn

    def binomialvariate(self, n: int = 1, p: object = Fraction(1, 2)) -> int:
        """Return :meth:`binomial`, as ``random.binomialvariate`` does."""
        return self.binomial(n, p)

    @overload
    def geometric(self, p: object, size: None = None) -> int: ...
    @overload
    def geometric(self, p: object, size: Size) -> NDArray[np.int64]: ...
    def geometric(self, p: object, size: Size | None = None) -> int | NDArray[np.int64]:
        """Return the number of independent trials up to the first success, at least 1.

        There is no largest: an audit, which follows all, refuses it unless ``p`` is 1.
        """
        share = chance_of(p, "p")
        if share == 0:
            raise InvalidInput("p", described(p), "a positive probability")
        drawn: int | NDArray[np.int64] = self._drawn(lambda: self._trials(share), size, int)
        return drawn

    def _trials(self, p: Fraction) -> int:
        count = 1
        while not self.bernoulli(p):
            count += 1
        return count

    # Members

    @overload
    def choice(self, a: int, size: None = None, replace: bool = True, p: object = None) -> int: ...
    @overload
    def choice(
        self, a: Sequence[T], size: None = None, replace: bool = True, p: object = None
    ) -> T: ...
    @overload
    def choice(
        self, a: int | Sequence[object], size: Size, replace: bool = True, p: object = None
    ) -> NDArray[Any]: ...
    def choice(
        self,
        a: int | Sequence[object],
        size: Size | None = None,
        replace: bool = True,
        p: object = None,
    ) -> object:
        """Return a member of a sequence, or several in an array.

        Parameters
        ----------
        a
            A sequence, or a number n for 0, ..., n - 1 (NumPy's).
        size
            How many, as an array of NumPy; by default one, as it stands in the sequence.
        replace
            Whether a member can be drawn twice.
        p
            The probability of each, NumPy's; exact numbers or floats, which sum to 1 but for
            2^-26 and are taken in proportion.
        """
        values = members(a)
        table = None if p is None else shares_of(p, len(values))

        def draw() -> int:
            return self.below(len(values)) if table is None else self.choose(table)

        if size is None:
            return values[draw() if table is not None else self._place(values)]
        import numpy as np  # noqa: PLC0415  # light import of the package

        shape = shape_of(size)
        count = math.prod(shape)
        if replace or count < 2:
            places = [draw() for _ in range(count)]
        else:
            places = self._distinct(len(values), count, table)
        kept = np.asarray(values if not isinstance(values, range) else list(values))
        return kept[np.array(places, dtype=np.int64).reshape(shape)]

    def choices(
        self,
        population: Sequence[T],
        weights: Iterable[object] | None = None,
        *,
        cum_weights: Iterable[object] | None = None,
        k: int = 1,
    ) -> list[T]:
        """Return ``k`` members, each drawn independently, as ``random.choices`` does."""
        values = members(population)
        count = as_size(k, "k")
        if weights is None and cum_weights is None:
            return [cast("T", values[self.below(len(values))]) for _ in range(count)]
        if weights is not None and cum_weights is not None:
            raise InvalidInput("weights", "them and cum_weights", "one of the two")
        if weights is not None:
            shares = [exactly(each, "weights") for each in weights]
        else:
            sums = [exactly(each, "cum_weights") for each in cum_weights or ()]
            shares = [one - before for before, one in zip([Fraction(0), *sums], sums, strict=False)]
        if len(shares) != len(values):
            raise InvalidInput("weights", f"{len(shares)} of them", f"{len(values)}")
        table = WeightedChoice(shares)
        return [cast("T", values[self.choose(table)]) for _ in range(count)]

    def sample(
        self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None
    ) -> list[T]:
        """Return ``k`` members without repetition, in random order, as ``random.sample`` does."""
        values = members(population, least=0)
        if counts is not None:
            repeats = [as_size(each, "counts") for each in counts]
            if len(repeats) != len(values):
                raise InvalidInput("counts", f"{len(repeats)} of them", f"{len(values)}")
            values = [
                each for each, often in zip(values, repeats, strict=True) for _ in range(often)
            ]
        places = self._distinct(len(values), as_size(k, "k"), None)
        return [cast("T", values[place]) for place in places]

    def shuffle(self, x: MutableSequence[Any] | NDArray[Any]) -> None:
        """Put a list, or an array along its first axis, in random order; it is changed."""
        if not (isinstance(x, MutableSequence) or is_array(x)):
            raise InvalidInput("x", f"a value of type {type(x).__name__}", "a list or an array")
        order = self._distinct(len(x), len(x), None)
        if is_array(x):
            x[:] = cast("NDArray[Any]", x)[order]
        else:
            x[:] = [x[place] for place in order]

    def permutation(self, x: int | Sequence[object]) -> NDArray[Any]:
        """Return 0, ..., x - 1, or the members of a sequence, in random order: NumPy's."""
        import numpy as np  # noqa: PLC0415  # light import of the package

        values = members(x, least=0)
        order = self._distinct(len(values), len(values), None)
        return np.asarray(list(values) if isinstance(values, range) else values)[order]

    def _place(self, values: Sequence[object]) -> int:
        """Return a place of a sequence, drawn uniformly; who asks sees what stands there alone."""
        return self.below(len(values))

    def _distinct(self, n: int, count: int, table: WeightedChoice | None) -> list[int]:
        """Return so many distinct places under n, one after the other."""
        if count > n:
            raise InvalidInput("size", f"{count} of {n} without repetition", f"at most {n}")
        left = list(range(n))
        if table is None:
            return [left.pop(self.below(len(left))) for _ in range(count)]
        weights = list(table)
        if count > sum(map(bool, weights)):
            raise InvalidInput("p", "too few positive probabilities", "one for each that is drawn")
        places = []
        for _ in range(count):
            place = self.choose(WeightedChoice(weights))
            weights[place] = 0
            places.append(place)
        return places

    def _drawn(self, draw: Callable[[], Any], size: Size | None, kind: type[object]) -> Any:
        """Return one draw, or an array of them."""
        if size is None:
            return draw()
        import numpy as np  # noqa: PLC0415  # light import of the package

        array = np.empty(shape_of(size), dtype=kind)
        for place in np.ndindex(array.shape):
            array[place] = draw()
        return array

    def _refuse(self, what: str, wanted: str) -> NoReturn:
        self.refused(inexact(f"a draw by {what}", wanted))


@lru_cache(maxsize=256)
def _binomial(n: int, p: Fraction) -> WeightedChoice:
    yes, no = p.numerator, p.denominator - p.numerator
    return WeightedChoice([math.comb(n, k) * yes**k * no ** (n - k) for k in range(n + 1)])
