"""The mean of votes with continuous Laplace noise, in certified intervals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_size, in_words
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True, init=False)
class LaplaceMeanVote:
    """Output label 1 with the probability that a noisy, clamped share of the votes gives.

    The share v of the votes for label 1 among r gets Laplace noise of scale ``b = 1/(r epsilon)``
    and is clamped to the interval from 0 to 1: that is the probability of label 1.

    Parameters
    ----------
    epsilon
        The nominal privacy parameter, above 0: a number, or an
        :class:`~pac_stability.arithmetic.Epsilon`.

    Raises
    ------
    InvalidInput
        Epsilon is no privacy parameter, or is 0.

    Notes
    -----
    The probability of label 1 is ``p(v) = v + (b/2) (e**(-v/b) - e**(-(1-v)/b))``. With ``t =
    e**epsilon`` and k votes of r the powers are ``t**-k`` and ``t**-(r-k)``, rational numbers; only
    b, for the logarithm of t in it, has to be enclosed. Nothing here is drawn:
    :class:`~pac_stability.mechanisms.NoisyMeanVote` is the discrete form, exact in everything, with
    less bias.

    ``p(v)`` is the integral of ``F(v - s)`` over s in [0, 1], F the distribution function of the
    noise. F is log-concave, so p is (Prékopa); hence ``p(v + 1/r) / p(v)`` is largest at v = 0. By
    the symmetry ``p(1 - v) = 1 - p(v)`` the same holds for label 0. So :meth:`factor` is exact. It
    is below the nominal one, as the clamped noise hides more: nearly ``2 epsilon + e**-epsilon``
    for many voters, whose logarithm is .862 for epsilon = 1.

    Source: the agnostic aggregation of Dwork and Feldman, *Privacy-preserving prediction*, 2018,
    that DF20 cites.

    Examples
    --------
    >>> vote = LaplaceMeanVote(1.0)
    >>> round(float(vote.probability(1, 5)), 4), vote.factor(5) < Epsilon(1.0).ratio
    (0.235, True)
    """

    epsilon: Epsilon

    def __init__(self, epsilon: Epsilon | AnyNumber) -> None:
        asked = as_epsilon(epsilon)
        if asked.ratio == 1:
            raise InvalidInput("epsilon", str(epsilon), "a number above 0")
        object.__setattr__(self, "epsilon", asked)

    def probability(self, votes: int, voters: int, bits: int = 64) -> Interval:
        """Enclose the probability of label 1.

        Parameters
        ----------
        votes
            k, how many of the votes are for label 1.
        voters
            r, their number.
        bits
            Working precision.
        """
        k, r = _votes(votes, voters)
        t = self.epsilon.ratio
        return Fraction(k, r) + (t**-k - t ** (k - r)) / (2 * r * self.epsilon.interval(bits))

    def bias(self, voters: int, bits: int = 64) -> Interval:
        """Enclose the largest distance between the probability of label 1 and the share of votes.

        Parameters
        ----------
        voters
            r, their number.
        bits
            Working precision.

        Returns
        -------
        Interval
            ``(b/2) (1 - e**(-1/b))``, which is below b/2; attained at unanimity.
        """
        return self.probability(0, voters, bits)

    def factor(self, voters: int, bits: int = 64) -> Interval:
        """Enclose the exact factor ``e**epsilon`` for one vote replaced.

        Parameters
        ----------
        voters
            r, their number.
        bits
            Working precision.

        Returns
        -------
        Interval
            ``p(1/r) / p(0) = (2 ln t + t**-1 - t**(1-r)) / (1 - t**-r)``.
        """
        r = as_size(voters, "voters", least=1)
        t = self.epsilon.ratio
        return (2 * self.epsilon.interval(bits) + (1 / t - t ** (1 - r))) / (1 - t**-r)


def _votes(votes: int, voters: int) -> tuple[int, int]:
    r = as_size(voters, "voters", least=1)
    k = as_size(votes, "votes")
    if k > r:
        raise InvalidInput("votes", in_words(k), f"at most {in_words(r)}, the number of voters")
    return k, r
