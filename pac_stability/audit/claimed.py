"""What is claimed of an algorithm, and whether a value keeps to it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pac_stability.arguments import AnyNumber, as_number, as_probability, in_words
from pac_stability.arithmetic import Epsilon, Interval, decide_less
from pac_stability.audit.notions.notion import Parameter
from pac_stability.audit.results import Value, Verdict
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class ClaimedBound:
    """A claimed bound on a value, or none.

    Attributes
    ----------
    bound
        The bound in the units of the value. For an epsilon that was given as a number, a rational
        number just below e**epsilon.
    epsilon
        That number. A value between the bound and e**epsilon keeps to the claim, too.
    """

    bound: Fraction | None = None
    epsilon: Fraction | None = None

    @classmethod
    def of(cls, claim: Epsilon | AnyNumber | None, parameter: Parameter) -> ClaimedBound:
        """Return the claim of a parameter, as people state it."""
        if claim is None:
            return cls()
        if not parameter.is_factor:
            number = as_number(cast("AnyNumber", claim), "claim")
            if parameter.most is not None:
                return cls(as_probability(number, "claim"))
            if number < 0:
                raise InvalidInput("claim", in_words(number), "a number of at least 0")
            return cls(number)
        if isinstance(claim, Epsilon):
            return cls(claim.ratio)
        number = as_number(claim, "claim")
        try:
            return cls(Epsilon(number).ratio, number)
        except InvalidInput as error:
            raise InvalidInput("claim", error.given, error.wanted) from None

    def judged(self, value: Value, *, at_least: bool = False) -> tuple[Verdict, Fraction | None]:
        """Return what a value says of the claim, and the bound with which it was compared.

        Parameters
        ----------
        value
            The value.
        at_least
            Whether the claim is a bound from below; by default it is one from above.
        """
        low, high = (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
        if self.bound is None:
            return (Verdict.VERIFIED if low == high else Verdict.BOUNDED), None
        if at_least:
            best, worst = high >= self.bound, low >= self.bound
        else:
            best, worst = self._allows(low), self._allows(high)
        bound = self.bound
        if self.epsilon is not None:
            kept = [x for x in (low, high) if isinstance(x, Fraction) and self._allows(x)]
            bound = max([bound, *kept])
        if worst:
            return Verdict.VERIFIED, bound
        return (Verdict.BOUNDED if best else Verdict.REFUTED), bound

    def _allows(self, value: Fraction | float) -> bool:
        if self.bound is None or value <= self.bound:
            return True
        epsilon = self.epsilon
        if not epsilon or not isinstance(value, Fraction):
            return False
        # Ends: e**epsilon is irrational.
        return decide_less(
            lambda _: Interval.exactly(value), lambda bits: Interval.exp(epsilon, bits)
        )
