"""From a privacy parameter to a decay, and from errors and a decay to exact integer weights.

The decay is a rational number, and this is the only place that rounds it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability import arguments
from pac_stability.arithmetic import Epsilon, floor_log2
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
    epsilon: Epsilon | arguments.AnyNumber,
    changes: int = 2,
    *,
    bits: int = 16,
    below_one: bool = False,
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
        """Return a sampler of candidates for one input; it computes the errors once."""

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
