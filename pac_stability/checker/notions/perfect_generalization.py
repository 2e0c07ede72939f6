"""Perfect generalization: a simulator is close to the laws, except on samples of small probability.

The laws may also prove that every simulator misses more (:func:`no_simulator`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar, cast

from pac_stability.checker import fields, pairs
from pac_stability.checker.fields import Limits
from pac_stability.errors import InvalidInput

N = TypeVar("N", bound=fields.Number)
ZERO, ONE = Fraction(0), Fraction(1)
Weighted = Sequence[tuple[Fraction, fields.Law]]
"""Laws, each with the probability of its sample."""


def _perfect_generalization(evidence: pairs.WrittenLaws) -> fields.Shown:
    """A factor, or a delta, at which a simulator is close on all but beta of the samples."""
    case, instance, value = evidence.case, evidence.case.instance, evidence.value
    simulator = {
        outcome: fields.as_probability(p, "witness.strategy", case.limits)
        for outcome, p in evidence.strategy.items()
    }
    if fields.total(simulator.values(), case.limits) != 1:
        raise InvalidInput("witness.strategy", "another sum", "a simulator: a sum of exactly 1")
    name = "factor" if case.asked.factor else "delta"
    if value < case.asked.factor or (value == math.inf and not case.asked.factor):
        wanted = f"a {name} of at least {int(case.asked.factor)}"
        raise InvalidInput("witness.value", fields.in_words(value), wanted)
    covered = Fraction(0)
    for row in evidence.rows:
        if pairs.is_close(row.law, simulator, *_closeness(case, value), case.limits):
            covered = fields.add(covered, row.probability, case.limits)
    if value != math.inf and covered < 1 - instance.beta:
        given = f"a simulator that is close with probability {fields.in_words(covered)}"
        raise InvalidInput(
            "witness.strategy", given, f"1 - beta, {fields.in_words(1 - instance.beta)}"
        )
    proved = (
        pairs.COMPLETE,
        f"the simulator of the certificate is close to the laws, at the {name} "
        f"{fields.in_words(value)}, "
        f"on samples of probability {fields.in_words(covered)}",
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
    return fields.Shown(value, refutes, exact=False, proved=proved, trusted=(trusted,))


def _closeness(case: fields.Case, value: N) -> tuple[N | Fraction, Fraction]:
    """Return a value of the parameter as a factor, with the delta beside it."""
    if case.asked.factor:
        return value, case.instance.delta
    return case.instance.epsilon_ratio, cast("Fraction", value)


def no_simulator(
    laws: Weighted, factor: Fraction, delta: Fraction, beta: Fraction, limits: Limits
) -> bool:
    """Return whether one of three arguments proves: every simulator misses more than beta.

    A simulator misses a law that it is not close to; the probabilities of missed laws add up.
    If all three fail, nothing follows, except with two outcomes: there the first is complete.
    """
    outcomes = {outcome for _, law in laws for outcome in law}
    work = len(laws) * sum(len(law) for _, law in laws)
    if work > limits.left:
        return False
    limits.spend(work, "witness.laws")
    if len(outcomes) <= 2:
        return _none_on_two_outcomes(laws, outcomes, factor, delta, beta)
    smallest = min(probability for probability, _ in laws)
    if beta < smallest and _none_close_to_all(laws, outcomes, factor, delta, limits):
        return True
    return _missed_in_pairs(laws, factor, delta, limits) > beta


def _none_on_two_outcomes(
    laws: Weighted, outcomes: set[fields.Key], factor: Fraction, delta: Fraction, beta: Fraction
) -> bool:
    """Try the simulators that suffice: the least and the greatest that are close to some law.

    The simulators close to a law form an interval of probabilities of the first outcome. If a
    simulator is in several intervals, so is the largest of their lower ends.
    """
    first = min(outcomes)

    def ends(p: Fraction) -> tuple[Fraction, Fraction]:
        low = max(ZERO, (p - delta) / factor, ONE - delta - factor * (1 - p))
        high = min(ONE, factor * p + delta, ONE - (1 - p - delta) / factor)
        return low, high

    intervals = [(probability, *ends(law.get(first, ZERO))) for probability, law in laws]
    best = max(
        sum((mine for mine, low, high in intervals if low <= q <= high), ZERO)
        for _, q, _ in intervals
    )
    return best < 1 - beta


def _none_close_to_all(
    laws: Weighted, outcomes: set[fields.Key], factor: Fraction, delta: Fraction, limits: Limits
) -> bool:
    """Bound each probability of a simulator close to all laws, and add up the bounds."""
    least = most = ZERO
    for outcome in outcomes:
        given = [law.get(outcome, ZERO) for _, law in laws]
        # Where the first were above the second, two laws would not be close to one another.
        low = max(ZERO, (max(given) - delta) / factor)
        high = min(ONE, factor * min(given) + delta)
        least, most = fields.add(least, low, limits), fields.add(most, high, limits)
    return least > 1 or most < 1


def _missed_in_pairs(laws: Weighted, factor: Fraction, delta: Fraction, limits: Limits) -> Fraction:
    """Return a probability that every simulator misses at least.

    Two laws close to the same simulator are close to one another, with the factor squared and
    ``delta * (1 + factor)``. If two laws are not, every simulator misses one of them. The function
    matches such laws in pairs and adds up their probabilities.
    """
    left = [probability for probability, _ in laws]
    missed = ZERO
    both = factor * factor, delta * (1 + factor)
    for i, j in combinations(range(len(left)), 2):
        pair = min(left[i], left[j])
        if pair and not pairs.is_close(laws[i][1], laws[j][1], *both, limits):
            left[i], left[j], missed = left[i] - pair, left[j] - pair, missed + pair
    return missed


NOTIONS: Mapping[str, fields.Asked] = {
    "perfect-generalization": fields.Asked(
        factor=True, from_above=True, fixed=("delta", "beta"), laws=_perfect_generalization
    ),
    "perfect-generalization-at-epsilon": fields.Asked(
        from_above=True, fixed=("epsilon_ratio", "beta"), laws=_perfect_generalization
    ),
}
