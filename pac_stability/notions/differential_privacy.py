"""Differential privacy: the laws of the output on neighbouring samples are close.

A mechanism is (epsilon, delta)-differentially private when for all neighbouring samples S and S'
and all events E

    Pr[M(S) in E] <= e**epsilon Pr[M(S') in E] + delta          (CLNRW16, Definition 7).

This is the definition, word for word: each pair computes its two laws again, and nothing is
remembered. Pairs come from :func:`pac_stability.data.neighbouring_pairs` or from anywhere else;
each is taken in both orders. Laws that are known up to intervals give intervals, and may leave it
open whether the definition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import Law
from pac_stability.notions import closeness
from pac_stability.notions.closeness import largest, nonempty
from pac_stability.notions.frontier import Frontier

S = TypeVar("S")
L = TypeVar("L")
Out = TypeVar("Out")
N = TypeVar("N", bound=Fraction | Interval)


def minimal_epsilon(
    law: Callable[[S], Law[Out, N]], pairs: Iterable[tuple[S, S]], delta: AnyNumber = 0
) -> N | float:
    """Return the factor of the smallest epsilon with which a mechanism is private, or infinity.

    Parameters
    ----------
    law
        The law of the output on a sample.
    pairs
        Neighbouring samples, at least one pair.
    delta
        A probability.

    Returns
    -------
    Fraction, or Interval for enclosed laws, or math.inf
        The smallest e**epsilon, at least 1; infinity when no epsilon is enough.

    Raises
    ------
    InvalidInput
        There is no pair, or delta is not an exact probability.
    Undecided
        For enclosed laws: the intervals leave it open whether any epsilon is enough.

    Examples
    --------
    A bit that is reported truthfully with probability 3/4:

    >>> from pac_stability.data import FiniteDistribution
    >>> def told(bit: int) -> FiniteDistribution[int]:
    ...     return FiniteDistribution({bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)})
    >>> minimal_epsilon(told, [(0, 1)])
    Fraction(3, 1)
    """
    return largest(closeness.minimal_epsilon(p, q, delta) for p, q in _laws(law, pairs))


def minimal_delta(
    law: Callable[[S], Law[Out, N]], pairs: Iterable[tuple[S, S]], epsilon: Epsilon
) -> N:
    """Return the smallest delta with which a mechanism is (epsilon, delta)-private.

    Parameters
    ----------
    law
        The law of the output on a sample.
    pairs
        Neighbouring samples, at least one pair.
    epsilon
        The privacy parameter.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        There is no pair, or epsilon is not an ``Epsilon``.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def told(bit: int) -> FiniteDistribution[int]:
    ...     return FiniteDistribution({bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)})
    >>> minimal_delta(told, [(0, 1)], Epsilon.exactly(2))
    Fraction(1, 4)
    """
    return largest(closeness.minimal_delta(p, q, epsilon) for p, q in _laws(law, pairs))


def holds(
    law: Callable[[S], Law[Out, N]],
    pairs: Iterable[tuple[S, S]],
    epsilon: Epsilon,
    delta: AnyNumber = 0,
) -> bool:
    """Return whether a mechanism is (epsilon, delta)-private; stop at the first violation.

    Parameters
    ----------
    law
        The law of the output on a sample.
    pairs
        Neighbouring samples, at least one pair.
    epsilon
        The privacy parameter.
    delta
        A probability.

    Raises
    ------
    InvalidInput
        There is no pair, epsilon is not an ``Epsilon``, or delta is not an exact probability.
    Undecided
        For enclosed laws: the intervals do not settle the question.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def told(bit: int) -> FiniteDistribution[int]:
    ...     return FiniteDistribution({bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)})
    >>> holds(told, [(0, 1)], Epsilon.exactly(3)), holds(told, [(0, 1)], Epsilon.exactly(2))
    (True, False)
    """
    return all(closeness.are_close(p, q, epsilon, delta) for p, q in _laws(law, pairs))


def frontier(law: Callable[[S], Law[Out, Fraction]], pairs: Iterable[tuple[S, S]]) -> Frontier:
    """Return :func:`minimal_delta` and :func:`minimal_epsilon` of a mechanism as a function.

    Parameters
    ----------
    law
        The law of the output on a sample.
    pairs
        Neighbouring samples, at least one pair.

    Returns
    -------
    Frontier

    Raises
    ------
    InvalidInput
        There is no pair.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> def told(bit: int) -> FiniteDistribution[int]:
    ...     return FiniteDistribution({bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)})
    >>> frontier(told, [(0, 1)]).vertices
    ((Fraction(1, 1), Fraction(1, 2)), (Fraction(3, 1), Fraction(0, 1)))
    """
    return Frontier.maximum(closeness.frontier(p, q) for p, q in _laws(law, pairs))


def _laws(law: Callable[[S], L], pairs: Iterable[tuple[S, S]]) -> Iterator[tuple[L, L]]:
    return ((law(sample), law(neighbour)) for sample, neighbour in nonempty(pairs, "pairs"))
