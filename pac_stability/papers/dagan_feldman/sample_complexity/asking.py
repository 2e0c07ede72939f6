"""The requirements on a learner, the answer of a size, and the search for least sizes.

Least integers above real formulas are decided by certified intervals, and least fixed points of
them searched; of a class the sizes need only the number of patterns.
"""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from math import comb
from typing import Generic, Literal, NamedTuple, Protocol, TypeAlias, TypedDict, TypeVar, Unpack

from pac_stability import arithmetic
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_open_unit, as_size, described, fix, in_words
from pac_stability.arithmetic import Constants
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.stable import exponential_excess

R = TypeVar("R", float, arithmetic.Interval)
Division = TypeVar("Division")
Place = TypeVar("Place", int, tuple[int, int])
Part = TypeVar("Part")

_MOST_BITS = 1024
_SIEVE = 1e-9  # far above the rounding errors of a float formula


class Reals(Protocol[R]):
    """Real numbers, as floats that guide a search or as intervals that decide it."""

    def exactly(self, value: int | Fraction) -> R:
        """Return a rational number."""
        ...

    def log(self, value: int | Fraction) -> R:
        """Return a natural logarithm."""
        ...

    def sqrt(self, value: R) -> R:
        """Return a square root."""
        ...

    def lambert(self, candidates: int) -> R:
        """Return ``W((N - 1)/e)``, for Lambert's function W and N candidates."""
        ...


class Formula(Protocol):
    """A real number that can be computed either way."""

    def __call__(self, real: Reals[R], /) -> R:
        """Return the number."""
        ...


Ceiling: TypeAlias = Callable[[Formula], int]
"""Round a formula up."""


class _Floats:
    def exactly(self, value: int | Fraction) -> float:
        return float(value)

    def log(self, value: int | Fraction) -> float:
        above, below = value.as_integer_ratio()
        if below == 1:
            return math.log(above)
        if 2 * abs(above - below) < below:
            return math.log1p((above - below) / below)
        return math.log(above) - math.log(below)

    def sqrt(self, value: float) -> float:
        return math.sqrt(value)

    def lambert(self, candidates: int) -> float:
        if candidates == 1:
            return 0.0
        right = math.log(candidates - 1) - 1  # w + ln w
        w = right - math.log(right) if right > 1 else 0.5
        for _ in range(50):
            step = w * (1 + right - math.log(w)) / (1 + w)
            if abs(step - w) <= 1e-15 * w:
                break
            w = step
        return w


class _Intervals:
    def __init__(self, bits: int) -> None:
        self.bits = bits

    def exactly(self, value: int | Fraction) -> arithmetic.Interval:
        return arithmetic.Interval.exactly(value)

    def log(self, value: int | Fraction) -> arithmetic.Interval:
        return arithmetic.Interval.log(value, self.bits)

    def sqrt(self, value: arithmetic.Interval) -> arithmetic.Interval:
        return arithmetic.Interval.sqrt(value, self.bits)

    def lambert(self, candidates: int) -> arithmetic.Interval:
        # In errors when one of them halves the weight.
        return exponential_excess(candidates, Fraction(1, 2), self.bits) * self.log(2)


_FLOATS = _Floats()


def float_ceiling(formula: Formula) -> int:
    """Round a formula up, computed in floats: to guide a search."""
    return math.ceil(formula(_FLOATS))


def certified_ceiling(formula: Formula) -> int:
    """Return the least integer that is at least the formula.

    If 1024 bits do not distinguish the number from an integer, it returns the next integer: the
    result is never too small.
    """
    bits = 96
    while True:
        number = formula(_Intervals(bits))
        low, high = math.ceil(number.lower), math.ceil(number.upper)
        if low == high or bits >= _MOST_BITS:
            return high
        bits *= 2


Sizes: TypeAlias = Iterator[tuple[str, int]]
"""What each step asks for, by name."""

Conditions: TypeAlias = Callable[[Division, int, Ceiling], Iterable[tuple[str, int]]]
"""What a sample of n examples asks of n: names and sizes, none decreasing in n."""


def fixed_point(
    conditions: Conditions[Division],
    split: Division,
    start: int = 1,
    ceiling: Ceiling = certified_ceiling,
) -> int:
    """Return the least n that satisfies its own conditions; ``start`` is not above it.

    The required sizes do not decrease in n. So the iteration from below arrives at the least n that
    is at least all of them (Knaster and Tarski), and weaker conditions at every n have a least n
    that is not larger. So sizes are monotone in every parameter. (The set of *all* such n need not
    be an interval, because of rounding; bisection could miss its least.)
    """
    n = start
    while True:
        needed = max(n, *(size for _, size in conditions(split, n, ceiling)))
        if needed == n:
            return n
        n = needed


