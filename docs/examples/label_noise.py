"""Excess error of the stable learner on thresholds with label noise: measured beside the bound.

``python docs/examples/label_noise.py [TRIALS]``. Points are uniform on 0, ..., 2**20 - 1, the label
says whether a point is in the upper half, and is wrong with probability 1/5. So the loss of a
threshold on the distribution is known exactly. The sizes are those of Theorem 1 with sharp
constants for alpha = gamma = 1/5, beta = 1/10 and VC dimension 1.

The seed makes the numbers repeatable. Seeded coins carry no privacy.
"""

import sys
from fractions import Fraction

import numpy as np

from pac_stability.classes import ErrorCounter, Thresholds
from pac_stability.data import ArraySample
from pac_stability.mechanisms import exponential_weights
from pac_stability.papers.dagan_feldman import StableLearner, random_subset
from pac_stability.randomness import SeededCoins

DOMAIN = 1 << 20
NOISE = Fraction(1, 5)
N, SUBSET, EPSILON = 2914, 407, Fraction(28, 100)
TRIALS, DRAWS, SEED = 100, 10, 2020


def noisy_sample(n, choice):
    """Draw a sample from the distribution, by a generator of NumPy."""
    points = choice.integers(0, DOMAIN, n)
    wrong = choice.integers(0, NOISE.denominator, n) < NOISE.numerator
    return ArraySample(points, (points >= DOMAIN // 2) ^ wrong)


def excess_of(threshold):
    """Return the exact excess of a threshold's loss on the distribution over the least, 1/5."""
    cut = min(max(threshold.cut, 0), DOMAIN)
    return (1 - 2 * NOISE) * Fraction(abs(cut - DOMAIN // 2), DOMAIN)


def expected_excess(sample, subset_size, decay, draws, rng):
    """Return the excess averaged over drawn subsets; given a subset, its exact expectation."""
    counter = ErrorCounter(sample)
    total = Fraction(0)
    for _ in range(draws):
        candidates = Thresholds().representatives_on(random_subset(sample, subset_size, rng).points)
        weights = exponential_weights(counter.count(candidates), decay)
        excesses = map(excess_of, candidates)
        total += sum(w * e for w, e in zip(weights, excesses, strict=True)) / sum(weights)
    return total / draws


def excesses(trials=TRIALS, *, n=N, subset_size=SUBSET, epsilon=EPSILON, draws=DRAWS, seed=SEED):
    """Return the excess for each of some independent samples."""
    learner = StableLearner(Thresholds(), subset_size, epsilon)
    choice, rng = np.random.default_rng(seed), SeededCoins(seed)
    return [
        expected_excess(noisy_sample(n, choice), subset_size, learner.decay, draws, rng)
        for _ in range(trials)
    ]


def main(trials=TRIALS):
    """Print the spread of the excess."""
    stability = StableLearner(Thresholds(), SUBSET, EPSILON).stability(N)
    found = sorted(map(float, excesses(trials)))
    print(f"n = {N}, n' = {SUBSET}: {float(stability):.4f}-stable; excess wanted: 0.2")  # noqa: T201
    print(f"excess on {trials} samples: median {found[trials // 2]:.4f}, most {found[-1]:.4f}")  # noqa: T201


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
