"""Exponential weights over large lists of hypotheses, and exact draws from unions of such lists."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size
from pac_stability.classes.rules.sparse_halfspaces import SparseHalfspace, SparseHalfspaces
from pac_stability.data import AnySample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.enclosed_draws import Enclosures, enclosed_choice, enclosed_powers
from pac_stability.mechanisms.exponential_draws import exponential_choice
from pac_stability.mechanisms.weights import Levels
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

SHORT = 256
"""Powers of a decay of so many bits are written out, and weights are fractions."""

_GUARD = 32


class ReadableRule(Protocol):
    """A hypothesis that labels points, and can be an outcome."""

    def __hash__(self) -> int:
        """Equal rules have equal hashes."""
        ...

    def __call__(self, point: Hashable, /) -> int:
        """Label of a point."""
        ...

    def labels(self, codes: npt.NDArray[np.int64], /) -> npt.NDArray[np.uint8]:
        """Label many points of integers, one a row."""
        ...


class Posterior(Protocol):
    """Hypotheses with weights prior times ``decay**errors``, that can be summed and drawn."""

    @property
    def total(self) -> int:
        """The sum of the prior's integers: the sum of the weights if nobody errs."""
        ...

    @property
    def precision(self) -> int:
        """How many bits a weight of a best hypothesis may begin after the point."""
        ...

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction of few digits."""
        ...

    def mass(self) -> Fraction:
        """Return the sum of the weights exactly."""
        ...

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        """Enclose the sum of the weights, in units of ``2**-bits``."""
        ...

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> ReadableRule:
        """Return a hypothesis, with probability exactly in proportion to its weight."""
        ...


def leading_bits(least: int, decay: Fraction, total: int) -> int:
    """Return a precision at which weights of so few errors have digits, among all of the prior."""
    each = math.log2(decay.denominator) - math.log2(decay.numerator)
    return math.ceil(least * each) + total.bit_length()


class _EqualRules(NamedTuple):
    """Rules with equally many features and errors.

    Attributes
    ----------
    errors
        How many errors they have.
    mass
        Their prior in all.
    begin, end
        Where the rules with as many features are.
    """

    errors: int
    mass: int
    begin: int
    end: int


@dataclass(frozen=True, eq=False)
class SparsePosterior:
    """Sparse halfspaces, with weight prior times ``decay**errors`` on a sample.

    Parameters
    ----------
    rules
        The class.
    sample
        Its points are vectors of integers from 0 to ``rules.largest``.
    decay
        rho, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The sample does not fit, or the decay is out of range.

    Notes
    -----
    A draw is that of :class:`~pac_stability.mechanisms.ExponentialMechanism` with a prior: private
    for an example replaced with the factor ``rho**-2``, for one added or removed with ``rho**-1``.
    The object itself is not private: it holds all errors.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> H, sample = SparseHalfspaces(2, 3, sparsity=1), Sample([(0, 2), (3, 1), (3, 3)], [0, 1, 1])
    >>> posterior = SparsePosterior(H, sample, Fraction(1, 100))
    >>> round(float(posterior.mass() / posterior.total), 3)  # 3 of the 12 rules do not err
    0.253
    >>> from pac_stability.randomness import SeededCoins
    >>> posterior.draw(SeededCoins(1))
    SparseHalfspace(x0 >= 2)
    """

    rules: SparseHalfspaces
    sample: AnySample = field(repr=False)
    decay: Fraction
    errors: npt.NDArray[np.int64] = field(init=False, repr=False)
    _kinds: tuple[_EqualRules, ...] = field(init=False, repr=False)
    _levels: Levels = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.rules, SparseHalfspaces):
            raise InvalidInput("rules", type(self.rules).__name__, "SparseHalfspaces")
        object.__setattr__(self, "decay", as_decay(self.decay))
        errors = self.rules.errors(self.sample)
        errors.flags.writeable = False
        object.__setattr__(self, "errors", errors)
        kinds, start = [], 0
        for size, mass in self.rules.groups:
            counts = np.bincount(errors[start : start + size])
            kinds += [
                _EqualRules(k, count * mass, start, start + size)
                for k, count in enumerate(counts.tolist())
                if count
            ]
            start += size
        object.__setattr__(self, "_kinds", tuple(kinds))
        masses: Counter[int] = Counter()
        for kind in kinds:
            masses[kind.errors] += kind.mass
        values = sorted(masses)
        levels = Levels(values, [masses[k] for k in values])
        object.__setattr__(self, "_levels", levels)

    @property
    def total(self) -> int:
        """The sum of the prior's integers."""
        return self.rules.total

    @property
    def precision(self) -> int:
        """How many bits a weight of a best rule may begin after the point."""
        return leading_bits(self._levels.errors[0], self.decay, self.total)

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction of few digits."""
        return self._levels.errors[-1] * self.decay.denominator.bit_length() <= SHORT

    def mass(self) -> Fraction:
        """Return the sum of the weights exactly."""
        pairs = zip(self._levels.errors, self._levels.masses, strict=True)
        return sum((mass * self.decay**k for k, mass in pairs), Fraction(0))

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        """Enclose the sum of the weights, in units of ``2**-bits``."""
        floors, ceilings = enclosed_powers(self._levels.errors, self.decay, bits)
        masses = self._levels.masses
        return (
            sum(mass * low for mass, low in zip(masses, floors, strict=True)),
            sum(mass * high for mass, high in zip(masses, ceilings, strict=True)),
        )

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> SparseHalfspace:
        """Return a rule, with probability exactly in proportion to its weight."""
        # First how many errors and features it has, then one of those, which are equally likely.
        prior = [kind.mass for kind in self._kinds]
        errors = [kind.errors for kind in self._kinds]
        kind = self._kinds[exponential_choice(errors, self.decay, rng, prior=prior)]
        members = np.flatnonzero(self.errors[kind.begin : kind.end] == kind.errors)
        return self.rules[kind.begin + int(members[rng.below(len(members))])]


@dataclass(frozen=True, eq=False)
class PosteriorUnion:
    """The union of several lists of hypotheses, each with a share of the prior.

    Parameters
    ----------
    parts
        Posteriors on one sample, with one decay; at least one.
    shares
        A positive integer for each: how much of the prior it has, in relation to the others. By
        default they are equal.

    Raises
    ------
    InvalidInput
        There are no parts, not one share for each, or a share is not a positive integer.

    Notes
    -----
    First one of the parts is drawn, by the sums of their weights, which are compared in certified
    enclosures; then one of its hypotheses. So each hypothesis has the probability of one
    exponential mechanism over them all, and its privacy. What is best is not chosen and then paid
    for: a list of equal share costs at most ``log(parts)/log(1/decay)`` errors more than to have
    known it.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> sample = Sample([(0, 2), (3, 1), (3, 3)], [0, 1, 1])
    >>> few, many = (SparseHalfspaces(2, 3, sparsity=k) for k in (1, 2))
    >>> union = PosteriorUnion([SparsePosterior(H, sample, Fraction(1, 2)) for H in (few, many)])
    >>> union.mass() / union.total
    Fraction(59, 128)
    """

    parts: tuple[Posterior, ...]
    shares: tuple[int, ...]

    def __init__(self, parts: Iterable[Posterior], shares: Iterable[int] | None = None) -> None:
        kept = tuple(parts)
        if not kept:
            raise InvalidInput("parts", "none", "at least one")
        equal = (1,) * len(kept)
        wanted = equal if shares is None else tuple(as_size(s, "shares", 1) for s in shares)
        if len(wanted) != len(kept):
            raise InvalidInput("shares", f"{len(wanted)} of them", f"{len(kept)}, one a part")
        object.__setattr__(self, "parts", kept)
        object.__setattr__(self, "shares", wanted)

    @property
    def _scales(self) -> list[int]:
        """By how much the weights of the parts are multiplied, so that the shares are right."""
        common = math.lcm(*(part.total for part in self.parts))
        return [
            share * (common // part.total)
            for share, part in zip(self.shares, self.parts, strict=True)
        ]

    @property
    def total(self) -> int:
        """The sum of the prior's integers."""
        return sum(self.shares) * math.lcm(*(part.total for part in self.parts))

    @property
    def precision(self) -> int:
        """How many bits a weight of a best hypothesis may begin after the point."""
        return min(part.precision for part in self.parts) + self.total.bit_length()

    @property
    def short(self) -> bool:
        """Whether the sum of the weights is a fraction of few digits."""
        return all(part.short for part in self.parts)

    def mass(self) -> Fraction:
        """Return the sum of the weights exactly."""
        pairs = zip(self._scales, self.parts, strict=True)
        return sum((scale * part.mass() for scale, part in pairs), Fraction(0))

    def enclosed_mass(self, bits: int, /) -> tuple[int, int]:
        """Enclose the sum of the weights, in units of ``2**-bits``."""
        floors, ceilings = self._enclosures(bits)
        return sum(floors), sum(ceilings)

    def draw(self, rng: Coins = SYSTEM_COINS, /) -> ReadableRule:
        """Return a hypothesis, with probability exactly in proportion to its weight."""
        if self.short:
            pairs = zip(self._scales, self.parts, strict=True)
            masses = [scale * part.mass() for scale, part in pairs]
            return self.parts[rng.choose(WeightedChoice(masses))].draw(rng)
        fine = self.precision + _GUARD
        return self.parts[enclosed_choice(lambda bits: self._enclosures(bits + fine), rng)].draw(
            rng
        )

    def _enclosures(self, bits: int) -> Enclosures:
        masses = [part.enclosed_mass(bits) for part in self.parts]
        pairs = list(zip(self._scales, masses, strict=True))
        return [scale * low for scale, (low, _) in pairs], [
            scale * high for scale, (_, high) in pairs
        ]