def best_split(
    conditions: Conditions[Split],
    rows: Sequence[SplitRow],
    outline: Conditions[Split] | None = None,
) -> tuple[int, Split]:
    """Return the least certified n over rows of splits, and a split that attains it.

    Along a row every part of a split goes one way. So a stretch of a row asks for at least what
    the loosest of its two ends does: the stretch that may ask for least is halved, until single
    splits ask for less than all that is left. ``outline`` asks for at most what the conditions ask
    for, in less time. Floats find the splits that can be best, up to a relative error far above
    theirs; intervals decide among them.
    """
    stretches: list[tuple[int, int, int, int]] = []

    def look_into(row: int, first: int, end: int, start: int) -> None:
        alone, split = end - first == 1, rows[row][first]
        asked = conditions if alone or outline is None else outline
        least = split if alone else split.loosened(rows[row][end - 1])
        heappush(stretches, (fixed_point(asked, least, start, float_ceiling), row, first, end))

    for place, row in enumerate(rows):
        look_into(place, 0, len(row), 1)
    best, found = math.inf, dict[tuple[int, int], int]()
    while stretches and stretches[0][0] <= best * (1 + _SIEVE):
        n, place, first, end = heappop(stretches)
        if end - first == 1:
            best, found[place, first] = min(best, n), n
            continue
        half, start = (first + end) // 2, max(1, _lowered(n))
        look_into(place, first, half, start)
        look_into(place, half, end, start)
    least, at = min(
        (
            fixed_point(conditions, rows[row][place], max(1, _lowered(found[row, place]))),
            (row, place),
        )
        for row, place in nearly_least(found)
    )
    return least, rows[at[0]][at[1]]


def solved(
    conditions: Conditions[Split],
    rows: Sequence[SplitRow],
    outline: Conditions[Split] | None = None,
) -> tuple[int, Split, str]:
    """Return the least certified n over the splits, its split, and the binding condition.

    Where there is one split there is nothing to search; else as :func:`best_split`.
    """
    if [len(row) for row in rows] == [1]:
        split = rows[0][0]
        n = fixed_point(conditions, split)
    else:
        n, split = best_split(conditions, rows, outline)
    return n, split, binding_condition(conditions(split, n, certified_ceiling))


def nearly_least(guesses: Mapping[Place, int]) -> list[Place]:
    """Return the keys whose sizes, computed in floats, can be the least ones."""
    best = min(guesses.values())
    return sorted(key for key, size in guesses.items() if size <= best * (1 + _SIEVE))


def _lowered(n: int) -> int:
    return n - 1 - int(n * _SIEVE / 1000)


def binding_condition(conditions: Iterable[tuple[str, int]]) -> str:
    """Return the name of the condition with the largest size; the first of equals."""
    return max(conditions, key=lambda condition: condition[1])[0]


def rounded_up_decay(decay: Fraction) -> Fraction:
    """Return a short dyadic decay that is at least the given one, below 1, and not above by much.

    Both the decay and its distance to 1 are met up to a relative error of ``2**-16``, as
    :func:`~pac_stability.mechanisms.decay_for` does, which returns this decay for the epsilon that
    it spends. The result does not decrease in the argument.
    """
    fine = 16 + max(-arithmetic.floor_log2(decay), -arithmetic.floor_log2(1 - decay))
    return Fraction(math.ceil(decay * (1 << fine)), 1 << fine)


def shares(*, finest: int, parts: int) -> Iterator[Fraction]:
    """Yield fractions of a budget: multiples of 1/parts, and powers of 1/2 near both ends."""
    steps = {Fraction(part, parts) for part in range(1, parts)}
    ends = {Fraction(1, 1 << power) for power in range(1, finest + 1)}
    yield from sorted(steps | ends | {1 - end for end in ends})


# How many patterns a class has: what the sizes need to know of it

# Beyond it the loops over binomial coefficients would not end in any sensible time.
_LARGEST_DIMENSION = 10_000


@dataclass(frozen=True, slots=True)
class Growth:
    """The best bound on tau_m, the largest number of patterns on m points or fewer.

    The least of the Sauer-Shelah sum, the number of hypotheses and a function that the caller
    gives, as far as they are known.
    """

    vc_dimension: int
    class_size: int | None = None
    function: Callable[[int], int] | None = None
    _seen: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        d = as_size(self.vc_dimension, "vc_dimension")
        if d == 0:
            raise InvalidInput(
                "vc_dimension",
                "0",
                "an integer that is at least 1 "
                "(a class of VC dimension 0 is one hypothesis, for which no example is needed)",
            )
        if d > _LARGEST_DIMENSION:
            raise InvalidInput("vc_dimension", str(d), f"at most {_LARGEST_DIMENSION}")
        object.__setattr__(self, "vc_dimension", d)
        if self.class_size is not None:
            size = as_size(self.class_size, "class_size", least=1)
            if size < 1 << d:
                raise InvalidInput(
                    "class_size", str(size), f"at least 2**{d}: the VC dimension is {d}"
                )
            object.__setattr__(self, "class_size", size)
        if self.function is not None and not callable(self.function):
            raise InvalidInput("growth", described(self.function), "a function of m, or None")

    def __call__(self, m: int) -> int:
        """Return a bound on tau_m for m >= 1, which does not decrease in m."""
        count = self._seen.get(m)
        if count is None:
            count = sauer_sum(m, self.vc_dimension)
            if self.class_size is not None:
                count = min(count, self.class_size)
            if self.function is not None:
                count = min(count, as_size(self.function(m), "growth", least=2))
            self._seen[m] = count
        return count


