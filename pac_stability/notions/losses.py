"""The error of a hypothesis, and deviations of it: at most alpha, except with probability beta.

A learner's output is a :class:`~pac_stability.data.Hypothesis` (a function, or a mapping from
points to labels), or anything else together with a function ``errs(output, example)`` that says
whether it is wrong on an example.

Accuracy and generalization are both a :class:`Deviation`: one parameter from the other, for one D
or for all. They differ in the number that an output has under a distribution D of examples: its
error beyond the best one's (:class:`~pac_stability.notions.accuracy.ExcessError`), or the
difference between its error under D and on the sample
(:class:`~pac_stability.notions.generalization.ErrorGap`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Generic, TypeAlias, TypeVar, cast

from pac_stability.arguments import as_probability, distinct
from pac_stability.data import Example, FiniteDistribution, Hypothesis, Sample
from pac_stability.errors import InvalidInput
from pac_stability.notions import by_type, covering
from pac_stability.notions.two_point import WIDTH, Extremum, Polynomial, pieces_between, supremum

O = TypeVar("O")  # noqa: E741  # an outcome
P = TypeVar("P")

Laws: TypeAlias = by_type.LawsByType[Example[P], O]
Examples: TypeAlias = FiniteDistribution[Example[P]]
Errs: TypeAlias = Callable[[O, Example[P]], bool] | None
"""Whether an output errs on an example; ``None`` for hypotheses."""


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


def error(hypothesis: O, distribution: Examples[P], *, errs: Errs[O, P] = None) -> Fraction:
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
        The output is not a hypothesis, and ``errs`` was not given.

    Examples
    --------
    >>> error(lambda x: 1, FiniteDistribution.uniform([Example(0, 0), Example(1, 1)]))
    Fraction(1, 2)
    """
    wrong = _errs(errs)
    return distribution.expectation(lambda example: int(bool(wrong(hypothesis, example))))


