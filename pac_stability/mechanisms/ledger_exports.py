"""What a ledger has seen, as data for other libraries' accountants, rounded upwards."""

from __future__ import annotations

import importlib
import math
from fractions import Fraction
from typing import NamedTuple, Protocol, Self

from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.ledger import Ledger, Use

_BITS = 128


class RoundedUse(NamedTuple):
    """Equal uses of a budget, in floats that are no smaller than they should be.

    Attributes
    ----------
    epsilon, delta
        What each uses up, at most.
    times
        How many there are.
    """

    epsilon: float
    delta: float
    times: int


class ComposedLosses(Protocol):
    """What is used here of a privacy-loss distribution of ``dp-accounting``."""

    def get_delta_for_epsilon(self, epsilon: float) -> float:
        """Return a delta for an epsilon."""
        ...

    def get_epsilon_for_delta(self, delta: float) -> float:
        """Return an epsilon for a delta."""
        ...

    def compose(self, privacy_loss_distribution: Self) -> Self:
        """Return the distribution for this mechanism and another."""
        ...

    def self_compose(self, num_times: int) -> Self:
        """Return the distribution for so many runs."""
        ...


def rounded_uses(ledger: Ledger) -> tuple[RoundedUse, ...]:
    """Return what was used up, in floats rounded upwards, the largest epsilon first.

    Parameters
    ----------
    ledger
        The ledger; it is only read.

    Raises
    ------
    InvalidInput
        It is no ledger, or an epsilon is beyond all floats.

    Examples
    --------
    >>> ledger = Ledger(epsilon=2, delta="1e-5")
    >>> ledger.reserve("1/10", times=4)
    >>> rounded_uses(ledger)
    (RoundedUse(epsilon=0.1, delta=0.0, times=4),)
    """
    if not isinstance(ledger, Ledger):
        raise InvalidInput("ledger", described(ledger), "a Ledger")
    found = [
        RoundedUse(_float_above(_epsilon(use)), _float_above(use.delta), times)
        for use, times in ledger.spent().items()
    ]
    return tuple(sorted(found, reverse=True))


def to_opendp(ledger: Ledger) -> list[float] | list[tuple[float, float]]:
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
        ``opendp.combinators.make_adaptive_composition``, which was ``make_sequential_composition``
        before OpenDP 0.14.

    Raises
    ------
    InvalidInput
        As for :func:`rounded_uses`.

    Examples
    --------
    >>> ledger = Ledger(epsilon=1)
    >>> ledger.reserve("1/4", times=3)
    >>> to_opendp(ledger)
    [0.25, 0.25, 0.25]
    """
    uses = rounded_uses(ledger)
    if all(use.delta == 0 for use in uses):
        return [use.epsilon for use in uses for _ in range(use.times)]
    return [(use.epsilon, use.delta) for use in uses for _ in range(use.times)]


def to_dp_accounting(ledger: Ledger, interval: float = 1e-4) -> ComposedLosses:
    """Return all uses together as a privacy-loss distribution of Google's ``dp-accounting``.

    Parameters
    ----------
    ledger
        The ledger; it is only read. At least one use.
    interval
        The mesh of that library's grid of losses.

    Returns
    -------
    ComposedLosses
        A ``PrivacyLossDistribution``, pessimistic, of the worst mechanisms with these guarantees:
        compose it with others, ask it for an epsilon or a delta. From here on that library's floats
        count; up to them, a delta is no less than
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
    try:
        losses = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
        common = importlib.import_module("dp_accounting.pld.common")
    except ModuleNotFoundError as error:
        message = "dp-accounting is missing: pip install 'pac_stability[dp-accounting]'"
        raise ImportError(message, name="dp_accounting") from error
    whole: ComposedLosses | None = None
    for use in uses:
        terms = common.DifferentialPrivacyParameters(use.epsilon, use.delta)
        once: ComposedLosses = losses.from_privacy_parameters(
            terms, value_discretization_interval=interval
        )
        together = once.self_compose(use.times) if use.times > 1 else once
        whole = together if whole is None else whole.compose(together)
    assert whole is not None  # noqa: S101  # there are uses
    return whole


def _epsilon(use: Use) -> Fraction:
    """Return at least the epsilon of a use."""
    return use.number + (Interval.log(use.factor, _BITS).upper if use.factor > 1 else 0)


def _float_above(value: Fraction) -> float:
    try:
        near = float(value)
    except OverflowError:
        raise InvalidInput("ledger", "an epsilon beyond all floats", "smaller ones") from None
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)
