"""Continuous laws, by which draws are compared with numbers.

Of a draw from such a law a program asks whether it is below a number. The probability of this is
exact where it is rational, and otherwise enclosed and rounded by up to 2^-64 of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from pac_stability.arguments import in_words
from pac_stability.arithmetic.interval import of_ball
from pac_stability.errors import InvalidInput, Unanswerable
from pac_stability.randomness.horizon import Known
from pac_stability.randomness.watch import assume

if TYPE_CHECKING:
    from flint import arb

_Below: TypeAlias = "Callable[..., arb]"
_EXACT = 1 << 6
_BITS = (256, 1024, 4096, 1 << 14)


def _student(x: arb, df: arb) -> arb:
    tail = (df / (df + x * x)).beta_lower(df / 2, 0.5, 1) / 2
    return tail if x < 0 else 1 - tail


def _snedecor(x: arb, one: arb, other: arb) -> arb:
    return (one * x / (one * x + other)).beta_lower(one / 2, other / 2, 1)


def _log_normal(x: arb, mean: arb, sigma: arb) -> arb:
    return ((mean - x.log()) / (2 * sigma * sigma).sqrt()).erfc() / 2


LAWS: Mapping[str, tuple[_Below, float]] = {
    "logistic": (lambda x: 1 / (1 + (-x).exp()), -math.inf),
    "gumbel": (lambda x: (-((-x).exp())).exp(), -math.inf),
    "standard_cauchy": (lambda x: 0.5 + x.atan() / x.pi(), -math.inf),
    "standard_t": (_student, -math.inf),
    "f": (_snedecor, 0),
    "beta": (lambda x, a, b: x.beta_lower(a, b, 1), 0),
    "gamma": (lambda x, shape: x.gamma_lower(shape, 1), 0),
    "rayleigh": (lambda x: -((-x * x / 2).expm1()), 0),
    "weibull": (lambda x, a: -((-(x**a)).expm1()), 0),
    "pareto": (lambda x, a: -((-a * x.log1p()).expm1()), 0),
    "power": (lambda x, a: x**a, 0),
    "lognormal": (_log_normal, 0),
    "triangular": (lambda x, top: x * x / top if x < top else 1 - (1 - x) ** 2 / (1 - top), 0),
}
"""What is below a number, with which probability; and where each law begins."""
_ANY = {("lognormal", 0), ("triangular", 0)}
"""The parameters that need not be positive."""


@dataclass(frozen=True, slots=True)
class ContinuousLaw:
    """A continuous law.

    Attributes
    ----------
    name
        Its name in ``LAWS``.
    parameters
        Its parameters there, positive but for means.

    Examples
    --------
    >>> ContinuousLaw("pareto", (Fraction(2),)).below(Fraction(1))
    Fraction(3, 4)
    """

    name: str
    parameters: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        for place, value in enumerate(self.parameters):
            if value <= 0 and (self.name, place) not in _ANY:
                raise InvalidInput(self.name, in_words(value), "positive parameters")

    def below(self, x: Fraction) -> Fraction:
        """Return the probability of less than a number."""
        if x <= LAWS[self.name][1]:
            return Fraction(0)
        if x >= 1 and self.name in ("beta", "power", "triangular"):
            return Fraction(1)
        exact = _exactly(self, x)
        if exact is None:
            assume(Known.ENCLOSED.value)
            exact = _enclosed(self, x)
        return exact


def _exactly(law: ContinuousLaw, x: Fraction) -> Fraction | None:
    """Return the probability of less than a number where it is rational, and short."""
    if law.name == "triangular":
        return cast("Fraction", LAWS[law.name][0](x, *law.parameters))
    whole = [int(each) for each in law.parameters if each.denominator == 1 and each <= _EXACT]
    if len(whole) < len(law.parameters):
        return None
    if law.name == "power":
        return x ** whole[0]
    if law.name == "pareto":
        return 1 - (1 + x) ** -whole[0]
    if law.name == "beta":
        a, n = whole[0], sum(whole) - 1
        parts = (math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1))
        return sum(parts, Fraction(0))
    return None


@lru_cache(1 << 10)
def _enclosed(law: ContinuousLaw, x: Fraction) -> Fraction:
    """Return it so near that neither it nor its complement is wrong by 2^-64 of it."""
    for bits in _BITS:
        ends = of_ball(LAWS[law.name][0], (x, *law.parameters), bits)
        low, high = ends or (Fraction(0), Fraction(1))
        if (high - low) * 2**128 < min(low, 1 - high):
            return (low + high) / 2
    asked = f"how likely {law.name} is below {in_words(x)}"
    raise Unanswerable(asked, "it nearly always is, or nearly never")
