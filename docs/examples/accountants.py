"""Exact laws, and uses of a budget, for other libraries: Google's dp-accounting, and OpenDP.

Google's library composes mechanisms in floating point, on a grid of privacy losses. These functions
give it an exact start: certified arithmetic rounds each loss ``ln(p(o)/q(o))`` up to the grid and
each probability to the next float above, so the start errs only on the safe side.
`tests/audit/test_dp_accounting.py` compares what comes out with the exact frontier.

    python docs/examples/accountants.py
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from pac_stability import mechanisms, zoo
from pac_stability.arguments import described, require_instance
from pac_stability.arithmetic import Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput

T = TypeVar("T")


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
) -> Any:
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
    library = _library("privacy_loss_distribution")
    return library.PrivacyLossDistribution.create_from_rounded_probability(
        there.masses,
        there.infinite,
        interval,
        pessimistic_estimate=True,
        rounded_probability_mass_function_add=back.masses,
        infinity_mass_add=back.infinite,
        symmetric=False,
    )


class RoundedUse(NamedTuple):
    """Equal uses of a budget, in floats rounded up.

    Attributes
    ----------
    epsilon, delta
        An upper bound on the cost of each.
    times
        How many there are.
    neighbours
        The relation of the ledger: ``"replace-one"`` or ``"add-remove"``.
    """

    epsilon: float
    delta: float
    times: int
    neighbours: str


def rounded_uses(ledger: mechanisms.Ledger) -> tuple[RoundedUse, ...]:
    """Return the uses, in floats rounded upwards, the largest epsilon first.

    Parameters
    ----------
    ledger
        The ledger; it is only read.

    Raises
    ------
    InvalidInput
        It is not a ledger, or an epsilon is beyond all floats.

    Examples
    --------
    >>> ledger = mechanisms.Ledger(epsilon=2, delta="1e-5")
    >>> ledger.reserve("1/10", times=4)
    >>> rounded_uses(ledger)
    (RoundedUse(epsilon=0.1, delta=0.0, times=4, neighbours='replace-one'),)
    """
    require_instance(ledger, mechanisms.Ledger, "ledger")
    found = [
        RoundedUse(
            _float_above(
                use.number + (Interval.log(use.factor, 128).upper if use.factor > 1 else 0)
            ),
            _float_above(use.delta),
            times,
            ledger.neighbours.value,
        )
        for use, times in ledger.spent().items()
    ]
    return tuple(sorted(found, reverse=True))


def to_opendp(ledger: mechanisms.Ledger) -> list[float] | list[tuple[float, float]]:
    """Return one privacy loss a use, as OpenDP's adaptive composition takes them.

    Parameters
    ----------
    ledger
        The ledger; it is only read.

    Returns
    -------
    list
        Epsilons, for the measure ``max_divergence()``; or, when a use has a delta, pairs for
        ``approximate(max_divergence())``: the argument ``d_mids`` of
        ``opendp.combinators.make_adaptive_composition``, called ``make_sequential_composition``
        before OpenDP 0.14. They hold under the relation of the ledger, ``ledger.neighbours``: for a
        row replaced, ``d_in`` counts changed rows (``change_one_distance``), or is 2 for
        ``symmetric_distance``; for rows added or removed, ``symmetric_distance`` is 1.

    Raises
    ------
    InvalidInput
        As for :func:`rounded_uses`.

    Examples
    --------
    >>> ledger = mechanisms.Ledger(epsilon=1)
    >>> ledger.reserve("1/4", times=3)
    >>> to_opendp(ledger)
    [0.25, 0.25, 0.25]
    """
    uses = rounded_uses(ledger)
    if all(use.delta == 0 for use in uses):
        return [use.epsilon for use in uses for _ in range(use.times)]
    return [(use.epsilon, use.delta) for use in uses for _ in range(use.times)]


def to_dp_accounting(ledger: mechanisms.Ledger, interval: float = 1e-4) -> Any:
    """Return all uses together as a privacy-loss distribution of Google's ``dp-accounting``.

    Parameters
    ----------
    ledger
        The ledger; it is only read. At least one use.
    interval
        The mesh of that library's grid of losses.

    Returns
    -------
    PrivacyLossDistribution
        A distribution under the relation of the ledger, pessimistic, of the worst
        mechanisms with these guarantees: compose it with others, ask it for an epsilon or a delta.
        From here on that library computes in floats; apart from their rounding, a delta is at least
        :func:`~pac_stability.mechanisms.optimal_delta`.

    Raises
    ------
    ImportError
        The extra ``dp-accounting`` is not installed.
    InvalidInput
        Nothing was used, or as for :func:`rounded_uses`.
    """
    uses = rounded_uses(ledger)
    if not uses:
        raise InvalidInput("ledger", "one that nothing was taken from", "at least one use")
    losses, common = _library("privacy_loss_distribution"), _library("common")
    whole: Any = None
    for use in uses:
        terms = common.DifferentialPrivacyParameters(use.epsilon, use.delta)
        once = losses.from_privacy_parameters(terms, value_discretization_interval=interval)
        together = once.self_compose(use.times) if use.times > 1 else once
        whole = together if whole is None else whole.compose(together)
    return whole


def _library(name: str) -> Any:
    try:
        return importlib.import_module(f"dp_accounting.pld.{name}")
    except ModuleNotFoundError as error:
        message = "dp-accounting is missing: pip install 'pac_stability[dp-accounting]'"
        raise ImportError(message, name="dp_accounting") from error


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
    try:
        near = float(value)
    except OverflowError:
        raise InvalidInput("ledger", "an epsilon beyond all floats", "smaller ones") from None
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


if __name__ == "__main__":
    specimen = zoo.get("one-sided-noise")
    for interval in (1e-1, 1e-2, 1e-3):
        rounded = rounded_losses(specimen.law(0), specimen.law(1), interval)
        print(f"grid {interval}: {rounded}")
