"""Accuracy: the learner's hypothesis is almost as good as the best, with high probability.

On a distribution D of labelled examples, err(h) is the probability that h is wrong. A learner is
(alpha, beta)-accurate on D when, on n independent draws, err(h) <= OPT + alpha except with
probability beta, its own coins included. Here OPT is the smallest error in a class (agnostic
learning; CLNRW16, Definition 3), or 0 (PAC learning, where D is labelled by a target of the class;
CLNRW16, Definition 2). The paper requires this for every D. The functions here answer it for one D,
for all D on a finite universe (up to certified bounds), and for all D on two examples.

Use :class:`ExcessError` for several questions about one learner; each function here answers one.
DF20 (Section 2) bounds the expected error given the sample, with beta over the sample alone; for a
randomised learner that is a different number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import covering, two_point
from pac_stability.notions.losses import Deviation, Errs, Examples, Laws, O, P, mass, mistakes
from pac_stability.notions.two_point import Polynomial


class ExcessError(Deviation[P, O]):
    """The error of an output beyond the smallest one of a class: err(h) - OPT.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    hypotheses
        The class whose smallest error is OPT; ``None`` for OPT = 0, the error of
        the target when D is realizable.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        The class is empty, or an output is not a hypothesis and ``errs`` was not given.

    Notes
    -----
    Between distributions within eta in total variation the error of a hypothesis moves by at most
    eta, and its difference to another one's by at most 2 eta.

    Examples
    --------
    A learner labels unseen points 0, so it errs on the point b until it has seen it: its error is
    then p > 1/3, and this has probability (1-p)^2 < 4/9.

    >>> from pac_stability.notions.losses import labelled
    >>> from pac_stability.notions import by_type
    >>> only_seen = by_type.learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(frozenset(z.point for z in S if z.label)),
    ...     labelled("ab", {"a": 0, "b": 1}), 2)
    >>> excess = ExcessError(only_seen, errs=lambda h, z: (z.point in h) != z.label)
    >>> excess.beta_over_two_points(Fraction(1, 3))
    <Extremum: value 4/9 (0.444444), p 1/3 (0.333333)>
    """

    def __init__(
        self, laws: Laws[P, O], hypotheses: Iterable[O] | None = None, errs: Errs[O, P] = None
    ) -> None:
        self.laws = laws
        self.moves = 1 if hypotheses is None else 2
        self._outputs = dict(mistakes(laws.outputs, laws.universe, errs))
        # OPT = 0 is the error of a rival that errs nowhere.
        self._rivals = [frozenset[Example[P]]()]
        if hypotheses is not None:
            self._rivals = [wrong for _, wrong in mistakes(hypotheses, laws.universe, errs)]
            if not self._rivals:
                raise InvalidInput("hypotheses", "none", "at least one hypothesis")

    def law(self, distribution: Examples[P]) -> FiniteDistribution[Fraction]:
        """Return the law of err(h) - OPT for the output h on n independent draws from D."""
        law = self.laws.output_law(distribution)
        return law.map(self._of_outputs(distribution).__getitem__)

    def over_two_points(
        self, alpha: Fraction
    ) -> tuple[Iterable[Fraction], Callable[[Fraction], Polynomial]]:
        """Errors are linear in p, so which outputs fail changes only where two differ by alpha."""
        polynomials = two_point.output_polynomials(self.laws)
        first, second = self.laws.universe

        def failing(p: Fraction) -> Polynomial:
            beyond = self._of_outputs(FiniteDistribution({first: 1 - p, second: p}))
            return sum((f for o, f in polynomials.items() if beyond[o] > alpha), Polynomial(()))

        # The difference of two errors at p = 0 and at p = 1 determines it as a line.
        ends = (self._differences(FiniteDistribution.point_mass(z)) for z in (first, second))
        crossings = [
            (alpha - start) / (end - start)
            for start, end in zip(*ends, strict=True)
            if start != end
        ]
        return crossings, failing

    def _of_outputs(self, distribution: Examples[P]) -> Mapping[O, Fraction]:
        best = min(mass(distribution, wrong) for wrong in self._rivals)
        return {o: mass(distribution, wrong) - best for o, wrong in self._outputs.items()}

    def _differences(self, distribution: Examples[P]) -> list[Fraction]:
        return [
            mass(distribution, wrong) - mass(distribution, other)
            for wrong in self._outputs.values()
            for other in self._rivals
        ]


def excess_law(
    laws: Laws[P, O],
    distribution: Examples[P],
    *,
    hypotheses: Iterable[O] | None = None,
    errs: Errs[O, P] = None,
) -> FiniteDistribution[Fraction]:
    """Return the law of err(h) - OPT for the output h on n independent draws from D.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    distribution
        D, the law of one example.
    hypotheses
        The class whose smallest error is OPT; ``None`` for OPT = 0, the error of
        the target when D is realizable.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe, the class is empty, or
        an output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> from pac_stability.notions.losses import labelled
    >>> examples = labelled("ab", {"a": 0, "b": 1})
    >>> only_seen = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(frozenset(z.point for z in S if z.label)),
    ...     examples, 2)
    >>> excess_law(only_seen, FiniteDistribution.uniform(examples),
    ...            errs=lambda h, z: (z.point in h) != z.label)
    FiniteDistribution({Fraction(1, 2): 1/4, Fraction(0, 1): 3/4})
    """
    return ExcessError(laws, hypotheses, errs).law(distribution)


def minimal_beta(
    laws: Laws[P, O],
    distribution: Examples[P],
    alpha: Fraction,
    *,
    hypotheses: Iterable[O] | None = None,
    errs: Errs[O, P] = None,
) -> Fraction:
    """Return the smallest beta for which a learner is (alpha, beta)-accurate on D.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    distribution
        D, the law of one example.
    alpha
        An exact number between 0 and 1.
    hypotheses
        The class whose smallest error is OPT; ``None`` for OPT = 0, the error of
        the target when D is realizable.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe, alpha is not such a
        number, the class is empty, or an output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> from pac_stability.notions.losses import labelled
    >>> examples = labelled([0, 1], {0: 0, 1: 0})
    >>> ones = learner_laws_by_type(lambda S: FiniteDistribution.point_mass(1), examples, 1)
    >>> minimal_beta(ones, FiniteDistribution.uniform(examples), Fraction(1, 2),
    ...              errs=lambda label, z: label != z.label)
    Fraction(1, 1)
    """
    return ExcessError(laws, hypotheses, errs).minimal_beta(distribution, alpha)


def minimal_alpha(
    laws: Laws[P, O],
    distribution: Examples[P],
    beta: Fraction,
    *,
    hypotheses: Iterable[O] | None = None,
    errs: Errs[O, P] = None,
) -> Fraction:
    """Return the smallest alpha >= 0 with err(h) <= OPT + alpha except with probability beta.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    distribution
        D, the law of one example.
    beta
        An exact number between 0 and 1.
    hypotheses
        The class whose smallest error is OPT; ``None`` for OPT = 0, the error of
        the target when D is realizable.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.

    Raises
    ------
    InvalidInput
        The distribution gives probability to something outside the universe, beta is not such a
        number, the class is empty, or an output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> zero = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(0), all_examples("a"), 1)
    >>> coin = FiniteDistribution.uniform(all_examples("a"))
    >>> minimal_alpha(zero, coin, Fraction(1, 3), errs=lambda label, z: label != z.label)
    Fraction(1, 2)
    """
    return ExcessError(laws, hypotheses, errs).minimal_alpha(distribution, beta)


def beta_over_grid(
    laws: Laws[P, O],
    alpha: Fraction,
    denominator: int,
    *,
    hypotheses: Iterable[O] | None = None,
    errs: Errs[O, P] = None,
    max_grid: int = covering.MAX_GRID,
) -> covering.CertifiedBounds[Example[P]]:
    """Enclose the smallest beta that holds at alpha for every distribution on the universe.

    With ``labelled(points, target)`` as the universe these are all realizable distributions for the
    target.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    alpha
        An exact number between 0 and 1.
    denominator
        q: the distributions with probabilities in multiples of 1/q are examined.
    hypotheses
        The class whose smallest error is OPT; ``None`` for OPT = 0, the error of
        the target when D is realizable.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.
    max_grid
        The largest number of grid points to examine.

    Raises
    ------
    InvalidInput
        alpha is not such a number, the grid has more points than allowed, the class is empty, or an
        output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    A learner that repeats the label it saw. The exact value is 7/20.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> echo = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(S.labels[0]), all_examples("a"), 1)
    >>> bounds = beta_over_grid(echo, Fraction(3, 10), 60, hypotheses=(0, 1),
    ...                         errs=lambda label, z: label != z.label)
    >>> float(bounds.lower), float(bounds.upper)
    (0.3333333333333333, 0.35833333333333334)
    """
    return ExcessError(laws, hypotheses, errs).beta_over_grid(alpha, denominator, max_grid=max_grid)


def alpha_over_grid(
    laws: Laws[P, O],
    beta: Fraction,
    denominator: int,
    *,
    hypotheses: Iterable[O] | None = None,
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
    hypotheses
        The class whose smallest error is OPT; ``None`` for OPT = 0, the error of
        the target when D is realizable.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.
    max_grid
        The largest number of grid points to examine.

    Raises
    ------
    InvalidInput
        beta is not such a number, the grid has more points than allowed, the class is empty, or an
        output is not a hypothesis and ``errs`` was not given.

    Examples
    --------
    A learner that repeats the label it saw. The exact value is 1/2.

    >>> from pac_stability.data import all_examples
    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> echo = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(S.labels[0]), all_examples("a"), 1)
    >>> bounds = alpha_over_grid(echo, Fraction(1, 4), 60, hypotheses=(0, 1),
    ...                          errs=lambda label, z: label != z.label)
    >>> float(bounds.lower), float(bounds.upper)
    (0.4666666666666667, 0.5166666666666667)
    """
    return ExcessError(laws, hypotheses, errs).alpha_over_grid(beta, denominator, max_grid=max_grid)


