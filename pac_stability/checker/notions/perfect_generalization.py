"""Perfect generalization: a simulator that is close to the laws on all samples but a share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar, cast

from pac_stability.checker.fields import (
    Asked,
    Case,
    Number,
    Shown,
    add,
    as_probability,
    in_words,
    total,
)
from pac_stability.checker.laws import COMPLETE, Evidence
from pac_stability.checker.recheck_simulators import is_close, no_simulator
from pac_stability.errors import InvalidInput

N = TypeVar("N", bound=Number)


def _perfect_generalization(evidence: Evidence) -> Shown:
    """A factor, or a delta, at which a simulator is close on all but beta of the samples."""
    case, instance, value = evidence.case, evidence.case.instance, evidence.value
    simulator = {
        outcome: as_probability(p, "witness.strategy", case.limits)
        for outcome, p in evidence.strategy.items()
    }
    if total(simulator.values(), case.limits) != 1:
        raise InvalidInput("witness.strategy", "another sum", "a simulator: a sum of exactly 1")
    name = "factor" if case.asked.factor else "delta"
    if value < case.asked.factor or (value == math.inf and not case.asked.factor):
        raise InvalidInput(
            "witness.value", in_words(value), f"a {name} of at least {int(case.asked.factor)}"
        )
    covered = Fraction(0)
    for row in evidence.rows:
        if is_close(row.law, simulator, *_closeness(case, value), case.limits):
            covered = add(covered, row.probability, case.limits)
    if value != math.inf and covered < 1 - instance.beta:
        given = f"a simulator that is close with probability {in_words(covered)}"
        raise InvalidInput("witness.strategy", given, f"1 - beta, {in_words(1 - instance.beta)}")
    proved = (
        COMPLETE,
        f"the simulator of the certificate is close to the laws, at the {name} {in_words(value)}, "
        f"on samples of probability {in_words(covered)}",
    )[: 1 if value == math.inf else 2]
    fails = case.claim_fails(value)
    laws = [(row.probability, row.law) for row in evidence.rows]
    refutes = (
        fails
        and case.claim is not None
        and no_simulator(laws, *_closeness(case, case.claim), instance.beta, case.limits)
    )
    trusted = f"that no simulator has a smaller {name}"
    if fails and not refutes:
        trusted += ", and so that the claim fails"
    return Shown(value, refutes, exact=False, proved=proved, trusted=(trusted,))


def _closeness(case: Case, value: N) -> tuple[N | Fraction, Fraction]:
    """Return a value of the parameter as a factor, with the delta beside it."""
    if case.asked.factor:
        return value, case.instance.delta
    return case.instance.epsilon_ratio, cast("Fraction", value)


NOTIONS: Mapping[str, Asked] = {
    "perfect-generalization": Asked(
        factor=True, from_above=True, fixed=("delta", "beta"), laws=_perfect_generalization
    ),
    "perfect-generalization-at-epsilon": Asked(
        from_above=True, fixed=("epsilon_ratio", "beta"), laws=_perfect_generalization
    ),
}