def sauer_sum(m: int, d: int) -> int:
    """Return the sum of C(m, i) over i up to d, each term from the one before."""
    term = total = 1
    for i in range(min(m, d)):
        term = term * (m - i) // (i + 1)
        total += term
    return total


_COUNTED = 20_000


@lru_cache(maxsize=1024)
def difference_dimension(d: int) -> int:
    """Bound the VC dimension of the class of differences ``h xor g`` of a class of VC dimension d.

    The largest m for which the differences can have 2**m patterns on m points: there are at most
    one (the empty one) and C(tau_m, 2). It is about 9.087 d, and takes time quadratic in d:
    two seconds at 20,000. Above that it is bounded by 9.1 d: tau_m is at most
    ``(m/d)**d (m/(m-d))**(m-d)``, and ``(91/10)**2 (91/81)**(81/5) < 2**(91/10)``.
    """
    if d > _COUNTED:
        return 91 * d // 10
    # tau and its last term, for m = d, d + 1, ...
    m, tau, last = d, 1 << d, 1
    while True:
        m, tau, last = m + 1, 2 * tau - last, last * (m + 1) // (m + 1 - d)
        # C(tau, 2) is at least 2**(2 b - 4) for a tau of b bits.
        if 2 * tau.bit_length() - 4 < m and 1 + comb(tau, 2) < 1 << m:
            return m - 1


# What is asked of a learner, and what a size answers

HALF = Fraction(1, 2)

L_co = TypeVar("L_co", covariant=True)
F = TypeVar("F", bound=Callable[..., object])


class OfClass(TypedDict, total=False):
    """Facts about a class besides the VC dimension, and the kind of constants."""

    constants: arithmetic.ConstantsLike
    class_size: int | None
    growth: Callable[[int], int] | None


class Share(NamedTuple):
    """A part of the budget, and the step that may spend it."""

    of: Literal["alpha", "beta", "gamma"]
    step: str
    amount: Fraction


@dataclass(frozen=True, slots=True, init=False)
class Ask:
    """The requirements on a learner, checked and exact.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    vc_dimension
        d, at least 1.
    gamma, epsilon
        The uniform stability, or the privacy of each prediction: one of them.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.
    constants
        Printed, proved, or the sharpest that is proved.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> ask = Ask("1/10", "1/20", vc_dimension=1, gamma="1/10")
    >>> ask.alpha, ask.stability, ask.patterns(3)
    (Fraction(1, 10), Fraction(1, 10), 4)
    """

    alpha: Fraction
    beta: Fraction
    gamma: Fraction | None
    epsilon: arithmetic.Epsilon | None
    patterns: Growth
    """tau_m, the largest number of patterns on m points or fewer, as far as it is known."""
    constants: Constants

    def __init__(
        self,
        alpha: AnyNumber,
        beta: AnyNumber,
        *,
        vc_dimension: int,
        gamma: AnyNumber | None = None,
        epsilon: arithmetic.EpsilonLike | None = None,
        **known: Unpack[OfClass],
    ) -> None:
        fix(
            self,
            constants=arithmetic.as_constants(known.get("constants", Constants.SHARP)),
            alpha=_as_part(alpha, "alpha"),
            beta=_as_part(beta, "beta"),
            gamma=None if gamma is None else _as_part(gamma, "gamma"),
            epsilon=None if epsilon is None else as_positive_epsilon(epsilon),
            patterns=Growth(vc_dimension, known.get("class_size"), known.get("growth")),
        )

    @property
    def stability(self) -> Fraction:
        """Gamma, the required stability of a stable learner."""
        return _needed(self.gamma, "gamma", "the uniform stability")

    @property
    def privacy(self) -> arithmetic.Epsilon:
        """Epsilon, the required privacy of a private learner."""
        return _needed(self.epsilon, "epsilon", "the privacy of each prediction")

    @property
    def printed(self) -> bool:
        """Whether the constants are the printed ones."""
        return self.constants is Constants.PRINTED

    @property
    def proved(self) -> bool:
        """Whether to use the paper's accounting, with the best lemmas."""
        return self.constants is Constants.PROVED


T = TypeVar("T")


