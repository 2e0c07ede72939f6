"""What a random choice is made of: exact weights, and draws that compute no more than they need.

From a privacy parameter comes a decay, and from errors and a decay come integer weights. The decay
is a rational number, and :func:`decay_for` is the only place that rounds it.

The draws take an index by weights of which only enclosures are known, once or in batches; they toss
a prepared coin many times; and they draw how often each outcome occurs among independent draws,
without drawing one by one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain, pairwise
from secrets import token_bytes
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability import arguments
from pac_stability.arguments import as_size
from pac_stability.arithmetic import EpsilonLike, Interval, fair_binomial, floor_log2
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.data.sample import label_counts_of
from pac_stability.data.tape import one_draw
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins
from pac_stability.randomness.weights import integer_weights

_SHORT = 32


def decay_for(
    epsilon: EpsilonLike, changes: int = 2, *, bits: int = 16, below_one: bool = False
) -> Fraction:
    """Return a decay rho such that ``rho**-changes`` is at most ``e**epsilon``, and close to it.

    The mechanisms here have weights that are powers of a *decay* rho, and their guarantee is the
    factor ``rho**-changes``. The rho that would spend all of epsilon, ``e**(-epsilon/changes)``, is
    irrational as a rule.

    Parameters
    ----------
    epsilon
        The epsilon to spend: a number or an :class:`~pac_stability.arithmetic.Epsilon`.
    changes
        How many times the decay enters the guarantee: 2 for an exponential mechanism (once for the
        weight, once for the normaliser), 1 for discrete Laplace noise, times the sensitivity.
    bits
        Precision: rho and 1 - rho each have a relative error of at most ``2**-bits``.
    below_one
        Whether to refuse an epsilon so small that rho would be 1.

    Returns
    -------
    Fraction
        Above 0 and at most 1. The rational rho of at most 32 bits that spends epsilon exactly, if
        there is one; otherwise a multiple of a power of 1/2, rounded *up*, so that the guarantee is
        never weaker than requested. Short numerators make exact sampling fast.

    Raises
    ------
    InvalidInput
        Epsilon is not a privacy parameter, or a count is not a positive integer.

    Notes
    -----
    Each further significant bit halves the distance to the requested guarantee.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> decay_for(Epsilon.exactly(Fraction(9, 4)))
    Fraction(2, 3)
    >>> decay_for(Epsilon.exactly(2), bits=4)
    Fraction(23, 32)
    >>> Fraction(32, 23) ** 2 <= 2 < Fraction(33, 23) ** 2
    True
    """
    asked = as_epsilon(epsilon)
    changes = arguments.as_size(changes, "changes", least=1)
    bits = arguments.as_size(bits, "bits", least=1)
    root = (asked / changes).ratio
    if below_one and root == 1:
        wanted = f"a number above 0, at least {changes} * 2**-64"
        raise InvalidInput("epsilon", arguments.described(epsilon), wanted)
    if root == 1 or (root**changes == asked.ratio and root.numerator.bit_length() <= _SHORT):
        return 1 / root
    needed = 1 / root  # at least e**(-epsilon/changes), as the root is rounded down
    fine = bits + max(-floor_log2(needed), -floor_log2(1 - needed))
    return Fraction(-((-needed.numerator << fine) // needed.denominator), 1 << fine)


def as_decay(value: object, *, below_one: bool = False) -> Fraction:
    """Return a factor ``decay`` that is positive and at most one (below one, if so wanted)."""
    if isinstance(value, float | np.floating):
        # A float here is often e**-epsilon, rounded: which fraction is meant has to be said.
        near = Fraction(float(value)).limit_denominator(1 << 20) if math.isfinite(value) else None
        write = "" if near is None else f"; write Fraction({near.numerator}, {near.denominator})"
        raise InvalidInput("decay", f"the float {value}", f"an exact number{write}")
    return arguments.as_open_unit(value, "decay", most=not below_one)


# Errors and weights

T = TypeVar("T")
In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)

Counts: TypeAlias = npt.NDArray[np.int64]
Masses: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]
"""Integers: of 64 bits, or Python's."""
Scores: TypeAlias = Sequence[int] | Counts
"""One integer for each candidate; lower is better."""

_SPREAD = 4
"""Where errors lie in a range of so many times their number, they are counted and not sorted."""

MAX_WEIGHT_BITS = 1 << 32
"""The most memory, in bits, that the weights of one draw may take."""


Prior: TypeAlias = Sequence[int | Fraction] | Counts
"""A positive exact number for each candidate, of which only the proportions matter."""


