"""What a mechanism on samples of size n is known to satisfy: the values that implications turn.

Differential privacy is :class:`~pac_stability.mechanisms.PrivacyGuarantee`. Its two companions are
here. All parameters are rational; where a theorem gives an irrational one, it is rounded up, so
that what the value says is still proved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    as_probability,
    described,
    in_words,
)
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.compression.bounds import Reading, require_reading
from pac_stability.errors import InvalidInput

_GRID = 1 << 64  # rounded parameters are multiples of one over this
_LARGEST = 1 << 20  # an epsilon whose factor has a million digits is no guarantee


@dataclass(frozen=True, slots=True, repr=False)
class PerfectGuarantee(Tabled):
    """(beta, epsilon, delta)-perfect generalization, on every distribution (Definition 8).

    For every distribution C there is a simulator, a law that does not depend on the sample, to
    which the law of the output on T ~ C^n is (epsilon, delta)-close with probability 1 - beta.

    Parameters
    ----------
    beta
        The share of samples that the simulator may miss, an exact number from 0 to 1.
    epsilon
        An :class:`~pac_stability.arithmetic.Epsilon`.
    delta
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        A parameter is out of its range or not exact.

    Examples
    --------
    >>> PerfectGuarantee(Fraction(1, 10), Epsilon.exactly(2)).delta
    Fraction(0, 1)
    """

    _kind: ClassVar[str] = "perfect generalization"

    beta: Fraction
    epsilon: Epsilon
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "beta", as_probability(self.beta, "beta"))
        if not isinstance(self.epsilon, Epsilon):
            raise InvalidInput("epsilon", described(self.epsilon), "an Epsilon")
        object.__setattr__(self, "delta", as_probability(self.delta, "delta"))

    @property
    def is_vacuous(self) -> bool:
        """Whether every mechanism has it: beta or delta is 1."""
        return 1 in (self.beta, self.delta)


@dataclass(frozen=True, slots=True, repr=False)
class RobustGuarantee(Tabled):
    """(epsilon, delta)-robust generalization, on every distribution (Definition 5).

    For every distribution D and every adversary that sees the output alone and names a test h,
    |h(S) - h(D)| > epsilon has probability at most delta in the sense of the reading.

    Parameters
    ----------
    epsilon
        The deviation, an exact number of at least 0.
    delta
        The probability of failure, an exact number from 0 to 1.
    reading
        ``"joint"`` or ``"split"``, see :data:`Reading`.

    Raises
    ------
    InvalidInput
        A parameter is out of its range or not exact.

    Examples
    --------
    >>> float(RobustGuarantee(Fraction(1, 4), Fraction(1, 50)).as_split().delta)
    0.2
    """

    _kind: ClassVar[str] = "robust generalization"

    epsilon: Fraction
    delta: Fraction
    reading: Reading = "joint"

    def __post_init__(self) -> None:
        deviation = as_number(self.epsilon, "epsilon")
        if deviation < 0:
            raise InvalidInput("epsilon", in_words(deviation), "a deviation of at least 0")
        object.__setattr__(self, "epsilon", deviation)
        object.__setattr__(self, "delta", as_probability(self.delta, "delta"))
        require_reading(self.reading)

    @property
    def is_vacuous(self) -> bool:
        """Whether every mechanism has it: epsilon is at least 1, or delta is 1."""
        return self.epsilon >= 1 or self.delta == 1

    def as_joint(self) -> RobustGuarantee:
        """Return what holds in the joint reading: the same numbers.

        Notes
        -----
        With p_S for the probability of failure given the sample, ``E[p_S] <= gamma + zeta``.
        """
        return RobustGuarantee(self.epsilon, self.delta, "joint")

    def as_split(self) -> RobustGuarantee:
        """Return what holds in the split reading: sqrt(2 delta) for a joint delta, rounded up.

        Notes
        -----
        Let d be the smallest ``gamma + Pr[p_S > gamma]``. Then ``Pr[p_S > gamma] >= d - gamma`` for
        every gamma, and ``E[p_S]``, the integral of the left side over [0, 1], is at least the
        integral of the right side over [0, d]: ``d**2 / 2``.
        """
        if self.reading == "split":
            return self
        delta = min(Fraction(1), rounded_up(Interval.sqrt(2 * self.delta)))
        return RobustGuarantee(self.epsilon, delta, "split")


def rounded_up(value: Interval) -> Fraction:
    """Return a short fraction that is at least the number meant, by less than 2**-64 more."""
    return Fraction(math.ceil(value.upper * _GRID), _GRID)


def factor_above(epsilon: Interval) -> Epsilon:
    """Return a rational factor of at least e**epsilon, for an epsilon known up to an interval."""
    if epsilon.upper > _LARGEST:
        raise InvalidInput("n", "an epsilon for so many examples beyond 2**20", "a smaller epsilon")
    return Epsilon.exactly(max(Fraction(1), rounded_up(Interval.exp(epsilon.upper))))


def require_guarantee(guarantee: object, kind: type) -> None:
    """Refuse what is no guarantee of the kind."""
    if not isinstance(guarantee, kind):
        raise InvalidInput("guarantee", described(guarantee), f"a {kind.__name__}")


def joint_failure(delta: AnyNumber, reading: Reading) -> Fraction:
    """Return the joint probability of failure that gives delta in the reading.

    It is delta itself, or ``delta**2 / 2`` for the split reading: :meth:`RobustGuarantee.as_split`.
    """
    require_reading(reading)
    failure = as_open_unit(delta, "delta")
    return failure if reading == "joint" else failure**2 / 2
