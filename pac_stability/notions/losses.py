"""The error of a hypothesis, whatever a learner's output is made of.

A learner's output is a :class:`~pac_stability.data.Hypothesis` (a function, or a mapping from
points to labels), or anything else together with a function ``errs(output, example)`` that says
whether it is wrong on an example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar, cast

from pac_stability.arguments import distinct
from pac_stability.data import Example, FiniteDistribution, Hypothesis, Sample
from pac_stability.errors import InvalidInput

O = TypeVar("O")  # noqa: E741  # an outcome
P = TypeVar("P")


def is_wrong(hypothesis: Hypothesis[P], example: Example[P]) -> bool:
    """Return whether a hypothesis errs on an example: what ``errs`` is unless given.

    Parameters
    ----------
    hypothesis
        h, a function on points or a mapping from points to labels.
    example
        (x, y).

    Raises
    ------
    InvalidInput
        h has no label for the point, or gives one that is not 0 or 1.

    Examples
    --------
    >>> is_wrong({"a": 1}, Example("a", 0))
    True
    """
    return bool(Sample.from_examples([example]).count_errors(hypothesis))


def error(
    hypothesis: O,
    distribution: FiniteDistribution[Example[P]],
    *,
    errs: Callable[[O, Example[P]], bool] | None = None,
) -> Fraction:
    """Return err(h), the probability that a hypothesis is wrong on a random example.

    Parameters
    ----------
    hypothesis
        h, whatever the learner returns.
    distribution
        D, the law of one example.
    errs
        Whether an output is wrong on an example; by default the output is a hypothesis, and
        :func:`is_wrong` says so. For a learner that returns the index of a row of a table, it
        compares the entry of the table with the label.

    Raises
    ------
    InvalidInput
        The output is no hypothesis, and ``errs`` was not given.

    Examples
    --------
    >>> error(lambda x: 1, FiniteDistribution.uniform([Example(0, 0), Example(1, 1)]))
    Fraction(1, 2)
    """
    wrong = _errs(errs)
    return distribution.expectation(lambda example: int(bool(wrong(hypothesis, example))))


def optimal_error(
    hypotheses: Iterable[O],
    distribution: FiniteDistribution[Example[P]],
    *,
    errs: Callable[[O, Example[P]], bool] | None = None,
) -> Fraction:
    """Return OPT, the smallest error in a class.

    Parameters
    ----------
    hypotheses
        The class, at least one hypothesis.
    distribution, errs
        As for :func:`error`.

    Raises
    ------
    InvalidInput
        The class is empty, or a member is no hypothesis.

    Examples
    --------
    >>> optimal_error([{0: 0}, {0: 1}], FiniteDistribution(
    ...     {Example(0, 0): Fraction(1, 3), Example(0, 1): Fraction(2, 3)}))
    Fraction(1, 3)
    """
    best = min((error(h, distribution, errs=errs) for h in hypotheses), default=None)
    if best is None:
        raise InvalidInput("hypotheses", "none", "at least one hypothesis")
    return best


def labelled(points: Iterable[P], target: Hypothesis[P]) -> tuple[Example[P], ...]:
    """Return the points with the labels of a target: the universe of realizable samples.

    Parameters
    ----------
    points
        Distinct points.
    target
        A function on points or a mapping from points to labels.

    Raises
    ------
    InvalidInput
        A point is repeated, or the target has no label 0 or 1 for it.

    Examples
    --------
    >>> labelled([1, 2], lambda x: int(x > 1))
    (Example(point=1, label=0), Example(point=2, label=1))
    """
    kept = distinct(points, "points")
    return tuple(Example(x, int(is_wrong(target, Example(x, 0)))) for x in kept)


def mistakes(
    outputs: Iterable[O],
    examples: Iterable[Example[P]],
    errs: Callable[[O, Example[P]], bool] | None,
) -> list[tuple[O, frozenset[Example[P]]]]:
    """Return each output with the examples on which it errs, asking once for each pair.

    Parameters
    ----------
    outputs
        What a learner returned, or a class.
    examples
        The universe.
    errs
        As for :func:`error`.

    Examples
    --------
    >>> universe = labelled([0, 1], {0: 0, 1: 1})
    >>> mistakes([0], universe, lambda label, z: label != z.label)
    [(0, frozenset({Example(point=1, label=1)}))]
    """
    wrong = _errs(errs)
    universe = tuple(examples)
    return [(o, frozenset(z for z in universe if wrong(o, z))) for o in outputs]


def mass(distribution: FiniteDistribution[Example[P]], examples: Iterable[Example[P]]) -> Fraction:
    """Return the probability of a set of examples.

    Parameters
    ----------
    distribution
        The law of one example.
    examples
        Distinct examples.

    Examples
    --------
    >>> mass(FiniteDistribution.uniform([Example(0, 0), Example(0, 1)]), [Example(0, 1)])
    Fraction(1, 2)
    """
    return sum((distribution.probability(z) for z in examples), Fraction(0))


def _errs(
    errs: Callable[[O, Example[P]], bool] | None,
) -> Callable[[O, Example[P]], bool]:
    # Without ``errs`` the outputs are hypotheses; is_wrong refuses others by name.
    return cast("Callable[[O, Example[P]], bool]", is_wrong) if errs is None else errs
