"""Global stability: some single output is produced with noticeable probability.

A mechanism is (n, eta)-globally stable for D when it produces some one output h with probability at
least eta on n independent draws from D, its own coins included (BLM20, Definition 4). Outputs are
identified when they compare equal, so hypotheses must compare by value. The largest eta is the
probability of the most frequent output.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.data import FiniteDistribution
from pac_stability.notions import by_type, covering
from pac_stability.notions.two_point import WIDTH, Extremum, infimum, output_polynomials, whole

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
O_co = TypeVar("O_co", covariant=True)


@dataclass(frozen=True, slots=True)
class MostFrequent(Generic[O_co]):
    """An output of largest probability, and that probability.

    Attributes
    ----------
    output
        The first such output in the order of the law.
    probability
        The largest eta for which the mechanism is globally stable.
    """

    output: O_co
    probability: Fraction


def most_frequent_output(
    laws: by_type.LawsByType[E, O], distribution: FiniteDistribution[E]
) -> MostFrequent[O]:
    """Return the most frequent output on n independent draws from D.

    Parameters
    ----------
    laws
        The laws of the output on samples of n elements
        (:func:`~pac_stability.notions.by_type.laws_by_type`). For a learner in the realizable case
        the elements are the points with their true labels.
    distribution
        D, the law of one element.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe of the laws.

    Notes
    -----
    BLM20, Definition 4. One pass over the types of samples and their outputs.

    Examples
    --------
    >>> from pac_stability.notions.by_type import laws_by_type
    >>> largest = laws_by_type(
    ...     lambda z: FiniteDistribution.point_mass(max(z)), range(3), 2, symmetric=True)
    >>> most_frequent_output(largest, FiniteDistribution.uniform(range(3)))
    MostFrequent(output=2, probability=Fraction(5, 9))
    """
    output, probability = max(laws.output_law(distribution).items(), key=lambda outcome: outcome[1])
    return MostFrequent(output, probability)


def least_over_grid(
    laws: by_type.LawsByType[E, O], denominator: int, *, max_grid: int = covering.MAX_GRID
) -> covering.CertifiedBounds[E]:
    """Enclose the largest eta that holds for every distribution on the universe.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    denominator
        q: the distributions with probabilities in multiples of 1/q are examined.
    max_grid
        The largest number of grid points to examine.

    Returns
    -------
    CertifiedBounds
        On the infimum, over all D, of the probability of the most frequent output.

    Raises
    ------
    InvalidInput
        The grid has more points than allowed.

    Notes
    -----
    Each output's probability moves by at most TV(C^n, D^n) between C and D, and so does the largest
    of them. It is never below one over the number of outputs.

    Examples
    --------
    >>> from pac_stability.notions.by_type import laws_by_type
    >>> first = laws_by_type(lambda z: FiniteDistribution.point_mass(z[0]), "abc", 1)
    >>> bounds = least_over_grid(first, 12)
    >>> bounds.lower, bounds.upper
    (Fraction(1, 3), Fraction(1, 3))
    """
    bounds = covering.certify_infimum(
        lambda distribution: most_frequent_output(laws, distribution).probability,
        laws.universe,
        denominator,
        lambda eta: covering.power_distance(eta, laws.n),
        max_grid=max_grid,
    )
    return replace(bounds, lower=max(bounds.lower, Fraction(1, len(laws.outputs))))


def least_over_two_points(laws: by_type.LawsByType[E, O], *, width: Fraction = WIDTH) -> Extremum:
    """Return the largest eta that holds for every distribution on a universe of two elements.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    width
        How narrow the enclosure must be when the answer is irrational.

    Returns
    -------
    Extremum
        The infimum, over the probability p of the second element, of the probability of the most
        frequent output.

    Raises
    ------
    InvalidInput
        The universe does not have two elements, or the width is not positive.

    Examples
    --------
    The answer to "are both draws b?" is least predictable at p = sqrt(1/2), and the value there is
    exact.

    >>> from pac_stability.notions.by_type import laws_by_type
    >>> both = laws_by_type(lambda z: FiniteDistribution.point_mass(z == ("b", "b")), "ab", 2)
    >>> least_over_two_points(both).value
    Fraction(1, 2)
    """
    return infimum(whole(output_polynomials(laws).values()), width=width)
