"""When a simulator is close to a law, and when no simulator is close to enough of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from pac_stability.checker.fields import Key, Law, Limits, Number, add, total

Weighted = Sequence[tuple[Fraction, Law]]
"""Laws, each with the probability of its sample."""

ZERO, ONE = Fraction(0), Fraction(1)


def is_close(p: Law, q: Law, factor: Number, delta: Fraction, limits: Limits) -> bool:
    """Return whether no event has more than factor times plus delta under the other law."""
    return max(_excess(p, q, factor, limits), _excess(q, p, factor, limits)) <= delta


def _excess(p: Law, q: Law, factor: Number, limits: Limits) -> Fraction:
    """Return the largest value of p(E) - factor * q(E) over the events E."""

    def excess(outcome: Key) -> Fraction:
        other = q.get(outcome, ZERO)
        if not other:
            return p[outcome]
        return ZERO if isinstance(factor, float) else max(ZERO, p[outcome] - factor * other)

    return total(map(excess, p), limits)


def no_simulator(
    laws: Weighted, factor: Fraction, delta: Fraction, beta: Fraction, limits: Limits
) -> bool:
    """Return whether it is plain that every simulator misses laws of probability above beta.

    A simulator misses a law that it is not close to. Three arguments are tried; none of them
    succeeding proves nothing, except with two outcomes, where the first one is complete.
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
    laws: Weighted, outcomes: set[Key], factor: Fraction, delta: Fraction, beta: Fraction
) -> bool:
    """Try all simulators that matter: the least and the greatest that are close to some law.

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
    laws: Weighted, outcomes: set[Key], factor: Fraction, delta: Fraction, limits: Limits
) -> bool:
    """Bound each probability of a simulator that is close to all laws, and add up the bounds."""
    least = most = ZERO
    for outcome in outcomes:
        given = [law.get(outcome, ZERO) for _, law in laws]
        # Where the first were above the second, two laws would not be close to one another.
        low = max(ZERO, (max(given) - delta) / factor)
        high = min(ONE, factor * min(given) + delta)
        least, most = add(least, low, limits), add(most, high, limits)
    return least > 1 or most < 1


def _missed_in_pairs(laws: Weighted, factor: Fraction, delta: Fraction, limits: Limits) -> Fraction:
    """Return a probability that every simulator misses.

    Two laws that are close to one simulator are close to one another, with the factor squared and
    ``delta * (1 + factor)``. Of two laws that are not, a simulator misses one. Pairing off the
    probabilities of such laws adds up what is missed.
    """
    left = [probability for probability, _ in laws]
    missed = ZERO
    both = factor * factor, delta * (1 + factor)
    for i, j in combinations(range(len(left)), 2):
        pair = min(left[i], left[j])
        if pair and not is_close(laws[i][1], laws[j][1], *both, limits):
            left[i], left[j], missed = left[i] - pair, left[j] - pair, missed + pair
    return missed
