"""Good simulators for large instances, proposed by a mixed-integer solver in floating point.

Nothing that the solver says is believed: it names laws to cover together, and exact arithmetic
finds out whether a simulator covers them.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.errors import PacStabilityError
from pac_stability.notions.sample_laws import LawClass
from pac_stability.notions.simulation.covers import Polytope

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

_TIME_LIMIT = 60.0  # seconds, until the solver stops with the best it has


class ExtraMissing(PacStabilityError, ImportError):
    """An optional library is needed; the message names the extra to install."""


def proposed_simulator(
    classes: Sequence[LawClass[S, O]], outcomes: Sequence[O], epsilon: Epsilon, delta: Fraction
) -> FiniteDistribution[O]:
    """Return an exact simulator for the laws that the solver wants covered.

    Parameters
    ----------
    classes
        The samples grouped by law.
    outcomes
        All outcomes.
    epsilon, delta
        The parameters of closeness.

    Raises
    ------
    ExtraMissing
        HiGHS is not installed.

    Notes
    -----
    A law that does not fit in exactly is left out: the solver rounds.
    """
    laws, weights = [found.law for found in classes], [found.weight for found in classes]
    polytope = Polytope(outcomes, epsilon)
    for i in _proposed_cover(laws, weights, outcomes, float(epsilon.ratio), float(delta)):
        larger = polytope.extended(laws[i])
        if larger.cost <= delta:
            polytope = larger
    return polytope.simulator(epsilon.ratio)


def _proposed_cover(
    laws: Sequence[FiniteDistribution[O]],
    weights: Sequence[Fraction],
    outcomes: Sequence[O],
    t: float,
    delta: float,
) -> list[int]:
    """Return the positions of laws that probably have a common simulator and much weight.

    Notes
    -----
    Variables: the simulator Q, for each law a 0/1 variable z (covered), and for each law and
    outcome the positive parts u >= P - t Q and v >= Q - t P; their sums are at most delta, or
    1 + delta when z = 0. The weight of the covered laws is maximised.
    """
    try:
        highspy = importlib.import_module("highspy")
    except ImportError as error:
        raise ExtraMissing(
            'the mixed-integer search needs HiGHS: pip install "pac_stability[milp]"'
        ) from error
    model = highspy.Highs()
    model.silent()
    model.setOptionValue("time_limit", _TIME_LIMIT)
    model.setOptionValue("threads", 1)
    simulator = [model.addVariable(lb=0, ub=1) for _ in outcomes]
    model.addConstr(model.qsum(simulator) == 1)
    covered = [model.addBinary() for _ in laws]
    for law, z in zip(laws, covered, strict=True):
        under, over = [], []
        for outcome, q in zip(outcomes, simulator, strict=True):
            p = float(law.probability(outcome))
            u, v = model.addVariable(lb=0, ub=1), model.addVariable(lb=0, ub=1)
            model.addConstr(u + t * q >= p)
            model.addConstr(v - q >= -t * p)
            under.append(u)
            over.append(v)
        model.addConstr(model.qsum(under) + z <= 1 + delta)
        model.addConstr(model.qsum(over) + z <= 1 + delta)
    model.maximize(model.qsum(float(w) * z for w, z in zip(weights, covered, strict=True)))
    values = model.vals(covered)
    return [i for i, value in enumerate(values) if value > 0.5]