class Levels(NamedTuple):
    """Candidates grouped by their errors, best first, so that big integers occur once a level.

    Attributes
    ----------
    errors
        The distinct errors, increasing.
    masses
        The total prior of the candidates with these errors; without a prior, their number.
    """

    errors: list[int]
    masses: list[int]

    def weights(self, decay: Fraction) -> list[int]:
        """Return integers in proportion to ``decay**errors``."""
        top, bottom = decay.numerator, decay.denominator
        least, most = self.errors[0], self.errors[-1]
        bits = (most - least) * bottom.bit_length()
        if bits * len(self.errors) > MAX_WEIGHT_BITS:
            raise InvalidInput(
                "errors",
                f"{len(self.errors)} values from {least} to {most}: weights of {bits} bits each",
                f"at most {MAX_WEIGHT_BITS} bits in total (use a decay with a smaller denominator)",
            )
        weight = bottom ** (most - least)
        weights = [weight]
        for fewer, more in pairwise(self.errors):
            gap = more - fewer
            weight = weight // bottom**gap * top**gap  # the division is exact
            weights.append(weight)
        return weights


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """The function from samples to :func:`error_counts`: equal for equal classes, as copies are."""

    hypotheses: FiniteClass

    def __call__(self, sample: Sample[Hashable], /) -> Counts:
        """Return the number of errors of each hypothesis on a sample."""
        return error_counts(self.hypotheses, sample)


def error_counts(hypotheses: FiniteClass, sample: Sample[Hashable]) -> Counts:
    """Return the number of errors of each hypothesis of a class on a sample.

    Parameters
    ----------
    hypotheses
        H.
    sample
        S, on points of the domain of H.

    Returns
    -------
    array of int64, shape (|H|,)
        For each row h the number of examples (x, y) with h(x) != y, repetitions counted.

    Raises
    ------
    InvalidInput
        A point of the sample is not in the domain.

    Notes
    -----
    O(n + |H| m) for m distinct points; O(|H| m) for a long sample whose labels were counted before.

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> error_counts(H, Sample([0, 1, 1], [0, 1, 1])).tolist()
    [2, 0, 1]
    """
    arguments.require_instance(sample, Sample, "sample")
    points, surplus, ones = label_counts_of(sample)
    columns = [hypotheses.column(point) for point in points]
    # h errs on all examples of label 1 where it says 0, and on those of label 0 where it says 1.
    table, weights = hypotheses.table, surplus
    if 4 * len(columns) < table.shape[1]:
        table = table[:, columns]
    else:  # it is quicker to take all
        weights = np.zeros(table.shape[1], dtype=np.int64)
        weights[columns] = surplus
    return table @ weights + ones


def exponential_weights(
    errors: Scores, decay: Fraction, prior: Prior | None = None
) -> tuple[int, ...]:
    """Return integers in proportion to ``decay**errors``: the weights of the candidates.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; negative ones are allowed.
    decay
        rho, the factor that one more error brings, an exact number above 0 and at most 1.
    prior
        Further factors of the weights, a positive exact number for each candidate; by default they
        are all equal.

    Returns
    -------
    tuple of int
        With decay = a/b and errors from k_0 to K: ``a**(k - k_0) * b**(K - k)``, times the prior in
        lowest terms.

    Raises
    ------
    InvalidInput
        The errors are not integers below 2**63 in size, there are none, the decay is out of range,
        the prior is not one positive exact number for each candidate, or the weights would take
        more than :data:`MAX_WEIGHT_BITS`.

    Examples
    --------
    >>> exponential_weights([3, 5, 4, 3], Fraction(2, 3))
    (9, 4, 6, 9)
    >>> exponential_weights([3, 5, 4, 3], Fraction(2, 3), [Fraction(1, 2), 1, 1, 1])
    (9, 8, 12, 18)
    """
    counts = as_counts(errors)
    levels = levels_of(counts)
    weights = dict(zip(levels.errors, levels.weights(as_decay(decay)), strict=True))
    if prior is None:
        return tuple(weights[k] for k in counts.tolist())
    masses = zip(as_prior(prior, len(counts)), counts.tolist(), strict=True)
    return tuple(mass * weights[k] for mass, k in masses)


def as_counts(errors: Scores, candidates: int | None = None) -> Counts:
    """Return errors as an array; refuse all but integers, one for each candidate."""
    wanted = "an integer below 2**63 in size for each candidate, and at least one"
    arguments.refuse_masked(errors, "errors")
    try:
        array = np.asarray(errors)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput("errors", arguments.described(errors), wanted) from None
    too_large = array.dtype.kind == "u" and array.size and int(array.max()) >= 1 << 63
    if array.ndim != 1 or array.dtype.kind not in "iu" or not array.size or too_large:
        raise InvalidInput("errors", arguments.described(errors), wanted)
    if candidates is not None and len(array) != candidates:
        raise InvalidInput("errors", f"{len(array)} integers", f"{candidates}, one a candidate")
    return array.astype(np.int64, copy=False)


