"""Private prediction: one predicted label is a differentially private function of the sample.

A learner A gives (epsilon, delta)-private predictions when for all points x, all neighbouring
samples S and S', and all sets E of labels

    Pr[A^S(x) in E] <= e**epsilon Pr[A^S'(x) in E] + delta          (DF20, Section 2).

With labels 0 and 1 it is enough to consider E = {0} and E = {1}. The paper means, but does not
write, that S and S' are neighbours. This is the definition, word for word: each pair computes its
two laws again, and nothing is remembered. Each pair is taken in both orders. Laws that are known up
to intervals give intervals, and may leave it open whether the definition holds.

Two facts tie it to uniform stability when the labels are 0 and 1. (0, gamma)-private predictions
are gamma-stable ones. And epsilon-private predictions are tanh(epsilon/2)-stable, which is the best
possible constant: :func:`implied_stability`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import AnyNumber, as_probability
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.data import Law
from pac_stability.notions import closeness
from pac_stability.notions.closeness import largest, predicted
from pac_stability.notions.frontier import Frontier

S = TypeVar("S")
P = TypeVar("P")
Label = TypeVar("Label")
N = TypeVar("N", bound=Fraction | Interval)


def minimal_epsilon(
    law: Callable[[S, P], Law[Label, N]],
    pairs: Iterable[tuple[S, S]],
    points: Iterable[P],
    delta: AnyNumber = 0,
) -> N | float:
    """Return the factor of the smallest epsilon with which predictions are private, or infinity.

    Parameters
    ----------
    law
        The law of the predicted label, given a sample and a point.
    pairs
        Neighbouring samples, at least one pair.
    points
        The points x, at least one.
    delta
        A probability.

    Returns
    -------
    Fraction, or Interval for enclosed laws, or math.inf
        The smallest e**epsilon, at least 1; infinity when no epsilon is enough.

    Raises
    ------
    InvalidInput
        There is no pair, there is no point, or delta is not an exact probability.
    Undecided
        For enclosed laws: the intervals leave it open whether any epsilon is enough.

    Examples
    --------
    The average of two labels as a probability is no private prediction:

    >>> from pac_stability.data import FiniteDistribution
    >>> def average(sample: tuple[int, int], x: str) -> FiniteDistribution[int]:
    ...     return FiniteDistribution.uniform([0, 1]).map(lambda i: sample[i])
    >>> minimal_epsilon(average, [((0, 0), (0, 1))], ["x"])
    inf
    >>> minimal_epsilon(average, [((0, 0), (0, 1))], ["x"], delta="1/2")
    Fraction(1, 1)
    """
    return largest(closeness.minimal_epsilon(p, q, delta) for p, q in predicted(law, pairs, points))


def minimal_delta(
    law: Callable[[S, P], Law[Label, N]],
    pairs: Iterable[tuple[S, S]],
    points: Iterable[P],
    epsilon: Epsilon,
) -> N:
    """Return the smallest delta with which predictions are (epsilon, delta)-private.

    Parameters
    ----------
    law
        The law of the predicted label, given a sample and a point.
    pairs
        Neighbouring samples, at least one pair.
    points
        The points x, at least one.
    epsilon
        The privacy parameter.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        There is no pair, there is no point, or epsilon is not an ``Epsilon``.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def average(sample: tuple[int, int], x: str) -> FiniteDistribution[int]:
    ...     return FiniteDistribution.uniform([0, 1]).map(lambda i: sample[i])
    >>> minimal_delta(average, [((0, 0), (0, 1))], ["x"], Epsilon.exactly(100))
    Fraction(1, 2)
    """
    return largest(closeness.minimal_delta(p, q, epsilon) for p, q in predicted(law, pairs, points))


def holds(
    law: Callable[[S, P], Law[Label, N]],
    pairs: Iterable[tuple[S, S]],
    points: Iterable[P],
    epsilon: Epsilon,
    delta: AnyNumber = 0,
) -> bool:
    """Return whether predictions are (epsilon, delta)-private; stop at the first that is not.

    Parameters
    ----------
    law
        The law of the predicted label, given a sample and a point.
    pairs
        Neighbouring samples, at least one pair.
    points
        The points x, at least one.
    epsilon
        The privacy parameter.
    delta
        A probability.

    Raises
    ------
    InvalidInput
        There is no pair, there is no point, epsilon is not an ``Epsilon``, or delta is not an exact
        probability.
    Undecided
        For enclosed laws: the intervals do not settle the question.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def flipped(sample: tuple[int, int], x: str) -> FiniteDistribution[int]:
    ...     return FiniteDistribution({sample[0]: Fraction(3, 4), 1 - sample[0]: Fraction(1, 4)})
    >>> holds(flipped, [((0, 0), (1, 0))], ["x"], Epsilon.exactly(3))
    True
    """
    return all(closeness.are_close(p, q, epsilon, delta) for p, q in predicted(law, pairs, points))


def frontier(
    law: Callable[[S, P], Law[Label, Fraction]], pairs: Iterable[tuple[S, S]], points: Iterable[P]
) -> Frontier:
    """Return :func:`minimal_delta` and :func:`minimal_epsilon` of predictions as a function.

    Parameters
    ----------
    law
        The law of the predicted label, given a sample and a point.
    pairs
        Neighbouring samples, at least one pair.
    points
        The points x, at least one.

    Returns
    -------
    Frontier

    Raises
    ------
    InvalidInput
        There is no pair, or there is no point.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def average(sample: tuple[int, int], x: str) -> FiniteDistribution[int]:
    ...     return FiniteDistribution.uniform([0, 1]).map(lambda i: sample[i])
    >>> frontier(average, [((0, 0), (0, 1))], ["x"]).vertices
    ((Fraction(1, 1), Fraction(1, 2)),)
    """
    return Frontier.maximum(closeness.frontier(p, q) for p, q in predicted(law, pairs, points))


def implied_stability(epsilon: Epsilon, delta: AnyNumber = 0) -> Fraction:
    """Return the smallest gamma that makes all (epsilon, delta)-private predictions gamma-stable.

    Parameters
    ----------
    epsilon
        The privacy parameter.
    delta
        A probability.

    Returns
    -------
    Fraction
        (t - 1 + 2 delta) / (t + 1) for the factor t of epsilon: tanh(epsilon/2) when delta = 0.

    Raises
    ------
    InvalidInput
        epsilon is not an ``Epsilon``, or delta is not an exact probability.

    Notes
    -----
    Let a label have probability p on S and q on S'. The inequality for the label and for the others
    say p <= t q + delta and 1 - q <= t (1 - p) + delta; their sum is (t + 1)(p - q) <=
    t - 1 + 2 delta. Both are equalities for p = 1 - q = (t + delta) / (t + 1).

    Examples
    --------
    >>> implied_stability(Epsilon.exactly(3))
    Fraction(1, 2)
    """
    t, d = factor_of(epsilon), as_probability(delta, "delta")
    return (t - 1 + 2 * d) / (t + 1)
