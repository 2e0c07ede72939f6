"""One idea brought in three ways: predict the label of a random example, flipped now and then."""

import secrets
from fractions import Fraction

from pac_stability import FiniteDistribution


# 1. It returns its law.
def published(sample):
    """Publish one label, that of a random example, flipped in one case of four."""
    p = Fraction(1, 4) + Fraction(sum(sample.labels), 2 * len(sample))
    return FiniteDistribution({1: p, 0: 1 - p})


# 2. It is an ordinary function that draws only through rng.
def random_example(sample, point, rng):  # noqa: ARG001  # the same at every point
    """Predict the label of an example drawn at random: stable, and not private."""
    return sample.labels[rng.below(len(sample))]


def flipped(sample, point, rng):
    """The same, but one label in four is flipped."""
    return random_example(sample, point, rng) ^ rng.bernoulli(Fraction(1, 4))


# 3. It is a black box, with coins of its own.
def black_box(sample, point):  # noqa: ARG001  # the same at every point
    """The label of a random example."""
    return sample.labels[secrets.randbelow(len(sample))]


def failing(sample, point, rng):
    """Forgets that all labels may be equal."""
    if len(set(sample.labels)) == 1:
        raise ValueError("no two labels")
    return flipped(sample, point, rng)


class Threshold(int):
    """The hypothesis that is 1 from this point on."""

    def __call__(self, point):
        """Return the label of a point."""
        return int(point >= self)


def fewest_errors(sample, rng):
    """Choose among the thresholds 0, 1, 2 with the fewest errors on the sample."""
    errors = [sample.count_errors(Threshold(t)) for t in range(3)]
    best = [t for t in range(3) if errors[t] == min(errors)]
    return Threshold(best[rng.below(len(best))])