def as_prior(prior: Prior, candidates: int) -> tuple[int, ...]:
    """Return a prior as integers in lowest terms; refuse all but positive exact numbers."""
    given = prior.tolist() if isinstance(prior, np.ndarray) else prior
    numbers = integer_weights(given, "prior")
    if len(numbers) != candidates:
        raise InvalidInput("prior", f"{len(numbers)} weights", f"{candidates}, one a candidate")
    if 0 in numbers:
        wanted = "a positive weight (what must not be chosen is no candidate)"
        raise InvalidInput(f"prior[{numbers.index(0)}]", "0", wanted)
    common = math.gcd(*numbers)
    return numbers if common == 1 else tuple(number // common for number in numbers)


def as_masses(prior: tuple[int, ...]) -> Masses:
    """Return positive integers as an array that adds them up exactly."""
    return np.array(prior, dtype=np.int64 if sum(prior) < 1 << 63 else object)


def levels_of(errors: Counts, prior: Masses | None = None) -> Levels:
    """Group candidates by their errors, and add up the prior of each group's members."""
    if prior is None:
        values, multiplicities = distinct_errors(errors)
        return Levels(values.tolist(), multiplicities.tolist())
    order = ascending(errors)
    values, starts = np.unique(errors[order], return_index=True)
    return Levels(values.tolist(), np.add.reduceat(prior[order], starts).tolist())


def ascending(errors: Counts) -> Counts:
    """Return the candidates by their errors, those with equal errors in their order."""
    least = int(errors.min())
    if int(errors.max()) - least < 1 << 16:  # so short, they are sorted digit by digit
        return np.argsort((errors - least).astype(np.uint16), kind="stable")
    return np.argsort(errors, kind="stable")


def distinct_errors(errors: Counts) -> tuple[Counts, Counts]:
    """Return the distinct errors, increasing, and how many candidates have them."""
    least, most = int(errors.min()), int(errors.max())
    if most - least > _SPREAD * len(errors):
        return np.unique(errors, return_counts=True)
    counts = np.bincount(errors - least)
    present = np.flatnonzero(counts)
    return present + least, counts[present]


def as_candidates(values: Iterable[T], argument: str) -> tuple[T, ...]:
    """Return the values as a tuple: at least one, all distinct, fit to be outcomes."""
    kept = arguments.distinct(values, argument)
    if not kept:
        raise InvalidInput(argument, "none", "at least one")
    for value in kept:
        arguments.require_value(value, argument)
    return kept


def as_function(function: Callable[..., object], argument: str) -> None:
    """Refuse a value that cannot be called."""
    if not callable(function):
        raise InvalidInput(argument, arguments.described(function), "a function")


class Draws(Protocol):
    """A sampler of candidates for one input, by index."""

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> int:
        """Return the index of a candidate."""
        ...


@dataclass(frozen=True, slots=True)
class Choosing(ABC, Generic[In_contra, Out_co]):
    """A mechanism that takes one of some candidates by their errors on the input."""

    candidates: tuple[Out_co, ...]
    errors: Callable[[In_contra], Scores]
    decay: Fraction
    sensitivity: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "candidates", as_candidates(self.candidates, "candidates"))
        as_function(self.errors, "errors")
        object.__setattr__(self, "decay", as_decay(self.decay))
        object.__setattr__(
            self, "sensitivity", arguments.as_size(self.sensitivity, "sensitivity", least=1)
        )

    @abstractmethod
    def prepare(self, x: In_contra, /) -> Draws:
        """Return a sampler of candidates for one input, by index; it computes the errors once.

        The guarantee is for one draw; several spend more. The object itself is as private as the
        input.

        Parameters
        ----------
        x
            The input of ``errors``.

        Examples
        --------
        >>> from pac_stability.mechanisms import PermuteAndFlip
        >>> chooser = PermuteAndFlip("ab", lambda bit: [bit, 1 - bit], Fraction(1, 2))
        >>> prepared = chooser.prepare(0)
        >>> chooser.candidates[prepared.draw()] in "ab", prepared.draws(1000).shape
        (True, (1000,))
        """

    @one_draw
    def run(self, x: In_contra, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one candidate.

        Parameters
        ----------
        x
            The input of ``errors``.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return self.candidates[self.prepare(x).draw(rng)]

    def _counts(self, x: In_contra) -> Counts:
        return as_counts(self.errors(x), len(self.candidates))


Enclosures: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""Floors and ceilings of the weights, in one unit, one of each for every case."""

_WORD = 64
"""How many bits of the uniform number are drawn at first."""

_GUARD = 32
"""Bits of a power beyond those of the uniform number."""

_LEADING = 10
"""So many of them lead to a place in a table."""


def enclosed_choice(enclosed: Callable[[int], Enclosures], rng: Coins = SYSTEM_COINS) -> int:
    """Return an index, drawn with probability exactly in proportion to weights that are enclosed.

    Parameters
    ----------
    enclosed
        Given a number of bits, it returns integers ``floors[i] <= u w_i <= ceilings[i]`` for a unit
        u of its own choice. The weights w are positive and at least one; with enough bits the
        bounds come as close as wanted, relative to the sum of the weights.
    rng
        The source of coins; by default the operating system's entropy.

    Returns
    -------
    int
        The index i has exactly the probability ``w_i / (w_1 + ... + w_L)``.

    Raises
    ------
    InvalidInput
        There are no weights, or floors and ceilings do not enclose anything.

    Notes
    -----
    Let ``C_1 <= ... <= C_L = Z`` be the sums of the first weights. A uniform number U in [0, 1) is
    revealed bit by bit, and the answer is the l with ``C_(l-1) <= U Z < C_l``, whose probability is
    ``(C_l - C_(l-1)) / Z``. After b bits, U is in ``[u, u + 1) / 2**b``. The function returns an
    index only when every such U and all sums within their bounds agree on it; otherwise it doubles
    the bits and the precision. So rounding affects the number of bits read, never the result. With
    probability 0, U is on a boundary and the draw never ends.

    Examples
    --------
    >>> import math
    >>> def roots(bits: int) -> tuple[list[int], list[int]]:  # of 2 and 3
    ...     below = [math.isqrt(n << 2 * bits) for n in (2, 3)]
    ...     return below, [root + 1 for root in below]
    >>> from pac_stability.randomness import SeededCoins
    >>> draws = [enclosed_choice(roots, SeededCoins(seed)) for seed in range(1000)]
    >>> sum(draws)  # 1 has the probability sqrt(3) / (sqrt(2) + sqrt(3)) = 0.5505
    545
    """
    return settled_choice(rng.below(1 << _WORD), _WORD, enclosed, rng)


def settled_choice(
    digits: int, bits: int, enclosed: Callable[[int], Enclosures], rng: Coins = SYSTEM_COINS
) -> int:
    """Return the index that a uniform number chooses, given some of its bits.

    Parameters
    ----------
    digits, bits
        U is in ``[digits, digits + 1) / 2**bits``.
    enclosed, rng
        As for :func:`enclosed_choice`; the source of more bits of U.

    Raises
    ------
    InvalidInput
        As for :func:`enclosed_choice`.
    """
    while True:
        floors, ceilings = enclosed(bits)
        if not floors or len(floors) != len(ceilings):
            given = f"{len(floors)} floors and {len(ceilings)} ceilings"
            raise InvalidInput("enclosed", given, "one of each for every weight, and at least one")
        index = decided(digits, bits, list(accumulate(floors)), list(accumulate(ceilings)))
        if index is not None:
            return index
        digits, bits = digits << bits | rng.below(1 << bits), 2 * bits


def decided(digits: int, bits: int, low: Sequence[int], high: Sequence[int]) -> int | None:
    """Return the index that is the only possible one, if there is one.

    Parameters
    ----------
    digits, bits
        U is in ``[digits, digits + 1) / 2**bits``.
    low, high
        Bounds on ``C_1, ..., C_L``.
    """
    # U Z is in [digits low[-1], (digits + 1) high[-1]) / 2**bits, and below Z = C_L in any case.
    ceiling = -(-(digits + 1) * high[-1] >> bits)
    index = min(bisect_left(low, ceiling), len(low) - 1)
    if index and high[index - 1] << bits > digits * low[-1]:
        return None
    return index


def borders(enclosed: Callable[[int], Enclosures], bits: int) -> tuple[list[int], list[int]]:
    """Return, for each case, the digits from which a later case is possible, and certain.

    Parameters
    ----------
    enclosed
        As for :func:`enclosed_choice`.
    bits
        The number of bits of the uniform number.

    Returns
    -------
    maybe, surely : list of int
        For each case i: from ``maybe[i]`` on a case after i is possible, from ``surely[i]`` on it
        is certain. The last case has no borders, nor has any case after one that no digits surely
        pass.

    Notes
    -----
    Let C be the sum of the first weights, and Z that of all. Digits u stand for the numbers in
    ``[u, u + 1) / 2**bits``: some may belong to a later case from ``u + 1 > 2**bits C/Z`` on, and
    all do from ``u >= 2**bits C/Z`` on.

    Examples
    --------
    >>> borders(lambda _bits: ([1, 2, 3], [1, 2, 3]), 8)
    ([42, 128], [43, 128])
    """
    floors, ceilings = enclosed(bits)
    low, high = list(accumulate(floors)), list(accumulate(ceilings))
    # Where the floors of all later cases are 0, none of them is ever certain.
    told = min(1 + bisect_left(low, low[-1]), len(low) - 1)
    maybe = [(each << bits) // high[-1] for each in low[:told]]
    return maybe, [-(-(each << bits) // low[-1]) for each in high[:told]]


class BorderedChoice:
    """A choice by enclosed weights, prepared to be made many times.

    Parameters
    ----------
    enclosed
        As for :func:`enclosed_choice`.

    Notes
    -----
    It compares words of 64 bits with :func:`borders`. A table indexed by the first bits of a word
    gives the number of borders below it; a search settles borders within the same cell.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> thirds = BorderedChoice(lambda _bits: ([1, 2], [1, 2]))
    >>> words = np.array([0, 2**63, 2**64 - 1], dtype=np.uint64)
    >>> thirds.at(words, SeededCoins(1)).tolist()
    [0, 1, 1]
    """

    def __init__(self, enclosed: Callable[[int], Enclosures]) -> None:
        self._enclosed = enclosed
        maybe, surely = borders(enclosed, _WORD)
        self._maybe = _as_words(maybe)
        self._surely = _as_words(surely)
        begins = np.arange(1 << _LEADING, dtype=np.uint64) << np.uint64(_WORD - _LEADING)
        self._least = self._surely.searchsorted(begins, side="right").astype(np.int64)

    def at(self, digits: npt.NDArray[np.uint64], rng: Coins) -> npt.NDArray[np.int64]:
        """Return the indices that uniform numbers choose, given 64 bits of each.

        Parameters
        ----------
        digits
            These bits, shape (k,).
        rng
            The source of more bits, for when these leave the index open.
        """
        found = self._least.take((digits >> np.uint64(_WORD - _LEADING)).astype(np.intp))
        later = np.flatnonzero(self._surely.take(found) <= digits)
        # The last border is beyond all words; the greatest word alone is not below it.
        found[later] = self._surely[:-1].searchsorted(digits[later], side="right")
        for place in np.flatnonzero(self._maybe.take(found) <= digits).tolist():
            found[place] = settled_choice(int(digits[place]), _WORD, self._enclosed, rng)
        return found


def _as_words(borders: list[int]) -> npt.NDArray[np.uint64]:
    """Return increasing numbers as words, leaving out those that no word reaches, and the last."""
    last = (1 << _WORD) - 1
    return np.array([*(each for each in borders if each <= last), last], dtype=np.uint64)


def enclosed_powers(
    exponents: Sequence[int], decay: Fraction, bits: int
) -> tuple[list[int], list[int]]:
    """Enclose powers of a decay between integers.

    Parameters
    ----------
    exponents
        Non-negative and increasing.
    decay
        rho, above 0 and at most 1.
    bits
        The unit of the results is ``2**-bits``.

    Returns
    -------
    floors, ceilings : list of int
        ``floors[i] <= 2**bits * decay**exponents[i] <= ceilings[i]``, at most ``3 exponents[i]``
        apart, until a floor is 0; later powers share its ceiling.

    Notes
    -----
    Each power is the previous one times the power of the gap, which is computed by squaring.
    Distinct gaps sum to at most the last exponent K, so there are ``O(sqrt(K))`` of them.

    Examples
    --------
    >>> enclosed_powers([0, 1, 5], Fraction(2, 3), 10)
    ([1024, 682, 133], [1024, 683, 137])
    """
    pairs = [*each_power(exponents, decay, bits)]
    return [low for low, _ in pairs], [high for _, high in pairs]


def each_power(exponents: Sequence[int], decay: Fraction, bits: int) -> Iterator[tuple[int, int]]:
    """Yield the floor and the ceiling of each power, as :func:`enclosed_powers` returns them."""
    low = (decay.numerator << bits) // decay.denominator
    squares = [(low, -((-decay.numerator << bits) // decay.denominator))]
    low = high = 1 << bits
    known: dict[int, tuple[int, int]] = {}
    for last, exponent in pairwise(chain([0], exponents)):
        if low:  # later powers are smaller still
            gap = exponent - last
            if gap not in known:
                known[gap] = _enclosed_power(gap, squares, bits)
            low_part, high_part = known[gap]
            low, high = low * low_part >> bits, -(-high * high_part >> bits)
        yield low, high


def _enclosed_power(exponent: int, squares: list[tuple[int, int]], bits: int) -> tuple[int, int]:
    """Enclose a power, given those whose exponents are powers of two; more of these are put in."""
    while exponent >> len(squares):
        low, high = squares[-1]
        squares.append((low * low >> bits, -(-high * high >> bits)))
    low = high = 1 << bits
    for place, (low_square, high_square) in enumerate(squares):
        if exponent >> place & 1:
            low, high = low * low_square >> bits, -(-high * high_square >> bits)
    return low, high


def enclosed_power(exponent: int, decay: Fraction, bits: int) -> tuple[int, int]:
    """Return the floor and the ceiling of a power in units of ``2**-bits``, or integers beyond.

    Examples
    --------
    >>> enclosed_power(5, Fraction(2, 3), 10)
    (134, 135)
    """
    (low,), (high,) = enclosed_powers([exponent], decay, bits + _GUARD)
    return low >> _GUARD, -(-high >> _GUARD)


# Coins

_FOLLOWED = 1 << 12
"""Probabilities of so many bits are given to the coins as they are; a tape can follow these."""

_FEW = 16
"""So many tosses of short probabilities are single questions, for the same reason."""


class LazyCoin:
    """A coin with an enclosed probability, tossed exactly.

    Parameters
    ----------
    bounds
        Given a number of bits b, it returns integers ``low <= 2**b p <= high``, which, relative to
        ``2**b``, come as close as wanted for large b.
    exact
        The probability p of 1, if it is known and short.

    Notes
    -----
    It reveals a uniform number U, 64 bits at first, and refines U and the bounds until U lies on
    one side. It does so at once, except with probability ``2**-64`` times the distance of the
    bounds. Rounding affects the number of bits read, never the answer.

    Examples
    --------
    >>> import math
    >>> root = LazyCoin(lambda b: (math.isqrt(1 << 2 * b - 1), math.isqrt(1 << 2 * b - 1) + 1))
    >>> from pac_stability.randomness import SeededCoins
    >>> rng = SeededCoins(1)
    >>> sum(root.toss(rng) for _ in range(1000))  # 1 has the probability sqrt(1/2)
    690
    """

    __slots__ = ("_bounds", "_exact", "_first")

    def __init__(
        self, bounds: Callable[[int], tuple[int, int]], exact: Fraction | None = None
    ) -> None:
        self._bounds = bounds
        short = exact is not None and exact.denominator.bit_length() <= _FOLLOWED
        self._exact = exact if short else None
        self._first: tuple[int, int] | None = None

    @property
    def low(self) -> int:
        """The floor of ``2**64 p``, or an integer below."""
        return self._enclosed()[0]

    @property
    def high(self) -> int:
        """An integer that is not below ``2**64 p``."""
        return self._enclosed()[1]

    def _enclosed(self) -> tuple[int, int]:
        """Return the bounds of a word, made when they are first asked for."""
        if self._first is None:
            self._first = self._bounds(_WORD)
        return self._first

    @staticmethod
    def of(p: Fraction) -> LazyCoin:
        """Return the coin of a rational probability.

        Examples
        --------
        >>> coin = LazyCoin.of(Fraction(1, 3))
        >>> coin.low, coin.high - coin.low
        (6148914691236517205, 1)
        """

        def bounds(bits: int) -> tuple[int, int]:
            whole, rest = divmod(p.numerator << bits, p.denominator)
            return whole, whole + bool(rest)

        return LazyCoin(bounds, p)

    @property
    def short(self) -> bool:
        """Whether the probability is short enough to be given to the coins in full."""
        return self._exact is not None

    def toss(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return 1 or 0.

        Parameters
        ----------
        rng
            The source of coins; by default the operating system's entropy.
        """
        if self._exact is not None:
            return rng.bernoulli(self._exact)
        return self.settled(rng.below(1 << _WORD), rng)

    def settled(self, digits: int, rng: Coins) -> int:
        """Return 1 or 0 for a uniform number, given 64 bits of it.

        Parameters
        ----------
        digits
            These bits.
        rng
            Where more come from.
        """
        bits, (low, high) = _WORD, self._enclosed()
        while low <= digits < high:
            digits, bits = digits << bits | rng.below(1 << bits), 2 * bits
            low, high = self._bounds(bits)
        return int(digits < low)


def toss_each(coins: Sequence[LazyCoin], rng: Coins = SYSTEM_COINS) -> list[int]:
    """Toss each of some coins once.

    Parameters
    ----------
    coins
        Which.
    rng
        Where the coins come from; by default the operating system's entropy, read once for all
        tosses.

    Examples
    --------
    >>> toss_each([LazyCoin.of(Fraction(0)), LazyCoin.of(Fraction(1))])
    [0, 1]
    """
    if rng is not SYSTEM_COINS:
        return [coin.toss(rng) for coin in coins]
    digits = memoryview(token_bytes(8 * len(coins))).cast("Q")
    return [coin.settled(word, rng) for coin, word in zip(coins, digits, strict=True)]


def toss_all(
    coins: Sequence[LazyCoin], which: npt.NDArray[Any], rng: Coins = SYSTEM_COINS
) -> npt.NDArray[np.uint8]:
    """Toss many coins of few kinds, each toss independent.

    Parameters
    ----------
    coins
        The kinds.
    which
        For each toss the index of its coin, shape (k,).
    rng
        The source of coins; by default the operating system's entropy.

    Returns
    -------
    array of uint8, shape (k,)

    Notes
    -----
    It draws all first words at once and compares them in two array operations. It settles the
    remaining tosses one by one.

    Examples
    --------
    >>> fair = [LazyCoin.of(Fraction(0)), LazyCoin.of(Fraction(1))]
    >>> toss_all(fair, np.array([0, 1, 1])).tolist()
    [0, 1, 1]
    """
    if len(which) <= _FEW and all(coin.short for coin in coins):
        return np.array(toss_each([coins[i] for i in which.tolist()], rng), dtype=np.uint8)
    digits = words(len(which), rng)
    # A word is below low if it is at most low - 1, which fits in a word; low = 0 is below no word.
    last = np.array([max(coin.low - 1, 0) for coin in coins], dtype=np.uint64)[which]
    some = np.array([coin.low > 0 for coin in coins])[which]
    most = np.array([max(coin.high - 1, 0) for coin in coins], dtype=np.uint64)[which]
    tossed: npt.NDArray[np.uint8] = ((digits <= last) & some).astype(np.uint8)
    for place in np.flatnonzero((tossed == 0) & (digits <= most)).tolist():
        tossed[place] = coins[which[place]].settled(int(digits[place]), rng)
    return tossed


def words(count: int, rng: Coins = SYSTEM_COINS) -> npt.NDArray[np.uint64]:
    """Return independent uniform words of 64 bits.

    Parameters
    ----------
    count
        How many.
    rng
        The source of coins; by default the operating system's entropy.

    Returns
    -------
    array of uint64, shape (count,)

    Examples
    --------
    >>> words(3).shape
    (3,)
    """
    if rng is SYSTEM_COINS:  # no integer is made of what comes as bytes
        octets = token_bytes(8 * count)
    else:
        octets = rng.below(1 << _WORD * count).to_bytes(8 * count, "little")
    return np.frombuffer(octets, dtype="<u8").astype(np.uint64)


def below_each(sizes: npt.NDArray[Any], rng: Coins = SYSTEM_COINS) -> npt.NDArray[np.int64]:
    """Return for each of some sizes n a number from 0 to n - 1, all equally likely.

    Parameters
    ----------
    sizes
        Positive integers, shape (k,).
    rng
        The source of coins; by default the operating system's entropy.

    Returns
    -------
    array of int64, shape (k,)

    Notes
    -----
    A word x of 32 bits gives the upper half of ``n x``, unless the lower half is below ``2**32 mod
    n``: the remaining words give each number equally often. It draws the others again. Source:
    Lemire, *Fast random integer generation in an interval*, 2019.

    Examples
    --------
    >>> below_each(np.array([1, 1, 1])).tolist()
    [0, 0, 0]
    """
    if len(sizes) and int(sizes.max()) >> 32:
        return np.array([rng.below(n) for n in sizes.tolist()], dtype=np.int64)
    wanted = sizes.astype(np.uint64)
    found = np.zeros(len(wanted), dtype=np.uint64)
    half, mask = np.uint64(32), np.uint64((1 << 32) - 1)
    left = np.flatnonzero(wanted > 1)
    while len(left):
        drawn = (words(-(-len(left) // 2), rng)[:, None] >> np.array([0, 32], np.uint64)) & mask
        product = drawn.ravel()[: len(left)] * wanted[left]
        found[left] = product >> half
        left = left[(product & mask) < np.uint64(1 << 32) % wanted[left]]
    return found.astype(np.int64)


# How often each outcome occurs among independent draws

FLIPS = 1 << 17
"""So many fair coins are flipped; of more it is only drawn how many show 1."""


def occurrences(weights: Sequence[int], size: int, rng: Coins = SYSTEM_COINS) -> list[int]:
    """Draw how often each of some outcomes occurs among independent draws: a multinomial law.

    Parameters
    ----------
    weights
        The probabilities of the outcomes, up to a factor: integers, none negative, not all 0.
    size
        The number of draws.
    rng
        The source of coins; by default the operating system's entropy.

    Returns
    -------
    list of int
        One number for each weight; their sum is ``size``.

    Raises
    ------
    InvalidInput
        A weight is negative, or none is positive; ``size`` is negative.

    Notes
    -----
    Uniform numbers fall into cells of the unit interval. Those in a dyadic interval go left or
    right independently with probability 1/2, so the number that goes left is the number of ones
    among fair bits (:func:`ones_among`). It halves intervals until each lies in one cell. It is
    exact and takes about ``L log2(size)`` halvings for L outcomes.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> occurrences([1, 3], 10**5, SeededCoins(1))
    [25202, 74798]
    >>> sum(occurrences([2, 1, 4], 10**30))
    1000000000000000000000000000000
    """
    sums = list(accumulate(as_size(weight, "weights") for weight in weights))
    if not sums or not sums[-1]:
        raise InvalidInput("weights", "no positive number", "one at least")
    total, counts = sums[-1], [0] * len(sums)
    waiting = [(0, 0, as_size(size, "size"))]  # numbers in [place, place + 1) / 2**depth
    while waiting:
        depth, place, count = waiting.pop()
        if not count:
            continue
        first = bisect_right(sums, place * total >> depth)
        last = bisect_left(sums, -(-(place + 1) * total >> depth))
        if first == last:
            counts[first] += count
            continue
        left = ones_among(count, rng)
        waiting.append((depth + 1, 2 * place, left))
        waiting.append((depth + 1, 2 * place + 1, count - left))
    return counts


def successes(
    bounds: Callable[[int], tuple[int, int]], size: int, rng: Coins = SYSTEM_COINS
) -> int:
    """Draw how many of some tosses of a coin with an enclosed probability show 1.

    Parameters
    ----------
    bounds
        As for :class:`~pac_stability.mechanisms.draws.LazyCoin`: given b, integers ``low <= 2**b p
        <= high``, which, relative to ``2**b``, come as close as wanted for large b.
    size
        The number of tosses.
    rng
        The source of coins; by default the operating system's entropy.

    Notes
    -----
    It counts the uniform numbers below ``low``, above ``high`` and in between. There is hardly ever
    one in between; if there is, the bounds are refined. So the law is exact.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> thirds = lambda bits: ((1 << bits) // 3, (1 << bits) // 3 + 1)
    >>> successes(thirds, 3 * 10**12, SeededCoins(1))
    1000000087225
    """
    bits, below, between = as_size(size, "size").bit_length() + 64, 0, size
    start, end = 0, 1 << bits  # the undecided numbers are in [start, end) / 2**bits
    while between:
        low, high = bounds(bits)
        low, high = max(low, start), min(high, end)
        if low > high:
            raise InvalidInput("bounds", "intervals that are apart", "enclosures of one number")
        surely, between, _ = occurrences((low - start, high - low, end - high), between, rng)
        below += surely
        start, end, bits = low << bits, high << bits, 2 * bits
    return below


def ones_among(flips: int, rng: Coins = SYSTEM_COINS) -> int:
    """Draw how many of some fair coins show 1, in a time that hardly depends on their number.

    Parameters
    ----------
    flips
        The number of coins.
    rng
        Where they come from; the operating system's entropy by default.

    Notes
    -----
    Up to :data:`FLIPS` coins are flipped. A larger number is 2n, and possibly one more coin. Let
    ``m > sqrt(2n)`` be an integer, and draw a sign, k with probability ``2**-(k + 1)``, and j below
    m uniformly; with ``e = k m + j``, x is n + e or n - 1 - e. Every x is proposed with probability
    ``2**-(k + 2) / m``. Keeping it with probability ``3/4 m 2**k p(x)``, where p(x) is ``C(2n, x) /
    4**n``, gives the binomial law. This is a probability: for x at a distance ``a >= k m`` from n,
    p(x) is at most ``p(n) e**-(a**2 / (n + a))``, the second factor is at most ``e**-(k**2) <=
    2**-k``, and ``m p(n) <= (sqrt(2n) + 1) / sqrt(3n + 1) < 5/4``. Enclosures of factorials decide
    whether to keep a proposal, with more bits where needed; on average 3 of 16 are kept. The
    proposals are those of K. Bringmann, F. Kuhn, K. Panagiotou, U. Peter and H. Thomas, *Internal
    DLA: efficient simulation of a physical growth model*, ICALP 2014.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> ones_among(10, SeededCoins(1)), ones_among(10**12, SeededCoins(1))
    (7, 500000626639)
    """
    if flips <= FLIPS:
        return rng.below(1 << flips).bit_count()
    half, odd = divmod(flips, 2)
    width, p = math.isqrt(2 * half) + 1, fair_binomial(half)
    while True:
        negative, k = rng.below(2), 0
        while rng.below(2):
            k += 1
        distance = k * width + rng.below(width)
        distance = -1 - distance if negative else distance
        if abs(distance) <= half and keeping_coin(p, width, k, distance).toss(rng):
            return half + distance + (rng.below(2) if odd else 0)


def keeping_coin(
    p: Callable[[int, int, int], Interval], width: int, k: int, distance: int
) -> LazyCoin:
    """Return the coin that decides whether a proposal of :func:`ones_among` is kept."""

    def bounds(bits: int) -> tuple[int, int]:
        # LazyCoin asks for 64 at least.
        return p(distance, 3 * width << bits + k - 2, bits + 16).in_units(0)

    return LazyCoin(bounds)
