"""Label noise after a prediction: from stability to privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_fraction, as_label, as_probability
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.data.distribution import label_law
from pac_stability.randomness import SYSTEM_COINS, Coins

_HALF = Fraction(1, 2)
_ONE = Epsilon.exactly(1)


@dataclass(frozen=True, slots=True)
class Flip:
    """Output the label, or with a given probability the other one.

    Applied to a predicted label it takes the probability p of label 1 to ``z + (1 - 2z) p``. It
    makes private predictions of stable ones: :meth:`factor_after`.

    Parameters
    ----------
    probability
        z, an exact number from 0 to 1/2.

    Raises
    ------
    InvalidInput
        The probability is out of range or not exact; on use, the input is no label.

    Notes
    -----
    DF20 Corollary 2, where z is the accuracy alpha. Beyond 1/2 a flip inverts predictions, and the
    corollary's bound does not hold.

    Examples
    --------
    >>> Flip(Fraction(1, 10)).law(1)
    FiniteDistribution({1: 9/10, 0: 1/10})
    """

    probability: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "probability", as_probability(self.probability, "probability", _HALF)
        )

    def law(self, x: int, /) -> FiniteDistribution[int]:
        """Return the law of the output.

        Parameters
        ----------
        x
            A label.
        """
        label = as_label(x, "x")
        return FiniteDistribution({label: 1 - self.probability, 1 - label: self.probability})

    def run(self, x: int, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            A label.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return as_label(x, "x") ^ rng.bernoulli(self.probability)

    def factor_after(
        self, delta: Fraction, epsilon: Epsilon | AnyNumber = _ONE
    ) -> Fraction | float:
        """Return the factor ``e**epsilon`` of flipped predictions, exactly.

        Parameters
        ----------
        delta
            The predictions before the flip are (epsilon, delta)-private.
        epsilon
            Zero by default: (0, gamma)-private prediction is gamma-uniform stability.

        Returns
        -------
        Fraction or math.inf
            The least factor that serves all such predictions. After a gamma-stable predictor it is
            ``1 + (1 - 2z) gamma / z``; in general ``max{1 + (1 - 2z) delta / z, (z + (1 - 2z)
            (1 - u)) / (z + (1 - 2z) u)}`` with ``u = (1 - delta) / (1 + e**epsilon)``. Infinite for
            z = 0 and positive delta.

        Notes
        -----
        The pairs (p, p') that (epsilon, delta) allows form a polygon, over which the ratio of the
        flipped probabilities is largest in a corner: (delta, 0), or (1 - u, u). DF20 Corollary 2
        and the last step of Theorem 3.

        Examples
        --------
        >>> Flip(Fraction(1, 10)).factor_after(Fraction(1, 100))
        Fraction(27, 25)
        """
        z, delta = self.probability, as_probability(delta, "delta")
        if z == 0 and delta > 0:
            return math.inf
        u = (1 - delta) / (1 + as_epsilon(epsilon).ratio)
        mixed = (z + (1 - 2 * z) * (1 - u)) / (z + (1 - 2 * z) * u)
        return max(1 + (1 - 2 * z) * delta / z, mixed) if z else mixed

    def largest_stability(self, epsilon: Epsilon | AnyNumber) -> Fraction:
        """Return the largest gamma such that flipped gamma-stable predictions are epsilon-private.

        Parameters
        ----------
        epsilon
            The privacy wanted.

        Returns
        -------
        Fraction
            ``z (e**epsilon - 1) / (1 - 2z)``, and at most 1.

        Examples
        --------
        >>> Flip(Fraction(1, 10)).largest_stability(Epsilon.exactly(Fraction(27, 25)))
        Fraction(1, 100)
        """
        z, gain = self.probability, as_epsilon(epsilon).ratio - 1
        kept = 1 - 2 * z
        return min(Fraction(1), z * gain / kept) if kept else Fraction(1)


@dataclass(frozen=True, slots=True)
class ClippedLabel:
    """Output label 1 with the given probability, moved into the interval from z to 1 - z.

    What :class:`Flip` does by mixing, done by clipping: it distorts only predictions that are
    nearly certain. Its input is the probability of label 1, as an exact number.

    Parameters
    ----------
    margin
        z, an exact number from 0 to 1/2.

    Raises
    ------
    InvalidInput
        The margin is out of range or not exact; on use, the input is no exact probability.

    Examples
    --------
    >>> ClippedLabel(Fraction(1, 10)).law(Fraction(1))
    FiniteDistribution({1: 9/10, 0: 1/10})
    """

    margin: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "margin", as_probability(self.margin, "margin", _HALF))

    def law(self, x: Fraction, /) -> FiniteDistribution[int]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The probability of label 1 before clipping.
        """
        return label_law(self._clipped(x))

    def run(self, x: Fraction, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            The probability of label 1 before clipping.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return rng.bernoulli(self._clipped(x))

    def _clipped(self, x: Fraction) -> Fraction:
        return min(max(as_probability(as_fraction(x, "x"), "x"), self.margin), 1 - self.margin)

    def factor_after(self, stability: Fraction) -> Fraction | float:
        """Return the factor ``e**epsilon`` of clipped predictions that were gamma-stable, exactly.

        Parameters
        ----------
        stability
            gamma, an exact number from 0 to 1.

        Returns
        -------
        Fraction or math.inf
            ``1 + gamma / z``, but at most ``(1 - z) / z``: the worst predictions move from z up.

        Examples
        --------
        >>> ClippedLabel(Fraction(1, 10)).factor_after(Fraction(1, 100))
        Fraction(11, 10)
        """
        z, gamma = self.margin, as_probability(stability, "stability")
        if z == 0:
            return math.inf if gamma else Fraction(1)
        return min(z + gamma, 1 - z) / z
