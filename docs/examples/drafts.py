"""One idea in the styles in which people first write it down: predict by the labels of a sample."""

# ruff: noqa: ARG001, ARG002, S311

import math
import random
from fractions import Fraction

import numpy as np


# With numpy's or Python's own generator: these draw where no audit can follow.
def numpy_noise(sample, point):
    """Whether noise and the number of ones exceed one half of the sample."""
    count = sum(1 for x, y in sample if y == 1)
    noisy = count + np.random.laplace(0, 1 / 0.5)  # a draft
    return int(noisy > len(sample) / 2)


def generator_noise(sample, point, rng):
    """The same, with a generator."""
    return int(sum(sample.labels) + rng.laplace(0, 2.0) > len(sample) / 2)


def python_random(sample, point, rng):
    """The label of a random example."""
    return sample.labels[int(random.random() * len(sample))]


# With the coins that they are given, in the languages of both.
def rounded_random(sample, point, rng):
    """The label of a random example, once more: a real number, rounded down."""
    return sample.labels[int(rng.random() * len(sample))]


def chosen(sample, point, rng):
    """The label of a random example."""
    return rng.choice(sample.labels)


def by_randint(sample, point, rng):
    """The label of a random example: the end is included."""
    return sample.labels[rng.randint(0, len(sample) - 1)]


def flipped_at_times(sample, point, rng):
    """The label of a random example, flipped in one case of four."""
    label = chosen(sample, point, rng)
    if rng.random() < 0.25:
        label = 1 - label
    return label


# As probabilities.
def logistic(sample, point):
    """The probabilities of both labels, as floats."""
    ones, n = sum(sample.labels), len(sample)
    p = 1 / (1 + math.exp(-0.5 * (2 * ones - n)))
    return {0: 1 - p, 1: p}


def smoothed(sample, point):
    """The probabilities of both labels, as fractions."""
    p = Fraction(1 + sum(sample.labels), 2 + len(sample))
    return {0: 1 - p, 1: p}


def smoothed_float(sample, point, rng):
    """The probability of label 1, as a float."""
    return (1 + sum(sample.labels)) / (2 + len(sample))


# As an estimator.
class Majority:
    """Predicts the more frequent label."""

    def fit(self, X, y):
        """Count."""
        self.ones, self.n = sum(y), len(y)
        return self

    def predict(self, X):
        """Return a label for each row."""
        return [int(2 * self.ones > self.n) for _ in X]


class Smoothed(Majority):
    """Has probabilities, too."""

    def predict_proba(self, X):
        """Return the probabilities of both labels for each row."""
        p = (1 + self.ones) / (2 + self.n)
        return [[1 - p, p] for _ in X]


class RandomExample:
    """Draws with what is set as its random_state."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        """Draw a label."""
        self.label = self.random_state.choice(y)
        return self

    def predict(self, X):
        """Return it for each row."""
        return [self.label for _ in X]