def beta_over_two_points(
    laws: Laws[P, O],
    alpha: Fraction,
    *,
    hypotheses: Iterable[O] | None = None,
    errs: Errs[O, P] = None,
    width: Fraction = two_point.WIDTH,
) -> two_point.Extremum:
    """Return the smallest beta that holds at alpha for every distribution on two examples.

    Parameters
    ----------
    laws
        The laws of the output on samples of n examples
        (:func:`~pac_stability.notions.by_type.learner_laws_by_type`).
    alpha
        An exact number between 0 and 1.
    hypotheses
        The class whose smallest error is OPT; ``None`` for OPT = 0, the error of
        the target when D is realizable.
    errs
        Whether an output is wrong on an example, as for
        :func:`~pac_stability.notions.losses.error`; called once for each output and example.
    width
        How narrow the enclosure must be when the answer is irrational.

    Raises
    ------
    InvalidInput
        alpha is not such a number, the class is empty, an output is not a hypothesis and ``errs``
        was not given, or the universe does not have two examples.

    Examples
    --------
    A learner labels unseen points 0, so it errs on the point b until it has seen it: its error is
    then p > 1/3, and this has probability (1-p)^2 < 4/9.

    >>> from pac_stability.notions.by_type import learner_laws_by_type
    >>> from pac_stability.notions.losses import labelled
    >>> only_seen = learner_laws_by_type(
    ...     lambda S: FiniteDistribution.point_mass(frozenset(z.point for z in S if z.label)),
    ...     labelled("ab", {"a": 0, "b": 1}), 2)
    >>> beta_over_two_points(only_seen, Fraction(1, 3),
    ...                      errs=lambda h, z: (z.point in h) != z.label)
    <Extremum: value 4/9 (0.444444), p 1/3 (0.333333)>
    """
    return ExcessError(laws, hypotheses, errs).beta_over_two_points(alpha, width=width)
