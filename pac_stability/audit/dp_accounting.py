"""Exact laws as privacy-loss distributions of Google's ``dp-accounting``.

That library composes mechanisms in floating point, on a grid of privacy losses. This module gives
it an exact start: certified arithmetic rounds each loss ``ln(p(o)/q(o))`` up to the grid and each
probability to the next float above, so the start errs only on the safe side.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self, TypeVar

from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput

T = TypeVar("T")


class PrivacyLossDistribution(Protocol):
    """The part of the class of this name in ``dp-accounting`` that this library uses."""

    def get_delta_for_epsilon(self, epsilon: float) -> float:
        """Return a delta for an epsilon."""
        ...

    def get_epsilon_for_delta(self, delta: float) -> float:
        """Return an epsilon for a delta."""
        ...

    def compose(self, privacy_loss_distribution: Self) -> Self:
        """Return the distribution for this mechanism and another, one after the other."""
        ...

    def self_compose(self, num_times: int) -> Self:
        """Return the distribution of this many runs of the mechanism."""
        ...


@dataclass(frozen=True, slots=True)
class RoundedLosses:
    """The law of the privacy loss in one direction, rounded up to a grid.

    Attributes
    ----------
    masses
        From k to the probability, under the first law, that the loss ``ln(p(o)/q(o))`` is above
        ``(k-1) * interval`` and at most ``k * interval``; each rounded up to a float.
    infinite
        The probability, under the first law, of the outcomes that are impossible under the second.
    """

    masses: dict[int, float]
    infinite: float


def rounded_losses(
    p: FiniteDistribution[T], q: FiniteDistribution[T], interval: float
) -> RoundedLosses:
    """Return the law of the privacy loss of p against q, rounded up to a grid.

    Parameters
    ----------
    p, q
        The law of the outcomes, and the law that it is compared with.
    interval
        The mesh of the grid, a positive float; it stands for its exact binary value.

    Raises
    ------
    InvalidInput
        A law is not a distribution, or the interval is not a positive number.

    Notes
    -----
    The hockey-stick divergence of the rounded losses is between that of the laws at epsilon and
    that at epsilon - interval. Time: one certified logarithm an outcome.

    Examples
    --------
    >>> p = FiniteDistribution({"yes": Fraction(3, 4), "no": Fraction(1, 4)})
    >>> q = FiniteDistribution({"yes": Fraction(1, 4), "no": Fraction(1, 2), "?": Fraction(1, 4)})
    >>> rounded_losses(p, q, 0.5)  # ln 3 = 1.0986... and ln 1/2 = -0.693...
    RoundedLosses(masses={3: 0.75, -1: 0.25}, infinite=0.0)
    >>> rounded_losses(q, p, 0.5).infinite
    0.25
    """
    for argument, law in (("p", p), ("q", q)):
        if not isinstance(law, FiniteDistribution):
            raise InvalidInput(argument, described(law), "a FiniteDistribution")
    if not isinstance(interval, float) or not 0 < interval < math.inf:  # type: ignore[redundant-expr]  # callers may be untyped
        raise InvalidInput("interval", described(interval), "a positive float")
    mesh = Fraction(interval)
    masses: dict[int, Fraction] = {}
    infinite = Fraction(0)
    for outcome, probability in p.items():
        other = q.probability(outcome)
        if not other:
            infinite += probability
            continue
        step = _ceiling_of_log(probability / other, mesh)
        masses[step] = masses.get(step, Fraction(0)) + probability
    return RoundedLosses(
        {step: _float_above(mass) for step, mass in masses.items()}, _float_above(infinite)
    )


def privacy_loss_distribution(
    p: FiniteDistribution[T], q: FiniteDistribution[T], interval: float = 1e-4
) -> PrivacyLossDistribution:
    """Return a pair of exact laws as a privacy-loss distribution of ``dp-accounting``.

    Parameters
    ----------
    p, q
        The laws of a mechanism on two neighbouring inputs, in either order.
    interval
        The mesh of the grid of losses (``value_discretization_interval``). Only distributions with
        one mesh can be composed; 1e-4 is the default of that library.

    Returns
    -------
    PrivacyLossDistribution
        A ``dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution`` with pessimistic
        rounding that holds *both* directions, p against q and q against p. (Its constructors use
        one direction for both unless ``symmetric=False`` is given; if the two differ, that
        understates delta.) Up to floating point, ``get_delta_for_epsilon(e)`` is between
        :func:`~pac_stability.notions.closeness.minimal_delta` at ``e`` and at ``e - interval``.

    Raises
    ------
    ImportError
        The extra ``dp-accounting`` is not installed.
    InvalidInput
        As for :func:`rounded_losses`.

    Notes
    -----
    The result is about the mechanism only if no other pair of neighbours is worse at any epsilon.
    Otherwise it is about this pair alone, and so are its compositions.
    """
    there, back = rounded_losses(p, q, interval), rounded_losses(q, p, interval)
    try:
        library = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    except ModuleNotFoundError as error:
        message = "dp-accounting is missing: pip install 'pac_stability[dp-accounting]'"
        raise ImportError(message, name="dp_accounting") from error
    distribution: PrivacyLossDistribution = (
        library.PrivacyLossDistribution.create_from_rounded_probability(
            there.masses,
            there.infinite,
            interval,
            pessimistic_estimate=True,
            rounded_probability_mass_function_add=back.masses,
            infinity_mass_add=back.infinite,
            symmetric=False,
        )
    )
    return distribution


def _ceiling_of_log(ratio: Fraction, mesh: Fraction) -> int:
    """Return the least integer k with ``ln(ratio) <= k * mesh``."""
    if ratio == 1:
        return 0
    bits = 64
    while True:
        # Ends, because the logarithm of a rational other than 1 is irrational.
        around = Interval.log(ratio, bits) / mesh
        step = math.ceil(around.upper)
        if step == math.ceil(around.lower):
            return step
        bits *= 2


def _float_above(value: Fraction) -> float:
    """Return the least float that is at least the value."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)
