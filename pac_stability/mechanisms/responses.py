"""Randomized response among k values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.arguments import described, require_hashable
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.weights import as_candidates
from pac_stability.randomness import SYSTEM_COINS, Coins

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class RandomizedResponse(Generic[V]):
    """Tell the truth with odds ``e**epsilon`` to 1 against each of the other values.

    Parameters
    ----------
    values
        The k values there are: at least one, distinct and hashable.
    epsilon
        The privacy parameter, an :class:`~pac_stability.arithmetic.Epsilon`.

    Raises
    ------
    InvalidInput
        A parameter is wrong; on use, the input is none of the values.

    Notes
    -----
    Private with exactly ``e**epsilon`` for any change of the input, when k is at least 2. A draw
    tells the truth with probability ``(t - 1) / (t + k - 1)`` for ``t = e**epsilon``, otherwise it
    is uniform over all k values. Source: Warner 1965.

    Examples
    --------
    >>> RandomizedResponse(("yes", "no"), Epsilon.exactly(3)).law("no")
    FiniteDistribution({'yes': 1/4, 'no': 3/4})
    """

    values: tuple[V, ...]
    epsilon: Epsilon

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", as_candidates(self.values, "values"))
        require_epsilon(self.epsilon)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee; its delta is 0."""
        return PrivacyGuarantee(self.epsilon)

    def law(self, x: V, /) -> FiniteDistribution[V]:
        """Return the law of the answer.

        Parameters
        ----------
        x
            The true value.
        """
        self._require_value(x)
        t = self.epsilon.ratio
        total = t + len(self.values) - 1
        return FiniteDistribution({v: (t if v == x else Fraction(1)) / total for v in self.values})

    def run(self, x: V, /, rng: Coins = SYSTEM_COINS) -> V:
        """Return an answer.

        Parameters
        ----------
        x
            The true value.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        self._require_value(x)
        t, k = self.epsilon.ratio, len(self.values)
        return x if rng.bernoulli((t - 1) / (t + k - 1)) else self.values[rng.below(k)]

    def _require_value(self, x: V) -> None:
        require_hashable(x, "x")
        if x not in self.values:
            raise InvalidInput("x", described(x), f"one of the {len(self.values)} values")
