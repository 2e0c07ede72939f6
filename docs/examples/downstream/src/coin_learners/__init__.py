"""Two predictors that take a vote, and flip its outcome now and then."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from pac_stability import Coins, Epsilon, Sample
from pac_stability.testing import Declares

FLIP = Fraction(1, 4)


class RandomVoter:
    """Predict the label of a random example, flipped with probability 1/4.

    Where one of n examples is replaced, the probability of a label moves by 1/(2n) at most. It is
    never below 1/4, so that is a factor of at most 1 + 2/n.
    """

    declares = Declares(
        uniform_stability=lambda n: Fraction(1, 2 * n),
        private_prediction=lambda n: Epsilon.exactly(1 + Fraction(2, n)),
    )

    def __call__(self, sample: Sample[Hashable], _: Hashable, rng: Coins) -> int:
        """Return the label of any point."""
        return sample.labels[rng.below(len(sample))] ^ rng.bernoulli(FLIP)


class LocalVoter:
    """The same, but only the examples of the point in question vote; without any, a fair coin."""

    declares = Declares(
        uniform_stability=lambda n: Fraction(1, 2 * n),  # the bug: there may be fewer than n votes
        private_prediction=Epsilon.exactly(3),  # no probability is below 1/4, or above 3/4
    )

    def __call__(self, sample: Sample[Hashable], point: Hashable, rng: Coins) -> int:
        """Return the label of a point."""
        votes = [label for x, label in sample if x == point]
        if not votes:
            return rng.below(2)
        return votes[rng.below(len(votes))] ^ rng.bernoulli(FLIP)
