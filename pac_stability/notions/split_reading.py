"""Robust generalization with the sample fixed first (CLNRW16, Definition 5, read literally).

With p_S for the probability of a failure given the sample S, the *split* reading asks for zeta and
gamma of sum delta such that p_S <= gamma except with probability zeta over S. The smallest such
delta is min_gamma (gamma + Pr[p_S > gamma]); the joint reading has the mean of p_S instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_size, in_words
from pac_stability.arithmetic import Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import by_type, robust_generalization

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class SplitBounds(Generic[O]):
    """Bounds on the failure that the worst adversary causes in the split reading.

    Attributes
    ----------
    joint
        J, the failure of the worst adversary in the joint reading.
    lower, upper
        Certified bounds on the supremum over adversaries; equal when it is known exactly.
    adversary
        For each output the law of the test, of an adversary that attains ``lower``.
    """

    joint: Fraction
    lower: Fraction
    upper: Fraction
    adversary: tuple[tuple[O, FiniteDistribution[tuple[object, ...]]], ...]


def split_failure(failures: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """Return min over gamma of gamma + Pr[p_S > gamma] for one adversary.

    Parameters
    ----------
    failures
        Pairs (weight of S, p_S), as
        :func:`~pac_stability.notions.robust_generalization.conditional_failures` gives them.

    Raises
    ------
    InvalidInput
        The weights do not sum to one.

    Notes
    -----
    As gamma grows, the sum jumps down only at the values of p_S and increases between them, so the
    minimum is at one of these values or at 0. The minimum d is at least the mean J of p_S and at
    most sqrt(2 J). Indeed every gamma has Pr[p_S > gamma] >= d - gamma. J is the integral of the
    left side over [0, 1], so it is at least that of the right side over [0, d], which is d^2 / 2.

    Examples
    --------
    >>> half, quarter = Fraction(1, 2), Fraction(1, 4)
    >>> split_failure([(quarter, Fraction(0)), (half, half), (quarter, Fraction(1))])
    Fraction(3, 4)
    """
    by_failure = sorted(failures, key=lambda pair: pair[1])
    passed = list(accumulate(weight for weight, _ in by_failure))
    if not passed or passed[-1] != 1:
        total = in_words(passed[-1]) if passed else "none"
        raise InvalidInput("failures", f"weights of sum {total}", "weights of sum 1")
    clean = sum((weight for weight, p in by_failure if p == 0), Fraction())
    return min(
        1 - clean, *(p + 1 - below for below, (_, p) in zip(passed, by_failure, strict=True))
    )


def split_bounds(
    laws: by_type.Laws[S, O],
    samples: FiniteDistribution[S],
    epsilon: AnyNumber,
    *,
    randomised: bool = True,
    mixed: int = 4,
) -> SplitBounds[O]:
    """Enclose the failure of the worst adversary in the split reading.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    epsilon
        The deviation that is tolerated, an exact number of at least 0.
    randomised
        Whether adversaries may toss coins.
    mixed
        The lower bound tries, for k up to this, the adversary that picks one of the k best tests
        for each output at random (when it may).

    Raises
    ------
    InvalidInput
        A law is missing, the samples are not independent draws or of more than :data:`MAX_ELEMENTS`
        elements, epsilon is negative, or ``mixed`` is not a positive integer.

    Notes
    -----
    The supremum is not a linear problem, so the function encloses it: from below by the adversaries
    tried, from above by sqrt(2 J), as for :func:`split_failure`. A deterministic mechanism and a
    deterministic adversary have p_S in {0, 1}, and then both readings are J.

    Examples
    --------
    Points of two bits, and a mechanism with a constant output. The adversary that tests one of the
    bits, chosen at random, does more harm in this reading than the one that always tests the first.

    >>> bits = FiniteDistribution.uniform([(a, b) for a in (0, 1) for b in (0, 1)])
    >>> silent = lambda sample: FiniteDistribution.point_mass("nothing")
    >>> found = split_bounds(silent, bits.power(2), "1/4")
    >>> found.joint, found.lower, found.upper
    (Fraction(1, 2), Fraction(3, 4), Fraction(1, 1))
    >>> told = split_bounds(silent, bits.power(2), "1/4", randomised=False)
    >>> told.lower, told.upper
    (Fraction(1, 2), Fraction(1, 2))
    """
    bound = robust_generalization.tolerated_deviation(epsilon)
    entries = by_type.weighted_laws(laws, samples)
    table = {entry.sample: entry.law for entry in entries}
    best_tests = robust_generalization.BestTests(by_type.laws_on(table, samples), samples)
    most = as_size(mixed, "mixed", least=1) if randomised else 1
    ranked = best_tests.ranked(bound, most)
    lower = Fraction(-1)
    for k in range(1, max(len(tests) for tests in ranked.values()) + 1):
        adversary = {y: FiniteDistribution.uniform(tests[:k]) for y, tests in ranked.items()}
        reached = split_failure(
            robust_generalization.conditional_failures(table, samples, adversary, bound)
        )
        if reached > lower:
            lower, strategy = reached, tuple(adversary.items())
    joint = best_tests.best(bound).failure
    if not randomised and all(len(entry.law) == 1 for entry in entries):
        upper = joint
    else:
        upper = min(Fraction(1), Interval.sqrt(2 * joint).upper)
    return SplitBounds(joint, lower, upper, strategy)