_LEAST = Fraction(1, 10**100)
"""Of alpha, beta and gamma: floats guide the search, and hold their squares."""


def _as_part(value: AnyNumber, argument: str) -> Fraction:
    part = as_open_unit(value, argument)
    if part < _LEAST:
        raise InvalidInput(argument, in_words(part), "at least 10**-100")
    return part


def _needed(value: T | None, argument: str, wanted: str) -> T:
    if value is None:
        raise InvalidInput(argument, "None", wanted)
    return value


class Split(NamedTuple):
    """The part of alpha for each step of a proof, and the free parameters.

    Attributes
    ----------
    flip
        The probability of a flip; what the other steps spend is after it.
    net, subset, selection, generalisation, parts, deviation, noise
        Of the excess loss; 0 for a step that the proof does not have.
    part
        The largest n'/n.
    decay
        Of the exponential mechanism.
    block_error, sharpness, ratio
        Of the votes: see ``_votes`` and ``private_prediction``.
    """

    flip: Fraction = Fraction(0)
    net: Fraction = Fraction(0)
    subset: Fraction = Fraction(0)
    selection: Fraction = Fraction(0)
    generalisation: Fraction = Fraction(0)
    parts: Fraction = Fraction(0)
    deviation: Fraction = Fraction(0)
    noise: Fraction = Fraction(0)
    part: Fraction = Fraction(1)
    decay: Fraction = HALF
    block_error: Fraction = Fraction(0)
    sharpness: int = 0
    ratio: Fraction = Fraction(1)

    def loosened(self, other: Split) -> Split:
        """Return a split that asks for at most what either does."""
        looser = {
            name: (min if name in _ASKS_FOR_MORE else max)(getattr(self, name), part)
            for name, part in other._asdict().items()
        }
        return self._replace(**looser)

    def budget(self, *steps: str) -> tuple[Share, ...]:
        """Return the parts of alpha for these steps, without those that spend nothing."""
        left = 1 - 2 * self.flip
        amounts = {step: getattr(self, step) * (1 if step == "flip" else left) for step in steps}
        return tuple(Share("alpha", step, amount) for step, amount in amounts.items() if amount)


# What asks for more, the larger it is; all else asks for less.
_ASKS_FOR_MORE = ("decay", "sharpness", "ratio")


class SplitRow(Protocol):
    """Splits in an order in which every part of them goes one way."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> Split: ...


@dataclass(frozen=True, slots=True)
class Along(Generic[Part]):
    """A row of which a split is made when the search looks at it."""

    split_of: Callable[[Part], Split]
    parts: Sequence[Part]

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, place: int, /) -> Split:
        return self.split_of(self.parts[place])


@dataclass(frozen=True, slots=True, repr=False)
class LeastSize(Tabled):
    """A sufficient number of examples, and the reason why it is not smaller.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    """

    sample_size: int
    binding: str
    constants: Constants

    def _rows(self) -> Mapping[str, object]:
        return {"examples": self.sample_size, "binding": self.binding, "constants": self.constants}

    def __repr__(self) -> str:
        limited = f"limited by {self.binding}, {self.constants.value} constants"
        return f"<{type(self).__name__}: {self.sample_size:,} examples, {limited}>"


@dataclass(frozen=True, slots=True, repr=False)
class Size(LeastSize, ABC, Generic[L_co]):
    """The sample size of a learner, its parameters, and the learner itself.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple of Share
        The division of alpha, beta and gamma.
    """

    budget: tuple[Share, ...] = field(repr=False)

    @property
    def parameters(self) -> Mapping[str, object]:
        """The parameters of the learner, by name."""
        common = {each.name for each in fields(Size)}
        own = (each.name for each in fields(self))
        return {name: getattr(self, name) for name in own if name not in common}

    def learner(self, H: Family) -> L_co:
        """Return the learner, which refuses samples that are too small.

        Parameters
        ----------
        H
            A class with the given VC dimension (and size, or growth). The exponential mechanism
            takes a finite class.

        Raises
        ------
        InvalidInput
            The learner does not apply to this class.
        """
        return self._made(H)

    def _rows(self) -> Mapping[str, object]:
        return {**LeastSize._rows(self), **self.parameters}

    @abstractmethod
    def _made(self, H: Family) -> L_co: ...


def size_of(function: F) -> F:
    """Complete the signature of a size function by the optional facts about a class.

    The functions take what is optional as ``**known``; readers and tools see the names.
    """
    signature = inspect.signature(function)
    named = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    known = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind.__forward_arg__
        )
        for (name, kind), default in zip(
            OfClass.__annotations__.items(), (Constants.SHARP, None, None), strict=True
        )
    ]
    shown = signature.replace(parameters=[*named, *known])
    function.__signature__ = shown  # type: ignore[attr-defined]  # what inspect.signature reads
    return function
