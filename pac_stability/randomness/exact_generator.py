"""Coins with the interfaces of Python's ``random`` and NumPy's ``Generator``.

Every method uses only the three exact choices of :class:`~pac_stability.randomness.Coins`, so it
has one exact law with any coins. Where the two interfaces give one name different meanings, the
arguments decide which is meant, or the call is refused.

=================================  ================================================================
both                               ``random()``, ``uniform(a, b)``: see
                                   :class:`~pac_stability.randomness.LazyUniform`;
                                   ``choice(values)``, ``shuffle(values)``
``random.Random``                  ``randrange``, ``randint(a, b)`` with ``b`` included,
                                   ``choices``, ``sample``, ``getrandbits``, ``randbytes``,
                                   ``binomialvariate``
``numpy.random.Generator``         ``integers`` with the end left out, ``choice(a, size, replace,
                                   p)``, ``permutation``, ``permuted``, ``binomial``,
                                   ``multinomial``, ``hypergeometric``, ``geometric``,
                                   ``negative_binomial``, ``poisson``; ``size=``
on a grid                          ``laplace``, ``exponential``, ``normal``, ``gamma`` of whole
                                   shape, sums of uniform numbers
compared alone                     ``gumbel`` with others or a number; with numbers ``beta``,
                                   ``logistic``, ``standard_cauchy``, ``standard_t``, ``lognormal``
                                   and others: see ``randomness.continuous``
``scipy.stats``, in audits         ``rvs`` of these laws with ``random_state=rng``
refused, with what to use instead  other continuous distributions, seeds
=================================  ================================================================
"""

from __future__ import annotations

