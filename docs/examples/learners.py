"""The same idea brought in three ways: the majority label of a sample, published with noise."""

import secrets
from fractions import Fraction

from pac_stability import FiniteDistribution
from pac_stability.data import FromLaw

HALF = Fraction(1, 2)


def share_of_ones(sample):
    """The fraction of the labels that are 1."""
    return Fraction(sum(sample.labels), len(sample))


# 1. It returns its law.
def shrunk_law(sample):
    p = HALF + (share_of_ones(sample) - HALF) / 2
    return FiniteDistribution({1: p, 0: 1 - p})


shrunk = FromLaw(shrunk_law)  # the same as an object with law and run


# 2. It is an ordinary function that draws only through rng.
def random_example(sample, point, rng):
    """Predict the label of an example drawn at random: stable, and not private."""
    return sample.labels[rng.below(len(sample))]


def flipped(sample, point, rng):
    """The same, but one label in four is flipped."""
    return random_example(sample, point, rng) ^ rng.bernoulli(Fraction(1, 4))


# 3. It is a black box, with coins of its own.
def black_box(sample):
    return sample.labels[secrets.randbelow(len(sample))]


def failing(sample, point, rng):
    """Forgets that all labels may be equal."""
    if len(set(sample.labels)) == 1:
        raise ValueError("no two labels")
    return flipped(sample, point, rng)
