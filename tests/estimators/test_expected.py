"""Expected errors in floats, against exact sums over enumerated rules."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pac_stability.classes import PrunedTrees, SparseHalfspaces
from pac_stability.data import ArraySample
from pac_stability.estimators.drawing import of_sparse_rules, of_trees, of_union

RNG = np.random.default_rng(3)
DECAY = Fraction(2, 3)


@pytest.mark.parametrize(("depth", "labels"), [(0, 2), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2)])
def test_trees(depth: int, labels: int) -> None:
    splits = [(0, 1), (1, 1), (1, 2)] if depth < 3 else [(0, 1)]
    trees = PrunedTrees(splits if labels == 2 or depth < 2 else splits[:2], depth, labels)
    points, asked = RNG.integers(0, 3, (12, 2)), RNG.integers(0, 3, (7, 2))
    learnt, wanted = RNG.integers(0, labels, 12), RNG.integers(0, labels, 7)
    total = wrong = Fraction(0)
    for tree, prior in trees.enumerate():
        weight = prior * DECAY ** int((tree.labels(points) != learnt).sum())
        total += weight
        wrong += weight * int((tree.labels(asked) != wanted).sum())
    found = of_trees(trees, (points, learnt), (asked, wanted), DECAY)
    assert math.isclose(found.log_mass, math.log(total), rel_tol=1e-12)
    assert math.isclose(found.errors, wrong / total, rel_tol=1e-12)


def test_sparse_rules_and_unions() -> None:
    rules = SparseHalfspaces(3, 4, sparsity=2, cuts=3)
    pairs = [(RNG.integers(0, 5, (n, 3)), RNG.integers(0, 2, n).astype(np.uint8)) for n in (15, 9)]
    samples = [ArraySample(points, labels) for points, labels in pairs]
    total = wrong = Fraction(0)
    for rule, prior in zip(rules, rules.prior.tolist(), strict=True):
        errors = [int((rule.labels(points) != labels).sum()) for points, labels in pairs]
        weight = Fraction(prior, rules.total) * DECAY ** errors[0]
        total, wrong = total + weight, wrong + weight * errors[1]
    found = of_sparse_rules(rules, samples[0], samples[1], DECAY)
    assert math.isclose(found.log_mass, math.log(total), rel_tol=1e-12)
    assert math.isclose(found.errors, wrong / total, rel_tol=1e-12)
    trees = PrunedTrees([(0, 2)], 1)
    other = of_trees(trees, pairs[0], pairs[1], DECAY)
    both = of_union([found, other])
    masses = [math.exp(part.log_mass) for part in (found, other)]
    assert math.isclose(math.exp(both.log_mass), sum(masses) / 2, rel_tol=1e-12)
    mean = (masses[0] * found.errors + masses[1] * other.errors) / sum(masses)
    assert math.isclose(both.errors, mean, rel_tol=1e-12)