import builtins
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from fractions import Fraction
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NoReturn,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from pac_stability.arguments import as_integer, as_size, described, in_words
from pac_stability.errors import InvalidInput
from pac_stability.randomness import laws, lazy_gumbel, lazy_number
from pac_stability.randomness.continuous import ContinuousLaw
from pac_stability.randomness.horizon import Horizon, Known
from pac_stability.randomness.lazy_uniform import ONE, ZERO, LazyUniform
from pac_stability.randomness.undecided import InexactDraw, inexact, is_array
from pac_stability.randomness.watch import assume
from pac_stability.randomness.weights import (
    WeightedChoice,
    chance_of,
    exactly,
    members,
    shape_of,
    shares_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_CONTINUOUS = dict.fromkeys(
    (*("vonmises", "vonmisesvariate"), *("noncentral_chisquare", "noncentral_f", "wald")),
    "a draw with an exact law: this one is continuous, and its probabilities are not rational; for "
    "noise use rng.laplace, rng.exponential, rng.normal or rng.gumbel, or ask by runs: --black-box",
)
_INFINITE = dict.fromkeys(
    ("zipf", "logseries"),
    "a draw with finitely many values, of which an audit can list all, or rng.geometric",
)
_STATES = dict.fromkeys(
    ("seed", "getstate", "setstate", "bit_generator", "get_state", "set_state", "jumped"),
    "no seed and no state: the coins are answered in every way",
)
REFUSED = {**_CONTINUOUS, **_INFINITE, **_STATES}
"""What is wanted in place of each draw that coins refuse, by its name."""


def no_such_draw(name: str) -> AttributeError:
    """Return the error for a draw that coins do not offer, such as ``random``."""
    return AttributeError(
        f"coins have no {name!r}: they answer exactly, by below(n), an integer under n, "
        "choose(weights), an index, and bernoulli(p), 1 with probability p; and by what random and "
        "numpy.random have with an exact law, such as random() < p, choice and integers"
    )


# Exact weights of a random choice, as integers


# What a program gives to a draw, read exactly: numbers, probabilities, what to choose from


# Coins that speak the languages people know: Python's ``random`` and NumPy's ``Generator``

T = TypeVar("T")
Size: TypeAlias = int | tuple[int, ...]
"""How many draws: a number, or the shape of an array."""

T_co = TypeVar("T_co", covariant=True)


class Sampled(Protocol[T_co]):
    """A law that can be drawn from."""

    def sample(self, rng: ExactGenerator, /) -> T_co:
        """Return one outcome, drawn with these coins."""
        ...


REAL = (
    "random() and uniform() stand for real numbers, compared exactly; "
    "a generator of floats has 53 bits, so its probabilities are off by up to 2^-53."
)
"""What is assumed of a program that compares real numbers drawn at random."""

_LONG = 1 << 14
_RATES = 200


INCLUSIVE = "randint(a, b) can draw b, as that of random can; that of numpy cannot."
"""What is said of a program that calls it."""


def _compared(law: str, **defaults: object) -> Callable[..., Any]:
    """Return a method that draws from a continuous law, for comparison with numbers."""

    def draw(self: ExactGenerator, *given: object, **named: object) -> Any:
        """Return a draw, to be compared with numbers, as NumPy or ``random`` name it."""
        names = (*defaults, "size")
        told = defaults | dict(zip(names, given, strict=False)) | named
        if len(given) > len(names) or not told.keys() <= {*names}:
            values = f"{len(given) + len(named)} values"
            raise InvalidInput(f"rng.{law}", values, f"({', '.join(names)})")
        size = cast("Size | None", told.pop("size", None))
        loc, scale = exactly(told.pop("loc", 0), "loc"), self._width(told.pop("scale", 1))
        drawn = ContinuousLaw(law, tuple(exactly(value, name) for name, value in told.items()))
        if not scale:
            raise InvalidInput("scale", "0", "a positive number")
        high = loc + scale if loc or scale != 1 else ONE
        return self._drawn(
            lambda: LazyUniform(self, loc or ZERO, high, law=drawn),
            size, object,
        )  # fmt: skip

    draw.is_compared = True  # type: ignore[attr-defined]  # as the lines to write must know
    return draw


class ExactGenerator(ABC):
    """Coins with the methods of ``random.Random`` and of ``numpy.random.Generator``.

    A subclass has ``below``, ``choose`` and ``bernoulli``; all other methods use these. The methods
    of other continuous distributions exist and refuse to draw (:class:`InexactDraw`).

    Probabilities and weights may be floats, which are taken at their exact binary value.

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

    def draw(self, law: Sampled[T], /) -> T:
        """Return one outcome of a law, such as a :class:`~pac_stability.data.FiniteDistribution`.

        Examples
        --------
        >>> from pac_stability.data import FiniteDistribution
        >>> from pac_stability.randomness import SeededCoins
        >>> SeededCoins(1).draw(FiniteDistribution.uniform("ab")) in "ab"
        True
        """
        return law.sample(self)

    # Real numbers

    @overload
    def random(self, size: None = None) -> LazyUniform: ...
    @overload
    def random(self, size: Size) -> NDArray[np.object_]: ...
    def random(self, size: Size | None = None) -> LazyUniform | NDArray[np.object_]:
        """Return a uniform real number from 0 to 1, to be compared with numbers."""
        assume(REAL)
        if size is None:  # mostly
            return LazyUniform(self, ZERO, ONE)
        drawn = self._drawn(lambda: LazyUniform(self, ZERO, ONE), size, object)
        return cast("NDArray[np.object_]", drawn)

    @overload
    def uniform(self, low: object = 0, high: object = 1, size: None = None) -> LazyUniform: ...
    @overload
    def uniform(
        self, low: object, high: object, size: Size | None
    ) -> LazyUniform | NDArray[np.object_]: ...
    def uniform(
        self, low: object = 0, high: object = 1, size: Size | None = None
    ) -> LazyUniform | NDArray[np.object_]:
        """Return a uniform real number between two others, to be compared with numbers."""
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

    def randint(self, a: int, b: int | None = None, size: Size | None = None) -> Any:
        """Return an integer from ``a`` to ``b``, both included, as ``random.randint`` does.

        With one end alone, or ``size=``, NumPy's is meant, which leaves the end out.
        """
        if b is None or size is not None:
            return self.integers(a, b, cast("Size", size))
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
        self, low: int, high: int | None = None, size: Size | None = None, *, endpoint: bool = False
    ) -> int | NDArray[np.int64]:
        """Return integers from ``low`` up to ``high``, excluded unless ``endpoint`` (NumPy)."""
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

    def randbytes(self, n: int) -> builtins.bytes:
        """Return ``n`` fair bytes."""
        return self.getrandbits(8 * as_size(n, "n")).to_bytes(n, "little")

    bytes = randbytes  # NumPy's name

    @overload
    def binomial(self, n: int, p: object, size: None = None) -> int: ...
    @overload
    def binomial(self, n: int, p: object, size: Size) -> NDArray[np.int64]: ...
    def binomial(self, n: int, p: object, size: Size | None = None) -> int | NDArray[np.int64]:
        """Return how many of ``n`` independent events of probability ``p`` happen."""
        table = laws.binomial(as_size(n, "n"), chance_of(p, "p"))
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
        """Return the number of independent trials up to the first success, at least 1."""
        share = chance_of(p, "p")
        if share == 0:
            raise InvalidInput("p", described(p), "a positive probability")
        drawn: int | NDArray[np.int64] = self._drawn(
            lambda: 1 if share == 1 else self._trials(share), size, self._endless
        )
        return drawn

    _endless: ClassVar[type] = int
    """What an array of numbers without an end is made of."""

    def _trials(self, p: Fraction) -> int:
        count = 1
        while not self.bernoulli(p):
            count += 1
        return count

    def negative_binomial(self, n: object, p: object, size: Size | None = None) -> Any:
        """Return the number of failures before the n-th success, for a whole number n."""
        count = as_size(n, "n", least=1)
        trials = range(count)
        return self._drawn(
            lambda: sum(self.geometric(p) for _ in trials) - count, size, self._endless
        )

    # Noise without an end

    def two_sided(self, decay: Fraction, around: int, /) -> int:
        """Return an integer z with probability proportional to ``decay**|z - around|``."""
        a, b = decay.numerator, decay.denominator
        sign = (0, 1, -1)[self.choose((b - a, a, a))]
        return around + sign * (1 + self._forgetful(decay) if sign else 0)

    def one_sided(self, decay: Fraction, around: int, /) -> int:
        """Return an integer z >= around, with weight proportional to ``decay**(z - around)``."""
        return around + self._forgetful(decay)

    def bell_shaped(self, variance: Fraction, around: int, /) -> int:
        """Return an integer z, with weight ``e**(-(z - around)**2 / (2 variance))``."""
        return around + laws.gaussian_integer(variance, self)

    def _forgetful(self, decay: Fraction) -> int:
        """Return g >= 0 with probability ``(1 - decay) decay**g``: its binary digits, one by one.

        Digit i is 1 with odds ``decay**(2**i)``; and what is passed is forgotten, so that all from
        ``2**d`` on are one more coin.
        """
        number, place, power = 0, 1, decay
        while power > Fraction(1, 256) and power.denominator.bit_length() < _LONG:
            number += place * self.bernoulli(power / (1 + power))
            place, power = 2 * place, power * power
        while self.bernoulli(power):
            number += place
        return number

    def laplace(
        self, loc: object = 0, scale: object = 1, size: Size | None = None
    ) -> float | NDArray[Any]:
        """Return Laplace noise around a number, on a grid of 1/16: see ``Known``."""
        return self._noisy(loc, scale, size, both=True)

    def exponential(self, scale: object = 1, size: Size | None = None) -> float | NDArray[Any]:
        """Return exponential noise, the size of Laplace noise, on a grid of 1/16: see ``Known``."""
        return self._noisy(0, scale, size, both=False)

    def gumbel(self, loc: object = 0, scale: object = 1, size: Size | None = None) -> Any:
        """Return Gumbel noise around a number, for comparison with others: see ``LazyGumbel``."""
        width, shape = self._width(scale), self._shape(loc, size)
        if not width:
            raise InvalidInput("scale", described(scale), "a positive number")
        return loc + self._drawn(lambda: lazy_gumbel.LazyGumbel(self, 0, width), shape, object)

    def normal(
        self, loc: object = 0, scale: object = 1, size: Size | None = None
    ) -> float | NDArray[Any]:
        """Return normal noise around a number, on a grid, without a tail of probability 2**-60."""
        width = self._width(scale)
        assume(Known.ON_A_GRID.value)

        def draw() -> object:
            return self._tabled(partial(laws.bell_of, width), width) if width else 0

        return cast("float | NDArray[Any]", loc + self._drawn(draw, self._shape(loc, size), object))

    def standard_normal(self, size: Size | None = None) -> float | NDArray[Any]:
        """Return normal noise of scale 1, on a grid."""
        return self.normal(size=size)

    def gauss(self, mu: object = 0, sigma: object = 1) -> float:
        """Return normal noise, as ``random.gauss`` does, on a grid."""
        return cast("float", self.normal(mu, sigma))

    normalvariate = gauss

    def triangular(self, *points: object, size: Size | None = None, **named: object) -> Any:
        """Return a number from the least of three to the largest, to be compared with numbers.

        The mode is the one between, in the order of ``random`` and in that of ``numpy``.
        """
        size = cast("Size", points[3]) if len(points) > 3 else size  # NumPy's order
        known = {"left", "mode", "right", "low", "high"}
        if not named.keys() <= known:
            given = ", ".join(sorted(named.keys() - known))
            raise InvalidInput("triangular", given, ", ".join(sorted(known)))
        told = [each for each in (*points[:3], *named.values()) if each is not None] or [0, 1]
        ends = sorted(exactly(each, "triangular") for each in told)
        if len(ends) == 2:
            ends.insert(1, (ends[0] + ends[1]) / 2)
        if len(ends) != 3 or ends[0] == ends[2]:
            given = ", ".join(map(in_words, ends))
            raise InvalidInput("triangular", given, "two different ends and the mode")
        low, mode, high = ends
        law = ContinuousLaw("triangular", ((mode - low) / (high - low),))
        return self._drawn(lambda: LazyUniform(self, low, high, law=law), size, object)

    def gamma(self, shape: object, scale: object = 1, size: Size | None = None) -> Any:
        """Return a gamma number: exponential ones in sum for a whole shape, else to be compared."""
        count = exactly(shape, "shape")
        if count <= 0 or count.denominator > 1:
            return self._gamma(shape, scale, size)
        parts = range(int(count))
        return self._drawn(lambda: sum(self.exponential(scale) for _ in parts), size, object)

    gammavariate = gamma
    _gamma = _compared("gamma", shape=1, scale=1)
    beta = betavariate = _compared("beta", a=1, b=1)
    f = _compared("f", dfnum=1, dfden=1)
    logistic = _compared("logistic", loc=0, scale=1)
    lognormal = _compared("lognormal", mean=0, sigma=1)
    lognormvariate = _compared("lognormal", mu=0, sigma=1)
    pareto = _compared("pareto", a=1)
    power = _compared("power", a=1)
    rayleigh = _compared("rayleigh", scale=1)
    standard_cauchy = _compared("standard_cauchy")
    standard_t = _compared("standard_t", df=1)
    weibull = _compared("weibull", a=1)

    def dirichlet(self, alpha: Sequence[object], size: Size | None = None) -> Any:
        """Return two shares of a whole, for comparison with numbers."""
        import numpy as np  # noqa: PLC0415  # light import of the package

        if len(alpha) != 2 or size is not None:
            self._refuse("rng.dirichlet of other than two shares", _CONTINUOUS["vonmises"])
        share = self.beta(*alpha)
        return np.array([share, 1 - share], dtype=object)

    def multivariate_normal(self, mean: Any, cov: Any, size: Size | None = None) -> Any:
        """Return independent numbers with normal noise: other covariances are refused."""
        import numpy as np  # noqa: PLC0415  # light import of the package

        scales = np.diagonal(np.asarray(cov)) ** 0.5
        if (np.asarray(cov) != np.diag(np.diagonal(cov))).any():
            self._refuse("rng.multivariate_normal of numbers that depend on one another",
                         _CONTINUOUS["vonmises"])  # fmt: skip
        noise = np.empty((*(() if size is None else shape_of(size)), len(scales)), dtype=object)
        for place in np.ndindex(noise.shape):
            noise[place] = self.normal(0, scales[place[-1]])
        return np.asarray(mean) + noise

    def paretovariate(self, alpha: object) -> Any:
        """Return a Pareto number from 1 on, as ``random.paretovariate`` does."""
        return 1 + self.pareto(alpha)

    def weibullvariate(self, alpha: object, beta: object) -> Any:
        """Return a Weibull number of scale alpha, as ``random.weibullvariate`` does."""
        return exactly(alpha, "alpha") * self.weibull(beta)

    def spread(self, width: Fraction, /) -> object:
        """Return a uniform number from 0 to a width, on the grid of noise."""
        assume(Known.ON_A_GRID.value)
        return self._tabled(partial(laws.even, width), width)

    def step(self, scale: Fraction, points: Iterable[Fraction], /) -> Fraction:
        """Return a step of the grid of noise, on which these points lie if it may be so fine."""
        assume(Known.ON_A_GRID.value)
        for each in points:
            self.refine(each)
        return Fraction(1, self._grid_of(scale))

    def standard_gamma(self, shape: object, size: Size | None = None) -> Any:
        """Return :meth:`gamma` of scale 1."""
        return self.gamma(shape, 1, size)

    def chisquare(self, df: object, size: Size | None = None) -> Any:
        """Return a chi-square number: :meth:`gamma` of shape df / 2 and scale 2."""
        return self.gamma(exactly(df, "df") / 2, 2, size)

    def rand(self, *shape: int) -> Any:
        """Return real numbers from 0 to 1, as ``numpy.random.rand`` does."""
        return self.random(shape or None)

    def randn(self, *shape: int) -> Any:
        """Return normal noise of scale 1, as ``numpy.random.randn`` does, on a grid."""
        return self.standard_normal(shape or None)

    def _tabled(self, law: Callable[[int], tuple[int, WeightedChoice]], scale: Fraction) -> object:
        grid = self._grid_of(scale)
        return float(cast("int", self._mostly(*law(grid))) / Fraction(grid))

    @overload
    def poisson(self, lam: object = 1, size: None = None) -> int: ...
    @overload
    def poisson(self, lam: object, size: Size) -> NDArray[np.int64]: ...
    def poisson(self, lam: object = 1, size: Size | None = None) -> int | NDArray[np.int64]:
        """Return a Poisson number of events, without a tail of probability 2**-60."""
        rate = exactly(lam, "lam")
        if not 0 <= rate <= _RATES:
            raise InvalidInput("lam", described(lam), f"a number from 0 to {_RATES}")
        drawn: int | NDArray[np.int64] = self._drawn(
            lambda: self._mostly(0, *laws.rare(rate)), size, self._endless
        )
        return drawn

    def _mostly(self, low: int, weights: WeightedChoice) -> object:
        """Return an integer from low on by its weight, drawing again where it is the last."""
        while (place := self.choose(weights)) == len(weights) - 1:
            pass
        return low + place

    @overload
    def hypergeometric(self, ngood: int, nbad: int, nsample: int, size: None = None) -> int: ...
    @overload
    def hypergeometric(
        self, ngood: int, nbad: int, nsample: int, size: Size
    ) -> NDArray[np.int64]: ...
    def hypergeometric(
        self, ngood: int, nbad: int, nsample: int, size: Size | None = None
    ) -> int | NDArray[np.int64]:
        """Return the number of good items among draws without replacement, as NumPy does."""
        good, bad, count = (
            as_size(each, name)
            for each, name in ((ngood, "ngood"), (nbad, "nbad"), (nsample, "nsample"))
        )
        if count > good + bad:
            raise InvalidInput("nsample", str(count), f"at most {good + bad}")
        table = WeightedChoice(
            [math.comb(good, k) * math.comb(bad, count - k) for k in range(count + 1)]
        )
        drawn: int | NDArray[np.int64] = self._drawn(lambda: self.choose(table), size, int)
        return drawn

    def multinomial(
        self, n: int, pvals: Iterable[object], size: Size | None = None
    ) -> NDArray[np.int64]:
        """Return how often each of several outcomes occurs in ``n`` draws, as NumPy does."""
        import numpy as np  # noqa: PLC0415  # light import of the package

        shares = list(pvals)
        table, count = shares_of(shares, len(shares), "pvals"), as_size(n, "n")

        def counts() -> NDArray[np.int64]:
            left, weight, found = count, table.total, []
            for share in table:
                found.append(self.binomial(left, Fraction(share, weight)) if weight else 0)
                left, weight = left - found[-1], weight - share
            return np.array(found, dtype=np.int64)

        if size is None:
            return counts()
        shape = shape_of(size)
        rows = [counts() for _ in range(math.prod(shape))]
        return np.array(rows, dtype=np.int64).reshape(*shape, len(shares))

    def standard_exponential(self, size: Size | None = None) -> float | NDArray[Any]:
        """Return exponential noise of scale 1, on a grid."""
        return self._noisy(0, 1, size, both=False)

    def expovariate(self, lambd: object = 1) -> float:
        """Return exponential noise, as ``random.expovariate`` does, on a grid."""
        rate = exactly(lambd, "lambd")
        if rate <= 0:
            raise InvalidInput("lambd", described(lambd), "a positive number")
        return cast("float", self._noisy(0, 1 / rate, None, both=False))

    def _noisy(
        self, loc: object, scale: object, size: Size | None, *, both: bool
    ) -> float | NDArray[Any]:
        width, shape = self._width(scale), self._shape(loc, size)
        assume(Known.ON_A_GRID.value)
        if not width:
            drawn = self._drawn(lambda: 0, shape, object)
        else:
            drawn = self._drawn(lambda: self._smooth(width, both=both), shape, object)
        return cast("float | NDArray[Any]", loc + drawn)

    def _width(self, scale: object) -> Fraction:
        given = lazy_number.exact_number(scale)
        if given is None and is_array(scale):
            self._refuse("noise with an array of scales", "one scale for each call")
        if given is None or given < 0:
            raise InvalidInput("scale", described(scale), "a positive number")
        return Fraction(given)

    @staticmethod
    def _shape(loc: object, size: Size | None) -> Size | None:
        return size if size is not None or not is_array(loc) else cast("NDArray[Any]", loc).shape

    def _smooth(self, scale: Fraction, *, both: bool) -> object:
        decay, unit = self._on_the_grid(scale)
        drawn = float(self.two_sided(decay, 0) * unit)
        return drawn if both else abs(drawn)

    def _on_the_grid(self, scale: Fraction) -> tuple[Fraction, Fraction]:
        """Return the decay of a step of the grid, and the step, which is short beside the scale."""
        return laws.steps(scale, self._grid_of(scale))

    def _horizon(self) -> Horizon:
        return Horizon()

    def _grid_of(self, scale: Fraction) -> int:
        horizon = self._horizon()
        if scale.numerator * horizon.grid < 8 * scale.denominator:
            self.refine(Fraction(1, 1 << (8 * scale.denominator // scale.numerator).bit_length()))
        return horizon.grid

    def refine(self, step: Fraction, /) -> None:  # noqa: B027  # a tape does
        """Switch to a finer grid, if there is one."""

    def _rvs(self, law: Any, *arguments: object, **named: object) -> Any:
        """Draw from a law of ``scipy.stats``, whose method ``rvs`` was given these coins."""
        shapes, *ends, size = law._parse_args_rvs(*arguments, **named)
        # SciPy repeats each number to the shape of the others.
        given = [e.flat[0] if all(x == e.flat[0] for x in e.flat) else e for e in (*ends, *shapes)]
        if law.name in _LOCATED:
            loc, scale, *shapes = given
            return loc + scale * getattr(self, _LOCATED[law.name])(*shapes, size=size or None)
        draw = _OF_SCIPY.get(law.name)
        if draw is None:
            known = ", ".join((*_OF_SCIPY, *_LOCATED))
            wanted = REFUSED.get(law.name, f"one of {known}, or ask by runs: --black-box")
            self._refuse(f"scipy.stats.{law.name}.rvs", wanted)
        return draw(self, size or None, *given)

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
            How many, returned as an array of NumPy; by default one member itself.
        replace
            Whether a member can be drawn twice.
        p
            The probability of each, as in NumPy: exact numbers or floats. They must sum to 1 within
            2^-26, and are then normalised.
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
            shares = [chance_of(each, f"weights[{i}]", math.inf) for i, each in enumerate(weights)]
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
        """Return ``k`` members without replacement, in random order, as ``random.sample`` does."""
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
        """Shuffle a list, or an array along its first axis, in place."""
        if not (isinstance(x, MutableSequence) or is_array(x)):
            raise InvalidInput("x", f"a value of type {type(x).__name__}", "a list or an array")
        order = self._distinct(len(x), len(x), None)
        if is_array(x):
            x[:] = cast("NDArray[Any]", x)[order]
        else:
            x[:] = [x[place] for place in order]

    def permutation(self, x: int | Sequence[object]) -> NDArray[Any]:
        """Return 0, ..., x - 1, or the members of a sequence, in random order, as NumPy does."""
        import numpy as np  # noqa: PLC0415  # light import of the package

        values = members(x, least=0)
        order = self._distinct(len(values), len(values), None)
        return np.asarray(list(values) if isinstance(values, range) else values)[order]

    def permuted(self, x: Sequence[object], axis: int | None = None) -> NDArray[Any]:
        """Return a shuffled copy of an array, all entries or along one axis, as NumPy does."""
        import numpy as np  # noqa: PLC0415  # light import of the package

        array = np.array(x)
        if axis is None:
            order = self._distinct(array.size, array.size, None)
            return array.ravel()[order].reshape(array.shape)
        moved = np.moveaxis(array, axis, -1)
        for place in np.ndindex(moved.shape[:-1]):
            moved[place] = moved[place][self._distinct(moved.shape[-1], moved.shape[-1], None)]
        return array

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


_LOCATED = {
    **{name: name for name in ("logistic", "rayleigh", "f", "beta", "gamma", "poisson")},
    "cauchy": "standard_cauchy", "t": "standard_t", "erlang": "gamma", "chi2": "chisquare",
    "weibull_min": "weibull", "lomax": "pareto", "powerlaw": "power", "gumbel_r": "gumbel",
    "binom": "binomial", "geom": "geometric", "nbinom": "negative_binomial", "uniform": "random",
}  # fmt: skip
"""Laws of ``scipy.stats`` that are moved and stretched, and what these draws are called here."""
_OF_SCIPY: Mapping[str, Callable[..., Any]] = {
    "laplace": lambda coins, size, loc, scale: coins.laplace(loc, scale, size),
    "norm": lambda coins, size, loc, scale: coins.normal(loc, scale, size),
    "expon": lambda coins, size, loc, scale: loc + coins.exponential(scale, size),
    "triang": lambda coins, size, loc, scale, c: coins.triangular(
        loc, loc + c * scale, loc + scale, size=size
    ),
    "pareto": lambda coins, size, loc, scale, b: loc + scale * (1 + coins.pareto(b, size)),
    "lognorm": lambda coins, size, loc, scale, s: loc + scale * coins.lognormal(0, s, size),
    "gumbel_l": lambda coins, size, loc, scale: loc - scale * coins.gumbel(size=size),
    "bernoulli": lambda coins, size, loc, _, p: loc + coins.binomial(1, p, size),
    "randint": lambda coins, size, loc, _, low, high: loc + coins.integers(low, high, size=size),
    "hypergeom": lambda coins, size, loc, _, M, n, N: loc + coins.hypergeometric(n, M - n, N, size),
    "dlaplace": lambda coins, size, loc, _, a: (
        loc
        + coins._drawn(lambda: coins.two_sided(exactly(math.exp(-a), "a"), 0), size, coins._endless)
    ),
}
"""Draws of the laws of ``scipy.stats``, by their names there, given location, scale and shapes."""
