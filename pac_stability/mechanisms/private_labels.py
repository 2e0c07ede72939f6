"""Release of one label: noise on a prediction, randomized response, and votes.

Each outcome reveals little about one person's data.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Generic, Self, TypeVar

from pac_stability import arguments
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon, require_epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.data.distribution import label_law, reduced_law
from pac_stability.data.tape import one_draw
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.draws import as_candidates, as_decay, decay_for
from pac_stability.mechanisms.noise import clamped_noise
from pac_stability.randomness import SYSTEM_COINS, Coins

_HALF = Fraction(1, 2)
_ONE = Epsilon.exactly(1)


@dataclass(frozen=True, slots=True)
class Flip:
    """Output the label, or with a given probability the other one.

    Applied to a predicted label it maps the probability p of label 1 to ``z + (1 - 2z) p``. It
    turns stable predictions into private ones: :meth:`factor_after`.

    Parameters
    ----------
    probability
        z, an exact number from 0 to 1/2.

    Raises
    ------
    InvalidInput
        The probability is out of range or not exact; on use, the input is not a label.

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
            self, "probability", arguments.as_probability(self.probability, "probability", _HALF)
        )

    def law(self, x: int, /) -> FiniteDistribution[int]:
        """Return the law of the output.

        Parameters
        ----------
        x
            A label.
        """
        label = arguments.as_label(x, "x")
        return FiniteDistribution({label: 1 - self.probability, 1 - label: self.probability})

    @one_draw
    def run(self, x: int, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            A label.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return arguments.as_label(x, "x") ^ rng.bernoulli(self.probability)

    def factor_after(
        self, delta: Fraction, epsilon: Epsilon | arguments.AnyNumber = _ONE
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
            The least factor that holds for all such predictions. After a gamma-stable predictor it
            is ``1 + (1 - 2z) gamma / z``; in general ``max{1 + (1 - 2z) delta / z, (z + (1 - 2z) (1
            - u)) / (z + (1 - 2z) u)}`` with ``u = (1 - delta) / (1 + e**epsilon)``. Infinite for z
            = 0 and positive delta.

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
        z, delta = self.probability, arguments.as_probability(delta, "delta")
        if z == 0 and delta > 0:
            return math.inf
        u = (1 - delta) / (1 + as_epsilon(epsilon).ratio)
        mixed = (z + (1 - 2 * z) * (1 - u)) / (z + (1 - 2 * z) * u)
        return max(1 + (1 - 2 * z) * delta / z, mixed) if z else mixed

    def largest_stability(self, epsilon: Epsilon | arguments.AnyNumber) -> Fraction:
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

    Unlike :class:`Flip`, which mixes, it clips: it distorts only predictions that are nearly
    certain. Its input is the probability of label 1, as an exact number.

    Parameters
    ----------
    margin
        z, an exact number from 0 to 1/2.

    Raises
    ------
    InvalidInput
        The margin is out of range or not exact; on use, the input is not an exact probability.

    Examples
    --------
    >>> ClippedLabel(Fraction(1, 10)).law(Fraction(1))
    FiniteDistribution({1: 9/10, 0: 1/10})
    """

    margin: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "margin", arguments.as_probability(self.margin, "margin", _HALF))

    def law(self, x: Fraction, /) -> FiniteDistribution[int]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The probability of label 1 before clipping.
        """
        return label_law(self._clipped(x))

    @one_draw
    def run(self, x: Fraction, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            The probability of label 1 before clipping.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return rng.bernoulli(self._clipped(x))

    def _clipped(self, x: Fraction) -> Fraction:
        return min(
            max(arguments.as_probability(arguments.as_fraction(x, "x"), "x"), self.margin),
            1 - self.margin,
        )

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
        z, gamma = self.margin, arguments.as_probability(stability, "stability")
        if z == 0:
            return math.inf if gamma else Fraction(1)
        return min(z + gamma, 1 - z) / z


# Randomized response

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class RandomizedResponse(Generic[V]):
    """Tell the truth with odds ``e**epsilon`` to 1 against each of the other values.

    Parameters
    ----------
    values
        The k possible values: at least one, distinct and hashable.
    epsilon
        The privacy parameter, an :class:`~pac_stability.arithmetic.Epsilon`.

    Raises
    ------
    InvalidInput
        A parameter is wrong; on use, the input is not one of the values.

    Notes
    -----
    Private with exactly ``e**epsilon`` for any change of the input, when k is at least 2. With
    probability ``(t - 1) / (t + k - 1)`` for ``t = e**epsilon`` a draw is the true value, otherwise
    it is uniform over all k values. Source: Warner 1965.

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
        above, below = self.epsilon.ratio.as_integer_ratio()
        return reduced_law({**dict.fromkeys(self.values, below), x: above})

    @one_draw
    def run(self, x: V, /, rng: Coins = SYSTEM_COINS) -> V:
        """Return an answer.

        Parameters
        ----------
        x
            The true value.
        rng
            The source of coins; by default the operating system's entropy.
        """
        self._require_value(x)
        t, k = self.epsilon.ratio, len(self.values)
        return x if rng.bernoulli((t - 1) / (t + k - 1)) else self.values[rng.below(k)]

    def _require_value(self, x: V) -> None:
        arguments.require_hashable(x, "x")
        if x not in self.values:
            raise InvalidInput("x", arguments.described(x), f"one of the {len(self.values)} values")


# Votes


@dataclass(frozen=True, slots=True)
class _Vote(ABC):
    """A vote in which the probability of label 1 is a function of the votes for it, among all."""

    decay: Fraction

    _CHANGES: ClassVar[int] = 1  # how many times the decay enters the guarantee
    _BELOW_ONE: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay, below_one=self._BELOW_ONE))

    @classmethod
    def from_epsilon(cls, epsilon: Epsilon | arguments.AnyNumber) -> Self:
        """Return the vote that is private with at most epsilon for any number of voters.

        Parameters
        ----------
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` turns it into a decay.

        Examples
        --------
        >>> SoftMajorityVote.from_epsilon(Epsilon.exactly(4)).decay
        Fraction(1, 2)
        >>> GeometricVote.from_epsilon(Epsilon.exactly(2)).decay
        Fraction(1, 2)
        """
        return cls(decay_for(epsilon, cls._CHANGES, below_one=cls._BELOW_ONE))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee for one vote replaced, whatever the number of voters."""
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-self._CHANGES))

    def stability(self, voters: int) -> Fraction:
        """Return by how much, at most and exactly, one vote changes the probability of a label.

        Parameters
        ----------
        voters
            r, their number.

        Returns
        -------
        Fraction
            The change if the other votes are split evenly, or nearly.

        Examples
        --------
        >>> soft, geometric = SoftMajorityVote(Fraction(1, 2)), GeometricVote(Fraction(1, 4))
        >>> soft.stability(3), soft.stability(2)
        (Fraction(1, 3), Fraction(3, 10))
        >>> geometric.stability(3), geometric.stability(2)
        (Fraction(3, 5), Fraction(3, 8))
        >>> NoisyMeanVote(Fraction(1, 2)).stability(3)
        Fraction(2, 9)
        """
        r = arguments.as_size(voters, "voters", least=1)
        v = (r - 1) // 2
        return self._one(v + 1, r) - self._one(v, r)

    def law(self, x: Iterable[int], /) -> FiniteDistribution[int]:
        """Return the law of the outcome.

        Parameters
        ----------
        x
            The votes, labels.
        """
        votes = arguments.as_labels(x, "x")
        return label_law(self._one(sum(votes), len(votes)))

    @one_draw
    def run(self, x: Iterable[int], /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label.

        Parameters
        ----------
        x
            The votes, labels.
        rng
            The source of coins; by default the operating system's entropy.
        """
        votes = arguments.as_labels(x, "x")
        return rng.bernoulli(self._probability(sum(votes), len(votes), rng))

    def _probability(self, v: int, r: int, rng: Coins) -> Fraction:  # noqa: ARG002  # noise alone
        """Return the probability of label 1 in one run."""
        return self._one(v, r)

    @abstractmethod
    def _one(self, v: int, r: int) -> Fraction:
        """Return the probability of label 1 when v of r votes are for it."""


@dataclass(frozen=True, slots=True)
class SoftMajorityVote(_Vote):
    """Output a label with weight ``decay`` to the power of the votes against it.

    With v votes for label 1 among r, its log odds are ``epsilon (v - r/2)``, where
    ``decay = e**(-epsilon/2)``: the exponential mechanism on two labels.

    Parameters
    ----------
    decay
        sigma, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The decay is out of range; on use, there is no vote, or one is not a label.

    Notes
    -----
    Replacing one vote changes the log odds by epsilon, so the outcome is private with a factor
    below ``decay**-2``; :meth:`factor` is its exact value. The probability of a label changes by at
    most ``tanh(epsilon/4) = (1 - decay) / (1 + decay)`` when r is odd, and half of
    ``tanh(epsilon/2)`` when r is even: see :meth:`stability`. The aggregation of Dwork and Feldman
    that DF20 cites: the voters are learners on disjoint parts of a sample.

    Examples
    --------
    >>> SoftMajorityVote(Fraction(1, 2)).law((1, 1, 0))
    FiniteDistribution({1: 2/3, 0: 1/3})
    """

    _CHANGES: ClassVar[int] = 2

    def factor(self, voters: int) -> Fraction:
        """Return the exact factor ``e**epsilon`` for one vote replaced.

        Parameters
        ----------
        voters
            r, their number.

        Returns
        -------
        Fraction
            ``(1 + s**r) / (1 + s**(r - 2))`` with ``s = 1/decay``, attained at unanimity.

        Examples
        --------
        >>> SoftMajorityVote(Fraction(1, 2)).factor(3)
        Fraction(3, 1)
        """
        r, s = arguments.as_size(voters, "voters", least=1), 1 / self.decay
        return (1 + s**r) / (1 + s ** (r - 2))

    def _one(self, v: int, r: int) -> Fraction:
        return 1 / (1 + self.decay ** (2 * v - r))


@dataclass(frozen=True, slots=True)
class GeometricVote(_Vote):
    """Output the majority label after discrete Laplace noise; a fair coin decides a tie.

    A label with 2j + 1 fewer votes than the other has probability ``decay**j * decay / (1 +
    decay)``, one with 2j fewer votes has ``decay**j / 2``.

    Parameters
    ----------
    decay
        q, an exact number above 0 and at most 1; ``e**-epsilon``.

    Raises
    ------
    InvalidInput
        The decay is out of range; on use, there is no vote, or one is not a label.

    Notes
    -----
    Privacy. Replacing a vote moves the lead by 2, so the label that is behind becomes likelier by
    the factor 1/q or, when the lead changes sides, goes from ``q/(1 + q)`` to ``1/(1 + q)``: the
    factor 1/q again. The label in front moves by no larger factor. So the outcome is private with
    exactly the factor 1/q for every number of voters. The probability of a label changes by at most
    ``tanh(epsilon/2) = (1 - q) / (1 + q)`` when r is odd, and ``(1 - q) / 2`` when r is even.

    No vote with this privacy factor that treats the two labels alike errs less at any lead. Let
    p(m) be the probability of the label that is m votes behind. Across a lead of 1, ``1 - p(1) <=
    p(1)/q``, hence ``p(1) >= q/(1 + q)``; also ``p(0) = 1/2``; and ``p(m + 2) >= q p(m)``. It is
    :func:`~pac_stability.papers.dagan_feldman.private_least_error` of the lead, DF20's lower bound
    on private predictions. :class:`SoftMajorityVote`, which DF20's Lemma 9 uses, spends nearly all
    of epsilon only at large leads, and there it errs ``2 cosh(epsilon/2)`` times as often when r is
    odd, twice as often when r is even.

    Sources: the noise, Ghosh, Roughgarden and Sundararajan, *Universally utility-maximizing privacy
    mechanisms*, 2009; the votes, Papernot et al., *Semi-supervised knowledge transfer for deep
    learning from private training data*, 2017, with continuous noise.

    Examples
    --------
    The same guarantee, e**epsilon = 4, and the error of seven votes of nine for label 1:

    >>> geometric, soft = GeometricVote(Fraction(1, 4)), SoftMajorityVote(Fraction(1, 2))
    >>> geometric.guarantee == soft.guarantee
    True
    >>> votes = (1, 1, 1, 1, 1, 1, 1, 0, 0)
    >>> geometric.law(votes).probability(0), soft.law(votes).probability(0)
    (Fraction(1, 80), Fraction(1, 33))
    """

    def factor(self, voters: int) -> Fraction:
        """Return the exact factor ``e**epsilon`` for one vote replaced: 1/q, for any number.

        Parameters
        ----------
        voters
            r, their number.

        Examples
        --------
        >>> GeometricVote(Fraction(1, 4)).factor(3)
        Fraction(4, 1)
        """
        arguments.as_size(voters, "voters", least=1)
        return 1 / self.decay

    def _one(self, v: int, r: int) -> Fraction:
        steps, odd = divmod(abs(2 * v - r), 2)
        behind = self.decay**steps * (self.decay / (1 + self.decay) if odd else Fraction(1, 2))
        return behind if 2 * v < r else 1 - behind


@dataclass(frozen=True, slots=True)
class NoisyMeanVote(_Vote):
    """Output label 1 with the probability that a noisy, clamped share of the votes gives.

    The number of votes for 1 gets discrete Laplace noise, is clamped to 0..r and divided by r: that
    is the probability of label 1.

    Parameters
    ----------
    decay
        q, an exact number above 0 and below 1: the noise weighs ``q**|z|``.

    Raises
    ------
    InvalidInput
        The decay is out of range; on use, there is no vote, or one is not a label.

    Notes
    -----
    With ``q = e**-epsilon`` the noisy number is epsilon-private and so is the outcome. This is
    exact, unlike for continuous noise: between no vote and one vote for 1, the probability of label
    1 grows by the factor 1/q for every r. For v votes of r it is ``(v + (q**(v+1) - q**(r-v+1)) /
    (1 - q**2)) / r``, the expectation of the clamped number over r. The discrete form of the
    agnostic vote of Dwork and Feldman that DF20 cites.

    Examples
    --------
    >>> NoisyMeanVote(Fraction(1, 2)).law((1, 1, 0, 1))
    FiniteDistribution({1: 11/16, 0: 5/16})
    """

    _BELOW_ONE: ClassVar[bool] = True

    def _probability(self, v: int, r: int, rng: Coins) -> Fraction:
        return Fraction(v + clamped_noise(self.decay, -v, r - v, rng), r)

    def _one(self, v: int, r: int) -> Fraction:
        q = self.decay
        return (v + (q ** (v + 1) - q ** (r - v + 1)) / (1 - q**2)) / r
