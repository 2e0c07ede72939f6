"""The relation h <= lambda g + kappa between predictors (DF20, Appendix A).

A predictor gives each point x a probability of label 1, here ``h[x]``. Its probability of the label
other than y is |h(x) - y|, and h <= lambda g + kappa means that for all points x and labels y

    |h(x) - y| <= lambda |g(x) - y| + kappa.

Stability and privacy of predictions are this relation between neighbouring samples: gamma-stability
with lambda = 1 and kappa = gamma, (epsilon, delta)-privacy with lambda = e**epsilon and kappa =
delta. Proofs chain such relations by the rules below.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, ExactNumber, as_fraction, as_probability, in_words
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.errors import InvalidInput

P = TypeVar("P")

Predictor: TypeAlias = Mapping[P, Fraction | int]
"""The probability of label 1 at each point."""


@dataclass(frozen=True, slots=True, repr=False)
class Domination(Tabled):
    """A factor lambda and a slack kappa, as in h <= lambda g + kappa.

    Parameters
    ----------
    factor
        lambda, a non-negative exact number.
    slack
        kappa, a non-negative exact number.

    Raises
    ------
    InvalidInput
        The factor is negative or not exact, or the slack is negative or not exact.

    Examples
    --------
    Two private steps, one after the other:

    >>> step = Domination.of_privacy(Epsilon.exactly(2), Fraction(1, 100))
    >>> step.then(step)
    <Domination: factor 4, slack 3/100 (0.03)>
    """

    factor: Fraction
    slack: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", _non_negative(self.factor, "factor"))
        object.__setattr__(self, "slack", _non_negative(self.slack, "slack"))

    @classmethod
    def of_privacy(cls, epsilon: Epsilon, delta: AnyNumber = 0) -> Domination:
        """Return what (epsilon, delta)-private prediction implies for those predictors."""
        return cls(factor_of(epsilon), as_probability(delta, "delta"))

    def holds(self, h: Predictor[P], g: Predictor[P]) -> bool:
        """Return whether h <= lambda g + kappa.

        Parameters
        ----------
        h, g
            Predictors on the same points.

        Raises
        ------
        InvalidInput
            The predictors have different points or none, or a value is not an exact probability.
        """
        return minimal_slack(h, g, self.factor) <= self.slack

    def then(self, after: Domination) -> Domination:
        """Return what follows for h and f from h <= lambda g + kappa and this other relation.

        Parameters
        ----------
        after
            The relation between g and f.
        """
        return Domination(self.factor * after.factor, self.factor * after.slack + self.slack)


def minimal_slack(h: Predictor[P], g: Predictor[P], factor: ExactNumber) -> Fraction:
    """Return the smallest kappa >= 0 with h <= lambda g + kappa.

    Parameters
    ----------
    h, g
        Predictors on the same points.
    factor
        lambda, a non-negative exact number.

    Returns
    -------
    Fraction

    Raises
    ------
    InvalidInput
        The predictors have different points or none, a value is not an exact probability, or the
        factor is negative or not exact.

    Notes
    -----
    Time linear in the number of points.

    Examples
    --------
    >>> minimal_slack({"a": Fraction(3, 4)}, {"a": Fraction(1, 2)}, 1)
    Fraction(1, 4)
    """
    scale = _non_negative(factor, "factor")
    return max(Fraction(0), *(of_h - scale * of_g for of_h, of_g in _probabilities(h, g)))


def minimal_factor(h: Predictor[P], g: Predictor[P], slack: ExactNumber = 0) -> Fraction | float:
    """Return the smallest lambda >= 0 with h <= lambda g + kappa, or infinity.

    Parameters
    ----------
    h, g
        Predictors on the same points.
    slack
        kappa, a non-negative exact number.

    Returns
    -------
    Fraction or math.inf

    Raises
    ------
    InvalidInput
        The predictors have different points or none, a value is not an exact probability, or the
        slack is negative or not exact.

    Notes
    -----
    Time linear in the number of points.

    Examples
    --------
    >>> minimal_factor({"a": Fraction(3, 4)}, {"a": Fraction(1, 2)}, Fraction(1, 4))
    Fraction(1, 1)
    """
    allowed = _non_negative(slack, "slack")
    missing = [(of_h - allowed, of_g) for of_h, of_g in _probabilities(h, g) if of_h > allowed]
    if not all(of_g for _, of_g in missing):
        return math.inf
    return max((rest / of_g for rest, of_g in missing), default=Fraction(0))


def mixture(components: Iterable[tuple[AnyNumber, Predictor[P]]]) -> dict[P, Fraction]:
    """Return the predictor that picks one of several at random.

    If h_i <= lambda g_i + kappa for all i, the same holds between the two mixtures.

    Parameters
    ----------
    components
        Pairs (weight, predictor), the weights non-negative and of sum one, the predictors on the
        same points.

    Returns
    -------
    dict
        The probability of label 1 at each point, in the order of the first predictor.

    Raises
    ------
    InvalidInput
        The weights are not probabilities, or the predictors have different points or values that
        are not probabilities.

    Examples
    --------
    >>> mixture([(Fraction(1, 3), {"a": 1}), (Fraction(2, 3), {"a": 0})])
    {'a': Fraction(1, 3)}
    """
    kept = [(_non_negative(weight, "components"), predictor) for weight, predictor in components]
    total = sum((weight for weight, _ in kept), Fraction())
    if total != 1:
        raise InvalidInput("components", f"weights of sum {in_words(total)}", "weights of sum 1")
    points = kept[0][1].keys()
    for _, predictor in kept:
        _require_same_points(points, predictor.keys(), "components")
    return {
        x: sum((w * _probability(h[x], "components") for w, h in kept), Fraction()) for x in points
    }


def _probabilities(h: Predictor[P], g: Predictor[P]) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield |h(x) - y| and |g(x) - y| for all points x and labels y."""
    _require_same_points(h.keys(), g.keys(), "g")
    if not h:
        raise InvalidInput("h", "a predictor on no point", "at least one point")
    for x, value in h.items():
        of_h, of_g = _probability(value, "h"), _probability(g[x], "g")
        yield of_h, of_g
        yield 1 - of_h, 1 - of_g


def _require_same_points(one: Iterable[P], other: Iterable[P], argument: str) -> None:
    if set(one) != set(other):
        raise InvalidInput(argument, "predictors on different points", "the same points")


def _probability(value: Fraction | int, argument: str) -> Fraction:
    exact = _non_negative(value, argument)
    if exact > 1:
        raise InvalidInput(argument, in_words(exact), "probabilities")
    return exact


def _non_negative(value: AnyNumber, argument: str) -> Fraction:
    exact = as_fraction(value, argument)
    if exact < 0:
        raise InvalidInput(argument, in_words(exact), "a non-negative number")
    return exact
