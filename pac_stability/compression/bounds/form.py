"""What the bounds have in common: a certified value, a formula, the least n for an epsilon."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias, get_args

from pac_stability._report import Reported
from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    as_size,
    in_words,
)
from pac_stability.arithmetic import Interval, certified_ceiling, decide_less
from pac_stability.errors import InvalidInput

Reading: TypeAlias = Literal["joint", "split"]
"""Definition 5: one probability over sample, mechanism and adversary, or the sample judged first.

In the *joint* reading, |h(S) - h(D)| > epsilon has probability at most delta. In the *split*
reading, delta = zeta + gamma, and given the sample it has probability at most gamma, except for
samples of probability zeta. The split reading is the stricter one.
"""


@dataclass(frozen=True)
class DeviationBound(Reported, ABC):
    """An epsilon, as a function of the sample size n, of the k examples kept, and of delta.

    Parameters
    ----------
    n
        Sample size, at least 1.
    k
        How many examples are kept, at least 1 (:attr:`least_k`).
    delta
        The probability of failure allowed, above 0 and below 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.
    """

    n: int
    k: int
    delta: Fraction

    _face: ClassVar[str] = "pac_stability.compression.faces:bound_face"

    least_k: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        object.__setattr__(self, "k", as_size(self.k, "k", least=self.least_k))
        object.__setattr__(self, "delta", as_open_unit(self.delta, "delta"))

    @property
    @abstractmethod
    def formula(self) -> str:
        """Epsilon in text, with ln for the natural logarithm."""

    @abstractmethod
    def _times(self, n: int, bits: int) -> Interval:
        """Enclose n times the bound for n examples, which does not decrease as n grows."""

    def value(self, bits: int = 64) -> Interval:
        """Enclose epsilon.

        Parameters
        ----------
        bits
            Working precision.
        """
        return self._times(self.n, bits) / self.n

    @property
    def is_vacuous(self) -> bool:
        """Whether epsilon is 1 or more, which is true of everything."""
        return not decide_less(self.value, lambda _: Interval.exactly(1))

    def least_n(self, epsilon: AnyNumber) -> int:
        """Return the least sample size at which epsilon is no larger than asked, all else equal.

        Parameters
        ----------
        epsilon
            The deviation allowed, above 0.

        Raises
        ------
        InvalidInput
            ``epsilon`` is not above 0.
        Undecided
            Some n meets it with what cannot be told from equality.

        Notes
        -----
        The bound times n does not decrease in n, so ``n >= n bound(n) / epsilon`` has a least
        solution, and iteration from below arrives at it (Knaster and Tarski), in a number of steps
        of the order of its logarithm. Each step is decided by certified intervals.
        """
        allowed = as_number(epsilon, "epsilon")
        if allowed <= 0:
            raise InvalidInput("epsilon", in_words(allowed), "a number above 0")
        n = self._first_n
        while (needed := certified_ceiling(lambda bits, m=n: self._times(m, bits) / allowed)) > n:  # type: ignore[misc]  # the default binds n
            n = needed
        return n

    @property
    def _first_n(self) -> int:
        """Where the search for the least n begins: the least for which the bound is defined."""
        return 1

    @property
    def chosen(self) -> Mapping[str, str]:
        """The parameters, but for those that are what they are by default."""
        return {
            field.name: _text(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


def require_reading(reading: object) -> None:
    """Refuse what is no reading of the definition."""
    if reading not in get_args(Reading):
        raise InvalidInput("reading", repr(reading), "'joint' or 'split'")


def _text(value: object) -> str:
    if isinstance(value, Fraction | int):
        return in_words(value)
    return str(value.value if isinstance(value, Enum) else value)
