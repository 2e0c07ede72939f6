"""Private predictions for a table of 569 tumours: accuracy against epsilon, for five learners.

Needs scikit-learn, which brings the table: ``python docs/examples/breast_cancer.py [DRAWS]``.

The seed makes the table repeatable. Seeded coins carry no privacy: leave out ``rng`` for that.
"""

import math
import sys
from fractions import Fraction

import numpy as np

from pac_stability import Epsilon
from pac_stability.classes import ErrorCounter, Stump, Stumps, least_errors
from pac_stability.data import ArraySample
from pac_stability.mechanisms import ExponentialMechanism, decay_for, exponential_weights
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    DworkFeldmanAggregation,
    RealizablePrivateLearner,
    StableLearner,
    least_flip_probability,
    random_subset,
)
from pac_stability.randomness import SeededCoins

EPSILONS = (Fraction(1, 4), Fraction(1, 2), 1, 2, 4)
SUBSET, BLOCKS, DRAWS, SEED = 20, 20, 1000, 2020
CONFIDENCE = Fraction(99, 100)

# A finite class fixed in advance, whatever the table: cuts at 1, 2 and 5 times powers of ten.
CUTS = [digit * Fraction(10) ** power for power in range(-4, 4) for digit in (1, 2, 5)]
LEARNERS = ("A^sta, flipped", "averaging, flipped", "soft majority", "noisy mean", "exponential")


def load():
    """Return two samples: three rows of four to learn from, and every fourth to predict."""
    from sklearn.datasets import load_breast_cancer  # noqa: PLC0415  # an extra

    points, labels = load_breast_cancer(return_X_y=True)
    held_out = np.arange(len(points)) % 4 == 3
    return ArraySample(points[~held_out], labels[~held_out]), ArraySample(
        points[held_out], labels[held_out]
    )


def flipped(accuracy, z):
    """Return the accuracy after labels are flipped with probability z."""
    return z + (1 - 2 * z) * accuracy


def accuracy_of(learner, training, test):
    """Return the exact probability of a right label at a random point of the test sample."""
    sample = test.subset(range(len(test)))
    ones = learner.probabilities(training.subset(range(len(training))), sample.points)
    return sum(p if y else 1 - p for p, y in zip(ones, sample.labels, strict=True)) / len(test)


def stable_accuracies(training, test, epsilons, draws, rng):
    """Estimate the accuracy of A^sta for each epsilon, before the flip.

    The subsets are drawn; given a subset, the accuracy is computed exactly.
    """
    on_training, on_test = ErrorCounter(training), ErrorCounter(test)
    decays = [decay_for(epsilon) for epsilon in epsilons]
    totals = [Fraction(0)] * len(epsilons)
    for _ in range(draws):
        stumps = Stumps(30).representatives_on(random_subset(training, SUBSET, rng).points)
        errors, test_errors = on_training.count(stumps), on_test.count(stumps).tolist()
        for index, decay in enumerate(decays):
            weights = exponential_weights(errors, decay)
            wrong = sum(w * k for w, k in zip(weights, test_errors, strict=True))
            totals[index] += Fraction(1 - wrong / (sum(weights) * len(test)))
    return [total / draws for total in totals]


def exponential_accuracy(training, test, epsilon):
    """Return the exact accuracy of the exponential mechanism over the stumps fixed in advance."""
    stumps = tuple(
        Stump(30, coordinate, cut, upward)
        for coordinate in range(30)
        for cut in CUTS
        for upward in (True, False)
    )
    mechanism = ExponentialMechanism.from_epsilon(
        stumps, lambda sample: ErrorCounter(sample).count(stumps), epsilon
    )
    test_errors = dict(zip(stumps, ErrorCounter(test).count(stumps).tolist(), strict=True))
    law = mechanism.law(training)
    wrong = sum(weight * test_errors[h] for h, weight in law.numerators.items())
    return 1 - Fraction(wrong, law.denominator * len(test))


def rows(epsilons=EPSILONS, draws=DRAWS):
    """Return for each epsilon the accuracies of the five learners."""
    training, test = load()
    n = len(training)
    H = Stumps(30)
    stable = stable_accuracies(training, test, epsilons, draws, SeededCoins(SEED))
    averaging = accuracy_of(DisjointAverage(H, BLOCKS), training, test)
    gamma = Fraction(1, BLOCKS)
    table = []
    for epsilon, before in zip(epsilons, stable, strict=True):
        base = StableLearner(H, SUBSET, Epsilon(epsilon))
        factor = Epsilon(epsilon).ratio
        table.append(
            (
                flipped(before, least_flip_probability(base, epsilon, n)),
                flipped(averaging, gamma / (factor - 1 + 2 * gamma)),
                accuracy_of(RealizablePrivateLearner(H, BLOCKS, epsilon), training, test),
                accuracy_of(DworkFeldmanAggregation(H, BLOCKS, epsilon), training, test),
                exponential_accuracy(training, test, epsilon),
            )
        )
    return table


def hoeffding_radius(draws, averages, confidence):
    """Return how far averages of independent numbers in [0, 1] may be from their means."""
    return math.sqrt(math.log(2 * averages / (1 - confidence)) / (2 * draws))


def main(draws=DRAWS):
    """Print the table."""
    training, test = load()
    best, _ = least_errors(Stumps(30), training)
    right = 1 - loss_on(best, test)
    print(f"{len(training)} tumours to learn from, {len(test)} to predict")
    print(f"without privacy: x_{best.coordinate} < {float(best.cut):.4g}, accuracy {right:.3f}")
    print("epsilon  " + "  ".join(LEARNERS))
    for epsilon, row in zip(EPSILONS, rows(draws=draws), strict=True):
        cells = [f"{float(a):{len(name)}.3f}" for a, name in zip(row, LEARNERS, strict=True)]
        print(f"{float(epsilon):7.2f}  " + "  ".join(cells))
    radius = hoeffding_radius(draws, len(EPSILONS), CONFIDENCE)
    print(f"The first column is within {radius:.3f}, with confidence 99 %.")


def loss_on(h, test):
    """Return the loss of one hypothesis on a sample."""
    return int(ErrorCounter(test).count([h])[0]) / len(test)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
