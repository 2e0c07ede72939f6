"""Generalization in the traditional sense: the error on the sample is close to the true error.

A learner (alpha, beta)-generalizes on D when, on n independent draws S, the error of its output h
on D and on the sample differ by at most alpha except with probability beta: Pr[|err(h) - err(S, h)|
<= alpha] >= 1 - beta, over S and the learner's coins together (CLNRW16, Definition 1). The paper's
text also calls it overfitting when the difference is alpha *or more*; where the difference can be
exactly alpha these are not complementary, so there are two functions: :func:`minimal_beta` (more
than alpha), which belongs to the definition, and :func:`overfitting_probability` (alpha or more).
Use :class:`ErrorGap` for several questions about one learner; each function here answers one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from pac_stability.arguments import as_probability
from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import covering, losses, two_point
from pac_stability.notions.losses import Errs, Examples, Laws, O, P

ZERO = Fraction(0)


class ErrorGap(losses.Deviation[P, O]):
    """The difference between the two errors of an output: |err(h) - err(S, h)|.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        An output is not a hypothesis and ``errs`` was not given.

    Notes
    -----
    Its law takes one pass over the types of samples and their outputs. The empty sample has error
    0.

    Examples
    --------
    A constant hypothesis, one draw: the difference is p with probability 1 - p and 1 - p with
    probability p, so with p > 1/3 and 1 - p > 1/3 it is certain to be above 1/3.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> gap = ErrorGap(zero, errs=lambda label, z: label != z.label)
    >>> gap.beta_over_two_points(Fraction(1, 3)).value
    Fraction(1, 1)
    """

    moves = 1

    def __init__(self, laws: Laws[P, O], errs: Errs[O, P] = None) -> None:
        self.laws = laws
        self._wrong = dict(losses.mistakes(laws.outputs, laws.universe, errs))
        # For each type the errors on the sample and the probabilities of its outputs.
        self._on_samples = {
            kind: [
                (o, sum(kind.count(z) for z in self._wrong[o]), probability)
                for o, probability in law.items()
            ]
            for kind, law in laws.laws.items()
        }

    def law(self, distribution: Examples[P]) -> FiniteDistribution[Fraction]:
        """Return the law of the difference for the output on n independent draws from D."""
        errors = {o: losses.mass(distribution, wrong) for o, wrong in self._wrong.items()}
        n = self.laws.n or 1
        # As integers: differences in multiples of 1/(n q).
        q = math.lcm(*(e.denominator for e in errors.values()))
        scaled = {o: int(e * q) * n for o, e in errors.items()}
        total: dict[int, Fraction] = {}
        for weight, kind, _ in self.laws.weighted(distribution):
            for o, count, probability in self._on_samples[kind]:
                gap = abs(scaled[o] - count * q)
                total[gap] = total.get(gap, ZERO) + weight * probability
        return FiniteDistribution({Fraction(gap, n * q): p for gap, p in total.items()})

    def over_two_points(
        self, alpha: Fraction
    ) -> tuple[Iterable[Fraction], Callable[[Fraction], two_point.Polynomial]]:
        """The set of samples that fail changes only where p is k/n - alpha or k/n + alpha.

        An output that is wrong on one of the two examples has errors p and k/n, or 1 - p and 1 -
        k/n, when that is the k-th type; if it is wrong on both or on neither, the difference is 0.
        """
        n = self.laws.n
        if n == 0:
            raise InvalidInput("laws", "samples of size 0", "samples of at least one example")
        means = [Fraction(k, n) for k in range(n + 1)]
        separating = [
            law.expectation(lambda o: int(len(self._wrong[o]) == 1))
            for law in two_point.laws_by_count(self.laws)
        ]

        def failing(p: Fraction) -> two_point.Polynomial:
            return two_point.Polynomial.of_counts(
                [
                    chance if abs(mean - p) > alpha else ZERO
                    for chance, mean in zip(separating, means, strict=True)
                ]
            )

        return [mean + side for mean in means for side in (-alpha, alpha)], failing


def gap_law(
    laws: Laws[P, O], distribution: Examples[P], *, errs: Errs[O, P] = None
) -> FiniteDistribution[Fraction]:
    """Return the law of |err(h) - err(S, h)| for n independent draws S and the output h.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    distribution
        D, the law of one example.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe, or an output is not a
        hypothesis and ``errs`` was not given.

    Examples
    --------
    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> majority = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(int(2 * sum(S.labels) > len(S))),
    ...     all_examples("a"), 3)
    >>> gap_law(majority, FiniteDistribution.uniform(all_examples("a")),
    ...         errs=lambda label, z: label != z.label)
    FiniteDistribution({Fraction(1, 2): 1/4, Fraction(1, 6): 3/4})
    """
    return ErrorGap(laws, errs).law(distribution)


def minimal_beta(
    laws: Laws[P, O], distribution: Examples[P], alpha: Fraction, *, errs: Errs[O, P] = None
) -> Fraction:
    """Return the smallest beta for which a learner (alpha, beta)-generalizes on D.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    distribution
        D, the law of one example.
    alpha
        An exact number between 0 and 1.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe, alpha is not such a
        number, or an output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    A constant hypothesis and one draw of a fair label: the errors are 1/2, and 0 or 1.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> coin = FiniteDistribution.uniform(all_examples("a"))
    >>> minimal_beta(zero, coin, Fraction(1, 2), errs=lambda label, z: label != z.label)
    Fraction(0, 1)
    """
    return ErrorGap(laws, errs).minimal_beta(distribution, alpha)


def overfitting_probability(
    laws: Laws[P, O], distribution: Examples[P], alpha: Fraction, *, errs: Errs[O, P] = None
) -> Fraction:
    """Return the probability that the two errors differ by alpha or more.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    distribution
        D, the law of one example.
    alpha
        An exact number between 0 and 1.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Returns
    -------
    Fraction
        At least :func:`minimal_beta`, and larger where the difference can be exactly alpha.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe, alpha is not such a
        number, or an output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    A constant hypothesis and one draw of a fair label: the errors are 1/2, and 0 or 1.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> coin = FiniteDistribution.uniform(all_examples("a"))
    >>> overfitting_probability(zero, coin, Fraction(1, 2), errs=lambda label, z: label != z.label)
    Fraction(1, 1)
    """
    limit = as_probability(alpha, "alpha")
    return gap_law(laws, distribution, errs=errs).expectation(lambda gap: int(gap >= limit))


def minimal_alpha(
    laws: Laws[P, O], distribution: Examples[P], beta: Fraction, *, errs: Errs[O, P] = None
) -> Fraction:
    """Return the smallest alpha for which the learner (alpha, beta)-generalizes on D.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    distribution
        D, the law of one example.
    beta
        An exact number between 0 and 1.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe, beta is not such a
        number, or an output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    A constant hypothesis and one draw of a fair label: the errors are 1/2, and 0 or 1.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> coin = FiniteDistribution.uniform(all_examples("a"))
    >>> minimal_alpha(zero, coin, Fraction(1, 3), errs=lambda label, z: label != z.label)
    Fraction(1, 2)
    """
    return ErrorGap(laws, errs).minimal_alpha(distribution, beta)


def beta_over_grid(
    laws: Laws[P, O],
    alpha: Fraction,
    denominator: int,
    *,
    errs: Errs[O, P] = None,
    max_grid: int = covering.MAX_GRID,
) -> covering.CertifiedBounds[Example[P]]:
    """Enclose the smallest beta that holds at alpha for every distribution on the universe.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    alpha
        An exact number between 0 and 1.
    denominator
        q: the distributions with probabilities in multiples of 1/q are examined.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.
    max_grid
        The largest number of grid points to examine.

    Raises
    ------
    InvalidInput
        alpha is not such a number, the grid has more points than allowed, or an output is not a
        hypothesis and ``errs`` was not given.

    Examples
    --------
    A constant hypothesis and one draw. The exact value is 1/3.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> bounds = beta_over_grid(zero, Fraction(2, 3), 60, errs=lambda label, z: label != z.label)
    >>> float(bounds.lower), float(bounds.upper)
    (0.31666666666666665, 0.3416666666666667)
    """
    return ErrorGap(laws, errs).beta_over_grid(alpha, denominator, max_grid=max_grid)


def alpha_over_grid(
    laws: Laws[P, O],
    beta: Fraction,
    denominator: int,
    *,
    errs: Errs[O, P] = None,
    max_grid: int = covering.MAX_GRID,
) -> covering.CertifiedBounds[Example[P]]:
    """Enclose the smallest alpha that holds at beta for every distribution on the universe.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    beta
        An exact number between 0 and 1.
    denominator
        q: the distributions with probabilities in multiples of 1/q are examined.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.
    max_grid
        The largest number of grid points to examine.

    Raises
    ------
    InvalidInput
        beta is not such a number, the grid has more points than allowed, or an output is not a
        hypothesis and ``errs`` was not given.

    Examples
    --------
    A constant hypothesis and one draw. The exact value is 3/4.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> bounds = alpha_over_grid(zero, Fraction(1, 4), 60, errs=lambda label, z: label != z.label)
    >>> float(bounds.lower), float(bounds.upper)
    (0.7333333333333333, 0.7583333333333333)
    """
    return ErrorGap(laws, errs).alpha_over_grid(beta, denominator, max_grid=max_grid)


def beta_over_two_points(
    laws: Laws[P, O], alpha: Fraction, *, errs: Errs[O, P] = None, width: Fraction = two_point.WIDTH
) -> two_point.Extremum:
    """Return the smallest beta that holds at alpha for every distribution on two examples.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    alpha
        An exact number between 0 and 1.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.
    width
        How narrow the enclosure must be when the answer is irrational.

    Raises
    ------
    InvalidInput
        alpha is not such a number, an output is not a hypothesis and ``errs`` was not given, or the
        universe does not have two examples.

    Examples
    --------
    A constant hypothesis, one draw: the difference is p with probability 1 - p and 1 - p with
    probability p, so with p > 1/3 and 1 - p > 1/3 it is certain to be above 1/3.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> beta_over_two_points(zero, Fraction(1, 3), errs=lambda label, z: label != z.label).value
    Fraction(1, 1)
    """
    return ErrorGap(laws, errs).beta_over_two_points(alpha, width=width)