def optimal_error(
    hypotheses: Iterable[O], distribution: Examples[P], *, errs: Errs[O, P] = None
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
        The class is empty, or a member is not a hypothesis.

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
    outputs: Iterable[O], examples: Iterable[Example[P]], errs: Errs[O, P]
) -> list[tuple[O, frozenset[Example[P]]]]:
    """Return each output with the examples on which it errs; calls ``errs`` once for each pair.

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


def mass(distribution: Examples[P], examples: Iterable[Example[P]]) -> Fraction:
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


def _errs(errs: Errs[O, P]) -> Callable[[O, Example[P]], bool]:
    # Without ``errs`` the outputs are hypotheses; is_wrong refuses others by name.
    return cast("Callable[[O, Example[P]], bool]", is_wrong) if errs is None else errs


# At most alpha, except with probability beta: one parameter from the other, for one D or for all

ONE = Fraction(1)


class Deviation(ABC, Generic[P, O]):
    """A number, at most 1, that the output of a learner has under each distribution D.

    Attributes
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    moves
        For one sample and output the number moves by at most this much times the distance in total
        variation between two distributions.
    """

    laws: Laws[P, O]
    moves: int

    @abstractmethod
    def law(self, distribution: Examples[P]) -> FiniteDistribution[Fraction]:
        """Return the law of the number for the output on n independent draws from D."""

    @abstractmethod
    def over_two_points(
        self, alpha: Fraction
    ) -> tuple[Iterable[Fraction], Callable[[Fraction], Polynomial]]:
        """Return the breakpoints and polynomials for a universe of two examples.

        Returns
        -------
        (values, function)
            The probabilities p of the second example at which the outputs and samples whose number
            is larger than alpha may change; and a function that returns, for each p, the
            probability of such outputs and samples as a polynomial.
        """

    def minimal_beta(self, distribution: Examples[P], alpha: Fraction) -> Fraction:
        """Return the probability of a number larger than alpha, which is from 0 to 1."""
        return _smallest_beta(self.law(distribution), as_probability(alpha, "alpha"))

    def minimal_alpha(self, distribution: Examples[P], beta: Fraction) -> Fraction:
        """Return the smallest alpha >= 0 that is exceeded with probability at most beta."""
        return _smallest_alpha(self.law(distribution), as_probability(beta, "beta"))

    def beta_over_grid(
        self, alpha: Fraction, denominator: int, *, max_grid: int = covering.MAX_GRID
    ) -> covering.CertifiedBounds[Example[P]]:
        """Enclose the largest probability, over all D, that the number exceeds alpha under D^n.

        Parameters
        ----------
        alpha
            An exact number between 0 and 1.
        denominator
            q: the distributions with probabilities in multiples of 1/q are examined.
        max_grid
            The largest number of grid points to examine.

        Raises
        ------
        InvalidInput
            alpha is not such a number, or the grid has more points than allowed.

        Notes
        -----
        The number is larger than alpha under one distribution only where it is larger than alpha -
        moves * eta under another one within eta. So the upper bound is the largest probability of
        that on the grid, plus 1 - (1 - eta)^n.
        """
        limit = as_probability(alpha, "alpha")
        numbers = lru_cache(maxsize=1)(self.law)  # asked about each distribution twice in a row
        bounds = covering.certify_supremum(
            lambda distribution: _smallest_beta(numbers(distribution), limit),
            self.laws.universe,
            denominator,
            lambda eta: covering.power_distance(eta, self.laws.n),
            relaxed=lambda distribution, eta: _smallest_beta(
                numbers(distribution), limit - self.moves * eta
            ),
            max_grid=max_grid,
        )
        return replace(bounds, upper=min(bounds.upper, ONE))

    def alpha_over_grid(
        self, beta: Fraction, denominator: int, *, max_grid: int = covering.MAX_GRID
    ) -> covering.CertifiedBounds[Example[P]]:
        """Enclose the largest, over all D, of the smallest alpha for beta.

        Parameters
        ----------
        beta
            An exact number between 0 and 1.
        denominator
            q: the distributions with probabilities in multiples of 1/q are examined.
        max_grid
            The largest number of grid points to examine.

        Raises
        ------
        InvalidInput
            beta is not such a number, or the grid has more points than allowed.

        Notes
        -----
        If the number is at most alpha except with probability beta - TV(C^n, D^n) under C^n, then
        it is at most alpha + moves * TV(C, D) except with probability beta under D^n.
        """
        limit = as_probability(beta, "beta")
        numbers = lru_cache(maxsize=1)(self.law)

        def relaxed(distribution: Examples[P], eta: Fraction) -> Fraction:
            left = limit - covering.power_distance(eta, self.laws.n)
            return _smallest_alpha(numbers(distribution), left) if left >= 0 else ONE

        bounds = covering.certify_supremum(
            lambda distribution: _smallest_alpha(numbers(distribution), limit),
            self.laws.universe,
            denominator,
            lambda eta: self.moves * eta,
            relaxed=relaxed,
            max_grid=max_grid,
        )
        return replace(bounds, upper=min(bounds.upper, ONE))

    def beta_over_two_points(self, alpha: Fraction, *, width: Fraction = WIDTH) -> Extremum:
        """Return the smallest beta that holds at alpha for every distribution on two examples.

        Parameters
        ----------
        alpha
            An exact number between 0 and 1.
        width
            How narrow the enclosure must be when the answer is irrational.

        Returns
        -------
        Extremum
            Over the probability p of the second example.

        Raises
        ------
        InvalidInput
            alpha is not such a number, or the universe does not have two examples.
        """
        values, failing = self.over_two_points(as_probability(alpha, "alpha"))
        return supremum(pieces_between(values, lambda p: (failing(p),)), width=width)


def _smallest_beta(law: FiniteDistribution[Fraction], alpha: Fraction) -> Fraction:
    return law.expectation(lambda number: int(number > alpha))


def _smallest_alpha(law: FiniteDistribution[Fraction], beta: Fraction) -> Fraction:
    exceeded = Fraction(0)
    for number, probability in sorted(law.items(), reverse=True):
        exceeded += probability
        if exceeded > beta:
            return max(number, Fraction(0))
    return Fraction(0)
