"""Laws that no simulator covers together: certified limits on how much can be covered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.notions.closeness import hockey_stick_at, total_variation
from pac_stability.notions.sample_laws import LawClass, outcomes_of

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

_ALL_EVENTS = 6  # with more outcomes than these, events are single outcomes


def needed_by_pair(
    p: FiniteDistribution[O], q: FiniteDistribution[O], epsilon: Epsilon
) -> Fraction:
    """Return a lower bound on the delta at which one simulator covers two laws.

    Parameters
    ----------
    p, q
        The laws.
    epsilon
        The parameter of closeness.

    Returns
    -------
    Fraction
        Exact when there are two outcomes.

    Notes
    -----
    Let a law R be (epsilon, delta)-close to both, and t = e^epsilon. Through R, each of p and q is
    (2 epsilon, (1 + t) delta)-close to the other. For every event E, 1 = R(E) + R(not E) is at
    least (p(E) - delta)/t + (q(not E) - delta)/t, and at most t p(E) + t q(not E) + 2 delta. With
    TV for the total variation of p and q, the best events give 2 delta >= 1 + TV - t and
    2 delta >= 1 - t (1 - TV).

    Examples
    --------
    >>> p, q = FiniteDistribution.point_mass("p"), FiniteDistribution.point_mass("q")
    >>> needed_by_pair(p, q, Epsilon.exactly(3))
    Fraction(1, 2)
    """
    t = epsilon.ratio
    apart = total_variation(p, q)
    return max(
        Fraction(0),
        hockey_stick_at(p, q, t * t) / (1 + t),
        hockey_stick_at(q, p, t * t) / (1 + t),
        (1 + apart - t) / 2,
        (1 - t * (1 - apart)) / 2,
    )


def conflict_graph(
    laws: Sequence[FiniteDistribution[O]],
    in_conflict: Callable[[FiniteDistribution[O], FiniteDistribution[O]], bool],
) -> list[int]:
    """Return, for each law, a bitmask of those that are in conflict with it.

    Parameters
    ----------
    laws
        The laws.
    in_conflict
        Whether two laws are known not to be covered together.

    Examples
    --------
    >>> laws = [FiniteDistribution.point_mass(y) for y in "aba"]
    >>> conflict_graph(laws, lambda p, q: needed_by_pair(p, q, Epsilon(1)) > Fraction(1, 4))
    [2, 5, 2]
    """
    masks = [0] * len(laws)
    for (i, p), (j, q) in combinations(enumerate(laws), 2):
        if in_conflict(p, q):
            masks[i] |= 1 << j
            masks[j] |= 1 << i
    return masks


def projections(
    classes: Sequence[LawClass[S, O]],
) -> list[list[tuple[Fraction, Fraction]]]:
    """Return, for several events, the probabilities of the event with their weights.

    Parameters
    ----------
    classes
        The samples grouped by law.

    Returns
    -------
    list of lists of (Fraction, Fraction)
        For each event the pairs (p, weight) in increasing order of p, as the functions of
        ``stabbing`` take them. With few outcomes all events are used, up to complement, otherwise
        the single outcomes.

    Notes
    -----
    Whether an event happened is a post-processing of the output, and a simulator of the output
    becomes one of the event. So what an event alone needs is needed for the output.
    """
    outcomes = outcomes_of(classes)
    events: list[tuple[O, ...]] = [(outcome,) for outcome in outcomes[1:] or outcomes]
    if len(outcomes) <= _ALL_EVENTS:
        events += [
            event for size in range(2, len(outcomes)) for event in combinations(outcomes[1:], size)
        ]
    else:
        events.append(outcomes[:1])
    found = []
    for event in events:
        weights: dict[Fraction, Fraction] = {}
        for entry in classes:
            own = entry.law.numerators
            p = Fraction(sum(own.get(outcome, 0) for outcome in event), entry.law.denominator)
            weights[p] = weights[p] + entry.weight if p in weights else entry.weight
        # Rounding to a float keeps the order, so fractions are compared only where it merges two.
        found.append(sorted(weights.items(), key=lambda pair: (float(pair[0]), pair[0])))
    return found
